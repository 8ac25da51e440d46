// test_timeline.c: the timeline of a program in the explorer: keys and clicks choose bars, move the window, change the
// model, and open launches; its times are those of `stats`.
#include "app/run/program_run.h"
#include "app/session/session.h"
#include "app/session/session_parts.h"
#include "base/mem.h"
#include "check.h"
#include "script/recipe.h"
#include "ui/panels/panel.h"
#include "ui/views/view.h"

static RecipeBook *book;

static void request_of(const char *name, const char *assignment, RunRequest *request) {
  LsErr err = {0};
  run_request_init(request);
  request->what = ls_strdup(name);
  request->recipe = book->get(book, name, &err);
  CU_ASSERT_PTR_NOT_NULL_FATAL(request->recipe);
  recipe_defaults(request->recipe, &request->values);
  if (assignment) CHECK(recipe_set(request->recipe, &request->values, assignment, &err));
}

static Session *session_of(const char *name, const char *assignment) {
  LsErr err = {0};
  RunRequest request;
  request_of(name, assignment, &request);
  Run *run = run_new(&request, NULL, &err);
  run_request_fini(&request);
  CU_ASSERT_PTR_NOT_NULL_FATAL(run);
  Session *session = ses_new(run);
  session->panels = panels;
  session->cols = 120;
  session->rows = 36;
  return session;
}

static void press(Session *session, const char *keys) {
  char name[32];
  int used;
  for (; sscanf(keys, "%31s%n", name, &used) == 1; keys += used) ses_key(session, (AppKey){.code = key_parse(name)});
}

static bool shows(Session *session, const char *words) {
  LsText text = {0};
  Canvas *canvas = canvas_new(120, 36);
  explorer_draw(session, canvas);
  canvas_to_text(canvas, true, &text);
  bool found = strstr(ls_text_str(&text), words) != NULL;
  if (!found) printf("\n%s\nlacks: %s\n", ls_text_str(&text), words);
  ls_text_free(&text);
  canvas_free(canvas);
  return found;
}

static Session *timeline_of(const char *name, const char *assignment) {
  Session *session = session_of(name, assignment);
  press(session, "T");
  CHECK(session->panel == &panel_timeline);
  return session;
}

// ---- times ----------------------------------------------------------------------------------------------------------

// As `stats` computes them of the code as compiled, whatever the explorer looks at.
static void times_are_those_of_stats(void) {
  LsErr err = {0};
  RunRequest request;
  request_of("stream_pipeline", NULL, &request);
  request.cut = DEV_COMPILED;
  request.record = false;
  ProgramRun *run = program_run_new(&request, NULL, &err);
  Session *session = timeline_of("stream_pipeline", NULL);
  const Schedule *schedule = ses_schedule(session);
  CU_ASSERT_PTR_NOT_NULL_FATAL(schedule->chart);
  for (int i = 0; i < run->program.step_count; i++)
    CHECK(schedule->times[i].begin == run->times[i].begin && schedule->times[i].end == run->times[i].end);
  CHECK(run_is_emulated(session->run) && session->run->module->debug);
  ses_free(session);
  program_run_close(run);
  run_request_fini(&request);
}

// Four streams overlap what one does not; an urgent kernel ends before the one that was there first.
static void streams_overlap(void) {
  Session *one = timeline_of("stream_pipeline", "streams=1"), *four = timeline_of("stream_pipeline", NULL);
  CHECK(ses_schedule(four)->chart->span < 0.7 * ses_schedule(one)->chart->span);
  ses_free(one);
  ses_free(four);
  Session *urgent = timeline_of("stream_priority", NULL), *plain = timeline_of("stream_priority", "urgent=no");
  CHECK(ses_schedule(urgent)->times[1].end < ses_schedule(urgent)->times[0].end);
  CHECK(ses_schedule(plain)->times[1].runs > ses_schedule(urgent)->times[1].end);
  CHECK(ses_schedule(plain)->times[1].room_from == 0);
  ses_free(urgent);
  ses_free(plain);
}

// ---- keys -----------------------------------------------------------------------------------------------------------

static void bars_are_chosen(void) {
  Session *session = timeline_of("stream_pipeline", NULL);
  CHECK_INT(session->schedule_at.step, 1);
  CHECK(shows(session, "step 2 of 17 - launch work<<<256, 256>>> in stream s0"));
  press(session, "Right");
  CHECK(shows(session, "launch work<<<256, 256>>> in stream s0, before it in its stream"));
  press(session, "Home");
  CHECK(shows(session, "nothing but the host"));
  press(session, "Tab");
  CHECK_INT(session->schedule_at.step, 1);
  press(session, "}");
  CHECK_INT(session->schedule_at.step, 4);
  press(session, "{ BackTab");
  CHECK_INT(session->schedule_at.step, 0);
  press(session, "Down Down");
  CHECK(ses_schedule(session)->chart->rows[session->schedule_at.row].stream == 2);
  press(session, "Up Up Up Up Up Up");
  CHECK(ses_schedule(session)->chart->rows[session->schedule_at.row].kind == CHART_HOST);
  press(session, "End");
  CHECK(shows(session, "wait for the device"));
  ses_free(session);
}

static void the_window_moves(void) {
  Session *session = timeline_of("stream_pipeline", NULL);
  double span = ses_schedule(session)->chart->span;
  SesScheduleAt *at = &session->schedule_at;
  press(session, "+ +");
  CHECK(at->width == span / 4);
  double left = at->left;
  press(session, "L");
  CHECK(at->left > left && at->left <= span - at->width);
  press(session, "L L L L L L L L L L");
  CHECK(at->left == span - at->width);
  press(session, "Left");                               // the chosen bar comes back into the window
  CHECK(at->left < ses_schedule(session)->times[at->step].end);
  press(session, "H H H H H H H H H H");
  CHECK(at->left == 0);
  press(session, "0");
  CHECK(at->width == 0 && at->left == 0);
  for (int i = 0; i < 60; i++) press(session, "+");
  CHECK(at->width >= 1 && at->left >= 0 && shows(session, "ns"));
  for (int i = 0; i < 60; i++) press(session, "-");
  CHECK(at->width == 0);
  ses_free(session);
}

static void mouse(Session *session, int x, int y, int button) {
  ses_key(session, (AppKey){.code = KEYX_MOUSE, .x = x, .y = y, .button = button});
}

static void the_mouse_chooses(void) {
  enum { WHEEL_UP = 4, WHEEL_DOWN = 5, COPIES_IN_Y = 5 };
  Session *session = timeline_of("stream_pipeline", NULL);
  double span = ses_schedule(session)->chart->span;
  mouse(session, 18, COPIES_IN_Y, 1);
  CHECK_INT(session->schedule_at.step, 0);
  mouse(session, 70, COPIES_IN_Y, WHEEL_UP);
  CHECK(session->schedule_at.width == span / 2 && session->schedule_at.left > 0);
  mouse(session, 70, COPIES_IN_Y, WHEEL_DOWN);
  CHECK(session->schedule_at.width == 0);
  mouse(session, 18, COPIES_IN_Y + 2, 1);
  CHECK(session->schedule_at.step == 0 && session->panel == &panel_timeline);
  ses_free(session);
}

// The time below the mouse goes with it, as far as there is some; a click on the chosen bar opens nothing.
static void the_mouse_drags(void) {
  enum { WHEEL_UP = 4, DRAG = 6, Y = 5 };
  Session *session = timeline_of("stream_pipeline", NULL);
  SesScheduleAt *at = &session->schedule_at;
  double span = ses_schedule(session)->chart->span;
  mouse(session, 60, Y, 1);
  mouse(session, 90, Y, DRAG);
  CHECK(at->width == 0 && at->left == 0);               // all of it is there
  mouse(session, 60, Y, WHEEL_UP);
  mouse(session, 60, Y, WHEEL_UP);
  mouse(session, 60, Y, 1);
  double left = at->left;
  mouse(session, 50, Y, DRAG);
  double moved = at->left - left;
  CHECK(moved > 0 && at->width == span / 4);
  mouse(session, 55, Y, DRAG);
  CHECK(at->left > left && at->left - left < 0.51 * moved && at->left - left > 0.49 * moved);
  mouse(session, 60, Y, DRAG);
  CHECK(at->left - left < 1e-6 * span && left - at->left < 1e-6 * span);
  for (int i = 0; i < 8; i++) mouse(session, i % 2 ? 100 : 30, Y, i % 2 ? DRAG : 1);
  CHECK(at->left == 0);
  press(session, "}");
  CHECK(!session->want_rerun);
  ses_free(session);
}

static void launches_open(void) {
  Session *session = timeline_of("stream_pipeline", NULL);
  press(session, "Home Return");
  CHECK(session->panel == &panel_timeline && strstr(session->message, "only launches"));
  press(session, "} } Return");
  CHECK(!session->panel && session->want_rerun && session->next.launch_number == 2);
  ses_free(session);
  session = timeline_of("stream_pipeline", NULL);
  press(session, "Esc");
  CHECK(!session->panel);
  ses_free(session);
  session = session_of("reduce2", NULL);                // one launch has none
  press(session, "T");
  CHECK(!session->panel && strstr(session->message, "one launch"));
  ses_free(session);
}

// ---- the model ------------------------------------------------------------------------------------------------------

static void what_if(void) {
  Session *session = timeline_of("stream_pipeline", NULL);
  double span = ses_schedule(session)->chart->span;
  press(session, "p Right");                            // the first row is the link
  CHECK(session->schedule_at.edits && ses_schedule(session)->model.value[PROGRAM_MODEL_LINK] == 110);
  CHECK(ses_schedule(session)->chart->span < span && ses_schedule(session)->usual_span == span);
  CHECK(shows(session, "in place of") && shows(session, "was 55 GB/s"));
  press(session, "0");
  CHECK(ses_schedule(session)->chart->span == span);
  for (int i = 0; i < PROGRAM_MODEL_STREAMS; i++) press(session, "Down");
  press(session, "Right");
  CHECK(ses_schedule(session)->chart->span > span);     // all in one stream
  press(session, "p");
  CHECK(!session->schedule_at.edits && session->panel == &panel_timeline);
  press(session, "Esc T");                              // it is still asked
  CHECK(ses_schedule(session)->model.value[PROGRAM_MODEL_STREAMS] == 1);
  ses_free(session);
}

// Time goes by as it is played: nothing later is shown; any other key shows all of it again.
static void it_is_played(void) {
  Session *session = timeline_of("stream_pipeline", NULL);
  SesScheduleAt *at = &session->schedule_at;
  press(session, "Space");
  CHECK(at->plays && ses_tick(session, 1) && at->until > 0);
  double until = at->until;
  CHECK(shows(session, "launch"));
  press(session, "Space");
  CHECK(!at->plays && at->until == until);
  press(session, "Space");
  ses_tick(session, 1);
  CHECK(at->until > until);
  press(session, "Right");
  CHECK(!at->plays && at->until == 0);
  press(session, "Space");
  for (int i = 0; i < 20; i++) ses_tick(session, 1);
  CHECK(!at->plays && at->until == 0);
  ses_free(session);
}

// It is a picture of the focus pane as well, which Tab passes over where there is no program.
static void it_is_a_focus(void) {
  Session *session = session_of("stream_pipeline", "n=1024");
  ses_command(session, &(Command){.id = CMD_SET_FOCUS, .arg = FOCUS_PROGRAM});
  CHECK(shows(session, "critical path") && shows(session, "copies out") && shows(session, "Computed: "));
  ses_free(session);
  session = session_of("vec_add", NULL);
  for (int i = 0; i < FOCUS_COUNT; i++) {
    ses_command(session, &(Command){.id = CMD_FOCUS_NEXT});
    CHECK(session->focus != FOCUS_PROGRAM);
  }
  ses_command(session, &(Command){.id = CMD_SET_FOCUS, .arg = FOCUS_PROGRAM});
  CHECK(shows(session, "this is one launch"));
  ses_free(session);
}

int main(int argc, char **argv) {
  static const Check checks[] = {
      {"times are those of stats", times_are_those_of_stats}, {"streams overlap", streams_overlap},
      {"bars are chosen", bars_are_chosen}, {"the window moves", the_window_moves}, {"the mouse chooses",
                                                                                     the_mouse_chooses},
      {"the mouse drags", the_mouse_drags},
      {"launches open", launches_open}, {"what if", what_if}, {"it is played", it_is_played},
      {"it is a focus", it_is_a_focus},
  };
  LsErr err = {0};
  book = recipe_book_open(NULL, &err);
  if (!book) return 99;
  int status = check_main("timeline", checks, LS_COUNT(checks), argc, argv);
  book->free(book);
  return status;
}
