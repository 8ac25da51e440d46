// program.h: a program as data: steps over buffers that live from the first step to the last.
//
// One launch is a program of one step, and stays a Launch. A program has several: copies, launches, waits, what the
// host
// does meanwhile. Recipes make it (script/recipe_sequence.c); whoever runs it does the steps in the order of the list,
// which is the order in which the host comes to them. What orders them besides is CUDA's: streams and events
// (model/program_order.h), and when each begins and ends is computed or measured (model/program_time.h).
#ifndef LS_LAUNCH_PROGRAM_H
#define LS_LAUNCH_PROGRAM_H

#include "launch/launch.h"

// The host's side of a buffer.
typedef enum ProgramHost {
  PROGRAM_PAGEABLE,      // malloc: an asynchronous copy goes through a buffer of the driver, and the host waits for it
  PROGRAM_PINNED,        // cudaMallocHost: the copy engine reads and writes it by itself
  PROGRAM_MANAGED,       // cudaMallocManaged: one memory for both
  PROGRAM_DEVICE_ONLY,
  PROGRAM_HOST_COUNT
} ProgramHost;

typedef struct ProgramBuffer {
  LaunchArg contents;    // name, type, count, init: of the host's side if a step copies it to the device, else of the
                         // device's
  ProgramHost host;
  bool starts_on_host;   // program_settle: some step copies it to the device before anybody else touches it
} ProgramBuffer;

typedef struct ProgramStream {   // stream 0 is the default one
  char *name;
  int priority;          // lower is more urgent
  bool nonblocking;      // cudaStreamNonBlocking: it and the legacy default stream do not wait for one another
} ProgramStream;

typedef enum ProgramKind {
  PROGRAM_LAUNCH, PROGRAM_COPY, PROGRAM_SET, PROGRAM_HOST, PROGRAM_SYNC, PROGRAM_RECORD, PROGRAM_WAIT, PROGRAM_READ,
  PROGRAM_WRITE, PROGRAM_FREE, PROGRAM_KIND_COUNT
} ProgramKind;

typedef enum ProgramDirection { PROGRAM_H2D, PROGRAM_D2H, PROGRAM_D2D, PROGRAM_H2H,
                               PROGRAM_DIRECTION_COUNT } ProgramDirection;
typedef enum ProgramSync { PROGRAM_SYNC_DEVICE, PROGRAM_SYNC_STREAM, PROGRAM_SYNC_EVENT } ProgramSync;

// An argument of a launch: a number, or the address of a buffer's element.
typedef struct ProgramArg {
  bool is_buffer; int buffer; uint64_t first;   // its element
  bool of_host;          // the address of the host's side: a mistake worth telling
  double number; int64_t integer; bool is_integer;
  uint64_t bits;         // program_bind: a number as the kernel's parameter holds it
} ProgramArg;

// Where a kernel's launch goes (CUDA C++ Programming Guide, "CUDA Dynamic Parallelism", "Streams").
typedef enum ProgramKinStream {
  PROGRAM_KIN_DEFAULT,   // one for the threads of a block
  PROGRAM_KIN_TAIL,      // one for the grid, behind all its other children
  PROGRAM_KIN_FORGET,    // none: nothing comes behind it
  PROGRAM_KIN_OWN,       // made by a thread of the block
} ProgramKinStream;

// Of a launch by a kernel.
typedef struct ProgramKin {
  int parent;            // step: a launch by the host, or another one of these
  int number, depth;     // among those of its parent, as they were asked for, from 1; 1: of a launch by the host
  ProgramKinStream stream;
  uint32_t by_block;     // of the parent
  int params;            // of its kernel
  int *after; int after_count;   // steps of the same parent that its stream, or an event, puts before it
} ProgramKin;

typedef struct ProgramStep {
  ProgramKind kind;
  int stream;            // 0: the default one
  // launch
  char *kernel;
  uint32_t grid[3], block[3];
  uint64_t shared_bytes;
  bool cooperative;
  ProgramArg *args; int arg_count, arg_capacity;
  // copy, set, read, write, free: elements first .. first + count of a buffer
  ProgramDirection direction;
  int buffer, from;      // from: the source of a copy; the same buffer between host and device
  uint64_t first, from_first, count;
  bool async;
  uint8_t byte;          // set
  // host, sync, record, wait
  ProgramSync sync;
  int event;
  char *words;           // host: what it does, for people; owned
  double milliseconds;
  int function;          // of the recipe's, from 1; 0: none
  ProgramKin *kin;       // owned; NULL: a step of the host
} ProgramStep;

typedef struct HostProgram {
  char *name;            // owned, as all below
  ProgramBuffer *buffers; int buffer_count, buffer_capacity;
  LaunchArg *symbols; int symbol_count, symbol_capacity;   // LAUNCH_VARIABLE
  ProgramStream *streams; int stream_count, stream_capacity;   // streams[0] is the default stream
  char **events; int event_count, event_capacity;
  ProgramStep *steps; int step_count, step_capacity;
  int launches;          // program_settle
  int child_count;       // launches by kernels, which are known once it was run: they are behind the host's steps
} HostProgram;

enum { PROGRAM_MOST_STEPS = 1000000, PROGRAM_MOST_BUFFERS = 4096, PROGRAM_MOST_STREAMS = 128 };

const char *program_kind_name(ProgramKind kind);   // "launch", as in JSON
void program_init(HostProgram *program);     // with the default stream
void program_fini(HostProgram *program);
void program_step_init(ProgramStep *step, ProgramKind kind);
int program_buffer(const HostProgram *program, const char *name);   // index, -1: there is none
int program_stream(const HostProgram *program, const char *name);   // "default" is 0
int program_event(HostProgram *program, const char *name);          // made when it is first named
// Ranges, names that were never made, waits for what nobody records: every step in order. Also finds where each
// buffer begins.
bool program_settle(HostProgram *program, LsErr *err);
// The number of a launch among the launches, from 1, as people count, and the step of that number; -1 if there is none.
// Launches by kernels have the numbers behind those by the host.
int program_launch_number(const HostProgram *program, int step);
int program_launch_step(const HostProgram *program, int number);
// Behind those that are there: steps[step_count + i]. Takes ownership of what the step points at. Parents come first.
void program_add_child(HostProgram *program, const ProgramStep *step);
static inline int program_all_steps(const HostProgram *program) { return program->step_count + program->child_count; }
static inline int program_all_launches(const HostProgram *program) { return program->launches + program->child_count; }
// How many arguments of a launch are its kernel's own; what memory there is comes behind them.
static inline int program_own_args(const ProgramStep *step) { return step->kin ? step->kin->params : step->arg_count; }
// All steps as people read them: launches by kernels behind that of the host that they come from. The caller frees it.
int *program_in_order(const HostProgram *program);
// "3" for the third launch by the host, "3.1" for the first one that its kernel makes.
void program_launch_name(const HostProgram *program, int step, LsText *out);
// "launch reduce2<<<1, 32>>> in stream b", "copy x to the device", "launch 3.1, fill<<<4, 32>>>".
void program_step_words(const HostProgram *program, int step, LsText *out);

static inline uint64_t program_buffer_bytes(const ProgramBuffer *buffer) {
  return buffer->contents.count * (uint64_t)launch_type_size(buffer->contents.type);
}
// Where a copy or a set goes, in bytes, as far as it fits into both buffers: from `from_at` of the one to `at` of the
// other.
typedef struct ProgramRange { uint64_t at, from_at, size; } ProgramRange;
ProgramRange program_range(const HostProgram *program, const ProgramStep *step);
// A copy that the host waits for: not asynchronous, or to or from pageable memory, which goes through a buffer of
// the driver
// (CUDA Runtime API, "API synchronization behavior").
bool program_blocks(const HostProgram *program, const ProgramStep *step);

static inline bool program_is_on_device(const ProgramStep *step) {
  return step->kind == PROGRAM_LAUNCH || step->kind == PROGRAM_SET ||
         (step->kind == PROGRAM_COPY && step->direction != PROGRAM_H2H);
}

#endif
