// bench_count.c: host instructions by callgrind: the same runs in the same order on both sides, a dump after each.
#include "bench_count.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/file.h"
#include "base/mem.h"

// ---- starts --------------------------------------------------------------------------------------------------------

static void launch_blocks_of(Launch *launch, int blocks) {
  LsErr err = {0};
  char *text = ls_format("u32[%d]=none", 32 * blocks);
  launch->grid[0] = (uint32_t)blocks;
  launch->block[0] = 32;
  if (!launch_add_arg(launch, text, &err)) bench_die(text, &err);
  free(text);
}

static const BenchKernel starts[BENCH_STARTS] = {
    {.name = "one block", .file = "tests/bench/store.ptx", .small = 1, .launch = launch_blocks_of},
    {.name = "many blocks", .file = "tests/bench/store.ptx", .small = BENCH_BLOCKS, .launch = launch_blocks_of},
    {.name = "scan4", .file = "assets/ptx/scan4.ptx", .small = 1, .launch = launch_blocks_of},
};

// ---- what is counted -----------------------------------------------------------------------------------------------

// `each`: the counts are told for each of the warp instructions; else for the run.
static void count_modes(const BenchKernel *kernel, bool each) {
  BenchWork ready;
  BenchRun run;
  bench_work_init(&ready, kernel, kernel->small);
  for (int mode = 0; mode < BENCH_MODES; mode++) {
    bench_run(&ready, (BenchMode)mode, 1, &run, NULL, NULL);
    printf("%.0f\n", each ? run.warp_instructions : 1);
  }
  if (each) {
    bench_run(&ready, BENCH_COUNTERS, 2, &run, NULL, NULL);
    printf("%.0f\n", run.warp_instructions);
  }
  bench_work_fini(&ready);
}

static void launch_whole(void *context) {
  const BenchWork *work = context;
  LsErr err = {0};
  SimOptions options;
  sim_options_init(&options);
  options.checks = 0;
  options.threads = 1;
  Sim *sim = sim_new(work->module, work->entry, &work->launch, &options, &err);
  if (!sim || !sim_run(sim, NULL, &err)) bench_die(work->kernel->name, &err);
  sim_free(sim);
}

static void count_whole(const BenchKernel *kernel) {
  BenchWork work;
  bench_work_init(&work, kernel, kernel->small);
  bench_measured(launch_whole, &work);
  puts("1");
  bench_work_fini(&work);
}

void bench_count_here(const bool *wanted) {
  for (int i = 0; i < bench_kernel_count; i++)
    if (wanted[i]) count_modes(&bench_kernels[i], true);
  for (int i = 0; i < BENCH_STARTS; i++) {
    count_modes(&starts[i], false);
    count_whole(&starts[i]);
  }
}

// ---- the counts ----------------------------------------------------------------------------------------------------

typedef struct Dumps { char *folder; FILE *warps; int next; } Dumps;

static double dump_total(const char *path) {
  LsErr err = {0};
  size_t length = 0;
  char *text = ls_file_read(path, 1 << 28, &length, &err), *at = text ? strstr(text, "\ntotals: ") : NULL;
  if (!at) ls_fail(&err, LS_EIO, "callgrind wrote no totals to %s", path);
  if (!at) bench_die("callgrind", &err);
  double total = strtod(at + strlen("\ntotals: "), NULL);
  free(text);
  return total;
}

// Of the next run: host instructions, by what the other side says to divide them by.
static double next_count(Dumps *d) {
  double warps = 1;
  if (fscanf(d->warps, "%lf", &warps) != 1) bench_die("callgrind", &(LsErr){.message = "the runs ended early"});
  char *path = ls_format("%s/calls.%d", d->folder, ++d->next);
  double total = dump_total(path);
  free(path);
  return total / warps;
}

static void read_counts(Dumps *d, BenchCounts *counts, const bool *wanted) {
  for (int i = 0; i < bench_kernel_count; i++) {
    for (int mode = 0; wanted[i] && mode < BENCH_MODES; mode++) counts->kernel[i][mode] = next_count(d);
    if (wanted[i]) counts->two[i] = next_count(d);
  }
  for (int i = 0; i < BENCH_STARTS; i++) {
    for (int mode = 0; mode < BENCH_MODES; mode++) counts->start[i][mode] = next_count(d);
    counts->whole[i] = next_count(d);
  }
}

static bool run_valgrind(const char *folder, const bool *wanted) {
  char self[4096] = "";
  LsText line = {0};
  if (readlink("/proc/self/exe", self, sizeof self - 1) < 0) return false;
  ls_text_addf(&line, "valgrind --tool=callgrind --callgrind-out-file='%s/calls' --collect-atstart=no "
               "--toggle-collect=bench_measured --toggle-collect=work --dump-after=bench_measured '%s' --count", folder,
               self);                  // work: what the emulator's other threads do (grid/parallel.c)
  for (int i = 0; i < bench_kernel_count; i++)
    if (wanted[i]) ls_text_addf(&line, " %s", bench_kernels[i].name);
  ls_text_addf(&line, " >'%s/warps' 2>'%s/errors'", folder, folder);
  bool ok = system(ls_text_str(&line)) == 0;
  ls_text_free(&line);
  return ok;
}

static void remove_folder(const char *folder) {
  char *line = ls_format("rm -r '%s'", folder);
  if (system(line) != 0) fprintf(stderr, "bench: %s is left behind\n", folder);
  free(line);
}

bool bench_count(BenchCounts *counts, const bool *wanted) {
  if (system("command -v valgrind >/dev/null 2>&1") != 0) return false;
  const char *below = getenv("TMPDIR"), *isa = getenv("LANESCOPE_ISA");
  char *folder = ls_format("%s/lanescope-count-XXXXXX", below && *below ? below : "/tmp");
  bool ok = mkdtemp(folder) != NULL, own_isa = !isa || !*isa || strcmp(isa, "avx512") == 0;
  char *before = isa ? ls_strdup(isa) : NULL;
#ifdef __x86_64__
  if (own_isa) setenv("LANESCOPE_ISA", "avx2", 1);
#endif
  ok = ok && run_valgrind(folder, wanted);
  if (own_isa && before) setenv("LANESCOPE_ISA", before, 1);
  else if (own_isa) unsetenv("LANESCOPE_ISA");
  free(before);
  char *path = ls_format("%s/warps", folder);
  Dumps dumps = {.folder = folder, .warps = ok ? fopen(path, "r") : NULL};
  ok = dumps.warps != NULL;
  if (ok) read_counts(&dumps, counts, wanted), fclose(dumps.warps);
  else fprintf(stderr, "bench: valgrind did not run to its end; %s/errors says why\n", folder);
  if (ok) remove_folder(folder);
  free(path);
  free(folder);
  return ok;
}
