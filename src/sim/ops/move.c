// move.c: the bytes of loads and stores, between registers and memory.
#include <string.h>
#include "sim/core/exec.h"
#include "sim/ops/access.h"

// Where each lane's bytes are from span->origin on: the addresses, or for storage of their own also which lane it is.
static const uint64_t *places(SimExec *exec, const SimSpan *span) {
  if (!span->stride) return exec->addr;
  for (uint64_t i = 0; i < SIM_LANES; i++) exec->strided[i] = exec->addr[i] + i * span->stride;
  return exec->strided;
}

#define GATHER(To, From, Mid)                                   \
  do {                                                          \
    To *to_ = (To *)(void *)dst;                                \
    From v_;                                                    \
    if (mask == SIM_FULL) {                                     \
      for (int i = 0; i < SIM_LANES; i++) {                     \
        memcpy(&v_, (const void *)(origin + at[i]), sizeof v_); \
        to_[i] = (To)(Mid)v_;                                   \
      }                                                         \
    } else {                                                    \
      SIM_FOR_LANES(i, mask) {                                  \
        memcpy(&v_, (const void *)(origin + at[i]), sizeof v_); \
        to_[i] = (To)(Mid)v_;                                   \
      }                                                         \
    }                                                           \
  } while (0)

static void load_signed(uint8_t *dst, const SimMem *m, uintptr_t origin, const uint64_t *at, uint32_t mask) {
  switch ((SimExtend)m->extend) {
  case SIM_EXT_S8_16: GATHER(uint32_t, int8_t, uint16_t); break;
  case SIM_EXT_S8_32: GATHER(uint32_t, int8_t, int32_t); break;
  case SIM_EXT_S16_32: GATHER(uint32_t, int16_t, int32_t); break;
  case SIM_EXT_S8_64: GATHER(uint64_t, int8_t, int64_t); break;
  case SIM_EXT_S16_64: GATHER(uint64_t, int16_t, int64_t); break;
  default: GATHER(uint64_t, int32_t, int64_t); break;
  }
}

static void load_element(uint8_t *dst, int dst_bytes, const SimMem *m, uintptr_t origin, const uint64_t *at,
                         uint32_t mask) {
  if (m->extend != SIM_EXT_ZERO) { load_signed(dst, m, origin, at, mask); return; }
  if (dst_bytes == 4) {
    switch (m->elem) {
    case 1: GATHER(uint32_t, uint8_t, uint32_t); break;
    case 2: GATHER(uint32_t, uint16_t, uint32_t); break;
    default: GATHER(uint32_t, uint32_t, uint32_t); break;
    }
    return;
  }
  switch (m->elem) {
  case 1: GATHER(uint64_t, uint8_t, uint64_t); break;
  case 2: GATHER(uint64_t, uint16_t, uint64_t); break;
  case 4: GATHER(uint64_t, uint32_t, uint64_t); break;
  default: GATHER(uint64_t, uint64_t, uint64_t); break;
  }
}

static bool is_block(const SimMem *m, const SimSpan *span, const SimFit *fit, uint32_t mask) {
  return fit->contiguous && mask == SIM_FULL && !span->stride && m->vec == 1 && m->elem == m->data_bytes[0];
}

// Tiles of 16 x 16 threads: each half of the warp loads a row, or one value.
static bool load_halves(SimExec *exec, const SimMem *m, const SimSpan *span, const SimFit *fit, uint32_t mask) {
  if (!(fit->half_contiguous || fit->half_uniform) || m->vec != 1 || m->width != 4 || m->data_bytes[0] != 4 ||
      mask != SIM_FULL ||
      span->stride)
    return false;
  uint32_t *to = sim_u32(exec->regs, m->data[0]), first, second;
  const void *low = (const void *)(span->origin + exec->addr[0]), *high = (const void *)(span->origin + exec->addr[16]);
  if (fit->half_contiguous) {
    memcpy(to, low, 64);
    memcpy(to + 16, high, 64);
    return true;
  }
  memcpy(&first, low, 4);
  memcpy(&second, high, 4);
  for (int i = 0; i < 16; i++) to[i] = first;
  for (int i = 16; i < 32; i++) to[i] = second;
  return true;
}

// The addresses are taken already, so a load may overwrite the register of its own address.
void sim_load_all(SimExec *exec, const SimMem *m, const SimSpan *span, const SimFit *fit, uint32_t mask) {
  if (is_block(m, span, fit, mask)) {
    memcpy(exec->regs + m->data[0], (const void *)(span->origin + exec->addr[0]), (size_t)m->elem * SIM_LANES);
    return;
  }
  if (load_halves(exec, m, span, fit, mask)) return;
  const uint64_t *at = places(exec, span);
  for (int k = 0; k < m->vec; k++) {
    uint8_t *dst = exec->regs + m->data[k];
    uintptr_t origin = span->origin + (uintptr_t)(k * m->elem);
    bool plain = m->extend == SIM_EXT_ZERO && m->elem == m->data_bytes[k] && fit->inside;
    if (plain && m->elem == 4) exec->lane_ops->gather32(sim_u32(dst, 0), origin, at, mask);
    else if (plain && m->elem == 8) exec->lane_ops->gather64(sim_u64(dst, 0), origin, at, mask);
    else load_element(dst, m->data_bytes[k], m, origin, at, mask);
  }
}

#define SCATTER(From, To)                                                                  \
  do {                                                                                     \
    const From *from_ = (const From *)(const void *)src;                                   \
    if (mask == SIM_FULL) {                                                                \
      for (int i = 0; i < SIM_LANES; i++) { To v_ = (To)from_[i]; memcpy((void *)(origin + at[i]), &v_, sizeof v_); } \
    } else {                                                                               \
      SIM_FOR_LANES(i, mask) { To v_ = (To)from_[i]; memcpy((void *)(origin + at[i]), &v_, sizeof v_); } \
    }                                                                                      \
  } while (0)

static void store_element(const uint8_t *src, int src_bytes, int elem, uintptr_t origin, const uint64_t *at,
                          uint32_t mask) {
  if (src_bytes == 4) {
    switch (elem) {
    case 1: SCATTER(uint32_t, uint8_t); break;
    case 2: SCATTER(uint32_t, uint16_t); break;
    default: SCATTER(uint32_t, uint32_t); break;
    }
    return;
  }
  switch (elem) {
  case 1: SCATTER(uint64_t, uint8_t); break;
  case 2: SCATTER(uint64_t, uint16_t); break;
  case 4: SCATTER(uint64_t, uint32_t); break;
  default: SCATTER(uint64_t, uint64_t); break;
  }
}

// While looking for warps that spin: does this store change anything?
static void count_changes(SimExec *exec, const SimMem *m, const SimSpan *span, const uint64_t *at, uint32_t mask) {
  if (!exec->block.watching && exec->block.changes != exec->warp->wait_changes)
    return;   // one is enough until it jumps back
  for (int k = 0; k < m->vec; k++)
    SIM_FOR_LANES(i, mask) {
      uint64_t value = sim_lane(exec->regs, m->data[k], m->data_bytes[k], i);
      if (memcmp((const void *)(span->origin + at[i] + (uintptr_t)(k * m->elem)), &value, m->elem) != 0)
        exec->block.changes++;
    }
}

void sim_touch(SimExec *exec, SimSpan *span, uint32_t mask, int width) {
  if (!exec->hooks || !span->alloc) return;
  SIM_FOR_LANES(i, mask) {
    uint64_t first = (exec->addr[i] - span->base) / SIM_PAGE,
             last = (exec->addr[i] - span->base + (uint64_t)width - 1) / SIM_PAGE;
    for (uint64_t page = first; page <= last; page++)
      if (span->alloc->dirty[page] != exec->hooks->interval) exec->hooks->dirty(exec->hooks->owner, span->alloc, page);
  }
}

void sim_store_all(SimExec *exec, const SimMem *m, SimSpan *span, const SimFit *fit, uint32_t mask) {
  const uint64_t *at = places(exec, span);
  sim_touch(exec, span, mask, m->width);
  if (exec->block.alert) count_changes(exec, m, span, at, mask);
  if (is_block(m, span, fit, mask)) {
    memcpy((void *)(span->origin + at[0]), exec->regs + m->data[0], (size_t)m->elem * SIM_LANES);
    return;
  }
  for (int k = 0; k < m->vec; k++)
    store_element(exec->regs + m->data[k], m->data_bytes[k], m->elem, span->origin + (uintptr_t)(k * m->elem), at,
                  mask);
}
