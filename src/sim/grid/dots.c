// dots.c: sums of products (analysis/dots.c) in one piece, where the words of all terms are known to lie in two ways:
// one for 16 lanes, and a row of 16.
#include "sim/grid/dots.h"
#include "sim/check/quick.h"

static bool is_one(const SimGoing *g) { return g->shape->form == SIM_FORM_SAME || g->shape->form == SIM_FORM_HALF_SAME; }
static bool is_row(const SimGoing *g) { return g->shape->form == SIM_FORM_ROW || g->shape->form == SIM_FORM_HALF_ROWS; }

static int64_t high_of(const SimGoing *g) { return (int64_t)g->places[SIM_LANES / 2]; }

static bool is_alike(const SimGoing *a, const SimGoing *b) { return a->step == b->step && high_of(a) == high_of(b); }

// The accesses of a term: one factor is the same for 16 lanes, the other one is a row. false: they are not.
static bool take_factors(const SimGoing *g, const SimGoing **one, const SimGoing **row) {
  *one = is_one(g) ? g : g + 1;
  *row = is_one(g) ? g + 1 : g;
  return is_one(*one) && is_row(*row);
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

bool sim_dots_run_rounds(SimExec *exec, const SimRounding *round, int rounds) {
  const SimDot *dot = round->rounds->dot;
  SimDotTerm terms[SIM_ROUND_ACCESSES / 2];
  SimDotPlaces at;
  if (!place_dot(round, &at, terms) || (exec->checks && !note_rounds(exec, round, rounds))) return false;
  float *sum = (float *)(void *)(exec->regs + dot->to);
  at.rounds = (uint64_t)rounds;
  if (dot->count == 1) { exec->lane_ops->dot_rounds(sum, sum, &at); return true; }
  for (; rounds > 0; rounds--, at.one += at.one_step, at.row += at.row_step) exec->lane_ops->dot_terms(sum, sum, &at);
  return true;
}
