// recursion.cu: calls that lanes leave at different depths, and who runs together behind them, for the tests.
//   nvcc -arch=sm_90 -ptx recursion.cu
//   nvcc -arch=sm_90 -G -ptx recursion.cu -o recursion.g.ptx
// A lane notes where it is, and who runs with it: the number of its notes, then a point and a mask each. Point 1 is
// behind the call.
enum { NOTES = 256 };
__device__ __forceinline__ void note(unsigned *log, unsigned point, int after = 0) {   // after the value is known
  unsigned mask, *mine = log + threadIdx.x * NOTES, at = mine[0];
  asm volatile("{ .reg .b32 t; mov.b32 t, %1; activemask.b32 %0; }" : "=r"(mask) : "r"(after));
  mine[1 + 2 * at] = point;
  mine[2 + 2 * at] = mask;
  mine[0] = at + 1;
}

__device__ __noinline__ int steps(int n) {
  if (n == 0) return 0;
  int rest = steps(n - 1);
  return rest * rest + 1;
}
extern "C" __global__ void one_call(const int *n, unsigned *log, int *out) {
  int r = steps(n[threadIdx.x]);
  note(log, 1, r);
  out[threadIdx.x] = r;
}

__device__ __noinline__ int fib(int n, unsigned *log) {
  if (n < 2) { note(log, 10); return n; }
  int a = fib(n - 1, log);
  note(log, 11, a);
  int b = fib(n - 2, log);
  note(log, 12, b);
  return a + b;
}
extern "C" __global__ void two_calls(const int *n, unsigned *log, int *out) {
  int r = fib(n[threadIdx.x] % 6, log);
  note(log, 1, r);
  out[threadIdx.x] = r;
}

__device__ __noinline__ void walk(int node, int size, int *sum, unsigned *log) {
  if (node >= size) return;
  walk(2 * node + 1, size, sum, log);
  *sum = *sum * 3 + node;
  note(log, 11);
  walk(2 * node + 2, size, sum, log);
}
extern "C" __global__ void tree(const int *n, unsigned *log, int *out) {
  int sum = 0;
  walk(0, n[threadIdx.x], &sum, log);
  note(log, 1, sum);
  out[threadIdx.x] = sum;
}

__device__ __noinline__ int ack(int m, int n) {
  if (m == 0) return n + 1;
  if (n == 0) return ack(m - 1, 1);
  return ack(m - 1, ack(m, n - 1));
}
extern "C" __global__ void nested_calls(const int *n, unsigned *log, int *out) {
  int v = n[threadIdx.x], r = ack(v % 3, v / 3 % 4);
  note(log, 1, r);
  out[threadIdx.x] = r;
}

// A loop, and a call, in a function that calls itself.
__device__ __noinline__ void sort(int *a, int low, int high, unsigned *log) {
  if (low >= high) { note(log, 10); return; }
  int pivot = a[high], at = low;
  for (int i = low; i < high; i++)
    if (a[i] < pivot) { int t = a[i]; a[i] = a[at]; a[at] = t; at++; }
  a[high] = a[at];
  a[at] = pivot;
  sort(a, low, at - 1, log);
  note(log, 11);
  sort(a, at + 1, high, log);
}
extern "C" __global__ void quicksort(const int *n, unsigned *log, int *out) {
  int a[8];
  for (int i = 0; i < 8; i++) a[i] = n[(threadIdx.x + i * 5) & 31] * 7 % 23;
  sort(a, 0, 7, log);
  note(log, 1, a[3]);
  out[threadIdx.x] = a[3] + 100 * a[7];
}

// Functions that call themselves only by way of another one, or through an address.
__device__ __noinline__ int odd_of(int n);
__device__ __noinline__ int even_of(int n) { return n == 0 ? 1 : odd_of(n - 1) * 3; }
__device__ __noinline__ int odd_of(int n) { return n == 0 ? 0 : even_of(n - 1) + 5; }
extern "C" __global__ void mutual(const int *n, unsigned *log, int *out) {
  int r = even_of(n[threadIdx.x]);
  note(log, 1, r);
  out[threadIdx.x] = r;
}
typedef int (*Rec)(int, int);
__device__ int down(int n, int which);
__device__ int down2(int n, int which);
__device__ Rec recs[2] = {down, down2};
__device__ __noinline__ int down(int n, int which) { return n <= 0 ? 1 : recs[which](n - 1, which ^ 1) * 3; }
__device__ __noinline__ int down2(int n, int which) { return n <= 0 ? 2 : recs[which](n - 2, which) + 1; }
extern "C" __global__ void by_address(const int *n, unsigned *log, int *out) {
  int v = n[threadIdx.x], r = recs[v & 1](v, v & 1);
  note(log, 1, r);
  out[threadIdx.x] = r;
}

// No recursion: several returns, a loop that lanes leave after different rounds.
__device__ __noinline__ int early(int n, int *p) {
  if (n & 1) return n * 3;
  p[0] = n;
  if (n & 2) return n * 5;
  p[1] = n;
  return n ^ p[0];
}
extern "C" __global__ void returns(const int *n, unsigned *log, int *out) {
  int r = early(n[threadIdx.x], out + 32 + 2 * threadIdx.x);
  note(log, 1, r);
  out[threadIdx.x] = r;
}
__device__ __noinline__ int collatz(int n) {
  int count = 0;
  while (n > 1) { n = n & 1 ? 3 * n + 1 : n / 2; count++; }
  return count;
}

// Behind the branch, and behind the loop, in which the recursion is called, lanes meet whatever it did.
extern "C" __global__ void in_branch(const int *n, unsigned *log, int *out) {
  int v = n[threadIdx.x], r;
  if (v & 1) { r = steps(v); note(log, 5, r); }
  else { r = collatz(v); note(log, 6, r); }
  note(log, 1, r);
  out[threadIdx.x] = r;
}
extern "C" __global__ void in_loop(const int *n, unsigned *log, int *out) {
  int r = 0;
  for (int i = 0; i < 3; i++) { r += steps(n[threadIdx.x] + i); note(log, 5, r); }
  note(log, 1, r);
  out[threadIdx.x] = r;
}
