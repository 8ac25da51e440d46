// exec_fragment.c: matrices between memory and the registers of a warp: ldmatrix, stmatrix, movmatrix, wmma.load and
// wmma.store. Each moves its bytes through temporary slots by plain loads and stores of the lanes, which check them.
#include <string.h>
#include "sim/core/event.h"
#include "sim/core/slots.h"
#include "sim/decode/decode.h"
#include "sim/grid/meet.h"
#include "sim/ops/access.h"
#include "sim/ops/fragment.h"
#include "sim/ops/matrix.h"

// ---- 8 x 8 matrices of 16 bits -------------------------------------------------------------------------------------

typedef struct Tiles {
  SimWarpOp meet;
  SimInst access;          // 16 bytes, a row of a matrix, for 8 lanes per matrix
  SimMem memory;
  uint32_t slots[4];       // of the matrices
  uint32_t source;         // movmatrix
  int count;
  bool load, transposed;
} Tiles;

// Row i of matrix k lies in temporary slots of lane 8 k + i; lane l has elements 2 (l % 4) and the next one of row l / 4.
static uint16_t *row_element(SimExec *exec, const Tiles *t, int matrix, int row, int col) {
  uint8_t *word = exec->regs + t->memory.data[col / 2] + (8 * matrix + row) * 4;
  return (uint16_t *)(void *)(word + col % 2 * 2);
}

static uint16_t *lane_element(SimExec *exec, uint32_t slot, int row, int col) {
  return (uint16_t *)(void *)(exec->regs + slot + (row * 4 + col / 2) * 4 + col % 2 * 2);
}

static void distribute(SimExec *exec, const Tiles *t) {
  for (int k = 0; k < t->count; k++)
    for (int row = 0; row < 8; row++)
      for (int col = 0; col < 8; col++) {
        uint16_t *there = row_element(exec, t, k, t->transposed ? col : row, t->transposed ? row : col);
        uint16_t *here = lane_element(exec, t->slots[k], row, col);
        if (t->load) *here = *there; else *there = *here;
      }
}

static SimNext exec_tiles(SimExec *exec, const SimInst *inst, uint32_t mask) {
  const Tiles *t = inst->more;
  SimNext next;
  uint32_t lanes = sim_gather_members(exec, &t->meet, mask, &next);
  if (!lanes) return next;
  uint32_t rows = (t->count == 4 ? SIM_FULL : (1u << 8 * t->count) - 1) & exec->warp->exist;
  exec->wrote = lanes;
  if (!t->load) distribute(exec, t);
  if (sim_exec_mem(exec, &t->access, rows) != SIM_GO) return SIM_YIELD;
  if (t->load) distribute(exec, t);
  return next;
}

static SimNext exec_transpose(SimExec *exec, const SimInst *inst, uint32_t mask) {
  const Tiles *t = inst->more;
  SimNext next;
  uint32_t lanes = sim_gather_members(exec, &t->meet, mask, &next), from[SIM_LANES];
  if (!lanes) return next;
  exec->wrote = lanes;
  memcpy(from, sim_u32(exec->regs, t->source), sizeof from);
  for (int row = 0; row < 8; row++)
    for (int col = 0; col < 8; col++)
      *lane_element(exec, t->slots[0], row, col) = (uint16_t)(from[col * 4 + row / 2] >> row % 2 * 16);
  if (sim_wants_event(exec)) { sim_event(exec, inst, lanes); sim_emit(exec); } else sim_skip_event(exec);
  exec->pc++;
  return next;
}

static SimMem temporary(SimDecoder *d, const PtxInstr *in, int words) {
  SimMem m = {.space = in->space, .type = PTX_B32, .elem = 4, .vec = (uint8_t)words, .width = (uint8_t)(words * 4)};
  for (int k = 0; k < words; k++) {
    m.data[k] = sim_slot_temp(d->program, 4, k);
    m.data_bytes[k] = 4;
  }
  return m;
}

// ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {d...}, [a];  stmatrix... [a], {d...};  movmatrix...m8n8.trans.b16 d, a
bool matrix_decode_move(SimDecoder *d) {
  const PtxInstr *in = d->in;
  Tiles *t = LS_NEW(d->program->arena, Tiles);
  t->load = in->op == PTX_OP_ldmatrix;
  t->transposed = ptx_has(in, PTX_HAS_TRANS);
  t->meet = matrix_everybody(d->program);
  d->out->more = t;
  if (!matrix_is_8x8(in) || in->type != PTX_B16) { d->why = "matrices of this shape and type"; return false; }
  if (in->op == PTX_OP_movmatrix) {
    t->slots[0] = sim_slot_of(d, &in->operands[0], 4);
    t->source = sim_slot_of(d, &in->operands[1], 4);
    d->out->kind = TRACE_MATRIX;
    d->out->handler = exec_transpose;
    return true;
  }
  const PtxOperand *list = &in->operands[t->load ? 0 : 1], *address = &in->operands[t->load ? 1 : 0];
  t->count = list->kind == PTX_OPD_VEC ? list->elem_count : 0;
  if (t->count != 1 && t->count != 2 && t->count != 4) { d->why = "this number of matrices"; return false; }
  for (int k = 0; k < t->count; k++) t->slots[k] = sim_slot_of(d, &list->elems[k], 4);
  t->memory = temporary(d, in, 4);
  t->access = (SimInst){.more = &t->memory, .kind = t->load ? TRACE_LOAD : TRACE_STORE};
  d->out->kind = t->access.kind;
  d->out->handler = exec_tiles;
  return sim_decode_address(d, &t->memory, address);
}

// ---- wmma.load and wmma.store --------------------------------------------------------------------------------------

typedef struct Transfer {
  SimWarpOp meet;
  MatrixTransfer form;
  MatrixFragment fragment;
  SimInst access;          // of a chunk of each lane
  SimMem memory;
  uint32_t base; int base_bytes; int64_t offset;   // where the matrix starts
  uint32_t stride;         // slot: elements from one row (or column) to the next
} Transfer;

// Addresses of the chunks i of the lanes.
static void set_addresses(SimExec *exec, const Transfer *t, int i) {
  uint64_t *to = sim_u64(exec->regs, t->memory.base);
  for (uint32_t lane = 0; lane < SIM_LANES; lane++) {
    uint64_t base = t->base_bytes ? sim_lane(exec->regs, t->base, t->base_bytes, lane) : 0;
    to[lane] =
        base + (uint64_t)t->offset + matrix_chunk_at(&t->form, (int)lane, i, sim_u32(exec->regs, t->stride)[lane]);
  }
}

// Between the temporary slots and the bytes of the lanes.
static void move_chunk(SimExec *exec, const Transfer *t, uint8_t bytes[SIM_LANES][MATRIX_LANE_BYTES], int at) {
  int piece = LS_MIN(t->form.chunk, 4);
  for (uint32_t lane = 0; lane < SIM_LANES; lane++)
    for (int word = 0; word * 4 < t->form.chunk; word++) {
      uint8_t *slot = exec->regs + t->memory.data[word] + lane * 4, *place = bytes[lane] + at + word * 4;
      if (t->form.load) memcpy(place, slot, (size_t)piece); else memcpy(slot, place, (size_t)piece);
    }
}

static SimNext exec_transfer(SimExec *exec, const SimInst *inst, uint32_t mask) {
  const Transfer *t = inst->more;
  uint8_t bytes[SIM_LANES][MATRIX_LANE_BYTES];
  SimNext next;
  uint32_t lanes = sim_gather_members(exec, &t->meet, mask, &next);
  if (!lanes) return next;
  int pc = exec->pc;
  if (!t->form.load) matrix_take(exec, &t->fragment, bytes);
  for (int i = 0; i < t->form.chunks; i++) {
    exec->pc = pc;   // all of them are this instruction
    set_addresses(exec, t, i);
    if (!t->form.load) move_chunk(exec, t, bytes, i * t->form.chunk);
    if (sim_exec_mem(exec, &t->access, lanes) != SIM_GO) return SIM_YIELD;
    if (t->form.load) move_chunk(exec, t, bytes, i * t->form.chunk);
  }
  if (t->form.load) matrix_give(exec, &t->fragment, bytes);
  exec->wrote = lanes;
  return next;
}

static bool decode_place(SimDecoder *d, Transfer *t) {
  SimMem place = {.space = d->in->space};
  int chunk = t->form.chunk;
  if (!sim_decode_address(d, &place, t->form.address)) return false;
  t->base = place.base;
  t->base_bytes = place.base_bytes;
  t->offset = place.offset;
  t->stride =
      t->form.stride ? sim_slot_of(d, t->form.stride, 4) : sim_slot_const(d->program, 4, (uint64_t)t->form.line);
  t->memory = temporary(d, d->in, LS_MAX(chunk / 4, 1));
  t->memory.space = place.space;
  if (chunk < 4) t->memory.elem = t->memory.width = (uint8_t)chunk;
  t->memory.base = sim_slot_temp(d->program, 8, 0);
  t->memory.base_bytes = 8;
  return true;
}

bool matrix_decode_wmma(SimDecoder *d) {
  Transfer *t = LS_NEW(d->program->arena, Transfer);
  if (!matrix_transfer(d->in, &t->form)) {
    d->why = "a matrix of this type and shape in so many registers";
    return false;
  }
  t->fragment = t->form.fragment;
  for (int i = 0; i < t->fragment.reg_count; i++)
    t->fragment.slots[i] = sim_slot_of(d, &t->form.list->elems[i], t->fragment.reg_bytes);
  t->meet = matrix_everybody(d->program);
  if (d->why || !decode_place(d, t)) return false;
  t->access = (SimInst){.more = &t->memory, .kind = t->form.load ? TRACE_LOAD : TRACE_STORE};
  d->out->more = t;
  d->out->kind = t->access.kind;
  d->out->handler = exec_transfer;
  return true;
}
