// test_lesson_work_page.c: code that is written on the screen: typed, tried in the background, put in order, chosen.
#include <time.h>

#include "app/keys.h"
#include "course_of.h"
#include "script/recipe.h"
#include "ui/pages/page.h"

static RecipeBook *book;

static const char lesson_text[] =
    "modify { title = 'A lane', [[Fill in.]], kernel = 'warp_map_40x2', line = 'lane[rank] =', blank = 'lane[rank] = ____;',\n"
    "  fill = 'rank % 32', wrong = { ['rank / 32'] = 'That is the warp.' }, because = 'Counted on.' }\n"
    "make { title = 'A tree', kernel = 'reduce2', from = 'if (id < k)', to = '__syncthreads();', starter = '',\n"
    "  solution = [[\n    if (id < k)\n      tsum[id] += tsum[id + k];\n    __syncthreads();\n]], runs = { { N = 256, threads = 64 } } }\n"
    "parsons { title = 'In order', kernel = 'reduce2', from = 'if (id < k)', to = '__syncthreads();',\n"
    "  spare = { '    tsum[id + k] += tsum[id];' }, runs = { { N = 256, threads = 64 } } }\n"
    "say { title = 'Behind', 'All done.' }\n";

typedef struct Stand { CourseOf of; Lesson *lesson; Page *page; Canvas *canvas; } Stand;

static bool set_up(Stand *stand, int cols, int rows) {
  stand->of = course_of(lesson_text);
  stand->lesson = course_of_lesson(&stand->of, book);
  stand->canvas = canvas_new(cols, rows);
  stand->page = page_lesson_new(stand->lesson, book);
  return true;
}

static void tear_down(Stand *stand) {
  stand->page->class->free(stand->page);
  canvas_free(stand->canvas);
  course_of_drop(&stand->of);
}

static void press(Stand *stand, uint32_t code) { stand->page->class->key(stand->page, (AppKey){.code = code}); }

static void type(Stand *stand, const char *text) {
  for (; *text; text++) press(stand, *text == '\n' ? KEY_RETURN_ : (unsigned char)*text);
}

static bool shows(Stand *stand, const char *words) {
  LsText text = {0};
  page_draw(stand->page, stand->canvas);
  canvas_to_text(stand->canvas, false, &text);
  bool found = strstr(ls_text_str(&text), words) != NULL;
  ls_text_free(&text);
  return found;
}

static void expect(Stand *stand, const char *words) {
  bool found = shows(stand, words);
  if (!found) {
    LsText text = {0};
    canvas_to_text(stand->canvas, false, &text);
    printf("\nnot there: %s\n%s\n", words, ls_text_str(&text));
    ls_text_free(&text);
  }
  CHECK(found);
}

// Until the try is over.
static void wait(Stand *stand) {
  for (int i = 0; i < 3000 && stand->page->ticking; i++) {
    nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    stand->page->class->tick(stand->page, 0.01);
  }
  CHECK(!stand->page->ticking);
}

static void a_blank_is_typed(void) {
  Stand stand;
  set_up(&stand, 80, 24);
  expect(&stand, "lane[rank] = ____;");
  expect(&stand, "modify");
  press(&stand, ' ');
  expect(&stand, "Write it first");
  press(&stand, KEY_RETURN_);
  type(&stand, "q + ");                 // all keys are text now
  expect(&stand, "lane[rank] = q + ;");
  press(&stand, KEY_RETURN_);
  wait(&stand);
  expect(&stand, "It does not compile.");
  expect(&stand, "▲");
  press(&stand, KEY_RETURN_);
  for (int i = 0; i < 4; i++) press(&stand, KEY_BACKSPACE_);
  type(&stand, "rank / 32\n");
  wait(&stand);
  expect(&stand, "That is the warp.");
  expect(&stand, "expected");
  press(&stand, KEY_RETURN_);
  for (int i = 0; i < 4; i++) press(&stand, KEY_BACKSPACE_);
  type(&stand, "% 32");
  press(&stand, KEY_ESC_);
  CHECK(!shows(&stand, "It works."));
  press(&stand, KEY_RETURN_);
  press(&stand, KEY_RETURN_);
  wait(&stand);
  expect(&stand, "It works.");
  expect(&stand, "Counted on.");
  press(&stand, 'o');
  CHECK(stand.page->open != NULL);
  if (stand.page->open) stand.page->open->class->free(stand.page->open);
  stand.page->open = NULL;
  press(&stand, KEY_RETURN_);
  expect(&stand, "A tree");
  press(&stand, KEY_BACKSPACE_);
  expect(&stand, "lane[rank] = rank % 32;");   // what was written stays
  tear_down(&stand);
}

static void lines_are_typed(void) {
  Stand stand;
  set_up(&stand, 120, 36);
  press(&stand, 's');
  expect(&stand, "One way:");
  press(&stand, KEY_RETURN_);
  expect(&stand, "make");
  press(&stand, KEY_RETURN_);
  type(&stand, "    if (id < k) {\ntsum[id] += tsum[id + k];\n");
  press(&stand, KEYX_SHIFT_TAB);
  type(&stand, "}");
  expect(&stand, "  20  ");
  press(&stand, KEY_ESC_);
  wait(&stand);
  expect(&stand, "line 18: thread (0,0,0) of block (0,0,0)");
  press(&stand, 'i');
  type(&stand, "\n__syncthreads();");
  press(&stand, KEY_ESC_);
  wait(&stand);
  expect(&stand, "It works.");
  tear_down(&stand);
}

// Moves the piece that the lesson has at `piece` to row `to`.
static void bring(Stand *stand, const LessonWork *work, int *order, int rows, int piece, int to) {
  int at = 0;
  while (at < rows && order[at] != piece) at++;
  for (int i = 0; i < rows; i++) press(stand, KEYX_UP);
  int seen = 0;
  for (int i = 0; i < at; i++) seen += order[i] >= 0;
  for (int i = 0; i < seen; i++) press(stand, KEYX_DOWN);
  for (; at > to; at--) {
    press(stand, 'K');
    order[at] = order[at - 1];
  }
  for (; at < to; at++) {
    press(stand, KEYX_SHIFT_DOWN);
    order[at] = order[at + 1];
  }
  order[to] = piece;
  (void)work;
}

static void lines_are_ordered(void) {
  Stand stand;
  set_up(&stand, 80, 24);
  for (int i = 0; i < 2; i++) {
    press(&stand, 's');
    press(&stand, KEY_RETURN_);
  }
  expect(&stand, "these belong nowhere");
  const LessonWork *work = lesson_work(stand.lesson);
  int order[5];
  for (int i = 0; i < 4; i++) order[i] = work->shuffle[i];
  order[4] = -1;
  bring(&stand, work, order, 5, 3, 4);             // the spare one below the rule
  for (int piece = 0; piece < 3; piece++) bring(&stand, work, order, 5, piece, piece);
  press(&stand, 'J');                               // not the last of them yet
  press(&stand, 'K');
  press(&stand, KEY_RETURN_);
  wait(&stand);
  expect(&stand, "It works.");
  press(&stand, KEY_RETURN_);
  expect(&stand, "All done.");
  tear_down(&stand);
}

// $EDITOR has the whole file; what is saved is tried.
static void an_editor_has_the_file(void) {
  Stand stand;
  set_up(&stand, 120, 36);
  press(&stand, 'E');
  CHECK(stand.page->shell == NULL);                 // a blank is filled here
  press(&stand, 's');
  press(&stand, KEY_RETURN_);
  press(&stand, 'E');
  CU_ASSERT_FATAL(stand.page->shell != NULL);
  CHECK(strstr(stand.page->shell, "reduce2.cu") != NULL);
  free(stand.page->shell);
  stand.page->shell = NULL;
  char *path = ls_xdg_path("CACHE", "lesson/reduce2.cu"), *text = ls_file_read(path, 1 << 16, NULL, NULL);
  CU_ASSERT_FATAL(text != NULL);
  const LessonWork *work = lesson_work(stand.lesson);
  char *right = work_source(work, work->answers[0].text), *other = ls_format("// mine\n%s", right);
  CHECK(ls_file_write(path, other, strlen(other), NULL));
  for (int i = 0; i < 50 && work->state != WORK_FAILED; i++) stand.page->class->tick(stand.page, 0.02);
  expect(&stand, "more than the lines that are yours");
  CHECK(ls_file_write(path, right, strlen(right), NULL));
  for (int i = 0; i < 3000 && work->state != WORK_PASSED; i++) {
    nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
    stand.page->class->tick(stand.page, 0.02);
  }
  expect(&stand, "It works.");
  press(&stand, KEY_RETURN_);
  CHECK(!ls_file_exists(path));                     // the step was left
  free(right);
  free(other);
  free(text);
  free(path);
  tear_down(&stand);
}

// Leaving while something runs leaves nothing behind.
static void leaving_ends_the_try(void) {
  Stand stand;
  set_up(&stand, 80, 24);
  press(&stand, KEY_RETURN_);
  type(&stand, "0; for (;;) lane[rank]++\n");
  CHECK(stand.page->ticking);
  press(&stand, KEY_ESC_);
  wait(&stand);
  press(&stand, KEY_RETURN_);
  press(&stand, KEY_RETURN_);
  press(&stand, 's');
  press(&stand, KEY_RETURN_);
  tear_down(&stand);
}

static const Check checks[] = {
    {"a blank is typed", a_blank_is_typed},
    {"lines are typed", lines_are_typed},
    {"lines are ordered", lines_are_ordered},
    {"an editor has the file", an_editor_has_the_file},
    {"leaving ends the try", leaving_ends_the_try},
};

int main(int argc, char **argv) {
  setenv("LANESCOPE_DATA", LS_SOURCE_DIR, 1);
  if (!work_can_compile()) return 77;
  book = recipe_book_open(NULL, NULL);
  int status = check_main("lesson_work_page", checks, LS_COUNT(checks), argc, argv);
  book->free(book);
  return status;
}
