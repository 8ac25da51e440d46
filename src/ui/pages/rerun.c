// rerun.c: one background run at a time, or one search through other orders.
#include "ui/pages/rerun.h"

#include <string.h>

#include "ui/views/frame.h"

static const double NOTICED_AFTER = 0.08;   // seconds; shorter runs come without a flash of progress

static bool start(Rerun *rerun, Session *session) {
  if (session->next_is_before && session->before) {
    session->next_is_before = false;
    ses_replace_run(session, run_share(session->before));
    return true;
  }
  job_free(rerun->job);
  orders_job_free(rerun->orders);
  rerun->orders = NULL;
  rerun->job = job_start(&session->next);
  rerun->seconds = 0;
  session->want_rerun = false;
  return true;
}

static bool start_orders(Rerun *rerun, Session *session) {
  orders_job_free(rerun->orders);
  rerun->orders = orders_job_start(session->run, session->want_orders);
  rerun->seconds = 0;
  session->want_orders = 0;
  return true;
}

// Another run may have come meanwhile, from a file that was saved.
static bool finish_orders(Rerun *rerun, Session *session) {
  LsErr err = {0};
  bool is_wanted = orders_job_run(rerun->orders) == session->run;
  Orders *orders = orders_job_take(rerun->orders, &err);
  rerun->orders = NULL;
  if (!is_wanted) orders_free(orders);
  else if (orders) ses_take_orders(session, orders);
  else ses_orders_failed(session, &err);
  return true;
}

static bool finish(Rerun *rerun, Session *session) {
  LsErr err = {0};
  Run *run = job_take(rerun->job, &err);
  rerun->job = NULL;
  if (run) ses_replace_run(session, run);
  else ses_run_failed(session, &err);
  rerun->failure = err;
  return true;
}

bool rerun_tick(Rerun *rerun, Session *session, double seconds) {
  if (session->want_rerun) return start(rerun, session);
  if (session->want_orders && !rerun->job) return start_orders(rerun, session);
  if (!rerun->job && !rerun->orders) return false;
  if (rerun->job && job_done(rerun->job)) return finish(rerun, session);
  if (rerun->orders && orders_job_done(rerun->orders)) return finish_orders(rerun, session);
  rerun->seconds += seconds;
  return rerun->seconds >= NOTICED_AFTER;
}

Page *rerun_failure(Rerun *rerun) {
  LsErr *err = &rerun->failure;
  bool long_story = err->kind != LS_OK && err->kind != LS_ECANCEL && strchr(err->message, '\n');
  Page *page = long_story ? page_error_new(err) : NULL;
  *err = (LsErr){0};
  return page;
}

bool rerun_cancel(Rerun *rerun) {
  if (rerun->job) job_cancel(rerun->job);
  if (rerun->orders) orders_job_cancel(rerun->orders);
  return rerun_works(rerun);
}

bool rerun_works(const Rerun *rerun) { return rerun->job || rerun->orders; }

bool rerun_active(const Rerun *rerun, const Session *session) {
  return rerun_works(rerun) || session->want_rerun || session->want_orders;
}

void rerun_draw(const Rerun *rerun, Canvas *canvas) {
  if (!rerun_works(rerun) || rerun->seconds < NOTICED_AFTER) return;
  const RunProgress *progress = rerun->job ? job_progress(rerun->job) : orders_job_progress(rerun->orders);
  char note[RUN_NOTE];
  run_note(progress, note);
  frame_progress(canvas, &(FrameProgress){progress->stage, note, rerun->seconds, progress->permille, progress->bytes});
}

void rerun_fini(Rerun *rerun) {
  job_free(rerun->job);
  orders_job_free(rerun->orders);
  rerun->job = NULL;
  rerun->orders = NULL;
}
