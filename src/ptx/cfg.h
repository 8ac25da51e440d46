// cfg.h: basic blocks of a function and immediate post-dominators, which are the reconvergence points of divergence.
#ifndef LS_PTX_CFG_H
#define LS_PTX_CFG_H

#include "ptx/module.h"

typedef struct PtxBlock {
  int first, count;         // instructions (pc)
  int *succ; int succ_count;
  int *pred; int pred_count;
  int ipdom;                // index of the immediate post-dominator block; -1: the function's end
} PtxBlock;

typedef struct PtxCfg {
  PtxBlock *blocks; int block_count;   // in order of pc; block 0 is the entry
  int *block_of;                       // per instruction of the function: block index (pc - func->first)
} PtxCfg;

PtxCfg *ptx_cfg_new(const PtxModule *module, int func, LsArena *arena);

// pc at which lanes that part at the branch `pc` meet again; -1: only at the end of the function.
int ptx_cfg_reconvergence(const PtxModule *module, const PtxCfg *cfg, int pc);

#endif
