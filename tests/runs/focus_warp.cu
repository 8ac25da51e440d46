// What the lecture kernels do not do: votes, matches, reductions, wide, narrow and local accesses, a float shuffle.
// Made into PTX with: nvcc -ptx -arch=sm_80 -lineinfo focus_warp.cu
extern "C" __global__ void focus_warp(int *out, float *values, float4 *wide, unsigned char *bytes, double *doubles) {
  __shared__ double pairs[64];
  int lane = threadIdx.x;
  float value = values[lane];
  value += __shfl_down_sync(0xffffffff, value, 8);
  unsigned ballot = __ballot_sync(0xffffffff, lane % 3 == 0);
  int any = __any_sync(0xffffffff, lane > 40);
  unsigned group = __match_any_sync(0xffffffff, lane / 5 % 3);
  int sum = __reduce_add_sync(0xffffffff, lane * lane);
  __syncwarp();
  float4 four = wide[lane];
  int byte = bytes[lane * 3];
  int many[8];
  for (int i = 0; i < 8; i++) many[i] = lane * i;
  volatile int *local = many;
  local[lane & 7] = byte;
  pairs[lane] = doubles[lane];
  pairs[lane * 2] = pairs[lane];
  int turn = __shfl_sync(0xffffffff, sum + lane, (lane + 5) & 31);
  out[lane] = (int)(value + four.x + four.y + four.z + four.w) + (int)ballot + any + (int)group + sum + local[(lane + byte) & 7] + turn + (int)pairs[lane];
}
