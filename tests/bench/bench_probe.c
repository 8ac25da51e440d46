// bench_probe.c: what it costs that an instrumented kernel counts, and tells its events, in instructions on the emulator.
//
//   make bench_probe && ./bench_probe [TEXT [FOLDER [LIST]]]
//
// of kernels with TEXT in their names; their PTX goes into FOLDER. LIST: those of a list (works_add_list in
// gpu/works.h) instead of the lecture kernels.
// Warp instructions are what a GPU has to issue; thread instructions, what its lanes do. FOLDER gets NAME.plain.ptx,
// NAME.counted.ptx and NAME.told.ptx for the assembler, whose -v tells registers.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/file.h"
#include "base/mem.h"
#include "device/probe/probe.h"
#include "device/probe/probe_layout.h"
#include "gpu/works.h"
#include "sim/sim.h"

enum { MEMORY_AT = 0x200000, MEMORY = 256 << 20 };

typedef struct Cost { double warp, thread, bytes; } Cost;   // instructions; of records, an event

typedef struct Counting { TraceSink sink; uint64_t events; } Counting;

static void count_event(TraceSink *sink, const TraceEvent *event) {
  (void)event;
  ((Counting *)(void *)sink)->events++;
}

// What is copied back for the records, beside the counters.
static bool take_bytes(const Probe *probe, const uint8_t *memory, Cost *cost, LsErr *err) {
  Counting counting = {.sink = {.event = count_event}};
  ProbeContext parts;
  uint8_t context[PROBE_CONTEXT_BYTES];
  uint64_t lost;
  probe_context(probe, 0, context);
  memcpy(&parts, context, sizeof parts);
  if (!probe_decode(probe, memory, NULL, &counting.sink, &lost, err)) return false;
  cost->bytes = (double)(probe_used(probe, memory) - parts.records) / (double)LS_MAX(counting.events, 1);
  return true;
}

static bool run(const PtxModule *module, int entry, const Launch *launch, const Probe *probe, Cost *cost, LsErr *err) {
  SimOptions o;
  sim_options_init(&o);
  o.checks = 0;
  o.budget = 1ull << 40;
  SimMapping memory = {.address = MEMORY_AT, .size = probe ? probe_memory(probe) : 0};
  if (probe) memory.bytes = ls_alloc(memory.size);
  if (probe) o.mappings = &memory;
  o.mapping_count = probe != NULL;
  Sim *sim = sim_new(module, entry, launch, &o, err);
  uint64_t context_size;
  uint8_t *context = sim && probe ? sim_global_bytes(sim, PROBE_CONTEXT, &context_size, NULL) : NULL;
  if (context) probe_context(probe, MEMORY_AT, context);
  bool ok = sim && sim_run(sim, NULL, err);
  if (ok) *cost = (Cost){.warp = (double)sim_warp_instructions(sim), .thread = (double)sim_thread_instructions(sim)};
  if (ok && probe) ok = take_bytes(probe, memory.bytes, cost, err);
  sim_free(sim);
  free(memory.bytes);
  return ok;
}

static bool run_instrumented(const Work *work, bool events, LsText *text, Cost *cost, LsErr *err) {
  ProbeOptions options = {.record_all = events, .memory_limit = MEMORY, .sm_count = 132};
  Probe *probe = probe_new(work->module, work->entry, &work->launch, &options, err);
  size_t length = 0;
  if (probe) ls_text_add(text, probe_ptx(probe, &length));
  PtxModule *module = probe ? ptx_parse("instrumented.ptx", ls_text_str(text), length, err) : NULL;
  int entry = module ? ptx_find_entry(module, work->module->funcs[work->entry].name, err) : -1;
  bool ok = entry >= 0 && run(module, entry, &work->launch, probe, cost, err);
  ptx_module_free(module);
  probe_free(probe);
  return ok;
}

static bool write_text(const char *folder, const char *name, const char *kind, const char *text, size_t length, LsErr *err) {
  char *stem = ls_format("%.*s.%s.ptx", (int)strcspn(name, ","), name, kind), *path = ls_path_join(folder, stem);
  bool ok = ls_file_write(path, text, length, err);
  free(stem);
  free(path);
  return ok;
}

static bool bench(const Work *work, const char *folder, LsErr *err) {
  Cost plain, counted, told;
  LsText text = {0}, recording = {0};
  const PtxModule *m = work->module;
  bool ok = run(m, work->entry, &work->launch, NULL, &plain, err) && run_instrumented(work, false, &text, &counted, err) &&
            run_instrumented(work, true, &recording, &told, err);
  if (ok)
    printf("%-24.*s %12.0f %8.2f %8.2f %8.2f %8.2f %8.1f\n", (int)strcspn(work->name, ","), work->name, plain.thread,
           counted.thread / plain.thread, counted.warp / plain.warp, told.thread / plain.thread, told.warp / plain.warp,
           told.bytes);
  if (ok && folder)
    ok = write_text(folder, work->name, "plain", m->text, m->text_length, err) &&
         write_text(folder, work->name, "counted", ls_text_str(&text), text.length, err) &&
         write_text(folder, work->name, "told", ls_text_str(&recording), recording.length, err);
  ls_text_free(&text);
  ls_text_free(&recording);
  return ok;
}

int main(int argc, char **argv) {
  const char *wanted = argc > 1 ? argv[1] : "", *folder = argc > 2 && argv[2][0] ? argv[2] : NULL;
  LsErr err = {0};
  Works works = {0};
  setenv("LANESCOPE_DATA", LS_SOURCE_DIR, 0);
  setvbuf(stdout, NULL, _IOLBF, 0);
  bool ok = argc > 3 ? works_add_list(&works, argv[3], &err) : works_add_recipes(&works, true, false, &err);
  printf("instructions of instrumented kernels, as multiples of the plain one's; of threads, of warps; bytes of an "
         "event\n");
  printf("%-24s %12s %17s %17s %8s\n", "recipe", "plain", "counters", "all events", "bytes");
  for (int i = 0; ok && i < works.count; i++)
    if (strstr(works.items[i].name, wanted)) ok = bench(&works.items[i], folder, &err);
  if (!ok) fprintf(stderr, "bench_probe: %s\n", err.message);
  works_fini(&works);
  return !ok;
}
