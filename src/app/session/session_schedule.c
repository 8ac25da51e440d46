// session_schedule.c: the program of a session over time: when it is run for its times, and by which model they are
// computed.
#include <stdlib.h>
#include <string.h>
#include <string.h>

#include "app/run/program_job.h"
#include "app/session/session_parts.h"

struct SesSchedule {
  Schedule shown;
  ProgramJob *job;               // that runs the program; NULL: it is there, or cannot be
  ProgramRun *whole;
  ProgramVariant variant;
  ProgramTime *times;
  ProgramCost *costs;
};

// ---- made and freed ------------------------------------------------------------------------------------------------

static void forget_times(SesSchedule *s) {
  program_chart_free(s->shown.chart);
  program_variant_fini(&s->variant);
  free(s->times);
  s->shown.chart = NULL;
  s->shown.program = NULL;
  s->shown.times = NULL;
  s->times = NULL;
}

void schedule_free(SesSchedule *s) {
  if (!s) return;
  forget_times(s);
  free(s->costs);
  free(s->shown.why_not);
  program_job_free(s->job);
  program_run_close(s->whole);
  free(s);
}

static bool take_measured(SesSchedule *s, LsErr *err) {
  const HostProgram *program = &s->variant.program;
  memcpy(s->times, s->whole->times, sizeof *s->times * (size_t)program->step_count);
  if (!program_time_explain(program, s->whole->rules, s->times, err)) return false;
  s->shown.program = program;
  s->shown.times = s->times;
  s->shown.chart = program_chart_new(program, s->times, (int)s->shown.model.value[PROGRAM_MODEL_ENGINES], NULL);
  return true;
}

// The times that were measured, or computed by the model.
static bool find_times(SesSchedule *s, LsErr *err) {
  const ProgramRun *whole = s->whole;
  Schedule *shown = &s->shown;
  forget_times(s);
  program_variant_init(&s->variant, &whole->program, &shown->model);
  s->times = program_times_new(&whole->program);
  if (shown->measured) return take_measured(s, err);
  if (!program_model_time(&s->variant, &shown->model, whole->arch, s->costs, s->times, err)) return false;
  shown->program = &s->variant.program;
  shown->times = s->times;
  shown->chart = program_chart_new(shown->program, s->times, (int)shown->model.value[PROGRAM_MODEL_ENGINES], s->costs);
  shown->if_count = program_what_ifs(&whole->program, &shown->model, whole->arch, s->costs, shown->ifs);
  return true;
}

// What the chip would run is the code as compiled, whichever of the two is looked at. What was measured or saved stays
// as it is.
static void start(Session *session, SesSchedule *s) {
  RunRequest request;
  ProgramRun *whole = session->run->whole;
  bool is_saved = !session->run->request.recipe;
  if (whole && (whole->is_measured || is_saved || !whole->module->debug)) {
    s->whole = program_run_share(whole);
    return;
  }
  run_request_copy(&request, &session->run->request);
  request.cut = DEV_COMPILED;
  request.record = false;
  request.launch_number = 0;
  free(request.launch_name);
  request.launch_name = NULL;
  run_request_set_whole(&request, NULL);
  s->job = program_job_start(&request);
  run_request_fini(&request);
}

static bool take_whole(SesSchedule *s, LsErr *err) {
  if (s->job) s->whole = program_job_take(s->job, err);
  program_job_free(s->job);
  s->job = NULL;
  if (!s->whole || s->whole->times) return s->whole != NULL;
  return ls_fail(err, LS_EFAULT, "a fault ends the program in launch %d of %d: what comes after it has no times",
                 LS_MAX(s->whole->launch_count, 1), s->whole->program.launches);
}

// The cursor begins at the launch that is looked at.
static void place_cursor(Session *session, const SesSchedule *s) {
  const RunRequest *request = &session->run->request;   // of the other code, maybe: names stay
  int number = request->launch_name ? program_run_find(s->whole, request->launch_name, true, NULL)
                                    : LS_MAX(request->launch_number, 1);
  int step = program_launch_step(s->shown.program, LS_MAX(number, 1));
  ProgramModelChange asked = session->schedule_at.asked;
  session->schedule_at = (SesScheduleAt){.step = step, .row = program_chart_home(s->shown.chart, s->shown.program,
                                                                                 step),
                                         .asked = asked};
}

static bool make(Session *session, SesSchedule *s, LsErr *err) {
  if (!take_whole(s, err)) return false;
  const ProgramRun *whole = s->whole;
  s->costs = program_run_costs(whole);
  s->shown.order = whole->order;
  s->shown.places = whole->places;
  s->shown.costs = s->costs;
  s->shown.arch = whole->arch;
  s->shown.model = s->shown.usual = whole->model;
  s->shown.measured = whole->is_measured;
  s->shown.written = !whole->is_measured && whole->module->debug;
  if (!find_times(s, err)) return false;
  s->shown.usual_span = s->shown.chart->span;
  if (!whole->is_measured) program_model_change(&s->shown.model, &session->schedule_at.asked);
  if (!find_times(s, err)) return false;
  place_cursor(session, s);
  return true;
}

static void refuse(SesSchedule *s, const char *why) { s->shown.why_not = ls_strdup(why); }

bool ses_schedule_waits(const Session *session) { return session->schedule && session->schedule->job; }

bool schedule_has_news(const Session *session) {
  return ses_schedule_waits(session) && program_job_done(session->schedule->job);
}

const Schedule *ses_schedule(Session *session) {
  LsErr err = {0};
  if (!session->schedule) {
    session->schedule = ls_alloc(sizeof *session->schedule);
    if (session->run->program) start(session, session->schedule);
    else refuse(session->schedule, "this is one launch: programs of several have a timeline");
  }
  SesSchedule *s = session->schedule;
  bool comes = s->job ? session->patience <= 0 || program_job_done(s->job) : s->whole != NULL;
  if (comes && !s->shown.chart && !s->shown.why_not && !make(session, s, &err)) refuse(s, err.message);
  return &s->shown;
}

// ---- played ------------------------------------------------------------------------------------------------------------

static const double PLAY_SECONDS = 8;   // that the window takes

static double window_of(const Session *session) {
  const SesScheduleAt *at = &session->schedule_at;
  double span = session->schedule->shown.chart->span;
  return at->width > 0 ? LS_MIN(at->width, span) : span;
}

void ses_schedule_play(Session *session) {
  SesScheduleAt *at = &session->schedule_at;
  if (!ses_schedule(session)->chart) return;
  at->plays = !at->plays;
  if (at->plays && at->until <= 0) at->until = LS_MAX(at->left, 1.0);
}

void ses_schedule_show_all(Session *session) {
  session->schedule_at.plays = false;
  session->schedule_at.until = 0;
}

bool ses_schedule_advance(Session *session, double seconds) {
  SesScheduleAt *at = &session->schedule_at;
  if (!at->plays || !ses_schedule(session)->chart) return false;
  double window = window_of(session), end = LS_MIN(at->left + window, session->schedule->shown.chart->span);
  at->until += window * seconds / PLAY_SECONDS;
  if (at->until >= end) ses_schedule_show_all(session);
  return true;
}

// ---- another model -------------------------------------------------------------------------------------------------

bool ses_schedule_change(Session *session, ProgramModelId id, double value) {
  LsErr err = {0};
  SesSchedule *s = session->schedule;
  if (!s || !s->shown.chart || s->shown.model.value[id] == value) return false;
  double before = s->shown.model.value[id];
  s->shown.model.value[id] = value;
  session->schedule_at.asked.given[id] = value != s->shown.usual.value[id];
  session->schedule_at.asked.value[id] = value;
  if (find_times(s, &err)) return true;
  s->shown.model.value[id] = before;
  find_times(s, NULL);
  return ses_complain(session, "%s", err.message);
}
