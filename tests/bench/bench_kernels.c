// bench_kernels.c: the kernels that are timed: their launches, their data, and the plain loops on the same data.
#include "bench_kernels.h"
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/mem.h"
#include "source_dir.h"

enum { THREADS = 256, TILE = 16, REDUCE_BLOCKS = 64, BUCKETS = 16, TERMS = 20, SIN_BLOCKS = 64, SIN_THREADS = 128 };

_Noreturn void bench_die(const char *what, const LsErr *err) {
  fprintf(stderr, "bench: %s: %s\n", what, err->message);
  exit(1);
}

char *bench_temporary_file(void) {
  const char *below = getenv("TMPDIR");
  LsErr err = {0};
  char *path = ls_format("%s/lanescope-bench-XXXXXX", below && *below ? below : "/tmp");
  int file = mkstemp(path);
  if (file < 0) {
    ls_fail(&err, LS_EIO, "cannot make %s: %s", path, strerror(errno));
    bench_die("a temporary file", &err);
  }
  close(file);
  return path;
}

// ---- launches ------------------------------------------------------------------------------------------------------

static LaunchArg *add(Launch *launch, const char *text) {
  LsErr err = {0};
  if (!launch_add_arg(launch, text, &err)) bench_die(text, &err);
  return &launch->args[launch->arg_count - 1];
}

static void add_buffer(Launch *launch, const char *type, int count, const char *init) {
  char *text = ls_format("%s[%d]=%s", type, count, init);
  add(launch, text);
  free(text);
}

static void add_i32(Launch *launch, int value) {
  char *text = ls_format("i32=%d", value);
  add(launch, text);
  free(text);
}

static float step_size(int steps) { return (float)(M_PI / (steps - 1)); }

static void add_step_size(Launch *launch, int steps) {
  char *text = ls_format("f32=%.9g", (double)step_size(steps));
  add(launch, text);
  free(text);
}

// Colors as the recipe histogram draws them: evenly, from a linear congruential generator.
static void add_colors(Launch *launch, int n) {
  add_buffer(launch, "i32", n, "none");
  LaunchArg *colors = &launch->args[launch->arg_count - 1];
  int32_t *color = ls_alloc(sizeof *color * (size_t)n);
  uint32_t state = 12345678;
  for (int i = 0; i < n; i++) {
    state = state * 1664525 + 1013904223;
    color[i] = (int32_t)((uint64_t)state * BUCKETS >> 32);
  }
  colors->init = LAUNCH_DATA;
  colors->data = (uint8_t *)color;
}

static void row_of_blocks(Launch *launch, int blocks, int threads) {
  launch->grid[0] = (uint32_t)blocks;
  launch->block[0] = (uint32_t)threads;
}

static void launch_matmul(Launch *launch, int n) {
  for (int i = 0; i < 2; i++) {
    launch->grid[i] = (uint32_t)(n / TILE);
    launch->block[i] = TILE;
  }
  add_buffer(launch, "f32", n * n, "random:1");
  add_buffer(launch, "f32", n * n, "random:2");
  add_buffer(launch, "f32", n * n, "none");
  add_i32(launch, n);
}

static void launch_vecadd(Launch *launch, int n) {
  row_of_blocks(launch, n / THREADS, THREADS);
  add_buffer(launch, "f32", n, "random:1");
  add_buffer(launch, "f32", n, "random:2");
  add_buffer(launch, "f32", n, "none");
  add_i32(launch, n);
}

static void launch_reduce(Launch *launch, int n) {
  row_of_blocks(launch, REDUCE_BLOCKS, THREADS);
  add_buffer(launch, "f32", n, "random:1");
  add_buffer(launch, "f32", REDUCE_BLOCKS, "none");
  add_i32(launch, n);
}

static void launch_reduce2(Launch *launch, int n) {
  row_of_blocks(launch, REDUCE_BLOCKS, THREADS);
  launch->shared_bytes = THREADS * sizeof(float);
  add_buffer(launch, "f32", REDUCE_BLOCKS, "none");
  add_buffer(launch, "f32", n, "random:1");
  add_i32(launch, n);
}

static void launch_histogram(Launch *launch, int n) {
  row_of_blocks(launch, n / THREADS, THREADS);
  add_colors(launch, n);
  add_buffer(launch, "i32", BUCKETS, "zero");
  add_i32(launch, n);
}

static void launch_scan_warp(Launch *launch, int n) {
  row_of_blocks(launch, n / THREADS, THREADS);
  add_buffer(launch, "i32", n, "mod:1000");
  add_buffer(launch, "i32", n, "none");
  add_i32(launch, n);
}

static void launch_scan_block(Launch *launch, int n) {
  row_of_blocks(launch, n / THREADS, THREADS);
  add_buffer(launch, "i32", n, "mod:1000");
  add_buffer(launch, "i32", n, "none");
  add_buffer(launch, "i32", n / THREADS, "none");
  add_i32(launch, n);
}

static void launch_sine(Launch *launch, int n) {
  row_of_blocks(launch, SIN_BLOCKS, SIN_THREADS);
  add_buffer(launch, "f32", n, "none");
  add_i32(launch, n);
  add_i32(launch, TERMS);
  add_step_size(launch, n);
}

// ---- the same as loops ---------------------------------------------------------------------------------------------

static void loop_matmul(const Loops *loops, const BenchData *d) {
  loops->matmul(d->buffer[2], d->buffer[0], d->buffer[1], d->n);
}
static void loop_vecadd(const Loops *loops, const BenchData *d) {
  loops->vecadd(d->buffer[2], d->buffer[0], d->buffer[1], d->n);
}
static void loop_reduce(const Loops *loops, const BenchData *d) {
  loops->reduce(d->buffer[1], d->buffer[0], d->n, REDUCE_BLOCKS);
}
static void loop_reduce2(const Loops *loops, const BenchData *d) {
  loops->reduce(d->buffer[0], d->buffer[1], d->n, REDUCE_BLOCKS);
}
static void loop_histogram(const Loops *loops, const BenchData *d) {
  loops->histogram(d->buffer[1], d->buffer[0], d->n, BUCKETS);
}
static void loop_scan_warp(const Loops *loops, const BenchData *d) {
  loops->scan_warp(d->buffer[1], d->buffer[0], d->n);
}
static void loop_scan_block(const Loops *loops, const BenchData *d) {
  loops->scan_block(d->buffer[1], d->buffer[2], d->buffer[0], d->n);
}
static void loop_sine(const Loops *loops, const BenchData *d) {
  loops->sine(d->buffer[0], d->n, TERMS, step_size(d->n));
}

// A product is added up by fused multiply-adds on a GPU and by single ones here.
#define OF_PRODUCTS 1e-5
#define MATMUL_BAR 5
#define STREAM_BAR 8
#define ATOMIC_BAR 20
// Small, real, large.
enum { SMALL_MATRIX = 64, MATRIX = 256, LARGE_MATRIX = 1024 };
enum { SMALL = 1 << 16, ELEMENTS = 1 << 22, MANY = 1 << 24 };
enum { SMALL_STEPS = 1 << 13, STEPS = 1 << 18, MANY_STEPS = 1 << 21 };

#define BENCH_PTX(name) "tests/bench/" name ".ptx"
#define RECIPE_PTX(name) "assets/ptx/" name ".ptx"

#define MATRICES MATRIX, SMALL_MATRIX, LARGE_MATRIX
#define ROWS ELEMENTS, SMALL, MANY
#define SUMS ELEMENTS, 4 * SMALL, MANY
#define SERIES STEPS, SMALL_STEPS, MANY_STEPS

const BenchKernel bench_kernels[] = {
    {"matmul", BENCH_PTX("matmul"), NULL, MATRICES, launch_matmul, loop_matmul, 2, OF_PRODUCTS, MATMUL_BAR},
    {"matmul_naive", RECIPE_PTX("matmul_naive"), "MatrixMulKernel<16>", MATRICES, launch_matmul, loop_matmul, 2,
     OF_PRODUCTS, MATMUL_BAR},
    {"matmul_tiled", RECIPE_PTX("matmul_tiled"), "MatrixMulKernel<16>", MATRICES, launch_matmul, loop_matmul, 2,
     OF_PRODUCTS, MATMUL_BAR},
    {"vecadd", RECIPE_PTX("vec_add"), NULL, ROWS, launch_vecadd, loop_vecadd, 2, 0, STREAM_BAR},
    {"reduce", BENCH_PTX("reduce"), NULL, SUMS, launch_reduce, loop_reduce, 1, 0, STREAM_BAR},
    {"reduce2", RECIPE_PTX("reduce2"), NULL, SUMS, launch_reduce2, loop_reduce2, 0, 0, STREAM_BAR},
    {"histogram", RECIPE_PTX("histogram"), NULL, ROWS, launch_histogram, loop_histogram, 1, 0, ATOMIC_BAR},
    {"scan_warp", BENCH_PTX("scan"), "scan_warp", ROWS, launch_scan_warp, loop_scan_warp, 1, 0, ATOMIC_BAR},
    {"scan_block", BENCH_PTX("scan"), "scan_block", ROWS, launch_scan_block, loop_scan_block, 1, 0, ATOMIC_BAR},
    {"gpu_sin", RECIPE_PTX("gpu_sin"), NULL, SERIES, launch_sine, loop_sine, 0, 0, 0},
};
const int bench_kernel_count = LS_COUNT(bench_kernels);

// ---- made ready ----------------------------------------------------------------------------------------------------

// The plain loop gets buffers of its own. What was drawn once is copied into those of each run.
static void fill_buffers(BenchWork *work) {
  for (int i = 0; i < BENCH_BUFFERS && work->launch.args[i].is_buffer; i++) {
    LaunchArg *arg = &work->launch.args[i];
    size_t size = (size_t)arg->count * (size_t)launch_type_size(arg->type);
    work->data.buffer[i] = ls_alloc(size);
    if (!launch_fill(arg, work->data.buffer[i]) || arg->init == LAUNCH_DATA) continue;
    arg->init = LAUNCH_DATA;
    arg->data = ls_alloc(size);
    memcpy(arg->data, work->data.buffer[i], size);
  }
}

void bench_work_init(BenchWork *work, const BenchKernel *kernel, int n) {
  LsErr err = {0};
  size_t length = 0;
  *work = (BenchWork){.kernel = kernel, .data.n = n};
  char *text = source_read(kernel->file, 1 << 20, &length, &err);
  work->module = text ? ptx_parse(kernel->file, text, length, &err) : NULL;
  work->entry = work->module ? ptx_find_entry(work->module, kernel->entry, &err) : -1;
  if (work->entry < 0) bench_die(kernel->file, &err);
  free(text);
  launch_init(&work->launch);
  kernel->launch(&work->launch, n);
  fill_buffers(work);
}

void bench_work_fini(BenchWork *work) {
  for (int i = 0; i < BENCH_BUFFERS; i++) free(work->data.buffer[i]);
  launch_fini(&work->launch);
  ptx_module_free(work->module);
}
