// A place in a volume of 512 x 512 x any from its number:
// 9 bits are x, 9 more are y, the rest is z.
extern "C" __global__
void grid3D_bits(int *x, int *y, int *z, int first, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    int tid = first + i;
    x[i] = tid & 0x1FF;
    y[i] = tid >> 9 & 0x1FF;
    z[i] = tid >> 18;
  }
}
