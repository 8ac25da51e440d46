// probe_sites.c: what is to be asked where: segments of straight code, sites in them, and what is counted as one.
#include "device/probe/probe_multi.h"
#include "device/probe/probe_affine.h"
#include "device/probe/probe_alike.h"
#include "device/probe/probe_held.h"
#include "ptx/reduction.h"

// ---- instructions --------------------------------------------------------------------------------------------------

// What is not told but as something that happened.
static bool is_opaque(const PtxInstr *in) {
  switch (in->op) {
  case PTX_OP_cp: case PTX_OP_mbarrier: case PTX_OP_multimem: case PTX_OP_tex: case PTX_OP_tld4: case PTX_OP_txq:
  case PTX_OP_suld: case PTX_OP_sust: case PTX_OP_suq: case PTX_OP_sured: case PTX_OP_tcgen05:
    return true;
  case PTX_OP_st: case PTX_OP_red: return ptx_has(in, PTX_HAS_ASYNC);
  default: return false;
  }
}

static TraceKind kind_of_memory(const PtxInstr *in) {
  switch (in->op) {
  case PTX_OP_ldmatrix: case PTX_OP_stmatrix: return TRACE_MATRIX;
  case PTX_OP_st: return TRACE_STORE;
  default: return TRACE_LOAD;
  }
}

static TraceKind kind_of_lanes(const PtxInstr *in) {
  switch (in->op) {
  case PTX_OP_shfl: return TRACE_SHUFFLE;
  case PTX_OP_match: return TRACE_MATCH;
  case PTX_OP_redux: return TRACE_REDUX;
  default: return TRACE_VOTE;
  }
}

TraceKind probe_kind(const Probe *probe, int pc) {
  const PtxInstr *in = &probe->module->code[pc];
  const ProbeMove *move = probe_move_of(probe, pc);
  if (move) return (TraceKind)move->trace_kind;
  if (is_opaque(in)) return TRACE_EXEC;
  switch (ptx_op_class((PtxOp)in->op)) {
  case PTX_CLASS_MEM: return kind_of_memory(in);
  case PTX_CLASS_ATOM: return TRACE_ATOM;
  case PTX_CLASS_BRANCH: return TRACE_BRANCH;
  case PTX_CLASS_BARRIER: return in->mode == PTX_BAR_WARP_SYNC ? TRACE_SYNCWARP : TRACE_BARRIER;
  case PTX_CLASS_WARP: return kind_of_lanes(in);
  case PTX_CLASS_MATRIX: return TRACE_MATRIX;
  case PTX_CLASS_FENCE: return TRACE_FENCE;
  case PTX_CLASS_CALL: return TRACE_CALL;
  case PTX_CLASS_EXIT: return in->op == PTX_OP_ret && in->func != probe->entry ? TRACE_RET : TRACE_EXIT;
  default: return TRACE_EXEC;
  }
}

int probe_width(const PtxInstr *in) { return ptx_type_size((PtxType)in->type) * LS_MAX(in->vec, 1); }

PtxSpace probe_space(const Probe *probe, const PtxInstr *in) {
  const PtxOperand *address = ptx_address(in);
  bool named = in->space == PTX_GENERIC && address && address->base == PTX_BASE_VAR;
  return (PtxSpace)(named ? probe->module->vars[address->var].space : in->space);
}

bool probe_returns_nothing(const PtxInstr *in) {
  return in->op == PTX_OP_red || (in->op == PTX_OP_atom && in->operands[0].kind == PTX_OPD_SINK);
}

bool probe_uses_old(const Probe *probe, int pc) {
  const PtxInstr *in = &probe->module->code[pc];
  return in->op == PTX_OP_atom && in->operands[0].kind != PTX_OPD_SINK && !probe->reductions[pc];
}

bool probe_drops_result(const Probe *probe, int pc) {
  const PtxInstr *in = &probe->module->code[pc];
  int site = probe->site_of[pc];
  return site >= 0 && probe->sites[site].kind == SITE_LANES && in->operand_count && in->operands[0].kind == PTX_OPD_SINK;
}

bool probe_is_inner_call(const Probe *probe, const PtxInstr *in) {
  int callee = ptx_callee(in);   // -1: by its address
  return in->op == PTX_OP_call && (callee < 0 || !probe->module->funcs[callee].is_extern);
}

const PtxOperand *probe_members_of(const PtxInstr *in) {
  if (in->op == PTX_OP_activemask || !in->operand_count) return NULL;
  return &in->operands[in->operand_count - 1];
}

const PtxOperand *probe_called_address(const PtxInstr *in) {
  for (int i = 0; i < in->operand_count && in->op == PTX_OP_call; i++)
    if (in->operands[i].kind == PTX_OPD_REG) return &in->operands[i];
  return NULL;
}

static int site_kind(const Probe *probe, int pc) {
  const PtxInstr *in = &probe->module->code[pc];
  bool guarded = in->guard >= 0;
  TraceKind kind = probe_kind(probe, pc);
  const PtxOperand *address;
  if (probe_move_of(probe, pc)) return SITE_MOVE;
  switch (kind) {
  case TRACE_LOAD: case TRACE_STORE:
    address = ptx_address(in);
    if (!address || (probe_space(probe, in) == PTX_PARAM && address->base != PTX_BASE_REG)) break;
    return SITE_ACCESS;
  case TRACE_ATOM: return ptx_address(in) ? SITE_ATOM : -1;
  case TRACE_BRANCH:
    if (in->op == PTX_OP_brx) return SITE_JUMP;
    return guarded ? SITE_BRANCH : -1;
  case TRACE_BARRIER: return SITE_BARRIER;
  case TRACE_SHUFFLE: case TRACE_VOTE: case TRACE_MATCH: case TRACE_REDUX: case TRACE_SYNCWARP: return SITE_LANES;
  default: break;
  }
  return guarded || probe_called_address(in) ? SITE_GUARD : -1;
}

// ---- what this launch can reach ------------------------------------------------------------------------------------

// A kernel that is named is one to launch, in a grid of its own.
static void reach(Probe *probe, int func) {
  const PtxFunc *f = &probe->module->funcs[func];
  if (probe->reached[func] || f->is_extern || (f->is_entry && func != probe->entry)) return;
  probe->reached[func] = 1;
  for (int pc = f->first; pc < f->first + f->count; pc++) {
    const PtxInstr *in = &probe->module->code[pc];
    probe->has_calls |= in->op == PTX_OP_call;
    for (int i = 0; i < in->operand_count; i++)
      if (in->operands[i].kind == PTX_OPD_FUNC) reach(probe, in->operands[i].func);
  }
}

// Functions whose addresses stand in variables.
static void reach_tables(Probe *probe) {
  for (int v = 0; v < probe->module->var_count && probe->has_calls; v++) {
    const PtxVar *var = &probe->module->vars[v];
    for (int i = 0; i < var->reloc_count; i++)
      if (var->relocs[i].func >= 0 && var->relocs[i].func < probe->module->func_count) reach(probe, var->relocs[i].func);
  }
}

static void reach_from(const PtxModule *m, int func, uint8_t *reached) {
  const PtxFunc *f = &m->funcs[func];
  if (reached[func] || f->is_extern) return;
  reached[func] = 1;
  for (int pc = f->first; pc < f->first + f->count; pc++)
    for (int i = 0; i < m->code[pc].operand_count; i++)
      if (m->code[pc].operands[i].kind == PTX_OPD_FUNC) reach_from(m, m->code[pc].operands[i].func, reached);
}

// What the grids run that this one may launch, and those may launch: functions below a kernel that device code names.
static void find_shared_with_children(Probe *probe) {
  const PtxModule *m = probe->module;
  uint8_t *by_children = LS_NEW_ARRAY(probe->arena, uint8_t, m->func_count + 1);
  probe->of_children = LS_NEW_ARRAY(probe->arena, uint8_t, m->func_count + 1);
  if (!sim_may_launch(m, probe->entry)) return;
  for (int pc = 0; pc < m->code_count; pc++)
    for (int i = 0; i < m->code[pc].operand_count; i++) {
      const PtxOperand *o = &m->code[pc].operands[i];
      if (o->kind == PTX_OPD_FUNC && m->funcs[o->func].is_entry) reach_from(m, o->func, by_children);
    }
  for (int f = 0; f < m->func_count; f++) {
    probe->of_children[f] = probe->reached[f] && by_children[f];
    probe->has_children |= probe->of_children[f];
  }
}

// ---- segments ------------------------------------------------------------------------------------------------------

// Do the lanes that ran together before it do so behind it, as far as the code tells?
static bool ends_segment(const Probe *probe, int pc) {
  const PtxInstr *in = &probe->module->code[pc];
  const ProbeMove *move = probe_move_of(probe, pc);
  if (move && move->gathers) return true;
  switch (probe_kind(probe, pc)) {
  case TRACE_BRANCH: case TRACE_BARRIER: case TRACE_SHUFFLE: case TRACE_MATCH: case TRACE_REDUX: case TRACE_SYNCWARP:
  case TRACE_MATRIX: case TRACE_RET: case TRACE_EXIT:
    return true;
  case TRACE_VOTE: return in->op != PTX_OP_activemask;
  case TRACE_CALL: return probe_is_inner_call(probe, in);
  default: return false;
  }
}

static void mark_targets(const Probe *probe, const PtxFunc *f, uint8_t *starts) {
  const PtxModule *m = probe->module;
  starts[f->first] = 1;
  for (int pc = f->first; pc < f->first + f->count; pc++) {
    const PtxInstr *in = &m->code[pc];
    if (ends_segment(probe, pc)) starts[pc + 1] = 1;
    for (int i = 0; i < in->operand_count; i++) {
      const PtxOperand *o = &in->operands[i];
      if (o->kind == PTX_OPD_LABEL) starts[o->target] = 1;
      if (o->kind != PTX_OPD_TABLE || in->op != PTX_OP_brx) continue;
      for (int k = 0; k < m->tables[o->index].target_count; k++) starts[m->tables[o->index].targets[k]] = 1;
    }
  }
}

static int new_slots(Probe *probe, int count) {
  int slot = probe->slots;
  probe->slots += count;
  return slot;
}

static ProbeSite *add_site(Probe *probe, ProbeSite site) {
  LS_PUSH(probe->sites, probe->site_count, probe->site_capacity, site);
  return &probe->sites[probe->site_count - 1];
}

static bool is_param_load(const Probe *probe, int pc) {
  const PtxInstr *in = &probe->module->code[pc];
  return in->op == PTX_OP_ld && probe_space(probe, in) == PTX_PARAM && in->guard < 0;
}

// A segment without a site. Nothing may come between a call and the loads of its results.
static void add_head(Probe *probe, ProbeSegment *s) {
  int pc = s->first;
  bool behind_call = pc > 0 && probe->module->code[pc - 1].op == PTX_OP_call;
  while (behind_call && pc + 1 < s->end && is_param_load(probe, pc)) pc++;
  bool after = behind_call && is_param_load(probe, pc);
  add_site(probe, (ProbeSite){.pc = pc, .from = s->first, .to = s->end, .kind = SITE_HEAD, .group = -1, .after = after});
}

static void find_sites(Probe *probe, ProbeSegment *s, bool enters) {
  int told = s->first;
  if (enters)
    add_site(probe, (ProbeSite){.pc = s->first, .from = s->first, .to = s->first, .kind = SITE_ENTER, .group = -1});
  for (int pc = s->first; pc < s->end; pc++) {
    int kind = site_kind(probe, pc);
    if (kind < 0) continue;
    probe->site_of[pc] = probe->site_count;
    add_site(probe, (ProbeSite){.pc = pc, .from = told, .to = pc + 1, .kind = (uint8_t)kind, .group = -1});
    told = pc + 1;
  }
  if (probe->site_count == s->site) add_head(probe, s);
  probe->sites[probe->site_count - 1].to = s->end;
}

static bool is_loop(const PtxModule *m, int first, int end) {
  const PtxInstr *last = &m->code[end - 1];
  return last->op == PTX_OP_bra && last->guard >= 0 && last->operands[0].kind == PTX_OPD_LABEL &&
         last->operands[0].target == first;
}

static void add_segment(Probe *probe, int first, int end, bool enters) {
  ProbeSegment s = {.first = first, .end = end, .site = probe->site_count, .slot = new_slots(probe, SEGMENT_COUNTS)};
  s.loops = !enters && is_loop(probe->module, first, end);
  find_sites(probe, &s, enters);
  s.site_count = probe->site_count - s.site;
  for (int i = s.site; i < probe->site_count; i++) probe->sites[i].segment = probe->segment_count;
  for (int pc = first; pc < end; pc++) probe->segment_of[pc] = probe->segment_count;
  LS_PUSH(probe->segments, probe->segment_count, probe->segment_capacity, s);
}

static void cut_function(Probe *probe, int func) {
  const PtxFunc *f = &probe->module->funcs[func];
  uint8_t *starts = ls_alloc((size_t)probe->module->code_count + 2);
  mark_targets(probe, f, starts);
  for (int pc = f->first, end; pc < f->first + f->count; pc = end) {
    for (end = pc + 1; end < f->first + f->count && !starts[end];) end++;
    add_segment(probe, pc, end, pc == f->first && func != probe->entry);
  }
  free(starts);
}

// ---- groups --------------------------------------------------------------------------------------------------------

bool probe_counts_wavefronts(const Probe *probe, const ProbeGroup *g) {
  bool banked = g->kind == GROUP_ACCESS && g->space == PTX_SHARED && g->what != PROBE_ATOM && g->width <= 4;
  return banked && !g->part && probe->module->code[g->first_pc].guard < 0;
}

bool probe_counts_words(const Probe *probe, const ProbeGroup *g) {
  bool local = g->kind == GROUP_ACCESS && g->space == PTX_LOCAL && g->what != PROBE_ATOM && !g->affine;
  return local && !g->part && probe->module->code[g->first_pc].guard < 0;
}

int probe_phase_slot(const ProbeGroup *g) {
  return g->slot + PROBE_SPACE_COUNTS * (g->space == PTX_GENERIC ? PROBE_SPACES : 1);
}

int probe_group_slots(const ProbeGroup *g) {
  switch ((GroupKind)g->kind) {
  case GROUP_ACCESS:
    return probe_phase_slot(g) - g->slot + (g->affine && g->affine->phases > 1 ? g->affine->phases : 0);
  case GROUP_GUARD: return 2;
  case GROUP_BRANCH: return 1;
  default: return PROBE_TURN_COUNTS;
  }
}

// Does an instruction of first..end-1 change the register?
static bool is_changed(const PtxModule *m, int first, int end, int reg) {
  for (int pc = first; pc < end && reg >= 0; pc++)
    if (ptx_defines(&m->code[pc], reg)) return true;
  return false;
}

static bool same_guard(const PtxModule *m, int a, int b) {
  const PtxInstr *x = &m->code[a], *y = &m->code[b];
  return x->guard == y->guard && (x->guard < 0 || x->guard_negate == y->guard_negate) && !is_changed(m, a, b, x->guard);
}

static bool same_places(const PtxModule *m, const ProbeGroup *g, int pc) {
  const PtxOperand *a = g->address, *b = ptx_address(&m->code[pc]);
  if (a->base != b->base || (b->offset - a->offset) % affine_unit(g)) return false;
  if (a->base == PTX_BASE_VAR) return a->var == b->var;
  return a->base == PTX_BASE_REG && a->reg == b->reg && !is_changed(m, g->first_pc, pc, a->reg);
}

static ProbeGroup access_group(const Probe *probe, AffineRegs *affine_regs, int pc) {
  const PtxInstr *in = &probe->module->code[pc];
  TraceKind kind = probe_kind(probe, pc);
  PtxSpace space = probe_space(probe, in);
  return (ProbeGroup){.kind = GROUP_ACCESS,
                      .space = (uint8_t)(space == PTX_GENERIC ? affine_space(affine_regs, in) : space),
                      .what = kind == TRACE_ATOM ? PROBE_ATOM : kind == TRACE_STORE ? PROBE_STORE : PROBE_LOAD,
                      .width = (uint8_t)LS_MIN(probe_width(in), 255),
                      .address = ptx_address(in),
                      .first_pc = pc};
}

static bool members_vary(AffineRegs *affine_regs, const PtxInstr *in) {
  if (in->op == PTX_OP_activemask || !in->operand_count) return false;
  const PtxOperand *members = &in->operands[in->operand_count - 1];
  bool known = members->kind == PTX_OPD_REG && affine_uniform(affine_regs, in->func, members->reg);
  return members->kind != PTX_OPD_IMM && !known;
}

static bool wanted_group(const Probe *probe, AffineRegs *affine_regs, const ProbeSite *site, ProbeGroup *g) {
  const PtxInstr *in = &probe->module->code[site->pc];
  *g = (ProbeGroup){.kind = GROUP_GUARD, .first_pc = site->pc};
  switch ((SiteKind)site->kind) {
  case SITE_HEAD: case SITE_ENTER: return false;
  case SITE_ACCESS: case SITE_ATOM:
    *g = access_group(probe, affine_regs, site->pc);
    return g->space != PTX_PARAM || in->guard >= 0;
  case SITE_BRANCH: g->kind = GROUP_BRANCH; return !affine_uniform(affine_regs, in->func, in->guard);
  case SITE_JUMP: g->kind = GROUP_TURNS; return true;
  case SITE_MOVE: g->kind = GROUP_MOVE; return true;
  case SITE_LANES:
    if (members_vary(affine_regs, in)) { g->kind = GROUP_TURNS; return true; }
    return in->guard >= 0;
  default:
    if (probe_called_address(in)) g->kind = GROUP_TURNS;
    return in->guard >= 0 || g->kind == GROUP_TURNS;
  }
}

// Banks of up to a word are the same for loads and stores.
static bool same_what(const ProbeGroup *g, const ProbeGroup *wanted) {
  bool either = g->space == PTX_SHARED && g->width <= 4 && g->what != PROBE_ATOM && wanted->what != PROBE_ATOM;
  return g->what == wanted->what || either;
}

static bool fits_group(const Probe *probe, AffineRegs *affine_regs, const ProbeGroup *g, const ProbeGroup *wanted) {
  const PtxModule *m = probe->module;
  if (g->kind != wanted->kind || !same_guard(m, g->first_pc, wanted->first_pc)) return false;
  if (g->kind == GROUP_GUARD) return true;
  bool fits = g->kind == GROUP_ACCESS && g->space == wanted->space && same_what(g, wanted) && g->width == wanted->width;
  return fits && (same_places(m, g, wanted->first_pc) || probe_is_alike(probe, affine_regs, g, wanted->first_pc));
}

// ---- accesses of loops ---------------------------------------------------------------------------------------------

// What moves the address of an access in a loop: no instruction (-1), one that adds a number or a register that the loop
// leaves alone, or others (-2).
static int step_of(const PtxModule *m, const ProbeSegment *s, const PtxOperand *address) {
  int step = -1;
  if (address->base != PTX_BASE_REG) return -1;
  for (int pc = s->first; pc < s->end; pc++) {
    const PtxInstr *in = &m->code[pc];
    if (!ptx_defines(in, address->reg)) continue;
    bool adds = in->op == PTX_OP_add && in->guard < 0 && !ptx_type_is_float((PtxType)in->type) && !(in->flags & PTX_F_CC);
    if (step >= 0 || !adds || in->operands[1].kind != PTX_OPD_REG || in->operands[1].reg != address->reg) return -2;
    const PtxOperand *by = &in->operands[2];
    if (by->kind != PTX_OPD_IMM && (by->kind != PTX_OPD_REG || is_changed(m, s->first, s->end, by->reg))) return -2;
    step = pc;
  }
  return step;
}

// The number that is added each time, if it is one.
static bool step_number(const PtxModule *m, AffineRegs *affine_regs, int pc, int64_t *number) {
  const PtxOperand *by = &m->code[pc].operands[2];
  if (by->kind == PTX_OPD_REG) return affine_constant(affine_regs, m->code[pc].func, by->reg, number);
  *number = (int64_t)by->imm;
  return true;
}

static GroupLate how_late(const PtxModule *m, AffineRegs *affine_regs, const ProbeSegment *s, ProbeGroup *g) {
  int64_t number = 0;
  if (!s->loops || m->code[g->first_pc].guard >= 0) return LATE_NOT;
  g->step_pc = step_of(m, s, g->address);
  if (g->step_pc == -2) return LATE_NOT;
  bool even = g->step_pc < 0 || step_number(m, affine_regs, g->step_pc, &number);
  if (even && number % affine_unit(g) == 0) return LATE_ONCE;
  bool walks = g->space == PTX_GLOBAL && g->what != PROBE_ATOM;
  if (!walks || ptx_type_size((PtxType)m->code[g->step_pc].type) != 8) return LATE_NOT;
  if (!even || (g->affine && g->affine->phases > 1)) g->affine = NULL;   // it changes from round to round
  return LATE_ROUNDS;
}

static int group_for(Probe *probe, AffineRegs *affine_regs, const ProbeSegment *s, int first_group,
                     const ProbeGroup *wanted) {
  for (int i = first_group; i < probe->group_count; i++)
    if (fits_group(probe, affine_regs, &probe->groups[i], wanted)) return i;
  LS_PUSH(probe->groups, probe->group_count, probe->group_capacity, *wanted);
  ProbeGroup *g = &probe->groups[probe->group_count - 1];
  if (g->kind == GROUP_ACCESS && g->space == PTX_PARAM) *g = (ProbeGroup){.kind = GROUP_GUARD, .first_pc = g->first_pc};
  if (g->kind == GROUP_ACCESS) {
    g->affine = affine_of(affine_regs, g);
    g->late = (uint8_t)how_late(probe->module, affine_regs, s, g);
  }
  g->slot = probe->slots;
  probe->slots += g->kind == GROUP_MOVE ? probe_lay_move(probe, affine_regs, g->first_pc) : probe_group_slots(g);
  return probe->group_count - 1;
}

static void group_sites(Probe *probe) {
  AffineRegs *affine_regs = affine_new(probe);
  for (int s = 0; s < probe->segment_count; s++) {
    const ProbeSegment *segment = &probe->segments[s];
    int first_group = probe->group_count;
    for (int i = 0; i < segment->site_count; i++) {
      ProbeSite *site = &probe->sites[segment->site + i];
      ProbeGroup wanted;
      if (site->kind == SITE_ACCESS && probe->record != PROBE_RECORD_NONE)
        site->shape = affine_shape(affine_regs, &probe->module->code[site->pc]);
      if (wanted_group(probe, affine_regs, site, &wanted))
        site->group = group_for(probe, affine_regs, segment, first_group, &wanted);
    }
  }
  affine_free(affine_regs);
}

// ---- variables -----------------------------------------------------------------------------------------------------

static bool is_used(const Probe *probe, const PtxVar *var) { return var->func < 0 || probe->reached[var->func]; }

static void mark_used(const PtxOperand *o, uint8_t *used) {
  if (o->kind == PTX_OPD_VAR || (o->kind == PTX_OPD_MEM && o->base == PTX_BASE_VAR)) used[o->var] = 1;
  for (int i = 0; i < o->elem_count; i++) mark_used(&o->elems[i], used);
}

bool probe_is_late(const Probe *probe, int var) {
  const PtxVar *v = &probe->module->vars[var];
  return v->func >= 0 && v->space != PTX_PARAM && (v->nested || v->from > probe->module->funcs[v->func].first);
}

// Variables that the code names.
static uint8_t *named_variables(const Probe *probe) {
  const PtxModule *m = probe->module;
  uint8_t *used = ls_alloc((size_t)m->var_count + 1);
  for (int pc = 0; pc < m->code_count; pc++)
    for (int i = 0; i < m->code[pc].operand_count && probe->reached[m->code[pc].func]; i++)
      mark_used(&m->code[pc].operands[i], used);
  return used;
}

static bool is_told(const Probe *probe, int v) {
  const PtxVar *var = &probe->module->vars[v];
  const PtxFunc *entry = &probe->module->funcs[probe->entry];
  switch (var->space) {
  case PTX_SHARED: case PTX_CONST: case PTX_GLOBAL: return is_used(probe, var);
  case PTX_LOCAL: return var->func < 0 || var->func == probe->entry;
  case PTX_PARAM: return entry->param_count && entry->params[0].var == v;
  default: return false;
  }
}

// Those whose addresses ptxas and the driver choose, and an event's reader needs.
static void find_variables(Probe *probe) {
  const PtxModule *m = probe->module;
  uint8_t *named = named_variables(probe);
  probe->variables = LS_NEW_ARRAY(probe->arena, int, m->var_count + 1);
  for (int v = 0; v < m->var_count; v++) {
    const PtxVar *var = &m->vars[v];
    bool framed = var->space == PTX_LOCAL && var->func >= 0 && var->func != probe->entry && !probe_is_late(probe, v);
    if (framed && probe->frame_var[var->func] < 0) probe->frame_var[var->func] = v;
    if (named[v] && is_told(probe, v)) probe->variables[probe->variable_count++] = v;
  }
  free(named);
}

static void lay_params(Probe *probe, int func, uint64_t *at) {
  for (int v = 0; v < probe->module->var_count; v++) {
    const PtxVar *var = &probe->module->vars[v];
    if (var->space != PTX_PARAM || var->func != func) continue;
    probe->param_at[v] = *at = ls_align_up(*at, (uint64_t)LS_MAX(var->align, 8));
    *at += (uint64_t)LS_MAX(var->size, 0);
  }
}

// Parameters of functions have places of their own, as in the emulator (sim/core/memory.c).
static void find_params(Probe *probe) {
  uint64_t at = 0;
  const PtxFunc *entry = &probe->module->funcs[probe->entry];
  probe->param_at = LS_NEW_ARRAY(probe->arena, uint64_t, probe->module->var_count + 1);
  for (int f = 0; f < probe->module->func_count; f++) {
    if (!probe->reached[f]) continue;
    at = ls_align_up(at, 16);
    if (f != probe->entry) lay_params(probe, f, &at);
  }
  lay_params(probe, probe->entry, &at);
  for (int i = 0; i < entry->param_count; i++)
    if (entry->params[i].var >= 0) probe->param_at[entry->params[i].var] = (uint64_t)entry->params[i].offset;
}

// ---- all of it -----------------------------------------------------------------------------------------------------

static void refuse(const Probe *probe, int pc, const char *why, int *refused, LsErr *err) {
  const PtxInstr *in = &probe->module->code[pc];
  LsText text = {0};
  if ((*refused)++ == 0)
    ls_fail_at(err, LS_EREQUEST, probe->module->path ? probe->module->path : "", in->line, in->col,
               "this kernel cannot be instrumented:");
  ptx_print_instr(probe->module, pc, &text);
  if (*refused <= 12 && err) ls_err_append(err, "  line %d: %s  -- %s", in->line, ls_text_str(&text), why);
  ls_text_free(&text);
}

static const char *why_not(const Probe *probe, int pc) {
  const PtxInstr *in = &probe->module->code[pc];
  bool lanes = in->op == PTX_OP_shfl || in->op == PTX_OP_vote;
  if (lanes && !(in->flags & PTX_F_SYNC)) return "without .sync, which needs a target below sm_70";
  if (in->op == PTX_OP_setmaxnreg) return "it counts on the number of registers that was compiled for";
  return NULL;
}

static bool can_do(const Probe *probe, LsErr *err) {
  int refused = 0;
  for (int f = 0; f < probe->module->func_count; f++) {
    const PtxFunc *func = &probe->module->funcs[f];
    if (!probe->reached[f]) continue;
    for (int pc = func->first; pc < func->first + func->count; pc++) {
      const char *why = why_not(probe, pc);
      if (why) refuse(probe, pc, why, &refused, err);
    }
  }
  return refused == 0;
}

bool probe_find_sites(Probe *probe, LsErr *err) {
  const PtxModule *m = probe->module;
  probe->reached = LS_NEW_ARRAY(probe->arena, uint8_t, m->func_count + 1);
  probe->reductions = ptx_find_reductions(m);
  probe->frame_var = LS_NEW_ARRAY(probe->arena, int, m->func_count + 1);
  probe->site_of = LS_NEW_ARRAY(probe->arena, int, m->code_count + 1);
  probe->segment_of = LS_NEW_ARRAY(probe->arena, int, m->code_count + 1);
  probe->carry = LS_NEW_ARRAY(probe->arena, bool, m->code_count + 1);
  probe->cfgs = LS_NEW_ARRAY(probe->arena, PtxCfg *, m->func_count + 1);
  for (int pc = 0; pc < m->code_count; pc++) probe->site_of[pc] = probe->segment_of[pc] = -1;
  for (int f = 0; f < m->func_count; f++) probe->frame_var[f] = -1;
  reach(probe, probe->entry);
  reach_tables(probe);
  find_shared_with_children(probe);
  if (!can_do(probe, err)) return false;
  probe_find_moves(probe);
  for (int f = 0; f < m->func_count; f++) {
    if (!probe->reached[f]) continue;
    probe->cfgs[f] = ptx_cfg_new(m, f, probe->arena);
    cut_function(probe, f);
    probe_find_carry(probe, f);
  }
  group_sites(probe);
  probe_find_held(probe);
  find_variables(probe);
  find_params(probe);
  return true;
}

int probe_events_of(const Probe *probe, const ProbeSite *site) {
  int events = site->kind == SITE_ENTER;
  for (int pc = site->from; pc < site->to; pc++) events += !probe_is_inner_call(probe, &probe->module->code[pc]);
  return LS_MAX(events, 1);
}
