// strong_uses.c: what volatile and atomic accesses are for, by the code alone: to look at a flag, or to change a word.
//
// A load LOOKS if its value decides whether the loop that it is in goes on (a thread that waits, or that counts on), or
// if nothing but comparisons are made with it: then a store by somebody else is what it looks for, not what it must not
// meet. A value that a function returns is followed to where that is called.
//
// A volatile load and a volatile store to the same address UPDATE if what is stored was computed from what was loaded,
// or what or whether depends on a comparison with it: *a += 1, or if (x > *a) *a = x. A store behind a wait for the
// word comes either way; the compiler may take the first look out of the loop. Addresses are the same if they are made
// by the same operations from the same parameters.
//
// A plain load GUESSES if an atomicCAS of the same word compares what it brought: a guess that was wrong fails.
#include <stdlib.h>
#include <string.h>
#include "base/random.h"
#include "ptx/cfg.h"
#include "ptx/def_use.h"
#include "sim/analysis/analysis.h"
#include "sim/core/program.h"

enum { VALUE = 1, VERDICT = 2 };       // what a register has of the load: its value, or what a comparison made of it
enum { MOST_DEPTH = 24, MOST_CALLS = 4 };   // of an address; that a value is returned through
enum { NOT_ASKED, NOBODY_LOOKS, ONE_LOOKS };

typedef struct Code {
  const SimProgram *program;
  const PtxModule *m;
  const PtxFunc *func;
  const PtxCfg *cfg;
  int *defs;                           // of each register: its only definition's pc, -1: none, -2: several
  uint8_t *has;                        // of each register: VALUE, VERDICT
  uint8_t *seen; int *stack;           // of each block: reached; blocks to go on from
  uint8_t *ahead, *behind;             // of each block: the load leads to it; it leads to the load
  uint8_t *chosen;                     // of each instruction: a branch that has been passed on already
  int64_t *left;                       // instructions that may still be looked at
  SimCas *cas; int cas_count;
  uint8_t looked_at[MOST_CALLS];       // at what it returns, through so many calls
  struct Code *all;                    // of each function; cfg: NULL as long as nobody asked for it
} Code;

// Of one function: a fraction of a second. Of a longer one (instrumented kernels have tens of thousands of
// instructions) the rest counts as looks, so no race is told of it that is none.
enum { MOST_WORK = 1 << 24 };

typedef struct Found { bool stored, compared, returned, decides; } Found;   // what becomes of a load's value

// ---- which way control may go --------------------------------------------------------------------------------------

// By one edge at least, and not through `to` (-1: nothing stops it); back: against the edges.
static void reach(const Code *c, int from, int to, bool back, uint8_t *seen) {
  int depth = 0;
  memset(seen, 0, (size_t)c->cfg->block_count);
  c->stack[depth++] = from;
  while (depth > 0) {
    const PtxBlock *b = &c->cfg->blocks[c->stack[--depth]];
    const int *next = back ? b->pred : b->succ;
    for (int i = 0; i < (back ? b->pred_count : b->succ_count); i++) {
      if (seen[next[i]]) continue;
      seen[next[i]] = 1;
      if (next[i] != to) c->stack[depth++] = next[i];
    }
  }
}

static bool leads_to(const Code *c, int from, int to) {
  reach(c, from, to, false, c->seen);
  return c->seen[to];
}

static int block_of(const Code *c, int pc) { return c->cfg->block_of[pc - c->func->first]; }

// Does the branch decide whether the load is executed again? `ahead` and `behind` are known.
static bool decides(const Code *c, int load, int branch) {
  int at = block_of(c, load), from = block_of(c, branch);
  const PtxBlock *b = &c->cfg->blocks[from];
  if (at != from && !c->ahead[from]) return false;
  int back = 0;
  for (int i = 0; i < b->succ_count; i++) back += b->succ[i] == at || c->behind[b->succ[i]];
  return back > 0 && back < b->succ_count;
}

// ---- what becomes of a value ---------------------------------------------------------------------------------------

static uint8_t of_uses(const Code *c, const PtxInstr *in) {
  uint8_t has = 0;
  for (PtxRef use = {0}; ptx_each_use(in, &use);)
    if (use.kind == PTX_REF_REG && use.way == PTX_AS_VALUE) has |= c->has[use.reg];
  return has;
}

static bool compares(const PtxInstr *in) {
  return in->op == PTX_OP_setp || in->op == PTX_OP_set || in->op == PTX_OP_testp;
}

// True: that is news.
static bool pass_on(const Code *c, const PtxInstr *in) {
  uint8_t has = of_uses(c, in);
  bool news = false;
  if (!has) return false;
  if (compares(in)) has = VERDICT;
  for (PtxRef def = {0}; ptx_each_def(in, &def);) {
    if (def.kind != PTX_REF_REG || !(has & ~c->has[def.reg])) continue;
    c->has[def.reg] |= has;
    news = true;
  }
  return news;
}

// What several definitions give depends on which way control went: blocks between the branch and where its ways meet.
static bool pass_on_choice(const Code *c, int branch) {
  const PtxBlock *from = &c->cfg->blocks[block_of(c, branch)];
  bool news = false;
  c->chosen[branch - c->func->first] = 1;
  *c->left -= c->func->count;
  reach(c, block_of(c, branch), from->ipdom, false, c->seen);
  for (int b = 0; b < c->cfg->block_count; b++) {
    const PtxBlock *way = &c->cfg->blocks[b];
    for (int pc = way->first; c->seen[b] && b != from->ipdom && pc < way->first + way->count; pc++)
      for (PtxRef def = {0}; ptx_each_def(&c->m->code[pc], &def);) {
        if (def.kind != PTX_REF_REG || c->defs[def.reg] != -2 || c->has[def.reg]) continue;
        c->has[def.reg] = VERDICT;
        news = true;
      }
  }
  return news;
}

static bool chooses(const Code *c, int pc) {
  const PtxInstr *in = &c->m->code[pc];
  return in->op == PTX_OP_bra && in->guard >= 0 && c->has[in->guard];
}

static void follow(const Code *c) {
  memset(c->chosen, 0, (size_t)c->func->count + 1);
  for (bool news = true; news && *c->left > 0;) {
    news = false;
    *c->left -= 2 * c->func->count;
    for (int pc = c->func->first; pc < c->func->first + c->func->count; pc++) news |= pass_on(c, &c->m->code[pc]);
    for (int pc = c->func->first; pc < c->func->first + c->func->count; pc++)
      if (chooses(c, pc) && !c->chosen[pc - c->func->first] && *c->left > 0) news |= pass_on_choice(c, pc);
  }
}

static bool keeps(const PtxInstr *in) {   // a value in memory
  return in->op == PTX_OP_st || in->op == PTX_OP_atom || in->op == PTX_OP_red;
}

static void note_ends(const Code *c, int load, int pc, Found *found) {
  const PtxInstr *in = &c->m->code[pc];
  for (PtxRef use = {0}; ptx_each_use(in, &use);) {
    uint8_t has = use.kind == PTX_REF_REG ? c->has[use.reg] : 0;
    if (!has) continue;
    bool value = has & VALUE, is_param = in->op == PTX_OP_st && in->space == PTX_PARAM;
    found->compared |= compares(in) || use.way == PTX_AS_GUARD;
    found->returned |= is_param || in->op == PTX_OP_call;
    found->stored |= value && !is_param && (use.way == PTX_AS_ADDRESS || keeps(in));
    if (use.way == PTX_AS_GUARD && in->op == PTX_OP_bra) found->decides |= decides(c, load, pc);
  }
}

// `has` says in which registers the value is, which comes at `load`.
static Found what_becomes_of(const Code *c, int load) {
  Found found = {0};
  follow(c);
  reach(c, block_of(c, load), -1, false, c->ahead);
  reach(c, block_of(c, load), -1, true, c->behind);
  for (int pc = c->func->first; pc < c->func->first + c->func->count; pc++) note_ends(c, load, pc, &found);
  return found;
}

// ---- addresses -----------------------------------------------------------------------------------------------------

static uint64_t mixed(uint64_t a, uint64_t b) { return ls_hash64(&(uint64_t[]){a, b}, 16); }

static uint64_t number_of(const Code *c, int reg, int depth);

static uint64_t number_of_operand(const Code *c, const PtxOperand *o, int depth) {
  switch (o->kind) {
  case PTX_OPD_REG: return number_of(c, o->reg, depth);
  case PTX_OPD_IMM: return mixed(1, o->imm);
  case PTX_OPD_SREG: return mixed(2, (uint64_t)o->sreg * 64 + (uint64_t)o->index);
  case PTX_OPD_VAR: return mixed(3, (uint64_t)o->var) + (uint64_t)o->offset;
  case PTX_OPD_MEM:
    if (o->base == PTX_BASE_REG) return number_of(c, o->reg, depth) + (uint64_t)o->offset;
    return mixed(3, (uint64_t)(o->base == PTX_BASE_VAR ? o->var : -1)) + (uint64_t)o->offset;
  default: return mixed(4, (uint64_t)(uintptr_t)o);
  }
}

static bool is_copy(const PtxInstr *in) { return in->op == PTX_OP_mov || in->op == PTX_OP_cvta; }

// The same number: the same value, as long as control does not come by their definitions in between.
static uint64_t number_of(const Code *c, int reg, int depth) {
  int pc = c->defs[reg];
  const PtxInstr *in = pc >= 0 ? &c->m->code[pc] : NULL;
  bool is_param = in && in->op == PTX_OP_ld && in->space == PTX_PARAM;
  if (!in || depth > MOST_DEPTH || (!is_param && ptx_op_class((PtxOp)in->op) != PTX_CLASS_ALU))
    return mixed(5, (uint64_t)reg);
  if (is_copy(in)) return number_of_operand(c, &in->operands[1], depth + 1);
  uint64_t number = mixed(in->op, (uint64_t)in->type << 16 | (uint64_t)in->type2 << 8 | in->mode);
  for (int i = 1; i < in->operand_count; i++) number = mixed(number, number_of_operand(c, &in->operands[i], depth + 1));
  return number;
}

static void find_definitions(const Code *c) {
  for (int i = 0; i <= c->func->reg_count; i++) c->defs[i] = -1;
  for (int pc = c->func->first; pc < c->func->first + c->func->count; pc++)
    for (PtxRef def = {0}; ptx_each_def(&c->m->code[pc], &def);)
      if (def.kind == PTX_REF_REG) c->defs[def.reg] = c->defs[def.reg] == -1 ? pc : -2;
}

// ---- loads and stores that change a word ---------------------------------------------------------------------------

static SimMem *mem_of(const SimProgram *program, int pc) {
  const SimInst *inst = &program->code[pc];
  return inst->access == SIM_MEMORY_ACCESS ? (SimMem *)(uintptr_t)inst->more : NULL;
}

static bool is_constant(const Code *c, const PtxOperand *o) {
  for (int depth = 0; o->kind == PTX_OPD_REG && depth < MOST_DEPTH; depth++) {
    int pc = c->defs[o->reg];
    if (pc < 0 || c->m->code[pc].op != PTX_OP_mov) return false;
    o = &c->m->code[pc].operands[1];
  }
  return o->kind == PTX_OPD_IMM;
}

// Is it up to the loaded value whether the store is executed, or what is stored?
static bool is_chosen(const Code *c, int store, const PtxOperand *value) {
  const PtxInstr *in = &c->m->code[store];
  if ((in->guard >= 0 && c->has[in->guard]) || (value->kind == PTX_OPD_REG && c->has[value->reg])) return true;
  for (int pc = c->func->first; pc < c->func->first + c->func->count; pc++) {
    if (!chooses(c, pc)) continue;
    int meet = c->cfg->blocks[block_of(c, pc)].ipdom, at = block_of(c, store);
    reach(c, block_of(c, pc), meet, false, c->seen);
    if (at != meet && c->seen[at]) return true;
  }
  return false;
}

// follow() has just been there.
static bool updates(const Code *c, int load, int store, const Found *found) {
  const PtxInstr *in = &c->m->code[store], *from = &c->m->code[load];
  const PtxOperand *value = &in->operands[1];
  if (in->op != PTX_OP_st || in->sem != PTX_VOLATILE || in->type2 != from->type2 || value->kind == PTX_OPD_VEC)
    return false;
  if (number_of_operand(c, &in->operands[0], 0) != number_of_operand(c, &from->operands[1], 0)) return false;
  if (!(block_of(c, load) == block_of(c, store) && load < store) && !leads_to(c, block_of(c, load), block_of(c, store)))
    return false;
  if (value->kind == PTX_OPD_REG && c->has[value->reg] & VALUE) return true;
  if (!found->compared || found->stored || found->decides || is_constant(c, value)) return false;
  return is_chosen(c, store, value);
}

static bool mark_updates(const Code *c, int load, const Found *found) {
  bool any = false;
  for (int pc = c->func->first; pc < c->func->first + c->func->count; pc++) {
    SimMem *store = mem_of(c->program, pc);
    if (!store || !updates(c, load, pc, found)) continue;
    store->how |= SIM_UPDATES;
    any = true;
  }
  return any;
}

// ---- a guess that a CAS checks -------------------------------------------------------------------------------------

static bool is_same_word(const Code *c, int load, const SimCas *cas) {
  if (mem_of(c->program, load)->width != cas->width) return false;
  if (number_of_operand(c, ptx_address(&c->m->code[load]), 0) != number_of_operand(c, cas->address, 0)) return false;
  int from = block_of(c, load), to = block_of(c, cas->pc);
  return (from == to && load < cas->pc) || leads_to(c, from, to);
}

static bool is_guess(const Code *c, int load) {
  bool followed = false;
  for (int i = 0; i < c->cas_count; i++) {
    const SimCas *cas = &c->cas[i];
    if (!is_same_word(c, load, cas)) continue;
    memset(c->has, 0, followed ? 0 : (size_t)c->func->reg_count + 1);
    for (PtxRef def = {0}; !followed && ptx_each_def(&c->m->code[load], &def);)
      if (def.kind == PTX_REF_REG) c->has[def.reg] = VALUE;
    if (!followed) follow(c);
    followed = true;
    if (cas->compared->kind == PTX_OPD_REG && c->has[cas->compared->reg] & VALUE) return true;
  }
  return false;
}

static void judge_plain(const Code *c, int pc) {
  SimMem *mem = mem_of(c->program, pc);
  bool loads = c->m->code[pc].op == PTX_OP_ld && c->program->code[pc].kind == TRACE_LOAD;
  if (!loads || !mem || mem->how & SIM_STRONG || mem->vec != 1) return;
  if (is_guess(c, pc)) mem->how |= SIM_GUESSES;
}

// ---- a function ----------------------------------------------------------------------------------------------------

static Code *code_of(Code *all, const SimProgram *program, int func) {
  const PtxFunc *f = &program->module->funcs[func];
  Code *c = &all[func];
  if (c->cfg) return c;
  *c = (Code){.program = program, .m = program->module, .func = f, .cfg = program->cfgs[func], .all = all};
  c->defs = ls_alloc(sizeof *c->defs * ((size_t)f->reg_count + 1));
  c->has = ls_alloc((size_t)f->reg_count + 1);
  c->seen = ls_alloc((size_t)c->cfg->block_count + 1);
  c->ahead = ls_alloc((size_t)c->cfg->block_count + 1);
  c->behind = ls_alloc((size_t)c->cfg->block_count + 1);
  c->stack = ls_alloc(sizeof *c->stack * ((size_t)c->cfg->block_count + 1));
  c->chosen = ls_alloc((size_t)f->count + 1);
  c->left = ls_alloc(sizeof *c->left);
  *c->left = MOST_WORK;
  find_definitions(c);
  return c;
}

static void code_free(Code *c) {
  free(c->defs);
  free(c->has);
  free(c->seen);
  free(c->ahead);
  free(c->behind);
  free(c->stack);
  free(c->chosen);
  free(c->left);
  free(c->cas);
}

static bool is_look(const Found *found) { return found->decides || (found->compared && !found->stored); }

// ---- what is returned ----------------------------------------------------------------------------------------------

static const PtxOperand *results_of(const PtxInstr *call, int func) {
  const PtxOperand *results = NULL;
  for (int i = 0; i < call->operand_count; i++) {
    if (call->operands[i].kind == PTX_OPD_FUNC) return call->operands[i].func == func ? results : NULL;
    if (call->operands[i].kind == PTX_OPD_ARGS) results = &call->operands[i];
  }
  return NULL;
}

// The registers that get the call's results: at once, or loaded from its .param variables.
static void seed_results(const Code *c, const PtxOperand *results) {
  memset(c->has, 0, (size_t)c->func->reg_count + 1);
  for (int i = 0; i < results->elem_count; i++)
    if (results->elems[i].kind == PTX_OPD_REG) c->has[results->elems[i].reg] = VALUE;
  for (int pc = c->func->first; pc < c->func->first + c->func->count; pc++) {
    const PtxInstr *in = &c->m->code[pc];
    const PtxOperand *at = in->op == PTX_OP_ld && in->space == PTX_PARAM ? ptx_address(in) : NULL;
    for (int i = 0; at && i < results->elem_count; i++)
      if (at->base == PTX_BASE_VAR && results->elems[i].kind == PTX_OPD_VAR && results->elems[i].var == at->var)
        for (PtxRef def = {0}; ptx_each_def(in, &def);) if (def.kind == PTX_REF_REG) c->has[def.reg] = VALUE;
  }
}

static bool is_looked_at(Code *c, int depth);

// Whoever asks has done with what is known of the caller's registers, which may be its own. A caller too long to say
// looks.
static bool caller_looks(Code *c, int pc, const PtxOperand *results, int depth) {
  int64_t left = MOST_WORK;
  Code *caller = code_of(c->all, c->program, c->m->code[pc].func), asked = *caller;
  asked.left = &left;
  seed_results(&asked, results);
  Found found = what_becomes_of(&asked, pc);
  return left <= 0 || is_look(&found) || (found.returned && is_looked_at(caller, depth + 1));
}

// Does somebody who calls the function look at what it returns? The same for all that it may return, so asked once.
static bool is_looked_at(Code *c, int depth) {
  if (depth >= MOST_CALLS) return false;
  uint8_t *known = &c->looked_at[depth];
  for (int pc = 0; pc < c->m->code_count && *known == NOT_ASKED; pc++) {
    const PtxInstr *in = &c->m->code[pc];
    bool calls = in->op == PTX_OP_call && c->program->funcs[in->func].reached;
    const PtxOperand *results = calls ? results_of(in, (int)(c->func - c->m->funcs)) : NULL;
    if (results && caller_looks(c, pc, results, depth)) *known = ONE_LOOKS;
  }
  if (*known == NOT_ASKED) *known = NOBODY_LOOKS;
  return *known == ONE_LOOKS;
}

// ---- all of them ---------------------------------------------------------------------------------------------------

static void judge(Code *c, int pc) {
  const PtxInstr *in = &c->m->code[pc];
  SimMem *mem = mem_of(c->program, pc);
  bool loads = in->op == PTX_OP_ld || in->op == PTX_OP_ldu;
  if (!mem || !(mem->how & SIM_STRONG) || !(loads || in->op == PTX_OP_atom) || mem->unused) return;
  memset(c->has, 0, (size_t)c->func->reg_count + 1);
  for (PtxRef def = {0}; ptx_each_def(in, &def);) if (def.kind == PTX_REF_REG) c->has[def.reg] = VALUE;
  Found found = what_becomes_of(c, pc);
  if (*c->left <= 0) {
    mem->how |= SIM_LOOKS;
    return;
  }
  if (loads && in->sem == PTX_VOLATILE && mark_updates(c, pc, &found)) mem->how |= SIM_UPDATES;
  else if (is_look(&found) || (found.returned && is_looked_at(c, 0))) mem->how |= SIM_LOOKS;
}

static void judge_function(Code *c) {
  int capacity = 0;
  SimCas cas;
  for (int pc = c->func->first; pc < c->func->first + c->func->count; pc++) {
    judge(c, pc);
    if (sim_cas_at(c->program, pc, &cas)) LS_PUSH(c->cas, c->cas_count, capacity, cas);
  }
  for (int pc = c->func->first; c->cas_count && pc < c->func->first + c->func->count; pc++) judge_plain(c, pc);
}

void sim_find_strong_uses(SimProgram *program) {
  int count = program->module->func_count;
  Code *all = ls_alloc(sizeof *all * ((size_t)count + 1));
  for (int f = 0; f < count; f++)
    if (program->funcs[f].reached && program->cfgs[f]) judge_function(code_of(all, program, f));
  for (int f = 0; f < count; f++) code_free(&all[f]);
  free(all);
}
