// device.h: "run this launch and push the events", and turning CUDA source into PTX.
#ifndef LS_DEVICE_DEVICE_H
#define LS_DEVICE_DEVICE_H

#include "base/error.h"
#include "base/text.h"
#include "device/program.h"
#include "ptx/module.h"
#include "sim/sim.h"
#include "trace/trace.h"

// What a run is doing: stages.def.
typedef enum DevStage {
#define DEV_STAGE(NAME, ...) DEV_STAGE_##NAME,
#include "device/stages.def"
#undef DEV_STAGE
  DEV_STAGE_COUNT
} DevStage;
const char *dev_stage_name(DevStage stage);   // "running"; lives as long as the program

// What a child or another machine is reached by, where several runs use it one after the other: it is started by the
// first, and keeps its GPU in between. A run that fails, or has a fault, ends it, and the next one starts anew.
typedef struct DevConnection DevConnection;
DevConnection *dev_connection_new(void);
void dev_connection_free(DevConnection *connection);   // NULL is fine; no run uses it any more

// One launch, from the moment it is opened until it is closed.
typedef struct DevRequest {
  const PtxModule *module;      // borrowed
  int entry;
  const Launch *launch;         // borrowed
  const SimOptions *options;    // borrowed
  const char *runner;           // command prefix that starts the child of a GPU run elsewhere, or NULL: here; borrowed
  double time_limit;            // seconds: for a runner to answer, where it does not say that it waits in a queue,
                                // and again
                                // from there to the first results; 0: DEV_TIME_LIMIT
  bool timed;                   // a GPU also times the plain kernel
  DevConnection *connection;    // that runs share, one after the other; NULL: one of its own; borrowed
  bool more_follow;             // the far end: keep the GPU for them
  bool unoptimized;             // a GPU's instrumented kernel of -G is compiled as slowly as the plain one: to compare
                                // the two. Without this, as if it were none of -G (probe.h)
  bool stops;                   // a GPU runs the instrumented kernel alone, with records that outlive the fault it is
                                // known to end in
  void (*stage)(void *context, DevStage stage);   // told what the run is doing now; may be NULL. On the thread that
                                                  // opened or runs it, as options->progress is
  void (*note)(void *context, const char *line);  // what a runner says on the way ("job 7 is queued"); may be NULL.
                                                  // The same thread
  void *context;                                  // of stage and note
} DevRequest;
#define DEV_TIME_LIMIT 60.0

typedef struct DevRun DevRun;   // holds the memory after the run

// What runs launches. The table is devices.def; a device that cannot run here says why in `available` (LS_EENV).
typedef struct Device {
  const char *name;             // "emu"
  const char *title;            // "emulator"
  // Everything that can be wrong with the request is found here (LS_EREQUEST). Fills info->objects. NULL: failed.
  DevRun *(*open)(const DevRequest *request, TraceInfo *info, LsErr *err);
  // Once. Faults of the kernel are events, not errors; false if it was canceled (LS_ECANCEL) or out of memory.
  bool (*run)(DevRun *run, TraceSink *sink, LsErr *err);
  // The bytes of a buffer argument after the run, NULL for a scalar; the faults that were told. Borrowed until close.
  const uint8_t *(*buffer)(const DevRun *run, int arg, uint64_t *size);
  // Per byte of that buffer, 0: nobody has written it. NULL: all of it is, or the device does not know; so is the
  // function.
  const uint8_t *(*written)(const DevRun *run, int arg);
  const TraceFault *(*faults)(const DevRun *run, int *count);
  bool (*stopped)(const DevRun *run);         // whether a fault ended the run; NULL: the kinds of its faults tell
                                              // (fault.def)
  // What the kernel asked the device runtime for, to be done behind it, and the parameters of a launch among it
  // (sim.h). NULL: the device does so itself, or cannot.
  const SimDeviceOp *(*asked)(const DevRun *run, int *count);
  const uint8_t *(*asked_params)(const DevRun *run, const SimDeviceOp *op);
  // The device heap behind the run, for Launch.heap of the next one; the caller frees it. NULL: nothing was taken of
  // it,
  // or the device keeps it itself; so is the function.
  uint8_t *(*heap)(const DevRun *run, uint64_t *size);
  const char *(*output)(const DevRun *run);   // what the kernel printed; borrowed, never NULL
  void (*close)(DevRun *run);
  bool (*available)(LsErr *err);
  // Runs a program whole and times its steps (program.h); the result is initialized. NULL: it has no times of its own.
  bool (*run_program)(const DevProgram *program, DevProgramRun *result, LsErr *err);
} Device;
// The first GPU that CUDA_VISIBLE_DEVICES shows, in this process (cuda_here.c). Not in the table: serve-run uses it,
// so that a
// kernel that hangs or a driver that crashes takes nobody along.
extern const Device dev_cuda_here;
const Device *dev_find(const char *name, LsErr *err);   // "auto" is the best available one
// The same where a command prefix may lead elsewhere (NULL: none): then "auto" is "cuda". What is missing there
// comes to light in
// open().
const Device *dev_choose(const char *name, const char *runner, LsErr *err);
// What does the work of that name in this very process: what `lanescope serve-run` runs requests on.
const Device *dev_here(const char *name, LsErr *err);
const Device *dev_at(int index);    // in the order of devices.def; NULL past the end

// The two cuts of a kernel: optimized with -lineinfo, what a GPU runs; or -G, statement by statement with all
// variables.
typedef enum DevCut { DEV_COMPILED, DEV_WRITTEN } DevCut;

// What is to be compiled, and who watches.
typedef struct DevSource {
  const char *path;             // of the .cu file; borrowed, as all of these
  DevCut cut;
  bool separate;                // its device code launches kernels: -rdc=true. dev_compile finds out
  const char *kernel;           // a template instantiation that must exist in the PTX ("gputiled<32>"), or NULL
  const char *arch;             // compute capability without its point ("80"), or NULL: what the source needs
  const char *define;           // a macro, NAME or NAME=VALUE, or NULL
  const _Atomic bool *cancel;   // looked at all the time: true ends the compiler, and all that it started; may be NULL
  void (*starts)(void *context, const char *compiler);   // told when a compiler is started ("nvcc"); may be NULL
  void *context;
} DevSource;

// Compiles a .cu file with NVRTC, else nvcc, else clang. Result is PTX text, caller frees; *length without the final
// zero. A compile error is LS_EREQUEST with the compiler's own messages; no compiler is LS_EENV with what to
// install; LS_ECANCEL.
// Results are cached below $XDG_CACHE_HOME/lanescope by name, content and options.
char *dev_compile(const DevSource *source, size_t *length, LsErr *err);
// Which compilers there are, for doctor: one line each into out, and into meaning what they are good for and what to
// install if that is not enough, the shortest way first. Returns how many.
int dev_compilers(LsText *out, LsText *meaning);

#endif
