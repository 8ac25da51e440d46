// cooperative_groups.h: groups of threads (CUDA C++ Programming Guide, "Cooperative Groups"): the block, the grid, tiles of 1 to 32
// lanes, lanes that are active together; for clang.
#pragma once
#pragma clang system_header

#include "cuda_runtime.h"

namespace cooperative_groups {

struct lanescope_place {
  LANESCOPE_MEMBER static unsigned thread() { return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x; }
  LANESCOPE_MEMBER static unsigned threads() { return blockDim.x * blockDim.y * blockDim.z; }
  LANESCOPE_MEMBER static unsigned long long block() {
    return ((unsigned long long)blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  }
  LANESCOPE_MEMBER static unsigned long long blocks() { return (unsigned long long)gridDim.x * gridDim.y * gridDim.z; }
  LANESCOPE_MEMBER static unsigned lane() {
    unsigned lane;
    asm("mov.u32 %0, %%laneid;" : "=r"(lane));
    return lane;
  }
  LANESCOPE_MEMBER static unsigned lanes_below() {
    unsigned mask;
    asm("mov.u32 %0, %%lanemask_lt;" : "=r"(mask));
    return mask;
  }
};

// ---- block and grid --------------------------------------------------------------------------------------------------------------

struct thread_block {
  unsigned char lanescope_empty = 0;   // copies of an object without members would copy a byte that nobody wrote
  LANESCOPE_MEMBER static void sync() { asm volatile("barrier.sync 0;" ::: "memory"); }
  LANESCOPE_MEMBER static unsigned thread_rank() { return lanescope_place::thread(); }
  LANESCOPE_MEMBER static unsigned size() { return lanescope_place::threads(); }
  LANESCOPE_MEMBER static unsigned num_threads() { return lanescope_place::threads(); }
  LANESCOPE_MEMBER static dim3 group_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
  LANESCOPE_MEMBER static dim3 thread_index() { return dim3(threadIdx.x, threadIdx.y, threadIdx.z); }
  LANESCOPE_MEMBER static dim3 group_dim() { return dim3(blockDim.x, blockDim.y, blockDim.z); }
  LANESCOPE_MEMBER static dim3 dim_threads() { return group_dim(); }
};
LANESCOPE_DEVICE thread_block this_thread_block() { return thread_block(); }

// The workspace of a cooperative launch, which %envreg1 and %envreg2 give the address of, has a counter at its byte 4. The highest bit
// of it flips when the last block has come.
struct grid_group {
  unsigned char lanescope_empty = 0;
  LANESCOPE_MEMBER static unsigned char *workspace() {
    unsigned high, low;
    asm("mov.u32 %0, %%envreg1;" : "=r"(high));
    asm("mov.u32 %0, %%envreg2;" : "=r"(low));
    return (unsigned char *)((unsigned long long)high << 32 | low);
  }
  LANESCOPE_MEMBER static bool is_valid() { return workspace() != nullptr; }
  LANESCOPE_MEMBER static void sync() {
    unsigned char *space = workspace();
    if (!space) __trap();
    asm volatile("barrier.sync 0;" ::: "memory");
    if (threadIdx.x + threadIdx.y + threadIdx.z == 0) {
      bool first = blockIdx.x + blockIdx.y + blockIdx.z == 0;
      unsigned add = first ? 0x80000000u - ((unsigned)lanescope_place::blocks() - 1) : 1, before, now;
      asm volatile("atom.add.release.gpu.u32 %0, [%1], %2;" : "=r"(before) : "l"(space + 4), "r"(add) : "memory");
      do asm volatile("ld.acquire.gpu.u32 %0, [%1];" : "=r"(now) : "l"(space + 4) : "memory");
      while (((before ^ now) & 0x80000000u) == 0);
    }
    asm volatile("barrier.sync 0;" ::: "memory");
  }
  LANESCOPE_MEMBER static unsigned long long thread_rank() {
    return lanescope_place::block() * lanescope_place::threads() + lanescope_place::thread();
  }
  LANESCOPE_MEMBER static unsigned long long size() { return lanescope_place::blocks() * lanescope_place::threads(); }
  LANESCOPE_MEMBER static unsigned long long num_threads() { return size(); }
  LANESCOPE_MEMBER static unsigned long long block_rank() { return lanescope_place::block(); }
  LANESCOPE_MEMBER static unsigned long long num_blocks() { return lanescope_place::blocks(); }
  LANESCOPE_MEMBER static dim3 block_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
  LANESCOPE_MEMBER static dim3 dim_blocks() { return dim3(gridDim.x, gridDim.y, gridDim.z); }
  LANESCOPE_MEMBER static dim3 group_dim() { return dim_blocks(); }
};
LANESCOPE_DEVICE grid_group this_grid() { return grid_group(); }

// ---- lanes of a warp -------------------------------------------------------------------------------------------------------------

// `count` lanes in the bits of `mask`; a lane's rank is how many of them are below it.
struct lanescope_lanes {
  unsigned mask, count, rank;
  LANESCOPE_MEMBER void sync() const { __syncwarp(mask); }
  LANESCOPE_MEMBER unsigned thread_rank() const { return rank; }
  LANESCOPE_MEMBER unsigned size() const { return count; }
  LANESCOPE_MEMBER unsigned num_threads() const { return count; }
  LANESCOPE_MEMBER int any(int predicate) const { return __any_sync(mask, predicate); }
  LANESCOPE_MEMBER int all(int predicate) const { return __all_sync(mask, predicate); }
  // The bits of the lanes of the group, pushed together.
  LANESCOPE_MEMBER unsigned packed(unsigned bits) const {
    unsigned result = 0, to = 0;
    for (unsigned rest = mask; rest; rest &= rest - 1) result |= (bits >> (__ffs((int)rest) - 1) & 1) << to++;
    return result;
  }
  // The lane of a rank: the n-th set bit of the mask.
  LANESCOPE_MEMBER unsigned lane_of(unsigned n) const {
    if (mask == 0xffffffffu) return n;
    unsigned rest = mask;
    for (; n && rest; n--) rest &= rest - 1;
    return (unsigned)__ffs((int)rest) - 1;
  }
};

// Values of any size go word by word.
template <typename T, typename F> LANESCOPE_DEVICE T lanescope_words(LANESCOPE_GIVEN(T) value, F each) {
  enum { WORDS = (sizeof(T) + 3) / 4 };
  unsigned words[WORDS] = {};
  __builtin_memcpy(words, &value, sizeof(T));
#pragma unroll
  for (int i = 0; i < WORDS; i++) words[i] = each(words[i]);
  T result;
  __builtin_memcpy(&result, words, sizeof(T));
  return result;
}

// Any of the groups of a block: all of it (mask 0), or lanes of a warp.
struct thread_group : lanescope_lanes {
  LANESCOPE_MEMBER thread_group(const thread_block &block) { mask = 0, count = block.size(), rank = block.thread_rank(); }
  LANESCOPE_MEMBER thread_group(const lanescope_lanes &lanes) : lanescope_lanes(lanes) {}
  LANESCOPE_MEMBER void sync() const {
    if (mask) __syncwarp(mask);
    else thread_block::sync();
  }
};

struct coalesced_group : lanescope_lanes {
  LANESCOPE_MEMBER coalesced_group(unsigned of) {
    mask = of, count = (unsigned)__popc(of), rank = (unsigned)__popc(of & lanescope_place::lanes_below());
  }
  LANESCOPE_MEMBER unsigned ballot(int predicate) const { return packed(__ballot_sync(mask, predicate)); }
  template <typename T> LANESCOPE_MEMBER T shfl(LANESCOPE_GIVEN(T) value, int from) const {
    int lane = (int)lane_of((unsigned)from % count);
    unsigned lanes = mask;
    return lanescope_words(value, [=](LANESCOPE_GIVEN(unsigned) word) __attribute__((device, nodebug, always_inline)) {
      return __shfl_sync(lanes, word, lane);
    });
  }
  template <typename T> LANESCOPE_MEMBER T shfl_up(LANESCOPE_GIVEN(T) value, unsigned by) const {
    return shfl(value, (int)LANESCOPE_PICK(rank >= by, rank - by, rank));
  }
  template <typename T> LANESCOPE_MEMBER T shfl_down(LANESCOPE_GIVEN(T) value, unsigned by) const {
    return shfl(value, (int)LANESCOPE_PICK(rank + by < count, rank + by, rank));
  }
  template <typename T> LANESCOPE_MEMBER unsigned match_any(T value) const { return packed(__match_any_sync(mask, value)); }
  LANESCOPE_MEMBER unsigned meta_group_rank() const { return 0; }
  LANESCOPE_MEMBER unsigned meta_group_size() const { return 1; }
};
LANESCOPE_DEVICE coalesced_group coalesced_threads() { return coalesced_group(__activemask()); }

template <unsigned Size, typename Parent = void> struct thread_block_tile : lanescope_lanes {
  static_assert(Size >= 1 && Size <= 32 && (Size & (Size - 1)) == 0, "a tile has 1, 2, 4, 8, 16 or 32 threads");
  LANESCOPE_MEMBER thread_block_tile() {
    unsigned lane = lanescope_place::lane();
    count = Size, rank = lane & (Size - 1), meta_rank = 0, meta_size = 1;
    mask = Size == 32 ? 0xffffffffu : ((1u << Size % 32) - 1) << (lane & ~(Size - 1));
  }
  unsigned meta_rank, meta_size;   // which tile of its parent, of how many
  LANESCOPE_MEMBER unsigned meta_group_rank() const { return meta_rank; }
  LANESCOPE_MEMBER unsigned meta_group_size() const { return meta_size; }
  LANESCOPE_MEMBER static constexpr unsigned size() { return Size; }
  LANESCOPE_MEMBER static constexpr unsigned num_threads() { return Size; }
  LANESCOPE_MEMBER unsigned thread_rank() const { return rank; }
  LANESCOPE_MEMBER unsigned ballot(int predicate) const {
    unsigned bits = __ballot_sync(mask, predicate);
    return Size == 32 ? bits : (bits & mask) >> (lanescope_place::lane() & ~(Size - 1) & 31);
  }
#define LANESCOPE_SHUFFLE(name, call, argument) \
  template <typename T> LANESCOPE_MEMBER T name(LANESCOPE_GIVEN(T) value, argument) const { \
    unsigned lanes = mask; \
    return lanescope_words(value, [=](LANESCOPE_GIVEN(unsigned) word) __attribute__((device, nodebug, always_inline)) { \
      return call(lanes, word, by, (int)Size); \
    }); \
  }
  LANESCOPE_SHUFFLE(shfl, __shfl_sync, int by)
  LANESCOPE_SHUFFLE(shfl_up, __shfl_up_sync, unsigned by)
  LANESCOPE_SHUFFLE(shfl_down, __shfl_down_sync, unsigned by)
  LANESCOPE_SHUFFLE(shfl_xor, __shfl_xor_sync, int by)
#undef LANESCOPE_SHUFFLE
  template <typename T> LANESCOPE_MEMBER unsigned match_any(T value) const {
    return __match_any_sync(mask, value) >> (lanescope_place::lane() & ~(Size - 1) & 31);
  }
  template <typename T> LANESCOPE_MEMBER unsigned match_all(T value, int &all) const {
    return __match_all_sync(mask, value, &all) >> (lanescope_place::lane() & ~(Size - 1) & 31);
  }
};
template <unsigned Size> struct thread_block_tile<Size, thread_block> : thread_block_tile<Size> {
  LANESCOPE_MEMBER thread_block_tile() {
    this->meta_rank = lanescope_place::thread() / Size;
    this->meta_size = (lanescope_place::threads() + Size - 1) / Size;
  }
};
template <unsigned Size, unsigned Outer, typename P> struct thread_block_tile<Size, thread_block_tile<Outer, P>> : thread_block_tile<Size> {
  LANESCOPE_MEMBER thread_block_tile() {
    this->meta_rank = lanescope_place::thread() % Outer / Size;
    this->meta_size = Outer / Size;
  }
};
template <unsigned Size> LANESCOPE_DEVICE thread_block_tile<Size, thread_block> tiled_partition(const thread_block &) {
  return thread_block_tile<Size, thread_block>();
}
template <unsigned Size, unsigned Outer, typename P>
LANESCOPE_DEVICE thread_block_tile<Size, thread_block_tile<Outer, P>> tiled_partition(const thread_block_tile<Outer, P> &) {
  return thread_block_tile<Size, thread_block_tile<Outer, P>>();
}
// Of a size that is known only when the kernel runs.
LANESCOPE_DEVICE coalesced_group tiled_partition(const thread_block &, unsigned size) {
  unsigned first = lanescope_place::lane() & ~(size - 1), rest = lanescope_place::threads() - (lanescope_place::thread() & ~31u);
  unsigned tile = size >= 32 ? 0xffffffffu : ((1u << size) - 1) << first;
  return coalesced_group(rest >= 32 ? tile : tile & ((1u << rest) - 1));
}
template <typename G> LANESCOPE_DEVICE coalesced_group binary_partition(const G &group, bool predicate) {
  unsigned yes = __ballot_sync(group.mask, predicate);
  return coalesced_group(predicate ? yes : group.mask & ~yes);
}
template <typename G, typename T> LANESCOPE_DEVICE coalesced_group labeled_partition(const G &group, T label) {
  return coalesced_group(__match_any_sync(group.mask, label));
}

template <typename G> LANESCOPE_DEVICE void sync(const G &group) { group.sync(); }
template <typename G> LANESCOPE_DEVICE auto thread_rank(const G &group) -> decltype(group.thread_rank()) { return group.thread_rank(); }
template <typename G> LANESCOPE_DEVICE auto group_size(const G &group) -> decltype(group.size()) { return group.size(); }
}
