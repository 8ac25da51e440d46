// regs.h: the lanes of a warp, and the slots of its register file (alu/alu.h tells what lies in a slot).
#ifndef LS_SIM_REGS_H
#define LS_SIM_REGS_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { SIM_LANES = 32 };
#define SIM_FULL UINT32_MAX

#define SIM_FOR_LANES(lane, mask) \
  for (uint32_t lane##_left = (mask), lane = lane##_left ? (uint32_t)__builtin_ctz(lane##_left) : 0; lane##_left; \
       lane##_left &= lane##_left - 1, lane = lane##_left ? (uint32_t)__builtin_ctz(lane##_left) : 0)

static inline uint32_t *sim_u32(uint8_t *regs, uint32_t slot) { return (uint32_t *)(void *)(regs + slot); }
static inline uint64_t *sim_u64(uint8_t *regs, uint32_t slot) { return (uint64_t *)(void *)(regs + slot); }
static inline uint32_t sim_pred(const uint8_t *regs, uint32_t slot) {
  uint32_t bits;
  memcpy(&bits, regs + slot, sizeof bits);
  return bits;
}
static inline uint64_t sim_lane(uint8_t *regs, uint32_t slot, int bytes, uint32_t lane) {
  return bytes == 8 ? sim_u64(regs, slot)[lane] : sim_u32(regs, slot)[lane];
}
// Without a way out in between, so that it becomes vector code.
static inline bool sim_same_everywhere(const uint32_t values[SIM_LANES]) {
  uint32_t differs = 0;
  for (int i = 0; i < SIM_LANES; i++) differs |= values[i] ^ values[0];
  return !differs;
}
static inline int sim_popcount(uint32_t x) {   // no libgcc call where the baseline has no instruction for it
  x -= x >> 1 & 0x55555555u;
  x = (x & 0x33333333u) + (x >> 2 & 0x33333333u);
  return (int)(((x + (x >> 4)) & 0x0f0f0f0fu) * 0x01010101u >> 24);
}

#endif
