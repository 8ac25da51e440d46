// What the PTX of a kernel may contain: one function per feature. features.ptx and features.g.ptx are its two cuts.
#include <cassert>
#include <cstdio>

struct Pair { int a; float b; char c; };
struct Node { Node *next; double value; };

namespace geo {
struct Point { float x, y; double z; int tag[3]; };
template <typename T, int N> __global__ void scale(T *out, const Point *in, Point offset) {
  out[threadIdx.x] = (T)(in->x + offset.y) * N + offset.tag[threadIdx.x % 3];
}
}  // namespace geo
template __global__ void geo::scale<float, 7>(float *, const geo::Point *, geo::Point);
template __global__ void geo::scale<long long, -3>(long long *, const geo::Point *, geo::Point);

__constant__ float table[4] = {1, 2, 3.5f, -4};
__device__ int counter = 42;
__device__ int *counter_address = &counter;
__device__ const char *greeting = "hello";
__device__ Pair pairs[2] = {{1, 2, 'a'}, {3, 4, 'b'}};
__device__ double wide = 0.1;

__device__ float plus_one(float a) { return a + 1; }
__device__ float times_two(float a) { return a * 2; }
__device__ float (*functions[2])(float) = {plus_one, times_two};

extern "C" __global__ void add(float *data, int which) { data[0] = functions[which & 1](data[1]); }

__device__ __noinline__ int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }

extern "C" __global__ void mov(int *data) {
  data[0] = fib(data[1]);
  printf("%d %s\n", data[0], greeting);
  assert(data[0] > 0);
}

__global__ void choose(int *data, int k) {
  switch (k) {
    case 0: data[0] = 5; break;
    case 1: data[1] += 7; break;
    case 2: data[2] *= 9; break;
    case 3: data[0] ^= 11; break;
    case 4: data[7] = 1;  // falls through
    case 5: data[8] -= 2; break;
    case 6: data[9] = 3; break;
    case 7: data[4] /= 3; break;
    case 8: data[3] %= 7; break;
  }
}

__global__ void atomics(int *i, float *f, unsigned long long *u) {
  atomicAdd(i, 1);
  atomicAdd(f, 1.f);
  atomicCAS(i, 1, 2);
  atomicInc((unsigned *)i, 5);
  atomicMax(u, 3ull);
  i[threadIdx.x] = atomicAdd_block(i, 3) + atomicAdd_system(i, 4);
}

extern __shared__ float dynamic[];
__global__ void shared(float *data, int n) {
  __shared__ float square[32][33];
  __shared__ int hits;
  int i = threadIdx.x;
  if (i == 0) hits = 0;
  __syncthreads();
  square[i][i] = data[i] * table[i % 4];
  dynamic[i] = square[i][0];
  if (__syncthreads_or(data[i] > 0)) atomicAdd(&hits, 1);
  data[i] = square[0][i] + dynamic[(i + 1) % n] + hits;
}

__global__ void locals(int *data, int k) {
  int a[40], sum = 0;
  for (int i = 0; i < 40; i++) a[i] = data[i] * i;
  for (int i = 0; i < k; i++) sum += a[(i * 7) % 40];
  data[threadIdx.x] = sum;
}

__device__ __forceinline__ float inner(float x) { return x * x + 1; }
__device__ __forceinline__ float outer(float x) {
  float twice = inner(x) * 2;
  return twice + inner(twice);
}
__global__ void inlined(float *data) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  data[i] = outer(data[i]);
}

__global__ void labels(int *data) {
  int r;
  for (int i = 0; i < 2; i++) {
    asm volatile(
        "{\n .reg .pred p;\n setp.ne.s32 p, %1, 0;\n @p bra L1;\n mov.s32 %0, 5;\n bra L2;\nL1: mov.s32 %0, 7;\nL2:\n}"
        : "=r"(r) : "r"(data[i]));
    data[i + 2] = r;
  }
}

__global__ void __launch_bounds__(256, 4) bounds(int *data, cudaTextureObject_t image) {
  unsigned mask = __activemask();
  data[0] = __shfl_down_sync(mask, data[1], 3) + __ballot_sync(mask, data[2]) + __popc(data[3]);
  data[1] = (int)tex2D<float>(image, 1.f, threadIdx.x);
  int all;
  data[2] = __match_all_sync(mask, data[4], &all) + all;
  __threadfence();
  __syncwarp();
}

__global__ void list(Node *node, Node by_value) {
  double sum = by_value.value;
  while (node) {
    sum += node->value;
    node = node->next;
  }
  by_value.next->value = sum;
}

__global__ void forever(volatile int *data) {
  while (true) data[0]++;
}
