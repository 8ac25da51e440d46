// flow.h: what the code says of an instruction without running it: what an address hangs on, whether a store only
// changes what it has read, which branch decides who comes, whether a way leads past no barrier.
//
// Registers are followed through their definitions without regard to order. What comes out of memory, but for
// parameters and stack variables, ends the walk. A call counts as what its callee does: in the as-written cut atomics
// are calls.
#ifndef LS_MODEL_FLOW_H
#define LS_MODEL_FLOW_H

#include "ptx/module.h"

typedef struct Flow Flow;
Flow *flow_new(const PtxModule *module);   // borrowed; what is asked is computed once
void flow_free(Flow *flow);                // NULL is fine

// What a value hangs on. Bits 1, 2, 4 stand for x, y, z.
typedef struct FlowSlice {
  uint8_t tid, ctaid;
  bool loaded;       // on contents of memory
  bool looped;       // on its own value of the round before
  bool dynamic;      // on the address of dynamic shared memory
  uint64_t params;   // on these of the kernel's 8-byte parameters, which may be pointers: bit by index, below 64
  int atomic;        // on the old value of the atomic (or call with one) at this pc; -1
} FlowSlice;
FlowSlice flow_address(Flow *flow, int pc);    // of the address of an access
bool flow_address_has(Flow *flow, int pc, int reg);   // whether it is made of this register

// A store that writes what it has read there, changed: `what` names the atomic that does the same, "atomicAdd".
typedef struct FlowUpdate { int load; const char *what; } FlowUpdate;
bool flow_update(Flow *flow, int store, FlowUpdate *update);
// The store of which this load is the reading half, or the pc itself if it is the store; -1: neither.
int flow_update_of(Flow *flow, int pc, FlowUpdate *update);
// Whether the stored value is made of what this load read.
bool flow_feeds(Flow *flow, int load, int store);

// The nearest branch above pc that decides whether a lane comes there (pc itself, if it is guarded); -1: none. Outward:
// the one that decides whether a lane comes to that branch.
int flow_control(Flow *flow, int pc);
int flow_outward(Flow *flow, int pc, int branch);
// The comparison that such a branch makes: what it decides, pc or the branch inside, executes where `a cmp b` holds.
// False: it is of another form.
typedef struct FlowTest { int a, b; PtxCmp cmp; } FlowTest;   // registers; b is -1 for a number
bool flow_test(Flow *flow, int branch, int pc, FlowTest *test);
FlowSlice flow_condition(Flow *flow, int branch);   // what the condition of a branch hangs on

typedef bool (*FlowIs)(const PtxModule *module, const PtxInstr *in);
bool flow_is_barrier(const PtxModule *module, const PtxInstr *in);      // of the block, or of more
bool flow_is_fence(const PtxModule *module, const PtxInstr *in);        // for other blocks
bool flow_is_block_fence(const PtxModule *module, const PtxInstr *in);  // for the own block only
bool flow_is_atomic(const PtxModule *module, const PtxInstr *in);
bool flow_is_exchange(const PtxModule *module, const PtxInstr *in);     // exch or cas, as locks use
bool flow_is_announcement(const PtxModule *module, const PtxInstr *in); // an atomic or volatile store, seen by others
// Whether execution can come from behind `from` to `to` without what `wall` says. Forward: never back to a lower pc.
bool flow_reaches(Flow *flow, int from, int to, FlowIs wall, bool forward);
// The first instruction of a kind on a way from behind `from`, without a wall (NULL: none) before it; -1.
int flow_next(Flow *flow, int from, FlowIs is, FlowIs wall);

// Whether a way leads from pc to the function's end past no wall.
bool flow_ends(Flow *flow, int pc, FlowIs wall);

// What the waiting loop around pc looks at; -1: pc is in none.
int flow_spin(Flow *flow, int pc);
// Whether the instruction is of a function that another file than that of `own` calls: of the inside of a library.
// atomicAdd, which a header makes of the instruction, is not.
bool flow_is_foreign(const Flow *flow, int pc, int own);

// The exchange that took a lock which is held at pc; -1: no lock is to be seen.
int flow_lock(Flow *flow, int pc);
bool flow_is_store(const Flow *flow, int pc);   // writes memory that threads share, and is no atomic
int flow_line(const Flow *flow, int pc);        // of the kernel's own source; 0: not known

#endif
