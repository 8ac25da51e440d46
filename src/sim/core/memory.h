// memory.h: global memory, and the address ranges of all spaces.
#ifndef LS_SIM_MEMORY_H
#define LS_SIM_MEMORY_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include "base/error.h"
#include "launch/launch.h"
#include "sim/core/program.h"
#include "trace/trace.h"

enum {
  SIM_PAGE = 4096, SIM_CACHE_LINE = 64,
  SIM_WORKSPACE_BYTES = 64,                 // of a cooperative launch; the word that blocks meet at is behind the first
  SIM_BARRIER_OFFSET = 4,
  SIM_TEXT_BYTES = 4096,
};

// A generic address says by its range which space it is in; global and const addresses are their own generic addresses.
#define SIM_WINDOW_BYTES (1ull << 32)
#define SIM_BELOW (1ull << 24)
#define SIM_PARAM_WINDOW 0x7b0000000000ull
#define SIM_CONST_BASE 0x7c0000000000ull
#define SIM_LOCAL_WINDOW 0x7d0000000000ull
#define SIM_SHARED_WINDOW 0x7e0000000000ull
#define SIM_GLOBAL_BASE 0x7f0000000000ull
#define SIM_HEAP_BASE 0x7fa000000000ull     // of malloc() in kernels
#define SIM_LAUNCH_BASE 0x7fb000000000ull   // of what the device runtime keeps for a kernel that launches others
#define SIM_IMAGE_BASE 0x7fc000000000ull    // textures and surfaces: no pointer reaches them; an image's handle is
                                            // its address

typedef struct SimAlloc {  // global or const memory
  uint64_t base, size;
  uint8_t *taken;          // what is freed: `bytes` begins at a cache line in it; NULL if the memory is the caller's
  uint8_t *bytes;
  uint8_t *init;           // per byte: was it written; NULL: all of it
  bool may_be_written;     // by the kernel, as far as its code tells
  bool is_only_added_to;   // or changed by XOR: all that the kernel does there, and it looks at nothing
  bool is_disjoint;        // each block uses places of its own, by accesses that know it: SimMem.disjoint
  _Atomic uint64_t *owners;   // eight words each: which thread may use them (ownership.c); NULL: any
  _Atomic uint8_t *line_owners;
  uint32_t *dirty;         // replay: per page, the checkpoint interval in which it was last saved
  struct TraceCover *cover;   // of results, while a run looks after that: check/coverage.h; NULL: none
  int cover_arg;           // the argument that it is of
  int number;              // its index among all
  int arg, var;            // launch argument or module variable, the other is -1
  const LaunchImage *image;// of a texture or surface; NULL: ordinary memory
  const LaunchArg *texels; // what they are
  bool is_const;
  bool in_place;           // bytes are the caller's (SimOptions.mappings)
  bool hidden;             // no pointer reaches it
} SimAlloc;

// The places of memory that one access may touch, once it is known to be inside them.
typedef struct SimSpan {
  uint8_t *bytes, *init;   // init NULL: nothing to check
  uint64_t base, size;     // address of bytes[0]
  uintptr_t origin;        // address a is at origin + a
  uint64_t stride;         // between lanes, for lane-private memory
  SimAlloc *alloc;         // global and const
} SimSpan;

// Global memory: one for all threads. A word that the kernel may write is claimed before it is used (ownership.c).
typedef struct SimMemory {
  SimAlloc *allocs; int alloc_count;       // in order of addresses
  int *arg_alloc, *var_alloc;              // argument, module variable -> allocation, -1
  SimAlloc *heap, *heap_records;           // of malloc() in the kernel (heap.h); NULL: it calls none, and none was kept
  uint64_t heap_size;                      // where the kernel calls none, there is as much of it as is taken
  SimAlloc *launch_params, *launches;      // of kernels by the kernel (launches.h); NULL: it launches none
  SimAlloc *texts;                         // that the device runtime gives out; NULL: none
  uint8_t owner_shift;                     // a claim is on 1 << owner_shift bytes
  bool is_touched;                         // it is not as at the launch, or its bytes are the caller's
  _Atomic bool is_new;                     // nobody has run: all is as sim_memory_new left it
} SimMemory;

// To be called before anything in it changes.
static inline void sim_memory_use(SimMemory *memory) {
  if (atomic_load_explicit(&memory->is_new, memory_order_relaxed))
    atomic_store_explicit(&memory->is_new, false, memory_order_relaxed);
}

bool sim_memory_new(SimProgram *program, SimMemory *memory, LsErr *err);   // lays out program's spaces as well
void sim_memory_reset(const SimProgram *program, SimMemory *memory);       // contents as at launch
void sim_memory_free(SimMemory *memory);
SimAlloc *sim_alloc_at(const SimMemory *memory, uint64_t addr);            // NULL if none holds it
TraceSpace sim_classify(uint64_t generic, uint64_t *addr);

// ---- objects.c -----------------------------------------------------------------------------------------------------
void sim_objects_new(SimProgram *program, const SimMemory *memory);        // names of what lies where

#endif
