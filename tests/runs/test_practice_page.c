// test_practice_page.c: exercises on the screen: the student's file is made, watched, judged at every save, and opened
// in the explorer where it goes wrong.
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "app/practice/attempt.h"
#include "base/clock.h"
#include "base/file.h"
#include "check.h"
#include "script/exercise.h"
#include "script/recipe.h"
#include "source_dir.h"
#include "ui/pages/page.h"

enum { SKIPPED = 77, PATIENCE_S = 120 };

static ExerciseBook *exercises;
static RecipeBook *recipes;
static char folder[512];

static const Exercise *exercise_of(const char *name) {
  int index = exercise_find(exercises, name, NULL);
  return index < 0 ? NULL : exercises->get(exercises, index, NULL);
}

typedef struct Stand { Page *page; Canvas *canvas; Progress *progress; const Exercise *exercise; } Stand;

static void set_up(Stand *stand, const char *name, int cols, int rows) {
  stand->exercise = exercise_of(name);
  stand->progress = progress_open(":memory:");
  stand->canvas = canvas_new(cols, rows);
  stand->page = page_practice_new(stand->exercise, folder, stand->progress, recipes);
}

static void tear_down(Stand *stand) {
  stand->page->class->free(stand->page);
  canvas_free(stand->canvas);
  progress_close(stand->progress);
}

static bool shows(Stand *stand, const char *words) {
  LsText text = {0};
  page_draw(stand->page, stand->canvas);
  canvas_to_text(stand->canvas, false, &text);
  bool found = strstr(ls_text_str(&text), words) != NULL;
  ls_text_free(&text);
  return found;
}

// The same of the page above it.
static bool above_shows(Stand *stand, const char *words) {
  Stand above = {.page = stand->page->open, .canvas = stand->canvas};
  return above.page && shows(&above, words);
}

static void close_above(Stand *stand) {
  if (stand->page->open) stand->page->open->class->free(stand->page->open);
  stand->page->open = NULL;
}

// Ticks as the loop would until the words are there.
static void wait_for(Stand *stand, const char *words) {
  double end = ls_clock() + PATIENCE_S;
  while (!shows(stand, words) && !stand->page->open && ls_clock() < end) {
    nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
    if (stand->page->class->tick) stand->page->class->tick(stand->page, 0.02);
  }
  if (!shows(stand, words)) {
    LsText text = {0};
    canvas_to_text(stand->canvas, false, &text);
    printf("\nnot there: %s\n%s\n", words, ls_text_str(&text));
    ls_text_free(&text);
  }
  CHECK(shows(stand, words));
}

static void press(Stand *stand, uint32_t code) { stand->page->class->key(stand->page, (AppKey){.code = code}); }

// As an editor that puts another file in the place of the old one.
static void save(const Stand *stand, const char *solution) {
  char *from = exercise_file(stand->exercise, solution), *to = attempt_file(stand->exercise, folder);
  char *aside = ls_format("%s.new", to);
  size_t size;
  char *text = ls_file_read(from, 1 << 20, &size, NULL);
  CHECK(text && ls_file_write(aside, text, size, NULL) && rename(aside, to) == 0);
  free(text);
  free(aside);
  free(from);
  free(to);
}

static void t_from_starter_to_solved(void) {
  Stand stand;
  Solved solved;
  set_up(&stand, "transpose", 80, 24);
  CHECK(shows(&stand, "is new: the starter is in it") && shows(&stand, "void transpose("));
  save(&stand, "wrong_1");
  wait_for(&stand, "Right, but it wastes.");
  CHECK(shows(&stand, "bank conflicts") && shows(&stand, "judged once"));
  CHECK(solved_load(stand.progress, "transpose", &solved) && solved.tries == 1 && !solved.passed);
  save(&stand, "reference");
  wait_for(&stand, "Solved.");
  CHECK(solved_load(stand.progress, "transpose", &solved) && solved.tries == 2 && solved.passed);
  wait_for(&stand, "Other ways that are as right");
  press(&stand, '1');
  CHECK(above_shows(&stand, "Transposition: alt_1") && above_shows(&stand, "   2   __global__ void transpose("));
  close_above(&stand);
  press(&stand, '?');
  CHECK(above_shows(&stand, "judge again, with other sizes and data"));
  close_above(&stand);
  tear_down(&stand);
}

// What is there is never written to.
static void t_own_file_stays(void) {
  Stand stand;
  set_up(&stand, "map", 120, 36);
  save(&stand, "reference");
  tear_down(&stand);
  set_up(&stand, "map", 120, 36);
  CHECK(!shows(&stand, "is new"));
  wait_for(&stand, "Solved.");
  char *path = attempt_file(stand.exercise, folder), *from = exercise_file(stand.exercise, "reference");
  char *own = ls_file_read(path, 1 << 20, NULL, NULL), *wanted = ls_file_read(from, 1 << 20, NULL, NULL);
  CHECK(own && wanted && strcmp(own, wanted) == 0);
  free(own);
  free(wanted);
  free(path);
  free(from);
  tear_down(&stand);
}

static void t_failure_opens(void) {
  Stand stand;
  set_up(&stand, "reduce_warp", 100, 30);
  save(&stand, "wrong_1");
  wait_for(&stand, "A fault.");
  press(&stand, KEY_RETURN_);
  wait_for(&stand, "A fault.");
  double end = ls_clock() + PATIENCE_S;
  while (!stand.page->open && ls_clock() < end) {
    nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
    stand.page->class->tick(stand.page, 0.02);
  }
  CHECK(stand.page->open != NULL);
  if (stand.page->open) {
    LsText text = {0};
    page_draw(stand.page->open, stand.canvas);
    canvas_to_text(stand.canvas, false, &text);
    CHECK(strstr(ls_text_str(&text), "something goes wrong here") != NULL);
    ls_text_free(&text);
    stand.page->open->class->free(stand.page->open);
    stand.page->open = NULL;
  }
  tear_down(&stand);
}

static void t_tips_and_trouble(void) {
  Stand stand;
  set_up(&stand, "guard", 80, 24);
  press(&stand, 't');
  CHECK(shows(&stand, "tip 1"));
  char *path = attempt_file(stand.exercise, folder);
  unlink(path);
  wait_for(&stand, "is gone");
  CHECK(ls_file_write(path, "this is no kernel\n", 18, NULL));
  wait_for(&stand, "It does not compile.");
  static const char other[] = "__global__ void addd(float *z) { *z = 1; }\n";
  CHECK(ls_file_write(path, other, sizeof other - 1, NULL));
  wait_for(&stand, "(float *z,");   // a compiler's stars are no markup
  free(path);
  setenv("VISUAL", "/no/editor", 1);
  press(&stand, 'E');
  CHECK(stand.page->shell && ls_starts_with(stand.page->shell, "/no/editor "));
  stand.page->shell_status = 127;   // as the loop tells it
  stand.page->class->tick(stand.page, 0);
  CHECK(shows(&stand, "there is no editor editor"));
  free(stand.page->shell);
  stand.page->shell = NULL;
  press(&stand, 'q');
  CHECK(stand.page->closed);
  tear_down(&stand);
}

// Each tip is seen when it is asked for, and the task stays where it can be read.
static void t_tips_are_seen(void) {
  Stand stand;
  set_up(&stand, "map", 60, 20);
  for (int i = 0; i < 3; i++) {
    char label[] = {'t', 'i', 'p', ' ', (char)('1' + i), 0};
    press(&stand, 't');
    CHECK(shows(&stand, label));
  }
  press(&stand, 't');
  CHECK(shows(&stand, "there are no more tips"));
  press(&stand, KEYX_HOME);
  CHECK(shows(&stand, "for every element"));
  tear_down(&stand);
  set_up(&stand, "tickets", 120, 20);
  for (int i = 0; i < 3; i++) press(&stand, 't');
  CHECK(shows(&stand, "tip 3"));
  tear_down(&stand);
}

static void t_folder_cannot_be_made(void) {
  LsErr err = {0};
  CHECK(attempt_open(exercise_of("map"), "/proc/nobody", &err) == NULL);
  CHECK(err.kind == LS_EREQUEST && strstr(err.message, "LANESCOPE_PRACTICE"));
}

static void t_ladder(void) {
  Progress *progress = progress_open(":memory:");
  Page *page = page_ladder_new(exercises, progress, recipes);
  static const int sizes[][2] = {{60, 20}, {80, 24}, {100, 30}, {120, 36}};
  solved_add(progress, "map", true, "sectors", 12);
  for (int i = 0; i < LS_COUNT(sizes); i++) {
    Canvas *canvas = canvas_new(sizes[i][0], sizes[i][1]);
    LsText text = {0};
    page_draw(page, canvas);
    canvas_to_text(canvas, false, &text);
    CHECK(strstr(ls_text_str(&text), "Map") && strstr(ls_text_str(&text), "1 of "));
    ls_text_free(&text);
    canvas_free(canvas);
  }
  page->class->free(page);
  progress_close(progress);
}

static const Check checks[] = {
    {"from the starter to solved", t_from_starter_to_solved}, {"one's own file stays", t_own_file_stays},
    {"a failure opens", t_failure_opens}, {"tips, and trouble with the file", t_tips_and_trouble},
    {"tips are seen", t_tips_are_seen}, {"a folder that cannot be made", t_folder_cannot_be_made},
    {"the ladder", t_ladder},
};

static void remove_files(void) {
  static const char *const names[] = {"transpose", "map", "reduce_warp", "guard", "tickets"};
  for (int i = 0; i < LS_COUNT(names); i++) {
    char *path = ls_format("%s/%s.cu", folder, names[i]);
    unlink(path);
    free(path);
  }
  rmdir(folder);
}

int main(int argc, char **argv) {
  LsText found = {0}, meaning = {0};
  LsErr err = {0};
  setenv("LANESCOPE_DATA", source_dir(), 0);
  int compilers = dev_compilers(&found, &meaning);
  ls_text_free(&found);
  ls_text_free(&meaning);
  if (!compilers) return puts("no CUDA compiler is here"), SKIPPED;
  exercises = exercise_book_open(NULL, &err);
  recipes = recipe_book_open(NULL, &err);
  if (!exercises || !recipes || !check_folder(folder, sizeof folder)) return puts(err.message), 1;
  int status = check_main("practice_page", checks, LS_COUNT(checks), argc, argv);
  recipes->free(recipes);
  exercises->free(exercises);
  remove_files();
  return status;
}
