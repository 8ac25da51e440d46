// run.c: the start and the end of a run, its counts, and a block from where it begins to where it ends or has to wait.
#include "sim/grid/run.h"
#include <stdlib.h>
#include <string.h>
#include "base/clock.h"
#include "sim/check/async_copy.h"
#include "sim/check/coverage.h"
#include "sim/check/shadow.h"
#include "sim/core/event.h"
#include "sim/core/sched.h"
#include "sim/core/slots.h"
#include "sim/core/sums.h"
#include "sim/grid/grid.h"
#include "sim/grid/spin.h"
#include "sim/grid/turns.h"

void sim_progress(SimExec *exec, uint64_t blocks_done, bool always) {
  const SimOptions *o = &exec->program->options;
  if (!o->progress || !exec->reports_progress) return;
  uint64_t now = ls_clock_ms();
  if (!always && now - exec->last_progress < 20) return;
  exec->last_progress = now;
  o->progress(o->progress_context, blocks_done, launch_blocks(exec->program->launch));
}

static void send_tallies(SimExec *exec) {
  sim_settle_counts(exec);
  if (!exec->sink || !exec->sink->tally) return;
  TraceTally *tallies = ls_alloc(sizeof *tallies * ((size_t)exec->program->module->code_count + 1));
  int count = 0;
  uint64_t absent = (32 - launch_threads(exec->program->launch) % 32) % 32;   // of the last warp of a block
  for (int pc = 0; pc < exec->program->module->code_count; pc++)
    if (exec->tally_warps[pc])
      tallies[count++] =
          (TraceTally){pc, exec->tally_warps[pc], exec->tally_lanes[pc], absent * exec->tally_partial[pc]};
  exec->sink->tally(exec->sink, tallies, count);
  free(tallies);
}

void sim_run_start(SimExec *exec, TraceSink *sink) {
  exec->sink = sink;
  exec->stopping = exec->failed = exec->canceled = false;
  exec->thread_total = 1;
  exec->step = exec->executed = exec->poll_at = 0;
  sim_sums_forget(exec);
  exec->block = (SimBlock){0};
  sim_grid_copy(&exec->grid, &(SimGrid){.current = -1, .last = -1});
  size_t bytes = sizeof(uint64_t) * ((size_t)exec->program->module->code_count + 1);
  memset(exec->tally_warps, 0, bytes);
  memset(exec->tally_lanes, 0, bytes);
  memset(exec->run_warps, 0, bytes);
  memset(exec->run_missing, 0, bytes);
  memset(exec->tally_partial, 0, bytes);
  memset(exec->run_partial, 0, bytes);
}

void sim_run_end(SimExec *exec) {
  sim_deferred_flush(exec);
  exec->recording = false;
  sim_sums_tell(exec);
  send_tallies(exec);
  sim_output_send(exec);
  if (!exec->canceled) sim_coverage_send(exec);
  sim_progress(exec, exec->grid.ended, true);
}

// ---- blocks --------------------------------------------------------------------------------------------------------

static uint32_t lanes_of_warp(const SimExec *exec, int warp) {
  uint32_t left = exec->program->thread_count - (uint32_t)warp * SIM_LANES;
  return left >= SIM_LANES ? SIM_FULL : (1u << left) - 1;
}

// Barriers that nobody came to are zero as they are.
static void clear_block(SimExec *exec) {
  SIM_FOR_LANES(id, exec->block.used_barriers) exec->block.barriers[id] = (SimBarrier){0};
  memset(&exec->block, 0, offsetof(SimBlock, barriers));
}

void sim_block_start(SimExec *exec, uint32_t block) {
  const uint32_t *grid = exec->program->launch->grid;
  uint32_t epoch = exec->block.epoch;
  if (exec->hooks)
    memset(exec->hooks->written, 0, sizeof(uint32_t) * (size_t)exec->hooks->written_count * (size_t)exec->warp_count);
  sim_memory_use(exec->memory);
  clear_block(exec);
  exec->block.number = block;
  exec->block.index[0] = block % grid[0];
  exec->block.index[1] = block / grid[0] % grid[1];
  exec->block.index[2] = block / grid[0] / grid[1];
  exec->block.random = exec->seed * 0x9e3779b97f4a7c15ull + block;
  exec->block.epoch = epoch;
  exec->block.watch_at = sim_spin_first(exec->program);
  exec->block.deferred = exec->grid.count > 0;
  exec->group = NULL;
  for (int k = 0; k < exec->warp_count; k++)
    sim_sched_start(exec, k, lanes_of_warp(exec, k), exec->program->module->funcs[exec->program->entry].first);
  sim_slots_fill_block(exec);
  memset(exec->shared, 0, exec->program->shared_bytes);
  memset(exec->local, 0, exec->program->local_bytes * (uint64_t)exec->warp_count * SIM_LANES);
  if (exec->checks & SIM_CHECK_INIT) {
    memset(exec->shared_init, 0, exec->program->shared_bytes);
    memset(exec->local_init, 0, exec->program->local_bytes * (uint64_t)exec->warp_count * SIM_LANES);
  }
  if (exec->program->has_calls) {
    memset(exec->lane_params, 0, exec->program->lane_param_bytes * (uint64_t)exec->warp_count * SIM_LANES);
    for (int i = 0; i < exec->warp_count * SIM_LANES; i++) {
      exec->frames[i] = (uint32_t)exec->program->stack_first;
      exec->stack_tops[i] = (uint32_t)exec->program->stack_first;
    }
  }
  if (exec->checks & SIM_CHECK_RACE) sim_shadow_start(exec);
  sim_async_copy_block(exec);
}

static bool is_recorded(const SimExec *exec, uint32_t block) {
  const SimOptions *o = &exec->program->options;
  if (!exec->sink || (o->record_limit && exec->step + sim_deferred_count(exec) >= o->record_limit)) return false;
  return o->record_block ? o->record_block[block] != 0 : o->record_all;
}

void sim_run_turn(SimExec *exec) {
  SimBlock *b = &exec->block;
  TraceSink *sink = exec->sink;
  if (!b->turns) b->recorded = is_recorded(exec, b->number);
  exec->recording = b->recorded;
  if (sink && sink->begin_block) sink->begin_block(sink, b->number, b->recorded && !b->deferred);
  sim_block_go(exec);
  if (sink && sink->end_block) sink->end_block(sink, b->number);
  sim_grid_leave(exec);
  if (exec->executed >= exec->poll_at) sim_poll(exec);
}
