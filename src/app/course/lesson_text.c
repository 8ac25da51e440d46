// lesson_text.c: steps as text: what is printed.
#include <string.h>

#include "app/course/lesson.h"
#include "base/mem.h"

// ---- text ---------------------------------------------------------------------------------------------------------

static void add_plain(const char *text, LsText *out) {
  const char *start;
  int length, style;
  while (text && lesson_span(&text, &start, &length, &style)) ls_text_addn(out, start, (size_t)length);
}

static void print_tips(const char *const *tips, int count, LsText *out) {
  for (int i = 0; i < count; i++) {
    ls_text_add(out, "tip: ");
    add_plain(tips[i], out);
    ls_text_add(out, "\n");
  }
}

// Options have letters; lines in disorder and lines of the source have numbers.
static void print_options(const LessonQuestion *question, LsText *out) {
  bool numbers = question->kind == QUESTION_ORDER || question->kind == QUESTION_LINE;
  for (int i = 0; i < question->option_count && question->kind != QUESTION_TEXT; i++) {
    if (numbers) ls_text_addf(out, "  %d  %s\n", i + 1, question->options[i]);
    if (numbers) continue;
    ls_text_addf(out, "  %c) ", 'a' + i);
    add_plain(question->options[i], out);
    ls_text_add(out, "\n");
  }
}

static void print_asked(const LessonStep *step, LsText *out) {
  static const char *const how[] = {
      [QUESTION_MASK] = "Lanes such as 0-15,31, or all, none, even, odd.\n",
      [QUESTION_SEVERAL] = "All that are true: letters such as ac, or none.\n",
      [QUESTION_ORDER] = "Their order: numbers such as 3 1 2.\n",
      [QUESTION_LINE] = "The number of a line.\n",
      [QUESTION_TEXT] = "A word or two.\n",
  };
  const LessonQuestion *question = &step->question;
  ls_text_add(out, "? ");
  add_plain(question->prompt, out);
  ls_text_add(out, "\n");
  print_options(question, out);
  if (question->kind < LS_COUNT(how) && how[question->kind]) ls_text_add(out, how[question->kind]);
  if (question->kind == QUESTION_ORDER && question->spare)
    ls_text_addf(out, "%s.\n", question->spare == 1 ? "One of them belongs nowhere" : "Some of them belong nowhere");
  print_tips(question->tips, step->tips_shown, out);
}

static void print_given(const LessonStep *step, const char *label, bool first, LsText *out) {
  ls_text_addf(out, "%s: ", label);
  step_answer_text(step, first, out);
  bool right = question_is_right(&step->question, first ? step->given : step->last);
  ls_text_add(out, right ? " (right)\n" : " (no)\n");
}

static void print_right(const LessonStep *step, LsText *out) {
  ls_text_add(out, "it is: ");
  lesson_answer_text(&step->question, step->question.answer, out);
  ls_text_add(out, "\n");
}

static void print_words(const char *words, LsText *out) {
  add_plain(words, out);
  if (*words) ls_text_add(out, "\n");
}

static void print_worth(const LessonStep *step, LsText *out) {
  LsText words = {0};
  step_worth_words(step, &words);
  if (words.length) ls_text_addf(out, "%s\n", ls_text_str(&words));
  ls_text_free(&words);
}

static void print_answer(const LessonStep *step, LsText *out) {
  bool told = step->answered || step->skipped;
  bool last_right = !step->skipped && question_is_right(&step->question, step->last);
  if (step->asks_sure) ls_text_add(out, "How sure are you? 1 sure, 2 think so, 3 guess.\n");
  if (step->tries > 1) print_given(step, "first answer", true, out);
  if (step->tries) print_given(step, "answer", false, out);
  if (step->sure) ls_text_addf(out, "how sure: %s\n", lesson_sure_word(step->sure));
  if (step->sure == LESSON_SURE && step->tries == 1 && !last_right) ls_text_add(out,
      "You were sure: look twice at this one.\n");
  if (step->said) print_words(step->said, out);
  if (told && !last_right) print_right(step, out);
  if (told) print_words(step->question.because, out);
  if (told) print_worth(step, out);
  if (told && step->looked) ls_text_add(out, "You looked first: this is practice and does not count.\n");
}

static void print_goal(const LessonStep *step, LsText *out) {
  ls_text_add(out, "goal: ");
  add_plain(step->goal.wanted, out);
  ls_text_add(out, "\n");
  print_tips(step->goal.tips, step->tips_shown, out);
}

static void print_reached(const LessonStep *step, LsText *out) {
  const LessonGoal *goal = &step->goal;
  if (step->note[0]) ls_text_addf(out, "%s\n", step->note);
  if (step->answered) ls_text_add(out, "reached\n");
  if (!step->skipped) return;
  ls_text_add(out, "one solution:");
  for (int i = 0; i < goal->solution_count; i++) ls_text_addf(out, " %s", goal->solution[i]);
  ls_text_add(out, "\n");
}

void lesson_print_body(const LessonStep *step, LsText *out) {
  add_plain(step->text, out);
  if (step->text && *step->text) ls_text_add(out, "\n");
}

const char *lesson_step_kind(const LessonStep *step) {
  return step->work ? work_kind_name(step->work->kind) : lesson_kind_name(step->kind);
}

void lesson_print_text(const LessonStep *step, LsText *out) {
  ls_text_addf(out, "== %s: ", lesson_step_kind(step));
  add_plain(step->title, out);
  ls_text_add(out, "\n");
  lesson_print_body(step, out);
}

static void print_work(const LessonStep *step, LsText *out) {
  work_print_code(step->work, out);
  if (*step->goal.wanted) print_goal(step, out);
  work_print_options(step->work, out);
}

static void print_worked(const LessonStep *step, LsText *out) {
  work_print_result(step->work, out);
  if (step->skipped && !step->answered) ls_text_addf(out, "one way:\n%s\n", step->work->answers[0].text);
  if (!lesson_waits(step) && *step->work->because) {
    add_plain(step->work->because, out);
    ls_text_add(out, "\n");
  }
}

void lesson_print_question(const LessonStep *step, LsText *out) {
  if (lesson_asks(step)) print_asked(step, out);
  if (step->kind == LESSON_TRY) print_goal(step, out);
  if (step->work) print_work(step, out);
  if (step->writing) writing_print_question(step, out);
}

void lesson_print_verdict(const LessonStep *step, LsText *out) {
  if (lesson_asks(step)) print_answer(step, out);
  if (step->kind == LESSON_TRY) print_reached(step, out);
  if (step->work) print_worked(step, out);
  if (step->writing) writing_print_verdict(step, out);
}

void lesson_print_step(const LessonStep *step, LsText *out) {
  lesson_print_text(step, out);
  lesson_print_question(step, out);
  lesson_print_verdict(step, out);
}
