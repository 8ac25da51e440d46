// barrier.cu: barriers that not all reach, in divergent code, or that wait for one another.

// Half of a warp goes to the barrier and half goes past it.
//: run half_a_warp -b 32 -a i32[32]=zero
//: expect divergent_barrier @half_a_warp "lanes 0-15 of warp 0" "without lanes 16-31"
extern "C" __global__ void half_a_warp(int *out) {
  if (threadIdx.x < 16) __syncthreads();                        // @half_a_warp
  out[threadIdx.x] = 1;
}

// Both ways have a barrier, but not the same one.
//: run one_each_way -b 64 -a i32[64]=zero
//: expect divergent_barrier @even_barrier "without"
extern "C" __global__ void one_each_way(int *out) {
  if (threadIdx.x % 2) {
    out[threadIdx.x] = 1;
    __syncthreads();                                            // @even_barrier
    out[threadIdx.x] += 1;
  } else {
    out[threadIdx.x] = 2;
    __syncthreads();                                            // @even_barrier
    out[threadIdx.x] *= 2;
  }
}

// A loop with a barrier that runs as often as the thread's own number says.
//: run barrier_in_loop -b 32 -a i32[32]=zero
//: expect divergent_barrier @barrier_in_loop "without"
extern "C" __global__ void barrier_in_loop(int *out) {
  #pragma unroll 1
  for (int i = 0; i <= threadIdx.x % 4; i++) {
    out[threadIdx.x] += i;
    __syncthreads();                                            // @barrier_in_loop
  }
}

// The guard for the end of the data returns threads of a warp whose others go on to the barrier, which is allowed.
//: run return_before -b 64 -a i32[64]=iota -a i32=40
//: expect exited_lanes @return_before "lanes 0-7 of warp 1" "without lanes 8-31"
extern "C" __global__ void return_before(int *data, int n) {
  int i = threadIdx.x;
  if (i >= n) return;
  data[i] += 1;
  __syncthreads();                                              // @return_before
  data[i] *= 2;
}

// The barrier counts 96 threads, but only 64 ever come.
//: run too_many_expected -b 64 -a i32[64]=zero
//: expect deadlock @too_many_expected "warps 0-1 wait at barrier 1" "96"
extern "C" __global__ void too_many_expected(int *out) {
  asm volatile("bar.sync 1, 96;");                              // @too_many_expected
  out[threadIdx.x] = 1;
}

// Two warps, two barriers, each waits for the other at another one.
//: run crosswise -b 64 -a i32[64]=zero
//: expect deadlock "warp 0 waits at barrier 1" "warp 1 waits at barrier 2"
extern "C" __global__ void crosswise(int *out) {
  if (threadIdx.x < 32) {
    asm volatile("bar.sync 1, 64;");
    asm volatile("bar.sync 2, 64;");
  } else {
    asm volatile("bar.sync 2, 64;");
    asm volatile("bar.sync 1, 64;");
  }
  out[threadIdx.x] = 1;
}

// One warp has left; a barrier with a count still waits for it.
//: run left_early -b 96 -a i32[96]=zero
//: expect deadlock @left_early "warps 0-1 wait at barrier 3" "warp 2 ended"
extern "C" __global__ void left_early(int *out) {
  if (threadIdx.x >= 64) return;
  out[threadIdx.x] = 1;
  asm volatile("bar.sync 3, 96;");                              // @left_early
  out[threadIdx.x] = 2;
}
