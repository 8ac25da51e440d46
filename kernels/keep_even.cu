// Keep the even numbers, close together: each one takes a
// place by an atomic, and stores itself there.
extern "C" __global__
void keep_even(int *out, int *count, int *v, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && v[i] % 2 == 0) {
    int place = atomicAdd(count, 1);
    out[place] = v[i];
  }
}
