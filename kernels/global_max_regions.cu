// The largest value, by way of regions: only who raises
// the maximum of its region goes on to the one of all.
extern "C" __global__
void global_max(int *gl_max, int *regional_maxes,
                int *values, int num_regions, int n)
{
  int i = threadIdx.x + blockDim.x * blockIdx.x;
  if (i < n) {
    int val = values[i];
    int region = i % num_regions;
    if (atomicMax(&regional_maxes[region], val) < val)
      atomicMax(gl_max, val);
  }
}
