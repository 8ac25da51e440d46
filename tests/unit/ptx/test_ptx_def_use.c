// test_ptx_def_use.c: what instructions write, read and take as addresses: every opcode and form against the PTX ISA.
#include <string.h>
#include "base/mem.h"
#include "def_use.h"

// ---- rows ----------------------------------------------------------------------------------------------------------

// How many rows of ops.def an opcode has: its own, and its forms.
static int rows_of(PtxOp op) {
  int count = 1;
#define PTX_OP(...)
#define PTX_FORM(name, when, roles) count += op == PTX_OP_##name;
#include "ptx/ops.def"
#undef PTX_OP
  return count;
}

enum { MOST_ROWS = 15 };
static const char *seen_roles[PTX_OP_COUNT][MOST_ROWS + 1];   // a pointer for each row of ops.def

static void mark_seen(const PtxInstr *in) {
  const char **seen = seen_roles[in->op];
  int i = 0;
  while (seen[i] && seen[i] != in->roles) i++;
  CU_ASSERT_FATAL(i < MOST_ROWS);
  seen[i] = in->roles;
}

static void check_row(const DefUseRow *row) {
  char *text = ptx_kernel(row->text);
  PtxModule *m = ptx_of(text);
  if (m) {
    LsText defs = {0}, uses = {0};
    const PtxInstr *in = &m->code[m->code_count - 2];   // behind it is the ret of the kernel
    def_use_names(m, in, &defs, &uses);
    bool same = strcmp(ls_text_str(&defs), row->defs) == 0 && strcmp(ls_text_str(&uses), row->uses) == 0;
    if (!same) printf("\n%s\n  writes%s, reads%s\n", row->text, ls_text_str(&defs), ls_text_str(&uses));
    CHECK(same);
    mark_seen(in);
    ls_text_free(&defs);
    ls_text_free(&uses);
  }
  ptx_module_free(m);
  free(text);
}

static void rows_hold(void) {
  char *text;
  int count;
  DefUseRow *rows = def_use_rows(&text, &count);
  CHECK(count > 200);
  for (int i = 0; i < count; i++) check_row(&rows[i]);
  for (int op = 0; op < PTX_OP_COUNT; op++) {
    int seen = 0, all = rows_of((PtxOp)op);
    while (seen_roles[op][seen]) seen++;
    if (seen < all) printf("\n%s: %d of %d forms have a row\n", ptx_op_name((PtxOp)op), seen, all);
    CHECK(seen >= all);
  }
  free(rows);
  free(text);
}

// ---- the table -----------------------------------------------------------------------------------------------------

static void roles_are_letters(void) {
  static const struct { const char *name, *roles; int most; bool is_form; } rows[] = {
#define PTX_OP(name, class, least, most, roles, help) {#name, roles, most, false},
#define PTX_FORM(name, when, roles) {#name, roles, 8, true},
#include "ptx/ops.def"
#undef PTX_OP
  };
  for (int i = 0; i < LS_COUNT(rows); i++) {
    size_t operands = strcspn(rows[i].roles, "k");
    CHECK(strspn(rows[i].roles, "wrxclsmptu-k") == strlen(rows[i].roles));
    if (!rows[i].is_form) CHECK_INT((int)operands, rows[i].most);
    if (rows[i].is_form) CHECK((int)operands <= rows[i].most);
  }
}

// ---- addresses -----------------------------------------------------------------------------------------------------

static void addresses_are_told(void) {
  enum {
    R = PTX_ROLE_READ, W = PTX_ROLE_WRITTEN, P = PTX_ROLE_ADDRESS, L = P | R, S = P | W, M = L | S,
    T = PTX_ROLE_IMAGE | R, U = PTX_ROLE_IMAGE | W
  };
  static const struct { const char *text; int first; unsigned roles[4]; } rows[] = {   // first: operand of ptx_address
      {"ld.global.u32 %r0, [%rd0];", 1, {W, L}},
      {"st.global.u32 [%rd0], %r0;", 0, {S, R}},
      {"atom.global.add.u32 %r0, [%rd0], 1;", 1, {W, M, R}},
      {"red.global.add.u32 [%rd0], 1;", 0, {M, R}},
      {"cp.async.ca.shared.global [sh], [%rd0], 4;", 0, {S, L, R}},
      {"cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f32 [%rd0], [sh], 16;", 0, {M, L, R}},
      {"cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [sh], [%rd0, {%r0,%r1}], [%r2];",
       0, {S, T, M}},
      {"mbarrier.init.shared.b64 [sh], 1;", 0, {S, R}},
      {"mbarrier.arrive.shared.b64 %rd0, [sh];", 1, {W, M}},
      {"mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [sh], 16;", 0, {M, R}},
      {"wmma.store.d.sync.aligned.row.m16n16k16.f32 [%rd0], {%f0,%f1}, %r0;", 0, {S, R, R}},
      {"stmatrix.sync.aligned.m8n8.x1.shared.b16 [sh], {%r0};", 0, {S, R}},
      {"discard.global.L2 [%rd0], 128;", 0, {S, R}},   // what is there afterwards is undefined
      {"prefetch.global.L2 [%rd0];", 0, {P}},
      {"tex.2d.v4.f32.f32 {%f0,%f1,%f2,%f3}, [%rd0, {%f4,%f5}];", -1, {W, T}},
      {"sust.b.1d.b32.clamp [%rd0, {%r0}], %r1;", -1, {U, R}},
      {"add.u32 %r0, %r1, %r2;", -1, {W, R, R}},
  };
  for (int i = 0; i < LS_COUNT(rows); i++) {
    char *text = ptx_kernel(rows[i].text);
    PtxModule *m = ptx_of(text);
    const PtxInstr *in = &m->code[0];
    for (int k = 0; k < in->operand_count; k++) CHECK_INT((int)ptx_role(in, k), (int)rows[i].roles[k]);
    CHECK(ptx_address(in) == (rows[i].first < 0 ? NULL : &in->operands[rows[i].first]));
    ptx_module_free(m);
    free(text);
  }
}

// ---- where it goes on ----------------------------------------------------------------------------------------------

static void who_leaves(void) {
  static const PtxOp leaves[] = {PTX_OP_bra, PTX_OP_brx, PTX_OP_ret, PTX_OP_exit, PTX_OP_trap};
  for (int op = 0; op < PTX_OP_COUNT; op++) {
    PtxInstr in = {.op = (uint16_t)op};
    bool one_of_them = false;
    for (int i = 0; i < LS_COUNT(leaves); i++) one_of_them |= (PtxOp)op == leaves[i];
    CHECK(ptx_leaves(&in) == one_of_them);
    CHECK(ptx_branches(&in) == (op == PTX_OP_bra || op == PTX_OP_brx));
  }
}

static void who_is_called(void) {
  static const char text[] = ".version 8.0\n.target sm_80\n.address_size 64\n"
      ".func g() { ret; }\n.func (.reg .u32 r) f(.reg .u32 a) { mov.u32 r, a; ret; }\n"
      ".entry k() { .reg .u32 %r; .reg .u64 %p;\n"
      "p: .callprototype _ ();\n"
      "call (%r), f, (1);\ncall g;\nmov.u64 %p, g;\ncall %p, p;\nret; }\n";
  static const int expected[] = {1, 0, -1, -1, -1};
  PtxModule *m = ptx_of(text);
  CU_ASSERT_PTR_NOT_NULL_FATAL(m);
  for (int i = 0; i < LS_COUNT(expected); i++) CHECK_INT(ptx_callee(&m->code[m->funcs[2].first + i]), expected[i]);
  ptx_module_free(m);
}

int main(int argc, char **argv) {
  static const Check checks[] = {
    {"every opcode and form", rows_hold},
    {"roles are letters", roles_are_letters},
    {"addresses are told", addresses_are_told},
    {"jumps and ends leave", who_leaves},
    {"a call names a function", who_is_called},
  };
  return check_main("def_use", checks, LS_COUNT(checks), argc, argv);
}
