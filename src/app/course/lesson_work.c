// lesson_work.c: the steps of a lesson in which code is written: their tries, judged by the lesson.
#include <stdio.h>

#include "app/course/lesson_parts.h"

LessonWork *lesson_work(const Lesson *lesson) { return lesson_current(lesson)->work; }

bool lesson_work_begin(Lesson *lesson, const char *text) {
  LessonWork *work = lesson_work(lesson);
  if (work) work_begin(work, text);
  return work != NULL;
}

bool lesson_work_wants(const Lesson *lesson, RunRequest *request) {
  LessonWork *work = lesson_work(lesson);
  LsErr why = {0};
  if (!work) return false;
  if (work_wants(work, lesson_book(lesson), request, &why)) return true;
  if (why.kind != LS_OK) work_give(work, NULL, &why);
  return false;
}

static bool judge(Lesson *lesson, LessonWork *work, LsErr *err) {
  LsText note = {0};
  bool right = true, ok = true;
  LessonTried tried = {.run = work->run};
  if (work->script)
    ok = lesson_script(lesson)->reached(lesson_script(lesson), work->script, &tried, &right, &note, err);
  if (ok) work_judged(work, right, ls_text_str(&note));
  else work->state = WORK_OPEN;
  ls_text_free(&note);
  return ok;
}

// What was tried is there again when the student comes back.
static void keep(Lesson *lesson, const LessonWork *work) {
  char name[PROGRESS_NAME];
  Progress *progress = lesson_saves(lesson, lesson_current(lesson), name);
  LessonWriting code = {.text = work->text};
  if (progress) writing_save(progress, lesson_info(lesson)->id, name, &code);
}

bool lesson_work_give(Lesson *lesson, Run *run, const LsErr *why, LsErr *err) {
  LessonWork *work = lesson_work(lesson);
  if (!work) return run_free(run), true;
  if (work_give(work, run, why) && !judge(lesson, work, err)) return false;
  if (work->state != WORK_RUNNING) keep(lesson, work);
  if (work->state == WORK_PASSED) lesson_reach(lesson);
  return true;
}

bool lesson_work_try(Lesson *lesson, const char *text, LsErr *err) {
  RunRequest request;
  if (!lesson_work_begin(lesson, text)) return false;
  while (lesson_work_wants(lesson, &request)) {
    LsErr why = {0};
    Run *run = run_new(&request, NULL, &why);
    run_request_fini(&request);
    if (!lesson_work_give(lesson, run, &why, err)) return false;
  }
  return lesson_work(lesson)->state == WORK_PASSED;
}

// Why a text fails, in one line.
static void say_failure(const LessonWork *work, LsText *out) {
  if (work->message_count) ls_text_addf(out, "line %d: %s", work->messages[0].line, work->messages[0].text);
  else if (work->failure[0]) ls_text_add(out, work->failure);
  else if (work->at < work->run_count) ls_text_add(out, work->rows[work->at].note);
}

bool lesson_work_solve(Lesson *lesson, LsErr *err) {
  const LessonWork *work = lesson_work(lesson);
  LsErr broken = {0};
  if (lesson_work_try(lesson, work->answers[0].text, &broken)) return true;
  LsText why = {0};
  say_failure(work, &why);
  if (broken.kind != LS_OK && err) *err = broken;
  else if (broken.kind == LS_OK)
    ls_fail(err, LS_EREQUEST, "step %d: the solution of '%s' does not pass: %s", lesson_index(lesson) + 1,
            lesson_current(lesson)->title, ls_text_str(&why));
  ls_text_free(&why);
  return false;
}

bool lesson_work_check(Lesson *lesson, LsErr *err) {
  const LessonWork *work = lesson_work(lesson);
  for (int i = work->answer_count - 1; i >= 0; i--) {
    LsErr broken = {0};
    const WorkAnswer *answer = &work->answers[i];
    bool passed = lesson_work_try(lesson, answer->text, &broken);
    if (broken.kind != LS_OK) return *err = broken, false;
    if (passed == answer->right) continue;
    LsText why = {0};
    say_failure(work, &why);
    ls_fail(err, LS_EREQUEST, "step %d: '%s' is called %s, but it %s%s", lesson_index(lesson) + 1, answer->name,
            answer->right ? "right" : "wrong", passed ? "passes" : "fails: ", ls_text_str(&why));
    ls_text_free(&why);
    return false;
  }
  return true;
}
