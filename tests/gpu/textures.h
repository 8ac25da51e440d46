// textures.h: fetches from textures and accesses to surfaces (tests/unit/sim/kernels/texture.ptx), at random places and at the edges.
#ifndef LS_TESTS_GPU_TEXTURES_H
#define LS_TESTS_GPU_TEXTURES_H

#include "batch.h"

enum { TEXTURES_PLACES = 1024 };   // fetches of a program

// filtered: those with a linear filter, whose last bits a chip rounds in its own way. Their results may differ by what
// one step of a weight (1/256) makes of the range of the texels.
bool textures_batch(Batch *batch, uint64_t seed, bool filtered, const char *filter, LsErr *err);

#endif
