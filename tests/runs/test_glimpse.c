// test_glimpse.c: each lesson has a picture that can be drawn beside the list of lessons, also in a small window.
#include <sched.h>

#include "base/mem.h"
#include "check.h"
#include "script/lesson.h"
#include "script/recipe.h"
#include "ui/pages/glimpse.h"

// What the list leaves at 80x24, at 100x30 and at 120x36.
static const struct { int cols, rows; } rooms[] = {{44, 10}, {48, 14}, {65, 18}};

static Course *course;
static RecipeBook *book;

static void count_lost(void *context, int x, int y, uint32_t code) { (void)x, (void)y, (void)code, ++*(int *)context; }

static void wait(Glimpse *glimpse) {
  for (int i = 0; glimpse_waits(glimpse) && i < 1000000; i++) {
    glimpse_tick(glimpse, 0.05);
    sched_yield();
  }
  CHECK(!glimpse_waits(glimpse));
}

static bool refuses(const char *text) {
  return strstr(text, "This picture needs") || strstr(text, "made none yet") || strstr(text, "show here");
}

static void check_picture(const CourseLesson *lesson, int cols, int rows) {
  Glimpse glimpse = {.book = book};
  Canvas *canvas = canvas_new(cols, rows);
  LsText text = {0};
  glimpse_choose(&glimpse, lesson, cols);
  wait(&glimpse);
  int lost = 0;
  CanvasWatch watch = {.context = &lost, .lost = count_lost};
  canvas->watch = &watch;
  bool drawn = glimpse_draw(&glimpse, canvas, (Rect){0, 0, cols, rows});
  canvas_to_text(canvas, false, &text);
  bool fine = drawn && !refuses(ls_text_str(&text)) && lost == 0;
  if (!fine) printf("\n%s at %dx%d: drawn %d, %d outside\n%s", lesson->id, cols, rows, drawn, lost, ls_text_str(&text));
  CHECK(fine);
  ls_text_free(&text);
  canvas_free(canvas);
  glimpse_fini(&glimpse);
}

static void lessons_have_pictures(void) {
  for (int i = 0; i < course->count; i++) {
    const CourseLesson *lesson = &course->lessons[i];
    if (lesson->file && !lesson->picture_count) printf("\n%s has no picture\n", lesson->id);
    CHECK(!lesson->file || lesson->picture_count > 0);
    for (int k = 0; lesson->picture_count && k < LS_COUNT(rooms); k++)
      check_picture(lesson, rooms[k].cols, rooms[k].rows);
  }
}

// Who goes through the list starts no run; who leaves before it is there, neither waits nor leaves one behind.
static void runs_wait_for_rest(void) {
  const CourseLesson *first = &course->lessons[0], *other = &course->lessons[3];
  Glimpse glimpse = {.book = book};
  glimpse_choose(&glimpse, first, 60);
  CHECK(glimpse_waits(&glimpse) && !glimpse_tick(&glimpse, 0.01) && !glimpse.job);
  glimpse_tick(&glimpse, 1);
  CHECK(glimpse.job != NULL);
  glimpse_stop(&glimpse);
  CHECK(!glimpse.job && glimpse_waits(&glimpse) && !glimpse_tick(&glimpse, 0.01) && !glimpse.job);
  glimpse_tick(&glimpse, 1);
  CHECK(glimpse.job != NULL);
  glimpse_choose(&glimpse, other, 60);
  CHECK(!glimpse.job && glimpse.rested == 0);
  wait(&glimpse);
  CHECK(glimpse.session && strcmp(glimpse.session->run->request.what, other->pictures[0].kernel) == 0);
  glimpse_choose(&glimpse, other, 60);
  CHECK(glimpse.session != NULL);                                // the same stays
  glimpse_fini(&glimpse);
}

// A picture that is nowhere, or of a kernel that is not there, is none: nothing is drawn, and nothing waits.
static void bad_pictures_are_none(void) {
  static const CoursePicture bad[] = {
      {.kernel = "no_such_kernel", .view = "lanes"},
      {.kernel = "bcast", .view = "no_such_view"},
      {.kernel = "bcast", .view = "lanes", .at = "99999999"},
      {.model = "no_such_model"},
      {.kernel = "bcast", .view = "lanes", .cols = 1000},
  };
  for (int i = 0; i < LS_COUNT(bad); i++) {
    CourseLesson lesson = {.id = "X01", .pictures = &bad[i], .picture_count = 1};
    Glimpse glimpse = {.book = book};
    Canvas *canvas = canvas_new(60, 20);
    glimpse_choose(&glimpse, &lesson, 60);
    wait(&glimpse);
    CHECK(!glimpse_draw(&glimpse, canvas, (Rect){0, 0, 60, 20}));
    canvas_free(canvas);
    glimpse_fini(&glimpse);
  }
}

static const Check checks[] = {
    {"lessons have pictures", lessons_have_pictures},
    {"runs wait for rest", runs_wait_for_rest},
    {"bad pictures are none", bad_pictures_are_none},
};

int main(int argc, char **argv) {
  setenv("LANESCOPE_DATA", LS_SOURCE_DIR, 1);
  LsErr err = {0};
  course = course_open(NULL, &err);
  book = course ? recipe_book_open(LS_SOURCE_DIR "/kernels", &err) : NULL;
  if (!book) return fprintf(stderr, "%s:%d: %s\n", err.file, err.line, err.message), 1;
  int status = check_main("glimpse", checks, LS_COUNT(checks), argc, argv);
  book->free(book);
  course->free(course);
  return status;
}
