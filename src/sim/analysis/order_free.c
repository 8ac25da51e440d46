// order_free.c: kernels whose warps may run in any order: what a warp does to others they only see behind a barrier.
//
// Then all orders leave the same in memory, and count the same, as long as nobody races. That is for the checks to
// find; here it is asked whether there is anything else that shows the order: words that are changed and looked at by
// atomics, strong accesses, clocks, output.
#include "sim/analysis/analysis.h"
#include "sim/core/slots.h"

static bool reads_a_clock(const PtxInstr *in) {
  for (int i = 0; i < in->operand_count; i++)
    if (in->operands[i].kind == PTX_OPD_SREG && sim_sreg_changes(in->operands[i].sreg)) return true;
  return false;
}

static bool is_plain_access(const SimInst *inst, const PtxInstr *in) {
  if (in->op != PTX_OP_ld && in->op != PTX_OP_st) return false;
  const SimMem *m = inst->more;
  return !m->later && !m->acquire && !m->release && !(m->how & (SIM_STRONG | SIM_VOLATILE));
}

static bool is_warps_own(const PtxInstr *in) {
  return in->op == PTX_OP_shfl || in->op == PTX_OP_vote || in->op == PTX_OP_redux || in->op == PTX_OP_match;
}

static bool is_plain_call(const SimInst *inst) {
  const SimCall *call = inst->more;
  return call->func >= 0 && (!call->builtin || call->builtin == SIM_BUILTIN_MATH);
}

static bool hides_order(const SimProgram *program, int pc) {
  const PtxInstr *in = &program->module->code[pc];
  const SimInst *inst = &program->code[pc];
  switch (ptx_op_class((PtxOp)in->op)) {
  case PTX_CLASS_ALU: return !reads_a_clock(in);
  case PTX_CLASS_MEM: return is_plain_access(inst, in);
  case PTX_CLASS_BRANCH: return true;
  case PTX_CLASS_BARRIER: return in->op == PTX_OP_bar || in->op == PTX_OP_barrier;
  case PTX_CLASS_WARP: return is_warps_own(in);
  case PTX_CLASS_CALL: return is_plain_call(inst);
  case PTX_CLASS_EXIT: return in->op != PTX_OP_trap;
  default: return in->op == PTX_OP_mov || in->op == PTX_OP_cvta;
  }
}

void sim_find_order_free(SimProgram *program) {
  program->order_free = !program->has_recursion;
  for (int pc = 0; pc < program->module->code_count && program->order_free; pc++)
    if (program->funcs[program->module->code[pc].func].reached) program->order_free = hides_order(program, pc);
}
