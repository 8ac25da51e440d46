// test_sim_barriers.c: the emulator on kernels written here: barriers of a block: named, reducing, and of threads
// that ended.
#include "sim_rig.h"

static void test_barrier(void) {
  Rig rig;
  run_simple(&rig, "",
             "  .shared .align 4 .b8 sh[1024];\n  mov.u32 %r2, sh; mad.lo.u32 %r3, %r1, 4, %r2; st.shared.u32 [%r3], "
             "%r1; bar.sync 0;\n"
             "  mov.u32 %r4, 255; sub.u32 %r4, %r4, %r1; mad.lo.u32 %r5, %r4, 4, %r2; ld.shared.u32 %r6, [%r5]; "
             "st.global.u32 [%rd3], %r6; ret;",
             256, 256);
  for (uint32_t t = 0; t < 256; t++) CHECK_INT(rig_words(&rig, 0)[t], 255 - t);
  CHECK_INT(rig_faults(&rig), 0);
  int arrivals = 0;
  for (int i = 0; i < rig.count; i++) {
    const TraceEvent *e = &rig.events[i].e;
    if (e->kind != TRACE_BARRIER) continue;
    CHECK_INT(e->arrived, ++arrivals);
    CHECK_INT(e->expected, 8);
    CHECK_INT((e->flags & TRACE_LAST_ARRIVAL) != 0, arrivals == 8);
  }
  CHECK_INT(arrivals, 8);
  rig_free(&rig);
}

static void test_barrier_reductions(void) {
  Rig rig;
  run_simple(&rig, "",
             "  setp.lt.u32 %p1, %r1, 70; bar.red.popc.u32 %r2, 0, %p1; bar.red.and.pred %p2, 1, %p1; bar.red.or.pred "
             "%p3, 2, !%p1;\n"
             "  selp.u32 %r3, 1000, 0, %p2; selp.u32 %r4, 2000, 0, %p3; add.u32 %r2, %r2, %r3; add.u32 %r2, %r2, %r4; "
             "st.global.u32 [%rd3], %r2; ret;",
             100, 100);
  for (int t = 0; t < 100; t++) CHECK_INT(rig_words(&rig, 0)[t], 2070);
  rig_free(&rig);
}

static void test_named_barriers(void) {   // warps 0-1 produce, warps 2-3 consume
  Rig rig;
  run_simple(&rig, "",
             "  .shared .align 4 .b8 sh[256];\n  mov.u32 %r2, sh; setp.gt.u32 %p1, %r1, 63; @%p1 bra C;\n"
             "  mad.lo.u32 %r3, %r1, 4, %r2; add.u32 %r4, %r1, 7; st.shared.u32 [%r3], %r4; bar.arrive 3, 128; ret;\n"
             "C: bar.sync 3, 128; mov.u32 %r5, 127; sub.u32 %r5, %r5, %r1; mad.lo.u32 %r3, %r5, 4, %r2; ld.shared.u32 "
             "%r4, [%r3]; st.global.u32 [%rd3], %r4; ret;",
             128, 128);
  for (uint32_t t = 64; t < 128; t++) CHECK_INT(rig_words(&rig, 0)[t], 127 - t + 7);
  CHECK_INT(rig_faults(&rig), 0);
  rig_free(&rig);
}

static void test_early_return(void) {   // threads that ended are not waited for
  Rig rig;
  run_simple(&rig, "", "  setp.gt.u32 %p1, %r1, 39; @%p1 bra E; bar.sync 0; st.global.u32 [%rd3], 1;\nE: ret;", 128,
             128);
  for (int t = 0; t < 128; t++) CHECK_INT(rig_words(&rig, 0)[t], t < 40);
  CHECK(rig_fault(&rig, FAULT_DEADLOCK) == NULL);
  rig_free(&rig);
}

static const Check checks[] = {
    {"barrier", test_barrier},
    {"barrier reductions", test_barrier_reductions},
    {"named barriers", test_named_barriers},
    {"early return", test_early_return},
};

int main(int argc, char **argv) { return check_main("sim_barriers", checks, LS_COUNT(checks), argc, argv); }
