// test_probe_kernels.c: kernels of tests/unit/device/probe, which say themselves how they are run, instrumented.
//
//   // run: ENTRY [FLAG...] grid=X,Y,Z block=X,Y,Z [shared=BYTES] ARGUMENT...
//
// Flags: `racy` (results depend on the order of warps), `old` (what atomics find does), `apart` (lanes of a warp tell it in another
// order than the emulator), `faults` (the plain kernel does something wrong that does not end it), `waits` (rounds of waiting are
// not counted alike), `frames` (local variables of a function that calls itself, which have no place of their own).
#include <string.h>
#include "base/file.h"
#include "base/mem.h"
#include "check.h"
#include "probe_pair.h"

typedef enum Flag { RACY = 1, OLD = 2, APART = 4, FAULTS = 8, WAITS = 16, FRAMES = 32 } Flag;
static const char *const flags[] = {"racy", "old", "apart", "faults", "waits", "frames"};

typedef struct Run { char entry[64]; uint32_t flags; Launch launch; } Run;

// ---- what a line says ----------------------------------------------------------------------------------------------

static bool read_shape(const char *word, const char *name, uint32_t shape[3]) {
  size_t length = strlen(name);
  if (strncmp(word, name, length) != 0) return false;
  return sscanf(word + length, "%u,%u,%u", &shape[0], &shape[1], &shape[2]) >= 1;
}

static uint32_t flag_of(const char *word) {
  for (int i = 0; i < LS_COUNT(flags); i++) if (strcmp(word, flags[i]) == 0) return 1u << i;
  return 0;
}

static void read_word(Run *run, const char *word) {
  LsErr err = {0};
  unsigned shared;
  if (!run->entry[0]) snprintf(run->entry, sizeof run->entry, "%s", word);
  else if (flag_of(word)) run->flags |= flag_of(word);
  else if (sscanf(word, "shared=%u", &shared) == 1) run->launch.shared_bytes = shared;
  else if (!read_shape(word, "grid=", run->launch.grid) && !read_shape(word, "block=", run->launch.block))
    CHECK(launch_add_arg(&run->launch, word, &err));
}

static void run_init(Run *run, const char *line, size_t length) {
  char *copy = ls_strndup(line, length), *rest = copy, *word;
  *run = (Run){0};
  launch_init(&run->launch);
  while ((word = strsep(&rest, " "))) if (*word) read_word(run, word);
  free(copy);
}

// ---- both kernels --------------------------------------------------------------------------------------------------

// Notes always: a GPU tells of none in passing.
static void drop_faults(PairLog *log, bool faults) {
  int count = 0;
  for (int i = 0; i < log->count; i++) {
    PairEvent *e = &log->events[count], *from = &log->events[i];
    if (from->event.kind == TRACE_NOTE || (faults && from->event.kind == TRACE_FAULT)) continue;
    *e = *from;
    if (e->event.addr) e->event.addr = e->addr;
    if (e->event.value) e->event.value = e->value;
    if (e->event.result) e->event.result = e->result;
    if (e->event.source) e->event.source = e->source;
    count++;
  }
  log->count = count;
}

// Each access to a local variable is to one place, however deep the call is in which it happens.
static const char *frames_differ(PairLog *plain, PairLog *traced) {
  const char *differs = NULL;
  for (int i = 0; i < traced->count; i++) {
    const PairEvent *x = &traced->events[i];
    for (int k = 0; k < i && x->event.space == TRACE_LOCAL && x->event.mask; k++) {
      const PairEvent *y = &traced->events[k];
      if (y->event.pc != x->event.pc || !y->event.mask) continue;
      if (x->addr[__builtin_ctz(x->event.mask)] != y->addr[__builtin_ctz(y->event.mask)]) differs = "a local variable moves";
      break;
    }
  }
  for (int i = 0; i < traced->count; i++)
    if (traced->events[i].event.space == TRACE_LOCAL) memset(traced->events[i].addr, 0, sizeof traced->events[i].addr);
  for (int i = 0; i < plain->count; i++)
    if (plain->events[i].event.space == TRACE_LOCAL) memset(plain->events[i].addr, 0, sizeof plain->events[i].addr);
  return differs;
}

static const char *told_differs(Pair *p, uint32_t kinds) {
  const char *differs = NULL;
  drop_faults(&p->plain_log, kinds & FAULTS);
  drop_faults(&p->traced_log, false);
  if (kinds & FRAMES) differs = frames_differ(&p->plain_log, &p->traced_log);
  if (!differs && !(kinds & APART)) differs = pair_events_differ(p);
  if (!differs && !(kinds & APART)) differs = pair_tallies_differ(p);
  if (!differs && !(kinds & APART)) differs = pair_counters_differ(p);
  return !differs && p->traced_log.lost ? "events were lost" : differs;
}

// With a seed, lanes run apart in other places, so only the results are the same.
static void run_once(PtxModule *module, const Run *run, SimSched sched, uint64_t seed, bool some) {
  LsErr err = {0};
  Pair pair;
  uint8_t *blocks = ls_alloc(launch_blocks(&run->launch) + 3);
  for (uint64_t b = 0; b < launch_blocks(&run->launch); b += 3) blocks[b] = 1;
  pair_init(&pair, module, ptx_find_entry(module, run->entry, &err), &run->launch);
  pair.sched = sched;
  pair.seed = seed;
  pair.checks = SIM_CHECK_MEMORY | SIM_CHECK_SYNC;
  pair.any_order = true;
  pair.any_old_values = run->flags & OLD;
  pair.options.memory_limit = 32 << 20;
  if (some) pair.options.record_block = blocks;
  const char *differs = pair_run(&pair) ? NULL : pair.err.message;
  bool other_results = (seed && run->flags & RACY) || ((seed || some) && run->flags & FAULTS);   // faults are counted by place
  if (!differs && !other_results) differs = pair_results_differ(&pair);
  if (!differs && !seed && !(run->flags & WAITS)) differs = told_differs(&pair, run->flags);
  if (!differs) differs = pair_times_are_wrong(&pair);
  if (differs) printf("\n%s, scheduler %d, seed %d%s: %s\n", run->entry, (int)sched, (int)seed, some ? ", some" : "", differs);
  CHECK(differs == NULL);
  pair_free(&pair);
  free(blocks);
}

static PtxModule *load(const char *file) {
  LsErr err = {0};
  size_t length = 0;
  char *path = ls_format("%s/tests/unit/device/probe/%s", LS_SOURCE_DIR, file), *text = ls_file_read(path, 1 << 20, &length, &err);
  PtxModule *module = text ? ptx_parse(path, text, length, &err) : NULL;
  if (!module) printf("\n%s\n", err.message);
  CU_ASSERT_FATAL(module != NULL);
  free(text);
  free(path);
  return module;
}

static void all_runs(const char *file) {
  static const char mark[] = "\n// run: ";
  PtxModule *module = load(file);
  int count = 0;
  for (const char *at = module->text; (at = strstr(at, mark)); count++) {
    Run run;
    at += strlen(mark);
    run_init(&run, at, strcspn(at, "\n"));
    for (int way = 0; way < 4; way++) run_once(module, &run, way & 1 ? SIM_ITS : SIM_STACK, 0, way & 2);
    run_once(module, &run, SIM_ITS, 1, false);
    run_once(module, &run, SIM_ITS, 77, true);
    launch_fini(&run.launch);
  }
  CHECK(count > 0);
  ptx_module_free(module);
}

// Only the first blocks have room for their times; the others write none, and nothing elsewhere.
static void many_blocks(void) {
  static const char line[] = "nothing grid=3000 block=32";
  LsErr err = {0};
  PtxModule *module = load("flow.ptx");
  Run run;
  Pair pair;
  uint8_t *blocks = ls_alloc(3000);
  run_init(&run, line, strlen(line));
  blocks[2999] = 1;
  pair_init(&pair, module, ptx_find_entry(module, run.entry, &err), &run.launch);
  pair.options.record_block = blocks;
  pair.options.memory_limit = 64 << 10;
  CHECK(pair_run(&pair));
  CHECK(pair_results_differ(&pair) == NULL);
  CHECK(told_differs(&pair, 0) == NULL);
  CHECK(pair.traced_log.time_count > 100 && pair.traced_log.time_count < 1000);
  pair_free(&pair);
  launch_fini(&run.launch);
  free(blocks);
  ptx_module_free(module);
}

// Lanes that were let go on without one that takes long come to the barrier early; the emulator must not blame the kernel.
static void long_waits(void) {
  LsErr err = {0};
  PtxModule *module = load("flow.ptx");
  Run run;
  int faults;
  run_init(&run, "takes_long block=64 u32[1]=zero", strlen("takes_long block=64 u32[1]=zero"));
  SimOptions options;
  sim_options_init(&options);
  Sim *sim = sim_new(module, ptx_find_entry(module, run.entry, &err), &run.launch, &options, &err);
  CU_ASSERT_FATAL(sim != NULL && sim_run(sim, NULL, &err));
  sim_faults(sim, &faults);
  CHECK_INT(faults, 0);
  sim_free(sim);
  launch_fini(&run.launch);
  ptx_module_free(module);
}

static void names(void) { all_runs("names.ptx"); }
static void flow(void) { all_runs("flow.ptx"); }
static void lanes(void) { all_runs("lanes.ptx"); }
static void spaces(void) { all_runs("spaces.ptx"); }
static void counts(void) { all_runs("counts.ptx"); }
static void banks(void) { all_runs("banks.ptx"); }
static void barriers(void) { all_runs("barriers.ptx"); }

static const Check checks[] = {
    {"names, comments, lines", names},
    {"lanes that end, return, go around", flow},
    {"operations between lanes", lanes},
    {"addresses, vectors, atomics", spaces},
    {"what looks at addresses", counts},
    {"places in banks that go on", banks},
    {"barriers", barriers},
    {"lanes that wait for long", long_waits},
    {"more blocks than times", many_blocks},
};

int main(int argc, char **argv) { return check_main("probe_kernels", checks, LS_COUNT(checks), argc, argv); }
