// test_probe.c: instrumented kernels on the emulator mean what the plain ones mean, and tell what the emulator saw
// of these.
#include <string.h>
#include "app/run/recipe.h"
#include "base/file.h"
#include "base/mem.h"
#include "check_recipes.h"
#include "device/probe/probe_layout.h"
#include "gpu/recipes.h"
#include "model/counter.h"
#include "probe_pair.h"

static RecipeBook *book;

static PtxModule *load(const char *folder, const char *name, const char *suffix, LsErr *err) {
  size_t length = 0;
  char *path = ls_format("%s/%s/%s%s", LS_SOURCE_DIR, folder, name, suffix);
  char *text = ls_file_read(path, 1 << 24, &length, err);
  PtxModule *module = text ? ptx_parse(path, text, length, err) : NULL;
  free(text);
  free(path);
  return module;
}

static void expect_same(const char *name, Pair *p) {
  const char *differs = pair_differs(p, pair_run(p));
  if (differs) printf("\n%s: %s\n", name, differs);
  CHECK(differs == NULL);
  CHECK(p->traced_log.count > 0);
}

static bool make_launch(const Recipe *recipe, const char *assignments, Launch *launch, LsErr *err) {
  RecipeValues values;
  recipe_defaults(recipe, &values);
  char *copy = ls_strdup(assignments), *rest = copy, *word;
  bool ok = true;
  while ((word = strsep(&rest, " "))) ok = ok && (!*word || recipe_set(recipe, &values, word, err));
  free(copy);
  ok = ok && recipe->launch(recipe, &values, launch, err);
  return ok;
}

// What it is there to show, or what is counted of it, is the machine's choice.
static bool is_up_to_the_machine(const Recipe *recipe) {
  return recipe_form_is_bug(&recipe->forms[0]) || recipe_takes_turns(recipe);
}

// some: record every third block, so that both versions of the code run.
static void same_recipe(const char *name, const char *assignments, const char *suffix, SimSched sched, bool some) {
  LsErr err = {0};
  const Recipe *recipe = book->get(book, name, &err);
  Launch launch;
  CU_ASSERT_FATAL(recipe != NULL);
  if (recipe->sequence || is_up_to_the_machine(recipe)) return;   // programs have kernels of other recipes
  PtxModule *module = load("assets/ptx", name, suffix, &err);
  CU_ASSERT_FATAL(module != NULL);
  CU_ASSERT_FATAL(make_launch(recipe, assignments, &launch, &err));
  int entry = ptx_find_entry(module, launch.kernel, &err);
  Pair pair;
  uint8_t *blocks = ls_alloc(launch_blocks(&launch));
  for (uint64_t b = 0; b < launch_blocks(&launch); b += 3) blocks[b] = 1;
  char *title = ls_format("%s%s %s", name, suffix, assignments);
  pair_init(&pair, module, entry, &launch);
  pair.sched = sched;
  pair.any_order = strcmp(name, "cg_tiles") == 0;   // its tiles follow one another in any order
  if (some) pair.options.record_block = blocks;
  pair.options.optimized = some;   // of the as-written cut
  expect_same(title, &pair);
  pair_free(&pair);
  free(blocks);
  free(title);
  launch_fini(&launch);
  ptx_module_free(module);
}

static void all_recipes(const char *suffix) {
  for (int i = 0; i < book->kernels(book); i++) {
    same_recipe(book->name(book, i), "", suffix, SIM_STACK, false);
    same_recipe(book->name(book, i), "", suffix, SIM_ITS, true);
  }
}

static void compiled_recipes(void) { all_recipes(".ptx"); }
static void written_recipes(void) { all_recipes(".g.ptx"); }

// ---- kernels of all kinds ------------------------------------------------------------------------------------------

typedef struct Tricky {
  const char *entry;
  uint32_t grid[3], block[3];
  uint32_t shared;
  const char *args[3];
} Tricky;

static const Tricky tricky[] = {
    {"add", {3, 2, 1}, {7, 5, 3}, 0, {"u32[700]=iota", "u32=600"}},
    {"add", {2, 1, 1}, {1, 1, 1}, 0, {"u32[700]=iota", "u32=600"}},
    {"add", {1, 1, 1}, {1024, 1, 1}, 0, {"u32[1024]=iota", "u32=1001"}},
    {"add", {700, 94, 1}, {2, 1, 1}, 0, {"u32[140000]=iota", "u32=140000"}},
    {"mov", {1, 1, 1}, {32, 1, 1}, 0, {"u32[256]=zero"}},
    {"mov", {1, 1, 1}, {19, 1, 1}, 0, {"u32[256]=zero"}},
    {"calls", {2, 1, 1}, {50, 1, 1}, 0, {"u32[64]=zero"}},
    {"memories", {1, 1, 1}, {32, 1, 1}, 256, {"u8[16384]=iota"}},
    {"memories", {2, 1, 1}, {17, 1, 1}, 256, {"u8[16384]=iota"}},
    {"lanes", {1, 1, 1}, {32, 1, 1}, 0, {"u32[128]=zero"}},
    {"barriers", {2, 1, 1}, {64, 1, 1}, 0, {"u32[64]=zero"}},
    {"rounds", {1, 1, 1}, {32, 1, 1}, 0, {"u32[512]=iota", "u32=9"}},
    {"rounds", {2, 1, 1}, {27, 1, 1}, 0, {"u32[512]=iota", "u32=1"}},
};

static bool launch_is_large(const Tricky *t) { return t->grid[0] * t->grid[1] > 1000; }

static void same_tricky(PtxModule *module, const Tricky *t, SimSched sched, bool some) {
  Launch launch;
  LsErr err = {0};
  launch_init(&launch);
  memcpy(launch.grid, t->grid, sizeof launch.grid);
  memcpy(launch.block, t->block, sizeof launch.block);
  launch.shared_bytes = t->shared;
  for (int i = 0; i < 3 && t->args[i]; i++) CHECK(launch_add_arg(&launch, t->args[i], &err));
  uint8_t *blocks = ls_alloc(launch_blocks(&launch));
  blocks[0] = blocks[launch_blocks(&launch) - 1] = 1;
  Pair pair;
  pair_init(&pair, module, ptx_find_entry(module, t->entry, &err), &launch);
  pair.sched = sched;
  pair.checks = SIM_CHECK_MEMORY | SIM_CHECK_SYNC;
  pair.any_order = true;
  if (some) pair.options.record_block = blocks;
  expect_same(t->entry, &pair);
  pair_free(&pair);
  free(blocks);
  launch_fini(&launch);
}

static void tricky_kernels(void) {
  LsErr err = {0};
  PtxModule *module = load("tests/unit/device/probe", "tricky", ".ptx", &err);
  if (!module) printf("\n%s\n", err.message);
  CU_ASSERT_FATAL(module != NULL);
  for (int i = 0; i < LS_COUNT(tricky); i++)
    for (int way = launch_is_large(&tricky[i]) ? 3 : 0; way < 4; way++) same_tricky(module, &tricky[i], way & 1 ?
        SIM_ITS : SIM_STACK, way & 2);
  ptx_module_free(module);
}

// ---- what does not fit, and what is damaged ------------------------------------------------------------------------

typedef struct Kernel { PtxModule *module; Launch launch; int entry; } Kernel;

static void kernel_init(Kernel *k, const char *name, const char *assignments) {
  LsErr err = {0};
  const Recipe *recipe = book->get(book, name, &err);
  k->module = load("assets/ptx", name, ".ptx", &err);
  CU_ASSERT_FATAL(recipe && k->module && make_launch(recipe, assignments, &k->launch, &err));
  k->entry = ptx_find_entry(k->module, k->launch.kernel, &err);
}

static void kernel_fini(Kernel *k) {
  launch_fini(&k->launch);
  ptx_module_free(k->module);
}

// Every event is either told or counted as lost, and those that are told are the first ones.
static void expect_some(const char *name, const char *assignments, uint64_t memory) {
  Kernel k;
  Pair pair;
  kernel_init(&k, name, assignments);
  pair_init(&pair, k.module, k.entry, &k.launch);
  pair.options.memory_limit = memory;
  CHECK(pair_run(&pair));
  CHECK(pair_results_differ(&pair) == NULL);
  CHECK(pair_tallies_differ(&pair) == NULL);
  CHECK(pair_counters_differ(&pair) == NULL);
  CHECK(pair.traced_log.count > 0 && pair.traced_log.lost > 0);
  CHECK(probe_used(pair.probe, pair.memory) <= memory);
  CHECK_INT(pair.traced_log.count + (int64_t)pair.traced_log.lost, pair.plain_log.count);
  pair_free(&pair);
  kernel_fini(&k);
}

// Whole blocks are told, the last of them the one with which the limit is reached, as the emulator does it.
static void expect_blocks(const char *name, uint64_t limit, uint32_t blocks) {
  Kernel k;
  Pair pair;
  kernel_init(&k, name, "");
  pair_init(&pair, k.module, k.entry, &k.launch);
  pair.options.record_limit = limit;
  CHECK(pair_run(&pair));
  CHECK(pair_tallies_differ(&pair) == NULL);
  int of_those = 0, count = pair.traced_log.count;
  for (int i = 0; i < pair.plain_log.count; i++) of_those += pair.plain_log.events[i].event.block < blocks;
  CHECK(count > 0 && pair.traced_log.events[count - 1].event.block == blocks - 1);
  CHECK_INT(count, of_those);
  CHECK_INT(pair.traced_log.lost, 0);
  pair_free(&pair);
  kernel_fini(&k);
}

// Of all blocks of a large grid a few first ones are told as a whole, as many as there is room and a wish for.
static void expect_narrowed(uint64_t memory, uint64_t limit, uint32_t least, uint32_t most) {
  Kernel k;
  Pair pair;
  kernel_init(&k, "reduce2", "N=4096 blocks=100 threads=64");
  pair_init(&pair, k.module, k.entry, &k.launch);
  pair.options.memory_limit = memory;
  pair.options.record_limit = limit;
  pair.narrows = true;
  CHECK(pair_run(&pair));
  CHECK(pair_results_differ(&pair) == NULL && pair_tallies_differ(&pair) == NULL && pair_counters_differ(&pair) ==
        NULL);
  int count = pair.traced_log.count;
  CHECK_INT(pair.traced_log.lost, 0);
  uint32_t blocks = count ? pair.traced_log.events[count - 1].event.block + 1 : 0;
  CHECK(blocks >= least && blocks <= most);
  int of_those = 0;
  for (int i = 0; i < pair.plain_log.count; i++) of_those += pair.plain_log.events[i].event.block < blocks;
  CHECK_INT(count, of_those);
  pair_free(&pair);
  kernel_fini(&k);
}

static void narrowed(void) {
  expect_narrowed(64 << 20, 0, 100, 100);
  expect_narrowed(256 << 10, 0, 20, 99);
  expect_narrowed(256 << 10, 1000, 2, 20);
}

static void bounded(void) {
  LsErr err = {0};
  Kernel k;
  ProbeOptions options = {.record_all = true, .memory_limit = 1000};
  expect_some("reduce2", "N=16384 blocks=16", 64 << 10);
  expect_some("gputiled", "", 64 << 10);
  expect_some("matmul_tiled", "", 128 << 10);
  expect_some("histogram", "n=8192", 128 << 10);
  expect_some("reduce4", "N=65536 blocks=16", 64 << 10);
  expect_blocks("scan4", 1, 1);
  expect_blocks("reduce2", 885, 1);     // a block has 885 events
  expect_blocks("reduce2", 886, 2);
  expect_blocks("reduce2", 3000, 4);
  kernel_init(&k, "vec_add", "");
  CHECK(probe_new(k.module, k.entry, &k.launch, &options, &err) == NULL);
  CHECK_INT(err.kind, LS_EREQUEST);
  kernel_fini(&k);
}

typedef struct Guarded { TraceSink sink; const Pair *pair; uint64_t events; bool wrong; } Guarded;

static void guard_event(TraceSink *sink, const TraceEvent *e) {
  Guarded *g = (Guarded *)sink;
  bool accesses = e->kind == TRACE_LOAD || e->kind == TRACE_STORE || e->kind == TRACE_ATOM;
  g->wrong |= e->step != g->events++ || e->pc < 0 || e->pc >= g->pair->module->code_count || e->mask & ~e->active;
  g->wrong |= e->warp >= launch_warps(g->pair->launch) || e->block >= launch_blocks(g->pair->launch);
  g->wrong |= (accesses && e->mask && !e->addr) || e->space >= TRACE_SPACE_COUNT || e->kind >= TRACE_KIND_COUNT;
}

static uint64_t next_random(uint64_t *state) {   // xorshift64
  *state ^= *state << 13;
  *state ^= *state >> 7;
  return *state ^= *state << 17;
}

typedef struct Order { TraceSink sink; uint32_t blocks[8]; int count; } Order;

static void note_block(TraceSink *sink, uint32_t block, bool recorded) {
  Order *order = (Order *)sink;
  if (recorded && order->count < 8) order->blocks[order->count++] = block;
}

static ProbeContext parts_of(const Probe *probe) {
  uint8_t bytes[PROBE_CONTEXT_BYTES];
  ProbeContext context;
  probe_context(probe, 0, bytes);
  memcpy(&context, bytes, sizeof context);
  return context;
}

// The numbers of blocks are sorted in two steps where there are so many.
static void blocks_come_in_order(void) {
  static const uint32_t told[] = {3 << 20, 5, (1 << 20) + 5, (3 << 20) + 1, 5, 2 << 20, (1 << 20) + 4};
  static const uint32_t expected[] = {5, (1 << 20) + 4, (1 << 20) + 5, 2 << 20, 3 << 20, (3 << 20) + 1};
  Kernel k;
  Pair pair;
  Order order = {.sink = {.begin_block = note_block}};
  struct { ProbeChunk head; ProbeRecord record; } chunk;
  uint64_t lost;
  kernel_init(&k, "vec_add", "");
  pair_init(&pair, k.module, k.entry, &k.launch);
  CHECK(pair_run(&pair));
  memcpy(&chunk, pair.memory + parts_of(pair.probe).records, sizeof chunk);
  CHECK(chunk.head.units == PROBE_LEAST_UNITS && (chunk.record.code & PROBE_FORMS) == 0);
  k.launch.grid[0] = 4 << 20;
  Probe *probe = probe_new(k.module, k.entry, &k.launch, &(ProbeOptions){.record_all = true, .memory_limit = 1 << 20},
                           &pair.err);
  CU_ASSERT_FATAL(probe != NULL);
  ProbeContext parts = parts_of(probe);
  uint8_t *memory = ls_alloc(probe_memory(probe)), *at = memory + parts.records + parts.pool * PROBE_UNIT;
  chunk.head.units = sizeof chunk / PROBE_UNIT;
  for (int i = 0; i < LS_COUNT(told); i++, at += sizeof chunk) {
    chunk.head.block = told[i];
    memcpy(at, &chunk, sizeof chunk);
  }
  memcpy(memory, &(ProbeHead){.units = sizeof chunk / PROBE_UNIT * LS_COUNT(told)}, sizeof(ProbeHead));
  CHECK(probe_decode(probe, memory, NULL, &order.sink, &lost, &pair.err));
  CHECK_INT(order.count, LS_COUNT(expected));
  for (int i = 0; i < order.count; i++) CHECK_INT(order.blocks[i], expected[i]);
  free(memory);
  probe_free(probe);
  pair_free(&pair);
  kernel_fini(&k);
}

typedef struct Steps { TraceSink sink; uint16_t warps[8]; int count; } Steps;

static void note_warp(TraceSink *sink, const TraceEvent *e) {
  Steps *steps = (Steps *)sink;
  if (steps->count == 0 || steps->warps[steps->count - 1] != e->warp) {
    if (steps->count < 8) steps->warps[steps->count++] = e->warp;
  }
}

// Of one block, whose warps tell in turns; the lower half of the clock begins again on the way, and one that goes back a
// little is no later for it.
static void records_come_by_the_clock(void) {
  static const uint16_t expected[] = {0, 1, 0, 1, 0};
  struct { ProbeChunk head; ProbeRecord records[3]; } chunks[2], *first;
  Kernel k;
  Pair pair;
  Steps steps = {.sink = {.event = note_warp}};
  uint64_t lost;
  kernel_init(&k, "vec_add", "");
  pair_init(&pair, k.module, k.entry, &k.launch);
  CHECK(pair_run(&pair));
  ProbeContext parts = parts_of(pair.probe);
  first = (void *)(pair.memory + parts.records);
  for (int i = 0; i < 2; i++) {
    chunks[i].head = (ProbeChunk){.units = sizeof *chunks / PROBE_UNIT, .warp = (uint16_t)i,
                                  .clock = 0xfffffff0 + (uint64_t)i * 4};
    for (int n = 0; n < 3; n++) {
      chunks[i].records[n] = first->records[0];
      chunks[i].records[n].clock = (uint32_t)(0xfffffff2 + n * 16 + i * 8);
    }
  }
  chunks[1].records[2].clock = chunks[1].records[1].clock - 1;
  memset(pair.memory + parts.records, 0, parts.pool * PROBE_UNIT);
  memcpy(pair.memory + parts.records + parts.pool * PROBE_UNIT, chunks, sizeof chunks);
  memcpy(pair.memory, &(ProbeHead){.units = sizeof chunks / PROBE_UNIT}, sizeof(ProbeHead));
  CHECK(probe_decode(pair.probe, pair.memory, NULL, &steps.sink, &lost, &pair.err));
  CHECK_INT(steps.count, LS_COUNT(expected));
  for (int i = 0; i < steps.count; i++) CHECK_INT(steps.warps[i], expected[i]);
  pair_free(&pair);
  kernel_fini(&k);
}

// Bytes of memory for records, an event; of kernels whose warps are full and whose addresses are even.
static void expect_bytes(const char *name, const char *assignments, double most, bool takes) {
  Kernel k;
  Pair pair;
  ProbeHead head;
  kernel_init(&k, name, assignments);
  pair_init(&pair, k.module, k.entry, &k.launch);
  CHECK(pair_run(&pair));
  memcpy(&head, pair.memory, sizeof head);
  double bytes = (double)(probe_used(pair.probe, pair.memory) - parts_of(pair.probe).records) / pair.traced_log.count;
  if (bytes > most) printf("\n%s: %.1f bytes an event\n", name, bytes);
  CHECK(bytes <= most);
  if ((head.units > 0) != takes) printf("\n%s: %llu units taken\n", name, (unsigned long long)head.units);
  CHECK((head.units > 0) == takes);
  pair_free(&pair);
  kernel_fini(&k);
}

static void records_are_small(void) {
  expect_bytes("vec_add", "n=1024", 7, false);       // nobody takes room that is not his own
  expect_bytes("matmul_tiled", "", 13, true);         // rows of 16
  expect_bytes("gputiled", "TS=8", 12, false);       // rows of 8
  expect_bytes("transpose_32x33", "", 7, false);
  expect_bytes("block_sum_shuffle", "", 33, false);  // what comes out of a shuffle is not told
}

static void count_call(void *context, uint64_t done, uint64_t all) { *(int *)context += done <= all && all > 0; }

static void watched(void) {
  Kernel k;
  Pair pair;
  uint64_t lost;
  int calls = 0;
  kernel_init(&k, "reduce2", "");
  pair_init(&pair, k.module, k.entry, &k.launch);
  CHECK(pair_run(&pair));
  probe_watch(pair.probe, count_call, &calls);
  CHECK(probe_decode(pair.probe, pair.memory, &pair.info, NULL, &lost, &pair.err));
  CHECK_INT(calls, 1);   // there are few records
  pair_free(&pair);
  kernel_fini(&k);
}

static void damage_kernel(const char *name, uint64_t seed) {
  Kernel k;
  Pair pair;
  kernel_init(&k, name, "");
  pair_init(&pair, k.module, k.entry, &k.launch);
  pair.options.memory_limit = 4 << 20;
  CHECK(pair_run(&pair));
  uint64_t used = probe_used(pair.probe, pair.memory);
  uint8_t *copy = ls_alloc(used);
  for (int round = 0; round < 60; round++) {
    Guarded g = {.sink = {.event = guard_event}, .pair = &pair};
    uint64_t lost;
    memcpy(copy, pair.memory, used);
    for (int i = 0; i <= round; i++) copy[next_random(&seed) % used] = (uint8_t)next_random(&seed);
    // The number of units stays below what is there, as probe_used makes sure of.
    memcpy(copy, pair.memory, 8);
    CHECK(probe_decode(pair.probe, copy, round % 2 ? &pair.info : NULL, &g.sink, &lost, &pair.err));
    CHECK(!g.wrong);
  }
  free(copy);
  pair_free(&pair);
  kernel_fini(&k);
}

static void damaged(void) {
  damage_kernel("reduce4", 1);
  damage_kernel("vote_match", 2);
  damage_kernel("histogram", 3);
  damage_kernel("shfl_variants", 4);
}

// What cannot be read of a chunk is told as lost, not left out in silence.
static void a_cut_chunk_is_told_of(void) {
  Kernel k;
  Pair pair;
  ProbeRecord record;
  uint64_t lost;
  kernel_init(&k, "vec_add", "");
  pair_init(&pair, k.module, k.entry, &k.launch);
  CHECK(pair_run(&pair));
  uint8_t *first = pair.memory + parts_of(pair.probe).records + sizeof(ProbeChunk);
  memcpy(&record, first, sizeof record);
  CHECK(record.code != 0);
  record.code = UINT32_MAX;
  memcpy(first, &record, sizeof record);
  CHECK(probe_decode(pair.probe, pair.memory, NULL, NULL, &lost, &pair.err));
  CHECK_INT(lost, 1);
  pair_free(&pair);
  kernel_fini(&k);
}

// ---- what is refused -----------------------------------------------------------------------------------------------

static Probe *probe_of(const char *text, LsErr *err) {
  static Launch launch;
  ProbeOptions options = {.record_all = true, .memory_limit = 1 << 20, .sm_count = 1};
  launch_init(&launch);
  PtxModule *module = ptx_parse("some.ptx", text, strlen(text), err);
  CU_ASSERT_FATAL(module != NULL);
  Probe *probe = probe_new(module, 0, &launch, &options, err);
  size_t length;
  if (probe) CHECK(strlen(probe_ptx(probe, &length)) == length);
  CHECK(!probe || strstr(probe_ptx(probe, &length), ".version 6.3\n.target sm_70, debug\n") != NULL);
  probe_free(probe);
  ptx_module_free(module);
  return probe;   // only to be compared with NULL
}

static void refused(void) {
  LsErr err = {0};
  CHECK(probe_of(".version 6.0\n.target sm_52, debug\n.address_size 64\n.file 1 \"lanescope_of.cu\"\n"
                 ".entry a() { // lanescope_\n}\n", &err) != NULL);
  CHECK(probe_of(".version 6.0\n.target sm_52\n.address_size 64\n.entry a() {\n .reg .b32 %r<3>; .reg .pred %p1;\n"
                 " shfl.up.b32 %r1, %r2, 1, 0;\n vote.any.pred %p1, %p1;\n ret; }\n", &err) == NULL);
  CHECK_INT(err.kind, LS_EREQUEST);
  CHECK(strstr(err.message, "line 6: shfl.up.b32 %r1, %r2, 1, 0;") && strstr(err.message, "line 7: vote.any.pred"));
  CHECK(probe_of(".version 6.0\n.target sm_52\n.address_size 64\n.entry a() { .reg .b32 %lanescope_r; }\n", &err) ==
        NULL);
}

// ---- code for the debugger, optimized ------------------------------------------------------------------------------

static void optimized(void) {
  static const char text[] = ".version 7.0\n.target sm_80, debug\n.address_size 64\n"
                             ".entry a() {\n .reg .f32 %f<4>; .reg .b32 %r<4>;\n"
                             " add.ftz.f32 %f1, %f2, %f3;\n"
                             " mul.rz.f32 %f1, %f2, %f3;\n sub.s32 %r1, %r2, %r3;\n ret;\n}\n";
  LsErr err = {0};
  Launch launch;
  ProbeOptions options = {.memory_limit = 1 << 20, .sm_count = 1, .optimized = true};
  launch_init(&launch);
  PtxModule *module = ptx_parse("some.ptx", text, strlen(text), &err);
  CU_ASSERT_FATAL(module != NULL);
  Probe *probe = probe_new(module, 0, &launch, &options, &err);
  CU_ASSERT_FATAL(probe != NULL);
  const char *ptx = probe_ptx(probe, NULL);
  CHECK(strstr(ptx, ".target sm_80\n") != NULL);
  CHECK(strstr(ptx, "add.rn.ftz.f32 %f1, %f2, %f3;") != NULL);
  CHECK(strstr(ptx, "mul.rz.f32 %f1") != NULL);
  CHECK(strstr(ptx, "sub.s32 %r1, %r2, %r3;") != NULL);
  probe_free(probe);
  ptx_module_free(module);
}

// ---- accesses that count alike -------------------------------------------------------------------------------------

// How often the instrumented kernel calls a function.
static int calls_in(const char *text, const char *call) {
  LsErr err = {0};
  Launch launch;
  ProbeOptions options = {.memory_limit = 1 << 20, .sm_count = 1};
  int calls = 0;
  launch_init(&launch);
  PtxModule *module = ptx_parse("calls.ptx", text, strlen(text), &err);
  Probe *probe = module ? probe_new(module, 0, &launch, &options, &err) : NULL;
  CHECK_STR(err.message, "");
  for (const char *at = probe ? probe_ptx(probe, NULL) : ""; (at = strstr(at, call)) != NULL; at++) calls++;
  probe_free(probe);
  ptx_module_free(module);
  return calls;
}

// Two arrays at one place that is not known before, and one of them at its double: two are looked at.
static void alike(void) {
  static const char text[] =
      ".version 7.0\n.target sm_80\n.address_size 64\n.shared .align 4 .b8 a[4096];\n.shared .align 4 .b8 b[4096];\n"
      ".entry k(.param .u64 p) {\n .reg .b32 %r<9>; .reg .b64 %rd<2>;\n ld.param.u64 %rd1, [p];\n"
      " ld.global.u32 %r1, [%rd1];\n mov.u32 %r2, a;\n mov.u32 %r3, b;\n add.s32 %r4, %r2, %r1;\n"
      " add.s32 %r5, %r1, %r3;\n add.s32 %r6, %r4, %r1;\n ld.shared.u32 %r7, [%r4];\n st.shared.u32 [%r5], %r7;\n"
      " st.shared.u32 [%r6], %r7;\n ret;\n}\n";
  CHECK_INT(calls_in(text, "lanescope_probe_wavefronts, ("), 2);
}

// Of three copies one has a size that is known only when it runs: the others are a load and a store.
static void plain_copies(void) {
  static const char text[] =
      ".version 7.0\n.target sm_80\n.address_size 64\n.shared .align 16 .b8 a[4096];\n"
      ".entry k(.param .u64 p) {\n .reg .b32 %r<3>; .reg .b64 %rd<2>;\n ld.param.u64 %rd1, [p];\n mov.u32 %r1, a;\n"
      " mov.u32 %r2, %tid.x;\n cp.async.ca.shared.global [%r1], [%rd1], 4;\n"
      " cp.async.cg.shared.global [%r1+16], [%rd1], 16, 16;\n cp.async.ca.shared.global [%r1+32], [%rd1], 4, %r2;\n"
      " cp.async.wait_all;\n ret;\n}\n";
  CHECK_INT(calls_in(text, "lanescope_probe_copy, ("), 1);
}

// ---- the assembler -------------------------------------------------------------------------------------------------

static const char *assembler(void) {
  static const char *const places[] = {"/usr/local/cuda/bin/ptxas", "/usr/bin/ptxas"};
  const char *chosen = getenv("PTXAS");
  for (int i = 0; i < LS_COUNT(places) && !chosen; i++) if (ls_file_exists(places[i])) chosen = places[i];
  return chosen;
}

// What it takes does not depend on how much it optimizes.
static void assembles(PtxModule *module, int entry, const Launch *launch, const char *arch, const char *title) {
  LsErr err = {0};
  char folder[256];
  size_t length;
  uint8_t *blocks = ls_alloc(launch_blocks(launch) + 1);
  blocks[0] = 1;
  ProbeOptions options = {.record_block = blocks, .sm_count = 132, .optimized = true};
  Probe *probe = probe_new(module, entry, launch, &options, &err);
  CU_ASSERT_FATAL(probe != NULL && check_folder(folder, sizeof folder));
  const char *text = probe_ptx(probe, &length);
  char *file = ls_path_join(folder, "probe.ptx");
  char *command = ls_format("%s -O0 -arch=%s -o /dev/null %s", assembler(), arch, file);
  CHECK(ls_file_write(file, text, length, &err));
  bool good = system(command) == 0;
  if (!good) printf("\n%s does not assemble for %s\n", title, arch);
  CHECK(good);
  remove(file);
  remove(folder);
  free(command);
  free(file);
  free(blocks);
  probe_free(probe);
}

// All recipes take minutes: those with most kinds of instructions, unless ALL_RECIPES is set.
static void recipe_assembles(const char *name, const char *suffix) {
  static const char *const usual[] = {"histogram", "reduce4", "vote_match"};
  LsErr err = {0};
  bool wanted = getenv("ALL_RECIPES") != NULL;
  for (int i = 0; i < LS_COUNT(usual); i++) wanted |= strcmp(usual[i], name) == 0;
  if (!wanted) return;
  Kernel k;
  kernel_init(&k, name, "");
  PtxModule *module = load("assets/ptx", name, suffix, &err);
  assembles(module, ptx_find_entry(module, k.launch.kernel, &err), &k.launch, "sm_75", name);
  assembles(module, ptx_find_entry(module, k.launch.kernel, &err), &k.launch, "sm_90", name);
  ptx_module_free(module);
  kernel_fini(&k);
}

static void assembled(void) {
  LsErr err = {0};
  if (!assembler()) { printf("(no ptxas here) "); return; }
  for (int i = 0; i < book->kernels(book); i++) {
    recipe_assembles(book->name(book, i), ".ptx");
    recipe_assembles(book->name(book, i), ".g.ptx");
  }
  PtxModule *module = load("tests/unit/device/probe", "tricky", ".ptx", &err);
  for (int f = 0; f < module->func_count; f++) {
    Launch launch;
    launch_init(&launch);
    launch.grid[0] = 2;
    if (module->funcs[f].is_entry) assembles(module, f, &launch, "sm_90", module->funcs[f].name);
    launch_fini(&launch);
  }
  ptx_module_free(module);
}

static const Check checks[] = {
    {"what is refused", refused},
    {"code for the debugger, optimized", optimized},
    {"accesses that count alike", alike},
    {"copies that are loads and stores", plain_copies},
    {"what the assembler says", assembled},
    {"what does not fit is counted", bounded},
    {"as many blocks as fit are told", narrowed},
    {"how far it is", watched},
    {"blocks come in order", blocks_come_in_order},
    {"records come by the clock", records_come_by_the_clock},
    {"records are small", records_are_small},
    {"damaged memory", damaged},
    {"a cut chunk is told of", a_cut_chunk_is_told_of},
    {"kernels of all kinds", tricky_kernels},
    {"recipes as compiled", compiled_recipes},
    {"recipes as written", written_recipes},
};

int main(int argc, char **argv) {
  return check_main_with_recipes("probe", checks, LS_COUNT(checks), argc, argv, &book);
}
