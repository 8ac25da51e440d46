// exec_video.c: the video instructions (PTX ISA 9.7.16, 9.7.17): on a part of each operand, or on halves or bytes that
// are chosen one by one; and vmad.
#include <string.h>
#include "sim/core/event.h"
#include "sim/core/slots.h"
#include "sim/ops/decoders.h"
#include "sim/ops/saturate.h"

typedef enum VideoDoes { VIDEO_ADD, VIDEO_SUB, VIDEO_AVERAGE, VIDEO_DISTANCE, VIDEO_MIN, VIDEO_MAX, VIDEO_COMPARE,
                         VIDEO_SHL, VIDEO_SHR, VIDEO_MAD } VideoDoes;
static const struct { uint16_t op; uint8_t does, parts; } video[] = {
    {PTX_OP_vadd, VIDEO_ADD, 1},         {PTX_OP_vadd2, VIDEO_ADD, 2},           {PTX_OP_vadd4, VIDEO_ADD, 4},
    {PTX_OP_vsub, VIDEO_SUB, 1},         {PTX_OP_vsub2, VIDEO_SUB, 2},           {PTX_OP_vsub4, VIDEO_SUB, 4},
    {PTX_OP_vavrg2, VIDEO_AVERAGE, 2},   {PTX_OP_vavrg4, VIDEO_AVERAGE, 4},      {PTX_OP_vabsdiff, VIDEO_DISTANCE, 1},
    {PTX_OP_vabsdiff2, VIDEO_DISTANCE, 2}, {PTX_OP_vabsdiff4, VIDEO_DISTANCE, 4}, {PTX_OP_vmin, VIDEO_MIN, 1},
    {PTX_OP_vmin2, VIDEO_MIN, 2},        {PTX_OP_vmin4, VIDEO_MIN, 4},           {PTX_OP_vmax, VIDEO_MAX, 1},
    {PTX_OP_vmax2, VIDEO_MAX, 2},        {PTX_OP_vmax4, VIDEO_MAX, 4},           {PTX_OP_vset, VIDEO_COMPARE, 1},
    {PTX_OP_vset2, VIDEO_COMPARE, 2},    {PTX_OP_vset4, VIDEO_COMPARE, 4},       {PTX_OP_vshl, VIDEO_SHL, 1},
    {PTX_OP_vshr, VIDEO_SHR, 1},         {PTX_OP_vmad, VIDEO_MAD, 1},
};

enum { MOST_PARTS = 4 };
typedef struct Part { uint8_t at, bits; } Part;        // of a word

typedef struct Video {
  uint8_t does, parts, cmp, second;   // second: PTX_AT_ADD, _MIN, _MAX with the third operand; PTX_MODE_NONE
  bool a_signed, b_signed, d_signed, saturates, clamps;
  Part one_a, one_b;                  // of an instruction on one value
  uint8_t from_a[MOST_PARTS], from_b[MOST_PARTS];      // of one on several: parts of a, then of b
  uint8_t written;                    // which parts of the result; the others are the third operand's
  bool negates_product, negates_c, plus_one, is_signed;   // vmad
  uint32_t d, a, b, c;
} Video;

// ---- one lane ------------------------------------------------------------------------------------------------------

static int64_t part(uint64_t words, unsigned bits, unsigned at, bool is_signed) {
  int64_t value = (int64_t)(words >> at & ((1ull << bits) - 1));
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

// The sum, or the smaller or larger one; an H200 compares all of the first result, not its lower 32 bits.
static uint32_t with_third(const Video *v, int64_t result, uint32_t c) {
  if (v->second == PTX_AT_ADD) return (uint32_t)result + c;
  if (v->second == PTX_MODE_NONE) return (uint32_t)result;
  bool less = v->d_signed ? result < (int32_t)c : (uint64_t)result < c;
  return less == (v->second == PTX_AT_MIN) ? (uint32_t)result : c;
}

static int64_t extended(uint32_t value, bool is_signed) { return is_signed ? (int64_t)(int32_t)value : (int64_t)value; }

static uint32_t put(uint32_t word, uint32_t value, Part p) {
  uint32_t mask = (p.bits == 32 ? SIM_FULL : (1u << p.bits) - 1) << p.at;
  return (word & ~mask) | (value << p.at & mask);
}

static uint32_t video_single(const Video *v, uint32_t a, uint32_t b, uint32_t c) {
  int64_t x = part(a, v->one_a.bits, v->one_a.at, v->a_signed), y = part(b, v->one_b.bits, v->one_b.at, v->b_signed);
  int64_t t = video_one(v, x, y);
  if (v->saturates) t = extended(saturated(t, 32, v->d_signed), v->d_signed);
  return with_third(v, t, c);
}

// Parts that are added up count with their signs.
static uint32_t video_several(const Video *v, uint32_t a, uint32_t b, uint32_t c) {
  unsigned bits = 32u / v->parts;
  uint64_t both = (uint64_t)b << 32 | a;
  uint32_t all = c, total = c;
  for (unsigned k = 0; k < v->parts; k++) {
    if (!(v->written >> k & 1)) continue;
    int64_t t = video_one(v, part(both, bits, bits * v->from_a[k], v->a_signed),
                          part(both, bits, bits * v->from_b[k], v->b_signed));
    uint32_t low = (uint32_t)((uint64_t)t & ((1ull << bits) - 1));
    if (v->saturates) low = saturated(t, bits, v->d_signed);
    all = put(all, low, (Part){(uint8_t)(k * bits), (uint8_t)bits});
    total += v->saturates ? low : (uint32_t)t;
  }
  return v->second == PTX_AT_ADD ? total : all;
}

// a * b + c in 128 bits. A sign is turned by inverting all bits and adding one at the end, once for both.
static uint32_t video_mad(const Video *v, uint32_t a, uint32_t b, uint32_t c) {
  int64_t x = part(a, v->one_a.bits, v->one_a.at, v->a_signed), y = part(b, v->one_b.bits, v->one_b.at, v->b_signed);
  __int128 sum = (__int128)x * y;
  if (v->negates_product) sum = ~sum;
  uint32_t third = v->negates_c ? ~c : c;
  sum += v->is_signed ? (__int128)(int32_t)third : (__int128)third;
  sum += v->plus_one || v->negates_product || v->negates_c;
  return (uint32_t)sum;
}

static SimNext exec_video(SimExec *exec, const SimInst *inst, uint32_t mask) {
  const Video *v = inst->more;
  SIM_FOR_LANES(i, mask) {
    uint32_t a = sim_u32(exec->regs, v->a)[i], b = sim_u32(exec->regs, v->b)[i];
    uint32_t c = v->c == SIM_NO_SLOT ? 0 : sim_u32(exec->regs, v->c)[i];
    sim_u32(exec->regs, v->d)[i] = v->does == VIDEO_MAD ? video_mad(v, a, b, c)
                                   : v->parts == 1      ? video_single(v, a, b, c)
                                                        : video_several(v, a, b, c);
  }
  if (exec->recording) { sim_event(exec, inst, mask); sim_emit(exec); } else sim_skip_event(exec);
  exec->pc++;
  return SIM_GO;
}

// ---- decoding ------------------------------------------------------------------------------------------------------

// ".b2", ".h1", or NULL: all of the word.
static Part one_part(SimDecoder *d, const char *selector) {
  if (!selector) return (Part){0, 32};
  unsigned bits = selector[1] == 'h' ? 16 : 8, k = (unsigned)(selector[2] - '0');
  if (strlen(selector) != 3 || k * bits >= 32) d->why = "this selector";
  return (Part){(uint8_t)(k * bits), (uint8_t)bits};
}

// ".h32", ".b7531": the highest part is named first. NULL: those from `first` on, in order.
static void several_parts(SimDecoder *d, const char *selector, unsigned parts, unsigned first,
                          uint8_t from[MOST_PARTS]) {
  if (selector && strlen(selector) != parts + 2) d->why = "this selector";
  for (unsigned k = 0; k < parts && !d->why; k++) {
    from[k] = (uint8_t)(selector ? (unsigned)(selector[1 + parts - k] - '0') : first + k);
    if (from[k] >= 2 * parts) d->why = "this selector";
  }
}

static uint8_t written_parts(const char *selector, unsigned parts) {
  uint8_t written = 0;
  if (!selector) return (uint8_t)((1u << parts) - 1);
  for (const char *p = selector + 2; *p; p++) written |= (uint8_t)(1u << (*p - '0'));
  return written;
}

// With .sat, .shr7 or .shr15 an H200 gives other results than the PTX ISA says.
static void decode_mad(SimDecoder *d, Video *v) {
  const PtxInstr *in = d->in;
  bool shifts = ptx_has(in, PTX_HAS_SHR7) || ptx_has(in, PTX_HAS_SHR15);
  if (v->saturates || shifts) d->why = "vmad that shifts or saturates";
  bool minus_a = in->operands[1].negate, minus_b = in->operands[2].negate;
  v->negates_product = minus_a != minus_b;
  v->negates_c = in->operands[3].negate;
  v->plus_one = ptx_has(in, PTX_HAS_PLUS_ONE);
  v->is_signed = v->a_signed || v->b_signed || v->negates_product || v->negates_c;
}

// vset names no type of its result, which is unsigned.
static bool decode_video(SimDecoder *d, int row) {
  const PtxInstr *in = d->in;
  const PtxOperand *o = in->operands;
  Video *v = LS_NEW(d->program->arena, Video);
  bool compare = video[row].does == VIDEO_COMPARE, mad = video[row].does == VIDEO_MAD;
  uint8_t a = compare ? in->type : in->type2, b = compare ? in->type2 : in->type3;
  *v = (Video){.does = video[row].does, .parts = video[row].parts, .cmp = in->cmp, .second = in->mode,
               .a_signed = a == PTX_S32, .b_signed = b == PTX_S32, .d_signed = compare ? a == PTX_S32 : in->type == PTX_S32,
               .saturates = (in->flags & PTX_F_SAT) != 0, .clamps = (in->flags & PTX_F_CLAMP) != 0};
  bool has_third = v->parts > 1 || v->second || mad;   // there, though a mask may take nothing from it
  if (!b || in->operand_count < (has_third ? 4 : 3) || (compare && !in->cmp)) return false;
  if (v->parts == 1) {
    if (o[0].selector) d->why = "a result that goes into a part of the register";   // devices differ from the PTX ISA
    v->one_a = one_part(d, o[1].selector);
    v->one_b = one_part(d, o[2].selector);
  } else {
    several_parts(d, o[1].selector, v->parts, 0, v->from_a);
    several_parts(d, o[2].selector, v->parts, v->parts, v->from_b);
    v->written = written_parts(o[0].selector, v->parts);
  }
  if (mad) decode_mad(d, v);
  if (v->does == VIDEO_SHL && v->saturates && v->a_signed && !v->d_signed)
    d->why = "vshl that saturates a signed value as unsigned";
  v->d = sim_slot_of(d, &o[0], 4);
  v->a = sim_slot_of(d, &o[1], 4);
  v->b = sim_slot_of(d, &o[2], 4);
  v->c = in->operand_count > 3 ? sim_slot_of(d, &o[3], 4) : SIM_NO_SLOT;
  d->out->more = v;
  d->out->handler = exec_video;
  return true;
}

bool sim_decode_video(SimDecoder *d) {
  for (int row = 0; row < LS_COUNT(video); row++) if (video[row].op == d->in->op) return decode_video(d, row);
  return false;
}
