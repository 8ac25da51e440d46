// program_run.h: a program from its first step to its last: every launch run and counted, what is wrong between
// steps, times.
#ifndef LS_APP_PROGRAM_RUN_H
#define LS_APP_PROGRAM_RUN_H

#include "app/run/run.h"
#include "model/program_model.h"

typedef enum ProgramFaultKind {
#define PROGRAM_FAULT(NAME, ...) PROGRAM_FAULT_##NAME,
#include "app/run/program_fault.def"
#undef PROGRAM_FAULT
  PROGRAM_FAULT_COUNT
} ProgramFaultKind;

typedef struct ProgramFaultDef { const char *name, *what, *advice; } ProgramFaultDef;
const ProgramFaultDef *program_fault_def(ProgramFaultKind kind);

// Something wrong between steps, or in a step that is no launch.
typedef struct ProgramFault {
  ProgramFaultKind kind;
  int step, other_step;            // from 0; other_step -1: there is none
  int buffer;                      // -1: none
  uint64_t element;                // of the buffer, the first one; UINT64_MAX: of no meaning
  int32_t pc, other_pc;            // of the launches that the steps are, where known; -1
  char *message;                   // whole sentences
} ProgramFault;

struct ProgramChild;
typedef struct ProgramLaunch {
  int step;
  CounterSet counters;
  TraceFault *faults; int fault_count;   // texts are the launch's
  char *printed;
  uint64_t elapsed_ns;             // that it took to emulate
  ProgramCost cost;
  int findings;                    // of its lines; -1: nobody looked
  char *finding;                   // the worst of them; owned, NULL: none
  // Of a launch by the host: those by its kernel, and by theirs, in the order in which they were run.
  struct ProgramChild *children; int child_count, child_capacity;
  int first_child;                 // the step of the first of them (program_run_add_children)
  uint64_t *bases;                 // of one with children: where the program's buffers lie for them all; owned
  struct ProgramMove *moves; int move_count, move_capacity;   // copies that device code asked for
  int position;                    // among all launches as they were run, from 1
} ProgramLaunch;

// A copy or a set that is done before a child, or, `before` child_count, behind all of them.
typedef struct ProgramMove { int before; SimDeviceOp op; } ProgramMove;


// A launch in device code (CUDA C++ Programming Guide, "CUDA Dynamic Parallelism").
typedef struct ProgramChild {
  ProgramLaunch launch;
  int parent;                      // among the same children; -1: the host's launch
  int number, depth;               // among those of its parent, as they were asked for, from 1; 1: the host's own child
  int entry;                       // of the module
  uint32_t grid[3], block[3], shared;
  uint64_t stream;                 // SimDeviceOp.stream
  uint32_t by_block, by_thread;    // of the parent: who launched it, and where
  int32_t pc;
  uint8_t *params;                 // bytes of its parameters; owned, NULL: of a saved one
  int *after; int after_count;     // children that a stream or an event puts before it: among the same; owned
} ProgramChild;

// The first byte in which the whole program left another result than its launches did one by one.
typedef struct ProgramDifference { int buffer; bool on_host; uint64_t byte; } ProgramDifference;

// A fault of launches: at the same instructions, it is the same in all launches.
typedef struct ProgramLaunchFault {
  const TraceFault *fault;
  int number, launches;            // the first launch that has it, from 1; how many have it
  int child;                       // among the children of that launch; -1: it is the launch's own
} ProgramLaunchFault;

// What is in a result in the end: elements of a buffer of the device that no step has written.
typedef struct ProgramCoverage { int buffer; uint64_t elements, never_written, first_never; } ProgramCoverage;

typedef struct ProgramRun {
  RunShared shared;
  RunRequest request;
  HostProgram program;
  PtxModule *module;
  char *ptx, *ptx_path; size_t ptx_length;
  char *parameters;                // "N=4096 blocks=256"
  const Device *device;
  DevConnection *connection;       // to where it runs, for all launches
  const ArchProfile *arch;
  ProgramLaunch *launches; int launch_count;   // that were run: fewer than the program has if a fault stopped it
  int positions;                   // launches that were run, children with them
  int *order, *places;             // steps as they are read (program_in_order), and where each is; NULL: no children
  int *roots;                      // of each child: the launch of the host, from 0, that it is below
  int *reading, *ranks;            // numbers of launches as they are read, the place of each, from 0; NULL: the same
  CounterSet counters;             // of all
  ProgramFault *faults; int fault_count, fault_capacity;
  uint64_t *results;               // of a saved one: the sum of each buffer (program_run_result). Else NULL
  ProgramCoverage *coverage; int coverage_count;   // of the buffers that nobody fills before the first step
  ProgramLaunchFault *told; int told_count, told_capacity;   // the faults of launches, each once
  ProgramModel model; ProgramRules rules;   // that times are computed from, and what orders the steps
  ProgramTime *times;              // of each step, computed or measured. NULL if a fault stopped the program
  bool is_measured;                // by a GPU: then `whole` says where, when and how often (program_measure.h)
  DevProgramRun whole;
  uint64_t differing_bytes; ProgramDifference differs;   // between the whole program and its launches one by one
  char *measure_note;              // why it was not measured, where a GPU ran it; NULL
  struct ProgramMemory *memory;    // as the last step left it
  struct ProgramSnapshots *snapshots;   // as each launch found it; NULL: not kept
  RunVerdict verdict; char *verdict_text;
  bool stopped;
  uint64_t elapsed_ns;
} ProgramRun;

// The recipe of the request has a sequence, or it has none and a launch whose arguments are settled. Faults are in
// the run, not errors. progress may be NULL.
ProgramRun *program_run_new(const RunRequest *request, RunProgress *progress, LsErr *err);
void program_run_close(ProgramRun *run);                   // NULL is fine
// The same, to go from launch to launch: memory is kept as each of them finds it, in so many bytes at most (0: as many
// as are usual), and what each wastes is judged.
ProgramRun *program_run_keep(const RunRequest *request, uint64_t most, RunProgress *progress, LsErr *err);
// program_own.c: whether the launch of a file is run with what its kernel launches: as a program of one step.
bool program_own_has_children(const RunRequest *request, const Device *device, const PtxModule *module, int entry,
                              const Launch *launch);
bool program_of_launch(const char *what, const Launch *launch, const PtxModule *module, int entry, HostProgram *program,
                       LsErr *err);
// One more owner, on any thread: what is made is not changed any more. NULL is fine.
ProgramRun *program_run_share(ProgramRun *run);
// Whether the request is for this very program, whichever of its launches. Of a file: if its code is the same.
bool program_run_is_of(const ProgramRun *run, const RunRequest *request);
// The launch at which the program ends: the last one, or that in which a fault ends it.
int program_run_last_launch(const ProgramRun *run);
// As program_run_launch, of a program whose memory was kept: nothing is run, or little.
bool program_run_kept_launch(const ProgramRun *run, int number, RunProgress *progress, Launch *launch, LsErr *err);
int program_run_exit_status(const ProgramRun *run);
// program_tree.c: puts the launches by kernels behind the steps of the program, once all of them were run.
void program_run_add_children(ProgramRun *run);
// What its launches take, those by the host and then those by kernels, as program_time has it. The caller frees it.
ProgramCost *program_run_costs(const ProgramRun *run);
// The step of a launch; child -1: of the host's own.
int program_run_step(const ProgramRun *run, int number, int child);
// A launch by its number, of the host or (numbers behind those) of a kernel; NULL: it was not run. child: what only one
// by a kernel has, else NULL; may be NULL itself.
const ProgramLaunch *program_run_at(const ProgramRun *run, int number, const ProgramChild **child);
// Launches as they are read: a place of the list, from 0, to a number, and back.
static inline int program_run_reading(const ProgramRun *run, int rank) {
  return run->reading ? run->reading[rank] : rank + 1;
}
static inline int program_run_rank(const ProgramRun *run, int number) {
  return run->ranks ? run->ranks[number] : number - 1;
}
// The number of "1.2.1". goes_up: where it has no such child, that of its parent; else 0 with LS_EREQUEST.
int program_run_find(const ProgramRun *run, const char *name, bool goes_up, LsErr *err);
// For who reads a saved one (program_saved.c): without steps, memory or a module; and what follows from the launches.
ProgramRun *program_run_blank(const RunRequest *request, const char *device);
void program_run_tell(ProgramRun *run);
// What a check looks at: the host's side of a buffer if something came there, else the device's. Borrowed; NULL of a
// saved one.
const uint8_t *program_run_buffer(const ProgramRun *run, int buffer, uint64_t *size);
// A hash of it (FNV-1a).
uint64_t program_run_result(const ProgramRun *run, int buffer);
// program_writer.c: which launch before launch *number, of the host or a kernel, last wrote those bytes: it is *number
// then, and writer->block the block. False: none did (LS_EREQUEST); the message says where the bytes are from. A
// launch that has been found
// already (writer->found) stays.
bool program_run_find_writer(const ProgramRun *run, ProgramWriter *writer, int *number, RunProgress *progress,
                             LsErr *err);
// The same of a saved program, whose launches are in the file.
bool program_file_find_writer(const ProgramRun *run, Trace *file, ProgramWriter *writer, int *number, LsErr *err);
// The launch of that number, from 1, one by the host, as it finds memory, made by running those before it. False: there
// is no such launch, or the program does not come to it.
// *program is the program then; the caller finishes it, also after a failure.
bool program_run_launch(const RunRequest *request, int number, RunProgress *progress, Launch *launch,
                        HostProgram *program,
                        LsErr *err);
// "1.2", for the second child of launch 1; child -1: "1".
void program_run_name(const ProgramRun *run, int number, int child, LsText *out);
// "launch 1.2 (fill<<<4, 32>>>, by thread (0,0,0) of block (3,0,0) of launch 1 at tree.cu:12)"
void program_run_child_place(const ProgramRun *run, int number, int child, LsText *out);
// Whether a GPU ran launches in device code, of which only their times and results are known; not of a saved one.
bool program_run_has_inner(const ProgramRun *run);
const char *program_stream_name(uint64_t stream);          // of a child: "default", "tail", "forget", "own"
// "launch 2 of 3, in stream b", "launch 1.2"
void program_run_place(const HostProgram *program, int number, LsText *out);

#endif
