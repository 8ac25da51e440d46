// lesson_auto.c: plays a lesson by itself: right answers, the solutions of its goals and of the code in it.
#include "app/course/lesson.h"

static bool solve_model(Lesson *lesson, LsErr *broken, LsErr *err) {
  const LessonStep *step = lesson_current(lesson);
  ModelValues values = step->place.values;
  for (int i = 0; i < step->goal.solution_count; i++)
    if (!model_set(step->place.model, &values, step->goal.solution[i], err)) return *broken = *err, false;
  return lesson_observe_model(lesson, &values, broken);
}

static bool solve_run(Lesson *lesson, LsErr *broken, LsErr *err) {
  const LessonStep *step = lesson_current(lesson);
  const Run *base = lesson_run(lesson, step->place.run);
  RunRequest request;
  if (!base) return ls_fail(broken, LS_EREQUEST, "step %d: a try without a run", lesson_index(lesson) + 1);
  run_request_copy(&request, &base->request);
  bool ok = true;
  for (int i = 0; ok && i < step->goal.solution_count; i++)
    ok = recipe_set(request.recipe, &request.values, step->goal.solution[i], err);
  Run *run = ok ? run_new(&request, NULL, err) : NULL;
  run_request_fini(&request);
  if (!run) return *broken = *err, false;
  ok = lesson_observe(lesson, run, broken);
  run_free(run);
  return ok;
}

static bool solve(Lesson *lesson, LsErr *err) {
  const LessonStep *step = lesson_current(lesson);
  LsErr broken = {0}, failed = {0};
  bool ok = step->place.model ? solve_model(lesson, &broken, &failed) : solve_run(lesson, &broken, &failed);
  if (ok) return true;
  if (broken.kind != LS_OK && err) *err = broken;
  return broken.kind != LS_OK ? false
       : ls_fail(err, LS_EREQUEST, "%s, step %d: the solution does not reach the goal '%s': %s",
                 lesson_info(lesson)->id, lesson_index(lesson) + 1, step->goal.wanted, step->note);
}

static void answer_right(Lesson *lesson) {
  lesson_answer(lesson, lesson_current(lesson)->question.answer);
  lesson_sure(lesson, 1);
}

bool lesson_auto(Lesson *lesson, LessonEach *each, void *context, LsErr *err) {
  for (;;) {
    const LessonStep *step = lesson_current(lesson);
    if (lesson_waits(step) && lesson_asks(step)) answer_right(lesson);
    else if (lesson_waits(step) && step->writing) lesson_write_alone(lesson);
    else if (lesson_waits(step) && !(step->work ? lesson_work_solve(lesson, err) : solve(lesson, err))) return false;
    if (each) each(context, lesson, step);
    LessonMove move = lesson_next(lesson, err);
    if (move != LESSON_MOVED) return move == LESSON_AT_END;
  }
}
