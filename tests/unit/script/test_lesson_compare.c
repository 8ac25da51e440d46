// test_lesson_compare.c: two runs of a lesson side by side.
#include "course_of.h"
#include "script/recipe.h"

static RecipeBook *book;

static const char sides[] =
    "local a = measure { kernel = 'shared_stride', params = { s = 2 } }\n"
    "local b = measure { kernel = 'shared_stride', params = { s = 3 } }\n"
    "local READ = { line = 'float foo = shared', kind = 'load' }\n"
    "compare(a, b, { at = READ, focus = 'banks' })\n"
    "say { title = 'Both' }\n"
    "focus { at = 'end' }\n"
    "say { title = 'Still both' }\n"
    "compare(a, measure { kernel = 'transpose_32x33' }, { label = 'another one' })\n"
    "say { title = 'Another' }\n"
    "show(a, { at = READ })\n"
    "say { title = 'Alone' }\n";

static void both_are_shown(void) {
  CourseOf of = course_of(sides);
  Lesson *lesson = course_of_lesson(&of, book);
  Session *session = NULL;
  LsErr err = {0};
  CU_ASSERT_FATAL(lesson != NULL);
  lesson_show(lesson, &session);
  CU_ASSERT_FATAL(session != NULL && session->other != NULL);
  CHECK_STR(session->other_label, "s=3");
  const Scene *left = ses_scene(session), *right = ses_scene(ses_peer(session));
  CHECK_INT(left->line, right->line);
  CHECK(left->event.kind == TRACE_LOAD && right->event.kind == TRACE_LOAD && right->event.space == TRACE_SHARED);
  const Run *beside = session->other;
  CHECK_INT(lesson_next(lesson, &err), LESSON_MOVED);
  lesson_show(lesson, &session);
  CHECK(session->other == beside && session->step + 1 == session->steps);
  CHECK_INT(lesson_next(lesson, &err), LESSON_MOVED);
  lesson_show(lesson, &session);
  CHECK_STR(session->other_label, "another one");
  CHECK_INT(lesson_next(lesson, &err), LESSON_MOVED);
  lesson_show(lesson, &session);
  CHECK(session->other == NULL);
  CHECK(lesson_back(lesson));
  lesson_show(lesson, &session);
  CHECK(session->other != NULL);
  ses_free(session);
  lesson_free(lesson);
  course_of_drop(&of);
}

static void with_a_bug(void) {
  course_of_fails("local a = measure { kernel = 'bcast' }\ncompare(a)", 2, "compare takes two runs", book);
  course_of_fails("local a = measure { kernel = 'bcast' }\ncompare(a, a, { lable = 'x' })", 2,
                  "compare has an unknown field 'lable'; did you mean 'label'?", book);
}

static const Check checks[] = {{"both are shown", both_are_shown}, {"with a bug", with_a_bug}};

int main(int argc, char **argv) {
  setenv("LANESCOPE_DATA", LS_SOURCE_DIR, 1);
  book = recipe_book_open(NULL, NULL);
  int status = check_main("lesson_compare", checks, LS_COUNT(checks), argc, argv);
  book->free(book);
  return status;
}
