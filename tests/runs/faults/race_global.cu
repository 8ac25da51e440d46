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

// ---- parts of words, and large buffers -----------------------------------------------------------------------------

// Every block leaves its number in the same byte.
//: run byte_of_blocks -g 4 -b 32 -a u8[64]=none
//: expect race @byte_of_blocks "argument 1[5]" "writes"
extern "C" __global__ void byte_of_blocks(unsigned char *out) {
  if (threadIdx.x == 5) out[5] = (unsigned char)(blockIdx.x + 1);  // @byte_of_blocks
}

// The left half of a pair is read by the neighbor while it is written.
//: run shorts_of_neighbors -b 64 -a i16[65]=iota
//: expect race @shorts_write @shorts_read "argument 1["
extern "C" __global__ void shorts_of_neighbors(short *x) {
  int t = threadIdx.x;
  int next = x[t + 1];                                          // @shorts_read
  x[t] = (short)(next + x[t] * 3);                              // @shorts_write
}

// A word is cleared of which another warp has written a byte.
//: run byte_and_word -b 64 -a u32[16]=zero
//: expect race @byte_write @word_write "argument 1["
extern "C" __global__ void byte_and_word(unsigned *x) {
  if (threadIdx.x == 3) ((unsigned char *)x)[6] = 9;            // @byte_write
  if (threadIdx.x == 40) x[1] = 5;                              // @word_write
}

// Bytes of one word of different lanes, warps and blocks are different places.
//: run own_bytes -g 3 -b 64 -a u8[192]=iota -a u8[192]=none
//: clean
extern "C" __global__ void own_bytes(const unsigned char *in, unsigned char *out) {
  int i = threadIdx.x * gridDim.x + blockIdx.x;
  out[i] = in[i] + 1;
  out[i] = out[i] * 2;
}
//: run own_bytes_in_place -g 3 -b 64 -a u8[192]=iota
//: clean
extern "C" __global__ void own_bytes_in_place(unsigned char *x) {
  int i = threadIdx.x * gridDim.x + blockIdx.x;
  x[i] = x[i] * 2;
  x[i] = x[i] + 1;
}

// Rows of bytes and of shorts, the second pass backwards behind a barrier.
//: run bytes_behind_barrier -b 64 -a u8[64]=iota -a u16[64]=zero
//: clean
extern "C" __global__ void bytes_behind_barrier(unsigned char *a, unsigned short *b) {
  int t = threadIdx.x;
  a[t] = a[t] + 3;
  b[t] = (unsigned short)(5 * t);
  __syncthreads();
  int other = a[63 - t], pair = b[63 - t];
  __syncthreads();
  a[t] = (unsigned char)other;
  b[t] = (unsigned short)(pair + 1);
  __syncthreads();
  if (t < 16) ((unsigned *)a)[t] += 1;
  __syncthreads();
  a[63 - t] = 1;
}

// Structures with small members, each of a thread of its own.
struct Pixel { unsigned char r, g, b; };
//: run pixels -g 2 -b 48 -a u8[288]=iota
//: clean
extern "C" __global__ void pixels(Pixel *p) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  p[i].g = p[i].r + p[i].b;
  p[i].r = 0;
  p[i].b = p[i].g;
}

// The end of a large buffer is watched like its beginning.
//: run large_buffer -g 2 -b 32 -a i32[20000000]=none
//: expect race @large_write "argument 1[19999999]"
extern "C" __global__ void large_buffer(int *x) {
  x[10000000 + 32 * blockIdx.x + threadIdx.x] = 1;
  if (threadIdx.x == 0) x[19999999] = (int)blockIdx.x;          // @large_write
}

// Reads too.
//: run large_read -g 2 -b 32 -a i32[20000000]=zero
//: expect race @large_read @large_later "argument 1["
extern "C" __global__ void large_read(int *x) {
  int t = threadIdx.x;
  if (blockIdx.x == 0) x[t] = x[15000000 + t];                  // @large_read
  else x[15000031 - t] = t + 1;                                 // @large_later
}

// Lanes take other parts of what their warp has written, two words each instead of one.
//: run cut_otherwise -b 32 -a i32[64]=zero -a i32[64]=none --sched its
//: expect race @cut_write @cut_read "with no __syncwarp()"
extern "C" __global__ void cut_otherwise(int *x, int *out) {
  int t = threadIdx.x;
  x[t] = t + 1;                                                 // @cut_write
  x[t + 32] = t + 2;                                            // @cut_write
  asm volatile("" ::: "memory");
  int2 pair = ((int2 *)x)[t];                                   // @cut_read
  out[t] = pair.x + pair.y;
}
