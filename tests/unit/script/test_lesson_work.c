// test_lesson_work.c: code that a student writes in a lesson: filled, written, put in order; compiled, run and judged.
#include "course_of.h"
#include "script/recipe.h"

static RecipeBook *book;

static const char modifies[] =
    "modify { id = 'lane', title = 'A lane', [[Fill in.]], kernel = 'warp_map_40x2', line = 'lane[rank] =',\n"
    "  blank = 'lane[rank] = ____;', fill = 'rank % 32', accept = { 'rank & 31' }, runs = { {}, { bx = 8, by = 8 } },\n"
    "  wrong = { ['threadIdx.x % 32'] = 'Rows do not matter: {n} threads are numbered on.', ['rank / 32'] = true },\n"
    "  n = 80, offered = { 'rank' }, tips = { 'How many lanes?' }, because = 'Counted on.' }\n"
    "say { 'done' }\n";

static const LessonStep *tries(Lesson *lesson, const char *text, bool passes) {
  LsErr err = {0};
  bool passed = lesson_work_try(lesson, text, &err);
  LsText said = {0};
  work_print_result(lesson_work(lesson), &said);
  if (passed != passes) printf("\n'%s': %s %s\n", text, ls_text_str(&said), err.message);
  CHECK(passed == passes);
  CHECK_INT(err.kind, LS_OK);
  ls_text_free(&said);
  return lesson_current(lesson);
}

static void a_blank_is_filled(void) {
  CourseOf of = course_of(modifies);
  Lesson *lesson = course_of_lesson(&of, book);
  LsErr err = {0};
  if (lesson) {
    CHECK_INT(lesson_next(lesson, &err), LESSON_WAITS);
    const LessonStep *step = tries(lesson, "threadIdx.x%32", false);
    CHECK_STR(step->work->says, "Rows do not matter: 80 threads are numbered on.");
    CHECK(!step->answered && step->work->rows[0].done && !step->work->rows[0].right);
    tries(lesson, " rank  %32", true);
    CHECK(step->answered && step->right);
    CHECK_INT(lesson_next(lesson, &err), LESSON_MOVED);
  }
  lesson_free(lesson);
  course_of_drop(&of);
}

// What the student may type: nothing of it ends more than the try.
static void broken_code_is_told(void) {
  CourseOf of = course_of(modifies);
  Lesson *lesson = course_of_lesson(&of, book);
  if (lesson && work_can_compile()) {
    const LessonWork *work = tries(lesson, "rnk % 32", false)->work;
    CHECK_INT(work->message_count, 1);
    CHECK_INT(work->messages[0].line, 10);
    CHECK(strstr(work->messages[0].text, "rnk") != NULL);
    tries(lesson, "(rank % 32", false);
    CHECK(work->message_count > 0 && work->messages[0].line >= 10);
    tries(lesson, "", false);
    CHECK(work->message_count > 0);
    tries(lesson, "0; lane[rank + 4096] = 1", false);
    CHECK_INT(work->rows[0].line, 10);
    CHECK(strstr(work->rows[0].note, "thread (0,0,0)") != NULL);
    if (!strstr(work->rows[0].note, "thread (0,0,0)")) printf("\n%s\n", work->rows[0].note);
    tries(lesson, "0; for (;;) lane[rank]++", false);
    CHECK_INT(work->rows[0].line, 10);
    tries(lesson, "rank % 32; if (blockDim.x == 8) lane[rank] = 7", false);
    CHECK(work->rows[0].right && work->rows[1].done && !work->rows[1].right);
    CHECK_STR(work->rows[1].values, "bx=8 by=8");
    tries(lesson, "\"\n#error \\", false);
  }
  lesson_free(lesson);
  course_of_drop(&of);
}

static const char makes[] =
    "make { title = 'Guard', [[Write it.]], kernel = 'reduce2', from = 'if (id < k)', to = '__syncthreads();',\n"
    "  starter = '    tsum[id] += tsum[id + k];',\n"
    "  solution = [[\n    if (id < k)\n      tsum[id] += tsum[id + k];\n    __syncthreads();\n  ]],\n"
    "  others = { { 'no barrier', [[\n    if (id < k)\n      tsum[id] += tsum[id + k];\n  ]], says = 'Who waits?' },\n"
    "    { 'barrier inside', [[\n    if (id < k) {\n      tsum[id] += tsum[id + k];\n      __syncthreads();\n    }\n]] } },\n"
    "  runs = { { N = 256, threads = 64 } },\n"
    "  judged = function(run, p) return run.counters.barriers > 3 and p.threads == 64, 'barriers ' .. run.counters.barriers end }\n";

static void lines_are_written(void) {
  CourseOf of = course_of(makes);
  Lesson *lesson = course_of_lesson(&of, book);
  LsErr err = {0};
  if (lesson) {
    const LessonWork *work = lesson_work(lesson);
    CHECK_STR(work->original, "    if (id < k)\n      tsum[id] += tsum[id + k];\n    __syncthreads();");
    CHECK_INT(work->first_line, 17);
    bool ok = lesson_work_check(lesson, &err);
    if (!ok) printf("\n%s\n", err.message);
    CHECK(ok);
    tries(lesson, work->answers[1].text, false);
    CHECK_STR(work->says, "Who waits?");
    CHECK(work->run != NULL && work->run->request.text != NULL);
    CHECK(strstr(work->run->info.sources[0].text, "if (id < k)\n      tsum[id] += tsum[id + k];\n  }") != NULL);
  }
  lesson_free(lesson);
  course_of_drop(&of);
}

static const char orders[] =
    "parsons { title = 'Order', [[Put them in order.]], kernel = 'reduce2', from = 'if (id < k)', to = '__syncthreads();',\n"
    "  spare = { '    tsum[id + k] += tsum[id];' }, runs = { { N = 256, threads = 64 } } }\n";

static void lines_are_put_in_order(void) {
  CourseOf of = course_of(orders);
  Lesson *lesson = course_of_lesson(&of, book);
  LsErr err = {0};
  if (lesson) {
    const LessonWork *work = lesson_work(lesson);
    CHECK_INT(work->piece_count, 4);
    int order[WORK_PIECES], count, at[4];
    for (int i = 0; i < 4; i++) at[work->shuffle[i]] = i + 1;
    char typed[32];
    snprintf(typed, sizeof typed, "%d %d, %d", at[0], at[1], at[2]);
    CHECK(work_parse_order(work, typed, order, &count, &err) && count == 3 && order[0] == 0 && order[2] == 2);
    char *text = work_ordered(work, order, count);
    CHECK_STR(text, work->original);
    CHECK_INT(work_first_misplaced(work, text), 0);
    tries(lesson, text, true);
    free(text);
    order[1] = 3;
    text = work_ordered(work, order, 3);
    CHECK_INT(work_first_misplaced(work, text), 2);
    if (work_can_compile()) tries(lesson, text, false);
    free(text);
    CHECK(!work_parse_order(work, "1 1", order, &count, &err) && !work_parse_order(work, "5", order, &count, &err));
    CHECK(!work_parse_order(work, "", order, &count, &err) && !work_parse_order(work, "a b", order, &count, &err));
  }
  lesson_free(lesson);
  course_of_drop(&of);
}

static void answers_that_lie_are_found(void) {
  static const struct { const char *text, *message; } lies[] = {
      {"modify { title = 'T', kernel = 'warp_map_40x2', line = 'lane[rank] =', blank = 'lane[rank] = ____;',\n"
       " fill = 'rank % 32', wrong = { ['rank & 31'] = 'no' } }", "'rank & 31' is called wrong, but it passes"},
      {"modify { title = 'T', kernel = 'warp_map_40x2', line = 'lane[rank] =', blank = 'lane[rank] = ____;',\n"
       " fill = 'rank % 32', accept = { 'rank / 32' } }", "'rank / 32' is called right, but it fails: "},
  };
  for (int i = 0; i < LS_COUNT(lies); i++) {
    CourseOf of = course_of(lies[i].text);
    Lesson *lesson = course_of_lesson(&of, book);
    LsErr err = {0};
    CHECK(lesson && !lesson_work_check(lesson, &err));
    if (!strstr(err.message, lies[i].message)) printf("\n%s\n", err.message);
    CHECK(strstr(err.message, lies[i].message) != NULL);
    lesson_free(lesson);
    course_of_drop(&of);
  }
}

static void works_with_a_bug(void) {
  static const char fill[] =
      "modify { title = 'T', kernel = 'warp_map_40x2', line = 'lane[rank] =',\n blank = 'lane[rank] = ____;'";
  static const struct { const char *rest; int line; const char *message; } bugs[] = {
      {" }", 1, "modify needs 'fill', a string"},
      {", fill = 'rank / 32' }", 0, "the solution of 'T' does not pass: "},
      {", fill = 'rank % 32', runs = { { bz = 1 } } }", 1, "has no parameter 'bz'"},
      {", fill = 'rank % 32', runs = {} }", 1, "work has 1 to 8 runs, not 0"},
      {", fill = 'rank % 32', judged = 5 }", 1, "modify needs 'judged', a function"},
      {", fill = 'rank % 32',\n judged = function(run) return run.nothing end }", 3, "a run has no 'nothing'"},
      {", fill = 'rank % 32',\n judged = function() return false, 'never' end }", 0, "does not pass: never"},
  };
  for (int i = 0; i < LS_COUNT(bugs); i++) {
    LsText text = {0};
    ls_text_addf(&text, "%s%s", fill, bugs[i].rest);
    course_of_fails(ls_text_str(&text), bugs[i].line, bugs[i].message, book);
    ls_text_free(&text);
  }
  course_of_fails("modify { kernel = 'bcast', line = 'no such', blank = '____', fill = '1' }", 1,
                  "no line of bcast.cu has 'no such' in it", book);
  course_of_fails("modify { kernel = 'warp_map_40x2', line = 'lane[rank] =', blank = 'lane', fill = '1' }", 1,
                  "'blank' has no blank in it", book);
  course_of_fails("make { kernel = 'stream_pipeline', from = 'x', solution = '1' }", 1, "it is a model or a program",
                  book);
  course_of_fails("make { kernel = 'reduce2', from = 'if (id < k)', to = 'nowhere', solution = '1' }", 1,
                  "no line of reduce2.cu after 'if (id < k)' has 'nowhere' in it", book);
  course_of_fails("make { kernel = 'reduce2', from = 'if (id < k)', solution = '1', others = { 'x' } }", 1,
                  "others: number 1 is not", book);
}

// What was tried, right or wrong, is there when the student comes back.
static void code_is_kept(void) {
  static const char both[] =
      "parsons { id = 'o', title = 'O', kernel = 'reduce2', from = 'if (id < k)', to = '__syncthreads();',\n"
                             "  spare = { 'x' }, runs = { { N = 256, threads = 64 } } }\n"
                             "modify { id = 'm', title = 'M', kernel = 'warp_map_40x2', line = 'lane[rank] =',\n"
                             "  blank = 'lane[rank] = ____;', fill = 'rank % 32' }\n";
  CourseOf of = course_of(both);
  LsErr err = {0};
  Progress *progress = progress_open(":memory:");
  Lesson *lesson = lesson_open(of.course, "one", book, progress, &err);
  CU_ASSERT_FATAL(lesson != NULL);
  tries(lesson, lesson_work(lesson)->original, true);
  CHECK_INT(lesson_next(lesson, &err), LESSON_MOVED);
  tries(lesson, "rank / 32", false);
  lesson_free(lesson);
  lesson = lesson_open(of.course, "one", book, progress, &err);
  CU_ASSERT_FATAL(lesson != NULL && lesson_index(lesson) == 1);
  CHECK_STR(lesson_work(lesson)->text, "rank / 32");
  CHECK(lesson_waits(lesson_current(lesson)) && lesson_back(lesson) && !lesson_waits(lesson_current(lesson)));
  int order[WORK_PIECES];
  CHECK_INT(work_take_order(lesson_work(lesson), lesson_work(lesson)->text, order), 3);
  CHECK(order[0] == 0 && order[1] == 1 && order[2] == 2);
  CHECK_INT(work_take_order(lesson_work(lesson), "x\nx", order), 0);
  CHECK_INT(work_take_order(lesson_work(lesson), "x", order), 1);
  lesson_free(lesson);
  progress_close(progress);
  course_of_drop(&of);
}

static void plays_by_itself(void) {
  const char *const lessons[] = {modifies, makes, orders};
  for (int i = 0; i < LS_COUNT(lessons); i++) {
    CourseOf of = course_of(lessons[i]);
    Lesson *lesson = course_of_lesson(&of, book);
    LsErr err = {0};
    bool ok = lesson && lesson_auto(lesson, NULL, NULL, &err);
    if (!ok) printf("\n%s\n", err.message);
    CHECK(ok);
    lesson_free(lesson);
    course_of_drop(&of);
  }
}

static const Check checks[] = {
    {"a blank is filled", a_blank_is_filled},
    {"broken code is told", broken_code_is_told},
    {"lines are written", lines_are_written},
    {"lines are put in order", lines_are_put_in_order},
    {"answers that lie are found", answers_that_lie_are_found},
    {"works with a bug", works_with_a_bug},
    {"code is kept", code_is_kept},
    {"plays by itself", plays_by_itself},
};

int main(int argc, char **argv) {
  setenv("LANESCOPE_DATA", LS_SOURCE_DIR, 1);
  if (!work_can_compile()) return 77;      // only answers of shipped lessons can be tried then: test_fills
  book = recipe_book_open(NULL, NULL);
  int status = check_main("lesson_work", checks, LS_COUNT(checks), argc, argv);
  book->free(book);
  return status;
}
