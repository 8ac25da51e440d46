// triple.cu: a program that checks itself, with a variable of the module, an event, dynamic shared memory and printf.
#include <cstdio>

__constant__ int factor[2];
__device__ int launches;

__global__ void triple(int *out, const int *in, int n) {
  extern __shared__ int tile[];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  tile[threadIdx.x] = i < n ? in[i] : 0;
#ifndef FORGET
  __syncthreads();
#endif
  int other = blockDim.x - 1 - threadIdx.x;
  int place = blockIdx.x * blockDim.x + other;
  if (place < n) out[place] = factor[1] * tile[other];
  if (i == 0) {
    launches++;
    printf("from the kernel: %d\n", n);
  }
}

int main(int count, char **words) {
  const int n = 100, factors[2] = {1, 3};
  int in[n], out[n], told = 0, wrong = 0, *d_in, *d_out;
  float milliseconds = 0;
  cudaEvent_t start, stop;
  for (int i = 0; i < n; i++) in[i] = 7 * i - 50;
  cudaMalloc(&d_in, sizeof in);
  cudaMalloc(&d_out, sizeof out);
  cudaMemcpy(d_in, in, sizeof in, cudaMemcpyHostToDevice);
  cudaMemcpyToSymbol(factor, factors, sizeof factors);
  cudaEventCreate(&start);
  cudaEventCreate(&stop);
  cudaEventRecord(start);
  triple<<<2, 64, 64 * sizeof(int)>>>(d_out, d_in, count > 1 ? n + 1 : n);
  cudaEventRecord(stop);
  cudaEventElapsedTime(&milliseconds, start, stop);
  cudaMemcpyFromSymbol(&told, launches, sizeof told);
  if (cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost) != cudaSuccess) printf("it stopped\n");
  for (int i = 0; i < n; i++) wrong += out[i] != 3 * in[i];
  printf("%s, %d launch, %s\n", wrong ? "WRONG" : "RIGHT", told, milliseconds > 0 ? "some time" : "no time");
  return wrong != 0;
}
