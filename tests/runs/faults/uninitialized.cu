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

// A sum that begins with no value.
//: run sum_of_nothing -b 32 -a f32[256]=iota -a f32[32]=none -a i32=8
//: expect uninitialized @sum_of_nothing "nothing has set"
extern "C" __global__ void sum_of_nothing(const float *in, float *out, int n) {
  float s;
  #pragma unroll 1
  for (int i = 0; i < n; i++) s += in[32 * i + threadIdx.x];    // @sum_of_nothing
  out[threadIdx.x] = s;                                         // @sum_of_nothing
}

// One way sets it, the other does not; optimized, both do.
//: run set_on_one_way -b 32 -a i32[32]=iota -a i32[32]=none --cut written
//: expect uninitialized @set_on_one_way thread 20 "nothing has set"
extern "C" __global__ void set_on_one_way(const int *in, int *out) {
  int t = threadIdx.x, v;
  if (in[t] < 20) v = in[t] * 3;
  out[t] = v;                                                   // @set_on_one_way
}

// Set in the first round of a loop, and used from the second one on.
//: run set_in_the_first_round -b 32 -a i32[32]=iota -a i32[32]=none
//: clean
extern "C" __global__ void set_in_the_first_round(const int *in, int *out) {
  int t = threadIdx.x, best, sum = 0;
  #pragma unroll 1
  for (int i = 0; i < 8; i++) {
    if (i == 0) best = in[t];
    else if (in[(t + i) % 32] > best) best = in[(t + i) % 32];
    sum += i;
  }
  out[t] = best + sum;
}

// What is set under a condition is used under the same one.
//: run set_and_used_alike -b 64 -a i32[64]=iota -a i32[64]=zero
//: clean
extern "C" __global__ void set_and_used_alike(const int *in, int *out) {
  int t = threadIdx.x, v;
  bool odd = in[t] % 2;
  if (odd) v = in[63 - t] + 1;
  __syncthreads();
  if (odd) out[t] = v;
}

// Lanes that take part in a shuffle without a value of their own.
//: run shuffled_for_others -b 32 -a i32[32]=iota -a i32[32]=none
//: clean
extern "C" __global__ void shuffled_for_others(const int *in, int *out) {
  int t = threadIdx.x, v;
  if (t < 16) v = in[t];
  out[t] = __shfl_sync(0xffffffff, v, t % 16);
}

// A vector of which nobody needs the last element.
//: run three_of_four -b 32 -a f32[128]=iota -a f32[128]=none
//: clean
extern "C" __global__ void three_of_four(const float *in, float4 *out) {
  float4 v;
  v.x = in[threadIdx.x];
  v.y = in[threadIdx.x + 32];
  v.z = in[threadIdx.x + 64];
  out[threadIdx.x] = v;
}

// Structures with padding, copied: of one a whole word is padding.
struct Tagged { char tag; int value; };
struct Wide { Tagged parts[2]; double sum; char last; };
//: run padding_is_copied -b 32 -a i32[64]=none -a i32[256]=none
//: clean
extern "C" __global__ void padding_is_copied(Tagged *out, Wide *wide) {
  __shared__ Tagged shared[32];
  int t = threadIdx.x;
  Tagged one;
  one.tag = 'x';
  one.value = t;
  Tagged other = one;
  shared[t] = other;
  __syncthreads();
  out[t] = shared[t ^ 1];
  Wide w;
  w.parts[0] = one;
  w.parts[1] = other;
  w.sum = t;
  w.last = 1;
  Wide copy = w;
  wide[t] = copy;
}
