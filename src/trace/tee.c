// tee.c: one run, two listeners.
#include "trace/trace.h"

#include <stdlib.h>
#include "base/mem.h"

static TraceTee *tee_of(TraceSink *sink) { return (TraceTee *)(void *)sink; }   // sink is its first member

// Calls FUNCTION of both sinks, where there are such.
#define TEE(sink, FUNCTION, ...)                                                  \
  do {                                                                            \
    TraceSink *both_[] = {tee_of(sink)->first, tee_of(sink)->second};             \
    for (int i_ = 0; i_ < 2; i_++)                                                \
      if (both_[i_] && both_[i_]->FUNCTION) both_[i_]->FUNCTION(both_[i_], __VA_ARGS__); \
  } while (0)

static bool wants_each(const TraceSink *sink) { return sink && sink->each; }

static void tee_event(TraceSink *sink, const TraceEvent *event) { TEE(sink, event, event); }
static void tee_access(TraceSink *sink, const TraceEvent *event) { TEE(sink, access, event); }

// Hot: mostly only one of the two wants to know.
#define ONLY(SIDE, FUNCTION)                                                      \
  static void SIDE##_##FUNCTION(TraceSink *sink, const TraceEvent *event) {       \
    TraceSink *to = tee_of(sink)->SIDE;                                           \
    if (to->FUNCTION) to->FUNCTION(to, event);                                    \
  }
ONLY(first, event)
ONLY(second, event)
ONLY(first, access)
ONLY(second, access)

typedef void Take(TraceSink *sink, const TraceEvent *event);
static Take *pick(bool first, bool second, Take *both, Take *to_first, Take *to_second) {
  return first && second ? both : first ? to_first : second ? to_second : NULL;
}

// What a block's accesses are wanted for may change where it begins. Where nobody wants them, nobody is called.
static void set_access(TraceSink *sink) {
  const TraceSink *first = tee_of(sink)->first, *second = tee_of(sink)->second;
  sink->access =
      pick(first && first->access, second && second->access, tee_access, first_access, second_access);
  sink->each = wants_each(first) || wants_each(second);
}

static void tee_begin_block(TraceSink *sink, uint32_t block, bool recorded) {
  TEE(sink, begin_block, block, recorded);
  set_access(sink);
}

static void jump_event(const TraceAct *act, TraceEvent *event) {
  event->taken = act->taken;
  event->target = act->target;
  event->reconverge = act->reconverge;
}

static void access_event(const TraceAct *act, TraceEvent *event, uint64_t addr[32]) {
  event->space = act->space;
  event->width = act->width;
  event->shape = act->shape;
  for (int lane = 0; lane < 32; lane++) addr[lane] = act->at + act->apart[lane];
  event->addr = addr;
}

static void shuffle_event(const TraceAct *act, TraceEvent *event, uint64_t lanes[2][32]) {
  event->members = UINT32_MAX;
  for (int lane = 0; lane < 32; lane++) lanes[0][lane] = act->row->moved.value[lane];
  for (int lane = 0; lane < 32; lane++) lanes[1][lane] = act->row->moved.result[lane];
  event->source = act->row->source;
  event->value = lanes[0];
  event->result = lanes[1];
}

static void atomic_event(const TraceAct *act, TraceEvent *event, uint64_t lanes[2][32]) {
  event->space = act->space;
  event->width = act->width;
  event->addr = act->atoms->addr;
  for (int lane = 0; lane < 32; lane++) lanes[0][lane] = act->atoms->operand[lane];
  for (int lane = 0; lane < 32; lane++) lanes[1][lane] = act->atoms->old[lane];
  event->value = lanes[0];
  event->result = lanes[1];
}

static void vote_event(const TraceAct *act, TraceEvent *event, uint64_t result[32]) {
  event->members = UINT32_MAX;
  event->taken = act->taken;
  for (int lane = 0; lane < 32; lane++) result[lane] = act->at;
  event->result = result;
}

void trace_act_event(const TraceEvent *first, const TraceAct *act, TraceEvent *event, uint64_t lanes[2][32]) {
  *event = *first;
  event->pc = act->pc;
  event->kind = act->kind;
  event->flags = act->flags;
  switch (act->kind) {
  case TRACE_BRANCH: jump_event(act, event); break;
  case TRACE_SHUFFLE: shuffle_event(act, event, lanes); break;
  case TRACE_ATOM: atomic_event(act, event, lanes); break;
  case TRACE_VOTE: vote_event(act, event, lanes[0]); break;
  case TRACE_SYNCWARP: event->members = UINT32_MAX; break;
  default: access_event(act, event, lanes[0]); break;
  }
}

static void take_apart(TraceSink *sink, const TraceLine *line) {
  const TraceAct *act = line->acts, *end = act + line->act_count;
  int32_t pc = line->pc;
  for (int i = 0; i < line->count; i++) {
    TraceEvent event = *line->first;
    uint64_t lanes[2][32];
    bool acts = act < end && act->pc == pc;
    event.pc = pc++;
    if (acts) trace_act_event(line->first, act, &event, lanes);
    if (acts) pc = trace_act_next(act++);
    event.step = line->first->step + (uint64_t)i;
    sink->event(sink, &event);
  }
}

static void line_of(TraceSink *sink, const TraceLine *line) {
  if (sink && sink->line) sink->line(sink, line);
  else if (sink && sink->event) take_apart(sink, line);
}

static void tee_line(TraceSink *sink, const TraceLine *line) {
  line_of(tee_of(sink)->first, line);
  line_of(tee_of(sink)->second, line);
}

static void second_line(TraceSink *sink, const TraceLine *line) { line_of(tee_of(sink)->second, line); }

static void passes_of(TraceSink *sink, const TracePasses *passes) {
  if (sink && sink->passes) { sink->passes(sink, passes); return; }
  for (uint64_t pass = 0; pass < passes->times; pass++, trace_passes_move(passes, 1))
    for (int i = 0; i < passes->line_count; i++) {
      TraceEvent first = *passes->lines[i].first;
      TraceLine line = passes->lines[i];
      first.step += pass * passes->events;
      line.first = &first;
      line_of(sink, &line);
    }
}

static void tee_passes(TraceSink *sink, const TracePasses *passes) {
  passes_of(tee_of(sink)->first, passes);
  trace_passes_move(passes, 0 - passes->times);
  passes_of(tee_of(sink)->second, passes);
}

static void second_passes(TraceSink *sink, const TracePasses *passes) { passes_of(tee_of(sink)->second, passes); }

static void tee_accesses(TraceSink *sink, const TraceEvent *event, uint64_t times) {
  TEE(sink, accesses, event, times);
}

static void tee_end_block(TraceSink *sink, uint32_t block) { TEE(sink, end_block, block); }
static void tee_fault(TraceSink *sink, const TraceFault *fault) { TEE(sink, fault, fault); }
static void tee_tally(TraceSink *sink, const TraceTally *tallies, int count) { TEE(sink, tally, tallies, count); }
static void tee_print(TraceSink *sink, const TracePrint *prints, int count) { TEE(sink, print, prints, count); }
static void tee_coverage(TraceSink *sink, const TraceCoverage *items, int count) { TEE(sink, coverage, items, count); }
static void tee_counts(TraceSink *sink, const TraceCount *counts, int count) { TEE(sink, counts, counts, count); }
static void tee_times(TraceSink *sink, const TraceBlockTime *times, int count) { TEE(sink, block_times, times, count); }
static void tee_measure(TraceSink *sink, const TraceMeasure *measure) { TEE(sink, measure, measure); }

static void tee_cut(TraceSink *sink) {
  TraceSink *both[] = {tee_of(sink)->first, tee_of(sink)->second};
  for (int i = 0; i < 2; i++)
    if (both[i] && both[i]->cut) both[i]->cut(both[i]);
}

static void join_one(TraceSink *sink, TraceSink *child, bool keep) {
  if (child) sink->join(sink, child, keep);
}

static void tee_join(TraceSink *sink, TraceSink *child, bool keep) {
  TraceTee *tee = tee_of(sink), *children = tee_of(child);
  join_one(tee->first, children->first, keep);
  join_one(tee->second, children->second, keep);
  free(children);
}

// Only called if those that are there can be forked.
static TraceSink *tee_fork(TraceSink *sink) {
  TraceTee *tee = tee_of(sink), *children = ls_alloc(sizeof *children);
  TraceSink *first = tee->first ? tee->first->fork(tee->first) : NULL;
  TraceSink *second = tee->second ? tee->second->fork(tee->second) : NULL;
  trace_tee_init(children, first, second);
  return &children->sink;
}

static bool takes_many(const TraceSink *sink) { return !sink || !sink->access || sink->accesses; }

void trace_tee_init(TraceTee *tee, TraceSink *first, TraceSink *second) {
  bool many = takes_many(first) && takes_many(second);
  bool of_first = first && (first->event || first->line), of_second = second && (second->event || second->line);
  bool forks = (!first || first->fork) && (!second || second->fork);
  *tee = (TraceTee){
      .sink = {.begin_block = tee_begin_block,
               .event = pick(of_first, of_second, tee_event, first_event, second_event),
               .line = of_first ? tee_line : of_second ? second_line : NULL,
               .passes = of_first ? tee_passes : of_second ? second_passes : NULL,
               .accesses = many ? tee_accesses : NULL, .end_block = tee_end_block,
               .fault = tee_fault, .tally = tee_tally, .print = tee_print, .coverage = tee_coverage,
               .counts = tee_counts, .block_times = tee_times, .measure = tee_measure,
               .cut = (first && first->cut) || (second && second->cut) ? tee_cut : NULL,
               .fork = forks ? tee_fork : NULL, .join = forks ? tee_join : NULL},
      .first = first, .second = second,
  };
  set_access(&tee->sink);
}
