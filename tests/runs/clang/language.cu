// language.cu: what CUDA's headers and lanescope's headers for clang must agree on. Every kernel is run by one block of 64 threads,
// in[i] are numbers drawn at random, out begins with zeros; test_clang.c compares what nvcc's and clang's code leave in out.
#include <assert.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_pipeline.h>
#include <cuda_runtime.h>
#include <mma.h>

namespace cg = cooperative_groups;

#define PUT(value) put(out, n, (value))
__device__ void put(int *out, int &n, int value) { out[n++ * 64 + threadIdx.x] = value; }
__device__ void put(int *out, int &n, unsigned value) { put(out, n, (int)value); }
__device__ void put(int *out, int &n, bool value) { put(out, n, (int)value); }
__device__ void put(int *out, int &n, float value) { put(out, n, __float_as_int(value)); }
__device__ void put(int *out, int &n, long long value) { put(out, n, (int)value); put(out, n, (int)(value >> 32)); }
__device__ void put(int *out, int &n, unsigned long long value) { put(out, n, (long long)value); }
__device__ void put(int *out, int &n, long value) { put(out, n, (long long)value); }
__device__ void put(int *out, int &n, double value) { put(out, n, __double_as_longlong(value)); }
__device__ void put(int *out, int &n, half value) { put(out, n, (int)__half_as_ushort(value)); }
__device__ void put(int *out, int &n, half2 value) { put(out, n, __low2half(value)); put(out, n, __high2half(value)); }
__device__ void put(int *out, int &n, __nv_bfloat16 value) { put(out, n, (int)__bfloat16_as_ushort(value)); }

__constant__ int table[4] = {5, 7, 11, 13};
__device__ int counter = 3;

extern "C" __global__ void __launch_bounds__(64) builtins(int *out, const int *in) {
  extern __shared__ int dynamic[];
  int n = 0, t = threadIdx.x;
  PUT(threadIdx.x + 2 * threadIdx.y + blockIdx.x + 3 * blockDim.x + gridDim.z);
  PUT(warpSize);
  dim3 d = blockDim, e(4), f(1, 2);
  uint3 u = threadIdx;
  PUT(d.x + d.y * 10 + e.x + e.y + f.y + u.x + u.z);
  dynamic[t] = in[t];
  __syncthreads();
  PUT(dynamic[63 - t]);
  PUT(table[t & 3]);
  float4 v = make_float4(1, 2, 3, t);
  v.x += v.w;
  double2 w = make_double2(t, -t);
  uchar4 c = make_uchar4(250 + t, 1, 2, 3);
  PUT(v.x + v.y);
  PUT(w.x * w.y);
  PUT((int)c.x + (int)sizeof(float3) + (int)sizeof(char4) + (int)alignof(float4) + (int)alignof(double2) + (int)alignof(int2));
  const int4 whole = reinterpret_cast<const int4 *>(in)[t / 4];
  PUT(whole.x ^ whole.w);
  PUT((int)(clock64() * 0 + clock() * 0));
  if (t < 2) printf("thread %d: %s %.2f %lld\n", t, "says", 1.5 * t, (long long)t << 40);
  assert(t >= 0);
  static_assert(sizeof(uint64_t) == 8, "stdint.h");
}

extern "C" __global__ void bits(int *out, const int *in) {
  int n = 0, a = in[threadIdx.x], b = in[threadIdx.x + 64], c = in[threadIdx.x + 128];
  long long l = (long long)a << 32 | (unsigned)b, m = (long long)c << 32 | (unsigned)a;
  PUT(__popc(a)); PUT(__popcll(l)); PUT(__clz(a)); PUT(__clzll(l)); PUT(__clz(0)); PUT(__ffs(a)); PUT(__ffs(0)); PUT(__ffsll(l)); PUT(__ffsll(0));
  PUT(__brev(a)); PUT(__brevll(l)); PUT(__byte_perm(a, b, c)); PUT(__funnelshift_l(a, b, c)); PUT(__funnelshift_lc(a, b, c & 63));
  PUT(__funnelshift_r(a, b, c)); PUT(__funnelshift_rc(a, b, c & 63)); PUT(__mulhi(a, b)); PUT(__umulhi(a, b)); PUT(__mul64hi(l, m));
  PUT(__umul64hi(l, m)); PUT(__mul24(a, b)); PUT(__umul24(a, b)); PUT(__sad(a, b, c)); PUT(__usad(a, b, c)); PUT(__dp4a(a, b, c));
  PUT(__dp4a((unsigned)a, (unsigned)b, (unsigned)c)); PUT(__dp2a_lo(a, b, c)); PUT(__dp2a_hi(a, b, c)); PUT(__hadd(a, b)); PUT(__rhadd(a, b));
  PUT(__uhadd(a, b)); PUT(__urhadd(a, b)); PUT(min(a, b)); PUT(max(a, b)); PUT(min((unsigned)a, b)); PUT(max(l, m)); PUT(abs(a)); PUT(llabs(l));
  PUT(__hiloint2double(a & 0x7fefffff, b)); PUT(__double2hiint(1.5 * a)); PUT(__double2loint(1.1 * a));
}

extern "C" __global__ void conversions(int *out, const int *in) {
  int n = 0, a = in[threadIdx.x], b = in[threadIdx.x + 64];
  long long l = (long long)a << 32 | (unsigned)b;
  float f = a * 0.37f, g = b * 1e-7f;
  double d = a * 0.37, e = l * 0.77;
  PUT(__float2int_rn(g)); PUT(__float2int_rz(g)); PUT(__float2int_ru(g)); PUT(__float2int_rd(g)); PUT(__float2uint_rn(g)); PUT(__float2uint_ru(f));
  PUT(__float2ll_rn(f)); PUT(__float2ll_rd(g)); PUT(__float2ull_rz(f)); PUT(__double2int_rn(d)); PUT(__double2int_rd(d)); PUT(__double2uint_ru(d));
  PUT(__double2ll_rn(e)); PUT(__double2ull_rz(e)); PUT(__int2float_rn(a)); PUT(__int2float_rz(a)); PUT(__int2float_ru(a)); PUT(__int2float_rd(a));
  PUT(__uint2float_rn(a)); PUT(__ll2float_rn(l)); PUT(__ull2float_ru(l)); PUT(__ll2double_rn(l)); PUT(__ull2double_rd(l)); PUT(__double2float_rn(e));
  PUT(__double2float_rz(e)); PUT(__int2double_rn(a)); PUT(__uint2double_rn(a)); PUT(lrintf(g)); PUT(lround(d)); PUT(llrint(d)); PUT((int)g); PUT((float)e);
}

extern "C" __global__ void rounded(int *out, const int *in) {
  int n = 0;
  float a = in[threadIdx.x] * 1e-3f, b = in[threadIdx.x + 64] * 1e-6f, c = in[threadIdx.x + 128] * 3e-4f;
  double d = in[threadIdx.x] * 1e-3, e = in[threadIdx.x + 64] * 1e-6, f = in[threadIdx.x + 128] * 3e-4;
  PUT(__fadd_rn(a, b)); PUT(__fadd_rz(a, b)); PUT(__fadd_ru(a, b)); PUT(__fadd_rd(a, b)); PUT(__fsub_rz(a, b)); PUT(__fmul_rn(a, b)); PUT(__fmul_ru(a, b));
  PUT(__fmaf_rn(a, b, c)); PUT(__fmaf_rz(a, b, c)); PUT(__fmaf_ru(a, b, c)); PUT(__fmaf_rd(a, b, c)); PUT(__fdiv_rn(a, b)); PUT(__fdiv_rz(a, b));
  PUT(__frcp_rn(a)); PUT(__frcp_ru(a)); PUT(__fsqrt_rn(fabsf(a))); PUT(__fsqrt_rd(fabsf(a))); PUT(__frsqrt_rn(fabsf(a)));
  PUT(__dadd_rz(d, e)); PUT(__dsub_ru(d, e)); PUT(__dmul_rn(d, e)); PUT(__fma_rd(d, e, f)); PUT(__ddiv_ru(d, e)); PUT(__drcp_rn(d)); PUT(__dsqrt_rz(fabs(d)));
  PUT(fmaf(a, b, c)); PUT(fma(d, e, f)); PUT(a / b); PUT(d / e); PUT(sqrtf(fabsf(b))); PUT(sqrt(fabs(e))); PUT(floorf(a)); PUT(ceil(d)); PUT(trunc(d));
  PUT(rintf(a)); PUT(roundf(a)); PUT(round(d)); PUT(fminf(a, b)); PUT(fmax(d, e)); PUT(fdimf(a, b)); PUT(copysignf(a, b)); PUT(fmodf(a, b)); PUT(fmod(d, e));
  PUT(remainderf(a, b)); PUT(ldexpf(a, 5)); PUT(ldexp(d, -1060)); PUT(scalbnf(a, -140)); PUT(ilogbf(a)); PUT(ilogb(d)); PUT(logbf(a)); PUT(nextafterf(a, b));
  int exponent, quotient;
  float whole;
  PUT(frexpf(a, &exponent)); PUT(exponent); PUT(modff(a, &whole)); PUT(whole); PUT(remquof(a, c, &quotient)); PUT(quotient & 7);
  PUT(isnan(a)); PUT(isinf(b)); PUT(isfinite(d)); PUT(signbit(a) != 0); PUT(__saturatef(b)); PUT(fabsf(a)); PUT(signbit(-0.0) != 0);
}

extern "C" __global__ void approximate(int *out, const int *in) {
  int n = 0;
  float a = in[threadIdx.x] * 1e-8f, b = in[threadIdx.x + 64] * 1e-8f + 30;
  PUT(__sinf(a)); PUT(__cosf(a)); PUT(__expf(a)); PUT(__exp10f(a)); PUT(__log2f(b)); PUT(__logf(b)); PUT(__log10f(b)); PUT(__powf(b, a));
  PUT(__fdividef(a, b)); PUT(rsqrtf(b)); PUT(__tanf(a)); PUT(exp2f(floorf(a)));
}

extern "C" __global__ void atomics(int *out, const int *in) {
  __shared__ int word[40];
  __shared__ unsigned long long wide[12];
  __shared__ float sum[4];
  __shared__ double dsum[2];
  int n = 0, t = threadIdx.x;
  if (t < 40) word[t] = t * 100;
  if (t < 12) wide[t] = 1000000000000ull * t;
  if (t < 4) sum[t] = t;
  if (t < 2) dsum[t] = t;
  __syncthreads();
  unsigned *uword = (unsigned *)word;
  atomicAdd(&word[0], t); atomicSub(&word[1], t); atomicMin(&word[2], in[t]); atomicMax(&word[3], in[t]); atomicAnd(&word[4], ~(1 << (t & 7)));
  atomicOr(&word[5], 1 << (t & 31)); atomicXor(&word[6], in[t]); atomicInc(&uword[7], 5); atomicDec(&uword[8], 5); atomicAdd(&uword[9], 3u);
  atomicMin(&uword[10], (unsigned)in[t]); atomicMax(&uword[11], (unsigned)in[t]); atomicSub(&uword[12], 2u);
  atomicAdd_block(&word[13], t); atomicMax_system(&word[14], in[t]); atomicAnd_block(&uword[15], 0xff00ff00u); atomicSub_block(&word[16], t);
  if (t == 5) word[17] = atomicExch(&word[18], 77), word[19] = atomicCAS(&word[20], 2000, 1), word[21] = atomicCAS(&word[22], 1, 2);
  if (t == 6) word[23] = atomicExch_system(&word[24], 78), word[25] = atomicCAS_block(&word[26], 2600, 9);
  if (t == 7) atomicExch(&sum[2], 5.5f), word[27] = (int)atomicCAS((unsigned short *)&word[28], (unsigned short)2800, (unsigned short)17);
  atomicAdd(&wide[0], 1ull << 33); atomicMin(&wide[1], (unsigned long long)t); atomicMax(&wide[2], 1ull << t); atomicXor(&wide[3], 1ull << t);
  atomicMin((long long *)&wide[4], -(long long)t); atomicAnd(&wide[5], ~(1ull << t)); atomicOr(&wide[6], 1ull << t);
  if (t == 9) wide[7] = atomicExch(&wide[8], 3ull), wide[9] = atomicCAS(&wide[10], 10000000000000ull, 4ull);
  atomicAdd(&sum[0], 1.0f); atomicAdd(&dsum[0], 0.5); atomicAdd_block(&sum[1], 2.0f); atomicAdd_system(&dsum[1], 0.25);
  if (t == 0) PUT(atomicAdd(&counter, 4)); else PUT(0);
  __syncthreads();
  PUT(word[t % 40]); PUT(wide[t % 12]); PUT(sum[t & 3]); PUT(dsum[t & 1]);
  int before = atomicAdd(&out[60 * 64 + t], in[t]);
  PUT(before); PUT(__syncthreads_count(in[t] & 1)); PUT(__syncthreads_and(in[t] != 0) != 0); PUT(__syncthreads_or(in[t] == 12345) != 0);
  __threadfence(); __threadfence_block(); __threadfence_system(); __nanosleep(20);
}

extern "C" __global__ void lanes(int *out, const int *in) {
  int n = 0, t = threadIdx.x, a = in[t];
  unsigned all = 0xffffffff;
  float f = a * 0.5f;
  double d = a * 0.25;
  long long l = (long long)a << 20;
  PUT(__shfl_sync(all, a, 7)); PUT(__shfl_sync(all, f, t + 1)); PUT(__shfl_sync(all, d, 3, 8)); PUT(__shfl_up_sync(all, a, 3)); PUT(__shfl_up_sync(all, l, 2, 16));
  PUT(__shfl_down_sync(all, f, 5)); PUT(__shfl_down_sync(all, (unsigned)a, 1, 4)); PUT(__shfl_xor_sync(all, a, 9)); PUT(__shfl_xor_sync(all, d, 16)); PUT(__shfl_xor_sync(all, l, 3, 8));
  PUT(__any_sync(all, a < -2000000000)); PUT(__all_sync(all, a != 1)); PUT(__ballot_sync(all, a & 1)); PUT(__uni_sync(all, a > 0)); PUT(__activemask());
  PUT(__match_any_sync(all, a & 3)); PUT(__match_any_sync(all, l & 0x300000)); int same; PUT(__match_all_sync(all, t / 32, &same)); PUT(same); PUT(__match_all_sync(all, a, &same)); PUT(same);
  if (t & 1) PUT(__ballot_sync(0xaaaaaaaa, a > 0)); else PUT(__popc(__ballot_sync(0x55555555, a > 0)));
  __syncwarp();
  half h = __float2half(t * 0.5f);
  PUT(__shfl_xor_sync(all, h, 1)); PUT(__shfl_up_sync(all, __half2half2(h), 2));
  // Other lanes have nothing to give.
  int leader = __ffs(__ballot_sync(all, a & 1)) - 1, at;
  if (t % 32 == leader) at = atomicAdd(&out[120 * 64 + t], a);
  PUT(leader); PUT(__shfl_sync(all, at, leader)); PUT(out[120 * 64 + t]);
#if __CUDA_ARCH__ >= 800
  PUT(__reduce_add_sync(all, a)); PUT(__reduce_max_sync(all, a)); PUT(__reduce_min_sync(all, (unsigned)a)); PUT(__reduce_xor_sync(all, (unsigned)a));
#endif
}

extern "C" __global__ void groups(int *out, const int *in) {
  int n = 0, t = threadIdx.x, a = in[t];
  cg::thread_block block = cg::this_thread_block();
  cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
  auto eight = cg::tiled_partition<8>(block);
  auto four = cg::tiled_partition<4>(eight);
  PUT(block.thread_rank()); PUT(block.size()); PUT(block.group_index().x); PUT(block.thread_index().x); block.sync();
  PUT(warp.thread_rank()); PUT(warp.size()); PUT(warp.shfl(a, 3)); PUT(warp.shfl_down(a, 2)); PUT(warp.ballot(a & 1)); PUT(warp.any(a == 5)); PUT(warp.all(a != 5));
  PUT(warp.meta_group_rank()); PUT(warp.meta_group_size()); PUT(eight.shfl_xor(a * 0.5, 2)); PUT(eight.shfl_up(a, 1)); PUT(eight.ballot(a & 1)); PUT(eight.meta_group_rank());
  PUT(four.thread_rank()); PUT(four.meta_group_size()); PUT(four.shfl(a, 1)); PUT(four.meta_group_rank()); PUT(eight.match_any(a & 1));
  PUT(cg::reduce(warp, a, cg::plus<int>())); PUT(cg::reduce(eight, a, cg::less<int>())); PUT(cg::reduce(four, (unsigned)a, cg::bit_xor<unsigned>()));
  PUT(cg::reduce(eight, a * 0.5f, cg::greater<float>()));
  if (t % 3 == 0) {
    cg::coalesced_group some = cg::coalesced_threads();
    PUT(some.size()); PUT(some.thread_rank()); PUT(some.shfl(a, 1)); PUT(some.ballot(a & 1)); PUT(some.any(a & 1)); PUT(some.shfl_up(a, 1)); PUT(some.shfl_down(a, 2));
    PUT(cg::reduce(some, a, cg::plus<int>())); some.sync();
  }
  auto labeled = cg::labeled_partition(warp, t % 5);
  PUT(labeled.size()); PUT(labeled.thread_rank()); PUT(labeled.shfl(t, 0));
  auto odd = cg::binary_partition(warp, t & 1);
  PUT(odd.size()); PUT(odd.thread_rank());
  long long given;
  if (warp.thread_rank() == 3) given = atomicAdd(&out[120 * 64 + t], a);
  PUT(warp.shfl(given, 3)); PUT(out[120 * 64 + t]);
  double most;
  if (odd.thread_rank() == 1) most = atomicAdd(&out[121 * 64 + t], a);
  PUT(odd.shfl(most, 1)); PUT(out[121 * 64 + t]);
  PUT(cg::this_grid().thread_rank()); PUT(cg::this_grid().size());
}

extern "C" __global__ void halves(int *out, const int *in) {
  int n = 0, t = threadIdx.x;
  float f = in[t] * 1e-8f, g = in[t + 64] * 1e-8f + 40;
  half a = __float2half(f), b = __float2half(g), c = __float2half(0.7f);
  half2 v = __halves2half2(a, b), w = __float2half2_rn(1.25f), x = __floats2half2_rn(g, f);
  PUT(a); PUT(__hadd(a, b)); PUT(a - b); PUT(a * b); PUT(a / b); PUT(__hfma(a, b, c)); PUT(-a); PUT(__habs(a)); PUT(a < b); PUT(__hge(a, b)); PUT(__hmax(a, b)); PUT(hsqrt(b));
  PUT(__half2float(a)); PUT((float)b); PUT(__half2int_rn(b)); PUT(__half2int_rz(a)); PUT(__int2half_rn(in[t] >> 20)); PUT(__hadd2(v, w)); PUT(v * x); PUT(__hfma2(v, w, x)); PUT(__hneg2(v));
  PUT(__low2float(v)); PUT(__highs2half2(v, x)); PUT(__hmin2(v, x)); PUT(hrcp(b)); PUT(h2sqrt(__habs2(x)));
  __nv_bfloat16 p = __float2bfloat16(f), q = __float2bfloat16(g);
  PUT(p); PUT(p + q); PUT(p * q); PUT(p - q); PUT(__hfma(p, q, p)); PUT(__bfloat162float(q)); PUT(p < q); PUT(-p); PUT(__hmax(p, q));
  a += b; PUT(a); a *= c; PUT(a);
}

extern "C" __global__ void matrices(int *out, const int *in) {
  using namespace nvcuda;
  __shared__ half a[256], b[256];
  __shared__ float c[256];
  __shared__ half h[256];
  int n = 0, t = threadIdx.x;
  for (int i = t; i < 256; i += 64) a[i] = __float2half(in[i % 192] >> 28), b[i] = __float2half((in[(i + 7) % 192] >> 28) + i % 3), c[i] = i % 5, h[i] = __float2half(1.0f);
  __syncthreads();
  if (t < 32) {
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> fb;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc;
    wmma::fragment<wmma::accumulator, 16, 16, 16, half> fh;
    wmma::load_matrix_sync(fa, a, 16);
    wmma::load_matrix_sync(fb, b, 16);
    wmma::load_matrix_sync(fc, c, 16, wmma::mem_row_major);
    __syncwarp();
    wmma::fill_fragment(fh, __float2half(2.0f));
    wmma::mma_sync(fc, fa, fb, fc);
    wmma::mma_sync(fh, fa, fb, fh);
    for (int i = 0; i < fc.num_elements; i++) fc.x[i] *= 0.5f;
    wmma::store_matrix_sync(c, fc, 16, wmma::mem_col_major);
    wmma::store_matrix_sync(h, fh, 16, wmma::mem_row_major);
  }
  __syncthreads();
  for (int i = t; i < 256; i += 64) { PUT(c[i]); PUT(h[i]); }
}

extern "C" __global__ void memory(int *out, const int *in) {
  __shared__ int copied[64];
  int n = 0, t = threadIdx.x;
  PUT(__ldg(&in[t])); PUT(__ldcg(&in[t])); PUT(__ldca(&in[t])); PUT(__ldcs(&in[t])); PUT(__ldcv(&in[t])); PUT(__ldlu(&in[t]));
  int4 v = __ldg((const int4 *)in + t % 16); PUT(v.x); PUT(v.w); float2 w = __ldg((const float2 *)in + t); PUT(w.y); PUT((int)__ldg((const unsigned char *)in + t)); PUT((int)__ldg((const signed char *)in + t));
  PUT((int)__ldg((const short *)in + t)); PUT(__ldg((const long long *)in + t));
  __stcg(&out[50 * 64 + t], t); __stcs(&out[51 * 64 + t], 2 * t); __stwb(&out[52 * 64 + t], 3 * t); __stwt((float *)&out[53 * 64 + t], 1.5f);
  __pipeline_memcpy_async(&copied[t], &in[t], 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  PUT(copied[63 - t]); PUT((int)__isShared(copied)); PUT((int)__isGlobal(in));
}

// Host code is read and left alone.
int main() {
  int *in, *out;
  cudaMalloc(&in, 4096);
  cudaMalloc((void **)&out, 4096);
  cudaMemset(in, 0, 4096);
  builtins<<<1, 64, 256>>>(out, in);
  if (cudaDeviceSynchronize() != cudaSuccess) printf("%s\n", cudaGetErrorString(cudaGetLastError()));
  return 0;
}
