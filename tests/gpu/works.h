// works.h: the launches that are traced, counted and timed on a GPU.
#ifndef LS_TESTS_GPU_WORKS_H
#define LS_TESTS_GPU_WORKS_H

#include "ptx/module.h"
#include "launch/launch.h"

typedef struct Work {
  char name[160];              // "reduce2, as compiled, n=1024"
  PtxModule *module;
  int entry;
  Launch launch;
} Work;

typedef struct Works { Work *items; int count, capacity; } Works;
void works_fini(Works *works);

// Every recipe at its defaults, in one or both cuts.
bool works_add_recipes(Works *works, bool compiled, bool written, LsErr *err);
// The kernels of tests/unit/model/hardware that Nsight Compute was asked about.
bool works_add_rows(Works *works, LsErr *err);
// Copies, matrices, mbarriers, textures and surfaces: those kernels of tests/support/probe_kernels.def whose events are the same.
bool works_add_kernels(Works *works, LsErr *err);
// The bench kernels, and a tiled product of two matrices of 4096 x 4096.
bool works_add_costs(Works *works, LsErr *err);
// Every recipe at its sizes for timing, in both cuts.
bool works_add_timed_recipes(Works *works, LsErr *err);
// Those of a list, one in a line: NAME | PTX FILE | KERNEL | GRID | BLOCK | BYTES OF SHARED MEMORY | ARGUMENTS.
bool works_add_list(Works *works, const char *path, LsErr *err);

#endif
