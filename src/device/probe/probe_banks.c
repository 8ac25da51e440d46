// probe_banks.c: accesses to shared memory that the lanes look at, or compare with the last one.
//
// What was looked at last stands in registers: _at, the lane's address; _by, the lanes that did it; _n, what it takes.
// Another access takes as much if it is done by the same lanes; of a single wavefront some of them are enough, unless
// _many is -1. Lanes that know a look of all of them know the same one, the last in which they all took part. A lane
// begins with one that it had alone.
#include "device/probe/probe_banks.h"
#include "device/probe/probe_affine.h"
#include "device/probe/probe_multi.h"

enum { WORD_BYTES = 4, OTHER_LANES = 0x38 };   // of (m, by, many): m & ~by | ~m & by & many

// Passes and banks depend on the kind of access (model/bank.h).
typedef enum Kind { KIND_WORD, KIND_LOAD8, KIND_LOAD16, KIND_STORE8, KIND_STORE16, KINDS } Kind;
static const char *const names[KINDS] = {"word", "load8", "load16", "store8", "store16"};

static Kind kind_of(const ProbeGroup *g) {
  if (g->width <= WORD_BYTES) return KIND_WORD;
  Kind of_8 = g->what == PROBE_LOAD ? KIND_LOAD8 : KIND_STORE8;
  return g->width == 8 ? of_8 : of_8 + 1;
}

bool probe_looks_at_banks(const Probe *probe, const ProbeGroup *g) {
  bool banked = g->kind == GROUP_ACCESS && g->space == PTX_SHARED && g->what != PROBE_ATOM && g->width <= 16;
  return banked && !g->part && probe->module->code[g->first_pc].guard < 0;
}

// A text in which # stands for the name.
static void put(Kind kind, const char *text, LsText *out) {
  for (; *text; text++) {
    if (*text == '#') ls_text_add(out, names[kind]);
    else ls_text_addn(out, text, 1);
  }
}

static void put_registers(Kind kind, LsText *out) {
  put(kind, ".reg .b32 %lanescope_#_at, %lanescope_#_by, %lanescope_#_n;\n"
            "mov.u32 %lanescope_#_at, 0;\nmov.u32 %lanescope_#_by, %lanemask_eq;\nmov.u32 %lanescope_#_n, 1;\n", out);
  if (kind == KIND_WORD) put(kind, ".reg .b32 %lanescope_#_many;\nmov.u32 %lanescope_#_many, 0;\n", out);
}

static void find_looks(const Probe *probe, const ProbeGroup *g, int func, bool looks[KINDS]) {
  bool needs = !g->affine || !g->affine->proven || g->affine->use != AFFINE_FREE;
  bool is_here = needs && probe->module->code[g->first_pc].func == func;
  if (is_here && probe_looks_at_banks(probe, g)) looks[kind_of(g)] = true;
}

void probe_put_banks_registers(const Probe *probe, int func, LsText *out) {
  bool looks[KINDS] = {false};
  for (int i = 0; i < probe->group_count; i++) {
    const ProbeGroup *g = &probe->groups[i];
    const ProbeMove *m = g->kind == GROUP_MOVE ? probe_move_of(probe, g->first_pc) : NULL;
    find_looks(probe, g, func, looks);
    for (int k = 0; m && k < m->row_count; k++) find_looks(probe, &m->rows[k].group, func, looks);
  }
  for (int kind = 0; kind < KINDS; kind++)
    if (looks[kind]) put_registers((Kind)kind, out);
}

// Goes to the label if the one in %lanescope_a is like the last one.
static void compare(const ProbeGroup *g, int label, LsText *out) {
  Kind kind = kind_of(g);
  put(kind, "sub.u32 %lanescope_b, %lanescope_a, %lanescope_#_at;\n"
            "match.all.sync.b32 %lanescope_g|%lanescope_p, %lanescope_b, %lanescope_m;\n", out);
  if (kind == KIND_WORD) {
    put(kind, "lop3.b32 %lanescope_g, %lanescope_m, %lanescope_#_by, %lanescope_#_many, ", out);
    ls_text_addf(out, "%d;\nsetp.eq.and.u32 %%lanescope_p, %%lanescope_g, 0, %%lanescope_p;\n", OTHER_LANES);
  } else {
    put(kind, "setp.eq.and.u32 %lanescope_p, %lanescope_m, %lanescope_#_by, %lanescope_p;\n", out);
  }
  if (g->width < WORD_BYTES)
    ls_text_addf(out, "and.b32 %%lanescope_b, %%lanescope_b, %d;\n"
                      "setp.eq.and.u32 %%lanescope_p, %%lanescope_b, 0, %%lanescope_p;\n", WORD_BYTES - 1);
  ls_text_addf(out, "vote.sync.all.pred %%lanescope_p, %%lanescope_p, %%lanescope_m;\n"
                    "@%%lanescope_p bra $lanescope_banked_%d;\n", label);
}

static void look(const ProbeGroup *g, LsText *out) {
  if (g->width > WORD_BYTES) {
    const ProbeArgument args[] = {WORD("%lanescope_a"), NUMBER(probe_access_code(g)), WORD("%lanescope_m")};
    probe_put_call_for(out, "lanescope_probe_wide_wavefronts", args, LS_COUNT(args), "%lanescope_b");
  } else {
    const ProbeArgument args[] = {WORD("%lanescope_a"), WORD("%lanescope_m")};
    probe_put_call_for(out, "lanescope_probe_wavefronts", args, LS_COUNT(args), "%lanescope_b");
  }
  ls_text_add(out, "bar.warp.sync %lanescope_m;\n");
}

void probe_put_banks(const Probe *probe, const ProbeGroup *g, int label, LsText *out) {
  Kind kind = kind_of(g);
  probe_put_address(probe, &probe->module->code[g->first_pc], g->address, "%lanescope_x", out);
  ls_text_add(out, "cvt.u32.u64 %lanescope_a, %lanescope_x;\n");
  compare(g, label, out);
  put(kind, "mov.u32 %lanescope_#_at, %lanescope_a;\nmov.u32 %lanescope_#_by, %lanescope_m;\n", out);
  look(g, out);
  put(kind, "mov.u32 %lanescope_#_n, %lanescope_b;\n", out);
  if (kind == KIND_WORD)
    put(kind, "setp.ne.u32 %lanescope_p, %lanescope_#_n, 1;\nselp.b32 %lanescope_#_many, -1, 0, %lanescope_p;\n", out);
  ls_text_addf(out, "$lanescope_banked_%d:\n", label);
  put(kind, "mov.u32 %lanescope_b, %lanescope_#_n;\n", out);
}
