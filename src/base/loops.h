// loops.h: what a compiler is told of loops whose lengths are constants.
#ifndef LS_BASE_LOOPS_H
#define LS_BASE_LOOPS_H

// In front of a loop: eight rounds at once.
#if defined(__clang__)
#define LS_UNROLLED
#else
#define LS_UNROLLED _Pragma("GCC unroll 8")
#endif

// In front of a function: compiled for each instruction set, and chosen when the program starts. (The thread
// sanitizer is not up yet then.)
#if defined(__x86_64__) && defined(__GLIBC__) && !defined(__clang__) && !defined(__SANITIZE_THREAD__)
#define LS_CLONES __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define LS_CLONES
#endif

#endif
