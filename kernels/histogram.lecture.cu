// Count the colors. Lanes with the same color queue up
// at the same bucket.
extern "C" __global__
void histogram(int *color, int *buckets, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int c = color[i];
  atomicAdd(&buckets[c], 1);
}
