// probe_sums.c: the counters of a device, summed over their copies, as tallies, counts of each site, and times of
// blocks.
#include "device/probe/probe_multi.h"
#include "device/probe/probe_affine.h"
#include "device/probe/probe_held.h"

enum { LANES = 32 };

typedef struct Sums { const Probe *probe; uint64_t *slots; } Sums;

static uint64_t *sum_copies(const Probe *probe, const uint8_t *memory) {
  uint64_t *sums = ls_alloc(sizeof *sums * (size_t)(probe->slots + 1));
  for (int copy = 0; copy < probe->copies; copy++) {
    const uint8_t *row = memory + probe->at_counters + (uint64_t)copy * (uint64_t)probe->slots * 8;
    for (int i = 0; i < probe->slots; i++) {
      uint64_t value;
      memcpy(&value, row + 8 * (size_t)i, sizeof value);
      sums[i] += value;
    }
  }
  probe_add_held(probe, sums);
  return sums;
}

// ---- segments and groups -------------------------------------------------------------------------------------------

static const ProbeGroup *group_of(const Probe *probe, int pc) {
  int site = probe->site_of[pc];
  return site >= 0 && probe->sites[site].group >= 0 ? &probe->groups[probe->sites[site].group] : NULL;
}

static TraceTally executions(const Sums *sums, int pc) {
  const uint64_t *slots = sums->slots + sums->probe->segments[sums->probe->segment_of[pc]].slot;
  return (TraceTally){
      .pc = pc, .warps = slots[SEGMENT_WARPS], .lanes = slots[SEGMENT_WARPS] * LANES - slots[SEGMENT_MISSING]};
}

// ---- accesses ------------------------------------------------------------------------------------------------------

// Those that its shape tells of: so many executions, by so many lanes (see affine_is_free for what is free).
static void add_free(const ProbeGroup *g, uint64_t times, uint64_t lanes, uint64_t out[PROBE_SPACE_COUNTS]) {
  bool shared = g->space == PTX_SHARED, constant = g->space == PTX_CONST;
  out[PROBE_FIRST] += g->what == PROBE_ATOM ? lanes : times;
  if (g->what == PROBE_ATOM) out[PROBE_SECOND] += lanes - times;
  else if (!shared && !constant) out[PROBE_SECOND] += times * g->width;
}

static void add_full(const ProbeAffine *affine, const uint64_t *phases, uint64_t times,
                     uint64_t out[PROBE_SPACE_COUNTS]) {
  for (int i = 0; i < affine->phases; i++) {
    uint64_t often = affine->phases > 1 ? phases[i] : times;
    out[PROBE_FIRST] += often * affine->full[i].first;
    out[PROBE_SECOND] += often * affine->full[i].second;
  }
}

// Requests, lanes and the two others of an access in its s-th space.
static void access_counts(const Sums *sums, const ProbeGroup *g, int pc, int s, uint64_t out[PROBE_SPACE_COUNTS]) {
  const uint64_t *row = sums->slots + g->slot + s * PROBE_SPACE_COUNTS;
  TraceTally there = executions(sums, pc);
  bool guarded = sums->probe->module->code[pc].guard >= 0;
  memcpy(out, row, sizeof(uint64_t) * PROBE_SPACE_COUNTS);
  if (g->space == PTX_GENERIC || g->part) return;
  if (probe_counts_wavefronts(sums->probe, g))
    out[PROBE_SECOND] = row[PROBE_FIRST] - (g->affine ? row[PROBE_REQUESTS] : there.warps);
  if (guarded && g->affine) add_free(g, row[PROBE_REQUESTS], row[PROBE_DOING], out);
  if (guarded) return;
  out[PROBE_REQUESTS] = there.warps;
  out[PROBE_DOING] = there.lanes;
  if (!g->affine && g->space == PTX_LOCAL) out[PROBE_SECOND] = there.lanes * g->width;
  if (!g->affine) return;
  uint64_t times = there.warps - row[PROBE_REQUESTS];
  if (g->affine->use == AFFINE_FREE) add_free(g, times, there.lanes - row[PROBE_DOING], out);
  else add_full(g->affine, sums->slots + probe_phase_slot(g), times, out);
}

static int space_count(const ProbeGroup *g) { return g->space == PTX_GENERIC ? PROBE_SPACES : 1; }

static uint64_t lanes_doing(const Sums *sums, const ProbeGroup *g, int pc) {
  uint64_t doing = 0, counts[PROBE_SPACE_COUNTS];
  for (int s = 0; s < space_count(g); s++) {
    access_counts(sums, g, pc, s, counts);
    doing += counts[PROBE_DOING];
  }
  return doing;
}

// ---- one instruction -----------------------------------------------------------------------------------------------

// Lanes that did it, but for branches, which all lanes that are there execute.
static TraceTally tally_of(const Sums *sums, int pc) {
  const ProbeGroup *g = group_of(sums->probe, pc);
  TraceTally t = executions(sums, pc);
  if (!g) return t;
  bool guarded = g->kind == GROUP_GUARD || (g->kind == GROUP_MOVE && sums->probe->module->code[pc].guard >= 0);
  if (guarded) t.lanes = sums->slots[g->slot + 1];
  if (g->kind == GROUP_ACCESS) t.lanes = lanes_doing(sums, g, pc);
  if (g->kind == GROUP_TURNS) {
    bool jumps = probe_kind(sums->probe, pc) == TRACE_BRANCH;
    t.warps = sums->slots[g->slot + (jumps ? PROBE_JUMPS : PROBE_TURNS)];
    t.lanes = sums->slots[g->slot + (jumps ? PROBE_JUMP_LANES : PROBE_TURN_LANES)];
  }
  return t;
}

// ---- counts --------------------------------------------------------------------------------------------------------

typedef struct Rows { TraceCount *rows; int count, capacity; } Rows;

static TraceSpace counted_space(const ProbeGroup *g, int s) {
  switch (g->space) {
  case PTX_GENERIC: return (TraceSpace)s;
  case PTX_SHARED: return TRACE_SHARED;
  case PTX_LOCAL: return TRACE_LOCAL;
  case PTX_CONST: return TRACE_CONST;
  default: return TRACE_GLOBAL;
  }
}

static void fill_access(TraceCount *c, const uint64_t counts[PROBE_SPACE_COUNTS]) {
  c->requests = counts[PROBE_REQUESTS];
  c->doing = counts[PROBE_DOING];
  if (c->kind == TRACE_ATOM) {
    c->sectors = c->space == TRACE_GLOBAL ? counts[PROBE_FIRST] : 0;
    c->queued = counts[PROBE_SECOND];
  } else if (c->space == TRACE_SHARED) {
    c->wavefronts = counts[PROBE_FIRST];
    c->conflicts = counts[PROBE_SECOND];
  } else {
    c->sectors = counts[PROBE_FIRST];
    c->bytes = counts[PROBE_SECOND];
  }
}

static void add_access(const Sums *sums, const ProbeGroup *g, TraceCount row, Rows *rows) {
  if (probe_uses_old(sums->probe, (int)row.pc)) row.flags = TRACE_RETURNS_OLD;
  for (int s = 0; s < space_count(g); s++) {
    uint64_t counts[PROBE_SPACE_COUNTS];
    TraceCount c = row;
    access_counts(sums, g, row.pc, s, counts);
    if (!counts[PROBE_REQUESTS]) continue;
    c.space = (uint8_t)counted_space(g, s);
    fill_access(&c, counts);
    LS_PUSH(rows->rows, rows->count, rows->capacity, c);
  }
}

// Once for each image that lanes name, if a lane does it; executions in which none does have had a turn, too.
static void add_texels(const Sums *sums, const ProbeGroup *g, TraceCount row, Rows *rows) {
  const uint64_t *slots = sums->slots + g->slot;
  bool guarded = sums->probe->module->code[row.pc].guard >= 0;
  row.space = TRACE_TEXTURE;
  row.requests = slots[2 + PROBE_TURNS] - (guarded ? row.warps - slots[0] : 0);
  row.doing = slots[2 + PROBE_TURN_LANES];
  if (row.requests) LS_PUSH(rows->rows, rows->count, rows->capacity, row);
}

static void add_move(const Sums *sums, const ProbeGroup *g, TraceCount row, Rows *rows) {
  const ProbeMove *m = probe_move_of(sums->probe, g->first_pc);
  if (m->kind == MOVE_TEXELS) { add_texels(sums, g, row, rows); return; }
  for (int i = 0; i < m->row_count; i++) {
    ProbeGroup part = probe_row_group(g, &m->rows[i]);
    row.kind = m->rows[i].trace_kind;
    add_access(sums, &part, row, rows);
  }
}

static void add_row(const Sums *sums, int pc, Rows *rows) {
  const ProbeGroup *g = group_of(sums->probe, pc);
  TraceTally there = executions(sums, pc), does = tally_of(sums, pc);
  TraceCount row = {.pc = pc, .kind = (uint8_t)probe_kind(sums->probe, pc), .warps = does.warps, .lanes = there.lanes};
  bool accesses = row.kind == TRACE_LOAD || row.kind == TRACE_STORE;
  if (row.kind == TRACE_EXEC || !there.warps) return;
  if (g && g->kind == GROUP_ACCESS) { add_access(sums, g, row, rows); return; }
  if (g && g->kind == GROUP_MOVE) { add_move(sums, g, row, rows); return; }
  if (accesses) row.space = TRACE_PARAM;
  row.requests = g && g->kind == GROUP_GUARD ? sums->slots[g->slot] : does.warps;
  row.doing = does.lanes;
  if (g && g->kind == GROUP_BRANCH) row.diverging = sums->slots[g->slot];
  if (g && g->kind == GROUP_TURNS) row.lanes = does.lanes;
  if (g && g->kind == GROUP_TURNS && row.kind == TRACE_BRANCH) row.diverging = sums->slots[g->slot + PROBE_JUMP_PARTS];
  LS_PUSH(rows->rows, rows->count, rows->capacity, row);
}

// ---- times ---------------------------------------------------------------------------------------------------------

static int by_start(const void *a, const void *b) {
  const TraceBlockTime *x = a, *y = b;
  if (x->start != y->start) return x->start < y->start ? -1 : 1;
  return x->block < y->block ? -1 : x->block > y->block;
}

void probe_block_times(const Probe *probe, const uint8_t *memory, TraceSink *sink) {
  if (!sink->block_times || !probe->timed_blocks) return;
  TraceBlockTime *times = ls_alloc(sizeof *times * (size_t)(probe->timed_blocks + 1));
  uint64_t first = UINT64_MAX;
  int count = 0;
  for (uint64_t b = 0; b < probe->timed_blocks && count < INT32_MAX; b++) {
    ProbeBlock block;
    memcpy(&block, memory + probe->at_blocks + b * sizeof block, sizeof block);
    if (!block.before_start || !block.sm) continue;
    uint64_t start = ~block.before_start;
    times[count++] = (TraceBlockTime){(uint32_t)b, (uint16_t)(block.sm - 1), start, LS_MAX(block.end, start)};
    first = LS_MIN(first, start);
  }
  for (int i = 0; i < count; i++) {
    times[i].start -= first;
    times[i].end -= first;
  }
  if (count) qsort(times, (size_t)count, sizeof *times, by_start);
  sink->block_times(sink, times, count);
  free(times);
}

void probe_sums(const Probe *probe, const uint8_t *memory, TraceSink *sink) {
  Sums sums = {probe, sum_copies(probe, memory)};
  TraceTally *tallies = ls_alloc(sizeof *tallies * (size_t)(probe->module->code_count + 1));
  Rows rows = {0};
  int count = 0;
  for (int pc = 0; pc < probe->module->code_count; pc++) {
    if (probe->segment_of[pc] < 0) continue;
    tallies[count] = tally_of(&sums, pc);
    count += tallies[count].warps != 0;
    add_row(&sums, pc, &rows);
  }
  if (sink->tally) sink->tally(sink, tallies, count);
  if (sink->counts) sink->counts(sink, rows.rows, rows.count);
  probe_block_times(probe, memory, sink);
  free(rows.rows);
  free(tallies);
  free(sums.slots);
}
