// atom_loops.c: the inner loops of atomics. An atomic of 32 lanes is as many steps, one after another, so what each
// step asks anew (which operation, which type, how wide) is what it costs: these ask once, when the loop is chosen.
#include "sim/ops/atom_loops.h"
#include <string.h>
#include "base/loops.h"
#include "base/mem.h"
#include "sim/alu/alu.h"
#include "sim/core/regs.h"

typedef enum Kind { U32, S32, U64, S64, F32, F64, KIND_COUNT } Kind;

// now: of `old` and b; of `wanted`, which CAS compares with.
#define STEP(Type, now)                            \
  do {                                             \
    void *at = (void *)(origin + places[i]);       \
    const Type b = operands[i], wanted = compare[i]; \
    Type old;                                      \
    memcpy(&old, at, sizeof old);                  \
    const Type next = (Type)(now);                 \
    (void)wanted;                                  \
    memcpy(at, &next, sizeof next);                \
    olds[i] = old;                                 \
    changed |= (uint32_t)(next != old) << i;       \
  } while (0)

#define LOOP(name, Type, now)                                      \
  static void name(SimAtomRun *run) {                              \
    const Type *operands = run->operand, *compare = run->compare;  \
    const uint64_t *places = run->at;                              \
    const uintptr_t origin = run->origin;                          \
    Type *olds = run->old;                                         \
    uint32_t changed = 0;                                          \
    if (run->mask == SIM_FULL) for (int i = 0; i < SIM_LANES; i++) STEP(Type, now); \
    else SIM_FOR_LANES(i, run->mask) STEP(Type, now);              \
    run->changed = changed;                                        \
  }

// What changes a word if and only if the operand is not 0: `changed` is left to the caller.
#define PLAIN_STEP(Type, now)                      \
  do {                                             \
    void *at = (void *)(origin + places[i]);       \
    const Type b = operands[i];                    \
    Type old;                                      \
    memcpy(&old, at, sizeof old);                  \
    const Type next = (Type)(now);                 \
    memcpy(at, &next, sizeof next);                \
    olds[i] = old;                                 \
  } while (0)

#define QUIET_STEP(Type, now)                      \
  do {                                             \
    Type *at = (Type *)(origin + places[i]);       \
    const Type b = operands[i], old = *at;         \
    *at = (Type)(now);                             \
  } while (0)

#define WHOLE_LOOP(name, Type, now, STEP, olds_of_run)             \
  static void name(SimAtomRun *run) {                              \
    const Type *operands = run->operand;                           \
    const uint64_t *places = run->at;                              \
    const uintptr_t origin = run->origin;                          \
    olds_of_run;                                                   \
    if (run->mask == SIM_FULL) {                                   \
      LS_UNROLLED for (int i = 0; i < SIM_LANES; i++) STEP(Type, now); \
    } else {                                                       \
      SIM_FOR_LANES(i, run->mask) STEP(Type, now);                 \
    }                                                              \
  }

// A step stores the old value, unless nobody wants it. Words are aligned.
#define PLAIN_LOOP(name, Type, now)                                \
  WHOLE_LOOP(name, Type, now, PLAIN_STEP, Type *olds = run->old)   \
  WHOLE_LOOP(quiet_##name, Type, now, QUIET_STEP, (void)0)

PLAIN_LOOP(add_32, uint32_t, old + b)
PLAIN_LOOP(add_64, uint64_t, old + b)
LOOP(sum_f32, uint32_t, sim_atom_sum32(old, b))
LOOP(sum_f64, uint64_t, sim_atom_sum64(old, b))
LOOP(and_32, uint32_t, old & b)
LOOP(and_64, uint64_t, old & b)
LOOP(or_32, uint32_t, old | b)
LOOP(or_64, uint64_t, old | b)
PLAIN_LOOP(xor_32, uint32_t, old ^ b)
PLAIN_LOOP(xor_64, uint64_t, old ^ b)
LOOP(min_u32, uint32_t, LS_MIN(old, b))
LOOP(min_s32, int32_t, LS_MIN(old, b))
LOOP(min_u64, uint64_t, LS_MIN(old, b))
LOOP(min_s64, int64_t, LS_MIN(old, b))
LOOP(max_u32, uint32_t, LS_MAX(old, b))
LOOP(max_s32, int32_t, LS_MAX(old, b))
LOOP(max_u64, uint64_t, LS_MAX(old, b))
LOOP(max_s64, int64_t, LS_MAX(old, b))
LOOP(inc_32, uint32_t, old >= b ? 0 : old + 1)
LOOP(dec_32, uint32_t, old == 0 || old > b ? b : old - 1)
LOOP(exch_32, uint32_t, b)
LOOP(exch_64, uint64_t, b)
LOOP(cas_32, uint32_t, old == wanted ? b : old)
LOOP(cas_64, uint64_t, old == wanted ? b : old)

static const SimAtomLoop loops[PTX_AT_CAS + 1][KIND_COUNT] = {
    [PTX_AT_ADD] = {add_32, add_32, add_64, add_64, sum_f32, sum_f64},
    [PTX_AT_AND] = {and_32, and_32, and_64, and_64},
    [PTX_AT_OR] = {or_32, or_32, or_64, or_64},
    [PTX_AT_XOR] = {xor_32, xor_32, xor_64, xor_64},
    [PTX_AT_MIN] = {min_u32, min_s32, min_u64, min_s64},
    [PTX_AT_MAX] = {max_u32, max_s32, max_u64, max_s64},
    [PTX_AT_INC] = {inc_32},
    [PTX_AT_DEC] = {dec_32},
    [PTX_AT_EXCH] = {exch_32, exch_32, exch_64, exch_64},
    [PTX_AT_CAS] = {cas_32, cas_32, cas_64, cas_64},
};

static Kind kind_of(const SimMem *mem) {
  PtxType type = (PtxType)mem->type;
  if (type == PTX_F32) return F32;
  if (type == PTX_F64) return F64;
  if (ptx_type_is_float(type)) return KIND_COUNT;
  bool is_signed = ptx_type_is_signed(type);
  return mem->elem == 8 ? is_signed ? S64 : U64 : is_signed ? S32 : U32;
}

SimAtomLoop sim_atom_loop(const SimMem *mem) {
  if (mem->op > PTX_AT_CAS || (mem->elem != 4 && mem->elem != 8) || mem->narrow_operand) return NULL;
  Kind kind = kind_of(mem);
  return kind == KIND_COUNT ? NULL : loops[mem->op][kind];
}

SimAtomLoop sim_atom_quiet_loop(const SimMem *mem) {
  static const struct { SimAtomLoop loop, quiet; } pairs[] = {
      {add_32, quiet_add_32}, {add_64, quiet_add_64}, {xor_32, quiet_xor_32}, {xor_64, quiet_xor_64}};
  SimAtomLoop loop = sim_atom_loop(mem);
  for (int i = 0; i < LS_COUNT(pairs); i++) if (loop == pairs[i].loop) return pairs[i].quiet;
  return NULL;
}
