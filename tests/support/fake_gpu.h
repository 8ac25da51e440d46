// fake_gpu.h: what a GPU's run of a kernel would leave in a trace, made up from a run of the emulator.
//
// Events are those of the emulator, warp by warp, but the warps of a block take turns after every instruction, as they do
// not in the emulator; counts are of the whole grid; blocks run on the SMs of an H200, each as long as chance has it; the
// measure is made up. Nothing in such a trace says that it is made up, so it stays in the tests.
#ifndef LS_TESTS_FAKE_GPU_H
#define LS_TESTS_FAKE_GPU_H

#include "app/run/run.h"

typedef struct FakeGpu {
  const char *device;          // "cuda" if NULL
  const char *date;            // "2026-11-20" if NULL
  const char *profile;         // the run's if NULL; with this name no numbers go along
  uint64_t lost_events;
  bool elsewhere;              // global memory lies at other addresses than in the emulator
  int32_t miscounts;           // the device counts a conflict more at each shared load of this line; 0: none
  bool no_times;               // the device told no times of blocks
  // lane 3 gets a value with another last bit in the first exchange of warp 0 of the first recorded block
  bool rounds;
  bool goes_astray;            // one warp of the first recorded block does something else from its 20th event on
} FakeGpu;

// Runs the request on the emulator and writes the trace to path, or (path NULL) gives it as memory that the caller frees.
bool fake_gpu_trace(const RunRequest *request, const FakeGpu *fake, const char *path, uint8_t **bytes, size_t *size,
                    LsErr *err);
// The request of a lecture kernel with assignments like "N=64 threads=32"; false if a value is wrong.
bool fake_gpu_request(RecipeBook *book, const char *name, const char *values, DevCut cut, RunRequest *request, LsErr *err);

#endif
