// async_copy.c: asynchronous copies between their start and their end (PTX ISA "Data Movement and Conversion: Asynchronous
// Copy").
//
// A copy takes its bytes from the source when it starts. They come to their destination when somebody has waited for
// them: the thread for its own groups, or any thread for the mbarrier that was told of the copy. Until then nobody may
// touch the destination (a mark in the cells of shadow.c) or write the source (looked up here, for that is rare).
#include "sim/internal.h"

enum { MOST_COPIES = 1 << 13 };   // of a warp; beyond that the oldest one ends by itself

static bool checks_races(const Sim *sim) { return (sim->options.checks & SIM_CHECK_RACE) != 0; }

static uint32_t info_of(const SimCopy *c, int warp, uint32_t lane) {
  return (uint32_t)c->pc << 10 | lane << 5 | (uint32_t)warp;
}

// ---- the end -------------------------------------------------------------------------------------------------------

static void end_lanes(Sim *sim, int warp, SimCopy *c, uint32_t lanes, uint32_t epoch) {
  SIM_FOR_LANES(i, lanes) {
    uint8_t *to = sim->shared + c->to[i];
    if (!c->bytes) break;
    if (memcmp(to, c->data[i], c->bytes) != 0) sim->block.changes++;
    memcpy(to, c->data[i], c->bytes);
    if (sim->options.checks & SIM_CHECK_INIT) memset(sim->shared_init + c->to[i], 1, c->bytes);
    if (checks_races(sim)) sim_shadow_copy_ends(sim, c->to[i], c->bytes, info_of(c, warp, i), epoch);
  }
  sim->warps[warp].stored = LS_MAX(sim->warps[warp].stored, epoch);
  c->lanes &= ~lanes;
}

static void drop_ended(Sim *sim, int warp) {
  SimCopies *list = &sim->copies[warp];
  int kept = 0;
  for (int k = 0; k < list->count; k++) {
    if (!list->items[k].lanes) { sim->block.pending--; continue; }
    if (kept != k) list->items[kept] = list->items[k];
    kept++;
  }
  list->count = kept;
}

void sim_pending_commit(Sim *sim, uint32_t mask, bool bulk) {
  SIM_FOR_LANES(i, mask) sim->warp->closed[bulk][i]++;
}

void sim_pending_wait(Sim *sim, uint32_t mask, bool bulk, uint32_t keep) {
  int warp = sim_warp_index(sim);
  const uint32_t *closed = sim->warp->closed[bulk];
  for (int k = 0; k < sim->copies[warp].count; k++) {
    SimCopy *c = &sim->copies[warp].items[k];
    uint32_t over = 0;
    SIM_FOR_LANES(i, c->lanes & mask)
      if (c->bulk == bulk && closed[i] > keep && c->group[i] < closed[i] - keep) over |= 1u << i;
    if (over) end_lanes(sim, warp, c, over, sim->block.epoch);
  }
  drop_ended(sim, warp);
}

// ---- mbarriers -----------------------------------------------------------------------------------------------------

// sim->addr are the mbarriers of these lanes, which look after all their copies so far. Bulk copies have their own.
void sim_pending_track(Sim *sim, uint32_t mask, bool bulk) {
  SimCopies *list = &sim->copies[sim_warp_index(sim)];
  for (int k = 0; k < list->count; k++) {
    SimCopy *c = &list->items[k];
    if (c->bulk != bulk || (bulk && !c->bytes)) continue;
    SIM_FOR_LANES(i, c->lanes & mask) if (!c->mbarrier[i]) c->mbarrier[i] = (uint32_t)sim->addr[i] + 1;
  }
}

static uint32_t lanes_of(const SimCopy *c, uint32_t mbarrier) {
  uint32_t lanes = 0;
  SIM_FOR_LANES(i, c->lanes) if (c->mbarrier[i] == mbarrier + 1) lanes |= 1u << i;
  return lanes;
}

void sim_pending_phase(Sim *sim, uint32_t mbarrier) {
  for (int w = 0; w < sim->warp_count; w++)
    for (int k = 0; k < sim->copies[w].count; k++)
      sim->copies[w].items[k].over |= lanes_of(&sim->copies[w].items[k], mbarrier);
}

// Ordered as what the copying thread did before it arrived at the mbarrier.
void sim_pending_seen(Sim *sim, uint32_t mbarrier) {
  for (int w = 0; w < sim->warp_count; w++) {
    for (int k = 0; k < sim->copies[w].count; k++) {
      SimCopy *c = &sim->copies[w].items[k];
      uint32_t lanes = c->over & lanes_of(c, mbarrier);
      if (lanes) end_lanes(sim, w, c, lanes, c->epoch);
    }
    drop_ended(sim, w);
  }
}

// ---- the start -----------------------------------------------------------------------------------------------------

static SimCopy *add(Sim *sim, uint32_t mask, bool bulk) {
  int warp = sim_warp_index(sim);
  SimCopies *list = &sim->copies[warp];
  if (list->count >= MOST_COPIES) {
    end_lanes(sim, warp, &list->items[0], list->items[0].lanes, sim->block.epoch);
    drop_ended(sim, warp);
  }
  LS_PUSH(list->items, list->count, list->capacity, ((SimCopy){.lanes = mask}));
  SimCopy *c = &list->items[list->count - 1];
  c->pc = sim->told_pc;
  c->epoch = sim->block.epoch;
  c->bulk = bulk;
  memcpy(c->group, sim->warp->closed[bulk], sizeof c->group);
  sim->block.pending++;
  return c;
}

void sim_pending_start(Sim *sim, const SimInst *inst, uint32_t mask) {
  const SimMem *m = inst->more;
  SimCopy *c = add(sim, mask, m->bulk);
  c->bytes = m->width;
  SIM_FOR_LANES(i, mask) {
    c->to[i] = (uint32_t)sim->addr[i];
    for (int k = 0; k < m->vec; k++) memcpy(c->data[i] + 4 * k, &sim_u32(sim->regs, m->data[k])[i], 4);
  }
  if (!checks_races(sim)) return;
  sim_shadow_access(sim, inst, mask, true);
  SIM_FOR_LANES(i, mask) sim_shadow_copy_starts(sim, c->to[i], c->bytes, info_of(c, sim_warp_index(sim), i));
}

void sim_pending_source(Sim *sim, const SimMem *from, TraceSpace space, uint32_t mask, const uint32_t *bytes) {
  SimCopies *list = &sim->copies[sim_warp_index(sim)];
  SimCopy *c = list->count ? &list->items[list->count - 1] : NULL;
  uint64_t at[SIM_LANES];
  if (space == TRACE_SHARED) c = add(sim, mask, true);   // a copy out of shared memory is done as far as others see
  if (!c) return;
  sim->lane_ops->addresses(sim->regs + from->base, from->base_bytes, (uint64_t)from->offset, mask, at);
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

static bool tell_overlap(Sim *sim, const SimInst *inst, uint32_t lane, TraceSpace space, int warp, const SimCopy *c) {
  const SimMem *m = inst->more;
  uint64_t at = sim->addr[lane];
  SIM_FOR_LANES(i, c->lanes) {
    if (at >= c->from[i] + c->from_bytes[i] || at + m->width <= c->from[i]) continue;
    sim_fault(sim, &(SimFaultPlace){.kind = FAULT_PENDING_COPY, .mask = 1u << lane, .space = space, .addr = at,
                                    .size = m->width, .has_addr = true, .writes = true, .other_pc = c->pc,
                                    .has_other = true, .other_thread = (uint32_t)warp * SIM_LANES + i,
                                    .other_block = sim->block.number, .text = "from"});
    return true;
  }
  return false;
}

void sim_pending_store(Sim *sim, const SimInst *inst, uint32_t mask, TraceSpace space) {
  const SimMem *m = inst->more;
  for (int w = 0; w < sim->warp_count; w++)
    for (int k = 0; k < sim->copies[w].count; k++) {
      const SimCopy *c = &sim->copies[w].items[k];
      if (c->space != space || !c->high || c->pc == sim->told_pc) continue;
      SIM_FOR_LANES(i, mask)
        if (sim->addr[i] < c->high && sim->addr[i] + m->width > c->low && tell_overlap(sim, inst, i, space, w, c)) return;
    }
}

// ---- blocks and checkpoints ----------------------------------------------------------------------------------------

void sim_pending_block(Sim *sim) {
  for (int w = 0; w < sim->warp_count; w++) {
    SimCopies *list = &sim->copies[w];
    for (int k = 0; k < list->count && checks_races(sim); k++)
      SIM_FOR_LANES(i, list->items[k].lanes)
        if (list->items[k].bytes)
          sim_shadow_copy_ends(sim, list->items[k].to[i], list->items[k].bytes, info_of(&list->items[k], w, i), 0);
    list->count = 0;
    memset(sim->warps[w].closed, 0, sizeof sim->warps[w].closed);
  }
  sim->block.pending = 0;
}

size_t sim_pending_bytes(const Sim *sim) {
  size_t bytes = 0;
  for (int w = 0; w < sim->warp_count; w++) bytes += sizeof(int) + (size_t)sim->copies[w].count * sizeof(SimCopy);
  return bytes;
}

void sim_pending_save(const Sim *sim, uint8_t *to) {
  for (int w = 0; w < sim->warp_count; w++) {
    const SimCopies *list = &sim->copies[w];
    memcpy(to, &list->count, sizeof list->count);
    to += sizeof list->count;
    if (list->count) memcpy(to, list->items, (size_t)list->count * sizeof(SimCopy));
    to += (size_t)list->count * sizeof(SimCopy);
  }
}

void sim_pending_load(Sim *sim, const uint8_t *from) {
  for (int w = 0; w < sim->warp_count; w++) {
    SimCopies *list = &sim->copies[w];
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

void sim_pending_free(Sim *sim) {
  for (int w = 0; sim->copies && w < sim->warp_count; w++) free(sim->copies[w].items);
  free(sim->copies);
}
