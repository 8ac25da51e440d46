// bench.c: make bench: how fast the emulator is, how big a trace is, how soon the screen is there.
//
//   bench [LANESCOPE]      LANESCOPE: the program whose first screen and key latency are measured
//
// Each speed is the best of several runs, since the machine's other work can only slow a run down.
#include <errno.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "bench_loops.h"
#include "model/model.h"
#include "sim/alu/alu.h"
#include "sim/sim.h"

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void die(const char *what, const LsErr *err) {
  fprintf(stderr, "bench: %s: %s\n", what, err->message);
  exit(1);
}

// ---- the emulator --------------------------------------------------------------------------------------------------

typedef struct Kernel {
  const char *name, *grid, *block;
  const char *args[5];
  void (*reference)(void);         // the same work as plain C loops on one core
} Kernel;

enum { N = 4194304, M = 256 };
static float *va, *vb, *vc;

static void fill_reference(void) {
  va = ls_alloc(sizeof *va * N), vb = ls_alloc(sizeof *vb * N), vc = ls_alloc(sizeof *vc * N);
  for (int i = 0; i < N; i++) va[i] = (float)i * 1e-6f, vb[i] = (float)(i % 7);
}

static void c_vecadd(void) { loop_vecadd(vc, va, vb, N); }
static void c_reduce(void) { loop_reduce(vc, va, N, 64); }
static void c_matmul(void) { loop_matmul(vc, va, vb, M); }

static Kernel kernels[] = {
    {"vecadd", "16384", "256", {"f32[4194304]=iota", "f32[4194304]=iota", "f32[4194304]=none", "i32=4194304"}, c_vecadd},
    {"reduce", "64", "256", {"f32[4194304]=iota", "f32[64]=none", "i32=4194304"}, c_reduce},
    {"matmul", "16,16", "16,16", {"f32[65536]=random:1", "f32[65536]=random:2", "f32[65536]=none", "i32=256"}, c_matmul},
};

typedef struct Loaded { PtxModule *module; Launch launch; } Loaded;

static Loaded load(const Kernel *kernel) {
  LsErr err = {0};
  Loaded loaded;
  size_t length;
  char *path = ls_format("%s/tests/bench/%s.ptx", LS_SOURCE_DIR, kernel->name);
  char *text = ls_file_read(path, 1 << 20, &length, &err);
  loaded.module = text ? ptx_parse(path, text, length, &err) : NULL;
  if (!loaded.module) die(kernel->name, &err);
  launch_init(&loaded.launch);
  bool ok = launch_parse_dim(kernel->grid, true, loaded.launch.grid, &err) &&
      launch_parse_dim(kernel->block, false, loaded.launch.block, &err);
  for (int i = 0; ok && kernel->args[i]; i++) ok = launch_add_arg(&loaded.launch, kernel->args[i], &err);
  if (!ok) die(kernel->name, &err);
  free(text);
  free(path);
  return loaded;
}

typedef enum Mode { COUNTED, CHECKED, RECORDED, MODE_COUNT } Mode;
enum { CORES = 2, TIMES = 5 };

typedef struct Measured { double instructions, events, bytes; int threads; } Measured;   // thread instructions; of the trace

static void measure_trace(const char *path, Measured *m) {
  LsErr err = {0};
  Trace *trace = trace_open(path, &err);
  if (!trace) die("trace_open", &err);
  m->events = (double)trace_steps(trace);
  m->bytes = (double)trace_bytes(trace);
  trace_close(trace);
}

// One run; returns seconds.
enum { PATH_ROOM = 4096 };

// An empty file below $TMPDIR; whoever asked for it removes it.
static void temporary_file(char path[PATH_ROOM]) {
  const char *below = getenv("TMPDIR");
  snprintf(path, PATH_ROOM, "%s/lanescope-bench-XXXXXX", below && *below ? below : "/tmp");
  int file = mkstemp(path);
  LsErr err = {0};
  if (file < 0) {
    ls_fail(&err, LS_EIO, "cannot make %s: %s", path, strerror(errno));
    die("a temporary file", &err);
  }
  close(file);
}

static double run_once(const Loaded *loaded, Mode mode, int threads, Measured *m) {
  LsErr err = {0};
  SimOptions options;
  sim_options_init(&options);
  options.checks = mode == CHECKED ? SIM_CHECK_ALL : 0;
  options.record_all = mode == RECORDED;
  options.threads = threads;
  Sim *sim = sim_new(loaded->module, 0, &loaded->launch, &options, &err);
  if (!sim) die("sim_new", &err);
  Counters *counters = counters_new(loaded->module);
  TraceInfo info;
  trace_info_init(&info);
  launch_fini(&info.launch);
  launch_copy(&info.launch, &loaded->launch);
  char path[PATH_ROOM];
  temporary_file(path);
  TraceWriter *writer = mode == RECORDED ? trace_writer_new(path, &info, &err) : NULL;
  TraceTee tee;
  trace_tee_init(&tee, counters_sink(counters), writer ? trace_writer_sink(writer) : NULL);
  double start = now();
  if (!sim_run(sim, writer ? &tee.sink : counters_sink(counters), &err)) die("sim_run", &err);
  if (writer && !trace_writer_finish(writer, &err)) die("trace", &err);
  double seconds = now() - start;
  m->instructions = (double)sim_thread_instructions(sim);
  m->threads = sim_threads(sim);
  if (writer) measure_trace(path, m);
  unlink(path);
  trace_writer_free(writer);
  trace_info_fini(&info);
  counters_free(counters);
  sim_free(sim);
  return seconds;
}

static double least(double a, double b) { return a < b ? a : b; }

static double time_reference(const Kernel *kernel) {
  double best = 1e9;
  for (int i = 0; i < TIMES; i++) {
    double start = now();
    kernel->reference();
    best = least(best, now() - start);
  }
  return best;
}

// On one core and on two by turns, so that other work on the machine meets both.
static void bench_kernel(const Kernel *kernel) {
  Loaded loaded = load(kernel);
  double best[CORES + 1][MODE_COUNT], reference = time_reference(kernel);
  Measured m[CORES + 1] = {0};
  for (int mode = 0; mode < MODE_COUNT; mode++) {
    for (int cores = 1; cores <= CORES; cores++) best[cores][mode] = 1e9;
    for (int i = 0; i < TIMES; i++)
      for (int cores = 1; cores <= CORES; cores++)
        best[cores][mode] = least(best[cores][mode], run_once(&loaded, (Mode)mode, cores, &m[cores]));
  }
  printf("  %-8s    1 %10.0f       %10.0f       %10.0f       %11.2f %14.0f %15.1f\n", kernel->name,
         m[1].instructions / best[1][COUNTED] * 1e-6, m[1].instructions / best[1][CHECKED] * 1e-6,
         m[1].instructions / best[1][RECORDED] * 1e-6, m[1].bytes / m[1].events, m[1].instructions,
         best[1][COUNTED] / reference);
  printf("  %-8s %4d", "", m[CORES].threads);
  for (int mode = 0; mode < MODE_COUNT; mode++)
    printf(" %10.0f %.2fx", m[CORES].instructions / best[CORES][mode] * 1e-6, best[1][mode] / best[CORES][mode]);
  printf(" %11.2f %14.0f %15.1f\n", m[CORES].bytes / m[CORES].events, m[CORES].instructions,
         best[CORES][COUNTED] / reference);
  launch_fini(&loaded.launch);
  ptx_module_free(loaded.module);
}

static void bench_emulator(void) {
  printf("emulator (%s), million thread instructions per second; with two cores also as a multiple of one\n", sim_alu_isa());
  printf("  %-8s %s %10s %16s %16s %17s %14s %15s\n", "kernel", "cores", "counters", "all checks", "recorded", "bytes/event",
         "thread instr.", "x plain C loops");
  fill_reference();
  for (int i = 0; i < LS_COUNT(kernels); i++) bench_kernel(&kernels[i]);
}

// ---- a long trace --------------------------------------------------------------------------------------------------

static void bench_long_trace(void) {
  static const Kernel kernel = {"matmul", "16,16", "16,16", {"f32[65536]=random:1", "f32[65536]=random:2", "f32[65536]=none",
                                                             "i32=256"}, NULL};
  LsErr err = {0};
  SimOptions options;
  sim_options_init(&options);
  options.checks = 0;
  options.record_all = true;
  Loaded loaded = load(&kernel);
  Sim *sim = sim_new(loaded.module, 0, &loaded.launch, &options, &err);
  TraceInfo info;
  trace_info_init(&info);
  launch_fini(&info.launch);
  launch_copy(&info.launch, &loaded.launch);
  char path[PATH_ROOM];
  temporary_file(path);
  TraceWriter *writer = trace_writer_new(path, &info, &err);
  if (!sim || !writer || !sim_run(sim, trace_writer_sink(writer), &err) || !trace_writer_finish(writer, &err))
    die("long trace", &err);
  double start = now();
  Trace *trace = trace_open(path, &err);
  if (!trace) die("long trace", &err);
  double opened = now() - start, worst = 0, total = 0;
  uint64_t steps = trace_steps(trace);
  TraceEvent event;
  TraceWarp warps[32];
  srand(1);
  for (int i = 0; i < 300; i++) {
    uint64_t step = ((uint64_t)rand() << 16 ^ (uint64_t)rand()) % steps;
    start = now();
    if (!trace_event(trace, step, &event, &err) || !trace_warps(trace, step, warps, &err)) die("step", &err);
    double seconds = now() - start;
    total += seconds;
    if (seconds > worst) worst = seconds;
  }
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  printf("\nlong trace: %.1f million events, %.1f MB on disk, opened in %.1f ms\n", (double)steps * 1e-6,
         (double)trace_bytes(trace) * 1e-6, opened * 1e3);
  printf("  a random step: %.2f ms on average, %.2f ms at worst; peak memory of this program %.0f MB\n", total / 300 * 1e3,
         worst * 1e3,
         (double)usage.ru_maxrss / 1024);
  trace_close(trace);
  trace_writer_free(writer);
  sim_free(sim);
  trace_info_fini(&info);
  unlink(path);
}

// ---- the screen ----------------------------------------------------------------------------------------------------

// Reads from the terminal until `text` was seen, or nothing came for a while; returns seconds since start.
static double wait_for(int terminal, const char *text, double start) {
  char seen[65536];
  size_t used = 0;
  double last = now();
  while (now() - start < 5) {
    struct pollfd poll_for = {.fd = terminal, .events = POLLIN};
    if (poll(&poll_for, 1, 200) <= 0) {
      if (!text) return last - start;
      continue;
    }
    if (used > sizeof seen / 2) used = 0;
    ssize_t n = read(terminal, seen + used, sizeof seen - used - 1);
    if (n <= 0) break;
    used += (size_t)n;
    seen[used] = 0;
    last = now();
    if (text && memmem(seen, used, text, strlen(text))) return last - start;
    if (!text) return last - start;
  }
  return -1;
}

// Forgets what is left of the answer before.
static void drain(int terminal) {
  char rest[65536];
  struct pollfd poll_for = {.fd = terminal, .events = POLLIN};
  while (poll(&poll_for, 1, 0) > 0 && read(terminal, rest, sizeof rest) > 0) continue;
}

static void bench_screen(const char *program) {
  struct winsize size = {.ws_col = 120, .ws_row = 36};
  int terminal;
  double start = now();
  pid_t child = forkpty(&terminal, NULL, NULL, &size);
  if (child == 0) {
    setenv("TERM", "xterm-256color", 1);
    setenv("LC_ALL", "C.UTF-8", 1);
    execl(program, program, "explore", "reduce2", (char *)NULL);
    _exit(127);
  }
  double first = wait_for(terminal, "reduce2", start);
  printf("\nscreen: lanescope explore reduce2 shows its first screen %.0f ms after the start\n", first * 1e3);
  usleep(300000);
  double worst = 0, total = 0;
  for (int i = 0; i < 50; i++) {
    drain(terminal);
    start = now();
    if (write(terminal, i % 10 == 9 ? "n" : "l", 1) != 1) break;
    double seconds = wait_for(terminal, NULL, start);
    total += seconds;
    if (seconds > worst) worst = seconds;
    usleep(30000);
  }
  printf("  a key is answered after %.1f ms on average, %.1f ms at worst (50 keys)\n", total / 50 * 1e3, worst * 1e3);
  kill(child, SIGTERM);
  waitpid(child, NULL, 0);
}

int main(int argc, char **argv) {
  setvbuf(stdout, NULL, _IOLBF, 0);
  bench_emulator();
  bench_long_trace();
  if (argc > 1) bench_screen(argv[1]);
  return 0;
}
