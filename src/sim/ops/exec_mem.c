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

// Where each lane's bytes are from span->origin on: the addresses, or for storage of their own also which lane it is.
static const uint64_t *places(SimExec *exec, const SimSpan *span) {
  if (!span->stride) return exec->addr;
  for (uint64_t i = 0; i < SIM_LANES; i++) exec->strided[i] = exec->addr[i] + i * span->stride;
  return exec->strided;
}

// ---- moving bytes --------------------------------------------------------------------------------------------------

#define GATHER(To, From, Mid)                                   \
  do {                                                          \
    To *to_ = (To *)(void *)dst;                                \
    From v_;                                                    \
    if (mask == SIM_FULL) {                                     \
      for (int i = 0; i < SIM_LANES; i++) {                     \
        memcpy(&v_, (const void *)(origin + at[i]), sizeof v_); \
        to_[i] = (To)(Mid)v_;                                   \
      }                                                         \
    } else {                                                    \
      SIM_FOR_LANES(i, mask) {                                  \
        memcpy(&v_, (const void *)(origin + at[i]), sizeof v_); \
        to_[i] = (To)(Mid)v_;                                   \
      }                                                         \
    }                                                           \
  } while (0)

static void load_signed(uint8_t *dst, const SimMem *m, uintptr_t origin, const uint64_t *at, uint32_t mask) {
  switch ((SimExtend)m->extend) {
  case SIM_EXT_S8_16: GATHER(uint32_t, int8_t, uint16_t); break;
  case SIM_EXT_S8_32: GATHER(uint32_t, int8_t, int32_t); break;
  case SIM_EXT_S16_32: GATHER(uint32_t, int16_t, int32_t); break;
  case SIM_EXT_S8_64: GATHER(uint64_t, int8_t, int64_t); break;
  case SIM_EXT_S16_64: GATHER(uint64_t, int16_t, int64_t); break;
  default: GATHER(uint64_t, int32_t, int64_t); break;
  }
}

static void load_element(uint8_t *dst, int dst_bytes, const SimMem *m, uintptr_t origin, const uint64_t *at,
                         uint32_t mask) {
  if (m->extend != SIM_EXT_ZERO) { load_signed(dst, m, origin, at, mask); return; }
  if (dst_bytes == 4) {
    switch (m->elem) {
    case 1: GATHER(uint32_t, uint8_t, uint32_t); break;
    case 2: GATHER(uint32_t, uint16_t, uint32_t); break;
    default: GATHER(uint32_t, uint32_t, uint32_t); break;
    }
    return;
  }
  switch (m->elem) {
  case 1: GATHER(uint64_t, uint8_t, uint64_t); break;
  case 2: GATHER(uint64_t, uint16_t, uint64_t); break;
  case 4: GATHER(uint64_t, uint32_t, uint64_t); break;
  default: GATHER(uint64_t, uint64_t, uint64_t); break;
  }
}

static bool is_block(const SimMem *m, const SimSpan *span, const SimFit *fit, uint32_t mask) {
  return fit->contiguous && mask == SIM_FULL && !span->stride && m->vec == 1 && m->elem == m->data_bytes[0];
}

// Tiles of 16 x 16 threads: each half of the warp loads a row, or one value.
static bool load_halves(SimExec *exec, const SimMem *m, const SimSpan *span, const SimFit *fit, uint32_t mask) {
  if (!(fit->half_contiguous || fit->half_uniform) || m->vec != 1 || m->width != 4 || m->data_bytes[0] != 4 ||
      mask != SIM_FULL ||
      span->stride)
    return false;
  uint32_t *to = sim_u32(exec->regs, m->data[0]), first, second;
  const void *low = (const void *)(span->origin + exec->addr[0]), *high = (const void *)(span->origin + exec->addr[16]);
  if (fit->half_contiguous) {
    memcpy(to, low, 64);
    memcpy(to + 16, high, 64);
    return true;
  }
  memcpy(&first, low, 4);
  memcpy(&second, high, 4);
  for (int i = 0; i < 16; i++) to[i] = first;
  for (int i = 16; i < 32; i++) to[i] = second;
  return true;
}

// The addresses are taken already, so a load may overwrite the register of its own address.
static void load_all(SimExec *exec, const SimMem *m, const SimSpan *span, const SimFit *fit, uint32_t mask) {
  if (is_block(m, span, fit, mask)) {
    memcpy(exec->regs + m->data[0], (const void *)(span->origin + exec->addr[0]), (size_t)m->elem * SIM_LANES);
    return;
  }
  if (load_halves(exec, m, span, fit, mask)) return;
  const uint64_t *at = places(exec, span);
  for (int k = 0; k < m->vec; k++) {
    uint8_t *dst = exec->regs + m->data[k];
    uintptr_t origin = span->origin + (uintptr_t)(k * m->elem);
    bool plain = m->extend == SIM_EXT_ZERO && m->elem == m->data_bytes[k] && fit->inside;
    if (plain && m->elem == 4) exec->lane_ops->gather32(sim_u32(dst, 0), origin, at, mask);
    else if (plain && m->elem == 8) exec->lane_ops->gather64(sim_u64(dst, 0), origin, at, mask);
    else load_element(dst, m->data_bytes[k], m, origin, at, mask);
  }
}

#define SCATTER(From, To)                                                                  \
  do {                                                                                     \
    const From *from_ = (const From *)(const void *)src;                                   \
    if (mask == SIM_FULL) {                                                                \
      for (int i = 0; i < SIM_LANES; i++) { To v_ = (To)from_[i]; memcpy((void *)(origin + at[i]), &v_, sizeof v_); } \
    } else {                                                                               \
      SIM_FOR_LANES(i, mask) { To v_ = (To)from_[i]; memcpy((void *)(origin + at[i]), &v_, sizeof v_); } \
    }                                                                                      \
  } while (0)

static void store_element(const uint8_t *src, int src_bytes, int elem, uintptr_t origin, const uint64_t *at,
                          uint32_t mask) {
  if (src_bytes == 4) {
    switch (elem) {
    case 1: SCATTER(uint32_t, uint8_t); break;
    case 2: SCATTER(uint32_t, uint16_t); break;
    default: SCATTER(uint32_t, uint32_t); break;
    }
    return;
  }
  switch (elem) {
  case 1: SCATTER(uint64_t, uint8_t); break;
  case 2: SCATTER(uint64_t, uint16_t); break;
  case 4: SCATTER(uint64_t, uint32_t); break;
  default: SCATTER(uint64_t, uint64_t); break;
  }
}

// While looking for warps that spin: does this store change anything?
static void count_changes(SimExec *exec, const SimMem *m, const SimSpan *span, const uint64_t *at, uint32_t mask) {
  if (!exec->block.watching && exec->block.changes != exec->warp->wait_changes)
    return;   // one is enough until it jumps back
  for (int k = 0; k < m->vec; k++)
    SIM_FOR_LANES(i, mask) {
      uint64_t value = sim_lane(exec->regs, m->data[k], m->data_bytes[k], i);
      if (memcmp((const void *)(span->origin + at[i] + (uintptr_t)(k * m->elem)), &value, m->elem) != 0)
        exec->block.changes++;
    }
}

void sim_touch(SimExec *exec, SimSpan *span, uint32_t mask, int width) {
  if (!exec->hooks || !span->alloc) return;
  SIM_FOR_LANES(i, mask) {
    uint64_t first = (exec->addr[i] - span->base) / SIM_PAGE,
             last = (exec->addr[i] - span->base + (uint64_t)width - 1) / SIM_PAGE;
    for (uint64_t page = first; page <= last; page++)
      if (span->alloc->dirty[page] != exec->hooks->interval) exec->hooks->dirty(exec->hooks->owner, span->alloc, page);
  }
}

static void store_all(SimExec *exec, const SimMem *m, SimSpan *span, const SimFit *fit, uint32_t mask) {
  const uint64_t *at = places(exec, span);
  sim_touch(exec, span, mask, m->width);
  if (exec->block.alert) count_changes(exec, m, span, at, mask);
  if (is_block(m, span, fit, mask)) {
    memcpy((void *)(span->origin + at[0]), exec->regs + m->data[0], (size_t)m->elem * SIM_LANES);
    return;
  }
  for (int k = 0; k < m->vec; k++)
    store_element(exec->regs + m->data[k], m->data_bytes[k], m->elem, span->origin + (uintptr_t)(k * m->elem), at,
                  mask);
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

static void check_bytes(SimExec *exec, const SimInst *inst, const SimSpan *span, const SimFit *fit, uint32_t mask,
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
  else if (inst->kind == TRACE_STORE) store_all(exec, m, span, fit, mask);
  else load_all(exec, m, span, fit, mask);
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
    if (span.init && exec->checks) check_bytes(exec, inst, &span, &none, inside, space);
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
  if (exec->block.async_copies && inst->kind != TRACE_LOAD && exec->checks & SIM_CHECK_RACE)
    sim_async_copy_store(exec, inst, mask, space);
  if (span->alloc && exec->owner_number && !sim_ownership_claim(exec, inst, span, fit, mask)) return false;
  if (span->alloc && span->alloc == exec->memory->heap) sim_heap_check(exec, inst, mask, space);
  if (m->later) { start_later(exec, inst, span, fit, mask, space, generic); return true; }
  bool may_race = span->alloc && exec->checks & SIM_CHECK_RACE;
  if (may_race && !atom) sim_races_access(exec, inst, span, fit, mask);
  if (m->how & SIM_VOLATILE) exec->unchanged = unchanged_lanes(exec, inst, span, mask);
  if (span->alloc && span->alloc->cover && inst->kind != TRACE_LOAD) sim_coverage_store(exec, inst, span, fit, mask);
  check_store(exec, inst, mask, space);
  move_bytes(exec, inst, span, fit, mask);
  if (atom) sim_atom_emit(exec, inst, mask, space, generic);
  if (may_race && atom) sim_races_access(exec, inst, span, fit, mask);
  if (exec->checks) check_bytes(exec, inst, span, fit, mask, space);
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
  memcpy(generic, exec->addr, sizeof generic);
  for (int space = 0; space < TRACE_SPACE_COUNT; space++) {
    uint32_t lanes = lanes_of_space(mask, (TraceSpace)space, generic, addr);
    if (!lanes) continue;
    for (uint32_t i = 0; i < SIM_LANES; i++) exec->addr[i] = addr[lanes >> i & 1 ? i : (uint32_t)__builtin_ctz(lanes)];
    if (!access_space(exec, inst, lanes, (TraceSpace)space, true)) return false;
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
    exec->block.charged += 15;   // it is slow, and what endless loops do
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
  const SimMem *m = inst->more;
  if (sim_wants_event(exec)) {
    for (int i = 0; i < SIM_LANES; i++) exec->addr[i] = (uint64_t)m->offset;
    emit_access(exec, inst, mask, TRACE_PARAM, false);
  } else {
    sim_skip_event(exec);
  }
  uint64_t value = 0;
  memcpy(&value, exec->program->params + m->offset, m->elem);
  if (m->elem == 8) SIM_FOR_LANES(i, mask) sim_u64(exec->regs, m->data[0])[i] = value;
  else SIM_FOR_LANES(i, mask) sim_u32(exec->regs, m->data[0])[i] = (uint32_t)value;
  exec->pc++;
  return SIM_GO;
}
