// races.c: races in global memory: a word that another lane, warp or block accessed too, with nothing that orders the
// two, and at least one of them writes.
//
// Every byte remembers who wrote it last, and two different warps that read it, the latest of them (access_history.c); reads only
// where the kernel may write at all (written.c). A warp that accesses whole lines of 128 bytes is remembered by lines.
// Strong accesses are remembered beside these (strong.h), so that an atomic does not hide a store before it.
// Within a block the clocks of shadow.c say what is ordered. Between blocks nothing is, unless the first one has
// published what it did (a fence and then an atomic or volatile write) and this one has looked at such a place since
// (happens_before.c). A store of the value that is there is not told.
//
// A fault is an event once, the first time. Which blocks ran before decides whether it is told, so a replay, which
// may begin with any block, has to be told about these events (sim_replay_expect).
#include "sim/check/races.h"
#include <string.h>
#include "sim/check/access_history.h"
#include "sim/check/fault.h"
#include "sim/check/happens_before.h"
#include "sim/check/unchanged.h"
#include "sim/core/event.h"

typedef struct Place { uint32_t lane, other_lane; bool writes, other_writes; } Place;

static void report_race(SimExec *exec, const SimInst *inst, const Place *p, const SimLastAccess *o) {
  const SimMem *m = inst->more;
  SimFaultPlace place = {.kind = FAULT_RACE, .mask = 1u << p->lane, .addr = exec->addr[p->lane]};
  place.space = place.addr >= SIM_IMAGE_BASE ? TRACE_TEXTURE : TRACE_GLOBAL;
  place.size = m->width;
  place.has_addr = place.has_other = place.once = true;
  place.writes = p->writes;
  place.other_pc = (int32_t)(o->info >> 10);
  place.other_thread = (o->info & 31) * SIM_LANES + p->other_lane;
  place.other_block = o->block - 1;
  place.text = p->other_writes ? "writes" : "reads";
  if (!p->other_writes && sim_meets_guess(exec, inst, place.other_pc)) place.kind = FAULT_UNCHECKED_READ;
  sim_fault(exec, &place);
}

// ---- order ---------------------------------------------------------------------------------------------------------

static bool is_ordered(const SimExec *exec, const SimLastAccess *o, const Place *p) {
  const SimWarp *w = exec->warp;
  uint32_t warp = o->writer & 31, epoch = o->writer >> SIM_CELL_SHIFT;
  if (o->block != exec->block.number + 1)
    return exec->program->has_fences && sim_happens_before_has(exec, o->block - 1, (int)warp, epoch);
  if ((int)warp != sim_warp_index(exec)) return epoch <= w->clock[warp];
  return exec->sched == SIM_STACK || epoch <= (p->other_writes ? w->lanes_met : w->lanes_read) ||
         p->lane == p->other_lane || (int32_t)(o->info >> 10) == exec->reported_pc;
}

// ---- checking ------------------------------------------------------------------------------------------------------

// A store of what is there already changes nothing, whoever comes first.
static bool stores_the_same(const SimExec *exec, const SimInst *inst, const SimSpan *span, uint32_t lane) {
  return inst->kind == TRACE_STORE && sim_is_unchanged(exec, inst->more, span, lane);
}

static void check_one(SimExec *exec, const SimInst *inst, const SimSpan *span, const SimLastAccess *o, const Place *p) {
  if (!o->block || is_ordered(exec, o, p)) return;
  if (!stores_the_same(exec, inst, span, p->lane)) report_race(exec, inst, p, o);
}

// `bytes` of the word against who accessed it as a part of a line: lanes are as wide as they were then.
static void check_line(SimExec *exec, const SimInst *inst, const SimSpan *span, const SimLastAccess *o, uint64_t offset,
                       Place p) {
  if (!o->block) return;
  p.other_lane = ((o->info >> 5 & 31) + (uint32_t)(offset % SIM_LINE) / o->part) & 31;
  check_one(exec, inst, span, o, &p);
}

static void check_bytes(SimExec *exec, const SimInst *inst, const SimSpan *span, const SimLastAccess *o, uint32_t bytes,
                        Place p) {
  if (!o->block) return;
  if (o->block == SIM_ACCESS_SPLIT) {
    for (uint32_t b = 0; b < 4; b++)
      if (bytes >> b & 1) check_bytes(exec, inst, span, &exec->history->splits[o->info - 1].bytes[b], bytes, p);
    return;
  }
  uint32_t both = o->part & bytes;
  if (!both) return;
  p.other_lane = sim_access_lane(o, (uint32_t)__builtin_ctz(both));
  check_one(exec, inst, span, o, &p);
}

static void check_strong(SimExec *exec, const SimInst *inst, const SimSpan *span, const SimHistoryPiece *w,
                         uint64_t word, uint32_t lane, uint32_t bytes) {
  const SimMem *m = inst->more;
  uint32_t how = m->how | (sim_lane_writes(exec, inst, lane) ? SIM_WRITES : 0);
  SimStrongAccess now = sim_strong_now(exec, how, lane, bytes);
  SimConflict kind;
  const SimStrongAccess *o =
      sim_strong_conflict(exec, w->strong_writes ? &w->strong_writes[word] : NULL,
                          w->strong_reads ? &w->strong_reads[word] : NULL, &now, &kind);
  if (!o || (kind != SIM_LOST_UPDATE && stores_the_same(exec, inst, span, lane))) return;
  SimFaultPlace place = {.mask = 1u << lane, .addr = exec->addr[lane], .space = TRACE_GLOBAL, .size = m->width};
  place.has_addr = place.has_other = place.once = true;
  place.other_pc = (int32_t)(o->info >> 10);
  place.other_thread = (o->info & 31) * SIM_LANES + (o->info >> 5 & 31);
  place.other_block = o->block - 1;
  sim_strong_fault(exec, &place, kind, how, o->how);
}

static void check_word(SimExec *exec, const SimInst *inst, const SimSpan *span, const SimHistoryPiece *w, uint32_t lane,
                       uint64_t offset, uint32_t bytes) {
  uint64_t word = offset % SIM_PIECE_BYTES / 4, line = offset % SIM_PIECE_BYTES / SIM_LINE;
  Place p = {.lane = lane, .writes = sim_lane_writes(exec, inst, lane), .other_writes = true};
  if (w->lines) check_line(exec, inst, span, &w->lines[line], offset, p);
  if (w->words) check_bytes(exec, inst, span, &w->words[word], bytes, p);
  p.other_writes = false;
  for (uint64_t k = 0; k < 2 && p.writes && w->line_readers; k++)
    check_line(exec, inst, span, &w->line_readers[line * 2 + k], offset, p);
  for (uint64_t k = 0; k < 2 && p.writes && w->readers; k++)
    check_bytes(exec, inst, span, &w->readers[word * 2 + k], bytes, p);
  if (w->strong_writes || (w->strong_reads && p.writes)) check_strong(exec, inst, span, w, word, lane, bytes);
}

static uint32_t bytes_of(uint64_t offset, uint32_t width) {
  return width >= 4 ? 15 : ((1u << width) - 1) << (offset & 3) & 15;
}

static bool nobody_wrote(const SimHistoryPiece *w) { return !w->words && !w->lines && !w->strong_writes; }

static void check_lane(SimExec *exec, const SimInst *inst, const SimSpan *span, uint32_t lane) {
  const SimMem *m = inst->more;
  uint64_t offset = exec->addr[lane] - span->alloc->base;
  const SimHistoryPiece *w = sim_history_at(exec, span->alloc, offset);
  if (!w || (inst->kind == TRACE_LOAD && nobody_wrote(w))) return;
  for (uint64_t k = 0; k < m->width; k += 4)
    check_word(exec, inst, span, w, lane, offset + k, bytes_of(offset, m->width));
}

static bool is_untouched(const SimLastAccess *entries, uint64_t at) { return !entries || !entries[at].block; }

static bool has_weak(const SimHistoryPiece *w) { return w->lines || w->line_readers || w->words || w->readers; }

// The usual case of an atomic: nobody has accessed any word near but by such as may meet it.
static bool all_meet(const SimHistoryPiece *w) { return !has_weak(w) && !w->strong_reads && !w->has_unmet; }

// Or at least none of its words.
static bool is_met(const SimHistoryPiece *w, uint64_t offset, uint64_t width) {
  uint64_t line = offset % SIM_PIECE_BYTES / SIM_LINE;
  bool weak = has_weak(w);
  if (weak && !(is_untouched(w->lines, line) && is_untouched(w->line_readers, line * 2))) return false;
  for (uint64_t k = 0; k < width; k += 4) {
    uint64_t word = (offset + k) % SIM_PIECE_BYTES / 4;
    if (weak && !(is_untouched(w->words, word) && is_untouched(w->readers, word * 2))) return false;
    if (w->strong_writes && !sim_are_met(w->strong_writes[word].last)) return false;
    if (w->strong_reads && !sim_are_met(w->strong_reads[word].last)) return false;
  }
  return true;
}

static void check_atomic(SimExec *exec, const SimInst *inst, const SimSpan *span, uint32_t mask) {
  const SimMem *m = inst->more;
  const uint64_t base = span->alloc->base, width = m->width;
  SimHistoryPiece *pieces = exec->history->pieces[span->alloc->number];
  bool is_one_piece = span->alloc->size <= SIM_PIECE_BYTES;
  if (!pieces || (is_one_piece && all_meet(pieces))) return;
  SIM_FOR_LANES(i, mask) {
    uint64_t offset = exec->addr[i] - base;
    SimHistoryPiece *w = &pieces[offset / SIM_PIECE_BYTES];
    if (all_meet(w)) continue;
    sim_history_note_late(w);
    if (!is_met(w, offset, width)) check_lane(exec, inst, span, i);
  }
}

// Of this warp, and cut among its lanes in another way: then every word counts.
static bool is_cut_otherwise(const SimExec *exec, const SimLastAccess *o, uint32_t width) {
  bool own = o->block == exec->block.number + 1 && (int)(o->writer & 31) == sim_warp_index(exec);
  return own && o->part != width;
}

// One look does for a whole line that was only accessed as such.
static bool check_whole_line(SimExec *exec, const SimInst *inst, const SimSpan *span, uint64_t offset, uint32_t lane) {
  const SimMem *m = inst->more;
  const SimHistoryPiece *w = sim_history_at(exec, span->alloc, offset);
  uint64_t line = offset % SIM_PIECE_BYTES / SIM_LINE;
  if (!w || (inst->kind == TRACE_LOAD && nobody_wrote(w))) return true;
  if (w->words || w->strong_writes || ((w->readers || w->strong_reads) && inst->kind != TRACE_LOAD)) return false;
  if (w->lines && is_cut_otherwise(exec, &w->lines[line], m->width)) return false;
  for (uint64_t k = 0; k < 2 && w->line_readers; k++)
    if (is_cut_otherwise(exec, &w->line_readers[line * 2 + k], m->width)) return false;
  check_word(exec, inst, span, w, lane, offset, 15);
  return true;
}

static void check_lines(SimExec *exec, const SimInst *inst, const SimSpan *span) {
  const SimMem *m = inst->more;
  uint32_t lanes = SIM_LINE / m->width;   // of a line
  for (uint32_t lane = 0; lane < SIM_LANES; lane += lanes) {
    if (check_whole_line(exec, inst, span, exec->addr[lane] - span->alloc->base, lane)) continue;
    for (uint32_t i = lane; i < lane + lanes; i++) check_lane(exec, inst, span, i);
  }
}

// ---- remembering ---------------------------------------------------------------------------------------------------

static SimLastAccess owner_now(const SimExec *exec, uint32_t lane, uint32_t part) {
  uint32_t warp = (uint32_t)sim_warp_index(exec);
  return (SimLastAccess){.block = exec->block.number + 1, .writer = exec->block.epoch << SIM_CELL_SHIFT | warp,
                    .info = (uint32_t)exec->reported_pc << 10 | lane << 5 | warp, .part = part};
}

static void remember_lane(SimExec *exec, const SimInst *inst, const SimAlloc *a, uint32_t lane) {
  const SimMem *m = inst->more;
  uint64_t offset = exec->addr[lane] - a->base;
  SimHistoryPiece *w = sim_history_piece(exec, a, offset);
  SimLastAccess now = owner_now(exec, lane, bytes_of(offset, m->width));
  for (uint64_t k = 0; k < m->width; k += 4) {
    if (inst->kind == TRACE_LOAD) sim_history_read(exec, w, (offset + k) / 4, now);
    else sim_history_write(exec, w, (offset + k) / 4, now);
  }
}

static void remember_lanes(SimExec *exec, const SimInst *inst, const SimAlloc *a, uint32_t mask) {
  const SimMem *m = inst->more;
  SimStrongAccess now = sim_strong_now(exec, m->how, 0, 0);
  uint32_t info = now.info;
  SIM_FOR_LANES(i, mask) {
    uint64_t offset = exec->addr[i] - a->base;
    SimHistoryPiece *w = sim_history_piece(exec, a, offset);
    now.info = info | i << 5;
    now.how = (uint16_t)(m->how | (sim_lane_writes(exec, inst, i) ? SIM_WRITES : 0));
    now.bytes = (uint16_t)bytes_of(offset, m->width);
    for (uint64_t k = 0; k < m->width; k += 4) sim_history_strong(exec, w, (offset + k) / 4, &now);
  }
}

// Another lane of the same atomic on the same word only moves the last one back: nothing is read that was just written.
static void note_atomic(SimStrongAccess last[SIM_STRONG_LAST], const SimStrongAccess *now, uint32_t info) {
  if (last[0].number != now->number || last[0].block != now->block) {
    sim_strong_note_as(last, now, info);
    return;
  }
  last[2] = *now;
  last[2].info = last[0].info;
  last[0].info = info;
}

// The same where nobody asks who came last. False: somebody does. Of a lane all words are in one piece.
static bool remember_late(SimExec *exec, const SimInst *inst, const SimAlloc *a, uint32_t mask) {
  const SimMem *m = inst->more;
  uint64_t piece = (exec->addr[0] - a->base) / SIM_PIECE_BYTES * SIM_PIECE_BYTES;
  SimHistoryPiece *w = sim_history_piece_late(exec, a, piece);
  if (!sim_meets_all(m->how) || !all_meet(w) || !sim_history_strong_writes(exec, w)) return false;
  const SimStrongAccess now = sim_strong_now(exec, m->how | SIM_WRITES, 0, 15);
  if (!sim_history_late(exec, w, &now, a->base + piece, mask)) return false;
  for (uint64_t k = 4; k < m->width; k += 4) sim_history_late(exec, w, &now, a->base + piece - k, mask);
  return true;
}

// Atomics that write a word each.
static void remember_atomic(SimExec *exec, const SimInst *inst, const SimAlloc *a, uint32_t mask) {
  const SimMem *m = inst->more;
  const SimStrongAccess now = sim_strong_now(exec, m->how | SIM_WRITES, 0, 15);
  for (uint32_t left = mask, some; left; left &= ~some) {
    uint64_t first = (exec->addr[__builtin_ctz(left)] - a->base) / SIM_PIECE_BYTES * SIM_PIECE_BYTES;
    SimHistoryPiece *w = sim_history_piece(exec, a, first);
    SimStrongWrites *writes = sim_history_strong_writes(exec, w);
    w->has_unmet |= !sim_is_met(now.how);
    some = 0;
    SIM_FOR_LANES(i, left) {
      uint64_t offset = exec->addr[i] - a->base - first;
      if (offset >= SIM_PIECE_BYTES) break;
      some |= 1u << i;
      if (writes) note_atomic(writes[offset / 4].last, &now, now.info | i << 5);
    }
  }
}

static bool writes_words(const SimInst *inst) {
  const SimMem *m = inst->more;
  return inst->kind == TRACE_ATOM && m->width % 4 == 0 && m->op != PTX_AT_CAS && !(m->how & SIM_LOOKS);
}

static void remember_strong(SimExec *exec, const SimInst *inst, const SimAlloc *a, uint32_t mask) {
  const SimMem *m = inst->more;
  if (!writes_words(inst)) remember_lanes(exec, inst, a, mask);
  else if (remember_late(exec, inst, a, mask)) return;
  else if (m->width == 4) remember_atomic(exec, inst, a, mask);
  else remember_lanes(exec, inst, a, mask);
}

static void remember_lines(SimExec *exec, const SimInst *inst, const SimAlloc *a) {
  const SimMem *m = inst->more;
  for (uint32_t lane = 0; lane < SIM_LANES; lane += SIM_LINE / m->width) {
    uint64_t offset = exec->addr[lane] - a->base;
    SimLastAccess now = owner_now(exec, lane, m->width);
    sim_history_line(exec, sim_history_piece(exec, a, offset), offset / SIM_LINE, now, inst->kind == TRACE_STORE);
  }
}

void sim_races_expected(SimExec *exec) {
  for (int i = 0; i < exec->hooks->expected_count; i++) {
    const SimExpectedEvent *expected = &exec->hooks->expected[i];
    if (expected->block == exec->block.number && expected->event == exec->block.events)
      sim_fault_expected(exec, expected->fault);
  }
}

void sim_races_access(SimExec *exec, const SimInst *inst, const SimSpan *span, const SimFit *fit, uint32_t mask) {
  const SimMem *m = inst->more;
  SimAlloc *a = span->alloc;
  if (exec->hooks) { sim_races_expected(exec); return; }
  if (a->is_const) return;
  bool whole = fit->contiguous && mask == SIM_FULL && m->width >= 4 && !(m->how & SIM_STRONG) &&
               inst->kind != TRACE_ATOM && (exec->addr[0] - a->base) % SIM_LINE == 0;
  bool keeps = inst->kind != TRACE_LOAD || a->may_be_written;
  if (whole) {
    check_lines(exec, inst, span);
    if (keeps) remember_lines(exec, inst, a);
    return;
  }
  if (inst->kind == TRACE_ATOM && sim_meets_all(m->how)) check_atomic(exec, inst, span, mask);
  else SIM_FOR_LANES(i, mask) check_lane(exec, inst, span, i);
  if (!keeps) return;
  if (m->how & SIM_STRONG) remember_strong(exec, inst, a, mask);
  else SIM_FOR_LANES(i, mask) remember_lane(exec, inst, a, i);
}
