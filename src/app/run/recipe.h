// recipe.h: a lecture kernel with its parameters, launch and host reference. script/ makes them from kernels/NAME.lua.
#ifndef LS_APP_RECIPE_H
#define LS_APP_RECIPE_H

#include "base/error.h"
#include "base/text.h"
#include "launch/program.h"
#include "trace/trace.h"

typedef struct RecipeParam {
  const char *name, *help;
  bool is_text;                 // choices are words
  int64_t fallback, min, max;   // numbers: default and range (an index into choices if choices are given)
  bool log2;                    // the slider doubles and halves
  int64_t step;                 // of the slider where it is not log2; at least 1
  const char **choices; int choice_count;   // words, or numbers as text; 0: a free number in [min, max]
} RecipeParam;

typedef struct Recipe Recipe;

// The values of all parameters, in their order: the number itself, or the index of a choice.
typedef struct RecipeValues { int64_t value[16]; } RecipeValues;

// What a check can see of a run: the bytes of a buffer before and after.
typedef struct RecipeRun {
  const Launch *launch;
  const uint8_t *(*output)(void *context, int arg, uint64_t *size);
  void *context;
} RecipeRun;

// What a host step can see of the program under way: the host's side of its buffers. NULL: it has none.
typedef struct RecipeHost {
  const HostProgram *program;
  uint8_t *(*bytes)(void *context, int buffer, bool writes);
  void *context;
} RecipeHost;

struct Recipe {
  const char *name, *id, *title, *about, *topic;
  const char **lessons; int lesson_count;
  const char *folder;           // where it and its source are; NULL: lanescope's own kernels
  const char *source;           // file name there
  RecipeParam *params; int param_count;      // at most 16
  RecipeValues lecture; bool has_lecture;    // the size the lecture used
  uint64_t expected_faults;     // bit set of 1 << FaultKind: it is there to show these; 0: a run of it is clean
  // Fills launch (initialized by the callee; kernel name included). False with the recipe's own words if the
  // combination of values is wrong. NULL: the recipe is a program.
  bool (*launch)(const Recipe *recipe, const RecipeValues *values, Launch *launch, LsErr *err);
  // The host reference. True if the result is right; false with LS_EFAULT (wrong, says where) or LS_EREQUEST (bug).
  bool (*check)(const Recipe *recipe, const RecipeValues *values, const RecipeRun *run, LsErr *err);
  // A recipe of several launches has these instead of launch; NULL otherwise. Fills program (initialized by the callee),
  // settled. host runs the function of a host step.
  bool (*sequence)(const Recipe *recipe, const RecipeValues *values, HostProgram *program, LsErr *err);
  bool (*host)(const Recipe *recipe, const RecipeValues *values, int step, const RecipeHost *host, LsErr *err);
  void *script;                 // of the maker
};

void recipe_defaults(const Recipe *recipe, RecipeValues *values);
// NAME=VALUE as -p takes it; the message names the parameters there are, or the range.
bool recipe_set(const Recipe *recipe, RecipeValues *values, const char *assignment, LsErr *err);
// The choices of a parameter: "8, 16, 32", or words with their numbers, which are as good: "1 order, 2 permuted".
void recipe_choices(const RecipeParam *param, LsText *out);
// "N=1024 threads=256"
void recipe_print_values(const Recipe *recipe, const RecipeValues *values, LsText *out);
// The value of one parameter as text ("256", "aligned").
void recipe_value_text(const RecipeParam *param, int64_t value, LsText *out);
// Next or previous value of a slider; one that goes by steps stops at their multiples.
int64_t recipe_step_value(const RecipeParam *param, int64_t value, int direction);
// Where on a slider a value stands, 0 to 1; and the value that stands there.
double recipe_share(const RecipeParam *param, int64_t value);
int64_t recipe_value_at(const RecipeParam *param, double share);

// Where recipes come from. One book per program; recipes live as long as it does.
typedef struct RecipeBook RecipeBook;
struct RecipeBook {
  int (*count)(RecipeBook *book);
  const char *(*name)(RecipeBook *book, int index);                       // sorted; cheap
  const Recipe *(*get)(RecipeBook *book, const char *name, LsErr *err);   // loads it; unknown: lists those there are
  void (*free)(RecipeBook *book);
};

#endif
