// test_sim_divergence.c: the emulator on kernels written here: branches that part a warp, guards and jump tables,
// and where the lanes meet again.
#include "sim_rig.h"

static const char nested[] =
    "  setp.gt.u32 %p1, %r1, 15; @%p1 bra HIGH; and.b32 %r2, %r1, 1; setp.eq.u32 %p2, %r2, 1; @%p2 bra ODD;\n"
    "  st.global.u32 [%rd3], 1; bra MEET1;\nODD: st.global.u32 [%rd3], 2;\nMEET1: st.global.u32 [%rd3+128], 7; bra "
    "MEET;\n"
    "HIGH: st.global.u32 [%rd3], 3;\nMEET: st.global.u32 [%rd3+256], 9; ret;";

static void test_nested_divergence(void) {
  for (int sched = 0; sched < 2; sched++) {
    Rig rig;
    rig_kernel(&rig, ".param .u64 p0", "", nested);
    rig.options.sched = (SimSched)sched;
    rig_size(&rig, "1", "32");
    rig_arg(&rig, "u32[96]=zero");
    rig_run(&rig);
    for (int t = 0; t < 32; t++) {
      CHECK_INT(rig_words(&rig, 0)[t], t > 15 ? 3 : t % 2 ? 2 : 1);
      CHECK_INT(rig_words(&rig, 0)[32 + t], t > 15 ? 0 : 7);
      CHECK_INT(rig_words(&rig, 0)[64 + t], 9);
    }
    CHECK(saw_mask(&rig, 0x5555) && saw_mask(&rig, 0xaaaa) && saw_mask(&rig, 0xffff0000) && saw_mask(&rig, 0xffff) &&
          saw_mask(&rig, 0xffffffff));
    int stores = 0, diverging = 0, meeting = 0;
    for (int i = 0; i < rig.count; i++) {
      stores += rig.events[i].e.kind == TRACE_STORE;
      diverging += rig.events[i].e.flags & TRACE_DIVERGES ? 1 : 0;
      meeting += rig.events[i].e.flags & TRACE_RECONVERGES ? 1 : 0;
    }
    CHECK_INT(stores, 5);
    CHECK_INT(diverging, 2);
    CHECK_INT(meeting, 2);
    rig_free(&rig);
  }
}

static void test_loops(void) {
  for (int sched = 0; sched < 2; sched++) {
    Rig rig;
    rig_kernel(&rig, ".param .u64 p0", "",
               "  mov.u32 %r2, 0; mov.u32 %r3, 0;\nL: setp.ge.u32 %p1, %r2, %r1; @%p1 bra E; add.u32 %r2, %r2, 1; "
               "add.u32 %r3, %r3, %r2; bra L;\n"
               "E: st.global.u32 [%rd3], %r3; ret;");
    rig.options.sched = (SimSched)sched;
    rig_size(&rig, "1", "64");
    rig_arg(&rig, "u32[64]=zero");
    rig_run(&rig);
    for (uint32_t t = 0; t < 64; t++) CHECK_INT(rig_words(&rig, 0)[t], t * (t + 1) / 2);
    CHECK(saw_mask(&rig, 0xffffffff));
    // 4 + 2 before the loop; warp 0 comes to the test 32 times, warp 1 64 times.
    CHECK_INT(sim_warp_instructions(rig.sim), 2 * 6 + (32 * 2 + 31 * 3) + (64 * 2 + 63 * 3) + 2 * 2);
    rig_free(&rig);
  }
}

static void test_guards(void) {   // any instruction may have one
  Rig rig;
  run_simple(&rig, "",
             "  and.b32 %r2, %r1, 1; setp.eq.u32 %p1, %r2, 0; mov.u32 %r3, 5; @%p1 mov.u32 %r3, 6; @!%p1 st.global.u32 "
             "[%rd3], %r3; @%p1 add.u32 %r3, %r3, 1;\n"
             "  @%p1 st.global.u32 [%rd3], %r3; setp.gt.u32 %p2, %r1, 99; @%p2 st.global.u32 [%rd1], 0; @%p1 exit; "
             "st.global.u32 [%rd3+128], 1; ret;",
             32, 64);
  for (int t = 0; t < 32; t++) {
    CHECK_INT(rig_words(&rig, 0)[t], t % 2 ? 5 : 7);
    CHECK_INT(rig_words(&rig, 0)[32 + t], t % 2);
  }
  CHECK_INT(rig_faults(&rig), 0);
  rig_free(&rig);
}

static void test_jump_table(void) {
  Rig rig;
  run_simple(&rig, "",
             "  rem.u32 %r2, %r1, 3;\nT: .branchtargets A, B, C;\n  brx.idx %r2, T;\nA: mov.u32 %r3, 10; bra E;\nB: "
             "mov.u32 %r3, 20; bra E;\nC: mov.u32 %r3, 30;\n"
             "E: st.global.u32 [%rd3], %r3; ret;",
             32, 32);
  for (int t = 0; t < 32; t++) CHECK_INT(rig_words(&rig, 0)[t], t % 3 * 10 + 10);
  CHECK(saw_mask(&rig, 0xffffffff));
  rig_free(&rig);
}

// Lanes that are apart in long loops take slices of 256 instructions. One ends at the first access behind it, or where
// a row of arithmetic ends, which is in one piece. All of it fits into the warp's turn of 4096.
#define FOUR(text) text text text text
#define LOADS(address) FOUR(FOUR("ld.global.u32 %r4, [" address "]; add.u32 %r5, %r5, %r4; ld.param.u64 %rd5, [p0];\n"))
#define TWO "add.u32 %r5, %r5, %r4; xor.b32 %r5, %r5, 9;\n"
#define ROW(address) "ld.global.u32 %r4, [" address "]; " FOUR(FOUR(FOUR(FOUR(TWO))))
#define APART(of, turns)                                                                                 \
  "  and.b32 %r2, %r1, 1; setp.eq.u32 %p1, %r2, 0; mov.u32 %r3, 0; mov.u32 %r5, 0; @%p1 bra B;\n"         \
  "A: " of("%rd3") "add.u32 %r3, %r3, 1; setp.lt.u32 %p2, %r3, " turns "; @%p2 bra A; bra C;\n"          \
  "B: " of("%rd1") "add.u32 %r3, %r3, 1; setp.lt.u32 %p2, %r3, " turns "; @%p2 bra B;\n"                 \
  "C: st.global.u32 [%rd3], %r3; ret;"

static void check_slices(const char *body, int least, int most) {
  Rig rig;
  rig_kernel(&rig, ".param .u64 p0", "", body);
  rig.options.record_all = true;
  rig.options.checks = 0;
  rig_size(&rig, "1", "32");
  rig_arg(&rig, "u32[32]=zero");
  rig_run(&rig);
  int slices = 0, wrong = 0;
  for (int i = 0, from = 0; i < rig.count; i++) {
    const TraceEvent *e = &rig.events[i].e;
    if (i + 1 < rig.count && e->active == rig.events[i + 1].e.active) continue;
    int length = i + 1 - from;
    from = i + 1;
    if (e->active == 0xffffffff || e->kind == TRACE_BRANCH) continue;   // together, or on the way to each other
    slices++;
    wrong += length < least || length > most;
  }
  CHECK(slices > 2);
  CHECK_INT(wrong, 0);
  rig_free(&rig);
}

static void test_slices(void) {
  check_slices(APART(LOADS, "35"), 256, 259);
  check_slices(APART(ROW, "3"), 515, 516);     // a load, the row, and perhaps the branch before it
}

static const Check checks[] = {
    {"nested divergence", test_nested_divergence},
    {"loops", test_loops},
    {"guards", test_guards},
    {"jump table", test_jump_table},
    {"slices", test_slices},
};

int main(int argc, char **argv) { return check_main("sim_divergence", checks, LS_COUNT(checks), argc, argv); }
