// test_lesson_answers.c: each lesson that ships, as students take it: with right answers as they are typed, with every
// wrong one that was foreseen, and with a third of answers at random.
#include "app/course/lesson.h"
#include "app/course/question_pick.h"
#include "base/mem.h"
#include "base/random.h"
#include "check.h"
#include "script/lesson.h"
#include "script/recipe.h"

static RecipeBook *book;

typedef struct Tally { int asked, named, foreseen, steps; } Tally;

static const char *name_of(const LessonStep *step) { return *step->id ? step->id : step->title; }

// ---- answers -------------------------------------------------------------------------------------------------------

// A line left out, or one to spare that was taken.
static double wrong_order(const LessonQuestion *question, int line) {
  for (int place = 0; place < question->option_count; place++)
    if (question_line_shown(question, question->answer, place) == line)
      return question_toggled(question, question->answer, place);
  return question->answer;
}

// The wrong answer that a foreseen way leads to.
static double wrong_answer(const LessonQuestion *question, const QuestionWrong *wrong) {
  if (question->kind == QUESTION_SEVERAL) return question_toggled(question, question->answer, (int)wrong->key);
  if (question->kind == QUESTION_ORDER) return wrong_order(question, (int)wrong->key);
  return wrong->key;
}

static int below(LsMt *random, int count) { return (int)(ls_mt_u32(random) % (uint32_t)count); }

static double random_answer(LsMt *random, const LessonQuestion *question) {
  double value = question_nothing_picked(question);
  int places = LS_MAX(question->option_count, 1);
  switch (question->kind) {
    case QUESTION_CHOICE: return (double)below(random, places);
    case QUESTION_LINE: return 1 + (double)below(random, places);
    case QUESTION_MASK: return (double)ls_mt_u32(random);
    case QUESTION_SEVERAL: return (double)below(random, 1 << places);
    case QUESTION_TEXT: return (double)below(random, places + 1) - 1;
    case QUESTION_NUMBER: return (double)below(random, 100);
    case QUESTION_ORDER: break;
  }
  for (int i = 0; i < places; i++)
    value = question_shifted(question, value, below(random, places), 1);
  return value;
}

static void plain(const char *marked, LsText *out) {
  const char *start;
  for (int length, style; lesson_span(&marked, &start, &length, &style);) ls_text_addn(out, start, (size_t)length);
}

static bool prints(const LessonStep *step, const char *marked) {
  LsText text = {0}, words = {0};
  lesson_print_verdict(step, &text);
  plain(marked, &words);
  bool found = strstr(ls_text_str(&text), ls_text_str(&words)) != NULL;
  ls_text_free(&text);
  ls_text_free(&words);
  return found;
}

// ---- every foreseen wrong answer -----------------------------------------------------------------------------------

static void meets_its_words(const Lesson *lesson, const LessonStep *asked, const QuestionWrong *wrong) {
  LessonStep step = *asked;
  bool taken = step_answer(&step, wrong_answer(&step.question, wrong));
  if (step.asks_sure) step_sure(&step, 2);
  bool met = taken && !step.right && step.said && strcmp(step.said, wrong->says) == 0 && prints(&step, wrong->says);
  if (!met) printf("\n%s, '%s': what is said is '%s', in place of '%s'\n", lesson_info(lesson)->id, name_of(asked),
                   step.said ? step.said : "nothing", wrong->says);
  CHECK(met);
  if (lesson_waits(&step)) step_answer(&step, step.question.answer);      // the second try
  bool ended = step.answered && !step.right && question_is_right(&step.question, step.last);
  if (!ended) printf("\n%s, '%s': no end behind '%s'\n", lesson_info(lesson)->id, name_of(asked), wrong->says);
  CHECK(ended);
}

// What is right is right also when it is typed, by a student who has no more than six digits.
static void is_right_when_typed(const Lesson *lesson, const LessonStep *asked) {
  LessonStep step = *asked;
  LsText typed = {0};
  LsErr err = {0};
  if (step.question.kind == QUESTION_NUMBER) ls_text_addf(&typed, "%.6g", step.question.answer);
  else question_typed(&step.question, step.question.answer, &typed);
  bool ok = step_answer_typed(&step, ls_text_str(&typed), &err);
  if (step.asks_sure) ok = ok && step_answer_typed(&step, "think so", &err);
  if (!ok || !step.right || step.said) printf("\n%s, '%s': '%s' is not taken for right: %s\n", lesson_info(lesson)->id,
                                              name_of(asked), ls_text_str(&typed), err.message);
  CHECK(ok && step.right && step.answered && !step.said);
  CHECK(question_says_of_right(&step.question) == NULL);
  ls_text_free(&typed);
}

static void count(Tally *tally, const LessonStep *step) {
  if (step->skill || step->again) return;      // drawn: tests of banks look at those
  tally->asked++;
  tally->named += *step->id != 0;
  tally->foreseen += step->question.wrong_count > 0;
}

static bool answers_right(Lesson *lesson, Tally *tally) {
  const LessonStep *step = lesson_current(lesson);
  tally->steps++;
  if (!lesson_asks(step)) return false;
  is_right_when_typed(lesson, step);
  for (int i = 0; i < step->question.wrong_count; i++) meets_its_words(lesson, step, &step->question.wrong[i]);
  count(tally, step);
  lesson_answer(lesson, step->question.answer);
  lesson_sure(lesson, 1);
  CHECK(step->answered && step->right);
  return true;
}

static void judge_names(const CourseLesson *info, const Tally *tally) {
  if (!tally->named) return;                   // written before questions had names
  if (tally->named < tally->asked || 2 * tally->foreseen < tally->asked)
    printf("\n%s: of %d questions %d have an id and %d have 'wrong'\n", info->id, tally->asked, tally->named,
           tally->foreseen);
  CHECK_INT(tally->named, tally->asked);
  CHECK(2 * tally->foreseen >= tally->asked);
}

// ---- through a lesson ----------------------------------------------------------------------------------------------

typedef bool Answers(Lesson *lesson, void *context);

// To the end; what the answers leave open is skipped.
static bool goes_through(Lesson *lesson, Answers *answers, void *context) {
  LsErr err = {0};
  LessonMove move = LESSON_MOVED;
  while (move == LESSON_MOVED) {
    answers(lesson, context);
    if (lesson_waits(lesson_current(lesson))) lesson_skip(lesson);
    move = lesson_next(lesson, &err);
  }
  if (move != LESSON_AT_END) printf("\n%s, step %d: %s:%d: %s\n", lesson_info(lesson)->id, lesson_index(lesson) + 1,
                                    err.file, err.line, err.message);
  return move == LESSON_AT_END;
}

static bool as_foreseen(Lesson *lesson, void *context) { return answers_right(lesson, context); }

// A third of the answers, and of the second ones, is anything.
static bool at_random(Lesson *lesson, void *context) {
  LsMt *random = context;
  const LessonStep *step = lesson_current(lesson);
  for (int i = 0; i < 3 && lesson_asks(step) && lesson_waits(step); i++) {
    bool any = below(random, 3) == 0;
    lesson_answer(lesson, any ? random_answer(random, &step->question) : step->question.answer);
    lesson_sure(lesson, 1 + below(random, 3));
  }
  CHECK(!lesson_asks(step) || step->answered);
  return true;
}

static void each_lesson(void (*test)(Course *course, const CourseLesson *info)) {
  LsErr err = {0};
  Course *course = course_open(NULL, &err);
  CU_ASSERT_FATAL(course != NULL);
  const char *only = getenv("LESSON");
  for (int i = 0; i < course->count; i++) {
    const CourseLesson *info = &course->lessons[i];
    if (info->file && (!only || strcmp(only, info->id) == 0)) test(course, info);
  }
  course->free(course);
}

static Lesson *opened(Course *course, const CourseLesson *info, Progress *progress) {
  LsErr err = {0};
  Lesson *lesson = lesson_open(course, info->id, book, progress, &err);
  if (!lesson) printf("\n%s: %s:%d: %s\n", info->id, err.file, err.line, err.message);
  CHECK(lesson != NULL);
  return lesson;
}

static void foreseen(Course *course, const CourseLesson *info) {
  Tally tally = {0};
  Lesson *lesson = opened(course, info, NULL);
  if (!lesson) return;
  CHECK(goes_through(lesson, as_foreseen, &tally));
  int right, asked;
  lesson_score(lesson, &right, &asked);
  CHECK_INT(right, asked);
  CHECK_INT(tally.steps, lesson_steps(lesson));
  judge_names(info, &tally);
  lesson_free(lesson);
}

// What was answered is there when the lesson is opened again.
static void by_chance(Course *course, const CourseLesson *info) {
  for (uint32_t seed = 1; seed <= 3; seed++) {
    LsMt random;
    ls_mt_seed(&random, seed);
    Progress *progress = progress_open(":memory:");
    Lesson *lesson = opened(course, info, progress);
    if (lesson) CHECK(goes_through(lesson, at_random, &random));
    lesson_free(lesson);
    progress_close(progress);
  }
}

static void foreseen_answers_are_met(void) { each_lesson(foreseen); }
static void any_answers_lead_to_the_end(void) { each_lesson(by_chance); }

static const Check checks[] = {
    {"foreseen answers are met", foreseen_answers_are_met},
    {"any answers lead to the end", any_answers_lead_to_the_end},
};

int main(int argc, char **argv) {
  setenv("LANESCOPE_DATA", LS_SOURCE_DIR, 1);
  book = recipe_book_open(NULL, NULL);
  int status = check_main("lesson answers", checks, LS_COUNT(checks), argc, argv);
  book->free(book);
  return status;
}
