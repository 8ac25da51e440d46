// group_hashes.h: what a GPU answered to every argument of a function, as sums of hashes
// (tests/unit/sim/vectors/approximations.hashes).
//
// The leading bits of an argument make a group: sign and exponent of an f32. A group's sum is over all its arguments of
// group_hash(argument << 32 | result), modulo 2^64. Of an f64, argument and result are the upper words; the lower word
// of the argument is zero.
#ifndef LS_TESTS_GROUP_HASHES_H
#define LS_TESTS_GROUP_HASHES_H

#include <stdbool.h>
#include <stdint.h>

enum { GROUP_HASHES_MOST = 4096, GROUP_HASHES_FORMS = 21 };

typedef struct GroupHashes {
  char name[32];   // the instruction: sin.approx.f32
  int bits;        // a group has 2^bits arguments
  int count;       // groups
  int width;       // bytes of an argument
  uint64_t sums[GROUP_HASHES_MOST];
} GroupHashes;

// The file's text, from the first form on; the caller frees *whole. NULL if it cannot be read.
const char *group_hashes_open(char **whole);
// Reads a form and moves on. False at the end, or at what is no form.
bool group_hashes_next(const char **at, GroupHashes *form);

uint64_t group_hash(uint64_t value);

#endif
