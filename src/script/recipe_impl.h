// recipe_impl.h: what the files recipe*.c share.
#ifndef LS_SCRIPT_RECIPE_IMPL_H
#define LS_SCRIPT_RECIPE_IMPL_H

#include <pthread.h>

#include "app/run/recipe.h"
#include "base/mem.h"
#include "script/state.h"

enum { RECIPE_PARAM_LIMIT = 16 };  // as RecipeValues

typedef struct RecipeScript {
  Recipe recipe;
  LsArena *arena;                  // its strings and arrays
  char *path;                      // of its file; in the arena
  Script *script;                  // its own state; the table of the recipe is at stack index 1
  pthread_mutex_t lock;
} RecipeScript;

enum { RECIPE_TABLE = 1 };         // stack index in every body, after recipe_enter

// Puts the recipe's table at stack index RECIPE_TABLE of a body.
void recipe_enter(lua_State *L);

// recipe_read.c: fills recipe from the table, or raises an error that names the field. Inside of a body.
void recipe_read(lua_State *L, RecipeScript *owner, const char *stem);
// Pushes the table p of a script: parameter values by name.
void recipe_push_values(lua_State *L, const Recipe *recipe, const RecipeValues *values);

// recipe_forms.c: 'source', 'expect' and 'forms', behind the parameters. Inside of a body.
void recipe_read_forms(lua_State *L, RecipeScript *owner, const char *what);
// recipe_model.c: false: it is none.
bool recipe_read_model(lua_State *L, RecipeScript *owner, const char *what);
void recipe_read_places(lua_State *L, Recipe *recipe);
// 'lecture' and 'timing', of the recipe and of its forms.
void recipe_read_sizes(lua_State *L, Recipe *recipe);
// recipe_read.c: values by name, a table at the top of the stack, over the defaults. field is for messages.
void recipe_read_values(lua_State *L, const Recipe *recipe, RecipeValues *values, const char *field);
// Pushes the table of the form that the values choose: that of the recipe if it has one form.
void recipe_push_form(lua_State *L, const Recipe *recipe, const RecipeValues *values);
bool recipe_run_expect(const Recipe *recipe, const RecipeValues *values, RecipeExpect *expect, LsErr *err);

// recipe_tests.c: 'cases' and 'limits', behind the forms. Inside of a body.
void recipe_read_tests(lua_State *L, RecipeScript *owner, const char *what);
// Pushes what limits are about: c.global_load_sectors of all, c.launch[1].global_load_sectors of the first launch; of a
// program also c.time_ns and c.steps.
void recipe_push_counted(lua_State *L, const RecipeCounted *counted);
bool recipe_run_limits(const Recipe *recipe, const RecipeValues *values, const RecipeCounted *counted,
                       RecipeLimits *limits, LsErr *err);

// recipe_launch.c
bool recipe_run_launch(const Recipe *recipe, const RecipeValues *values, Launch *launch, LsErr *err);
// What is in a buffer whose name and type are known: 'count' with 'init' or 'values', or all of an image.
void recipe_read_contents(lua_State *L, int table, LaunchArg *arg, const char *what);
// In the second order of an exercise a result holds what it cannot be; of others nothing changes.
void recipe_fill_result(const RecipeValues *values, LaunchArg *arg);
// Of an exercise pushes what its data are drawn with, and the text of host calls if there is one; returns how many.
int recipe_push_draw(lua_State *L, const Recipe *recipe, const RecipeValues *values);
// recipe_read.c
void recipe_read_arch(lua_State *L, Recipe *recipe);
// recipe_sequence.c
bool recipe_run_sequence(const Recipe *recipe, const RecipeValues *values, HostProgram *program, LsErr *err);
bool recipe_run_host(const Recipe *recipe, const RecipeValues *values, int step, const RecipeHost *host, LsErr *err);
// recipe.c: a message about a field has no place of its own: it gets the file, and the line where the field's name stands.
void recipe_add_place(const RecipeScript *owner, LsErr *err);
// recipe_check.c
bool recipe_run_check(const Recipe *recipe, const RecipeValues *values, const RecipeRun *run, LsErr *err);

#endif
