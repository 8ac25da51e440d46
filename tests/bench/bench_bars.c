// bench_bars.c: the emulator held against its bars: plain C, counters, checks, every event recorded, two cores.
//
//   bench_bars [--json] [--repeats N] [--no-host] [--cores] [KERNEL...]
//
// Kernels are those of bench_kernels.c; without a name, all of them. Each number is the median of N rounds. In a round
// plain C and the emulator run in turns, and a ratio is of neighbors, so what else the machine does meets both. Times
// on one core are CPU times; those of two cores are of the clock, and mean something on a quiet machine only. Host
// instructions mean the same on any (bench_count.h).
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include "base/json.h"
#include "base/mem.h"
#include "bench_count.h"
#include "sim/alu/alu.h"

#define CHECKS_BAR 1.5
#define RECORDED_BAR 3.0
#define CORES_BAR 0.95               // of what two programs reach
#define SAMPLE_SECONDS 0.05          // at least, of one sample: short runs are repeated
#define QUIET_SHARE 0.97             // of the clock that a program on one core had for itself
#define QUIET_SPREAD 0.10            // between the quarters of the rounds, relative to the median
enum { CORES = 2, ROUNDS = 7, MOST_ROUNDS = 101 };

typedef struct Options { bool json, host, cores; int rounds; bool wanted[16]; } Options;   // cores: nothing else

// ---- samples -------------------------------------------------------------------------------------------------------

typedef struct Sample { BenchTook took; BenchRun run; } Sample;      // of one run, on average; the last run

static double busy_cpu, busy_wall;   // of all samples on one core

static Sample average(BenchTook total, int count, BenchRun run) {
  return (Sample){{total.cpu / count, total.wall / count}, run};
}

// Once before it is timed: behind a fork() the first write to a page copies it.
static Sample time_loop(const BenchWork *work, const Loops *loops) {
  work->kernel->loop(loops, &work->data);
  BenchTook start = bench_now(), took = {0};
  int count = 0;
  for (; took.wall < SAMPLE_SECONDS; count++) {
    work->kernel->loop(loops, &work->data);
    took = bench_since(start);
  }
  busy_cpu += took.cpu, busy_wall += took.wall;
  return average(took, count, (BenchRun){0});
}

static Sample repeat_run(const BenchWork *work, BenchMode mode, int threads) {
  BenchTook total = {0};
  BenchRun run = {0};
  int count = 0;
  for (; total.wall < SAMPLE_SECONDS; count++) {
    bench_run(work, mode, threads, &run, NULL, NULL);
    total.cpu += run.took.cpu, total.wall += run.took.wall;
  }
  return average(total, count, run);
}

static Sample time_run(const BenchWork *work, BenchMode mode) {
  BenchTook start = bench_now(), took;
  Sample sample = repeat_run(work, mode, 1);
  took = bench_since(start);
  if (mode != BENCH_RECORDED) busy_cpu += took.cpu, busy_wall += took.wall;
  return sample;
}

typedef struct Neighbor { double wall; int runs; } Neighbor;   // of all its runs; shared with it

static _Noreturn void be_neighbor(const BenchWork *work, int begun, Neighbor *me) {
  BenchRun run;
  bench_run(work, BENCH_COUNTERS, 1, &run, NULL, NULL);
  if (write(begun, "", 1) != 1) _exit(1);
  for (;; me->runs++) {
    bench_run(work, BENCH_COUNTERS, 1, &run, NULL, NULL);
    me->wall += run.took.wall;
  }
}

// Runs on one thread while another program does the same: what two cores of this machine can give at all, as seconds
// in which both together end a run. They need not be equally fast: the other one is held up by whoever else is on its
// core.
static Sample run_beside_another(const BenchWork *work) {
  int ends[2];
  char byte;
  Neighbor *other = mmap(NULL, sizeof *other, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  pid_t neighbor = other != MAP_FAILED && pipe(ends) == 0 ? fork() : -1;
  if (neighbor == 0) be_neighbor(work, ends[1], other);
  if (neighbor < 0 || read(ends[0], &byte, 1) != 1) bench_die("two programs", &(LsErr){.message = "no second one"});
  Sample sample = repeat_run(work, BENCH_COUNTERS, 1);
  kill(neighbor, SIGKILL);
  waitpid(neighbor, NULL, 0);
  close(ends[0]), close(ends[1]);
  double theirs = other->runs ? other->wall / other->runs : sample.took.wall;
  sample.took.wall = 1 / (1 / sample.took.wall + 1 / theirs);
  munmap(other, sizeof *other);
  return sample;
}

// ---- the same result -----------------------------------------------------------------------------------------------

static bool same_result(const BenchWork *work, const uint8_t *bytes, uint64_t size) {
  const BenchKernel *k = work->kernel;
  const float *plain = work->data.buffer[k->result], *emulated = (const void *)bytes;
  if (k->tolerance == 0) return memcmp(plain, bytes, size) == 0;
  for (uint64_t i = 0; i < size / sizeof *plain; i++)
    if (!(fabs((double)emulated[i] - (double)plain[i]) <= k->tolerance * fabs((double)plain[i]))) return false;
  return true;
}

static void compare_result(void *context, const Sim *sim) {
  const BenchWork *work = context;
  uint64_t size = 0;
  const uint8_t *bytes = sim_buffer(sim, work->kernel->result, &size);
  if (same_result(work, bytes, size)) return;
  bench_die(work->kernel->name, &(LsErr){.message = "plain C and the emulator come to different results"});
}

static void check_results(BenchWork *work) {
  BenchRun run;
  const Loops *loops[] = {&loops_native, &loops_scalar, &loops_plain};
  for (int i = 0; i < LS_COUNT(loops); i++) {
    work->kernel->loop(loops[i], &work->data);
    bench_run(work, BENCH_COUNTERS, 1, &run, compare_result, work);
  }
}

// ---- rounds --------------------------------------------------------------------------------------------------------

// One number of each round.
typedef struct Rounds { double value[MOST_ROUNDS]; int count; } Rounds;
typedef struct Row {
  const BenchKernel *kernel;
  Rounds plain, scalar, native;                              // seconds of plain C
  Rounds counters, counters_scalar, checks, recorded;        // ratios
  // Of the large size, where two threads have something to share:
  Rounds alone, cores_cpu, programs_cpu;                     // seconds of one thread; processor's time, by its
  Rounds cores, programs;                                    // two threads, and two programs at once, by one alone
  Rounds large;                                              // counters, as a multiple of plain C
  double bytes_per_event, warp_instructions;
  int threads;                                               // that ran with two cores
} Row;

static int by_value(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double quantile(const Rounds *rounds, double part) {
  Rounds sorted = *rounds;
  qsort(sorted.value, (size_t)sorted.count, sizeof *sorted.value, by_value);
  return sorted.count ? sorted.value[(int)lround(part * (sorted.count - 1))] : (double)NAN;
}
static double median(const Rounds *rounds) { return quantile(rounds, 0.5); }
static double spread(const Rounds *rounds) {
  return (quantile(rounds, 0.75) - quantile(rounds, 0.25)) / median(rounds);
}
static void note(Rounds *rounds, double value) { rounds->value[rounds->count++] = value; }

static void round_of_one_core(const BenchWork *work, Row *row) {
  Sample plain = time_loop(work, &loops_plain), counters = time_run(work, BENCH_COUNTERS),
         behind = time_loop(work, &loops_plain), checks = time_run(work, BENCH_CHECKS),
         again = time_run(work, BENCH_COUNTERS), recorded = time_run(work, BENCH_RECORDED),
         scalar = time_loop(work, &loops_scalar), native = time_loop(work, &loops_native);
  double plain_cpu = (plain.took.cpu + behind.took.cpu) / 2;
  note(&row->plain, plain_cpu);
  note(&row->scalar, scalar.took.cpu);
  note(&row->native, native.took.cpu);
  note(&row->counters, counters.took.cpu / plain_cpu);
  note(&row->counters_scalar, again.took.cpu / scalar.took.cpu);
  note(&row->checks, checks.took.cpu / ((counters.took.cpu + again.took.cpu) / 2));
  note(&row->recorded, recorded.took.cpu / again.took.cpu);
  row->bytes_per_event = recorded.run.bytes / recorded.run.events;
  row->warp_instructions = counters.run.warp_instructions;
}

static void round_of_two_cores(const BenchWork *work, Row *row) {
  Sample two = repeat_run(work, BENCH_COUNTERS, CORES), one = repeat_run(work, BENCH_COUNTERS, 1),
         beside = run_beside_another(work), plain = time_loop(work, &loops_plain);
  note(&row->alone, one.took.wall);
  note(&row->large, one.took.cpu / plain.took.cpu);
  note(&row->cores, one.took.wall / two.took.wall);
  note(&row->programs, one.took.wall / beside.took.wall);
  note(&row->cores_cpu, two.took.cpu / one.took.cpu);
  note(&row->programs_cpu, beside.took.cpu / one.took.cpu);
  row->threads = two.run.threads;
}

static void measure(const BenchKernel *kernel, const Options *o, Row *row) {
  BenchWork work, large;
  bench_work_init(&work, kernel, kernel->real);
  bench_work_init(&large, kernel, kernel->large);
  *row = (Row){.kernel = kernel};
  check_results(&work);
  for (int i = 0; i < o->rounds; i++) {
    if (!o->cores) round_of_one_core(&work, row);
    round_of_two_cores(&large, row);
  }
  bench_work_fini(&large);
  bench_work_fini(&work);
}

// ---- the table -----------------------------------------------------------------------------------------------------

static int kept, missed;

static char mark(bool ok) {
  kept += ok, missed += !ok;
  return ok ? ' ' : '!';
}

static char mark_counters(const Row *row) {
  return row->kernel->bar > 0 ? mark(median(&row->counters) < row->kernel->bar) : ' ';
}

static char mark_cores(const Row *row) {
  return mark(median(&row->cores) >= CORES_BAR * median(&row->programs));
}

static void print_head(bool host) {
  printf("%-13s %9s %9s %11s %9s %8s %9s %7s %9s %8s %7s", "", "plain C", "-march=", "counters", "counters", "checks",
         "recorded", "bytes/", "large:", "2 cores", "2 prog.");
  printf(host ? "   host instructions per warp instruction\n" : "\n");
  printf("%-13s %9s %9s %11s %9s %8s %9s %7s %9s %8s %7s", "kernel", "-O3, ms", "native", "x plain C", "x scalar",
         "x count.", "x count.", "event", "x plain C", "x one", "x one");
  printf(host ? " %10s %10s %10s %10s\n" : "\n", "counters", "checks", "recorded", "2 threads");
}

static void print_row(const Row *row, const double *host, double two) {
  char bar[16] = "";
  if (row->kernel->bar > 0) snprintf(bar, sizeof bar, "<%.0f", row->kernel->bar);
  printf("%-13s %9.2f %9.2f %6.1f%c %3s %9.1f %7.2f%c %8.2f%c %7.3f %9.1f %7.2f%c %7.2f", row->kernel->name,
         median(&row->plain) * 1e3, median(&row->native) * 1e3, median(&row->counters), mark_counters(row), bar,
         median(&row->counters_scalar), median(&row->checks),
         mark(median(&row->checks) <= CHECKS_BAR), median(&row->recorded), mark(median(&row->recorded) <= RECORDED_BAR),
         row->bytes_per_event, median(&row->large), median(&row->cores), mark_cores(row), median(&row->programs));
  if (host) printf(" %10.1f %10.1f %10.1f %10.1f", host[BENCH_COUNTERS], host[BENCH_CHECKS], host[BENCH_RECORDED], two);
  printf("\n");
}

static void print_cores(const Row *rows, int count) {
  printf("%-13s %13s %11s %12s %7s %22s\n", "kernel", "1 thread, ms", "2 cores, x", "2 programs", "share ",
         "their CPU time, x one's");
  for (int i = 0; i < count; i++) {
    const Row *row = &rows[i];
    printf("%-13s %13.2f %11.2f %12.2f %6.2f%c %11.2f %11.2f\n", row->kernel->name, median(&row->alone) * 1e3,
           median(&row->cores), median(&row->programs), median(&row->cores) / median(&row->programs), mark_cores(row),
           median(&row->cores_cpu), median(&row->programs_cpu));
  }
}

static void print_starts(const BenchCounts *c) {
  static const char *const names[BENCH_STARTS] = {"1 block of 32 threads, a store each", "10,000 such blocks",
                                                  "scan4, 1 warp"};
  printf("\n%-36s %10s %10s %10s   %s\n", "starts, host instructions", "counters", "checks", "recorded",
         "with sim_new and sim_free, counters");
  for (int i = 0; i < BENCH_STARTS; i++)
    printf("%-36s %10.0f %10.0f %10.0f   %10.0f\n", names[i], c->start[i][BENCH_COUNTERS], c->start[i][BENCH_CHECKS],
           c->start[i][BENCH_RECORDED], c->whole[i]);
  printf("%-36s", "  of each block");
  for (int mode = 0; mode < BENCH_MODES; mode++)
    printf(" %10.0f", (c->start[BENCH_MANY_BLOCKS][mode] - c->start[BENCH_ONE_BLOCK][mode]) / (BENCH_BLOCKS - 1));
  printf("\n");
}

static double worst_spread(const Row *rows, int count) {
  double worst = 0;
  for (int i = 0; i < count; i++) worst = fmax(worst, spread(&rows[i].counters));
  return worst;
}

static bool is_quiet(const Row *rows, int count) {
  return busy_cpu / busy_wall >= QUIET_SHARE && worst_spread(rows, count) <= QUIET_SPREAD;
}

static void print_foot(const Row *rows, int count, const Options *o, double load, bool host) {
  printf("\nbars: counters as told; checks at most %.1f x counters; recorded at most %.0f x counters; "
         "two cores %.2f x two programs: %d kept, %d missed (!)\n", CHECKS_BAR, RECORDED_BAR, CORES_BAR, kept, missed);
  printf("medians of %d rounds, instruction set %s, load before it %.1f; it had %.0f %% of a core, "
         "quarters of the rounds up to %.0f %% apart: %s\n", o->rounds, sim_alu_isa(), load,
         100 * busy_cpu / busy_wall, 100 * worst_spread(rows, count),
         is_quiet(rows, count) ? "a quiet machine" : "NOT a quiet machine: trust host instructions, not ratios");
  printf("large: 4 to 64 times as much, shared by the two cores (tests/bench/README.md)\n");
  if (host) printf("host instructions: callgrind inside the run, small sizes, avx2 at most\n");
  else printf("host instructions are left out: %s\n", o->host ? "there is no valgrind here" : "--no-host");
}

// ---- JSON ----------------------------------------------------------------------------------------------------------

static void add_rounds(LsJson *j, const char *key, const Rounds *rounds) {
  ls_json_open_member(j, key, '{');
  ls_json_member_f64(j, "median", median(rounds));
  ls_json_member_f64(j, "spread", spread(rounds));
  ls_json_close(j, '}');
}

static void add_modes(LsJson *j, const char *key, const double *counts) {
  ls_json_open_member(j, key, '{');
  for (int mode = 0; mode < BENCH_MODES; mode++) ls_json_member_f64(j, bench_mode_names[mode], counts[mode]);
  ls_json_close(j, '}');
}

static void add_row(LsJson *j, const Row *row, const double *host, double two) {
  ls_json_open(j, '{');
  ls_json_member(j, "kernel", row->kernel->name);
  add_rounds(j, "plain_seconds", &row->plain);
  add_rounds(j, "scalar_seconds", &row->scalar);
  add_rounds(j, "native_seconds", &row->native);
  add_rounds(j, "counters_x_plain", &row->counters);
  add_rounds(j, "counters_x_scalar", &row->counters_scalar);
  add_rounds(j, "checks_x_counters", &row->checks);
  add_rounds(j, "recorded_x_counters", &row->recorded);
  ls_json_member_i64(j, "large_size", row->kernel->large);
  add_rounds(j, "large_counters_x_plain", &row->large);
  add_rounds(j, "two_cores_x_one", &row->cores);
  add_rounds(j, "two_programs_x_one", &row->programs);
  ls_json_member_f64(j, "bar", row->kernel->bar > 0 ? row->kernel->bar : (double)NAN);
  ls_json_member_f64(j, "bytes_per_event", row->bytes_per_event);
  ls_json_member_f64(j, "warp_instructions", row->warp_instructions);
  ls_json_member_i64(j, "threads", row->threads);
  if (host) add_modes(j, "host_instructions", host);
  if (host) ls_json_member_f64(j, "host_instructions_of_two_threads", two);
  ls_json_close(j, '}');
}

static void add_starts(LsJson *j, const BenchCounts *counts) {
  static const char *const names[BENCH_STARTS] = {"one_block", "many_blocks", "scan4"};
  ls_json_open_member(j, "starts", '{');
  for (int i = 0; i < BENCH_STARTS; i++) add_modes(j, names[i], counts->start[i]);
  ls_json_member_u64(j, "blocks", BENCH_BLOCKS);
  ls_json_close(j, '}');
}

static void print_json(const Row *rows, int count, const Options *o, double load, const BenchCounts *counts) {
  LsText text = {0};
  LsJson j;
  ls_json_init(&j, &text);
  ls_json_open(&j, '{');
  ls_json_member(&j, "instruction_set", sim_alu_isa());
  ls_json_member_i64(&j, "rounds", o->rounds);
  ls_json_member_f64(&j, "load", load);
  ls_json_member_f64(&j, "share_of_a_core", busy_cpu / busy_wall);
  ls_json_member_bool(&j, "quiet", is_quiet(rows, count));
  ls_json_open_member(&j, "kernels", '[');
  for (int i = 0; i < count; i++) {
    ptrdiff_t at = rows[i].kernel - bench_kernels;
    add_row(&j, &rows[i], counts ? counts->kernel[at] : NULL, counts ? counts->two[at] : 0);
  }
  ls_json_close(&j, ']');
  if (counts) add_starts(&j, counts);
  ls_json_close(&j, '}');
  puts(ls_text_str(&text));
  ls_text_free(&text);
}

// ---- the program ---------------------------------------------------------------------------------------------------

static int measure_rows(const Options *o, Row *rows, const BenchCounts *counts) {
  int count = 0;
  for (int i = 0; i < bench_kernel_count; i++) {
    if (!o->wanted[i]) continue;
    measure(&bench_kernels[i], o, &rows[count++]);
    if (o->json || o->cores) continue;
    print_row(&rows[count - 1], counts ? counts->kernel[i] : NULL, counts ? counts->two[i] : 0);
  }
  return count;
}

static void measure_all(const Options *o) {
  static Row rows[16];
  BenchCounts counts = {0};
  double load = 0;
  getloadavg(&load, 1);
  if (o->host) fprintf(stderr, "counting host instructions under callgrind...\n");
  bool host = o->host && bench_count(&counts, o->wanted);
  if (!o->json && !o->cores) print_head(host);
  int count = measure_rows(o, rows, host ? &counts : NULL);
  if (o->cores) print_cores(rows, count);
  else if (o->json) print_json(rows, count, o, load, host ? &counts : NULL);
  else if (host) print_starts(&counts);
  if (!o->json && !o->cores) print_foot(rows, count, o, load, host);
}

static bool want(Options *o, const char *name) {
  bool found = false;
  for (int i = 0; i < bench_kernel_count; i++)
    if (strcmp(bench_kernels[i].name, name) == 0) o->wanted[i] = found = true;
  return found;
}

int main(int argc, char **argv) {
  Options o = {.host = true, .rounds = ROUNDS};
  bool count_here = false, some = false, ok = true;
  setvbuf(stdout, NULL, _IOLBF, 0);
  for (int i = 1; i < argc && ok; i++) {
    if (strcmp(argv[i], "--json") == 0) o.json = true;
    else if (strcmp(argv[i], "--no-host") == 0) o.host = false;
    else if (strcmp(argv[i], "--cores") == 0) o.cores = true, o.host = false;
    else if (strcmp(argv[i], "--count") == 0) count_here = true;
    else if (strcmp(argv[i], "--repeats") == 0 && i + 1 < argc) o.rounds = atoi(argv[++i]);
    else ok = some = want(&o, argv[i]);
  }
  o.rounds = LS_CLAMP(o.rounds, 1, MOST_ROUNDS);
  for (int i = 0; !some && i < bench_kernel_count; i++) o.wanted[i] = true;
  if (!ok) fprintf(stderr, "usage: bench_bars [--json] [--repeats N] [--no-host] [--cores] [KERNEL...]\n");
  else if (count_here) bench_count_here(o.wanted);
  else measure_all(&o);
  return !ok;
}
