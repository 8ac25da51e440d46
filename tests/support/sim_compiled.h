// sim_compiled.h: what the compiler made of a small kernel (tests/unit/sim/kernels/*.cu), its launch, and its
// results.
#ifndef LS_TESTS_SIM_COMPILED_H
#define LS_TESTS_SIM_COMPILED_H

#include "check.h"
#include "launch/launch.h"
#include "ptx/module.h"
#include "sim/sim.h"

typedef struct CompiledRun {
  PtxModule *module;
  Launch launch;
  SimOptions options;
  Sim *sim;
  LsErr err;
} CompiledRun;

// Reads a file of tests/unit/sim/kernels.
void compiled_init(CompiledRun *b, const char *file);
// A launch of one dimension; `args` end with NULL.
void compiled_launch(CompiledRun *b, uint32_t grid, uint32_t block, const char *const *args);
// Runs and expects nothing wrong.
void compiled_run(CompiledRun *b, const char *kernel);
// Ends a run, after which another may be launched; and the whole.
void compiled_end(CompiledRun *b);
void compiled_fini(CompiledRun *b);
// Element `at` of a buffer: floats (f), doubles (d), integers (i) or halves (h).
double result_at(const uint8_t *bytes, char type, int at);

#endif
