// program_children.h: launches by kernels, and what else they ask the device runtime for, done behind them
#ifndef LS_APP_PROGRAM_CHILDREN_H
#define LS_APP_PROGRAM_CHILDREN_H

#include "app/run/kinship.h"
#include "app/run/program_memory.h"
#include "app/run/program_run.h"
#include "app/run/touched.h"

enum { PROGRAM_MOST_CHILDREN = 100000 };   // of a launch by the host, at all depths

// What one grid asked for. Copied, for the run of that grid is closed before.
typedef struct ProgramAsked { SimDeviceOp *ops; uint8_t **params; int count; } ProgramAsked;
void program_asked_take(ProgramAsked *asked, const Device *device, const DevRun *run, const PtxModule *module);
void program_asked_free(ProgramAsked *asked);

// The grids below one launch of the host. All borrowed but bases.
typedef struct ProgramFamily {
  ProgramRun *run;
  ProgramLaunch *root;
  const SimOptions *options;
  Touched *touched;                // of the host's step; NULL: nobody asks
  Kinship *kin;                    // NULL: the check for races is off
  RunProgress *progress;
  uint64_t *bases;                 // addresses of the program's buffers; 0: not known
  // Hears of each race. buffer -1: a variable of the module. Takes words.
  void (*told)(void *context, int buffer, uint64_t element, const KinRace *race, LsText *words);
  void *context;
} ProgramFamily;
// info: as the host's launch was opened; first_arg: the argument that stands for buffer 0.
void program_family_init(ProgramFamily *family, ProgramRun *run, ProgramLaunch *root, const SimOptions *options,
                         const TraceInfo *info, int first_arg);
void program_family_fini(ProgramFamily *family);
// Runs what the host's launch asked for, and what that asks for; run->stopped if a fault ends it. False: error or
// cancel.
bool program_family_run(ProgramFamily *family, const ProgramAsked *asked, LsErr *err);
// Then: tells of the races among them.
void program_family_tell(ProgramFamily *family, const TraceInfo *info, int first_arg);

// Children `from` to the one before `to` of a launch that was run before, once more, one by one as they were; from -1:
// from the end of that launch's own blocks on. `again` has the memory.
bool program_family_again(ProgramRun *again, const ProgramLaunch *root, int from, int to, const SimOptions *options,
                          RunProgress *progress, LsErr *err);

// ---- program_left.c: what a run leaves besides memory ----
void program_take_faults(ProgramLaunch *launch, const Device *device, const DevRun *run);
void program_take_cost(const ProgramRun *run, const Launch *launch, ProgramLaunch *out);
// What it wastes, worst first.
void program_judge(const ProgramRun *run, int entry, const Launch *launch, TraceInfo *info, const Counters *counters,
                   const Witness *witness, ProgramLaunch *out);
void program_launch_fini(ProgramLaunch *launch);
bool program_was_stopped(const Device *device, const DevRun *run, const ProgramLaunch *launch);

#endif
