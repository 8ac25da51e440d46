// decode.h: from the instructions that a kernel can reach to decoded ones.
#ifndef LS_SIM_DECODE_H
#define LS_SIM_DECODE_H

#include <stdbool.h>
#include <stdint.h>
#include "base/error.h"
#include "sim/core/program.h"

void sim_reach(SimProgram *program);                       // which functions can run; comes first
void sim_find_levels(SimProgram *program);                 // SimFunc.levels; needs the cfgs
uint8_t sim_level_of(const SimProgram *program, int pc);   // SIM_NO_LEVEL, or which side of a branch leaves a recursion
bool sim_waits_for_grid(const SimProgram *program);        // do they call grid.sync()?

typedef struct SimDecoder {
  SimProgram *program;
  const PtxInstr *in;
  SimInst *out;
  int func, pc;
  const char *why;          // what cannot be done, or NULL
  SimSums *sums;            // operands so far that are sums, or NULL
} SimDecoder;
// Decodes one instruction into d->out; false if that cannot be done. The instructions themselves are above (ops/).
typedef bool (*SimDecodeOp)(SimDecoder *d);
bool sim_decode(SimProgram *program, SimDecodeOp decode_op, LsErr *err);

// ---- operand.c -----------------------------------------------------------------------------------------------------
// Slot of a source or destination operand as wide as `bytes` (1, 4, 8); a register's own width wins.
uint32_t sim_slot_of(SimDecoder *d, const PtxOperand *operand, int bytes);
bool sim_decode_address(SimDecoder *d, SimMem *mem, const PtxOperand *operand);
// Element k of the data.
void sim_decode_datum(SimDecoder *d, SimMem *mem, int k, const PtxOperand *operand, bool load);

#endif
