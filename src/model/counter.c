// counter.c: counters folded from the events of a run.
#include "model/counter.h"
#include <stdlib.h>
#include <string.h>
#include "base/mem.h"
#include "model/bank.h"
#include "model/coal.h"

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

// An instruction of a class adds to at most four counters; what is left of the four goes nowhere.
typedef enum Class {
  CLASS_NONE,
  CLASS_GLOBAL_LOAD, CLASS_GLOBAL_STORE, CLASS_GLOBAL_RED, CLASS_GLOBAL_ATOM,
  CLASS_LOCAL_LOAD, CLASS_LOCAL_STORE, CLASS_SHARED_LOAD, CLASS_SHARED_STORE, CLASS_SHARED_ATOM,
  CLASS_CONST_LOAD, CLASS_TEXTURE_FETCH, CLASS_SURFACE_LOAD, CLASS_SURFACE_STORE, CLASS_BRANCH, CLASS_BARRIER, CLASS_SHUFFLE,
      CLASS_VOTE, CLASS_COUNT
} Class;

enum { VALUES = 4, COUNTER_NOWHERE = COUNTER_COUNT };

static const uint8_t counters_of[CLASS_COUNT][VALUES] = {
#define ROW(CLASS, a, b, c, d) [CLASS_##CLASS] = {COUNTER_##a, COUNTER_##b, COUNTER_##c, COUNTER_##d}
    ROW(NONE, NOWHERE, NOWHERE, NOWHERE, NOWHERE),
    ROW(GLOBAL_LOAD, GLOBAL_LOAD_REQUESTS, GLOBAL_LOAD_SECTORS, GLOBAL_LOAD_BYTES, NOWHERE),
    ROW(GLOBAL_STORE, GLOBAL_STORE_REQUESTS, GLOBAL_STORE_SECTORS, GLOBAL_STORE_BYTES, NOWHERE),
    ROW(GLOBAL_RED, GLOBAL_RED_REQUESTS, GLOBAL_RED_SECTORS, ATOMICS, ATOMIC_CONFLICTS),
    ROW(GLOBAL_ATOM, GLOBAL_ATOM_REQUESTS, GLOBAL_ATOM_SECTORS, ATOMICS, ATOMIC_CONFLICTS),
    ROW(LOCAL_LOAD, LOCAL_LOAD_REQUESTS, LOCAL_LOAD_SECTORS, NOWHERE, NOWHERE),
    ROW(LOCAL_STORE, LOCAL_STORE_REQUESTS, LOCAL_STORE_SECTORS, NOWHERE, NOWHERE),
    ROW(SHARED_LOAD, SHARED_LOAD_INSTRUCTIONS, SHARED_LOAD_WAVEFRONTS, SHARED_LOAD_BANK_CONFLICTS, NOWHERE),
    ROW(SHARED_STORE, SHARED_STORE_INSTRUCTIONS, SHARED_STORE_WAVEFRONTS, SHARED_STORE_BANK_CONFLICTS, NOWHERE),
    ROW(SHARED_ATOM, SHARED_ATOM_INSTRUCTIONS, NOWHERE, ATOMICS, ATOMIC_CONFLICTS),
    ROW(CONST_LOAD, CONST_LOAD_REQUESTS, CONST_LOAD_ADDRESSES, NOWHERE, NOWHERE),
    ROW(TEXTURE_FETCH, TEXTURE_FETCHES, NOWHERE, NOWHERE, NOWHERE),
    ROW(SURFACE_LOAD, SURFACE_LOADS, NOWHERE, NOWHERE, NOWHERE),
    ROW(SURFACE_STORE, SURFACE_STORES, NOWHERE, NOWHERE, NOWHERE),
    ROW(BRANCH, BRANCHES, DIVERGENT_BRANCHES, NOWHERE, NOWHERE),
    ROW(BARRIER, BARRIERS, NOWHERE, NOWHERE, NOWHERE),
    ROW(SHUFFLE, SHUFFLES, NOWHERE, NOWHERE, NOWHERE),
    ROW(VOTE, VOTES, NOWHERE, NOWHERE, NOWHERE),
#undef ROW
};

static const uint8_t class_of_kind[TRACE_KIND_COUNT] = {
    [TRACE_BRANCH] = CLASS_BRANCH, [TRACE_BARRIER] = CLASS_BARRIER, [TRACE_SHUFFLE] = CLASS_SHUFFLE,
    [TRACE_VOTE] = CLASS_VOTE,     [TRACE_MATCH] = CLASS_VOTE,      [TRACE_REDUX] = CLASS_VOTE,
};
static const uint8_t class_of_load[TRACE_SPACE_COUNT] = {
    [TRACE_GLOBAL] = CLASS_GLOBAL_LOAD, [TRACE_SHARED] = CLASS_SHARED_LOAD,
    [TRACE_LOCAL] = CLASS_LOCAL_LOAD,   [TRACE_CONST] = CLASS_CONST_LOAD,
};
static const uint8_t class_of_store[TRACE_SPACE_COUNT] = {
    [TRACE_GLOBAL] = CLASS_GLOBAL_STORE, [TRACE_SHARED] = CLASS_SHARED_STORE, [TRACE_LOCAL] = CLASS_LOCAL_STORE,
};

// ---- the fold ------------------------------------------------------------------------------------------------------

// What an access of all 32 lanes came to. The same instruction mostly asks for the same places again, moved as a whole, and
// moving them by whole words of a bank or whole sectors changes nothing of what is counted.
typedef struct Shape {
  uint64_t apart[32];        // distance of each lane's address from that of lane 0
  uint64_t low;              // what is left of lane 0's address within a word or a sector
  uint64_t first, second;    // added to value[1] and value[2]
  int strangers;             // accesses in a row that were not like the one before
} Shape;

enum { SHAPE_PATIENCE = 32 };   // strangers after which an instruction is known not to repeat itself

// What one instruction counted as one class. A generic access may turn out to be of several: `next` leads on.
typedef struct Slot {
  uint64_t value[VALUES];
  Shape *shape;              // of the last access of all lanes; NULL before one
  int32_t next;              // index into Counters.more + 1; 0 ends
  uint8_t class;
} Slot;

struct Counters {
  TraceSink sink;            // first: the sink is the object
  const PtxModule *module;
  int code_count;
  Slot *slots;               // per pc
  Slot *more; int more_count, more_capacity;
  uint64_t *warps, *lanes;   // per pc, from tallies
  CounterSet **sets;         // per pc: the answer of counters_at, made when first asked for
  CounterSet *total;
  Counters *spare;           // children that nobody uses, to be forked again; a child's: the next of them
};

// Coordinates outside of a texture leave lanes, or all of them, without an address; the fetch is one all the same.
static Class class_of_texture(const Counters *counters, const TraceEvent *event) {
  bool known = event->pc >= 0 && event->pc < counters->code_count;
  if (event->kind == TRACE_STORE) return CLASS_SURFACE_STORE;
  return known && counters->module->code[event->pc].op == PTX_OP_suld ? CLASS_SURFACE_LOAD : CLASS_TEXTURE_FETCH;
}

static Class class_of(const Counters *counters, const TraceEvent *event) {
  if (event->kind >= TRACE_KIND_COUNT) return CLASS_NONE;
  bool accesses = event->kind == TRACE_LOAD || event->kind == TRACE_STORE || event->kind == TRACE_ATOM;
  if (!accesses) return (Class)class_of_kind[event->kind];
  if (event->space == TRACE_TEXTURE) return class_of_texture(counters, event);
  if (!event->mask || !event->addr || event->space >= TRACE_SPACE_COUNT) return CLASS_NONE;
  if (event->kind == TRACE_LOAD) return (Class)class_of_load[event->space];
  if (event->kind == TRACE_STORE) return (Class)class_of_store[event->space];
  if (event->space == TRACE_SHARED) return CLASS_SHARED_ATOM;
  if (event->space != TRACE_GLOBAL) return CLASS_NONE;
  return event->flags & TRACE_RETURNS_OLD ? CLASS_GLOBAL_ATOM : CLASS_GLOBAL_RED;
}

static Slot *slot_of(Counters *counters, int pc, Class class) {
  Slot *slot = &counters->slots[pc];
  while (slot->class != class) {
    if (slot->class == CLASS_NONE) {
      slot->class = (uint8_t)class;
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

// Hot: called for every access of all lanes. (The thread sanitizer is not up yet when the choice is made.)
#if defined(__x86_64__) && defined(__GLIBC__) && !defined(__clang__) && !defined(__SANITIZE_THREAD__)
__attribute__((target_clones("avx512f", "avx2", "default")))
#endif
static uint64_t differs(const uint64_t apart[32], const uint64_t addr[32]) {
  uint64_t any = 0, base = addr[0];
  for (int i = 0; i < 32; i++) any |= (addr[i] - base) ^ apart[i];
  return any;
}

static bool seen_before(const Slot *slot, const TraceEvent *event, uint64_t unit) {
  Shape *shape = slot->shape;
  if (!shape || event->mask != UINT32_MAX || shape->strangers >= SHAPE_PATIENCE) return false;
  bool same = shape->low == event->addr[0] % unit && !differs(shape->apart, event->addr);
  shape->strangers = same ? 0 : shape->strangers + 1;
  return same;
}

static void remember(Slot *slot, const TraceEvent *event, uint64_t unit, uint64_t first, uint64_t second) {
  if (event->mask != UINT32_MAX || (slot->shape && slot->shape->strangers >= SHAPE_PATIENCE)) return;
  if (!slot->shape) slot->shape = ls_alloc(sizeof *slot->shape);
  for (int i = 0; i < 32; i++) slot->shape->apart[i] = event->addr[i] - event->addr[0];
  slot->shape->low = event->addr[0] % unit;
  slot->shape->first = first;
  slot->shape->second = second;
}

enum { BANK_WORD = 4, SECTOR = 32 };

static void add(Slot *slot, uint64_t first, uint64_t second) {
  slot->value[1] += first;
  slot->value[2] += second;
}

static void count_shared(Slot *slot, const TraceEvent *event) {
  if (seen_before(slot, event, BANK_WORD)) {
    add(slot, slot->shape->first, slot->shape->second);
    return;
  }
  int ideal, wavefronts = bank_count(event->kind == TRACE_LOAD, event->mask, event->width, event->addr, &ideal);
  remember(slot, event, BANK_WORD, (uint64_t)wavefronts, (uint64_t)(wavefronts - ideal));
  add(slot, (uint64_t)wavefronts, (uint64_t)(wavefronts - ideal));
}

static void count_global(Slot *slot, const TraceEvent *event) {
  if (seen_before(slot, event, SECTOR)) {
    add(slot, slot->shape->first, slot->shape->second);
    return;
  }
  int bytes, sectors = coal_measure(event->mask, event->width, event->addr, &bytes);
  remember(slot, event, SECTOR, (uint64_t)sectors, (uint64_t)bytes);
  add(slot, (uint64_t)sectors, (uint64_t)bytes);
}

static void count_atomic(Slot *slot, const TraceEvent *event) {
  int lanes = __builtin_popcount(event->mask), distinct;
  slot->value[1] += (uint64_t)coal_atomic_sectors(event->mask, event->addr, &distinct);   // nowhere if it is shared
  slot->value[2] += (uint64_t)lanes;
  slot->value[3] += (uint64_t)(lanes - distinct);
}

static void access_event(TraceSink *sink, const TraceEvent *event) {
  Counters *counters = (Counters *)sink;
  Class class = class_of(counters, event);
  if (class == CLASS_NONE || event->pc < 0 || event->pc >= counters->code_count) return;
  Slot *slot = slot_of(counters, event->pc, class);
  slot->value[0]++;
  switch (class) {
    case CLASS_GLOBAL_LOAD: case CLASS_GLOBAL_STORE: count_global(slot, event); break;
    case CLASS_SHARED_LOAD: case CLASS_SHARED_STORE: count_shared(slot, event); break;
    case CLASS_LOCAL_LOAD: case CLASS_LOCAL_STORE:
      slot->value[1] += (uint64_t)coal_local_sectors(event->mask, event->width, event->addr);
      break;
    case CLASS_GLOBAL_RED: case CLASS_GLOBAL_ATOM: case CLASS_SHARED_ATOM: count_atomic(slot, event); break;
    case CLASS_CONST_LOAD: slot->value[1] += (uint64_t)coal_distinct(event->mask, event->addr); break;
    case CLASS_BRANCH: slot->value[1] += (event->flags & TRACE_DIVERGES) != 0; break;
    default: break;
  }
}

static void take_tallies(TraceSink *sink, const TraceTally *tallies, int count) {
  Counters *counters = (Counters *)sink;
  for (int i = 0; i < count; i++) {
    if (tallies[i].pc < 0 || tallies[i].pc >= counters->code_count) continue;
    counters->warps[tallies[i].pc] += tallies[i].warps;
    counters->lanes[tallies[i].pc] += tallies[i].lanes;
  }
}

// A row of what a device counted by itself, as the sum of the accesses that it stands for.
static void take_count(Counters *counters, const TraceCount *count) {
  static const uint64_t somewhere[32];
  TraceEvent event = {
      .kind = count->kind, .space = count->space, .flags = count->flags, .mask = 1, .addr = somewhere, .pc = count->pc};
  Class class = class_of(counters, &event);
  if (class == CLASS_NONE || count->pc < 0 || count->pc >= counters->code_count) return;
  Slot *slot = slot_of(counters, count->pc, class);
  bool accesses = count->kind == TRACE_LOAD || count->kind == TRACE_STORE || count->kind == TRACE_ATOM;
  slot->value[0] += accesses ? count->requests : count->warps;
  switch (class) {
    case CLASS_GLOBAL_LOAD: case CLASS_GLOBAL_STORE: add(slot, count->sectors, count->bytes); break;
    case CLASS_SHARED_LOAD: case CLASS_SHARED_STORE: add(slot, count->wavefronts, count->conflicts); break;
    case CLASS_LOCAL_LOAD: case CLASS_LOCAL_STORE: case CLASS_CONST_LOAD: slot->value[1] += count->sectors; break;
    case CLASS_GLOBAL_RED: case CLASS_GLOBAL_ATOM: case CLASS_SHARED_ATOM:
      add(slot, count->sectors, count->doing);
      slot->value[3] += count->queued;
      break;
    case CLASS_BRANCH: slot->value[1] += count->diverging; break;
    default: break;
  }
}

static void take_counts(TraceSink *sink, const TraceCount *counts, int count) {
  for (int i = 0; i < count; i++) take_count((Counters *)sink, &counts[i]);
}

static void add_slot(Counters *counters, int pc, const Slot *from) {
  if (from->class == CLASS_NONE) return;
  Slot *to = slot_of(counters, pc, (Class)from->class);
  for (int v = 0; v < VALUES; v++) to->value[v] += from->value[v];
}

// What is known of shapes stays with `from`: its next accesses look the same.
void counters_move(Counters *to, Counters *from) {
  for (int pc = 0; pc < from->code_count; pc++) {
    for (Slot *slot = &from->slots[pc]; slot; slot = slot->next ? &from->more[slot->next - 1] : NULL) {
      if (to) add_slot(to, pc, slot);
      memset(slot->value, 0, sizeof slot->value);
    }
    if (to) to->warps[pc] += from->warps[pc];
    if (to) to->lanes[pc] += from->lanes[pc];
    from->warps[pc] = from->lanes[pc] = 0;
  }
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
  counters->sink.tally = take_tallies;
  counters->sink.counts = take_counts;
  counters->sink.fork = fork_counters;
  counters->sink.join = join_counters;
  counters->module = module;
  counters->code_count = module->code_count;
  counters->slots = ls_alloc(room * sizeof *counters->slots);
  counters->warps = ls_alloc(room * sizeof *counters->warps);
  counters->lanes = ls_alloc(room * sizeof *counters->lanes);
  counters->sets = ls_alloc(room * sizeof *counters->sets);
  counters->total = ls_alloc(sizeof *counters->total);
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
  }
  for (int i = 0; i < counters->more_count; i++) free(counters->more[i].shape);
  free(counters->sets);
  free(counters->slots);
  free(counters->more);
  free(counters->warps);
  free(counters->lanes);
  free(counters->total);
  free(counters);
}

TraceSink *counters_sink(Counters *counters) { return &counters->sink; }

// ---- answers -------------------------------------------------------------------------------------------------------

static void add_pc(const Counters *counters, int pc, CounterSet *out) {
  uint64_t value[COUNTER_COUNT + 1] = {0};   // the last one is COUNTER_NOWHERE
  for (const Slot *slot = &counters->slots[pc]; slot; slot = slot->next ? &counters->more[slot->next - 1] : NULL)
    for (int v = 0; v < VALUES; v++) value[counters_of[slot->class][v]] += slot->value[v];
  value[COUNTER_WARP_INSTRUCTIONS] += counters->warps[pc];
  value[COUNTER_THREAD_INSTRUCTIONS] += counters->lanes[pc];
  for (int i = 0; i < COUNTER_COUNT; i++) out->value[i] += value[i];
}

const CounterSet *counters_total(const Counters *counters) {
  *counters->total = (CounterSet){0};
  for (int pc = 0; pc < counters->code_count; pc++) add_pc(counters, pc, counters->total);
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

// The instruction's own line, or that of a call through which it was inlined.
static bool comes_from(const PtxModule *module, int pc, int file, int line) {
  int loc = module->code[pc].loc;
  for (int depth = 0; loc >= 0 && loc < module->loc_count && depth < 64; depth++) {
    if (module->locs[loc].file == file && module->locs[loc].line == line) return true;
    loc = module->locs[loc].inlined_at;
  }
  return false;
}

void counters_line(const Counters *counters, int file, int line, CounterSet *out) {
  *out = (CounterSet){0};
  for (int pc = 0; pc < counters->code_count; pc++)
    if (comes_from(counters->module, pc, file, line)) add_pc(counters, pc, out);
}

// ---- for another sink ------------------------------------------------------------------------------------------------

typedef struct Origin { uint8_t kind, space, flags; } Origin;
static const Origin origins[CLASS_COUNT] = {
    [CLASS_GLOBAL_LOAD] = {TRACE_LOAD, TRACE_GLOBAL, 0},   [CLASS_GLOBAL_STORE] = {TRACE_STORE, TRACE_GLOBAL, 0},
    [CLASS_GLOBAL_RED] = {TRACE_ATOM, TRACE_GLOBAL, 0},    [CLASS_GLOBAL_ATOM] = {TRACE_ATOM, TRACE_GLOBAL, TRACE_RETURNS_OLD},
    [CLASS_LOCAL_LOAD] = {TRACE_LOAD, TRACE_LOCAL, 0},     [CLASS_LOCAL_STORE] = {TRACE_STORE, TRACE_LOCAL, 0},
    [CLASS_SHARED_LOAD] = {TRACE_LOAD, TRACE_SHARED, 0},   [CLASS_SHARED_STORE] = {TRACE_STORE, TRACE_SHARED, 0},
    [CLASS_SHARED_ATOM] = {TRACE_ATOM, TRACE_SHARED, 0},   [CLASS_CONST_LOAD] = {TRACE_LOAD, TRACE_CONST, 0},
    [CLASS_TEXTURE_FETCH] = {TRACE_LOAD, TRACE_TEXTURE, 0}, [CLASS_SURFACE_LOAD] = {TRACE_LOAD, TRACE_TEXTURE, 0},
    [CLASS_SURFACE_STORE] = {TRACE_STORE, TRACE_TEXTURE, 0},
    [CLASS_BRANCH] = {TRACE_BRANCH, TRACE_GLOBAL, 0},      [CLASS_BARRIER] = {TRACE_BARRIER, TRACE_GLOBAL, 0},
    [CLASS_SHUFFLE] = {TRACE_SHUFFLE, TRACE_GLOBAL, 0},    [CLASS_VOTE] = {TRACE_VOTE, TRACE_GLOBAL, 0},
};

// The inverse of take_count.
static TraceCount count_of(const Slot *slot, int pc) {
  const Origin *origin = &origins[slot->class];
  const uint64_t *value = slot->value;
  TraceCount count = {.pc = pc, .kind = origin->kind, .space = origin->space, .flags = origin->flags, .warps = value[0],
                      .requests = value[0]};
  switch ((Class)slot->class) {
    case CLASS_GLOBAL_LOAD: case CLASS_GLOBAL_STORE: count.sectors = value[1], count.bytes = value[2]; break;
    case CLASS_SHARED_LOAD: case CLASS_SHARED_STORE: count.wavefronts = value[1], count.conflicts = value[2]; break;
    case CLASS_LOCAL_LOAD: case CLASS_LOCAL_STORE: case CLASS_CONST_LOAD: count.sectors = value[1]; break;
    case CLASS_GLOBAL_RED: case CLASS_GLOBAL_ATOM: case CLASS_SHARED_ATOM:
      count.sectors = value[1], count.doing = value[2], count.queued = value[3];
      break;
    case CLASS_BRANCH: count.diverging = value[1]; break;
    default: break;
  }
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
