// dots.c: sums of products, term by term, of two words each that are loaded for it alone.
//
//   ld.shared.f32 %f1, [%r1];
//   ld.shared.f32 %f2, [%r2];
//   fma.rn.f32 %f3, %f2, %f1, %f9;
//   ld.shared.f32 %f4, [%r1+64];
//   ld.shared.f32 %f5, [%r2+4];
//   fma.rn.f32 %f6, %f5, %f4, %f3;
//
// Nobody else looks at the words, nor at the sums on the way. So whoever knows where all words are need not put any of
// them into registers, but the last sum (grid/dots.c).
#include "ptx/def_use.h"
#include "sim/analysis/analysis.h"

enum { STEPS = SIM_DOT_STEPS };

typedef struct Search { SimProgram *program; int *uses; } Search;   // per register

static const PtxInstr *instr_at(const Search *s, int pc) { return &s->program->module->code[pc]; }
static const SimInst *inst_at(const Search *s, int pc) { return &s->program->code[pc]; }

static int block_of(const Search *s, int pc) {
  return s->program->cfgs[s->program->entry]->block_of[pc - s->program->module->funcs[s->program->entry].first];
}

static void count_uses(const Search *s) {
  const PtxFunc *f = &s->program->module->funcs[s->program->entry];
  for (int pc = f->first; pc < f->first + f->count; pc++)
    for (PtxRef r = {0}; ptx_each_use(instr_at(s, pc), &r);) if (r.kind == PTX_REF_REG) s->uses[r.reg]++;
}

// The register that a word is loaded to, for one instruction that uses it; -1: this is no such load.
static int loaded_by(const Search *s, int pc) {
  const SimInst *inst = inst_at(s, pc);
  const SimMem *m = inst->more;
  const PtxOperand *to = &instr_at(s, pc)->operands[0];
  if (!inst->shaped || inst->kind != TRACE_LOAD || inst->left_out || s->program->sums[pc]) return -1;
  if (m->vec != 1 || m->elem != 4 || m->extend != SIM_EXT_ZERO || m->data_bytes[0] != 4) return -1;
  return to->kind == PTX_OPD_REG && s->uses[to->reg] == 1 ? to->reg : -1;
}

static bool is_fma(const Search *s, int pc) {
  const SimInst *inst = inst_at(s, pc);
  const PtxInstr *in = instr_at(s, pc);
  if (in->op != PTX_OP_fma || in->type != PTX_F32 || in->flags || in->round != PTX_RN) return false;
  if (!inst->quiet || inst->handler || inst->left_out || s->program->sums[pc] || in->operand_count != 4) return false;
  for (int i = 0; i < 4; i++) if (in->operands[i].kind != PTX_OPD_REG) return false;
  return true;
}

static bool is_term(const Search *s, int pc) {
  if (inst_at(s, pc)->run < STEPS || block_of(s, pc) != block_of(s, pc + STEPS - 1)) return false;
  int x = loaded_by(s, pc), y = loaded_by(s, pc + 1);
  if (x < 0 || y < 0 || x == y || !is_fma(s, pc + 2)) return false;
  const PtxOperand *of = instr_at(s, pc + 2)->operands;
  return (of[1].reg == x && of[2].reg == y) || (of[1].reg == y && of[2].reg == x);
}

static const PtxOperand *fma_operand(const Search *s, const SimDot *d, int term, int i) {
  return &instr_at(s, d->first + term * STEPS + 2)->operands[i];
}

// Adds to the last term's sum, in the same basic block and line.
static bool goes_on(const Search *s, const SimDot *d, int pc) {
  if (inst_at(s, d->first)->run < pc + STEPS - d->first || block_of(s, d->first) != block_of(s, pc)) return false;
  return is_term(s, pc) && instr_at(s, pc + 2)->operands[3].reg == fma_operand(s, d, d->count - 1, 0)->reg;
}

static bool is_address(const Search *s, const SimDot *d, int reg) {
  for (int pc = d->first; pc < d->first + d->count * STEPS; pc++) {
    const PtxOperand *address = inst_at(s, pc)->shaped ? ptx_address(instr_at(s, pc)) : NULL;
    if (address && address->base == PTX_BASE_REG && address->reg == reg) return true;
  }
  return false;
}

// Sums on the way are for the next term, or stand where the last one will.
static bool keeps_to_itself(const Search *s, const SimDot *d) {
  int to = fma_operand(s, d, d->count - 1, 0)->reg;
  for (int i = 0; i + 1 < d->count; i++) {
    int sum = fma_operand(s, d, i, 0)->reg;
    if (sum != to && s->uses[sum] != 1) return false;
  }
  return !is_address(s, d, to);
}

static bool find(const Search *s, int pc, SimDot *d) {
  *d = (SimDot){.first = pc};
  if (!is_term(s, pc)) return false;
  for (d->count = 1; d->count < SIM_DOT_TERMS && goes_on(s, d, pc + d->count * STEPS);) d->count++;
  while (d->count && !keeps_to_itself(s, d)) d->count--;
  if (!d->count) return false;
  d->from = inst_at(s, pc + 2)->op.c;
  d->to = inst_at(s, pc + (d->count - 1) * STEPS + 2)->op.d;
  return true;
}

// Are the addresses of all its accesses those of registers, which stay?
static bool has_bases(const Search *s, const SimDot *d) {
  for (int i = 0; i < d->count * STEPS; i++) {
    const SimMem *m = i % STEPS < 2 ? inst_at(s, d->first + i)->more : NULL;
    if (m && (m->indexed || !m->base_bytes)) return false;
  }
  return true;
}

void sim_find_dots(SimProgram *program) {
  const PtxFunc *f = &program->module->funcs[program->entry];
  LsArena *arena = ls_arena_new();
  Search s = {program, LS_NEW_ARRAY(arena, int, f->reg_count + 1)};
  count_uses(&s);
  for (int pc = f->first; pc + STEPS <= f->first + f->count && program->steady_count; pc++) {
    SimDot found;
    if (!find(&s, pc, &found)) continue;
    SimDot *kept = LS_NEW(program->arena, SimDot);
    *kept = found;
    kept->number = has_bases(&s, &found) ? program->dot_count++ : -1;
    program->code[pc].dot = kept;
    pc += found.count * STEPS - 1;
  }
  ls_arena_free(arena);
}
