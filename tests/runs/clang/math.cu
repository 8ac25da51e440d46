// math.cu: every mathematical function of lanescope's headers, by its number in lanescope_math.def, for test_clang_math.c. One thread for
// each argument.
#define AT (blockIdx.x * blockDim.x + threadIdx.x)
#define LANESCOPE_BINARY(name)
#define LANESCOPE_BESSEL(name)
enum { BEFORE = __COUNTER__ + 1 };
template <typename T> __device__ void unary(T *out, const T *x, int which) {
  T result = 0;
#define LANESCOPE_UNARY(name) if (which == __COUNTER__ - BEFORE) result = name(x[AT]);
#include "lanescope_math.def"
  out[AT] = result;
}
extern "C" __global__ void unary_float(float *out, const float *x, const float *, int which) { unary(out, x, which); }
#undef LANESCOPE_UNARY
#define LANESCOPE_UNARY(name)
#define LANESCOPE_BESSEL(name)
enum { BEFORE_BINARY = __COUNTER__ + 1 };
template <typename T> __device__ void binary(T *out, const T *x, const T *y, int which) {
  T result = 0;
#define LANESCOPE_BINARY(name) if (which == __COUNTER__ - BEFORE_BINARY) result = name(x[AT], y[AT]);
#include "lanescope_math.def"
  out[AT] = result;
}
extern "C" __global__ void unary_double(double *out, const double *x, const double *, int which) { unary(out, x, which); }
extern "C" __global__ void binary_float(float *out, const float *x, const float *y, int which) { binary(out, x, y, which); }
extern "C" __global__ void binary_double(double *out, const double *x, const double *y, int which) { binary(out, x, y, which); }
