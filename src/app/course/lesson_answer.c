// lesson_answer.c: what an answer does to the step that asks: the first one counts, a wrong one may be tried again.
#include "app/course/lesson.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/mem.h"

bool lesson_asks(const LessonStep *step) { return step->kind == LESSON_PREDICT || step->kind == LESSON_CHECK; }

bool lesson_waits(const LessonStep *step) {
  bool holds = lesson_asks(step) || step->kind == LESSON_TRY || step->work || step->writing;
  return holds && !step->answered && !step->skipped;
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

static bool asks_sure(const LessonStep *step) { return step->question.sure && step->tries == 0 && !step->sure; }

// Of a drawn question a tip has its price, and is given to those who ask for it.
static void judge(LessonStep *step) {
  bool right = question_is_right(&step->question, step->last);
  step->score = step_worth(step) * question_share(&step->question, step->last);
  step->said = question_says(&step->question, step->last);
  if (step->tries++ == 0) {
    step->right = right;
    step->tips_before = step->tips_shown;
    step->met = step->said;
  }
  if (right || !is_tried_again(step)) close_question(step);
  else if (!step->skill && step->tips_shown < step->question.tip_count) step->tips_shown++;
}

bool step_answer(LessonStep *step, double value) {
  if (!lesson_asks(step) || !lesson_waits(step) || step->asks_sure) return false;
  if (step->tries == 0) step->given = value;
  step->last = value;
  step->asks_sure = asks_sure(step);
  if (!step->asks_sure) judge(step);
  return true;
}

bool step_sure(LessonStep *step, int sure) {
  if (!step->asks_sure || sure < LESSON_SURE || sure > LESSON_GUESSES) return false;
  step->sure = sure;
  step->asks_sure = false;
  judge(step);
  return true;
}

const char *lesson_sure_word(int sure) {
  static const char *const words[] = {"sure", "think so", "guess"};
  return words[LS_CLAMP(sure, LESSON_SURE, LESSON_GUESSES) - LESSON_SURE];
}

static bool sure_typed(LessonStep *step, const char *typed, LsErr *err) {
  for (int i = 0; i < LESSON_GUESSES; i++) {
    const char *word = lesson_sure_word(LESSON_SURE + i);
    char number[] = {(char)('1' + i), 0}, letter[] = {word[0], 0};
    if (strcasecmp(typed, number) == 0 || strcasecmp(typed, letter) == 0 || strcasecmp(typed, word) == 0)
      return step_sure(step, i + 1);
  }
  return ls_fail(err, LS_EREQUEST, "say 1 for sure, 2 for think so, 3 for guess");
}

// Without the blanks around it.
static void keep_words(char words[PROGRESS_WORDS], const char *typed) {
  typed += strspn(typed, " ");
  int length = (int)LS_MIN(strlen(typed), (size_t)PROGRESS_WORDS - 1);
  while (length && typed[length - 1] == ' ') length--;
  snprintf(words, PROGRESS_WORDS, "%.*s", length, typed);
}

bool step_answer_typed(LessonStep *step, const char *typed, LsErr *err) {
  double value;
  if (step->asks_sure) return sure_typed(step, typed, err);
  if (!lesson_parse_answer(&step->question, typed, &value, err)) return false;
  if (!lesson_waits(step)) return ls_fail(err, LS_EREQUEST, "this was answered");
  for (int i = step->tries == 0 ? 0 : 1; i < 2; i++) keep_words(step->words[i], typed);
  return step_answer(step, value);
}

void step_answer_text(const LessonStep *step, bool first, LsText *out) {
  double value = first ? step->given : step->last;
  if (step->question.kind == QUESTION_TEXT && value < 0) ls_text_addf(out, "\"%s\"", step->words[first ? 0 : 1]);
  else lesson_answer_text(&step->question, value, out);
}

void step_skip(LessonStep *step) {
  if (!lesson_waits(step)) return;
  step->said = NULL;
  step->asks_sure = false;
  step->score = 0;
  if (lesson_asks(step)) close_question(step);
  step->skipped = step->tries == 0;
  step->answered = !step->skipped;
  if (step->skipped) step->given = step->last = lesson_asks(step) ? step->question.answer : 0;
}

bool step_is_open(const LessonStep *step) { return lesson_waits(step) && step->tries == 1; }

ProgressAnswer step_saved(const LessonStep *step) {
  ProgressAnswer saved = {.value = step->given, .right = step->right, .skipped = step->skipped, .tries = step->tries,
                          .last = step->last, .open = step_is_open(step), .looked = step->looked, .sure = step->sure};
  memcpy(saved.words, step->words, sizeof saved.words);
  return saved;
}

// Texts are judged again by their words, everything else by its number.
static void answer_again(LessonStep *step, double value, const char *words) {
  if (step->question.kind == QUESTION_TEXT && *words) step_answer_typed(step, words, NULL);
  else step_answer(step, value);
}

static void recall_question(LessonStep *step, const ProgressAnswer *saved) {
  step->looked = saved->looked;
  step->sure = saved->sure;
  answer_again(step, saved->value, saved->words[0]);
  if (step->asks_sure) step_sure(step, LESSON_THINKS);
  if (!lesson_waits(step)) return;
  if (saved->tries > 1) answer_again(step, saved->last, saved->words[1]);
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
