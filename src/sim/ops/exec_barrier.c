// exec_barrier.c: block barriers. A barrier counts lanes per warp: a warp is there when all its living lanes are.
#include "sim/internal.h"

static bool warp_is_there(const SimWarp *w, uint32_t lanes) { return lanes && !(w->live & ~lanes); }

static uint32_t threads_there(const Sim *sim, const SimBarrier *b, uint32_t *warps) {
  uint32_t threads = 0;
  *warps = 0;
  for (int k = 0; k < sim->warp_count; k++) {
    if (!b->lanes[k]) continue;
    bool whole = warp_is_there(&sim->warps[k], b->lanes[k]);
    threads += whole ? SIM_LANES : (uint32_t)sim_popcount(b->lanes[k]);
    if (whole) ++*warps;
  }
  return threads;
}

uint32_t sim_barrier_threads(const Sim *sim, const SimBarrier *b) {
  uint32_t warps;
  return threads_there(sim, b, &warps);
}

static uint32_t warps_expected(const Sim *sim, const SimBarrier *b) {
  if (b->threads) return (b->threads + SIM_LANES - 1) / SIM_LANES;
  uint32_t count = 0;
  for (int k = 0; k < sim->warp_count; k++) if (sim->warps[k].live || b->lanes[k]) count++;
  return count;
}

static bool is_complete(const Sim *sim, const SimBarrier *b) {
  uint32_t warps, threads = threads_there(sim, b, &warps);
  if (b->threads) return threads >= b->threads;
  for (int k = 0; k < sim->warp_count; k++)
    if (sim->warps[k].live & ~b->lanes[k]) return false;
  return threads > 0;
}

// bar.red: every waiting lane gets the result.
static void give_result(Sim *sim, int warp, const SimLanes *g, const SimBarrier *b) {
  const SimWarpOp *op = sim->code[g->pc].more;
  if (op->d == SIM_NO_SLOT) return;
  uint8_t *regs = sim->files + (size_t)warp * sim->file_bytes;
  if (op->type == PTX_PRED) {
    uint32_t *p = sim_u32(regs, op->d);
    bool yes = op->b == PTX_BOOL_AND ? b->all : b->any;
    *p = (*p & ~g->mask) | (yes ? g->mask : 0);
    return;
  }
  SIM_FOR_LANES(i, g->mask) sim_u32(regs, op->d)[i] = b->popc;
}

bool sim_barrier_check(Sim *sim, int id) {
  SimBarrier *b = &sim->block.barriers[id];
  if (!b->used || !is_complete(sim, b)) return false;
  uint32_t met = 0;
  for (int k = 0; k < sim->warp_count; k++) {
    SimWarp *w = &sim->warps[k];
    if (!b->lanes[k]) continue;
    met |= 1u << k;
    w->turns = 0;
    for (int i = 0; i < w->group_count; i++) {
      SimLanes *g = &w->groups[i];
      if (g->state != SIM_GROUP_BARRIER || g->barrier != id) continue;
      give_result(sim, k, g, b);
      g->state = SIM_GROUP_RUN;
      g->pc++;
    }
  }
  if (sim->options.checks & SIM_CHECK_RACE) sim_shadow_meet(sim, met);
  *b = (SimBarrier){0};
  sim->block.idle_turns = 0;
  sim->block.changes++;
  return true;
}

void sim_barriers_recheck(Sim *sim) {
  for (int id = 0; id < SIM_ALL_BARRIERS; id++)
    if (sim->block.barriers[id].used) sim_barrier_check(sim, id);
}

static void note_arrival(Sim *sim, const SimWarpOp *op, SimBarrier *b, uint32_t mask) {
  if (!b->used) *b = (SimBarrier){.used = true, .all = true};
  if (op->b == SIM_NO_SLOT) return;   // a reduction: b says which, p is the predicate's slot
  uint32_t bits = sim_pred(sim->regs, op->p);
  if (op->negate) bits = ~bits;
  b->popc += (uint32_t)sim_popcount(bits & mask);
  b->all &= (bits & mask) == mask;
  b->any |= (bits & mask) != 0;
}

void sim_barrier_count(const Sim *sim, const SimBarrier *b, TraceEvent *e) {
  uint32_t warps;
  threads_there(sim, b, &warps);
  e->arrived = (uint16_t)warps;
  e->expected = (uint16_t)warps_expected(sim, b);
  if (is_complete(sim, b)) e->flags |= TRACE_LAST_ARRIVAL;
}

static void tell_arrival(Sim *sim, const SimInst *inst, uint32_t mask, int id, const SimBarrier *b) {
  if (!sim_wants_event(sim)) { sim_skip_event(sim); return; }
  const SimWarpOp *op = inst->more;
  TraceEvent *e = sim_event(sim, inst, mask);
  e->barrier_id = (uint8_t)id;
  sim_barrier_count(sim, b, e);
  if (op->mode == PTX_BAR_ARRIVE) e->flags |= TRACE_BAR_ARRIVE;
  sim_emit(sim);
}

// Lanes that were let go because the others took long are apart without the kernel's doing.
static void check_divergence(Sim *sim, const SimWarpOp *op, uint32_t mask) {
  uint32_t missing = sim->warp->exist & ~mask, ended = missing & ~sim->warp->live;
  if (!missing || !(sim->options.checks & SIM_CHECK_SYNC)) return;
  if ((!op->aligned && sim->options.sched == SIM_ITS) || sim->block.wait.released || sim->warp->let_go) return;
  LsText text = {0};
  sim_fault_lanes(mask, &text);
  ls_text_addf(&text, " of warp %d %s to a block barrier without ", sim_warp_index(sim), mask & (mask - 1) ? "come" : "comes");
  sim_fault_lanes(missing, &text);
  ls_text_add(&text, ended == missing ? ", which have ended" : ended ? ", of which some have ended" : "");
  sim_fault(sim, &(SimFaultPlace){.kind = FAULT_DIVERGENT_BARRIER, .mask = mask, .text = ls_text_str(&text)});
  ls_text_free(&text);
}

static SimNext bad_barrier(Sim *sim, uint32_t mask, const char *text) {
  sim_fault(sim, &(SimFaultPlace){.kind = FAULT_TRAP, .mask = mask, .text = text});
  return SIM_YIELD;
}

static SimNext exec_barrier(Sim *sim, const SimInst *inst, uint32_t mask) {
  const SimWarpOp *op = inst->more;
  uint32_t lane = (uint32_t)__builtin_ctz(mask), id = sim_u32(sim->regs, op->a)[lane];
  uint32_t threads = op->c == SIM_NO_SLOT ? 0 : sim_u32(sim->regs, op->c)[lane];
  if (id >= SIM_BARRIERS) return bad_barrier(sim, mask, "a barrier number beyond 15");
  if (threads % SIM_LANES) return bad_barrier(sim, mask, "a barrier for a number of threads that is no multiple of 32");
  SimBarrier *b = &sim->block.barriers[id];
  int warp = sim_warp_index(sim);
  note_arrival(sim, op, b, mask);
  b->threads = threads;
  b->lanes[warp] |= sim->options.sched == SIM_STACK ? sim->warp->live : mask;
  tell_arrival(sim, inst, mask, (int)id, b);
  check_divergence(sim, op, mask);
  if (op->mode == PTX_BAR_ARRIVE) {
    sim->pc++;
    sim_barrier_check(sim, (int)id);
    return SIM_GO;
  }
  if (mask != sim->active) {
    sim_sched_split(sim, mask, sim->pc, sim->pc + 1, -1);
    if (sim->options.sched == SIM_STACK) sim_swap_top(sim);
  }
  sim->group->pc = sim->pc;
  sim->group->state = SIM_GROUP_BARRIER;
  sim->group->barrier = (uint8_t)id;
  if (sim_barrier_check(sim, (int)id)) sim->pc = sim->group->pc;
  return SIM_YIELD;
}

// bar.red.popc.u32 d, a{, b}, {!}c;  bar.red.and.pred p, a{, b}, {!}c;  bar.sync a{, b};  bar.arrive a, b
bool sim_decode_barrier(SimDecoder *d, SimWarpOp *op) {
  const PtxInstr *in = d->in;
  int next = 0, left = in->operand_count;
  if (in->scope == PTX_SCOPE_CLUSTER) return sim_decode_cluster_barrier(d);
  d->out->kind = TRACE_BARRIER;
  d->out->exec = exec_barrier;
  op->aligned = in->op == PTX_OP_bar || (in->flags & PTX_F_ALIGNED);
  if (in->mode == PTX_BAR_RED && left < 3) { d->why = "a reduction without its operands"; return false; }
  if (in->mode == PTX_BAR_RED) {
    op->type = in->type;
    op->d = sim_slot_of(d, &in->operands[next++], in->type == PTX_PRED ? 1 : 4);
    const PtxOperand *p = &in->operands[--left];
    op->p = sim_slot_of(d, p, 1);
    op->negate = p->negate;
    op->b = in->boolop;
  }
  if (next >= left) { op->a = sim_slot_const(d->sim, 4, 0); return true; }
  op->a = sim_slot_of(d, &in->operands[next++], 4);
  if (next < left) op->c = sim_slot_of(d, &in->operands[next], 4);
  return true;
}
