// test_orders.c: what comes of a kernel in all orders, and with many seeds.
//
// The kernels are tests/runs/orders/orders.cu; assets/make-ptx tests/runs/orders tests/runs/orders makes its PTX. Orders
// are counted by hand: two threads of n and m accesses have (n + m)! / (n! m!).
#include <string.h>

#include "app/run/orders.h"
#include "app/run/orders_text.h"
#include "base/mem.h"
#include "check.h"

static Run *run_kernel(const char *kernel, uint32_t threads, const char *const *args, const char *order_of,
                       bool record) {
  LsErr err = {0};
  RunRequest request;
  run_request_init(&request);
  request.cut = DEV_COMPILED;
  request.cut_given = true;
  request.record = record;
  request.what = ls_strdup(LS_SOURCE_DIR "/tests/runs/orders/orders.ptx");
  request.launch.kernel = ls_strdup(kernel);
  request.launch.block[0] = threads;
  request.order_of = order_of ? ls_strdup(order_of) : NULL;
  for (int i = 0; args[i]; i++) CHECK(launch_add_arg(&request.launch, args[i], &err));
  free(request.device);
  request.device = ls_strdup("emu");
  Run *run = run_new(&request, NULL, &err);
  if (!run) printf("\n%s: %s\n", kernel, err.message);
  CU_ASSERT_PTR_NOT_NULL_FATAL(run);
  run_request_fini(&request);
  return run;
}

static int32_t word(const Run *run, int arg, int element) {
  uint64_t size;
  int32_t value;
  memcpy(&value, run->device->buffer(run->device_run, arg, &size) + 4 * element, 4);
  return value;
}

// ---- outcomes by hand ----------------------------------------------------------------------------------------------

enum { WORDS = 3, MOST = 8 };
typedef struct Ending { int32_t words[WORDS]; uint64_t orders; } Ending;
typedef struct Kernel {
  const char *name;
  uint32_t threads;
  const char *args[4];
  struct { int arg, element; } looks[WORDS]; int look_count;
  uint64_t orders;
  int count;
  Ending endings[MOST];        // orders 0: not counted by hand
} Kernel;

static const Kernel kernels[] = {
    {"increments", 64, {"i32[1]=zero"}, {{0, 0}}, 1, 6, 2, {{{1}, 4}, {{2}, 2}}},
    // (v, a[0], a[1]): the lecture's seven
    {"race_add_5_1", 64, {"i32[1]=zero", "i32[2]=none"}, {{0, 0}, {1, 0}, {1, 1}}, 3, 70, 7,
     {{{1, 1, 1}, 0}, {{1, 5, 1}, 0}, {{5, 5, 1}, 0}, {{5, 5, 5}, 0}, {{6, 5, 6}, 0}, {{6, 6, 1}, 0}, {{6, 6, 6}, 0}}},
    // Each has a store, a load, and the store of what it saw: 20 orders. Both see 0 in none of them.
    {"store_buffering", 64, {"i32[1]=zero", "i32[1]=zero", "i32[2]=none"}, {{2, 0}, {2, 1}}, 2, 20, 3,
     {{{0, 1}, 4}, {{1, 0}, 4}, {{1, 1}, 12}}},
    {"tickets", 64, {"u32[1]=zero", "u32[2]=none"}, {{1, 0}, {1, 1}}, 2, 6, 2, {{{0, 1}, 3}, {{1, 0}, 3}}},
    {"atomics", 64, {"i32[1]=zero"}, {{0, 0}}, 1, 2, 1, {{{6}, 2}}},
    {"barrier", 64, {"i32[1]=zero", "i32[1]=none"}, {{1, 0}}, 1, 0, 1, {{{7}, 0}}},
    {"lanes", 32, {"i32[1]=zero"}, {{0, 0}}, 1, 0, 3, {{{1}, 0}, {{5}, 0}, {{6}, 0}}},
};

static const Ending *ending_of(const Kernel *k, const Run *run) {
  for (int i = 0; i < k->count; i++) {
    bool same = true;
    for (int w = 0; w < k->look_count; w++)
      same &= word(run, k->looks[w].arg, k->looks[w].element) == k->endings[i].words[w];
    if (same) return &k->endings[i];
  }
  return NULL;
}

// The witness of each outcome, run again, ends so; all are different ones.
static void check_kernel(const Kernel *k) {
  LsErr err = {0};
  bool seen[MOST] = {false};
  uint64_t sum = 0;
  Run *run = run_kernel(k->name, k->threads, k->args, NULL, false);
  Orders *orders = orders_new(run, 20, NULL, &err);
  CU_ASSERT_PTR_NOT_NULL_FATAL(orders);
  CHECK(orders->all);
  CHECK_INT(orders->seeds, 20);
  if (k->orders) CHECK_INT(orders->orders, k->orders);
  CHECK_INT(orders->count, k->count);
  CHECK(orders->differ == (k->count > 1));
  for (int i = 0; i < orders->count; i++) {
    const OrdersOutcome *o = &orders->items[i];
    CU_ASSERT_PTR_NOT_NULL_FATAL(o->order);
    Run *again = run_kernel(k->name, k->threads, k->args, o->order, true);
    const Ending *ending = ending_of(k, again);
    if (!ending) printf("\n%s: %s %s\n", k->name, o->order, o->words);
    CU_ASSERT_PTR_NOT_NULL_FATAL(ending);
    CHECK(!seen[ending - k->endings]);
    seen[ending - k->endings] = true;
    if (ending->orders) CHECK_INT(o->orders, ending->orders);
    sum += o->orders;
    CHECK(sim_replay_seek(run_replay(again, &err), 0, trace_steps(again->trace) - 1, &err));
    run_free(again);
  }
  CHECK_INT(sum, orders->orders);
  orders_free(orders);
  run_free(run);
}

static void outcomes_are_those_by_hand(void) { for (int i = 0; i < LS_COUNT(kernels); i++) check_kernel(&kernels[i]); }

// A replay stands in the same order: its memory at the end is the run's.
static void replays_go_the_same_way(void) {
  LsErr err = {0};
  const char *const args[] = {"i32[1]=zero", "i32[2]=none", NULL};
  static const char *const ways[] = {"0", "01", "0101", "0111", "1101", "0011"};
  for (int i = 0; i < LS_COUNT(ways); i++) {
    Run *run = run_kernel("race_add_5_1", 64, args, ways[i], true);
    SimReplay *replay = run_replay(run, &err);
    int32_t value = -1;
    CHECK(sim_replay_seek(replay, 0, trace_steps(run->trace) - 1, &err));
    uint64_t at = 0;
    for (int k = 0; k < run->info.object_count; k++) if (run->info.objects[k].arg == 0) at = run->info.objects[k].base;
    CHECK_INT(sim_replay_read(replay, TRACE_GLOBAL, 0, at, 4, (uint8_t *)&value, NULL), 4);
    CHECK_INT(value, word(run, 0, 0));
    run_free(run);
  }
}

// ---- seeds ---------------------------------------------------------------------------------------------------------

static void lanes_part_with_seeds(void) {
  LsErr err = {0};
  const char *const args[] = {"i32[1]=none", NULL};
  Run *run = run_kernel("warp_sum", 32, args, NULL, false);
  Orders *orders = orders_new(run, 200, NULL, &err);
  CU_ASSERT_PTR_NOT_NULL_FATAL(orders);
  CHECK(orders->count > 1 && orders->differ);
  uint64_t seeds = 0;
  for (int i = 0; i < orders->count; i++) seeds += orders->items[i].seeds;
  CHECK_INT(seeds, 200);
  orders_free(orders);
  run_free(run);
}

static void rounding_is_no_difference(void) {
  LsErr err = {0};
  const char *const args[] = {"f32[1]=zero", NULL};
  Run *run = run_kernel("float_sum", 256, args, NULL, false);
  Orders *orders = orders_new(run, 100, NULL, &err);
  CU_ASSERT_PTR_NOT_NULL_FATAL(orders);
  CHECK(orders->count > 1);
  CHECK(!orders->differ);
  orders_free(orders);
  run_free(run);
}

static void bad_orders_are_refused(void) {
  LsErr err = {0};
  uint32_t count;
  CHECK(orders_parse("01-", &count, &err) == NULL);
  CHECK(strstr(err.message, "01-") != NULL);
}

static const Check checks[] = {
    {"outcomes are those by hand", outcomes_are_those_by_hand},
    {"replays go the same way", replays_go_the_same_way},
    {"lanes part with seeds", lanes_part_with_seeds},
    {"rounding is no difference", rounding_is_no_difference},
    {"bad orders are refused", bad_orders_are_refused},
};

int main(int argc, char **argv) { return check_main("orders", checks, LS_COUNT(checks), argc, argv); }
