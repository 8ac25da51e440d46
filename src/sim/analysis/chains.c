// chains.c: sums whose terms are a word or nothing, as scans make them: a lane takes another lane's sum, or a word that
// is the same for all, if a predicate says so.
//
//   shfl.sync.up.b32 %r19|%p4, %r17, 2, 0, -1;       ld.shared.u32 %r48, [total+4];
//   selp.b32 %r20, 0, %r19, %p5;                     selp.b32 %r49, %r48, 0, %p15;
//   add.s32 %r21, %r20, %r17;                        add.s32 %r50, %r47, %r49;
//
// Each link of a chain adds to the sum of the one before. Nobody else looks at what is on the way, so whoever knows how
// far away those lanes and where those words are puts only the last sum into a register (grid/chains.c).
#include "ptx/def_use.h"
#include "sim/analysis/analysis.h"
#include "sim/core/slots.h"

typedef struct Search { SimProgram *program; int *uses; } Search;   // per register

static const PtxInstr *instr_at(const Search *s, int pc) { return &s->program->module->code[pc]; }
static const SimInst *inst_at(const Search *s, int pc) { return &s->program->code[pc]; }

static void count_uses(const Search *s) {
  const PtxFunc *f = &s->program->module->funcs[s->program->entry];
  for (int pc = f->first; pc < f->first + f->count; pc++)
    for (PtxRef r = {0}; ptx_each_use(instr_at(s, pc), &r);) if (r.kind == PTX_REF_REG) s->uses[r.reg]++;
}

static int block_of(const Search *s, int pc) {
  return s->program->cfgs[s->program->entry]->block_of[pc - s->program->module->funcs[s->program->entry].first];
}

// The next of the same line and basic block that is not left out; -1.
static int after(const Search *s, int pc) {
  int next = pc + 1, last = pc + inst_at(s, pc)->full_run;
  while (next < last && inst_at(s, next)->left_out) next++;
  return next < last && block_of(s, next) == block_of(s, pc) && !s->program->sums[next] ? next : -1;
}

// A register for one instruction that uses it, behind the one that writes it.
static bool is_own(const Search *s, const PtxOperand *o, int uses) {
  return o->kind == PTX_OPD_REG && s->uses[o->reg] == uses && s->program->reg_facts[o->reg].writers == 1 &&
         !(s->program->early[o->reg / 64] >> o->reg % 64 & 1);
}

static bool is_reg(const PtxOperand *o, int reg) { return o->kind == PTX_OPD_REG && o->reg == reg; }
static bool is_zero(const PtxOperand *o) { return o->kind == PTX_OPD_IMM && o->imm == 0; }

// Brings another lane's sum of those so far, which is in `sum`.
static bool is_shuffle(const Search *s, int pc, int sum) {
  const SimInst *inst = inst_at(s, pc);
  const PtxInstr *in = instr_at(s, pc);
  const SimWarpOp *op = inst->more;
  if (inst->kind != TRACE_SHUFFLE || !inst->together || s->program->sums[pc]) return false;
  if (!op->fixed || op->d == op->a) return false;
  if (in->operands[0].pair >= 0 && s->uses[in->operands[0].pair]) return false;
  return is_reg(&in->operands[1], sum) && is_own(s, &in->operands[0], 1);
}

// Loads a word that all lanes want.
static bool is_load(const Search *s, int pc) {
  const SimInst *inst = inst_at(s, pc);
  const SimMem *m = inst->more;
  if (!inst->shaped || inst->kind != TRACE_LOAD || s->program->sums[pc]) return false;
  if (m->vec != 1 || m->elem != 4 || m->extend != SIM_EXT_ZERO || m->data_bytes[0] != 4 || m->base_bytes) return false;
  return is_own(s, &instr_at(s, pc)->operands[0], 1);
}

static bool is_plain(const Search *s, int pc, PtxOp op, int operands) {
  const PtxInstr *in = instr_at(s, pc);
  const SimInst *inst = inst_at(s, pc);
  return in->op == op && inst->quiet && !inst->handler && !in->flags && in->operand_count == operands &&
         ptx_type_size((PtxType)in->type) == 4 && !ptx_type_is_float((PtxType)in->type);
}

// The word in `reg` or 0, as a predicate says.
static bool is_choice(const Search *s, int pc, int reg, SimChainLink *link) {
  const PtxOperand *o = instr_at(s, pc)->operands;
  if (!is_plain(s, pc, PTX_OP_selp, 4) || o[3].kind != PTX_OPD_REG || !is_own(s, &o[0], 1)) return false;
  bool first = is_reg(&o[1], reg) && is_zero(&o[2]), second = is_reg(&o[2], reg) && is_zero(&o[1]);
  link->predicate = s->program->funcs[s->program->entry].slots[o[3].reg];
  link->flips = second != o[3].negate ? UINT32_MAX : 0;
  return first || second;
}

// A link that begins at pc, and adds to `sum`, if that is known (-1: it is not). Its addition; -1: there is none.
static int link_at(const Search *s, int pc, int *sum, SimChainLink *link) {
  const PtxInstr *in = instr_at(s, pc);
  if (inst_at(s, pc)->left_out || inst_at(s, pc)->full_run < 3 || in->operand_count < 2) return -1;
  int choice = after(s, pc), add = choice < 0 ? -1 : after(s, choice);
  if (add < 0 || !is_plain(s, add, PTX_OP_add, 3)) return -1;
  int term = instr_at(s, choice)->operands[0].reg;
  const PtxOperand *o = instr_at(s, add)->operands, *other = is_reg(&o[1], term) ? &o[2] : &o[1];
  if (other->kind != PTX_OPD_REG || other->reg == term || !(is_reg(&o[1], term) || is_reg(&o[2], term))) return -1;
  if (*sum < 0) *sum = other->reg;
  bool shuffles = is_shuffle(s, pc, *sum);
  if (*sum != other->reg || (!shuffles && !is_load(s, pc))) return -1;
  if (!is_choice(s, choice, in->operands[0].reg, link)) return -1;
  link->inst = inst_at(s, pc);
  link->shuffles = shuffles;
  return add;
}

// Where the sum of the links so far is added to by another one, nobody else may look at it.
static bool goes_on(const Search *s, int last, int pc, int *sum, SimChainLink *link, int *add) {
  const PtxOperand *so_far = &instr_at(s, last)->operands[0];
  *sum = so_far->reg;
  *add = pc < 0 ? -1 : link_at(s, pc, sum, link);
  return *add >= 0 && is_own(s, so_far, link->shuffles ? 2 : 1);
}

static int find(const Search *s, int pc, SimChain *c) {
  const uint32_t *slots = s->program->funcs[s->program->entry].slots;
  int sum = -1, last = link_at(s, pc, &sum, &c->links[0]), add;
  if (last < 0) return -1;
  c->from = slots[sum];
  for (c->count = 1; c->count < SIM_CHAIN_LINKS; c->count++, last = add)
    if (!goes_on(s, last, after(s, last), &sum, &c->links[c->count], &add)) break;
  c->to = slots[instr_at(s, last)->operands[0].reg];
  c->last = inst_at(s, last);
  return c->count < SIM_CHAIN_FEWEST ? -1 : last;
}

void sim_find_chains(SimProgram *program) {
  const PtxFunc *f = &program->module->funcs[program->entry];
  if (!program->reg_facts) return;
  LsArena *arena = ls_arena_new();
  Search s = {program, LS_NEW_ARRAY(arena, int, f->reg_count + 1)};
  count_uses(&s);
  for (int pc = f->first; pc < f->first + f->count; pc++) {
    SimChain found = {0};
    int last = program->code[pc].dot ? -1 : find(&s, pc, &found);
    if (last < 0) continue;
    SimChain *kept = LS_NEW(program->arena, SimChain);
    SimDot *dot = LS_NEW(program->arena, SimDot);
    *kept = found;
    kept->number = program->chain_count++;
    *dot = (SimDot){.first = pc, .number = -1, .chain = kept};
    program->code[pc].dot = dot;
    pc = last;
  }
  ls_arena_free(arena);
}
