// test_question_kinds.c: all that are true, lines in order, a line of the source, a text; sure, and looked.
#include "course_of.h"
#include "script/recipe.h"

static RecipeBook *book;

static const LessonStep *step_of(const Lesson *lesson) { return lesson_current(lesson); }

// Answers, and checks whether that is right and what is said.
static void answers(Lesson *lesson, const char *typed, bool right, const char *says) {
  LsErr err = {0};
  bool ok = lesson_answer_typed(lesson, typed, &err);
  if (!ok) printf("\n'%s': %s\n", typed, err.message);
  CHECK(ok);
  CHECK_INT(question_is_right(&step_of(lesson)->question, step_of(lesson)->last), right);
  if (says) CHECK_STR(step_of(lesson)->said, says);
  else CHECK(step_of(lesson)->said == NULL);
}

static void refuses(Lesson *lesson, const char *typed, const char *message) {
  LsErr err = {0};
  CHECK(!lesson_answer_typed(lesson, typed, &err));
  CHECK_STR(err.message, message);
}

static void prints(const Lesson *lesson, void (*print)(const LessonStep *step, LsText *out), const char *expected) {
  LsText text = {0};
  print(step_of(lesson), &text);
  CHECK_STR(ls_text_str(&text), expected);
  ls_text_free(&text);
}

static void next(Lesson *lesson) { CHECK_INT(lesson_next(lesson, NULL), LESSON_MOVED); }

static void all_that_are_true(void) {
  CourseOf of = course_of(
      "local list = predict { id = 'cost', kind = 'several', ask = 'What costs?', options = { 'a load', 'a name', 'a store', 4 },\n"
      "  answer = { 'a load', 'a store' }, wrong = { ['a name'] = 'Names are gone.', ['a store'] = 'A store moves, too.' } }\n"
      "say { title = 'So', '{list}', list = table.concat(list, '+') }\n"
      "predict { kind = 'several', ask = 'None?', options = { 'a', 'b' }, answer = {} }\n");
  Lesson *lesson = course_of_lesson(&of, book);
  prints(lesson, lesson_print_question,
         "? What costs?\n  a) a load\n  b) a name\n  c) a store\n  d) 4\nAll that are true: letters such as ac, or none.\n");
  refuses(lesson, "e", "answer with the letters of all that are true, such as ac, or with none");
  refuses(lesson, "", "answer with the letters of all that are true, such as ac, or with none");
  answers(lesson, "a d", false, "A store moves, too.");             // left out
  prints(lesson, lesson_print_verdict, "answer: a, d (no)\nA store moves, too.\n");
  answers(lesson, "1,3", true, NULL);
  next(lesson);
  CHECK_STR(step_of(lesson)->text, "a load+4");
  next(lesson);
  answers(lesson, "none", true, NULL);
  lesson_free(lesson);
  lesson = course_of_lesson(&of, book);
  answers(lesson, "abc", false, "Names are gone.");                 // taken
  answers(lesson, "CA", true, NULL);
  lesson_free(lesson);
  course_of_drop(&of);
}

// What a student would type for lines in this order.
static void type_order(const Lesson *lesson, const char *const *lines, int count, char typed[64]) {
  const LessonQuestion *question = &step_of(lesson)->question;
  *typed = 0;
  for (int i = 0; i < count; i++)
    for (int k = 0; k < question->option_count; k++)
      if (strcmp(question->options[k], lines[i]) == 0) sprintf(typed + strlen(typed), "%d ", k + 1);
}

static const char life[] =
    "local list = predict { id = 'life', kind = 'order', ask = 'A block?', lines = { 'placed', 'cut', 'issued {n}', 'ends' },\n"
    "  n = 32, spare = { 'moved' }, orders = { { 1, 3, 2, 4 } }, wrong = { moved = 'It never moves.', ends = 'Last.' },\n"
    "  tips = { 'one' } }\n"
    "say { title = 'So', '{list}', list = table.concat(list, '+') }\n";

static void lines_in_order(void) {
  static const char *const right[] = {"placed", "cut", "issued 32", "ends"}, *const other[] =
      {"placed", "issued 32", "cut", "ends"},
      *const moved[] = {"placed", "moved", "cut", "issued 32", "ends"}, *const early[] =
          {"ends", "cut", "issued 32", "placed"};
  char typed[64];
  CourseOf of = course_of(life);
  Lesson *lesson = course_of_lesson(&of, book);
  const LessonQuestion *question = &step_of(lesson)->question;
  CHECK_INT(question->option_count, 5);
  CHECK_INT(question->spare, 1);
  CHECK(!question_is_right(question, 0x54321));                     // they are not shown in order
  refuses(lesson, "1 1 2",
          "answer with the numbers of the lines in their order, each once; leave out what belongs nowhere");
  refuses(lesson, "6", "answer with the numbers of the lines in their order, each once; leave out what belongs nowhere");
  type_order(lesson, moved, 5, typed);
  answers(lesson, typed, false, "It never moves.");
  type_order(lesson, right, 4, typed);
  answers(lesson, typed, true, NULL);
  next(lesson);
  CHECK_STR(step_of(lesson)->text, "placed+moved+cut+issued {n}+ends");
  lesson_free(lesson);
  lesson = course_of_lesson(&of, book);
  type_order(lesson, early, 4, typed);
  answers(lesson, typed, false, "Last.");
  type_order(lesson, other, 4, typed);
  answers(lesson, typed, true, NULL);
  lesson_free(lesson);
  course_of_drop(&of);
}

static void without_spare_ones_all_are_wanted(void) {
  CourseOf of = course_of("predict { ask = 'x', lines = { 'a', 'b', 'c' } }");
  Lesson *lesson = course_of_lesson(&of, book);
  refuses(lesson, "1 2", "answer with the numbers of all 3 lines in their order, each once");
  LsText typed = {0};
  question_typed(&step_of(lesson)->question, step_of(lesson)->question.answer, &typed);
  answers(lesson, ls_text_str(&typed), true, NULL);
  ls_text_free(&typed);
  lesson_free(lesson);
  course_of_drop(&of);
}

static void a_line_of_the_source(void) {
  CourseOf of = course_of(
      "local r = measure { kernel = 'load_patterns' }\nshow(r)\n"
      "local n = predict { kind = 'line', ask = 'Which line loads?', answer = 'out[lane] = base[word]',\n"
      "  wrong = { ['int lane'] = 'That computes.' }, because = 'It is {answer}.' }\n"
      "say { title = 'So', '{same}', same = tostring(n == r:where('out[lane] = base[word]')) }\n");
  Lesson *lesson = course_of_lesson(&of, book);
  const LessonQuestion *question = &step_of(lesson)->question;
  CHECK(question->option_count > 5);
  char right[16], wrong[16] = "";
  snprintf(right, sizeof right, "%d", (int)question->answer);
  CHECK(strstr(question->options[(int)question->answer - 1], "out[lane] = base[word]") != NULL);
  for (int i = 0; i < question->option_count; i++)
    if (strstr(question->options[i], "int lane")) snprintf(wrong, sizeof wrong, "%d", i + 1);
  refuses(lesson, "0", "answer with the number of a line, from 1 to 27");
  answers(lesson, wrong, false, "That computes.");
  CHECK(step_of(lesson)->answered || lesson_waits(step_of(lesson)));
  answers(lesson, right, true, NULL);
  next(lesson);
  CHECK_STR(step_of(lesson)->text, "false");                        // the first answer is what the script gets
  lesson_free(lesson);
  course_of_drop(&of);
}

static void a_short_text(void) {
  CourseOf of = course_of(
      "local word = predict { id = 'w', kind = 'text', ask = 'Name?', answer = { 'warp', 'a warp' },\n"
      "  wrong = { thread = 'One of 32.', block = 'Many of them.' }, tips = { 'tip' } }\nsay { title = 'So', word }\n");
  Progress *progress = progress_open(":memory:");
  LsErr err = {0};
  Lesson *lesson = lesson_open(of.course, "one", book, progress, &err);
  answers(lesson, " Fi sh ", false, NULL);
  prints(lesson, lesson_print_verdict, "answer: \"Fi sh\" (no)\n");
  answers(lesson, "THREAD", false, "One of 32.");
  prints(lesson, lesson_print_verdict,
         "first answer: \"Fi sh\" (no)\nanswer: thread (no)\nOne of 32.\nit is: warp\n");
  next(lesson);
  CHECK_STR(step_of(lesson)->text, "Fi sh");
  lesson_free(lesson);
  lesson = lesson_open(of.course, "one", book, progress, &err);     // as it was typed
  CHECK_STR(step_of(lesson)->text, "Fi sh");
  CHECK(lesson_back(lesson) && strcmp(step_of(lesson)->words[1], "THREAD") == 0);
  lesson_free(lesson);
  lesson = course_of_lesson(&of, book);
  answers(lesson, "A  Warp", true, NULL);
  lesson_free(lesson);
  progress_close(progress);
  course_of_drop(&of);
}

// ---- sure, and looked
// ------------------------------------------------------------------------------------------------

static void how_sure_is_asked_before_the_verdict(void) {
  CourseOf of = course_of("predict { id = 'a', ask = 'x', answer = 1, sure = true, because = 'So.' }\nsay { 'end' }");
  Progress *progress = progress_open(":memory:");
  LsErr err = {0};
  ProgressAnswer saved;
  Lesson *lesson = lesson_open(of.course, "one", book, progress, &err);
  answers(lesson, "2", false, NULL);
  CHECK(step_of(lesson)->asks_sure && lesson_waits(step_of(lesson)) && step_of(lesson)->tries == 0);
  prints(lesson, lesson_print_verdict, "How sure are you? 1 sure, 2 think so, 3 guess.\n");
  CHECK(!progress_answer(progress, "X01", "a", &saved));
  CHECK_INT(lesson_next(lesson, NULL), LESSON_WAITS);
  refuses(lesson, "4", "say 1 for sure, 2 for think so, 3 for guess");
  CHECK(lesson_answer_typed(lesson, "Sure", &err));
  prints(lesson, lesson_print_verdict, "answer: 2 (no)\nhow sure: sure\nYou were sure: look twice at this one.\nit is: 1\nSo.\n");
  CHECK(progress_answer(progress, "X01", "a", &saved) && saved.sure == 1 && saved.value == 2);
  lesson_free(lesson);
  lesson = lesson_open(of.course, "one", book, progress, &err);
  CHECK(step_of(lesson)->answered && step_of(lesson)->sure == 1);
  lesson_free(lesson);
  lesson = course_of_lesson(&of, book);
  CHECK(lesson_auto(lesson, NULL, NULL, &err));
  lesson_free(lesson);
  progress_close(progress);
  course_of_drop(&of);
}

static void who_looks_practices(void) {
  CourseOf of = course_of("predict { ask = 'x', answer = 1 }\npredict { ask = 'y', answer = 1 }\n");
  Lesson *lesson = course_of_lesson(&of, book);
  int right, asked;
  lesson_looks(lesson);
  answers(lesson, "1", true, NULL);
  prints(lesson, lesson_print_verdict, "answer: 1 (right)\nYou looked first: this is practice and does not count.\n");
  next(lesson);
  answers(lesson, "1", true, NULL);
  lesson_looks(lesson);                                             // after the answer anybody may
  lesson_score(lesson, &right, &asked);
  CHECK(right == 1 && asked == 1 && lesson_practice(lesson) == 1);
  next(lesson);
  CHECK_STR(step_of(lesson)->text,
            "You answered 1 of 1 questions right at the first try.\n1 more after looking: practice.");
  lesson_free(lesson);
  course_of_drop(&of);
}

static void slips_have_places(void) {
  static const struct { const char *text; const char *message; } slips[] = {
      {"predict { ask = 'x', kind = 'several', options = { 'a', 'b' }, answer = 'a' }", "the answer is a list"},
      {"predict { ask = 'x', kind = 'several', options = { 'a', 'b' }, answer = { 'c' } }",
       "'c' is not among the options"},
      {"predict { ask = 'x', kind = 'several', options = { 'a', 'b' }, answer = {}, wrong = { c = '' } }",
       "not among the options"},
      {"predict { ask = 'x', kind = 'order' }", "order: there is no list 'lines'"},
      {"predict { ask = 'x', lines = { 'a', 'b' }, orders = { { 1, 3 } } }", "order: there is no line 3"},
      {"predict { ask = 'x', lines = { 'a', 'b' }, wrong = { c = '' } }", "the text of one of its lines, not 'c'"},
      {"predict { ask = 'x', lines = { 'a' } }", "an order has 2 to 12 lines"},
      {"predict { ask = 'x', kind = 'line', answer = 'a' }", "line question: show a run first"},
      {"show(measure { kernel = 'bcast' }) predict { ask = 'x', kind = 'line', answer = 'no such' }",
       "has 'no such' in it"},
      {"show(measure { kernel = 'bcast' }) predict { ask = 'x', kind = 'line', answer = 900 }", "is none of them"},
      {"predict { ask = 'x', kind = 'text', answer = 'a', wrong = { [' A'] = 'no' } }", "belongs to the right answer"},
      {"predict { ask = 'x', kind = 'text', answer = 1, sure = 3 }", "'sure' must be a boolean"},
  };
  for (int i = 0; i < LS_COUNT(slips); i++) course_of_fails(slips[i].text, 1, slips[i].message, book);
}

static const Check checks[] = {
    {"all that are true", all_that_are_true},
    {"lines in order", lines_in_order},
    {"without spare ones all are wanted", without_spare_ones_all_are_wanted},
    {"a line of the source", a_line_of_the_source},
    {"a short text", a_short_text},
    {"how sure is asked before the verdict", how_sure_is_asked_before_the_verdict},
    {"who looks practices", who_looks_practices},
    {"slips have places", slips_have_places},
};

int main(int argc, char **argv) {
  setenv("LANESCOPE_DATA", LS_SOURCE_DIR, 1);
  book = recipe_book_open(NULL, NULL);
  int status = check_main("question kinds", checks, LS_COUNT(checks), argc, argv);
  book->free(book);
  return status;
}
