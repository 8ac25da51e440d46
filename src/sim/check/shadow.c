// shadow.c: who wrote and who read shared memory, and which bytes nobody wrote.
//
// Races are judged by CUDA's rules, not by the order in which the emulator happens to run warps: by the clocks of
// shadow_order.c.
//
// A cell per 4-byte word remembers the last write, and which warps read since it was ordered. Whole words are noted by
// the loops of lanes.c; bytes of words have more to remember, in the slow half of the cell, and so have strong accesses
// (shadow_strong.c), which hide no weak ones. Stores of one value are no race with one another (shadow_fellows.c).
#include "sim/check/shadow.h"
#include <stdlib.h>
#include <string.h>
#include "sim/check/fault.h"
#include "sim/check/races.h"
#include "sim/check/shadow_words.h"
#include "sim/check/unchanged.h"

// As writers, above every epoch: the destination of a copy that is not over; of reductions, which others may join.
#define PENDING UINT32_MAX
#define REDUCING (UINT32_MAX - 1)
enum { COLUMNS = 5 };        // of SimCells
#define NOBODY UINT32_MAX   // in place of an info

static size_t cells_bytes(const SimShadow *shadow) {
  return shadow->count * (COLUMNS * sizeof(uint32_t) + sizeof(SimSlowCell));
}

SimShadow *sim_shadow_new(uint64_t shared_bytes) {
  SimShadow *shadow = ls_realloc(NULL, sizeof *shadow);
  memset(shadow, 0, offsetof(SimShadow, turns));
  sim_shadow_drop_late(shadow);
  shadow->count = ls_align_up(shared_bytes / 4 + 4, 4);
  shadow->memory = ls_alloc(cells_bytes(shadow));
  uint32_t *columns = (uint32_t *)(void *)shadow->memory;
  shadow->cells = (SimCells){columns, columns + shadow->count, columns + 2 * shadow->count, columns + 3 * shadow->count,
                             columns + 4 * shadow->count};
  shadow->slow = (SimSlowCell *)(void *)(columns + COLUMNS * shadow->count);
  return shadow;
}

void sim_shadow_free(SimShadow *shadow) {
  if (!shadow) return;
  free(shadow->strong);
  free(shadow->atomics);
  free(shadow->memory);
  free(shadow);
}

void sim_shadow_clear(SimShadow *shadow) {
  memset(shadow->memory, 0, cells_bytes(shadow));
  shadow->strong_count = 0;
  shadow->last_write = shadow->last_read = 0;
  shadow->has_parts = false;
  sim_shadow_drop_late(shadow);
}

// ---- as bytes ------------------------------------------------------------------------------------------------------

typedef struct Saved {
  uint32_t released[SIM_MAX_WARPS], released_wide[SIM_MAX_WARPS];
  int strong_count;
  uint32_t last_write, last_read;
  bool has_parts;
} Saved;

static size_t strong_bytes(const SimShadow *shadow) { return (size_t)shadow->strong_count * sizeof *shadow->strong; }

size_t sim_shadow_bytes(SimShadow *shadow) {
  sim_shadow_note_atomics(shadow);
  return cells_bytes(shadow) + sizeof(Saved) + strong_bytes(shadow);
}

void sim_shadow_save(SimExec *exec, uint8_t *to) {
  const SimShadow *shadow = exec->shadow;
  sim_shadow_note_late(exec);
  Saved saved = {.strong_count = shadow->strong_count, .last_write = shadow->last_write,
                 .last_read = shadow->last_read, .has_parts = shadow->has_parts};
  memcpy(saved.released, shadow->released, sizeof saved.released);
  memcpy(saved.released_wide, shadow->released_wide, sizeof saved.released_wide);
  memcpy(to, &saved, sizeof saved);
  memcpy(to + sizeof saved, shadow->memory, cells_bytes(shadow));
  if (shadow->strong_count) memcpy(to + sizeof saved + cells_bytes(shadow), shadow->strong, strong_bytes(shadow));
}

void sim_shadow_load(SimShadow *shadow, const uint8_t *from) {
  Saved saved;
  memcpy(&saved, from, sizeof saved);
  memcpy(shadow->released, saved.released, sizeof saved.released);
  memcpy(shadow->released_wide, saved.released_wide, sizeof saved.released_wide);
  memcpy(shadow->memory, from + sizeof saved, cells_bytes(shadow));
  shadow->last_write = saved.last_write;
  shadow->last_read = saved.last_read;
  shadow->has_parts = saved.has_parts;
  shadow->actor_warp = NULL;
  sim_shadow_drop_late(shadow);
  while (shadow->strong_capacity < saved.strong_count) {
    shadow->strong_count = shadow->strong_capacity;
    LS_PUSH(shadow->strong, shadow->strong_count, shadow->strong_capacity, ((SimStrongCell){0}));
  }
  shadow->strong_count = saved.strong_count;
  if (shadow->strong_count) memcpy(shadow->strong, from + sizeof saved + cells_bytes(shadow), strong_bytes(shadow));
}

// ---- races ---------------------------------------------------------------------------------------------------------

static void report_race(SimExec *exec, const SimInst *inst, TraceSpace space, uint32_t lane, uint32_t info, bool writes,
                      bool other_writes) {
  const SimMem *m = inst->more;
  bool guessed = !other_writes && sim_meets_guess(exec, inst, (int32_t)(info >> 10));
  sim_fault(exec, &(SimFaultPlace){.kind = guessed ? FAULT_UNCHECKED_READ : FAULT_RACE,
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
static bool lanes_conflict(const SimExec *exec, uint32_t packed, uint32_t info, uint32_t met,
                           const SimWordAccess *a) {
  if (exec->sched == SIM_STACK || packed & SIM_CELL_MORE || a->bytes != 15) return false;
  return packed >> SIM_CELL_SHIFT > met && (info >> 5 & 31) != a->lane &&
         (int32_t)(info >> 10) != exec->reported_pc;
}

// One of these warps whose access nothing orders before this one: as it is packed in infos, or NOBODY. epoch: of the first
// of their accesses, packed; last: the latest of them.
static uint32_t conflicting_one(const SimExec *exec, uint32_t epoch, uint32_t warps, uint32_t last, uint32_t met,
                                const SimWordAccess *a) {
  uint32_t me = (uint32_t)sim_warp_index(exec), found = NOBODY;
  if ((last & 31) == me && lanes_conflict(exec, epoch, last, met, a)) return last;
  SIM_FOR_LANES(v, warps & ~(1u << me)) {
    if (epoch >> SIM_CELL_SHIFT <= exec->warp->clock[v]) continue;
    uint32_t info = (last & 31) == v ? last : (last & ~1023u) | v;
    if (found == NOBODY || info == last) found = info;
  }
  return found;
}

static uint32_t conflicting_writer(const SimExec *exec, uint64_t word, const SimWordAccess *a) {
  uint32_t packed = sim_shadow_weak_writer(exec->shadow, word), bytes = exec->shadow->slow[word].write_bytes;
  if (!packed || (packed & SIM_CELL_MORE && !(bytes & a->bytes))) return NOBODY;
  if (bytes == 15) packed &= ~(uint32_t)SIM_CELL_MORE;
  return conflicting_one(exec, packed, 1u << (packed & 31), exec->shadow->cells.info[word], exec->warp->lanes_met, a);
}

static uint32_t conflicting_fellow(const SimExec *exec, uint64_t word, const SimWordAccess *a) {
  if (!sim_shadow_has_fellows(exec->shadow, word)) return NOBODY;
  const SimFellows *f = &sim_shadow_strong_at(exec->shadow, word)->fellows;
  uint32_t epoch = f->epoch << SIM_CELL_SHIFT | (f->bytes == 15 ? 0 : SIM_CELL_MORE);
  if (!(f->bytes & a->bytes)) return NOBODY;
  return conflicting_one(exec, epoch, f->warps, f->info, exec->warp->lanes_met, a);
}

static uint32_t conflicting_reader(const SimExec *exec, uint64_t word, const SimWordAccess *a) {
  const SimCells *c = &exec->shadow->cells;
  if (!c->read_epoch[word]) return NOBODY;
  if (c->read_epoch[word] & SIM_CELL_MORE && !(exec->shadow->slow[word].read_bytes & a->bytes)) return NOBODY;
  return conflicting_one(exec, c->read_epoch[word], c->readers[word], c->reader[word], exec->warp->lanes_read, a);
}

static void note_write(SimExec *exec, uint64_t word, const SimWordAccess *a) {
  const SimCells *c = &exec->shadow->cells;
  SimSlowCell *slow = &exec->shadow->slow[word];
  uint32_t mine = exec->block.epoch << SIM_CELL_SHIFT | (uint32_t)sim_warp_index(exec);
  uint32_t before = sim_shadow_weak_writer(exec->shadow, word);
  bool same = (before & ~(uint32_t)SIM_CELL_MORE) == mine, more = before & SIM_CELL_MORE;
  uint32_t bytes = a->bytes | (same ? (more ? slow->write_bytes : 15) : 0);
  bool marked = bytes != 15 || sim_shadow_has_fellows(exec->shadow, word);
  c->writer[word] = mine | (marked ? SIM_CELL_MORE : 0);
  slow->write_bytes = (uint8_t)bytes;
  slow->on_top = false;
  exec->shadow->cells.info[word] = (uint32_t)exec->reported_pc << 10 | a->lane << 5 | (uint32_t)sim_warp_index(exec);
}

// Of several readers only the bytes that all of them read are kept, so that nothing is told that did not happen.
static void note_read(SimExec *exec, uint64_t word, const SimWordAccess *a) {
  const SimCells *c = &exec->shadow->cells;
  SimSlowCell *slow = &exec->shadow->slow[word];
  uint32_t now = exec->block.epoch << SIM_CELL_SHIFT, me = 1u << sim_warp_index(exec);
  bool more = c->read_epoch[word] & SIM_CELL_MORE, fresh = c->read_epoch[word] >> SIM_CELL_SHIFT <= exec->warp->floor;
  uint32_t bytes = a->bytes & (fresh ? 15 : more ? slow->read_bytes : 15);
  if (!fresh && c->readers[word] == me) bytes = a->bytes | (more ? slow->read_bytes : 15);
  if (!bytes) { fresh = true; bytes = a->bytes; }
  c->readers[word] = (fresh ? 0 : c->readers[word]) | me;
  uint32_t first = fresh ? now : c->read_epoch[word] & ~(uint32_t)SIM_CELL_MORE;
  c->read_epoch[word] = first | (bytes != 15 ? SIM_CELL_MORE : 0);
  c->reader[word] = (uint32_t)exec->reported_pc << 10 | a->lane << 5 | (uint32_t)sim_warp_index(exec);
  slow->read_bytes = (uint8_t)bytes;
  exec->shadow->has_parts |= bytes != 15;
}

static void report_pending(SimExec *exec, const SimInst *inst, const SimWordAccess *a, uint32_t info) {
  const SimMem *m = inst->more;
  sim_fault(exec, &(SimFaultPlace){.kind = FAULT_PENDING_COPY, .mask = 1u << a->lane, .space = TRACE_SHARED,
                                   .addr = exec->addr[a->lane], .size = m->width, .has_addr = true, .writes = a->writes,
                                   .other_pc = (int32_t)(info >> 10), .has_other = true,
                                   .other_thread = (info & 31) * SIM_LANES + (info >> 5 & 31),
                                   .other_block = exec->block.number, .text = "into"});
}

static bool stores_the_same(const SimExec *exec, const SimInst *inst, uint64_t word, const SimWordAccess *a) {
  if (inst->kind != TRACE_STORE || a->later || a->how & SIM_STRONG) return false;
  return sim_is_unchanged_shared(exec, inst->more, a->lane, word, a->bytes);
}

static void look_closer(SimExec *exec, const SimInst *inst, uint64_t word, const SimWordAccess *a) {
  if (exec->shadow->cells.writer[word] >= REDUCING) {
    bool joins = a->later && a->how & SIM_STRONG && exec->shadow->cells.writer[word] == REDUCING;
    if (!joins) report_pending(exec, inst, a, exec->shadow->cells.info[word]);
    return;
  }
  uint32_t reader = a->writes ? conflicting_reader(exec, word, a) : NOBODY;
  uint32_t writer = conflicting_writer(exec, word, a), fellow = conflicting_fellow(exec, word, a);
  bool meets = writer != NOBODY || fellow != NOBODY, joins = meets && stores_the_same(exec, inst, word, a);
  if (meets && !joins)
    report_race(exec, inst, TRACE_SHARED, a->lane, writer != NOBODY ? writer : fellow, a->writes, true);
  else if (reader != NOBODY) report_race(exec, inst, TRACE_SHARED, a->lane, reader, true, false);
  else sim_shadow_check_strong(exec, inst, word, a);
  if (a->how & SIM_STRONG) { sim_shadow_note_strong(exec, word, a); return; }
  if (!a->writes) { note_read(exec, word, a); return; }
  if (joins && writer != NOBODY) sim_shadow_add_fellow(exec->shadow, word);
  else if (!joins) sim_shadow_forget_fellows(exec->shadow, word, a->bytes);
  note_write(exec, word, a);
}

static void look_closer_at_lane(SimExec *exec, const SimInst *inst, uint32_t lane, SimWordAccess *a) {
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
  SimWordAccess a = {.how = m->how, .writes = writes, .later = m->later};
  uint32_t closer = mask;
  bool atom = inst->kind == TRACE_ATOM;
  if (sim_shadow_late_atomic(exec, inst, mask)) return;
  sim_shadow_note_late(exec);
  if (writes || m->how & SIM_STRONG) sim_shadow_writes(exec);
  else shadow->last_read = LS_MAX(shadow->last_read, exec->block.epoch << SIM_CELL_SHIFT);
  if (!(m->how & SIM_STRONG) && m->width % 4 == 0) {
    SimActor actor = *sim_shadow_actor(exec);
    actor.info = (uint32_t)exec->reported_pc << 10 | (actor.writer & 31);
    closer = 0;
    for (uint32_t word = 0; word < m->width / 4u; word++)
      closer |= writes
                    ? exec->lane_ops->note_writes(&shadow->cells, word, exec->addr, mask, &actor)
                    : exec->lane_ops->note_reads(&shadow->cells, word, exec->addr, mask, &actor);
  }
  SIM_FOR_LANES(i, closer) {
    a.writes = writes && (!atom || sim_lane_writes(exec, inst, i));
    look_closer_at_lane(exec, inst, i, &a);
  }
  if (writes) exec->warp->stored = exec->block.epoch;
}

void sim_shadow_copy_starts(SimExec *exec, uint64_t at, int bytes, uint32_t info, bool reduces) {
  sim_shadow_note_atomics(exec->shadow);
  exec->shadow->last_write = PENDING;
  sim_shadow_distrust(exec->shadow);
  for (uint64_t word = at / 4; word < (at + (uint64_t)bytes) / 4; word++) {
    exec->shadow->cells.writer[word] = reduces ? REDUCING : PENDING;
    exec->shadow->cells.info[word] = info;
  }
}

void sim_shadow_copy_ends(SimExec *exec, uint64_t at, int bytes, uint32_t info, uint32_t epoch) {
  for (uint64_t word = at / 4; word < (at + (uint64_t)bytes) / 4; word++)
    if (exec->shadow->cells.writer[word] >= REDUCING && exec->shadow->cells.info[word] == info)
      exec->shadow->cells.writer[word] = epoch ? epoch << SIM_CELL_SHIFT | (info & 31) : 0;
}

static bool is_pending(const SimExec *exec, uint64_t at, uint64_t bytes) {
  for (uint64_t word = at / 4; word * 4 < at + bytes; word++)
    if (exec->shadow->cells.writer[word] >= REDUCING) return true;
  return false;
}

static uint32_t other_lane_at(const SimExec *exec, uint32_t mask, uint32_t lane) {
  uint32_t other = lane;
  SIM_FOR_LANES(j, mask) if (j > lane && exec->addr[j] == exec->addr[lane]) other = j;
  return other;
}

// Two lanes of one store on the same place with different values: which one stays is not defined. Lanes that change a
// word in two steps lose all changes but one, also if they store the same.
void sim_shadow_same(SimExec *exec, const SimInst *inst, uint32_t mask, TraceSpace space, const SimSpan *span) {
  const SimMem *m = inst->more;
  bool updates = m->how & SIM_UPDATES;
  if (m->how & SIM_STRONG && !(m->how & SIM_VOLATILE)) return;
  if (exec->hooks && space == TRACE_GLOBAL) { sim_races_expected(exec); return; }
  SIM_FOR_LANES(i, mask) {
    if (!updates && sim_is_unchanged(exec, m, span, i)) continue;
    uint32_t other = other_lane_at(exec, mask, i);
    if (updates && other == i) continue;
    SimFaultPlace what = {.mask = 1u << i, .space = space, .addr = exec->addr[i], .size = m->width, .has_addr = true,
                          .other_pc = exec->reported_pc, .has_other = true, .other_block = exec->block.number,
                          .other_thread = (uint32_t)sim_warp_index(exec) * SIM_LANES + other};
    what.once = space == TRACE_GLOBAL;
    sim_strong_fault(exec, &what, updates ? SIM_LOST_UPDATE : SIM_RACE, m->how | SIM_WRITES, m->how | SIM_WRITES);
    return;
  }
}

// ---- bytes that nobody wrote ---------------------------------------------------------------------------------------

static int written_bytes(const uint8_t *init, int count) {
  int written = 0;
  for (int k = 0; k < count; k++) written += init[k];
  return written;
}

// A copy may take padding along, but not nothing else, unless it goes by words and the other half of 8 bytes ends in
// padding: a character before what is aligned to 8.
static bool is_unwritten(const SimMem *m, const uint8_t *init, uint64_t addr) {
  int written = written_bytes(init, m->width);
  if (!m->only_copied || written) return !m->only_copied && written < m->width;
  if (m->width != 4 || addr % 8 != 4) return true;
  int before = written_bytes(init - 4, 4);
  return before == 0 || before == 4;
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
    if (is_unwritten(m, span->init + (exec->addr[i] - span->base) + i * span->stride, exec->addr[i])) lanes |= 1u << i;
  if (space == TRACE_SHARED && exec->block.async_copies)   // what is wrong there is told as such
    SIM_FOR_LANES(i, lanes) if (is_pending(exec, exec->addr[i], m->width)) lanes &= ~(1u << i);
  return lanes;
}

static bool is_row(const SimSpan *span, const SimFit *fit, uint32_t mask) {
  return fit->contiguous && mask == SIM_FULL && !span->stride;
}

static void mark_written(const SimExec *exec, const SimSpan *span, const SimFit *fit, uint32_t mask, int width) {
  uint32_t ones = 0x01010101u;
  if (is_row(span, fit, mask)) {
    memset(span->init + (exec->addr[0] - span->base), 1, (size_t)width * SIM_LANES);
    return;
  }
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

static void look_for_whole(SimExec *exec) {
  exec->block.shared_whole = !memchr(exec->shared_init, 0, exec->program->shared_bytes);
}

// What a kernel fills it has mostly filled by its first barriers.
void sim_shadow_look_whole(SimExec *exec) {
  if (exec->block.shared_whole || exec->block.whole_looks == 8) return;
  exec->block.whole_looks++;
  look_for_whole(exec);
}

// Once all of shared memory is written nothing there needs to be looked at.
bool sim_shadow_is_whole(SimExec *exec) {
  if (!exec->block.shared_whole && exec->block.shared_stores++ % 256 == 255) look_for_whole(exec);
  return exec->block.shared_whole;
}

void sim_shadow_init(SimExec *exec, const SimInst *inst, uint32_t mask, TraceSpace space, const SimSpan *span,
                     const SimFit *fit) {
  const SimMem *m = inst->more;
  if (space == TRACE_SHARED && sim_shadow_is_whole(exec)) return;
  if (inst->kind != TRACE_STORE && !seems_written(exec, span, fit, m->width)) {
    uint32_t lanes = unwritten_lanes(exec, m, space, span, mask);
    if (lanes)
      sim_fault(exec, &(SimFaultPlace){.kind = FAULT_UNINITIALIZED, .mask = lanes, .space = space,
                                       .addr = exec->addr[__builtin_ctz(lanes)], .size = m->width, .has_addr = true});
  }
  if (inst->kind != TRACE_LOAD) mark_written(exec, span, fit, mask, m->width);
}
