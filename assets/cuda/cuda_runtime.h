// cuda_runtime.h: what nvcc includes before every file, for clang.
#pragma once
#pragma clang system_header

#include "lanescope_types.h"
#include "lanescope_sync.h"
#include "lanescope_atomic.h"
#include "lanescope_bits.h"
#include "lanescope_math.h"
#include "lanescope_texture.h"
#include "lanescope_host.h"
