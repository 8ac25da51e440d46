// spin.cu: does n rounds of nothing, which no emulator gets through soon.
extern "C" __global__ void spin(unsigned *out, unsigned n) {
  unsigned x = threadIdx.x;
#pragma unroll 1
  for (unsigned i = 0; i < n; i++) x = x * 1664525u + 1013904223u;
  out[threadIdx.x] = x;
}
