// shadow.c: who wrote and who read shared memory, and which bytes nobody wrote.
//
// Races are judged by CUDA's rules, not by the order in which the emulator happens to run warps. Every warp has a
// vector clock (as in FastTrack, Flanagan and Freund 2009): accesses of warp v up to epoch clock[v] are ordered before
// what it does now. A barrier joins the clocks of the warps that met there. A fence followed by a strong access
// (atomic, volatile, relaxed) publishes the clock; a strong access followed by a fence takes it over.
//
// One cell per 4-byte word remembers the last write and the last two readers. Bytes of a word are told apart.
#include "sim/internal.h"

typedef struct Access {     // epoch 0: none
  uint32_t epoch;
  int32_t pc;
  uint8_t warp, lane, bytes, strong;
} Access;

typedef struct Cell { Access write, read, read2; } Cell;

struct SimShadow {
  Cell *cells; uint64_t count;
  uint32_t published[SIM_MAX_WARPS];   // clock that strong writes have published in this block
};

SimShadow *sim_shadow_new(uint64_t shared_bytes) {
  SimShadow *shadow = ls_alloc(sizeof *shadow);
  shadow->count = shared_bytes / 4 + 2;
  shadow->cells = ls_alloc(shadow->count * sizeof *shadow->cells);
  return shadow;
}

void sim_shadow_free(SimShadow *shadow) {
  if (!shadow) return;
  free(shadow->cells);
  free(shadow);
}

void sim_shadow_clear(SimShadow *shadow) { memset(shadow->cells, 0, shadow->count * sizeof *shadow->cells); }

size_t sim_shadow_bytes(const SimShadow *shadow) { return shadow->count * sizeof *shadow->cells + sizeof shadow->published; }

void sim_shadow_save(const SimShadow *shadow, uint8_t *to) {
  memcpy(to, shadow->cells, shadow->count * sizeof *shadow->cells);
  memcpy(to + shadow->count * sizeof *shadow->cells, shadow->published, sizeof shadow->published);
}

void sim_shadow_load(SimShadow *shadow, const uint8_t *from) {
  memcpy(shadow->cells, from, shadow->count * sizeof *shadow->cells);
  memcpy(shadow->published, from + shadow->count * sizeof *shadow->cells, sizeof shadow->published);
}

// ---- order ---------------------------------------------------------------------------------------------------------

static void set_floor(Sim *sim, SimWarp *w) {
  w->floor = UINT32_MAX;
  for (int v = 0; v < sim->warp_count; v++)
    if (v != w - sim->warps) w->floor = LS_MIN(w->floor, w->clock[v]);
}

// Epochs go on from block to block, so that what an earlier block did is ordered before everything.
void sim_shadow_start(Sim *sim) {
  uint32_t now = sim->block.epoch;
  for (int k = 0; k < sim->warp_count; k++) {
    SimWarp *w = &sim->warps[k];
    for (int v = 0; v < SIM_MAX_WARPS; v++) w->clock[v] = w->fenced[v] = w->seen[v] = now;
    w->floor = now;
  }
  memset(sim->shadow->published, 0, sizeof sim->shadow->published);
  sim->block.epoch = now + 1;
}

static void join(uint32_t *to, const uint32_t *from) {
  for (int v = 0; v < SIM_MAX_WARPS; v++) to[v] = LS_MAX(to[v], from[v]);
}

void sim_shadow_meet(Sim *sim, uint32_t warps) {
  uint32_t all[SIM_MAX_WARPS] = {0};
  SIM_FOR_LANES(k, warps) {
    join(all, sim->warps[k].clock);
    all[k] = sim->block.epoch;
  }
  SIM_FOR_LANES(k, warps) {
    memcpy(sim->warps[k].clock, all, sizeof all);
    set_floor(sim, &sim->warps[k]);
  }
  sim->block.epoch++;
}

void sim_shadow_fence(Sim *sim) {
  if (!(sim->options.checks & SIM_CHECK_RACE)) return;
  SimWarp *w = sim->warp;
  join(w->clock, w->seen);
  memcpy(w->fenced, w->clock, sizeof w->fenced);
  w->fenced[sim_warp_index(sim)] = sim->block.epoch++;
  set_floor(sim, w);
}

// A strong write publishes what was fenced before it; a strong read sees what was published.
static void strong_access(Sim *sim, bool writes, bool reads) {
  if (writes) join(sim->shadow->published, sim->warp->fenced);
  if (reads) join(sim->warp->seen, sim->shadow->published);
}

// ---- races ---------------------------------------------------------------------------------------------------------

static bool is_ordered(const SimWarp *w, int warp, const Access *a) {
  return a->epoch <= w->floor || a->warp == warp || a->epoch <= w->clock[a->warp];
}

static bool conflicts(const SimWarp *w, int warp, const Access *a, const Access *now) {
  return a->epoch && !is_ordered(w, warp, a) && (a->bytes & now->bytes) && !(a->strong && now->strong);
}

static void tell_race(Sim *sim, const SimInst *inst, uint32_t lane, const Access *a, bool writes, bool other_writes) {
  const SimMem *m = inst->more;
  sim_fault(sim, &(SimFaultPlace){.kind = FAULT_RACE, .mask = 1u << lane, .space = TRACE_SHARED, .addr = sim->addr[lane], .size = m->width,
                                  .has_addr = true, .writes = writes, .other_pc = a->pc, .has_other = true,
                                  .other_thread = (uint32_t)a->warp * SIM_LANES + a->lane, .other_block = sim->block.number,
                                  .text = other_writes ? "writes" : "reads"});
}

static void remember(Access *slot, const Access *now) {
  if (slot->epoch == now->epoch && slot->warp == now->warp && slot->strong == now->strong) slot->bytes |= now->bytes;
  else *slot = *now;
}

static void check_cell(Sim *sim, const SimInst *inst, Cell *cell, const Access *now, bool reads, bool writes) {
  const SimWarp *w = sim->warp;
  int warp = now->warp;
  if (conflicts(w, warp, &cell->write, now)) tell_race(sim, inst, now->lane, &cell->write, writes, true);
  if (writes) {
    if (conflicts(w, warp, &cell->read, now)) tell_race(sim, inst, now->lane, &cell->read, true, false);
    else if (conflicts(w, warp, &cell->read2, now)) tell_race(sim, inst, now->lane, &cell->read2, true, false);
    remember(&cell->write, now);
  }
  if (reads) {
    if (cell->read.epoch && cell->read.warp != now->warp) cell->read2 = cell->read;
    remember(&cell->read, now);
  }
}

void sim_shadow_access(Sim *sim, const SimInst *inst, uint32_t mask, bool writes) {
  const SimMem *m = inst->more;
  bool atom = inst->kind == TRACE_ATOM, reads = !writes || atom;
  if (m->strong) strong_access(sim, writes, reads);
  Access now = {.epoch = sim->block.epoch, .pc = sim->pc, .warp = (uint8_t)sim_warp_index(sim), .strong = m->strong};
  SIM_FOR_LANES(i, mask) {
    uint64_t at = sim->addr[i], end = at + m->width;
    now.lane = (uint8_t)i;
    for (uint64_t word = at / 4; word * 4 < end; word++) {
      unsigned first = word * 4 < at ? (unsigned)(at - word * 4) : 0, last = end < word * 4 + 4 ? (unsigned)(end - word * 4) : 4;
      now.bytes = (uint8_t)(((1u << last) - 1) & ~((1u << first) - 1));
      Cell *cell = &sim->shadow->cells[word];
      bool known = !writes && cell->read.epoch == now.epoch && cell->read.warp == now.warp && cell->read.strong == now.strong &&
                   !(now.bytes & ~cell->read.bytes) && is_ordered(sim->warp, now.warp, &cell->write);
      if (!known) check_cell(sim, inst, cell, &now, reads && !atom, writes);
    }
  }
}

// Two lanes of one store on the same place with different values: which one stays is not defined.
void sim_shadow_same(Sim *sim, const SimInst *inst, uint32_t mask) {
  const SimMem *m = inst->more;
  if (m->vec > 1 || m->strong) return;
  uint64_t bits = 0, first = sim->addr[0];
  for (uint32_t i = 0; i < SIM_LANES; i++) bits |= sim->addr[i] ^ (first + i * m->width);
  if (!bits) return;
  SIM_FOR_LANES(i, mask) {
    uint64_t mine = 0, there = 0;
    memcpy(&there, sim->shared + sim->addr[i], m->elem);
    mine = sim_lane(sim->regs, m->data[0], m->data_bytes[0], i);
    if (m->elem < 8) mine &= (1ull << (m->elem * 8)) - 1;
    if (mine == there) continue;
    Access other = {.pc = sim->pc, .warp = (uint8_t)sim_warp_index(sim)};
    SIM_FOR_LANES(j, mask) if (j > i && sim->addr[j] == sim->addr[i]) other.lane = (uint8_t)j;
    tell_race(sim, inst, i, &other, true, true);
    return;
  }
}

// ---- bytes that nobody wrote ---------------------------------------------------------------------------------------

static bool is_unwritten(const uint8_t *init, int width) {
  for (int k = 0; k < width; k++) if (!init[k]) return true;
  return false;
}

static uint32_t unwritten_lanes(const uint8_t *const at[SIM_LANES], uint32_t mask, int width) {
  uint32_t lanes = 0, word;
  if (width == 4) {
    SIM_FOR_LANES(i, mask) { memcpy(&word, at[i], 4); lanes |= (uint32_t)(word != 0x01010101u) << i; }
    return lanes;
  }
  SIM_FOR_LANES(i, mask) if (is_unwritten(at[i], width)) lanes |= 1u << i;
  return lanes;
}

void sim_shadow_init(Sim *sim, const SimInst *inst, uint32_t mask, TraceSpace space, const SimSpan *span) {
  const SimMem *m = inst->more;
  uint8_t *at[SIM_LANES];
  for (uint32_t i = 0; i < SIM_LANES; i++) at[i] = span->init + (sim->addr[i] - span->base) + i * span->stride;
  if (inst->kind != TRACE_STORE) {
    uint32_t lanes = unwritten_lanes((const uint8_t *const *)at, mask, m->width);
    if (lanes)
      sim_fault(sim, &(SimFaultPlace){.kind = FAULT_UNINITIALIZED, .mask = lanes, .space = space,
                                      .addr = sim->addr[__builtin_ctz(lanes)], .size = m->width, .has_addr = true});
  }
  if (inst->kind == TRACE_LOAD) return;
  if (m->width == 4) SIM_FOR_LANES(i, mask) { uint32_t ones = 0x01010101u; memcpy(at[i], &ones, 4); }
  else SIM_FOR_LANES(i, mask) memset(at[i], 1, m->width);
}
