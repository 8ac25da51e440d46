// probe_held.c: counters of loops, held in registers while the kernel runs and added to those in memory at its end.
//
// An addition to memory takes seven instructions and goes out to the second-level cache of the GPU. What is counted in
// the kernel's own loops is held in a register instead, each of up to 24 counters:
//
//   LED      each lane adds what it counts as the first of its lanes: the sum over all lanes counts
//   WIDE     the same, for numbers that may be large: 64 bits
//   LANES    each lane adds what it does itself: the sum counts
//   MISSING  each lane adds what it does itself: 32 for each of the LED before it, less the sum, were missing
//   EACH     each lane adds what it finds of itself, the sectors that begin with it: the sum, so many times, counts
//
// A lane gives its numbers away when it ends. Mostly all 32 end at once. Then lane i adds up what all have of counter
// i, in as many shuffles as there are counters, and one addition to memory takes all sums to places of their own, from
// where they come to their counters when the kernel is over.
#include <stdio.h>
#include "device/probe/probe_affine.h"
#include "device/probe/probe_banks.h"
#include "device/probe/probe_held.h"
#include "device/probe/probe_put.h"
#include "device/probe/probe_sectors.h"

enum { LANES = 32, MOST_HELD = 24, SUM_BITS = 27 };   // registers that a kernel is asked for; of numbers whose sum fits

// ---- which ---------------------------------------------------------------------------------------------------------

// How many loops of the entry an instruction is in, by jumps back that go over it.
static int *loop_depths(const Probe *probe) {
  const PtxModule *m = probe->module;
  const PtxFunc *f = &m->funcs[probe->entry];
  int *depth = ls_alloc(sizeof *depth * (size_t)(m->code_count + 1));
  for (int pc = f->first; pc < f->first + f->count; pc++) {
    const PtxOperand *o = m->code[pc].operands;
    if (m->code[pc].op != PTX_OP_bra || o->kind != PTX_OPD_LABEL || o->target > pc) continue;
    for (int in = o->target; in <= pc; in++) depth[in]++;
  }
  return depth;
}

// Lanes may end without coming back to the entry, where their numbers are.
static bool may_end_elsewhere(const Probe *probe) {
  const PtxModule *m = probe->module;
  for (int pc = 0; pc < m->code_count; pc++) {
    int func = m->code[pc].func;
    if (m->code[pc].op == PTX_OP_exit && func != probe->entry && probe->reached[func]) return true;
  }
  return false;
}

static void hold_times(Probe *probe, int slot, ProbeHeldKind kind, int times) {
  probe->held_of[slot] = (int16_t)probe->held_count;
  probe->held[probe->held_count++] = (ProbeHeld){.slot = slot, .kind = (uint8_t)kind, .times = (uint8_t)times};
}

static void hold(Probe *probe, int slot, ProbeHeldKind kind) { hold_times(probe, slot, kind, 1); }

// Each lane's look at the one before it costs as little as a look whether a guess holds, and needs none.
static void drop_guess(ProbeGroup *g) {
  bool guess = g->kind == GROUP_ACCESS && g->affine && !g->affine->proven && g->affine->phases > 1;
  if (guess && g->space == PTX_GLOBAL && g->what != PROBE_ATOM && !g->late) g->affine = NULL;
}

static void hold_group(Probe *probe, ProbeGroup *g) {
  drop_guess(g);
  bool is_proven = g->affine && g->affine->proven;
  bool looks = !is_proven && probe_looks_at_banks(probe, g);
  if (looks || probe_counts_words(probe, g)) hold(probe, g->slot + PROBE_FIRST, HELD_WIDE);
  if (looks && !probe_counts_wavefronts(probe, g)) hold(probe, g->slot + PROBE_SECOND, HELD_WIDE);
  if (probe_looks_at_sectors(probe, g)) {
    hold(probe, g->slot + PROBE_FIRST, HELD_EACH);
    hold_times(probe, g->slot + PROBE_SECOND, HELD_EACH, g->width);
  }
  if (g->kind == GROUP_BRANCH) hold(probe, g->slot, HELD_LED);
  if (g->kind != GROUP_GUARD) return;
  hold(probe, g->slot + PROBE_REQUESTS, HELD_LED);
  hold(probe, g->slot + PROBE_DOING, HELD_LANES);
}

// Those of 32 bits come first: they are given together.
static void put_wide_last(Probe *probe) {
  ProbeHeld *sorted = LS_NEW_ARRAY(probe->arena, ProbeHeld, MOST_HELD + 1);
  int count = 0;
  for (int wide = 0; wide < 2; wide++)
    for (int i = 0; i < probe->held_count; i++)
      if ((probe->held[i].kind == HELD_WIDE) == wide) sorted[count++] = probe->held[i];
  for (int i = 0; i < count; i++) probe->held_of[sorted[i].slot] = (int16_t)i;
  probe->held = sorted;
  probe->held_at = probe->slots;
  probe->slots += count;
}

static void hold_segment(Probe *probe, const ProbeSegment *s) {
  hold(probe, s->slot + SEGMENT_WARPS, HELD_LED);
  hold(probe, s->slot + SEGMENT_MISSING, HELD_MISSING);
  for (int i = s->site; i < s->site + s->site_count && probe->held_count + 2 <= MOST_HELD; i++) {
    ProbeGroup *g = probe->sites[i].group >= 0 ? &probe->groups[probe->sites[i].group] : NULL;
    if (g && g->first_pc == probe->sites[i].pc) hold_group(probe, g);
  }
}

// The innermost loops first.
void probe_find_held(Probe *probe) {
  probe->held_of = LS_NEW_ARRAY(probe->arena, int16_t, probe->slots + 1);
  probe->held = LS_NEW_ARRAY(probe->arena, ProbeHeld, MOST_HELD + 1);
  memset(probe->held_of, -1, sizeof *probe->held_of * (size_t)(probe->slots + 1));
  if (probe->stops || may_end_elsewhere(probe)) return;
  int *depths = loop_depths(probe), deepest = 0;
  for (int i = 0; i < probe->module->code_count; i++) deepest = LS_MAX(deepest, depths[i]);
  for (int depth = deepest; depth > 0; depth--)
    for (int i = 0; i < probe->segment_count && probe->held_count + 2 <= MOST_HELD; i++)
      if (depths[probe->segments[i].first] == depth) hold_segment(probe, &probe->segments[i]);
  put_wide_last(probe);
  free(depths);
}

// ---- while it runs -------------------------------------------------------------------------------------------------

void probe_put_held_registers(const Probe *probe, LsText *out) {
  if (!probe->held_count) return;
  for (int i = 0; i < probe->held_count; i++) {
    int bits = probe->held[i].kind == HELD_WIDE ? 64 : 32;
    ls_text_addf(out, ".reg .b%d %%lanescope_held%d;\nmov.u%d %%lanescope_held%d, 0;\n", bits, i, bits, i);
  }
}

bool probe_put_held(const Probe *probe, const char *guard, int slot, const char *word, LsText *out) {
  int held = probe->held_of[slot];
  if (held < 0) return false;
  if (guard) ls_text_addf(out, "@%s ", guard);
  int bits = probe->held[held].kind == HELD_WIDE ? 64 : 32;
  ls_text_addf(out, "add.u%d %%lanescope_held%d, %%lanescope_held%d, %s;\n", bits, held, held, word);
  return true;
}

bool probe_is_held(const Probe *probe, int slot) { return probe->held_of[slot] >= 0; }

// ---- at the end ----------------------------------------------------------------------------------------------------

static void give(const Probe *probe, int held, const char *predicate, const char *number, LsText *out) {
  if (predicate) ls_text_addf(out, "@%s ", predicate);
  ls_text_addf(out, "red.global.add.u64 [%%lanescope_row+%d], %s;\n", probe->held[held].slot * 8, number);
}

// Each lane its own.
static void give_led(const Probe *probe, int held, const char *condition, LsText *out) {
  if (probe->held[held].kind == HELD_WIDE) ls_text_addf(out, "mov.u64 %%lanescope_t, %%lanescope_held%d;\n", held);
  else ls_text_addf(out, "mul.wide.u32 %%lanescope_t, %%lanescope_held%d, %d;\n", held, probe->held[held].times);
  ls_text_addf(out, "setp.ne.%su64 %%lanescope_p, %%lanescope_t, 0%s%s;\n",
               condition ? "and." : "", condition ? ", " : "", condition ? condition : "");
  give(probe, held, "%lanescope_p", "%lanescope_t", out);
}

static void give_missing(const Probe *probe, int held, const char *condition, LsText *out) {
  ls_text_addf(out,
               "mul.wide.u32 %%lanescope_t, %%lanescope_held%d, %d;\n"
               "cvt.u64.u32 %%lanescope_x, %%lanescope_held%d;\n"
               "sub.s64 %%lanescope_t, %%lanescope_t, %%lanescope_x;\n"
               "setp.ne.%ss64 %%lanescope_p, %%lanescope_t, 0%s%s;\n",
               held - 1, LANES, held, condition ? "and." : "", condition ? ", " : "", condition ? condition : "");
  give(probe, held, "%lanescope_p", "%lanescope_t", out);
}

// How many counters of 32 bits there are: the first ones.
static int narrow_count(const Probe *probe) {
  int count = 0;
  while (count < probe->held_count && probe->held[count].kind != HELD_WIDE) count++;
  return count;
}

// Goes to the label unless all lanes are here, with numbers whose sums fit.
static void check_sums(int count, int label, LsText *out) {
  ls_text_addf(out, "setp.eq.u32 %%lanescope_p, %%lanescope_m, -1;\n@!%%lanescope_p bra $lanescope_apart_%d;\n"
                    "mov.u32 %%lanescope_a, 0;\n", label);
  for (int i = 0; i < count; i++) ls_text_addf(out, "or.b32 %%lanescope_a, %%lanescope_a, %%lanescope_held%d;\n", i);
  ls_text_addf(out, "setp.ge.u32 %%lanescope_p, %%lanescope_a, %d;\n"
                    "vote.sync.any.pred %%lanescope_p, %%lanescope_p, -1;\n@%%lanescope_p bra $lanescope_apart_%d;\n",
               1 << SUM_BITS, label);
}

// Lanes whose number has the bit `apart` keep the second of two counters, the others the first, with what the lane
// across brings of it.
static void share(int first, int apart, int count, LsText *out) {
  char second[32] = "0";
  if (first + apart < count) snprintf(second, sizeof second, "%%lanescope_held%d", first + apart);
  ls_text_addf(out,
               "selp.b32 %%lanescope_a, %%lanescope_held%d, %s, %%lanescope_q;\n"
               "selp.b32 %%lanescope_b, %s, %%lanescope_held%d, %%lanescope_q;\n"
               "shfl.sync.bfly.b32 %%lanescope_a, %%lanescope_a, %d, 31, -1;\n"
               "add.u32 %%lanescope_held%d, %%lanescope_a, %%lanescope_b;\n",
               first, second, second, first, apart, first);
}

// Lane i comes by the sum of counter i over all lanes, and all of them add theirs to memory at once.
static void give_sums(const Probe *probe, int count, LsText *out) {
  int width = 1;
  while (width < count) width *= 2;
  ls_text_add(out, "mov.u32 %lanescope_g, %laneid;\n");
  for (int apart = width / 2; apart; apart /= 2) {
    ls_text_addf(out, "and.b32 %%lanescope_a, %%lanescope_g, %d;\n"
                      "setp.ne.u32 %%lanescope_q, %%lanescope_a, 0;\n", apart);
    for (int i = 0; i < apart; i++) share(i, apart, count, out);
  }
  for (int apart = width; apart < LANES; apart *= 2)
    ls_text_addf(out, "shfl.sync.bfly.b32 %%lanescope_a, %%lanescope_held0, %d, 31, -1;\n"
                      "add.u32 %%lanescope_held0, %%lanescope_held0, %%lanescope_a;\n", apart);
  ls_text_addf(out,
               "setp.lt.u32 %%lanescope_p, %%lanescope_g, %d;\n"
               "setp.ne.and.u32 %%lanescope_p, %%lanescope_held0, 0, %%lanescope_p;\n"
               "mad.wide.u32 %%lanescope_d, %%lanescope_g, 8, %%lanescope_row;\n"
               "cvt.u64.u32 %%lanescope_t, %%lanescope_held0;\n"
               "@%%lanescope_p red.global.add.u64 [%%lanescope_d+%d], %%lanescope_t;\n", count, probe->held_at * 8);
}

// The counters from `first` on.
static void give_apart(const Probe *probe, int first, const char *condition, LsText *out) {
  for (int i = first; i < probe->held_count; i++) {
    if (probe->held[i].kind == HELD_MISSING) give_missing(probe, i, condition, out);
    else give_led(probe, i, condition, out);
  }
}

// Those of the lanes for whom the guard holds.
static void give_guarded(const Probe *probe, const PtxInstr *in, LsText *out) {
  const char *guard = probe_put_register(probe, in, in->guard)->name;
  ls_text_addf(out, "selp.u32 %%lanescope_a, %d, %d, %s;\nsetp.ne.u32 %%lanescope_q, %%lanescope_a, 0;\n",
               !in->guard_negate, in->guard_negate, guard);
  give_apart(probe, 0, "%lanescope_q", out);
}

void probe_give_held(const Probe *probe, int pc, bool recording, LsText *out) {
  const PtxInstr *in = &probe->module->code[pc];
  int label = 2 * pc + recording, narrow = narrow_count(probe);
  if (!probe->held_count) return;
  if (in->guard >= 0) {
    give_guarded(probe, in, out);
    return;
  }
  check_sums(narrow, label, out);
  if (narrow) give_sums(probe, narrow, out);
  give_apart(probe, narrow, NULL, out);
  ls_text_addf(out, "bra.uni $lanescope_given_%d;\n$lanescope_apart_%d:\n", label, label);
  give_apart(probe, 0, NULL, out);
  ls_text_addf(out, "$lanescope_given_%d:\n", label);
}

// ---- when it is over -----------------------------------------------------------------------------------------------

void probe_add_held(const Probe *probe, uint64_t *sums) {
  const uint64_t *held_sums = sums + probe->held_at;
  for (int i = 0; i < probe->held_count; i++) {
    const ProbeHeld *held = &probe->held[i];
    if (held->kind == HELD_MISSING) sums[held->slot] += LANES * held_sums[i - 1] - held_sums[i];
    else sums[held->slot] += held->times * held_sums[i];
  }
}
