// circuit_rounds.c: rounds of a circuit at once: one look at the registers tells how many there are, and where they
// access; what grows is made up for at the end.
#include "sim/grid/circuit_rounds.h"
#include <string.h>
#include "sim/check/quick.h"
#include "sim/core/ownership.h"
#include "sim/core/sums.h"
#include "sim/grid/step.h"

enum { FEWEST = 2 };

typedef struct Going {       // an access on its way
  SimShape *shape;
  uint8_t *place;
  uint64_t step, at;         // bytes per round; the address in the first one
  bool is_claimed, is_anywhere;
  bool is_judged;            // nobody finds anything new in the same access again
} Going;

typedef struct Rounds {
  SimExec *exec;
  const SimCircuit *circuit;
  int64_t by[SIM_CIRCUIT_WALKS], phase_by[SIM_CIRCUIT_PHASES];
  Going going[SIM_CIRCUIT_ACCESSES];
  uint64_t saved[SIM_CIRCUIT_PHASES][SIM_LANES];   // phases as they were when the first round began
  uint64_t most;
} Rounds;

// ---- numbers of all lanes ------------------------------------------------------------------------------------------

static bool same64(const uint64_t *values) {
  uint64_t differs = 0;
  for (int i = 0; i < SIM_LANES; i++) differs |= values[i] ^ values[0];
  return !differs;
}

// As a signed number of its width; false: the lanes have others.
static bool take(const SimExec *exec, const SimFixed *f, int64_t *value) {
  if (f->is_number) { *value = (int64_t)f->number; return true; }
  const uint32_t *narrow = sim_u32(exec->regs, f->slot);
  const uint64_t *wide = sim_u64(exec->regs, f->slot);
  *value = f->is_wide ? (int64_t)wide[0] : (int32_t)narrow[0];
  return f->is_wide ? same64(wide) : sim_same_everywhere(narrow);
}

static int64_t of_width(uint64_t value, bool is_wide) { return is_wide ? (int64_t)value : (int32_t)(uint32_t)value; }

// ---- what grows ----------------------------------------------------------------------------------------------------

static bool start_phases(Rounds *r) {
  for (int i = 0; i < r->circuit->phase_count; i++) {
    const SimPhase *p = &r->circuit->phases[i];
    uint64_t sum = 0;
    for (int k = 0; k < p->addend_count; k++) {
      int64_t value;
      if (!take(r->exec, &p->addends[k], &value)) return false;
      sum += p->negative >> k & 1 ? 0 - (uint64_t)value : (uint64_t)value;
    }
    r->phase_by[i] = of_width(sum, p->is_wide);
    memcpy(r->saved[i], r->exec->regs + p->slot, (p->is_wide ? 8 : 4) * SIM_LANES);
  }
  return true;
}

// Rounds until what grows by `by` is beyond its room; ahead: what there is is of the round before.
static uint64_t rounds_in(uint64_t below, uint64_t above, int64_t by, bool ahead) {
  if (!by) return UINT64_MAX;
  uint64_t far = by > 0 ? above / (uint64_t)by : below / (0 - (uint64_t)by);
  return far + 1 - ahead;
}

// As long as no lane's number wraps.
static void stay_in_width(Rounds *r, const SimGrows *w, int64_t by) {
  const uint32_t *values = sim_u32(r->exec->regs, w->slot), flip = w->is_signed ? 1u << 31 : 0;
  uint32_t least = UINT32_MAX, most = 0;
  for (int i = 0; i < SIM_LANES; i++) {
    uint32_t v = values[i] ^ flip;
    least = v < least ? v : least;
    most = v > most ? v : most;
  }
  r->most = LS_MIN(r->most, rounds_in(least, UINT32_MAX - most, by, w->ahead));
}

static bool start_walk(Rounds *r, const SimGrows *w, int64_t *by) {
  int64_t a = w->a < 0 || w->how == SIM_GROWS_PHASE ? 0 : r->by[w->a], b = w->b < 0 ? 0 : r->by[w->b], times;
  switch ((SimGrowth)w->how) {
  case SIM_GROWS_PHASE: *by = r->phase_by[w->a]; return true;
  case SIM_GROWS_BOTH: *by = of_width((uint64_t)a + (uint64_t)b, w->is_wide); return true;
  case SIM_GROWS_APART: *by = of_width((uint64_t)a - (uint64_t)b, w->is_wide); return true;
  case SIM_GROWS_SHIFTED: {
    uint64_t shift = w->by.number & UINT32_MAX;
    *by = shift < (w->is_wide ? 64 : 32) ? of_width((uint64_t)a << shift, w->is_wide) : 0;
    return true;
  }
  case SIM_GROWS_TIMES:
    if (!take(r->exec, &w->by, &times)) return false;
    if (w->is_wide && !w->by.is_wide) times = w->is_signed ? (int32_t)times : times & UINT32_MAX;
    *by = of_width((uint64_t)a * (uint64_t)times, w->is_wide);
    return true;
  case SIM_GROWS_WIDER:
    stay_in_width(r, w, a);
    *by = a;
    return true;
  }
  return false;
}

static bool start_walks(Rounds *r) {
  for (int i = 0; i < r->circuit->walk_count; i++)
    if (!start_walk(r, &r->circuit->walks[i], &r->by[i])) return false;
  return true;
}

// ---- how many rounds -----------------------------------------------------------------------------------------------

// Of numbers key, key + by, ... below a bound of their width that go on from the first: a number upwards.
static uint64_t count_from(int64_t apart, int64_t by, unsigned accepts) {
  uint64_t less = apart > 0 ? (uint64_t)((apart + by - 1) / by) : 0;
  bool meets = apart >= 0 && apart % by == 0;
  if (less && !(accepts & 1)) return 0;
  if (meets && !(accepts & 2)) return less;
  return accepts & 4 ? UINT64_MAX : less + meets;
}

static unsigned mirrored(unsigned accepts) { return (accepts & 2) | accepts >> 2 | (accepts & 1) << 2; }

static bool count_rounds(Rounds *r) {
  const SimCircuit *c = r->circuit;
  int64_t value, bound, by = r->by[c->test];
  if (!take(r->exec, &c->tested, &value) || !take(r->exec, &c->bound, &bound)) return false;
  bool is_wide = c->tested.is_wide;
  if (!is_wide && !c->is_signed) { value = (uint32_t)value; bound = (uint32_t)bound; }
  if (!is_wide && c->is_signed) bound = (int32_t)bound;
  int64_t low = is_wide ? c->is_signed ? INT64_MIN / 4 : 0 : c->is_signed ? INT32_MIN : 0;
  int64_t high = is_wide ? INT64_MAX / 4 : c->is_signed ? INT32_MAX : UINT32_MAX;
  if (!by || value < low || value > high || bound < low || bound > high || by < -high || by > high) return false;
  r->most = LS_MIN(r->most, rounds_in((uint64_t)(value - low), (uint64_t)(high - value), by, c->ahead));
  if (c->ahead) value += by;
  if (value < low || value > high) return false;
  uint64_t count = by > 0   ? count_from(bound - value, by, c->accepts)
                            : count_from(value - bound, -by, mirrored(c->accepts));
  r->most = LS_MIN(r->most, count);
  return r->most >= FEWEST;
}

// ---- accesses ------------------------------------------------------------------------------------------------------

static uint64_t bytes_before(const SimExec *exec, uint64_t stride) {
  return (uint64_t)sim_warp_index(exec) * SIM_LANES * stride;
}

static bool may_move(const SimExec *exec, const SimTrackAccess *a, const SimShape *s) {
  if (s->like.mask != SIM_FULL || !s->move) return false;
  if (a->is_own) return s->is_own && !s->span.init;
  unsigned cares = s->cares & exec->looks & ~(unsigned)(SIM_LOOKS_CHECKS | SIM_LOOKS_CLAIMS);
  return s->is_plain && !cares && !(exec->checks && s->judge == SIM_JUDGE_SLOWLY);
}

static bool set_out(Rounds *r, const SimTrackAccess *a, Going *g) {
  SimExec *exec = r->exec;
  SimShape *s = exec->fronts[a->inst->pc];
  const SimMem *m = a->inst->more;
  *g = (Going){.shape = s, .is_anywhere = a->walk == SIM_ACCESS_ANYWHERE,
               .is_judged = !exec->checks || s->is_own || s->judge == SIM_JUDGE_NOTHING};
  if (!may_move(exec, a, s)) return false;
  if (g->is_anywhere) { g->is_claimed = s->is_claimed && exec->owner_number; return true; }
  g->place = s->find_lean(exec->regs, &s->like, 0);
  if (!g->place) return false;
  int64_t by = a->walk < 0 ? 0 : r->by[a->walk];
  g->step = (uint64_t)by;
  g->at = (uint64_t)((uintptr_t)g->place - s->like.origin);
  g->is_claimed = by && s->is_claimed && exec->owner_number;   // else the round before did
  if (g->step & s->like.low_bits) return false;
  if (by && m->base_bytes == 4 && s->like.from + s->like.room > UINT32_MAX) return false;
  uint64_t below = g->at - s->like.from;
  r->most = LS_MIN(r->most, rounds_in(below, s->like.room - below, by, a->ahead));
  if (s->span.stride) g->place += bytes_before(exec, s->span.stride);
  if (a->ahead) { g->at += g->step; g->place = (uint8_t *)((uintptr_t)g->place + g->step); }
  return r->most >= FEWEST;
}

static bool start(Rounds *r) {
  const SimCircuit *c = r->circuit;
  if (!start_phases(r) || !start_walks(r) || !count_rounds(r)) return false;
  for (int i = 0; i < c->access_count; i++) if (!set_out(r, &c->accesses[i], &r->going[i])) return false;
  return true;
}

// A store of which somebody wants to know whether it changes memory.
static void note_change(SimExec *exec, const SimMem *m, const Going *g) {
  _Alignas(SIM_CACHE_LINE) uint64_t there[SIM_LANES];
  exec->lane_ops->load[m->elem == 8][g->shape->form]((uint8_t *)there, g->place, g->shape->places, SIM_FULL);
  exec->block.changes += memcmp(there, exec->regs + g->shape->data, (size_t)m->elem * SIM_LANES) != 0;
}

// False: it is unlike those before, or somebody wants to know more.
static bool access_one(Rounds *r, const SimTrack *t) {
  SimExec *exec = r->exec;
  Going *g = &r->going[t->access];
  SimShape *s = g->shape;
  if (g->is_anywhere && !(g->place = s->find_lean(exec->regs, &s->like, 0))) return false;
  if (g->is_claimed && !sim_ownership_claim_shape(exec, s, g->place)) return false;
  if (!g->is_judged) {
    exec->pc = t->inst->pc;
    if (!sim_quick_passes(exec, s, g->place)) return false;
    g->is_judged = !g->step && !g->is_anywhere && s->space == TRACE_GLOBAL;
  }
  if (exec->block.alert && s->is_store) note_change(exec, t->inst->more, g);
  s->move(exec->regs + s->data, g->place, s->places, SIM_FULL);
  if (g->is_anywhere) s->like.times[((uintptr_t)g->place - s->like.origin) % SIM_LIKE_UNIT] += exec->sum_step;
  g->place = (uint8_t *)((uintptr_t)g->place + g->step);
  return true;
}

// From one place in the lanes' storage to another.
static void pass(SimExec *exec, const SimPassed *from, const SimPassed *to) {
  uint64_t stride = exec->program->lane_param_bytes;
  uint8_t *storage = exec->lane_params + bytes_before(exec, stride), *into = storage + to->at;
  const uint8_t *out = storage + from->at;
  if (to->bytes == 4) for (uint64_t i = 0; i < SIM_LANES; i++) memcpy(into + i * stride, out + i * stride, 4);
  else for (uint64_t i = 0; i < SIM_LANES; i++) memcpy(into + i * stride, out + i * stride, 8);
}

// ---- rounds --------------------------------------------------------------------------------------------------------

// What could not be executed; NULL: all was.
static const SimTrack *run_round(Rounds *r) {
  const SimCircuit *c = r->circuit;
  uint8_t *regs = r->exec->regs;
  for (const SimTrack *t = c->members, *end = t + c->member_count; t < end; t++) {
    if (t->kind == SIM_TRACK_OP) t->inst->op.run(regs, &t->inst->op, SIM_FULL);
    else if (t->kind == SIM_TRACK_PASS) pass(r->exec, &t->from, &t->to);
    else if (!access_one(r, t)) return t;
  }
  return NULL;
}

static void set_phase(Rounds *r, int i, uint64_t rounds) {
  const SimPhase *p = &r->circuit->phases[i];
  uint64_t by = (uint64_t)r->phase_by[i] * rounds;
  uint32_t *narrow = sim_u32(r->exec->regs, p->slot), from[SIM_LANES];
  uint64_t *wide = sim_u64(r->exec->regs, p->slot);
  memcpy(from, r->saved[i], sizeof from);
  if (p->is_wide) for (int k = 0; k < SIM_LANES; k++) wide[k] = r->saved[i][k] + by;
  else for (int k = 0; k < SIM_LANES; k++) narrow[k] = from[k] + (uint32_t)by;
}

// What a round, after so many others, leaves in registers and in the lanes' storage, up to a place on its way.
static void make_up(Rounds *r, uint64_t rounds, int end) {
  const SimCircuit *c = r->circuit;
  uint8_t *regs = r->exec->regs;
  for (int i = 0; i < c->phase_count; i++) set_phase(r, i, rounds);
  for (const SimTrack *t = c->others, *last = t + c->other_count; t < last && t->at < end; t++) {
    if (t->kind == SIM_TRACK_OP) { t->inst->op.run(regs, &t->inst->op, SIM_FULL); continue; }
    if (t->kind == SIM_TRACK_PASS) { pass(r->exec, &t->from, &t->to); continue; }
    const Going *g = &r->going[t->access];
    g->shape->move(regs + g->shape->data, g->place, g->shape->places, SIM_FULL);
  }
}

// ---- what is counted -----------------------------------------------------------------------------------------------

static void count_times(const Going *g, uint64_t rounds, uint64_t times) {
  uint64_t at = g->at, *counts = g->shape->like.times;
  if (g->step % SIM_LIKE_UNIT == 0) counts[at % SIM_LIKE_UNIT] += times * rounds;
  else for (; rounds > 0; rounds--, at += g->step) counts[at % SIM_LIKE_UNIT] += times;
}

static void count_stretch(SimExec *exec, const SimStretch *s, int count, uint64_t times) {
  if (!s->single) { sim_count_lines(exec, s->pc, count, (int64_t)times); return; }
  exec->tally_warps[s->pc] += times;
  exec->tally_lanes[s->pc] += times * SIM_LANES;
}

// So many rounds, and of one more what is in front of `end`.
static void count(Rounds *r, uint64_t rounds, int end) {
  const SimCircuit *c = r->circuit;
  SimExec *exec = r->exec;
  for (int i = 0; i < c->stretch_count; i++) {
    const SimStretch *s = &c->stretches[i];
    int part = LS_MIN(end - s->at, s->count);
    if (rounds) count_stretch(exec, s, s->count, rounds);
    if (part > 0) count_stretch(exec, s, part, 1);
  }
  for (int i = 0; i < c->told_count; i++) {
    uint64_t times = rounds + (c->told_at[i] < end);
    if (times) sim_sum_times(exec, c->told[i], times);
  }
  for (int i = 0; i < c->access_count; i++)
    if (c->accesses[i].walk != SIM_ACCESS_ANYWHERE)
      count_times(&r->going[i], rounds + (c->accesses[i].at < end), exec->sum_step);
  int all = (int)rounds * c->length + end;
  exec->block.events += (uint64_t)all;
  sim_advance(exec, all);
}

// As often as lanes that may spin would have been looked at.
static void note_looks(SimExec *exec, const SimCircuit *c, uint64_t rounds) {
  SimBlock *b = &exec->block;
  if (b->watching && b->watch_pc == c->told[c->told_count - 1]) b->watch_count += (int32_t)rounds;
}

bool sim_circuit_run(SimExec *exec, const SimCircuit *circuit) {
  Rounds r;   // the rest of it is set where it is needed
  int32_t head = exec->pc;
  uint64_t rounds = 0;
  const SimTrack *stop = NULL;
  r.exec = exec;
  r.circuit = circuit;
  r.most = (uint64_t)LS_MAX(exec->block.left, 0) / (uint64_t)circuit->length;
  if (r.most < FEWEST || exec->group->forced || !start(&r)) return false;
  while (rounds < r.most && !(stop = run_round(&r))) rounds++;
  int end = stop ? stop->at : 0;
  if (rounds) make_up(&r, rounds - 1, circuit->length);
  if (stop) make_up(&r, rounds, end);
  count(&r, rounds, end);
  note_looks(exec, circuit, rounds);
  exec->pc = stop ? stop->inst->pc : head;
  return rounds || end;
}
