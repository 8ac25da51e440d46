// cfg_meet.h: where lanes that part at a branch meet again, as the assembler sets its convergence barriers.
#ifndef LS_PTX_CFG_MEET_H
#define LS_PTX_CFG_MEET_H

#include "ptx/cfg.h"

// Fills PtxBlock.meetings and leaves. Post-dominators have to be there; `endless`: some blocks reach no end.
void ptx_cfg_meet(const PtxModule *module, PtxCfg *cfg, bool endless, LsArena *arena);

#endif
