// probe_decode.c: what an instrumented kernel left in memory, as the events of its blocks.
//
// The records of a block (probe_records.h) stand in an order of its events. Each tells of a site and of the plain instructions
// around it.
#include "device/probe/probe_decoder.h"
#include "device/probe/probe_multi.h"
#include "device/probe/probe_records.h"

// ---- reading records -----------------------------------------------------------------------------------------------

// A branch asks all its lanes whether they take it, as others do which of them are to do something.
static void read_record(ProbeDecoder *d) {
  ProbeTold *told = &d->record;
  d->yes = told->mask;
  if (d->probe->sites[told->site].kind == SITE_BRANCH) told->mask = told->active;
  probe_records_read(d->records, told, &d->yes, d->arrays);
}

// ---- events --------------------------------------------------------------------------------------------------------

TraceEvent probe_event_at(const ProbeDecoder *d, int pc, uint32_t active, uint32_t mask) {
  return (TraceEvent){.block = d->block,
                      .warp = (uint16_t)d->record.warp,
                      .kind = (uint8_t)probe_kind(d->probe, pc),
                      .pc = pc,
                      .active = active,
                      .mask = mask,
                      .target = -1,
                      .reconverge = -1,
                      .fault = -1};
}

static void regroup(ProbeDecoder *d, uint32_t lanes) {
  ProbeWarp *w = &d->warps[d->record.warp];
  if (lanes == w->together) return;
  w->together = lanes;
  d->next_group++;
  for (uint32_t left = lanes; left; left &= left - 1) w->group[__builtin_ctz(left)] = d->next_group;
}

// Lanes that were apart at their last event, and run together at this one, have met.
static bool have_met(const ProbeWarp *w, uint32_t lanes) {
  if (!(lanes & ~w->together)) return false;
  uint32_t first = w->group[__builtin_ctz(lanes)];
  for (uint32_t left = lanes; left; left &= left - 1)
    if (w->group[__builtin_ctz(left)] != first) return true;
  return false;
}

void probe_push(ProbeDecoder *d, TraceEvent *e) {
  ProbeWarp *w = &d->warps[e->warp];
  if (have_met(w, e->active)) e->flags |= TRACE_RECONVERGES;
  regroup(d, e->active);
  if (e->kind == TRACE_BRANCH && e->taken && e->taken != e->active) regroup(d, e->taken);
  if (e->kind == TRACE_EXIT) w->live &= ~e->mask;
  if (e->kind == TRACE_RET) places_leave(d->places, d->probe->module->code[e->pc].func, e->warp, e->mask);
  e->step = d->step++;
  if (d->sink && d->sink->event) d->sink->event(d->sink, e);
}

void probe_push_bare(ProbeDecoder *d, int pc, uint32_t active, uint32_t mask) {
  TraceEvent e = probe_event_at(d, pc, active, mask);
  probe_push(d, &e);
}

static int meeting(const ProbeDecoder *d, int pc) {
  const PtxModule *m = d->probe->module;
  return ptx_cfg_reconvergence(m, d->probe->cfgs[m->code[pc].func], pc);
}

static void push_branch(ProbeDecoder *d, int pc, uint32_t active, uint32_t taken, int target) {
  TraceEvent e = probe_event_at(d, pc, active, active);
  e.taken = taken;
  e.target = target;
  e.reconverge = meeting(d, pc);
  if (taken && taken != active) e.flags |= TRACE_DIVERGES;
  probe_push(d, &e);
}

// ---- accesses ------------------------------------------------------------------------------------------------------

// What an atomic did with which value; of a vector, with its first element.
static void add_values(ProbeDecoder *d, TraceEvent *e) {
  if (e->kind != TRACE_ATOM || !e->mask) return;
  if (probe_uses_old(d->probe, (int)e->pc)) e->flags |= TRACE_RETURNS_OLD;
  e->value = d->arrays[1];
  e->result = d->arrays[2];
  e->flags |= TRACE_VALUES;
}

// The lanes of `mask` whose generic address is of that space.
static uint32_t lanes_of_space(uint32_t mask, const uint64_t raw[PROBE_LANES], uint64_t space) {
  uint32_t lanes = 0;
  for (uint32_t left = mask; left; left &= left - 1)
    lanes |= (uint32_t)(raw[__builtin_ctz(left)] >> PROBE_SPACE_SHIFT == space) << __builtin_ctz(left);
  return lanes;
}

static void push_in_space(ProbeDecoder *d, const TraceEvent *e, TraceSpace space, uint32_t lanes, const uint64_t raw[PROBE_LANES]) {
  TraceEvent one = *e;
  one.space = (uint8_t)space;
  one.mask = lanes;
  one.addr = d->addr;
  places_find_all(d->places, space, e->warp, lanes, raw, d->addr);
  probe_push(d, &one);
}

void probe_push_access(ProbeDecoder *d, const TraceEvent *e, PtxSpace declared, const uint64_t raw[PROBE_LANES]) {
  uint64_t plain[PROBE_LANES];
  TraceEvent generic = *e;
  if (declared != PTX_GENERIC) {
    push_in_space(d, e, sim_space_of(declared), e->mask, raw);
    return;
  }
  generic.flags |= TRACE_GENERIC_ACCESS;
  for (int lane = 0; lane < PROBE_LANES; lane++) plain[lane] = raw[lane] & ((1ull << PROBE_SPACE_SHIFT) - 1);
  for (uint32_t left = e->mask, space = 0; left && space < TRACE_SPACE_COUNT; space++) {
    uint32_t lanes = lanes_of_space(left, raw, space);
    if (lanes) push_in_space(d, &generic, (TraceSpace)space, lanes, plain);
    left &= ~lanes;
  }
}

static void decode_access(ProbeDecoder *d, int pc, uint32_t active, uint32_t mask) {
  const PtxInstr *in = &d->probe->module->code[pc];
  if (!mask) { probe_push_bare(d, pc, active, 0); return; }
  TraceEvent e = probe_event_at(d, pc, active, mask);
  e.width = (uint8_t)probe_width(in);
  add_values(d, &e);
  probe_push_access(d, &e, probe_space(d->probe, in), d->arrays[0]);
}

// A parameter at a place that the code says.
static void decode_param(ProbeDecoder *d, int pc, uint32_t active, uint32_t mask) {
  const PtxOperand *o = ptx_address(&d->probe->module->code[pc]);
  uint64_t base = o && o->base == PTX_BASE_VAR ? d->probe->param_at[o->var] : 0;
  TraceEvent e = probe_event_at(d, pc, active, mask);
  for (int lane = 0; lane < PROBE_LANES; lane++) d->addr[lane] = base + (o ? (uint64_t)o->offset : 0);
  if (mask) {
    e.space = TRACE_PARAM;
    e.width = (uint8_t)probe_width(&d->probe->module->code[pc]);
    e.addr = d->addr;
  }
  probe_push(d, &e);
}

// ---- instructions that no site asks about --------------------------------------------------------------------------

// Of a function that the driver provides: the module has no code that would be the target.
static void push_outer_call(ProbeDecoder *d, int pc, uint32_t active, uint32_t mask) {
  TraceEvent e = probe_event_at(d, pc, active, mask);
  probe_push(d, &e);
}

static void decode_plain(ProbeDecoder *d, int pc, uint32_t active) {
  const PtxInstr *in = &d->probe->module->code[pc];
  if (probe_is_inner_call(d->probe, in)) {   // told where the function begins
    for (uint32_t left = active; left; left &= left - 1) d->warps[d->record.warp].call[__builtin_ctz(left)] = pc;
    return;
  }
  switch (probe_kind(d->probe, pc)) {
  case TRACE_BRANCH: push_branch(d, pc, active, active, in->operands[0].target); break;
  case TRACE_LOAD: case TRACE_STORE: decode_param(d, pc, active, active); break;
  case TRACE_CALL: push_outer_call(d, pc, active, active); break;
  default: probe_push_bare(d, pc, active, active); break;
  }
}

// With a guard.
static void decode_guarded(ProbeDecoder *d, int pc, uint32_t active, uint32_t mask) {
  const PtxInstr *in = &d->probe->module->code[pc];
  TraceKind kind = probe_kind(d->probe, pc);
  if (mask && probe_is_inner_call(d->probe, in)) decode_plain(d, pc, mask);
  else if (kind == TRACE_LOAD || kind == TRACE_STORE) decode_param(d, pc, active, mask);
  else if (kind == TRACE_CALL) push_outer_call(d, pc, active, mask);
  else if (kind == TRACE_RET && mask) probe_push_bare(d, pc, mask, mask);   // those that return part from the others first
  else probe_push_bare(d, pc, active, mask);
}

// ---- calls, jumps, barriers ----------------------------------------------------------------------------------------

static void decode_enter(ProbeDecoder *d, const ProbeSite *site) {
  ProbeWarp *w = &d->warps[d->record.warp];
  int func = d->probe->module->code[site->pc].func;
  bool has_frame = probe_records_arrays(d->records, d->record.site) > 0;
  if (has_frame) places_enter(d->places, func, (int)d->record.warp, d->record.active, d->arrays[0]);
  for (uint32_t left = d->record.active, same; left; left &= ~same) {
    int32_t pc = w->call[__builtin_ctz(left)];
    same = 0;
    for (uint32_t more = left; more; more &= more - 1)
      if (w->call[__builtin_ctz(more)] == pc) same |= 1u << __builtin_ctz(more);
    if (pc < 0) continue;   // the call itself was lost
    TraceEvent e = probe_event_at(d, pc, same, same);
    e.target = site->pc;
    probe_push(d, &e);
  }
}

// One event for each target, with those that are still there; those whose guard fails go on by themselves.
static void decode_jump(ProbeDecoder *d, int pc, uint32_t active, uint32_t mask) {
  const PtxOperand *o = &d->probe->module->code[pc].operands[1];
  const PtxTable *table = o->kind == PTX_OPD_TABLE ? &d->probe->module->tables[o->index] : NULL;
  int target[PROBE_LANES];
  for (int lane = 0; lane < PROBE_LANES; lane++) {
    uint64_t index = d->arrays[0][lane];
    target[lane] = table && index < (uint64_t)table->target_count ? table->targets[index] : -1;
  }
  while (active) {
    uint32_t same = 0;
    int to = mask ? target[__builtin_ctz(mask)] : -1;
    for (uint32_t left = mask; left; left &= left - 1)
      if (target[__builtin_ctz(left)] == to) same |= 1u << __builtin_ctz(left);
    push_branch(d, pc, active, same, to);
    if (!same) break;
    active &= ~same;
    mask &= ~same;
  }
}

static uint32_t threads_there(const ProbeDecoder *d, const ProbeBarrier *b, uint32_t *warps, uint32_t *wanted) {
  uint32_t threads = 0;
  *warps = *wanted = 0;
  for (int k = 0; k < d->warp_count; k++) {
    bool whole = b->lanes[k] && !(d->warps[k].live & ~b->lanes[k]);
    threads += whole ? PROBE_LANES : (uint32_t)__builtin_popcount(b->lanes[k]);
    *warps += whole;
    *wanted += d->warps[k].live || b->lanes[k];
  }
  if (b->threads) *wanted = (b->threads + PROBE_LANES - 1) / PROBE_LANES;
  return threads;
}

static bool is_complete(const ProbeDecoder *d, const ProbeBarrier *b, uint32_t threads) {
  if (b->threads) return threads >= b->threads;
  for (int k = 0; k < d->warp_count; k++)
    if (d->warps[k].live & ~b->lanes[k]) return false;
  return threads > 0;
}

// Lanes that ended may have been the last that a barrier waited for.
static void settle_barriers(ProbeDecoder *d) {
  uint32_t warps, wanted;
  for (int id = 0; id < PROBE_ALL_BARRIERS; id++) {
    ProbeBarrier *b = &d->barriers[id];
    if (b->used && is_complete(d, b, threads_there(d, b, &warps, &wanted))) *b = (ProbeBarrier){0};
  }
}

// The warps that are there, the warp of the event included; whoever completes the barrier opens it.
static void push_arrival(ProbeDecoder *d, TraceEvent *e, ProbeBarrier *b) {
  uint32_t warps, wanted, threads = threads_there(d, b, &warps, &wanted);
  e->arrived = (uint16_t)warps;
  e->expected = (uint16_t)wanted;
  if (is_complete(d, b, threads)) {
    e->flags |= TRACE_LAST_ARRIVAL;
    *b = (ProbeBarrier){0};
  }
  probe_push(d, e);
}

// The barrier of a cluster comes in two halves (sim/ops/exec_cluster.c): who waits for others that have arrived does not wait.
static void decode_cluster(ProbeDecoder *d, TraceEvent *e, bool arrives) {
  ProbeBarrier *b = &d->barriers[PROBE_BARRIERS];
  e->barrier_id = PROBE_BARRIERS;
  if (arrives) {
    b->used = true;
    b->lanes[e->warp] |= e->mask;
  }
  if (arrives || !(b->lanes[e->warp] & e->mask)) e->flags |= TRACE_BAR_ARRIVE;
  push_arrival(d, e, b);
}

static void decode_barrier(ProbeDecoder *d, int pc, uint32_t active, uint32_t mask) {
  const PtxInstr *in = &d->probe->module->code[pc];
  bool arrives = in->mode == PTX_BAR_ARRIVE;
  if (!mask) { probe_push_bare(d, pc, active, 0); return; }
  uint64_t asked = d->arrays[0][__builtin_ctz(mask)];
  TraceEvent e = probe_event_at(d, pc, active, mask);
  settle_barriers(d);
  if (in->scope == PTX_SCOPE_CLUSTER) { decode_cluster(d, &e, arrives); return; }
  e.barrier_id = (uint8_t)(asked % PROBE_BARRIERS);
  ProbeBarrier *b = &d->barriers[e.barrier_id];
  b->used = true;
  b->threads = (uint32_t)(asked >> 32);
  b->lanes[e.warp] |= mask;
  if (arrives) e.flags |= TRACE_BAR_ARRIVE;
  push_arrival(d, &e, b);
}

// ---- operations between lanes --------------------------------------------------------------------------------------

static void find_sources(ProbeDecoder *d, PtxMode mode, uint32_t mask) {
  for (uint32_t left = mask; left; left &= left - 1) {
    int lane = __builtin_ctz(left);
    uint64_t control = d->arrays[0][lane];   // see take_members in probe_emit.c
    int from = sim_shuffle_source(mode, lane, (uint32_t)(control >> 32), (uint32_t)(control >> 40));
    d->source[lane] = (uint8_t)(from < 0 || !(mask >> from & 1) ? lane : from);
  }
}

static void push_lanes(ProbeDecoder *d, int pc, uint32_t active, uint32_t mask) {
  const PtxInstr *in = &d->probe->module->code[pc];
  TraceEvent e = probe_event_at(d, pc, active, mask);
  e.members = in->op == PTX_OP_activemask ? mask : (uint32_t)d->arrays[0][__builtin_ctz(mask)];
  if (e.kind != TRACE_SYNCWARP) {
    e.flags |= TRACE_VALUES;
    e.result = d->arrays[2];
    e.value = e.kind == TRACE_VOTE ? NULL : d->arrays[1];
  }
  if (e.kind == TRACE_SHUFFLE) {
    find_sources(d, (PtxMode)in->mode, mask);
    e.source = d->source;
  }
  if (in->op == PTX_OP_vote) e.taken = d->yes & mask;
  if (in->op == PTX_OP_activemask) e.taken = mask;
  if (in->op == PTX_OP_elect) e.taken = mask & (0 - mask);
  probe_push(d, &e);
}

// Lanes that name different members do it one set after the other.
static void decode_lanes(ProbeDecoder *d, int pc, uint32_t active, uint32_t mask) {
  while (active) {
    uint32_t same = 0;
    if (!mask) { probe_push_bare(d, pc, active, 0); return; }
    uint32_t members = (uint32_t)d->arrays[0][__builtin_ctz(mask)];
    for (uint32_t left = mask; left; left &= left - 1)
      if ((uint32_t)d->arrays[0][__builtin_ctz(left)] == members) same |= 1u << __builtin_ctz(left);
    push_lanes(d, pc, same == mask ? active : same, same);
    if (same == mask) return;
    active &= ~same;
    mask &= ~same;
  }
}

// ---- a record ------------------------------------------------------------------------------------------------------

static void decode_site(ProbeDecoder *d, const ProbeSite *site) {
  uint32_t active = d->record.active, mask = d->record.mask;
  switch ((SiteKind)site->kind) {
  case SITE_GUARD: decode_guarded(d, site->pc, active, mask); break;
  case SITE_ACCESS: case SITE_ATOM: decode_access(d, site->pc, active, mask); break;
  case SITE_BRANCH:
    push_branch(d, site->pc, active, d->yes, d->probe->module->code[site->pc].operands[0].target);
    break;
  case SITE_JUMP: decode_jump(d, site->pc, active, mask); break;
  case SITE_BARRIER: decode_barrier(d, site->pc, active, mask); break;
  case SITE_LANES: decode_lanes(d, site->pc, active, mask); break;
  case SITE_MOVE: probe_decode_move(d, site->pc, active, mask); break;
  default: break;
  }
}

static void decode_record(ProbeDecoder *d) {
  const ProbeSite *site = &d->probe->sites[d->record.site];
  bool has_own = site->kind != SITE_HEAD && site->kind != SITE_ENTER;
  if (site->kind == SITE_ENTER) decode_enter(d, site);
  int own = has_own ? site->pc : site->from;
  for (int pc = site->from; pc < own; pc++) decode_plain(d, pc, d->record.active);
  if (has_own) decode_site(d, site);
  for (int pc = has_own ? own + 1 : own; pc < site->to; pc++) decode_plain(d, pc, d->record.active);
}

// ---- blocks --------------------------------------------------------------------------------------------------------

static void start_block(ProbeDecoder *d, uint32_t block) {
  d->block = block;
  memset(d->barriers, 0, sizeof d->barriers);
  places_start(d->places);
  for (int k = 0; k < d->warp_count; k++) {
    ProbeWarp *w = &d->warps[k];
    uint32_t lanes = probe_lanes_of(d->probe, (uint32_t)k);
    *w = (ProbeWarp){.live = lanes, .together = lanes};
    for (int lane = 0; lane < PROBE_LANES; lane++) w->call[lane] = -1;
  }
  if (d->sink && d->sink->begin_block) d->sink->begin_block(d->sink, block, true);
}

static void end_block(ProbeDecoder *d) {
  if (d->sink && d->sink->end_block) d->sink->end_block(d->sink, d->block);
}

enum { PROGRESS_EVERY = 1 << 18 };

// A block is told as a whole, or not at all.
static void decode_blocks(ProbeDecoder *d) {
  bool any = false;
  for (uint64_t i = 0; probe_records_next(d->records, &d->record); i++) {
    if (i % PROGRESS_EVERY == 0 && d->probe->progress)
      d->probe->progress(d->probe->progress_context, probe_records_done(d->records), probe_records_units(d->records));
    if (!any || d->record.block != d->block) {
      if (any) end_block(d);
      any = !d->probe->record_limit || d->step < d->probe->record_limit;
      if (!any) return;
      start_block(d, d->record.block);
    }
    read_record(d);
    decode_record(d);
  }
  if (any) end_block(d);
}

bool probe_decode(const Probe *probe, const uint8_t *memory, const TraceInfo *info, TraceSink *sink, uint64_t *lost,
                  LsErr *err) {
  ProbeDecoder d = {.probe = probe, .info = info, .sink = sink, .warp_count = (int)launch_warps(probe->launch)};
  ProbeHead head;
  if (d.warp_count < 1 || d.warp_count > PROBE_MOST_WARPS) return ls_fail(err, LS_EREQUEST, "blocks of %d warps", d.warp_count);
  memcpy(&head, memory, sizeof head);
  d.records = probe_records_new(probe, memory);
  d.warps = ls_alloc(sizeof *d.warps * (size_t)d.warp_count);
  d.places = places_new(probe, memory, info);
  decode_blocks(&d);
  if (sink) probe_sums(probe, memory, sink);
  if (lost) *lost = head.lost + probe_records_cut(d.records);   // of a chunk nobody knows how many: at least one
  places_free(d.places);
  free(d.warps);
  probe_records_free(d.records);
  return true;
}
