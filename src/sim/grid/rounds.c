// rounds.c: many rounds of a loop at once: one look at the registers tells how many there are, and where they access.
//
// A round is then arithmetic and moves. It is for warps whose lanes are all there, and accesses of a known shape of
// which nobody wants to know each; checks that look at all lanes at once are asked as always.
#include "sim/grid/rounds.h"
#include "sim/check/quick.h"
#include "sim/core/dots.h"
#include "sim/grid/dots.h"

enum { FEWEST = 2, MOST_SKIPS = 7, EIGHT = SIM_LIKE_UNIT / 4 };

static bool same32(const uint32_t *values) { return values[0] == values[SIM_LANES - 1] && sim_same_everywhere(values); }

static bool same64(const uint64_t *values) {
  uint64_t differs = values[0] ^ values[SIM_LANES - 1];
  for (int i = 0; i < SIM_LANES && !differs; i++) differs = values[i] ^ values[0];
  return !differs;
}

// What all lanes have in a slot; false: they differ.
static bool take_same(const SimExec *exec, uint32_t slot, bool is_wide, bool is_fixed, uint64_t *value) {
  const uint32_t *narrow = sim_u32(exec->regs, slot);
  const uint64_t *wide = sim_u64(exec->regs, slot);
  *value = is_wide ? wide[0] : narrow[0];
  return is_fixed || (is_wide ? same64(wide) : same32(narrow));
}

// ---- how many rounds -----------------------------------------------------------------------------------------------

// A number so that comparing two of them as signed ones is the loop's comparison.
static int64_t key_of(const SimRounds *r, uint64_t value) {
  if (r->walks[r->counter].is_wide) return (int64_t)(r->is_signed ? value : value ^ 1ull << 63);
  return r->is_signed ? (int64_t)(int32_t)value : (int64_t)(uint32_t)value;
}

static bool goes_back(const SimRounds *r, uint64_t value, int64_t bound) {
  int64_t key = key_of(r, value);
  return r->accepts >> (key < bound ? 0 : key == bound ? 1 : 2) & 1;
}

// As long as it is less than the limit, or another number: how often that is so, where the way up is without a wrap.
static bool count_upwards(const SimRounds *r, int64_t key, int64_t by, int64_t limit, uint64_t *count) {
  int64_t last = r->is_signed ? INT32_MAX : UINT32_MAX, apart = limit - key;
  if (r->walks[r->counter].is_wide || by <= 0 || apart <= 0 || limit > last - by) return false;
  if (r->accepts != 1 && (r->accepts != 5 || apart % by)) return false;
  *count = (uint64_t)((apart + by - 1) / by);
  return true;
}

// Up to `most`.
static uint64_t count_jumps_back(const SimRounds *r, uint64_t by, uint64_t bound, uint64_t value, uint64_t most) {
  const int64_t limit = key_of(r, bound);
  uint64_t back = 0;
  if (r->counts_first) value += by;
  if (!count_upwards(r, key_of(r, value), (int32_t)by, limit, &back))
    for (; back < most && goes_back(r, value, limit); value += by) back++;
  return LS_MIN(back, most);
}

// ---- accesses ------------------------------------------------------------------------------------------------------

typedef struct Need { uint64_t rounds; bool first; } Need;   // first: what grows does so before it is looked at

// Rounds in which what is `offset` above the least and grows by `step` stays within `room`; UINT64_MAX: not less than
// are needed.
static uint64_t rounds_inside(uint64_t offset, uint64_t room, int64_t step, Need need) {
  uint64_t by = step < 0 ? 0 - (uint64_t)step : (uint64_t)step, far = step < 0 ? offset : room - offset;
  if (by <= UINT32_MAX && need.rounds <= UINT32_MAX && by * need.rounds <= far) return UINT64_MAX;
  return far / by + 1 - need.first;
}

// The index is inside now; `step` is what it grows by.
static uint64_t rounds_of_index(const SimExec *exec, const SimLike *like, int64_t step, Need need) {
  uint32_t index = sim_u32(exec->regs, like->index)[0];
  uint64_t wide = like->is_signed ? (uint64_t)(int32_t)index : index;
  return rounds_inside(wide - like->index_from, like->index_room, step, need);
}

// How many instructions lie between where the rounds begin and this one.
static int32_t ahead(const SimRounding *round, int32_t pc) {
  return pc - round->from + (pc < round->from ? round->length : 0);
}

// Whether a walk grows before the address of an access to come is made. *known: false: it has, and has grown since.
static bool grows_before(const SimRounding *round, const SimWalk *walk, const SimInst *access, bool *known) {
  const SimMem *m = access->more;
  int32_t made = m->indexed ? m->indexed->product->pc : access->pc;
  bool is_made = made < round->from && access->pc >= round->from;
  *known = !walk || !is_made || walk->pc < made || walk->pc >= round->from;
  return walk && !is_made && ahead(round, walk->pc) < ahead(round, made);
}

static bool set_out(SimExec *exec, SimRounding *round, const SimRoundAccess *a, SimGoing *g) {
  SimShape *s = exec->fronts[a->inst->pc];
  const SimMem *m = a->inst->more;
  unsigned looks = exec->looks & ~(unsigned)(SIM_LOOKS_CHECKS | SIM_LOOKS_TOLD);
  const SimWalk *walk = a->walk < 0 ? NULL : &round->rounds->walks[a->walk];
  bool known, first = grows_before(round, walk, a->inst, &known);
  if (s->like.mask != SIM_FULL || s->cares & looks || !known) return false;
  if (exec->checks && s->judge == SIM_JUDGE_SLOWLY) return false;
  uint8_t *place = s->find_lean(exec->regs, &s->like, 0);
  if (!place) return false;
  int64_t grows = !walk ? 0 : walk->is_wide ? (int64_t)round->by[a->walk] : (int32_t)round->by[a->walk];
  uint64_t step = (uint64_t)grows * a->scale, at = (uint64_t)((uintptr_t)place - s->like.origin);
  bool narrow = m->base_bytes == 4 && !m->indexed;
  if (step & s->like.low_bits || (narrow && (s->like.from > UINT32_MAX || s->like.from + s->like.room > UINT32_MAX)))
    return false;
  Need need = {LS_MIN(round->back, round->most) + 2, first};
  round->most = LS_MIN(round->most, rounds_inside(at - s->like.from, s->like.room, (int64_t)step, need));
  if (m->indexed) round->most = LS_MIN(round->most, rounds_of_index(exec, &s->like, grows, need));
  if (first) { at += step; place = (uint8_t *)((uintptr_t)place + step); }
  *g = (SimGoing){.shape = s, .move = s->move, .reg = exec->regs + s->data, .place = place, .places = s->places,
                  .step = step, .at = at};
  return round->most >= FEWEST;
}

static void count_times(const SimGoing *g, uint64_t rounds, uint64_t times) {
  uint64_t at = g->at, *counts = g->shape->like.times;
  if (g->step % SIM_LIKE_UNIT == 0) { counts[at % SIM_LIKE_UNIT] += times * rounds; return; }
  if (g->step % 4 == 0 && rounds >= EIGHT) {   // so many make a multiple of SIM_LIKE_UNIT
    uint64_t all = rounds / EIGHT * times;
    for (uint64_t k = 0; k < EIGHT; k++) counts[(at + k * g->step) % SIM_LIKE_UNIT] += all;
    rounds %= EIGHT;
  }
  for (; rounds > 0; rounds--, at += g->step) counts[at % SIM_LIKE_UNIT] += times;
}

// ---- rounds --------------------------------------------------------------------------------------------------------

// Members up to `end`, *next being the first of them that accesses. The one at which somebody wants to know more; NULL:
// none.
__attribute__((always_inline))
static inline const SimRoundMember *go(SimExec *exec, const SimRoundMember *m, const SimRoundMember *end,
                                       SimGoing **next) {
  uint8_t *regs = exec->regs;
  SimGoing *g = *next;
  for (; m < end; m++) {
    if (!m->accesses) { m->inst->op.run(regs, &m->inst->op, SIM_FULL); continue; }
    if (exec->checks) {
      exec->pc = m->inst->pc;
      if (!sim_quick_passes(exec, g->shape, g->place)) break;
    }
    g->move(g->reg, g->place, g->places, SIM_FULL);
    g->place = (uint8_t *)((uintptr_t)g->place + g->step);
    g++;
  }
  *next = g;
  return m < end ? m : NULL;
}

const SimRoundMember *sim_rounding_go(SimExec *exec, SimRounding *round, const SimRoundMember *m,
                                      const SimRoundMember *end) {
  return go(exec, m, end, &round->next);
}

static const SimRoundMember *run_round(SimExec *exec, SimRounding *round) {
  const SimRounds *r = round->rounds;
  SimGoing *first = round->going;
  return go(exec, r->members, r->members + r->member_count, &first);
}

static void grow(const SimExec *exec, const SimWalk *w, uint64_t by) {
  uint32_t *narrow = sim_u32(exec->regs, w->reg);
  uint64_t *wide = sim_u64(exec->regs, w->reg);
  if (w->is_wide) for (int i = 0; i < SIM_LANES; i++) wide[i] += by;
  else for (int i = 0; i < SIM_LANES; i++) narrow[i] += (uint32_t)by;
}

// leaves: the loop is over.
static inline void end(const SimExec *exec, const SimRounding *round, uint64_t rounds, int32_t part, bool again,
                       bool leaves) {
  const SimRounds *r = round->rounds;
  for (int i = 0; i < r->walk_count; i++) {
    const SimWalk *w = &r->walks[i];
    if (!w->is_left_out || (leaves && w->is_over)) continue;
    grow(exec, w, round->by[i] * (rounds + (ahead(round, w->pc) < part)));
  }
  if (rounds || ahead(round, r->test) < part)
    *sim_u32(exec->regs, r->predicate) = again != r->is_negated ? SIM_FULL : 0;
  for (int i = 0; i < r->access_count; i++)
    count_times(&round->going[i], rounds + (ahead(round, r->accesses[i].inst->pc) < part), exec->sum_step);
}

void sim_rounding_end(const SimExec *exec, const SimRounding *round, uint64_t rounds, int32_t part, bool again) {
  end(exec, round, rounds, part, again, false);
}

bool sim_rounding_start(SimExec *exec, SimRounding *round, const SimInst *line, int32_t from, uint64_t most) {
  const SimRounds *r = line->rounds;
  const SimWalk *counter = &r->walks[r->counter];
  uint64_t value, bound;
  round->rounds = r;
  round->from = from;
  round->length = line->run;
  round->most = most;
  if (!take_same(exec, counter->reg, counter->is_wide, false, &value)) return false;
  if (!take_same(exec, r->bound, counter->is_wide, r->bound_is_fixed, &bound)) return false;
  for (int i = 0; i < r->walk_count; i++)
    if (!take_same(exec, r->walks[i].by, r->walks[i].is_wide, r->walks[i].is_fixed, &round->by[i])) return false;
  if (counter->pc < from) value -= round->by[r->counter];
  round->back = count_jumps_back(r, round->by[r->counter], bound, value, round->most);
  for (int i = 0; i < r->access_count; i++)
    if (!set_out(exec, round, &r->accesses[i], &round->going[i])) return false;
  round->back = LS_MIN(round->back, round->most);
  return true;
}

// ---- of a sum of products ------------------------------------------------------------------------------------------

static uint64_t step_of(const SimExec *exec, const SimWalk *w) {
  return w->is_wide ? sim_u64(exec->regs, w->by)[0] : (uint64_t)(int64_t)(int32_t)sim_u32(exec->regs, w->by)[0];
}

static int64_t step_of_access(const SimExec *exec, const SimRounds *r, int i) {
  return r->accesses[i].walk < 0 ? 0 : (int64_t)step_of(exec, &r->walks[r->accesses[i].walk]);
}

// The same as below, where a plan tells all but where the words are.
static uint64_t count_again(const SimExec *exec, const SimRounds *r, uint64_t value, uint64_t bound, uint64_t most) {
  SimDotPlan *plan = exec->dots[r->dot->number];
  SimDotCount *c = plan ? &plan->count : NULL;
  if (c && c->is_known && c->value == value && c->bound == bound && c->back < most) return c->back;
  uint64_t back = count_jumps_back(r, step_of(exec, &r->walks[r->counter]), bound, value, most);
  if (c) *c = (SimDotCount){.value = value, .bound = bound, .back = back, .is_known = back < most};
  return back;
}

static bool run_steps(SimExec *exec, const SimInst *line, uint64_t most, SimRoundsDone *done) {
  const SimRounds *r = line->rounds;
  const SimWalk *counter = &r->walks[r->counter];
  const int64_t step[] = {step_of_access(exec, r, 0), step_of_access(exec, r, 1)};
  uint64_t value, bound;
  bool is_alike = r->is_alike && !exec->warp->has_parted;
  if (!take_same(exec, counter->reg, counter->is_wide, is_alike, &value)) return false;
  bound = counter->is_wide ? *sim_u64(exec->regs, r->bound) : *sim_u32(exec->regs, r->bound);
  uint64_t back = count_again(exec, r, value, bound, most);
  *done = (SimRoundsDone){.again = back >= most};
  done->rounds = (int)(done->again ? most : back + 1);
  if (done->rounds < FEWEST || !sim_dots_run_steps(exec, r->dot, step, done->rounds)) return false;
  exec->pc = line->pc;
  for (int i = 0; i < r->walk_count; i++) {
    const SimWalk *w = &r->walks[i];
    if (done->again || !w->is_over) grow(exec, w, step_of(exec, w) * (uint64_t)done->rounds);
  }
  *sim_u32(exec->regs, r->predicate) = done->again != r->is_negated ? SIM_FULL : 0;
  return true;
}

// The loop once more, with the same counter and bound, and no register of it has to be brought up to date: the plan
// tells how many rounds there are.
static inline bool run_again(SimExec *exec, const SimInst *line, SimRoundsDone *done) {
  const SimRounds *r = line->rounds;
  const SimDotPlan *plan = r->repeats && !exec->warp->has_parted ? exec->dots[r->dot->number] : NULL;
  if (!plan || !plan->rounds || !plan->count.is_known) return false;
  const SimDotCount *c = &plan->count;
  if (*sim_u32(exec->regs, r->walks[r->counter].reg) != c->value || *sim_u32(exec->regs, r->bound) != c->bound)
    return false;
  int rounds = plan->rounds;
  if (c->back + 1 != (uint64_t)rounds || rounds * line->run > exec->block.left) return false;
  if (!sim_dots_run_again(exec, r->dot)) return false;
  *done = (SimRoundsDone){.rounds = rounds};
  exec->pc = line->pc;
  *sim_u32(exec->regs, r->predicate) = r->is_negated ? SIM_FULL : 0;
  return true;
}

static bool run_rounds(SimExec *exec, const SimInst *line, SimRoundsDone *done) {
  SimRounding round;   // all of it is set where it is needed
  uint64_t most = (uint64_t)exec->block.left / line->run;
  if (most < FEWEST) return false;
  if (line->rounds->is_steady && run_steps(exec, line, most, done)) return true;
  if (!sim_rounding_start(exec, &round, line, line->pc, most)) return false;
  done->again = round.back >= round.most;   // the last one may be one that does not jump back
  int rounds = (int)(done->again ? round.most : round.back + 1), k = 0;
  const SimRoundMember *stop = NULL;
  if (rounds < FEWEST) return false;
  if (line->rounds->dot && sim_dots_run_rounds(exec, &round, rounds)) k = rounds;
  while (k < rounds && !(stop = run_round(exec, &round))) k++;
  if (stop) done->again = true;
  done->rounds = k;
  done->stop = stop ? stop->inst : NULL;
  exec->pc = line->pc;
  if (!k && done->stop == line) return false;
  end(exec, &round, (uint64_t)k, stop ? stop->inst->pc - line->pc : 0, done->again, !done->again);
  return true;
}

static void note_success(SimShapes *tried, bool ok) {
  if (ok) { tried->patience = 0; return; }
  tried->skip = (uint16_t)(1u << tried->patience);
  if (tried->patience < MOST_SKIPS) tried->patience++;
}

// Who is unlike before is not asked for a while.
bool sim_rounds_run(SimExec *exec, const SimInst *line, SimRoundsDone *done) {
  SimShapes *tried = &exec->shapes[line->pc + line->run - 1];
  if (tried->skip) { tried->skip--; return false; }
  if (exec->active != SIM_FULL || exec->block.alert || exec->looks & SIM_LOOKS_TOLD) return false;
  if (run_again(exec, line, done)) return true;
  bool some = run_rounds(exec, line, done);
  note_success(tried, some && done->rounds >= FEWEST);
  return some;
}
