// mask.cu: member masks that name lanes which never come, and shuffles from lanes that take no part.

// Half of the warp shuffles, the mask names all of it.
//: run absent_lanes -b 32 -a i32[32]=zero
//: expect bad_mask @absent_lanes "lanes 16-31"
extern "C" __global__ void absent_lanes(int *out) {
  int t = threadIdx.x, got = t;
  if (t < 16) got = __shfl_xor_sync(0xffffffff, t, 1);          // @absent_lanes
  out[t] = got;
}

// A lane that the mask does not name calls.
//: run caller_outside -b 32 -a i32[32]=zero
//: expect bad_mask @caller_outside "lanes 16-31 execute this with the member mask 0x0000ffff, which does not name them"
extern "C" __global__ void caller_outside(int *out) {
  out[threadIdx.x] = __shfl_down_sync(0x0000ffff, threadIdx.x, 1);   // @caller_outside
}

// The mask names lanes that have returned, which is allowed: they take no part.
//: run ended_lanes -b 32 -a i32[32]=iota
//: expect exited_lanes @ended_lanes "lanes 24-31" "end without it"
extern "C" __global__ void ended_lanes(int *data) {
  int t = threadIdx.x;
  if (t >= 24) return;
  data[t] = __ballot_sync(0xffffffff, data[t] > 3);             // @ended_lanes
}

// __syncwarp for all lanes in a branch that some take.
//: run syncwarp_in_branch -b 32 -a i32[32]=zero --sched its
//: expect bad_mask @syncwarp_in_branch
//: run syncwarp_in_branch -b 32 -a i32[32]=zero --sched stack
//: expect divergent_barrier @the_other_branch
extern "C" __global__ void syncwarp_in_branch(int *out) {
  int t = threadIdx.x;
  if (t % 2) {
    out[t] = 1;
    __syncwarp();                                               // @syncwarp_in_branch
    out[t] = 2;
  } else {
    while (*(volatile int *)&out[t] == 1) continue;
    __syncthreads();                                            // @the_other_branch
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

// A mask with a lane that has returned and lanes that go elsewhere: these are missing.
//: run ended_and_absent -b 32 -a i32[32]=zero --sched its
//: expect bad_mask @ended_and_absent
extern "C" __global__ void ended_and_absent(int *out) {
  int t = threadIdx.x;
  if (t >= 24) return;
  if (t < 8) out[t] = __ballot_sync(0xffffffff, t & 1);         // @ended_and_absent
  else __syncthreads();
}

// A shuffle from a lane that has returned gets nothing, though its mask is allowed.
//: run from_an_ended_lane -b 32 -a i32[32]=zero
//: expect inactive_source @from_an_ended_lane "lane 31"
extern "C" __global__ void from_an_ended_lane(int *out) {
  int t = threadIdx.x;
  if (t >= 30) return;
  out[t] = __shfl_sync(0xffffffff, t, 31);                      // @from_an_ended_lane
}

// The last warp has fewer elements than lanes; the others are done when it comes to its vote.
//: run short_warp_votes -b 64 -a i32[64]=iota -a i32=50
//: expect exited_lanes @short_warp_votes "lanes 18-31"
extern "C" __global__ void short_warp_votes(int *data, int n) {
  int t = threadIdx.x;
  if (t >= n) return;
  data[t] += __any_sync(0xffffffff, data[t] == 45);             // @short_warp_votes
}

// Lanes that are left meet, with a mask that names all.
//: run the_rest_meets -b 32 -a i32[32]=zero
//: expect exited_lanes @the_rest_meets "lanes 0-15"
extern "C" __global__ void the_rest_meets(volatile int *out) {
  int t = threadIdx.x;
  if (t < 16) return;
  out[t] = t;
  __syncwarp();                                                 // @the_rest_meets
  if (t == 16) out[t] += out[17];
}
