// check_gpu.c: the emulator against a GPU: the same PTX, launches and inputs on both, every byte of every buffer
// compared. tests/gpu/README.md says how to run it and what it prints.
//
// Exit status: 0 all agree, 1 some differ, 2 a wrong option, 77 no GPU here.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "approximations.h"
#include "base/mem.h"
#include "carry.h"
#include "compare.h"
#include "generate.h"
#include "matrices.h"
#include "recipes.h"
#include "script/recipe.h"
#include "textures.h"
#include "vectors.h"

enum { PER_MODULE = 50, SKIPPED = 77, LEVEL_OF_DRIVER = 4 };
enum { MATRICES_RESULTS = 150000 };   // of a program; seven of them are a form's

typedef struct Options {
  uint64_t seed, programs, blocks, tell;
  int level;
  const char *category, *folder, *filter, *keep;
} Options;

typedef struct Check {
  Options options;
  Comparison comparison;
  Forms forms;
} Check;

// ---- categories ----------------------------------------------------------------------------------------------------

static void compare_vectors(Check *check, Tally *tally) {
  Batch batch;
  check->comparison.level = LEVEL_OF_DRIVER;
  batch_init(&batch);
  for (int i = 0; i < check->forms.count; i++) {
    const VecForm *form = &check->forms.all[i];
    if (!strstr(form->name, check->options.filter)) continue;
    vectors_add(&batch, form, i, check->options.seed, (uint32_t)check->options.blocks);
    if (batch.count < PER_MODULE) continue;
    compare_batch(&check->comparison, &batch, tally);
    batch_fini(&batch);
    batch_init(&batch);
  }
  compare_batch(&check->comparison, &batch, tally);
  batch_fini(&batch);
}

typedef void Generator(Batch *batch, const Forms *forms, uint64_t seed);

static void compare_generated(Check *check, Generator *generate, Tally *tally) {
  check->comparison.level = check->options.level;
  for (uint64_t done = 0; done < check->options.programs; done += PER_MODULE) {
    Batch batch;
    batch_init(&batch);
    for (uint64_t i = done; i < LS_MIN(done + PER_MODULE, check->options.programs); i++)
      generate(&batch, &check->forms, check->options.seed + i);
    compare_batch(&check->comparison, &batch, tally);
    batch_fini(&batch);
  }
}

// What a race leaves is the order's, which is another one on a GPU.
static void compare_recipe(Check *check, RecipeBook *book, const char *name, Tally *tally) {
  LsErr err = {0};
  const Recipe *recipe = book->get(book, name, &err);
  if (recipe && (recipe_form_is_bug(&recipe->forms[0]) || recipe->sequence)) return;   // a program has several launches
  for (int written = 0; recipe && written < 2; written++) {
    Batch batch;
    if (recipes_batch(&batch, recipe, written, &err)) {
      compare_batch(&check->comparison, &batch, tally);
    } else {
      printf("recipe %s: %s\n", name, err.message);
      tally->differed++;
    }
    batch_fini(&batch);
  }
  if (!recipe) printf("recipe %s: %s\n", name, err.message);
  if (!recipe) tally->differed++;
}

static void compare_recipes(Check *check, Tally *tally) {
  LsErr err = {0};
  RecipeBook *book = recipe_book_open(NULL, &err);
  check->comparison.level = LEVEL_OF_DRIVER;
  if (!book) {
    printf("recipes: %s\n", err.message);
    tally->differed++;
    return;
  }
  for (int i = 0; i < book->kernels(book); i++)
    if (strstr(book->name(book, i), check->options.filter)) compare_recipe(check, book, book->name(book, i), tally);
  book->free(book);
}

static void compare_textures(Check *check, bool filtered, Tally *tally) {
  LsErr err = {0};
  Batch batch;
  check->comparison.level = LEVEL_OF_DRIVER;
  if (textures_batch(&batch, check->options.seed, filtered, check->options.filter, &err)) {
    compare_batch(&check->comparison, &batch, tally);
  } else {
    printf("textures: %s\n", err.message);
    tally->differed++;
  }
  batch_fini(&batch);
}

// Only of a category that was asked for by name, since there is one file.
static void keep(Check *check, Tally *tally) {
  LsErr err = {0};
  const Options *o = &check->options;
  Gpu *gpu = check->comparison.gpu;
  if (!o->keep || !o->category) return;
  if (strcmp(o->category, "carry") == 0 && carry_keep(gpu, o->level, o->seed, o->keep, &err)) return;
  if (strcmp(o->category, "tensor") == 0 && matrices_keep(gpu, LEVEL_OF_DRIVER, o->keep, &err)) return;
  if (!err.message[0]) ls_fail(&err, LS_EREQUEST, "only --category carry and --category tensor have something to keep");
  printf("%s: %s\n", check->options.keep, err.message);
  tally->differed++;
}

static void compare_carry(Check *check, Tally *tally) {
  Batch batch;
  check->comparison.level = check->options.level;
  batch_init(&batch);
  for (int i = 0; i < carry_programs(); i++) {
    char name[sizeof batch.programs->name];
    carry_name(i, name, sizeof name);
    if (!strstr(name, check->options.filter)) continue;
    carry_add(&batch, i, check->options.seed);
    if (batch.count < PER_MODULE) continue;
    compare_batch(&check->comparison, &batch, tally);
    batch_fini(&batch);
    batch_init(&batch);
  }
  compare_batch(&check->comparison, &batch, tally);
  batch_fini(&batch);
}

// Few programs at a time: each has some megabytes of operands.
static void compare_matrices(Check *check, Tally *tally) {
  enum { AT_ONCE = 7 };
  Batch batch;
  check->comparison.level = LEVEL_OF_DRIVER;
  matrices_batch_init(&batch);
  for (int i = 0; i < matrices_programs(); i++) {
    char name[sizeof batch.programs->name];
    matrices_name(i, name, sizeof name);
    if (!strstr(name, check->options.filter)) continue;
    matrices_add(&batch, i, check->options.seed, MATRICES_RESULTS);
    if (batch.count < AT_ONCE) continue;
    compare_batch(&check->comparison, &batch, tally);
    batch_fini(&batch);
    matrices_batch_init(&batch);
  }
  compare_batch(&check->comparison, &batch, tally);
  batch_fini(&batch);
}

// ---- all of it -----------------------------------------------------------------------------------------------------

static void tell(const char *category, const Tally *tally, const char *values) {
  printf("%-22s %6" PRIu64 " programs agreed, %" PRIu64 " differed; %" PRIu64 " %s compared", category, tally->agreed,
         tally->differed, tally->values, values);
  if (tally->near) printf(", %" PRIu64 " not the same bits but near enough", tally->near);
  printf("\n");
}

static bool wants(const Check *check, const char *category) {
  return !check->options.category || strcmp(check->options.category, category) == 0;
}

static int run_all(Check *check) {
  Tally vectors = {0}, straight = {0}, structured = {0}, recipes = {0}, textures = {0}, filtered = {0}, carry = {0},
        tensor = {0}, approximations = {0};
  printf("%s\n", gpu_name(check->comparison.gpu));
  if (wants(check, "vectors")) compare_vectors(check, &vectors);
  if (wants(check, "straight")) compare_generated(check, generate_straight, &straight);
  if (check->options.category && wants(check, "watched")) compare_generated(check, generate_watched, &straight);
  if (wants(check, "structured")) compare_generated(check, generate_structured, &structured);
  if (wants(check, "recipes")) compare_recipes(check, &recipes);
  if (wants(check, "textures")) compare_textures(check, false, &textures);
  if (wants(check, "textures")) compare_textures(check, true, &filtered);
  if (wants(check, "carry")) compare_carry(check, &carry);
  if (wants(check, "tensor")) compare_matrices(check, &tensor);
  if (wants(check, "approximations"))
    approximations_compare(&check->comparison, check->options.filter, &approximations);
  keep(check, wants(check, "tensor") ? &tensor : &carry);
  printf("\nseed %" PRIu64 ", random programs at optimization level %d\n", check->options.seed, check->options.level);
  tell("vectors", &vectors, "bytes");
  tell("straight", &straight, "bytes");
  tell("structured", &structured, "bytes");
  tell("recipes", &recipes, "bytes");
  tell("textures, surfaces", &textures, "bytes");
  tell("textures, filtered", &filtered, "bytes");
  tell("carry", &carry, "bytes");
  tell("tensor", &tensor, "bytes");
  tell("approximations", &approximations, "arguments");
  const Tally *const all[] = {&vectors,  &straight, &structured, &recipes,
                              &textures, &filtered, &carry,      &tensor, &approximations};
  uint64_t agreed = 0, differed = 0;
  for (int i = 0; i < LS_COUNT(all); i++) {
    agreed += all[i]->agreed;
    differed += all[i]->differed;
  }
  printf("%" PRIu64 " programs agreed, %" PRIu64 " differed\n", agreed, differed);
  return differed ? 1 : 0;
}

static bool read_option(Options *o, const char *name, const char *value) {
  uint64_t level = 0;
  if (strcmp(name, "--seed") == 0) return ls_parse_u64(value, &o->seed);
  if (strcmp(name, "--programs") == 0) return ls_parse_u64(value, &o->programs);
  if (strcmp(name, "--blocks") == 0) return ls_parse_u64(value, &o->blocks) && o->blocks >= 1 && o->blocks <= 4096;
  if (strcmp(name, "--tell") == 0) return ls_parse_u64(value, &o->tell) && o->tell <= 100000;
  if (strcmp(name, "--category") == 0) return o->category = value, true;
  if (strcmp(name, "--filter") == 0) return o->filter = value, true;
  if (strcmp(name, "--keep") == 0) return o->keep = value, true;
  if (strcmp(name, "--folder") == 0) return o->folder = value, true;
  if (strcmp(name, "--level") != 0 || !ls_parse_u64(value, &level) || level > 4) return false;
  o->level = (int)level;
  return true;
}

static bool read_options(Options *o, int argc, char **argv) {
  *o = (Options){.seed = 1, .programs = 500, .blocks = 16, .tell = 60, .folder = ".", .filter = ""};
  for (int i = 1; i < argc; i += 2)
    if (i + 1 >= argc || !read_option(o, argv[i], argv[i + 1])) return false;
  return true;
}

int main(int argc, char **argv) {
  Check check = {0};
  LsErr err = {0};
  setvbuf(stdout, NULL, _IOLBF, 0);
  if (!read_options(&check.options, argc, argv)) {
    fprintf(stderr,
            "usage: check_gpu [--category vectors|straight|watched|structured|recipes|textures|carry|tensor]\n"
            "                 [--seed N] [--programs N] [--blocks N] [--level 0-4] [--filter TEXT]\n"
            "                 [--folder DIR] [--tell N] [--keep FILE]\n");
    return 2;
  }
  check.comparison = (Comparison){.folder = check.options.folder, .most_told = (int)check.options.tell};
  check.comparison.gpu = gpu_open(&err);
  if (!check.comparison.gpu) {
    fprintf(stderr, "SKIPPED: the emulator was not compared with a GPU: %s\n", err.message);
    return SKIPPED;
  }
  int status = 2;
  if (forms_read(&check.forms, &err)) status = run_all(&check);
  else fprintf(stderr, "%s\n", err.message);
  forms_free(&check.forms);
  gpu_close(check.comparison.gpu);
  return status;
}
