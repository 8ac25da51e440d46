// carry.h: sequences of instructions that write and read the carry flag, in all orders.
//
// A sequence begins with a flag that is set for some threads, and has up to three steps. Every step has operands of its
// own, so that what differs in one step shows in the next one by the flag alone. Sets of sequences:
//
//   pairs       all ordered pairs of the twelve instructions in all four types: widths and signs mix
//   triples     all ordered triples of the twelve instructions, once per type
//   mixed       triples at random, each step of any type
//   constants   the same, with constants for some operands: compilers turn a - constant into a sum
//
// Each program is there twice: with the flag read out (addc of zeros) behind every step, and behind the last one only.
#ifndef LS_TESTS_GPU_CARRY_H
#define LS_TESTS_GPU_CARRY_H

#include "batch.h"
#include "gpu_driver.h"

enum { CARRY_STEPS = 3, CARRY_OPERANDS = 3, CARRY_SEQUENCES = 48, CARRY_THREADS = 256 };

typedef enum CarryFirst { CARRY_FIRST_A, CARRY_FIRST_LOW, CARRY_FIRST_HIGH } CarryFirst;   // a, or half of a * b

typedef struct CarryOp {
  const char *text;            // "addc.cc", a type follows
  CarryFirst first;            // first addend; the second is b behind a, else c
  bool subtracts, reads, writes;
} CarryOp;

typedef struct CarryStep {
  const CarryOp *op;
  PtxType type;
  bool is_constant[CARRY_OPERANDS];
  uint64_t constants[CARRY_OPERANDS];
} CarryStep;

typedef struct CarrySequence {
  CarryStep steps[CARRY_STEPS];
  int count;
  bool tells_all;              // the flag is stored behind every step
} CarrySequence;

int carry_programs(void);
// "carry pairs 3, flag behind each step"; the caller's to hold. number < carry_programs().
void carry_name(int number, char *name, size_t size);
// Appends program `number`: CARRY_SEQUENCES sequences, which are its detail, over CARRY_THREADS threads.
void carry_add(Batch *batch, int number, uint64_t seed);

// What a thread has: its flag at the start, and operand 0 (a), 1 (b) or 2 (c) of a step, constant or not.
bool carry_start(const Buffers *before, int thread);
uint64_t carry_operand(const Buffers *before, const CarryStep *step, int at, int operand, int thread);
// Where the second buffer has the result of a step, and the flag behind it.
uint64_t carry_result_at(int sequence, int step, int thread);
uint64_t carry_flag_at(int sequence, int step, int thread);

// Asks a GPU for pairs and triples of these instructions that need no flag to begin with, and writes what it answers to
// a file for tests/unit/sim/vectors (support/vec.h). level: of the driver's compiler.
bool carry_keep(Gpu *gpu, int level, uint64_t seed, const char *path, LsErr *err);

#endif
