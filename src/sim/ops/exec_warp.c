// exec_warp.c: operations of lanes with one another: shuffle, vote, match, reduce, elect.
#include <string.h>
#include "sim/check/fault.h"
#include "sim/check/shadow.h"
#include "sim/core/event.h"
#include "sim/core/sums.h"
#include "sim/grid/meet.h"
#include "sim/ops/decoders.h"
#include "sim/core/form.h"

// ---- the operations ------------------------------------------------------------------------------------------------

static void set_pred(SimExec *exec, uint32_t slot, uint32_t lanes, uint32_t bits) {
  if (slot == SIM_NO_SLOT) return;
  uint32_t *p = sim_u32(exec->regs, slot);
  *p = (*p & ~lanes) | (bits & lanes);
}

static uint32_t pred_source(SimExec *exec, const SimWarpOp *op, uint32_t lanes) {
  uint32_t bits = sim_pred(exec->regs, op->a);
  return (op->negate ? ~bits : bits) & lanes;
}

// Does anybody look at the values of the event?
static bool is_told(const SimExec *exec) { return sim_wants_event(exec) && !sim_is_summed(exec); }

static void shuffle_lanes(SimExec *exec, const SimWarpOp *op, uint32_t lanes) {
  const uint32_t *a = sim_u32(exec->regs, op->a), *b = sim_u32(exec->regs, op->b), *c = sim_u32(exec->regs, op->c);
  uint32_t in_range = 0, dead = 0;
  SIM_FOR_LANES(i, lanes) exec->value[i] = a[i];
  SIM_FOR_LANES(i, lanes) {
    int from = sim_shuffle_source((PtxMode)op->mode, (int)i, b[i], c[i]);
    if (from >= 0) in_range |= 1u << i;
    if (from >= 0 && !(lanes >> from & 1)) {
      if (!dead) exec->dead_source = from;
      dead |= 1u << i;
      from = -1;
    }
    exec->source[i] = (uint8_t)(from < 0 ? (int)i : from);
    exec->result[i] = exec->value[exec->source[i]];
  }
  uint32_t *d = sim_u32(exec->regs, op->d);
  SIM_FOR_LANES(i, lanes) d[i] = (uint32_t)exec->result[i];
  set_pred(exec, op->p, lanes, in_range);
  exec->dead_sources = dead;
}

static void work_out(SimShuffle *s, uint32_t key, PtxMode mode, uint32_t b, uint32_t c) {
  *s = (SimShuffle){.key = key};
  for (int i = 0; i < SIM_LANES; i++) {
    int from = sim_shuffle_source(mode, i, b, c);
    s->in_range |= (uint32_t)(from >= 0) << i;
    s->source[i] = (uint8_t)(from < 0 ? i : from);
    if (from >= 0) s->by = i - from;
  }
  s->is_shift = s->in_range != 0;
  for (int i = 0; i < SIM_LANES; i++) s->is_shift &= s->source[i] == (s->in_range >> i & 1 ? i - s->by : i);
}

// Of a shuffle with these operands in all lanes: worked out once.
static inline const SimShuffle *shuffle_known(SimExec *exec, PtxMode mode, uint32_t b, uint32_t c) {
  uint32_t key = 1u << 31 | (uint32_t)mode << 16 | (b & 31) << 10 | (c >> 8 & 31) << 5 | (c & 31);
  SimShuffle *s = &exec->shuffles[(key * 0x9e3779b1u >> 16) % SIM_SHUFFLES];
  if (s->key != key) work_out(s, key, mode, b, c);
  return s;
}

const SimShuffle *sim_shuffle_known(SimExec *exec, const SimWarpOp *op) {
  uint32_t b = *sim_u32(exec->regs, op->b), c = *sim_u32(exec->regs, op->c);
  return shuffle_known(exec, (PtxMode)op->mode, b, c);
}

// In a line that is told as one. Those with the same shape have the same sources.
static TraceRow *note_row(SimExec *exec, const SimInst *inst, uint32_t shape) {
  TraceRow *row;
  TraceAct *act = sim_line_row(exec, inst, &row);
  act->flags = TRACE_VALUES;
  act->shape = shape;
  return row;
}

__attribute__((noinline))
static void note_shuffle(SimExec *exec, const SimInst *inst, const SimShuffle *s, const uint32_t *a,
                         const uint32_t *got) {
  TraceRow *row = note_row(exec, inst, s->key);
  memcpy(row->moved.value, a, sizeof row->moved.value);
  memcpy(row->moved.result, got, sizeof row->moved.result);
  memcpy(row->source, s->source, sizeof row->source);
}

static void tell_shuffle(SimExec *exec, const SimInst *inst, const SimShuffle *s, const uint32_t *a,
                         const uint32_t *got) {
  if (exec->line.from >= 0) { note_shuffle(exec, inst, s, a, got); return; }
  for (int i = 0; i < SIM_LANES; i++) exec->value[i] = a[i];
  for (int i = 0; i < SIM_LANES; i++) exec->result[i] = got[i];
  memcpy(exec->source, s->source, sizeof exec->source);
}

// Of many sources: each lane's operands are its own.
__attribute__((noinline))
static void note_lanes(SimExec *exec, const SimInst *inst) {
  TraceRow *row = note_row(exec, inst, 0);
  for (int i = 0; i < SIM_LANES; i++) row->moved.value[i] = (uint32_t)exec->value[i];
  for (int i = 0; i < SIM_LANES; i++) row->moved.result[i] = (uint32_t)exec->result[i];
  memcpy(row->source, exec->source, sizeof row->source);
}

static void do_shuffle(SimExec *exec, const SimInst *inst, uint32_t lanes) {
  const SimWarpOp *op = inst->more;
  const uint32_t *a = sim_u32(exec->regs, op->a), *b = sim_u32(exec->regs, op->b), *c = sim_u32(exec->regs, op->c);
  bool usual = lanes == SIM_FULL && (op->fixed || (sim_same_everywhere(b) && sim_same_everywhere(c)));
  if (!usual) {
    shuffle_lanes(exec, op, lanes);
    if (exec->line.from >= 0) note_lanes(exec, inst);
    return;
  }
  const SimShuffle *s = shuffle_known(exec, (PtxMode)op->mode, b[0], c[0]);
  uint32_t got[SIM_LANES];
  if (s->is_shift) exec->lane_ops->shift(got, a, s->by, s->in_range);
  else exec->lane_ops->permute(got, a, s->source);
  if (is_told(exec)) tell_shuffle(exec, inst, s, a, got);
  memcpy(sim_u32(exec->regs, op->d), got, sizeof got);
  set_pred(exec, op->p, lanes, s->in_range);
}

// The same for all lanes that take part.
static void set_all(SimExec *exec, uint32_t slot, uint32_t lanes, uint32_t result) {
  uint32_t *d = sim_u32(exec->regs, slot);
  if (lanes == SIM_FULL) for (int i = 0; i < SIM_LANES; i++) d[i] = result;
  else SIM_FOR_LANES(i, lanes) d[i] = result;
}

static void tell_all(SimExec *exec, uint32_t result) {
  if (!is_told(exec)) return;
  for (int i = 0; i < SIM_LANES; i++) exec->result[i] = result;
}

static uint32_t do_vote(SimExec *exec, const SimWarpOp *op, uint32_t lanes) {
  uint32_t yes = pred_source(exec, op, lanes), result;
  switch ((PtxMode)op->mode) {
  case PTX_VOTE_ALL: result = yes == lanes; break;
  case PTX_VOTE_ANY: result = yes != 0; break;
  case PTX_VOTE_UNI: result = yes == lanes || !yes; break;
  default: result = yes; break;
  }
  if (op->mode == PTX_VOTE_BALLOT) set_all(exec, op->d, lanes, result);
  else set_pred(exec, op->d, lanes, result ? SIM_FULL : 0);
  tell_all(exec, result);
  return yes;
}

// For each lane those with its value: group after group, each found by its first lane.
static void find_same(const SimExec *exec, uint32_t lanes, uint32_t same[SIM_LANES]) {
  for (uint32_t left = lanes; left;) {
    uint64_t value = exec->value[__builtin_ctz(left)];
    uint32_t group = 0;
    SIM_FOR_LANES(i, left) group |= (uint32_t)(exec->value[i] == value) << i;
    SIM_FOR_LANES(i, group) same[i] = group;
    left &= ~group;
  }
}

static void do_match(SimExec *exec, const SimWarpOp *op, uint32_t lanes) {
  uint32_t same[SIM_LANES] = {0}, first = (uint32_t)__builtin_ctz(lanes);
  SIM_FOR_LANES(i, lanes) exec->value[i] = sim_lane(exec->regs, op->a, op->wide ? 8 : 4, i);
  find_same(exec, lanes, same);
  bool all = same[first] == lanes;
  SIM_FOR_LANES(i, lanes) {
    exec->result[i] = op->mode == PTX_MATCH_ANY ? same[i] : all ? lanes : 0;
    sim_u32(exec->regs, op->d)[i] = (uint32_t)exec->result[i];
  }
  if (op->mode == PTX_MATCH_ALL) set_pred(exec, op->p, lanes, all ? SIM_FULL : 0);
}

static uint32_t reduce_two(const SimWarpOp *op, uint32_t a, uint32_t b) {
  bool is_signed = ptx_type_is_signed((PtxType)op->type);
  switch ((PtxMode)op->mode) {
  case PTX_AT_ADD: return a + b;
  case PTX_AT_AND: return a & b;
  case PTX_AT_OR: return a | b;
  case PTX_AT_XOR: return a ^ b;
  case PTX_AT_MIN: return is_signed ? (uint32_t)LS_MIN((int32_t)a, (int32_t)b) : LS_MIN(a, b);
  default: return is_signed ? (uint32_t)LS_MAX((int32_t)a, (int32_t)b) : LS_MAX(a, b);
  }
}

// The smaller or larger of two floats: NaN counts only with .NaN, and -0 is less than +0.
static uint32_t reduce_floats(const SimWarpOp *op, uint32_t a, uint32_t b) {
  const uint32_t nan = 0x7fffffff, infinity = 0x7f800000;
  bool a_nan = (a & nan) > infinity, b_nan = (b & nan) > infinity;
  if (a_nan || b_nan) return op->nan || (a_nan && b_nan) ? nan : a_nan ? b : a;
  int32_t x = (int32_t)(a >> 31 ? ~a ^ 0x80000000u : a), y = (int32_t)(b >> 31 ? ~b ^ 0x80000000u : b);   // in order
  return (op->mode == PTX_AT_MIN) == (x < y) ? a : b;
}

static void do_redux_floats(SimExec *exec, const SimWarpOp *op, uint32_t lanes) {
  uint32_t result = 0x7fffffff;   // NaN: whatever comes is taken
  bool first = true;
  SIM_FOR_LANES(i, lanes) {
    exec->value[i] = sim_u32(exec->regs, op->a)[i];
    uint32_t mine = (uint32_t)exec->value[i] & (op->abs ? 0x7fffffff : SIM_FULL);
    result = first ? reduce_floats(op, mine, mine) : reduce_floats(op, result, mine);
    first = false;
  }
  set_all(exec, op->d, lanes, result);
  tell_all(exec, result);
}

static void do_redux(SimExec *exec, const SimWarpOp *op, uint32_t lanes) {
  uint32_t first = (uint32_t)__builtin_ctz(lanes), result = sim_u32(exec->regs, op->a)[first];
  SIM_FOR_LANES(i, lanes) {
    exec->value[i] = sim_u32(exec->regs, op->a)[i];
    if (i != first) result = reduce_two(op, result, (uint32_t)exec->value[i]);
  }
  set_all(exec, op->d, lanes, result);
  tell_all(exec, result);
}

static void do_elect(SimExec *exec, const SimWarpOp *op, uint32_t lanes) {
  uint32_t leader = (uint32_t)__builtin_ctz(lanes);
  set_all(exec, op->d, lanes, leader);
  tell_all(exec, leader);
  set_pred(exec, op->p, lanes, 1u << leader);
}

static void do_activemask(SimExec *exec, const SimWarpOp *op, uint32_t lanes) {
  set_all(exec, op->d, lanes, lanes);
  tell_all(exec, lanes);
}

static uint32_t operate(SimExec *exec, const SimInst *inst, uint32_t lanes) {
  const SimWarpOp *op = inst->more;
  switch (op->op) {
  case PTX_OP_shfl: do_shuffle(exec, inst, lanes); return 0;
  case PTX_OP_vote: return do_vote(exec, op, lanes);
  case PTX_OP_match: do_match(exec, op, lanes); return 0;
  case PTX_OP_redux: (op->type == PTX_F32 ? do_redux_floats : do_redux)(exec, op, lanes); return 0;
  case PTX_OP_elect: do_elect(exec, op, lanes); return 1u << __builtin_ctz(lanes);
  case PTX_OP_activemask: do_activemask(exec, op, lanes); return lanes;
  default: return 0;
  }
}

static void emit_warp(SimExec *exec, const SimInst *inst, uint32_t lanes, uint32_t members, uint32_t taken) {
  if (!sim_wants_event(exec)) { sim_skip_event(exec); return; }
  if (sim_is_summed(exec)) { sim_sum_event(exec, exec->pc); return; }
  TraceEvent *e = sim_event(exec, inst, lanes);
  e->active |= lanes;
  e->taken = taken;
  e->members = members;
  if (inst->kind != TRACE_SYNCWARP) {
    e->flags |= TRACE_VALUES;
    e->result = exec->result;
    if (inst->kind != TRACE_VOTE) e->value = exec->value;
    if (inst->kind == TRACE_SHUFFLE) e->source = exec->source;
  }
  sim_emit(exec);
}

static SimNext exec_warp(SimExec *exec, const SimInst *inst, uint32_t mask) {
  const SimWarpOp *op = inst->more;
  SimNext next;
  uint32_t lanes = sim_gather_members(exec, op, mask, &next);
  if (!lanes) return next;
  exec->wrote = lanes;
  exec->dead_sources = 0;
  if (op->op == PTX_OP_activemask || op->op == PTX_OP_elect || op->op == PTX_OP_match)
    memset(exec->value, 0, sizeof exec->value);
  if (op->members != SIM_NO_SLOT && exec->checks) sim_shadow_lanes_met(exec, inst->kind == TRACE_SYNCWARP);
  // The result may go where the members are.
  uint32_t members = op->members == SIM_NO_SLOT || !is_told(exec) ? lanes
                     : sim_members_of(exec, op, (uint32_t)__builtin_ctz(lanes));
  uint32_t taken = operate(exec, inst, lanes);
  emit_warp(exec, inst, lanes, members, taken);
  if (exec->dead_sources)
    sim_fault(exec, &(SimFaultPlace){
                       .kind = FAULT_INACTIVE_SOURCE, .mask = exec->dead_sources, .lane = exec->dead_source});
  exec->pc++;
  return next;
}

// In a line that is told as one. What moves values, but no shuffle, is told alone.
static void tell_in_line(SimExec *exec, const SimInst *inst, uint32_t mask, uint32_t taken) {
  if (inst->kind == TRACE_MATCH || inst->kind == TRACE_REDUX) {
    sim_line_pass(exec);
    emit_warp(exec, inst, mask, mask, taken);
    return;
  }
  TraceAct *act = sim_line_act(exec, inst, exec->pc);
  act->flags = inst->kind == TRACE_VOTE ? TRACE_VALUES : 0;
  act->taken = taken;
  act->at = exec->result[0];
  sim_sum_event(exec, exec->pc);
}

// The same of a whole warp that names all its lanes, where nobody wants to know more than sums, or of the line as one.
static SimNext exec_together(SimExec *exec, const SimInst *inst, uint32_t mask) {
  sim_catch_up(exec, inst->pc);
  if (exec->checks) sim_shadow_lanes_met(exec, inst->kind == TRACE_SYNCWARP);
  uint32_t taken = operate(exec, inst, mask);
  if (exec->line.from >= 0) tell_in_line(exec, inst, mask, taken);
  else if (sim_wants_event(exec)) sim_sum_event(exec, exec->pc);
  else sim_skip_event(exec);
  exec->pc++;
  return SIM_GO;
}

// Most shuffles bring values from lanes as far away: straight to where they belong.
static inline bool shift_quietly(SimExec *exec, const SimWarpOp *op) {
  if (!op->fixed || op->d == op->a || !exec->bare) return false;
  uint32_t b = *sim_u32(exec->regs, op->b), c = *sim_u32(exec->regs, op->c);
  const SimShuffle *s = shuffle_known(exec, (PtxMode)op->mode, b, c);
  if (!s->is_shift) return false;
  exec->lane_ops->shift(sim_u32(exec->regs, op->d), sim_u32(exec->regs, op->a), s->by, s->in_range);
  if (op->p != SIM_NO_SLOT) *sim_u32(exec->regs, op->p) = s->in_range;
  return true;
}

// Of a line that is told, it is part: note_row. The program counter may lag behind.
static SimNext shuffle_together(SimExec *exec, const SimInst *inst, uint32_t mask) {
  if (exec->checks) sim_shadow_lanes_met(exec, false);
  if (!shift_quietly(exec, inst->more)) do_shuffle(exec, inst, mask);
  if (sim_wants_event(exec)) sim_sum_recorded(exec, inst->pc);
  return SIM_GO;
}

// ---- decoding ------------------------------------------------------------------------------------------------------

static uint32_t pair_slot(const SimDecoder *d, const PtxOperand *o) {
  return o->pair >= 0 && (o->kind == PTX_OPD_REG || o->kind == PTX_OPD_SINK) ? d->program->funcs[d->func].slots[o->pair]
                                                                             : SIM_NO_SLOT;
}

static void decode_members(SimDecoder *d, SimWarpOp *op, int operand) {
  op->members = sim_slot_of(d, &d->in->operands[operand], 4);
  op->fixed_members = d->in->operands[operand].kind == PTX_OPD_IMM;
}

static void decode_vote(SimDecoder *d, SimWarpOp *op) {
  const PtxInstr *in = d->in;
  d->out->kind = TRACE_VOTE;
  op->d = sim_slot_of(d, &in->operands[0], op->mode == PTX_VOTE_BALLOT ? 4 : 1);
  op->a = sim_slot_of(d, &in->operands[1], 1);
  op->negate = in->operands[1].negate;
  if (in->operand_count > 2) decode_members(d, op, 2);
}

static void decode_shuffle(SimDecoder *d, SimWarpOp *op) {
  const PtxInstr *in = d->in;
  d->out->kind = TRACE_SHUFFLE;
  d->out->lean = shuffle_together;
  op->d = sim_slot_of(d, &in->operands[0], 4);
  op->p = pair_slot(d, &in->operands[0]);
  op->a = sim_slot_of(d, &in->operands[1], 4);
  op->b = sim_slot_of(d, &in->operands[2], 4);
  op->c = sim_slot_of(d, &in->operands[3], 4);
  op->fixed = in->operands[2].kind == PTX_OPD_IMM && in->operands[3].kind == PTX_OPD_IMM;
  if (in->operand_count > 4) decode_members(d, op, 4);
}

static void decode_three(SimDecoder *d, SimWarpOp *op, TraceKind kind) {   // d, a, members
  const PtxInstr *in = d->in;
  d->out->kind = (uint8_t)kind;
  op->wide = ptx_type_size((PtxType)in->type) == 8;
  op->d = sim_slot_of(d, &in->operands[0], 4);
  op->p = pair_slot(d, &in->operands[0]);
  op->a = sim_slot_of(d, &in->operands[1], op->wide ? 8 : 4);
  decode_members(d, op, 2);
}

bool sim_decode_warp(SimDecoder *d) {
  const PtxInstr *in = d->in;
  if (in->op == PTX_OP_mbarrier) return sim_decode_mbarrier(d);
  SimWarpOp *op = LS_NEW(d->program->arena, SimWarpOp);
  *op = (SimWarpOp){.op = (uint8_t)in->op,
                    .mode = in->mode,
                    .type = in->type,
                    .d = SIM_NO_SLOT,
                    .p = SIM_NO_SLOT,
                    .a = SIM_NO_SLOT,
                    .b = SIM_NO_SLOT,
                    .c = SIM_NO_SLOT,
                    .members = SIM_NO_SLOT};
  d->out->more = op;
  d->out->handler = exec_warp;
  d->out->lean = exec_together;
  d->out->together = in->op != PTX_OP_activemask;
  switch (in->op) {
  case PTX_OP_shfl: decode_shuffle(d, op); return true;
  case PTX_OP_vote: decode_vote(d, op); return true;
  case PTX_OP_match: decode_three(d, op, TRACE_MATCH); return true;
  case PTX_OP_redux:
    op->abs = (in->flags & PTX_F_ABS) != 0;
    op->nan = (in->flags & PTX_F_NAN) != 0;
    if (ptx_type_is_float((PtxType)in->type) &&
        (in->type != PTX_F32 || (in->mode != PTX_AT_MIN && in->mode != PTX_AT_MAX)))
      d->why = "a reduction of floats other than min.f32 and max.f32";
    decode_three(d, op, TRACE_REDUX);
    return true;
  case PTX_OP_elect:
    d->out->kind = TRACE_VOTE;
    op->d = sim_slot_of(d, &in->operands[0], 4);
    op->p = pair_slot(d, &in->operands[0]);
    decode_members(d, op, 1);
    return true;
  case PTX_OP_activemask:
    d->out->kind = TRACE_VOTE;
    op->d = sim_slot_of(d, &in->operands[0], 4);
    return true;
  default: break;
  }
  if (in->mode == PTX_BAR_WARP_SYNC) {
    d->out->kind = TRACE_SYNCWARP;
    decode_members(d, op, 0);
    return true;
  }
  d->out->together = false;
  return sim_decode_barrier(d, op);
}
