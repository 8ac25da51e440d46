// suite.h: tests of one's own kernels: recipes in folders, the parameters at which each is run, and what came of it.
//
//   paths --suite_gather--> Suite: its points, in the order of their names --suite_run--> the state of each
//
// A point is a recipe at one set of parameters. It passes if the run came to what the recipe says: a right result, no
// fault (with `expect` or in a form that shows a mistake: just those), and counters within the recipe's `limits`, which
// are looked at last: how fast a wrong kernel is helps nobody.
//
// A recipe says its points itself (`cases`). Where it does not these are its defaults, each range at its least value
// (one element is where guards fail), and each word or number of a list once; the greatest values of ranges are for
// those who have the time. A form that is there to show a mistake has one point: where it shows.
#ifndef LS_APP_SUITE_H
#define LS_APP_SUITE_H

#include <signal.h>

#include "app/run/run.h"

typedef enum SuiteState {
  SUITE_WAITS, SUITE_PASSED, SUITE_FAILED,
  SUITE_SKIPPED,     // nothing to be said of it: `reason`
  SUITE_BAD,         // the recipe is wrong, or cannot be read
  SUITE_LACKS,       // no compiler, or no such device
  SUITE_CANCELED
} SuiteState;

// What failed, the first one first.
typedef struct SuiteProblem {
  char *kind;        // of fault ("race"), or "result", "expectation", "limit", "order", "compile", "launch", "recipe",
                     // "environment"
  char *message;     // whole sentences
  char *advice;      // NULL: none
  char *file;        // NULL: none
  int line;          // 0: none
} SuiteProblem;

typedef struct SuitePoint {
  char *name;                    // "sums/chain n=33"
  char *recipe_name;             // "sums/chain"
  char *path;                    // of its file
  const Recipe *recipe;          // NULL: it could not be read
  RecipeValues values;
  char *parameters;              // "n=33"; "" if it has none
  bool is_chosen;                // by us: a launch that refuses these parameters is no failure
  bool is_first;                 // of its source: it compiles for the others
  SuiteState state;
  char *reason;                  // of a skipped one
  SuiteProblem *problems; int problem_count, problem_capacity;
  RecipeLimits limits;           // as far as they were looked at
  double seconds;
} SuitePoint;

typedef struct Suite {
  SuitePoint *points; int count, capacity;
  char **folders; RecipeBook **books; int book_count, folder_capacity, book_capacity;
} Suite;

typedef RecipeBook *SuiteOpen(const char *folder, LsErr *err);

// Folders (searched with all below them that are no links and not hidden, for each NAME.lua beside a NAME.cu), and
// files
// NAME.lua or NAME.cu. False: a path is none, or there is no recipe (LS_EREQUEST). A recipe with a mistake is a point
// that is bad. To be finished also after a failure.
bool suite_gather(Suite *suite, const char *const *paths, int count, SuiteOpen *open, LsErr *err);
void suite_fini(Suite *suite);

typedef struct SuiteOptions {
  const RunRequest *base;        // device, checks, seed, ...: everything but what is run
  uint64_t orders;               // seeds with which a launch has to come to the same; 0: none
  int jobs;                      // points at a time
  const volatile sig_atomic_t *ending;   // not 0: stop (set by a signal); may be NULL
} SuiteOptions;

// Runs all points. Each is told once, in order, as soon as it and all before it are done, on the caller's thread; so is
// waiting, about ten times a second, with how many are done. Points that were not run because of `ending` are canceled.
typedef struct SuiteListener {
  void (*point)(void *context, const SuitePoint *point, int index);
  void (*waiting)(void *context, int done);
  void *context;
} SuiteListener;
void suite_run(Suite *suite, const SuiteOptions *options, const SuiteListener *listener);
int suite_count(const Suite *suite, SuiteState state);
// suite_point.c: runs and judges one.
void suite_point_run(SuitePoint *point, const SuiteOptions *options, RunProgress *progress);
void suite_point_add(SuitePoint *point, SuiteState state, const char *kind, const LsErr *err);   // with a problem

#endif
