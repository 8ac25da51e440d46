// test_sim_more.c: the emulator on what the compiler makes of small kernels (tests/unit/sim/kernels/*.cu), against results computed here.
#include <math.h>
#include <string.h>
#include "base/file.h"
#include "base/mem.h"
#include "check.h"
#include "ptx/module.h"
#include "sim/sim.h"
#include "launch/launch.h"

typedef struct Bench {
  PtxModule *module;
  Launch launch;
  SimOptions options;
  Sim *sim;
  LsErr err;
} Bench;

static void bench_init(Bench *b, const char *file) {
  size_t length = 0;
  char *path = ls_format("%s/tests/unit/sim/kernels/%s", LS_SOURCE_DIR, file);
  *b = (Bench){0};
  char *text = ls_file_read(path, 1 << 24, &length, &b->err);
  CU_ASSERT_FATAL(text != NULL);
  b->module = ptx_parse(file, text, length, &b->err);
  if (!b->module) printf("\n%s\n", b->err.message);
  CU_ASSERT_FATAL(b->module != NULL);
  sim_options_init(&b->options);
  free(text);
  free(path);
}

static void bench_launch(Bench *b, uint32_t grid, uint32_t block, const char *const *args) {
  launch_init(&b->launch);
  b->launch.grid[0] = grid;
  b->launch.block[0] = block;
  for (; *args; args++) CHECK(launch_add_arg(&b->launch, *args, &b->err));
}

// Runs and expects nothing wrong.
static void bench_run(Bench *b, const char *kernel) {
  int entry = ptx_find_entry(b->module, kernel, &b->err), faults = 0;
  b->sim = entry < 0 ? NULL : sim_new(b->module, entry, &b->launch, &b->options, &b->err);
  if (!b->sim) printf("\n%s: %s\n", kernel, b->err.message);
  CU_ASSERT_FATAL(b->sim != NULL);
  CHECK(sim_run(b->sim, NULL, &b->err));
  const TraceFault *first = sim_faults(b->sim, &faults);
  if (faults) printf("\n%s: %s\n", kernel, first->message);
  CHECK_INT(faults, 0);
}

static void bench_end(Bench *b) {
  sim_free(b->sim);
  launch_fini(&b->launch);
  b->sim = NULL;
}

static void bench_fini(Bench *b) { ptx_module_free(b->module); }

// ---- matrices ------------------------------------------------------------------------------------------------------

static int a_at(int i, int k) { return (i * 7 + k * 3) % 11 - 5; }
static int b_at(int k, int j) { return (k * 5 + j * 3 + k * j) % 7 - 3; }
static int c_at(int i, int j) { return (i + 2 * j) % 5 - 2; }

typedef struct Matrix { const char *kernel; int m, n, k; char type; bool by_column; } Matrix;

static double result_at(const uint8_t *bytes, char type, int at) {
  float f;
  double d;
  int32_t i;
  uint16_t h;
  switch (type) {
  case 'f': memcpy(&f, bytes + at * 4, 4); return (double)f;
  case 'd': memcpy(&d, bytes + at * 8, 8); return d;
  case 'i': memcpy(&i, bytes + at * 4, 4); return i;
  default: break;
  }
  memcpy(&h, bytes + at * 2, 2);   // a half that is zero or normal
  double magnitude = h & 0x7fff ? ldexp((h & 1023) + 1024, (h >> 10 & 31) - 25) : 0;
  return h >> 15 ? -magnitude : magnitude;
}

static void check_matrix(Bench *b, const Matrix *m) {
  bench_launch(b, 1, 32, (const char *[]){"f64[512]=zero", NULL});
  bench_run(b, m->kernel);
  uint64_t size;
  const uint8_t *out = sim_buffer(b->sim, 0, &size);
  int wrong = 0;
  for (int i = 0; i < m->m; i++)
    for (int j = 0; j < m->n; j++) {
      int sum = c_at(i, j);
      for (int k = 0; k < m->k; k++) sum += a_at(i, k) * b_at(k, j);
      if (result_at(out, m->type, m->by_column ? j * m->m + i : i * m->n + j) != sum) wrong++;
    }
  if (wrong) printf("\n%s: %d elements are wrong\n", m->kernel, wrong);
  CHECK_INT(wrong, 0);
  bench_end(b);
}

static void test_products(void) {
  static const Matrix kernels[] = {
      {"mma_f16", 16, 8, 16, 'f', false},      {"mma_f16_f16", 16, 8, 16, 'f', false},
      {"mma_bf16_k8", 16, 8, 8, 'f', false},   {"mma_tf32", 16, 8, 8, 'f', false},
      {"mma_s8", 16, 8, 32, 'f', false},       {"mma_s8_k16", 16, 8, 16, 'f', false},
      {"mma_f64", 8, 8, 4, 'f', false},        {"wmma_f16", 16, 16, 16, 'f', false},
      {"wmma_f16_tall", 32, 8, 16, 'f', true}, {"wmma_f16_wide", 8, 32, 16, 'h', true},
      {"wmma_bf16", 16, 16, 16, 'f', false},   {"wmma_s8", 16, 16, 16, 'i', false},
      {"wmma_s8_wide", 8, 32, 16, 'i', true},  {"wmma_tf32", 16, 16, 8, 'f', false},
      {"wmma_f64", 8, 8, 4, 'd', false},
  };
  Bench b;
  bench_init(&b, "matrix.ptx");
  for (int i = 0; i < LS_COUNT(kernels); i++) check_matrix(&b, &kernels[i]);
  bench_fini(&b);
}

static void test_transpose(void) {
  Bench b;
  uint64_t size;
  bench_init(&b, "matrix.ptx");
  bench_launch(&b, 1, 32, (const char *[]){"f32[64]=zero", NULL});
  bench_run(&b, "transpose");
  const uint8_t *out = sim_buffer(b.sim, 0, &size);
  for (int at = 0; at < 64; at++) CHECK(result_at(out, 'f', at) == at % 8 * 8 + at / 8);
  bench_end(&b);
  bench_fini(&b);
}

// ---- copies and barrier objects ------------------------------------------------------------------------------------

typedef struct Copying { const char *kernel; uint32_t threads; float (*expected)(int at); int count; const char *more; } Copying;

static float zfilled(int at) {   // each of two rows backwards, with what lies from 201 on zero
  int from = at / 128 * 128 + 127 - at % 128;
  return from < 201 ? (float)from : 0;
}
static float barrier_copied(int t) {
  float sum = 0;
  for (int k = 0; k < 4; k++) sum += (float)(k * 64 + (t + 33) % 64);
  return sum;
}
static float doubled(int at) { return (float)at * 2; }
static float piped(int t) {
  float sum = 0;
  for (int k = 0; k < 4; k++) sum += (float)(k * 64 + 63 - t);
  return sum;
}
static float backwards(int at) { return (float)(255 - at); }
static float ringed(int t) {   // in is iota
  float sum = 0;
  for (int i = 0; i < 8; i++) sum += (float)(i * 256 + 255 - t);
  return sum;
}
static float uneven(int t) { return (float)(t + 128 + t + (t % 32 < 16 ? 64 + t : 0)); }

static void test_copies(void) {
  static const Copying kernels[] = {
      {"zfill", 32, zfilled, 256, "i32=201"},    {"barrier_copy", 64, barrier_copied, 64, NULL},
      {"bulk", 128, doubled, 256, NULL},         {"pipe", 64, piped, 64, NULL},
      {"async_group", 96, backwards, 256, NULL},   {"ring2", 64, ringed, 64, NULL},
      {"ring3", 64, ringed, 64, NULL},           {"ring4", 64, ringed, 64, NULL},
      {"uneven", 64, uneven, 64, NULL},
  };
  Bench b;
  bench_init(&b, "async.ptx");
  for (int i = 0; i < LS_COUNT(kernels); i++) {
    const Copying *k = &kernels[i];
    uint64_t size;
    bench_launch(&b, 1, k->threads, (const char *[]){"f32[256]=zero", "f32[2048]=iota", k->more, NULL});
    bench_run(&b, k->kernel);
    const uint8_t *out = sim_buffer(b.sim, 0, &size);
    int wrong = 0;
    for (int at = 0; at < k->count; at++) wrong += result_at(out, 'f', at) != (double)k->expected(at);
    if (wrong) printf("\n%s: %d elements are wrong\n", k->kernel, wrong);
    CHECK_INT(wrong, 0);
    bench_end(&b);
  }
  bench_fini(&b);
}

// Checkpoints hold the copies that are on their way: going there and back is what going there at once is.
static void test_copies_again(void) {
  static const uint64_t places[] = {9000, 4400, 12001, 5003, 17, 8300, 8301, 8302, 8303, 8304, 4097};
  Bench b;
  bench_init(&b, "async.ptx");
  bench_launch(&b, 1, 32, (const char *[]){"f32[32]=zero", "f32[2048]=iota", NULL});
  int entry = ptx_find_entry(b.module, "long_ring", &b.err);
  SimReplay *again = sim_replay_new(b.module, entry, &b.launch, &b.options, &b.err);
  for (int i = 0; i < LS_COUNT(places); i++) {
    SimReplay *fresh = sim_replay_new(b.module, entry, &b.launch, &b.options, &b.err);
    uint8_t x[512] = {0}, y[512] = {1}, xi[512] = {0}, yi[512] = {1};
    CHECK(sim_replay_seek(again, 0, places[i], &b.err) && sim_replay_seek(fresh, 0, places[i], &b.err));
    CHECK_INT(sim_replay_read(again, TRACE_SHARED, 0, 0, 512, x, xi), 512);
    CHECK_INT(sim_replay_read(fresh, TRACE_SHARED, 0, 0, 512, y, yi), 512);
    CHECK(memcmp(x, y, 512) == 0 && memcmp(xi, yi, 512) == 0);
    sim_replay_free(fresh);
  }
  sim_replay_free(again);
  launch_fini(&b.launch);
  bench_fini(&b);
}

static void test_split_phase(void) {
  Bench b;
  uint64_t size;
  bench_init(&b, "async.ptx");
  bench_launch(&b, 1, 128, (const char *[]){"i32[128]=zero", NULL});
  bench_run(&b, "split_phase");
  const uint8_t *out = sim_buffer(b.sim, 0, &size);
  for (int t = 0; t < 128; t++) CHECK_INT(result_at(out, 'i', t), t * 1000 + (127 - t) * 3);
  bench_end(&b);
  bench_fini(&b);
}

// ---- cooperative groups --------------------------------------------------------------------------------------------

static void expect_groups(int t, int expected[4]) {
  int tile = t / 8 * 8, sum = 0, top = 0, active = 0, rank = 0, leader = -1, alike = 0, place = 0, warp = t / 32 * 32;
  for (int i = tile; i < tile + 8; i++) {
    sum += i;
    if (i * 7 % 13 > top) top = i * 7 % 13;
  }
  for (int i = warp; i < warp + 32; i++) {
    if (i % 3 == 1 && leader < 0) leader = i;
    active += i % 3 == 1;
    rank += i % 3 == 1 && i < t;
    alike += i % 5 == t % 5;
    place += i % 5 == t % 5 && i < t;
  }
  expected[0] = sum + t % 8;
  expected[1] = top;
  expected[2] = t % 3 == 1 ? active * 100 + rank + leader * 10000 : 0;
  expected[3] = alike * 100 + place;
}

static void test_groups(void) {
  for (int sched = 0; sched < 2; sched++) {
    Bench b;
    uint64_t size;
    bench_init(&b, "groups.ptx");
    b.options.sched = sched ? SIM_STACK : SIM_ITS;
    bench_launch(&b, 1, 96, (const char *[]){"i32[1024]=zero", NULL});
    bench_run(&b, "groups");
    const uint8_t *out = sim_buffer(b.sim, 0, &size);
    for (int t = 0; t < 96; t++) {
      int expected[4];
      expect_groups(t, expected);
      for (int k = 0; k < 4; k++) CHECK_INT(result_at(out, 'i', t * 4 + k), expected[k]);
    }
    CHECK_INT(result_at(out, 'i', 1023), 32);
    bench_end(&b);
    bench_fini(&b);
  }
}

static void test_grid(void) {
  Bench b;
  uint64_t size;
  bench_init(&b, "groups.ptx");
  bench_launch(&b, 3, 64, (const char *[]){"i32[192]=zero", NULL});
  bench_run(&b, "grid_rank");
  const uint8_t *out = sim_buffer(b.sim, 0, &size);
  for (int t = 0; t < 192; t++) CHECK_INT(result_at(out, 'i', t), 192);
  bench_end(&b);
  bench_launch(&b, 3, 64, (const char *[]){"i32[192]=none", "i32[192]=none", NULL});
  bench_run(&b, "grid_sum");
  out = sim_buffer(b.sim, 0, &size);
  for (int t = 0; t < 192; t++) {
    int next = ((t + 200) % 192 + 97) % 192;
    CHECK_INT(result_at(out, 'i', t), next * next + 1);
  }
  bench_end(&b);
  bench_fini(&b);
}

// Nobody can see that the losers wait, for their registers change; the winner goes on all the same.
static void test_counted_rounds(void) {
  Bench b;
  uint64_t size;
  int32_t count = 0;
  bench_init(&b, "spin.ptx");
  bench_launch(&b, 1, 32, (const char *const[]){"i32[1]=zero", "i32[1]=zero", "i32[32]=zero", NULL});
  bench_run(&b, "spin_count");
  const uint8_t *bytes = sim_buffer(b.sim, 1, &size);
  if (bytes && size == sizeof count) memcpy(&count, bytes, sizeof count);
  CHECK_INT(count, 32);
  CHECK(sim_warp_instructions(b.sim) < 4000000);
  bench_end(&b);
  bench_fini(&b);
}

static const Check checks[] = {
    {"a lock whose losers count", test_counted_rounds},
    {"products of matrices", test_products},
    {"a matrix transposed", test_transpose},
    {"asynchronous copies", test_copies},
    {"copies on their way in checkpoints", test_copies_again},
    {"an arrival and a wait", test_split_phase},
    {"cooperative groups", test_groups},
    {"a grid that does not wait, and one that does", test_grid},
};

int main(int argc, char **argv) { return check_main("sim_more", checks, LS_COUNT(checks), argc, argv); }
