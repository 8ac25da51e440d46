// cmd_course.c: lanescope alone: the course on the screen; where there is no terminal, a first demonstration in
// plain text.
#include <stdlib.h>

#include "base/file.h"
#include "cli/busy.h"
#include "cli/cli.h"
#include "script/exercise.h"
#include "script/lesson.h"
#include "script/recipe.h"
#include "ui/pages/page.h"

enum { DEMO_EVENTS = 40 };

static Page *open_lesson(const PageMenu *menu, const CourseLesson *lesson) {
  LsErr err = {0};
  Lesson *opened = lesson_begin(menu->course, lesson->id, menu->book, menu->progress, &err);
  return opened ? page_lesson_new(opened, menu->book) : page_error_new(&err);
}

static Page *open_claims(const PageMenu *menu, int chosen) {
  return page_claims_new(menu->course, menu->book, NULL, chosen);
}

static Page *open_quiz(const PageMenu *menu) { return page_quiz_new(menu->course, menu->progress, menu->book); }

// The ladder lives as long as the program.
static Page *open_practice(const PageMenu *menu) {
  static ExerciseBook *exercises;
  LsErr err = {0};
  if (!exercises) exercises = exercise_book_open(NULL, &err);
  return exercises ? page_ladder_new(exercises, menu->progress, menu->book) : page_error_new(&err);
}

static Page *open_museum(const PageMenu *menu, int chosen) {
  return page_museum_new(menu->course, menu->book, chosen);
}

// The launch of a file's kernel is asked for first, as explore asks.
static Page *open_file(const PageOwn *own, const char *path) {
  RunRequest request;
  run_request_init(&request);
  request.what = ls_strdup(path);
  Page *page = page_launch_new(&(LaunchAsk){.request = &request, .command = "explore", .book = own->book,
                                            .open = page_run_new});
  run_request_fini(&request);
  return page;
}

static Page *open_own(const PageMenu *menu) { return page_own_new(&(PageOwn){.book = menu->book, .open = open_file}); }

// reduce2 in words: what a screen would show, for a pipe or a terminal that can do no more.
static int demonstrate(Cli *cli, LsErr *err) {
  RunRequest request;
  RecipeBook *book = cli_book(cli, err);
  run_request_init(&request);
  request.what = ls_strdup("reduce2");
  request.recipe = book ? book->get(book, request.what, err) : NULL;
  Run *run = NULL;
  if (request.recipe) {
    recipe_defaults(request.recipe, &request.values);
    run = run_new(&request, busy_begin("running reduce2"), err);
    busy_end();
  }
  run_request_fini(&request);
  if (!run) return -1;
  puts("lanescope shows what the lanes of a warp do. On a terminal it opens the course; here is a first demonstration in words.\n"
       "lanescope --help lists the commands, lanescope kernels the lecture kernels, lanescope lesson --list the lessons.\n");
  int status = cli_plain_run(run, &(PlainOptions){.interesting_only = true, .limit = DEMO_EVENTS}, err);
  run_free(run);
  return status;
}

static int show_menu(Cli *cli, Course *course, LsErr *err) {
  TermOptions options;
  RecipeBook *book = cli_book(cli, err);
  if (!book || !cli_term_options(cli, &options, err)) return -1;
  Progress *progress = progress_open(NULL);
  PageMenu menu = {.course = course, .progress = progress, .book = book, .note = "emulator", .open_lesson = open_lesson,
                   .open_own = open_own, .open_claims = open_claims, .open_museum = open_museum,
                   .open_quiz = open_quiz, .open_practice = open_practice};
  bool first = progress_is_first(progress);
  if (first) progress_greeted(progress);
  int status = ui_run(first ? page_greeting_new(&menu) : page_menu_new(&menu), &options, err);
  progress_close(progress);
  return status;
}

int cmd_course(Cli *cli, LsErr *err) {
  if (!cli_wants_screen(cli)) return demonstrate(cli, err);
  Course *course = course_open(NULL, err);
  if (!course) return -1;
  int status = show_menu(cli, course, err);
  course->free(course);
  return status;
}
