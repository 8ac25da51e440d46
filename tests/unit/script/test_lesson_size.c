// test_lesson_size.c: what the lessons ask of the reader and of the machine: words of a screen, and how much is emulated.
#include <ctype.h>

#include "app/course/lesson.h"
#include "app/run/program_run.h"
#include "base/mem.h"
#include "check.h"
#include "script/lesson.h"
#include "script/recipe.h"

static RecipeBook *book;

// Text and question, as they are filled in; half of the screens have 27 at most.
enum { SCREEN_WORDS = 70 };
// 20 seconds for the whole course, at the 5 million instructions of a warp that a slow machine records in one.
static const double COURSE_INSTRUCTIONS = 100e6;

typedef struct Sizes { int screens, most; double instructions, seconds; } Sizes;

// Numbers in a table are no words.
static int words_of(const char *text) {
  int words = 0;
  bool letter = false;
  for (const char *p = text; p && *p; p++) {
    words += !letter && isalpha((unsigned char)*p);
    letter = !strchr(" \n", *p) && (letter || isalpha((unsigned char)*p));
  }
  return words;
}

static int screen_words(const LessonStep *step) {
  return words_of(step->text) + words_of(step->question.prompt) + words_of(step->goal.wanted);
}

static void size_up(void *context, const Lesson *lesson, const LessonStep *step) {
  Sizes *sizes = context;
  int words = screen_words(step);
  if (words > SCREEN_WORDS)
    printf("\n%s, '%s': %d words on one screen\n", lesson_info(lesson)->id, step->title, words);
  CHECK(words <= SCREEN_WORDS);
  sizes->screens++;
  sizes->most = LS_MAX(sizes->most, words);
}

// Of a program, which several runs may share, each launch is one.
static void count_runs(const Lesson *lesson, Sizes *sizes) {
  const Run *run;
  for (int i = 0; (run = lesson_run(lesson, i)); i++) {
    if (strcmp(run->request.device, "recorded") == 0) continue;
    const CounterSet *set = run->whole ? &run->whole->counters : counters_total(run->counters);
    sizes->instructions += (double)set->value[COUNTER_WARP_INSTRUCTIONS];
    sizes->seconds += (double)(run->whole ? run->whole->elapsed_ns : run->elapsed_ns) / 1e9;
  }
}

static void lessons_are_no_burden(void) {
  LsErr err = {0};
  Sizes all = {0};
  Course *course = course_open(NULL, &err);
  CU_ASSERT_FATAL(course != NULL);
  for (int i = 0; i < course->count; i++) {
    const CourseLesson *info = &course->lessons[i];
    if (!info->file) continue;
    Sizes sizes = {0};
    Lesson *lesson = lesson_open(course, info->id, book, NULL, &err);
    CHECK(lesson && lesson_auto(lesson, size_up, &sizes, &err));
    if (lesson) count_runs(lesson, &sizes);
    if (getenv("PRINT"))
      printf("\n%s: %d screens, the longest of %d words; %.0f instructions of warps, %.2f s\n", info->id, sizes.screens,
             sizes.most, sizes.instructions, sizes.seconds);
    all.instructions += sizes.instructions;
    all.seconds += sizes.seconds;
    lesson_free(lesson);
  }
  course->free(course);
  if (getenv("PRINT"))
    printf("\ncourse: %.1f million instructions of warps, %.2f s\n", all.instructions / 1e6, all.seconds);
  CHECK(all.instructions > 0 && all.instructions <= COURSE_INSTRUCTIONS);
}

static const Check checks[] = {{"lessons are no burden", lessons_are_no_burden}};

int main(int argc, char **argv) {
  setenv("LANESCOPE_DATA", LS_SOURCE_DIR, 1);
  book = recipe_book_open(NULL, NULL);
  int status = check_main("lesson size", checks, LS_COUNT(checks), argc, argv);
  book->free(book);
  return status;
}
