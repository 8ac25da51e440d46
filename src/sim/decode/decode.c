// decode.c: turns the instructions that a kernel can reach into SimInst, once, before anything runs.
#include "base/file.h"
#include "sim/internal.h"

// ---- what can be reached -------------------------------------------------------------------------------------------

static void reach(SimProgram *program, int func);

// Functions whose address is taken may be called from any indirect call; they count as reached where it is taken.
static void reach_operand(SimProgram *program, const PtxOperand *o) {
  if (o->kind == PTX_OPD_FUNC) reach(program, o->func);
}

static void reach(SimProgram *program, int func) {
  const PtxFunc *f = &program->module->funcs[func];
  if (program->funcs[func].reached || f->is_extern) return;
  program->funcs[func].reached = true;
  for (int pc = f->first; pc < f->first + f->count; pc++) {
    const PtxInstr *in = &program->module->code[pc];
    if (in->op == PTX_OP_call) program->has_calls = true;
    for (int i = 0; i < in->operand_count; i++) reach_operand(program, &in->operands[i]);
  }
}

// Tables of function addresses in global memory make their functions reachable too.
static void reach_tables(SimProgram *program) {
  if (!program->has_calls) return;
  for (int v = 0; v < program->module->var_count; v++) {
    const PtxVar *var = &program->module->vars[v];
    for (int i = 0; i < var->reloc_count; i++)
      if (var->relocs[i].func >= 0 && var->relocs[i].func < program->module->func_count)
        reach(program, var->relocs[i].func);
  }
}

// grid.sync() asks for the workspace of a cooperative launch in %envreg1 and 2, traps if there is none, and waits for
// the other blocks at an atomic of the device.
bool sim_waits_for_grid(const SimProgram *program) {
  bool asks = false, traps = false, waits = false;
  for (int pc = 0; pc < program->module->code_count; pc++) {
    const PtxInstr *in = &program->module->code[pc];
    if (!program->funcs[in->func].reached) continue;
    asks |= in->op == PTX_OP_mov && in->operands[1].kind == PTX_OPD_SREG && in->operands[1].sreg == PTX_SR_ENVREG0 &&
            in->operands[1].index == 1;
    traps |= in->op == PTX_OP_trap;
    waits |= in->op == PTX_OP_atom && in->sem == PTX_RELEASE && in->scope == PTX_SCOPE_GPU;
  }
  return asks && traps && waits;
}

static bool is_indirect(const PtxInstr *in) {
  if (in->op != PTX_OP_call) return false;
  for (int i = 0; i < in->operand_count; i++) if (in->operands[i].kind == PTX_OPD_FUNC) return false;
  return true;
}

static void mark_function(const PtxModule *m, int func, uint8_t *taken) { if (func >= 0 && func < m->func_count) taken[func] = 1; }

static void mark_taken(const PtxModule *m, const PtxOperand *o, uint8_t *taken) {
  if (o->kind == PTX_OPD_FUNC) mark_function(m, o->func, taken);
  for (int i = 0; i < o->elem_count; i++) mark_taken(m, &o->elems[i], taken);
}

// Functions whose addresses the code takes, or that stand in tables: those that an indirect call may call.
static uint8_t *find_taken(const SimProgram *program) {
  const PtxModule *m = program->module;
  uint8_t *taken = ls_alloc((size_t)m->func_count + 1);
  for (int pc = 0; pc < m->code_count; pc++)
    for (int i = 0; i < m->code[pc].operand_count; i++) {
      const PtxOperand *o = &m->code[pc].operands[i];
      if (m->code[pc].op != PTX_OP_call || o->kind != PTX_OPD_FUNC) mark_taken(m, o, taken);
    }
  for (int v = 0; v < m->var_count; v++)
    for (int i = 0; i < m->vars[v].reloc_count; i++) mark_function(m, m->vars[v].relocs[i].func, taken);
  return taken;
}

// Marks in `seen` what `func` calls, directly or not.
static void mark_callees(const SimProgram *program, int func, const uint8_t *taken, uint8_t *seen) {
  const PtxFunc *f = &program->module->funcs[func];
  for (int pc = f->first; pc < f->first + f->count; pc++) {
    const PtxInstr *in = &program->module->code[pc];
    if (in->op != PTX_OP_call) continue;
    for (int g = 0; g < program->module->func_count; g++) {
      bool called = is_indirect(in) && taken[g];
      for (int i = 0; i < in->operand_count && !called; i++)
        called = in->operands[i].kind == PTX_OPD_FUNC && in->operands[i].func == g;
      if (!called || seen[g] || !program->funcs[g].reached || program->module->funcs[g].is_entry) continue;
      seen[g] = 1;
      mark_callees(program, g, taken, seen);
    }
  }
}

static void find_recursion(SimProgram *program) {
  int count = program->module->func_count;
  uint8_t *seen = ls_alloc((size_t)count + 1), *taken = find_taken(program);
  for (int f = 0; f < count && program->has_calls; f++) {
    if (!program->funcs[f].reached) continue;
    memset(seen, 0, (size_t)count);
    mark_callees(program, f, taken, seen);
    program->funcs[f].recursive = seen[f] != 0;
    program->has_recursion |= program->funcs[f].recursive;
  }
  free(seen);
  free(taken);
}

void sim_reach(SimProgram *program) {
  program->funcs = LS_NEW_ARRAY(program->arena, SimFunc, program->module->func_count + 1);
  reach(program, program->entry);
  reach_tables(program);
  find_recursion(program);
}

// ---- arithmetic ----------------------------------------------------------------------------------------------------

static int type_bytes(int type) { return type == PTX_PRED ? 1 : ptx_type_size((PtxType)type) == 8 ? 8 : 4; }

// Bytes of the slot (1: predicate) that operand i of an arithmetic instruction is read or written as.
static int operand_bytes(const PtxInstr *in, int i) {
  int type = type_bytes(in->type);
  switch (in->op) {
  case PTX_OP_cvt: return i == 0 ? type : type_bytes(in->type2);
  case PTX_OP_mul:
  case PTX_OP_mad:
    return in->mode == PTX_MUL_WIDE && (i == 0 || i == 3) ? (type == 4 && ptx_type_size((PtxType)in->type) == 2 ? 4 : 8)
                                                          : type;
  case PTX_OP_shl: case PTX_OP_shr: return i == 2 ? 4 : type;
  case PTX_OP_set: return i == 3 ? 1 : i == 0 ? type : type_bytes(in->type2);
  case PTX_OP_setp: return i == 0 || i == 3 ? 1 : type;
  case PTX_OP_selp: return i == 3 ? 1 : type;
  case PTX_OP_slct: return i == 3 ? type_bytes(in->type2) : type;
  case PTX_OP_popc: case PTX_OP_clz: case PTX_OP_bfind: return i == 0 ? 4 : type;
  case PTX_OP_bfe: return i >= 2 ? 4 : type;
  case PTX_OP_bfi: return i >= 3 ? 4 : type;
  case PTX_OP_testp: return i == 0 ? 1 : type;
  case PTX_OP_dp2a: case PTX_OP_dp4a: case PTX_OP_prmt: case PTX_OP_shf: case PTX_OP_fns: return 4;
  default: return type;
  }
}

// A source in a wider register than the instruction reads: its low half is copied first.
static void narrow(uint8_t *regs, const SimOp *op, uint32_t mask) {
  uint32_t *d = sim_u32(regs, op->d);
  const uint64_t *a = sim_u64(regs, op->a);
  SIM_FOR_LANES(i, mask) d[i] = (uint32_t)a[i];
}

typedef struct SimWrapped {
  SimOp before[4];
  int before_count;
  uint32_t to;
  int to_bytes, sign_bits;
  uint32_t from;
} SimWrapped;

// cvt into a register wider than its type extends the result to the register.
static void widen(uint8_t *regs, const SimWrapped *w, uint32_t mask) {
  int shift = 64 - w->sign_bits;
  SIM_FOR_LANES(i, mask) {
    uint64_t bits = sim_u32(regs, w->from)[i];
    if (w->sign_bits) bits = (uint64_t)((int64_t)(bits << shift) >> shift);
    if (w->to_bytes == 8) sim_u64(regs, w->to)[i] = bits;
    else sim_u32(regs, w->to)[i] = w->to_bytes == 2 ? (uint16_t)bits : (uint32_t)bits;
  }
}

static SimNext exec_wrapped(SimExec *exec, const SimInst *inst, uint32_t mask) {
  const SimWrapped *w = inst->more;
  for (int i = 0; i < w->before_count; i++) narrow(exec->regs, &w->before[i], mask);
  inst->op.run(exec->regs, &inst->op, mask);
  if (w->to_bytes) widen(exec->regs, w, mask);
  if (exec->recording) { sim_event(exec, inst, mask); sim_emit(exec); } else sim_skip_event(exec);
  exec->pc++;
  return SIM_GO;
}

// Integer division: told once per instruction, and the result is what the chip gives.
static SimNext exec_divide(SimExec *exec, const SimInst *inst, uint32_t mask) {
  uint32_t zero = 0;
  SIM_FOR_LANES(i, mask)
    if (!(inst->op.imm == 8 ? sim_u64(exec->regs, inst->op.b)[i] : sim_u32(exec->regs, inst->op.b)[i])) zero |= 1u << i;
  inst->op.run(exec->regs, &inst->op, mask);
  if (exec->recording) { sim_event(exec, inst, mask); sim_emit(exec); } else sim_skip_event(exec);
  if (zero) sim_fault(exec, &(SimFaultPlace){.kind = FAULT_DIVIDE_BY_ZERO, .mask = zero});
  exec->pc++;
  return SIM_GO;
}

// Reads of clocks: their slots are filled with the time of this instruction.
typedef struct SimClock { uint32_t slot; int bytes, sreg; } SimClock;
static SimNext exec_clock(SimExec *exec, const SimInst *inst, uint32_t mask) {
  const SimClock *clock = inst->more;
  uint64_t values[SIM_LANES];
  sim_sreg_value(exec, sim_warp_index(exec), clock->sreg, 0, values);
  SIM_FOR_LANES(i, SIM_FULL) {
    if (clock->bytes == 8) sim_u64(exec->regs, clock->slot)[i] = values[i];
    else sim_u32(exec->regs, clock->slot)[i] = (uint32_t)values[i];
  }
  inst->op.run(exec->regs, &inst->op, mask);
  if (exec->recording) { sim_event(exec, inst, mask); sim_emit(exec); } else sim_skip_event(exec);
  exec->pc++;
  return SIM_GO;
}

static int operand_reg_bytes(const SimDecoder *d, const PtxOperand *o) {
  return o->kind == PTX_OPD_REG ? sim_reg_bytes(d->program->module, d->func, o->reg) : 0;
}

static SimWrapped *wrapped(SimDecoder *d) {
  if (!d->out->more) d->out->more = LS_NEW(d->program->arena, SimWrapped);
  d->out->handler = exec_wrapped;
  return (SimWrapped *)(uintptr_t)d->out->more;
}

static uint32_t source_slot(SimDecoder *d, const PtxOperand *o, int bytes) {
  int have = operand_reg_bytes(d, o);
  uint32_t slot = sim_slot_of(d, o, have == 8 && bytes == 4 ? 8 : bytes);
  if (have == 8 && bytes == 4) {
    SimWrapped *w = wrapped(d);
    uint32_t low = sim_slot_temp(d->program, 4, w->before_count);
    w->before[w->before_count++] = (SimOp){.d = low, .a = slot};
    return low;
  }
  return slot;
}

// Registers of 16 bits hold them with zeros above, and so do immediates in their place: -21845 is 0xaaab there.
static bool is_half_word(const PtxInstr *in, int operand) {
  int type = in->op == PTX_OP_cvt ? in->type2 : in->type;
  bool counts = (in->op == PTX_OP_shl || in->op == PTX_OP_shr) && operand == 2;
  bool wide = in->op == PTX_OP_mad && in->mode == PTX_MUL_WIDE && operand == 3;
  return ptx_type_size((PtxType)type) == 2 && !counts && !wide;
}

// cvt's destination register may be wider than its type.
static void destination(SimDecoder *d, const PtxOperand *o) {
  int bytes = operand_bytes(d->in, 0), size = ptx_type_size((PtxType)d->in->type);
  bool is_reg = o->kind == PTX_OPD_REG;
  d->out->op.d = sim_slot_of(d, o, is_reg ? operand_reg_bytes(d, o) : bytes);
  if (!is_reg) return;
  int have = operand_reg_bytes(d, o),
      reg_size = ptx_type_size((PtxType)d->program->module->funcs[d->func].regs[o->reg].type);
  bool grows = d->in->op == PTX_OP_cvt && have != 1 &&
               (have > bytes || (ptx_type_is_signed((PtxType)d->in->type) && size < reg_size));
  if (grows) {
    SimWrapped *w = wrapped(d);
    w->to = d->out->op.d;
    w->to_bytes = have == 8 ? 8 : reg_size;
    w->sign_bits = ptx_type_is_signed((PtxType)d->in->type) ? size * 8 : 0;
    w->from = d->out->op.d = have == 8 ? sim_slot_scratch(4) : d->out->op.d;
  } else if (have != bytes) {
    d->why = "a register of this width as the destination";
  }
}

static void decode_sources(SimDecoder *d) {
  const PtxInstr *in = d->in;
  uint32_t *slots[] = {NULL, &d->out->op.a, &d->out->op.b, &d->out->op.c, &d->out->op.e};
  int next = 1;
  for (int i = 1; i < in->operand_count; i++) {
    const PtxOperand *o = &in->operands[i];
    if (in->op == PTX_OP_lop3 && i == 4) { d->out->op.imm = (uint32_t)o->imm; continue; }
    if (next >= LS_COUNT(slots)) { d->why = "so many operands"; return; }
    int bytes = operand_bytes(in, i);
    bool half_word = bytes == 4 && o->kind == PTX_OPD_IMM && is_half_word(in, i);
    *slots[next++] = half_word ? sim_slot_const(d->program, 4, o->imm & 0xffff) : source_slot(d, o, bytes);
    if (bytes == 1 && o->negate) d->out->op.negate_c = 1;
  }
}

static void decode_clock(SimDecoder *d) {
  for (int i = 1; i < d->in->operand_count; i++) {
    const PtxOperand *o = &d->in->operands[i];
    if (o->kind != PTX_OPD_SREG || !sim_sreg_moves(o->sreg)) continue;
    SimClock *clock = LS_NEW(d->program->arena, SimClock);
    *clock =
        (SimClock){i == 1 ? d->out->op.a : d->out->op.b,
                   o->sreg == PTX_SR_CLOCK64 || o->sreg == PTX_SR_GLOBALTIMER ? 8 : operand_bytes(d->in, i), o->sreg};
    d->out->more = clock;
    d->out->handler = exec_clock;
  }
}

static bool is_integer_division(const PtxInstr *in) {
  if (in->op != PTX_OP_div && in->op != PTX_OP_rem) return false;
  const PtxOperand *by = &in->operands[2];
  return !ptx_type_is_float((PtxType)in->type) && !(by->kind == PTX_OPD_IMM && by->imm);
}

static bool decode_alu(SimDecoder *d) {
  const PtxInstr *in = d->in;
  SimOp *op = &d->out->op;
  *op = (SimOp){.type = in->type, .type2 = in->type2, .cmp = in->cmp, .boolop = in->boolop, .mode = in->mode,
                .round = in->round, .flags = in->flags};
  op->run = sim_alu_find(in);
  if (!op->run) { d->why = "this form of the instruction"; return false; }
  bool carry_in = in->op == PTX_OP_addc || in->op == PTX_OP_subc || in->op == PTX_OP_madc;
  if (in->flags & PTX_F_CC) op->d2 = sim_slot_carry(d->program);
  if (carry_in) op->e = sim_slot_carry(d->program);
  destination(d, &in->operands[0]);
  if (in->operands[0].pair >= 0 && in->operands[0].kind == PTX_OPD_REG)
    op->d2 = d->program->funcs[d->func].slots[in->operands[0].pair];
  decode_sources(d);
  decode_clock(d);
  if (is_integer_division(in) && !d->out->handler) {
    op->imm = (uint32_t)operand_bytes(in, 2);
    d->out->handler = exec_divide;
  }
  return d->why == NULL;
}

// ---- one instruction -----------------------------------------------------------------------------------------------

typedef enum OpClass { CLASS_ALU, CLASS_MEM, CLASS_ATOM, CLASS_BRANCH, CLASS_BARRIER, CLASS_WARP, CLASS_MATRIX,
                       CLASS_FENCE, CLASS_CALL, CLASS_EXIT, CLASS_MISC } OpClass;
static const uint8_t op_classes[PTX_OP_COUNT] = {
#define PTX_OP(name, class, ...) [PTX_OP_##name] = CLASS_##class,
#include "ptx/ops.def"
#undef PTX_OP
};

static bool decode_class(SimDecoder *d) {
  if (d->in->op == PTX_OP_ldmatrix || d->in->op == PTX_OP_stmatrix) return sim_decode_matrix(d);
  switch ((OpClass)op_classes[d->in->op]) {
  case CLASS_ALU: return sim_decode_move(d) || (!d->why && (sim_decode_packed(d) || decode_alu(d)));
  case CLASS_MEM: return sim_decode_mem(d);
  case CLASS_ATOM: return sim_decode_atom(d);
  case CLASS_WARP: case CLASS_BARRIER: return sim_decode_warp(d);
  case CLASS_MATRIX: return sim_decode_matrix(d);
  case CLASS_CALL: return sim_decode_call(d);
  case CLASS_BRANCH: case CLASS_EXIT: case CLASS_FENCE: case CLASS_MISC: return sim_decode_flow(d);
  default: return false;
  }
}

static bool decode_one(SimProgram *program, int pc, const char **why) {
  const PtxInstr *in = &program->module->code[pc];
  SimInst *out = &program->code[pc];
  SimDecoder d = {program, in, out, in->func, pc, NULL};
  *out = (SimInst){.guard = SIM_NO_SLOT, .guard_negate = in->guard_negate, .kind = TRACE_EXEC};
  if (in->guard >= 0) out->guard = program->funcs[in->func].slots[in->guard];
  bool ok = decode_class(&d) && !d.why;
  *why = d.why;
  return ok;
}

// ---- straight lines ------------------------------------------------------------------------------------------------

static void mark_join(uint8_t *joins, int32_t pc) { if (pc >= 0) joins[pc] = 1; }

// Straight lines end where lanes may meet, so that the executor looks at these places only between lines.
static void find_runs(SimProgram *program) {
  const PtxModule *m = program->module;
  uint8_t *joins = ls_alloc((size_t)m->code_count + 1);
  for (int pc = 0; pc < m->code_count; pc++) {
    const PtxInstr *in = &m->code[pc];
    if (!program->funcs[in->func].reached) continue;
    if (in->op == PTX_OP_bra || in->op == PTX_OP_brx)
      mark_join(joins, ptx_cfg_reconvergence(m, program->cfgs[in->func], pc));
    if (in->op == PTX_OP_call) mark_join(joins, pc + 1);
  }
  for (int pc = m->code_count - 1; pc >= 0; pc--) {
    SimInst *in = &program->code[pc];
    bool plain = in->op.run && !in->handler && in->guard == SIM_NO_SLOT;
    if (!plain) continue;
    bool goes_on = pc + 1 < m->code_count && m->code[pc + 1].func == m->code[pc].func && !joins[pc + 1];
    int run = 1 + (goes_on ? program->code[pc + 1].run : 0);
    in->run = (uint16_t)LS_MIN(run, 60000);
  }
  free(joins);
}

// Everything that cannot be executed is told in one message, with lines.
static void refuse_first(const SimProgram *program, int line, int col, int *refused, LsErr *err) {
  const char *path = program->module->path ? program->module->path : "";
  if ((*refused)++ > 0) return;
  if (ls_ends_with(path, ".cu"))   // the lines are not those of this file
    ls_fail(err, LS_EUNSUPPORTED, "%s: the emulator cannot execute everything that this kernel reaches; in its PTX:", path);
  else
    ls_fail_at(err, LS_EUNSUPPORTED, path, line, col, "the emulator cannot execute everything that this kernel reaches:");
}

static void add_source_line(const PtxModule *m, int pc, LsErr *err) {
  int file, line;
  if (ptx_line_of(m, pc, &file, &line) && m->files[file])
    ls_err_append(err, "    which is of %s:%d", ls_path_base(m->files[file]), line);
}

static void refuse_func(const SimProgram *program, int func, const char *why, int *refused, LsErr *err) {
  const PtxFunc *f = &program->module->funcs[func];
  refuse_first(program, f->line, 1, refused, err);
  if (*refused <= 12) ls_err_append(err, "  line %d: %s %s", f->line, f->demangled, why);
}

static void refuse(const SimProgram *program, int pc, const char *why, int *refused, LsErr *err) {
  LsText text = {0};
  ptx_print_instr(program->module, pc, &text);
  refuse_first(program, program->module->code[pc].line, program->module->code[pc].col, refused, err);
  if (*refused <= 12) ls_err_append(err, "  line %d: %s%s%s", program->module->code[pc].line, ls_text_str(&text),
                                    why ? "  -- not supported: " : "", why ? why : "");
  if (*refused <= 12) add_source_line(program->module, pc, err);
  ls_text_free(&text);
}

// What of a function cannot be executed, beside its instructions; NULL: nothing.
static const char *refused_shape(const PtxModule *m, int func) {
  const PtxFunc *f = &m->funcs[func];
  bool in_regs = false;
  for (int i = 0; i < f->param_count; i++) {
    in_regs |= f->params[i].var < 0;
    if (f->params[i].var < 0 && sim_reg_bytes(m, func, f->params[i].reg) < 4) return "takes a predicate";
  }
  for (int i = 0; i < f->result_count; i++)
    if (f->results[i].var < 0 ? sim_reg_bytes(m, func, f->results[i].reg) < 4 : f->results[i].size > SIM_RESULT_BYTES)
      return "returns a predicate, or more than 64 bytes";
  if (in_regs && f->param_count > SIM_MOST_PASSED) return "takes more than 16 parameters, some of them in registers";
  return f->result_count > SIM_MOST_RESULTS ? "returns more than 4 values" : NULL;
}

static void decode_func(SimProgram *program, int func, int *refused, LsErr *err) {
  const PtxFunc *f = &program->module->funcs[func];
  const char *shape = func == program->entry ? sim_refused_cluster(program) : refused_shape(program->module, func);
  if (shape) refuse_func(program, func, shape, refused, err);
  program->cfgs[func] = ptx_cfg_new(program->module, func, program->arena);
  for (int pc = f->first; pc < f->first + f->count; pc++) {
    const char *why = NULL;
    if (!decode_one(program, pc, &why)) refuse(program, pc, why, refused, err);
  }
}

bool sim_decode(SimProgram *program, LsErr *err) {
  const PtxModule *m = program->module;
  if (!sim_slots_new(program)) return ls_fail(err, LS_EUNSUPPORTED, "the kernel has too many registers to emulate");
  program->code = LS_NEW_ARRAY(program->arena, SimInst, m->code_count + 1);
  program->cfgs = LS_NEW_ARRAY(program->arena, PtxCfg *, m->func_count);
  int refused = 0;
  for (int f = 0; f < m->func_count; f++)
    if (program->funcs[f].reached) decode_func(program, f, &refused, err);
  if (refused > 12) ls_err_append(err, "  and %d more", refused - 12);
  if (refused) return false;
  find_runs(program);
  return true;
}
