// block_order.h: in which order the blocks of a grid begin.
//
// Without a seed in the order of their numbers. CUDA promises no order (programming guide, "Thread Hierarchy": blocks may
// run in any order, in parallel or in series), so a seed brings every SIM_ORDER_WINDOW blocks in a row into another one,
// in which the first of them is never the first. Places and numbers both count from 0.
#ifndef LS_SIM_BLOCK_ORDER_H
#define LS_SIM_BLOCK_ORDER_H

#include <stdint.h>
#include "sim/core/program.h"

enum { SIM_ORDER_WINDOW = 32 };

uint32_t sim_block_at(const SimProgram *program, uint64_t place);      // the number of the block that begins there
uint64_t sim_place_of(const SimProgram *program, uint32_t block);      // the inverse
uint32_t sim_window_size(const SimProgram *program, uint64_t first);   // blocks of the window that begins there

#endif
