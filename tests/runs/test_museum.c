// The museum: every room can be walked through, the checks tell what it says they tell, and its cure is one.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/course/lesson.h"
#include "base/mem.h"
#include "check.h"
#include "script/lesson.h"
#include "script/recipe.h"
#include "ui/pages/page.h"
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

// ---- on the screen -------------------------------------------------------------------------------------------------

static void press(Page *page, const char *keys) {
  for (const char *key = keys; *key; key++)
    page->class->key(page, (AppKey){.code = *key == '\n' ? KEY_RETURN_ : (uint32_t)*key});
}

static bool shows(Page *page, int cols, int rows, const char *words) {
  LsText text = {0};
  Canvas *canvas = canvas_new(cols, rows);
  page_draw(page, canvas);
  canvas_to_text(canvas, false, &text);
  bool found = strstr(ls_text_str(&text), words) != NULL;
  ls_text_free(&text);
  canvas_free(canvas);
  return found;
}

// The page of a room at its question; NULL: no kernel stands beside it.
static Page *asks_beside_source(const CourseRoom *room, Lesson **lesson) {
  LsErr err = {0};
  *lesson = lesson_room(course, room->id, book, &err);
  bool asks = *lesson && lesson_next(*lesson, &err) == LESSON_MOVED;
  asks = asks && lesson_asks(lesson_current(*lesson)) && lesson_current(*lesson)->place.run >= 0;
  if (!asks) lesson_free(*lesson);
  return asks ? page_lesson_new(*lesson, book) : NULL;
}

static void tells_nothing(const CourseRoom *room, Page *page) {
  static const char *const telling[] = {"\u25b2", "finding", "! lists", ".lecture.", "WRONG"};
  char form[64];
  snprintf(form, sizeof form, ".%s.cu", room->form ? room->form : "lecture");
  for (int wide = 0; wide < 2; wide++) {
    int cols = wide ? 120 : 80, rows = wide ? 36 : 24;
    for (int i = 0; i < LS_COUNT(telling); i++) {
      bool told = shows(page, cols, rows, telling[i]);
      if (told) printf("\n%s: '%s' stands beside the question\n", room->id, telling[i]);
      CHECK(!told);
    }
    CHECK(!shows(page, cols, rows, form));
  }
  press(page, "!");
  CHECK(shows(page, 80, 24, "answer first"));
  press(page, "f");
  CHECK(shows(page, 80, 24, "answer first"));
}

// What goes wrong is not told beside the question for it, and is told when that is answered.
static void test_nothing_is_told_before(void) {
  LsErr err = {0};
  LsArena *arena = ls_arena_new();
  CourseRoom *list = NULL;
  Lesson *lesson = NULL;
  int count = 0, asked = 0;
  CHECK(course->museum(course, arena, &list, &count, &err));
  for (int i = 0; i < count; i++) {
    Page *page = list[i].kernel ? asks_beside_source(&list[i], &lesson) : NULL;
    if (!page) continue;
    asked++;
    tells_nothing(&list[i], page);
    bool faulty = strcmp(list[i].id, "E87") == 0;
    press(page, "s");
    CHECK(!faulty || (shows(page, 80, 24, "\u25b2") && shows(page, 80, 24, "reduce4.nosyncwarp.cu")));
    page->class->free(page);
  }
  CHECK(asked > 30);
  ls_arena_free(arena);
}

static void test_wrong_line(void) {
  LsErr err = {0};
  Lesson *lesson = lesson_room(course, "E90", book, &err);
  CU_ASSERT_FATAL(lesson && lesson_next(lesson, &err) == LESSON_MOVED);
  Page *page = page_lesson_new(lesson, book);
  press(page, "18\n");
  CHECK(shows(page, 80, 24, "Not line 18.") && shows(page, 80, 24, "Once more."));
  CHECK(shows(page, 80, 24, "18 \u25b8     y[i] =") && shows(page, 80, 24, "place of this thread in the grid"));
  page->class->free(page);
}

// The last screen has both sources, and marks the lines that only one of them has.
static void test_cure_beside(void) {
  LsErr err = {0};
  Lesson *lesson = lesson_room(course, "E99", book, &err);
  CU_ASSERT_FATAL(lesson && lesson_next(lesson, &err) == LESSON_MOVED);
  Page *page = page_lesson_new(lesson, book);
  press(page, "s\n\n");
  CHECK(shows(page, 80, 24, "gpumult0.lecture.cu") && shows(page, 80, 24, "gpumult0.cu"));
  CHECK(shows(page, 80, 24, "-    float a = A[ty * Bx + k]") && shows(page, 80, 24, "+    float a = A[ty * Ax + k]"));
  CHECK(!shows(page, 80, 24, "-    float b") && !shows(page, 80, 24, "+    float b"));
  page->class->free(page);
}

// The list says of a room where its mistake is printed, of a card at least in which lecture.
static void test_places(void) {
  LsErr err = {0};
  LsArena *arena = ls_arena_new();
  CourseRoom *list = NULL;
  int count = 0, told = 0;
  CHECK(course->museum(course, arena, &list, &count, &err));
  for (int i = 0; i < count; i++) {
    bool room = strcmp(list[i].id, "E57") == 0, card = strcmp(list[i].id, "E39") == 0;
    CHECK(list[i].source != NULL);
    if (!room && !card) continue;
    Page *page = page_museum_new(course, book, i);
    CHECK(shows(page, 120, 36, room ? "from     Thinking and Coding in Parallel, " : "from     GTC 2013, S3046"));
    page->class->free(page);
    told++;
  }
  CHECK_INT(told, 2);
  ls_arena_free(arena);
}

static const Check checks[] = {
    {"places are told", test_places},
    {"a wrong line stays in sight", test_wrong_line},
    {"the cure stands beside the mistake", test_cure_beside},
    {"every room can be walked through", test_rooms},
    {"what goes wrong is not told beside its question", test_nothing_is_told_before},
};

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
