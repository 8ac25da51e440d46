// test_sim_geometry.c: the emulator on kernels written here: blocks, grids and their special registers.
#include "sim_rig.h"

static void test_geometry(void) {
  Rig rig;
  rig_kernel(
      &rig, ".param .u64 p0", "",
      "  mov.u32 %r2, %tid.y; mov.u32 %r3, %tid.z; mov.u32 %r4, %ntid.x; mov.u32 %r5, %ntid.y; mov.u32 %r6, %ntid.z;\n"
      "  mad.lo.u32 %r7, %r3, %r5, %r2; mad.lo.u32 %r7, %r7, %r4, %r1; mov.u32 %r8, %ctaid.x; mov.u32 %r9, %ctaid.y; "
      "mov.u32 %r10, %ctaid.z;\n"
      "  mov.u32 %r11, %nctaid.x; mov.u32 %r12, %nctaid.y; mad.lo.u32 %r13, %r10, %r12, %r9; mad.lo.u32 %r13, %r13, "
      "%r11, %r8;\n"
      "  mul.lo.u32 %r14, %r4, %r5; mul.lo.u32 %r14, %r14, %r6; mad.lo.u32 %r15, %r13, %r14, %r7; mul.wide.u32 %rd4, "
      "%r15, 4; add.u64 %rd5, %rd1, %rd4;\n"
      "  mov.u32 %r16, %laneid; mov.u32 %r17, %warpid; shl.b32 %r17, %r17, 5; add.u32 %r16, %r16, %r17; shl.b32 %r18, "
      "%r13, 16; or.b32 %r16, %r16, %r18;\n"
      "  st.global.u32 [%rd5], %r16; ret;");
  rig_size(&rig, "3,2,2", "5,3,3");
  rig_arg(&rig, "u32[540]=zero");
  rig_run(&rig);
  for (uint32_t i = 0; i < 540; i++) CHECK_INT(rig_words(&rig, 0)[i], i / 45 << 16 | i % 45);
  CHECK_INT(rig_faults(&rig), 0);
  CHECK_INT(sim_thread_instructions(rig.sim), 540 * sim_warp_instructions(rig.sim) / 24);
  rig_free(&rig);
}

static void test_big_grid(void) {
  Rig rig;
  rig_init(&rig, ".version 8.0\n.target sm_75\n.address_size 64\n.visible .entry k() { ret; }");
  rig.options.record_all = false;
  rig_size(&rig, "1000,1000", "1");
  rig_run(&rig);
  CHECK_INT(sim_warp_instructions(rig.sim), 1000000);
  CHECK_INT(rig.count, 0);
  CHECK_INT(rig.accesses, 1000000);
  rig_free(&rig);
}

static void test_empty(void) {
  Rig rig;
  rig_kernel(&rig, ".param .u64 p0", "", "  ret;");
  rig_arg(&rig, "u32[1]=zero");
  rig.launch.args[0].count = 0;
  rig_run(&rig);
  uint64_t size = 1;
  sim_buffer(rig.sim, 0, &size);
  CHECK_INT(size, 0);
  CHECK_INT(rig.count, 5);
  rig_free(&rig);
}

// What block 0 leaves in registers, no other block finds: neither behind a guard, nor on a way around, nor in a
// predicate.
static void test_unset_registers(void) {
  Rig rig;
  rig_kernel(&rig, ".param .u64 p0", "",
             "  mov.u32 %r2, %ctaid.x; setp.eq.u32 %p1, %r2, 0; @%p1 mov.u32 %r20, 5;\n"
             "  @!%p1 bra L; mov.u64 %rd20, 7; setp.eq.u32 %p2, %r2, 0;\n"
             "L: selp.u32 %r21, 16, 0, %p2; cvt.u32.u64 %r22, %rd20; add.u32 %r21, %r21, %r22;\n"
             "  add.u32 %r21, %r21, %r20; mov.u32 %r23, 100; add.u32 %r21, %r21, %r23;\n"
             "  shl.b32 %r3, %r2, 5; add.u32 %r3, %r3, %r1; mul.wide.u32 %rd4, %r3, 4; add.u64 %rd5, %rd1, %rd4;\n"
             "  st.global.u32 [%rd5], %r21; ret;");
  rig.options.record_all = false;
  rig.options.checks = 0;
  rig_size(&rig, "3", "32");
  rig_arg(&rig, "u32[96]=none");
  rig_run(&rig);
  for (int i = 0; i < 96; i++) CHECK_INT(rig_words(&rig, 0)[i], i < 32 ? 128 : 100);
  rig_free(&rig);
}

static const Check checks[] = {
    {"geometry", test_geometry},
    {"unset registers", test_unset_registers},
    {"a big grid", test_big_grid},
    {"an empty buffer", test_empty},
};

int main(int argc, char **argv) { return check_main("sim_geometry", checks, LS_COUNT(checks), argc, argv); }
