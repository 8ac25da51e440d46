// grid.c: turns of blocks.
//
// Blocks run one after the other, in the order of begin_order.c, each to its end. One that has to wait for another
// (block_wait.c) is left: its state is put away and the next one begins, as long as the device has room for another block
// beside those that have begun. When there is none to begin, those that wait have turns, whoever sees something new
// first. If all of them only wait, nobody will ever go on.
//
//   block 0  ----wait                ----wait ...
//         1          ----wait            ----wait
//         2                  --------              the last one of three to come to grid.sync() goes on at once
#include "sim/grid/grid.h"
#include <stdlib.h>
#include <string.h>
#include "sim/core/event.h"
#include "sim/core/slots.h"
#include "sim/grid/begin_order.h"
#include "sim/grid/block_wait.h"
#include "sim/grid/run.h"
#include "sim/grid/state.h"

static const uint64_t MOST_PARKED_BYTES = 1ull << 30;

// ---- states --------------------------------------------------------------------------------------------------------

static void state_drop(SimState *state) { if (state && --state->users == 0) free(state); }

void sim_grid_free(SimGrid *grid) {
  for (int i = 0; i < grid->count; i++) state_drop(grid->parked[i].state);
  free(grid->parked);
  grid->parked = NULL;
  grid->count = 0;
}

void sim_grid_copy(SimGrid *to, const SimGrid *from) {
  sim_grid_free(to);
  *to = *from;
  to->parked = ls_alloc(sizeof *to->parked * (size_t)(from->count + 1));
  to->capacity = from->count + 1;
  for (int i = 0; i < from->count; i++) {
    to->parked[i] = from->parked[i];
    if (to->parked[i].state) to->parked[i].state->users++;
  }
}

static uint32_t known_words(const SimWait *w) { return LS_MIN(w->word_count, (uint32_t)SIM_WAIT_WORDS); }

static SimState *state_new(SimExec *exec) {
  SimWait *w = &exec->block.wait;
  for (uint32_t i = 0; i < known_words(w); i++) w->values[i] = sim_wait_value(exec, w->words[i]);
  SimState *state = ls_alloc(sizeof *state + sim_state_size(exec));
  state->users = 1;
  state->wait = *w;
  sim_state_save(exec, state->bytes);
  return state;
}

// ---- blocks that wait ----------------------------------------------------------------------------------------------

static void park(SimExec *exec) {
  SimGrid *g = &exec->grid;
  if (g->current < 0) {
    SimParked entry = {.block = exec->block.number};
    LS_PUSH(g->parked, g->count, g->capacity, entry);
    for (g->current = g->count - 1; g->current && g->parked[g->current - 1].block > entry.block; g->current--)
      g->parked[g->current] = g->parked[g->current - 1];
    g->parked[g->current] = entry;
    if (g->last >= g->current) g->last++;
  }
  exec->block.turns++;
  g->parked[g->current].state = state_new(exec);
}

static void unpark(SimExec *exec) {
  SimGrid *g = &exec->grid;
  g->ended++;
  if (g->current < 0) return;
  memmove(&g->parked[g->current], &g->parked[g->current + 1], sizeof *g->parked * (size_t)(g->count - g->current - 1));
  g->count--;
  if (g->last >= g->current) g->last--;
}

void sim_grid_leave(SimExec *exec) {
  SimGrid *g = &exec->grid;
  SimBlock *b = &exec->block;
  bool waits = b->wait.stuck && !exec->stopping;
  exec->executed += b->executed + b->charged;
  g->quiet = waits && b->wait.sure && b->wait.block_quiet ? g->quiet + 1 : 0;
  if (waits) park(exec);
  else if (!exec->stopping) unpark(exec);
  if (!exec->stopping) sim_begin_left(exec, waits);
  b->executed = b->charged = 0;
  for (int i = 0; i < exec->fault_state_count && g->count; i++) exec->fault_states[i].in_block = false;
  g->current = -1;
  g->turn++;
  if (!g->count && !exec->stopping) sim_deferred_flush(exec);
}

// Has a word changed that the block looks at?
static bool has_news(const SimExec *exec, const SimWait *w) {
  if (!w->sure || w->word_count > SIM_WAIT_WORDS) return true;
  for (uint32_t i = 0; i < w->word_count; i++) if (sim_wait_value(exec, w->words[i]) != w->values[i]) return true;
  return false;
}

static int choose(const SimExec *exec) {
  const SimGrid *g = &exec->grid;
  for (int i = 1; i <= g->count; i++) {
    int index = (g->last + i) % g->count;
    if (has_news(exec, &g->parked[index].state->wait)) return index;
  }
  return (g->last + 1) % g->count;
}

static void resume(SimExec *exec, int index) {
  SimGrid *g = &exec->grid;
  SimState *state = g->parked[index].state;
  SimBlock *b = &exec->block;
  sim_state_load(exec, state->bytes);
  state_drop(state);
  g->parked[index].state = NULL;
  g->current = g->last = index;
  sim_slots_fill_number(exec);
  exec->group = NULL;
  exec->executed -= b->executed + b->charged;
  b->resumed_at = b->events;
  b->wait.stuck = b->wait.sure = false;
  b->wait.block_quiet = true;
  b->wait.looks = 0;
}

// Nobody goes on by himself: lanes that are held up by lanes that wait may go on without them. If there are none, that
// was it.
static void try_last(SimExec *exec) {
  SimGrid *g = &exec->grid;
  if (g->quiet < g->count) return;
  if (sim_wait_release(exec)) g->quiet = 0;
  else exec->block.wait.hopeless = g->quiet >= 2 * g->count;
}

// With a seed: a block that waits for one that had not begun goes on no more, whoever has run since.
static bool stop_waiter(SimExec *exec) {
  uint32_t other;
  int waiter = sim_begin_verdict(exec, &other);
  if (waiter < 0) return false;
  resume(exec, waiter);
  sim_wait_mark(exec);
  exec->block.wait.awaits = other + 1;
  return true;
}

bool sim_grid_next(SimExec *exec) {
  SimGrid *g = &exec->grid;
  if (stop_waiter(exec)) return true;
  if (g->begun < launch_blocks(exec->program->launch) && (uint64_t)g->count < exec->program->resident) {
    sim_block_start(exec, sim_begin_next(exec));
    return true;
  }
  if (!g->count) return false;
  resume(exec, choose(exec));
  try_last(exec);
  return true;
}

// ---- how many ------------------------------------------------------------------------------------------------------

static uint64_t blocks_per_sm(const SimProgram *program) {
  const SimOptions *o = &program->options;
  uint64_t warps = (uint64_t)program->warp_count, shared = program->shared_bytes + (uint64_t)o->shared_reserved;
  uint64_t blocks = LS_MIN((uint64_t)o->blocks_per_sm, (uint64_t)o->warps_per_sm / warps);
  return shared ? LS_MIN(blocks, (uint64_t)o->shared_per_sm / shared) : blocks;
}

static bool is_too_large(const SimProgram *program, uint64_t per_sm, LsErr *err) {
  return ls_fail(
      err, LS_EREQUEST,
      "%s, so all of its %llu blocks have to be on the device at the same time; %d multiprocessors hold "
      "%llu of them each (%llu threads, %llu bytes of shared memory), which makes %llu. "
      "A GPU refuses this launch (cudaErrorCooperativeLaunchTooLarge): launch fewer blocks and let each do "
      "more, in a loop over the grid",
      program->syncs_grid ? "the kernel calls grid.sync()" : "the launch is cooperative",
      (unsigned long long)launch_blocks(program->launch), program->options.sm_count, (unsigned long long)per_sm,
      (unsigned long long)program->thread_count, (unsigned long long)program->shared_bytes,
      (unsigned long long)(per_sm * (uint64_t)program->options.sm_count));
}

bool sim_grid_check(SimProgram *program, size_t state_bytes, LsErr *err) {
  uint64_t blocks = launch_blocks(program->launch), per_sm = LS_MAX(blocks_per_sm(program), 1);
  uint64_t fit = MOST_PARKED_BYTES / state_bytes, room = per_sm * (uint64_t)LS_MAX(program->options.sm_count, 1);
  program->straight = !sim_wait_is_possible(program);
  program->shares = blocks > 1 && !program->straight;
  program->resident = LS_MAX(LS_MIN(room, fit), 1);
  if (!program->cooperative || blocks <= program->resident) return true;
  if (blocks > room) return is_too_large(program, per_sm, err);
  return ls_fail(err, LS_EUNSUPPORTED,
                 "the blocks of a cooperative launch are there together, and %llu of them need more memory than the %llu MB "
                 "that the emulator keeps for them", (unsigned long long)blocks,
                 (unsigned long long)(MOST_PARKED_BYTES >> 20));
}
