// internal.h: what the files of the emulator share: decoded code, memories, warps, and the running block.
//
//   decode.c      PtxInstr -> SimInst: a handler and slot offsets       memory.c   allocations, windows, layout
//   exec_*.c      the handlers                                          shadow.c   who wrote and who read what
//   sched.c       which lanes of a warp run next                        run.c      turns of warps
//   block_wait.c        warps that wait for other blocks                      grid.c     turns of blocks
//   fault.c       what the kernel did wrong, as sentences               replay.c   any event again
//   units.c       blocks on this thread or on several                   parallel.c, ownership.c   these threads
//
// A SimExec runs one block at a time. Everything that a block changes lives in plain memory without pointers (SimBlock,
// SimWarp, register files, shared and local memory), so that a checkpoint is a copy.
#ifndef LS_SIM_INTERNAL_H
#define LS_SIM_INTERNAL_H

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/mem.h"
#include "base/table.h"
#include "ptx/cfg.h"
#include "sim/alu/alu.h"
#include "sim/alu/lanes.h"
#include "sim/sim.h"

enum {
  SIM_LANES = 32, SIM_MAX_WARPS = 32, SIM_BARRIERS = 16, SIM_MAX_VEC = 8,
  SIM_CLUSTER_BARRIER = SIM_BARRIERS, SIM_ALL_BARRIERS,
  SIM_MAX_DEPTH = 96,                       // calls a thread may be inside
  SIM_MAX_CONVS = SIM_MAX_DEPTH + 48,       // a convergence barrier per call, and per divergent branch
  SIM_TURN = 4096,                          // warp instructions before another warp has its turn
  SIM_SLICE = 256,                          // before another group of lanes of the same warp has its turn
  SIM_PAGE = 4096,
  SIM_WORKSPACE_BYTES = 64,                 // of a cooperative launch; the word that blocks meet at is behind the first
  SIM_BARRIER_OFFSET = 4,
  SIM_STACK_BYTES = 16384,                  // of local memory for frames of recursive functions
  SIM_LAST_EPOCH = 60000000,                // of race checking
  SIM_MAX_OUTPUT = 1 << 20,                 // bytes that a kernel may print
};
#define SIM_FULL UINT32_MAX

// Address ranges. A generic address says by its range which space it is in; global and const addresses are their own
// generic addresses.
#define SIM_WINDOW_BYTES (1ull << 32)
#define SIM_BELOW (1ull << 24)
#define SIM_PARAM_WINDOW 0x7b0000000000ull
#define SIM_CONST_BASE 0x7c0000000000ull
#define SIM_LOCAL_WINDOW 0x7d0000000000ull
#define SIM_SHARED_WINDOW 0x7e0000000000ull
#define SIM_GLOBAL_BASE 0x7f0000000000ull
#define SIM_IMAGE_BASE 0x7fc000000000ull    // textures and surfaces: no pointer reaches them; an image's handle is its address

#define SIM_FOR_LANES(lane, mask) \
  for (uint32_t lane##_left = (mask), lane = lane##_left ? (uint32_t)__builtin_ctz(lane##_left) : 0; lane##_left; \
       lane##_left &= lane##_left - 1, lane = lane##_left ? (uint32_t)__builtin_ctz(lane##_left) : 0)

// ---- decoded code --------------------------------------------------------------------------------------------------

typedef struct SimInst SimInst;
typedef struct SimExec SimExec;
// Executes one instruction for the lanes in mask. The program counter of the running group stands at the instruction
// and has to be moved; SIM_GO: the same group runs on; SIM_YIELD: the groups of the warp changed, choose again.
// SIM_WAIT: the group waits and has not executed the instruction.
typedef enum SimNext { SIM_GO, SIM_YIELD, SIM_WAIT } SimNext;
typedef SimNext (*SimHandler)(SimExec *exec, const SimInst *inst, uint32_t mask);

struct SimInst {
  SimOp op;                // arithmetic; run is NULL for everything else
  SimHandler handler;      // NULL: plain arithmetic
  const void *more;        // what the handler needs besides: SimMem, SimCall, ...
  uint32_t guard;          // slot of the guard predicate, or SIM_NO_SLOT
  uint16_t run;            // unguarded plain arithmetic from here to the end of its straight line; 0 if this is none
  uint8_t guard_negate;
  uint8_t kind;            // TraceKind
};

typedef enum SimExtend { SIM_EXT_ZERO, SIM_EXT_S8_16, SIM_EXT_S8_32, SIM_EXT_S16_32, SIM_EXT_S8_64, SIM_EXT_S16_64,
                         SIM_EXT_S32_64 } SimExtend;

// ld, st, atom, red, ldu.
typedef struct SimMem {
  uint8_t space;           // PtxSpace of the instruction
  uint8_t elem, vec;       // bytes of an element, elements
  uint8_t width;           // elem * vec
  uint8_t extend;          // SimExtend
  uint8_t base_bytes;      // 4, 8, or 0 if there is no base register
  uint16_t extent;         // the array that the address is of: index + 1 into SimProgram.extents; 0: not known
  bool framed;             // the address is relative to the frame of a recursive function
  bool lane_private;       // .param of a function: storage of each lane
  bool later, bulk;        // the store of an asynchronous copy, whose bytes come later (async_copy.c)
  bool strong;             // volatile, relaxed, acquire, release, atomic: never races with its like
  bool acquire, release;
  bool only_moved, only_masked;  // what becomes of a loaded value: see copy_loads.c
  bool unused;             // nobody looks at the old value that an atomic brings
  bool is_reduction;       // ptx/reduction.h
  uint8_t op, type;        // atomics: PtxMode and PtxType
  uint32_t base;           // slot
  int64_t offset;
  uint32_t data[SIM_MAX_VEC];    // slots of the destination or source elements
  uint8_t data_bytes[SIM_MAX_VEC]; // 4 or 8 as the slot is
  bool narrow_operand;     // the value of an atomic on 64 bits is in a 32-bit slot
  uint32_t operand, compare;     // atomics: slots of the value and, for cas, of what is compared with
  uint32_t operands[SIM_MAX_VEC]; // atomics on vectors: of each element
} SimMem;

// What an atomic on an mbarrier does, where others have their PtxMode (exec_mbarrier.c).
enum { SIM_MBAR_LOOK = PTX_MODE_COUNT, SIM_MBAR_ARRIVE, SIM_MBAR_DROP, SIM_MBAR_EXPECT, SIM_MBAR_ARRIVE_EXPECT,
       SIM_MBAR_COMPLETE };

typedef struct SimBranch { int32_t target, reconverge; const int *table; int table_count; uint32_t index; } SimBranch;

typedef struct SimPassed {  // an argument, parameter or result: in the lanes' .param storage, or (reg >= 0) a register
  uint32_t at, bytes;      // place in the storage, or slot of 4 or 8 bytes per lane
  int reg;                 // number in its function, -1: in storage; a constant's is SIM_PASSED_CONST
} SimPassed;
enum { SIM_PASSED_CONST = 1 << 30, SIM_MOST_PASSED = 16, SIM_MOST_RESULTS = 4, SIM_RESULT_BYTES = 64 };
typedef struct SimCall {
  int func;                // callee, or -1: by address
  uint32_t address;        // slot
  SimPassed *args, *results; int arg_count, result_count;
  int builtin;             // SimBuiltin
} SimCall;
typedef enum SimBuiltin { SIM_BUILTIN_NONE, SIM_BUILTIN_VPRINTF, SIM_BUILTIN_ASSERT, SIM_BUILTIN_TRAP } SimBuiltin;

// Warp operations and barriers: slots of operands; SIM_NO_SLOT where there is none.
typedef struct SimWarpOp {
  uint8_t op;              // PtxOp
  uint8_t mode, type;
  uint8_t wide;            // match: 64-bit operand
  bool negate;             // of the predicate operand
  bool abs, nan;           // redux of floats
  bool aligned;
  uint32_t d, p, a, b, c, members;
} SimWarpOp;

typedef struct SimFunc {   // what is known of a reachable function
  bool reached, recursive;
  uint32_t *slots;         // of its registers
  uint32_t first_slot, slot_bytes;   // the range they lie in
  uint32_t param_first, param_bytes; // its formal parameters and results in the lanes' param storage
  uint32_t frame_bytes;    // local variables, if recursive
  int first_reg;           // number of its first register among those of all reached functions
} SimFunc;

// ---- memory --------------------------------------------------------------------------------------------------------

// Who accessed a word of global memory, or 128 bytes of it (access_history.c). block: its number + 1, 0: nobody; writer: epoch
// << 6 | flag << 5 | warp, the flag for strong accesses; info: pc << 10 | lane << 5 | warp. part, of a word: the bytes,
// and << 4 how many of them each lane has, if they are of lanes in a row. part, of a line: bytes of each lane. A word
// may be split: then info is the number of four entries, one for each byte.
typedef struct SimOwner { uint32_t block, writer, info, part; } SimOwner;
typedef struct SimSplit { SimOwner bytes[4]; } SimSplit;
enum { SIM_LINE = 128, SIM_WATCH_BYTES = 16 << 10 };
#define SIM_OWNER_SPLIT UINT32_MAX

typedef struct SimWatch {  // of SIM_WATCH_BYTES of a buffer; NULL: none such yet, or too many tables
  SimOwner *words, *readers;       // last write of each word; its last two readers
  SimOwner *lines, *line_readers;  // the same of lines that a whole warp accessed at once
} SimWatch;

typedef struct SimHistory {      // who accessed global memory, as far as the blocks of one thread did (access_history.c)
  SimWatch **pieces;             // of each allocation; NULL if nobody has written or read it, or nobody wants to know
  size_t bytes;                  // of all tables
  SimSplit *splits; int split_count, split_capacity; uint32_t free_split;
} SimHistory;

typedef struct SimAlloc {  // global or const memory
  uint64_t base, size;
  uint8_t *taken;          // what is freed: `bytes` begins at a cache line in it; NULL if the memory is the caller's
  uint8_t *bytes;
  uint8_t *init;           // per byte: was it written; NULL: all of it
  bool may_be_written;     // by the kernel, as far as its code tells
  _Atomic uint64_t *claims;   // eight words each: which thread may use them (ownership.c); NULL: any
  _Atomic uint8_t *line_claims;
  uint32_t *dirty;         // replay: per page, the checkpoint interval in which it was last saved
  int number;              // its index among all
  int arg, var;            // launch argument or module variable, the other is -1
  const LaunchImage *image;// of a texture or surface; NULL: ordinary memory
  const LaunchArg *texels; // what they are
  bool is_const;
  bool in_place;           // bytes are the caller's (SimOptions.mappings)
} SimAlloc;

// An array, as far as accesses are known to be meant for it (extents.c).
typedef struct SimExtent {
  uint64_t first, size;    // as addresses of its space
  const char *name;        // of a local array; others have a TraceObject
  int local_of;            // the depot variable that a local array is in, -1
  uint8_t space, type;     // TraceSpace; LaunchType of an element of a local array
} SimExtent;

// The places of memory that one access may touch, once it is known to be inside them.
typedef struct SimSpan {
  uint8_t *bytes, *init;   // init NULL: nothing to check
  uint64_t base, size;     // address of bytes[0]
  uintptr_t origin;        // address a is at origin + a
  uint64_t stride;         // between lanes, for lane-private memory
  SimAlloc *alloc;         // global and const
} SimSpan;

// ---- warps ---------------------------------------------------------------------------------------------------------

typedef enum SimGroupState { SIM_GROUP_RUN, SIM_GROUP_BARRIER, SIM_GROUP_SYNC } SimGroupState;

typedef struct SimLanes {  // lanes of a warp that run together
  uint32_t mask;
  int32_t pc;
  int16_t conv;            // innermost convergence barrier they belong to, -1
  uint16_t depth;          // of calls
  uint8_t state;           // SimGroupState
  uint8_t barrier;         // BARRIER: number
  bool forced;             // SYNC: goes on without the lanes that never come
  bool joined;             // their next event is the first after they met
  uint32_t members;          // SYNC: member mask
} SimLanes;

// A convergence barrier: set where lanes part, it collects them at `pc`. Free if members is 0.
typedef struct SimConv { uint32_t members, arrived; int32_t pc; int16_t parent; uint16_t depth; } SimConv;

typedef struct SimWarp {
  uint32_t exist, live;
  int32_t group_count, picked, prefer;     // index of the group that runs or ran last; that should run next, or -1
  SimLanes groups[SIM_LANES];              // scheduler stack: only the last one runs
  SimConv convs[SIM_MAX_CONVS];
  int32_t conv_count;                      // convs beyond this are free
  int32_t exit_pc;                         // where lanes last ended
  uint32_t turns;                          // used up in full, one after another, while nothing happened in the warp
  uint32_t spinning;                       // lanes found to spin in this watch
  uint32_t strong_turns; bool impatient;   // of these turns in a row, those with strong accesses; lanes had to be let go before
  bool let_go;                             // lanes went on without others that took long or waited: that may have been too early
  uint32_t clock[SIM_MAX_WARPS];           // accesses of warp v up to this epoch are ordered before ours
  uint32_t fenced[SIM_MAX_WARPS];          // clock as of the last fence: what a strong write publishes
  uint32_t seen[SIM_MAX_WARPS];            // what strong reads saw: ordered at the next fence
  uint32_t floor;                          // least of clock
  uint32_t lanes_met;                      // accesses of its lanes up to this epoch are ordered among them
  uint32_t stored;                         // epoch of its last store to shared memory
  uint32_t closed[2][SIM_LANES];           // groups of asynchronous copies that each lane has committed; of bulk copies
  bool asleep;                             // its last turn ended because it waits for memory to change (block_wait.c)
  int32_t wait_pc, wait_count;             // jump back where its registers were looked at, -1; how often
  uint64_t wait_hash, wait_changes;        // registers there; changes of memory at its last jump back
} SimWarp;

// An asynchronous copy of up to 16 bytes for each of some lanes of a warp, not known to be over (async_copy.c).
typedef struct SimCopy {
  uint32_t lanes;          // of which it is pending
  uint32_t over;           // of which its mbarrier has ended the phase, which nobody has seen yet
  int32_t pc;              // where it is told to have started
  uint32_t epoch;
  uint8_t bytes;           // 0: only the source is still in use
  uint8_t bulk, space;     // TraceSpace of the source
  uint8_t from_bytes[SIM_LANES];
  uint32_t to[SIM_LANES], group[SIM_LANES], mbarrier[SIM_LANES];   // mbarrier: offset + 1, 0: none
  uint64_t from[SIM_LANES], low, high;                             // low, high: around all of the source
  uint8_t data[SIM_LANES][16];
} SimCopy;
typedef struct SimCopies { SimCopy *items; int count, capacity; } SimCopies;

typedef struct SimBarrier {
  uint32_t lanes[SIM_MAX_WARPS];           // arrived lanes of each warp
  uint32_t waits;                          // warps of which lanes wait (the others only arrived)
  uint32_t threads;                        // expected, 0: all
  uint32_t popc; bool all, any;            // bar.red
  bool used;
} SimBarrier;

// Whether the warps of a block all wait for memory that only another block can change (block_wait.c).
enum { SIM_WAIT_WORDS = 8, SIM_WAIT_CHANGERS = 16 };
typedef struct SimWait {
  bool looked;                             // the warp has read a word that others may change, since it last jumped back
  bool yielded;                            // its turn ends because it waits
  bool turn_quiet, round_quiet, visit_quiet;  // nothing but waiting happened
  bool round_waits;                        // somebody waited
  bool stuck;                              // another block has to run first
  bool sure;                               // and it is plain that this one cannot go on before memory changes
  bool hopeless;                           // nobody can change it
  bool released;                           // lanes go on alone because those that they would meet wait
  uint64_t turn_changes, turn_executed;    // at the start of the turn
  uint64_t looks;                          // reads of such words in this visit
  uint32_t word_count;                     // words that were read in this round; beyond SIM_WAIT_WORDS: too many to know
  uint64_t words[SIM_WAIT_WORDS], values[SIM_WAIT_WORDS];   // addresses; what was there when the block was left
  struct { uint64_t addr; uint32_t thread; } changers[SIM_WAIT_CHANGERS];   // who in this block changed a word last
  int32_t told_pc;                         // where it waits, -1
} SimWait;

typedef struct SimBlock {                  // all of a block's state except bytes of memory
  uint32_t number, index[3];
  uint64_t events, executed, charged;      // events made; warp instructions; what counts beside them against the budget
  uint64_t random;                         // state of the generator
  uint32_t epoch;                          // of race checking
  uint32_t pending;                        // entries in the lists of copies
  uint64_t looked;                         // happens_before.c: what it could know when it last looked; 0: it never did
  bool shared_whole; uint32_t shared_stores;  // all of shared memory is written; accesses since that was looked at
  int32_t warp, left;                      // whose turn it is and how many instructions are left of it
  int32_t slice;                           // left for the group while others could run
  uint32_t order[SIM_MAX_WARPS]; int32_t turn;  // order of warps in this round; place in it
  bool in_round, in_turn, round_progress, resume;  // resume: go on in the middle of a group's slice
  uint64_t turn_charged;                   // charged, when the turn began
  uint64_t idle_turns, watch_at;           // livelock: turns since something happened; when to look closer
  bool watching, watching_warp;            // everybody for a round; one warp for its turn
  uint64_t watch_hash, watch_changes;      // of the running group, where it last jumped back
  int32_t watch_pc, watch_count;
  uint64_t round_changes, changes;         // memory or state that changed, counted while alert
  bool alert;                              // watching, or a warp that looked at memory as those do that wait for a change
  SimWait wait;
  bool recorded, aside;                    // aside: its events have to wait for those of an earlier block
  uint32_t visits;                         // how often it had its turn before
  uint64_t resumed_at;                     // events at the start of this visit
  SimBarrier barriers[SIM_ALL_BARRIERS];
} SimBlock;

typedef struct SimFaultState {
  uint64_t block_event;                    // event number in the block that told it; valid if block is the current
  uint32_t block; bool in_block;
} SimFaultState;

// Registers that an instruction writes, by number in its function; for replays, which know who wrote what.
typedef struct SimDests { uint16_t count; int32_t *regs; } SimDests;

typedef struct SimTold { uint32_t block; uint64_t event; } SimTold;

typedef struct SimReplayHooks {            // set while a SimReplay drives
  const SimDests *dests;                   // per pc
  uint32_t *written;                       // [warp][register of any reached function]: lanes that ever wrote it
  int written_count;                       // registers
  uint64_t stop_at;                        // events of the block after which to stop
  const SimTold *told; int told_count;     // events that a replay cannot know
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
  uint64_t visit;                          // number of the running visit: a block runs until it ends or has to wait
  SimParked *parked; int count, capacity;  // in order of their numbers
  int current, last;                       // index of the running block among them, -1; of the one resumed last
  int quiet;                               // visits in a row in which nothing but waiting happened
} SimGrid;

// A piece of what printf wrote, behind those before it.
typedef struct SimPrint { uint32_t block, thread; uint64_t event; size_t length; } SimPrint;
typedef struct SimOutput { LsText text; SimPrint *pieces; int piece_count, piece_capacity; } SimOutput;

// A launch made ready: the module, the kernel's decoded code, and where everything lies. Whoever prepares it writes it;
// once it is ready it is const, and all threads share it.
typedef struct SimProgram {
  const PtxModule *module;
  const Launch *launch;
  SimOptions options;                      // as given; what changes on the way stands in SimExec
  int entry;
  LsArena *arena;
  bool is_plan;                            // another device runs it: memory has no bytes

  // code
  SimInst *code;
  SimFunc *funcs;
  PtxCfg **cfgs;
  bool has_calls, has_recursion, has_fences;
  bool cooperative;                        // it waits for the whole grid: grid.sync()
  uint8_t *own_code;                       // per pc: is its line one of the kernel's own file? NULL: there are no calls
  int32_t *own_before;                     // per pc: the last pc up to it, in its function, that is; -1
  uint32_t clear_bytes, file_bytes;        // register file of a warp: cleared at the start of a block; whole
  struct SimSlots *slots;

  // names and places
  TraceObject *objects; int object_count, object_capacity;  // names in the arena
  const char **param_names; int *arg_param;                 // source names of parameters; parameter of each argument
  int *arg_var;                            // module variable (.texref, .surfref) that an argument is bound to, -1
  uint64_t *var_addr;                      // address of each variable in its space
  SimExtent *extents; int extent_count;
  int32_t **reg_extents; int *var_extents; // extent + 1 of a register of a function, if it is that and nothing else
  uint8_t *params; uint64_t param_bytes;
  uint64_t workspace;                      // address of what a cooperative launch gets from the driver

  // what a block has, and how many there can be
  int warp_count; uint32_t thread_count;
  uint64_t shared_bytes, static_shared;
  uint64_t local_bytes, stack_first;       // per thread
  uint64_t lane_param_bytes;               // per thread: .param of functions
  uint64_t resident;                       // blocks that can be there at the same time
  bool shares;                             // there are other blocks that can be waited for
} SimProgram;

// Global memory: one for all threads. A word that the kernel may write is claimed before it is used (ownership.c).
typedef struct SimMemory {
  SimAlloc *allocs; int alloc_count;       // in order of addresses
  int *arg_alloc, *var_alloc;              // argument, module variable -> allocation, -1
  uint8_t claim_shift;                     // a claim is on 1 << claim_shift bytes
  bool is_touched;                         // it is not as at the launch, or its bytes are the caller's
} SimMemory;

// What one thread needs to run blocks, one at a time. A worker builds one of its own from the program and the memory
// (sim_exec_new) and throws it away; nothing is copied from another one.
//
// The turns of blocks stand here, too: blocks that wait for one another all run on one thread, and a worker's grid is
// the one block that it runs.
struct SimExec {
  const SimProgram *program;
  SimMemory *memory;
  const SimInst *code; int warp_count;     // the program's, near at hand
  const SimLaneOps *lane_ops;
  SimSched sched;                          // from here on the options', as far as they hold for this thread
  uint64_t seed, budget;
  uint32_t checks;
  _Atomic bool *cancel;
  bool tells_progress;

  // the running group
  SimWarp *warp; SimLanes *group;
  uint8_t *regs;
  uint32_t active; int active_count;
  int32_t pc, stop_pc;
  int32_t told_pc;                         // of an access, for whoever races with it: see sim_told_pc
  bool alone;                              // no other group of the warp could run
  bool recording, stopping, failed, canceled;  // stopping: soon; failed: because of a fault
  uint32_t wrote;                          // lanes that the instruction just executed wrote registers of
  uint32_t dead_sources; int dead_source;  // of the last shuffle: lanes that read from a lane that takes no part, the first one's
  uint64_t addr[SIM_LANES], value[SIM_LANES], result[SIM_LANES];
  uint64_t strided[SIM_LANES];             // addr with the lane's own storage in it
  uint8_t source[SIM_LANES];               // of a shuffle: the lane each lane reads from
  TraceEvent event;                        // reused
  SimAlloc *last_alloc;

  // the running block
  SimBlock block;
  SimWarp *warps;
  SimCopies *copies;                       // of each warp, in the order they started
  uint8_t *files;                          // register files, file_bytes each
  int32_t *returns;                        // [warp][depth][lane]: return pc
  uint32_t *frames;                        // [warp][lane]: local frame of recursive functions
  uint32_t *stack_tops;                    // [warp][lane]: end of the lane's stack in its local memory
  uint8_t *shared, *shared_init;
  uint8_t *local, *local_init;
  uint8_t *lane_params;
  struct SimShadow *shadow;

  // the run
  TraceSink *sink;
  uint64_t step, executed, poll_at;        // executed: warp instructions (and what counts as such) of finished blocks
  uint64_t *tally_warps, *tally_lanes;     // per pc, plus
  int64_t *run_warps, *run_lanes;          // differences: summed up from the start they count straight lines
  uint64_t last_progress;
  SimOutput output;                        // what printf wrote
  SimGrid grid;
  SimHistory history;                      // who accessed global memory
  struct SimPublished *published;          // what blocks have made known to one another
  struct SimAside *aside;                  // deferred_events.c: events that have to wait until their block can be shown
  TraceFault *faults;
  LsTable fault_of;                        // 1 + index into faults, by kind and both pcs
  SimFaultState *fault_states;
  int fault_count, fault_capacity, fault_state_count, fault_state_capacity;
  SimReplayHooks *hooks;

  // several threads
  struct SimCrew *crew;                    // those that run blocks for this one; NULL: it does so itself
  _Atomic bool *crew_stop;                 // of a worker: stops its crew. NULL: this is none
  int thread_total;                        // that ran blocks
  uint8_t claimant;                        // its number among those who claim; 0: nobody does
  bool joint;                              // the atomic that runs is on words that other threads change in the same way
};

struct Sim {                               // who owns the three
  SimProgram program;
  SimMemory memory;
  SimExec exec;
};

static inline bool sim_is_worker(const SimExec *exec) { return exec->crew_stop != NULL; }

static inline uint32_t *sim_u32(uint8_t *regs, uint32_t slot) { return (uint32_t *)(void *)(regs + slot); }
static inline uint64_t *sim_u64(uint8_t *regs, uint32_t slot) { return (uint64_t *)(void *)(regs + slot); }
static inline uint32_t sim_pred(const uint8_t *regs, uint32_t slot) {
  uint32_t bits;
  memcpy(&bits, regs + slot, sizeof bits);
  return bits;
}
static inline uint64_t sim_lane(uint8_t *regs, uint32_t slot, int bytes, uint32_t lane) {
  return bytes == 8 ? sim_u64(regs, slot)[lane] : sim_u32(regs, slot)[lane];
}
static inline int sim_popcount(uint32_t x) {   // no libgcc call where the baseline has no instruction for it
  x -= x >> 1 & 0x55555555u;
  x = (x & 0x33333333u) + (x >> 2 & 0x33333333u);
  return (int)(((x + (x >> 4)) & 0x0f0f0f0fu) * 0x01010101u >> 24);
}
static inline int sim_warp_index(const SimExec *exec) { return (int)(exec->warp - exec->warps); }
static inline bool sim_wants_event(const SimExec *exec) { return exec->recording || (exec->sink && exec->sink->access); }

// ---- decode.c, slots.c ---------------------------------------------------------------------------------------------
void sim_reach(SimProgram *program);                                  // which functions can run; comes first
bool sim_waits_for_grid(const SimProgram *program);                   // do they call grid.sync()?
bool sim_decode(SimProgram *program, LsErr *err);
typedef struct SimDecoder SimDecoder;
struct SimDecoder {
  SimProgram *program;
  const PtxInstr *in;
  SimInst *out;
  int func, pc;
  const char *why;          // what cannot be done, or NULL
};
bool sim_decode_mem(SimDecoder *d);
bool sim_decode_address(SimDecoder *d, SimMem *mem, const PtxOperand *operand);
bool sim_decode_async(SimDecoder *d);
void sim_decode_datum(SimDecoder *d, SimMem *mem, int k, const PtxOperand *operand, bool load);  // element k of the data
bool sim_decode_atom(SimDecoder *d);
bool sim_decode_image(SimDecoder *d);                      // tex, tld4, suld, sust, txq, suq: see image.h
bool sim_decode_warp(SimDecoder *d);
bool sim_decode_flow(SimDecoder *d);
bool sim_decode_barrier(SimDecoder *d, SimWarpOp *op);
bool sim_decode_mbarrier(SimDecoder *d);
bool sim_decode_cluster_barrier(SimDecoder *d);
bool sim_decode_cluster_address(SimDecoder *d);            // mapa, getctarank
const char *sim_refused_cluster(const SimProgram *program);           // why the kernel's clusters cannot be had, or NULL
void sim_mbarrier_access(SimDecoder *d, SimMem *mem, int op, const PtxOperand *address, uint32_t operand);
bool sim_decode_move(SimDecoder *d);
bool sim_decode_packed(SimDecoder *d);
bool sim_decode_matrix(SimDecoder *d);
bool sim_decode_call(SimDecoder *d);

typedef struct SimSlots SimSlots;
bool sim_slots_new(SimProgram *program);                              // registers of all reached functions
void sim_slots_free(SimProgram *program);
uint32_t sim_slot_const(SimProgram *program, int bytes, uint64_t value);  // bytes: 4, 8, or 1 for a predicate
uint32_t sim_slot_sreg(SimProgram *program, int sreg, int index, int bytes);
uint32_t sim_slot_scratch(int bytes);
uint32_t sim_slot_carry(const SimProgram *program);
uint32_t sim_slot_temp(SimProgram *program, int bytes, int number);   // for the decoder's own use within one instruction
int sim_reg_bytes(const PtxModule *module, int func, int reg); // 1 predicate, 4, 8 as the slot is
// Slot of a source or destination operand as wide as `bytes` (1, 4, 8); a register's own width wins.
uint32_t sim_slot_of(SimDecoder *d, const PtxOperand *operand, int bytes);
void sim_slots_fill_warp(SimExec *exec, int warp);              // constants and what never changes
void sim_slots_fill_block(SimExec *exec, int warp);             // clears registers, and sim_slots_fill_number
void sim_slots_fill_number(SimExec *exec, int warp);            // what changes with the block
bool sim_sreg_value(const SimExec *exec, int warp, int sreg, int index, uint64_t values[32]);
bool sim_sreg_moves(int sreg);                             // clocks: a new value at every reading

// ---- memory.c, bind.c ----------------------------------------------------------------------------------------------
bool sim_memory_new(SimProgram *program, SimMemory *memory, LsErr *err);
void sim_memory_reset(const SimProgram *program, SimMemory *memory);   // contents as at launch
void sim_memory_free(SimMemory *memory);
bool sim_check_geometry(const SimProgram *program, LsErr *err);
bool sim_block_memory_new(SimExec *exec, LsErr *err);           // shared, local, parameters of functions: of one block
void sim_block_memory_free(SimExec *exec);
bool sim_bind_names(SimProgram *program, LsErr *err);                 // which argument is which parameter; before memory
bool sim_bind(SimProgram *program, const SimMemory *memory, LsErr *err);                       // arguments into sim->program.params
void sim_objects_new(SimProgram *program, const SimMemory *memory);
SimAlloc *sim_alloc_at(const SimMemory *memory, uint64_t addr);     // NULL if none holds it
bool sim_is_image_var(const PtxVar *var);                  // .texref, .surfref
void sim_image_place(const SimExec *exec, const TraceObject *object, uint64_t addr, LsText *out);   // "texel (3, 5) of img"
TraceSpace sim_classify(uint64_t generic, uint64_t *addr);
uint64_t sim_var_generic(const SimProgram *program, int var);         // generic address of a variable

// ---- run.c: events ------------------------------------------------------------------------------------------------
TraceEvent *sim_event(SimExec *exec, const SimInst *inst, uint32_t mask);   // filled as far as all kinds share
void sim_emit(SimExec *exec);                                   // hands exec->event over and counts it
// Counts an event that nobody wants to see.
static inline void sim_skip_event(SimExec *exec) { exec->block.events++; }

// ---- exec_*.c ------------------------------------------------------------------------------------------------------
SimNext sim_exec_mem(SimExec *exec, const SimInst *inst, uint32_t mask);   // loads, stores and atomics
SimNext sim_exec_param(SimExec *exec, const SimInst *inst, uint32_t mask); // ld.param of the entry
// An access of lanes that are all inside span, addresses in exec->addr: tells it, checks it, moves the bytes. False after a
// fault that ends the run.
bool sim_access_inside(SimExec *exec, const SimInst *inst, uint32_t mask, SimSpan *span, const SimFit *fit, TraceSpace space,
                       bool generic);
void sim_atom_lanes(SimExec *exec, const SimInst *inst, SimSpan *span, uint32_t mask);
void sim_atom_vectors(SimExec *exec, const SimInst *inst, SimSpan *span, uint32_t mask);
void sim_atom_tell(SimExec *exec, const SimInst *inst, uint32_t mask, TraceSpace space, bool generic);
uint64_t sim_mbarrier_change(int op, uint64_t old, uint64_t value);
void sim_mbarrier_phases(SimExec *exec, int op, uint32_t mask); // after an operation: copies whose phase it has ended
void sim_touch(SimExec *exec, SimSpan *span, uint32_t mask, int width);    // before a write: replay saves pages

SimNext sim_exec_call(SimExec *exec, const SimInst *inst, uint32_t mask);
SimNext sim_exec_return(SimExec *exec, const SimInst *inst, uint32_t mask);
void sim_printf(SimExec *exec, const SimCall *call, uint32_t mask);
void sim_send_prints(SimExec *exec);
void sim_output_add(SimOutput *output, SimOutput *more);   // takes the contents of more
void sim_output_free(SimOutput *output);
void sim_assert(SimExec *exec, const SimCall *call, uint32_t mask);   // fatal
// The lanes that do the operation together, or 0 if they are not all there yet (*next says how to go on).
uint32_t sim_gather_members(SimExec *exec, const SimWarpOp *op, uint32_t mask, SimNext *next);
bool sim_barrier_check(SimExec *exec, int id);                  // releases the barrier if all are there
void sim_barriers_recheck(SimExec *exec);                       // after lanes ended
void sim_barrier_count(const SimExec *exec, const SimBarrier *barrier, TraceEvent *event);   // arrived, expected, the last one
void sim_sync_recheck(SimExec *exec, SimWarp *warp);
bool sim_sync_force(SimExec *exec);                             // a deadlock of members: tells it and lets one group go

// ---- sched.c -------------------------------------------------------------------------------------------------------
void sim_sched_start(SimExec *exec, int warp, uint32_t lanes, int32_t pc);
bool sim_sched_pick(SimExec *exec);                             // makes a group the running one; false: none can run
void sim_sched_leave(SimExec *exec);                            // stores the running group's pc
bool sim_sched_arrive(SimExec *exec);                           // at stop_pc: true if the group waits (choose again)
// Parts the running group: the lanes in `mask` go to `pc`, the rest to `rest_pc`; all meet at `meet` (-1: nowhere).
void sim_sched_split(SimExec *exec, uint32_t mask, int32_t pc, int32_t rest_pc, int32_t meet);
int sim_sched_conv(SimExec *exec, uint32_t members, int32_t pc, uint16_t depth, int16_t parent);
void sim_sched_exit(SimExec *exec, uint32_t lanes);             // of the running group
void sim_sched_enter(SimExec *exec, int32_t pc);                // the running group's pc changes
bool sim_sched_release(SimWarp *warp, uint32_t blockers);  // lanes that wait for `blockers` go on alone
void sim_swap_top(SimExec *exec);                               // the last two groups change places
uint64_t sim_random(SimExec *exec);

// ---- shadow.c ------------------------------------------------------------------------------------------------------
typedef struct SimShadow SimShadow;
SimShadow *sim_shadow_new(uint64_t shared_bytes);
void sim_shadow_free(SimShadow *shadow);
void sim_shadow_clear(SimShadow *shadow);
size_t sim_shadow_bytes(const SimShadow *shadow);
void sim_shadow_save(const SimShadow *shadow, uint8_t *to);
void sim_shadow_load(SimShadow *shadow, const uint8_t *from);
void sim_shadow_start(SimExec *exec);                           // a new block
void sim_shadow_meet(SimExec *exec, uint32_t warps);            // these warps met at a barrier
void sim_shadow_fence(SimExec *exec);
void sim_shadow_lanes_met(SimExec *exec);                       // lanes of the running warp met
void sim_shadow_access(SimExec *exec, const SimInst *inst, uint32_t mask, bool writes);   // shared, exec->addr
void sim_shadow_strong(SimExec *exec, const SimInst *inst);       // a strong access of any space
void sim_shadow_same(SimExec *exec, const SimInst *inst, uint32_t mask, TraceSpace space,
                     const SimSpan *span);  // lanes of one store on the same place
void sim_shadow_init(SimExec *exec, const SimInst *inst, uint32_t mask, TraceSpace space, const SimSpan *span,
                     const SimFit *fit);

void sim_shadow_copy_starts(SimExec *exec, uint64_t at, int bytes, uint32_t info);   // info: as of a write
void sim_shadow_copy_ends(SimExec *exec, uint64_t at, int bytes, uint32_t info, uint32_t epoch);

// ---- async_copy.c -----------------------------------------------------------------------------------------------------
void sim_pending_start(SimExec *exec, const SimInst *inst, uint32_t mask);   // the store of a copy
// Where the copy that was just started comes from; with a source in shared memory, all that there is to know of it.
void sim_pending_source(SimExec *exec, const SimMem *from, TraceSpace space, uint32_t mask, const uint32_t *bytes);
void sim_pending_commit(SimExec *exec, uint32_t mask, bool bulk);            // closes the group of each lane
void sim_pending_wait(SimExec *exec, uint32_t mask, bool bulk, uint32_t keep);  // for all closed groups but the last `keep`
void sim_pending_track(SimExec *exec, uint32_t mask, bool bulk);
void sim_pending_phase(SimExec *exec, uint32_t mbarrier);                    // has ended
void sim_pending_seen(SimExec *exec, uint32_t mbarrier);                     // somebody has seen that
void sim_pending_store(SimExec *exec, const SimInst *inst, uint32_t mask, TraceSpace space);   // does it hit a source?
void sim_pending_block(SimExec *exec);                                       // a new block
size_t sim_pending_bytes(const SimExec *exec);
void sim_pending_save(const SimExec *exec, uint8_t *to);
void sim_pending_load(SimExec *exec, const uint8_t *from);
void sim_pending_free(SimExec *exec);

// ---- races.c -------------------------------------------------------------------------------------------------------
void sim_replay_told(SimExec *exec);                            // in a replay: makes room for an event told by the run
void sim_races_access(SimExec *exec, const SimInst *inst, const SimSpan *span, const SimFit *fit, uint32_t mask);   // global

// ---- happens_before.c ---------------------------------------------------------------------------------------------------
void sim_publish(SimExec *exec, const uint32_t *clock);
void sim_publish_look(SimExec *exec);
bool sim_publish_knows(const SimExec *exec, uint32_t block, int warp, uint32_t epoch);
void sim_published_free(SimExec *exec);

// ---- access_history.c -------------------------------------------------------------------------------------------------------
SimWatch *sim_watch_at(const SimExec *exec, const SimAlloc *a, uint64_t offset);   // NULL if there is none
SimWatch *sim_watch_new(SimExec *exec, const SimAlloc *a, uint64_t offset);
void sim_history_forget(SimExec *exec);                    // all of it
void sim_history_free(SimExec *exec);
uint32_t sim_owner_lane(const SimOwner *o, uint32_t byte);     // of a word that is not split
void sim_watch_write(SimExec *exec, SimWatch *w, uint64_t word, SimOwner now);
void sim_watch_read(SimExec *exec, SimWatch *w, uint64_t word, SimOwner now);
void sim_watch_line(SimExec *exec, SimWatch *w, uint64_t line, SimOwner now, bool writes);

// ---- units.c, parallel.c, ownership.c ----------------------------------------------------------------------------------
typedef struct SimCrew SimCrew;
void sim_run_units(SimExec *exec);                              // until the end, a fatal fault or cancel
// Blocks of a unit in the next stretch of the grid, when so many are done.
uint32_t sim_unit_blocks(const SimExec *exec, uint32_t done, uint32_t stretch);
bool sim_may_part(const SimExec *exec);                         // is it possible that several threads run its blocks?
bool sim_crew_new(SimExec *exec);                               // false: there is nobody to have
void sim_crew_free(SimExec *exec);                              // ends them; what they counted is the Sim's
// Runs blocks first to end - 1 in units of `blocks`. Returns the first block whose unit had to be given up, or end.
uint32_t sim_crew_run(SimExec *exec, uint32_t first, uint32_t end, uint32_t blocks);
// What comes now depends on the blocks before: a worker stops, and the crew with it. Others claim no more.
void sim_give_up(SimExec *exec);
void sim_claims_new(SimExec *exec);
void sim_claims_free(SimExec *exec);
// Before global memory is used. False: a word is another's, and the worker stops.
bool sim_claim(SimExec *exec, const SimInst *inst, const SimSpan *span, const SimFit *fit, uint32_t mask);
bool sim_claim_read(SimExec *exec, const SimAlloc *alloc, uint64_t offset, uint64_t size);

// ---- copy_loads.c -------------------------------------------------------------------------------------------------------
void sim_find_moves(SimProgram *program);                             // SimMem.only_moved, only_masked

// ---- extents.c -----------------------------------------------------------------------------------------------------
void sim_find_extents(SimProgram *program, const SimMemory *memory);                           // before decoding
int sim_extent_at(const SimProgram *program, int meant, uint64_t addr);

// ---- written.c -----------------------------------------------------------------------------------------------------
void sim_find_written(const SimProgram *program, SimMemory *memory);                           // SimAlloc.may_be_written

// ---- fault.c -------------------------------------------------------------------------------------------------------
typedef struct SimFaultPlace {
  FaultKind kind;
  uint32_t mask;             // guilty lanes of the running warp
  TraceSpace space; uint64_t addr; int size; bool has_addr, writes;
  int32_t other_pc; uint32_t other_thread, other_block; bool has_other;
  const char *text;          // the message, or NULL: made from the fields
  int lane;                  // INACTIVE_SOURCE: the source
  int extent;                // index + 1 of the array that the access was meant for
  bool goes_on;              // the run, as it would on a device
  bool once;                 // an event only the first time in the whole run
} SimFaultPlace;
void sim_fault(SimExec *exec, const SimFaultPlace *place);
// Where a lane is for people: what happens in a function of the toolkit's headers happens where it is called.
int32_t sim_told_pc(const SimExec *exec, const SimWarp *warp, const SimLanes *group, int32_t pc);
void sim_find_own_code(SimProgram *program);
void sim_fault_where(const SimProgram *program, int32_t pc, LsText *out);         // "reduce.cu:12"
void sim_fault_lanes(uint32_t mask, LsText *out);                      // "lanes 0-15"
uint32_t sim_barrier_threads(const SimExec *exec, const SimBarrier *barrier);   // that have come
void sim_fault_deadlock(SimExec *exec);
void sim_fault_livelock(SimExec *exec);
void sim_fault_budget(SimExec *exec);

// ---- state.c -------------------------------------------------------------------------------------------------------
size_t sim_state_size(SimExec *exec);
void sim_state_save(SimExec *exec, uint8_t *to);
void sim_state_load(SimExec *exec, const uint8_t *from);

// ---- block_wait.c --------------------------------------------------------------------------------------------------------
void sim_wait_strong(SimExec *exec, const SimInst *inst, uint32_t mask);   // a strong access, with its generic addresses
void sim_wait_branch(SimExec *exec);                            // while alert and not watching: a jump back
void sim_wait_turn_start(SimExec *exec);
void sim_wait_turn_end(SimExec *exec);
void sim_wait_round_start(SimExec *exec);
bool sim_wait_round_end(SimExec *exec);                         // true: the block has to wait for another one
bool sim_wait_give_way(SimExec *exec, bool sure);               // nothing changes here: perhaps another block does something
bool sim_wait_release(SimExec *exec);                           // lanes that wait for lanes that wait for nothing go on alone

// ---- grid.c --------------------------------------------------------------------------------------------------------
bool sim_grid_check(SimProgram *program, size_t state_bytes, LsErr *err);                 // how many blocks can be there, and is that enough?
// Makes the block that has its turn next the running one: a new one, or one that waited. False: there is none.
bool sim_grid_next(SimExec *exec);
void sim_grid_leave(SimExec *exec);                             // the running block has ended or waits
void sim_grid_copy(SimGrid *to, const SimGrid *from);      // what `to` held is freed
void sim_grid_free(SimGrid *grid);
void sim_grid_tell_waiting(const SimExec *exec, LsText *out);   // "; blocks 0-6 wait at k.cu:12; block 7 ended"

// ---- deferred_events.c -------------------------------------------------------------------------------------------------------
void sim_aside_event(SimExec *exec);                            // exec->event, of a block that is not the one being shown
void sim_aside_flush(SimExec *exec);                            // no block is left: shows them, block by block
void sim_aside_free(SimExec *exec);
uint64_t sim_aside_count(const SimExec *exec);

// ---- sim.c, run.c --------------------------------------------------------------------------------------------------
uint64_t sim_hash_registers(const SimExec *exec);              // of the running warp
uint32_t sim_lanes_that_could_run(const SimExec *exec, const SimWarp *warp);
void sim_program_init(SimProgram *program, const PtxModule *module, int entry, const Launch *launch, const SimOptions *options);
bool sim_prepare(SimProgram *program, LsErr *err);         // what can be known before anything is decoded
// For a program that is ready. False: there is no memory for its blocks.
bool sim_exec_new(SimExec *exec, const SimProgram *program, SimMemory *memory, LsErr *err);
void sim_exec_free(SimExec *exec);
uint64_t sim_block_cost(const SimProgram *program);                   // what starting a block counts against the budget
void sim_visit_block(SimExec *exec);                            // from where it begins or goes on, to where it ends or has to wait
void sim_run_start(SimExec *exec, TraceSink *sink);
void sim_block_start(SimExec *exec, uint32_t block);
// Runs the current block until it ends, the replay's stop, or a fatal fault or cancel (exec->stopping). True if ended.
bool sim_block_go(SimExec *exec);
void sim_poll(SimExec *exec);                                   // cancel and progress
void sim_progress(SimExec *exec, uint64_t blocks_done, bool always);
void sim_watch_branch(SimExec *exec);           // while watching: a jump back

#endif
