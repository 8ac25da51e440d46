// shadow.c: who wrote and who read shared memory, and which bytes nobody wrote.
//
// Races are judged by CUDA's rules, not by the order in which the emulator happens to run warps. Every warp has a
// vector clock (as in FastTrack, Flanagan and Freund 2009): accesses of warp v up to epoch clock[v] are ordered before
// what it does now. A barrier joins the clocks of the warps that met there. A fence followed by a strong access
// (atomic, volatile, relaxed) publishes the clock; a strong access followed by a fence takes it over.
//
// A cell per 4-byte word remembers the last write, and which warps read since it was ordered. Whole words are noted by
// the loops of lanes.c; bytes of words and strong accesses have more to remember, in the slow half of the cell.
#include "sim/check/shadow.h"
#include <stdlib.h>
#include <string.h>
#include "sim/check/fault.h"
#include "sim/check/happens_before.h"
#include "sim/core/ownership.h"

typedef struct Slow {
  uint8_t write_bytes, write_strong, read_bytes, read_strong;
} Slow;  // valid if SIM_CELL_MORE is set

struct SimShadow {
  uint64_t count;                      // words
  SimCell *cells;
  uint32_t *infos;                     // of the last write: pc << 10 | lane << 5 | warp
  Slow *slow;
  uint32_t released[SIM_MAX_WARPS];   // clock that strong writes have published in this block
};
#define PENDING UINT32_MAX   // as a writer, above every epoch: the destination of a copy that is not over

SimShadow *sim_shadow_new(uint64_t shared_bytes) {
  SimShadow *shadow = ls_alloc(sizeof *shadow);
  shadow->count = shared_bytes / 4 + 4;
  shadow->cells = ls_alloc(shadow->count * (sizeof(SimCell) + sizeof(uint32_t) + sizeof(Slow)));
  shadow->infos = (uint32_t *)(void *)(shadow->cells + shadow->count);
  shadow->slow = (Slow *)(void *)(shadow->infos + shadow->count);
  return shadow;
}

void sim_shadow_free(SimShadow *shadow) {
  if (!shadow) return;
  free(shadow->cells);
  free(shadow);
}

static size_t cells_bytes(const SimShadow *shadow) {
  return shadow->count * (sizeof(SimCell) + sizeof(uint32_t) + sizeof(Slow));
}

void sim_shadow_clear(SimShadow *shadow) { memset(shadow->cells, 0, cells_bytes(shadow)); }

size_t sim_shadow_bytes(const SimShadow *shadow) { return cells_bytes(shadow) + sizeof shadow->released; }

void sim_shadow_save(const SimShadow *shadow, uint8_t *to) {
  memcpy(to, shadow->cells, cells_bytes(shadow));
  memcpy(to + cells_bytes(shadow), shadow->released, sizeof shadow->released);
}

void sim_shadow_load(SimShadow *shadow, const uint8_t *from) {
  memcpy(shadow->cells, from, cells_bytes(shadow));
  memcpy(shadow->released, from + cells_bytes(shadow), sizeof shadow->released);
}

// ---- order ---------------------------------------------------------------------------------------------------------

static void set_floor(SimExec *exec, SimWarp *w) {
  w->floor = UINT32_MAX;
  for (int v = 0; v < exec->warp_count; v++)
    if (v != w - exec->warps) w->floor = LS_MIN(w->floor, w->clock[v]);
}

// Epochs go on from block to block, so that what an earlier block did is ordered before everything.
void sim_shadow_start(SimExec *exec) {
  uint32_t now = exec->block.epoch;
  if (now > SIM_LAST_EPOCH / 2 || now == 0) {
    sim_shadow_clear(exec->shadow);
    now = 1;
  }
  for (int k = 0; k < exec->warp_count; k++) {
    SimWarp *w = &exec->warps[k];
    for (int v = 0; v < SIM_MAX_WARPS; v++) w->clock[v] = w->fenced[v] = w->seen[v] = now;
    w->floor = w->lanes_met = now;
  }
  memset(exec->shadow->released, 0, sizeof exec->shadow->released);
  exec->block.epoch = now + 1;
}

static void join(uint32_t *to, const uint32_t *from) {
  for (int v = 0; v < SIM_MAX_WARPS; v++) to[v] = LS_MAX(to[v], from[v]);
}

// The numbers are used up: everything so far is forgotten.
static void next_epoch(SimExec *exec) {
  if (++exec->block.epoch < SIM_LAST_EPOCH) return;
  if (sim_is_worker(exec)) sim_give_up(exec);
  exec->block.epoch = 1;
  sim_shadow_start(exec);
}

void sim_shadow_meet(SimExec *exec, uint32_t warps) {
  uint32_t all[SIM_MAX_WARPS] = {0}, fenced[SIM_MAX_WARPS] = {0};
  SIM_FOR_LANES(k, warps) {
    join(all, exec->warps[k].clock);
    join(fenced, exec->warps[k].fenced);   // one thread may publish what each has fenced
    all[k] = exec->block.epoch;
  }
  SIM_FOR_LANES(k, warps) {
    exec->warps[k].lanes_met = exec->block.epoch;
    memcpy(exec->warps[k].clock, all, sizeof all);
    memcpy(exec->warps[k].fenced, fenced, sizeof fenced);
    set_floor(exec, &exec->warps[k]);
  }
  next_epoch(exec);
}

void sim_shadow_fence(SimExec *exec) {
  if (!(exec->checks & SIM_CHECK_RACE)) return;
  SimWarp *w = exec->warp;
  join(w->clock, w->seen);
  memcpy(w->fenced, w->clock, sizeof w->fenced);
  w->fenced[sim_warp_index(exec)] = w->lanes_met = exec->block.epoch;
  set_floor(exec, w);
  next_epoch(exec);
}

void sim_shadow_lanes_met(SimExec *exec) {
  if (!(exec->checks & SIM_CHECK_RACE) || exec->sched == SIM_STACK) return;
  exec->warp->lanes_met = exec->block.epoch;
  next_epoch(exec);
}

// A strong write publishes what was fenced before it; a strong read sees what was published.
void sim_shadow_strong(SimExec *exec, const SimInst *inst) {
  bool writes = inst->kind != TRACE_LOAD, reads = inst->kind != TRACE_STORE;
  if (!(exec->checks & SIM_CHECK_RACE)) return;
  if (reads) {
    join(exec->warp->seen, exec->shadow->released);
    sim_happens_before_acquire(exec);
  }
  if (!writes) return;
  join(exec->shadow->released, exec->warp->fenced);
  sim_happens_before_release(exec, exec->shadow->released);
}

// ---- races ---------------------------------------------------------------------------------------------------------

typedef struct Access { uint32_t lane, bytes; bool strong, reads, writes; } Access;

static void report_race(SimExec *exec, const SimInst *inst, TraceSpace space, uint32_t lane, uint32_t info, bool writes,
                      bool other_writes) {
  const SimMem *m = inst->more;
  sim_fault(exec, &(SimFaultPlace){.kind = FAULT_RACE,
                                   .mask = 1u << lane,
                                   .space = space,
                                   .addr = exec->addr[lane],
                                   .size = m->width,
                                   .has_addr = true,
                                   .writes = writes,
                                   .other_pc = (int32_t)(info >> 10),
                                   .has_other = true,
                                   .other_thread = (info & 31) * SIM_LANES + (info >> 5 & 31),
                                   .other_block = exec->block.number,
                                   .text = other_writes ? "writes" : "reads"});
}

// Lanes of one warp, in different instructions. Parts of words do not say which lane they are of.
static bool lanes_conflict(const SimExec *exec, uint32_t packed, uint32_t info, const Access *a) {
  if (exec->sched == SIM_STACK || packed & SIM_CELL_MORE || a->bytes != 15) return false;
  return packed >> SIM_CELL_SHIFT > exec->warp->lanes_met && (info >> 5 & 31) != a->lane &&
         (int32_t)(info >> 10) != exec->reported_pc;
}

static bool write_conflicts(const SimExec *exec, uint64_t word, const Access *a) {
  const SimCell *cell = &exec->shadow->cells[word];
  const Slow *slow = &exec->shadow->slow[word];
  const SimWarp *w = exec->warp;
  int writer = (int)(cell->writer & 31);
  if (!cell->writer) return false;
  if (writer == sim_warp_index(exec)) return lanes_conflict(exec, cell->writer, exec->shadow->infos[word], a);
  if (cell->writer >> SIM_CELL_SHIFT <= w->clock[writer]) return false;
  if (!(cell->writer & SIM_CELL_MORE)) return true;
  return slow->write_bytes & a->bytes && !(slow->write_strong && a->strong);
}

// A warp whose read is not ordered before this write: as it is packed in infos, or 0.
static uint32_t conflicting_reader(const SimExec *exec, uint64_t word, const Access *a) {
  const SimCell *cell = &exec->shadow->cells[word];
  const Slow *slow = &exec->shadow->slow[word];
  uint32_t others = cell->readers & ~(1u << sim_warp_index(exec)), epoch = cell->read_epoch >> SIM_CELL_SHIFT,
           found = UINT32_MAX;
  if (!cell->read_epoch) return UINT32_MAX;
  if (cell->read_epoch & SIM_CELL_MORE && (!(slow->read_bytes & a->bytes) || (slow->read_strong && a->strong)))
    return UINT32_MAX;
  if ((cell->reader & 31) == (uint32_t)sim_warp_index(exec) && lanes_conflict(exec, cell->read_epoch, cell->reader, a))
    return cell->reader;
  SIM_FOR_LANES(v, others) {
    if (epoch <= exec->warp->clock[v]) continue;
    uint32_t info = (cell->reader & 31) == v ? cell->reader : (cell->reader & ~1023u) | v;
    if (found == UINT32_MAX || info == cell->reader) found = info;
  }
  return found;
}

static void note_write(SimExec *exec, uint64_t word, const Access *a) {
  SimCell *cell = &exec->shadow->cells[word];
  Slow *slow = &exec->shadow->slow[word];
  uint32_t mine = exec->block.epoch << SIM_CELL_SHIFT | (uint32_t)sim_warp_index(exec);
  bool same = (cell->writer & ~(uint32_t)SIM_CELL_MORE) == mine, more = cell->writer & SIM_CELL_MORE;
  uint32_t bytes = a->bytes | (same ? (more ? slow->write_bytes : 15) : 0);
  bool strong = a->strong && (!same || (more && slow->write_strong));
  cell->writer = mine | (bytes != 15 || strong ? SIM_CELL_MORE : 0);
  slow->write_bytes = (uint8_t)bytes;
  slow->write_strong = strong;
  if (a->strong && same && !strong) return;   // the weak write is the one to tell
  exec->shadow->infos[word] = (uint32_t)exec->reported_pc << 10 | a->lane << 5 | (uint32_t)sim_warp_index(exec);
}

// Of several readers only the bytes that all of them read are kept, so that nothing is told that did not happen.
static void note_read(SimExec *exec, uint64_t word, const Access *a) {
  SimCell *cell = &exec->shadow->cells[word];
  Slow *slow = &exec->shadow->slow[word];
  uint32_t now = exec->block.epoch << SIM_CELL_SHIFT, me = 1u << sim_warp_index(exec);
  bool more = cell->read_epoch & SIM_CELL_MORE, fresh = cell->read_epoch >> SIM_CELL_SHIFT <= exec->warp->floor;
  uint32_t bytes = a->bytes & (fresh ? 15 : more ? slow->read_bytes : 15);
  if (!fresh && cell->readers == me) bytes = a->bytes | (more ? slow->read_bytes : 15);
  if (!bytes) { fresh = true; bytes = a->bytes; }
  bool strong = a->strong || (!fresh && more && slow->read_strong);
  cell->readers = (fresh ? 0 : cell->readers) | me;
  cell->read_epoch =
      (fresh ? now : cell->read_epoch & ~(uint32_t)SIM_CELL_MORE) | (bytes != 15 || strong ? SIM_CELL_MORE : 0);
  cell->reader = (uint32_t)exec->reported_pc << 10 | a->lane << 5 | (uint32_t)sim_warp_index(exec);
  slow->read_bytes = (uint8_t)bytes;
  slow->read_strong = strong;
}

static void report_pending(SimExec *exec, const SimInst *inst, const Access *a, uint32_t info) {
  const SimMem *m = inst->more;
  sim_fault(exec, &(SimFaultPlace){.kind = FAULT_PENDING_COPY, .mask = 1u << a->lane, .space = TRACE_SHARED,
                                   .addr = exec->addr[a->lane], .size = m->width, .has_addr = true, .writes = a->writes,
                                   .other_pc = (int32_t)(info >> 10), .has_other = true,
                                   .other_thread = (info & 31) * SIM_LANES + (info >> 5 & 31),
                                   .other_block = exec->block.number, .text = "into"});
}

static void look_closer(SimExec *exec, const SimInst *inst, uint64_t word, const Access *a) {
  if (exec->shadow->cells[word].writer == PENDING) { report_pending(exec, inst, a, exec->shadow->infos[word]); return; }
  uint32_t reader = a->writes ? conflicting_reader(exec, word, a) : UINT32_MAX;
  if (write_conflicts(exec, word, a))
    report_race(exec, inst, TRACE_SHARED, a->lane, exec->shadow->infos[word], a->writes, true);
  else if (reader != UINT32_MAX) report_race(exec, inst, TRACE_SHARED, a->lane, reader, true, false);
  if (a->writes) note_write(exec, word, a);
  else note_read(exec, word, a);
}

static void look_closer_at_lane(SimExec *exec, const SimInst *inst, uint32_t lane, Access *a) {
  const SimMem *m = inst->more;
  uint64_t at = exec->addr[lane], end = at + m->width;
  a->lane = lane;
  for (uint64_t word = at / 4; word * 4 < end; word++) {
    uint32_t first = word * 4 < at ? (uint32_t)(at - word * 4) : 0,
             last = end < word * 4 + 4 ? (uint32_t)(end - word * 4) : 4;
    a->bytes = ((1u << last) - 1) & ~((1u << first) - 1);
    look_closer(exec, inst, word, a);
  }
}

void sim_shadow_access(SimExec *exec, const SimInst *inst, uint32_t mask, bool writes) {
  const SimMem *m = inst->more;
  SimShadow *shadow = exec->shadow;
  Access a = {.strong = m->strong, .reads = !writes || inst->kind == TRACE_ATOM, .writes = writes};
  uint32_t closer = mask, warp = (uint32_t)sim_warp_index(exec);
  if (!m->strong && m->width % 4 == 0) {
    bool in_step = exec->sched == SIM_STACK;
    SimActor actor = {.writer = exec->block.epoch << SIM_CELL_SHIFT | warp,
                      .ordered = (exec->warp->floor + 1) << SIM_CELL_SHIFT,
                      .own_ordered = in_step ? UINT32_MAX : (exec->warp->lanes_met + 1) << SIM_CELL_SHIFT,
                      .warp_bit = 1u << warp, .info = (uint32_t)exec->reported_pc << 10 | warp};
    closer = 0;
    for (uint32_t word = 0; word < m->width / 4u; word++)
      closer |= writes
                    ? exec->lane_ops->note_writes(shadow->cells + word, shadow->infos + word, exec->addr, mask, &actor)
                    : exec->lane_ops->note_reads(shadow->cells + word, shadow->infos + word, exec->addr, mask, &actor);
  }
  SIM_FOR_LANES(i, closer) look_closer_at_lane(exec, inst, i, &a);
  if (writes) exec->warp->stored = exec->block.epoch;
}

void sim_shadow_copy_starts(SimExec *exec, uint64_t at, int bytes, uint32_t info) {
  for (uint64_t word = at / 4; word < (at + (uint64_t)bytes) / 4; word++) {
    exec->shadow->cells[word].writer = PENDING;
    exec->shadow->infos[word] = info;
  }
}

void sim_shadow_copy_ends(SimExec *exec, uint64_t at, int bytes, uint32_t info, uint32_t epoch) {
  for (uint64_t word = at / 4; word < (at + (uint64_t)bytes) / 4; word++)
    if (exec->shadow->cells[word].writer == PENDING && exec->shadow->infos[word] == info)
      exec->shadow->cells[word].writer = epoch ? epoch << SIM_CELL_SHIFT | (info & 31) : 0;
}

static bool is_pending(const SimExec *exec, uint64_t at, uint64_t bytes) {
  for (uint64_t word = at / 4; word * 4 < at + bytes; word++)
    if (exec->shadow->cells[word].writer == PENDING) return true;
  return false;
}

// Two lanes of one store on the same place with different values: which one stays is not defined.
void sim_shadow_same(SimExec *exec, const SimInst *inst, uint32_t mask, TraceSpace space, const SimSpan *span) {
  const SimMem *m = inst->more;
  if (m->vec > 1 || m->strong) return;
  SIM_FOR_LANES(i, mask) {
    uint64_t there = 0, mine = sim_lane(exec->regs, m->data[0], m->data_bytes[0], i);
    memcpy(&there, (const void *)(span->origin + exec->addr[i]), m->elem);
    if (m->elem < 8) mine &= (1ull << (m->elem * 8)) - 1;
    if (mine == there) continue;
    uint32_t other = i;
    SIM_FOR_LANES(j, mask) if (j > i && exec->addr[j] == exec->addr[i]) other = j;
    uint32_t info = (uint32_t)exec->reported_pc << 10 | other << 5 | (uint32_t)sim_warp_index(exec);
    report_race(exec, inst, space, i, info, true, true);
    return;
  }
}

// ---- bytes that nobody wrote ---------------------------------------------------------------------------------------

// A copy may take padding along, but not nothing else.
static bool is_unwritten(const SimMem *m, const uint8_t *init) {
  int written = 0;
  for (int k = 0; k < m->width; k++) written += init[k];
  return m->only_copied ? !written : written < m->width;
}

// The first field of a word of bit fields; headers that handle objects of their own, but for fragments of matrices, which
// the kernel has to fill.
static bool is_harmless(const SimExec *exec, const SimMem *m, TraceSpace space) {
  bool foreign = exec->program->own_code && !exec->program->own_code[exec->pc] && !m->multiplied;
  return space == TRACE_LOCAL && (m->only_masked || foreign);
}

static uint32_t unwritten_lanes(const SimExec *exec, const SimMem *m, TraceSpace space, const SimSpan *span,
                                uint32_t mask) {
  uint32_t lanes = 0;
  if (is_harmless(exec, m, space)) return 0;
  SIM_FOR_LANES(i, mask)
    if (is_unwritten(m, span->init + (exec->addr[i] - span->base) + i * span->stride)) lanes |= 1u << i;
  if (space == TRACE_SHARED && exec->block.async_copies)   // what is wrong there is told as such
    SIM_FOR_LANES(i, lanes) if (is_pending(exec, exec->addr[i], m->width)) lanes &= ~(1u << i);
  return lanes;
}

static void mark_written(const SimExec *exec, const SimSpan *span, uint32_t mask, int width) {
  uint32_t ones = 0x01010101u;
  SIM_FOR_LANES(i, mask) {
    uint8_t *init = span->init + (exec->addr[i] - span->base) + i * span->stride;
    if (width == 4) memcpy(init, &ones, 4); else memset(init, 1, (size_t)width);
  }
}

// True if it is plain that all the bytes are written; false if that takes a closer look.
static bool seems_written(const SimExec *exec, const SimSpan *span, const SimFit *fit, int width) {
  if (width != 4 || !fit->inside) return false;
  uintptr_t origin = (uintptr_t)span->init - (uintptr_t)span->base;
  if (!span->stride) return exec->lane_ops->all_written32(origin, exec->addr);
  return exec->lane_ops->all_written32(origin, exec->strided);
}

// Once all of shared memory is written nothing there needs to be looked at.
static bool shared_is_whole(SimExec *exec) {
  if (!exec->block.shared_whole && exec->block.shared_stores++ % 256 == 255)
    exec->block.shared_whole = !memchr(exec->shared_init, 0, exec->program->shared_bytes);
  return exec->block.shared_whole;
}

void sim_shadow_init(SimExec *exec, const SimInst *inst, uint32_t mask, TraceSpace space, const SimSpan *span,
                     const SimFit *fit) {
  const SimMem *m = inst->more;
  if (space == TRACE_SHARED && shared_is_whole(exec)) return;
  if (inst->kind != TRACE_STORE && !seems_written(exec, span, fit, m->width)) {
    uint32_t lanes = unwritten_lanes(exec, m, space, span, mask);
    if (lanes)
      sim_fault(exec, &(SimFaultPlace){.kind = FAULT_UNINITIALIZED, .mask = lanes, .space = space,
                                       .addr = exec->addr[__builtin_ctz(lanes)], .size = m->width, .has_addr = true});
  }
  if (inst->kind != TRACE_LOAD) mark_written(exec, span, mask, m->width);
}
