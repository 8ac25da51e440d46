// probe_mixed.c: finds the registers that lanes may have from different ways, and those that are the same for all.
//
// A branch parts lanes if what decides it varies. Those that come by different ways meet where both ways lead: at the
// branch's post-dominator, and in blocks before it that two of its ways share. What was written on the ways and is read
// from there on is mixed, and so it varies, and other branches may part lanes: until nothing changes. A register that
// follows from what never changes is the same whenever it is written, and is not mixed.
#include "device/probe/probe_mixed.h"
#include "device/probe/probe_affine.h"

enum { LANES = 32, MOST_CELLS = 64 << 20 };   // blocks times registers

typedef struct Mixing {
  const Probe *probe;
  const PtxModule *m;
  const PtxFunc *f;
  const PtxCfg *cfg;
  ProbeMixed of;
  uint8_t *timeless;         // per register
  uint8_t *live;             // per block, per register: read there or behind it, before it is written
  uint8_t *parts;            // per block: its branch has been followed
  uint8_t *ways;             // per block: how many ways of a branch come there, 2 for more
  bool changed;
} Mixing;

static int regs(const Mixing *x) { return x->f->reg_count; }

// ---- who reads what ------------------------------------------------------------------------------------------------

static bool add_live(const Mixing *x, const PtxBlock *block, uint8_t *live) {
  bool changed = false;
  uint8_t *now = ls_alloc((size_t)regs(x) + 1);
  for (int i = 0; i < block->succ_count; i++)
    for (int r = 0; r < regs(x); r++) now[r] |= x->live[(size_t)block->succ[i] * (size_t)regs(x) + (size_t)r];
  for (int pc = block->first + block->count - 1; pc >= block->first; pc--) {
    const PtxInstr *in = &x->m->code[pc];
    for (PtxRef def = {0}; ptx_each_def(in, &def);)
      if (def.kind == PTX_REF_REG && in->guard < 0) now[def.reg] = 0;
    for (PtxRef use = {0}; ptx_each_use(in, &use);)
      if (use.kind == PTX_REF_REG) now[use.reg] = 1;
  }
  for (int r = 0; r < regs(x); r++) {
    changed |= now[r] != live[r];
    live[r] = now[r];
  }
  free(now);
  return changed;
}

static void find_live(Mixing *x) {
  for (bool changed = true; changed;) {
    changed = false;
    for (int b = x->cfg->block_count - 1; b >= 0; b--)
      changed |= add_live(x, &x->cfg->blocks[b], x->live + (size_t)b * (size_t)regs(x));
  }
}

// ---- what is the same ----------------------------------------------------------------------------------------------

static bool place_varies(const Mixing *x, int sreg) {
  const uint32_t *block = x->probe->launch->block;
  uint64_t stride = 1;
  for (int axis = 0; axis < sreg - PTX_SR_TID_X; axis++) stride *= block[axis];
  return block[sreg - PTX_SR_TID_X] > 1 && stride % LANES != 0;
}

static bool special_varies(const Mixing *x, int sreg) {
  if (sreg >= PTX_SR_TID_X && sreg <= PTX_SR_TID_Z) return place_varies(x, sreg);
  bool known = (sreg >= PTX_SR_NTID_X && sreg <= PTX_SR_NTID_Z) || (sreg >= PTX_SR_CTAID_X && sreg <= PTX_SR_CTAID_Z) ||
               (sreg >= PTX_SR_NCTAID_X && sreg <= PTX_SR_NCTAID_Z);
  return !known;
}

static bool is_param(const Mixing *x, const PtxInstr *in) {
  const PtxOperand *o = ptx_address(in);
  if (in->op != PTX_OP_ld || !o || o->base != PTX_BASE_VAR || probe_space(x->probe, in) != PTX_PARAM) return false;
  for (int i = 0; i < x->f->param_count; i++)
    if (x->f->params[i].var == o->var) return true;
  return false;
}

// Does an operation give what does not follow from its operands?
static bool is_source(const Mixing *x, const PtxInstr *in) {
  if (!probe_is_pure(in)) return !is_param(x, in);
  for (int i = 1; i < in->operand_count; i++)
    if (in->operands[i].kind == PTX_OPD_SREG && special_varies(x, in->operands[i].sreg)) return true;
  return false;
}

static bool uses_any(const PtxInstr *in, const uint8_t *regs_that) {
  for (PtxRef use = {0}; ptx_each_use(in, &use);)
    if (use.kind != PTX_REF_REG ? use.kind == PTX_REF_CARRY : regs_that[use.reg]) return true;
  return false;
}

static void set(Mixing *x, uint8_t *of, int reg) {
  x->changed |= !of[reg];
  of[reg] = 1;
}

static void follow_instructions(Mixing *x) {
  for (int pc = x->f->first; pc < x->f->first + x->f->count; pc++) {
    const PtxInstr *in = &x->m->code[pc];
    bool varies = is_source(x, in) || uses_any(in, x->of.varies);
    for (PtxRef def = {0}; ptx_each_def(in, &def);) {
      if (def.kind != PTX_REF_REG) continue;
      if (varies) set(x, x->of.varies, def.reg);
      if (in->guard >= 0 && x->of.varies[in->guard]) set(x, x->of.mixed, def.reg);
    }
  }
}

// Written once, from what never changes.
static void find_timeless(Mixing *x) {
  uint8_t *written = ls_alloc((size_t)regs(x) + 1), *changes = ls_alloc((size_t)regs(x) + 1);
  for (int pc = x->f->first; pc < x->f->first + x->f->count; pc++)
    for (PtxRef def = {0}; ptx_each_def(&x->m->code[pc], &def);)
      if (def.kind == PTX_REF_REG) changes[def.reg] |= written[def.reg], written[def.reg] = 1;
  for (bool again = true; again;) {
    again = false;
    for (int pc = x->f->first; pc < x->f->first + x->f->count; pc++) {
      const PtxInstr *in = &x->m->code[pc];
      if ((probe_is_pure(in) || is_param(x, in)) && in->guard < 0 && !uses_any(in, changes)) continue;
      for (PtxRef def = {0}; ptx_each_def(in, &def);)
        if (def.kind == PTX_REF_REG && !changes[def.reg]) changes[def.reg] = again = true;
    }
  }
  for (int r = 0; r < regs(x); r++) x->timeless[r] = !changes[r];
  free(written);
  free(changes);
}

// ---- branches ------------------------------------------------------------------------------------------------------

// The blocks that a way of the branch leads to, up to where all its ways meet.
static void follow_way(Mixing *x, int from, int end, uint8_t *seen, int *stack) {
  int depth = 0;
  memset(seen, 0, (size_t)x->cfg->block_count);
  if (from != end) stack[depth++] = from, seen[from] = 1;
  while (depth) {
    const PtxBlock *block = &x->cfg->blocks[stack[--depth]];
    int b = (int)(block - x->cfg->blocks);
    x->ways[b] = (uint8_t)LS_MIN(x->ways[b] + 1, 2);
    for (int i = 0; i < block->succ_count; i++) {
      int to = block->succ[i];
      if (to == end || seen[to]) continue;
      seen[to] = 1;
      stack[depth++] = to;
    }
  }
}

static bool is_read_where_they_meet(const Mixing *x, int end, int reg) {
  for (int b = 0; b < x->cfg->block_count; b++)
    if ((b == end || x->ways[b] > 1) && x->live[(size_t)b * (size_t)regs(x) + (size_t)reg]) return true;
  return false;
}

static void part(Mixing *x, const PtxBlock *block) {
  size_t count = (size_t)x->cfg->block_count + 1;
  uint8_t *seen = ls_alloc(count);
  int *stack = ls_alloc(sizeof *stack * count);
  memset(x->ways, 0, count);
  for (int i = 0; i < block->succ_count; i++) follow_way(x, block->succ[i], block->ipdom, seen, stack);
  for (int b = 0; b < x->cfg->block_count; b++) {
    const PtxBlock *on = &x->cfg->blocks[b];
    for (int pc = on->first; pc < on->first + on->count && x->ways[b]; pc++)
      for (PtxRef def = {0}; ptx_each_def(&x->m->code[pc], &def);) {
        if (def.kind != PTX_REF_REG || x->of.mixed[def.reg] || x->timeless[def.reg]) continue;
        if (is_read_where_they_meet(x, block->ipdom, def.reg)) set(x, x->of.mixed, def.reg);
      }
  }
  free(seen);
  free(stack);
}

static void follow_branches(Mixing *x) {
  for (int b = 0; b < x->cfg->block_count; b++) {
    const PtxBlock *block = &x->cfg->blocks[b];
    const PtxInstr *last = &x->m->code[block->first + block->count - 1];
    if (x->parts[b] || block->succ_count < 2 || !uses_any(last, x->of.varies)) continue;
    x->parts[b] = 1;
    x->changed = true;
    part(x, block);
  }
  for (int r = 0; r < regs(x); r++)
    if (x->of.mixed[r]) set(x, x->of.varies, r);
}

ProbeMixed probe_find_mixed(const Probe *probe, LsArena *arena) {
  const PtxFunc *f = &probe->module->funcs[probe->entry];
  Mixing x = {.probe = probe, .m = probe->module, .f = f, .cfg = probe->cfgs[probe->entry]};
  size_t count = (size_t)f->reg_count + 1, blocks = (size_t)x.cfg->block_count + 1;
  x.of = (ProbeMixed){LS_NEW_ARRAY(arena, uint8_t, f->reg_count + 1), LS_NEW_ARRAY(arena, uint8_t, f->reg_count + 1)};
  if (count * blocks > MOST_CELLS) {
    memset(x.of.varies, 1, count);
    memset(x.of.mixed, 1, count);
    return x.of;
  }
  x.timeless = ls_alloc(count);
  x.live = ls_alloc(count * blocks);
  x.parts = ls_alloc(blocks);
  x.ways = ls_alloc(blocks);
  find_live(&x);
  find_timeless(&x);
  for (x.changed = true; x.changed;) {
    x.changed = false;
    follow_instructions(&x);
    follow_branches(&x);
  }
  free(x.timeless);
  free(x.live);
  free(x.parts);
  free(x.ways);
  return x.of;
}
