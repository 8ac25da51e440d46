// sim.h: the emulator. Executes a PTX entry for a launch, one warp instruction at a time over 32 lanes.
//
// sim_new checks everything before anything runs: arguments against parameters, memory against bounds, and every
// instruction the kernel can reach against what can be executed (all that cannot is listed in one message, with lines).
//
// Order of execution, the same for the same inputs and seed: blocks in order of their linear number, or in one of the
// seed's (core/block_order.h), each to its end; inside a block a warp runs until it waits, ends, or used up its turn (a
// bounded number of instructions), then the next one. A block that can only wait for another one (grid.sync(), a flag)
// is left and taken up again later.
// Each executed warp instruction of a recorded block is one event, so event number n of a block is a point in time
// that a replay can go back to.
//
// Several threads may run blocks at the same time. What comes of it is, to the bit, what one thread makes of the blocks
// in order: memory, counters, faults, output, and trace. That needs blocks that do not use what others write (it is
// watched, word by word), a sink that can be forked, and no faults; if it turns out otherwise, the run begins again on
// one thread, and the sink does not notice. Nothing is different for the caller, whose thread alone calls the sink.
#ifndef LS_SIM_SIM_H
#define LS_SIM_SIM_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include "base/error.h"
#include "ptx/module.h"
#include "trace/trace.h"

typedef enum SimSched { SIM_ITS, SIM_STACK } SimSched;

// Which warp of a block runs next. Both are orders that a GPU might choose: a race-free kernel leaves the same in
// memory, counts the same and does the same wrong; what an atomic returns, and sums of floats by atomics, may differ.
typedef enum SimOrder {
  SIM_WHOLE,                   // each warp runs until it has to wait: the fastest
  SIM_TURNS,                   // a few instructions each, then the next one's, to the end of a source line: to look at
} SimOrder;

enum {  // SimOptions.checks
  SIM_CHECK_MEMORY = 1, SIM_CHECK_INIT = 2, SIM_CHECK_RACE = 4, SIM_CHECK_SYNC = 8, SIM_CHECK_ALL = 15,
};

// A few seconds of one core, so that a kernel that never ends does, and a grid of 2^31 blocks too. A large grid has
// more, so much for each of its warps, up to a limit: a product of 1024 x 1024 comes to its end, also as written, with
// calls (2.8 * 2^30 warp instructions). Starting a block counts as 32 warp instructions per warp, and one per 256 bytes
// of shared and local memory; a volatile or atomic access counts as 16.
#define SIM_DEFAULT_BUDGET (1ull << 28)
#define SIM_WARP_BUDGET (1ull << 17)
#define SIM_LARGE_BUDGET (1ull << 32)

// Global memory that is no argument's buffer, at an address of the caller's choice (a multiple of 4 KB, below
// 0x7b0000000000), as a program has it that lays out memory itself. All of it counts as written.
typedef struct SimMapping {
  uint64_t address, size;
  uint8_t *bytes;              // read and written in place
  const LaunchArg *image;      // it is a texture or surface of this kind, whose handle is the address; borrowed.
                               // NULL: memory
  const char *variable;        // a .texref or .surfref that is bound to it; borrowed, may be NULL
} SimMapping;

// An order that is chosen step by step (core/path.h), and what there was to choose. {0}: the first one everywhere.
typedef struct SimChoice { uint8_t count, taken; uint64_t state; } SimChoice;   // state: a hash, if visit is set
typedef struct SimPath {
  const uint8_t *given; uint32_t given_count;   // what is chosen first; behind that the first one everywhere. Borrowed
  SimChoice *choices; int count, capacity;      // of the run; whoever made the path frees them
  // Told the state before every choice that is not given; false: the run ends there. May be NULL.
  bool (*visit)(void *context, uint64_t state);
  void *context;
  bool stopped;                                 // by visit
} SimPath;

// What a kernel asked the device runtime for, in the order in which it did. A stream is 0 (the default one of its
// block), one of those with a meaning of their own, or a handle.
typedef enum SimDeviceKind {
  SIM_DEVICE_LAUNCH,
  SIM_DEVICE_COPY,
  SIM_DEVICE_SET,
  SIM_DEVICE_RECORD,
  SIM_DEVICE_WAIT
} SimDeviceKind;
enum { SIM_STREAM_LEGACY = 1, SIM_STREAM_PER_THREAD = 2, SIM_STREAM_TAIL = 3, SIM_STREAM_FORGET = 4 };
typedef struct SimDeviceOp {
  uint8_t kind;                // SimDeviceKind
  uint8_t byte;                // SET
  uint32_t block, thread;      // who asked
  int32_t pc;                  // of the call, as it is told to people
  uint32_t call;               // the how manieth call of the device runtime by a warp it was, from 1
  uint64_t stream;
  int32_t func;                // LAUNCH: index into module->funcs
  uint32_t grid[3], dims[3], shared, slot;
  uint64_t to, from, count;    // COPY, SET: addresses, bytes
  int32_t after;               // WAIT: the RECORD that it waits for, as an index; -1: none
} SimDeviceOp;

typedef struct SimOptions {
  SimSched sched;
  bool meets_late;             // its: lanes that part at a branch meet at its post-dominator alone, as on a stack,
                               // and not where an assembler would have them meet before that, by what code costs
  SimOrder order;
  uint64_t seed;               // 0: fair turns in order; otherwise turns of blocks, warps and diverged lanes vary,
                               // and lanes that nothing holds together run apart between accesses (its)
  SimPath *path;               // borrowed; NULL: order and seed say who runs. For one block, its, WHOLE
  uint64_t budget;             // warp instructions in all, with what starting blocks costs; 0: as the grid needs
  uint32_t checks;
  int threads;                 // that run blocks; 0: one per processor (at most 16) if the run is long enough
  uint32_t unit;               // blocks that a thread runs before it is given others; 0: by what they cost
  int sm_count;                // of the assumed device: %nsmid, %smid = block % sm_count
  int capability;              // 10 major + minor of the assumed device: how its tensor cores sum (alu/tensor.h)
  int warps_per_sm, blocks_per_sm;     // and how many blocks can be there at the same time, as far as PTX says:
                                       // registers
  int shared_per_sm, shared_reserved;  // are not known before it is assembled; bytes; reserved: of each block
  uint64_t grid_id;            // %gridid
  uint64_t global_offset;      // by which buffers and variables lie further up, below 2^39: keeps modules apart that
                               // run in turns
  uint64_t max_shared, max_global;   // bytes a block may have (0: 227 KB); global memory (0: 2 GB)
  uint64_t heap_bytes;         // that malloc() in the kernel may take (0: 8 MB); part of max_global
  const uint8_t *record_block; // one byte per block of the grid: nonzero: record; NULL: see record_all
  bool record_all;
  uint64_t record_limit;       // record no further block once so many events are recorded (0: no limit)
  _Atomic bool *cancel;        // borrowed, may be NULL: run stops soon after it becomes true
  void (*progress)(void *context, uint64_t blocks_done, uint64_t blocks);  // may be NULL; called about every 20 ms
  void *progress_context;
  const SimMapping *mappings;  // borrowed until the Sim is freed; NULL: none
  int mapping_count;
  const uint8_t *params;       // the bytes of the kernel's parameters, each at its PtxParam.offset; borrowed by
                               // sim_new. NULL: they come from the launch's arguments (otherwise there are none)
  uint64_t params_size;
} SimOptions;
void sim_options_init(SimOptions *options);   // its, seed 0, all checks, record nothing, an H200

typedef struct Sim Sim;

// module and launch are borrowed for the life of the Sim. entry: index into module->funcs.
Sim *sim_new(const PtxModule *module, int entry, const Launch *launch, const SimOptions *options, LsErr *err);
void sim_free(Sim *sim);

// Memory objects with their names and addresses (argument buffers, textures, surfaces, module variables, shared
// and local variables): filled into info->objects (owned by info).
void sim_describe_objects(const Sim *sim, TraceInfo *info);

// Runs the whole grid. Faults of the kernel go to the sink and are counted; false only if canceled (LS_ECANCEL) or
// out of memory. A fault that a real device would stop at (out of bounds, misaligned, trap, deadlock, budget) ends
// the run after it is told.
bool sim_run(Sim *sim, TraceSink *sink, LsErr *err);

const TraceFault *sim_faults(const Sim *sim, int *count);   // borrowed; each distinct (kind, pc, other pc) once
bool sim_stopped(const Sim *sim);             // whether a fault ended the run
uint64_t sim_warp_instructions(const Sim *sim);
uint64_t sim_thread_instructions(const Sim *sim);
int sim_threads(const Sim *sim);              // that ran the blocks of the run; 1 if it had to be one

// Bytes of the buffer behind launch argument `arg` after the run; borrowed.
const uint8_t *sim_buffer(const Sim *sim, int arg, uint64_t *size);
// Per byte of it, 0: nobody has written it; NULL: all of it is, or it was not watched. Borrowed.
const uint8_t *sim_buffer_written(const Sim *sim, int arg);
// Bytes of a module-scope global variable by name; NULL if there is none.
const uint8_t *sim_global(const Sim *sim, const char *name, uint64_t *size);
// The same, and it may be written before sim_run. *address (may be NULL): where the kernel sees it.
uint8_t *sim_global_bytes(Sim *sim, const char *name, uint64_t *size, uint64_t *address);

// What the kernel asked the device runtime for, to be done behind it; borrowed. And the parameters of a launch among
// it, each at its PtxParam.offset.
const SimDeviceOp *sim_device_ops(const Sim *sim, int *count);
const uint8_t *sim_device_params(const Sim *sim, const SimDeviceOp *op);
// The device heap behind the run, for Launch.heap of the next one; the caller frees it. NULL: nothing was taken.
uint8_t *sim_device_heap(const Sim *sim, uint64_t *size);
bool sim_is_heap(const uint8_t *kept, uint64_t size);     // what a file says is one
// Global memory that each run has for itself: the heap, parameters of launches.
bool sim_is_of_one_run(uint64_t address);
// Whether the kernel can reach a call of the device runtime: it may launch others.
bool sim_may_launch(const PtxModule *module, int entry);
bool sim_is_runtime(const PtxFunc *func);                 // a function of the device runtime, which is only declared

// What the kernel printed with printf (at most about 1 MB of it); borrowed, never NULL.
const char *sim_output(const Sim *sim);

// ---- layout: a launch that another device runs ---------------------------------------------------------------------

// Checks geometry, arguments and shared memory as sim_new does (options->max_shared), and lays out shared and local
// memory
// as the emulator would; takes no memory for buffers and decodes nothing, so it holds for kernels that cannot be
// emulated.
// A layout can be asked what stands below, and freed; it cannot run.
Sim *sim_layout_new(const PtxModule *module, int entry, const Launch *launch, const SimOptions *options, LsErr *err);
// Where that device has the buffer of an argument, or a module-scope variable (index into module->vars). Pointers to
// buffers that lie
// in variables are not the layout's business.
void sim_layout_place_buffer(Sim *layout, int arg, uint64_t address);
void sim_layout_place_variable(Sim *layout, int var, uint64_t address);
// What that device calls the texture or surface of an argument, unless it is bound to a variable (sim_layout_arg_var).
// Its texels have addresses in a space of their own, which stay as they are.
void sim_layout_place_image(Sim *layout, int arg, uint64_t handle);
// The variable of the module that an argument is bound to, or is the contents of (index into module->vars); -1: none.
int sim_layout_arg_var(const Sim *layout, int arg);
// The entry's parameters as bytes, each at its PtxParam.offset; buffers are as placed. Borrowed.
const uint8_t *sim_layout_params(const Sim *layout, uint64_t *size);
// As sim_describe_objects, with the places given, in the order of addresses. Once, after everything is placed.
void sim_layout_describe(Sim *layout, TraceInfo *info);

// ---- replay: the state of a block at any event ---------------------------------------------------------------------

// Executes again, from checkpoints that it makes on the way, and stands after event `event` of block `block`.
typedef struct SimReplay SimReplay;
SimReplay *sim_replay_new(const PtxModule *module, int entry, const Launch *launch, const SimOptions *options,
                          LsErr *err);
void sim_replay_free(SimReplay *replay);
// Tells of the faults of the run that is replayed, at first and once: then events refer to them by their places there.
void sim_replay_know(SimReplay *replay, const TraceFault *faults, int count);
// Tells of an event that only a run of the whole grid can know: of a race in global memory, one of those faults.
void sim_replay_expect(SimReplay *replay, uint32_t block, uint64_t event, int fault);
// event counts from 0 within the block; UINT64_MAX: before the first one. Within 16 ms after a first pass over the
// block; the first pass costs what the run cost.
bool sim_replay_seek(SimReplay *replay, uint32_t block, uint64_t event, LsErr *err);
// Executes `count` events of a block from event `first` on and gives each to sink->event; fewer where the block ends, or
// waits for good. Stands after the instruction of the last of them. Event numbers are those of seek.
bool sim_replay_emit(SimReplay *replay, uint32_t block, uint64_t first, uint64_t count, TraceSink *sink, LsErr *err);
// Memory objects as the replay has them; see sim_describe_objects.
void sim_replay_describe(const SimReplay *replay, TraceInfo *info);
// How many seconds a seek may take, roughly; 0 (at first): as long as it needs. A seek that runs out of time fails with
// LS_ECANCEL, keeps what it has done, and goes on from there when it is asked again for this place or a later one.
void sim_replay_patience(SimReplay *replay, double seconds);
// Register of a warp: 32 values (zero-extended to 64 bits; predicates are 0 or 1); *written: lanes that ever wrote it.
// Of the innermost live call of `func` on each lane.
bool sim_replay_reg(const SimReplay *replay, int warp, int func, int reg, uint64_t values[32], uint32_t *written);
// Copies memory as the given thread sees it (thread matters for local). init (may be NULL) gets one byte per byte:
// 1 if somebody wrote it. Returns bytes copied: less than size where the address range ends.
uint64_t sim_replay_read(const SimReplay *replay, TraceSpace space, uint32_t thread, uint64_t addr, uint64_t size,
                         uint8_t *bytes, uint8_t *init);
// Address of a variable in its space (shared, global, const, local; param of the entry).
bool sim_replay_var(const SimReplay *replay, int var, uint64_t *addr);
// Reconvergence stack (stack) or groups of lanes (its) of a warp after the event: mask, next pc, reconvergence pc.
typedef struct SimGroup { uint32_t mask; int32_t pc, reconverge; bool waiting; } SimGroup;
int sim_replay_groups(const SimReplay *replay, int warp, SimGroup *groups, int room);

#endif
