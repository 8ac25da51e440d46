// cfg_endless.h: loops without an end: sets of blocks that reach one another, and nothing else.
#ifndef LS_PTX_CFG_ENDLESS_H
#define LS_PTX_CFG_ENDLESS_H

#include "ptx/cfg.h"

// For each block the first block of its endless loop, or -1. `ends`: per block, whether a thread may end there.
void ptx_cfg_endless(const PtxCfg *cfg, const bool *ends, int *loop);

#endif
