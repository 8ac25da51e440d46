// recursion.cu: calls without end.

// The case that ends it is never met by odd numbers.
__device__ __noinline__ int steps_of_two(int n) {
  if (n == 0) return 0;
  int rest = steps_of_two(n - 2);                               // @steps_of_two
  return rest * rest + 1;
}
//: run odd -b 4 -a i32[4]=iota
//: expect stack_overflow @steps_of_two thread 1 "more calls"
extern "C" __global__ void odd(int *data) {
  data[threadIdx.x] = steps_of_two(data[threadIdx.x]);
}

// Two functions that call each other.
__device__ __noinline__ int pong(int n);
__device__ __noinline__ int ping(int n) { return n > 0 ? pong(n + 1) + 1 : 0; }   // @ping
__device__ __noinline__ int pong(int n) { return n > 0 ? ping(n + 1) + 2 : 0; }   // @pong
//: run ping_pong -b 32 -a i32[32]=iota
//: expect stack_overflow thread 1 "more calls"
extern "C" __global__ void ping_pong(int *data) {
  data[threadIdx.x] = ping(data[threadIdx.x]);
}

// A frame so large that few calls fit.
__device__ __noinline__ int big_frame(int n) {
  volatile int work[1000];
  for (int i = 0; i < 1000; i++) work[i] = n + i;
  if (n == 0) return work[1];
  return work[n % 1000] + big_frame(n - 1);                     // @big_frame
}
//: run big_frames -b 1 -a i32[1]=const:20
//: expect stack_overflow @big_frame thread 0
extern "C" __global__ void big_frames(int *data) {
  data[0] = big_frame(data[0]);
}
