// Memory that a kernel takes from the device heap, and what comes behind that kernel: children, and other launches. The
// heap is there as long as the program.

extern "C" __global__
void fill(int *piece, int n)
{
  if (threadIdx.x < n)
    piece[threadIdx.x] = 3 * threadIdx.x;
}

extern "C" __global__
void look(int *y, int *piece, int n, int frees)
{
  if (threadIdx.x < n)
    y[threadIdx.x] = piece[threadIdx.x];
  __syncthreads();
  if (frees && threadIdx.x == 0)
    free(piece);
}

// The first child writes what the second reads and, if it says so, gives back.
extern "C" __global__
void gives(int *y, int n, int frees)
{
  int *piece = (int *)malloc(n * sizeof *piece);
  fill<<<1, 64>>>(piece, n);
  look<<<1, 64>>>(y, piece, n, frees);
}

// Given back before its children have begun, or by two of them.
extern "C" __global__
void gives_back(int *y, int n)
{
  int *piece = (int *)malloc(n * sizeof *piece);
  fill<<<1, 64>>>(piece, n);
  free(piece);
}

extern "C" __global__
void gives_twice(int *y, int n)
{
  int *piece = (int *)malloc(n * sizeof *piece);
  fill<<<1, 64>>>(piece, n);
  look<<<1, 64>>>(y, piece, n, 1);
  look<<<1, 64>>>(y, piece, n, 1);
}

// A child that only stores, beyond the end of what its parent took.
extern "C" __global__
void gives_little(int *y, int n)
{
  int *piece = (int *)malloc(n * sizeof *piece);
  fill<<<1, 64>>>(piece, n + 1);
}

// From one launch of the host to the next, through a buffer that has the address.
extern "C" __global__
void leaves(int **kept, int n)
{
  int *piece = (int *)malloc(n * sizeof *piece);
  for (int i = 0; i < n; i++)
    piece[i] = 3 * i;
  *kept = piece;
}

extern "C" __global__
void finds(int *y, int **kept, int n)
{
  if (threadIdx.x < n)
    y[threadIdx.x] = (*kept)[threadIdx.x];
}
