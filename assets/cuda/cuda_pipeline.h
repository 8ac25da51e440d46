// cuda_pipeline.h: asynchronous copies from global to shared memory (CUDA C++ Programming Guide, "Pipeline Primitives Interface"):
// cp.async from compute capability 8.0 on, an ordinary copy before.
#pragma once
#pragma clang system_header

#include "cuda_runtime.h"

LANESCOPE_DEVICE void lanescope_copy(void *to, const void *from, size_t size) {
  if (size == 4) *(int *)to = *(const int *)from;
  else if (size == 8) *(int2 *)to = *(const int2 *)from;
  else *(int4 *)to = *(const int4 *)from;
}
// What lies in the last `zeros` of the `size` bytes is not copied: it becomes 0.
LANESCOPE_DEVICE void __pipeline_memcpy_async(void *to, const void *from, size_t size, size_t zeros = 0) {
#if __CUDA_ARCH__ >= 800
  unsigned at = (unsigned)__cvta_generic_to_shared(to), bytes = (unsigned)(size - zeros);
  size_t source = __cvta_generic_to_global(from);
  if (size == 4) asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" : : "r"(at), "l"(source), "r"(bytes) : "memory");
  else if (size == 8) asm volatile("cp.async.ca.shared.global [%0], [%1], 8, %2;" : : "r"(at), "l"(source), "r"(bytes) : "memory");
  else asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" : : "r"(at), "l"(source), "r"(bytes) : "memory");
#else
  if (!zeros) lanescope_copy(to, from, size);
  else for (size_t i = 0; i < size; i++) ((char *)to)[i] = i < size - zeros ? ((const char *)from)[i] : 0;
#endif
}
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
LANESCOPE_DEVICE void __pipeline_commit() { asm volatile("cp.async.commit_group;" ::: "memory"); }
#define __pipeline_wait_prior(n) asm volatile("cp.async.wait_group %0;" : : "n"(n) : "memory")
#else
LANESCOPE_DEVICE void __pipeline_commit() {}
LANESCOPE_DEVICE void __pipeline_wait_prior(size_t) {}
#endif
