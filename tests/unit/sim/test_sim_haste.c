// test_sim_haste.c: blocks that nobody sees, of runs whose warps take turns: whole turns where no order shows, and what
// comes of them is the same.
#include "model/counter.h"
#include "sim/core/exec.h"
#include "sim_rig.h"

enum { WORDS = 4096 };

// %r31 is left in the thread's word of the grid.
static const char head[] =
    "  .shared .align 4 .b8 sh[1024]; mov.u32 %r30, %ctaid.x; mad.lo.u32 %r30, %r30, 128, %r1;\n"
    "  mul.wide.u32 %rd10, %r30, 4;\n"
    "  add.u64 %rd10, %rd10, %rd1; mov.u32 %r20, sh; shl.b32 %r21, %r1, 2; add.u32 %r21, %r20, %r21; mov.u32 %r4, 0;\n";
static const char tail[] = "  st.global.u32 [%rd10], %r31;\n  ret;";

typedef struct Body { const char *name, *code; bool is_free; int faults; } Body;
static const Body bodies[] = {
    {"a barrier",
     "  st.shared.u32 [%r21], %r30; bar.sync 0; xor.b32 %r22, %r21, 256; ld.shared.u32 %r31, [%r22];\n", true,
     0},
    {"a loop of several lines", "L:\n  mul.lo.u32 %r31, %r4, %r30;\n  bra.uni C;\nC:\n  add.u32 %r4, %r4, 1;\n"
     "  setp.lt.u32 %p1, %r4, 2000;\n  @%p1 bra L;\n", true, 0},
    {"lanes apart", "  and.b32 %r5, %r1, 3; setp.eq.u32 %p1, %r5, 2;\n  @%p1 bra N;\n  mov.u32 %r31, 7;\n"
     "  bra.uni M;\nN:\n  mov.u32 %r31, 9;\nM:\n  shfl.sync.down.b32 %r6, %r31, 1, 31, -1; add.u32 %r31, %r31, %r6;\n", true, 0},
    {"a race", "  st.shared.u32 [%r20], %r30; ld.shared.u32 %r31, [%r20];\n", true, 4},
    {"old values of atomics",
     "  atom.global.add.u32 %r31, [%rd1], 1; mov.u32 %r31, 3;\n  add.u64 %rd10, %rd10, 8192;\n", false, 0},
    {"a clock", "  mov.u32 %r31, %clock;\n", false, 0},
    {"a volatile word", "  ld.volatile.global.u32 %r31, [%rd10];\n", false, 0},
};

typedef struct Result { uint32_t words[WORDS]; CounterSet counters; int faults; bool is_free; } Result;

static void run(const Body *body, int threads, uint64_t unit, Result *result) {
  static const uint8_t first[16] = {1};
  Rig rig;
  char *text = ls_format("%s%s%s", head, body->code, tail);
  rig_kernel(&rig, ".param .u64 p0", "", text);
  Counters *counters = counters_new(rig.module);
  rig.options.record_all = false;
  rig.options.record_block = first;
  rig.options.checks = SIM_CHECK_ALL;
  rig.options.threads = threads;
  rig.options.unit = (uint32_t)unit;
  rig.options.order = SIM_TURNS;
  rig_size(&rig, "16", "128");
  rig_arg(&rig, "u32[4096]=iota");
  CHECK(rig_make(&rig));
  if (!rig.sim) printf("\n%s: %s\n", body->name, rig.err.message);
  CHECK(rig.sim && sim_run(rig.sim, counters_sink(counters), &rig.err));
  *result = (Result){.counters = *counters_total(counters), .faults = rig_faults(&rig)};
  if (rig.sim) memcpy(result->words, rig_words(&rig, 0), sizeof result->words);
  if (rig.sim) result->is_free = rig.sim->program.order_free;
  counters_free(counters);
  rig_free(&rig);
  free(text);
}

// A seed keeps warps in turns, on one thread.
static void test_haste(void) {
  static Result one, several;
  for (int i = 0; i < LS_COUNT(bodies); i++) {
    const Body *b = &bodies[i];
    run(b, 1, 0, &one);
    run(b, 3, 1, &several);
    bool same = !memcmp(&one.counters, &several.counters, sizeof one.counters) && one.faults == several.faults;
    same = same && (!b->is_free || !memcmp(one.words, several.words, sizeof one.words));
    if (!same || one.is_free != b->is_free || one.faults != b->faults)
      printf("\n%s: %d, %d faults\n", b->name, one.is_free, one.faults);
    CHECK(same);
    CHECK(one.is_free == b->is_free);
    CHECK_INT(one.faults, b->faults);
  }
}

static const Check checks[] = {{"the same", test_haste}};

int main(int argc, char **argv) { return check_main("sim_haste", checks, LS_COUNT(checks), argc, argv); }
