// launch.cu: launches of kernels by kernels, as far as the kernel that launches can be told of it.

__global__ void nothing() {}
__global__ void fill(int *to, int value) { to[threadIdx.x] = value; }   // @fill
__global__ void ignore(int *to, int *) { to[0] = 1; }

// What fits, and an error that somebody looks for where there is none.
//: run fits -g 2 -b 40 -a i32[80]=none
//: clean
extern "C" __global__ void fits(int *out) {
  if (threadIdx.x == 0) nothing<<<1, 1024, 48 << 10, cudaStreamFireAndForget>>>();
  out[blockIdx.x * blockDim.x + threadIdx.x] = cudaGetLastError();
}

//: run no_blocks -b 33 -a i32[33]=none -a i32=0
//: expect device_call @no_blocks thread 0 "launches nothing<<<0, 32>>>: a grid without blocks (cudaErrorInvalidConfiguration)"
extern "C" __global__ void no_blocks(int *out, int n) {
  if (threadIdx.x == 0) nothing<<<n, 32>>>();                  // @no_blocks
  out[threadIdx.x] = n;
}

//: run too_many_threads -b 1 -a i32[1]=none
//: expect device_call @too_many thread 0 "launches nothing<<<1, (64,32,1)>>>" "a block has at most 1024 threads"
extern "C" __global__ void too_many_threads(int *out) {
  nothing<<<1, dim3(64, 32)>>>();                              // @too_many
  out[0] = cudaGetLastError();
}

//: run too_much_shared -b 1 -a i32[1]=none
//: expect device_call @shared thread 0 "more than 48 KB of shared memory"
extern "C" __global__ void too_much_shared(int *out) {
  nothing<<<1, 32, 50000>>>();                                 // @shared
  out[0] = cudaGetLastError();
}

// A stream is the block's that made it.
//: run of_another_block -g 2 -b 1 -a u64[1]=zero
//: expect device_call @another block 1 "the stream is none of its block (cudaErrorInvalidValue)"
extern "C" __global__ void of_another_block(cudaStream_t *stream) {
  if (blockIdx.x == 0) {
    cudaStreamCreateWithFlags(stream, cudaStreamNonBlocking);
    __threadfence();
  } else {
    nothing<<<1, 1, 0, (cudaStream_t)0x1000>>>();              // @another
  }
}

//: run own_variable -b 1 -a i32[4]=iota
//: expect child_pointer @variable @fill thread 0 "gives fill the address of its own local memory"
extern "C" __global__ void own_variable(int *out) {
  int own[4] = {out[0], 1, 2, 3};
  fill<<<1, 4>>>(own, 5);                                      // @variable
  out[1] = own[out[0] & 3];
}

//: run own_shared -b 40 -a i32[40]=none
//: expect child_pointer @own_shared @fill thread 0 "gives fill the address of its own shared memory"
extern "C" __global__ void own_shared(int *out) {
  __shared__ int own[40];
  own[threadIdx.x] = threadIdx.x;
  __syncthreads();
  if (threadIdx.x == 0) fill<<<1, 40>>>(own, 5);               // @own_shared
  out[threadIdx.x] = own[39 - threadIdx.x];
}

//: run own_dynamic -b 40 -s 160 -a i32[40]=none
//: expect child_pointer @own_dynamic @fill thread 3 "gives fill the address of its own shared memory"
extern "C" __global__ void own_dynamic(int *out) {
  extern __shared__ int room[];
  room[threadIdx.x] = threadIdx.x;
  __syncthreads();
  if (threadIdx.x == 3) fill<<<1, 8>>>(room + 8, 5);           // @own_dynamic
  out[threadIdx.x] = room[39 - threadIdx.x];
}

// The child does not use it.
//: run not_used -b 4 -a i32[4]=none
//: clean
extern "C" __global__ void not_used(int *out) {
  __shared__ int own[4];
  own[threadIdx.x] = threadIdx.x;
  __syncthreads();
  if (threadIdx.x == 0) ignore<<<1, 1, 0, cudaStreamTailLaunch>>>(out, own);
  out[threadIdx.x] = own[3 - threadIdx.x];
}
