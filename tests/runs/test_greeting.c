// test_greeting.c: the first screen of all: a real warp walked to its branch, a question, and what the run says to it.
#include <sched.h>

#include "app/course/walk.h"
#include "base/mem.h"
#include "check.h"
#include "recipe_run.h"
#include "script/lesson.h"
#include "ui/pages/page.h"

// ---- the walk ------------------------------------------------------------------------------------------------------

static void check_step(const Walk *walk, int step, int line, uint32_t active) {
  CU_ASSERT_FATAL(step < walk->count);
  CHECK_INT(walk->lines[walk->steps[step].at].line, line);
  CHECK_INT(walk->steps[step].active, active);
}

// Lanes 0 to 15 take the one side, the others the other one, and all meet behind it.
static void a_warp_is_walked(void) {
  static const struct { int line; uint32_t active; } expected[] = {
      {10, 0xffffffff}, {11, 0xffffffff}, {13, 0xffff}, {14, 0xffff}, {13, 0xffff}, {17, 0xffff0000}, {18, 0xffff0000},
      {17, 0xffff0000}, {20, 0xffffffff}};
  Run *run = run_recipe("diverge_if_else", "a_steps=1", SIM_ITS, DEV_WRITTEN);
  CU_ASSERT_FATAL(run != NULL);
  Session *session = ses_new(run);
  Walk walk;
  CHECK(walk_new(session, 10, &walk));
  CHECK_INT(walk.lines[0].line, 10);
  CHECK_STR(walk.lines[0].text, "bool foo = tid % period < k;");      // not indented, as the first of its kind
  CHECK_STR(walk.lines[2].text, "  for (int i = 0; i < a_steps; i++)");
  CHECK_INT(walk.lines[walk.line_count - 1].line, 20);
  for (int i = 0; i < 6; i++) check_step(&walk, i, expected[i].line, expected[i].active);
  check_step(&walk, walk.count - 1, 20, 0xffffffff);
  CHECK(walk.live == 0xffffffff && walk.partly > 0 && walk.partly < walk.instructions);
  walk_free(&walk);
  CHECK(!walk_new(session, 1000, &walk));
  walk_free(&walk);
  ses_free(session);
}

// ---- the page ------------------------------------------------------------------------------------------------------

typedef struct Stand { Course *course; Progress *progress; PageMenu menu; Page *page; } Stand;

static Page *opens_lesson(const PageMenu *menu, const CourseLesson *lesson) {
  (void)menu;
  return page_message_new("opened", lesson->id);
}

static Stand stand(void) {
  Stand made = {.course = course_open(NULL, NULL), .progress = progress_open(":memory:")};
  CU_ASSERT_FATAL(made.course != NULL);
  if (!book) book = recipe_book_open(LS_SOURCE_DIR "/kernels", NULL);
  made.menu = (PageMenu){.course = made.course, .progress = made.progress, .book = book, .note = "emulator",
                         .open_lesson = opens_lesson};
  made.page = page_greeting_new(&made.menu);
  return made;
}

static void drop(Stand *stand) {
  if (stand->page->open) {
    Page *menu = stand->page->open;
    if (menu->open) menu->open->class->free(menu->open);
    menu->class->free(menu);
  }
  stand->page->class->free(stand->page);
  progress_close(stand->progress);
  stand->course->free(stand->course);
}

static void press(Stand *stand, uint32_t code) { stand->page->class->key(stand->page, (AppKey){.code = code}); }

static bool shows(Page *page, int cols, int rows, const char *words) {
  Canvas *canvas = canvas_new(cols, rows);
  LsText text = {0};
  page_draw(page, canvas);
  canvas_to_text(canvas, false, &text);
  bool there = strstr(ls_text_str(&text), words) != NULL;
  if (!there) printf("\nno '%s' at %dx%d:\n%s\n", words, cols, rows, ls_text_str(&text));
  ls_text_free(&text);
  canvas_free(canvas);
  return there;
}

// The job and the clock go on until the page stands still.
static void wait(Stand *stand) {
  for (int i = 0; stand->page->ticking && i < 1000000; i++) {
    stand->page->class->tick(stand->page, 0.1);
    sched_yield();
  }
  CHECK(!stand->page->ticking);
}

static void check_sizes(Page *page, const char *words) {
  static const int sizes[][2] = {{60, 20}, {80, 24}, {100, 30}, {120, 36}, {200, 60}};
  for (int i = 0; i < LS_COUNT(sizes); i++) CHECK(shows(page, sizes[i][0], sizes[i][1], words));
}

static const char all[] = "████████████████████████████████", left[] = "████████████████░░░░░░░░░░░░░░░░",
                  right[] = "░░░░░░░░░░░░░░░░████████████████";

static void expect_story(Stand *stand, uint32_t key, const char *told) {
  wait(stand);
  check_sizes(stand->page, "3  Only the side that comes first");
  CHECK(shows(stand->page, 80, 24, all));
  press(stand, key);
  CHECK(stand->page->ticking);
  wait(stand);
  check_sizes(stand->page, told);
  check_sizes(stand->page, "Enter opens the first");
  CHECK(shows(stand->page, 80, 24, left) && shows(stand->page, 80, 24, right));
}

static void every_answer_is_told_why(void) {
  Stand made = stand();
  expect_story(&made, '1', "Not at once");
  press(&made, ' ');
  expect_story(&made, '2', "Right:");
  press(&made, ' ');
  expect_story(&made, '3', "No lane is left out");
  press(&made, KEY_RETURN_);
  CU_ASSERT_FATAL(made.page->closed && made.page->open && made.page->open->open);
  CHECK(shows(made.page->open->open, 80, 24, "L01"));
  drop(&made);
}

// At any moment a key leads to the course, and not into a lesson.
static void it_is_skipped_by_a_key(void) {
  for (int moment = 0; moment < 3; moment++) {
    Stand made = stand();
    if (moment) wait(&made);
    if (moment == 2) press(&made, '1');
    press(&made, moment % 2 ? KEY_ESC_ : 'q');
    CU_ASSERT_FATAL(made.page->closed && made.page->open != NULL);
    CHECK(!made.page->open->open && shows(made.page->open, 80, 24, "▸L01  Hello, GPU"));
    drop(&made);
  }
}

// Without motion it stands at its question at once.
static void without_motion_it_stands(void) {
  ses_taste.motion = false;
  Stand made = stand();
  wait(&made);
  CHECK(shows(made.page, 80, 24, "What will the"));
  press(&made, '2');
  made.page->class->tick(made.page, 0);
  CHECK(!made.page->ticking && shows(made.page, 80, 24, "Right:"));
  drop(&made);
  ses_taste.motion = true;
}

static const Check checks[] = {
    {"a warp is walked", a_warp_is_walked},
    {"every answer is told why", every_answer_is_told_why},
    {"it is skipped by a key", it_is_skipped_by_a_key},
    {"without motion it stands", without_motion_it_stands},
};

int main(int argc, char **argv) {
  setenv("LANESCOPE_DATA", LS_SOURCE_DIR, 1);
  int status = check_main("greeting", checks, LS_COUNT(checks), argc, argv);
  if (book) book->free(book);
  return status;
}
