// exec.h: what one thread needs to run blocks: SimExec; and Sim, who owns program, memory, and the first of them.
#ifndef LS_SIM_EXEC_H
#define LS_SIM_EXEC_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/table.h"
#include "sim/alu/lanes.h"
#include "sim/core/block.h"
#include "sim/core/inst.h"
#include "sim/core/memory.h"
#include "sim/core/output.h"
#include "sim/core/program.h"
#include "sim/core/shape.h"
#include "sim/sim.h"
#include "trace/trace.h"

// ---- replays -------------------------------------------------------------------------------------------------------

typedef struct SimFaultState {
  uint64_t block_event;                    // event number in the block that told it; valid if block is the current
  uint32_t block; bool in_block;
} SimFaultState;

// Registers that an instruction writes, by number in its function; for replays, which know who wrote what.
typedef struct SimDests { uint16_t count; int32_t *regs; } SimDests;

typedef struct SimExpectedEvent { uint32_t block; uint64_t event; int fault; } SimExpectedEvent;   // fault: index

typedef struct SimReplayHooks {            // set while a SimReplay drives
  const SimDests *dests;                   // per pc
  uint32_t *written;                       // [warp][register of any reached function]: lanes that ever wrote it
  int written_count;                       // registers
  uint64_t stop_at;                        // events of the block after which to stop
  const SimExpectedEvent *expected; int expected_count;  // events that a replay cannot know
  uint32_t interval;                       // number of the running checkpoint interval
  void *owner;
  void (*dirty)(void *owner, SimAlloc *alloc, uint64_t page);
} SimReplayHooks;

// ---- the grid ------------------------------------------------------------------------------------------------------

// The state of a block that waits. Shared by those who remember it (grid.c, images of a replay).
typedef struct SimState {
  int users;
  bool recorded;
  SimWait wait;
  uint8_t bytes[];
} SimState;

typedef struct SimParked {
  uint32_t block;
  SimState *state;                         // NULL: it runs
} SimParked;

// Which blocks have begun and not ended. Usually none but the running one: then `parked` is empty.
typedef struct SimGrid {
  uint64_t begun, ended;
  uint64_t turn;                           // number of the running turn: a block runs until it ends or has to wait
  SimParked *parked; int count, capacity;  // in order of their numbers
  int current, last;                       // index of the running block among them, -1; of the one resumed last
  int quiet;                               // turns in a row in which nothing but waiting happened
  // begin_order.c
  uint32_t window_begun;                   // blocks of the window that have begun, a bit each; 0: as the seed says
  uint32_t suspect;                        // 1 + the block that waits while lower ones have not begun; 0: none
  uint64_t suspect_words;                  // what it looks at, as a hash
  uint32_t suspect_changes;                // words that it changed before, as bits: sim_wait_changes
  uint32_t let_go_by;                      // 1 + the block that changed that last; 0: none
  bool only_room;                          // blocks wait for higher ones, too: whether that is right depends on room
} SimGrid;

// ---- a thread ------------------------------------------------------------------------------------------------------

// Where lanes read from in a shuffle whose operands are the same in all lanes. key: mode and operands, 0: free.
// is_shift: those in range read from lane i - by, the others from themselves.
typedef struct SimShuffle { uint32_t key, in_range; bool is_shift; int by; uint8_t source[SIM_LANES]; } SimShuffle;
enum { SIM_SHUFFLES = 32 };

// What a worker adds to a word that others add to as well, and keeps back (joint.h). at: its address, and in the lowest
// bits what is done to it; 0: none.
typedef struct SimJointWord { uintptr_t at; uint64_t by; } SimJointWord;
enum { SIM_JOINT_WORDS = 256 };

// What it adds to a small buffer to which all that the kernel does is to add: as many words of its own. of: NULL, none.
typedef struct SimJointCopy {
  const SimAlloc *of;
  uint8_t *bytes;
  uintptr_t origin;                        // address a is at origin + a
  bool is_wide, is_xor;
} SimJointCopy;

// What was executed of straight lines and the sink was not told of yet: `before` instructions from `first` on, up to
// the last jump, and those from `from` on; with what some of them did. from: -1: no lines are told as one.
enum { SIM_LINE_ACTS = 64, SIM_LINE_ROWS = 16, SIM_LINE_ATOMS = 8 };
typedef struct SimLine {
  int32_t first, from;
  int before, count, row_count, atoms_count;
  bool is_ahead;                           // the instruction at exec->pc is in it already
  TraceAct acts[SIM_LINE_ACTS];
  TraceRow rows[SIM_LINE_ROWS];
  TraceAtoms atoms[SIM_LINE_ATOMS];
} SimLine;

// A warp's way through one straight line, round after round, with nothing else in between. What is known of registers
// lasts that long. They are numbered by SIM_PASS.
typedef struct SimPass { uint64_t number; int32_t end; uint32_t mask; } SimPass;   // end: behind the line; 0: none runs
enum { SIM_PASS = 1 << 24 };

// What one thread needs to run blocks, one at a time. A worker builds one of its own from the program and the memory,
// and throws it away: nothing is copied from another one, and nothing has to be reset by hand.
//
// Turns of blocks (SimGrid) stand here and not in a struct that threads share: blocks that wait for one another all run
// on one thread, and a worker's grid is the one block that it runs. What workers did is added up by the calling thread,
// in the order of blocks (grid/parallel.c).
struct SimExec {
  const SimProgram *program;
  SimMemory *memory;
  const SimInst *code; int warp_count;     // the program's, near at hand
  const SimLaneOps *lane_ops;
  SimSched sched;                          // from here on the options', as far as they hold for this thread
  bool takes_turns;                        // SIM_TURNS, and there are several warps
  uint64_t seed, budget, block_budget;     // block_budget: what is left of it for the running block
  uint32_t checks;
  _Atomic bool *cancel;
  bool reports_progress;

  // the running group
  SimWarp *warp; SimLanes *group;
  uint8_t *regs;
  uint32_t active; int active_count;
  int32_t pc, stop_pc;
  int32_t reported_pc;                     // of an access, for whoever races with it: see sim_reported_pc
  bool alone;                              // no other group of the warp could run
  bool recording, stopping, failed, canceled;  // stopping: soon; failed: because of a fault
  uint32_t wrote;                          // lanes that the instruction just executed wrote registers of
  uint32_t dead_sources; int dead_source;  // of a shuffle: lanes that read from one that takes no part; the first such
  uint64_t addr[SIM_LANES], value[SIM_LANES], result[SIM_LANES];
  uint64_t strided[SIM_LANES];             // addr with the lane's own storage in it
  uint8_t source[SIM_LANES];               // of a shuffle: the lane each lane reads from
  SimShuffle shuffles[SIM_SHUFFLES];       // some that were executed: exec_warp.c
  TraceEvent event;                        // reused
  SimLine line;
  SimAlloc *last_alloc;

  // shapes of accesses (ops/shape_access.c)
  SimShapes *shapes;                       // per pc
  SimShape **fronts;                       // per pc: the one found last, ways[0]; or `stranger`, which nothing is like
  SimShape *stranger;
  int32_t *sums; int sum_count;            // instructions with something to be told to the sink in sums
  uint32_t shape_count;                    // numbers given
  uint64_t shape_version;                  // grows when some front or its shape becomes another
  struct SimDotPlan **dots; bool dots_pending;   // of SimProgram.dot_count; some have times to be settled: core/dots.h
  struct SimChainPlan **chains;            // of SimProgram.chain_count: core/chain.h
  struct SimCircuits *circuits;            // ways round loops (circuit.h); NULL: there are no loops
  // The running pass of a straight line, and for each kind of twins (SimMem.kin) the pass in which all lanes were last
  // compared, plus the row that they were found like. Warps that take turns have an array of them each.
  uint64_t pass, pass_count, *kin, *kins;
  SimPass *passes, *own_pass;              // of each warp, or one for all; the running warp's
  struct SimAbreast *abreast;              // warps that go round a loop side by side: grid/abreast.c
  bool sums_up, bare;                      // the running block: the sink takes sums; and nobody looks at it but checks
  uint8_t looks;                           // SIM_LOOKS_ bits: who looks at accesses of the running block
  bool marches;                            // its warps go on without the scheduler where they may: grid/march.c
  bool tells_lines;                        // or all that somebody wants to see of it can be told by lines
  uint64_t sum_step;                       // what an access adds to its times: 1 if the sink takes sums
  bool steady;                             // registers have the results of SimProgram.steady

  // the running block
  SimBlock block;
  SimWarp *warps;
  struct SimCopies *copies;                // of each warp: async_copy.c
  bool copied;                             // there were some since a block began
  uint8_t *files;                          // register files, file_bytes each
  int32_t *returns;                        // [warp][depth][lane]: return pc
  uint32_t *frames;                        // [warp][lane]: local frame of recursive functions
  uint32_t *stack_tops;                    // [warp][lane]: end of the lane's stack in its local memory
  uint8_t *shared, *shared_init;
  uint8_t *local, *local_init;
  uint8_t *lane_params;
  struct SimShadow *shadow;
  uint32_t strong_number;                  // strong accesses so far
  uint32_t unchanged;                      // lanes of a volatile store whose value was there already
  uint32_t only_looked;                    // lanes of an atomicCAS that left the word as it was

  // the run
  TraceSink *sink;
  uint64_t step, executed, poll_at;        // executed: warp instructions (and what counts as such) of finished blocks
  uint64_t *tally_warps, *tally_lanes;     // per pc, plus
  int64_t *run_warps, *run_missing;          // differences: summed up from the start they count straight lines, and
                                           // the lanes that took no part
  uint64_t *tally_partial; int64_t *run_partial;   // executions by the last warp of a block that is no multiple of 32
  bool partial;                            // the running warp is one
  uint64_t last_progress;
  SimOutput output;                        // what printf wrote
  SimGrid grid;
  struct SimHistory *history;              // who accessed global memory: access_history.c
  struct SimHappensBefore *happens_before; // what blocks have made known to one another
  struct SimDeferred *deferred;            // deferred_events.c: events that have to wait until their block can be shown
  TraceFault *faults;
  LsTable fault_of;                        // 1 + index into faults, by kind and both pcs
  SimFaultState *fault_states;
  int fault_count, fault_capacity, fault_state_count, fault_state_capacity;
  SimReplayHooks *hooks;

  // several threads
  struct SimCrew *crew;                    // those that run blocks for this one; NULL: it does so itself
  _Atomic bool *crew_stop;                 // of a worker: stops its crew. NULL: this is none
  struct SimExec *helps;                   // of the worker that the calling thread is itself: its other one
  int thread_total;                        // that ran blocks
  uint8_t owner_number;                    // its number among those who claim; 0: nobody does
  bool joint;                              // the atomic that runs is on words that other threads change in the same way
  bool kept;                               // and what it does to them was kept back
  SimJointWord *joint_words;               // of a worker: SIM_JOINT_WORDS
  SimJointCopy joint_copy;
  bool copied_to;                          // what is kept back is yet to be added to the copy
};

struct Sim {                               // who owns the three
  SimProgram program;
  SimMemory memory;
  SimExec exec;
};

// For a program that is ready; *exec is zero. False: there is no memory for its blocks. sim_checks_new makes what the
// checks need.
bool sim_exec_new(SimExec *exec, const SimProgram *program, SimMemory *memory, LsErr *err);
void sim_exec_free(SimExec *exec);
void sim_settle_counts(SimExec *exec);   // brings tally_ up to date: straight lines are counted by differences

// Before bytes of an allocation change: a replay saves their pages.
void sim_touch_bytes(SimExec *exec, SimAlloc *alloc, uint64_t offset, uint64_t size);

// Inside a line the executor lets exec->pc lag behind: what lies between it and `pc` was executed, and nobody wants to
// see its events. To be called before anybody looks at either, or may not go on.
static inline void sim_catch_up(SimExec *exec, int32_t pc) {
  exec->block.events += (uint64_t)(pc - exec->pc);
  exec->pc = pc;
}

// A shuffle with the same operands in all lanes, which are constants (ops/exec_warp.c).
const SimShuffle *sim_shuffle_known(SimExec *exec, const SimWarpOp *op);

static inline bool sim_is_worker(const SimExec *exec) { return exec->crew_stop != NULL; }
static inline int sim_warp_index(const SimExec *exec) { return exec->warp->number; }

#endif
