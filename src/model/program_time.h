// program_time.h: when each step of a program begins and ends, computed from a stated model.
//
//   host       goes from step to step; a launch or an asynchronous copy costs it a little, what it waits for holds
// it up
//   copies     one engine for each direction: latency + bytes / rate; from pageable memory at another rate
//   kernels    start after a fixed time; then blocks fill the multiprocessors as far as there is room, the more urgent
//              stream's first, else in the order in which they were issued; a block that runs is never put off
//   children   of a kernel: a block launches them at its end, one by one, each launch takes it a fixed time, and
// then the
//              child begins, or, if it has to wait for another one, a fixed time after that. Their blocks come behind
//              those of the host's launches. Children of a block's stream are one after the other, those of the tail
//              stream behind all the others. A launch is over when its children are
//
// What waits for what is as in program_order.h. Times are nanoseconds from the beginning.
#ifndef LS_MODEL_PROGRAM_TIME_H
#define LS_MODEL_PROGRAM_TIME_H

#include "model/arch.h"
#include "model/program_order.h"

// All may be changed to ask "what if".
typedef struct ProgramRates {
  double link_gbs, pageable_gbs;   // each way
  double link_ns;                  // of every copy
  double call_ns;                  // that a launch or an asynchronous copy costs the host
  double start_ns;                 // from the launch of a kernel to its first block, if nothing is in the way
  double child_ns;                 // that a launch by a kernel costs its block, and until the child's first block
  double next_ns;                  // from the end of what a child waited for to its first block
  double set_gbs;                  // memset and copies inside of the device
  int engines;                     // for copies across the link: 2, or 1 for both ways
  int most_kernels;                // at the same time
} ProgramRates;
void program_rates_init(ProgramRates *rates, const ArchProfile *arch);

// What a launch takes: made by whoever ran it (program_block_ns), or measured.
typedef struct ProgramCost {
  int64_t blocks;
  int64_t per_wave;                // blocks that the device holds at once
  double block_ns;
} ProgramCost;
// Nanoseconds of one block beside as many as the device holds, from what the launch moved and executed: the slower of
// its bytes at the device's bandwidth and its warp instructions at the rate of its schedulers.
double program_block_ns(const ArchProfile *arch, int64_t blocks, int64_t per_wave, uint64_t bytes,
                        uint64_t warp_instructions);

typedef enum ProgramRow { PROGRAM_ROW_HOST, PROGRAM_ROW_TO_DEVICE, PROGRAM_ROW_TO_HOST, PROGRAM_ROW_STREAM } ProgramRow;

typedef struct ProgramTime {
  double issued;                   // when the host comes to the step, or a block begins to launch it
  double begin, end;               // of what is done; for a host step, of the host
  double runs;                     // of a launch: its first block begins, later than `begin` if the device has no room
  int waited_for;                  // the step whose end let it begin, if that was later than the host; -1
  int room_from;                   // of a launch: the step whose blocks made room for its first one; -1: there was room
  double over;                     // of a launch: its own blocks are over, and it waits for its children; else `end`
  int last_child;                  // of a launch: the one of its children that ended last; -1: none
  ProgramRow row;
} ProgramTime;

// For all its steps and children, of which nothing is known. The caller frees it.
ProgramTime *program_times_new(const HostProgram *program);
// times: one per step, then of children. costs: one per launch by the host, in order, then of children. False as
// program_order_new.
bool program_time(const HostProgram *program, ProgramRules rules, const ProgramRates *rates, const ProgramCost *costs,
                  ProgramTime *times, LsErr *err);
// The row that a step is drawn in: a copy across the link in that of its engine.
ProgramRow program_time_row(const ProgramStep *step);
// What is not in times that were measured: of what a step is ordered behind, the last to end is what it waited for, if
// that was later than the host; where it began later still, at the end of a step that had the copy engine, or of a
// launch, that. False as program_order_new.
bool program_time_explain(const HostProgram *program, ProgramRules rules, ProgramTime *times, LsErr *err);
// The cost of a launch, by the host or a kernel.
static inline const ProgramCost *program_cost_of(const HostProgram *program, const ProgramCost *costs, int step) {
  return &costs[program_launch_number(program, step) - 1];
}
double program_time_end(const HostProgram *program, const ProgramTime *times);

#endif
