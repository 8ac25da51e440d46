// test_question.c: questions from Lua to the verdict: foreseen wrong answers, second tries, what is saved.
#include "course_of.h"
#include "script/recipe.h"

static RecipeBook *book;

static Lesson *opened(const CourseOf *of, Progress *progress) {
  LsErr err = {0};
  Lesson *lesson = lesson_open(of->course, "one", book, progress, &err);
  if (!lesson) printf("\n%s:%d: %s\n", err.file, err.line, err.message);
  CU_ASSERT_FATAL(lesson != NULL);
  return lesson;
}

static void says(const char *prints, void (*print)(const LessonStep *step, LsText *out), const Lesson *lesson) {
  LsText text = {0};
  print(lesson_current(lesson), &text);
  CHECK_STR(ls_text_str(&text), prints);
  ls_text_free(&text);
}

static void check_score(const Lesson *lesson, int right, int asked) {
  int got_right, got_asked;
  lesson_score(lesson, &got_right, &got_asked);
  CHECK_INT(got_right, right);
  CHECK_INT(got_asked, asked);
}

// ---- wrong answers -------------------------------------------------------------------------------------------------

static const char three[] =
    "local given, right = predict { id = 'warps', ask = 'Warps of {n} threads?', n = 80, answer = 3, unit = 'warps',\n"
    "  wrong = { [2] = '{n} / 32 is 2.5.', [80] = 'That is threads.' }, tips = { 'one', 'two' }, because = 'It is {answer}.' }\n"
    "local word = predict { id = 'which', ask = 'Which?', options = { 'a lane', 'a warp', 3 }, answer = 'a warp',\n"
    "  wrong = { ['a lane'] = 'One of 32.', [3] = 'A number.' } }\n"
    "local m = predict { id = 'lanes', ask = 'Lanes?', kind = 'mask', answer = 0xf, wrong = { [0xf0] = 'The other end.' } }\n"
    "say { title = 'Now', '{given} {word} {m} {right}', given = given, word = word, m = mask(m), right = tostring(right) }\n";

static void a_foreseen_answer_is_met(void) {
  CourseOf of = course_of(three);
  Lesson *lesson = opened(&of, NULL);
  const LessonStep *step = lesson_current(lesson);
  CHECK_STR(step->id, "warps");
  CHECK(lesson_answer(lesson, 2));
  CHECK_STR(step->said, "80 / 32 is 2.5.");
  CHECK(lesson_waits(step) && step->tips_shown == 1 && step_is_open(step));
  says("answer: 2 warps (no)\n80 / 32 is 2.5.\n", lesson_print_verdict, lesson);
  check_score(lesson, 0, 0);
  CHECK_INT(lesson_next(lesson, NULL), LESSON_WAITS);
  CHECK(lesson_answer(lesson, 80));
  CHECK_STR(step->said, "That is threads.");
  CHECK(step->answered && !step->right && step->given == 2 && step->last == 80);
  says("first answer: 2 warps (no)\nanswer: 80 warps (no)\nThat is threads.\nit is: 3 warps\nIt is 3.\n",
       lesson_print_verdict, lesson);
  check_score(lesson, 0, 1);
  CHECK(!lesson_answer(lesson, 3));
  lesson_free(lesson);
  course_of_drop(&of);
}

static void only_the_first_answer_scores(void) {
  CourseOf of = course_of(three);
  Lesson *lesson = opened(&of, NULL);
  LsErr err = {0};
  CHECK(lesson_answer(lesson, 7));                                  // nobody foresaw it: the tip alone
  CHECK(!lesson_current(lesson)->said && lesson_current(lesson)->tips_shown == 1);
  CHECK(lesson_answer(lesson, 3));
  says("first answer: 7 warps (no)\nanswer: 3 warps (right)\nIt is 3.\n", lesson_print_verdict, lesson);
  check_score(lesson, 0, 1);
  CHECK_INT(lesson_next(lesson, &err), LESSON_MOVED);
  CHECK(lesson_answer(lesson, 2));
  CHECK_STR(lesson_current(lesson)->said, "A number.");
  lesson_skip(lesson);                                              // gives the second try up
  CHECK(lesson_current(lesson)->answered && !lesson_current(lesson)->skipped);
  CHECK_INT(lesson_next(lesson, &err), LESSON_MOVED);
  CHECK(lesson_answer(lesson, 0xf0) && lesson_waits(lesson_current(lesson)));
  CHECK_STR(lesson_current(lesson)->said, "The other end.");
  CHECK(lesson_answer(lesson, 0xf));
  CHECK_INT(lesson_next(lesson, &err), LESSON_MOVED);
  CHECK_STR(lesson_current(lesson)->text, "7 3 0x000000f0 false");   // the script gets what counts
  check_score(lesson, 0, 3);
  lesson_free(lesson);
  course_of_drop(&of);
}

// Neither words nor a tip, or one option left: trying again would be guessing.
static void some_are_not_tried_again(void) {
  CourseOf of = course_of("predict { ask = 'x', answer = 1 }\n"
                             "predict { ask = 'y', options = { 'a', 'b' }, answer = 'a', tips = { 't' }, wrong = { b = 'no b' } }\n");
  Lesson *lesson = opened(&of, NULL);
  CHECK(lesson_answer(lesson, 2) && lesson_current(lesson)->answered);
  CHECK_INT(lesson_next(lesson, NULL), LESSON_MOVED);
  CHECK(lesson_answer(lesson, 1) && lesson_current(lesson)->answered);
  CHECK_STR(lesson_current(lesson)->said, "no b");
  lesson_free(lesson);
  course_of_drop(&of);
}

// ---- what is saved -------------------------------------------------------------------------------------------------

static void answers_are_saved_by_name(void) {
  CourseOf of = course_of(three);
  Progress *progress = progress_open(":memory:");
  ProgressAnswer answer;
  Lesson *lesson = opened(&of, progress);
  lesson_answer(lesson, 2);
  lesson_free(lesson);
  CHECK(progress_answer(progress, "X01", "warps", &answer) && answer.open && answer.tries == 1 && answer.value == 2);
  lesson = opened(&of, progress);                                // the second try is still to come
  const LessonStep *step = lesson_current(lesson);
  CHECK(step_is_open(step) && step->tips_shown == 1);
  CHECK_STR(step->said, "80 / 32 is 2.5.");
  lesson_answer(lesson, 3);
  lesson_next(lesson, NULL);
  lesson_answer(lesson, 1);
  lesson_free(lesson);
  CHECK(progress_answer(progress, "X01", "warps", &answer) && !answer.open && answer.tries == 2 && answer.last == 3);
  CHECK(progress_answer(progress, "X01", "which", &answer) && answer.right);
  lesson = opened(&of, progress);
  CHECK_INT(lesson_index(lesson), 1);
  CHECK(lesson_back(lesson) && lesson_current(lesson)->answered && lesson_current(lesson)->last == 3);
  check_score(lesson, 1, 2);
  lesson_free(lesson);
  progress_close(progress);
  course_of_drop(&of);
}

// A lesson that got another question in front: the old answers stay with theirs.
static void names_outlive_changes(void) {
  CourseOf of = course_of(three);
  Progress *progress = progress_open(":memory:");
  Lesson *lesson = opened(&of, progress);
  lesson_answer(lesson, 3);
  lesson_next(lesson, NULL);
  lesson_answer(lesson, 1);
  lesson_free(lesson);
  char *longer = ls_format("say { 'new' }\n%s", three);
  char *file = ls_path_join(of.folder, "one.lua");
  CHECK(ls_file_write(file, longer, strlen(longer), NULL));
  free(file);
  free(longer);
  lesson = opened(&of, progress);
  CHECK_INT(lesson_index(lesson), 1);
  CHECK(lesson_current(lesson)->answered && lesson_current(lesson)->right);
  CHECK_INT(lesson_next(lesson, NULL), LESSON_MOVED);
  CHECK(lesson_current(lesson)->right && lesson_current(lesson)->given == 1);
  CHECK_INT(lesson_next(lesson, NULL), LESSON_MOVED);
  CHECK_INT(lesson_next(lesson, NULL), LESSON_WAITS);
  lesson_free(lesson);
  progress_close(progress);
  course_of_drop(&of);
}

// What is done is done once more without the old answers.
static void a_lesson_can_be_done_again(void) {
  CourseOf of = course_of("predict { id = 'a', ask = 'x', answer = 1 }\npredict { id = 'b', ask = 'y', answer = 1 }");
  Progress *progress = progress_open(":memory:");
  Lesson *lesson = opened(&of, progress);
  CHECK(lesson_auto(lesson, NULL, NULL, NULL));
  lesson_free(lesson);
  lesson = opened(&of, progress);
  CHECK(lesson_index(lesson) == 0 && lesson_waits(lesson_current(lesson)));
  lesson_answer(lesson, 2);
  CHECK(lesson_next(lesson, NULL) == LESSON_MOVED && lesson_waits(lesson_current(lesson)));
  lesson_free(lesson);
  lesson = opened(&of, progress);
  CHECK(lesson_index(lesson) == 1 && lesson_waits(lesson_current(lesson)));
  CHECK(lesson_back(lesson) && lesson_current(lesson)->given == 2);
  lesson_free(lesson);
  progress_close(progress);
  course_of_drop(&of);
}

// ---- the place that an answer shows
// ----------------------------------------------------------------------------------

static void an_answer_shows_its_place(void) {
  CourseOf of = course_of(
      "local r = measure { kernel = 'load_patterns' }\nlocal load = { line = 'out[lane] = base[word]', kind = 'load' }\n"
      "predict { ask = 'x', answer = 1, show = { run = r, at = load, focus = 'segments' } }\nsay { 'after' }\n"
      "hide() predict { ask = 'y', answer = 1, show = { run = r, at = 'end' } }\n");
  Lesson *lesson = opened(&of, NULL);
  CHECK_INT(lesson_current(lesson)->place.run, -1);
  lesson_answer(lesson, 1);
  const LessonPlace *place = &lesson_current(lesson)->place;
  CHECK(place->run == 0 && place->focus == FOCUS_SEGMENTS && place->step > 0);
  CHECK_INT(lesson_next(lesson, NULL), LESSON_MOVED);
  CHECK(lesson_current(lesson)->place.run == 0 && lesson_current(lesson)->place.focus == FOCUS_SEGMENTS);
  CHECK_INT(lesson_next(lesson, NULL), LESSON_MOVED);
  CHECK_INT(lesson_current(lesson)->place.run, -1);
  lesson_skip(lesson);
  CHECK_INT(lesson_current(lesson)->place.run, 0);
  lesson_free(lesson);
  course_of_drop(&of);
}

// ---- authors' slips
// --------------------------------------------------------------------------------------------------

static void slips_have_places(void) {
  static const struct { const char *text; int line; const char *message; } slips[] = {
      {"say { 'a' }\npredict { ask = 'x', answer = 1, wrng = { [2] = 'no' } }", 2,
       "has an unknown field 'wrng'; did you mean 'wrong'?"},
      {"predict { ask = 'x', answer = 1, because = '{some}', some = 2 }\npredict { ask = 'x', answer = 1, some = 2 }",
       2,
       "unknown field 'some'"},
      {"predict { ask = 'x', answer = 2, wrong = { [2] = 'no' } }", 1, "belongs to the right answer"},
      {"predict { ask = 'x', answer = 2, tolerance = 0.5, wrong = { [2.25] = 'no' } }", 1,
       "belongs to the right answer"},
      {"predict { ask = 'x', answer = 2, wrong = { two = 'no' } }", 1,
       "wrong: a key of a number question is a number, such as [2]"},
      {"predict { ask = 'x', answer = 2, wrong = { [3] = 4 } }", 1, "wrong: what is said is a text"},
      {"predict { ask = 'x', options = { 'a', 'b' }, answer = 'a', wrong = { c = 'no' } }", 1,
       "wrong: 'c' is not among the options"},
      {"predict { ask = 'x', options = { 'a', 'b' }, answer = 'a', wrong = { a = 'no' } }", 1,
       "belongs to the right answer"},
      {"predict { ask = 'x', answer = 2, wrong = { [3] = '{missing}' } }", 1, "the text has {missing}"},
      {"predict { id = 'a', ask = 'x', answer = 2 }\ncheck { { id = 'a', ask = 'x', answer = 2 } }", 2,
       "two questions are called 'a'"},
      {"predict { id = 'a b', ask = 'x', answer = 2 }", 1, "an id is a word"},
      {"predict { ask = 'x', answer = 2, show = { at = 'end' } }", 1, "show is a table"},
  };
  for (int i = 0; i < LS_COUNT(slips); i++) course_of_fails(slips[i].text, slips[i].line, slips[i].message, book);
}

static const Check checks[] = {
    {"a foreseen answer is met", a_foreseen_answer_is_met},
    {"only the first answer scores", only_the_first_answer_scores},
    {"some are not tried again", some_are_not_tried_again},
    {"answers are saved by name", answers_are_saved_by_name},
    {"names outlive changes", names_outlive_changes},
    {"a lesson can be done again", a_lesson_can_be_done_again},
    {"an answer shows its place", an_answer_shows_its_place},
    {"slips have places", slips_have_places},
};

int main(int argc, char **argv) {
  setenv("LANESCOPE_DATA", LS_SOURCE_DIR, 1);
  book = recipe_book_open(NULL, NULL);
  int status = check_main("question", checks, LS_COUNT(checks), argc, argv);
  book->free(book);
  return status;
}
