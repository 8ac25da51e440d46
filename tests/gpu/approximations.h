// approximations.h: every argument of every approximate function on a GPU, against the hashes that are kept.
//
// tests/unit/sim/test_approximations holds the emulator against the same file (vectors/approximations.hashes).
#ifndef LS_TESTS_GPU_APPROXIMATIONS_H
#define LS_TESTS_GPU_APPROXIMATIONS_H

#include "compare.h"

// Forms whose name contains the filter: a program each. Groups that differ are told; values are arguments.
void approximations_compare(Comparison *comparison, const char *filter, Tally *tally);

#endif
