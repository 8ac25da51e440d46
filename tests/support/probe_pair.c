// probe_pair.c: runs a kernel plain and instrumented on the emulator, keeps both logs and says where they part.
#include "probe_pair.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/mem.h"

enum { LANES = 32, MEMORY_AT = 0x200000 };

static char difference[1024];

// ---- logs ----------------------------------------------------------------------------------------------------------

static void keep_event(TraceSink *sink, const TraceEvent *event) {
  PairLog *log = (PairLog *)sink;
  PairEvent e = {.event = *event};
  if (event->addr) memcpy(e.addr, event->addr, sizeof e.addr);
  if (event->value) memcpy(e.value, event->value, sizeof e.value);
  if (event->result) memcpy(e.result, event->result, sizeof e.result);
  if (event->source) memcpy(e.source, event->source, sizeof e.source);
  LS_PUSH(log->events, log->count, log->capacity, e);
}

static void count_access(TraceSink *sink, const TraceEvent *event) {
  TraceSink *counters = counters_sink(((PairLog *)sink)->counters);
  counters->access(counters, event);
}

static void *keep(const void *items, size_t size, int count) {
  void *copy = ls_alloc(size * (size_t)(count + 1));
  if (count) memcpy(copy, items, size * (size_t)count);
  return copy;
}

static void keep_tallies(TraceSink *sink, const TraceTally *tallies, int count) {
  PairLog *log = (PairLog *)sink;
  TraceSink *counters = counters_sink(log->counters);
  counters->tally(counters, tallies, count);
  log->tallies = keep(tallies, sizeof *tallies, count);
  log->tally_count = count;
}

static void keep_counts(TraceSink *sink, const TraceCount *counts, int count) {
  PairLog *log = (PairLog *)sink;
  TraceSink *counters = counters_sink(log->counters);
  counters->counts(counters, counts, count);
  log->counts = keep(counts, sizeof *counts, count);
  log->count_count = count;
}

static void keep_times(TraceSink *sink, const TraceBlockTime *times, int count) {
  PairLog *log = (PairLog *)sink;
  log->times = keep(times, sizeof *times, count);
  log->time_count = count;
}

void pair_log_init(PairLog *log, const PtxModule *module) {
  *log = (PairLog){.counters = counters_new(module),
                   .sink = {.event = keep_event, .access = count_access, .tally = keep_tallies, .counts = keep_counts,
                            .block_times = keep_times}};
}

void pair_log_fini(PairLog *log) {
  free(log->events);
  free(log->tallies);
  free(log->counts);
  free(log->times);
  counters_free(log->counters);
}

// ---- runs ----------------------------------------------------------------------------------------------------------

static SimOptions options_of(const Pair *p) {
  SimOptions o;
  sim_options_init(&o);
  o.sched = p->sched;
  o.meets_late = p->meets_late;
  o.seed = p->seed;
  o.checks = p->checks;
  o.record_all = true;
  o.budget = 1ull << 36;
  return o;
}

static bool run_plain(Pair *p) {
  SimOptions o = options_of(p);
  if (p->options.record_block) o.record_block = p->options.record_block;
  p->plain = sim_new(p->module, p->entry, p->launch, &o, &p->err);
  if (!p->plain) return false;
  sim_describe_objects(p->plain, &p->info);
  return sim_run(p->plain, &p->plain_log.sink, &p->err);
}

static bool run_traced(Pair *p) {
  size_t length;
  uint64_t size = probe_memory(p->probe), context_size;
  const char *text = probe_ptx(p->probe, &length);
  p->memory = ls_alloc(size);
  SimMapping memory = {.address = MEMORY_AT, .size = size, .bytes = p->memory};
  SimOptions o = options_of(p);
  o.mappings = &memory;
  o.mapping_count = 1;
  o.record_all = false;
  p->instrumented = ptx_parse("instrumented.ptx", text, length, &p->err);
  if (!p->instrumented) return false;
  int entry = ptx_find_entry(p->instrumented, p->module->funcs[p->entry].name, &p->err);
  p->traced = entry < 0 ? NULL : sim_new(p->instrumented, entry, p->launch, &o, &p->err);
  if (!p->traced) return false;
  uint8_t *context = sim_global_bytes(p->traced, PROBE_CONTEXT, &context_size, NULL);
  if (!context || context_size != PROBE_CONTEXT_BYTES) return false;
  probe_context(p->probe, MEMORY_AT, context);
  return sim_run(p->traced, NULL, &p->err) &&
         probe_decode(p->probe, p->memory, &p->info, &p->traced_log.sink, &p->traced_log.lost, &p->err);
}

void pair_init(Pair *p, PtxModule *module, int entry, const Launch *launch) {
  *p = (Pair){.module = module,
              .entry = entry,
              .launch = launch,
              .sched = SIM_ITS,
              .checks = SIM_CHECK_ALL,
              .options = {.record_all = true, .memory_limit = 256 << 20, .sm_count = 4}};
  pair_log_init(&p->plain_log, module);
  pair_log_init(&p->traced_log, module);
}

static void forget_traced(Pair *p) {
  pair_log_fini(&p->traced_log);
  pair_log_init(&p->traced_log, p->module);
  sim_free(p->traced);
  ptx_module_free(p->instrumented);
  free(p->memory);
  p->traced = NULL;
  p->instrumented = NULL;
  p->memory = NULL;
}

bool pair_run(Pair *p) {
  if (!run_plain(p)) return false;
  p->probe = probe_new(p->module, p->entry, p->launch, &p->options, &p->err);
  if (!p->probe || !run_traced(p)) return false;
  if (!p->narrows || !probe_narrow(p->probe, p->memory)) return true;
  forget_traced(p);
  return run_traced(p);
}

void pair_free(Pair *p) {
  pair_log_fini(&p->plain_log);
  pair_log_fini(&p->traced_log);
  sim_free(p->plain);
  sim_free(p->traced);
  ptx_module_free(p->instrumented);
  probe_free(p->probe);
  trace_info_fini(&p->info);
  free(p->memory);
}

// ---- comparing -----------------------------------------------------------------------------------------------------

const char *pair_results_differ(const Pair *p) {
  int plain, traced;
  const TraceFault *first = sim_faults(p->traced, &traced);
  sim_faults(p->plain, &plain);
  if (plain != traced) {
    snprintf(difference, sizeof difference, "%d faults, plain %d: %s", traced, plain, traced ? first->message : "");
    return difference;
  }
  for (int i = 0; i < p->launch->arg_count; i++) {
    uint64_t size, other;
    const uint8_t *a = sim_buffer(p->plain, i, &size), *b = sim_buffer(p->traced, i, &other);
    if (!a && !b) continue;
    if (a && b && size == other && memcmp(a, b, size) == 0) continue;
    snprintf(difference, sizeof difference, "the bytes of argument %d differ", i + 1);
    return difference;
  }
  return NULL;
}

static bool same_lanes(const uint64_t *a, const uint64_t *b, uint32_t mask) {
  for (; mask; mask &= mask - 1) if (a[__builtin_ctz(mask)] != b[__builtin_ctz(mask)]) return false;
  return true;
}

#define SAME(field)                                                                             \
  if ((x->event.field) != (y->event.field)) {                                                     \
    snprintf(what, size, #field " %llx, plain %llx", (unsigned long long)(x->event.field),      \
             (unsigned long long)(y->event.field));                                               \
    return false;                                                                               \
  }
#define SAME_ARRAY(field)                                                          \
  if (!x->event.field != !y->event.field) { snprintf(what, size, #field " is missing"); return false; } \
  if (x->event.field && !same_lanes(x->field, y->field, x->event.mask)) {          \
    int at = __builtin_ctz(x->event.mask);                                         \
    snprintf(what, size, #field " %llx.., plain %llx..", (unsigned long long)x->field[at], (unsigned long long)y->field[at]); \
    return false;                                                                  \
  }

static bool same_event(const PairEvent *x, const PairEvent *y, bool any_old_values, char *what, size_t size) {
  // Which warp comes to a barrier first is a matter of turns, and turns are of instructions.
  bool may_come_later = x->event.kind == TRACE_BARRIER, of_cluster = may_come_later && x->event.barrier_id == 16;
  uint8_t compared = (uint8_t)(of_cluster ? ~(TRACE_LAST_ARRIVAL | TRACE_BAR_ARRIVE) : may_come_later ? ~TRACE_LAST_ARRIVAL : ~0);
  SAME(pc) SAME(kind) SAME(active) SAME(mask) SAME(flags & compared) SAME(space) SAME(width) SAME(taken) SAME(target)
  SAME(reconverge) SAME(barrier_id) SAME(expected) SAME(members) SAME(fault)
  SAME_ARRAY(addr) SAME_ARRAY(value)
  if (!(any_old_values && x->event.kind == TRACE_ATOM)) { SAME_ARRAY(result) }
  if (!x->event.source != !y->event.source) return false;
  for (uint32_t left = x->event.mask; left && x->event.source; left &= left - 1)
    if (x->source[__builtin_ctz(left)] != y->source[__builtin_ctz(left)]) { snprintf(what, size, "source"); return false; }
  return true;
}

// Events of one warp, in the order of the log, in which one of these lanes is; -1 ends.
static int next_of(const PairLog *log, int at, uint32_t block, int warp, uint32_t lanes) {
  for (; at < log->count && log->events[at].event.block == block; at++)
    if (log->events[at].event.warp == warp && log->events[at].event.active & lanes) return at;
  return -1;
}

static const char *say(const Pair *p, const PairEvent *e, const char *what, int n) {
  LsText text = {0};
  ptx_print_instr(p->module, e->event.pc, &text);
  snprintf(difference, sizeof difference, "block %u warp %d event %d, pc %d line %d %s: %s", e->event.block, e->event.warp,
           n, e->event.pc, p->module->code[e->event.pc].line, ls_text_str(&text), what);
  ls_text_free(&text);
  return difference;
}

static const char *lanes_differ(const Pair *p, uint32_t block, int warp, uint32_t lanes, int a, int b) {
  char what[128] = "";
  for (int n = 0;; n++) {
    a = next_of(&p->traced_log, a, block, warp, lanes);
    b = next_of(&p->plain_log, b, block, warp, lanes);
    if (a < 0 && b < 0) return NULL;
    if (a < 0) return say(p, &p->plain_log.events[b], "is missing", n);
    if (b < 0) return say(p, &p->traced_log.events[a], "is too much", n);
    const PairEvent *x = &p->traced_log.events[a++], *y = &p->plain_log.events[b++];
    if (!same_event(x, y, p->any_old_values, what, sizeof what)) return say(p, y, what, n);
  }
}

// Which of the lanes that are apart go first is a matter of turns, too: each lane has its own order then.
static const char *warp_differs(const Pair *p, uint32_t block, int warp, int a, int b) {
  const char *differs = NULL;
  if (p->sched == SIM_STACK && !p->any_order) return lanes_differ(p, block, warp, UINT32_MAX, a, b);
  for (int lane = 0; lane < LANES && !differs; lane++) differs = lanes_differ(p, block, warp, 1u << lane, a, b);
  return differs;
}

const char *pair_events_differ(const Pair *p) {
  int a = 0, b = 0;
  const char *differs = NULL;
  for (uint64_t block = 0; block < launch_blocks(p->launch) && !differs; block++) {
    while (a < p->traced_log.count && p->traced_log.events[a].event.block < block) a++;
    while (b < p->plain_log.count && p->plain_log.events[b].event.block < block) b++;
    for (int warp = 0; warp < (int)launch_warps(p->launch) && !differs; warp++)
      differs = warp_differs(p, (uint32_t)block, warp, a, b);
  }
  return differs;
}

const char *pair_tallies_differ(const Pair *p) {
  const PairLog *a = &p->traced_log, *b = &p->plain_log;
  for (int i = 0; i < LS_MAX(a->tally_count, b->tally_count); i++) {
    const TraceTally *x = i < a->tally_count ? &a->tallies[i] : NULL, *y = i < b->tally_count ? &b->tallies[i] : NULL;
    if (x && y && x->pc == y->pc && x->warps == y->warps && x->lanes == y->lanes) continue;
    LsText text = {0};
    int pc = x ? x->pc : y->pc;
    ptx_print_instr(p->module, pc, &text);
    snprintf(difference, sizeof difference, "tally %d: pc %d line %d %s: %llu warps %llu lanes, plain pc %d %llu %llu", i, pc,
             p->module->code[pc].line, ls_text_str(&text), x ? (unsigned long long)x->warps : 0,
             x ? (unsigned long long)x->lanes : 0, y ? y->pc : -1, y ? (unsigned long long)y->warps : 0,
             y ? (unsigned long long)y->lanes : 0);
    ls_text_free(&text);
    return difference;
  }
  return NULL;
}

const char *pair_counters_differ(const Pair *p) {
  for (int pc = 0; pc < p->module->code_count; pc++) {
    const CounterSet *a = counters_at(p->traced_log.counters, pc), *b = counters_at(p->plain_log.counters, pc);
    for (int i = 0; i < COUNTER_COUNT; i++) {
      if (a->value[i] == b->value[i]) continue;
      LsText text = {0};
      ptx_print_instr(p->module, pc, &text);
      snprintf(difference, sizeof difference, "pc %d line %d %s: %s is %llu, plain %llu", pc, p->module->code[pc].line,
               ls_text_str(&text), counter_def((CounterId)i)->name, (unsigned long long)a->value[i],
               (unsigned long long)b->value[i]);
      ls_text_free(&text);
      return difference;
    }
  }
  return NULL;
}

// Every block once, the first at zero, none ends before it starts.
const char *pair_times_are_wrong(const Pair *p) {
  const PairLog *log = &p->traced_log;
  if ((uint64_t)log->time_count != launch_blocks(p->launch)) return "not all blocks have times";
  uint8_t *seen = ls_alloc((size_t)log->time_count + 1);
  bool wrong = log->times[0].start != 0;
  for (int i = 0; i < log->time_count; i++) {
    const TraceBlockTime *t = &log->times[i];
    wrong |= t->end <= t->start || (i && t->start < log->times[i - 1].start) || t->block >= (uint32_t)log->time_count;
    wrong |= wrong || seen[t->block]++ || t->sm != t->block % 132;
  }
  free(seen);
  return wrong ? "times of blocks" : NULL;
}

const char *pair_differs(const Pair *p, bool ran) {
  const char *differs = ran ? pair_results_differ(p) : p->err.message;
  if (!differs) differs = pair_events_differ(p);
  if (!differs) differs = pair_tallies_differ(p);
  if (!differs) differs = pair_counters_differ(p);
  if (!differs) differs = pair_times_are_wrong(p);
  return !differs && p->traced_log.lost ? "events were lost" : differs;
}
