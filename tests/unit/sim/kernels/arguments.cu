// arguments.cu: a struct by value, a vector, and variables of the module.
// arguments.ptx and arguments.g.ptx are what assets/make-ptx makes of it.
struct Inner { float x, y; };
struct Params {
  int n;
  float *out;
  const float *in;
  float v[3];
  Inner p;
  double d;
  signed char c;
  bool b;
  float4 q;
};

__constant__ float coefficients[3];
__constant__ Params settings;
static __constant__ int table[4];
namespace deep {
__device__ float bias;
__constant__ double coefficients[2];
}
namespace {
__device__ int hidden;
}
__device__ unsigned counter;
__device__ float *more;
__device__ int preset = 7;
__device__ int grid[2][3];

__global__ void combine(Params p, int2 w, short half)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= p.n) return;
  atomicAdd(&counter, 1);
  float sum = p.in[i] * coefficients[i % 3] + table[i & 3] + p.v[i % 3] + p.p.x - p.p.y;
  sum += (float)p.d + p.c + (p.b ? 100 : 0) + p.q.x + 2 * p.q.w + w.x + 2 * w.y + half;
  sum += deep::bias + (float)deep::coefficients[i & 1] + hidden + more[i] + preset + settings.n + settings.v[2];
  p.out[i] = sum + grid[i & 1][i % 3];
}
