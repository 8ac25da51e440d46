// kernels.cu: signatures of many kinds, for test_own.c. kernels.g.ptx is made of it:
//   nvcc -ptx -G -arch=compute_75 kernels.cu -o kernels.g.ptx
struct Body { float x, y, z; int kind; };

extern "C" __global__ void saxpy(int n, float a, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

extern "C" __global__ void blur(const unsigned char *in, unsigned char *out, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height) out[y * width + x] = in[y * width + x] / 2;
}

extern "C" __global__ void product(const float *A, const float *B, float *C, int M, int N, int K) {
  int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  if (row >= M || column >= N) return;
  for (int k = 0; k < K; k++) sum += A[row * K + k] * B[k * N + column];
  C[row * N + column] = sum;
}

extern "C" __global__ void transpose(double *out, const double *in, int n) {
  __shared__ double tile[16][17];
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  if (x < n && y < n) tile[threadIdx.y][threadIdx.x] = in[y * n + x];
  __syncthreads();
  if (x < n && y < n) out[x * n + y] = tile[threadIdx.y][threadIdx.x];
}

extern "C" __global__ void reduce(const int *data, int *sum) {
  extern __shared__ int part[];
  part[threadIdx.x] = data[blockIdx.x * blockDim.x + threadIdx.x];
  __syncthreads();
  for (int k = blockDim.x / 2; k > 0; k /= 2) {
    if (threadIdx.x < k) part[threadIdx.x] += part[threadIdx.x + k];
    __syncthreads();
  }
  if (threadIdx.x == 0) sum[blockIdx.x] = part[0];
}

extern "C" __global__ void __launch_bounds__(128) bodies(Body *all, float4 *places, bool swap, double d, unsigned long long numBodies, int stride) {
  unsigned long long i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= numBodies) return;
  all[i].x = swap ? places[i].y : places[i].x + (float)d * stride;
}

extern "C" __global__ void box(float *cells, int nx, int ny, int nz) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x < nx && y < ny && z < nz) cells[(z * ny + y) * nx + x] = 1;
}

extern "C" __global__ void nothing() {}

template <typename T, int N> __global__ void fill(T *out, T value) { out[blockIdx.x * N + threadIdx.x] = value; }
template __global__ void fill<int, 32>(int *, int);
