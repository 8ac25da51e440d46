// test_lesson_choice.c: code in a lesson where nothing compiles: answers are chosen among those that were made
// beforehand.
#include <time.h>

#include "app/course/lesson.h"
#include "app/keys.h"
#include "check.h"
#include "script/lesson.h"
#include "script/recipe.h"
#include "ui/pages/page.h"

static RecipeBook *book;
static Course *course;

static bool fills_in(const Lesson *lesson) { return lesson_work(lesson) && lesson_work(lesson)->kind == WORK_FILL; }

// Lesson 4 at its step in which a condition is written.
static Lesson *at_work(void) {
  LsErr err = {0};
  Lesson *lesson = lesson_open(course, "L04", book, NULL, &err);
  CU_ASSERT_FATAL(lesson != NULL);
  while (!fills_in(lesson)) {
    lesson_skip(lesson);
    if (lesson_next(lesson, &err) != LESSON_MOVED) break;
  }
  CU_ASSERT_FATAL(fills_in(lesson));
  return lesson;
}

static void press(Page *page, uint32_t code) { page->class->key(page, (AppKey){.code = code}); }

static bool shows(Page *page, const char *words) {
  LsText text = {0};
  Canvas *canvas = canvas_new(80, 24);
  page_draw(page, canvas);
  canvas_to_text(canvas, false, &text);
  bool found = strstr(ls_text_str(&text), words) != NULL;
  if (!found) printf("\nnot there: %s\n%s\n", words, ls_text_str(&text));
  ls_text_free(&text);
  canvas_free(canvas);
  return found;
}

static void wait(Page *page) {
  for (int i = 0; i < 3000 && page->ticking; i++) {
    nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    page->class->tick(page, 0.01);
  }
}

static int place_of(const LessonWork *work, bool right) {
  for (int i = 0; i < work_options(work); i++)
    if (work_option(work, i)->right == right) return i;
  return -1;
}

static void answers_are_chosen(void) {
  Lesson *lesson = at_work();
  const LessonWork *work = lesson_work(lesson);
  int right = 0;
  for (int i = 0; i < work_options(work); i++) right += work_option(work, i)->right;
  CHECK(right == 1 && work_options(work) < work->answer_count && !work_option(work, work_options(work)));
  Page *page = page_lesson_new(lesson, book);
  CHECK(shows(page, "bool foo = ____;") && shows(page, "No compiler is here"));
  press(page, KEY_RETURN_);
  CHECK(work->tries == 0);                          // nothing is chosen yet
  press(page, (uint32_t)('1' + place_of(work, false)));
  CHECK(shows(page, work_option(work, place_of(work, false))->text));
  press(page, KEY_RETURN_);
  wait(page);
  CHECK_INT(work->state, WORK_FAILED);
  CHECK(work->rows[0].done && !work->failure[0]);
  for (int i = 0; i < 9; i++) press(page, KEYX_UP);
  CHECK_INT(work->chosen, 0);
  for (int i = 0; i < place_of(work, true); i++) press(page, KEYX_DOWN);
  press(page, KEY_RETURN_);
  wait(page);
  CHECK(shows(page, "It works."));
  page->class->free(page);
}

static void other_code_cannot_be_tried(void) {
  Lesson *lesson = at_work();
  LsErr err = {0};
  CHECK(!lesson_work_try(lesson, "tid < 33", &err));
  CHECK(ls_starts_with(lesson_work(lesson)->failure, "no compiler is here"));
  CHECK(lesson_work_try(lesson, "tid<32", &err));   // blanks aside it is known
  lesson_free(lesson);
}

static const Check checks[] = {{"answers are chosen", answers_are_chosen},
                               {"other code cannot be tried", other_code_cannot_be_tried}};

int main(int argc, char **argv) {
  setenv("LANESCOPE_DATA", LS_SOURCE_DIR, 1);
  setenv("LANESCOPE_COMPILER", "clang", 1);
  setenv("PATH", "/nowhere", 1);
  if (work_can_compile()) return 77;                // somewhere else than on the search path
  book = recipe_book_open(NULL, NULL);
  course = course_open(NULL, NULL);
  int status = check_main("lesson_choice", checks, LS_COUNT(checks), argc, argv);
  course->free(course);
  book->free(book);
  return status;
}
