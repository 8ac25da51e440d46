// test_sim_march.c: turns of warps from barrier to barrier without the scheduler: which warp goes on when, and where a
// turn ends.
#include "model/counter.h"
#include "sim/core/exec.h"
#include "sim_rig.h"

enum { WARPS = 4, ENTRIES = 40 };

// Every warp that comes to a place writes its number into the next entry of a list: `old` counts lanes.
#define NOTE                                                                                            \
  "  atom.global.add.u32 %r3, [%rd1], 1; mul.wide.u32 %rd4, %r3, 4; add.u64 %rd5, %rd2, %rd4;\n"        \
  "  st.global.u32 [%rd5], %r2;\n"
static const char head[] = "  ld.param.u64 %rd2, [p1]; shr.u32 %r2, %r1, 5; mov.u32 %r4, 0;\n";

// order: of warps, told from the rule that a turn ends where a warp waits, or behind 4096 instructions, and that who
// comes last to a barrier goes on in its turn.
typedef struct Body { const char *name, *code, *order; } Body;
static const Body bodies[] = {
    {"barriers", NOTE "  bar.sync 0;\n" NOTE "  bar.sync 0;\n" NOTE "  ret;", "0123" "3012" "2301"},
    {"another barrier", NOTE "  bar.sync 3;\n" NOTE "  bar.sync 0;\n  bar.sync 3;\n" NOTE "  ret;",
     "0123" "3012" "1230"},
    {"a loop of barriers",
     "L:\n" NOTE "  bar.sync 0;\n  add.u32 %r4, %r4, 1; setp.lt.u32 %p1, %r4, 5;\n  @%p1 bra L;\n  ret;",
     "0123" "3012" "2301" "1230" "0123"},
    // The first turn of warp 1 is used up; it comes last.
    {"a turn used up",
     "  setp.ne.u32 %p1, %r2, 1;\n  @%p1 bra N;\n"
     "L:\n  add.u32 %r4, %r4, 1; mul.lo.u32 %r4, %r4, 1; setp.lt.u32 %p2, %r4, 1200;\n  @%p2 bra L;\n"
     "N:\n" NOTE "  bar.sync 0;\n" NOTE "  ret;", "0231" "1230"},
    // Warp 3 ends before the others come to the second barrier.
    {"one ends",
     NOTE "  bar.sync 0;\n  setp.eq.u32 %p1, %r2, 3;\n  @%p1 bra E;\n" NOTE "  bar.sync 0;\n" NOTE "E:\n  ret;",
     "0123" "012" "201"},
    // Lanes of warp 2 part on their way.
    {"lanes apart",
     NOTE "  bar.sync 0;\n  setp.lt.u32 %p1, %r1, 70;\n  @%p1 bra A;\n  mul.lo.u32 %r5, %r1, 3; bra.uni B;\n"
     "A:\n  mul.lo.u32 %r5, %r1, 5; bra.uni B;\nB:\n" NOTE "  bar.sync 0;\n" NOTE "  ret;", "0123" "3012" "2301"},
    // Nobody but warp 0 has anything to do in front of the barrier.
    {"some lanes aside",
     NOTE "  setp.ne.u32 %p1, %r1, 40;\n  @%p1 bra A;\n  st.shared.u32 [sh], %r1;\nA:\n  bar.sync 0;\n"
     "  ld.shared.u32 %r5, [sh]; add.u32 %r5, %r5, 24; st.global.u32 [%rd3+256], %r5;\n" NOTE "  ret;",
     "0123" "3012"},
};

static void run(Rig *rig, const Body *body, bool record, const char *threads, uint64_t budget) {
  char *text = ls_format("%s%s", head, body->code);
  rig_kernel(rig, ".param .u64 p0, .param .u64 p1", ".shared .align 4 .b8 sh[4];\n", text);
  rig->options.record_all = record;
  rig->options.checks = 0;
  rig->options.threads = 1;
  rig->options.order = SIM_WHOLE;
  if (budget) rig->options.budget = budget;
  if (!record) rig->sink.event = NULL;
  if (!record) rig->sink.access = NULL;
  rig_size(rig, "2", threads);
  rig_arg(rig, "u32[256]=zero");
  rig_arg(rig, "u32[2048]=none");
  CHECK(rig_make(rig));
  if (!rig->sim) printf("\n%s: %s\n", body->name, rig->err.message);
  CHECK(rig->sim && sim_run(rig->sim, &rig->sink, &rig->err));
  free(text);
}

// Warps in the order in which they wrote themselves down, in both blocks.
static void note_order(Rig *rig, int lanes, char *order) {
  int count = (int)rig_words(rig, 0)[0] / lanes;
  CHECK(count < 2 * ENTRIES);
  for (int i = 0; i < count; i++) order[i] = (char)('0' + rig_words(rig, 1)[i * lanes]);
  order[count] = 0;
}

static void test_orders(void) {
  for (int i = 0; i < LS_COUNT(bodies); i++) {
    char *expected = ls_format("%s%s", bodies[i].order, bodies[i].order);
    for (int record = 0; record < 2; record++) {
      char order[2 * ENTRIES + 1];
      Rig rig;
      run(&rig, &bodies[i], record, "128", 0);
      note_order(&rig, 32, order);
      if (strcmp(order, expected)) printf("\n%s, %s: %s\n", bodies[i].name, record ? "recorded" : "bare", order);
      CHECK_STR(order, expected);
      CHECK(rig.sim->exec.marches == !record);
      rig_free(&rig);
    }
    free(expected);
  }
}

// The same words, the same instructions counted, and a fault at the same one, wherever the budget ends.
static void test_budgets(void) {
  for (int i = 0; i < LS_COUNT(bodies); i++)
    for (uint64_t budget = 30; budget < 20000; budget += budget < 200 ? 7 : 1499) {
      Rig watched, bare;
      run(&watched, &bodies[i], true, "120", budget);
      run(&bare, &bodies[i], false, "120", budget);
      CHECK_INT((int64_t)sim_warp_instructions(bare.sim), (int64_t)sim_warp_instructions(watched.sim));
      CHECK_INT(rig_faults(&bare), rig_faults(&watched));
      for (int arg = 0; arg < 2; arg++)
        CHECK(!memcmp(rig_words(&bare, arg), rig_words(&watched, arg), arg ? 8192 : 1024));
      CHECK_INT(bare.tally_count, watched.tally_count);
      CHECK(!memcmp(bare.tallies, watched.tallies, sizeof *bare.tallies * (size_t)bare.tally_count));
      rig_free(&watched);
      rig_free(&bare);
    }
}

// ---- lanes aside ---------------------------------------------------------------------------------------------------

// In each block and warp others jump, or all, or none; then once more, when all have just met; and all end.
static const char asides[] =
    "  mov.u32 %r2, %ctaid.x; and.b32 %r4, %r1, 31; shr.u32 %r5, %r1, 5; mov.u32 %r31, 0;\n"
    "  mul.lo.u32 %r6, %r2, 3; add.u32 %r6, %r6, %r5; setp.ge.u32 %p1, %r4, %r6;\n"
    "  @%p1 bra A;\n  add.u32 %r31, %r31, 100; mul.lo.u32 %r7, %r1, 4; mov.u32 %r8, sh; add.u32 %r7, %r7, %r8;\n"
    "  st.shared.u32 [%r7], %r1; ld.shared.u32 %r9, [%r7]; add.u32 %r31, %r31, %r9;\n"
    "A:\n  xor.b32 %r10, %r4, 31; setp.gt.u32 %p2, %r10, %r6;\n"
    "  @%p2 bra B;\n  add.u32 %r31, %r31, 7;\nB:\n  bar.sync 0;\n  setp.eq.u32 %p3, %r4, %r2;\n"
    "  @!%p3 bra C;\n  add.u32 %r31, %r31, 1000;\nC:\n"
    "  mad.lo.u32 %r3, %r2, 128, %r1; mul.wide.u32 %rd4, %r3, 4; add.u64 %rd5, %rd1, %rd4;\n"
    "  st.global.u32 [%rd5], %r31;\n  ret;";

static uint32_t aside_word(uint32_t block, uint32_t thread) {
  uint32_t lane = thread % 32, bound = 3 * block + thread / 32, word = 0;
  if (lane < bound) word += 100 + thread;
  if (31 - lane <= bound) word += 7;
  return word + (lane == block ? 1000 : 0);
}

typedef struct OneByOne { TraceSink sink, *to; } OneByOne;
static void on_access(TraceSink *sink, const TraceEvent *event) {
  TraceSink *to = ((OneByOne *)sink)->to;
  to->access(to, event);
}
static void on_tally(TraceSink *sink, const TraceTally *tallies, int count) {
  TraceSink *to = ((OneByOne *)sink)->to;
  to->tally(to, tallies, count);
}

static CounterSet count_asides(bool one_by_one, int threads, uint32_t checks) {
  Rig rig;
  rig_kernel(&rig, ".param .u64 p0", ".shared .align 4 .b8 sh[512];\n", asides);
  Counters *counters = counters_new(rig.module);
  OneByOne one = {.sink = {.access = on_access, .tally = on_tally}, .to = counters_sink(counters)};
  rig.options.record_all = false;
  rig.options.checks = checks;
  rig.options.threads = threads;
  rig_size(&rig, "9", "128");
  rig_arg(&rig, "u32[2048]=zero");
  CHECK(rig_make(&rig) && sim_run(rig.sim, one_by_one ? &one.sink : counters_sink(counters), &rig.err));
  for (uint32_t i = 0; i < 9 * 128; i++) CHECK_INT(rig_words(&rig, 0)[i], aside_word(i / 128, i % 128));
  CHECK_INT(rig_faults(&rig), 0);
  CounterSet total = *counters_total(counters);
  counters_free(counters);
  rig_free(&rig);
  return total;
}

static void test_asides(void) {
  CounterSet wanted = count_asides(true, 1, 0);
  for (int threads = 1; threads <= 3; threads += 2)
    for (uint32_t all = 0; all < 2; all++) {
      CounterSet got = count_asides(false, threads, all ? SIM_CHECK_ALL : 0);
      for (int c = 0; c < COUNTER_COUNT; c++) CHECK(got.value[c] == wanted.value[c]);
    }
}

static const Check checks[] = {{"which warp goes on", test_orders}, {"where a budget ends", test_budgets},
                               {"lanes aside", test_asides}};

int main(int argc, char **argv) { return check_main("sim_march", checks, LS_COUNT(checks), argc, argv); }
