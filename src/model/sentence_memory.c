// sentence_memory.c: sentences about loads, stores and atomics.
#include <stdlib.h>
#include <string.h>
#include "base/mem.h"
#include "model/atomic.h"
#include "model/bank.h"
#include "model/coal.h"
#include "model/sentence.h"
#include "model/sentence_parts.h"

// What all sentences about an access look at.
typedef struct Access {
  const Sentence *s;
  const TraceEvent *e;
  int lanes;                  // that take part
  CoalShape shape; int64_t stride;
  uint64_t lowest, highest;   // addresses, each of the start of a lane's bytes
  bool gaps;                  // lanes are missing between the first and the last
} Access;

static Access access_of(const Sentence *s) {
  const TraceEvent *e = s->event;
  Access a = {.s = s, .e = e, .lanes = say_count(e->mask), .lowest = UINT64_MAX};
  a.shape = coal_shape(e->mask, e->width, e->addr, &a.stride);
  for (uint32_t left = e->mask; left; left &= left - 1) {
    uint64_t at = e->addr[__builtin_ctz(left)];
    a.lowest = LS_MIN(a.lowest, at);
    a.highest = LS_MAX(a.highest, at);
  }
  uint32_t filled = e->mask >> __builtin_ctz(e->mask);
  a.gaps = (filled & (filled + 1)) != 0;
  return a;
}

static const char *each(const Access *a) { return a->lanes == 1 ? "" : " each"; }
static bool is_store(const Access *a) { return a->e->kind == TRACE_STORE; }

static bool is_shared_by_all(const Access *a) { return a->shape == COAL_UNIFORM && a->lanes > 1; }

// "4 bytes each", "the same 4 bytes", "the same byte"
static void say_width(const Access *a) {
  LsText *out = a->s->out;
  if (is_shared_by_all(a)) ls_text_add(out, a->e->width == 1 ? "the same byte" : "the same ");
  if (!is_shared_by_all(a) || a->e->width != 1) say_some(out, a->e->width, "byte");
  if (!is_shared_by_all(a)) ls_text_add(out, each(a));
}

static const char *order_of(const Access *a) {
  if (a->shape == COAL_SCATTERED) return ", scattered over ";
  if (a->shape == COAL_PERMUTED) return a->stride < 0 ? ", in reverse order, " : ", in mixed order, ";
  return a->shape == COAL_STRIDED && a->stride < 0 ? ", backwards, " : ", ";
}

static void say_stride(const Access *a) {
  if (a->shape != COAL_STRIDED) return;
  ls_text_add(a->s->out, ", ");
  say_number(a->s->out, (int)LS_MIN(llabs(a->stride), INT32_MAX));
  ls_text_add(a->s->out, " bytes apart");
}

// "All 32 lanes load 4 bytes each, x[1] to x[32], starting 4 bytes into a sector"
static void say_global_what(const Access *a) {
  LsText *out = a->s->out;
  say_who(out, a->e->mask);
  ls_text_addf(out, " %s%s ", is_store(a) ? "store" : "load", say_verb(a->e->mask));
  if (is_shared_by_all(a) && is_store(a)) ls_text_add(out, "to ");
  say_width(a);
  ls_text_add(out, order_of(a));
  say_range(a->s, a->lowest, a->highest);
  say_stride(a);
  if (a->shape != COAL_CONSECUTIVE || a->gaps) return;
  unsigned off = (unsigned)(a->lowest % COAL_SECTOR);
  if (off == 0) ls_text_add(out, ", starting on a sector boundary");
  else ls_text_add(out, ", starting "), say_some(out, (int)off, "byte"), ls_text_add(out, " into a sector");
}

static void say_moved(const Access *a, const Coalescing *c) {
  LsText *out = a->s->out;
  say_some(out, c->line_count, "line");
  ls_text_add(out, ", ");
  say_some(out, c->sectors, "sector");
  bool whole = c->bytes_used == c->bytes_moved, one = c->sectors == 1;
  const char *verb = c->bytes_used == 1 ? "is" : "are";
  ls_text_add(out, ", ");
  if (is_store(a) && whole) {
    ls_text_addf(out, "every byte of %s written.", one ? "it" : "them");
    return;
  }
  if (!is_store(a)) say_number(out, c->bytes_moved), ls_text_add(out, " bytes move, ");
  if (whole) ls_text_add(out, "all of them used.");
  else if (is_store(a))
    say_number(out, c->bytes_used), ls_text_addf(out, " of %s ", one ? "its" : "their"),
    say_number(out, c->bytes_moved),
        ls_text_addf(out, " bytes %s written (", verb);
  else say_number(out, c->bytes_used), ls_text_addf(out, " %s used (", verb);
  if (!whole) say_percent(out, c->bytes_used, c->bytes_moved), ls_text_add(out, ").");
}

// Why it costs that much, where there is something to say.
static void say_global_why(const Access *a, const Coalescing *c) {
  LsText *out = a->s->out;
  int more = c->sectors - c->ideal_sectors;
  bool collide = is_store(a) && coal_distinct(a->e->mask, a->e->addr) < a->lanes;
  bool in_a_row = a->shape == COAL_CONSECUTIVE && !a->gaps;
  if (collide && a->shape == COAL_UNIFORM)
    ls_text_add(out, " One of them wins, and which one is not defined.");
  else if (collide)
    ls_text_add(out, " Where lanes store to one place, one of them wins, and which one is not defined.");
  else if (a->lanes == 1)
    return;
  else if (a->shape == COAL_UNIFORM)
    ls_text_add(out, " One sector serves them all.");
  else if (in_a_row && c->bytes_used == c->bytes_moved)
    ls_text_add(out, " No access of this size moves less.");
  else if (in_a_row && more > 0)
    ls_text_addf(out, " %d sector%s more than an aligned access needs.", more, say_s(more));
  else if (a->shape == COAL_PERMUTED && more == 0)
    ls_text_add(out, " The order of the lanes does not matter, only the sectors do.");
  else if (more > 0 && c->sectors == a->lanes)
    ls_text_addf(out, " Every lane needs a sector of its own; packed together, the data would fit in %d.",
                 c->ideal_sectors);
  else if (more > 0)
    ls_text_addf(out, " Packed together, the data would fit in %d sector%s.", c->ideal_sectors, say_s(c->ideal_sectors));
}

// Where whole lines move: how many, and how much of them somebody wants.
static void say_lines(const Access *a) {
  Coalescing c;
  LsText *out = a->s->out;
  coal_analyze(a->e, COAL_LINES_128, &c);
  int ideal = (c.bytes_used + COAL_LINE - 1) / COAL_LINE;
  say_global_what(a);
  ls_text_add(out, ": ");
  say_some(out, c.line_count, "line");
  ls_text_addf(out, " of %d bytes, so ", COAL_LINE);
  say_number(out, c.bytes_moved);
  ls_text_add(out, " bytes move, ");
  if (c.bytes_used == c.bytes_moved) ls_text_add(out, "all of them used.");
  else {
    say_number(out, c.bytes_used);
    ls_text_addf(out, " %s used (", c.bytes_used == 1 ? "is" : "are");
    say_percent(out, c.bytes_used, c.bytes_moved);
    ls_text_add(out, ").");
  }
  if (c.line_count > ideal && a->lanes > 1)
    ls_text_addf(out, " Packed together, the data would fit in %d line%s.", ideal, say_s(ideal));
}

static void say_global(const Access *a) {
  Coalescing c;
  if (a->s->coal == COAL_LINES_128) {
    say_lines(a);
    return;
  }
  coal_analyze(a->e, COAL_SECTORS_32, &c);
  say_global_what(a);
  ls_text_add(a->s->out, ": ");
  say_moved(a, &c);
  say_global_why(a, &c);
}

// ---- shared --------------------------------------------------------------------------------------------------------

static void say_wavefronts(const Access *a, const Banking *b) {
  LsText *out = a->s->out;
  if (b->conflicts == 0 && b->ideal == 1)
    ls_text_add(out, " One wavefront, no conflict.");
  else if (b->conflicts == 0)
    ls_text_addf(out, " %d wavefronts, the least for %d-byte accesses: no conflict.", b->ideal, a->e->width);
  else
    ls_text_addf(out, " %d wavefronts where %d would do: up to %d different words lie in one bank, which gives one at"
                 " a time.", b->wavefronts, b->ideal, b->degree);
}

static void say_shared_size(const Access *a) {
  if (a->e->width != 4) say_width(a);
  else if (is_shared_by_all(a)) ls_text_add(a->s->out, "the same 4-byte word");
  else ls_text_addf(a->s->out, "one 4-byte word%s", each(a));
}

static void say_words(const Access *a, const Banking *b) {
  LsText *out = a->s->out;
  ls_text_add(out, ": ");
  say_some(out, b->distinct_words, "word");
  if (b->banks_used == 1) {
    int bank = 0;
    while (!b->bank_words[bank]) bank++;
    ls_text_addf(out, b->distinct_words == 1 ? " in bank %d." : ", all in bank %d.", bank);
  } else {
    ls_text_addf(out, " in %d%s banks.", b->banks_used, b->banks_used == b->distinct_words ? " different" : "");
  }
}

static void say_shared(const Access *a) {
  LsText *out = a->s->out;
  Banking b;
  bank_analyze(a->e, BANK_32X4, &b);
  say_who(out, a->e->mask);
  ls_text_addf(out, " %s%s ", is_store(a) ? "write" : "read", say_verb(a->e->mask));
  say_shared_size(a);
  ls_text_add(out, order_of(a));
  say_range(a->s, a->lowest, a->highest);
  say_stride(a);
  if (is_shared_by_all(a) && is_store(a)) ls_text_add(out, ": one of them wins, and which one is not defined.");
  else if (is_shared_by_all(a)) ls_text_add(out, ": it is read once and handed to all of them.");
  else if (a->lanes == 1 && a->e->width <= 4) ls_text_addc(out, '.');
  else say_words(a, &b);
  say_wavefronts(a, &b);
}

// ---- local, constant, parameters -----------------------------------------------------------------------------------

static void say_local(const Access *a) {
  LsText *out = a->s->out;
  int sectors = coal_local_sectors(a->e->mask, a->e->width, a->e->addr);
  say_who(out, a->e->mask);
  ls_text_addf(out, " %s%s ", is_store(a) ? "store" : "load", say_verb(a->e->mask));
  say_some(out, a->e->width, "byte");
  ls_text_addf(out, "%s %s %s own local memory", each(a), is_store(a) ? "in" : "from", a->lanes == 1 ? "its" : "their");
  if (!say_is_unnamed(a->s, a->lowest)) {
    ls_text_add(out, ", ");
    say_range(a->s, a->lowest, a->highest);
  }
  ls_text_add(out, ": ");
  say_some(out, sectors, "sector");
  if (a->lanes == 1)
    ls_text_addc(out, '.');
  else if (a->shape == COAL_UNIFORM)
    ls_text_add(out, ". The same word of all lanes lies side by side, so this is the least possible.");
  else
    ls_text_add(out, ". Only the same word of all lanes lies side by side, and these are different words.");
}

static void say_const(const Access *a) {
  LsText *out = a->s->out;
  int passes = coal_distinct(a->e->mask, a->e->addr);
  say_who(out, a->e->mask);
  ls_text_addf(out, " read%s ", say_verb(a->e->mask));
  if (passes == 1) {
    say_width(a);
    ls_text_add(out, " of constant memory, ");
    say_range(a->s, a->lowest, a->highest);
    ls_text_add(out, a->lanes == 1 ? ": one pass." : ": one pass serves them all.");
    return;
  }
  ls_text_addf(out, "%d different places of constant memory, ", passes);
  say_range(a->s, a->lowest, a->highest);
  ls_text_addf(out, ": %d passes, because the constant cache gives one address at a time.", passes);
}

static const char *argument_name(const Sentence *s, int index) {
  if (!s->info || index >= s->info->launch.arg_count) return NULL;
  return s->info->launch.args[index].name;
}

static const PtxFunc *function_of(const Sentence *s) {
  bool known = s->instr && s->instr->func >= 0 && s->instr->func < s->module->func_count;
  return known ? &s->module->funcs[s->instr->func] : NULL;
}

// Place of the variable that the access names among parameters (or results); -1 if it is none of them.
static int param_index(const PtxInstr *instr, const PtxParam *params, int count) {
  for (int i = 0; i < instr->operand_count; i++) {
    const PtxOperand *operand = &instr->operands[i];
    if (operand->kind != PTX_OPD_MEM || operand->base != PTX_BASE_VAR) continue;
    for (int p = 0; p < count; p++)
      if (params[p].var == operand->var) return p;
  }
  return -1;
}

static void say_param(const Access *a) {
  LsText *out = a->s->out;
  const Sentence *s = a->s;
  const PtxFunc *func = function_of(s);
  int index = func ? param_index(s->instr, func->params, func->param_count) : -1;
  bool one = a->lanes == 1;
  say_who(out, a->e->mask);
  if (is_store(a) && func && param_index(s->instr, func->results, func->result_count) >= 0) {
    ls_text_add(out, one ? " hands back a result." : " hand back a result.");
  } else if (is_store(a)) {
    ls_text_add(out, one ? " passes a parameter to a call." : " pass a parameter to a call.");
  } else if (index < 0) {
    ls_text_add(out, one ? " takes the result of a call." : " take the result of a call.");
  } else if (func->is_entry) {
    const char *name = argument_name(s, index);
    ls_text_addf(out, " read%s parameter %d of the kernel%s%s.", say_verb(a->e->mask), index + 1, name ? ", " : "",
                 name ? name : "");
  } else {
    ls_text_addf(out, " read%s parameter %d of ", say_verb(a->e->mask), index + 1);
    ls_text_addn(out, func->demangled, strcspn(func->demangled, "("));
    ls_text_addc(out, '.');
  }
}

// ---- st.async, red.async -------------------------------------------------------------------------------------------

static bool is_sent(const Sentence *s) {
  const PtxInstr *in = s->instr;
  return in && (in->op == PTX_OP_st || in->op == PTX_OP_red) && ptx_has(in, PTX_HAS_ASYNC);
}

static void say_sent(const Sentence *s, const char *what) {
  ls_text_addf(s->out, " %s: whoever has waited for the phase of the mbarrier sees %s.", what,
               s->event->kind == TRACE_STORE ? "them" : "it");
}

static int sent_bytes(const PtxInstr *in) { return ptx_type_size((PtxType)in->type) * LS_MAX(in->vec, 1); }

// Whether an atomic of such an instruction is the one on its mbarrier. A reduction of 8 bytes looks the same.
static bool is_of_mbarrier(const Sentence *s) {
  return is_sent(s) && s->event->width == 8 && (s->instr->op == PTX_OP_st || sent_bytes(s->instr) != 8);
}

// "All 32 lanes count 4 bytes each at the mbarrier bar."
static void say_counted_bytes(const Access *a) {
  const Sentence *s = a->s;
  say_who(s->out, a->e->mask);
  ls_text_addf(s->out, " count%s ", say_verb(a->e->mask));
  say_some(s->out, sent_bytes(s->instr), "byte");
  ls_text_addf(s->out, "%s at the mbarrier ", each(a));
  say_range(s, a->lowest, a->highest);
  ls_text_addc(s->out, '.');
}

void say_memory(const Sentence *s) {
  static void (*const say_space[TRACE_SPACE_COUNT])(const Access *) = {
      [TRACE_GLOBAL] = say_global, [TRACE_SHARED] = say_shared, [TRACE_LOCAL] = say_local,
      [TRACE_CONST] = say_const, [TRACE_PARAM] = say_param};
  if (s->event->space == TRACE_TEXTURE) { say_texture(s); return; }
  if (!s->event->addr || s->event->space >= TRACE_SPACE_COUNT) {
    say_instruction(s);
    return;
  }
  if (say_grid_barrier(s)) return;
  Access a = access_of(s);
  say_space[s->event->space](&a);
  if (is_sent(s)) say_sent(s, "The bytes arrive later");
}

// ---- atomics -------------------------------------------------------------------------------------------------------

typedef struct Verb { const char *many, *one; } Verb;

static Verb verb_of(const Sentence *s) {
  static const Verb verbs[PTX_MODE_COUNT] = {
      [PTX_AT_ADD] = {"add to", "adds to"},
      [PTX_AT_MIN] = {"put the smaller value into", "puts the smaller value into"},
      [PTX_AT_MAX] = {"put the larger value into", "puts the larger value into"},
      [PTX_AT_AND] = {"combine bits (and) into", "combines bits (and) into"},
      [PTX_AT_OR] = {"combine bits (or) into", "combines bits (or) into"},
      [PTX_AT_XOR] = {"combine bits (xor) into", "combines bits (xor) into"},
      [PTX_AT_INC] = {"count up", "counts up"},
      [PTX_AT_DEC] = {"count down", "counts down"},
      [PTX_AT_EXCH] = {"exchange a value with", "exchanges a value with"},
      [PTX_AT_CAS] = {"compare and swap", "compares and swaps"},
  };
  bool may_be_of_mbarrier = is_sent(s) && s->event->width == 8;
  unsigned mode = s->instr && !may_be_of_mbarrier ? s->instr->mode : 0;
  return mode < PTX_MODE_COUNT && verbs[mode].many ? verbs[mode] : (Verb){"atomically change", "atomically changes"};
}

void say_atomic(const Sentence *s) {
  LsText *out = s->out;
  if (!s->event->addr) {
    say_instruction(s);
    return;
  }
  if (say_grid_barrier(s)) return;
  Access a = access_of(s);
  Atomics queues;
  if (is_of_mbarrier(s)) { say_counted_bytes(&a); return; }
  atomic_analyze(s->event, &queues);
  Verb verb = verb_of(s);
  say_who(out, s->event->mask);
  ls_text_addf(out, " %s ", a.lanes == 1 ? verb.one : verb.many);
  if (queues.queue_count > 1) ls_text_addf(out, "%d different places, ", queues.queue_count);
  say_range(s, a.lowest, a.highest);
  if (a.lanes == 1) {
    ls_text_addc(out, '.');
  } else if (queues.queue_count == 1) {
    ls_text_addf(out, ": one place, so they queue, %d operations one after the other.", a.lanes);
  } else if (queues.longest == 1) {
    ls_text_add(out, ": nobody waits for another lane.");
  } else {
    ls_text_addf(out, ". The longest queue is %d lanes, at ", queues.longest);
    say_place(s, queues.queues[0].addr);
    ls_text_add(out, ": lanes that meet go one after the other.");
  }
  if (is_sent(s) && s->event->width == 4) say_sent(s, "The change comes later");
  if (s->event->flags & TRACE_RETURNS_OLD)
    ls_text_add(out, a.lanes == 1 ? " It gets the value from before." : " Each gets the value from just before its own turn.");
}
