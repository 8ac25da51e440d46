// program.h: a launch made ready: its decoded code, and where everything lies.
#ifndef LS_SIM_PROGRAM_H
#define LS_SIM_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/mem.h"
#include "launch/launch.h"
#include "ptx/cfg.h"
#include "ptx/module.h"
#include "sim/core/inst.h"
#include "sim/sim.h"
#include "trace/trace.h"

enum {
  SIM_STACK_BYTES = 16384,                  // of local memory for frames of recursive functions
};

typedef struct SimFunc {   // what is known of a reachable function
  bool reached, recursive;
  bool levels;             // its lanes may miss each other behind it: sim_sched_level
  bool apart;              // its lanes part for good: ptx_parts_for_good, unless a stack brings them together
  uint32_t *slots;         // of its registers
  uint32_t first_slot, slot_bytes;   // the range they lie in
  uint32_t param_first, param_bytes; // its formal parameters and results in the lanes' param storage
  uint32_t frame_bytes;    // local variables, if recursive
  int first_reg;           // number of its first register among those of all reached functions
} SimFunc;

// An array, as far as accesses are known to be meant for it (extents.c).
typedef struct SimExtent {
  uint64_t first, size;    // as addresses of its space
  const char *name;        // of a local array; others have a TraceObject
  int local_of;            // the depot variable that a local array is in, -1
  uint8_t space, type;     // TraceSpace; LaunchType of an element of a local array
} SimExtent;

// Of a register of the kernel: how many instructions write it, up to 2, and the last of them; whether it has the same
// value in every block, and that in all lanes; whether it is the same in all lanes of a warp that has not parted.
typedef struct SimRegFact { int32_t writer; uint8_t writers; bool steady, uniform, alike; } SimRegFact;

typedef struct SimClear { uint32_t at, size; } SimClear;   // bytes of a register file

// A launch made ready: the module, the kernel's decoded code, and where everything lies. Whoever prepares it writes it;
// once it is ready it is const, and all threads share it.
typedef struct SimProgram {
  const PtxModule *module;
  const Launch *launch;
  SimOptions options;                      // as given; what changes on the way stands in SimExec
  int entry;
  LsArena *arena;
  bool is_layout;                          // another device runs it: memory has no bytes

  // code
  SimInst *code;
  SimSums **sums;                          // per pc: operands that are sums, NULL: none
  SimFunc *funcs;
  PtxCfg **cfgs;
  const SimWatch **watches;                // per pc: what to look at there, NULL: nothing (analysis/unset.c)
  int watched_count; uint32_t watch_slot;  // registers that are watched; place of their bits: set, a word for each
  bool has_calls, has_recursion, has_fences;
  bool has_apart, has_levels;   // some function is, or has: see SimFunc
  bool has_heads;                          // some instruction heads a loop
  bool order_free;                         // nothing but a race shows in which order warps run
  bool syncs_grid;                         // it waits for the whole grid: grid.sync()
  bool cooperative;                        // its launch is cooperative: it may
  uint8_t *own_code;                       // per pc: is its line one of the kernel's own file? NULL: there are no calls
  int32_t *own_before;                     // per pc: the last pc up to it, in its function, that is; -1
  uint8_t *to_line;                        // per pc: instructions up to the next line of the source, 0: it begins one,
                                           // or is far
  uint32_t clear_bytes, file_bytes;        // register file of a warp: registers, which a block changes; whole
  SimClear *clears; int clear_count;       // of the registers: what has to be zero when a block begins
  const uint64_t *early;                   // a bit per register of the kernel: it may be used before it is set; NULL:
                                           // not known
  int dot_count;                           // sums of products with a plan: SimDot.number is below this
  int chain_count;                         // sums of chosen words
  uint32_t kin_count;                      // kinds of twins: SimMem.kin is up to this
  SimRegFact *reg_facts;                   // per register of the kernel; NULL: not known
  int32_t *steady; int steady_count;       // instructions whose results no block changes, each behind those it needs
  struct SimSlots *slots;

  // names and places
  TraceObject *objects; int object_count, object_capacity;  // names in the arena
  const char **param_names; int *arg_param;                 // source names of parameters; parameter of each argument
  int *arg_var;                            // module variable that an argument is bound to (.texref, .surfref) or is the
                                           // contents
                                           // of (LAUNCH_VARIABLE), -1
  uint64_t *var_addr;                      // address of each variable in its space
  SimExtent *extents; int extent_count;
  int32_t **reg_extents; int *var_extents; // extent + 1 of a register of a function, if it is that and nothing else
  uint8_t *params; uint64_t param_bytes;
  void (*texts)(uint8_t *bytes, size_t size);   // fills what the device runtime gives out: see ops/call.h
  uint64_t workspace;                      // address of what a cooperative launch gets from the driver

  // what a block has, and how many there can be
  int warp_count; uint32_t thread_count;
  uint64_t shared_bytes, static_shared;
  uint64_t local_bytes, stack_first;       // per thread
  uint64_t lane_param_bytes;               // per thread: .param of functions
  uint64_t resident;                       // blocks that can be there at the same time
  bool shares;                             // there are other blocks, and the code can wait for them
  bool straight;                           // nobody waits in it, nor goes round for ever: see sim_wait_is_possible
} SimProgram;

void sim_program_init(SimProgram *program, const PtxModule *module, int entry, const Launch *launch,
                      const SimOptions *options);
void sim_program_fini(SimProgram *program);
bool sim_program_check(SimProgram *program, LsErr *err);   // entry and geometry; sets warp_count and thread_count
uint64_t sim_block_cost(const SimProgram *program);        // what starting a block counts against the budget

// ---- spaces.c ------------------------------------------------------------------------------------------------------
bool sim_spaces_new(SimProgram *program, LsErr *err);      // sizes of shared, local, parameters; places of variables
bool sim_var_is_used(const SimProgram *program, const PtxVar *var);   // can its function run?
uint64_t sim_var_generic(const SimProgram *program, int var);         // generic address of a variable
bool sim_is_image_var(const PtxVar *var);                  // .texref, .surfref

#endif
