// suite.c: finds recipes in folders, and lists the parameters at which each is tried.
#include "app/own/suite.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"

enum { DEEPEST = 32 };

// ---- points --------------------------------------------------------------------------------------------------------

static bool is_there(const Suite *suite, const SuitePoint *point) {
  for (int i = 0; i < suite->count; i++)
    if (strcmp(suite->points[i].path, point->path) == 0 && strcmp(suite->points[i].name, point->name) == 0) return true;
  return false;
}

static void free_point(SuitePoint *point) {
  for (int i = 0; i < point->problem_count; i++) {
    free(point->problems[i].kind);
    free(point->problems[i].message);
    free(point->problems[i].advice);
    free(point->problems[i].file);
  }
  free(point->problems);
  free(point->name);
  free(point->recipe_name);
  free(point->path);
  free(point->parameters);
  free(point->reason);
}

// The same point may be asked for twice: `test kernels kernels/chain.lua`.
static void push_point(Suite *suite, SuitePoint point) {
  if (is_there(suite, &point)) free_point(&point);
  else LS_PUSH(suite->points, suite->count, suite->capacity, point);
}

void suite_point_add(SuitePoint *point, SuiteState state, const char *kind, const LsErr *err) {
  SuiteProblem problem = {.kind = ls_strdup(kind), .message = ls_strdup(err->message),
                          .file = err->file[0] ? ls_strdup(err->file) : NULL, .line = err->line};
  LS_PUSH(point->problems, point->problem_count, point->problem_capacity, problem);
  point->state = state;
}

typedef struct Found { Suite *suite; const char *name, *path; const Recipe *recipe; } Found;

static void add_values(const Found *found, const RecipeValues *values, bool is_chosen) {
  LsText text = {0};
  recipe_print_values(found->recipe, values, &text);
  const char *blank = text.length ? " " : "";
  push_point(found->suite, (SuitePoint){.name = ls_format("%s%s%s", found->name, blank, ls_text_str(&text)),
                                        .recipe_name = ls_strdup(found->name), .path = ls_strdup(found->path),
                                        .recipe = found->recipe, .values = *values, .is_chosen = is_chosen,
                                        .parameters = ls_strdup(ls_text_str(&text))});
  ls_text_free(&text);
}

static void add_ends(const Found *found, const RecipeValues *defaults) {
  const Recipe *recipe = found->recipe;
  for (int i = recipe_has_forms(recipe); i < recipe->param_count; i++) {
    const RecipeParam *param = &recipe->params[i];
    RecipeValues values = *defaults;
    for (int64_t k = 0; k < LS_MAX(param->choice_count, 1); k++) {
      values.value[i] = param->choice_count ? k : param->min;
      add_values(found, &values, true);
    }
  }
}

// The points of a form: those of the recipe's cases that are not of another form.
static void add_form(const Found *found, int form) {
  const Recipe *recipe = found->recipe;
  RecipeValues values;
  bool has_forms = recipe_has_forms(recipe), is_bug = recipe_form_is_bug(&recipe->forms[form]);
  recipe_form_values(recipe, form, &values);
  if (!recipe->case_count || (is_bug && has_forms)) add_values(found, &values, false);
  for (int i = 0; i < recipe->case_count; i++) {
    RecipeValues at = recipe->cases[i].values;
    if (recipe->cases[i].names_form ? at.value[0] != form : is_bug && has_forms) continue;
    if (has_forms) at.value[0] = form;
    add_values(found, &at, false);
  }
  if (!recipe->case_count && !is_bug) add_ends(found, &values);
}

static void add_recipe(Suite *suite, RecipeBook *book, const char *stem, const char *path, const char *name) {
  LsErr err = {0};
  const Recipe *recipe = book->get(book, stem, &err);
  if (!recipe) {
    SuitePoint point = {.name = ls_strdup(name), .recipe_name = ls_strdup(name), .path = ls_strdup(path),
                        .parameters = ls_strdup("")};
    suite_point_add(&point, SUITE_BAD, "recipe", &err);
    push_point(suite, point);
    return;
  }
  Found found = {suite, name, path, recipe};
  for (int i = 0; !recipe->model && i < recipe->form_count; i++) add_form(&found, i);
}

// ---- folders -------------------------------------------------------------------------------------------------------

static RecipeBook *book_of(Suite *suite, const char *folder, SuiteOpen *open, LsErr *err) {
  for (int i = 0; i < suite->book_count; i++)
    if (strcmp(suite->folders[i], folder) == 0) return suite->books[i];
  RecipeBook *book = open(folder, err);
  if (!book) return NULL;
  int count = suite->book_count;
  LS_PUSH(suite->folders, count, suite->folder_capacity, ls_strdup(folder));
  LS_PUSH(suite->books, suite->book_count, suite->book_capacity, book);
  return book;
}

// What is known on the way down. `prefix` is in front of names: the folders between the one that was asked for and
// this.
typedef struct Search { Suite *suite; SuiteOpen *open; LsErr *err; } Search;

static bool take_recipe(const Search *search, const char *folder, const char *prefix, const char *stem) {
  RecipeBook *book = book_of(search->suite, folder, search->open, search->err);
  if (!book) return false;
  bool here = strcmp(folder, ".") == 0;
  char *path = here ? ls_format("%s.lua", stem) : ls_format("%s/%s.lua", folder, stem);
  char *name = ls_format("%s%s", prefix, stem);
  add_recipe(search->suite, book, stem, path, name);
  free(name);
  free(path);
  return true;
}

static bool has_source(const char *folder, const char *stem) {
  char *name = ls_format("%s.cu", stem), *path = ls_path_join(folder, name);
  bool has = ls_file_exists(path);
  free(path);
  free(name);
  return has;
}

static int by_name(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

// Names in a folder, sorted; the caller frees them. NULL: it cannot be read.
static char **list_folder(const char *folder, int *count, LsErr *err) {
  DIR *dir = opendir(folder);
  char **names = ls_alloc(sizeof *names);
  int capacity = 1;
  *count = 0;
  if (!dir) {
    free(names);
    ls_fail(err, LS_EREQUEST, "cannot read the folder %s: %s", LS_QUOTE_PATH(folder), strerror(errno));
    return NULL;
  }
  for (const struct dirent *entry; (entry = readdir(dir));)
    if (entry->d_name[0] != '.') LS_PUSH(names, *count, capacity, ls_strdup(entry->d_name));
  closedir(dir);
  qsort(names, (size_t)*count, sizeof *names, by_name);
  return names;
}

static bool search_folder(const Search *search, const char *folder, const char *prefix, int depth);

static bool search_entry(const Search *search, const char *folder, const char *prefix, const char *name, int depth) {
  struct stat status;
  bool ok = true;
  char *path = strcmp(folder, ".") == 0 ? ls_strdup(name) : ls_path_join(folder, name);
  if (lstat(path, &status) == 0 && S_ISDIR(status.st_mode) && depth < DEEPEST) {
    char *below = ls_format("%s%s/", prefix, name);
    ok = search_folder(search, path, below, depth + 1);
    free(below);
  } else if (ls_ends_with(name, ".lua")) {
    char *stem = ls_strndup(name, strlen(name) - strlen(".lua"));
    if (has_source(folder, stem)) ok = take_recipe(search, folder, prefix, stem);
    free(stem);
  }
  free(path);
  return ok;
}

static bool search_folder(const Search *search, const char *folder, const char *prefix, int depth) {
  int count;
  char **names = list_folder(folder, &count, search->err);
  bool ok = names != NULL;
  for (int i = 0; names && i < count; i++) {
    ok = ok && search_entry(search, folder, prefix, names[i], depth);
    free(names[i]);
  }
  free(names);
  return ok;
}

static bool take_file(const Search *search, const char *path) {
  const char *base = ls_path_base(path);
  if (!ls_ends_with(base, ".lua") && !ls_ends_with(base, ".cu"))
    return ls_fail(search->err, LS_EREQUEST, "%s is neither a folder nor a recipe (NAME.lua beside NAME.cu)",
                   LS_QUOTE_PATH(path));
  char *stem = ls_strndup(base, (size_t)(strrchr(base, '.') - base)), *file = ls_format("%s.lua", stem);
  char *folder = base == path ? ls_strdup(".") : ls_strndup(path, (size_t)LS_MAX(base - path - 1, 1));
  char *recipe = ls_path_join(folder, file);
  bool ok = ls_file_exists(recipe) ||
            ls_fail(search->err, LS_EREQUEST, "there is no recipe %s beside %s: it says how the kernel is launched "
                    "and what "
                    "is right (kernels/README.md)", file, LS_QUOTE_PATH(path));
  ok = ok && take_recipe(search, folder, "", stem);
  free(recipe);
  free(folder);
  free(file);
  free(stem);
  return ok;
}

static bool take_path(const Search *search, const char *path, bool is_only) {
  struct stat status;
  int before = search->suite->count;
  if (stat(path, &status) != 0)
    return ls_fail(search->err, LS_EREQUEST, "there is no file or folder %s", LS_QUOTE_PATH(path));
  if (!S_ISDIR(status.st_mode)) return take_file(search, path);
  size_t length = strlen(path);
  while (length > 1 && path[length - 1] == '/') length--;
  char *folder = ls_strndup(path, length), *prefix = is_only ? ls_strdup("") : ls_format("%s/", folder);
  bool ok = search_folder(search, folder, prefix, 0);
  if (ok && search->suite->count == before)
    ok = ls_fail(search->err, LS_EREQUEST, "there is no recipe in %s: a test is a NAME.lua beside its NAME.cu "
                                           "(kernels/README.md says what is in it)", LS_QUOTE_PATH(folder));
  free(prefix);
  free(folder);
  return ok;
}

// The first point of each source and macro.
static void find_first(Suite *suite) {
  for (int i = 0; i < suite->count; i++) {
    SuitePoint *point = &suite->points[i];
    point->is_first = true;
    for (int k = 0; k < i && point->recipe && point->is_first; k++)
      point->is_first = suite->points[k].recipe != point->recipe ||
                        recipe_form(point->recipe, &suite->points[k].values) != recipe_form(point->recipe,
                            &point->values);
  }
}

bool suite_gather(Suite *suite, const char *const *paths, int count, SuiteOpen *open, LsErr *err) {
  *suite = (Suite){0};
  Search search = {suite, open, err};
  bool ok = count > 0 || ls_fail(err, LS_EREQUEST, "test needs a folder with recipes, or a NAME.lua");
  for (int i = 0; ok && i < count; i++) ok = take_path(&search, paths[i], count == 1);
  if (ok) find_first(suite);
  return ok;
}

void suite_fini(Suite *suite) {
  for (int i = 0; i < suite->count; i++) free_point(&suite->points[i]);
  for (int i = 0; i < suite->book_count; i++) {
    suite->books[i]->free(suite->books[i]);
    free(suite->folders[i]);
  }
  free(suite->points);
  free(suite->folders);
  free(suite->books);
  *suite = (Suite){0};
}

int suite_count(const Suite *suite, SuiteState state) {
  int count = 0;
  for (int i = 0; i < suite->count; i++) count += suite->points[i].state == state;
  return count;
}
