// cuda_runtime.h: what nvcc includes before every file, for clang.
#pragma once
#pragma clang system_header

// What programs ask for to see whether CUDA's headers are there.
#define __CUDACC__ 1
#define __CUDA_RUNTIME_H__
#define __DRIVER_TYPES_H__
#define __DEVICE_LAUNCH_PARAMETERS_H__

#include "lanescope_types.h"
#include "lanescope_sync.h"
#include "lanescope_atomic.h"
#include "lanescope_bits.h"
#include "lanescope_math.h"
#include "lanescope_texture.h"
#include "lanescope_host.h"

// Files count on these, too, behind the functions above, which stand beside those of the host.
#if __has_include(<stdlib.h>) && __has_include(<math.h>)
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#endif
