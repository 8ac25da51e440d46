// cuda_profiler_api.h: all of it is in cuda_runtime.h.
#pragma once
#pragma clang system_header
#include "cuda_runtime.h"
