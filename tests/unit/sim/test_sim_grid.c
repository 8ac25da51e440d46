// test_sim_grid.c: blocks that wait for one another, and clusters, on what the compiler makes of
// tests/runs/faults/grid.cu and
// tests/unit/sim/kernels/cluster.cu, against results computed here. test_faults.c runs the same kernels with all seeds and faults.
#include <math.h>
#include <string.h>
#include "base/file.h"
#include "base/mem.h"
#include "base/random.h"
#include "check.h"
#include "ptx/module.h"
#include "sim/core/block_order.h"
#include "sim/sim.h"
#include "trace/trace.h"

typedef struct Rig {
  PtxModule *module;
  int entry;
  Launch launch;
  SimOptions options;
  Sim *sim;
  LsErr err;
} Rig;

static void rig_init(Rig *r, const char *file, const char *kernel) {
  size_t length = 0;
  char *path = ls_format("%s/tests/%s", LS_SOURCE_DIR, file);
  *r = (Rig){0};
  char *text = ls_file_read(path, 1 << 24, &length, &r->err);
  CU_ASSERT_FATAL(text != NULL);
  r->module = ptx_parse(file, text, length, &r->err);
  if (!r->module) printf("\n%s\n", r->err.message);
  CU_ASSERT_FATAL(r->module != NULL);
  r->entry = ptx_find_entry(r->module, kernel, &r->err);
  CU_ASSERT_FATAL(r->entry >= 0);
  launch_init(&r->launch);
  sim_options_init(&r->options);
  free(text);
  free(path);
}

static void rig_launch(Rig *r, uint32_t grid, uint32_t block, const char *const *args) {
  sim_free(r->sim);
  r->sim = NULL;
  launch_fini(&r->launch);
  r->launch.grid[0] = grid;
  r->launch.block[0] = block;
  for (; *args; args++) CHECK(launch_add_arg(&r->launch, *args, &r->err));
}

static bool rig_run(Rig *r, TraceSink *sink) {
  int faults = 0;
  r->sim = sim_new(r->module, r->entry, &r->launch, &r->options, &r->err);
  if (!r->sim) printf("\n%s\n", r->err.message);
  CU_ASSERT_FATAL(r->sim != NULL);
  CHECK(sim_run(r->sim, sink, &r->err));
  const TraceFault *first = sim_faults(r->sim, &faults);
  if (faults) printf("\n%s\n", first->message);
  CHECK_INT(faults, 0);
  return !faults;
}

static void rig_fini(Rig *r) {
  sim_free(r->sim);
  launch_fini(&r->launch);
  ptx_module_free(r->module);
}

static int int_at(const Rig *r, int arg, int at) {
  uint64_t size;
  int value;
  memcpy(&value, sim_buffer(r->sim, arg, &size) + 4 * (size_t)at, sizeof value);
  return value;
}

static float float_at(const Rig *r, int arg, int at) {
  int bits = int_at(r, arg, at);
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

// ---- results ----------------------------------------------------------------------------------------------------

static void check_sum(const char *file, uint32_t grid, uint32_t block, SimSched sched, uint64_t seed) {
  Rig r;
  const int n = 3001;
  char part[32];
  snprintf(part, sizeof part, "i32[%u]=none", grid);
  rig_init(&r, file, "grid_sum");
  r.options.sched = sched;
  r.options.seed = seed;
  rig_launch(&r, grid, block, (const char *[]){"i32[3001]=mod:11", part, "i32[1]=none", "i32=3001", NULL});
  rig_run(&r, NULL);
  int sum = 0;
  for (int i = 0; i < n; i++) sum += i % 11;
  CHECK_INT(int_at(&r, 2, 0), sum);
  for (int b = 0; b < (int)grid; b++) {
    int of_block = 0;
    for (int i = 0; i < n; i++) if (i / (int)block % (int)grid == b) of_block += i % 11;
    if (int_at(&r, 1, b) != of_block) CHECK_INT(int_at(&r, 1, b), of_block);
  }
  rig_fini(&r);
}

static void test_sums(void) {
  static const uint32_t grids[] = {1, 2, 132, 1000}, blocks[] = {32, 33, 96, 40};
  static const char *const files[] = {"runs/faults/grid.ptx", "runs/faults/grid.g.ptx"};
  for (int f = 0; f < 2; f++)
    for (int i = 0; i < LS_COUNT(grids); i++)
      for (int sched = 0; sched < 2; sched++)
        for (uint64_t seed = 0; seed < (grids[i] < 10 ? 5 : 2); seed++)
          check_sum(files[f], grids[i], blocks[i], (SimSched)sched, seed);
}

// values[s]: all elements after s steps.
static void host_jacobi(float **values, int size, int steps) {
  for (int s = 0; s < steps; s++) {
    memcpy(values[s + 1], s ? values[s - 1] : values[0], sizeof(float) * (size_t)size);   // the ends stay
    for (int i = 1; i + 1 < size; i++) values[s + 1][i] = 0.5f * (values[s][i - 1] + values[s][i + 1]);
  }
}

static float **jacobi_new(int size, int steps) {
  float **values = ls_alloc(sizeof *values * (size_t)(steps + 1));
  for (int s = 0; s <= steps; s++) values[s] = ls_alloc(sizeof(float) * (size_t)size);
  for (int i = 0; i < size; i++) values[0][i] = (float)(i % 7);
  host_jacobi(values, size, steps);
  return values;
}

static void jacobi_free(float **values, int steps) {
  for (int s = 0; s <= steps; s++) free(values[s]);
  free(values);
}

enum { JACOBI_BLOCKS = 11, JACOBI_THREADS = 40, JACOBI_STEPS = 5, JACOBI_SIZE = JACOBI_BLOCKS * JACOBI_THREADS + 2 };
static const char *const jacobi_args[] = {"f32[442]=mod:7", "f32[442]=mod:7", "i32=5", NULL};

static void test_jacobi(void) {
  float **values = jacobi_new(JACOBI_SIZE, JACOBI_STEPS);
  for (uint64_t seed = 0; seed < 4; seed++) {
    Rig r;
    int wrong = 0;
    rig_init(&r, "runs/faults/grid.ptx", "jacobi");
    r.options.seed = seed;
    rig_launch(&r, JACOBI_BLOCKS, JACOBI_THREADS, jacobi_args);
    rig_run(&r, NULL);
    for (int i = 0; i < JACOBI_SIZE; i++) {
      wrong += float_at(&r, JACOBI_STEPS % 2, i) != values[JACOBI_STEPS][i];
      wrong += float_at(&r, (JACOBI_STEPS - 1) % 2, i) != values[JACOBI_STEPS - 1][i];
    }
    CHECK_INT(wrong, 0);
    rig_fini(&r);
  }
  jacobi_free(values, JACOBI_STEPS);
}

// Each block adds what it has to what the next one gives it: block 0 comes last.
static void test_look_ahead(void) {
  Rig r;
  rig_init(&r, "runs/faults/grid.ptx", "look_ahead");
  rig_launch(&r, 1000, 32, (const char *[]){"i32[1000]=iota", "i32[1000]=none", "i32[1001]=zero", NULL});
  rig_run(&r, NULL);
  for (int b = 999, sum = 0; b >= 0; b--) {
    sum += b;
    if (int_at(&r, 1, b) != sum) CHECK_INT(int_at(&r, 1, b), sum);
  }
  rig_fini(&r);
}

// ---- traces ----------------------------------------------------------------------------------------------------

// Accesses in whatever order: a sum over hashes of them.
typedef struct Tally {
  TraceSink sink;
  uint64_t accesses, sum;
  int open;                  // block that has begun, -1
} Tally;

static uint64_t hash_event(const TraceEvent *e) {
  uint32_t plain[8] = {e->block, e->warp, e->kind, (uint32_t)e->pc, e->mask, e->active, e->arrived, e->taken};
  uint64_t hash = ls_hash64((const uint8_t *)plain, sizeof plain);
  for (uint32_t i = 0; e->addr && i < 32; i++) if (e->mask >> i & 1) hash = hash * 31 + e->addr[i];
  for (uint32_t i = 0; e->result && i < 32; i++) if (e->mask >> i & 1) hash = hash * 31 + e->result[i];
  return hash;
}

static void on_begin(TraceSink *sink, uint32_t block, bool recorded) {
  Tally *t = (Tally *)(void *)sink;
  (void)recorded;
  CHECK_INT(t->open, -1);
  t->open = (int)block;
}

static void on_access(TraceSink *sink, const TraceEvent *event) {
  Tally *t = (Tally *)(void *)sink;
  if ((int)event->block != t->open) CHECK_INT(event->block, t->open);
  t->accesses++;
  t->sum += hash_event(event);
}

static void on_end(TraceSink *sink, uint32_t block) {
  Tally *t = (Tally *)(void *)sink;
  CHECK_INT(t->open, block);
  t->open = -1;
}

static Trace *record(Rig *r, Tally *tally) {
  TraceInfo info;
  TraceTee tee;
  size_t size;
  trace_info_init(&info);
  launch_fini(&info.launch);
  launch_copy(&info.launch, &r->launch);
  TraceWriter *writer = trace_writer_new(NULL, &info, &r->err);
  *tally = (Tally){.sink = {.begin_block = on_begin, .access = on_access, .end_block = on_end}, .open = -1};
  trace_tee_init(&tee, &tally->sink, trace_writer_sink(writer));
  r->options.record_all = true;
  rig_run(r, &tee.sink);
  CHECK(trace_writer_finish(writer, &r->err));
  uint8_t *bytes = trace_writer_take(writer, &size);
  Trace *trace = trace_open_memory(bytes, size, &r->err);
  CU_ASSERT_FATAL(trace != NULL);
  trace_writer_free(writer);
  trace_info_fini(&info);
  return trace;
}

// A trace has every block in one piece, in order, and the accesses are those that were counted on the way.
static void test_trace(void) {
  Rig r;
  Tally tally;
  int count;
  rig_init(&r, "runs/faults/grid.g.ptx", "jacobi");
  rig_launch(&r, JACOBI_BLOCKS, JACOBI_THREADS, jacobi_args);
  Trace *trace = record(&r, &tally);
  const TraceBlock *blocks = trace_blocks(trace, &count);
  CHECK_INT(count, JACOBI_BLOCKS);
  uint64_t accesses = 0, sum = 0, first = 0;
  for (int b = 0; b < count; b++) {
    CHECK_INT(blocks[b].block, b);
    CHECK_INT(blocks[b].first, first);
    first += blocks[b].count;
    for (uint64_t i = 0; i < blocks[b].count; i++) {
      TraceEvent event;
      CHECK(trace_event(trace, blocks[b].first + i, &event, &r.err));
      if (event.block != blocks[b].block) CHECK_INT(event.block, blocks[b].block);
      if (event.kind == TRACE_EXEC) continue;
      accesses++;
      sum += hash_event(&event);
    }
  }
  CHECK_INT(first, trace_steps(trace));
  CHECK_INT(first, sim_warp_instructions(r.sim));
  CHECK_INT(accesses, tally.accesses);
  CHECK(sum == tally.sum);
  trace_close(trace);
  rig_fini(&r);
}

// Of so many blocks only the first are recorded, whole.
static void test_limit(void) {
  Rig r;
  Tally tally;
  int count;
  rig_init(&r, "runs/faults/grid.ptx", "jacobi");
  rig_launch(&r, JACOBI_BLOCKS, JACOBI_THREADS, jacobi_args);
  Trace *trace = record(&r, &tally);
  uint64_t of_one = trace_blocks(trace, &count)[0].count;
  trace_close(trace);
  r.options.record_limit = of_one * 2;
  rig_launch(&r, JACOBI_BLOCKS, JACOBI_THREADS, jacobi_args);
  trace = record(&r, &tally);
  const TraceBlock *blocks = trace_blocks(trace, &count);
  CHECK(count > 1 && count < JACOBI_BLOCKS / 2);
  for (int b = 0; b < count; b++) {
    TraceEvent event;
    CHECK_INT(blocks[b].block, b);
    CHECK(trace_event(trace, blocks[b].first + blocks[b].count - 1, &event, &r.err));
    CHECK_INT(event.kind, TRACE_EXIT);
  }
  trace_close(trace);
  rig_fini(&r);
}

// ---- replay ----------------------------------------------------------------------------------------------------

static uint64_t base_of(const Rig *r, int arg) {
  TraceInfo info;
  uint64_t base = 0;
  trace_info_init(&info);
  sim_describe_objects(r->sim, &info);
  for (int i = 0; i < info.object_count; i++) if (info.objects[i].arg == arg) base = info.objects[i].base;
  trace_info_fini(&info);
  return base;
}

typedef struct Place { uint32_t block; uint64_t event, step; int round; } Place;

// Every store of jacobi, and in which round its lanes are. With a seed, lanes of a warp may store one after another.
static int find_stores(Trace *trace, Place *places, int room) {
  int count, found = 0;
  const TraceBlock *blocks = trace_blocks(trace, &count);
  for (int b = 0; b < count; b++) {
    int rounds[2][32] = {{0}};
    for (uint64_t i = 0; i < blocks[b].count && found < room; i++) {
      TraceEvent event;
      CHECK(trace_event(trace, blocks[b].first + i, &event, NULL));
      if (event.kind != TRACE_STORE || event.space != TRACE_GLOBAL) continue;
      int *round = rounds[event.warp], first = __builtin_ctz(event.mask);
      places[found++] = (Place){blocks[b].block, i, blocks[b].first + i, round[first]};
      for (uint32_t lane = 0; lane < 32; lane++) round[lane] += event.mask >> lane & 1;
    }
  }
  CHECK(found >= JACOBI_BLOCKS * 2 * JACOBI_STEPS && found < room);
  return found;
}

// What is at the places of a store right after it, and of what it was made from.
static void check_store(SimReplay *replay, Trace *trace, const Rig *r, const Place *p, float **values) {
  LsErr err = {0};
  TraceEvent event;
  uint64_t from = base_of(r, p->round % 2);
  CHECK(sim_replay_seek(replay, p->block, p->event, &err));
  CHECK(trace_event(trace, p->step, &event, &err));
  for (uint32_t lane = 0; lane < 32; lane++) {
    float stored = -1, left = -1;
    if (!(event.mask >> lane & 1)) continue;
    uint64_t offset = event.addr[lane] - base_of(r, 1 - p->round % 2);
    sim_replay_read(replay, TRACE_GLOBAL, 0, event.addr[lane], 4, (uint8_t *)&stored, NULL);
    sim_replay_read(replay, TRACE_GLOBAL, 0, from + offset - 4, 4, (uint8_t *)&left, NULL);
    int i = (int)(offset / 4);
    if (stored != values[p->round + 1][i] || left != values[p->round][i - 1])
      printf("\nblock %u event %llu element %d: %g from %g\n", p->block, (unsigned long long)p->event, i, (double)stored,
             (double)left);
    CHECK(stored == values[p->round + 1][i]);
    CHECK(left == values[p->round][i - 1]);
  }
}

static void check_replay(const char *file, uint64_t seed) {
  Rig r;
  Tally tally;
  LsMt mt;
  Place places[JACOBI_BLOCKS * 2 * JACOBI_STEPS * 4];
  float **values = jacobi_new(JACOBI_SIZE, JACOBI_STEPS);
  rig_init(&r, file, "jacobi");
  r.options.seed = seed;
  rig_launch(&r, JACOBI_BLOCKS, JACOBI_THREADS, jacobi_args);
  Trace *trace = record(&r, &tally);
  int count = find_stores(trace, places, LS_COUNT(places));
  SimReplay *replay = sim_replay_new(r.module, r.entry, &r.launch, &r.options, &r.err);
  CU_ASSERT_FATAL(replay != NULL);
  ls_mt_seed(&mt, 3);
  for (int i = 0; i < 200; i++) check_store(replay, trace, &r, &places[ls_mt_u32(&mt) % (uint32_t)count], values);
  for (int i = 0; i < count; i++) check_store(replay, trace, &r, &places[i], values);
  sim_replay_free(replay);
  trace_close(trace);
  jacobi_free(values, JACOBI_STEPS);
  rig_fini(&r);
}

static void test_replay(void) {
  for (uint64_t seed = 0; seed < 3; seed++) {
    check_replay("runs/faults/grid.ptx", seed);
    check_replay("runs/faults/grid.g.ptx", seed);
  }
}

// Before its first event a block knows nothing of what others do after it.
static void test_replay_start(void) {
  Rig r;
  float value = -1;
  rig_init(&r, "runs/faults/grid.ptx", "jacobi");
  rig_launch(&r, JACOBI_BLOCKS, JACOBI_THREADS, jacobi_args);
  rig_run(&r, NULL);
  uint64_t b = base_of(&r, 1);
  SimReplay *replay = sim_replay_new(r.module, r.entry, &r.launch, &r.options, &r.err);
  CHECK(sim_replay_seek(replay, 5, UINT64_MAX, &r.err));
  sim_replay_read(replay, TRACE_GLOBAL, 0, b + 4 * (5 * JACOBI_THREADS), 4, (uint8_t *)&value, NULL);
  CHECK(value == 0.5f * (float)((5 * JACOBI_THREADS - 1) % 7 + (5 * JACOBI_THREADS + 1) % 7));   // block 4 was here
  sim_replay_read(replay, TRACE_GLOBAL, 0, b + 4 * (5 * JACOBI_THREADS + 1), 4, (uint8_t *)&value, NULL);
  CHECK(value == (float)((5 * JACOBI_THREADS + 1) % 7));
  CHECK(!sim_replay_seek(replay, JACOBI_BLOCKS, 0, &r.err));
  sim_replay_free(replay);
  rig_fini(&r);
}

// ---- limits ----------------------------------------------------------------------------------------------------

static void test_too_large(void) {
  Rig r;
  static const char *const args[] = {"i32[100]=iota", "i32[129]=none", "i32[1]=none", "i32=100", NULL};
  rig_init(&r, "runs/faults/grid.ptx", "grid_sum");
  r.options.sm_count = 4;
  rig_launch(&r, 128, 64, args);
  rig_run(&r, NULL);
  CHECK_INT(int_at(&r, 2, 0), 4950);
  rig_launch(&r, 129, 64, args);
  CHECK(sim_new(r.module, r.entry, &r.launch, &r.options, &r.err) == NULL);
  CHECK_INT(r.err.kind, LS_EREQUEST);
  CHECK(strstr(r.err.message, "cudaErrorCooperativeLaunchTooLarge") != NULL);
  CHECK(strstr(r.err.message, "129 blocks") && strstr(r.err.message, "which makes 128."));
  rig_launch(&r, 9, 1024, args);   // two of them on a multiprocessor
  CHECK(sim_new(r.module, r.entry, &r.launch, &r.options, &r.err) == NULL);
  CHECK(strstr(r.err.message, "which makes 8.") != NULL);
  r.launch.shared_bytes = 120 << 10;
  r.launch.grid[0] = 5;
  CHECK(sim_new(r.module, r.entry, &r.launch, &r.options, &r.err) == NULL);
  CHECK(strstr(r.err.message, "which makes 4.") != NULL);
  rig_fini(&r);
}

// Blocks that wait for one that finds no room any more.
static void test_no_room(void) {
  Rig r;
  int faults;
  rig_init(&r, "runs/faults/grid.ptx", "look_ahead");
  r.options.sm_count = 1;
  rig_launch(&r, 33, 64, (const char *[]){"i32[33]=iota", "i32[33]=none", "i32[34]=zero", NULL});
  r.sim = sim_new(r.module, r.entry, &r.launch, &r.options, &r.err);
  CHECK(sim_run(r.sim, NULL, &r.err));
  const TraceFault *fault = sim_faults(r.sim, &faults);
  CHECK_INT(faults, 1);
  CHECK_INT(fault->kind, FAULT_LIVELOCK);
  CHECK(strstr(fault->message, "blocks 0-31 wait at grid.cu:") != NULL);
  CHECK(strstr(fault->message, "1 cannot begin: the device has room for 32 at a time") != NULL);
  rig_fini(&r);
}

// ---- clusters ----------------------------------------------------------------------------------------------------

static void test_cluster(void) {
  Rig r;
  rig_init(&r, "unit/sim/kernels/cluster.ptx", "of_one");
  for (int sched = 0; sched < 2; sched++) {
    r.options.sched = (SimSched)sched;
    rig_launch(&r, 3, 64, (const char *[]){"i32[768]=none", NULL});
    rig_run(&r, NULL);
    for (int b = 0; b < 3; b++)
      for (int t = 0; t < 64; t++) {
        CHECK_INT(int_at(&r, 0, b * 256 + t), 10 + 100 * t);
        CHECK_INT(int_at(&r, 0, b * 256 + 64 + t), (63 - t) * (63 - t));
        CHECK_INT(int_at(&r, 0, b * 256 + 128 + t), t * t + 1);
        CHECK_INT(int_at(&r, 0, b * 256 + 192 + t), 300 + b);
      }
  }
  rig_fini(&r);
  rig_init(&r, "unit/sim/kernels/cluster.ptx", "some_end");
  rig_launch(&r, 1, 128, (const char *[]){"i32[128]=none", NULL});
  rig_run(&r, NULL);
  CHECK_INT(int_at(&r, 0, 127), 1);
  rig_fini(&r);
  rig_init(&r, "unit/sim/kernels/cluster.ptx", "explicitly_one");
  CHECK(r.module->funcs[r.entry].explicit_cluster);
  CHECK_INT(r.module->funcs[r.entry].reqnctapercluster[0], 1);
  rig_launch(&r, 2, 32, (const char *[]){"i32[32]=none", NULL});
  r.options.checks = 0;   // both blocks write the same
  rig_run(&r, NULL);
  CHECK_INT(int_at(&r, 0, 31), 1);
  rig_fini(&r);
}

static void check_cluster_fault(const char *kernel, uint32_t block, FaultKind kind, const char *words) {
  Rig r;
  int faults;
  rig_init(&r, "unit/sim/kernels/cluster.ptx", kernel);
  rig_launch(&r, 1, block, (const char *[]){"i32[128]=none", NULL});
  r.sim = sim_new(r.module, r.entry, &r.launch, &r.options, &r.err);
  CU_ASSERT_FATAL(r.sim != NULL);
  CHECK(sim_run(r.sim, NULL, &r.err));
  const TraceFault *fault = sim_faults(r.sim, &faults);
  CHECK_INT(faults, 1);
  if (!faults || !strstr(fault->message, words)) printf("\n%s: %s\n", kernel, faults ? fault->message : "no fault");
  CHECK(faults && fault->kind == kind && strstr(fault->message, words));
  rig_fini(&r);
}

static void test_cluster_faults(void) {
  Rig r;
  check_cluster_fault("never_meet", 128, FAULT_DEADLOCK, "warps 0-1 wait at the barrier of the cluster (");
  check_cluster_fault("second_block", 32, FAULT_OUT_OF_BOUNDS, "thread (16,0,0) of block (0,0,0): it wants the shared memory "
                                                               "of block 1 of a cluster of one block");
  rig_init(&r, "unit/sim/kernels/cluster.ptx", "of_two");
  CHECK_INT(r.module->funcs[r.entry].reqnctapercluster[0], 2);
  CHECK_INT(r.module->funcs[r.entry].reqnctapercluster[2], 1);
  rig_launch(&r, 4, 32, (const char *[]){"i32[128]=none", NULL});
  CHECK(sim_new(r.module, r.entry, &r.launch, &r.options, &r.err) == NULL);
  CHECK_INT(r.err.kind, LS_EUNSUPPORTED);
  CHECK(strstr(r.err.message, "of_two has to run in clusters of 2 x 1 x 1 blocks") != NULL);
  CHECK(strstr(r.err.message, "multimem.red") != NULL);
  rig_fini(&r);
}

// ---- the order in which blocks begin -------------------------------------------------------------------------------

static bool is_order(uint32_t blocks, uint64_t seed) {
  Launch launch = {.grid = {blocks, 1, 1}, .block = {32, 1, 1}};
  SimProgram program = {.launch = &launch, .options = {.seed = seed}};
  bool right = true;
  uint8_t *came = ls_alloc(blocks + 1);
  for (uint32_t place = 0; place < blocks; place++) {
    uint32_t block = sim_block_at(&program, place);
    right &= block < blocks && !came[block] && sim_place_of(&program, block) == place;
    right &= block / SIM_ORDER_WINDOW == place / SIM_ORDER_WINDOW && (seed || block == place);
    if (seed && place % SIM_ORDER_WINDOW == 0 && place + 1 < blocks) right &= block != place;
    came[LS_MIN(block, blocks)] = 1;
  }
  free(came);
  return right;
}

// Each comes once, near its place; the first one of a window is never the first, unless it is alone.
static void test_order(void) {
  static const uint32_t sizes[] = {1, 2, 3, 6, 31, 32, 33, 64, 65, 100, 1000};
  for (int i = 0; i < LS_COUNT(sizes); i++)
    for (uint64_t seed = 0; seed < 50; seed++) CHECK(is_order(sizes[i], seed));
}

typedef struct Began { TraceSink sink; uint32_t blocks[100]; int count; } Began;

static void note_began(TraceSink *sink, uint32_t block, bool recorded) {
  Began *began = (Began *)(void *)sink;
  (void)recorded;
  if (began->count < LS_COUNT(began->blocks)) began->blocks[began->count++] = block;
}

// On one thread and on several, and what comes of it is the same for all seeds.
static void check_began(uint64_t seed, int threads) {
  Rig r;
  Began began = {.sink = {.begin_block = note_began}};
  rig_init(&r, "runs/faults/grid.ptx", "look_back_by_ticket");
  r.options.seed = seed;
  r.options.threads = threads;
  rig_launch(&r, 100, 32, (const char *[]){"i32[100]=iota", "i32[100]=zero", "i32[100]=zero", "i32[1]=zero", NULL});
  rig_run(&r, &began.sink);
  CHECK_INT(began.count, 100);
  SimProgram program = {.launch = &r.launch, .options = r.options};
  for (int i = 0; i < began.count; i++) CHECK_INT(began.blocks[i], sim_block_at(&program, (uint64_t)i));
  CHECK_INT(int_at(&r, 1, 99), 99 * 100 / 2);
  rig_fini(&r);
}

static void test_began(void) {
  for (uint64_t seed = 0; seed < 4; seed++)
    for (int threads = 1; threads <= 4; threads += 3) check_began(seed, threads);
}

static const Check checks[] = {
    {"sums of the whole grid", test_sums},
    {"steps of the whole grid", test_jacobi},
    {"the last block first", test_look_ahead},
    {"a trace has blocks in one piece", test_trace},
    {"a limit of events", test_limit},
    {"any event again", test_replay},
    {"the start of a block again", test_replay_start},
    {"more blocks than there is room for", test_too_large},
    {"no room for the one that is waited for", test_no_room},
    {"an order for each seed", test_order},
    {"blocks begin in that order", test_began},
    {"a cluster of one block", test_cluster},
    {"clusters used wrongly", test_cluster_faults},
};

int main(int argc, char **argv) { return check_main("sim_grid", checks, LS_COUNT(checks), argc, argv); }
