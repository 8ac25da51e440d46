// counter.c: counters folded from the events of a run.
#include "model/counter.h"
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include "base/loops.h"
#include "base/mem.h"
#include "model/bank.h"
#include "model/coal.h"
#include "trace/coverage.h"

static const CounterDef defs[] = {
#define COUNTER(NAME, name, unit, metric, help) [COUNTER_##NAME] = {name, unit, metric, help},
#include "model/counter.def"
#undef COUNTER
};

const CounterDef *counter_def(CounterId id) { return (unsigned)id < COUNTER_COUNT ? &defs[id] : NULL; }

void counter_add(CounterSet *to, const CounterSet *from) {
  for (int i = 0; i < COUNTER_COUNT; i++) to->value[i] += from->value[i];
}

// ---- classes: what one kind of event counts ------------------------------------------------------------------------

typedef enum Class {
  CLASS_NONE,
#define CLASS(NAME, ...) CLASS_##NAME,
#include "model/counter_class.def"
#undef CLASS
  CLASS_COUNT
} Class;

typedef enum Measure {
  MEASURE_NOTHING, MEASURE_SECTORS, MEASURE_WAVEFRONTS, MEASURE_LOCAL_SECTORS, MEASURE_QUEUES, MEASURE_ADDRESSES,
  MEASURE_DIVERGENCE, MEASURE_COUNT
} Measure;

enum { VALUES = 4, LEAST = 3, COUNTER_NOWHERE = COUNTER_COUNT };   // LEAST: of MEASURE_SECTORS, and no counter's
enum { ANY, RETURNS, SURFACE = RETURNS, VARIANTS };

// A class is known by kind and space of its events; the second variant of both is a class of its own.
typedef struct ClassDef { uint8_t kind, space, variant, measure, counters[VALUES]; } ClassDef;
static const ClassDef classes[CLASS_COUNT] = {
    [CLASS_NONE] = {.counters = {COUNTER_NOWHERE, COUNTER_NOWHERE, COUNTER_NOWHERE, COUNTER_NOWHERE}},
#define CLASS(NAME, kind, space, variant, measure, a, b, c, d)        \
  [CLASS_##NAME] = {TRACE_##kind, TRACE_##space, variant, MEASURE_##measure, \
                    {COUNTER_##a, COUNTER_##b, COUNTER_##c, COUNTER_##d}},
#include "model/counter_class.def"
#undef CLASS
};

static const uint8_t class_at[TRACE_KIND_COUNT][TRACE_SPACE_COUNT][VARIANTS] = {
#define CLASS(NAME, kind, space, variant, ...) [TRACE_##kind][TRACE_##space][variant] = CLASS_##NAME,
#include "model/counter_class.def"
#undef CLASS
    [TRACE_MATCH][TRACE_GLOBAL][ANY] = CLASS_VOTE,
    [TRACE_REDUX][TRACE_GLOBAL][ANY] = CLASS_VOTE,
};

// ---- the fold ------------------------------------------------------------------------------------------------------

// What an access of all 32 lanes came to. The same instruction mostly asks for the same places again, moved as a whole, and
// moving them by whole words of a bank or whole sectors changes nothing of what is counted.
typedef struct Shape {
  uint64_t apart[32];        // distance of each lane's address from that of lane 0
  uint64_t low;              // what is left of lane 0's address within a word or a sector
  uint64_t first, second, third;   // added to value[1], value[2] and value[3]
  int misses;                // accesses in a row that were not like the one before
} Shape;

enum { SHAPE_PATIENCE = 32 };   // misses after which an instruction is known not to repeat itself
enum { BANK_WORD = 4, SECTOR = 32 };

// The same of accesses that have a number (TraceEvent.shape), wherever in a sector the first lane's address has been.
typedef struct Known {
  uint32_t number;
  uint32_t places;           // bit per place
  uint64_t found[SECTOR][VALUES];  // added to value; value[0] counts accesses and is not in it
} Known;

// What one instruction counted as one class. A generic access may turn out to be of several: `next` leads on.
typedef struct Slot {
  uint64_t value[VALUES];
  Shape *shape;              // of the last access of all lanes that has no number; NULL before one
  Known *known;              // of the last number; NULL before one
  int32_t next;              // index into Counters.more + 1; 0 ends
  uint8_t class;
} Slot;

struct Counters {
  TraceSink sink;            // first: the sink is the object
  const PtxModule *module;
  int code_count;
  Slot *slots;               // per pc
  Slot *more; int more_count, more_capacity;
  int *used; int used_count, used_capacity;   // pcs whose slot has a class
  uint64_t *warps, *lanes;   // per pc, from tallies
  uint64_t all_warps, all_lanes;
  CounterSet **sets;         // per pc: the answer of counters_at, made when first asked for
  CounterSet *total;
  PtxLines **lines;          // the answer of counters_lines, likewise
  TraceCoverages coverages;  // as told
  Counters *spare;           // children that nobody uses, to be forked again; a child's: the next of them
};

static bool is_access(uint8_t kind) { return kind == TRACE_LOAD || kind == TRACE_STORE || kind == TRACE_ATOM; }

static int variant_of(const Counters *counters, const TraceEvent *event) {
  if (event->kind == TRACE_ATOM && event->space == TRACE_GLOBAL && event->flags & TRACE_RETURNS_OLD) return RETURNS;
  bool is_fetch = event->kind == TRACE_LOAD && event->space == TRACE_TEXTURE;
  bool known = event->pc >= 0 && event->pc < counters->code_count;
  return is_fetch && known && counters->module->code[event->pc].op == PTX_OP_suld ? SURFACE : ANY;
}

// Coordinates outside of a texture leave lanes, or all of them, without an address; the fetch is one all the same.
static Class class_of(const Counters *counters, const TraceEvent *event) {
  if (event->kind >= TRACE_KIND_COUNT) return CLASS_NONE;
  if (!is_access(event->kind)) return (Class)class_at[event->kind][TRACE_GLOBAL][ANY];
  bool is_somewhere = event->mask && event->addr;
  if (event->space >= TRACE_SPACE_COUNT || (!is_somewhere && event->space != TRACE_TEXTURE)) return CLASS_NONE;
  return (Class)class_at[event->kind][event->space][variant_of(counters, event)];
}

// Is it an access of the slot's class?
static inline bool is_of_class(const Counters *counters, const Slot *slot, const TraceEvent *event) {
  const ClassDef *def = &classes[slot->class];
  return slot->class != CLASS_NONE && def->kind == event->kind && def->space == event->space && event->mask &&
         event->addr && is_access(event->kind) && def->variant == variant_of(counters, event);
}

static Slot *slot_of(Counters *counters, int pc, Class class) {
  Slot *slot = &counters->slots[pc];
  while (slot->class != class) {
    if (slot->class == CLASS_NONE) {
      slot->class = (uint8_t)class;
      LS_PUSH(counters->used, counters->used_count, counters->used_capacity, pc);
    } else if (slot->next) {
      slot = &counters->more[slot->next - 1];
    } else {
      slot->next = counters->more_count + 1;   // before the array moves: slot may live in it
      LS_PUSH(counters->more, counters->more_count, counters->more_capacity, (Slot){.class = (uint8_t)class});
      slot = &counters->more[counters->more_count - 1];
    }
  }
  return slot;
}

// Hot: called for every access of all lanes.
LS_CLONES
static uint64_t differs(const uint64_t apart[32], const uint64_t addr[32]) {
  uint64_t any = 0, base = addr[0];
  for (int i = 0; i < 32; i++) any |= (addr[i] - base) ^ apart[i];
  return any;
}

static bool seen_before(const Slot *slot, const TraceEvent *event, uint64_t unit) {
  Shape *shape = slot->shape;
  if (!shape || event->mask != UINT32_MAX || shape->misses >= SHAPE_PATIENCE) return false;
  bool same = shape->low == event->addr[0] % unit && !differs(shape->apart, event->addr);
  shape->misses = same ? 0 : shape->misses + 1;
  return same;
}

static void remember(Slot *slot, const TraceEvent *event, uint64_t unit, const uint64_t found[3]) {
  if (event->mask != UINT32_MAX || (slot->shape && slot->shape->misses >= SHAPE_PATIENCE)) return;
  if (!slot->shape) slot->shape = ls_alloc(sizeof *slot->shape);
  for (int i = 0; i < 32; i++) slot->shape->apart[i] = event->addr[i] - event->addr[0];
  slot->shape->low = event->addr[0] % unit;
  slot->shape->first = found[0];
  slot->shape->second = found[1];
  slot->shape->third = found[2];
}

static void add(Slot *slot, uint64_t first, uint64_t second, uint64_t third) {
  slot->value[1] += first;
  slot->value[2] += second;
  slot->value[3] += third;
}

static void add_shape(Slot *slot) { add(slot, slot->shape->first, slot->shape->second, slot->shape->third); }

static void count_shared(Slot *slot, const TraceEvent *event) {
  if (seen_before(slot, event, BANK_WORD)) {
    add_shape(slot);
    return;
  }
  int ideal, wavefronts = bank_count(event->kind == TRACE_LOAD, event->mask, event->width, event->addr, &ideal);
  uint64_t conflicts = (uint64_t)(wavefronts - ideal);
  remember(slot, event, BANK_WORD, (uint64_t[3]){(uint64_t)wavefronts, conflicts, 0});
  add(slot, (uint64_t)wavefronts, conflicts, 0);
}

static uint64_t least_sectors(uint64_t bytes) { return (bytes + SECTOR - 1) / SECTOR; }

static void count_global(Slot *slot, const TraceEvent *event) {
  if (seen_before(slot, event, SECTOR)) {
    add_shape(slot);
    return;
  }
  int bytes, sectors = coal_measure(event->mask, event->width, event->addr, &bytes);
  uint64_t least = least_sectors((uint64_t)bytes);
  remember(slot, event, SECTOR, (uint64_t[3]){(uint64_t)sectors, (uint64_t)bytes, least});
  add(slot, (uint64_t)sectors, (uint64_t)bytes, least);
}

static void count_local(Slot *slot, const TraceEvent *event) {
  slot->value[1] += (uint64_t)coal_local_sectors(event->mask, event->width, event->addr);
}

static void count_queues(Slot *slot, const TraceEvent *event) {
  int lanes = event->mask == UINT32_MAX ? 32 : __builtin_popcount(event->mask), distinct;
  slot->value[1] += (uint64_t)coal_atomic_sectors(event->mask, event->addr, &distinct);   // nowhere if it is shared
  slot->value[2] += (uint64_t)lanes;
  slot->value[3] += (uint64_t)(lanes - distinct);
}

static void count_addresses(Slot *slot, const TraceEvent *event) {
  slot->value[1] += (uint64_t)coal_distinct(event->mask, event->addr);
}

static void count_divergence(Slot *slot, const TraceEvent *event) {
  slot->value[1] += (event->flags & TRACE_DIVERGES) != 0;
}

static void count_nothing(Slot *slot, const TraceEvent *event) { (void)slot, (void)event; }

// How an event is measured, and where a device that counts by itself puts the sums of the same: offsets in TraceCount,
// of which 0 is none.
#define IN_COUNT(member) offsetof(TraceCount, member)
typedef struct MeasureDef { void (*count)(Slot *slot, const TraceEvent *event); uint8_t sums[VALUES]; } MeasureDef;
static const MeasureDef measures[MEASURE_COUNT] = {
    [MEASURE_NOTHING] = {count_nothing, {0}},
    [MEASURE_SECTORS] = {count_global, {0, IN_COUNT(sectors), IN_COUNT(bytes)}},
    [MEASURE_WAVEFRONTS] = {count_shared, {0, IN_COUNT(wavefronts), IN_COUNT(conflicts)}},
    [MEASURE_LOCAL_SECTORS] = {count_local, {0, IN_COUNT(sectors)}},
    [MEASURE_QUEUES] = {count_queues, {0, IN_COUNT(sectors), IN_COUNT(doing), IN_COUNT(queued)}},
    [MEASURE_ADDRESSES] = {count_addresses, {0, IN_COUNT(sectors)}},
    [MEASURE_DIVERGENCE] = {count_divergence, {0, IN_COUNT(diverging)}},
};

static unsigned place_of(const TraceEvent *event) { return event->addr[__builtin_ctz(event->mask)] % SECTOR; }

// What an access like this one came to; NULL if it is not known.
static inline const uint64_t *look_up(const Slot *slot, const TraceEvent *event) {
  const Known *known = slot->known;
  if (!event->shape || !known || known->number != event->shape) return NULL;
  unsigned place = place_of(event);
  return known->places >> place & 1 ? known->found[place] : NULL;
}

static void count_event(Slot *slot, const TraceEvent *event) {
  measures[classes[slot->class].measure].count(slot, event);
}

// Counts what has a number, and keeps what it came to.
static void learn(Slot *slot, const TraceEvent *event) {
  uint64_t before[VALUES];
  unsigned place = place_of(event);
  memcpy(before, slot->value, sizeof before);
  count_event(slot, event);
  if (!slot->known) slot->known = ls_alloc(sizeof *slot->known);
  if (slot->known->number != event->shape) slot->known->places = 0;
  slot->known->number = event->shape;
  slot->known->places |= 1u << place;
  for (int v = 0; v < VALUES; v++) slot->known->found[place][v] = slot->value[v] - before[v];
}

static void access_event(TraceSink *sink, const TraceEvent *event) {
  Counters *counters = (Counters *)sink;
  if (event->pc < 0 || event->pc >= counters->code_count) return;
  Slot *slot = &counters->slots[event->pc];
  const uint64_t *found = look_up(slot, event);
  if (found) {
    slot->value[0]++;
    add(slot, found[1], found[2], found[3]);
    return;
  }
  if (!is_of_class(counters, slot, event)) {
    Class class = class_of(counters, event);
    if (class == CLASS_NONE) return;
    slot = slot_of(counters, event->pc, class);
  }
  slot->value[0]++;
  if (event->shape) learn(slot, event); else count_event(slot, event);
}

static void access_events(TraceSink *sink, const TraceEvent *event, uint64_t times) {
  Counters *counters = (Counters *)sink;
  Class class = class_of(counters, event);
  if (class == CLASS_NONE || event->pc < 0 || event->pc >= counters->code_count) return;
  Slot *slot = slot_of(counters, event->pc, class);
  uint64_t before[VALUES];
  memcpy(before, slot->value, sizeof before);
  count_event(slot, event);
  for (int v = 1; v < VALUES; v++) slot->value[v] = before[v] + (slot->value[v] - before[v]) * times;
  slot->value[0] += times;
}

static void take_tallies(TraceSink *sink, const TraceTally *tallies, int count) {
  Counters *counters = (Counters *)sink;
  for (int i = 0; i < count; i++) {
    if (tallies[i].pc < 0 || tallies[i].pc >= counters->code_count) continue;
    counters->warps[tallies[i].pc] += tallies[i].warps;
    counters->lanes[tallies[i].pc] += tallies[i].lanes;
    counters->all_warps += tallies[i].warps;
    counters->all_lanes += tallies[i].lanes;
  }
}

// The least sectors are no sum that a device tells: taken as if all requests of a row wanted as many bytes.
static void estimate_least(Slot *slot, const TraceCount *count) {
  if (classes[slot->class].measure != MEASURE_SECTORS || !count->requests) return;
  slot->value[LEAST] += count->requests * least_sectors((count->bytes + count->requests - 1) / count->requests);
}

// A row of what a device counted by itself, as the sum of the accesses that it stands for.
static void take_count(Counters *counters, const TraceCount *count) {
  static const uint64_t somewhere[32];
  TraceEvent event = {
      .kind = count->kind, .space = count->space, .flags = count->flags, .mask = 1, .addr = somewhere, .pc = count->pc};
  Class class = class_of(counters, &event);
  if (class == CLASS_NONE || count->pc < 0 || count->pc >= counters->code_count) return;
  Slot *slot = slot_of(counters, count->pc, class);
  const uint8_t *sums = measures[classes[class].measure].sums;
  slot->value[0] += is_access(count->kind) ? count->requests : count->warps;
  for (int v = 1; v < VALUES; v++)
    if (sums[v]) slot->value[v] += *(const uint64_t *)((const char *)count + sums[v]);
  estimate_least(slot, count);
}

static void take_counts(TraceSink *sink, const TraceCount *counts, int count) {
  for (int i = 0; i < count; i++) take_count((Counters *)sink, &counts[i]);
}

static void take_coverage(TraceSink *sink, const TraceCoverage *items, int count) {
  trace_coverages_set(&((Counters *)sink)->coverages, items, count);
}

static void add_slot(Counters *counters, int pc, const Slot *from) {
  if (from->class == CLASS_NONE) return;
  Slot *to = slot_of(counters, pc, (Class)from->class);
  for (int v = 0; v < VALUES; v++) to->value[v] += from->value[v];
}

static void move_tallies(Counters *to, Counters *from) {
  for (int pc = 0; pc < from->code_count; pc++) {
    if (to) to->warps[pc] += from->warps[pc];
    if (to) to->lanes[pc] += from->lanes[pc];
    from->warps[pc] = from->lanes[pc] = 0;
  }
  if (to) to->all_warps += from->all_warps;
  if (to) to->all_lanes += from->all_lanes;
  from->all_warps = from->all_lanes = 0;
}

// What is known of shapes stays with `from`: its next accesses look the same.
void counters_move(Counters *to, Counters *from) {
  for (int i = 0; i < from->used_count; i++) {
    int pc = from->used[i];
    for (Slot *slot = &from->slots[pc]; slot; slot = slot->next ? &from->more[slot->next - 1] : NULL) {
      if (to) add_slot(to, pc, slot);
      memset(slot->value, 0, sizeof slot->value);
    }
  }
  if (from->all_warps || from->all_lanes) move_tallies(to, from);
}

static TraceSink *fork_counters(TraceSink *sink) {
  Counters *counters = (Counters *)sink, *child = counters->spare;
  if (!child) return counters_sink(counters_new(counters->module));
  counters->spare = child->spare;
  child->spare = NULL;
  return &child->sink;
}

static void join_counters(TraceSink *sink, TraceSink *other, bool keep) {
  Counters *counters = (Counters *)sink, *child = (Counters *)other;
  counters_move(keep ? counters : NULL, child);
  child->spare = counters->spare;
  counters->spare = child;
}

Counters *counters_new(const PtxModule *module) {
  Counters *counters = ls_alloc(sizeof *counters);
  size_t room = (size_t)LS_MAX(module->code_count, 1);
  counters->sink.access = access_event;
  counters->sink.accesses = access_events;
  counters->sink.tally = take_tallies;
  counters->sink.counts = take_counts;
  counters->sink.coverage = take_coverage;
  counters->sink.fork = fork_counters;
  counters->sink.join = join_counters;
  counters->module = module;
  counters->code_count = module->code_count;
  counters->slots = ls_alloc(room * sizeof *counters->slots);
  counters->warps = ls_alloc(room * sizeof *counters->warps);
  counters->lanes = ls_alloc(room * sizeof *counters->lanes);
  counters->sets = ls_alloc(room * sizeof *counters->sets);
  counters->total = ls_alloc(sizeof *counters->total);
  counters->lines = ls_alloc(sizeof *counters->lines);
  return counters;
}

void counters_free(Counters *counters) {
  if (!counters) return;
  for (Counters *child = counters->spare, *next; child; child = next) {
    next = child->spare;
    child->spare = NULL;
    counters_free(child);
  }
  for (int pc = 0; pc < counters->code_count; pc++) {
    free(counters->sets[pc]);
    free(counters->slots[pc].shape);
    free(counters->slots[pc].known);
  }
  for (int i = 0; i < counters->more_count; i++) {
    free(counters->more[i].shape);
    free(counters->more[i].known);
  }
  trace_coverages_fini(&counters->coverages);
  free(counters->sets);
  free(counters->slots);
  free(counters->more);
  free(counters->used);
  free(counters->warps);
  free(counters->lanes);
  free(counters->total);
  ptx_lines_free(*counters->lines);
  free(counters->lines);
  free(counters);
}

TraceSink *counters_sink(Counters *counters) { return &counters->sink; }

bool counters_coverage(const Counters *counters, const TraceCoverage **items, int *count) {
  *items = counters->coverages.items;
  *count = counters->coverages.count;
  return counters->coverages.known;
}

// ---- answers -------------------------------------------------------------------------------------------------------

static void add_slots(const Counters *counters, int pc, uint64_t value[COUNTER_COUNT + 1]) {
  for (const Slot *slot = &counters->slots[pc]; slot; slot = slot->next ? &counters->more[slot->next - 1] : NULL)
    for (int v = 0; v < VALUES; v++) value[classes[slot->class].counters[v]] += slot->value[v];
}

static void add_pc(const Counters *counters, int pc, CounterSet *out) {
  uint64_t value[COUNTER_COUNT + 1] = {0};   // the last one is COUNTER_NOWHERE
  add_slots(counters, pc, value);
  value[COUNTER_WARP_INSTRUCTIONS] += counters->warps[pc];
  value[COUNTER_THREAD_INSTRUCTIONS] += counters->lanes[pc];
  for (int i = 0; i < COUNTER_COUNT; i++) out->value[i] += value[i];
}

const CounterSet *counters_total(const Counters *counters) {
  uint64_t value[COUNTER_COUNT + 1] = {0};
  for (int i = 0; i < counters->used_count; i++) add_slots(counters, counters->used[i], value);
  value[COUNTER_WARP_INSTRUCTIONS] = counters->all_warps;
  value[COUNTER_THREAD_INSTRUCTIONS] = counters->all_lanes;
  memcpy(counters->total->value, value, sizeof counters->total->value);
  return counters->total;
}

const CounterSet *counters_at(const Counters *counters, int pc) {
  static const CounterSet nothing;
  if (pc < 0 || pc >= counters->code_count) return &nothing;
  if (!counters->sets[pc]) counters->sets[pc] = ls_alloc(sizeof *counters->sets[pc]);
  *counters->sets[pc] = (CounterSet){0};
  add_pc(counters, pc, counters->sets[pc]);
  return counters->sets[pc];
}

uint64_t counters_least_sectors(const Counters *counters, int pc) {
  uint64_t least = 0;
  if (pc < 0 || pc >= counters->code_count) return 0;
  for (const Slot *slot = &counters->slots[pc]; slot; slot = slot->next ? &counters->more[slot->next - 1] : NULL)
    if (classes[slot->class].measure == MEASURE_SECTORS) least += slot->value[LEAST];
  return least;
}

const PtxLines *counters_lines(const Counters *counters) {
  if (!*counters->lines) *counters->lines = ptx_lines_new(counters->module);
  return *counters->lines;
}

void counters_line(const Counters *counters, int file, int line, CounterSet *out) {
  const PtxLines *lines = counters_lines(counters);
  const PtxLine *at = ptx_lines_find(lines, file, line);
  *out = (CounterSet){0};
  for (int i = 0; at && i < at->count; i++) {
    int loc = lines->locs[at->first + i];
    for (int k = lines->of_loc[loc]; k < lines->of_loc[loc + 1]; k++) add_pc(counters, lines->pcs[k], out);
  }
}

// ---- for another sink ------------------------------------------------------------------------------------------------

// The inverse of take_count.
static TraceCount count_of(const Slot *slot, int pc) {
  const ClassDef *class = &classes[slot->class];
  const uint8_t *sums = measures[class->measure].sums;
  TraceCount count = {.pc = pc, .kind = class->kind, .space = class->space, .warps = slot->value[0],
                      .requests = slot->value[0]};
  if (class->kind == TRACE_ATOM && class->variant == RETURNS) count.flags = TRACE_RETURNS_OLD;
  for (int v = 1; v < VALUES; v++)
    if (sums[v]) *(uint64_t *)((char *)&count + sums[v]) = slot->value[v];
  return count;
}

int counters_export(const Counters *counters, TraceCount **counts) {
  int count = 0, capacity = 0;
  *counts = NULL;
  for (int pc = 0; pc < counters->code_count; pc++)
    for (const Slot *slot = &counters->slots[pc]; slot; slot = slot->next ? &counters->more[slot->next - 1] : NULL)
      if (slot->class != CLASS_NONE) LS_PUSH(*counts, count, capacity, count_of(slot, pc));
  return count;
}
