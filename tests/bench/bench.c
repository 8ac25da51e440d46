// bench.c: how soon a long trace is open and any step of it there, how soon the screen is.
//
//   bench [LANESCOPE]      LANESCOPE: the program whose first screen and key latency are measured
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

#include "bench_kernels.h"
#include "model/model.h"
#include "sim/sim.h"

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

// ---- a long trace --------------------------------------------------------------------------------------------------

enum { MATRIX = 256 };

static void bench_long_trace(void) {
  LsErr err = {0};
  SimOptions options;
  BenchWork work;
  sim_options_init(&options);
  options.checks = 0;
  options.record_all = true;
  bench_work_init(&work, &bench_kernels[0], MATRIX);
  Sim *sim = sim_new(work.module, work.entry, &work.launch, &options, &err);
  TraceInfo info;
  trace_info_init(&info);
  launch_fini(&info.launch);
  launch_copy(&info.launch, &work.launch);
  char *path = bench_temporary_file();
  TraceWriter *writer = trace_writer_new(path, &info, &err);
  if (!sim || !writer || !sim_run(sim, trace_writer_sink(writer), &err) || !trace_writer_finish(writer, &err))
    bench_die("long trace", &err);
  double start = now();
  Trace *trace = trace_open(path, &err);
  if (!trace) bench_die("long trace", &err);
  double opened = now() - start, worst = 0, total = 0;
  uint64_t steps = trace_steps(trace);
  TraceEvent event;
  TraceWarp warps[32];
  srand(1);
  for (int i = 0; i < 300; i++) {
    uint64_t step = ((uint64_t)rand() << 16 ^ (uint64_t)rand()) % steps;
    start = now();
    if (!trace_event(trace, step, &event, &err) || !trace_warps(trace, step, warps, &err)) bench_die("step", &err);
    double seconds = now() - start;
    total += seconds;
    if (seconds > worst) worst = seconds;
  }
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  printf("\nlong trace: %.1f million events, %.1f MB on disk, opened in %.1f ms\n", (double)steps * 1e-6,
         (double)trace_bytes(trace) * 1e-6, opened * 1e3);
  printf("  a random step: %.2f ms on average, %.2f ms at worst; peak memory of this program %.0f MB\n",
         total / 300 * 1e3, worst * 1e3,
         (double)usage.ru_maxrss / 1024);
  trace_close(trace);
  trace_writer_free(writer);
  sim_free(sim);
  trace_info_fini(&info);
  bench_work_fini(&work);
  unlink(path);
  free(path);
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
  bench_long_trace();
  if (argc > 1) bench_screen(argv[1]);
  return 0;
}
