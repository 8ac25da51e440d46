// volatile.cu: volatile makes every access reach memory. It orders nothing, and a load and a store stay two steps.
// Flags, locks and tickets through volatile are right with fences around them.

// ---- between lanes and warps ---------------------------------------------------------------------------------------

// The last steps of a sum as they were written before Volta, when the lanes of a warp ran in step.
//: run tree_of_volatiles -b 32 -a i32[32]=iota -a i32[1]=none --sched its
//: expect race @tree_step @tree_step "sum[" "volatile does not order them"
//: wrong 2 tree_of_volatiles_synced
//: run tree_of_volatiles -b 32 -a i32[32]=iota -a i32[1]=none --sched stack
//: clean
extern "C" __global__ void tree_of_volatiles(const int *in, int *out) {
  __shared__ volatile int sum[64];
  int t = threadIdx.x;
  sum[t] = in[t];
  sum[t + 32] = 0;
  __syncwarp();
  sum[t] += sum[t + 16];                                        // @tree_step
  sum[t] += sum[t + 8];                                         // @tree_step
  sum[t] += sum[t + 4];                                         // @tree_step
  sum[t] += sum[t + 2];                                         // @tree_step
  sum[t] += sum[t + 1];                                         // @tree_step
  __syncwarp();
  if (t == 0) *out = sum[0];
}

//: run tree_of_volatiles_synced -b 32 -a i32[32]=iota -a i32[1]=none
//: clean
extern "C" __global__ void tree_of_volatiles_synced(const int *in, int *out) {
  __shared__ volatile int sum[64];
  int t = threadIdx.x;
  sum[t] = in[t];
  sum[t + 32] = 0;
  __syncwarp();
  #pragma unroll 1
  for (int d = 16; d > 0; d /= 2) {
    int other = sum[t + d];
    __syncwarp();
    sum[t] += other;
    __syncwarp();
  }
  if (t == 0) *out = sum[0];
}

// Neighbors of another warp, and no barrier.
//: run turned -b 64 -a i32[64]=iota -a i32[64]=none
//: expect race @turned_write @turned_read "tile[" "volatile does not order them"
extern "C" __global__ void turned(const int *in, int *out) {
  __shared__ volatile int tile[64];
  int t = threadIdx.x;
  tile[t] = in[t];                                              // @turned_write
  out[t] = tile[63 - t];                                        // @turned_read
}

//: run turned_with_barrier -b 64 -a i32[64]=iota -a i32[64]=none
//: clean
extern "C" __global__ void turned_with_barrier(const int *in, int *out) {
  __shared__ volatile int tile[64];
  int t = threadIdx.x;
  tile[t] = in[t];
  __syncthreads();
  out[t] = tile[63 - t];
}

// Every thread leaves its number: one of them stays.
//: run last_one_wins -b 64 -a i32[1]=none
//: expect race @last_one_wins "who"
extern "C" __global__ void last_one_wins(int *out) {
  __shared__ volatile int who;
  who = threadIdx.x;                                            // @last_one_wins
  __syncthreads();
  if (threadIdx.x == 0) *out = who >= 0;
}

// All leave the same.
//: run all_agree -b 96 -a i32[1]=zero -a i32[1]=none
//: clean
extern "C" __global__ void all_agree(volatile int *seen, int *out) {
  __shared__ volatile int any;
  if (threadIdx.x == 0) any = 0;
  __syncthreads();
  if (threadIdx.x % 3 == 0) any = 1;
  *seen = 1;
  __syncthreads();
  if (threadIdx.x == 0) *out = any;
}

// ---- between blocks ------------------------------------------------------------------------------------------------

// Data and flag, and nothing says that the data comes first.
//: run sum_then_flag -g 2 -b 32 -a i32[1]=zero -a i32[1]=zero -a i32[1]=none
//: expect race @sum_then_flag_write @sum_then_flag_read "argument 1[0]" "volatile does not order them"
extern "C" __global__ void sum_then_flag(volatile int *sum, volatile int *ready, int *out) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    *sum = 42;                                                  // @sum_then_flag_write
    *ready = 1;
  } else {
    while (*ready == 0) continue;
    *out = *sum;                                                // @sum_then_flag_read
  }
}

//: run sum_fence_flag -g 2 -b 32 -a i32[1]=zero -a i32[1]=zero -a i32[1]=none
//: clean
extern "C" __global__ void sum_fence_flag(volatile int *sum, volatile int *ready, int *out) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    *sum = 42;
    __threadfence();
    *ready = 1;
  } else {
    while (*ready == 0) continue;
    __threadfence();
    *out = *sum;
  }
}

// A fence for its own block, where another block looks.
//: run sum_block_fence_flag -g 2 -b 32 -a i32[1]=zero -a i32[1]=zero -a i32[1]=none
//: expect race @sum_block_fence_write @sum_block_fence_read "argument 1[0]"
extern "C" __global__ void sum_block_fence_flag(volatile int *sum, volatile int *ready, int *out) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    *sum = 42;                                                  // @sum_block_fence_write
    __threadfence_block();
    *ready = 1;
  } else {
    while (*ready == 0) continue;
    __threadfence_block();
    *out = *sum;                                                // @sum_block_fence_read
  }
}

// Flag and data of one block, for which such a fence is enough.
//: run fence_of_block -b 64 -a i32[1]=zero -a i32[1]=none
//: clean
extern "C" __global__ void fence_of_block(volatile int *ready, int *out) {
  __shared__ volatile int sum;
  if (threadIdx.x == 0) {
    sum = 42;
    __threadfence_block();
    *ready = 1;
  }
  if (threadIdx.x == 32) {
    while (*ready == 0) continue;
    __threadfence_block();
    *out = sum;
  }
}

// Parts of a sum are volatile, but the last one may take its ticket before they are there.
//: run ticket_of_volatiles -g 4 -b 32 -a i32[4]=zero -a i32[1]=zero -a i32[1]=none
//: expect race @ticket_of_volatiles_write @ticket_of_volatiles_read "argument 1[" "volatile does not order them"
extern "C" __global__ void ticket_of_volatiles(volatile int *part, int *ticket, int *out) {
  if (threadIdx.x != 0) return;
  part[blockIdx.x] = blockIdx.x + 1;                            // @ticket_of_volatiles_write
  if (atomicAdd(ticket, 1) != (int)gridDim.x - 1) return;
  int sum = 0;
  #pragma unroll 1
  for (int b = 0; b < (int)gridDim.x; b++) sum += part[b];      // @ticket_of_volatiles_read
  *out = sum;
  *ticket = 0;
}

//: run ticket_with_fence -g 4 -b 32 -a i32[4]=zero -a i32[1]=zero -a i32[1]=none
//: clean
extern "C" __global__ void ticket_with_fence(volatile int *part, int *ticket, int *out) {
  __shared__ bool last;
  if (threadIdx.x == 0) {
    part[blockIdx.x] = blockIdx.x + 1;
    __threadfence();
    last = atomicAdd(ticket, 1) == (int)gridDim.x - 1;
  }
  __syncthreads();
  if (!last || threadIdx.x != 7) return;
  __threadfence();
  int sum = 0;
  #pragma unroll 1
  for (int b = 0; b < (int)gridDim.x; b++) sum += part[b];
  *out = sum;
  *ticket = 0;
}

// Flag and value in one word: whoever sees the flag has the value.
//: run one_word -g 6 -b 32 -a u64[6]=zero -a i32[6]=none -a i32[1]=zero
//: clean
extern "C" __global__ void one_word(volatile unsigned long long *state, int *out, int *ticket) {
  if (threadIdx.x != 0) return;
  unsigned long long before = 0;
  int me = atomicAdd(ticket, 1);
  if (me > 0) do before = state[me - 1]; while (before >> 32 == 0);
  int sum = (int)before + me;
  state[me] = 1ull << 32 | (unsigned)sum;
  out[me] = sum;
}

// Blocks that come later need not search on. Nobody waits, and it is no matter who sets it.
//: run found_already -g 4 -b 64 -a i32[256]=iota -a i32[1]=zero
//: clean
extern "C" __global__ void found_already(const int *in, volatile int *found) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (*found) return;
  if (in[i] % 50 == 49) *found = 1;
}

// A counter that others raise with an atomic is looked at.
//: run look_at_counter -g 4 -b 64 -a i32[1]=zero -a i32[1]=zero
//: clean
extern "C" __global__ void look_at_counter(int *count, int *enough) {
  if (*(volatile int *)count > 1000) { atomicExch(enough, 1); return; }
  atomicAdd(count, 1);
}

// ---- two steps -----------------------------------------------------------------------------------------------------

//: run count_in_steps -b 32 -a i32[1]=zero
//: expect lost_update @count_in_steps "argument 1[0] by a load and a store" "may store there in between"
//: run count_in_steps -g 3 -b 1 -a i32[1]=zero
//: expect lost_update @count_in_steps "argument 1[0] by a load and a store" "of block (0,0,0)"
extern "C" __global__ void count_in_steps(volatile int *count) {
  *count += 1;                                                  // @count_in_steps
}

//: run count_at_once -g 3 -b 32 -a i32[1]=zero
//: clean
extern "C" __global__ void count_at_once(int *count) { atomicAdd(count, 1); }

// A ticket in two steps, between warps in shared memory.
//: run shared_ticket -b 64 -a i32[64]=zero
//: expect lost_update "next[0] by a load and a store"
extern "C" __global__ void shared_ticket(int *out) {
  __shared__ volatile int next;
  if (threadIdx.x == 0) next = 0;
  __syncthreads();
  int mine = next;
  next = mine + 1;
  out[threadIdx.x] = mine;
}

// The larger one stays, perhaps.
//: run largest_in_steps -g 4 -b 32 -a i32[128]=mod:50 -a i32[1]=zero
//: expect lost_update "argument 2[0]"
extern "C" __global__ void largest_in_steps(const int *in, volatile int *best) {
  int mine = in[blockIdx.x * blockDim.x + threadIdx.x] + blockIdx.x;
  if (mine > *best) *best = mine;
}

// Each its own word.
//: run own_counter -g 3 -b 40 -a i32[120]=iota
//: clean
extern "C" __global__ void own_counter(volatile int *count) {
  count[blockIdx.x * blockDim.x + threadIdx.x] += 1;
}

// A lock keeps others out, but its atomics order nothing else.
//: run lock_no_fence -g 4 -b 64 -a i32[1]=zero -a i32[1]=zero
//: expect lost_update @lock_no_fence "argument 2[0]" "of block (0,0,0)"
extern "C" __global__ void lock_no_fence(int *lock, volatile int *total) {
  if (threadIdx.x % 32) return;
  while (atomicCAS(lock, 0, 1) != 0) continue;
  *total += blockIdx.x + 1;                                     // @lock_no_fence
  atomicExch(lock, 0);
}

//: run lock_with_fences -g 4 -b 64 -a i32[1]=zero -a i32[1]=zero
//: clean
extern "C" __global__ void lock_with_fences(int *lock, volatile int *total) {
  if (threadIdx.x % 32) return;
  while (atomicCAS(lock, 0, 1) != 0) continue;
  __threadfence();
  *total += blockIdx.x + 1;
  __threadfence();
  atomicExch(lock, 0);
}

// Blocks hand on a word that only the one whose turn it is changes.
//: run handed_on -g 5 -b 32 -a i32[1]=zero -a i32[5]=none -a i32[1]=zero
//: clean
extern "C" __global__ void handed_on(volatile int *turn, int *out, int *ticket) {
  if (threadIdx.x != 0) return;
  int me = atomicAdd(ticket, 1);
  while (*turn != me) continue;
  __threadfence();
  out[me] = *turn;
  __threadfence();
  *turn = *turn + 1;
}
