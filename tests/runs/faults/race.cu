// race.cu: two threads of a block at the same place in shared memory without order, of which one writes.

// The classic: a tile in shared memory and no __syncthreads() before the neighbor's element is read.
//: run no_barrier -b 64 -a i32[64]=iota -a i32[64]=none
//: expect race @no_barrier_write @no_barrier_read "tile["
//: wrong 2 barrier
extern "C" __global__ void no_barrier(const int *in, int *out) {
  __shared__ int tile[64];
  int t = threadIdx.x;
  tile[t] = 0;
  __syncthreads();
  tile[t] = in[t];                                              // @no_barrier_write
  out[t] = tile[63 - t];                                        // @no_barrier_read
}

// The same as it should be.
//: run barrier -b 64 -a i32[64]=iota -a i32[64]=none
//: clean
extern "C" __global__ void barrier(const int *in, int *out) {
  __shared__ int tile[64];
  int t = threadIdx.x;
  tile[t] = 0;
  __syncthreads();
  tile[t] = in[t];
  __syncthreads();
  out[t] = tile[63 - t];
}

// A tree with the barrier outside of the loop.
//: run tree_without_barrier -b 256 -a i32[256]=iota -a i32[1]=none
//: expect race @tree_without_barrier @tree_without_barrier "sum["
//: wrong 2 tree
extern "C" __global__ void tree_without_barrier(const int *in, int *out) {
  __shared__ int sum[256];
  int t = threadIdx.x;
  sum[t] = in[t];
  __syncthreads();
  #pragma unroll 1
  for (int k = 128; k > 0; k /= 2)
    if (t < k) sum[t] += sum[t + k];                            // @tree_without_barrier
  __syncthreads();
  if (t == 0) *out = sum[0];
}

// The same as it should be.
//: run tree -b 256 -a i32[256]=iota -a i32[1]=none
//: clean
extern "C" __global__ void tree(const int *in, int *out) {
  __shared__ int sum[256];
  int t = threadIdx.x;
  sum[t] = in[t];
  __syncthreads();
  #pragma unroll 1
  for (int k = 128; k > 0; k /= 2) {
    if (t < k) sum[t] += sum[t + k];
    __syncthreads();
  }
  if (t == 0) *out = sum[0];
}

// Every thread leaves its number at one place: which one stays?
//: run last_one_wins -b 64 -a i32[1]=none
//: expect race @last_one_wins "winner"
extern "C" __global__ void last_one_wins(int *out) {
  __shared__ int winner;
  winner = threadIdx.x;                                         // @last_one_wins
  __syncthreads();
  if (threadIdx.x == 0) *out = winner;
}

// The next tile is written while others still read the last one: the second barrier of the loop is missing.
//: run one_barrier_per_tile -b 64 -a i32[256]=iota -a i32[64]=none
//: expect race @tile_read @tile_write "tile["
//: wrong 2 two_barriers_per_tile
extern "C" __global__ void one_barrier_per_tile(const int *in, int *out) {
  __shared__ int tile[64];
  int t = threadIdx.x, sum = 0;
  #pragma unroll 1
  for (int i = 0; i < 4; i++) {
    tile[t] = in[64 * i + t];                                   // @tile_write
    __syncthreads();
    sum += tile[63 - t];                                        // @tile_read
  }
  out[t] = sum;
}

// The same as it should be.
//: run two_barriers_per_tile -b 64 -a i32[256]=iota -a i32[64]=none
//: clean
extern "C" __global__ void two_barriers_per_tile(const int *in, int *out) {
  __shared__ int tile[64];
  int t = threadIdx.x, sum = 0;
  #pragma unroll 1
  for (int i = 0; i < 4; i++) {
    tile[t] = in[64 * i + t];
    __syncthreads();
    sum += tile[63 - t];
    __syncthreads();
  }
  out[t] = sum;
}

// An atomic and a plain store do not go together.
//: run atomic_and_plain -b 64 -a i32[64]=none
//: expect race @plain_store @atomic_add "total"
extern "C" __global__ void atomic_and_plain(int *out) {
  __shared__ int total;
  if (threadIdx.x == 0) total = 0;                              // @plain_store
  atomicAdd(&total, 1);                                         // @atomic_add
  __syncthreads();
  out[threadIdx.x] = total;
}
