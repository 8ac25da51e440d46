// roofs.cu: what an NVIDIA GPU reaches: bytes a second of its memory, operations a second of its units.
//
// Each number is the best of several runs timed by CUDA events, after two that warm up; each run is at least some
// milliseconds. Operations: a fused multiply-add is two.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <cuda_fp16.h>

#define CHECK(call) do { cudaError_t e = (call); if (e != cudaSuccess) { \
  fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(e)); exit(1); } } while (0)

enum { RUNS = 9, THREADS = 256, CHAINS = 8 };

__global__ void read_all(const float4 *x, size_t n, float *out) {
  float sum = 0;
  size_t stride = (size_t)gridDim.x * blockDim.x;
  #pragma unroll 4
  for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
    float4 v = x[i];
    sum += v.x + v.y + v.z + v.w;
  }
  if (sum == 12345.678f) *out = sum;
}

__global__ void copy_all(const float4 *x, float4 *y, size_t n) {
  size_t stride = (size_t)gridDim.x * blockDim.x;
  #pragma unroll 4
  for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) y[i] = x[i];
}

template <typename T> __global__ void fma_chains(T *out, int rounds, T a, T b) {
  T v[CHAINS];
  for (int i = 0; i < CHAINS; i++) v[i] = (T)(threadIdx.x + i);
  for (int r = 0; r < rounds; r++)
    #pragma unroll
    for (int k = 0; k < 16; k++)
      #pragma unroll
      for (int i = 0; i < CHAINS; i++) v[i] = v[i] * a + b;
  T sum = 0;
  for (int i = 0; i < CHAINS; i++) sum += v[i];
  if (sum == (T)12345.678) *out = sum;
}

__global__ void half_chains(float *out, int rounds, float fa, float fb) {
  __half2 v[CHAINS], a = __float2half2_rn(fa), b = __float2half2_rn(fb);
  for (int i = 0; i < CHAINS; i++) v[i] = __float2half2_rn((float)i);
  for (int r = 0; r < rounds; r++)
    #pragma unroll
    for (int k = 0; k < 16; k++)
      #pragma unroll
      for (int i = 0; i < CHAINS; i++) v[i] = __hfma2(v[i], a, b);
  float sum = 0;
  for (int i = 0; i < CHAINS; i++) sum += __low2float(v[i]) + __high2float(v[i]);
  if (sum == 12345.678f) *out = sum;
}

__global__ void int_chains(int *out, int rounds, int a, int b) {
  int v[CHAINS];
  for (int i = 0; i < CHAINS; i++) v[i] = threadIdx.x + i;
  for (int r = 0; r < rounds; r++)
    #pragma unroll
    for (int k = 0; k < 16; k++)
      #pragma unroll
      for (int i = 0; i < CHAINS; i++) v[i] = v[i] * a + b;
  int sum = 0;
  for (int i = 0; i < CHAINS; i++) sum += v[i];
  if (sum == 1234567891) *out = sum;
}

// mma.sync m16n8k16: 4096 operations a warp and instruction.
#define MMA(NAME, TYPES, CREG, CTYPE, LETTER)                                                                          \
  __global__ void NAME(CTYPE *out, int rounds, unsigned seed) {                                                        \
    unsigned a[4] = {seed, seed, seed, seed}, b[2] = {seed, seed};                                                     \
    CTYPE c[CHAINS][4];                                                                                                \
    for (int i = 0; i < CHAINS; i++) for (int j = 0; j < 4; j++) c[i][j] = 0;                                          \
    for (int r = 0; r < rounds; r++)                                                                                   \
      _Pragma("unroll") for (int k = 0; k < 4; k++)                                                                    \
        _Pragma("unroll") for (int i = 0; i < CHAINS; i++)                                                             \
          asm volatile("mma.sync.aligned." TYPES " {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"              \
                       : "+" LETTER(c[i][0]), "+" LETTER(c[i][1]), "+" LETTER(c[i][2]), "+" LETTER(c[i][3])            \
                       : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));                            \
    CTYPE sum = 0;                                                                                                     \
    for (int i = 0; i < CHAINS; i++) for (int j = 0; j < 4; j++) sum += c[i][j];                                       \
    if (sum == (CTYPE)12345) *out = sum;                                                                               \
  }
MMA(mma_f16, "m16n8k16.row.col.f32.f16.f16.f32", , float, "f")
MMA(mma_bf16, "m16n8k16.row.col.f32.bf16.bf16.f32", , float, "f")
MMA(mma_tf32, "m16n8k8.row.col.f32.tf32.tf32.f32", , float, "f")
MMA(mma_s8, "m16n8k32.row.col.s32.s8.s8.s32", , int, "r")

__global__ void mma_f64(double *out, int rounds, double a, double b) {
  double c[CHAINS][2];
  for (int i = 0; i < CHAINS; i++) c[i][0] = c[i][1] = 0;
  for (int r = 0; r < rounds; r++)
    #pragma unroll
    for (int k = 0; k < 4; k++)
      #pragma unroll
      for (int i = 0; i < CHAINS; i++)
        asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%2}, {%3}, {%0,%1};"
                     : "+d"(c[i][0]), "+d"(c[i][1]) : "d"(a), "d"(b));
  double sum = 0;
  for (int i = 0; i < CHAINS; i++) sum += c[i][0] + c[i][1];
  if (sum == 12345) *out = sum;
}

// m16n8k16 f64 exists from sm_90 on.
__global__ void mma_f64_k16(double *out, int rounds, double a, double b) {
#if __CUDA_ARCH__ >= 900
  double c[4][4];
  for (int i = 0; i < 4; i++) for (int j = 0; j < 4; j++) c[i][j] = 0;
  for (int r = 0; r < rounds; r++)
    #pragma unroll
    for (int i = 0; i < 4; i++)
      asm volatile("mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64 {%0,%1,%2,%3}, {%4,%4,%4,%4,%4,%4,%4,%4}, "
                   "{%5,%5,%5,%5}, {%0,%1,%2,%3};"
                   : "+d"(c[i][0]), "+d"(c[i][1]), "+d"(c[i][2]), "+d"(c[i][3]) : "d"(a), "d"(b));
  double sum = 0;
  for (int i = 0; i < 4; i++) for (int j = 0; j < 4; j++) sum += c[i][j];
  if (sum == 12345) *out = sum;
#endif
}

__global__ void shared_read(float *out, int rounds) {
  __shared__ float tile[4 * THREADS];
  for (int i = threadIdx.x; i < 4 * THREADS; i += THREADS) tile[i] = (float)i;
  __syncthreads();
  float sum = 0;
  const volatile float4 *at = (const volatile float4 *)tile;
  for (int r = 0; r < rounds; r++)
    #pragma unroll
    for (int k = 0; k < 16; k++) {
      float x, y, z, w;
      unsigned address = (unsigned)__cvta_generic_to_shared((const void *)&tile[4 * ((threadIdx.x + 32 * k) % THREADS)]);
      asm volatile("ld.volatile.shared.v4.f32 {%0,%1,%2,%3}, [%4];" : "=f"(x), "=f"(y), "=f"(z), "=f"(w) : "r"(address));
      sum += x + y + z + w;
    }
  if (sum == 12345.678f) *out = sum + at[0].x;
}

static double best(void (*launch)(void *), void *context) {
  cudaEvent_t begin, end;
  float least = 1e30f;
  CHECK(cudaEventCreate(&begin));
  CHECK(cudaEventCreate(&end));
  for (int run = -2; run < RUNS; run++) {
    float ms;
    CHECK(cudaEventRecord(begin));
    launch(context);
    CHECK(cudaEventRecord(end));
    CHECK(cudaEventSynchronize(end));
    CHECK(cudaGetLastError());
    CHECK(cudaEventElapsedTime(&ms, begin, end));
    if (run >= 0 && ms < least) least = ms;
  }
  return least * 1e-3;
}

static int blocks, rounds;
static size_t count;
static float4 *x, *y;
static void *out;

static void tell(const char *name, const char *unit, double amount, double seconds, const char *how) {
  printf("%s\t%.1f\t%s\t%.3f ms\t%s\n", name, amount / seconds * 1e-9, unit, seconds * 1e3, how);
  fflush(stdout);
}

int main(void) {
  cudaDeviceProp prop;
  int driver, runtime, clock = 0, memory_clock = 0;
  CHECK(cudaGetDeviceProperties(&prop, 0));
  CHECK(cudaDriverGetVersion(&driver));
  CHECK(cudaRuntimeGetVersion(&runtime));
  cudaDeviceGetAttribute(&clock, cudaDevAttrClockRate, 0);
  cudaDeviceGetAttribute(&memory_clock, cudaDevAttrMemoryClockRate, 0);
  printf("# %s, %d SMs, cc %d.%d, %d MHz at most, memory %d MHz, L2 %d MB, driver %d, runtime %d\n", prop.name,
         prop.multiProcessorCount, prop.major, prop.minor, clock / 1000, memory_clock / 1000, prop.l2CacheSize >> 20, driver,
         runtime);
  printf("# name\tvalue\tunit\ttime of a run\thow\n");
  blocks = prop.multiProcessorCount * 8;
  size_t bytes = (size_t)4 << 30;
  CHECK(cudaMalloc(&x, bytes));
  CHECK(cudaMalloc(&y, bytes));
  CHECK(cudaMalloc(&out, 64));
  CHECK(cudaMemset(x, 0, bytes));
  CHECK(cudaMemset(y, 0, bytes));
  count = bytes / sizeof(float4);
  double t = best([](void *) { read_all<<<blocks * 4, THREADS>>>(x, count, (float *)out); }, NULL);
  tell("read", "GB/s", (double)bytes, t, "4 GiB read once, float4, grid-stride");
  t = best([](void *) { copy_all<<<blocks * 4, THREADS>>>(x, y, count); }, NULL);
  tell("copy", "GB/s", 2.0 * (double)bytes, t, "4 GiB copied, bytes read and written");
  t = best([](void *) { CHECK(cudaMemcpyAsync(y, x, (size_t)4 << 30, cudaMemcpyDeviceToDevice)); }, NULL);
  tell("memcpy", "GB/s", 2.0 * (double)bytes, t, "4 GiB by cudaMemcpy, bytes read and written");
  count = ((size_t)16 << 20) / sizeof(float4);
  t = best([](void *) { for (int i = 0; i < 100; i++) read_all<<<blocks, THREADS>>>(x, count, (float *)out); }, NULL);
  tell("l2", "GB/s", 100.0 * (16 << 20), t, "16 MiB read 100 times by 100 launches, so from L2");
  double lanes = (double)blocks * THREADS;
  rounds = 2000;
  t = best([](void *) { fma_chains<float><<<blocks, THREADS>>>((float *)out, rounds, 0.999f, 0.001f); }, NULL);
  tell("fp32", "Gflop/s", lanes * rounds * 16 * CHAINS * 2, t, "8 chains of fma.f32 a thread, 64 warps an SM");
  t = best([](void *) { fma_chains<double><<<blocks, THREADS>>>((double *)out, rounds, 0.999, 0.001); }, NULL);
  tell("fp64", "Gflop/s", lanes * rounds * 16 * CHAINS * 2, t, "8 chains of fma.f64 a thread, 64 warps an SM");
  t = best([](void *) { half_chains<<<blocks, THREADS>>>((float *)out, rounds, 0.999f, 0.001f); }, NULL);
  tell("fp16", "Gflop/s", lanes * rounds * 16 * CHAINS * 4, t, "8 chains of fma.f16x2 a thread, 64 warps an SM");
  t = best([](void *) { int_chains<<<blocks, THREADS>>>((int *)out, rounds, 3, 1); }, NULL);
  tell("int32", "Gop/s", lanes * rounds * 16 * CHAINS * 2, t, "8 chains of mad.lo.s32 a thread, 64 warps an SM");
  double warps = lanes / 32;
  t = best([](void *) { mma_f16<<<blocks, THREADS>>>((float *)out, rounds, 0); }, NULL);
  tell("mma f16", "Gflop/s", warps * rounds * 4 * CHAINS * 4096, t, "mma.sync m16n8k16, 8 chains a warp, sums in f32, zeros");
  t = best([](void *) { mma_f16<<<blocks, THREADS>>>((float *)out, rounds, 0x15531553u); }, NULL);
  tell("mma f16 data", "Gflop/s", warps * rounds * 4 * CHAINS * 4096, t, "the same with numbers that are not zero");
  t = best([](void *) { mma_bf16<<<blocks, THREADS>>>((float *)out, rounds, 0x3a113a11u); }, NULL);
  tell("mma bf16", "Gflop/s", warps * rounds * 4 * CHAINS * 4096, t, "mma.sync m16n8k16, 8 chains a warp, sums in f32");
  t = best([](void *) { mma_tf32<<<blocks, THREADS>>>((float *)out, rounds, 0x3a110000u); }, NULL);
  tell("mma tf32", "Gflop/s", warps * rounds * 4 * CHAINS * 2048, t, "mma.sync m16n8k8, 8 chains a warp");
  t = best([](void *) { mma_s8<<<blocks, THREADS>>>((int *)out, rounds, 0x01010101u); }, NULL);
  tell("mma s8", "Gop/s", warps * rounds * 4 * CHAINS * 8192, t, "mma.sync m16n8k32, 8 chains a warp");
  t = best([](void *) { mma_f64<<<blocks, THREADS>>>((double *)out, rounds, 0.001, 0.001); }, NULL);
  tell("mma f64", "Gflop/s", warps * rounds * 4 * CHAINS * 512, t, "mma.sync m8n8k4, 8 chains a warp");
  if (prop.major >= 9) {
    t = best([](void *) { mma_f64_k16<<<blocks, THREADS>>>((double *)out, rounds, 0.001, 0.001); }, NULL);
    tell("mma f64 k16", "Gflop/s", warps * rounds * 4 * 4096, t, "mma.sync m16n8k16, 4 chains a warp");
  }
  t = best([](void *) { shared_read<<<blocks, THREADS>>>((float *)out, rounds); }, NULL);
  tell("shared", "GB/s", lanes * rounds * 16 * 16, t, "ld.shared.v4 without conflicts, 64 warps an SM");
  return 0;
}
