// stops.cu: kernels that end themselves, or that do not end.
#include <assert.h>

// The host would wait for hours.
//: run count_up -b 32 -a u64[1]=zero --budget 100000
//: expect budget "the budget of 100000 warp instructions is used up"
extern "C" __global__ void count_up(volatile unsigned long long *n) {
  for (;;) *n += 1;
}

// The step goes the wrong way.
//: run wrong_way -b 32 -a i32[32]=zero -a i32=10 --budget 100000
//: expect budget "100000"
extern "C" __global__ void wrong_way(volatile int *out, int n) {
  for (int i = n; i >= 0; i = (i + 1) & 1023) out[threadIdx.x] = i;
}

// Long, but it would end: the budget is too small for it.
//: run long_way -g 4 -b 64 -a f32[256]=zero -a i32=100000 --budget 1000
//: expect budget "1000"
extern "C" __global__ void long_way(float *out, int n) {
  float x = 1;
  #pragma unroll 1
  for (int i = 0; i < n; i++) x = x * 1.0001f + 1e-5f;
  out[blockIdx.x * blockDim.x + threadIdx.x] = x;
}

//: run give_up -b 32 -a i32[32]=iota
//: expect trap @give_up thread 7 "trap"
extern "C" __global__ void give_up(int *data) {
  if (data[threadIdx.x] == 7) __trap();                         // @give_up
  data[threadIdx.x] = 0;
}

//: run trap_of_block_2 -g 4 -b 32 -a i32[128]=zero
//: expect trap @trap_of_block_2 block 2 thread 0
extern "C" __global__ void trap_of_block_2(int *data) {
  data[blockIdx.x * 32 + threadIdx.x] = 1;
  if (blockIdx.x == 2) __trap();                                // @trap_of_block_2
}

__device__ __noinline__ int checked(int x) {
  if (x > 20) __trap();                                         // @in_a_function
  return x * 2;
}

//: run trap_in_a_function -b 32 -a i32[32]=iota
//: expect trap @in_a_function thread 21
extern "C" __global__ void trap_in_a_function(int *data) {
  data[threadIdx.x] = checked(data[threadIdx.x]);
}

//: run positive -b 32 -a i32[32]=iota
//: expect assert @positive thread 0 "data[threadIdx.x] > 0"
extern "C" __global__ void positive(int *data) {
  assert(data[threadIdx.x] > 0);                                // @positive
  data[threadIdx.x] = 100 / data[threadIdx.x];
}

//: run whole_warps -b 48 -a i32[48]=iota
//: expect assert @whole_warps thread 0 "blockDim.x % 32 == 0"
extern "C" __global__ void whole_warps(int *data) {
  assert(blockDim.x % 32 == 0);                                 // @whole_warps
  data[threadIdx.x] = 1;
}

//: run in_range -g 3 -b 32 -a i32[96]=iota -a i32=80
//: expect assert @in_range block 2 thread 16 "i < n"
extern "C" __global__ void in_range(int *data, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  assert(i < n);                                                // @in_range
  data[i] = 1;
}

// The mean of an empty bin.
//: run mean_of_nothing -b 32 -a i32[32]=iota -a i32[32]=mod:4
//: expect divide_by_zero @mean_of_nothing thread 0 "divides an integer by zero"
extern "C" __global__ void mean_of_nothing(int *sum, const int *count) {
  sum[threadIdx.x] = sum[threadIdx.x] / count[threadIdx.x];     // @mean_of_nothing
}

//: run remainder_by_zero -b 64 -a i32[64]=iota -a i32=0
//: expect divide_by_zero @remainder_by_zero thread 0
extern "C" __global__ void remainder_by_zero(int *data, int n) {
  data[threadIdx.x] = data[threadIdx.x] % n;                    // @remainder_by_zero
}

//: run wide_division -b 32 -a u64[32]=iota
//: expect divide_by_zero @wide_division thread 5
extern "C" __global__ void wide_division(unsigned long long *data) {
  data[threadIdx.x] = 1000 / (data[threadIdx.x] - 5);           // @wide_division
}
