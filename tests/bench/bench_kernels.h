// bench_kernels.h: the kernels that `make bench` times, each with its launch, the same work as a plain C loop, and
// its bar: so many times plain C, where nothing but counters is asked for.
#ifndef LS_TESTS_BENCH_KERNELS_H
#define LS_TESTS_BENCH_KERNELS_H

#include "bench_loops.h"
#include "launch/launch.h"
#include "ptx/module.h"

enum { BENCH_BUFFERS = 3 };

// Buffers as the plain loop has them; `n` is the size that the launch was made for.
typedef struct BenchData { void *buffer[BENCH_BUFFERS]; int n; } BenchData;

typedef struct BenchKernel {
  const char *name, *file, *entry;     // the file is of the source tree
  int real, small, large;              // sizes: to be timed; to be counted under callgrind; to be shared by two cores
  void (*launch)(Launch *launch, int n);                       // grid, block and arguments; buffers stand first
  void (*loop)(const Loops *loops, const BenchData *data);
  int result;                          // the buffer that is compared
  double tolerance;                    // of it, relative; 0: to the last bit
  double bar;                          // counters, as a multiple of plain C; 0: none
} BenchKernel;

extern const BenchKernel bench_kernels[];
extern const int bench_kernel_count;

// A kernel that is ready to run, and what plain C works on.
typedef struct BenchWork {
  const BenchKernel *kernel;
  PtxModule *module;
  int entry;
  Launch launch;
  BenchData data;
} BenchWork;

// Stops the program with a message if something is missing. Freed by bench_work_fini.
void bench_work_init(BenchWork *work, const BenchKernel *kernel, int n);
void bench_work_fini(BenchWork *work);
_Noreturn void bench_die(const char *what, const LsErr *err);
// An empty file below $TMPDIR. Caller frees the name and removes the file.
char *bench_temporary_file(void);

#endif
