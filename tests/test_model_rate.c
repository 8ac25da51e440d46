// test_model_rate.c: bytes and operations per second, against numbers worked out by hand.
#include "base/mem.h"
#include "check.h"
#include "model/rate.h"

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
    "  ret;\n}\n";

static void operations_are_counted(void) {
  LsErr err = {0};
  RateFlops flops;
  TraceTally tallies[8];
  PtxModule *module = ptx_parse("k.ptx", kernel, sizeof kernel - 1, &err);
  CHECK(module != NULL);
  if (!module) return;
  for (int i = 0; i < 8; i++) tallies[i] = (TraceTally){i, 10, 320};
  rate_flops(module, tallies, 8, &flops);
  CHECK_INT(flops.f32, 3 * 320);
  CHECK_INT(flops.f64, 320);
  CHECK_INT(flops.f16, 4 * 320);
  CHECK_INT(flops.matrix, 10 * 2 * 16 * 8 * 16);
  CHECK_INT(rate_flops_sum(&flops), 8 * 320 + 40960);
  tallies[0].pc = 1000;                               // of another module: counts for nothing
  rate_flops(module, tallies, 1, &flops);
  CHECK_INT(rate_flops_sum(&flops), 0);
  ptx_module_free(module);
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
    {"rates stand beside limits", rates_stand_beside_limits},
};

int main(int argc, char **argv) { return check_main("model rate", checks, LS_COUNT(checks), argc, argv); }
