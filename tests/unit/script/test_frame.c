// test_frame.c: the frame of a lesson: questions drawn from a bank, what is asked again, and what is remembered.
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "app/course/lesson.h"
#include "base/file.h"
#include "base/mem.h"
#include "check.h"
#include "script/lesson.h"
#include "script/recipe.h"

static RecipeBook *book;
static char folder[256];

static const char *const files[] = {"course.lua", "one.lua", "two.lua", "questions/X01.lua", "questions/X02.lua"};

static void write_file(const char *name, const char *text) {
  char *path = ls_path_join(folder, name);
  CHECK(ls_file_write(path, text, strlen(text), NULL));
  free(path);
}

static const char sums[] =
    "local function plus(d) local a, b = d.integer(1, 900), d.integer(1, 9) return { ask = '{a} + {b}?', a = a, b = b,\n"
    "  answer = a + b, wrong = { [a - b] = 'plus' } } end\n"
    "local function which(d) return { ask = 'Which is least?', options = d.shuffle { 'one', 'two', 'ten' }, answer = 'one',\n"
    "  wrong = { one = 'never said', ten = 'the most' } } end\n"
    "local function minus(d) local a = d.integer(1, 900) return { ask = '{a} - 1?', a = a, answer = a - 1 } end\n"
    "return { skill { id = 'plus', draw = plus }, skill { id = 'minus', looks = { minus, plus, which } } }\n";

// A course of two lessons, the second of which needs the first, with a bank for the first.
static Course *course_of(const char *one, const char *two, const char *bank) {
  static const char course[] =
      "return { title = 'T', lessons = { { id = 'X01', name = 'one', title = 'One', glimpse = 'g', minutes = 1,"
      " file = 'one.lua' }, { id = 'X02', name = 'two', title = 'Two', glimpse = 'g', minutes = 1, file = 'two.lua',"
      " needs = { 'X01' } } } }";
  CHECK(check_folder(folder, sizeof folder));
  char *questions = ls_path_join(folder, "questions");
  CHECK(mkdir(questions, 0700) == 0);
  free(questions);
  write_file("course.lua", course);
  write_file("one.lua", one);
  write_file("two.lua", two);
  if (bank) write_file("questions/X01.lua", bank);
  LsErr err = {0};
  Course *made = course_open(folder, &err);
  if (!made) printf("\n%s\n", err.message);
  return made;
}

static void drop(Course *course) {
  for (int i = 0; i < LS_COUNT(files); i++) {
    char *path = ls_path_join(folder, files[i]);
    unlink(path);
    free(path);
  }
  char *questions = ls_path_join(folder, "questions");
  rmdir(questions);
  rmdir(folder);
  free(questions);
  course->free(course);
}

static const LessonStep *current(const Lesson *lesson) { return lesson_current(lesson); }

// Answers rightly or not, and goes on.
static void answer(Lesson *lesson, bool right) {
  LsErr err = {0};
  const LessonStep *step = current(lesson);
  double value = step->question.answer;
  if (!right) value = step->question.kind == QUESTION_CHOICE ? (value == 0 ? 1 : 0) : value + 1000;
  CHECK(lesson_asks(step) && lesson_answer(lesson, value));
  while (lesson_waits(step)) lesson_skip(lesson);
  CHECK_INT(step->right, right);
  CHECK_INT(lesson_next(lesson, &err), LESSON_MOVED);
  if (err.kind != LS_OK) printf("\n%s:%d: %s\n", err.file, err.line, err.message);
}

static void pass_by(Lesson *lesson, const char *title) {
  LsErr err = {0};
  CHECK_STR(current(lesson)->title, title);
  CHECK_INT(lesson_next(lesson, &err), LESSON_MOVED);
}

static char *asked(const Lesson *lesson) {
  LsText text = {0};
  lesson_print_question(current(lesson), &text);
  return ls_text_take(&text);
}

// The prompts of a skill, drawn for a seed.
static char *drawn(Course *course, const char *skill, uint64_t seed, int first, int last) {
  LsErr err = {0};
  LsText all = {0};
  Lesson *lesson = lesson_drill(course, &(CourseDrill){.skill = skill, .seed = seed, .first = first, .last = last},
                                book, &err);
  if (!lesson) printf("\n%s:%d: %s\n", err.file, err.line, err.message);
  CHECK(lesson != NULL);
  while (lesson && current(lesson)->kind == LESSON_CHECK) {
    char *one = asked(lesson);
    ls_text_add(&all, one);
    free(one);
    answer(lesson, true);
  }
  lesson_free(lesson);
  return ls_text_take(&all);
}

static void draws_are_the_same_for_a_seed(void) {
  Course *course = course_of("say { 'a' }", "say { 'a' }", sums);
  char *a = drawn(course, "X01.plus", 7, 0, 9), *b = drawn(course, "X01.plus", 7, 0, 9);
  char *other = drawn(course, "X01.plus", 8, 0, 9), *later = drawn(course, "X01.plus", 7, 5, 9);
  CHECK_STR(b, a);
  CHECK(strcmp(a, other) != 0);
  CHECK(ls_ends_with(a, later));
  free(a);
  free(b);
  free(other);
  free(later);
  drop(course);
}

// Each look comes before one returns, and none follows itself.
static void looks_take_turns(void) {
  Course *course = course_of("say { 'a' }", "say { 'a' }",
                             "local function look(n) return function() return { ask = n, answer = 1 } end end\n"
                             "return { skill { id = 'turns', looks = { look 'a', look 'b', look 'c' } } }");
  for (uint64_t seed = 1; seed < 20; seed++) {
    char *all = drawn(course, "X01.turns", seed, 0, 29);
    CHECK_INT(strlen(all), 30 * strlen("? a\n"));
    for (int i = 0; i < 30; i += 3) {
      int a = all[4 * i + 2], b = all[4 * i + 6], c = all[4 * i + 10];
      CHECK(a + b + c == 'a' + 'b' + 'c' && a != b && b != c && a != c);
      CHECK(i == 0 || a != all[4 * i - 2]);
    }
    free(all);
  }
  drop(course);
}

static const char checked[] =
    "check { { ask = '1?', answer = 1 }, draw = 4 }\nfinish { title = 'Done', 'rules', next = 'X02' }";

static void what_failed_is_asked_again(void) {
  Course *course = course_of(checked, "say { 'a' }", sums);
  LsErr err = {0};
  SkillCheck check;
  Progress *progress = progress_open(":memory:");
  Lesson *lesson = lesson_open(course, "X01", book, progress, &err);
  CHECK(lesson != NULL);
  answer(lesson, true);
  CHECK_STR(current(lesson)->title, "Check 2 of 5");
  answer(lesson, true);
  answer(lesson, true);
  CHECK_STR(current(lesson)->title, "Check 4 of 5");
  char *first = asked(lesson), *skill = ls_strdup(current(lesson)->skill);
  answer(lesson, false);
  answer(lesson, true);
  CHECK(strstr(current(lesson)->text, "You had 4 of 5 at the first try; 4 pass the check.") != NULL);
  pass_by(lesson, "Once more");
  CHECK_STR(current(lesson)->title, "Again 1 of 1");
  CHECK_STR(current(lesson)->skill, skill);
  char *second = asked(lesson);
  CHECK(strcmp(first, second) != 0);
  answer(lesson, true);
  CHECK_INT(current(lesson)->kind, LESSON_END);
  CHECK(skills_check(progress, "X01", &check) && check.right == 5 && check.total == 5 && check.passed);
  CHECK(!skills_check(progress, "X02", &check));
  CHECK(strstr(current(lesson)->text, "rules\n\nNext: X02, Two.\n\nNot right at once:\n- ") == current(lesson)->text);
  int right, total;
  lesson_score(lesson, &right, &total);
  CHECK(right == 4 && total == 5);
  free(first);
  free(second);
  free(skill);
  lesson_free(lesson);
  progress_close(progress);
  drop(course);
}

static void the_end_asks_what_was_missed(void) {
  Course *course = course_of("predict { title = 'Guess', ask = '1?', answer = 1 }\nsay { 'a' }\n"
                             "predict { title = '{other}other', other = 'An', ask = '2?', answer = 2 }\n"
                             "finish { title = 'Done', 'rules' }",
                             "say { 'a' }", NULL);
  LsErr err = {0};
  Lesson *lesson = lesson_open(course, "X01", book, NULL, &err);
  answer(lesson, false);
  pass_by(lesson, "");
  answer(lesson, false);
  CHECK_STR(current(lesson)->text, "rules\n\nNot right at once:\n- Guess\n- Another");
  CHECK_INT(current(lesson)->missed, 2);
  CHECK(lesson_redo(lesson) && !lesson_redo(lesson));
  CHECK_INT(lesson_next(lesson, &err), LESSON_MOVED);
  CHECK_STR(current(lesson)->title, "Guess");
  answer(lesson, true);
  CHECK_STR(current(lesson)->title, "Another");
  answer(lesson, false);
  CHECK_STR(current(lesson)->text, "rules\n\nNot right at once:\n- Another");
  CHECK(lesson_redo(lesson));
  CHECK_INT(lesson_next(lesson, &err), LESSON_MOVED);
  answer(lesson, true);
  CHECK_STR(current(lesson)->text, "rules");
  CHECK(!lesson_redo(lesson));
  CHECK_INT(lesson_next(lesson, &err), LESSON_AT_END);
  int right, total;
  lesson_score(lesson, &right, &total);
  CHECK(right == 0 && total == 2);
  lesson_free(lesson);
  drop(course);
}

static void a_lesson_asks_what_it_asked_before(void) {
  Course *course = course_of(checked, "recall(2)\nsay { 'a' }\nsay { 'b' }", sums);
  LsErr err = {0};
  Progress *progress = progress_open(":memory:");
  Lesson *lesson = lesson_open(course, "X01", book, progress, &err);
  answer(lesson, true);
  answer(lesson, true);
  char *before = asked(lesson);
  lesson_free(lesson);
  lesson = lesson_open(course, "X01", book, progress, &err);
  CHECK_INT(lesson_index(lesson), 2);
  char *after = asked(lesson);
  CHECK_STR(after, before);
  free(after);
  while (lesson_index(lesson) < 5) answer(lesson, lesson_index(lesson) == 2);
  pass_by(lesson, "Once more");
  answer(lesson, false);
  answer(lesson, false);
  pass_by(lesson, "To be continued");
  lesson_free(lesson);
  lesson = lesson_open(course, "X01", book, progress, &err);     // begun anew: other numbers
  answer(lesson, true);
  answer(lesson, true);
  after = asked(lesson);
  CHECK(strcmp(after, before) != 0);
  lesson_free(lesson);
  lesson = lesson_open(course, "X02", book, progress, &err);     // what failed last comes first
  SkillState state;
  CHECK(skill_state(progress, current(lesson)->skill, time(NULL), &state) && state.failed);
  CHECK_STR(current(lesson)->title, "Recall 1 of 2: X01");
  lesson_free(lesson);
  free(before);
  free(after);
  progress_close(progress);
  drop(course);
}

static void recall_without_a_bank_asks_nothing(void) {
  Course *course = course_of("recall(2) say { title = 'First', 'a' }", "say { 'a' }", NULL);
  LsErr err = {0};
  Lesson *lesson = lesson_open(course, "X01", book, NULL, &err);
  CHECK_STR(current(lesson)->title, "First");
  lesson_free(lesson);
  drop(course);
}

// ---- what a draw shows ---------------------------------------------------------------------------------------------

static Course *course_of_draw(const char *draw) {
  char *bank = ls_format("local function draw(d) local r = measure { kernel = 'diverge_if_else' }\n%s end\n"
                         "return { skill { id = 'plus', draw = draw } }\n", draw);
  Course *course = course_of("check { draw = 2 } say { title = 'Done', 'a' }", "say { 'a' }", bank);
  free(bank);
  return course;
}

// The source of the run beside a question is there until the answer, then the run at what was read; the next has its
// own.
static void a_draw_may_show_its_run(void) {
  Course *course = course_of_draw("return { ask = 'Warps?', answer = r:event({ kind = 'branch' }).mask, kind = 'mask',\n"
                                  "  beside = r }");
  LsErr err = {0};
  Progress *progress = progress_open(":memory:");
  Lesson *lesson = lesson_open(course, "X01", book, progress, &err);
  if (!lesson) printf("\n%s\n", err.message);
  CHECK(lesson != NULL);
  const LessonStep *step = current(lesson);
  int run = step->place.run;
  CHECK(run >= 0 && step->hides && step->place.code && step->place.step == 0 && step->opens && !lesson_opens(lesson));
  answer(lesson, true);
  CHECK(step->behind.step > 0 && step->behind.run == run && step->place.run == run);
  CHECK(step->place.step == step->behind.step && !step->place.code);
  CHECK(current(lesson)->hides && current(lesson)->place.run != run);
  answer(lesson, true);
  CHECK_STR(current(lesson)->title, "Done");
  CHECK(current(lesson)->place.run < 0);
  lesson_free(lesson);
  progress_close(progress);
  drop(course);
}

// One answer in the log, though it asks three times: the share that was right.
static void a_trace_is_one_answer(void) {
  Course *course = course_of_draw("local at = { kind = 'branch' }\n"
                                  "return { kind = 'trace', 'Be it.', run = r, ask = 'mask', at = { at, at, at } }");
  LsErr err = {0};
  SkillState state;
  LsArena *arena = ls_arena_new();
  SkillHistory history;
  Progress *progress = progress_open(":memory:");
  Lesson *lesson = lesson_open(course, "X01", book, progress, &err);
  if (!lesson) printf("\n%s\n", err.message);
  CHECK(lesson != NULL);
  for (int i = 0; i < 6; i++) {
    CHECK_STR(current(lesson)->text, "Be it.");
    if (i == 4) lesson_skip(lesson);
    else lesson_answer(lesson, current(lesson)->question.answer);
    CHECK_INT(lesson_next(lesson, &err), LESSON_MOVED);
    skill_state(progress, "X01.plus", time(NULL), &state);
    CHECK_INT(state.seen, (i + 1) / 3);
  }
  CHECK(skill_history(progress, "X01.plus", arena, &history) && state.right == 1 && state.failed);
  CHECK(history.score > 1.66 && history.score < 1.67);
  lesson_free(lesson);
  ls_arena_free(arena);
  progress_close(progress);
  drop(course);
}

// ---- words of one's own --------------------------------------------------------------------------------------------

static const char written[] =
    "rubric { title = 'Say', ask = 'What?', model = [[Banks give\n  one word.]], points = { 'banks', 'one' } }\n"
    "recite { 'a list', ask = 'From memory?' }\nsay { title = 'After', 'a' }";

static void words_are_held_against_a_model(void) {
  Course *course = course_of(written, "say { 'a' }", NULL);
  LsErr err = {0};
  Progress *progress = progress_open(":memory:");
  Lesson *lesson = lesson_open(course, "X01", book, progress, &err);
  const LessonWriting *writing = current(lesson)->writing;
  CHECK_STR(writing->model, "Banks give one word.");
  CHECK_INT(lesson_next(lesson, &err), LESSON_WAITS);
  CHECK(!lesson_tick(lesson, 0, 0) && !lesson_close_writing(lesson) && !lesson_hand_in(lesson, " \n "));
  CHECK(lesson_hand_in(lesson, "A bank\ngives one") && !lesson_hand_in(lesson, "more"));
  CHECK(lesson_tick(lesson, 0, 1) && lesson_tick(lesson, 1, -1) && !lesson_tick(lesson, 2, 0) &&
        !lesson_tick(lesson, 0, 4));
  CHECK(writing_score(writing) == 1.5);
  CHECK_INT(lesson_next(lesson, &err), LESSON_WAITS);
  lesson_free(lesson);
  lesson = lesson_open(course, "X01", book, progress, &err);
  writing = current(lesson)->writing;
  CHECK_STR(writing->text, "A bank\ngives one");
  CHECK(writing->points[0].word == 1 && writing->points[1].ticked && writing->points[1].word == -1);
  CHECK(lesson_untick(lesson, 1) && lesson_close_writing(lesson) && !lesson_untick(lesson, 0));
  CHECK_INT(lesson_next(lesson, &err), LESSON_MOVED);
  CHECK(current(lesson)->writing->is_list && lesson_hand_in(lesson, "a"));
  pass_by(lesson, "");
  CHECK_STR(current(lesson)->title, "After");
  int right, total;
  lesson_score(lesson, &right, &total);
  CHECK_INT(total, 0);
  lesson_free(lesson);
  lesson = lesson_open(course, "X01", book, NULL, &err);
  CHECK(lesson_auto(lesson, NULL, NULL, &err));
  lesson_free(lesson);
  progress_close(progress);
  drop(course);
}

static void rows(const char *text, int columns, const char *expected) {
  size_t starts[20];
  LsText out = {0};
  int count = writing_rows(text, columns, starts, LS_COUNT(starts));
  for (int i = 0; i < count; i++) {
    size_t end = i + 1 < count ? starts[i + 1] : strlen(text);
    ls_text_addf(&out, "[%.*s]", (int)(end - starts[i]), text + starts[i]);
  }
  CHECK_STR(ls_text_str(&out), expected);
  ls_text_free(&out);
}

static void rows_are_wrapped(void) {
  rows("", 10, "[]");
  rows("one two three", 8, "[one two ][three]");
  rows("one two three", 7, "[one two ][three]");
  rows("one two three", 6, "[one ][two ][three]");
  rows("one\n\ntwo\n", 10, "[one\n][\n][two\n][]");
  rows("abcdefghij k", 4, "[abcd][efgh][ij k]");
  rows("\u00e4\u00e4\u00e4 b", 4, "[\u00e4\u00e4\u00e4 ][b]");
  CHECK_INT(writing_word_count(" a  b\nc "), 3);
  CHECK(writing_find_word("a bank, Banks", "BANKS") == 2 && writing_find_word("a", "b") == -1);
}

// ---- skills --------------------------------------------------------------------------------------------------------

enum { DAY = 24 * 60 * 60, FOUR = 4 * 60 * 60, NOON = 100 * DAY + DAY / 2 };   // universal time, which main sets

static void expect_draw(Progress *progress, const SkillWish *wish, int64_t now, const char *first) {
  SkillDraw draws[2];
  skills_draw(progress, wish, now, draws);
  CHECK_STR(draws[0].skill, first);
  skills_forget_slots(progress, wish->lesson);
}

static SkillState state_of(Progress *progress, const char *skill) {
  SkillState state;
  CHECK(skill_state(progress, skill, 200 * DAY, &state));
  return state;
}

static void skills_come_when_they_are_due(void) {
  static const char *const names[] = {"X01.a", "X01.b", "X01.c"};
  Progress *progress = progress_open(":memory:");
  SkillWish wish = {.lesson = "X02", .slot = "recall", .skills = names, .count = 2, .needed = 2, .wanted = 1};
  SkillState state;
  CHECK(!skill_state(progress, "X01.a", NOON, &state) && state.drawn == 0);
  skill_graded(progress, "X01.a", FSRS_GOOD, NOON);
  state = state_of(progress, "X01.a");
  CHECK(state.streak == 1 && state.right == 1 && state.seen == 1 && !state.failed);
  CHECK(state.due == 102 * DAY + FOUR);                            // 2.3 days, and a day begins at four
  expect_draw(progress, &wish, NOON + 1000, "X01.b");              // never asked before known
  skill_graded(progress, "X01.b", FSRS_EASY, NOON);
  CHECK(state_of(progress, "X01.b").due == 108 * DAY + FOUR);
  expect_draw(progress, &wish, 102 * DAY + FOUR, "X01.a");         // due
  skill_graded(progress, "X01.b", FSRS_AGAIN, NOON + DAY);
  state = state_of(progress, "X01.b");
  CHECK(state.failed && state.streak == 0 && state.due == NOON + DAY && state.seen == 2 && state.drawn == 1);
  expect_draw(progress, &wish, 102 * DAY + FOUR, "X01.b");         // failed
  wish.count = 3;
  skill_graded(progress, "X01.b", FSRS_HARD, NOON + DAY);
  expect_draw(progress, &wish, NOON + DAY, "X01.c");
  progress_close(progress);
}

// Late in the evening and early after midnight are one day; a clock that runs backwards stays in it.
static void days_begin_at_four(void) {
  Progress *progress = progress_open(":memory:");
  CHECK(skill_day(100 * DAY + FOUR - 1) == 99 && skill_day(100 * DAY + FOUR) == 100 && skill_day(-DAY) == -2);
  skill_graded(progress, "X01.a", FSRS_GOOD, 101 * DAY - 60);
  skill_graded(progress, "X01.b", FSRS_GOOD, 101 * DAY - 60);
  Fsrs first = state_of(progress, "X01.a").memory, soon = fsrs_graded(first, FSRS_GOOD, 0);
  skill_graded(progress, "X01.a", FSRS_GOOD, 101 * DAY + 60);
  skill_graded(progress, "X01.b", FSRS_GOOD, 7 * DAY);
  CHECK(state_of(progress, "X01.a").memory.stability == soon.stability);
  CHECK(state_of(progress, "X01.b").memory.stability == soon.stability);
  progress_close(progress);
}

static bool take_mark(void *context, const StoreValue *row) {
  ls_text_addf(context, "%s %lld %lld;", row[0].text, (long long)row[1].integer, (long long)row[2].integer);
  return true;
}

// Nothing is lost of what was answered: another scheduler can be tried on it.
static void marks_are_logged(void) {
  Progress *progress = progress_open(":memory:");
  LsText log = {0};
  skill_graded(progress, "X01.a", FSRS_GOOD, 1000);
  skill_graded(progress, "X01.b", FSRS_AGAIN, 1001);
  skill_graded(progress, "X01.a", FSRS_HARD, 1002);
  store_ask(progress_store(progress), "select skill, mark, at from answered order by place", NULL, 0, take_mark, &log);
  CHECK_STR(ls_text_str(&log), "X01.a 3 1000;X01.b 1 1001;X01.a 2 1002;");
  ls_text_free(&log);
  progress_close(progress);
}

static void skills_are_counted(void) {
  Progress *progress = progress_open(":memory:");
  skill_graded(progress, "X01.a", FSRS_GOOD, NOON);
  skill_graded(progress, "X01.b", FSRS_AGAIN, NOON);
  skill_graded(progress, "X011.a", FSRS_AGAIN, NOON);
  SkillCounts one = skills_count(progress, "X01", NOON + 1000), later = skills_count(progress, "X01", NOON + 2 * DAY);
  SkillCounts all = skills_count(progress, NULL, NOON + 1000), none = skills_count(progress, "X02", NOON + 1000);
  CHECK(one.known == 2 && one.failed == 1 && one.due == 1 && later.due == 2);
  CHECK(all.known == 3 && all.failed == 2 && none.known == 0 && none.due == 0);
  progress_close(progress);
}

static void slots_keep_their_draws(void) {
  static const char *const names[] = {"X01.a", "X01.b"};
  Progress *progress = progress_open(":memory:");
  SkillWish wish = {.lesson = "X01", .slot = "check_1", .skills = names, .count = 2, .needed = 2, .wanted = 5};
  SkillDraw draws[5], again[5];
  skills_draw(progress, &wish, 0, draws);
  for (int i = 0; i < 5; i++) {
    CHECK(draws[i].skill == draws[i % 2].skill && draws[i].times == i / 2);
  }
  skills_draw(progress, &wish, 0, again);
  for (int i = 0; i < 5; i++) CHECK(again[i].skill == draws[i].skill && again[i].times == draws[i].times);
  skills_forget_slots(progress, "X01");
  skills_draw(progress, &wish, 0, again);
  for (int i = 0; i < 5; i++) CHECK(again[i].times >= 2);
  uint64_t seed = skills_seed(progress);
  CHECK(seed != 0 && skills_seed(progress) == seed);
  progress_close(progress);
}

// ---- banks with a bug ----------------------------------------------------------------------------------------------

typedef struct Bug { const char *bank; int line; const char *message; } Bug;

static void bugs_have_places(void) {
  static const Bug bugs[] = {
      {"return {}", 0, "questions/X01.lua returns no list of skills"},
      {"return { 1 }", 0, "questions/X01.lua: item 1 of its list is no skill"},
      {"return {\n skill { id = 'A b' } }", 2, "skill takes a table with an id"},
      {"return {\n\n skill { id = 'a' } }", 3, "skill 'a' has neither a function 'draw' nor a list 'looks'"},
      {"local function f() return {} end\nreturn { skill { id = 'a', draw = f },\n skill { id = 'a', draw = f } }", 3,
       "there are two skills called 'a'"},
      {"return { skill { id = 'a',\n draw = function(d) local a = d.integer(3, 1) return a end } }", 2,
       "d.integer takes two whole numbers"},
      {"return { skill { id = 'a',\n draw = function(d) return nil + 1 end } }", 2,
       "attempt to perform arithmetic on a nil"},
      {"\nreturn { skill { id = 'a', draw = function(d) return { ask = 'x' } end } }", 2,
       "skill 'a', draw 0: number question: there is no 'answer'"},
      {"\nreturn { skill { id = 'a', draw = function(d) return 5 end } }", 2, "draw of skill 'a' returns no question"},
      {"\nreturn { skill { id = 'a', draw = function(d) return { ask = 'x', answer = 1, wrong = { [1] = 'no' } } end } }", 2,
       "skill 'a' draws questions whose 'wrong' leads to the right answer"},
      {NULL, 1, "check: there is no bank of questions for this lesson"},
  };
  for (int i = 0; i < LS_COUNT(bugs); i++) {
    Course *course = course_of("check { draw = 1 }", "say { 'a' }", bugs[i].bank);
    LsErr err = {0};
    Lesson *lesson = lesson_open(course, "one", book, NULL, &err);
    CHECK(lesson == NULL);
    bool told = strstr(err.message, bugs[i].message) != NULL && err.line == bugs[i].line;
    if (!told) printf("\n%s\n  %s:%d: %s\n", bugs[i].bank ? bugs[i].bank : "", err.file, err.line, err.message);
    CHECK(told);
    if (err.line) CHECK(ls_ends_with(err.file, bugs[i].bank ? "questions/X01.lua" : "one.lua"));
    lesson_free(lesson);
    drop(course);
  }
}

static const Check checks[] = {
    {"draws are the same for a seed", draws_are_the_same_for_a_seed},
    {"looks take turns", looks_take_turns},
    {"what failed is asked again", what_failed_is_asked_again},
    {"the end asks what was missed", the_end_asks_what_was_missed},
    {"a lesson asks what it asked before", a_lesson_asks_what_it_asked_before},
    {"recall without a bank asks nothing", recall_without_a_bank_asks_nothing},
    {"a draw may show its run", a_draw_may_show_its_run},
    {"a trace is one answer", a_trace_is_one_answer},
    {"words are held against a model", words_are_held_against_a_model},
    {"rows are wrapped", rows_are_wrapped},
    {"skills come when they are due", skills_come_when_they_are_due},
    {"days begin at four", days_begin_at_four},
    {"marks are logged", marks_are_logged},
    {"skills are counted", skills_are_counted},
    {"slots keep their draws", slots_keep_their_draws},
    {"bugs have places", bugs_have_places},
};

int main(int argc, char **argv) {
  setenv("LANESCOPE_DATA", LS_SOURCE_DIR, 1);
  setenv("TZ", "UTC0", 1);
  book = recipe_book_open(NULL, NULL);
  int status = check_main("frame", checks, LS_COUNT(checks), argc, argv);
  book->free(book);
  return status;
}
