// advice.cu: faults of which the advice is judged: applied to the source, at the line that it names, it must give the
// cured twin, which is clean (test_advice.c).
//
//   //: cure KIND @MARK [@MARK] replace "TEXT" TWIN    the advice is of this kind, names these lines (the second as the
//                                                      other one), and TEXT in place of the first makes the twin
//   //: cure KIND @MARK [@MARK] insert "TEXT" TWIN     TEXT between the two lines, or behind the first
//   //: cure KIND @MARK launch "OPTIONS"               another launch of the same kernel is clean
// More "WORDS" behind these stand in the advice.

// ---- atomics -------------------------------------------------------------------------------------------------------

//: run histogram -b 96 -a i32[8]=none -a i32[96]=mod:8
//: expect race @histogram
//: cure atomic @histogram replace "atomicAdd(&count[x[t]], 1);" histogram_cured "atomicAdd"
extern "C" __global__ void histogram(int *out, const int *x) {
  __shared__ int count[8];
  int t = threadIdx.x;
  if (t < 8) count[t] = 0;
  __syncthreads();
  count[x[t]]++;                                                // @histogram
  __syncthreads();
  if (t < 8) out[t] = count[t];
}

//: run histogram_cured -b 96 -a i32[8]=none -a i32[96]=mod:8
//: clean
extern "C" __global__ void histogram_cured(int *out, const int *x) {
  __shared__ int count[8];
  int t = threadIdx.x;
  if (t < 8) count[t] = 0;
  __syncthreads();
  atomicAdd(&count[x[t]], 1);
  __syncthreads();
  if (t < 8) out[t] = count[t];
}

//: run largest -g 2 -b 64 -a i32[1]=zero -a i32[128]=mod:100
//: expect race @largest
//: cure atomic @largest replace "atomicMax(&best[0], x[i]);" largest_cured "atomicMax"
extern "C" __global__ void largest(int *best, const int *x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (x[i] > best[0]) best[0] = x[i];                           // @largest
}

//: run largest_cured -g 2 -b 64 -a i32[1]=zero -a i32[128]=mod:100
//: clean
extern "C" __global__ void largest_cured(int *best, const int *x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicMax(&best[0], x[i]);
}

//: run unlock -g 2 -b 1 -a i32[1]=zero -a i32[2]=zero
//: expect race @unlock @trylock
//: cure atomic_too @unlock replace "atomicExch(lock, 0);" unlock_cured "atomicExch"
extern "C" __global__ void unlock(int *lock, int *held) {
  if (atomicCAS(lock, 0, 1) != 0) return;                       // @trylock
  held[blockIdx.x] = 1;
  *lock = 0;                                                    // @unlock
}

//: run unlock_cured -g 2 -b 1 -a i32[1]=zero -a i32[2]=zero
//: clean
extern "C" __global__ void unlock_cured(int *lock, int *held) {
  if (atomicCAS(lock, 0, 1) != 0) return;
  held[blockIdx.x] = 1;
  atomicExch(lock, 0);
}

// ---- waiting -------------------------------------------------------------------------------------------------------

//: run levels -b 128 -a i32[1]=none -a i32[128]=iota
//: expect race @level
//: cure barrier @level @level insert "    __syncthreads();" levels_cured
extern "C" __global__ void levels(int *out, const int *x) {
  __shared__ int s[128];
  int t = threadIdx.x;
  s[t] = x[t];
  __syncthreads();
  for (int k = 64; k > 0; k /= 2) {
    if (t < k) s[t] += s[t + k];                                // @level
  }
  if (t == 0) out[0] = s[0];
}

//: run levels_cured -b 128 -a i32[1]=none -a i32[128]=iota
//: clean
extern "C" __global__ void levels_cured(int *out, const int *x) {
  __shared__ int s[128];
  int t = threadIdx.x;
  s[t] = x[t];
  __syncthreads();
  for (int k = 64; k > 0; k /= 2) {
    if (t < k) s[t] += s[t + k];
    __syncthreads();
  }
  if (t == 0) out[0] = s[0];
}

// A missing second barrier of a tiled product: many faults in the unrolled code, one cause.
//: run tiles -b 16,16 -a f32[256]=none -a f32[1024]=mod:7 -a f32[1024]=mod:5 -a i32=64
//: expect race @tile_use @tile_fill
//: cure barrier @tile_use @tile_fill insert "    __syncthreads();" tiles_cured
extern "C" __global__ void tiles(float *C, const float *A, const float *B, int k) {
  __shared__ float a[16][16], b[16][16];
  int x = threadIdx.x, y = threadIdx.y;
  float sum = 0;
  for (int p = 0; p < k; p += 16) {
    a[y][x] = A[y * k + p + x];                                 // @tile_fill
    b[y][x] = B[(p + y) * 16 + x];                              // @tile_fill
    __syncthreads();
    for (int i = 0; i < 16; i++) sum += a[y][i] * b[i][x];      // @tile_use
  }
  C[y * 16 + x] = sum;
}

//: run tiles_cured -b 16,16 -a f32[256]=none -a f32[1024]=mod:7 -a f32[1024]=mod:5 -a i32=64
//: clean
extern "C" __global__ void tiles_cured(float *C, const float *A, const float *B, int k) {
  __shared__ float a[16][16], b[16][16];
  int x = threadIdx.x, y = threadIdx.y;
  float sum = 0;
  for (int p = 0; p < k; p += 16) {
    a[y][x] = A[y * k + p + x];
    b[y][x] = B[(p + y) * 16 + x];
    __syncthreads();
    for (int i = 0; i < 16; i++) sum += a[y][i] * b[i][x];
    __syncthreads();
  }
  C[y * 16 + x] = sum;
}

// Read too early: what is told first is the race, not that nobody has written it.
//: run mirror -b 100 -a i32[100]=none -a i32[100]=iota
//: expect race @mirror_fill @mirror_read
//: expect uninitialized @mirror_read
//: cure barrier @mirror_fill @mirror_read insert "  __syncthreads();" mirror_cured "wait until"
extern "C" __global__ void mirror(int *out, const int *x) {
  __shared__ int s[100];
  int t = threadIdx.x;
  s[t] = x[t];                                                  // @mirror_fill
  out[t] = s[99 - t];                                           // @mirror_read
}

//: run mirror_cured -b 100 -a i32[100]=none -a i32[100]=iota
//: clean
extern "C" __global__ void mirror_cured(int *out, const int *x) {
  __shared__ int s[100];
  int t = threadIdx.x;
  s[t] = x[t];
  __syncthreads();
  out[t] = s[99 - t];
}

//: run mirror_warp --sched its -b 32 -a i32[32]=none -a i32[32]=iota
//: expect race @warp_fill @warp_read
//: cure syncwarp @warp_fill @warp_read insert "  __syncwarp();" mirror_warp_cured "Volta"
extern "C" __global__ void mirror_warp(int *out, const int *x) {
  __shared__ int s[32];
  int t = threadIdx.x;
  s[t] = x[t];                                                  // @warp_fill
  out[t] = s[31 - t];                                           // @warp_read
}

//: run mirror_warp_cured --sched its -b 32 -a i32[32]=none -a i32[32]=iota
//: clean
extern "C" __global__ void mirror_warp_cured(int *out, const int *x) {
  __shared__ int s[32];
  int t = threadIdx.x;
  s[t] = x[t];
  __syncwarp();
  out[t] = s[31 - t];
}

//: run shift -b 96 -a i32[96]=none -a i32[96]=iota
//: expect race @shift
//: cure read_first @shift replace "int v = t ? s[t - 1] : 0; __syncthreads(); s[t] += v;" shift_cured
extern "C" __global__ void shift(int *out, const int *x) {
  __shared__ int s[96];
  int t = threadIdx.x;
  s[t] = x[t];
  __syncthreads();
  if (t) s[t] += s[t - 1];                                      // @shift
  __syncthreads();
  out[t] = s[t];
}

//: run shift_cured -b 96 -a i32[96]=none -a i32[96]=iota
//: clean
extern "C" __global__ void shift_cured(int *out, const int *x) {
  __shared__ int s[96];
  int t = threadIdx.x;
  s[t] = x[t];
  __syncthreads();
  int v = t ? s[t - 1] : 0; __syncthreads(); s[t] += v;
  __syncthreads();
  out[t] = s[t];
}

// ---- the index -----------------------------------------------------------------------------------------------------

//: run no_block -g 3 -b 40 -a i32[120]=none
//: expect race @no_block
//: cure block_index @no_block replace "out[blockIdx.x * 40 + threadIdx.x] = blockIdx.x;" no_block_cured "blockIdx.x"
extern "C" __global__ void no_block(int *out) {
  out[threadIdx.x] = blockIdx.x;                                // @no_block
}

//: run no_block_cured -g 3 -b 40 -a i32[120]=none
//: clean
extern "C" __global__ void no_block_cured(int *out) {
  out[blockIdx.x * 40 + threadIdx.x] = blockIdx.x;
}

//: run no_row -b 8,8 -a i32[64]=none
//: expect race @no_row
//: cure thread_index @no_row replace "out[threadIdx.y * 8 + threadIdx.x] = threadIdx.y;" no_row_cured "threadIdx.y"
extern "C" __global__ void no_row(int *out) {
  out[threadIdx.x] = threadIdx.y;                               // @no_row
}

//: run no_row_cured -b 8,8 -a i32[64]=none
//: clean
extern "C" __global__ void no_row_cured(int *out) {
  out[threadIdx.y * 8 + threadIdx.x] = threadIdx.y;
}

//: run everybody -b 70 -a i32[1]=none
//: expect race @everybody
//: cure one_thread @everybody replace "if (threadIdx.x == 0) out[0] = threadIdx.x;" everybody_cured "choose one"
extern "C" __global__ void everybody(int *out) {
  out[0] = threadIdx.x;                                         // @everybody
}

//: run everybody_cured -b 70 -a i32[1]=none
//: clean
extern "C" __global__ void everybody_cured(int *out) {
  if (threadIdx.x == 0) out[0] = threadIdx.x;
}

//: run scatter -b 70 -a i32[4]=zero -a i32[70]=mod:4
//: expect race @scatter
//: cure one_store @scatter replace "atomicMax(&out[x[threadIdx.x]], threadIdx.x);" scatter_cured "whose store stays"
extern "C" __global__ void scatter(int *out, const int *x) {
  out[x[threadIdx.x]] = threadIdx.x;                            // @scatter
}

//: run scatter_cured -b 70 -a i32[4]=zero -a i32[70]=mod:4
//: clean
extern "C" __global__ void scatter_cured(int *out, const int *x) {
  atomicMax(&out[x[threadIdx.x]], threadIdx.x);
}

//: run short_step -g 3 -b 32 -a i32[300]=iota -a i32=300
//: expect race @short_step
//: cure stride @short_step replace "for (; i < n; i += gridDim.x * 32) y[i] = 3 * y[i] + 1;" short_step_cured
extern "C" __global__ void short_step(int *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (; i < n; i += blockDim.x) y[i] = 3 * y[i] + 1;           // @short_step
}

//: run short_step_cured -g 3 -b 32 -a i32[300]=iota -a i32=300
//: clean
extern "C" __global__ void short_step_cured(int *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (; i < n; i += gridDim.x * 32) y[i] = 3 * y[i] + 1;
}

//: run next_row -g 2,2 -b 16,8 -a i32[240]=none -a i32=20 -a i32=12
//: expect race @next_row
//: cure guard @next_row replace "if (x < w && y < h) out[y * w + x] = x + 7 * y;" next_row_cured
extern "C" __global__ void next_row(int *out, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  out[y * w + x] = x + 7 * y;                                   // @next_row
}

//: run next_row_cured -g 2,2 -b 16,8 -a i32[240]=none -a i32=20 -a i32=12
//: clean
extern "C" __global__ void next_row_cured(int *out, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h) out[y * w + x] = x + 7 * y;
}

// ---- between blocks ------------------------------------------------------------------------------------------------

//: run last_block -g 4 -b 32 -a i32[1]=none -a i32[4]=none -a i32[1]=zero
//: expect race @publish @part
//: cure fence @publish @count insert "  __threadfence();" last_block_cured
extern "C" __global__ void last_block(int *out, volatile int *part, int *done) {
  if (threadIdx.x) return;
  ((int *)part)[blockIdx.x] = blockIdx.x + 1;                   // @publish
  if (atomicAdd(done, 1) < gridDim.x - 1) return;               // @count
  int sum = 0;
  for (int i = 0; i < gridDim.x; i++) sum += part[i];           // @part
  out[0] = sum;
}

//: run last_block_cured -g 4 -b 32 -a i32[1]=none -a i32[4]=none -a i32[1]=zero
//: clean
extern "C" __global__ void last_block_cured(int *out, volatile int *part, int *done) {
  if (threadIdx.x) return;
  ((int *)part)[blockIdx.x] = blockIdx.x + 1;
  __threadfence();
  if (atomicAdd(done, 1) < gridDim.x - 1) return;
  int sum = 0;
  for (int i = 0; i < gridDim.x; i++) sum += part[i];
  out[0] = sum;
}

//: run smooth -g 3 -b 32 -a i32[96]=iota -a i32[96]=none
//: expect race @smooth
//: cure two_buffers @smooth replace "b[i] = a[i] + a[i ? i - 1 : 0];" smooth_cured "second buffer"
extern "C" __global__ void smooth(int *a, int *b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  a[i] = a[i] + a[i ? i - 1 : 0];                               // @smooth
}

//: run smooth_cured -g 3 -b 32 -a i32[96]=iota -a i32[96]=none
//: clean
extern "C" __global__ void smooth_cured(int *a, int *b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  b[i] = a[i] + a[i ? i - 1 : 0];
}

// ---- bounds --------------------------------------------------------------------------------------------------------

//: run unguarded -g 2 -b 64 -a i32[100]=none -a i32[100]=iota -a i32=100
//: expect out_of_bounds @unguarded
//: cure bound @unguarded replace "if (i < n) y[i] = x[i];" unguarded_cured
extern "C" __global__ void unguarded(int *y, const int *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = x[i];                                                  // @unguarded
}

//: run unguarded_cured -g 2 -b 64 -a i32[100]=none -a i32[100]=iota -a i32=100
//: clean
extern "C" __global__ void unguarded_cured(int *y, const int *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i];
}

//: run one_more -g 2 -b 64 -a i32[100]=none -a i32[100]=iota -a i32=100
//: expect out_of_bounds @one_more
//: cure bound_by_one @one_more replace "if (i < n) y[i] = x[i];" one_more_cured "< in place of <="
extern "C" __global__ void one_more(int *y, const int *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i <= n) y[i] = x[i];                                      // @one_more
}

//: run one_more_cured -g 2 -b 64 -a i32[100]=none -a i32[100]=iota -a i32=100
//: clean
extern "C" __global__ void one_more_cured(int *y, const int *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i];
}

// The number of the thread is compared, and another number is the index.
//: run by_table -g 2 -b 64 -a i32[50]=zero -a i32[100]=iota -a i32=100 -a i32=50
//: expect out_of_bounds @by_table
//: cure bound_other @by_table replace "if (i < n && slot[i] < size) y[slot[i]] = 1;" by_table_cured "another value"
extern "C" __global__ void by_table(int *y, const int *slot, int n, int size) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[slot[i]] = 1;                                    // @by_table
}

//: run by_table_cured -g 2 -b 64 -a i32[50]=zero -a i32[100]=iota -a i32=100 -a i32=50
//: clean
extern "C" __global__ void by_table_cured(int *y, const int *slot, int n, int size) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && slot[i] < size) y[slot[i]] = 1;
}

//: run tickets -b 64 -a i32[40]=zero -a i32[1]=zero -a i32=40
//: expect out_of_bounds @tickets
//: cure ticket @tickets replace "if (q < n) done[q] = 1;" tickets_cured "atomic"
extern "C" __global__ void tickets(int *done, int *next, int n) {
  int q = atomicAdd(next, 1);
  done[q] = 1;                                                  // @tickets
}

//: run tickets_cured -b 64 -a i32[40]=zero -a i32[1]=zero -a i32=40
//: clean
extern "C" __global__ void tickets_cured(int *done, int *next, int n) {
  int q = atomicAdd(next, 1);
  if (q < n) done[q] = 1;
}

//: run null -b 33 -a i32[33]=none -a u64=0
//: expect out_of_bounds @null
//: cure null_pointer @null launch "-b 33 -a i32[33]=none -a i32[33]=iota" "Argument 2"
extern "C" __global__ void null(int *y, const int *x) {
  y[threadIdx.x] = x[threadIdx.x];                              // @null
}

//: run no_bytes -b 48 -a i32[48]=none
//: expect out_of_bounds @no_bytes
//: cure shared_bytes @no_bytes launch "-b 48 -s 192 -a i32[48]=none" "-s 192"
extern "C" __global__ void no_bytes(int *y) {
  extern __shared__ int s[];
  s[threadIdx.x] = threadIdx.x;                                 // @no_bytes
  __syncthreads();
  y[threadIdx.x] = s[47 - threadIdx.x];
}

//: run never_cleared -b 64 -a i32[1]=none
//: expect uninitialized @never_cleared
//: cure initialize @never_cleared launch "-b 64 -a i32[1]=zero" "cudaMemset"
extern "C" __global__ void never_cleared(int *sum) {
  atomicAdd(sum, threadIdx.x);                                  // @never_cleared
}

// An array with rims that nobody fills.
//: run rims -b 64 -a i32[64]=none -a i32[64]=iota
//: expect uninitialized @rims
//: cure write_first @rims replace "if (t < 2) s[65 * t] = 0; __syncthreads(); out[t] = s[t] + s[t + 2];" rims_cured "rims"
extern "C" __global__ void rims(int *out, const int *x) {
  __shared__ int s[66];
  int t = threadIdx.x;
  s[t + 1] = x[t];
  __syncthreads();
  out[t] = s[t] + s[t + 2];                                     // @rims
}

//: run rims_cured -b 64 -a i32[64]=none -a i32[64]=iota
//: clean
extern "C" __global__ void rims_cured(int *out, const int *x) {
  __shared__ int s[66];
  int t = threadIdx.x;
  s[t + 1] = x[t];
  __syncthreads();
  if (t < 2) s[65 * t] = 0; __syncthreads(); out[t] = s[t] + s[t + 2];
}

// ---- who comes -----------------------------------------------------------------------------------------------------

//: run half_barrier -b 64 -a i32[64]=none
//: expect divergent_barrier @half_barrier
//: cure move_barrier @half_barrier replace "__syncthreads();" half_barrier_cured
extern "C" __global__ void half_barrier(int *y) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = t;
  if (t < 16) __syncthreads();                                  // @half_barrier
  y[t] = s[63 - t];
}

//: run half_barrier_cured -b 64 -a i32[64]=none
//: clean
extern "C" __global__ void half_barrier_cured(int *y) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = t;
  __syncthreads();
  y[t] = s[63 - t];
}

//: run some_lanes -b 32 -a i32[32]=none
//: expect bad_mask @some_lanes
//: cure move_call @some_lanes replace "int u = __shfl_up_sync(~0u, v, 1); if (t >= 4) v += u;" some_lanes_cured
extern "C" __global__ void some_lanes(int *y) {
  int t = threadIdx.x, v = t;
  if (t >= 4) v += __shfl_up_sync(~0u, v, 1);                   // @some_lanes
  y[t] = v;
}

//: run some_lanes_cured -b 32 -a i32[32]=none
//: clean
extern "C" __global__ void some_lanes_cured(int *y) {
  int t = threadIdx.x, v = t;
  int u = __shfl_up_sync(~0u, v, 1); if (t >= 4) v += u;
  y[t] = v;
}

// ---- locks ---------------------------------------------------------------------------------------------------------

//: run kept_lock --sched its -g 3 -b 1 -a i32[1]=zero -a i32[1]=zero
//: expect livelock
//: cure lock_release @kept_lock replace "if (atomicCAS(lock, 0, 1) == 0) { GIVEN_BACK; done = true; }" kept_lock_cured
#define KEPT __threadfence(); if (!sum[0]) { sum[0] = 1; __threadfence(); atomicExch(lock, 0); }
#define GIVEN_BACK __threadfence(); if (!sum[0]) sum[0] = 1; __threadfence(); atomicExch(lock, 0);
extern "C" __global__ void kept_lock(int *lock, volatile int *sum) {
  bool done = false;
  while (!done)
    if (atomicCAS(lock, 0, 1) == 0) { KEPT; done = true; }      // @kept_lock
}

//: run kept_lock_cured --sched its -g 3 -b 1 -a i32[1]=zero -a i32[1]=zero
//: clean
extern "C" __global__ void kept_lock_cured(int *lock, volatile int *sum) {
  bool done = false;
  while (!done)
    if (atomicCAS(lock, 0, 1) == 0) { GIVEN_BACK; done = true; }
}

//: run bare_lock --sched its -g 2 -b 2 -a i32[1]=zero -a i32[1]=zero
//: expect race @bare_lock
//: cure lock_fence @bare_lock replace "if (atomicCAS(lock, 0, 1) == 0) { FENCED; done = true; }" bare_lock_cured
#define BARE sum[0] += 1; atomicExch(lock, 0)
#define FENCED __threadfence(); sum[0] += 1; __threadfence(); atomicExch(lock, 0)
extern "C" __global__ void bare_lock(int *lock, int *sum) {
  bool done = false;
  while (!done)
    if (atomicCAS(lock, 0, 1) == 0) { BARE; done = true; }      // @bare_lock
}

//: run bare_lock_cured --sched its -g 2 -b 2 -a i32[1]=zero -a i32[1]=zero
//: clean
extern "C" __global__ void bare_lock_cured(int *lock, int *sum) {
  bool done = false;
  while (!done)
    if (atomicCAS(lock, 0, 1) == 0) { FENCED; done = true; }
}
