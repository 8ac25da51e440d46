// cmd_export.c: lanescope export: one picture of a trace or a run.
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "app/session/session.h"
#include "cli/chrome.h"
#include "cli/cli.h"
#include "ui/term/theme.h"
#include "ui/views/view.h"

typedef enum Format { AS_SVG, AS_TEXT, AS_ANSI, AS_CHROME } Format;
typedef struct Picture { const View *view; Format format; int cols, rows; } Picture;   // view NULL: the whole screen

static bool parse_format(const Cli *cli, Format *format, LsErr *err) {
  static const char *const names[] = {"svg", "text", "ansi", "chrome"};
  if (!cli->given[OPT_ID_FORMAT]) return *format = AS_TEXT, true;
  for (int i = 0; i < LS_COUNT(names); i++)
    if (strcmp(cli->value[OPT_ID_FORMAT], names[i]) == 0) return *format = (Format)i, true;
  return ls_fail(err, LS_EREQUEST, "--format takes svg, text, ansi or chrome, not '%s'",
                 LS_QUOTE(cli->value[OPT_ID_FORMAT]));
}

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

static bool parse_size(const Cli *cli, Picture *picture, LsErr *err) {
  picture->cols = 120, picture->rows = picture->view ? 16 : 36;
  if (!cli->given[OPT_ID_SIZE]) return true;
  char end;
  bool two = sscanf(cli->value[OPT_ID_SIZE], "%dx%d%c", &picture->cols, &picture->rows, &end) == 2;
  if (two && picture->cols >= 20 && picture->cols <= 500 && picture->rows >= 3 && picture->rows <= 300) return true;
  return ls_fail(err, LS_EREQUEST, "--size takes COLSxROWS from 20x3 to 500x300, not '%s'",
                 LS_QUOTE(cli->value[OPT_ID_SIZE]));
}

// ---- the step ------------------------------------------------------------------------------------------------------

static bool go_to_line(Session *session, const char *text, LsErr *err) {
  uint64_t line;
  if (!ls_parse_u64(text, &line)) return ls_fail(err, LS_EREQUEST, "--at line:N needs a line number, not '%s'",
                                                 LS_QUOTE(text));
  Command command = {.id = CMD_GOTO_LINE, .arg = (int64_t)line};
  if (ses_command(session, &command) && !session->message_is_error) return true;
  return ls_fail(err, LS_EREQUEST, "no recorded step is on line %s", LS_QUOTE(text));
}

enum { LINE_EVENTS = 500 };   // of one visit of a line that are looked through

// What is worth a picture: the event that the chosen pane is about; for the whole screen any event of interest.
static bool worth_showing(const Scene *scene, bool for_pane) {
  if (for_pane) return scene->has_focus && scene->focus.step == scene->step;
  bool parameter = scene->event.kind == TRACE_LOAD && scene->event.space == TRACE_PARAM;
  return trace_kind_interesting((TraceKind)scene->event.kind) && !parameter && scene->event.kind != TRACE_BRANCH;
}

// From the first event of a line on to the first one worth a picture, if the line has one.
static void look_along_line(Session *session, bool for_pane) {
  uint64_t start = session->step;
  int line = ses_scene(session)->line;
  for (int i = 0; i < LINE_EVENTS && ses_scene(session)->line == line; i++) {
    if (worth_showing(ses_scene(session), for_pane)) return;
    uint64_t before = session->step;
    ses_command(session, &(Command){.id = CMD_WARP_NEXT});
    if (session->step == before) break;
  }
  ses_command(session, &(Command){.id = CMD_GOTO, .arg = (int64_t)start});
}

static bool go_to_fault(Session *session, LsErr *err) {
  for (int i = 0; i < session->run->fault_count; i++) {
    if (session->run->faults[i].step == UINT64_MAX) continue;
    Command command = {.id = CMD_GOTO, .arg = (int64_t)session->run->faults[i].step};
    return ses_command(session, &command);
  }
  if (session->run->fault_count)
    return ls_fail(err, LS_EREQUEST, "what went wrong happened in block %u, which is not recorded: add --blocks %u",
                   session->run->faults[0].block, session->run->faults[0].block);
  return ls_fail(err, LS_EREQUEST, "nothing went wrong in this run");
}

static bool go_to(const Cli *cli, Session *session, LsErr *err) {
  const char *at = cli->given[OPT_ID_AT] ? cli->value[OPT_ID_AT] : "0";
  uint64_t step = 0;
  if (ls_starts_with(at, "line:")) return go_to_line(session, at + 5, err);
  if (strcmp(at, "fault") == 0) return go_to_fault(session, err);
  if (strcmp(at, "end") == 0) step = session->steps - 1;
  else if (!ls_parse_u64(at, &step)) return ls_fail(err, LS_EREQUEST,
                                                    "--at takes a step, line:N, fault or end, not '%s'", LS_QUOTE(at));
  if (step >= session->steps)
    return ls_fail(err, LS_EREQUEST, "there is no step %" PRIu64 ": they go from 0 to %" PRIu64, step,
                   session->steps - 1);
  Command command = {.id = CMD_GOTO, .arg = (int64_t)step};
  return ses_command(session, &command);
}

static bool choose(const Cli *cli, Session *session, const Picture *picture, LsErr *err) {
  uint64_t warp = 0, lane = 0;
  if (!cli_unsigned(cli, OPT_ID_WARP, 0, launch_warps(&session->run->info.launch) - 1, &warp, err) ||
      !cli_unsigned(cli, OPT_ID_LANE, 0, 31, &lane, err))
    return false;
  int pane = -1;
  for (int i = 0; picture->view && i < FOCUS_COUNT; i++)
    if (view_of_focus((FocusKind)i) == picture->view) pane = i;
  if (!go_to(cli, session, err)) return false;
  if (pane >= 0) ses_command(session, &(Command){.id = CMD_SET_FOCUS, .arg = pane});
  if (cli->given[OPT_ID_AT] && ls_starts_with(cli->value[OPT_ID_AT], "line:")) look_along_line(session, pane >= 0);
  if (cli->given[OPT_ID_WARP]) ses_command(session, &(Command){.id = CMD_SET_WARP, .arg = (int64_t)warp});
  if (cli->given[OPT_ID_LANE]) ses_command(session, &(Command){.id = CMD_SET_LANE, .arg = (int64_t)lane});
  return true;
}

// ---- the picture ---------------------------------------------------------------------------------------------------

static void draw(Session *session, const Picture *picture, const Cli *cli, LsText *out) {
  Canvas *canvas = canvas_new(picture->cols, picture->rows);
  bool ascii = cli->given[OPT_ID_ASCII];
  canvas->ascii = ascii;
  canvas->stage = cli->given[OPT_ID_STAGE];
  session->cols = picture->cols, session->rows = picture->rows;
  if (picture->view) view_draw(picture->view, session, canvas, (Rect){0, 0, picture->cols, picture->rows});
  else explorer_draw(session, canvas);
  if (picture->format == AS_SVG) canvas_to_svg(canvas, ascii, !cli->given[OPT_ID_LIGHT] && theme_is_dark(), out);
  else if (picture->format == AS_ANSI) canvas_to_ansi(canvas, ascii, 1 << 24, out);
  else canvas_to_text(canvas, ascii, out);
  canvas_free(canvas);
}

// The timeline is of the whole run.
static bool no_picture(const Cli *cli, LsErr *err) {
  static const OptionId of_pictures[] = {OPT_ID_AT, OPT_ID_VIEW, OPT_ID_SIZE, OPT_ID_LIGHT, OPT_ID_WARP, OPT_ID_LANE};
  for (int i = 0; i < LS_COUNT(of_pictures); i++)
    if (cli->given[of_pictures[i]])
      return ls_fail(err, LS_EREQUEST, "--format chrome is a timeline of the whole run: it does not take --%s",
                     cli_option(of_pictures[i])->name);
  return true;
}

static bool write_timeline(const Cli *cli, Run *run, LsErr *err) {
  const char *path = cli->given[OPT_ID_OUTPUT] ? cli->value[OPT_ID_OUTPUT] : NULL;
  FILE *file = path ? fopen(path, "wb") : stdout;
  if (!file) return ls_fail(err, LS_EIO, "cannot write %s: %s", LS_QUOTE_PATH(path), strerror(errno));
  bool ok = chrome_write(run, file, err), written = !ferror(file);
  if (path) written = fclose(file) == 0 && written;
  if (ok && !written) return ls_fail(err, LS_EIO, "cannot write %s: %s", path ? LS_QUOTE_PATH(path) : "the timeline",
                                     strerror(errno));
  return ok;
}

static bool write_out(const Cli *cli, const LsText *text, LsErr *err) {
  const char *path = cli->given[OPT_ID_OUTPUT] ? cli->value[OPT_ID_OUTPUT] : NULL;
  FILE *file = path ? fopen(path, "wb") : stdout;
  if (!file) return ls_fail(err, LS_EIO, "cannot write %s: %s", LS_QUOTE_PATH(path), strerror(errno));
  bool ok = fwrite(ls_text_str(text), 1, text->length, file) == text->length;
  if (path) ok = fclose(file) == 0 && ok;
  return ok || ls_fail(err, LS_EIO, "cannot write %s: %s", path ? LS_QUOTE_PATH(path) : "the picture", strerror(errno));
}

int cmd_export(Cli *cli, LsErr *err) {
  Picture picture;
  if (!cli_theme(cli, err)) return -1;
  if (!parse_format(cli, &picture.format, err) || !parse_view(cli, &picture.view, err) || !parse_size(cli, &picture, err))
    return -1;
  if (picture.format == AS_CHROME && !no_picture(cli, err)) return -1;
  Run *run = cli_run(cli, DEV_WRITTEN, true, err);
  if (!run) return -1;
  if (picture.format == AS_CHROME) {
    bool written = write_timeline(cli, run, err);
    run_free(run);
    return written ? 0 : -1;
  }
  if (!run->trace || trace_steps(run->trace) == 0) {
    run_free(run);
    ls_fail(err, LS_EREQUEST, "nothing was recorded, so there is nothing to draw");
    return -1;
  }
  while (run_advance_totals(run, 1 << 20)) continue;
  Session *session = ses_new(run);
  session->lowest = true;   // as the explorer looks that is opened on it
  bool ok = choose(cli, session, &picture, err);
  LsText text = {0};
  if (ok) draw(session, &picture, cli, &text);
  ok = ok && write_out(cli, &text, err);
  ls_text_free(&text);
  ses_free(session);
  return ok ? 0 : -1;
}
