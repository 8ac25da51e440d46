// async.cu: asynchronous copies and barrier objects, for the emulator's tests.
//   nvcc -arch=sm_90 -std=c++17 -ptx async.cu
#include <cuda_pipeline.h>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
namespace cg = cooperative_groups;
using Barrier = cuda::barrier<cuda::thread_scope_block>;
#pragma nv_diag_suppress static_var_with_dynamic_init

// Copies with a source that ends early: the rest becomes zero.
extern "C" __global__ void zfill(float *out, const float *in, int n) {
  __shared__ __align__(16) float s[2][128];
  for (int k = 0; k < 2; k++) {
    int at = k * 128 + threadIdx.x * 4, left = max(0, min(4, n - at));
    __pipeline_memcpy_async(&s[k][threadIdx.x * 4], in + (left ? at : 0), 16, 16 - left * 4);
    __pipeline_commit();
  }
  __pipeline_wait_prior(1);
  __syncwarp();
  for (int i = 0; i < 4; i++) out[threadIdx.x + i * 32] = s[0][127 - threadIdx.x - i * 32];
  __pipeline_wait_prior(0);
  __syncwarp();
  for (int i = 0; i < 4; i++) out[128 + threadIdx.x + i * 32] = s[1][127 - threadIdx.x - i * 32];
}

extern "C" __global__ void barrier_copy(float *out, const float *in) {
  __shared__ Barrier bar;
  __shared__ __align__(16) float s[256];
  if (threadIdx.x == 0) init(&bar, blockDim.x);
  __syncthreads();
  float sum = 0;
  for (int k = 0; k < 4; k++) {
    cuda::memcpy_async(&s[threadIdx.x], &in[k * blockDim.x + threadIdx.x], sizeof(float), bar);
    bar.arrive_and_wait();
    sum += s[(threadIdx.x + 33) % blockDim.x];
    bar.arrive_and_wait();
  }
  out[threadIdx.x] = sum;
}

extern "C" __global__ void split_phase(int *out) {
  __shared__ Barrier bar;
  __shared__ int s[128];
  if (threadIdx.x == 0) init(&bar, blockDim.x);
  __syncthreads();
  s[threadIdx.x] = threadIdx.x * 3;
  auto token = bar.arrive();
  int own = threadIdx.x * 1000;
  bar.wait(std::move(token));
  out[threadIdx.x] = own + s[127 - threadIdx.x];
}

extern "C" __global__ void bulk(float *out, const float *in) {
  __shared__ Barrier bar;
  __shared__ __align__(128) float s[256];
  if (threadIdx.x == 0) init(&bar, blockDim.x);
  __syncthreads();
  Barrier::arrival_token token;
  if (threadIdx.x == 0) {
    cuda::device::memcpy_async_tx(s, in, cuda::aligned_size_t<16>(sizeof s), bar);
    token = cuda::device::barrier_arrive_tx(bar, 1, sizeof s);
  } else {
    token = bar.arrive();
  }
  bar.wait(std::move(token));
  out[threadIdx.x] = s[threadIdx.x] * 2;
  out[threadIdx.x + 128] = s[threadIdx.x + 128] * 2;
}

extern "C" __global__ void pipe(float *out, const float *in) {
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  __shared__ float s[2][64];
  auto block = cg::this_thread_block();
  auto p = cuda::make_pipeline(block, &state);
  float sum = 0;
  p.producer_acquire();
  cuda::memcpy_async(block, s[0], in, sizeof s[0], p);
  p.producer_commit();
  for (int k = 0; k < 4; k++) {
    if (k < 3) {
      p.producer_acquire();
      cuda::memcpy_async(block, s[(k + 1) & 1], in + 64 * (k + 1), sizeof s[0], p);
      p.producer_commit();
    }
    p.consumer_wait();
    sum += s[k & 1][63 - threadIdx.x];
    p.consumer_release();
  }
  out[threadIdx.x] = sum;
}

extern "C" __global__ void async_group(int *out, const int *in) {
  __shared__ int s[256];
  auto block = cg::this_thread_block();
  cg::memcpy_async(block, s, in, sizeof(int) * 256);
  cg::wait(block);
  for (int i = threadIdx.x; i < 256; i += blockDim.x) out[i] = s[255 - i];
}

// Stages in a ring, as pipelines of one thread are written.
template <int stages> __device__ void ring(float *out, const float *in) {
  __shared__ __align__(16) float s[stages][256];
  auto p = cuda::make_pipeline();
  int t = threadIdx.x;
  float sum = 0;
  for (int i = 0; i < stages - 1; i++) {
    p.producer_acquire();
    cuda::memcpy_async(&s[i][t * 4], in + i * 256 + t * 4, cuda::aligned_size_t<16>(16), p);
    p.producer_commit();
  }
  for (int i = 0; i < 8; i++) {
    p.producer_acquire();
    int next = i + stages - 1;
    if (next < 8)
      cuda::memcpy_async(&s[next % stages][t * 4], in + next * 256 + t * 4, cuda::aligned_size_t<16>(16), p);
    p.producer_commit();
    cuda::pipeline_consumer_wait_prior<stages - 1>(p);
    __syncthreads();
    sum += s[i % stages][255 - t];
    __syncthreads();
    p.consumer_release();
  }
  out[t] = sum;
}
extern "C" __global__ void ring2(float *out, const float *in) { ring<2>(out, in); }
extern "C" __global__ void ring3(float *out, const float *in) { ring<3>(out, in); }
extern "C" __global__ void ring4(float *out, const float *in) { ring<4>(out, in); }

// Copies are on their way nearly always.
extern "C" __global__ void long_ring(float *out, const float *in) {
  __shared__ float s[4][32];
  int t = threadIdx.x;
  float sum = 0;
  for (int i = 0; i < 3; i++) { __pipeline_memcpy_async(&s[i][t], in + i * 32 + t, 4); __pipeline_commit(); }
  #pragma unroll 1
  for (int i = 0; i < 1000; i++) {
    __pipeline_memcpy_async(&s[(i + 3) % 4][t], in + (i + 3) % 64 * 32 + t, 4);
    __pipeline_commit();
    __pipeline_wait_prior(3);
    sum += s[i % 4][t];
  }
  out[t] = sum;
}

// Every thread has tiles of its own and needs no barrier; half of the warp copies one group more than the other.
extern "C" __global__ void uneven(float *out, const float *in) {
  __shared__ float s[3][64];
  int t = threadIdx.x;
  __pipeline_memcpy_async(&s[0][t], in + t, 4);
  __pipeline_commit();
  if (t % 32 < 16) {
    __pipeline_memcpy_async(&s[1][t], in + 64 + t, 4);
    __pipeline_commit();
  }
  __pipeline_memcpy_async(&s[2][t], in + 128 + t, 4);
  __pipeline_commit();
  __pipeline_wait_prior(1);
  float sum = s[0][t];
  if (t % 32 < 16) sum += s[1][t];
  __pipeline_wait_prior(0);
  out[t] = sum + s[2][t];
}
