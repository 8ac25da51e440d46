// access.h: loads, stores and atomics: an access of memory by the lanes of a warp.
#ifndef LS_SIM_ACCESS_H
#define LS_SIM_ACCESS_H

#include <stdbool.h>
#include <stdint.h>
#include "sim/core/exec.h"

enum { SIM_STRONG_COST = 15 };   // charged for a strong access: it is slow, and what endless loops do

SimNext sim_exec_mem(SimExec *exec, const SimInst *inst, uint32_t mask);   // loads, stores and atomics
SimNext sim_exec_atom(SimExec *exec, const SimInst *inst, uint32_t mask);  // sim_exec_mem of one with a SimMem.loop
SimNext sim_exec_atom_together(SimExec *exec, const SimInst *inst, uint32_t mask);   // the same in a line
SimNext sim_exec_param(SimExec *exec, const SimInst *inst, uint32_t mask); // ld.param of the entry
// An access of lanes that are all inside span, addresses in exec->addr: emits its event, checks it, moves the bytes.
// False after a fault that ends the run.
bool sim_access_inside(SimExec *exec, const SimInst *inst, uint32_t mask, SimSpan *span, const SimFit *fit,
                       TraceSpace space, bool generic);
// What is asked and noted of a load or store of lanes that are all inside span before its bytes are moved; addresses in
// exec->addr. False: the run is over. And what is checked behind that, if anything is.
bool sim_access_judge(SimExec *exec, const SimInst *inst, uint32_t mask, SimSpan *span, const SimFit *fit,
                      TraceSpace space);
void sim_access_check_bytes(SimExec *exec, const SimInst *inst, const SimSpan *span, const SimFit *fit, uint32_t mask,
                            TraceSpace space);

// ---- move.c --------------------------------------------------------------------------------------------------------
void sim_load_all(SimExec *exec, const SimMem *m, const SimSpan *span, const SimFit *fit, uint32_t mask);
void sim_store_all(SimExec *exec, const SimMem *m, SimSpan *span, const SimFit *fit, uint32_t mask);
void sim_touch(SimExec *exec, SimSpan *span, uint32_t mask, int width);    // before a write: replay saves pages

// ---- exec_atom.c ---------------------------------------------------------------------------------------------------
void sim_atom_lanes(SimExec *exec, const SimInst *inst, SimSpan *span, uint32_t mask);
void sim_atom_vectors(SimExec *exec, const SimInst *inst, SimSpan *span, uint32_t mask);
void sim_atom_look(SimExec *exec, const SimInst *inst, const SimSpan *span, uint32_t mask);
void sim_atom_emit(SimExec *exec, const SimInst *inst, uint32_t mask, TraceSpace space, bool generic);

#endif
