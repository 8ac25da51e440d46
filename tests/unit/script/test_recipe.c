// test_recipe.c: the recipes that ship, parameters, and what a broken recipe says.
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "app/models/models.h"
#include "base/file.h"
#include "base/mem.h"
#include "check.h"
#include "script/recipe.h"

static RecipeBook *shipped(void) {
  LsErr err = {0};
  RecipeBook *book = recipe_book_open(LS_SOURCE_DIR "/kernels", &err);
  if (!book) printf("%s\n", err.message);
  return book;
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void every_recipe_loads(void) {
  double start = now();
  RecipeBook *book = shipped();
  CHECK(book->count(book) >= 26);
  for (int i = 0; i < book->count(book); i++) {
    LsErr err = {0};
    const Recipe *recipe = book->get(book, book->name(book, i), &err);
    if (!recipe) printf("\n%s\n", err.message);
    CHECK(recipe != NULL && (recipe->model != NULL) == (i >= book->kernels(book)));
    if (i && i != book->kernels(book)) CHECK(strcmp(book->name(book, i - 1), book->name(book, i)) < 0);
  }
  printf("%.1f ms ", (now() - start) * 1000);
  book->free(book);
}

// Launches with one parameter at an end of its range and the others at their defaults. A recipe may refuse a
// combination, but only in its own words: without a place in the file.
static void launch_at(const Recipe *recipe, int param, int64_t value) {
  RecipeValues values;
  Launch launch;
  LsErr err = {0};
  recipe_defaults(recipe, &values);
  if (param >= 0) values.value[param] = value;
  bool ok = recipe->launch(recipe, &values, &launch, &err);
  if (ok) {
    CHECK(launch.kernel && launch.arg_count > 0 && launch_threads(&launch) >= 1 && launch_threads(&launch) <= 1024);
  } else {
    if (param < 0 || err.file[0]) printf("\n%s: %s:%d: %s\n", recipe->name, err.file, err.line, err.message);
    CHECK(param >= 0 && !err.file[0] && err.message[0]);
  }
  launch_fini(&launch);
}

// The same of a program: its steps.
static void steps_at(const Recipe *recipe, int param, int64_t value) {
  RecipeValues values;
  HostProgram program;
  LsErr err = {0};
  recipe_defaults(recipe, &values);
  if (param >= 0) values.value[param] = value;
  bool ok = recipe->sequence(recipe, &values, &program, &err);
  if (ok) {
    CHECK(program.launches > 0 && program.step_count >= program.launches && program.buffer_count > 0);
  } else {
    if (param < 0 || err.file[0]) printf("\n%s: %s:%d: %s\n", recipe->name, err.file, err.line, err.message);
    CHECK(param >= 0 && !err.file[0] && err.message[0]);
  }
  program_fini(&program);
}

static void runs_at(const Recipe *recipe, int param, int64_t value) {
  if (recipe->sequence) steps_at(recipe, param, value);
  else launch_at(recipe, param, value);
}

// Every partner is there, and what it takes over is a parameter of it that has room for the value.
static void partners_are_there(void) {
  RecipeBook *book = shipped();
  int partners = 0;
  for (int i = 0; i < book->count(book); i++) {
    const Recipe *recipe = book->get(book, book->name(book, i), NULL);
    for (int k = 0; k < recipe->partner_count; k++, partners++) {
      LsErr err = {0};
      const RecipePartner *partner = &recipe->partners[k];
      const Recipe *other = book->get(book, partner->name, &err);
      RecipeValues values, carried;
      if (!other) printf("\n%s: %s\n", recipe->name, err.message);
      CHECK(other != NULL);
      recipe_defaults(recipe, &values);
      if (other) recipe_carry(recipe, &values, other, partner, &carried);
      for (int t = 0; other && t < partner->take_count; t++) {
        int ours = 0, its = 0;
        while (ours < recipe->param_count && strcmp(recipe->params[ours].name, partner->take[t].ours) != 0) ours++;
        while (its < other->param_count && strcmp(other->params[its].name, partner->take[t].its) != 0) its++;
        CHECK(ours < recipe->param_count && its < other->param_count);
        if (ours < recipe->param_count && its < other->param_count && !other->params[its].choice_count)
          CHECK_INT(carried.value[its], values.value[ours]);
      }
    }
  }
  CHECK(partners >= 4);
  book->free(book);
}

static void every_recipe_launches(void) {
  RecipeBook *book = shipped();
  for (int i = 0; i < book->kernels(book); i++) {
    const Recipe *recipe = book->get(book, book->name(book, i), NULL);
    runs_at(recipe, -1, 0);
    for (int k = 0; recipe && k < recipe->param_count; k++) {
      runs_at(recipe, k, recipe->params[k].min);
      runs_at(recipe, k, recipe->params[k].max);
    }
  }
  book->free(book);
}

static void launch_has_all_fields(void) {
  RecipeBook *book = shipped();
  const Recipe *recipe = book->get(book, "matmul_naive", NULL);
  RecipeValues values;
  Launch launch;
  recipe_defaults(recipe, &values);
  CHECK(recipe_set(recipe, &values, "TILE_WIDTH=8", NULL) && recipe_set(recipe, &values, "Width=20", NULL));
  CHECK(recipe->launch(recipe, &values, &launch, NULL));
  CHECK_STR(launch.kernel, "MatrixMulKernel<8>");
  CHECK_INT(launch.grid[0], 3);
  CHECK_INT(launch.grid[2], 1);
  CHECK_INT(launch.block[1], 8);
  CHECK_STR(launch.args[0].name, "Md");
  CHECK_INT(launch.args[0].type, LAUNCH_F32);
  CHECK_INT(launch.args[0].count, 400);
  CHECK_INT(launch.args[0].init, LAUNCH_RANDOM);
  CHECK(launch.args[0].init_value == 12345678);
  CHECK(!launch.args[3].is_buffer && launch.args[3].scalar == 20);
  launch_fini(&launch);
  book->free(book);
}

static void text_and_values_become_data(void) {
  RecipeBook *book = shipped();
  const Recipe *recipe = book->get(book, "encrypt_parallel", NULL);
  RecipeValues values;
  Launch launch;
  recipe_defaults(recipe, &values);
  CHECK(recipe->launch(recipe, &values, &launch, NULL));
  CHECK(launch.args[0].init == LAUNCH_DATA && memcmp(launch.args[0].data, "helloworld", 10) == 0);
  launch_fini(&launch);
  recipe = book->get(book, "histogram", NULL);
  recipe_defaults(recipe, &values);
  CHECK(recipe->launch(recipe, &values, &launch, NULL));
  CHECK(launch.args[0].init == LAUNCH_DATA && launch.args[0].data != NULL);
  int32_t first;
  memcpy(&first, launch.args[0].data, 4);
  CHECK(first >= 0 && first < 16);
  launch_fini(&launch);
  book->free(book);
}

// The outputs of a run that the test makes up.
typedef struct Outputs { const void *bytes[4]; uint64_t size[4]; } Outputs;
static const uint8_t *output_of(void *context, int arg, uint64_t *size) {
  Outputs *outputs = context;
  *size = outputs->size[arg];
  return outputs->bytes[arg];
}

static void check_tells_right_from_wrong(void) {
  RecipeBook *book = shipped();
  const Recipe *recipe = book->get(book, "adj_diff_naive", NULL);
  RecipeValues values;
  Launch launch;
  LsErr err = {0};
  recipe_defaults(recipe, &values);
  CHECK(recipe_set(recipe, &values, "n=200", NULL));
  CHECK(recipe->launch(recipe, &values, &launch, NULL));
  int32_t result[200] = {0};
  for (int i = 1; i < 200; i++) result[i] = i % 97 - (i - 1) % 97;
  Outputs outputs = {{result}, {sizeof result}};
  RecipeRun run = {&launch, output_of, &outputs, NULL};
  CHECK(recipe->check(recipe, &values, &run, &err));
  result[97] = 1;
  CHECK(!recipe->check(recipe, &values, &run, &err));
  CHECK_INT(err.kind, LS_EFAULT);
  CHECK_STR(err.message, "result[97] is 1, expected -96");
  launch_fini(&launch);
  book->free(book);
}

static void checks_are_quick(void) {
  RecipeBook *book = shipped();
  const Recipe *recipe = book->get(book, "matmul_naive", NULL);
  RecipeValues values;
  Launch launch;
  LsErr err = {0};
  recipe_defaults(recipe, &values);
  CHECK(recipe->launch(recipe, &values, &launch, NULL));
  static float m[64 * 64], n[64 * 64], p[64 * 64];
  launch_fill(&launch.args[0], m);
  launch_fill(&launch.args[1], n);
  for (int i = 0; i < 64 * 64; i++)
    for (int k = 0; k < 64; k++) p[i] += m[i / 64 * 64 + k] * n[k * 64 + i % 64];
  Outputs outputs = {{m, n, p}, {sizeof m, sizeof n, sizeof p}};
  RecipeRun run = {&launch, output_of, &outputs, NULL};
  double start = now();
  CHECK(recipe->check(recipe, &values, &run, &err));
  printf("%.1f ms ", (now() - start) * 1000);
  launch_fini(&launch);
  book->free(book);
}

static void parameters_are_set(void) {
  RecipeBook *book = shipped();
  const Recipe *recipe = book->get(book, "reduce2", NULL);
  RecipeValues values;
  LsErr err = {0};
  LsText text = {0};
  recipe_defaults(recipe, &values);
  CHECK(recipe_set(recipe, &values, "N=1000", &err) && recipe_set(recipe, &values, "threads=0x40", &err));
  recipe_print_values(recipe, &values, &text);
  CHECK_STR(text.data, "form=right N=1000 blocks=4 threads=64");
  CHECK(!recipe_set(recipe, &values, "treads=64", &err));
  CHECK_STR(err.message, "reduce2 has no parameter 'treads'; did you mean threads?");
  CHECK(!recipe_set(recipe, &values, "quux=64", &err));
  CHECK_STR(err.message, "reduce2 has no parameter 'quux'; it has form, N, blocks, threads");
  CHECK(!recipe_set(recipe, &values, "N=0", &err));
  CHECK_STR(err.message, "N is 0; it can be 1 to 16777216");
  CHECK(!recipe_set(recipe, &values, "N=many", &err));
  CHECK_STR(err.message, "N needs a whole number, not 'many'");
  CHECK(!recipe_set(book->get(book, "vec_add", NULL), &values, "threads=100", &err));
  CHECK_STR(err.message, "threads cannot be '100'; it is one of 32, 64, 128, 256, 512, 1024");
  CHECK(!recipe_set(recipe, &values, "threads", &err));
  CHECK_STR(err.message, "'threads' is not of the form NAME=VALUE");
  CHECK(!recipe_set(recipe, &values, "=3", &err));
  ls_text_free(&text);
  CHECK(recipe->lecture.given && recipe->lecture.values.value[1] == 1 << 24 && recipe->lecture.values.value[2] == 256);
  book->free(book);
}

static void sliders_step(void) {
  RecipeParam range = {.min = 1, .max = 100, .step = 10}, power = {.min = 1, .max = 3000, .log2 = true, .step = 1};
  RecipeParam choice = {.min = 0, .max = 2, .choice_count = 3};
  CHECK_INT(recipe_step_value(&range, 95, 1), 100);
  CHECK_INT(recipe_step_value(&range, 5, -1), 1);
  CHECK_INT(recipe_step_value(&range, 50, 1), 60);
  CHECK_INT(recipe_step_value(&power, 1000, 1), 1024);
  CHECK_INT(recipe_step_value(&power, 1000, -1), 512);
  CHECK_INT(recipe_step_value(&power, 1024, -1), 512);
  CHECK_INT(recipe_step_value(&power, 2048, 1), 3000);
  CHECK_INT(recipe_step_value(&power, 1, -1), 1);
  CHECK_INT(recipe_step_value(&choice, 2, 1), 2);
  CHECK_INT(recipe_step_value(&choice, 2, -1), 1);
}

// Words have numbers, as the list shows them; numbers are themselves, and so are words that look like numbers.
static void choices_have_numbers(void) {
  static const char *const words[] = {"order", "permuted", "pairs"}, *const numbers[] = {"8", "16", "3"},
      *const mixed[] = {"2", "b"};
  RecipeParam params[] = {
      {.name = "word", .is_text = true, .choices = (const char **)(uintptr_t)words, .choice_count = 3},
      {.name = "number", .choices = (const char **)(uintptr_t)numbers, .choice_count = 3},
      {.name = "mixed", .is_text = true, .choices = (const char **)(uintptr_t)mixed, .choice_count = 2}};
  static const struct { const char *assignment; int param, index; const char *message; } rows[] = {
      {"word=permuted", 0, 1, NULL}, {"word=1", 0, 0, NULL}, {"word=3", 0, 2, NULL}, {"word=0x2", 0, 1, NULL},
      {"word=0", 0, 0, "word cannot be '0'; it is one of 1 order, 2 permuted, 3 pairs"},
      {"word=4", 0, 0, "word cannot be '4'; it is one of 1 order, 2 permuted, 3 pairs"},
      {"word=-1", 0, 0, "word cannot be '-1'; it is one of 1 order, 2 permuted, 3 pairs"},
      {"word=pair", 0, 0, "word cannot be 'pair'; it is one of 1 order, 2 permuted, 3 pairs"},
      {"number=3", 1, 2, NULL}, {"number=0x10", 1, 1, NULL},
      {"number=1", 1, 0, "number cannot be '1'; it is one of 8, 16, 3"},
      {"mixed=2", 2, 0, NULL}, {"mixed=b", 2, 1, NULL}, {"mixed=1", 2, 0, "mixed cannot be '1'; it is one of 2, b"}};
  Recipe recipe = {.name = "x", .params = params, .param_count = 3};
  for (int i = 0; i < LS_COUNT(rows); i++) {
    RecipeValues values = {.value = {7, 7, 7}};
    LsErr err = {0};
    CHECK_INT(recipe_set(&recipe, &values, rows[i].assignment, &err), !rows[i].message);
    CHECK_INT(values.value[rows[i].param], rows[i].message ? 7 : rows[i].index);
    if (rows[i].message) CHECK_STR(err.message, rows[i].message);
  }
}

static void refusals_are_the_recipes_words(void) {
  RecipeBook *book = shipped();
  const Recipe *recipe = book->get(book, "reduce0", NULL);
  RecipeValues values = {.value = {3}};
  Launch launch;
  LsErr err = {0};
  CHECK(!recipe->launch(recipe, &values, &launch, &err));
  CHECK_STR(err.message, "m must be a power of 2: no thread tests its range");
  CHECK_INT(err.kind, LS_EREQUEST);
  CHECK_STR(err.file, "");
  values.value[0] = 0;
  CHECK(!recipe->launch(recipe, &values, &launch, &err));
  CHECK(strstr(err.message, "outside of its range") != NULL);
  book->free(book);
}

static void unknown_recipe_lists(void) {
  RecipeBook *book = shipped();
  LsErr err = {0};
  CHECK(!book->get(book, "redcue2", &err));
  CHECK(strstr(err.message,
               "there is no lecture kernel 'redcue2'\nDid you mean reduce2?\nthere are: adj_diff_dynamic ") ==
                   err.message);
  book->free(book);
  CHECK(!recipe_book_open("/nonexistent/kernels", &err));
  CHECK_INT(err.kind, LS_EIO);
}

// ---- broken recipes: a good one with one thing replaced
// ---------------------------------------------------------------

static const char good[] =
    "return {\n"
    "  name = 'x', id = 'K00', title = 'T', about = 'A', topic = 'basics',\n"
    "  lessons = { 'L01' }, source = 'x.cu', kernel = 'k',\n"
    "  params = {\n"
    "    { name = 'n', default = 4, min = 1, max = 8, help = 'h' },\n"
    "    { name = 'w', default = 'a', values = { 'a', 'b' }, help = 'h' },\n"
    "  },\n"
    "  launch = function(p)\n"
    "    return { grid = { 1, 1, 1 }, block = { 32, 1, 1 }, shared = 0, args = {\n"
    "      { name = 'y', type = 'i32', count = p.n, init = 'zero' } } }\n"
    "  end,\n"
    "  check = function(p, run) return expect(run.output('y'), function(i) return i end) end,\n"
    "}\n";

static char folder[256];

static RecipeBook *book_with(const char *text) {
  CHECK(check_folder(folder, sizeof folder));
  char *path = ls_path_join(folder, "x.lua");
  CHECK(ls_file_write(path, text, strlen(text), NULL));
  free(path);
  return recipe_book_open(folder, NULL);
}

static void drop(RecipeBook *book) {
  char *path = ls_path_join(folder, "x.lua");
  unlink(path);
  free(path);
  rmdir(folder);
  book->free(book);
}

static char *replaced(const char *from, const char *to) {
  const char *at = strstr(good, from);
  CHECK(at != NULL);
  return at ? ls_format("%.*s%s%s", (int)(at - good), good, to, at + strlen(from)) : ls_strdup(good);
}

typedef struct Broken { const char *from, *to, *message; int line; } Broken;

static void compare_error(const Broken *broken, const LsErr *err) {
  CHECK_STR(err->message, broken->message);
  CHECK_INT(err->line, broken->line);
  CHECK(!err->line || ls_ends_with(err->file, "/x.lua"));
}

static void broken_recipes_say_what(void) {
  static const Broken cases[] = {
      {"title = 'T'", "titel = 'T'", "the recipe has an unknown field 'titel'; did you mean 'title'?", 2},
      {"topic = 'basics'", "topic = 7", "the recipe: field 'topic' must be a string, not a number", 2},
      {"max = 8, help = 'h'", "max = 8", "parameter 'n' has no field 'help'", 0},
      {"name = 'x'", "name = 'z'", "the recipe calls itself 'z' but its file is x.lua", 2},
      {"kernel = 'k'", "kernel = {}",
       "the recipe: field 'kernel' must be the kernel's name or a function that gives it", 3},
      {"default = 4", "default = 9", "parameter 'n': the default 9 is outside of 1 to 8", 5},
      {"min = 1", "min = 10", "parameter 'n': its least value 10 is above its greatest 8", 5},
      {"max = 8", "max = 8.5", "parameter 'n': field 'max' must be a whole number", 5},
      {"default = 'a'", "default = 'c'", "parameter 'w': the default c is not one of its values", 6},
      {"'a', 'b'", "'a', 'a'", "parameter 'w' lists 'a' twice", 6},
      {"'a', 'b'", "'a', 3", "parameter 'w': field 'values' mixes words and numbers", 6},
      {"'a', 'b'", "'a', 'b c'", "parameter 'w': the choice 'b c' has a blank or '=' in it", 6},
      {"name = 'w'", "name = 'n'", "two parameters are called 'n'", 5},
      {"source = 'x.cu'", "source = x.y.z", "attempt to index a nil value (global 'x')", 3},
      {"lessons = {", "lessons = = {", "unexpected symbol near '='", 3},
      {"return {", "return 5, {", "a recipe returns a table, this one returns a number", 0},
      {"return {", "while true do end return {", "this takes too long: the script used up its instructions", 1},
  };
  for (int i = 0; i < LS_COUNT(cases); i++) {
    char *text = replaced(cases[i].from, cases[i].to);
    RecipeBook *book = book_with(text);
    LsErr err = {0};
    CHECK(!book->get(book, "x", &err));
    compare_error(&cases[i], &err);
    drop(book);
    free(text);
  }
}

// ---- forms ---------------------------------------------------------------------------------------------------------

#define FORMS(list) "kernel = 'k', forms = " list ","
static void broken_forms_say_what(void) {
  static const Broken cases[] = {
      {"kernel = 'k',", "kernel = 'k', partners = { 'x' },", "partner 1 is 'x' itself", 2},
      {"kernel = 'k',", "kernel = 'k', partners = { 5 },", "partner 1 must be the name of a recipe, or { name = ..., take = ... }", 0},
      {"kernel = 'k',", "kernel = 'k', partners = { { name = 'z', take = { n = 'm' } } },",
       "partner 1: 'take' names 'm', which is none of our parameters", 3},
      {"kernel = 'k',", "kernel = 'k', timing = { n = 9 },", "field 'timing': n is 9; it can be 1 to 8", 3},
      {"kernel = 'k',", "kernel = 'k', lecture = 5,", "field 'lecture' must be a table of values by name", 3},
      {"kernel = 'k',", FORMS("{ { name = 'a', timing = { w = 'c' } } }"), "field 'timing': w cannot be 'c'; it is one of 1 a, 2 b", 3},
      {"kernel = 'k',", "kernel = 'k', cut = 'lines',", "the recipe: cut is \"written\" or \"compiled\", not \"lines\"", 0},
      {"kernel = 'k',", "kernel = 'k', arch = 8.5,",
       "the recipe: 'arch' is a compute capability without its point, like 75, 80 or 90, or a list of them", 3},
      {"kernel = 'k',", "kernel = 'k', arch = { 80, 75 },",
       "the recipe: 'arch' lists capabilities from the least on: 75 is behind 80", 3},
      {"kernel = 'k',", "kernel = 'k', arch = { 50, 60, 70, 80, 90 },", "the recipe: 'arch' has more than 4", 3},
      {"kernel = 'k',", FORMS("{}"), "field 'forms' is an empty list", 3},
      {"kernel = 'k',", FORMS("{ 'a' }"), "form 1 must be a table", 0},
      {"kernel = 'k',", FORMS("{ { title = 'A' } }"), "form 1 has no field 'name'", 0},
      {"kernel = 'k',", FORMS("{ { name = 'no barrier' } }"),
       "form 'no barrier': a form's name has letters, digits, - and _ only; 'title' is for people", 3},
      {"kernel = 'k',", FORMS("{ { name = 'a' },\n { name = 'a' } }"), "two forms are called 'a'", 3},
      {"kernel = 'k',", FORMS("{ { name = 'right' },\n { name = 'bug', eratum = 'E57' } }"),
       "form 'bug' has an unknown field 'eratum'; did you mean 'erratum'?", 4},
      {"kernel = 'k',", FORMS("{ { name = 'a', define = '1X' } }"),
       "form 'a': define is \"NAME\" or \"NAME=VALUE\" of letters, digits and _, not \"1X\"", 3},
      {"kernel = 'k',", FORMS("{ { name = 'a', define = 'A B' } }"),
       "form 'a': define is \"NAME\" or \"NAME=VALUE\" of letters, digits and _, not \"A B\"", 3},
      {"kernel = 'k',", FORMS("{ { name = 'bug', expect = { faults = { 'rase' } } } }"), "there is no fault 'rase'; there are: ", 3},
      {"kernel = 'k',", FORMS("{ { name = 'bug', expect = { findings = { 'race' } } } }"),
       "there is no finding 'race'; there are: bank_conflict, ", 3},
      {"kernel = 'k',", FORMS("{ { name = 'bug', expect = { verdict = 'bad' } } }"),
       "form 'bug': 'expect': the verdict 'bad' is none of right, wrong, by chance", 3},
      {"kernel = 'k',", FORMS("{ { name = 'bug', expect = { fault = 'race' } } }"),
       "form 'bug': 'expect' has an unknown field 'fault'; did you mean 'faults'?", 3},
      {"kernel = 'k',", FORMS("{ { name = 'bug', expect = { coverage = { y = 1.5 } } } }"),
       "'coverage' gives the number of written elements by the name of a buffer", 3},
      {"kernel = 'k',", FORMS("{ { name = 'bug', expect = { line = 'x' } } }"),
       "'expect' names a line, and no fault that is on it", 3},
      {"kernel = 'k',", FORMS("{ { name = 'bug', expect = { at = { n = 9 } } } }"), "field 'at': n is 9; it can be 1 to 8", 3},
      {"kernel = 'k',", FORMS("{ { name = 'bug', expect = { at = { m = 1 } } } }"),
       "field 'at': x has no parameter 'm'; it has form, n, w", 3},
      {"kernel = 'k',", FORMS("{ { name = 'bug', expect = { sched = 'its' } } }"), "'sched' can only be \"stack\"", 3},
      {"kernel = 'k',", FORMS("{ { name = 'bug', expect = { unless = 5 } } }"),
       "field 'unless' must be a function, not a number", 3},
      {"kernel = 'k',", FORMS("{ { name = 'bug', expect = { quiet = true } } }"),
       "field 'quiet' must be a function, not a boolean", 3},
      {"kernel = 'k',", "forms = { { name = 'a', kernel = 'k' }, { name = 'b' } },",
       "form 'b': field 'kernel' must be the kernel's name or a function that gives it", 3},
      {"kernel = 'k',", "kernel = 'k', expect = {}, forms = { { name = 'a' } },",
       "field 'expect' belongs to the forms: each says what is expected of it", 3},
      {"kernel = 'k',\n  params = {\n    { name = 'n'",
       "kernel = 'k', forms = { { name = 'a' } },\n  params = {\n    { name = 'form'",
       "parameter 'form' chooses one of the 'forms': call yours otherwise", 5},
  };
  for (int i = 0; i < LS_COUNT(cases); i++) {
    char *text = replaced(cases[i].from, cases[i].to);
    RecipeBook *book = book_with(text);
    LsErr err = {0};
    CHECK(!book->get(book, "x", &err));
    if (!strstr(err.message, cases[i].message) || err.line != cases[i].line) printf("\n%d: %s\n", err.line, err.message);
    CHECK(strstr(err.message, cases[i].message) != NULL);
    CHECK_INT(err.line, cases[i].line);
    drop(book);
    free(text);
  }
}

// A form is chosen as any parameter is, and what it leaves out is the recipe's.
static void forms_are_chosen(void) {
  char *text = replaced("kernel = 'k',",
                        "kernel = 'k', timing = { n = 8 }, cut = 'compiled', arch = { 75, 80 }, forms = { { name = 'right' },"
                        " { name = 'bug', timing = { n = 6 }, lecture = { w = 'b' }, kernel = function(p) return 'k' .. p.n end,"
                        " source = 'bug.cu', define = 'BUG=1', expect = { verdict = 'wrong', faults = { 'race', 'uninitialized' },"
                        " at = { n = 7 }, unless = function(p) return p.n == 1 end,"
                        " quiet = function(p) return p.n <= 2 end } } },");
  RecipeBook *book = book_with(text);
  LsErr err = {0};
  Launch launch;
  RecipeValues values;
  RecipeExpect expect;
  const Recipe *recipe = book->get(book, "x", &err);
  if (!recipe) printf("\n%s\n", err.message);
  CU_ASSERT_FATAL(recipe != NULL);
  CHECK(recipe_has_forms(recipe) && recipe->form_count == 2 && recipe->param_count == 3);
  recipe_defaults(recipe, &values);
  CHECK_STR(recipe_form(recipe, &values)->name, "right");
  CHECK_STR(recipe_form(recipe, &values)->source, "x.cu");
  CHECK(!recipe_form_is_bug(&recipe->forms[0]) && recipe_form_is_bug(&recipe->forms[1]));
  CHECK(recipe_set(recipe, &values, "form=bug", NULL) && recipe_set(recipe, &values, "n=3", NULL));
  CHECK_STR(recipe_form(recipe, &values)->source, "bug.cu");
  CHECK_STR(recipe_form(recipe, &values)->define, "BUG=1");
  CHECK(recipe->launch(recipe, &values, &launch, &err));
  CHECK_STR(launch.kernel, "k3");
  launch_fini(&launch);
  CHECK(recipe->expect(recipe, &values, &expect, &err));
  CHECK(expect.outcome == RECIPE_WRONG && expect.faults == (1ull << FAULT_RACE | 1ull << FAULT_UNINITIALIZED));
  CHECK(recipe_set(recipe, &values, "n=1", NULL) && recipe->expect(recipe, &values, &expect, &err));
  CHECK(expect.outcome == RECIPE_RIGHT && !expect.faults);
  CHECK(recipe_set(recipe, &values, "n=2", NULL) && recipe->expect(recipe, &values, &expect, &err));
  CHECK(expect.outcome == RECIPE_WRONG && !expect.faults);
  recipe_form_values(recipe, 1, &values);
  CHECK(values.value[0] == 1 && values.value[1] == 7);
  CHECK(recipe->cut_given && recipe->is_compiled && recipe->arch_count == 2 && recipe->archs[1] == 80);
  const RecipeForm *right = &recipe->forms[0], *bug = &recipe->forms[1];
  CHECK(right->timing.given && right->timing.values.value[0] == 0 && right->timing.values.value[1] == 8);
  CHECK(bug->timing.given && bug->timing.values.value[0] == 1 && bug->timing.values.value[1] == 6);
  CHECK(!right->lecture.given && bug->lecture.given && bug->lecture.values.value[2] == 1);
  CHECK(!recipe_set(recipe, &values, "form=bugs", &err));
  CHECK_STR(err.message, "form cannot be 'bugs'; it is one of 1 right, 2 bug");
  drop(book);
  free(text);
}

// ---- models --------------------------------------------------------------------------------------------------------

#define MODEL(rest) "return {\n  name = 'x', id = 'K83', title = 'T', about = 'A', topic = 'basics', lessons = {},\n  " rest "\n}\n"
static void models_have_values(void) {
  RecipeBook *book = book_with(MODEL("model = 'occupancy', values = { threads = 128, registers = 34, profile = 'v100' },"));
  LsErr err = {0};
  const Recipe *recipe = book->get(book, "x", &err);
  if (!recipe) printf("\n%s\n", err.message);
  CHECK(recipe != NULL && recipe->model != NULL);
  if (recipe) {
    CHECK_STR(recipe->model, "occupancy");
    CHECK(!recipe->launch && !recipe->sequence && !recipe->check && recipe->param_count == 0);
    CHECK(recipe->model_value_count == 3 && !recipe_has_forms(recipe));
    ModelValues values;
    LsText text = {0};
    CHECK(model_of_recipe(model_named("occupancy"), recipe, &values, &err));
    model_print_values(model_named("occupancy"), &values, &text);
    CHECK(strstr(ls_text_str(&text), "threads=128") && strstr(ls_text_str(&text), "profile=v100"));
    ls_text_free(&text);
  }
  drop(book);
}

// What the lectures say of the figures that are shipped as models.
static void models_show_what_the_lectures_say(void) {
  static const struct { const char *recipe, *set, *fact; double number; const char *words; } rows[] = {
      {"rtm_block_size", "threads=512", "warps", 32, NULL},        // 16 warps a block, 42 fit
      {"rtm_block_size", "threads=256", "warps", 40, NULL},
      {"escalator", "riders=1", "rate", 0.025, NULL},              // C048
      {"escalator", "riders=20", "rate", 0.5, NULL},
      {"waves_tails", "blocks=12", "used", 0.75, NULL},            // C055
      {"ilp_ffma", "warps=1", "issues", 0, "w0@0 w0@1 w0@10 w0@11 w0@20"},
      {"latency_hiding", "warps=16", "round_empty", 25, NULL},
      {"mesi_sim", "cores=4", "states", 0, "IIMI"},
      {"mesi_sim", "cores=4", "invalidations", 4, NULL},
      {"gpu_vi_sim", "cores=4", "states", 0, "IIII"},
      {"gpu_vi_sim", "cores=4", "invalidations", 4, NULL},
      {"gpu_vi_sim", "cores=4", "writes_through", 2, NULL},
      {"tc_sim", "step=3", "last_done", 14, NULL},                 // read at 4, good for 10
      {"block_thread_ids", "block=4", "row", 4 + 1, NULL},
      {"kepler_bank_map", "stride=2", "wavefronts", 1, NULL},
      {"block_dispatch", "sms=2", "per_wave", 2, NULL},
      {"tb64_schedule", "sms=4", "queued", 12, NULL},
  };
  RecipeBook *book = shipped();
  for (int i = 0; i < LS_COUNT(rows); i++) {
    LsErr err = {0};
    ModelValues values;
    ModelFacts facts = {0};
    const Recipe *recipe = book->get(book, rows[i].recipe, &err);
    const Model *model = recipe ? model_named(recipe->model) : NULL;
    CHECK(model && model_of_recipe(model, recipe, &values, &err) && model_set(model, &values, rows[i].set, &err));
    if (!model) continue;
    model->facts(&values, &facts);
    const ModelFact *fact = fact_find(&facts, rows[i].fact);
    CHECK(fact != NULL && fact->is_text == (rows[i].words != NULL));
    if (fact && rows[i].words) CHECK_STR(fact->text, rows[i].words);
    else if (fact) CHECK(fact->number > rows[i].number - 1e-9 && fact->number < rows[i].number + 1e-9);
  }
  book->free(book);
}

static void broken_models_say_what(void) {
  static const struct { const char *text, *message; } cases[] = {
      {MODEL("model = 'ocupancy',"), "field 'model': "},
      {MODEL("model = 'occupancy', source = 'x.cu',"),
       "field 'source' is for a kernel: 'occupancy' is a model, which has 'values'"},
      {MODEL("model = 'occupancy', values = { thread = 5 },"), "field 'values': "},
      {MODEL("model = 'occupancy', values = { threads = -5 },"), "field 'values': threads is -5; "},
      {MODEL("model = 'occupancy', values = { 5 },"), "field 'values' gives values by name"},
      {MODEL("values = { n = 5 },"), "field 'values' is for a 'model'; a kernel has 'params'"}};
  for (int i = 0; i < LS_COUNT(cases); i++) {
    RecipeBook *book = book_with(cases[i].text);
    LsErr err = {0};
    CHECK(!book->get(book, "x", &err));
    if (!strstr(err.message, cases[i].message)) printf("\n%s\n", err.message);
    CHECK(strstr(err.message, cases[i].message) != NULL);
    CHECK(ls_ends_with(err.file, "/x.lua"));
    drop(book);
  }
}

// Nobody says: as the kernel needs it.
static void launches_say_whether_blocks_meet(void) {
  static const struct { const char *field; int together; } rows[] = {
      {"cooperative = true", LAUNCH_COOPERATIVE}, {"cooperative = false", LAUNCH_PLAIN}, {"shared = 0", LAUNCH_AS_NEEDED}};
  for (int i = 0; i < LS_COUNT(rows); i++) {
    char *text = replaced("shared = 0", rows[i].field);
    RecipeBook *book = book_with(text);
    const Recipe *recipe = book->get(book, "x", NULL);
    RecipeValues values;
    Launch launch;
    recipe_defaults(recipe, &values);
    CHECK(recipe->launch(recipe, &values, &launch, NULL));
    CHECK_INT(launch.together, rows[i].together);
    launch_fini(&launch);
    drop(book);
    free(text);
  }
}

static void images_are_launched(void) {
  char *text = replaced("type = 'i32', count = p.n, init = 'zero'",
                        "type = 'tex.u8x2', size = { p.n, 2 }, options = 'linear,float,border', values = { 1, 2, 3, 4, 5, 6, 7, "
                        "8, 9, 10, 11, 12, 13, 14, 15, 16 }");
  RecipeBook *book = book_with(text);
  Launch launch;
  RecipeValues values;
  const Recipe *recipe = book->get(book, "x", NULL);
  CU_ASSERT_FATAL(recipe != NULL);
  recipe_defaults(recipe, &values);
  CHECK(recipe->launch(recipe, &values, &launch, NULL));
  char *image = launch_image_text(&launch.args[0]);
  CHECK_STR(image, "tex.u8x2[4x2],linear,border,float");
  CHECK(launch.args[0].count == 16 && launch.args[0].init == LAUNCH_DATA && launch.args[0].data[15] == 16);
  CHECK_STR(launch.args[0].name, "y");
  free(image);
  launch_fini(&launch);
  drop(book);
  free(text);
}

static void broken_launches_say_what(void) {
  static const Broken cases[] = {
      {"grid = { 1, 1, 1 }", "grid = { 1, 1 }", "the launch: 'grid' must be three whole numbers", 9},
      {"grid = { 1, 1, 1 }", "grid = { 0, 1, 1 }", "the launch: grid.x is 0; it can be 1 to 2147483647", 0},
      {"{ 32, 1, 1 }", "{ 64, 32, 1 }", "the launch: a block of 2048 threads; it can have 1024", 0},
      {"type = 'i32'", "type = 'integer'",
       "argument 'y': type 'integer' is none of u8 i8 u16 i16 u32 i32 u64 i64 f16 f32 f64", 10},
      {"init = 'zero'", "init = 'zeros'",
       "argument 'y': init \"zeros\" is none of none, zero, iota, const:V, mod:M, random:SEED, text:WORD", 10},
      {"init = 'zero'", "init = 'mod:0'", "argument 'y': mod needs a number of at least 1", 10},
      {"init = 'zero'", "values = { 1, 2 }", "argument 'y' has 2 values for a count of 4", 10},
      {"init = 'zero'", "values = each.index(2)", "argument 'y' has 2 values for a count of 4", 10},
      {"init = 'zero'", "values = { 1, 2, 3, 4.5 }", "argument 'y' is 4.5: type i32 needs a whole number", 10},
      {"count = p.n, init", "count = p.n, value = 3, init", "argument 'y' needs either a value or a count", 10},
      {"type = 'i32', count = p.n", "type = 'tex.i32'", "argument 'y': a tex.i32 needs size = { width, height }", 10},
      {"type = 'i32', count = p.n", "type = 'tex.i32', size = { 0, 2 }",
       "argument 'y': a size is a whole number from 1 to 268435456", 10},
      {"type = 'i32', count = p.n", "type = 'tex.i32', size = { 4 }, options = 'linear'",
       "argument 'y': linear filtering needs texels that are read as floats: f16, f32, or 8- and 16-bit numbers with the option "
       "float", 10},
      {"type = 'i32', count = p.n", "type = 'tex.i32', size = { 4 }, options = '>x'", "argument 'y': options '>x'", 10},
      {"type = 'i32', count = p.n", "type = 'surf.i32', size = { 65536, 32768 }", "argument 'y' is too large", 10},
      {"count = p.n", "count = 1 << 40", "argument 'y': a buffer has 1 to 1073741824 elements, not 1099511627776", 10},
      {"count = p.n", "count = p.m.n", "attempt to index a nil value (field 'm')", 10},
      {"return { grid", "return 5, { grid", "launch must return a table, not a number", 0},
      {"shared = 0", "cooperative = 1", "the launch: field 'cooperative' must be a boolean, not a number", 9},
      {"shared = 0", "shered = 0", "the launch has an unknown field 'shered'; did you mean 'shared'?", 9},
  };
  for (int i = 0; i < LS_COUNT(cases); i++) {
    char *text = replaced(cases[i].from, cases[i].to);
    RecipeBook *book = book_with(text);
    LsErr err = {0};
    Launch launch;
    RecipeValues values;
    const Recipe *recipe = book->get(book, "x", &err);
    CHECK(recipe != NULL);
    recipe_defaults(recipe, &values);
    CHECK(!recipe->launch(recipe, &values, &launch, &err));
    compare_error(&cases[i], &err);
    launch_fini(&launch);
    drop(book);
    free(text);
  }
}

// Element 3 is not what is expected.
static bool check_every(const char *stride, LsErr *err) {
  char *to = ls_format("return i == 3 and 7 or i end, { every = %s }", stride), *text = replaced("return i end", to);
  RecipeBook *book = book_with(text);
  Launch launch;
  RecipeValues values;
  const Recipe *recipe = book->get(book, "x", err);
  recipe_defaults(recipe, &values);
  CHECK(recipe->launch(recipe, &values, &launch, err));
  int32_t y[4] = {0, 1, 2, 3};
  Outputs outputs = {{y}, {sizeof y}};
  RecipeRun run = {&launch, output_of, &outputs, NULL};
  bool right = recipe->check(recipe, &values, &run, err);
  launch_fini(&launch);
  drop(book);
  free(to), free(text);
  return right;
}

static void a_check_compares_every_so_manyth_element(void) {
  LsErr err = {0};
  CHECK(check_every("2", &err));
  CHECK(check_every("4", &err));
  CHECK(!check_every("1", &err));
  CHECK_STR(err.message, "y[3] is 3, expected 7");
  CHECK(!check_every("3", &err));
  CHECK_STR(err.message, "y[3] is 3, expected 7");
  CHECK(!check_every("0", &err));
  CHECK_STR(err.message, "expect: every must be 1 or more");
}

static void broken_checks_say_what(void) {
  static const Broken cases[] = {
      {"run.output('y')", "run.output('z')", "the launch has no buffer 'z'", 12},
      {"return i end", "return 'a' end", "expect: the function gave string for element 0", 12},
      {"return expect(", "return nil, expect(", "check must return true, or false and a message, not a nil", 0},
      {"return i end", "return run.output('y')[4] end", "y[4] does not exist: the buffer has elements 0 to 3", 12},
      {"return i end", "while true do end end", "this takes too long: the script used up its instructions", 12},
  };
  for (int i = 0; i < LS_COUNT(cases); i++) {
    char *text = replaced(cases[i].from, cases[i].to);
    RecipeBook *book = book_with(text);
    LsErr err = {0};
    Launch launch;
    RecipeValues values;
    const Recipe *recipe = book->get(book, "x", &err);
    recipe_defaults(recipe, &values);
    CHECK(recipe->launch(recipe, &values, &launch, &err));
    int32_t y[4] = {0, 1, 2, 3};
    Outputs outputs = {{y}, {sizeof y}};
    RecipeRun run = {&launch, output_of, &outputs, NULL};
    CHECK(!recipe->check(recipe, &values, &run, &err));
    CHECK_INT(err.kind, LS_EREQUEST);
    compare_error(&cases[i], &err);
    launch_fini(&launch);
    drop(book);
    free(text);
  }
}

static const Check checks[] = {
    {"every recipe loads", every_recipe_loads},
    {"partners are there", partners_are_there},
    {"every recipe launches", every_recipe_launches},
    {"a launch has all fields", launch_has_all_fields},
    {"text and values become data", text_and_values_become_data},
    {"textures and surfaces are launched", images_are_launched},
    {"a check tells right from wrong", check_tells_right_from_wrong},
    {"checks are quick", checks_are_quick},
    {"parameters are set", parameters_are_set},
    {"sliders step", sliders_step},
    {"choices have numbers", choices_have_numbers},
    {"refusals are the recipe's words", refusals_are_the_recipes_words},
    {"an unknown recipe lists those there are", unknown_recipe_lists},
    {"broken recipes say what", broken_recipes_say_what},
    {"broken forms say what", broken_forms_say_what},
    {"forms are chosen", forms_are_chosen},
    {"launches say whether blocks meet", launches_say_whether_blocks_meet},
    {"models have values", models_have_values},
    {"models show what the lectures say", models_show_what_the_lectures_say},
    {"broken models say what", broken_models_say_what},
    {"broken launches say what", broken_launches_say_what},
    {"a check compares every so manyth element", a_check_compares_every_so_manyth_element},
    {"broken checks say what", broken_checks_say_what},
};

int main(int argc, char **argv) { return check_main("recipe", checks, LS_COUNT(checks), argc, argv); }
