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
  unsigned long long pool;               // the first of these units that anybody may take
  unsigned long long own_chunks;         // warps, or lanes, that have one of their own before that: the first ones
  unsigned long long first_block, block_bits;   // the range of blocks that lanescope_probe_blocks has bits for
  unsigned long long cursors;            // ProbeCursor of each lane of the first warps, where functions are called
} ProbeContext;

typedef struct ProbeHead {
  unsigned long long units, lost;        // taken from the pool, or wanted; events that found no room
  unsigned long long root;               // %gridid + 1 of the grid that the host launched, where it launches others
} ProbeHead;

// Zero: not told. The first thread tells the start (as its complement, which is not zero) and the SM; warps bring the
// end to its maximum.
typedef struct ProbeBlock { unsigned long long before_start, end, sm; } ProbeBlock;   // sm: number + 1

// Records stand in chunks. A lane that is the first of those that run together, and so writes for all of them, has a
// chunk to itself: it knows its place there in registers, and asks nobody. Lane 0 of each of the first warps has one
// from the start, or where warps are few each lane; others, and those that are full, are taken from the pool with an
// atomic, each twice as large as the one before (probe_size_chunks).
//
//   records:  own_units for each of the first warps, or for each of their lanes | the pool: chunk after chunk
enum { PROBE_UNIT = 16, PROBE_NARROW_UNITS = 8, PROBE_LEAST_UNITS = 8, PROBE_MOST_UNITS = 512 };

// The first unit of a chunk. Warps of a block run on one SM, whose clock says which record is older.
typedef struct ProbeChunk {
  unsigned short units, warp;            // with this one; 0: it was taken, but not begun
  unsigned block;
  unsigned long long clock;              // before the first record
} ProbeChunk;

// Where a lane goes on to write while its registers are those of another function: units.
typedef struct ProbeCursor { unsigned at, end, chunk, unused; } ProbeCursor;

// The first unit of a record, and what follows: where a question is asked besides, a unit with the lanes that say yes;
// then arrays of 64-bit numbers, up to three, each from a unit on (probe_numbers.h has which, and which of them are
// narrow):
//
//   EVEN    ProbeRow: origin + stride * (lane % width) + step * (lane / width); width: so many lanes stand side by side
//           in the block, 16 at most (probe_line_bits). Rows of a tile have two bases and more
//   WORDS   the upper half of all numbers, in a unit, unless they are narrow: 0; then the lower half of each lane in
//           mask, in a row
//   LONGS   the number of each lane in mask, in a row
//   KNOWN   nothing: the code says what they are. Or the shape of the site is known: if all 32 lanes do it, active and
//           mask are the number of the first lane instead; else (PART) a unit has that
typedef struct ProbeRecord {
  unsigned code;                         // site + 1 << PROBE_SITE_SHIFT | form << PROBE_FORM_BITS * array; 0: no more
  unsigned clock;                        // its lower half
  unsigned active, mask;                 // lanes that run together; those that do it, or that say yes
} ProbeRecord;
typedef struct ProbeRow { unsigned long long origin; int stride, step; } ProbeRow;
enum { PROBE_ARRAYS = 3, PROBE_SITE_SHIFT = 6, PROBE_FORM_BITS = 2, PROBE_FORMS = 63 };
enum { PROBE_EVEN, PROBE_WORDS, PROBE_LONGS, PROBE_KNOWN, PROBE_PART, PROBE_PART_UNITS = 2 };
enum { PROBE_FORM_SHIFT = 16, PROBE_CODE_UNITS = 0xffff };   // what looks at arrays says: units | forms << SHIFT

// What it is told of them: log of the lanes side by side | NARROW and KNOWN of each | ASKS
enum { PROBE_LINE_BITS = 15, PROBE_IS_NARROW = 1 << 4, PROBE_IS_KNOWN = 1 << 8, PROBE_ASKS = 1 << 12 };

// An address that may be of any space says of which in its highest bits: TraceSpace.
enum { PROBE_SPACE_SHIFT = 60, PROBE_SPACES = 4 };   // spaces that are counted apart: global, shared, local, const

// Counters of an access, for each space that it may go to (one, or PROBE_SPACES of a generic one). Those of an access
// without a guard are only of what code on the device had to look at: the rest is known from its shape
// (probe_affine.h).
enum { PROBE_REQUESTS, PROBE_DOING, PROBE_FIRST, PROBE_SECOND, PROBE_SPACE_COUNTS };

// Counters of what lanes do in turns: a jump through a table, once for each target and once more for those whose guard
// fails: turns, the lanes that were still there in each, and how many turns part them. A call by address and an
// operation between lanes, once for each address or set of members: turns, and lanes that do it.
enum { PROBE_JUMPS, PROBE_JUMP_LANES, PROBE_JUMP_PARTS, PROBE_TURNS, PROBE_TURN_LANES, PROBE_TURN_COUNTS };

// What the functions that count an access are told of it: width | these | space << PROBE_COUNT_SPACE, where
// PROBE_SPACES is the space that the address says. DOING: lanes are counted, too. EACH: its segment has counted how
// often it is done and by how many lanes, so what follows from that is not.
enum { PROBE_COUNT_LOAD = 256, PROBE_COUNT_ATOM = 512, PROBE_COUNT_DOING = 1024, PROBE_COUNT_EACH = 2048,
       PROBE_COUNT_SPACE = 16 };

#endif
