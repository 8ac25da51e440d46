// outcome.h: everything that comes of a run of the emulator, to be held against that of another run.
#ifndef LS_TESTS_OUTCOME_H
#define LS_TESTS_OUTCOME_H

#include "ptx/module.h"
#include "script/recipe.h"
#include "sim/sim.h"

enum {   // what differs
  OUTCOME_END = 1,             // one of them failed
  OUTCOME_COUNTERS = 2,        // of each instruction, and how many were executed
  OUTCOME_FAULTS = 4,          // kinds, places, threads, messages, how often
  OUTCOME_STEPS = 8,           // of faults in recorded blocks
  OUTCOME_PRINTS = 16,
  OUTCOME_MEMORY = 32,         // all buffers and variables
  OUTCOME_TRACE = 64,          // the bytes of the file
  OUTCOME_ALL = 127,
};

typedef struct Outcome {
  bool ok;
  int threads;                       // that ran blocks
  LsText counters, faults, steps, prints;    // prints: or why it failed
  uint8_t *trace; size_t trace_bytes;
  uint64_t memory;                   // a hash
} Outcome;

Outcome outcome_of(const PtxModule *module, int entry, const Launch *launch, const SimOptions *options);
// Without a trace: nobody sees in which units blocks come.
Outcome outcome_counted(const PtxModule *module, int entry, const Launch *launch, const SimOptions *options);
void outcome_free(Outcome *o);
int outcome_differs(const Outcome *a, const Outcome *b);     // OUTCOME_*
// Fails the test where the two differ in anything of `kinds`, and says in what.
void outcome_check(const Outcome *a, const Outcome *b, int kinds, const char *what);

// A kernel that is ready to run.
typedef struct Loaded { PtxModule *module; Launch launch; int entry; } Loaded;
// launch.kernel says which of the file's; what is wrong fails the test.
bool loaded_ptx(Loaded *l, const char *path);
// assignments: "n=40000 form=lecture"; written: as -G has it. False for programs of several launches, too.
bool loaded_recipe(Loaded *l, RecipeBook *book, const char *name, const char *assignments, bool written);
void loaded_free(Loaded *l);

#endif
