// analysis.h: what the code of a kernel tells before anything runs.
#ifndef LS_SIM_ANALYSIS_H
#define LS_SIM_ANALYSIS_H

#include <stdbool.h>
#include <stdint.h>
#include "sim/core/memory.h"
#include "sim/core/program.h"

void sim_find_extents(SimProgram *program, const SimMemory *memory);   // which array an address is of; before decoding
int sim_extent_at(const SimProgram *program, int meant, uint64_t addr);
void sim_find_written(const SimProgram *program, SimMemory *memory);   // SimAlloc.may_be_written
void sim_find_disjoint(SimProgram *program, SimMemory *memory);   // SimAlloc.is_disjoint, SimMem.disjoint; after steady,
                                                           // and written
void sim_find_copy_loads(SimProgram *program);             // SimMem.only_copied, only_masked, unused, is_reduction
void sim_find_unset(SimProgram *program);                 // SimProgram.watches; before decoding, after cfgs
void sim_find_clears(SimProgram *program);                // SimProgram.clears, early; after decoding
void sim_find_steady(SimProgram *program);                // SimProgram.steady, reg_facts; after clears
void sim_find_indexed(SimProgram *program);               // SimMem.indexed; after steady
void sim_find_apart(SimProgram *program);                  // SimMem.apart, SimRegFact.alike; after indexed
void sim_find_together(SimProgram *program);              // SimInst.together, full_run; after steady
void sim_find_twins(SimProgram *program);                 // SimMem.kin, leads; after indexed and together
void sim_find_dots(SimProgram *program);                  // SimInst.dot; after indexed
void sim_find_chains(SimProgram *program);                // SimInst.dot, of another kind; after dots
void sim_find_rounds(SimProgram *program);                // SimInst.rounds; after steps and dots
void sim_find_order_free(SimProgram *program);            // SimProgram.order_free
void sim_find_heads(SimProgram *program);                 // SimInst.heads
void sim_find_steps(SimProgram *program);                 // SimInst.step, then, hop; after all that is left out, and dots
void sim_find_strong_uses(SimProgram *program);            // SimMem.how: SIM_LOOKS, SIM_UPDATES; after copy_loads

struct SimCircuit;
// A plan for rounds that go this way, in the arena; NULL: there is none.
const struct SimCircuit *sim_circuit_new(const SimProgram *program, const int32_t *pcs, int length, LsArena *arena);

// A compare-and-swap: the instruction, or a call of a function that does one on what it is handed (cas.c). Operands are
// those of the function that `pc` is in.
typedef struct SimCas { int pc, width; const PtxOperand *address, *compared; } SimCas;
bool sim_cas_at(const SimProgram *program, int pc, SimCas *cas);   // after decoding

void sim_find_own_code(SimProgram *program);               // SimProgram.own_code, own_before
void sim_find_lines(SimProgram *program);                  // SimProgram.to_line

// Which of less, equal, and greater are a comparison's: bits 0 to 2; and those of it with its operands swapped.
static inline unsigned sim_accepted_by(uint8_t cmp) {
  switch (cmp) {
  case PTX_EQ: return 2;
  case PTX_NE: return 5;
  case PTX_LT: case PTX_LO: return 1;
  case PTX_LE: case PTX_LS: return 3;
  case PTX_GT: case PTX_HI: return 4;
  case PTX_GE: case PTX_HS: return 6;
  default: return 0;
  }
}
static inline unsigned sim_accepts_swapped(unsigned accepts) {
  return (accepts & 2) | accepts >> 2 | (accepts & 1) << 2;
}

#endif
