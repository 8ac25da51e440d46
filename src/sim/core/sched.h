// sched.h: which lanes of a warp run together, where they part and where they meet again.
#ifndef LS_SIM_SCHED_H
#define LS_SIM_SCHED_H

#include <stdbool.h>
#include <stdint.h>
#include "sim/core/exec.h"

void sim_sched_start(SimExec *exec, int warp, uint32_t lanes, int32_t pc);
bool sim_sched_pick(SimExec *exec);                        // makes a group the running one; false: none can run
static inline void sim_sched_leave(SimExec *exec) {        // stores the running group's pc
  if (exec->group) exec->group->pc = exec->pc;
  exec->group = NULL;
}
bool sim_sched_arrive(SimExec *exec);                      // at stop_pc: true if the group waits (choose again)
// Parts the running group: the lanes in `mask` go to `pc`, the rest to `rest_pc`; all meet at `meet` (-1: nowhere).
void sim_sched_split(SimExec *exec, uint32_t mask, int32_t pc, int32_t rest_pc, int32_t meet);
// The running group, all of the warp, has just parted, and those that jumped are where all meet: the others go there
// before anything else is done. False: somebody else may have to go first.
bool sim_sched_aside(SimExec *exec);
// The same of a whole warp of which some lanes are about to jump at exec->pc to where all meet: may it be?
bool sim_sched_may_part_aside(const SimExec *exec);
void sim_sched_part_aside(SimExec *exec, uint32_t jumpers, int32_t meet);
void sim_sched_aside_end(SimExec *exec);                   // they have come there, and all go on
// The same at a branch: they meet where it says; to the branch itself: they execute it once more.
void sim_sched_part(SimExec *exec, const SimBranch *branch, uint32_t mask, int32_t to, int32_t rest_to);
void sim_sched_go(SimExec *exec, const SimBranch *branch, int32_t to);   // all of the running group go one way
// All of the running group will meet where the branch has them meet, though they have not parted yet.
void sim_sched_expect(SimExec *exec, const SimBranch *branch);
void sim_sched_return(SimExec *exec);                      // the running group returns: nobody here waits for it
// The running group has just parted at a level of the recursion `func`: so many lanes leave it, so many go on.
//
// Optimized code keeps the convergence barrier of such a branch in a register of the warp, saves it on the stack at
// each level, and clears it while lanes of outer levels still wait at it. 7,199 launches of six kernels on an H200 gave the
// groups that this rule gives: where at least as many lanes leave as go on, and these part once more
// further in, the lanes that wait at outer levels go on alone, level by level, and meet nobody behind the recursion.
void sim_sched_level(SimExec *exec, int func, uint32_t leave, uint32_t go_on);
int sim_sched_conv(SimExec *exec, uint32_t members, int32_t pc, uint16_t depth, int16_t parent);
void sim_sched_exit(SimExec *exec, uint32_t lanes);        // of the running group; barriers have to be looked at again
// The same of all lanes of a warp that has one group, and where nobody waits. False: there are more, nothing was done.
static inline bool sim_sched_end(SimExec *exec) {
  SimWarp *w = exec->warp;
  if (w->group_count != 1 || w->conv_count || exec->active != w->live) return false;
  w->live = 0;
  exec->block.live_warps &= ~(1u << sim_warp_index(exec));
  w->exit_pc = exec->pc;
  w->groups[0].mask = exec->active = 0;
  exec->group = NULL;
  w->group_count = 0;
  w->picked = w->prefer = -1;
  exec->block.idle_turns = 0;
  w->turns = 0;
  exec->block.changes++;
  return true;
}
void sim_sched_enter(SimExec *exec, int32_t pc);           // the running group's pc changes
bool sim_sched_release(SimWarp *warp, uint32_t blockers);  // lanes that wait for `blockers` go on alone
void sim_sched_take(SimExec *exec, int index);             // the running group takes the lanes of another one
// Of `others`, lanes of the same warp, those that were to meet some of `mask` before they end: a place where they would
// be together is still ahead, or they went past one, or came to a barrier of their own.
uint32_t sim_sched_expected(const SimExec *exec, const SimWarp *warp, uint32_t mask, uint32_t others);
uint32_t sim_lanes_that_could_run(const SimExec *exec, const SimWarp *warp);
void sim_swap_top(SimExec *exec);                          // the last two groups change places
uint64_t sim_random(SimExec *exec);

#endif
