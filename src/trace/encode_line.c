// encode_line.c: many events of a warp at once: a line of which only what acts is looked at.
#include "trace/encode_parts.h"

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
  return encode_whole(encoder, row, &event);
}

static inline uint8_t put_move(TraceEncoder *encoder, PredictAddr *addr, uint64_t at) {
  uint64_t delta = at - addr->at, expected = addr->delta;
  addr->at = at;
  if (delta == expected) return 0;
  addr->delta = delta;
  return encode_shift(&encoder->columns[TRACE_COL_ADDR], delta, expected);
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
  encode_exchange(encoder, row, warp, &act->row->moved, true);
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

static uint8_t put_known_atomic(TraceEncoder *encoder, PredictPc *row, uint16_t warp, const TraceAct *act) {
  const TraceAtoms *a = act->atoms;
  AtomsRow atoms = {UINT32_MAX, act->space == TRACE_SHARED, a->addr, a->operand, (uint32_t *)(uintptr_t)a->old};
  return encode_atomic(encoder, row, warp, &atoms);
}

static uint8_t put_atomic(TraceEncoder *encoder, PredictPc *row, const TraceEvent *first, const TraceAct *act,
                          PredictKnown known) {
  bool same = row->known.doubts && memcmp(row->act, act, sizeof row->act) == 0;
  uint8_t diff = same ? put_known_atomic(encoder, row, first->warp, act) : put_strange(encoder, row, first, act);
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
                 : act->kind == TRACE_ATOM    ? put_atomic(encoder, row, w->first, act, known)
                                              : put_strange(encoder, row, w->first, act);
  encoder->summary.kinds[act->kind]++;
  w->pc = trace_act_next(act);
}

static void put_exec(TraceEncoder *encoder, Writing *w, PredictPc *row) {
  *w->control |= encode_rest(encoder, row, w->first);
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
  PredictPc *row = encode_pc(encoder, w->pc);
  encoder->looks++;
  w->warp->pc = w->pc;
  if (plain < before) put_exec(encoder, w, row); else put_act(encoder, w, row, plain);
  w->placed = all && row->next == w->pc;
  w->control++;
  w->left--;
}

// What is known with its instruction, but for its values.
static inline bool is_of_instruction(const TraceAct *act) {
  return act->kind == TRACE_BRANCH || act->kind == TRACE_SHUFFLE || act->kind == TRACE_ATOM;
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
    if (is_of_instruction(act)) {
      bool same = row->generation == predictor->generation && memcmp(row->act, act, sizeof row->act) == 0;
      if (!same || !is_like(row->known, doubts, before)) break;
      pc = trace_act_next(act);
      goes_on = w->placed = row->next == pc;
      if (act->kind == TRACE_SHUFFLE) {
        put_known_shuffle(encoder, row, (uint16_t)warp, act);
        goes_on &= !encode_has_many_bytes(encoder);
      } else if (act->kind == TRACE_ATOM) {
        w->control[w->left - left + before] |= put_known_atomic(encoder, row, (uint16_t)warp, act);
        goes_on &= !encode_has_many_bytes(encoder);
      }
    } else {
      uint32_t slot = predict_slot(act->pc, warp);
      PredictAddr *addr = &predictor->addrs[slot];
      bool same = addr->whose == whose && addr->act == predict_act(act) && addr->shape == act->shape;
      if (!same || !is_like(addr->known, doubts, before)) break;
      row->addr = (int32_t)slot;
      pc = act->pc + 1;
      uint8_t diff = put_move(encoder, addr, act->at);
      if (diff) w->control[w->left - left + before] |= diff, goes_on = !encode_has_many_bytes(encoder);
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

// Events at the front of a line were written. (A line is never copied as a whole: its fields were set one by one a
// moment ago, and a processor that reads two of them at once waits for both.)
static void leave_rest(TraceEncoder *encoder, const TraceLine *line, const Writing *w, int count, TraceLine *rest) {
  encoder->summary.kinds[TRACE_EXEC] += (uint32_t)(count - (w->act - line->acts));
  rest->first = w->first;
  rest->pc = w->pc;
  rest->count = line->count - count;
  rest->act_count = (int)(w->last_act - w->act);
  rest->acts = w->act;
}

// What is plain, or known, is asked behind put_place, which may change, or forget, what was expected of these very
// instructions.
int trace_encoder_line(TraceEncoder *encoder, const TraceLine *line, TraceLine *rest, int32_t *last_pc,
                       int *room_left) {
  int count = LS_MIN(line->count, encode_room(encoder));
  Writing w = {.first = line->first, .warp = encode_warp(encoder, line->first->warp), .act = line->acts,
               .last_act = line->acts + line->act_count, .control = encode_expected(encoder, count), .left = count,
               .pc = line->pc};
  bool all = w.first->mask == w.first->active;
  do {
    if (!w.placed) *w.control = encode_place(encoder, w.warp, w.first, w.pc);
    w.placed = true;
    if (all) put_known(encoder, &w);
    if (w.left && w.placed && !encode_has_many_bytes(encoder)) put_next_one(encoder, &w);
  } while (w.left && !encode_has_many_bytes(encoder));
  encoder->columns[TRACE_COL_CONTROL].size -= (size_t)w.left;
  *last_pc = w.warp->pc;
  leave_rest(encoder, line, &w, count - w.left, rest);
  *room_left = encode_room(encoder);
  return count - w.left;
}
