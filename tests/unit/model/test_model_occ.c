// test_model_occ.c: devices, occupancy, waves, latency hiding and roofs, against NVIDIA's own calculator and the lectures' numbers.
#include <limits.h>
#include <math.h>
#include "base/mem.h"
#include "check.h"
#include "model/arch.h"
#include "model/latency.h"
#include "model/occ.h"
#include "model/roofline.h"
#include "model/waves.h"

#ifdef HAVE_CUDA_OCCUPANCY
#include <cuda_occupancy.h>

static int nvidia_blocks(const ArchProfile *a, int threads, int regs, int shared) {
  cudaOccDeviceProp device = {
      .computeMajor = a->cc_major, .computeMinor = a->cc_minor, .maxThreadsPerBlock = a->threads_per_block,
      .maxThreadsPerMultiprocessor = a->warps_per_sm * 32, .regsPerBlock = a->regs_per_sm,
      .regsPerMultiprocessor = a->regs_per_sm, .warpSize = 32, .sharedMemPerBlock = 48 * 1024,
      .sharedMemPerMultiprocessor = (size_t)a->shared_per_sm, .numSms = a->sm_count,
      .sharedMemPerBlockOptin = (size_t)a->shared_per_block, .reservedSharedMemPerBlock = (size_t)a->shared_reserved};
  cudaOccFuncAttributes function = {.maxThreadsPerBlock = INT_MAX, .numRegs = regs, .sharedSizeBytes = 0,
      .partitionedGCConfig = PARTITIONED_GC_OFF, .shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN,
      .maxDynamicSharedSizeBytes = (size_t)shared, .numBlockBarriers = 1};
  cudaOccDeviceState state = {.carveoutConfig = SHAREDMEM_CARVEOUT_DEFAULT};
  cudaOccResult result = {0};
  cudaOccError error = cudaOccMaxActiveBlocksPerMultiprocessor(&result, &device, &function, &state, threads, (size_t)shared);
  return error == CUDA_OCC_SUCCESS ? result.activeBlocksPerMultiprocessor : -1;
}

static void agrees_with_the_toolkit(void) {
  static const int shared[] = {0, 1, 1024, 3000, 8192, 16384, 20000, 33000, 49152, 49153, 65536, 98304, 101376, 101377, 166912,
                               232448, 232449};
  int compared = 0, count;
  const ArchProfile *all = arch_all(&count);
  for (int d = 0; d < count; d++) {
    if (all[d].cc_major < 3) continue;
    for (int threads = 1; threads <= 1024; threads += threads % 64 == 1 ? 31 : threads % 64 == 32 ? 16 : threads % 64 == 48 ? 16
         : 1)
      for (int regs = 0; regs <= all[d].regs_per_thread; regs += 1 + regs / 16)
        for (int s = 0; s < LS_COUNT(shared); s++) {
          Occupancy o;
          occ_compute(&all[d], threads, regs, shared[s], &o);
          int expected = nvidia_blocks(&all[d], threads, regs, shared[s]);
          if (o.blocks != expected) {
            printf("\n%s: %d threads, %d registers, %d bytes: got %d, expected %d\n", all[d].name, threads, regs, shared[s],
                   o.blocks, expected);
            CU_ASSERT(o.blocks == expected);
            return;
          }
          compared++;
        }
  }
  CHECK(compared > 100000);
}
#else
static void agrees_with_the_toolkit(void) { printf("(cuda_occupancy.h was not found) "); }
#endif

typedef struct Claim { const char *id, *device; int threads, regs, shared, blocks, warps; OccLimit limit; } Claim;

static void lecture_claims(void) {
  static const Claim claims[] = {
      {"C002", "g80", 256, 10, 0, 3, 24, OCC_WARPS},
      {"C002", "g80", 128, 10, 0, 6, 24, OCC_WARPS},
      {"C004", "g80", 64, 10, 0, 8, 16, OCC_BLOCKS},
      {"C006", "g80", 1024, 10, 0, 0, 0, OCC_IMPOSSIBLE},
      {"C023", "v100", 512, 32, 0, 4, 64, OCC_WARPS},
      {"C023", "v100", 128, 32, 0, 16, 64, OCC_WARPS},
      {"C024", "v100", 32, 32, 0, 32, 32, OCC_BLOCKS},
      {"C025", "v100", 256, 255, 0, 1, 8, OCC_REGS},
      {"C026", "v100", 256, 32, 0, 8, 64, OCC_WARPS},
      {"C027 E137", "v100", 256, 34, 0, 6, 48, OCC_REGS},
      {"C028", "gt200", 256, 16, 2048, 4, 32, OCC_WARPS},
      {"E13", "gt200", 256, 20, 0, 3, 24, OCC_REGS},
      {"E13", "gt200", 256, 21, 0, 2, 16, OCC_REGS},
      {"C029", "gt200", 256, 22, 0, 2, 16, OCC_REGS},
      {"C031", "g80", 256, 10, 2048, 3, 24, OCC_WARPS},
      {"C033", "rtx2070", 256, 32, 33 * 1024, 1, 8, OCC_SHARED},
      {"C034", "k20x", 32, 32, 0, 16, 16, OCC_BLOCKS},
      {"E73", "gtx1080", 32, 32, 1024, 32, 32, OCC_BLOCKS},
      {"table 2.2", "gtx1080", 64, 32, 2048, 32, 64, OCC_WARPS},
      {"table 2.2", "gtx1080", 1024, 32, 32768, 2, 64, OCC_WARPS},
      {"fermi, 63 registers", "fermi", 256, 63, 0, 2, 16, OCC_REGS},
      {"fermi, full", "fermi", 256, 20, 8192, 6, 48, OCC_WARPS},
  };
  for (int c = 0; c < LS_COUNT(claims); c++) {
    Occupancy o;
    const ArchProfile *arch = arch_find(claims[c].device);
    CU_ASSERT_FATAL(arch != NULL);
    occ_compute(arch, claims[c].threads, claims[c].regs, claims[c].shared, &o);
    if (o.blocks != claims[c].blocks || o.limit != claims[c].limit) printf("\n%s %s: ", claims[c].id, claims[c].device);
    CHECK_INT(o.blocks, claims[c].blocks);
    CHECK_INT(o.warps, claims[c].warps);
    CHECK_INT(o.limit, claims[c].limit);
    CHECK(o.fraction == (double)claims[c].warps / arch->warps_per_sm);
  }
}

static void impossible_launches(void) {
  Occupancy o;
  const ArchProfile *h200 = arch_find("h200");
  static const int bad[][3] = {{0, 32, 0}, {-1, 32, 0}, {1025, 32, 0}, {256, 256, 0}, {1024, 65, 0}, {256, 32, 227 * 1024 + 1},
                               {256, -1, 0}, {256, 32, -1}, {256, 32, INT_MAX}, {1024, INT_MAX, 0}};
  for (int i = 0; i < LS_COUNT(bad); i++) {
    occ_compute(h200, bad[i][0], bad[i][1], bad[i][2], &o);
    CHECK_INT(o.blocks, 0);
    CHECK_INT(o.limit, OCC_IMPOSSIBLE);
  }
  CHECK_STR(occ_limit_name(OCC_REGS), "registers");
  CHECK_STR(occ_limit_name(OCC_IMPOSSIBLE), "impossible");
}

static void what_a_block_takes(void) {
  Occupancy o;
  occ_compute(arch_find("v100"), 256, 34, 0, &o);
  CHECK_INT(o.regs_per_block, 10240);      // 34 registers round up to 40
  CHECK_INT(o.by_warps, 8);
  CHECK_INT(o.by_shared, INT_MAX);
  occ_compute(arch_find("h200"), 256, 0, 1000, &o);
  CHECK_INT(o.shared_per_block, 2048);     // and 1 KB for the system
  CHECK_INT(o.by_regs, INT_MAX);
}

static void devices_have_names(void) {
  int count;
  const ArchProfile *all = arch_all(&count);
  CHECK(count >= 18);
  for (int i = 0; i < count; i++) {
    CHECK(arch_find(all[i].name) == &all[i]);
    CHECK(all[i].sm_count > 0 && all[i].bandwidth_gbs > 0 && all[i].fp32_tflops > 0);
    CHECK(all[i].shared_per_block + all[i].shared_reserved <= all[i].shared_per_sm);
    CHECK(all[i].threads_per_block <= all[i].warps_per_sm * 32);
  }
  CHECK(arch_find("H200") == arch_find("h200"));
  CHECK(arch_find("abacus") == NULL);
  CHECK(arch_find(NULL) == NULL);
}

typedef struct Tail { const char *id; int64_t blocks; int sms, per_sm; int64_t waves; double fill, share, utilization; } Tail;

static void waves_and_tails(void) {
  static const Tail tails[] = {
      {"C055", 12, 8, 1, 2, 0.5, 0.5, 0.75},
      {"C056", 5, 4, 1, 2, 0.25, 0.5, 0.625},
      {"C057", 15, 4, 1, 4, 0.75, 0.25, 0.9375},
      {"C058", 9, 2, 1, 5, 0.5, 0.2, 0.9},
      {"C059", 39, 2, 1, 20, 0.5, 0.05, 0.975},
      {"full", 528, 132, 4, 1, 1.0, 1.0, 1.0},
      {"nothing", 0, 132, 4, 0, 0, 0, 0},
  };
  for (int i = 0; i < LS_COUNT(tails); i++) {
    Waves w;
    waves_compute(tails[i].blocks, tails[i].sms, tails[i].per_sm, &w);
    CHECK_INT(w.waves, tails[i].waves);
    CHECK(fabs(w.tail_fill - tails[i].fill) < 1e-12);
    CHECK(fabs(w.tail_share - tails[i].share) < 1e-12);
    CHECK(fabs(w.utilization - tails[i].utilization) < 1e-12);
    if (w.waves) CHECK(fabs(w.utilization - (1 - (1 - w.tail_fill) / (double)w.waves)) < 1e-12);   // C060
  }
}

// The closed form against the turns themselves: one warp a cycle, each at its turn, waiting in between.
static void turns_of_warps(void) {
  for (int warps = 1; warps <= 20; warps++)
    for (int work = 1; work <= 5; work++)
      for (int latency = 0; latency <= 40; latency += 5) {
        Latency m;
        latency_compute(warps, work, latency, &m);
        int issued = 0;
        for (int64_t cycle = 10 * m.period; cycle < 11 * m.period; cycle++) {
          int issuing = 0;
          for (int w = 0; w < warps; w++) issuing += latency_state(&m, w, cycle) == LATENCY_ISSUES;
          CHECK(issuing <= 1);
          int who = latency_issuing(&m, cycle);
          CHECK_INT(who >= 0, issuing);
          if (who >= 0) CHECK_INT(latency_state(&m, who, cycle), LATENCY_ISSUES);
          issued += issuing;
        }
        CHECK(fabs(m.utilization - (double)issued / (double)m.period) < 1e-12);
        CHECK_INT(m.utilization == 1, (warps - 1) * work >= latency);   // C040
        CHECK_INT(m.utilization == 1, warps >= m.warps_needed);
      }
}

static void latency_claims(void) {
  Latency m;
  latency_compute(17, 25, 400, &m);   // C041: 400 cycles over 16 other warps are 25 cycles each
  CHECK(m.utilization == 1);
  latency_compute(16, 25, 400, &m);
  CHECK(m.utilization < 1);
  latency_compute(1, 0, -5, &m);
  CHECK(m.work == 1 && m.latency == 0 && m.utilization == 1);
  CHECK(latency_in_flight(0.5, 40) == 20);                                     // C048: the escalator
  CHECK(fabs(latency_in_flight(250e9 / 14 / 0.732e9, 500) / 128 - 95.3) < 0.1);  // C049: lines per SM
}

static void roofs(void) {
  Roofline g80;
  roofline_of(arch_find("g80"), &g80);
  CHECK(fabs(roofline_attainable(&g80, 0.25) - 21.6) < 1e-9);   // C084: naive matrix product, 4 bytes per flop
  CHECK(fabs(roofline_attainable(&g80, 4) - 345.6) < 1);        // C085: tiles of 16
  CHECK(roofline_attainable(&g80, 1000) == g80.peak_gflops);
  CHECK(fabs(roofline_attainable(&g80, g80.ridge) - g80.peak_gflops) < 1e-9);
  CHECK(roofline_attainable(&g80, -1) == 0);
}

// What no table has goes along as text.
static void devices_travel(void) {
  ArchProfile odd = *arch_find("rtx4090"), other;
  LsText text = {0};
  odd.name = "gpu";
  odd.title = "NVIDIA Odd = 7";
  odd.sm_count = 77;
  odd.bandwidth_gbs = 1234.5;
  CHECK(arch_is_row(arch_find("h200")) && !arch_is_row(&odd));
  arch_print(&odd, &text);
  const ArchProfile *there = arch_adopt(ls_text_str(&text));
  CHECK(there && there != &odd && !arch_is_row(there) && arch_find(there->name) == there);
  CHECK_STR(there->title, "NVIDIA Odd = 7");
  CHECK(there->sm_count == 77 && there->bandwidth_gbs == 1234.5 && there->shared_reserved == odd.shared_reserved);
  CHECK(arch_adopt(ls_text_str(&text)) == there);
  ls_text_add(&text, "tensor_cores=4\n");                  // a later version says more
  CHECK(arch_adopt(ls_text_str(&text)) == there);
  other = odd;
  other.banks = 16;
  LsText second = {0};
  arch_print(&other, &second);
  const ArchProfile *next = arch_adopt(ls_text_str(&second));
  CHECK(next && next != there && next->banks == 16 && strcmp(next->name, there->name) != 0);
  static const char *const bad[] = {"", "title=x\n", "sm_count=3\n", "nonsense", "sm_count=many\n", "sm_count=-1\n"};
  for (int i = 0; i < LS_COUNT(bad); i++) CHECK(!arch_adopt(bad[i]));
  CHECK(!arch_adopt(NULL));
  ls_text_add(&second, "sm_count=0\n");                    // a device that would be divided by
  CHECK(!arch_adopt(ls_text_str(&second)));
  ls_text_free(&second);
  ls_text_free(&text);
}

static const Check checks[] = {
    {"devices travel", devices_travel},
    {"agrees with the toolkit", agrees_with_the_toolkit}, {"lecture claims", lecture_claims},
    {"impossible launches", impossible_launches},         {"what a block takes", what_a_block_takes},
    {"devices have names", devices_have_names},           {"waves and tails", waves_and_tails},
    {"turns of warps", turns_of_warps},                   {"latency claims", latency_claims},
    {"roofs", roofs},
};

int main(int argc, char **argv) { return check_main("model_occ", checks, LS_COUNT(checks), argc, argv); }
