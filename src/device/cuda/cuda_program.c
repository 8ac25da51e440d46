// cuda_program.c: gets everything that a program needs of the GPU, runs it until its times are steady, and gives it
// back.
#include "device/cuda/cuda_program.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "device/capture.h"
#include "device/cuda/cuda_context.h"
#include "device/cuda/cuda_limits.h"
#include "device/cuda/cuda_program_parts.h"
#include "device/cuda/cuda_time.h"
#include "device/device.h"
#include "launch/settle.h"

enum { MOST_WORDS = 1 << 16 };
static const double MOST_SECONDS = 3;     // of runs that are timed; at least one is

double cuda_program_now(const CudaProgram *p) { return (double)ls_clock_ns() - p->start_ns; }

bool cuda_program_good(const CudaProgram *p, int result, const char *what, LsErr *err) {
  if (result == 0) return true;
  LsText words = {0};
  ls_text_addf(&words, "step %d, ", p->step + 1);
  program_step_words(p->program, p->step, &words);
  if (driver_fault(result) < 0) {
    ls_text_addf(&words, ": %s", what);
    driver_good(p->driver, result, ls_text_str(&words), err);
  } else {
    ls_fail(err, LS_EFAULT,
            "%s. It was known in %s, and happened there or in a step from %d on. Launch by launch it did not happen; "
            "the emulator may find it: --device emu", driver_words(result), ls_text_str(&words),
                LS_MIN(p->over, p->step) + 1);
  }
  ls_text_free(&words);
  return false;
}

static void tell_stage(const CudaProgram *p, DevStage stage) {
  if (p->request->stage) p->request->stage(p->request->context, stage);
}

static bool goes_on(const CudaProgram *p, LsErr *err) {
  return !p->request->cancel || !atomic_load(p->request->cancel) || ls_fail(err, LS_ECANCEL, "the run was canceled");
}

// ---- the device ----------------------------------------------------------------------------------------------------

static bool connect(CudaProgram *p, LsErr *err) {
  tell_stage(p, DEV_STAGE_WAKING);
  setenv("CUDA_MODULE_LOADING", "EAGER", 0);   // else a kernel is loaded by its first launch
  p->driver = driver_open(err);
  if (!p->driver || !gpu_first(p->driver, &p->facts, err) || !gpu_is_open(&p->facts, err) ||
      !gpu_may_take(&p->facts, p->request->module, err))
    return false;
  p->context = cuda_context_take(p->driver, &p->facts, err);
  if (!p->context) return false;
  cuda_limits(p->driver, &p->facts, p->request->module);
  return true;
}

// What every driver since CUDA 5.5 has.
static bool has_streams(const Driver *d, LsErr *err) {
  bool streams = d->stream_new && d->stream_free && d->stream_synchronize && d->stream_wait;
  bool has = streams && d->upload_async && d->download_async && d->copy_async && d->set_async && d->host_take &&
             d->host_free;
  return has ||
      ls_fail(err, LS_EENV, "the NVIDIA driver is too old for streams with priorities, which came with CUDA 5.5");
}

// ---- code ----------------------------------------------------------------------------------------------------------

static int largest_warps(const HostProgram *program) {
  int most = 1;
  for (int i = 0; i < program->step_count; i++) {
    const uint32_t *b = program->steps[i].block;
    most = LS_MAX(most, (int)((b[0] * b[1] * b[2] + 31) / 32));
  }
  return most;
}

static bool load_kernel(CudaProgram *p, int step, LsErr *err) {
  const ProgramStep *s = &p->program->steps[step];
  const PtxModule *module = p->request->module;
  int entry = ptx_find_entry(module, s->kernel, err);
  if (entry < 0) return false;
  p->entries[step] = entry;
  CudaCode *code = &p->codes[entry];
  int registers = module->debug ? cuda_most_registers(&p->facts, largest_warps(p->program)) : 0;
  bool loaded = p->code.handle ||
                cuda_code_load(&p->code, p->driver, &p->facts, module, entry, module->text, registers, err);
  if (!loaded) return false;
  if (!code->handle && !cuda_code_share(code, &p->code, entry, err)) return false;
  int most = 0, threads = (int)(s->block[0] * s->block[1] * s->block[2]);
  if (p->driver->function_get(&most, DRIVER_FUNCTION_MAX_THREADS, code->function) != 0 || most >= threads) return true;
  return ls_fail(err, LS_EREQUEST,
                 "launch %d: compiled for %s, %s takes so many registers that a block has %d threads at most, not %d",
                 program_launch_number(p->program, step), p->facts.name, s->kernel, most, threads);
}

// For each kernel the most that any of its launches asks for.
static bool allow_shared(CudaProgram *p, LsErr *err) {
  for (int entry = 0; entry < p->request->module->func_count; entry++) {
    Launch largest = {0};
    if (!p->codes[entry].handle) continue;
    for (int i = 0; i < p->program->step_count; i++) {
      const ProgramStep *s = &p->program->steps[i];
      if (s->kind == PROGRAM_LAUNCH && p->entries[i] == entry)
        largest.shared_bytes = LS_MAX(largest.shared_bytes, s->shared_bytes);
    }
    if (!cuda_code_allow_shared(&p->codes[entry], &p->facts, &largest, err)) return false;
  }
  return true;
}

static bool load_code(CudaProgram *p, LsErr *err) {
  tell_stage(p, DEV_STAGE_COMPILING);
  p->codes = ls_alloc(sizeof *p->codes * (size_t)(p->request->module->func_count + 1));
  p->entries = ls_alloc(sizeof *p->entries * (size_t)p->program->step_count);
  for (int i = 0; i < p->program->step_count; i++)
    if (p->program->steps[i].kind == PROGRAM_LAUNCH && !load_kernel(p, i, err)) return false;
  return allow_shared(p, err);
}

// ---- memory --------------------------------------------------------------------------------------------------------

// Every buffer and variable as an argument. What begins on the host, or with nothing, is zero on the device.
static void gather(CudaProgram *p) {
  int buffers = p->program->buffer_count;
  launch_init(&p->all);
  for (int i = 0; i < buffers; i++) {
    const ProgramBuffer *buffer = &p->program->buffers[i];
    LaunchArg arg = buffer->contents;
    arg.role = LAUNCH_MEMORY;
    if (buffer->starts_on_host || arg.init == LAUNCH_NONE) arg.init = LAUNCH_ZERO;
    LS_PUSH(p->all.args, p->all.arg_count, p->all.arg_capacity, arg);
  }
  for (int i = 0; i < p->request->variables->arg_count; i++) {
    LaunchArg arg = p->request->variables->args[i];
    if (arg.role == LAUNCH_POINTEE) arg.owner += buffers;
    LS_PUSH(p->all.args, p->all.arg_count, p->all.arg_capacity, arg);
  }
}

// The compiler may have dropped a variable that nobody uses.
static bool add_variables(CudaProgram *p, LsErr *err) {
  const PtxModule *module = p->request->module;
  for (int i = p->program->buffer_count; i < p->all.arg_count; i++) {
    const LaunchArg *arg = &p->all.args[i];
    DriverAddress address;
    size_t size;
    int var = arg->role == LAUNCH_VARIABLE ? launch_find_variable(module, arg->name, NULL) : -1;
    if (var < 0 || !cuda_code_variable(&p->code, module->vars[var].name, &address, &size)) continue;
    if (!cuda_memory_add_variable(&p->memory, address, size, i, false, err)) return false;
  }
  return true;
}

static bool take_host_side(CudaProgram *p, int buffer, LsErr *err) {
  const ProgramBuffer *b = &p->program->buffers[buffer];
  size_t size = (size_t)program_buffer_bytes(b) + 1;
  void *bytes = NULL;
  if (b->host == PROGRAM_MANAGED || b->host == PROGRAM_DEVICE_ONLY) return true;
  p->host_initial[buffer] = ls_alloc(size);
  if (b->starts_on_host) launch_fill(&b->contents, p->host_initial[buffer]);
  if (b->host == PROGRAM_PAGEABLE) bytes = ls_alloc(size);
  else if (!driver_good(p->driver, p->driver->host_take(&bytes, size, 0), "pinned memory of the host",
                        err)) return false;
  p->host[buffer] = bytes;
  return true;
}

static bool take_memory(CudaProgram *p, LsErr *err) {
  size_t count = (size_t)p->program->buffer_count + 1;
  p->host = ls_alloc(sizeof *p->host * count);
  p->host_initial = ls_alloc(sizeof *p->host_initial * count);
  gather(p);
  cuda_memory_init(&p->memory, p->driver, &p->facts, &p->all);
  if (!cuda_memory_add_buffers(&p->memory, NULL, p->request->module, p->code.entry, err) ||
      !add_variables(p, err)) return false;
  cuda_memory_link(&p->memory);
  for (int i = 0; i < p->program->buffer_count; i++)
    if (!take_host_side(p, i, err)) return false;
  return cuda_memory_fill(&p->memory, err);
}

static void give_memory(CudaProgram *p) {
  for (int i = 0; p->host && i < p->program->buffer_count; i++) {
    bool pinned = p->program->buffers[i].host == PROGRAM_PINNED;
    if (p->host[i] && pinned) p->driver->host_free(p->host[i]);
    else free(p->host[i]);
    free(p->host_initial[i]);
  }
  free(p->host);
  free(p->host_initial);
  if (p->memory.driver) cuda_memory_free(&p->memory);
  free(p->all.args);
}

// ---- streams and events --------------------------------------------------------------------------------------------

static bool make_streams(CudaProgram *p, LsErr *err) {
  p->streams = ls_alloc(sizeof *p->streams * (size_t)p->program->stream_count);
  for (int i = 1; i < p->program->stream_count; i++) {
    const ProgramStream *stream = &p->program->streams[i];
    int answer = p->driver->stream_new(&p->streams[i], stream->nonblocking ? DRIVER_STREAM_NONBLOCKING : 0,
                                       stream->priority);
    if (!driver_good(p->driver, answer, "making a stream", err)) return false;
  }
  p->events = ls_alloc(sizeof *p->events * (size_t)(p->program->event_count + 1));
  for (int i = 0; i < p->program->event_count; i++)
    if (!driver_good(p->driver, p->driver->event_new(&p->events[i], DRIVER_EVENT_UNTIMED), "making an event",
                     err)) return false;
  return true;
}

static bool make_marks(CudaProgram *p, LsErr *err) {
  int count = 0;
  p->marks = ls_alloc(sizeof *p->marks * (size_t)p->program->step_count);
  p->returned = ls_alloc(sizeof *p->returned * (size_t)p->program->step_count);
  for (int i = 0; i < p->program->step_count; i++) {
    if (!program_is_on_device(&p->program->steps[i])) continue;
    if (++count > DEV_STEP_TIMES_MOST)
      return ls_fail(err, LS_EUNSUPPORTED, "the program has more than %d steps on the device, too many to time each",
                     DEV_STEP_TIMES_MOST);
    if (!driver_good(p->driver, p->driver->event_new(&p->marks[i].begin, 0), "making an event", err) ||
        !driver_good(p->driver, p->driver->event_new(&p->marks[i].end, 0), "making an event", err))
      return false;
  }
  return cuda_clock_new(p, err);
}

static void give_streams(CudaProgram *p) {
  const Driver *driver = p->driver;
  for (int i = 0; p->marks && i < p->program->step_count; i++) {
    if (p->marks[i].begin) driver->event_free(p->marks[i].begin);
    if (p->marks[i].end) driver->event_free(p->marks[i].end);
  }
  for (int i = 0; p->events && i < p->program->event_count; i++)
    if (p->events[i]) driver->event_free(p->events[i]);
  for (int i = 1; p->streams && i < p->program->stream_count; i++)
    if (p->streams[i]) driver->stream_free(p->streams[i]);
  cuda_clock_free(p);
  free(p->marks);
  free(p->returned);
  free(p->events);
  free(p->streams);
}

static void leave(CudaProgram *p) {
  if (p->context) p->driver->synchronize();   // nothing is under way that uses what is given back
  if (p->driver) give_streams(p);
  if (p->driver) give_memory(p);
  if (p->code.driver) cuda_code_free(&p->code);
  free(p->codes);
  free(p->entries);
  cuda_context_give(p->driver, &p->facts, p->context, false);
  driver_close(p->driver);
}

// ---- running -------------------------------------------------------------------------------------------------------

static void begin_on_host(CudaProgram *p) {
  for (int i = 0; i < p->program->buffer_count; i++)
    if (p->host[i]) memcpy(p->host[i], p->host_initial[i], (size_t)program_buffer_bytes(&p->program->buffers[i]));
}

static bool run_once(CudaProgram *p, LsErr *err) {
  const Driver *driver = p->driver;
  begin_on_host(p);
  if (!driver_good(driver, driver->synchronize(), "waiting for the GPU", err) || !cuda_clock_look(p, err)) return false;
  p->start_ns = (double)ls_clock_ns();
  p->over = 0;
  for (p->step = 0; p->step < p->program->step_count; p->step++)
    if (!cuda_program_step(p, err)) return false;
  p->step = p->program->step_count - 1;
  return cuda_program_good(p, driver->synchronize(), "waiting for the end", err) && cuda_clock_read(p, err);
}

// All runs that were timed; the list owns them.
typedef struct Runs { ProgramTime *times[CUDA_MOST_RUNS]; CudaTimes whole; } Runs;

static bool add_run(CudaProgram *p, Runs *runs, LsErr *err) {
  p->times = ls_alloc(sizeof *p->times * (size_t)p->program->step_count);
  runs->times[runs->whole.count] = p->times;
  if (!cuda_memory_restore(&p->memory, err) || !run_once(p, err)) return false;
  runs->whole.ns[runs->whole.count++] = (uint64_t)program_time_end(p->program, p->times);
  return true;
}

// The run whose whole time is the median; of an even number, the shorter of the two in the middle.
static int middle_of(const CudaTimes *whole) {
  for (int i = 0; i < whole->count; i++) {
    int below = 0, same = 0;
    for (int k = 0; k < whole->count; k++) {
      below += whole->ns[k] < whole->ns[i];
      same += whole->ns[k] == whole->ns[i];
    }
    if (below <= (whole->count - 1) / 2 && (whole->count - 1) / 2 < below + same) return i;
  }
  return 0;
}

static void tell_times(DevProgramRun *result, const Runs *runs) {
  TraceMeasure measure = {0};
  int middle = middle_of(&runs->whole);
  cuda_times_tell(&runs->whole, &measure);
  memcpy(result->times, runs->times[middle], sizeof *result->times * (size_t)result->step_count);
  result->runs = measure.runs;
  result->min_ns = measure.min_ns;
  result->median_ns = runs->whole.ns[middle];
  result->max_ns = measure.max_ns;
}

static bool time_it(CudaProgram *p, Runs *runs, LsErr *err) {
  double start = ls_clock(), spent = 0;
  while (!runs->whole.count || (spent < MOST_SECONDS && !cuda_times_are_enough(&runs->whole, spent))) {
    if (!goes_on(p, err) || !add_run(p, runs, err)) return false;
    if (p->request->progress) p->request->progress(p->request->context, (uint64_t)runs->whole.count, CUDA_MOST_RUNS);
    spent = ls_clock() - start;
  }
  tell_times(p->result, runs);
  return true;
}

// The first run is not timed: the driver gets ready for it.
static bool run_all(CudaProgram *p, LsErr *err) {
  Runs *runs = ls_alloc(sizeof *runs);
  tell_stage(p, DEV_STAGE_TIMING);
  p->times = ls_alloc(sizeof *p->times * (size_t)p->program->step_count);
  runs->times[CUDA_MOST_RUNS - 1] = p->times;
  bool ok = run_once(p, err) && cuda_memory_find_changes(&p->memory, true, err);
  free(runs->times[CUDA_MOST_RUNS - 1]);
  runs->times[CUDA_MOST_RUNS - 1] = NULL;
  ok = ok && time_it(p, runs, err);
  for (int i = 0; i < CUDA_MOST_RUNS; i++) free(runs->times[i]);
  free(runs);
  return ok;
}

static bool take_results(CudaProgram *p, LsErr *err) {
  uint8_t **bytes = cuda_memory_results(&p->memory, p->program->buffer_count, false, err);
  for (int i = 0; bytes && i < p->program->buffer_count; i++) {
    size_t size = (size_t)program_buffer_bytes(&p->program->buffers[i]);
    p->result->device[i] = bytes[i];
    if (p->host[i]) p->result->host[i] = memcpy(ls_alloc(size + 1), p->host[i], size);
  }
  free(bytes);
  return bytes != NULL;
}

static void describe(CudaProgram *p) {
  char text[64];
  time_t now = time(NULL);
  struct tm date;
  p->result->device_name = ls_strdup(p->facts.name);
  driver_describe(p->driver, text, sizeof text);
  p->result->driver = ls_strdup(text);
  strftime(text, sizeof text, "%Y-%m-%d", localtime_r(&now, &date));
  p->result->date = ls_strdup(text);
}

static bool do_all(CudaProgram *p, LsErr *err) {
  if (!connect(p, err) || !has_streams(p->driver, err) || !load_code(p, err) || !take_memory(p, err) ||
      !make_streams(p, err) ||
      !make_marks(p, err) || !run_all(p, err) || !take_results(p, err))
    return false;
  describe(p);
  return true;
}

// What kernels print, and the driver for them, was there when they were run one by one.
bool cuda_program(const DevProgram *request, DevProgramRun *result, LsErr *err) {
  CudaProgram p = {.request = request, .program = request->program, .result = result};
  Capture output, words;
  if (!capture_begin(&output, STDOUT_FILENO, err)) return false;
  bool hears = capture_begin(&words, STDERR_FILENO, NULL), ok = do_all(&p, err);
  leave(&p);
  if (hears) free(capture_end(&words, MOST_WORDS));
  free(capture_end(&output, MOST_WORDS));
  return ok;
}
