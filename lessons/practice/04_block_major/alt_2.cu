// Four neighbors in one load, what is left one by one.
extern "C" __global__ void square(float *y, const float *x,
                                  int n) {
  int all = gridDim.x * blockDim.x;
  int me = blockIdx.x * blockDim.x + threadIdx.x;
  int quads = n / 4;
#pragma unroll 1
  for (int q = me; q < quads; q += all) {
    float4 v = ((const float4 *)x)[q];
    v.x *= v.x;
    v.y *= v.y;
    v.z *= v.z;
    v.w *= v.w;
    ((float4 *)y)[q] = v;
  }
  int last = 4 * quads + me;
  if (last < n)
    y[last] = x[last] * x[last];
}
