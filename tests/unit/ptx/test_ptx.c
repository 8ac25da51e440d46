// test_ptx.c: the PTX parser: what each instruction decodes to, all dialects, and the way back to text.
#include <dirent.h>

#include "ptx/reduction.h"
#include "ptx_check.h"

#define HAS(what) (1ull << PTX_HAS_##what)
typedef struct Form { const char *text; PtxInstr want; } Form;

static const Form forms[] = {
  {"add.sat.s32 %r0, %r1, %r2", {.op = PTX_OP_add, .type = PTX_S32, .flags = PTX_F_SAT}},
  {"add.rz.ftz.f32 %f0, %f1, %f2", {.op = PTX_OP_add, .type = PTX_F32, .round = PTX_RZ, .flags = PTX_F_FTZ}},
  {"add.cc.u32 %r0, %r1, %r2", {.op = PTX_OP_add, .type = PTX_U32, .flags = PTX_F_CC}},
  {"mul.wide.s32 %rd0, %r1, 4", {.op = PTX_OP_mul, .type = PTX_S32, .mode = PTX_MUL_WIDE}},
  {"mad.hi.u32 %r0, %r1, %r2, %r3", {.op = PTX_OP_mad, .type = PTX_U32, .mode = PTX_MUL_HI}},
  {"cvt.rn.f32.s32 %f0, %r0", {.op = PTX_OP_cvt, .type = PTX_F32, .type2 = PTX_S32, .round = PTX_RN}},
  {"cvt.rzi.sat.s32.f32 %r0, %f0", {.op = PTX_OP_cvt, .type = PTX_S32, .type2 = PTX_F32, .round = PTX_RZI, .flags = PTX_F_SAT}},
  {"cvt.rn.satfinite.e4m3x2.f32 %h0, %f0, %f1", {.op = PTX_OP_cvt, .type = PTX_E4M3X2, .type2 = PTX_F32, .round = PTX_RN,
                                                 .flags = PTX_F_SATFINITE}},
  {"setp.ltu.f32 %p0, %f0, %f1", {.op = PTX_OP_setp, .type = PTX_F32, .cmp = PTX_LTU}},
  {"setp.lo.or.u32 %p0|%p1, %r0, %r1, %p2", {.op = PTX_OP_setp, .type = PTX_U32, .cmp = PTX_LO, .boolop = PTX_BOOL_OR}},
  {"set.gt.u32.f32 %r0, %f0, %f1", {.op = PTX_OP_set, .type = PTX_U32, .type2 = PTX_F32, .cmp = PTX_GT}},
  {"min.xorsign.abs.f32 %f0, %f1, %f2", {.op = PTX_OP_min, .type = PTX_F32, .flags = PTX_F_XORSIGN | PTX_F_ABS}},
  {"max.NaN.f32 %f0, %f1, %f2", {.op = PTX_OP_max, .type = PTX_F32, .flags = PTX_F_NAN}},
  {"div.full.ftz.f32 %f0, %f1, %f2", {.op = PTX_OP_div, .type = PTX_F32, .flags = PTX_F_FULL | PTX_F_FTZ}},
  {"shf.l.wrap.b32 %r0, %r1, %r2, %r3", {.op = PTX_OP_shf, .type = PTX_B32, .mode = PTX_L, .flags = PTX_F_WRAP}},
  {"prmt.b32.f4e %r0, %r1, %r2, %r3", {.op = PTX_OP_prmt, .type = PTX_B32, .mode = PTX_PRMT_F4E}},
  {"bfind.shiftamt.u64 %r0, %rd1", {.op = PTX_OP_bfind, .type = PTX_U64, .flags = PTX_F_SHIFTAMT}},
  {"testp.notanumber.f64 %p0, %fd0", {.op = PTX_OP_testp, .type = PTX_F64, .mode = PTX_TP_NOTANUMBER}},
  {"dp2a.hi.s32.u32 %r0, %r1, %r2, %r3", {.op = PTX_OP_dp2a, .type = PTX_S32, .type2 = PTX_U32, .mode = PTX_MUL_HI}},
  {"ld.global.nc.v4.f32 {%f0, %f1, %f2, %f3}, [%rd0]", {.op = PTX_OP_ld, .type = PTX_F32, .space = PTX_GLOBAL, .vec = 4,
                                                        .flags = PTX_F_NC}},
  {"ld.param.u64 %rd0, [a]", {.op = PTX_OP_ld, .type = PTX_U64, .space = PTX_PARAM}},
  {"ld.volatile.shared.f32 %f0, [sh+4]", {.op = PTX_OP_ld, .type = PTX_F32, .space = PTX_SHARED, .sem = PTX_VOLATILE}},
  {"ld.acquire.gpu.u32 %r0, [%rd0]", {.op = PTX_OP_ld, .type = PTX_U32, .sem = PTX_ACQUIRE, .scope = PTX_SCOPE_GPU}},
  {"ld.global.L1::no_allocate.L2::128B.u32 %r0, [%rd0]", {.op = PTX_OP_ld, .type = PTX_U32, .space = PTX_GLOBAL}},
  {"st.relaxed.cta.shared.b32 [sh], %r0", {.op = PTX_OP_st, .type = PTX_B32, .space = PTX_SHARED, .sem = PTX_RELAXED,
                                           .scope = PTX_SCOPE_CTA}},
  {"st.global.cs.v2.u8 [%rd0], {%h0, %h1}", {.op = PTX_OP_st, .type = PTX_U8, .space = PTX_GLOBAL, .vec = 2}},
  {"cvta.to.global.u64 %rd0, %rd1", {.op = PTX_OP_cvta, .type = PTX_U64, .space = PTX_GLOBAL, .mode = PTX_TO}},
  {"cvta.shared.u64 %rd0, %rd1", {.op = PTX_OP_cvta, .type = PTX_U64, .space = PTX_SHARED, .mode = PTX_FROM}},
  {"isspacep.shared::cta %p0, %rd0", {.op = PTX_OP_isspacep, .space = PTX_SHARED}},
  {"atom.global.add.u32 %r0, [%rd0], 1", {.op = PTX_OP_atom, .type = PTX_U32, .space = PTX_GLOBAL, .mode = PTX_AT_ADD}},
  {"atom.add.noftz.f16x2 %r0, [%rd0], %r1", {.op = PTX_OP_atom, .type = PTX_F16X2, .mode = PTX_AT_ADD, .flags = PTX_F_NOFTZ}},
  {"atom.or.acq_rel.cta.b32 %r0, [%rd0], 1", {.op = PTX_OP_atom, .type = PTX_B32, .mode = PTX_AT_OR, .sem = PTX_ACQ_REL,
                                              .scope = PTX_SCOPE_CTA}},
  {"red.shared.min.s32 [sh], %r0", {.op = PTX_OP_red, .type = PTX_S32, .space = PTX_SHARED, .mode = PTX_AT_MIN}},
  {"redux.sync.xor.b32 %r0, %r1, -1", {.op = PTX_OP_redux, .type = PTX_B32, .mode = PTX_AT_XOR, .flags = PTX_F_SYNC}},
  {"shfl.sync.down.b32 %r0|%p0, %r1, 1, 31, -1", {.op = PTX_OP_shfl, .type = PTX_B32, .mode = PTX_SHFL_DOWN, .flags = PTX_F_SYNC}},
  {"vote.sync.ballot.b32 %r0, %p0, -1", {.op = PTX_OP_vote, .type = PTX_B32, .mode = PTX_VOTE_BALLOT, .flags = PTX_F_SYNC}},
  {"vote.uni.sync.pred %p1, !%p0, -1", {.op = PTX_OP_vote, .type = PTX_PRED, .mode = PTX_VOTE_UNI, .flags = PTX_F_SYNC}},
  {"match.all.sync.b32 %r0|%p0, %r1, -1", {.op = PTX_OP_match, .type = PTX_B32, .mode = PTX_MATCH_ALL, .flags = PTX_F_SYNC}},
  {"elect.sync _|%p0, -1", {.op = PTX_OP_elect, .flags = PTX_F_SYNC}},
  {"activemask.b32 %r0", {.op = PTX_OP_activemask, .type = PTX_B32}},
  {"bar.sync 0", {.op = PTX_OP_bar, .mode = PTX_BAR_SYNC}},
  {"bar.warp.sync -1", {.op = PTX_OP_bar, .mode = PTX_BAR_WARP_SYNC}},
  {"bar.red.popc.u32 %r0, 1, %p0", {.op = PTX_OP_bar, .type = PTX_U32, .mode = PTX_BAR_RED}},
  {"barrier.sync.aligned 1, 64", {.op = PTX_OP_barrier, .mode = PTX_BAR_SYNC, .flags = PTX_F_ALIGNED}},
  {"barrier.cta.red.and.pred %p0, 0, !%p1", {.op = PTX_OP_barrier, .type = PTX_PRED, .mode = PTX_BAR_RED, .boolop = PTX_BOOL_AND,
                                             .scope = PTX_SCOPE_CTA}},
  {"barrier.cluster.arrive.release.aligned", {.op = PTX_OP_barrier, .mode = PTX_BAR_ARRIVE, .sem = PTX_RELEASE,
                                              .scope = PTX_SCOPE_CLUSTER, .flags = PTX_F_ALIGNED}},
  {"bra.uni L", {.op = PTX_OP_bra, .flags = PTX_F_UNI}},
  {"membar.gl", {.op = PTX_OP_membar, .scope = PTX_SCOPE_GPU}},
  {"fence.acq_rel.gpu", {.op = PTX_OP_fence, .sem = PTX_ACQ_REL, .scope = PTX_SCOPE_GPU}},
  {"fence.proxy.async.shared::cta", {.op = PTX_OP_fence, .space = PTX_SHARED, .has = HAS(ASYNC)}},
  {"prefetch.global.L2::evict_last [%rd0]", {.op = PTX_OP_prefetch, .space = PTX_GLOBAL}},
  {"cp.async.cg.shared.global.L2::128B [sh], [%rd0], 16",
   {.op = PTX_OP_cp, .space = PTX_SHARED, .space2 = PTX_GLOBAL, .has = HAS(ASYNC)}},
  {"cp.async.ca.shared.global.L2::cache_hint [sh], [%rd0], 16, %rd1",
   {.op = PTX_OP_cp, .space = PTX_SHARED, .space2 = PTX_GLOBAL, .has = HAS(ASYNC) | HAS(CACHE_HINT)}},
  {"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [sh], [%rd0], 16, [sh], %h0",
   {.op = PTX_OP_cp, .space = PTX_SHARED, .space2 = PTX_GLOBAL,
    .has = HAS(ASYNC) | HAS(BULK) | HAS(COMPLETE_TX) | HAS(MULTICAST)}},
  {"cp.async.mbarrier.arrive.noinc.shared.b64 [sh]",
   {.op = PTX_OP_cp, .space = PTX_SHARED, .type = PTX_B64, .has = HAS(ASYNC) | HAS(MBARRIER) | HAS(ARRIVE) | HAS(NOINC)}},
  {"cp.async.wait_group 0", {.op = PTX_OP_cp, .has = HAS(ASYNC) | HAS(WAIT_GROUP)}},
  {"cp.async.wait_all", {.op = PTX_OP_cp, .has = HAS(ASYNC) | HAS(WAIT_ALL)}},
  {"mbarrier.arrive_drop.shared.b64 %rd0, [sh]",
   {.op = PTX_OP_mbarrier, .type = PTX_B64, .space = PTX_SHARED, .has = HAS(ARRIVE_DROP)}},
  {"mbarrier.arrive.expect_tx.shared.b64 %rd0, [sh], 16",
   {.op = PTX_OP_mbarrier, .type = PTX_B64, .space = PTX_SHARED, .has = HAS(ARRIVE) | HAS(EXPECT_TX)}},
  {"mbarrier.try_wait.parity.shared.b64 %p0, [sh], %r0", 
   {.op = PTX_OP_mbarrier, .type = PTX_B64, .space = PTX_SHARED, .has = HAS(TRY_WAIT) | HAS(PARITY)}},
  {"mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%f0,%f1,%f2,%f3}, {%r0,%r1}, {%r2}, {%f0,%f1,%f2,%f3}",
   {.op = PTX_OP_mma, .type = PTX_F32, .type2 = PTX_F16, .type3 = PTX_F16, .type4 = PTX_F32, .flags = PTX_F_SYNC | PTX_F_ALIGNED,
    .shape = {16, 8, 8}, .layout = PTX_ROW, .layout2 = PTX_COL}},
  {"wmma.load.a.sync.aligned.row.m16n16k16.global.f16 {%r0,%r1,%r2,%r3,%r4,%r5,%r6,%r7}, [%rd0], %r0",
   {.op = PTX_OP_wmma, .type = PTX_F16, .space = PTX_GLOBAL, .flags = PTX_F_SYNC | PTX_F_ALIGNED, .has = HAS(LOAD),
    .part = PTX_PART_A, .layout = PTX_ROW, .shape = {16, 16, 16}}},
  {"wmma.mma.sync.aligned.col.row.m16n16k16.f32.f32 {%f0,%f1,%f2,%f3,%f4,%f5,%f6,%f7}, {%r0,%r1}, {%r2}, {%f0,%f1}",
   {.op = PTX_OP_wmma, .type = PTX_F32, .type2 = PTX_F32, .flags = PTX_F_SYNC | PTX_F_ALIGNED, .has = HAS(MMA), .layout = PTX_COL,
    .layout2 = PTX_ROW, .shape = {16, 16, 16}}},
  {"mma.sp::ordered_metadata.sync.aligned.m16n8k99999.kind::f8f6f4 %r0, %r1, %r2, %r3",
   {.op = PTX_OP_mma, .flags = PTX_F_SYNC | PTX_F_ALIGNED, .has = HAS(SP) | HAS(KIND), .shape = {16, 8, PTX_SHAPE_MOST}}},
  {"ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%r0,%r1,%r2,%r3}, [sh]",
   {.op = PTX_OP_ldmatrix, .type = PTX_B16, .space = PTX_SHARED, .flags = PTX_F_SYNC | PTX_F_ALIGNED, .has = HAS(TRANS),
    .shape = {8, 8, 0}}},
  {"tex.2d.v4.f32.f32 {%f0,%f1,%f2,%f3}, [image, {%f4,%f5}]", 
   {.op = PTX_OP_tex, .type = PTX_F32, .type2 = PTX_F32, .vec = 4, .geometry = PTX_GEOMETRY_2D}},
  {"tld4.g.2d.v4.f32.f32 {%f0,%f1,%f2,%f3}, [image, {%f4,%f5}]",
   {.op = PTX_OP_tld4, .type = PTX_F32, .type2 = PTX_F32, .vec = 4, .geometry = PTX_GEOMETRY_2D, .part = PTX_PART_G}},
  {"tex.level.a2d.v4.f32.f32 {%f0,%f1,%f2,%f3}, [image, {%f4,%f5}], %f6",
   {.op = PTX_OP_tex, .type = PTX_F32, .type2 = PTX_F32, .vec = 4, .geometry = PTX_GEOMETRY_A2D, .has = HAS(LEVEL)}},
  {"txq.addr_mode_1.b32 %r0, [image]", {.op = PTX_OP_txq, .type = PTX_B32, .query = PTX_QUERY_ADDRESS_1}},
  {"lop3.b32 %r0, %r1, %r2, %r3, 0x96", {.op = PTX_OP_lop3, .type = PTX_B32}},
  {"nanosleep.u32 100", {.op = PTX_OP_nanosleep, .type = PTX_U32}},
};

static void check_form(const Form *form) {
  char *body = ls_format("%s;", form->text), *text = ptx_kernel(body);
  PtxModule *m = ptx_of(text);
  if (m) {
    const PtxInstr *got = &m->code[0], *want = &form->want;
    bool same = got->op == want->op && got->type == want->type && got->type2 == want->type2 && got->type3 == want->type3 &&
                got->type4 == want->type4 && got->space == want->space && got->space2 == want->space2 &&
                    got->vec == LS_MAX(want->vec, 1) &&
                got->round == want->round && got->cmp == want->cmp && got->boolop == want->boolop && got->mode == want->mode &&
                got->sem == want->sem && got->scope == want->scope && got->flags == want->flags && got->guard == -1 &&
                got->has == want->has && memcmp(&got->shape, &want->shape, sizeof got->shape) == 0 && got->layout == want->layout &&
                got->layout2 == want->layout2 && got->part == want->part && got->geometry == want->geometry &&
                got->query == want->query;
    if (!same) printf("\nnot decoded as expected: %s\n", form->text);
    CHECK(same);
    CHECK(strncmp(got->spelling, form->text, strlen(got->spelling)) == 0);
  }
  ptx_module_free(m);
  free(text);
  free(body);
}

static void forms_decode(void) {
  for (int i = 0; i < LS_COUNT(forms); i++) check_form(&forms[i]);
}

static const PtxInstr *instr_at_line(const PtxModule *m, const char *name) {
  for (int pc = 0; pc < m->code_count; pc++) {
    if (strcmp(m->code[pc].spelling, name) == 0) return &m->code[pc];
  }
  CU_FAIL("no such instruction");
  return &m->code[0];
}

static const char *reg(const PtxModule *m, const PtxInstr *instr, int number) { return m->funcs[instr->func].regs[number].name; }

static void operands_of_all_kinds(void) {
  PtxModule *m = ptx_of_file("tests/unit/ptx/inputs/dialect.ptx");
  if (!m) return;
  const PtxInstr *i = instr_at_line(m, "st.global.v2.f32");
  CHECK_STR(reg(m, i, i->guard), "p");
  CHECK_INT(i->operands[0].kind, PTX_OPD_MEM);
  CHECK_INT(i->operands[0].offset, -8);
  CHECK_INT(i->operands[1].elem_count, 2);
  i = instr_at_line(m, "add.u32");
  CHECK(i->guard >= 0 && i->guard_negate);
  CHECK_INT((int64_t)i->operands[2].imm, -16);
  i = instr_at_line(m, "setp.lt.and.s32");
  CHECK_STR(reg(m, i, i->operands[0].reg), "p");
  CHECK_STR(reg(m, i, i->operands[0].pair), "q1");
  CHECK_INT(i->operands[2].imm, 63);
  CHECK(i->operands[3].negate);
  i = instr_at_line(m, "setp.eq.u32");
  CHECK_INT(i->operands[0].kind, PTX_OPD_SINK);
  CHECK_STR(reg(m, i, i->operands[0].pair), "p");
  i = instr_at_line(m, "mov.f32");
  CHECK_INT(i->operands[1].imm_type, PTX_F32);
  CHECK_INT(i->operands[1].imm, 0x3fc00000);
  i = instr_at_line(m, "mov.f64");
  CHECK_INT(i->operands[1].imm_type, PTX_F64);
  CHECK_INT(i->operands[1].imm, 0x3fb999999999999aLL);
  i = instr_at_line(m, "ld.volatile.shared.u32");
  CHECK_STR(m->vars[i->operands[1].var].name, "heap");
  CHECK_INT(i->operands[1].offset, 8);
  i = instr_at_line(m, "tex.1d.v4.f32.s32");
  CHECK_INT(i->operands[1].base, PTX_BASE_VAR);
  CHECK_INT(i->operands[1].elem_count, 1);
  i = instr_at_line(m, "ld.global.v2.f32");
  CHECK_STR(reg(m, i, i->operands[0].elems[1].reg), "pair.y");
  i = instr_at_line(m, "mov.b32");
  CHECK_INT(i->operands[1].imm, 32);
  ptx_module_free(m);
}

static void headers_and_variables(void) {
  PtxModule *m = ptx_of_file("tests/unit/ptx/inputs/dialect.ptx");
  if (!m) return;
  CHECK_INT(m->version_major, 8);
  CHECK_STR(m->target, "sm_80");
  int f = ptx_find_entry(m, "add", NULL);
  const PtxFunc *add = &m->funcs[f];
  CHECK_INT(add->param_count, 3);
  CHECK_INT(add->params[1].offset, 8);
  CHECK_INT(add->params[2].offset, 16);
  CHECK_INT(add->param_bytes, 40);
  CHECK_INT(add->reqntid[0], 128);
  CHECK_INT(add->min_blocks, 2);
  CHECK_INT(add->max_regs, 64);
  const PtxVar *grid = &m->vars[ptx_find_var(m, -1, "grid")];
  CHECK_INT(grid->count, 6);
  const int32_t values[] = {1, 2, 3, 4, 5, -6};
  CHECK(memcmp(grid->init, values, sizeof values) == 0);
  const PtxVar *floats = &m->vars[ptx_find_var(m, -1, "floats")];
  const float expected[] = {1, 1.5f, 0, 10, -2};
  CHECK_INT(floats->count, 5);
  CHECK(memcmp(floats->init, expected, 8) == 0 && memcmp(floats->init + 12, expected + 3, 8) == 0);
  const PtxVar *addresses = &m->vars[ptx_find_var(m, -1, "addresses")];
  CHECK_INT(addresses->reloc_count, 3);
  CHECK(addresses->relocs[1].generic && addresses->relocs[1].addend == 8 && addresses->relocs[1].at == 8);
  CHECK_STR(m->funcs[addresses->relocs[2].func].name, "twice");
  const PtxVar *packed = &m->vars[ptx_find_var(m, -1, "packed")];
  CHECK(packed->reloc_count == 1 && packed->relocs[0].at == 1 && packed->init[0] == 7 && packed->init[9] == 9);
  int32_t number;
  memcpy(&number, m->vars[ptx_find_var(m, -1, "expression")].init, sizeof number);
  CHECK_INT(number, 23);
  const PtxVar *heap = &m->vars[ptx_find_var(m, -1, "heap")];
  CHECK(heap->count == -1 && heap->size == 0 && heap->space == PTX_SHARED && heap->linkage == 2 && heap->align == 16);
  ptx_module_free(m);
}

static void calls_tables_and_scopes(void) {
  PtxModule *m = ptx_of_file("tests/unit/ptx/inputs/dialect.ptx");
  if (!m) return;
  const PtxInstr *call = instr_at_line(m, "call");
  CHECK_INT(call->operands[0].kind, PTX_OPD_ARGS);
  CHECK_STR(m->funcs[call->operands[1].func].name, "twice");
  CHECK(!m->funcs[call->operands[1].func].is_extern);
  CHECK_INT(m->funcs[call->operands[1].func].params[0].var, -1);
  const PtxInstr *indirect = instr_at_line(m, "call.uni");
  CHECK_INT(indirect->operands[1].kind, PTX_OPD_REG);
  CHECK_INT(m->tables[indirect->operands[3].index].kind, PTX_TABLE_PROTOTYPE);
  const PtxInstr *brx = instr_at_line(m, "brx.idx");
  CHECK_INT(brx->operands[1].kind, PTX_OPD_TABLE);
  const PtxTable *table = &m->tables[brx->operands[1].index];
  CHECK_INT(table->target_count, 2);
  CHECK_STR(m->code[table->targets[0]].spelling, "bra.uni");
  CHECK_STR(m->code[table->targets[1]].spelling, "mbarrier.init.shared::cta.b64");
  // Both scopes have a register mov and a label inner of their own.
  int moves[3], n = 0;
  for (int pc = 0; pc < m->code_count && n < 3; pc++) {
    if (strcmp(m->code[pc].spelling, "mov.u32") == 0) moves[n++] = pc;
  }
  CHECK(m->code[moves[0]].operands[0].reg != m->code[moves[1]].operands[0].reg);
  CHECK(m->code[moves[1]].operands[0].reg != m->code[moves[2]].operands[0].reg);
  CHECK_INT(m->code[moves[1] + 2].operands[0].target, moves[1] + 3);
  CHECK_INT(m->code[moves[2] + 1].operands[0].target, moves[2] + 2);
  ptx_module_free(m);
}

// ---- round trip: every instruction, printed, parses back to the same

static void declare_once(LsText *out, LsText *seen, const char *name, const char *declaration) {
  char *key = ls_format("\n%s\n", name);
  if (!strstr(ls_text_str(seen), key)) {
    ls_text_add(seen, key);
    ls_text_add(out, declaration);
  }
  free(key);
}

static void write_declarations(const PtxModule *m, int f, LsText *out) {
  LsText seen = {0};
  for (int v = 0; v < m->var_count; v++) {
    const PtxVar *var = &m->vars[v];
    bool opaque = var->type >= PTX_TEXREF && var->type <= PTX_SURFREF;
    if (opaque || (var->func != -1 && var->func != f)) continue;
    char *line = ls_format(".shared .align %d .b8 %s[%lld];\n", var->align, var->name, (long long)var->size);
    declare_once(out, &seen, var->name, line);
    free(line);
  }
  for (int r = 0; r < m->funcs[f].reg_count; r++) {
    const PtxReg *reg_of = &m->funcs[f].regs[r];
    char *line = ls_format(".reg .%s %s;\n", ptx_type_name((PtxType)reg_of->type), reg_of->name);
    declare_once(out, &seen, reg_of->name, line);
    free(line);
  }
  ls_text_free(&seen);
}

static void write_tables(const PtxModule *m, int f, LsText *out) {
  int first = m->funcs[f].first;
  for (int pc = first; pc < first + m->funcs[f].count; pc++) {
    for (int i = 0; i < m->code[pc].operand_count; i++) {
      if (m->code[pc].operands[i].kind != PTX_OPD_TABLE) continue;
      const PtxTable *table = &m->tables[m->code[pc].operands[i].index];
      ls_text_addf(out, "%s: %s ", table->name, table->kind == PTX_TABLE_BRANCHES ? ".branchtargets" : ".callprototype _ ()");
      for (int k = 0; k < table->target_count; k++) ls_text_addf(out, "%sL%d", k ? ", " : "", table->targets[k] - first);
      ls_text_add(out, ";\n");
    }
  }
}

static char *print_function(const PtxModule *m, int f) {
  LsText out = {0};
  const PtxFunc *func = &m->funcs[f];
  ls_text_add(&out, ".version 9.0\n.target sm_90\n.address_size 64\n.global .texref image;\n");
  for (int g = 0; g < m->func_count; g++) ls_text_addf(&out, ".extern .func %s();\n", m->funcs[g].name);
  ls_text_add(&out, ".visible .entry round_trip()\n{\n");
  write_declarations(m, f, &out);
  write_tables(m, f, &out);
  for (int i = 0; i < func->count; i++) {
    ls_text_addf(&out, "L%d: ", i);
    ptx_print_instr(m, func->first + i, &out);
    ls_text_addc(&out, '\n');
  }
  ls_text_addf(&out, "L%d:\n}\n", func->count);
  return ls_text_take(&out);
}

static const char *reg_text(const PtxModule *m, int f, int number) { return number < 0 ? "" : m->funcs[f].regs[number].name; }
static const char *var_text(const PtxModule *m, int number) { return number < 0 ? "" : m->vars[number].name; }

static bool same_operand(const PtxModule *a, int fa, const PtxOperand *x, const PtxModule *b, int fb, const PtxOperand *y) {
  bool same = x->kind == y->kind && x->base == y->base && x->imm_type == y->imm_type && x->negate == y->negate &&
      x->offset == y->offset &&
              x->imm == y->imm && x->sreg == y->sreg && x->elem_count == y->elem_count &&
              strcmp(reg_text(a, fa, x->reg), reg_text(b, fb, y->reg)) == 0 &&
                  strcmp(reg_text(a, fa, x->pair), reg_text(b, fb, y->pair)) == 0 &&
              strcmp(var_text(a, x->var), var_text(b, y->var)) == 0;
  if (x->kind == PTX_OPD_LABEL) same = same && x->target - a->funcs[fa].first == y->target - b->funcs[fb].first;
  if (x->kind == PTX_OPD_FUNC) same = same && strcmp(a->funcs[x->func].name, b->funcs[y->func].name) == 0;
  for (int i = 0; same && i < x->elem_count; i++) same = same_operand(a, fa, &x->elems[i], b, fb, &y->elems[i]);
  return same;
}

static bool same_instr(const PtxModule *a, int fa, const PtxInstr *x, const PtxModule *b, int fb, const PtxInstr *y) {
  bool same = x->op == y->op && x->type == y->type && x->type2 == y->type2 && x->type3 == y->type3 && x->type4 == y->type4 &&
      x->space == y->space &&
              x->space2 == y->space2 && x->vec == y->vec && x->round == y->round && x->cmp == y->cmp && x->boolop == y->boolop &&
              x->mode == y->mode && x->sem == y->sem && x->scope == y->scope && x->flags == y->flags &&
                  x->guard_negate == y->guard_negate &&
              strcmp(reg_text(a, fa, x->guard), reg_text(b, fb, y->guard)) == 0 && strcmp(x->spelling, y->spelling) == 0 &&
                  x->operand_count == y->operand_count;
  for (int i = 0; same && i < x->operand_count; i++) same = same_operand(a, fa, &x->operands[i], b, fb, &y->operands[i]);
  return same;
}

static void check_round_trip(const PtxModule *m, int f) {
  char *text = print_function(m, f);
  PtxModule *again = ptx_of(text);
  if (again) {
    int g = ptx_find_entry(again, NULL, NULL);
    CHECK_INT(again->funcs[g].count, m->funcs[f].count);
    for (int i = 0; i < LS_MIN(again->funcs[g].count, m->funcs[f].count); i++) {
      bool same = same_instr(m, f, &m->code[m->funcs[f].first + i], again, g, &again->code[again->funcs[g].first + i]);
      if (!same) printf("\n%s:%d: not the same after printing\n", m->path, m->code[m->funcs[f].first + i].line);
      CHECK(same);
    }
  }
  ptx_module_free(again);
  free(text);
}

static void round_trip_file(const char *path) {
  PtxModule *m = ptx_of_file(path);
  for (int f = 0; m && f < m->func_count; f++) {
    if (!m->funcs[f].is_extern) check_round_trip(m, f);
  }
  ptx_module_free(m);
}

// Calls visit for each file below LS_SOURCE_DIR/folder that ends in suffix; how many there are.
static int for_each_file(const char *folder, const char *suffix, void (*visit)(const char *path)) {
  char *where = ls_path_join(LS_SOURCE_DIR, folder);
  DIR *dir = opendir(where);
  int count = 0;
  for (struct dirent *entry; dir && (entry = readdir(dir));) {
    if (!ls_ends_with(entry->d_name, suffix)) continue;
    char *path = ls_path_join(folder, entry->d_name);
    visit(path);
    free(path);
    count++;
  }
  if (dir) closedir(dir);
  free(where);
  return count;
}

static void printing_parses_back(void) {
  CHECK(for_each_file("assets/ptx", ".ptx", round_trip_file) > 40);
  CHECK(for_each_file("tests/unit/ptx/inputs", ".ptx", round_trip_file) >= 2);
}

static void rare_forms_parse(void) {
  char *path = ls_path_join(LS_SOURCE_DIR, "tests/unit/ptx/inputs/forms.txt"), *text = ls_file_read(path, PTX_FILE_LIMIT, NULL, NULL);
  int count = 0;
  for (char *line = text, *next; line && *line; line = next) {
    next = line + strcspn(line, "\n");
    if (*next) *next++ = 0;
    if (*line == '#') continue;
    char *kernel = ptx_kernel(line);
    PtxModule *m = ptx_of(kernel);
    if (m) check_round_trip(m, 0);
    ptx_module_free(m);
    free(kernel);
    count++;
  }
  CHECK(count > 100);
  free(text);
  free(path);
}

// ---- the vectors of a real GPU: every "op" line parses, its operands %d %a %b %c being registers of the types given

static int vector_forms;

static const char *register_type(const char *type) {
  static char out[8];
  size_t letters = strcspn(type, "0123456789");
  if (strstr(type, "x2")) return "b32";
  snprintf(out, sizeof out, "b%.3s", type + letters);
  return strcmp(type, "pred") == 0 ? "pred" : out;
}

static void check_vector(const char *op, char *inputs, const char *output) {
  LsText text = {0};
  ls_text_addf(&text, ".version 8.6\n.target sm_90\n.visible .entry k()\n{\n.reg .%s %%d;\n", register_type(output));
  char name = 'a';
  for (char *in = strtok(inputs, " "); in; in = strtok(NULL, " "))
    ls_text_addf(&text, ".reg .%s %%%c;\n", register_type(in), name++);
  ls_text_addf(&text, "%s\nret;\n}\n", op);
  PtxModule *m = ptx_of(ls_text_str(&text));
  if (m) CHECK(m->code_count >= 2);
  if (m) check_round_trip(m, 0);
  vector_forms++;
  ptx_module_free(m);
  ls_text_free(&text);
}

static void vectors_of_file(const char *relative) {
  char *path = ls_path_join(LS_SOURCE_DIR, relative), *text = ls_file_read(path, PTX_FILE_LIMIT, NULL, NULL);
  char op[1024] = "", inputs[64] = "";
  for (char *line = text, *next; line && *line; line = next) {
    next = line + strcspn(line, "\n");
    if (*next) *next++ = 0;
    if (ls_starts_with(line, "op ")) snprintf(op, sizeof op, "%s", line + 3);
    if (ls_starts_with(line, "in ")) snprintf(inputs, sizeof inputs, "%s", line + 3);
    if (ls_starts_with(line, "out ")) check_vector(op, inputs, line + 4);
  }
  free(text);
  free(path);
}

static void vectors_parse(void) {
  vector_forms = 0;
  int files = for_each_file("tests/unit/sim/vectors", ".vec", vectors_of_file);
  if (files) CHECK(vector_forms >= 800);
}

// ---- lookup, locations

static void entries_by_any_name(void) {
  PtxModule *m = ptx_of_file("tests/unit/ptx/inputs/features.ptx");
  LsErr err = {0};
  if (!m) return;
  CHECK(ptx_find_entry(m, "add", NULL) >= 0);
  CHECK_STR(m->funcs[ptx_find_entry(m, "mov", NULL)].name, "mov");
  CHECK_STR(m->funcs[ptx_find_entry(m, "locals", NULL)].name, "_Z6localsPii");
  CHECK_STR(m->funcs[ptx_find_entry(m, "locals(int *, int)", NULL)].name, "_Z6localsPii");
  CHECK_STR(m->funcs[ptx_find_entry(m, "geo::scale<float,7>", NULL)].demangled,
            "geo::scale<float, 7>(float*, const geo::Point*, geo::Point)");
  CHECK_INT(ptx_find_entry(m, "geo::scale", &err), -1);
  CHECK(strstr(err.message, "several kernels 'geo::scale'; say which of\n  geo::scale<float, 7>(") &&
        strstr(err.message, "geo::scale<long long, -3>("));
  CHECK_INT(ptx_find_entry(m, "local", &err), -1);
  CHECK(strstr(err.message, "has no kernel 'local'; it has\n  ") && strstr(err.message, "locals(int*, int)"));
  CHECK_INT(ptx_find_entry(m, NULL, &err), -1);
  CHECK_INT(err.kind, LS_EREQUEST);
  ptx_module_free(m);
}

// outer() is inlined into the kernel at line 88, inner() into outer() at lines 83 and 84.
static void inlining_is_followed(void) {
  PtxModule *m = ptx_of_file("tests/unit/ptx/inputs/features.ptx");
  int file, line, deepest = 0;
  if (!m) return;
  const PtxFunc *func = &m->funcs[ptx_find_entry(m, "inlined", NULL)];
  bool saw_inner = false;
  for (int pc = func->first; pc < func->first + func->count; pc++) {
    CHECK(ptx_line_of(m, pc, &file, &line));
    CHECK_STR(m->files[file], "features.cu");
    CHECK(line >= 86 && line <= 89);
    int depth = 0;
    for (const PtxLoc *loc = &m->locs[m->code[pc].loc]; loc->inlined_at >= 0; loc = &m->locs[loc->inlined_at]) depth++;
    deepest = LS_MAX(deepest, depth);
    const PtxLoc *loc = &m->locs[m->code[pc].loc];
    if (!loc->function || strncmp(loc->function, "inner", 5) != 0) continue;
    saw_inner = true;
    CHECK(ptx_line_inner(m, pc, &file, &line));
    CHECK_INT(line, 81);
    CHECK_INT(m->locs[loc->inlined_at].line == 83 || m->locs[loc->inlined_at].line == 84, 1);
  }
  CHECK_INT(deepest, 2);
  CHECK(saw_inner);
  CHECK(!ptx_line_of(m, -1, &file, &line) && !ptx_line_of(m, m->code_count, &file, &line));
  ptx_module_free(m);
}

// What nvdisasm shows of them compiled for sm_90: RED for the first three (and ATOM for all, for a debugger).
static void atomics_that_become_reductions(void) {
  static const struct { const char *body; bool is_one; } cases[] = {
      {"atom.global.add.u32 %r1, [%rd1], 1;", true},
      {"atom.global.max.s32 %r1, [%rd1], %r2;", true},
      {"atom.global.add.u32 %r1, [%rd1], %r2; mov.u32 %r3, %r2;", true},
      {"atom.global.add.u32 %r1, [%rd1], 1; mov.u32 %r1, %r2;", true},
      {"atom.global.add.u32 %r1, [%rd1], 1; nanosleep.u32 %r1;", false},
      {"atom.global.add.u32 %r1, [%rd1], 1; st.global.u32 [%rd1], %r1;", false},
      {"atom.global.add.u32 %r1, [%rd1], 1; atom.global.add.u32 %r3, [%rd1], %r1;", false},
      {"atom.global.exch.b32 %r1, [%rd1], 1;", false},
      {"atom.global.cas.b32 %r1, [%rd1], 1, 2;", false},
      {"red.global.add.u32 [%rd1], 1;", false},
  };
  for (int i = 0; i < LS_COUNT(cases); i++)
    for (int debug = 0; debug < 2; debug++) {
      char *text = ls_format(".version 7.0\n.target sm_70%s\n.address_size 64\n.entry k() {\n.reg .b32 %%r<4>;\n.reg .b64 %%rd<2>;\n%s\n"
                             "ret;\n}\n", debug ? ", debug" : "", cases[i].body);
      LsErr err = {0};
      PtxModule *module = ptx_parse("atomics.ptx", text, strlen(text), &err);
      CU_ASSERT_FATAL(module != NULL);
      uint8_t *found = ptx_find_reductions(module);
      CHECK_INT(found[0], cases[i].is_one && !debug);
      free(found);
      ptx_module_free(module);
      free(text);
    }
}

static void tables_are_complete(void) {
  for (int op = 0; op < PTX_OP_COUNT; op++) CHECK(*ptx_op_name((PtxOp)op) && *ptx_op_help((PtxOp)op));
  for (int op = 1; op < PTX_OP_COUNT; op++) CHECK(strcmp(ptx_op_name((PtxOp)(op - 1)), ptx_op_name((PtxOp)op)) < 0);
  for (int type = 1; type < PTX_TYPE_COUNT; type++) CHECK(*ptx_type_name((PtxType)type));
  for (int sreg = 0; sreg < PTX_SR_COUNT; sreg++) CHECK(*ptx_sreg_name((PtxSreg)sreg) == '%');
  CHECK_INT(ptx_type_size(PTX_F16X2), 4);
}

int main(int argc, char **argv) {
  static const Check checks[] = {
    {"forms decode", forms_decode},
    {"operands of all kinds", operands_of_all_kinds},
    {"headers and variables", headers_and_variables},
    {"calls, tables and scopes", calls_tables_and_scopes},
    {"printing parses back", printing_parses_back},
    {"rare forms parse", rare_forms_parse},
    {"vectors of a GPU parse", vectors_parse},
    {"entries by any name", entries_by_any_name},
    {"inlining is followed", inlining_is_followed},
    {"atomics that become reductions", atomics_that_become_reductions},
    {"tables are complete", tables_are_complete},
  };
  return check_main("ptx", checks, LS_COUNT(checks), argc, argv);
}
