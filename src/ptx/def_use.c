// def_use.c: walks through the operands of an instruction, by the roles of ops.def.
#include "ptx/def_use.h"

#include <string.h>

// ---- roles ---------------------------------------------------------------------------------------------------------

static unsigned role_of_letter(char letter) {
  switch (letter) {
    case 'w': return PTX_ROLE_WRITTEN;
    case 'x': return PTX_ROLE_READ | PTX_ROLE_WRITTEN;
    case 'l': return PTX_ROLE_ADDRESS | PTX_ROLE_READ;
    case 's': return PTX_ROLE_ADDRESS | PTX_ROLE_WRITTEN;
    case 'm': return PTX_ROLE_ADDRESS | PTX_ROLE_READ | PTX_ROLE_WRITTEN;
    case 'p': return PTX_ROLE_ADDRESS;
    case 't': return PTX_ROLE_IMAGE | PTX_ROLE_READ;
    case 'u': return PTX_ROLE_IMAGE | PTX_ROLE_WRITTEN;
    case '-': return 0;
    default: return PTX_ROLE_READ;
  }
}

unsigned ptx_role(const PtxInstr *in, int operand) {
  const char *roles = in->roles;
  const PtxOperand *first = &in->operands[0];
  if (*roles == 'c' && operand == 0) return first->kind == PTX_OPD_ARGS ? PTX_ROLE_WRITTEN : PTX_ROLE_READ;
  bool left_out = *roles == 'w' && roles[1] && first->kind == PTX_OPD_MEM;
  for (int left = operand + left_out; left > 0 && *roles; left--) roles++;
  return role_of_letter(*roles ? *roles : 'r');
}

const PtxOperand *ptx_address(const PtxInstr *in) {
  for (int i = 0; i < in->operand_count; i++)
    if (in->operands[i].kind == PTX_OPD_MEM && ptx_role(in, i) & PTX_ROLE_ADDRESS) return &in->operands[i];
  return NULL;
}

bool ptx_reads_carry(const PtxInstr *in) { return strchr(in->roles, 'k') != NULL; }

// ---- names in an operand -------------------------------------------------------------------------------------------

typedef struct Leaf { const PtxOperand *operand; bool pair, bracketed; } Leaf;

// The n-th name in an operand; n counts down on the way. What stands in brackets is read, whatever its operand is.
static bool find_leaf(const PtxOperand *o, bool bracketed, int *n, Leaf *leaf) {
  bool names = o->kind == PTX_OPD_REG || o->kind == PTX_OPD_SUM || o->kind == PTX_OPD_VAR ||
               (o->kind == PTX_OPD_MEM && o->base != PTX_BASE_NONE);
  bracketed |= o->kind == PTX_OPD_MEM;
  *leaf = (Leaf){o, .bracketed = bracketed};
  if (names && (*n)-- == 0) return true;
  leaf->pair = true;
  if (o->pair >= 0 && (*n)-- == 0) return true;
  for (int i = 0; i < o->elem_count; i++)
    if (find_leaf(&o->elems[i], bracketed, n, leaf)) return true;
  return false;
}

static bool is_wanted(unsigned role, const Leaf *leaf, bool written) {
  bool place = leaf->bracketed || role & (PTX_ROLE_ADDRESS | PTX_ROLE_IMAGE);
  if (written) return role & PTX_ROLE_WRITTEN && !place;
  return place || !(role & PTX_ROLE_WRITTEN) || role & PTX_ROLE_READ;
}

static void fill(PtxRef *ref, const Leaf *leaf, const PtxInstr *in, int operand) {
  const PtxOperand *o = leaf->operand;
  bool mem = o->kind == PTX_OPD_MEM, var = !leaf->pair && (o->kind == PTX_OPD_VAR || (mem && o->base == PTX_BASE_VAR));
  ref->kind = var ? PTX_REF_VAR : PTX_REF_REG;
  ref->way = mem ? PTX_AS_ADDRESS : PTX_AS_VALUE;
  ref->pair = leaf->pair;
  ref->element = o != &in->operands[operand];
  ref->reg = var ? -1 : leaf->pair ? o->pair : o->reg;
  ref->var = var ? o->var : -1;
  ref->operand = operand;
}

// ---- walks ---------------------------------------------------------------------------------------------------------

static bool from_parts(const PtxInstr *in, PtxRef *ref, int operand, unsigned role, bool written) {
  Leaf leaf;
  for (int n = ref->leaf++; find_leaf(&in->operands[operand], false, &n, &leaf); n = ref->leaf++) {
    if (!is_wanted(role, &leaf, written)) continue;
    fill(ref, &leaf, in, operand);
    return true;
  }
  return false;
}

// Most operands are a register or a number: nobody has to look for what is in them.
static bool from_operand(const PtxInstr *in, PtxRef *ref, int operand, bool written) {
  const PtxOperand *o = &in->operands[operand];
  bool is_whole = o->pair < 0 && !o->elem_count;
  if (is_whole && (o->kind == PTX_OPD_IMM || (o->kind == PTX_OPD_REG && ref->leaf))) return false;
  unsigned role = ptx_role(in, operand);
  if (written && (!(role & PTX_ROLE_WRITTEN) || role & (PTX_ROLE_ADDRESS | PTX_ROLE_IMAGE))) return false;
  if (!is_whole || o->kind != PTX_OPD_REG) return from_parts(in, ref, operand, role, written);
  Leaf leaf = {.operand = o};
  if (!is_wanted(role, &leaf, written)) return false;
  ref->leaf = 1;
  fill(ref, &leaf, in, operand);
  return true;
}

static bool has_carry(const PtxInstr *in, bool written) {
  return written ? in->flags & PTX_F_CC : ptx_reads_carry(in);
}

static bool once(PtxRef *ref, PtxRefKind kind, PtxRefWay way, int reg) {
  *ref = (PtxRef){.kind = (uint8_t)kind, .way = (uint8_t)way, .reg = reg, .var = -1, .operand = -1,
                  .step = ref->step + 1};
  return true;
}

// Steps: the guard, the operands, the carry.
static bool each(const PtxInstr *in, PtxRef *ref, bool written) {
  if (ref->step == 0 && !written && in->guard >= 0) return once(ref, PTX_REF_REG, PTX_AS_GUARD, in->guard);
  for (ref->step += ref->step == 0; ref->step <= in->operand_count; ref->step++, ref->leaf = 0)
    if (from_operand(in, ref, ref->step - 1, written)) return true;
  return ref->step == in->operand_count + 1 && has_carry(in, written) && once(ref, PTX_REF_CARRY, PTX_AS_VALUE, -1);
}

bool ptx_each_def(const PtxInstr *in, PtxRef *ref) { return each(in, ref, true); }
bool ptx_each_use(const PtxInstr *in, PtxRef *ref) { return each(in, ref, false); }

bool ptx_defines(const PtxInstr *in, int reg) {
  for (PtxRef r = {0}; ptx_each_def(in, &r);)
    if (r.kind == PTX_REF_REG && r.reg == reg) return true;
  return false;
}
