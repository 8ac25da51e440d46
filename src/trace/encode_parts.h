// encode_parts.h: what the parts of the encoder share: a chunk while it is written, and where an event is.
#ifndef LS_TRACE_ENCODE_PARTS_H
#define LS_TRACE_ENCODE_PARTS_H

#include "trace/encode.h"
#include "trace/predict.h"

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "numbers of a trace are little-endian");

typedef struct Span { uint32_t block; int first; bool is_new; } Span;

// Where a pass over lines began.
typedef struct EncodeMark {
  size_t size[TRACE_COL_COUNT];
  uint32_t kinds[TRACE_KIND_COUNT];
  uint64_t looks;
  uint32_t last_warp;        // of the event before
} EncodeMark;

struct TraceEncoder {
  Predictor *predictor;
  TraceSummary summary;
  Span *spans;
  int span_count, span_capacity;
  TraceBytes state;
  TraceBytes columns[TRACE_COL_COUNT];   // a byte of TRACE_COL_CONTROL for each event
  uint64_t looks;                        // how often lines had something that was not known to be as before
  EncodeMark mark;
};

// What is not as expected is kept out of the way of all that is.
#define ENCODE_SELDOM __attribute__((noinline, cold))

static inline bool encode_has_many_bytes(const TraceEncoder *encoder) {
  return encoder->columns[TRACE_COL_ADDR].size + encoder->columns[TRACE_COL_LANES].size >= TRACE_CHUNK_BYTES;
}

static inline int encode_room(const TraceEncoder *encoder) {
  return encode_has_many_bytes(encoder) ? 0 : TRACE_CHUNK_EVENTS - (int)encoder->columns[TRACE_COL_CONTROL].size;
}

// Each of these writes what is not as expected, and returns the bits that say so: TRACE_DIFF_...

// ---- encode_addr.c -------------------------------------------------------------------------------------------------
uint8_t encode_any_addr(TraceBytes *out, PredictPc *pc, PredictAddr *row, uint32_t shape, uint32_t mask,
                        const uint64_t *addr);
void encode_numbers(TraceBytes *out, const uint64_t *value, int count, int width);   // the low bytes of each
int encode_packed(const uint64_t *value, uint32_t mask, uint64_t packed[32]);   // behind one another; returns how many
// True if the lanes of mask (two at least) are base + stride * lane.
bool encode_is_affine(const uint64_t *value, uint32_t mask, uint64_t *base, uint64_t *stride);
ENCODE_SELDOM uint8_t encode_shift(TraceBytes *out, uint64_t delta, uint64_t expected);   // which are not the same

// Of the same shape addresses can only have moved.
static inline uint8_t encode_addr(TraceEncoder *encoder, PredictPc *pc, const TraceEvent *event) {
  TraceBytes *out = &encoder->columns[TRACE_COL_ADDR];
  PredictAddr *row = predict_addr(encoder->predictor, pc, event->warp);
  if (!event->shape || event->shape != row->shape)
    return encode_any_addr(out, pc, row, event->shape, event->mask, event->addr);
  uint64_t expected = row->delta;
  predict_move(row, event->addr[__builtin_ctz(event->mask)]);
  return row->delta == expected ? 0 : encode_shift(out, row->delta, expected);
}

// ---- encode_lanes.c ------------------------------------------------------------------------------------------------
void encode_values(TraceBytes *out, const uint64_t *value, uint32_t mask);
void encode_source(TraceBytes *out, PredictPc *pc, const uint8_t *source, uint32_t mask);
void encode_result(TraceBytes *out, const TraceEvent *event);
// A shuffle of all lanes. is_moved: the results are the values of its sources.
void encode_exchange(TraceEncoder *encoder, PredictPc *pc, uint16_t warp, const ExchangeRow *row, bool is_moved);
void encode_exchange_event(TraceEncoder *encoder, PredictPc *pc, const TraceEvent *event);

// ---- encode_atoms.c ------------------------------------------------------------------------------------------------
// A row of predict_is_atomic, with addresses of no shape.
uint8_t encode_atomic(TraceEncoder *encoder, PredictPc *pc, uint16_t warp, const AtomsRow *row);
void encode_atomic_event(TraceEncoder *encoder, PredictPc *pc, const TraceEvent *event);   // its values alone

// ---- encode_event.c ------------------------------------------------------------------------------------------------
uint8_t encode_rest(TraceEncoder *encoder, PredictPc *pc, const TraceEvent *event);    // all but an event's place
// The same. An event with the shape of the last one at its instruction is like it, but for where its addresses are.
uint8_t encode_whole(TraceEncoder *encoder, PredictPc *pc, const TraceEvent *event);
ENCODE_SELDOM uint8_t encode_warp_number(TraceEncoder *encoder, uint16_t warp);
ENCODE_SELDOM uint8_t encode_next(TraceEncoder *encoder, PredictPc *before, int32_t pc);
ENCODE_SELDOM uint8_t encode_active(TraceEncoder *encoder, PredictWarp *warp, uint32_t active);
ENCODE_SELDOM uint8_t encode_mask(TraceEncoder *encoder, uint32_t mask);
ENCODE_SELDOM void encode_note_pc(TraceSummary *summary, PredictPc *row);

// The row of an event's warp. One that a block's part of a chunk meets for the first time is noted in the summary.
static inline PredictWarp *encode_warp(TraceEncoder *encoder, uint16_t warp) {
  PredictWarp *row = predict_warp(encoder->predictor, warp);
  if (row->pc < 0) encoder->summary.warps |= 1ull << warp % 64;
  return row;
}

// Warp, pc and masks.
static inline uint8_t encode_place(TraceEncoder *encoder, PredictWarp *warp, const TraceEvent *event, int32_t pc) {
  Predictor *predictor = encoder->predictor;
  uint8_t diff = 0;
  if (event->warp != predictor->warp) diff |= encode_warp_number(encoder, event->warp);
  PredictPc *before = predict_pc(predictor, warp->pc);
  if (pc != before->next) diff |= encode_next(encoder, before, pc);
  warp->pc = pc;
  if (event->active != warp->active) diff |= encode_active(encoder, warp, event->active);
  if (event->mask != event->active) diff |= encode_mask(encoder, event->mask);
  return diff;
}

// The row of an event's instruction. One that a chunk meets for the first time is noted in its summary.
static inline PredictPc *encode_pc(TraceEncoder *encoder, int32_t pc) {
  PredictPc *row = predict_pc(encoder->predictor, pc);
  if (!row->is_met) encode_note_pc(&encoder->summary, row);
  return row;
}

// Ends `count` events, which are as expected; returns where their bytes are, for those that are not. Zeros go on behind
// them: there is room.
static inline uint8_t *encode_expected(TraceEncoder *encoder, int count) {
  TraceBytes *control = &encoder->columns[TRACE_COL_CONTROL];
  uint8_t *first = control->data + control->size;
  for (int i = 0; i < count; i += PREDICT_GROUP) memset(first + i, 0, PREDICT_GROUP);
  control->size += (size_t)count;
  return first;
}

#endif
