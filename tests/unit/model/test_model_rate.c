// test_model_rate.c: bytes and operations per second, against numbers worked out by hand.
#include "base/file.h"
#include "base/mem.h"
#include "base/text.h"
#include "check.h"
#include "model/rate.h"
#include "model/spin.h"

static const char kernel[] =
    ".version 8.0\n.target sm_80\n.address_size 64\n"
    ".visible .entry k()\n{\n"
    "  .reg .f32 %f<4>;\n  .reg .f64 %d<4>;\n  .reg .b32 %r<12>;\n"
    "  fma.rn.f32 %f1, %f1, %f2, %f3;\n"              // 0: 2 a lane
    "  add.f32 %f1, %f1, %f2;\n"                      // 1: 1
    "  mul.f64 %d1, %d1, %d2;\n"                      // 2: 1
    "  fma.rn.f16x2 %r1, %r2, %r3, %r4;\n"            // 3: 4
    "  add.s32 %r1, %r2, %r3;\n"                      // 4: none
    "  max.f32 %f1, %f1, %f2;\n"                      // 5: none
    "  mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f0,%f1,%f2,%f3}, {%r0,%r1,%r2,%r3}, {%r4,%r5}, {%f0,%f1,%f2,%f3};\n"
    "  mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f0,%f1,%f2,%f3}, {%r0,%r1}, {%r2,%r3}, "
    "{%f0,%f1,%f2,%f3}, %r4, 0;\n"
    "  mma.sync.aligned.m8n8k4.row.col.f16.f16.f16.f16 {%r0,%r1,%r2,%r3}, {%r4,%r5}, {%r6,%r7}, {%r0,%r1,%r2,%r3};\n"
    "  ret;\n}\n";

static void operations_are_counted(void) {
  LsErr err = {0};
  RateFlops flops;
  TraceTally tallies[10];
  PtxModule *module = ptx_parse("k.ptx", kernel, sizeof kernel - 1, &err);
  CHECK(module != NULL);
  if (!module) return;
  for (int i = 0; i < 10; i++) tallies[i] = (TraceTally){.pc = i, .warps = 10, .lanes = 320};
  rate_flops(module, tallies, 10, &flops);
  CHECK_INT(flops.f32, 3 * 320);
  CHECK_INT(flops.f64, 320);
  CHECK_INT(flops.f16, 4 * 320);
  uint64_t dense = 10 * 2 * 16 * 8 * 16, sparse = 10 * 2 * 16 * 8 * 8, quads = 10 * 4 * 2 * 8 * 8 * 4;
  CHECK_INT(flops.matrix, dense + sparse + quads);
  CHECK_INT(rate_flops_sum(&flops), 8 * 320 + dense + sparse + quads);
  tallies[0].pc = 1000;                               // of another module: counts for nothing
  rate_flops(module, tallies, 1, &flops);
  CHECK_INT(rate_flops_sum(&flops), 0);
  ptx_module_free(module);
}

// ---- loops that wait -----------------------------------------------------------------------------------------------

static PtxModule *parse_shipped(const char *name) {
  LsErr err = {0};
  size_t length;
  char *path = ls_format("%s/assets/ptx/%s", LS_SOURCE_DIR, name), *text = ls_file_read(path, 1 << 24, &length, &err);
  PtxModule *module = text ? ptx_parse(path, text, length, &err) : NULL;
  if (!module) printf("\n%s\n", err.message);
  CHECK(module != NULL);
  free(text);
  free(path);
  return module;
}

static int loops_that_wait(PtxModule *module, int *first_line) {
  int *place = ls_alloc(((size_t)module->code_count + 1) * sizeof *place), found = spin_find(module, place), file;
  *first_line = 0;
  for (int pc = 0; pc < module->code_count && !*first_line; pc++)
    if (place[pc] >= 0) ptx_line_of(module, place[pc], &file, first_line);
  free(place);
  ptx_module_free(module);
  return found;
}

static void locks_wait(void) {
  int line;
  CHECK_INT(loops_that_wait(parse_shipped("warp_lock.ptx"), &line), 1);
  CHECK_INT(line, 9);
  CHECK_INT(loops_that_wait(parse_shipped("warp_lock.g.ptx"), &line), 1);
  CHECK_INT(line, 9);
  static const char *const busy[] = {"reduce2", "histogram", "matmul_tiled", "scan4", "warp_reduce"};
  for (int i = 0; i < LS_COUNT(busy); i++) {
    char *compiled = ls_format("%s.ptx", busy[i]), *written = ls_format("%s.g.ptx", busy[i]);
    CHECK_INT(loops_that_wait(parse_shipped(compiled), &line), 0);
    CHECK_INT(loops_that_wait(parse_shipped(written), &line), 0);
    free(compiled), free(written);
  }
}

typedef struct Loop { const char *body; int waits; } Loop;
static const Loop loops[] = {
    {"ld.volatile.global.u32 %r1, [%rd1];\nsetp.eq.s32 %p1, %r1, 0;\n@%p1 bra L;", 1},          // a flag
    {"ld.acquire.gpu.u32 %r1, [%rd1];\nadd.s32 %r2, %r1, 1;\nsetp.eq.s32 %p1, %r2, 0;\n@%p1 bra L;", 1},
    {"atom.global.add.u32 %r1, [%rd1], 0;\nsetp.eq.s32 %p1, %r1, 0;\n@%p1 bra L;", 1},          // read by an atomic
    {"atom.global.exch.b32 %r1, [%rd1], 1;\nsetp.ne.s32 %p1, %r1, 0;\n@%p1 bra L;", 1},
    {"atom.global.add.u32 %r1, [%rd1], 1;\nsetp.lt.u32 %p1, %r1, 100;\n@%p1 bra L;", 0},        // takes work
    {"ld.global.u32 %r1, [%rd1];\nsetp.eq.s32 %p1, %r1, 0;\n@%p1 bra L;", 0},                   // nobody writes it meanwhile
    {"ld.volatile.shared.u32 %r1, [%rd1];\nsetp.eq.s32 %p1, %r1, 0;\n@%p1 bra L;", 0},          // moves no bytes of global memory
    // a fixed number of turns
    {"ld.volatile.global.u32 %r1, [%rd1];\nadd.s32 %r3, %r3, 1;\nsetp.lt.s32 %p1, %r3, 9;\n@%p1 bra L;", 0},
};

static void what_waits_and_what_does_not(void) {
  for (int i = 0; i < LS_COUNT(loops); i++) {
    LsErr err = {0};
    int line;
    char *text = ls_format(".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k()\n{\n.reg .b32 %%r<9>;\n"
                           ".reg .b64 %%rd<9>;\n.reg .pred %%p<9>;\nL:\n%s\nret;\n}\n", loops[i].body);
    PtxModule *module = ptx_parse("k.ptx", text, strlen(text), &err);
    if (!module) printf("\n%s\n", err.message);
    CHECK(module != NULL);
    if (module) CHECK_INT(loops_that_wait(module, &line), loops[i].waits);
    free(text);
  }
}

static void bytes_are_sectors(void) {
  const TraceCount counts[] = {
      {.space = TRACE_GLOBAL, .sectors = 100, .bytes = 5},
      {.space = TRACE_LOCAL, .sectors = 10},
      {.space = TRACE_SHARED, .sectors = 7},
      {.space = TRACE_CONST, .sectors = 3},
  };
  CHECK_INT(rate_bytes(counts, LS_COUNT(counts)), 110 * 32);
}

// 4.8 GB in a millisecond are an H200's 4800 GB/s; 66.9 Tflop/s are its peak.
static void rates_stand_beside_limits(void) {
  Rate rate;
  const ArchProfile *h200 = arch_find("h200");
  rate_of(4800000000u, 66900000000u, 1000000, h200, &rate);
  CHECK(rate.gbs > 4799.9 && rate.gbs < 4800.1 && rate.gflops > 66899 && rate.gflops < 66901);
  CHECK(rate.of_bandwidth > 0.999 && rate.of_bandwidth < 1.001 && rate.of_peak > 0.999 && rate.of_peak < 1.001);
  CHECK(rate.flops_per_byte > 13.9 && rate.flops_per_byte < 14);
  CHECK(rate.attainable_gflops > 66899 && rate.attainable_gflops < 66901);
  rate_of(1000, 250, 1000, h200, &rate);              // a quarter of a flop per byte: memory is the roof
  CHECK(rate.attainable_gflops > 1199.9 && rate.attainable_gflops < 1200.1);
  rate_of(1000, 250, 0, h200, &rate);
  CHECK(rate.gbs == 0 && rate.gflops == 0 && rate.of_peak == 0);
  rate_of(0, 250, 10, NULL, &rate);
  CHECK(rate.gflops == 25 && rate.of_peak == 0 && rate.flops_per_byte == 0 && rate.attainable_gflops == 0);
}

static const Check checks[] = {
    {"operations are counted", operations_are_counted},
    {"bytes are sectors", bytes_are_sectors},
    {"locks wait", locks_wait},
    {"what waits and what does not", what_waits_and_what_does_not},
    {"rates stand beside limits", rates_stand_beside_limits},
};

int main(int argc, char **argv) { return check_main("model rate", checks, LS_COUNT(checks), argc, argv); }
