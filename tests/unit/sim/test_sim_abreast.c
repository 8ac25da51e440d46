// test_sim_abreast.c: warps that go round a loop side by side, many stints at once: against every event alone: traces,
// memory, faults, counts.
#include "base/mem.h"
#include "model/counter.h"
#include "sim_rig.h"

enum { WORDS = 32768 };

// Each block has 8192 words, at %rd10; %rd11 is the thread's own. %r33 is the number of the warp. What a thread makes
// of all that it loads is %r30.
static const char head[] =
    "  .shared .align 8 .b8 sh[8192];\n"
    "  mov.u32 %r32, %ctaid.x; mul.wide.u32 %rd12, %r32, 32768; add.u64 %rd10, %rd1, %rd12;\n"
    "  add.u64 %rd11, %rd10, %rd2; mov.u64 %rd13, %rd11;\n"
    "  shr.u32 %r33, %r1, 5; mov.u32 %r30, %r1; mov.u32 %r10, 0; mov.u32 %r31, sh; shl.b32 %r34, %r1, 2;\n"
    "  add.u32 %r31, %r31, %r34; st.shared.u32 [%r31], %r1; st.shared.u32 [%r31+512], %r1;\n"
    "  st.shared.u32 [%r31+1024], %r1; st.shared.u32 [%r31+1536], %r1; bar.sync 0;\n";
static const char tail[] = "  st.global.u32 [%rd13+28672], %r30;\n  ret;";

#define TAKE "  mad.lo.u32 %r30, %r30, 31, %r20;\n"
#define LOAD "  ld.global.u32 %r20, [%rd11];\n" TAKE
#define NEXT "  add.u32 %r10, %r10, 1; setp.lt.u32 %p5, %r10, "
#define AGAIN ";\n  @%p5 bra B;\n"
// Of a word for all lanes, and a row.
#define SUM "  mov.u64 %rd14, %rd10; mov.f32 %f3, 0f00000000;\nB:\n  ld.global.f32 %f1, [%rd14+64];\n"              \
            "  ld.global.f32 %f2, [%rd11];\n  fma.rn.f32 %f3, %f2, %f1, %f3;\n  add.u64 %rd14, %rd14, 4;\n"       \
            "  add.u64 %rd11, %rd11, 128;\n"
#define RESULT "  mov.b32 %r30, %f3;\n"
// A warp's own length of the way to the loop.
#define DELAY "  mov.u32 %r40, 0;\nD: add.u32 %r40, %r40, 1; xor.b32 %r41, %r40, 5; setp.le.u32 %p6, %r40, %r33;\n" \
              "  @%p6 bra D;\n"

typedef enum Passes { NONE, SOME, ANY } Passes;
enum { FLOATS = 3 };           // where a body is checked: of words that are floats
// checked: with all checks, too.
typedef struct Body { const char *name, *code; Passes passes; int faults, checked; } Body;
static const Body bodies[] = {
    {"loads", "B:\n" LOAD "  add.u64 %rd11, %rd11, 4;\n" NEXT "200" AGAIN, SOME, 0, true},
    {"of 16 bytes in a row", "B:\n" LOAD LOAD "  add.u64 %rd11, %rd11, 16;\n" NEXT "77" AGAIN, SOME, 0, true},
    {"shared", "B:\n  ld.shared.u32 %r20, [%r31];\n" TAKE "  xor.b32 %r30, %r30, 3; add.u32 %r31, %r31, 4;\n" NEXT "90"
     AGAIN, SOME, 0, true},
    {"stores", "B:\n" LOAD "  st.global.u32 [%rd11+8192], %r30; add.u64 %rd11, %rd11, 512;\n" NEXT "34" AGAIN, SOME, 0,
     true},
    {"indexed", "  mov.u32 %r15, %r1;\nB:\n  mul.wide.u32 %rd4, %r15, 4; add.u64 %rd5, %rd1, %rd4;\n"
     "  ld.global.u32 %r20, [%rd5];\n" TAKE "  add.u32 %r15, %r15, 3;\n" NEXT "120" AGAIN, SOME, 0, true},
    {"a sum of products", SUM NEXT "130" AGAIN RESULT, SOME, 0, FLOATS},
    {"one after the other, sums", DELAY SUM NEXT "130" AGAIN RESULT, ANY, 0, FLOATS},
    {"sums by lines of the source", "  .loc 1 4 0\n" SUM "  .loc 1 5 0\n" NEXT "99" AGAIN RESULT, SOME, 0, FLOATS},
    // who stores last depends on whose stint comes when
    {"words of all warps", "  and.b32 %r41, %r1, 31; mul.wide.u32 %rd4, %r41, 4; add.u64 %rd5, %rd10, %rd4;\n"
     "B:\n  ld.global.u32 %r20, [%rd5];\n" TAKE "  st.global.u32 [%rd5], %r30;\n" NEXT "150" AGAIN, SOME, 0, false},
    {"a shared word of all", "B:\n  ld.shared.u32 %r20, [sh];\n" TAKE "  st.shared.u32 [sh], %r30;\n" NEXT "100" AGAIN,
     SOME, 0, false},
    // warps come to the loop at different times, leave it at different times, do not come
    {"one after the other", DELAY "B:\n" LOAD "  add.u64 %rd11, %rd11, 4;\n" NEXT "200" AGAIN, ANY, 0, true},
    {"different rounds", "  mul.lo.u32 %r42, %r33, 20; add.u32 %r42, %r42, 40;\nB:\n" LOAD
     "  add.u64 %rd11, %rd11, 4;\n" NEXT "%r42" AGAIN "  bar.sync 0;\n", SOME, 0, true},
    {"two warps", "  setp.ge.u32 %p1, %r33, 2;\n  @%p1 bra E;\nB:\n" LOAD "  add.u64 %rd11, %rd11, 4;\n" NEXT "200"
     AGAIN "E: bar.sync 0;\n", SOME, 0, true},
    {"one warp", "  setp.ge.u32 %p1, %r33, 1;\n  @%p1 bra E;\nB:\n" LOAD "  add.u64 %rd11, %rd11, 4;\n" NEXT "200" AGAIN
     "E: bar.sync 0;\n", NONE, 0, true},
    {"two loops", "  setp.ge.u32 %p1, %r33, 2;\n  @%p1 bra C;\nB:\n" LOAD "  add.u64 %rd11, %rd11, 4;\n" NEXT "90" AGAIN
     "  bra.uni E;\nC:\n" LOAD "  sub.u64 %rd11, %rd11, -8;\n" NEXT "90;\n  @%p5 bra C;\nE:\n", ANY, 0, true},
    {"again and again", "  mov.u32 %r43, 0;\nA: mov.u32 %r10, 0;\nB:\n" LOAD "  add.u64 %rd11, %rd11, 4;\n" NEXT "24"
     AGAIN
     "  sub.u64 %rd11, %rd11, 64; bar.sync 0; add.u32 %r43, %r43, 1; setp.lt.u32 %p6, %r43, 6;\n  @%p6 bra A;\n", SOME,
     0, true},
    // stints that end in the middle of the loop, at the same place in each round, or in each second one
    {"lines of the source", "B:\n  .loc 1 5 0\n" LOAD "  .loc 1 6 0\n  xor.b32 %r30, %r30, 9; add.u32 %r30, %r30, 3;\n"
     "  add.u64 %rd11, %rd11, 4;\n  .loc 1 7 0\n" NEXT "200" AGAIN, SOME, 0, true},
    {"more lines", DELAY "B:\n  .loc 1 5 0\n" LOAD "  .loc 1 6 0\n  xor.b32 %r30, %r30, 9; add.u64 %rd11, %rd11, 4;\n"
     "  .loc 1 7 0\n  add.u32 %r10, %r10, 1;\n  .loc 1 8 0\n" LOAD "  .loc 1 9 0\n  setp.lt.u32 %p5, %r10, 160;\n"
     "  .loc 1 5 0\n  @%p5 bra B;\n", ANY, 0, true},
    {"two lines", "B:\n  .loc 1 5 0\n" LOAD "  xor.b32 %r30, %r30, 9; add.u64 %rd11, %rd11, 4; xor.b32 %r30, %r30, 7;\n"
     "  add.u32 %r30, %r30, 9;\n  .loc 1 6 0\n" LOAD "  xor.b32 %r30, %r30, 1;\n" NEXT "150" AGAIN, SOME, 0, true},
    {"counted in front", "B:\n  .loc 1 5 0\n  add.u32 %r10, %r10, 1; setp.lt.u32 %p5, %r10, 200;\n"
     "  .loc 1 6 0\n  xor.b32 %r30, %r30, 9; add.u32 %r30, %r30, 3; xor.b32 %r30, %r30, 9;\n"
     "  .loc 1 7 0\n  @%p5 bra B;\n",
     SOME, 0, true},
    // somebody leaves the words, or meets what another warp stored
    {"out of bounds", "  mad.lo.u32 %r41, %r33, 64, 320; mul.wide.u32 %rd4, %r41, 1; B:\n" LOAD
     "  add.u64 %rd11, %rd11, %rd4;\n" NEXT "300" AGAIN, SOME, 1, true},
    {"a race", "  and.b32 %r41, %r1, 31; mul.wide.u32 %rd4, %r41, 4; add.u64 %rd5, %rd10, %rd4;\n"
     "  mad.lo.u32 %r42, %r33, 7, 1; mul.wide.u32 %rd6, %r42, 512; add.u64 %rd5, %rd5, %rd6;\n"
     "B:\n  st.global.u32 [%rd5], %r30; add.u64 %rd5, %rd5, 512;\n" NEXT "36" AGAIN, SOME, 1, true},
    {"a race, shared", "  and.b32 %r41, %r1, 31; shl.b32 %r41, %r41, 2; mul.lo.u32 %r42, %r33, 640;\n"
     "  mov.u32 %r43, sh; add.u32 %r43, %r43, %r42; add.u32 %r43, %r43, %r41;\n"
     "B:\n  st.shared.u32 [%r43+2048], %r30; add.u32 %r43, %r43, 128;\n" NEXT "16" AGAIN, SOME, 1, true},
    {"not written", "  mov.u32 %r43, sh; add.u32 %r43, %r43, %r34;\nB:\n  ld.shared.u32 %r20, [%r43];\n" TAKE
     "  add.u32 %r43, %r43, 32;\n" NEXT "100" AGAIN, SOME, 1, true},
    // of rounds that cannot be counted, or not of all lanes
    {"not counted", "B:\n" LOAD "  add.u64 %rd11, %rd11, 4; xor.b32 %r10, %r10, 1; xor.b32 %r10, %r10, 1;\n" NEXT "50"
     AGAIN, NONE, 0, true},
    {"some lanes", "  and.b32 %r41, %r1, 31; setp.eq.u32 %p1, %r41, 9;\n  @%p1 bra E;\nB:\n" LOAD
     "  add.u64 %rd11, %rd11, 4;\n" NEXT "50" AGAIN "E:\n", NONE, 0, true},
    {"until all have met", "  setp.lt.u32 %p1, %r1, 7;\n  @%p1 bra B;\n  mov.u32 %r10, 20;\nB:\n" LOAD
     "  add.u64 %rd11, %rd11, 4;\n" NEXT "90" AGAIN, ANY, 0, true},
};

typedef struct How { uint32_t checks; int threads; bool alone; uint64_t seed, budget; SimSched sched; } How;
typedef struct Result {
  uint8_t *trace; size_t size;
  uint32_t words[WORDS];
  int faults;
  CounterSet counters;
  uint64_t passes, most;       // told; of those at once
} Result;

// ---- running -------------------------------------------------------------------------------------------------------

static void (*told_passes)(TraceSink *sink, const TracePasses *passes);
static Result *telling;

static void on_passes(TraceSink *sink, const TracePasses *passes) {
  telling->passes += passes->times;
  telling->most = LS_MAX(telling->most, passes->times);
  told_passes(sink, passes);
}

static void listen_to(TraceSink *sink, Result *result, bool alone) {
  telling = result;
  told_passes = sink->passes;
  sink->passes = on_passes;
  if (alone) sink->passes = NULL, sink->line = NULL;
}

static void run(const Body *body, const How *how, bool recorded, Result *result) {
  Rig rig;
  TraceInfo info;
  TraceTee tee;
  char *text = ls_format("%s%s%s", head, body->code, tail);
  *result = (Result){0};
  rig_kernel(&rig, ".param .u64 p0", ".file 1 \"k.cu\"", text);
  rig.options.record_all = recorded;
  rig.options.checks = how->checks;
  rig.options.threads = how->threads;
  rig.options.seed = how->seed;
  rig.options.sched = how->sched;
  rig.options.order = SIM_TURNS;
  if (how->budget) rig.options.budget = how->budget;
  rig_size(&rig, "3", "128");
  rig_arg(&rig, body->checked == FLOATS ? "f32[32768]=iota" : "u32[32768]=iota");
  trace_info_init(&info);
  launch_copy(&info.launch, &rig.launch);
  Counters *counters = counters_new(rig.module);
  TraceWriter *writer = trace_writer_new(NULL, &info, NULL);
  if (how->threads == 1) listen_to(trace_writer_sink(writer), result, how->alone);
  trace_tee_init(&tee, counters_sink(counters), trace_writer_sink(writer));
  CHECK(rig_make(&rig));
  if (!rig.sim) printf("\n%s: %s\n", body->name, rig.err.message);
  CHECK(rig.sim && sim_run(rig.sim, &tee.sink, &rig.err));
  CHECK(trace_writer_finish(writer, NULL));
  result->trace = trace_writer_take(writer, &result->size);
  result->faults = rig_faults(&rig);
  result->counters = *counters_total(counters);
  if (rig.sim) memcpy(result->words, rig_words(&rig, 0), sizeof result->words);
  trace_writer_free(writer);
  counters_free(counters);
  trace_info_fini(&info);
  rig_free(&rig);
  free(text);
}

static void compare(const char *name, const How *how, const Result *wanted, const Result *got) {
  bool same = got->faults == wanted->faults && memcmp(got->words, wanted->words, sizeof got->words) == 0 &&
              got->size == wanted->size && memcmp(got->trace, wanted->trace, got->size) == 0;
  for (int c = 0; c < COUNTER_COUNT; c++) same = same && wanted->counters.value[c] == got->counters.value[c];
  if (!same) printf("\n%s: checks %u, %d threads, seed %d\n", name, how->checks, how->threads, (int)how->seed);
  CHECK(same);
}

// ---- tests ---------------------------------------------------------------------------------------------------------

// Each event alone; as passes. Nobody of a seed goes side by side.
static void both_ways(const Body *body, How how, Passes passes) {
  Result wanted, got;
  run(body, &(How){how.checks, 1, true, how.seed, how.budget, how.sched}, true, &wanted);
  run(body, &how, true, &got);
  compare(body->name, &how, &wanted, &got);
  bool right = passes == ANY || (passes == SOME) == (got.passes > 2);
  if (how.threads == 1 && !right) printf("\n%s: %d passes\n", body->name, (int)got.passes);
  CHECK(how.threads > 1 || right);
  free(wanted.trace);
  free(got.trace);
}

static void recorded(void) {
  for (int i = 0; i < LS_COUNT(bodies); i++) {
    const Body *body = &bodies[i];
    both_ways(body, (How){.threads = 1}, body->faults ? ANY : body->passes);
    both_ways(body, (How){.threads = 4}, ANY);
    both_ways(body, (How){.threads = 1, .seed = 5}, NONE);
    both_ways(body, (How){.threads = 1, .sched = SIM_STACK}, ANY);
    if (body->checked) both_ways(body, (How){.threads = 1, .checks = SIM_CHECK_ALL}, ANY);
    if (body->checked) both_ways(body, (How){.threads = 4, .checks = SIM_CHECK_ALL}, ANY);
  }
}

static void faults(void) {
  for (int i = 0; i < LS_COUNT(bodies); i++) {
    if (!bodies[i].checked) continue;
    Result result;
    run(&bodies[i], &(How){.threads = 1, .checks = SIM_CHECK_ALL}, true, &result);
    if ((result.faults > 0) != bodies[i].faults) printf("\n%s: %d faults\n", bodies[i].name, result.faults);
    CHECK((result.faults > 0) == bodies[i].faults);
    free(result.trace);
  }
}

// Nobody is told of events.
static void bare(void) {
  for (int i = 0; i < LS_COUNT(bodies); i++) {
    How how = {.threads = 1, .checks = bodies[i].checked ? SIM_CHECK_ALL : 0};
    Result wanted, got;
    run(&bodies[i], &(How){how.checks, 1, .alone = true}, true, &wanted);
    run(&bodies[i], &how, false, &got);
    free(wanted.trace);
    free(got.trace);
    wanted.size = got.size = 0;
    compare(bodies[i].name, &how, &wanted, &got);
  }
}

// The run ends in the middle of a loop.
static void budget(void) {
  for (uint64_t budget = 800; budget < 60000; budget += budget / 3)
    both_ways(&bodies[0], (How){.threads = 1, .budget = budget}, ANY);
}

static const Check checks[] = {
    {"recorded", recorded}, {"faults", faults}, {"nobody is told", bare}, {"budget", budget}};

int main(int argc, char **argv) { return check_main("sim_abreast", checks, LS_COUNT(checks), argc, argv); }
