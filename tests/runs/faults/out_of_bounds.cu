// out_of_bounds.cu: accesses outside of every allocation. How to read the //: lines is told in tests/runs/test_faults.c.
#define THREADS 64

// Everybody looks at its right neighbor; the last thread has none.
//: run past_end -g 2 -b 64 -a f32[128]=iota -a f32[128]=none
//: expect out_of_bounds @past_end block 1 thread 63 "reads 4 bytes at argument 1[128]"
extern "C" __global__ void past_end(const float *in, float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i + 1] - in[i];                                   // @past_end
}

// The left neighbor of thread 0 of block 0 lies before the array.
//: run before_start -g 1 -b 64 -a i32[64]=iota -a i32[64]=none
//: expect out_of_bounds @before_start block 0 thread 0 "4 bytes before the start of argument 1"
extern "C" __global__ void before_start(const int *in, int *out) {
  int i = threadIdx.x;
  int left = in[i - 1];                                         // @before_start
  out[i] = left;
}

// The grid has more threads than the vector has elements, and nobody asks whether i < n.
//: run no_guard -g 4 -b 32 -a f32[100]=none -a f32=3 -a i32=100
//: expect out_of_bounds @no_guard block 3 thread 4 "writes 4 bytes at argument 1[100], just past the end of argument 1 (400 bytes)"
extern "C" __global__ void no_guard(float *x, float value, int n) {
  x[blockIdx.x * blockDim.x + threadIdx.x] = value;             // @no_guard
}

// A tile without room for the right border.
//: run shared_past -b 64 -a i32[64]=iota -a i32[64]=none
//: expect out_of_bounds @shared_past block 0 thread 63 "tile[64], just past the end of tile (256 bytes)"
extern "C" __global__ void shared_past(const int *in, int *out) {
  __shared__ int tile[THREADS];
  int t = threadIdx.x;
  tile[t] = in[t];
  __syncthreads();
  out[t] = tile[t + 1];                                         // @shared_past
}

// The left border of a tile whose index wraps to below zero.
//: run shared_before -b 64 -a i32[64]=iota -a i32[64]=none
//: expect out_of_bounds @shared_before block 0 thread 0 "tile[-1], 4 bytes before the start of tile"
extern "C" __global__ void shared_before(const int *in, int *out) {
  __shared__ int tile[THREADS];
  int t = threadIdx.x;
  tile[t] = in[t];
  __syncthreads();
  out[t] = tile[t - 1];                                         // @shared_before
}

// The launch gives the dynamic array half of the bytes that the kernel uses.
//: run dynamic_shared -b 64 -s 128 -a i32[64]=iota
//: expect out_of_bounds @dynamic_shared block 0 thread 32 "buffer[32], just past the end of buffer (128 bytes)"
extern "C" __global__ void dynamic_shared(int *data) {
  extern __shared__ int buffer[];
  int t = threadIdx.x;
  buffer[t] = data[t];                                          // @dynamic_shared
  __syncthreads();
  data[t] = buffer[blockDim.x - 1 - t];
}

// An index into a small array of each thread that comes from outside and is too large.
//: run local_index -b 32 -a i32=8 -a i32[32]=none
//: expect out_of_bounds @local_index "past the end of"
extern "C" __global__ void local_index(int k, int *out) {
  volatile int powers[8];
  for (int i = 0; i < 8; i++) powers[i] = 1 << i;
  out[threadIdx.x] = powers[k];                                 // @local_index
}

// Nine coefficients are asked for, eight are there.
//: run const_past -b 9 -a f32[9]=none
//: expect out_of_bounds @const_past block 0 thread 8 "coefficients[8], just past the end of coefficients (32 bytes)"
__constant__ float coefficients[8] = {1, 2, 3, 4, 5, 6, 7, 8};
extern "C" __global__ void const_past(float *out) {
  out[threadIdx.x] = coefficients[threadIdx.x];                 // @const_past
}

// The allocation on the host failed and nobody looked.
//: run null_pointer -b 32 -a u64=0 -a i32[32]=none
//: expect out_of_bounds @null_pointer thread 0 "the pointer is null"
extern "C" __global__ void null_pointer(const int *in, int *out) {
  out[threadIdx.x] = in[threadIdx.x];                           // @null_pointer
}

// A number of a bin that is larger than the histogram.
//: run atomic_past -b 64 -a i32[64]=iota -a i32[32]=zero
//: expect out_of_bounds @atomic_past thread 32 "updates 4 bytes at argument 2[32]"
extern "C" __global__ void atomic_past(const int *in, int *bins) {
  atomicAdd(&bins[in[threadIdx.x]], 1);                         // @atomic_past
}

// Two-dimensional, with the width of the wrong array: far behind one buffer and before the next.
//: run wrong_pitch -b 8,8 -a i32[64]=iota -a i32[64]=none -a i32=20
//: expect out_of_bounds @wrong_pitch thread 24 "past the end of argument 1"
extern "C" __global__ void wrong_pitch(const int *in, int *out, int pitch) {
  out[threadIdx.y * 8 + threadIdx.x] = in[threadIdx.y * pitch + threadIdx.x + 4];   // @wrong_pitch
}
