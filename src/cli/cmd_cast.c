// cmd_cast.c: lanescope cast: what play shows between two steps, as an asciicast (version 2) for slides and web pages.
//
// Nothing here waits: the clock goes on by a thirtieth of a second from frame to frame, and frames are a function of
// event and phase, so that the same run gives the same file.
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "cli/busy.h"
#include "cli/cast_file.h"
#include "cli/place.h"
#include "ui/views/view.h"

enum { MOST_FRAMES = 20 * 60 * CAST_FRAMES_PER_SECOND };

typedef struct Cast {
  CastFile file;
  Session *session;
  const View *view;          // the timeline of a program, instead of the explorer; NULL
  uint64_t to;
} Cast;

static void add_frame(Cast *cast) {
  Canvas *canvas = cast_file_canvas(&cast->file);
  if (cast->view) view_draw(cast->view, cast->session, canvas, (Rect){0, 0, canvas->cols, canvas->rows});
  else explorer_draw(cast->session, canvas);
  cast_file_add(&cast->file);
}

// Its last event has been seen whole, or there is no further one.
static bool at_end(const Session *session, uint64_t to) {
  return !ses_plays(session) ? session->step >= to : session->step >= to && session->play.act == PLAY_HOLDS;
}

static void press_play(Session *session) { ses_command(session, &(Command){.id = CMD_PLAY}); }

static bool play_through(Cast *cast, LsErr *err) {
  Session *session = cast->session;
  const double tick = 1.0 / CAST_FRAMES_PER_SECOND;
  bool first = ses_unfolds(session);   // the event at which it begins is played, also where it is the last one
  for (int frame = 0; first || !at_end(session, cast->to); frame++, first = false) {
    if (frame == MOST_FRAMES)
      return ls_fail(err, LS_EREQUEST,
                     "this would last more than %d minutes: --to an earlier step, or a higher --speed",
                     MOST_FRAMES / CAST_FRAMES_PER_SECOND / 60);
    if (!ses_plays(session)) press_play(session);
    cast->file.time += tick;
    ses_tick(session, tick);
    if (session->step > cast->to) {   // nothing of interest before it: it stands, as it would for a student
      ses_play_stop(session);
      ses_command(session, &(Command){.id = CMD_GOTO, .arg = (int64_t)cast->to});
    }
    add_frame(cast);
  }
  ses_play_stop(session);
  add_frame(cast);
  return true;
}

static bool parse_speed(const Cli *cli, int *speed, LsErr *err) {
  static const char *const words[] = {"1/4", "1/2", "1", "2", "4", "8", "16", "32", "64"};
  *speed = 0;
  if (!cli->given[OPT_ID_SPEED]) return true;
  for (int i = 0; i < LS_COUNT(words); i++)
    if (strcmp(words[i], cli->value[OPT_ID_SPEED]) == 0) return *speed = i - 2, true;
  return ls_fail(err, LS_EREQUEST, "--speed takes 1/4, 1/2, 1, 2, 4, 8, 16, 32 or 64, not '%s'",
                 LS_QUOTE(cli->value[OPT_ID_SPEED]));
}

// To the steps that are named: the later one first, since the cursor stays at the other.
static bool find_steps(const Cli *cli, Cast *cast, LsErr *err) {
  Session *session = cast->session;
  SesWish wish;
  if (!place_wish(cli, &wish, err)) return false;
  const char *from = cli->given[OPT_ID_FROM] ? cli->value[OPT_ID_FROM] : wish.at ? wish.at : "0";
  SesWish end = {.at = cli->given[OPT_ID_TO] ? cli->value[OPT_ID_TO] : "end", .focus = -1, .variant = -1, .warp = -1,
                 .lane = -1,
                 .margin = -1};
  if (!ses_wish(session, &end, err)) return false;
  cast->to = session->step;
  wish.at = from;
  ses_command(session, &(Command){.id = CMD_FOCUS_AUTO});
  if (!ses_wish(session, &wish, err)) return false;
  if (session->step > cast->to)
    return ls_fail(err, LS_EREQUEST, "--to is step %llu, before --from, step %llu", (unsigned long long)cast->to,
                   (unsigned long long)session->step);
  return true;
}

// A program as its time goes by, from the beginning to the end.
static bool play_timeline(Cast *cast, LsErr *err) {
  const double tick = 1.0 / CAST_FRAMES_PER_SECOND;
  const Schedule *schedule = ses_schedule(cast->session);
  if (!schedule->chart) return ls_fail(err, LS_EREQUEST, "%s", schedule->why_not);
  ses_schedule_play(cast->session);
  do {
    add_frame(cast);
    cast->file.time += tick;
  } while (ses_schedule_advance(cast->session, tick * ses_speed(cast->session)) && cast->session->schedule_at.plays);
  add_frame(cast);
  return true;
}

static bool find_view(const Cli *cli, Cast *cast, LsErr *err) {
  if (!cli->given[OPT_ID_VIEW]) return true;
  cast->view = view_find("timeline");
  if (strcmp(cli->value[OPT_ID_VIEW], cast->view->name) == 0) return true;
  return ls_fail(err, LS_EREQUEST, "cast --view takes timeline, not '%s': without it the explorer is recorded",
                 LS_QUOTE(cli->value[OPT_ID_VIEW]));
}

static bool record(Cast *cast, LsErr *err) {
  cast->session->phase = 0;
  add_frame(cast);
  cast->file.time = CAST_BEFORE_SECONDS;
  return play_through(cast, err);
}

int cmd_cast(Cli *cli, LsErr *err) {
  int cols = 100, rows = 30, speed;
  if (!cli->given[OPT_ID_OUTPUT]) return ls_fail(err, LS_EREQUEST, "cast needs -o FILE.cast"), -1;
  if (!cli_theme(cli, err) || !cli_size(cli, &cols, &rows, err) || !parse_speed(cli, &speed, err)) return -1;
  ModelValues values;
  const Model *model = cli->word_count == 1 ? cli_model(cli, cli->words[0], &values, err) : NULL;
  if (model) return cast_model(cli, model, &values, cols, rows, err);
  Run *run = err->kind == LS_OK ? cli_run(cli, DEV_WRITTEN, true, err) : NULL;
  if (!run) return -1;
  cli_count_events(run);
  Session *session = ses_new(run);
  Cast cast = {.session = session};
  cast_file_begin(&cast.file, cli, cols, rows, run->info.title ? run->info.title : run->info.kernel);
  session->cols = cols, session->rows = rows;
  session->room = view_room;
  session->speed = speed;
  session->motion = !cli->given[OPT_ID_NO_MOTION];
  session->lowest = true;
  busy_begin("playing the steps");
  bool ok = find_view(cli, &cast, err) &&
            (cast.view ? play_timeline(&cast, err) : find_steps(cli, &cast, err) && record(&cast, err));
  busy_end();
  ok = cast_file_end(&cast.file, ok ? cli->value[OPT_ID_OUTPUT] : NULL, err) && ok;
  ses_free(session);
  return ok ? 0 : -1;
}
