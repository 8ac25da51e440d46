// inst.h: decoded instructions: a handler, and what it needs to know, in slots of the register file.
#ifndef LS_SIM_INST_H
#define LS_SIM_INST_H

#include <stdbool.h>
#include <stdint.h>
#include "ptx/cfg.h"
#include "sim/alu/alu.h"

enum { SIM_MAX_VEC = 8 };

typedef struct SimExec SimExec;
typedef struct SimInst SimInst;
// Executes one instruction for the lanes in mask. The program counter of the running group stands at the instruction
// and has to be moved; SIM_GO: the same group runs on; SIM_YIELD: the groups of the warp changed, choose again.
// SIM_WAIT: the group waits and has not executed the instruction.
typedef enum SimNext { SIM_GO, SIM_YIELD, SIM_WAIT } SimNext;
typedef SimNext (*SimHandler)(SimExec *exec, const SimInst *inst, uint32_t mask);

// How an instruction accesses memory, if it does nothing else: then `more` is, or begins with, a SimMem.
typedef enum SimAccess { SIM_NO_ACCESS, SIM_MEMORY_ACCESS, SIM_SURFACE_ACCESS } SimAccess;

// What an instruction is to a line that is executed whole: plain arithmetic, or a load of a parameter; one whose `lean`
// does it, or, where nobody is told, a sum of products may do it and more; the branch at its end; or none of it.
typedef enum SimStep { SIM_STEP_OUT, SIM_STEP_PLAIN, SIM_STEP_LEAN, SIM_STEP_DOT, SIM_STEP_BRANCH } SimStep;

typedef struct SimRounds SimRounds;
typedef struct SimDot SimDot;

struct SimInst {
  SimOp op;                // arithmetic; run is NULL for everything else
  SimHandler handler;      // NULL: plain arithmetic
  SimHandler lean;         // the same inside a line that is executed whole, where code may be left out, and where
                           // SimExec.pc may lag behind (sim_catch_up)
  const void *more;        // what the handler needs besides: SimMem, SimCall, ...
  uint32_t guard;          // slot of the guard predicate, or SIM_NO_SLOT
  uint16_t run;            // instructions from here to the end of its straight line: unguarded plain arithmetic, loads
                           // of parameters, accesses that may have a shape, and a branch as the last; 0 if this is none
  uint16_t full_run;       // the same with operations of the warp in which all lanes are named, and its end: `together`
  uint16_t to_loop;        // instructions from here, in the same line, to one that has rounds; 0: there is none
  uint16_t quiet;          // of these, arithmetic and loads of parameters from here to the first other
  uint8_t guard_negate : 1;
  uint8_t access : 2;      // SimAccess
  uint8_t watched : 1;     // SimProgram.watches
  uint8_t shaped : 1;      // a plain load or store: see core/shape.h
  uint8_t jumps : 1;       // a branch to one place, at which nobody is awaited: `more` is a SimBranch
  uint8_t takes_params : 1; // a load of a parameter is among the quiet ones
  uint8_t left_out : 1;    // lines that are executed whole, and that nobody watches, go without it: its results are the
                           // same in every block (SimProgram.steady), or only make addresses (SimIndexed)
  uint8_t together : 1;    // shuffles, votes and the like, atomics, barriers, exits: if the whole warp executes it, `lean` does
  uint8_t meets : 1;       // lanes may meet in front of it
  uint8_t aside : 1;       // a jump over a short straight line to where all meet behind it
  uint8_t heads : 1;       // jumps lead back to it
  uint8_t loops : 1;       // a loop of one line, whose rounds can be counted, begins here or later in the line
  uint8_t kind;            // TraceKind
  uint8_t step, then;      // SimStep: of this one, and of the next of its line that is not left out
  uint32_t hop;            // bytes to that one, or to what is behind the line
  int32_t pc;              // its place in the code
  const SimRounds *rounds; // of the loop of one line that begins here; NULL: its rounds cannot be counted
  const SimDot *dot;       // a sum of products that begins here; NULL: none does
};

typedef enum SimExtend { SIM_EXT_ZERO, SIM_EXT_S8_16, SIM_EXT_S8_32, SIM_EXT_S16_32, SIM_EXT_S8_64, SIM_EXT_S16_64,
                         SIM_EXT_S32_64 } SimExtend;

// Registers that may be used before they are set, at an instruction. number: of a watched register.
typedef struct SimWatchUse {
  int number, reg;
  int8_t operand; uint8_t way;  // as in PtxRef
  bool told;               // it matters here, and is a fault; else it is only passed on
  bool whole;              // a fault only if all elements of the operand are unset
  bool passed;             // the results are as good as this
} SimWatchUse;
typedef struct SimWatch {
  int *defs; int def_count;
  SimWatchUse *uses; int use_count;
  int picks;               // selp: the predicate's register; -1
} SimWatch;

// What a load, store or atomic is to other threads. LOOKS, UPDATES, GUESSES: strong_uses.c. WRITES is for
// check/strong.h.
enum { SIM_STRONG = 1, SIM_VOLATILE = 2, SIM_BLOCK_SCOPE = 4, SIM_LOOKS = 8, SIM_UPDATES = 16, SIM_WRITES = 32,
       SIM_GUESSES = 64 };

// Addresses that are made in the access's line: start, the same in all lanes, plus index * scale. The product and the
// sum may have been left out.
typedef struct SimIndexed {
  SimInst *product, *sum;
  uint32_t start, index;   // slots, of 64 and of 32 bits
  bool is_signed;          // the index
  uint64_t scale;
} SimIndexed;

// Are a warp's addresses, or indexes, as far apart in every block (analysis/apart.c)? TOGETHER: if it has not parted.
typedef enum SimApart { SIM_NOT_APART, SIM_APART, SIM_APART_TOGETHER } SimApart;

struct SimAtomRun;
typedef void (*SimAtomLoop)(struct SimAtomRun *run);   // ops/atom_loops.h

// ld, st, atom, red, ldu.
typedef struct SimMem {
  uint8_t space;           // PtxSpace of the instruction
  uint8_t elem, vec;       // bytes of an element, elements
  uint8_t width;           // elem * vec
  uint8_t extend;          // SimExtend
  uint8_t base_bytes;      // 4, 8, or 0 if there is no base register
  uint16_t extent;         // the array that the address is of: index + 1 into SimProgram.extents; 0: not known
  bool framed;             // the address is relative to the frame of a recursive function
  bool lane_private;       // .param of a function: storage of each lane
  bool later, bulk;        // the store of an asynchronous copy, or a reduction, whose bytes come later (async_copy.c)
  uint8_t how;             // SIM_STRONG ...
  bool acquire, release;
  bool only_copied, only_masked, multiplied;  // what becomes of a loaded value: see copy_loads.c
  bool unused;             // nobody looks at the old value that an atomic brings
  bool is_reduction;       // ptx/reduction.h
  uint8_t op, type;        // atomics: PtxMode and PtxType
  uint32_t base;           // slot
  int64_t offset;
  uint32_t data[SIM_MAX_VEC];    // slots of the destination or source elements
  uint8_t data_bytes[SIM_MAX_VEC]; // 4 or 8 as the slot is
  bool narrow_operand;     // the value of an atomic on 64 bits is in a 32-bit slot
  SimAtomLoop loop, quiet_loop;  // atomics; NULL: there is none. quiet: which tells no old values
  uint32_t operand, compare;     // atomics: slots of the value and, for cas, of what is compared with
  uint32_t operands[SIM_MAX_VEC]; // atomics on vectors: of each element
  const struct SimAlloc *disjoint;   // in this buffer no other block uses what this access does; NULL: not known of any
  const SimIndexed *indexed;     // NULL: the address is no such one
  uint32_t kin;            // of accesses whose lanes are equally far apart (twins.c): a number in SimExec.kin; 0: none
  uint8_t apart;           // SimApart
  bool leads;              // of them it is the first of a line, or of each round of a loop
} SimMem;

// Products that are added up, of words that nobody else looks at (analysis/dots.c): two loads and an fma for each term.
enum { SIM_DOT_STEPS = 3, SIM_DOT_TERMS = 64, SIM_DOT_FEWEST = 4 };   // FEWEST: terms outside of loops
typedef struct SimChain SimChain;
struct SimDot {
  int32_t first; int count;   // pc; terms
  uint32_t from, to;          // slots: what the first product is added to, and the last sum
  int number;                 // of its plan in SimExec.dots; -1: it has none
  const SimChain *chain;      // then it is one of these, and nothing else; NULL: it is none
};

// A sum of words that lanes take or do not (analysis/chains.c): for each link a shuffle or a load, a choice, and an
// addition.
enum { SIM_CHAIN_LINKS = 16, SIM_CHAIN_FEWEST = 2 };
typedef struct SimChainLink {
  const SimInst *inst;        // what brings the word
  uint32_t predicate;         // slot
  uint32_t flips;             // all bits of it, if lanes take the word where it does not hold
  bool shuffles;
} SimChainLink;
struct SimChain {
  uint32_t from, to;          // slots: what the first link adds to, and the last sum
  const SimInst *last;        // its last addition
  SimChainLink links[SIM_CHAIN_LINKS]; int count;
  int number;                 // of its plan in SimExec.chains
};

// A loop of one line that counts its rounds (analysis/rounds.c).
enum { SIM_ROUND_WALKS = 8, SIM_ROUND_ACCESSES = 32 };
typedef struct SimWalk {   // a register that grows by as much in each round
  int32_t pc;              // where
  uint32_t reg, by;        // slots
  int number;              // of the register
  bool is_wide;            // 64 bits
  bool is_fixed;           // by what is the same in all lanes and blocks
  bool is_left_out;        // only accesses, by their addresses, and the test look at it
  bool is_over;            // and nobody behind the loop
} SimWalk;
typedef struct SimRoundAccess {
  const SimInst *inst;
  int walk;                // that its address grows with; -1: it stays
  uint64_t scale;          // bytes, for each by which that grows
  bool grows_first;        // in each round
} SimRoundAccess;
typedef struct SimRoundMember { const SimInst *inst; bool accesses; } SimRoundMember;   // else arithmetic
struct SimRounds {
  SimWalk walks[SIM_ROUND_WALKS]; int walk_count;
  SimRoundAccess accesses[SIM_ROUND_ACCESSES]; int access_count;
  SimRoundMember *members; int member_count;   // what is to be executed in each round
  const SimDot *dot;       // of which they are the terms, and nothing else; NULL: they are none
  bool is_alike;           // the counter is the same in all lanes of a warp that has not parted
  bool repeats;            // with all that, a counter of 32 bits, and nobody behind the loop looks at what grows in it
  bool is_steady;          // with a plan; all registers grow by the same in all blocks, behind the accesses
  // The test: the walk `counter` is held against what stays; it comes behind all accesses.
  int32_t test;            // pc
  int counter;
  uint32_t bound, predicate;   // slots
  bool bound_is_fixed, is_signed, is_negated;   // fixed: as of walks; negated: the guard of the jump back
  bool counts_first;       // it grows before the test
  uint8_t accepts;         // jumps back if it is less: 1, equal: 2, greater: 4
};

// What an atomic on an mbarrier does, where others have their PtxMode (exec_mbarrier.c).
enum { SIM_MBAR_LOOK = PTX_MODE_COUNT, SIM_MBAR_ARRIVE, SIM_MBAR_DROP, SIM_MBAR_EXPECT, SIM_MBAR_ARRIVE_EXPECT,
       SIM_MBAR_COMPLETE };

// awaits: lanes that all go one way are to meet all the same, for a call on that way may part them.
// level: of a function with levels: the lanes that jump leave the recursion, or those that do not.
enum { SIM_NO_LEVEL, SIM_JUMPERS_LEAVE, SIM_JUMPERS_STAY };
typedef struct SimBranch {
  int32_t target, reconverge;
  const int *table; int table_count;
  uint32_t index;
  const PtxMeeting *meetings; int meeting_count;   // outermost first; the last one is at `reconverge`
  const PtxLeave *leaves; int leave_count;
  bool awaits;
  uint8_t level;
} SimBranch;

typedef struct SimPassed {  // an argument, parameter or result: in the lanes' .param storage, or (reg >= 0) a register
  uint32_t at, bytes;      // place in the storage, or slot of 4 or 8 bytes per lane; of a predicate SIM_PASSED_PREDICATE
  int reg;                 // number in its function, -1: in storage; a constant's is SIM_PASSED_CONST
} SimPassed;
enum { SIM_PASSED_CONST = 1 << 30, SIM_PASSED_PREDICATE = 1, SIM_MOST_PASSED = 16, SIM_MOST_RESULTS = 4, SIM_RESULT_BYTES = 64 };
typedef struct SimCall {
  int func;                // callee, or -1: by address
  uint32_t address;        // slot
  SimPassed *args, *results; int arg_count, result_count;
  int builtin;             // SimBuiltin
  int runtime;             // DEVICE: which function (ops/device_runtime.def)
} SimCall;
typedef enum SimBuiltin {
  SIM_BUILTIN_NONE,
  SIM_BUILTIN_VPRINTF,
  SIM_BUILTIN_ASSERT,
  SIM_BUILTIN_MATH,
  SIM_BUILTIN_MALLOC,
  SIM_BUILTIN_ALIGNED_MALLOC,
  SIM_BUILTIN_FREE,
  SIM_BUILTIN_DEVICE,
  SIM_BUILTIN_TRAP
} SimBuiltin;

// Operands reg + number of an instruction: computed into places of their own before it runs.
typedef struct SimSum { uint32_t to, from; int bytes; uint64_t number, mask; } SimSum;   // mask: bits of the register
enum { SIM_MOST_SUMS = 8 };
typedef struct SimSums { SimSum items[SIM_MOST_SUMS]; int count; SimHandler handler; } SimSums;   // handler: the instruction's own

// Warp operations and barriers: slots of operands; SIM_NO_SLOT where there is none.
typedef struct SimWarpOp {
  uint8_t op;              // PtxOp
  uint8_t mode, type;
  uint8_t wide;            // match: 64-bit operand
  bool negate;             // of the predicate operand
  bool abs, nan;           // redux of floats
  bool aligned;
  bool is_plain;           // a barrier at which all of the block wait, and that brings no result
  bool fixed, fixed_members;   // b and c, members are constants, the same in all lanes
  uint32_t d, p, a, b, c, members;
} SimWarpOp;

#endif
