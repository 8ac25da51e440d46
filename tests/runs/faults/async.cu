// async.cu: asynchronous copies from global to shared memory that are used before they have been waited for.
//
// The copies are written as PTX, for the compiler makes plain loads and stores of them for devices as old as those that
// these files are compiled for.
__device__ __forceinline__ unsigned at_shared(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }

#define COPY(to, from) \
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" :: "r"(at_shared(to)), "l"(__cvta_generic_to_global(from)) : "memory")
#define COMMIT() asm volatile("cp.async.commit_group;" ::: "memory")
#define WAIT(n) asm volatile("cp.async.wait_group %0;" :: "n"(n) : "memory")
#define WAIT_ALL() asm volatile("cp.async.wait_all;" ::: "memory")
#define MBARRIER_INIT(bar, n) asm volatile("mbarrier.init.shared.b64 [%0], %1;" :: "r"(at_shared(bar)), "r"(n) : "memory")
#define MBARRIER_COPIED(bar) asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" :: "r"(at_shared(bar)) : "memory")

__device__ __forceinline__ void mbarrier_wait(void *bar, unsigned parity) {
  asm volatile("{ .reg .pred p; again: mbarrier.test_wait.parity.shared.b64 p, [%0], %1; @!p bra again; }"
               :: "r"(at_shared(bar)), "r"(parity) : "memory");
}

// A barrier is no wait.
//: run no_wait -b 64 -a i32[64]=iota -a i32[64]=none
//: expect pending_copy @no_wait_read @no_wait_copy "reads tile[" "into which thread (" "nobody has waited for"
//: wrong 2 waited
extern "C" __global__ void no_wait(const int *in, int *out) {
  __shared__ int tile[64];
  int t = threadIdx.x;
  tile[t] = 0;
  COPY(&tile[t], &in[t]);                                       // @no_wait_copy
  COMMIT();
  __syncthreads();
  out[t] = tile[63 - t];                                        // @no_wait_read
}

// The same as it should be.
//: run waited -b 64 -a i32[64]=iota -a i32[64]=none
//: clean
extern "C" __global__ void waited(const int *in, int *out) {
  __shared__ int tile[64];
  int t = threadIdx.x;
  COPY(&tile[t], &in[t]);
  COMMIT();
  WAIT(0);
  __syncthreads();
  out[t] = tile[63 - t];
}

// The thread's own element needs no barrier, but a wait.
//: run own_element -b 32 -a i32[32]=iota -a i32[32]=none
//: expect pending_copy @own_read @own_copy "tile[0], into which thread (0,0,0)"
extern "C" __global__ void own_element(const int *in, int *out) {
  __shared__ int tile[32];
  int t = threadIdx.x;
  COPY(&tile[t], &in[t]);                                       // @own_copy
  COMMIT();
  out[t] = tile[t];                                             // @own_read
}

// A wait is no barrier.
//: run no_barrier -b 64 -a i32[64]=iota -a i32[64]=none
//: expect race @no_barrier_copy @no_barrier_read "tile["
extern "C" __global__ void no_barrier(const int *in, int *out) {
  __shared__ int tile[64];
  int t = threadIdx.x;
  COPY(&tile[t], &in[t]);                                       // @no_barrier_copy
  COMMIT();
  WAIT(0);
  out[t] = tile[63 - t];                                        // @no_barrier_read
}

// The wait comes after the barrier: only the thread itself knows that its copy is over.
//: run wait_too_late -b 64 -a i32[64]=iota -a i32[64]=none
//: expect race @late_copy @late_read "tile["
extern "C" __global__ void wait_too_late(const int *in, int *out) {
  __shared__ int tile[64];
  int t = threadIdx.x;
  COPY(&tile[t], &in[t]);                                       // @late_copy
  __syncthreads();
  WAIT_ALL();
  out[t] = tile[63 - t];                                        // @late_read
}

// One group too many may still be on its way.
//: run waits_for_too_few -b 64 -a i32[256]=iota -a i32[64]=none
//: expect pending_copy @few_copy @few_read "tile["
//: wrong 2 two_stages
extern "C" __global__ void waits_for_too_few(const int *in, int *out) {
  __shared__ int tile[2][64];
  int t = threadIdx.x, sum = 0;
  COPY(&tile[0][t], &in[t]);                                    // @few_copy
  COMMIT();
  #pragma unroll 1
  for (int i = 0; i < 4; i++) {
    if (i < 3) COPY(&tile[(i + 1) & 1][t], &in[64 * (i + 1) + t]);  // @few_copy
    COMMIT();
    WAIT(2);
    __syncthreads();
    sum += tile[i & 1][63 - t];                                 // @few_read
    __syncthreads();
  }
  out[t] = sum;
}

// The same as it should be.
//: run two_stages -b 64 -a i32[256]=iota -a i32[64]=none
//: clean
extern "C" __global__ void two_stages(const int *in, int *out) {
  __shared__ int tile[2][64];
  int t = threadIdx.x, sum = 0;
  COPY(&tile[0][t], &in[t]);
  COMMIT();
  #pragma unroll 1
  for (int i = 0; i < 4; i++) {
    if (i < 3) COPY(&tile[(i + 1) & 1][t], &in[64 * (i + 1) + t]);
    COMMIT();
    WAIT(1);
    __syncthreads();
    sum += tile[i & 1][63 - t];
    __syncthreads();
  }
  out[t] = sum;
}

// The copy into the stage that others may still read.
//: run no_second_barrier -b 64 -a i32[256]=iota -a i32[64]=none
//: expect race @second_copy @second_read "tile["
extern "C" __global__ void no_second_barrier(const int *in, int *out) {
  __shared__ int tile[64];
  int t = threadIdx.x, sum = 0;
  #pragma unroll 1
  for (int i = 0; i < 4; i++) {
    COPY(&tile[t], &in[64 * i + t]);                            // @second_copy
    WAIT_ALL();
    __syncthreads();
    sum += tile[63 - t];                                        // @second_read
  }
  out[t] = sum;
}

// Three and four stages in a ring, with one barrier for each.
template <int stages> __device__ __forceinline__ void ring(const int *in, int *out) {
  __shared__ int tile[stages][64];
  int t = threadIdx.x, sum = 0;
  for (int i = 0; i < stages - 1; i++) { COPY(&tile[i][t], &in[64 * i + t]); COMMIT(); }
  #pragma unroll 1
  for (int i = 0; i < 8; i++) {
    WAIT(stages - 2);
    __syncthreads();
    int next = i + stages - 1;
    if (next < 8) COPY(&tile[next % stages][t], &in[64 * next + t]);
    COMMIT();
    sum += tile[i % stages][63 - t];
  }
  out[t] = sum;
}
//: run three_stages -b 64 -a i32[512]=iota -a i32[64]=none
//: clean
extern "C" __global__ void three_stages(const int *in, int *out) { ring<3>(in, out); }
//: run four_stages -b 64 -a i32[512]=iota -a i32[64]=none
//: clean
extern "C" __global__ void four_stages(const int *in, int *out) { ring<4>(in, out); }

// The place is written again while the copy into it is on its way.
//: run writes_destination -b 32 -a i32[32]=iota -a i32[32]=none
//: expect pending_copy @destination_write @destination_copy "writes tile[0], into which"
extern "C" __global__ void writes_destination(const int *in, int *out) {
  __shared__ int tile[32];
  int t = threadIdx.x;
  COPY(&tile[t], &in[t]);                                       // @destination_copy
  tile[t] = 7;                                                  // @destination_write
  WAIT_ALL();
  out[t] = tile[t];
}

// What is to be copied is changed while the copy is on its way.
//: run writes_source -b 32 -a i32[32]=iota -a i32[32]=none
//: expect pending_copy @source_write @source_copy "from which thread (0,0,0)"
extern "C" __global__ void writes_source(int *in, int *out) {
  __shared__ int tile[32];
  int t = threadIdx.x;
  COPY(&tile[t], &in[t]);                                       // @source_copy
  in[t] = -1;                                                   // @source_write
  WAIT_ALL();
  out[t] = tile[t];
}

// The same as it should be.
//: run writes_source_later -b 32 -a i32[32]=iota -a i32[32]=none
//: clean
extern "C" __global__ void writes_source_later(int *in, int *out) {
  __shared__ int tile[32];
  int t = threadIdx.x;
  COPY(&tile[t], &in[t]);
  WAIT_ALL();
  in[t] = -1;
  out[t] = tile[t];
}

// An mbarrier is told of the copies, and nobody asks it.
//: run mbarrier_not_asked -b 64 -a i32[64]=iota -a i32[64]=none
//: expect pending_copy @not_asked_copy @not_asked_read "tile["
extern "C" __global__ void mbarrier_not_asked(const int *in, int *out) {
  __shared__ int tile[64];
  __shared__ unsigned long long bar;
  int t = threadIdx.x;
  if (t == 0) MBARRIER_INIT(&bar, 64);
  __syncthreads();
  COPY(&tile[t], &in[t]);                                       // @not_asked_copy
  MBARRIER_COPIED(&bar);
  __syncthreads();
  out[t] = tile[63 - t];                                        // @not_asked_read
}

// The same as it should be: who has seen the phase end needs no barrier.
//: run mbarrier_asked -b 64 -a i32[256]=iota -a i32[64]=none
//: clean
extern "C" __global__ void mbarrier_asked(const int *in, int *out) {
  __shared__ int tile[64];
  __shared__ unsigned long long bar;
  int t = threadIdx.x, sum = 0;
  if (t == 0) MBARRIER_INIT(&bar, 64);
  __syncthreads();
  #pragma unroll 1
  for (int i = 0; i < 4; i++) {
    COPY(&tile[t], &in[64 * i + t]);
    MBARRIER_COPIED(&bar);
    mbarrier_wait(&bar, i & 1);
    sum += tile[63 - t];
    __syncthreads();
  }
  out[t] = sum;
}

// Only one warp has asked the mbarrier.
//: run one_warp_asks -b 64 -a i32[64]=iota -a i32[64]=none
//: expect race @one_warp_copy @one_warp_read "tile["
extern "C" __global__ void one_warp_asks(const int *in, int *out) {
  __shared__ int tile[64];
  __shared__ unsigned long long bar;
  int t = threadIdx.x;
  if (t == 0) MBARRIER_INIT(&bar, 32);
  __syncthreads();
  if (t < 32) {
    COPY(&tile[t], &in[t]);                                     // @one_warp_copy
    MBARRIER_COPIED(&bar);
    mbarrier_wait(&bar, 0);
    out[t] = tile[31 - t];
  } else {
    __nanosleep(1000);
    out[t] = tile[t - 32];                                      // @one_warp_read
  }
}

// Two groups are under way, and the wait lets both of them be.
//: run wait_for_nothing -b 64 -a i32[256]=iota -a i32[256]=none
//: expect pending_copy @wait_for_nothing
//: wrong 2 wait_for_one
extern "C" __global__ void wait_for_nothing(const int *in, int *out) {
  __shared__ int tile[2][64];
  int t = threadIdx.x, h = 0;
  COPY(&tile[0][t], &in[t]);                                    // @wait_for_nothing
  COMMIT();
  #pragma unroll 1
  for (int i = 0; i < 4; i++, h ^= 1) {
    if (i < 3) COPY(&tile[h ^ 1][t], &in[64 * (i + 1) + t]);    // @wait_for_nothing
    COMMIT();
    WAIT(2);
    __syncthreads();
    out[64 * i + t] = tile[h][63 - t];                          // @wait_for_nothing
    __syncthreads();
  }
}

// The same with a wait for all but the last group.
//: run wait_for_one -b 64 -a i32[256]=iota -a i32[256]=none
//: clean
extern "C" __global__ void wait_for_one(const int *in, int *out) {
  __shared__ int tile[2][64];
  int t = threadIdx.x, h = 0;
  COPY(&tile[0][t], &in[t]);
  COMMIT();
  #pragma unroll 1
  for (int i = 0; i < 4; i++, h ^= 1) {
    if (i < 3) COPY(&tile[h ^ 1][t], &in[64 * (i + 1) + t]);
    COMMIT();
    WAIT(1);
    __syncthreads();
    out[64 * i + t] = tile[h][63 - t];
    __syncthreads();
  }
}
