// compile.h: the compilers that can turn CUDA source into PTX, tried in turn.
//
// NVRTC comes first, since it needs no program and no temporary file. It knows no host code: what it refuses, a file with main()
// and <cstdio> say, goes to nvcc, and clang stands in where there is no nvcc.
#ifndef LS_DEVICE_COMPILE_H
#define LS_DEVICE_COMPILE_H

#include "device/device.h"

// One attempt. On a compile error: LS_EREQUEST with the compiler's messages. When the compiler is missing: LS_EENV.
typedef struct Compiler {
  const char *name;
  bool (*find)(char *where, size_t size);   // a line for doctor: version or path
  char *(*compile)(const char *path, DevCut cut, const char *kernel, size_t *length, LsErr *err);
} Compiler;

extern const Compiler compiler_nvrtc, compiler_nvcc, compiler_clang;

// The compute capability that source is compiled for: 75, the oldest that CUDA 13 knows, so that every driver takes it; or
// what LANESCOPE_ARCH says, for kernels that need more: 80 has cp.async, 90 clusters. Only letters and digits; NULL (LS_EREQUEST)
// if it says something else.
const char *compile_arch(LsErr *err);

#endif
