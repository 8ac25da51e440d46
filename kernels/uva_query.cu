// One kind of pointer for all: what is behind it can be
// told from the address. A bit for each space.
__device__ int variable = 2;
__constant__ int table = 3;

__device__ int space(const void *ptr)
{
  return __isGlobal(ptr) + 2 * __isShared(ptr)
    + 4 * __isLocal(ptr) + 8 * __isConstant(ptr);
}

extern "C" __global__
void uva_query(int *owner, int *device, int *pinned,
               int *managed)
{
  __shared__ int mine;
  int own[2];
  int t = threadIdx.x;
  mine = 1;
  own[t % 2] = t;
  int *pointers[7] = { device, pinned, managed, &variable,
                       &mine, &own[t % 2], &table };
  int *ptr = pointers[t];
  owner[t] = space(ptr);
}
