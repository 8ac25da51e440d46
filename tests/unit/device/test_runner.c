// test_runner.c: runs in a child, through prefixes of all kinds: what comes back, and what is said if nothing does.
//
// This program is the child, too: a folder of its own holds a link called lanescope to it, and started with the word serve-run it
// serves. Its "cuda" is a device that misbehaves on request, by the name of the kernel.
#include <dirent.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "check.h"
#include "device/child.h"
#include "device/remote/protocol.h"
#include "device/remote/serve.h"
#include "model/counter.h"

static char folder[256];

// ---- the device of the child -----------------------------------------------------------------------------------------

static char wish[32];   // the kernel's name

static DevRun *double_open(const DevRequest *request, TraceInfo *info, LsErr *err) {
  snprintf(wish, sizeof wish, "%s", request->module->funcs[request->entry].name);
  if (strcmp(wish, "refuse") == 0) {
    ls_fail(err, LS_EENV, "there is no NVIDIA driver");
    return NULL;
  }
  return dev_find("emu", NULL)->open(request, info, err);
}

static void note_pid(void) {
  char text[32];
  snprintf(text, sizeof text, "%ld", (long)getpid());
  ls_file_write("server.pid", text, strlen(text), NULL);
}

static bool double_run(DevRun *run, TraceSink *sink, LsErr *err) {
  if (strcmp(wish, "hang") == 0) {
    note_pid();
    for (;;) pause();
  }
  if (strcmp(wish, "crash") == 0) kill(getpid(), SIGKILL);
  if (strcmp(wish, "fail") == 0) return ls_fail(err, LS_EENV, "the GPU fell off the bus");
  if (strcmp(wish, "chat") == 0) {
    printf("a library says hello\n");
    fflush(stdout);
  }
  return dev_find("emu", NULL)->run(run, sink, err);
}

static const Device *find_double(const char *name, LsErr *err) {
  static Device device;
  device = *dev_find("emu", NULL);
  if (strcmp(name, "emu") == 0) return dev_find("emu", NULL);
  if (strcmp(name, "cuda") != 0) return ls_fail(err, LS_EREQUEST, "no such device"), NULL;
  device.open = double_open;
  device.run = double_run;
  return &device;
}

static int serve(void) {
  LsErr err = {0};
  ServeOptions options = {.find = find_double, .program = "test"};
  if (serve_run(0, serve_take_output(), &options, &err)) return 0;
  fprintf(stderr, "lanescope: %s\n", err.message);
  return 2;
}

// ---- kernels -------------------------------------------------------------------------------------------------------

#define SIMPLE(name) ".visible .entry " name "(.param .u64 x)\n{\n  .reg .b32 %r<4>; .reg .b64 %rd<4>; .reg .pred %p1;\n" \
  "  ld.param.u64 %rd1, [x]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd2, %r1, 4; add.u64 %rd3, %rd1, %rd2;\n" \
  "  setp.lt.u32 %p1, %r1, 7; @%p1 bra SKIP; st.global.u32 [%rd3], %r1;\nSKIP:\n  atom.global.add.u32 %r2, [%rd1], 1; ret;\n}\n"
static const char head[] = ".version 7.0\n.target sm_75\n.address_size 64\n";
static const char simple_kernels[] = SIMPLE("good") SIMPLE("hang") SIMPLE("crash") SIMPLE("fail") SIMPLE("refuse") SIMPLE("chat");
static const char printing_kernel[] =
    ".extern .func (.param .b32 r) vprintf(.param .b64 a, .param .b64 b);\n"
    ".global .align 1 .b8 text[4] = {104, 105, 10, 0};\n.visible .entry hi(.param .u64 unused)\n{\n"
    "  .reg .b64 %rd<4>; .param .b64 a; .param .b64 b; .param .b32 c;\n"
    "  mov.u64 %rd1, text; cvta.global.u64 %rd2, %rd1; mov.u64 %rd3, 0; st.param.b64 [a], %rd2; st.param.b64 [b], %rd3;\n"
    "  call (c), vprintf, (a, b); ret;\n}\n";

typedef struct Case { const char *file, *text, *kernel; int grid, block; const char *args[6]; } Case;
static const Case cases[] = {
    {NULL, simple_kernels, "good", 3, 70, {"u32[70]=zero"}},
    {NULL, printing_kernel, "hi", 2, 3, {"u32[1]=zero"}},
    {"tests/bench/vecadd.ptx", NULL, "vecadd", 4, 256, {"f32[1024]=iota", "f32[1024]=random:3", "f32[1024]=none", "i32=1000"}},
    {"tests/runs/faults/out_of_bounds.ptx", NULL, "past_end", 2, 64, {"f32[128]=iota", "f32[128]=none"}},
    {"tests/runs/faults/out_of_bounds.ptx", NULL, "no_guard", 8, 64, {"f32[512]=iota", "f32=2", "i32=500"}},
};

typedef struct Work { PtxModule *module; int entry; TraceInfo info; SimOptions options; } Work;

static void work_init(Work *work, const Case *c) {
  LsErr err = {0};
  size_t length;
  char *path = c->file ? ls_path_join(LS_SOURCE_DIR, c->file) : ls_strdup("case.ptx");
  char *text = c->file ? ls_file_read(path, 1 << 20, &length, &err) : ls_format("%s%s", head, c->text);
  *work = (Work){.module = text ? ptx_parse(path, text, strlen(text), &err) : NULL};
  if (!work->module) printf("\n%s:%d: %s\n", path, err.line, err.message);
  work->entry = ptx_find_entry(work->module, c->kernel, &err);
  trace_info_init(&work->info);
  Launch *launch = &work->info.launch;
  launch->grid[0] = (uint32_t)c->grid;
  launch->block[0] = (uint32_t)c->block;
  for (int i = 0; c->args[i]; i++)
    if (!launch_add_arg(launch, c->args[i], &err)) printf("\n%s\n", err.message);
  work->info.device_name = ls_strdup("somewhere");
  work->info.kernel = ls_strdup(c->kernel);
  sim_options_init(&work->options);
  work->options.record_all = true;
  free(text);
  free(path);
}

static void work_fini(Work *work) {
  trace_info_fini(&work->info);
  ptx_module_free(work->module);
}

// ---- attempts ------------------------------------------------------------------------------------------------------

typedef struct Attempt {
  bool opened, ran;
  LsErr err;
  DevRun *run;
  Trace *trace;
  Counters *counters;
  DevStage stages[64]; int stage_count;
  char note[256];
  uint64_t sent, sending;      // bytes of the request, where it is large
  uint64_t received;           // of what came back
} Attempt;

static void on_stage(void *context, DevStage stage) {
  Attempt *attempt = context;
  if (attempt->stage_count < LS_COUNT(attempt->stages)) attempt->stages[attempt->stage_count++] = stage;
}

static void on_note(void *context, const char *line) {
  Attempt *attempt = context;
  snprintf(attempt->note, sizeof attempt->note, "%s", line);
}

static void on_progress(void *context, uint64_t done, uint64_t all) {
  Attempt *attempt = context;
  DevStage stage = attempt->stage_count ? attempt->stages[attempt->stage_count - 1] : DEV_STAGE_STARTING;
  if (stage == DEV_STAGE_SENDING) attempt->sent = done, attempt->sending = all;
  if (stage == DEV_STAGE_RECEIVING) attempt->received = done;
}

static void attempt(Attempt *a, Work *work, const Device *device, const char *runner, double limit) {
  *a = (Attempt){.counters = counters_new(work->module)};
  work->options.progress = on_progress;
  work->options.progress_context = a;
  DevRequest request = {.module = work->module, .entry = work->entry, .launch = &work->info.launch, .options = &work->options,
                        .runner = runner, .time_limit = limit, .stage = on_stage, .note = on_note, .context = a};
  a->run = device->open(&request, &work->info, &a->err);
  a->opened = a->run != NULL;
  if (!a->opened) return;
  TraceWriter *writer = trace_writer_new(NULL, &work->info, NULL);
  TraceTee tee;
  trace_tee_init(&tee, counters_sink(a->counters), trace_writer_sink(writer));
  a->ran = device->run(a->run, &tee.sink, &a->err);
  size_t size;
  if (a->ran && trace_writer_finish(writer, &a->err)) {
    uint8_t *bytes = trace_writer_take(writer, &size);
    a->trace = trace_open_memory(bytes, size, &a->err);
  }
  trace_writer_free(writer);
}

static void attempt_fini(Attempt *a, const Device *device) {
  if (a->run) device->close(a->run);
  trace_close(a->trace);
  counters_free(a->counters);
}

// Runs the first case through a runner; its error is judged: every text of `says` (ended by NULL) has to be in it.
static void expect_error(const char *device_name, const char *kernel, const char *runner, double limit, LsErrKind kind,
                         const char *const *says) {
  Case c = cases[0];
  Work work;
  Attempt a;
  c.kernel = kernel;
  work_init(&work, &c);
  const Device *device = dev_choose(device_name, runner, NULL);
  attempt(&a, &work, device, runner, limit);
  bool right = !a.ran && a.err.kind == kind;
  for (int i = 0; says[i]; i++)
    if (!strstr(a.err.message, says[i])) right = false;
  if (!right)
    printf("\nrunner %s, kernel %s: %s, kind %d:\n%s\n", runner ? runner : "(none)", kernel, a.ran ? "ran" : "failed", a.err.kind,
           a.err.message);
  CHECK(right);
  attempt_fini(&a, device);
  work_fini(&work);
}
#define SAYS(...) ((const char *const[]){__VA_ARGS__, NULL})

// ---- nothing is left behind ------------------------------------------------------------------------------------------

static int open_files(void) {
  int count = 0;
  DIR *directory = opendir("/proc/self/fd");
  while (readdir(directory)) count++;
  closedir(directory);
  return count;
}

static int files_before;

static void nothing_is_left(void) {
  child_settle();
  CHECK_INT(open_files(), files_before);
  errno = 0;
  CHECK(waitpid(-1, NULL, WNOHANG) == -1 && errno == ECHILD);
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void nap(void) { nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL); }

// The process whose number a file has, once it is there; and whether it is gone within two seconds.
static pid_t process_of(const char *path) {
  for (double start = now(); now() < start + 5; nap()) {
    char *text = ls_file_exists(path) ? ls_file_read(path, 64, NULL, NULL) : NULL;
    pid_t pid = text ? (pid_t)atol(text) : 0;
    free(text);
    if (pid > 0) return pid;
  }
  return 0;
}

static bool is_gone(pid_t pid) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%ld/stat", (long)pid);
  for (double start = now(); now() < start + 2; nap()) {
    FILE *file = fopen(path, "r");
    char state = 'X';
    if (!file) return true;
    if (fscanf(file, "%*d (%*[^)]) %c", &state) != 1) state = 'X';
    fclose(file);
    if (state == 'Z' || state == 'X') return true;   // its new parent has not looked yet
  }
  return false;
}

// ---- what comes back -------------------------------------------------------------------------------------------------

static bool same_event(const TraceEvent *a, const TraceEvent *b) {
  if (a->block != b->block || a->warp != b->warp || a->kind != b->kind || a->flags != b->flags || a->pc != b->pc ||
      a->active != b->active ||
      a->mask != b->mask || a->space != b->space || a->width != b->width || a->taken != b->taken ||
          a->fault != b->fault) return false;
  for (int i = 0; i < 32; i++)
    if (a->mask >> i & 1 && a->addr && (!b->addr || a->addr[i] != b->addr[i])) return false;
  return true;
}

static void check_events(Trace *here, Trace *there) {
  CHECK(here && there && trace_steps(here) == trace_steps(there));
  for (uint64_t step = 0; here && there && step < trace_steps(here); step++) {
    TraceEvent mine, copy, theirs;
    uint64_t addresses[32];
    CHECK(trace_event(here, step, &mine, NULL));
    copy = mine;
    if (mine.addr) memcpy(addresses, mine.addr, sizeof addresses), copy.addr = addresses;
    CHECK(trace_event(there, step, &theirs, NULL) && same_event(&copy, &theirs));
  }
}

static void check_faults(const Attempt *here, const Attempt *there) {
  const Device *emu = dev_find("emu", NULL), *remote = dev_choose("emu", "env", NULL);
  int mine, theirs;
  const TraceFault *a = emu->faults(here->run, &mine), *b = remote->faults(there->run, &theirs);
  CHECK_INT(theirs, mine);
  for (int i = 0; i < mine && i < theirs; i++) {
    CHECK(a[i].kind == b[i].kind && a[i].pc == b[i].pc && a[i].count == b[i].count && a[i].object == b[i].object &&
          a[i].step == b[i].step);
    CHECK_STR(b[i].message, a[i].message);
  }
}

static void check_buffers(const Attempt *here, const Attempt *there, const Launch *launch) {
  const Device *emu = dev_find("emu", NULL), *remote = dev_choose("emu", "env", NULL);
  for (int arg = 0; arg < launch->arg_count; arg++) {
    uint64_t mine, theirs;
    const uint8_t *a = launch->args[arg].is_buffer ? emu->buffer(here->run, arg, &mine) : NULL,
        *b = remote->buffer(there->run, arg, &theirs);
    CHECK((a != NULL) == (b != NULL));
    if (a && b) CHECK(mine == theirs && memcmp(a, b, mine) == 0);
  }
}

// A run elsewhere cannot be told from one here.
static void check_same(const Case *c, const char *runner, bool record) {
  Work mine, theirs;
  Attempt here, there;
  const Device *emu = dev_find("emu", NULL), *remote = dev_choose("emu", runner, NULL);
  work_init(&mine, c);
  work_init(&theirs, c);
  mine.options.record_all = theirs.options.record_all = record;
  attempt(&here, &mine, emu, NULL, 0);
  attempt(&there, &theirs, remote, runner, 20);
  if (!there.ran) printf("\n%s: %s\n", c->kernel, there.err.message);
  CHECK(here.ran && there.ran);
  if (here.ran && there.ran) {
    check_events(here.trace, there.trace);
    check_faults(&here, &there);
    check_buffers(&here, &there, &mine.info.launch);
    CHECK(memcmp(counters_total(here.counters), counters_total(there.counters), sizeof(CounterSet)) == 0);
    CHECK_STR(remote->output(there.run), emu->output(here.run));
    CHECK_STR(theirs.info.device_name, "somewhere");
    CHECK_INT(theirs.info.object_count, mine.info.object_count);
  }
  attempt_fini(&here, emu);
  attempt_fini(&there, remote);
  work_fini(&mine);
  work_fini(&theirs);
}

static void a_run_elsewhere_is_the_same(void) {
  for (int i = 0; i < LS_COUNT(cases); i++)
    for (int record = 0; record <= 1; record++) check_same(&cases[i], "env", record);
  nothing_is_left();
}

// Without a prefix, the child is this program itself.
static void a_device_here_is_a_child_too(void) {
  Work work;
  Attempt a;
  const Device *cuda = dev_choose("cuda", NULL, NULL);
  work_init(&work, &cases[0]);
  attempt(&a, &work, cuda, NULL, 20);
  CHECK(a.opened && a.ran);
  CHECK(a.stage_count >= 3 && a.stages[0] == DEV_STAGE_STARTING && a.stages[a.stage_count - 1] == DEV_STAGE_RECEIVING);
  attempt_fini(&a, cuda);
  work_fini(&work);
  nothing_is_left();
}

// Everything here ends in a good run.
static const char *const harmless[] = {
    "echo Welcome to gpu01; echo;",                                         // text before the greeting
    "A='with blanks' env",                                                  // the shell's own words
    "sh -c 'yes flood >&2 & \"$@\"' sh",                                    // standard error without end
    "sh -c '\"$@\"; exec sleep 1000' sh",                                   // does not end after its work
    "sh -c 'trap \"\" TERM HUP; \"$@\"; sleep 1000; sleep 1000' sh",        // nor if asked to
    "sh -c '\"$@\" | dd bs=1 status=none' sh",                              // byte by byte
    "sh -c '(sleep 0.1; exec cat) | \"$@\"' sh",                            // takes its time
    "sh -c '\"$@\" | LC_ALL=C sed -u \"\"' sh",                             // whole lines only, as srun does
    "head -c 60000 /dev/zero | tr '\\0' x;",                                // much text before the greeting
};

static void slow_and_chatty_runners_do(void) {
  for (int i = 0; i < LS_COUNT(harmless); i++) {
    check_same(&cases[0], harmless[i], true);
    nothing_is_left();
  }
}

// A queue's words reach the one who waits.
static void words_on_the_way_are_passed_on(void) {
  Work work;
  Attempt a;
  const char *runner = "printf 'job 7 is queued\njob 7 is running\nhalf a l' >&2; sleep 0.1;";
  const Device *device = dev_choose("emu", runner, NULL);
  work_init(&work, &cases[0]);
  attempt(&a, &work, device, runner, 20);
  CHECK(a.ran);
  CHECK_STR(a.note, "job 7 is running");
  attempt_fini(&a, device);
  work_fini(&work);
}

static void large_inputs_say_how_far_they_are(void) {
  enum { WORDS = 1 << 20 };
  Case c = cases[0];
  Work work;
  Attempt a;
  uint32_t *input = ls_alloc(WORDS * sizeof *input);
  for (uint32_t i = 0; i < WORDS; i++) input[i] = i * 2654435761u;
  CHECK(ls_file_write("an input", input, WORDS * sizeof *input, NULL));
  c.args[0] = "u32[1048576]=file:an input";
  work_init(&work, &c);
  const Device *device = dev_choose("emu", "env", NULL);
  attempt(&a, &work, device, "env", 20);
  CHECK(a.ran && a.sent == a.sending && a.sending > WORDS * sizeof *input);
  CHECK(a.received > 0 && a.received < WORDS * sizeof *input);   // of the result, what the kernel changed
  uint64_t size = 0;
  const uint8_t *result = a.ran ? device->buffer(a.run, 0, &size) : NULL;
  CHECK(result && size == WORDS * sizeof *input && memcmp(result + 400, input + 100, size - 400) == 0);
  attempt_fini(&a, device);
  work_fini(&work);
  free(input);
  nothing_is_left();
}

// A queue takes as long as it takes; what comes after it has the time limit to itself.
static void the_clock_stands_still_in_a_queue(void) {
  static const char queue[] = "echo 'srun: job 7 queued and waiting for resources' >&2; sleep 1.3; "
                              "echo 'srun: job 7 has been allocated resources' >&2;";
  Work work;
  Attempt a;
  const Device *device = dev_choose("emu", queue, NULL);
  work_init(&work, &cases[0]);
  attempt(&a, &work, device, queue, 1);
  CHECK(a.ran);
  attempt_fini(&a, device);
  work_fini(&work);
  char *stuck = ls_format("%s exec sleep 1000;", queue);
  expect_error("emu", "good", stuck, 1, LS_EENV, SAYS("did not answer within 1 s", "job 7 has been allocated resources"));
  free(stuck);
  nothing_is_left();
}

static void what_prints_there_stays_out_of_the_way(void) {
  Case c = cases[0];
  Work work;
  Attempt a;
  const Device *cuda = dev_choose("auto", "env", NULL);
  c.kernel = "chat";
  work_init(&work, &c);
  attempt(&a, &work, cuda, "env", 20);
  CHECK(a.ran);
  attempt_fini(&a, cuda);
  work_fini(&work);
}

// ---- what goes wrong ---------------------------------------------------------------------------------------------------

static void errors_of_the_far_end_are_told(void) {
  expect_error("cuda", "refuse", "env", 20, LS_EENV, SAYS("there is no NVIDIA driver\nSo says the runner 'env'."));
  expect_error("cuda", "refuse", NULL, 20, LS_EENV, SAYS("there is no NVIDIA driver"));
  expect_error("cuda", "fail", "env", 20, LS_EENV, SAYS("the GPU fell off the bus"));
  expect_error("cuda", "crash", NULL, 20, LS_EENV,
               SAYS("the GPU process was ended by signal 9 (Killed) before the run was done",
                    "The session goes on; run the kernel again"));
  nothing_is_left();
}

static void bad_requests_are_found_when_opening(void) {
  Case c = cases[0];
  Work work;
  Attempt a;
  c.args[0] = "u32=7";
  work_init(&work, &c);
  const Device *device = dev_choose("emu", "env", NULL);
  attempt(&a, &work, device, "env", 20);
  CHECK(!a.opened && a.err.kind == LS_EREQUEST);
  CHECK(strstr(a.err.message, "argument 1 of good: a scalar of type u32 (4 bytes) is given") != NULL);
  attempt_fini(&a, device);
  work_fini(&work);
  nothing_is_left();
}

static void runners_that_do_not_start_are_told(void) {
  expect_error("emu", "good", "no-such-program-here", 20, LS_EENV,
               SAYS("the runner 'no-such-program-here' ended with status 127 before it answered", "not found", "install it there"));
  expect_error("emu", "good", "echo Permission denied >&2; exit 255;", 20, LS_EENV,
               SAYS("ended with status 255 before it answered\nIts last words:\nPermission denied\nTry it by hand: "));
  expect_error("emu", "good", "kill -9 $$;", 20, LS_EENV, SAYS("was ended by signal 9 (Killed) before it answered"));
  expect_error("emu", "good", "echo Your job waits; false", 20, LS_EENV, SAYS("Its output was:\nYour job waits"));
  expect_error("emu", "good", "unbalanced '", 20, LS_EENV, SAYS("before it answered"));
  nothing_is_left();
}

// The words are those of the real programs.
static void known_words_come_with_advice(void) {
  static const struct { const char *words, *advice; } known[] = {
      {"Host key verification failed.", "Log in by hand once"},
      {"me@gpu01: Permission denied (publickey,password).", "Use a key and ssh-agent"},
      {"srun: error: Unable to allocate resources: Requested node configuration is not available", "sinfo -o"},
      {"srun: error: Invalid generic resource (gres) specification", "sinfo -o"},
      {"srun: error: invalid partition specified: gpus", "sinfo -o"},
      {"slurmstepd-gpu01: error: *** STEP 36.0 ON gpu01 CANCELLED AT 2026-01-02T11:49:50 DUE TO TIME LIMIT ***", "srun -t 30"},
      {"slurmstepd-gpu01: error: *** STEP 29.0 ON gpu01 CANCELLED AT 2026-01-02T11:43:10 ***", "The job was canceled there"},
      {"lanescope: the input ended before anybody greeted", "leave out ssh -n"},
      {"slurmstepd-gpu01: error: execve(): lanescope: No such file or directory", "a folder that all nodes share"},
      {"lanescope: serve-run talks to another lanescope, not to people", "leave out ssh -t, srun --pty"},
  };
  for (int i = 0; i < LS_COUNT(known); i++) {
    char *runner = ls_format("echo '%s' >&2; exit 1;", known[i].words);
    expect_error("emu", "good", runner, 20, LS_EENV, SAYS(known[i].words, known[i].advice));
    free(runner);
  }
  nothing_is_left();
}

static void nonsense_is_told(void) {
  expect_error("emu", "good", "yes nonsense;", 20, LS_EFORMAT,
               SAYS("the runner 'yes nonsense;' talks nonsense: 64 KB of other output came instead of a greeting",
                    "nonsense\nnonsense"));
  expect_error("emu", "good", "cat /dev/urandom;", 20, LS_EFORMAT, SAYS("talks nonsense", "Is lanescope what answers there?"));
  expect_error("emu", "good", "sh -c '\"$@\" | LC_ALL=C sed -u \"s/^/0: /\"' sh", 1, LS_EENV, SAYS("did not answer", "leave out srun -l"));
  TraceBytes bytes = {0};
  proto_put_greeting(&bytes, PROTO_VERSION, "1");
  CHECK(ls_file_write("greeting", bytes.data, bytes.size, NULL));
  free(bytes.data);
  expect_error("emu", "good", "cat greeting; yes;", 20, LS_EFORMAT, SAYS("talks nonsense: a message is damaged"));
  expect_error("emu", "good", "cat greeting greeting; exec sleep 1000;", 20, LS_EFORMAT,
               SAYS("talks nonsense: a second greeting came: more than one lanescope was started there"));
  expect_error("emu", "good", "cat greeting; exec sleep 1000;", 1, LS_EENV,
               SAYS("greeted, but did not begin within 1 s", "reads the standard input"));
  nothing_is_left();
}

static void other_versions_are_refused(void) {
  TraceBytes bytes = {0};
  proto_put_greeting(&bytes, PROTO_VERSION + 1, "99.0");
  CHECK(ls_file_write("newer", bytes.data, bytes.size, NULL));
  free(bytes.data);
  expect_error("emu", "good", "cat newer; exec sleep 1000;", 20, LS_EENV,
               SAYS("this lanescope and that of the runner 'cat newer; exec sleep 1000;'", "lanescope 99.0",
                    "version 7 of the protocol", "version 6",
                    "Install the newer lanescope here too."));
  nothing_is_left();
}

static void endless_kernels_are_ended(void) {
  unlink("server.pid");
  double start = now();
  expect_error("cuda", "hang", NULL, 0.3, LS_EENV, SAYS("the kernel did not end within 0.3 s", "--time-limit 3"));
  CHECK(now() - start < 3);
  CHECK(is_gone(process_of("server.pid")));
  expect_error("emu", "good", "exec sleep 1000;", 0.2, LS_EENV,
               SAYS("did not answer within 0.2 s", "in a queue", "--time-limit 2"));
  nothing_is_left();
}

// An emulator elsewhere may take as long as one here, if only its blocks get done.
static void a_run_that_gets_on_has_time(void) {
  TraceBytes bytes = {0};
  proto_put_greeting(&bytes, PROTO_VERSION, "1");
  CHECK(ls_file_write("greeting", bytes.data, bytes.size, NULL));
  for (uint64_t done = 1; done <= 3; done++) {
    TraceBytes payload = {0};
    char name[] = "progress.0";
    name[sizeof name - 2] = (char)('0' + done);
    bytes.size = 0;
    trace_put_u64(&payload, done);
    trace_put_u64(&payload, 9);
    proto_put(&bytes, PROTO_PROGRESS, payload.data, payload.size);
    CHECK(ls_file_write(name, bytes.data, bytes.size, NULL));
    free(payload.data);
  }
  free(bytes.data);
  expect_error("emu", "good", "cat greeting; for i in 1 2 3; do sleep 0.6; cat progress.$i; done; sleep 0.6; exit 7;", 1, LS_EENV,
               SAYS("ended with status 7 before the run was done"));
  expect_error("emu", "good", "cat greeting; for i in 1 1 1; do sleep 0.6; cat progress.$i; done; sleep 0.6; exit 7;", 1, LS_EENV,
               SAYS("did not end within 1 s"));
  nothing_is_left();
}

// Where a kill does not reach it, the server sees that its input has ended, whatever its device is doing.
static void the_far_end_notices(void) {
  unlink("server.pid");
  expect_error("cuda", "hang", "setsid", 0.3, LS_EENV, SAYS("did not end within"));
  CHECK(is_gone(process_of("server.pid")));
  nothing_is_left();
}

// ---- cut off at every message ------------------------------------------------------------------------------------------

static void record_answer(const char *path) {
  char *runner = ls_format("sh -c '\"$@\" | tee %s' sh", path);
  check_same(&cases[0], runner, true);
  free(runner);
}

static void expect_cut(size_t at, size_t whole) {
  Work work;
  Attempt a;
  char *runner = ls_format("head -c %zu answer; true", at);
  const Device *device = dev_choose("emu", runner, NULL);
  work_init(&work, &cases[0]);
  attempt(&a, &work, device, runner, 20);
  bool told = a.err.kind == LS_EENV && strstr(a.err.message, "ended with status 0") && !a.err.file[0];
  if (at < whole && !told) printf("\ncut at %zu of %zu: %d: %s\n", at, whole, a.err.kind, a.err.message);
  CHECK(at < whole ? !a.ran && told : a.ran);
  attempt_fini(&a, device);
  work_fini(&work);
  free(runner);
}

static void an_answer_may_end_anywhere(void) {
  record_answer("answer");
  size_t size, at;
  char *bytes = ls_file_read("answer", 1 << 20, &size, NULL);
  while (bytes[size - 1] == '\n') size--;   // all has been said before these
  ProtoReader reader;
  ProtoMessage message;
  proto_reader_init(&reader, PROTO_SERVER);
  proto_feed(&reader, bytes, size);
  CHECK(proto_greeting(&reader, NULL) == PROTO_READY);
  for (at = 0; at < 8; at += 3) expect_cut(at, size);
  do {
    at = reader.taken;
    expect_cut(at, size);
    if (at < size) expect_cut(at + 5, size), expect_cut(at + PROTO_HEADER_BYTES, size);
  } while (proto_next(&reader, &message, NULL) == PROTO_READY);
  CHECK(at == size);
  proto_reader_fini(&reader);
  free(bytes);
  nothing_is_left();
}

// ---- well-formed messages that make no sense -----------------------------------------------------------------------------

typedef struct Odd { ProtoType type; const char *payload; size_t size; } Odd;

static void answers_out_of_place_are_refused(void) {
  static const Odd odds[] = {
      {PROTO_DONE, "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 16}, {PROTO_TRACE, "x", 1},  {PROTO_STAGE, "\377", 1},  {PROTO_STAGE, "", 0},
      {PROTO_PROGRESS, "\2\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0", 16}, {PROTO_OPENED, "", 0}, {PROTO_ERROR, "", 0},
      {PROTO_BYTES, "x", 1}, {PROTO_FAULT, "\377\377", 2}, {PROTO_BUFFER, "\0\1\1", 3},
      {PROTO_CHANGED, "\0x", 2}, {PROTO_BUFFER, "\0\1\3", 3},
  };
  for (int i = 0; i < LS_COUNT(odds); i++) {
    TraceBytes bytes = {0};
    proto_put_greeting(&bytes, PROTO_VERSION, "odd");
    proto_put(&bytes, odds[i].type, odds[i].payload, odds[i].size);
    CHECK(ls_file_write("odd", bytes.data, bytes.size, NULL));
    free(bytes.data);
    expect_error("emu", "good", "cat odd; exec sleep 1000;", 20, LS_EFORMAT,
                 SAYS("talks nonsense: a message '", proto_type_name(odds[i].type)));
  }
  nothing_is_left();
}

// Any bit of the answer turned: an error, and no harm. (Where the change is in words, it may still be a run.)
static void changed_answers_do_no_harm(void) {
  record_answer("answer");
  size_t size;
  char *bytes = ls_file_read("answer", 1 << 20, &size, NULL);
  for (size_t at = 3; at < size; at += size / 40 + 1) {
    Work work;
    Attempt a;
    bytes[at] = (char)(bytes[at] ^ 4);
    CHECK(ls_file_write("changed", bytes, size, NULL));
    bytes[at] = (char)(bytes[at] ^ 4);
    const Device *device = dev_choose("emu", "x", NULL);
    work_init(&work, &cases[0]);
    attempt(&a, &work, device, "cat changed; true", 20);
    CHECK(!a.ran && a.err.message[0]);
    attempt_fini(&a, device);
    work_fini(&work);
  }
  free(bytes);
  nothing_is_left();
}

// ---- canceling ---------------------------------------------------------------------------------------------------------

static _Atomic bool cancel;
static double canceled_at;

static void *cancel_soon(void *context) {
  const char *path = context;
  if (path) process_of(path);
  else nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL);
  canceled_at = now();
  cancel = true;
  return NULL;
}

// It is over a moment after the wish; 0.1 s would be too little on a machine that does much else.
static void cancel_while(const char *kernel, const char *runner, const char *wait_for) {
  enum { SECONDS = 1 };
  Case c = cases[0];
  Work work;
  Attempt a;
  pthread_t thread;
  c.kernel = kernel;
  work_init(&work, &c);
  cancel = false;
  work.options.cancel = &cancel;
  pthread_create(&thread, NULL, cancel_soon, (void *)wait_for);
  const Device *device = dev_choose("cuda", runner, NULL);
  attempt(&a, &work, device, runner, 20);
  attempt_fini(&a, device);
  double end = now();
  pthread_join(thread, NULL);
  if (getenv("VERBOSE")) printf("(%.0f ms) ", 1e3 * (end - canceled_at));
  CHECK(!a.ran && a.err.kind == LS_ECANCEL && end - canceled_at < SECONDS);
  work_fini(&work);
}

static void a_run_is_canceled_at_once(void) {
  static const struct { const char *kernel, *runner, *pid_file; } waits[] = {
      {"hang", NULL, "server.pid"}, {"hang", "env", "server.pid"},
      {"good", "echo $$ > runner.pid; trap '' TERM HUP INT; sleep 1000; sleep 1000;", "runner.pid"},
  };
  for (int i = 0; i < LS_COUNT(waits); i++) {
    unlink(waits[i].pid_file);
    cancel_while(waits[i].kernel, waits[i].runner, waits[i].pid_file);
    child_settle();
    CHECK(is_gone(process_of(waits[i].pid_file)));
  }
  cancel_while("good", "yes >&2;", NULL);
  nothing_is_left();
}

// Killed at once, srun would leave a job in the queue that takes a GPU for hours and does nothing.
static void a_runner_has_time_to_cancel_its_job(void) {
  static const char *const runners[] = {
      "trap 'sleep 0.3; echo scancel > scancel; exit 1' TERM; echo $$ > runner.pid; while :; do sleep 0.1; done;",
      "sh -c 'trap \"sleep 0.3; echo scancel > scancel; exit 1\" TERM; echo $$ > runner.pid; while :; do sleep 0.1; done'; true",
  };
  for (int i = 0; i < LS_COUNT(runners); i++) {
    unlink("runner.pid");
    unlink("scancel");
    cancel_while("good", runners[i], "runner.pid");
    child_settle();
    CHECK(ls_file_exists("scancel"));
  }
  nothing_is_left();
}

static const Check checks[] = {
    {"a run elsewhere is the same", a_run_elsewhere_is_the_same},
    {"a device here is a child too", a_device_here_is_a_child_too},
    {"slow and chatty runners do", slow_and_chatty_runners_do},
    {"words on the way are passed on", words_on_the_way_are_passed_on},
    {"large inputs say how far they are", large_inputs_say_how_far_they_are},
    {"the clock stands still in a queue", the_clock_stands_still_in_a_queue},
    {"what prints there stays out of the way", what_prints_there_stays_out_of_the_way},
    {"errors of the far end are told", errors_of_the_far_end_are_told},
    {"bad requests are found when opening", bad_requests_are_found_when_opening},
    {"runners that do not start are told", runners_that_do_not_start_are_told},
    {"known words come with advice", known_words_come_with_advice},
    {"nonsense is told", nonsense_is_told},
    {"other versions are refused", other_versions_are_refused},
    {"endless kernels are ended", endless_kernels_are_ended},
    {"a run that gets on has time", a_run_that_gets_on_has_time},
    {"the far end notices", the_far_end_notices},
    {"an answer may end anywhere", an_answer_may_end_anywhere},
    {"answers out of place are refused", answers_out_of_place_are_refused},
    {"changed answers do no harm", changed_answers_do_no_harm},
    {"a run is canceled at once", a_run_is_canceled_at_once},
    {"a runner has time to cancel its job", a_runner_has_time_to_cancel_its_job},
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
  if (argc == 2 && strcmp(argv[1], "serve-run") == 0) return serve();
  if (!set_up()) return 99;
  files_before = open_files();
  int status = check_main("runner", checks, LS_COUNT(checks), argc, argv);
  char *command = ls_format("rm -rf '%s'", folder);
  if (system(command) != 0) status = status ? status : 1;
  free(command);
  return status;
}
