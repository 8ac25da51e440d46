// encode_atoms.c: atomics on 32 bits: operands, mostly one number, and old values that follow from atomics before.
#include "trace/encode_parts.h"

#include "trace/pack.h"

// So often no way was found in a row; how often it is then looked for; and again, when the table has learnt.
enum { STRANGE = 4, STRANGE_AGAIN = 16, STRANGE_LOOKS = 2 };

static bool is_worth_a_look(const PredictPc *pc) {
  return pc->strange < STRANGE || pc->strange % STRANGE_AGAIN < STRANGE_LOOKS;
}

static void note_strange(PredictPc *pc) { pc->strange = (uint8_t)(pc->strange % 128 + 1); }

static void put_numbers(TraceBytes *out, const uint32_t value[32], uint32_t mask) {
  uint64_t wide[32];
  for (int lane = 0; lane < 32; lane++) wide[lane] = value[lane];
  encode_values(out, wide, mask);
}

static bool find_steps(const uint32_t operand[32], uint32_t mask, uint64_t *base, uint64_t *step) {
  uint64_t wide[32];
  *base = operand[__builtin_ctz(mask)], *step = 0;
  if (!(mask & (mask - 1)) || (mask == UINT32_MAX && trace_are_same(operand))) return true;
  for (int lane = 0; lane < 32; lane++) wide[lane] = operand[lane];
  return encode_is_affine(wide, mask, base, step);
}

static void put_operands(TraceBytes *out, PredictPc *pc, const uint32_t operand[32], uint32_t mask) {
  uint64_t base, step;
  if (!find_steps(operand, mask, &base, &step)) {
    put_numbers(out, operand, mask);
    return;
  }
  if (base == pc->operand && step == pc->step) {
    trace_put_u8(out, TRACE_LANES_FOLLOW);
    return;
  }
  trace_put_u8(out, TRACE_LANES_AFFINE);
  trace_put_svarint(out, pc->operand = base);
  trace_put_svarint(out, pc->step = step);
}

// In words that atomics of another kind, or stores, change as well, not much follows.
static void note_known(PredictPc *pc, uint32_t mask, uint32_t known) {
  if (4 * __builtin_popcount(known) >= __builtin_popcount(mask)) note_strange(pc);
  else if (!known) pc->strange = 0;
}

// Old values that follow from the table, if they do; numbers where they do not.
static void put_old(TraceEncoder *encoder, PredictPc *pc, const AtomsRow *row) {
  TraceBytes *out = &encoder->columns[TRACE_COL_LANES];
  AtomsTable *table = &encoder->predictor->atoms;
  unsigned way = pc->atom_way;
  uint32_t known, told;
  if (!is_worth_a_look(pc)) {
    note_strange(pc);
    put_numbers(out, row->old, row->mask);
    return;
  }
  if (way == ATOMS_WAYS || pc->strange) way = atoms_find(table, way % ATOMS_WAYS, row);
  told = atoms_tell(table, way, row, &known);
  note_known(pc, row->mask, known);
  if (!told && way == pc->atom_way) {
    trace_put_u8(out, TRACE_LANES_FOLLOW);
    return;
  }
  trace_put_u8(out, TRACE_LANES_MADE);
  trace_put_u8(out, pc->atom_way = (uint8_t)way);
  trace_put_u32(out, told);
  if (told) put_numbers(out, row->old, told);
}

static void put_atomic(TraceEncoder *encoder, PredictPc *pc, const AtomsRow *row) {
  put_operands(&encoder->columns[TRACE_COL_LANES], pc, row->operand, row->mask);
  put_old(encoder, pc, row);
}

uint8_t encode_atomic(TraceEncoder *encoder, PredictPc *pc, uint16_t warp, const AtomsRow *row) {
  PredictAddr *addr = predict_addr(encoder->predictor, pc, warp);
  uint8_t diff = encode_any_addr(&encoder->columns[TRACE_COL_ADDR], pc, addr, 0, row->mask, row->addr);
  put_atomic(encoder, pc, row);
  return diff;
}

// The low halves of the lanes in mask. Returns the bits that are lost.
static uint64_t narrow(uint32_t to[32], const uint64_t *from, uint32_t mask) {
  uint64_t bits = 0;
  if (mask == UINT32_MAX) return trace_narrow(to, from);
  for (int lane = 0; lane < 32; lane++) to[lane] = mask >> lane & 1 ? (uint32_t)from[lane] : 0;
  for (; mask; mask &= mask - 1) bits |= from[__builtin_ctz(mask)];
  return bits >> 32;
}

void encode_atomic_event(TraceEncoder *encoder, PredictPc *pc, const TraceEvent *event) {
  TraceBytes *out = &encoder->columns[TRACE_COL_LANES];
  uint32_t operand[32], old[32];
  AtomsRow row = {event->mask, event->space == TRACE_SHARED, event->addr, operand, old};
  if (!(narrow(operand, event->value, event->mask) | narrow(old, event->result, event->mask))) {
    put_atomic(encoder, pc, &row);
    return;
  }
  encode_values(out, event->value, event->mask);
  encode_values(out, event->result, event->mask);
}
