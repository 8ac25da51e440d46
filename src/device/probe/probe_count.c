// probe_count.c: the PTX that counts: segments and rounds of loops, accesses, guards, branches, turns.
//
// What a segment's own counters do not tell is counted in one of three ways: not at all, if the shape of the access says
// it; by its first lane, where the addresses are as the shape says; by a function of the runtime, which looks at all lanes.
#include <stdio.h>
#include "device/probe/probe_multi.h"
#include "device/probe/probe_put.h"
#include "device/probe/probe_affine.h"
#include "device/probe/probe_banks.h"
#include "device/probe/probe_held.h"
#include "device/probe/probe_inline.h"
#include "device/probe/probe_sectors.h"

// How often something is counted at once: in a loop as often as %lanescope_n says.
typedef struct Times { const char *word, *number; } Times;   // of 32 and 64 bits
static const Times once = {"1", "1"}, all_rounds = {"%lanescope_n", "%lanescope_c"};

static void add(const Probe *probe, const char *guard, int slot, Times times, LsText *out) {
  if (probe_put_held(probe, guard, slot, times.word, out)) return;
  ls_text_addf(out, "@%s red.global.add.u64 [%%lanescope_row+%d], %s;\n", guard, slot * 8, times.number);
}

void probe_take_lanes(LsText *out) {
  ls_text_add(out, "activemask.b32 %lanescope_m;\n"
                   "and.b32 %lanescope_a, %lanescope_lt, %lanescope_m;\n"
                   "setp.eq.u32 %lanescope_lead, %lanescope_a, 0;\n"
                   "setp.eq.u32 %lanescope_all, %lanescope_m, -1;\n");
}

// How often, and how many lanes less than 32 there were.
static void count_segment(const Probe *probe, const ProbeSegment *s, int label, Times times, LsText *out) {
  add(probe, "%lanescope_lead", s->slot + SEGMENT_WARPS, times, out);
  if (probe_put_held(probe, NULL, s->slot + SEGMENT_MISSING, times.word, out)) return;
  ls_text_addf(out,
               "@%%lanescope_all bra $lanescope_whole_%d;\n"
               "popc.b32 %%lanescope_a, %%lanescope_m;\n"
               "sub.u32 %%lanescope_a, 32, %%lanescope_a;\n"
               "mul.wide.u32 %%lanescope_t, %%lanescope_a, %s;\n",
               label, times.word);
  add(probe, "%lanescope_lead", s->slot + SEGMENT_MISSING, (Times){NULL, "%lanescope_t"}, out);
  ls_text_addf(out, "$lanescope_whole_%d:\n", label);
}

void probe_count_segment(const Probe *probe, const ProbeSegment *s, bool recording, LsText *out) {
  probe_take_lanes(out);
  count_segment(probe, s, 2 * s->first + recording, once, out);
}

// ---- guards, branches, turns -----------------------------------------------------------------------------------------

void probe_put_guard_count(const Probe *probe, const PtxInstr *in, int slot, LsText *out) {
  probe_put_ballot(probe, in, out);
  ls_text_add(out, "and.b32 %lanescope_b, %lanescope_a, %lanescope_lt;\nsetp.eq.u32 %lanescope_p, %lanescope_b, 0;\n"
                   "setp.ne.and.u32 %lanescope_p, %lanescope_a, 0, %lanescope_p;\n");
  add(probe, "%lanescope_p", slot + PROBE_REQUESTS, once, out);
  if (probe_is_held(probe, slot + PROBE_DOING)) {   // each lane its own
    ls_text_addf(out, "selp.u32 %%lanescope_a, %d, %d, %s;\n", !in->guard_negate, in->guard_negate,
                 probe_put_register(probe, in, in->guard)->name);
    probe_put_held(probe, NULL, slot + PROBE_DOING, "%lanescope_a", out);
    return;
  }
  ls_text_add(out, "popc.b32 %lanescope_a, %lanescope_a;\ncvt.u64.u32 %lanescope_t, %lanescope_a;\n");
  add(probe, "%lanescope_p", slot + PROBE_DOING, (Times){NULL, "%lanescope_t"}, out);
}

// Each lane asks who goes its way: votes that name members by a register take several times as long.
static void count_branch(const Probe *probe, const PtxInstr *in, const ProbeGroup *g, LsText *out) {
  const char *guard = probe_put_register(probe, in, in->guard)->name;
  ls_text_addf(out, "@%s activemask.b32 %%lanescope_a;\n@!%s activemask.b32 %%lanescope_a;\n", guard, guard);
  ls_text_add(out, "and.b32 %lanescope_a, %lanescope_a, %lanescope_m;\n"
                   "setp.ne.and.u32 %lanescope_p, %lanescope_a, %lanescope_m, %lanescope_lead;\n");
  add(probe, "%lanescope_p", g->slot, once, out);
}

// Lanes may come back from a function one after the other: the next segment has to find them together.
static void gather(LsText *out) { ls_text_add(out, "bar.warp.sync %lanescope_m;\n"); }

static void take_slot(const ProbeGroup *g, LsText *out) {
  ls_text_addf(out, "add.s64 %%lanescope_d, %%lanescope_row, %d;\n", g->slot * 8);
}

// Several indices of a table may lead to the same place: each becomes the first of them.
static void merge_ways(const Probe *probe, const PtxInstr *in, LsText *out) {
  if (in->op != PTX_OP_brx || in->operands[1].kind != PTX_OPD_TABLE) return;
  const PtxTable *table = &probe->module->tables[in->operands[1].index];
  for (int i = 1; i < table->target_count; i++) {
    int first = 0;
    while (table->targets[first] != table->targets[i]) first++;
    if (first == i) continue;
    ls_text_addf(out, "setp.eq.u32 %%lanescope_p, %%lanescope_a, %d;\n", i);
    ls_text_addf(out, "selp.u32 %%lanescope_a, %d, %%lanescope_a, %%lanescope_p;\n", first);
  }
}

// What is the same for lanes that stay together: the index into the table, the address, the member mask.
static void count_turns(const Probe *probe, const PtxInstr *in, const ProbeGroup *g, LsText *out) {
  const PtxOperand *address = probe_called_address(in), *last = &in->operands[in->operand_count - 1];
  const PtxOperand *key = address ? address : in->op == PTX_OP_brx ? &in->operands[0] : last;
  probe_put_operand(probe, in, key, address ? 8 : 4, "%lanescope_t", out);
  probe_put_guard(probe, in, out);
  take_slot(g, out);
  ls_text_add(out, "cvt.u32.u64 %lanescope_a, %lanescope_t;\n");
  merge_ways(probe, in, out);
  CALL(out, "lanescope_probe_turns", LONG("%lanescope_d"), WORD("%lanescope_m"), WORD("%lanescope_g"), WORD("%lanescope_a"));
  gather(out);
}

// ---- accesses: by a function ---------------------------------------------------------------------------------------

static bool is_banked(const ProbeGroup *g) { return g->space == PTX_SHARED && g->what != PROBE_ATOM; }

static const char *counter_of(const ProbeGroup *g) {
  if (g->space == PTX_GENERIC) return "lanescope_probe_any";
  if (g->what == PROBE_ATOM) return "lanescope_probe_queues";
  switch (g->space) {
  case PTX_SHARED: return g->width > 4 ? "lanescope_probe_wide_banks" : "lanescope_probe_banks";
  case PTX_LOCAL: return "lanescope_probe_local";
  case PTX_CONST: return "lanescope_probe_places";
  default: return "lanescope_probe_sectors";
  }
}

static unsigned space_code(const ProbeGroup *g) {
  switch (g->space) {
  case PTX_SHARED: return TRACE_SHARED;
  case PTX_LOCAL: return TRACE_LOCAL;
  case PTX_CONST: return TRACE_CONST;
  case PTX_GENERIC: return PROBE_SPACES;
  default: return TRACE_GLOBAL;
  }
}

unsigned probe_access_code(const ProbeGroup *g) {
  unsigned code = g->width | PROBE_COUNT_DOING | space_code(g) << PROBE_COUNT_SPACE;
  if (g->what == PROBE_LOAD) code |= PROBE_COUNT_LOAD;
  if (g->what == PROBE_ATOM) code |= PROBE_COUNT_ATOM;
  return code;
}

// Lanes are counted only where the segment does not tell how many they are.
static unsigned how_to_count(const Probe *probe, const ProbeGroup *g) {
  bool queues_known = g->what == PROBE_ATOM && g->affine;   // from the lanes of the others
  bool knows_lanes = probe->module->code[g->first_pc].guard < 0 && g->space != PTX_GENERIC && !queues_known;
  unsigned each = knows_lanes && !g->affine ? PROBE_COUNT_EACH : 0;
  return (probe_access_code(g) & ~(knows_lanes ? (unsigned)PROBE_COUNT_DOING : 0u)) | each;
}

// By the lanes of the register `mask`.
static void call_counter(const Probe *probe, const ProbeGroup *g, const char *mask, Times times, LsText *out) {
  const PtxInstr *in = &probe->module->code[g->first_pc];
  unsigned how = how_to_count(probe, g);
  probe_put_address(probe, in, g->address, "%lanescope_x", out);
  take_slot(g, out);
  if (is_banked(g)) {
    ls_text_add(out, "cvt.u32.u64 %lanescope_a, %lanescope_x;\n");
    CALL(out, counter_of(g), LONG("%lanescope_d"), NUMBER(how), WORD(mask), WORD("%lanescope_a"), WORD(times.word));
  } else {
    CALL(out, counter_of(g), LONG("%lanescope_d"), NUMBER(how), WORD(mask), LONG("%lanescope_x"), WORD(times.word));
  }
}

// Its wavefronts. Of up to 4 bytes a lane, conflicts are what is left of them without one for each execution
// (probe_sums.c).
static void count_wavefronts(const Probe *probe, const ProbeGroup *g, int label, Times times, LsText *out) {
  bool wide = !probe_counts_wavefronts(probe, g);
  probe_put_banks(probe, g, label, out);
  if (wide) ls_text_add(out, "and.b32 %lanescope_a, %lanescope_b, 0xffff;\nshr.u32 %lanescope_b, %lanescope_b, 16;\n");
  ls_text_addf(out, "mul.wide.u32 %%lanescope_t, %s, %s;\n", wide ? "%lanescope_a" : "%lanescope_b", times.word);
  add(probe, "%lanescope_lead", g->slot + PROBE_FIRST, (Times){"%lanescope_t", "%lanescope_t"}, out);
  if (wide) {
    ls_text_addf(out, "mul.wide.u32 %%lanescope_t, %%lanescope_b, %s;\n", times.word);
    add(probe, "%lanescope_lead", g->slot + PROBE_SECOND, (Times){"%lanescope_t", "%lanescope_t"}, out);
  }
  if (g->affine) add(probe, "%lanescope_lead", g->slot + PROBE_REQUESTS, times, out);
}

// In a loop it is written out: it is shorter than the call.
static void call_for_words(const Probe *probe, const ProbeGroup *g, int label, LsText *out) {
  const ProbeArgument args[] = {WORD("%lanescope_m"), WORD("%lanescope_a")};
  LsText call = {0};
  char place[32];
  snprintf(place, sizeof place, "words_%d", label);
  probe_put_call_for(&call, "lanescope_probe_words", args, LS_COUNT(args), "%lanescope_a");
  if (probe_is_held(probe, g->slot + PROBE_FIRST)) probe_inline(ls_text_str(&call), place, out);
  else ls_text_add(out, ls_text_str(&call));
  ls_text_free(&call);
}

// Local memory: the sectors alone, what else there is follows from the segment.
static void count_words(const Probe *probe, const ProbeGroup *g, int label, Times times, LsText *out) {
  const PtxInstr *in = &probe->module->code[g->first_pc];
  int words = LS_MAX(g->width / 4, 1);
  probe_put_address(probe, in, g->address, "%lanescope_x", out);
  ls_text_addf(out, "shr.u64 %%lanescope_x, %%lanescope_x, %d;\ncvt.u32.u64 %%lanescope_a, %%lanescope_x;\n",
               2 + __builtin_ctz((unsigned)words));
  call_for_words(probe, g, label, out);
  if (words > 1) ls_text_addf(out, "mul.lo.u32 %%lanescope_a, %%lanescope_a, %d;\n", words);
  ls_text_addf(out, "mul.wide.u32 %%lanescope_t, %%lanescope_a, %s;\n", times.word);
  add(probe, "%lanescope_lead", g->slot + PROBE_FIRST, (Times){"%lanescope_t", "%lanescope_t"}, out);
}

// An access of a loop whose address goes on by what all lanes have in common, or each by its own: when the lanes leave.
static void call_rounds(const Probe *probe, const ProbeGroup *g, LsText *out) {
  const PtxInstr *in = &probe->module->code[g->first_pc], *step = &probe->module->code[g->step_pc];
  probe_put_address(probe, in, g->address, "%lanescope_x", out);
  probe_put_operand(probe, step, &step->operands[2], 8, "%lanescope_t", out);
  if (g->step_pc > g->first_pc) ls_text_add(out, "sub.s64 %lanescope_x, %lanescope_x, %lanescope_t;\n");
  take_slot(g, out);
  CALL(out, "lanescope_probe_rounds", LONG("%lanescope_d"), NUMBER(how_to_count(probe, g)), WORD("%lanescope_m"),
       LONG("%lanescope_x"), LONG("%lanescope_t"), WORD("%lanescope_n"));
}

static void call_for(const Probe *probe, const ProbeGroup *g, int label, Times times, LsText *out) {
  if (probe_looks_at_banks(probe, g)) {
    count_wavefronts(probe, g, label, times, out);
    return;
  }
  if (probe_looks_at_sectors(probe, g) && probe_is_held(probe, g->slot + PROBE_FIRST)) {
    probe_put_sectors(probe, g, label, times.word, out);
    return;
  }
  if (probe_counts_words(probe, g)) {
    count_words(probe, g, label, times, out);
    gather(out);
    return;
  }
  if (g->late == LATE_ROUNDS && times.word == all_rounds.word) call_rounds(probe, g, out);
  else call_counter(probe, g, "%lanescope_m", times, out);
  gather(out);
}

// With a guard: only the lanes that do it count it.
static void count_guarded(const Probe *probe, const ProbeGroup *g, int label, LsText *out) {
  const PtxInstr *in = &probe->module->code[g->first_pc];
  if (g->affine) {
    probe_put_guard_count(probe, in, g->slot, out);
    return;
  }
  probe_put_ballot(probe, in, out);
  ls_text_addf(out, "mov.u32 %%lanescope_b, %%lanescope_a;\n@%s%s bra $lanescope_%d;\n", in->guard_negate ? "" : "!",
               probe_put_register(probe, in, in->guard)->name, label);
  call_counter(probe, g, "%lanescope_b", once, out);
  ls_text_addf(out, "$lanescope_%d:\n", label);
  gather(out);
}

// ---- accesses: by their shape --------------------------------------------------------------------------------------

// %lanescope_p: are all lanes as far from their places as one of them is? And are they all 32, where that is asked.
static void check_affine(const Probe *probe, const ProbeGroup *g, int label, LsText *out) {
  static const char *const tid[] = {"%tid.x", "%tid.y", "%tid.z"};
  const PtxInstr *in = &probe->module->code[g->first_pc];
  const char *sum = NULL;
  probe_put_address(probe, in, g->address, "%lanescope_x", out);
  for (int i = 0; i < 3; i++) {
    if (!g->affine->by[i]) continue;
    ls_text_addf(out, "mov.u32 %%lanescope_a, %s;\n", tid[i]);
    if (sum) ls_text_addf(out, "mad.wide.s32 %%lanescope_t, %%lanescope_a, %d, %s;\n", g->affine->by[i], sum);
    else ls_text_addf(out, "mul.wide.s32 %%lanescope_t, %%lanescope_a, %d;\n", g->affine->by[i]);
    sum = "%lanescope_t";
  }
  if (sum) ls_text_add(out, "sub.s64 %lanescope_t, %lanescope_x, %lanescope_t;\n");
  if (g->affine->use == AFFINE_FULL)   // with lanes that the assembler knows it takes less
    ls_text_addf(out, "mov.pred %%lanescope_p, %%lanescope_all;\n@!%%lanescope_all bra $lanescope_fits_%d;\n"
                      "match.all.sync.b64 %%lanescope_a|%%lanescope_p, %s, -1;\n$lanescope_fits_%d:\n", label,
                 sum ? sum : "%lanescope_x", label);
  else ls_text_addf(out, "match.all.sync.b64 %%lanescope_a|%%lanescope_p, %s, %%lanescope_m;\n",
                    sum ? sum : "%lanescope_x");
}

// All 32 lanes are there: the first one adds to the counter of its phase.
static void count_phase(const Probe *probe, const ProbeGroup *g, bool has_address, const char *fits, Times times, LsText *out) {
  const PtxInstr *in = &probe->module->code[g->first_pc];
  const ProbeAffine *affine = g->affine;
  int shift = __builtin_ctz((unsigned)affine->phase_bytes);
  if (!has_address) probe_put_address(probe, in, g->address, "%lanescope_x", out);
  ls_text_addf(out, "and.b64 %%lanescope_t, %%lanescope_x, %d;\n", affine->unit - affine->phase_bytes);
  if (shift < 3) ls_text_addf(out, "shl.b64 %%lanescope_t, %%lanescope_t, %d;\n", 3 - shift);
  if (shift > 3) ls_text_addf(out, "shr.u64 %%lanescope_t, %%lanescope_t, %d;\n", shift - 3);
  ls_text_addf(out,
               "add.s64 %%lanescope_t, %%lanescope_row, %%lanescope_t;\n"
               "and.pred %%lanescope_q, %s, %%lanescope_lead;\n"
               "@%%lanescope_q red.global.add.u64 [%%lanescope_t+%d], %s;\n",
               fits, probe_phase_slot(g) * 8, times.number);
}

static void count_access(const Probe *probe, const ProbeGroup *g, int label, Times times, LsText *out) {
  const ProbeAffine *affine = g->affine;
  const char *fits = "%lanescope_all";
  if (probe->module->code[g->first_pc].guard >= 0) {
    count_guarded(probe, g, label, out);
    return;
  }
  if (!affine) {
    call_for(probe, g, label, times, out);
    return;
  }
  if (affine->use == AFFINE_FREE && affine->proven) return;
  if (!affine->proven) {
    check_affine(probe, g, label, out);
    fits = "%lanescope_p";
  }
  if (affine->use == AFFINE_FULL && affine->phases > 1) count_phase(probe, g, !affine->proven, fits, times, out);
  ls_text_addf(out, "@%s bra $lanescope_%d;\n", fits, label);
  call_for(probe, g, label, times, out);
  ls_text_addf(out, "$lanescope_%d:\n", label);
}

// A copy is a load and a store like others.
static void count_rows(const Probe *probe, const ProbeGroup *g, bool recording, LsText *out) {
  const ProbeMove *m = probe_move_of(probe, g->first_pc);
  for (int i = 0; i < m->row_count; i++) {
    ProbeGroup row = probe_row_group(g, &m->rows[i]);
    count_access(probe, &row, 2 * (g->first_pc + i * probe->module->code_count) + recording, once, out);
  }
}

void probe_count_group(const Probe *probe, const ProbeSite *site, bool recording, LsText *out) {
  const PtxInstr *in = &probe->module->code[site->pc];
  const ProbeGroup *g = &probe->groups[site->group];
  if (g->first_pc != site->pc || (g->late && !recording)) return;
  switch ((GroupKind)g->kind) {
  case GROUP_ACCESS: count_access(probe, g, 2 * site->pc + recording, once, out); break;
  case GROUP_GUARD: probe_put_guard_count(probe, in, g->slot, out); break;
  case GROUP_BRANCH: count_branch(probe, in, g, out); break;
  case GROUP_TURNS: count_turns(probe, in, g, out); break;
  case GROUP_MOVE:
    if (probe_is_plain_move(probe, g->first_pc)) {
      count_rows(probe, g, recording, out);
      break;
    }
    probe_count_move(probe, g, out);
    gather(out);
    break;
  }
}

// ---- loops ---------------------------------------------------------------------------------------------------------

// The lanes are those of the first round: they go on as long as all of them do.
void probe_start_rounds(const ProbeSegment *s, LsText *out) {
  probe_take_lanes(out);
  ls_text_addf(out, "mov.u32 %%lanescope_n, 0;\n$lanescope_round_%d:\nadd.u32 %%lanescope_n, %%lanescope_n, 1;\n", s->first);
}

// Some leave: what was put off is counted.
void probe_end_round(const Probe *probe, const ProbeSegment *s, LsText *out) {
  const PtxInstr *in = &probe->module->code[s->end - 1];
  ls_text_addf(out, "mov.u32 %%lanescope_a, 0;\n@%s%s activemask.b32 %%lanescope_a;\n", in->guard_negate ? "!" : "",
               probe_put_register(probe, in, in->guard)->name);
  // With lanes of others among them it is as if some left: they come back. As (a & m) == m it has ptxas 13.0 crash.
  ls_text_addf(out, "xor.b32 %%lanescope_a, %%lanescope_a, %%lanescope_m;\n"
                    "setp.eq.u32 %%lanescope_p, %%lanescope_a, 0;\n"
                    "@%%lanescope_p bra $lanescope_round_%d;\n", s->first);
  ls_text_add(out, "cvt.u64.u32 %lanescope_c, %lanescope_n;\n");
  count_segment(probe, s, 2 * s->first, all_rounds, out);
  for (int i = s->site; i < s->site + s->site_count; i++) {
    const ProbeSite *site = &probe->sites[i];
    const ProbeGroup *g = site->group >= 0 ? &probe->groups[site->group] : NULL;
    if (g && g->late && g->first_pc == site->pc) count_access(probe, g, 2 * site->pc, all_rounds, out);
  }
}
