// lesson_job.h: the runs that a lesson wants, made in the background one after the other, while its page stays alive.
#ifndef LS_UI_LESSON_JOB_H
#define LS_UI_LESSON_JOB_H

#include "app/course/lesson.h"
#include "app/run/job.h"
#include "ui/term/canvas.h"

typedef struct LessonJob {         // embedded; zero it to start
  Job *job;                        // NULL: nothing is running
  double seconds;
  bool canceled;                   // it ends soon
} LessonJob;

typedef enum LessonJobEnd {
  LESSON_JOB_NONE,       // nothing is running
  LESSON_JOB_GOES_ON,
  LESSON_JOB_GIVEN,      // the lesson has what it wanted: lesson_go
  LESSON_JOB_STOPPED,    // by lesson_job_cancel: it is wanted as before
  LESSON_JOB_FAILED,     // *err says where and why
} LessonJobEnd;

// lesson_go, with the runs that are quick made at once and LESSON_RUNS as soon as it takes longer than a blink. Starts
// anew what was canceled.
LessonMove lesson_job_go(LessonJob *self, Lesson *lesson, LsErr *err);
LessonJobEnd lesson_job_tick(LessonJob *self, Lesson *lesson, double seconds, LsErr *err);
bool lesson_job_cancel(LessonJob *self);           // false if nothing is running
bool lesson_job_noticed(const LessonJob *self);    // it runs, and for long enough to be noticed
void lesson_job_draw(const LessonJob *self, Canvas *canvas);   // progress in the place of the footer
void lesson_job_fini(LessonJob *self);

#endif
