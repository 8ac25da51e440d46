// begin_order.c: which block begins next, and who waits for one that begins later.
//
// With a seed the blocks of a window begin in an order of its own (core/block_order.h). A block that waits there for one
// with a lower number, which has not begun, relies on the order of numbers, and may wait for ever: who waits can take
// the room that the other needs. So does a block that waits for a higher number, but such kernels (a barrier of
// the grid by hand) say how many blocks they need, and are right where all have room. The two are told apart:
//
//   5 waits:   0 1 2 3 4 begin, in this order     one of them waits, too: it is a matter of room, not of order
//                                                 one looks at what 5 has changed: so are two that meet
//                                                 all end, and 5 may go on: it waited for the one that let it
//
// Two blocks have room on every device, so of those nothing is told.
#include "sim/grid/begin_order.h"
#include "base/random.h"
#include "sim/core/block_order.h"
#include "sim/grid/block_wait.h"

enum { LEAST_BLOCKS = 3 };

// ---- the next one --------------------------------------------------------------------------------------------------

static uint64_t window_first(const SimGrid *g) { return (g->begun - 1) / SIM_ORDER_WINDOW * SIM_ORDER_WINDOW; }

static uint32_t bit_of(const SimGrid *g, uint32_t block) { return 1u << (block - window_first(g)); }

// Of the window of the block that began last.
static uint32_t have_begun(const SimExec *exec) {
  const SimGrid *g = &exec->grid;
  uint32_t begun = g->window_begun;
  for (uint64_t place = window_first(g); !g->window_begun && place < g->begun; place++)
    begun |= bit_of(g, sim_block_at(exec->program, place));
  return begun;
}

static uint32_t next_of_rest(const SimExec *exec) {
  const SimGrid *g = &exec->grid;
  uint64_t place = window_first(g);
  if (g->suspect) return (uint32_t)place + (uint32_t)__builtin_ctz(~g->window_begun);
  while (g->window_begun & bit_of(g, sim_block_at(exec->program, place))) place++;
  return sim_block_at(exec->program, place);
}

uint32_t sim_begin_next(SimExec *exec) {
  SimGrid *g = &exec->grid;
  if (g->begun % SIM_ORDER_WINDOW == 0) g->window_begun = 0;
  uint32_t block = g->window_begun ? next_of_rest(exec) : sim_block_at(exec->program, g->begun);
  g->begun++;
  if (g->window_begun) g->window_begun |= bit_of(g, block);
  return block;
}

// ---- the one that waits --------------------------------------------------------------------------------------------

static int index_of(const SimGrid *g, uint32_t block) {
  int index = 0;
  while (index < g->count && g->parked[index].block != block) index++;
  return index < g->count ? index : -1;
}

// What is in the words that it looks at.
static uint64_t words_of(const SimExec *exec, const SimWait *w) {
  uint64_t values[SIM_WAIT_WORDS];
  for (uint32_t i = 0; i < w->word_count; i++) values[i] = sim_wait_value(exec, w->words[i]);
  return ls_hash64(values, w->word_count * sizeof *values);
}

static uint32_t lower_ones(const SimGrid *g, uint32_t block) { return bit_of(g, block) - 1; }

static void suspect(SimExec *exec) {
  SimGrid *g = &exec->grid;
  const SimBlock *b = &exec->block;
  if (!exec->seed || exec->program->cooperative || launch_blocks(exec->program->launch) < LEAST_BLOCKS) return;
  if (!b->wait.sure || b->wait.word_count > SIM_WAIT_WORDS || b->number < window_first(g)) return;
  uint32_t begun = have_begun(exec);
  if (!(lower_ones(g, b->number) & ~begun)) return;
  g->window_begun = begun;
  g->suspect = b->number + 1;
  g->suspect_words = words_of(exec, &b->wait);
  g->suspect_changes = sim_wait_changes(exec);
  g->let_go_by = 0;
}

// Would it have waited for what the other changed, had the other not begun?
void sim_begin_look(SimExec *exec, uint32_t mask) {
  SimGrid *g = &exec->grid;
  int index = g->suspect && exec->block.number + 1 != g->suspect ? index_of(g, g->suspect - 1) : -1;
  if (index < 0) return;
  const SimWait *w = &g->parked[index].state->wait;
  SIM_FOR_LANES(i, mask) g->only_room |= sim_wait_changed(w, g->suspect_changes, exec->addr[i]);
  if (g->only_room) g->suspect = 0;
}

void sim_begin_left(SimExec *exec, bool waits) {
  SimGrid *g = &exec->grid;
  uint32_t number = exec->block.number;
  if (g->only_room) return;
  if (!g->suspect) {
    if (waits) suspect(exec);
    return;
  }
  if (number + 1 == g->suspect) return;
  g->only_room = waits;
  if (waits) { g->suspect = 0; return; }
  int index = index_of(g, g->suspect - 1);
  uint64_t words = index < 0 ? 0 : words_of(exec, &g->parked[index].state->wait);
  if (words != g->suspect_words) g->let_go_by = number + 1;
  g->suspect_words = words;
}

int sim_begin_verdict(SimExec *exec, uint32_t *other) {
  SimGrid *g = &exec->grid;
  if (!g->suspect || lower_ones(g, g->suspect - 1) & ~g->window_begun) return -1;
  int index = index_of(g, g->suspect - 1);
  *other = g->let_go_by - 1;
  g->suspect = 0;
  return g->let_go_by ? index : -1;
}
