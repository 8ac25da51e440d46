// works.c: gathers launches to trace, count and time: lecture kernels, rows of hardware counters, kernels with several
// accesses at once, and large ones for the costs.
#include "works.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/file.h"
#include "counter_rows.h"
#include "launch/settle.h"
#include "source_dir.h"
#include "recipes.h"
#include "script/recipe.h"

void works_fini(Works *works) {
  for (int i = 0; i < works->count; i++) {
    launch_fini(&works->items[i].launch);
    ptx_module_free(works->items[i].module);
  }
  free(works->items);
  *works = (Works){0};
}

// Every work has a module of its own: they are few, and small.
static bool add(Works *works, const char *name, const char *ptx, size_t length, const char *entry, const Launch *launch,
                LsErr *err) {
  Work work = {.module = ptx_parse(name, ptx, length, err)};
  work.entry = work.module ? ptx_find_entry(work.module, entry, err) : -1;
  if (work.entry < 0) {
    ptx_module_free(work.module);
    return false;
  }
  snprintf(work.name, sizeof work.name, "%s", name);
  launch_copy(&work.launch, launch);
  LS_PUSH(works->items, works->count, works->capacity, work);
  return launch_settle(work.module, work.entry, &works->items[works->count - 1].launch, NULL, err);
}

static bool add_recipe(Works *works, const Recipe *recipe, bool written, LsErr *err) {
  Batch batch;
  bool ok = recipes_batch(&batch, recipe, written, err);
  const Program *program = batch.programs;
  ok = ok && add(works, program->name + strlen("recipe "), ls_text_str(&batch.ptx), batch.ptx.length, program->entry,
                 &program->launch, err);
  batch_fini(&batch);
  return ok;
}

bool works_add_recipes(Works *works, bool compiled, bool written, LsErr *err) {
  RecipeBook *book = recipe_book_open(NULL, err);
  bool ok = book != NULL;
  for (int i = 0; ok && i < book->kernels(book); i++) {
    const Recipe *recipe = book->get(book, book->name(book, i), err);
    if (recipe && recipe->sequence) continue;   // its kernels are those of others
    ok = recipe && (!compiled || add_recipe(works, recipe, false, err)) && (!written || add_recipe(works, recipe, true, err));
  }
  if (book) book->free(book);
  return ok;
}

// What a form is there to show wrong may not end; the first one is right. The batch's own kernels are those of other
// sizes: a parameter may choose the instance of a template.
static bool add_timed(Works *works, const Recipe *recipe, bool written, LsErr *err) {
  Batch batch;
  RecipeValues values;
  Launch launch;
  char name[160];
  if (!recipe->timing.given) return true;
  values = recipe->timing.values;
  if (!recipe->launch(recipe, &values, &launch, err)) return false;
  bool ok = recipes_batch(&batch, recipe, written, err);
  snprintf(name, sizeof name, "%s, %s", recipe->name, written ? "as written" : "as compiled");
  ok = ok && add(works, name, ls_text_str(&batch.ptx), batch.ptx.length,
                 launch.kernel ? launch.kernel : batch.programs->entry, &launch, err);
  batch_fini(&batch);
  launch_fini(&launch);
  return ok;
}

bool works_add_timed_recipes(Works *works, LsErr *err) {
  RecipeBook *book = recipe_book_open(NULL, err);
  bool ok = book != NULL;
  for (int i = 0; ok && i < book->kernels(book); i++) {
    const Recipe *recipe = book->get(book, book->name(book, i), err);
    if (recipe && recipe->sequence) continue;
    ok = recipe && add_timed(works, recipe, false, err) && add_timed(works, recipe, true, err);
  }
  if (book) book->free(book);
  return ok;
}

bool works_add_rows(Works *works, LsErr *err) {
  CounterRows rows;
  bool ok = counter_rows_read(&rows, err);
  for (int i = 0; ok && i < rows.count; i++) {
    char name[160];
    const Launch *launch = &rows.rows[i].launch;
    snprintf(name, sizeof name, "%s, row %d of h200-counters.csv", launch->kernel, i + 1);
    ok = add(works, name, rows.module->text, rows.module->text_length, launch->kernel, launch, err);
  }
  counter_rows_free(&rows);
  return ok;
}

// ---- several accesses at once --------------------------------------------------------------------------------------

enum { EVENTS, RESULTS };

static const struct Kernel { const char *file, *kernel; uint32_t grid, block; int same;
                            const char *args[9]; } kernels[] = {
#define PROBE_KERNEL(file, kernel, grid, block, same, ...) {file, kernel, grid, block, same, {__VA_ARGS__}},
#include "probe_kernels.def"
};

static bool add_kernel(Works *works, const struct Kernel *k, LsErr *err) {
  Launch launch;
  size_t length;
  char name[160];
  launch_init(&launch);
  launch.grid[0] = k->grid;
  launch.block[0] = k->block;
  snprintf(name, sizeof name, "%s, %s, %u x %u", k->kernel, k->args[0], k->grid, k->block);
  char *text = source_read(k->file, 64 << 20, &length, err);
  bool ok = text != NULL;
  for (int i = 0; ok && i < LS_COUNT(k->args) && k->args[i]; i++) ok = launch_add_arg(&launch, k->args[i], err);
  ok = ok && add(works, name, text, length, k->kernel, &launch, err);
  launch_fini(&launch);
  free(text);
  return ok;
}

bool works_add_kernels(Works *works, LsErr *err) {
  for (int i = 0; i < LS_COUNT(kernels); i++)
    if (kernels[i].same == EVENTS && !add_kernel(works, &kernels[i], err)) return false;
  return true;
}

// ---- costs ---------------------------------------------------------------------------------------------------------

typedef struct Cost { const char *name, *file, *kernel, *grid, *block, *args[5]; } Cost;

static const Cost costs[] = {
    {"vecadd, 4194304 elements", "tests/bench/vecadd.ptx", NULL, "16384", "256",
     {"f32[4194304]=iota", "f32[4194304]=iota", "f32[4194304]=none", "i32=4194304"}},
    {"reduce, 4194304 elements", "tests/bench/reduce.ptx", NULL, "64", "256", {"f32[4194304]=iota", "f32[64]=none", "i32=4194304"}},
    {"matmul, 256 x 256", "tests/bench/matmul.ptx", NULL, "16,16", "16,16",
     {"f32[65536]=random:1", "f32[65536]=random:2", "f32[65536]=none", "i32=256"}},
    {"matmul_tiled, 4096 x 4096", "assets/ptx/matmul_tiled.ptx", "MatrixMulKernel<16>", "256,256", "16,16",
     {"f32[16777216]=random:1", "f32[16777216]=random:2", "f32[16777216]=none", "i32=4096"}},
};

// Recipes at sizes that keep a GPU busy, and whose events fit.
static const struct RecipeCost { const char *recipe, *values; } recipe_costs[] = {
    {"matmul_tiled", "Width=512"},
    {"transpose_32x33", "n=2048"},
    {"reduce4", "N=4194304 blocks=528"},
    {"block_sum_shuffle", "blocks=8192"},
    {"position_aos", "n=1048576"},
    {"position_soa", "n=1048576"},
    {"image_twice", "w=4096 h=1024"},
    {"fd_constant", "n=2097152 threads=256"},
    {"gpu_sin", "steps=1048576 blocks=528 threads=256"},
    {"histogram", "n=65536 buckets=256"},
    {"gputiled", "Ay=512 Ax=512 Bx=512 TS=16"},
};

static bool add_cost(Works *works, const Cost *cost, LsErr *err) {
  Launch launch;
  size_t length;
  launch_init(&launch);
  char *text = source_read(cost->file, 64 << 20, &length, err);
  bool ok = text && launch_parse_dim(cost->grid, true, launch.grid, err) && launch_parse_dim(cost->block, false, launch.block, err);
  for (int i = 0; ok && i < LS_COUNT(cost->args) && cost->args[i]; i++) ok = launch_add_arg(&launch, cost->args[i], err);
  ok = ok && add(works, cost->name, text, length, cost->kernel, &launch, err);
  launch_fini(&launch);
  free(text);
  return ok;
}

static bool set_values(const Recipe *recipe, const char *assignments, RecipeValues *values, LsErr *err) {
  char *copy = ls_strdup(assignments), *rest = copy, *word;
  bool ok = true;
  recipe_defaults(recipe, values);
  while (ok && (word = strsep(&rest, " "))) ok = recipe_set(recipe, values, word, err);
  free(copy);
  return ok;
}

static bool add_recipe_cost(Works *works, RecipeBook *book, const struct RecipeCost *cost, LsErr *err) {
  const Recipe *recipe = book->get(book, cost->recipe, err);
  RecipeValues values;
  Launch launch;
  size_t length;
  if (!recipe || !set_values(recipe, cost->values, &values, err) || !recipe->launch(recipe, &values, &launch, err))
    return false;
  char *file = ls_format("assets/ptx/%s.ptx", cost->recipe), *name = ls_format("%s, %s", cost->recipe, cost->values);
  char *text = source_read(file, 64 << 20, &length, err);
  bool ok = text && add(works, name, text, length, launch.kernel, &launch, err);
  launch_fini(&launch);
  free(text);
  free(file);
  free(name);
  return ok;
}

bool works_add_costs(Works *works, LsErr *err) {
  RecipeBook *book = recipe_book_open(NULL, err);
  bool ok = book != NULL;
  for (int i = 0; ok && i < LS_COUNT(costs); i++) ok = add_cost(works, &costs[i], err);
  for (int i = 0; ok && i < LS_COUNT(recipe_costs); i++) ok = add_recipe_cost(works, book, &recipe_costs[i], err);
  if (book) book->free(book);
  return ok;
}

// ---- lists ---------------------------------------------------------------------------------------------------------

enum { FIELD_NAME, FIELD_FILE, FIELD_KERNEL, FIELD_GRID, FIELD_BLOCK, FIELD_SHARED, FIELD_ARGS, FIELDS };

// Cuts a line at its bars, blanks off.
static int cut(char *line, char *fields[FIELDS]) {
  int count = 0;
  for (char *part = strtok(line, "|"); part && count < FIELDS; part = strtok(NULL, "|")) {
    part += strspn(part, " ");
    for (size_t n = strlen(part); n && strchr(" \r\n", part[n - 1]);) part[--n] = '\0';
    fields[count++] = part;
  }
  return count;
}

static bool add_listed(Works *works, char *line, LsErr *err) {
  char *fields[FIELDS];
  Launch launch;
  size_t length;
  if (cut(line, fields) < FIELDS)
    return ls_fail(err, LS_EFORMAT, "a line of the list has fewer than %d fields: %s", FIELDS, line);
  launch_init(&launch);
  char *text = ls_file_read(fields[FIELD_FILE], 64 << 20, &length, err);
  bool ok = text && launch_parse_dim(fields[FIELD_GRID], true, launch.grid, err) &&
            launch_parse_dim(fields[FIELD_BLOCK], false, launch.block, err);
  launch.shared_bytes = (uint64_t)atoi(fields[FIELD_SHARED]);
  for (char *arg = strtok(fields[FIELD_ARGS], " "); ok && arg; arg = strtok(NULL, " "))
    ok = launch_add_arg(&launch, arg, err);
  ok = ok && add(works, fields[FIELD_NAME], text, length, fields[FIELD_KERNEL], &launch, err);
  launch_fini(&launch);
  free(text);
  return ok;
}

bool works_add_list(Works *works, const char *path, LsErr *err) {
  size_t length;
  char *text = ls_file_read(path, 1 << 20, &length, err);
  bool ok = text != NULL;
  for (char *line = text, *end; ok && *line; line = end) {
    end = line + strcspn(line, "\n");
    if (*end) *end++ = '\0';
    if (*line && *line != '#') ok = add_listed(works, line, err);
  }
  free(text);
  return ok;
}
