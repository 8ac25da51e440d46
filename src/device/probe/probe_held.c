// probe_held.c: counters of loops, held in registers while the kernel runs and added to those in memory at its end.
//
// An addition to memory takes seven instructions and goes out to the second-level cache of the GPU. What is counted in
// the kernel's own loops is held in a register instead, each of up to 24 counters:
//
//   LED      each lane adds what it counts as the first of its lanes: the sum over all lanes counts
//   WIDE     the same, for numbers that may be large: 64 bits
//   LANES    each lane adds what it does itself: the sum counts
//   MISSING  each lane adds what it does itself: 32 for each of the LED before it, less the sum, were missing
//
// A lane gives its numbers away when it ends. Mostly all 32 end at once, and were never apart: then nobody is missing.
#include "device/probe/probe_affine.h"
#include "device/probe/probe_banks.h"
#include "device/probe/probe_held.h"
#include "device/probe/probe_put.h"

enum { LANES = 32, MOST_HELD = 24 };   // registers that a kernel is asked for

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

static void hold(Probe *probe, int slot, ProbeHeldKind kind) {
  probe->held_of[slot] = (int16_t)probe->held_count;
  probe->held[probe->held_count++] = (ProbeHeld){.slot = slot, .kind = (uint8_t)kind};
}

static void hold_group(Probe *probe, const ProbeGroup *g) {
  bool is_proven = g->affine && g->affine->proven;
  bool looks = !is_proven && probe_looks_at_banks(probe, g);
  if (looks || probe_counts_words(probe, g)) hold(probe, g->slot + PROBE_FIRST, HELD_WIDE);
  if (looks && !probe_counts_wavefronts(probe, g)) hold(probe, g->slot + PROBE_SECOND, HELD_WIDE);
  if (g->kind == GROUP_BRANCH) hold(probe, g->slot, HELD_LED);
  if (g->kind != GROUP_GUARD) return;
  hold(probe, g->slot + PROBE_REQUESTS, HELD_LED);
  hold(probe, g->slot + PROBE_DOING, HELD_LANES);
}

static void hold_segment(Probe *probe, const ProbeSegment *s) {
  hold(probe, s->slot + SEGMENT_WARPS, HELD_LED);
  hold(probe, s->slot + SEGMENT_MISSING, HELD_MISSING);
  for (int i = s->site; i < s->site + s->site_count && probe->held_count + 2 <= MOST_HELD; i++) {
    const ProbeGroup *g = probe->sites[i].group >= 0 ? &probe->groups[probe->sites[i].group] : NULL;
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
  const char *move = probe->held[held].kind == HELD_WIDE ? "mov.u64" : "cvt.u64.u32";
  ls_text_addf(out, "%s %%lanescope_t, %%lanescope_held%d;\n", move, held);
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

static bool is_led(const Probe *probe, int held) {
  return probe->held[held].kind == HELD_LED || probe->held[held].kind == HELD_WIDE;
}

static bool has_missing(const Probe *probe, int held) {
  return held + 1 < probe->held_count && probe->held[held + 1].kind == HELD_MISSING;
}

// %lanescope_t: not zero if there is anything that the lane has led.
static void sum_led(const Probe *probe, LsText *out) {
  ls_text_add(out, "mov.u64 %lanescope_t, 0;\n");
  for (int i = 0; i < probe->held_count; i++) {
    if (!is_led(probe, i)) continue;
    ls_text_addf(out, "%s %%lanescope_x, %%lanescope_held%d;\nor.b64 %%lanescope_t, %%lanescope_t, %%lanescope_x;\n",
                 probe->held[i].kind == HELD_WIDE ? "mov.u64" : "cvt.u64.u32", i);
  }
}

// Goes to the label unless all lanes have been together all the time: then the first lane has led them.
static void check_together(const Probe *probe, int label, LsText *out) {
  ls_text_addf(out, "setp.eq.u32 %%lanescope_p, %%lanescope_m, -1;\n@!%%lanescope_p bra $lanescope_apart_%d;\n", label);
  sum_led(probe, out);
  ls_text_add(out, "setp.eq.or.u64 %lanescope_p, %lanescope_t, 0, %lanescope_lead;\n");
  for (int i = 0; i < probe->held_count; i++) {
    if (is_led(probe, i)) continue;
    ls_text_addf(out, "shfl.sync.idx.b32 %%lanescope_a, %%lanescope_held%d, 0, 31, %%lanescope_m;\n"
                      "setp.eq.and.u32 %%lanescope_p, %%lanescope_a, %%lanescope_held%d, %%lanescope_p;\n",
                 probe->held[i].kind == HELD_MISSING ? i - 1 : i, i);
  }
  ls_text_addf(out,
               "vote.sync.all.pred %%lanescope_p, %%lanescope_p, %%lanescope_m;\n"
               "@!%%lanescope_p bra $lanescope_apart_%d;\n", label);
}

// What the first lane has. A segment was mostly there, and is given without a look at it.
static void give_first(const Probe *probe, int held, LsText *out) {
  int each = probe->held[held].kind == HELD_LANES ? LANES : 1;
  if (probe->held[held].kind == HELD_WIDE) ls_text_addf(out, "mov.u64 %%lanescope_t, %%lanescope_held%d;\n", held);
  else ls_text_addf(out, "mul.wide.u32 %%lanescope_t, %%lanescope_held%d, %d;\n", held, each);
  bool looks = !has_missing(probe, held);
  if (looks) ls_text_add(out, "setp.ne.u64 %lanescope_p, %lanescope_t, 0;\n");
  give(probe, held, looks ? "%lanescope_p" : NULL, "%lanescope_t", out);
}

static void give_together(const Probe *probe, int label, LsText *out) {
  ls_text_addf(out, "@!%%lanescope_lead bra $lanescope_given_%d;\n", label);
  for (int i = 0; i < probe->held_count; i++)
    if (probe->held[i].kind != HELD_MISSING) give_first(probe, i, out);
}

static void give_apart(const Probe *probe, const char *condition, LsText *out) {
  for (int i = 0; i < probe->held_count; i++) {
    if (probe->held[i].kind == HELD_MISSING) give_missing(probe, i, condition, out);
    else give_led(probe, i, condition, out);
  }
}

// Those of the lanes for whom the guard holds.
static void give_guarded(const Probe *probe, const PtxInstr *in, LsText *out) {
  const char *guard = probe_put_register(probe, in, in->guard)->name;
  ls_text_addf(out, "selp.u32 %%lanescope_a, %d, %d, %s;\nsetp.ne.u32 %%lanescope_q, %%lanescope_a, 0;\n",
               !in->guard_negate, in->guard_negate, guard);
  give_apart(probe, "%lanescope_q", out);
}

void probe_give_held(const Probe *probe, int pc, bool recording, LsText *out) {
  const PtxInstr *in = &probe->module->code[pc];
  int label = 2 * pc + recording;
  if (!probe->held_count) return;
  if (in->guard >= 0) {
    give_guarded(probe, in, out);
    return;
  }
  check_together(probe, label, out);
  give_together(probe, label, out);
  ls_text_addf(out, "bra.uni $lanescope_given_%d;\n$lanescope_apart_%d:\n", label, label);
  give_apart(probe, NULL, out);
  ls_text_addf(out, "$lanescope_given_%d:\n", label);
}
