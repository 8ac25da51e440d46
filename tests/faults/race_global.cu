// race_global.cu: two threads at the same place in global memory, of the same block or of two.

// A counter of all threads of the grid without an atomic.
//: run plain_counter -g 4 -b 32 -a i32[1]=zero
//: expect race @plain_counter "argument 1[0]"
extern "C" __global__ void plain_counter(int *count) {
  *count = *count + 1;                                          // @plain_counter
}

// In place: the right neighbor may already have its new value. Between warps, and between blocks.
//: run in_place -g 1 -b 64 -a i32[65]=iota
//: expect race @in_place_read @in_place_write "argument 1["
//: run in_place -g 1 -b 64 -a i32[65]=iota --sched stack
//: expect race @in_place_read @in_place_write thread 32 "argument 1[32], which thread (31,0,0) reads"
extern "C" __global__ void in_place(int *data) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int right = data[i + 1];                                      // @in_place_read
  data[i] = right;                                              // @in_place_write
}

//: run in_place_blocks -g 4 -b 32 -a i32[129]=iota
//: expect race @in_place_blocks_read @in_place_blocks_write "argument 1["
extern "C" __global__ void in_place_blocks(int *data) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int right = data[i + 1];                                      // @in_place_blocks_read
  data[i] = right;                                              // @in_place_blocks_write
}

// Blocks cannot wait for one another: that block 1 sees what block 0 wrote is luck.
//: run relay -g 2 -b 32 -a i32[32]=zero -a i32[32]=zero
//: expect race @relay_write @relay_read block 1 "block (0,0,0)"
extern "C" __global__ void relay(int *between, int *out) {
  if (blockIdx.x == 0) between[threadIdx.x] = threadIdx.x;      // @relay_write
  else out[threadIdx.x] = between[threadIdx.x];                 // @relay_read
}

// The sum of a block in global memory, without a barrier between the warps.
//: run global_tile -b 64 -a i32[64]=zero -a i32[64]=none
//: expect race @global_tile_write @global_tile_read "argument 1["
//: wrong 2 global_tile_barrier
extern "C" __global__ void global_tile(volatile int *dummy, int *out) {
  int t = threadIdx.x;
  int *tile = (int *)dummy;
  tile[t] = t + 1;                                              // @global_tile_write
  asm volatile("" ::: "memory");
  out[t] = tile[63 - t];                                        // @global_tile_read
}

//: run global_tile_barrier -b 64 -a i32[64]=zero -a i32[64]=none
//: clean
extern "C" __global__ void global_tile_barrier(int *tile, int *out) {
  int t = threadIdx.x;
  tile[t] = t + 1;
  __syncthreads();
  out[t] = tile[63 - t];
}

// The ticket says who is last, but nothing says that the sums of the others have arrived: the fence is missing.
//: run ticket_without_fence -g 4 -b 32 -a i32[4]=zero -a i32[1]=zero -a i32[1]=none
//: expect race @ticket_write @ticket_read "argument 1["
extern "C" __global__ void ticket_without_fence(int *partial, int *ticket, int *out) {
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = blockIdx.x + 1;                       // @ticket_write
    if (atomicAdd(ticket, 1) == 3) {
      int sum = 0;
      #pragma unroll 1
      for (int b = 0; b < 4; b++) sum += partial[b];            // @ticket_read
      *out = sum;
    }
  }
}
