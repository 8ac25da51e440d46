// probe_affine.c: follows an address back through sums and products to the thread's number.
//
// A value is what a register holds, as a whole number that nothing wraps around: of[thread] plus, if it has a base, a
// number that is the same for all lanes that are together. Adding, multiplying and cutting off bits keep that true of the
// register's low bits; what looks at high bits (extending, shifting right, dividing) needs the number to fit the type.
#include "device/probe/probe_affine.h"
#include "device/probe/probe_mixed.h"
#include "model/bank.h"
#include "model/coal.h"

enum { LANES = 32, MOST_DEPTH = 200, MOST_MEMORY = 64 << 20, PLACE = 1 << 20 };

// What a generic address of 64 bits begins with: nothing (it is a number), a buffer or variable, or who knows.
typedef enum Root { ROOT_NONE, ROOT_GLOBAL, ROOT_SHARED, ROOT_LOCAL, ROOT_UNKNOWN } Root;

typedef struct Value {
  bool proven, based, flat;        // flat: of[] is one number for all threads
  uint8_t root;
  bool ranged;                     // lo..hi: of it with its base
  int64_t lo, hi;
  const int64_t *of;
} Value;

typedef struct Definition { int first, second, count; } Definition;   // pcs that write a register; count: 3 if guarded

struct AffineRegs {
  const Probe *probe;
  LsArena *arena;
  int threads, depth;
  const int64_t *zeros;
  Definition *definitions;         // per register
  ProbeMixed mixed;
  const Value **values;
  uint8_t *is_known;               // values[] is what can be said; while it is found out, that is nothing
};

// ---- values --------------------------------------------------------------------------------------------------------

static const Value *keep(AffineRegs *s, Value v) {
  Value *kept = LS_NEW(s->arena, Value);
  *kept = v;
  return kept;
}

// The same for all lanes, and no more is known.
static const Value *uniform(AffineRegs *s, bool proven, Root root) {
  return keep(s, (Value){.proven = proven, .based = true, .flat = true, .root = (uint8_t)root, .of = s->zeros});
}

// Another one that has the root of v.
static const Value *rooted(AffineRegs *s, const Value *v, int root) {
  if (!v || v->root == root) return v;
  Value copy = *v;
  copy.root = (uint8_t)root;
  return keep(s, copy);
}

// Two roots, or one that something is subtracted from, are none that is known.
static Root root_of_sum(const Value *a, const Value *b, int sign) {
  if (b->root == ROOT_NONE) return (Root)a->root;
  return a->root == ROOT_NONE && sign > 0 ? (Root)b->root : ROOT_UNKNOWN;
}

static Root root_of_others(const Value *a, const Value *b) {
  return a->root == ROOT_NONE && b->root == ROOT_NONE ? ROOT_NONE : ROOT_UNKNOWN;
}

static const Value *unproven(AffineRegs *s, const Value *v) {
  Value copy = *v;
  copy.proven = copy.ranged = false;
  copy.based = true;
  return keep(s, copy);
}

static int64_t *numbers(AffineRegs *s) {
  return ls_arena_bytes(s->arena) < MOST_MEMORY ? LS_NEW_ARRAY(s->arena, int64_t, s->threads) : NULL;
}

// Without a base: what it is is known.
static const Value *exact(AffineRegs *s, bool proven, const int64_t *of) {
  Value v = {.proven = proven, .ranged = true, .flat = true, .lo = of[0], .hi = of[0], .of = of};
  for (int t = 0; t < s->threads; t++) {
    v.lo = LS_MIN(v.lo, of[t]);
    v.hi = LS_MAX(v.hi, of[t]);
  }
  v.flat = v.lo == v.hi;
  return keep(s, v);
}

static const Value *constant(AffineRegs *s, int64_t number) {
  int64_t *of = numbers(s);
  for (int t = 0; of && t < s->threads; t++) of[t] = number;
  return of ? exact(s, true, of) : NULL;
}

static bool is_constant(const Value *v) { return v && v->flat && !v->based; }

static bool fits(const Value *v, PtxType type) {
  int bits = ptx_type_size(type) * 8;
  if (bits >= 64) return true;
  int64_t least = ptx_type_is_signed(type) ? -(1ll << (bits - 1)) : 0, most = least + (1ll << bits) - 1;
  return v->ranged && v->lo >= least && v->hi <= most;
}

// What all lanes have in common they have in common when it is wrapped around, too.
static const Value *must_fit(AffineRegs *s, const Value *v, PtxType type) {
  if (!v || fits(v, type)) return v;
  return v->flat ? uniform(s, v->proven, ROOT_NONE) : unproven(s, v);
}

static const Value *sum(AffineRegs *s, const Value *a, const Value *b, int sign) {
  int64_t *of = a && b ? numbers(s) : NULL, bl, bh;
  if (!of) return NULL;
  for (int t = 0; t < s->threads; t++)
    if (__builtin_mul_overflow(b->of[t], (int64_t)sign, &bl) || __builtin_add_overflow(a->of[t], bl, &of[t])) return NULL;
  bool proven = a->proven && b->proven;
  if (!a->based && !b->based) return exact(s, proven, of);
  Value v = {.proven = proven, .based = true, .flat = a->flat && b->flat, .ranged = a->ranged && b->ranged,
             .root = (uint8_t)root_of_sum(a, b, sign), .of = of};
  if (v.ranged) {
    v.ranged = !__builtin_mul_overflow(sign > 0 ? b->lo : b->hi, (int64_t)sign, &bl) &&
               !__builtin_mul_overflow(sign > 0 ? b->hi : b->lo, (int64_t)sign, &bh) &&
               !__builtin_add_overflow(a->lo, bl, &v.lo) && !__builtin_add_overflow(a->hi, bh, &v.hi);
  }
  return keep(s, v);
}

static const Value *scaled(AffineRegs *s, const Value *a, int64_t by, bool proven) {
  int64_t *of = numbers(s);
  for (int t = 0; of && t < s->threads; t++)
    if (__builtin_mul_overflow(a->of[t], by, &of[t])) return NULL;
  if (!of) return NULL;
  Value v = {.proven = proven, .based = a->based, .flat = a->flat || by == 0, .ranged = a->ranged, .of = of};
  v.root = by == 1 || a->root == ROOT_NONE ? a->root : ROOT_UNKNOWN;
  v.ranged = v.ranged && !__builtin_mul_overflow(by < 0 ? a->hi : a->lo, by, &v.lo) &&
             !__builtin_mul_overflow(by < 0 ? a->lo : a->hi, by, &v.hi);
  return keep(s, v);
}

static const Value *product(AffineRegs *s, const Value *a, const Value *b) {
  if (!a || !b) return NULL;
  bool proven = a->proven && b->proven;
  if (is_constant(b)) return scaled(s, a, b->of[0], proven);
  if (is_constant(a)) return scaled(s, b, a->of[0], proven);
  if (a->flat && b->flat) return uniform(s, proven, root_of_others(a, b));
  if (a->based || b->based) return NULL;
  int64_t *of = numbers(s);
  for (int t = 0; of && t < s->threads; t++)
    if (__builtin_mul_overflow(a->of[t], b->of[t], &of[t])) return NULL;
  return of ? exact(s, proven, of) : NULL;
}

// ---- operands ------------------------------------------------------------------------------------------------------

static const Value *value_of_register(AffineRegs *s, int reg);

static const Value *value_of_place(AffineRegs *s, int axis) {
  const uint32_t *block = s->probe->launch->block;
  int64_t *of = numbers(s);
  for (int t = 0; of && t < s->threads; t++) {
    int64_t place[3] = {t % (int64_t)block[0], t / (int64_t)block[0] % block[1], t / (int64_t)block[0] / block[1]};
    of[t] = axis < 3 ? place[axis] : t % LANES;
  }
  return of ? exact(s, true, of) : NULL;
}

static const Value *value_of_special(AffineRegs *s, int sreg) {
  const Launch *launch = s->probe->launch;
  if (sreg >= PTX_SR_TID_X && sreg <= PTX_SR_TID_Z) return value_of_place(s, sreg - PTX_SR_TID_X);
  if (sreg == PTX_SR_LANEID) return value_of_place(s, 3);
  if (sreg >= PTX_SR_NTID_X && sreg <= PTX_SR_NTID_Z) return constant(s, launch->block[sreg - PTX_SR_NTID_X]);
  if (sreg >= PTX_SR_NCTAID_X && sreg <= PTX_SR_NCTAID_Z) return constant(s, launch->grid[sreg - PTX_SR_NCTAID_X]);
  if (sreg < PTX_SR_CTAID_X || sreg > PTX_SR_CTAID_Z) return NULL;
  int64_t last = (int64_t)launch->grid[sreg - PTX_SR_CTAID_X] - 1;
  return keep(s, (Value){.proven = true, .based = true, .flat = true, .ranged = true, .lo = 0, .hi = last, .of = s->zeros});
}

static const Value *value_of(AffineRegs *s, const PtxOperand *o) {
  switch (o->kind) {
  case PTX_OPD_REG: return value_of_register(s, o->reg);
  case PTX_OPD_IMM: return o->imm_type == PTX_F32 || o->imm_type == PTX_F64 ? uniform(s, true, ROOT_NONE) : constant(s, (int64_t)o->imm);
  case PTX_OPD_SREG: return value_of_special(s, o->sreg);
  case PTX_OPD_VAR: return uniform(s, true, s->probe->module->vars[o->var].space == PTX_GLOBAL ? ROOT_GLOBAL : ROOT_UNKNOWN);
  default: return NULL;
  }
}

// The launch says what its scalars are, unless something else decides which of them is which parameter.
static const Value *value_of_param(AffineRegs *s, const PtxInstr *in) {
  const Launch *launch = s->probe->launch;
  const PtxFunc *entry = &s->probe->module->funcs[s->probe->entry];
  const PtxOperand *o = ptx_address(in);
  int at = 0, bytes = ptx_type_size((PtxType)in->type);
  if (!o || o->base != PTX_BASE_VAR || probe_space(s->probe, in) != PTX_PARAM) return NULL;
  while (at < entry->param_count && entry->params[at].var != o->var) at++;
  if (at == entry->param_count) return NULL;
  bool in_order = launch->arg_count == entry->param_count && !launch_has_images(launch);
  for (int i = 0; i < launch->arg_count; i++) in_order &= !launch->args[i].by_name;
  const LaunchArg *arg = in_order ? &launch->args[at] : NULL;
  bool whole = arg && !arg->is_buffer && o->offset == 0 && bytes == entry->params[at].size &&
               launch_type_size(arg->type) == bytes && !ptx_type_is_float((PtxType)in->type);
  if (arg && arg->is_buffer && bytes == 8 && o->offset == 0) return uniform(s, true, ROOT_GLOBAL);
  if (!whole || bytes < 4) return uniform(s, true, bytes < 8 ? ROOT_NONE : ROOT_UNKNOWN);
  return constant(s, bytes == 4 ? (int32_t)(uint32_t)arg->scalar : (int64_t)arg->scalar);
}

// ---- operations ----------------------------------------------------------------------------------------------------

bool probe_is_pure(const PtxInstr *in) {
  switch (in->op) {
  case PTX_OP_mov: case PTX_OP_cvt: case PTX_OP_cvta: case PTX_OP_add: case PTX_OP_sub: case PTX_OP_mul: case PTX_OP_mad:
  case PTX_OP_mul24: case PTX_OP_mad24: case PTX_OP_shl: case PTX_OP_shr: case PTX_OP_and: case PTX_OP_or: case PTX_OP_xor:
  case PTX_OP_not: case PTX_OP_neg: case PTX_OP_abs: case PTX_OP_min: case PTX_OP_max: case PTX_OP_div: case PTX_OP_rem:
  case PTX_OP_setp: case PTX_OP_selp: case PTX_OP_bfe: case PTX_OP_bfi: case PTX_OP_popc: case PTX_OP_clz:
  case PTX_OP_lop3: case PTX_OP_shf: case PTX_OP_fma:
    return !(in->flags & PTX_F_CC);
  default:
    return false;
  }
}

// Of operands that are the same for all lanes.
static const Value *same_for_all(AffineRegs *s, const PtxInstr *in) {
  bool proven = true;
  Root root = ROOT_NONE;
  for (int i = 1; i < in->operand_count; i++) {
    const Value *v = value_of(s, &in->operands[i]);
    if (!v || !v->flat) return NULL;
    proven &= v->proven;
    if (v->root != ROOT_NONE) root = ROOT_UNKNOWN;
  }
  return uniform(s, proven, root);
}

static bool combine(const PtxInstr *in, int64_t a, int64_t b, int64_t *result) {
  bool divides = in->op == PTX_OP_div || in->op == PTX_OP_rem;
  if (divides ? b <= 0 : in->op == PTX_OP_shr && (b < 0 || b >= ptx_type_size((PtxType)in->type) * 8)) return false;
  switch (in->op) {
  case PTX_OP_and: *result = a & b; return true;
  case PTX_OP_or: *result = a | b; return true;
  case PTX_OP_xor: *result = a ^ b; return true;
  case PTX_OP_shr: *result = a >> b; return true;
  case PTX_OP_div: *result = a / b; return true;
  case PTX_OP_rem: *result = a % b; return true;
  default: return false;
  }
}

// Thread by thread, if both are known.
static const Value *combined(AffineRegs *s, const PtxInstr *in) {
  const Value *a = value_of(s, &in->operands[1]), *b = in->operand_count > 2 ? value_of(s, &in->operands[2]) : NULL;
  bool by_bits = in->op == PTX_OP_and || in->op == PTX_OP_or || in->op == PTX_OP_xor;
  if (!a || !b || a->based || b->based || ptx_type_is_float((PtxType)in->type)) return NULL;
  bool proven = a->proven && b->proven && (by_bits || (fits(a, (PtxType)in->type) && fits(b, (PtxType)in->type)));
  int64_t *of = numbers(s);
  for (int t = 0; of && t < s->threads; t++)
    if (!combine(in, a->of[t], b->of[t], &of[t])) return NULL;
  return of ? exact(s, proven, of) : NULL;
}

static const Value *other(AffineRegs *s, const PtxInstr *in) {
  const Value *v = probe_is_pure(in) ? combined(s, in) : NULL;
  return v || !probe_is_pure(in) ? v : same_for_all(s, in);
}

static const Value *converted(AffineRegs *s, const PtxInstr *in) {
  PtxType to = (PtxType)in->type, from = (PtxType)in->type2;
  bool plain = !ptx_type_is_float(to) && !ptx_type_is_float(from) && ptx_type_size(to) && ptx_type_size(from);
  if (!plain || in->flags & PTX_F_SAT) return other(s, in);
  const Value *v = value_of(s, &in->operands[1]);
  return ptx_type_size(to) > ptx_type_size(from) ? must_fit(s, v, from) : v;
}

static const Value *multiplied(AffineRegs *s, const PtxInstr *in) {
  PtxType type = (PtxType)in->type;
  if (ptx_type_is_float(type) || in->mode == PTX_MUL_HI || in->flags & (PTX_F_SAT | PTX_F_CC)) return other(s, in);
  const Value *a = value_of(s, &in->operands[1]), *b = value_of(s, &in->operands[2]);
  bool wide = in->mode == PTX_MUL_WIDE;
  const Value *v = product(s, wide ? must_fit(s, a, type) : a, wide ? must_fit(s, b, type) : b);
  return in->op == PTX_OP_mad ? sum(s, v, value_of(s, &in->operands[3]), 1) : v;
}

static const Value *added(AffineRegs *s, const PtxInstr *in) {
  if (ptx_type_is_float((PtxType)in->type) || in->flags & (PTX_F_SAT | PTX_F_CC)) return other(s, in);
  return sum(s, value_of(s, &in->operands[1]), value_of(s, &in->operands[2]), in->op == PTX_OP_sub ? -1 : 1);
}

static const Value *shifted(AffineRegs *s, const PtxInstr *in) {
  const Value *a = value_of(s, &in->operands[1]), *by = value_of(s, &in->operands[2]);
  bool known = a && is_constant(by) && by->of[0] >= 0 && by->of[0] < LS_MIN(ptx_type_size((PtxType)in->type) * 8, 63);
  return known ? scaled(s, a, 1ll << by->of[0], a->proven && by->proven) : other(s, in);
}

static Root root_of(int space) {
  switch (space) {
  case PTX_GLOBAL: return ROOT_GLOBAL;
  case PTX_SHARED: return ROOT_SHARED;
  case PTX_LOCAL: return ROOT_LOCAL;
  default: return ROOT_UNKNOWN;
  }
}

static const Value *operate(AffineRegs *s, const PtxInstr *in) {
  switch (in->op) {
  case PTX_OP_mov: return value_of(s, &in->operands[1]);
  case PTX_OP_cvta: {   // other by as much for all
    const Value *v = value_of(s, &in->operands[1]);
    Root root = in->mode == PTX_TO ? ROOT_UNKNOWN : root_of(in->space);
    return v ? rooted(s, sum(s, v, uniform(s, true, ROOT_NONE), 1), root) : NULL;
  }
  case PTX_OP_cvt: return converted(s, in);
  case PTX_OP_add: case PTX_OP_sub: return added(s, in);
  case PTX_OP_mul: case PTX_OP_mad: return multiplied(s, in);
  case PTX_OP_shl: return shifted(s, in);
  case PTX_OP_ld: return in->vec <= 1 ? value_of_param(s, in) : NULL;
  default: return other(s, in);
  }
}

// ---- registers -----------------------------------------------------------------------------------------------------

// An element of a vector and the p of d|p are not what the operation comes to.
static void define(AffineRegs *s, const PtxInstr *in, int pc) {
  for (PtxRef def = {0}; ptx_each_def(in, &def);) {
    if (def.kind != PTX_REF_REG) continue;
    Definition *d = &s->definitions[def.reg];
    if (d->count == 0) d->first = pc;
    if (d->count == 1) d->second = pc;
    d->count = def.element || def.pair || in->guard >= 0 ? 3 : LS_MIN(d->count + 1, 3);
  }
}

// Does the instruction add to the register what all lanes have in common?
static bool moves(AffineRegs *s, const PtxInstr *in, int reg) {
  bool adds = (in->op == PTX_OP_add || in->op == PTX_OP_sub) && !ptx_type_is_float((PtxType)in->type) &&
              !(in->flags & (PTX_F_SAT | PTX_F_CC));
  if (!adds || in->operands[1].kind != PTX_OPD_REG || in->operands[1].reg != reg) return false;
  const Value *step = value_of(s, &in->operands[2]);
  return step && step->flat && step->proven;
}

// Of a register that is set in one place and moved on in another, in a loop.
static const Value *moved_value(AffineRegs *s, int reg) {
  const PtxInstr *code = s->probe->module->code;
  const Definition *d = &s->definitions[reg];
  bool second = moves(s, &code[d->second], reg);
  if (!second && !moves(s, &code[d->first], reg)) return NULL;
  const Value *set = operate(s, &code[second ? d->first : d->second]);
  return set && set->proven ? sum(s, set, uniform(s, true, ROOT_NONE), 1) : NULL;
}

static const Value *find_value(AffineRegs *s, int reg) {
  const PtxInstr *code = s->probe->module->code;
  const Definition *d = &s->definitions[reg];
  bool may_point = ptx_type_size((PtxType)s->probe->module->funcs[s->probe->entry].regs[reg].type) == 8;
  if (d->count == 1 && !s->mixed.mixed[reg]) return operate(s, &code[d->first]);
  if (d->count && !s->mixed.varies[reg]) return uniform(s, true, may_point ? ROOT_UNKNOWN : ROOT_NONE);
  const Value *moved = d->count == 2 && !s->mixed.mixed[reg] ? moved_value(s, reg) : NULL;
  if (moved) return moved;
  const Value *guess = d->count ? operate(s, &code[d->first]) : NULL;
  if (!guess && d->count > 1 && d->second >= 0) guess = operate(s, &code[d->second]);
  return guess ? rooted(s, unproven(s, guess), may_point ? ROOT_UNKNOWN : ROOT_NONE) : NULL;
}

static const Value *value_of_register(AffineRegs *s, int reg) {
  if (s->is_known[reg] || s->depth > MOST_DEPTH) return s->values[reg];
  s->is_known[reg] = 1;
  s->depth++;
  s->values[reg] = find_value(s, reg);
  s->depth--;
  return s->values[reg];
}

AffineRegs *affine_new(const Probe *probe) {
  AffineRegs *s = ls_alloc(sizeof *s);
  const PtxFunc *f = &probe->module->funcs[probe->entry];
  s->probe = probe;
  s->arena = ls_arena_new();
  s->threads = (int)launch_threads(probe->launch);
  s->zeros = LS_NEW_ARRAY(s->arena, int64_t, s->threads);
  s->definitions = LS_NEW_ARRAY(s->arena, Definition, f->reg_count + 1);
  s->values = LS_NEW_ARRAY(s->arena, const Value *, f->reg_count + 1);
  s->is_known = LS_NEW_ARRAY(s->arena, uint8_t, f->reg_count + 1);
  s->mixed = probe_find_mixed(probe, s->arena);
  for (int i = 0; i < f->reg_count; i++) s->definitions[i].second = -1;
  for (int pc = f->first; pc < f->first + f->count; pc++) define(s, &probe->module->code[pc], pc);
  return s;
}

void affine_free(AffineRegs *s) {
  if (!s) return;
  ls_arena_free(s->arena);
  free(s);
}

PtxSpace affine_space(AffineRegs *s, const PtxInstr *in) {
  const PtxOperand *address = ptx_address(in);
  bool known = in->func == s->probe->entry && address->base == PTX_BASE_REG;
  const Value *v = known ? value_of_register(s, address->reg) : NULL;
  switch (v ? v->root : ROOT_UNKNOWN) {
  case ROOT_GLOBAL: return PTX_GLOBAL;
  case ROOT_SHARED: return PTX_SHARED;
  case ROOT_LOCAL: return PTX_LOCAL;
  default: return PTX_GENERIC;
  }
}

bool affine_uniform(AffineRegs *s, int func, int reg) {
  const Value *v = func == s->probe->entry ? value_of_register(s, reg) : NULL;
  return v && v->proven && v->flat;
}

bool affine_constant(AffineRegs *s, int func, int reg, int64_t *number) {
  const Value *v = func == s->probe->entry ? value_of_register(s, reg) : NULL;
  if (!is_constant(v) || !v->proven) return false;
  *number = v->of[0];
  return true;
}

// ---- what an access comes to ---------------------------------------------------------------------------------------

int affine_unit(const ProbeGroup *g) {
  switch (g->space) {
  case PTX_SHARED: return g->what == PROBE_ATOM ? 32 : LS_MAX(g->width, 4);
  case PTX_CONST: return 1;
  case PTX_LOCAL: return LS_MAX(g->width, 4);
  default: return 32;
  }
}

static AffinePair count_one(const ProbeGroup *g, uint32_t mask, const uint64_t addr[LANES]) {
  int second = 0, first, lanes = __builtin_popcount(mask);
  if (g->what == PROBE_ATOM) {
    first = coal_atomic_sectors(mask, addr, &second);
    return (AffinePair){(uint32_t)first, (uint32_t)(lanes - second)};
  }
  switch (g->space) {
  case PTX_SHARED:
    first = bank_count(g->what == PROBE_LOAD, mask, g->width, addr, &second);
    return (AffinePair){(uint32_t)first, (uint32_t)(first - second)};
  case PTX_LOCAL: return (AffinePair){(uint32_t)coal_local_sectors(mask, g->width, addr), (uint32_t)(lanes * g->width)};
  case PTX_CONST: return (AffinePair){(uint32_t)coal_distinct(mask, addr), 0};
  default:
    first = coal_measure(mask, g->width, addr, &second);
    return (AffinePair){(uint32_t)first, (uint32_t)second};
  }
}

// The warp's addresses in a phase, and its lanes.
static uint32_t addresses(const AffineRegs *s, const ProbeGroup *g, const int64_t *of, int warp, int phase,
                          uint64_t addr[LANES]) {
  int first = warp * LANES, lanes = LS_MIN(s->threads - first, LANES);
  for (int i = 0; i < LANES; i++) {
    uint64_t distance = (uint64_t)of[first + LS_MIN(i, lanes - 1)] - (uint64_t)of[first];
    addr[i] = ((uint64_t)PLACE << 20) + (uint64_t)(phase * g->width) + distance;
    if (g->space == PTX_SHARED) addr[i] = (uint32_t)(addr[i] + PLACE);
  }
  return lanes == LANES ? UINT32_MAX : (1u << lanes) - 1;
}

static int warps_of(const AffineRegs *s) { return (s->threads + LANES - 1) / LANES; }

// One place for all lanes of each warp; or, of each warp, in one wavefront from any phase: then so are some of its lanes.
static bool is_free(const AffineRegs *s, const ProbeGroup *g, const int64_t *of) {
  bool one_place = true, one_wavefront = g->space == PTX_SHARED && g->what != PROBE_ATOM && g->width <= 4;
  uint64_t addr[LANES];
  for (int t = 0; t < s->threads; t++) one_place &= of[t] == of[t / LANES * LANES];
  for (int w = 0; w < warps_of(s) && one_wavefront; w++)
    for (int phase = 0; phase * g->width < 4; phase++) {
      uint32_t mask = addresses(s, g, of, w, phase, addr);
      one_wavefront &= count_one(g, mask, addr).first == 1;
    }
  bool by_lanes = g->what != PROBE_ATOM && (g->space == PTX_LOCAL || (g->space == PTX_SHARED && g->width > 4));
  return one_wavefront || (one_place && !by_lanes);
}

// What all lanes come to in each phase, if that is the same for all warps that have all lanes.
static bool measure_full(const AffineRegs *s, const ProbeGroup *g, const int64_t *of, ProbeAffine *affine) {
  uint64_t addr[LANES];
  affine->unit = affine_unit(g);
  affine->phase_bytes = LS_MIN(g->width, affine->unit);
  affine->phases = affine->unit / affine->phase_bytes;
  for (int w = 0; w < s->threads / LANES; w++)
    for (int phase = 0; phase < affine->phases; phase++) {
      AffinePair pair = count_one(g, addresses(s, g, of, w, phase, addr), addr), *known = &affine->full[phase];
      if (w == 0) *known = pair;
      if (known->first != pair.first || known->second != pair.second) return false;
    }
  bool all_same = true;
  for (int i = 1; i < affine->phases; i++)
    all_same &= affine->full[i].first == affine->full[0].first && affine->full[i].second == affine->full[0].second;
  if (all_same) affine->phases = 1;
  return s->threads >= LANES;
}

// The numbers by which of[] goes on from thread to thread, if they are all there is to it.
static bool find_steps(const AffineRegs *s, const int64_t *of, int32_t by[3]) {
  const uint32_t *block = s->probe->launch->block;
  int64_t stride = 1;
  for (int i = 0; i < 3; i++, stride *= block[i - 1]) {
    int64_t step = block[i] > 1 ? of[stride] - of[0] : 0;
    if (step < INT32_MIN || step > INT32_MAX) return false;
    by[i] = (int32_t)step;
  }
  for (int64_t t = 0; t < s->threads; t++) {
    int64_t x = t % block[0], y = t / block[0] % block[1], z = t / block[0] / block[1];
    if (of[t] - of[0] != x * by[0] + y * by[1] + z * by[2]) return false;
  }
  return true;
}

ProbeAffine *affine_of(AffineRegs *s, const ProbeGroup *g) {
  const PtxInstr *in = &s->probe->module->code[g->first_pc];
  const PtxOperand *address = g->address;
  bool usual = g->width && g->width <= 32 && (g->width & (g->width - 1)) == 0 && g->space != PTX_GENERIC;
  if (!usual || in->func != s->probe->entry) return NULL;
  const Value *v = address->base == PTX_BASE_REG ? value_of_register(s, address->reg) : uniform(s, true, ROOT_NONE);
  if (!v || !v->of) return NULL;
  if (g->space == PTX_LOCAL && !v->proven) return NULL;   // to look costs as little as to check a guess
  ProbeAffine affine = {.use = AFFINE_FREE, .proven = v->proven, .phases = 1};
  if (!v->proven && (in->guard >= 0 || !find_steps(s, v->of, affine.by))) return NULL;
  if (!is_free(s, g, v->of)) {
    affine.use = AFFINE_FULL;
    if (in->guard >= 0 || !measure_full(s, g, v->of, &affine)) return NULL;
  }
  ProbeAffine *kept = LS_NEW(s->probe->arena, ProbeAffine);
  *kept = affine;
  return kept;
}

ProbeShape *affine_shape(AffineRegs *s, const PtxInstr *in) {
  const PtxOperand *address = ptx_address(in);
  bool usual = address && in->func == s->probe->entry && probe_space(s->probe, in) != PTX_GENERIC;
  bool by_register = usual && address->base == PTX_BASE_REG;
  const Value *v = by_register ? value_of_register(s, address->reg) : usual ? uniform(s, true, ROOT_NONE) : NULL;
  if (!v || !v->of) return NULL;
  ProbeShape shape = {.proven = v->proven};
  if (!v->proven && !find_steps(s, v->of, shape.by)) return NULL;
  size_t size = sizeof *v->of * (size_t)s->threads;
  int64_t *of = LS_NEW_ARRAY(s->probe->arena, int64_t, s->threads);
  memcpy(of, v->of, size);
  shape.of = of;
  ProbeShape *kept = LS_NEW(s->probe->arena, ProbeShape);
  *kept = shape;
  return kept;
}
