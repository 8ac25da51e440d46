// probe_layout.h: what an instrumented kernel and whoever reads its memory agree on. C, and CUDA C in probe.cu.
//
//   memory:  ProbeHead | variables | counters: copies of rows of 64-bit numbers | ProbeBlock of each block | records
//
// Counters have copies so that warps seldom add to the same place; their sums count.
#ifndef LS_DEVICE_PROBE_LAYOUT_H
#define LS_DEVICE_PROBE_LAYOUT_H

typedef enum ProbeRecording { PROBE_RECORD_NONE, PROBE_RECORD_ALL, PROBE_RECORD_SOME } ProbeRecording;

// The variable of the module: addresses of the parts of the memory, and how large they are.
typedef struct ProbeContext {
  unsigned long long head, variables, counters, blocks, records;
  unsigned long long record_units;       // room for records, in units
  unsigned long long timed_blocks;       // those that a ProbeBlock is there for: the first ones
  unsigned long long first_block, block_bits;   // PROBE_RECORD_SOME: the range that lanescope_probe_blocks has bits for
  unsigned row_bytes, copy_mask;         // of a copy of the counters; their number, a power of two, minus one
  unsigned record;                       // ProbeRecording
} ProbeContext;

typedef struct ProbeHead { unsigned long long units, lost; } ProbeHead;   // reserved for records; events that found no room

// Zero: not told. Warps of a block bring each to its maximum, so the start is kept as its complement.
typedef struct ProbeBlock { unsigned long long before_start, end, sm; } ProbeBlock;   // sm: number + 1

// A record: this, and then up to three arrays of 64-bit numbers. An array that is `base + stride * lane` for all lanes in
// mask is these two numbers in half a unit, others are 32 numbers; each begins a unit.
enum { PROBE_UNIT = 32, PROBE_ARRAYS = 3, PROBE_ARRAY_UNITS = 8 };
typedef struct ProbeRecord {
  unsigned site;                         // index of the site + 1; 0: reserved, but never written
  unsigned shape;                        // number of arrays << 8 | bit per array that is affine
  unsigned block, warp;
  unsigned active, mask;                 // lanes that run together; those of them that do it
  unsigned yes;                          // lanes for which whatever the site asks holds
  unsigned unused;
} ProbeRecord;

// An address that may be of any space says of which in its highest bits: TraceSpace.
enum { PROBE_SPACE_SHIFT = 60, PROBE_SPACES = 4 };   // spaces that are counted apart: global, shared, local, const

// Counters of an access: executions by all lanes on consecutive places, and on one place; then for each space that it may
// go to (one, or PROBE_SPACES of a generic one) these four.
enum { PROBE_CONSECUTIVE, PROBE_UNIFORM, PROBE_COUNTS };
enum { PROBE_REQUESTS, PROBE_DOING, PROBE_FIRST, PROBE_SECOND, PROBE_SPACE_COUNTS };

// Counters of what lanes do in turns: a jump through a table, once for each target and once more for those whose guard
// fails: turns, the lanes that were still there in each, and how many turns part them. A call by address and an operation
// between lanes, once for each address or set of members: turns, and lanes that do it.
enum { PROBE_JUMPS, PROBE_JUMP_LANES, PROBE_JUMP_PARTS, PROBE_TURNS, PROBE_TURN_LANES, PROBE_TURN_COUNTS };

// How lanescope_probe_count is told what it counts: width | space << 8 | what << 16; space PROBE_SPACES: by the address.
typedef enum ProbeAccess { PROBE_LOAD, PROBE_STORE, PROBE_ATOM } ProbeAccess;

#endif
