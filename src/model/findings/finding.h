// finding.h: findings: what a run wastes most, where, why, and by what change it would not.
//
//   device --access(), tally()--> Witness    addresses of some blocks, lanes that part, barriers   (witness.h)
//                             \-> Counters   sums of the whole grid                                (counter.h)
//   findings_new(counters, witness, ...) -> Findings, worst share first
//
// Numbers (wasted, amount, total) are those of the counters where a counter knows them, and so of every block. Causes
// and cures are computed from the addresses of the blocks that the witness watched; kinds that no counter knows are
// measured in these blocks alone, and then blocks_read says how many that are. What cannot be known of a run (a trace
// without its events, a GPU's counts) is left out.
//
// A finding is of an instruction's line, or of the launch as a whole (line 0). None is told whose waste is below
// FINDING_LEAST of the total of its kind.
#ifndef LS_MODEL_FINDING_H
#define LS_MODEL_FINDING_H

#include "model/arch.h"
#include "model/counter.h"
#include "model/findings/witness.h"

typedef enum FindingKind {
#define FINDING(ID, ...) FINDING_##ID,
#include "model/findings/finding.def"
#undef FINDING
  FINDING_KIND_COUNT
} FindingKind;

// A row of finding.def.
typedef struct FindingDef { const char *id, *title, *unit, *total, *help; } FindingDef;
const FindingDef *finding_def(FindingKind kind);   // NULL if there is no such kind

#define FINDING_LEAST 0.05

typedef struct Finding {
  FindingKind kind;
  int pc;                    // the instruction that costs most there; -1: of the launch
  int file, line;            // of it: index into PtxModule.files; line 0: of the launch
  int other_line;            // same file: the first line on which lanes idle that a branch at `line` parted; 0: none
  double share;              // 0..1: wasted / total
  uint64_t wasted;           // what need not be, in the kind's unit
  uint64_t amount, total;    // all that goes through this place, wasted or not, and through all places
  double at, ideal;          // for one execution: 32 wavefronts where 1 would do. 0: there is no such number
  uint64_t executions;       // by warps; 0: of the launch
  uint32_t blocks_read;      // blocks whose addresses were read; 0: none were needed
  uint64_t step;             // an event of the trace that shows it; UINT64_MAX: none, or not looked for
  const char *message;       // one sentence: what is wasted, with numbers. Never NULL; these texts are the Findings'
  const char *cause;         // why; NULL: not known
  const char *cure;          // what to change; NULL: not known
  const char *gain;          // what would come of it, computed; NULL: not known
} Finding;

// A place that could not be better: "global loads", "4.0 sectors a request, 100% used".
typedef struct FindingGood { int pc, file, line; const char *what, *words; } FindingGood;

typedef struct Findings {
  Finding *items; int count;       // worst share first
  FindingGood *good; int good_count;   // by line; line 0: the launch
  const char *scope;               // which blocks were counted and whose addresses were read, as a sentence
  struct LsArena *arena;           // of the texts
} Findings;

// All borrowed, for the time of the call.
typedef struct FindingsOf {
  const PtxModule *module; int entry;
  const TraceInfo *info;
  const Counters *counters;
  const Witness *witness;
  const ArchProfile *arch;         // NULL: not known, and nothing is said of waves and occupancy
  int registers;                   // of a thread, 0: not known, and not counted
  int resident;                    // blocks that an SM holds at once, as a driver says; 0: computed
  uint64_t local_bytes;            // of a thread as the driver compiled it; 0: not known
  bool emulated;
} FindingsOf;
Findings *findings_new(const FindingsOf *of);
void findings_free(Findings *findings);            // NULL is fine

#endif
