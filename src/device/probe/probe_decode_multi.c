// probe_decode_multi.c: the events of instructions that are several accesses at once: those that the emulator makes of them
// (sim/ops/exec_async.c, sim/ops/exec_fragment.c, sim/ops/exec_mbarrier.c), in the same order.
#include "device/probe/probe_multi.h"

// An access of a row `at` bytes behind the addresses in raw.
static void push_row(ProbeDecoder *d, int pc, uint32_t active, uint32_t lanes, const MoveRow *row, int width, uint64_t at,
                     const uint64_t raw[PROBE_LANES]) {
  uint64_t moved[PROBE_LANES];
  TraceEvent e = probe_event_at(d, pc, active, lanes);
  if (!lanes) return;
  for (int lane = 0; lane < PROBE_LANES; lane++) moved[lane] = raw[lane] + at;
  e.kind = row->trace_kind;
  e.width = (uint8_t)width;
  probe_push_access(d, &e, (PtxSpace)row->group.space, moved);
}

// Lanes of `mask` whose size is above `from` and not above `to`.
static uint32_t lanes_between(uint32_t mask, const uint64_t size[PROBE_LANES], uint64_t from, uint64_t to) {
  uint32_t lanes = 0;
  for (uint32_t left = mask; left; left &= left - 1) {
    int lane = __builtin_ctz(left);
    if ((uint32_t)size[lane] > from && (uint32_t)size[lane] <= to) lanes |= 1u << lane;
  }
  return lanes;
}

// Whole copies at once; of the others word by word, and the last word byte by byte.
static void decode_copy(ProbeDecoder *d, int pc, uint32_t active, uint32_t mask, const ProbeMove *m) {
  const uint64_t *size = d->arrays[2];
  uint64_t bytes = m->rows[MOVE_LOAD].group.width;
  uint32_t full = lanes_between(mask, size, bytes - 1, UINT32_MAX), rest = mask & ~full;
  push_row(d, pc, active, full, &m->rows[MOVE_LOAD], (int)bytes, 0, d->arrays[0]);
  for (uint64_t at = 0; at < bytes && rest; at += 4) {
    push_row(d, pc, active, lanes_between(rest, size, at + 3, UINT32_MAX), &m->rows[MOVE_LOAD], 4, at, d->arrays[0]);
    for (uint64_t k = 0; k < 3; k++)
      push_row(d, pc, active, lanes_between(rest, size, at + k, at + 3), &m->rows[MOVE_LOAD], 1, at + k, d->arrays[0]);
  }
  push_row(d, pc, active, mask, &m->rows[MOVE_STORE], (int)bytes, 0, d->arrays[1]);
}

// An atomic on an mbarrier, with the operands in `value`.
static void push_atomic(ProbeDecoder *d, int pc, uint32_t active, uint32_t mask, const ProbeMove *m, const MoveRow *row,
                        const uint64_t raw[PROBE_LANES], const uint64_t value[PROBE_LANES]) {
  TraceEvent e = probe_event_at(d, pc, active, mask);
  e.kind = row->trace_kind;
  e.width = row->group.width;
  e.flags = TRACE_VALUES;
  if (m->returns_old) e.flags |= TRACE_RETURNS_OLD;
  e.value = value;
  probe_push_access(d, &e, (PtxSpace)row->group.space, raw);
}

enum { MOST_CHUNKS = 1 << 16 };   // of a copy that somebody damaged

static void decode_bulk(ProbeDecoder *d, int pc, uint32_t active, uint32_t mask, const ProbeMove *m) {
  uint64_t size[PROBE_LANES], mbarrier[PROBE_LANES], step = m->rows[MOVE_LOAD].group.width;
  for (int lane = 0; lane < PROBE_LANES; lane++) {
    size[lane] = (uint32_t)d->arrays[2][lane];
    mbarrier[lane] = d->arrays[2][lane] >> 32;
  }
  for (uint64_t at = 0; at < step * MOST_CHUNKS; at += step) {
    uint32_t lanes = lanes_between(mask, size, at, UINT32_MAX);
    if (!lanes) break;
    push_row(d, pc, active, lanes, &m->rows[MOVE_LOAD], (int)step, at, d->arrays[0]);
    push_row(d, pc, active, lanes, &m->rows[MOVE_STORE], (int)step, at, d->arrays[1]);
  }
  if (m->mbarrier) push_atomic(d, pc, active, mask, m, &m->rows[MOVE_DONE], mbarrier, size);
}

static void decode_fragment(ProbeDecoder *d, int pc, uint32_t active, uint32_t mask, const ProbeMove *m) {
  uint64_t raw[PROBE_LANES];
  for (int i = 0; i < m->transfer.chunks; i++) {
    for (int lane = 0; lane < PROBE_LANES; lane++)
      raw[lane] = d->arrays[0][lane] + matrix_chunk_at(&m->transfer, lane, i, (uint32_t)d->arrays[1][lane]);
    push_row(d, pc, active, mask, &m->rows[0], m->transfer.chunk, 0, raw);
  }
}

void probe_decode_move(ProbeDecoder *d, int pc, uint32_t active, uint32_t mask) {
  const ProbeMove *m = probe_move_of(d->probe, pc);
  const MoveRow *row = &m->rows[0];
  uint32_t rows = m->tiles == 4 ? UINT32_MAX : (1u << 8 * m->tiles) - 1;
  if (!mask) { probe_push_bare(d, pc, active, 0); return; }
  switch ((MoveKind)m->kind) {
  case MOVE_COPY: decode_copy(d, pc, active, mask, m); break;
  case MOVE_BULK: decode_bulk(d, pc, active, mask, m); break;
  case MOVE_TILES: push_row(d, pc, active, mask & rows, row, row->group.width, 0, d->arrays[0]); break;
  case MOVE_FRAGMENT: decode_fragment(d, pc, active, mask, m); break;
  case MOVE_TEXELS: probe_decode_texels(d, pc, active, mask); break;
  case MOVE_MBARRIER:
    if (row->trace_kind == TRACE_ATOM) push_atomic(d, pc, active, mask, m, row, d->arrays[0], d->arrays[1]);
    else push_row(d, pc, active, mask, row, row->group.width, 0, d->arrays[0]);
    break;
  }
}
