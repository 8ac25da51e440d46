// code.c: writes random PTX instructions over a pool of registers, and the rows that are loaded into it.
#include "code.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/mem.h"
#include "care.h"

// ---- registers and rows --------------------------------------------------------------------------------------------

typedef struct Class { char letter; const char *type; int bits, count, slot; bool is_float; } Class;
enum {  // slots
  SLOT_G = CODE_HALVES, SLOT_R = SLOT_G + CODE_FLOATS, SLOT_F = SLOT_R + CODE_WORDS, SLOT_D = SLOT_F + CODE_FLOATS,
  SLOT_E = SLOT_D + CODE_DOUBLES, SLOT_P = SLOT_E + CODE_FLOATS,
};
_Static_assert(SLOT_P + CODE_PREDS <= CODE_ROW, "a row holds all registers");
static const Class classes[] = {
    {'h', "b16", 16, CODE_HALVES, 0, false},       {'g', "b16", 16, CODE_FLOATS, SLOT_G, true},
    {'r', "b32", 32, CODE_WORDS, SLOT_R, false},   {'f', "f32", 32, CODE_FLOATS, SLOT_F, true},
    {'d', "b64", 64, CODE_DOUBLES, SLOT_D, false}, {'e', "f64", 64, CODE_FLOATS, SLOT_E, true},
    {'p', "pred", 1, CODE_PREDS, SLOT_P, false},
};
enum { CLASSES = LS_COUNT(classes) };

static const Class *class_of(int bits, bool is_float) {
  if (bits == 8) bits = 16;
  for (int i = 0; i < CLASSES; i++)
    if (classes[i].bits == bits && classes[i].is_float == is_float) return &classes[i];
  return &classes[0];
}

const char *code_slot_name(int slot) {
  static char name[16];
  for (int i = 0; i < CLASSES; i++) {
    int index = slot - classes[i].slot;
    if (index < 0 || index >= classes[i].count) continue;
    snprintf(name, sizeof name, "%%%c%d", classes[i].letter, index);
    return name;
  }
  return "nothing";
}

static const char *any_of(Code *code, const Class *c) {
  static char names[16][16];
  static int next;
  char *name = names[next++ % LS_COUNT(names)];
  snprintf(name, sizeof names[0], "%%%c%u", c->letter, rng_below(&code->rng, (uint32_t)c->count));
  return name;
}

const char *code_reg(Code *code, int bits) { return any_of(code, class_of(bits, false)); }

const char *code_other(Code *code, PtxType type, const char *taken) {
  const char *name;
  do name = type == PTX_PRED ? code_reg(code, 1) : code_reg_of(code, type);
  while (strcmp(name, taken) == 0);
  return name;
}

const char *code_reg_of(Code *code, PtxType type) {
  bool is_float = type == PTX_F16 || type == PTX_BF16 || type == PTX_F32 || type == PTX_F64;
  return any_of(code, class_of(8 * ptx_type_size(type), is_float));
}

void code_declare(Code *code) {
  for (int i = 0; i < CLASSES; i++) {
    const Class *c = &classes[i];
    ls_text_addf(code->out, "  .reg .%s %%%c<%d>;\n", c->type, c->letter, c->count);
  }
}

void code_load_row(Code *code) {
  for (int i = 0; i < CLASSES; i++) {
    const Class *c = &classes[i];
    for (int k = 0; k < c->count; k++) {
      int at = (c->slot + k) * 8;
      if (c->bits > 1) ls_text_addf(code->out, "  ld.global.b%d %%%c%d, [%%row+%d];\n", c->bits, c->letter, k, at);
      else ls_text_addf(code->out, "  { .reg .b32 %%t; ld.global.b32 %%t, [%%row+%d]; setp.ne.u32 %%p%d, %%t, 0; }\n",
                        at, k);
    }
  }
}

void code_store_row(Code *code, const char *base) {
  for (int i = 0; i < CLASSES; i++) {
    const Class *c = &classes[i];
    for (int k = 0; k < c->count; k++) {
      int at = (c->slot + k) * 8;
      if (c->bits > 1) ls_text_addf(code->out, "  st.global.b%d [%s+%d], %%%c%d;\n", c->bits, base, at, c->letter, k);
      else ls_text_addf(code->out, "  { .reg .b32 %%t; selp.u32 %%t, 1, 0, %%p%d; st.global.b32 [%s+%d], %%t; }\n",
                        k, base, at);
    }
  }
}

static PtxType random_type(Rng *rng, const Class *c) {
  static const PtxType words[] = {PTX_U32, PTX_U32, PTX_U32, PTX_F16X2, PTX_BF16X2};
  switch (c->letter) {
    case 'h': return PTX_U16;
    case 'g': return rng_chance(rng, 2) ? PTX_F16 : PTX_BF16;
    case 'r': return words[rng_below(rng, LS_COUNT(words))];
    case 'f': return PTX_F32;
    case 'd': return PTX_U64;
    case 'e': return PTX_F64;
    default: return PTX_PRED;
  }
}

uint8_t *code_rows(Rng *rng, uint64_t threads) {
  uint64_t *rows = ls_alloc(threads * CODE_ROW * sizeof *rows);
  for (uint64_t t = 0; t < threads; t++)
    for (int i = 0; i < CLASSES; i++)
      for (int k = 0; k < classes[i].count; k++)
        rows[t * CODE_ROW + (uint64_t)(classes[i].slot + k)] = rng_value(rng, random_type(rng, &classes[i]));
  return (uint8_t *)rows;
}

// ---- text with operands --------------------------------------------------------------------------------------------

// most: the greatest whole number that the instruction takes as a constant.
static void add_immediate(Code *code, PtxType type, uint64_t most) {
  uint64_t bits = rng_value(&code->rng, type) & most;
  int shift = 64 - 8 * ptx_type_size(type);
  if (type == PTX_F32) ls_text_addf(code->out, "0f%08X", (unsigned)bits);
  else if (type == PTX_F64) ls_text_addf(code->out, "0d%016llX", (unsigned long long)bits);
  else if (ptx_type_is_signed(type)) ls_text_addf(code->out, "%lld", (long long)(bits << shift) >> shift);
  else ls_text_addf(code->out, "0x%llx", (unsigned long long)bits);
}

// Not 16 bits: a constant with a sign is kept in 32, and unsigned comparisons take all of them.
static bool can_be_immediate(PtxType type) {
  return type == PTX_F32 || type == PTX_F64 || (!ptx_type_is_float(type) && ptx_type_size(type) >= 4 && type < PTX_F16);
}

// The letter of an operand that starts at `text` (a percent sign), or 0: %d and %a are operands, %d3 and %thread not.
static char operand_at(const char *text) {
  if (text[0] != '%' || !text[1] || !strchr("dabc", text[1]) || isalnum((unsigned char)text[2])) return 0;
  return text[1];
}

// Distances, positions and lengths beyond 32 bits are constants that the driver's compiler folds in its own way.
static uint64_t most_immediate(const char *text) {
  static const char *const names[] = {"bf", "bmsk", "sh", "szext"};
  for (int i = 0; i < LS_COUNT(names); i++)
    if (ls_starts_with(text, names[i])) return 31;
  return UINT64_MAX;
}

// A register other than those of earlier operands: what the driver's compiler makes of an operation with two equal
// operands keeps another NaN, or is wrong.
static void choose(Code *code, PtxType type, char chosen[VEC_SOURCES + 1][16], int which) {
  bool taken = true;
  while (taken) {
    snprintf(chosen[which], 16, "%s", code_reg_of(code, type));
    taken = false;
    for (int i = 0; i < VEC_SOURCES && which < VEC_SOURCES; i++)
      taken |= i != which && strcmp(chosen[i], chosen[which]) == 0;
  }
}

// at: which operand is a constant (-1: none). stand_ins (may be NULL): names of other registers for some operands.
static void fill(Code *code, const char *text, PtxType result, const PtxType *operands, int at,
                 const char *const *stand_ins) {
  char chosen[VEC_SOURCES + 1][16] = {{0}};
  for (const char *p = text; *p; p++) {
    char letter = operand_at(p);
    if (!letter) {
      ls_text_addc(code->out, *p);
      continue;
    }
    p++;
    int source = letter - 'a';
    PtxType type = letter == 'd' ? result : operands[source];
    if (letter != 'd' && stand_ins && stand_ins[source]) ls_text_add(code->out, stand_ins[source]);
    else if (letter != 'd' && source == at) add_immediate(code, type, most_immediate(text));
    else {
      int which = letter == 'd' ? VEC_SOURCES : source;
      if (!*chosen[which]) choose(code, type, chosen, which);
      ls_text_add(code->out, chosen[which]);
    }
  }
}

void code_fill(Code *code, const char *text, PtxType result, const PtxType operands[VEC_SOURCES]) {
  ls_text_add(code->out, "  ");
  fill(code, text, result, operands, -1, NULL);
  ls_text_add(code->out, "\n");
}

static void guard(Code *code) {
  ls_text_add(code->out, "  ");
  if (rng_chance(&code->rng, 6))
    ls_text_addf(code->out, "@%s%s ", rng_chance(&code->rng, 2) ? "!" : "", code_reg(code, 1));
}

// ---- kinds of instructions -----------------------------------------------------------------------------------------

// A block with copies of the operands that need care.
static bool made_with_care(Code *code, const VecForm *form) {
  static const char *const names[] = {"%x", "%y", "%z"};
  const char *stand_ins[VEC_SOURCES] = {0};
  bool any = false;
  for (int s = 0; s < form->sources; s++) {
    Care care = care_of(form, s);
    if (care == CARE_NONE) continue;
    if (!any) ls_text_add(code->out, "  { .reg .pred %n; ");
    any = true;
    stand_ins[s] = names[s];
    care_copy(code->out, care, form->in[s], code_reg_of(code, form->in[s]), names[s]);
  }
  if (!any) return false;
  fill(code, form->op, form->out, form->in, -1, stand_ins);
  ls_text_add(code->out, " }\n");
  return true;
}

// Video instructions take no constants: these have no parts to select (PTX ISA, "Video Instructions").
static bool is_video(const char *op) { return op[0] == 'v' && strncmp(op, "vote", 4) != 0; }

static void make_form(Code *code) {
  const VecForm *form = code->forms->lane[rng_below(&code->rng, (uint32_t)code->forms->lane_count)];
  bool constant = rng_chance(&code->rng, 6);
  int at = constant && form->sources > 1 ? 1 + (int)rng_below(&code->rng, (uint32_t)form->sources - 1) : -1;
  if (at >= 0 && (!can_be_immediate(form->in[at]) || is_video(form->op) || care_of(form, at) != CARE_NONE)) at = -1;
  if (form->op[0] == '{') {
    code_fill(code, form->op, form->out, form->in);
  } else if (!made_with_care(code, form)) {
    if (care_may_be_guarded(form)) guard(code);
    else ls_text_add(code->out, "  ");
    fill(code, form->op, form->out, form->in, at, NULL);
    ls_text_add(code->out, "\n");
  }
}

static void make_warp_form(Code *code) {
  if (!code->full_warps) return;
  const VecForm *form = code->forms->warp[rng_below(&code->rng, (uint32_t)code->forms->warp_count)];
  code_fill(code, form->op, form->out, form->in);
}

static void make_setp(Code *code) {
  static const PtxType types[] = {PTX_S16, PTX_U16, PTX_S32, PTX_U32, PTX_S64, PTX_U64, PTX_F32, PTX_F64,
                                  PTX_F32, PTX_F64};
  static const char *const whole[] = {"eq", "ne", "lt", "le", "gt", "ge"};
  static const char *const real[] = {"eq", "ne", "lt", "le", "gt", "ge", "equ", "neu", "ltu", "leu", "gtu", "geu",
                                     "num", "nan"};
  static const char *const joins[] = {"and", "or", "xor"};
  PtxType type = types[rng_below(&code->rng, LS_COUNT(types))];
  bool is_real = ptx_type_is_float(type), joined = rng_chance(&code->rng, 3);
  guard(code);
  uint32_t test = rng_below(&code->rng, is_real ? LS_COUNT(real) : LS_COUNT(whole));
  ls_text_addf(code->out, "setp.%s", is_real ? real[test] : whole[test]);
  if (joined) ls_text_addf(code->out, ".%s", joins[rng_below(&code->rng, LS_COUNT(joins))]);
  if (type == PTX_F32 && rng_chance(&code->rng, 3)) ls_text_add(code->out, ".ftz");
  uint32_t first = rng_below(&code->rng, CODE_PREDS), second = (first + 1) % CODE_PREDS;
  ls_text_addf(code->out, ".%s %%p%u", ptx_type_name(type), first);
  if (rng_chance(&code->rng, 3)) ls_text_addf(code->out, "|%%p%u", second);
  const char *one = code_reg_of(code, type);
  ls_text_addf(code->out, ", %s, %s", one, code_other(code, type, one));
  if (joined) ls_text_addf(code->out, ", %s%s", rng_chance(&code->rng, 2) ? "!" : "", code_reg(code, 1));
  ls_text_add(code->out, ";\n");
}

static void make_selp(Code *code) {
  static const PtxType types[] = {PTX_B16, PTX_U32, PTX_F32, PTX_S64, PTX_F64};
  PtxType type = types[rng_below(&code->rng, LS_COUNT(types))];
  const char *one = code_reg_of(code, type);
  guard(code);
  ls_text_addf(code->out, "selp.%s %s, %s, %s, %s;\n", ptx_type_name(type), code_reg_of(code, type), one,
               code_other(code, type, one), code_reg(code, 1));
}

static void make_predicate(Code *code) {
  static const char *const names[] = {"and", "or", "xor"};
  if (rng_chance(&code->rng, 4)) {
    ls_text_addf(code->out, "  not.pred %s, %s;\n", code_reg(code, 1), code_reg(code, 1));
    return;
  }
  const char *one = code_reg(code, 1);
  ls_text_addf(code->out, "  %s.pred %s, %s, %s;\n", names[rng_below(&code->rng, LS_COUNT(names))],
               code_reg(code, 1), one, code_other(code, PTX_PRED, one));
}

// Any function of three bits, any selection of bytes (not of their signs: the driver's compiler loses them where a byte
// of the result is taken).
static void make_lookup(Code *code) {
  static const PtxType words[VEC_SOURCES] = {PTX_B32, PTX_B32, PTX_B32};
  char text[64];
  guard(code);
  snprintf(text, sizeof text, "lop3.b32 %%d, %%a, %%b, %%c, 0x%x;\n", rng_below(&code->rng, 256));
  fill(code, text, PTX_B32, words, -1, NULL);
  guard(code);
  snprintf(text, sizeof text, "prmt.b32 %%d, %%a, %%b, 0x%x;\n", rng_below(&code->rng, 1 << 16) & 0x7777);
  fill(code, text, PTX_B32, words, -1, NULL);
}

// Fresh values, since long chains of operations end in zeros and NaNs.
static void make_reload(Code *code) {
  if (!code->has_row) return;
  const Class *c = &classes[rng_below(&code->rng, CLASSES - 1)];
  uint32_t slot = rng_below(&code->rng, (uint32_t)c->count);
  guard(code);
  ls_text_addf(code->out, "ld.global.b%d %s, [%%row+%u];\n", c->bits, any_of(code, c), ((uint32_t)c->slot + slot) * 8);
}

typedef struct Maker { uint32_t weight; void (*make)(Code *code); } Maker;
static const Maker makers[] = {
    {62, make_form}, {6, make_warp_form}, {10, make_setp}, {5, make_selp},
    {4, make_predicate}, {3, make_lookup}, {10, make_reload},
};

void code_instruction(Code *code) {
  uint32_t sum = 0;
  for (int i = 0; i < LS_COUNT(makers); i++) sum += makers[i].weight;
  uint32_t draw = rng_below(&code->rng, sum);
  int i = 0;
  while (draw >= makers[i].weight) draw -= makers[i++].weight;
  makers[i].make(code);
}

void code_instructions(Code *code, int least, int more) {
  int count = least + (int)rng_below(&code->rng, (uint32_t)more + 1);
  for (int i = 0; i < count; i++) code_instruction(code);
}
