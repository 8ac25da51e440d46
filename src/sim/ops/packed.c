// packed.c: several values in one register: pairs of floats (PTX ISA 9.7.3, .f32x2), cvt.pack, 8-bit floats, and the
// video instructions (9.7.16, 9.7.17), whose selectors are not known to the parser.
#include <math.h>
#include <string.h>
#include "sim/core/event.h"
#include "sim/core/slots.h"
#include "sim/ops/decoders.h"

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

static uint32_t saturated(int64_t value, unsigned bits, bool is_signed) {
  int64_t least = is_signed ? -(1ll << (bits - 1)) : 0, most = is_signed ? (1ll << (bits - 1)) - 1 : (1ll << bits) - 1;
  return (uint32_t)LS_CLAMP(value, least, most) & (bits == 32 ? SIM_FULL : (1u << bits) - 1);
}

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

// ---- video instructions --------------------------------------------------------------------------------------------

typedef enum VideoDoes { VIDEO_ADD, VIDEO_SUB, VIDEO_AVERAGE, VIDEO_DISTANCE, VIDEO_MIN, VIDEO_MAX, VIDEO_COMPARE,
                         VIDEO_SHL, VIDEO_SHR } VideoDoes;
static const struct { uint16_t op; uint8_t does, parts; } video[] = {
    {PTX_OP_vadd, VIDEO_ADD, 1},         {PTX_OP_vadd2, VIDEO_ADD, 2},           {PTX_OP_vadd4, VIDEO_ADD, 4},
    {PTX_OP_vsub, VIDEO_SUB, 1},         {PTX_OP_vsub2, VIDEO_SUB, 2},           {PTX_OP_vsub4, VIDEO_SUB, 4},
    {PTX_OP_vavrg2, VIDEO_AVERAGE, 2},   {PTX_OP_vavrg4, VIDEO_AVERAGE, 4},      {PTX_OP_vabsdiff, VIDEO_DISTANCE, 1},
    {PTX_OP_vabsdiff2, VIDEO_DISTANCE, 2}, {PTX_OP_vabsdiff4, VIDEO_DISTANCE, 4}, {PTX_OP_vmin, VIDEO_MIN, 1},
    {PTX_OP_vmin2, VIDEO_MIN, 2},        {PTX_OP_vmin4, VIDEO_MIN, 4},           {PTX_OP_vmax, VIDEO_MAX, 1},
    {PTX_OP_vmax2, VIDEO_MAX, 2},        {PTX_OP_vmax4, VIDEO_MAX, 4},           {PTX_OP_vset, VIDEO_COMPARE, 1},
    {PTX_OP_vset2, VIDEO_COMPARE, 2},    {PTX_OP_vset4, VIDEO_COMPARE, 4},       {PTX_OP_vshl, VIDEO_SHL, 1},
    {PTX_OP_vshr, VIDEO_SHR, 1},
};

typedef struct Video {
  uint8_t does, parts, cmp, second;   // second: PTX_AT_ADD, _MIN, _MAX with the third operand; PTX_MODE_NONE
  bool a_signed, b_signed, d_signed, saturates, clamps;
  uint32_t d, a, b, c;
} Video;

static int64_t part(uint32_t word, int bits, int k, bool is_signed) {
  int64_t value = (int64_t)((uint64_t)word >> k * bits & ((1ull << bits) - 1));
  return is_signed && value >> (bits - 1) ? value - (1ll << bits) : value;
}

static bool compares(PtxCmp cmp, int64_t a, int64_t b) {
  switch (cmp) {
  case PTX_EQ: return a == b;
  case PTX_NE: return a != b;
  case PTX_LT: return a < b;
  case PTX_LE: return a <= b;
  case PTX_GT: return a > b;
  default: return a >= b;
  }
}

static int64_t shifted(const Video *v, int64_t a, uint32_t by) {
  uint32_t count = v->clamps ? LS_MIN(by, 32u) : by & 31;
  return v->does == VIDEO_SHL ? (int64_t)((uint64_t)a << count) : a >> count;
}

static int64_t video_one(const Video *v, int64_t a, int64_t b) {
  switch ((VideoDoes)v->does) {
  case VIDEO_ADD: return a + b;
  case VIDEO_SUB: return a - b;
  case VIDEO_AVERAGE: return (a + b + (a + b >= 0)) >> 1;
  case VIDEO_DISTANCE: return a > b ? a - b : b - a;
  case VIDEO_MIN: return LS_MIN(a, b);
  case VIDEO_MAX: return LS_MAX(a, b);
  case VIDEO_COMPARE: return compares((PtxCmp)v->cmp, a, b);
  default: return shifted(v, a, (uint32_t)b);
  }
}

static uint32_t with_third(const Video *v, uint32_t result, uint32_t c) {
  if (v->second == PTX_AT_ADD) return result + c;
  if (v->second == PTX_MODE_NONE) return result;
  bool less = v->d_signed ? (int32_t)result < (int32_t)c : result < c;
  return less == (v->second == PTX_AT_MIN) ? result : c;
}

// Parts that are added up count with their signs.
static uint32_t video_lane(const Video *v, uint32_t a, uint32_t b, uint32_t c) {
  int bits = 32 / v->parts;
  uint32_t all = 0, total = 0;
  for (int k = 0; k < v->parts; k++) {
    int64_t t = video_one(v, part(a, bits, k, v->a_signed), part(b, bits, k, v->b_signed));
    uint32_t low = (uint32_t)((uint64_t)t & ((1ull << bits) - 1));
    if (v->saturates) low = saturated(t, (unsigned)bits, v->d_signed);
    all |= low << k * bits % 32;
    total += v->saturates ? low : (uint32_t)t;
  }
  if (v->parts == 1) return with_third(v, all, c);
  return v->second == PTX_AT_ADD ? total + c : all;
}

static SimNext exec_video(SimExec *exec, const SimInst *inst, uint32_t mask) {
  const Video *v = inst->more;
  SIM_FOR_LANES(i, mask) {
    uint32_t c = v->c == SIM_NO_SLOT ? 0 : sim_u32(exec->regs, v->c)[i];
    sim_u32(exec->regs, v->d)[i] = video_lane(v, sim_u32(exec->regs, v->a)[i], sim_u32(exec->regs, v->b)[i], c);
  }
  if (exec->recording) { sim_event(exec, inst, mask); sim_emit(exec); } else sim_skip_event(exec);
  exec->pc++;
  return SIM_GO;
}

// vset names no type of its result, which is unsigned.
static bool decode_video(SimDecoder *d, int row) {
  const PtxInstr *in = d->in;
  Video *v = LS_NEW(d->program->arena, Video);
  bool compare = video[row].does == VIDEO_COMPARE;
  uint8_t a = compare ? in->type : in->type2, b = compare ? in->type2 : in->type3;
  *v = (Video){.does = video[row].does, .parts = video[row].parts, .cmp = in->cmp, .second = in->mode,
               .a_signed = a == PTX_S32, .b_signed = b == PTX_S32, .d_signed = !compare && in->type == PTX_S32,
               .saturates = (in->flags & PTX_F_SAT) != 0, .clamps = (in->flags & PTX_F_CLAMP) != 0};
  bool merges = v->parts > 1;   // the third operand must be there, though the default mask takes nothing from it
  if (!b || in->operand_count < (merges || v->second ? 4 : 3) || (compare && !in->cmp)) return false;
  v->d = sim_slot_of(d, &in->operands[0], 4);
  v->a = sim_slot_of(d, &in->operands[1], 4);
  v->b = sim_slot_of(d, &in->operands[2], 4);
  v->c = in->operand_count > 3 ? sim_slot_of(d, &in->operands[3], 4) : SIM_NO_SLOT;
  d->out->more = v;
  d->out->handler = exec_video;
  return true;
}

// ---- which it is ---------------------------------------------------------------------------------------------------

bool sim_decode_packed(SimDecoder *d) {
  const PtxInstr *in = d->in;
  for (int row = 0; row < LS_COUNT(video); row++) if (video[row].op == in->op) return decode_video(d, row);
  bool arithmetic = in->op == PTX_OP_add || in->op == PTX_OP_sub || in->op == PTX_OP_mul || in->op == PTX_OP_fma;
  if (in->type == PTX_F32X2 && arithmetic) return decode_pair(d);
  if (in->op != PTX_OP_cvt) return false;
  if (ptx_has(in, PTX_HAS_PACK)) return decode_pack(d);
  return (tiny_type(in->type) || tiny_type(in->type2)) && decode_tiny(d);
}
