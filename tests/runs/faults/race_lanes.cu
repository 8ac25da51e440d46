// race_lanes.cu: lanes of one warp that access the same place in different instructions, with nothing that holds them
// together. Before Volta (--sched stack) they run in step and are right.

// Lanes of one warp exchange through shared memory, and nothing holds them together since Volta.
//: run no_syncwarp -b 32 -a i32[32]=iota -a i32[32]=none --sched its
//: expect race @no_syncwarp_write @no_syncwarp_read "slot[" "__syncwarp"
//: wrong 2 syncwarp
extern "C" __global__ void no_syncwarp(const int *in, int *out) {
  __shared__ int slot[32];
  int t = threadIdx.x;
  slot[t] = 0;
  __syncwarp();
  slot[t] = in[t];                                              // @no_syncwarp_write
  out[t] = slot[t ^ 1];                                         // @no_syncwarp_read
}

// The same as it should be.
//: run syncwarp -b 32 -a i32[32]=iota -a i32[32]=none
//: clean
extern "C" __global__ void syncwarp(const int *in, int *out) {
  __shared__ int slot[32];
  int t = threadIdx.x;
  slot[t] = 0;
  __syncwarp();
  slot[t] = in[t];
  __syncwarp();
  out[t] = slot[t ^ 1];
}

// The last steps of a tree inside one warp, as it was written before Volta.
//: run warp_tree -b 32 -a i32[32]=iota -a i32[1]=none --sched its
//: expect race "sum["
//: wrong 2 warp_tree_synced
extern "C" __global__ void warp_tree(const int *in, int *out) {
  __shared__ int sum[64];
  int t = threadIdx.x;
  sum[t] = in[t];
  sum[t + 32] = 0;
  __syncwarp();
  sum[t] += sum[t + 16];
  sum[t] += sum[t + 8];
  sum[t] += sum[t + 4];
  sum[t] += sum[t + 2];
  sum[t] += sum[t + 1];
  __syncwarp();
  if (t == 0) *out = sum[0];
}

// As it has to be written now: reads and writes of a step are kept apart, too.
//: run warp_tree_synced -b 32 -a i32[32]=iota -a i32[1]=none
//: clean
extern "C" __global__ void warp_tree_synced(const int *in, int *out) {
  __shared__ int sum[64];
  int t = threadIdx.x;
  sum[t] = in[t];
  sum[t + 32] = 0;
  __syncwarp();
  #pragma unroll 1
  for (int k = 16; k > 0; k /= 2) {
    int other = sum[t + k];
    __syncwarp();
    sum[t] += other;
    __syncwarp();
  }
  if (t == 0) *out = sum[0];
}
