// demangle.h: C++ names as nvcc mangles them (Itanium ABI), as far as kernels need it. Inside ptx/ only.
#ifndef LS_PTX_DEMANGLE_H
#define LS_PTX_DEMANGLE_H

#include "base/mem.h"

// "_Z8gputiledILi32EEvPfPKfS2_iii" -> "gputiled<32>(float*, float const*, ...)"; the name itself if it is not mangled
// or uses something rare. The result is in the arena (or is `name`).
const char *ptx_demangle(LsArena *arena, const char *name);

#endif
