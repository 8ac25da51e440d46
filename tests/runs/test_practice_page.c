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

typedef struct Bench { Page *page; Canvas *canvas; Progress *progress; const Exercise *exercise; } Bench;

static void set_up(Bench *bench, const char *name, int cols, int rows) {
  bench->exercise = exercise_of(name);
  bench->progress = progress_open(":memory:");
  bench->canvas = canvas_new(cols, rows);
  bench->page = page_practice_new(bench->exercise, folder, bench->progress, recipes);
}

static void tear_down(Bench *bench) {
  bench->page->class->free(bench->page);
  canvas_free(bench->canvas);
  progress_close(bench->progress);
}

static bool shows(Bench *bench, const char *words) {
  LsText text = {0};
  page_draw(bench->page, bench->canvas);
  canvas_to_text(bench->canvas, false, &text);
  bool found = strstr(ls_text_str(&text), words) != NULL;
  ls_text_free(&text);
  return found;
}

// The same of the page above it.
static bool above_shows(Bench *bench, const char *words) {
  Bench above = {.page = bench->page->open, .canvas = bench->canvas};
  return above.page && shows(&above, words);
}

static void close_above(Bench *bench) {
  if (bench->page->open) bench->page->open->class->free(bench->page->open);
  bench->page->open = NULL;
}

// Ticks as the loop would until the words are there.
static void wait_for(Bench *bench, const char *words) {
  double end = ls_clock() + PATIENCE_S;
  while (!shows(bench, words) && !bench->page->open && ls_clock() < end) {
    nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
    if (bench->page->class->tick) bench->page->class->tick(bench->page, 0.02);
  }
  if (!shows(bench, words)) {
    LsText text = {0};
    canvas_to_text(bench->canvas, false, &text);
    printf("\nnot there: %s\n%s\n", words, ls_text_str(&text));
    ls_text_free(&text);
  }
  CHECK(shows(bench, words));
}

static void press(Bench *bench, uint32_t code) { bench->page->class->key(bench->page, (AppKey){.code = code}); }

// As an editor that puts another file in the place of the old one.
static void save(const Bench *bench, const char *solution) {
  char *from = exercise_file(bench->exercise, solution), *to = attempt_file(bench->exercise, folder);
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
  Bench bench;
  Solved solved;
  set_up(&bench, "transpose", 80, 24);
  CHECK(shows(&bench, "is new: the starter is in it") && shows(&bench, "void transpose("));
  save(&bench, "wrong_1");
  wait_for(&bench, "Right, but it wastes.");
  CHECK(shows(&bench, "bank conflicts") && shows(&bench, "judged once"));
  CHECK(solved_load(bench.progress, "transpose", &solved) && solved.tries == 1 && !solved.passed);
  save(&bench, "reference");
  wait_for(&bench, "Solved.");
  CHECK(solved_load(bench.progress, "transpose", &solved) && solved.tries == 2 && solved.passed);
  wait_for(&bench, "Other ways that are as right");
  press(&bench, '1');
  CHECK(above_shows(&bench, "Transposition: alt_1") && above_shows(&bench, "   2   __global__ void transpose("));
  close_above(&bench);
  press(&bench, '?');
  CHECK(above_shows(&bench, "judge again, with other sizes and data"));
  close_above(&bench);
  tear_down(&bench);
}

// What is there is never written to.
static void t_own_file_stays(void) {
  Bench bench;
  set_up(&bench, "map", 120, 36);
  save(&bench, "reference");
  tear_down(&bench);
  set_up(&bench, "map", 120, 36);
  CHECK(!shows(&bench, "is new"));
  wait_for(&bench, "Solved.");
  char *path = attempt_file(bench.exercise, folder), *from = exercise_file(bench.exercise, "reference");
  char *own = ls_file_read(path, 1 << 20, NULL, NULL), *wanted = ls_file_read(from, 1 << 20, NULL, NULL);
  CHECK(own && wanted && strcmp(own, wanted) == 0);
  free(own);
  free(wanted);
  free(path);
  free(from);
  tear_down(&bench);
}

static void t_failure_opens(void) {
  Bench bench;
  set_up(&bench, "reduce_warp", 100, 30);
  save(&bench, "wrong_1");
  wait_for(&bench, "A fault.");
  press(&bench, KEY_RETURN_);
  wait_for(&bench, "A fault.");
  double end = ls_clock() + PATIENCE_S;
  while (!bench.page->open && ls_clock() < end) {
    nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
    bench.page->class->tick(bench.page, 0.02);
  }
  CHECK(bench.page->open != NULL);
  if (bench.page->open) {
    LsText text = {0};
    page_draw(bench.page->open, bench.canvas);
    canvas_to_text(bench.canvas, false, &text);
    CHECK(strstr(ls_text_str(&text), "something goes wrong here") != NULL);
    ls_text_free(&text);
    bench.page->open->class->free(bench.page->open);
    bench.page->open = NULL;
  }
  tear_down(&bench);
}

static void t_tips_and_trouble(void) {
  Bench bench;
  set_up(&bench, "guard", 80, 24);
  press(&bench, 't');
  CHECK(shows(&bench, "tip 1"));
  char *path = attempt_file(bench.exercise, folder);
  unlink(path);
  wait_for(&bench, "is gone");
  CHECK(ls_file_write(path, "this is no kernel\n", 18, NULL));
  wait_for(&bench, "It does not compile.");
  static const char other[] = "__global__ void addd(float *z) { *z = 1; }\n";
  CHECK(ls_file_write(path, other, sizeof other - 1, NULL));
  wait_for(&bench, "(float *z,");   // a compiler's stars are no markup
  free(path);
  setenv("VISUAL", "/no/editor", 1);
  press(&bench, 'E');
  CHECK(bench.page->shell && ls_starts_with(bench.page->shell, "/no/editor "));
  bench.page->shell_status = 127;   // as the loop tells it
  bench.page->class->tick(bench.page, 0);
  CHECK(shows(&bench, "there is no editor editor"));
  free(bench.page->shell);
  bench.page->shell = NULL;
  press(&bench, 'q');
  CHECK(bench.page->closed);
  tear_down(&bench);
}

// Each tip is seen when it is asked for, and the task stays where it can be read.
static void t_tips_are_seen(void) {
  Bench bench;
  set_up(&bench, "map", 60, 20);
  for (int i = 0; i < 3; i++) {
    char label[] = {'t', 'i', 'p', ' ', (char)('1' + i), 0};
    press(&bench, 't');
    CHECK(shows(&bench, label));
  }
  press(&bench, 't');
  CHECK(shows(&bench, "there are no more tips"));
  press(&bench, KEYX_HOME);
  CHECK(shows(&bench, "for every element"));
  tear_down(&bench);
  set_up(&bench, "tickets", 120, 20);
  for (int i = 0; i < 3; i++) press(&bench, 't');
  CHECK(shows(&bench, "tip 3"));
  tear_down(&bench);
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
