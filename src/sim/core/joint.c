// joint.c: sums that a worker keeps back, in a table by address; what is in the way comes to memory.
#include "sim/core/joint.h"
#include <stdatomic.h>

bool sim_joint_is_kept(const SimMem *m) {
  bool is_word = (m->elem == 4 || m->elem == 8) && !m->narrow_operand && !ptx_type_is_float((PtxType)m->type);
  return is_word && (m->op == PTX_AT_ADD || m->op == PTX_AT_XOR);
}

static void bring(SimJointWord *w) {
  if (!w->at) return;
  if (w->elem == 8 && w->is_xor) atomic_fetch_xor((_Atomic uint64_t *)w->at, w->by);
  else if (w->elem == 8) atomic_fetch_add((_Atomic uint64_t *)w->at, w->by);
  else if (w->is_xor) atomic_fetch_xor((_Atomic uint32_t *)w->at, (uint32_t)w->by);
  else atomic_fetch_add((_Atomic uint32_t *)w->at, (uint32_t)w->by);
  w->at = NULL;
}

void sim_joint_keep(SimExec *exec, const SimMem *m, uintptr_t origin, uint32_t mask) {
  bool is_xor = m->op == PTX_AT_XOR;
  uint64_t changes = 0;
  SIM_FOR_LANES(i, mask) {
    uintptr_t at = origin + exec->addr[i];
    uint64_t b = sim_lane(exec->regs, m->operand, m->elem, i);
    SimJointWord *w = &exec->joint_words[at / 4 % SIM_JOINT_WORDS];
    if (w->at != (void *)at) {
      bring(w);
      *w = (SimJointWord){.at = (void *)at, .elem = m->elem, .is_xor = is_xor};
    }
    w->by = is_xor ? w->by ^ b : w->by + b;
    changes += b != 0;
  }
  exec->block.changes += changes;
}

void sim_joint_flush(SimExec *exec) {
  for (int i = 0; i < SIM_JOINT_WORDS; i++) bring(&exec->joint_words[i]);
}
