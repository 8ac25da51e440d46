// indexed.c: accesses whose addresses are an array's start and a scaled index, in one line with what makes them so.
//
//   mul.wide.s32 %rd4, %r1, 4;
//   add.s64 %rd5, %rd1, %rd4;     %rd1 is the same in all lanes and blocks
//   ld.global.f32 %f1, [%rd5];
//
// Addresses of 64 bits in 32 lanes take longer to make than to use. Whoever knows that all lie as before from the
// indexes alone (ops/shape_access.c) needs none, so what only makes them is left out of lines that nobody watches, and
// made up for where an access is not like one before.
#include "ptx/def_use.h"
#include "sim/analysis/analysis.h"

typedef struct Uses { int *all, *known; } Uses;   // per register: uses; those by indexed accesses and sums left out

static SimInst *inst_at(const SimProgram *program, int pc) { return &program->code[pc]; }
static const PtxInstr *instr_at(const SimProgram *program, int pc) { return &program->module->code[pc]; }

static int block_start(const SimProgram *program, int pc) {
  const PtxCfg *cfg = program->cfgs[program->entry];
  return cfg->blocks[cfg->block_of[pc - program->module->funcs[program->entry].first]].first;
}

// The instruction in front of pc, of its block and its line, that last writes a register; -1.
static int writer_before(const SimProgram *program, int pc, int reg) {
  for (int at = pc - 1, first = block_start(program, pc); at >= first; at--)
    if (ptx_defines(instr_at(program, at), reg)) return inst_at(program, at)->run > pc - at ? at : -1;
  return -1;
}

static bool is_plain(const SimProgram *program, int pc, PtxOp op) {
  const PtxInstr *in = instr_at(program, pc);
  const SimInst *inst = inst_at(program, pc);
  return in->op == op && inst->quiet && !inst->handler && !in->flags && in->operand_count == 3;
}

static bool is_sum(const SimProgram *program, int pc) {
  const PtxInstr *in = instr_at(program, pc);
  return is_plain(program, pc, PTX_OP_add) && (in->type == PTX_S64 || in->type == PTX_U64) &&
         in->operands[1].kind == PTX_OPD_REG && in->operands[2].kind == PTX_OPD_REG;
}

static bool is_product(const SimProgram *program, int pc) {
  const PtxInstr *in = instr_at(program, pc);
  return is_plain(program, pc, PTX_OP_mul) && in->mode == PTX_MUL_WIDE &&
         (in->type == PTX_S32 || in->type == PTX_U32) &&
         in->operands[1].kind == PTX_OPD_REG && in->operands[2].kind == PTX_OPD_IMM;
}

// The sum's operand k is the start of an array, and the other one a scaled index that has not changed before pc.
static bool is_index(const SimProgram *program, int pc, int sum, int k, SimIndexed *out) {
  const PtxOperand *start = &instr_at(program, sum)->operands[k], *scaled = &instr_at(program, sum)->operands[3 - k];
  if (!program->reg_facts[start->reg].uniform) return false;
  int product = writer_before(program, sum, scaled->reg);
  if (product < 0 || !is_product(program, product) || inst_at(program, product)->run <= pc - product) return false;
  const PtxInstr *in = instr_at(program, product);
  for (int at = product; at < pc; at++) if (ptx_defines(instr_at(program, at), in->operands[1].reg)) return false;
  // Making up for it may not undo what stands there by then.
  for (int at = sum + 1; at < pc; at++) if (ptx_defines(instr_at(program, at), scaled->reg)) return false;
  const uint32_t *slots = program->funcs[program->entry].slots;
  uint32_t scale = (uint32_t)in->operands[2].imm;
  bool is_signed = in->type == PTX_S32;
  *out = (SimIndexed){.product = inst_at(program, product), .sum = inst_at(program, sum), .is_signed = is_signed,
                      .index = slots[in->operands[1].reg], .start = slots[start->reg],
                      .scale = is_signed ? (uint64_t)(int32_t)scale : scale};
  return true;
}

static const PtxOperand *base_of(const SimProgram *program, int pc) {
  const PtxOperand *address = ptx_address(instr_at(program, pc));
  return address && address->base == PTX_BASE_REG ? address : NULL;
}

static bool find_index(const SimProgram *program, int pc, SimIndexed *out) {
  const PtxOperand *base = inst_at(program, pc)->shaped && inst_at(program, pc)->run ? base_of(program, pc) : NULL;
  int sum = base ? writer_before(program, pc, base->reg) : -1;
  if (sum < 0 || !is_sum(program, sum)) return false;
  return is_index(program, pc, sum, 1, out) || is_index(program, pc, sum, 2, out);
}

static void count_uses(const SimProgram *program, Uses *uses) {
  const PtxFunc *f = &program->module->funcs[program->entry];
  for (int pc = f->first; pc < f->first + f->count; pc++)
    for (PtxRef r = {0}; ptx_each_use(instr_at(program, pc), &r);) if (r.kind == PTX_REF_REG) uses->all[r.reg]++;
}

static const SimIndexed *index_at(const SimProgram *program, int pc) {
  const SimInst *inst = inst_at(program, pc);
  return inst->shaped ? ((const SimMem *)inst->more)->indexed : NULL;
}

static const PtxInstr *instr_of(const SimProgram *program, const SimInst *inst) {
  return instr_at(program, (int)(inst - program->code));
}

// Leaves out what nobody uses but those who do without it.
static void leave_out(SimProgram *program, Uses *uses) {
  const PtxFunc *f = &program->module->funcs[program->entry];
  for (int pc = f->first; pc < f->first + f->count; pc++)
    if (index_at(program, pc)) uses->known[base_of(program, pc)->reg]++;
  for (int pc = f->first; pc < f->first + f->count; pc++) {
    const SimIndexed *x = index_at(program, pc);
    if (!x || x->sum->left_out) continue;
    int to = instr_of(program, x->sum)->operands[0].reg, scaled = instr_of(program, x->product)->operands[0].reg;
    x->sum->left_out = uses->all[to] == uses->known[to];
    uses->known[scaled] += x->sum->left_out;
  }
  for (int pc = f->first; pc < f->first + f->count; pc++) {
    const SimIndexed *x = index_at(program, pc);
    int scaled = x ? instr_of(program, x->product)->operands[0].reg : 0;
    if (x && uses->all[scaled] == uses->known[scaled]) x->product->left_out = true;
  }
}

void sim_find_indexed(SimProgram *program) {
  const PtxFunc *f = &program->module->funcs[program->entry];
  LsArena *arena = ls_arena_new();
  Uses uses = {LS_NEW_ARRAY(arena, int, f->reg_count + 1), LS_NEW_ARRAY(arena, int, f->reg_count + 1)};
  for (int pc = f->first; pc < f->first + f->count; pc++) {
    SimIndexed found;
    SimInst *inst = inst_at(program, pc);
    bool is_indexed = program->steady_count && find_index(program, pc, &found);
    if (!is_indexed) continue;
    SimMem *m = (SimMem *)(uintptr_t)inst->more;
    SimIndexed *kept = LS_NEW(program->arena, SimIndexed);
    *kept = found;
    m->indexed = kept;
  }
  count_uses(program, &uses);
  leave_out(program, &uses);
  ls_arena_free(arena);
}
