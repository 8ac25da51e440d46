// probe_emit.c: the PTX that is put before and behind an instruction: it counts, and in the recording copy tells an
// event.
//
// Registers are those of probe_emit_head. %lanescope_m, the lanes of the segment, %lanescope_lead, whether this is the
// first of them, and %lanescope_all, whether they are all 32, hold from the first site of a segment to its end.
// %lanescope_row and %lanescope_lt hold everywhere, %lanescope_n in a loop that counts its rounds; in the recording
// copy everywhere those of probe_room.c and %lanescope_column and %lanescope_line, where the lane is among those side
// by side. The others hold only within what is put at one place.
#include <stdio.h>
#include "device/probe/probe_banks.h"
#include "device/probe/probe_held.h"
#include "device/probe/probe_inline.h"
#include "device/probe/probe_multi.h"
#include "device/probe/probe_put.h"
#include "device/probe/probe_tell.h"
#include "device/probe/probe_room.h"

static const char registers[] =
    ".reg .pred %lanescope_lead, %lanescope_all, %lanescope_tells, %lanescope_p, %lanescope_q;\n"
    ".reg .b16 %lanescope_h;\n"
    ".reg .b32 %lanescope_lt, %lanescope_m, %lanescope_a, %lanescope_b, %lanescope_g, %lanescope_y, %lanescope_n, %lanescope_f;\n"
    ".reg .b32 %lanescope_at, %lanescope_end, %lanescope_chunk, %lanescope_to, %lanescope_column, %lanescope_line;\n"
    ".reg .b64 %lanescope_cursor;\n"
    ".reg .b64 %lanescope_row, %lanescope_c, %lanescope_d, %lanescope_x, %lanescope_t, %lanescope_v, %lanescope_w, %lanescope_k;\n";

// ---- telling -------------------------------------------------------------------------------------------------------

static void emit_point(const Probe *probe, const ProbeSite *site, const char *does, const char *yes, LsText *out) {
  probe_tell_point(probe, site, does, yes, out);
}

static void emit_address(const Probe *probe, const PtxInstr *in, LsText *out) {
  probe_put_reported_address(probe, in, ptx_address(in), probe_space(probe, in), out);
}

static void emit_number(const Probe *probe, const ProbeSite *site, LsText *out) {
  probe_tell_record(probe, site, "%lanescope_m", WORD("%lanescope_g"), NUMBER(0), out);
}

// The number and, if it is not for all, how many threads.
static void emit_barrier(const Probe *probe, const ProbeSite *site, const PtxInstr *in, LsText *out) {
  int at = in->mode == PTX_BAR_RED ? 1 : 0, left = in->operand_count - (in->mode == PTX_BAR_RED ? 1 : 0);
  probe_put_operand(probe, in, at < left ? &in->operands[at] : NULL, 4, "%lanescope_k", out);
  probe_put_operand(probe, in, at + 1 < left ? &in->operands[at + 1] : NULL, 4, "%lanescope_t", out);
  ls_text_add(out, "shl.b64 %lanescope_t, %lanescope_t, 32;\nor.b64 %lanescope_k, %lanescope_k, %lanescope_t;\n");
  probe_put_guard(probe, in, out);
  emit_number(probe, site, out);
}

static bool begins_with_loop(const PtxModule *m, const PtxFunc *f) {
  for (int pc = f->first; pc < f->first + f->count; pc++)
    for (int i = 0; i < m->code[pc].operand_count; i++) {
      const PtxOperand *o = &m->code[pc].operands[i];
      if (o->kind == PTX_OPD_LABEL && o->target == f->first) return true;
      const PtxTable *table = o->kind == PTX_OPD_TABLE && m->code[pc].op == PTX_OP_brx ? &m->tables[o->index] : NULL;
      for (int k = 0; table && k < table->target_count; k++) if (table->targets[k] == f->first) return true;
    }
  return false;
}

// In a loop at the start, %lanescope_e knows that it is told already.
static void emit_enter(const Probe *probe, const ProbeSite *site, const PtxInstr *in, LsText *out) {
  int frame = probe->frame_var[in->func];
  bool loops = begins_with_loop(probe->module, &probe->module->funcs[in->func]);
  if (loops)
    ls_text_addf(out, "setp.ne.u32 %%lanescope_p, %%lanescope_e, 0;\n@%%lanescope_p bra $lanescope_entered_%d;\n"
                      "mov.u32 %%lanescope_e, 1;\n", site->pc);
  if (frame < 0) {
    emit_point(probe, site, NULL, NULL, out);
  } else {
    ls_text_addf(out, "mov.u32 %%lanescope_g, 1;\nmov.u64 %%lanescope_k, %s;\n", probe->module->vars[frame].name);
    emit_number(probe, site, out);
  }
  if (loops) ls_text_addf(out, "$lanescope_entered_%d:\n", site->pc);
}

// ---- operations between lanes --------------------------------------------------------------------------------------

// Members below, how a shuffle finds its source above.
static void take_members(const Probe *probe, const PtxInstr *in, LsText *out) {
  probe_put_operand(probe, in, probe_members_of(in), 4, "%lanescope_k", out);
  if (in->op != PTX_OP_shfl) return;
  probe_put_operand(probe, in, &in->operands[2], 4, "%lanescope_t", out);
  ls_text_add(out, "and.b64 %lanescope_t, %lanescope_t, 31;\nshl.b64 %lanescope_t, %lanescope_t, 32;\n"
                   "or.b64 %lanescope_k, %lanescope_k, %lanescope_t;\n");
  probe_put_operand(probe, in, &in->operands[3], 4, "%lanescope_t", out);
  ls_text_add(out, "and.b64 %lanescope_t, %lanescope_t, 7967;\nshl.b64 %lanescope_t, %lanescope_t, 40;\n"
                   "or.b64 %lanescope_k, %lanescope_k, %lanescope_t;\n");
}

static void take_predicate(const Probe *probe, const PtxInstr *in, LsText *out) {
  const PtxOperand *o = in->op == PTX_OP_vote ? &in->operands[1] : NULL;
  if (o && o->kind == PTX_OPD_REG)
    ls_text_addf(out, "selp.u32 %%lanescope_y, %d, %d, %s;\n", !o->negate, o->negate,
                 probe_put_register(probe, in, o->reg)->name);
  else
    ls_text_addf(out, "mov.u32 %%lanescope_y, %d;\n", o && o->kind == PTX_OPD_IMM && (o->imm != 0) != o->negate);
}

static void emit_lanes_before(const Probe *probe, const PtxInstr *in, LsText *out) {
  bool wide = ptx_type_size((PtxType)in->type) == 8;
  bool has_value = in->op == PTX_OP_shfl || in->op == PTX_OP_match || in->op == PTX_OP_redux;
  probe_put_guard(probe, in, out);
  take_members(probe, in, out);
  take_predicate(probe, in, out);
  if (has_value) probe_put_operand(probe, in, &in->operands[1], wide ? 8 : 4, "%lanescope_v", out);
  else ls_text_add(out, "mov.u64 %lanescope_v, 0;\n");
}

static void emit_lanes(const Probe *probe, const ProbeSite *site, const PtxInstr *in, LsText *out) {
  bool has_result = in->mode != PTX_BAR_WARP_SYNC;
  // see probe_text.c
  if (probe_drops_result(probe, site->pc)) ls_text_add(out, "cvt.u64.u32 %lanescope_w, %lanescope_b;\n");
  else probe_put_operand(probe, in, has_result ? &in->operands[0] : NULL, 8, "%lanescope_w", out);
  ls_text_add(out, "activemask.b32 %lanescope_a;\n");   // more than %lanescope_m, if they met here
  probe_tell_record(probe, site, "%lanescope_a", WORD("%lanescope_g"), WORD("%lanescope_y"), out);
}

static void emit_atom_before(const Probe *probe, const PtxInstr *in, LsText *out) {
  int first = in->op == PTX_OP_atom ? 2 : 1, at = in->mode == PTX_AT_CAS ? first + 1 : first;
  emit_address(probe, in, out);
  probe_put_operand(probe, in, at < in->operand_count ? &in->operands[at] : NULL, ptx_type_size((PtxType)in->type),
                    "%lanescope_v", out);
  probe_put_guard(probe, in, out);
  ls_text_add(out, "mov.u32 %lanescope_y, 0;\n");
}

// One that drops its result has it in a register of its own size, see probe_text.c.
static void emit_atom(const Probe *probe, const ProbeSite *site, const PtxInstr *in, LsText *out) {
  static const char *const narrow[] = {"", "cvt.u64.u16 %lanescope_w, %lanescope_h;\n",
                                       "cvt.u64.u32 %lanescope_w, %lanescope_b;\n"};
  int bytes = ptx_type_size((PtxType)in->type);
  if (!probe_returns_nothing(in)) probe_put_operand(probe, in, &in->operands[0], bytes, "%lanescope_w", out);
  else ls_text_add(out, narrow[bytes == 2 ? 1 : bytes == 4 ? 2 : 0]);
  probe_tell_record(probe, site, "%lanescope_m", WORD("%lanescope_g"), WORD("%lanescope_y"), out);
}

static void emit_before(const Probe *probe, const ProbeSite *site, LsText *out) {
  const PtxInstr *in = &probe->module->code[site->pc];
  switch ((SiteKind)site->kind) {
  case SITE_HEAD: emit_point(probe, site, NULL, NULL, out); break;
  case SITE_ENTER: emit_enter(probe, site, in, out); break;
  case SITE_GUARD:
    probe_put_guard(probe, in, out);
    emit_point(probe, site, "%lanescope_g", NULL, out);
    break;
  case SITE_ACCESS:
    emit_address(probe, in, out);
    probe_put_guard(probe, in, out);
    emit_number(probe, site, out);
    break;
  case SITE_ATOM: emit_atom_before(probe, in, out); break;
  case SITE_BRANCH:
    probe_put_guard(probe, in, out);
    emit_point(probe, site, NULL, "%lanescope_g", out);
    break;
  case SITE_JUMP:
    probe_put_operand(probe, in, &in->operands[0], 4, "%lanescope_k", out);
    probe_put_guard(probe, in, out);
    emit_number(probe, site, out);
    break;
  case SITE_BARRIER: emit_barrier(probe, site, in, out); break;
  case SITE_LANES: emit_lanes_before(probe, in, out); break;
  case SITE_MOVE: probe_emit_move(probe, site, out); break;
  default: break;
  }
}

// ---- segments ------------------------------------------------------------------------------------------------------

static void emit_segment(const Probe *probe, const ProbeSegment *s, int pc, bool recording, int when, LsText *out) {
  bool loops = s->loops && !recording;
  ProbeRoom room;
  for (int i = s->site; i < s->site + s->site_count; i++) {
    const ProbeSite *site = &probe->sites[i];
    bool here = site->pc == pc && site->after == (when == PROBE_AFTER);
    if (!here) continue;
    if (i == s->site && !loops) probe_count_segment(probe, s, recording, out);
    if (loops && pc == s->end - 1) probe_end_round(probe, s, out);
    if (site->group >= 0) probe_count_group(probe, site, recording, out);
    if (recording && probe_begins_group(probe, i, &room)) probe_put_group_room(probe, i, &room, out);
    if (recording) emit_before(probe, site, out);
  }
}

static bool names(const PtxOperand *o, int var) {
  bool found = (o->kind == PTX_OPD_VAR || (o->kind == PTX_OPD_MEM && o->base == PTX_BASE_VAR)) && o->var == var;
  for (int i = 0; i < o->elem_count && !found; i++) found = names(&o->elems[i], var);
  return found;
}

// At the start of its function; one that is not known there, where it is named.
static bool is_reported_at(const Probe *probe, int v, int pc) {
  const PtxVar *var = &probe->module->vars[v];
  const PtxInstr *in = &probe->module->code[pc];
  if (!probe_is_late(probe, v)) return pc == probe->module->funcs[var->func < 0 ? probe->entry : var->func].first;
  for (int i = 0; i < in->operand_count && in->func == var->func; i++)
    if (names(&in->operands[i], v)) return true;
  return false;
}

// At the start of the kernel the first warp tells: lane 0 of that has the first chunk, of which nothing is used yet.
static void emit_variable(const Probe *probe, int number, int pc, LsText *out) {
  bool at_start = pc == probe->module->funcs[probe->entry].first;
  ls_text_addf(out, "mov.u64 %%lanescope_t, %s;\n", probe->module->vars[probe->variables[number]].name);
  if (!at_start) {
    CALL(out, "lanescope_probe_variable", NUMBER(number), LONG("%lanescope_t"));
    return;
  }
  ls_text_addf(out, "add.s64 %%lanescope_t, %%lanescope_t, 1;\nsetp.eq.u32 %%lanescope_p, %%lanescope_at, 1;\n"
                    "ld.const.u64 %%lanescope_d, [%s+%d];\n"
                    "@%%lanescope_p st.global.u64 [%%lanescope_d+%d], %%lanescope_t;\n",
               PROBE_CONTEXT, (int)offsetof(ProbeContext, variables), number * 8);
}

static void emit_variables(const Probe *probe, int pc, LsText *out) {
  for (int i = 0; i < probe->variable_count; i++)
    if (is_reported_at(probe, probe->variables[i], pc)) emit_variable(probe, i, pc, out);
}

// ---- the start and the end of a warp -------------------------------------------------------------------------------

// The number of the block in %lanescope_a, and of the warp in %lanescope_b.
static void take_block(const Probe *probe, LsText *out) {
  probe_put_block(probe, "%lanescope_a", "%lanescope_b", "%lanescope_g", out);
}

static void take_warp(const Probe *probe, LsText *out) {
  probe_put_warp(probe, "%lanescope_b", "%lanescope_g", "%lanescope_y", out);
}

// The counters that this warp adds to.
static void take_row(const Probe *probe, LsText *out) {
  ls_text_addf(out, "ld.const.u64 %%lanescope_row, [%s+%d];\n", PROBE_CONTEXT, (int)offsetof(ProbeContext, counters));
  if (probe->copies == 1) return;
  ls_text_addf(out,
               "mad.lo.u32 %%lanescope_g, %%lanescope_a, %u, %%lanescope_b;\n"
               "and.b32 %%lanescope_g, %%lanescope_g, %d;\n"
               "mad.wide.u32 %%lanescope_row, %%lanescope_g, %d, %%lanescope_row;\n",
               launch_warps(probe->launch), probe->copies - 1, probe->slots * 8);
}

// The ProbeBlock of the block %lanescope_a in %lanescope_d.
static void take_times(LsText *out) {
  ls_text_addf(out, "ld.const.u64 %%lanescope_d, [%s+%d];\nmad.wide.u32 %%lanescope_d, %%lanescope_a, %d, %%lanescope_d;\n",
               PROBE_CONTEXT, (int)offsetof(ProbeContext, blocks), (int)sizeof(ProbeBlock));
}

// %lanescope_p too only if the block is one that is timed.
static void unless_timed(const Probe *probe, LsText *out) {
  if (probe->timed_blocks < probe->blocks)
    ls_text_addf(out, "setp.lt.and.u32 %%lanescope_p, %%lanescope_a, %u, %%lanescope_p;\n",
                 (unsigned)probe->timed_blocks);
}

// The first thread of the block tells where it runs, and since when.
static void emit_start(const Probe *probe, LsText *out) {
  bool branches = launch_warps(probe->launch) > 1;
  if (branches) ls_text_add(out, "setp.ne.u32 %lanescope_p, %lanescope_b, 0;\n@%lanescope_p bra $lanescope_started;\n");
  ls_text_add(out, "setp.eq.u32 %lanescope_p, %lanescope_lt, 0;\n");
  unless_timed(probe, out);
  take_times(out);
  ls_text_addf(out,
               "mov.u64 %%lanescope_t, %%globaltimer;\n"
               "not.b64 %%lanescope_t, %%lanescope_t;\n"
               "@%%lanescope_p st.global.u64 [%%lanescope_d+%d], %%lanescope_t;\n"
               "mov.u32 %%lanescope_g, %%smid;\n"
               "add.u32 %%lanescope_g, %%lanescope_g, 1;\n"
               "cvt.u64.u32 %%lanescope_t, %%lanescope_g;\n"
               "@%%lanescope_p st.global.u64 [%%lanescope_d+%d], %%lanescope_t;\n",
               (int)offsetof(ProbeBlock, before_start), (int)offsetof(ProbeBlock, sm));
  if (branches) ls_text_add(out, "$lanescope_started:\n");
}

static bool ends_thread(const Probe *probe, const PtxInstr *in) {
  return in->op == PTX_OP_exit || (in->op == PTX_OP_ret && in->func == probe->entry);
}

// The first of the lanes that end now tells when.
static void emit_end(const Probe *probe, const PtxInstr *in, LsText *out) {
  if (!probe->timed_blocks) return;
  if (in->guard < 0) {
    ls_text_add(out, "mov.pred %lanescope_p, %lanescope_lead;\n");
  } else {
    probe_put_ballot(probe, in, out);
    ls_text_addf(out, "and.b32 %%lanescope_a, %%lanescope_a, %%lanescope_lt;\nsetp.eq.and.u32 %%lanescope_p, %%lanescope_a, 0, %s%s;\n",
                 in->guard_negate ? "!" : "", probe_put_register(probe, in, in->guard)->name);
  }
  take_block(probe, out);
  unless_timed(probe, out);
  take_times(out);
  ls_text_addf(out, "mov.u64 %%lanescope_t, %%globaltimer;\n@%%lanescope_p red.global.max.u64 [%%lanescope_d+%d], %%lanescope_t;\n",
               (int)offsetof(ProbeBlock, end));
}

// ---- calls ---------------------------------------------------------------------------------------------------------

static bool loads_result(const Probe *probe, int pc) {
  const PtxInstr *in = &probe->module->code[pc];
  return in->op == PTX_OP_ld && in->space == PTX_PARAM && in->guard < 0;
}

// Does the instruction come last of a call and the loads of its results, between which nothing may stand?
static bool ends_call(const Probe *probe, int pc) {
  const PtxFunc *f = &probe->module->funcs[probe->module->code[pc].func];
  int call = pc;
  if (pc + 1 < f->first + f->count && loads_result(probe, pc + 1)) return false;
  while (call > f->first && loads_result(probe, call)) call--;
  return probe_is_inner_call(probe, &probe->module->code[call]);
}

// Does it lead to another function, or out of this one?
static bool leads_elsewhere(const Probe *probe, const PtxInstr *in) {
  return probe_is_inner_call(probe, in) || (in->op == PTX_OP_ret && in->func != probe->entry);
}

// ---- one place -----------------------------------------------------------------------------------------------------

static void emit(const Probe *probe, int pc, bool recording, int when, LsText *out) {
  const PtxInstr *in = &probe->module->code[pc];
  const ProbeSite *site = probe->site_of[pc] >= 0 ? &probe->sites[probe->site_of[pc]] : NULL;
  if (when == PROBE_AFTER && recording && ends_call(probe, pc)) probe_take_cursor(probe, out);
  if (when == PROBE_BEFORE && recording) emit_variables(probe, pc, out);
  size_t start = out->length;
  emit_segment(probe, &probe->segments[probe->segment_of[pc]], pc, recording, when, out);
  if (when == PROBE_AFTER && recording && site && site->kind == SITE_LANES) emit_lanes(probe, site, in, out);
  if (when == PROBE_AFTER && recording && site && site->kind == SITE_ATOM) emit_atom(probe, site, in, out);
  // Lanes may come back from a function one after the other: the next segment has to find them together.
  // Others may have come to an operation between lanes.
  bool met = when == PROBE_AFTER && site && site->kind == SITE_LANES;
  if (recording && strstr(ls_text_str(out) + start, "call.uni"))
    ls_text_addf(out, "bar.warp.sync %s;\n", met ? "%lanescope_a" : "%lanescope_m");
  if (recording && when == PROBE_BEFORE && leads_elsewhere(probe, in)) probe_keep_cursor(probe, out);
  if (when != PROBE_BEFORE || !ends_thread(probe, in)) return;
  probe_give_held(probe, pc, recording, out);
  emit_end(probe, in, out);
}

// Text with the carry behind it as it was before: one flag, whatever wrote it and whatever reads it.
static void keep_carry(const Probe *probe, int pc, LsText *text, LsText *out) {
  static const char save[] = "addc.u32 %lanescope_f, 0, 0;\n", restore[] =
      "add.cc.u32 %lanescope_f, %lanescope_f, -1;\n";
  bool wanted = probe->carry[pc];
  if (text->length) ls_text_addf(out, "%s%s%s", wanted ? save : "", ls_text_str(text), wanted ? restore : "");
  ls_text_free(text);
}

static void write_out_calls(int pc, int when, LsText *text) {
  char place[32];
  LsText whole = {0};
  snprintf(place, sizeof place, "%d_%d", pc, when);
  probe_inline(ls_text_str(text), place, &whole);
  ls_text_free(text);
  *text = whole;
}

// The lanes that are here now.
static void emit_stamp(const Probe *probe, int pc, int when, LsText *out) {
  const PtxInstr *in = &probe->module->code[pc];
  if (when != PROBE_BEFORE || !ends_thread(probe, in)) return;
  ls_text_add(out, "activemask.b32 %lanescope_m;\nand.b32 %lanescope_a, %lanescope_m, %lanescope_lt;\n"
                   "setp.eq.u32 %lanescope_lead, %lanescope_a, 0;\n");
  emit_end(probe, in, out);
}

void probe_emit(const Probe *probe, int pc, bool recording, int when, LsText *out) {
  LsText text = {0};
  if (probe->stamps_only) emit_stamp(probe, pc, when, &text);
  else emit(probe, pc, recording, when, &text);
  // others may be recursive
  if (recording && probe->module->code[pc].func == probe->entry) write_out_calls(pc, when, &text);
  keep_carry(probe, when == PROBE_BEFORE ? pc : pc + 1, &text, out);
}

void probe_emit_loop(const Probe *probe, int pc, bool recording, LsText *out) {
  const ProbeSegment *s = &probe->segments[probe->segment_of[pc]];
  LsText text = {0};
  if (s->loops && !recording && !probe->stamps_only && pc == s->first) probe_start_rounds(s, &text);
  keep_carry(probe, pc, &text, out);
}

void probe_emit_head(const Probe *probe, int func, LsText *out) {
  bool starts = func == probe->entry && probe->timed_blocks;
  ls_text_add(out, registers);
  if (func != probe->entry && begins_with_loop(probe->module, &probe->module->funcs[func]))
    ls_text_add(out, ".reg .b32 %lanescope_e;\nmov.u32 %lanescope_e, 0;\n");
  if (probe->has_children) probe_emit_family(probe, func, out);
  ls_text_add(out, "mov.u32 %lanescope_lt, %lanemask_lt;\n");
  if (starts || (probe->copies > 1 && !probe->stamps_only)) {
    take_block(probe, out);
    take_warp(probe, out);
  }
  if (!probe->stamps_only) take_row(probe, out);
  if (func == probe->entry && !probe->stamps_only) probe_put_held_registers(probe, out);
  if (!probe->stamps_only) probe_put_banks_registers(probe, func, out);
  if (starts) emit_start(probe, out);
}

// The first grid to come here is the host's: each of its threads comes here before it launches others.
void probe_emit_family(const Probe *probe, int func, LsText *out) {
  int root = (int)offsetof(ProbeHead, root);
  ls_text_addf(out, "ld.const.u64 %%lanescope_d, [%s+%d];\n", PROBE_CONTEXT, (int)offsetof(ProbeContext, head));
  ls_text_add(out, "mov.u64 %lanescope_t, %gridid;\nadd.u64 %lanescope_t, %lanescope_t, 1;\n");
  if (func == probe->entry)
    ls_text_addf(out, "atom.global.cas.b64 %%lanescope_w, [%%lanescope_d+%d], 0, %%lanescope_t;\n", root);
  if (!probe->of_children[func]) return;
  if (func != probe->entry) ls_text_addf(out, "ld.global.u64 %%lanescope_w, [%%lanescope_d+%d];\n", root);
  ls_text_add(out, "setp.ne.u64 %lanescope_p, %lanescope_w, 0;\n"
                   "setp.ne.and.u64 %lanescope_p, %lanescope_w, %lanescope_t, %lanescope_p;\n"
                   "@%lanescope_p bra $lanescope_plain;\n");
}

void probe_emit_choice(LsText *out) {
  ls_text_add(out, "{\n.param .b32 lanescope_0;\ncall.uni (lanescope_0), lanescope_probe_recorded, ();\n"
                   "ld.param.b32 %lanescope_a, [lanescope_0];\n}\nsetp.ne.u32 %lanescope_p, %lanescope_a, 0;\n");
}
