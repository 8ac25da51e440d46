// bank.h: shared memory banks: in how many wavefronts the access of a warp is served, and why.
//
//   byte    0..3  4..7  ...  124..127      bank = (byte / 4) mod 32
//   bank     0     1          31           in one wavefront a bank gives one word, to all lanes that want it
//
// Lanes go in passes: 32 at once for accesses up to 4 bytes, 16 for 8 bytes, 8 for 16 bytes. A pass takes as many
// wavefronts as the busiest bank has distinct words; a pass in which no lane is active costs nothing. The least
// possible ("ideal") is one wavefront per pass that has a lane; the rest are conflicts.
//
// Two neighboring passes of a wide load are one if every active lane i agrees with lane i^1 (or all do with i^2): the
// partner is not active, or wants the same address. Stores never merge. All this is as Nsight Compute counts on an
// H200 (tests/unit/model/hardware/h200-patterns.csv).
#ifndef LS_MODEL_BANK_H
#define LS_MODEL_BANK_H

#include "trace/trace.h"

typedef enum BankMode {
  BANK_32X4,               // 32 banks of 4 bytes (Fermi and later)
  BANK_KEPLER_8,           // 32 banks of 8 bytes: the wide mode of Kepler, twice the lanes per pass
  BANK_16_HALF,            // 16 banks of 4 bytes, half a warp per pass (compute capability 1.x)
} BankMode;

enum { BANK_MOST_WORDS = 32 * 9 };                      // 32 lanes with up to 32 bytes each, at any address

typedef struct BankWave { uint32_t lanes; } BankWave;    // lanes that have all they want after this wavefront
// One word of one pass: its number from the start of shared memory, the lanes that want it, and the wavefront that
// brings it, from 0. A bank gives its words in the order in which lanes first want them.
typedef struct BankWord { uint64_t word; uint32_t lanes; int wave; } BankWord;
typedef struct Banking {
  int bank_count;              // 32 or 16
  int word_bytes;              // 4 or 8
  int pass_lanes;              // lanes of a pass, unless two of them merge
  uint32_t passes[8]; int pass_count;   // lanes of each pass that has any
  int wavefronts, ideal, conflicts;
  int degree;                  // most distinct words in one bank in one pass
  int distinct_words, banks_used;
  BankWave waves[64]; int wave_count;   // pass after pass
  uint32_t bank_lanes[32];     // lanes that want something in each bank
  uint8_t bank_words[32];      // distinct words in each bank
  uint8_t bank_most[32];       // the most of them that one pass wants
  BankWord words[BANK_MOST_WORDS]; int word_count;   // pass after pass: a word that two passes want is there twice
} Banking;
void bank_analyze(const TraceEvent *event, BankMode mode, Banking *out);

// The hot path of the counters, for 32 banks of 4 bytes: wavefronts, and how many of them are no conflicts.
int bank_count(bool is_load, uint32_t mask, int width, const uint64_t addr[32], int *ideal);

#endif
