// chain.c: sums that grow by words of other lanes or of memory, for some lanes each: they stay in one place meanwhile.
// Compiled once per instruction set; the loops are of a form that becomes vector code.
#include "sim/alu/alu_lanes.h"
#include "sim/alu/lanes.h"

enum { LANES = 32 };

typedef uint32_t Word __attribute__((aligned(1), may_alias));

void ALU_NAME(sim_chain)(uint32_t to[32], const uint32_t from[32], const SimChainStep *steps, int count);
void ALU_NAME(sim_chain)(uint32_t to[32], const uint32_t from[32], const SimChainStep *steps, int count) {
  _Alignas(64) uint32_t rooms[2][3 * LANES];   // what lies around the sums is looked at, and not used
  uint32_t *sums = rooms[0] + LANES, *next = rooms[1] + LANES, all = 0;
  for (int i = 0; i < LANES; i++) sums[i] = from[i];
  for (const SimChainStep *step = steps; step < steps + count; step++) {
    const uint32_t lanes = step->lanes, word = step->word ? *(const Word *)(const void *)step->word : 0;
    if (!lanes) continue;
    if (step->word && lanes == UINT32_MAX) { all += word; continue; }
    if (step->word) {
      ALU_FOR_LANES sums[i] += lanes & alu_bit32[i] ? word : 0;
      continue;
    }
    const uint32_t *others = sums - step->by;   // with what all have, for a lane that takes nothing keeps that once
    ALU_FOR_LANES next[i] = sums[i] + (lanes & alu_bit32[i] ? others[i] + all : 0);
    uint32_t *before = sums;
    sums = next;
    next = before;
  }
  for (int i = 0; i < LANES; i++) to[i] = sums[i] + all;
}
