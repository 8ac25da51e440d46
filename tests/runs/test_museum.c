// The museum: every room can be walked through, the checks tell what it says they tell, and its cure is one.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/course/lesson.h"
#include "base/mem.h"
#include "check.h"
#include "script/lesson.h"
#include "script/recipe.h"
#include "ui/pages/rail.h"

enum { RAIL_WIDTH = 38, RAIL_ROWS = 26, WIDE_WIDTH = 76, WIDE_ROWS = 13 };   // as of lessons

static RecipeBook *book;
static Course *course;

static void fits(void *context, const Lesson *lesson, const LessonStep *step) {
  int beside = rail_draw(lesson, NULL, (Rect){0, 0, RAIL_WIDTH, 0}, false, 0, NULL);
  int low = rail_draw(lesson, NULL, (Rect){0, 0, WIDE_WIDTH, 0}, true, 0, NULL);
  if (beside > RAIL_ROWS || low > WIDE_ROWS)
    printf("\n%s, %s: %d and %d rows\n", (const char *)context, step->title, beside, low);
  CHECK(beside <= RAIL_ROWS && low <= WIDE_ROWS);
}

static bool is_lesson(const char *id) {
  for (int i = 0; i < course->count; i++)
    if (strcmp(course->lessons[i].id, id) == 0) return true;
  return false;
}

static void walk(const CourseRoom *room) {
  LsErr err = {0};
  Lesson *lesson = lesson_room(course, room->id, book, &err);
  bool ok = lesson && lesson_next(lesson, &err) == LESSON_MOVED && lesson_auto(lesson, fits, (void *)room->id, &err);
  if (!ok) printf("\n%s: %s:%d: %s\n", room->id, err.file, err.line, err.message);
  CHECK(ok);
  const LessonClaim *result = ok ? lesson_current(lesson)->claim : NULL;
  if (result && !result->agrees) printf("\n%s: the checks tell %s, not %s\n", room->id, result->now, result->value);
  CHECK(!ok || (result && result->agrees));
  CHECK(!room->lesson || is_lesson(room->lesson));
  lesson_free(lesson);
}

// ROOM=E57 walks through one only.
static void test_rooms(void) {
  LsErr err = {0};
  LsArena *arena = ls_arena_new();
  CourseRoom *list = NULL;
  int count = 0;
  const char *only = getenv("ROOM");
  bool ok = course->museum(course, arena, &list, &count, &err);
  if (!ok) printf("\n%s:%d: %s\n", err.file, err.line, err.message);
  CHECK(ok && count > 0);
  for (int i = 0; ok && i < count; i++)
    if (!only || strcmp(only, list[i].id) == 0) walk(&list[i]);
  ls_arena_free(arena);
}

static const Check checks[] = {{"every room can be walked through", test_rooms}};

int main(int argc, char **argv) {
  setenv("LANESCOPE_DATA", LS_SOURCE_DIR, 1);
  LsErr err = {0};
  book = recipe_book_open(NULL, NULL);
  course = course_open(NULL, &err);
  if (!course) return fprintf(stderr, "%s:%d: %s\n", err.file, err.line, err.message), 1;
  int status = check_main("museum", checks, LS_COUNT(checks), argc, argv);
  course->free(course);
  book->free(book);
  return status;
}
