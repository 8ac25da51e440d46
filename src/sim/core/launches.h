// launches.h: what a kernel asks the device runtime for: launches of other kernels, copies, streams and events
//
// See the CUDA C++ Programming Guide, "CUDA Dynamic Parallelism".
// Nothing of it is done while the kernel runs. The end of a grid waits for its children, and nothing in the grid can
// wait for them, so they may as well begin behind it; whoever ran the kernel reads the list and does what it says.
//
// Two allocations of global memory, so that a replay keeps them with the rest: the parameters of launches, which the
// kernel writes itself, and, where no pointer comes, a SimLaunchState with its slots and operations behind it.
#ifndef LS_SIM_LAUNCHES_H
#define LS_SIM_LAUNCHES_H

#include <stdbool.h>
#include <stdint.h>
#include "sim/core/exec.h"

enum {
  SIM_MOST_PENDING = 2048,                 // of a block: cudaLimitDevRuntimePendingLaunchCount, if nobody sets it
  SIM_LEAST_DEVICE_OPS = 4096, SIM_MOST_DEVICE_OPS = 1 << 18, SIM_BLOCK_DEVICE_OPS = 4,   // of a grid; by its blocks
  SIM_MOST_HANDLES = 1024,                 // streams, and as many events
  SIM_MOST_ERRORS = 256,                   // threads that have not asked for theirs
};

// A launch whose parameters are being written.
typedef struct SimLaunchSlot {
  int32_t func;
  uint32_t grid[3], block[3], shared;
  bool is_launched;
} SimLaunchSlot;

typedef struct SimThreadError { uint32_t block, thread; int32_t error; } SimThreadError;
typedef struct SimHandle { uint32_t block; int32_t recorded; } SimHandle;   // recorded: of an event, last operation + 1

typedef struct SimLaunchState {
  uint32_t calls, op_count, slot_count, stream_count, event_count, error_count;
  uint32_t pending_block, pending;         // launches of one block that wait for one another
  SimThreadError errors[SIM_MOST_ERRORS];
  SimHandle streams[SIM_MOST_HANDLES], events[SIM_MOST_HANDLES];
} SimLaunchState;

bool sim_is_device_function(const char *name);             // of the device runtime, known or not
bool sim_launches_kernels(const SimProgram *program);      // can it reach a function of the device runtime?
uint64_t sim_launch_param_bytes(const SimProgram *program);// between the parameters of two launches
uint32_t sim_launch_capacity(const SimProgram *program);   // of slots, and of operations
uint64_t sim_launch_state_bytes(const SimProgram *program);

SimLaunchState *sim_launch_state(const SimMemory *memory); // NULL: the kernel launches nothing
SimDeviceOp *sim_launch_ops(SimLaunchState *state);
SimLaunchSlot *sim_launch_slots(SimLaunchState *state, const SimProgram *program);
// To be changed: a part of it, which a replay then saves before.
void sim_launch_touch(SimExec *exec, const void *part, size_t size);

#endif
