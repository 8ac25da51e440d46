// out[0] = sum of x[i] * y[i]. One block of 256 threads.
// Each thread has its sum already.
// TODO: fold the 256 sums in shared memory, as a tree with
// a barrier for each level.
extern "C" __global__ void dot(float *out, const float *x,
                               const float *y, int n) {
  __shared__ float part[256];
  int t = threadIdx.x;
  float sum = 0;
#pragma unroll 1
  for (int i = t; i < n; i += 256)
    sum += x[i] * y[i];
  part[t] = sum;
  __syncthreads();
  if (t == 0)
    out[0] = part[0];
}
