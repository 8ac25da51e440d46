// test_program_time.c: steps in time, against schedules drawn by hand: a pipeline of four chunks through copy,
// kernel and copy, in
// units of a microsecond: a copy takes 2, a kernel that fills the device 3, and what the host does nothing.
//
//   in      0011 2233        two streams by turns: the least is 2 + 4 x 3 + 2 = 16, and as d0 and d1 are
//   kernel    000111222333   all there is, a chunk waits for the one two before it: 17
//   out          00 11 22 33
#include "model/program_path.h"

#include <math.h>

#include "base/mem.h"
#include "check.h"

enum { CHUNKS = 4, UNIT = 1000 };



static LsErr err;

static void begin(HostProgram *p, int streams) {
  program_init(p);
  for (int i = 0; i < streams; i++) {
    ProgramStream stream = {.name = ls_format("s%d", i)};
    LS_PUSH(p->streams, p->stream_count, p->stream_capacity, stream);
  }
  for (int i = 0; i < CHUNKS + 2; i++) {   // h0..h3 pinned on the host, d0 and d1
    ProgramBuffer buffer = {.contents = {.name = ls_format("b%d", i), .type = LAUNCH_U8, .is_buffer = true, .count =
                                         2000},
                            .host = i < CHUNKS ? PROGRAM_PINNED : PROGRAM_DEVICE_ONLY};
    LS_PUSH(p->buffers, p->buffer_count, p->buffer_capacity, buffer);
  }
}

static ProgramStep *add(HostProgram *p, ProgramKind kind, int stream) {
  ProgramStep step;
  program_step_init(&step, kind);
  step.stream = stream;
  LS_PUSH(p->steps, p->step_count, p->step_capacity, step);
  return &p->steps[p->step_count - 1];
}

static void copy_in(HostProgram *p, int chunk, int device, int stream) {
  ProgramStep *s = add(p, PROGRAM_COPY, stream);
  *s = (ProgramStep){.kind = PROGRAM_COPY, .stream = stream, .direction = PROGRAM_H2D, .buffer = CHUNKS + device,
                     .from = chunk,
                     .count = 2000, .async = true, .event = -1};
}

static void copy_out(HostProgram *p, int chunk, int device, int stream) {
  ProgramStep *s = add(p, PROGRAM_COPY, stream);
  *s = (ProgramStep){.kind = PROGRAM_COPY, .stream = stream, .direction = PROGRAM_D2H, .buffer = chunk, .from =
                     CHUNKS + device,
                     .count = 2000, .async = true, .event = -1};
}

static void kernel(HostProgram *p, int stream) { add(p, PROGRAM_LAUNCH, stream)->kernel = ls_strdup("work"); }

static void event(HostProgram *p, ProgramKind kind, const char *name, int stream) {
  int number = program_event(p, name);
  add(p, kind, stream)->event = number;
}

static void sync_device(HostProgram *p) { add(p, PROGRAM_SYNC, 0)->sync = PROGRAM_SYNC_DEVICE; }

static const ProgramRates rates = {.link_gbs = 1, .pageable_gbs = 1, .set_gbs = 1, .engines = 2, .most_kernels = 128};

// In units; the program is finished.
static double length(HostProgram *p, ProgramRules rules, const ProgramRates *r, const ProgramCost *cost,
                     ProgramTime *out) {
  CHECK(program_settle(p, &err));
  ProgramCost *costs = ls_alloc(sizeof *costs * (size_t)(p->launches + 1));
  ProgramTime *times = ls_alloc(sizeof *times * (size_t)p->step_count);
  for (int i = 0; i < p->launches; i++) costs[i] = cost ? cost[i] : (ProgramCost){132, 132, 3 * UNIT};
  CHECK(program_time(p, rules, r, costs, times, &err));
  double end = program_time_end(p, times) / UNIT;
  for (int i = 0; i < p->step_count; i++) CHECK(times[i].issued >= 0 && times[i].begin >= times[i].issued &&
                                                times[i].end >= times[i].begin);
  if (out) memcpy(out, times, sizeof *times * (size_t)p->step_count);
  free(costs);
  free(times);
  program_fini(p);
  return end;
}

static double plain_length(HostProgram *p) { return length(p, (ProgramRules){0}, &rates, NULL, NULL); }

// ---- the pipeline --------------------------------------------------------------------------------------------------

static void chunk(HostProgram *p, int i, int device, int copies, int kernels) {
  copy_in(p, i, device, copies);
  kernel(p, kernels);
  copy_out(p, i, device, copies);
}

static void test_pipeline(void) {
  HostProgram p;
  begin(&p, 3);                       // one stream: nothing overlaps
  for (int i = 0; i < CHUNKS; i++) chunk(&p, i, 0, 1, 1);
  CHECK(plain_length(&p) == 28);
  begin(&p, 3);                       // two by turns
  for (int i = 0; i < CHUNKS; i++) chunk(&p, i, i % 2, 1 + i % 2, 1 + i % 2);
  CHECK(plain_length(&p) == 17);
  begin(&p, 3);                       // the same, issued step by step
  for (int i = 0; i < CHUNKS; i += 2) {
    for (int k = 0; k < 2; k++) copy_in(&p, i + k, k, 1 + k);
    for (int k = 0; k < 2; k++) kernel(&p, 1 + k);
    for (int k = 0; k < 2; k++) copy_out(&p, i + k, k, 1 + k);
  }
  CHECK(plain_length(&p) == 17);
  begin(&p, 3);                       // the host waits for everything after each chunk
  for (int i = 0; i < CHUNKS; i++) chunk(&p, i, i % 2, 1 + i % 2, 1 + i % 2), sync_device(&p);
  CHECK(plain_length(&p) == 28);
  begin(&p, 3);                       // kernels in the default stream: a wall on both sides
  for (int i = 0; i < CHUNKS; i++) chunk(&p, i, i % 2, 1 + i % 2, 0);
  CHECK(plain_length(&p) == 22);
}

// A stream for each kind of work, tied by events.
static void test_events(void) {
  HostProgram p;
  begin(&p, 3);
  for (int i = 0; i < CHUNKS; i++) {
    char in[16], done[16], out[16], before[16];
    snprintf(in, sizeof in, "in%d", i), snprintf(done, sizeof done, "done%d", i), snprintf(out, sizeof out, "out%d", i);
    snprintf(before, sizeof before, "out%d", i - 2);
    if (i >= 2) event(&p, PROGRAM_WAIT, before, 1);
    copy_in(&p, i, i % 2, 1), event(&p, PROGRAM_RECORD, in, 1);
    event(&p, PROGRAM_WAIT, in, 2), kernel(&p, 2), event(&p, PROGRAM_RECORD, done, 2);
    event(&p, PROGRAM_WAIT, done, 3), copy_out(&p, i, i % 2, 3), event(&p, PROGRAM_RECORD, out, 3);
  }
  CHECK(plain_length(&p) == 17);
}

static void test_what_if(void) {
  HostProgram p;
  ProgramRates changed = rates;
  changed.engines = 1;                // one engine for both ways: eight copies of 2 units, and a kernel between the
                                      // first and last
  begin(&p, 3);
  for (int i = 0; i < CHUNKS; i++) chunk(&p, i, i % 2, 1 + i % 2, 1 + i % 2);
  double one = length(&p, (ProgramRules){0}, &changed, NULL, NULL);
  CHECK(one > 17 && one < 28);
  changed = rates;
  changed.link_gbs = 2;               // twice as fast: kernels are all that counts, 1 + 4 x 3 + 1
  begin(&p, 3);
  for (int i = 0; i < CHUNKS; i++) chunk(&p, i, i % 2, 1 + i % 2, 1 + i % 2);
  CHECK(length(&p, (ProgramRules){0}, &changed, NULL, NULL) == 14);
}

// ---- kernels -------------------------------------------------------------------------------------------------------

// Of measured times: two copies in two streams; who has the engine when the second one begins, and who only was there.
static void test_measured(void) {
  static const struct { bool out; double begin; bool waits; } cases[] = {
      {false, 20, true}, {false, 20.6, true}, {false, 19.4, true}, {false, 35, false}, {false, 0.01, false},
      {true, 20, false},
  };
  for (int i = 0; i < LS_COUNT(cases); i++) {
    HostProgram p;
    int by;
    begin(&p, 3);
    copy_in(&p, 0, 0, 1);
    if (cases[i].out) copy_out(&p, 1, 1, 2);
    else copy_in(&p, 1, 1, 2);
    kernel(&p, 3);
    CHECK(program_settle(&p, &err));
    ProgramTime times[3] = {{.begin = 0, .end = 20 * UNIT}, {.issued = 10, .begin = cases[i].begin * UNIT, .end =
        60 * UNIT},
                            {.issued = 90 * UNIT, .begin = 90 * UNIT, .end = 91 * UNIT}};
    for (int k = 0; k < 3; k++) times[k].row = program_time_row(&p.steps[k]);
    CHECK(program_time_explain(&p, (ProgramRules){0}, times, &err));
    CHECK_INT(times[1].waited_for, cases[i].waits ? 0 : -1);
    CHECK_INT(times[0].waited_for, -1);
    if (cases[i].waits) CHECK(program_why(&p, (ProgramRules){0}, times, 1, &by) == WHY_ENGINE && by < 0);
    program_fini(&p);
  }
}

static void test_default_stream(void) {
  HostProgram p;
  ProgramCost small = {10, 100, 3 * UNIT};
  const ProgramCost costs[] = {small, small, small};
  for (int rule = 0; rule < 3; rule++) {   // legacy; per thread; legacy beside streams that do not block
    begin(&p, 2);
    p.streams[1].nonblocking = p.streams[2].nonblocking = rule == 2;
    kernel(&p, 1), kernel(&p, 0), kernel(&p, 2);
    CHECK(length(&p, (ProgramRules){.default_per_thread = rule == 1}, &rates, costs, NULL) == (rule ? 3 : 9));
  }
}

// Two kernels of half the device run beside one another, a third one waits for room. Blocks of the urgent stream
// pass waiting blocks,
// never running ones.
static void test_concurrent(void) {
  HostProgram p;
  ProgramTime times[8];
  ProgramRates calls = rates;
  calls.call_ns = 500;                // the second kernel comes when the first one runs
  const ProgramCost halves[] = {{50, 100, 3 * UNIT}, {50, 100, 3 * UNIT}, {50, 100, 3 * UNIT}};
  begin(&p, 3);
  kernel(&p, 1), kernel(&p, 2), kernel(&p, 3);
  CHECK(length(&p, (ProgramRules){0}, &rates, halves, NULL) == 6);
  const ProgramCost waves[] = {{400, 100, 3 * UNIT}, {100, 100, 3 * UNIT}};   // four waves, then one
  for (int urgent = 0; urgent < 2; urgent++) {
    begin(&p, 2);
    p.streams[2].priority = urgent ? -1 : 0;
    kernel(&p, 1), kernel(&p, 2);
    CHECK(length(&p, (ProgramRules){0}, &calls, waves, times) == 15);
    CHECK(times[1].end == (urgent ? 6 : 15) * UNIT);   // behind the wave that runs, or behind all
  }
}

// Before compute capability 3.5 there is one queue: what waits at its head holds up all behind it.
static void test_single_queue(void) {
  const ProgramCost small = {10, 100, 3 * UNIT}, costs[] = {small, small, small, small};
  for (int single = 0; single < 2; single++) {
    HostProgram p;
    begin(&p, 2);
    kernel(&p, 1), kernel(&p, 1), kernel(&p, 2), kernel(&p, 2);   // depth first: the third waits behind the second
    CHECK(length(&p, (ProgramRules){.single_queue = single}, &rates, costs, NULL) == (single ? 9 : 6));
  }
}

static void test_host(void) {
  HostProgram p;
  ProgramTime times[8];
  ProgramRates calls = rates;
  calls.call_ns = 500;
  begin(&p, 1);
  kernel(&p, 1);
  add(&p, PROGRAM_HOST, 0)->milliseconds = 2e-3;    // two units beside the kernel
  sync_device(&p);
  CHECK(length(&p, (ProgramRules){0}, &calls, NULL, times) == 3);
  CHECK(times[1].begin == 500 && times[1].end == 2500);
  CHECK(times[2].begin == 2500 && times[2].end == 3000 && times[2].waited_for == 0);
}

static void test_many(void) {   // one after the other, whatever the host's lead
  HostProgram p;
  begin(&p, 1);
  for (int i = 0; i < 20000; i++) kernel(&p, 1);
  CHECK(plain_length(&p) == 60000);
}

int main(int argc, char **argv) {
  static const Check checks[] = {
      {"waits of measured times", test_measured},
      {"a pipeline of four chunks", test_pipeline}, {"with events", test_events}, {"what if", test_what_if},
      {"the default stream", test_default_stream},  {"kernels beside one another", test_concurrent},
      {"one queue", test_single_queue},             {"the host meanwhile", test_host},
      {"twenty thousand kernels", test_many},
  };
  return check_main("program_time", checks, LS_COUNT(checks), argc, argv);
}
