// Each warp makes one number of its 32 by one instruction,
// which gives it to all lanes.
extern "C" __global__
void reduce_sync(unsigned *sum, const unsigned *x, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned value = i < n ? x[i] : 0;
  unsigned all = __reduce_add_sync(0xffffffff, value);
  if (i < n && threadIdx.x % 32 == 0)
    sum[i / 32] = all;
}

extern "C" __global__
void reduce_min(unsigned *sum, const unsigned *x, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned value = i < n ? x[i] : 0xffffffff;
  unsigned all = __reduce_min_sync(0xffffffff, value);
  if (i < n && threadIdx.x % 32 == 0)
    sum[i / 32] = all;
}

extern "C" __global__
void reduce_max(unsigned *sum, const unsigned *x, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned value = i < n ? x[i] : 0;
  unsigned all = __reduce_max_sync(0xffffffff, value);
  if (i < n && threadIdx.x % 32 == 0)
    sum[i / 32] = all;
}

extern "C" __global__
void reduce_and(unsigned *sum, const unsigned *x, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned value = i < n ? x[i] : 0xffffffff;
  unsigned all = __reduce_and_sync(0xffffffff, value);
  if (i < n && threadIdx.x % 32 == 0)
    sum[i / 32] = all;
}

extern "C" __global__
void reduce_or(unsigned *sum, const unsigned *x, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned value = i < n ? x[i] : 0;
  unsigned all = __reduce_or_sync(0xffffffff, value);
  if (i < n && threadIdx.x % 32 == 0)
    sum[i / 32] = all;
}

extern "C" __global__
void reduce_xor(unsigned *sum, const unsigned *x, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned value = i < n ? x[i] : 0;
  unsigned all = __reduce_xor_sync(0xffffffff, value);
  if (i < n && threadIdx.x % 32 == 0)
    sum[i / 32] = all;
}
