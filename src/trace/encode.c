// encode.c: writes each event as its difference to what the predictor expects, into a column for each kind of number.
#include "trace/encode_parts.h"

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

int trace_encoder_room(const TraceEncoder *encoder) { return encode_room(encoder); }

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
