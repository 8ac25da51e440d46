// picture.c: what export writes: a canvas as SVG, text or text with colors.
#include "cli/picture.h"

#include <errno.h>
#include <string.h>

#include "ui/term/theme.h"

bool picture_format(const Cli *cli, PictureFormat *format, LsErr *err) {
  static const char *const names[] = {"svg", "text", "ansi", "chrome"};
  if (!cli->given[OPT_ID_FORMAT]) return *format = PICTURE_TEXT, true;
  for (int i = 0; i < LS_COUNT(names); i++)
    if (strcmp(cli->value[OPT_ID_FORMAT], names[i]) == 0) return *format = (PictureFormat)i, true;
  return ls_fail(err, LS_EREQUEST, "--format takes svg, text, ansi or chrome, not '%s'",
                 LS_QUOTE(cli->value[OPT_ID_FORMAT]));
}

Canvas *picture_canvas(const Cli *cli, int cols, int rows) {
  Canvas *canvas = canvas_new(cols, rows);
  canvas->ascii = cli->given[OPT_ID_ASCII];
  canvas->stage = cli->given[OPT_ID_STAGE];
  return canvas;
}

static bool write_out(const Cli *cli, const LsText *text, LsErr *err) {
  const char *path = cli->given[OPT_ID_OUTPUT] ? cli->value[OPT_ID_OUTPUT] : NULL;
  FILE *file = path ? fopen(path, "wb") : stdout;
  if (!file) return ls_fail(err, LS_EIO, "cannot write %s: %s", LS_QUOTE_PATH(path), strerror(errno));
  bool ok = fwrite(ls_text_str(text), 1, text->length, file) == text->length;
  if (path) ok = fclose(file) == 0 && ok;
  return ok || ls_fail(err, LS_EIO, "cannot write %s: %s", path ? LS_QUOTE_PATH(path) : "the picture", strerror(errno));
}

bool picture_write(const Cli *cli, Canvas *canvas, PictureFormat format, LsErr *err) {
  LsText text = {0};
  if (format == PICTURE_SVG) canvas_to_svg(canvas, canvas->ascii, !cli->given[OPT_ID_LIGHT] && theme_is_dark(), &text);
  else if (format == PICTURE_ANSI) canvas_to_ansi(canvas, canvas->ascii, 1 << 24, &text);
  else canvas_to_text(canvas, canvas->ascii, &text);
  canvas_free(canvas);
  bool ok = write_out(cli, &text, err);
  ls_text_free(&text);
  return ok;
}
