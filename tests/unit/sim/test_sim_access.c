// test_sim_access.c: the emulator on kernels written here: loads and stores of all widths in every space,
// constants, and copies that end later.
#include "sim_rig.h"

typedef struct Width {
  const char *type;
  int bytes;
  uint64_t expected;
} Width;  // of 0x..f1e2d3c4b5a69788 loaded into 64 bits

static void check_width(const char *space, const char *address, const Width *w) {
  char body[1024];
  Rig rig;
  snprintf(body, sizeof body,
           "  .shared .align 16 .b8 sh[2048]; .local .align 16 .b8 lo[64];\n"
           "  mov.u64 %%rd10, 0xf1e2d3c4b5a69788; %s\n"
           "  st%s.b64 [%%rd11], %%rd10; ld%s.%s %%rd12, [%%rd11];\n"
           "  mul.wide.u32 %%rd13, %%r1, 16; add.u64 %%rd14, %%rd1, %%rd13; st.global.u64 [%%rd14+4096], %%rd12;\n"
           "  st%s.%s [%%rd11], %%rd10; ld%s.b64 %%rd12, [%%rd11]; st.global.u64 [%%rd14+4104], %%rd12; ret;",
           address, space, space, w->type, space, w->type, space);
  run_simple(&rig, "", body, 40, 4096);
  for (int t = 0; t < 40; t++) {
    uint64_t got[2];
    memcpy(got, rig_words(&rig, 0) + 1024 + t * 4, 16);
    if (got[0] != w->expected) printf("\nld%s.%s thread %d: %llx\n", space, w->type, t, (unsigned long long)got[0]);
    CHECK(got[0] == w->expected);
    CHECK(got[1] == 0xf1e2d3c4b5a69788ull);
  }
  CHECK_INT(rig_faults(&rig), 0);
  rig_free(&rig);
}

static void test_widths(void) {
  static const Width widths[] = {{"u8", 1, 0x88},
                                 {"s8", 1, 0xffffffffffffff88},
                                 {"b8", 1, 0x88},
                                 {"u16", 2, 0x9788},
                                 {"s16", 2, 0xffffffffffff9788},
                                 {"u32", 4, 0xb5a69788},
                                 {"s32", 4, 0xffffffffb5a69788},
                                 {"b32", 4, 0xb5a69788},
                                 {"u64", 8, 0xf1e2d3c4b5a69788},
                                 {"f64", 8, 0xf1e2d3c4b5a69788}};
  static const char *const places[][2] = {
      {".global", "mul.wide.u32 %rd11, %r1, 8; add.u64 %rd11, %rd1, %rd11;"},
      {"", "mul.wide.u32 %rd11, %r1, 8; add.u64 %rd11, %rd1, %rd11;"},
      {".shared", "mov.u64 %rd11, sh; mad.wide.u32 %rd11, %r1, 8, %rd11;"},
      {"", "mov.u64 %rd11, sh; cvta.shared.u64 %rd11, %rd11; mad.wide.u32 %rd11, %r1, 8, %rd11;"},
      {".local", "mov.u64 %rd11, lo; add.u64 %rd11, %rd11, 8;"},
      {"", "mov.u64 %rd11, lo; cvta.local.u64 %rd11, %rd11; add.u64 %rd11, %rd11, 8;"}};
  for (int p = 0; p < LS_COUNT(places); p++)
    for (int w = 0; w < LS_COUNT(widths); w++) check_width(places[p][0], places[p][1], &widths[w]);
}

static void test_narrow_registers(void) {
  Rig rig;
  run_simple(
      &rig, "",
      "  mov.u32 %r2, 0xfff180; st.global.u32 [%rd1], %r2; ld.global.s8 %rs1, [%rd1]; cvt.u32.u16 %r3, %rs1;\n"
      "  st.global.u32 [%rd1+4], %r3; ld.global.s8 %r4, [%rd1]; st.global.u32 [%rd1+8], %r4; cvt.s32.s16 %r5, %rs1;\n"
      "  st.global.u32 [%rd1+12], %r5; ld.global.s16 %r6, [%rd1]; st.global.u32 [%rd1+16], %r6; ret;",
      1, 8);
  const uint32_t *o = rig_words(&rig, 0);
  CHECK_INT(o[1], 0xff80);
  CHECK_INT(o[2], 0xffffff80u);
  CHECK_INT(o[3], 0xffffff80u);
  CHECK_INT(o[4], 0xfffff180u);
  rig_free(&rig);
}

static void test_vectors_of_memory(void) {
  Rig rig;
  // The third load overwrites the register of its own address.
  run_simple(&rig, "",
             "  mul.wide.u32 %rd4, %r1, 16; add.u64 %rd5, %rd1, %rd4; add.u32 %r2, %r1, 1; add.u32 %r3, %r1, 2; "
             "add.u32 %r4, %r1, 3;\n"
             "  st.global.v4.u32 [%rd5], {%r1, %r2, %r3, %r4}; ld.global.v2.u32 {%r5, %r6}, [%rd5+8];\n"
             "  ld.global.v2.u64 {%rd5, %rd6}, [%rd5]; mul.wide.u32 %rd4, %r1, 16; add.u64 %rd7, %rd1, %rd4; add.u32 "
             "%r5, %r5, %r6;\n"
             "  st.global.u32 [%rd7+2048], %r5; st.global.u64 [%rd7+2056], %rd6; ret;",
             33, 2048);
  const uint32_t *o = rig_words(&rig, 0);
  for (uint32_t t = 0; t < 33; t++) {
    for (uint32_t k = 0; k < 4; k++) CHECK_INT(o[t * 4 + k], t + k);
    CHECK_INT(o[512 + t * 4], 2 * t + 5);
    CHECK_INT(o[512 + t * 4 + 2], t + 2);
    CHECK_INT(o[512 + t * 4 + 3], t + 3);
  }
  rig_free(&rig);
}

static void test_const_and_globals(void) {
  Rig rig;
  run_simple(
      &rig,
      ".const .align 4 .u32 c[4] = {10, 20, 30, 40};\n.global .align 4 .u32 g[4] = {1, 2, 3, 4};\n.global .u64 q = "
      "g;\n",
      "  mov.u64 %rd4, c; and.b32 %r2, %r1, 3; mad.wide.u32 %rd5, %r2, 4, %rd4; ld.const.u32 %r3, [%rd5];\n"
      "  ld.global.u64 %rd6, [q]; mad.wide.u32 %rd7, %r2, 4, %rd6; ld.global.u32 %r4, [%rd7]; ld.const.u32 %r5, "
      "[c+8];\n"
      "  add.u32 %r3, %r3, %r4; add.u32 %r3, %r3, %r5; st.global.u32 [%rd3], %r3; st.global.u32 [g+12], %r2; ret;",
      8, 8);
  static const uint32_t expected[] = {41, 52, 63, 74, 41, 52, 63, 74};
  for (int i = 0; i < 8; i++) CHECK_INT(rig_words(&rig, 0)[i], expected[i]);
  uint64_t size;
  const uint8_t *g = sim_global(rig.sim, "g", &size);
  CHECK_INT(size, 16);
  CHECK(g && g[0] == 1 && g[12] == 3);
  CHECK(sim_global(rig.sim, "nothing", &size) == NULL);
  rig_free(&rig);
}

static void test_async_copy(void) {
  Rig rig;
  run_simple(&rig, "",
             "  .shared .align 16 .b8 sh[512];\n  mul.wide.u32 %rd4, %r1, 16; add.u64 %rd5, %rd1, %rd4; st.global.u32 [%rd5+4], "
             "%r1;\n  mov.u32 %r2, sh; mad.lo.u32 %r2, %r1, 16, %r2; cp.async.ca.shared.global [%r2], [%rd5], 16; "
             "cp.async.commit_group;\n  cp.async.wait_group 0; ld.shared.u32 %r3, [%r2+4]; st.global.u32 [%rd5+8], %r3; ret;",
             32, 128);
  for (uint32_t t = 0; t < 32; t++) CHECK_INT(rig_words(&rig, 0)[t * 4 + 2], t);
  CHECK_INT(rig_faults(&rig), 0);
  rig_free(&rig);
}

// An immediate in the place of a 16-bit register is cut to 16 bits: this is division by 3 as compilers write it.
static void test_half_word_immediate(void) {
  Rig rig;
  run_simple(&rig, "",
             "  cvt.u16.u32 %rs1, %r1; mul.wide.u16 %r2, %rs1, -21845; shr.u32 %r3, %r2, 17; setp.eq.s32 %p1, %r1, 7;\n"
             "  selp.b16 %rs2, -1, 5, %p1; setp.eq.u16 %p2, %rs2, 65535; selp.u32 %r4, 100, 0, %p2; add.u32 %r5, %r3, %r4;\n"
             "  st.global.u32 [%rd3], %r5; ret;",
             32, 32);
  for (uint32_t t = 0; t < 32; t++) CHECK_INT(rig_words(&rig, 0)[t], t / 3 + (t == 7 ? 100 : 0));
  rig_free(&rig);
}

static void test_mixed_generic(void) {   // even lanes shared, odd lanes global: one load, two events
  Rig rig;
  run_simple(&rig, "",
             "  .shared .align 4 .b8 sh[128];\n  mov.u32 %r2, sh; mad.lo.u32 %r2, %r1, 4, %r2; add.u32 %r3, %r1, 100; "
             "st.shared.u32 [%r2], %r3;\n"
             "  cvt.u64.u32 %rd4, %r2; cvta.shared.u64 %rd5, %rd4; and.b32 %r4, %r1, 1; setp.eq.u32 %p1, %r4, 0; "
             "selp.b64 %rd6, %rd5, %rd3, %p1;\n"
             "  isspacep.shared %p2, %rd6; isspacep.global %p3, %rd6; ld.u32 %r5, [%rd6]; selp.u32 %r6, 1000, 0, %p2; "
             "selp.u32 %r7, 2000, 0, %p3;\n"
             "  add.u32 %r5, %r5, %r6; add.u32 %r5, %r5, %r7; st.global.u32 [%rd3], %r5; ret;",
             32, 32);
  for (uint32_t t = 0; t < 32; t++) CHECK_INT(rig_words(&rig, 0)[t], t % 2 ? 2000 : 1100 + t);
  int seen = 0;
  for (int i = 0; i < rig.count; i++) {
    const TraceEvent *e = &rig.events[i].e;
    if (!(e->flags & TRACE_GENERIC_ACCESS)) continue;
    CHECK_INT(e->mask, e->space == TRACE_SHARED ? 0x55555555u : 0xaaaaaaaau);
    if (e->space == TRACE_SHARED) CHECK_INT(rig.events[i].addr[2], 8);
    seen++;
  }
  CHECK_INT(seen, 2);
  rig_free(&rig);
}

// Vectors of four bytes in all, where halves of the warp load a row or one value: each element goes to its own
// register.
static void test_small_vectors(void) {
  static const char *const places[] = {   // bytes from the words of all lanes: contiguous, half a warp on one word, one
                                          // word
      "mov.u64 %rd10, %rd3;", "and.b32 %r9, %r1, 16; mad.wide.u32 %rd10, %r9, 4, %rd1;", "mov.u64 %rd10, %rd1;"};
  static const uint32_t lanes[] = {31, 16, 0};
  for (int p = 0; p < LS_COUNT(places); p++) {
    char body[1024];
    Rig rig;
    snprintf(body, sizeof body,
             "  mad.lo.u32 %%r2, %%r1, 0x04030201, 0x40302010; st.global.u32 [%%rd3], %%r2; bar.warp.sync -1;\n"
             "  %s ld.global.v4.u8 {%%rs1, %%rs2, %%rs3, %%rs4}, [%%rd10]; ld.global.v2.u16 {%%rs5, %%rs6}, [%%rd10];\n"
             "  mul.wide.u32 %%rd11, %%r1, 16; add.u64 %%rd11, %%rd1, %%rd11; bar.warp.sync -1;\n"
             "  st.global.v4.u16 [%%rd11+1024], {%%rs1, %%rs2, %%rs3, %%rs4}; st.global.v2.u16 [%%rd11+1032], {%%rs5, %%rs6}; ret;",
             places[p]);
    run_simple(&rig, "", body, 32, 1024);
    for (uint32_t t = 0; t < 32; t++) {
      uint32_t word = 0x40302010u + (t & lanes[p]) * 0x04030201u;
      uint16_t wanted[6] = {(uint8_t)word, (uint8_t)(word >> 8), (uint8_t)(word >> 16), (uint8_t)(word >> 24),
                            (uint16_t)word,
                            (uint16_t)(word >> 16)};
      CHECK(memcmp(rig_words(&rig, 0) + 256 + 4 * t, wanted, sizeof wanted) == 0);
    }
    rig_free(&rig);
  }
}

static const Check checks[] = {
    {"small vectors", test_small_vectors},
    {"widths of memory in every space", test_widths},
    {"narrow registers", test_narrow_registers},
    {"vectors of memory", test_vectors_of_memory},
    {"constants and globals", test_const_and_globals},
    {"asynchronous copy", test_async_copy},
    {"an immediate of 16 bits", test_half_word_immediate},
    {"a generic access to two spaces", test_mixed_generic},
};

int main(int argc, char **argv) { return check_main("sim_access", checks, LS_COUNT(checks), argc, argv); }
