// saturate.h: integers held to the range of a narrower type.
#ifndef LS_SIM_SATURATE_H
#define LS_SIM_SATURATE_H

#include <stdbool.h>
#include <stdint.h>
#include "base/mem.h"
#include "sim/core/regs.h"

// As a field of so many bits, 32 at most.
static inline uint32_t saturated(int64_t value, unsigned bits, bool is_signed) {
  int64_t least = is_signed ? -(1ll << (bits - 1)) : 0, most = is_signed ? (1ll << (bits - 1)) - 1 : (1ll << bits) - 1;
  return (uint32_t)LS_CLAMP(value, least, most) & (bits == 32 ? SIM_FULL : (1u << bits) - 1);
}

#endif
