// flow_ways.c: ways through the code: branches that decide who comes, ways past no barrier or fence, locks.
#include <stdlib.h>
#include <string.h>

#include "model/causes/flow_parts.h"
#include "model/spin.h"

enum { CALLS_DEEP = 4 };

PtxCfg *flow_cfg(Flow *flow, int func) {
  FlowFunc *f = &flow->funcs[func];
  if (!f->cfg) f->cfg = ptx_cfg_new(flow->module, func, flow->arena);
  return f->cfg;
}

int flow_line(const Flow *flow, int pc) {
  int file, line;
  return pc >= 0 && ptx_line_of(flow->module, pc, &file, &line) ? line : 0;
}

// ---- kinds of instruction ------------------------------------------------------------------------------------------

static bool has(const PtxModule *m, const PtxInstr *in, bool (*is)(const PtxInstr *in), int depth) {
  int callee = ptx_callee(in);
  if (callee < 0 || depth == CALLS_DEEP) return is(in);
  const PtxFunc *func = &m->funcs[callee];
  if (func->alias_of >= 0) func = &m->funcs[func->alias_of];
  for (int pc = func->first; pc < func->first + func->count; pc++)
    if (has(m, &m->code[pc], is, depth + 1)) return true;
  return false;
}

static bool shared_by_threads(const PtxInstr *in) {
  return in->space == PTX_GLOBAL || in->space == PTX_SHARED || in->space == PTX_GENERIC;
}
static bool is_barrier(const PtxInstr *in) {
  bool block = in->op == PTX_OP_bar || in->op == PTX_OP_barrier;
  return block && in->mode != PTX_BAR_WARP_SYNC && in->mode != PTX_BAR_ARRIVE;
}
static bool is_any_fence(const PtxInstr *in) { return in->op == PTX_OP_membar || in->op == PTX_OP_fence; }
static bool is_fence(const PtxInstr *in) { return is_any_fence(in) && in->scope != PTX_SCOPE_CTA; }
static bool is_block_fence(const PtxInstr *in) { return is_any_fence(in) && in->scope == PTX_SCOPE_CTA; }
static bool is_atomic(const PtxInstr *in) { return in->op == PTX_OP_atom || in->op == PTX_OP_red; }
static bool is_exchange(const PtxInstr *in) {
  return in->op == PTX_OP_atom && (in->mode == PTX_AT_CAS || in->mode == PTX_AT_EXCH);
}
static bool is_announcement(const PtxInstr *in) {
  bool strong = in->op == PTX_OP_st && in->sem != PTX_WEAK && shared_by_threads(in);
  return is_atomic(in) || strong;
}
static bool is_store(const PtxInstr *in) {
  bool other = in->space == PTX_PARAM || in->space == PTX_LOCAL || is_atomic(in);
  for (int i = 0; i < in->operand_count && !other; i++)
    if ((ptx_role(in, i) & PTX_ROLE_WRITTEN) && (ptx_role(in, i) & (PTX_ROLE_ADDRESS | PTX_ROLE_IMAGE))) return true;
  return false;
}
static bool is_end(const PtxInstr *in) { return in->op == PTX_OP_ret || in->op == PTX_OP_exit; }
static bool is_end_in(const PtxModule *m, const PtxInstr *in) { return (void)m, is_end(in); }

bool flow_is_store(const Flow *flow, int pc) {
  return pc >= 0 && has(flow->module, &flow->module->code[pc], is_store, 0);
}
bool flow_is_barrier(const PtxModule *m, const PtxInstr *in) { return has(m, in, is_barrier, 0); }
bool flow_is_fence(const PtxModule *m, const PtxInstr *in) { return has(m, in, is_fence, 0); }
bool flow_is_block_fence(const PtxModule *m, const PtxInstr *in) { return has(m, in, is_block_fence, 0); }
bool flow_is_atomic(const PtxModule *m, const PtxInstr *in) { return has(m, in, is_atomic, 0); }
bool flow_is_exchange(const PtxModule *m, const PtxInstr *in) { return has(m, in, is_exchange, 0); }
bool flow_is_announcement(const PtxModule *m, const PtxInstr *in) { return has(m, in, is_announcement, 0); }

// ---- ways ----------------------------------------------------------------------------------------------------------

typedef struct Ways {
  Flow *flow;
  const PtxFunc *func;
  const PtxCfg *cfg;
  FlowIs wall, goal;
  int to; bool forward;
  uint8_t *seen;             // blocks entered at their beginning
  int *stack, count;
} Ways;

// Through a block from pc on. The goal that is found, -1: none, and its end is not reached; -2: none, but its end is.
static int through(const Ways *w, int pc, const PtxBlock *block) {
  for (; pc < block->first + block->count; pc++) {
    const PtxInstr *in = &w->flow->module->code[pc];
    if (pc == w->to || (w->goal && w->goal(w->flow->module, in))) return pc;
    if (w->wall && w->wall(w->flow->module, in)) return -1;
  }
  return -2;
}

static void enter_next(Ways *w, const PtxBlock *from) {
  for (int i = 0; i < from->succ_count; i++) {
    int next = from->succ[i];
    if (w->seen[next] || (w->forward && w->cfg->blocks[next].first <= from->first)) continue;
    w->seen[next] = 1;
    w->stack[w->count++] = next;
  }
}

static int search(Ways *w, int from) {
  w->func = &w->flow->module->funcs[w->flow->module->code[from].func];
  w->cfg = flow_cfg(w->flow, w->flow->module->code[from].func);
  w->seen = ls_alloc((size_t)w->cfg->block_count + 1);
  w->stack = ls_alloc(sizeof(int) * (size_t)(w->cfg->block_count + 1));
  const PtxBlock *block = &w->cfg->blocks[w->cfg->block_of[from - w->func->first]];
  int found = through(w, from + 1, block);
  if (found == -2) enter_next(w, block);
  while (found < 0 && w->count) {
    block = &w->cfg->blocks[w->stack[--w->count]];
    found = through(w, block->first, block);
    if (found == -2) enter_next(w, block);
  }
  free(w->seen);
  free(w->stack);
  return LS_MAX(found, -1);
}

bool flow_reaches(Flow *flow, int from, int to, FlowIs wall, bool forward) {
  if (from < 0 || to < 0 || flow->module->code[from].func != flow->module->code[to].func) return false;
  return search(&(Ways){.flow = flow, .wall = wall, .to = to, .forward = forward}, from) >= 0;
}

int flow_next(Flow *flow, int from, FlowIs is, FlowIs wall) {
  return from < 0 ? -1 : search(&(Ways){.flow = flow, .wall = wall, .goal = is, .to = -1}, from);
}

bool flow_ends(Flow *flow, int pc, FlowIs wall) { return flow_next(flow, pc, is_end_in, wall) >= 0; }

// ---- who comes -----------------------------------------------------------------------------------------------------

// Whether all ways from block `from` lead through `block`.
static bool always_comes(const PtxCfg *cfg, int from, int block) {
  for (int at = from, steps = 0; at >= 0 && steps <= cfg->block_count; at = cfg->blocks[at].ipdom, steps++)
    if (at == block) return true;
  return false;
}

static int last_of(const PtxBlock *block) { return block->first + block->count - 1; }

// 1: the branch at the end of `b` leads there where it is taken, 0: where not; -1: it does not decide.
static int decides(const Flow *flow, const PtxCfg *cfg, const PtxFunc *func, int b, int block) {
  const PtxInstr *in = &flow->module->code[last_of(&cfg->blocks[b])];
  if (in->op != PTX_OP_bra || in->guard < 0 || b == block || always_comes(cfg, b, block)) return -1;
  int taken = cfg->block_of[in->operands[0].target - func->first];
  bool there = always_comes(cfg, taken, block);
  bool other = b + 1 < cfg->block_count && always_comes(cfg, b + 1, block);
  return there == other ? -1 : there;
}

int flow_control(Flow *flow, int pc) {
  const PtxInstr *in = &flow->module->code[pc];
  const PtxFunc *of = &flow->module->funcs[in->func];
  const PtxCfg *cfg = flow_cfg(flow, in->func);
  int block = cfg->block_of[pc - of->first];
  if (in->guard >= 0 && in->op != PTX_OP_bra) return pc;
  for (int b = cfg->block_count - 1; b >= 0; b--) {
    int branch = last_of(&cfg->blocks[b]);
    if (branch < pc && decides(flow, cfg, of, b, block) >= 0) return branch;
  }
  return -1;
}

int flow_outward(Flow *flow, int pc, int branch) {
  if (branch != pc) return flow_control(flow, branch);
  const PtxInstr *in = &flow->module->code[pc];   // its own guard
  const PtxFunc *of = &flow->module->funcs[in->func];
  int first = flow_cfg(flow, in->func)->blocks[flow_cfg(flow, in->func)->block_of[pc - of->first]].first;
  return first < pc ? flow_control(flow, first) : -1;
}

static PtxCmp opposite(PtxCmp cmp) {
  switch (cmp) {
  case PTX_EQ: return PTX_NE; case PTX_NE: return PTX_EQ;
  case PTX_LT: return PTX_GE; case PTX_GE: return PTX_LT;
  case PTX_LE: return PTX_GT; case PTX_GT: return PTX_LE;
  case PTX_LO: return PTX_HS; case PTX_HS: return PTX_LO;
  case PTX_LS: return PTX_HI; case PTX_HI: return PTX_LS;
  case PTX_LTU: return PTX_GE; case PTX_GEU: return PTX_LT;
  case PTX_LEU: return PTX_GT; case PTX_GTU: return PTX_LE;
  default: return cmp;
  }
}

// The comparison behind a predicate, through not and copies.
static const PtxInstr *comparison(Flow *flow, int func, int pred, bool *negated) {
  for (int i = 0; i < 4; i++) {
    int pc = flow_only_def(flow, func, pred);
    const PtxInstr *in = pc < 0 ? NULL : &flow->module->code[pc];
    if (!in || in->op == PTX_OP_setp) return in;
    if (in->op != PTX_OP_not && in->op != PTX_OP_mov) return NULL;
    if (in->operands[1].kind != PTX_OPD_REG) return NULL;
    if (in->op == PTX_OP_not) *negated = !*negated;
    pred = in->operands[1].reg;
  }
  return NULL;
}

bool flow_test(Flow *flow, int branch, int pc, FlowTest *test) {
  const PtxInstr *in = &flow->module->code[branch];
  const PtxFunc *of = &flow->module->funcs[in->func];
  const PtxCfg *cfg = flow_cfg(flow, in->func);
  bool negated = in->guard_negate;
  if (in->guard < 0) return false;
  const PtxInstr *set = comparison(flow, in->func, in->guard, &negated);
  if (!set || set->operands[1].kind != PTX_OPD_REG) return false;
  int way = branch == pc ? 1 : decides(flow, cfg, of, cfg->block_of[branch - of->first], cfg->block_of[pc - of->first]);
  bool holds = (way == 1) != negated;
  *test = (FlowTest){.a = set->operands[1].reg, .b = -1, .cmp = (PtxCmp)set->cmp};
  if (set->operands[2].kind == PTX_OPD_REG) test->b = set->operands[2].reg;
  if (!holds) test->cmp = opposite(test->cmp);
  return way >= 0;
}

// ---- locks ---------------------------------------------------------------------------------------------------------

int flow_spin(Flow *flow, int pc) {
  if (!flow->spins) {
    flow->spins = LS_NEW_ARRAY(flow->arena, int, flow->module->code_count + 1);
    spin_find(flow->module, flow->spins);
  }
  return flow->spins[pc];
}

bool flow_is_foreign(const Flow *flow, int pc, int own) {
  const PtxModule *m = flow->module;
  int file, line, home;
  if (!ptx_line_of(m, pc, &file, &line) || !ptx_line_of(m, own, &home, &line)) return false;
  int caller = m->code[pc].loc < 0 ? -1 : m->locs[m->code[pc].loc].inlined_at;
  return file != home || (caller >= 0 && m->locs[caller].file != home);
}

// The spin loop above pc hangs on an exchange.
static int spun_before(Flow *flow, int pc) {
  const PtxModule *m = flow->module;
  int found = -1;
  for (int at = m->funcs[m->code[pc].func].first; at < pc; at++)
    if (flow_spin(flow, at) >= 0 && flow_is_exchange(m, &m->code[at])) found = at;
  return found;
}

int flow_lock(Flow *flow, int pc) {
  int lock = -1;
  for (int branch = flow_control(flow, pc); branch >= 0 && lock < 0; branch = flow_outward(flow, pc, branch)) {
    int atomic = flow_condition(flow, branch).atomic;
    if (atomic >= 0 && flow_is_exchange(flow->module, &flow->module->code[atomic])) lock = atomic;
  }
  if (lock < 0) lock = spun_before(flow, pc);
  return lock >= 0 && flow_reaches(flow, lock, pc, flow_is_exchange, true) ? lock : -1;   // not given back before
}
