// test_totals.c: counters at any step of a trace, against a plain fold from its start.
#include "app/run/totals.h"

#include "base/random.h"
#include "check.h"

enum { PCS = 64, EVENTS = 30000, LOADS = 8 };   // every LOADS-th instruction is a load
static PtxInstr code[PCS];
static PtxModule module = {.code = code, .code_count = PCS};

// A load or an execution.
static void tell(TraceSink *sink, LsMt *random) {
  uint64_t addr[32];
  uint32_t lanes = ls_mt_u32(random) % 3 ? UINT32_MAX : ls_mt_u32(random) | 1;
  int pc = (int)(ls_mt_u32(random) % PCS);
  TraceEvent event = {.kind = TRACE_EXEC, .pc = pc, .active = lanes, .mask = lanes, .target = -1, .reconverge = -1,
                      .fault = -1};
  if (pc % LOADS == 0) {
    uint64_t stride = (uint64_t)(pc + 4);
    for (uint64_t lane = 0; lane < 32; lane++) addr[lane] = 4096 + 16 * (ls_mt_u32(random) % 4) + lane * stride;
    event.kind = TRACE_LOAD;
    event.width = 4;
    event.addr = addr;
  }
  sink->event(sink, &event);
}

static Trace *make_trace(void) {
  TraceInfo info;
  LsMt random;
  size_t size;
  trace_info_init(&info);
  info.launch.block[0] = 256;
  TraceWriter *writer = trace_writer_new(NULL, &info, NULL);
  TraceSink *sink = trace_writer_sink(writer);
  ls_mt_seed(&random, 3);
  sink->begin_block(sink, 0, true);
  for (int i = 0; i < EVENTS; i++) tell(sink, &random);
  CHECK(trace_writer_finish(writer, NULL));
  uint8_t *bytes = trace_writer_take(writer, &size);
  trace_writer_free(writer);
  trace_info_fini(&info);
  return trace_open_memory(bytes, size, NULL);
}

static void add_event(CounterSet *sum, Counters *counters, const TraceEvent *event) {
  if (event->kind != TRACE_EXEC) counters_sink(counters)->access(counters_sink(counters), event);
  *sum = *counters_total(counters);
}

static void check_totals(RunPrefix *totals, Trace *trace) {
  Counters *counters = counters_new(&module);
  CounterSet wanted = {0}, got;
  uint64_t warps = 0, lanes = 0, steps = trace_steps(trace);
  int wrong = 0;
  TraceEvent event;
  for (uint64_t step = 0; step < steps; step++) {
    CHECK(trace_event(trace, step, &event, NULL));
    add_event(&wanted, counters, &event);
    wanted.value[COUNTER_WARP_INSTRUCTIONS] = ++warps;
    wanted.value[COUNTER_THREAD_INSTRUCTIONS] = lanes += (uint64_t)__builtin_popcount(event.mask);
    bool look = step % 97 == 0 || (step > 5000 && step < 5300) || step + 1 == steps;
    if (look) wrong += !totals_at(totals, trace, step, &got) || memcmp(&got, &wanted, sizeof got) != 0;
  }
  CHECK_INT(wrong, 0);
  CHECK(!totals_at(totals, trace, steps, &got));
  counters_free(counters);
}

static void at_any_step(void) {
  Trace *trace = make_trace();
  RunPrefix *totals = totals_new(&module);
  CounterSet got;
  CHECK(totals_advance(totals, trace, 777));
  CHECK(totals_at(totals, trace, 776, &got) && !totals_at(totals, trace, 777, &got));
  while (totals_advance(totals, trace, 777)) continue;
  check_totals(totals, trace);
  totals_free(totals);
  trace_close(trace);
}

static const Check checks[] = {
    {"totals at any step", at_any_step},
};

int main(int argc, char **argv) { return check_main("totals", checks, LS_COUNT(checks), argc, argv); }
