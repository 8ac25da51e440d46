// reduction.h: atomics that the assembler makes reductions of.
//
// nvcc writes `atom` where the source calls atomicAdd() and its kin, whether or not the old value is used. If nobody reads
// the register, ptxas makes a reduction of it (RED instead of ATOM), unless it compiles for a debugger: so a GPU counts it
// as one, and so do we. exch and cas have no such form (PTX ISA, red).
#ifndef LS_PTX_REDUCTION_H
#define LS_PTX_REDUCTION_H

#include "ptx/module.h"

// One byte per instruction of the module: 1 for each such `atom`. The caller frees it.
uint8_t *ptx_find_reductions(const PtxModule *module);

#endif
