// chains.c: sums of chosen words (analysis/chains.c) in one piece, where it is known how far away the lanes are that
// words come from, and where in memory words are.
#include "sim/grid/chains.h"
#include "sim/check/quick.h"
#include "sim/check/shadow.h"
#include "sim/core/chain.h"
#include "sim/core/sums.h"

enum { MOST_SKIPS = 7 };

static bool plan_shuffle(SimExec *exec, const SimInst *inst, SimChainTerm *term, SimChainStep *step) {
  const SimShuffle *s = sim_shuffle_known(exec, inst->more);
  if (!s->is_shift) return false;
  sim_sums_note(exec, inst->pc);
  *term = (SimChainTerm){.times = &exec->shapes[inst->pc].times, .out_of_range = ~s->in_range};
  *step = (SimChainStep){.by = s->by};
  return true;
}

static bool plan_load(SimExec *exec, const SimInst *inst, SimChainTerm *term, SimChainStep *step) {
  SimShape *s = exec->fronts[inst->pc];
  if (s->like.mask != SIM_FULL || s->form != SIM_FORM_SAME || !s->is_plain || !s->number) return false;
  uint8_t *place = sim_like_at(&s->like, s->like.offset, 0);
  if (!place || (s->judge != SIM_JUDGE_NOTHING && s->judge != SIM_JUDGE_READ)) return false;
  *term = (SimChainTerm){.times = &s->like.times[s->like.offset % SIM_LIKE_UNIT], .shape = s, .place = place};
  *step = (SimChainStep){.word = place};
  return true;
}

static void plan_reads(const SimExec *exec, const SimChain *c, SimChainPlan *plan) {
  plan->read_count = 0;
  for (int i = 0; i < c->count; i++) {
    const SimChainTerm *term = &plan->terms[i];
    if (!term->shape || term->shape->judge != SIM_JUDGE_READ) continue;
    plan->reads[plan->read_count++] = (SimLateRead){.word = (uint32_t)(term->place - exec->shared) / 4,
                                                    .how = term->shape->late_how, .pc = c->links[i].inst->pc};
  }
}

static bool plan_all(SimExec *exec, const SimChain *c, SimChainPlan *plan) {
  plan->shuffles = plan->loads = false;
  plan->shuffles_first = true;
  plan->cares = 0;
  for (int i = 0; i < c->count; i++) {
    SimChainTerm *term = &plan->terms[i];
    bool shuffles = c->links[i].shuffles;
    if (!(shuffles ? plan_shuffle : plan_load)(exec, c->links[i].inst, term, &plan->steps[i])) return false;
    if (shuffles && plan->loads) plan->shuffles_first = false;
    plan->shuffles |= shuffles;
    plan->loads |= !shuffles;
    if (!shuffles) plan->cares |= term->shape->cares;
  }
  plan_reads(exec, c, plan);
  return true;
}

// Some shape became another, maybe one of its own. Who is no such sum is not looked at for a while.
static SimChainPlan *look_again(SimExec *exec, const SimChain *c) {
  SimChainPlan *plan = exec->chains[c->number];
  if (!plan) plan = exec->chains[c->number] = ls_alloc(sizeof *plan);
  if (plan->skip) { plan->skip--; return NULL; }
  plan->version = exec->shape_version;
  plan->is_known = plan_all(exec, c, plan);
  if (plan->is_known) { plan->patience = 0; return plan; }
  plan->skip = (uint16_t)((1u << plan->patience) - 1);
  if (plan->patience < MOST_SKIPS) plan->patience++;
  return NULL;
}

static inline SimChainPlan *plan_of(SimExec *exec, const SimChain *c) {
  SimChainPlan *plan = exec->chains[c->number];
  if (!plan || !plan->is_known || plan->version != exec->shape_version) plan = look_again(exec, c);
  bool is_counted = exec->bare;   // and nobody is told one by one
  return is_counted && plan && !(plan->cares & exec->looks & ~(unsigned)SIM_LOOKS_CHECKS) ? plan : NULL;
}

// Lanes that exchange words have met, and what is read behind that needs no more than to be remembered, and is.
static bool note_checks(SimExec *exec, const SimChainPlan *plan) {
  if (plan->loads && plan->shuffles && !plan->shuffles_first) return false;
  if (plan->shuffles) sim_shadow_lanes_met(exec, false);
  return !plan->read_count || sim_quick_reads_all(exec, plan->reads, plan->read_count);
}

// Which lanes take each term. False: some would get a word that is none of another lane's.
static inline bool choose(const SimExec *exec, const SimChain *c, SimChainPlan *plan) {
  const uint8_t *regs = exec->regs;
  uint32_t wrong = 0;
  for (int i = 0; i < c->count; i++) {
    uint32_t lanes = sim_pred(regs, c->links[i].predicate) ^ c->links[i].flips;
    plan->steps[i].lanes = lanes;
    wrong |= lanes & plan->terms[i].out_of_range;
  }
  return !wrong;
}

const SimInst *sim_chains_run(SimExec *exec, const SimChain *c) {
  if (exec->active != SIM_FULL || exec->block.alert) return NULL;
  SimChainPlan *plan = plan_of(exec, c);
  if (!plan || !choose(exec, c, plan) || (exec->checks && !note_checks(exec, plan))) return NULL;
  for (const SimChainTerm *term = plan->terms; term < plan->terms + c->count; term++) (*term->times)++;
  exec->lane_ops->chain(sim_u32(exec->regs, c->to), sim_u32(exec->regs, c->from), plan->steps, c->count);
  return c->last;
}
