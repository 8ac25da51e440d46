// exec_mem.c: loads and stores: addresses, the space they fall in, bounds, and moving the bytes.
#include "sim/internal.h"

static TraceSpace space_of(PtxSpace space) {
  switch (space) {
  case PTX_SHARED: return TRACE_SHARED;
  case PTX_LOCAL: return TRACE_LOCAL;
  case PTX_CONST: return TRACE_CONST;
  case PTX_PARAM: return TRACE_PARAM;
  default: return TRACE_GLOBAL;
  }
}

static void take_addresses(Sim *sim, const SimMem *m, uint32_t mask) {
  sim->lane_ops->addresses(sim->regs + m->base, m->base_bytes, (uint64_t)m->offset, mask, sim->addr);
  if (!m->framed) return;
  const uint32_t *frames = sim->frames + sim_warp_index(sim) * SIM_LANES;
  for (int i = 0; i < SIM_LANES; i++) sim->addr[i] += frames[i];
}

// ---- bounds --------------------------------------------------------------------------------------------------------

static SimSpan span_of(const Sim *sim, const SimMem *m, TraceSpace space, uint64_t *size) {
  uint64_t first_thread = (uint64_t)sim_warp_index(sim) * SIM_LANES;
  switch (space) {
  case TRACE_SHARED:
    *size = sim->shared_bytes;
    return (SimSpan){.bytes = sim->shared, .init = sim->shared_init};
  case TRACE_LOCAL:
    *size = sim->local_bytes;
    return (SimSpan){.bytes = sim->local + first_thread * sim->local_bytes, .init = sim->local_init + first_thread * sim->local_bytes,
                     .stride = sim->local_bytes};
  default:
    if (m->lane_private) {
      *size = sim->lane_param_bytes;
      return (SimSpan){.bytes = sim->lane_params + first_thread * sim->lane_param_bytes, .stride = sim->lane_param_bytes};
    }
    *size = sim->param_bytes;
    return (SimSpan){.bytes = sim->params};
  }
}

static SimSpan span_of_alloc(SimAlloc *a) { return (SimSpan){.bytes = a->bytes, .init = a->init, .base = a->base, .alloc = a}; }

// The lanes of `mask` whose access is inside what the first of them hits; *bad gets the first lane's if it hits nothing.
static uint32_t lanes_inside(Sim *sim, const SimMem *m, uint32_t mask, TraceSpace space, SimSpan *span) {
  uint64_t size;
  if (space == TRACE_GLOBAL || space == TRACE_CONST) {
    SimAlloc *a = sim_alloc_at(sim, sim->addr[__builtin_ctz(mask)]);
    if (!a) return 0;
    *span = span_of_alloc(a);
    size = a->size;
  } else {
    *span = span_of(sim, m, space, &size);
  }
  uint32_t inside = 0;
  SIM_FOR_LANES(i, mask) {
    uint64_t offset = sim->addr[i] - span->base;
    if (offset < size && m->width <= size - offset) inside |= 1u << i;
  }
  return inside;
}

// All lanes inside one allocation: the usual case, judged by the range of their addresses alone.
static bool range_inside(Sim *sim, const SimMem *m, const SimRange *r, TraceSpace space, SimSpan *span) {
  uint64_t size;
  if (space == TRACE_GLOBAL || space == TRACE_CONST) {
    SimAlloc *a = sim->last_alloc;
    if (!a || r->low - a->base >= a->size) a = sim_alloc_at(sim, r->low);
    if (!a) return false;
    sim->last_alloc = a;
    *span = span_of_alloc(a);
    size = a->size;
  } else {
    *span = span_of(sim, m, space, &size);
  }
  uint64_t last = r->high - span->base;
  return last < size && m->width <= size - last;
}

// ---- moving bytes --------------------------------------------------------------------------------------------------

#define GATHER(To, From, Mid)                                                              \
  do {                                                                                     \
    To *to_ = (To *)(void *)dst;                                                           \
    From v_;                                                                               \
    if (mask == SIM_FULL) {                                                                \
      for (int i = 0; i < SIM_LANES; i++) { memcpy(&v_, bytes + at[i], sizeof v_); to_[i] = (To)(Mid)v_; } \
    } else {                                                                               \
      SIM_FOR_LANES(i, mask) { memcpy(&v_, bytes + at[i], sizeof v_); to_[i] = (To)(Mid)v_; } \
    }                                                                                      \
  } while (0)

static void load_signed(uint8_t *dst, const SimMem *m, const uint8_t *bytes, const uint64_t *at, uint32_t mask) {
  switch ((SimExtend)m->extend) {
  case SIM_EXT_S8_16: GATHER(uint32_t, int8_t, uint16_t); break;
  case SIM_EXT_S8_32: GATHER(uint32_t, int8_t, int32_t); break;
  case SIM_EXT_S16_32: GATHER(uint32_t, int16_t, int32_t); break;
  case SIM_EXT_S8_64: GATHER(uint64_t, int8_t, int64_t); break;
  case SIM_EXT_S16_64: GATHER(uint64_t, int16_t, int64_t); break;
  default: GATHER(uint64_t, int32_t, int64_t); break;
  }
}

static void load_element(uint8_t *dst, int dst_bytes, const SimMem *m, const uint8_t *bytes, const uint64_t *at, uint32_t mask) {
  if (m->extend != SIM_EXT_ZERO) { load_signed(dst, m, bytes, at, mask); return; }
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

static bool is_contiguous(const SimMem *m, const SimSpan *span, const SimRange *r, uint32_t mask) {
  return r && r->affine && r->stride == m->width && mask == SIM_FULL && !span->stride && m->vec == 1 && m->elem == m->data_bytes[0];
}

// span->at holds the lanes' offsets, which a load into the register of its own address does not change.
static void load_all(Sim *sim, const SimMem *m, const SimSpan *span, const SimRange *r, uint32_t mask) {
  uint8_t *first = sim->regs + m->data[0];
  if (is_contiguous(m, span, r, mask)) {
    memcpy(first, span->bytes + sim->at[0], (size_t)m->elem * SIM_LANES);
    return;
  }
  for (int k = 0; k < m->vec; k++) {
    uint8_t *dst = sim->regs + m->data[k];
    const uint8_t *bytes = span->bytes + k * m->elem;
    bool plain = m->extend == SIM_EXT_ZERO && m->elem == m->data_bytes[k] && r;
    if (plain && m->elem == 4) sim->lane_ops->gather32(sim_u32(dst, 0), bytes, sim->at, mask);
    else if (plain && m->elem == 8) sim->lane_ops->gather64(sim_u64(dst, 0), bytes, sim->at, mask);
    else load_element(dst, m->data_bytes[k], m, bytes, sim->at, mask);
  }
}

#define SCATTER(From, To)                                                                  \
  do {                                                                                     \
    const From *from_ = (const From *)(const void *)src;                                   \
    if (mask == SIM_FULL) {                                                                \
      for (int i = 0; i < SIM_LANES; i++) { To v_ = (To)from_[i]; memcpy(bytes + at[i], &v_, sizeof v_); } \
    } else {                                                                               \
      SIM_FOR_LANES(i, mask) { To v_ = (To)from_[i]; memcpy(bytes + at[i], &v_, sizeof v_); } \
    }                                                                                      \
  } while (0)

static void store_element(const uint8_t *src, int src_bytes, int elem, uint8_t *bytes, const uint64_t *at, uint32_t mask) {
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

// While looking for a livelock: does this store change anything?
static void count_changes(Sim *sim, const SimMem *m, const SimSpan *span, uint32_t mask) {
  for (int k = 0; k < m->vec; k++)
    SIM_FOR_LANES(i, mask) {
      uint64_t value = sim_lane(sim->regs, m->data[k], m->data_bytes[k], i);
      if (memcmp(span->bytes + sim->at[i] + k * m->elem, &value, m->elem) != 0) sim->block.changes++;
    }
}

void sim_touch(Sim *sim, SimSpan *span, uint32_t mask, int width) {
  if (!sim->hooks || !span->alloc) return;
  SIM_FOR_LANES(i, mask) {
    uint64_t first = (sim->addr[i] - span->base) / SIM_PAGE, last = (sim->addr[i] - span->base + (uint64_t)width - 1) / SIM_PAGE;
    for (uint64_t page = first; page <= last; page++)
      if (span->alloc->dirty[page] != sim->hooks->interval) sim->hooks->dirty(sim->hooks->owner, span->alloc, page);
  }
}

static void store_all(Sim *sim, const SimMem *m, SimSpan *span, const SimRange *r, uint32_t mask) {
  sim_touch(sim, span, mask, m->width);
  if (sim->block.watching) count_changes(sim, m, span, mask);
  if (is_contiguous(m, span, r, mask)) {
    memcpy(span->bytes + sim->at[0], sim->regs + m->data[0], (size_t)m->elem * SIM_LANES);
    return;
  }
  for (int k = 0; k < m->vec; k++)
    store_element(sim->regs + m->data[k], m->data_bytes[k], m->elem, span->bytes + k * m->elem, sim->at, mask);
}

// ---- one access ----------------------------------------------------------------------------------------------------

// Tells the event of an access and, if it is a bad one, the fault. False: the run is over.
static void tell(Sim *sim, const SimInst *inst, uint32_t mask, TraceSpace space, bool generic) {
  if (!sim_wants_event(sim)) { sim_skip_event(sim); return; }
  const SimMem *m = inst->more;
  TraceEvent *e = sim_event(sim, inst, mask);
  e->space = (uint8_t)space;
  e->width = m->width;
  e->addr = sim->addr;
  if (generic) e->flags |= TRACE_GENERIC_ACCESS;
  sim_emit(sim);
}

static void fault_at(Sim *sim, const SimInst *inst, FaultKind kind, uint32_t lanes, TraceSpace space) {
  const SimMem *m = inst->more;
  sim_fault(sim, &(SimFaultPlace){.kind = kind, .mask = lanes, .space = space, .addr = sim->addr[__builtin_ctz(lanes)],
                                  .size = m->width, .has_addr = true, .writes = inst->kind != TRACE_LOAD});
}

static void check_bytes(Sim *sim, const SimInst *inst, const SimSpan *span, const SimRange *r, uint32_t mask, TraceSpace space) {
  uint32_t checks = sim->options.checks;
  if (checks & SIM_CHECK_INIT && span->init) sim_shadow_init(sim, inst, mask, space, span);
  if (checks & SIM_CHECK_RACE && space == TRACE_SHARED) {
    sim_shadow_access(sim, inst, mask, inst->kind != TRACE_LOAD);
    if (inst->kind == TRACE_STORE && !(r->affine && r->stride >= ((const SimMem *)inst->more)->width)) sim_shadow_same(sim, inst, mask);
  }
}

// r: of all lanes' addresses, if all are in this span; else NULL.
static void move_bytes(Sim *sim, const SimInst *inst, SimSpan *span, const SimRange *r, uint32_t mask) {
  const SimMem *m = inst->more;
  sim->lane_ops->offsets(sim->addr, span->base, span->stride, sim->at);
  if (inst->kind == TRACE_ATOM) sim_atom_lanes(sim, inst, span, mask);
  else if (inst->kind == TRACE_STORE) store_all(sim, m, span, r, mask);
  else load_all(sim, m, span, r, mask);
}

// The unusual cases: several allocations, or lanes outside of all.
static bool access_slowly(Sim *sim, const SimInst *inst, uint32_t mask, TraceSpace space) {
  for (uint32_t left = mask; left;) {
    SimSpan span = {0};
    uint32_t inside = lanes_inside(sim, inst->more, left, space, &span);
    if (!inside) {
      if (inst->kind == TRACE_ATOM) tell(sim, inst, mask, space, false);
      fault_at(sim, inst, FAULT_OUT_OF_BOUNDS, left & (0 - left), space);
      return false;
    }
    move_bytes(sim, inst, &span, NULL, inside);
    if (span.init) check_bytes(sim, inst, &span, NULL, inside, space);
    left &= ~inside;
  }
  return true;
}

static uint32_t misaligned_lanes(const Sim *sim, uint32_t mask, int width) {
  uint32_t lanes = 0;
  SIM_FOR_LANES(i, mask) if (sim->addr[i] & (uint64_t)(width - 1)) lanes |= 1u << i;
  return lanes;
}

// An atomic tells its event after the fact (it has the old values in it), the others before.
static bool access_space(Sim *sim, const SimInst *inst, uint32_t mask, const SimRange *r, TraceSpace space, bool generic) {
  const SimMem *m = inst->more;
  bool atom = inst->kind == TRACE_ATOM;
  if (!atom) tell(sim, inst, mask, space, generic);
  if (r->bits & (uint64_t)(m->width - 1)) {
    if (atom) tell(sim, inst, mask, space, generic);
    fault_at(sim, inst, FAULT_MISALIGNED, misaligned_lanes(sim, mask, m->width), space);
    return false;
  }
  SimSpan span;
  bool fast = range_inside(sim, m, r, space, &span);
  if (!fast && !access_slowly(sim, inst, mask, space)) return false;
  if (fast) move_bytes(sim, inst, &span, r, mask);
  if (atom) sim_atom_tell(sim, inst, mask, space, generic);
  if (fast && sim->options.checks) check_bytes(sim, inst, &span, r, mask, space);
  return true;
}

static uint32_t lanes_of_space(const Sim *sim, uint32_t mask, TraceSpace space, const uint64_t *generic, uint64_t *addr) {
  uint32_t lanes = 0;
  SIM_FOR_LANES(i, mask) if (sim_classify(sim, generic[i], &addr[i]) == space) lanes |= 1u << i;
  return lanes;
}

// Lanes of one generic access may be in different spaces: one event for each.
static bool access_mixed(Sim *sim, const SimInst *inst, uint32_t mask) {
  uint64_t generic[SIM_LANES], addr[SIM_LANES];
  memcpy(generic, sim->addr, sizeof generic);
  for (int space = 0; space < TRACE_SPACE_COUNT; space++) {
    uint32_t lanes = lanes_of_space(sim, mask, (TraceSpace)space, generic, addr);
    if (!lanes) continue;
    for (uint32_t i = 0; i < SIM_LANES; i++) sim->addr[i] = addr[lanes >> i & 1 ? i : (uint32_t)__builtin_ctz(lanes)];
    SimRange r;
    sim->lane_ops->range(sim->addr, &r);
    if (!access_space(sim, inst, lanes, &r, (TraceSpace)space, true)) return false;
  }
  return true;
}

static bool access_generic(Sim *sim, const SimInst *inst, uint32_t mask, SimRange *r) {
  if (r->low >= SIM_GLOBAL_BASE) return access_space(sim, inst, mask, r, TRACE_GLOBAL, true);
  if (r->low / SIM_WINDOW_BYTES != r->high / SIM_WINDOW_BYTES) return access_mixed(sim, inst, mask);
  uint64_t offset;
  TraceSpace space = sim_classify(sim, r->low, &offset);
  uint64_t window = r->low - offset;
  for (int i = 0; i < SIM_LANES; i++) sim->addr[i] -= window;
  r->low -= window;
  r->high -= window;
  return access_space(sim, inst, mask, r, space, true);
}

SimNext sim_exec_mem(Sim *sim, const SimInst *inst, uint32_t mask) {
  const SimMem *m = inst->more;
  SimRange r;
  take_addresses(sim, m, mask);
  sim->lane_ops->range(sim->addr, &r);
  if (m->acquire || m->release) sim_shadow_fence(sim);
  bool ok = m->space == PTX_GENERIC ? access_generic(sim, inst, mask, &r)
                                    : access_space(sim, inst, mask, &r, space_of((PtxSpace)m->space), false);
  if (!ok) return SIM_YIELD;
  if (m->acquire) sim_shadow_fence(sim);
  sim->pc++;
  return SIM_GO;
}
