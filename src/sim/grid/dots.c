// dots.c: sums of products (analysis/dots.c) in one piece, where the words of all terms are known to lie in two ways:
// one for 16 lanes, and a row of 16.
#include "sim/grid/dots.h"
#include <stdlib.h>
#include <string.h>
#include "sim/check/quick.h"
#include "sim/core/dots.h"
#include "sim/grid/chains.h"

enum { HALF = SIM_LANES / 2, MOST_SKIPS = 7 };

// ---- of many rounds ------------------------------------------------------------------------------------------------

static bool is_one(const SimShape *s) { return s->form == SIM_FORM_SAME || s->form == SIM_FORM_HALF_SAME; }
static bool is_row(const SimShape *s) { return s->form == SIM_FORM_ROW || s->form == SIM_FORM_HALF_ROWS; }

static int64_t high_of(const SimGoing *g) { return (int64_t)g->places[HALF]; }

static bool is_alike(const SimGoing *a, const SimGoing *b) { return a->step == b->step && high_of(a) == high_of(b); }

// The accesses of a term: one factor is the same for 16 lanes, the other one is a row. false: they are not.
static bool take_factors(const SimGoing *g, const SimGoing **one, const SimGoing **row) {
  bool in_order = is_one(g->shape);
  *one = in_order ? g : g + 1;
  *row = in_order ? g + 1 : g;
  return is_one((*one)->shape) && is_row((*row)->shape);
}

// Where the words of all terms are, if they lie so that the sum is added up in one piece.
static bool place_dot(const SimRounding *round, SimDotPlaces *at, SimDotTerm *terms) {
  const SimGoing *g = round->going, *first_one, *first_row, *one, *row;
  const SimDot *dot = round->rounds->dot;
  if (!take_factors(g, &first_one, &first_row)) return false;
  for (int i = 0; i < dot->count; i++, g += 2) {
    if (!take_factors(g, &one, &row) || !is_alike(one, first_one) || !is_alike(row, first_row)) return false;
    terms[i] = (SimDotTerm){one->place - first_one->place, row->place - first_row->place};
  }
  *at = (SimDotPlaces){.one = first_one->place, .one_high = high_of(first_one), .one_step = (int64_t)first_one->step,
                       .row = first_row->place, .row_high = high_of(first_row), .row_step = (int64_t)first_row->step,
                       .terms = terms, .count = (uint64_t)dot->count};
  return true;
}

// What the loop reads in all rounds needs no more than to be remembered, and is.
static bool note_rounds(SimExec *exec, const SimRounding *round, int rounds) {
  SimLateRound reads[SIM_ROUND_ACCESSES];
  int count = 0;
  for (int i = 0; i < round->rounds->access_count; i++) {
    const SimGoing *g = &round->going[i];
    if (g->shape->judge == SIM_JUDGE_NOTHING) continue;
    if (g->shape->judge != SIM_JUDGE_READ) return false;
    reads[count++] = (SimLateRound){.first = {.word = (uint32_t)(g->place - exec->shared) / 4,
                                              .how = g->shape->late_how, .pc = round->rounds->accesses[i].inst->pc},
                                    .step = (uint32_t)((int64_t)g->step / 4)};
  }
  return !count || sim_quick_reads_rounds(exec, reads, count, rounds);
}

static float *floats_at(const SimExec *exec, uint32_t slot) { return (float *)(void *)(exec->regs + slot); }

static void add_rounds(const SimExec *exec, const SimDot *dot, SimDotPlaces *at) {
  float *sum = floats_at(exec, dot->to);
  if (dot->count == 1) { exec->lane_ops->dot_rounds(sum, sum, at); return; }
  for (; at->rounds > 0; at->rounds--, at->one += at->one_step, at->row += at->row_step)
    exec->lane_ops->dot_terms(sum, sum, at);
}

bool sim_dots_run_rounds(SimExec *exec, const SimRounding *round, int rounds) {
  const SimDot *dot = round->rounds->dot;
  SimDotTerm terms[SIM_ROUND_ACCESSES / 2];
  SimDotPlaces at;
  if (!place_dot(round, &at, terms) || (exec->checks && !note_rounds(exec, round, rounds))) return false;
  at.rounds = (uint64_t)rounds;
  add_rounds(exec, dot, &at);
  return true;
}

// ---- of one line ---------------------------------------------------------------------------------------------------

typedef struct Window { int64_t low, high; } Window;   // of the first access's address

static const SimInst *access_of(const SimExec *exec, const SimDot *dot, int i) {
  return &exec->code[dot->first + i / 2 * SIM_DOT_STEPS + i % 2];
}

static bool are_equally_apart(const SimShape *a, const SimShape *b) {
  return !memcmp(a->like.apart, b->like.apart, sizeof a->like.apart) && a->places[HALF] == b->places[HALF];
}

// One more of a side, held against the first one. False: it does not lie as that does.
static bool add_access(const SimExec *exec, SimDotPlan *plan, int i, Window *window) {
  const SimInst *inst = access_of(exec, plan->dot, i);
  const SimMem *m = inst->more, *first = access_of(exec, plan->dot, i & 1)->more;
  SimShape *s = exec->fronts[inst->pc], *leader = plan->accesses[i & 1].shape;
  bool is_side = ((i & 1) ^ plan->first_side) == SIM_DOT_ONE ? is_one(s) : is_row(s);
  int64_t apart = m->offset - first->offset, from = (int64_t)s->like.from;
  if (s->like.mask != SIM_FULL || !s->number || !is_side || !s->is_plain || !s->move || from < 0) return false;
  if (m->base != first->base || m->base_bytes != first->base_bytes || apart % 4) return false;
  if (i > 1 && !are_equally_apart(s, leader)) return false;
  window->low = LS_MAX(window->low, from - apart);
  window->high = LS_MIN(window->high, from + (int64_t)s->like.room - apart);
  plan->accesses[i] = (SimDotAccess){.shape = s, .number = s->number, .late_how = s->late_how, .pc = inst->pc,
                                     .is_late = s->judge == SIM_JUDGE_READ, .apart = apart};
  plan->cares |= s->cares;
  plan->is_read |= s->judge == SIM_JUDGE_READ;
  plan->may_be_read = plan->may_be_read && (s->judge == SIM_JUDGE_READ || s->judge == SIM_JUDGE_NOTHING);
  return true;
}

static bool take_side(const SimExec *exec, SimDotPlan *plan, int side) {
  Window window = {INT64_MIN, INT64_MAX};
  int first = side ^ plan->first_side;
  for (int i = first; i < 2 * plan->dot->count; i += 2) if (!add_access(exec, plan, i, &window)) return false;
  if (window.low < 0 || window.low > window.high) return false;
  const SimShape *s = plan->accesses[first].shape;
  SimDotSide *to = &plan->sides[side];
  to->like = s->like;
  memset(to->like.times, 0, sizeof to->like.times);
  to->like.apart_in = 0;
  to->apart = ((const SimMem *)access_of(exec, plan->dot, first)->more)->apart;
  to->like.from = (uint64_t)window.low;
  to->like.room = (uint64_t)(window.high - window.low);
  to->find = s->find;
  to->high = (int64_t)s->places[HALF];
  to->is_narrow = ((const SimMem *)access_of(exec, plan->dot, first)->more)->base_bytes == 4;
  for (int i = 0; i < plan->dot->count; i++) {
    const SimDotAccess *a = &plan->accesses[first + 2 * i];
    int64_t term = (int64_t)(a->shape->like.origin - s->like.origin) + a->apart;
    if (side == SIM_DOT_ONE) plan->terms[i].one = term; else plan->terms[i].row = term;
  }
  return true;
}

static bool make_plan(SimExec *exec, const SimDot *dot, SimDotPlan *plan) {
  sim_dots_settle(exec);
  if (exec->checks && plan->dot) sim_shadow_note_reads(exec);   // those that it tells of
  plan->rounds = 0;
  plan->cares = 0;
  plan->may_be_read = true;
  plan->is_read = false;
  plan->dot = dot;
  plan->version = exec->shape_version;
  plan->first_side = is_one(exec->fronts[dot->first]) ? SIM_DOT_ONE : SIM_DOT_ROW;
  if (take_side(exec, plan, SIM_DOT_ONE) && take_side(exec, plan, SIM_DOT_ROW)) return true;
  plan->dot = NULL;
  return false;
}

static bool is_as_before(const SimExec *exec, const SimDotPlan *plan) {
  if (!plan->dot || !plan->version) return false;
  for (int i = 0; i < 2 * plan->dot->count; i++) {
    const SimDotAccess *a = &plan->accesses[i];
    if (exec->fronts[a->pc] != a->shape || a->shape->number != a->number) return false;
  }
  return true;
}

// Some shape became another, maybe one of its own. Who has to be planned anew often is not for a while.
static SimDotPlan *look_again(SimExec *exec, const SimDot *dot) {
  SimDotPlan **at = &exec->dots[dot->number], *plan = *at;
  if (!plan) {
    plan = *at = aligned_alloc(SIM_CACHE_LINE, ls_align_up(sizeof *plan, SIM_CACHE_LINE));
    if (!plan) return NULL;
    memset(plan, 0, sizeof *plan);
  }
  if (plan->skip) { plan->skip--; return NULL; }
  if (is_as_before(exec, plan)) {
    plan->version = exec->shape_version;
    return plan;
  }
  plan->skip = (uint16_t)((1u << plan->patience) - 1);
  if (plan->patience < MOST_SKIPS) plan->patience++;
  return make_plan(exec, dot, plan) ? plan : NULL;
}

// Nobody looks on, or only checks for which it is enough to remember what is read.
static inline bool may_go(const SimExec *exec, const SimDotPlan *plan) {
  return !(plan->cares & exec->looks & ~(unsigned)SIM_LOOKS_CHECKS) && (!exec->checks || plan->may_be_read);
}

static SimDotPlan *plan_of(SimExec *exec, const SimDot *dot) {
  SimDotPlan *plan = exec->dots[dot->number];
  if (!plan || !plan->dot || plan->version != exec->shape_version) plan = look_again(exec, dot);
  return plan && may_go(exec, plan) ? plan : NULL;
}

// Where the first factor of a side is; NULL: not all lanes are as they were.
static inline uint8_t *find_side(const SimExec *exec, SimDotSide *side) {
  SimLike *like = &side->like;
  uint32_t bit = 1u << sim_warp_index(exec);
  bool is_apart = side->apart == SIM_APART || (side->apart && !exec->warp->has_parted);
  if (!is_apart || !(like->apart_in & bit)) {
    uint8_t *place = side->find(exec->regs, like, 0);
    if (place && is_apart) like->apart_in |= bit;
    return place;
  }
  if (!side->is_narrow) return sim_like_at(like, *sim_u64(exec->regs, like->own) + like->offset, 0);
  return sim_like_at(like, *sim_u32(exec->regs, like->own) + (uint32_t)like->offset, 0);
}

// Where the first round may begin, for the last one to be inside as well.
static void set_room(SimDotSide *side, int64_t step, int rounds) {
  const SimLike *like = &side->like;
  uint64_t far = (uint64_t)(step < 0 ? -step : step) * (uint64_t)(rounds - 1);
  bool is_narrow = side->is_narrow && like->from + like->room > UINT32_MAX;
  side->from = like->from + (step < 0 ? far : 0);
  side->room = like->room - far;
  bool is_far = step % 4 || step > INT32_MAX || step < INT32_MIN || far > like->room;
  if (is_narrow || is_far) side->from = UINT64_MAX, side->room = 0;
}

// Rounds like the last ones are known.
static void take_steps(SimDotPlan *plan, const int64_t step[2], int rounds) {
  sim_dots_settle_rounds(plan);
  plan->rounds = rounds;
  for (int i = 0; i < SIM_DOT_SIDES; i++) {
    int side = i ^ plan->first_side;
    plan->steps[side] = step[i];
    set_room(&plan->sides[side], step[i], rounds);
  }
}

static inline bool is_known(const SimDotPlan *plan, const int64_t step[2], int rounds) {
  int first = plan->first_side;
  return plan->rounds == rounds && plan->steps[first] == step[0] && plan->steps[first ^ 1] == step[1];
}

static inline uint64_t address_in(const SimDotSide *side, const uint8_t *place) {
  return (uintptr_t)place - side->like.origin;
}

// What all rounds read needs no more than to be remembered, and is.
static bool note_steps(SimExec *exec, const SimDotPlan *plan, const uint8_t *const place[]) {
  SimLateRound reads[SIM_ROUND_ACCESSES];
  int count = 0;
  for (int i = 0; i < 2 * plan->dot->count; i++) {
    const SimDotAccess *a = &plan->accesses[i];
    int side = (i & 1) ^ plan->first_side;
    uint32_t word = (uint32_t)((place[side] - exec->shared + a->apart) / 4);
    if (!a->is_late) continue;
    reads[count++] = (SimLateRound){.first = {.word = word, .how = a->late_how, .pc = a->pc},
                                    .step = (uint32_t)(plan->steps[side] / 4)};
  }
  return !count || sim_quick_reads_rounds(exec, reads, count, plan->rounds);
}

// Rounds that are known, and begin where the registers say. False: some of them would not be like those before.
static inline bool run_plan(SimExec *exec, SimDotPlan *plan) {
  SimDotSide *ones = &plan->sides[SIM_DOT_ONE], *rows = &plan->sides[SIM_DOT_ROW];
  const uint8_t *one = find_side(exec, ones), *row = one ? find_side(exec, rows) : NULL;
  if (!row) return false;
  uint64_t at_one = address_in(ones, one), at_row = address_in(rows, row);
  if (at_one - ones->from > ones->room || at_row - rows->from > rows->room) return false;
  if (exec->checks && !note_steps(exec, plan, (const uint8_t *const[]){one, row})) return false;
  ones->begun[at_one % SIM_LIKE_UNIT] += exec->sum_step;
  rows->begun[at_row % SIM_LIKE_UNIT] += exec->sum_step;
  plan->is_pending = exec->dots_pending = true;
  SimDotPlaces at = {.one = one, .one_high = ones->high, .one_step = plan->steps[SIM_DOT_ONE], .row = row,
                     .row_high = rows->high, .row_step = plan->steps[SIM_DOT_ROW], .rounds = (uint64_t)plan->rounds,
                     .terms = plan->terms, .count = (uint64_t)plan->dot->count};
  add_rounds(exec, plan->dot, &at);
  return true;
}

bool sim_dots_run_again(SimExec *exec, const SimDot *dot) {
  SimDotPlan *plan = exec->dots[dot->number];
  return plan->version == exec->shape_version && may_go(exec, plan) && run_plan(exec, plan);
}

bool sim_dots_run_steps(SimExec *exec, const SimDot *dot, const int64_t step[2], int rounds) {
  SimDotPlan *plan = plan_of(exec, dot);
  if (!plan) return false;
  if (!is_known(plan, step, rounds)) take_steps(plan, step, rounds);
  return run_plan(exec, plan);
}

static void count_side(const SimExec *exec, SimDotSide *side, const uint8_t *place) {
  side->like.times[((uintptr_t)place - side->like.origin) % SIM_LIKE_UNIT] += exec->sum_step;
}

const SimInst *sim_dots_run(SimExec *exec, const SimDot *dot) {
  if (dot->chain) return sim_chains_run(exec, dot->chain);
  if (exec->active != SIM_FULL || exec->block.alert) return NULL;
  SimDotPlan *plan = plan_of(exec, dot);
  if (!plan) return NULL;
  SimDotSide *ones = &plan->sides[SIM_DOT_ONE], *rows = &plan->sides[SIM_DOT_ROW];
  const uint8_t *one = find_side(exec, ones), *row = one ? find_side(exec, rows) : NULL;
  if (!row || (exec->checks && plan->is_read && !sim_quick_reads_dot(exec, dot->number, one, row))) return NULL;
  count_side(exec, ones, one);
  count_side(exec, rows, row);
  plan->is_pending = exec->dots_pending = true;
  const SimDotPlaces at = {.one = one, .one_high = ones->high, .row = row, .row_high = rows->high,
                           .terms = plan->terms, .count = (uint64_t)dot->count};
  exec->lane_ops->dot_terms(floats_at(exec, dot->to), floats_at(exec, dot->from), &at);
  return &exec->code[dot->first + dot->count * SIM_DOT_STEPS - 1];
}
