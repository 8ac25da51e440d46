// exec_sums.c: operands of the form %r1 + 4, which an instruction may read like a register: the sum is formed first.
//
// A register's bits and the number are added as integers, whatever the instruction then takes them for (so an H200 has it).
#include "sim/core/event.h"
#include "sim/ops/decoders.h"

static void form_sum(SimExec *exec, const SimSum *sum, uint32_t mask) {
  SIM_FOR_LANES(i, mask) {
    uint64_t value = (sim_lane(exec->regs, sum->from, sum->bytes, i) + sum->number) & sum->mask;
    if (sum->bytes == 8) sim_u64(exec->regs, sum->to)[i] = value;
    else sim_u32(exec->regs, sum->to)[i] = (uint32_t)value;
  }
}

static SimNext exec_sums(SimExec *exec, const SimInst *inst, uint32_t mask) {
  sim_catch_up(exec, inst->pc);
  const SimSums *sums = exec->program->sums[exec->pc];
  for (int k = 0; k < sums->count; k++) form_sum(exec, &sums->items[k], mask);
  if (sums->handler) return sums->handler(exec, inst, mask);
  inst->op.run(exec->regs, &inst->op, mask);
  if (exec->recording) { sim_event(exec, inst, mask); sim_emit(exec); } else sim_skip_event(exec);
  exec->pc++;
  return SIM_GO;
}

static bool is_sum(const SimSums *sums, uint32_t slot) {
  for (int k = 0; k < sums->count; k++) if (sums->items[k].to == slot) return true;
  return false;
}

// Of two operands that may change places the assembler puts the sum second, for it is the younger one, and of two NaNs
// of 64 bits the second is kept. Code for the debugger stays as it is written. (Read in machine code; add on an H200.)
static void put_sum_second(SimDecoder *d) {
  const PtxInstr *in = &d->program->module->code[d->pc];
  SimOp *op = &d->out->op;
  bool may_change = in->op == PTX_OP_add || in->op == PTX_OP_mul || in->op == PTX_OP_fma || in->op == PTX_OP_min ||
                    in->op == PTX_OP_max;
  if (!may_change || in->type != PTX_F64 || d->program->module->debug) return;
  if (!is_sum(d->sums, op->a) || is_sum(d->sums, op->b)) return;
  uint32_t sum = op->a;
  op->a = op->b;
  op->b = sum;
}

void sim_decode_sums(SimDecoder *d) {
  put_sum_second(d);
  d->sums->handler = d->out->handler;
  d->out->handler = exec_sums;
  d->program->sums[d->pc] = d->sums;
}
