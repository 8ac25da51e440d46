// exec_atom.c: atom and red: one lane after another, in order of lanes.
#include <stdatomic.h>
#include <string.h>
#include "sim/check/coverage.h"
#include "sim/check/races.h"
#include "sim/check/shadow.h"
#include "sim/core/event.h"
#include "sim/core/integer_atom.h"
#include "sim/core/joint.h"
#include "sim/core/ownership.h"
#include "sim/core/place.h"
#include "sim/core/slots.h"
#include "sim/core/sums.h"
#include "sim/grid/block_wait.h"
#include "sim/ops/access.h"
#include "sim/ops/atom_loops.h"
#include "sim/ops/barrier.h"

// The sum of two halves is exact in single precision or a value whose rounding to half is not changed by the first
// rounding (24 bits are more than twice 11 plus 2).
static uint16_t add_f16(uint16_t a, uint16_t b) { return sim_f32_to_f16(sim_f16_to_f32(a) + sim_f16_to_f32(b)); }

static float bf16_value(uint16_t h) {
  uint32_t bits = (uint32_t)h << 16;
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

// 24 bits are more than twice 8 plus 2 as well.
static uint16_t add_bf16(uint16_t a, uint16_t b) {
  float sum = bf16_value(a) + bf16_value(b);
  uint32_t bits;
  memcpy(&bits, &sum, sizeof bits);
  if (sum != sum) return 0x7fff;
  return (uint16_t)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

static uint64_t atom_add(PtxType type, uint64_t old, uint64_t b) {
  switch (type) {
  case PTX_F32: return sim_atom_sum32((uint32_t)old, (uint32_t)b);
  case PTX_F64: return sim_atom_sum64(old, b);
  case PTX_F16: return add_f16((uint16_t)old, (uint16_t)b);
  case PTX_F16X2:
    return add_f16((uint16_t)old, (uint16_t)b) | (uint32_t)add_f16((uint16_t)(old >> 16), (uint16_t)(b >> 16)) << 16;
  case PTX_BF16: return add_bf16((uint16_t)old, (uint16_t)b);
  case PTX_BF16X2:
    return add_bf16((uint16_t)old, (uint16_t)b) | (uint32_t)add_bf16((uint16_t)(old >> 16), (uint16_t)(b >> 16)) << 16;
  default: return old + b;
  }
}

static uint64_t atom_one(const SimMem *m, uint64_t old, uint64_t b, uint64_t compare) {
  PtxMode op = (PtxMode)m->op;
  if (m->op >= SIM_MBAR_LOOK) return sim_mbarrier_change(m->op, old, b);
  if (op == PTX_AT_CAS) return old == compare ? b : old;
  if (op == PTX_AT_ADD) return atom_add((PtxType)m->type, old, b);
  return sim_integer_atom(op, (PtxType)m->type, old, b);
}

// On a word that other threads change at the same time. The old value is none that anybody may see.
static void atom_joint(SimExec *exec, const SimMem *m, void *at, uint64_t b) {
  if (m->elem == 8) {
    uint64_t old = atomic_load((_Atomic uint64_t *)at), now;
    do now = atom_one(m, old, b, 0); while (!atomic_compare_exchange_weak((_Atomic uint64_t *)at, &old, now));
    exec->block.changes += now != old;
  } else {
    uint32_t old = atomic_load((_Atomic uint32_t *)at), now;
    do now = (uint32_t)atom_one(m, old, b, 0); while (!atomic_compare_exchange_weak((_Atomic uint32_t *)at, &old, now));
    exec->block.changes += now != old;
  }
}

// For the event, which tells operands and old values of all types alike.
static void widen(const SimExec *exec, uint64_t to[SIM_LANES], const void *from, int bytes) {
  if (bytes == 8) memcpy(to, from, sizeof *to * SIM_LANES);
  else exec->lane_ops->widen(to, from);
}

// A register that no instruction uses may keep what it has, unless somebody looks at registers: a replay, a state on
// a path, or whoever asks whether lanes go round for ever.
static bool is_unseen(const SimExec *exec, const SimMem *m) {
  return m->data[0] == SIM_NO_SLOT || (m->unused && exec->program->straight && !exec->hooks);
}

// Additions and XOR change a word if and only if the operand is not 0.
static uint32_t nonzero(const SimExec *exec, const SimMem *m) {
  const void *operand = exec->regs + m->operand;
  return m->elem == 8 ? exec->lane_ops->nonzero64(operand) : exec->lane_ops->nonzero32(operand);
}

// Of an event, or of one in a line (atoms). Operands are looked at before old values may take their place.
static inline void tell_operands(SimExec *exec, const SimMem *m, TraceAtoms *atoms) {
  const uint8_t *operand = exec->regs + m->operand;
  if (!atoms) { widen(exec, exec->value, operand, m->elem); return; }
  memcpy(atoms->addr, exec->addr, sizeof atoms->addr);
  memcpy(atoms->operand, operand, sizeof atoms->operand);
}

static inline void tell_old(SimExec *exec, const SimMem *m, TraceAtoms *atoms, const void *old) {
  if (atoms) memcpy(atoms->old, old, sizeof atoms->old); else widen(exec, exec->result, old, m->elem);
}

// Old values go straight to their register. atoms: where it is told, as part of a line; NULL.
static inline void run_loop(SimExec *exec, const SimMem *m, const SimSpan *span, uint32_t mask, TraceAtoms *atoms) {
  uint64_t unwanted[SIM_LANES];
  bool is_cas = m->op == PTX_AT_CAS, is_wanted = m->data[0] != SIM_NO_SLOT;
  bool is_told = sim_wants_event(exec) && !sim_is_summed(exec);
  SimAtomLoop loop = m->quiet_loop && !is_told && is_unseen(exec, m) ? m->quiet_loop : m->loop;
  SimAtomRun run = {.origin = span->origin, .at = exec->addr, .mask = mask, .operand = exec->regs + m->operand,
                    .compare = exec->regs + (is_cas ? m->compare : m->operand),
                    .old = is_wanted ? exec->regs + m->data[0] : (uint8_t *)unwanted};
  if (is_told) tell_operands(exec, m, atoms);
  if (m->quiet_loop) run.changed = nonzero(exec, m) & mask;
  loop(&run);
  if (is_told) tell_old(exec, m, atoms, run.old);
  exec->block.changes += run.changed != 0;
  if (is_cas) exec->only_looked = mask & ~run.changed;
}

static void add_to_copy(SimExec *exec, const SimMem *m, uint32_t mask) {
  SimAtomRun run = {.origin = exec->joint_copy.origin, .at = exec->addr, .mask = mask,
                    .operand = exec->regs + m->operand};
  m->quiet_loop(&run);
  exec->block.changes += (nonzero(exec, m) & mask) != 0;
}

void sim_atom_lanes(SimExec *exec, const SimInst *inst, SimSpan *span, uint32_t mask) {
  const SimMem *m = inst->more;
  int slot_bytes = m->elem == 8 ? 8 : 4;
  bool is_joint = exec->joint && sim_is_worker(exec) && span->alloc;
  exec->only_looked = 0;
  if (is_joint && exec->kept) {
    if (exec->copied_to) add_to_copy(exec, m, mask);
    return;
  }
  sim_touch(exec, span, mask, m->width);
  if (m->loop && !is_joint && !span->stride) { run_loop(exec, m, span, mask, NULL); return; }
  SIM_FOR_LANES(i, mask) {
    uint8_t *at = span->bytes + (exec->addr[i] - span->base) + i * span->stride;
    uint64_t old = 0, b = sim_lane(exec->regs, m->operand, m->narrow_operand ? 4 : slot_bytes, i), compare = 0;
    if (is_joint) {
      atom_joint(exec, m, at, b);
      exec->value[i] = b;
      exec->result[i] = 0;
      continue;
    }
    memcpy(&old, at, m->elem);
    if (m->op == PTX_AT_CAS) compare = sim_lane(exec->regs, m->compare, slot_bytes, i);
    if (m->elem == 2) { b = (uint16_t)b; compare = (uint16_t)compare; }
    uint64_t now = atom_one(m, old, b, compare);
    if (memcmp(at, &now, m->elem) != 0) exec->block.changes++;
    else if (m->op == PTX_AT_CAS) exec->only_looked |= 1u << i;
    memcpy(at, &now, m->elem);
    exec->value[i] = b;
    exec->result[i] = old;
  }
  if (m->data[0] == SIM_NO_SLOT) return;
  SIM_FOR_LANES(i, mask) {
    if (slot_bytes == 8) sim_u64(exec->regs, m->data[0])[i] = exec->result[i];
    else sim_u32(exec->regs, m->data[0])[i] = (uint32_t)exec->result[i];
  }
}

// What is there before a reduction that comes later (async_copy.c).
void sim_atom_look(SimExec *exec, const SimInst *inst, const SimSpan *span, uint32_t mask) {
  const SimMem *m = inst->more;
  SIM_FOR_LANES(i, mask) {
    exec->value[i] = sim_lane(exec->regs, m->operand, m->elem, i);
    exec->result[i] = 0;
    memcpy(&exec->result[i], span->bytes + (exec->addr[i] - span->base), m->elem);
  }
}

// 128 bits at once; what the event tells is of the low half.
static void atom_wide(SimExec *exec, const SimMem *m, SimSpan *span, uint32_t mask) {
  SIM_FOR_LANES(i, mask) {
    uint8_t *at = span->bytes + (exec->addr[i] - span->base) + i * span->stride;
    uint64_t old[2], now[2], compare[2];
    for (int k = 0; k < 2; k++) {
      now[k] = sim_u64(exec->regs, m->operands[k])[i];
      if (m->op == PTX_AT_CAS) compare[k] = sim_u64(exec->regs, m->compare + (uint32_t)k * SIM_HIGH_HALVES)[i];
    }
    memcpy(old, at, sizeof old);
    exec->value[i] = now[0];
    exec->result[i] = old[0];
    bool writes = m->op == PTX_AT_EXCH || memcmp(old, compare, sizeof old) == 0;
    bool changes = writes && memcmp(old, now, sizeof old) != 0;
    exec->block.changes += changes;
    if (!changes && m->op == PTX_AT_CAS) exec->only_looked |= 1u << i;
    if (writes) memcpy(at, now, sizeof now);
    for (int k = 0; k < 2 && m->data[0] != SIM_NO_SLOT; k++) sim_u64(exec->regs, m->data[k])[i] = old[k];
  }
}

// Each element by itself; what the event tells is of the first one.
void sim_atom_vectors(SimExec *exec, const SimInst *inst, SimSpan *span, uint32_t mask) {
  const SimMem *m = inst->more;
  exec->only_looked = 0;
  sim_touch(exec, span, mask, m->width);
  if (m->op != PTX_AT_ADD) { atom_wide(exec, m, span, mask); return; }
  SIM_FOR_LANES(i, mask)
    for (int k = m->vec - 1; k >= 0; k--) {
      uint8_t *at = span->bytes + (exec->addr[i] - span->base) + i * span->stride + k * m->elem;
      uint64_t old = 0, b = sim_u32(exec->regs, m->operands[k])[i];
      memcpy(&old, at, m->elem);
      uint64_t now = atom_one(m, old, b, 0);
      if (memcmp(at, &now, m->elem) != 0) exec->block.changes++;
      memcpy(at, &now, m->elem);
      if (m->data[k] != SIM_NO_SLOT) sim_u32(exec->regs, m->data[k])[i] = (uint32_t)old;
      exec->value[i] = b;
      exec->result[i] = old;
    }
}

static uint8_t flags_of(const SimMem *m) {
  bool returns_old = m->data[0] != SIM_NO_SLOT && !m->is_reduction;
  return TRACE_VALUES | (returns_old ? TRACE_RETURNS_OLD : 0);
}

static void fill_event(SimExec *exec, const SimInst *inst, uint32_t mask, TraceSpace space) {
  const SimMem *m = inst->more;
  TraceEvent *e = sim_event(exec, inst, mask);
  e->space = (uint8_t)space;
  e->width = m->width;
  e->addr = exec->addr;
  e->value = exec->value;
  e->result = exec->joint && sim_is_worker(exec) && space == TRACE_GLOBAL ? NULL : exec->result;
  e->flags |= flags_of(m);
}

void sim_atom_emit(SimExec *exec, const SimInst *inst, uint32_t mask, TraceSpace space, bool generic) {
  if (!sim_wants_event(exec)) { sim_skip_event(exec); return; }
  fill_event(exec, inst, mask, space);
  if (generic) exec->event.flags |= TRACE_GENERIC_ACCESS;
  sim_emit(exec);
}

// ---- the usual ones: words of one buffer, or of the block's own memory, and all lanes are inside -------------------

// The memory that is meant, down to the array if that is known: the block's, or what the last access that went the long
// way was in. False: that takes a closer look.
__attribute__((always_inline)) static inline bool find_words(const SimExec *exec, const SimMem *m, SimSpan *span) {
  const SimExtent *e = m->extent ? &exec->program->extents[m->extent - 1] : NULL;
  if (m->space == PTX_SHARED) {
    bool narrow = e && e->space == TRACE_SHARED;
    *span = (SimSpan){.bytes = exec->shared, .init = exec->shared_init, .size = exec->program->shared_bytes,
                      .origin = (uintptr_t)exec->shared};
    if (!narrow) return true;
    span->bytes += e->first;
    if (span->init) span->init += e->first;
    span->base = e->first;
    span->size = e->size;
    return true;
  }
  SimAlloc *a = exec->last_alloc;
  if (!a || a->image || a->hidden || a == exec->memory->heap) return false;
  *span = (SimSpan){.bytes = a->bytes, .init = a->init, .base = a->base, .size = a->size,
                    .origin = (uintptr_t)a->bytes - (uintptr_t)a->base, .alloc = a};
  return !e || e->space != TRACE_GLOBAL || a->base == e->first;
}

__attribute__((always_inline))
static inline bool reaches(SimExec *exec, const SimMem *m, const SimSpan *span, uint32_t mask) {
  SimReach within = {span->base, span->size - m->elem, (uint32_t)m->elem - 1u};
  if (span->size < m->elem) return false;
  return exec->lane_ops->reach(exec->regs + m->base, m->base_bytes, (uint64_t)m->offset, mask, &within, exec->addr);
}

// More than that all are inside is asked by those who look at rows, and of words that other threads may want.
static void find_fit(const SimExec *exec, const SimMem *m, const SimSpan *span, SimFit *fit) {
  bool may_be_row = exec->addr[SIM_LANES - 1] - exec->addr[0] == (SIM_LANES - 1) * (uint64_t)m->elem;
  *fit = (SimFit){.inside = true, .aligned = true};
  if (may_be_row || (exec->owner_number && !sim_joint_is_kept(exec, m)))
    exec->lane_ops->fit(exec->addr, span->base, span->size, m->elem, fit);
}

// What counts is told by an event that is mostly the last one, moved.
static void count_access(SimExec *exec, const SimInst *inst, TraceSpace space) {
  TraceSink *sink = exec->sink;
  TraceEvent *e = &exec->event;
  sim_skip_event(exec);
  if (!sink || !sink->access) return;
  bool is_like = e->kind == TRACE_ATOM && e->pc == inst->pc && e->addr == exec->addr &&
                 e->flags == flags_of(inst->more) && (e->active & e->mask) == SIM_FULL;
  if (!is_like) fill_event(exec, inst, SIM_FULL, space);
  e->block = exec->block.number;
  e->warp = (uint16_t)sim_warp_index(exec);
  sink->access(sink, e);
}

// An addition, or the like, of a whole warp: where nobody looks at old values. False: somebody does.
__attribute__((always_inline)) static inline bool add_quietly(SimExec *exec, const SimInst *inst, const SimSpan *span,
                                                              uint32_t mask, TraceSpace space) {
  const SimMem *m = inst->more;
  if (!exec->bare || !m->quiet_loop || !is_unseen(exec, m) || mask != SIM_FULL) return false;
  SimAtomRun run = {.origin = span->origin, .at = exec->addr, .mask = mask, .operand = exec->regs + m->operand};
  m->quiet_loop(&run);
  exec->block.changes += nonzero(exec, m) != 0;
  count_access(exec, inst, space);
  return true;
}

static inline void change(SimExec *exec, const SimInst *inst, SimSpan *span, uint32_t mask, TraceSpace space) {
  const SimMem *m = inst->more;
  exec->only_looked = 0;
  if (exec->joint || exec->hooks) sim_atom_lanes(exec, inst, span, mask);
  else if (add_quietly(exec, inst, span, mask, space)) return;
  else run_loop(exec, m, span, mask, NULL);
  sim_atom_emit(exec, inst, mask, space, false);
}

// The same in a line that is told as one. Those that look at accesses only count.
static void change_in_line(SimExec *exec, const SimInst *inst, SimSpan *span, uint32_t mask, TraceSpace space) {
  const SimMem *m = inst->more;
  if (m->elem != 4 || mask != SIM_FULL || exec->joint) {
    sim_line_pass(exec);
    change(exec, inst, span, mask, space);
    return;
  }
  TraceAtoms *atoms;
  TraceAct *act = sim_line_atoms(exec, inst, &atoms);
  act->flags = flags_of(m);
  act->space = (uint8_t)space;
  act->width = m->width;
  exec->only_looked = 0;
  run_loop(exec, m, span, mask, atoms);
  sim_skip_event(exec);
  if (!exec->sink->access) return;
  fill_event(exec, inst, mask, space);
  exec->sink->access(exec->sink, &exec->event);
}

// ---- those that are only counted -----------------------------------------------------------------------------------

// Nobody looks at an access of the block: no checks, no other thread, no trace.
static bool is_only_counted(const SimExec *exec) {
  return exec->looks == SIM_LOOKS_ALWAYS && !exec->program->shares && !exec->block.async_copies;
}

// Where that is all that there is to do. False: it is more.
static bool is_added(SimExec *exec, const SimInst *inst, uint32_t mask) {
  const SimMem *m = inst->more;
  SimSpan span;
  if (!is_only_counted(exec) || !m->quiet_loop || !find_words(exec, m, &span)) return false;
  if ((span.alloc && span.alloc->cover) || !reaches(exec, m, &span, mask)) return false;
  if (!add_quietly(exec, inst, &span, mask, m->space == PTX_SHARED ? TRACE_SHARED : TRACE_GLOBAL)) return false;
  exec->block.charged += SIM_STRONG_COST;
  exec->pc++;
  return true;
}

SimNext sim_exec_atom_together(SimExec *exec, const SimInst *inst, uint32_t mask) {
  sim_catch_up(exec, inst->pc);
  return is_added(exec, inst, mask) ? SIM_GO : sim_exec_atom(exec, inst, mask);
}

// ---- all others ----------------------------------------------------------------------------------------------------

static SimNext exec_elsewhere(SimExec *exec, const SimInst *inst, uint32_t mask) {
  sim_line_pass(exec);
  return sim_exec_mem(exec, inst, mask);
}

// In a line or by itself.
SimNext sim_exec_atom(SimExec *exec, const SimInst *inst, uint32_t mask) {
  const SimMem *m = inst->more;
  bool is_told = exec->line.from >= 0;
  TraceSpace space = m->space == PTX_SHARED ? TRACE_SHARED : TRACE_GLOBAL;
  SimSpan span;
  SimFit fit;
  sim_catch_up(exec, inst->pc);
  if (exec->block.async_copies || !find_words(exec, m, &span) || !reaches(exec, m, &span, mask))
    return exec_elsewhere(exec, inst, mask);
  exec->reported_pc = sim_reported_pc(exec, exec->warp, exec->group, exec->pc);
  exec->block.charged += SIM_STRONG_COST;
  sim_shadow_strong(exec, inst, mask);
  if (exec->program->shares) sim_wait_strong(exec, inst, mask);
  find_fit(exec, m, &span, &fit);
  if (span.alloc && exec->owner_number && !sim_ownership_claim(exec, inst, &span, &fit, mask)) return SIM_YIELD;
  if (span.alloc && span.alloc->cover) sim_coverage_store(exec, inst, &span, &fit, mask);
  if (is_told) change_in_line(exec, inst, &span, mask, space); else change(exec, inst, &span, mask, space);
  exec->line.is_ahead = is_told;   // a fault is told behind it
  if (span.alloc && exec->checks & SIM_CHECK_RACE) sim_races_access(exec, inst, &span, &fit, mask);
  if (exec->checks) sim_access_check_bytes(exec, inst, &span, &fit, mask, space);
  exec->line.is_ahead = false;
  exec->pc++;
  return SIM_GO;
}
