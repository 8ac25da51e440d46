// recipe.h: a lecture kernel with its parameters, launch and host reference. script/ makes them from kernels/NAME.lua.
#ifndef LS_APP_RECIPE_H
#define LS_APP_RECIPE_H

#include "base/error.h"
#include "base/text.h"
#include "launch/program.h"
#include "model/counter.h"
#include "model/findings/finding.h"
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
enum { RECIPE_ARCHS = 4, RECIPE_LIMITS = 32, RECIPE_LIMIT_NAME = 64 };

// A bound on what a run costs, by a recipe's own formula.
typedef struct RecipeLimit { char what[RECIPE_LIMIT_NAME]; double value, bound; bool is_least; } RecipeLimit;
typedef struct RecipeLimits { RecipeLimit items[RECIPE_LIMITS]; int count; } RecipeLimits;
static inline bool recipe_limit_holds(const RecipeLimit *limit) {
  return limit->is_least ? limit->value >= limit->bound : limit->value <= limit->bound;
}
// Counters of a run that limits are about: of all of it, and of each launch of a program. Where the times of a program
// are known (steps is not NULL): when each step begins and ends, and the whole, in ns.
typedef struct RecipeStepTime { const char *kind, *stream; int64_t begin, end; } RecipeStepTime;
typedef struct RecipeCounted {
  const CounterSet *total; const CounterSet *launches; int launch_count;
  const RecipeStepTime *steps; int step_count; int64_t time;
} RecipeCounted;

// The values of all parameters, in their order: the number itself, or the index of a choice. Of an exercise
// (app/practice) also what the data of its case are drawn from, whether its results begin with a number that none of
// them can be, in the place of nothing, and, where a student writes host calls, which text; else 0.
typedef struct RecipeValues { int64_t value[16]; uint64_t drawn, filled, text; } RecipeValues;
// Parameters at which the recipe is tried; of every form, unless they name one.
typedef struct RecipeCase { RecipeValues values; bool names_form; } RecipeCase;

// What comes of a run: its result, and what is told about it.
// By chance: right or wrong.
typedef enum RecipeOutcome { RECIPE_RIGHT, RECIPE_WRONG, RECIPE_BY_CHANCE } RecipeOutcome;
const char *recipe_outcome_name(RecipeOutcome outcome);   // "by chance"
typedef struct RecipeWritten { const char *buffer; uint64_t elements; } RecipeWritten;
typedef struct RecipeExpect {
  RecipeOutcome outcome;         // wrong: also a run that a fault ended before it had a result
  uint64_t faults;               // bit set of 1 << FaultKind: just these, warnings and notes included
  uint64_t between;              // of a program: bit set of 1 << ProgramFaultKind, just these
  uint64_t findings;             // bit set of 1 << FindingKind: these and perhaps others
  const char *line;              // a piece of the line that such a fault is on; NULL: not said
  RecipeWritten *written; int written_count;   // how many elements of a result were written
  RecipeValues at; bool has_at;  // it shows with these: what tests run, and who wants to see it. Else the defaults
  bool on_stack;                 // it shows with --sched stack only: other runs are right, and nothing is told
  bool has_unless;               // a function of the parameters says where all is right and nothing is told
  bool has_quiet;                // another one says where the result is as said, and nothing is told
} RecipeExpect;

// Parameters for a purpose: the lecture's, or those at which a GPU is busy long enough to be timed.
typedef struct RecipeSizes { bool given; RecipeValues values; } RecipeSizes;

// A kernel to hold this one against. Parameters of the same name are taken over, and those of other names that are
// listed.
typedef struct RecipeTake { const char *its, *ours; } RecipeTake;
typedef struct RecipePartner { const char *name; RecipeTake *take; int take_count; } RecipePartner;

// One of several forms of a kernel: the right one, the lecture's, the one without its barrier.
typedef struct RecipeForm {
  const char *name;              // a word without blanks; NULL: the recipe has this one form
  const char *title;             // "the lecture's stride"; NULL: not said
  const char *source;            // file name, beside the recipe
  const char *define;            // a macro that its source is compiled with, NAME or NAME=VALUE; NULL: none
  const char *erratum;           // "E57"; NULL: it is in no list
  const char *where;             // the place in its source, "Example 2.7, line 6"; NULL: not said
  RecipeExpect expect;
  RecipeSizes lecture, timing;   // its own, or the recipe's
} RecipeForm;

// What a check can see of a run: the bytes of a buffer before and after.
typedef struct RecipeRun {
  const Launch *launch;
  const uint8_t *(*output)(void *context, int arg, uint64_t *size);
  void *context;
  const _Atomic bool *cancel;   // set while the check works: it ends soon, with LS_ECANCEL; NULL: nobody does
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
  RecipeForm *forms; int form_count;         // at least one; the first is what runs if nothing is said
  RecipeParam *params; int param_count;      // at most 16; of a recipe with several forms the first one is "form"
  RecipeSizes lecture, timing;  // those of its first form: see recipe_sizes
  int archs[RECIPE_ARCHS]; int arch_count;   // compute capabilities that its code is compiled for, rising (75, 80);
                                             // 0: the usual one
  RecipePartner *partners; int partner_count;   // what c offers first
  // Of a recipe that is a model (app/models) with these values, NAME=VALUE: it has no source, and none of the functions
  // below. NULL: it runs.
  const char *model; const char **model_values; int model_value_count;
  bool cut_given, is_compiled;  // --code that it is meant to be seen with
  bool is_exercise;             // its data are drawn (RecipeValues.drawn), and a student writes its source
  // Fills launch (initialized by the callee; kernel name included). False with the recipe's own words if the
  // combination of values is wrong. NULL: the recipe is a program.
  bool (*launch)(const Recipe *recipe, const RecipeValues *values, Launch *launch, LsErr *err);
  // The host reference. True if the result is right; false with LS_EFAULT (wrong, says where) or LS_EREQUEST (bug).
  bool (*check)(const Recipe *recipe, const RecipeValues *values, const RecipeRun *run, LsErr *err);
  // A recipe of several launches has these instead of launch; NULL otherwise. Fills program (initialized by the
  // callee),
  // settled. host runs the function of a host step.
  bool (*sequence)(const Recipe *recipe, const RecipeValues *values, HostProgram *program, LsErr *err);
  bool (*host)(const Recipe *recipe, const RecipeValues *values, int step, const RecipeHost *host, LsErr *err);
  // What is expected with these values: that of their form, or, where its `unless` is true, a right and clean run, or,
  // where its `quiet` is true, its verdict alone.
  bool (*expect)(const Recipe *recipe, const RecipeValues *values, RecipeExpect *expect, LsErr *err);
  RecipeCase *cases; int case_count;   // what `lanescope test` runs; 0: it chooses (app/own/suite.h)
  // What the run may cost at most, from its counters. NULL: anything.
  bool (*limits)(const Recipe *recipe, const RecipeValues *values, const RecipeCounted *counted, RecipeLimits *limits,
                 LsErr *err);
  // What is wrong with a step, but found only when it is run: the message gets the recipe's file and line.
  void (*place)(const Recipe *recipe, LsErr *err);
  void *script;                 // of the maker
};

// For those who write a Recipe down: one form without a name.
#define RECIPE_ONE_FORM(file) .forms = (RecipeForm[]){{.source = file}}, .form_count = 1
static inline bool recipe_has_forms(const Recipe *recipe) { return recipe->forms && recipe->forms[0].name != NULL; }
// The form that these values choose.
const RecipeForm *recipe_form(const Recipe *recipe, const RecipeValues *values);
// The values at which a form shows what it is there for.
void recipe_form_values(const Recipe *recipe, int form, RecipeValues *values);
// Whether it is there to show something wrong: a run of it has no one answer to hold others against.
bool recipe_form_is_bug(const RecipeForm *form);
void recipe_defaults(const Recipe *recipe, RecipeValues *values);
// NAME=VALUE as -p takes it; the message names the parameters there are, or the range.
bool recipe_set(const Recipe *recipe, RecipeValues *values, const char *assignment, LsErr *err);
// The values that fit the parameters of another recipe; what it has besides keeps its default. partner: NULL, or its
// row.
void recipe_carry(const Recipe *from, const RecipeValues *values, const Recipe *to, const RecipePartner *partner,
                  RecipeValues *out);
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
struct Glossary;
typedef struct RecipeBook RecipeBook;
struct RecipeBook {
  int (*count)(RecipeBook *book);
  const char *(*name)(RecipeBook *book, int index);                       // kernels, sorted; then models, sorted; cheap
  const Recipe *(*get)(RecipeBook *book, const char *name, LsErr *err);   // loads it; unknown: lists those there are
  void (*free)(RecipeBook *book);
  int (*kernels)(RecipeBook *book);                                       // those that run: the first so many of count
  const struct Glossary *(*glossary)(RecipeBook *book, LsErr *err);       // what the words of the course mean; NULL:
                                                                          // none
};

#endif
