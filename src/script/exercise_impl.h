// exercise_impl.h: what the files exercise*.c share.
#ifndef LS_SCRIPT_EXERCISE_IMPL_H
#define LS_SCRIPT_EXERCISE_IMPL_H

#include "app/practice/exercise.h"
#include "script/recipe_impl.h"

// The exercise's table is the recipe's: at RECIPE_TABLE of a body, after recipe_enter.
typedef struct ExerciseScript {
  RecipeScript owner;              // first: Recipe.script is this
  Exercise exercise;
} ExerciseScript;

static inline ExerciseScript *exercise_script(const Exercise *exercise) { return exercise->recipe->script; }

// exercise_read.c: fills the exercise and its recipe from the table. Inside of a body.
void exercise_read(lua_State *L, ExerciseScript *script, const char *folder_name);
// exercise_case.c: the names that a case gives values to, as parameters of the recipe. Inside of a body.
void exercise_read_cases(lua_State *L, ExerciseScript *script);
bool exercise_run_case(const Exercise *exercise, uint64_t seed, int index, ExerciseCase *out, LsErr *err);
bool exercise_run_keep_text(const Exercise *exercise, const char *text, uint64_t *id, LsErr *err);
// exercise_told.c
bool exercise_run_score(const Exercise *exercise, const RecipeCounted *counted, int64_t *value, LsErr *err);
bool exercise_run_pattern(const Exercise *exercise, const char *text, size_t length, const char *pattern, bool *found,
                          LsErr *err);
bool exercise_run_say(const Exercise *exercise, const RecipeValues *values, const char *key, const ExerciseTold *told,
                      LsText *out, LsErr *err);
// Runs a body with the exercise's lock; errors get the place of the exercise's file.
bool exercise_run(const Exercise *exercise, int64_t budget, ScriptBody *body, void *context, LsErr *err);

#endif
