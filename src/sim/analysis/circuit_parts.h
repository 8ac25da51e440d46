// circuit_parts.h: what the files share that make circuits: the way as nodes, each with what it reads and writes.
#ifndef LS_SIM_CIRCUIT_PARTS_H
#define LS_SIM_CIRCUIT_PARTS_H

#include "sim/core/circuit.h"

enum { SIM_NODE_USES = 5, SIM_NODE_DEFS = 2 };

// Where a value is: a register of a function, or (reg -1) bytes of the lanes' storage for arguments and results.
typedef struct SimPlace {
  int func, reg;
  uint32_t at, bytes;
  int last;                // node that writes it last on the way, -1
  bool varies;             // some node writes what nobody can tell beforehand
  bool no_phase;           // it does not come out of a round as it went in, plus what stays
  int phase;               // of SimCircuit.phases, -1
} SimPlace;

typedef enum SimNodeKind { SIM_NODE_OP, SIM_NODE_LOAD, SIM_NODE_STORE, SIM_NODE_PASS, SIM_NODE_BRANCH } SimNodeKind;

// The same in each round; grows by as much; comes of comparing two such; or anything else.
typedef enum SimValue { SIM_VALUE_STAYS, SIM_VALUE_GROWS, SIM_VALUE_TESTS, SIM_VALUE_VARIES } SimValue;

typedef struct SimNode {
  uint8_t kind, value;     // SimNodeKind, SimValue
  bool is_own;             // LOAD, STORE: of the lanes' storage, as a PASS
  bool is_taken;           // BRANCH
  bool needed;             // somebody looks at its result in each round
  bool negates;            // TESTS: says the opposite of `test`
  int16_t at;
  int pc, test;            // test: the node that compares
  int uses[SIM_NODE_USES], use_count;    // places; the guard of a branch
  int defs[SIM_NODE_DEFS], def_count;
  int address;             // place of the register that a LOAD's or STORE's address is in, -1: there is none
  int walk;                // GROWS: of SimCircuit.walks, -1: not made yet
  int passed_by;           // GROWS: place whose phase it adds to; -1: it is no such sum
  SimPassed from, to;
} SimNode;

typedef struct SimWay {
  const SimProgram *program;
  const int32_t *pcs; int length;
  SimNode *nodes; int node_count, node_room;
  SimPlace *places; int place_count, place_room;
  LsArena *arena;          // for as long as the circuit is made
} SimWay;

// What a node reads: the node that made it, and whether that was in the round before. node -1: it is made outside.
typedef struct SimSource { int node; bool carried; } SimSource;
SimSource sim_way_source(const SimWay *way, int node, int place);

// False: there is something on the way that cannot be gone round with.
bool sim_way_read(SimWay *way);

// Decides SimNode.value, passed_by.
void sim_way_judge(SimWay *way);

const PtxInstr *sim_way_instr(const SimWay *way, const SimNode *n);
const SimInst *sim_way_inst(const SimWay *way, const SimNode *n);
int sim_way_place(SimWay *way, int func, int reg);         // of a register; made if it is new
SimValue sim_way_operand(SimWay *way, int node, int operand, SimSource *from);   // of an OP
bool sim_way_copies(const SimWay *way, const SimNode *n);  // its result is what it reads

#endif
