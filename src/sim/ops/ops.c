// ops.c: which decoder an instruction goes to.
#include "sim/ops/decoders.h"

static bool decode_by_class(SimDecoder *d) {
  if (d->in->op == PTX_OP_ldmatrix || d->in->op == PTX_OP_stmatrix) return sim_decode_matrix(d);
  switch (ptx_op_class((PtxOp)d->in->op)) {
  case PTX_CLASS_ALU: return sim_decode_move(d) || (!d->why && (sim_decode_packed(d) || sim_decode_alu(d)));
  case PTX_CLASS_MEM: return sim_decode_mem(d);
  case PTX_CLASS_ATOM: return sim_decode_atom(d);
  case PTX_CLASS_WARP: case PTX_CLASS_BARRIER: return sim_decode_warp(d);
  case PTX_CLASS_MATRIX: return sim_decode_matrix(d);
  case PTX_CLASS_CALL: return sim_decode_call(d);
  case PTX_CLASS_BRANCH: case PTX_CLASS_EXIT: case PTX_CLASS_FENCE: case PTX_CLASS_MISC: return sim_decode_flow(d);
  default: return false;
  }
}

bool sim_decode_op(SimDecoder *d) {
  if (!decode_by_class(d)) return false;
  if (d->sums) sim_decode_sums(d);
  return true;
}
