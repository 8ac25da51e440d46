// stints.h: turns of warps that are taken in pieces, so that the warps of a block go on side by side.
//
// A round is as in turns.c: every warp has a turn. Here it is gone through in passes, in which each warp has a stint of
// its turn:
//
//   warp 0   ---        ----       --- |                   a stint is some 16 instructions, to the end of a source line;
//        1      ----        --|                            | is where the turn ends: used up, or the warp has to wait
//        2          --|        ---                         a warp that waited begins another turn as soon as it can run
//
// What a turn knows of itself (spin.c, block_wait.c) is put away between its stints, so everything that turns decide,
// who spins and who waits for another block, comes out as if the warp had had it in one piece.
#ifndef LS_SIM_STINTS_H
#define LS_SIM_STINTS_H

#include <stdbool.h>
#include "sim/core/exec.h"

void sim_stints_start(SimExec *exec);      // a round begins
bool sim_stints_pass(SimExec *exec);       // a pass is over: true if the round goes on
bool sim_stint_none(SimExec *exec);        // the running warp has no stint in this pass
void sim_stint_start(SimExec *exec, uint64_t budget_left);   // its turn has begun, now or before
// How much longer a stint will be that is used up at pc, which is so many instructions ahead.
int32_t sim_stint_more(const SimExec *exec, int32_t pc, int32_t ahead);
// The length of a stint that goes round a loop of one line, from `at` instructions behind its start; moves that on.
int32_t sim_stint_round(const SimExec *exec, const SimInst *line, int32_t *at);
bool sim_stint_extend(SimExec *exec, int32_t pc);   // of lanes at pc: to the end of the line; false: the stint is over
bool sim_stint_end(SimExec *exec);         // true if the turn ends with it; else it is put away

#endif
