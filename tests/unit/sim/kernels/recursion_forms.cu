// recursion_forms.cu: as recursion.cu: functions that call themselves at one place, with other code around it.
//   nvcc -arch=sm_90 -ptx recursion_forms.cu
enum { NOTES = 256 };
__device__ __forceinline__ void note(unsigned *log, unsigned point, int after = 0) {
  unsigned mask, *mine = log + threadIdx.x * NOTES, at = mine[0];
  asm volatile("{ .reg .b32 t; mov.b32 t, %1; activemask.b32 %0; }" : "=r"(mask) : "r"(after));
  mine[1 + 2 * at] = point;
  mine[2 + 2 * at] = mask;
  mine[0] = at + 1;
}

// Loads from memory on the way in and out.
__device__ __noinline__ int loads(int n, const int *p) {
  int here = p[n * 37 & 1023];
  if (n == 0) return here;
  int rest = loads(n - 1, p);
  return rest * 3 + p[(here + rest) & 1023];
}
extern "C" __global__ void with_loads(const int *n, unsigned *log, int *out) {
  int r = loads(n[threadIdx.x], out);
  note(log, 1, r);
  out[1024 + threadIdx.x] = r;
}
// A loop and a division in each level.
__device__ __noinline__ float work(int n, float x) {
  if (n < 1) return x;
  for (int i = 0; i < (n & 3); i++) x = x * 1.5f / (x + 1.0f);
  return sqrtf(work(n - 1, x + 1.0f)) + x;
}
extern "C" __global__ void with_work(const int *n, unsigned *log, int *out) {
  float r = work(n[threadIdx.x], (float)threadIdx.x);
  note(log, 1, __float_as_int(r));
  out[1024 + threadIdx.x] = (int)r;
}
// The way on is the one that jumps.
__device__ __noinline__ int other_way(int n, int k) {
  if (n > 0) k = other_way(n - 1, k + n) ^ n;
  else k += 7;
  return k * 5;
}
extern "C" __global__ void other(const int *n, unsigned *log, int *out) {
  int r = other_way(n[threadIdx.x], 3);
  note(log, 1, r);
  out[1024 + threadIdx.x] = r;
}
// Called twice, one behind the other.
extern "C" __global__ void called_twice(const int *n, unsigned *log, int *out) {
  int r = other_way(n[threadIdx.x], 3);
  note(log, 5, r);
  r = other_way(n[threadIdx.x ^ 5], r);
  note(log, 1, r);
  out[1024 + threadIdx.x] = r;
}
