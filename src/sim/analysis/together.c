// together.c: shuffles, votes and the like that name all lanes of a warp by a constant, atomics, barriers, and the end
// of all.
//
// A warp that has not parted need not ask there who is to come, so they are part of its straight lines.
#include "sim/analysis/analysis.h"
#include "sim/core/regs.h"

// The same number in all lanes?
static bool is_fixed(const SimProgram *program, const PtxOperand *o) {
  return o->kind == PTX_OPD_IMM || (o->kind == PTX_OPD_REG && program->reg_facts && program->reg_facts[o->reg].uniform);
}

static bool names_all(const SimProgram *program, const PtxOperand *o) {
  if (!is_fixed(program, o)) return false;
  if (o->kind == PTX_OPD_IMM) return (uint32_t)o->imm == SIM_FULL;
  const PtxInstr *writer = &program->module->code[program->reg_facts[o->reg].writer];
  return writer->op == PTX_OP_mov && writer->operands[1].kind == PTX_OPD_IMM &&
         (uint32_t)writer->operands[1].imm == SIM_FULL;
}

static void look_at(const SimProgram *program, int pc) {
  SimInst *inst = &program->code[pc];
  const PtxInstr *in = &program->module->code[pc];
  if (!inst->together) return;
  bool is_plain = in->guard < 0 && !inst->watched && !program->sums[pc];   // its handler does no more than it says
  // Where warps take turns, one that goes on behind a barrier has used up its stint.
  if (inst->kind == TRACE_BARRIER) { inst->together = is_plain && program->options.order != SIM_TURNS; return; }
  if (inst->kind == TRACE_EXIT || inst->kind == TRACE_ATOM) { inst->together = is_plain; return; }
  SimWarpOp *op = (SimWarpOp *)(uintptr_t)inst->more;
  if (in->op == PTX_OP_shfl) op->fixed = is_fixed(program, &in->operands[2]) && is_fixed(program, &in->operands[3]);
  inst->together = op->members != SIM_NO_SLOT && is_plain &&
                   names_all(program, &in->operands[in->operand_count - 1]);
}

static void set_full_run(const SimProgram *program, int pc) {
  SimInst *inst = &program->code[pc];
  bool ends = inst->kind == TRACE_BRANCH || inst->kind == TRACE_EXIT ||
              inst->kind == TRACE_BARRIER || pc + 1 == program->module->code_count ||
              program->module->code[pc + 1].func != program->module->code[pc].func || inst[1].meets;
  if (inst->run || inst->together) inst->full_run = (uint16_t)LS_MIN(1 + (ends ? 0 : inst[1].full_run), UINT16_MAX);
}

void sim_find_together(SimProgram *program) {
  const PtxFunc *f = &program->module->funcs[program->entry];
  for (int pc = f->first + f->count - 1; pc >= f->first; pc--) {
    look_at(program, pc);
    set_full_run(program, pc);
  }
}
