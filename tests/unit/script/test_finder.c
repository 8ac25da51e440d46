// test_finder.c: the search over all: what has the words comes in the order of how well it fits, and all that the real
// course has is found by its name.
#include <strings.h>

#include "app/course/finder.h"
#include "check.h"
#include "script/lesson.h"
#include "script/recipe.h"

// ---- the order -----------------------------------------------------------------------------------------------------

static FindItem some[] = {
    {FIND_CLAIM, "C090", "Banks give a word", "Why a conflict waits", "shared", "", 0},
    {FIND_LESSON, "L11", "Banks", "32 banks, one word each", "banks", "L11", 1},
    {FIND_TERM, "bank", "", "A part of shared memory", "", "L11", 2},
    {FIND_TERM, "bank conflict", "", "Lanes want words of one bank", "", "L11", 3},
    {FIND_KERNEL, "bank_patterns", "Patterns", "Columns and rows", "E57 K60", "L11", 4},
    {FIND_MISTAKE, "E57", "A stride", "Through all steps", "", "L02", 5},
    {FIND_KERNEL, "reduce2", "Reduction tree", "A block sums up", "E57", "L14", 6},
    {FIND_TERM, "embankment", "", "Nothing", "", "", 7},
};
static const Finder few = {.items = some, .count = LS_COUNT(some)};

static void expect_found(const char *words, const char *names, bool nearly) {
  FoundList found;
  LsText text = {0};
  finder_look(&few, words, &found);
  for (int i = 0; i < found.count; i++) ls_text_addf(&text, "%s%s", i ? " " : "", some[found.items[i]].name);
  CHECK_STR(ls_text_str(&text), names);
  CHECK(found.nearly == nearly);
  ls_text_free(&text);
}

static void better_comes_first(void) {
  expect_found("", "", false);
  expect_found(" ?! ", "", false);
  expect_found("bank", "bank L11 bank conflict bank_patterns C090 embankment", false);
  expect_found("BANKS", "L11 bank bank conflict bank_patterns C090 embankment", false);
  expect_found("bank conflict", "bank conflict C090", false);
  expect_found("conflict bank", "bank conflict C090", false);
  expect_found("what is a bank conflict?", "bank conflict C090", false);
  expect_found("E57", "E57 reduce2 bank_patterns", false);
  expect_found("e57 stride", "E57", false);
  expect_found("bank_patterns", "bank_patterns", false);
  expect_found("tree", "reduce2", false);
  expect_found("trees", "reduce2", false);
  expect_found("one", "L11 bank conflict", false);       // of both the words about them
}

static void near_words_are_found(void) {
  expect_found("conflcit", "bank conflict", true);       // two letters changed places
  expect_found("patern", "bank_patterns", true);
  expect_found("bnk", "", true);                         // too short to guess
  expect_found("xyzzy", "", true);
}

// ---- the real course -----------------------------------------------------------------------------------------------

static Course *course;
static RecipeBook *book;

static bool is_called(const FindItem *item, const char *name) {
  return strcasecmp(item->name, name) == 0 || strcasecmp(item->title, name) == 0;
}

// Its name alone finds a thing, before all that is not called so.
static void everything_is_found_by_its_name(void) {
  LsErr err = {0};
  Finder *finder = finder_new(course, book, &err);
  CU_ASSERT_FATAL(finder != NULL);
  int counted = 0;
  for (int i = 0; i < FIND_KINDS; i++) counted += finder->counts[i];
  CHECK_INT(counted, finder->count);
  CHECK(finder->counts[FIND_LESSON] == course->count && finder->counts[FIND_KERNEL] == book->kernels(book));
  CHECK(finder->counts[FIND_CLAIM] >= 117 && finder->counts[FIND_MISTAKE] >= 29 && finder->counts[FIND_TERM] > 0);
  for (int i = 0; i < finder->count; i++) {
    FoundList found;
    finder_look(finder, finder->items[i].name, &found);
    CU_ASSERT_FATAL(found.count > 0);
    const FindItem *first = &finder->items[found.items[0]];
    bool right = is_called(first, finder->items[i].name);
    if (!right) printf("\n%s finds %s\n", finder->items[i].name, first->name);
    CHECK(right);
  }
  finder_free(finder);
}

static void expect_first(const Finder *finder, const char *words, FindKind kind, const char *name) {
  FoundList found;
  finder_look(finder, words, &found);
  CU_ASSERT_FATAL(found.count > 0);
  const FindItem *first = &finder->items[found.items[0]];
  CHECK_STR(first->name, name);
  CHECK(first->kind == kind);
}

static void questions_find_their_place(void) {
  Finder *finder = finder_new(course, book, NULL);
  CU_ASSERT_FATAL(finder != NULL);
  expect_first(finder, "divergence", FIND_LESSON, "L04");
  expect_first(finder, "what is a wavefront", FIND_TERM, "wavefront");
  expect_first(finder, "warps", FIND_TERM, "warp");
  expect_first(finder, "occupancy", FIND_LESSON, "L06");
  expect_first(finder, "c027", FIND_CLAIM, "C027");
  expect_first(finder, "sum by butterfly", FIND_KERNEL, "warp_reduce");
  finder_free(finder);
}

static const Check checks[] = {
    {"better comes first", better_comes_first},
    {"near words are found", near_words_are_found},
    {"everything is found by its name", everything_is_found_by_its_name},
    {"questions find their place", questions_find_their_place},
};

int main(int argc, char **argv) {
  setenv("LANESCOPE_DATA", LS_SOURCE_DIR, 1);
  LsErr err = {0};
  course = course_open(NULL, &err);
  book = course ? recipe_book_open(NULL, &err) : NULL;
  if (!book) return fprintf(stderr, "%s:%d: %s\n", err.file, err.line, err.message), 1;
  int status = check_main("finder", checks, LS_COUNT(checks), argc, argv);
  book->free(book);
  course->free(course);
  return status;
}
