// async_copy.c: asynchronous copies between their start and their end (PTX ISA "Data Movement and Conversion: Asynchronous
// Copy").
//
// A copy takes its bytes from the source when it starts. They come to their destination when somebody has waited for
// them: the thread for its own groups, or any thread for the mbarrier that was told of the copy. Until then nobody may
// touch the destination (a mark in the cells of shadow.c) or write the source (looked up here, for that is rare).
#include "sim/check/async_copy.h"
#include <stdlib.h>
#include <string.h>
#include "sim/check/fault.h"
#include "sim/check/shadow.h"
#include "sim/core/exec.h"
#include "sim/core/integer_atom.h"
#include "sim/core/slots.h"

// An asynchronous copy or change of up to 16 bytes for each of some lanes of a warp, not known to be over.
typedef struct SimCopy {
  uint32_t lanes;          // of which it is pending
  uint32_t over;           // of which its mbarrier has ended the phase, which nobody has seen yet
  int32_t pc;              // where it is told to have started
  uint32_t epoch;
  uint8_t bytes;           // 0: only the source is still in use
  uint8_t bulk, space;     // TraceSpace of the source
  uint8_t op, type;        // PtxMode and PtxType of a reduction: data is what it changes by; PTX_MODE_NONE: a copy
  uint8_t from_bytes[SIM_LANES];
  uint32_t to[SIM_LANES], group[SIM_LANES], mbarrier[SIM_LANES];   // mbarrier: offset + 1, 0: none
  uint64_t from[SIM_LANES], low, high;                             // low, high: around all of the source
  uint8_t data[SIM_LANES][16];
} SimCopy;
struct SimCopies { SimCopy *items; int count, capacity; };

enum { MOST_COPIES = 1 << 13 };   // of a warp; beyond that the oldest one ends by itself

static bool checks_races(const SimExec *exec) { return (exec->checks & SIM_CHECK_RACE) != 0; }

static uint32_t info_of(const SimCopy *c, int warp, uint32_t lane) {
  return (uint32_t)c->pc << 10 | lane << 5 | (uint32_t)warp;
}

// ---- the end -------------------------------------------------------------------------------------------------------

static void bring(SimExec *exec, const SimCopy *c, uint32_t lane) {
  uint8_t *to = exec->shared + c->to[lane], now[16];
  memcpy(now, c->data[lane], c->bytes);
  if (c->op != PTX_MODE_NONE) {
    uint64_t old = 0, by = 0;
    memcpy(&old, to, c->bytes);
    memcpy(&by, now, c->bytes);
    by = sim_integer_atom((PtxMode)c->op, (PtxType)c->type, old, by);
    memcpy(now, &by, c->bytes);
  }
  if (memcmp(to, now, c->bytes) != 0) exec->block.changes++;
  memcpy(to, now, c->bytes);
}

static void end_lanes(SimExec *exec, int warp, SimCopy *c, uint32_t lanes, uint32_t epoch) {
  SIM_FOR_LANES(i, lanes) {
    if (!c->bytes) break;
    bring(exec, c, i);
    if (exec->checks & SIM_CHECK_INIT) memset(exec->shared_init + c->to[i], 1, c->bytes);
    if (checks_races(exec)) sim_shadow_copy_ends(exec, c->to[i], c->bytes, info_of(c, warp, i), epoch);
  }
  exec->warps[warp].stored = LS_MAX(exec->warps[warp].stored, epoch);
  c->lanes &= ~lanes;
}

static void drop_ended(SimExec *exec, int warp) {
  struct SimCopies *list = &exec->copies[warp];
  int kept = 0;
  for (int k = 0; k < list->count; k++) {
    if (!list->items[k].lanes) { exec->block.async_copies--; continue; }
    if (kept != k) list->items[kept] = list->items[k];
    kept++;
  }
  list->count = kept;
}

void sim_async_copy_commit(SimExec *exec, uint32_t mask, bool bulk) {
  SIM_FOR_LANES(i, mask) exec->warp->closed[bulk][i]++;
  exec->copied = true;
}

void sim_async_copy_wait(SimExec *exec, uint32_t mask, bool bulk, uint32_t keep) {
  int warp = sim_warp_index(exec);
  const uint32_t *closed = exec->warp->closed[bulk];
  for (int k = 0; k < exec->copies[warp].count; k++) {
    SimCopy *c = &exec->copies[warp].items[k];
    uint32_t over = 0;
    SIM_FOR_LANES(i, c->lanes & mask)
      if (c->bulk == bulk && !(bulk && c->mbarrier[i]) && closed[i] > keep && c->group[i] < closed[i] - keep)
        over |= 1u << i;
    if (over) end_lanes(exec, warp, c, over, exec->block.epoch);
  }
  drop_ended(exec, warp);
}

// ---- mbarriers -----------------------------------------------------------------------------------------------------

// exec->addr are the mbarriers of these lanes, which look after all their copies so far. Bulk copies have their own.
void sim_async_copy_track(SimExec *exec, uint32_t mask, bool bulk) {
  struct SimCopies *list = &exec->copies[sim_warp_index(exec)];
  for (int k = 0; k < list->count; k++) {
    SimCopy *c = &list->items[k];
    if (c->bulk != bulk || (bulk && !c->bytes)) continue;
    SIM_FOR_LANES(i, c->lanes & mask) if (!c->mbarrier[i]) c->mbarrier[i] = (uint32_t)exec->addr[i] + 1;
  }
}

static uint32_t lanes_of(const SimCopy *c, uint32_t mbarrier) {
  uint32_t lanes = 0;
  SIM_FOR_LANES(i, c->lanes) if (c->mbarrier[i] == mbarrier + 1) lanes |= 1u << i;
  return lanes;
}

void sim_async_copy_phase(SimExec *exec, uint32_t mbarrier) {
  for (int w = 0; w < exec->warp_count; w++)
    for (int k = 0; k < exec->copies[w].count; k++)
      exec->copies[w].items[k].over |= lanes_of(&exec->copies[w].items[k], mbarrier);
}

// Ordered as what the copying thread did before it arrived at the mbarrier.
void sim_async_copy_seen(SimExec *exec, uint32_t mbarrier) {
  for (int w = 0; w < exec->warp_count; w++) {
    for (int k = 0; k < exec->copies[w].count; k++) {
      SimCopy *c = &exec->copies[w].items[k];
      uint32_t lanes = c->over & lanes_of(c, mbarrier);
      if (lanes) end_lanes(exec, w, c, lanes, c->epoch);
    }
    drop_ended(exec, w);
  }
}

// ---- the start -----------------------------------------------------------------------------------------------------

static SimCopy *add(SimExec *exec, uint32_t mask, bool bulk) {
  int warp = sim_warp_index(exec);
  struct SimCopies *list = &exec->copies[warp];
  if (list->count >= MOST_COPIES) {
    end_lanes(exec, warp, &list->items[0], list->items[0].lanes, exec->block.epoch);
    drop_ended(exec, warp);
  }
  LS_PUSH(list->items, list->count, list->capacity, ((SimCopy){.lanes = mask}));
  SimCopy *c = &list->items[list->count - 1];
  c->pc = exec->reported_pc;
  c->epoch = exec->block.epoch;
  c->bulk = bulk;
  memcpy(c->group, exec->warp->closed[bulk], sizeof c->group);
  exec->block.async_copies++;
  exec->copied = true;
  return c;
}

void sim_async_copy_start(SimExec *exec, const SimInst *inst, uint32_t mask) {
  const SimMem *m = inst->more;
  SimCopy *c = add(exec, mask, m->bulk);
  c->bytes = m->width;
  bool reduces = inst->kind == TRACE_ATOM;
  if (reduces) c->op = m->op, c->type = m->type;
  SIM_FOR_LANES(i, mask) {
    c->to[i] = (uint32_t)exec->addr[i];
    for (int k = 0; k < m->vec; k++) {
      uint64_t value = reduces ? sim_lane(exec->regs, m->operand, m->elem, i)
                               : sim_lane(exec->regs, m->data[k], m->data_bytes[k], i);
      memcpy(c->data[i] + m->elem * k, &value, m->elem);
    }
  }
  if (!checks_races(exec)) return;
  sim_shadow_access(exec, inst, mask, true);
  SIM_FOR_LANES(i, mask) sim_shadow_copy_starts(exec, c->to[i], c->bytes, info_of(c, sim_warp_index(exec), i), reduces);
}

void sim_async_copy_source(SimExec *exec, const SimMem *from, TraceSpace space, uint32_t mask, const uint32_t *bytes) {
  struct SimCopies *list = &exec->copies[sim_warp_index(exec)];
  SimCopy *c = list->count ? &list->items[list->count - 1] : NULL;
  uint64_t at[SIM_LANES];
  if (space == TRACE_SHARED) c = add(exec, mask, true);   // a copy out of shared memory is done as far as others see
  if (!c) return;
  exec->lane_ops->addresses(exec->regs + from->base, from->base_bytes, (uint64_t)from->offset, mask, at);
  c->space = (uint8_t)space;
  c->low = UINT64_MAX;
  SIM_FOR_LANES(i, mask & c->lanes) {
    c->from[i] = at[i];
    c->from_bytes[i] = (uint8_t)LS_MIN(bytes[i], from->width);
    if (!c->from_bytes[i]) continue;
    c->low = LS_MIN(c->low, at[i]);
    c->high = LS_MAX(c->high, at[i] + c->from_bytes[i]);
  }
}

// ---- stores to a source --------------------------------------------------------------------------------------------

static bool report_overlap(SimExec *exec, const SimInst *inst, uint32_t lane, TraceSpace space, int warp,
                         const SimCopy *c) {
  const SimMem *m = inst->more;
  uint64_t at = exec->addr[lane];
  SIM_FOR_LANES(i, c->lanes) {
    if (at >= c->from[i] + c->from_bytes[i] || at + m->width <= c->from[i]) continue;
    sim_fault(exec, &(SimFaultPlace){.kind = FAULT_PENDING_COPY, .mask = 1u << lane, .space = space, .addr = at,
                                     .size = m->width, .has_addr = true, .writes = true, .other_pc = c->pc,
                                     .has_other = true, .other_thread = (uint32_t)warp * SIM_LANES + i,
                                     .other_block = exec->block.number, .text = "from"});
    return true;
  }
  return false;
}

void sim_async_copy_store(SimExec *exec, const SimInst *inst, uint32_t mask, TraceSpace space) {
  const SimMem *m = inst->more;
  for (int w = 0; w < exec->warp_count; w++)
    for (int k = 0; k < exec->copies[w].count; k++) {
      const SimCopy *c = &exec->copies[w].items[k];
      if (c->space != space || !c->high || c->pc == exec->reported_pc) continue;
      SIM_FOR_LANES(i, mask)
      if (exec->addr[i] < c->high && exec->addr[i] + m->width > c->low && report_overlap(exec, inst, i, space, w, c))
        return;
    }
}

// ---- blocks and checkpoints ----------------------------------------------------------------------------------------

void sim_async_copy_block(SimExec *exec) {
  if (!exec->copied) return;
  exec->copied = false;
  for (int w = 0; w < exec->warp_count; w++) {
    struct SimCopies *list = &exec->copies[w];
    for (int k = 0; k < list->count && checks_races(exec); k++)
      SIM_FOR_LANES(i, list->items[k].lanes)
        if (list->items[k].bytes)
          sim_shadow_copy_ends(exec, list->items[k].to[i], list->items[k].bytes, info_of(&list->items[k], w, i), 0);
    list->count = 0;
    memset(exec->warps[w].closed, 0, sizeof exec->warps[w].closed);
  }
  exec->block.async_copies = 0;
}

size_t sim_async_copy_bytes(const SimExec *exec) {
  size_t bytes = 0;
  for (int w = 0; w < exec->warp_count; w++) bytes += sizeof(int) + (size_t)exec->copies[w].count * sizeof(SimCopy);
  return bytes;
}

void sim_async_copy_save(const SimExec *exec, uint8_t *to) {
  for (int w = 0; w < exec->warp_count; w++) {
    const struct SimCopies *list = &exec->copies[w];
    memcpy(to, &list->count, sizeof list->count);
    to += sizeof list->count;
    if (list->count) memcpy(to, list->items, (size_t)list->count * sizeof(SimCopy));
    to += (size_t)list->count * sizeof(SimCopy);
  }
}

void sim_async_copy_load(SimExec *exec, const uint8_t *from) {
  exec->copied = true;
  for (int w = 0; w < exec->warp_count; w++) {
    struct SimCopies *list = &exec->copies[w];
    int count;
    memcpy(&count, from, sizeof count);
    from += sizeof count;
    list->count = 0;
    for (int k = 0; k < count; k++, from += sizeof(SimCopy)) {
      SimCopy c;
      memcpy(&c, from, sizeof c);
      LS_PUSH(list->items, list->count, list->capacity, c);
    }
  }
}

void sim_async_copy_new(SimExec *exec) { exec->copies = ls_alloc(sizeof *exec->copies * (size_t)exec->warp_count); }

void sim_async_copy_free(SimExec *exec) {
  for (int w = 0; exec->copies && w < exec->warp_count; w++) free(exec->copies[w].items);
  free(exec->copies);
}
