// format.h: the file format of traces, version 1.12. This comment is the specification; the rest is its constants.
//
// Numbers are little-endian. "varint" is an unsigned number in groups of 7 bits, lowest first, the top bit set in all
// bytes but the last (at most 10 bytes); "svarint" is a signed number as varint after zigzag (0, -1, 1, -2, ... become
// 0, 1, 2, 3, ...). "text" is a varint n and n bytes (UTF-8); n counts one more than the length, 0 stands for "no
// text".
//
//   file     = header INFO EVTS* [CNTS] [TIME] [PRNT] [COVR] [STOP] [MEAS] [PROG LNCH*] ENDS footer
//                                                   a file that ends anywhere after INFO is readable: every section is
//                                                   written as a whole, and EVTS is decoded without any other
//   header   = 89 'L' 'S' 'T' 0d 0a 1a 0a, u16 major, u16 minor, u32 zero
//   section  = tag (4 bytes), u32 count, u64 stored, u64 raw, u64 FNV-1a of the 24 bytes before;
//              then `stored` bytes: one zstd frame with content checksum that holds `raw` bytes
//   footer   = u64 offset of ENDS, u64 FNV-1a of these 8 bytes, 89 'L' 'S' 'E' 0d 0a 1a 0a
//
// A reader refuses another major version. A minor version may add sections between EVTS and ENDS (skipped if
// unknown) and
// fields at the end of INFO, MEAS and ENDS (ignored if unknown); 1.1 added CNTS, TIME and MEAS, 1.2
// the images of INFO, 1.3 PRNT, 1.4 the profile of INFO, 1.5 its structs and variables, 1.6 the order of warps, 1.7
// events
// of the kind NOTE and faults that are warnings or notes (by their kinds), and buffers of programs, 1.8 COVR,
// 1.9 PROG and LNCH, 1.10 the stamped run of MEAS, the device heap in INFO and launches by kernels in PROG,
// 1.11 values of shuffles and votes that follow from others, in EVTS: a reader from before refuses a chunk with such,
// 1.12 old values of atomics that follow from atomics before, and addresses in few bits, in EVTS, refused the same way.
// STOP
// came after 1.4 and left the number as it is: the header is written before anybody knows whether the run goes to its
// end, and every 1.x passes over the section. All sizes are checked against the limits below, and `raw` against what
// zstd can make of `stored` bytes, before memory is allocated.
//
//   INFO (count 0): TraceInfo and its Launch in the order of their fields; see info.c. Since 1.2 then the images
// among the
//     arguments: varint count; each: varint argument, u8 kind, u8 channels, u8 1 layered | 2 linear | 4 normalized |
//     8 as_float | 16 cube (since 1.8), 3 u8 address modes, u8 numbers, these as varints (width, height, depth,
//     layers or faces as far as there are any).
//     Since 1.4 then text: the profile as lines of "name=value", where no table has it
//     Since 1.5 then the arguments that are more than a number or a buffer: varint count; each: varint argument, u8
// 0 parameter |
//     1 variable of the module | 2 what a pointer in another argument points at, u8 1 if it is a struct by value,
// varint that other
//     argument, varint place of the pointer in it
//     Since 1.7 the role may be 3, a buffer of a program; the u8 behind it is a sum of 1 (a struct), 2 (the address
// of such a
//     buffer, that other argument, and as many bytes into it), 4 (not all of its bytes were written: behind the
// place a blob with
//     a byte each, 0 where nobody did)
//     The last of them may be the number of arguments: behind it only u8 1, the launch is not cooperative, or 2, it is
//     Since 1.6 then text: in which order the emulator's warps ran ("turns", "whole"); the INFO of a runner's
// protocol has it not,
//     nor what follows: since 1.10 a blob, the device heap as the launch finds it, if somebody has taken anything of it
//     (sim/core/heap_kept.c)
//
//   EVTS (count: its events, 1 .. 16384): a chunk
//     summary                          also in ENDS, so that searching can pass over chunks
//       varint kinds; varint events of each kind; varint diverging branches
//       u64 warps (bit w % 64); svarint lowest and highest pc; 16 u64 (bit pc % 1024); varint lowest and highest block
//     varint spans; each: varint block, varint events, u8 1 if the block begins here, 0 if it goes on from before
//     varint warps; each: its state before the chunk (TraceWarp). 0 warps if the first span begins a block
//       varint live, active, waiting; svarint pc; u8 barrier_id; varint events; varint steps since last_step (0: never)
//       u32 lanes whose lane_pc is not pc; svarint lane_pc - pc of each of these
//     9 columns; each: varint bytes, then the bytes. In the order of the enum below
//
//   Events are differences to what a predictor expects (predict.h); it starts empty in every chunk and learns from
//   each event, in the writer and in the reader alike. One byte per event in TRACE_COL_CONTROL says what differs:
//
//     TRACE_DIFF_WARP     varint in COL_WARP.            Expected: the warp of the event before (0 at first)
//     TRACE_DIFF_PC       svarint in COL_PC: pc - expected. Expected: what last followed the pc before, of this warp
//     TRACE_DIFF_ACTIVE   u32 in COL_MASK.               Expected: that of the event before, of this warp
//     TRACE_DIFF_MASK     u32 in COL_MASK.               Expected: active
//     TRACE_DIFF_STATIC   record in COL_STATIC.          Expected: as last time at this pc
//                         u8 kind, space, width, present (TRACE_HAS_*), barrier_id; varint expected;
//                         svarint target - pc, reconverge - pc
//     TRACE_DIFF_FLAGS    u8 in COL_FLAGS.               Expected: as last time at this pc
//     TRACE_DIFF_PAYLOAD  by kind, see below
//
//   Then, by what the kind uses (trace_kind_uses):
//     addresses (if TRACE_HAS_ADDR and mask is not 0). Expected: last[lane] + delta, of this pc and warp, for all
// lanes.
//       PAYLOAD: in COL_ADDR u8 0: svarint change of delta; 1: affine: svarint base - last[0], svarint stride;
//       2: svarint lowest address - last[first lane in mask], u8 shift, u8 bytes per lane (1 .. 8), then that many
// bytes
//       of (addr - lowest) >> shift for each lane in mask.
//       Since 1.12, of all 32 lanes: 3: numbers of the frame that was last told at this pc; 4: svarint base - its base
//       (0 at first), u8 shift, u8 bits (1 .. 32): a frame, then its numbers. addr is base + (number << shift).
//       Of each 8 bits of the numbers, from the lowest on, a byte for each lane; then of the other bits, if there are
//       so many, 4, 2 and 1 of each lane: 16 bytes with lanes i and i + 16 in byte i, lower lanes in lower bits; 8 bytes
//       with lanes i, i + 8, i + 16 and i + 24; a u32 with a bit of each lane
//     taken, members: a byte `aux` says how they follow from the masks. Expected: as last time at this pc.
//       PAYLOAD: u8 in COL_AUX. Low nibble: taken is 0: 0; 1: mask; 2: u32 in COL_MASK. High nibble: members is
//       0: active; 1: all ones; 2: mask; 3: u32 in COL_MASK
//     arrived. Expected: one more than at the last arrival at this barrier. PAYLOAD: varint in COL_AUX
//     fault: varint in COL_AUX, always
//     source (if TRACE_HAS_SOURCE): in COL_LANES u8 0: as last time at this pc; 1: 32 bytes
//     value, result (if TRACE_HAS_VALUE, TRACE_HAS_RESULT): in COL_LANES u8 0: affine: svarint of lane 0, svarint
// stride;
//       else 1, 2, 4 or 8: that many bytes for each lane in mask. Since 1.11 also:
//       value of an exchange: a shuffle of all 32 lanes with source, value and result. It is made of the low 32 bits of
//       those of the warp's last exchange in this block and chunk, as exchange.h says. u8 16: in the way, and by the
//       lanes, of the last time at this pc; 17: u8 way, u32 lanes that took part
//       result of an exchange: u8 16: of each lane the value of its source
//       result of a vote: u8 16: in each lane in mask what is taken
//       Since 1.12, of an atomic of width 4 with addresses, value and result, and some lanes:
//       value: u8 16: the lane 0 and stride that were last stored at this pc (0 and 0 at first)
//       result: as atoms.h says of the table of this chunk. u8 16: in the way of the last time at this pc; 17: u8 way,
//       u32 lanes whose old values are stored, and these as above, if there are any. Other forms leave the table alone
//
//   Fields that a kind does not use are not kept: they read back as 0, target, reconverge and fault as -1, arrays as
// NULL.
//
//   What a real device measured, each section only if there is such:
//   CNTS (count: its rows), TraceCount each
//     svarint pc - pc of the row before (0 at first); u8 kind, space, flags; varint warps, lanes, requests, doing,
// sectors,
//     bytes, wavefronts, conflicts, diverging, queued
//   TIME (count: its blocks), TraceBlockTime each, by start, then by block
//     4 columns; each: varint bytes, then the bytes: a number per block, as difference to the block before (0 at first)
//       varint start - start; svarint (end - start) - (end - start); varint sm, no difference; svarint block - block
//   MEAS (count 0): TraceMeasure: text date, driver; then its numbers in their order, varint each; since 1.10
//     then varint nanoseconds of the run that the blocks' times are of, 0: the instrumented one
//
//   PRNT (count: its pieces, at most 131072), only if the kernel printed something: a TracePrint each
//     varint block, thread in it, number of the event in it + 1 (0: not known); text
//
//   COVR (count: its buffers, at most 65536), only if it is known: TraceCoverage each, varints in the order of its
//     fields; behind known_twice only if that is 1: written_twice; and if that is not 0: first_twice, block and
// thread of
//     the one, block and thread of the other, svarint pc
//
//   STOP (count 0), only if somebody stopped the run before its end
//     varint blocks of the grid that had ended by then, at most all; what follows is ignored
//
//   PROG (count: the launch that the file is a trace of, from 1), only of a program of several launches: its steps, and
//     what was found of the whole; see app/run/program_saved.c
//   LNCH (count: which launch it is; ascending, and none is the one above): another launch of that program, stored as
//     it is (raw is stored): a file of its own, with header and footer, whose first section is INFD instead of INFO:
// the
//     same content, compressed with that of another launch as its prefix (ZSTD_CCtx_refPrefix): of the n-th LNCH, from
//     1, it is that of the one n & (n - 1), the INFO of the whole file being 0. It has neither PROG nor LNCH
//
//   ENDS (count: chunks)
//     varint steps; per chunk: varint size of its section with header, varint events, summary
//     varint blocks; each: varint block, varint events
//     varint faults; varint tallies; see info.c. Then, if warps lack lanes: varint absent of each tally
#ifndef LS_TRACE_FORMAT_H
#define LS_TRACE_FORMAT_H

#include <stdint.h>
#include "trace/trace.h"

#define TRACE_MAGIC "\x89LST\r\n\x1a\n"
#define TRACE_END_MAGIC "\x89LSE\r\n\x1a\n"

enum {
  TRACE_MAJOR = 1, TRACE_MINOR = 12,
  TRACE_HEADER_BYTES = 16, TRACE_SECTION_BYTES = 32, TRACE_FOOTER_BYTES = 24,
  TRACE_CHUNK_EVENTS = 16384,         // a chunk ends here,
  TRACE_CHUNK_BYTES = 2 << 20,        // or once its columns of addresses and values have so many bytes
  TRACE_CHUNK_LIMIT = 8 << 20,        // raw bytes of a chunk, at most
  TRACE_MAX_WARPS = 32,               // of a block
  TRACE_PC_BITS = 1024,               // of a summary
};
#define TRACE_SECTION_LIMIT (8ull << 30)    // raw bytes of INFO and ENDS, at most
#define TRACE_MEASURED_LIMIT (1ull << 30)   // raw bytes of CNTS, TIME, PRNT, COVR, STOP and MEAS, at most
#define TRACE_ZSTD_RATIO 40000ull           // zstd packs at most 128 KiB into 4 bytes

enum {
  TRACE_COL_CONTROL, TRACE_COL_WARP, TRACE_COL_PC, TRACE_COL_MASK, TRACE_COL_STATIC, TRACE_COL_FLAGS, TRACE_COL_AUX,
  TRACE_COL_ADDR, TRACE_COL_LANES, TRACE_COL_COUNT
};

enum {
  TRACE_DIFF_WARP = 1, TRACE_DIFF_PC = 2, TRACE_DIFF_ACTIVE = 4, TRACE_DIFF_MASK = 8, TRACE_DIFF_STATIC = 16,
  TRACE_DIFF_FLAGS = 32, TRACE_DIFF_PAYLOAD = 64
};

enum { TRACE_HAS_ADDR = 1, TRACE_HAS_SOURCE = 2, TRACE_HAS_VALUE = 4, TRACE_HAS_RESULT = 8 };
enum { TRACE_ADDR_SHIFT, TRACE_ADDR_AFFINE, TRACE_ADDR_LIST, TRACE_ADDR_FRAMED, TRACE_ADDR_FRAME };
enum { TRACE_LANES_AFFINE = 0, TRACE_LANES_FOLLOW = 16, TRACE_LANES_MADE = 17 };
enum { TRACE_TAKEN_NONE, TRACE_TAKEN_MASK, TRACE_TAKEN_WORD };
enum { TRACE_MEMBERS_ACTIVE, TRACE_MEMBERS_FULL, TRACE_MEMBERS_MASK, TRACE_MEMBERS_WORD };

// What fields the events of a kind use, beside those that all have.
enum {
  TRACE_USES_ADDR = 1, TRACE_USES_TAKEN = 2, TRACE_USES_TARGET = 4, TRACE_USES_RECONVERGE = 8, TRACE_USES_BARRIER = 16,
  TRACE_USES_MEMBERS = 32, TRACE_USES_SOURCE = 64, TRACE_USES_VALUE = 128, TRACE_USES_RESULT = 256, TRACE_USES_FAULT =
      512
};
extern const uint16_t trace_kind_uses[TRACE_KIND_COUNT];

typedef struct TraceSummary {
  uint32_t kinds[TRACE_KIND_COUNT];   // events of each kind
  uint32_t diverging;
  uint64_t warps;
  int32_t pc_first, pc_last;
  uint64_t pcs[TRACE_PC_BITS / 64];
  uint32_t block_first, block_last;
} TraceSummary;

#endif
