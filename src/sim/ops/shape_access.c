// shape_access.c: accesses that are like one before: one look at 32 addresses, and the bytes are moved.
//
// What is not like any shape known goes the way of all accesses (exec_mem.c), and is learnt there. Where somebody wants
// to know more of an access than sums (checks, claims of threads, a recording, a replay), that is asked of the same
// functions as there, with what is known of the shape.
#include "sim/ops/shape_access.h"
#include <stdlib.h>
#include <string.h>
#include "sim/check/quick.h"
#include "sim/core/dots.h"
#include "sim/core/event.h"
#include "sim/core/ownership.h"
#include "sim/core/place.h"
#include "sim/core/sums.h"
#include "sim/ops/access.h"

enum { PATIENCE = 16, PATIENCE_AGAIN = 4, SKIP = 60, MOST_NUMBERS = 1 << 24 };

// ---- one that is like it -------------------------------------------------------------------------------------------

static uint8_t *find_in_others(SimExec *exec, SimShapes *shapes, uint32_t mask) {
  for (int k = 1; k < shapes->count; k++) {
    SimShape *s = shapes->ways[k];
    uint8_t *place = s->like.mask == mask ? s->find(exec->regs, &s->like, exec->sum_step) : NULL;
    if (!place) continue;
    for (; k > 0; k--) shapes->ways[k] = shapes->ways[k - 1];
    exec->fronts[exec->pc] = shapes->ways[0] = s;
    exec->shape_version++;
    return place;
  }
  return NULL;
}

// ---- moving --------------------------------------------------------------------------------------------------------

static void move_elements(SimExec *exec, const SimMem *m, const SimShape *s, uint8_t *place) {
  for (int k = 0; k < m->vec; k++) s->move(exec->regs + m->data[k], place + k * m->elem, s->places, s->like.mask);
}

// Of elements that are wider in a register than in memory.
static void move_extended(SimExec *exec, const SimInst *inst, const SimShape *s, SimSpan *span, uint64_t at) {
  exec->lane_ops->moved(exec->addr, s->like.apart, at);
  if (inst->kind == TRACE_LOAD) sim_load_all(exec, inst->more, span, &s->fit, s->like.mask);
  else sim_store_all(exec, inst->more, span, &s->fit, s->like.mask);
}

// ---- with somebody who looks on ------------------------------------------------------------------------------------

static uint64_t bytes_before(const SimExec *exec, uint64_t stride) {
  return (uint64_t)sim_warp_index(exec) * SIM_LANES * stride;
}

static SimSpan span_of(const SimExec *exec, const SimShape *s) {
  SimSpan span = s->span;
  if (!span.stride) return span;
  uint64_t before = bytes_before(exec, span.stride);
  span.bytes += before;
  span.origin += before;
  if (span.init) span.init += before;
  return span;
}

static void emit(SimExec *exec, const SimInst *inst, const SimShape *s) {
  const SimMem *m = inst->more;
  if (exec->sums_up && !exec->recording) { sim_skip_event(exec); return; }
  TraceEvent *e = sim_event(exec, inst, s->like.mask);
  e->space = s->space;
  e->width = m->width;
  e->addr = exec->addr;
  e->shape = s->number;
  if (s->generic) e->flags |= TRACE_GENERIC_ACCESS;
  if (exec->sums_up) sim_emit_summed(exec); else sim_emit(exec);
}

// In storage of the lanes' own: arguments and results of calls, which nobody checks, and local memory unchecked.
static bool is_nobodys(const SimExec *exec, const SimShape *s) {
  return s->is_own && exec->bare && !exec->block.alert && !(exec->checks && s->span.init);
}

static SimNext access_own(SimExec *exec, const SimShape *s, uint8_t *place) {
  sim_skip_event(exec);
  exec->pc++;
  s->move(exec->regs + s->data, place + bytes_before(exec, s->span.stride), s->places, s->like.mask);
  return SIM_GO;
}

static inline uint64_t address_at(const SimShape *s, const uint8_t *place) {
  return (uint64_t)((uintptr_t)place - s->like.origin) - s->shift;
}

// In a line that has no room, or where there is none.
__attribute__((noinline)) static void tell_alone(SimExec *exec, const SimInst *inst, const SimShape *s, uint64_t at) {
  if (exec->line.from < 0) {
    exec->lane_ops->moved(exec->addr, s->like.apart, at);
    emit(exec, inst, s);
    return;
  }
  *sim_line_act(exec, inst, exec->pc) = s->act;
  exec->line.acts[exec->line.count - 1].at = at;
  sim_skip_event(exec);
}

// Calls nobody that comes back, so saves no registers.
__attribute__((noinline)) static void tell(SimExec *exec, const SimInst *inst, const SimShape *s,
                                           const uint8_t *place) {
  SimLine *line = &exec->line;
  uint64_t at = address_at(s, place);
  if (line->from < 0 || line->count == SIM_LINE_ACTS) {
    tell_alone(exec, inst, s, at);
    return;
  }
  TraceAct *act = &line->acts[line->count++];
  *act = s->act;
  act->at = at;
  sim_skip_event(exec);
}

__attribute__((noinline)) static SimNext access_seen(SimExec *exec, const SimInst *inst, const SimShape *s,
                                                     uint8_t *place) {
  const SimMem *m = inst->more;
  if (is_nobodys(exec, s)) return access_own(exec, s, place);
  uint64_t at = address_at(s, place);
  SimSpan span = span_of(exec, s);
  sim_line_pass(exec);
  place += span.origin - s->span.origin;
  exec->reported_pc = sim_reported_pc(exec, exec->warp, exec->group, exec->pc);
  exec->lane_ops->moved(exec->addr, s->like.apart, at);
  if (span.stride) exec->lane_ops->moved(exec->strided, s->places, at + s->like.first * span.stride);
  emit(exec, inst, s);
  if (!sim_access_judge(exec, inst, s->like.mask, &span, &s->fit, (TraceSpace)s->space)) return SIM_YIELD;
  if (s->is_store && (exec->hooks || exec->block.alert)) sim_store_all(exec, m, &span, &s->fit, s->like.mask);
  else if (s->move) move_elements(exec, m, s, place);
  else move_extended(exec, inst, s, &span, at);
  if (exec->checks) sim_access_check_bytes(exec, inst, &span, &s->fit, s->like.mask, (TraceSpace)s->space);
  exec->pc++;
  return SIM_GO;
}

// Not like the last one.
__attribute__((noinline)) static SimNext access_another(SimExec *exec, const SimInst *inst, uint32_t mask) {
  sim_catch_up(exec, inst->pc);
  SimShapes *shapes = &exec->shapes[exec->pc];
  uint8_t *place = exec->fronts[exec->pc] != exec->stranger ? find_in_others(exec, shapes, mask) : NULL;
  sim_line_pass(exec);
  return place ? access_seen(exec, inst, shapes->ways[0], place) : sim_exec_mem(exec, inst, mask);
}

// Like the last one. Somebody may want to know more of it than sums.
__attribute__((always_inline)) static inline SimNext access_found(SimExec *exec, const SimInst *inst, SimShape *s,
                                                                   uint8_t *place) {
  sim_catch_up(exec, inst->pc);
  bool is_seen = !s->is_plain || (s->is_store && (exec->block.alert || exec->hooks));
  if (is_seen) return access_seen(exec, inst, s, place);
  if (s->is_claimed && exec->owner_number && !sim_ownership_claim_shape(exec, s, place)) return SIM_YIELD;
  if (exec->checks && !sim_quick_passes(exec, s, place)) return access_seen(exec, inst, s, place);
  if (exec->bare) sim_skip_event(exec); else tell(exec, inst, s, place);
  exec->pc++;
  s->move(exec->regs + s->data, place, s->places, s->like.mask);
  return SIM_GO;
}

SimNext sim_exec_shaped(SimExec *exec, const SimInst *inst, uint32_t mask) {
  SimShape *s = exec->fronts[inst->pc];
  uint8_t *place = s->like.mask == mask ? s->find(exec->regs, &s->like, exec->sum_step) : NULL;
  return place ? access_found(exec, inst, s, place) : access_another(exec, inst, mask);
}

// What makes its addresses may have been left out.
__attribute__((noinline)) static SimNext access_made(SimExec *exec, const SimInst *inst, uint32_t mask) {
  const SimIndexed *x = ((const SimMem *)inst->more)->indexed;
  if (!x) return access_another(exec, inst, mask);
  x->product->op.run(exec->regs, &x->product->op, mask);
  x->sum->op.run(exec->regs, &x->sum->op, mask);
  return sim_exec_shaped(exec, inst, mask);
}

// ---- inside a line that is executed whole --------------------------------------------------------------------------

__attribute__((noinline)) static SimNext access_asked(SimExec *exec, const SimInst *inst, SimShape *s, uint8_t *place) {
  return access_found(exec, inst, s, place);
}

__attribute__((always_inline)) static inline SimNext lean_found(SimExec *exec, const SimInst *inst, SimShape *s,
                                                                uint8_t *place) {
  if (s->cares & exec->looks || (s->is_store && exec->block.alert)) {
    bool is_told = exec->looks & SIM_LOOKS_TOLD;
    if (is_told || !sim_quick_reads(exec, s, place, inst->pc)) return access_asked(exec, inst, s, place);
  }
  s->move(exec->regs + s->data, place, s->places, s->like.mask);
  return SIM_GO;
}

static SimNext lean_shaped(SimExec *exec, const SimInst *inst, uint32_t mask) {
  SimShape *s = exec->fronts[inst->pc];
  if (s->like.mask != mask) return access_made(exec, inst, mask);
  uint8_t *place = s->find_lean(exec->regs, &s->like, exec->sum_step);
  return place ? lean_found(exec, inst, s, place) : access_made(exec, inst, exec->active);
}

// ---- twins: one access has told how far the lanes of others are apart (analysis/twins.c) ---------------------------

// All lanes were compared, and are as s says. If a twin in front was like its own shape in this pass, both shapes are
// equally far apart.
static void note_row(SimExec *exec, const SimMem *m, SimShape *s) {
  uint64_t *known = &exec->kin[m->kin], row = *known - exec->pass;
  if (!m->leads && row && row < SIM_PASS) s->row = row;
  else *known = s->row ? exec->pass + s->row : 0;
}

__attribute__((noinline)) static SimNext lean_compared(SimExec *exec, const SimInst *inst, uint32_t mask) {
  const SimMem *m = inst->more;
  SimShape *s = exec->fronts[inst->pc];
  uint8_t *place = s->like.mask == mask ? s->find_lean(exec->regs, &s->like, exec->sum_step) : NULL;
  if (!place && m->leads) exec->kin[m->kin] = 0;
  if (!place) return access_made(exec, inst, mask);
  note_row(exec, m, s);
  return lean_found(exec, inst, s, place);
}

static bool is_known(const SimExec *exec, const SimShape *s) {
  return exec->kin[s->kin] == exec->pass + s->row;
}

static SimNext lean_twin32(SimExec *exec, const SimInst *inst, uint32_t mask) {
  SimShape *s = exec->fronts[inst->pc];
  if (!is_known(exec, s)) return lean_compared(exec, inst, mask);
  uint32_t base = *sim_u32(exec->regs, s->like.own);
  uint8_t *place = sim_like_at(&s->like, base + (uint32_t)s->like.offset, exec->sum_step);
  return place ? lean_found(exec, inst, s, place) : lean_compared(exec, inst, mask);
}

static SimNext lean_twin64(SimExec *exec, const SimInst *inst, uint32_t mask) {
  SimShape *s = exec->fronts[inst->pc];
  if (!is_known(exec, s)) return lean_compared(exec, inst, mask);
  uint8_t *place = sim_like_at(&s->like, *sim_u64(exec->regs, s->like.own) + s->like.offset, exec->sum_step);
  return place ? lean_found(exec, inst, s, place) : lean_compared(exec, inst, mask);
}

static SimNext lean_twin_indexed(SimExec *exec, const SimInst *inst, uint32_t mask) {
  SimShape *s = exec->fronts[inst->pc];
  if (!is_known(exec, s)) return lean_compared(exec, inst, mask);
  uint8_t *place = sim_like_indexed(exec->regs, &s->like, *sim_u32(exec->regs, s->like.own), exec->sum_step);
  return place ? lean_found(exec, inst, s, place) : lean_compared(exec, inst, mask);
}

// ---- a warp whose lanes are as far apart in every block (analysis/apart.c) ------------------------------------------

static inline bool may_be_apart(const SimExec *exec, SimApart how) {
  return how == SIM_APART || !exec->warp->has_parted;
}

__attribute__((noinline)) static SimNext lean_first(SimExec *exec, const SimInst *inst, uint32_t mask) {
  const SimMem *m = inst->more;
  SimShape *s = exec->fronts[inst->pc];
  uint8_t *place = s->like.mask == mask ? s->find_lean(exec->regs, &s->like, exec->sum_step) : NULL;
  if (!place) return access_made(exec, inst, mask);
  if (may_be_apart(exec, (SimApart)m->apart)) s->like.apart_in |= 1u << sim_warp_index(exec);
  return lean_found(exec, inst, s, place);
}

#define OWN(Register) (*(const Register *)(const void *)(exec->regs + s->like.own))
#define AT_32 sim_like_at(&s->like, OWN(uint32_t) + (uint32_t)s->like.offset, exec->sum_step)
#define AT_64 sim_like_at(&s->like, OWN(uint64_t) + s->like.offset, exec->sum_step)
#define AT_INDEX sim_like_indexed(exec->regs, &s->like, OWN(uint32_t), exec->sum_step)
#define LEAN_APART(name, at, how)                                                             \
  static SimNext name(SimExec *exec, const SimInst *inst, uint32_t mask) {                    \
    SimShape *s = exec->fronts[inst->pc];                                                     \
    bool is_known = s->like.apart_in >> sim_warp_index(exec) & 1 && s->like.mask == mask;     \
    uint8_t *place = is_known && may_be_apart(exec, how) ? at : NULL;                         \
    return place ? lean_found(exec, inst, s, place) : lean_first(exec, inst, mask);           \
  }
LEAN_APART(lean_apart32, AT_32, SIM_APART)
LEAN_APART(lean_apart64, AT_64, SIM_APART)
LEAN_APART(lean_apart_indexed, AT_INDEX, SIM_APART)
LEAN_APART(lean_together32, AT_32, SIM_APART_TOGETHER)
LEAN_APART(lean_together64, AT_64, SIM_APART_TOGETHER)
LEAN_APART(lean_together_indexed, AT_INDEX, SIM_APART_TOGETHER)

static SimHandler lean_of_apart(const SimMem *m) {
  static const SimHandler leans[][3] = {{lean_apart32, lean_apart64, lean_apart_indexed},
                                        {lean_together32, lean_together64, lean_together_indexed}};
  return leans[m->apart == SIM_APART_TOGETHER][m->indexed ? 2 : m->base_bytes == 8];
}

static SimHandler lean_of(const SimInst *inst) {
  const SimMem *m = inst->more;
  if (inst->handler != sim_exec_shaped) return inst->handler;   // it has operands that are sums
  if (m->apart == SIM_APART || (m->apart && !m->kin)) return lean_of_apart(m);
  if (!m->kin) return lean_shaped;
  if (m->leads) return lean_compared;
  return m->indexed ? lean_twin_indexed : m->base_bytes == 4 ? lean_twin32 : lean_twin64;
}

void sim_shaped_choose(SimProgram *program) {
  for (int pc = 0; pc < program->module->code_count; pc++)
    if (program->code[pc].shaped) program->code[pc].lean = lean_of(&program->code[pc]);
}

// ---- learning ------------------------------------------------------------------------------------------------------

static SimForm form_of(const SimMem *m, const SimSpan *span, const SimFit *fit, uint32_t mask) {
  if (mask != SIM_FULL) return SIM_FORM_SOME;
  if (span->stride) return SIM_FORM_ANY;
  if (fit->half_uniform) return fit->halves_agree ? SIM_FORM_SAME : SIM_FORM_HALF_SAME;
  if (m->vec > 1) return SIM_FORM_ANY;
  return fit->contiguous ? SIM_FORM_ROW : fit->half_contiguous ? SIM_FORM_HALF_ROWS : SIM_FORM_ANY;
}

// NULL: an element is no word as a register is.
static SimMove move_of(const SimExec *exec, const SimInst *inst, SimForm form) {
  const SimMem *m = inst->more;
  bool plain = m->extend == SIM_EXT_ZERO && (m->elem == 4 || m->elem == 8);
  for (int k = 0; k < m->vec; k++) plain = plain && m->data_bytes[k] == m->elem;
  if (!plain) return NULL;
  return inst->kind == TRACE_LOAD ? exec->lane_ops->load[m->elem == 8][form] :
      exec->lane_ops->store[m->elem == 8][form];
}

static uint64_t address_of_first(const SimExec *exec, const SimMem *m, uint32_t first) {
  if (m->base_bytes == 8) return sim_u64(exec->regs, m->base)[first] + (uint64_t)m->offset;
  if (m->base_bytes == 4) return (uint32_t)(sim_u32(exec->regs, m->base)[first] + (uint32_t)m->offset);
  return (uint64_t)m->offset;
}

static uint32_t next_number(SimExec *exec) {
  if (exec->shape_count >= MOST_NUMBERS - 1) return 0;
  return (uint32_t)exec->owner_number << 24 | ++exec->shape_count;
}

// Where its first lane may be, for all lanes to be inside.
static void set_bounds(SimShape *s, const SimMem *m, uint32_t mask) {
  int64_t low = 0, high = 0;
  SIM_FOR_LANES(i, mask) {
    low = LS_MIN(low, (int64_t)s->like.apart[i]);
    high = LS_MAX(high, (int64_t)s->like.apart[i]);
  }
  s->like.from = s->span.base - (uint64_t)low + s->shift;
  s->like.room = s->span.size - m->width - (uint64_t)(high - low);
}

static void set_distances(SimShape *s, const SimExec *exec, uint32_t mask, uint64_t stride) {
  uint64_t first = (uint64_t)__builtin_ctz(mask), at = exec->addr[first];
  for (uint64_t i = 0; i < SIM_LANES; i++) {
    bool takes_part = mask >> i & 1;
    s->like.apart[i] = takes_part ? exec->addr[i] - at : 0;
    s->like.narrow[i] = (uint32_t)s->like.apart[i];
    s->places[i] = takes_part ? s->like.apart[i] + (i - first) * stride : 0;
  }
  s->like.first = (uint32_t)first;
  s->like.mask = mask;
}

// As it is for warp 0.
static void set_span(SimShape *s, const SimExec *exec, const SimSpan *span) {
  uint64_t before = bytes_before(exec, span->stride);
  s->span = *span;
  s->span.bytes -= before;
  s->span.origin -= before;
  if (span->init) s->span.init -= before;
}

static int64_t wide_index(const SimExec *exec, const SimIndexed *x, uint32_t lane) {
  uint32_t index = sim_u32(exec->regs, x->index)[lane];
  return x->is_signed ? (int32_t)index : (int64_t)index;
}

static uint8_t *find_nowhere(const uint8_t *regs, SimLike *like, uint64_t step) {
  (void)regs, (void)like, (void)step;
  return NULL;
}

// What the indexes tell by themselves: they are as far apart as before, and none wraps.
static void learn_index(SimShape *s, const SimExec *exec, const SimIndexed *x, uint32_t mask) {
  SimLike *like = &s->like;
  int64_t first = wide_index(exec, x, like->first), low = 0, high = 0;
  s->find_lean = find_nowhere;
  SIM_FOR_LANES(i, mask) {
    int64_t apart = wide_index(exec, x, i) - first;
    like->narrow[i] = (uint32_t)apart;
    low = LS_MIN(low, apart);
    high = LS_MAX(high, apart);
  }
  if (low < INT32_MIN || high > INT32_MAX) return;
  int64_t least = x->is_signed ? INT32_MIN : 0, most = x->is_signed ? INT32_MAX : UINT32_MAX;
  like->start = x->start;
  like->index = x->index;
  like->scale = x->scale;
  like->is_signed = x->is_signed;
  like->index_from = (uint64_t)(least - low);
  like->index_room = (uint64_t)(most - high - (least - low));
  s->find_lean = exec->lane_ops->find[3][mask != SIM_FULL];
}

static bool are_equally_apart(const SimShape *a, const SimShape *b, bool narrow) {
  const SimLike *x = &a->like, *y = &b->like;
  return x->mask == y->mask && !(narrow ? memcmp(x->narrow, y->narrow, sizeof x->narrow)
                                        : memcmp(x->apart, y->apart, sizeof x->apart));
}

// The number of a row is the shape's own, unless the instruction has one like it.
static void learn_row(SimExec *exec, const SimMem *m, SimShape *s) {
  const SimShapes *shapes = &exec->shapes[exec->pc];
  s->kin = m->kin;
  s->row = s->find_lean == find_nowhere ? 0 : s->number % SIM_PASS;
  for (int k = 0; k < shapes->count && s->row; k++) {
    const SimShape *other = shapes->ways[k];
    if (other != s && other->row && are_equally_apart(s, other, m->indexed || m->base_bytes == 4)) s->row = other->row;
  }
}

static uint8_t cares_of(const SimShape *s) {
  return (uint8_t)((s->judge == SIM_JUDGE_NOTHING ? 0 : SIM_LOOKS_CHECKS) | SIM_LOOKS_TOLD |
                   (s->is_plain ? 0 : SIM_LOOKS_ALWAYS) | (s->is_claimed ? SIM_LOOKS_CLAIMS : 0));
}

static void learn(SimExec *exec, const SimInst *inst, SimShape *s, uint32_t mask, const SimSpan *span,
                  const SimFit *fit) {
  const SimMem *m = inst->more;
  int registers = m->base_bytes == 4 ? 0 : m->base_bytes == 8 ? 1 : 2;
  set_distances(s, exec, mask, span->stride);
  set_span(s, exec, span);
  s->shift = address_of_first(exec, m, s->like.first) - exec->addr[s->like.first];
  s->fit = *fit;
  s->like.apart_in = 0;
  s->find = s->find_lean = exec->lane_ops->find[registers][mask != SIM_FULL];
  if (m->indexed) learn_index(s, exec, m->indexed, mask);
  s->form = (uint8_t)form_of(m, span, fit, mask);
  s->move = move_of(exec, inst, (SimForm)s->form);
  s->data = m->data[0];
  s->is_plain = s->move && m->vec == 1 && !span->stride;
  s->is_own = s->move && m->vec == 1 && span->stride;
  s->is_store = inst->kind == TRACE_STORE;
  s->like.base = m->base;
  s->like.offset = (uint64_t)m->offset;
  s->like.own = m->indexed ? s->like.index + 4 * s->like.first : m->base + m->base_bytes * s->like.first;
  s->like.low_bits = m->width - 1u;
  s->like.origin = s->span.origin + s->like.first * span->stride - s->shift;
  set_bounds(s, m, mask);
  s->is_claimed = span->alloc && sim_ownership_asks(span->alloc, m, s->is_store);
  sim_quick_learn(exec, inst, s);
  s->cares = cares_of(s);
}

static bool was_found(const SimShape *s) {
  uint64_t any = s->is_told;
  for (int i = 0; i < SIM_LIKE_UNIT; i++) any |= s->like.times[i];
  return any;
}

// Room for one more, in front of all others; NULL: too many are strangers.
static SimShape *take_way(SimExec *exec, SimShapes *shapes) {
  int last = SIM_SHAPE_WAYS - 1;
  sim_dots_settle(exec);
  exec->shape_version++;
  if (shapes->count < SIM_SHAPE_WAYS) {
    SimShape *fresh = aligned_alloc(SIM_CACHE_LINE, sizeof *fresh);
    if (!fresh) return NULL;
    *fresh = (SimShape){0};
    shapes->patience = PATIENCE;
    last = shapes->count++;
    shapes->ways[last] = fresh;
    sim_sums_note(exec, exec->pc);
  } else if (was_found(shapes->ways[last])) {
    shapes->patience = PATIENCE;
  } else if (!shapes->patience--) {
    shapes->patience = PATIENCE_AGAIN;
    shapes->skip = SKIP;
    exec->fronts[exec->pc] = exec->stranger;
    return NULL;
  }
  SimShape *s = shapes->ways[last];
  for (int k = last; k > 0; k--) shapes->ways[k] = shapes->ways[k - 1];
  sim_sums_tell_shape(exec, exec->pc, s);
  s->is_told = false;
  return exec->fronts[exec->pc] = shapes->ways[0] = s;
}

void sim_shape_learn(SimExec *exec, const SimInst *inst, uint32_t mask, const SimSpan *span, const SimFit *fit,
                     TraceSpace space, bool generic) {
  SimShapes *shapes = &exec->shapes[exec->pc];
  if (shapes->skip) { shapes->skip--; return; }
  if (span->alloc && span->alloc == exec->memory->heap) return;
  SimShape *s = take_way(exec, shapes);
  if (!s) return;
  const SimMem *m = inst->more;
  s->space = (uint8_t)space;
  s->generic = generic;
  s->number = next_number(exec);
  s->act = (TraceAct){.pc = exec->pc, .kind = inst->kind, .flags = s->generic ? TRACE_GENERIC_ACCESS : 0,
                      .space = s->space, .width = ((const SimMem *)inst->more)->width, .shape = s->number,
                      .target = -1, .reconverge = -1, .apart = s->like.apart};
  learn(exec, inst, s, mask, span, fit);
  if (m->kin) learn_row(exec, m, s);
}
