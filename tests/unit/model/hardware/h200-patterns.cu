// One memory access of one warp per launch, in many patterns, to be counted by Nsight Compute. Prints a line per launch:
// what the access is, its width, the active lanes, and the byte offset of every lane.
//
//   nvcc -arch=sm_90 -O2 h200-patterns.cu -o patterns
//   ncu --clock-control none --csv --page raw --metrics NAMES ./patterns
#include <cstdio>

struct Request { int offset[32]; unsigned mask; int never; char *global; };
enum Access { LD_SHARED, ST_SHARED, LD_GLOBAL, ST_GLOBAL, RED_GLOBAL, ATOM_GLOBAL, ATOM_SHARED, ST_LOCAL };
static const char *const names[] = {"ld.shared", "st.shared", "ld.global", "st.global", "red.global", "atom.global", "atom.shared", "st.local"};
enum { SHARED_BYTES = 48 * 1024, GLOBAL_BYTES = 1 << 20, LOCAL_WORDS = 512 };

#define LOAD(space, width, address)                                                                                     \
  if (width == 1) asm volatile("ld." space ".u8 %0, [%1];" : "=r"(x) : address);                                        \
  if (width == 4) asm volatile("ld." space ".u32 %0, [%1];" : "=r"(x) : address);                                       \
  if (width == 8) asm volatile("ld." space ".v2.u32 {%0, %1}, [%2];" : "=r"(x), "=r"(y) : address);                     \
  if (width == 16) asm volatile("ld." space ".v4.u32 {%0, %1, %2, %3}, [%4];" : "=r"(x), "=r"(y), "=r"(z), "=r"(w) : address);
#define STORE(space, width, address)                                                                                    \
  if (width == 1) asm volatile("st." space ".u8 [%0], %1;" ::address, "r"(lane));                                       \
  if (width == 4) asm volatile("st." space ".u32 [%0], %1;" ::address, "r"(lane));                                      \
  if (width == 8) asm volatile("st." space ".v2.u32 [%0], {%1, %1};" ::address, "r"(lane));                             \
  if (width == 16) asm volatile("st." space ".v4.u32 [%0], {%1, %1, %1, %1};" ::address, "r"(lane));

template <int access, int width> __global__ void one_access(const __grid_constant__ Request request) {
  extern __shared__ char memory[];
  int lane = threadIdx.x, offset = request.offset[lane], x = 0, y = 0, z = 0, w = 0;
  if (!(request.mask >> lane & 1)) return;
  unsigned shared = (unsigned)__cvta_generic_to_shared(memory) + offset;
  char *global = request.global + offset;
  if (access == LD_SHARED) { LOAD("shared", width, "r"(shared)) }
  if (access == ST_SHARED) { STORE("shared", width, "r"(shared)) }
  if (access == LD_GLOBAL) { LOAD("global", width, "l"(global)) }
  if (access == ST_GLOBAL) { STORE("global", width, "l"(global)) }
  if (access == RED_GLOBAL) asm volatile("red.global.max.u32 [%0], %1;" ::"l"(global), "r"(lane));
  if (access == ATOM_GLOBAL) asm volatile("atom.global.exch.b32 %0, [%1], %2;" : "=r"(x) : "l"(global), "r"(lane));
  if (access == ATOM_SHARED) asm volatile("atom.shared.exch.b32 %0, [%1], %2;" : "=r"(x) : "r"(shared), "r"(lane));
  if (access == ST_LOCAL) {
    volatile int words[LOCAL_WORDS];
    words[offset / 4] = lane;
  }
  if ((x ^ y ^ z ^ w) == request.never) *request.global = 1;   // or the assembler drops the load
}

typedef void (*Kernel)(const Request);
static Kernel kernel_of(int access, int width) {
#define ROW(access) {one_access<access, 1>, one_access<access, 4>, one_access<access, 8>, one_access<access, 16>}
  static const Kernel kernels[][4] = {ROW(LD_SHARED), ROW(ST_SHARED), ROW(LD_GLOBAL), ROW(ST_GLOBAL),
                                      ROW(RED_GLOBAL), ROW(ATOM_GLOBAL), ROW(ATOM_SHARED), ROW(ST_LOCAL)};
  return kernels[access][width == 1 ? 0 : width == 4 ? 1 : width == 8 ? 2 : 3];
}

enum Shape { STRIDE, ROWS_OF_16, PAIRS, RANDOM, ROWS_OF_8, XOR, TWINS, TWINS_APART };
static int element(int shape, int lane, int q, unsigned random) {
  switch (shape) {
    case STRIDE: return lane * q;
    case ROWS_OF_16: return lane % 16 * q;
    case PAIRS: return lane / 2 * q;
    case RANDOM: return (random >> 16) % q;
    case ROWS_OF_8: return lane % 8 * q + lane / 8 * 64;
    case XOR: return lane ^ q;
    case TWINS: return lane & ~q;
    default: return (lane & ~q) * 8;
  }
}

static char *global_memory;

static void one(int access, int width, unsigned mask, int shape, int q) {
  Request request = {{0}, mask, 0x5ca1ab1e, global_memory};
  unsigned random = q * 7 + access + width;
  int limit = access == ST_LOCAL ? LOCAL_WORDS * 4 : SHARED_BYTES;
  printf("%s,%d,%08x,", names[access], width, mask);
  for (int lane = 0; lane < 32; lane++) {
    random = random * 1664525u + 1013904223u;
    request.offset[lane] = element(shape, lane, q, random) * width % limit;
    printf("%s%d", lane ? " " : "", request.offset[lane]);
  }
  puts("");
  kernel_of(access, width)<<<1, 32, SHARED_BYTES>>>(request);
  cudaError_t error = cudaDeviceSynchronize();
  if (error != cudaSuccess) fprintf(stderr, "%s\n", cudaGetErrorString(error));
}

static void shared_patterns(int access, int width) {
  const unsigned all = ~0u;
  for (int q : {0, 1, 2, 3, 4, 8, 16}) one(access, width, all, STRIDE, q);
  for (unsigned mask : {0xffffu, 0xffff0000u, 0x00ff00ffu, 0x55555555u, 0xffu, 0x80000001u, 1u})
    for (int q : {0, 1, 2}) one(access, width, mask, STRIDE, q);
  for (int shape : {ROWS_OF_16, PAIRS, ROWS_OF_8})
    for (int q : {1, 2, 32}) one(access, width, all, shape, q);
  for (int q : {2, 16, 64, 512}) one(access, width, all, RANDOM, q), one(access, width, 0x0f0ff0f3, RANDOM, q);
  for (int q : {5, 16}) one(access, width, all, XOR, q);
  for (int shape : {TWINS, TWINS_APART})
    for (int q : {1, 2, 3, 4, 6, 8, 16}) one(access, width, all, shape, q), one(access, width, 0x1f7f3fff, shape, q);
  for (unsigned mask : {0x33333333u, 0x0f0f0f0fu, 0x03030303u, 0x5555aaaau, 0x00010004u, 0x00000003u, 0x00000005u, 0x11111113u})
    for (int q : {0, 1, 16}) one(access, width, mask, STRIDE, q);
}

static void global_patterns(int access, int width) {
  const unsigned all = ~0u;
  for (int q : {0, 1, 2, 3, 9}) one(access, width, all, STRIDE, q);
  for (unsigned mask : {0xffffu, 0x55555555u, 1u}) one(access, width, mask, STRIDE, 1);
  for (int q : {8, 64}) one(access, width, all, RANDOM, q);
  one(access, width, all, ROWS_OF_8, 1);
}

int main() {
  setvbuf(stdout, NULL, _IOLBF, 0);
  if (cudaMalloc(&global_memory, GLOBAL_BYTES) != cudaSuccess) return 1;
  for (int access : {LD_SHARED, ST_SHARED})
    for (int width : {1, 4, 8, 16}) shared_patterns(access, width);
  for (int access : {LD_GLOBAL, ST_GLOBAL})
    for (int width : {1, 4, 8, 16}) global_patterns(access, width);
  for (int access : {RED_GLOBAL, ATOM_GLOBAL, ATOM_SHARED, ST_LOCAL}) global_patterns(access, 4);
  cudaFree(global_memory);
}
