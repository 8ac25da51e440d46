// print.c: an instruction as one line of PTX.
#include <inttypes.h>

#include "ptx/module.h"

static void print_operand(const PtxModule *m, const PtxInstr *instr, const PtxOperand *operand, LsText *out);

static const char *reg_name(const PtxModule *m, const PtxInstr *instr, int reg) {
  const PtxFunc *func = &m->funcs[instr->func];
  return reg >= 0 && reg < func->reg_count ? func->regs[reg].name : "_";
}

static void print_elems(const PtxModule *m, const PtxInstr *instr, const PtxOperand *operand, LsText *out) {
  for (int i = 0; i < operand->elem_count; i++) {
    if (i) ls_text_add(out, ", ");
    print_operand(m, instr, &operand->elems[i], out);
  }
}

static void print_offset(int64_t offset, LsText *out) {
  if (offset) ls_text_addf(out, "+%" PRId64, offset);
}

static void print_memory(const PtxModule *m, const PtxInstr *instr, const PtxOperand *operand, LsText *out) {
  ls_text_addc(out, '[');
  switch (operand->base) {
    case PTX_BASE_REG: ls_text_add(out, reg_name(m, instr, operand->reg)); break;
    case PTX_BASE_VAR: ls_text_add(out, m->vars[operand->var].name); break;
    default: ls_text_addf(out, "%" PRId64, operand->offset); break;
  }
  if (operand->base != PTX_BASE_NONE) print_offset(operand->offset, out);
  if (operand->elem_count) ls_text_add(out, ", ");
  print_elems(m, instr, operand, out);
  ls_text_addc(out, ']');
}

static void print_imm(const PtxOperand *operand, LsText *out) {
  if (operand->imm_type == PTX_F32) ls_text_addf(out, "0f%08" PRIX32, (uint32_t)operand->imm);
  else if (operand->imm_type == PTX_F64) ls_text_addf(out, "0d%016" PRIX64, operand->imm);
  else ls_text_addf(out, "%" PRId64, (int64_t)operand->imm);
}

static void print_sreg(const PtxOperand *operand, LsText *out) {
  ls_text_add(out, ptx_sreg_name((PtxSreg)operand->sreg));
  if (ptx_sreg_copies((PtxSreg)operand->sreg) > 1) ls_text_addf(out, "%d", operand->index);
}

// Labels are known by pc only: L and the instruction's place in its function.
static void print_label(const PtxModule *m, const PtxInstr *instr, const PtxOperand *operand, LsText *out) {
  ls_text_addf(out, "L%d", operand->target - m->funcs[instr->func].first);
}

static void print_group(const PtxModule *m, const PtxInstr *instr, const PtxOperand *operand, const char *brackets,
                        LsText *out) {
  ls_text_addc(out, brackets[0]);
  print_elems(m, instr, operand, out);
  ls_text_addc(out, brackets[1]);
}

static void print_operand(const PtxModule *m, const PtxInstr *instr, const PtxOperand *operand, LsText *out) {
  if (operand->negate) ls_text_addc(out, instr->op == PTX_OP_vmad ? '-' : '!');
  switch (operand->kind) {
    case PTX_OPD_REG:
      ls_text_add(out, reg_name(m, instr, operand->reg));
      if (operand->selector) ls_text_add(out, operand->selector);
      break;
    case PTX_OPD_SUM:
      ls_text_add(out, reg_name(m, instr, operand->reg));
      print_offset(operand->offset, out);
      break;
    case PTX_OPD_IMM: print_imm(operand, out); break;
    case PTX_OPD_SREG: print_sreg(operand, out); break;
    case PTX_OPD_VAR:
      ls_text_add(out, m->vars[operand->var].name);
      print_offset(operand->offset, out);
      break;
    case PTX_OPD_MEM: print_memory(m, instr, operand, out); break;
    case PTX_OPD_VEC: print_group(m, instr, operand, "{}", out); break;
    case PTX_OPD_ARGS: print_group(m, instr, operand, "()", out); break;
    case PTX_OPD_LABEL: print_label(m, instr, operand, out); break;
    case PTX_OPD_FUNC: ls_text_add(out, m->funcs[operand->func].name); break;
    case PTX_OPD_TABLE: ls_text_add(out, m->tables[operand->index].name); break;
    default: ls_text_addc(out, '_'); break;
  }
  if (operand->pair >= 0) ls_text_addf(out, "|%s", reg_name(m, instr, operand->pair));
}

void ptx_print_instr(const PtxModule *module, int pc, LsText *out) {
  if (pc < 0 || pc >= module->code_count) return;
  const PtxInstr *instr = &module->code[pc];
  if (instr->guard >= 0) ls_text_addf(out, "@%s%s ", instr->guard_negate ? "!" : "", reg_name(module, instr, instr->guard));
  ls_text_add(out, instr->spelling);
  for (int i = 0; i < instr->operand_count; i++) {
    ls_text_add(out, i ? ", " : " ");
    print_operand(module, instr, &instr->operands[i], out);
  }
  ls_text_addc(out, ';');
}
