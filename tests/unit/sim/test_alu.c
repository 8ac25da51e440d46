// test_alu.c: arithmetic of warp instructions without the emulator around it: against the GPU's answers, against the host
// compiler's arithmetic, and each instruction set against the others.
#include <fenv.h>
#include <math.h>
#include "base/mem.h"
#include "base/random.h"
#include "check.h"
#include "ptx/module.h"
#include "sim/alu/alu.h"
#include "sim/alu/alu_soft.h"
#include "vec.h"

static const char *const isas[] = {"generic", "avx2", "avx512"};

static bool is_here(const char *isa) {
  PtxInstr mov = {.op = PTX_OP_mov, .type = PTX_U32, .guard = -1, .operand_count = 2};
  return sim_alu_find_isa(&mov, isa) != NULL;
}

// ---- a machine of registers and arithmetic -------------------------------------------------------------------------

enum { SLOT = 256, MAX_SLOTS = 64, CARRY = MAX_SLOTS - 1, FIRST_IMMEDIATE = 40 };
typedef struct Machine {
  const PtxModule *module;
  const char *isa;
  _Alignas(64) uint8_t regs[MAX_SLOTS * SLOT];
  int immediates;
} Machine;

static uint32_t slot_of_reg(int reg) { return (uint32_t)(reg + 1) * SLOT; }

// Lanes of an immediate are filled in the width that they will be read in; an operand of any width finds its bits.
static uint32_t slot_of(Machine *m, const PtxInstr *in, int operand) {
  const PtxOperand *o = &in->operands[operand];
  if (o->kind == PTX_OPD_REG) return slot_of_reg(o->reg);
  uint32_t slot = (uint32_t)(FIRST_IMMEDIATE + m->immediates++) * SLOT;
  int wide = ptx_type_size((PtxType)in->type) == 8 && !(in->op == PTX_OP_bfi && operand > 2);
  for (int i = 0; i < 32; i++) {
    if (wide) ((uint64_t *)(void *)(m->regs + slot))[i] = o->imm;
    else ((uint32_t *)(void *)(m->regs + slot))[i] = (uint32_t)o->imm;
  }
  return slot;
}

static bool execute(Machine *m, const PtxInstr *in, uint32_t mask) {
  SimOp op = {.run = sim_alu_find_isa(in, m->isa), .type = in->type, .type2 = in->type2, .cmp = in->cmp,
              .boolop = in->boolop, .mode = in->mode, .round = in->round, .flags = in->flags};
  if (!op.run) return false;
  uint32_t *sources[] = {&op.a, &op.b, &op.c, &op.e};
  op.d = slot_of_reg(in->operands[0].reg);
  if (in->operands[0].pair >= 0) op.d2 = slot_of_reg(in->operands[0].pair);
  for (int i = 1, next = 0; i < in->operand_count; i++) {
    if (in->op == PTX_OP_lop3 && i == 4) op.imm = (uint32_t)in->operands[i].imm;
    else *sources[next++] = slot_of(m, in, i);
    op.negate_c |= in->operands[i].negate;
  }
  if (in->flags & PTX_F_CC) op.d2 = CARRY * SLOT;
  if (in->op == PTX_OP_addc || in->op == PTX_OP_subc || in->op == PTX_OP_madc) op.e = CARRY * SLOT;
  op.run(m->regs, &op, mask);
  return true;
}

// Instructions of the form itself: what stands between the load of the last operand and that of the result's address.
static bool execute_form(Machine *m, uint32_t mask) {
  int first = 0, last = m->module->code_count;
  for (int pc = 0; pc < m->module->code_count; pc++) {
    const PtxInstr *in = &m->module->code[pc];
    if (in->op == PTX_OP_ld && in->space == PTX_GLOBAL) first = pc + 1;
    if (in->op == PTX_OP_ld && in->space == PTX_PARAM) last = pc;
  }
  m->immediates = 0;
  for (int pc = first; pc < last; pc++)
    if (!execute(m, &m->module->code[pc], mask)) return false;
  return true;
}

static int reg_named(const PtxModule *module, const char *name) {
  for (int r = 0; r < module->funcs[0].reg_count; r++)
    if (strcmp(module->funcs[0].regs[r].name, name) == 0) return r;
  return -1;
}
static void put(Machine *m, const char *name, PtxType type, int lane, uint64_t value) {
  uint8_t *slot = m->regs + slot_of_reg(reg_named(m->module, name));
  if (ptx_type_size(type) == 8) ((uint64_t *)(void *)slot)[lane] = value;
  else ((uint32_t *)(void *)slot)[lane] = (uint32_t)value;
}
static uint64_t get(const Machine *m, const char *name, PtxType type, int lane) {
  const uint8_t *slot = m->regs + slot_of_reg(reg_named(m->module, name));
  if (ptx_type_size(type) == 8) return ((const uint64_t *)(const void *)slot)[lane];
  return ((const uint32_t *)(const void *)slot)[lane];
}
static const char *const source_names[] = {"%a", "%b", "%c"};

// ---- the GPU's answers ---------------------------------------------------------------------------------------------

// What needs more of the emulator than these loops: other lanes, or operands that are decoded into several instructions.
static bool needs_the_emulator(const char *path) {
  static const char *const opcodes[] = {"activemask", "elect", "match", "redux", "shfl", "vote", "/components", "/sum",
                                        "createpolicy", "video"};
  for (int i = 0; i < LS_COUNT(opcodes); i++)
    if (strstr(path, opcodes[i])) return true;
  return false;
}

static int rows_wrong(Machine *m, const VecForm *form) {
  int wrong = 0;
  for (int warp = 0; warp < VEC_ROWS / 32; warp++) {
    for (int s = 0; s < form->sources; s++)
      for (int i = 0; i < 32; i++) put(m, source_names[s], form->in[s], i, form->inputs[s][warp * 32 + i]);
    if (!execute_form(m, UINT32_MAX)) {
      printf("  %s %s: not supported\n", m->isa, form->name);
      return VEC_ROWS;
    }
    for (int i = 0; i < 32; i++) {
      uint64_t got = get(m, "%d", form->out, i), expected = form->outputs[warp * 32 + i];
      if (got == expected) continue;
      if (wrong++ < 4)
        printf("  %s %s, row %d: %llx %llx %llx = %llx, got %llx\n", m->isa, form->name, warp * 32 + i,
               (unsigned long long)form->inputs[0][warp * 32 + i], (unsigned long long)form->inputs[1][warp * 32 + i],
               (unsigned long long)form->inputs[2][warp * 32 + i], (unsigned long long)expected, (unsigned long long)got);
    }
  }
  return wrong;
}

static PtxModule *module_of(const VecForm *form) {
  LsText text = {0};
  LsErr err = {0};
  vec_ptx(form, &text);
  PtxModule *module = ptx_parse(form->name, ls_text_str(&text), text.length, &err);
  if (!module) printf("  %s: %s\n", form->name, err.message);
  ls_text_free(&text);
  return module;
}

static void check_file(const char *path) {
  LsErr err = {0};
  int count = 0;
  VecForm *forms = vec_read(path, &count, &err);
  CHECK(forms && count > 0);
  for (int f = 0; f < count; f++) {
    PtxModule *module = module_of(&forms[f]);
    CHECK(module != NULL);
    for (int i = 0; module && i < LS_COUNT(isas); i++) {
      Machine m = {.module = module, .isa = isas[i]};
      if (!is_here(isas[i])) continue;
      CHECK_INT(rows_wrong(&m, &forms[f]), 0);
    }
    ptx_module_free(module);
  }
  free(forms);
}

static void as_the_gpu_answers(void) {
  int count;
  char **paths = vec_files(&count);
  CHECK(count > 50);
  for (int i = 0; i < count; i++) {
    if (!needs_the_emulator(paths[i])) check_file(paths[i]);
    free(paths[i]);
  }
  free(paths);
}

// ---- one instruction by itself -------------------------------------------------------------------------------------

// The form of one instruction, to ask it other questions than the measured ones.
static VecForm form_of(const char *op, PtxType out, int sources, PtxType in) {
  VecForm form = {.out = out, .sources = sources, .in = {in, in, in}};
  snprintf(form.name, sizeof form.name, "%s", op);
  snprintf(form.op, sizeof form.op, "%s", op);
  return form;
}

typedef struct Asker { PtxModule *module; Machine machine; VecForm form; } Asker;
static bool asker_init(Asker *asker, VecForm form) {
  *asker = (Asker){.form = form, .module = module_of(&form)};
  asker->machine = (Machine){.module = asker->module, .isa = sim_alu_isa()};
  CHECK(asker->module != NULL);
  return asker->module != NULL;
}
static void asker_fini(Asker *asker) { ptx_module_free(asker->module); }

// Results for 32 triples of operands.
static void ask(Asker *asker, uint64_t in[VEC_SOURCES][32], uint64_t out[32]) {
  for (int s = 0; s < asker->form.sources; s++)
    for (int i = 0; i < 32; i++) put(&asker->machine, source_names[s], asker->form.in[s], i, in[s][i]);
  bool ran = execute_form(&asker->machine, UINT32_MAX);
  if (!ran) printf("  %s: not supported\n", asker->form.op);
  CHECK(ran);
  for (int i = 0; i < 32; i++) out[i] = get(&asker->machine, "%d", asker->form.out, i);
}

// Bit patterns with many of the values that break arithmetic.
static uint64_t draw(LsMt *mt, PtxType type) {
  int bits = 8 * ptx_type_size(type);
  uint64_t r = (uint64_t)ls_mt_u32(mt) << 32 | ls_mt_u32(mt), kind = ls_mt_u32(mt) % 8;
  if (kind == 0) r = r % 3 - 1;                                       // 0, 1, -1
  if (kind == 1) r = 1ull << (r % (uint64_t)bits);                    // powers
  if (kind == 2) r = ~0ull << (r % (uint64_t)bits);                   // exponents all ones: infinities, NaN, -1
  if (kind == 3) r = ~0ull >> (r % 64);
  if (kind == 4) r &= 0x00ffffff;                                     // small: subnormal as a float
  if (kind == 5 && bits == 32) r = (r & 0x807fffff) | ((r >> 32) % 40 + 107) << 23;   // f32 around 1
  if (kind == 5 && bits == 64) r = (r & 0x800fffffffffffff) | (r % 80 + 983) << 52;
  return bits == 64 ? r : r & ((1ull << bits) - 1);
}

// ---- every instruction set gives the same bits ---------------------------------------------------------------------

// All results of the generic functions, in one number (FNV-1a). It is the same for every compiler and optimization: if
// it changes, some operation does not mean what it did.
static uint64_t digest;
static const uint64_t known_digest = 0x1983a40ac6692e4b;
static void digest_add(uint64_t value) {
  for (int i = 0; i < 8; i++) digest = (digest ^ (value >> (8 * i) & 0xff)) * 0x100000001b3;
}

static int lanes_that_differ(const PtxModule *module, const VecForm *form, const char *isa, uint32_t seed, uint32_t mask) {
  static Machine one, other;
  LsMt mt;
  ls_mt_seed(&mt, seed);
  one = (Machine){.module = module, .isa = "generic"};
  for (int s = 0; s < form->sources; s++)
    for (int i = 0; i < 32; i++) put(&one, source_names[s], form->in[s], i, draw(&mt, form->in[s]));
  for (int i = 0; i < 32; i++) put(&one, "%d", form->out, i, 0x5a);
  other = one;
  other.isa = isa;
  if (!execute_form(&one, mask) || !execute_form(&other, mask)) return 32;
  int differ = 0, is_first = strcmp(isa, "generic") == 0;
  for (int i = 0; i < 32; i++) {
    uint64_t x = get(&one, "%d", form->out, i), y = get(&other, "%d", form->out, i);
    bool kept = mask >> i & 1 || x == 0x5a;
    if (is_first) digest_add(x);
    if (x != y || !kept) differ++;
  }
  return differ;
}

static void compare_file(const char *path) {
  static const uint32_t masks[] = {0xffffffff, 0x00000001, 0x80000000, 0x0000ffff, 0x5a5a1234};
  int count;
  VecForm *forms = vec_read(path, &count, NULL);
  for (int f = 0; forms && f < count; f++) {
    PtxModule *module = module_of(&forms[f]);
    for (int isa = 0; module && isa < LS_COUNT(isas); isa++) {
      int wrong = 0;
      for (int round = 0; is_here(isas[isa]) && round < 40; round++)
        wrong += lanes_that_differ(module, &forms[f], isas[isa], (uint32_t)round + 1, masks[round % LS_COUNT(masks)]);
      if (wrong) printf("  %s on %s: %d lanes differ\n", forms[f].name, isas[isa], wrong);
      CHECK_INT(wrong, 0);
    }
    ptx_module_free(module);
  }
  free(forms);
}

static void the_same_everywhere(void) {
  int count;
  digest = 0xcbf29ce484222325;
  char **paths = vec_files(&count);
  for (int i = 0; i < count; i++) {
    if (!needs_the_emulator(paths[i])) compare_file(paths[i]);
    free(paths[i]);
  }
  free(paths);
  if (digest != known_digest) printf("  the digest is 0x%016llx\n", (unsigned long long)digest);
  CHECK(digest == known_digest);
}

// ---- directed rounding, against the processor's own modes ----------------------------------------------------------

typedef double (*Reference)(volatile double, volatile double, volatile double);
static double host_add(volatile double a, volatile double b, volatile double c) { (void)c; return a + b; }
static double host_sub(volatile double a, volatile double b, volatile double c) { (void)c; return a - b; }
static double host_mul(volatile double a, volatile double b, volatile double c) { (void)c; return a * b; }
static double host_div(volatile double a, volatile double b, volatile double c) { (void)c; return a / b; }
static double host_fma(volatile double a, volatile double b, volatile double c) { return fma(a, b, c); }
static double host_sqrt(volatile double a, volatile double b, volatile double c) { (void)b, (void)c; return sqrt(a); }
static float host_add_f(volatile float a, volatile float b, volatile float c) { (void)c; return a + b; }
static float host_sub_f(volatile float a, volatile float b, volatile float c) { (void)c; return a - b; }
static float host_mul_f(volatile float a, volatile float b, volatile float c) { (void)c; return a * b; }
static float host_div_f(volatile float a, volatile float b, volatile float c) { (void)c; return a / b; }
static float host_fma_f(volatile float a, volatile float b, volatile float c) { return fmaf(a, b, c); }
static float host_sqrt_f(volatile float a, volatile float b, volatile float c) { (void)b, (void)c; return sqrtf(a); }
typedef float (*ReferenceF)(volatile float, volatile float, volatile float);
typedef struct Rounded { const char *op; int sources; Reference of_f64; ReferenceF of_f32; } Rounded;
static const Rounded rounded[] = {
    {"add", 2, host_add, host_add_f}, {"sub", 2, host_sub, host_sub_f}, {"mul", 2, host_mul, host_mul_f},
    {"div", 2, host_div, host_div_f}, {"fma", 3, host_fma, host_fma_f}, {"sqrt", 1, host_sqrt, host_sqrt_f},
};

static double f64_of(uint64_t bits) { double x; memcpy(&x, &bits, 8); return x; }
static uint64_t bits_of_f64(double x) { uint64_t bits; memcpy(&bits, &x, 8); return bits; }
static float f32_of(uint64_t bits) { uint32_t word = (uint32_t)bits; float x; memcpy(&x, &word, 4); return x; }
static uint64_t bits_of_f32(float x) { uint32_t bits; memcpy(&bits, &x, 4); return bits; }

// The host's answer; NaN as the one NaN of f32, or any NaN for f64.
static uint64_t host_answer(const Rounded *r, PtxType type, const uint64_t in[3], int mode) {
  fesetround(mode);
  uint64_t bits = type == PTX_F64 ? bits_of_f64(r->of_f64(f64_of(in[0]), f64_of(in[1]), f64_of(in[2])))
                                  : bits_of_f32(r->of_f32(f32_of(in[0]), f32_of(in[1]), f32_of(in[2])));
  fesetround(FE_TONEAREST);
  return bits;
}
static bool same_number(PtxType type, uint64_t got, uint64_t expected) {
  if (type == PTX_F64) return got == expected || (isnan(f64_of(got)) && isnan(f64_of(expected)));
  return got == expected || (got == 0x7fffffff && isnan(f32_of(expected)));
}

static void check_rounding(const Rounded *r, PtxType type, const char *word, int mode) {
  Asker asker;
  char op[64];
  static const char *const operands[] = {"", "%d, %a", "%d, %a, %b", "%d, %a, %b, %c"};
  snprintf(op, sizeof op, "%s.%s.%s %s;", r->op, word, ptx_type_name(type), operands[r->sources]);
  if (!asker_init(&asker, form_of(op, type, r->sources, type))) return;
  LsMt mt;
  ls_mt_seed(&mt, 7);
  int wrong = 0;
  for (int round = 0; round < 100; round++) {
    uint64_t in[VEC_SOURCES][32], out[32];
    for (int s = 0; s < 3; s++)
      for (int i = 0; i < 32; i++) in[s][i] = draw(&mt, type);
    ask(&asker, in, out);
    for (int i = 0; i < 32; i++) {
      uint64_t operand[3] = {in[0][i], in[1][i], in[2][i]}, expected = host_answer(r, type, operand, mode);
      if (same_number(type, out[i], expected)) continue;
      if (wrong++ == 0)
        printf("  %s %llx %llx %llx: got %llx, the host says %llx\n", op, (unsigned long long)operand[0],
               (unsigned long long)operand[1], (unsigned long long)operand[2], (unsigned long long)out[i],
               (unsigned long long)expected);
    }
  }
  CHECK_INT(wrong, 0);
  asker_fini(&asker);
}

static void rounds_as_the_host_does(void) {
  static const struct { const char *word; int mode; } modes[] = {
      {"rn", FE_TONEAREST}, {"rz", FE_TOWARDZERO}, {"rm", FE_DOWNWARD}, {"rp", FE_UPWARD}};
  for (int r = 0; r < LS_COUNT(rounded); r++)
    for (int m = 0; m < LS_COUNT(modes); m++) {
      check_rounding(&rounded[r], PTX_F32, modes[m].word, modes[m].mode);
      check_rounding(&rounded[r], PTX_F64, modes[m].word, modes[m].mode);
    }
}

// ---- f16: all of it ------------------------------------------------------------------------------------------------

// The value of an f16 by its definition.
static double half_by_definition(unsigned h) {
  int exponent = h >> 10 & 31, fraction = h & 1023;
  double size = exponent == 31 ? (fraction ? (double)NAN : (double)INFINITY)
                               : ldexp(exponent ? 1024 + fraction : fraction, (exponent ? exponent : 1) - 25);
  return h & 0x8000 ? -size : size;
}

static void every_f16_to_f32_and_back(void) {
  int wrong = 0;
  for (unsigned h = 0; h < 0x10000; h++) {
    double expected = half_by_definition(h);
    float got = sim_f16_to_f32((uint16_t)h);
    if (isnan(expected)) wrong += !isnan(got) || sim_f32_to_f16(got) != 0x7fff;
    else wrong += (double)got != expected || sim_f32_to_f16(got) != h;
  }
  CHECK_INT(wrong, 0);
}

// Between two neighbors: the middle goes to the even one, an ulp of f32 to either side decides.
static void f16_rounds_to_nearest_even(void) {
  int wrong = 0;
  for (unsigned h = 0; h < 0x7c00; h++) {
    double low = half_by_definition(h), high = h == 0x7bff ? 65536 : half_by_definition(h + 1);
    float middle = (float)((low + high) / 2);
    wrong += sim_f32_to_f16(middle) != h + (h & 1);
    wrong += sim_f32_to_f16(nextafterf(middle, 0)) != h;
    wrong += sim_f32_to_f16(nextafterf(-middle, -INFINITY)) != (0x8000 | (h + 1));
  }
  CHECK_INT(wrong, 0);
}

// Sums and products of f16 are exact in an f64, so one rounding of that is the answer.
static void f16_arithmetic_rounds_once(void) {
  static const char *const ops[] = {"add.f16 %d, %a, %b;", "mul.f16 %d, %a, %b;", "fma.rn.f16 %d, %a, %b, %c;"};
  LsMt mt;
  ls_mt_seed(&mt, 11);
  for (int o = 0; o < 3; o++) {
    Asker asker, narrow;
    if (!asker_init(&asker, form_of(ops[o], PTX_F16, o == 2 ? 3 : 2, PTX_F16))) return;
    if (!asker_init(&narrow, form_of("cvt.rn.f16.f64 %d, %a;", PTX_F16, 1, PTX_F64))) return;
    int wrong = 0;
    for (int round = 0; round < 400; round++) {
      uint64_t in[VEC_SOURCES][32], exact[VEC_SOURCES][32], out[32], expected[32];
      for (int s = 0; s < 3; s++)
        for (int i = 0; i < 32; i++) in[s][i] = ls_mt_u32(&mt) & 0xffff;
      for (int i = 0; i < 32; i++) {
        double a = half_by_definition((unsigned)in[0][i]), b = half_by_definition((unsigned)in[1][i]);
        double c = half_by_definition((unsigned)in[2][i]);
        // An fma of f16 may need 80 bits: long double decides only where it has 64 and the rest is not cut.
        long double sum = o == 0 ? (long double)a + b : o == 1 ? (long double)a * b : (long double)a * b + c;
        exact[0][i] = bits_of_f64((double)sum);
        if ((long double)(double)sum != sum) in[0][i] = in[1][i] = in[2][i] = 0, exact[0][i] = 0;
      }
      ask(&asker, in, out);
      ask(&narrow, exact, expected);
      for (int i = 0; i < 32; i++) wrong += out[i] != expected[i];
    }
    CHECK_INT(wrong, 0);
    asker_fini(&asker);
    asker_fini(&narrow);
  }
}

// ---- bf16: sums that are close to nothing, too ---------------------------------------------------------------------

// A product close to -c, of numbers whose product may be below the least bf16.
static void draw_bf16(LsMt *mt, uint64_t in[VEC_SOURCES][32], int lane) {
  uint64_t a = ls_mt_u32(mt) % 120, b = ls_mt_u32(mt) % 120, c = a + b > 127 ? a + b - 127 : 0, near = ls_mt_u32(mt) % 12;
  in[0][lane] = (ls_mt_u32(mt) & 0x807f) | a << 7;
  in[1][lane] = (ls_mt_u32(mt) & 0x807f) | b << 7;
  in[2][lane] = (ls_mt_u32(mt) & 0x807f) | (c + near) << 7;
}

static void bf16_fma_rounds_once(void) {
  Asker asker;
  if (!asker_init(&asker, form_of("fma.rn.bf16 %d, %a, %b, %c;", PTX_BF16, 3, PTX_BF16))) return;
  LsMt mt;
  ls_mt_seed(&mt, 13);
  int wrong = 0;
  for (int round = 0; round < 2000; round++) {
    uint64_t in[VEC_SOURCES][32], out[32];
    for (int i = 0; i < 32; i++) draw_bf16(&mt, in, i);
    ask(&asker, in, out);
    for (int i = 0; i < 32; i++) wrong += out[i] != soft_fma(&soft_bf16, in[0][i], in[1][i], in[2][i], PTX_RN);
  }
  CHECK_INT(wrong, 0);
  asker_fini(&asker);
}

// ---- whole numbers against the host's ------------------------------------------------------------------------------

typedef struct Rounding { const char *word; double (*function)(double); } Rounding;
static const Rounding roundings[] = {{"rni", nearbyint}, {"rzi", trunc}, {"rmi", floor}, {"rpi", ceil}};

// NaN is 0, or of an f64 the highest bit alone.
static uint64_t whole(const Rounding *r, PtxType from, PtxType to, uint64_t bits) {
  double x = from == PTX_F64 ? f64_of(bits) : f32_of(bits), least = to == PTX_S32 ? -0x1p31 : 0;
  double most = to == PTX_S32 ? 0x1p31 - 1 : 0x1p32 - 1;
  if (isnan(x)) return from == PTX_F64 ? 0x80000000 : 0;
  return (uint32_t)(int64_t)fmin(fmax(r->function(x), least), most);
}

static void check_whole(const Rounding *r, PtxType from, PtxType to) {
  Asker asker;
  char op[64];
  snprintf(op, sizeof op, "cvt.%s.%s.%s %%d, %%a;", r->word, ptx_type_name(to), ptx_type_name(from));
  if (!asker_init(&asker, form_of(op, to, 1, from))) return;
  LsMt mt;
  ls_mt_seed(&mt, 17);
  int wrong = 0;
  for (int round = 0; round < 500; round++) {
    uint64_t in[VEC_SOURCES][32] = {0}, out[32];
    for (int i = 0; i < 32; i++) in[0][i] = draw(&mt, from);
    ask(&asker, in, out);
    for (int i = 0; i < 32; i++) wrong += out[i] != whole(r, from, to, in[0][i]);
  }
  if (wrong) printf("  %s: %d wrong\n", op, wrong);
  CHECK_INT(wrong, 0);
  asker_fini(&asker);
}

static void rounds_to_whole_numbers(void) {
  for (int r = 0; r < LS_COUNT(roundings); r++) {
    check_whole(&roundings[r], PTX_F32, PTX_S32), check_whole(&roundings[r], PTX_F32, PTX_U32);
    check_whole(&roundings[r], PTX_F64, PTX_S32), check_whole(&roundings[r], PTX_F64, PTX_U32);
  }
}

// ---- integers against the host's ------------------------------------------------------------------------------------

static int64_t sign_of(PtxType type, uint64_t bits) {
  switch (ptx_type_size(type)) {
    case 2: return (int16_t)bits;
    case 4: return (int32_t)bits;
    default: return (int64_t)bits;
  }
}

static void check_division(const char *word, PtxType type) {
  Asker quotient, remainder;
  char op[64];
  snprintf(op, sizeof op, "div.%s %%d, %%a, %%b;", word);
  if (!asker_init(&quotient, form_of(op, type, 2, type))) return;
  snprintf(op, sizeof op, "rem.%s %%d, %%a, %%b;", word);
  if (!asker_init(&remainder, form_of(op, type, 2, type))) return;
  uint64_t most = ~0ull >> (64 - 8 * ptx_type_size(type));
  LsMt mt;
  ls_mt_seed(&mt, 3);
  int wrong = 0;
  for (int round = 0; round < 300; round++) {
    uint64_t in[VEC_SOURCES][32] = {0}, q[32], r[32];
    for (int i = 0; i < 32; i++) in[0][i] = draw(&mt, type), in[1][i] = draw(&mt, type);
    ask(&quotient, in, q);
    ask(&remainder, in, r);
    for (int i = 0; i < 32; i++) {
      uint64_t a = in[0][i], b = in[1][i];
      if (b == 0) { wrong += q[i] != most || r[i] != most; continue; }
      __int128 x = ptx_type_is_signed(type) ? sign_of(type, a) : (__int128)a;
      __int128 y = ptx_type_is_signed(type) ? sign_of(type, b) : (__int128)b;
      wrong += q[i] != ((uint64_t)(x / y) & most) || r[i] != ((uint64_t)(x % y) & most);
    }
  }
  CHECK_INT(wrong, 0);
  asker_fini(&quotient);
  asker_fini(&remainder);
}

static void divides_as_the_host_does(void) {
  check_division("u16", PTX_U16);
  check_division("s16", PTX_S16);
  check_division("u32", PTX_U32);
  check_division("s32", PTX_S32);
  check_division("u64", PTX_U64);
  check_division("s64", PTX_S64);
}

static void counts_and_finds_bits(void) {
  Asker popc, clz, brev, bfind;
  if (!asker_init(&popc, form_of("popc.b64 %d, %a;", PTX_U32, 1, PTX_B64)) ||
      !asker_init(&clz, form_of("clz.b64 %d, %a;", PTX_U32, 1, PTX_B64)) ||
      !asker_init(&brev, form_of("brev.b64 %d, %a;", PTX_B64, 1, PTX_B64)) ||
      !asker_init(&bfind, form_of("bfind.u64 %d, %a;", PTX_U32, 1, PTX_U64)))
    return;
  uint64_t in[VEC_SOURCES][32], ones[32], zeros[32], turned[32], found[32];
  LsMt mt;
  ls_mt_seed(&mt, 5);
  for (int i = 0; i < 32; i++) in[0][i] = i ? draw(&mt, PTX_B64) : 0;
  ask(&popc, in, ones);
  ask(&clz, in, zeros);
  ask(&brev, in, turned);
  ask(&bfind, in, found);
  for (int i = 0; i < 32; i++) {
    uint64_t x = in[0][i], back = 0;
    for (int k = 0; k < 64; k++) back |= (x >> k & 1) << (63 - k);
    uint64_t leading = x ? (uint64_t)__builtin_clzll(x) : 64;
    CHECK_INT(ones[i], __builtin_popcountll(x));
    CHECK_INT(zeros[i], leading);
    CHECK(turned[i] == back);
    CHECK_INT(found[i], (uint32_t)(63 - leading));
  }
  asker_fini(&popc), asker_fini(&clz), asker_fini(&brev), asker_fini(&bfind);
}

// ---- forms that were not measured ----------------------------------------------------------------------------------

typedef struct Expected { const char *op; PtxType in, out; uint64_t a, b, c, result; } Expected;
static const Expected expected_results[] = {
    // setp with a predicate, its negation, and the second destination (PTX ISA 9.7.6.2).
    {"{ .reg .pred %p, %q, %x; setp.eq.u32 %x, %c, 1; setp.lt.and.s32 %p|%q, %a, %b, %x; selp.u32 %d, 1, 0, %p; }",
     PTX_U32, PTX_U32, 1, 2, 1, 1},
    {"{ .reg .pred %p, %q, %x; setp.eq.u32 %x, %c, 1; setp.lt.and.s32 %p|%q, %a, %b, %x; selp.u32 %d, 1, 0, %q; }",
     PTX_U32, PTX_U32, 1, 2, 1, 0},
    {"{ .reg .pred %p, %q, %x; setp.eq.u32 %x, %c, 1; setp.lt.and.s32 %p|%q, %a, %b, %x; selp.u32 %d, 1, 0, %q; }",
     PTX_U32, PTX_U32, 2, 1, 1, 1},
    {"{ .reg .pred %p, %x; setp.eq.u32 %x, %c, 1; setp.lt.and.s32 %p, %a, %b, !%x; selp.u32 %d, 1, 0, %p; }",
     PTX_U32, PTX_U32, 1, 2, 1, 0},
    {"{ .reg .pred %p, %x; setp.eq.u32 %x, %c, 1; setp.gt.or.s32 %p, %a, %b, %x; selp.u32 %d, 1, 0, %p; }",
     PTX_U32, PTX_U32, 1, 2, 1, 1},
    {"{ .reg .pred %p, %x; setp.eq.u32 %x, %c, 1; setp.lt.xor.s32 %p, %a, %b, %x; selp.u32 %d, 1, 0, %p; }",
     PTX_U32, PTX_U32, 1, 2, 1, 0},
    {"{ .reg .pred %p, %x; setp.eq.u32 %x, %c, 1; setp.eq.u32 %p, %a, 1; xor.pred %p, %p, %x; selp.u32 %d, 1, 0, %p; }",
     PTX_U32, PTX_U32, 1, 0, 1, 0},
    {"{ .reg .pred %p, %x; setp.eq.u32 %x, %a, 1; not.pred %p, %x; mov.pred %x, %p; selp.u32 %d, 1, 0, %x; }",
     PTX_U32, PTX_U32, 1, 0, 0, 0},
    // fns: the PTX ISA's own cases: the third set bit upwards, the first downwards, none.
    {"fns.b32 %d, %a, %b, %c;", PTX_B32, PTX_B32, 0xaaaaaaaa, 3, 1, 3},
    {"fns.b32 %d, %a, %b, %c;", PTX_B32, PTX_B32, 0xaaaaaaaa, 3, 2, 5},
    {"fns.b32 %d, %a, %b, %c;", PTX_B32, PTX_B32, 0xaaaaaaaa, 2, (uint32_t)-1, 1},
    {"fns.b32 %d, %a, %b, %c;", PTX_B32, PTX_B32, 0xaaaaaaaa, 0, 17, 0xffffffff},
    {"fns.b32 %d, %a, %b, %c;", PTX_B32, PTX_B32, 0xaaaaaaaa, 0, 0, 0xffffffff},
    {"min.xorsign.abs.f32 %d, %a, %b;", PTX_F32, PTX_F32, 0xc0000000, 0x40400000, 0, 0xc0000000},
    {"max.NaN.f32 %d, %a, %b;", PTX_F32, PTX_F32, 0x3f800000, 0x7fc00000, 0, 0x7fffffff},
    {"cvt.rna.tf32.f32 %d, %a;", PTX_F32, PTX_F32, 0x3f801000, 0, 0, 0x3f802000},
    {"cvt.rn.relu.f16.f32 %d, %a;", PTX_F32, PTX_F16, 0xbf800000, 0, 0, 0},
    {"cvt.rn.bf16x2.f32 %d, %a, %b;", PTX_F32, PTX_BF16X2, 0x3f800000, 0x40000000, 0, 0x3f804000},
    {"cvt.rz.f16.f64 %d, %a;", PTX_F64, PTX_F16, 0x40effc0000000001, 0, 0, 0x7bff},
    {"fma.rn.relu.f16 %d, %a, %b, %c;", PTX_F16, PTX_F16, 0x3c00, 0xbc00, 0, 0},
    {"add.sat.f16 %d, %a, %b;", PTX_F16, PTX_F16, 0x3c00, 0x3c00, 0, 0x3c00},
    {"mul.ftz.f16 %d, %a, %b;", PTX_F16, PTX_F16, 0x0001, 0x3c00, 0, 0},
    // A product half way between two values, and an addend that decides; then a tie among subnormal bf16.
    {"fma.rn.f16 %d, %a, %b, %c;", PTX_F16, PTX_F16, 0x3e00, 0x3c01, 0x8001, 0x3e01},
    {"fma.rn.f16 %d, %a, %b, %c;", PTX_F16, PTX_F16, 0x3e00, 0x3c01, 0x0000, 0x3e02},
    {"fma.rn.bf16 %d, %a, %b, %c;", PTX_BF16, PTX_BF16, 0x1e80, 0x1d80, 0x0001, 0x0002},
    {"abs.ftz.f16 %d, %a;", PTX_F16, PTX_F16, 0x8001, 0, 0, 0},
    {"mad.sat.f32 %d, %a, %b, %c;", PTX_F32, PTX_F32, 0x40000000, 0x40000000, 0x3f800000, 0x3f800000},
    {"min.f32 %d, %a, %b, %c;", PTX_F32, PTX_F32, 0x40000000, 0x7fc00000, 0xbf800000, 0xbf800000},
    {"max.NaN.f32 %d, %a, %b, %c;", PTX_F32, PTX_F32, 0x40000000, 0x3f800000, 0x7fc00000, 0x7fffffff},
    {"cvt.rzi.s32.f64 %d, %a;", PTX_F64, PTX_S32, 0xc1e0000000100000, 0, 0, 0x80000000},
    {"cvt.rzi.s32.f64 %d, %a;", PTX_F64, PTX_S32, 0x41dfffffffffffff, 0, 0, 0x7fffffff},
    {"set.lt.u32.f16 %d, %a, %b;", PTX_F16, PTX_U32, 0x3c00, 0x4000, 0, 0xffffffff},
    {"set.ltu.f16.f16 %d, %a, %b;", PTX_F16, PTX_F16, 0x7e00, 0x4000, 0, 0x3c00},
    {"add.u16x2 %d, %a, %b;", PTX_B32, PTX_B32, 0x0001ffff, 0x00010001, 0, 0x00020000},
    {"tanh.approx.f16 %d, %a;", PTX_F16, PTX_F16, 0x7c00, 0, 0, 0x3c00},
    {"ex2.approx.f16 %d, %a;", PTX_F16, PTX_F16, 0x4200, 0, 0, 0x4800},
    {"rcp.approx.ftz.f64 %d, %a;", PTX_F64, PTX_F64, 0xfff0000000000001, 0, 0, 0x8000000000000000},   // an H200
    {"rsqrt.approx.ftz.f64 %d, %a;", PTX_F64, PTX_F64, 0x7ff0000000000001, 0, 0, 0},                  // an H200
};

static void gives_what_the_manual_says(void) {
  for (int e = 0; e < LS_COUNT(expected_results); e++) {
    const Expected *x = &expected_results[e];
    Asker asker;
    if (!asker_init(&asker, form_of(x->op, x->out, 3, x->in))) continue;
    uint64_t in[VEC_SOURCES][32], out[32];
    for (int i = 0; i < 32; i++) in[0][i] = x->a, in[1][i] = x->b, in[2][i] = x->c;
    ask(&asker, in, out);
    if (out[0] != x->result || out[31] != x->result)
      printf("  %s: got %llx, expected %llx\n", x->op, (unsigned long long)out[0], (unsigned long long)x->result);
    CHECK(out[0] == x->result && out[31] == x->result);
    asker_fini(&asker);
  }
}

// What no row is for must be refused, not guessed.
static void refuses_what_it_cannot_do(void) {
  static const char *const ops[] = {
      "mad.lo.s32 %d, %a, %b, %c;",  // the one that it can
      "add.sat.u32 %d, %a, %b;", "lop3.or.b32 %d|%p, %a, %b, %c, 3, %p;", "cvt.pack.sat.u8.s32.b32 %d, %a, %b, %c;",
      "min.s32 %d, %a, %b, %c;", "add.approx.f32 %d, %a, %b;"};
  for (int i = 0; i < LS_COUNT(ops); i++) {
    char op[128];
    snprintf(op, sizeof op, "{ .reg .pred %%p; %s }", ops[i]);
    VecForm form = form_of(op, PTX_B32, 3, PTX_B32);
    PtxModule *module = module_of(&form);
    if (!module) continue;
    Machine m = {.module = module, .isa = "generic"};
    CHECK(execute_form(&m, UINT32_MAX) == (i == 0));
    ptx_module_free(module);
  }
}

static const Check checks[] = {
    {"as the GPU answers", as_the_gpu_answers},
    {"every instruction set gives the same bits", the_same_everywhere},
    {"rounds as the host does", rounds_as_the_host_does},
    {"every f16 to f32 and back", every_f16_to_f32_and_back},
    {"f16 rounds to nearest even", f16_rounds_to_nearest_even},
    {"f16 arithmetic rounds once", f16_arithmetic_rounds_once},
    {"bf16 fma rounds once", bf16_fma_rounds_once},
    {"rounds to whole numbers", rounds_to_whole_numbers},
    {"divides as the host does", divides_as_the_host_does},
    {"counts and finds bits", counts_and_finds_bits},
    {"gives what the manual says", gives_what_the_manual_says},
    {"refuses what it cannot do", refuses_what_it_cannot_do},
};

int main(int argc, char **argv) { return check_main("alu", checks, LS_COUNT(checks), argc, argv); }
