// exec_flow.c: branches, the end of threads, fences, and instructions that only take time.
#include <string.h>
#include "sim/check/fault.h"
#include "sim/check/shadow.h"
#include "sim/core/event.h"
#include "sim/core/sched.h"
#include "sim/core/sums.h"
#include "sim/grid/meet.h"
#include "sim/grid/spin.h"
#include "sim/ops/barrier.h"
#include "sim/ops/call.h"
#include "sim/ops/decoders.h"

static void emit_branch(SimExec *exec, const SimInst *inst, uint32_t taken, int32_t target, int32_t meet,
                        bool diverges) {
  if (!sim_wants_event(exec)) { sim_skip_event(exec); return; }
  bool is_summed = !diverges && exec->sums_up;
  if (is_summed && !exec->recording) { sim_sum_event(exec, exec->pc); return; }
  TraceEvent *e = sim_event(exec, inst, exec->active);
  e->taken = taken;
  e->target = target;
  e->reconverge = meet;
  if (diverges) e->flags |= TRACE_DIVERGES;
  if (is_summed) sim_sum_recorded(exec, exec->pc);
  if (is_summed) sim_emit_summed(exec); else sim_emit(exec);
}

// A branch: all active lanes execute it, those in `taken` (the guard) jump.
static SimNext exec_bra(SimExec *exec, const SimInst *inst, uint32_t taken) {
  const SimBranch *b = inst->more;
  bool diverges = taken && taken != exec->active;
  emit_branch(exec, inst, taken, b->target, b->reconverge, diverges);
  if (exec->block.alert && taken && b->target <= exec->pc) sim_spin_branch(exec);
  if (diverges) {
    uint32_t others = exec->active & ~taken;
    bool jumpers_leave = b->level == SIM_JUMPERS_LEAVE;
    int func = exec->program->module->code[exec->pc].func;
    sim_sched_part(exec, b, taken, b->target, exec->pc + 1);
    if (b->level) sim_sched_level(exec, func, jumpers_leave ? taken : others, jumpers_leave ? others : taken);
    return SIM_YIELD;
  }
  if (b->awaits) sim_sched_expect(exec, b);
  int32_t to = taken ? b->target : exec->pc + 1;
  if (b->leave_count && exec->stop_pc >= 0) sim_sched_go(exec, b, to); else exec->pc = to;
  return SIM_GO;
}

static int32_t table_target(const SimBranch *b, uint32_t index) {
  return index < (uint32_t)b->table_count ? b->table[index] : -1;
}

// A jump through a table: the group parts once for every target. Lanes still to part come here again.
static SimNext exec_brx(SimExec *exec, const SimInst *inst, uint32_t mask) {
  const SimBranch *b = inst->more;
  if (!mask) { emit_branch(exec, inst, 0, -1, b->reconverge, false); exec->pc++; return SIM_GO; }
  const uint32_t *index = sim_u32(exec->regs, b->index);
  int32_t target = table_target(b, index[__builtin_ctz(mask)]);
  uint32_t same = 0;
  SIM_FOR_LANES(i, mask) if (table_target(b, index[i]) == target) same |= 1u << i;
  emit_branch(exec, inst, same, target, b->reconverge, same != exec->active);
  if (target < 0) {
    sim_fault(exec, &(SimFaultPlace){.kind = FAULT_OUT_OF_BOUNDS,
                                     .mask = same,
                                     .text = "a jump through a table with an index beyond its end"});
    return SIM_YIELD;
  }
  if (same == exec->active) { sim_sched_go(exec, b, target); return SIM_GO; }
  // The rest stand at this instruction still (or behind it, if their guard fails).
  sim_sched_part(exec, b, same, target, exec->pc);
  return SIM_YIELD;
}

// ---- ends ----------------------------------------------------------------------------------------------------------

static void emit_plain(SimExec *exec, const SimInst *inst, uint32_t mask) {
  if (!sim_wants_event(exec)) { sim_skip_event(exec); return; }
  sim_event(exec, inst, mask);
  sim_emit(exec);
}

static SimNext exec_exit(SimExec *exec, const SimInst *inst, uint32_t mask) {
  if (sim_wants_event(exec) && sim_is_summed(exec)) sim_sum_event(exec, exec->pc);
  else emit_plain(exec, inst, mask);
  bool some_stay = mask != exec->active;
  sim_sched_exit(exec, mask);
  if (exec->warp->group_count) sim_sync_recheck(exec, exec->warp);
  if (exec->block.used_barriers) sim_barriers_recheck(exec);
  if (some_stay) exec->pc++;
  return SIM_YIELD;
}

// At the end of a line, by the whole warp.
static SimNext exit_together(SimExec *exec, const SimInst *inst, uint32_t mask) {
  sim_catch_up(exec, inst->pc);
  if (exec->bare && sim_sched_end(exec)) {
    sim_sum_event(exec, inst->pc);
    if (exec->block.used_barriers) sim_barriers_recheck(exec);
    return SIM_YIELD;
  }
  if (exec->line.from >= 0) sim_line_end(exec);
  return exec_exit(exec, inst, mask);
}

static bool is_of_groups(const PtxModule *module, int32_t pc) {
  int file = 0, line = 0;
  return pc >= 0 && ptx_line_inner(module, pc, &file, &line) && strstr(module->files[file], "cooperative_groups");
}

// grid.sync() asks for the place where the blocks of a cooperative launch meet, and stops if there is none: by itself, or
// in code for the debugger through a function.
static bool is_for_grid(SimExec *exec, uint32_t mask) {
  const PtxModule *m = exec->program->module;
  if (!exec->program->syncs_grid || exec->program->cooperative) return false;
  return is_of_groups(m, exec->pc) || is_of_groups(m, sim_call_site(exec, (uint32_t)__builtin_ctz(mask)));
}

static SimNext exec_trap(SimExec *exec, const SimInst *inst, uint32_t mask) {
  emit_plain(exec, inst, mask);
  const char *text = is_for_grid(exec, mask) ? "grid.sync() in a launch that is not cooperative: its blocks need not be on the "
                                         "device together, so they have no place to meet; launch it with "
                                         "cudaLaunchCooperativeKernel (cooperative = true in a recipe)"
                                       : NULL;
  sim_fault(exec, &(SimFaultPlace){.kind = FAULT_TRAP, .mask = mask, .text = text});
  return SIM_YIELD;
}

static SimNext exec_ret(SimExec *exec, const SimInst *inst, uint32_t mask) {
  return exec->group->depth == 0 ? exec_exit(exec, inst, mask) : sim_exec_return(exec, inst, mask);
}

static SimNext exec_fence(SimExec *exec, const SimInst *inst, uint32_t mask) {
  emit_plain(exec, inst, mask);
  sim_shadow_fence(exec, true);
  exec->pc++;
  return SIM_GO;
}

static SimNext exec_block_fence(SimExec *exec, const SimInst *inst, uint32_t mask) {
  emit_plain(exec, inst, mask);
  sim_shadow_fence(exec, false);
  exec->pc++;
  return SIM_GO;
}

// A cluster is a block here.
static bool is_for_block(const PtxInstr *in) { return in->scope == PTX_SCOPE_CTA || in->scope == PTX_SCOPE_CLUSTER; }

static SimNext exec_nothing(SimExec *exec, const SimInst *inst, uint32_t mask) {
  if (exec->recording) { sim_event(exec, inst, mask); sim_emit(exec); } else sim_skip_event(exec);
  exec->pc++;
  return SIM_GO;
}

// ---- decoding ------------------------------------------------------------------------------------------------------

// On a reconvergence stack, and in a recursion whose rule is known, all meet at the post-dominator, and in one that
// parts lanes for good never.
static void take_meetings(const SimDecoder *d, SimBranch *b) {
  const SimOptions *options = &d->program->options;
  const PtxCfg *cfg = d->program->cfgs[d->func];
  const PtxBlock *block = ptx_cfg_block(d->program->module, cfg, d->pc);
  const SimFunc *f = &d->program->funcs[d->func];
  bool is_simple = f->levels || options->sched == SIM_STACK || options->meets_late;
  b->meetings = block->meetings;
  b->meeting_count = f->apart ? 0 : block->meeting_count;
  b->leaves = block->leaves;
  b->leave_count = f->apart || is_simple ? 0 : block->leave_count;
  if (is_simple && !f->apart && block->ipdom >= 0) {
    PtxMeeting *last = LS_NEW(d->program->arena, PtxMeeting);
    *last = (PtxMeeting){block->ipdom, cfg->blocks[block->ipdom].first};
    b->meetings = last;
    b->meeting_count = 1;
  } else if (is_simple) b->meeting_count = 0;
  b->reconverge = b->meeting_count ? b->meetings[b->meeting_count - 1].pc : -1;
  // What is told of the branch does not depend on the scheduler.
  if (is_simple && !f->apart && !f->levels && block->meeting_count)
    b->reconverge = block->meetings[block->meeting_count - 1].pc;
}

static void decode_branch(SimDecoder *d) {
  const PtxInstr *in = d->in;
  SimBranch *b = LS_NEW(d->program->arena, SimBranch);
  take_meetings(d, b);
  bool parts_behind = d->program->has_apart || (d->program->has_levels && !d->program->funcs[d->func].levels);
  b->awaits = parts_behind && in->guard >= 0 && b->reconverge >= 0;
  if (d->program->funcs[d->func].levels) b->level = sim_level_of(d->program, d->pc);
  d->out->more = b;
  d->out->kind = TRACE_BRANCH;
  if (in->op == PTX_OP_bra) {
    b->target = in->operands[0].target;
    d->out->handler = exec_bra;
    d->out->jumps = !b->awaits;
    if (in->operands[0].kind != PTX_OPD_LABEL) d->why = "a jump to something else than a label";
    return;
  }
  const PtxOperand *table = &in->operands[1];
  if (table->kind != PTX_OPD_TABLE) { d->why = "a jump table of this form"; return; }
  b->table = d->program->module->tables[table->index].targets;
  b->table_count = d->program->module->tables[table->index].target_count;
  b->index = sim_slot_of(d, &in->operands[0], 4);
  d->out->handler = exec_brx;
}

static void decode_end(SimDecoder *d, TraceKind kind, SimHandler handler) {
  d->out->kind = (uint8_t)kind;
  d->out->handler = handler;
  d->out->lean = exit_together;
  d->out->together = d->func == d->program->entry;
}

bool sim_decode_flow(SimDecoder *d) {
  SimInst *out = d->out;
  switch (d->in->op) {
  case PTX_OP_bra: case PTX_OP_brx: decode_branch(d); return true;
  case PTX_OP_exit: decode_end(d, TRACE_EXIT, exec_exit); return true;
  case PTX_OP_trap: out->kind = TRACE_EXIT; out->handler = exec_trap; return true;
  case PTX_OP_ret: decode_end(d, d->func == d->program->entry ? TRACE_EXIT : TRACE_RET, exec_ret); return true;
  case PTX_OP_fence: case PTX_OP_membar:
    out->kind = TRACE_FENCE;
    out->handler = is_for_block(d->in) ? exec_block_fence : exec_fence;
    d->program->has_fences = true;
    return true;
  case PTX_OP_nanosleep: case PTX_OP_prefetch: case PTX_OP_prefetchu: case PTX_OP_brkpt: case PTX_OP_pmevent:
  case PTX_OP_discard: case PTX_OP_setmaxnreg: case PTX_OP_griddepcontrol:
    out->handler = exec_nothing;
    return true;
  default: return false;
  }
}
