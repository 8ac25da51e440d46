// test_sim_groups.c: the emulator on what the compiler makes of small kernels: cooperative groups, a grid of them,
// and a lock whose losers count.
#include <string.h>
#include "sim_compiled.h"

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
    CompiledRun b;
    uint64_t size;
    compiled_init(&b, "groups.ptx");
    b.options.sched = sched ? SIM_STACK : SIM_ITS;
    compiled_launch(&b, 1, 96, (const char *[]){"i32[1024]=zero", NULL});
    compiled_run(&b, "groups");
    const uint8_t *out = sim_buffer(b.sim, 0, &size);
    for (int t = 0; t < 96; t++) {
      int expected[4];
      expect_groups(t, expected);
      for (int k = 0; k < 4; k++) CHECK_INT(result_at(out, 'i', t * 4 + k), expected[k]);
    }
    CHECK_INT(result_at(out, 'i', 1023), 32);
    compiled_end(&b);
    compiled_fini(&b);
  }
}

static void test_grid(void) {
  CompiledRun b;
  uint64_t size;
  compiled_init(&b, "groups.ptx");
  compiled_launch(&b, 3, 64, (const char *[]){"i32[192]=zero", NULL});
  compiled_run(&b, "grid_rank");
  const uint8_t *out = sim_buffer(b.sim, 0, &size);
  for (int t = 0; t < 192; t++) CHECK_INT(result_at(out, 'i', t), 192);
  compiled_end(&b);
  compiled_launch(&b, 3, 64, (const char *[]){"i32[192]=none", "i32[192]=none", NULL});
  compiled_run(&b, "grid_sum");
  out = sim_buffer(b.sim, 0, &size);
  for (int t = 0; t < 192; t++) {
    int next = ((t + 200) % 192 + 97) % 192;
    CHECK_INT(result_at(out, 'i', t), next * next + 1);
  }
  compiled_end(&b);
  compiled_fini(&b);
}

// Nobody can see that the losers wait, for their registers change; the winner goes on all the same.
static void test_counted_rounds(void) {
  CompiledRun b;
  uint64_t size;
  int32_t count = 0;
  compiled_init(&b, "spin.ptx");
  compiled_launch(&b, 1, 32, (const char *const[]){"i32[1]=zero", "i32[1]=zero", "i32[32]=zero", NULL});
  compiled_run(&b, "spin_count");
  const uint8_t *bytes = sim_buffer(b.sim, 1, &size);
  if (bytes && size == sizeof count) memcpy(&count, bytes, sizeof count);
  CHECK_INT(count, 32);
  CHECK(sim_warp_instructions(b.sim) < 4000000);
  compiled_end(&b);
  compiled_fini(&b);
}

static const Check checks[] = {
    {"a lock whose losers count", test_counted_rounds},
    {"cooperative groups", test_groups},
    {"a grid that does not wait, and one that does", test_grid},
};

int main(int argc, char **argv) { return check_main("sim_groups", checks, LS_COUNT(checks), argc, argv); }
