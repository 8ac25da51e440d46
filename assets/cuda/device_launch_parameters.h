// device_launch_parameters.h: all of it is in cuda_runtime.h.
#pragma once
#pragma clang system_header
#include "cuda_runtime.h"
