// cmd_export.c: lanescope export: one picture of a trace or a run.
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "app/models/models.h"
#include "app/session/session.h"
#include "cli/busy.h"
#include "cli/chrome.h"
#include "cli/cli.h"
#include "cli/picture.h"
#include "cli/place.h"
#include "ui/models/pictures.h"
#include "ui/pages/page.h"
#include "ui/views/view.h"

typedef struct Picture { const View *view; PictureFormat format; int cols, rows; } Picture;   // view NULL: the whole screen

static bool parse_view(const Cli *cli, const View **view, LsErr *err) {
  const char *name = cli->given[OPT_ID_VIEW] ? cli->value[OPT_ID_VIEW] : "screen";
  *view = NULL;
  if (strcmp(name, "screen") == 0 || (*view = view_find(name))) return true;
  ls_fail(err, LS_EREQUEST, "there is no view '%s'; there are: screen", LS_QUOTE(name));
  int count;
  const View *all = view_all(&count);
  for (int i = 0; err && i < count; i++) {
    if (strcmp(all[i].name, "screen") == 0) continue;
    size_t used = strlen(err->message);
    snprintf(err->message + used, sizeof err->message - used, ", %s", all[i].name);
  }
  return false;
}

bool cli_size(const Cli *cli, int *cols, int *rows, LsErr *err) {
  if (!cli->given[OPT_ID_SIZE]) return true;
  char end;
  bool two = sscanf(cli->value[OPT_ID_SIZE], "%dx%d%c", cols, rows, &end) == 2;
  if (two && *cols >= 20 && *cols <= 500 && *rows >= 3 && *rows <= 300) return true;
  return ls_fail(err, LS_EREQUEST, "--size takes COLSxROWS from 20x3 to 500x300, not '%s'",
                 LS_QUOTE(cli->value[OPT_ID_SIZE]));
}

static bool parse_size(const Cli *cli, Picture *picture, LsErr *err) {
  picture->cols = 120, picture->rows = picture->view ? 16 : 36;
  return cli_size(cli, &picture->cols, &picture->rows, err);
}

// A view of the focus pane is its picture.
static bool choose(const Cli *cli, Session *session, const Picture *picture, LsErr *err) {
  SesWish wish;
  if (!place_wish(cli, &wish, err)) return false;
  for (int i = 0; picture->view && i < FOCUS_COUNT; i++)
    if (view_of_focus((FocusKind)i) == picture->view) wish.focus = i;
  return ses_wish(session, &wish, err);
}

// ---- the picture ---------------------------------------------------------------------------------------------------

static bool draw(Session *session, const Picture *picture, const Cli *cli, LsErr *err) {
  Canvas *canvas = picture_canvas(cli, picture->cols, picture->rows);
  session->cols = picture->cols, session->rows = picture->rows;
  if (picture->view) view_draw(picture->view, session, canvas, (Rect){0, 0, picture->cols, picture->rows});
  else explorer_draw(session, canvas);
  return picture_write(cli, canvas, picture->format, err);
}

// The timeline is of the whole run.
static bool no_picture(const Cli *cli, LsErr *err) {
  static const OptionId of_pictures[] = {OPT_ID_AT, OPT_ID_VIEW, OPT_ID_SIZE, OPT_ID_LIGHT, OPT_ID_FOCUS,
                                         OPT_ID_VARIANT,
                                         OPT_ID_ZOOM, OPT_ID_WARP, OPT_ID_LANE, OPT_ID_MARGIN};
  for (int i = 0; i < LS_COUNT(of_pictures); i++)
    if (cli->given[of_pictures[i]])
      return ls_fail(err, LS_EREQUEST, "--format chrome is a timeline of the whole run: it does not take --%s",
                     cli_option(of_pictures[i])->name);
  return true;
}

// run NULL: of the program.
static bool write_timeline(const Cli *cli, Run *run, const ProgramRun *program, LsErr *err) {
  const char *path = cli->given[OPT_ID_OUTPUT] ? cli->value[OPT_ID_OUTPUT] : NULL;
  FILE *file = path ? fopen(path, "wb") : stdout;
  if (!file) return ls_fail(err, LS_EIO, "cannot write %s: %s", LS_QUOTE_PATH(path), strerror(errno));
  busy_begin("writing the timeline");
  bool ok = run ? chrome_write(run, file, err) : chrome_write_program(program, file, err), written = !ferror(file);
  busy_end();
  if (path) written = fclose(file) == 0 && written;
  if (ok && !written) return ls_fail(err, LS_EIO, "cannot write %s: %s", path ? LS_QUOTE_PATH(path) : "the timeline",
                                     strerror(errno));
  return ok;
}

// ---- a model -------------------------------------------------------------------------------------------------------

// Its page as it opens; of --view model the picture alone.
static int export_model(const Cli *cli, const Model *model, const ModelValues *values, LsErr *err) {
  const char *view = cli->given[OPT_ID_VIEW] ? cli->value[OPT_ID_VIEW] : "screen";
  bool alone = strcmp(view, "model") == 0;
  Picture picture = {.cols = 120, .rows = alone ? 24 : 36};
  if (!alone && strcmp(view, "screen") != 0)
    return ls_fail(err, LS_EREQUEST, "%s is a model: --view takes screen or model, not '%s'", model->recipe.name, LS_QUOTE(view)) - 1;
  if (!picture_format(cli, &picture.format, err) || !cli_size(cli, &picture.cols, &picture.rows, err)) return -1;
  if (picture.format == PICTURE_CHROME)
    return ls_fail(err, LS_EREQUEST, "--format chrome is a timeline of a run: %s is a model", model->recipe.name) - 1;
  Canvas *canvas = picture_canvas(cli, picture.cols, picture.rows);
  Page *page = page_model_new(model, values);
  if (alone) model_draw(model, values, canvas, (Rect){1, 0, picture.cols - 2, picture.rows});
  else page_draw(page, canvas);
  page->class->free(page);
  return picture_write(cli, canvas, picture.format, err) ? 0 : -1;
}

static int export_program(const Cli *cli, const RunRequest *request, LsErr *err) {
  ProgramRun *program = program_run_new(request, busy_begin("running the program"), err);
  busy_end();
  bool written = program && write_timeline(cli, NULL, program, err);
  program_run_close(program);
  return written ? 0 : -1;
}

static int export_timeline(Cli *cli, LsErr *err) {
  RunRequest request = {0};
  bool whole = cli_program(cli, &request);
  int status = whole ? export_program(cli, &request, err) : -1;
  run_request_fini(&request);
  if (whole) return status;
  Run *run = cli_run(cli, DEV_WRITTEN, true, err);
  if (!run) return -1;
  bool is_saved = !run->request.recipe && run->whole && !cli->given[OPT_ID_LAUNCH];   // the whole program
  status = write_timeline(cli, is_saved ? NULL : run, run->whole, err) ? 0 : -1;
  run_free(run);
  return status;
}

int cmd_export(Cli *cli, LsErr *err) {
  Picture picture;
  if (!cli_theme(cli, err)) return -1;
  ModelValues values;
  const Model *model = cli->word_count == 1 ? cli_model(cli, cli->words[0], &values, err) : NULL;
  if (model) return export_model(cli, model, &values, err);
  if (err->kind != LS_OK) return -1;
  if (!picture_format(cli, &picture.format, err) || !parse_view(cli, &picture.view, err) || !parse_size(cli, &picture, err))
    return -1;
  if (picture.format == PICTURE_CHROME) return no_picture(cli, err) ? export_timeline(cli, err) : -1;
  Run *run = cli_run(cli, DEV_WRITTEN, true, err);
  if (!run) return -1;
  if (!run->trace || trace_steps(run->trace) == 0) {
    run_free(run);
    ls_fail(err, LS_EREQUEST, "nothing was recorded, so there is nothing to draw");
    return -1;
  }
  cli_count_events(run);
  Session *session = ses_new(run);
  session->lowest = true;   // as the explorer looks that is opened on it
  busy_begin("going to the step");
  bool ok = choose(cli, session, &picture, err);
  busy_end();
  ok = ok && draw(session, &picture, cli, err);
  ses_free(session);
  return ok ? 0 : -1;
}
