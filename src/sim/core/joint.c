// joint.c: sums that a worker keeps back, in a table by address; what is in the way comes to memory.
//
// Of a small buffer to which the kernel only adds (disjoint.c) there is a copy, so that no word has to be looked up.
#include "sim/core/joint.h"
#include <stdatomic.h>
#include <string.h>
#include "sim/core/ownership.h"
#include "sim/core/sums.h"

enum { MOST_COPIED = 16 << 10 };               // bytes: all are looked at when a unit of blocks ends
enum { IS_XOR = 1, IS_WIDE = 2, BITS = 3 };   // of SimJointWord.at: a word's address is a multiple of 4

bool sim_joint_is_kept(const SimExec *exec, const SimMem *m) {
  bool is_word = (m->elem == 4 || m->elem == 8) && m->vec == 1 && !m->narrow_operand && !m->later &&
                 !ptx_type_is_float((PtxType)m->type);
  return is_word && (m->op == PTX_AT_ADD || m->op == PTX_AT_XOR) && sim_is_worker(exec) && sim_is_summed(exec);
}

static void bring(SimJointWord *w) {
  void *at = (void *)(w->at & ~(uintptr_t)BITS);
  if (!w->by) return;
  switch (w->at & BITS) {
  case IS_XOR: atomic_fetch_xor((_Atomic uint32_t *)at, (uint32_t)w->by); break;
  case IS_WIDE: atomic_fetch_add((_Atomic uint64_t *)at, w->by); break;
  case IS_WIDE | IS_XOR: atomic_fetch_xor((_Atomic uint64_t *)at, w->by); break;
  default: atomic_fetch_add((_Atomic uint32_t *)at, (uint32_t)w->by);
  }
  w->by = 0;
}

// False: the word is not for this thread to add to.
__attribute__((noinline)) static bool take(SimExec *exec, const SimInst *inst, const SimSpan *span, SimJointWord *w,
                                           uintptr_t at) {
  if (!sim_ownership_claim_joint(exec, inst, span, (at & ~(uintptr_t)BITS) - (uintptr_t)span->bytes)) return false;
  bring(w);
  w->at = at;
  return true;
}

// Of all lanes, whose number is known, a lane takes two thirds of what it takes otherwise.
__attribute__((always_inline)) static inline bool keep(SimExec *exec, const SimInst *inst, const SimSpan *span,
                                                       uint32_t mask, const bool is_wide, const bool is_xor,
                                                       const bool is_full) {
  const uint8_t *operands = exec->regs + ((const SimMem *)inst->more)->operand;
  const uintptr_t origin = span->origin + (is_wide ? IS_WIDE : 0) + (is_xor ? IS_XOR : 0);
  SimJointWord *const words = exec->joint_words;
  uint64_t any = 0;
  for (uint32_t left = mask, n = 0; is_full ? n < SIM_LANES : left; left &= left - 1, n++) {
    uint32_t i = is_full ? n : (uint32_t)__builtin_ctz(left);
    uintptr_t at = origin + exec->addr[i];
    uint64_t b = is_wide ? ((const uint64_t *)operands)[i] : ((const uint32_t *)operands)[i];
    SimJointWord *w = &words[at / 4 % SIM_JOINT_WORDS];
    if (w->at != at && !take(exec, inst, span, w, at)) return false;
    w->by = is_xor ? w->by ^ b : w->by + b;
    any |= b;
  }
  exec->block.changes += any != 0;
  return true;
}

__attribute__((always_inline)) static inline bool keep_as(SimExec *exec, const SimInst *inst, const SimSpan *span,
                                                          uint32_t mask, const bool is_wide, const bool is_xor) {
  return mask == SIM_FULL ? keep(exec, inst, span, mask, is_wide, is_xor, true)
                          : keep(exec, inst, span, mask, is_wide, is_xor, false);
}

// ---- copies --------------------------------------------------------------------------------------------------------

static bool may_copy(const SimExec *exec, const SimMem *m, const SimAlloc *a) {
  const SimJointCopy *copy = &exec->joint_copy;
  return a->is_only_added_to && m->quiet_loop && (copy->of ? copy->of == a : a->size <= MOST_COPIED);
}

static bool make_copy(SimExec *exec, const SimInst *inst, const SimSpan *span) {
  const SimMem *m = inst->more;
  const SimAlloc *a = span->alloc;
  if (!sim_ownership_claim_joint_all(exec, inst, span)) return false;
  uint8_t *bytes = ls_alloc(ls_align_up(a->size, sizeof(uint64_t)));
  exec->joint_copy = (SimJointCopy){.of = a, .bytes = bytes, .origin = (uintptr_t)bytes - (uintptr_t)a->base,
                                    .is_wide = m->elem == 8, .is_xor = m->op == PTX_AT_XOR};
  return true;
}

static void flush_copy(SimExec *exec) {
  const SimJointCopy *copy = &exec->joint_copy;
  if (!copy->of) return;
  uint64_t width = copy->is_wide ? 8 : 4, size = copy->of->size / width * width;
  uintptr_t to = (uintptr_t)copy->of->bytes | (copy->is_wide ? IS_WIDE : 0) | (copy->is_xor ? IS_XOR : 0);
  for (uint64_t at = 0; at < size; at += width) {
    SimJointWord w = {.at = to + at};
    memcpy(&w.by, copy->bytes + at, width);   // the host is little-endian
    bring(&w);
  }
  memset(copy->bytes, 0, size);
}

bool sim_joint_keep(SimExec *exec, const SimInst *inst, const SimSpan *span, uint32_t mask) {
  const SimMem *m = inst->more;
  bool is_xor = m->op == PTX_AT_XOR;
  exec->copied_to = may_copy(exec, m, span->alloc);
  if (exec->copied_to) return exec->joint_copy.of || make_copy(exec, inst, span);
  if (m->elem == 8) return is_xor ? keep_as(exec, inst, span, mask, true, true)
                                  : keep_as(exec, inst, span, mask, true, false);
  return is_xor ? keep_as(exec, inst, span, mask, false, true) : keep_as(exec, inst, span, mask, false, false);
}

void sim_joint_flush(SimExec *exec) {
  for (int i = 0; i < SIM_JOINT_WORDS; i++) bring(&exec->joint_words[i]);
  flush_copy(exec);
}
