// test_cuda_here.c: a run on "the first GPU", on the driver library that stands in for one (tests/fake_cuda), with a probe that
// tells nothing: whether launches, memory, times, faults and errors are handled. What a real probe tells is test_cuda_trace.
#include <dlfcn.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "check.h"
#include "device/cuda/cuda_memory.h"
#include "device/cuda/cuda_time.h"
#include "device/device.h"
#include "device/probe/probe.h"

// ---- a probe that tells nothing --------------------------------------------------------------------------------------

// What it replaces in the kernel's text: nothing, a constant (other results), or everything (PTX that is none).
static struct { const char *from, *to; bool spoil; } probe_change;
static bool was_optimized;   // what it was asked for

struct Probe { LsText text; };

Probe *probe_new(const PtxModule *module, int entry, const Launch *launch, const ProbeOptions *options, LsErr *err) {
  (void)entry, (void)launch, (void)err;
  was_optimized = options->optimized;
  CHECK(options->memory_limit >= 16 << 20 && options->sm_count == 132);
  Probe *probe = ls_alloc(sizeof *probe);
  const char *rest = module->text, *at = probe_change.from ? strstr(rest, probe_change.from) : NULL;
  if (probe_change.spoil) ls_text_add(&probe->text, ".version 8.0\n.target sm_75\n.address_size 64\nthis is no PTX;\n");
  if (at) {
    ls_text_addn(&probe->text, rest, (size_t)(at - rest));
    ls_text_add(&probe->text, probe_change.to);
    rest = at + strlen(probe_change.from);
  }
  if (!probe_change.spoil)
    ls_text_addf(&probe->text, "%s\n.visible .global .align 8 .b8 %s[%d];\n", rest, PROBE_CONTEXT, PROBE_CONTEXT_BYTES);
  return probe;
}

void probe_free(Probe *probe) {
  if (probe) ls_text_free(&probe->text);
  free(probe);
}

const char *probe_ptx(const Probe *probe, size_t *length) {
  *length = probe->text.length;
  return ls_text_str(&probe->text);
}

uint64_t probe_memory(const Probe *probe) { return probe ? 4096 : 0; }

uint64_t probe_used(const Probe *probe, const uint8_t head[PROBE_HEAD_BYTES]) {
  CHECK(head[0] == 0);
  return probe_memory(probe) / 2;
}

void probe_watch(Probe *probe, ProbeProgress progress, void *context) { (void)probe, (void)progress, (void)context; }

bool probe_narrow(Probe *probe, const uint8_t head[PROBE_HEAD_BYTES]) {
  (void)probe, (void)head;
  return false;
}

void probe_context(const Probe *probe, uint64_t address, uint8_t bytes[PROBE_CONTEXT_BYTES]) {
  (void)probe;
  memcpy(bytes, &address, sizeof address);
}

void probe_set_image(Probe *probe, int arg, uint64_t handle) { (void)probe, (void)arg, (void)handle; }

void probe_block_times(const Probe *probe, const uint8_t *memory, TraceSink *sink) {
  (void)probe, (void)memory, (void)sink;
}

bool probe_decode(const Probe *probe, const uint8_t *memory, const TraceInfo *info, TraceSink *sink, uint64_t *lost, LsErr *err) {
  (void)probe, (void)info, (void)err;
  for (int i = 0; i < 2048; i++) CHECK(memory[i] == 0);
  if (sink->tally) sink->tally(sink, NULL, 0);
  *lost = 7;
  return true;
}

// ---- one run -------------------------------------------------------------------------------------------------------

typedef struct Heard { TraceSink sink; TraceMeasure measure; int measures, faults, tallies; TraceFault fault; } Heard;

static void hear_measure(TraceSink *sink, const TraceMeasure *measure) {
  Heard *heard = (Heard *)sink;
  heard->measure = *measure;
  heard->measures++;
}

static void hear_fault(TraceSink *sink, const TraceFault *fault) {
  Heard *heard = (Heard *)sink;
  heard->fault = *fault;
  heard->faults++;
}

static void hear_tally(TraceSink *sink, const TraceTally *tallies, int count) {
  (void)tallies, (void)count;
  ((Heard *)sink)->tallies++;
}

typedef struct Case {
  Launch launch;
  SimOptions options;
  TraceInfo info;
  Heard heard;
  DevRun *run;
  LsErr err;
  bool timed, more_follow, unoptimized;
} Case;

static PtxModule *module;

static int ask(const char *name) {
  int (*function)(void);
  void *library = dlopen(LS_FAKE_CUDA, RTLD_NOW | RTLD_LOCAL), *found = library ? dlsym(library, name) : NULL;
  if (!found) return -1;
  memcpy(&function, &found, sizeof found);
  int answer = function();
  dlclose(library);
  return answer;
}

static void case_init(Case *c, uint32_t grid, uint32_t block, const char *const *args) {
  *c = (Case){.heard = {.sink = {.measure = hear_measure, .fault = hear_fault, .tally = hear_tally}}};
  launch_init(&c->launch);
  trace_info_init(&c->info);
  sim_options_init(&c->options);
  c->launch.grid[0] = grid;
  c->launch.block[0] = block;
  for (int i = 0; args[i]; i++)
    if (!launch_add_arg(&c->launch, args[i], &c->err)) printf("%s: %s\n", args[i], c->err.message);
}

static bool case_open(Case *c, const char *kernel) {
  int entry = ptx_find_entry(module, kernel, &c->err);
  DevRequest request = {.module = module, .entry = entry, .launch = &c->launch, .options = &c->options,
                        .timed = c->timed,
                        .more_follow = c->more_follow, .unoptimized = c->unoptimized};
  ask("fake_cuda_reset");
  c->run = dev_cuda_here.open(&request, &c->info, &c->err);
  return c->run != NULL;
}

static bool case_run(Case *c, const char *kernel) {
  return case_open(c, kernel) && dev_cuda_here.run(c->run, &c->heard.sink, &c->err);
}

static void case_fini(Case *c) {
  bool keeps = c->more_follow && c->run && !c->heard.faults;
  dev_cuda_here.close(c->run);
  launch_fini(&c->launch);
  trace_info_fini(&c->info);
  CHECK_INT(ask("fake_cuda_live"), keeps);     // the context
}

#define ARGS(...) ((const char *const[]){__VA_ARGS__, NULL})

static float float_at(const Case *c, int arg, uint64_t index) {
  uint64_t size = 0;
  float value = -1;
  const uint8_t *bytes = dev_cuda_here.buffer(c->run, arg, &size);
  if (bytes && (index + 1) * sizeof value <= size) memcpy(&value, bytes + index * sizeof value, sizeof value);
  return value;
}

// ---- runs that end well ----------------------------------------------------------------------------------------------

static void results_and_measure(void) {
  Case c;
  uint64_t size;
  case_init(&c, 4, 256, ARGS("f32[1000]=iota", "f32[1000]=const:0.5", "f32[1000]=none", "i32=1000"));
  c.timed = true;
  CHECK(case_run(&c, "add"));
  for (uint64_t i = 0; i < 1000; i++) CHECK(float_at(&c, 2, i) == (float)i + 0.5f);
  CHECK(dev_cuda_here.buffer(c.run, 3, &size) == NULL && size == 0);
  CHECK(dev_cuda_here.buffer(c.run, 0, &size) != NULL && size == 4000);
  CHECK(c.heard.measures == 1 && c.heard.faults == 0 && c.heard.tallies == 1);
  const TraceMeasure *m = &c.heard.measure;
  CHECK_INT(m->runs, CUDA_LEAST_RUNS);                      // its times do not spread
  CHECK(m->min_ns >= 2000 && m->min_ns <= m->median_ns && m->median_ns <= m->max_ns && m->traced_ns > 0);
  CHECK(m->registers > 0 && m->local_bytes == 0 && m->static_shared_bytes == 0 && m->blocks_per_sm == 8);
  CHECK(m->cc_major == 9 && m->sm_count == 132 && m->memory_bus_bits == 6144 && m->l2_bytes == 62914560);
  CHECK(m->differing_bytes == 0 && m->lost_events == 7);
  CHECK_STR(m->driver, "CUDA 13.0");
  CHECK(m->date && strlen(m->date) == 10 && m->date[4] == '-');
  CHECK_STR(c.info.device_name, "NVIDIA H200 (fake)");
  CHECK_STR(c.info.profile, "h200");
  CHECK_STR(dev_cuda_here.output(c.run), "");
  case_fini(&c);
}

static const TraceObject *object_named(const TraceInfo *info, const char *name) {
  for (int i = 0; i < info->object_count; i++)
    if (strcmp(info->objects[i].name, name) == 0) return &info->objects[i];
  return NULL;
}

// Buffers where the GPU has them; shared memory laid out as the emulator does.
static void objects_have_addresses(void) {
  Case c;
  case_init(&c, 1, 32, ARGS("y=f32[64]=zero", "x=u32[3]=zero"));
  c.launch.args[0].by_name = c.launch.args[1].by_name = false;
  CHECK(case_run(&c, "again"));
  const TraceObject *y = object_named(&c.info, "y"), *x = object_named(&c.info, "x"), *total = object_named(&c.info, "total");
  CHECK(y && y->arg == 0 && y->size == 256 && y->space == TRACE_GLOBAL && y->base >= 0x200000000u && y->base < 0x300000000u);
  CHECK(x && x->arg == 1 && x->size == 12 && y && x->base > y->base);
  CHECK(total && total->arg == -1 && total->size == 4 && total->base > 0x7f0000000000u);
  for (int i = 1; i < c.info.object_count; i++)
    CHECK(c.info.objects[i].space != TRACE_GLOBAL || c.info.objects[i - 1].space != TRACE_GLOBAL ||
          c.info.objects[i].base > c.info.objects[i - 1].base);
  case_fini(&c);
}

// Timed runs begin with the inputs of the first: buffers and variables of the module.
static void inputs_are_restored(void) {
  Case c;
  uint64_t size;
  uint32_t total = 0;
  case_init(&c, 1, 64, ARGS("f32[64]=iota", "u32[1]=zero"));
  c.timed = true;
  CHECK(case_run(&c, "again"));
  for (uint64_t i = 0; i < 64; i++) CHECK(float_at(&c, 0, i) == (float)i * 2.5f + 1);
  const uint8_t *bytes = dev_cuda_here.buffer(c.run, 1, &size);
  if (bytes) memcpy(&total, bytes, sizeof total);
  CHECK_INT(total, 64);
  CHECK_INT(c.heard.measure.differing_bytes, 0);
  case_fini(&c);
}

static void unwritten_memory_is_poisoned(void) {
  Case c;
  uint64_t size;
  case_init(&c, 1, 16, ARGS("u8[16]=none", "u8[16]=zero"));
  CHECK(case_run(&c, "copy"));
  const uint8_t *bytes = dev_cuda_here.buffer(c.run, 1, &size);
  for (int i = 0; bytes && i < 16; i++) CHECK_INT(bytes[i], CUDA_POISON);
  CHECK_INT(c.heard.measure.runs, 0);                       // nobody asked for times
  case_fini(&c);
}

static void empty_buffers_are_fine(void) {
  Case c;
  uint64_t size = 1;
  case_init(&c, 1, 32, ARGS("f32[1]=none", "f32[1]=zero", "f32[1]=zero", "i32=0"));
  for (int i = 0; i < 3; i++) c.launch.args[i].count = 0;
  bool ok = case_run(&c, "add");
  CHECK(ok);
  if (ok) dev_cuda_here.buffer(c.run, 0, &size);
  CHECK_INT(size, 0);
  case_fini(&c);
}

static void large_shared_memory_is_allowed(void) {
  Case c;
  case_init(&c, 1, 64, ARGS("u32[64]=zero", "i32=25600"));
  c.launch.shared_bytes = 100 << 10;
  CHECK(case_run(&c, "shared"));
  uint64_t size;
  uint32_t first = 0;
  const uint8_t *bytes = dev_cuda_here.buffer(c.run, 0, &size);
  if (bytes) memcpy(&first, bytes, sizeof first);
  CHECK_INT(first, 25599);
  case_fini(&c);
  case_init(&c, 1, 64, ARGS("u32[64]=zero", "i32=25600"));
  c.launch.shared_bytes = 300 << 10;
  CHECK(!case_open(&c, "shared"));
  CHECK_INT(c.err.kind, LS_EREQUEST);
  CHECK(strstr(c.err.message, "307200") && strstr(c.err.message, "232448"));
  case_fini(&c);
}

// A block that is too large for the registers that the compiler took: told of optimized code, made to fit where code is as written.
static void registers_are_for_threads(void) {
  Case c;
  case_init(&c, 1, 1024, ARGS("u32[1]=zero"));
  CHECK(!case_open(&c, "wide"));
  CHECK_INT(c.err.kind, LS_EREQUEST);
  CHECK(strstr(c.err.message, "takes 76 registers a thread, so that a block has 768 threads at most, not 1024") &&
        strstr(c.err.message, "__launch_bounds__(1024)"));
  case_fini(&c);
  case_init(&c, 1, 768, ARGS("u32[1]=zero"));
  CHECK(case_run(&c, "wide"));
  case_fini(&c);
  ((PtxModule *)module)->debug = true;
  case_init(&c, 1, 1024, ARGS("u32[1]=zero"));
  CHECK(case_run(&c, "wide"));
  CHECK_INT(c.heard.measure.registers, 64);
  case_fini(&c);
  ((PtxModule *)module)->debug = false;
}

// What counts and tells is no part of what -G is for.
static void instrumented_code_is_optimized(void) {
  Case c;
  for (int i = 0; i < 2; i++) {
    case_init(&c, 2, 32, ARGS("f32[64]=iota", "u32[1]=zero"));
    c.unoptimized = i == 1;
    CHECK(case_run(&c, "again"));
    CHECK_INT(was_optimized, i == 0);
    case_fini(&c);
  }
}

// The driver prints into the buffer of standard output: that must come to light once, and not there.
static void output_is_caught(void) {
  Case c;
  char folder[256];
  CHECK(check_folder(folder, sizeof folder));
  char *path = ls_path_join(folder, "stdout");
  fflush(stdout);
  int saved = dup(1), file = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
  dup2(file, 1);
  case_init(&c, 2, 32, ARGS("i32=1"));
  c.timed = true;
  bool ok = case_run(&c, "print");
  fflush(stdout);
  off_t leaked = lseek(file, 0, SEEK_END);
  dup2(saved, 1);
  close(saved);
  close(file);
  CHECK(ok && leaked == 0);
  CHECK_STR(dev_cuda_here.output(c.run), "thread 0 of block 0\nthread 0 of block 1\n");
  case_fini(&c);
  unlink(path);
  rmdir(folder);
  free(path);
}

static void differences_are_counted(void) {
  Case c;
  probe_change.from = "add.f32", probe_change.to = "sub.f32";
  case_init(&c, 1, 64, ARGS("f32[64]=const:1", "f32[64]=const:1", "f32[64]=zero", "i32=64"));
  CHECK(case_run(&c, "add"));
  CHECK_INT(c.heard.measure.differing_bytes, 64);           // 2 is 0x40000000, 0 is 0
  case_fini(&c);
  probe_change.from = NULL;
}

// ---- runs that do not ------------------------------------------------------------------------------------------------

static void faults_have_names(void) {
  static const struct { const char *what; FaultKind kind; } faults[] = {
      {"i32=1", FAULT_OUT_OF_BOUNDS}, {"i32=2", FAULT_MISALIGNED}, {"i32=3", FAULT_TRAP}, {"i32=4", FAULT_ASSERT}};
  for (int i = 0; i < LS_COUNT(faults); i++) {
    Case c;
    int count;
    uint64_t size;
    case_init(&c, 1, 32, ARGS("f32[32]=zero", faults[i].what));
    c.timed = true;
    CHECK(case_run(&c, "fail"));
    CHECK(c.heard.faults == 1 && c.heard.measures == 1);
    const TraceFault *fault = dev_cuda_here.faults(c.run, &count);
    CHECK_INT(count, 1);
    CHECK(fault->kind == faults[i].kind && fault->pc == -1 && fault->object == -1 && fault->step == UINT64_MAX &&
          fault->count == 1);
    CHECK(fault->message &&
          strstr(fault->message, faults[i].kind == FAULT_ASSERT ? "the assertion 'what != 4' failed in" : "--device emu"));
    CHECK(dev_cuda_here.buffer(c.run, 0, &size) == NULL && size == 0);   // what was there is gone with the GPU's memory
    CHECK_INT(c.heard.measure.runs, 0);
    case_fini(&c);
  }
}

static void refuses(const char *kernel, const char *const *args, LsErrKind kind, const char *words) {
  Case c;
  case_init(&c, 1, 32, args);
  CHECK(!case_open(&c, kernel));
  CHECK_INT(c.err.kind, kind);
  if (!strstr(c.err.message, words)) printf("\n  got %s\n", c.err.message);
  CHECK(strstr(c.err.message, words) != NULL);
  CHECK(c.info.object_count == 0);
  case_fini(&c);
}

static void bad_requests_are_refused(void) {
  refuses("add", ARGS("f32[4]=zero"), LS_EREQUEST, "takes 4 arguments");
  refuses("print", ARGS("f64=1"), LS_EREQUEST, "argument 1 of print");
  refuses("print", ARGS("tex.f32[4]=iota"), LS_EREQUEST, "argument 1 of print");
  setenv("FAKE_CUDA_MEMORY", "50000000", 1);
  refuses("copy", ARGS("u8[40000000]=zero", "u8[20000000]=zero"), LS_EREQUEST, "more than the 0.050 GB of NVIDIA H200");
  refuses("copy", ARGS("u8[25000000]=zero", "u8[24999000]=zero"), LS_ENOMEM,
          "memory for what the instrumented kernel tells: 0.000 GB were asked for; NVIDIA H200 (fake) has 0.000 GB free of 0.050 GB");
  unsetenv("FAKE_CUDA_MEMORY");
  setenv("FAKE_CUDA_VERSION", "10020", 1);      // PTX 6.5: too old to read what compilers write today
  refuses("copy", ARGS("u8[1]=zero", "u8[1]=zero"), LS_EENV, "takes PTX up to version 6.5; this kernel is PTX 9.0");
  unsetenv("FAKE_CUDA_VERSION");
  setenv("FAKE_CUDA_CC", "60", 1);
  refuses("copy", ARGS("u8[1]=zero", "u8[1]=zero"), LS_EENV, "compute capability 6.0");
  unsetenv("FAKE_CUDA_CC");
}

static void the_compilers_words_are_told(void) {
  probe_change.spoil = true;
  refuses("copy", ARGS("u8[1]=zero", "u8[1]=zero"), LS_EREQUEST, "this is no PTX;");
  probe_change.spoil = false;
}

static void runs_with(const char *setting, const char *value) {
  Case c;
  setenv(setting, value, 1);
  case_init(&c, 1, 16, ARGS("u8[16]=iota", "u8[16]=zero"));
  bool ran = case_run(&c, "copy");
  if (!ran) printf("%s=%s: %s\n", setting, value, c.err.message);
  CHECK(ran);
  case_fini(&c);
  unsetenv(setting);
}

// Nothing in these kernels is new: they run under an older driver's own version, and for an older GPU. What is new is told with
// both versions.
static void older_drivers_and_gpus_do(void) {
  runs_with("FAKE_CUDA_VERSION", "12040");
  runs_with("FAKE_CUDA_VERSION", "11000");
  runs_with("FAKE_CUDA_CC", "70");
  probe_change.from = "ld.global.u8", probe_change.to = "ld.unheard_of.u8";
  setenv("FAKE_CUDA_VERSION", "12040", 1);
  refuses("copy", ARGS("u8[1]=zero", "u8[1]=zero"), LS_EENV, "takes PTX up to version 8.4; this kernel is PTX 9.0");
  refuses("copy", ARGS("u8[1]=zero", "u8[1]=zero"), LS_EENV, "Given to it as PTX 8.4, its compiler says:");
  refuses("copy", ARGS("u8[1]=zero", "u8[1]=zero"), LS_EENV, "ld.unheard_of.u8");
  unsetenv("FAKE_CUDA_VERSION");
  setenv("FAKE_CUDA_CC", "70", 1);
  refuses("copy", ARGS("u8[1]=zero", "u8[1]=zero"), LS_EREQUEST,
          "compiled for sm_75 (compute capability 7.5); NVIDIA H200 (fake) has 7.0");
  unsetenv("FAKE_CUDA_CC");
  probe_change.from = NULL;
}

static void a_run_can_be_canceled(void) {
  Case c;
  _Atomic bool cancel = true;
  case_init(&c, 1, 32, ARGS("u8[64]=zero", "u8[64]=zero"));
  c.options.cancel = &cancel;
  CHECK(!case_run(&c, "copy"));
  CHECK_INT(c.err.kind, LS_ECANCEL);
  case_fini(&c);
}

// The driver fails at its first call, at its second, ...: each time there is a sentence, and nothing is left over.
static void every_failure_is_told(void) {
  int codes[] = {999, 2, 700, 12345}, calls;
  char text[16];
  Case c;
  case_init(&c, 2, 32, ARGS("f32[64]=iota", "u32[1]=zero"));
  c.timed = true;
  CHECK(case_run(&c, "again"));
  dev_cuda_here.close(c.run);
  c.run = NULL;
  calls = ask("fake_cuda_calls");
  case_fini(&c);
  CHECK(calls > 80);
  for (int n = 1; n <= calls * LS_COUNT(codes); n++) {
    snprintf(text, sizeof text, "%d", (n - 1) / LS_COUNT(codes) + 1);
    setenv("FAKE_CUDA_FAIL_AT", text, 1);
    snprintf(text, sizeof text, "%d", codes[n % LS_COUNT(codes)]);
    setenv("FAKE_CUDA_ERROR", text, 1);
    case_init(&c, 2, 32, ARGS("f32[64]=iota", "u32[1]=zero"));
    c.timed = true;
    bool ok = case_run(&c, "again");
    CHECK(ok || (c.err.kind != LS_OK && strlen(c.err.message) > 20));
    unsetenv("FAKE_CUDA_FAIL_AT");
    case_fini(&c);
  }
  unsetenv("FAKE_CUDA_ERROR");
}

// The context goes from run to run, and with the last one, or with one that has a fault.
static void a_gpu_is_kept_for_what_follows(void) {
  static const struct { const char *kernel; bool more_follow; } rows[] = {
      {"again", true}, {"again", true}, {"again", false}, {"again", true}, {"fail", true}, {"again", true},
          {"again", false}};
  for (int i = 0; i < LS_COUNT(rows); i++) {
    Case c;
    bool fails = strcmp(rows[i].kernel, "fail") == 0;
    case_init(&c, 2, 32, fails ? ARGS("f32[64]=iota", "i32=3") : ARGS("f32[64]=iota", "u32[1]=zero"));
    c.more_follow = rows[i].more_follow;
    CHECK(case_run(&c, rows[i].kernel));
    CHECK_INT(c.heard.faults, fails);
    if (!fails) CHECK(float_at(&c, 0, 5) == 5 * 2.5f + 1);
    case_fini(&c);
  }
}

// ---- times ---------------------------------------------------------------------------------------------------------

static void times_in_three_numbers(void) {
  CudaTimes times = {.ns = {30, 10, 20, 40}, .count = 4};
  TraceMeasure m = {0};
  cuda_times_tell(&times, &m);
  CHECK(m.runs == 4 && m.min_ns == 10 && m.median_ns == 25 && m.max_ns == 40);
  times.count = 3;
  cuda_times_tell(&times, &m);
  CHECK(m.runs == 3 && m.min_ns == 10 && m.median_ns == 20 && m.max_ns == 30);
  times.count = 0;
  cuda_times_tell(&times, &m);
  CHECK(m.runs == 0 && m.min_ns == 0 && m.median_ns == 0 && m.max_ns == 0);
}

static void enough_runs_are_enough(void) {
  CudaTimes times = {.count = 0};
  for (int i = 0; i < CUDA_MOST_RUNS; i++) times.ns[i] = 1000;
  times.count = CUDA_LEAST_RUNS - 1;
  CHECK(!cuda_times_are_enough(&times, 100));
  times.count = CUDA_LEAST_RUNS;
  CHECK(cuda_times_are_enough(&times, 0));
  for (int i = 0; i < CUDA_MOST_RUNS; i++) times.ns[i] = 1000 + 100 * (uint64_t)(i % 7);
  times.count = 50;
  CHECK(!cuda_times_are_enough(&times, 0.99));
  CHECK(cuda_times_are_enough(&times, 1.0));
  times.count = CUDA_MOST_RUNS;
  CHECK(cuda_times_are_enough(&times, 0));
}

static const Check checks[] = {
    {"results and measure", results_and_measure},
    {"objects have addresses", objects_have_addresses},
    {"inputs are restored", inputs_are_restored},
    {"unwritten memory is poisoned", unwritten_memory_is_poisoned},
    {"empty buffers are fine", empty_buffers_are_fine},
    {"large shared memory is allowed", large_shared_memory_is_allowed},
    {"registers are for threads", registers_are_for_threads},
    {"instrumented code is optimized", instrumented_code_is_optimized},
    {"output is caught", output_is_caught},
    {"differences are counted", differences_are_counted},
    {"faults have names", faults_have_names},
    {"bad requests are refused", bad_requests_are_refused},
    {"the compiler's words are told", the_compilers_words_are_told},
    {"older drivers and gpus do", older_drivers_and_gpus_do},
    {"a run can be canceled", a_run_can_be_canceled},
    {"every failure is told", every_failure_is_told},
    {"a GPU is kept for what follows", a_gpu_is_kept_for_what_follows},
    {"times in three numbers", times_in_three_numbers},
    {"enough runs are enough", enough_runs_are_enough},
};

// The stand-in counts registers as they are declared: this makes 16 + 240 / 4.
static const char wide_kernel[] =
    ".visible .entry wide(.param .u64 wide_out)\n{\n.reg .b32 %w<240>;\nmov.u32 %w0, 1;\nret;\n}\n";

int main(int argc, char **argv) {
  size_t length;
  LsErr err = {0};
  setenv("LANESCOPE_CUDA_LIBRARY", LS_FAKE_CUDA, 1);
  char *text = ls_file_read(LS_SOURCE_DIR "/tests/fake_cuda/kernels.ptx", 1 << 20, &length, &err);
  char *more = text ? ls_format("%s%s", text, wide_kernel) : NULL;
  module = more ? ptx_parse("kernels.ptx", more, strlen(more), &err) : NULL;
  free(more);
  free(text);
  if (!module) fprintf(stderr, "%s\n", err.message);
  int status = module ? check_main("cuda here", checks, LS_COUNT(checks), argc, argv) : 99;
  ptx_module_free(module);
  return status;
}
