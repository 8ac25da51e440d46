// pack.h: a number of each of 32 lanes in few bytes.
#ifndef LS_TRACE_PACK_H
#define LS_TRACE_PACK_H

#include "trace/bytes.h"

// Puts the low `width` bytes, 1 to 8, of (value - less) >> shift of each lane.
void trace_pack(TraceBytes *out, const uint64_t value[32], uint64_t less, int shift, int width);
bool trace_are_shifted(const uint64_t value[32], const uint64_t from[32], uint64_t by);
bool trace_are_in_steps(const uint64_t value[32], uint64_t step);     // from each lane to the next one
uint64_t trace_lowest(const uint64_t value[32]);
uint64_t trace_bits_above(const uint64_t value[32], uint64_t less);   // set in the difference of any lane

#endif
