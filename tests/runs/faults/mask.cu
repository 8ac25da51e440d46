// mask.cu: member masks that name lanes which never come, and shuffles from lanes that take no part.

// Half of the warp shuffles, the mask names all of it.
//: run absent_lanes -b 32 -a i32[32]=zero
//: expect bad_mask @absent_lanes "lanes 16-31"
extern "C" __global__ void absent_lanes(int *out) {
  int t = threadIdx.x;
  if (t < 16) out[t] = __shfl_xor_sync(0xffffffff, t, 1);       // @absent_lanes
  else if (out[t] == 0) return;
}

// A lane that the mask does not name calls.
//: run caller_outside -b 32 -a i32[32]=zero
//: expect bad_mask @caller_outside "lanes 16-31 execute this with the member mask 0x0000ffff, which does not name them"
extern "C" __global__ void caller_outside(int *out) {
  out[threadIdx.x] = __shfl_down_sync(0x0000ffff, threadIdx.x, 1);   // @caller_outside
}

// Two ways meet at different lines with a mask of everybody: neither is complete.
//: run ended_lanes -b 32 -a i32[32]=iota
//: expect bad_mask @ended_lanes "lanes 24-31"
extern "C" __global__ void ended_lanes(int *data) {
  int t = threadIdx.x;
  if (t >= 24) return;
  data[t] = __ballot_sync(0xffffffff, data[t] > 3);             // @ended_lanes
}

// __syncwarp for all lanes in a branch that some take.
//: run syncwarp_in_branch -b 32 -a i32[32]=zero
//: expect bad_mask @syncwarp_in_branch
extern "C" __global__ void syncwarp_in_branch(int *out) {
  int t = threadIdx.x;
  if (t % 2) {
    out[t] = 1;
    __syncwarp();                                               // @syncwarp_in_branch
    out[t] = 2;
  } else {
    while (*(volatile int *)&out[t] == 1) continue;
    __syncthreads();
  }
}

// The right mask for a half, but the source is in the other half.
//: run from_the_other_half -b 32 -a i32[32]=zero
//: expect inactive_source @from_the_other_half thread 0 "lane 16"
extern "C" __global__ void from_the_other_half(int *out) {
  int t = threadIdx.x;
  if (t < 16) out[t] = __shfl_xor_sync(0x0000ffff, t, 16);      // @from_the_other_half
}

// A broadcast from lane 0 to those that are left; lane 0 is not.
//: run leader_gone -b 32 -a i32[32]=zero
//: expect inactive_source @leader_gone thread 4 "lane 0"
extern "C" __global__ void leader_gone(int *out) {
  int t = threadIdx.x;
  if (t < 4) return;
  out[t] = __shfl_sync(0xfffffff0, t, 0);                       // @leader_gone
}

// A warp that is not full: the block has 40 threads.
//: run short_warp -b 40 -a i32[40]=zero
//: expect inactive_source @short_warp thread 36 "lane 8"
extern "C" __global__ void short_warp(int *out) {
  int t = threadIdx.x;
  if (t >= 32) out[t] = __shfl_down_sync(0x000000ff, t, 4);     // @short_warp
}
