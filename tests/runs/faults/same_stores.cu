// same_stores.cu: several threads store one value at the same place, which is no race; and what is one beside that.

// ---- right ---------------------------------------------------------------------------------------------------------

// Every thread of four warps leaves the same number.
//: run all_store_one -b 128 -a i32[128]=none
//: clean
extern "C" __global__ void all_store_one(int *out) {
  __shared__ int n;
  n = blockDim.x;
  __syncthreads();
  out[threadIdx.x] = n;
}

// Whoever finds it says so. In the same word there is another flag.
//: run found -b 128 -a i32[128]=mod:7 -a i32[128]=none
//: clean
extern "C" __global__ void found(const int *in, int *out) {
  __shared__ bool three, nine;
  int t = threadIdx.x;
  if (t == 0) three = nine = false;
  __syncthreads();
  if (in[t] == 3) three = true;
  if (in[t] == 9) nine = true;
  __syncthreads();
  out[t] = three + 2 * nine;
}

// Two lines say it, so that also lanes of one warp meet there in different instructions.
//: run found_in_two_lines -b 64 -a i32[64]=mod:7 -a i32[64]=none
//: clean
extern "C" __global__ void found_in_two_lines(const int *in, int *out) {
  __shared__ int found;
  int t = threadIdx.x;
  if (t == 0) found = 0;
  __syncthreads();
  if (in[t] == 3) found = 1;
  else if (in[t] * in[t] == 25) { out[t] = 5; found = 1; }
  __syncthreads();
  out[t] = found;
}

// Each warp clears the same 32 bins.
//: run all_clear -b 128 -a i32[128]=mod:32 -a i32[32]=none
//: clean
extern "C" __global__ void all_clear(const int *in, int *out) {
  __shared__ int bins[32];
  int t = threadIdx.x;
  bins[t % 32] = 0;
  __syncthreads();
  atomicAdd(&bins[in[t]], 1);
  __syncthreads();
  if (t < 32) out[t] = bins[t];
}

// Single bytes and halves of words.
//: run all_store_parts -b 128 -a i32[128]=none
//: clean
extern "C" __global__ void all_store_parts(int *out) {
  __shared__ __align__(4) unsigned char bytes[4];
  __shared__ __align__(4) unsigned short halves[2];
  int t = threadIdx.x;
  bytes[t % 4] = t % 4;
  halves[t % 2] = 700 + t % 2;
  __syncthreads();
  out[t] = bytes[t % 4] + halves[(t + 1) % 2];
}

// Vectors of two and of four.
//: run all_store_vectors -b 96 -a i32[96]=none
//: clean
extern "C" __global__ void all_store_vectors(int *out) {
  __shared__ int2 two;
  __shared__ int4 four;
  __shared__ double2 wide;
  int n = blockDim.x;
  two = make_int2(n, n + 1);
  four = make_int4(1, n, n * n, 4);
  wide = make_double2(n, 0.5 * n);
  __syncthreads();
  out[threadIdx.x] = two.x + two.y + four.x + four.y + four.z + four.w + (int)(wide.x + wide.y);
}

// Three warps meet at a barrier of their own before one of them stores another value.
//: run three_meet -b 96 -a i32[96]=none
//: clean
extern "C" __global__ void three_meet(int *out) {
  __shared__ int n;
  int t = threadIdx.x;
  if (t < 64) n = 1;
  asm volatile("bar.sync 1, 96;" ::: "memory");
  if (t >= 64) n = 2;
  __syncthreads();
  out[t] = n;
}

// Vectors in global memory, by all threads of two blocks.
//: run all_store_global_vectors -g 2 -b 64 -a i32[4]=zero -a i32[2]=zero
//: clean
extern "C" __global__ void all_store_global_vectors(int4 *four, int2 *two) {
  *four = make_int4(1, 2, 3, blockDim.x);
  *two = make_int2(blockDim.x, gridDim.x);
}

// ---- wrong ---------------------------------------------------------------------------------------------------------

// Each warp leaves its own number.
//: run warps_differ -b 64 -a i32[64]=none
//: expect race @warps_differ @warps_differ "which thread" "writes"
//: wrong 1 warps_agree
extern "C" __global__ void warps_differ(int *out) {
  __shared__ int n;
  n = threadIdx.x / 32;                                         // @warps_differ
  __syncthreads();
  out[threadIdx.x] = n;
}
//: run warps_agree -b 64 -a i32[64]=none
//: clean
extern "C" __global__ void warps_agree(int *out) {
  __shared__ int n;
  n = blockDim.x / 64;
  __syncthreads();
  out[threadIdx.x] = n;
}

// Two warps agree, a third one does not.
//: run third_differs -b 96 -a i32[96]=none
//: expect race @third_differs @third_differs "writes"
//: run third_differs -b 96 -a i32[96]=none --seed 1
//: expect race @third_differs @third_differs "writes"
//: run third_differs -b 96 -a i32[96]=none --seed 2
//: expect race @third_differs @third_differs "writes"
//: run third_differs -b 96 -a i32[96]=none --seed 3
//: expect race @third_differs @third_differs "writes"
extern "C" __global__ void third_differs(int *out) {
  __shared__ int n;
  n = threadIdx.x < 64 ? 1 : 2;                                 // @third_differs
  __syncthreads();
  out[threadIdx.x] = n;
}

// All store zero, and one of them goes on: another zero may come after its five.
//: run zero_then_five -b 64 -a i32[64]=none
//: expect race @zero @five "writes"
//: wrong 1 zero_barrier_five
//: run zero_then_five -b 64 -a i32[64]=none --seed 1
//: expect race @zero @five "writes"
//: run zero_then_five -b 64 -a i32[64]=none --seed 2
//: expect race @zero @five "writes"
//: run zero_then_five -b 64 -a i32[64]=none --seed 3
//: expect race @zero @five "writes"
extern "C" __global__ void zero_then_five(int *out) {
  __shared__ int n;
  int t = threadIdx.x;
  n = 0;                                                        // @zero
  __syncwarp();
  if (t == 0) n = 5;                                            // @five
  __syncthreads();
  out[t] = n;
}
//: run zero_barrier_five -b 64 -a i32[64]=none
//: clean
extern "C" __global__ void zero_barrier_five(int *out) {
  __shared__ int n;
  int t = threadIdx.x;
  n = 0;
  __syncthreads();
  if (t == 0) n = 5;
  __syncthreads();
  out[t] = n;
}

// The last warp waits for one of the two that store a one, not for the other.
//: run waits_for_one -b 96 -a i32[96]=none
//: expect race @one @two "writes"
//: run waits_for_one -b 96 -a i32[96]=none --seed 1
//: expect race @one @two "writes"
//: run waits_for_one -b 96 -a i32[96]=none --seed 2
//: expect race @one @two "writes"
//: run waits_for_one -b 96 -a i32[96]=none --seed 3
//: expect race @one @two "writes"
extern "C" __global__ void waits_for_one(int *out) {
  __shared__ int n;
  int t = threadIdx.x;
  if (t < 64) n = 1;                                            // @one
  if (t >= 32) asm volatile("bar.sync 1, 64;" ::: "memory");
  if (t >= 64) n = 2;                                           // @two
  __syncthreads();
  out[t] = n;
}

// A flag that one thread takes back.
//: run flag_taken_back -b 96 -a i32[96]=none
//: expect race @flag_set @flag_reset "writes"
//: run flag_taken_back -b 96 -a i32[96]=none --seed 1
//: expect race @flag_set @flag_reset "writes"
//: run flag_taken_back -b 96 -a i32[96]=none --seed 2
//: expect race @flag_set @flag_reset "writes"
extern "C" __global__ void flag_taken_back(int *out) {
  __shared__ bool flag;
  int t = threadIdx.x;
  if (t % 32 > 20) flag = true;                                 // @flag_set
  __syncwarp();
  if (t == 40) flag = false;                                    // @flag_reset
  __syncthreads();
  out[t] = flag;
}

// All store the same, and some read it before the barrier.
//: run read_too_soon -b 96 -a i32[96]=none
//: expect race @soon_store @soon_read
//: run read_too_soon -b 96 -a i32[96]=none --seed 1
//: expect race @soon_store @soon_read
//: run read_too_soon -b 96 -a i32[96]=none --seed 2
//: expect race @soon_store @soon_read
extern "C" __global__ void read_too_soon(int *out) {
  __shared__ int n;
  int t = threadIdx.x;
  if (t == 0) n = 0;
  __syncthreads();
  if (t < 64) n = blockDim.x;                                   // @soon_store
  __syncwarp();
  out[t] = n;                                                   // @soon_read
}

// One element of the vector differs.
//: run vectors_differ -b 64 -a i32[64]=none
//: expect race @vectors_differ @vectors_differ "writes"
//: run vectors_differ -b 64 -a i32[64]=none --seed 1
//: expect race @vectors_differ @vectors_differ "writes"
extern "C" __global__ void vectors_differ(int *out) {
  __shared__ int4 four;
  four = make_int4(1, 2, 3, threadIdx.x / 32);                  // @vectors_differ
  __syncthreads();
  out[threadIdx.x] = four.x + four.y + four.z + four.w;
}

// The same among the lanes of one warp.
//: run lanes_differ -b 32 -a i32[32]=none
//: expect race @lanes_differ @lanes_differ "writes"
extern "C" __global__ void lanes_differ(int *out) {
  __shared__ int2 two;
  two = make_int2(1, threadIdx.x);                              // @lanes_differ
  __syncthreads();
  out[threadIdx.x] = two.x + two.y;
}

// And of threads of two blocks.
//: run blocks_differ -g 2 -b 32 -a i32[4]=zero
//: expect race @blocks_differ @blocks_differ "writes"
extern "C" __global__ void blocks_differ(int4 *four) {
  *four = make_int4(1, 2, 3, blockIdx.x);                       // @blocks_differ
}
