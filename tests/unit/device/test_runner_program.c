// test_runner_program.c: programs in a child: what travels, what the host does between, and what is said if nothing
// comes back; and runs that share one child.
//
// This program is the child, too (see test_runner.c). Its "cuda" is a device that misbehaves on request, by the name of
// the first kernel.
#include <signal.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "check.h"
#include "device/child.h"
#include "device/remote/program_messages.h"
#include "device/remote/serve.h"
#include "launch/program_args.h"

static char folder[256];

// ---- the device of the child ---------------------------------------------------------------------------------------

typedef struct Sides { uint8_t *bytes[3]; } Sides;

static uint8_t *side_of(void *context, int buffer, bool writes) {
  (void)writes;
  return ((Sides *)context)->bytes[buffer];   // the third has none
}

static bool do_host_steps(const DevProgram *p, Sides *sides, LsErr *err) {
  DevHost host = {.bytes = side_of, .context = sides};
  for (int i = 0; i < p->program->step_count; i++)
    if (p->program->steps[i].function && !p->host(p->context, i, &host, err)) return false;
  return true;
}

// Every buffer begins as the program says, the host works, and what it leaves is what both sides are.
static bool double_program(const DevProgram *p, DevProgramRun *run, LsErr *err) {
  const char *wish = p->program->steps[program_launch_step(p->program, 1)].kernel;
  p->stage(p->context, DEV_STAGE_TIMING);
  if (strcmp(wish, "refuse") == 0) return ls_fail(err, LS_EENV, "there is no NVIDIA driver");
  if (strcmp(wish, "crash") == 0) kill(getpid(), SIGKILL);
  if (strcmp(wish, "hang") == 0) for (;;) pause();
  Sides sides = {0};
  for (int i = 0; i < p->program->buffer_count; i++) {
    const LaunchArg *arg = &p->program->buffers[i].contents;
    size_t size = (size_t)program_buffer_bytes(&p->program->buffers[i]);
    run->device[i] = ls_alloc(size + 1);
    launch_fill(arg, run->device[i]);
    if (i < 2) sides.bytes[i] = run->host[i] = memcpy(ls_alloc(size + 1), run->device[i], size);
  }
  if (!do_host_steps(p, &sides, err)) return false;
  for (int i = 0; i < p->program->step_count; i++) run->times[i] = (ProgramTime){.issued = 10 * i, .begin = 10 * i + 3,
                                                                                 .end = 1000 + i};
  if (p->progress) p->progress(p->context, 1, 2);
  run->device_name = ls_strdup("double");
  run->driver = ls_format("%d variables", p->variables->arg_count);
  run->date = ls_strdup("2026-01-01");
  run->runs = 7, run->min_ns = 1, run->median_ns = 2, run->max_ns = 3;
  return true;
}

static const Device *find_double(const char *name, LsErr *err) {
  static Device device;
  device = *dev_find("emu", NULL);
  if (strcmp(name, "emu") == 0) return dev_find("emu", NULL);
  if (strcmp(name, "cuda") != 0) return ls_fail(err, LS_EREQUEST, "no such device"), NULL;
  device.run_program = double_program;
  return &device;
}

static int serve(void) {
  LsErr err = {0};
  ServeOptions options = {.find = find_double, .program = "test"};
  if (serve_run(0, serve_take_output(), &options, &err)) return 0;
  fprintf(stderr, "lanescope: %s\n", err.message);
  return 2;
}

// ---- programs ------------------------------------------------------------------------------------------------------

enum { COUNT = 100000 };   // bytes of the larger buffer: more than one message
#define KERNEL(name) ".visible .entry " name "(.param .u64 x)\n{\n  .reg .b32 %r<4>; .reg .b64 %rd<4>;\n" \
  "  ld.param.u64 %rd1, [x]; mov.u32 %r1, 5; st.global.u32 [%rd1], %r1; ret;\n}\n"
static const char ptx[] = ".version 7.0\n.target sm_75\n.address_size 64\n"
    KERNEL("good") KERNEL("crash") KERNEL("hang") KERNEL("refuse");

typedef struct Case {
  PtxModule *module;
  HostProgram program;
  Launch variables;
  DevProgram request;
  DevProgramRun run;
  int host_calls, progress;
  LsErr err;
} Case;

static void add_buffer(Case *c, const char *name, uint64_t count, LaunchInit init) {
  ProgramBuffer buffer = {.contents = {.name = ls_strdup(name), .role = LAUNCH_MEMORY, .type = LAUNCH_U8,
                                       .is_buffer = true}};
  buffer.contents.count = count;
  buffer.contents.init = init;
  buffer.host = c->program.buffer_count < 2 ? PROGRAM_PINNED : PROGRAM_DEVICE_ONLY;
  LS_PUSH(c->program.buffers, c->program.buffer_count, c->program.buffer_capacity, buffer);
}

static void case_init(Case *c, const char *kernel) {
  ProgramStep step;
  *c = (Case){.module = ptx_parse("case.ptx", ptx, strlen(ptx), NULL)};
  program_init(&c->program);
  launch_init(&c->variables);
  c->program.name = ls_strdup("case");
  add_buffer(c, "x", COUNT, LAUNCH_IOTA);
  add_buffer(c, "y", 16, LAUNCH_ZERO);
  add_buffer(c, "z", 16, LAUNCH_ZERO);
  program_step_init(&step, PROGRAM_LAUNCH);
  step.kernel = ls_strdup(kernel);
  LS_PUSH(step.args, step.arg_count, step.arg_capacity, ((ProgramArg){.is_buffer = true, .buffer = 1}));
  LS_PUSH(c->program.steps, c->program.step_count, c->program.step_capacity, step);
  program_step_init(&step, PROGRAM_HOST);
  step.function = 2;
  LS_PUSH(c->program.steps, c->program.step_count, c->program.step_capacity, step);
  LaunchArg variable = {.name = ls_strdup("v"), .role = LAUNCH_VARIABLE, .type = LAUNCH_U8, .is_buffer = true,
                        .count = 4};
  LS_PUSH(c->variables.args, c->variables.arg_count, c->variables.arg_capacity, variable);
}

static void case_fini(Case *c) {
  dev_program_run_fini(&c->run);
  program_fini(&c->program);
  launch_fini(&c->variables);
  ptx_module_free(c->module);
}

// x is turned around, and y gets its last bytes.
static bool turn_around(void *context, int step, const DevHost *host, LsErr *err) {
  Case *c = context;
  (void)err;
  uint8_t *x = host->bytes(host->context, 0, true), *y = host->bytes(host->context, 1, true);
  c->host_calls++;
  if (!x || !y || step != 1 || host->bytes(host->context, 2, false)) return false;
  for (int i = 0; i < COUNT / 2; i++) {
    uint8_t first = x[i];
    x[i] = x[COUNT - 1 - i];
    x[COUNT - 1 - i] = first;
  }
  memcpy(y, x + COUNT - 16, 16);
  return host->bytes(host->context, 0, false) == x;
}

static bool refuse(void *context, int step, const DevHost *host, LsErr *err) {
  (void)context, (void)step, (void)host;
  return ls_fail(err, LS_EFAULT, "the function of the recipe says no");
}

static void on_progress(void *context, uint64_t done,
                        uint64_t all) { ((Case *)context)->progress = (int)(10 * done + all); }

static bool run(Case *c, const char *runner) {
  CHECK(program_settle(&c->program, &c->err) && program_bind(&c->program, c->module, &c->err));
  c->request.module = c->module;
  c->request.program = &c->program;
  c->request.variables = &c->variables;
  c->request.runner = runner;
  c->request.context = c;
  c->request.progress = on_progress;
  if (!c->request.host) c->request.host = turn_around;
  dev_program_run_init(&c->run, &c->program);
  return dev_choose("cuda", runner, NULL)->run_program(&c->request, &c->run, &c->err);
}

// ---- what travels --------------------------------------------------------------------------------------------------

static void expect_turned(const Case *c) {
  int wrong = 0;
  for (int i = 0; i < COUNT; i++) wrong += c->run.host[0][i] != (uint8_t)(COUNT - 1 - i);
  for (int i = 0; i < 16; i++) wrong += c->run.host[1][i] != (uint8_t)(15 - i);
  for (int i = 0; i < COUNT; i++) wrong += c->run.device[0][i] != (uint8_t)i;
  CHECK_INT(wrong, 0);
  CHECK(c->run.host[2] == NULL && c->run.device[2] != NULL);
}

static void a_program_travels_and_comes_back(void) {
  static const char *const runners[] = {NULL, "env", "echo Welcome;", "sleep 0.2;"};
  for (int i = 0; i < LS_COUNT(runners); i++) {
    Case c;
    case_init(&c, "good");
    bool ok = run(&c, runners[i]);
    if (!ok) printf("\n%s: %s\n", runners[i] ? runners[i] : "here", c.err.message);
    CHECK(ok);
    if (ok) expect_turned(&c);
    CHECK_STR(c.run.device_name, "double");
    CHECK_STR(c.run.driver, "1 variables");
    CHECK(c.run.runs == 7 && c.run.min_ns == 1 && c.run.median_ns == 2 && c.run.max_ns == 3);
    CHECK(c.run.times[1].issued == 10 && c.run.times[1].begin == 13 && c.run.times[1].end == 1001);
    CHECK(c.run.times[0].row == PROGRAM_ROW_STREAM && c.run.times[1].row == PROGRAM_ROW_HOST);
    CHECK(c.host_calls == 1 && c.progress == 12);
    case_fini(&c);
  }
}

static void expect_error(const char *kernel, const char *runner, double limit, LsErrKind kind, const char *says) {
  Case c;
  case_init(&c, kernel);
  c.request.time_limit = limit;
  if (strcmp(says, "the function of the recipe says no") == 0) c.request.host = refuse;
  bool right = !run(&c, runner) && c.err.kind == kind && strstr(c.err.message, says);
  if (!right) printf("\n%s, %s: kind %d: %s\n", kernel, runner ? runner : "here", c.err.kind, c.err.message);
  CHECK(right);
  case_fini(&c);
}

static void what_goes_wrong_is_told(void) {
  expect_error("refuse", NULL, 20, LS_EENV, "there is no NVIDIA driver");
  expect_error("refuse", "env", 20, LS_EENV, "So says the runner 'env'.");
  expect_error("crash", NULL, 20, LS_EENV, "the GPU process was ended by signal 9");
  expect_error("hang", NULL, 0.5, LS_EENV, "the kernel did not end within 0.5 s");
  expect_error("good", NULL, 20, LS_EFAULT, "the function of the recipe says no");
  expect_error("good", "false", 20, LS_EENV, "before it answered");
  expect_error("good", "echo nonsense; exec cat;", 5, LS_EFORMAT, "");
  child_settle();
}

// One that cannot be talked to is told by version, before anything is sent.
static void older_ones_are_refused(void) {
  TraceBytes bytes = {0};
  proto_put_greeting(&bytes, PROTO_VERSION - 1, "0.9");
  CHECK(ls_file_write("older", bytes.data, bytes.size, NULL));
  free(bytes.data);
  expect_error("good", "cat older; exec sleep 1000;", 20, LS_EENV, "Install this version of lanescope there too.");
  child_settle();
}

static void a_program_is_canceled_at_once(void) {
  _Atomic bool cancel = true;
  Case c;
  case_init(&c, "hang");
  c.request.cancel = &cancel;
  CHECK(!run(&c, NULL));
  CHECK_INT(c.err.kind, LS_ECANCEL);
  case_fini(&c);
  child_settle();
}

// ---- the request itself --------------------------------------------------------------------------------------------

static void a_request_that_is_cut_or_changed_is_refused(void) {
  Case c;
  TraceBytes bytes = {0};
  ProtoProgram got;
  case_init(&c, "good");
  c.program.buffers[0].contents.count = 40;    // less to cut
  CHECK(program_settle(&c.program, &c.err) && program_bind(&c.program, c.module, &c.err));
  c.request = (DevProgram){.module = c.module, .program = &c.program, .variables = &c.variables, .time_limit = 2.5};
  proto_put_program(&bytes, "cuda", &c.request);
  for (size_t cut = 0; cut <= bytes.size; cut++) {
    CHECK(proto_get_program(bytes.data, cut, &got, NULL) == (cut == bytes.size));
    if (cut == bytes.size) {
      CHECK_STR(got.device, "cuda");
      CHECK(got.time_limit == 2.5 && got.variables.arg_count == 1 && got.program.buffer_count == 3);
      CHECK(got.program.buffers[0].contents.init == LAUNCH_IOTA && got.info.ptx_length == strlen(ptx));
    }
    proto_program_fini(&got);
  }
  for (size_t i = 0; i < bytes.size; i++) {    // whatever comes is refused, or is a program
    bytes.data[i] ^= 0x41;
    if (proto_get_program(bytes.data, bytes.size, &got, NULL)) CHECK(got.program.launches > 0);
    proto_program_fini(&got);
    bytes.data[i] ^= 0x41;
  }
  free(bytes.data);
  case_fini(&c);
}

// ---- runs that share a child ---------------------------------------------------------------------------------------

static bool run_launch(Case *c, DevConnection *connection, const char *runner) {
  SimOptions options;
  TraceInfo info;
  LsErr err = {0};
  sim_options_init(&options);
  trace_info_init(&info);
  info.device_name = ls_strdup("somewhere");
  CHECK(launch_add_arg(&info.launch, "u32[4]=zero", &err));
  DevRequest request = {.module = c->module, .entry = 0, .launch = &info.launch, .options = &options, .runner = runner,
                        .connection = connection};
  TraceSink nobody = {0};
  const Device *device = dev_choose("cuda", runner, NULL);
  DevRun *one = device->open(&request, &info, &err);
  bool ok = one && device->run(one, &nobody, &err);
  uint64_t size;
  CHECK(ok && device->buffer(one, 0, &size)[0] == 5);
  if (!ok) printf("\n%s\n", err.message);
  if (one) device->close(one);
  trace_info_fini(&info);
  return ok;
}

static int starts(void) {
  size_t length = 0;
  char *text = ls_file_read("starts", 1 << 20, &length, NULL);
  free(text);
  return (int)length / 2;
}

static void runs_share_a_child(void) {
  static const char runner[] = "echo x >> starts; env";
  Case c;
  case_init(&c, "good");
  DevConnection *connection = dev_connection_new();
  for (int i = 0; i < 40; i++) CHECK(run_launch(&c, connection, runner));
  CHECK_INT(starts(), 1);
  c.request.connection = connection;
  CHECK(run(&c, runner));
  expect_turned(&c);
  CHECK_INT(starts(), 1);
  CHECK(run_launch(&c, connection, runner));   // the program was the last one there: a new child
  CHECK_INT(starts(), 2);
  dev_connection_free(connection);
  CHECK(run_launch(&c, NULL, runner));
  CHECK_INT(starts(), 3);
  case_fini(&c);
  child_settle();
}

static const Check checks[] = {
    {"a program travels and comes back", a_program_travels_and_comes_back},
    {"what goes wrong is told", what_goes_wrong_is_told},
    {"older ones are refused", older_ones_are_refused},
    {"a program is canceled at once", a_program_is_canceled_at_once},
    {"a request that is cut or changed is refused", a_request_that_is_cut_or_changed_is_refused},
    {"runs share a child", runs_share_a_child},
};

static bool set_up(void) {
  char self[4096];
  ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
  if (length <= 0 || !check_folder(folder, sizeof folder) || chdir(folder) != 0) return false;
  self[length] = 0;
  char *path = ls_format("%s:%s", folder, getenv("PATH") ? getenv("PATH") : "/usr/bin:/bin");
  setenv("PATH", path, 1);
  free(path);
  return symlink(self, "lanescope") == 0;
}

int main(int argc, char **argv) {
  if (argc > 1 && strcmp(argv[1], "serve-run") == 0) return serve();
  if (!set_up()) return 99;
  int status = check_main("runner program", checks, LS_COUNT(checks), argc, argv);
  unlink("lanescope"), unlink("starts"), unlink("older");
  if (chdir("/") == 0) rmdir(folder);
  return status;
}
