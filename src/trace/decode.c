// decode.c: the mirror of encode.c, which checks everything that it reads.
#include "trace/decode.h"

#include "base/mem.h"

typedef struct Decoder {
  TraceChunk *chunk;
  Predictor *predictor;
  TraceCursor columns[TRACE_COL_COUNT];
} Decoder;

// ---- start of a chunk ----------------------------------------------------------------------------------------------

void trace_get_summary(TraceCursor *cursor, TraceSummary *summary) {
  *summary = (TraceSummary){.pc_first = -1};
  uint64_t kinds = trace_get_bounded(cursor, TRACE_KIND_COUNT);
  for (uint64_t kind = 0; kind < kinds; kind++)
    summary->kinds[kind] = (uint32_t)trace_get_bounded(cursor, TRACE_CHUNK_EVENTS);
  summary->diverging = (uint32_t)trace_get_bounded(cursor, TRACE_CHUNK_EVENTS);
  summary->warps = trace_get_u64(cursor);
  summary->pc_first = trace_get_pc(cursor, 0);
  summary->pc_last = trace_get_pc(cursor, 0);
  for (int i = 0; i < LS_COUNT(summary->pcs); i++) summary->pcs[i] = trace_get_u64(cursor);
  summary->block_first = (uint32_t)trace_get_bounded(cursor, UINT32_MAX);
  summary->block_last = (uint32_t)trace_get_bounded(cursor, UINT32_MAX);
}

static void get_spans(TraceChunk *chunk, TraceCursor *cursor) {
  uint64_t count = trace_get_bounded(cursor, (uint64_t)chunk->count);
  int covered = 0;
  if (!count) trace_cursor_fail(cursor);
  chunk->spans = ls_alloc((size_t)count * sizeof *chunk->spans);
  for (uint64_t i = 0; i < count && !cursor->bad; i++) {
    TraceSpan *span = &chunk->spans[i];
    span->block = (uint32_t)trace_get_bounded(cursor, UINT32_MAX);
    span->first = covered;
    span->count = (int)trace_get_bounded(cursor, (uint64_t)(chunk->count - covered));
    span->is_new = trace_get_u8(cursor) != 0;
    if (!span->count || (i && !span->is_new)) trace_cursor_fail(cursor);
    covered += span->count;
  }
  chunk->span_count = (int)count;
  if (covered != chunk->count) trace_cursor_fail(cursor);
}

static void get_warp(TraceCursor *cursor, TraceWarp *warp, uint64_t step) {
  warp->live = (uint32_t)trace_get_varint(cursor);
  warp->active = (uint32_t)trace_get_varint(cursor);
  warp->waiting = (uint32_t)trace_get_varint(cursor);
  warp->pc = trace_get_pc(cursor, 0);
  warp->barrier_id = trace_get_u8(cursor);
  warp->events = trace_get_bounded(cursor, step);
  uint64_t ago = trace_get_bounded(cursor, step);
  warp->last_step = warp->events ? step - ago : UINT64_MAX;
  uint32_t other = trace_get_u32(cursor);
  for (int lane = 0; lane < 32; lane++)
    warp->lane_pc[lane] = other >> lane & 1 ? trace_get_pc(cursor, warp->pc) : warp->pc;
}

static bool decode_head(TraceChunk *chunk, TraceCursor *cursor, uint64_t first, int count) {
  memset(chunk, 0, sizeof *chunk);
  chunk->first = first;
  chunk->count = count;
  trace_get_summary(cursor, &chunk->summary);
  get_spans(chunk, cursor);
  return !cursor->bad;
}

bool trace_decode_head(TraceChunk *chunk, const uint8_t *raw, size_t size, uint64_t first, int count) {
  TraceCursor cursor = {raw, raw + size, false};
  return decode_head(chunk, &cursor, first, count);
}

static void get_start(TraceChunk *chunk, TraceCursor *cursor) {
  chunk->start.count = (int)trace_get_bounded(cursor, TRACE_MAX_WARPS);
  for (int w = 0; w < chunk->start.count; w++) get_warp(cursor, &chunk->start.warps[w], chunk->first);
}

static void get_columns(Decoder *decoder, TraceCursor *cursor) {
  for (int i = 0; i < TRACE_COL_COUNT; i++) {
    uint64_t size = trace_get_bounded(cursor, trace_cursor_left(cursor));
    const uint8_t *bytes = trace_get_bytes(cursor, size);
    decoder->columns[i] = (TraceCursor){bytes, bytes + (bytes ? size : 0), cursor->bad};
  }
}

// ---- addresses and values ------------------------------------------------------------------------------------------

// Room for what most chunks have, by what the summary counts: it is wrong only in a damaged one.
static void make_lanes(TraceChunk *chunk) {
  const uint32_t *kinds = chunk->summary.kinds;
  uint32_t wanted = kinds[TRACE_LOAD] + kinds[TRACE_STORE];
  chunk->lanes_capacity = (int)LS_MIN(wanted, (uint32_t)chunk->count);
  chunk->lanes = ls_realloc(NULL, (size_t)chunk->lanes_capacity * sizeof *chunk->lanes);
}

static int32_t add_lanes(TraceChunk *chunk) {
  if (chunk->lanes_count == chunk->lanes_capacity)
    chunk->lanes = ls_grow(chunk->lanes, &chunk->lanes_capacity, chunk->lanes_count + 1, sizeof *chunk->lanes);
  return chunk->lanes_count++;
}

static void get_addr_list(TraceCursor *in, PredictAddr *row, uint32_t mask) {
  uint64_t lowest = row->last[__builtin_ctz(mask)] + trace_get_svarint(in);
  int shift = trace_get_u8(in), width = trace_get_u8(in);
  if (shift > 63 || width < 1 || width > 8) {
    trace_cursor_fail(in);
    return;
  }
  for (; mask; mask &= mask - 1) row->last[__builtin_ctz(mask)] = lowest + (trace_get_le(in, width) << shift);
  row->delta = 0;
}

// What moved as a whole has the number that it had, if nothing else of it changed.
static uint32_t number_of(Decoder *decoder, const PredictPc *pc, PredictAddr *row, uint32_t mask, bool moved) {
  if (moved && row->shape > pc->shape && row->mask == mask) return row->shape;
  if (decoder->predictor->shapes == UINT32_MAX) return row->shape = 0;
  row->mask = mask;
  return row->shape = ++decoder->predictor->shapes;
}

static int32_t get_addr(Decoder *decoder, PredictPc *pc, TraceRecord *record, bool is_expected) {
  uint32_t mask = record->mask;
  int32_t index = add_lanes(decoder->chunk);
  uint64_t *lanes = decoder->chunk->lanes[index];
  if (!mask) {
    memset(lanes, 0, sizeof *decoder->chunk->lanes);
    return index;
  }
  TraceCursor *in = &decoder->columns[TRACE_COL_ADDR];
  PredictAddr *row = predict_addr(decoder->predictor, pc, record->warp);
  uint8_t form = is_expected ? TRACE_ADDR_SHIFT : trace_get_u8(in);
  uint32_t number = number_of(decoder, pc, row, mask, form == TRACE_ADDR_SHIFT);
  record->shape = record->kind == TRACE_ATOM ? 0 : number;
  if (form == TRACE_ADDR_SHIFT) {
    predict_shift(row, row->delta + (is_expected ? 0 : trace_get_svarint(in)));
  } else if (form == TRACE_ADDR_AFFINE) {
    uint64_t base = row->last[0] + trace_get_svarint(in);
    predict_affine(row, base, trace_get_svarint(in));
  } else if (form == TRACE_ADDR_LIST) {
    get_addr_list(in, row, mask);
  } else if ((form == TRACE_ADDR_FRAMED || form == TRACE_ADDR_FRAME) && mask == UINT32_MAX) {
    trace_frame_get(in, &pc->frame, form == TRACE_ADDR_FRAME, row->last);
    row->delta = 0;
  } else {
    trace_cursor_fail(in);
  }
  memcpy(lanes, row->last, sizeof decoder->chunk->lanes[index]);
  return index;
}

static void get_numbers(TraceCursor *in, int width, uint32_t mask, uint64_t lanes[32]) {
  if (width == TRACE_LANES_AFFINE) {
    uint64_t base = trace_get_svarint(in), stride = trace_get_svarint(in);
    for (; mask; mask &= mask - 1) lanes[__builtin_ctz(mask)] = base + stride * (uint64_t)__builtin_ctz(mask);
    return;
  }
  if (width > 8 || (width & (width - 1))) trace_cursor_fail(in);
  for (; mask && !in->bad; mask &= mask - 1) lanes[__builtin_ctz(mask)] = trace_get_le(in, width);
}

// Made of what the warp's exchange before moved.
static void get_made(Decoder *decoder, PredictPc *pc, const TraceRecord *record, int form, uint64_t lanes[32]) {
  TraceCursor *in = &decoder->columns[TRACE_COL_LANES];
  const ExchangeRow *before = predict_row(decoder->predictor, record->warp);
  uint32_t value[32];
  if (form == TRACE_LANES_MADE) {
    pc->way = trace_get_u8(in);
    pc->lanes = trace_get_u32(in);
  }
  if (in->bad || !before || pc->way >= EXCHANGE_WAYS) {
    trace_cursor_fail(in);
    return;
  }
  exchange_make(pc->way, pc->lanes, before, value);
  for (int lane = 0; lane < 32; lane++) lanes[lane] = value[lane];
}

// Operands that the next ones may be like.
static void get_operands(TraceCursor *in, PredictPc *pc, int form, uint32_t mask, uint64_t lanes[32]) {
  if (form != TRACE_LANES_AFFINE && form != TRACE_LANES_FOLLOW) {
    get_numbers(in, form, mask, lanes);
    return;
  }
  if (form == TRACE_LANES_AFFINE) {
    pc->operand = trace_get_svarint(in);
    pc->step = trace_get_svarint(in);
  }
  for (; mask; mask &= mask - 1) lanes[__builtin_ctz(mask)] = pc->operand + pc->step * (uint64_t)__builtin_ctz(mask);
}

// As the table of words says, but for some that are told.
static void get_old(Decoder *decoder, PredictPc *pc, const TraceRecord *record, int form, uint64_t lanes[32]) {
  TraceCursor *in = &decoder->columns[TRACE_COL_LANES];
  const uint64_t *value = decoder->chunk->lanes[record->value];
  uint32_t operand[32], old[32], told = 0;
  if (form == TRACE_LANES_MADE) {
    pc->atom_way = trace_get_u8(in);
    told = trace_get_u32(in) & record->mask;
    if (told) get_numbers(in, trace_get_u8(in), told, lanes);
  }
  if (in->bad || pc->atom_way >= ATOMS_WAYS) {
    pc->atom_way = ATOMS_WAYS;
    trace_cursor_fail(in);
    return;
  }
  for (int lane = 0; lane < 32; lane++) operand[lane] = (uint32_t)value[lane];
  for (int lane = 0; lane < 32; lane++) old[lane] = (uint32_t)lanes[lane];
  AtomsRow row = {record->mask, record->space == TRACE_SHARED, decoder->chunk->lanes[record->addr], operand, old};
  atoms_make(&decoder->predictor->atoms, pc->atom_way, &row, told);
  for (uint32_t left = record->mask; left; left &= left - 1) lanes[__builtin_ctz(left)] = old[__builtin_ctz(left)];
}

static int32_t get_value(Decoder *decoder, PredictPc *pc, const TraceRecord *record) {
  TraceCursor *in = &decoder->columns[TRACE_COL_LANES];
  int32_t index = add_lanes(decoder->chunk);
  uint64_t *lanes = decoder->chunk->lanes[index];
  memset(lanes, 0, sizeof *decoder->chunk->lanes);
  int form = trace_get_u8(in);
  bool made = (form == TRACE_LANES_FOLLOW || form == TRACE_LANES_MADE) && predict_is_exchange(pc, record->mask);
  if (made) get_made(decoder, pc, record, form, lanes);
  else if (predict_is_atomic(pc, record->mask)) get_operands(in, pc, form, record->mask, lanes);
  else get_numbers(in, form, record->mask, lanes);
  return index;
}

// Follows from the values and sources of an exchange, from who takes part in a vote, or from atomics before.
static int32_t get_result(Decoder *decoder, PredictPc *pc, const TraceRecord *record) {
  TraceCursor *in = &decoder->columns[TRACE_COL_LANES];
  int32_t index = add_lanes(decoder->chunk);
  uint64_t *lanes = decoder->chunk->lanes[index];
  memset(lanes, 0, sizeof *decoder->chunk->lanes);
  int form = trace_get_u8(in);
  if (form == TRACE_LANES_FOLLOW && predict_is_exchange(pc, record->mask)) {
    const uint64_t *value = decoder->chunk->lanes[record->value];
    for (int lane = 0; lane < 32; lane++) lanes[lane] = value[pc->source[lane]];
  } else if (form == TRACE_LANES_FOLLOW && record->kind == TRACE_VOTE) {
    for (uint32_t left = record->mask; left; left &= left - 1) lanes[__builtin_ctz(left)] = record->taken;
  } else if ((form == TRACE_LANES_FOLLOW || form == TRACE_LANES_MADE) && predict_is_atomic(pc, record->mask)) {
    get_old(decoder, pc, record, form, lanes);
  } else {
    get_numbers(in, form, record->mask, lanes);
  }
  return index;
}

// What the next one may be made of.
static void note_exchange(Decoder *decoder, const TraceRecord *record) {
  const uint64_t *value = decoder->chunk->lanes[record->value], *result = decoder->chunk->lanes[record->result];
  ExchangeRow row;
  for (int lane = 0; lane < 32; lane++) row.value[lane] = (uint32_t)value[lane];
  for (int lane = 0; lane < 32; lane++) row.result[lane] = (uint32_t)result[lane];
  predict_exchange(decoder->predictor, record->warp, &row);
}

static int32_t get_source(Decoder *decoder, PredictPc *pc) {
  TraceCursor *in = &decoder->columns[TRACE_COL_LANES];
  TraceChunk *chunk = decoder->chunk;
  if (trace_get_u8(in)) {
    const uint8_t *bytes = trace_get_bytes(in, sizeof pc->source);
    for (int lane = 0; bytes && lane < 32; lane++) pc->source[lane] = bytes[lane] & 31;
  }
  if (chunk->sources_count == chunk->sources_capacity)
    chunk->sources =
        ls_grow(chunk->sources, &chunk->sources_capacity, chunk->sources_count + 1, sizeof *chunk->sources);
  memcpy(chunk->sources[chunk->sources_count], pc->source, sizeof pc->source);
  return chunk->sources_count++;
}

// ---- one event -----------------------------------------------------------------------------------------------------

static void get_static(TraceCursor *in, PredictStatic *fixed, int32_t pc) {
  fixed->kind = trace_get_u8(in);
  fixed->space = trace_get_u8(in);
  fixed->width = trace_get_u8(in);
  fixed->present = trace_get_u8(in);
  fixed->barrier_id = trace_get_u8(in);
  fixed->expected = (uint16_t)trace_get_bounded(in, UINT16_MAX);
  fixed->target = trace_get_pc(in, pc);
  fixed->reconverge = trace_get_pc(in, pc);
  if (fixed->kind >= TRACE_KIND_COUNT || fixed->space >= TRACE_SPACE_COUNT) {
    fixed->kind = fixed->space = 0;
    trace_cursor_fail(in);
  }
}

static void get_aux(Decoder *decoder, PredictPc *pc, TraceRecord *record, uint32_t uses, bool is_expected) {
  TraceCursor *masks = &decoder->columns[TRACE_COL_MASK];
  if (!is_expected) pc->aux = trace_get_u8(&decoder->columns[TRACE_COL_AUX]);
  int taken = pc->aux & 15, members = pc->aux >> 4;
  if (taken > TRACE_TAKEN_WORD || members > TRACE_MEMBERS_WORD) trace_cursor_fail(masks);
  if (taken) record->taken = taken == TRACE_TAKEN_MASK ? record->mask : trace_get_u32(masks);
  if (!(uses & TRACE_USES_MEMBERS)) return;
  record->members = members == TRACE_MEMBERS_ACTIVE ? record->active
                    : members == TRACE_MEMBERS_FULL ? UINT32_MAX
                    : members == TRACE_MEMBERS_MASK ? record->mask
                                                    : trace_get_u32(masks);
}

static void get_arrived(Decoder *decoder, TraceRecord *record, bool is_expected) {
  uint64_t arrived = is_expected ? predict_arrived(decoder->predictor, record->barrier_id)
                                 : trace_get_bounded(&decoder->columns[TRACE_COL_AUX], UINT16_MAX);
  record->arrived = (uint16_t)arrived;
  predict_arrive(decoder->predictor, record->barrier_id, record->arrived, record->flags);
}

static void get_payload(Decoder *decoder, PredictPc *pc, TraceRecord *record, uint32_t uses, bool is_expected) {
  uint8_t present = pc->fixed.present;
  if (present & TRACE_HAS_ADDR) record->addr = get_addr(decoder, pc, record, is_expected);
  if (uses & (TRACE_USES_TAKEN | TRACE_USES_MEMBERS)) get_aux(decoder, pc, record, uses, is_expected);
  if (uses & TRACE_USES_BARRIER) get_arrived(decoder, record, is_expected);
  if (uses & TRACE_USES_FAULT) {
    uint64_t fault = trace_get_varint(&decoder->columns[TRACE_COL_AUX]);
    record->fault = fault < INT32_MAX ? (int32_t)fault : -1;
  }
  if (present & TRACE_HAS_SOURCE) record->source = get_source(decoder, pc);
  if (present & TRACE_HAS_VALUE) record->value = get_value(decoder, pc, record);
  if (present & TRACE_HAS_RESULT) record->result = get_result(decoder, pc, record);
  if (predict_is_exchange(pc, record->mask)) note_exchange(decoder, record);
}

static PredictPc *get_place(Decoder *decoder, uint8_t diff, TraceRecord *record) {
  Predictor *predictor = decoder->predictor;
  TraceCursor *masks = &decoder->columns[TRACE_COL_MASK];
  if (diff & TRACE_DIFF_WARP)
    predictor->warp = (uint32_t)trace_get_bounded(&decoder->columns[TRACE_COL_WARP], UINT16_MAX);
  PredictWarp *warp = predict_warp(predictor, predictor->warp);
  PredictPc *before = predict_pc(predictor, warp->pc);
  if (diff & TRACE_DIFF_PC) before->next = trace_get_pc(&decoder->columns[TRACE_COL_PC], before->next);
  warp->pc = before->next;
  if (diff & TRACE_DIFF_ACTIVE) warp->active = trace_get_u32(masks);
  record->warp = (uint16_t)predictor->warp;
  record->pc = warp->pc;
  record->active = warp->active;
  record->mask = diff & TRACE_DIFF_MASK ? trace_get_u32(masks) : warp->active;
  return predict_pc(predictor, record->pc);
}

static void get_event(Decoder *decoder, TraceRecord *record, uint32_t block) {
  *record = (TraceRecord){.block = block, .addr = -1, .value = -1, .result = -1, .source = -1, .fault = -1};
  uint8_t diff = trace_get_u8(&decoder->columns[TRACE_COL_CONTROL]);
  PredictPc *pc = get_place(decoder, diff, record);
  if (diff & TRACE_DIFF_STATIC) {
    get_static(&decoder->columns[TRACE_COL_STATIC], &pc->fixed, record->pc);
    pc->shape = decoder->predictor->shapes;
  }
  if (diff & TRACE_DIFF_FLAGS) pc->flags = trace_get_u8(&decoder->columns[TRACE_COL_FLAGS]);
  record->kind = pc->fixed.kind;
  record->flags = pc->flags;
  record->space = pc->fixed.space;
  record->width = pc->fixed.width;
  record->barrier_id = pc->fixed.barrier_id;
  record->expected = pc->fixed.expected;
  record->target = pc->fixed.target;
  record->reconverge = pc->fixed.reconverge;
  uint32_t uses = trace_kind_uses[record->kind];
  if (uses) get_payload(decoder, pc, record, uses, !(diff & TRACE_DIFF_PAYLOAD));
}

static bool any_bad(const Decoder *decoder) {
  bool bad = false;
  for (int i = 0; i < TRACE_COL_COUNT; i++) bad = bad || decoder->columns[i].bad;
  return bad;
}

static bool get_events(Decoder *decoder) {
  TraceChunk *chunk = decoder->chunk;
  for (int s = 0; s < chunk->span_count; s++) {
    if (s) predict_begin_block(decoder->predictor);
    for (int i = 0; i < chunk->spans[s].count; i++) {
      get_event(decoder, &chunk->records[chunk->spans[s].first + i], chunk->spans[s].block);
    }
    if (any_bad(decoder)) return false;
  }
  for (int i = 0; i < TRACE_COL_COUNT; i++)
    if (trace_cursor_left(&decoder->columns[i])) return false;
  return true;
}

bool trace_decode_chunk(TraceChunk *chunk, Predictor *predictor, const uint8_t *raw, size_t size, uint64_t first,
                        int count) {
  TraceCursor cursor = {raw, raw + size, false};
  Decoder decoder = {.chunk = chunk, .predictor = predictor};
  if (!decode_head(chunk, &cursor, first, count)) return false;
  get_start(chunk, &cursor);
  get_columns(&decoder, &cursor);
  if (cursor.bad || trace_cursor_left(&cursor)) return false;
  predict_begin(predictor);
  make_lanes(chunk);
  chunk->records = ls_realloc(NULL, (size_t)count * sizeof *chunk->records);
  return get_events(&decoder);
}

void trace_chunk_fini(TraceChunk *chunk) {
  free(chunk->spans);
  free(chunk->records);
  free(chunk->lanes);
  free(chunk->sources);
  memset(chunk, 0, sizeof *chunk);
}

size_t trace_chunk_bytes(const TraceChunk *chunk) {
  return sizeof *chunk + (size_t)chunk->span_count * sizeof *chunk->spans +
         (size_t)chunk->count * sizeof *chunk->records + (size_t)chunk->lanes_capacity * sizeof *chunk->lanes +
         (size_t)chunk->sources_capacity * sizeof *chunk->sources;
}

void trace_chunk_event(const TraceChunk *chunk, int index, TraceEvent *event) {
  const TraceRecord *r = &chunk->records[index];
  *event = (TraceEvent){
      .step = chunk->first + (uint64_t)index, .block = r->block, .warp = r->warp, .kind = r->kind, .flags = r->flags,
      .pc = r->pc, .active = r->active, .mask = r->mask, .space = r->space, .width = r->width, .shape = r->shape,
      .taken = r->taken,
      .target = r->target, .reconverge = r->reconverge, .barrier_id = r->barrier_id, .arrived = r->arrived,
      .expected = r->expected, .members = r->members, .fault = r->fault,
      .addr = r->addr < 0 ? NULL : chunk->lanes[r->addr], .value = r->value < 0 ? NULL : chunk->lanes[r->value],
      .result = r->result < 0 ? NULL : chunk->lanes[r->result],
      .source = r->source < 0 ? NULL : chunk->sources[r->source],
  };
}
