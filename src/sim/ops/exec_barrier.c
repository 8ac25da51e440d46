// exec_barrier.c: block barriers. A barrier counts lanes per warp: a warp is there when all its living lanes are.
#include "sim/check/fault.h"
#include "sim/check/shadow.h"
#include "sim/core/barrier.h"
#include "sim/core/event.h"
#include "sim/core/place.h"
#include "sim/core/sched.h"
#include "sim/core/slots.h"
#include "sim/core/sums.h"
#include "sim/ops/barrier.h"
#include "sim/ops/decoders.h"

// bar.red: every waiting lane gets the result.
static void give_result(SimExec *exec, int warp, const SimLanes *g, const SimBarrier *b) {
  const SimWarpOp *op = exec->code[g->pc].more;
  if (op->d == SIM_NO_SLOT) return;
  uint8_t *regs = exec->files + (size_t)warp * exec->program->file_bytes;
  if (op->type == PTX_PRED) {
    uint32_t *p = sim_u32(regs, op->d);
    bool yes = op->b == PTX_BOOL_AND ? b->all : b->any;
    *p = (*p & ~g->mask) | (yes ? g->mask : 0);
    return;
  }
  SIM_FOR_LANES(i, g->mask) sim_u32(regs, op->d)[i] = b->popc;
}

__attribute__((noinline)) static void let_go(SimExec *exec, SimBarrier *b, int id) {
  SIM_FOR_LANES(k, b->there) {
    SimWarp *w = &exec->warps[k];
    w->turns = 0;
    for (int i = 0; i < w->group_count; i++) {
      SimLanes *g = &w->groups[i];
      if (g->state != SIM_GROUP_BARRIER || g->barrier != id) continue;
      if (b->gives) give_result(exec, (int)k, g, b);
      g->state = SIM_GROUP_RUN;
      g->pc++;
    }
  }
  if (exec->checks & SIM_CHECK_RACE) sim_shadow_meet(exec, b->there);
  sim_barrier_end(exec, id);
  exec->block.idle_turns = 0;
  exec->block.changes++;
  if (exec->takes_turns) exec->block.left = LS_MIN(exec->block.left, 1);   // the others go on, too
}

bool sim_barrier_check(SimExec *exec, int id) {
  SimBarrier *b = &exec->block.barriers[id];
  if (!b->used || !sim_barrier_is_complete(exec, b)) return false;
  let_go(exec, b, id);
  return true;
}

void sim_barriers_recheck(SimExec *exec) {
  sim_barriers_settle(exec);
  SIM_FOR_LANES(id, exec->block.used_barriers) sim_barrier_check(exec, (int)id);
}

static void note_arrival(SimExec *exec, const SimWarpOp *op, SimBarrier *b, uint32_t mask) {
  sim_barrier_arrive(exec, b, exec->sched == SIM_STACK ? exec->warp->live : mask);
  if (op->b == SIM_NO_SLOT) return;   // a reduction: b says which, p is the predicate's slot
  b->gives = true;
  uint32_t bits = sim_pred(exec->regs, op->p);
  if (op->negate) bits = ~bits;
  b->popc += (uint32_t)sim_popcount(bits & mask);
  b->all &= (bits & mask) == mask;
  b->any |= (bits & mask) != 0;
}

__attribute__((noinline))
static void emit_arrival(SimExec *exec, const SimInst *inst, uint32_t mask, int id, const SimBarrier *b) {
  if (!sim_wants_event(exec)) { sim_skip_event(exec); return; }
  if (sim_is_summed(exec)) { sim_sum_event(exec, exec->pc); return; }
  const SimWarpOp *op = inst->more;
  TraceEvent *e = sim_event(exec, inst, mask);
  e->barrier_id = (uint8_t)id;
  sim_barrier_count(exec, b, e);
  if (op->mode == PTX_BAR_ARRIVE) e->flags |= TRACE_BAR_ARRIVE;
  sim_emit(exec);
}

// Lanes that were let go because the others took long are apart without the kernel's doing. Lanes of which nobody knows
// yet where they go are taken to end, until they come to a barrier, too. Those that leave a recursion one by one
// (SimFunc.apart) are still to come: a deadlock tells of who does not.
static void check_divergence(SimExec *exec, const SimWarpOp *op, uint32_t mask) {
  SimWarp *w = exec->warp;
  uint32_t missing = w->exist & ~mask, ended = missing & ~w->live;
  if (exec->program->has_apart) missing = ended;
  if (!missing) return;
  bool allowed = !sim_sched_expected(exec, w, mask, missing);
  w->apart |= mask;
  if (!(exec->checks & SIM_CHECK_SYNC)) return;
  if ((!op->aligned && exec->sched == SIM_ITS) || exec->block.wait.released || exec->warp->let_go) return;
  LsText text = {0};
  sim_fault_lanes(mask, &text);
  ls_text_addf(&text, " of warp %d %s to a block barrier without ", sim_warp_index(exec),
               mask & (mask - 1) ? "come" : "comes");
  sim_fault_lanes(missing, &text);
  ls_text_add(&text, ended == missing ? ", which have ended" : ended ? ", of which some have ended" : "");
  bool one = !(missing & (missing - 1));
  if (allowed && ended != missing) ls_text_add(&text, one ? ", which ends apart" : ", which end apart");
  sim_fault(exec, &(SimFaultPlace){.kind = allowed ? FAULT_EXITED_LANES : FAULT_DIVERGENT_BARRIER,
                                   .mask = mask, .text = ls_text_str(&text)});
  ls_text_free(&text);
}

// Lanes that a call has parted for good meet in front of an aligned barrier, as the assembler has it.
static void join_parted(SimExec *exec, const SimWarpOp *op) {
  if (!exec->program->has_apart || !op->aligned) return;
  for (int i = exec->warp->group_count - 1; i >= 0; i--) {
    const SimLanes *g = exec->group, *other = &exec->warp->groups[i];
    bool here = other->state == SIM_GROUP_BARRIER && other->barrier == g->barrier && other->pc == g->pc;
    if (other != g && here && other->conv == g->conv && other->depth == g->depth) sim_sched_take(exec, i);
  }
}

static SimNext bad_barrier(SimExec *exec, uint32_t mask, const char *text) {
  sim_fault(exec, &(SimFaultPlace){.kind = FAULT_TRAP, .mask = mask, .text = text});
  return SIM_YIELD;
}

static SimNext exec_barrier(SimExec *exec, const SimInst *inst, uint32_t mask) {
  const SimWarpOp *op = inst->more;
  uint32_t lane = (uint32_t)__builtin_ctz(mask), id = sim_u32(exec->regs, op->a)[lane];
  uint32_t threads = op->c == SIM_NO_SLOT ? 0 : sim_u32(exec->regs, op->c)[lane];
  if (id >= SIM_BARRIERS) return bad_barrier(exec, mask, "a barrier number beyond 15");
  if (threads % SIM_LANES)
    return bad_barrier(exec, mask, "a barrier for a number of threads that is no multiple of 32");
  SimBarrier *b = sim_barrier_use(exec, (int)id);
  note_arrival(exec, op, b, mask);
  b->threads = threads;
  emit_arrival(exec, inst, mask, (int)id, b);
  check_divergence(exec, op, mask);
  if (op->mode == PTX_BAR_ARRIVE) {
    exec->pc++;
    sim_barrier_check(exec, (int)id);
    return SIM_GO;
  }
  if (mask != exec->active) {
    sim_sched_split(exec, mask, exec->pc, exec->pc + 1, -1);
    if (exec->sched == SIM_STACK) sim_swap_top(exec);
  }
  exec->group->pc = exec->pc;
  exec->group->state = SIM_GROUP_BARRIER;
  exec->group->barrier = (uint8_t)id;
  join_parted(exec, op);
  if (sim_barrier_check(exec, (int)id)) exec->pc = exec->group->pc;
  return SIM_YIELD;
}

// All of its warp come, which has not parted, and wait for all of the block.
static inline bool is_simple(const SimExec *exec, const SimWarpOp *op, uint32_t mask) {
  const SimWarp *w = exec->warp;
  return op->is_plain && mask == w->exist && mask == w->live && w->group_count == 1 && !exec->program->has_apart;
}

static inline SimNext come(SimExec *exec, const SimInst *inst, uint32_t mask, uint32_t id) {
  SimBarrier *b = &exec->block.barriers[id];
  uint32_t warp = (uint32_t)sim_warp_index(exec), there = b->there | 1u << warp, whole = b->whole | 1u << warp;
  if (!b->used) sim_barrier_use(exec, (int)id);
  b->lanes[warp] = mask;
  b->there = there;
  b->whole = whole;
  b->threads = 0;
  if (exec->bare) sim_sum_event(exec, inst->pc); else emit_arrival(exec, inst, mask, (int)id, b);
  SimLanes *g = exec->group;
  g->pc = inst->pc;
  g->state = SIM_GROUP_BARRIER;
  g->barrier = (uint8_t)id;
  if (there != whole || exec->block.live_warps & ~whole) return SIM_YIELD;
  let_go(exec, b, (int)id);
  exec->pc = g->pc;
  return SIM_YIELD;
}

__attribute__((noinline)) static SimNext come_seen(SimExec *exec, const SimInst *inst, uint32_t mask, uint32_t id) {
  if (exec->line.from >= 0) sim_line_end(exec);
  if (id >= SIM_BARRIERS || !is_simple(exec, inst->more, mask)) return exec_barrier(exec, inst, mask);
  return come(exec, inst, mask, id);
}

// At the end of a line.
static SimNext barrier_together(SimExec *exec, const SimInst *inst, uint32_t mask) {
  const SimWarpOp *op = inst->more;
  uint32_t id = *sim_u32(exec->regs, op->a);
  sim_catch_up(exec, inst->pc);
  if (!exec->bare || id >= SIM_BARRIERS || !is_simple(exec, op, mask)) return come_seen(exec, inst, mask, id);
  return come(exec, inst, mask, id);
}

// bar.red.popc.u32 d, a{, b}, {!}c;  bar.red.and.pred p, a{, b}, {!}c;  bar.sync a{, b};  bar.arrive a, b
bool sim_decode_barrier(SimDecoder *d, SimWarpOp *op) {
  const PtxInstr *in = d->in;
  int next = 0, left = in->operand_count;
  if (in->scope == PTX_SCOPE_CLUSTER) return sim_decode_cluster_barrier(d);
  d->out->kind = TRACE_BARRIER;
  d->out->handler = exec_barrier;
  d->out->lean = barrier_together;
  d->out->together = d->func == d->program->entry;
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
  op->a = next < left ? sim_slot_of(d, &in->operands[next++], 4) : sim_slot_const(d->program, 4, 0);
  if (next < left) op->c = sim_slot_of(d, &in->operands[next], 4);
  op->is_plain = in->mode != PTX_BAR_ARRIVE && in->mode != PTX_BAR_RED && op->c == SIM_NO_SLOT;
  return true;
}
