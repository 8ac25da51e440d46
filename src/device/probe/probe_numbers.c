// probe_numbers.c: which numbers the records of a site have, and what of them is known without being told.
#include "device/probe/probe_numbers.h"

#include "device/probe/probe_affine.h"
#include "device/probe/probe_multi.h"

enum { LANES = 32, NARROW_BYTES = 4 };

static void set_known(ProbeNumbers *n, int array, uint64_t number) {
  n->kind[array] = NUMBERS_NONE;
  n->known[array] = number;
}

// Is it a number, as probe_put_operand has it?
static bool is_number(const PtxOperand *o, int bytes, uint64_t *number) {
  if (o && o->kind == PTX_OPD_VEC && o->elem_count) o = &o->elems[0];
  if (o && (o->kind == PTX_OPD_REG || o->kind == PTX_OPD_SUM)) return false;
  *number = o && o->kind == PTX_OPD_IMM ? (uint64_t)o->imm & (bytes >= 8 ? UINT64_MAX : (1ull << bytes * 8) - 1) : 0;
  return true;
}

static void set_operand(ProbeNumbers *n, int array, const PtxOperand *o, int bytes) {
  uint64_t number;
  if (is_number(o, bytes, &number)) set_known(n, array, number);
  else n->kind[array] = bytes <= NARROW_BYTES ? NUMBERS_NARROW : NUMBERS_WIDE;
}

// ---- operations between lanes --------------------------------------------------------------------------------------

// What comes out is the same for all that take part.
static bool gives_one(const PtxInstr *in) {
  return in->op == PTX_OP_vote || in->op == PTX_OP_activemask || in->op == PTX_OP_redux || in->op == PTX_OP_elect;
}

// Members, and above them how a shuffle finds its source: take_members in probe_emit.c.
static void set_members(ProbeNumbers *n, const PtxInstr *in) {
  uint64_t members, lane = 0, control = 0;
  bool shuffles = in->op == PTX_OP_shfl, known = is_number(probe_members_of(in), 4, &members);
  if (shuffles) known = known && is_number(&in->operands[2], 4, &lane) && is_number(&in->operands[3], 4, &control);
  if (known) set_known(n, 0, members | (lane & 31) << 32 | (control & 7967) << 40);
}

static void set_lanes(ProbeNumbers *n, const PtxInstr *in) {
  bool has_value = in->op == PTX_OP_shfl || in->op == PTX_OP_match || in->op == PTX_OP_redux;
  set_members(n, in);
  if (has_value) set_operand(n, 1, &in->operands[1], ptx_type_size((PtxType)in->type) == 8 ? 8 : 4);
  else set_known(n, 1, 0);
  bool all_known = n->kind[0] != NUMBERS_NONE || (uint32_t)n->known[0] == UINT32_MAX;
  if (in->mode == PTX_BAR_WARP_SYNC) set_known(n, 2, 0);
  else if (in->op == PTX_OP_shfl && all_known) n->kind[2] = NUMBERS_SHUFFLED;
  else n->kind[2] = gives_one(in) ? NUMBERS_ONE : NUMBERS_NARROW;
  n->asks = in->op == PTX_OP_vote;
}

// ---- all of them ---------------------------------------------------------------------------------------------------

static void set_atom(ProbeNumbers *n, const PtxInstr *in) {
  int first = in->op == PTX_OP_atom ? 2 : 1, at = in->mode == PTX_AT_CAS ? first + 1 : first;
  int bytes = ptx_type_size((PtxType)in->type);
  set_operand(n, 1, at < in->operand_count ? &in->operands[at] : NULL, bytes);
  n->kind[2] = bytes <= NARROW_BYTES ? NUMBERS_NARROW : NUMBERS_WIDE;
}

// The number, and above it how many threads.
static void set_barrier(ProbeNumbers *n, const PtxInstr *in) {
  int at = in->mode == PTX_BAR_RED ? 1 : 0, left = in->operand_count - at;
  uint64_t number, threads;
  bool known = is_number(at < left ? &in->operands[at] : NULL, 4, &number) &&
               is_number(at + 1 < left ? &in->operands[at + 1] : NULL, 4, &threads);
  if (known) set_known(n, 0, number | threads << 32);
}

ProbeNumbers probe_numbers(const Probe *probe, const ProbeSite *site) {
  const PtxInstr *in = &probe->module->code[site->pc];
  ProbeNumbers n = {.count = 0};
  switch ((SiteKind)site->kind) {
  case SITE_ACCESS: case SITE_JUMP: n.count = 1; break;
  case SITE_ENTER: n.count = probe->frame_var[in->func] >= 0; break;
  case SITE_BARRIER:
    n.count = 1;
    set_barrier(&n, in);
    break;
  case SITE_ATOM:
    n.count = 3;
    set_atom(&n, in);
    break;
  case SITE_LANES:
    n.count = 3;
    set_lanes(&n, in);
    break;
  case SITE_MOVE: n.count = probe_move_of(probe, site->pc)->arrays; break;
  default: break;
  }
  return n;
}

// ---- shapes --------------------------------------------------------------------------------------------------------

bool probe_has_shape(const ProbeSite *site) { return site->shape != NULL; }

// In a register of 32 bits they wrap around there.
void probe_shape_addresses(const Probe *probe, const ProbeSite *site, uint32_t warp, uint32_t lanes, uint64_t first,
                           uint64_t to[LANES]) {
  const PtxInstr *in = &probe->module->code[site->pc];
  const PtxOperand *address = ptx_address(in);
  const PtxReg *reg = address->base == PTX_BASE_REG ? &probe->module->funcs[in->func].regs[address->reg] : NULL;
  bool wraps = reg && ptx_type_size((PtxType)reg->type) == 4;
  const int64_t *of = site->shape->of + (size_t)warp * LANES;
  for (uint32_t left = lanes; left; left &= left - 1) {
    int lane = __builtin_ctz(left);
    to[lane] = first + (uint64_t)of[lane] - (uint64_t)of[__builtin_ctz(lanes)];
    if (wraps) to[lane] = (uint32_t)to[lane];
  }
}
