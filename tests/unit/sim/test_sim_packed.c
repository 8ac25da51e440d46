// test_sim_packed.c: several values in one register, against references written from the PTX ISA one value at a time.
#include <fenv.h>
#include <math.h>
#include "base/mem.h"
#include "base/random.h"
#include "check.h"
#include "ptx/module.h"
#include "sim/sim.h"
#include "launch/launch.h"

enum { THREADS = 1024 };

typedef struct Rig { PtxModule *module; Launch launch; SimOptions options; Sim *sim; LsErr err; } Rig;

static void rig_start(Rig *rig, const char *text, const char *const *args) {
  *rig = (Rig){0};
  sim_options_init(&rig->options);
  launch_init(&rig->launch);
  rig->launch.block[0] = THREADS;
  for (; *args; args++) CHECK(launch_add_arg(&rig->launch, *args, &rig->err));
  rig->module = ptx_parse("packed.ptx", text, strlen(text), &rig->err);
  if (!rig->module) printf("\n%s\n", rig->err.message);
  CU_ASSERT_FATAL(rig->module != NULL);
  rig->sim = sim_new(rig->module, 0, &rig->launch, &rig->options, &rig->err);
  if (!rig->sim) printf("\n%s\n", rig->err.message);
  CU_ASSERT_FATAL(rig->sim != NULL);
}

static void rig_end(Rig *rig) {
  sim_free(rig->sim);
  launch_fini(&rig->launch);
  ptx_module_free(rig->module);
}

static void *buffer_of(Rig *rig, int arg) {
  uint64_t size;
  return (void *)(uintptr_t)sim_buffer(rig->sim, arg, &size);
}

// Runs one instruction of %d, %a, %b, %c, registers of so many bits, on each thread's operands.
static void run_form(const char *form, int bits, int d_bits, const void *operands[3], void *results) {
  char *word = ls_format("%d", bits / 8);
  char *text = ls_format(
      ".version 8.8\n.target sm_100\n.address_size 64\n"
      ".visible .entry k(.param .u64 pd, .param .u64 pa, .param .u64 pb, .param .u64 pc) {\n"
      "  .reg .b%d %%d; .reg .b%d %%a, %%b, %%c; .reg .b32 %%t; .reg .b64 %%at, %%to, %%rd<5>;\n"
      "  ld.param.u64 %%rd1, [pa]; ld.param.u64 %%rd2, [pb]; ld.param.u64 %%rd3, [pc]; ld.param.u64 %%rd4, [pd];\n"
      "  mov.u32 %%t, %%tid.x; mul.wide.u32 %%at, %%t, %s; mul.wide.u32 %%to, %%t, %d;\n"
      "  add.u64 %%rd1, %%rd1, %%at; add.u64 %%rd2, %%rd2, %%at; add.u64 %%rd3, %%rd3, %%at; add.u64 %%rd4, %%rd4, %%to;\n"
      "  ld.global.b%d %%a, [%%rd1]; ld.global.b%d %%b, [%%rd2]; ld.global.b%d %%c, [%%rd3];\n"
      "  %s\n  st.global.b%d [%%rd4], %%d; ret;\n}\n",
      d_bits, bits, word, d_bits / 8, bits, bits, bits, form, d_bits);
  char *in = ls_format("u%d[%d]=zero", bits, THREADS), *out = ls_format("u%d[%d]=zero", d_bits, THREADS);
  Rig rig;
  rig_start(&rig, text, (const char *[]){out, in, in, in, NULL});
  for (int k = 0; k < 3; k++) memcpy(buffer_of(&rig, k + 1), operands[k], (size_t)THREADS * (size_t)bits / 8);
  CHECK(sim_run(rig.sim, NULL, &rig.err));
  memcpy(results, buffer_of(&rig, 0), (size_t)THREADS * (size_t)d_bits / 8);
  rig_end(&rig);
  free(text);
  free(word);
  free(in);
  free(out);
}

static LsMt mt;

// Random words, with many whose bytes and halves are at an end of their range.
static uint32_t draw(void) {
  static const uint8_t ends[] = {0, 1, 0x7f, 0x80, 0x81, 0xff, 0xfe};
  uint32_t word = ls_mt_u32(&mt), kind = ls_mt_u32(&mt) % 3;
  for (int k = 0; k < 4 && kind; k++)
    if (ls_mt_u32(&mt) % 2) word = (word & ~(0xffu << 8 * k)) | (uint32_t)ends[ls_mt_u32(&mt) % sizeof ends] << 8 * k;
  return word;
}

typedef struct Words { uint32_t a[THREADS], b[THREADS], c[THREADS], d[THREADS]; } Words;

static void draw_words(Words *w) {
  for (int i = 0; i < THREADS; i++) {
    w->a[i] = draw();
    w->b[i] = i % 7 ? draw() : w->a[i];
    w->c[i] = draw();
  }
}

static void run_words(const char *form, Words *w) {
  run_form(form, 32, 32, (const void *[]){w->a, w->b, w->c}, w->d);
}

static void compare_word(const char *form, const Words *w, int i, uint32_t expected) {
  if (w->d[i] != expected)
    printf("\n%s: a %08x b %08x c %08x: %08x, expected %08x\n", form, w->a[i], w->b[i], w->c[i], w->d[i], expected);
  CHECK(w->d[i] == expected);
}

// ---- video ----------------------------------------------------------------------------------------------------

static const char *const types[] = {"u32", "s32"};

// Element k of a word that is cut into 1, 2 or 4.
static long long element(uint32_t word, int parts, int k, bool is_signed) {
  switch (parts) {
  case 1: return is_signed ? (long long)(int32_t)word : (long long)word;
  case 2: return is_signed ? (int16_t)(word >> 16 * k) : (uint16_t)(word >> 16 * k);
  default: return is_signed ? (int8_t)(word >> 8 * k) : (uint8_t)(word >> 8 * k);
  }
}

static long long does(const char *name, long long a, long long b) {
  if (strncmp(name, "vadd", 4) == 0) return a + b;
  if (strncmp(name, "vsub", 4) == 0) return a - b;
  if (strncmp(name, "vavrg", 5) == 0) return (long long)floor((a + b >= 0 ? (double)(a + b + 1) : (double)(a + b)) / 2);
  if (strncmp(name, "vabsdiff", 8) == 0) return llabs(a - b);
  if (strncmp(name, "vmin", 4) == 0) return a < b ? a : b;
  return a > b ? a : b;
}

static long long clamped(long long value, int parts, bool is_signed) {
  long long range = parts == 1 ? 1ll << 32 : parts == 2 ? 1 << 16 : 256;
  long long least = is_signed ? -range / 2 : 0, most = least + range - 1;
  return value < least ? least : value > most ? most : value;
}

static uint32_t simd(const char *name, int parts, const bool is_signed[3], bool sat, bool add, const Words *w, int i) {
  uint32_t mask = parts == 1 ? UINT32_MAX : parts == 2 ? 0xffff : 0xff, all = 0;
  long long total = 0;
  for (int k = 0; k < parts; k++) {
    long long t = does(name, element(w->a[i], parts, k, is_signed[1]), element(w->b[i], parts, k, is_signed[2]));
    if (sat) t = clamped(t, parts, is_signed[0]);
    total += t;
    all |= ((uint32_t)t & mask) << (parts == 1 ? 0 : k * (32 / parts));
  }
  return add ? (uint32_t)total + w->c[i] : all;
}

static void check_video(const char *name, int parts, bool sat, bool add) {
  Words *w = ls_alloc(sizeof *w);
  for (int types_of = 0; types_of < 8; types_of++) {
    bool is_signed[3] = {types_of & 1, types_of & 2, types_of & 4};
    draw_words(w);
    char *form = ls_format("%s.%s.%s.%s%s%s %%d, %%a, %%b%s;", name, types[is_signed[0]], types[is_signed[1]],
                           types[is_signed[2]], sat ? ".sat" : "", add ? ".add" : "", parts > 1 || add ? ", %c" : "");
    run_words(form, w);
    for (int i = 0; i < THREADS; i++) compare_word(form, w, i, simd(name, parts, is_signed, sat, add, w, i));
    free(form);
  }
  free(w);
}

static void video(void) {
  static const struct { const char *name; int parts; } all[] = {
      {"vadd", 1}, {"vadd2", 2}, {"vadd4", 4}, {"vsub", 1}, {"vsub2", 2}, {"vsub4", 4}, {"vavrg2", 2}, {"vavrg4", 4},
      {"vabsdiff", 1}, {"vabsdiff2", 2}, {"vabsdiff4", 4}, {"vmin", 1}, {"vmin2", 2}, {"vmin4", 4},
      {"vmax", 1}, {"vmax2", 2}, {"vmax4", 4}};
  for (int i = 0; i < LS_COUNT(all); i++) {
    check_video(all[i].name, all[i].parts, false, false);
    check_video(all[i].name, all[i].parts, true, false);
    check_video(all[i].name, all[i].parts, false, true);
  }
}

static void comparisons(void) {
  static const char *const words[] = {"eq", "ne", "lt", "le", "gt", "ge"};
  Words *w = ls_alloc(sizeof *w);
  for (int form_of = 0; form_of < 6 * 3 * 4; form_of++) {
    int parts = form_of / 24 ? form_of / 24 * 2 : 1, cmp = form_of % 6;
    bool a_signed = form_of / 6 & 1, b_signed = form_of / 12 & 1;
    char number[2] = {parts == 1 ? 0 : (char)('0' + parts), 0};
    char *form = ls_format("vset%s.%s.%s.%s.add %%d, %%a, %%b, %%c;", number, types[a_signed], types[b_signed],
                           words[cmp]);
    draw_words(w);
    run_words(form, w);
    for (int i = 0; i < THREADS; i++) {
      uint32_t expected = w->c[i];
      for (int k = 0; k < parts; k++) {
        long long a = element(w->a[i], parts, k, a_signed), b = element(w->b[i], parts, k, b_signed);
        const bool is[] = {a == b, a != b, a < b, a <= b, a > b, a >= b};
        expected += is[cmp];
      }
      compare_word(form, w, i, expected);
    }
    free(form);
  }
  free(w);
}

// A number beside a register is as wide as what is compared, not as what comes out.
static void numbers_in_set(void) {
  static const float limit = 2.1623e26f;   // 0f6B32E387
  float a[THREADS];
  uint16_t half[THREADS];
  uint32_t words[THREADS], whole[THREADS];
  for (int i = 0; i < THREADS; i++) {
    a[i] = ldexpf(1 + (float)i / THREADS, i % 200 - 60);
    words[i] = i % 3 ? (uint32_t)i : 0xffff;
  }
  run_form("set.gt.f16.f32 %d, %a, 0f6B32E387;", 32, 16, (const void *[]){a, a, a}, half);
  for (int i = 0; i < THREADS; i++) CHECK_INT(half[i], a[i] > limit ? 0x3c00 : 0);
  run_form("{ .reg .b16 %s; cvt.u16.u32 %s, %a; set.eq.u32.s16 %d, %s, -1; }", 32, 32,
           (const void *[]){words, words, words},
           whole);
  for (int i = 0; i < THREADS; i++) CHECK_INT(whole[i], i % 3 ? 0 : 0xffffffff);
}

static void shifts(void) {
  Words *w = ls_alloc(sizeof *w);
  draw_words(w);
  for (int i = 0; i < THREADS; i++) w->b[i] %= 40;
  run_words("vshl.u32.u32.u32.clamp %d, %a, %b;", w);
  for (int i = 0; i < THREADS; i++) compare_word("vshl.clamp", w, i, w->b[i] > 31 ? 0 : w->a[i] << w->b[i]);
  run_words("vshr.s32.s32.u32.wrap.max %d, %a, %b, %c;", w);
  for (int i = 0; i < THREADS; i++) {
    int32_t t = (int32_t)w->a[i] >> (w->b[i] & 31), c = (int32_t)w->c[i];
    compare_word("vshr.wrap.max", w, i, (uint32_t)(t > c ? t : c));
  }
  free(w);
}

// ---- cvt.pack ------------------------------------------------------------------------------------------------------

static void packing(void) {
  static const struct { const char *type; int bits; bool is_signed; } all[] = {
      {"u16", 16, false}, {"s16", 16, true}, {"u8", 8, false}, {"s8", 8, true}, {"u4", 4, false}, {"s4", 4, true}};
  Words *w = ls_alloc(sizeof *w);
  for (int k = 0; k < LS_COUNT(all); k++) {
    bool third = all[k].bits < 16;
    char *form = ls_format("cvt.pack.sat.%s.s32%s %%d, %%a, %%b%s;", all[k].type, third ? ".b32" : "", third ?
                           ", %c" : "");
    draw_words(w);
    for (int i = 0; i < THREADS; i += 2) w->a[i] = (uint32_t)(int32_t)(int8_t)w->a[i];   // small ones, too
    run_words(form, w);
    for (int i = 0; i < THREADS; i++) {
      double least = all[k].is_signed ? -pow(2, all[k].bits - 1) : 0, most = least + pow(2, all[k].bits) - 1;
      uint32_t mask = (uint32_t)(pow(2, all[k].bits) - 1);
      uint32_t a = (uint32_t)(int32_t)fmin(fmax((double)(int32_t)w->a[i], least), most) & mask,
               b = (uint32_t)(int32_t)fmin(fmax((double)(int32_t)w->b[i], least), most) & mask;
      uint32_t c = third ? w->c[i] * (1u << 2 * all[k].bits) : 0;
      compare_word(form, w, i, c | a << all[k].bits | b);
    }
    free(form);
  }
  free(w);
}

// ---- 8-bit floats --------------------------------------------------------------------------------------------------

// From the definition: (-1)^s 2^(e - bias) 1.m, subnormal where e is 0.
static double tiny(int code, int mantissa, int bias) {
  int e = (code & 127) >> mantissa, m = (code & 127) % (1 << mantissa);
  double one = pow(2, mantissa), value = e ? pow(2, e - bias) * (1 + m / one) : pow(2, 1 - bias) * (m / one);
  return code & 128 ? -value : value;
}

// By search: the nearest of all numbers, of two the one with an even code.
static int nearest(double x, int mantissa, int bias, int most) {
  int best = 0;
  if (isnan(x)) return 0x7f;
  if (fabs(x) > tiny(most, mantissa, bias)) best = most;   // gaps to what is far away are all the same
  for (int code = 0; code <= most && best != most; code++) {
    double gap = fabs(tiny(code, mantissa, bias) - fabs(x)), least = fabs(tiny(best, mantissa, bias) - fabs(x));
    if (gap < least || (gap == least && code % 2 == 0)) best = code;
  }
  return best | (signbit(x) ? 128 : 0);
}

static uint32_t bits_of(float x) { uint32_t bits; memcpy(&bits, &x, sizeof bits); return bits; }
static float float_of(uint32_t bits) { float x; memcpy(&x, &bits, sizeof x); return x; }

// Values near what 8 bits can hold, exactly between two of them, far outside, and anything.
static float draw_float(int mantissa, int bias) {
  double code = tiny((int)(ls_mt_u32(&mt) % 255), mantissa, bias);
  switch (ls_mt_u32(&mt) % 5) {
  case 0: return (float)code;
  case 1: return (float)(code * (1 + 1 / pow(2, mantissa + 1)));
  case 2: return (float)(code * (1 + (double)(int32_t)ls_mt_u32(&mt) * 1e-10));
  case 3: return float_of(ls_mt_u32(&mt));
  default: return (float)(code / 64);
  }
}

static void check_tiny(const char *type, int mantissa, int bias, int most, bool relu) {
  Words *w = ls_alloc(sizeof *w);
  char *form = ls_format("{ .reg .b16 %%h; cvt.rn.satfinite%s.%sx2.f32 %%h, %%a, %%b; cvt.u32.u16 %%d, %%h; }",
                         relu ? ".relu" : "", type);
  for (int i = 0; i < THREADS; i++) {
    w->a[i] = bits_of(draw_float(mantissa, bias));
    w->b[i] = bits_of(draw_float(mantissa, bias));
  }
  w->a[0] = 0x7f800000, w->b[0] = 0xff800000, w->a[1] = 0x7fc00000, w->b[1] = 0xffffffff, w->a[2] = 0, w->b[2] =
      0x80000000;
  run_words(form, w);
  for (int i = 0; i < THREADS; i++) {
    double a = (double)float_of(w->a[i]), b = (double)float_of(w->b[i]);
    if (relu && signbit(a) && !isnan(a)) a = 0;
    if (relu && signbit(b) && !isnan(b)) b = 0;
    compare_word(form, w, i, (uint32_t)(nearest(a, mantissa, bias, most) << 8 | nearest(b, mantissa, bias, most)));
  }
  free(form);
  free(w);
}

static void tiny_floats(void) {
  check_tiny("e4m3", 3, 7, 0x7e, false);
  check_tiny("e4m3", 3, 7, 0x7e, true);
  check_tiny("e5m2", 2, 15, 0x7b, false);
  check_tiny("e5m2", 2, 15, 0x7b, true);
}

// All codes to halves, and from there back again: nothing is lost.
static void tiny_and_halves(void) {
  static const struct { const char *type; int mantissa, bias, most; } all[] = {{"e4m3", 3, 7, 0x7e},
      {"e5m2", 2, 15, 0x7b}};
  Words *w = ls_alloc(sizeof *w);
  for (int k = 0; k < 2; k++) {
    char *form = ls_format("{ .reg .b16 %%h; cvt.u16.u32 %%h, %%a; cvt.rn.f16x2.%sx2 %%d, %%h; }", all[k].type);
    char *back = ls_format("{ .reg .b16 %%h; cvt.rn.satfinite.%sx2.f16x2 %%h, %%a; cvt.u32.u16 %%d, %%h; }",
                           all[k].type);
    for (int i = 0; i < THREADS; i++) w->a[i] = (uint32_t)(i % 256) << 8 | (uint32_t)(255 - i % 256);
    run_words(form, w);
    for (int i = 0; i < THREADS; i++)
      for (int half = 0; half < 2; half++) {
        int code = (int)(w->a[i] >> 8 * half & 0xff);
        uint32_t h = w->d[i] >> 16 * half & 0xffff;
        bool infinite = k == 1 && (code & 0x7f) == 0x7c, nan = (code & 0x7f) > all[k].most && !infinite;
        int e = (int)(h >> 10 & 31);
        double value = (e ? ldexp(1024 + (h & 1023), e - 25) : ldexp(h & 1023, -24)) * (h >> 15 ? -1 : 1);
        bool right = nan        ? h == 0x7fff
                     : infinite ? h == (code & 0x80 ? 0xfc00u : 0x7c00u)
                                : value == tiny(code, all[k].mantissa, all[k].bias) && h >> 15 == (uint32_t)code >> 7;
        CHECK(right);
      }
    Words *again = ls_alloc(sizeof *again);
    memcpy(again->a, w->d, sizeof again->a);
    run_words(back, again);
    for (int i = 0; i < THREADS; i++)
      for (int half = 0; half < 2; half++) {
        int code = (int)(w->a[i] >> 8 * half & 0xff), got = (int)(again->d[i] >> 8 * half & 0xff);
        bool infinite = k == 1 && (code & 0x7f) == 0x7c, nan = (code & 0x7f) > all[k].most && !infinite;
        CHECK_INT(got, nan ? 0x7f : infinite ? (code & 0x80) | all[k].most : code);
      }
    free(again);
    free(form);
    free(back);
  }
  free(w);
}

// ---- pairs of floats -----------------------------------------------------------------------------------------------

static float flushed(float x, bool ftz) { return ftz && fpclassify(x) == FP_SUBNORMAL ? copysignf(0, x) : x; }

static uint32_t reference(char op, int round, bool ftz, uint32_t a, uint32_t b, uint32_t c) {
  volatile float x = flushed(float_of(a), ftz), y = flushed(float_of(b), ftz), z = flushed(float_of(c), ftz), r;
  fesetround(round);
  r = op == '+' ? x + y : op == '-' ? x - y : op == '*' ? x * y : fmaf(x, y, z);
  fesetround(FE_TONEAREST);
  r = flushed(r, ftz);
  return isnan(r) ? 0x7fffffff : bits_of(r);
}

static void check_pairs(const char *name, char op, const char *round, int mode, bool ftz) {
  uint64_t *a = ls_alloc(sizeof *a * THREADS), *b = ls_alloc(sizeof *b * THREADS), *c = ls_alloc(sizeof *c * THREADS),
           *d = ls_alloc(sizeof *d * THREADS);
  for (int i = 0; i < THREADS; i++) {
    uint64_t *words[] = {a, b, c};
    for (int k = 0; k < 3; k++)
      for (int half = 0; half < 2; half++) {
        float x = ldexpf(draw_float(3, 7), (int)(ls_mt_u32(&mt) % 3) * -60);
        words[k][i] |= (uint64_t)bits_of(x) << 32 * half;
      }
  }
  char *form = ls_format("%s%s%s.f32x2 %%d, %%a, %%b%s;", name, round, ftz ? ".ftz" : "", op == 'f' ? ", %c" : "");
  run_form(form, 64, 64, (const void *[]){a, b, c}, d);
  int wrong = 0;
  for (int i = 0; i < THREADS; i++)
    for (int half = 0; half < 64; half += 32)
      wrong += (uint32_t)(d[i] >> half) != reference(op, mode, ftz, (uint32_t)(a[i] >> half), (uint32_t)(b[i] >> half),
                                                     (uint32_t)(c[i] >> half));
  if (wrong) printf("\n%s: %d are wrong\n", form, wrong);
  CHECK_INT(wrong, 0);
  free(form);
  free(a);
  free(b);
  free(c);
  free(d);
}

static void pairs(void) {
  static const struct { const char *word; int mode; } rounds[] = {
      {".rn", FE_TONEAREST}, {".rz", FE_TOWARDZERO}, {".rm", FE_DOWNWARD}, {".rp", FE_UPWARD}};
  static const struct { const char *name; char op; } ops[] = {{"add", '+'}, {"sub", '-'}, {"mul", '*'}, {"fma", 'f'}};
  for (int o = 0; o < 4; o++)
    for (int r = 0; r < 4; r++) {
      check_pairs(ops[o].name, ops[o].op, rounds[r].word, rounds[r].mode, false);
      if (!r) check_pairs(ops[o].name, ops[o].op, rounds[r].word, rounds[r].mode, true);
    }
}

// ---- redux of floats -----------------------------------------------------------------------------------------------

// By the order of all floats: -NaN apart, -0 before +0.
static double rank(uint32_t bits) { return bits >> 31 ? -1 - (double)(bits & 0x7fffffff) : (double)bits; }

static void reductions(void) {
  Words *w = ls_alloc(sizeof *w);
  for (int form_of = 0; form_of < 8; form_of++) {
    bool max = form_of & 1, absolute = form_of & 2, nan = form_of & 4;
    char *form = ls_format("redux.sync.%s%s%s.f32 %%d, %%a, 0xffffffff;", max ? "max" : "min", absolute ? ".abs" : "",
                           nan ? ".NaN" : "");
    for (int i = 0; i < THREADS; i++) {
      w->a[i] = bits_of(draw_float(3, 7));
      if (i / 32 % 4 && isnan(float_of(w->a[i]))) w->a[i] = 0;
      if (i / 32 == 5) w->a[i] = i % 2 ? 0x80000000 : 0;
      if (i / 32 == 6) w->a[i] = 0x7fc00000 + (uint32_t)i;
    }
    run_words(form, w);
    for (int warp = 0; warp < THREADS; warp += 32) {
      uint32_t best = 0x7fffffff;
      bool any_nan = false, none = true;
      for (int i = warp; i < warp + 32; i++) {
        uint32_t mine = absolute ? w->a[i] & 0x7fffffff : w->a[i];
        if (isnan(float_of(mine))) { any_nan = true; continue; }
        if (none || (max ? rank(mine) > rank(best) : rank(mine) < rank(best))) best = mine;
        none = false;
      }
      if (none || (nan && any_nan)) best = 0x7fffffff;
      for (int i = warp; i < warp + 32; i++) compare_word(form, w, i, best);
    }
    free(form);
  }
  free(w);
}

// ---- atomics on vectors --------------------------------------------------------------------------------------------

static void vectors(void) {
  static const char text[] =
      ".version 8.8\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 p, .param .u64 q) {\n"
      "  .reg .f32 %f<9>; .reg .b32 %r<9>; .reg .b64 %rd<6>; .reg .b16 %h<5>;\n"
      "  ld.param.u64 %rd1, [p]; ld.param.u64 %rd2, [q]; mov.u32 %r1, %tid.x; cvt.rn.f32.u32 %f1, %r1;\n"
      "  add.f32 %f2, %f1, %f1; mov.f32 %f3, 0f3F800000; neg.f32 %f4, %f1;\n"
      "  atom.global.v4.f32.add {%f5, %f6, _, %f8}, [%rd1], {%f1, %f2, %f3, %f4};\n"
      "  red.global.add.v2.f32 [%rd1+16], {%f3, %f2};\n"
      "  mov.b16 %h1, 0x3c00; mov.b16 %h2, 0x4000; mov.b32 %r2, {%h1, %h2}; mov.b32 %r3, {%h2, %h2};\n"
      "  and.b32 %r4, %r1, 511;\n"
      "  red.global.v2.f16x2.add.noftz [%rd1+24], {%r2, %r3};\n"
      "  mul.wide.u32 %rd3, %r1, 4; add.u64 %rd4, %rd2, %rd3; st.global.f32 [%rd4], %f8; ret;\n}\n";
  Rig rig;
  rig_start(&rig, text, (const char *[]){"f32[8]=zero", "f32[1024]=zero", NULL});
  CHECK(sim_run(rig.sim, NULL, &rig.err));
  int faults = 0;
  sim_faults(rig.sim, &faults);
  CHECK_INT(faults, 0);
  const float *sum = buffer_of(&rig, 0), *before = buffer_of(&rig, 1);
  float total = 1023.0f * 1024 / 2;
  CHECK(sum[0] == total && sum[1] == 2 * total && sum[2] == 1024 && sum[3] == -total);
  CHECK(sum[4] == 1024 && sum[5] == 2 * total);
  // 1024 times 1 and 2: halves hold integers up to 2048.
  CHECK_INT(bits_of(sum[6]), 0x6800u << 16 | 0x6400u);
  CHECK_INT(bits_of(sum[7]), 0x6800u << 16 | 0x6800u);
  double lanes = 0;   // the old value of each thread is the sum of those before it
  for (int i = 0; i < 1024; i++) {
    CHECK(before[i] == (float)-lanes);
    lanes += i;
  }
  rig_end(&rig);
}

static void refused(void) {
  static const char *const forms[] = {"vmin4.u32.u32.u32.min %d, %a, %b, %c;",
                                      "cvt.rz.satfinite.e4m3x2.f32 %d, %a, %b;",
                                      "redux.sync.add.f32 %d, %a, -1;"};
  for (int i = 0; i < LS_COUNT(forms); i++) {
    char *text = ls_format(".version 8.8\n.target sm_100\n.address_size 64\n.visible .entry k() {\n"
                           "  .reg .b32 %%a, %%b, %%c, %%d;\n  %s ret;\n}\n", forms[i]);
    LsErr err = {0};
    Launch launch;
    launch_init(&launch);
    PtxModule *module = ptx_parse("refused.ptx", text, strlen(text), &err);
    Sim *sim = module ? sim_new(module, 0, &launch, NULL, &err) : NULL;
    CHECK(sim == NULL && err.message[0]);
    sim_free(sim);
    ptx_module_free(module);
    launch_fini(&launch);
    free(text);
  }
}

static const Check checks[] = {
    {"video instructions", video}, {"numbers in set", numbers_in_set}, {"video comparisons", comparisons},
        {"video shifts", shifts}, {"cvt.pack", packing},
    {"8-bit floats", tiny_floats}, {"8-bit floats and halves", tiny_and_halves}, {"pairs of floats", pairs},
    {"redux of floats", reductions}, {"atomics on vectors", vectors}, {"refused", refused},
};

int main(int argc, char **argv) {
  ls_mt_seed(&mt, 20);
  return check_main("sim_packed", checks, LS_COUNT(checks), argc, argv);
}
