// test_cuda_program.c: whole programs on "the first GPU", on the driver library that stands in for one
// (tests/fake_cuda).
//
// That library leaves undone what nobody has waited for, so a result is right only if the right calls order it. With
// FAKE_CUDA_KERNEL_NS a kernel takes as long as that, and what overlaps can be seen in the times.
#include <dlfcn.h>
#include <stdatomic.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/mem.h"
#include "check.h"
#include "device/device.h"
#include "launch/program_args.h"
#include "launch/launch_variable.h"

enum { N = 1000 };
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

// ---- programs ------------------------------------------------------------------------------------------------------

enum { X, Y, Z };   // buffers
enum { DEFAULT, A, B, FREE };   // streams

typedef struct Case {
  HostProgram program;
  Launch variables;
  DevProgram request;
  DevProgramRun run;
  LsErr err;
} Case;

static void add_buffer(Case *c, const char *init, ProgramHost host) {
  Launch one;
  launch_init(&one);
  CHECK(launch_add_arg(&one, init, &c->err));
  ProgramBuffer buffer = {.contents = one.args[0], .host = host};
  buffer.contents.role = LAUNCH_MEMORY;
  buffer.contents.name = ls_format("%c", "xyz"[c->program.buffer_count]);
  LS_PUSH(c->program.buffers, c->program.buffer_count, c->program.buffer_capacity, buffer);
  free(one.args);
}

static void case_init(Case *c, ProgramHost host) {
  static const char *const streams[] = {"a", "b", "free"};
  *c = (Case){0};
  program_init(&c->program);
  launch_init(&c->variables);
  c->program.name = ls_strdup("case");
  add_buffer(c, "f32[1000]=iota", host);
  add_buffer(c, "f32[1000]=none", host);
  add_buffer(c, "f32[1000]=zero", host);
  for (int i = 0; i < LS_COUNT(streams); i++) {
    ProgramStream stream = {.name = ls_strdup(streams[i]), .priority = -i, .nonblocking = i == 2};
    LS_PUSH(c->program.streams, c->program.stream_count, c->program.stream_capacity, stream);
  }
}

static void case_fini(Case *c) {
  dev_program_run_fini(&c->run);
  program_fini(&c->program);
  launch_fini(&c->variables);
}

static ProgramStep *add(Case *c, ProgramKind kind, int stream) {
  ProgramStep step;
  program_step_init(&step, kind);
  step.stream = stream;
  LS_PUSH(c->program.steps, c->program.step_count, c->program.step_capacity, step);
  return &c->program.steps[c->program.step_count - 1];
}

static ProgramStep *copy(Case *c, ProgramDirection direction, int from, int to, int stream, bool async) {
  ProgramStep *s = add(c, PROGRAM_COPY, stream);
  s->direction = direction;
  s->from = from;
  s->buffer = to;
  s->count = N;
  s->async = async;
  return s;
}

static void add_arg(ProgramStep *s, ProgramArg arg) { LS_PUSH(s->args, s->arg_count, s->arg_capacity, arg); }

static ProgramArg address(int buffer) { return (ProgramArg){.is_buffer = true, .buffer = buffer}; }
static ProgramArg whole(int64_t value) { return (ProgramArg){.is_integer = true, .integer = value,
                                                             .number = (double)value}; }

// to = 2 * from
static void scale(Case *c, int to, int from, int stream, int count) {
  ProgramStep *s = add(c, PROGRAM_LAUNCH, stream);
  s->kernel = ls_strdup("scale");
  s->grid[0] = 8;
  s->block[0] = 128;
  add_arg(s, address(to));
  add_arg(s, address(from));
  add_arg(s, whole(count));
  add_arg(s, (ProgramArg){.number = 2});
}

static void sync_all(Case *c) { add(c, PROGRAM_SYNC, DEFAULT)->sync = PROGRAM_SYNC_DEVICE; }

static void event(Case *c, ProgramKind kind, int stream) { add(c, kind, stream)->event = program_event(&c->program,
                                                                                                       "e"); }

static bool run(Case *c) {
  bool ready = program_settle(&c->program, &c->err) && program_bind(&c->program, module, &c->err);
  c->request.module = module;
  c->request.program = &c->program;
  c->request.variables = &c->variables;
  dev_program_run_init(&c->run, &c->program);
  ask("fake_cuda_reset");
  return ready && dev_cuda_here.run_program(&c->request, &c->run, &c->err);
}

static void expect(Case *c, const uint8_t *bytes, double factor) {
  int wrong = 0;
  for (int i = 0; bytes && i < N; i++) {
    float value;
    memcpy(&value, bytes + 4 * i, sizeof value);
    wrong += value != (float)(factor * i);
  }
  if (!bytes || wrong) printf("\n%d wrong of %d; %s\n", wrong, N, c->err.message);
  CHECK(bytes && !wrong);
  CHECK_INT(ask("fake_cuda_live"), 0);
}

// ---- results -------------------------------------------------------------------------------------------------------

static void one_stream_is_in_order(void) {
  for (int host = PROGRAM_PAGEABLE; host <= PROGRAM_PINNED; host++)
    for (int stream = DEFAULT; stream <= A; stream++) {
      Case c;
      case_init(&c, (ProgramHost)host);
      copy(&c, PROGRAM_H2D, X, X, stream, stream == A);
      scale(&c, Y, X, stream, N);
      scale(&c, Z, Y, stream, N);
      copy(&c, PROGRAM_D2H, Z, Z, stream, stream == A);
      CHECK(run(&c));
      expect(&c, c.run.host[Z], 4);
      expect(&c, c.run.device[Y], 2);
      CHECK_STR(c.run.device_name, "NVIDIA H200 (fake)");
      CHECK(c.run.runs >= 1 && c.run.min_ns <= c.run.median_ns && c.run.median_ns <= c.run.max_ns);
      case_fini(&c);
    }
}

// What orders two streams, and what does not: then the second kernel finds what the first has not made yet.
static void events_and_walls_order_streams(void) {
  static const struct { int first, second; bool by_event; double factor; } rows[] = {
      {A, B, true, 4}, {A, B, false, 0}, {A, DEFAULT, false, 4}, {DEFAULT, B, false, 4}, {FREE, DEFAULT, false, 0},
          {FREE, B, true, 4},
  };
  for (int i = 0; i < LS_COUNT(rows); i++) {
    Case c;
    case_init(&c, PROGRAM_PINNED);
    copy(&c, PROGRAM_H2D, X, X, DEFAULT, false);
    scale(&c, Y, X, rows[i].first, N);
    if (rows[i].by_event) event(&c, PROGRAM_RECORD, rows[i].first);
    if (rows[i].by_event) event(&c, PROGRAM_WAIT, rows[i].second);
    scale(&c, Z, Y, rows[i].second, N);
    if (rows[i].second) add(&c, PROGRAM_SYNC, rows[i].second)->sync = PROGRAM_SYNC_STREAM;
    copy(&c, PROGRAM_D2H, Z, Z, rows[i].second, false);
    CHECK(run(&c));
    expect(&c, c.run.host[Z], rows[i].factor);
    case_fini(&c);
  }
}

static void copies_and_sets_go_where_they_say(void) {
  Case c;
  case_init(&c, PROGRAM_PINNED);
  copy(&c, PROGRAM_H2D, X, Y, A, true);
  copy(&c, PROGRAM_D2D, Y, Z, A, true);
  ProgramStep *set = add(&c, PROGRAM_SET, A);
  set->buffer = set->from = Y;
  set->count = N;
  copy(&c, PROGRAM_H2H, X, Y, DEFAULT, false);
  ProgramStep *part = copy(&c, PROGRAM_D2H, Z, Z, A, false);
  part->first = part->from_first = 10;
  part->count = 2 * N;                       // as far as it fits; the checks tell of the rest
  scale(&c, Z, Z, A, 0);
  CHECK(run(&c));
  expect(&c, c.run.device[Z], 1);
  expect(&c, c.run.device[Y], 0);
  expect(&c, c.run.host[Y], 1);
  float values[2];
  memcpy(values, c.run.host[Z] + 36, sizeof values);
  CHECK(values[0] == 0 && values[1] == 10);
  case_fini(&c);
}

static void add_variable(Case *c, const char *name, const char *text) {
  LaunchArg arg = {.name = ls_strdup(name), .role = LAUNCH_VARIABLE, .is_buffer = true, .text = ls_strdup(text)};
  LS_PUSH(c->variables.args, c->variables.arg_count, c->variables.arg_capacity, arg);
  CHECK(launch_settle_variable(module, &c->variables, c->variables.arg_count - 1, NULL, &c->err));
}

static void variables_live_through_and_begin_anew(void) {
  Case c;
  case_init(&c, PROGRAM_PINNED);
  add_variable(&c, "factor", "3");
  add_variable(&c, "calls", "");
  for (int i = 0; i < 2; i++) {
    ProgramStep *s = add(&c, PROGRAM_LAUNCH, A);
    s->kernel = ls_strdup("times_factor");
    s->block[0] = 64;
    add_arg(s, address(Z));
    add_arg(s, whole(N));
  }
  CHECK(run(&c));
  float value;
  memcpy(&value, c.run.device[Z], sizeof value);
  CHECK(value == (0 * 3 + 1) * 3 + 2);       // `calls` counts launches of one run, whichever run it is
  case_fini(&c);
}

// ---- the host ------------------------------------------------------------------------------------------------------

static int host_calls;

static bool double_x_into_y(void *context, int step, const DevHost *host, LsErr *err) {
  (void)context;
  if (step == 99) return ls_fail(err, LS_EREQUEST, "never");
  float *x = (float *)(void *)host->bytes(host->context, X, false), *y = (float *)(void *)host->bytes(host->context, Y,
                                                                                                      true);
  for (int i = 0; i < N; i++) y[i] = 2 * x[i];
  host_calls++;
  return true;
}

static void the_host_works_between(void) {
  for (int host = PROGRAM_PAGEABLE; host <= PROGRAM_MANAGED; host++) {
    Case c;
    case_init(&c, (ProgramHost)host);
    c.request.host = double_x_into_y;
    add(&c, PROGRAM_HOST, DEFAULT)->function = 1;
    if (host != PROGRAM_MANAGED) copy(&c, PROGRAM_H2D, Y, Y, A, true);
    scale(&c, Z, Y, A, N);
    if (host != PROGRAM_MANAGED) copy(&c, PROGRAM_H2D, X, X, A, true);
    host_calls = 0;
    CHECK(run(&c));
    expect(&c, c.run.device[Z], 4);
    CHECK_INT(host_calls, (int)c.run.runs + 1);
    CHECK((c.run.host[Y] == NULL) == (host == PROGRAM_MANAGED));
    case_fini(&c);
  }
}

static bool fails(void *context, int step, const DevHost *host, LsErr *err) {
  (void)context, (void)step, (void)host;
  return ls_fail(err, LS_EREQUEST, "the function has no mind to");
}

static void a_host_that_fails_ends_it(void) {
  Case c;
  case_init(&c, PROGRAM_PINNED);
  c.request.host = fails;
  scale(&c, Z, Z, A, N);
  add(&c, PROGRAM_HOST, DEFAULT)->function = 2;
  CHECK(!run(&c));
  CHECK_STR(c.err.message, "the function has no mind to");
  CHECK_INT(ask("fake_cuda_live"), 0);
  case_fini(&c);
}

// ---- times ---------------------------------------------------------------------------------------------------------

#define KERNEL_NS 20e6
enum { FIRST = 1, SECOND = 2 };   // steps

// Two kernels behind a copy.
static void time_two(Case *c, int first, int second) {
  setenv("FAKE_CUDA_KERNEL_NS", "20000000", 1);
  case_init(c, PROGRAM_PINNED);
  copy(c, PROGRAM_H2D, X, X, DEFAULT, false);
  scale(c, Y, X, first, N);
  scale(c, Z, X, second, N);
  sync_all(c);
  CHECK(run(c));
  unsetenv("FAKE_CUDA_KERNEL_NS");
}

static void times_are_those_of_streams(void) {
  static const struct { int first, second; bool together; } rows[] = {{A, A, false}, {A, B, true}, {A, DEFAULT, false},
                                                                      {FREE, DEFAULT, true}};
  for (int i = 0; i < LS_COUNT(rows); i++) {
    Case c;
    time_two(&c, rows[i].first, rows[i].second);
    const ProgramTime *t = c.run.times;
    CHECK(t[FIRST].end - t[FIRST].begin >= 0.9 * KERNEL_NS && t[SECOND].end - t[SECOND].begin >= 0.9 * KERNEL_NS);
    CHECK((t[SECOND].begin < t[FIRST].end) == rows[i].together);
    CHECK(t[3].end >= t[SECOND].end && t[3].end >= t[FIRST].end);
    CHECK((double)c.run.median_ns >= (rows[i].together ? 0.9 : 1.9) * KERNEL_NS);
    CHECK_INT(t[0].row, PROGRAM_ROW_TO_DEVICE);
    CHECK_INT(t[FIRST].row, PROGRAM_ROW_STREAM);
    CHECK_INT(t[3].row, PROGRAM_ROW_HOST);
    for (int k = 0; k < c.run.step_count; k++) CHECK(t[k].issued <= t[k].begin && t[k].begin <= t[k].end &&
                                                     t[k].issued >= 0);
    case_fini(&c);
  }
}

static void a_host_that_works_takes_its_time(void) {
  Case c;
  case_init(&c, PROGRAM_PINNED);
  add(&c, PROGRAM_HOST, DEFAULT)->milliseconds = 3;
  scale(&c, Z, Z, A, N);
  CHECK(run(&c));
  CHECK(c.run.times[0].end - c.run.times[0].begin >= 3e6 && c.run.times[1].issued >= 3e6);
  case_fini(&c);
}

// ---- what goes wrong -----------------------------------------------------------------------------------------------

static void refused(Case *c, LsErrKind kind, const char *says) {
  bool right = !run(c) && c->err.kind == kind && strstr(c->err.message, says);
  if (!right) printf("\nkind %d, expected %d: %s\n", c->err.kind, kind, c->err.message);
  CHECK(right);
  CHECK_INT(ask("fake_cuda_live"), 0);
  ask("fake_cuda_reset");
  case_fini(c);
}

// A fault takes the GPU away: every later call answers it.
static void a_fault_is_told_with_its_steps(void) {
  Case c;
  case_init(&c, PROGRAM_PINNED);
  scale(&c, Z, Z, A, N);
  sync_all(&c);
  scale(&c, Z, Z, A, N);
  scale(&c, Z, Z, A, 1 << 20);
  c.program.steps[3].grid[0] = 1 << 13;
  copy(&c, PROGRAM_D2H, Z, Z, A, false);
  refused(&c, LS_EFAULT,
          "It was known in step 5, copy z back to the host in stream a, and happened there or in a step from 3 on");
}

static void out_of_memory_names_the_buffer(void) {
  Case c;
  case_init(&c, PROGRAM_PINNED);
  scale(&c, Z, Z, A, N);
  setenv("FAKE_CUDA_MEMORY", "9000", 1);
  refused(&c, LS_EREQUEST, "the buffers need more than the 0.000 GB");
  case_init(&c, PROGRAM_PINNED);
  scale(&c, Z, Z, A, N);
  setenv("FAKE_CUDA_MEMORY", "12001", 1);      // the device's sides fit, and no more
  refused(&c, LS_ENOMEM, "pinned memory of the host");
  unsetenv("FAKE_CUDA_MEMORY");
}

static void what_a_gpu_cannot_run_is_refused(void) {
  Case c;
  case_init(&c, PROGRAM_PINNED);
  scale(&c, Z, Z, A, N);
  c.program.steps[0].shared_bytes = 300 << 10;
  refused(&c, LS_EREQUEST, "a block needs 307200 bytes of shared memory");
  case_init(&c, PROGRAM_PINNED);
  scale(&c, Z, Z, A, N);
  c.program.steps[0].grid[0] = 100000;
  c.program.steps[0].cooperative = true;
  refused(&c, LS_EREQUEST, "step 1, launch scale<<<100000, 128>>> in stream a: starting it");
  case_init(&c, PROGRAM_PINNED);
  for (int i = 0; i <= DEV_STEP_TIMES_MOST; i++) add(&c, PROGRAM_SET, A)->buffer = Z;
  for (int i = 0; i <= DEV_STEP_TIMES_MOST; i++) c.program.steps[i].from = Z;
  scale(&c, Z, Z, A, N);
  refused(&c, LS_EUNSUPPORTED, "more than 65536 steps on the device");
}

static void a_canceled_run_ends(void) {
  _Atomic bool cancel = true;
  Case c;
  case_init(&c, PROGRAM_PINNED);
  scale(&c, Z, Z, A, N);
  c.request.cancel = &cancel;
  refused(&c, LS_ECANCEL, "canceled");
}

static void make_everything(Case *c) {
  case_init(c, PROGRAM_PINNED);
  c->request.host = double_x_into_y;
  copy(c, PROGRAM_H2D, X, X, A, true);
  scale(c, Y, X, A, N);
  event(c, PROGRAM_RECORD, A);
  event(c, PROGRAM_WAIT, B);
  scale(c, Z, Y, B, N);
  copy(c, PROGRAM_D2H, Z, Z, B, true);
  add(c, PROGRAM_SYNC, B)->sync = PROGRAM_SYNC_STREAM;
  add(c, PROGRAM_HOST, DEFAULT)->function = 8;
  copy(c, PROGRAM_D2D, Z, Y, DEFAULT, false);
  ProgramStep *free_it = add(c, PROGRAM_FREE, DEFAULT);
  free_it->buffer = X;
  free_it->count = N;
  copy(c, PROGRAM_D2H, Y, Y, DEFAULT, false);
}

// Whatever call fails, with whatever error: there is a message, and nothing is left behind.
static void every_call_may_fail(void) {
  static const int codes[] = {2, 700, 999};
  char text[32];
  Case c;
  make_everything(&c);
  CHECK(run(&c));
  int calls = ask("fake_cuda_calls");
  case_fini(&c);
  CHECK(calls > 100);
  int most = LS_MIN(calls, check_long(250, 1000));
  for (int n = 0; n < most * LS_COUNT(codes); n++) {
    snprintf(text, sizeof text, "%d", n / LS_COUNT(codes) + 1);
    setenv("FAKE_CUDA_FAIL_AT", text, 1);
    snprintf(text, sizeof text, "%d", codes[n % LS_COUNT(codes)]);
    setenv("FAKE_CUDA_ERROR", text, 1);
    make_everything(&c);
    bool ok = run(&c);
    CHECK(ok || (c.err.kind != LS_OK && strlen(c.err.message) > 20));
    unsetenv("FAKE_CUDA_FAIL_AT");
    if (ask("fake_cuda_live")) printf("\ncall %d, error %s: %s\n", n / LS_COUNT(codes) + 1, text, c.err.message);
    CHECK_INT(ask("fake_cuda_live"), 0);
    case_fini(&c);
  }
  unsetenv("FAKE_CUDA_ERROR");
}

static const Check checks[] = {
    {"one stream is in order", one_stream_is_in_order},
    {"events and walls order streams", events_and_walls_order_streams},
    {"copies and sets go where they say", copies_and_sets_go_where_they_say},
    {"variables live through and begin anew", variables_live_through_and_begin_anew},
    {"the host works between", the_host_works_between},
    {"a host that fails ends it", a_host_that_fails_ends_it},
    {"times are those of streams", times_are_those_of_streams},
    {"a host that works takes its time", a_host_that_works_takes_its_time},
    {"a fault is told with its steps", a_fault_is_told_with_its_steps},
    {"out of memory names the buffer", out_of_memory_names_the_buffer},
    {"what a GPU cannot run is refused", what_a_gpu_cannot_run_is_refused},
    {"a canceled run ends", a_canceled_run_ends},
    {"every call may fail", every_call_may_fail},
};

int main(int argc, char **argv) {
  size_t length;
  LsErr err = {0};
  setenv("LANESCOPE_CUDA_LIBRARY", LS_FAKE_CUDA, 1);
  void *held = dlopen(LS_FAKE_CUDA, RTLD_NOW | RTLD_LOCAL);   // it goes on counting
  char *text = ls_file_read(LS_SOURCE_DIR "/tests/runs/programs/work.ptx", 1 << 20, &length, &err);
  module = text ? ptx_parse("work.ptx", text, length, &err) : NULL;
  free(text);
  if (!module) fprintf(stderr, "%s\n", err.message);
  int status = module ? check_main("cuda program", checks, LS_COUNT(checks), argc, argv) : 99;
  ptx_module_free(module);
  if (held) dlclose(held);
  return status;
}
