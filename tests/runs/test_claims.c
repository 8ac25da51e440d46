// Claims: the shipped ones come out as they say, and one that does not is seen.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/course/lesson.h"
#include "base/file.h"
#include "base/mem.h"
#include "check.h"
#include "script/lesson.h"
#include "script/recipe.h"
#include "ui/pages/page.h"
#include "ui/pages/rail.h"

enum { RAIL_WIDTH = 38, RAIL_ROWS = 26, WIDE_WIDTH = 76, WIDE_ROWS = 13 };   // as of lessons

static RecipeBook *book;

static int rows_of(const Lesson *lesson, int width, bool low) {
  return rail_draw(lesson, NULL, (Rect){0, 0, width, 0}, low, 0, NULL);
}

static Lesson *hold(Course *course, const char *id, LsErr *err) {
  Lesson *lesson = lesson_claim(course, id, NULL, book, err);
  if (!lesson || lesson_next(lesson, err) == LESSON_MOVED) return lesson;
  lesson_free(lesson);
  return NULL;
}

static bool is_lesson(const Course *course, const char *id) {
  for (int i = 0; i < course->count; i++)
    if (strcmp(course->lessons[i].id, id) == 0) return true;
  return false;
}

static void one(Course *course, const CourseClaim *claim) {
  LsErr err = {0};
  Lesson *lesson = hold(course, claim->id, &err);
  if (!lesson) printf("\n%s: %s:%d: %s\n", claim->id, err.file, err.line, err.message);
  CHECK(lesson != NULL);
  if (!lesson) return;
  const LessonClaim *result = lesson_current(lesson)->claim;
  int beside = rows_of(lesson, RAIL_WIDTH, false), below = rows_of(lesson, WIDE_WIDTH, true);
  if (!result->agrees) printf("\n%s: lecture %s, here %s: %s, not %s\n", claim->id, result->value, result->now,
                              result->verdict, claim->verdict);
  if (beside > RAIL_ROWS || below > WIDE_ROWS) printf("\n%s: %d and %d rows\n", claim->id, beside, below);
  CHECK(result->agrees);
  CHECK(strcmp(result->verdict, claim->verdict) == 0);
  CHECK(beside <= RAIL_ROWS && below <= WIDE_ROWS);
  CHECK(!claim->lesson || is_lesson(course, claim->lesson));
  if (strncmp(claim->verdict, "holds", 5) != 0 && !claim->why) printf("\n%s: nothing says why\n", claim->id);
  CHECK(strncmp(claim->verdict, "holds", 5) == 0 || claim->why != NULL);
  lesson_free(lesson);
}

// CLAIM=C027 holds one only.
static void test_shipped(void) {
  LsErr err = {0};
  LsArena *arena = ls_arena_new();
  Course *course = course_open(NULL, &err);
  CourseClaim *list;
  int count = 0;
  const char *only = getenv("CLAIM");
  CU_ASSERT_PTR_NOT_NULL_FATAL(course);
  bool ok = course->claims(course, arena, &list, &count, &err);
  if (!ok) printf("\n%s:%d: %s\n", err.file, err.line, err.message);
  CHECK(ok && count > 0);
  for (int i = 0; ok && i < count; i++)
    if (!only || strcmp(only, list[i].id) == 0) one(course, &list[i]);
  ls_arena_free(arena);
  course->free(course);
}

// ---- a folder of our own --------------------------------------------------------------------------------------------

static const char *const files[] = {"course.lua", "claims.lua", "claims/few.lua"};

static void write_in(const char *folder, const char *name, const char *text) {
  LsErr err = {0};
  char *path = ls_path_join(folder, name);
  CHECK(ls_file_write(path, text, strlen(text), &err));
  free(path);
}

static Course *course_of(const char *claims, char folder[256], LsErr *err) {
  CHECK(check_folder(folder, 256));
  char *inner = ls_path_join(folder, "claims");
  CHECK(ls_make_dirs(inner, err));
  free(inner);
  write_in(folder, files[0],
           "return { title = 't', lessons = { "
           "{ id = 'L01', name = 'one', title = 'One', glimpse = 'g', minutes = 1 } } }");
  write_in(folder, files[1], "return { { name = \"few\", title = \"Few\" } }");
  write_in(folder, files[2], claims);
  return course_open(folder, err);
}

static void remove_course(Course *course, const char *folder) {
  if (course) course->free(course);
  for (int i = 0; i < LS_COUNT(files); i++) {
    char *path = ls_path_join(folder, files[i]);
    remove(path);
    free(path);
  }
  char *inner = ls_path_join(folder, "claims");
  rmdir(inner);
  rmdir(folder);
  free(inner);
}

static void comes_out(const char *fields, const char *verdict, bool agrees) {
  LsErr err = {0};
  LsText text = {0};
  ls_text_addf(&text, "return { claim { id = \"C1\", says = \"s\", %s } }", fields);
  char folder[256];
  Course *course = course_of(ls_text_str(&text), folder, &err);
  Lesson *lesson = course ? hold(course, "C1", &err) : NULL;
  if (!lesson) printf("\n%s: %s\n", fields, err.message);
  CHECK(lesson != NULL);
  if (lesson) {
    const LessonClaim *result = lesson_current(lesson)->claim;
    CHECK(strcmp(result->verdict, verdict) == 0);
    CHECK(result->agrees == agrees);
  }
  lesson_free(lesson);
  remove_course(course, folder);
  ls_text_free(&text);
}

static void test_verdicts(void) {
#define NOW(X) "now = function() return " X " end"
  comes_out("value = 3, on = 'formula', verdict = 'holds', " NOW("3"), "holds", true);
  comes_out("value = 3, on = 'formula', verdict = 'holds', " NOW("4"), "wrong", false);
  comes_out("value = 3, on = 'formula', verdict = 'holds', tolerance = 0.2, " NOW("3.1"), "holds", true);
  comes_out("value = 3, on = 'formula', verdict = 'wrong', erratum = 'E1', " NOW("3"), "holds", false);
  comes_out("value = { 3, 4 }, on = 'formula', verdict = 'holds', " NOW("{ 3, 4 }"), "holds", true);
  comes_out("value = { 3, 4 }, on = 'formula', verdict = 'holds', " NOW("{ 3 }"), "wrong", false);
  comes_out("value = 'odd', on = 'formula', verdict = 'holds', " NOW("'odd'"), "holds", true);
  comes_out("value = 10, on = 'formula', verdict = 'holds in shape', band = { 0.5, 2 }, " NOW("19"),
            "holds in shape", true);
  comes_out("value = 10, on = 'formula', verdict = 'holds in shape', band = { 0.5, 2 }, " NOW("21"), "wrong", false);
  comes_out("value = 3, on = 'formula', verdict = 'dated', today = function() return 5 end, " NOW("3"), "dated", true);
  comes_out("value = 3, on = 'formula', verdict = 'dated', today = function() return 3 end, " NOW("3"), "holds", false);
  comes_out("verdict = 'not measurable here', takes = 'an old card'", "not measurable here", true);
#undef NOW
}

static void is_refused(const char *claims, const char *why) {
  LsErr err = {0};
  LsArena *arena = ls_arena_new();
  CourseClaim *list;
  int count;
  char folder[256];
  Course *course = course_of(claims, folder, &err);
  CU_ASSERT_PTR_NOT_NULL_FATAL(course);
  CHECK(!course->claims(course, arena, &list, &count, &err));
  if (!strstr(err.message, why)) printf("\n%s:%d: %s\n", err.file, err.line, err.message);
  CHECK(strstr(err.message, why) != NULL);
  CHECK(err.line == 1 || strstr(why, "two claims"));
  ls_arena_free(arena);
  course->free(course);
}

static void test_refused(void) {
  is_refused("return { claim { id = 'C1', says = 's', value = 1, verdict = 'right' } }", "verdict is");
  is_refused("return { claim { id = 'C1', says = 's', value = 1, on = 'run', verdict = 'holds' } }", "either now");
  is_refused("return { claim { id = 'C1', says = 's', on = 'run', verdict = 'holds', now = cdiv } }", "value is");
  is_refused("return { claim { id = 'C1', says = 's', value = 1, on = 'run', verdict = 'wrong', now = cdiv } }",
             "erratum");
  is_refused("return { claim { id = 'C1', sais = 's' } }", "did you mean 'says'");
  is_refused("local c = claim { id = 'C1', says = 's', verdict = 'not measurable here', takes = 't' } return { c, c }",
             "two claims called C1");
}

// The page holds as many at once as there is time for between two pictures, not one.
static void test_page(void) {
  enum { MANY = 60 };
  LsErr err = {0};
  LsText text = {0};
  ls_text_add(&text, "local list = {} for i = 1, 60 do list[i] = claim { id = \"C\" .. i, says = \"s\", value = i, "
                     "on = \"formula\", verdict = \"holds\", now = function() return i end } end return list");
  char folder[256];
  Course *course = course_of(ls_text_str(&text), folder, &err);
  CU_ASSERT_PTR_NOT_NULL_FATAL(course);
  Page *page = page_claims_new(course, book, NULL, 0);
  int ticks = 0;
  for (; page->ticking && ticks < 2 * MANY; ticks++) page->class->tick(page, 0.03);
  CHECK(ticks > 0 && ticks < MANY);
  page->class->free(page);
  remove_course(course, folder);
  ls_text_free(&text);
}

static const Check checks[] = {
    {"a page of them", test_page},
    {"the shipped claims come out as they say", test_shipped},
    {"the verdict follows from what comes out", test_verdicts},
    {"claims with bugs are refused", test_refused},
};

int main(int argc, char **argv) {
  setenv("LANESCOPE_DATA", LS_SOURCE_DIR, 1);
  book = recipe_book_open(NULL, NULL);
  int status = check_main("claims", checks, LS_COUNT(checks), argc, argv);
  book->free(book);
  return status;
}
