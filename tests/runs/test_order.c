// test_order.c: warps in turns: another order of the same events, with the same results, counters and values.
//
// The judge is the other order, in which each warp runs until it has to wait: what a warp does, one event after
// another, is not up to the order in kernels without races.
#include <unistd.h>
#include "app/run/run.h"
#include "base/mem.h"
#include "base/random.h"
#include "check.h"
#include "script/recipe.h"

enum { WARPS = 32, LONGEST = 80, TRIES = 40 };   // events of a stint: 16 to the end of a line, at most 64, and a fault
                                                 // or two

static RecipeBook *book;

static Run *run_in(const char *name, DevCut cut, SimSched sched, SimOrder order, const char *path) {
  LsErr err = {0};
  RunRequest request;
  run_request_init(&request);
  request.what = ls_strdup(name);
  request.recipe = book->get(book, name, &err);
  request.cut = cut;
  request.sched = sched;
  request.order = order;
  request.order_given = true;
  recipe_defaults(request.recipe, &request.values);
  Run *run = run_new_to_file(&request, path, NULL, &err);
  if (!run) printf("\n%s: %s\n", name, err.message);
  CU_ASSERT_PTR_NOT_NULL_FATAL(run);
  run_request_fini(&request);
  return run;
}

// ---- the same, warp by warp ------------------------------------------------------------------------------------------

// The steps of each warp of a block.
typedef struct Steps { uint64_t *at[WARPS]; int count[WARPS], capacity[WARPS]; } Steps;

static void steps_of(Run *run, const TraceBlock *block, Steps *steps) {
  TraceEvent e;
  *steps = (Steps){0};
  for (uint64_t i = 0; i < block->count; i++) {
    CHECK(trace_event(run->trace, block->first + i, &e, NULL));
    LS_PUSH(steps->at[e.warp], steps->count[e.warp], steps->capacity[e.warp], block->first + i);
  }
}

static void steps_free(Steps *steps) { for (int w = 0; w < WARPS; w++) free(steps->at[w]); }

static bool same_event(Run *a, uint64_t at, Run *b, uint64_t there) {
  TraceEvent x, y;
  if (!trace_event(a->trace, at, &x, NULL) || !trace_event(b->trace, there, &y, NULL)) return false;
  bool same = x.kind == y.kind && x.pc == y.pc && x.active == y.active && x.mask == y.mask && !x.addr == !y.addr;
  for (int i = 0; same && x.addr && i < 32; i++) same = !(x.mask >> i & 1) || x.addr[i] == y.addr[i];
  return same;
}

static void check_block(Run *whole, Run *turns, int b) {
  int count;
  const TraceBlock *one = &trace_blocks(whole->trace, &count)[b], *other = &trace_blocks(turns->trace, &count)[b];
  Steps x, y;
  int wrong = 0;
  CHECK_INT(other->block, one->block);
  CHECK_INT(other->count, one->count);
  steps_of(whole, one, &x);
  steps_of(turns, other, &y);
  for (int w = 0; w < WARPS; w++) {
    CHECK_INT(y.count[w], x.count[w]);
    for (int i = 0; i < LS_MIN(x.count[w], y.count[w]); i++) wrong += !same_event(whole, x.at[w][i], turns, y.at[w][i]);
  }
  CHECK_INT(wrong, 0);
  steps_free(&x);
  steps_free(&y);
}

static void check_results(const Run *whole, const Run *turns) {
  const CounterSet *a = counters_total(whole->counters), *b = counters_total(turns->counters);
  for (int i = 0; i < COUNTER_COUNT; i++) CHECK_INT(b->value[i], a->value[i]);
  CHECK_INT(turns->fault_count, whole->fault_count);
  CHECK_INT(turns->verdict, whole->verdict);
  for (int i = 0; i < whole->info.launch.arg_count; i++) {
    uint64_t size = 0, other = 0;
    const uint8_t *x = whole->device->buffer(whole->device_run, i, &size),
        *y = turns->device->buffer(turns->device_run, i, &other);
    CHECK_INT(other, size);
    CHECK(!x == !y && (!x || memcmp(x, y, size) == 0));
  }
}

// What a race leaves is the order's.
static bool has_one_answer(const char *name) { return !recipe_form_is_bug(&book->get(book, name, NULL)->forms[0]); }

static void recipes_do_the_same(void) {
  for (int i = 0; i < 2 * book->kernels(book); i++) {
    if (!has_one_answer(book->name(book, i / 2))) continue;
    SimSched sched = i % 3 ? SIM_ITS : SIM_STACK;
    Run *whole = run_in(book->name(book, i / 2), (DevCut)(i % 2), sched, SIM_WHOLE, NULL),
        *turns = run_in(book->name(book, i / 2), (DevCut)(i % 2), sched, SIM_TURNS, NULL);
    int count, other;
    trace_blocks(whole->trace, &count);
    trace_blocks(turns->trace, &other);
    CHECK_INT(other, count);
    check_results(whole, turns);
    for (int b = 0; b < LS_MIN(LS_MIN(count, other), 2); b++) check_block(whole, turns, b);
    run_free(whole);
    run_free(turns);
  }
}

// ---- turns -----------------------------------------------------------------------------------------------------------

static bool somebody_else_could(Run *run, uint64_t step, int warp) {
  TraceWarp warps[WARPS];
  if (!trace_warps(run->trace, step, warps, NULL)) return false;
  for (int w = 0; w < (int)launch_warps(&run->info.launch); w++)
    if (w != warp && warps[w].live && warps[w].waiting != warps[w].live) return true;
  return false;
}

static int line_of(const Run *run, int pc) {
  int file, line;
  return ptx_line_of(run->module, pc, &file, &line) ? line : 0;
}

// A stint is short as long as others could run, and where the code goes straight on, it ends with a line.
static void check_stints(const char *name) {
  Run *run = run_in(name, DEV_WRITTEN, SIM_ITS, SIM_TURNS, NULL);
  int count, last_pc[WARPS], switches = 0;
  const TraceBlock *block = &trace_blocks(run->trace, &count)[0];
  TraceEvent e, before = {0};
  for (int w = 0; w < WARPS; w++) last_pc[w] = -2;
  for (uint64_t i = 0, from = 0; i < block->count; i++) {
    CHECK(trace_event(run->trace, block->first + i, &e, NULL));
    bool passes = i && e.warp != before.warp;
    if (passes) switches++, from = i;
    if (passes && last_pc[e.warp] + 1 == e.pc) CHECK(line_of(run, e.pc) != line_of(run, last_pc[e.warp]));
    if (i - from >= LONGEST && !((i - from) % LONGEST))
      CHECK(!somebody_else_could(run, block->first + i - LONGEST, e.warp));
    last_pc[e.warp] = e.kind == TRACE_BARRIER ? -2 : e.pc;
    before = e;
  }
  CHECK((uint64_t)switches > block->count / LONGEST);
  run_free(run);
}

static void stints_are_short(void) {
  check_stints("reduce2");
  check_stints("transpose_32x33");
  check_stints("matmul_tiled");
}

// ---- values ----------------------------------------------------------------------------------------------------------

static void check_registers(SimReplay *a, SimReplay *b, int warp, const Run *run) {
  const PtxFunc *func = &run->module->funcs[run->entry];
  int wrong = 0;
  for (int r = 0; r < func->reg_count; r++) {
    uint64_t x[32], y[32];
    uint32_t written = 0, other = 0;
    bool known = sim_replay_reg(a, warp, run->entry, r, x, &written);
    CHECK_INT(sim_replay_reg(b, warp, run->entry, r, y, &other), known);
    wrong += written != other;
    for (int i = 0; known && i < 32; i++) wrong += written >> i & 1 && x[i] != y[i];
  }
  CHECK_INT(wrong, 0);
}

// After the n-th event of a warp its registers hold the same, whatever the others have done by then.
static void check_values(const char *name, const char *path) {
  LsErr err = {0};
  LsMt mt;
  Run *whole = run_in(name, DEV_WRITTEN, SIM_ITS, SIM_WHOLE, NULL),
      *turns = run_in(name, DEV_WRITTEN, SIM_ITS, SIM_TURNS, path);
  if (path) run_free(turns), turns = run_open(path, &err);
  CU_ASSERT_PTR_NOT_NULL_FATAL(turns);
  CHECK_STR(turns->info.order, "turns");
  CHECK(turns->request.order == SIM_TURNS && turns->request.order_given);
  SimReplay *a = run_replay(whole, &err), *b = run_replay(turns, &err);
  int count;
  const TraceBlock *block = &trace_blocks(whole->trace, &count)[0];
  Steps x, y;
  steps_of(whole, block, &x);
  steps_of(turns, &trace_blocks(turns->trace, &count)[0], &y);
  ls_mt_seed(&mt, 5);
  for (int i = 0; i < TRIES; i++) {
    int w = (int)(ls_mt_u32(&mt) % launch_warps(&whole->info.launch)),
        k = (int)(ls_mt_u32(&mt) % (uint32_t)(x.count[w] - 1));
    CHECK(sim_replay_seek(a, block->block, x.at[w][k] - block->first, &err));
    CHECK(sim_replay_seek(b, block->block, y.at[w][k] - block->first, &err));
    check_registers(a, b, w, whole);
  }
  steps_free(&x);
  steps_free(&y);
  run_free(whole);
  run_free(turns);
}

static void values_are_those(void) {
  check_values("reduce2", NULL);
  check_values("matmul_tiled", NULL);
  check_values("warp_map_40x2", "test-order.lst");   // and of a trace that was saved
  unlink("test-order.lst");
}

// ---- what is chosen --------------------------------------------------------------------------------------------------

static void what_is_chosen(void) {
  RunRequest request;
  run_request_init(&request);
  CHECK_INT(run_request_order(&request), SIM_TURNS);
  request.record = false;
  CHECK_INT(run_request_order(&request), SIM_WHOLE);
  request.order = SIM_TURNS;
  request.order_given = true;
  CHECK_INT(run_request_order(&request), SIM_TURNS);
  request.runner = ls_strdup("true");
  CHECK_INT(run_request_order(&request), SIM_WHOLE);
  run_request_fini(&request);
}

static const Check checks[] = {
    {"recipes do the same", recipes_do_the_same},
    {"stints are short", stints_are_short},
    {"values are those", values_are_those},
    {"what is chosen", what_is_chosen},
};

int main(int argc, char **argv) {
  LsErr err = {0};
  setenv("LANESCOPE_DATA", LS_SOURCE_DIR, 1);
  book = recipe_book_open(NULL, &err);
  if (!book) {
    fprintf(stderr, "%s\n", err.message);
    return 99;
  }
  int status = check_main("order", checks, LS_COUNT(checks), argc, argv);
  book->free(book);
  return status;
}
