// test_cuda_trace.c: the whole path of a GPU run without a GPU: instrumented kernels, run on the driver library that stands in
// for NVIDIA's (tests/fake_cuda), tell what the emulator tells: counters, results, and each warp's events, for every recipe.
#include <dlfcn.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "check.h"
#include "counter_rows.h"
#include "device/cuda/cuda_fault.h"
#include "device/device.h"
#include "device/probe/probe.h"
#include "device/remote/serve.h"
#include "gpu/ncu.h"
#include "gpu/recipes.h"
#include "gpu/traced.h"
#include "script/recipe.h"

static void told(const char *name, const Traced *t) {
  printf("\n%s: ", name);
  if (!t->ran || !t->emulated) printf("%s", t->err.message);
  if (t->counters_differ) printf("%llu of %llu counters differ, first %s; ", (unsigned long long)t->counters_differ,
                                 (unsigned long long)t->counters, t->first_counter);
  if (t->streams.first[0]) printf("%llu of %llu warps equal (%llu by lane), first %s; ", (unsigned long long)t->streams.equal,
                                  (unsigned long long)t->streams.warps, (unsigned long long)t->streams.equal_by_lane,
                                      t->streams.first);
  printf("%llu bytes of %llu not the emulator's, %llu not the plain run's, %llu events lost, %d faults\n",
         (unsigned long long)t->results_differ, (unsigned long long)t->results, (unsigned long long)t->measure.differing_bytes,
         (unsigned long long)t->measure.lost_events, t->faults);
}

static void check_launch(const char *name, const PtxModule *module, const char *entry, const Launch *launch, int blocks) {
  Traced traced;
  LsErr err = {0};
  int index = ptx_find_entry(module, entry, &err);
  traced_run(module, index, launch, &(TracedOptions){.blocks = blocks, .emulated = true}, &traced);
  if (!traced_agrees(&traced)) told(name, &traced);
  CHECK(traced_agrees(&traced));
  CHECK(traced.streams.events > 0 && traced.counters > 0);
}

static void check_recipe(const Recipe *recipe, bool written) {
  Batch batch;
  LsErr err = {0};
  bool ok = recipes_batch(&batch, recipe, written, &err);
  PtxModule *module = ok ? ptx_parse(recipe->name, ls_text_str(&batch.ptx), batch.ptx.length, &err) : NULL;
  if (!module) printf("\n%s: %s\n", recipe->name, err.message);
  CHECK(module != NULL);
  if (module)
    check_launch(batch.programs[0].name, module, batch.programs[0].entry, &batch.programs[0].launch, 4);
  ptx_module_free(module);
  batch_fini(&batch);
}

static void recipes_in_a_cut(bool written) {
  LsErr err = {0};
  RecipeBook *book = recipe_book_open(NULL, &err);
  CHECK(book != NULL);
  for (int i = 0; book && i < book->kernels(book); i++) {
    const Recipe *recipe = book->get(book, book->name(book, i), &err);
    CHECK(recipe != NULL);
    if (!recipe || recipe->sequence || recipe_takes_turns(recipe)) continue;   // a program is its launches
    check_recipe(recipe, written);
  }
  if (book) book->free(book);
}

static void compiled_recipes_tell_the_same(void) { recipes_in_a_cut(false); }

static void written_recipes_tell_the_same(void) { recipes_in_a_cut(true); }

// The same counters that Nsight Compute read for these kernels.
static void measured_kernels_count_the_same(void) {
  CounterRows rows;
  LsErr err = {0};
  bool ok = counter_rows_read(&rows, &err);
  CHECK(ok);
  for (int i = 0; ok && i < rows.count; i++) {
    Traced traced;
    const CounterRow *row = &rows.rows[i];
    int entry = ptx_find_entry(rows.module, row->launch.kernel, &err);
    traced_run(rows.module, entry, &row->launch, &(TracedOptions){.blocks = 0}, &traced);
    CHECK(traced.ran);
    for (int k = 0; k < COUNTER_ROW_VALUES; k++) CHECK_INT(traced.gpu.value[row->id[k]], row->value[k]);
  }
  counter_rows_free(&rows);
}

// ---- times of blocks -----------------------------------------------------------------------------------------------

typedef struct Clocked { TraceSink sink; TraceMeasure measure; int times, calls, tallies; uint64_t warps; } Clocked;

static void hear_times(TraceSink *sink, const TraceBlockTime *times, int count) {
  Clocked *c = (Clocked *)(void *)sink;
  c->calls++;
  c->times = count;
  for (int i = 0; i < count; i++) CHECK(times[i].sm < 132 && times[i].end >= times[i].start);
}

static void hear_tally(TraceSink *sink, const TraceTally *tallies, int count) {
  Clocked *c = (Clocked *)(void *)sink;
  c->tallies++;
  for (int i = 0; i < count; i++) c->warps += tallies[i].warps;
}

static void hear_clock(TraceSink *sink, const TraceMeasure *measure) { ((Clocked *)(void *)sink)->measure = *measure; }

// Where a kernel is timed, its blocks' times are of a run that records nothing else; counters are as without.
static void blocks_are_timed_alone(const PtxModule *module, const Launch *launch) {
  Clocked heard[2];
  for (int timed = 0; timed < 2; timed++) {
    LsErr err = {0};
    TraceInfo info;
    SimOptions options;
    Clocked *c = &heard[timed];
    *c = (Clocked){.sink = {.block_times = hear_times, .tally = hear_tally, .measure = hear_clock}};
    sim_options_init(&options);
    trace_info_init(&info);
    DevRequest request = {.module = module, .entry = ptx_find_entry(module, launch->kernel, &err), .launch = launch,
                          .options = &options, .timed = timed};
    DevRun *run = dev_cuda_here.open(&request, &info, &err);
    CHECK(run && dev_cuda_here.run(run, &c->sink, &err));
    CHECK(c->calls == 1 && (uint64_t)c->times == launch_blocks(launch) && c->tallies == 1);
    CHECK((c->measure.stamped_ns > 0) == timed && (c->measure.runs > 0) == timed);
    dev_cuda_here.close(run);
    trace_info_fini(&info);
  }
  CHECK(heard[0].warps > 0 && heard[0].warps == heard[1].warps);
}

static void stamps_are_all_that_is_put_in(const PtxModule *module, const Launch *launch) {
  LsErr err = {0};
  int entry = ptx_find_entry(module, launch->kernel, &err);
  Probe *stamps = probe_new(module, entry, launch, &(ProbeOptions){.sm_count = 132, .stamps_only = true}, &err);
  Probe *all = probe_new(module, entry, launch, &(ProbeOptions){.sm_count = 132}, &err);
  Probe *counts = probe_new(module, entry, launch, &(ProbeOptions){.sm_count = 132, .no_stamps = true}, &err);
  CHECK(stamps && all && counts);
  const char *texts[] = {strstr(probe_ptx(stamps, NULL), launch->kernel), strstr(probe_ptx(all, NULL), launch->kernel),
                         strstr(probe_ptx(counts, NULL), launch->kernel)};
  CHECK(strstr(texts[0], "%globaltimer") && strstr(texts[1], "%globaltimer") && !strstr(texts[2], "%globaltimer"));
  CHECK(!strstr(texts[0], "lanescope_row, [") && strstr(texts[1], "lanescope_row, ["));
  CHECK(!strstr(texts[0], "red.global.add") && !strstr(texts[0], "call"));
  probe_free(stamps), probe_free(all), probe_free(counts);
}

static void times_of_blocks_are_of_a_run_of_their_own(void) {
  CounterRows rows;
  LsErr err = {0};
  bool ok = counter_rows_read(&rows, &err);
  CHECK(ok);
  for (int i = 0; ok && i < rows.count; i += 4) {
    blocks_are_timed_alone(rows.module, &rows.rows[i].launch);
    stamps_are_all_that_is_put_in(rows.module, &rows.rows[i].launch);
  }
  counter_rows_free(&rows);
}

// ---- faults --------------------------------------------------------------------------------------------------------

// What a sink hears of a kernel that stops: the last events, and the fault before the event that stands for it.
typedef struct Heard { TraceSink sink; TraceEvent last, before; uint64_t events, at; int faults, marks; TraceFault fault; } Heard;

static void hear_event(TraceSink *sink, const TraceEvent *event) {
  Heard *heard = (Heard *)sink;
  heard->before = heard->last;
  heard->last = *event;
  if (event->kind == TRACE_FAULT) {
    CHECK(heard->faults == 1 && event->fault == 0);
    heard->marks++;
    heard->at = heard->events;
  }
  heard->events++;
}

static void hear_fault(TraceSink *sink, const TraceFault *fault) {
  Heard *heard = (Heard *)sink;
  heard->fault = *fault;   // its words are the device's
  heard->faults++;
}

typedef struct Planted { const char *what; FaultKind kind; const char *words; } Planted;

// A driver that is new to this process.
static void begin_anew(void) {
  void (*reset)(void);
  void *library = dlopen(LS_FAKE_CUDA, RTLD_NOW | RTLD_LOCAL), *found = library ? dlsym(library, "fake_cuda_reset") : NULL;
  if (!found) return;
  memcpy(&reset, &found, sizeof found);
  reset();
  dlclose(library);
}

// A kernel that stops with an error runs again in another process, which is this program, too; there its memory lies elsewhere, and
// its records are in memory of the host: the event that it was is among them.
static void fault_is_found(const PtxModule *module, const Planted *planted, bool records) {
  LsErr err = {0};
  Launch launch;
  TraceInfo info;
  SimOptions options;
  Heard heard = {.sink = {.event = hear_event, .fault = hear_fault}};
  int count = 0;
  launch_init(&launch);
  trace_info_init(&info);
  sim_options_init(&options);
  options.record_all = records;
  CHECK(launch_add_arg(&launch, "f32[32]=zero", &err) && launch_add_arg(&launch, planted->what, &err));
  launch.block[0] = 64;
  begin_anew();
  DevRequest request = {.module = module, .entry = ptx_find_entry(module, "fail", &err), .launch = &launch, .options = &options};
  DevRun *run = dev_cuda_here.open(&request, &info, &err);
  CHECK(run && dev_cuda_here.run(run, &heard.sink, &err));
  const TraceFault *fault = run ? dev_cuda_here.faults(run, &count) : NULL;
  CHECK(count == 1 && fault->kind == planted->kind && strstr(fault->message, planted->words));
  CHECK_INT(heard.faults, 1);
  CHECK(fault && fault->pc >= 0 && fault->thread == 0 && fault->block == 0);
  bool is_access = planted->kind == FAULT_OUT_OF_BOUNDS || planted->kind == FAULT_MISALIGNED;
  CHECK(fault && (is_access ? fault->size == 4 && fault->object == 0 : fault->size == 0 && fault->object == -1));
  CHECK(planted->kind != FAULT_OUT_OF_BOUNDS || (fault && fault->distance == 100000000ll * 4 - 32 * 4 &&
                                                   fault->addr == info.objects[0].base + 100000000ull * 4));
  CHECK_INT(heard.marks, records);
  if (records) {   // nothing of that warp is behind it
    CHECK(heard.at == fault->step && heard.at + 1 == heard.events && heard.fault.step == fault->step);
    CHECK(heard.before.pc == fault->pc && heard.before.warp == 0 && heard.last.pc == fault->pc && heard.last.mask & 1);
  } else {
    CHECK(heard.events == 0 && fault->step == UINT64_MAX);
  }
  dev_cuda_here.close(run);
  trace_info_fini(&info);
  launch_fini(&launch);
}

static void faults_are_found(void) {
  static const Planted planted[] = {
      {"i32=1", FAULT_OUT_OF_BOUNDS, "thread (0,0,0) of block (0,0,0) writes 4 bytes at 0x"},
      {"i32=1", FAULT_OUT_OF_BOUNDS, "; kernels.cu:45"},
      {"i32=2", FAULT_MISALIGNED, ", an address that is no multiple of 4; kernels.cu:46"},
      {"i32=3", FAULT_TRAP, "thread (0,0,0) of block (0,0,0): the kernel executed trap; kernels.cu:47"},
      {"i32=4", FAULT_ASSERT, "thread (0,0,0) of block (0,0,0): the assertion 'what != 4' failed in void fail(float *, int); kernels.cu:48"}};
  size_t length;
  LsErr err = {0};
  char *text = ls_file_read(LS_SOURCE_DIR "/tests/fake_cuda/kernels.ptx", 1 << 20, &length, &err);
  PtxModule *module = text ? ptx_parse("kernels.ptx", text, length, &err) : NULL;
  CHECK(module != NULL);
  char folder[256];
  CHECK(check_folder(folder, sizeof folder));
  char *lock = ls_path_join(folder, "gpu");
  setenv("FAKE_CUDA_MODE", "3", 1);     // the other process has to be let in
  setenv("FAKE_CUDA_LOCK", lock, 1);
  for (int i = 0; module && i < 2 * LS_COUNT(planted); i++) fault_is_found(module, &planted[i / 2], i % 2);
  begin_anew();
  unsetenv("FAKE_CUDA_MODE");
  unsetenv("FAKE_CUDA_LOCK");
  unlink(lock);
  rmdir(folder);
  free(lock);
  ptx_module_free(module);
  free(text);
}

// The finder by itself: the buffer of the second run lies elsewhere, a second warp goes wrong too, the first one goes on.
static void what_follows_a_fault_is_left_out(void) {
  static const char ptx[] =
      ".version 7.0\n.target sm_75\n.address_size 64\n.visible .entry k(.param .u64 x)\n{\n"
      ".reg .b64 %rd<2>;\n.reg .b32 %r<2>;\nld.global.u32 %r1, [%rd1];\nst.global.u32 [%rd1], %r1;\nret;\n}\n";
  LsErr err = {0};
  PtxModule *module = ptx_parse("k.ptx", ptx, sizeof ptx - 1, &err);
  Launch launch = {.grid = {2, 1, 1}, .block = {64, 1, 1}};
  TraceObject object = {.name = (char *)"x", .space = TRACE_GLOBAL, .base = 0x1000, .size = 128};
  TraceInfo info = {.objects = &object, .object_count = 1};
  TraceFault fault = {.kind = FAULT_OUT_OF_BOUNDS, .object = -1, .pc = -1, .other_pc = -1, .step = UINT64_MAX};
  Heard heard = {.sink = {.event = hear_event, .fault = hear_fault}};
  CudaMove move = {.from = 0x9000, .to = 0x1000, .size = 128};
  CudaFinder finder;
  CHECK(module != NULL);
  cuda_finder_init(&finder, &heard.sink, true, module, &launch, &info, &fault);
  finder.moves = &move;
  finder.move_count = 1;
  uint64_t good[32] = {0x9000}, bad[32] = {0x9080};
  TraceEvent load = {.kind = TRACE_LOAD, .pc = 0, .active = 1, .mask = 1, .space = TRACE_GLOBAL, .width = 4, .addr = good};
  TraceEvent store = {.kind = TRACE_STORE, .pc = 1, .active = 1, .mask = 1, .space = TRACE_GLOBAL, .width = 4, .addr = bad};
  TraceEvent end = {.kind = TRACE_EXIT, .pc = 2, .active = 1, .mask = 1};
  for (uint32_t block = 0; block < 2; block++) {
    load.block = store.block = end.block = block;
    finder.sink.begin_block(&finder.sink, block, true);
    for (uint16_t warp = 0; warp < 2; warp++) {
      load.warp = store.warp = end.warp = warp;
      finder.sink.event(&finder.sink, &load);
      finder.sink.event(&finder.sink, &store);
      finder.sink.event(&finder.sink, &end);
    }
    finder.sink.end_block(&finder.sink, block);
  }
  CHECK_INT(heard.events, 2 * 4 + 1);   // an access that was right, one that was not, and one mark
  CHECK(heard.at == 2 && heard.marks == 1 && fault.step == 2 && fault.addr == 0x1080 && fault.distance == 0);
  CHECK(strstr(fault.message, "just past the end of x") != NULL);
  free(fault.message);
  ptx_module_free(module);
}

// The first text is the form that the CUDA C++ Programming Guide shows.
static void assertions_are_read(void) {
  static const char *const others[] = {
      "", "a.cu:1: f: block: [0,0", "a.cu:1: f: block: [0,0,0], thread: [1,2,3] Assertion failed", ": block: [0,0,0], thread: [0,0,0] Assertion `x` failed.",
      "a.cu:1: f: block: [0,0,0], thread: [0,0,0] Assertion `x", "some other words\n"};
  Launch launch = {.grid = {4, 3, 2}, .block = {32, 2, 1}};
  TraceFault fault = {.kind = FAULT_ASSERT};
  char *words = cuda_assertion("before\ntest.cu:19: void ns::f<int>(int): block: [1,2,1], thread: [3,1,0] Assertion `a[i] == `b`` failed.\nafter\n", &launch, &fault);
  CHECK_STR(words, "the assertion 'a[i] == `b`' failed in void ns::f<int>(int)");
  CHECK_STR(fault.message, "thread (3,1,0) of block (1,2,1): the assertion 'a[i] == `b`' failed in void ns::f<int>(int); test.cu:19");
  CHECK(fault.thread == 35 && fault.block == 21);
  free(words);
  for (int i = 0; i < LS_COUNT(others); i++) CHECK(cuda_assertion(others[i], &launch, &fault) == NULL);
  free(fault.message);
}

// As ncu --csv --page raw prints it, around the words of the program that it watches.
static void tables_of_ncu_are_read(void) {
  static const char text[] =
      "==PROF== Connected to process 77\nNVIDIA H200\n"
      "\"ID\",\"Kernel Name\",\"Block "
      "Size\",\"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum\",\"smsp__sass_inst_executed_op_shared_ld.sum\"\n"
      "\"\",\"\",\"\",\"sector\",\"inst\"\n\"0\",\"say(\"\"x\"\", int)\",\"(256, 1, 1)\",\"12,345\",\"n/a\"\n"
      "==PROF== Disconnected\n"
      "\"1\",\"copy\",\"(32, 1, 1)\",\"64.0\",\"7\"\n";
  char folder[256];
  NcuTable table;
  LsErr err = {0};
  CHECK(check_folder(folder, sizeof folder));
  char *path = ls_path_join(folder, "ncu.csv");
  CHECK(ls_file_write(path, text, sizeof text - 1, &err) && ncu_read(path, &table, &err));
  CHECK_INT(table.count, 2);
  const NcuRow *rows = table.rows;
  CHECK(table.count == 2 && strcmp(rows[0].kernel, "say(\"x\", int)") == 0 && strcmp(rows[1].kernel, "copy") == 0);
  CHECK(rows[0].known[COUNTER_GLOBAL_LOAD_SECTORS] && rows[0].value.value[COUNTER_GLOBAL_LOAD_SECTORS] == 12345);
  CHECK(!rows[0].known[COUNTER_SHARED_LOAD_INSTRUCTIONS] && !rows[0].known[COUNTER_BARRIERS]);
  CHECK(rows[1].value.value[COUNTER_GLOBAL_LOAD_SECTORS] == 64 && rows[1].value.value[COUNTER_SHARED_LOAD_INSTRUCTIONS] == 7);
  ncu_free(&table);
  CHECK(ls_file_write(path, "nothing\n", 8, &err) && !ncu_read(path, &table, &err));
  CHECK_INT(err.kind, LS_EFORMAT);
  unlink(path);
  rmdir(folder);
  free(path);
}

static const Check checks[] = {
    {"tables of ncu are read", tables_of_ncu_are_read},
    {"compiled recipes tell the same", compiled_recipes_tell_the_same},
    {"written recipes tell the same", written_recipes_tell_the_same},
    {"times of blocks are of a run of their own", times_of_blocks_are_of_a_run_of_their_own},
    {"faults are found", faults_are_found},
    {"what follows a fault is left out", what_follows_a_fault_is_left_out},
    {"assertions are read", assertions_are_read},
    {"measured kernels count the same", measured_kernels_count_the_same},
};

// What a lanescope that is started for the second run does.
static int serve(void) {
  LsErr err = {0};
  setenv("FAKE_CUDA_PLACE", "3", 1);
  return serve_run(0, serve_take_output(), &(ServeOptions){.find = dev_here, .program = "test"}, &err) ? 0 : 1;
}

int main(int argc, char **argv) {
  setenv("LANESCOPE_CUDA_LIBRARY", LS_FAKE_CUDA, 1);
  setenv("FAKE_CUDA_MEMORY", "100000000", 1);     // a quarter of it is for records, and is cleared for every run
  if (argc > 1 && strcmp(argv[1], "serve-run") == 0) return serve();
  return check_main("cuda trace", checks, LS_COUNT(checks), argc, argv);
}
