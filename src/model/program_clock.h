// program_clock.h: the state of the simulation by which the steps of a program get their times; for the files that
// share
// the work.
#ifndef LS_MODEL_PROGRAM_CLOCK_H
#define LS_MODEL_PROGRAM_CLOCK_H

#include "model/program_time.h"

// Some blocks, or a copy, that end together; none: a kernel is about to begin; FINISH_LAUNCH: a block has launched it.
enum { FINISH_LAUNCH = -1 };
typedef struct Finish { double time; int step; int64_t blocks; } Finish;

typedef struct StepState {
  int launch;                    // its number from 0, or, behind those of the host, of a child
  int next;                      // step of the same stream, -1
  int64_t waiting, running;      // blocks
  bool is_issued, has_begun, is_ready, has_run;
  double ready;                  // when its first block might have begun
} StepState;

// Of a launch with children, or that is one (program_time_children.c).
typedef struct KinState {
  int64_t begun;                 // blocks
  int asks, next_ask, asks_end;  // into Clock.asked: its children, and the first that its blocks have still to launch
  int missing;                   // of what has to come before it may begin
  double may;                    // when nothing was missing any more
  int open, tails;               // children that are not over: of other streams, of the tail stream
  int followers, followers_end;  // into Clock.followers: children that come behind it
  bool is_out, tails_may;        // its own blocks are over; its tail stream has been let go
} KinState;

// Steps in the order in which they came; taken from the front.
typedef struct StepQueue { int *steps; int first, count, capacity; } StepQueue;

typedef struct Clock {
  const HostProgram *program;
  ProgramRules rules;
  const ProgramRates *rates;
  const ProgramCost *costs;
  ProgramTime *times;
  ProgramOrder *order;
  StepState *states;
  int *heads; uint32_t *over;    // of each chain: the first step that is not over, -1; how many are
  KinState *kin;                 // of each step; NULL: no kernel launches any
  int *asked, *followers;        // children of each launch, as its blocks come to launch them; what is behind each
  StepQueue may, ready;          // children that may begin, and those whose blocks may
  int *last;                     // of each chain: the step that ended last, -1
  int first_unbegun;             // device step in the order of the list, step_count: none
  double now, host;              // the host comes to step `at` then
  int at, host_waits_for;        // a copy that blocks, -1
  double room;                   // of the device that is free, 1: all of it
  bool engine_busy[2];
  int kernels, last_ended;
  int freed_by;                  // the launch whose blocks ended last, -1
  Finish *heap; int heap_count, heap_capacity;
} Clock;

// ---- program_time.c ----
void program_clock_push(Clock *clock, Finish finish);
void program_clock_wait(StepState *state, const ProgramCost *cost, int launch);   // no block of it has begun
// As many of its blocks begin as the device has room for.
void program_clock_fill(Clock *clock, int step);

// ---- program_time_children.c: launches by kernels ----
void program_children_prepare(Clock *clock);
void program_children_free(Clock *clock);
// So many blocks of a launch begin, and will end, those that launch children later than the others.
void program_children_begin_blocks(Clock *clock, int step, int64_t blocks);
void program_children_launched(Clock *clock, int step);
void program_children_begin(Clock *clock);         // those that may, as far as so many kernels fit
void program_children_ready(Clock *clock, int step);
void program_children_fill(Clock *clock);          // blocks of those that are ready, in the order in which they were
// The own blocks of a launch are over. The launch of the host that is over with them, children and all; -1: none.
int program_children_leave(Clock *clock, int step);

#endif
