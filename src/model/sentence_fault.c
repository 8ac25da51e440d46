// sentence_fault.c: what a fault is, and what to do about it.
#include <ctype.h>
#include <string.h>
#include "model/sentence.h"

static const char *advise_always(const TraceFault *fault) { return trace_fault_def((FaultKind)fault->kind)->advice; }

// What is no access, a call to nowhere or a texture of another kind, is told in full by its message.
static const char *advise_by_place(const TraceFault *fault) {
  if (fault->pc >= 0 && fault->size == 0) return NULL;
  if (fault->space == TRACE_SHARED || fault->space == TRACE_LOCAL)
    return "Compare the index with the size of the array before the access.";
  return advise_always(fault);
}

// A GPU's own limit is none that --budget moves.
static const char *advise_by_limit(const TraceFault *fault) {
  if (fault->pc >= 0) return advise_always(fault);
  return "If the loop should end, look at its condition; if it is only long, let the launch do less.";
}

// What orders two threads depends on how far they are from one another.
static const char *advise_by_distance(const TraceFault *fault) {
  if (fault->block != fault->other_block)
    return "Blocks run in any order: use an atomic, publish the data with __threadfence() and a flag, let all blocks "
           "meet at grid.sync(), or launch a second kernel.";
  if (fault->thread / 32 == fault->other_thread / 32)
    return "Put __syncwarp() between the two accesses: since Volta the lanes of a warp need not run in step, and a "
           "shuffle or a vote orders no memory.";
  return advise_always(fault);
}

static const char *(*const advisers[FAULT_KIND_COUNT])(const TraceFault *fault) = {
#define TRACE_FAULT(NAME, name, what, grade, ends, of, advise, advice) [FAULT_##NAME] = advise_##advise,
#include "trace/fault.def"
#undef TRACE_FAULT
};

const char *sentence_advice(const TraceFault *fault) {
  return fault->kind < FAULT_KIND_COUNT ? advisers[fault->kind](fault) : NULL;
}

void sentence_of_message(const TraceFault *fault, LsText *out) {
  if (fault->kind >= FAULT_KIND_COUNT) return;
  if (fault->message && *fault->message) {
    ls_text_add(out, fault->message);
    if (!strchr(".!?", out->data[out->length - 1])) ls_text_addc(out, '.');
  } else {
    const char *what = trace_fault_def((FaultKind)fault->kind)->what;
    ls_text_addf(out, "%c%s.", toupper((unsigned char)what[0]), what + 1);
  }
}

void sentence_of_fault(const TraceFault *fault, LsText *out) {
  if (fault->kind >= FAULT_KIND_COUNT) return;
  sentence_of_message(fault, out);
  if (sentence_advice(fault)) ls_text_addf(out, " %s", sentence_advice(fault));
}
