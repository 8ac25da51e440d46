// coverage.h: whether a kernel wrote its results: all of them, each by one block.
//
// Results are buffers that began without contents, that somebody asked for (TYPE[N]=INIT>FILE), and of a lecture kernel
// all that it wrote to. How much of them was written is told in numbers (TraceCoverage). A kernel may well write a part:
// n is smaller than the buffer, one thread has the sum, a scatter leaves gaps. So a warning is only for what is hardly
// meant:
//
//   never_written   nothing at all was written; or, of a buffer without contents, runs of elements between others are
//                   missing, which are fewer than those that were written; or the end is missing, shorter than a block,
//                   where each thread of the grid wrote one element: too few blocks
//   written_twice   plain stores of several blocks wrote the same elements, two or more and at least half of those
//                   written, and nothing in the code could put one block before another (no fence); a race says it
//                   better where there is one
#ifndef LS_MODEL_COVERAGE_H
#define LS_MODEL_COVERAGE_H

#include "base/text.h"
#include "ptx/module.h"
#include "trace/trace.h"

typedef struct CoverageOf {  // all borrowed
  const PtxModule *module;
  const TraceInfo *info;
  bool is_recipe;            // a lecture kernel
} CoverageOf;

bool coverage_is_result(const CoverageOf *of, const TraceCoverage *row);
const char *coverage_name(const CoverageOf *of, const TraceCoverage *row);   // "y"; "argument 2" is NULL
// "997 of 1000 elements never written, from y[3] on", "all 1000 elements written".
void coverage_words(const CoverageOf *of, const TraceCoverage *row, LsText *out);
// What is hardly meant about it, with messages that the caller frees. Returns how many.
enum { COVERAGE_FLAWS = 2 };
int coverage_flaws(const CoverageOf *of, const TraceCoverage *row, TraceFault out[COVERAGE_FLAWS]);
// The same rows from the events of a trace that has those of all blocks. False: it has not, or is damaged. Caller
// frees *items.
bool coverage_fold(const CoverageOf *of, Trace *trace, TraceCoverage **items, int *count);

#endif
