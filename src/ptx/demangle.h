// demangle.h: C++ names as nvcc mangles them (Itanium C++ ABI, 5.1), as far as kernels need it.
#ifndef LS_PTX_DEMANGLE_H
#define LS_PTX_DEMANGLE_H

#include "base/mem.h"

// "_Z8gputiledILi32EEvPfPKfS2_iii" -> "gputiled<32>(float*, const float*, const float*, int, int, int)". Return types
// are left out, const stands before a plain type, numbers have no suffix. A name that is not mangled, or uses
// something rare, comes back as it is. The result is in the arena (or is `name`).
const char *ptx_demangle(LsArena *arena, const char *name);

// The last part of the C++ name, as the source calls it: "_ZZ4sum1PfE4tile" -> "tile".
const char *ptx_source_name(LsArena *arena, const char *name);
// How many bytes of a demangled name are before the parameters: 12 of "gputiled<32>(float*, int)".
int ptx_name_length(const char *demangled);

#endif
