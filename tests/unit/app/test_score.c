// test_score.c: what an answer to a drawn question counts, how it is marked, and that its time is that of thinking.
#include <math.h>

#include "app/course/lesson.h"
#include "base/mem.h"
#include "check.h"

static const char *tips[] = {"one", "two", "three"};
static const QuestionWrong wrong[] = {{8, "That is the stride."}};

static LessonStep step_of(QuestionKind kind, double answer) {
  return (LessonStep){.kind = LESSON_CHECK, .skill = "L11.word", .question = {
      .kind = kind, .answer = answer, .unit = "", .tips = tips, .tip_count = LS_COUNT(tips), .wrong = wrong,
      .wrong_count = LS_COUNT(wrong), .because = ""}};
}

static bool near(double a, double b) { return fabs(a - b) < 1e-9; }

// So many tips, then these answers.
static LessonStep answered(int tips_first, const double *given, int count) {
  LessonStep step = step_of(QUESTION_NUMBER, 4);
  step.tips_shown = tips_first;
  for (int i = 0; i < count; i++) CHECK(step_answer(&step, given[i]));
  return step;
}

static void tips_have_a_price(void) {
  static const struct { int tips; double given[2]; int count; double score; FsrsMark mark; bool at_once; } cases[] = {
      {0, {4}, 1, 1, FSRS_GOOD, true},      {1, {4}, 1, 0.6, FSRS_HARD, false}, {2, {4}, 1, 0.3, FSRS_HARD, false},
      {3, {4}, 1, 0.3, FSRS_HARD, false},   {0, {8, 4}, 2, 0.6, FSRS_HARD, false},
      {1, {8, 4}, 2, 0.6, FSRS_HARD, false}, {2, {8, 4}, 2, 0.3, FSRS_HARD, false},
      {0, {8, 2}, 2, 0, FSRS_AGAIN, false}};
  for (int i = 0; i < LS_COUNT(cases); i++) {
    LessonStep step = answered(cases[i].tips, cases[i].given, cases[i].count);
    CHECK(step.answered && near(step.score, cases[i].score) && step_mark(&step, 0) == cases[i].mark);
    CHECK(step_at_once(&step) == cases[i].at_once && step.tips_shown == cases[i].tips);   // none comes unasked
  }
}

static void what_was_seen_counts_nothing(void) {
  LessonStep step = step_of(QUESTION_NUMBER, 4);
  step_skip(&step);
  CHECK(step.score == 0 && step_mark(&step, 0) == FSRS_AGAIN && step_worth(&step) == 0);
  step = answered(0, (double[]){8}, 1);
  step_skip(&step);
  CHECK(step.score == 0 && step_mark(&step, 0) == FSRS_AGAIN);
  step = step_of(QUESTION_NUMBER, 4);
  step.looked = true;
  CHECK(step_answer(&step, 4) && step.score == 0 && step_worth(&step) == 0);
}

static void expect_words(const LessonStep *step, const char *expected) {
  LsText words = {0};
  step_worth_words(step, &words);
  CHECK_STR(ls_text_str(&words), expected);
  ls_text_free(&words);
}

static void the_price_is_said(void) {
  LessonStep step = step_of(QUESTION_NUMBER, 4);
  expect_words(&step, "With a tip it counts 0.6.");
  step.tips_shown = 1;
  expect_words(&step, "It counts 0.6 now; with a tip 0.3.");
  step.tips_shown = 2;
  expect_words(&step, "It counts 0.3 now, and with another tip, too.");
  step.tips_shown = 3;
  expect_words(&step, "It counts 0.3 now.");
  CHECK(step_answer(&step, 4));
  expect_words(&step, "This counts 0.3.");
  step = step_of(QUESTION_NUMBER, 4);
  step.question.tip_count = 0;
  expect_words(&step, "");
  CHECK(step_answer(&step, 4));
  expect_words(&step, "");
  step = step_of(QUESTION_NUMBER, 4);
  step.skill = NULL;
  expect_words(&step, "");
}

static void parts_count_their_share(void) {
  LessonStep step = step_of(QUESTION_SEVERAL, 5);                  // a and c of four
  const char *options[] = {"a", "b", "c", "d"};
  step.question.options = options;
  step.question.option_count = 4;
  CHECK(near(question_share(&step.question, 5), 1) && near(question_share(&step.question, 1), 0.75));
  CHECK(near(question_share(&step.question, 10), 0) && near(question_share(&step.question, 0), 0.5));
  step.question.tip_count = 0;
  CHECK(step_answer(&step, 1) && step.answered && near(step.score, 0.75) && step_mark(&step, 0) == FSRS_AGAIN);
  step = step_of(QUESTION_ORDER, 0x4321);
  step.question.option_count = 4;
  static const double others[] = {0x3421};
  CHECK(near(question_share(&step.question, 0x4321), 1) && near(question_share(&step.question, 0x4312), 0.5));
  CHECK(near(question_share(&step.question, 0x3421), 0.5));
  step.question.others = others;
  step.question.other_count = 1;
  CHECK(near(question_share(&step.question, 0x3421), 1) && near(question_share(&step.question, 0x2431), 0.5));
  step = step_of(QUESTION_NUMBER, 4);
  CHECK(question_share(&step.question, 5) == 0);
}

// Easy is sure and fast; a guess is hard.
static void marks_know_how_sure_and_how_fast(void) {
  static const struct { int sure; double seconds, usual; FsrsMark mark; } cases[] = {
      {LESSON_SURE, 4, 10, FSRS_EASY},   {LESSON_SURE, 6, 10, FSRS_GOOD}, {LESSON_SURE, 4, 0, FSRS_GOOD},
      {LESSON_SURE, 0, 10, FSRS_GOOD},   {LESSON_THINKS, 4, 10, FSRS_GOOD}, {0, 4, 10, FSRS_GOOD},
      {LESSON_GUESSES, 4, 10, FSRS_HARD}};
  for (int i = 0; i < LS_COUNT(cases); i++) {
    LessonStep step = step_of(QUESTION_NUMBER, 4);
    step.question.sure = cases[i].sure != 0;
    step.seconds = cases[i].seconds;
    CHECK(step_answer(&step, 4) && step_sure(&step, cases[i].sure) == (cases[i].sure != 0));
    CHECK_INT(step_mark(&step, cases[i].usual), cases[i].mark);
    CHECK(step.score == 1);
  }
}

// Breaks do not count, and nothing counts twice or backwards.
static void time_is_that_of_thinking(void) {
  CHECK(lesson_thinking(0, 500) == 0 && lesson_thinking(500, 512.5) == 12.5);
  CHECK(lesson_thinking(500, 500 + 3600) == 120 && lesson_thinking(500, 400) == 0);
}

static void usual_times_need_three(void) {
  Progress *progress = progress_open(":memory:");
  for (int i = 0; i < 4; i++) {
    CHECK(skill_usual_seconds(progress, "L11.word") == (i < 3 ? 0 : 20));
    skill_log_add(progress, &(SkillAnswer){.skill = "L11.word", .mark = FSRS_GOOD, .at = 1000 + i,
                                           .seconds = 10 + 10 * i});
  }
  CHECK(skill_usual_seconds(progress, "L11.word") == 25);
  progress_close(progress);
}

static void expect_given(const LessonStep *step, const char *expected) {
  LsText words = {0};
  step_given_text(step, &words);
  CHECK_STR(ls_text_str(&words), expected);
  ls_text_free(&words);
}

static void answers_have_words_of_their_own(void) {
  const char *options[] = {"the lanes", "the words"};
  LessonStep step = answered(0, (double[]){8}, 1);
  expect_given(&step, "8");
  CHECK_STR(step.met, "That is the stride.");
  step = step_of(QUESTION_CHOICE, 1);
  step.question.options = options;
  step.question.option_count = 2;
  expect_given(&step, "");
  CHECK(step_answer(&step, 0));
  expect_given(&step, "the lanes");
}

int main(int argc, char **argv) {
  static const Check checks[] = {
      {"tips have a price", tips_have_a_price},
      {"what was seen counts nothing", what_was_seen_counts_nothing},
      {"the price is said", the_price_is_said},
      {"parts count their share", parts_count_their_share},
      {"marks know how sure and how fast", marks_know_how_sure_and_how_fast},
      {"time is that of thinking", time_is_that_of_thinking},
      {"usual times need three", usual_times_need_three},
      {"answers have words of their own", answers_have_words_of_their_own},
  };
  return check_main("score", checks, LS_COUNT(checks), argc, argv);
}
