// ops.c: which decoder an instruction goes to.
#include "sim/ops/decoders.h"

typedef enum OpClass { CLASS_ALU, CLASS_MEM, CLASS_ATOM, CLASS_BRANCH, CLASS_BARRIER, CLASS_WARP, CLASS_MATRIX,
                       CLASS_FENCE, CLASS_CALL, CLASS_EXIT, CLASS_MISC } OpClass;
static const uint8_t op_classes[PTX_OP_COUNT] = {
#define PTX_OP(name, class, ...) [PTX_OP_##name] = CLASS_##class,
#include "ptx/ops.def"
#undef PTX_OP
};

bool sim_decode_op(SimDecoder *d) {
  if (d->in->op == PTX_OP_ldmatrix || d->in->op == PTX_OP_stmatrix) return sim_decode_matrix(d);
  switch ((OpClass)op_classes[d->in->op]) {
  case CLASS_ALU: return sim_decode_move(d) || (!d->why && (sim_decode_packed(d) || sim_decode_alu(d)));
  case CLASS_MEM: return sim_decode_mem(d);
  case CLASS_ATOM: return sim_decode_atom(d);
  case CLASS_WARP: case CLASS_BARRIER: return sim_decode_warp(d);
  case CLASS_MATRIX: return sim_decode_matrix(d);
  case CLASS_CALL: return sim_decode_call(d);
  case CLASS_BRANCH: case CLASS_EXIT: case CLASS_FENCE: case CLASS_MISC: return sim_decode_flow(d);
  default: return false;
  }
}
