// block_wait.h: warps that wait for another block.
#ifndef LS_SIM_BLOCK_WAIT_H
#define LS_SIM_BLOCK_WAIT_H

#include <stdbool.h>
#include <stdint.h>
#include "sim/core/exec.h"

bool sim_wait_is_possible(const SimProgram *program);   // can a block of this kernel wait for another? By its code
void sim_wait_strong(SimExec *exec, const SimInst *inst, uint32_t mask);   // a strong access; addresses are generic
void sim_wait_branch(SimExec *exec);   // while alert and not watching: a jump back
void sim_wait_round_start(SimExec *exec);
bool sim_wait_round_end(SimExec *exec);   // true: the block has to wait for another one
bool sim_wait_give_way(SimExec *exec, bool sure);   // nothing changes here: perhaps another block does something
uint64_t sim_wait_value(const SimExec *exec, uint64_t addr);   // up to eight bytes that are there
// With a seed: words that strong accesses of the running block changed, as bits; those of long ago are forgotten.
uint32_t sim_wait_changes(const SimExec *exec);
bool sim_wait_changed(const SimWait *wait, uint32_t changes, uint64_t addr);   // is it one of those of that block?
void sim_wait_mark(SimExec *exec);      // SimWarp.spinning: lanes of warps that wait
bool sim_wait_release(SimExec *exec);   // lanes that wait for lanes that wait for nothing go on alone

// ---- turns, of kernels whose blocks may wait for one another -------------------------------------------------------
static inline void sim_wait_turn_open(SimExec *exec) {
  SimBlock *b = &exec->block;
  SimWarp *w = exec->warp;
  b->alert |= w->asleep;
  b->wait.looked = false;
  b->wait.turn_quiet = w->asleep;
  b->wait.turn_changes = w->wait_changes = b->changes;
  b->wait.turn_executed = b->executed;
  w->wait_count = 0;
  if (!w->asleep) w->wait_pc = -1;
}

static inline void sim_wait_turn_close(SimExec *exec) {
  SimBlock *b = &exec->block;
  SimWait *w = &b->wait;
  if (!w->yielded && b->executed != w->turn_executed) exec->warp->asleep = false;
  bool quiet = b->executed == w->turn_executed || (w->yielded && w->turn_quiet && b->changes == w->turn_changes);
  w->round_quiet &= quiet;
  w->round_waits |= w->yielded;
}

static inline void sim_wait_turn_start(SimExec *exec) {
  exec->block.wait.yielded = false;
  exec->block.alert = exec->block.watching;
  if (exec->program->shares) sim_wait_turn_open(exec);
}

static inline void sim_wait_turn_end(SimExec *exec) { if (exec->program->shares) sim_wait_turn_close(exec); }

#endif
