// threads.cu: kernels whose blocks leave each other alone, or do not, for tests of runs on several threads.
//   nvcc -arch=compute_75 -lineinfo -ptx threads.cu
#include <cstdio>

#define KERNEL extern "C" __global__ void

// ---- blocks that several threads can run ---------------------------------------------------------------------------

KERNEL apart(int *out) { out[blockIdx.x * blockDim.x + threadIdx.x] = blockIdx.x + threadIdx.x; }

KERNEL in_place(float *x) { x[blockIdx.x * blockDim.x + threadIdx.x] *= 2; }

// Every block takes another time, and some have nothing to do.
KERNEL uneven(int *out, const int *in) {
  int sum = 0;
  for (int i = 0; i < blockIdx.x * 37 % 91; i++) sum += in[(sum + i) & 63];
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// Blocks share words, not bytes.
KERNEL bytes(unsigned char *out) { out[blockIdx.x * blockDim.x + threadIdx.x] = threadIdx.x; }

// Parts of lines, strides, and lines as a whole.
KERNEL patchwork(int *out, int n) {
  int b = blockIdx.x, t = threadIdx.x;
  out[t * gridDim.x + b] = b;
  if (t & 1) out[n + b * blockDim.x + t] = out[t * gridDim.x + b] + t;
  out[2 * n + b * blockDim.x + t] = b - t;
}

KERNEL prints(int *out) {
  if (threadIdx.x % 32 == 0) printf("block %d, warp %d\n", blockIdx.x, threadIdx.x / 32);
  out[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}

KERNEL clocks(long long *out) {
  unsigned long long ns;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(ns));
  out[blockIdx.x * blockDim.x + threadIdx.x] = clock64() + (long long)ns;
}

KERNEL scratch(int *out, int n) {
  __shared__ int s[128];
  int local[16];
  s[threadIdx.x] = blockIdx.x;
  for (int i = 0; i < 16; i++) local[(i * n) & 15] = i;
  __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] = s[127 - threadIdx.x] + local[n & 15];
}

// All bins are everybody's, but nobody can tell who added first.
KERNEL tally(unsigned *bins, const unsigned *in) {
  unsigned v = in[blockIdx.x * blockDim.x + threadIdx.x];
  atomicAdd(&bins[v % 61], 1u);
  atomicMax(&bins[61 + v % 3], v);
}

// More words than a thread keeps back, of both widths, changed in both ways that it does.
KERNEL tally_far(unsigned *bins, unsigned long long *wide, const unsigned *in) {
  unsigned v = in[blockIdx.x * blockDim.x + threadIdx.x];
  atomicAdd(&bins[v % 1021], v);
  atomicXor(&bins[1021 + v % 257], v);
  atomicAdd(&wide[v % 509], v * 0x123456789ull);
  atomicXor(&wide[509 + v % 7], v * 0x987654321ull);
}

// ---- blocks whose order shows --------------------------------------------------------------------------------------

KERNEL chain(int *a) { if (!threadIdx.x && blockIdx.x) a[blockIdx.x] = a[blockIdx.x - 1] + 1; }

KERNEL tickets(int *next, int *out) { if (!threadIdx.x) out[blockIdx.x] = atomicAdd(next, 1); }

KERNEL floats(float *sum) { atomicAdd(sum, 0.1f * blockIdx.x + threadIdx.x); }

KERNEL last_one(int *last) { if (!threadIdx.x) *last = blockIdx.x; }

// The late ones look at what all the others have written.
KERNEL late(int *out, int from) {
  int b = blockIdx.x, sum = b;
  for (int i = threadIdx.x; b >= from && i < b; i += blockDim.x) sum += out[i * blockDim.x];
  out[b * blockDim.x + threadIdx.x] = sum;
}

// Words that only some blocks use otherwise than to add to them.
KERNEL tally_and_look(unsigned *bins, unsigned *out) {
  atomicAdd(&bins[threadIdx.x % 7], blockIdx.x);
  if (blockIdx.x == 60) out[threadIdx.x] = bins[threadIdx.x % 7];
}

// The same word comes to hold what others have added, with no look at it in between.
KERNEL adds_and_mixes(unsigned *word) {
  if (blockIdx.x & 1) atomicAdd(word, threadIdx.x); else atomicXor(word, blockIdx.x);
}

KERNEL different_ops(unsigned *word) {
  if (blockIdx.x & 1) atomicAdd(word, threadIdx.x); else atomicMax(word, blockIdx.x);
}

KERNEL publishes(int *data, int *count, int *out) {
  data[blockIdx.x] = blockIdx.x;
  __threadfence();
  if (atomicAdd(count, 1) < gridDim.x - 1) return;
  __threadfence();
  int sum = 0;
  for (int i = 0; i < gridDim.x; i++) sum += data[i];
  *out = sum;
}

// ---- and faults ----------------------------------------------------------------------------------------------------

KERNEL out_of_bounds(int *out, int guilty) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[blockIdx.x == guilty ? i + (1 << 20) : i] = i;
}

KERNEL endless(int *out, int guilty) {
  unsigned x = threadIdx.x;
  while (blockIdx.x == guilty) { x = x * 1664525u + 1013904223u; if (x == 0x12345678u) out[0] = x; }
  out[blockIdx.x * blockDim.x + threadIdx.x] = x;
}

KERNEL uninitialized(int *out, const int *never, int guilty) {
  out[blockIdx.x * blockDim.x + threadIdx.x] = blockIdx.x == guilty ? never[threadIdx.x] : 0;
}

KERNEL race(int *out, int guilty) {
  __shared__ int s;
  if (blockIdx.x == guilty) s = threadIdx.x;
  else if (!threadIdx.x) s = 1;
  __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] = s;
}

KERNEL prints_and_fails(int guilty) {
  if (!threadIdx.x) printf("block %d\n", blockIdx.x);
  if (blockIdx.x == guilty) __trap();
}

KERNEL chatters(int *out) { for (int i = 0; i < 40; i++) printf("%03d %300d\n", blockIdx.x, i); out[blockIdx.x] = 1; }

// Waits for a block before it, which is fine, or for a later one.
KERNEL waits(volatile int *flags, int ahead) {
  int other = (int)blockIdx.x + ahead;
  if (!threadIdx.x && other >= 0 && other < gridDim.x && blockIdx.x % 10 == 7) while (!flags[other]) continue;
  if (!threadIdx.x) flags[blockIdx.x] = 1;
}
