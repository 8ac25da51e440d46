// alu.h: arithmetic of one warp instruction over 32 lanes: every opcode of class ALU in ptx/ops.def.
//
// A warp's register file is one block of bytes. Each register, immediate and special register is a slot in it:
//   up to 32 bits:  uint32_t[32]   (8- and 16-bit values zero-extended, and written back zero-extended)
//   64 bits:        uint64_t[32]
//   predicate:      one uint32_t, a bit per lane
// Immediates and special registers are slots that were filled at launch, so an operation only ever sees slots. Slots are
// 64-byte aligned (predicates 4-byte). Lanes outside `mask` keep their old destination.
//
// The operations are pure: the same bits on every machine, whatever instruction set runs them (x86-64, AVX2, AVX-512).
#ifndef LS_SIM_ALU_H
#define LS_SIM_ALU_H

#include <stdint.h>
#include "ptx/module.h"

typedef struct SimOp SimOp;
typedef void (*SimAlu)(uint8_t *regs, const SimOp *op, uint32_t mask);

#define SIM_NO_SLOT UINT32_MAX

struct SimOp {
  SimAlu run;
  uint32_t d, d2;          // byte offsets of destination slots; d2: second predicate of setp (0 or SIM_NO_SLOT: none, so
                           // no predicate stands at offset 0), carry out of add.cc
  uint32_t a, b, c, e;     // byte offsets of source slots; setp with a boolean: c is the predicate; addc: e is the carry
  uint32_t imm;            // lop3 table
  uint8_t negate_c;        // setp.and: the predicate source is !p
  uint8_t type, type2;     // of the instruction, for operations that share code
  uint8_t cmp, boolop, mode, round;
  uint32_t flags;          // PTX_F_*
};

// The operation for an instruction of class ALU (guard aside), or NULL if it is not supported. Operand slots whose PTX
// type is wider or narrower than the instruction's (ld and cvt rules do not apply here) are the decoder's business:
// sources are at least as wide as the instruction's type reads. Vector moves (mov.b64 %rd, {%r1, %r2}) are the
// decoder's too. For cvt, type is the destination's and type2 the source's type; its result is as wide as type, and
// extending it to a wider register is the decoder's business.
SimAlu sim_alu_find(const PtxInstr *instr);

// The same from the functions of one instruction set, to compare them: NULL also if this machine or build lacks it.
SimAlu sim_alu_find_isa(const PtxInstr *instr, const char *isa);

// The instruction set in use, "avx512", "avx2" or "generic"; LANESCOPE_ISA in the environment forces a lower one.
const char *sim_alu_isa(void);
// False if LANESCOPE_ISA asks for what is none, or what this machine lacks.
bool sim_alu_isa_check(LsErr *err);

// Bit i of lane i, for predicates.
extern const uint32_t alu_bit32[32];
extern const uint64_t alu_bit64[32];

// Single-lane helpers that memory atomics and conversions in other files share.
uint16_t sim_f32_to_f16(float x);
float sim_f16_to_f32(uint16_t h);

// What the special function unit of an H200 gives for 1 / x, of one number: rcp.approx.ftz.f32.
float alu_unit_rcp_generic(float x);

#endif
