// stuck.c: nobody of a block can go on, or the budget is used up: who waits where, in words.
#include "sim/check/fault.h"
#include "sim/core/barrier.h"
#include "sim/core/memory.h"
#include "sim/core/place.h"

static void add_waiting(SimExec *exec, LsText *out) {
  const char *comma = "";
  for (int k = 0; k < exec->warp_count; k++) {
    const SimWarp *w = &exec->warps[k];
    for (int i = 0; i < w->group_count; i++) {
      const SimLanes *g = &w->groups[i];
      if (g->state != SIM_GROUP_BARRIER) continue;
      int last = k;
      while (last + 1 < exec->warp_count && exec->warps[last + 1].group_count == 1 && w->group_count == 1 &&
             exec->warps[last + 1].groups[0].state == SIM_GROUP_BARRIER &&
             exec->warps[last + 1].groups[0].pc == g->pc && exec->warps[last + 1].groups[0].barrier == g->barrier)
        last++;
      ls_text_add(out, comma);
      if (g->mask != w->exist && last == k) { sim_fault_lanes(g->mask, out); ls_text_add(out, " of "); }
      if (last > k) ls_text_addf(out, "warps %d-%d wait at ", k, last);
      else ls_text_addf(out, "warp %d %s at ", k, g->mask != w->exist ? "wait" : "waits");
      if (g->barrier == SIM_CLUSTER_BARRIER) ls_text_add(out, "the barrier of the cluster (");
      else ls_text_addf(out, "barrier %d (", g->barrier);
      sim_fault_where(exec->program, sim_reported_pc(exec, w, g, g->pc), out);
      ls_text_add(out, ")");
      comma = "; ";
      k = last;
      break;
    }
  }
}

static void add_ended(SimExec *exec, LsText *out) {
  for (int k = 0; k < exec->warp_count; k++) {
    const SimWarp *w = &exec->warps[k];
    if (w->live || w->exit_pc < 0) continue;
    int last = k;
    while (last + 1 < exec->warp_count && !exec->warps[last + 1].live && exec->warps[last + 1].exit_pc == w->exit_pc)
      last++;
    if (last > k) ls_text_addf(out, "; warps %d-%d ended at ", k, last);
    else ls_text_addf(out, "; warp %d ended at ", k);
    sim_fault_where(exec->program, w->exit_pc, out);
    k = last;
  }
}

static void add_counts(const SimExec *exec, LsText *out) {
  for (int id = 0; id < SIM_BARRIERS; id++) {
    const SimBarrier *b = &exec->block.barriers[id];
    if (b->used && b->threads)
      ls_text_addf(out, "; barrier %d has %u of the %u threads it waits for", id, sim_barrier_threads(b),
                   b->threads);
  }
}

// Makes the first group that is there the running one, so that the fault has a place.
static void stand_somewhere(SimExec *exec) {
  for (int k = 0; k < exec->warp_count; k++) {
    SimWarp *w = &exec->warps[k];
    for (int i = 0; i < w->group_count; i++) {
      exec->warp = w;
      exec->group = &w->groups[i];
      exec->active = exec->group->mask;
      exec->pc = exec->group->pc;
      return;
    }
  }
}

void sim_fault_deadlock(SimExec *exec) {
  LsText text = {0};
  ls_text_add(&text, "nobody can go on: ");
  add_waiting(exec, &text);
  add_ended(exec, &text);
  add_counts(exec, &text);
  stand_somewhere(exec);
  sim_fault(exec, &(SimFaultPlace){.kind = FAULT_DEADLOCK, .mask = exec->active, .text = ls_text_str(&text)});
  exec->group = NULL;
  ls_text_free(&text);
}

// The jump back that was executed most often, -1 if there is none.
static int32_t busiest_loop(const SimExec *exec) {
  int32_t best = -1;
  for (int32_t pc = 0; pc < exec->program->module->code_count; pc++) {
    const PtxInstr *in = &exec->program->module->code[pc];
    bool back = in->op == PTX_OP_bra && in->operands[0].kind == PTX_OPD_LABEL && in->operands[0].target <= pc;
    if (back && exec->tally_warps[pc] > (best < 0 ? 1 : exec->tally_warps[best])) best = pc;
  }
  return best;
}

// It is nobody's fault in particular, but it happened somewhere.
void sim_fault_budget(SimExec *exec) {
  LsText text = {0};
  sim_settle_counts(exec);
  int32_t loop = busiest_loop(exec);
  ls_text_addf(&text, "the budget of %llu warp instructions is used up with %u of %llu blocks done",
               (unsigned long long)exec->budget, (unsigned)exec->grid.ended,
               (unsigned long long)launch_blocks(exec->program->launch));
  if (loop >= 0) {
    ls_text_addf(&text, "; warps went round the loop that ends at ");
    sim_fault_where(exec->program, loop, &text);
    ls_text_addf(&text, " %llu times", (unsigned long long)exec->tally_warps[loop]);
  }
  stand_somewhere(exec);
  sim_fault(exec, &(SimFaultPlace){.kind = FAULT_BUDGET, .mask = exec->active, .text = ls_text_str(&text)});
  exec->group = NULL;
  ls_text_free(&text);
}

// Lanes that stand at a convergence barrier, or in a group that has no turn.
static void add_parked(SimExec *exec, const SimWarp *w, LsText *out) {
  int top = w->group_count - 1;
  for (int i = 0; i < top && exec->sched == SIM_STACK; i++) {
    ls_text_add(out, "; ");
    sim_fault_lanes(w->groups[i].mask, out);
    ls_text_add(out, " could go on at ");
    sim_fault_where(exec->program, sim_reported_pc(exec, w, &w->groups[i], w->groups[i].pc), out);
    ls_text_add(out, ", but this scheduler has one program counter for the warp and never turns to them");
  }
  for (int c = 0; c < w->conv_count; c++) {
    if (!w->convs[c].members || !w->convs[c].arrived) continue;
    ls_text_add(out, "; ");
    sim_fault_lanes(w->convs[c].arrived, out);
    ls_text_addf(out, " %s for them at ", __builtin_popcount(w->convs[c].arrived) == 1 ? "waits" : "wait");
    sim_fault_where(exec->program, w->convs[c].pc, out);
  }
}

static void add_blocks(const SimParked *first, int count, LsText *out) {
  if (count == 1) ls_text_addf(out, "; block %u waits", first->block);
  else ls_text_addf(out, "; blocks %u-%u wait", first->block, first[count - 1].block);
}

static int32_t waits_at(const SimExec *exec, const SimParked *p) {
  return p->state ? p->state->wait.reported_pc : exec->block.wait.reported_pc;
}

static void add_waiting_blocks(const SimExec *exec, LsText *out) {
  const SimGrid *g = &exec->grid;
  int stretches = 0;
  for (int i = 0, n; i < g->count && stretches < 6; i += n, stretches++) {
    const SimParked *p = &g->parked[i];
    for (n = 1; i + n < g->count && p[n].block == p->block + (uint32_t)n; n++)
      if (waits_at(exec, &p[n]) != waits_at(exec, p)) break;
    add_blocks(p, n, out);
    ls_text_add(out, " at ");
    sim_fault_where(exec->program, waits_at(exec, p), out);
  }
  if (g->ended) ls_text_addf(out, "; %llu of the blocks ended", (unsigned long long)g->ended);
  if (g->begun < launch_blocks(exec->program->launch))
    ls_text_addf(out, "; %llu cannot begin: the device has room for %llu at a time",
                 (unsigned long long)(launch_blocks(exec->program->launch) - g->begun),
                 (unsigned long long)exec->program->resident);
}

// begin_order.c has found it.
static void add_awaited(const SimExec *exec, bool one, LsText *out) {
  ls_text_addf(out, " and %s for block %u, which had not begun by then", one ? "waits" : "wait",
               exec->block.wait.awaits - 1);
}

// Does the running block look at the word where the blocks of a cooperative launch meet?
static bool waits_for_grid(const SimExec *exec) {
  const SimWait *wait = &exec->block.wait;
  for (uint32_t i = 0; exec->program->cooperative && i < LS_MIN(wait->word_count, (uint32_t)SIM_WAIT_WORDS); i++)
    if (wait->words[i] == exec->program->workspace + SIM_BARRIER_OFFSET) return true;
  return false;
}

// The first block that has ended; `parked` is in order of numbers.
static uint32_t first_ended(const SimGrid *g) {
  uint32_t block = 0;
  while (block < (uint32_t)g->count && g->parked[block].block == block) block++;
  return block;
}

static void fault_grid_sync(SimExec *exec) {
  LsText text = {0};
  const SimGrid *g = &exec->grid;
  ls_text_add(&text, "nobody can go on: not all blocks come to grid.sync()");
  add_waiting_blocks(exec, &text);
  if (g->ended) ls_text_addf(&text, ", block %u without coming to it", first_ended(g));
  stand_somewhere(exec);
  sim_fault(exec, &(SimFaultPlace){.kind = FAULT_DEADLOCK, .mask = exec->active, .text = ls_text_str(&text)});
  exec->group = NULL;
  ls_text_free(&text);
}

// Makes lanes of the warp that spin the running ones.
static void add_spinning(SimExec *exec, SimWarp *w, LsText *out) {
  exec->warp = w;
  exec->group = &w->groups[w->group_count - 1];
  for (int i = 0; i < w->group_count; i++) if (w->groups[i].mask & w->spinning) exec->group = &w->groups[i];
  exec->active = exec->group->mask;
  exec->pc = exec->group->pc;
  bool one = __builtin_popcount(exec->active) == 1;
  sim_fault_lanes(exec->active, out);
  ls_text_addf(out, " of warp %d %s at ", sim_warp_index(exec), one ? "spins" : "spin");
  sim_fault_where(exec->program, sim_reported_pc(exec, w, exec->group, exec->pc), out);
  if (exec->block.wait.awaits) { add_awaited(exec, one, out); return; }
  ls_text_addf(out, " and nothing %s can change", one ? "it looks at" : "they look at");
  if (exec->program->shares) add_waiting_blocks(exec, out);
  add_parked(exec, w, out);
}

void sim_fault_livelock(SimExec *exec) {
  const SimWait *wait = &exec->block.wait;
  LsText text = {0};
  int k = 0;
  if (waits_for_grid(exec)) {
    fault_grid_sync(exec);
    return;
  }
  while (k < exec->warp_count && !(exec->warps[k].spinning && exec->warps[k].group_count)) k++;
  if (k < exec->warp_count) add_spinning(exec, &exec->warps[k], &text);
  sim_fault(exec, &(SimFaultPlace){.kind = FAULT_LIVELOCK, .mask = exec->active, .text = ls_text_str(&text),
                                   .has_other = wait->awaits != 0, .other_pc = wait->reported_pc,
                                   .other_block = wait->awaits ? wait->awaits - 1 : 0});
  exec->group = NULL;
  ls_text_free(&text);
}
