// witness.c: follows some blocks of a run through its events, and keeps their accesses site by site.
#include "model/findings/witness.h"

#include <stdlib.h>
#include <string.h>

#include "model/findings/witness_memory.h"
#include "model/findings/witness_shape.h"
#include "model/findings/witness_sync.h"

struct Witness {
  TraceSink sink;                      // first: the sink is the object
  TraceSink *next;
  const PtxModule *module;
  int codes, threads, warps;
  uint32_t chosen[WITNESS_BLOCKS]; int chosen_count;   // ascending
  WitnessBlock *blocks[WITNESS_BLOCKS];                // of chosen[i]; NULL: not seen yet
  WitnessBlock *now;                   // that runs; NULL: it is none of them, or has had its share
  WitnessTally *tallies;               // [codes]
  bool knows_absent, by_event, has_barriers;
  uint64_t limit;                      // events of a block
};

// ---- blocks and sites ----------------------------------------------------------------------------------------------

static void site_free(WitnessSite *site) {
  if (!site) return;
  free(site->shapes);
  free(site->first);
  free(site->first_known);
  free(site->warps);
  free(site);
}

static void block_free(const Witness *witness, WitnessBlock *block) {
  if (!block) return;
  for (int pc = 0; pc < witness->codes; pc++) site_free(block->sites[pc]);
  free(block->sites);
  witness_memory_free(block->memory);
  witness_sync_free(block->sync);
  free(block);
}

static WitnessBlock *block_new(const Witness *witness, uint32_t number) {
  WitnessBlock *block = ls_alloc(sizeof *block);
  block->block = number;
  block->sites = ls_alloc(sizeof *block->sites * ((size_t)witness->codes + 1));
  block->memory = witness_memory_new();
  if (witness->has_barriers && witness->warps > 1) block->sync = witness_sync_new();
  return block;
}

static WitnessSite *site_of(const Witness *witness, WitnessBlock *block, const TraceEvent *event) {
  WitnessSite *site = block->sites[event->pc];
  if (site) return site;
  site = block->sites[event->pc] = ls_alloc(sizeof *site);
  site->kind = event->kind;
  site->space = event->space;
  site->width = event->width;
  if (!event->addr) return site;
  site->first = ls_alloc(sizeof *site->first * (size_t)witness->threads);
  site->first_known = ls_alloc((size_t)witness->threads);
  site->warps = ls_alloc(sizeof *site->warps * (size_t)witness->warps);
  return site;
}

// ---- threads and rounds --------------------------------------------------------------------------------------------

static void take_first(const Witness *witness, WitnessSite *site, const TraceEvent *event) {
  for (uint32_t left = event->mask; left; left &= left - 1) {
    int lane = __builtin_ctz(left), thread = event->warp * 32 + lane;
    if (thread >= witness->threads || site->first_known[thread]) continue;
    site->first_known[thread] = 1;
    site->first[thread] = event->addr[lane];
  }
}

static void vote(WitnessSite *site, int64_t distance) {
  if (site->round_votes == 0) site->round = distance, site->round_same = 0;
  site->round_votes += distance == site->round ? 1 : -1;
  site->round_same += distance == site->round;
  site->round_all++;
}

static void take_round(const Witness *witness, WitnessSite *site, const TraceEvent *event) {
  if (event->warp >= witness->warps) return;
  struct WitnessRound *warp = &site->warps[event->warp];
  int lane = __builtin_ctz(event->mask);
  if (warp->rounds && warp->mask == event->mask) vote(site, (int64_t)(event->addr[lane] - warp->last));
  if (event->mask & ~warp->mask) take_first(witness, site, event);
  warp->mask = warp->rounds ? warp->mask | event->mask : event->mask;
  warp->last = event->addr[lane];
  warp->rounds++;
}

// ---- branches ------------------------------------------------------------------------------------------------------

static void take_parting(WitnessSite *site, const TraceEvent *event) {
  if (!(event->flags & TRACE_DIVERGES)) return;
  site->parted++;
  for (int i = 0; i < site->parting_count; i++) {
    WitnessParting *p = &site->partings[i];
    if (p->active != event->active || p->taken != event->taken) continue;
    p->count++;
    return;
  }
  if (site->parting_count < WITNESS_SHAPES)
    site->partings[site->parting_count++] = (WitnessParting){1, event->active, event->taken};
}

// ---- memory --------------------------------------------------------------------------------------------------------

static bool is_weak(const Witness *witness, int pc) {
  return witness->module->code[pc].sem == PTX_WEAK;
}

static void take_memory(const Witness *witness, WitnessBlock *block, WitnessSite *site, const TraceEvent *event) {
  if (event->kind == TRACE_ATOM) {
    site->changes += (uint64_t)__builtin_popcount(event->mask);
    site->again_changed += (uint64_t)witness_memory_atomic(block->memory, event);
  }
  if (event->space != TRACE_GLOBAL) return;
  if (event->kind != TRACE_LOAD) witness_memory_store(block->memory, event);
  else if (is_weak(witness, event->pc)) site->again += (uint64_t)witness_memory_load(block->memory, event);
}

// ---- events --------------------------------------------------------------------------------------------------------

static void look_at(Witness *witness, WitnessBlock *block);

static void follow(Witness *witness, WitnessBlock *block, const TraceEvent *event) {
  WitnessSite *site = site_of(witness, block, event);
  site->executions++;
  if (block->sync) witness_sync_event(block->sync, event);
  if (event->kind == TRACE_BRANCH) {
    take_parting(site, event);
  } else if (event->addr && event->mask && site->warps) {
    if (event->space != site->space) { site->mixed = true; return; }
    witness_take_shape(site, event);
    take_round(witness, site, event);
    take_memory(witness, block, site, event);
  }
}

static void watch(Witness *witness, const TraceEvent *event) {
  WitnessBlock *block = witness->now;
  if (!block || event->kind == TRACE_EXEC || trace_kind_is_fault(event->kind)) return;
  if (event->pc < 0 || event->pc >= witness->codes) return;
  if (block->events++ < witness->limit && !witness_memory_is_full(block->memory)) {
    follow(witness, block, event);
    return;
  }
  block->events = witness->limit + 1;
  look_at(witness, NULL);
}

// Hot: called for all blocks, and nearly none of them is watched.
static void pass_access(TraceSink *sink, const TraceEvent *event) {
  TraceSink *next = ((Witness *)sink)->next;
  next->access(next, event);
}

static void watch_access(TraceSink *sink, const TraceEvent *event) {
  TraceSink *next = ((Witness *)sink)->next;
  if (next && next->access) next->access(next, event);
  watch((Witness *)sink, event);
}

static void on_event(TraceSink *sink, const TraceEvent *event) {
  Witness *witness = (Witness *)sink;
  if (witness->next && witness->next->event) witness->next->event(witness->next, event);
  if (witness->by_event) watch(witness, event);
}

// What executes and does nothing else is not watched.
static void on_line(TraceSink *sink, const TraceLine *line) {
  TraceSink *next = ((Witness *)sink)->next;
  next->line(next, line);
}

static void on_passes(TraceSink *sink, const TracePasses *passes) {
  TraceSink *next = ((Witness *)sink)->next;
  next->passes(next, passes);
}

static void pass_accesses(TraceSink *sink, const TraceEvent *event, uint64_t times) {
  TraceSink *next = ((Witness *)sink)->next;
  if (next && next->accesses) next->accesses(next, event, times);
}

// Which block runs decides who is told of its accesses.
static void look_at(Witness *witness, WitnessBlock *block) {
  bool passes = witness->next && witness->next->access;
  witness->now = block;
  witness->sink.access = block && !witness->by_event ? watch_access : passes ? pass_access : NULL;
  witness->sink.each = (block && !witness->by_event) || (witness->next && witness->next->each);
}

static int index_of(const Witness *witness, uint32_t block) {
  for (int i = 0; i < witness->chosen_count; i++)
    if (witness->chosen[i] == block) return i;
  return -1;
}

static void on_begin(TraceSink *sink, uint32_t block, bool recorded) {
  Witness *witness = (Witness *)sink;
  int index = index_of(witness, block);
  WitnessBlock *watched = NULL;
  if (witness->next && witness->next->begin_block) witness->next->begin_block(witness->next, block, recorded);
  if (index >= 0) {
    if (!witness->blocks[index]) witness->blocks[index] = block_new(witness, block);
    if (witness->blocks[index]->events <= witness->limit) watched = witness->blocks[index];
  }
  look_at(witness, watched);
}

static void on_end(TraceSink *sink, uint32_t block) {
  Witness *witness = (Witness *)sink;
  int index = index_of(witness, block);
  if (witness->next && witness->next->end_block) witness->next->end_block(witness->next, block);
  if (index >= 0 && witness->blocks[index])
    witness->blocks[index]->whole = witness->blocks[index]->events <= witness->limit;
  look_at(witness, NULL);
}

#define PASS(FUNCTION, ...)                                                                                          \
  do {                                                                                                               \
    TraceSink *next_ = ((Witness *)sink)->next;                                                                      \
    if (next_ && next_->FUNCTION) next_->FUNCTION(next_, __VA_ARGS__);                                               \
  } while (0)

static void on_fault(TraceSink *sink, const TraceFault *fault) { PASS(fault, fault); }
static void on_print(TraceSink *sink, const TracePrint *prints, int count) { PASS(print, prints, count); }
static void on_coverage(TraceSink *sink, const TraceCoverage *items, int count) { PASS(coverage, items, count); }
static void on_counts(TraceSink *sink, const TraceCount *counts, int count) { PASS(counts, counts, count); }
static void on_times(TraceSink *sink, const TraceBlockTime *times, int count) { PASS(block_times, times, count); }
static void on_measure(TraceSink *sink, const TraceMeasure *measure) { PASS(measure, measure); }

static void on_cut(TraceSink *sink) {
  TraceSink *next = ((Witness *)sink)->next;
  next->cut(next);
}

static void on_tally(TraceSink *sink, const TraceTally *tallies, int count) {
  Witness *witness = (Witness *)sink;
  PASS(tally, tallies, count);
  for (int i = 0; i < count; i++) {
    if (tallies[i].pc < 0 || tallies[i].pc >= witness->codes) continue;
    WitnessTally *tally = &witness->tallies[tallies[i].pc];
    tally->warps += tallies[i].warps;
    tally->lanes += tallies[i].lanes;
    tally->absent += tallies[i].absent;
    witness->knows_absent |= tallies[i].absent > 0;
  }
}

// ---- several threads -----------------------------------------------------------------------------------------------

static Witness *like(const Witness *other) {
  Witness *witness = ls_alloc(sizeof *witness);
  *witness = *other;
  memset(witness->blocks, 0, sizeof witness->blocks);
  witness->tallies = NULL;   // tallies are told once, and not to a fork
  return witness;
}

static TraceSink *on_fork(TraceSink *sink) {
  Witness *child = like((Witness *)sink);
  if (child->next) child->next = child->next->fork(child->next);
  look_at(child, NULL);
  return &child->sink;
}

static void on_join(TraceSink *sink, TraceSink *other, bool keep) {
  Witness *witness = (Witness *)sink, *child = (Witness *)other;
  if (witness->next) witness->next->join(witness->next, child->next, keep);
  for (int i = 0; keep && i < WITNESS_BLOCKS; i++) {
    if (witness->blocks[i] || !child->blocks[i]) continue;
    witness->blocks[i] = child->blocks[i];
    child->blocks[i] = NULL;
  }
  witness_free(child);
}

// ---- life ----------------------------------------------------------------------------------------------------------

int witness_choice(uint64_t blocks, uint32_t out[WITNESS_BLOCKS]) {
  uint64_t count = LS_MIN((uint64_t)WITNESS_BLOCKS, blocks);
  for (uint64_t i = 0; i < count; i++) out[i] = (uint32_t)(count > 1 ? (blocks - 1) * i / (count - 1) : 0);
  return (int)count;
}

static void choose(Witness *witness, uint64_t blocks) {
  witness->chosen_count = witness_choice(blocks, witness->chosen);
  witness->limit = WITNESS_EVENTS / (uint64_t)LS_MAX(witness->chosen_count, 1);
}

static bool has_barriers(const PtxModule *module) {
  for (int pc = 0; pc < module->code_count; pc++)
    if (ptx_op_class((PtxOp)module->code[pc].op) == PTX_CLASS_BARRIER) return true;
  return false;
}

Witness *witness_new(const PtxModule *module, const Launch *launch, bool by_event, TraceSink *next) {
  Witness *witness = ls_alloc(sizeof *witness);
  bool forks = !next || next->fork;
  witness->sink = (TraceSink){.begin_block = on_begin, .event = by_event || (next && next->event) ? on_event : NULL,
                              .end_block = on_end, .fault = on_fault, .tally = on_tally, .print = on_print,
                              .coverage = on_coverage, .counts = on_counts, .block_times = on_times,
                              .measure = on_measure, .cut = next && next->cut ? on_cut : NULL,
                              .fork = forks ? on_fork : NULL, .join = forks ? on_join : NULL};
  witness->sink.line = next && next->line ? on_line : NULL;
  witness->sink.passes = next && next->passes ? on_passes : NULL;
  witness->sink.accesses = !next || !next->access || next->accesses ? pass_accesses : NULL;
  witness->next = next;
  witness->by_event = by_event;
  witness->module = module;
  witness->codes = module->code_count;
  witness->threads = (int)launch_threads(launch);
  witness->warps = (int)launch_warps(launch);
  witness->tallies = ls_alloc(sizeof *witness->tallies * ((size_t)witness->codes + 1));
  witness->knows_absent = witness->threads % 32 == 0;
  witness->has_barriers = has_barriers(module);
  choose(witness, launch_blocks(launch));
  look_at(witness, NULL);
  return witness;
}

void witness_free(Witness *witness) {
  if (!witness) return;
  for (int i = 0; i < WITNESS_BLOCKS; i++) block_free(witness, witness->blocks[i]);
  free(witness->tallies);
  free(witness);
}

TraceSink *witness_sink(Witness *witness) { return &witness->sink; }

// ---- a trace -------------------------------------------------------------------------------------------------------

static uint32_t lanes_of(const Witness *witness, int warp) {
  int lanes = witness->threads - warp * 32;
  return lanes >= 32 ? UINT32_MAX : lanes > 0 ? (1u << lanes) - 1 : 0;
}

static void tally_event(Witness *witness, const TraceEvent *event) {
  if (event->pc < 0 || event->pc >= witness->codes || trace_kind_is_fault(event->kind)) return;
  WitnessTally *tally = &witness->tallies[event->pc];
  uint32_t working = event->kind == TRACE_BRANCH ? event->active : event->mask;
  tally->warps++;
  tally->lanes += (uint64_t)__builtin_popcount(working);
  tally->absent += 32 - (uint64_t)__builtin_popcount(lanes_of(witness, event->warp));
}

// Of the whole grid, as the trace has them; false if that does not tell which lanes are absent.
static bool take_saved_tallies(Witness *witness, const Trace *trace) {
  int count;
  const TraceTally *tallies = trace_tallies(trace, &count);
  on_tally(&witness->sink, tallies, count);
  if (count && witness->knows_absent) return true;
  memset(witness->tallies, 0, sizeof *witness->tallies * (size_t)witness->codes);
  return false;
}

static bool read_block(Witness *witness, Trace *trace, const TraceBlock *block, bool tallies) {
  TraceEvent event;
  on_begin(&witness->sink, block->block, true);
  for (uint64_t step = block->first; step < block->first + block->count && (tallies || witness->now); step++) {
    if (!trace_event(trace, step, &event, NULL)) return false;
    if (tallies) tally_event(witness, &event);
    watch(witness, &event);
  }
  on_end(&witness->sink, block->block);
  return true;
}

// The recorded blocks may be others than those that would be chosen: then the same choice among them.
bool witness_read(Witness *witness, Trace *trace) {
  int count;
  const TraceBlock *blocks = trace_blocks(trace, &count);
  bool tallies = !take_saved_tallies(witness, trace);
  choose(witness, (uint64_t)count);
  for (int i = 0; i < witness->chosen_count; i++) witness->chosen[i] = blocks[witness->chosen[i]].block;
  witness->knows_absent = true;
  for (int i = 0; i < count; i++)
    if (!read_block(witness, trace, &blocks[i], tallies)) return false;
  return true;
}

// ---- answers -------------------------------------------------------------------------------------------------------

int witness_blocks(const Witness *witness) {
  int count = 0;
  for (int i = 0; i < WITNESS_BLOCKS; i++) count += witness->blocks[i] != NULL;
  return count;
}

const WitnessBlock *witness_block(const Witness *witness, int index) {
  for (int i = 0; i < WITNESS_BLOCKS; i++)
    if (witness->blocks[i] && index-- == 0) return witness->blocks[i];
  return NULL;
}

const WitnessSite *witness_site(const Witness *witness, int index, int pc) {
  const WitnessBlock *block = witness_block(witness, index);
  return block && pc >= 0 && pc < witness->codes ? block->sites[pc] : NULL;
}

WitnessTally witness_tally(const Witness *witness, int pc) {
  return pc >= 0 && pc < witness->codes ? witness->tallies[pc] : (WitnessTally){0};
}

bool witness_knows_absent(const Witness *witness) { return witness->knows_absent; }
