// unset.c: registers that may be used before anything has set them: which instructions have to be watched for that.
//
// A forward data flow finds the registers of a function that may still be unset at each instruction: all of them at its
// start, none that is written on every way. What is computed from an unset register (a move, arithmetic, a comparison)
// is as good as unset. It matters where it reaches memory, an address, a branch or a product of matrices; what a compiler
// moves about, packs, or shuffles for lanes that do not use it does not. From there back, everything that writes such a
// register is watched. Most kernels have none, and pay nothing.
#include <string.h>
#include "ptx/def_use.h"
#include "sim/analysis/analysis.h"

typedef uint64_t Word;
typedef struct Flow {
  SimProgram *program;
  const PtxFunc *func;
  const PtxCfg *cfg;
  LsArena *arena;            // of the analysis; what stays is in the program's
  int words;                 // of a set of registers
  Word **in;                 // per block of the graph: what may be unset at its start
  int *number;               // per register: 1 + that of its watch; 0: none
} Flow;

static bool has(const Word *set, int reg) { return set[reg / 64] >> reg % 64 & 1; }
static void put(Word *set, int reg, bool on) {
  if (on) set[reg / 64] |= 1ull << reg % 64;
  else set[reg / 64] &= ~(1ull << reg % 64);
}

// ---- what an instruction does ---------------------------------------------------------------------------------------

// Its results are unset if one of its sources is. What mixes the bits of several values is left out: half of what it
// makes may be all that is used.
static bool passes_on(const PtxInstr *in) {
  switch (in->op) {
  case PTX_OP_setp: return in->boolop == PTX_BOOL_NONE;
  case PTX_OP_mov:
    return in->operand_count == 2 && in->operands[0].kind == PTX_OPD_REG && in->operands[1].kind == PTX_OPD_REG;
  case PTX_OP_cvt: case PTX_OP_cvta: case PTX_OP_add: case PTX_OP_sub: case PTX_OP_mul: case PTX_OP_mad:
  case PTX_OP_fma: case PTX_OP_min: case PTX_OP_max: case PTX_OP_neg: case PTX_OP_abs: case PTX_OP_div: case PTX_OP_rem:
  case PTX_OP_sqrt: case PTX_OP_rsqrt: case PTX_OP_rcp: case PTX_OP_ex2: case PTX_OP_lg2: case PTX_OP_shl:
  case PTX_OP_shr: case PTX_OP_not:
    return true;
  default: return false;
  }
}

static bool source_is_unset(const PtxInstr *in, const Word *unset) {
  for (PtxRef r = {0}; ptx_each_use(in, &r);)
    if (r.kind == PTX_REF_REG && r.way == PTX_AS_VALUE && has(unset, r.reg)) return true;
  return false;
}

static bool makes_unset(const PtxInstr *in, const Word *unset) {
  return (passes_on(in) || in->op == PTX_OP_selp) && source_is_unset(in, unset);
}

static void step(const PtxInstr *in, Word *unset) {
  bool on = makes_unset(in, unset);
  for (PtxRef r = {0}; ptx_each_def(in, &r);)
    if (r.kind == PTX_REF_REG && (on || in->guard < 0)) put(unset, r.reg, on);
}

// ---- what may be unset ----------------------------------------------------------------------------------------------

static bool pass_block(const Flow *f, int b, Word *set) {
  const PtxBlock *block = &f->cfg->blocks[b];
  bool changed = false;
  memcpy(set, f->in[b], sizeof(Word) * (size_t)f->words);
  for (int pc = block->first; pc < block->first + block->count; pc++) step(&f->program->module->code[pc], set);
  for (int s = 0; s < block->succ_count; s++)
    for (int w = 0; w < f->words; w++) {
      changed |= (set[w] & ~f->in[block->succ[s]][w]) != 0;
      f->in[block->succ[s]][w] |= set[w];
    }
  return changed;
}

static void find_unset(const Flow *f) {
  Word *set = LS_NEW_ARRAY(f->arena, Word, f->words);
  for (int r = 0; r < f->func->reg_count; r++) put(f->in[0], r, true);
  for (int i = 0; i < f->func->param_count; i++)
    if (f->func->params[i].var < 0) put(f->in[0], f->func->params[i].reg, false);
  for (bool changed = true; changed;) {
    changed = false;
    for (int b = 0; b < f->cfg->block_count; b++) changed |= pass_block(f, b, set);
  }
}

// ---- where it matters -----------------------------------------------------------------------------------------------

static bool is_store(const PtxInstr *in) {
  if (in->space == PTX_LOCAL || in->space == PTX_PARAM) return false;
  return in->op == PTX_OP_st || in->op == PTX_OP_red || in->op == PTX_OP_atom;
}

// A vector of which some elements are set is a structure with a hole, or of which not all is used.
static bool is_whole(const PtxOperand *o, const Word *unset) {
  for (int i = 0; o->kind == PTX_OPD_VEC && i < o->elem_count; i++)
    if (o->elems[i].kind != PTX_OPD_REG || !has(unset, o->elems[i].reg)) return false;
  return true;
}

static bool matters(const PtxInstr *in, const PtxRef *r, const Word *unset) {
  PtxClass class = ptx_op_class((PtxOp)in->op);
  if (r->kind != PTX_REF_REG || !has(unset, r->reg)) return false;
  if (r->way == PTX_AS_GUARD) return class == PTX_CLASS_BRANCH || is_store(in);
  if (r->way == PTX_AS_ADDRESS) return true;
  if (class == PTX_CLASS_BRANCH || class == PTX_CLASS_MATRIX) return true;
  return is_store(in) && is_whole(&in->operands[r->operand], unset);
}

static bool watch_register(Flow *f, int reg) {
  if (f->number[reg]) return false;
  f->number[reg] = ++f->program->watched_count;
  return true;
}

static bool watch_sources(Flow *f, const PtxInstr *in, const Word *unset) {
  bool more = false, wanted = false;
  for (PtxRef r = {0}; ptx_each_def(in, &r);) wanted |= r.kind == PTX_REF_REG && f->number[r.reg];
  for (PtxRef r = {0}; ptx_each_use(in, &r);) {
    bool value = r.kind == PTX_REF_REG && r.way == PTX_AS_VALUE && has(unset, r.reg);
    if ((value && wanted && makes_unset(in, unset)) || matters(in, &r, unset)) more |= watch_register(f, r.reg);
  }
  return more;
}

typedef bool (*Visit)(Flow *f, int pc, const Word *unset);

static bool each_instruction(Flow *f, Visit visit) {
  Word *set = LS_NEW_ARRAY(f->arena, Word, f->words);
  bool any = false;
  for (int b = 0; b < f->cfg->block_count; b++) {
    const PtxBlock *block = &f->cfg->blocks[b];
    memcpy(set, f->in[b], sizeof(Word) * (size_t)f->words);
    for (int pc = block->first; pc < block->first + block->count; pc++) {
      any |= visit(f, pc, set);
      step(&f->program->module->code[pc], set);
    }
  }
  return any;
}

static bool choose_registers(Flow *f, int pc, const Word *unset) {
  return watch_sources(f, &f->program->module->code[pc], unset);
}

// ---- watches --------------------------------------------------------------------------------------------------------

static void add_uses(const Flow *f, const PtxInstr *in, const Word *unset, SimWatch *w) {
  bool passes = makes_unset(in, unset);
  for (PtxRef r = {0}; ptx_each_use(in, &r);) {
    if (r.kind != PTX_REF_REG || !has(unset, r.reg) || !f->number[r.reg]) continue;
    SimWatchUse use = {.number = f->number[r.reg] - 1, .reg = r.reg, .operand = (int8_t)r.operand, .way = r.way};
    use.told = matters(in, &r, unset);
    use.whole = use.told && r.way == PTX_AS_VALUE && is_store(in);
    use.passed = passes && r.way == PTX_AS_VALUE;
    if (use.told || use.passed) w->uses[w->use_count++] = use;
  }
}

static bool make_watch(Flow *f, int pc, const Word *unset) {
  const PtxInstr *in = &f->program->module->code[pc];
  LsArena *arena = f->program->arena;
  int defs = 0, uses = 0;
  for (PtxRef r = {0}; ptx_each_def(in, &r);) defs += r.kind == PTX_REF_REG && f->number[r.reg];
  for (PtxRef r = {0}; ptx_each_use(in, &r);) uses += r.kind == PTX_REF_REG && f->number[r.reg] && has(unset, r.reg);
  if (!defs && !uses) return false;
  SimWatch *w = LS_NEW(arena, SimWatch);
  *w = (SimWatch){.defs = LS_NEW_ARRAY(arena, int, defs + 1), .uses = LS_NEW_ARRAY(arena, SimWatchUse, uses + 1)};
  w->picks = in->op == PTX_OP_selp && in->operands[3].kind == PTX_OPD_REG ? in->operands[3].reg : -1;
  for (PtxRef r = {0}; ptx_each_def(in, &r);)
    if (r.kind == PTX_REF_REG && f->number[r.reg]) w->defs[w->def_count++] = f->number[r.reg] - 1;
  add_uses(f, in, unset, w);
  if (!w->def_count && !w->use_count) return false;
  f->program->watches[pc] = w;
  return true;
}

static void watch_func(SimProgram *program, int func, LsArena *arena) {
  Flow f = {.program = program, .func = &program->module->funcs[func], .cfg = program->cfgs[func], .arena = arena};
  if (!f.func->reg_count || !f.cfg->block_count) return;
  f.words = f.func->reg_count / 64 + 1;
  f.in = LS_NEW_ARRAY(arena, Word *, f.cfg->block_count);
  for (int b = 0; b < f.cfg->block_count; b++) f.in[b] = LS_NEW_ARRAY(arena, Word, f.words);
  f.number = LS_NEW_ARRAY(arena, int, f.func->reg_count);
  int before = program->watched_count;
  find_unset(&f);
  while (each_instruction(&f, choose_registers)) continue;
  if (program->watched_count > before) each_instruction(&f, make_watch);
}

// A function that can be inside of itself saves its registers, of which the watches know nothing.
void sim_find_unset(SimProgram *program) {
  if (!(program->options.checks & SIM_CHECK_INIT)) return;
  LsArena *arena = ls_arena_new();
  program->watches = LS_NEW_ARRAY(program->arena, const SimWatch *, program->module->code_count + 1);
  for (int f = 0; f < program->module->func_count; f++)
    if (program->funcs[f].reached && !program->funcs[f].recursive) watch_func(program, f, arena);
  ls_arena_free(arena);
}
