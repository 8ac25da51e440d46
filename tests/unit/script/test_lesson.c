// test_lesson.c: a lesson by hand, with a stand-in for nothing: scripts are real, runs are real.
#include <unistd.h>

#include "app/course/lesson.h"
#include "base/file.h"
#include "base/mem.h"
#include "check.h"
#include "script/lesson.h"
#include "script/recipe.h"

static RecipeBook *book;
static char folder[256];

// A folder with a course of one lesson, X01, of this text.
static Course *course_of(const char *lesson) {
  static const char course[] = "return { title = 'T', lessons = { { id = 'X01', name = 'one', title = 'One', glimpse = 'g', "
                               "minutes = 1, file = 'one.lua' } } }";
  CHECK(check_folder(folder, sizeof folder));
  char *list = ls_path_join(folder, "course.lua"), *file = ls_path_join(folder, "one.lua");
  CHECK(ls_file_write(list, course, strlen(course), NULL) && ls_file_write(file, lesson, strlen(lesson), NULL));
  free(list);
  free(file);
  LsErr err = {0};
  Course *made = course_open(folder, &err);
  if (!made) printf("\n%s\n", err.message);
  return made;
}

static void drop(Course *course) {
  char *list = ls_path_join(folder, "course.lua"), *file = ls_path_join(folder, "one.lua");
  unlink(list);
  unlink(file);
  rmdir(folder);
  free(list);
  free(file);
  course->free(course);
}

static const char small[] =
    "say { title = 'First', [[\n  Some `code`\n  and *words*.\n\n  - a\n  - b\n]] }\n"
    "local r = measure { kernel = 'load_patterns', params = { pattern = 'offset', offset = 1 } }\n"
    "local load = r:event { line = 'out[lane] = base[word]', kind = 'load' }\n"
    "local given, right = predict { title = 'Guess', ask = 'How many sectors for {n} lanes?', n = load.lanes, unit = 'sectors',\n"
    "  answer = load.sectors, tips = { 'first', 'second' }, because = 'It is {answer}.' }\n"
    "show(r, { at = { line = 'out[lane] = base[word]', kind = 'load' }, focus = 'segments' })\n"
    "explain { [[You said {given}, {word}: {pct} of {moved} bytes]], given = given, word = right and 'right' or 'wrong',\n"
    "  pct = percent(load.bytes_used, load.bytes_moved), moved = load.bytes_moved }\n"
    "local option = predict { ask = 'Which?', options = { 'more', 'less' }, answer = 'less' }\n"
    "local m = predict { ask = 'Mask?', kind = 'mask', answer = load.mask }\n"
    "local reached = try { title = 'Try', goal = 'four sectors', params = { 'offset' }, solution = { offset = 8 },\n"
    "  reached = function(run) local s = run:event { line = 'out[lane] = base[word]', kind = 'load' }.sectors\n"
    "    return s == 4, s .. ' sectors' end }\n"
    "check { { ask = 'Sum?', answer = r.counters.global_load_requests } }\n"
    "finish { title = 'Done', option .. (reached and ' yes' or ' no') .. ' ' .. mask(m) }\n";

static void expect_step(const Lesson *lesson, LessonKind kind, const char *title, const char *text) {
  const LessonStep *step = lesson_current(lesson);
  CHECK_INT(step->kind, kind);
  CHECK_STR(step->title, title);
  CHECK_STR(step->text, text);
}

static void by_hand(void) {
  Course *course = course_of(small);
  LsErr err = {0};
  Lesson *lesson = lesson_open(course, "one", book, NULL, &err);
  if (!lesson) printf("\n%s:%d: %s\n", err.file, err.line, err.message);
  CHECK(lesson != NULL);
  if (!lesson) return drop(course);
  expect_step(lesson, LESSON_SAY, "First", "Some `code` and *words*.\n\n- a\n- b");
  CHECK(!lesson_back(lesson));
  CHECK_INT(lesson_next(lesson, &err), LESSON_MOVED);
  const LessonStep *step = lesson_current(lesson);
  CHECK_STR(step->question.prompt, "How many sectors for 32 lanes?");
  CHECK(step->question.answer == 5);
  CHECK_INT(step->place.run, -1);
  CHECK_INT(lesson_next(lesson, &err), LESSON_WAITS);
  CHECK(lesson_tip(lesson) && lesson_tip(lesson) && !lesson_tip(lesson));
  CHECK(lesson_answer(lesson, 4));
  CHECK(step->answered && !step->right && !lesson_answer(lesson, 5));
  CHECK_STR(step->question.because, "It is 5.");
  CHECK_INT(lesson_next(lesson, &err), LESSON_MOVED);
  expect_step(lesson, LESSON_EXPLAIN, "", "You said 4, wrong: 80% of 160 bytes");
  CHECK(lesson_current(lesson)->place.run == 0 && lesson_current(lesson)->place.focus == FOCUS_SEGMENTS);
  CHECK_INT(lesson_next(lesson, &err), LESSON_MOVED);
  CHECK(lesson_answer(lesson, 1) && lesson_current(lesson)->right);
  CHECK(lesson_back(lesson) && lesson_back(lesson));
  CHECK(lesson_current(lesson) == step && step->given == 4);
  CHECK_INT(lesson_next(lesson, &err), LESSON_MOVED);
  CHECK_INT(lesson_next(lesson, &err), LESSON_MOVED);
  CHECK_INT(lesson_next(lesson, &err), LESSON_MOVED);
  lesson_skip(lesson);
  CHECK_INT(lesson_next(lesson, &err), LESSON_MOVED);
  CHECK_INT(lesson_next(lesson, &err), LESSON_WAITS);
  lesson_skip(lesson);
  CHECK_INT(lesson_next(lesson, &err), LESSON_MOVED);
  CHECK(lesson_answer(lesson, 1));
  CHECK_INT(lesson_next(lesson, &err), LESSON_MOVED);
  expect_step(lesson, LESSON_END, "Done", "less no 0xffffffff\n\nNot right at once:\n- Guess\n- Mask?");
  CHECK_INT(lesson_next(lesson, &err), LESSON_AT_END);
  int right, asked;
  lesson_score(lesson, &right, &asked);
  CHECK_INT(right, 2);
  CHECK_INT(asked, 4);
  lesson_free(lesson);
  drop(course);
}

static void a_goal_judges_runs(void) {
  Course *course = course_of(small);
  LsErr err = {0};
  Lesson *lesson = lesson_open(course, "X01", book, NULL, &err);
  while (lesson_current(lesson)->kind != LESSON_TRY) {
    lesson_skip(lesson);
    CHECK_INT(lesson_next(lesson, &err), LESSON_MOVED);
  }
  const LessonStep *step = lesson_current(lesson);
  const Recipe *recipe = book->get(book, "load_patterns", NULL);
  CHECK(!lesson_unlocks(lesson, recipe, 0) && lesson_unlocks(lesson, recipe, 1));
  Run *base = lesson_run(lesson, step->place.run);
  CHECK(!lesson_observe(lesson, base, &err));
  CHECK_STR(step->note, "5 sectors");
  RunRequest request;
  run_request_copy(&request, &base->request);
  CHECK(recipe_set(recipe, &request.values, "pattern=aligned", NULL));      // not what the goal is about
  Run *run = run_new(&request, NULL, &err);
  CHECK(!lesson_observe(lesson, run, &err));
  CHECK_STR(step->note, "put pattern back to offset");
  run_free(run);
  CHECK(recipe_set(recipe, &request.values, "pattern=offset", NULL));
  CHECK(recipe_set(recipe, &request.values, "offset=16", NULL));
  run = run_new(&request, NULL, &err);
  CHECK(lesson_observe(lesson, run, &err));
  CHECK(step->answered && step->right);
  CHECK_STR(step->note, "4 sectors");
  run_free(run);
  run_request_fini(&request);
  CHECK_INT(lesson_next(lesson, &err), LESSON_MOVED);
  lesson_free(lesson);
  drop(course);
}

static void is_taken_up_where_it_was_left(void) {
  Course *course = course_of(small);
  LsErr err = {0};
  Progress *progress = progress_open(":memory:");
  ProgressLesson place;
  CHECK_INT(course_state(&course->lessons[0], progress, NULL), COURSE_NEW);
  Lesson *lesson = lesson_open(course, "one", book, progress, &err);
  lesson_next(lesson, &err);
  lesson_answer(lesson, 5);
  lesson_next(lesson, &err);
  lesson_next(lesson, &err);
  lesson_answer(lesson, 0);
  lesson_free(lesson);
  CHECK_INT(course_state(&course->lessons[0], progress, &place), COURSE_BEGUN);
  CHECK(place.step == 3 && place.right == 1 && place.asked == 2);
  lesson = lesson_open(course, "one", book, progress, &err);
  CHECK_INT(lesson_index(lesson), 3);
  CHECK(lesson_back(lesson));
  expect_step(lesson, LESSON_EXPLAIN, "", "You said 5, right: 80% of 160 bytes");
  CHECK(lesson_auto(lesson, NULL, NULL, &err));
  lesson_free(lesson);
  CHECK_INT(course_state(&course->lessons[0], progress, &place), COURSE_DONE);
  CHECK_INT(place.steps, 8);
  lesson = lesson_open(course, "one", book, progress, &err);
  CHECK_INT(lesson_index(lesson), 0);
  lesson_free(lesson);
  progress_close(progress);
  drop(course);
}

// The explorer stands where the script says, comes back after the student went away, and keeps its session.
static void shows_its_places(void) {
  Course *course = course_of(small);
  LsErr err = {0};
  Session *session = NULL;
  Lesson *lesson = lesson_open(course, "one", book, NULL, &err);
  lesson_show(lesson, &session);
  CHECK(session == NULL);
  while (lesson_current(lesson)->place.run < 0) {
    lesson_skip(lesson);
    CHECK_INT(lesson_next(lesson, &err), LESSON_MOVED);
  }
  const LessonPlace *place = &lesson_current(lesson)->place;
  lesson_show(lesson, &session);
  CHECK(session != NULL);
  Session *first = session;
  const Scene *scene = ses_scene(session);
  CHECK(session->step == place->step && scene->event.kind == TRACE_LOAD && scene->event.space == TRACE_GLOBAL);
  CHECK(session->focus == FOCUS_SEGMENTS && !session->focus_auto && !session->zoom);
  CHECK_STR(session->run->info.parameters, "pattern=offset offset=1");
  Command away = {.id = CMD_FIRST};
  ses_command(session, &away);
  CHECK_INT(session->step, 0);
  RunRequest request;
  run_request_copy(&request, &session->run->request);
  CHECK(recipe_set(request.recipe, &request.values, "offset=3", NULL));
  ses_replace_run(session, run_new(&request, NULL, &err));
  run_request_fini(&request);
  lesson_show(lesson, &session);
  CHECK(session == first);
  CHECK(session->step == place->step);
  CHECK_STR(session->run->info.parameters, "pattern=offset offset=1");
  ses_free(session);
  lesson_free(lesson);
  drop(course);
}

// ---- lessons with a bug -------------------------------------------------------------------------------------------------

typedef struct Bug { const char *text; int line; const char *message; } Bug;

static void bugs_have_places(void) {
  static const Bug bugs[] = {
      {"say { 'a' }\nsay { title = nil + 1 }", 2, "attempt to perform arithmetic on a nil value"},
      {"say { 'a' }\n\nsay 'text'", 3, "this takes a table"},
      {"say { 'a' }\nsay { 'with {missing}' }", 2, "the text has {missing}, but no value of that name"},
      {"predict { ask = 'x' }", 1, "number question: there is no 'answer'"},
      {"predict { answer = 1 }", 1, "there is no 'ask'"},
      {"predict { ask = 'x', options = { 'a', 'b' }, answer = 'c' }", 1, "the answer 'c' is not among the options"},
      {"predict { ask = 'x', kind = 'shape', answer = 1 }", 1, "there is no question of kind 'shape'"},
      {"predict { ask = 'x', kind = 'mask', answer = 0.5 }", 1, "the answer is not a mask"},
      {"say { 'a' }\nrun { kernel = 'load_pattern' }", 2, "there is no lecture kernel 'load_pattern'"},
      {"run { kernel = 'load_patterns', params = { offset = 99 } }", 1, "offset is 99; it can be 0 to 64"},
      {"run { }", 1, "run has no field 'kernel'"},
      {"local r = run { kernel = 'load_patterns' }\nlocal x = r.counters.global_load", 2, "there is no 'global_load' here"},
      {"local r = run { kernel = 'load_patterns' }\nr:event { kind = 'shuffle' }", 2, "the run has no such event (number 1 of 0)"},
      {"local r = run { kernel = 'load_patterns' }\nr:line('no such text')", 2,
       "no line of load_patterns.cu has 'no such text' in it"},
      {"local r = run { kernel = 'load_patterns' }\nr:event { knid = 'load' }", 2,
       "the event has an unknown field 'knid'; did you mean 'kind'?"},
      {"local r = run { kernel = 'load_patterns' }\nshow(r, { focus = 'bank' })", 2, "there is no focus 'bank'"},
      {"local r = run { kernel = 'load_patterns' }\nshow(r, { at = { kind = 'vote' } })", 2, "the run has no such event"},
      {"focus { zoom = true }", 1, "no run is shown"},
      {"try { goal = 'x', solution = { a = 1 }, reached = function() end }", 1, "show a run first"},
      {"picture { 'ocupancy' }", 1, "there is no model 'ocupancy'"},
      {"picture { 'occupancy', params = { register = 3 } }", 1, "did you mean registers"},
      {"local m = model { 'occupancy' }\nsay { tostring(m.block) }", 2, "there is no 'block' here"},
      {"model 'occupancy'", 1, "this takes a table"},
      {"run { kernel = 'bcast' }\ntry { goal = 'x', reached = function() end }", 2, "try has no solution"},
      {"run { kernel = 'bcast' }\ntry { goal = 'x', solution = { arg = 1 } }", 2, "try has no field 'reached'"},
      {"coroutine.yield(5)", 1, "what the lesson asks for: a number, not a table"},
      {"coroutine.yield()", 0, "the lesson asks for nothing"},
      {"say { 'a' }\nwhile true do end", 2, "used up its instructions"},
      {"while true do pcall(say, { 'a' }) end", 0, "more than"},
      {"local x = = 1", 1, "unexpected symbol"},
      {"use 'nothing'", 1, "nothing"},
      {"use '../course'", 1, "there is no library '../course'"},
  };
  for (int i = 0; i < LS_COUNT(bugs); i++) {
    Course *course = course_of(bugs[i].text);
    LsErr err = {0};
    Lesson *lesson = lesson_open(course, "one", book, NULL, &err);
    bool ok = lesson && lesson_auto(lesson, NULL, NULL, &err);
    CHECK(!ok);
    if (!strstr(err.message, bugs[i].message) || err.line != bugs[i].line)
      printf("\n%s\n  %s:%d: %s\n", bugs[i].text, err.file, err.line, err.message);
    CHECK(strstr(err.message, bugs[i].message) != NULL);
    CHECK_INT(err.line, bugs[i].line);
    if (err.line) CHECK(ls_ends_with(err.file, "/one.lua"));
    lesson_free(lesson);
    drop(course);
  }
}

static void a_goal_can_be_broken(void) {
  Course *course = course_of("run { kernel = 'bcast' }\ntry { goal = 'x', solution = { arg = 1 },\n reached = function(r) return "
                             "r.nothing end }");
  LsErr err = {0};
  Lesson *lesson = lesson_open(course, "one", book, NULL, &err);
  CHECK(!lesson_auto(lesson, NULL, NULL, &err));
  CHECK_INT(err.line, 3);
  CHECK_STR(err.message, "a run has no 'nothing'");
  lesson_free(lesson);
  drop(course);
  course = course_of("local kept\nrun { kernel = 'bcast' }\ntry { goal = 'x', solution = { arg = 1 }, reached = function(r)\n"
                     " if kept then return kept.steps end kept = r return true end }\n say { 'steps ' .. kept.steps }");
  lesson = lesson_open(course, "one", book, NULL, &err);
  CHECK(!lesson_auto(lesson, NULL, NULL, &err));
  CHECK_STR(err.message, "this run is over: look at it inside of the function that got it");
  lesson_free(lesson);
  drop(course);
  course = course_of("run { kernel = 'bcast' }\ntry { goal = 'win', solution = { arg = 1 }, reached = function() return false, "
                     "'no' end }");
  lesson = lesson_open(course, "one", book, NULL, &err);
  CHECK(!lesson_auto(lesson, NULL, NULL, &err));
  CHECK_STR(err.message, "X01, step 1: the solution does not reach the goal 'win': no");
  lesson_free(lesson);
  drop(course);
}

// ---- answers and texts --------------------------------------------------------------------------------------------------

static void parses(const LessonQuestion *question, const char *text, double expected) {
  double value = -1;
  LsErr err = {0};
  bool ok = lesson_parse_answer(question, text, &value, &err);
  if (!ok || value != expected) printf("\n'%s': %g, %s\n", text, value, err.message);
  CHECK(ok && value == expected);
}

static void answers_are_parsed(void) {
  static const char *options[] = {"more", "the same", "33%"};
  LessonQuestion choice = {.kind = QUESTION_CHOICE, .options = options, .option_count = 3};
  LessonQuestion number = {.kind = QUESTION_NUMBER, .unit = "sectors"}, mask = {.kind = QUESTION_MASK};
  double value;
  LsErr err = {0};
  parses(&choice, "a", 0);
  parses(&choice, " C ", 2);
  parses(&choice, "2", 1);
  parses(&choice, "The Same", 1);
  CHECK(!lesson_parse_answer(&choice, "d", &value, &err));
  CHECK_STR(err.message, "answer with a number from 1 to 3, or with the words of an option");
  CHECK(!lesson_parse_answer(&choice, "", &value, &err));
  parses(&number, "1,024", 1024);
  parses(&number, "1/4", 0.25);
  parses(&number, "12.5%", 12.5);
  parses(&number, "0x10", 16);
  CHECK(!lesson_parse_answer(&number, "1/0", &value, &err) && !lesson_parse_answer(&number, "x", &value, &err));
  CHECK(!lesson_parse_answer(&number, "nan", &value, &err) && !lesson_parse_answer(&number, "inf", &value, &err));
  parses(&mask, "0-15", 65535);
  parses(&mask, "0, 2,31", 2147483653.0);
  parses(&mask, "0xFFFF0000", 4294901760.0);
  parses(&mask, "all", 4294967295.0);
  parses(&mask, "even", 0x55555555);
  parses(&mask, "none", 0);
  CHECK(!lesson_parse_answer(&mask, "0-32", &value, &err) && !lesson_parse_answer(&mask, "5-3", &value, &err));
  CHECK(!lesson_parse_answer(&mask, "0x100000000", &value, &err) && !lesson_parse_answer(&mask, "", &value, &err));
  LsText text = {0};
  lesson_answer_text(&number, 5, &text);
  ls_text_addc(&text, '|');
  lesson_answer_text(&choice, 1, &text);
  ls_text_addc(&text, '|');
  lesson_answer_text(&mask, 65535, &text);
  CHECK_STR(text.data, "5 sectors|b) the same|0x0000ffff, lanes 0-15");
  ls_text_clear(&text);
  LessonQuestion percent = {.kind = QUESTION_NUMBER, .unit = "%"},
      branches = {.kind = QUESTION_NUMBER, .unit = "branches"}, copies = {.kind = QUESTION_NUMBER, .unit = "copies"};
  lesson_answer_text(&percent, 100 / 3.0, &text);
  ls_text_addc(&text, '|');
  lesson_answer_text(&percent, 1152, &text);
  ls_text_addc(&text, '|');
  lesson_answer_text(&branches, 1, &text);
  ls_text_addc(&text, '|');
  lesson_answer_text(&branches, 0, &text);
  ls_text_addc(&text, '|');
  lesson_answer_text(&copies, 1, &text);
  CHECK_STR(text.data, "33.3%|1152%|1 branch|0 branches|1 copy");
  ls_text_free(&text);
}

static void markup_is_taken_apart(void) {
  const char *text = "a `b * c` 2 * 3 *very* `open", *start;
  LsText out = {0};
  int length, style;
  while (lesson_span(&text, &start, &length, &style)) ls_text_addf(&out, "[%d%.*s]", style, length, start);
  CHECK_STR(out.data, "[0a ][1b * c][0 2 ][0* 3 ][2very][0 ][0`open]");
  ls_text_free(&out);
}

static void courses_find_lessons(void) {
  LsErr err = {0};
  Course *course = course_open(LS_SOURCE_DIR "/lessons", &err);
  if (!course) printf("\n%s:%d: %s\n", err.file, err.line, err.message);
  CHECK(course != NULL);
  CHECK_INT(course->count, 18);
  static const char *const names[] = {"L03", "l03", "3", "L3", "warps", "WARPS"};
  for (int i = 0; i < LS_COUNT(names); i++) CHECK(course_find(course, names[i], &err) == &course->lessons[2]);
  CHECK(!course_find(course, "wraps", &err));
  CHECK(strstr(err.message, "there is no lesson 'wraps'\nDid you mean warps?\nthere are: L01 hello, ") == err.message);
  CHECK(!course_find(course, "99", &err) && !course_find(course, "", &err));
  for (int i = 0; i < course->count; i++)
    for (int k = 0; k < course->lessons[i].kernel_count; k++)
      CHECK(book->get(book, course->lessons[i].kernels[k], NULL) != NULL);
  Progress *progress = progress_open(":memory:");
  const CourseLesson *planned = course_find(course, "L18", NULL);
  if (!planned->file) {
    CHECK(!lesson_open(course, "L18", book, progress, &err));
    CHECK(strstr(err.message, "is planned but not written yet") != NULL);
    CHECK_INT(course_state(planned, progress, NULL), COURSE_PLANNED);
  }
  progress_close(progress);
  course->free(course);
}

// ---- the lessons that ship ----------------------------------------------------------------------------------------------

// Rows that a text takes when wrapped to a width.
static int rows_of(const char *text, int width) {
  int rows = 0;
  while (text && *text) {
    int length = (int)strcspn(text, "\n"), column = 0, row_count = 1;
    for (int i = 0; i < length;) {
      int word = (int)strcspn(text + i, " \n");
      if (column && column + 1 + word > width) {
        row_count++;
        column = word;
      } else {
        column += word + (column ? 1 : 0);
      }
      i += word;
      while (i < length && text[i] == ' ') i++;
    }
    rows += row_count;
    text += length + (text[length] == '\n');
  }
  return rows;
}

enum { RAIL_WIDTH = 38, RAIL_ROWS = 26, WIDE_WIDTH = 76, WIDE_ROWS = 13 };

// Rows of what may be chosen, and of the words about how.
static int choice_rows(const LessonQuestion *question, int width) {
  enum { LABEL = 6, LANE_ROWS = 3, HOW_ROWS = 2 };
  int rows = question->kind == QUESTION_MASK ? LANE_ROWS : question->kind == QUESTION_ORDER && question->spare ? 1 : 0;
  bool listed = question->kind <= QUESTION_ORDER;   // of a line and a text the options are not shown
  for (int i = 0; i < question->option_count && listed; i++) rows += rows_of(question->options[i], width - LABEL);
  return rows + (question->kind == QUESTION_CHOICE || question->kind == QUESTION_NUMBER ? 1 : HOW_ROWS);
}

static int step_rows(const LessonStep *step, int width) {
  int rows = 1 + rows_of(step->text, width);
  if (step->kind == LESSON_PREDICT || step->kind == LESSON_CHECK)
    rows += 1 + rows_of(step->question.prompt, width) + choice_rows(&step->question, width);
  if (step->kind == LESSON_TRY) rows += 1 + rows_of(step->goal.wanted, width) + 1;
  if (step->work && *step->goal.wanted) rows += 1 + rows_of(step->goal.wanted, width);
  if (step->work && step->work->kind != WORK_ORDER) rows += 1 + work_options(step->work);   // where nothing compiles
  return rows;
}

typedef struct Tally { int steps, questions, predictions, tries; bool print; } Tally;

static void tally_step(void *context, const Lesson *lesson, const LessonStep *step) {
  Tally *tally = context;
  tally->steps++;
  tally->questions += step->kind == LESSON_PREDICT || step->kind == LESSON_CHECK;
  tally->predictions += step->kind == LESSON_PREDICT;
  tally->tries += step->kind == LESSON_TRY || step->kind == LESSON_WORK;   // something is done
  int narrow = step_rows(step, RAIL_WIDTH), wide = step_rows(step, WIDE_WIDTH);
  if (narrow > RAIL_ROWS || wide > WIDE_ROWS)
    printf("\n%s step %d '%s' is too long: %d rows of %d, %d of %d\n", lesson_info(lesson)->id, tally->steps, step->title,
           narrow, RAIL_WIDTH, wide, WIDE_WIDTH);
  CHECK(narrow <= RAIL_ROWS && wide <= WIDE_ROWS);
  CHECK(step->title && *step->title);
  if (!tally->print) return;
  LsText text = {0};
  lesson_print_step(step, &text);
  printf("\n%s", text.data);
  ls_text_free(&text);
}

static void shipped_lessons_play(void) {
  LsErr err = {0};
  Course *course = course_open(NULL, &err);
  for (int i = 0; course && i < course->count; i++) {
    const CourseLesson *info = &course->lessons[i];
    if (!info->file) continue;
    Tally tally = {.print = getenv("PRINT") && strcmp(getenv("PRINT"), info->id) == 0};
    err = (LsErr){0};
    Lesson *lesson = lesson_open(course, info->id, book, NULL, &err);
    bool ok = lesson && lesson_auto(lesson, tally_step, &tally, &err);
    if (!ok) printf("\n%s: %s:%d: %s\n", info->id, err.file, err.line, err.message);
    CHECK(ok);
    CHECK_INT(info->steps, tally.steps);
    CHECK_INT(info->questions, tally.questions);
    CHECK(tally.predictions >= 6 && tally.tries >= 2);
    lesson_free(lesson);
  }
  if (course) course->free(course);
}

// ---- models --------------------------------------------------------------------------------------------------------

static const char with_models[] =
    "local v100 = function(t, r) return { profile = 'v100', threads = t, registers = r } end\n"
    "local full = model { 'occupancy', params = v100(256, 32) }\n"
    "predict { title = 'Guess', [[{blocks} blocks; {words}]], blocks = full.blocks, words = full.words, ask = 'Blocks?',\n"
    "  answer = model({ 'occupancy', params = v100(256, 33) }).blocks }\n"
    "local shown = picture { 'occupancy', params = v100(1024, 33) }\n"
    "explain { [[{warps} {any}]], warps = shown.warps, any = tostring(shown.by_shared) }\n"
    "try { goal = '48 warps', params = { 'threads' }, solution = { threads = 256 },\n"
    "  reached = function(sm) return sm.warps == 48, sm.warps .. ' warps' end }\n"
    "hide() finish { 'over' }\n";

static bool observe(Lesson *lesson, const char *assignment) {
  LsErr err = {0};
  ModelValues values = lesson_current(lesson)->place.values;
  CHECK(model_set(lesson_current(lesson)->place.model, &values, assignment, &err));
  bool reached = lesson_observe_model(lesson, &values, &err);
  CHECK_INT(err.kind, LS_OK);
  return reached;
}

static void models_are_asked_and_shown(void) {
  Course *course = course_of(with_models);
  LsErr err = {0};
  Lesson *lesson = lesson_open(course, "one", book, NULL, &err);
  if (!lesson) printf("\n%s:%d: %s\n", err.file, err.line, err.message);
  CHECK(lesson != NULL);
  if (!lesson) return drop(course);
  const LessonStep *step = lesson_current(lesson);
  CHECK(ls_starts_with(step->text, "8 blocks; 8 blocks of 8 warps: 64 of 64 warps") && step->question.answer == 6);
  CHECK(step->place.model == NULL);
  lesson_answer(lesson, 6);
  CHECK_INT(lesson_next(lesson, &err), LESSON_MOVED);
  step = lesson_current(lesson);
  CHECK_STR(step->text, "32 false");
  CHECK(step->place.model && strcmp(step->place.model->recipe.name, "occupancy") == 0 && step->place.run == -1);
  CHECK_INT(step->place.values.numbers.value[1], 1024);
  CHECK_INT(lesson_next(lesson, &err), LESSON_MOVED);
  CHECK(!observe(lesson, "threads=640") && !observe(lesson, "registers=30"));
  CHECK_STR(lesson_current(lesson)->note, "put registers back to 33");
  CHECK(!observe(lesson, "threads=992"));
  CHECK_STR(lesson_current(lesson)->note, "31 warps");
  CHECK_INT(lesson_next(lesson, &err), LESSON_WAITS);
  CHECK(observe(lesson, "threads=384") && lesson_current(lesson)->answered);
  CHECK_INT(lesson_next(lesson, &err), LESSON_MOVED);
  CHECK(lesson_current(lesson)->place.model == NULL);
  lesson_free(lesson);
  lesson = lesson_open(course, "one", book, NULL, &err);
  CHECK(lesson && lesson_auto(lesson, NULL, NULL, &err));
  lesson_free(lesson);
  drop(course);
}

// With more warps the model runs for longer, and its time goes along: that is not another parameter of the student's.
static const char with_time[] =
    "picture { 'latency', params = { program = 'two chains', warps = 4, arithmetic = 20 } }\n"
    "try { goal = 'no empty cycle', params = { 'warps' }, solution = { warps = 10 },\n"
    "  reached = function(now) return now.empty == 0, now.empty .. ' empty' end }\n"
    "hide() finish { 'over' }\n";

static void time_of_a_model_is_free(void) {
  Course *course = course_of(with_time);
  LsErr err = {0};
  Lesson *lesson = lesson_open(course, "one", book, NULL, &err);
  CHECK(lesson != NULL);
  if (!lesson) return drop(course);
  CHECK(!observe(lesson, "arithmetic=10"));
  CHECK_STR(lesson_current(lesson)->note, "put arithmetic back to 20");
  CHECK(!observe(lesson, "warps=9") && !strstr(lesson_current(lesson)->note, "until"));
  CHECK(observe(lesson, "warps=10"));
  lesson_free(lesson);
  drop(course);
}

static const Check checks[] = {
    {"by hand", by_hand},
    {"a goal judges runs", a_goal_judges_runs},
    {"is taken up where it was left", is_taken_up_where_it_was_left},
    {"shows its places", shows_its_places},
    {"bugs have places", bugs_have_places},
    {"a goal can be broken", a_goal_can_be_broken},
    {"answers are parsed", answers_are_parsed},
    {"markup is taken apart", markup_is_taken_apart},
    {"courses find lessons", courses_find_lessons},
    {"shipped lessons play", shipped_lessons_play},
    {"models are asked and shown", models_are_asked_and_shown},
    {"the time of a model is free", time_of_a_model_is_free},
};

int main(int argc, char **argv) {
  setenv("LANESCOPE_DATA", LS_SOURCE_DIR, 1);
  book = recipe_book_open(NULL, NULL);
  int status = check_main("lesson", checks, LS_COUNT(checks), argc, argv);
  book->free(book);
  return status;
}
