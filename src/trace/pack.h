// pack.h: a number of each of 32 lanes in few bytes.
#ifndef LS_TRACE_PACK_H
#define LS_TRACE_PACK_H

#include "trace/bytes.h"

// Puts the low `width` bytes, 1 to 8, of (value - less) >> shift of each lane.
void trace_pack(TraceBytes *out, const uint64_t value[32], uint64_t less, int shift, int width);
bool trace_are_shifted(const uint64_t value[32], const uint64_t from[32], uint64_t by);
bool trace_are_in_steps(const uint64_t value[32], uint64_t step);     // from each lane to the next one
uint64_t trace_lowest(const uint64_t value[32]);
uint64_t trace_narrow(uint32_t *restrict to, const uint64_t from[32]);   // returns the bits that are lost
bool trace_are_same(const uint32_t value[32]);
// Puts the low `bits`, 1 to 32, of (value - less) >> shift of each lane, as format.h says: 4 * bits bytes.
void trace_pack_bits(TraceBytes *out, const uint64_t value[32], uint64_t less, int shift, int bits);
void trace_unpack_bits(const uint8_t *in, uint64_t value[32], uint64_t less, int shift, int bits);
// The bits in which differences of lanes differ; *all: those that are set in any.
uint64_t trace_bits_apart(const uint64_t value[32], uint64_t less, uint64_t *all);
uint64_t trace_bits_above(const uint64_t value[32], uint64_t less);   // set in the difference of any lane

#endif
