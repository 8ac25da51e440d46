// Kernels that launch kernels: what a device may do with them, and what none does. The test says what comes of each.

extern "C" __global__
void note(int *order, int *count, int what)
{
  if (threadIdx.x == 0)
    order[atomicAdd(count, 1)] = what;
}

// A child in the default stream, two in the tail stream, one forgotten: the tail comes behind all others, in order.
extern "C" __global__
void tails(int *order, int *count)
{
  if (threadIdx.x == 0) {
    note<<<1, 32, 0, cudaStreamTailLaunch>>>(order, count, 100);
    note<<<1, 32, 0, cudaStreamTailLaunch>>>(order, count, 101);
    note<<<1, 32>>>(order, count, 1);
    note<<<1, 32>>>(order, count, 2);
    note<<<1, 32, 0, cudaStreamFireAndForget>>>(order, count, 3);
  }
}

// A tail launch of a child is over before the tail launch of its parent.
extern "C" __global__
void tail_of_tail(int *order, int *count)
{
  if (threadIdx.x == 0) {
    tails<<<1, 1, 0, cudaStreamTailLaunch>>>(order, count);
    note<<<1, 1, 0, cudaStreamTailLaunch>>>(order, count, 200);
    note<<<1, 1>>>(order, count, 50);
  }
}

// ---- what a child sees ----

extern "C" __global__
void twice(int *y, const int *x, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = 2 * x[i];
}

extern "C" __global__
void made_before(int *y, int *x, int n)
{
  if (threadIdx.x < n)
    x[threadIdx.x] = threadIdx.x;
  __syncthreads();
  if (threadIdx.x == 0)
    twice<<<1, 256>>>(y, x, n);
}

extern "C" __global__
void not_waited(int *y, int *x, int n)
{
  if (threadIdx.x < n)
    x[threadIdx.x] = threadIdx.x;
  if (threadIdx.x == 0)
    twice<<<1, 256>>>(y, x, n);
}

extern "C" __global__
void made_behind(int *y, int *x, int n)
{
  if (threadIdx.x == 0)
    twice<<<1, 256>>>(y, x, n);
  if (threadIdx.x < n)
    x[threadIdx.x] = threadIdx.x;
}

extern "C" __global__
void made_for_tail(int *y, int *x, int n)
{
  if (threadIdx.x == 0)
    twice<<<1, 256, 0, cudaStreamTailLaunch>>>(y, x, n);
  if (threadIdx.x < n)
    x[threadIdx.x] = threadIdx.x;
}

extern "C" __global__
void read_back(int *y, int *x, int n)
{
  if (threadIdx.x == 0) {
    for (int i = 0; i < n; i++)
      x[i] = i;
    twice<<<1, 256>>>(y, x, n);
    x[n] = y[0];
  }
}

extern "C" __global__
void of_other_block(int *y, int *x, int n)
{
  if (blockIdx.x == 1 && threadIdx.x < n)
    x[threadIdx.x] = threadIdx.x;
  if (blockIdx.x == 0 && threadIdx.x == 0)
    twice<<<1, 256>>>(y, x, n);
}

// ---- children among themselves ----

extern "C" __global__
void in_order(int *y, int *x, int n)
{
  if (threadIdx.x == 0)
    twice<<<1, 256>>>(x + 256, x, n);
  __syncthreads();
  if (threadIdx.x == 32)
    twice<<<1, 256>>>(y, x + 256, n);
}

extern "C" __global__
void streams(int *y, int *x, int n, int event)
{
  cudaStream_t a, b;
  cudaEvent_t made;
  if (threadIdx.x)
    return;
  cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking);
  cudaEventCreateWithFlags(&made, cudaEventDisableTiming);
  twice<<<1, 256, 0, a>>>(x + 256, x, n);
  if (event) {
    cudaEventRecord(made, a);
    cudaStreamWaitEvent(b, made, 0);
  }
  twice<<<1, 256, 0, b>>>(y, x + 256, n);
}

extern "C" __global__
void forgotten(int *y, int *x, int n)
{
  if (threadIdx.x)
    return;
  twice<<<1, 256, 0, cudaStreamFireAndForget>>>(x + 256, x, n);
  twice<<<1, 256>>>(y, x + 256, n);
}

extern "C" __global__
void blocks(int *y, int *x, int n)
{
  if (threadIdx.x)
    return;
  if (blockIdx.x == 0)
    twice<<<1, 256>>>(x + 256, x, n);
  else
    twice<<<1, 256>>>(y, x + 256, n);
}

extern "C" __global__
void copies(int *y, int *x, int n)
{
  if (threadIdx.x)
    return;
  cudaMemsetAsync(y, 0, n * sizeof *y, 0);
  twice<<<1, 256>>>(x + 256, x, n);
  cudaMemcpyAsync(y, x + 256, n * sizeof *y, cudaMemcpyDeviceToDevice, 0);
}

// All the same word, but by atomics.
extern "C" __global__
void count_one(int *count)
{
  atomicAdd(count, 1);
}

extern "C" __global__
void counted(int *count, int depth)
{
  atomicAdd(count, 1);
  if (depth > 0 && threadIdx.x == 0) {
    counted<<<1, 1, 0, cudaStreamFireAndForget>>>(count, depth - 1);
    counted<<<1, 1, 0, cudaStreamFireAndForget>>>(count, depth - 1);
  }
}

extern "C" __global__
void deep(int *count, int depth)
{
  *count += 1;
  if (depth > 1)
    deep<<<1, 1>>>(count, depth - 1);
}

// ---- parameters ----

struct Three { float x, y, z; };
struct Wide { int *to; short s; double d; char c[9]; };

extern "C" __global__
void takes(int a, char b, double c, short d, Three e, int *to, Wide w)
{
  to[0] = a, to[1] = b, to[2] = (int)c, to[3] = d, to[4] = (int)e.z;
  w.to[5] = w.s, w.to[6] = (int)w.d, w.to[7] = w.c[8];
}

extern "C" __global__
void gives(int *y)
{
  Wide w = {y, 6, 7.0, {0, 0, 0, 0, 0, 0, 0, 0, 8}};
  takes<<<1, 1>>>(1, 2, 3.0, 4, Three{0, 0, 5}, y, w);
}

// ---- what fails ----

__global__ void nothing() { }
__global__ void much_shared(int *y) { __shared__ int a[10000]; a[threadIdx.x] = 1; y[0] = a[threadIdx.x]; }
__global__ void stores(int *y, int *to) { to[threadIdx.x] = 1; }
__global__ void ignores(int *y, int *) { y[0] = 1; }

extern "C" __global__
void errors(int *y)
{
  nothing<<<1, 1>>>();
  y[0] = cudaGetLastError();
  nothing<<<0, 1>>>();
  y[1] = cudaPeekAtLastError();
  y[2] = cudaGetLastError();
  y[3] = cudaGetLastError();
  nothing<<<1, 1025>>>();
  y[4] = cudaGetLastError();
  nothing<<<dim3(1, 65536), 1>>>();
  y[5] = cudaGetLastError();
  nothing<<<1, dim3(1, 1, 65)>>>();
  y[6] = cudaGetLastError();
  nothing<<<1, 1, 49152>>>();
  y[7] = cudaGetLastError();
  nothing<<<1, 1, 49153>>>();
  y[8] = cudaGetLastError();
  much_shared<<<1, 1, 9153>>>(y);
  y[9] = cudaGetLastError();
  nothing<<<1, 1, 0, (cudaStream_t)77>>>();
  y[10] = cudaGetLastError();
  cudaEvent_t event;
  y[11] = cudaEventCreateWithFlags(&event, 0);
  cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
  y[12] = cudaEventRecord(event, cudaStreamTailLaunch);
  y[13] = cudaMemcpyAsync(y + 20, y + 24, 4, cudaMemcpyHostToDevice, 0);
  nothing<<<0, 1>>>();
  y[14] = cudaGetErrorName(cudaGetLastError())[9] == 'I';
}

extern "C" __global__
void pending(int *y, int n)
{
  int failed = 0;
  for (int i = 0; i < n; i++) {
    nothing<<<1, 1>>>();
    if (cudaGetLastError() == cudaErrorLaunchPendingCountExceeded)
      failed++;
  }
  y[0] = failed;
}

extern "C" __global__
void gives_local(int *y)
{
  int own[4] = {y[0], 1, 2, 3};
  stores<<<1, 4>>>(y, own);
  y[1] = own[y[0] & 3];
}

extern "C" __global__
void gives_shared(int *y)
{
  __shared__ int own[4];
  own[threadIdx.x] = 1;
  stores<<<1, 4>>>(y, own);
}

extern "C" __global__
void gives_unused(int *y)
{
  __shared__ int own[4];
  own[threadIdx.x] = 1;
  ignores<<<1, 1>>>(y, own);
}

extern "C" __global__
void beyond(int *y, int n)
{
  twice<<<1, 256>>>(y, y + n, n);
}
