// test_clang_math.c: the mathematical functions that clang gets (assets/cuda, and the emulator's answers to calls of libdevice),
// against the C library in a wider type, over edges and arguments drawn at random. Skipped without clang.
//
// Bounds are those of the CUDA C++ Programming Guide, "Mathematical Functions", in ulps from the correctly rounded
// result. Functions that C has not are judged by what defines them: erf of erfinv(x), an integral for the Bessel
// functions of imaginary argument.
#include <math.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/random.h"
#include "check.h"
#include "device/compile/compile.h"
#include "sim/sim.h"

enum { COUNT = 2048, THREADS = 256, SPOTS = 26 };
static char folder[256];
static PtxModule *module, *modules[2];   // of both cuts; the one that is tried

typedef long double Real;
typedef Real (*Unary)(Real);
typedef Real (*Binary)(Real, Real);

// ---- definitions -----------------------------------------------------------------------------------------------------------------

#define PI 3.14159265358979323846264338327950288L
#define ROOT_HALF 0.707106781186547524400844362104849039L

static Real sin_pi(Real x) {
  Real rest = remainderl(x, 2), part = fabsl(rest) > 0.5L ? copysignl(1, rest) - rest : rest;
  return part == 0 ? copysignl(0, x) : sinl(PI * part);
}
static Real cos_pi(Real x) { return sinl(PI * (0.5L - fabsl(remainderl(x, 2)))); }
static Real reciprocal_cube_root(Real x) { return 1 / cbrtl(x); }
static Real reciprocal_hypot(Real x, Real y) { return 1 / hypotl(x, y); }
static Real tens(Real x) { return powl(10, x); }
static Real normal(Real x) { return erfcl(-x * ROOT_HALF) / 2; }
static Real bessel_j0(Real x) { return j0((double)x); }
static Real bessel_j1(Real x) { return j1((double)x); }
static Real bessel_y0(Real x) { return y0((double)x); }
static Real bessel_y1(Real x) { return y1((double)x); }
static Real gamma_log(Real x) { int sign; return lgammal_r(x, &sign); }

// (1/pi) times the integral of cosh(x cos t), or of sinh(x cos t) cos(t), from 0 to pi: the trapezoids of a periodic function are exact to
// the last bits, and nothing cancels.
static Real imaginary_bessel(int n, Real x) {
  enum { STEPS = 400 };
  Real sum = n ? sinhl(x) : coshl(x);
  for (int i = 1; i < STEPS; i++) {
    Real c = cosl(PI * i / STEPS);
    sum += n ? sinhl(x * c) * c : coshl(x * c);
  }
  return sum / STEPS;
}
static Real bessel_i0(Real x) { return imaginary_bessel(0, x); }
static Real bessel_i1(Real x) { return imaginary_bessel(1, x); }

// Bisection: slow, and sure.
static Real solve(Unary f, Real goal, Real least, Real most) {
  enum { HALVINGS = 90 };
  bool rises = f(most) > f(least);
  for (int i = 0; i < HALVINGS; i++) {
    Real middle = (least + most) / 2;
    if ((f(middle) < goal) == rises) least = middle;
    else most = middle;
  }
  return (least + most) / 2;
}
static Real erf_inverse(Real x) {
  if (!(fabsl(x) <= 1)) return NAN;
  if (fabsl(x) == 1) return copysignl(INFINITY, x);
  if (fabsl(x) < 1e-9L) return x * 0.886226925452758013649083741670572591L;   // sqrt(pi)/2, and a cube beyond what is
                                                                              // asked
  return fabsl(x) < 0.5L ? solve(erfl, x, -1, 1) : copysignl(solve(erfcl, 1 - fabsl(x), 0, 30), x);
}
static Real erfc_inverse(Real x) {
  if (!(x >= 0 && x <= 2)) return NAN;
  if (x == 0 || x == 2) return x == 0 ? INFINITY : -INFINITY;
  if (fabsl(1 - x) < 0.5L) return erf_inverse(1 - x);
  return x < 1 ? solve(erfcl, x, 0, 110) : -solve(erfcl, 2 - x, 0, 110);
}
static Real normal_inverse(Real x) { return -erfc_inverse(2 * x) / ROOT_HALF; }
// Far out by its continued fraction.
static Real erfc_scaled(Real x) {
  enum { DEPTH = 60, FAR = 12 };
  if (!(x > FAR)) return expl(x * x) * erfcl(x);
  Real tail = x;
  for (int k = DEPTH; k > 0; k--) tail = x + k / 2.0L / tail;
  return 1 / (tail * 1.77245385090551602729816748334114518L);
}

// ---- the table, in the order of lanescope_math.def -----------------------------------------------------------------------------------

typedef struct Row {
  const char *name;
  Unary unary;
  Binary binary;
  int float_bound, double_bound;   // ulps
  double most;                     // |x| beyond is not asked; 0: all
} Row;
static const Row unary[] = {
    {"sin", sinl, NULL, 2, 2, 0}, {"cos", cosl, NULL, 2, 2, 0}, {"tan", tanl, NULL, 4, 2, 0},
    {"sinpi", sin_pi, NULL, 1, 2, 0},
    {"cospi", cos_pi, NULL, 1, 2, 0}, {"asin", asinl, NULL, 2, 2, 0}, {"acos", acosl, NULL, 2, 2, 0},
    {"atan", atanl, NULL, 2, 2, 0},
    {"sinh", sinhl, NULL, 3, 2, 0}, {"cosh", coshl, NULL, 2, 1, 0}, {"tanh", tanhl, NULL, 2, 1, 0},
    {"asinh", asinhl, NULL, 3, 2, 0},
    {"acosh", acoshl, NULL, 4, 2, 0}, {"atanh", atanhl, NULL, 3, 2, 0}, {"exp", expl, NULL, 2, 1, 0},
    {"exp2", exp2l, NULL, 2, 1, 0},
    {"exp10", tens, NULL, 2, 1, 0}, {"expm1", expm1l, NULL, 1, 1, 0}, {"log", logl, NULL, 1, 1, 0},
    {"log2", log2l, NULL, 1, 1, 0},
    {"log10", log10l, NULL, 2, 1, 0}, {"log1p", log1pl, NULL, 1, 1, 0}, {"cbrt", cbrtl, NULL, 1, 1, 0},
    {"rcbrt", reciprocal_cube_root, NULL, 1, 1, 0}, {"erf", erfl, NULL, 2, 2, 0}, {"erfc", erfcl, NULL, 4, 5, 0},
    {"erfinv", erf_inverse, NULL, 2, 5, 0}, {"erfcinv", erfc_inverse, NULL, 4, 6, 0},
    {"erfcx", erfc_scaled, NULL, 4, 4, 0},
    {"normcdf", normal, NULL, 5, 5, 0}, {"normcdfinv", normal_inverse, NULL, 5, 8, 0},
    {"lgamma", gamma_log, NULL, 6, 4, 0},
    {"tgamma", tgammal, NULL, 5, 10, 0}, {"j0", bessel_j0, NULL, 9, 7, 8}, {"j1", bessel_j1, NULL, 9, 7, 8},
    {"y0", bessel_y0, NULL, 9, 7, 8}, {"y1", bessel_y1, NULL, 9, 7, 8}, {"cyl_bessel_i0", bessel_i0, NULL, 6, 6, 90},
    {"cyl_bessel_i1", bessel_i1, NULL, 6, 6, 90}};
static const Row binary[] = {{"pow", NULL, powl, 4, 2, 0}, {"atan2", NULL, atan2l, 3, 2, 0},
                             {"hypot", NULL, hypotl, 3, 2, 0},
                             {"rhypot", NULL, reciprocal_hypot, 2, 1, 0}, {"fmod", NULL, fmodl, 0, 0, 0},
                             {"remainder", NULL, remainderl, 0, 0, 0}};

// ---- arguments -------------------------------------------------------------------------------------------------------------------

static const double spots[SPOTS] = {0.0, -0.0, INFINITY, -INFINITY, NAN, 1, -1, 0.5, -0.5, 2, -2, 3, -3, 10, -10,
                                    1e-45, -1e-45,
                                    1.17549435e-38, 3.4028234e38, -3.4028234e38, 1e22, 1e15, 710, -745,
                                        1.5707963267948966, 6.2831853};

// A quarter each: bits drawn at random, small numbers, numbers around one, and edges with others.
static double argument(LsMt *mt, int i, bool is_float, int shift) {
  double uniform = ls_mt_u32(mt) / 4294967296.0;
  uint64_t bits = (uint64_t)ls_mt_u32(mt) << 32 | ls_mt_u32(mt);
  uint32_t half = (uint32_t)bits;
  double any;
  float few;
  memcpy(&any, &bits, sizeof any);
  memcpy(&few, &half, sizeof few);
  if (i < SPOTS * SPOTS) return spots[shift ? i / SPOTS : i % SPOTS];
  if (i % 3 == 0) return is_float ? few : any;
  if (i % 3 == 1) return (uniform - 0.5) * 40;
  return (uniform - 0.5) * 2.2;
}

static char *write_arguments(const char *name, bool is_float, int shift) {
  LsMt mt;
  static float floats[COUNT];
  static double doubles[COUNT];
  ls_mt_seed(&mt, 4 + (uint32_t)shift);
  for (int i = 0; i < COUNT; i++) floats[i] = (float)(doubles[i] = argument(&mt, i, is_float, shift));
  char *path = ls_path_join(folder, name);
  const void *data = is_float ? (const void *)floats : (const void *)doubles;
  CHECK(ls_file_write(path, data, is_float ? sizeof floats : sizeof doubles, NULL));
  return path;
}

// ---- running and comparing ---------------------------------------------------------------------------------------------------------

typedef struct Values { float f[COUNT]; double d[COUNT]; } Values;
static Values x, y, result;

static bool run(const char *kernel, bool is_float, int which) {
  LsErr err = {0};
  Launch launch;
  SimOptions options;
  char *texts[4] = {ls_format("%s[%d]=zero", is_float ? "f32" : "f64", COUNT), NULL, NULL, ls_format("i32=%d", which)};
  char *paths[2] = {write_arguments("x", is_float, 0), write_arguments("y", is_float, 1)};
  for (int i = 0; i < 2; i++) texts[i + 1] = ls_format("%s[%d]=file:%s", is_float ? "f32" : "f64", COUNT, paths[i]);
  launch_init(&launch);
  sim_options_init(&options);
  launch.grid[0] = COUNT / THREADS;
  launch.block[0] = THREADS;
  bool fine = true;
  for (int i = 0; i < 4; i++) fine = fine && launch_add_arg(&launch, texts[i], &err);
  Sim *sim = fine ? sim_new(module, ptx_find_entry(module, kernel, &err), &launch, &options, &err) : NULL;
  fine = sim && sim_run(sim, NULL, &err);
  if (!fine) printf("\n%s: %s\n", kernel, err.message);
  Values *const to[] = {&result, &x, &y};
  for (int i = 0; fine && i < 3; i++) {
    uint64_t size;
    const uint8_t *bytes = sim_buffer(sim, i, &size);
    if (is_float) memcpy(to[i]->f, bytes, sizeof to[i]->f);
    else memcpy(to[i]->d, bytes, sizeof to[i]->d);
  }
  sim_free(sim);
  launch_fini(&launch);
  for (int i = 0; i < 4; i++) free(texts[i]);
  for (int i = 0; i < 2; i++) free(paths[i]);
  return fine;
}

static int64_t ordered(double value, bool is_float) {
  if (is_float) {
    float single = (float)value;
    int32_t bits;
    memcpy(&bits, &single, sizeof bits);
    return bits < 0 ? (int64_t)INT32_MIN - bits : bits;
  }
  int64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits < 0 ? INT64_MIN - bits : bits;
}

// How many numbers of the type lie between the two; -1: more than can be counted.
static int64_t ulps(double actual, double expected, bool is_float) {
  if (isnan(actual) || isnan(expected)) return isnan(actual) && isnan(expected) ? 0 : -1;
  int64_t distance;
  if (__builtin_sub_overflow(ordered(actual, is_float), ordered(expected, is_float), &distance)) return -1;
  return distance < 0 ? -distance : distance;
}

static void compare(const Row *row, bool is_float) {
  int bound = is_float ? row->float_bound : row->double_bound, bad = 0;
  for (int i = 0; i < COUNT; i++) {
    Real a = is_float ? (Real)x.f[i] : (Real)x.d[i], b = is_float ? (Real)y.f[i] : (Real)y.d[i];
    if (row->most > 0 && !(fabsl(a) <= row->most)) continue;
    Real exact = row->unary ? row->unary(a) : row->binary(a, b);
    double expected = is_float ? (double)(float)exact : (double)exact,
        actual = is_float ? (double)result.f[i] : result.d[i];
    int64_t distance = ulps(actual, expected, is_float);
    bool fine = distance >= 0 && distance <= bound &&
        (actual != 0 || expected != 0 || !signbit(actual) == !signbit(expected));
    if (!fine && bad++ < 3)
      printf("\n%s%s(%.17g, %.17g) is %.17g, not %.17g\n", row->name, is_float ? "f" : "", (double)a, (double)b,
             actual, expected);
  }
  CHECK_INT(bad, 0);
}

static void all_of(const Row *rows, int count, const char *kernel, bool is_float) {
  for (int k = 0; k < 2 * count; k++) {
    int i = k / 2;
    module = modules[k % 2];
    bool fine = run(kernel, is_float, i);
    CHECK(fine);
    if (fine) compare(&rows[i], is_float);
  }
}

static void unary_floats(void) { all_of(unary, LS_COUNT(unary), "unary_float", true); }
static void unary_doubles(void) { all_of(unary, LS_COUNT(unary), "unary_double", false); }
static void binary_floats(void) { all_of(binary, LS_COUNT(binary), "binary_float", true); }
static void binary_doubles(void) { all_of(binary, LS_COUNT(binary), "binary_double", false); }

static PtxModule *compile(DevCut cut) {
  static const char source[] = LS_SOURCE_DIR "/tests/runs/clang/math.cu";
  LsErr err = {0};
  size_t length = 0;
  char *text = dev_compile(&(DevSource){.path = source, .cut = cut}, &length, &err);
  PtxModule *made = text ? ptx_parse(source, text, length, &err) : NULL;
  if (!made) printf("%s\n", err.message);
  free(text);
  return made;
}

int main(int argc, char **argv) {
  static const Check checks[] = {{"functions of a float", unary_floats}, {"functions of a double", unary_doubles},
                                 {"functions of two floats", binary_floats},
                                     {"functions of two doubles", binary_doubles}};
  char where[512];
  if (!compiler_clang.find(where, sizeof where)) {
    printf("(no clang here)\n");
    return 77;   // skipped
  }
  setenv("LANESCOPE_COMPILER", "clang", 1);
  setenv("LANESCOPE_DATA", LS_SOURCE_DIR, 1);
  if (!check_folder(folder, sizeof folder)) return 99;
  setenv("XDG_CACHE_HOME", folder, 1);
  for (int cut = DEV_COMPILED; cut <= DEV_WRITTEN; cut++) modules[cut] = compile((DevCut)cut);
  int status = modules[0] && modules[1] ? check_main("clang_math", checks, LS_COUNT(checks), argc, argv) : 99;
  for (int cut = DEV_COMPILED; cut <= DEV_WRITTEN; cut++) ptx_module_free(modules[cut]);
  char *remove = ls_format("rm -rf '%s'", folder);
  if (system(remove) != 0) status = 99;
  free(remove);
  return status;
}
