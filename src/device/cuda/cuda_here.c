// cuda_here.c: the first GPU of this machine as a device, in this process. A kernel that hangs hangs the caller: who
// runs
// kernels that it does not know does so in a child (serve-run), and watches its time.
//
//   plain PTX ---------> run, results kept; run again and again for its time; registers, occupancy
//   probe_new(plain) --> inputs as before; run once; results, compared with those kept; records, decoded into the sink
//                        (once more, of fewer blocks, if the records did not fit)
//   probe_new(stamps) -> if the kernel is timed: run once, and the times of blocks are from there
//
// A kernel that faults takes the GPU away from this process. Then another process runs it again, instrumented
// (cuda_rerun.h): the
// events up to the fault, and among them the access that it was. That other process is this file, too, with
// request.stops.
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "device/capture.h"
#include "base/clock.h"
#include "device/cuda/cuda_rerun.h"
#include "device/cuda/cuda_code.h"
#include "device/cuda/cuda_context.h"
#include "device/cuda/cuda_fault.h"
#include "device/cuda/cuda_limits.h"
#include "device/cuda/cuda_memory.h"
#include "device/cuda/cuda_program.h"
#include "device/cuda/cuda_time.h"
#include "device/device.h"
#include "device/probe/probe.h"

enum { WARM_RUNS = 20, MOST_OUTPUT = 1 << 20, LEAST_RECORDS = 16 << 20, HOST_RECORDS = 64 << 20, MOST_NARROWINGS = 3,
       ENOUGH_REGISTERS = 64 };
#define MOST_RECORDS (1ull << 30)
static const double WARM_SECONDS = 0.03;
#define SHORT_NS (5ull * 1000 * 1000)

struct DevRun {
  DevRequest request;            // what it points to is borrowed
  TraceInfo *info;               // borrowed
  Driver *driver;
  GpuFacts facts;
  void *context;
  Sim *layout;
  Probe *probe, *stamps;         // stamps NULL: the probe has them
  CudaCode plain, traced, stamped;
  uint8_t *stamped_memory;       // what the blocks told in it
  CudaWait wait;
  CudaMemory memory;
  DriverAddress records;         // the memory that the probe writes
  uint8_t *host_records;         // the same as the host sees it, after a fault; NULL: it is the GPU's
  uint8_t **plain_results, **results;   // per argument; NULL: not known
  TraceFault fault; int fault_count;    // a GPU stops at the first
  TraceMeasure measure;
  char *output;
  char *assertion;               // "the assertion 'n > 0' failed in f", as the driver said; NULL: it did not
  double opened;                 // when: seconds
};

// ---- opening -------------------------------------------------------------------------------------------------------

static void tell_stage(const DevRun *run, DevStage stage) {
  if (run->request.stage) run->request.stage(run->request.context, stage);
}

static bool find_device(DevRun *run, LsErr *err) {
  tell_stage(run, DEV_STAGE_WAKING);
  setenv("CUDA_MODULE_LOADING", "EAGER", 0);   // else a kernel is loaded by its first launch, and its time has that
                                               // in it
  run->driver = driver_open(err);
  return run->driver && gpu_first(run->driver, &run->facts, err) && gpu_is_open(&run->facts, err) &&
         gpu_may_take(&run->facts, run->request.module, err);
}

static bool connect(DevRun *run, LsErr *err) {
  run->context = cuda_context_take(run->driver, &run->facts, err);
  if (!run->context) return false;
  cuda_limits(run->driver, &run->facts, run->request.module);
  return true;
}

static bool make_layout(DevRun *run, LsErr *err) {
  SimOptions options;
  if (!cuda_images_can_be(run->driver, run->request.module, run->request.launch, err)) return false;
  sim_options_init(&options);
  options.max_shared = (uint64_t)LS_MAX(run->facts.shared_optin, run->facts.shared_per_block);
  run->layout = sim_layout_new(run->request.module, run->request.entry, run->request.launch, &options, err);
  return run->layout != NULL;
}

// A quarter of what is free at most, so that the buffers still fit.
static uint64_t record_room(const DevRun *run) {
  size_t room = 0, total = 0;
  if (!run->driver->memory_info || run->driver->memory_info(&room, &total) != 0) room =
      (size_t)(run->facts.memory_bytes / 2);
  return LS_CLAMP(room / 4, (uint64_t)LEAST_RECORDS, MOST_RECORDS);
}

static bool records_events(const DevRun *run) { return run->request.options->record_block ||
                                               run->request.options->record_all; }

static bool make_probe(DevRun *run, LsErr *err) {
  const SimOptions *wanted = run->request.options;
  ProbeOptions options = {.record_block = wanted->record_block, .record_all = wanted->record_all,
                          .record_limit = wanted->record_limit, .sm_count = run->facts.sm_count,
                          .optimized = !run->request.unoptimized, .stops = run->request.stops,
                          .memory_limit = run->request.stops ? HOST_RECORDS : record_room(run)};
  ProbeOptions stamps = {.sm_count = run->facts.sm_count, .memory_limit = options.memory_limit, .stamps_only = true};
  options.no_stamps = run->request.timed && !run->request.stops;
  const DevRequest *r = &run->request;
  run->probe = probe_new(r->module, r->entry, r->launch, &options, err);
  if (run->probe && options.no_stamps) run->stamps = probe_new(r->module, r->entry, r->launch, &stamps, err);
  return run->probe && (run->stamps || !options.no_stamps);
}

// Registers that a thread of the instrumented kernel may have, so that it runs with as many threads as the plain one.
static int most_registers(const DevRun *run) {
  return cuda_most_registers(&run->facts, (int)launch_warps(run->request.launch));
}

// What counts has more registers than the plain kernel, and waits less with fewer: then more warps run at once.
static int most_for_counters(const DevRun *run) {
  int most = most_registers(run), plain = ENOUGH_REGISTERS;
  if (!records_events(run) && run->plain.driver)
    run->driver->function_get(&plain, DRIVER_FUNCTION_REGISTERS, run->plain.function);
  return plain < ENOUGH_REGISTERS && (most == 0 || most > ENOUGH_REGISTERS) ? ENOUGH_REGISTERS : most;
}

static bool load(DevRun *run, CudaCode *code, const char *ptx, int registers, LsErr *err) {
  const DevRequest *r = &run->request;
  return cuda_code_load(code, run->driver, &run->facts, r->module, r->entry, ptx, registers, err) &&
         cuda_code_allow_shared(code, &run->facts, r->launch, err);
}

// A block may be too large for the registers that the compiler took. In the as-written cut their number says
// nothing, so there it is
// made to take fewer.
static bool load_plain(DevRun *run, LsErr *err) {
  const PtxModule *module = run->request.module;
  int most = 0, registers = 0, threads = (int)launch_threads(run->request.launch);
  const Driver *driver = run->driver;
  if (!load(run, &run->plain, module->text, 0, err)) return false;
  if (driver->function_get(&most, DRIVER_FUNCTION_MAX_THREADS, run->plain.function) != 0 || most >=
      threads) return true;
  driver->function_get(&registers, DRIVER_FUNCTION_REGISTERS, run->plain.function);
  if (!module->debug)
    return ls_fail(err, LS_EREQUEST,
                   "compiled for %s this kernel takes %d registers a thread, so that a block has %d threads at most, not %d.\n"
                   "Take smaller blocks, or compile it with __launch_bounds__(%d)", run->facts.name, registers, most,
                       threads, threads);
  cuda_code_free(&run->plain);
  return load(run, &run->plain, module->text, most_registers(run), err);
}

static bool load_code(DevRun *run, LsErr *err) {
  size_t length;
  tell_stage(run, DEV_STAGE_COMPILING);
  if (!run->request.stops && !load_plain(run, err)) return false;
  if (!load(run, &run->traced, probe_ptx(run->probe, &length), most_for_counters(run), err)) return false;
  if (run->stamps && !load(run, &run->stamped, probe_ptx(run->stamps, &length), most_registers(run), err)) return false;
  if (run->request.timed) cuda_wait_load(&run->wait, run->driver);
  run->plain.wait = run->traced.wait = &run->wait;
  return true;
}

// The argument with the contents of a variable, -1.
static int contents_of(const DevRun *run, int var) {
  const Launch *launch = run->request.launch;
  for (int i = 0; i < launch->arg_count; i++)
    if (launch->args[i].role == LAUNCH_VARIABLE && sim_layout_arg_var(run->layout, i) == var) return i;
  return -1;
}

// The compiler may have dropped a variable that nobody uses: then it has no address.
static bool place_variables(DevRun *run, LsErr *err) {
  const PtxModule *module = run->request.module;
  for (int v = 0; v < module->var_count; v++) {
    DriverAddress address;
    size_t size;
    const PtxVar *var = &module->vars[v];
    bool opaque = var->type >= PTX_TEXREF && var->type <= PTX_SURFREF;   // no memory, says the driver
    int given = contents_of(run, v);
    bool wanted = var->space == PTX_GLOBAL || (var->space == PTX_CONST && given >= 0);
    if (!wanted || var->func >= 0 || var->size <= 0 || opaque) continue;
    bool found = cuda_code_variable(&run->traced, var->name, &address, &size);
    if (found && var->space == PTX_GLOBAL) sim_layout_place_variable(run->layout, v, address);
    if (found && given >= 0 && !cuda_memory_add_variable(&run->memory, address, size, given, true, err)) return false;
    const CudaCode *others[] = {&run->plain, &run->stamped};
    for (int i = 0; i < LS_COUNT(others); i++) {
      bool there = others[i]->driver && cuda_code_variable(others[i], var->name, &address, &size);
      if (there && !cuda_memory_add_variable(&run->memory, address, size, given, false, err)) return false;
    }
  }
  return true;
}

static bool take_records(DevRun *run, LsErr *err) {
  static const char what[] = "memory for what the instrumented kernel tells";
  const Driver *driver = run->driver;
  uint64_t size = probe_memory(run->probe);
  void *bytes = NULL;
  if (run->stamps) size = LS_MAX(size, probe_memory(run->stamps));
  if (!run->request.stops) return cuda_take(driver, &run->facts, size, what, &run->records, err);
  if (!driver->host_take || !driver->host_address || !driver->host_free)
    return ls_fail(err, LS_EENV, "the driver is too old to give a GPU memory of the host");
  if (!driver_good(driver, driver->host_take(&bytes, (size_t)size, DRIVER_HOST_MAPPED), what, err)) return false;
  run->host_records = bytes;
  return driver_good(driver, driver->host_address(&run->records, bytes, 0), what, err);
}

// As a parameter of the kernel, or as a variable of both modules.
static bool place_image(DevRun *run, int arg, const CudaImage *image, LsErr *err) {
  int var = sim_layout_arg_var(run->layout, arg);
  const CudaCode *codes[] = {&run->plain, &run->traced, &run->stamped};
  if (var < 0) {
    sim_layout_place_image(run->layout, arg, image->object);
    probe_set_image(run->probe, arg, image->object);
    return true;
  }
  for (int i = 0; i < LS_COUNT(codes); i++)
    if (codes[i]->driver && !cuda_image_bind(run->driver, &run->request.launch->args[arg], image, codes[i]->handle,
                                             run->request.module->vars[var].name, err))
      return false;
  return true;
}

static bool place_memory(DevRun *run, LsErr *err) {
  const Launch *launch = run->request.launch;
  cuda_memory_init(&run->memory, run->driver, &run->facts, launch);
  if (!cuda_memory_add_buffers(&run->memory, run->layout, run->request.module, run->request.entry, err) ||
      !place_variables(run, err))
    return false;
  cuda_memory_link(&run->memory);
  for (int i = 0; i < launch->arg_count; i++) {
    const CudaPiece *piece = cuda_memory_buffer(&run->memory, i, true);
    bool is_image = launch->args[i].image.kind != LAUNCH_NO_IMAGE;
    if (is_image && !piece)
      return ls_fail(err, LS_EREQUEST,
                     "argument %d is a texture or surface without texels: give it a size and contents", i + 1);
    if (is_image && !place_image(run, i, &piece->image, err)) return false;
    if (piece && !is_image && !piece->is_variable) sim_layout_place_buffer(run->layout, i, piece->address);
  }
  return take_records(run, err);
}

// All that is of the context, and the context.
static void leave_gpu(DevRun *run) {
  if (run->host_records) run->driver->host_free(run->host_records);
  else if (run->records) run->driver->memory_free(run->records);
  if (run->memory.driver) cuda_memory_free(&run->memory);
  if (run->plain.driver) cuda_code_free(&run->plain);
  if (run->traced.driver) cuda_code_free(&run->traced);
  if (run->stamped.driver) cuda_code_free(&run->stamped);
  cuda_wait_free(&run->wait);
  cuda_context_give(run->driver, &run->facts, run->context, run->request.more_follow && !run->fault_count);
  run->host_records = NULL;
  run->records = 0;
  run->context = NULL;
}

static void set_text(char **text, const char *value) {
  free(*text);
  *text = ls_strdup(value);
}

// A GPU that is no row of the table is told with its numbers.
static void tell_profile(TraceInfo *info, const ArchProfile *profile) {
  LsText text = {0};
  set_text(&info->profile, profile->name);
  free(info->profile_text);
  if (!arch_is_row(profile)) arch_print(profile, &text);
  info->profile_text = text.length ? ls_text_take(&text) : NULL;
}

static void describe(DevRun *run) {
  ArchProfile made;
  char text[64];
  time_t now = time(NULL);
  struct tm date;
  TraceMeasure *m = &run->measure;
  const GpuFacts *f = &run->facts;
  sim_layout_describe(run->layout, run->info);
  set_text(&run->info->device_name, f->name);
  tell_profile(run->info, gpu_profile(f, &made));
  driver_describe(run->driver, text, sizeof text);
  m->driver = ls_strdup(text);
  strftime(text, sizeof text, "%Y-%m-%d", localtime_r(&now, &date));
  m->date = ls_strdup(text);
  m->cc_major = (uint32_t)f->cc_major;
  m->cc_minor = (uint32_t)f->cc_minor;
  m->sm_count = (uint32_t)f->sm_count;
  m->clock_khz = (uint32_t)f->clock_khz;
  m->memory_clock_khz = (uint32_t)f->memory_clock_khz;
  m->memory_bus_bits = (uint32_t)f->memory_bus_bits;
  m->l2_bytes = (uint64_t)f->l2_bytes;
  m->memory_bytes = f->memory_bytes;
}

static void here_close(DevRun *run) {
  if (!run) return;
  cuda_results_free(run->plain_results, run->request.launch->arg_count);
  cuda_results_free(run->results, run->request.launch->arg_count);
  leave_gpu(run);
  probe_free(run->probe);
  probe_free(run->stamps);
  free(run->stamped_memory);
  sim_free(run->layout);
  driver_close(run->driver);
  free(run->fault.message);
  free(run->measure.date);
  free(run->measure.driver);
  free(run->output);
  free(run->assertion);
  free(run);
}

static DevRun *here_open(const DevRequest *request, TraceInfo *info, LsErr *err) {
  DevRun *run = ls_alloc(sizeof *run);
  run->request = *request;
  run->info = info;
  run->opened = ls_clock();
  if (find_device(run, err) && connect(run, err) && make_layout(run, err) && make_probe(run, err) &&
      load_code(run, err) &&
      place_memory(run, err)) {
    describe(run);
    return run;
  }
  here_close(run);
  return NULL;
}

// ---- running -------------------------------------------------------------------------------------------------------

static bool goes_on(const DevRun *run, LsErr *err) {
  const SimOptions *options = run->request.options;
  return !options->cancel || !atomic_load(options->cancel) || ls_fail(err, LS_ECANCEL, "the run was canceled");
}

// A run is mostly waiting for one launch, so progress comes in steps.
static void tell_progress(const DevRun *run, double share) {
  const SimOptions *options = run->request.options;
  uint64_t blocks = launch_blocks(run->request.launch);
  if (options->progress) options->progress(options->progress_context, (uint64_t)((double)blocks * share), blocks);
}

static void set_fault(DevRun *run, int answer, const char *which) {
  run->fault_count = 1;
  run->fault = (TraceFault){.kind = (uint8_t)driver_fault(answer), .space = TRACE_GLOBAL, .pc = -1, .other_pc = -1,
                            .step = UINT64_MAX,
                            .object = -1, .count = 1};
  run->fault.message = ls_format("%s%s. The GPU does not say which thread it was, nor where; the emulator does: --device emu.",
                                 driver_words(answer), which);
}

// Runs once. True also if the kernel failed: then there is a fault.
static bool run_once(DevRun *run, const CudaCode *code, const char *which, uint64_t *ns, LsErr *err) {
  uint64_t size;
  int answer;
  if (!cuda_code_run(code, run->request.launch, sim_layout_params(run->layout, &size), ns, &answer, err)) return false;
  if (answer) set_fault(run, answer, which);
  return true;
}

// Clocks rise while there is work.
static bool warm_up(DevRun *run, LsErr *err) {
  double start = ls_clock();
  for (int i = 0; i < WARM_RUNS && !run->fault_count && ls_clock() - start < WARM_SECONDS; i++)
    if (!goes_on(run, err) || !cuda_memory_restore(&run->memory, err) || !run_once(run, &run->plain, "", NULL,
        err)) return false;
  return true;
}

// The caches are as the run before and the restoring of the inputs leave them: warm.
static bool time_plain(DevRun *run, LsErr *err) {
  CudaTimes times = {.count = 0};
  tell_stage(run, DEV_STAGE_TIMING);
  if (!warm_up(run, err)) return false;
  double start = ls_clock();
  while (!run->fault_count && !cuda_times_are_enough(&times, ls_clock() - start)) {
    uint64_t ns = 0;
    if (!goes_on(run, err) || !cuda_memory_restore(&run->memory, err) || !run_once(run, &run->plain, "", &ns,
        err)) return false;
    if (!run->fault_count) times.ns[times.count++] = ns;
  }
  cuda_times_tell(&times, &run->measure);
  return true;
}

// The first run is not timed: the driver gets ready for it.
static bool run_plain(DevRun *run, LsErr *err) {
  int arguments = run->request.launch->arg_count;
  if (!cuda_code_measure(&run->plain, run->request.launch, &run->measure, err)) return false;
  if (!cuda_memory_fill(&run->memory, err) || !run_once(run, &run->plain, "", NULL, err)) return false;
  if (run->fault_count) return true;
  run->plain_results = cuda_memory_results(&run->memory, arguments, false, err);
  if (!run->plain_results || !cuda_memory_find_changes(&run->memory, run->request.timed, err)) return false;
  return !run->request.timed || time_plain(run, err);
}

static bool give_context(DevRun *run, const Probe *probe, const CudaCode *code, LsErr *err) {
  DriverAddress variable;
  size_t size;
  uint8_t bytes[PROBE_CONTEXT_BYTES] = {0};
  const Driver *driver = run->driver;
  if (!cuda_code_variable(code, PROBE_CONTEXT, &variable, &size) || size < sizeof bytes)
    return ls_fail(err, LS_EENV, "the driver's compiler left no variable %s in the instrumented kernel", PROBE_CONTEXT);
  probe_context(probe, run->records, bytes);
  if (run->host_records) memset(run->host_records, 0, (size_t)probe_memory(probe));
  int cleared = run->host_records ? 0 : driver->memory_set(run->records, 0, (size_t)probe_memory(probe));
  return driver_good(driver, cleared, "clearing memory of the GPU", err) &&
         driver_good(driver, driver->upload(variable, bytes, sizeof bytes), "copying to the GPU", err);
}

static bool run_traced(DevRun *run, LsErr *err) {
  tell_stage(run, DEV_STAGE_TRACING);
  if (!give_context(run, run->probe, &run->traced, err) || !cuda_memory_fill(&run->memory, err)) return false;
  static const char only_here[] = " (in the instrumented kernel; the plain one ran to its end)";
  if (!run_once(run, &run->traced, only_here, &run->measure.traced_ns, err)) return false;
  if (run->fault_count) return true;
  cuda_results_free(run->results, run->request.launch->arg_count);
  run->results = cuda_memory_results(&run->memory, run->request.launch->arg_count, true, err);
  return run->results != NULL;
}

// Twice where the driver's getting ready would count. The memory of records is used for it before they are made.
static bool run_stamped(DevRun *run, LsErr *err) {
  static const char only_here[] = " (in the kernel whose blocks tell when they run; the plain one ran to its end)";
  tell_stage(run, DEV_STAGE_TRACING);
  for (int i = 0; i < 2 && !run->fault_count && (i == 0 || run->measure.stamped_ns <= SHORT_NS); i++) {
    if (!give_context(run, run->stamps, &run->stamped, err) || !cuda_memory_fill(&run->memory, err) ||
        !run_once(run, &run->stamped, only_here, &run->measure.stamped_ns, err))
      return false;
  }
  if (run->fault_count) return true;
  size_t size = (size_t)probe_memory(run->stamps);
  run->stamped_memory = ls_alloc_large(size + 1);
  return driver_good(run->driver, run->driver->download(run->stamped_memory, run->records, size),
                     "reading when blocks ran", err);
}

// The next run would find what is not a buffer as the last one left it.
static bool can_run_again(const DevRun *run) {
  return !launch_has_images(run->request.launch) && !cuda_memory_variables_change(&run->memory);
}

// Whether the records of too many blocks were wanted: then fewer are from now on.
static bool has_to_narrow(DevRun *run) {
  uint8_t head[PROBE_HEAD_BYTES];
  return !run->fault_count && can_run_again(run) && run->driver->download(head, run->records, sizeof head) == 0 &&
         probe_narrow(run->probe, head);
}

static void compare(DevRun *run) {
  for (int arg = 0; arg < run->request.launch->arg_count; arg++) {
    const CudaPiece *piece = cuda_memory_buffer(&run->memory, arg, true);
    bool both = piece && run->results[arg] && run->plain_results[arg];
    if (both && memcmp(run->results[arg], run->plain_results[arg], (size_t)piece->size) == 0) continue;
    for (uint64_t i = 0; both && i < piece->size; i++)
      run->measure.differing_bytes += run->results[arg][i] != run->plain_results[arg][i];
  }
}

static void on_decoded(void *context, uint64_t done, uint64_t all) {
  tell_progress(context, 0.7 + 0.3 * (double)done / (double)LS_MAX(all, 1));
}

// Only what the kernel used is copied back: the memory is as large as it might have needed.
static bool decode(DevRun *run, TraceSink *sink, LsErr *err) {
  uint8_t head[PROBE_HEAD_BYTES];
  const Driver *driver = run->driver;
  tell_stage(run, DEV_STAGE_DECODING);
  if (!driver_good(driver, driver->download(head, run->records, sizeof head), "reading what the kernel told",
                   err)) return false;
  if (run->stamped_memory) probe_block_times(run->stamps, run->stamped_memory, sink);
  uint64_t size = LS_MIN(probe_used(run->probe, head), probe_memory(run->probe));
  uint8_t *bytes = ls_alloc_large((size_t)size + 1);
  probe_watch(run->probe, on_decoded, run);
  bool ok = driver_good(driver, driver->download(bytes, run->records, (size_t)size), "reading what the kernel told",
                        err) &&
            probe_decode(run->probe, bytes, run->info, sink, &run->measure.lost_events, err);
  free(bytes);
  return ok;
}

typedef bool Step(DevRun *run, LsErr *err);

// Standard error is caught only to read it.
static void take_words(DevRun *run, Capture *words) {
  char *said = capture_end(words, MOST_OUTPUT);
  fputs(said, stderr);
  if (run->fault_count && run->fault.kind == FAULT_ASSERT && !run->assertion)
    run->assertion = cuda_assertion(said, run->request.launch, &run->fault);
  free(said);
}

// What the kernel prints in a run that is only timed is dropped: it would be there as often as that.
static bool captured(DevRun *run, Step *step, LsErr *err) {
  Capture output, words;
  if (!capture_begin(&output, STDOUT_FILENO, err)) return false;
  bool hears = capture_begin(&words, STDERR_FILENO, NULL), ok = step(run, err);
  if (hears) take_words(run, &words);
  free(run->output);
  run->output = capture_end(&output, MOST_OUTPUT);
  return ok;
}

// ---- after a fault -------------------------------------------------------------------------------------------------

// Who asked waits for so long in all, and wants to hear of the fault at least.
static double seconds_for_another(const DevRun *run) {
  double limit = run->request.time_limit > 0 ? run->request.time_limit : DEV_TIME_LIMIT;
  return LS_MAX(0.6 * (limit - (ls_clock() - run->opened)), 1);
}

static void take_longer(char **text, char *other) {
  bool longer = other && strlen(other) > (*text ? strlen(*text) : 0);
  free(longer ? *text : other);
  if (longer) *text = other;
}

// Tells the sink how far the kernel came, and the fault. What goes wrong here leaves the fault as it is known
// without it.
static void look_again(DevRun *run, TraceSink *sink) {
  CudaFinder finder;
  const DevRequest *r = &run->request;
  char *output;
  tell_stage(run, DEV_STAGE_AGAIN);
  leave_gpu(run);
  cuda_finder_init(&finder, sink, records_events(run), r->module, r->launch, run->info, &run->fault);
  finder.assertion = run->assertion;
  if (cuda_again(r, seconds_for_another(run), &finder, &output, NULL)) run->measure.lost_events = finder.lost;
  take_longer(&run->output, output);
  if (!finder.found && sink->fault) sink->fault(sink, &run->fault);
}

// The kernel is known to stop: its records are still there.
static bool run_stopping(DevRun *run, TraceSink *sink, LsErr *err) {
  if (!captured(run, run_traced, err) ||
      !probe_decode(run->probe, run->host_records, run->info, sink, &run->measure.lost_events, err))
    return false;
  if (run->fault_count && sink->fault) sink->fault(sink, &run->fault);
  return true;
}

// ---- the whole run -------------------------------------------------------------------------------------------------

// The first run of a kernel has the driver get ready for it, in the middle of its time. Where that counts, and
// nothing that stays was
// changed, it runs again.
static bool trace_and_time(DevRun *run, LsErr *err) {
  if (!captured(run, run_traced, err)) return false;
  bool again = !run->fault_count && run->request.timed && run->measure.traced_ns <= SHORT_NS && can_run_again(run);
  return !again || captured(run, run_traced, err);
}

static bool run_both(DevRun *run, TraceSink *sink, LsErr *err) {
  if (!captured(run, run_plain, err) || !goes_on(run, err)) return false;
  if (!run->fault_count && run->stamps && (!captured(run, run_stamped, err) || !goes_on(run, err))) return false;
  tell_progress(run, 0.3);
  if (!run->fault_count && !trace_and_time(run, err)) return false;
  for (int again = 0; again < MOST_NARROWINGS && has_to_narrow(run); again++)
    if (!goes_on(run, err) || !captured(run, run_traced, err)) return false;
  tell_progress(run, 0.7);
  if (!run->fault_count) {
    compare(run);
    return goes_on(run, err) && decode(run, sink, err);
  }
  if (run->fault.kind != FAULT_BUDGET) look_again(run, sink);   // what ran too long would do so again
  else if (sink->fault) sink->fault(sink, &run->fault);
  return true;
}

static bool here_run(DevRun *run, TraceSink *sink, LsErr *err) {
  static TraceSink nobody;
  if (!sink) sink = &nobody;
  tell_progress(run, 0);
  if (!(run->request.stops ? run_stopping : run_both)(run, sink, err)) return false;
  if (sink->measure) sink->measure(sink, &run->measure);
  tell_progress(run, 1);
  return true;
}

// ---- results -------------------------------------------------------------------------------------------------------

static const uint8_t *here_buffer(const DevRun *run, int arg, uint64_t *size) {
  const CudaPiece *piece = cuda_memory_buffer(&run->memory, arg, true);
  *size = piece && run->results ? piece->size : 0;
  return piece && run->results ? run->results[arg] : NULL;
}

static const TraceFault *here_faults(const DevRun *run, int *count) {
  *count = run->fault_count;
  return &run->fault;
}

static const char *here_output(const DevRun *run) { return run->output ? run->output : ""; }

static bool here_available(LsErr *err) {
  GpuFacts facts;
  Driver *driver = driver_open(err);
  bool is = driver && gpu_first(driver, &facts, err) && gpu_is_open(&facts, err);
  driver_close(driver);
  return is;
}

const Device dev_cuda_here = {
    .name = "cuda", .title = "NVIDIA GPU", .open = here_open, .run = here_run, .buffer = here_buffer, .faults =
        here_faults,
    .output = here_output, .close = here_close, .available = here_available,
    .run_program = cuda_program,
};
