// encode_event.c: one event: where it is, what rarely changes, and what its kind tells.
#include "trace/encode_parts.h"

static uint8_t put_aux(TraceEncoder *encoder, PredictPc *pc, const TraceEvent *event, uint32_t uses) {
  uint8_t taken = TRACE_TAKEN_NONE, members = TRACE_MEMBERS_ACTIVE, diff = 0;
  if (uses & TRACE_USES_TAKEN && event->taken)
    taken = event->taken == event->mask ? TRACE_TAKEN_MASK : TRACE_TAKEN_WORD;
  if (uses & TRACE_USES_MEMBERS && event->members != event->active)
    members = event->members == UINT32_MAX    ? TRACE_MEMBERS_FULL
              : event->members == event->mask ? TRACE_MEMBERS_MASK
                                              : TRACE_MEMBERS_WORD;
  uint8_t aux = (uint8_t)(taken | members << 4);
  if (aux != pc->aux) {
    diff = TRACE_DIFF_PAYLOAD;
    trace_put_u8(&encoder->columns[TRACE_COL_AUX], aux);
    pc->aux = aux;
  }
  if (taken == TRACE_TAKEN_WORD) trace_put_u32(&encoder->columns[TRACE_COL_MASK], event->taken);
  if (members == TRACE_MEMBERS_WORD) trace_put_u32(&encoder->columns[TRACE_COL_MASK], event->members);
  return diff;
}

static uint8_t put_arrived(TraceEncoder *encoder, const TraceEvent *event) {
  bool as_expected = event->arrived == predict_arrived(encoder->predictor, event->barrier_id);
  predict_arrive(encoder->predictor, event->barrier_id, event->arrived, event->flags);
  if (as_expected) return 0;
  trace_put_varint(&encoder->columns[TRACE_COL_AUX], event->arrived);
  return TRACE_DIFF_PAYLOAD;
}

// What a kind uses beyond the fields that all have. Returns TRACE_DIFF_PAYLOAD or 0.
static uint8_t put_payload(TraceEncoder *encoder, PredictPc *pc, const TraceEvent *event, uint32_t uses) {
  TraceBytes *lanes = &encoder->columns[TRACE_COL_LANES];
  uint8_t present = pc->fixed.present, diff = 0;
  if (present & TRACE_HAS_ADDR && event->mask) diff = encode_addr(encoder, pc, event);
  if (uses & (TRACE_USES_TAKEN | TRACE_USES_MEMBERS)) diff = put_aux(encoder, pc, event, uses);
  if (uses & TRACE_USES_BARRIER) diff = put_arrived(encoder, event);
  if (uses & TRACE_USES_FAULT)
    trace_put_varint(&encoder->columns[TRACE_COL_AUX], event->fault < 0 ? INT32_MAX : (uint32_t)event->fault);
  if (present & TRACE_HAS_SOURCE) encode_source(lanes, pc, event->source, event->mask);
  if (predict_is_exchange(pc, event->mask)) {
    encode_exchange_event(encoder, pc, event);
    return diff;
  }
  if (predict_is_atomic(pc, event->mask)) {
    encode_atomic_event(encoder, pc, event);
    return diff;
  }
  if (present & TRACE_HAS_VALUE) encode_values(lanes, event->value, event->mask);
  if (present & TRACE_HAS_RESULT) encode_result(lanes, event);
  return diff;
}

static PredictStatic static_of(const TraceEvent *event, uint32_t uses) {
  PredictStatic fixed = {.kind = event->kind, .target = -1, .reconverge = -1};
  if (!uses) return fixed;
  if (uses & TRACE_USES_ADDR) {
    fixed.space = event->space;
    fixed.width = event->width;
    if (event->addr) fixed.present |= TRACE_HAS_ADDR;
  }
  if (uses & TRACE_USES_SOURCE && event->source) fixed.present |= TRACE_HAS_SOURCE;
  if (uses & TRACE_USES_VALUE && event->value) fixed.present |= TRACE_HAS_VALUE;
  if (uses & TRACE_USES_RESULT && event->result) fixed.present |= TRACE_HAS_RESULT;
  if (uses & TRACE_USES_BARRIER) {
    fixed.barrier_id = event->barrier_id;
    fixed.expected = event->expected;
  }
  if (uses & TRACE_USES_TARGET) fixed.target = LS_MAX(event->target, -1);
  if (uses & TRACE_USES_RECONVERGE) fixed.reconverge = LS_MAX(event->reconverge, -1);
  return fixed;
}

static void put_static(TraceBytes *out, const PredictStatic *fixed, int32_t pc) {
  trace_put_u8(out, fixed->kind);
  trace_put_u8(out, fixed->space);
  trace_put_u8(out, fixed->width);
  trace_put_u8(out, fixed->present);
  trace_put_u8(out, fixed->barrier_id);
  trace_put_varint(out, fixed->expected);
  trace_put_svarint(out, (uint64_t)((int64_t)fixed->target - pc));
  trace_put_svarint(out, (uint64_t)((int64_t)fixed->reconverge - pc));
}

uint8_t encode_warp_number(TraceEncoder *encoder, uint16_t warp) {
  trace_put_varint(&encoder->columns[TRACE_COL_WARP], warp);
  encoder->predictor->warp = warp;
  return TRACE_DIFF_WARP;
}

uint8_t encode_next(TraceEncoder *encoder, PredictPc *before, int32_t pc) {
  trace_put_svarint(&encoder->columns[TRACE_COL_PC], (uint64_t)((int64_t)pc - before->next));
  predict_doubt(encoder->predictor, before->pc);
  before->next = pc;
  return TRACE_DIFF_PC;
}

uint8_t encode_active(TraceEncoder *encoder, PredictWarp *warp, uint32_t active) {
  trace_put_u32(&encoder->columns[TRACE_COL_MASK], active);
  warp->active = active;
  return TRACE_DIFF_ACTIVE;
}

uint8_t encode_mask(TraceEncoder *encoder, uint32_t mask) {
  trace_put_u32(&encoder->columns[TRACE_COL_MASK], mask);
  return TRACE_DIFF_MASK;
}

void encode_note_pc(TraceSummary *summary, PredictPc *row) {
  uint32_t pc = (uint32_t)row->pc;
  summary->pc_first = LS_MIN(summary->pc_first, row->pc);
  summary->pc_last = LS_MAX(summary->pc_last, row->pc);
  summary->pcs[pc % TRACE_PC_BITS / 64] |= 1ull << pc % 64;
  row->is_met = true;
}

// Field by field: one of them was put together a moment ago, and who reads several of its fields at once waits for
// them.
static bool is_same_static(const PredictStatic *a, const PredictStatic *b) {
  int bytes = (a->kind ^ b->kind) | (a->space ^ b->space) | (a->width ^ b->width) | (a->present ^ b->present) |
              (a->barrier_id ^ b->barrier_id);
  return !(bytes | (a->expected ^ b->expected) | (a->target ^ b->target) | (a->reconverge ^ b->reconverge));
}

// What rarely changes. Returns TRACE_DIFF_STATIC if it did.
static uint8_t put_fixed(TraceEncoder *encoder, PredictPc *pc, const TraceEvent *event, uint32_t uses) {
  PredictStatic fixed = static_of(event, uses);
  pc->shape = uses == TRACE_USES_ADDR && event->mask && event->addr ? event->shape : 0;
  if (is_same_static(&fixed, &pc->fixed)) return 0;
  put_static(&encoder->columns[TRACE_COL_STATIC], &fixed, pc->pc);
  predict_doubt(encoder->predictor, pc->pc);
  pc->fixed = fixed;
  return TRACE_DIFF_STATIC;
}

static uint8_t put_flags(TraceEncoder *encoder, PredictPc *pc, uint8_t flags) {
  if (flags == pc->flags) return 0;
  trace_put_u8(&encoder->columns[TRACE_COL_FLAGS], flags);
  predict_doubt(encoder->predictor, pc->pc);
  pc->flags = flags;
  return TRACE_DIFF_FLAGS;
}

// All but an event's place. Returns what differs in it.
uint8_t encode_rest(TraceEncoder *encoder, PredictPc *pc, const TraceEvent *event) {
  uint32_t uses = trace_kind_uses[event->kind];
  uint8_t diff = put_fixed(encoder, pc, event, uses);
  pc->known.doubts = 0;
  diff |= put_flags(encoder, pc, event->flags);
  if (uses) diff |= put_payload(encoder, pc, event, uses);
  encoder->summary.diverging += event->kind == TRACE_BRANCH && event->flags & TRACE_DIVERGES;
  return diff;
}

// An event with the shape of the last one at its instruction is like it, but for where its addresses are. Kinds that
// have little to say are alike sooner.
uint8_t encode_whole(TraceEncoder *encoder, PredictPc *pc, const TraceEvent *event) {
  const PredictStatic *fixed = &pc->fixed;
  if (event->flags != pc->flags) return encode_rest(encoder, pc, event);
  if (event->shape && event->shape == pc->shape) return encode_addr(encoder, pc, event);
  if (event->kind != fixed->kind) return encode_rest(encoder, pc, event);
  if (!trace_kind_uses[event->kind]) return 0;
  bool same = event->kind == TRACE_BARRIER && event->barrier_id == fixed->barrier_id &&
              event->expected == fixed->expected;
  return same ? put_arrived(encoder, event) : encode_rest(encoder, pc, event);
}

int trace_encoder_event(TraceEncoder *encoder, const TraceEvent *event) {
  uint8_t diff = encode_place(encoder, encode_warp(encoder, event->warp), event, event->pc);
  diff |= encode_whole(encoder, encode_pc(encoder, event->pc), event);
  *encode_expected(encoder, 1) = diff;
  encoder->summary.kinds[event->kind]++;
  return encode_room(encoder);
}
