// test_probe.c: instrumented kernels on the emulator mean what the plain ones mean, and tell what the emulator saw of these.
#include <string.h>
#include "app/recipe.h"
#include "base/file.h"
#include "base/mem.h"
#include "check.h"
#include "model/counter.h"
#include "probe_pair.h"
#include "script/recipe.h"

static RecipeBook *book;

static PtxModule *load(const char *folder, const char *name, const char *suffix, LsErr *err) {
  size_t length = 0;
  char *path = ls_format("%s/%s/%s%s", LS_SOURCE_DIR, folder, name, suffix);
  char *text = ls_file_read(path, 1 << 24, &length, err);
  PtxModule *module = text ? ptx_parse(path, text, length, err) : NULL;
  free(text);
  free(path);
  return module;
}

static void expect_same(const char *name, Pair *p) {
  const char *differs = pair_differs(p, pair_run(p));
  if (differs) printf("\n%s: %s\n", name, differs);
  CHECK(differs == NULL);
  CHECK(p->traced_log.count > 0);
}

static bool make_launch(const Recipe *recipe, const char *assignments, Launch *launch, LsErr *err) {
  RecipeValues values;
  recipe_defaults(recipe, &values);
  char *copy = ls_strdup(assignments), *rest = copy, *word;
  bool ok = true;
  while ((word = strsep(&rest, " "))) ok = ok && (!*word || recipe_set(recipe, &values, word, err));
  free(copy);
  ok = ok && recipe->launch(recipe, &values, launch, err);
  return ok;
}

// some: record every third block, so that both versions of the code run.
static void same_recipe(const char *name, const char *assignments, const char *suffix, SimSched sched, bool some) {
  LsErr err = {0};
  const Recipe *recipe = book->get(book, name, &err);
  Launch launch;
  CU_ASSERT_FATAL(recipe != NULL);
  PtxModule *module = load("assets/ptx", name, suffix, &err);
  CU_ASSERT_FATAL(module != NULL);
  CU_ASSERT_FATAL(make_launch(recipe, assignments, &launch, &err));
  int entry = ptx_find_entry(module, launch.kernel, &err);
  Pair pair;
  uint8_t *blocks = ls_alloc(launch_blocks(&launch));
  for (uint64_t b = 0; b < launch_blocks(&launch); b += 3) blocks[b] = 1;
  char *title = ls_format("%s%s %s", name, suffix, assignments);
  pair_init(&pair, module, entry, &launch);
  pair.sched = sched;
  if (some) pair.options.record_block = blocks;
  expect_same(title, &pair);
  pair_free(&pair);
  free(blocks);
  free(title);
  launch_fini(&launch);
  ptx_module_free(module);
}

static void all_recipes(const char *suffix) {
  for (int i = 0; i < book->count(book); i++) {
    same_recipe(book->name(book, i), "", suffix, SIM_STACK, false);
    same_recipe(book->name(book, i), "", suffix, SIM_ITS, true);
  }
}

static void compiled_recipes(void) { all_recipes(".ptx"); }
static void written_recipes(void) { all_recipes(".g.ptx"); }

static const Check checks[] = {
    {"recipes as compiled", compiled_recipes},
    {"recipes as written", written_recipes},
};

int main(int argc, char **argv) {
  LsErr err = {0};
  setenv("LANESCOPE_DATA", LS_SOURCE_DIR, 1);
  book = recipe_book_open(NULL, &err);
  if (!book) {
    fprintf(stderr, "%s\n", err.message);
    return 1;
  }
  int status = check_main("probe", checks, LS_COUNT(checks), argc, argv);
  book->free(book);
  return status;
}
