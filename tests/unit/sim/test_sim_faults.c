// test_sim_faults.c: the emulator on kernels written here: faults and races: kind, place and words; and kernels
// that have none.
#include "sim_rig.h"

// ---- faults ----------------------------------------------------------------------------------------------------

static void test_bounds(void) {
  expect_fault(FAULT_OUT_OF_BOUNDS, "", "  ld.global.u32 %r2, [%rd3+256]; ret;", 1,
               "thread (0,0,0) of block (0,0,0) reads 4 bytes at argument 1[64], just past the end of argument 1 "
               "(256 bytes); line",
               SIM_ITS);
  expect_fault(FAULT_OUT_OF_BOUNDS, "", "  st.global.u32 [%rd3+232], %r1; ret;", 32, "thread (6,0,0)", SIM_ITS);
  expect_fault(FAULT_OUT_OF_BOUNDS, "", "  st.global.u32 [%rd3+-4], %r1; ret;", 1,
               "writes 4 bytes at argument 1[-1], 4 bytes before the start", SIM_ITS);
  expect_fault(FAULT_OUT_OF_BOUNDS, "",
               "  .shared .align 4 .b8 sh[64];\n  mov.u32 %r2, sh; st.shared.u32 [%r2+64], %r1; ret;", 1,
               "sh[16], just past the end of sh (64 bytes)", SIM_ITS);
  expect_fault(FAULT_OUT_OF_BOUNDS, "",
               "  .shared .align 4 .b8 sh[64];\n  mov.u32 %r2, sh; st.shared.u32 [%r2+-4], %r1; ret;", 1,
               "sh[-1], 4 bytes before the start of sh", SIM_ITS);
  expect_fault(FAULT_OUT_OF_BOUNDS, "",
               "  .local .align 4 .b8 lo[16];\n  mov.u64 %rd4, lo; ld.local.u32 %r2, [%rd4+16]; ret;", 1,
               "past the end of lo", SIM_ITS);
  expect_fault(FAULT_OUT_OF_BOUNDS, "", "  mov.u64 %rd4, 0; ld.u32 %r2, [%rd4]; ret;", 1,
               "address 0x0: the pointer is null", SIM_ITS);
  expect_fault(FAULT_MISALIGNED, "", "  add.u64 %rd4, %rd3, 2; ld.global.u32 %r2, [%rd4]; ret;", 1,
               "byte 2 of argument 1, an address that is no multiple of 4", SIM_ITS);
  expect_fault(FAULT_MISALIGNED, "", "  ld.global.v2.u32 {%r2, %r3}, [%rd1+4]; ret;", 1, "no multiple of 8", SIM_ITS);
}

static void test_other_faults(void) {
  expect_fault(
      FAULT_UNINITIALIZED, "",
      "  .shared .align 4 .b8 sh[64];\n  mov.u32 %r2, sh; st.shared.u8 [%r2], %r1; ld.shared.u32 %r3, [%r2]; ret;", 1,
      "which nobody has written", SIM_ITS);
  expect_fault(FAULT_TRAP, "", "  trap;", 1, "trap", SIM_ITS);
  expect_fault(FAULT_DIVIDE_BY_ZERO, "", "  mov.u32 %r2, 4; div.u32 %r3, %r2, %r1; st.global.u32 [%rd3], %r3; ret;", 2,
               "thread (0,0,0) of block (0,0,0) divides", SIM_ITS);
  expect_fault(FAULT_BUDGET, "", "L: add.u32 %r1, %r1, 1; st.global.u32 [%rd1], %r1; bra L;", 1,
               "used up with 0 of 1 blocks done; warps went round the loop that ends at line 9 of the PTX", SIM_ITS);
  expect_fault(FAULT_DIVERGENT_BARRIER, "",
               "  setp.gt.u32 %p1, %r1, 15; @%p1 bra E; bar.sync 0;\nE: mov.u32 %r2, 1; ret;", 32,
               "lanes 0-15 of warp 0 come to a block barrier without lanes 16-31", SIM_ITS);
  expect_fault(FAULT_DIVERGENT_BARRIER, "",
               "  setp.gt.u32 %p1, %r1, 15; @%p1 bra E; bar.sync 0;\nE: mov.u32 %r2, 1; ret;", 32,
               "without", SIM_STACK);
  expect_fault(FAULT_EXITED_LANES, "", "  setp.gt.u32 %p1, %r1, 15; @%p1 bra E; bar.sync 0;\nE: ret;", 32,
               "come to a block barrier without lanes 16-31, which end apart", SIM_STACK);
  expect_fault(
      FAULT_INACTIVE_SOURCE, "",
      "  setp.gt.u32 %p1, %r1, 15; @%p1 bra E; mov.u32 %r3, 31; shfl.sync.idx.b32 %r2, %r1, 20, %r3, 0xffff;\nE: ret;",
      32, "takes no part", SIM_ITS);
  expect_fault(FAULT_BAD_MASK, "", "  setp.gt.u32 %p1, %r1, 15; @%p1 bra E; bar.warp.sync 0xffff0000;\nE: ret;", 32,
               "which does not name them", SIM_ITS);
  expect_fault(FAULT_BAD_MASK, "",
               "  setp.gt.u32 %p1, %r1, 15; @%p1 bra E; bar.warp.sync 0xffffffff;\nE: mov.u32 %r2, 1; ret;", 32,
               "lanes 16-31, which", SIM_ITS);
  expect_fault(FAULT_BAD_MASK, "",
               "  setp.gt.u32 %p1, %r1, 15; @%p1 bra E; bar.warp.sync 0xffffffff;\nE: mov.u32 %r2, 1; ret;", 32,
               "lanes 16-31, which", SIM_STACK);
}

static void test_deadlock(void) {
  expect_fault(FAULT_DEADLOCK, "", "  setp.gt.u32 %p1, %r1, 127; @%p1 bra E; bar.sync 1, 160;\nE: ret;", 160,
               "nobody can go on: warps 0-3 wait at barrier 1 (line 9 of the PTX); warp 4 ended at line 10 of the PTX",
               SIM_ITS);
  expect_fault(FAULT_DEADLOCK, "",
               "  setp.gt.u32 %p1, %r1, 31; @%p1 bra B; bar.sync 1; bra E;\nB: bar.sync 2;\nE: ret;", 64,
               "warp 0 waits at barrier 1", SIM_ITS);
}

static void test_mbarrier_faults(void) {
  expect_fault(FAULT_LIVELOCK, "",
               "  .shared .align 8 .b64 bar;\n  setp.eq.u32 %p1, %r1, 0; @%p1 mbarrier.init.shared.b64 [bar], 65; "
               "bar.sync 0; mbarrier.arrive.shared.b64 %rd4, [bar];\n"
               "W: mbarrier.try_wait.shared.b64 %p2, [bar], %rd4; @!%p2 bra W; ret;",
               64, "of warp 0 spin at line 11 of the PTX and nothing", SIM_ITS);
  expect_fault(FAULT_TRAP, "",
               "  .shared .align 8 .b64 bar;\n  setp.eq.u32 %p1, %r1, 0; @%p1 mbarrier.init.shared.b64 [bar], 40; "
               "bar.sync 0; mbarrier.arrive.noComplete.shared.b64 %rd4, [bar], 30; ret;",
               64, "thread (33,0,0) of block (0,0,0): more arrivals at an mbarrier", SIM_ITS);
}

static void test_stack_overflow(void) {
  expect_fault(FAULT_STACK_OVERFLOW,
               ".func (.param .b32 r0) f(.param .b32 a0)\n{ .reg .b32 %a<4>; .param .b32 x; .param .b32 y;\n"
               "  ld.param.b32 %a1, [a0]; add.u32 %a1, %a1, 1; st.param.b32 [x], %a1; call (y), f, (x); ld.param.b32 "
               "%a2, [y]; st.param.b32 [r0], %a2; ret; }\n",
               "  .param .b32 x; .param .b32 y;\n  st.param.b32 [x], %r1; call (y), f, (x); ret;", 1,
               "more calls than its stack can hold", SIM_ITS);
}

// ---- races ----------------------------------------------------------------------------------------------------

static void test_races(void) {
  expect_fault(FAULT_RACE, "",
               "  .shared .align 4 .b8 sh[256];\n  mov.u32 %r2, sh; mad.lo.u32 %r3, %r1, 4, %r2; st.shared.u32 [%r3], "
               "%r1; mov.u32 %r4, 63; sub.u32 %r4, %r4, %r1;\n"
               "  mad.lo.u32 %r5, %r4, 4, %r2; ld.shared.u32 %r6, [%r5]; st.global.u32 [%rd3], %r6; ret;",
               64, "with no barrier in between", SIM_ITS);
  expect_fault(FAULT_RACE, "", "  .shared .align 4 .b8 sh[4];\n  st.shared.u32 [sh], %r1; ret;", 32,
               "writes sh[0], which thread (31,0,0) writes", SIM_ITS);
  // Two warps store the same, and then one of them something else: told of the other, whoever was first.
  for (int last = 0; last < 64; last += 63) {
    char body[256];
    snprintf(body, sizeof body,
             "  .shared .align 4 .b8 sh[4];\n  st.shared.u32 [sh], 7; setp.eq.u32 %%p1, %%r1, %d; @%%p1 st.shared.u32 "
             "[sh], 8; ret;", last);
    expect_fault(FAULT_RACE, "", body, 64, "writes", SIM_ITS);
    expect_fault(FAULT_RACE, "", body, 64, "writes", SIM_STACK);
  }
  expect_fault(FAULT_RACE, "", "  .shared .align 8 .b8 sh[8];\n  st.shared.v2.u32 [sh], {7, %r1}; ret;", 32,
               "writes sh[0], which thread (31,0,0) writes", SIM_STACK);
}

static void expect_clean(const char *body, int threads) {
  Rig rig;
  run_simple(&rig, "", body, threads, 1024);
  if (rig_faults(&rig)) { int n; printf("\n  %s\n", sim_faults(rig.sim, &n)[0].message); }
  CHECK_INT(rig_faults(&rig), 0);
  rig_free(&rig);
}

static void test_no_races(void) {
  // Neighbouring bytes of a word by different warps.
  expect_clean(
      "  .shared .align 4 .b8 sh[256];\n  mov.u32 %r2, sh; mul.lo.u32 %r3, %r1, 5; rem.u32 %r3, %r3, 64; add.u32 %r3, "
      "%r3, %r2; st.shared.u8 [%r3], %r1; bar.sync 0; ld.shared.u8 %r4, [%r3]; ret;",
      64);
  // A flag behind a fence.
  expect_clean(
      "  .shared .align 4 .b8 sh[8];\n  setp.eq.u32 %p1, %r1, 0; @!%p1 bra W; st.volatile.shared.u32 [sh+4], 0;\nW: "
      "bar.sync 0; setp.eq.u32 %p1, %r1, 0; setp.eq.u32 %p2, %r1, 32; @%p1 bra P; @%p2 bra C; ret;\n"
      "P: st.shared.u32 [sh], 42; membar.cta; st.volatile.shared.u32 [sh+4], 1; ret;\n"
      "C: ld.volatile.shared.u32 %r2, [sh+4]; setp.eq.u32 %p3, %r2, 0; @%p3 bra C; membar.cta; ld.shared.u32 %r3, "
      "[sh]; st.global.u32 [%rd1], %r3; ret;",
      64);
  // Atomics on one word, read after a barrier; the same value stored by all lanes.
  expect_clean(
      "  .shared .align 4 .b8 sh[8];\n  st.shared.u32 [sh+4], 3; setp.eq.u32 %p1, %r1, 0; @%p1 st.shared.u32 [sh], 0; "
      "bar.sync 0; atom.shared.add.u32 %r2, [sh], 1; bar.sync 0; ld.shared.u32 %r3, [sh]; ret;",
      32);
  // The same value stored by all warps: words, bytes and vectors.
  expect_clean(
      "  .shared .align 16 .b8 sh[32];\n  st.shared.u32 [sh], 7; st.shared.u8 [sh+5], 8; st.shared.v2.u32 [sh+8], {7, "
      "8}; st.shared.v4.u32 [sh+16], {1, 2, 3, 4}; bar.sync 0; ld.shared.u32 %r3, [sh]; ret;",
      128);
}

static void test_global_races(void) {
  expect_fault(FAULT_RACE, "", "  ld.global.u32 %r2, [%rd1]; add.u32 %r2, %r2, %r1; st.global.u32 [%rd1], %r2; ret;",
               32, "argument 1[0], which thread (31,0,0)", SIM_ITS);
  expect_fault(FAULT_RACE, "",
               "  st.global.u32 [%rd3], %r1; xor.b32 %r2, %r1, 32; mul.wide.u32 %rd4, %r2, 4; add.u64 %rd4, %rd1, "
               "%rd4; ld.global.u32 %r3, [%rd4]; ret;",
               64, "writes argument 1[32], which thread (0,0,0) reads", SIM_STACK);
  expect_clean(
      "  st.global.u32 [%rd3], %r1; bar.sync 0; xor.b32 %r2, %r1, 32; mul.wide.u32 %rd4, %r2, 4; add.u64 %rd4, %rd1, "
      "%rd4; ld.global.u32 %r3, [%rd4]; ret;",
      64);
  expect_clean("  st.global.u32 [%rd1], 1; ret;", 128);   // all store the same
  expect_clean("  atom.global.add.u32 %r2, [%rd1], %r1; red.global.add.u32 [%rd1], %r1; ret;", 128);
  for (int fence = 0; fence < 2; fence++) {  // a word that two blocks write; the first one may publish it
    Rig rig;
    rig_kernel(&rig, ".param .u64 p0", "",
               fence ? "  mov.u32 %r2, %ctaid.x; setp.eq.u32 %p1, %r2, 1; @%p1 ld.volatile.global.u32 %r3, [%rd1+4]; membar.gl;\n"
                       "  st.global.u32 [%rd1], %r2; membar.gl; atom.global.add.u32 %r3, [%rd1+4], 1; ret;"
                     : "  mov.u32 %r2, %ctaid.x; st.global.u32 [%rd1], %r2; ret;");
    rig_size(&rig, "2", "1");
    rig_arg(&rig, "u32[2]=const:7");
    rig_run(&rig);
    const TraceFault *fault = rig_fault(&rig, FAULT_RACE);
    CHECK((fault != NULL) == !fence);
    if (fault)
      CHECK(fault->block == 1 && fault->other_block == 0 &&
            strstr(fault->message, "of block (0,0,0) writes; nothing orders the two blocks"));
    rig_free(&rig);
  }
}

// Many lanes add to one word, and then the last of them reads it: told of the lane before it. Two blocks add to one, and
// one of them means only its own block.
static void test_atomic_races(void) {
  expect_fault(FAULT_RACE, "",
               "  red.global.add.u32 [%rd1], 1; setp.eq.u32 %p1, %r1, 31; @%p1 ld.global.u32 %r2, [%rd1]; ret;", 32,
               "thread (30,0,0)", SIM_ITS);
  expect_fault(FAULT_RACE, "",
               "  and.b32 %r4, %r1, 1; mul.wide.u32 %rd4, %r4, 4; add.u64 %rd4, %rd1, %rd4; red.global.add.u32 [%rd4], 1;\n"
               "  setp.eq.u32 %p1, %r1, 63; @%p1 ld.global.u32 %r2, [%rd1]; ret;", 64, "thread (62,0,0)", SIM_ITS);
  Rig rig;
  rig_kernel(&rig, ".param .u64 p0", "",
             "  mov.u32 %r2, %ctaid.x; setp.eq.u32 %p1, %r2, 0; @%p1 red.relaxed.cta.global.add.u32 [%rd1], 1;\n"
             "  @!%p1 red.global.add.u32 [%rd1], 1; ret;");
  rig_size(&rig, "2", "32");
  rig_arg(&rig, "u32[2]=const:7");
  rig_run(&rig);
  CHECK(rig_fault(&rig, FAULT_RACE) != NULL);
  rig_free(&rig);
}

// Atomics in shared memory behind a barrier, of 32 and of 64 bits, and a plain access of one warp before the next: told
// of whoever came last. In front of all atomics, or behind a barrier, it is another matter.
static void test_shared_atomics(void) {
  static const char *const adds[] = {"red.shared.add.u32 [sh], 1", "mov.u64 %rd4, 1; red.shared.add.u64 [sh], %rd4"};
  static const char head[] =
      ".shared .align 8 .b8 sh[256]; st.shared.u64 [sh], 0; setp.eq.u32 %p1, %r1, 63; bar.sync 0;";
  for (int k = 0; k < 2; k++) {
    char body[700];
    snprintf(body, sizeof body, "%s %s; @%%p1 ld.shared.u32 %%r2, [sh+%d]; ret;", head, adds[k], k * 4);
    expect_fault(FAULT_RACE, "", body, 64, "thread (62,0,0)", SIM_ITS);
    snprintf(body, sizeof body, "%s mov.u32 %%r3, 0;\nL: %s; add.u32 %%r3, %%r3, 1; setp.lt.u32 %%p2, %%r3, 300;\n"
             "@%%p2 bra L; @%%p1 st.shared.u32 [sh+%d], 5; ret;", head, adds[k], k * 4);
    expect_fault(FAULT_RACE, "", body, 64, "thread (62,0,0)", SIM_ITS);
    for (int first = 0; first < 2; first++) {   // the warp that reads is the first one, or the second
      snprintf(body, sizeof body, "%s setp.%s.u32 %%p2, %%r1, 32; @%%p2 ld.shared.u32 %%r2, [sh+%d]; @!%%p2 %s; ret;",
               head, first ? "lt" : "ge", k * 4, k ? "red.shared.add.u64 [sh], 1" : adds[0]);
      expect_fault(FAULT_RACE, "", body, 64, first ? "thread (31,0,0)" : "thread (63,0,0)", SIM_ITS);
    }
    snprintf(body, sizeof body, "%s %s; bar.sync 0; ld.shared.u32 %%r2, [sh+%d]; bar.sync 0; %s; ret;", head, adds[k],
             k * 4, adds[k]);
    expect_clean(body, 64);
  }
}

// More atomics than wait to be noted; then somebody reads half of what they add to.
static void test_many_atomics(void) {
  Rig rig;
  rig_kernel(&rig, ".param .u64 p0", "",
             "  mov.u32 %r2, %ctaid.x; setp.eq.u32 %p1, %r2, 19; @%p1 ld.global.u32 %r3, [%rd1+12];\n"
             "  mov.u64 %rd4, 1; red.global.add.u64 [%rd1+8], %rd4; ret;");
  rig_size(&rig, "20", "1024");
  rig_arg(&rig, "u32[4]=zero");
  rig_run(&rig);
  const TraceFault *fault = rig_fault(&rig, FAULT_RACE);
  CHECK(fault && strstr(fault->message, "reads argument 1[3], which thread (1023,0,0) of block (18,0,0)"));
  CHECK_INT(rig_words(&rig, 0)[2], 20 * 1024);
  rig_free(&rig);
}

static const Check checks[] = {
    {"bounds and alignment", test_bounds},
    {"other faults", test_other_faults},
    {"deadlock", test_deadlock},
    {"faults at an mbarrier", test_mbarrier_faults},
    {"stack overflow", test_stack_overflow},
    {"races", test_races},
    {"no false races", test_no_races},
    {"races in global memory", test_global_races},
    {"races with atomics", test_atomic_races},
    {"races with many atomics", test_many_atomics},
    {"races with atomics in shared memory", test_shared_atomics},
};

int main(int argc, char **argv) { return check_main("sim_faults", checks, LS_COUNT(checks), argc, argv); }
