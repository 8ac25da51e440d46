// test_banks.c: every skill of the shipped banks, drawn many times: each question fits the screen and has an answer, no
// two in a row are the same, and no single answer is right most of the time.
#include <inttypes.h>

#include "app/course/lesson.h"
#include "base/mem.h"
#include "check.h"
#include "script/lesson.h"
#include "script/recipe.h"
#include "ui/pages/rail.h"

enum { SEED = 20261, RAIL_WIDTH = 38, RAIL_ROWS = 26, WIDE_WIDTH = 76, WIDE_ROWS = 13 };
enum { LEAST_SKILLS = 5, LEAST_LOOKS = 3, COMMONEST_PERCENT = 60, FEW_PERCENT = 20 };
enum { RUNS_LIMIT_TURN = 40 };   // so many draws are made by one script
enum { MOST_INSTRUCTIONS = 2000000 };   // warp instructions of the runs behind one draw: some tenths of a second

static RecipeBook *book;
static Course *course;

// Answers that came up, and how often.
typedef struct Answers { char **texts; int *counts; int count, texts_capacity, counts_capacity; } Answers;

static void count_answer(Answers *answers, const char *text) {
  for (int i = 0; i < answers->count; i++)
    if (strcmp(answers->texts[i], text) == 0) {
      answers->counts[i]++;
      return;
    }
  int at = answers->count;
  LS_PUSH(answers->counts, at, answers->counts_capacity, 1);
  LS_PUSH(answers->texts, answers->count, answers->texts_capacity, ls_strdup(text));
}

static void forget_answers(Answers *answers) {
  for (int i = 0; i < answers->count; i++) free(answers->texts[i]);
  free(answers->texts);
  free(answers->counts);
}

typedef struct Tally {
  const char *skill;
  int drawn;
  char *last;                      // text of the question before
  Answers answers, looks;          // right answers; ways to ask
  LsText texts;                    // of all questions
} Tally;

static void question_text(const LessonStep *step, LsText *out) {
  lesson_print_text(step, out);
  lesson_print_question(step, out);
}

// How it is asked: the prompt, and how the text begins, without their numbers.
static void look_of(const LessonStep *step, LsText *out) {
  enum { BEGINNING = 24 };
  const char *texts[] = {step->question.prompt, step->text};
  for (int i = 0; i < LS_COUNT(texts); i++)
    for (const char *p = texts[i]; *p && (i == 0 || p < texts[i] + BEGINNING); p++)
      if (!strchr("0123456789", *p)) ls_text_addc(out, *p);
}

static int rows_of(const Lesson *lesson, int width, bool low) {
  return rail_draw(lesson, NULL, (Rect){0, 0, width, 0}, low, 0, NULL);
}

static void check_drawn(Tally *tally, const Lesson *lesson) {
  const LessonStep *step = lesson_current(lesson);
  LsText text = {0}, answer = {0}, look = {0};
  question_text(step, &text);
  int beside = rows_of(lesson, RAIL_WIDTH, false), below = rows_of(lesson, WIDE_WIDTH, true);
  bool fits = beside <= RAIL_ROWS && below <= WIDE_ROWS, same = tally->last && strcmp(tally->last, text.data) == 0;
  if (!fits || same) printf("\n%s, draw %d: %d and %d rows%s\n%s", tally->skill, tally->drawn, beside, below,
                            same ? ", the same as the one before" : "", text.data);
  CHECK(fits && !same);
  CHECK(step->skill && strcmp(step->skill, tally->skill) == 0);
  lesson_answer_text(&step->question, step->question.answer, &answer);
  count_answer(&tally->answers, ls_text_str(&answer));
  look_of(step, &look);
  count_answer(&tally->looks, look.data);
  ls_text_add(&tally->texts, text.data);
  free(tally->last);
  tally->last = ls_text_take(&text);
  tally->drawn++;
  ls_text_free(&answer);
  ls_text_free(&look);
}

// What all runs of the script executed: how long a draw takes, without the load of the machine.
static int64_t instructions_of(const Lesson *lesson) {
  int64_t sum = 0;
  for (int i = 0; lesson && lesson_run(lesson, i); i++)
    sum += (int64_t)counters_total(lesson_run(lesson, i)->counters)->value[COUNTER_WARP_INSTRUCTIONS];
  return sum;
}

// Draws first .. last.
static void draw(Tally *tally, uint64_t seed, int first, int last) {
  LsErr err = {0};
  CourseDrill drill = {.skill = tally->skill, .seed = seed, .first = first, .last = last};
  Lesson *lesson = lesson_drill(course, &drill, book, &err);
  bool ok = lesson != NULL;
  for (int i = first; ok && i <= last; i++) {
    check_drawn(tally, lesson);
    ok = lesson_answer(lesson, lesson_current(lesson)->question.answer) && lesson_current(lesson)->right;
    lesson_sure(lesson, 1);
    ok = ok && lesson_next(lesson, &err) == LESSON_MOVED;
  }
  if (!ok) printf("\n%s, draw %d: %s:%d: %s\n", tally->skill, tally->drawn, err.file, err.line, err.message);
  CHECK(ok);
  int64_t each = instructions_of(lesson) / (last - first + 1);
  if (each > MOST_INSTRUCTIONS) printf("\n%s: %" PRId64 " warp instructions for a draw\n", tally->skill, each);
  CHECK(each <= MOST_INSTRUCTIONS);
  lesson_free(lesson);
}

static void forget(Tally *tally) {
  forget_answers(&tally->answers);
  forget_answers(&tally->looks);
  free(tally->last);
  ls_text_free(&tally->texts);
}

static void check_answers(const Tally *tally) {
  int most = 0, share = tally->drawn >= 100 ? COMMONEST_PERCENT : COMMONEST_PERCENT + FEW_PERCENT;
  for (int i = 1; i < tally->answers.count; i++)
    if (tally->answers.counts[i] > tally->answers.counts[most]) most = i;
  bool guessed = tally->drawn && tally->answers.counts[most] * 100 > share * tally->drawn;
  if (guessed) printf("\n%s: \"%s\" is right %d of %d times\n", tally->skill, tally->answers.texts[most],
                      tally->answers.counts[most], tally->drawn);
  CHECK(!guessed);
  if (tally->looks.count < LEAST_LOOKS) printf("\n%s: asked in %d ways\n", tally->skill, tally->looks.count);
  CHECK(tally->looks.count >= LEAST_LOOKS);
}

static void a_skill(const char *name) {
  Tally tally = {.skill = name}, again = {.skill = name}, other = {.skill = name};
  int wanted = check_long(24, 200);
  for (int first = 0; first < wanted; first += RUNS_LIMIT_TURN)
    draw(&tally, SEED, first, LS_MIN(first + RUNS_LIMIT_TURN, wanted) - 1);
  check_answers(&tally);
  draw(&again, SEED, 0, 5);
  draw(&other, SEED + 1, 0, 5);
  CHECK(ls_starts_with(ls_text_str(&tally.texts), ls_text_str(&again.texts)));
  CHECK(strcmp(ls_text_str(&again.texts), ls_text_str(&other.texts)) != 0);
  forget(&tally);
  forget(&again);
  forget(&other);
}

// BANK=L03 draws of one bank only, SKILL=L03.warps of one skill.
static bool is_wanted(const char *variable, const char *name) {
  const char *only = getenv(variable);
  return !only || strcmp(only, name) == 0;
}

static void every_skill_can_be_drawn(void) {
  LsArena *arena = ls_arena_new();
  int banks = 0;
  for (int i = 0; i < course->count; i++) {
    LsErr err = {0};
    const char **names = NULL;
    int count = 0;
    if (!is_wanted("BANK", course->lessons[i].id)) continue;
    bool ok = course->skills(course, &course->lessons[i], arena, &names, &count, &err);
    if (!ok) printf("\n%s:%d: %s\n", err.file, err.line, err.message);
    CHECK(ok && (count == 0 || count >= LEAST_SKILLS));
    banks += count > 0;
    for (int k = 0; k < count; k++)
      if (is_wanted("SKILL", names[k])) a_skill(names[k]);
  }
  CHECK(banks > 0);
  ls_arena_free(arena);
}

static const Check checks[] = {{"every skill can be drawn", every_skill_can_be_drawn}};

int main(int argc, char **argv) {
  setenv("LANESCOPE_DATA", LS_SOURCE_DIR, 1);
  LsErr err = {0};
  book = recipe_book_open(NULL, NULL);
  course = course_open(NULL, &err);
  if (!course) return fprintf(stderr, "%s:%d: %s\n", err.file, err.line, err.message), 1;
  int status = check_main("banks", checks, LS_COUNT(checks), argc, argv);
  course->free(course);
  book->free(book);
  return status;
}
