// lesson_job.c: a lesson and the background run that it waits for.
#include "ui/pages/lesson_job.h"


#include "base/clock.h"
#include "base/mem.h"
#include "ui/views/frame.h"

enum { BLINK_MS = 50 };   // a key may wait so long: then most runs of lessons come without a flash of progress
static const double NOTICED_AFTER = 0.08;   // seconds

static void start(LessonJob *self, const Lesson *lesson) {
  if (self->canceled) lesson_job_fini(self);
  if (self->job) return;
  *self = (LessonJob){.job = job_start(lesson_wants(lesson))};
}

static LessonJobEnd take(LessonJob *self, Lesson *lesson, LsErr *err) {
  LsErr why = {0};
  Run *run = job_take(self->job, &why);
  *self = (LessonJob){0};
  if (run) {
    lesson_give(lesson, run);
    return LESSON_JOB_GIVEN;
  }
  if (why.kind == LS_ECANCEL) return LESSON_JOB_STOPPED;
  lesson_blame(lesson, &why);
  *err = why;
  return LESSON_JOB_FAILED;
}

LessonMove lesson_job_go(LessonJob *self, Lesson *lesson, LsErr *err) {
  for (long long end = (long long)ls_clock_ms() + BLINK_MS;;) {
    LessonMove move = lesson_go(lesson, err);
    if (move != LESSON_RUNS) return move;
    start(self, lesson);
    if (!job_wait(self->job, (int)LS_MAX(end - (long long)ls_clock_ms(), 0))) return LESSON_RUNS;
    LessonJobEnd how = take(self, lesson, err);
    if (how == LESSON_JOB_FAILED) return LESSON_BROKEN;
  }
}

LessonJobEnd lesson_job_tick(LessonJob *self, Lesson *lesson, double seconds, LsErr *err) {
  if (!self->job) return LESSON_JOB_NONE;
  if (job_done(self->job)) return take(self, lesson, err);
  self->seconds += seconds;
  return LESSON_JOB_GOES_ON;
}

bool lesson_job_cancel(LessonJob *self) {
  if (!self->job) return false;
  job_cancel(self->job);
  self->canceled = true;
  return true;
}

bool lesson_job_noticed(const LessonJob *self) { return self->job && self->seconds >= NOTICED_AFTER; }

void lesson_job_draw(const LessonJob *self, Canvas *canvas) {
  const RunProgress *progress = job_progress(self->job);
  char note[RUN_NOTE];
  run_note(progress, note);
  frame_progress(canvas, &(FrameProgress){progress->stage, note, self->seconds, progress->permille, progress->bytes});
}

void lesson_job_fini(LessonJob *self) {
  job_free(self->job);
  *self = (LessonJob){0};
}
