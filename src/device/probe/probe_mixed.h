// probe_mixed.h: what lanes that run together have in common in a register, whatever way they came.
//
// A register that is written in several places, or in a loop, has what the last of them left. Lanes that are together
// have it from the same place and the same round, unless they parted on the way there and it was written before they met:
//
//   mov.u32 %r1, 0;
//   $loop: ld.global.u32 %r2, [%rd1]; ... add.u32 %r1, %r1, 1; setp.ne.u32 %p1, %r2, 0; @%p1 bra $loop;
//   st.global.u32 [%rd2], %r1;      here %r1 is mixed, for lanes left the loop in different rounds; without this line
//                                   nobody reads it where they meet, and it is the same for all who are in the loop
#ifndef LS_DEVICE_PROBE_MIXED_H
#define LS_DEVICE_PROBE_MIXED_H

#include "device/probe/probe_impl.h"

// Of the entry's registers, a byte each. varies: not the same for all lanes that are together, as far as the code
// tells. mixed: lanes may have it from different places or rounds.
typedef struct ProbeMixed { uint8_t *varies, *mixed; } ProbeMixed;

ProbeMixed probe_find_mixed(const Probe *probe, LsArena *arena);

#endif
