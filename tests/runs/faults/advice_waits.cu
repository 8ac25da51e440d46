// advice_waits.cu: as advice.cu: faults of which the advice is judged, of threads that wait for others, or do not.
#include <cooperative_groups.h>

// ---- between blocks ------------------------------------------------------------------------------------------------

// Each block reads what the other one writes.
//: run trade -g 2 -b 32 -a i32[64]=none -a i32[64]=none
//: expect race @trade
//: cure order_blocks @trade replace "GIVE; cooperative_groups::this_grid().sync(); TAKE;" trade_cured "grid.sync()"
#define GIVE box[32 * blockIdx.x + threadIdx.x] = threadIdx.x
#define TAKE out[32 * blockIdx.x + threadIdx.x] = box[32 * (1 - blockIdx.x) + threadIdx.x]
extern "C" __global__ void trade(int *out, int *box) {
  GIVE; TAKE;                                                   // @trade
}

//: run trade_cured -g 2 -b 32 -a i32[64]=none -a i32[64]=none
//: clean
extern "C" __global__ void trade_cured(int *out, int *box) {
  GIVE; cooperative_groups::this_grid().sync(); TAKE;
}

//: run own_block_fence -g 4 -b 32 -a i32[1]=none -a i32[4]=none -a i32[1]=zero
//: expect race @own_publish @own_part
//: cure fence_scope @own_fence replace "__threadfence();" own_block_fence_cured "__threadfence_block()"
extern "C" __global__ void own_block_fence(int *out, volatile int *part, int *done) {
  if (threadIdx.x) return;
  part[blockIdx.x] = blockIdx.x + 1;                            // @own_publish
  __threadfence_block();                                        // @own_fence
  if (atomicAdd(done, 1) < gridDim.x - 1) return;
  int sum = 0;
  for (int i = 0; i < gridDim.x; i++) sum += part[i];           // @own_part
  out[0] = sum;
}

//: run own_block_fence_cured -g 4 -b 32 -a i32[1]=none -a i32[4]=none -a i32[1]=zero
//: clean
extern "C" __global__ void own_block_fence_cured(int *out, volatile int *part, int *done) {
  if (threadIdx.x) return;
  part[blockIdx.x] = blockIdx.x + 1;
  __threadfence();
  if (atomicAdd(done, 1) < gridDim.x - 1) return;
  int sum = 0;
  for (int i = 0; i < gridDim.x; i++) sum += part[i];
  out[0] = sum;
}

// Each block waits for the one behind it, which finds no room while so many wait.
//: run relay -g 540 -b 1 -s 49000 -a i32[540]=zero -a u32[1]=zero
//: expect livelock @relay
//: cure tickets_for_blocks @relay replace "PASS(gridDim.x - 1 - ticket);" relay_cured "ticket"
#define PASS(b) if ((b) + 1 < gridDim.x) while (done[(b) + 1] == 0) continue; __threadfence(); done[b] = 1
extern "C" __global__ void relay(volatile int *done, unsigned *next) {
  if (threadIdx.x) return;
  unsigned ticket = atomicAdd(next, 1);
  PASS(blockIdx.x); (void)ticket;                               // @relay
}

//: run relay_cured -g 540 -b 1 -s 49000 -a i32[540]=zero -a u32[1]=zero
//: clean
extern "C" __global__ void relay_cured(volatile int *done, unsigned *next) {
  if (threadIdx.x) return;
  unsigned ticket = atomicAdd(next, 1);
  PASS(gridDim.x - 1 - ticket);
}

// ---- within a block ------------------------------------------------------------------------------------------------

// The third warp is expected, but the condition keeps it away.
//: run expected -b 96 -a i32[96]=none
//: expect deadlock @expected
//: cure stay @expected @expected replace "MEET;" expected_cured "no return before it"
#define MEET asm volatile("bar.sync 1, 96;" ::: "memory")
extern "C" __global__ void expected(int *out) {
  __shared__ int s[96];
  int t = threadIdx.x;
  s[t] = t;
  if (t < 64) MEET;                                             // @expected
  out[t] = t < 64 ? s[95 - t] : t;
}

//: run expected_cured -b 96 -a i32[96]=none
//: clean
extern "C" __global__ void expected_cured(int *out) {
  __shared__ int s[96];
  int t = threadIdx.x;
  s[t] = t;
  MEET;
  out[t] = t < 64 ? s[95 - t] : t;
}

// ---- locks ---------------------------------------------------------------------------------------------------------

// Before Volta the lane that has the lock never comes to the work behind the loop.
//: run outside --sched stack -b 32 -a i32[1]=zero -a i32[1]=zero
//: expect livelock @outside
//: cure lock_retry @outside replace "for (bool done = false; !done;) if (atomicCAS(lock, 0, 1) == 0) { WORK; done = true; }" outside_cured "inside the loop"
#define WORK __threadfence(); sum[0] += 1; __threadfence(); atomicExch(lock, 0)
extern "C" __global__ void outside(int *lock, volatile int *sum) {
  while (atomicCAS(lock, 0, 1) != 0) continue; WORK;            // @outside
}

//: run outside_cured -b 32 -a i32[1]=zero -a i32[1]=zero
//: clean
extern "C" __global__ void outside_cured(int *lock, volatile int *sum) {
  for (bool done = false; !done;) if (atomicCAS(lock, 0, 1) == 0) { WORK; done = true; }
}

//: run held --sched its -b 64 -a i32[1]=zero -a i32[1]=zero
//: expect livelock
//: cure lock_barrier @held replace "sum[0] += 1;" held_cured "out of the lock"
extern "C" __global__ void held(int *lock, volatile int *sum) {
  for (bool done = threadIdx.x % 32 != 0; !done;)
    if (atomicCAS(lock, 0, 1) == 0) {
      __threadfence();
      sum[0] += 1; __syncthreads();                             // @held
      __threadfence();
      atomicExch(lock, 0);
      done = true;
    }
}

//: run held_cured --sched its -b 64 -a i32[1]=zero -a i32[1]=zero
//: clean
extern "C" __global__ void held_cured(int *lock, volatile int *sum) {
  for (bool done = threadIdx.x % 32 != 0; !done;)
    if (atomicCAS(lock, 0, 1) == 0) {
      __threadfence();
      sum[0] += 1;
      __threadfence();
      atomicExch(lock, 0);
      done = true;
    }
}
