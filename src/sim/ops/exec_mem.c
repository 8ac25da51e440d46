// exec_mem.c: loads and stores: addresses, the space they fall in, bounds, and moving the bytes.
#include <string.h>
#include "sim/check/async_copy.h"
#include "sim/check/coverage.h"
#include "sim/check/fault.h"
#include "sim/check/heap_check.h"
#include "sim/check/races.h"
#include "sim/check/shadow.h"
#include "sim/check/unchanged.h"
#include "sim/core/event.h"
#include "sim/core/ownership.h"
#include "sim/core/place.h"
#include "sim/grid/block_wait.h"
#include "sim/ops/access.h"
#include "sim/ops/shape_access.h"
#include "sim/core/form.h"

static void take_addresses(SimExec *exec, const SimMem *m, uint32_t mask) {
  exec->lane_ops->addresses(exec->regs + m->base, m->base_bytes, (uint64_t)m->offset, mask, exec->addr);
  if (!m->framed) return;
  const uint32_t *frames = exec->frames + sim_warp_index(exec) * SIM_LANES;
  for (int i = 0; i < SIM_LANES; i++) exec->addr[i] += frames[i];
}

// ---- bounds --------------------------------------------------------------------------------------------------------

static void set_span(SimSpan *span, uint8_t *bytes, uint8_t *init, uint64_t base, uint64_t size, uint64_t stride) {
  *span = (SimSpan){.bytes = bytes,
                    .init = init,
                    .base = base,
                    .size = size,
                    .stride = stride,
                    .origin = (uintptr_t)bytes - (uintptr_t)base};
}

// Down to the array that is meant, if that is known.
static bool narrow(const SimExec *exec, const SimMem *m, TraceSpace space, SimSpan *span) {
  if (!m->extent) return true;
  const SimExtent *e = &exec->program->extents[m->extent - 1];
  if (e->space != space) return true;
  if (span->alloc) return span->base == e->first;
  span->bytes += e->first;
  if (span->init) span->init += e->first;
  span->base = e->first;
  span->size = e->size;
  return true;
}

// The piece of memory that an address of a space is in; false if there is none.
static bool find_span(SimExec *exec, const SimMem *m, TraceSpace space, uint64_t addr, SimSpan *span) {
  uint64_t first_thread = (uint64_t)sim_warp_index(exec) * SIM_LANES;
  if (space == TRACE_SHARED) {
    set_span(span, exec->shared, exec->shared_init, 0, exec->program->shared_bytes, 0);
  } else if (space == TRACE_LOCAL) {
    uint64_t at = first_thread * exec->program->local_bytes;
    set_span(span, exec->local + at, exec->local_init + at, 0, exec->program->local_bytes, exec->program->local_bytes);
  } else if (space == TRACE_PARAM && m->lane_private) {
    set_span(span, exec->lane_params + first_thread * exec->program->lane_param_bytes, NULL, 0,
             exec->program->lane_param_bytes, exec->program->lane_param_bytes);
  } else if (space == TRACE_PARAM) {
    set_span(span, exec->program->params, NULL, 0, exec->program->param_bytes, 0);
  } else {
    SimAlloc *a = exec->last_alloc;
    if (!a || addr - a->base >= a->size) a = sim_alloc_at(exec->memory, addr);
    if (!a || a->image || a->hidden) return false;
    exec->last_alloc = a;
    set_span(span, a->bytes, a->init, a->base, a->size, 0);
    span->alloc = a;
  }
  return narrow(exec, m, space, span);
}

static uint64_t first_addr(const SimExec *exec, uint32_t mask) { return exec->addr[__builtin_ctz(mask)]; }

// The usual case: all lanes are inside the piece of memory that the first one is in.
static bool all_inside(SimExec *exec, const SimMem *m, uint32_t mask, TraceSpace space, SimSpan *span, SimFit *fit) {
  *fit = (SimFit){0};
  if (!find_span(exec, m, space, first_addr(exec, mask), span)) return false;
  exec->lane_ops->fit(exec->addr, span->base, span->size, m->width, fit);
  return fit->inside;
}

static uint32_t lanes_inside(const SimExec *exec, const SimMem *m, uint32_t mask, const SimSpan *span) {
  uint32_t inside = 0;
  SIM_FOR_LANES(i, mask) {
    uint64_t offset = exec->addr[i] - span->base;
    if (offset < span->size && m->width <= span->size - offset) inside |= 1u << i;
  }
  return inside;
}

// ---- one access ----------------------------------------------------------------------------------------------------

// Tells the event of an access and, if it is a bad one, the fault. False: the run is over.
static void emit_access(SimExec *exec, const SimInst *inst, uint32_t mask, TraceSpace space, bool generic) {
  if (!sim_wants_event(exec)) { sim_skip_event(exec); return; }
  const SimMem *m = inst->more;
  TraceEvent *e = sim_event(exec, inst, mask);
  e->space = (uint8_t)space;
  e->width = m->width;
  e->addr = exec->addr;
  if (generic) e->flags |= TRACE_GENERIC_ACCESS;
  sim_emit(exec);
}

// All lanes of all warps have the same address.
static void emit_param(SimExec *exec, const SimInst *inst, uint32_t mask) {
  static const uint64_t apart[SIM_LANES];
  const SimMem *m = inst->more;
  if (!sim_wants_event(exec)) { sim_skip_event(exec); return; }
  exec->lane_ops->moved(exec->addr, apart, (uint64_t)m->offset);
  TraceEvent *e = sim_event(exec, inst, mask);
  e->space = TRACE_PARAM;
  e->width = m->width;
  e->addr = exec->addr;
  e->shape = mask == SIM_FULL;
  if (exec->sums_up) sim_emit_summed(exec); else sim_emit(exec);   // nobody sums parameters
}

static void fault_at(SimExec *exec, const SimInst *inst, FaultKind kind, uint32_t lanes, TraceSpace space) {
  const SimMem *m = inst->more;
  sim_fault(exec, &(SimFaultPlace){.kind = kind,
                                   .mask = lanes,
                                   .space = space,
                                   .addr = exec->addr[__builtin_ctz(lanes)],
                                   .size = m->width,
                                   .has_addr = true,
                                   .writes = inst->kind != TRACE_LOAD});
}

// Lanes that load what another one does need no look of their own.
// The last ones are kept: what a lane may write while others read it is mostly lane 0's.
static uint32_t distinct_lanes(const SimExec *exec, const SimFit *fit, const SimInst *inst, uint32_t mask) {
  if (inst->kind != TRACE_LOAD || mask != SIM_FULL || exec->warp->stored > exec->warp->lanes_met) return mask;
  if (fit->half_uniform) return fit->halves_agree ? 0x80000000 : 0x80008000;
  return fit->half_contiguous && fit->halves_agree ? 0xffff0000 : mask;
}

// A store is judged before its bytes are moved: one of what is there already is no race with another one.
static void check_store(SimExec *exec, const SimInst *inst, uint32_t mask, TraceSpace space) {
  if (inst->kind != TRACE_STORE || space != TRACE_SHARED || !(exec->checks & SIM_CHECK_RACE)) return;
  sim_shadow_access(exec, inst, mask, true);
}

void sim_access_check_bytes(SimExec *exec, const SimInst *inst, const SimSpan *span, const SimFit *fit, uint32_t mask,
                            TraceSpace space) {
  uint32_t checks = exec->checks;
  if (checks & SIM_CHECK_INIT && span->init) sim_shadow_init(exec, inst, mask, space, span, fit);
  if (!(checks & SIM_CHECK_RACE) || span->stride) return;
  if (space == TRACE_SHARED && inst->kind != TRACE_STORE)
    sim_shadow_access(exec, inst, distinct_lanes(exec, fit, inst, mask), inst->kind != TRACE_LOAD);
  if (inst->kind == TRACE_STORE && !fit->contiguous) sim_shadow_same(exec, inst, mask, space, span);
}

static void move_bytes(SimExec *exec, const SimInst *inst, SimSpan *span, const SimFit *fit, uint32_t mask) {
  const SimMem *m = inst->more;
  if (inst->kind == TRACE_ATOM && m->vec > 1) sim_atom_vectors(exec, inst, span, mask);
  else if (inst->kind == TRACE_ATOM) sim_atom_lanes(exec, inst, span, mask);
  else if (inst->kind == TRACE_STORE) sim_store_all(exec, m, span, fit, mask);
  else sim_load_all(exec, m, span, fit, mask);
}

// Lanes in several allocations, or outside of all. False after a fault.
static bool access_slowly(SimExec *exec, const SimInst *inst, uint32_t mask, TraceSpace space) {
  static const SimFit none = {0};
  for (uint32_t left = mask, inside; left; left &= ~inside) {
    SimSpan span = {0};
    bool found = find_span(exec, inst->more, space, first_addr(exec, left), &span);
    inside = found ? lanes_inside(exec, inst->more, left, &span) : 0;
    if (!inside) {
      if (inst->kind == TRACE_ATOM) emit_access(exec, inst, mask, space, false);
      fault_at(exec, inst, FAULT_OUT_OF_BOUNDS, left & (0 - left), space);
      return false;
    }
    if (span.alloc && exec->owner_number && !sim_ownership_claim(exec, inst, &span, &none, inside)) return false;
    if (span.alloc && span.alloc->cover && inst->kind != TRACE_LOAD) sim_coverage_store(exec, inst, &span, &none, inside);
    if (span.alloc && span.alloc == exec->memory->heap) sim_heap_check(exec, inst, inside, space);
    check_store(exec, inst, inside, space);
    move_bytes(exec, inst, &span, &none, inside);
    if (span.init && exec->checks) sim_access_check_bytes(exec, inst, &span, &none, inside, space);
  }
  return true;
}

static uint32_t misaligned_lanes(const SimExec *exec, uint32_t mask, int width) {
  uint32_t lanes = 0;
  SIM_FOR_LANES(i, mask) if (exec->addr[i] & (uint64_t)(width - 1)) lanes |= 1u << i;
  return lanes;
}

static bool is_read_only(const SimSpan *span, TraceSpace space) {
  return space == TRACE_CONST || (space == TRACE_PARAM && !span->stride);
}

// Lanes that store what is there already.
static uint32_t unchanged_lanes(const SimExec *exec, const SimInst *inst, const SimSpan *span, uint32_t mask) {
  const SimMem *m = inst->more;
  uint32_t lanes = 0;
  if (inst->kind != TRACE_STORE || span->stride || !(exec->checks & SIM_CHECK_RACE)) return 0;
  SIM_FOR_LANES(i, mask) if (sim_is_unchanged(exec, m, span, i)) lanes |= 1u << i;
  return lanes;
}

// The bytes of an asynchronous copy, or its change, come when somebody has waited for them.
static void start_later(SimExec *exec, const SimInst *inst, const SimSpan *span, const SimFit *fit, uint32_t mask,
                        TraceSpace space, bool generic) {
  if (inst->kind == TRACE_ATOM) {
    sim_atom_look(exec, inst, span, mask);
    sim_atom_emit(exec, inst, mask, space, generic);
    if (exec->checks & SIM_CHECK_INIT && span->init) sim_shadow_init(exec, inst, mask, space, span, fit);
  }
  sim_async_copy_start(exec, inst, mask);
}

// False: the run is over.
static bool claim_access(SimExec *exec, const SimInst *inst, uint32_t mask, SimSpan *span, const SimFit *fit,
                       TraceSpace space) {
  if (exec->block.async_copies && inst->kind != TRACE_LOAD && exec->checks & SIM_CHECK_RACE)
    sim_async_copy_store(exec, inst, mask, space);
  if (span->alloc && exec->owner_number && !sim_ownership_claim(exec, inst, span, fit, mask)) return false;
  if (span->alloc && span->alloc == exec->memory->heap) sim_heap_check(exec, inst, mask, space);
  return true;
}

static void judge_store(SimExec *exec, const SimInst *inst, uint32_t mask, SimSpan *span, const SimFit *fit,
                        TraceSpace space) {
  if (span->alloc && span->alloc->cover && inst->kind != TRACE_LOAD) sim_coverage_store(exec, inst, span, fit, mask);
  check_store(exec, inst, mask, space);
}

static bool may_race(const SimExec *exec, const SimSpan *span) { return span->alloc && exec->checks & SIM_CHECK_RACE; }

bool sim_access_judge(SimExec *exec, const SimInst *inst, uint32_t mask, SimSpan *span, const SimFit *fit,
                      TraceSpace space) {
  if (!claim_access(exec, inst, mask, span, fit, space)) return false;
  if (may_race(exec, span)) sim_races_access(exec, inst, span, fit, mask);
  judge_store(exec, inst, mask, span, fit, space);
  return true;
}

// An atomic tells its event after the fact (it has the old values in it), the others before.
bool sim_access_inside(SimExec *exec, const SimInst *inst, uint32_t mask, SimSpan *span, const SimFit *fit,
                       TraceSpace space, bool generic) {
  const SimMem *m = inst->more;
  bool atom = inst->kind == TRACE_ATOM;
  if (!atom || !fit->aligned) emit_access(exec, inst, mask, space, generic);
  if (!fit->aligned) {
    fault_at(exec, inst, FAULT_MISALIGNED, misaligned_lanes(exec, mask, m->width), space);
    return false;
  }
  if (inst->kind != TRACE_LOAD && is_read_only(span, space)) {
    sim_fault(exec, &(SimFaultPlace){
                       .kind = FAULT_OUT_OF_BOUNDS, .mask = mask, .text = "a write to memory that is read-only"});
    return false;
  }
  if (inst->shaped) sim_shape_learn(exec, inst, mask, span, fit, space, generic);
  if (!claim_access(exec, inst, mask, span, fit, space)) return false;
  if (m->later) { start_later(exec, inst, span, fit, mask, space, generic); return true; }
  if (may_race(exec, span) && !atom) sim_races_access(exec, inst, span, fit, mask);
  if (m->how & SIM_VOLATILE) exec->unchanged = unchanged_lanes(exec, inst, span, mask);
  judge_store(exec, inst, mask, span, fit, space);
  move_bytes(exec, inst, span, fit, mask);
  if (atom) sim_atom_emit(exec, inst, mask, space, generic);
  if (may_race(exec, span) && atom) sim_races_access(exec, inst, span, fit, mask);
  if (exec->checks) sim_access_check_bytes(exec, inst, span, fit, mask, space);
  return true;
}

static bool access_space(SimExec *exec, const SimInst *inst, uint32_t mask, TraceSpace space, bool generic);

// Not all lanes are in the array that is meant. If they are somewhere else a device would go on, and so does this.
static bool access_strays(SimExec *exec, const SimInst *inst, uint32_t mask, TraceSpace space, bool generic) {
  const SimMem *m = inst->more;
  SimMem anywhere = *m;
  SimInst access = *inst;
  uint32_t stray = 0;
  uint64_t addr[SIM_LANES];
  memcpy(addr, exec->addr, sizeof addr);
  anywhere.extent = 0;
  access.more = &anywhere;
  access.shaped = false;   // the next one is to be looked at as closely
  if (!access_space(exec, &access, mask, space, generic)) return false;
  const SimExtent *e = &exec->program->extents[m->extent - 1];
  SIM_FOR_LANES(i, mask)
    if (addr[i] < e->first || e->size < m->width || addr[i] - e->first > e->size - m->width) stray |= 1u << i;
  if (stray && e->space == space && exec->checks & SIM_CHECK_MEMORY)
    sim_fault(exec, &(SimFaultPlace){.kind = FAULT_OUT_OF_BOUNDS, .mask = stray, .space = space, .extent = m->extent,
                                     .addr = addr[__builtin_ctz(stray)], .size = m->width, .has_addr = true,
                                     .writes = inst->kind != TRACE_LOAD, .goes_on = true});
  return true;
}

static bool access_space(SimExec *exec, const SimInst *inst, uint32_t mask, TraceSpace space, bool generic) {
  SimSpan span;
  SimFit fit;
  const SimMem *m = inst->more;
  if (all_inside(exec, m, mask, space, &span, &fit))
    return sim_access_inside(exec, inst, mask, &span, &fit, space, generic);
  if (m->extent) return access_strays(exec, inst, mask, space, generic);
  uint32_t misaligned = misaligned_lanes(exec, mask, m->width);
  if (inst->kind != TRACE_ATOM || misaligned) emit_access(exec, inst, mask, space, generic);
  if (misaligned) fault_at(exec, inst, FAULT_MISALIGNED, misaligned, space);
  if (misaligned || !access_slowly(exec, inst, mask, space)) return false;
  if (inst->kind == TRACE_ATOM) sim_atom_emit(exec, inst, mask, space, generic);
  return true;
}

static uint32_t lanes_of_space(uint32_t mask, TraceSpace space, const uint64_t *generic, uint64_t *addr) {
  uint32_t lanes = 0;
  SIM_FOR_LANES(i, mask) if (sim_classify(generic[i], &addr[i]) == space) lanes |= 1u << i;
  return lanes;
}

// Lanes of one generic access may be in different spaces: one event for each.
static bool access_mixed(SimExec *exec, const SimInst *inst, uint32_t mask) {
  uint64_t generic[SIM_LANES], addr[SIM_LANES];
  SimInst access = *inst;
  access.shaped = false;   // of lanes of one space
  memcpy(generic, exec->addr, sizeof generic);
  for (int space = 0; space < TRACE_SPACE_COUNT; space++) {
    uint32_t lanes = lanes_of_space(mask, (TraceSpace)space, generic, addr);
    if (!lanes) continue;
    for (uint32_t i = 0; i < SIM_LANES; i++) exec->addr[i] = addr[lanes >> i & 1 ? i : (uint32_t)__builtin_ctz(lanes)];
    if (!access_space(exec, &access, lanes, (TraceSpace)space, true)) return false;
  }
  return true;
}

// Tried as an access to the space of the first lane's address; if not all are in it, each goes its way.
static bool access_generic(SimExec *exec, const SimInst *inst, uint32_t mask) {
  uint64_t offset, first = first_addr(exec, mask);
  TraceSpace space = sim_classify(first, &offset);
  SimSpan span;
  SimFit fit;
  if (first != offset) for (int i = 0; i < SIM_LANES; i++) exec->addr[i] -= first - offset;
  if (all_inside(exec, inst->more, mask, space, &span, &fit))
    return sim_access_inside(exec, inst, mask, &span, &fit, space, true);
  if (first != offset) for (int i = 0; i < SIM_LANES; i++) exec->addr[i] += first - offset;
  return access_mixed(exec, inst, mask);
}

SimNext sim_exec_mem(SimExec *exec, const SimInst *inst, uint32_t mask) {
  const SimMem *m = inst->more;
  exec->reported_pc = sim_reported_pc(exec, exec->warp, exec->group, exec->pc);
  take_addresses(exec, m, mask);
  if (m->acquire || m->release) sim_shadow_fence(exec, !(m->how & SIM_BLOCK_SCOPE));
  if (m->how & SIM_STRONG) {
    exec->block.charged += SIM_STRONG_COST;
    sim_shadow_strong(exec, inst, mask);
    if (exec->program->shares) sim_wait_strong(exec, inst, mask);
  }
  bool ok = m->space == PTX_GENERIC ? access_generic(exec, inst, mask)
                                    : access_space(exec, inst, mask, sim_space_of((PtxSpace)m->space), false);
  if (!ok) return SIM_YIELD;
  if (m->acquire) sim_shadow_fence(exec, !(m->how & SIM_BLOCK_SCOPE));
  exec->pc++;
  return SIM_GO;
}

// The parameters of the kernel: the same for all lanes, and known to be inside.
SimNext sim_exec_param(SimExec *exec, const SimInst *inst, uint32_t mask) {
  emit_param(exec, inst, mask);
  inst->op.run(exec->regs, &inst->op, mask);
  exec->pc++;
  return SIM_GO;
}
