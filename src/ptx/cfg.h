// cfg.h: basic blocks of a function, immediate post-dominators, and where lanes that part meet again.
#ifndef LS_PTX_CFG_H
#define LS_PTX_CFG_H

#include "ptx/module.h"

typedef struct PtxMeeting { int node, pc; } PtxMeeting;   // node: which place it is, among those of its function
typedef struct PtxLeave { int node, to; } PtxLeave;       // who goes on at the pc `to` comes to the place no more

typedef struct PtxBlock {
  int first, count;         // instructions (pc)
  int *succ; int succ_count;
  int *pred; int pred_count;
  int ipdom;                // index of the immediate post-dominator block; -1: the function's end. In an endless loop
                            // whose rounds end in several places it may be the loop's first block, of the next round
  PtxMeeting *meetings; int meeting_count;   // where lanes of both sides may meet if they part at its end: outermost
                                             // first, from the first place on that all come to
  PtxLeave *leaves; int leave_count;         // places that some of its ways lead away from
} PtxBlock;

typedef struct PtxCfg {
  PtxBlock *blocks; int block_count;   // in order of pc; block 0 is the entry
  int *block_of;                       // per instruction of the function: block index (pc - func->first)
} PtxCfg;

PtxCfg *ptx_cfg_new(const PtxModule *module, int func, LsArena *arena);

const PtxBlock *ptx_cfg_block(const PtxModule *module, const PtxCfg *cfg, int pc);   // that the instruction is in
// pc of the first place at which lanes of both sides of the branch `pc` may meet again; -1: only at the function's end.
int ptx_cfg_reconvergence(const PtxModule *module, const PtxCfg *cfg, int pc);
bool ptx_calls_itself(const PtxModule *module, int func);   // by its name
// Whether lanes that part in a function stay apart in it and behind its calls: in code for the debugger (-G) the
// assembler puts no convergence barrier into a function that calls itself by its name, and none around calls of it.
// Read in machine code for sm_90 (CUDA 13.0); an H200 runs it so.
bool ptx_parts_for_good(const PtxModule *module, int func);

#endif
