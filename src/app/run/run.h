// run.h: from "what" (a lecture kernel, a .cu, a .ptx, a trace file) to a run that can be looked at.
#ifndef LS_APP_RUN_H
#define LS_APP_RUN_H

#include "app/run/emulated.h"
#include "app/run/recipe.h"
#include "device/device.h"
#include "model/causes/cause.h"
#include "model/coverage.h"
#include "model/findings/finding.h"
#include "model/model.h"
#include "model/program_model.h"

// Bytes of a program's memory: of a buffer, or, counted behind the buffers, of a variable of the module.
typedef struct ProgramWriter {
  int area;
  uint64_t first, size;            // size 0: nothing is looked for
  bool found; uint32_t block;      // the launch is known, and whose block wrote them last
} ProgramWriter;

// The first member of what several own, on any threads, and nobody changes: the last one frees it. sharers: owners
// besides the first.
typedef struct RunShared { _Atomic int sharers; void (*free)(struct RunShared *shared); } RunShared;

// PTX that many runs share. Owners and threads as of any RunShared.
typedef struct RunCode { RunShared shared; DevCut cut; char *path, *ptx; size_t length; } RunCode;

// Everything that decides a run. Copied deeply; the same request gives the same run.
typedef struct RunRequest {
  char *what;              // recipe name or file; owned
  const Recipe *recipe;    // NULL for files; borrowed from the book
  RecipeValues values;
  char *text;              // of a recipe: the source that is run in the place of its own; NULL: its own. Owned
  RunCode *code;           // the PTX of that text in one of its cuts, if it was made beforehand: then nothing is
                           // compiled, and names that only another cut has are missing. Shared
  int launch_number;       // of a recipe that is a program: which of its launches, from 1; 0: the first, or all
                           // (program_run.h)
                           // once it is run, launches by kernels have the numbers behind those
  char *launch_name;       // "1.2.1": launch_number is what this comes to in the program as run; NULL: as it says;
                           // owned
  RunShared *whole;        // such a program as it was run before (ProgramRun): what its launches find is known. Used if
                           // it is this very one; NULL: none
  ProgramWriter writer;    // size not 0: not launch launch_number, but the last one before it that writes these bytes
  ProgramModelChange model;   // of a program: what its times are computed from, and the rule of the default stream
  Launch launch;           // files only; owned
  DevCut cut; bool cut_given;
  char *device;            // "auto", "emu", "cuda", "recorded"; owned
  SimSched sched;
  SimOrder order; bool order_given;   // of warps; not given: see run_request_order
  char *profile;           // "h200"; owned
  char *blocks;            // --blocks: "0,3-5,middle,last" or "all"; NULL: as many whole blocks as fit the recording
                           // limit; owned
  uint64_t seed, budget;
  char *order_of;          // --order-of: choices of an order that was found by stats --orders; NULL: none; owned
  uint64_t threads;        // of the emulator; 0: as many as pay off. What comes of the run is the same
  uint32_t checks;
  bool strict;             // --strict: a warning counts as a fault
  bool opens;              // not run, but opened: launch_number of the saved program `what`
  bool record;             // false: counters only (stats)
  uint64_t events;         // recorded at most, in whole blocks, unless blocks says which; 0: RUN_EVENTS
  char *runner;            // --runner: command prefix that leads to the machine that runs it; NULL: $LANESCOPE_RUNNER
                           // for "cuda",
                           // else this one; owned
  double time_limit;       // seconds that a GPU or another machine may take; 0: DEV_TIME_LIMIT
} RunRequest;
enum { RUN_EVENTS = 2000000 };
void run_request_init(RunRequest *request);
void run_request_copy(RunRequest *to, const RunRequest *from);
void run_request_fini(RunRequest *request);
void run_request_set_whole(RunRequest *request, RunShared *whole);   // one more owner of it; NULL: none
void run_request_set_code(RunRequest *request, RunCode *code);         // the same
// The launch of that number, of the host or a kernel; program: as it was run.
void run_request_set_launch(RunRequest *request, const HostProgram *program, int number);
// Another device. A runner that leads to a GPU does not take the emulator along, and what only the emulator heeds
// (the order of
// lanes and warps, threads) is as usual for any other.
void run_request_set_device(RunRequest *request, const char *device);
// run_text.c. Another text in the place of the recipe's source; NULL: its own again. The lines keep their numbers.
void run_request_set_text(RunRequest *request, const char *text);
// Where the PTX of that text is, if it was made beforehand, and what it is made of; caller frees path. False: the
// device
// has none of the recipe's capabilities.
typedef struct RunMade { char *path; const char *source, *define; int arch; bool written; } RunMade;
bool run_request_made(const RunRequest *request, RunMade *made, LsErr *err);
// The cut that the recipe is meant to be seen with, where it says one and nobody asked for one.
void run_request_use_cut(RunRequest *request);
// How the emulator orders its warps: in turns where events are recorded, to be looked at; else as is fastest, and so at
// the other end of a runner.
SimOrder run_request_order(const RunRequest *request);
// The blocks of its grid. False: the recipe refuses its parameters, or has no such launch.
bool run_request_blocks(const RunRequest *request, uint64_t *blocks);
// Where the request leads: its runner, else $LANESCOPE_RUNNER if it is for a GPU. NULL: it stays here. Borrowed.
const char *run_request_runner(const RunRequest *request);

enum { RUN_NOTE = 160 };

// What a run of a file failed for that somebody can fill in.
typedef enum RunLacks { RUN_LACKS_NOTHING, RUN_LACKS_CODE /* it does not compile */, RUN_LACKS_LAUNCH /* a kernel,
                       arguments */ } RunLacks;

// Shared with a worker thread: cancel and keep are set by the user, the rest is written by the run.
typedef struct RunProgress {
  _Atomic bool cancel;
  _Atomic bool keep;               // set before cancel: what the emulator has done by then is a run (Run.interrupted)
  _Atomic bool may_keep;           // the emulator records, here: canceling with keep leaves a run
  _Atomic uint64_t blocks_done;
  _Atomic int permille;            // 0..1000 of the blocks, -1: not known
  _Atomic uint64_t bytes;          // received so far from another machine or process, where that is what goes on;
                                   // else 0
  _Atomic uint64_t compiled_ns;    // that compilers took; 0: nothing was compiled
  _Atomic int lacks;               // RunLacks, of a run that failed
  const char *_Atomic stage;       // "compiling", "running", "checking"
  _Atomic char note[RUN_NOTE];     // what another machine last said on the way: "job 7 is queued"; see run_note
} RunProgress;

// Compiles the recipe's text, or its source, in the request's cut now, for all runs of the request and its copies.
bool run_request_compile(RunRequest *request, RunProgress *progress, LsErr *err);

// Copies the note, which may change meanwhile: at worst the picture of a moment shows halves of two lines.
void run_note(const RunProgress *progress, char out[RUN_NOTE]);

typedef enum RunVerdict { RUN_UNCHECKED, RUN_RIGHT, RUN_WRONG } RunVerdict;

typedef struct Run {
  RunRequest request;
  PtxModule *module; int entry;
  TraceInfo info; bool owns_info;  // contents are the trace's unless owns_info
  Trace *trace;                    // NULL if nothing was recorded
  Counters *counters;
  bool counters_complete;          // false: only the recorded blocks (a played trace)
  bool interrupted;                // canceled, and kept, now or before it was saved: all is of what had run by then
  uint64_t blocks_done;            // of an interrupted run
  bool is_early;                   // interrupted to be looked at, while it is run again as a whole (set by who does so)
  bool is_outdated;                // a recording of a kernel that is another one by now
  const TraceFault *faults; int fault_count;
  TraceFault *own_faults; int own_fault_count;   // faults with the run's own warnings, which are the last of them
  TraceCoverage *coverage; int coverage_count; bool coverage_known, coverage_sought;   // see run_coverage
  Causes *causes;                  // of the faults, in the order in which to mend them; never NULL
  char *notes;                     // see run_notes
  HostProgram *program;                // whose launch this is, request.launch_number; NULL: it is a launch of its own
  struct ProgramRun *whole;            // that program as a whole, with `program` in it; NULL: nobody ran it. Shared
  char *printed;                   // of a saved trace: all that the kernel printed
  const ArchProfile *profile;      // that came with the trace, or with the GPU; NULL: that of its name. See run_profile
  RunVerdict verdict; char *verdict_text;   // of the host reference
  uint64_t elapsed_ns;
  Witness *witness; Findings *findings;   // see run_findings
  struct RunPrefix *prefix;        // totals at intervals of steps, for "so far"
  DevRun *device_run; const Device *device;
  SimPath path; uint8_t *path_given;   // of order_of
  SimReplay *replay;               // made on first use
  Emulated *emulated;              // of a run that the emulator did not make: what the replay has to do with it
  TraceInfo replay_objects;        // the memory objects of that replay
  int sharers;                     // owners besides the first
} Run;

// Compiles or loads, runs, checks. Faults of the kernel are in the run, not errors. progress may be NULL.
Run *run_new(const RunRequest *request, RunProgress *progress, LsErr *err);
// The same with the trace written to a file (lanescope trace -o).
Run *run_new_to_file(const RunRequest *request, const char *path, RunProgress *progress, LsErr *err);
// A saved trace; of a program's launches the first. whole: that program as it was read before; NULL: it is read.
Run *run_open(const char *path, LsErr *err);
Run *run_open_launch(const char *path, int number, RunShared *whole, LsErr *err);
void run_free(Run *run);
// One more owner, who frees it, too. All of them on one thread: looking at a run moves its replay.
Run *run_share(Run *run);

// True if the file looks like a trace (its magic), whatever its name.
bool run_is_trace_file(const char *path);
// Writes buffers with an output file (TYPE[N]=INIT>FILE).
bool run_write_outputs(const Run *run, LsErr *err);
// Totals of the recorded events up to and including a step. False if they are not known yet (a long trace is folded
// bit by bit: see run_advance_totals; one that was recorded here also when it is asked) or the trace is damaged.
bool run_totals_at(Run *run, uint64_t step, CounterSet *totals);
// Folds up to `events` more events of the trace; call it when idle. True while there is more to do.
bool run_advance_totals(Run *run, uint64_t events);
// The replay, made when first asked for; NULL if the run cannot be executed again.
SimReplay *run_replay(Run *run, LsErr *err);
// What the run wastes most, worst first. Made when first asked for (of a trace that was opened: with all its events
// counted, see run_advance_totals), and the run's.
const Findings *run_findings(Run *run);
// ---- run_coverage.c: how much of its results the kernel wrote (model/coverage.h) ----
// A row for each buffer that is a result. NULL: it is not known, and run_coverage_unknown says why. A long trace that
// does not tell is read for it.
const TraceCoverage *run_coverage(Run *run, int *count);
void run_coverage_name(const Run *run, const TraceCoverage *row, LsText *out);   // "y"
void run_coverage_words(const Run *run, const TraceCoverage *row, LsText *out);
void run_coverage_unknown(const Run *run, LsText *out);                          // "" where it is known
void run_coverage_find(Run *run);                // of a run that is whole: for those who make runs
void run_coverage_fini(Run *run);
// Whether a fault ended the run, which then has no results.
bool run_stopped_early(const Run *run);
// True if the emulator made the run; else every value is the emulator's, who executes it again (see emulated.h).
bool run_is_emulated(const Run *run);
// Brings the replay to the moment at which the trace stands after `step` (UINT64_MAX: before the first one of the
// block that
// `block` is), as far as one warp is concerned. NULL with LS_ECANCEL: out of patience, ask again; else why it is not
// known.
SimReplay *run_seek(Run *run, const TraceBlock *block, uint64_t step, int warp, double patience, LsErr *err);
// An address of the run as the replay has it, and the other way round: the objects lie elsewhere on another device.
uint64_t run_replay_address(const Run *run, TraceSpace space, uint64_t addr);
uint64_t run_own_address(const Run *run, TraceSpace space, uint64_t addr);
// What a real device measured; NULL: it was the emulator.
const TraceMeasure *run_measure(const Run *run);
// What a trace has no room for: "17 events of the recorded blocks are missing: ...". "" if nothing is missing.
void run_lost_words(const Run *run, LsText *out);
// What is there of a run that was interrupted, or that a GPU stopped at a fault. "" if it went to its end.
void run_stopped_words(const Run *run, LsText *out);
// The device that is computed with: its own profile, or what stands in for one that is not known here.
const ArchProfile *run_profile(const Run *run);
// "the profile 'gpu' of this trace is of the machine that made it, and not known here: what is computed is for
// H200". "" if it
// is known.
void run_profile_words(const Run *run, LsText *out);
// What its events are sentences about; good as long as the run.
SentenceAbout run_about(const Run *run);
// How its numbers came about: "emulated", "measured", "recorded".
const char *run_how(const Run *run);
// "emulator · its · H200", with the order of warps where there is room for a date; "measured on NVIDIA H200", with the
// date, and in full with the driver.
typedef enum RunDetail { RUN_IN_BRIEF, RUN_WITH_DATE, RUN_IN_FULL } RunDetail;
void run_where(const Run *run, RunDetail detail, LsText *out);
// What somebody should know of the launch before looking at its results, a line each: variables that nobody gave a
// value, members of structs that are zero. "" if there is nothing to say; borrowed.
const char *run_notes(const Run *run);
// What the kernel printed with printf; borrowed.
const char *run_output(const Run *run);
// The same piece by piece, as far as the trace tells whose they are; *count 0 without a trace.
const TracePrint *run_prints(const Run *run, int *count);
// What the call at a step of the trace printed, as a sentence; nothing if it printed nothing.
void run_print_words(const Run *run, uint64_t step, LsText *out);
void run_one_line(const char *text, char *out, size_t size);   // without line ends and tabs; cut if it must be
// ---- run_grades.c: what was found in a run, by how bad it is ----
int run_count_graded(const Run *run, FaultGrade grade);
int run_count_causes(const Run *run, FaultGrade grade);
// The row-th entry of Run.faults in the order of causes (faults first, then warnings, then notes), the witness of each
// before its other faults. NULL: there is no such row.
const TraceFault *run_fault_row(const Run *run, int row);
// 0 clean, 1 faults or a wrong answer; warnings count with request.strict, notes never.
int run_exit_status(const Run *run);
// Parses --blocks against a grid into one byte per block (caller frees).
uint8_t *run_parse_blocks(const char *list, uint64_t blocks, LsErr *err);

#endif
