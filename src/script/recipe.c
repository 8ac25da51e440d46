// recipe.c: the book of recipes: a folder is listed at once, a recipe is loaded when somebody asks for it.
#include "script/recipe.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "script/glossary.h"
#include "script/recipe_impl.h"

enum { LOAD_BUDGET = 10000000 };

#define MODELS_FOLDER "models"

typedef struct Book {
  RecipeBook book;
  char *folder; bool own;          // somebody's own
  char **names; int count, capacity;
  int kernels;                     // the first so many names; the others are models
  RecipeScript **recipes;          // NULL until loaded
  Glossary *glossary;              // NULL until somebody asks
  pthread_mutex_t lock;
} Book;

static int book_count(RecipeBook *book) { return ((Book *)book)->count; }
static int book_kernels(RecipeBook *book) { return ((Book *)book)->kernels; }
static const char *book_name(RecipeBook *book, int index) { return ((Book *)book)->names[index]; }

static void recipe_free(RecipeScript *recipe) {
  if (!recipe) return;
  script_free(recipe->script);
  ls_arena_free(recipe->arena);
  pthread_mutex_destroy(&recipe->lock);
  free(recipe);
}

static void book_free(RecipeBook *handle) {
  Book *book = (Book *)handle;
  for (int i = 0; i < book->count; i++) {
    recipe_free(book->recipes ? book->recipes[i] : NULL);
    free(book->names[i]);
  }
  free(book->recipes);
  free(book->names);
  free(book->folder);
  glossary_free(book->glossary);
  pthread_mutex_destroy(&book->lock);
  free(book);
}

typedef struct Loading { RecipeScript *recipe; const char *stem; } Loading;

static void load_body(lua_State *L, void *context) {
  Loading *loading = context;
  char file[160];
  snprintf(file, sizeof file, "%s.lua", loading->stem);
  script_push_file(L, file);
  if (!lua_istable(L, RECIPE_TABLE))
    luaL_error(L, "a recipe returns a table, this one returns a %s", luaL_typename(L, RECIPE_TABLE));
  lua_pushvalue(L, RECIPE_TABLE);
  lua_setfield(L, LUA_REGISTRYINDEX, "recipe");
  recipe_read(L, loading->recipe, loading->stem);
}

static bool is_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

// The first line of the text with the word between characters that cannot be part of it; 0 if there is none.
static int line_of(const char *text, const char *word) {
  size_t length = strlen(word);
  const char *found = strstr(text, word);
  while (found && ((found > text && is_word(found[-1])) || is_word(found[length]))) found = strstr(found + 1, word);
  int line = 0;
  for (const char *p = text; found && p <= found; p++) line += p == text || p[-1] == '\n';
  return line;
}

// What stands before a name in a step, by what the message calls it.
static const struct { const char *noun, *field; } fields_of[] = {
    {"event '", "wait = "}, {"event '", "event = "}, {"stream '", "stream = "}, {"kernel '", "launch = "}};

static int line_of_field(const char *text, const char *message, const char *word) {
  for (int i = 0; i < LS_COUNT(fields_of); i++) {
    const char *noun = strstr(message, fields_of[i].noun);
    if (!noun || noun + strlen(fields_of[i].noun) - 1 != strchr(message, '\'')) continue;
    char *field = ls_format("%s\"%s\"", fields_of[i].field, word);
    const char *at = strstr(text, field);
    for (char *p = field; *p; p++) *p = *p == '"' ? '\'' : *p;
    if (!at) at = strstr(text, field);
    int line = 0;
    for (const char *p = text; at && p <= at; p++) line += p == text || p[-1] == '\n';
    free(field);
    if (line) return line;
  }
  return 0;
}

// The line that a message is about, by the first word it quotes ("parameter 'N' ..."): 0 if it quotes none, or one
// that is missing in the file.
static int line_about(const char *path, const char *message) {
  const char *quote = strchr(message, '\''), *end = quote ? strchr(quote + 1, '\'') : NULL;
  if (!end || end == quote + 1 || strstr(message, "has no field")) return 0;
  char *text = ls_file_read(path, 1 << 20, NULL, NULL);
  if (!text) return 0;
  char *quoted = ls_strndup(quote, (size_t)(end - quote + 1));
  char *word = ls_strndup(quote + 1, (size_t)(end - quote - 1));
  int line = line_of_field(text, message, word);
  if (!line) line = line_of(text, quoted);
  quoted[0] = quoted[strlen(quoted) - 1] = '"';
  if (!line) line = line_of(text, quoted);
  if (!line) line = line_of(text, word);
  free(word);
  free(quoted);
  free(text);
  return line;
}

void recipe_add_place(const RecipeScript *owner, LsErr *err) {
  if (!err || err->file[0]) return;
  char message[sizeof err->message];
  memcpy(message, err->message, sizeof message);
  ls_fail_at(err, LS_EPARSE, owner->path, line_about(owner->path, message), 0, "%s", message);
}

static void recipe_place(const Recipe *recipe, LsErr *err) { recipe_add_place(recipe->script, err); }

static RecipeScript *load(const char *folder, bool own, const char *stem, LsErr *err) {
  RecipeScript *recipe = ls_alloc(sizeof *recipe);
  Loading loading = {recipe, stem};
  pthread_mutex_init(&recipe->lock, NULL);
  recipe->arena = ls_arena_new();
  recipe->recipe.launch = recipe_run_launch;
  recipe->recipe.check = recipe_run_check;
  recipe->recipe.expect = recipe_run_expect;
  recipe->recipe.place = recipe_place;
  recipe->recipe.script = recipe;
  recipe->path = ls_arena_format(recipe->arena, "%s/%s.lua", folder, stem);
  recipe->recipe.folder = own ? ls_arena_format(recipe->arena, "%s", folder) : NULL;
  recipe->script = script_new(folder, err);
  if (recipe->script && script_run(recipe->script, LOAD_BUDGET, load_body, &loading, err)) return recipe;
  if (recipe->script) recipe_add_place(recipe, err);
  recipe_free(recipe);
  return NULL;
}

static int find(const Book *book, const char *name) {
  for (int i = 0; i < book->count; i++)
    if (strcmp(book->names[i], name) == 0) return i;
  return -1;
}

static void fail_unknown(const Book *book, const char *name, LsErr *err) {
  const char *nearest = NULL;
  int best = LS_MIN((int)strlen(name) / 2 + 1, 4);
  for (int i = 0; i < book->count; i++) {
    int distance = ls_edit_distance(book->names[i], name);
    if (distance < best) {
      best = distance;
      nearest = book->names[i];
    }
  }
  ls_fail(err, LS_EREQUEST, "there is no lecture kernel '%s'", LS_QUOTE(name));
  if (nearest) ls_err_append(err, "Did you mean %s?", nearest);
  LsText list = {0};
  for (int i = 0; i < book->count; i++) ls_text_addf(&list, "%s%s", i ? " " : "", book->names[i]);
  ls_err_append(err, "there are: %s", ls_text_str(&list));
  ls_text_free(&list);
}

// Models lie in a folder of their own below that of the kernels.
static RecipeScript *load_of(const Book *book, int index, LsErr *err) {
  if (index < book->kernels) return load(book->folder, book->own, book->names[index], err);
  char *folder = ls_path_join(book->folder, MODELS_FOLDER);
  RecipeScript *recipe = load(folder, book->own, book->names[index], err);
  free(folder);
  return recipe;
}

static const Recipe *book_get(RecipeBook *handle, const char *name, LsErr *err) {
  Book *book = (Book *)handle;
  int index = find(book, name);
  if (index < 0) {
    fail_unknown(book, name, err);
    return NULL;
  }
  pthread_mutex_lock(&book->lock);
  if (!book->recipes[index]) book->recipes[index] = load_of(book, index, err);
  RecipeScript *recipe = book->recipes[index];
  pthread_mutex_unlock(&book->lock);
  return recipe ? &recipe->recipe : NULL;
}

static const Glossary *book_glossary(RecipeBook *handle, LsErr *err) {
  Book *book = (Book *)handle;
  pthread_mutex_lock(&book->lock);
  if (!book->glossary) book->glossary = glossary_open(NULL, err);
  pthread_mutex_unlock(&book->lock);
  return book->glossary;
}

static int by_name(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

// Adds the recipes of a folder, sorted.
static void add_folder(Book *book, DIR *dir) {
  int first = book->count;
  for (struct dirent *entry; (entry = readdir(dir));) {
    if (entry->d_name[0] == '.' || !ls_ends_with(entry->d_name, ".lua")) continue;
    LS_PUSH(book->names, book->count, book->capacity, ls_strndup(entry->d_name, strlen(entry->d_name) - 4));
  }
  closedir(dir);
  if (book->count > first) qsort(book->names + first, (size_t)(book->count - first), sizeof *book->names, by_name);
}

static bool list_folders(Book *book, LsErr *err) {
  DIR *dir = opendir(book->folder);
  if (!dir) return ls_fail(err, LS_EIO, "cannot read the folder of kernels %s: %s", book->folder, strerror(errno));
  add_folder(book, dir);
  book->kernels = book->count;
  char *models = ls_path_join(book->folder, MODELS_FOLDER);
  if ((dir = opendir(models))) add_folder(book, dir);
  free(models);
  book->recipes = ls_alloc(sizeof *book->recipes * (size_t)LS_MAX(book->count, 1));
  return true;
}

// lanescope's own folder, however it is called.
static bool is_shipped(const char *folder) {
  char *shipped = ls_data_path("kernels", NULL), *one = shipped ? realpath(shipped, NULL) : NULL, *other =
      realpath(folder, NULL);
  bool same = one && other && strcmp(one, other) == 0;
  free(shipped);
  free(one);
  free(other);
  return same;
}

RecipeBook *recipe_book_open(const char *folder, LsErr *err) {
  char *path = folder ? ls_strdup(folder) : ls_data_path("kernels", err);
  if (!path) return NULL;
  Book *book = ls_alloc(sizeof *book);
  book->book = (RecipeBook){book_count, book_name, book_get, book_free, book_kernels, book_glossary};
  book->folder = path;
  book->own = folder && !is_shipped(path);
  pthread_mutex_init(&book->lock, NULL);
  if (!list_folders(book, err)) {
    book_free(&book->book);
    return NULL;
  }
  return &book->book;
}
