// sentence.h: what an event means, in one or two plain sentences: what happened, and why it costs what it costs.
//
// This is what --plain prints and what stands under every picture. A sentence only says what the event knows: where
// values or lines are not recorded, it does without them.
#ifndef LS_MODEL_SENTENCE_H
#define LS_MODEL_SENTENCE_H

#include "base/text.h"
#include "model/coal.h"
#include "ptx/module.h"
#include "trace/trace.h"

// The run that events are of. All is borrowed and may be NULL or 0.
typedef struct SentenceAbout {
  const PtxModule *module;
  const TraceInfo *info;                           // names of arrays
  const TraceFault *faults; int fault_count;       // lanes that are outside of their array
  CoalModel coal;                                  // the unit that global memory moves
  bool source;                                     // lines and variables of the source in place of PTX, where info has
                                                   // its text
} SentenceAbout;

// Appends to out.
void sentence_of(const SentenceAbout *about, const TraceEvent *event, LsText *out);
// The same for a fault: what it is and what to do, as far as one fault tells; causes/cause.h knows more from all of them.
void sentence_of_fault(const TraceFault *fault, LsText *out);
void sentence_of_message(const TraceFault *fault, LsText *out);   // only what it is
// What to do about it, in a sentence or two; static text.
const char *sentence_advice(const TraceFault *fault);
// "lanes 0-15", "all 32 lanes", "lane 7", "lanes 0, 4, 8, ... 28"
void sentence_lanes(uint32_t mask, LsText *out);
// "ts[17]", "x + 0x0a00", "element 17 of argument 2": the object and element at an address of a space; "global address
// 0x7f00" if nobody is there. Elements are those of the object's type.
void sentence_place(const TraceInfo *info, TraceSpace space, uint64_t addr, LsText *out);

#endif
