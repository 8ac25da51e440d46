// trace.h: the events of a run, the sink that takes them, and the reader that gives any of them back.
//
// This is the seam of lanescope: devices push into a TraceSink; models, session and views read a Trace and cannot
// tell which device ran. One event is one instruction of one warp. Its number, the step, counts from 0 over all
// recorded blocks, block after block in the order in which they ran.
//
//   device --event()--> sink (writer: file or memory) --> Trace --trace_event(step)--> TraceEvent
//          --access()-> sink (counters)
#ifndef LS_TRACE_TRACE_H
#define LS_TRACE_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/error.h"
#include "launch/program.h"
#include "trace/exchange.h"

typedef enum TraceKind {
#define TRACE_EVENT(NAME, ...) TRACE_##NAME,
#include "trace/event.def"
#undef TRACE_EVENT
  TRACE_KIND_COUNT
} TraceKind;
const char *trace_kind_name(TraceKind kind);
// No instruction, but what is said of one.
static inline bool trace_kind_is_fault(unsigned kind) { return kind == TRACE_FAULT || kind == TRACE_NOTE; }
bool trace_kind_interesting(TraceKind kind);

// State spaces as events name them. A generic access is classified by its window before it becomes an event.
// TEXTURE is the memory of textures and surfaces.
typedef enum TraceSpace {
  TRACE_GLOBAL, TRACE_SHARED, TRACE_LOCAL, TRACE_CONST, TRACE_PARAM, TRACE_TEXTURE, TRACE_SPACE_COUNT
} TraceSpace;
const char *trace_space_name(TraceSpace space);

enum {                        // TraceEvent.flags
  TRACE_LAST_ARRIVAL = 1,     // BARRIER: this arrival releases everybody
  TRACE_DIVERGES = 2,         // BRANCH: some lanes take it and some do not
  TRACE_GENERIC_ACCESS = 4,   // the instruction used a generic address
  TRACE_RETURNS_OLD = 8,      // ATOM: atom (old value is used), not red
  TRACE_VALUES = 16,          // value/result are recorded
  TRACE_RECONVERGES = 32,     // lanes that were apart run together again from this event on
  TRACE_BAR_ARRIVE = 64,      // BARRIER: bar.arrive, the warp does not wait
};

// One event. Arrays are borrowed from whoever made the event and live until its next event; only lanes in `mask` count.
typedef struct TraceEvent {
  uint64_t step;
  uint32_t block;            // linear: (z * gridDim.y + y) * gridDim.x + x
  uint16_t warp;             // in the block
  uint8_t kind, flags;
  int32_t pc;
  uint32_t active;           // lanes that run together at this instruction
  uint32_t mask;             // those of them whose guard predicate holds: the lanes that do it
  uint8_t space, width;      // LOAD STORE ATOM: TraceSpace; bytes per lane (vector included)
  uint32_t shape;            // LOAD STORE: 0, or what the addresses have in common: events of one run (or of one Trace)
                             // and pc with the same number have the same mask, space and width, and addresses the same
                             // distances apart
  const uint64_t *addr;      // [32]: GLOBAL CONST: address; SHARED: offset in the block's window; LOCAL: offset in the
                             // thread's local memory; PARAM: offset in the parameter space; TEXTURE: address of a texel
                             // in the texture's or surface's own memory, rows after one another (a linear filter's
                             // first texel); a lane whose coordinates are outside, which is read as 0, is not in `mask`
  uint32_t taken;            // BRANCH: lanes that take it. VOTE: lanes whose predicate holds
  int32_t target;            // BRANCH: pc of the target; CALL: callee's first pc
  int32_t reconverge;        // BRANCH: pc where the lanes meet again, -1 at the function's end
  uint8_t barrier_id;        // BARRIER
  uint16_t arrived, expected;// BARRIER: warps there, this one included; warps needed
  uint32_t members;          // SYNCWARP SHUFFLE VOTE MATCH REDUX: the member mask
  const uint8_t *source;     // SHUFFLE [32]: lane each lane reads from (itself where out of range)
  const uint64_t *value;     // ATOM: operand; SHUFFLE MATCH REDUX: the lane's own value. NULL if not recorded
  const uint64_t *result;    // ATOM: old value; SHUFFLE VOTE MATCH REDUX: what the lane gets. NULL if not recorded
  int32_t fault;             // FAULT NOTE: index into the trace's faults
} TraceEvent;

typedef enum FaultKind {
#define TRACE_FAULT(NAME, ...) FAULT_##NAME,
#include "trace/fault.def"
#undef TRACE_FAULT
  FAULT_KIND_COUNT
} FaultKind;
// How bad it is: a fault is wrong; a warning may well be; a note is allowed, and worth a look.
typedef enum FaultGrade { GRADE_FAULT, GRADE_WARNING, GRADE_NOTE, FAULT_GRADE_COUNT } FaultGrade;
const char *trace_grade_name(FaultGrade grade);   // "fault", "warning", "note"
// A row of fault.def.
typedef struct FaultDef {
  const char *name, *what;           // "out_of_bounds", as in JSON; "an access outside of every allocation"
  const char *advice;                // where nothing more is known of the fault
  FaultGrade grade;
  bool stops;                        // the run, which then has no answer
  bool of_many;                      // the message names lanes or a block, not one thread
} FaultDef;
const FaultDef *trace_fault_def(FaultKind kind);   // of a kind that does not exist: one named "?"
const char *trace_fault_name(FaultKind kind);

// A fault of the learner's kernel. Texts are owned by whoever holds the fault list.
typedef struct TraceFault {
  uint8_t kind, space;
  uint32_t block, thread;            // linear in the block
  uint32_t other_block, other_thread;// race: the other party; livelock: whom it waits for, if known
  int32_t pc, other_pc;              // -1 if there is none
  uint64_t step;                     // of the FAULT or NOTE event if its block is recorded, else UINT64_MAX
  uint64_t addr;
  int32_t object;                    // index into TraceInfo.objects nearest to addr, -1
  int64_t distance;                  // bytes beyond the end (> 0) or before the start (< 0) of object
  int32_t size;                      // bytes of the access
  uint64_t count;                    // how often the same fault happened at this pc
  char *message;                     // whole sentences, for a person
} TraceFault;
FaultGrade trace_fault_grade(const TraceFault *fault);

// Totals per instruction over the whole grid, whether recorded or not. absent: lanes that the warps which executed it
// do not have, since the block is no multiple of 32 threads; only the emulator tells.
typedef struct TraceTally { int32_t pc; uint64_t warps, lanes, absent; } TraceTally;

// What a device counted at one instruction over the whole grid, where it does not show every block's events (a GPU). A
// generic access that went to several spaces has a row for each.
typedef struct TraceCount {
  int32_t pc;
  uint8_t kind, space, flags;        // as of the events that it sums: TraceKind, TraceSpace, TRACE_RETURNS_OLD
  uint64_t warps, lanes;             // executions by warps, and lanes active in them
  uint64_t requests, doing;          // executions in which a lane's guard held, and lanes whose guard held
  uint64_t sectors, bytes;           // GLOBAL LOCAL: as model/coal.h defines them. CONST: sectors are distinct words
  uint64_t wavefronts, conflicts;    // SHARED: as model/bank.h defines them
  uint64_t diverging;                // BRANCH: executions that some lanes took and some did not
  uint64_t queued;                   // ATOM: lanes behind another lane on the same address
} TraceCount;

// What became of a buffer whose bytes are results: how much of it the kernel wrote. Elements count from 0.
typedef struct TraceCoverage {
  int32_t arg;                       // launch argument whose buffer it is
  uint64_t elements, written, never_written;
  uint64_t first_never;              // element, if there are any
  uint64_t first_written, last_written;
  uint64_t holes, gaps, first_hole;  // elements never written between these two; how many runs of them; the first of
                                     // them
  bool known_twice;                  // else nothing is known of what follows
  uint64_t written_twice;            // elements that plain stores of several blocks wrote
  uint64_t first_twice;              // the first of them, which two threads of which two blocks, and at which
                                     // instruction
  uint32_t blocks[2], threads[2];
  int32_t pc;                        // -1 if there are none
} TraceCoverage;

// When and where a real device ran a block: nanoseconds since the first block of the grid started.
typedef struct TraceBlockTime { uint32_t block; uint16_t sm; uint64_t start, end; } TraceBlockTime;

// How a real device ran the plain kernel, and what that device is. Zero and NULL mean not known.
typedef struct TraceMeasure {
  char *date, *driver;               // "2026-11-20", "580.95 (CUDA 13.0)"; owned by whoever holds the measure
  uint32_t runs;                     // timed runs after the warm-up; 0: not timed
  uint64_t min_ns, median_ns, max_ns;
  uint64_t traced_ns;                // the instrumented run
  uint64_t stamped_ns;               // a run in which blocks told nothing but when and where they ran, which is where
                                     // their times are from; 0: they are of the instrumented run
  uint64_t lost_events;              // did not fit into the buffers: events of recorded blocks that are missing
  uint64_t differing_bytes;          // of the buffers, that the instrumented run left otherwise than the plain one: the
                                     // kernel's results depend on the order of its threads
  uint32_t registers, local_bytes, static_shared_bytes;   // of the plain kernel, as the driver compiled it
  uint32_t blocks_per_sm;            // resident at once, as the driver says
  uint32_t cc_major, cc_minor, sm_count;
  uint32_t clock_khz, memory_clock_khz, memory_bus_bits;
  uint64_t l2_bytes, memory_bytes;
} TraceMeasure;

#define TRACE_GRID_BARRIER "the grid's barrier"   // name of the object at which blocks meet in grid.sync()

typedef struct TraceObject {         // a piece of memory with a name
  char *name;
  uint8_t space;                     // TraceSpace
  uint8_t type;                      // LaunchType of an element, for showing
  uint64_t base, size;               // as in TraceEvent.addr of that space
  int32_t arg;                       // launch argument whose buffer it is, -1
} TraceObject;

typedef struct TraceSource { char *path, *text; } TraceSource;   // text may be NULL: not found

// What a run was: all that is needed to show it, and to execute it again. Everything is owned.
typedef struct TraceInfo {
  // Texts up to `parameters`, PTX and its path, paths of sources and names of objects are there in every trace of a run
  // (trace_info_check); only profile_text, the sources' texts and what launch.h says may be NULL.
  char *device;        // "emu", "cuda", "recorded"
  char *device_name;   // "emulator", "NVIDIA H200"
  char *profile;       // "h200"
  char *profile_text;  // what the profile is, where no table has it (arch_print of model/arch.h); NULL
  char *sched;         // "its", "stack"
  char *order;         // of the emulator's warps: "turns", "whole"; NULL, as in traces before 1.6: whole
  char *code;          // "compiled", "written"
  char *title;         // "reduce2", or the file's name
  char *kernel;        // plain name of the entry
  char *parameters;    // recipe parameters as "N=1024 threads=256", "" without a recipe
  uint64_t seed, budget;
  uint32_t checks;     // SIM_CHECK_* of sim.h
  Launch launch;
  char *ptx; size_t ptx_length; char *ptx_path;
  TraceSource *sources; int source_count;    // in the order of the PTX module's files
  TraceObject *objects; int object_count;
} TraceInfo;
void trace_info_init(TraceInfo *info);
void trace_info_fini(TraceInfo *info);
// Whether a trace that was read tells all that a run is shown and executed again by. `path` is for the message.
bool trace_info_check(const TraceInfo *info, const char *path, LsErr *err);

// What one call of printf printed for one thread.
typedef struct TracePrint {
  uint32_t block, thread;            // linear in the grid and in the block
  uint64_t event;                    // number of the call within its block; UINT64_MAX: not known
  uint64_t step;                     // of that event if its block is recorded, else UINT64_MAX; set by the reader
  char *text;                        // owned by whoever holds the list
} TracePrint;
enum { TRACE_MOST_PRINTS = 1 << 17 };

// ---- sink ----------------------------------------------------------------------------------------------------------

// What a shuffle of 32 lanes moves: result[i] is value[source[i]].
typedef struct TraceRow { ExchangeRow moved; uint8_t source[32]; } TraceRow;

// What an atomic on 32 bits of 32 lanes does: where, with which operand, and what it found there.
typedef struct TraceAtoms { uint64_t addr[32]; uint32_t operand[32], old[32]; } TraceAtoms;

// What an instruction of a line does beside executing, with flags as in its event. What it has not is zero, target and
// reconverge -1.
//   LOAD STORE      with shape, space and width as in its event; lane i's address is at + apart[i], and at is that of
//                   the first lane
//   BRANCH          all lanes take it, or none
//   SHUFFLE         of all 32 lanes, which are its members: row. Those of one run and pc with the same shape, if it is
//                   not 0, have the same sources
//   ATOM            of all 32 lanes, on 32 bits, with space and width: atoms
//   VOTE SYNCWARP   of all 32 lanes, too: taken, and what each of them gets: at
typedef struct TraceAct {
  int32_t pc;
  uint8_t kind, flags, space, width;
  uint32_t shape, taken;
  int32_t target, reconverge;
  uint64_t at;
  union { const uint64_t *apart; const TraceRow *row; const TraceAtoms *atoms; };
} TraceAct;
enum { TRACE_ACT_SAME = offsetof(TraceAct, at) };   // bytes at its start that hold all but where the addresses are

// `count` events of one warp and the same lanes, from `pc` on and each at the instruction behind the one before, or
// where that jumped: those in `acts`, in their order, and all others of kind EXEC, without flags. `first` is the first
// of them, were it of kind EXEC; of a piece of a line, it is that of the whole line.
typedef struct TraceLine {
  const TraceEvent *first;
  int32_t pc; int count;
  const TraceAct *acts; int act_count;
} TraceLine;
static inline int32_t trace_act_next(const TraceAct *act) {
  return act->kind == TRACE_BRANCH && act->taken ? act->target : act->pc + 1;
}
// Lines in passes, as of warps that take turns in a loop. A pass is `lines`, one after the other, and there are `times`
// of them, which differ in nothing but addresses: those of acts[i] grow by steps[i] from one pass to the next. The acts
// of the lines stand behind one another in `acts`. They are loads, stores, and branches. Steps of events are those of
// the first pass.
typedef struct TracePasses {
  const TraceLine *lines; int line_count;
  TraceAct *acts; const uint64_t *steps; int act_count;
  uint64_t events, times;      // of a pass; passes
} TracePasses;
static inline void trace_passes_move(const TracePasses *passes, uint64_t times) {
  for (int i = 0; i < passes->act_count; i++) passes->acts[i].at += passes->steps[i] * times;
}

// What an instruction of a line does as an event of its own, but for its step; its addresses or values go to lanes.
void trace_act_event(const TraceEvent *first, const TraceAct *act, TraceEvent *event, uint64_t lanes[2][32]);

// Who wants a run's events. Any function may be NULL. Calls come from one thread at a time, in order.
//
// A block that waits for another one is begun again when it goes on. Its accesses come when they happen; if its events
// have to wait (those of a block come in one piece) it is begun as not recorded, and once more, as recorded, for them.
typedef struct TraceSink TraceSink;
struct TraceSink {
  void (*begin_block)(TraceSink *sink, uint32_t block, bool recorded);
  void (*event)(TraceSink *sink, const TraceEvent *event);   // every event of a recorded block
  void (*access)(TraceSink *sink, const TraceEvent *event);  // events other than EXEC of every block, before event()
  // The same for many events at once, in place of single calls, from a device that knows what they have in common. A
  // sink that has no such function is told one by one.
  // line: as event() of each event of the line.
  void (*line)(TraceSink *sink, const TraceLine *line);
  // passes: as line() of each line of each pass. Leaves the acts where those of one more pass were.
  void (*passes)(TraceSink *sink, const TracePasses *passes);
  // accesses: as access() of `times` events, of any blocks since the last cut(), without regard to order: they are like
  // this one in kind, pc, space, width, mask, flags and target, and their addresses too, but for being moved by a
  // multiple of 32 bytes. All else in `event` says nothing.
  void (*accesses)(TraceSink *sink, const TraceEvent *event, uint64_t times);
  bool each;                 // looked at behind begin_block(): every access of that block is to come by access()
  void (*end_block)(TraceSink *sink, uint32_t block);
  void (*fault)(TraceSink *sink, const TraceFault *fault);   // borrowed; FAULT and NOTE events refer to the n-th call
  void (*tally)(TraceSink *sink, const TraceTally *tallies, int count);  // once, at the end
  void (*print)(TraceSink *sink, const TracePrint *prints, int count);   // once, at the end, if there are any; in order
  // Once, at the end, of every buffer that is an argument, or what is read of a variable, and that the kernel may
  // write; not where it is not known.
  void (*coverage)(TraceSink *sink, const TraceCoverage *coverages, int count);
  // From devices that measure, once, at the end; all borrowed. counts stand for access() calls that such a device does
  // not make: a sink that folds both never sees the same access twice.
  void (*counts)(TraceSink *sink, const TraceCount *counts, int count);
  void (*block_times)(TraceSink *sink, const TraceBlockTime *times, int count);
  void (*measure)(TraceSink *sink, const TraceMeasure *measure);
  // Blocks come in units of a few blocks each, the same ones however many threads a run has, if this is there.
  void (*cut)(TraceSink *sink);                              // a unit ends here
  // The three that a run on several threads needs; a sink without them is told everything by one thread. fork makes a
  // sink that another thread tells a unit, its cut included; steps count from the start of the unit there, and atomics
  // whose old value nobody uses do not bring it. join takes what such a sink was told as if told here (in the order of
  // units), or, without keep, forgets it. Both are called like the others, from one thread at a time.
  TraceSink *(*fork)(TraceSink *sink);
  void (*join)(TraceSink *sink, TraceSink *child, bool keep);
};
// Sends everything to both. Embedded; either may be NULL. It can be forked if both can.
typedef struct TraceTee { TraceSink sink; TraceSink *first, *second; } TraceTee;
void trace_tee_init(TraceTee *tee, TraceSink *first, TraceSink *second);

// ---- writer --------------------------------------------------------------------------------------------------------

// Writes a trace to a file, or (path NULL) to memory. The file is there, or takes the place of an older one, when it
// is finished.
typedef struct TraceWriter TraceWriter;
TraceWriter *trace_writer_new(const char *path, const TraceInfo *info, LsErr *err);   // info is borrowed until finish
TraceSink *trace_writer_sink(TraceWriter *writer);
// Before finish, if somebody stopped the run: how many blocks of the grid had ended by then.
void trace_writer_interrupted(TraceWriter *writer, uint64_t blocks_done);
bool trace_writer_finish(TraceWriter *writer, LsErr *err);  // writes index and trailer; write errors surface here
// After finish of a memory writer: its bytes; takes ownership away from the writer. Caller frees.
uint8_t *trace_writer_take(TraceWriter *writer, size_t *size);
void trace_writer_free(TraceWriter *writer);                // of an unfinished one nothing stays

// ---- reader --------------------------------------------------------------------------------------------------------

typedef struct Trace Trace;
Trace *trace_open(const char *path, LsErr *err);
Trace *trace_open_memory(uint8_t *bytes, size_t size, LsErr *err);   // takes ownership of bytes (also on failure)
void trace_close(Trace *trace);

const TraceInfo *trace_info(const Trace *trace);
void trace_take_info(Trace *trace, TraceInfo *info);         // the caller owns it then, and the trace has none: close
                                                             // it next
uint64_t trace_steps(const Trace *trace);
bool trace_is_truncated(const Trace *trace);                // the end was missing; what is whole can be read
// Whether somebody stopped the run before its end; *blocks_done is 0 if not.
bool trace_interrupted(const Trace *trace, uint64_t *blocks_done);
const TraceFault *trace_faults(const Trace *trace, int *count);
const TraceTally *trace_tallies(const Trace *trace, int *count);

const TracePrint *trace_prints(const Trace *trace, int *count);   // what the kernel printed, in order
// What was written of the kernel's buffers. False: the trace does not tell.
bool trace_coverages(const Trace *trace, const TraceCoverage **coverages, int *count);
// What a real device measured; none (NULL, *count 0) in a trace of the emulator.
const TraceCount *trace_counts(const Trace *trace, int *count);
const TraceBlockTime *trace_block_times(const Trace *trace, int *count);   // in the order of their start
const TraceMeasure *trace_measure(const Trace *trace);

// ---- programs: several launches in one file (program_file.c) -------------------------------------------------------

// What is told of the program as a whole: bytes of whoever wrote them (app/run/program_saved.c); borrowed. *number:
// which of its launches this trace is, from 1. NULL: it is of one launch.
const uint8_t *trace_program(const Trace *trace, size_t *size, int *number);
// The other launches in the file, by number.
typedef struct TraceLaunch { int number; uint64_t offset, size; } TraceLaunch;
const TraceLaunch *trace_launches(const Trace *trace, int *count);
// One of these as a trace of its own. LS_EREQUEST: it is not in the file.
Trace *trace_open_launch(Trace *file, int number, LsErr *err);

typedef struct TraceProgramWriter TraceProgramWriter;
TraceProgramWriter *trace_program_begin(const char *path, LsErr *err);
// The first one is whom readers without programs see; program is what is told of the whole, as above.
void trace_program_first(TraceProgramWriter *writer, int number, Trace *launch, const void *program, size_t size);
void trace_program_add(TraceProgramWriter *writer, int number, Trace *launch);   // in ascending order
bool trace_program_end(TraceProgramWriter *writer, LsErr *err);                  // write errors surface here
void trace_program_free(TraceProgramWriter *writer);                             // of an unfinished one nothing stays

// The recorded blocks in the order of their steps.
typedef struct TraceBlock { uint32_t block; uint64_t first, count; } TraceBlock;
const TraceBlock *trace_blocks(const Trace *trace, int *count);
int trace_block_at(const Trace *trace, uint64_t step);      // index into trace_blocks

// Event at a step (below trace_steps). Pointers stay valid until the next call on this trace. Any step within
// milliseconds, the neighbors of the last one within a microsecond. False only if the file is damaged there.
bool trace_event(Trace *trace, uint64_t step, TraceEvent *event, LsErr *err);

// What every warp of the block was doing after `step`, folded from the events alone.
typedef struct TraceWarp {
  uint32_t live;         // lanes that exist and have not exited
  uint32_t active;       // lanes of the warp's last event (those that ran together); 0 before its first
  uint32_t waiting;      // lanes at a block barrier
  int32_t pc;            // of its last event; -1 before the first
  int32_t lane_pc[32];   // last pc each lane executed; -1
  uint8_t barrier_id;    // of waiting lanes
  uint64_t last_step;    // its last event's step; UINT64_MAX before the first
  uint64_t events;       // of this warp so far
} TraceWarp;
// warps: room for launch_warps(); the block is that of `step`.
bool trace_warps(Trace *trace, uint64_t step, TraceWarp *warps, LsErr *err);

// Searching, by chunk summaries first, so that it is quick on long traces. dir is +1 or -1; start is excluded.
// Returns false if there is none (err->kind is LS_OK then) or a damaged chunk is in the way. Conditions that are -1
// (or 0 for kinds) are not applied.
typedef struct TraceQuery {
  uint32_t kinds;        // bit set of 1 << TraceKind
  int32_t pc_first, pc_last;   // pc in [first, last]; -1: any
  int64_t block; int warp;     // -1: any
  const uint8_t *pcs;    // if not NULL: pcs[pc] must be nonzero; borrowed
  int32_t pcs_count;     // entries of pcs: no pc beyond matches. trace_query_init sets the largest number
  bool diverging_only;   // BRANCH events only if TRACE_DIVERGES
} TraceQuery;
void trace_query_init(TraceQuery *query);
bool trace_find(Trace *trace, uint64_t start, int dir, const TraceQuery *query, uint64_t *found, LsErr *err);

// For the time bar: per bucket of the range [first, first + count) (bucket b begins at first + count * b / buckets,
// rounded down), how many events of every kind, and diverging
// branches in the last column. counts has buckets * (TRACE_KIND_COUNT + 1) entries. Approximate at chunk granularity
// on long ranges; exact on short ones.
bool trace_overview(Trace *trace, uint64_t first, uint64_t count, int buckets, uint32_t *counts, LsErr *err);

// Pushes all that a trace holds into a sink, as the device did that made it: the faults first, then the recorded blocks
// (access() too if the trace has no counts), then what is told once. cancel may be NULL; LS_ECANCEL once it is true.
bool trace_push(Trace *trace, TraceSink *sink, _Atomic bool *cancel, LsErr *err);

// Bytes of the trace on disk or in memory.
size_t trace_bytes(const Trace *trace);

#endif
