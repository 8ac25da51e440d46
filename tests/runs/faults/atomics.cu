// atomics.cu: atomics beside plain accesses of the same word, and atomics that are for their own block only.
#include <cuda/atomic>

// ---- plain accesses -----------------------------------------------------------------------------------------------

// The first block clears what others may have begun to count in: a barrier of the block holds no other block.
//: run cleared_by_block -g 4 -b 64 -a i32[1]=none
//: expect race @cleared_by_block @counted_by_blocks "argument 1[0]" "nothing orders the two blocks"
extern "C" __global__ void cleared_by_block(int *count) {
  if (blockIdx.x == 0 && threadIdx.x == 0) *count = 0;          // @cleared_by_block
  __syncthreads();
  atomicAdd(count, 1);                                          // @counted_by_blocks
}

// In shared memory, where the barrier is missing.
//: run cleared_no_barrier -b 96 -a i32[1]=zero
//: expect race @cleared_no_barrier @counted_too_soon "count" "no barrier"
extern "C" __global__ void cleared_no_barrier(int *out) {
  __shared__ int count;
  if (threadIdx.x == 0) count = 0;                              // @cleared_no_barrier
  __syncwarp();
  atomicAdd(&count, 1);                                         // @counted_too_soon
  __syncthreads();
  if (threadIdx.x == 0) *out = count;
}

// With both barriers.
//: run cleared_and_counted -g 3 -b 96 -a i32[1]=zero -a i32[3]=none
//: clean
extern "C" __global__ void cleared_and_counted(int *all, int *out) {
  __shared__ int count;
  if (threadIdx.x == 0) count = 0;
  __syncthreads();
  atomicAdd(&count, 1);
  __syncthreads();
  if (threadIdx.x == 0) out[blockIdx.x] = count;
  if (threadIdx.x == 0) atomicAdd(all, count);
}

// The total is taken by the last block, if the others have come so far.
//: run total_too_soon -g 4 -b 32 -a i32[1]=zero -a i32[1]=none
//: expect race @counted_last @taken_too_soon "argument 1[0]" "nothing orders the two blocks"
extern "C" __global__ void total_too_soon(int *total, int *out) {
  atomicAdd(total, 2);                                          // @counted_last
  __syncthreads();
  if (blockIdx.x == gridDim.x - 1 && threadIdx.x == 0) *out = *total;   // @taken_too_soon
}

// Other warps may still be counting. Each lane puts its number where its ticket says.
//: run length_too_soon -b 96 -a i32[96]=none -a i32[1]=none
//: expect race @ticket_taken @length_taken "length" "no barrier"
extern "C" __global__ void length_too_soon(int *list, int *out) {
  __shared__ int length;
  if (threadIdx.x == 0) length = 0;
  __syncthreads();
  list[atomicAdd(&length, 1)] = threadIdx.x;                    // @ticket_taken
  if (threadIdx.x == 95) *out = length;                         // @length_taken
}

// The last block to come knows that all the others have counted.
//: run total_by_ticket -g 5 -b 64 -a i32[1]=zero -a u32[1]=zero -a i32[1]=none
//: clean
extern "C" __global__ void total_by_ticket(int *total, unsigned *ticket, int *out) {
  __shared__ bool last;
  atomicAdd(total, 2);
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) last = atomicInc(ticket, gridDim.x - 1) == gridDim.x - 1;
  __syncthreads();
  if (!last || threadIdx.x != 40) return;
  __threadfence();
  *out = *total;
  *total = 0;
}

// ---- plain accesses beside atomics of the same warp ---------------------------------------------------------------

// The last one to count reads what the others of its warp count.
//: run read_after_counting -b 32 --sched its -a i32[1]=zero -a i32[1]=none
//: expect race @counted_by_lanes @read_after_counting "argument 1[0]" "no __syncwarp()"
extern "C" __global__ void read_after_counting(int *count, int *out) {
  atomicAdd(count, 1);                                          // @counted_by_lanes
  if (threadIdx.x == blockDim.x - 1) *out = *count;             // @read_after_counting
}

// The same in shared memory.
//: run read_after_shared_count -b 7 --sched its -a i32[1]=none
//: expect race @counted_in_shared @read_after_shared_count "count" "no __syncwarp()"
extern "C" __global__ void read_after_shared_count(int *out) {
  __shared__ int count;
  if (threadIdx.x == 0) count = 0;
  __syncthreads();
  atomicAdd(&count, 1);                                         // @counted_in_shared
  if (threadIdx.x == blockDim.x - 1) *out = count;              // @read_after_shared_count
}

// In a block of several warps any of the others may still count, whichever warp reads.
//: run read_by_first -b 96 -a i32[1]=zero -a i32[1]=none
//: expect race @counted_before_first @read_by_first "argument 1[0]" "no barrier"
extern "C" __global__ void read_by_first(int *count, int *out) {
  atomicAdd(count, 1);                                          // @counted_before_first
  if (threadIdx.x == 0) *out = *count;                          // @read_by_first
}

//: run read_by_middle -b 96 -a i32[1]=zero -a i32[1]=none
//: expect race @counted_around @read_by_middle "argument 1[0]" "no barrier"
extern "C" __global__ void read_by_middle(int *count, int *out) {
  atomicAdd(count, 1);                                          // @counted_around
  if (threadIdx.x == 40) *out = *count;                         // @read_by_middle
}

// The warp has met.
//: run read_after_meeting -b 32 -a i32[1]=zero -a i32[1]=none
//: clean
extern "C" __global__ void read_after_meeting(int *count, int *out) {
  atomicAdd(count, 1);
  __syncwarp();
  if (threadIdx.x == 31) *out = *count;
}

// Nobody else's atomics.
//: run counted_for_itself -b 64 -a i32[64]=zero -a i32[64]=none
//: clean
extern "C" __global__ void counted_for_itself(int *counts, int *out) {
  atomicAdd(&counts[threadIdx.x], 1);
  atomicAdd(&counts[threadIdx.x], 2);
  out[threadIdx.x] = counts[threadIdx.x];
}

// ---- atomicCAS that fails -----------------------------------------------------------------------------------------

// One thread wins in each round and may read what it wrote: those that lose write nothing. Each result is another one's
// number, so their sum is told.
//: run rounds_in_shared -b 64 -a i32[1]=zero -a i32[1]=none
//: clean
extern "C" __global__ void rounds_in_shared(int *sum, int *out) {
  __shared__ int word;
  if (threadIdx.x == 0) word = 0;
  bool done = false;
  for (int round = 0; round < blockDim.x; round++) {
    __syncthreads();
    int before = word;
    __syncthreads();
    if (!done && atomicCAS(&word, before, before + 1) == before) {
      done = true;
      atomicAdd(sum, word);
    }
  }
  __syncthreads();
  if (threadIdx.x == 0) *out = word;
}

//: run rounds_in_global -b 48 -a i32[1]=zero -a i32[1]=zero
//: clean
extern "C" __global__ void rounds_in_global(int *word, int *sum) {
  bool done = false;
  for (int round = 0; round < blockDim.x; round++) {
    __syncthreads();
    int before = *word;
    __syncthreads();
    if (!done && atomicCAS(word, before, before + 1) == before) {
      done = true;
      atomicAdd(sum, *word);
    }
  }
}

// A CAS that fails is a read: a plain store does not go with it.
//: run looked_and_stored -b 64 -a i32[1]=zero -a i32[64]=none
//: expect race @stored_plainly @looked_by_cas "argument 1[0]"
extern "C" __global__ void looked_and_stored(int *word, int *out) {
  if (threadIdx.x == 40) *word = 7;                             // @stored_plainly
  else out[threadIdx.x] = atomicCAS(word, 100, 5);              // @looked_by_cas
}

// The CAS of the winner is a write, before which nobody may read plainly.
//: run won_and_read -b 64 -a i32[1]=zero -a i32[64]=none
//: expect race @won_by_cas @read_by_losers "argument 1[0]"
extern "C" __global__ void won_and_read(int *word, int *out) {
  if (threadIdx.x == 0) atomicCAS(word, 0, 5);                  // @won_by_cas
  else out[threadIdx.x] = *word;                                // @read_by_losers
}

// ---- a plain guess before an atomicCAS -------------------------------------------------------------------------------

// As the CUDA guide makes an atomicAdd of doubles.
__device__ double add_by_cas(double *address, double val) {
  unsigned long long *word = (unsigned long long *)address;
  unsigned long long old = *word, assumed;
  do {
    assumed = old;
    old = atomicCAS(word, assumed, __double_as_longlong(val + __longlong_as_double(assumed)));
  } while (assumed != old);
  return __longlong_as_double(old);
}

//: run guessed_double -g 3 -b 64 -a f64[1]=zero
//: expect unchecked_read "argument 1[0]" "atomicCAS checks"
extern "C" __global__ void guessed_double(double *sum) {
  add_by_cas(sum, 1.0);
}

// In shared memory, of one block.
//: run guessed_in_shared -b 96 -a i32[1]=none
//: expect unchecked_read @guessed_in_shared @checked_in_shared "largest" "atomicCAS checks"
extern "C" __global__ void guessed_in_shared(int *out) {
  __shared__ int largest;
  if (threadIdx.x == 0) largest = 0;
  __syncthreads();
  int old = largest, assumed;                                   // @guessed_in_shared
  do {
    assumed = old;
    old = atomicCAS(&largest, assumed, max(assumed, (int)threadIdx.x));   // @checked_in_shared
  } while (old != assumed);
  __syncthreads();
  if (threadIdx.x == 0) *out = largest;
}

// A loop with the test in front.
//: run guessed_before -g 4 -b 32 -a i32[1]=zero
//: expect unchecked_read @guessed_before @checked_in_front "argument 1[0]" "atomicCAS checks"
extern "C" __global__ void guessed_before(int *count) {
  int expected = *count, old;                                   // @guessed_before
  while ((old = atomicCAS(count, expected, expected + 3)) != expected) expected = old;   // @checked_in_front
}

// The atomic is in a function, in both cuts.
__device__ __noinline__ int swap_if(int *word, int expected, int fresh) {
  return atomicCAS(word, expected, fresh);                      // @swap_if
}

//: run guessed_for_call -g 4 -b 32 -a i32[1]=zero
//: expect unchecked_read @guessed_for_call @swap_if "argument 1[0]" "atomicCAS checks"
extern "C" __global__ void guessed_for_call(int *count) {
  int expected = *count, old;                                   // @guessed_for_call
  while ((old = swap_if(count, expected, expected + 3)) != expected) expected = old;
}

// The function compares what it has read with the word behind: nobody checks the read.
__device__ __noinline__ int swap_next_if(int *word, int expected, int fresh) {
  return atomicCAS(word + 1, expected, fresh);
}

//: run guessed_for_another -g 4 -b 32 -a i32[2]=zero
//: expect race @guessed_for_another "argument 1[0]"
extern "C" __global__ void guessed_for_another(int *count) {
  int expected = *count;                                        // @guessed_for_another
  swap_next_if(count, expected, expected + 3);
  atomicAdd(count, 1);
}

// A plain store beside the loop.
//: run guessed_and_stored -b 64 -a i32[1]=zero
//: expect race @guessed_beside @stored_beside "argument 1[0]"
extern "C" __global__ void guessed_and_stored(int *word) {
  if (threadIdx.x == 40) { *word = 100; return; }               // @stored_beside
  int old = *word, assumed;                                     // @guessed_beside
  do {
    assumed = old;
    old = atomicCAS(word, assumed, assumed + 1);                // @checked_beside
  } while (old != assumed);
}

// ---- scope --------------------------------------------------------------------------------------------------------

// Atomics that need not look beyond their own block.
//: run count_of_block -g 4 -b 32 -a i32[1]=zero
//: expect race @count_of_block "argument 1[0]" "for its own block only"
extern "C" __global__ void count_of_block(int *count) {
  atomicAdd_block(count, 1);                                    // @count_of_block
}

//: run counts_of_blocks -g 4 -b 64 -a i32[4]=zero -a i32[1]=zero
//: clean
extern "C" __global__ void counts_of_blocks(int *counts, int *all) {
  atomicAdd_block(&counts[blockIdx.x], 1);
  atomicAdd_system(all, 1);
}

// Released to the block alone.
//: run released_to_block -g 2 -b 32 -a i32[1]=zero -a i32[1]=zero -a i32[1]=none
//: expect race @released_to_block @acquired_elsewhere "argument 1[0]"
extern "C" __global__ void released_to_block(int *sum, int *ready, int *out) {
  cuda::atomic_ref<int, cuda::thread_scope_block> flag(*ready);
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    *sum = 42;                                                  // @released_to_block
    flag.store(1, cuda::memory_order_release);
  } else {
    while (!flag.load(cuda::memory_order_acquire)) continue;
    *out = *sum;                                                // @acquired_elsewhere
  }
}

// Relaxed: the flag comes, and the sum perhaps later.
//: run relaxed_flag -g 2 -b 32 -a i32[1]=zero -a i32[1]=zero -a i32[1]=none
//: expect race @relaxed_flag_write @relaxed_flag_read "argument 1[0]" "nothing orders the two blocks"
extern "C" __global__ void relaxed_flag(int *sum, int *ready, int *out) {
  cuda::atomic_ref<int, cuda::thread_scope_device> flag(*ready);
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    *sum = 42;                                                  // @relaxed_flag_write
    flag.store(1, cuda::memory_order_relaxed);
  } else {
    while (!flag.load(cuda::memory_order_relaxed)) continue;
    *out = *sum;                                                // @relaxed_flag_read
  }
}

//: run released_flag -g 2 -b 64 -a i32[1]=zero -a i32[1]=zero -a i32[1]=none
//: clean
extern "C" __global__ void released_flag(int *sum, int *ready, int *out) {
  cuda::atomic_ref<int, cuda::thread_scope_device> flag(*ready);
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    *sum = 42;
    flag.store(1, cuda::memory_order_release);
  } else {
    while (!flag.load(cuda::memory_order_acquire)) continue;
    *out = *sum;
  }
}

// Relaxed counters need no order.
//: run relaxed_counter -g 3 -b 64 -a i32[1]=zero -a i32[1]=zero
//: clean
extern "C" __global__ void relaxed_counter(int *count, int *large) {
  cuda::atomic_ref<int, cuda::thread_scope_device> c(*count), l(*large);
  if (c.fetch_add(1, cuda::memory_order_relaxed) > 100) l.store(1, cuda::memory_order_relaxed);
}
