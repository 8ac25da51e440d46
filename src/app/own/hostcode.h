// hostcode.h: what the host code of a .cu says about launches: whether there is a main, and the <<<grid, block>>> of a
// kernel, as far as text alone tells.
//
// Nothing is executed and nothing is compiled: sizes are known where they are numbers, or names that stand for numbers
// (#define, const, constexpr and plain initialized integers, dim3), and sums and products of those.
#ifndef LS_APP_HOSTCODE_H
#define LS_APP_HOSTCODE_H

#include <stdbool.h>
#include <stdint.h>

enum { HOST_ARGS = 16 };

typedef struct HostLaunch {
  bool found;
  int line;                      // of the <<<
  char text[96];                 // "n / BLOCK, BLOCK", as written
  uint32_t grid[3], block[3];    // 0: not known
  int64_t shared;                // -1: not known
  char args[HOST_ARGS][24];      // of the call, where they are numbers; "": not known
} HostLaunch;

bool hostcode_has_main(const char *source);
// The dimensions of an array where it is declared with numbers or constants: how many of dims are known (4 at most), 0:
// none.
int hostcode_array(const char *source, const char *name, int64_t dims[4]);
// The first launch of a kernel; its name without template arguments counts.
void hostcode_launch(const char *source, const char *kernel, HostLaunch *launch);

#endif
