// lesson_score.c: what an answer to a drawn question counts, and how it is marked for the memory of its skill.
#include <string.h>

#include "app/course/lesson.h"
#include "base/mem.h"

static bool is_looked_up(const LessonStep *step) { return step->looked || step->skipped; }

// A wrong answer that is tried again is as good as a tip.
static double worth(int helps) {
  static const double counts[] = {1, 0.6, 0.3};
  return counts[LS_MIN(helps, LS_COUNT(counts) - 1)];
}

double step_worth(const LessonStep *step) {
  return is_looked_up(step) ? 0 : worth(LS_MAX(step->tips_shown, step->tries));
}

double step_worth_after_tip(const LessonStep *step) {
  return is_looked_up(step) ? 0 : worth(LS_MAX(step->tips_shown + 1, step->tries));
}

static void worth_now_words(const LessonStep *step, LsText *out) {
  bool more = step->tips_shown < step->question.tip_count, partly = step_worth(step) < 1;
  if (partly) ls_text_addf(out, "It counts %g now", step_worth(step));
  if (!more) ls_text_add(out, partly ? "." : "");
  else if (step_worth_after_tip(step) == step_worth(step)) ls_text_add(out, ", and with another tip, too.");
  else ls_text_addf(out, "%s %g.", partly ? "; with a tip" : "With a tip it counts", step_worth_after_tip(step));
}

void step_worth_words(const LessonStep *step, LsText *out) {
  if (!step->skill || step->looked || step->asks_sure) return;
  if (!step->answered && !step->skipped) worth_now_words(step, out);
  else if (step->score > 0 && step->score < 1) ls_text_addf(out, "This counts %.2g.", step->score);
}

bool step_at_once(const LessonStep *step) { return step->right && !step->skipped && step->tips_before == 0; }

FsrsMark step_mark(const LessonStep *step, double usual) {
  bool right = !step->skipped && step->answered && question_is_right(&step->question, step->last);
  if (!right) return FSRS_AGAIN;
  if (!step_at_once(step) || step->sure == LESSON_GUESSES) return FSRS_HARD;
  bool fast = usual > 0 && step->seconds > 0 && step->seconds < usual / 2;
  return fast && step->sure == LESSON_SURE ? FSRS_EASY : FSRS_GOOD;
}

FsrsMark step_trace_mark(int right, int total) {
  static const double nearly = 0.8;
  return right == total ? FSRS_GOOD : right >= nearly * total ? FSRS_HARD : FSRS_AGAIN;
}

void step_given_text(const LessonStep *step, LsText *out) {
  const LessonQuestion *question = &step->question;
  int option = (int)step->given;
  if (!step->tries) return;
  if (question->kind == QUESTION_TEXT) ls_text_add(out, step->words[0]);
  else if (question->kind != QUESTION_CHOICE) question_typed(question, step->given, out);
  else if (option >= 0 && option < question->option_count) ls_text_add(out, question->options[option]);
}

double lesson_thinking(double before, double now) {
  enum { IDLE = 120 };
  return before > 0 ? LS_CLAMP(now - before, 0, IDLE) : 0;
}
