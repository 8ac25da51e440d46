// next_array.cu: indices that run from one array into the next, which no device notices; and pointers that may go there.

// One step too far: the last thread reads the first element of what follows.
//: run one_past -b 64 -a i32[64]=iota -a i32[64]=none
//: expect out_of_bounds @one_past thread 63 "reads 4 bytes at first[64], just past the end of first (256 bytes), in second"
extern "C" __global__ void one_past(const int *in, int *out) {
  __shared__ int first[64];
  __shared__ int second[64];
  int t = threadIdx.x;
  first[t] = in[t];
  second[t] = -in[t];
  __syncthreads();
  out[t] = first[t + 1] + second[t];                            // @one_past
}

// The neighbor on the left, which the first thread does not have.
//: run one_before -b 64 -a i32[64]=iota -a i32[64]=none
//: expect out_of_bounds @one_before thread 0 "reads 4 bytes at second[-1], 4 bytes before the start of second (256 bytes), in first"
extern "C" __global__ void one_before(const int *in, int *out) {
  __shared__ int first[64];
  __shared__ int second[64];
  int t = threadIdx.x;
  first[t] = in[t];
  second[t] = -in[t];
  __syncthreads();
  out[t] = second[t - 1] + first[63 - t];                       // @one_before
}

// An index from memory.
//: run index_from_memory -b 32 -a i32[32]=iota -a i32=5 -a i32[32]=none
//: expect out_of_bounds @index_from_memory thread 7 "writes 4 bytes at bins[32]" "in sums"
extern "C" __global__ void index_from_memory(const int *in, int scale, int *out) {
  __shared__ int bins[32];
  __shared__ int sums[128];
  int t = threadIdx.x;
  bins[t] = 0;
  for (int i = t; i < 128; i += 32) sums[i] = 0;
  __syncthreads();
  int bin = in[t] * scale - in[t] / 7 * 3;
  atomicAdd(&sums[bin % 128], 1);
  __syncthreads();
  if (t < 31) bins[in[t] == 7 ? 32 : in[t]] = sums[t];          // @index_from_memory
  __syncthreads();
  out[t] = bins[t] + sums[t];
}

// A wide store at the end.
//: run wide_store -b 16 -a i32[64]=iota -a i32[64]=none
//: expect out_of_bounds @wide_store thread 14 "just past the end of tile (240 bytes), in other"
extern "C" __global__ void wide_store(const int *in, int *out) {
  __shared__ __align__(16) int tile[60];
  __shared__ __align__(16) int other[64];
  int t = threadIdx.x;
  for (int i = t; i < 64; i += 16) other[i] = in[i];
  __syncthreads();
  *(int4 *)&tile[4 * t + 4] = *(const int4 *)&in[4 * t];        // @wide_store
  if (t < 4) tile[t] = 0;
  __syncthreads();
  for (int i = t; i < 60; i += 16) out[i] = tile[i] + other[i];
}

// Far beyond a buffer lies another one.
//: run far_away -b 32 -a i32[32]=iota -a i32[32]=none
//: expect out_of_bounds @far_away thread 0 "argument 1" "in argument 2"
extern "C" __global__ void far_away(int *in, int *out) {
  int t = threadIdx.x;
  in[t + 524288] = 1;                                           // @far_away
  out[t] = in[t];
}

// Local arrays have names only as written; as compiled they are one piece, if anything is left of them.
//: run local_arrays -b 32 -a i32[64]=iota -a i32=4 -a i32[32]=none --cut written
//: expect out_of_bounds @local_arrays thread 0 "writes 4 bytes at small[4], just past the end of small (16 bytes), in large"
extern "C" __global__ void local_arrays(const int *in, int last, int *out) {
  int small[4], large[16];
  for (int i = 0; i < 16; i++) large[i] = in[i];
  for (int i = 0; i <= last; i++) small[i] = in[i];             // @local_arrays
  int sum = 0;
  for (int i = 0; i < 16; i++) sum += large[i] * small[i % 4];
  out[threadIdx.x] = sum;
}

// ---- right ones ----------------------------------------------------------------------------------------------------

// One pointer for two arrays.
//: run chosen -b 64 -a i32[64]=iota -a i32[64]=none
//: clean
extern "C" __global__ void chosen(const int *in, int *out) {
  __shared__ int even[32];
  __shared__ int odd[32];
  int t = threadIdx.x;
  int *mine = t % 2 ? odd : even;
  mine[t / 2] = in[t];
  __syncthreads();
  const int *other = t % 2 ? even : odd;
  out[t] = other[t / 2];
}

// Two tiles that change places.
//: run swapped -b 32 -a i32[256]=iota -a i32[32]=none
//: clean
extern "C" __global__ void swapped(const int *in, int *out) {
  __shared__ int a[32];
  __shared__ int b[32];
  int *now = a, *next = b, t = threadIdx.x, sum = 0;
  now[t] = in[t];
  #pragma unroll 1
  for (int i = 1; i < 8; i++) {
    next[t] = in[32 * i + t];
    __syncthreads();
    sum += now[31 - t];
    __syncthreads();
    int *last = now;
    now = next;
    next = last;
  }
  out[t] = sum;
}

// A pointer to the end, that goes back before it is used; differences of pointers.
//: run backwards -b 32 -a i32[64]=iota -a i32=0 -a i32[32]=none
//: clean
extern "C" __global__ void backwards(const int *in, int zero, int *out) {
  __shared__ int a[64];
  __shared__ int b[64];
  int t = threadIdx.x, sum = 0, local[8], after[8];
  a[t] = in[t]; a[t + 32] = in[t + 32];
  b[t] = in[t]; b[t + 32] = in[t + 32];
  for (int i = 0; i < 8; i++) { local[i] = in[i + zero]; after[i] = in[i + 8]; }
  __syncthreads();
  const int *end = a + 64, *at = end;
  #pragma unroll 1
  while (at > a) sum += *--at;
  const int *place = &a[t];
  sum += b[place - a];                        // an address in a is an index here
  sum += b[end - place - 1];
  int *stop = &local[8];
  #pragma unroll 1
  for (int *p = stop; p > local;) { p--; sum += *p + after[p - local]; }
  out[t] = sum + stop[-1 - zero];
}

// One piece of memory in several parts.
//: run carved -b 32 -s 768 -a i32[64]=iota -a f32[32]=none
//: clean
extern "C" __global__ void carved(const int *in, float *out) {
  extern __shared__ __align__(16) char memory[];
  int *whole = (int *)memory;
  float *parts = (float *)(memory + 256);
  short *small = (short *)(parts + 64);
  int t = threadIdx.x;
  whole[t] = in[t]; whole[t + 32] = in[t + 32];
  parts[t] = 0.5f * t; parts[t + 32] = t;
  for (int i = t; i < 128; i += 32) small[i] = (short)(2 * i);
  __syncthreads();
  out[t] = whole[63 - t] + parts[63 - t] + small[127 - t];
}

// Functions that take a pointer, and a table of pointers.
__device__ __noinline__ int add_up(const int *p, int n) {
  int sum = 0;
  #pragma unroll 1
  for (int i = 0; i < n; i++) sum += p[i];
  return sum;
}
//: run passed_on -b 32 -a i32[64]=iota -a i32[32]=none
//: clean
extern "C" __global__ void passed_on(const int *in, int *out) {
  __shared__ int a[32];
  __shared__ int b[16];
  __shared__ const int *table[2];
  int t = threadIdx.x, local[4] = {t, 2, 3, 4};
  a[t] = in[t];
  if (t < 16) b[t] = in[t + 32];
  if (t < 2) table[t] = t ? b : a;
  __syncthreads();
  out[t] = add_up(a, 32) + add_up(b, 16) + add_up(local, 4) + add_up(in, 64) + table[t & 1][t % 16];
}

// Addresses as numbers, and bits of them exchanged.
//: run swizzled -b 32 -a i32[64]=iota -a i32[32]=none
//: clean
extern "C" __global__ void swizzled(const int *in, int *out) {
  __shared__ __align__(256) int a[32];
  __shared__ __align__(256) int b[64];
  int t = threadIdx.x;
  unsigned at = (unsigned)__cvta_generic_to_shared(a) + 4 * t, to = at ^ 12;
  asm volatile("st.shared.u32 [%0], %1;" :: "r"(to), "r"(in[t]) : "memory");
  b[(at & 127) / 4] = in[t + 32];
  b[32 + t] = in[t];
  __syncthreads();
  out[t] = a[t ^ 3] + b[t] + b[63 - t];
}

// Rows of different lengths behind one another in one array.
//: run rows -b 32 -a i32[64]=iota -a i32[32]=none
//: clean
extern "C" __global__ void rows(const int *in, int *out) {
  __shared__ struct { int head[8]; int body[24]; long long tail[4]; } s;
  int t = threadIdx.x;
  int *all = (int *)&s;
  all[t] = in[t];
  if (t < 4) s.tail[t] = in[t];
  __syncthreads();
  out[t] = s.head[t % 8] + s.body[t % 24] + (int)s.tail[t % 4];
}
