// grid.cu: blocks that wait for one another: the whole grid at grid.sync(), or one block for another by hand.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

// ---- the whole grid ------------------------------------------------------------------------------------------------

// The sum of an array in one kernel: every block its part, then one block the parts.
//: run grid_sum -g 1 -b 64 -a i32[1000]=iota -a i32[1]=none -a i32[1]=none -a i32=1000
//: clean
//: run grid_sum -g 2 -b 33 -a i32[1000]=iota -a i32[2]=none -a i32[1]=none -a i32=1000
//: clean
//: run grid_sum -g 13 -b 96 -a i32[5000]=mod:7 -a i32[13]=none -a i32[1]=none -a i32=5000
//: clean
//: run grid_sum -g 132 -b 32 -a i32[5000]=mod:7 -a i32[132]=none -a i32[1]=none -a i32=5000
//: clean
extern "C" __global__ void grid_sum(const int *in, int *part, int *out, int n) {
  __shared__ int warps[32];
  cg::grid_group grid = cg::this_grid();
  int sum = 0, t = threadIdx.x;
  #pragma unroll 1
  for (int i = grid.thread_rank(); i < n; i += grid.num_threads()) sum += in[i];
  if (t < 32) warps[t] = 0;
  __syncthreads();
  atomicAdd(&warps[t % 32], sum);
  __syncthreads();
  if (t == 0) {
    sum = 0;
    #pragma unroll 1
    for (int k = 0; k < 32; k++) sum += warps[k];
    part[blockIdx.x] = sum;
  }
  grid.sync();
  if (grid.thread_rank() == 0) {
    sum = 0;
    #pragma unroll 1
    for (int b = 0; b < (int)gridDim.x; b++) sum += part[b];
    *out = sum;
  }
}

// The same, but nobody waits for the parts.
//: run grid_sum_early -g 4 -b 32 -a i32[1000]=iota -a i32[4]=zero -a i32[1]=none -a i32=1000
//: expect race @grid_sum_write @grid_sum_read "argument 2[0]" "nothing orders the two blocks"
extern "C" __global__ void grid_sum_early(const int *in, int *part, int *out, int n) {
  cg::grid_group grid = cg::this_grid();
  if (threadIdx.x == 0) {
    int sum = 0;
    #pragma unroll 1
    for (int i = blockIdx.x; i < n; i += gridDim.x) sum += in[i];
    part[blockIdx.x] = sum;                                     // @grid_sum_write
  }
  if (grid.thread_rank() == grid.size() - 32) {
    int sum = 0;
    #pragma unroll 1
    for (int b = 0; b < (int)gridDim.x; b++) sum += part[b];    // @grid_sum_read
    *out = sum;
  }
}

// Every thread takes the mean of its neighbors, there and back again.
//: run jacobi -g 3 -b 64 -a f32[194]=iota -a f32[194]=iota -a i32=4
//: clean
//: run jacobi -g 20 -b 50 -a f32[1002]=mod:5 -a f32[1002]=mod:5 -a i32=3
//: clean
extern "C" __global__ void jacobi(float *a, float *b, int steps) {
  cg::grid_group grid = cg::this_grid();
  int i = grid.thread_rank() + 1;
  #pragma unroll 1
  for (int s = 0; s < steps; s++) {
    b[i] = 0.5f * (a[i - 1] + a[i + 1]);
    grid.sync();
    float *other = a;
    a = b;
    b = other;
  }
}

// In place: a thread may read what its neighbor wrote in the same step. Only the second wait is missing.
//: run jacobi_in_place -g 3 -b 32 -a f32[98]=mod:5 -a i32=2
//: expect race @jacobi_read @jacobi_write "argument 1[" "nothing orders the two blocks"
extern "C" __global__ void jacobi_in_place(float *a, int steps) {
  cg::grid_group grid = cg::this_grid();
  int i = grid.thread_rank() + 1;
  #pragma unroll 1
  for (int s = 0; s < steps; s++) {
    float mean = 0.5f * (a[i - 1] + a[i + 1]);                  // @jacobi_read
    grid.sync();
    a[i] = mean;                                                // @jacobi_write
  }
}

//: run jacobi_in_place_right -g 3 -b 32 -a f32[98]=mod:5 -a i32=3
//: clean
extern "C" __global__ void jacobi_in_place_right(float *a, int steps) {
  cg::grid_group grid = cg::this_grid();
  int i = grid.thread_rank() + 1;
  #pragma unroll 1
  for (int s = 0; s < steps; s++) {
    float mean = 0.5f * (a[i - 1] + a[i + 1]);
    grid.sync();
    a[i] = mean;
    grid.sync();
  }
}

// The first block never comes.
//: run one_stays_away -g 4 -b 64 -a i32[4]=zero
//: expect deadlock @one_stays_away "blocks 1-3 wait at" "block 0 without coming to it"
extern "C" __global__ void one_stays_away(int *out) {
  if (blockIdx.x > 0) cg::this_grid().sync();                   // @one_stays_away
  out[blockIdx.x] = 1;
}

// The waiting is in a function.
__device__ __noinline__ void meet(cg::grid_group grid) { grid.sync(); }

//: run by_function -g 5 -b 32 -a i32[5]=none -a i32[5]=none
//: clean
extern "C" __global__ void by_function(int *a, int *b) {
  cg::grid_group grid = cg::this_grid();
  if (threadIdx.x == 0) a[blockIdx.x] = blockIdx.x;
  meet(grid);
  if (threadIdx.x == 0) b[blockIdx.x] = a[(blockIdx.x + 1) % gridDim.x];
}

// ---- by hand -------------------------------------------------------------------------------------------------------

// A running sum over blocks: each waits for the one before (decoupled look-back), which need not have begun.
//: run look_back -g 9 -b 64 -a i32[9]=iota -a i32[9]=zero -a i32[9]=zero --seed 1
//: expect livelock @look_back "spins at" "which had not begun"
//: run look_back -g 40 -b 64 -a i32[40]=iota -a i32[40]=zero -a i32[40]=zero --seed 2
//: expect livelock @look_back "spins at" "which had not begun"
//: run look_back -g 3 -b 64 -a i32[3]=iota -a i32[3]=zero -a i32[3]=zero --seed 3
//: expect livelock @look_back "spins at" "which had not begun"
//: cure tickets_for_blocks @look_back launch "-g 1 -b 64 -a i32[1]=iota -a i32[1]=zero -a i32[1]=zero" "an atomic ticket"
extern "C" __global__ void look_back(const int *in, volatile int *sum, volatile int *ready) {
  if (threadIdx.x == 0) {
    int before = 0;
    if (blockIdx.x > 0) {
      while (ready[blockIdx.x - 1] == 0) continue;              // @look_back
      __threadfence();
      before = sum[blockIdx.x - 1];
    }
    sum[blockIdx.x] = before + in[blockIdx.x];
    __threadfence();
    ready[blockIdx.x] = 1;
  }
}

// The ticket says who began earlier.
//: run look_back_by_ticket -g 9 -b 64 -a i32[9]=iota -a i32[9]=zero -a i32[9]=zero -a i32[1]=zero
//: clean
//: run look_back_by_ticket -g 70 -b 32 -a i32[70]=iota -a i32[70]=zero -a i32[70]=zero -a i32[1]=zero
//: clean
extern "C" __global__ void look_back_by_ticket(const int *in, volatile int *sum, volatile int *ready, int *ticket) {
  if (threadIdx.x == 0) {
    int before = 0, me = atomicAdd(ticket, 1);
    if (me > 0) {
      while (ready[me - 1] == 0) continue;
      __threadfence();
      before = sum[me - 1];
    }
    sum[me] = before + in[me];
    __threadfence();
    ready[me] = 1;
  }
}

// Whose turn it is goes from block to block in the order of their numbers: the one before lets it go on, not the first.
//: run by_number -g 6 -b 96 -a i32[1]=zero -a i32[6]=none --seed 1
//: expect livelock @by_number "spins at" "which had not begun"
//: run by_number -g 2,4 -b 96 -a i32[1]=zero -a i32[8]=none --seed 2
//: expect livelock @by_number "spins at" "which had not begun"
//: cure tickets_for_blocks @by_number launch "-g 1 -b 96 -a i32[1]=zero -a i32[1]=none" "an atomic ticket"
extern "C" __global__ void by_number(volatile int *turn, int *out) {
  int me = blockIdx.y * gridDim.x + blockIdx.x;
  if (threadIdx.x == 33) {
    while (*turn != me) continue;                               // @by_number
    __threadfence();
    out[me] = me;
    __threadfence();
    *turn = me + 1;
  }
}

// All wait for what the first block prepares.
//: run prepared_by_first -g 5 -b 64 -a i32[1]=none -a i32[1]=zero -a i32[320]=none --seed 1
//: expect livelock @prepared_by_first "waits for block 0, which had not begun"
//: run prepared_by_first -g 5 -b 64 -a i32[1]=none -a i32[1]=zero -a i32[320]=none --seed 2
//: expect livelock @prepared_by_first "waits for block 0, which had not begun"
extern "C" __global__ void prepared_by_first(int *table, int *ready, int *out) {
  if (threadIdx.x == 0) {
    if (blockIdx.x == 0) {
      *table = 42;
      __threadfence();
      atomicExch(ready, 1);
    } else {
      while (atomicAdd(ready, 0) == 0) continue;                // @prepared_by_first
      __threadfence();
    }
  }
  __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] = *table;
}

// Each waits for the one behind it, so the last one has to be there while the first one waits.
//: run look_ahead -g 9 -b 64 -a i32[9]=iota -a i32[9]=none -a i32[10]=zero
//: clean
//: run look_ahead -g 150 -b 32 -a i32[150]=iota -a i32[150]=none -a i32[151]=zero
//: clean
extern "C" __global__ void look_ahead(const int *in, int *sum, volatile int *ready) {
  __shared__ int after;
  if (threadIdx.x == 0) {
    after = 0;
    if (blockIdx.x + 1 < gridDim.x) {
      while (ready[blockIdx.x + 1] == 0) continue;
      __threadfence();
      after = sum[blockIdx.x + 1];
    }
  }
  __syncthreads();
  if (threadIdx.x == 31) sum[blockIdx.x] = after + in[blockIdx.x];
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) ready[blockIdx.x] = 1;
}

// The flag comes without a fence: the sum may come later.
//: run flag_without_fence -g 2 -b 32 -a i32[1]=zero -a i32[1]=zero -a i32[1]=zero
//: expect race @flag_write @flag_read "argument 1[0]"
extern "C" __global__ void flag_without_fence(int *sum, volatile int *ready, int *out) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 1) {
    *sum = 42;                                                  // @flag_write
    *ready = 1;
  } else {
    while (*ready == 0) continue;
    __threadfence();
    *out = *sum;                                                // @flag_read
  }
}

// A barrier of the grid by hand, at which all threads look.
//: run all_look -g 6 -b 96 -a i32[576]=none -a i32[576]=none -a i32[1]=zero
//: clean
//: run all_look -g 2 -b 96 -a i32[192]=none -a i32[192]=none -a i32[1]=zero
//: clean
extern "C" __global__ void all_look(int *a, int *b, int *count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
  a[i] = i;
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(count, 1);
  while (*(volatile int *)count < (int)gridDim.x) continue;
  __threadfence();
  b[i] = a[n - 1 - i];
}

// Blocks meet in pairs, whoever comes first.
//: run pairs -g 8 -b 32 -a i32[8]=zero -a i32[8]=none
//: clean
extern "C" __global__ void pairs(int *here, int *out) {
  if (threadIdx.x == 0) {
    atomicExch(&here[blockIdx.x], 1);
    while (atomicAdd(&here[blockIdx.x ^ 1], 0) == 0) continue;
    out[blockIdx.x] = 1;
  }
}

// One that also counts how often it looked, and gives up some time: nobody can tell that it will go on looking.
//: run patient -g 3 -b 32 -a i32[1]=zero -a i32[3]=zero
//: clean
extern "C" __global__ void patient(volatile int *turn, int *out) {
  if (threadIdx.x == 0) {
    unsigned looks = 0;
    while (*turn != (int)(gridDim.x - 1 - blockIdx.x) && looks < 3000000) {
      looks++;
      if (looks > 10) __nanosleep(100);
    }
    __threadfence();
    out[blockIdx.x] = looks < 3000000;
    __threadfence();
    *turn = *turn + 1;
  }
}

// The first block need not wait, and the compiler looks once before the loop: that look and the store behind it are no
// change of the word in two steps.
//: run in_turn -g 3 -b 32 -a i32[1]=zero -a i32[3]=zero
//: clean
extern "C" __global__ void in_turn(volatile int *turn, int *out) {
  if (threadIdx.x == 0) {
    unsigned looks = 0;
    while (*turn != (int)blockIdx.x && looks < 3000000) {
      looks++;
      if (looks > 10) __nanosleep(100);
    }
    __threadfence();
    out[blockIdx.x] = looks < 3000000;
    __threadfence();
    *turn = *turn + 1;
  }
}

// A lock that blocks hand over, with work under it.
//: run locked -g 7 -b 64 -a i32[1]=zero -a i32[1]=zero
//: clean
extern "C" __global__ void locked(int *lock, volatile int *count) {
  if (threadIdx.x % 32 == 0) {
    while (atomicCAS(lock, 0, 1) != 0) continue;
    __threadfence();
    *count = *count + 1;
    __threadfence();
    atomicExch(lock, 0);
  }
}

// Lanes of a warp that want the lock in turn, in several blocks.
//: run locked_lanes -g 3 -b 32 -a i32[1]=zero -a i32[1]=zero --sched its
//: clean
//: run locked_lanes -g 3 -b 32 -a i32[1]=zero -a i32[1]=zero --sched stack
//: expect livelock "lanes 1-31 of warp 0 spin" "lane 0"
extern "C" __global__ void locked_lanes(int *lock, int *count) {
  while (atomicCAS(lock, 0, 1) != 0) continue;
  *(volatile int *)count += 1;
  __threadfence();
  atomicExch(lock, 0);
}

// Two blocks that each want the other one first.
//: run in_a_circle -g 3 -b 64 -a i32[3]=zero
//: expect livelock @in_a_circle "spins at" "blocks 0-2 wait at"
extern "C" __global__ void in_a_circle(volatile int *flag) {
  if (threadIdx.x == 0) {
    while (flag[(blockIdx.x + 1) % gridDim.x] == 0) continue;   // @in_a_circle
    flag[blockIdx.x] = 1;
  }
}

// Lanes wait where their warp meets for a lane that waits for another block, which waits for them.
//: run held_up -g 2 -b 32 -a i32[2]=zero --sched its
//: clean
extern "C" __global__ void held_up(volatile int *flag) {
  int me = blockIdx.x;
  if (threadIdx.x == 0) while (flag[1 - me] == 0) continue;
  if (threadIdx.x == 1) { __threadfence(); flag[me] = 1; }
}
