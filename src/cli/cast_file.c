// cast_file.c: writes frames as an asciicast, each as what differs from the one before.
#include "cli/cast_file.h"

#include <math.h>

#include "base/file.h"
#include "ui/term/theme.h"

void cast_file_begin(CastFile *file, const Cli *cli, int cols, int rows, const char *title) {
  LsJson json;
  *file = (CastFile){.now = canvas_new(cols, rows), .next = canvas_new(cols, rows), .ascii = cli->given[OPT_ID_ASCII],
                     .stage = cli->given[OPT_ID_STAGE], .dark = !cli->given[OPT_ID_LIGHT] && theme_is_dark()};
  ls_json_init(&json, &file->out);
  ls_json_open(&json, '{');
  ls_json_member_i64(&json, "version", 2);
  ls_json_member_i64(&json, "width", cols);
  ls_json_member_i64(&json, "height", rows);
  ls_json_member(&json, "title", title);
  ls_json_close(&json, '}');
  ls_text_addc(&file->out, '\n');
}

static void add_line(CastFile *file, const char *data) {
  LsJson json;
  ls_json_init(&json, &file->out);
  ls_json_open(&json, '[');
  ls_json_f64(&json, floor(file->time * 1000 + 0.5) / 1000);
  ls_json_str(&json, "o");
  ls_json_str(&json, data);
  ls_json_close(&json, ']');
  ls_text_addc(&file->out, '\n');
}

Canvas *cast_file_canvas(CastFile *file) {
  canvas_clear(file->next);
  file->next->ascii = file->ascii;
  file->next->stage = file->stage;
  return file->next;
}

void cast_file_add(CastFile *file) {
  LsText text = {0};
  Canvas *canvas = file->next;
  canvas_to_delta(file->begun ? file->now : NULL, canvas, file->ascii, file->dark, &text);
  if (text.length) add_line(file, ls_text_str(&text));
  ls_text_free(&text);
  file->begun = true;
  file->next = file->now;
  file->now = canvas;
}

bool cast_file_end(CastFile *file, const char *path, LsErr *err) {
  file->time += CAST_AFTER_SECONDS;
  add_line(file, "");
  bool ok = !path || ls_file_write(path, file->out.data, file->out.length, err);
  ls_text_free(&file->out);
  canvas_free(file->now);
  canvas_free(file->next);
  return ok;
}
