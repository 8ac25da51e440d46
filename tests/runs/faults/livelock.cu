// livelock.cu: threads that wait for ever in a loop.

// A spin lock between lanes of a warp. Before Volta the lane that has the lock never runs on.
//: run spin_lock -b 32 -a i32[1]=zero -a i32[1]=zero --sched stack
//: expect livelock "lanes 1-31 of warp 0 spin" "lane 0"
extern "C" __global__ void spin_lock(int *lock, int *count) {
  while (atomicCAS(lock, 0, 1) != 0) continue;
  *(volatile int *)count += 1;
  __threadfence();
  atomicExch(lock, 0);
}

// The same since Volta.
//: run spin_lock -b 32 -a i32[1]=zero -a i32[1]=zero --sched its
//: clean

// A flag that nobody sets.
//: run no_one_sets -b 64 -a i32[1]=zero -a i32[64]=zero
//: expect livelock @no_one_sets "spin"
extern "C" __global__ void no_one_sets(volatile int *flag, int *out) {
  while (*flag == 0) continue;                                  // @no_one_sets
  out[threadIdx.x] = 1;
}

// The consumer is in the block that runs first and the producer needs what the consumer gives.
//: run each_for_the_other -b 64 -a i32[2]=zero
//: expect livelock "spin"
extern "C" __global__ void each_for_the_other(volatile int *flag) {
  int me = threadIdx.x / 32;
  while (flag[1 - me] == 0) continue;
  flag[me] = 1;
}

// The flag is set behind the loop that waits for it: by the same lanes.
//: run set_behind -b 32 -a i32[1]=zero --sched stack
//: expect livelock "spin"
extern "C" __global__ void set_behind(volatile int *flag) {
  if (threadIdx.x != 0) while (*flag == 0) continue;
  else *flag = 1;
}
