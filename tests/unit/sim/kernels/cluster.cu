// cluster.cu: clusters of thread blocks, for the emulator's tests.
//   nvcc -arch=sm_90 -std=c++17 -ptx cluster.cu
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

// What a block knows of its cluster, and shared memory by way of the cluster's addresses.
extern "C" __global__ void of_one(int *out) {
  __shared__ int s[64];
  cg::cluster_group cluster = cg::this_cluster();
  int t = threadIdx.x;
  out += blockIdx.x * 256;
  out[t] = (int)(cluster.block_rank() + 10 * cluster.num_blocks() + 100 * cluster.thread_rank());
  s[t] = t * t;
  cluster.sync();
  int *mapped = cluster.map_shared_rank(s, 0);
  out[64 + t] = mapped[63 - t] + (int)cluster.query_shared_rank(mapped);
  unsigned far = (unsigned)__cvta_generic_to_shared(mapped), value, inside;
  asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(value) : "r"(far + 4 * t));
  asm volatile("{ .reg .pred p; isspacep.shared::cluster p, %1; selp.u32 %0, 1, 0, p; }" : "=r"(inside) : "l"(mapped));
  out[128 + t] = (int)(value + inside);
  cg::cluster_group::arrival_token token = cluster.barrier_arrive();
  unsigned rank, clusters, id;
  asm("mov.u32 %0, %%cluster_ctaid.x;" : "=r"(rank));
  asm("mov.u32 %0, %%nclusterid.x;" : "=r"(clusters));
  asm("mov.u32 %0, %%clusterid.x;" : "=r"(id));
  int between = (int)(rank + 100 * clusters + id);
  cluster.barrier_wait(std::move(token));
  s[t] = between;
  cluster.sync();
  out[192 + t] = s[63 - t];
}

// One warp never comes to the barrier, but it ends.
extern "C" __global__ void some_end(int *out) {
  if (threadIdx.x >= 64) return;
  out[threadIdx.x] = 1;
  cg::this_cluster().sync();
  out[64 + threadIdx.x] = out[63 - threadIdx.x];
}

// Two warps wait for two that wait for them at another barrier.
extern "C" __global__ void never_meet(int *out) {
  if (threadIdx.x < 64) cg::this_cluster().sync();
  else asm volatile("bar.sync 1, 128;" ::: "memory");
  out[threadIdx.x] = 1;
}

// There is no second block.
extern "C" __global__ void second_block(int *out) {
  __shared__ int s[32];
  s[threadIdx.x] = 1;
  out[threadIdx.x] = *cg::this_cluster().map_shared_rank(s, (int)(threadIdx.x / 16));
}

// Clusters of two, and something else that is not emulated.
extern "C" __global__ void __cluster_dims__(2, 1, 1) of_two(int *out) {
  asm volatile("brkpt;");
  asm volatile("multimem.red.relaxed.sys.global.add.u32 [%0], 1;" ::"l"(out) : "memory");
  cg::this_cluster().sync();
}

extern "C" __global__ void __cluster_dims__(1, 1, 1) explicitly_one(int *out) {
  unsigned is_explicit;
  asm("{ .reg .pred p; mov.pred p, %%is_explicit_cluster; selp.u32 %0, 1, 0, p; }" : "=r"(is_explicit));
  out[threadIdx.x] = (int)is_explicit;
}
