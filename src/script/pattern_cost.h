// pattern_cost.h: how long a match may take at worst.
//
// Every repetition in a pattern can try each place of the subject, so the worst case is a power of the subject's
// length.
#ifndef LS_SCRIPT_PATTERN_COST_H
#define LS_SCRIPT_PATTERN_COST_H

#include <stdbool.h>
#include <stddef.h>

// Steps that string.find and its like take at most, each a few nanoseconds. anchors: a ^ in front ties the match to one
// place.
double pattern_cost(const char *pattern, size_t length, const char *subject, size_t size, bool anchors);
// The same for a search without a pattern.
double plain_cost(size_t length, size_t size);

#endif
