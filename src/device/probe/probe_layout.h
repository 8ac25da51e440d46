// probe_layout.h: what an instrumented kernel and whoever reads its memory agree on. C, and CUDA C in probe.cu.
//
//   memory:  ProbeHead | variables | counters: copies of rows of 64-bit numbers | ProbeBlock of each block | records
//
// Counters have copies so that warps seldom add to the same place; their sums count.
#ifndef LS_DEVICE_PROBE_LAYOUT_H
#define LS_DEVICE_PROBE_LAYOUT_H

// The variable of the module: addresses of the parts of the memory, and how large they are.
typedef struct ProbeContext {
  unsigned long long head, variables, counters, blocks, records;
  unsigned long long record_units;       // room for records, in units
  unsigned long long first_block, block_bits;   // the range of blocks that lanescope_probe_blocks has bits for
} ProbeContext;

typedef struct ProbeHead {
  unsigned long long units, lost;        // reserved for records; events that found no room
  unsigned long long root;               // %gridid + 1 of the grid that the host launched, where it launches others
} ProbeHead;

// Zero: not told. The first thread tells the start (as its complement, which is not zero) and the SM; warps bring the end
// to its maximum.
typedef struct ProbeBlock { unsigned long long before_start, end, sm; } ProbeBlock;   // sm: number + 1

// A record: this, and then up to three arrays of 64-bit numbers. An array that is `base + stride * lane` for all lanes in
// mask is these two numbers in half a unit, others are 32 numbers; each begins a unit.
enum { PROBE_UNIT = 32, PROBE_ARRAYS = 3, PROBE_ARRAY_UNITS = 8 };
enum { PROBE_SHAPE_SHIFT = 16, PROBE_CODE_UNITS = 0xffff };   // units of a record, and above them a bit per array that is affine
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

// Counters of an access, for each space that it may go to (one, or PROBE_SPACES of a generic one). Those of an access
// without a guard are only of what code on the device had to look at: the rest is known from its shape (probe_affine.h).
enum { PROBE_REQUESTS, PROBE_DOING, PROBE_FIRST, PROBE_SECOND, PROBE_SPACE_COUNTS };

// Counters of what lanes do in turns: a jump through a table, once for each target and once more for those whose guard
// fails: turns, the lanes that were still there in each, and how many turns part them. A call by address and an operation
// between lanes, once for each address or set of members: turns, and lanes that do it.
enum { PROBE_JUMPS, PROBE_JUMP_LANES, PROBE_JUMP_PARTS, PROBE_TURNS, PROBE_TURN_LANES, PROBE_TURN_COUNTS };

// What the functions that count an access are told of it: width | these | space << PROBE_COUNT_SPACE, where PROBE_SPACES is
// the space that the address says. DOING: lanes are counted, too.
enum { PROBE_COUNT_LOAD = 256, PROBE_COUNT_ATOM = 512, PROBE_COUNT_DOING = 1024, PROBE_COUNT_SPACE = 16 };

#endif
