// A kernel that launches itself: each half of what it has parted is sorted by
// a grid of its own.
__device__ void insertion_sort(int *x, int n)
{
  #pragma unroll 1
  for (int i = 1; i < n; i++) {
    int value = x[i], at = i;
    #pragma unroll 1
    while (at > 0 && x[at - 1] > value) {
      x[at] = x[at - 1];
      at--;
    }
    x[at] = value;
  }
}

extern "C" __global__
void quicksort(int *x, int n, int least)
{
  if (n <= least) {
    insertion_sort(x, n);
    return;
  }
  int pivot = x[n / 2], left = 0, right = n - 1;
  #pragma unroll 1
  while (left <= right) {
    while (x[left] < pivot)
      left++;
    while (x[right] > pivot)
      right--;
    if (left <= right) {
      int other = x[left];
      x[left++] = x[right];
      x[right--] = other;
    }
  }
  if (right > 0)
    quicksort<<<1, 1, 0, cudaStreamFireAndForget>>>(x, right + 1, least);
  if (left < n - 1)
    quicksort<<<1, 1, 0, cudaStreamFireAndForget>>>(x + left, n - left, least);
}

extern "C" __global__
void is_sorted(int *sorted, const int *x, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + 1 < n && x[i] > x[i + 1])
    *sorted = 0;
}

// The same, and a last kernel that comes behind all the others.
extern "C" __global__
void sort_and_look(int *x, int *sorted, int n, int least)
{
  *sorted = 1;
  is_sorted<<<(n + 127) / 128, 128, 0, cudaStreamTailLaunch>>>(sorted, x, n);
  quicksort<<<1, 1>>>(x, n, least);
}
