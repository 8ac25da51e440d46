// probe_costs.cu: cycles of what instrumented code is made of, to choose between ways to count.
//
//   nvcc -arch=sm_90 -O3 -o probe_costs probe_costs.cu && ./probe_costs
//
// Of each step: cycles from one to the next by one warp that waits for it, and cycles of an SM for each of them with 16
// and with 32 warps, with 32 whose lanes all have the same value, and on all SMs at once.
#include <cstdio>

typedef unsigned u32;
typedef unsigned long long u64;
enum { STEPS = 256, LANES = 32, WORDS = 4096, ROW = 64, BLOCKS = 264, WAYS = 5 };

struct Way { int blocks, threads; u32 lanes; };
static const Way ways[WAYS] = {{1, 32, 1}, {1, 512, 1}, {1, 1024, 1}, {1, 1024, 0}, {BLOCKS, 1024, 1}};

// What a step may use: x differs from lane to lane (where lanes is 1), y is what the step before gave.
#define STEP(name, step) \
  __global__ void name(u32 *out, u64 *cycles, u64 *memory, u32 lanes) { \
    __shared__ u32 shared[WORDS]; \
    u32 x = threadIdx.x * lanes, y = 0, all = ~0u; \
    u32 mine = (u32)__cvta_generic_to_shared(shared) + threadIdx.x / LANES * 128; \
    u64 *row = memory + (blockIdx.x * LANES + threadIdx.x / LANES) * ROW; \
    bool lead = threadIdx.x % LANES == 0; \
    for (u32 i = threadIdx.x; i < WORDS; i += blockDim.x) shared[i] = 0; \
    __syncthreads(); \
    long long start = clock64(); \
    _Pragma("unroll 16") for (int i = 0; i < STEPS; i++) { step; } \
    __syncthreads(); \
    if (threadIdx.x == 0) cycles[blockIdx.x] = (u64)(clock64() - start); \
    out[blockIdx.x * blockDim.x + threadIdx.x] = x + y + all + mine + lead + (u32)(u64)row + shared[threadIdx.x]; \
  }

STEP(add, asm volatile("add.u32 %0, %0, 1;" : "+r"(y)))
STEP(popc, y = (u32)__popc(y + x))
STEP(activemask, asm volatile("{.reg .b32 a; activemask.b32 a; add.u32 %0, %0, a;}" : "+r"(y)))
STEP(ballot, asm volatile("{.reg .pred p; setp.ne.u32 p, %1, 0; vote.sync.ballot.b32 %0, p, %2;}"
                          : "=r"(y) : "r"(y & 1), "r"(all)))
STEP(shuffle, asm volatile("shfl.sync.idx.b32 %0, %1, 3, 31, %2;" : "=r"(y) : "r"(y + x), "r"(all)))
STEP(redux_or, asm volatile("redux.sync.or.b32 %0, %1, %2;" : "=r"(y) : "r"(y + x), "r"(all)))
STEP(match_any, asm volatile("match.any.sync.b32 %0, %1, %2;" : "=r"(y) : "r"(x + (y & 1)), "r"(all)))
STEP(match_any_64, asm volatile("match.any.sync.b64 %0, %1, %2;" : "=r"(y) : "l"((u64)x + (y & 1)), "r"(all)))
STEP(match_all, asm volatile("{.reg .pred p; match.all.sync.b32 %0|p, %1, %2;}"
                             : "=r"(y) : "r"(x + (y & 1)), "r"(all)))
STEP(red_global, if (lead) asm volatile("red.global.add.u64 [%0], %1;" : : "l"(row + i % 16), "l"((u64)1) : "memory"))
STEP(red_global_same, if (lead) asm volatile("red.global.add.u64 [%0], %1;" : : "l"(row), "l"((u64)1) : "memory"))
STEP(red_global_lanes, asm volatile("red.global.add.u64 [%0], %1;" : : "l"(row), "l"((u64)1) : "memory"))
STEP(atom_grid, if (lead) asm volatile("{.reg .u64 a; atom.global.add.u64 a, [%1], 1; cvt.u32.u64 %0, a;}"
                                       : "=r"(y) : "l"(memory) : "memory"))
STEP(red_shared, if (lead) asm volatile("red.shared.add.u32 [%0], %1;" : : "r"(mine + i % 16 * 4), "r"(1) : "memory"))

typedef void Kernel(u32 *out, u64 *cycles, u64 *memory, u32 lanes);
static const struct { const char *name; Kernel *kernel; } steps[] = {
    {"add", add}, {"popc", popc}, {"activemask", activemask}, {"ballot", ballot}, {"shuffle", shuffle},
    {"redux.or", redux_or}, {"match.any", match_any}, {"match.any, 64 bits", match_any_64}, {"match.all", match_all},
    {"red.global, one lane", red_global}, {"the same address", red_global_same}, {"by all lanes", red_global_lanes},
    {"atom.global, one lane, one address for all", atom_grid}, {"red.shared, one lane", red_shared},
};

int main() {
  u32 *out;
  u64 *cycles, *memory, host[BLOCKS];
  cudaMalloc(&out, BLOCKS * 1024 * sizeof *out);
  cudaMalloc(&cycles, sizeof host);
  cudaMalloc(&memory, BLOCKS * LANES * ROW * sizeof *memory);
  cudaMemset(memory, 0, BLOCKS * LANES * ROW * sizeof *memory);
  printf("| step | 1 warp | 16 warps | 32 warps | all the same | all SMs |\n| --- | --- | --- | --- | --- | --- |\n");
  for (auto &step : steps) {
    printf("| %s |", step.name);
    for (const Way &way : ways) {
      double sum = 0;
      for (int run = 0; run < 3; run++) step.kernel<<<way.blocks, way.threads>>>(out, cycles, memory, way.lanes);
      cudaMemcpy(host, cycles, way.blocks * sizeof *host, cudaMemcpyDeviceToHost);
      for (int b = 0; b < way.blocks; b++) sum += (double)host[b] / way.blocks;
      printf(" %.2f |", sum / STEPS / (way.threads / LANES));
    }
    printf("\n");
  }
  puts(cudaGetErrorString(cudaDeviceSynchronize()));
  return 0;
}
