// lesson_answer.c: what an answer does to the step that asks: the first one counts, a wrong one may be tried again.
#include "app/course/lesson.h"

bool lesson_asks(const LessonStep *step) { return step->kind == LESSON_PREDICT || step->kind == LESSON_CHECK; }

bool lesson_waits(const LessonStep *step) {
  return (lesson_asks(step) || step->kind == LESSON_TRY) && !step->answered && !step->skipped;
}

// After a first wrong answer there is something new to think about: words that meet it, or a tip. With two options the
// other one is known then.
static bool is_tried_again(const LessonStep *step) {
  const LessonQuestion *question = &step->question;
  bool told = question->kind == QUESTION_CHOICE && question->option_count == 2;
  return step->tries == 1 && !told && (step->said || step->tips_shown < question->tip_count);
}

static void close_question(LessonStep *step) {
  step->answered = true;
  if (step->sees) step->place = step->after;
}

bool step_answer(LessonStep *step, double value) {
  if (!lesson_asks(step) || !lesson_waits(step)) return false;
  bool right = question_is_right(&step->question, value);
  if (step->tries++ == 0) {
    step->given = value;
    step->right = right;
  }
  step->last = value;
  step->said = question_says(&step->question, value);
  if (right || !is_tried_again(step)) close_question(step);
  else if (step->tips_shown < step->question.tip_count) step->tips_shown++;
  return true;
}

void step_skip(LessonStep *step) {
  if (!lesson_waits(step)) return;
  step->said = NULL;
  if (lesson_asks(step)) close_question(step);
  step->skipped = step->tries == 0;
  step->answered = !step->skipped;
  if (step->skipped) step->given = step->last = lesson_asks(step) ? step->question.answer : 0;
}

bool step_is_open(const LessonStep *step) { return lesson_waits(step) && step->tries == 1; }

ProgressAnswer step_saved(const LessonStep *step) {
  return (ProgressAnswer){.value = step->given, .right = step->right, .skipped = step->skipped, .tries = step->tries,
                          .last = step->last, .open = step_is_open(step)};
}

static void recall_question(LessonStep *step, const ProgressAnswer *saved) {
  step_answer(step, saved->value);
  if (!lesson_waits(step)) return;
  if (saved->tries > 1) step_answer(step, saved->last);
  else if (!saved->open) step_skip(step);
}

void step_recall(LessonStep *step, const ProgressAnswer *saved) {
  if (saved->skipped) {
    step_skip(step);
  } else if (lesson_asks(step)) {
    recall_question(step, saved);
  } else {
    step->answered = true;
    step->right = saved->right;
    step->given = saved->value;
  }
}
