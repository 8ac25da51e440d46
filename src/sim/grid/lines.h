// lines.h: straight lines executed as one by a warp that has not parted, where nobody watches or all is told at once.
#ifndef LS_SIM_GRID_LINES_H
#define LS_SIM_GRID_LINES_H

#include <stdbool.h>
#include "sim/core/exec.h"
#include "sim/grid/rounds.h"

// The running group goes on by lines until it comes to where lanes meet, the turn is used up, or the run stops: true.
// False if it waits, parted, or ended. bare: nobody is told of the lines.
bool sim_lines_run(SimExec *exec, bool bare);
// Many rounds of a loop of one line of n instructions at once, if that can be: counted, and exec->pc behind them.
bool sim_lines_rounds(SimExec *exec, const SimInst *line, int n);
// A line up to the loop of that kind in it, if it has one.
SimNext sim_lines_up_to_loop(SimExec *exec, const SimInst *line);
static inline bool sim_lines_leads_to_loop(const SimExec *exec, const SimInst *line) {
  return line->to_loop && sim_rounds_may_run(exec, line + line->to_loop);
}

// The next instruction of its line that is not left out, or what is behind the line.
static inline const SimInst *sim_inst_after(const SimInst *in) {
  return (const SimInst *)(const void *)((const uint8_t *)in + in->hop);
}

// What is told of a jump of all lanes in `taken`, or none; of the load of a parameter by the lanes in `active`: into an
// act that is as sim_line_act makes it. (Field by field: who copies what has just been put together waits for it.)
void sim_jump_act(TraceAct *act, const SimInst *in, uint32_t taken);
void sim_param_act(TraceAct *act, const SimInst *in, uint32_t active);

#endif
