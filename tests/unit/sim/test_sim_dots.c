// test_sim_dots.c: products that are added up without putting their words into registers, and what only looks like
// such: results, counters and faults against one access at a time.
#include "model/counter.h"
#include "sim/core/exec.h"
#include "sim_rig.h"

enum { WORDS = 8192, RESULTS = 256 };

// %r30 is where lanes have a word each of shared memory, in two rows; %r31 the same in one row; %r32 and %r33 one place
// for 16 lanes and for all. %rd20 and %rd21 are a row and one place of global memory. Words have any bits.
static const char head[] =
    "  .reg .f32 %g<99>; .shared .align 8 .b8 sh[16384];\n"
    "  mov.u32 %r40, sh; mov.u32 %r34, %r1; mov.u32 %r10, 0; mov.u32 %r9, 64; mov.u32 %r11, 0;\n"
    "  mov.u32 %r41, 0xBFFFFFFF;\n"
    "F: shl.b32 %r35, %r34, 2; add.u32 %r36, %r40, %r35; mul.lo.u32 %r37, %r34, 0x9E3779B1; and.b32 %r37, %r37, MASK;\n"
    "  st.shared.u32 [%r36], %r37; add.u32 %r34, %r34, 64; setp.lt.u32 %p4, %r34, 4096;\n  @%p4 bra F;\n  bar.sync 0;\n"
    "  and.b32 %r35, %r1, 15; shl.b32 %r35, %r35, 2; shr.u32 %r36, %r1, 4; shl.b32 %r37, %r36, 6;\n"
    "  add.u32 %r30, %r40, %r35; add.u32 %r32, %r40, %r37; add.u32 %r32, %r32, 8192;\n"
    "  shl.b32 %r38, %r1, 2; add.u32 %r31, %r40, %r38; add.u32 %r33, %r40, 12288; and.b32 %r39, %r38, 127;\n"
    "  cvt.u64.u32 %rd22, %r39; add.u64 %rd20, %rd1, %rd22; add.u64 %rd20, %rd20, 4096; add.u64 %rd21, %rd1, 1024;\n"
    "  mov.f32 %f9, 0f3F800000; mov.f32 %f1, 0f00000000; mov.f32 %f2, 0f40000000; mov.u32 %r50, 0;\n";
static const char tail[] =
    "  mov.b32 %r41, %f9; add.u32 %r41, %r41, %r50; mov.u32 %r42, %ctaid.x; mad.lo.u32 %r42, %r42, 64, %r1;\n"
    "  mul.wide.u32 %rd4, %r42, 4; add.u64 %rd4, %rd1, %rd4; st.global.u32 [%rd4], %r41;\n  ret;";

#define TERM(row, one) "  ld.shared.f32 %f1, [" row "]; ld.shared.f32 %f2, [" one "]; fma.rn.f32 %f9, %f2, %f1, %f9;\n"
#define ADDS(k, from, row, one, at, by)                                                                          \
  "  ld.shared.f32 %g" #k "1, [" row "+" #at "]; ld.shared.f32 %g" #k "2, [" one "+" #by "];\n"                  \
  "  fma.rn.f32 %g" #k "3, %g" #k "1, %g" #k "2, " from ";\n"
#define LAST(from, row, one)                                                                                     \
  "  ld.shared.f32 %f1, [" row "+640]; ld.shared.f32 %f2, [" one "+20]; fma.rn.f32 %f9, %f1, %f2, " from ";\n"
#define FOUR(row, one)                                                                                           \
  ADDS(1, "%f9", row, one, 0, 0) ADDS(2, "%g13", row, one, 128, 4) ADDS(3, "%g23", row, one, 256, 12)            \
  LAST("%g33", row, one)
#define FOUR_MORE(row, one)                                                                                      \
  ADDS(4, "%f9", row, one, 0, 0) ADDS(5, "%g43", row, one, 128, 4) ADDS(6, "%g53", row, one, 256, 12)            \
  ADDS(7, "%g63", row, one, 384, 8) "  mov.f32 %f9, %g73;\n"
#define LOOP(body, rounds) \
  "L:\n" body "  add.u32 %r10, %r10, 1; setp.lt.u32 %p5, %r10, " #rounds ";\n  @%p5 bra L;\n"
#define STEP(row, by, one, step) "  add.u32 " row ", " row ", " #by "; add.u32 " one ", " one ", " #step ";\n"

// Some lines in a row, with a barrier between them.
#define AGAIN(lines, next, rounds)                                                                               \
  "M:\n" lines "  bar.sync 0;\n" next "  add.u32 %r11, %r11, 1; setp.lt.u32 %p6, %r11, " #rounds ";\n  @%p6 bra M;\n"
#define GLOBAL(k, to, from, at, by)                                                                              \
  "  ld.global.f32 %g" #k "1, [%rd21+" #at "]; ld.global.f32 %g" #k "2, [%rd20+" #by "];\n"                     \
  "  fma.rn.f32 " to ", %g" #k "1, %g" #k "2, " from ";\n"
#define WRITE_BEHIND "  add.u32 %r36, %r40, %r38; st.shared.u32 [%r36+128], %r1;\n"

// dots: how many there are; in_rounds: one of them is all that is left of a loop's rounds.
typedef struct Body { const char *name, *code; int dots; bool in_rounds; } Body;
static const Body bodies[] = {
    {"a tile", LOOP(TERM("%r30", "%r32") STEP("%r30", 64, "%r32", 4), 16), 1, true},
    {"a tile twice",
     "M: mov.u32 %r10, 0;\n" LOOP(TERM("%r30", "%r32") STEP("%r30", 64, "%r32", 4), 16)
     "  bar.sync 0; sub.u32 %r30, %r30, 1024; sub.u32 %r32, %r32, 60; add.u32 %r11, %r11, 1;\n"
     "  setp.lt.u32 %p6, %r11, 5;\n"
     "  @%p6 bra M;\n", 1, true},
    {"a tile that begins later each time",
     "M: mov.u32 %r10, %r11; mov.u32 %r12, %r30; mov.u32 %r13, %r32;\n"
     LOOP(TERM("%r12", "%r13") STEP("%r12", 64, "%r13", 4), 16)
     "  bar.sync 0; add.u32 %r11, %r11, 1; setp.lt.u32 %p6, %r11, 13;\n  @%p6 bra M;\n", 1, true},
    {"rows", LOOP(TERM("%r33", "%r31") STEP("%r31", 128, "%r33", 4), 20), 1, true},
    {"backwards", LOOP(TERM("%r31+4096", "%r33") STEP("%r31", -128, "%r33", -4), 20), 1, true},
    {"one place stays", LOOP(TERM("%r30", "%r33") "  add.u32 %r30, %r30, %r9;\n", 40), 1, true},
    {"two at a time", LOOP(ADDS(1, "%f9", "%r30", "%r32", 0, 0) LAST("%g13", "%r30", "%r32")
                           STEP("%r30", 128, "%r32", 8), 10), 1, true},
    {"four at a time", LOOP(FOUR("%r31", "%r33") STEP("%r31", 32, "%r33", 8), 30), 1, true},
    {"global", LOOP("  ld.global.f32 %f1, [%rd20]; ld.global.f32 %f2, [%rd21]; fma.rn.f32 %f9, %f1, %f2, %f9;\n"
                    "  add.u64 %rd20, %rd20, 128; add.u64 %rd21, %rd21, 4;\n", 100), 1, true},
    {"out of the array", LOOP("  ld.global.f32 %f1, [%rd20]; ld.global.f32 %f2, [%rd21];\n"
                              "  fma.rn.f32 %f9, %f1, %f2, %f9; add.u64 %rd20, %rd20, 4096;\n", 20), 1, true},
    {"both in rows", LOOP(TERM("%r31", "%r30") STEP("%r30", 64, "%r31", 128), 20), 1, true},
    {"both the same", LOOP(TERM("%r32", "%r33") STEP("%r32", 64, "%r33", 4), 20), 1, true},
    {"apart", "  shl.b32 %r36, %r38, 1; add.u32 %r31, %r40, %r36;\n"
              LOOP(TERM("%r31", "%r33") STEP("%r31", 64, "%r33", 4), 20), 1, true},
    {"a row that comes late",
     LOOP("  setp.eq.u32 %p6, %r10, 7; selp.u32 %r36, %r38, 0, %p6; add.u32 %r31, %r31, %r36;\n" TERM("%r31", "%r33")
          STEP("%r31", 64, "%r33", 4), 20), 1, false},
    {"steps of lanes", LOOP(TERM("%r31", "%r33") "  add.u32 %r31, %r31, %r38;\n", 10), 1, true},
    {"some lanes", "  and.b32 %r36, %r1, 5; setp.eq.u32 %p6, %r36, 4;\n  @%p6 bra E;\n"
                   LOOP(TERM("%r30", "%r32") STEP("%r30", 64, "%r32", 4), 16) "E:\n", 1, true},
    {"a word is looked at", LOOP(TERM("%r30", "%r32") "  mov.b32 %r51, %f1; add.u32 %r50, %r50, %r51;\n"
                                 STEP("%r30", 64, "%r32", 4), 16), 0, false},
    {"a word is looked at behind", LOOP(TERM("%r30", "%r32") STEP("%r30", 64, "%r32", 4), 16)
                                   "  mov.b32 %r50, %f2;\n", 0, false},
    {"a sum on the way is looked at",
     LOOP(ADDS(1, "%f9", "%r30", "%r32", 0, 0) LAST("%g13", "%r30", "%r32") STEP("%r30", 128, "%r32", 8), 10)
     "  mov.b32 %r50, %g13;\n", 2, false},
    {"a word of another round",
     "  ld.shared.f32 %f1, [%r30];\n"
     LOOP("  ld.shared.f32 %f2, [%r32]; fma.rn.f32 %f9, %f1, %f2, %f9;\n" STEP("%r30", 64, "%r32", 4), 16), 0, false},
    {"a jump between", "  setp.lt.u32 %p6, %r1, 32;\n  ld.shared.f32 %f1, [%r30];\n"
     "N: ld.shared.f32 %f2, [%r32]; fma.rn.f32 %f9, %f1, %f2, %f9;\n"
     "  add.u32 %r10, %r10, 1; setp.lt.u32 %p5, %r10, 9;\n  @%p5 bra N;\n", 0, false},
    {"flushed", LOOP("  ld.shared.f32 %f1, [%r30]; ld.shared.f32 %f2, [%r32]; fma.rn.ftz.f32 %f9, %f2, %f1, %f9;\n"
                     STEP("%r30", 64, "%r32", 4), 16), 0, false},
    {"a race", LOOP(TERM("%r30", "%r32") STEP("%r30", 64, "%r32", 4), 16)
               "  add.u32 %r36, %r40, %r38; st.shared.u32 [%r36], %r1;\n", 1, true},
    {"a race with others", "  add.u32 %r36, %r40, %r38; setp.lt.u32 %p6, %r1, 32;\n"
                           "  @%p6 st.shared.u32 [%r36+1024], %r1;\n"
                           LOOP(TERM("%r30", "%r32") STEP("%r30", 64, "%r32", 4), 20), 1, true},
    {"a line", AGAIN(FOUR("%r30", "%r32"), STEP("%r30", 64, "%r32", 4), 9), 1, false},
    {"a line of a row", AGAIN(FOUR("%r31", "%r33"), STEP("%r31", 128, "%r33", 4), 9), 1, false},
    {"a global line", AGAIN(GLOBAL(1, "%g13", "%f9", 0, 0) GLOBAL(2, "%g23", "%g13", 4, 128)
                            GLOBAL(3, "%g33", "%g23", 12, -128) GLOBAL(4, "%g43", "%g33", 8, 0)
                            GLOBAL(5, "%f9", "%g43", -400, 4), "  add.u64 %rd20, %rd20, 36;\n", 9), 1, false},
    {"a global line that ends outside",
     AGAIN(GLOBAL(1, "%g13", "%f9", 0, 0) GLOBAL(2, "%g23", "%g13", 4, 128) GLOBAL(3, "%g33", "%g23", 12, -128)
           GLOBAL(4, "%f9", "%g33", 16, 256), "  add.u64 %rd20, %rd20, 4096;\n", 9), 1, false},
    {"shapes in turns", AGAIN(FOUR("%r31", "%r32"), "  setp.eq.u32 %p7, %r11, 3; selp.u32 %r31, %r30, %r31, %p7;\n"
                              "  xor.b32 %r36, %r38, %r11; selp.u32 %r36, 64, 0, %p7; add.u32 %r32, %r32, %r36;\n", 30),
     1, false},
    {"shapes that change",
     AGAIN(FOUR("%r31", "%r33"), "  and.b32 %r36, %r11, 3; mul.lo.u32 %r36, %r36, %r38; add.u32 %r31, %r40, %r36;\n",
           40), 1, false},
    {"rows of two kinds", AGAIN(ADDS(1, "%f9", "%r30", "%r32", 0, 0) ADDS(2, "%g13", "%r31", "%r32", 128, 4)
                                ADDS(3, "%g23", "%r30", "%r32", 256, 12) LAST("%g33", "%r30", "%r32"), "", 9),
     1, false},
    {"an order of two kinds", AGAIN(ADDS(1, "%f9", "%r30", "%r32", 0, 0) ADDS(2, "%g13", "%r32", "%r30", 128, 4)
                                    ADDS(3, "%g23", "%r30", "%r32", 256, 12) LAST("%g33", "%r30", "%r32"), "", 9), 1,
     false},
    {"a line, and a race", AGAIN(FOUR("%r31", "%r33"), "", 4) FOUR_MORE("%r31", "%r33") WRITE_BEHIND, 2, false},
    {"a line in half rows, and a race",
     AGAIN(FOUR("%r30", "%r32"), "", 4) FOUR_MORE("%r30", "%r32") WRITE_BEHIND, 2, false},
    {"a race between", AGAIN(FOUR("%r31", "%r33") WRITE_BEHIND FOUR_MORE("%r30", "%r32"), "", 4), 2, false},
    {"a race, and other shapes", "  mov.u32 %r51, 0;\n" AGAIN(FOUR("%r31", "%r33"), "", 4)
     "  mov.u32 %r11, 0;\n"
     "N:\n" FOUR_MORE("%r30", "%r32") "  mov.u32 %r30, %r31; mov.u32 %r32, %r33; add.u32 %r51, %r51, 1;\n"
     "  add.u32 %r32, %r32, %r39; setp.lt.u32 %p7, %r51, 5;\n  @%p7 bra N;\n" WRITE_BEHIND, 2, false},
    {"what it wrote itself", "  add.u32 %r36, %r40, %r38; st.shared.f32 [%r36+2048], %f9;\n"
                             LOOP(TERM("%r31+1024", "%r33") STEP("%r31", 128, "%r33", 4), 9), 1, true},
};

typedef struct How { bool one_by_one; uint32_t checks; int threads; SimOrder order; const char *mask, *block; } How;
typedef struct Result {
  uint32_t words[WORDS]; CounterSet counters; int faults, dots; TraceFault first; bool in_rounds, is_steady;
} Result;

typedef struct OneByOne { TraceSink sink, *to; } OneByOne;

static void on_access(TraceSink *sink, const TraceEvent *event) {
  TraceSink *to = ((OneByOne *)sink)->to;
  to->access(to, event);
}

static void on_tally(TraceSink *sink, const TraceTally *tallies, int count) {
  TraceSink *to = ((OneByOne *)sink)->to;
  to->tally(to, tallies, count);
}

static void look_at_code(const Rig *rig, Result *result) {
  for (int pc = 0; rig->sim && pc < rig->module->code_count; pc++) {
    const SimInst *inst = &rig->sim->program.code[pc];
    result->dots += inst->dot != NULL;
    result->in_rounds |= inst->rounds && inst->rounds->dot;
    result->is_steady |= inst->rounds && inst->rounds->is_steady;
  }
}

static char *text_of(const Body *body, const char *mask) {
  char *text = ls_format("%s%s%s", head, body->code, tail), *at = strstr(text, "MASK");
  memcpy(at, mask, 4);
  return text;
}

static void run(const Body *body, const How *how, Result *result) {
  Rig rig;
  char *text = text_of(body, how->mask);
  rig_kernel(&rig, ".param .u64 p0", "", text);
  Counters *counters = counters_new(rig.module);
  OneByOne one = {.sink = {.access = on_access, .tally = on_tally}, .to = counters_sink(counters)};
  rig.options.record_all = false;
  rig.options.checks = how->checks;
  rig.options.threads = how->threads;
  rig.options.order = how->order;
  rig_size(&rig, "3", how->block);
  rig_arg(&rig, "u32[8192]=iota");
  CHECK(rig_make(&rig));
  if (!rig.sim) printf("\n%s: %s\n", body->name, rig.err.message);
  CHECK(rig.sim && sim_run(rig.sim, how->one_by_one ? &one.sink : counters_sink(counters), &rig.err));
  *result = (Result){.counters = *counters_total(counters), .faults = rig_faults(&rig)};
  if (rig.sim) memcpy(result->words, rig_words(&rig, 0), sizeof result->words);
  if (result->faults) result->first = *sim_faults(rig.sim, &result->faults);
  look_at_code(&rig, result);
  counters_free(counters);
  rig_free(&rig);
  free(text);
}

static void compare(const Body *body, const Result *wanted, const Result *got) {
  bool same = !memcmp(wanted->words, got->words, sizeof got->words) && got->faults == wanted->faults;
  for (int c = 0; c < COUNTER_COUNT; c++) same = same && wanted->counters.value[c] == got->counters.value[c];
  same = same && wanted->first.kind == got->first.kind && wanted->first.pc == got->first.pc;
  if (!same) printf("\n%s: %d faults, not %d\n", body->name, got->faults, wanted->faults);
  CHECK(same);
}

static void compare_ways(const Body *body, How how) {
  static const struct { int threads; SimOrder order; } ways[] = {{1, SIM_WHOLE}, {4, SIM_WHOLE}, {1, SIM_TURNS}};
  static Result wanted, got;
  for (int k = 0; k < LS_COUNT(ways); k++) {
    how.order = ways[k].order;
    how.one_by_one = true;
    how.threads = 1;
    run(body, &how, &wanted);
    if (wanted.dots != body->dots || wanted.in_rounds != body->in_rounds) printf("\n%s: %d\n", body->name, wanted.dots);
    CHECK_INT(wanted.dots, body->dots);
    CHECK_INT(wanted.in_rounds, body->in_rounds);
    how.one_by_one = false;
    how.threads = ways[k].threads;
    run(body, &how, &got);
    compare(body, &wanted, &got);
  }
}

// With words that are no number, and with numbers alone; with and without checks.
static void test_dots(void) {
  for (int i = 0; i < LS_COUNT(bodies); i++) {
    compare_ways(&bodies[i], (How){.mask = "-1  ", .block = "64"});
    compare_ways(&bodies[i], (How){.mask = "%r41", .block = "64", .checks = SIM_CHECK_ALL});
    compare_ways(&bodies[i], (How){.mask = "%r41", .block = "40", .checks = SIM_CHECK_ALL});
  }
}

// Loops whose steps and bounds are the same in all blocks know by their plan where all words are.
static void test_steady(void) {
  static const char *const steady[] = {"a tile", "a tile twice", "a tile that begins later each time", "rows",
                                       "backwards", "one place stays", "global"};
  static const char *const others[] = {"steps of lanes", "a line", "a row that comes late"};
  static Result got;
  const How how = {.threads = 1, .mask = "%r41", .block = "64"};
  for (int i = 0; i < LS_COUNT(bodies); i++) {
    bool yes = false, no = false;
    for (int k = 0; k < LS_COUNT(steady); k++) yes |= !strcmp(bodies[i].name, steady[k]);
    for (int k = 0; k < LS_COUNT(others); k++) no |= !strcmp(bodies[i].name, others[k]);
    if (!yes && !no) continue;
    run(&bodies[i], &how, &got);
    if (got.is_steady != yes) printf("\n%s\n", bodies[i].name);
    CHECK(got.is_steady == yes);
  }
}

static const Check checks[] = {{"results, counters and faults", test_dots}, {"loops with a plan", test_steady}};

int main(int argc, char **argv) { return check_main("sim_dots", checks, LS_COUNT(checks), argc, argv); }
