// probe.h: a kernel that tells what it does: instruments PTX, and reads what the instrumented kernel wrote.
//
// probe_new inserts code into the text of a module: before or after memory accesses, atomics, branches, barriers, and
// operations between lanes, and at the start and end of each warp. The program means what it meant. Nothing here talks
// to a GPU: whoever runs the kernel (device/cuda/cuda_here.c on a GPU, tests on the emulator)
//
//   1. loads probe_ptx() and finds its variable PROBE_CONTEXT,
//   2. allocates probe_memory() bytes that are all zero,
//   3. copies the PROBE_CONTEXT_BYTES of probe_context(address of that memory) into the variable,
//   4. launches the entry, which has its old name and parameters, as it would launch the plain one,
//   5. copies the memory back and gives it to probe_decode().
//
// The events are those that the emulator makes of the plain kernel, one by one, each warp's lanes in their order.
// Which of
// several warps, or of lanes of a warp that are apart, goes first is told as it was. Not as the emulator tells it,
// for a GPU does
// not show it: what an mbarrier held (nobody may know what its bits mean); other blocks of a cluster at its barrier;
// lanes that
// meet at different instructions (bar.warp.sync in both branches) tell it each at their own; TRACE_RECONVERGES is
// concluded.
// Telling events may keep lanes apart for longer than they are in the plain kernel (see probe_inline.h); counting
// does not.
//
// Blocks in focus tell every event, into a buffer of bounded size; events that do not fit are counted as lost. All
// blocks add to counters of each site, and say on which SM and when they ran.
#ifndef LS_DEVICE_PROBE_H
#define LS_DEVICE_PROBE_H

#include "ptx/module.h"
#include "trace/trace.h"

#define PROBE_CONTEXT "lanescope_probe"
enum { PROBE_CONTEXT_BYTES = 256, PROBE_HEAD_BYTES = 64 };

typedef struct ProbeOptions {
  const uint8_t *record_block;   // one byte per block of the grid: nonzero: record; NULL: see record_all. Borrowed by
                                 // probe_new
  bool record_all;               // of a grid of more than 65536 blocks: the first ones
  uint64_t record_limit;         // probe_decode tells no further block once it told so many events (0: no limit)
  uint64_t memory_limit;         // bytes of the device that may be used; 0: 1 GB
  int sm_count;                  // of the device that will run it: copies of the counters
  bool stamps_only;              // nothing but on which SM, from when until when each block ran: as close to the plain
                                 // kernel as that goes. Read by probe_block_times alone
  bool no_stamps;                // all but that
  bool optimized;                // of code for the debugger (-G): without that word, so that the driver optimizes it,
                                 // and what is put into it. Not where functions call themselves (ptx_parts_for_good)
  bool stops;                    // the kernel may be stopped by a fault: what it counted until then is to be in memory
} ProbeOptions;

typedef struct Probe Probe;

// module and launch are borrowed for the life of the Probe. LS_EREQUEST names what cannot be instrumented, with lines.
Probe *probe_new(const PtxModule *module, int entry, const Launch *launch, const ProbeOptions *options, LsErr *err);
void probe_free(Probe *probe);

const char *probe_ptx(const Probe *probe, size_t *length);   // borrowed
uint64_t probe_memory(const Probe *probe);
// How many of these bytes, from the first on, the kernel used: by the PROBE_HEAD_BYTES that it left at their start. The
// others need not be copied back; probe_decode takes as many as there are.
uint64_t probe_used(const Probe *probe, const uint8_t head[PROBE_HEAD_BYTES]);
void probe_context(const Probe *probe, uint64_t address, uint8_t bytes[PROBE_CONTEXT_BYTES]);

// What the device calls the texture or surface of an argument; without this, that is its address in the trace.
void probe_set_image(Probe *probe, int arg, uint64_t handle);

// After a run of all blocks of a large grid whose records did not fit: blocks that run at the same time share the
// memory, and none is
// whole. Has the next run record only so many, from the first one on, as should fit (and as the limit of events will
// take); for it,
// steps 3 and 4 are done again, with memory that is all zero. False if everything did fit, or the blocks are the
// caller's choice.
bool probe_narrow(Probe *probe, const uint8_t head[PROBE_HEAD_BYTES]);

// Who wants to know how far probe_decode is.
typedef void (*ProbeProgress)(void *context, uint64_t done, uint64_t all);
void probe_watch(Probe *probe, ProbeProgress progress, void *context);

// Pushes begin_block, event, end_block for the recorded blocks, in the order of their numbers, then tally, counts and
// block_times. `memory` is what the kernel left behind, at least probe_used() bytes; it is checked, not trusted.
// *lost: events that did not fit, and one for each chunk of records that could not be read to its end. Addresses in
// variables come out as places in the layout of info->objects; others are the device's.
bool probe_decode(const Probe *probe, const uint8_t *memory, const TraceInfo *info, TraceSink *sink, uint64_t *lost,
                  LsErr *err);
// Pushes block_times alone.
void probe_block_times(const Probe *probe, const uint8_t *memory, TraceSink *sink);

#endif
