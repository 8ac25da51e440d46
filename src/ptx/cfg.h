// cfg.h: basic blocks of a function and immediate post-dominators, which are the reconvergence points of divergence.
#ifndef LS_PTX_CFG_H
#define LS_PTX_CFG_H

#include "ptx/module.h"

typedef struct PtxBlock {
  int first, count;         // instructions (pc)
  int *succ; int succ_count;
  int *pred; int pred_count;
  int ipdom;                // index of the immediate post-dominator block; -1: the function's end. In an endless loop
                            // whose rounds end in several places it may be the loop's first block, of the next round
} PtxBlock;

typedef struct PtxCfg {
  PtxBlock *blocks; int block_count;   // in order of pc; block 0 is the entry
  int *block_of;                       // per instruction of the function: block index (pc - func->first)
} PtxCfg;

PtxCfg *ptx_cfg_new(const PtxModule *module, int func, LsArena *arena);

// pc at which lanes that part at the branch `pc` meet again; -1: only at the end of the function.
int ptx_cfg_reconvergence(const PtxModule *module, const PtxCfg *cfg, int pc);
bool ptx_calls_itself(const PtxModule *module, int func);   // by its name
// Whether lanes that part in a function stay apart in it and behind its calls: in code for the debugger (-G) the
// assembler puts no convergence barrier into a function that calls itself by its name, and none around calls of it.
// Read in machine code for sm_90 (CUDA 13.0); an H200 runs it so.
bool ptx_parts_for_good(const PtxModule *module, int func);

#endif
