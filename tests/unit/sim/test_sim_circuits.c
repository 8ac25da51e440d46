// test_sim_circuits.c: loops of several lines, as compilers leave them in code as written: rounds at once against one
// access at a time, and loops that only look as if their rounds were known.
#include "model/counter.h"
#include "sim/core/circuit.h"
#include "sim/core/exec.h"
#include "sim_rig.h"

enum { WORDS = 16384 };

// Words are read from the first 4096, and written behind them. %rd10: a word for each thread of the grid; %rd11: the
// word of the thread among those that are read; %r31 is what it makes of all that it loads.
static const char head[] =
    "  mov.u32 %r31, 0; mov.u32 %r30, %ctaid.x; mad.lo.u32 %r30, %r30, 64, %r1; mul.wide.u32 %rd10, %r30, 4;\n"
    "  add.u64 %rd10, %rd10, %rd1; add.u64 %rd10, %rd10, 16384; mov.u64 %rd11, %rd3; mov.u32 %r29, 3;\n"
    "  shr.u32 %r28, %r1, 6; add.u32 %r28, %r28, 5;\n";
static const char tail[] = "X:\n  st.global.u32 [%rd10], %r31;\n  ret;";

// From a number on, as long as the test says.
#define LOOP(from, test, by, body)                                                                              \
  "  mov.u32 %r27, " from ";\nL:\n  mov.u32 %r4, %r27; " test " not.pred %p7, %p6;\n  @%p7 bra X;\n  bra.uni C;\n"  \
  "C:\n" body "  bra.uni D;\nD:\n  " by " mov.u32 %r27, %r5;\n  bra.uni L;\n"
#define UP(count, body) LOOP("0", "setp.lt.s32 %p6, %r4, " count ";", "add.s32 %r5, %r4, 1;", body)
#define TAKE(reg) " mad.lo.u32 %r31, %r31, 31, " reg ";\n"
#define LOAD(at) "  ld.u32 %r20, [" at "];" TAKE("%r20")
#define AT(index) \
  "  cvt.s64.s32 %rd5, " index "; shl.b64 %rd6, %rd5, 2; add.s64 %rd7, %rd1, %rd6; add.s64 %rd8, %rd7, %rd2;\n"
#define CALL(a, b)                                                                                       \
  "  { .param .b32 a0; .param .b32 a1; .param .b32 back; st.param.b32 [a0+0], " a "; st.param.b32 [a1+0], " b ";\n" \
  "  call.uni (back), place, (a0, a1); ld.param.b32 %r22, [back+0]; }\n"

// Rounds are executed at once. Not while accesses by lanes that all want one word of what is written are checked.
typedef enum Goes { NEVER, UNCHECKED, ALWAYS } Goes;
typedef struct Body { const char *name, *code; Goes goes; int faults; } Body;
static const Body bodies[] = {
    {"a row further in each round", UP("100", AT("%r4") LOAD("%rd8")), ALWAYS, 0},
    {"two, by products", UP("60", "  mul.lo.s32 %r21, %r4, %r29; add.s32 %r22, %r21, %r28;\n" AT("%r22") LOAD("%rd8")
     "  sub.s32 %r23, 900, %r4;\n" AT("%r23") LOAD("%rd8+4")), ALWAYS, 0},
    {"downwards", LOOP("200", "setp.ge.s32 %p6, %r4, 7;", "sub.s32 %r5, %r4, %r29;", AT("%r4") LOAD("%rd8")),
     ALWAYS, 0},
    {"up to a number that is met", LOOP("9", "setp.ne.u32 %p6, 90, %r4;", "add.u32 %r5, %r4, %r29;", AT("%r4")
     LOAD("%rd8")), ALWAYS, 0},
    {"unsigned, from above", LOOP("4000000000", "setp.hi.u32 %p6, %r4, 3999999000;", "add.u32 %r5, %r4, -10;",
     "  sub.u32 %r21, %r4, 3999999000;\n" AT("%r21") LOAD("%rd8")), ALWAYS, 0},
    {"the test says stop", "  mov.u32 %r27, 0;\nL:\n  mov.u32 %r4, %r27; setp.gt.s32 %p6, %r4, 50;\n  @%p6 bra X;\n"
     "  bra.uni C;\nC:\n" AT("%r4") LOAD("%rd8") "  add.s32 %r27, %r4, 2;\n  bra.uni L;\n", ALWAYS, 0},
    {"a counter of 64 bits", "  mov.u64 %rd15, 3;\nL:\n  mov.u64 %rd14, %rd15; setp.le.s64 %p6, %rd14, 303;\n"
     "  @!%p6 bra X;\n  bra.uni C;\nC:\n  shl.b64 %rd6, %rd14, 2; add.s64 %rd7, %rd11, %rd6;\n" LOAD("%rd7")
     "  add.s64 %rd15, %rd14, 3;\n  bra.uni L;\n", ALWAYS, 0},
    {"the number is used", UP("80", TAKE("%r4") "  mul.lo.u32 %r21, %r4, %r4;\n" TAKE("%r21")), ALWAYS, 0},
    {"what was the number in the round before", "  mov.u32 %r26, 77;\n" UP("80", TAKE("%r26") "  mov.u32 %r26, %r4;\n"),
     ALWAYS, 0},
    {"from thread to thread", LOOP("%r1", "setp.lt.s32 %p6, %r4, 640;", "add.s32 %r5, %r4, 64;", AT("%r4")
     LOAD("%rd8")), NEVER, 0},
    {"added up in memory", UP("90", AT("%r4") LOAD("%rd8") "  ld.u32 %r21, [%rd10]; add.u32 %r21, %r21, %r20;\n"
     "  st.u32 [%rd10], %r21;\n"), ALWAYS, 0},
    {"stored further on", "  mov.u64 %rd16, %rd10;\n" UP("20", "  st.u32 [%rd16], %r4; ld.u32 %r20, [%rd16];"
     TAKE("%r20") "  add.u64 %rd16, %rd16, 768;\n"), ALWAYS, 0},
    {"stored beyond the end", "  mov.u64 %rd16, %rd10;\n" UP("90", "  st.u32 [%rd16], %r4;\n"
     "  add.u64 %rd16, %rd16, 768;\n"), ALWAYS, 1},
    {"loaded from before the start", LOOP("100", "setp.gt.s32 %p6, %r4, -50;", "sub.s32 %r5, %r4, 1;",
     "  cvt.s64.s32 %rd5, %r4; shl.b64 %rd6, %rd5, 2; add.s64 %rd7, %rd1, %rd6;\n" LOAD("%rd7")), UNCHECKED, 1},
    {"where a word says", UP("60", AT("%r4") LOAD("%rd7") "  and.b32 %r21, %r20, 15;\n" AT("%r21")
     LOAD("%rd8")), UNCHECKED, 0},
    {"where words say, lane by lane", UP("60", AT("%r4") LOAD("%rd8")
     "  xor.b32 %r21, %r20, %r1; and.b32 %r21, %r21, 7;\n" AT("%r21") LOAD("%rd8")), NEVER, 0},
    {"an index that wraps", LOOP("2147483600", "setp.ne.s32 %p6, %r4, -2147483600;", "add.s32 %r5, %r4, 1;",
     "  cvt.s64.s32 %rd5, %r4; sub.s64 %rd5, %rd5, 2147483600; shl.b64 %rd6, %rd5, 2; add.s64 %rd7, %rd11, %rd6;\n"
     LOAD("%rd7")), ALWAYS, 1},
    {"a choice that stays", "  setp.gt.u32 %p8, %r28, 4;\n" UP("70", "  @%p8 bra Y;\n" LOAD("%rd11+8") "Y:\n" AT("%r4")
     LOAD("%rd8")), ALWAYS, 0},
    {"a choice in every third round", UP("70", "  rem.u32 %r21, %r4, 3; setp.eq.u32 %p8, %r21, 0;\n  @%p8 bra Y;\n"
     LOAD("%rd11+8") "Y:\n" AT("%r4") LOAD("%rd8")), NEVER, 0},
    {"lanes that leave", UP("70", AT("%r4") LOAD("%rd8") "  setp.gt.u32 %p8, %r20, 90;\n  @%p8 bra X;\n"), NEVER, 0},
    {"a call", UP("70", CALL("%r4", "%r29") AT("%r22") LOAD("%rd8")), ALWAYS, 0},
    {"two calls with others", UP("70", CALL("%r4", "%r29") AT("%r22") LOAD("%rd8") CALL("%r28", "%r4") AT("%r22")
     LOAD("%rd8")), ALWAYS, 0},
    {"a call with what is loaded", UP("70", AT("%r4") LOAD("%rd8") "  and.b32 %r20, %r20, 7;\n" CALL("%r20", "%r4")
     TAKE("%r22")), ALWAYS, 0},
    {"shared words", "  .shared .align 4 .b8 sh[1024]; mov.u32 %r40, sh;\n"
     "  shl.b32 %r41, %r1, 2; add.u32 %r42, %r40, %r41;\n  st.shared.u32 [%r42], %r1; bar.sync 0;\n"
     UP("64", "  shl.b32 %r43, %r4, 2; add.u32 %r44, %r40, %r43;\n"
     "  ld.shared.u32 %r20, [%r44];" TAKE("%r20")), ALWAYS, 0},
    {"doubled", LOOP("1", "setp.lt.s32 %p6, %r4, 1000;", "shl.b32 %r5, %r4, 1;", AT("%r4") LOAD("%rd8")), NEVER, 0},
    {"so long that somebody looks whether it spins", UP("300000", "  ld.u32 %r21, [%rd10]; add.u32 %r21, %r21, 1;\n"
     "  st.u32 [%rd10], %r21; mov.u32 %r31, %r21;\n"), ALWAYS, 0},
};

static const char place[] =
    ".func (.param .b32 back) place(.param .b32 a, .param .b32 b)\n{\n  .reg .b32 %r<4>; .reg .pred %p<2>;\n"
    "  ld.param.u32 %r1, [a]; ld.param.u32 %r2, [b]; mov.u32 %r0, %ntid.x; setp.eq.u32 %p1, %r0, 9;\n"
    "  @%p1 bra L2;\n  bra.uni L2;\n"
    "L2:\n  mad.lo.u32 %r3, %r1, 3, %r2; st.param.b32 [back+0], %r3;\n  ret;\n}\n";

typedef struct How { bool one_by_one; uint32_t checks; int threads; SimOrder order; } How;
typedef struct Result { uint32_t words[WORDS]; CounterSet counters; int faults; uint64_t executed; bool goes; } Result;

typedef struct OneByOne { TraceSink sink, *to; } OneByOne;

static void on_access(TraceSink *sink, const TraceEvent *event) {
  TraceSink *to = ((OneByOne *)sink)->to;
  to->access(to, event);
}

static void on_tally(TraceSink *sink, const TraceTally *tallies, int count) {
  TraceSink *to = ((OneByOne *)sink)->to;
  to->tally(to, tallies, count);
}

// Is there a loop whose rounds were executed at once when that was last tried?
static bool goes_round(const Sim *sim) {
  const SimCircuits *c = sim->exec.circuits;
  bool any = false;
  for (int pc = 0; c && pc < sim->program.module->code_count; pc++)
    any |= c->heads[pc].circuit && c->heads[pc].patience < 2;
  return any;
}

static void run(const Body *body, const How *how, Result *result) {
  Rig rig;
  char *text = ls_format("%s%s%s", head, body->code, tail);
  rig_kernel(&rig, ".param .u64 p0", place, text);
  Counters *counters = counters_new(rig.module);
  OneByOne one = {.sink = {.access = on_access, .tally = on_tally}, .to = counters_sink(counters)};
  rig.options.record_all = false;
  rig.options.checks = how->checks;
  rig.options.threads = how->threads;
  rig.options.order = how->order;
  rig_size(&rig, "3", "64");
  rig_arg(&rig, "u32[16384]=iota");
  CHECK(rig_make(&rig));
  if (!rig.sim) printf("\n%s: %s\n", body->name, rig.err.message);
  CHECK(rig.sim && sim_run(rig.sim, how->one_by_one ? &one.sink : counters_sink(counters), &rig.err));
  *result = (Result){.counters = *counters_total(counters), .faults = rig_faults(&rig)};
  if (rig.sim) {
    memcpy(result->words, rig_words(&rig, 0), sizeof result->words);
    result->executed = sim_warp_instructions(rig.sim);
    result->goes = goes_round(rig.sim);
  }
  counters_free(counters);
  rig_free(&rig);
  free(text);
}

static void compare(const Body *body, const Result *wanted, const Result *got) {
  bool same = !memcmp(wanted->words, got->words, sizeof got->words) && got->faults == wanted->faults &&
              got->executed == wanted->executed;
  for (int c = 0; c < COUNTER_COUNT; c++) same = same && wanted->counters.value[c] == got->counters.value[c];
  if (!same) printf("\n%s\n", body->name);
  CHECK(same);
}

static void test_circuits(void) {
  static const How ways[] = {{.threads = 1}, {.threads = 1, .checks = SIM_CHECK_ALL}, {.threads = 4},
                             {.threads = 1, .order = SIM_TURNS}};
  static Result wanted[2], got;
  for (int i = 0; i < LS_COUNT(bodies); i++) {
    run(&bodies[i], &(How){.one_by_one = true, .threads = 1}, &wanted[0]);
    run(&bodies[i], &(How){.one_by_one = true, .threads = 1, .checks = SIM_CHECK_ALL}, &wanted[1]);
    if (wanted[0].faults != bodies[i].faults) printf("\n%s: %d faults\n", bodies[i].name, wanted[0].faults);
    CHECK_INT(wanted[0].faults, bodies[i].faults);
    for (int k = 0; k < LS_COUNT(ways); k++) {
      if (bodies[i].faults && ways[k].order == SIM_TURNS) continue;   // others have come as far by then
      run(&bodies[i], &ways[k], &got);
      compare(&bodies[i], &wanted[ways[k].checks != 0], &got);
      bool goes = bodies[i].goes == ALWAYS || (bodies[i].goes == UNCHECKED && !ways[k].checks);
      bool is_plain = ways[k].threads == 1 && ways[k].order != SIM_TURNS;
      if (is_plain && got.goes != goes) printf("\n%s: %d\n", bodies[i].name, got.goes);
      CHECK(!is_plain || got.goes == goes);
    }
  }
}

static const Check checks[] = {{"results and counters", test_circuits}};

int main(int argc, char **argv) { return check_main("sim_circuits", checks, LS_COUNT(checks), argc, argv); }
