// program_against.h: one program on two devices: the first launch that leaves something else, and its first element.
#ifndef LS_APP_PROGRAM_AGAINST_H
#define LS_APP_PROGRAM_AGAINST_H

#include "app/run/program_run.h"

typedef struct ProgramAgainst {
  uint64_t elements;               // that differ in the end, in all buffers
  int number;                      // the launch behind which an element differs first, from 1; 0: none does
  int buffer; uint64_t element;    // the first one there
  uint64_t left, right;            // its bits
} ProgramAgainst;

// Of two programs that were kept (program_run_keep), of the same steps. Bytes that no step of the left one has written
// do not count.
bool program_against(const ProgramRun *left, const ProgramRun *right, ProgramAgainst *out, LsErr *err);
// "x[3] is 5 on the emulator and 7 on the NVIDIA GPU, first behind launch 2 of 3; 12 elements differ in the end"
void program_against_words(const ProgramRun *left, const ProgramRun *right, const ProgramAgainst *a, LsText *out);
void program_against_value(const ProgramRun *run, const ProgramAgainst *a, uint64_t bits, LsText *out);

#endif
