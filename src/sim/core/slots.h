// slots.h: the slots of the register file: where registers, constants and special registers lie, and what is in them.
#ifndef LS_SIM_SLOTS_H
#define LS_SIM_SLOTS_H

#include <stdbool.h>
#include <stdint.h>
#include "sim/core/exec.h"

// While decoding
int sim_reg_bytes(const PtxModule *module, int func, int reg);             // 1 predicate, 4, 8, 16 as the slot is
uint32_t sim_slot_size(const SimProgram *program, int func, int reg);      // bytes of the slot of a register
bool sim_slots_new(SimProgram *program);                   // registers of all reached functions
void sim_slots_free(SimProgram *program);
uint32_t sim_slot_const(SimProgram *program, int bytes, uint64_t value);   // bytes: 4, 8, or 1 for a predicate
uint32_t sim_slot_sreg(SimProgram *program, int sreg, int index, int bytes);
uint32_t sim_slot_scratch(int bytes);
// A parameter or result of a function, as its calls pass it.
SimPassed sim_slot_passed(const SimProgram *program, int func, const PtxParam *p);
uint32_t sim_slot_carry(const SimProgram *program);
uint32_t sim_slot_temp(SimProgram *program, int bytes, int number);        // for use within one instruction

enum { SIM_HIGH_HALVES = 8 * SIM_LANES };                  // of a register of 128 bits: where its high halves are in its slot

// While running
void sim_slots_fill_warp(SimExec *exec, int warp);         // constants and what never changes; results of steady code
void sim_slots_fill_block(SimExec *exec);                  // of all warps: clears registers, and sim_slots_fill_number
void sim_slots_fill_number(SimExec *exec);                 // what changes with the block
bool sim_sreg_value(const SimExec *exec, int warp, int sreg, int index, uint64_t values[32]);
bool sim_sreg_changes(int sreg);                           // clocks: a new value at every reading
bool sim_sreg_is_steady(int sreg);                         // the same at every reading, in every block
bool sim_sreg_is_uniform(int sreg);                        // the same in all lanes of a warp
uint64_t sim_hash_registers(const SimExec *exec);          // of the running warp

#endif
