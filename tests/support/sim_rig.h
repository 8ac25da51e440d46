// sim_rig.h: a kernel written in a test, its launch on the emulator, and what came of it.
#ifndef LS_TESTS_SIM_RIG_H
#define LS_TESTS_SIM_RIG_H

#include "check.h"
#include "launch/launch.h"
#include "ptx/module.h"
#include "sim/sim.h"

typedef struct Event { TraceEvent e; uint64_t addr[32], value[32], result[32]; } Event;

typedef struct Rig {
  TraceSink sink;             // first, so that a sink is a rig
  PtxModule *module;
  Launch launch;
  SimOptions options;
  Sim *sim;
  Event *events; int count, capacity;
  uint64_t hash, accesses, fault_calls;
  TraceTally *tallies; int tally_count;
  LsErr err;
} Rig;

// The start of a module, and the registers of a kernel: %p, %rs, %r, %f, %rd, %fd.
extern const char rig_head[], rig_registers[];

void rig_init(Rig *rig, const char *text);
// A kernel k with `params`, module-scope declarations, and a body behind the registers and a prologue: %rd1 is the
// first parameter, %r1 the thread of the block, %rd3 the address of the thread's word behind %rd1.
void rig_kernel(Rig *rig, const char *params, const char *outside, const char *body);
void rig_free(Rig *rig);
void rig_size(Rig *rig, const char *grid, const char *block);
void rig_arg(Rig *rig, const char *text);
// Makes the emulator of kernel k; false and rig->err when it refuses.
bool rig_make(Rig *rig);
// Makes and runs it; anything that goes wrong fails the test.
void rig_run(Rig *rig);
// The words of a buffer after the run; zeros when there is none.
const uint32_t *rig_words(Rig *rig, int arg);
// The first fault of a kind, or NULL; how many there are of all kinds.
const TraceFault *rig_fault(Rig *rig, FaultKind kind);
int rig_faults(Rig *rig);
// Runs a kernel of one block that has the output as its only parameter, and leaves the rig to look at.
void run_simple(Rig *rig, const char *outside, const char *body, int threads, int words);
// Whether some store was made by exactly these lanes.
bool saw_mask(const Rig *rig, uint32_t mask);
// Runs a kernel of one block that must end with a fault of a kind, of which `words` are said.
void expect_fault(FaultKind kind, const char *outside, const char *body, int threads, const char *words,
                  SimSched sched);

#endif
