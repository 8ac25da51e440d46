// program_pairs.h: the launches of two programs put side by side: the n-th launch of a kernel with the n-th of the same
// kernel, and those that have no counterpart. Launches by the kernels of a pair are pairs by number: 1.2 and 1.2.
#ifndef LS_APP_PROGRAM_PAIRS_H
#define LS_APP_PROGRAM_PAIRS_H

#include "app/run/program_run.h"

typedef struct ProgramPair { int left, right; } ProgramPair;   // numbers of launches, from 1; 0: there is none

typedef struct ProgramPairs {
  ProgramPair *items; int count;     // in the order of the left program; what only the right one has stands behind what
                                     // is before it there
  int paired, only_left, only_right;
  int left_hosts, right_hosts;       // launches by the host: higher numbers are by kernels
  int children_paired, children_left, children_right;   // launches by kernels
} ProgramPairs;
void program_pairs_init(ProgramPairs *pairs, const HostProgram *left, const HostProgram *right);
void program_pairs_fini(ProgramPairs *pairs);
// The counterpart of a launch of the left program; 0: it has none.
int program_pairs_right(const ProgramPairs *pairs, int left);
// "2 launches side by side; 1 only in the first program (2), 3 only in the second (3 to 5); by kernels 4 side by side"
void program_pairs_words(const ProgramPairs *pairs, LsText *out);

#endif
