// test_probe_multi.c: instrumented kernels tell of copies, matrices, mbarriers and vectors what the emulator tells of them.
#include <string.h>
#include <unistd.h>
#include "base/file.h"
#include "base/mem.h"
#include "check.h"
#include "launch/settle.h"
#include "probe_pair.h"

static PtxModule *load(const char *path, LsErr *err) {
  size_t length = 0;
  char *full = ls_format("%s/%s", LS_SOURCE_DIR, path), *text = ls_file_read(full, 1 << 24, &length, err);
  PtxModule *module = text ? ptx_parse(path, text, length, err) : NULL;
  if (!module) printf("\n%s: %s\n", path, err->message);
  CU_ASSERT_FATAL(module != NULL);
  free(text);
  free(full);
  return module;
}

typedef enum Same { EVENTS, RESULTS } Same;

static const struct Kernel { const char *file, *entry; uint32_t grid, block; Same same;
                            const char *args[9]; } kernels[] = {
#define PROBE_KERNEL(file, entry, grid, block, same, ...) {file, entry, grid, block, same, {__VA_ARGS__}},
#include "probe_kernels.def"
};

// An operation on an mbarrier has no old value on a GPU; nothing else may be missing.
static bool is_mbarrier(const Pair *p, const TraceEvent *e) {
  PtxOp op = (PtxOp)p->module->code[e->pc].op;
  return op == PTX_OP_mbarrier || op == PTX_OP_cp;
}

static void forget_mbarriers(const Pair *p, PairLog *log) {
  for (int i = 0; i < log->count; i++)
    if (is_mbarrier(p, &log->events[i].event)) log->events[i].event.result = NULL;
}

static const char *differs(Pair *p, Same same) {
  const char *what = pair_run(p) ? pair_results_differ(p) : p->err.message;
  CHECK(!p->traced_log.lost && (p->traced_log.count > 0) == p->options.record_all);
  if (what || same == RESULTS) return what;
  forget_mbarriers(p, &p->plain_log);
  if (!what && p->options.record_all) what = pair_events_differ(p);
  if (!what) what = pair_tallies_differ(p);
  return what ? what : pair_counters_differ(p);
}

static void launch_of(const struct Kernel *k, Launch *launch) {
  LsErr err = {0};
  launch_init(launch);
  launch->grid[0] = k->grid;
  launch->block[0] = k->block;
  for (int i = 0; i < LS_COUNT(k->args) && k->args[i]; i++) CHECK(launch_add_arg(launch, k->args[i], &err));
}

static void same(PtxModule *module, const struct Kernel *k, SimSched sched, bool record) {
  Launch launch;
  LsErr err = {0};
  Pair pair;
  launch_of(k, &launch);
  CHECK(launch_settle(module, ptx_find_entry(module, k->entry, &err), &launch, NULL, &err));
  pair_init(&pair, module, ptx_find_entry(module, k->entry, &err), &launch);
  pair.sched = sched;
  pair.checks = SIM_CHECK_MEMORY | SIM_CHECK_SYNC;
  pair.any_order = true;
  pair.options.record_all = record;
  const char *what = differs(&pair, k->same);
  if (what) printf("\n%s, %u threads: %s\n", k->entry, k->block, what);
  CHECK(what == NULL);
  pair_free(&pair);
  launch_fini(&launch);
}

static void all_of(const char *file) {
  LsErr err = {0};
  PtxModule *module = load(file, &err);
  for (int i = 0; i < LS_COUNT(kernels); i++) {
    if (strcmp(kernels[i].file, file) != 0) continue;
    same(module, &kernels[i], SIM_STACK, true);
    same(module, &kernels[i], SIM_ITS, true);
    same(module, &kernels[i], SIM_ITS, false);
  }
  ptx_module_free(module);
}

static void written_forms(void) { all_of("tests/unit/device/probe/moves.ptx"); }
static void newer_forms(void) { all_of("tests/unit/device/probe/moves_sm90.ptx"); }
static void copies(void) { all_of("tests/unit/sim/kernels/async.ptx"); }
static void matrices(void) { all_of("tests/unit/sim/kernels/matrix.ptx"); }
static void clusters(void) { all_of("tests/unit/sim/kernels/cluster.ptx"); }
static void arguments(void) { all_of("tests/unit/sim/kernels/arguments.ptx"); }
static void texels(void) { all_of("tests/unit/device/probe/texels.ptx"); }

// ---- damage --------------------------------------------------------------------------------------------------------

typedef struct Guarded { TraceSink sink; const Pair *pair; bool wrong; } Guarded;

static void guard_event(TraceSink *sink, const TraceEvent *e) {
  Guarded *g = (Guarded *)sink;
  bool accesses = e->kind == TRACE_LOAD || e->kind == TRACE_STORE || e->kind == TRACE_ATOM;
  g->wrong |= e->pc < 0 || e->pc >= g->pair->module->code_count || e->mask & ~e->active;
  g->wrong |= (accesses && e->mask && !e->addr) || e->space >= TRACE_SPACE_COUNT || e->kind >= TRACE_KIND_COUNT;
}

// What the memory says is checked, not trusted: sizes, handles, coordinates, strides.
static void damage(Pair *p, uint64_t seed) {
  uint64_t used = probe_used(p->probe, p->memory);
  uint8_t *copy = ls_alloc(used);
  for (int round = 0; round < 40; round++) {
    Guarded g = {.sink = {.event = guard_event}, .pair = p};
    uint64_t lost;
    memcpy(copy, p->memory, used);
    for (int i = 0; i < 1 + round * 4; i++) {
      seed = seed * 6364136223846793005ull + 1442695040888963407ull;
      copy[PROBE_HEAD_BYTES + (seed >> 20) % (used - PROBE_HEAD_BYTES)] = (uint8_t)(seed >> 56);
    }
    CHECK(probe_decode(p->probe, copy, round % 2 ? &p->info : NULL, &g.sink, &lost, &p->err));
    CHECK(!g.wrong);
  }
  free(copy);
}

static void damaged(void) {
  for (int i = 0; i < LS_COUNT(kernels); i++) {
    const struct Kernel *k = &kernels[i];
    bool wanted = strstr(k->file, "device/probe") != NULL;
    Launch launch;
    LsErr err = {0};
    Pair pair;
    if (!wanted) continue;
    PtxModule *module = load(k->file, &err);
    launch_of(k, &launch);
    pair_init(&pair, module, ptx_find_entry(module, k->entry, &err), &launch);
    pair.options.memory_limit = 4 << 20;
    CHECK(pair_run(&pair));
    damage(&pair, (uint64_t)i);
    pair_free(&pair);
    launch_fini(&launch);
    ptx_module_free(module);
  }
}

// ---- the assembler -------------------------------------------------------------------------------------------------

static const char *assembler(void) {
  const char *chosen = getenv("PTXAS");
  if (!chosen && ls_file_exists("/usr/local/cuda/bin/ptxas")) chosen = "/usr/local/cuda/bin/ptxas";
  return chosen;
}

// What it takes does not depend on how much it optimizes.
static void assembles(PtxModule *module, int entry, const char *arch) {
  LsErr err = {0};
  char folder[256];
  size_t length;
  uint8_t blocks[2] = {1, 0};
  Launch launch;
  launch_init(&launch);
  launch.grid[0] = 2;
  ProbeOptions options = {.record_block = blocks, .sm_count = 132};
  Probe *probe = probe_new(module, entry, &launch, &options, &err);
  CU_ASSERT_FATAL(probe != NULL && check_folder(folder, sizeof folder));
  const char *text = probe_ptx(probe, &length);
  char *file = ls_path_join(folder, "probe.ptx"), *command = ls_format("%s -O0 -arch=%s -o /dev/null %s", assembler(), arch, file);
  CHECK(ls_file_write(file, text, length, &err));
  bool good = system(command) == 0;
  if (!good) printf("\n%s does not assemble for %s\n", module->funcs[entry].name, arch);
  CHECK(good);
  remove(file);
  rmdir(folder);
  free(command);
  free(file);
  probe_free(probe);
  launch_fini(&launch);
}

static void assembled(void) {
  static const struct { const char *path, *entry, *arch; } rows[] = {
      {"tests/unit/device/probe/moves.ptx", NULL, "sm_80"}, {"tests/unit/device/probe/moves_sm90.ptx", NULL, "sm_90"},
      {"tests/unit/device/probe/texels.ptx", NULL, "sm_80"}, {"tests/unit/device/probe/texels.ptx", NULL, "sm_90"},
      {"tests/unit/sim/kernels/async.ptx", "bulk", "sm_90"},
      {"tests/unit/sim/kernels/cluster.ptx", "of_one", "sm_90"},
      {"tests/unit/sim/kernels/async.ptx", "barrier_copy", "sm_90"}, {"tests/unit/sim/kernels/matrix.ptx", "wmma_f16", "sm_90"},
      {"tests/unit/sim/kernels/matrix.ptx", "wmma_s8_wide", "sm_90"},
      {"tests/unit/sim/kernels/matrix.ptx", "wmma_b1", "sm_90"}};
  LsErr err = {0};
  if (!assembler()) { printf("(no ptxas here) "); return; }
  for (int i = 0; i < LS_COUNT(rows); i++) {
    PtxModule *module = load(rows[i].path, &err);
    for (int f = 0; f < module->func_count; f++) {
      bool wanted = module->funcs[f].is_entry && (!rows[i].entry || strcmp(rows[i].entry, module->funcs[f].name) == 0);
      if (wanted) assembles(module, f, rows[i].arch);
    }
    ptx_module_free(module);
  }
}

static const Check checks[] = {
    {"what the assembler says", assembled},
    {"forms written for this", written_forms},
    {"forms that are newer", newer_forms},
    {"asynchronous copies", copies},
    {"matrices", matrices},
    {"barriers of clusters", clusters},
    {"textures and surfaces", texels},
    {"structs and variables", arguments},
    {"damaged memory", damaged},
};

int main(int argc, char **argv) { return check_main("probe moves", checks, LS_COUNT(checks), argc, argv); }
