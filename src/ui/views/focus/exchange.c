// exchange.c: what kind of exchange a shuffle is, and which steps of an algorithm are around it.
#include "ui/views/focus/exchange.h"
#include <stdio.h>
#include <stdlib.h>
#include "base/mem.h"

static bool distance_is(const TraceEvent *event, uint32_t moves, Move move, int distance) {
  for (uint32_t left = moves; left; left &= left - 1) {
    int lane = __builtin_ctz(left), from = event->source[lane];
    int is = move == MOVE_XOR ? lane ^ from : move == MOVE_UP ? lane - from : from - lane;
    if (is != distance) return false;
  }
  return distance > 0;
}

Move exchange_mode(const Session *session, int pc) {
  const PtxModule *module = session->run->module;
  if (!module || pc < 0 || pc >= module->code_count) return MOVE_XOR;
  switch (module->code[pc].mode) {
    case PTX_SHFL_UP: return MOVE_UP;
    case PTX_SHFL_DOWN: return MOVE_DOWN;
    case PTX_SHFL_IDX: return MOVE_INDEX;
    default: return MOVE_XOR;
  }
}

Exchange exchange_of(const Session *session, const TraceEvent *event) {
  Exchange exchange = {.move = exchange_mode(session, event->pc)};
  for (uint32_t left = event->mask; left; left &= left - 1) {
    int lane = __builtin_ctz(left);
    if (event->source[lane] != lane) exchange.moves |= 1u << lane;
  }
  if (!exchange.moves) return exchange;
  int lane = __builtin_ctz(exchange.moves), from = event->source[lane];
  if (exchange.move == MOVE_INDEX) exchange.distance = from;
  else exchange.distance = exchange.move == MOVE_XOR ? lane ^ from : abs(lane - from);
  if (exchange.move != MOVE_INDEX && !distance_is(event, exchange.moves, exchange.move, exchange.distance))
    exchange.move = MOVE_INDEX, exchange.distance = from;
  return exchange;
}

static bool one_source(const TraceEvent *event, uint32_t moves, int lane) {
  for (uint32_t left = moves; left; left &= left - 1)
    if (event->source[__builtin_ctz(left)] != lane) return false;
  return true;
}

void exchange_words(const TraceEvent *event, const Exchange *exchange, char *out, size_t size) {
  switch (exchange->move) {
    case MOVE_XOR: snprintf(out, size, "xor %d", exchange->distance); break;
    case MOVE_UP: snprintf(out, size, "up %d", exchange->distance); break;
    case MOVE_DOWN: snprintf(out, size, "down %d", exchange->distance); break;
    case MOVE_INDEX:
      if (exchange->moves && one_source(event, exchange->moves, exchange->distance))
        snprintf(out, size, "from lane %d", exchange->distance);
      else snprintf(out, size, "by index");
      break;
  }
}

int exchange_group(const Exchange *exchange, int lane) {
  int distance = LS_MAX(exchange->distance, 1);
  if (exchange->move == MOVE_INDEX) return lane % 2;
  // A butterfly over several bits swaps by the highest of them.
  if (exchange->move == MOVE_XOR) return lane >> (31 - __builtin_clz((unsigned)distance)) & 1;
  return lane / distance % 2;
}

// ---- the series ------------------------------------------------------------------------------------------------------

// The exchange before or after one, if it is half or twice as far: both belong to one algorithm.
static bool neighbor(Session *session, const TraceEvent *event, uint64_t *step, int dir, const Exchange *here,
                     Exchange *there) {
  TraceQuery query;
  TraceEvent found;
  trace_query_init(&query);
  query.kinds = 1u << TRACE_SHUFFLE;
  query.block = event->block;
  query.warp = event->warp;
  if (!trace_find(session->run->trace, *step, dir, &query, step, NULL)) return false;
  if (!trace_event(session->run->trace, *step, &found, NULL) || !found.source) return false;
  *there = exchange_of(session, &found);
  return there->move == here->move && there->move != MOVE_INDEX &&
         (there->distance == 2 * here->distance || here->distance == 2 * there->distance);
}

static int walk(Session *session, const TraceEvent *event, int dir, Exchange here, Exchange out[SERIES_MOST]) {
  uint64_t step = event->step;
  Exchange there;
  int count = 0, trend = 0;
  while (count < SERIES_MOST && neighbor(session, event, &step, dir, &here, &there)) {
    int grows = there.distance > here.distance ? 1 : -1;
    if (trend && grows != trend) break;
    trend = grows;
    out[count++] = here = there;
  }
  return count;
}

// Distances go one way throughout a series: what grows before the event belongs to another one.
void exchange_series(const Focus *focus, const Exchange *now, Series *series) {
  Exchange before[SERIES_MOST], after[SERIES_MOST];
  *series = (Series){.count = 0};
  if (now->move == MOVE_INDEX || !now->moves || focus_block(focus).count == 0) return;
  int back = walk(focus->session, focus->event, -1, *now, before);
  int on = walk(focus->session, focus->event, 1, *now, after);
  bool same_way = !back || !on || (before[0].distance > now->distance) == (now->distance > after[0].distance);
  if (!same_way && back >= on) on = 0;
  else if (!same_way) back = 0;
  for (int i = back; i-- > 0;) series->steps[series->count++] = before[i];
  series->now = series->count;
  series->steps[series->count++] = *now;
  for (int i = 0; i < on; i++) series->steps[series->count++] = after[i];
}
