// probe_put.c: writes calls, conditions and sums as PTX.
#include "device/probe/probe_put.h"

// ---- calls ---------------------------------------------------------------------------------------------------------

void probe_put_call_for(LsText *out, const char *function, const ProbeArgument *args, int count, const char *result) {
  ls_text_addf(out, "{\n%s", result ? ".param .b32 lanescope_result;\n" : "");
  for (int i = 0; i < count; i++) {
    ls_text_addf(out, ".param .b%d lanescope_%d;\nst.param.b%d [lanescope_%d], ", args[i].bits, i, args[i].bits, i);
    if (args[i].text) ls_text_add(out, args[i].text);
    else ls_text_addf(out, "%llu", (unsigned long long)args[i].number);
    ls_text_add(out, ";\n");
  }
  ls_text_addf(out, "call.uni %s%s, (", result ? "(lanescope_result), " : "", function);
  for (int i = 0; i < count; i++) ls_text_addf(out, "%slanescope_%d", i ? ", " : "", i);
  ls_text_add(out, ");\n");
  if (result) ls_text_addf(out, "ld.param.b32 %s, [lanescope_result];\n", result);
  ls_text_add(out, "}\n");
}

void probe_put_call(LsText *out, const char *function, const ProbeArgument *args, int count) {
  probe_put_call_for(out, function, args, count, NULL);
}

// ---- who is it ------------------------------------------------------------------------------------------------------

void probe_put_block(const Probe *probe, const char *to, const char *y, const char *z, LsText *out) {
  const uint32_t *grid = probe->launch->grid;
  ls_text_addf(out, "mov.u32 %s, %%ctaid.x;\n", to);
  if (grid[1] * (uint64_t)grid[2] == 1) return;
  ls_text_addf(out, "mov.u32 %s, %%ctaid.y;\n", y);
  if (grid[2] > 1) ls_text_addf(out, "mov.u32 %s, %%ctaid.z;\nmad.lo.u32 %s, %s, %u, %s;\n", z, y, z, grid[1], y);
  ls_text_addf(out, "mad.lo.u32 %s, %s, %u, %s;\n", to, y, grid[0], to);
}

void probe_put_warp(const Probe *probe, const char *to, const char *y, const char *z, LsText *out) {
  const uint32_t *block = probe->launch->block;
  ls_text_addf(out, "mov.u32 %s, %%tid.x;\n", to);
  if (block[1] * block[2] > 1) {
    ls_text_addf(out, "mov.u32 %s, %%tid.y;\n", y);
    if (block[2] > 1) ls_text_addf(out, "mov.u32 %s, %%tid.z;\nmad.lo.u32 %s, %s, %u, %s;\n", z, y, z, block[1], y);
    ls_text_addf(out, "mad.lo.u32 %s, %s, %u, %s;\n", to, y, block[0], to);
  }
  ls_text_addf(out, "shr.u32 %s, %s, 5;\n", to, to);
}

// A GPU lets lanes that had parted vote together, although neither's mask has the others, and then each sees all of
// them.
static void leave_others_out(const char *votes, const char *lanes, LsText *out) {
  if (strcmp(lanes, "-1") != 0) ls_text_addf(out, "and.b32 %s, %s, %s;\n", votes, votes, lanes);
}

// Which of the lanes have the register not zero.
void probe_put_some(const char *to, const char *lanes, const char *word, LsText *out) {
  ls_text_addf(out, "setp.ne.u32 %%lanescope_q, %s, 0;\nvote.sync.ballot.b32 %s, %%lanescope_q, %s;\n", word, to,
               lanes);
  leave_others_out(to, lanes, out);
}

// ---- operands ------------------------------------------------------------------------------------------------------

const PtxReg *probe_put_register(const Probe *probe, const PtxInstr *in, int reg) {
  return &probe->module->funcs[in->func].regs[reg];
}

void probe_put_operand(const Probe *probe, const PtxInstr *in, const PtxOperand *o, int bytes, const char *to, LsText *out) {
  if (o && o->kind == PTX_OPD_VEC && o->elem_count) o = &o->elems[0];
  uint64_t mask = bytes >= 8 ? UINT64_MAX : (1ull << bytes * 8) - 1;
  if (!o || (o->kind != PTX_OPD_REG && o->kind != PTX_OPD_SUM)) {
    ls_text_addf(out, "mov.u64 %s, %llu;\n", to, o && o->kind == PTX_OPD_IMM ? (unsigned long long)(o->imm & mask) : 0);
    return;
  }
  const PtxReg *reg = probe_put_register(probe, in, o->reg);
  int size = ptx_type_size((PtxType)reg->type);
  if (size == 8) ls_text_addf(out, "mov.b64 %s, %s;\n", to, reg->name);
  else if (size == 4) ls_text_addf(out, "mov.b32 %%lanescope_a, %s;\ncvt.u64.u32 %s, %%lanescope_a;\n", reg->name, to);
  else if (size == 2) ls_text_addf(out, "mov.b16 %%lanescope_h, %s;\ncvt.u64.u16 %s, %%lanescope_h;\n", reg->name, to);
  else if (size == 16) ls_text_addf(out, "mov.b128 {%s, _}, %s;\n", to, reg->name);
  else if (reg->type == PTX_PRED) ls_text_addf(out, "selp.u64 %s, 1, 0, %s;\n", to, reg->name);
  else ls_text_addf(out, "cvt.u64.u8 %s, %s;\n", to, reg->name);
  if (o->kind == PTX_OPD_SUM) ls_text_addf(out, "add.s64 %s, %s, %lld;\n", to, to, (long long)o->offset);
  if (size > bytes || o->kind == PTX_OPD_SUM) ls_text_addf(out, "and.b64 %s, %s, 0x%llx;\n", to, to, (unsigned long long)mask);
}

// A sum with a register of 32 bits has 32 bits.
void probe_put_address(const Probe *probe, const PtxInstr *in, const PtxOperand *o, const char *to, LsText *out) {
  const PtxReg *reg = o->base == PTX_BASE_REG ? probe_put_register(probe, in, o->reg) : NULL;
  if (reg && o->offset && ptx_type_size((PtxType)reg->type) == 4) {
    ls_text_addf(out, "add.s32 %%lanescope_a, %s, %d;\ncvt.u64.u32 %s, %%lanescope_a;\n", reg->name, (int)o->offset, to);
    return;
  }
  if (o->base == PTX_BASE_REG) {
    PtxOperand base = {.kind = PTX_OPD_REG, .reg = o->reg};
    probe_put_operand(probe, in, &base, 8, to, out);
  } else if (o->base == PTX_BASE_VAR) {
    ls_text_addf(out, "mov.u64 %s, %s;\n", to, probe->module->vars[o->var].name);
  } else {
    ls_text_addf(out, "mov.u64 %s, 0;\n", to);
  }
  if (o->offset) ls_text_addf(out, "add.s64 %s, %s, %lld;\n", to, to, (long long)o->offset);
}

void probe_put_guard(const Probe *probe, const PtxInstr *in, LsText *out) {
  if (in->guard < 0) ls_text_add(out, "mov.u32 %lanescope_g, 1;\n");
  else
    ls_text_addf(out, "selp.u32 %%lanescope_g, %d, %d, %s;\n", !in->guard_negate, in->guard_negate,
                 probe_put_register(probe, in, in->guard)->name);
}

void probe_put_ballot(const Probe *probe, const PtxInstr *in, LsText *out) {
  ls_text_addf(out, "mov.u32 %%lanescope_a, 0;\n@%s%s activemask.b32 %%lanescope_a;\n", in->guard_negate ? "!" : "",
               probe_put_register(probe, in, in->guard)->name);
  leave_others_out("%lanescope_a", "%lanescope_m", out);
}

void probe_put_reported_address(const Probe *probe, const PtxInstr *in, const PtxOperand *o, PtxSpace space,
                                LsText *out) {
  probe_put_address(probe, in, o, "%lanescope_k", out);
  if (space != PTX_GENERIC) return;
  ls_text_add(out, "{\n.param .b64 lanescope_0;\n.param .b64 lanescope_1;\nst.param.b64 [lanescope_0], %lanescope_k;\n"
                   "call.uni (lanescope_1), lanescope_probe_generic, (lanescope_0);\n"
                   "ld.param.b64 %lanescope_k, [lanescope_1];\n}\n");
}
