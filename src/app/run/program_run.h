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

typedef struct ProgramLaunch {
  int step;
  CounterSet counters;
  TraceFault *faults; int fault_count;   // texts are the launch's
  char *printed;
  uint64_t elapsed_ns;             // that it took to emulate
  ProgramCost cost;
} ProgramLaunch;

typedef struct ProgramRun {
  RunRequest request;
  HostProgram program;
  PtxModule *module;
  char *ptx, *ptx_path; size_t ptx_length;
  const Device *device;
  const ArchProfile *arch;
  ProgramLaunch *launches; int launch_count;   // that were run: fewer than the program has if a fault stopped it
  CounterSet counters;             // of all
  ProgramFault *faults; int fault_count, fault_capacity;
  ProgramModel model; ProgramRules rules;   // that times are computed from, and what orders the steps
  ProgramTime *times;              // of each step, computed. NULL if a fault stopped the program
  struct ProgramMemory *memory;    // as the last step left it
  RunVerdict verdict; char *verdict_text;
  bool stopped;
  uint64_t elapsed_ns;
} ProgramRun;

// The recipe of the request has a sequence. Faults are in the run, not errors. progress may be NULL.
ProgramRun *program_run_new(const RunRequest *request, RunProgress *progress, LsErr *err);
void program_run_close(ProgramRun *run);
int program_run_exit_status(const ProgramRun *run);
// What a check looks at: the host's side of a buffer if something came there, else the device's. Borrowed.
const uint8_t *program_run_buffer(const ProgramRun *run, int buffer, uint64_t *size);
// The faults of launches, each once: at the same instructions, they are the same in all launches. Caller frees *out.
typedef struct ProgramLaunchFault {
  const TraceFault *fault;
  int number, launches;            // the first launch that has it, from 1; how many have it
} ProgramLaunchFault;
int program_run_launch_faults(const ProgramRun *run, ProgramLaunchFault **out);
// The launch of that number, from 1, as it finds memory, made by running those before it. False: there is no such
// launch, or
// the program does not come to it.
// *program is the program then; the caller finishes it, also after a failure.
bool program_run_launch(const RunRequest *request, int number, RunProgress *progress, Launch *launch,
                        HostProgram *program,
                        LsErr *err);
// "launch 2 of 3, in stream b"
void program_run_place(const HostProgram *program, int number, LsText *out);

#endif
