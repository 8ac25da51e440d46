// correct.cu: kernels that look dangerous and are right: no fault may be told, whatever the order of warps and lanes.

// Two tiles in turn, one barrier per step.
//: run double_buffer -b 64 -a i32[512]=iota -a i32[64]=none
//: clean
extern "C" __global__ void double_buffer(const int *in, int *out) {
  __shared__ int tile[2][64];
  int t = threadIdx.x, sum = 0;
  tile[0][t] = in[t];
  #pragma unroll 1
  for (int i = 0; i < 8; i++) {
    __syncthreads();
    if (i < 7) tile[(i + 1) & 1][t] = in[64 * (i + 1) + t];
    sum += tile[i & 1][63 - t];
  }
  out[t] = sum;
}

// Warps 0-1 produce, warps 2-3 consume: full and empty are two barriers of 128 threads.
//: run named_barriers -b 128 -a i32[64]=none
//: clean
extern "C" __global__ void named_barriers(int *out) {
  __shared__ int slot[64];
  int t = threadIdx.x, sum = 0;
  if (t < 64) {
    #pragma unroll 1
    for (int i = 0; i < 4; i++) {
      if (i > 0) asm volatile("bar.sync 2, 128;" ::: "memory");
      slot[t] = 10 * i + t;
      asm volatile("bar.arrive 1, 128;" ::: "memory");
    }
  } else {
    #pragma unroll 1
    for (int i = 0; i < 4; i++) {
      asm volatile("bar.sync 1, 128;" ::: "memory");
      sum += slot[127 - t];
      if (i < 3) asm volatile("bar.arrive 2, 128;" ::: "memory");
    }
    out[t - 64] = sum;
  }
}

// A loop over the grid's stride that ends in an atomic.
//: run grid_stride -g 3 -b 64 -a i32[1000]=iota -a i32=1000 -a i32[1]=zero
//: clean
extern "C" __global__ void grid_stride(const int *in, int n, int *sum) {
  int mine = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) mine += in[i];
  atomicAdd(sum, mine);
}

// The last block adds up what the others left: sum, fence, ticket.
//: run last_block -g 5 -b 64 -a i32[320]=iota -a i32[5]=none -a u32[1]=zero -a i32[1]=none
//: clean
extern "C" __global__ void last_block(const int *in, int *partial, unsigned *ticket, int *out) {
  __shared__ int sum;
  __shared__ bool last;
  int t = threadIdx.x;
  if (t == 0) sum = 0;
  __syncthreads();
  atomicAdd(&sum, in[blockIdx.x * blockDim.x + t]);
  __syncthreads();
  if (t == 0) {
    partial[blockIdx.x] = sum;
    __threadfence();
    last = atomicAdd(ticket, 1u) == gridDim.x - 1;
  }
  __syncthreads();
  if (last && t == 0) {
    __threadfence();
    int all = 0;
    for (int b = 0; b < gridDim.x; b++) all += partial[b];
    *out = all;
  }
}

// The same as NVIDIA's sample has it: partial sums are volatile for the reader, and one fence is enough.
//: run last_block_volatile -g 5 -b 64 -a i32[320]=iota -a i32[5]=none -a u32[1]=zero -a i32[1]=none
//: clean
extern "C" __global__ void last_block_volatile(const int *in, volatile int *partial, unsigned *ticket, int *out) {
  __shared__ int sum;
  __shared__ bool last;
  int t = threadIdx.x;
  if (t == 0) sum = 0;
  __syncthreads();
  atomicAdd(&sum, in[blockIdx.x * blockDim.x + t]);
  __syncthreads();
  if (t == 0) {
    partial[blockIdx.x] = sum;
    __threadfence();
    last = atomicAdd(ticket, 1u) == gridDim.x - 1;
  }
  __syncthreads();
  if (last && t == 0) {
    int all = 0;
    for (int b = 0; b < gridDim.x; b++) all += partial[b];
    *out = all;
  }
}

// Every thread of the last block reads what thread 0 of the others has published; the barrier passes it on.
//: run last_block_all_read -g 4 -b 64 -a i32[4]=none -a u32[1]=zero -a i32[64]=none
//: clean
extern "C" __global__ void last_block_all_read(int *partial, unsigned *ticket, int *out) {
  __shared__ bool last;
  int t = threadIdx.x;
  if (t == 0) {
    partial[blockIdx.x] = 100 + blockIdx.x;
    __threadfence();
    last = atomicAdd(ticket, 1u) == gridDim.x - 1;
  }
  __syncthreads();
  if (!last) return;
  __threadfence();
  out[t] = partial[t % 4];
}

// A histogram of the block in shared memory, then added to that of the grid.
//: run private_histogram -g 3 -b 64 -a i32[192]=mod:16 -a i32[16]=zero
//: clean
extern "C" __global__ void private_histogram(const int *in, int *bins) {
  __shared__ int mine[16];
  int t = threadIdx.x;
  if (t < 16) mine[t] = 0;
  __syncthreads();
  atomicAdd(&mine[in[blockIdx.x * blockDim.x + t]], 1);
  __syncthreads();
  if (t < 16) atomicAdd(&bins[t], mine[t]);
}

// A warp that ends before a barrier is not waited for.
//: run whole_warps_leave -b 128 -a i32[128]=zero
//: clean
extern "C" __global__ void whole_warps_leave(int *out) {
  __shared__ int slot[64];
  int t = threadIdx.x;
  if (t >= 64) return;
  slot[t] = t;
  __syncthreads();
  out[t] = slot[63 - t];
}

// A shuffle in a branch, with the mask of those that take it.
//: run shuffle_in_branch -b 32 -a i32[32]=zero
//: clean
extern "C" __global__ void shuffle_in_branch(int *out) {
  int t = threadIdx.x;
  if (t < 16) {
    int sum = t;
    for (int k = 8; k > 0; k /= 2) sum += __shfl_xor_sync(0x0000ffff, sum, k);
    out[t] = sum;
  } else {
    out[t] = __shfl_sync(0xffff0000, t, 16);
  }
}

// The mask comes from a vote of everybody.
//: run mask_of_vote -b 64 -a i32[64]=mod:3 -a i32[64]=zero
//: clean
extern "C" __global__ void mask_of_vote(const int *in, int *out) {
  int t = threadIdx.x;
  unsigned mask = __ballot_sync(0xffffffff, in[t] == 1);
  if (in[t] == 1) {
    int leader = __ffs(mask) - 1;
    out[t] = __shfl_sync(mask, t, leader);
  }
}

// A shuffle that reaches beyond the warp's end reads its own value: that is defined.
//: run shuffle_beyond -b 32 -a i32[32]=zero
//: clean
extern "C" __global__ void shuffle_beyond(int *out) {
  out[threadIdx.x] = __shfl_down_sync(0xffffffff, threadIdx.x, 4) + __shfl_up_sync(0xffffffff, threadIdx.x, 4);
}

// A flag between warps: data, fence, flag; the waiting warp spins on a volatile.
//: run volatile_flag -b 64 -a i32[64]=zero
//: clean
extern "C" __global__ void volatile_flag(int *out) {
  __shared__ int data[32];
  __shared__ volatile int flag;
  int t = threadIdx.x;
  if (t == 0) flag = 0;
  __syncthreads();
  if (t < 32) {
    data[t] = t * t;
    __threadfence_block();
    __syncwarp();
    if (t == 0) flag = 1;
  } else {
    while (flag == 0) continue;
    __threadfence_block();
    out[t] = data[63 - t];
  }
}

// One atomic for all lanes that want the same.
//: run warp_aggregated -g 2 -b 64 -a i32[128]=mod:5 -a i32[1]=zero -a i32[128]=zero
//: clean
extern "C" __global__ void warp_aggregated(const int *in, int *count, int *where) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
  unsigned wants = __ballot_sync(0xffffffff, in[i] > 2);
  if (in[i] > 2) {
    int base = 0, leader = __ffs(wants) - 1;
    if (lane == leader) base = atomicAdd(count, __popc(wants));
    base = __shfl_sync(wants, base, leader);
    where[i] = base + __popc(wants & ((1u << lane) - 1)) >= 0;
  }
}

// Neighbors write neighboring bytes of one word.
//: run packed_bytes -b 64 -a u8[64]=none -a i32[16]=none
//: clean
extern "C" __global__ void packed_bytes(unsigned char *bytes, int *words) {
  __shared__ __align__(4) unsigned char tile[64];
  int t = threadIdx.x;
  tile[63 - t] = t;
  bytes[t] = t;
  __syncthreads();
  if (t < 16) words[t] = *(int *)&tile[4 * t] + *(int *)&bytes[4 * t];
}

// Halves of a word belong to two warps: lane t writes the low or the high half.
//: run packed_halves -b 64 -a i32[32]=none
//: clean
extern "C" __global__ void packed_halves(int *out) {
  __shared__ __align__(4) unsigned short halves[64];
  int t = threadIdx.x;
  halves[2 * (t % 32) + t / 32] = t;
  halves[2 * (t % 32) + t / 32] += 1;
  __syncthreads();
  if (t < 32) out[t] = *(int *)&halves[2 * t];
}

// A struct with three bytes of padding is copied whole, field by field.
struct Item { char kind; int value; };
//: run struct_copy -b 32 -a i32[64]=zero
//: clean
extern "C" __global__ void struct_copy(Item *out) {
  __shared__ Item items[32];
  int t = threadIdx.x;
  items[t].kind = t;
  items[t].value = 2 * t;
  __syncthreads();
  out[t].kind = items[31 - t].kind;
  out[t].value = items[31 - t].value;
}

// Structs are copied as words, with the padding that nobody wrote.
__device__ __noinline__ Item make_item(int v) {
  Item item;
  item.kind = v;
  item.value = 2 * v;
  return item;
}
//: run padding -b 32 -a i32[64]=none -a i32[32]=none
//: clean
extern "C" __global__ void padding(Item *items, int *out) {
  __shared__ Item slot[32];
  int t = threadIdx.x;
  Item a = make_item(t), b = a;
  slot[t] = b;
  __syncthreads();
  items[t] = slot[31 - t];
  out[t] = b.kind + b.value;
}

// The first field of a word is set while the others hold anything.
struct Bits { unsigned low : 4, high : 28; };
//: run bit_fields -b 32 -a i32[32]=none
//: clean
extern "C" __global__ void bit_fields(unsigned *out) {
  Bits bits;
  bits.low = 3;
  bits.high = threadIdx.x;
  out[threadIdx.x] = bits.low + bits.high;
}

// All lanes of a warp store the same value at the same place.
//: run same_value -b 32 -a i32[1]=none
//: clean
extern "C" __global__ void same_value(int *out) {
  __shared__ int n;
  n = blockDim.x;
  __syncthreads();
  if (threadIdx.x == 0) *out = n;
}

// A spin lock that is right: fences inside, and the work is done while it is held.
//: run lock_with_fences -b 64 -a i32[1]=zero -a i32[1]=zero --sched its
//: clean
extern "C" __global__ void lock_with_fences(int *lock, int *total) {
  bool done = false;
  while (!done) {
    if (atomicCAS(lock, 0, 1) == 0) {
      __threadfence();
      *total += 1;
      __threadfence();
      atomicExch(lock, 0);
      done = true;
    }
  }
}

// Only thread 0 writes and only thread 0 reads: no barrier is needed.
//: run private_slots -b 96 -a i32[96]=none
//: clean
extern "C" __global__ void private_slots(int *out) {
  __shared__ int slot[96];
  int t = threadIdx.x;
  slot[t] = t;
  #pragma unroll 1
  for (int i = 0; i < 5; i++) slot[t] = slot[t] * 3 + i;
  out[t] = slot[t];
}

// Columns of a matrix in shared memory, each of one thread; rows are read after the barrier.
//: run columns -b 32 -a i32[32]=none
//: clean
extern "C" __global__ void columns(int *out) {
  __shared__ int m[32][33];
  int t = threadIdx.x, sum = 0;
  #pragma unroll 1
  for (int i = 0; i < 32; i++) m[i][t] = i * t;
  __syncthreads();
  #pragma unroll 1
  for (int i = 0; i < 32; i++) sum += m[t][i];
  out[t] = sum;
}

// Reading what everybody reads, while somebody writes elsewhere in the same buffer.
//: run one_buffer_two_parts -g 4 -b 32 -a i32[256]=iota
//: clean
extern "C" __global__ void one_buffer_two_parts(int *data) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  data[128 + i] = data[(i + 1) % 128] + data[0];
}

// A union of a float and its bits.
//: run union_bits -b 32 -a f32[32]=iota -a i32[32]=none
//: clean
extern "C" __global__ void union_bits(const float *in, int *out) {
  union { float f; int i; unsigned char b[4]; } u;
  u.f = in[threadIdx.x];
  out[threadIdx.x] = u.i + u.b[3];
}

// Barriers in a branch that whole warps take.
//: run barrier_by_warp -b 64 -a i32[64]=zero
//: clean
extern "C" __global__ void barrier_by_warp(int *out) {
  __shared__ int slot[64];
  int t = threadIdx.x;
  slot[t] = t;
  if (t < 32) __syncthreads();
  else __syncthreads();
  out[t] = slot[63 - t];
}

// Lanes part, come together at __syncwarp on two ways, and read what the others wrote.
//: run syncwarp_two_ways -b 32 -a i32[32]=zero --sched its
//: clean
extern "C" __global__ void syncwarp_two_ways(int *out) {
  __shared__ int slot[32];
  int t = threadIdx.x;
  if (t % 2) {
    slot[t] = t;
    __syncwarp();
    out[t] = slot[t - 1];
  } else {
    slot[t] = -t;
    __syncwarp();
    out[t] = slot[t + 1];
  }
}

// Groups of eight lanes, each with its own mask.
//: run groups_of_eight -b 64 -a i32[64]=none
//: clean
extern "C" __global__ void groups_of_eight(int *out) {
  __shared__ int slot[64];
  int t = threadIdx.x;
  unsigned mask = 0xffu << (t % 32 / 8 * 8);
  slot[t] = t;
  __syncwarp(mask);
  int other = slot[t ^ 7];
  __syncwarp(mask);
  slot[t] = other;
  __syncwarp(mask);
  out[t] = slot[t ^ 1];
}

// Each block waits for the sum of the one that began before it: data, fence, flag, and the same the other way round.
//: run look_back -g 6 -b 64 -a i32[384]=iota -a i32[6]=zero -a i32[6]=none -a i32[384]=none -a i32[1]=zero --sched its
//: clean
extern "C" __global__ void look_back(const int *in, volatile int *flag, volatile int *prefix, int *out,
                                     int *ticket) {
  __shared__ int s[64];
  __shared__ int before, number;
  int t = threadIdx.x;
  if (t == 0) number = atomicAdd(ticket, 1);
  __syncthreads();
  int b = number;
  s[t] = in[b * 64 + t];
  __syncthreads();
  for (int d = 1; d < 64; d *= 2) {
    int v = t >= d ? s[t - d] : 0;
    __syncthreads();
    s[t] += v;
    __syncthreads();
  }
  if (t == 0) {
    int p = 0;
    if (b > 0) {
      while (flag[b - 1] == 0) continue;
      __threadfence();
      p = prefix[b - 1];
    }
    before = p;
    prefix[b] = p + s[63];
    __threadfence();
    flag[b] = 1;
  }
  __syncthreads();
  out[b * 64 + t] = before + s[t];
}

// Bitonic sort: who exchanges with whom changes with every step.
//: run bitonic -b 128 -a i32[128]=random:3
//: clean
extern "C" __global__ void bitonic(int *data) {
  __shared__ int s[128];
  int t = threadIdx.x;
  s[t] = data[t];
  __syncthreads();
  for (int k = 2; k <= 128; k *= 2)
    for (int j = k / 2; j > 0; j /= 2) {
      int o = t ^ j;
      if (o > t) {
        bool up = (t & k) == 0;
        int a = s[t], b = s[o];
        if ((a > b) == up) { s[t] = b; s[o] = a; }
      }
      __syncthreads();
    }
  data[t] = s[t];
}

// Sums of warps meet in shared memory.
//: run shuffle_block_sum -g 2 -b 256 -a f32[512]=iota -a f32[2]=none
//: clean
extern "C" __global__ void shuffle_block_sum(const float *in, float *out) {
  __shared__ float part[8];
  int t = threadIdx.x, lane = t % 32, w = t / 32;
  float v = in[blockIdx.x * 256 + t];
  for (int d = 16; d; d /= 2) v += __shfl_down_sync(0xffffffff, v, d);
  if (lane == 0) part[w] = v;
  __syncthreads();
  if (w == 0) {
    v = lane < 8 ? part[lane] : 0;
    for (int d = 4; d; d /= 2) v += __shfl_down_sync(0xffffffff, v, d);
    if (lane == 0) out[blockIdx.x] = v;
  }
}

// A lock between blocks.
//: run block_locks -g 5 -b 64 -a i32[1]=zero -a i32[4]=zero
//: clean
extern "C" __global__ void block_locks(int *lock, int *total) {
  __syncthreads();
  if (threadIdx.x == 0) {
    while (atomicCAS(lock, 0, 1) != 0) continue;
    __threadfence();
    for (int i = 0; i < 4; i++) total[i] += i + 1;
    __threadfence();
    atomicExch(lock, 0);
  }
}

// Barriers that count.
//: run sync_count -b 96 -a i32[96]=mod:5 -a i32[96]=none
//: clean
extern "C" __global__ void sync_count(const int *in, int *out) {
  int n = __syncthreads_count(in[threadIdx.x] == 2), a = __syncthreads_and(in[threadIdx.x] < 9), o = __syncthreads_or(in[threadIdx.x] == 77);
  out[threadIdx.x] = n + 1000 * a + 100000 * o;
}

// Blocks draw their work from a counter; the number is read between two barriers.
//: run queue -g 3 -b 32 -a u32[1]=zero -a i32[96]=none
//: clean
extern "C" __global__ void queue(unsigned *next, int *done) {
  __shared__ unsigned item;
  for (;;) {
    if (threadIdx.x == 0) item = atomicAdd(next, 1u);
    __syncthreads();
    unsigned i = item;
    __syncthreads();
    if (i >= 3) break;
    done[i * 32 + threadIdx.x] = i;
  }
}
