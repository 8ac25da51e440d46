// probe_ask.c: the PTX that is put before and behind an instruction: it counts, and in the recording copy tells an event.
//
// Registers are those of probe_ask_head. %lanescope_m and %lanescope_lead, the lanes of the segment and whether this is
// the first of them, hold from the first site of a segment to its end. %lanescope_n, rounds of a loop that are not counted
// yet, is 0 outside of loops. The others hold only within what is put at one place.
#include "device/probe_moves.h"
#include "device/probe_put.h"

static const char registers[] =
    ".reg .pred %lanescope_lead, %lanescope_p, %lanescope_q;\n"
    ".reg .b16 %lanescope_h;\n"
    ".reg .b32 %lanescope_m, %lanescope_a, %lanescope_b, %lanescope_g, %lanescope_y, %lanescope_n, %lanescope_f;\n"
    ".reg .b64 %lanescope_row, %lanescope_c, %lanescope_d, %lanescope_x, %lanescope_t, %lanescope_v, %lanescope_w, %lanescope_k;\n";

// ---- calls ---------------------------------------------------------------------------------------------------------

void probe_put_call(LsText *out, const char *function, const ProbeArgument *args, int count) {
  ls_text_add(out, "{\n");
  for (int i = 0; i < count; i++) {
    ls_text_addf(out, ".param .b%d lanescope_%d;\nst.param.b%d [lanescope_%d], ", args[i].bits, i, args[i].bits, i);
    if (args[i].text) ls_text_add(out, args[i].text);
    else ls_text_addf(out, "%llu", (unsigned long long)args[i].number);
    ls_text_add(out, ";\n");
  }
  ls_text_addf(out, "call.uni %s, (", function);
  for (int i = 0; i < count; i++) ls_text_addf(out, "%slanescope_%d", i ? ", " : "", i);
  ls_text_add(out, ");\n}\n");
}

// ---- operands ------------------------------------------------------------------------------------------------------

static const PtxReg *reg_of(const Probe *probe, const PtxInstr *in, int reg) {
  return &probe->module->funcs[in->func].regs[reg];
}

// An operand's low `bytes` as 64 bits; a vector's first element's.
void probe_put_operand(const Probe *probe, const PtxInstr *in, const PtxOperand *o, int bytes, const char *to, LsText *out) {
  if (o && o->kind == PTX_OPD_VEC && o->elem_count) o = &o->elems[0];
  uint64_t mask = bytes >= 8 ? UINT64_MAX : (1ull << bytes * 8) - 1;
  if (!o || o->kind != PTX_OPD_REG) {
    ls_text_addf(out, "mov.u64 %s, %llu;\n", to, o && o->kind == PTX_OPD_IMM ? (unsigned long long)(o->imm & mask) : 0);
    return;
  }
  const PtxReg *reg = reg_of(probe, in, o->reg);
  int size = ptx_type_size((PtxType)reg->type);
  if (size == 8) ls_text_addf(out, "mov.b64 %s, %s;\n", to, reg->name);
  else if (size == 4) ls_text_addf(out, "mov.b32 %%lanescope_a, %s;\ncvt.u64.u32 %s, %%lanescope_a;\n", reg->name, to);
  else if (size == 2) ls_text_addf(out, "mov.b16 %%lanescope_h, %s;\ncvt.u64.u16 %s, %%lanescope_h;\n", reg->name, to);
  else if (reg->type == PTX_PRED) ls_text_addf(out, "selp.u64 %s, 1, 0, %s;\n", to, reg->name);
  else ls_text_addf(out, "cvt.u64.u8 %s, %s;\n", to, reg->name);
  if (size > bytes) ls_text_addf(out, "and.b64 %s, %s, 0x%llx;\n", to, to, (unsigned long long)mask);
}

// A sum with a register of 32 bits has 32 bits.
void probe_put_address(const Probe *probe, const PtxInstr *in, const PtxOperand *o, const char *to, LsText *out) {
  const PtxReg *reg = o->base == PTX_BASE_REG ? reg_of(probe, in, o->reg) : NULL;
  if (reg && o->offset && ptx_type_size((PtxType)reg->type) == 4) {
    ls_text_addf(out, "add.s32 %%lanescope_a, %s, %d;\ncvt.u64.u32 %s, %%lanescope_a;\n", reg->name, (int)o->offset, to);
    return;
  }
  if (o->base == PTX_BASE_REG) {
    PtxOperand base = {.kind = PTX_OPD_REG, .reg = o->reg};
    probe_put_operand(probe, in, &base, 8, to, out);
  } else if (o->base == PTX_BASE_VAR) {
    ls_text_addf(out, "mov.u64 %s, %s;\n", to, probe->module->vars[o->var].name);
  } else {
    ls_text_addf(out, "mov.u64 %s, 0;\n", to);
  }
  if (o->offset) ls_text_addf(out, "add.s64 %s, %s, %lld;\n", to, to, (long long)o->offset);
}

// Does the lane do it? As a number, for afterwards the predicate may be another.
void probe_put_guard(const Probe *probe, const PtxInstr *in, LsText *out) {
  if (in->guard < 0) ls_text_add(out, "mov.u32 %lanescope_g, 1;\n");
  else
    ls_text_addf(out, "selp.u32 %%lanescope_g, %d, %d, %s;\n", !in->guard_negate, in->guard_negate,
                 reg_of(probe, in, in->guard)->name);
}

static void ballot_guard(const Probe *probe, const PtxInstr *in, LsText *out) {
  ls_text_addf(out, "vote.sync.ballot.b32 %%lanescope_a, %s%s, %%lanescope_m;\n", in->guard_negate ? "!" : "",
               reg_of(probe, in, in->guard)->name);
}

// ---- counting ------------------------------------------------------------------------------------------------------

static void add(LsText *out, const char *guard, int slot, const char *value) {
  ls_text_addf(out, "@%s red.global.add.u64 [%%lanescope_row+%d], %s;\n", guard, slot * 8, value);
}

static void take_lanes(LsText *out) {
  ls_text_add(out, "activemask.b32 %lanescope_m;\n"
                   "mov.u32 %lanescope_a, %lanemask_lt;\n"
                   "and.b32 %lanescope_a, %lanescope_a, %lanescope_m;\n"
                   "setp.eq.u32 %lanescope_lead, %lanescope_a, 0;\n");
}

// How often, and how many lanes less than 32 there were. times: how often at once, "1" or the register of it.
static void count_segment(const ProbeSegment *s, const char *times, LsText *out) {
  bool once = strcmp(times, "1") == 0;
  add(out, "%lanescope_lead", s->slot + SEGMENT_WARPS, times);
  ls_text_add(out, "setp.ne.and.u32 %lanescope_p, %lanescope_m, -1, %lanescope_lead;\n"
                   "popc.b32 %lanescope_a, %lanescope_m;\n"
                   "sub.u32 %lanescope_a, 32, %lanescope_a;\n"
                   "cvt.u64.u32 %lanescope_t, %lanescope_a;\n");
  if (!once) ls_text_addf(out, "mul.lo.u64 %%lanescope_t, %%lanescope_t, %s;\n", times);
  add(out, "%lanescope_p", s->slot + SEGMENT_MISSING, "%lanescope_t");
}

void probe_put_guard_count(const Probe *probe, const PtxInstr *in, int slot, LsText *out) {
  ballot_guard(probe, in, out);
  ls_text_add(out, "setp.ne.and.u32 %lanescope_p, %lanescope_a, 0, %lanescope_lead;\n");
  add(out, "%lanescope_p", slot, "1");
  ls_text_add(out, "popc.b32 %lanescope_a, %lanescope_a;\ncvt.u64.u32 %lanescope_t, %lanescope_a;\n");
  add(out, "%lanescope_p", slot + 1, "%lanescope_t");
}

static void count_branch(const Probe *probe, const PtxInstr *in, const ProbeGroup *g, LsText *out) {
  ballot_guard(probe, in, out);
  ls_text_add(out, "setp.ne.and.u32 %lanescope_p, %lanescope_a, 0, %lanescope_lead;\n"
                   "setp.ne.and.u32 %lanescope_p, %lanescope_a, %lanescope_m, %lanescope_p;\n");
  add(out, "%lanescope_p", g->slot, "1");
}

static void take_slot(const ProbeGroup *g, LsText *out) {
  ls_text_addf(out, "add.s64 %%lanescope_d, %%lanescope_row, %d;\n", g->slot * 8);
}

// All 32 lanes, and every lane's distance from where it would be on consecutive (or one) places is the same: no more has
// to be known. Consecutive ones have to begin where a sector, or a word of a bank, does.
static void count_usual(const ProbeGroup *g, int label, bool consecutive, const char *times, LsText *out) {
  int start = g->space == PTX_SHARED && g->what != PROBE_ATOM ? LS_MAX(g->width, 4) : 32;
  const char *distance = "%lanescope_x";
  if (consecutive) {
    distance = "%lanescope_t";
    ls_text_addf(out,
                 "mov.u32 %%lanescope_a, %%laneid;\n"
                 "mul.wide.u32 %%lanescope_t, %%lanescope_a, %d;\n"
                 "sub.s64 %%lanescope_t, %%lanescope_x, %%lanescope_t;\n",
                 g->width);
  }
  ls_text_addf(out,
               "match.all.sync.b64 %%lanescope_b|%%lanescope_p, %s, %%lanescope_m;\n"
               "setp.eq.and.u32 %%lanescope_p, %%lanescope_m, -1, %%lanescope_p;\n",
               distance);
  if (consecutive)
    ls_text_addf(out,
                 "and.b64 %%lanescope_t, %%lanescope_t, %d;\n"
                 "setp.eq.and.u64 %%lanescope_p, %%lanescope_t, 0, %%lanescope_p;\n",
                 start - 1);
  ls_text_add(out, "and.pred %lanescope_q, %lanescope_p, %lanescope_lead;\n");
  add(out, "%lanescope_q", g->slot + (consecutive ? PROBE_CONSECUTIVE : PROBE_UNIFORM), times);
  ls_text_addf(out, "@%%lanescope_p bra $lanescope_%d;\n", label);
}

static int space_code(int space) {
  switch (space) {
  case PTX_SHARED: return TRACE_SHARED;
  case PTX_LOCAL: return TRACE_LOCAL;
  case PTX_CONST: return TRACE_CONST;
  case PTX_GENERIC: return PROBE_SPACES;
  default: return TRACE_GLOBAL;
  }
}

int probe_access_code(const ProbeGroup *g) { return g->width | space_code(g->space) << 8 | g->what << 16; }

static void count_access(const Probe *probe, const ProbeGroup *g, int label, const char *times, LsText *out) {
  const PtxInstr *in = &probe->module->code[g->first_pc];
  bool usual = in->guard < 0 && g->space != PTX_GENERIC;
  probe_put_address(probe, in, probe_address(in), "%lanescope_x", out);
  if (usual && g->space != PTX_LOCAL) count_usual(g, label, true, times, out);
  if (usual) count_usual(g, label, false, times, out);
  probe_put_guard(probe, in, out);
  take_slot(g, out);
  CALL(out, "lanescope_probe_count", LONG("%lanescope_d"), NUMBER(probe_access_code(g)),
       WORD("%lanescope_g"), LONG("%lanescope_x"), LONG(times));
  if (usual) ls_text_addf(out, "$lanescope_%d:\n", label);
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
  probe_put_operand(probe, in, address ? address : in->op == PTX_OP_brx ? &in->operands[0] : last, address ? 8 : 4, "%lanescope_t", out);
  probe_put_guard(probe, in, out);
  take_slot(g, out);
  ls_text_add(out, "cvt.u32.u64 %lanescope_a, %lanescope_t;\n");
  merge_ways(probe, in, out);
  CALL(out, "lanescope_probe_turns", LONG("%lanescope_d"), WORD("%lanescope_g"), WORD("%lanescope_a"));
}

static void count_group(const Probe *probe, const ProbeSite *site, bool recording, LsText *out) {
  const PtxInstr *in = &probe->module->code[site->pc];
  const ProbeGroup *g = &probe->groups[site->group];
  if (g->first_pc != site->pc || (g->late && !recording)) return;
  switch ((GroupKind)g->kind) {
  case GROUP_ACCESS: count_access(probe, g, 2 * site->pc + recording, "1", out); break;
  case GROUP_GUARD: probe_put_guard_count(probe, in, g->slot, out); break;
  case GROUP_BRANCH: count_branch(probe, in, g, out); break;
  case GROUP_TURNS: count_turns(probe, in, g, out); break;
  case GROUP_MOVE: probe_count_move(probe, g, out); break;
  }
}

// ---- loops ---------------------------------------------------------------------------------------------------------

// The lanes are those of the first round: they go on as long as all of them do.
static void start_round(const ProbeSegment *s, LsText *out) {
  ls_text_addf(out, "setp.ne.u32 %%lanescope_p, %%lanescope_n, 0;\n@%%lanescope_p bra $lanescope_round_%d;\n", s->first);
  take_lanes(out);
  ls_text_addf(out, "$lanescope_round_%d:\nadd.u32 %%lanescope_n, %%lanescope_n, 1;\n", s->first);
}

// Some leave: what was put off is counted.
static void end_round(const Probe *probe, const ProbeSegment *s, LsText *out) {
  const PtxInstr *in = &probe->module->code[s->end - 1];
  ls_text_addf(out, "vote.sync.all.pred %%lanescope_p, %s%s, %%lanescope_m;\n@%%lanescope_p bra %s;\n",
               in->guard_negate ? "!" : "", reg_of(probe, in, in->guard)->name, s->label);
  ls_text_add(out, "cvt.u64.u32 %lanescope_c, %lanescope_n;\nmov.u32 %lanescope_n, 0;\n");
  count_segment(s, "%lanescope_c", out);
  for (int i = s->site; i < s->site + s->site_count; i++) {
    const ProbeSite *site = &probe->sites[i];
    const ProbeGroup *g = site->group >= 0 ? &probe->groups[site->group] : NULL;
    if (g && g->late && g->first_pc == site->pc) count_access(probe, g, 2 * site->pc, "%lanescope_c", out);
  }
}

// ---- telling -------------------------------------------------------------------------------------------------------

static void tell_point(const Probe *probe, const ProbeSite *site, const char *does, const char *yes, LsText *out) {
  CALL(out, "lanescope_probe_point", SITE(probe, site), does ? WORD(does) : NUMBER(1), yes ? WORD(yes) : NUMBER(0));
}

void probe_put_told_address(const Probe *probe, const PtxInstr *in, const PtxOperand *o, PtxSpace space, LsText *out) {
  probe_put_address(probe, in, o, "%lanescope_k", out);
  if (space != PTX_GENERIC) return;
  ls_text_add(out, "{\n.param .b64 lanescope_0;\n.param .b64 lanescope_1;\nst.param.b64 [lanescope_0], %lanescope_k;\n"
                   "call.uni (lanescope_1), lanescope_probe_generic, (lanescope_0);\n"
                   "ld.param.b64 %lanescope_k, [lanescope_1];\n}\n");
}

static void tell_address(const Probe *probe, const PtxInstr *in, LsText *out) {
  probe_put_told_address(probe, in, probe_address(in), probe_space(probe, in), out);
}

static void tell_number(const Probe *probe, const ProbeSite *site, LsText *out) {
  CALL(out, "lanescope_probe_number", SITE(probe, site), WORD("%lanescope_g"), LONG("%lanescope_k"));
}

// The number and, if it is not for all, how many threads.
static void tell_barrier(const Probe *probe, const ProbeSite *site, const PtxInstr *in, LsText *out) {
  int at = in->mode == PTX_BAR_RED ? 1 : 0, left = in->operand_count - (in->mode == PTX_BAR_RED ? 1 : 0);
  probe_put_operand(probe, in, at < left ? &in->operands[at] : NULL, 4, "%lanescope_k", out);
  probe_put_operand(probe, in, at + 1 < left ? &in->operands[at + 1] : NULL, 4, "%lanescope_t", out);
  ls_text_add(out, "shl.b64 %lanescope_t, %lanescope_t, 32;\nor.b64 %lanescope_k, %lanescope_k, %lanescope_t;\n");
  probe_put_guard(probe, in, out);
  tell_number(probe, site, out);
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
static void tell_enter(const Probe *probe, const ProbeSite *site, const PtxInstr *in, LsText *out) {
  int frame = probe->frame_var[in->func];
  bool loops = begins_with_loop(probe->module, &probe->module->funcs[in->func]);
  if (loops)
    ls_text_addf(out, "setp.ne.u32 %%lanescope_p, %%lanescope_e, 0;\n@%%lanescope_p bra $lanescope_entered_%d;\n"
                      "mov.u32 %%lanescope_e, 1;\n", site->pc);
  if (frame < 0) {
    tell_point(probe, site, NULL, NULL, out);
  } else {
    ls_text_addf(out, "mov.u32 %%lanescope_g, 1;\nmov.u64 %%lanescope_k, %s;\n", probe->module->vars[frame].name);
    tell_number(probe, site, out);
  }
  if (loops) ls_text_addf(out, "$lanescope_entered_%d:\n", site->pc);
}

// ---- operations between lanes --------------------------------------------------------------------------------------

static const PtxOperand *members_of(const PtxInstr *in) {
  if (in->op == PTX_OP_activemask || !in->operand_count) return NULL;
  return &in->operands[in->operand_count - 1];
}

// Members below, how a shuffle finds its source above.
static void take_members(const Probe *probe, const PtxInstr *in, LsText *out) {
  probe_put_operand(probe, in, members_of(in), 4, "%lanescope_k", out);
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
    ls_text_addf(out, "selp.u32 %%lanescope_y, %d, %d, %s;\n", !o->negate, o->negate, reg_of(probe, in, o->reg)->name);
  else
    ls_text_addf(out, "mov.u32 %%lanescope_y, %d;\n", o && o->kind == PTX_OPD_IMM && (o->imm != 0) != o->negate);
}

static void ask_lanes_before(const Probe *probe, const PtxInstr *in, LsText *out) {
  bool wide = ptx_type_size((PtxType)in->type) == 8;
  bool has_value = in->op == PTX_OP_shfl || in->op == PTX_OP_match || in->op == PTX_OP_redux;
  probe_put_guard(probe, in, out);
  take_members(probe, in, out);
  take_predicate(probe, in, out);
  if (has_value) probe_put_operand(probe, in, &in->operands[1], wide ? 8 : 4, "%lanescope_v", out);
  else ls_text_add(out, "mov.u64 %lanescope_v, 0;\n");
}

static void tell_lanes(const Probe *probe, const ProbeSite *site, const PtxInstr *in, LsText *out) {
  bool has_result = in->mode != PTX_BAR_WARP_SYNC;
  if (probe_drops_result(probe, site->pc)) ls_text_add(out, "cvt.u64.u32 %lanescope_w, %lanescope_b;\n");   // see probe_text.c
  else probe_put_operand(probe, in, has_result ? &in->operands[0] : NULL, 8, "%lanescope_w", out);
  CALL(out, "lanescope_probe_numbers", SITE(probe, site), WORD("%lanescope_g"), WORD("%lanescope_y"),
       LONG("%lanescope_k"), LONG("%lanescope_v"), LONG("%lanescope_w"));
}

static void ask_atom_before(const Probe *probe, const PtxInstr *in, LsText *out) {
  int first = in->op == PTX_OP_atom ? 2 : 1, at = in->mode == PTX_AT_CAS ? first + 1 : first;
  tell_address(probe, in, out);
  probe_put_operand(probe, in, at < in->operand_count ? &in->operands[at] : NULL, ptx_type_size((PtxType)in->type), "%lanescope_v", out);
  probe_put_guard(probe, in, out);
  ls_text_add(out, "mov.u32 %lanescope_y, 0;\n");
}

// One that drops its result has it in a register of its own size, see probe_text.c.
static void tell_atom(const Probe *probe, const ProbeSite *site, const PtxInstr *in, LsText *out) {
  static const char *const narrow[] = {"", "cvt.u64.u16 %lanescope_w, %lanescope_h;\n",
                                       "cvt.u64.u32 %lanescope_w, %lanescope_b;\n"};
  int bytes = ptx_type_size((PtxType)in->type);
  if (!probe_returns_nothing(in)) probe_put_operand(probe, in, &in->operands[0], bytes, "%lanescope_w", out);
  else ls_text_add(out, narrow[bytes == 2 ? 1 : bytes == 4 ? 2 : 0]);
  CALL(out, "lanescope_probe_numbers", SITE(probe, site), WORD("%lanescope_g"), WORD("%lanescope_y"),
       LONG("%lanescope_k"), LONG("%lanescope_v"), LONG("%lanescope_w"));
}

static void tell_before(const Probe *probe, const ProbeSite *site, LsText *out) {
  const PtxInstr *in = &probe->module->code[site->pc];
  switch ((SiteKind)site->kind) {
  case SITE_HEAD: tell_point(probe, site, NULL, NULL, out); break;
  case SITE_ENTER: tell_enter(probe, site, in, out); break;
  case SITE_GUARD:
    probe_put_guard(probe, in, out);
    tell_point(probe, site, "%lanescope_g", NULL, out);
    break;
  case SITE_ACCESS:
    tell_address(probe, in, out);
    probe_put_guard(probe, in, out);
    tell_number(probe, site, out);
    break;
  case SITE_ATOM: ask_atom_before(probe, in, out); break;
  case SITE_BRANCH:
    probe_put_guard(probe, in, out);
    tell_point(probe, site, NULL, "%lanescope_g", out);
    break;
  case SITE_JUMP:
    probe_put_operand(probe, in, &in->operands[0], 4, "%lanescope_k", out);
    probe_put_guard(probe, in, out);
    tell_number(probe, site, out);
    break;
  case SITE_BARRIER: tell_barrier(probe, site, in, out); break;
  case SITE_LANES: ask_lanes_before(probe, in, out); break;
  case SITE_MOVE: probe_ask_move(probe, site, out); break;
  default: break;
  }
}

// ---- one place -----------------------------------------------------------------------------------------------------

static bool ends_thread(const Probe *probe, const PtxInstr *in) {
  return in->op == PTX_OP_exit || (in->op == PTX_OP_ret && in->func == probe->entry);
}

static void ask_segment(const Probe *probe, const ProbeSegment *s, int pc, bool recording, int when, LsText *out) {
  bool loops = s->loops && !recording;
  if (loops && pc == s->first && when == PROBE_BEFORE) start_round(s, out);
  for (int i = s->site; i < s->site + s->site_count; i++) {
    const ProbeSite *site = &probe->sites[i];
    bool here = site->pc == pc && site->after == (when == PROBE_AFTER);
    if (!here) continue;
    if (i == s->site && !loops) {
      take_lanes(out);
      count_segment(s, "1", out);
    }
    if (loops && pc == s->end - 1) end_round(probe, s, out);
    if (site->group >= 0) count_group(probe, site, recording, out);
    if (recording) tell_before(probe, site, out);
  }
}

static bool names(const PtxOperand *o, int var) {
  bool found = (o->kind == PTX_OPD_VAR || (o->kind == PTX_OPD_MEM && o->base == PTX_BASE_VAR)) && o->var == var;
  for (int i = 0; i < o->elem_count && !found; i++) found = names(&o->elems[i], var);
  return found;
}

// At the start of its function; one that is not known there, where it is named.
static bool is_told_at(const Probe *probe, int v, int pc) {
  const PtxVar *var = &probe->module->vars[v];
  const PtxInstr *in = &probe->module->code[pc];
  if (!probe_is_late(probe, v)) return pc == probe->module->funcs[var->func < 0 ? probe->entry : var->func].first;
  for (int i = 0; i < in->operand_count && in->func == var->func; i++)
    if (names(&in->operands[i], v)) return true;
  return false;
}

static void tell_variables(const Probe *probe, int pc, LsText *out) {
  for (int i = 0; i < probe->variable_count; i++) {
    if (!is_told_at(probe, probe->variables[i], pc)) continue;
    ls_text_addf(out, "mov.u64 %%lanescope_t, %s;\n", probe->module->vars[probe->variables[i]].name);
    CALL(out, "lanescope_probe_variable", NUMBER(i), LONG("%lanescope_t"));
  }
}

static void ask(const Probe *probe, int pc, bool recording, int when, LsText *out) {
  const PtxInstr *in = &probe->module->code[pc];
  const ProbeSite *site = probe->site_of[pc] >= 0 ? &probe->sites[probe->site_of[pc]] : NULL;
  if (when == PROBE_BEFORE && recording) tell_variables(probe, pc, out);
  ask_segment(probe, &probe->segments[probe->segment_of[pc]], pc, recording, when, out);
  if (when == PROBE_AFTER && recording && site && site->kind == SITE_LANES) tell_lanes(probe, site, in, out);
  if (when == PROBE_AFTER && recording && site && site->kind == SITE_ATOM) tell_atom(probe, site, in, out);
  if (when == PROBE_AFTER || !ends_thread(probe, in)) return;
  probe_put_guard(probe, in, out);
  CALL(out, "lanescope_probe_end", WORD("%lanescope_g"));
}

// What is put there, with the carry behind it as it was before.
void probe_ask(const Probe *probe, int pc, bool recording, int when, LsText *out) {
  static const char *const save[] = {"", "addc.u32 %lanescope_f, 0, 0;\n", "subc.u32 %lanescope_f, 0, 0;\n"};
  static const char *const restore[] = {"", "add.cc.u32 %lanescope_f, %lanescope_f, -1;\n",
                                        "sub.cc.u32 %lanescope_f, 0, %lanescope_f;\n"};
  int wanted = probe->carry[when == PROBE_BEFORE ? pc : pc + 1];
  LsText text = {0};
  ask(probe, pc, recording, when, &text);
  if (text.length) ls_text_addf(out, "%s%s%s", save[wanted], ls_text_str(&text), restore[wanted]);
  ls_text_free(&text);
}

void probe_ask_head(const Probe *probe, int func, LsText *out) {
  ls_text_add(out, registers);
  ls_text_add(out, "mov.u32 %lanescope_n, 0;\n");
  if (func != probe->entry && begins_with_loop(probe->module, &probe->module->funcs[func]))
    ls_text_add(out, ".reg .b32 %lanescope_e;\nmov.u32 %lanescope_e, 0;\n");
  if (func == probe->entry) ls_text_add(out, "call.uni lanescope_probe_begin, ();\n");
  ls_text_add(out, "{\n.param .b64 lanescope_0;\ncall.uni (lanescope_0), lanescope_probe_row, ();\n"
                   "ld.param.b64 %lanescope_row, [lanescope_0];\n}\n");
}
