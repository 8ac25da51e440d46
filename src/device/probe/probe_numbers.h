// probe_numbers.h: which numbers the records of a site have, and what of them is known without being told.
//
// A record may have an array of numbers, one of each lane, or three: the addresses of an access, of an atomic besides
// its operands and old values, of an operation between lanes its members, values and results (probe_emit.c).
#ifndef LS_DEVICE_PROBE_NUMBERS_H
#define LS_DEVICE_PROBE_NUMBERS_H

#include "device/probe/probe_impl.h"

typedef enum ProbeKind {
  NUMBERS_WIDE,          // 64 bits; probably even, see PROBE_EVEN
  NUMBERS_NARROW,        // 32 bits; they may be anything
  NUMBERS_ONE,           // 32 bits; probably the same for all lanes
  NUMBERS_SHUFFLED,      // 32 bits; of a full warp whose lanes are all members they follow from the values: not told
  NUMBERS_NONE,          // the code says what they are: not told
} ProbeKind;

typedef struct ProbeNumbers {
  int count;                             // of arrays: 0, 1, 3
  bool asks;                             // a unit before them has the lanes that say yes
  uint8_t kind[PROBE_ARRAYS];            // ProbeKind
  uint64_t known[PROBE_ARRAYS];          // NONE: for all lanes
} ProbeNumbers;

ProbeNumbers probe_numbers(const Probe *probe, const ProbeSite *site);

// What is known of the addresses of an access: lane i of a full warp that begins with thread t is at of[t + i] - of[t]
// from lane 0, proven, or once the lanes were found to be as far from one another as by[] says (probe_affine.h).
bool probe_has_shape(const ProbeSite *site);
// The addresses of the lanes, from that of the first of them.
void probe_shape_addresses(const Probe *probe, const ProbeSite *site, uint32_t warp, uint32_t lanes, uint64_t first,
                           uint64_t to[32]);

#endif
