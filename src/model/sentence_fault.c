// sentence_fault.c: what a fault is, and what to do about it.
#include <ctype.h>
#include <string.h>
#include "model/sentence.h"

static const char *const meaning[FAULT_KIND_COUNT] = {
#define TRACE_FAULT(NAME, name, what) [FAULT_##NAME] = what,
#include "trace/fault.def"
#undef TRACE_FAULT
};

static const char *const advice[FAULT_KIND_COUNT] = {
    [FAULT_OUT_OF_BOUNDS] =
        "Compare the index with the size before the access: a grid is rounded up to whole blocks, so the last "
        "threads have nothing to do.",
    [FAULT_MISALIGNED] =
        "An access of n bytes needs an address that n divides: check casts to wider types, and offsets into "
        "dynamic shared memory.",
    [FAULT_UNINITIALIZED] =
        "Write the memory before reading it, or start from a buffer with contents. Shared memory and local "
        "arrays begin with no value at all.",
    [FAULT_RACE] = "Put __syncthreads() between the two accesses, or use an atomic.",
    [FAULT_DIVERGENT_BARRIER] =
        "Move __syncthreads() out of the condition, so that every thread of the block comes to it.",
    [FAULT_DEADLOCK] =
        "Look at who waits for whom: a barrier that some threads have left out, or a flag that nobody sets.",
    [FAULT_LIVELOCK] =
        "Who is to end the wait must be able to run: set a flag before anybody waits for it, and let the lane that "
        "gets a lock do its work inside the loop.",
    [FAULT_BAD_MASK] =
        "A member mask names exactly the lanes that execute the call, the caller included. Compute it with "
        "__ballot_sync before the lanes part.",
    [FAULT_INACTIVE_SOURCE] =
        "Read only from lanes that execute the same shuffle; let all of them take part, and choose the result "
        "afterwards.",
    [FAULT_BUDGET] =
        "If the loop should end, look at its condition; if it is only long, give the run a larger --budget.",
    [FAULT_TRAP] = "The program asked to stop here: see which check leads to it.",
    [FAULT_ASSERT] = "The assertion names what was expected; look at the variables of this thread.",
    [FAULT_DIVIDE_BY_ZERO] =
        "Test the divisor first: the device does not stop at it, it goes on with a meaningless number.",
    [FAULT_PENDING_COPY] =
        "Wait before touching either end of the copy: __pipeline_wait_prior(n), where n groups may still be on their way, "
        "or the wait of its barrier. If other threads use what was copied, __syncthreads() comes after the wait.",
    [FAULT_STACK_OVERFLOW] = "Recursion is too deep or local arrays are too large for one thread.",
};

// What is no access, a call to nowhere or a texture of another kind, is told in full by its message.
static const char *advice_on_place(const TraceFault *fault) {
  if (fault->pc >= 0 && fault->size == 0) return NULL;
  if (fault->space == TRACE_SHARED || fault->space == TRACE_LOCAL)
    return "Compare the index with the size of the array before the access.";
  return advice[FAULT_OUT_OF_BOUNDS];
}

const char *sentence_advice(const TraceFault *fault) {
  if (fault->kind >= FAULT_KIND_COUNT) return NULL;
  if (fault->kind == FAULT_OUT_OF_BOUNDS) return advice_on_place(fault);
  if (fault->kind == FAULT_BUDGET && fault->pc < 0)   // a GPU's own limit, which --budget does not move
    return "If the loop should end, look at its condition; if it is only long, let the launch do less.";
  if (fault->kind != FAULT_RACE) return advice[fault->kind];
  if (fault->block != fault->other_block)
    return "Blocks run in any order: use an atomic, publish the data with __threadfence() and a flag, let all blocks "
           "meet at grid.sync(), or launch a second kernel.";
  if (fault->thread / 32 == fault->other_thread / 32)
    return "Put __syncwarp() between the two accesses: since Volta the lanes of a warp need not run in step.";
  return advice[FAULT_RACE];
}

void sentence_of_fault(const TraceFault *fault, LsText *out) {
  if (fault->kind >= FAULT_KIND_COUNT) return;
  if (fault->message && *fault->message) {
    ls_text_add(out, fault->message);
    if (!strchr(".!?", out->data[out->length - 1])) ls_text_addc(out, '.');
  } else {
    ls_text_addf(out, "%c%s.", toupper((unsigned char)meaning[fault->kind][0]), meaning[fault->kind] + 1);
  }
  if (sentence_advice(fault)) ls_text_addf(out, " %s", sentence_advice(fault));
}
