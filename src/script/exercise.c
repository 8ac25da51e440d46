// exercise.c: the book of exercises: a folder of folders, each loaded when somebody asks for it.
#include "script/exercise.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "script/exercise_impl.h"

enum { LOAD_BUDGET = 20000000 };

typedef struct Book {
  ExerciseBook book;
  char *folder;
  char **names; int count, capacity;
  ExerciseScript **exercises;      // NULL until loaded
  pthread_mutex_t lock;
} Book;

static int book_count(ExerciseBook *book) { return ((Book *)book)->count; }
static const char *book_name(ExerciseBook *book, int index) { return ((Book *)book)->names[index]; }

bool exercise_run(const Exercise *exercise, int64_t budget, ScriptBody *body, void *context, LsErr *err) {
  RecipeScript *owner = exercise->recipe->script;
  LsErr failure = {0};
  pthread_mutex_lock(&owner->lock);
  bool ok = script_run(owner->script, budget, body, context, &failure);
  pthread_mutex_unlock(&owner->lock);
  if (!ok) recipe_add_place(owner, &failure);
  if (!ok && err) *err = failure;
  return ok;
}

static void exercise_free(ExerciseScript *script) {
  if (!script) return;
  script_free(script->owner.script);
  ls_arena_free(script->owner.arena);
  pthread_mutex_destroy(&script->owner.lock);
  free(script);
}

typedef struct Loading { ExerciseScript *script; const char *folder_name; } Loading;

static void load_body(lua_State *L, void *context) {
  Loading *loading = context;
  mod_use_open(L);
  script_push_file(L, "lua/exercise.lua");
  lua_setfield(L, LUA_REGISTRYINDEX, "draw");
  lua_newtable(L);
  lua_setfield(L, LUA_REGISTRYINDEX, "texts");
  script_push_file(L, "exercise.lua");
  if (!lua_istable(L, RECIPE_TABLE))
    luaL_error(L, "an exercise returns a table, this one returns a %s", luaL_typename(L, RECIPE_TABLE));
  lua_pushvalue(L, RECIPE_TABLE);
  lua_setfield(L, LUA_REGISTRYINDEX, "recipe");
  exercise_read(L, loading->script, loading->folder_name);
}

static void place(const Recipe *recipe, LsErr *err) { recipe_add_place(recipe->script, err); }

static void set_functions(ExerciseScript *script) {
  Recipe *recipe = &script->owner.recipe;
  Exercise *exercise = &script->exercise;
  recipe->check = recipe_run_check;
  recipe->expect = recipe_run_expect;
  recipe->place = place;
  recipe->script = script;
  recipe->is_exercise = true;
  exercise->recipe = recipe;
  exercise->get_case = exercise_run_case;
  exercise->get_score = exercise_run_score;
  exercise->keep_text = exercise_run_keep_text;
  exercise->has_pattern = exercise_run_pattern;
  exercise->say = exercise_run_say;
}

static ExerciseScript *load(const char *folder, const char *name, LsErr *err) {
  ExerciseScript *script = ls_alloc(sizeof *script);
  RecipeScript *owner = &script->owner;
  Loading loading = {script, name};
  pthread_mutex_init(&owner->lock, NULL);
  owner->arena = ls_arena_new();
  owner->path = ls_arena_format(owner->arena, "%s/%s/exercise.lua", folder, name);
  owner->recipe.folder = script->exercise.folder = ls_arena_format(owner->arena, "%s/%s", folder, name);
  set_functions(script);
  owner->script = script_new(owner->recipe.folder, err);
  if (owner->script && script_run(owner->script, LOAD_BUDGET, load_body, &loading, err)) return script;
  if (owner->script) recipe_add_place(owner, err);
  exercise_free(script);
  return NULL;
}

static const Exercise *book_get(ExerciseBook *handle, int index, LsErr *err) {
  Book *book = (Book *)handle;
  pthread_mutex_lock(&book->lock);
  if (!book->exercises[index]) book->exercises[index] = load(book->folder, book->names[index], err);
  ExerciseScript *script = book->exercises[index];
  pthread_mutex_unlock(&book->lock);
  return script ? &script->exercise : NULL;
}

static void book_free(ExerciseBook *handle) {
  Book *book = (Book *)handle;
  for (int i = 0; i < book->count; i++) {
    exercise_free(book->exercises[i]);
    free(book->names[i]);
  }
  free(book->exercises);
  free(book->names);
  free(book->folder);
  pthread_mutex_destroy(&book->lock);
  free(book);
}

static bool is_exercise(const char *folder, const char *name) {
  if (!isdigit((unsigned char)name[0]) || !strchr(name, '_')) return false;
  char *path = ls_format("%s/%s/exercise.lua", folder, name);
  bool is = ls_file_exists(path);
  free(path);
  return is;
}

static int by_name(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

ExerciseBook *exercise_book_open(const char *folder, LsErr *err) {
  char *path = folder ? ls_strdup(folder) : ls_data_path("lessons/practice", err);
  if (!path) return NULL;
  DIR *dir = opendir(path);
  if (!dir) {
    ls_fail(err, LS_EIO, "cannot read the folder of exercises %s: %s", LS_QUOTE_PATH(path), strerror(errno));
    free(path);
    return NULL;
  }
  Book *book = ls_alloc(sizeof *book);
  book->book = (ExerciseBook){book_count, book_name, book_get, book_free};
  book->folder = path;
  pthread_mutex_init(&book->lock, NULL);
  for (struct dirent *entry; (entry = readdir(dir));)
    if (is_exercise(path, entry->d_name)) LS_PUSH(book->names, book->count, book->capacity, ls_strdup(entry->d_name));
  closedir(dir);
  if (book->count) qsort(book->names, (size_t)book->count, sizeof *book->names, by_name);
  book->exercises = ls_alloc(sizeof *book->exercises * (size_t)LS_MAX(book->count, 1));
  return &book->book;
}
