// exec_policy.c: createpolicy: what a cache is to do with lines, as 64 bits that loads and stores may carry (.L2::cache_hint).
//
// A hint changes no result, and the caches here have none. The bits are those that an H200 gives, read there:
//
//   63..60  1
//   59..56  kind of the lines that are chosen: 0 unchanged, 2 first, 4 last, 6 normal to be evicted; + 1 if the others go first;
//           + 8 of a range of addresses
//   55..52  the fraction that is chosen, in sixteenths - 1
//   63..37  of a range, instead: how much of it is chosen, in 4 KB
#include <math.h>
#include <string.h>
#include "sim/core/slots.h"
#include "sim/ops/decoders.h"

enum { KIND_SHIFT = 56, FRACTION_SHIFT = 52, RANGE = 8, RANGE_SHIFT = 37, RANGE_UNIT = 4096 };

static const uint32_t kinds[] = {
    [PTX_EVICT_NONE] = 0, [PTX_EVICT_UNCHANGED] = 0, [PTX_EVICT_FIRST] = 2, [PTX_EVICT_LAST] = 4, [PTX_EVICT_NORMAL] = 6};

// The first priority is of what is chosen, the second of the rest.
static uint32_t kinds_of(const PtxInstr *in) {
  PtxEviction chosen, rest;
  ptx_evictions(in, &chosen, &rest);
  if (chosen == PTX_EVICT_NONE) return 0;
  return 0x10 | kinds[chosen] | (rest == PTX_EVICT_FIRST);
}

static void fractional(uint8_t *regs, const SimOp *op, uint32_t mask) {
  SIM_FOR_LANES(i, mask) {
    float fraction;
    memcpy(&fraction, &sim_u32(regs, op->a)[i], sizeof fraction);
    int sixteenths = (int)ceilf(fminf(fmaxf(fraction, 0), 1) * 16) - 1;
    sim_u64(regs, op->d)[i] = (uint64_t)op->imm << KIND_SHIFT | (uint64_t)LS_MAX(sixteenths, 0) << FRACTION_SHIFT;
  }
}

static void of_range(uint8_t *regs, const SimOp *op, uint32_t mask) {
  SIM_FOR_LANES(i, mask) {
    uint64_t units = ((uint64_t)sim_u32(regs, op->a)[i] + RANGE_UNIT - 1) / RANGE_UNIT;
    sim_u64(regs, op->d)[i] = (uint64_t)(op->imm | RANGE) << KIND_SHIFT | units << RANGE_SHIFT;
  }
}

static void converted(uint8_t *regs, const SimOp *op, uint32_t mask) {
  SIM_FOR_LANES(i, mask) sim_u64(regs, op->d)[i] = sim_u64(regs, op->a)[i];
}

bool sim_decode_policy(SimDecoder *d) {
  const PtxInstr *in = d->in;
  const PtxOperand one = {.kind = PTX_OPD_IMM, .imm_type = PTX_F32, .imm = 0x3f800000};
  SimOp *op = &d->out->op;
  bool range = ptx_has(in, PTX_HAS_RANGE);
  op->imm = kinds_of(in);
  op->d = sim_slot_of(d, &in->operands[0], 8);
  if (range && in->operand_count < 3) return false;
  if (range) op->a = sim_slot_of(d, &in->operands[2], 4);
  else if (op->imm) op->a = sim_slot_of(d, in->operand_count > 1 ? &in->operands[1] : &one, 4);
  else if (in->operand_count == 2) op->a = sim_slot_of(d, &in->operands[1], 8);
  else return false;
  op->run = range ? of_range : op->imm ? fractional : converted;
  return true;
}
