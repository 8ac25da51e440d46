// uninitialized.cu: reads of what nobody wrote.

// Half of the threads fill the tile, all of them read it.
//: run half_a_tile -b 64 -a i32[64]=iota -a i32[64]=none
//: expect uninitialized @half_a_tile thread 0 "tile[63], which nobody has written"
extern "C" __global__ void half_a_tile(const int *in, int *out) {
  __shared__ int tile[64];
  int t = threadIdx.x;
  if (t < 32) tile[t] = in[t];
  __syncthreads();
  out[t] = tile[63 - t];                                        // @half_a_tile
}

// Sums up in a buffer that cudaMalloc has just given and nobody has cleared.
//: run sum_in_raw -g 2 -b 32 -a f32[64]=iota -a f32[64]=none
//: expect uninitialized @sum_in_raw block 0 thread 0 "argument 2[0], which nobody has written"
extern "C" __global__ void sum_in_raw(const float *in, float *sum) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  sum[i] += in[i];                                              // @sum_in_raw
}

// The counter in shared memory starts at whatever was there.
//: run shared_counter -b 64 -a i32[64]=iota -a i32[1]=none
//: expect uninitialized @shared_counter "count"
extern "C" __global__ void shared_counter(const int *in, int *out) {
  __shared__ int count;
  if (in[threadIdx.x] % 3 == 0) atomicAdd(&count, 1);           // @shared_counter
  __syncthreads();
  if (threadIdx.x == 0) *out = count;
}

// A window of eight of which seven are filled.
//: run local_window -b 32 -a i32[64]=iota -a i32=7 -a i32[32]=none
//: expect uninitialized @local_window thread 0 "which nobody has written"
extern "C" __global__ void local_window(const int *in, int last, int *out) {
  int window[8];
  #pragma unroll 1
  for (int i = 0; i < last; i++) window[i] = in[threadIdx.x + i];
  out[threadIdx.x] = window[last];                              // @local_window
}

// One byte of the word is missing.
//: run three_bytes -b 1 -a i32[1]=none
//: expect uninitialized @three_bytes thread 0 "reads 4 bytes"
extern "C" __global__ void three_bytes(int *out) {
  __shared__ __align__(4) volatile unsigned char word[4];
  word[0] = 1; word[1] = 2; word[3] = 4;
  __syncthreads();
  *out = 2 * *(volatile int *)word;                             // @three_bytes
}
