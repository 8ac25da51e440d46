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

// A shuffle or a vote brings lanes together, but it is no barrier for memory.
//: run shuffle_between -b 32 -a i32[32]=iota -a i32[32]=none --sched its
//: expect race @shuffle_between_write @shuffle_between_read "slot[" "with no __syncwarp()"
extern "C" __global__ void shuffle_between(const int *in, int *out) {
  __shared__ int slot[32];
  int t = threadIdx.x;
  slot[t] = in[t];                                              // @shuffle_between_write
  int left = __shfl_up_sync(~0u, in[t], 1);
  out[t] = slot[t ^ 1] + left;                                  // @shuffle_between_read
}

//: run ballot_between -b 64 -a i32[64]=iota -a i32[64]=none --sched its
//: expect race @ballot_between_write @ballot_between_read "slot[" "with no __syncwarp()"
extern "C" __global__ void ballot_between(const int *in, int *out) {
  __shared__ int slot[64];
  int t = threadIdx.x;
  slot[t] = in[t];                                              // @ballot_between_write
  unsigned odd = __ballot_sync(~0u, in[t] % 2);
  out[t] = slot[t ^ 1] + __popc(odd);                           // @ballot_between_read
}

// The same in global memory, where one lane leaves a note for the others.
//: run vote_between -b 32 -a i32[1]=zero -a i32[32]=none --sched its
//: expect race @vote_between_write @vote_between_read "argument 1[0]" "with no __syncwarp()"
extern "C" __global__ void vote_between(int *note, int *out) {
  int t = threadIdx.x;
  if (t == 7) *note = 5;                                        // @vote_between_write
  int any = __any_sync(~0u, t > 30);
  out[t] = *note + any;                                         // @vote_between_read
}

// With the barrier of the warp besides.
//: run shuffle_and_syncwarp -b 64 -a i32[64]=iota -a i32[1]=zero -a i32[64]=none
//: clean
extern "C" __global__ void shuffle_and_syncwarp(const int *in, int *note, int *out) {
  __shared__ int slot[64];
  int t = threadIdx.x;
  slot[t] = in[t];
  if (t == 7) *note = 5;
  int left = __shfl_up_sync(~0u, in[t], 1);
  __syncwarp();
  int odd = __popc(__ballot_sync(~0u, in[t] % 2));
  int five = t < 32 ? *note : 5;
  out[t] = slot[t ^ 1] + left + odd + five;
}

// What a shuffle hands on has been read before.
//: run ranked -b 32 -a i32[32]=iota
//: clean
extern "C" __global__ void ranked(int *x) {
  int t = threadIdx.x, mine = x[t] * 7 % 32, rank = 0;
  for (int d = 1; d < 32; d++) rank += __shfl_sync(~0u, mine, (t + d) % 32) < mine;
  x[rank] = mine;
}

// Values that stay in registers need nothing more.
//: run shuffle_alone -b 64 -a i32[64]=iota -a i32[64]=none
//: clean
extern "C" __global__ void shuffle_alone(const int *in, int *out) {
  __shared__ int sums[2];
  int t = threadIdx.x, sum = in[t];
  for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(~0u, sum, d);
  if (t % 32 == 0) sums[t / 32] = sum;
  __syncthreads();
  out[t] = sums[0] + sums[1];
}
