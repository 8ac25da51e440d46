// rerun.c: one background run at a time.
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
  rerun->job = job_start(&session->next);
  rerun->seconds = 0;
  session->want_rerun = false;
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
  if (!rerun->job) return false;
  if (job_done(rerun->job)) return finish(rerun, session);
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
  return rerun->job != NULL;
}

bool rerun_active(const Rerun *rerun, const Session *session) { return rerun->job || session->want_rerun; }

void rerun_draw(const Rerun *rerun, Canvas *canvas) {
  if (!rerun->job || rerun->seconds < NOTICED_AFTER) return;
  const RunProgress *progress = job_progress(rerun->job);
  char note[RUN_NOTE];
  run_note(progress, note);
  frame_progress(canvas, &(FrameProgress){progress->stage, note, rerun->seconds, progress->permille, progress->bytes});
}

void rerun_fini(Rerun *rerun) {
  job_free(rerun->job);
  rerun->job = NULL;
}
