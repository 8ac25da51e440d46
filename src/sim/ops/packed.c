// packed.c: several values in one register: pairs of floats (PTX ISA 9.7.3, .f32x2), cvt.pack and 8-bit floats.
#include <math.h>
#include <string.h>
#include "sim/core/event.h"
#include "sim/core/slots.h"
#include "sim/ops/decoders.h"
#include "sim/ops/saturate.h"

// ---- 8-bit floats --------------------------------------------------------------------------------------------------

// Sign, exponent, mantissa; e4m3 has no infinities, and one NaN beside its sign.
typedef struct Tiny { int mantissa, bias, most; bool has_infinity; } Tiny;   // most: code of the largest number
static const Tiny e4m3 = {3, 7, 0x7e, false}, e5m2 = {2, 15, 0x7b, true};
enum { TINY_NAN = 0x7f };

static double tiny_value(const Tiny *t, uint32_t code) {
  int magnitude = (int)(code & 0x7f), exponent = magnitude >> t->mantissa, fraction = magnitude & ((1 << t->mantissa) - 1);
  double value = exponent ? ldexp(fraction + (1 << t->mantissa), exponent - t->bias - t->mantissa)
                          : ldexp(fraction, 1 - t->bias - t->mantissa);
  if (magnitude > t->most) value = t->has_infinity && magnitude == t->most + 1 ? INFINITY : NAN;
  return code & 0x80 ? -value : value;
}

// To nearest, ties to even; what is too large becomes the largest number.
static uint32_t tiny_of(const Tiny *t, double x, bool relu) {
  uint32_t sign = signbit(x) ? 0x80 : 0;
  if (isnan(x)) return TINY_NAN;
  if (sign && relu) return 0;
  x = fabs(x);
  if (x >= tiny_value(t, (uint32_t)t->most)) return sign | (uint32_t)t->most;
  int exponent = x > 0 ? ilogb(x) : 1 - t->bias;
  if (exponent < 1 - t->bias) exponent = 1 - t->bias;
  double steps = ldexp(x, t->mantissa - exponent), whole = floor(steps), rest = steps - whole;
  uint32_t q = (uint32_t)whole + (rest > 0.5 || (rest == 0.5 && (uint32_t)whole & 1));
  // A carry out of the fraction goes into the exponent by itself.
  uint32_t code = q + ((uint32_t)(exponent + t->bias - 1) << t->mantissa);
  return sign | LS_MIN(code, (uint32_t)t->most);
}

static const Tiny *tiny_type(int type) {
  return type == PTX_E4M3X2 ? &e4m3 : type == PTX_E5M2X2 ? &e5m2 : NULL;
}

static double float_at(uint32_t bits) { float x; memcpy(&x, &bits, sizeof x); return (double)x; }

// imm: PtxType of the pair of tiny floats; type: of the other side; a is the upper one of two floats.
static void tiny_of_floats(uint8_t *regs, const SimOp *op, uint32_t mask) {
  const Tiny *t = tiny_type((int)op->imm);
  bool relu = (op->flags & PTX_F_RELU) != 0;
  SIM_FOR_LANES(i, mask) {
    double high = float_at(sim_u32(regs, op->a)[i]), low = float_at(sim_u32(regs, op->b)[i]);
    sim_u32(regs, op->d)[i] = tiny_of(t, high, relu) << 8 | tiny_of(t, low, relu);
  }
}

static void tiny_of_halves(uint8_t *regs, const SimOp *op, uint32_t mask) {
  const Tiny *t = tiny_type((int)op->imm);
  bool relu = (op->flags & PTX_F_RELU) != 0;
  SIM_FOR_LANES(i, mask) {
    uint32_t a = sim_u32(regs, op->a)[i];
    double high = (double)sim_f16_to_f32((uint16_t)(a >> 16)), low = (double)sim_f16_to_f32((uint16_t)a);
    sim_u32(regs, op->d)[i] = tiny_of(t, high, relu) << 8 | tiny_of(t, low, relu);
  }
}

static uint32_t half_of_tiny(const Tiny *t, uint32_t code, bool relu) {
  double value = tiny_value(t, code);
  if (isnan(value)) return 0x7fff;
  if (relu && signbit(value)) return 0;
  return sim_f32_to_f16((float)value);
}

static void halves_of_tiny(uint8_t *regs, const SimOp *op, uint32_t mask) {
  const Tiny *t = tiny_type((int)op->imm);
  bool relu = (op->flags & PTX_F_RELU) != 0;
  SIM_FOR_LANES(i, mask) {
    uint32_t a = sim_u32(regs, op->a)[i];
    sim_u32(regs, op->d)[i] = half_of_tiny(t, a >> 8 & 0xff, relu) << 16 | half_of_tiny(t, a & 0xff, relu);
  }
}

static bool decode_tiny(SimDecoder *d) {
  const PtxInstr *in = d->in;
  SimOp *op = &d->out->op;
  bool to = tiny_type(in->type) != NULL;
  uint32_t allowed = PTX_F_RELU | (to ? PTX_F_SATFINITE : 0);
  if (in->round != PTX_RN || in->flags & ~allowed || (to && !(in->flags & PTX_F_SATFINITE)) || in->type3) return false;
  op->imm = to ? in->type : in->type2;
  op->flags = in->flags;
  op->d = sim_slot_of(d, &in->operands[0], 4);
  op->a = sim_slot_of(d, &in->operands[1], 4);
  if (to && in->type2 == PTX_F32 && in->operand_count == 3) {
    op->b = sim_slot_of(d, &in->operands[2], 4);
    op->run = tiny_of_floats;
  } else if (in->operand_count == 2 && (to ? in->type2 : in->type) == PTX_F16X2) {
    op->run = to ? tiny_of_halves : halves_of_tiny;
  }
  return op->run != NULL;
}

// ---- cvt.pack.sat.TYPE.s32{.b32} d, a, b{, c} -----------------------------------------------------------------------

// imm: bits; negate_c: signed. What is packed already moves up.
static void pack(uint8_t *regs, const SimOp *op, uint32_t mask) {
  unsigned bits = op->imm;
  SIM_FOR_LANES(i, mask) {
    uint32_t above = op->c == SIM_NO_SLOT || bits == 16 ? 0 : sim_u32(regs, op->c)[i] << 2 * bits;
    uint32_t a = saturated((int32_t)sim_u32(regs, op->a)[i], bits, op->negate_c),
             b = saturated((int32_t)sim_u32(regs, op->b)[i], bits, op->negate_c);
    sim_u32(regs, op->d)[i] = above | a << bits | b;
  }
}

static bool decode_pack(SimDecoder *d) {
  const PtxInstr *in = d->in;
  SimOp *op = &d->out->op;
  int size = ptx_type_size((PtxType)in->type);
  bool small = in->type == PTX_U4 || in->type == PTX_S4;
  bool ok = in->type2 == PTX_S32 && in->flags == PTX_F_SAT && (size == 1 || size == 2 || small) && in->operand_count >= 3;
  if (!ok || (in->operand_count == 4) != (in->type3 == PTX_B32)) return false;
  op->imm = small ? 4 : (uint32_t)size * 8;
  op->negate_c = in->type == PTX_S4 || ptx_type_is_signed((PtxType)in->type);
  op->d = sim_slot_of(d, &in->operands[0], 4);
  op->a = sim_slot_of(d, &in->operands[1], 4);
  op->b = sim_slot_of(d, &in->operands[2], 4);
  op->c = in->operand_count == 4 ? sim_slot_of(d, &in->operands[3], 4) : SIM_NO_SLOT;
  op->run = pack;
  return true;
}

// ---- pairs of floats: each half as the instruction on one float does it --------------------------------------------

typedef struct Pair { SimOp half; uint32_t from[3], parts[3], to, part; int sources; } Pair;

static SimNext exec_pair(SimExec *exec, const SimInst *inst, uint32_t mask) {
  const Pair *p = inst->more;
  uint64_t result[SIM_LANES] = {0};
  for (int half = 0; half < 2; half++) {
    for (int k = 0; k < p->sources; k++)
      SIM_FOR_LANES(i, mask)
        sim_u32(exec->regs, p->parts[k])[i] = (uint32_t)(sim_u64(exec->regs, p->from[k])[i] >> 32 * half);
    p->half.run(exec->regs, &p->half, mask);
    SIM_FOR_LANES(i, mask) result[i] |= (uint64_t)sim_u32(exec->regs, p->part)[i] << 32 * half;
  }
  SIM_FOR_LANES(i, mask) sim_u64(exec->regs, p->to)[i] = result[i];
  if (exec->recording) { sim_event(exec, inst, mask); sim_emit(exec); } else sim_skip_event(exec);
  exec->pc++;
  return SIM_GO;
}

static bool decode_pair(SimDecoder *d) {
  PtxInstr one = *d->in;
  Pair *p = LS_NEW(d->program->arena, Pair);
  one.type = PTX_F32;
  p->sources = d->in->operand_count - 1;
  p->half = (SimOp){.run = sim_alu_find(&one), .type = one.type, .round = one.round, .flags = one.flags, .mode = one.mode};
  if (!p->half.run || p->sources > 3) return false;
  for (int k = 0; k < p->sources; k++) {
    p->from[k] = sim_slot_of(d, &d->in->operands[k + 1], 8);
    p->parts[k] = sim_slot_temp(d->program, 4, k);
  }
  p->to = sim_slot_of(d, &d->in->operands[0], 8);
  p->part = p->half.d = sim_slot_temp(d->program, 4, 3);
  p->half.a = p->parts[0];
  p->half.b = p->parts[1];
  p->half.c = p->parts[2];
  d->out->more = p;
  d->out->handler = exec_pair;
  return true;
}

// ---- which it is ---------------------------------------------------------------------------------------------------

bool sim_decode_packed(SimDecoder *d) {
  const PtxInstr *in = d->in;
  if (sim_decode_video(d)) return true;
  bool arithmetic = in->op == PTX_OP_add || in->op == PTX_OP_sub || in->op == PTX_OP_mul || in->op == PTX_OP_fma;
  if (in->type == PTX_F32X2 && arithmetic) return decode_pair(d);
  if (in->op != PTX_OP_cvt) return false;
  if (ptx_has(in, PTX_HAS_PACK)) return decode_pack(d);
  return (tiny_type(in->type) || tiny_type(in->type2)) && decode_tiny(d);
}
