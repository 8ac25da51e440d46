// encode.c: writes each event as its difference to what the predictor expects, into a column for each kind of number.
#include "trace/encode.h"

#include "trace/pack.h"
#include "trace/predict.h"

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "numbers of a trace are little-endian");

typedef struct Span { uint32_t block; int first; bool is_new; } Span;

struct TraceEncoder {
  Predictor *predictor;
  TraceSummary summary;
  Span *spans;
  int span_count, span_capacity;
  TraceBytes state;
  TraceBytes columns[TRACE_COL_COUNT];   // a byte of TRACE_COL_CONTROL for each event
};

TraceEncoder *trace_encoder_new(void) {
  TraceEncoder *encoder = ls_alloc(sizeof *encoder);
  encoder->predictor = predict_new();
  return encoder;
}

void trace_encoder_free(TraceEncoder *encoder) {
  if (!encoder) return;
  free(encoder->predictor);
  free(encoder->spans);
  free(encoder->state.data);
  for (int i = 0; i < TRACE_COL_COUNT; i++) free(encoder->columns[i].data);
  free(encoder);
}

int trace_encoder_count(const TraceEncoder *encoder) { return (int)encoder->columns[TRACE_COL_CONTROL].size; }

static inline bool has_many_bytes(const TraceEncoder *encoder) {
  return encoder->columns[TRACE_COL_ADDR].size + encoder->columns[TRACE_COL_LANES].size >= TRACE_CHUNK_BYTES;
}

static inline int room(const TraceEncoder *encoder) {
  return has_many_bytes(encoder) ? 0 : TRACE_CHUNK_EVENTS - (int)encoder->columns[TRACE_COL_CONTROL].size;
}

int trace_encoder_room(const TraceEncoder *encoder) { return room(encoder); }

// ---- start of a chunk ----------------------------------------------------------------------------------------------

static void put_warp_state(TraceBytes *out, const TraceWarp *warp, uint64_t step) {
  trace_put_varint(out, warp->live);
  trace_put_varint(out, warp->active);
  trace_put_varint(out, warp->waiting);
  trace_put_svarint(out, (uint64_t)(int64_t)warp->pc);
  trace_put_u8(out, warp->barrier_id);
  trace_put_varint(out, warp->events);
  trace_put_varint(out, warp->events ? step - warp->last_step : 0);
  uint32_t other = 0;
  for (int lane = 0; lane < 32; lane++) other |= (uint32_t)(warp->lane_pc[lane] != warp->pc) << lane;
  trace_put_u32(out, other);
  for (; other; other &= other - 1) {
    int64_t pc = warp->lane_pc[__builtin_ctz(other)];
    trace_put_svarint(out, (uint64_t)(pc - warp->pc));
  }
}

static void add_span(TraceEncoder *encoder, uint32_t block, bool is_new) {
  Span span = {block, trace_encoder_count(encoder), is_new};
  LS_PUSH(encoder->spans, encoder->span_count, encoder->span_capacity, span);
  TraceSummary *summary = &encoder->summary;
  summary->block_first = LS_MIN(summary->block_first, block);
  summary->block_last = LS_MAX(summary->block_last, block);
}

void trace_encoder_begin(TraceEncoder *encoder, uint32_t block, uint64_t step, TraceFold *fold) {
  predict_begin(encoder->predictor);
  encoder->span_count = 0;
  encoder->summary = (TraceSummary){.pc_first = INT32_MAX, .pc_last = -1, .block_first = UINT32_MAX};
  for (int i = 0; i < TRACE_COL_COUNT; i++) encoder->columns[i].size = 0;
  trace_bytes_room(&encoder->columns[TRACE_COL_CONTROL], TRACE_CHUNK_EVENTS + PREDICT_GROUP);
  encoder->state.size = 0;
  trace_put_varint(&encoder->state, fold ? (uint64_t)fold->count : 0);
  if (fold) trace_fold_settle(fold);
  for (int w = 0; fold && w < fold->count; w++) put_warp_state(&encoder->state, &fold->warps[w], step);
  add_span(encoder, block, !fold);
}

void trace_encoder_block(TraceEncoder *encoder, uint32_t block) {
  predict_begin_block(encoder->predictor);
  add_span(encoder, block, true);
}

// ---- addresses -----------------------------------------------------------------------------------------------------

static inline bool all_shifted(const uint64_t *addr, const uint64_t *last, uint32_t mask, uint64_t delta) {
  uint64_t wrong = 0;
  if (mask == UINT32_MAX) return addr[31] - last[31] == delta && trace_are_shifted(addr, last, delta);
  for (; mask; mask &= mask - 1) {
    int lane = __builtin_ctz(mask);
    wrong |= addr[lane] - last[lane] - delta;
  }
  return !wrong;
}

// The same for all 32 lanes.
static bool find_affine_full(const uint64_t *value, uint64_t *base, uint64_t *stride) {
  uint64_t step = value[1] - value[0];
  *base = value[0];
  *stride = step;
  return value[2] - value[1] == step && value[31] - value[0] == 31 * step && trace_are_in_steps(value, step);
}

// True if the lanes of mask (two at least) are base + stride * lane.
static bool find_affine(const uint64_t *value, uint32_t mask, uint64_t *base, uint64_t *stride) {
  if (mask == UINT32_MAX) return find_affine_full(value, base, stride);
  int first = __builtin_ctz(mask), second = __builtin_ctz(mask & (mask - 1));
  int64_t difference = (int64_t)(value[second] - value[first]);
  if (difference % (second - first) != 0) return false;
  *stride = (uint64_t)(difference / (second - first));
  *base = value[first] - *stride * (uint64_t)first;
  for (; mask; mask &= mask - 1) {
    int lane = __builtin_ctz(mask);
    if (value[lane] != *base + *stride * (uint64_t)lane) return false;
  }
  return true;
}

// The values of the lanes in mask behind one another. Returns how many.
static int pack(const uint64_t *value, uint32_t mask, uint64_t packed[32]) {
  int count = 0;
  for (; mask; mask &= mask - 1) packed[count++] = value[__builtin_ctz(mask)];
  return count;
}

// The low `width` bytes of each number. Writes all bytes of a number, of which the next one covers what is too much.
static void put_numbers(TraceBytes *out, const uint64_t *value, int count, int width) {
  uint8_t *at = trace_bytes_room(out, (size_t)(count * width) + sizeof *value);
  for (int i = 0; i < count; i++, at += width) memcpy(at, &value[i], sizeof *value);
  out->size += (size_t)(count * width);
}

static void put_list_head(TraceBytes *out, uint64_t moved, int shift, int width) {
  trace_put_svarint(out, moved);
  trace_put_u8(out, (uint8_t)shift);
  trace_put_u8(out, (uint8_t)width);
}

// What the bits of all distances need behind the shift.
static int list_width(uint64_t bits) { return (63 - __builtin_clzll(bits)) / 8 + 1; }

// Distances from the lowest address, in units of the largest power of two that divides them all.
static void put_full_list(TraceBytes *out, PredictAddr *row, const uint64_t addr[32]) {
  uint64_t lowest = trace_lowest(addr), all = trace_bits_above(addr, lowest);
  int shift = __builtin_ctzll(all), width = list_width(all >> shift);
  put_list_head(out, lowest - row->last[0], shift, width);
  memcpy(row->last, addr, 32 * sizeof *addr);
  row->delta = 0;
  trace_pack(out, addr, lowest, shift, width);
}

// The same of some lanes.
static void put_addr_list(TraceBytes *out, PredictAddr *row, const uint64_t *addr, uint32_t mask) {
  uint64_t apart[32], before = row->last[__builtin_ctz(mask)], lowest = UINT64_MAX, all = 0;
  int count = pack(addr, mask, apart);
  for (int i = 0; i < count; i++) lowest = LS_MIN(lowest, apart[i]);
  for (int i = 0; i < count; i++) all |= apart[i] -= lowest;
  int shift = __builtin_ctzll(all), width = list_width(all >> shift);
  for (int i = 0; i < count; i++) apart[i] >>= shift;
  for (; mask; mask &= mask - 1) row->last[__builtin_ctz(mask)] = addr[__builtin_ctz(mask)];
  row->delta = 0;
  put_list_head(out, lowest - before, shift, width);
  put_numbers(out, apart, count, width);
}

static uint8_t put_shift(TraceBytes *out, uint64_t delta, uint64_t expected) {
  if (delta == expected) return 0;
  trace_put_u8(out, TRACE_ADDR_SHIFT);
  trace_put_svarint(out, delta - expected);
  return TRACE_DIFF_PAYLOAD;
}

static uint8_t put_any_addr(TraceBytes *out, PredictAddr *row, const TraceEvent *event) {
  predict_settle(row);
  int first = __builtin_ctz(event->mask);
  uint64_t delta = event->addr[first] - row->last[first], expected = row->delta, base, stride;
  row->shape = event->shape;
  row->mask = event->mask;
  row->at = event->addr[first];
  if (all_shifted(event->addr, row->last, event->mask, delta)) {
    predict_shift(row, delta);
    return put_shift(out, delta, expected);
  }
  if (find_affine(event->addr, event->mask, &base, &stride)) {
    trace_put_u8(out, TRACE_ADDR_AFFINE);
    trace_put_svarint(out, base - row->last[0]);
    trace_put_svarint(out, stride);
    predict_affine(row, base, stride);
  } else {
    trace_put_u8(out, TRACE_ADDR_LIST);
    if (event->mask == UINT32_MAX) put_full_list(out, row, event->addr);
    else put_addr_list(out, row, event->addr, event->mask);
  }
  return TRACE_DIFF_PAYLOAD;
}

// Returns TRACE_DIFF_PAYLOAD if the addresses are not the expected ones. Of the same shape they can only have moved.
static inline uint8_t put_addr(TraceEncoder *encoder, PredictPc *pc, const TraceEvent *event) {
  TraceBytes *out = &encoder->columns[TRACE_COL_ADDR];
  PredictAddr *row = predict_addr(encoder->predictor, pc, event->warp);
  if (!event->shape || event->shape != row->shape) return put_any_addr(out, row, event);
  uint64_t expected = row->delta;
  predict_move(row, event->addr[__builtin_ctz(event->mask)]);
  return row->delta == expected ? 0 : put_shift(out, row->delta, expected);
}

// ---- values --------------------------------------------------------------------------------------------------------

static int value_width(const uint64_t *value, int count) {
  uint64_t any = 0;
  if (count == 32) any = trace_bits_above(value, 0);
  else for (int i = 0; i < count; i++) any |= value[i];
  return any >> 32 ? 8 : any >> 16 ? 4 : any >> 8 ? 2 : 1;
}

static void put_values(TraceBytes *out, const uint64_t *value, uint32_t mask) {
  uint64_t base = mask ? value[__builtin_ctz(mask)] : 0, stride = 0, packed[32];
  if (!(mask & (mask - 1)) || find_affine(value, mask, &base, &stride)) {
    trace_put_u8(out, 0);
    trace_put_svarint(out, base);
    trace_put_svarint(out, stride);
    return;
  }
  bool all = mask == UINT32_MAX;
  int count = all ? 32 : pack(value, mask, packed), width = value_width(all ? value : packed, count);
  trace_put_u8(out, (uint8_t)width);
  if (all) trace_pack(out, value, 0, 0, width);
  else put_numbers(out, packed, count, width);
}

static void put_source(TraceBytes *out, PredictPc *pc, const uint8_t *source, uint32_t mask) {
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
static void put_result(TraceBytes *out, const TraceEvent *event) {
  bool follows = event->kind == TRACE_VOTE;
  for (uint32_t left = event->mask; left && follows; left &= left - 1)
    follows = event->result[__builtin_ctz(left)] == event->taken;
  if (follows) trace_put_u8(out, TRACE_LANES_FOLLOW); else put_values(out, event->result, event->mask);
}

// ---- shuffles of all lanes -----------------------------------------------------------------------------------------

enum { STRANGE = 4, STRANGE_AGAIN = 16 };   // so often no way was found in a row; how often it is then looked for

static bool is_worth_a_look(PredictPc *pc) {
  return pc->strange < STRANGE || pc->strange % STRANGE_AGAIN == 0;
}

static void put_lanes(TraceBytes *out, const uint32_t value[32]) {
  uint64_t wide[32];
  for (int lane = 0; lane < 32; lane++) wide[lane] = value[lane];
  put_values(out, wide, UINT32_MAX);
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

static void put_exchange(TraceEncoder *encoder, PredictPc *pc, uint16_t warp, const ExchangeRow *row, bool is_moved) {
  TraceBytes *out = &encoder->columns[TRACE_COL_LANES];
  put_made(out, pc, predict_row(encoder->predictor, warp), row->value);
  if (is_moved) trace_put_u8(out, TRACE_LANES_FOLLOW); else put_lanes(out, row->result);
  predict_exchange(encoder->predictor, warp, row);
}

static void put_exchange_event(TraceEncoder *encoder, PredictPc *pc, const TraceEvent *event) {
  TraceBytes *out = &encoder->columns[TRACE_COL_LANES];
  ExchangeRow row;
  uint64_t bits = trace_bits_above(event->value, 0) | trace_bits_above(event->result, 0);
  for (int lane = 0; lane < 32; lane++) row.value[lane] = (uint32_t)event->value[lane];
  for (int lane = 0; lane < 32; lane++) row.result[lane] = (uint32_t)event->result[lane];
  if (!(bits >> 32)) {
    put_exchange(encoder, pc, event->warp, &row, exchange_is_moved(&row, pc->source));
    return;
  }
  put_values(out, event->value, UINT32_MAX);
  put_values(out, event->result, UINT32_MAX);
  predict_exchange(encoder->predictor, event->warp, &row);
}

// ---- one event -----------------------------------------------------------------------------------------------------

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
  if (present & TRACE_HAS_ADDR && event->mask) diff = put_addr(encoder, pc, event);
  if (uses & (TRACE_USES_TAKEN | TRACE_USES_MEMBERS)) diff = put_aux(encoder, pc, event, uses);
  if (uses & TRACE_USES_BARRIER) diff = put_arrived(encoder, event);
  if (uses & TRACE_USES_FAULT)
    trace_put_varint(&encoder->columns[TRACE_COL_AUX], event->fault < 0 ? INT32_MAX : (uint32_t)event->fault);
  if (present & TRACE_HAS_SOURCE) put_source(lanes, pc, event->source, event->mask);
  if (predict_is_exchange(pc, event->mask)) {
    put_exchange_event(encoder, pc, event);
    return diff;
  }
  if (present & TRACE_HAS_VALUE) put_values(lanes, event->value, event->mask);
  if (present & TRACE_HAS_RESULT) put_result(lanes, event);
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

// What is not as expected is kept out of the way of all that is.
#define SELDOM __attribute__((noinline, cold)) static

SELDOM uint8_t put_warp_number(TraceEncoder *encoder, uint16_t warp) {
  trace_put_varint(&encoder->columns[TRACE_COL_WARP], warp);
  encoder->predictor->warp = warp;
  return TRACE_DIFF_WARP;
}

SELDOM uint8_t put_next(TraceEncoder *encoder, PredictPc *before, int32_t pc) {
  trace_put_svarint(&encoder->columns[TRACE_COL_PC], (uint64_t)((int64_t)pc - before->next));
  predict_doubt(encoder->predictor, before->pc);
  before->next = pc;
  return TRACE_DIFF_PC;
}

SELDOM uint8_t put_active(TraceEncoder *encoder, PredictWarp *warp, uint32_t active) {
  trace_put_u32(&encoder->columns[TRACE_COL_MASK], active);
  warp->active = active;
  return TRACE_DIFF_ACTIVE;
}

SELDOM uint8_t put_mask(TraceEncoder *encoder, uint32_t mask) {
  trace_put_u32(&encoder->columns[TRACE_COL_MASK], mask);
  return TRACE_DIFF_MASK;
}

// The row of an event's warp. One that a block's part of a chunk meets for the first time is noted in the summary.
static inline PredictWarp *put_warp(TraceEncoder *encoder, uint16_t warp) {
  PredictWarp *row = predict_warp(encoder->predictor, warp);
  if (row->pc < 0) encoder->summary.warps |= 1ull << warp % 64;
  return row;
}

// Warp, pc and masks. Returns what differs.
static inline uint8_t put_place(TraceEncoder *encoder, PredictWarp *warp, const TraceEvent *event, int32_t pc) {
  Predictor *predictor = encoder->predictor;
  uint8_t diff = 0;
  if (event->warp != predictor->warp) diff |= put_warp_number(encoder, event->warp);
  PredictPc *before = predict_pc(predictor, warp->pc);
  if (pc != before->next) diff |= put_next(encoder, before, pc);
  warp->pc = pc;
  if (event->active != warp->active) diff |= put_active(encoder, warp, event->active);
  if (event->mask != event->active) diff |= put_mask(encoder, event->mask);
  return diff;
}

SELDOM void note_pc(TraceSummary *summary, PredictPc *row) {
  uint32_t pc = (uint32_t)row->pc;
  summary->pc_first = LS_MIN(summary->pc_first, row->pc);
  summary->pc_last = LS_MAX(summary->pc_last, row->pc);
  summary->pcs[pc % TRACE_PC_BITS / 64] |= 1ull << pc % 64;
  row->is_met = true;
}

// The row of an event's instruction. One that a chunk meets for the first time is noted in its summary.
static inline PredictPc *put_pc(TraceEncoder *encoder, int32_t pc) {
  PredictPc *row = predict_pc(encoder->predictor, pc);
  if (!row->is_met) note_pc(&encoder->summary, row);
  return row;
}

// Ends `count` events, which are as expected; returns where their bytes are, for those that are not. Zeros go on behind
// them: there is room.
static inline uint8_t *put_expected(TraceEncoder *encoder, int count) {
  TraceBytes *control = &encoder->columns[TRACE_COL_CONTROL];
  uint8_t *first = control->data + control->size;
  for (int i = 0; i < count; i += PREDICT_GROUP) memset(first + i, 0, PREDICT_GROUP);
  control->size += (size_t)count;
  return first;
}

// What rarely changes. Returns TRACE_DIFF_STATIC if it did.
static uint8_t put_fixed(TraceEncoder *encoder, PredictPc *pc, const TraceEvent *event, uint32_t uses) {
  PredictStatic fixed = static_of(event, uses);
  pc->shape = uses == TRACE_USES_ADDR && event->mask && event->addr ? event->shape : 0;
  if (memcmp(&fixed, &pc->fixed, sizeof fixed) == 0) return 0;
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
static uint8_t put_rest(TraceEncoder *encoder, PredictPc *pc, const TraceEvent *event) {
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
static uint8_t put_whole(TraceEncoder *encoder, PredictPc *pc, const TraceEvent *event) {
  const PredictStatic *fixed = &pc->fixed;
  if (event->flags != pc->flags) return put_rest(encoder, pc, event);
  if (event->shape && event->shape == pc->shape) return put_addr(encoder, pc, event);
  if (event->kind != fixed->kind) return put_rest(encoder, pc, event);
  if (!trace_kind_uses[event->kind]) return 0;
  bool same = event->kind == TRACE_BARRIER && event->barrier_id == fixed->barrier_id &&
              event->expected == fixed->expected;
  return same ? put_arrived(encoder, event) : put_rest(encoder, pc, event);
}

int trace_encoder_event(TraceEncoder *encoder, const TraceEvent *event) {
  uint8_t diff = put_place(encoder, put_warp(encoder, event->warp), event, event->pc);
  diff |= put_whole(encoder, put_pc(encoder, event->pc), event);
  *put_expected(encoder, 1) = diff;
  encoder->summary.kinds[event->kind]++;
  return room(encoder);
}

// ---- a line --------------------------------------------------------------------------------------------------------

// A line while it is written: `left` events from pc on, whose bytes are at `control`.
typedef struct Writing {
  const TraceEvent *first;
  PredictWarp *warp;
  const TraceAct *act, *last_act;      // the next one that acts; behind the last one
  uint8_t *control;
  int left;
  int32_t pc;
  bool placed;                         // the next event is where it is expected, or its byte says where
} Writing;

static uint8_t put_strange(TraceEncoder *encoder, PredictPc *row, const TraceEvent *first, const TraceAct *act) {
  TraceEvent event;
  uint64_t lanes[2][32];
  trace_act_event(first, act, &event, lanes);
  return put_whole(encoder, row, &event);
}

static inline uint8_t put_move(TraceEncoder *encoder, PredictAddr *addr, uint64_t at) {
  uint64_t delta = at - addr->at, expected = addr->delta;
  addr->at = at;
  if (delta == expected) return 0;
  addr->delta = delta;
  return put_shift(&encoder->columns[TRACE_COL_ADDR], delta, expected);
}

static uint8_t put_branch(TraceEncoder *encoder, PredictPc *row, const TraceEvent *first, const TraceAct *act,
                          PredictKnown known) {
  bool expected = row->fixed.kind == TRACE_BRANCH && row->fixed.target == act->target &&
                  row->fixed.reconverge == act->reconverge && row->flags == act->flags &&
                  row->aux == (act->taken ? TRACE_TAKEN_MASK : TRACE_TAKEN_NONE);
  uint8_t diff = expected ? 0 : put_strange(encoder, row, first, act);
  memcpy(row->act, act, sizeof row->act);
  row->known = known;
  return diff;
}

// Of a shape.
static uint8_t put_access(TraceEncoder *encoder, PredictPc *row, const TraceEvent *first, const TraceAct *act,
                          PredictKnown known) {
  bool same = act->shape == row->shape && act->flags == row->flags;
  PredictAddr *addr = predict_addr(encoder->predictor, row, first->warp);
  uint8_t diff = same && addr->shape == act->shape ? put_move(encoder, addr, act->at)
                                                   : put_strange(encoder, row, first, act);
  if (row->next != act->pc + 1) return diff;
  row->moves = true;
  addr->act = predict_act(act);
  addr->known = (PredictKnown){encoder->predictor->doubts, known.before};
  return diff;
}

// Of the sources of the last one.
static void put_known_shuffle(TraceEncoder *encoder, PredictPc *row, uint16_t warp, const TraceAct *act) {
  trace_put_u8(&encoder->columns[TRACE_COL_LANES], 0);
  put_exchange(encoder, row, warp, &act->row->moved, true);
}

static uint8_t put_shuffle(TraceEncoder *encoder, PredictPc *row, const TraceEvent *first, const TraceAct *act,
                           PredictKnown known) {
  bool same = act->shape && row->known.doubts && memcmp(row->act, act, sizeof row->act) == 0;
  uint8_t diff = 0;
  if (same) put_known_shuffle(encoder, row, first->warp, act); else diff = put_strange(encoder, row, first, act);
  if (!act->shape) return diff;
  memcpy(row->act, act, sizeof row->act);
  row->known = known;
  return diff;
}

// The next event acts; `before` events in front of it were plain.
static void put_act(TraceEncoder *encoder, Writing *w, PredictPc *row, int before) {
  const TraceAct *act = w->act++;
  PredictKnown known = {encoder->predictor->doubts, before};
  bool moves = (act->kind == TRACE_LOAD || act->kind == TRACE_STORE) && act->shape;
  *w->control |= moves                        ? put_access(encoder, row, w->first, act, known)
                 : act->kind == TRACE_BRANCH  ? put_branch(encoder, row, w->first, act, known)
                 : act->kind == TRACE_SHUFFLE ? put_shuffle(encoder, row, w->first, act, known)
                                              : put_strange(encoder, row, w->first, act);
  encoder->summary.kinds[act->kind]++;
  w->pc = trace_act_next(act);
}

static void put_exec(TraceEncoder *encoder, Writing *w, PredictPc *row) {
  *w->control |= put_rest(encoder, row, w->first);
  predict_learn_plain(encoder->predictor, row);
  w->pc++;
}

// Passes over the plain ones of `count` events. Returns how many.
static int pass_plain(TraceEncoder *encoder, Writing *w, int count) {
  int n = predict_plain(encoder->predictor, w->pc, count);
  if (!n) return 0;
  w->warp->pc = w->pc + n - 1;
  w->pc += n;
  w->control += n;
  w->left -= n;
  return n;
}

// The next event, or some that are plain, and perhaps one behind them.
static void put_next_one(TraceEncoder *encoder, Writing *w) {
  bool all = w->first->mask == w->first->active, acts = w->act < w->last_act;
  int before = acts ? LS_MIN(w->act->pc - w->pc, w->left) : w->left, plain = all ? pass_plain(encoder, w, before) : 0;
  if (plain && (plain < before || !w->left)) return;
  PredictPc *row = put_pc(encoder, w->pc);
  w->warp->pc = w->pc;
  if (plain < before) put_exec(encoder, w, row); else put_act(encoder, w, row, plain);
  w->placed = all && row->next == w->pc;
  w->control++;
  w->left--;
}

static inline bool is_like(PredictKnown known, uint32_t doubts, int before) {
  return known.doubts == doubts && before <= known.before;
}

// Acts one after the other, with what is in front of each, as long as nothing is new but where their addresses are.
static void put_known(TraceEncoder *encoder, Writing *w) {
  Predictor *predictor = encoder->predictor;
  const TraceAct *act = w->act, *last = w->last_act;
  uint32_t doubts = predictor->doubts, warp = w->first->warp;
  uint64_t whose = predict_whose(predictor, warp);
  int32_t pc = w->pc;
  int left = w->left;
  for (bool goes_on = w->placed; act < last && goes_on; act++) {
    int before = act->pc - pc;
    PredictPc *row = &predictor->pcs[(uint32_t)act->pc % PREDICT_PCS];
    if (before >= left) break;
    if (act->kind == TRACE_BRANCH || act->kind == TRACE_SHUFFLE) {
      bool same = row->generation == predictor->generation && memcmp(row->act, act, sizeof row->act) == 0;
      if (!same || !is_like(row->known, doubts, before)) break;
      pc = trace_act_next(act);
      goes_on = w->placed = row->next == pc;
      if (act->kind == TRACE_SHUFFLE) {
        put_known_shuffle(encoder, row, (uint16_t)warp, act);
        goes_on &= !has_many_bytes(encoder);
      }
    } else {
      uint32_t slot = predict_slot(act->pc, warp);
      PredictAddr *addr = &predictor->addrs[slot];
      bool same = addr->whose == whose && addr->act == predict_act(act) && addr->shape == act->shape;
      if (!same || !is_like(addr->known, doubts, before)) break;
      row->addr = (int32_t)slot;
      pc = act->pc + 1;
      uint8_t diff = put_move(encoder, addr, act->at);
      if (diff) w->control[w->left - left + before] |= diff, goes_on = !has_many_bytes(encoder);
    }
    left -= before + 1;
    encoder->summary.kinds[act->kind]++;
  }
  if (act > w->act) w->warp->pc = act[-1].pc;
  w->control += w->left - left;
  w->left = left;
  w->act = act;
  w->pc = pc;
}

// Takes events off the front of a line that were written.
static void take_off(TraceEncoder *encoder, TraceLine *line, const Writing *w, int count) {
  int acts = (int)(w->act - line->acts);
  encoder->summary.kinds[TRACE_EXEC] += (uint32_t)(count - acts);
  line->pc = w->pc;
  line->count -= count;
  line->acts = w->act;
  line->act_count -= acts;
}

// What is plain, or known, is asked behind put_place, which may change, or forget, what was expected of these very
// instructions.
int trace_encoder_line(TraceEncoder *encoder, TraceLine *line, int32_t *last_pc, int *room_left) {
  int count = LS_MIN(line->count, room(encoder));
  Writing w = {.first = line->first, .warp = put_warp(encoder, line->first->warp), .act = line->acts,
               .last_act = line->acts + line->act_count, .control = put_expected(encoder, count), .left = count,
               .pc = line->pc};
  bool all = w.first->mask == w.first->active;
  do {
    if (!w.placed) *w.control = put_place(encoder, w.warp, w.first, w.pc);
    w.placed = true;
    if (all) put_known(encoder, &w);
    if (w.left && w.placed && !has_many_bytes(encoder)) put_next_one(encoder, &w);
  } while (w.left && !has_many_bytes(encoder));
  encoder->columns[TRACE_COL_CONTROL].size -= (size_t)w.left;
  *last_pc = w.warp->pc;
  take_off(encoder, line, &w, count - w.left);
  *room_left = room(encoder);
  return count - w.left;
}

// ---- end of a chunk ------------------------------------------------------------------------------------------------

void trace_put_summary(TraceBytes *bytes, const TraceSummary *summary) {
  trace_put_varint(bytes, TRACE_KIND_COUNT);
  for (int kind = 0; kind < TRACE_KIND_COUNT; kind++) trace_put_varint(bytes, summary->kinds[kind]);
  trace_put_varint(bytes, summary->diverging);
  trace_put_u64(bytes, summary->warps);
  trace_put_svarint(bytes, (uint64_t)(int64_t)summary->pc_first);
  trace_put_svarint(bytes, (uint64_t)(int64_t)summary->pc_last);
  for (int i = 0; i < LS_COUNT(summary->pcs); i++) trace_put_u64(bytes, summary->pcs[i]);
  trace_put_varint(bytes, summary->block_first);
  trace_put_varint(bytes, summary->block_last);
}

void trace_encoder_end(TraceEncoder *encoder, TraceBytes *raw, TraceSummary *summary) {
  *summary = encoder->summary;
  raw->size = 0;
  trace_put_summary(raw, summary);
  trace_put_varint(raw, (uint64_t)encoder->span_count);
  for (int i = 0; i < encoder->span_count; i++) {
    int next = i + 1 < encoder->span_count ? encoder->spans[i + 1].first : trace_encoder_count(encoder);
    trace_put_varint(raw, encoder->spans[i].block);
    trace_put_varint(raw, (uint64_t)(next - encoder->spans[i].first));
    trace_put_u8(raw, encoder->spans[i].is_new);
  }
  trace_put_bytes(raw, encoder->state.data, encoder->state.size);
  for (int i = 0; i < TRACE_COL_COUNT; i++) {
    trace_put_varint(raw, encoder->columns[i].size);
    trace_put_bytes(raw, encoder->columns[i].data, encoder->columns[i].size);
  }
}
