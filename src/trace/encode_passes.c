// encode_passes.c: passes over the same lines whose addresses move as expected: written without a look at their events.
//
// A pass of which all acts are known leaves the predictor as it was, but for where addresses are. If what was expected
// held, too, the only bytes that are not zero say which warp goes on, and the next pass has the same ones.
#include "trace/encode_parts.h"

static bool is_access(const TraceAct *act) { return act->kind == TRACE_LOAD || act->kind == TRACE_STORE; }

void trace_encoder_mark(TraceEncoder *encoder) {
  EncodeMark *mark = &encoder->mark;
  for (int i = 0; i < TRACE_COL_COUNT; i++) mark->size[i] = encoder->columns[i].size;
  memcpy(mark->kinds, encoder->summary.kinds, sizeof mark->kinds);
  mark->looks = encoder->looks;
  mark->last_warp = encoder->predictor->warp;
}

// What was written since the mark is a pass that leaves all as it was: it came from the warp that it ends with.
static bool is_as_expected(const TraceEncoder *encoder, const TracePasses *pass) {
  const EncodeMark *mark = &encoder->mark;
  bool same = encoder->looks == mark->looks && encoder->predictor->warp == mark->last_warp &&
              encoder->columns[TRACE_COL_CONTROL].size == mark->size[TRACE_COL_CONTROL] + pass->events;
  for (int i = TRACE_COL_PC; i < TRACE_COL_COUNT; i++) same = same && encoder->columns[i].size == mark->size[i];
  return same;
}

// The bytes from `first` on, again and again.
static void repeat(TraceBytes *bytes, size_t first, uint64_t times) {
  size_t part = bytes->size - first, left = part * times;
  trace_bytes_room(bytes, left);
  while (left) {
    size_t n = LS_MIN(bytes->size - first, left);
    memcpy(bytes->data + bytes->size, bytes->data + first, n);
    bytes->size += n;
    left -= n;
  }
}

// The last of several accesses of an instruction and warp is where its addresses are.
static void move_addresses(TraceEncoder *encoder, const TracePasses *pass, uint64_t times) {
  int k = 0;
  for (int i = 0; i < pass->line_count; i++)
    for (int end = k + pass->lines[i].act_count; k < end; k++) {
      if (!is_access(&pass->acts[k])) continue;
      uint32_t slot = predict_slot(pass->acts[k].pc, pass->lines[i].first->warp);
      encoder->predictor->addrs[slot].at = pass->acts[k].at + pass->steps[k] * times;
    }
}

uint64_t trace_encoder_again(TraceEncoder *encoder, const TracePasses *pass, uint64_t times, int *room_left) {
  const EncodeMark *mark = &encoder->mark;
  if (!is_as_expected(encoder, pass)) return 0;
  times = LS_MIN(times, (uint64_t)encode_room(encoder) / pass->events);
  if (!times) return 0;
  repeat(&encoder->columns[TRACE_COL_CONTROL], mark->size[TRACE_COL_CONTROL], times);
  repeat(&encoder->columns[TRACE_COL_WARP], mark->size[TRACE_COL_WARP], times);
  for (int kind = 0; kind < TRACE_KIND_COUNT; kind++)
    encoder->summary.kinds[kind] += (uint32_t)times * (encoder->summary.kinds[kind] - mark->kinds[kind]);
  move_addresses(encoder, pass, times);
  *room_left = encode_room(encoder);
  return times;
}
