// shape.h: what the accesses of one instruction have had in common, learnt from one and held against the next.
//
// Most loads and stores ask for the same places again, moved as a whole: the addresses of all lanes differ from those
// of the first lane as they did before. Where one comparison of 32 addresses shows that, the rest is known: whether all
// lanes are inside their piece of memory, whether they are aligned, how the bytes are moved, and what is counted, which
// only depends on where the first lane's address lies within 32 bytes (ops/shape_access.c).
#ifndef LS_SIM_SHAPE_H
#define LS_SIM_SHAPE_H

#include <stdbool.h>
#include <stdint.h>
#include "sim/alu/lanes.h"
#include "sim/core/memory.h"
#include "sim/core/regs.h"
#include "trace/trace.h"

enum { SIM_SHAPE_WAYS = 4 };
// Who looks at accesses (SimExec.looks). ALWAYS: there is more to know for moving the bytes.
enum { SIM_LOOKS_ALWAYS = 1, SIM_LOOKS_CHECKS = 2, SIM_LOOKS_CLAIMS = 4, SIM_LOOKS_TOLD = 8 };

// What its checks ask of one that is found (check/quick.h).
typedef enum SimJudge {
  SIM_JUDGE_SLOWLY,           // all that is asked of accesses of no known shape
  SIM_JUDGE_QUICKLY,          // of all lanes at once
  SIM_JUDGE_READ,             // the same of shared memory: mostly to remember it is enough
  SIM_JUDGE_NOTHING,          // it reads what the kernel never writes
} SimJudge;

// A read of shared memory by all lanes that is to be noted (check/shadow_late.c). how: the words from the first lane's
// to that of the upper half's first << 1, and whether each half reads 16 in a row; else it reads one.
typedef struct SimLateRead { uint32_t word, how; int32_t pc; } SimLateRead;
#define SIM_LATE_ROWS 1u

typedef struct SimShape {
  SimLike like;
  SimFind find;               // of its addresses
  SimFind find_lean;          // the same before they are made, where they may be left out of lines
  SimMove move;               // of one element; NULL: an element is no word as a register is
  uint32_t data;              // slot of the first element
  bool is_plain;              // one element, and none has storage of its own: nothing else to know for moving it
  bool is_own;                // one element, of storage of each lane's own
  bool is_store, generic;
  bool is_claimed;            // other threads may want the same words (ownership.c)
  uint8_t judge;              // SimJudge
  uint8_t cares;              // SIM_LOOKS_ bits: who is to be asked before its bytes are moved
  uint8_t form;               // SimForm of its places
  bool is_told;               // some of its times were told already
  uint8_t space;              // TraceSpace
  uint32_t number;            // TraceEvent.shape
  uint64_t row;               // number of its distances: twins' shapes with the same one are equally far apart; 0: none
  uint32_t kin;               // SimMem.kin
  uint64_t shift;             // address in its space = address - shift (generic addresses); a multiple of SIM_LIKE_UNIT
  _Alignas(64) uint64_t places[SIM_LANES];   // as like.apart, of bytes in the emulator's memory: others if lanes have
                                             // storage of their own
  uint32_t late_how;          // SimLateRead.how
  TraceAct act;               // one of it, but for where it is
  SimFit fit;
  SimSpan span;               // lanes with storage of their own: of warp 0
} SimShape;

// The shapes of one instruction, the last one first, and what was not told of it yet. Who keeps being a stranger is not
// looked at for a while.
typedef struct SimShapes {
  SimShape *ways[SIM_SHAPE_WAYS];
  uint64_t times;             // events that have no address and all count the same
  uint64_t partings;          // of a branch at which the lanes in `taken` parted from the others of a whole warp
  uint32_t taken;
  uint8_t count, patience;
  uint16_t skip;              // accesses still to be passed over
  bool is_listed;             // in SimExec.sums
} SimShapes;

#endif
