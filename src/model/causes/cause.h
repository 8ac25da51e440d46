// cause.h: the faults of a run by what mends them: one cause may be many faults.
//
//   faults of a run --causes_new--> Causes, by grade, then in the order in which to mend them
//
// Unrolled copies, rounds of a loop and the many pairs of a race are one cause: faults are put together by family of
// kind and by pair of source lines, and then those that the same change mends. Of a cause one fault is the witness: of
// races the widest (between blocks, then between warps, then between lanes). A race comes before "uninitialized" on the
// same array, and takes it in where both are about the same line: who reads too early reads what nobody has written.
//
// Everything is computed from the faults and the code (flow.h); nothing is run.
#ifndef LS_MODEL_CAUSE_H
#define LS_MODEL_CAUSE_H

#include "ptx/module.h"
#include "trace/trace.h"

typedef enum CureKind {
#define CURE(ID, ...) CURE_##ID,
#include "model/causes/cure.def"
#undef CURE
  CURE_KIND_COUNT
} CureKind;
typedef struct CureDef { const char *id, *words; } CureDef;
const CureDef *cure_def(CureKind kind);          // of a kind that does not exist: the general one

typedef struct Cause {
  CureKind cure;
  FaultKind kind;            // of the witness
  int witness;               // index into the faults
  int *members, member_count;// all its faults: the witness first, then as they came; owned
  uint64_t count;            // how often they happened
  int file, line;            // of the source, where the cure goes: index into PtxModule.files; line 0: nowhere there
  int other_line;            // of the same file: BARRIER between line and other_line; 0: none
  bool carried;              // BARRIER: behind line, before a later round of the loop comes to other_line
  char *advice;              // whole sentences; owned
} Cause;

typedef struct Causes {
  Cause *items; int count, capacity;
  int *of_fault;             // index of the cause of each fault
  int fault_count;
} Causes;

// The module, info and faults are borrowed for the time of the call.
Causes *causes_new(const PtxModule *module, const TraceInfo *info, const TraceFault *faults, int count);
void causes_free(Causes *causes);                // NULL is fine
const Cause *causes_of(const Causes *causes, int fault);   // NULL: there is no such fault

// What the witness is and what mends the cause: its message and the advice. sentence_of_fault (sentence.h) says what
// can be said of a fault alone.
void cause_sentence(const Cause *cause, const TraceFault *faults, LsText *out);
// Of one of the faults: its own message, and what mends its cause.
void causes_sentence_of(const Causes *causes, const TraceFault *faults, int fault, LsText *out);

#endif
