// probe_multi.c: which instructions are several accesses at once, and the PTX that counts and tells them.
#include "device/probe/probe_multi.h"
#include "device/probe/probe_put.h"
#include "device/probe/probe_tell.h"

enum { TILE_ROW = 16, BULK_CHUNK = 16, MBARRIER_BYTES = 8 };

// ---- what they are -------------------------------------------------------------------------------------------------

static void add_row(ProbeMove *m, TraceKind kind, PtxSpace space, int width) {
  ProbeAccess what = kind == TRACE_LOAD ? PROBE_LOAD : kind == TRACE_STORE ? PROBE_STORE : PROBE_ATOM;
  MoveRow *row = &m->rows[m->row_count++];
  row->trace_kind = (uint8_t)kind;
  row->group = (ProbeGroup){.kind = GROUP_ACCESS, .space = (uint8_t)space, .what = (uint8_t)what, .width = (uint8_t)width,
                              .part = true};
}

// cp.async.ca.shared.global [to], [from], bytes{, source_bytes | ignore_source}{, cache_policy};
static bool is_copy(const PtxFunc *func, const PtxInstr *in, ProbeMove *m) {
  int count = in->operand_count - ptx_has(in, PTX_HAS_CACHE_HINT);
  if (count < 3 || count > 4 || in->operands[2].kind != PTX_OPD_IMM || in->operands[2].imm > 16) return false;
  const PtxOperand *last = &in->operands[count - 1];
  m->kind = MOVE_COPY;
  m->arrays = 3;
  m->to = &in->operands[0];
  m->address = &in->operands[1];
  m->size = count > 3 && !(last->kind == PTX_OPD_IMM && last->imm == in->operands[2].imm) ? last : NULL;
  m->ignores = m->size && last->kind == PTX_OPD_REG && func->regs[last->reg].type == PTX_PRED;
  add_row(m, TRACE_LOAD, PTX_GLOBAL, (int)in->operands[2].imm);
  add_row(m, TRACE_STORE, PTX_SHARED, (int)in->operands[2].imm);
  return true;
}

// cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [to], [from], size, [mbarrier]
// cp.async.bulk.global.shared::cta.bulk_group [to], [from], size
static bool is_bulk(const PtxInstr *in, ProbeMove *m) {
  bool tells = ptx_has(in, PTX_HAS_COMPLETE_TX);
  if (!sim_is_plain_bulk(in)) return false;
  m->kind = MOVE_BULK;
  m->arrays = 3;
  m->to = &in->operands[0];
  m->address = &in->operands[1];
  m->size = &in->operands[2];
  m->mbarrier = tells ? &in->operands[3] : NULL;
  add_row(m, TRACE_LOAD, (PtxSpace)in->space2, BULK_CHUNK);
  add_row(m, TRACE_STORE, (PtxSpace)in->space, BULK_CHUNK);
  if (tells) add_row(m, TRACE_ATOM, (PtxSpace)in->space, MBARRIER_BYTES);
  return true;
}

static bool is_mbarrier(const PtxInstr *in, const PtxOperand *address, TraceKind kind, ProbeMove *m) {
  m->kind = MOVE_MBARRIER;
  m->arrays = kind == TRACE_ATOM ? 3 : 1;
  m->address = address;
  add_row(m, kind, (PtxSpace)in->space, MBARRIER_BYTES);
  return address->kind == PTX_OPD_MEM;
}

// mbarrier.arrive{...} {state,} [address]{, count};   mbarrier.test_wait{...} p, [address], state;
static bool is_operation(const PtxInstr *in, ProbeMove *m) {
  if (ptx_has(in, PTX_HAS_PENDING_COUNT) || in->operand_count < 1) return false;
  if (ptx_has(in, PTX_HAS_INIT) || ptx_has(in, PTX_HAS_INVAL)) return is_mbarrier(in, &in->operands[0], TRACE_STORE, m);
  m->looks = ptx_has(in, PTX_HAS_TEST_WAIT) || ptx_has(in, PTX_HAS_TRY_WAIT);
  int at = m->looks || in->operands[0].kind != PTX_OPD_MEM;
  m->returns_old = !m->looks && at && in->operands[0].kind == PTX_OPD_REG;
  if (in->operand_count <= at) return false;
  if (!m->looks && in->operand_count > at + 1) m->size = &in->operands[at + 1];
  return is_mbarrier(in, &in->operands[at], TRACE_ATOM, m);
}

static bool is_async(const PtxFunc *func, const PtxInstr *in, ProbeMove *m) {
  bool waits = ptx_has(in, PTX_HAS_COMMIT_GROUP) || ptx_has(in, PTX_HAS_WAIT_GROUP) || ptx_has(in, PTX_HAS_WAIT_ALL);
  if (waits || !ptx_has(in, PTX_HAS_ASYNC) || ptx_has(in, PTX_HAS_REDUCE)) return false;
  if (ptx_has(in, PTX_HAS_BULK)) return is_bulk(in, m);
  if (ptx_has(in, PTX_HAS_MBARRIER)) return in->operand_count && is_mbarrier(in, &in->operands[0], TRACE_ATOM, m);
  return is_copy(func, in, m);
}

// ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {d...}, [a];  stmatrix... [a], {d...};
static bool is_tiles(const PtxInstr *in, ProbeMove *m) {
  bool load = in->op == PTX_OP_ldmatrix;
  if (in->operand_count < 2 || !matrix_is_8x8(in) || in->type != PTX_B16) return false;
  m->kind = MOVE_TILES;
  m->arrays = 1;
  m->gathers = true;
  m->address = &in->operands[load];
  m->tiles = in->operands[!load].elem_count;
  add_row(m, load ? TRACE_LOAD : TRACE_STORE, (PtxSpace)in->space, TILE_ROW);
  return m->tiles == 1 || m->tiles == 2 || m->tiles == 4;
}

static bool is_fragment(const PtxInstr *in, ProbeMove *m) {
  if (!matrix_transfer(in, &m->transfer)) return false;
  m->kind = MOVE_FRAGMENT;
  m->arrays = 3;
  m->gathers = true;
  m->address = m->transfer.address;
  m->size = m->transfer.stride;
  add_row(m, m->transfer.load ? TRACE_LOAD : TRACE_STORE, (PtxSpace)in->space, m->transfer.chunk);
  return true;
}

static bool is_texels(const PtxModule *module, const PtxInstr *in, ProbeMove *m) {
  const char *why;
  if (!sim_texel_form(module, in, &m->texels, &why)) return false;
  m->kind = MOVE_TEXELS;
  m->arrays = 3;
  m->trace_kind = in->op == PTX_OP_sust ? TRACE_STORE : TRACE_LOAD;
  m->slots += PROBE_TURN_COUNTS;
  return true;
}

static bool is_move(const PtxModule *module, const PtxInstr *in, ProbeMove *m) {
  const PtxFunc *func = &module->funcs[in->func];
  switch (in->op) {
  case PTX_OP_tex: case PTX_OP_tld4: case PTX_OP_suld: case PTX_OP_sust: return is_texels(module, in, m);
  case PTX_OP_cp: return is_async(func, in, m);
  case PTX_OP_mbarrier: return is_operation(in, m);
  case PTX_OP_ldmatrix: case PTX_OP_stmatrix: return is_tiles(in, m);
  case PTX_OP_wmma: return is_fragment(in, m);
  default: return false;
  }
}

void probe_find_moves(Probe *probe) {
  const PtxModule *module = probe->module;
  probe->moves = LS_NEW_ARRAY(probe->arena, ProbeMove *, module->code_count + 1);
  for (int pc = 0; pc < module->code_count; pc++) {
    const PtxInstr *in = &module->code[pc];
    ProbeMove move = {.slots = 2};
    if (!probe->reached[in->func] || !is_move(module, in, &move)) continue;
    if (move.row_count) move.trace_kind = move.rows[0].trace_kind;
    probe->moves[pc] = LS_NEW(probe->arena, ProbeMove);
    *probe->moves[pc] = move;
  }
}

const ProbeMove *probe_move_of(const Probe *probe, int pc) { return probe->moves ? probe->moves[pc] : NULL; }

bool probe_is_plain_move(const Probe *probe, int pc) {
  const ProbeMove *m = probe_move_of(probe, pc);
  return m && m->kind == MOVE_COPY && !m->size && probe->module->code[pc].guard < 0;
}

int probe_lay_move(Probe *probe, AffineRegs *affine_regs, int pc) {
  ProbeMove *m = probe->moves[pc];
  bool plain = probe_is_plain_move(probe, pc);
  for (int i = 0; i < m->row_count; i++) {
    ProbeGroup *row = &m->rows[i].group;
    row->first_pc = pc;
    row->address = i == MOVE_STORE ? m->to : m->address;
    row->part = !plain;
    if (plain) row->affine = affine_of(affine_regs, row);
    row->slot = m->slots;
    m->slots += probe_group_slots(row);
  }
  return m->slots;
}

ProbeGroup probe_row_group(const ProbeGroup *g, const MoveRow *row) {
  ProbeGroup group = row->group;
  group.slot += g->slot;
  return group;
}

// ---- what their registers hold -------------------------------------------------------------------------------------

// How much a copy reads of its source.
static void put_size(const Probe *probe, const PtxInstr *in, const ProbeMove *m, const char *to, LsText *out) {
  int all = m->rows[MOVE_LOAD].group.width;
  if (!m->size) ls_text_addf(out, "mov.u64 %s, %d;\n", to, all);
  else probe_put_operand(probe, in, m->size, 4, to, out);
  if (!m->ignores) return;
  ls_text_addf(out, "setp.%s.u64 %%lanescope_p, %s, 0;\n", m->size->negate ? "ne" : "eq", to);
  ls_text_addf(out, "selp.u64 %s, %d, 0, %%lanescope_p;\n", to, all);
}

static void put_stride(const Probe *probe, const PtxInstr *in, const ProbeMove *m, const char *to, LsText *out) {
  if (m->size) probe_put_operand(probe, in, m->size, 4, to, out);
  else ls_text_addf(out, "mov.u64 %s, %d;\n", to, m->transfer.line);
}

static void put_row(const ProbeGroup *g, const MoveRow *row, const char *to, LsText *out) {
  ls_text_addf(out, "add.s64 %s, %%lanescope_row, %d;\n", to, probe_row_group(g, row).slot * 8);
}

// ---- counting ------------------------------------------------------------------------------------------------------

// The lanes of %lanescope_g, at the addresses in %lanescope_x.
static void count_row(const ProbeGroup *g, const MoveRow *row, LsText *out) {
  put_row(g, row, "%lanescope_d", out);
  CALL(out, "lanescope_probe_piece", LONG("%lanescope_d"), NUMBER(probe_access_code(&row->group)), WORD("%lanescope_m"),
       WORD("%lanescope_g"), LONG("%lanescope_x"), NUMBER(1));
}

// Those of %lanescope_g that have a row of a matrix.
static void put_tile_lanes(const ProbeMove *m, LsText *out) {
  ls_text_addf(out, "mov.u32 %%lanescope_a, %%laneid;\nsetp.lt.u32 %%lanescope_p, %%lanescope_a, %d;\n", 8 * m->tiles);
  ls_text_add(out, "selp.u32 %lanescope_g, %lanescope_g, 0, %lanescope_p;\n");
}

static void count_copy(const Probe *probe, const PtxInstr *in, const ProbeMove *m, const ProbeGroup *g, LsText *out) {
  const MoveRow *load = &m->rows[MOVE_LOAD], *store = &m->rows[MOVE_STORE];
  bool bulk = m->kind == MOVE_BULK;
  if (bulk) probe_put_operand(probe, in, m->size, 4, "%lanescope_w", out);
  else put_size(probe, in, m, "%lanescope_w", out);
  probe_put_address(probe, in, m->to, "%lanescope_v", out);
  put_row(g, load, "%lanescope_d", out);
  put_row(g, store, "%lanescope_k", out);
  CALL(out, bulk ? "lanescope_probe_bulk" : "lanescope_probe_copy", LONG("%lanescope_d"), LONG("%lanescope_k"),
       NUMBER(probe_access_code(&load->group)), NUMBER(probe_access_code(&store->group)), WORD("%lanescope_m"),
       WORD("%lanescope_g"), LONG("%lanescope_x"), LONG("%lanescope_v"), LONG("%lanescope_w"));
  if (!m->mbarrier) return;
  probe_put_address(probe, in, m->mbarrier, "%lanescope_x", out);
  count_row(g, &m->rows[MOVE_DONE], out);
}

// Element e of a lane is at (e / line, e % line) of memory, or at (e % line, e / line): line is a power of two.
static void count_fragment(const Probe *probe, const PtxInstr *in, const ProbeMove *m, const ProbeGroup *g, LsText *out) {
  const MatrixTransfer *t = &m->transfer;
  bool across = t->by_column != t->fragment.by_column;
  int line = t->fragment.by_column ? t->fragment.rows : t->fragment.cols;
  int step = t->chunk * 8 / t->fragment.bits;
  put_stride(probe, in, m, "%lanescope_w", out);
  put_row(g, &m->rows[0], "%lanescope_d", out);
  CALL(out, "lanescope_probe_matrix", LONG("%lanescope_d"), NUMBER(probe_access_code(&m->rows[0].group)),
       WORD("%lanescope_m"), WORD("%lanescope_g"), LONG("%lanescope_x"), LONG("%lanescope_w"),
       NUMBER(t->fragment.per_lane | step << 8 | t->fragment.bits << 16), NUMBER(__builtin_ctz((unsigned)line) | across << 8));
}

void probe_count_move(const Probe *probe, const ProbeGroup *g, LsText *out) {
  const PtxInstr *in = &probe->module->code[g->first_pc];
  const ProbeMove *m = probe_move_of(probe, g->first_pc);
  if (in->guard >= 0) probe_put_guard_count(probe, in, g->slot, out);
  probe_put_guard(probe, in, out);
  if (m->kind == MOVE_TEXELS) { probe_count_texels(probe, g, out); return; }
  probe_put_address(probe, in, m->address, "%lanescope_x", out);
  switch ((MoveKind)m->kind) {
  case MOVE_COPY: case MOVE_BULK: count_copy(probe, in, m, g, out); break;
  case MOVE_FRAGMENT: count_fragment(probe, in, m, g, out); break;
  case MOVE_TILES:
    put_tile_lanes(m, out);
    count_row(g, &m->rows[0], out);
    break;
  case MOVE_MBARRIER: count_row(g, &m->rows[0], out); break;
  case MOVE_TEXELS: break;
  }
}

// ---- telling -------------------------------------------------------------------------------------------------------

// Its size below, the mbarrier that is told of it above: both have 32 bits.
static void put_bulk_size(const Probe *probe, const PtxInstr *in, const ProbeMove *m, LsText *out) {
  probe_put_operand(probe, in, m->size, 4, "%lanescope_w", out);
  if (!m->mbarrier) return;
  probe_put_address(probe, in, m->mbarrier, "%lanescope_t", out);
  ls_text_add(out, "shl.b64 %lanescope_t, %lanescope_t, 32;\nor.b64 %lanescope_w, %lanescope_w, %lanescope_t;\n");
}

static void put_operand(const Probe *probe, const PtxInstr *in, const ProbeMove *m, LsText *out) {
  if (m->size) probe_put_operand(probe, in, m->size, 8, "%lanescope_v", out);
  else ls_text_addf(out, "mov.u64 %%lanescope_v, %d;\n", !m->looks);
  ls_text_add(out, "mov.u64 %lanescope_w, 0;\n");
}

void probe_emit_move(const Probe *probe, const ProbeSite *site, LsText *out) {
  const PtxInstr *in = &probe->module->code[site->pc];
  const ProbeMove *m = probe_move_of(probe, site->pc);
  if (m->kind == MOVE_TEXELS) { probe_emit_texels(probe, site, out); return; }
  probe_put_reported_address(probe, in, m->address, (PtxSpace)m->rows[0].group.space, out);
  if (m->to) probe_put_address(probe, in, m->to, "%lanescope_v", out);
  if (m->kind == MOVE_COPY) put_size(probe, in, m, "%lanescope_w", out);
  if (m->kind == MOVE_BULK) put_bulk_size(probe, in, m, out);
  if (m->kind == MOVE_MBARRIER) put_operand(probe, in, m, out);
  if (m->kind == MOVE_FRAGMENT) {
    put_stride(probe, in, m, "%lanescope_v", out);
    ls_text_add(out, "mov.u64 %lanescope_w, 0;\n");
  }
  probe_put_guard(probe, in, out);
  probe_tell_record(probe, site, "%lanescope_m", WORD("%lanescope_g"), NUMBER(0), out);
}
