// witness.c: follows some blocks of a run through its events, and keeps their accesses site by site.
#include "model/findings/witness.h"

#include <stdlib.h>
#include <string.h>

#include "model/bank.h"
#include "model/coal.h"
#include "model/findings/witness_memory.h"
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
  bool knows_absent, by_event;
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
  if (witness->warps > 1) block->sync = witness_sync_new();
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

// ---- shapes --------------------------------------------------------------------------------------------------------

// By as much an access may be moved without a change of what it costs: a word of each bank, a sector.
static uint64_t unit_of(const TraceEvent *event) { return event->space == TRACE_SHARED ? 128 : COAL_SECTOR; }

static uint64_t hash_of(const TraceEvent *event) {
  uint64_t base = event->addr[__builtin_ctz(event->mask)], hash = base % unit_of(event) + event->mask * 0x9e3779b97f4a7c15u;
  for (uint32_t left = event->mask; left; left &= left - 1)
    hash = (hash ^ (event->addr[__builtin_ctz(left)] - base)) * 0xff51afd7ed558ccdu;
  return hash ^ hash >> 32;
}

static int queue_of(const TraceEvent *event) {
  return __builtin_popcount(event->mask) - coal_distinct(event->mask, event->addr) + 1;
}

// Lanes that want few words, each for many of them: a warp of several rows of threads wants a word for each row, and these
// cannot lie together.
enum { LISTENERS = 8 };
static bool is_broadcast(const TraceEvent *event, int bytes) {
  return bytes * LISTENERS <= __builtin_popcount(event->mask) * event->width;
}

// The lanes that take part are in step, from the start of a sector on: what is missing is what lanes would want that take none.
static bool is_in_step(const TraceEvent *event) {
  int first = __builtin_ctz(event->mask);
  uint64_t start = event->addr[first] - (uint64_t)first * event->width, off = start % COAL_SECTOR;
  for (uint32_t left = event->mask; left; left &= left - 1)
    off |= event->addr[__builtin_ctz(left)] ^ (start + (uint64_t)__builtin_ctz(left) * event->width);
  return off == 0;
}

// What an access costs, and the least that one with as many bytes could.
static void measure(const TraceEvent *event, WitnessShape *shape) {
  shape->least = 1;
  if (event->kind == TRACE_ATOM) shape->units = queue_of(event);
  else if (event->space == TRACE_SHARED)
    shape->units = bank_count(event->kind == TRACE_LOAD, event->mask, event->width, event->addr, &shape->least);
  else if (event->space == TRACE_CONST) shape->units = coal_distinct(event->mask, event->addr);
  else {
    shape->units = coal_measure(event->mask, event->width, event->addr, &shape->bytes);
    shape->least = (shape->bytes + COAL_SECTOR - 1) / COAL_SECTOR;
    if (is_broadcast(event, shape->bytes) || is_in_step(event)) shape->excused = shape->units - shape->least;
  }
}

static void count_shape(WitnessSite *site, const WitnessShape *shape) {
  site->units += (uint64_t)shape->units;
  site->least += (uint64_t)shape->least;
  site->bytes += (uint64_t)shape->bytes;
  site->excused += (uint64_t)shape->excused;
}

static void take_shape(WitnessSite *site, const TraceEvent *event) {
  uint64_t hash = hash_of(event);
  for (int i = site->shape_count - 1; i >= 0; i--) {
    WitnessShape *shape = &site->shapes[i];
    if (shape->hash != hash) continue;
    shape->count++;
    count_shape(site, shape);
    return;
  }
  WitnessShape shape = {.count = 1, .hash = hash, .mask = event->mask, .warp = event->warp};
  measure(event, &shape);
  count_shape(site, &shape);
  if (site->shape_count == WITNESS_SHAPES) {
    site->unshaped++;
    return;
  }
  for (int i = 0; i < 32; i++) shape.addr[i] = event->mask >> i & 1 ? event->addr[i] : 0;
  LS_PUSH(site->shapes, site->shape_count, site->shape_capacity, shape);
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
    take_shape(site, event);
    take_round(witness, site, event);
    take_memory(witness, block, site, event);
  }
}

static void watch(Witness *witness, const TraceEvent *event) {
  WitnessBlock *block = witness->now;
  if (!block || event->kind == TRACE_EXEC || event->kind == TRACE_FAULT) return;
  if (event->pc < 0 || event->pc >= witness->codes) return;
  if (block->events++ < WITNESS_EVENTS && !witness_memory_is_full(block->memory)) {
    follow(witness, block, event);
    return;
  }
  block->events = WITNESS_EVENTS + 1;
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

// Which block runs decides who is told of its accesses.
static void look_at(Witness *witness, WitnessBlock *block) {
  bool passes = witness->next && witness->next->access;
  witness->now = block;
  witness->sink.access = block && !witness->by_event ? watch_access : passes ? pass_access : NULL;
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
    if (witness->blocks[index]->events <= WITNESS_EVENTS) watched = witness->blocks[index];
  }
  look_at(witness, watched);
}

static void on_end(TraceSink *sink, uint32_t block) {
  Witness *witness = (Witness *)sink;
  int index = index_of(witness, block);
  if (witness->next && witness->next->end_block) witness->next->end_block(witness->next, block);
  if (index >= 0 && witness->blocks[index]) witness->blocks[index]->whole = witness->blocks[index]->events <= WITNESS_EVENTS;
  look_at(witness, NULL);
}

#define PASS(FUNCTION, ...)                                                                                          \
  do {                                                                                                               \
    TraceSink *next_ = ((Witness *)sink)->next;                                                                      \
    if (next_ && next_->FUNCTION) next_->FUNCTION(next_, __VA_ARGS__);                                               \
  } while (0)

static void on_fault(TraceSink *sink, const TraceFault *fault) { PASS(fault, fault); }
static void on_print(TraceSink *sink, const TracePrint *prints, int count) { PASS(print, prints, count); }
static void on_counts(TraceSink *sink, const TraceCount *counts, int count) { PASS(counts, counts, count); }
static void on_times(TraceSink *sink, const TraceBlockTime *times, int count) { PASS(block_times, times, count); }
static void on_measure(TraceSink *sink, const TraceMeasure *measure) { PASS(measure, measure); }

static void on_cut(TraceSink *sink) {
  TraceSink *next = ((Witness *)sink)->next;
  if (next && next->cut) next->cut(next);
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

Witness *witness_new(const PtxModule *module, const Launch *launch, bool by_event, TraceSink *next) {
  Witness *witness = ls_alloc(sizeof *witness);
  bool forks = !next || next->fork;
  witness->sink = (TraceSink){.begin_block = on_begin, .event = by_event || (next && next->event) ? on_event : NULL,
                              .end_block = on_end, .fault = on_fault, .tally = on_tally, .print = on_print,
                              .counts = on_counts, .block_times = on_times, .measure = on_measure, .cut = on_cut,
                              .fork = forks ? on_fork : NULL, .join = forks ? on_join : NULL};
  witness->next = next;
  witness->by_event = by_event;
  witness->module = module;
  witness->codes = module->code_count;
  witness->threads = (int)launch_threads(launch);
  witness->warps = (int)launch_warps(launch);
  witness->tallies = ls_alloc(sizeof *witness->tallies * ((size_t)witness->codes + 1));
  witness->knows_absent = witness->threads % 32 == 0;
  witness->chosen_count = witness_choice(launch_blocks(launch), witness->chosen);
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
  if (event->pc < 0 || event->pc >= witness->codes || event->kind == TRACE_FAULT) return;
  WitnessTally *tally = &witness->tallies[event->pc];
  uint32_t working = event->kind == TRACE_BRANCH ? event->active : event->mask;
  tally->warps++;
  tally->lanes += (uint64_t)__builtin_popcount(working);
  tally->absent += 32 - (uint64_t)__builtin_popcount(lanes_of(witness, event->warp));
}

// The recorded blocks may be others than those that would be chosen: then the same choice among them.
bool witness_read(Witness *witness, Trace *trace) {
  int count, tally_count;
  const TraceBlock *blocks = trace_blocks(trace, &count);
  const TraceTally *tallies = trace_tallies(trace, &tally_count);
  TraceEvent event;
  bool by_event = !witness->knows_absent || !tally_count;   // else the tallies are of the whole grid, and tell as much
  if (!by_event) on_tally(&witness->sink, tallies, tally_count);
  witness->chosen_count = witness_choice((uint64_t)count, witness->chosen);
  for (int i = 0; i < witness->chosen_count; i++) witness->chosen[i] = blocks[witness->chosen[i]].block;
  witness->knows_absent = true;
  for (int i = 0; i < count; i++) {
    on_begin(&witness->sink, blocks[i].block, true);
    for (uint64_t step = blocks[i].first; step < blocks[i].first + blocks[i].count; step++) {
      if (!trace_event(trace, step, &event, NULL)) return false;
      if (by_event) tally_event(witness, &event);
      on_event(&witness->sink, &event);
    }
    on_end(&witness->sink, blocks[i].block);
  }
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
