// test_sim_threads.c: a run on several threads is, to the bit, the run on one: recipes, kernels with planted faults,
// and kernels whose blocks get in each other's way.
#include <stdatomic.h>

#include "app/run/run.h"
#include "base/mem.h"
#include "base/random.h"
#include "check_recipes.h"
#include "outcome.h"

static RecipeBook *book;

// ---- replays ---------------------------------------------------------------------------------------------------------

// What can be seen at a place: global memory, who wrote it, registers of the first warp; or that there is no such place.
static uint64_t seen_at(SimReplay *replay, const TraceInfo *info, const PtxModule *module, int entry, uint32_t block,
                        uint64_t event,
                        LsText *message) {
  LsErr err = {0};
  bool there;
  do err = (LsErr){0}, there = sim_replay_seek(replay, block, event, &err); while (!there && err.kind == LS_ECANCEL);
  ls_text_clear(message);
  ls_text_addf(message, "%d %s", (int)err.kind, err.message);
  uint64_t seen = 0;
  for (int i = 0; there && i < info->object_count; i++) {
    const TraceObject *object = &info->objects[i];
    if (object->space != TRACE_GLOBAL) continue;
    uint8_t *bytes = ls_alloc(2 * (object->size + 1)), *init = bytes + object->size;
    uint64_t size = sim_replay_read(replay, TRACE_GLOBAL, 0, object->base, object->size, bytes, init);
    seen = seen * 31 + ls_hash64(bytes, size) * 7 + ls_hash64(init, size);
    free(bytes);
  }
  uint64_t values[32];
  uint32_t written;
  for (int reg = 0; there && reg < module->funcs[entry].reg_count; reg++)
    if (sim_replay_reg(replay, 0, entry, reg, values, &written)) seen = seen * 31 + ls_hash64(values, sizeof values) + written;
  return seen;
}

// Near and far, on and back: blocks on the way of a replay may run on several threads, and in pieces.
static void compare_replays(const PtxModule *module, int entry, const Launch *launch, SimOptions options, const char *what) {
  static const struct { int threads; double patience; } ways[] = {{1, 0}, {3, 0}, {3, 1e-4}};
  static const struct { int of_16; uint64_t event; } places[] = {{16, 9}, {8, UINT64_MAX}, {12, 40}, {1, 3}, {15, 700}, {16, 0},
                                                                 {0, 12}};
  uint32_t last = (uint32_t)launch_blocks(launch) - 1;
  uint64_t seen[LS_COUNT(places)] = {0};
  LsText messages[LS_COUNT(places)] = {0}, message = {0};
  for (int w = 0; w < LS_COUNT(ways); w++) {
    LsErr err = {0};
    TraceInfo info;
    options.threads = ways[w].threads;
    SimReplay *replay = sim_replay_new(module, entry, launch, &options, &err);
    if (!replay) break;
    trace_info_init(&info);
    sim_replay_describe(replay, &info);
    sim_replay_patience(replay, ways[w].patience);
    for (int i = 0; i < LS_COUNT(places); i++) {
      uint32_t block = (uint32_t)((uint64_t)last * (uint64_t)places[i].of_16 / 16);
      uint64_t now = seen_at(replay, &info, module, entry, block, places[i].event, w ? &message : &messages[i]);
      if (!w) seen[i] = now;
      bool same = now == seen[i] && (!w || strcmp(ls_text_str(&message), ls_text_str(&messages[i])) == 0);
      if (!same) printf("\n%s: a replay of block %u looks different: %s\n", what, block, ls_text_str(&message));
      CHECK(same);
    }
    trace_info_fini(&info);
    sim_replay_free(replay);
  }
  for (int i = 0; i < LS_COUNT(places); i++) ls_text_free(&messages[i]);
  ls_text_free(&message);
}

// Returns the least number of threads that ran blocks.
static int compare(const PtxModule *module, int entry, const Launch *launch, SimOptions options, const char *what) {
  static const int counts[] = {2, 3, 8};
  int least = 99;
  options.threads = 1;
  Outcome one = outcome_of(module, entry, launch, &options);
  for (int i = 0; i < LS_COUNT(counts); i++) {
    options.threads = counts[i];
    Outcome many = outcome_of(module, entry, launch, &options);
    Outcome counted = outcome_counted(module, entry, launch, &options);
    outcome_check(&one, &many, OUTCOME_ALL, what);
    outcome_check(&one, &counted, OUTCOME_ALL & ~OUTCOME_TRACE, what);
    least = LS_MIN(least, LS_MIN(many.threads, counted.threads));
    outcome_free(&many);
    outcome_free(&counted);
  }
  CHECK_INT(one.threads, 1);
  if (!one.ok) printf("\n%s: %s\n", what, ls_text_str(&one.prints));
  CHECK(one.ok);
  outcome_free(&one);
  compare_replays(module, entry, launch, options, what);
  return least;
}

// ---- shipped kernels -----------------------------------------------------------------------------------------------

static SimOptions options_of(SimSched sched, uint64_t seed, uint32_t unit, bool record) {
  SimOptions options;
  sim_options_init(&options);
  options.sched = sched;
  options.seed = seed;
  options.unit = unit;
  options.record_all = record;
  return options;
}

static int compare_recipe(const char *name, const char *assignments) {
  Loaded l;
  int least = 99;
  if (loaded_recipe(&l, book, name, assignments, false)) {
    least = compare(l.module, l.entry, &l.launch, options_of(SIM_ITS, 0, 0, true), name);
    least = LS_MIN(least, compare(l.module, l.entry, &l.launch, options_of(SIM_ITS, 7, 1, false), name));
    least = LS_MIN(least, compare(l.module, l.entry, &l.launch, options_of(SIM_STACK, 0, 2, true), name));
  }
  loaded_free(&l);
  return least;
}

static void recipes(void) {
  for (int i = 0; i < book->kernels(book); i++) compare_recipe(book->name(book, i), "");
}

static void larger_recipes(void) {
  static const char *const sizes[][2] = {
      {"vec_add", "n=40000"}, {"matmul_tiled", "Width=128"}, {"reduce2", "N=100000 blocks=60"},
      {"adj_diff_naive", "n=20000"}, {"histogram", "n=20000"}, {"position_aos", "n=20000"},
  };
  for (int i = 0; i < LS_COUNT(sizes); i++) compare_recipe(sizes[i][0], sizes[i][1]);
}

// ---- kernels of tests/unit/sim/kernels/threads.cu -------------------------------------------------------------------------------

typedef struct Case {
  const char *kernel, *grid, *block, *args[4];
  bool parts;                        // several threads can run its blocks
  uint64_t budget;
} Case;

static void add_args(Loaded *l, const Case *c) {
  LsErr err = {0};
  CHECK(launch_parse_dim(c->grid, true, l->launch.grid, &err) && launch_parse_dim(c->block, false, l->launch.block, &err));
  for (int i = 0; i < 4 && c->args[i]; i++) CHECK(launch_add_arg(&l->launch, c->args[i], &err));
}

static bool load_case(Loaded *l, const Case *c) {
  launch_init(&l->launch);
  l->launch.kernel = ls_strdup(c->kernel);
  add_args(l, c);
  char *path = ls_format("%s/tests/unit/sim/kernels/threads.ptx", LS_SOURCE_DIR);
  bool ok = loaded_ptx(l, path);
  free(path);
  return ok;
}

static int compare_case(const Case *c, SimOptions options) {
  Loaded l = {0};
  options.budget = c->budget;
  int least = load_case(&l, c) ? compare(l.module, l.entry, &l.launch, options, c->kernel) : 0;
  loaded_free(&l);
  return least;
}

static void check_case(const Case *c, SimOptions options) {
  int least = compare_case(c, options);
  if ((least > 1) != c->parts) printf("\n%s: %d threads\n", c->kernel, least);
  CHECK_INT(least > 1, c->parts);
}

static void compare_cases(const Case *cases, int count) {
  for (int i = 0; i < count; i++)
    for (uint32_t unit = 0; unit < 3; unit++) {
      check_case(&cases[i], options_of(SIM_ITS, unit, unit ? unit * unit : 0, false));
      check_case(&cases[i], options_of(SIM_STACK, unit == 2, unit + 1, true));
    }
}

static void blocks_apart(void) {
  static const Case cases[] = {
      {"apart", "500", "64", {"i32[32000]=none"}, true, 0},
      {"in_place", "300", "128", {"f32[38400]=iota"}, true, 0},
      {"uneven", "400", "96", {"i32[38400]=none", "i32[64]=iota"}, true, 0},
      {"bytes", "300", "33", {"u8[9900]=none"}, true, 0},
      {"patchwork", "96", "40", {"i32[11520]=zero", "i32=3840"}, true, 0},
      {"prints", "60", "64", {"i32[3840]=none"}, true, 0},
      {"clocks", "60", "64", {"i64[3840]=none"}, true, 0},
      {"scratch", "60", "128", {"i32[7680]=none", "i32=5"}, true, 0},
  };
  compare_cases(cases, LS_COUNT(cases));
  Case tally = {"tally", "200", "64", {"u32[64]=zero", "u32[12800]=random:3"}, true, 0};
  Case far = {"tally_far", "200", "64", {"u32[1278]=zero", "u64[516]=zero", "u32[12800]=random:3"}, true, 0};
  for (uint32_t unit = 0; unit < 5; unit++) {
    check_case(&tally, options_of(SIM_ITS, unit, unit, false));
    check_case(&far, options_of(SIM_ITS, unit, unit, false));
  }
  tally.parts = false;   // recorded blocks tell who came first
  check_case(&tally, options_of(SIM_ITS, 0, 0, true));
}

static void blocks_in_order(void) {
  static const Case cases[] = {
      {"chain", "200", "32", {"i32[200]=zero"}, false, 0},
      {"tickets", "200", "32", {"i32[1]=zero", "i32[200]=none"}, false, 0},
      {"apart", "20,5,5", "64", {"i32[1280]=zero"}, false, 0},   // the same words for all y and z
      {"floats", "100", "64", {"f32[1]=zero"}, false, 0},
      {"tally_and_look", "100", "64", {"u32[7]=zero", "u32[64]=zero"}, false, 0},
      {"adds_and_mixes", "100", "64", {"u32[1]=zero"}, false, 0},
      {"different_ops", "100", "64", {"u32[1]=zero"}, false, 0},
      {"last_one", "100", "64", {"i32[1]=zero"}, false, 0},
      {"late", "120", "32", {"i32[3840]=zero", "i32=90"}, false, 0},
      {"publishes", "50", "32", {"i32[50]=zero", "i32[1]=zero", "i32[1]=zero"}, false, 0},
  };
  Case ahead = {"waits", "50", "32", {"i32[50]=zero", "i32=3"}, false, 0};
  compare_cases(cases, LS_COUNT(cases));
  for (uint32_t unit = 0; unit < 4; unit++) {
    check_case(&ahead, options_of(SIM_ITS, 0, unit, unit & 1));
    compare_case(&ahead, options_of(SIM_ITS, unit + 1, unit, unit & 1));   // the others may begin before
  }
  Case behind = {"waits", "50", "32", {"i32[50]=zero", "i32=-3"}, false, 0};   // perhaps nobody has to wait
  for (uint32_t unit = 0; unit < 4; unit++) compare_case(&behind, options_of(SIM_ITS, unit / 2, unit, unit & 1));
}

static void faults(void) {
  static const Case cases[] = {
      {"out_of_bounds", "100", "64", {"i32[6400]=none", "i32=0"}, false, 0},
      {"out_of_bounds", "100", "64", {"i32[6400]=none", "i32=70"}, false, 0},
      {"out_of_bounds", "100", "64", {"i32[6400]=none", "i32=99"}, false, 0},
      {"endless", "100", "64", {"i32[6400]=zero", "i32=70"}, false, 200000},
      {"uninitialized", "100", "64", {"i32[6400]=none", "i32[64]=none", "i32=50"}, false, 0},
      {"race", "100", "64", {"i32[6400]=zero", "i32=70"}, false, 0},
      {"prints_and_fails", "100", "64", {"i32=70"}, false, 0},
      {"chatters", "70", "32", {"i32[70]=zero"}, false, 0},   // more than can be kept
  };
  compare_cases(cases, LS_COUNT(cases));
}

// Where the budget ends while nothing is wrong: with an instruction more or less it is another block.
static void budgets(void) {
  for (uint64_t budget = 20000; budget < 60000; budget += 1777) {
    Case c = {"uneven", "400", "96", {"i32[38400]=none", "i32[64]=iota"}, false, budget};
    check_case(&c, options_of(SIM_ITS, 0, 1, true));
  }
}

// Blocks are recorded up to a number of events, or some of them.
static void recorded_in_part(void) {
  static const uint64_t limits[] = {1, 100, 2000, 5000, 9999, 10000, 20000};
  Case c = {"uneven", "400", "96", {"i32[38400]=none", "i32[64]=iota"}, true, 0};
  uint8_t chosen[400] = {[3] = 1, [77] = 1, [78] = 1, [399] = 1};
  for (int i = 0; i < LS_COUNT(limits); i++) {
    SimOptions options = options_of(SIM_ITS, 0, (uint32_t)(i % 3), true);
    options.record_limit = limits[i];
    compare_case(&c, options);
  }
  SimOptions options = options_of(SIM_ITS, 0, 2, false);
  options.record_block = chosen;
  check_case(&c, options);
}

static int told;

static void cancel_later(void *context, uint64_t done, uint64_t blocks) {
  CHECK(done < blocks);
  if (++told == 3) atomic_store((_Atomic bool *)context, true);
}

// Progress is told while a block runs that never ends, cancel ends it, and the last one tells how far it came.
static void canceled(void) {
  Case c = {"endless", "100", "64", {"i32[6400]=zero", "i32=70"}, false, 0};
  Loaded l = {0};
  _Atomic bool cancel = false;
  SimOptions options = options_of(SIM_ITS, 0, 1, false);
  options.threads = 3;
  options.budget = UINT64_MAX;
  options.cancel = &cancel;
  options.progress = cancel_later;
  options.progress_context = &cancel;
  if (load_case(&l, &c)) {
    Outcome o = outcome_of(l.module, l.entry, &l.launch, &options);
    CHECK(!o.ok && cancel);
    CHECK_INT(told, 4);
    CHECK_INT(o.threads, 3);
    outcome_free(&o);
  }
  loaded_free(&l);
}

// ---- the whole program's way ---------------------------------------------------------------------------------------

static Run *run_recipe(const char *name, const char *assignment, int threads) {
  LsErr err = {0};
  RunRequest request;
  run_request_init(&request);
  request.what = ls_strdup(name);
  request.recipe = book->get(book, name, &err);
  request.threads = (uint64_t)threads;
  recipe_defaults(request.recipe, &request.values);
  CHECK(recipe_set(request.recipe, &request.values, assignment, &err));
  Run *run = run_new(&request, NULL, &err);
  if (!run) printf("\n%s: %s\n", name, err.message);
  CHECK(run != NULL);
  run_request_fini(&request);
  return run;
}

// Counters up to any step are those of one thread, though they are snapshots of others' units.
static void totals_so_far(void) {
  Run *one = run_recipe("matmul_tiled", "Width=128", 1), *many = run_recipe("matmul_tiled", "Width=128", 3);
  if (!one || !many) return;
  uint64_t steps = trace_steps(one->trace);
  CHECK(steps > 100000);
  CHECK_INT(trace_steps(many->trace), steps);
  CHECK_INT(many->verdict, RUN_RIGHT);
  for (uint64_t step = 0; step < steps; step += step < 5000 ? 511 : steps / 37) {
    CounterSet a, b;
    CHECK(run_totals_at(one, step, &a) && run_totals_at(many, step, &b));
    CHECK(memcmp(&a, &b, sizeof a) == 0);
  }
  run_free(one);
  run_free(many);
}

static const Check checks[] = {
    {"recipes", recipes},
    {"larger recipes", larger_recipes},
    {"blocks that leave each other alone", blocks_apart},
    {"blocks whose order shows", blocks_in_order},
    {"faults", faults},
    {"budgets", budgets},
    {"recorded in part", recorded_in_part},
    {"canceled", canceled},
    {"totals so far", totals_so_far},
};

int main(int argc, char **argv) {
  return check_main_with_recipes("sim_threads", checks, LS_COUNT(checks), argc, argv, &book);
}
