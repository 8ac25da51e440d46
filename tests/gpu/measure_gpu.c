// measure_gpu.c: what instrumented kernels tell on a GPU, against the emulator and against NVIDIA's own tools.
// tests/gpu/measure runs all of it and prints one table; tests/gpu/README.md says what each part is.
//
// Exit status: 0 all agree, 1 some differ, 2 a wrong option, 77 no GPU here.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/file.h"
#include "base/mem.h"
#include "device/remote/serve.h"
#include "counter_rows.h"
#include "source_dir.h"
#include "gpu_driver.h"
#include "ncu.h"
#include "traced.h"
#include "works.h"

enum { SKIPPED = 77, RECORDED_BLOCKS = 4, SECONDS_FOR_LOCK = 20, TIMED_RUNS = 3, LEVEL_OF_DRIVER = 4 };

typedef struct Options {
  const char *part, *filter, *file;
  int from;                   // the first work
  bool failed;                // one before it
  bool unoptimized;           // see DevRequest
  const char *found;          // what was measured of those before it: numbers with blanks between them
} Options;

static int complain(const LsErr *err) {
  fprintf(stderr, "measure_gpu: %s\n", err->message);
  return 1;
}

// After a fault this process has lost the GPU: one that begins with the next of the works goes on in its place, with
// this one's number. Returns the status that is left to tell if that cannot be.
static int go_on(const Options *o, int next, const char *found) {
  char from[16];
  snprintf(from, sizeof from, "%d", next);
  fflush(stdout);
  execl("/proc/self/exe", "measure_gpu", o->part, "--filter", o->filter, "--from", from, "--failed", "1", "--optimized",
        o->unoptimized ? "0" : "1", "--found", found, o->file ? "--file" : NULL, o->file, (char *)NULL);
  return 1;
}

// Whether a run has cost this process the GPU.
static bool lost_gpu(const Traced *t) { return t->faults || t->err.kind == LS_EFAULT; }

static bool is_wanted(const Options *o, const Work *work) { return strstr(work->name, o->filter) != NULL; }

// ---- traced: every recipe on both, counters, results and events --------------------------------------------------------
//
// Twice: with counters alone, which are to be the emulator's, and with events. What the traced run counts is told, too, but
// is no error: lanes that part may go on apart for longer while they write records than in the plain kernel (probe.h).

static void tell_difference(const Work *work, const char *run, const Traced *t) {
  printf("- %s, %s: ", work->name, run);
  if (!t->ran || !t->emulated) printf("did not run: %s\n", t->err.message);
  else {
    if (t->faults) printf("%s; ", t->fault);
    if (t->counters_differ) printf("%" PRIu64 " counters differ, first %s; ", t->counters_differ, t->first_counter);
    if (t->streams.equal + t->streams.equal_by_lane < t->streams.warps)
      printf("%" PRIu64 " of %" PRIu64 " warps equal, of the others %" PRIu64 " lane by lane, first %s; ",
             t->streams.equal, t->streams.warps, t->streams.equal_by_lane, t->streams.first);
    printf("%" PRIu64 " bytes not the emulator's, %" PRIu64 " not the plain run's, %" PRIu64 " events lost\n", t->results_differ,
           t->measure.differing_bytes, t->measure.lost_events);
  }
}

typedef struct TracedSum {
  uint64_t launches, agree, explained, apart, counters, counters_differ, results, results_differ, differing_bytes;
  StreamsCompared streams;
} TracedSum;

// What is up to the GPU in some kernels: counters alone; events, too; or even results, which then are not those of
// another run of the plain kernel.
typedef enum Varies { VARY_COUNTERS, VARY_EVENTS, VARY_RESULTS } Varies;

static bool is_within(const Traced *t, Varies what) {
  Traced rest = *t;
  rest.counters_differ = 0;
  if (what == VARY_COUNTERS) return traced_agrees(&rest);
  return what == VARY_RESULTS || t->measure.differing_bytes == 0;
}

static const char *reason_of_run(const Work *work, const Traced *counted, const Traced *told) {
  static const char race[] = "what a race leaves is up to the order of the threads";
  static const char polls[] = "how often a thread asks for what others do, and who is the last, is up to the scheduler";
  static const char apart[] = "the plain kernel's lanes stay apart on a GPU, too: RESULTS.md has ncu's counts";
  static const struct { const char *name, *reason; Varies varies; } known[] = {
      {"warp_lock,", "which lane gets the lock next, and how often others ask for it, is up to the scheduler",
       VARY_EVENTS},
      {"grid_reverse,", polls, VARY_EVENTS},
      {"letter,", polls, VARY_EVENTS},
      {"warp_meeting,", polls, VARY_EVENTS},
      {"bcast, as written", "lanes pass on a variable that they never set", VARY_EVENTS},
      {"race_add,", race, VARY_RESULTS},
      {"race_add_5_1,", race, VARY_RESULTS},
      {"race_basic,", race, VARY_RESULTS},
      {"write_winner,", race, VARY_RESULTS},
      {"keep_even,", "who draws a place with an atomic first is up to the order of the warps", VARY_RESULTS},
      {"global_max_regions,", "which values raise a maximum is up to the order of the atomics", VARY_EVENTS},
      {"cas_semantics,", apart, VARY_COUNTERS},
      {"cg_coalesced, as written", apart, VARY_COUNTERS},
      {"global_max_warp, as written", apart, VARY_COUNTERS},
      {"histogram_match, as written", apart, VARY_COUNTERS},
      {"histogram_private,", apart, VARY_COUNTERS},
      {"workqueue,", apart, VARY_COUNTERS},
      {"fragments,", "the kernel looks into registers of wmma, and PTX leaves to the chip which of them has which element",
       VARY_EVENTS},
      {"among,", "a linear filter of a GPU may differ in the last bits", VARY_EVENTS},
  };
  for (int i = 0; i < LS_COUNT(known); i++)
    if (strncmp(work->name, known[i].name, strlen(known[i].name)) == 0)
      return is_within(counted, known[i].varies) && is_within(told, known[i].varies) ? known[i].reason : NULL;
  return NULL;
}

// Both runs of a work; false if the GPU is not good for another one.
static bool trace_work(const Options *o, const Work *work, TracedSum *sum) {
  Traced counted, told;
  TracedOptions options = {.emulated = true, .unoptimized = o->unoptimized};
  traced_run(work->module, work->entry, &work->launch, &options, &counted);
  options.blocks = RECORDED_BLOCKS;
  traced_run(work->module, work->entry, &work->launch, &options, &told);
  uint64_t apart = told.counters_differ;
  if (apart)
    printf("- %s: told of apart, %" PRIu64 " counters differ, first %s\n", work->name, apart, told.first_counter);
  told.counters_differ = 0;
  bool agrees = traced_agrees(&counted) && traced_agrees(&told);
  bool ran = counted.ran && told.ran && !counted.faults && !told.faults;
  const char *reason = !agrees && ran ? reason_of_run(work, &counted, &told) : NULL;
  if (!traced_agrees(&counted)) tell_difference(work, "counted", &counted);
  if (!traced_agrees(&told)) tell_difference(work, "told", &told);
  if (reason) printf("  (known: %s)\n", reason);
  sum->launches++;
  sum->agree += agrees;
  sum->explained += reason != NULL;
  sum->apart += apart != 0;
  sum->counters += counted.counters, sum->counters_differ += counted.counters_differ;
  sum->results += told.results, sum->results_differ += told.results_differ;
  sum->differing_bytes += counted.measure.differing_bytes + told.measure.differing_bytes;
  sum->streams.warps += told.streams.warps, sum->streams.equal += told.streams.equal, sum->streams.events += told.streams.events;
  sum->streams.equal_by_lane += told.streams.equal_by_lane;
  return !lost_gpu(&counted) && !lost_gpu(&told);
}

static int part_traced(const Options *o, LsErr *err) {
  Works works = {0};
  TracedSum sum = {0};
  bool ok = o->file ? works_add_list(&works, o->file, err)
                    : works_add_recipes(&works, true, true, err) && works_add_kernels(&works, err);
  int next = 0;
  for (int i = o->from; ok && i < works.count && !next; i++)
    if (is_wanted(o, &works.items[i]) && !trace_work(o, &works.items[i], &sum) && i + 1 < works.count) next = i + 1;
  works_fini(&works);
  if (!ok) return complain(err);
  printf("\n| recipes in both cuts, copies, matrices, textures | %" PRIu64 " |\n| --- | --- |\n", sum.launches);
  printf("| agreed | %" PRIu64 ", and %" PRIu64 " differ for a known reason |\n", sum.agree, sum.explained);
  printf("| counters equal | %" PRIu64 " of %" PRIu64 " |\n", sum.counters - sum.counters_differ, sum.counters);
  printf("| warps whose events are equal | %" PRIu64 ", and %" PRIu64 " lane by lane, of %" PRIu64 " with %" PRIu64 " events |\n", sum.streams.equal,
         sum.streams.equal_by_lane, sum.streams.warps, sum.streams.events);
  printf("| launches in which lanes went on apart for longer while they told events | %" PRIu64 " |\n", sum.apart);
  printf("| bytes of buffers equal to the emulator's | %" PRIu64 " of %" PRIu64 " |\n", sum.results - sum.results_differ, sum.results);
  printf("| bytes that differ from the plain run | %" PRIu64 " |\n", sum.differing_bytes);
  if (next) return go_on(o, next, "");
  return sum.agree + sum.explained == sum.launches && !o->failed ? 0 : 1;
}

// ---- rows: the kernels that Nsight Compute counted before --------------------------------------------------------------

static int part_rows(const Options *o, LsErr *err) {
  CounterRows rows;
  uint64_t values = 0, equal = 0;
  bool ok = counter_rows_read(&rows, err);
  for (int i = 0; ok && i < rows.count; i++) {
    Traced t;
    const CounterRow *row = &rows.rows[i];
    if (!strstr(row->launch.kernel, o->filter)) continue;
    traced_run(rows.module, ptx_find_entry(rows.module, row->launch.kernel, err), &row->launch, &(TracedOptions){.blocks = 0}, &t);
    if (!t.ran) printf("- %s, row %d: %s\n", row->launch.kernel, i + 1, t.err.message);
    for (int k = 0; k < COUNTER_ROW_VALUES; k++, values++) {
      uint64_t told = t.gpu.value[row->id[k]];
      equal += t.ran && told == row->value[k];
      if (t.ran && told != row->value[k])
        printf("- %s, row %d: %s: instrumented %" PRIu64 ", ncu %" PRIu64 "\n", row->launch.kernel, i + 1, counter_def(row->id[k])->name, told,
               row->value[k]);
    }
  }
  int count = rows.count;
  counter_rows_free(&rows);
  if (!ok) return complain(err);
  printf("| rows of h200-counters.csv | counters equal to what ncu read then |\n| --- | --- |\n| %d | %" PRIu64 " of %" PRIu64 " |\n", count, equal,
         values);
  return equal == values ? 0 : 1;
}

// ---- plain launches: for tools that watch this program ---------------------------------------------------------------

typedef struct Buffers { uint8_t **bytes; uint64_t *sizes; int count; } Buffers;

static Buffers buffers_of(const Launch *launch) {
  Buffers b = {.count = launch->arg_count};
  b.bytes = ls_alloc(sizeof *b.bytes * (size_t)(b.count + 1));
  b.sizes = ls_alloc(sizeof *b.sizes * (size_t)(b.count + 1));
  for (int i = 0; i < b.count; i++) {
    const LaunchArg *arg = &launch->args[i];
    if (!arg->is_buffer) continue;
    b.sizes[i] = arg->count * (uint64_t)launch_type_size(arg->type);
    b.bytes[i] = ls_alloc(b.sizes[i] + 1);
    launch_fill(arg, b.bytes[i]);
  }
  return b;
}

static void buffers_drop(Buffers *b) {
  for (int i = 0; i < b->count; i++) free(b->bytes[i]);
  free(b->bytes);
  free(b->sizes);
}

static bool run_plain(Gpu *gpu, const Work *work, int runs, uint64_t *least, LsErr *err) {
  GpuModule *module = gpu_load(gpu, work->module->text, work->module->debug ? 0 : LEVEL_OF_DRIVER, err);
  bool ok = module != NULL;
  *least = UINT64_MAX;
  for (int i = 0; ok && i < runs; i++) {
    uint64_t ns = 0;
    Buffers b = buffers_of(&work->launch);
    ok = gpu_run(gpu, module, work->module->funcs[work->entry].name, &work->launch, b.bytes, b.sizes, runs > 1 ? &ns : NULL, err);
    *least = LS_MIN(*least, ns);
    buffers_drop(&b);
  }
  gpu_unload(gpu, module);
  return ok;
}

// Exactly one launch for each of the works, in their order: `ncu` counts on it.
static bool counted_works(Works *works, LsErr *err) { return works_add_recipes(works, true, false, err) && works_add_rows(works, err); }

static int part_plain(const Options *o, LsErr *err) {
  Works works = {0};
  uint64_t ns;
  Gpu *gpu = gpu_open(err);
  bool ok = gpu && counted_works(&works, err);
  for (int i = 0; ok && i < works.count; i++)
    if (is_wanted(o, &works.items[i])) ok = run_plain(gpu, &works.items[i], 1, &ns, err);
  works_fini(&works);
  gpu_close(gpu);
  return ok ? 0 : complain(err);
}

static int part_instrumented(const Options *o, LsErr *err) {
  Works works = {0};
  int status = 0;
  if (!works_add_recipes(&works, true, true, err) || !works_add_kernels(&works, err)) status = complain(err);
  int next = 0, ran = 0;
  for (int i = o->from; i < works.count && !next; i++) {
    Traced t;
    const Work *work = &works.items[i];
    if (!is_wanted(o, work)) continue;
    traced_run(work->module, work->entry, &work->launch, &(TracedOptions){.blocks = RECORDED_BLOCKS}, &t);
    ran++;
    if (!t.ran || t.faults) printf("- %s: %s\n", work->name, t.ran ? t.fault : t.err.message);
    if (!t.ran || t.faults) status = 1;
    if (lost_gpu(&t) && i + 1 < works.count) next = i + 1;
  }
  printf("%d instrumented kernels ran\n", ran);
  works_fini(&works);
  return next ? go_on(o, next, "") : status || o->failed;
}

static int part_metrics(const Options *o, LsErr *err) {
  LsText text = {0};
  (void)o, (void)err;
  ncu_metrics(&text);
  puts(ls_text_str(&text));
  ls_text_free(&text);
  return 0;
}

// ---- ncu: what it read now, beside what emulator and instrumented kernel say -------------------------------------------

// Why machine code may differ from PTX, if it may: "" is no reason.
static const char *reason(CounterId id, uint64_t ours, uint64_t ncu, const NcuRow *row, const CounterSet *told) {
  bool shared_load = id == COUNTER_SHARED_LOAD_INSTRUCTIONS || id == COUNTER_SHARED_LOAD_WAVEFRONTS || id == COUNTER_SHARED_LOAD_BANK_CONFLICTS;
  bool shared_store = id == COUNTER_SHARED_STORE_INSTRUCTIONS || id == COUNTER_SHARED_STORE_WAVEFRONTS || id == COUNTER_SHARED_STORE_BANK_CONFLICTS;
  CounterId loads = COUNTER_SHARED_LOAD_INSTRUCTIONS, stores = COUNTER_SHARED_STORE_INSTRUCTIONS;
  if (shared_load && row->value.value[loads] < told->value[loads]) return "the assembler merged shared loads into wider ones";
  if (shared_store && row->value.value[stores] < told->value[stores]) return "the assembler merged shared stores into wider ones";
  bool local = id >= COUNTER_LOCAL_LOAD_REQUESTS && id <= COUNTER_LOCAL_STORE_SECTORS;
  if (local && ncu < ours) return "the assembler kept local variables in registers";
  bool global_load = id == COUNTER_GLOBAL_LOAD_REQUESTS || id == COUNTER_GLOBAL_LOAD_SECTORS;
  if (global_load && row->value.value[COUNTER_GLOBAL_LOAD_REQUESTS] < told->value[COUNTER_GLOBAL_LOAD_REQUESTS])
    return "the assembler merged or dropped global loads";
  CounterId reds = COUNTER_GLOBAL_RED_REQUESTS;
  if (id == COUNTER_GLOBAL_RED_SECTORS && ncu < ours && row->value.value[reds] == told->value[reds])
    return "the assembler combines what the lanes bring to one address (REDUX), and one lane takes it there";
  return "";
}

typedef struct Join { uint64_t values, equal, explained, between; } Join;

static void join_row(const Work *work, const Traced *t, const NcuRow *row, Join *sum) {
  for (int i = 0; i < COUNTER_COUNT; i++) {
    if (!row->known[i]) continue;
    uint64_t emulator = t->emulator.value[i], gpu = t->gpu.value[i], ncu = row->value.value[i];
    sum->values++;
    sum->between += emulator == gpu;
    if (emulator == gpu && gpu == ncu) {
      sum->equal++;
      continue;
    }
    const char *why = emulator == gpu ? reason((CounterId)i, gpu, ncu, row, &t->gpu) : "";
    sum->explained += why[0] != '\0';
    printf("| %s | %s | %" PRIu64 " | %" PRIu64 " | %" PRIu64 " | %s |\n", work->name, counter_def((CounterId)i)->name, emulator, gpu, ncu,
           why[0] ? why : "**unexplained**");
  }
}

static int part_ncu(const Options *o, LsErr *err) {
  Works works = {0};
  NcuTable table = {0};
  Join sum = {0};
  bool ok = o->file && counted_works(&works, err) && ncu_read(o->file, &table, err);
  if (ok && table.count != works.count) ok = ls_fail(err, LS_EFORMAT, "%s has %d kernels, %d were launched", o->file, table.count, works.count);
  if (ok) printf("| launch | counter | emulator | instrumented | ncu | why they differ |\n| --- | --- | --- | --- | --- | --- |\n");
  for (int i = 0; ok && i < works.count; i++) {
    Traced t;
    const Work *work = &works.items[i];
    ok = traced_run(work->module, work->entry, &work->launch, &(TracedOptions){.blocks = 0, .emulated = true}, &t);
    if (ok) join_row(work, &t, &table.rows[i], &sum);
    else *err = t.err;
  }
  if (ok)
    printf("\n%d launches: %" PRIu64 " of %" PRIu64 " values are the same in all three, %" PRIu64 " differ for a known reason, %" PRIu64
           " are unexplained; emulator and instrumented kernel agree in %" PRIu64 "\n", works.count, sum.equal, sum.values, sum.explained,
           sum.values - sum.equal - sum.explained, sum.between);
  works_fini(&works);
  ncu_free(&table);
  if (!ok) return o->file ? complain(err) : 2;
  return sum.equal + sum.explained == sum.values ? 0 : 1;
}

// ---- cost ----------------------------------------------------------------------------------------------------------

static bool cost_of(const Options *o, const Work *work, bool events, Traced *t) {
  TracedOptions options = {.all_blocks = events, .timed = true, .unoptimized = o->unoptimized};
  traced_run(work->module, work->entry, &work->launch, &options, t);
  if (!t->ran || t->faults) printf("- %s: %s\n", work->name, t->ran ? t->fault : t->err.message);
  return t->ran && !t->faults;
}

// One line a kernel: name; nanoseconds plain, with counters, with all events; events that did not fit; seconds that the run
// with all events took, from reading the PTX to the last event.
static int part_cost(const Options *o, LsErr *err) {
  Works works = {0};
  int status = works_add_costs(&works, err) ? 0 : complain(err);
  for (int i = 0; i < works.count; i++) {
    Traced counters, events;
    const Work *work = &works.items[i];
    if (!is_wanted(o, work)) continue;
    if (!cost_of(o, work, false, &counters) || !cost_of(o, work, true, &events)) status = 1;
    else printf("cost;%s;%" PRIu64 ";%" PRIu64 ";%" PRIu64 ";%" PRIu64 ";%.2f\n", work->name, counters.measure.median_ns,
                counters.measure.traced_ns, events.measure.traced_ns, events.measure.lost_events, events.seconds);
  }
  works_fini(&works);
  return status;
}

static int by_ratio(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return x < y ? -1 : x > y;
}

typedef struct Ratios { double *values; int count, capacity; } Ratios;

static void ratios_read(Ratios *r, const char *text) {
  char *end;
  for (double value = strtod(text, &end); end != text; value = strtod(text, &end)) {
    LS_PUSH(r->values, r->count, r->capacity, value);
    text = end;
  }
}

static char *ratios_text(const Ratios *r) {
  LsText text = {0};
  for (int i = 0; i < r->count; i++) ls_text_addf(&text, "%.17g ", r->values[i]);
  return ls_text_take(&text);
}

static void tell_ratios(Ratios *r) {
  qsort(r->values, (size_t)r->count, sizeof *r->values, by_ratio);
  if (r->count)
    printf("| median of %d | | %.2f x |\n| the worst | | %.2f x |\n", r->count, r->values[r->count / 2],
           r->values[r->count - 1]);
}

// False: it did not run, and says so.
static bool count_cost(const Options *o, const Work *work, Traced *t, Ratios *ratios) {
  if (!cost_of(o, work, false, t)) return false;
  if (!t->measure.median_ns) return true;
  double ratio = (double)t->measure.traced_ns / (double)t->measure.median_ns;
  printf("| %s | %.1f | %.2f x |\n", work->name, (double)t->measure.median_ns / 1e3, ratio);
  LS_PUSH(ratios->values, ratios->count, ratios->capacity, ratio);
  return true;
}

// What counters cost in kernels of all kinds: those of a list, or the recipes at their sizes for timing.
static int part_counters(const Options *o, LsErr *err) {
  Works works = {0};
  Ratios ratios = {0};
  bool ok = o->file ? works_add_list(&works, o->file, err) : works_add_timed_recipes(&works, err);
  int status = ok ? o->failed : complain(err), next = 0;
  if (!o->from) printf("| kernel | plain, us | counters |\n| --- | --- | --- |\n");
  ratios_read(&ratios, o->found);
  for (int i = o->from; i < works.count && !next; i++) {
    Traced t;
    if (!is_wanted(o, &works.items[i])) continue;
    if (!count_cost(o, &works.items[i], &t, &ratios)) status = 1;
    if (lost_gpu(&t) && i + 1 < works.count) next = i + 1;
  }
  works_fini(&works);
  char *found = ratios_text(&ratios);
  if (next) status = go_on(o, next, found);
  tell_ratios(&ratios);
  free(found);
  free(ratios.values);
  return status;
}

// The same kernels plain, for a tool that slows them down: name; nanoseconds.
static int part_cost_plain(const Options *o, LsErr *err) {
  Works works = {0};
  Gpu *gpu = gpu_open(err);
  bool ok = gpu && works_add_costs(&works, err);
  for (int i = 0; ok && i < works.count; i++) {
    uint64_t least;
    if (!is_wanted(o, &works.items[i])) continue;
    ok = run_plain(gpu, &works.items[i], TIMED_RUNS, &least, err);
    if (ok) printf("plain;%s;%" PRIu64 "\n", works.items[i].name, least);
  }
  works_fini(&works);
  gpu_close(gpu);
  return ok ? 0 : complain(err);
}

// ---- lock ----------------------------------------------------------------------------------------------------------

static bool lock_work(Work *work, LsErr *err) {
  size_t length;
  char *text = source_read("tests/runs/faults/livelock.ptx", 1 << 20, &length, err);
  *work = (Work){.name = "spin_lock", .module = text ? ptx_parse("livelock.ptx", text, length, err) : NULL};
  launch_init(&work->launch);
  free(text);
  work->entry = work->module ? ptx_find_entry(work->module, "spin_lock", err) : -1;
  work->launch.block[0] = 32;
  return work->entry >= 0 && launch_add_arg(&work->launch, "i32[1]=zero", err) && launch_add_arg(&work->launch, "i32[1]=zero", err);
}

// The kernel's lock is free again and its counter is how many lanes have had it.
static bool lock_ends(const Work *work, uint64_t *ns, LsErr *err) {
  Gpu *gpu = gpu_open(err);
  GpuModule *module = gpu ? gpu_load(gpu, work->module->text, LEVEL_OF_DRIVER, err) : NULL;
  Buffers b = buffers_of(&work->launch);
  int32_t lock = -1, count = -1;
  bool ok = module && gpu_run(gpu, module, "spin_lock", &work->launch, b.bytes, b.sizes, ns, err);
  memcpy(&lock, b.bytes[0], sizeof lock);
  memcpy(&count, b.bytes[1], sizeof count);
  if (ok && (lock != 0 || count != 32)) ok = ls_fail(err, LS_EFAULT, "the lock is %d and was had by %d lanes of 32", lock, count);
  buffers_drop(&b);
  if (gpu) gpu_unload(gpu, module);
  gpu_close(gpu);
  return ok;
}

// A lock between the lanes of one warp, taken in a loop and given back behind it. Where lanes have one program counter it
// never ends, and then the alarm ends this program.
static int part_lock(const Options *o, LsErr *err) {
  Work work;
  Traced t = {0};
  uint64_t ns = 0;
  (void)o;
  bool ok = lock_work(&work, err);
  alarm(SECONDS_FOR_LOCK);
  ok = ok && lock_ends(&work, &ns, err);
  if (ok) printf("The lock between the lanes of one warp (`spin_lock` of tests/runs/faults) ends, plain, in %.1f us: 32 lanes had it.\n", (double)ns / 1e3);
  alarm(SECONDS_FOR_LOCK);
  ok = ok && traced_run(work.module, work.entry, &work.launch, &(TracedOptions){.blocks = 0, .emulated = true}, &t);
  alarm(0);
  if (ok && t.results_differ == 0) printf("Instrumented it ends, too, with the results of the `its` emulator.\n");
  if (t.err.kind != LS_OK) *err = t.err;
  launch_fini(&work.launch);
  ptx_module_free(work.module);
  return ok && t.results_differ == 0 ? 0 : complain(err);
}

// ---- all of it -----------------------------------------------------------------------------------------------------

static const struct { const char *name; int (*run)(const Options *o, LsErr *err); bool needs_gpu; } parts[] = {
    {"traced", part_traced, true}, {"rows", part_rows, true}, {"plain", part_plain, true}, {"instrumented", part_instrumented, true},
    {"metrics", part_metrics, false}, {"ncu", part_ncu, true}, {"cost", part_cost, true}, {"cost-plain", part_cost_plain, true},
    {"counters", part_counters, true},
    {"lock", part_lock, true},
};

static int run_part(const Options *o, LsErr *err) {
  for (int i = 0; i < LS_COUNT(parts); i++) {
    if (strcmp(parts[i].name, o->part) != 0) continue;
    Gpu *gpu = parts[i].needs_gpu ? gpu_open(err) : NULL;
    if (parts[i].needs_gpu && !gpu) {
      fprintf(stderr, "SKIPPED: nothing was measured on a GPU: %s\n", err->message);
      return SKIPPED;
    }
    if (gpu) fprintf(stderr, "%s\n", gpu_name(gpu));
    int status = parts[i].run(o, err);   // its many runs find the context made: that takes long, and longer under a tool that watches
    gpu_close(gpu);
    if (status == 2) break;
    return status;
  }
  fprintf(stderr, "usage: measure_gpu");
  for (int i = 0; i < LS_COUNT(parts); i++) fprintf(stderr, "%s%s", i ? "|" : " ", parts[i].name);
  fprintf(stderr, " [--filter TEXT] [--file NCU.csv or LIST] [--optimized 0]\n");
  return 2;
}

// What is started to see where a kernel failed (device/cuda/cuda_rerun.h).
static int serve(void) {
  return serve_run(0, serve_take_output(), &(ServeOptions){.find = dev_here, .program = "measure_gpu"}, NULL) ? 0 : 1;
}

int main(int argc, char **argv) {
  Options options = {.part = argc > 1 ? argv[1] : "", .filter = "", .found = ""};
  LsErr err = {0};
  if (strcmp(options.part, "serve-run") == 0) return serve();
  setvbuf(stdout, NULL, _IOLBF, 0);
  for (int i = 2; i + 1 < argc; i += 2) {
    if (strcmp(argv[i], "--filter") == 0) options.filter = argv[i + 1];
    if (strcmp(argv[i], "--file") == 0) options.file = argv[i + 1];
    if (strcmp(argv[i], "--from") == 0) options.from = LS_MAX(atoi(argv[i + 1]), 0);
    if (strcmp(argv[i], "--failed") == 0) options.failed = true;
    if (strcmp(argv[i], "--found") == 0) options.found = argv[i + 1];
    if (strcmp(argv[i], "--optimized") == 0) options.unoptimized = atoi(argv[i + 1]) == 0;
  }
  return run_part(&options, &err);
}
