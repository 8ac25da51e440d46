// test_sim_copies.c: the emulator on what the compiler makes of small kernels: asynchronous copies, pipelines, and
// barriers that are arrived at and waited for apart.
#include <string.h>
#include "sim_compiled.h"

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
  CompiledRun b;
  compiled_init(&b, "async.ptx");
  for (int i = 0; i < LS_COUNT(kernels); i++) {
    const Copying *k = &kernels[i];
    uint64_t size;
    compiled_launch(&b, 1, k->threads, (const char *[]){"f32[256]=zero", "f32[2048]=iota", k->more, NULL});
    compiled_run(&b, k->kernel);
    const uint8_t *out = sim_buffer(b.sim, 0, &size);
    int wrong = 0;
    for (int at = 0; at < k->count; at++) wrong += result_at(out, 'f', at) != (double)k->expected(at);
    if (wrong) printf("\n%s: %d elements are wrong\n", k->kernel, wrong);
    CHECK_INT(wrong, 0);
    compiled_end(&b);
  }
  compiled_fini(&b);
}

// Checkpoints hold the copies that are on their way: going there and back is what going there at once is.
static void test_copies_again(void) {
  static const uint64_t places[] = {9000, 4400, 12001, 5003, 17, 8300, 8301, 8302, 8303, 8304, 4097};
  CompiledRun b;
  compiled_init(&b, "async.ptx");
  compiled_launch(&b, 1, 32, (const char *[]){"f32[32]=zero", "f32[2048]=iota", NULL});
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
  compiled_fini(&b);
}

static void test_split_phase(void) {
  CompiledRun b;
  uint64_t size;
  compiled_init(&b, "async.ptx");
  compiled_launch(&b, 1, 128, (const char *[]){"i32[128]=zero", NULL});
  compiled_run(&b, "split_phase");
  const uint8_t *out = sim_buffer(b.sim, 0, &size);
  for (int t = 0; t < 128; t++) CHECK_INT(result_at(out, 'i', t), t * 1000 + (127 - t) * 3);
  compiled_end(&b);
  compiled_fini(&b);
}

static const Check checks[] = {
    {"asynchronous copies", test_copies},
    {"copies on their way in checkpoints", test_copies_again},
    {"an arrival and a wait", test_split_phase},
};

int main(int argc, char **argv) { return check_main("sim_copies", checks, LS_COUNT(checks), argc, argv); }
