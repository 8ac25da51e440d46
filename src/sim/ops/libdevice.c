// libdevice.c: calls of NVIDIA's libdevice (__nv_sinf), which clang leaves in PTX where the CUDA Toolkit is not there to link it.
//
// One call is one instruction here. What float code uses most is code of its own in lanescope's headers (assets/cuda),
// so that it costs what it costs on a GPU.
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "sim/core/exec.h"
#include "sim/ops/call.h"

#define PI 3.14159265358979323846264338327950288L
#define ROOT_HALF 0.707106781186547524400844362104849039L      // sqrt(1/2)
#define TWO_BY_ROOT_PI 1.12837916709551257389615890312154517L  // 2 / sqrt(pi), the slope of erf at 0

// ---- functions that C has not ------------------------------------------------------------------------------------------------------

// sin(pi x): the rest of a division by 2 is exact, and near a whole number the distance to it is.
static long double sin_pi(long double x) {
  if (x == truncl(x)) return copysignl(isfinite(x) ? 0 : NAN, x);
  long double rest = remainderl(x, 2);
  if (fabsl(rest) > 0.5L) rest = copysignl(1, rest) - rest;
  return sinl(PI * rest);
}

static long double cos_pi(long double x) {
  long double rest = fabsl(remainderl(x, 2));
  return sinl(PI * (0.5L - rest));
}

// y with erfc(y) = x, by Newton's method for the logarithm, which is nearly a parabola in the tail (0 < x <= 1).
static long double erfc_tail_inverse(long double x) {
  enum { STEPS = 60 };
  long double goal = logl(x), y = x > 0.3L ? 0.5L : sqrtl(-goal);
  for (int i = 0; i < STEPS; i++) {
    long double tail = erfcl(y), step = (logl(tail) - goal) * tail / (TWO_BY_ROOT_PI * expl(-y * y));
    y += step;
    if (fabsl(step) <= 1e-19L * fabsl(y)) break;
  }
  return y;
}

// y with erf(y) = x for |x| <= 1/2.
static long double erf_center_inverse(long double x) {
  enum { STEPS = 60 };
  long double y = x / TWO_BY_ROOT_PI;
  for (int i = 0; i < STEPS && y != 0; i++) {
    long double step = (erfl(y) - x) / (TWO_BY_ROOT_PI * expl(-y * y));
    y -= step;
    if (fabsl(step) <= 1e-19L * fabsl(y)) break;
  }
  return y;
}

static long double erf_inverse(long double x) {
  if (!(fabsl(x) <= 1)) return NAN;
  if (fabsl(x) == 1) return copysignl(INFINITY, x);
  return fabsl(x) <= 0.5L ? erf_center_inverse(x) : copysignl(erfc_tail_inverse(1 - fabsl(x)), x);
}

static long double erfc_inverse(long double x) {
  if (!(x >= 0 && x <= 2)) return NAN;
  if (x == 0 || x == 2) return x == 0 ? INFINITY : -INFINITY;
  if (x >= 0.5L && x <= 1.5L) return erf_center_inverse(1 - x);
  return x < 1 ? erfc_tail_inverse(x) : -erfc_tail_inverse(2 - x);
}

static long double normal_inverse(long double x) {
  return x >= 0 && x <= 1 ? -erfc_inverse(2 * x) / ROOT_HALF : NAN;
}

// exp(x^2) erfc(x); far out by its asymptotic series.
static long double erfc_scaled(long double x) {
  enum { FAR = 25, TERMS = 12 };
  if (!(x > FAR)) return expl(x * x) * erfcl(x);
  long double term = 1, sum = 1, square = 2 * x * x;
  for (int k = 1; k <= TERMS; k++) sum += term *= -(2 * k - 1) / square;
  return sum * TWO_BY_ROOT_PI / 2 / x;
}

static long double log_gamma(long double x) {
  int sign;
  return lgammal_r(x, &sign);
}

// The series of positive terms sum (x/2)^(2k+n) / (k! (k+n)!), n 0 or 1.
static long double bessel_i(int order, long double x) {
  enum { TERMS = 2000, LARGEST = 750 };
  if (!(fabsl(x) <= LARGEST)) return isnan(x) ? x : order && x < 0 ? -INFINITY : INFINITY;
  long double half = x / 2, term = order ? half : 1, sum = term;
  for (int k = 1; k < TERMS; k++) {
    term *= half * half / ((long double)k * (k + order));
    sum += term;
    if (fabsl(term) <= 1e-21L * fabsl(sum)) break;
  }
  return sum;
}

// An infinity counts more than a NaN, as for hypot().
static long double norm(long double x, long double y, long double z, long double w) {
  if (isinf(x) || isinf(y) || isinf(z) || isinf(w)) return INFINITY;
  return sqrtl(x * x + y * y + z * z + w * w);
}

// ---- the table -------------------------------------------------------------------------------------------------------------------

// Not every expression needs all of its arguments.
#define LIBDEVICE(count, name, of_float, of_double) \
  static double float_##name(double x, double y, double z, double w) { \
    (void)x, (void)y, (void)z, (void)w; \
    return of_float; \
  } \
  static double double_##name(long double x, long double y, long double z, long double w) { \
    (void)x, (void)y, (void)z, (void)w; \
    return (double)(of_double); \
  }
#include "sim/ops/libdevice.def"

typedef struct Function {
  const char *name;
  int count;                // of arguments; negative: so many, and the first is an int
  double (*of_float)(double, double, double, double);
  double (*of_double)(long double, long double, long double, long double);
} Function;

static const Function functions[] = {
#define LIBDEVICE(count, name, of_float, of_double) {#name, count, float_##name, double_##name},
#include "sim/ops/libdevice.def"
};

// "__nv_sinf" and "__nv_sin": the function, and whether it is of float. A name that ends with f itself has two of them.
static const Function *find(const char *name, bool *is_float) {
  static const char prefix[] = "__nv_";
  if (strncmp(name, prefix, sizeof prefix - 1) != 0) return NULL;
  const char *stem = name + sizeof prefix - 1;
  size_t length = strlen(stem);
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
    const char *known = functions[i].name;
    *is_float = strlen(known) + 1 == length && stem[length - 1] == 'f';
    if (strcmp(known, stem) == 0 || (*is_float && strncmp(known, stem, length - 1) == 0)) return &functions[i];
  }
  return NULL;
}

bool sim_libdevice_has(const PtxFunc *func) {
  bool is_float;
  const Function *f = find(func->name, &is_float);
  if (!f || func->param_count != abs(f->count) || func->result_count != 1) return false;
  int size = is_float ? 4 : 8;
  for (int i = 0; i < func->param_count; i++)
    if (func->params[i].size != (f->count < 0 && i == 0 ? 4 : size)) return false;
  return func->results[0].size == size;
}

static long double value_of(const uint8_t *at, int bytes, bool is_int) {
  int32_t number;
  float single;
  double value;
  if (is_int) return memcpy(&number, at, sizeof number), number;
  if (bytes == 4) return memcpy(&single, at, sizeof single), single;
  return memcpy(&value, at, sizeof value), value;
}

void sim_libdevice(SimExec *exec, const SimCall *call, uint32_t mask) {
  bool is_float = false;
  const Function *f = find(exec->program->module->funcs[call->func].name, &is_float);
  SIM_FOR_LANES(i, mask) {
    uint64_t thread = (uint64_t)sim_warp_index(exec) * SIM_LANES + i;
    uint8_t *params = exec->lane_params + thread * exec->program->lane_param_bytes;
    long double v[4] = {0};
    for (int k = 0; k < call->arg_count && k < 4; k++)
      v[k] = value_of(params + call->args[k].at, is_float ? 4 : 8, f->count < 0 && k == 0);
    if (is_float) {
      float result = (float)f->of_float((double)v[0], (double)v[1], (double)v[2], (double)v[3]);
      memcpy(params + call->results[0].at, &result, sizeof result);
    } else {
      double result = f->of_double(v[0], v[1], v[2], v[3]);
      memcpy(params + call->results[0].at, &result, sizeof result);
    }
  }
}
