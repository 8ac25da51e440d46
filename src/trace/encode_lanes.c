// encode_lanes.c: values and results of lanes, and shuffles of all lanes, whose values follow from the one before.
#include "trace/encode_parts.h"

#include "trace/pack.h"

static int value_width(const uint64_t *value, int count) {
  uint64_t any = 0;
  if (count == 32) any = trace_bits_above(value, 0);
  else for (int i = 0; i < count; i++) any |= value[i];
  return any >> 32 ? 8 : any >> 16 ? 4 : any >> 8 ? 2 : 1;
}

void encode_values(TraceBytes *out, const uint64_t *value, uint32_t mask) {
  uint64_t base = mask ? value[__builtin_ctz(mask)] : 0, stride = 0, packed[32];
  if (!(mask & (mask - 1)) || encode_is_affine(value, mask, &base, &stride)) {
    trace_put_u8(out, 0);
    trace_put_svarint(out, base);
    trace_put_svarint(out, stride);
    return;
  }
  bool all = mask == UINT32_MAX;
  int count = all ? 32 : encode_packed(value, mask, packed), width = value_width(all ? value : packed, count);
  trace_put_u8(out, (uint8_t)width);
  if (all) trace_pack(out, value, 0, 0, width);
  else encode_numbers(out, packed, count, width);
}

void encode_source(TraceBytes *out, PredictPc *pc, const uint8_t *source, uint32_t mask) {
  bool same = memcmp(source, pc->source, sizeof pc->source) == 0;
  if (!same) {   // but perhaps in lanes that take no part
    same = true;
    for (uint32_t lanes = mask; lanes; lanes &= lanes - 1)
      same = same && source[__builtin_ctz(lanes)] == pc->source[__builtin_ctz(lanes)];
  }
  trace_put_u8(out, !same);
  if (same) return;
  for (; mask; mask &= mask - 1) pc->source[__builtin_ctz(mask)] = source[__builtin_ctz(mask)];
  trace_put_bytes(out, pc->source, sizeof pc->source);
}

// The result of a vote is mostly what is taken.
void encode_result(TraceBytes *out, const TraceEvent *event) {
  bool follows = event->kind == TRACE_VOTE;
  for (uint32_t left = event->mask; left && follows; left &= left - 1)
    follows = event->result[__builtin_ctz(left)] == event->taken;
  if (follows) trace_put_u8(out, TRACE_LANES_FOLLOW); else encode_values(out, event->result, event->mask);
}

// ---- shuffles of all lanes -----------------------------------------------------------------------------------------

enum { STRANGE = 4, STRANGE_AGAIN = 16 };   // so often no way was found in a row; how often it is then looked for

static bool is_worth_a_look(PredictPc *pc) {
  return pc->strange < STRANGE || pc->strange % STRANGE_AGAIN == 0;
}

static void put_lanes(TraceBytes *out, const uint32_t value[32]) {
  uint64_t wide[32];
  for (int lane = 0; lane < 32; lane++) wide[lane] = value[lane];
  encode_values(out, wide, UINT32_MAX);
}

// Values that follow from the shuffle before, if they do; numbers where they do not.
static void put_made(TraceBytes *out, PredictPc *pc, const ExchangeRow *before, const uint32_t value[32]) {
  if (before && pc->way < EXCHANGE_WAYS && exchange_makes(pc->way, pc->lanes, before, value)) {
    trace_put_u8(out, TRACE_LANES_FOLLOW);
    return;
  }
  if (before && is_worth_a_look(pc) && exchange_find(before, value, &pc->way, &pc->lanes)) {
    pc->strange = 0;
    trace_put_u8(out, TRACE_LANES_MADE);
    trace_put_u8(out, pc->way);
    trace_put_u32(out, pc->lanes);
    return;
  }
  pc->strange = (uint8_t)(pc->strange % 128 + 1);
  put_lanes(out, value);
}

void encode_exchange(TraceEncoder *encoder, PredictPc *pc, uint16_t warp, const ExchangeRow *row, bool is_moved) {
  TraceBytes *out = &encoder->columns[TRACE_COL_LANES];
  put_made(out, pc, predict_row(encoder->predictor, warp), row->value);
  if (is_moved) trace_put_u8(out, TRACE_LANES_FOLLOW); else put_lanes(out, row->result);
  predict_exchange(encoder->predictor, warp, row);
}

void encode_exchange_event(TraceEncoder *encoder, PredictPc *pc, const TraceEvent *event) {
  TraceBytes *out = &encoder->columns[TRACE_COL_LANES];
  ExchangeRow row;
  uint64_t bits = trace_bits_above(event->value, 0) | trace_bits_above(event->result, 0);
  for (int lane = 0; lane < 32; lane++) row.value[lane] = (uint32_t)event->value[lane];
  for (int lane = 0; lane < 32; lane++) row.result[lane] = (uint32_t)event->result[lane];
  if (!(bits >> 32)) {
    encode_exchange(encoder, pc, event->warp, &row, exchange_is_moved(&row, pc->source));
    return;
  }
  encode_values(out, event->value, UINT32_MAX);
  encode_values(out, event->result, UINT32_MAX);
  predict_exchange(encoder->predictor, event->warp, &row);
}
