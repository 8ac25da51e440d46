// test_sim_memory.c: memory, parameters and variables of the emulator that whoever runs a kernel sets from outside.
#include <string.h>
#include "base/mem.h"
#include "check.h"
#include "ptx/module.h"
#include "sim/sim.h"

static const char program[] =
    ".version 7.0\n.target sm_75\n.address_size 64\n"
    ".visible .global .align 8 .u64 where;\n"
    ".visible .entry add(.param .u64 to, .param .align 4 .b8 pair[8], .param .u32 n)\n{\n"
    "  .reg .pred %p<3>; .reg .b32 %r<9>; .reg .b64 %rd<9>;\n"
    "  ld.param.u64 %rd1, [to]; ld.param.u32 %r1, [pair]; ld.param.u32 %r2, [pair+4]; ld.param.u32 %r3, [n];\n"
    "  mov.u32 %r4, %tid.x; setp.ge.u32 %p1, %r4, %r3; @%p1 ret;\n"
    "  mul.wide.u32 %rd2, %r4, 4; add.s64 %rd3, %rd1, %rd2;\n"
    "  ld.global.u32 %r5, [%rd3]; mad.lo.u32 %r6, %r5, %r1, %r2; st.u32 [%rd3], %r6;\n"
    "  isspacep.global %p2, %rd3; selp.u32 %r7, 1, 0, %p2;\n"
    "  ld.global.u64 %rd4, [where]; add.s64 %rd5, %rd4, %rd2; st.global.u32 [%rd5], %r7;\n"
    "  ret;\n}\n";

typedef struct Params { uint64_t to; uint32_t factor, offset, n; } Params;

typedef struct Bench { PtxModule *module; Launch launch; SimOptions options; LsErr err; } Bench;

static void bench_init(Bench *b) {
  *b = (Bench){0};
  b->module = ptx_parse("add.ptx", program, strlen(program), &b->err);
  CU_ASSERT_FATAL(b->module != NULL);
  launch_init(&b->launch);
  b->launch.block[0] = 64;
  sim_options_init(&b->options);
}

static void bench_fini(Bench *b) {
  launch_fini(&b->launch);
  ptx_module_free(b->module);
}

static void test_run(void) {
  enum { PAGE = 4096, LOW = 0x10000, HIGH = 0x7a0000000000 };
  static uint8_t low[PAGE], high[2 * PAGE];
  Params params = {LOW, 3, 5, 40};
  SimMapping memory[] = {{.address = HIGH, .size = sizeof high, .bytes = high}, {.address = LOW, .size = sizeof low, .bytes = low}};
  uint64_t size = 0, address = 0, where = HIGH + PAGE;
  int faults = 0;
  Bench b;
  bench_init(&b);
  b.options.mappings = memory;
  b.options.mapping_count = LS_COUNT(memory);
  b.options.params = (const uint8_t *)&params;
  b.options.params_size = sizeof params;
  for (uint32_t i = 0; i < 64; i++) memcpy(low + 4 * i, &i, 4);
  Sim *sim = sim_new(b.module, 0, &b.launch, &b.options, &b.err);
  CU_ASSERT_FATAL(sim != NULL);
  uint8_t *bytes = sim_global_bytes(sim, "where", &size, &address);
  CU_ASSERT_FATAL(bytes != NULL && size == 8);
  CHECK(address != 0);
  CHECK(sim_global_bytes(sim, "nowhere", &size, NULL) == NULL);
  memcpy(bytes, &where, 8);
  CHECK(sim_run(sim, NULL, &b.err));
  sim_faults(sim, &faults);
  CHECK_INT(faults, 0);
  for (uint32_t i = 0; i < 64; i++) {
    uint32_t sum, flag;
    memcpy(&sum, low + 4 * i, 4);
    memcpy(&flag, high + PAGE + 4 * i, 4);
    CHECK_INT((int)sum, (int)(i < 40 ? 3 * i + 5 : i));
    CHECK_INT((int)flag, i < 40);
  }
  sim_free(sim);
  bench_fini(&b);
}

// What cannot be is refused before the run, and what lies outside of all memory is still a fault.
static void test_refused(void) {
  static uint8_t bytes[3 * 4096];
  Params params = {0x20000, 1, 1, 1};
  SimMapping odd = {.address = 0x10010, .size = 4096, .bytes = bytes},
      above = {.address = 0x7b0000000000, .size = 4096, .bytes = bytes};
  SimMapping twice[] = {{.address = 0x10000, .size = sizeof bytes, .bytes = bytes},
                       {.address = 0x11000, .size = 4096, .bytes = bytes}};
  int faults = 0;
  Bench b;
  bench_init(&b);
  b.options.params = (const uint8_t *)&params;
  b.options.params_size = 8;
  CHECK(sim_new(b.module, 0, &b.launch, &b.options, &b.err) == NULL);
  b.options.params_size = sizeof params;
  b.options.mappings = &odd;
  b.options.mapping_count = 1;
  CHECK(sim_new(b.module, 0, &b.launch, &b.options, &b.err) == NULL);
  b.options.mappings = &above;
  CHECK(sim_new(b.module, 0, &b.launch, &b.options, &b.err) == NULL);
  b.options.mappings = twice;
  b.options.mapping_count = 2;
  CHECK(sim_new(b.module, 0, &b.launch, &b.options, &b.err) == NULL);
  CHECK_INT(b.err.kind, LS_EREQUEST);
  b.options.mapping_count = 1;
  Sim *sim = sim_new(b.module, 0, &b.launch, &b.options, &b.err);
  CU_ASSERT_FATAL(sim != NULL);
  CHECK(sim_run(sim, NULL, &b.err));
  CHECK_INT(sim_faults(sim, &faults)[0].kind, FAULT_OUT_OF_BOUNDS);
  sim_free(sim);
  bench_fini(&b);
}

static const Check checks[] = {
    {"memory, parameters and variables set from outside", test_run},
    {"what is refused", test_refused},
};

int main(int argc, char **argv) { return check_main("sim_memory", checks, LS_COUNT(checks), argc, argv); }
