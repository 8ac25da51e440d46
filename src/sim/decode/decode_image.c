// decode_image.c: the instructions of textures and surfaces (PTX ISA 9.7.10 and 9.7.11).
#include "sim/ops/image.h"

// ---- operands ------------------------------------------------------------------------------------------------------

// The image: a register with its handle, or a variable that an argument of the launch is bound to.
static void decode_handle(SimDecoder *d, SimImageOp *op, const PtxOperand *o) {
  if (o->kind != PTX_OPD_MEM || o->offset || o->base == PTX_BASE_NONE) { d->why = "an image given in this form"; return; }
  if (o->base == PTX_BASE_REG) {
    if (sim_reg_bytes(d->program->module, d->func, o->reg) != 8) d->why = "a handle that is not in a 64-bit register";
    op->handle = d->program->funcs[d->func].slots[o->reg];
    return;
  }
  const PtxVar *var = &d->program->module->vars[o->var];
  const char *kind = var->type == PTX_SURFREF ? "surf" : "tex";
  if (!sim_is_image_var(var) || var->func >= 0) d->why = "an image that is no .texref or .surfref of the module";
  else if (!d->program->var_addr[o->var])
    d->why = ls_arena_format(d->program->arena, "%s has no texels; give them as -a '%s=%s.f32[64x32]=iota'", var->name,
                             var->name, kind);
  op->handle = sim_slot_const(d->program, 8, d->program->var_addr[o->var]);
}

static uint32_t coord_slot(SimDecoder *d, const PtxOperand *vector, int i) {
  const PtxOperand *o = sim_texel_element(vector, i);
  if (!o) { d->why = "so few coordinates"; return 0; }
  return sim_slot_of(d, o, 4);
}

static void decode_coords(SimDecoder *d, SimImageOp *op) {
  const SimTexelForm *f = &op->form;
  if (f->layered) op->layer = coord_slot(d, f->coords, 0);
  for (int k = 0; k < f->dims && !d->why; k++) op->coord[k] = coord_slot(d, f->coords, k + f->layered);
  for (int k = 0; k < f->dims && f->offsets && !d->why; k++) op->offset[k] = coord_slot(d, f->offsets, k);
}

static bool decode_form(SimDecoder *d, SimImageOp *op) {
  if (!sim_texel_form(d->program->module, d->in, &op->form, &d->why)) return false;
  decode_handle(d, op, op->form.place);
  if (!d->why) decode_coords(d, op);
  return !d->why;
}

static void decode_data(SimDecoder *d, SimImageOp *op, const PtxOperand *data, bool load) {
  int count = data->kind == PTX_OPD_VEC ? data->elem_count : 1;
  if (count != op->mem.vec) { d->why = "a vector of another length"; return; }
  if (data->pair >= 0) { d->why = "the predicate that tells whether a texture is resident"; return; }
  for (int k = 0; k < count && !d->why; k++) sim_decode_datum(d, &op->mem, k, sim_texel_element(data, k), load);
}

static SimImageOp *new_op(SimDecoder *d, SimHandler handler, TraceKind kind) {
  const PtxInstr *in = d->in;
  SimImageOp *op = LS_NEW(d->program->arena, SimImageOp);
  for (int i = 0; i < 3; i++) op->offset[i] = SIM_NO_SLOT;
  op->mem.type = in->type;
  op->mem.elem = (uint8_t)ptx_type_size((PtxType)in->type);
  op->mem.vec = in->vec ? in->vec : 1;
  op->mem.width = (uint8_t)(op->mem.elem * op->mem.vec);
  d->out->more = op;
  d->out->handler = handler;
  d->out->kind = (uint8_t)kind;
  return op;
}

// ---- instructions --------------------------------------------------------------------------------------------------

static bool decode_tex(SimDecoder *d) {
  SimImageOp *op = new_op(d, sim_exec_texture, TRACE_LOAD);
  if (!decode_form(d, op)) return false;
  decode_data(d, op, &d->in->operands[0], true);
  return !d->why;
}

static bool decode_surface(SimDecoder *d) {
  bool load = d->in->op == PTX_OP_suld;
  SimImageOp *op = new_op(d, sim_exec_surface, load ? TRACE_LOAD : TRACE_STORE);
  op->mem.space = PTX_GLOBAL;
  if (!decode_form(d, op)) return false;
  decode_data(d, op, &d->in->operands[load ? 0 : 1], load);
  return !d->why;
}

static bool decode_query(SimDecoder *d) {
  SimImageOp *op = new_op(d, sim_exec_query, TRACE_EXEC);
  op->form.kind = d->in->op == PTX_OP_txq ? LAUNCH_TEXTURE : LAUNCH_SURFACE;
  op->query = d->in->query;
  if (op->query == PTX_QUERY_NONE) { d->why = "this query (what it gives depends on the source language)"; return false; }
  if (op->mem.elem != 4 || d->in->operand_count != 2) { d->why = "this form of the query"; return false; }
  decode_handle(d, op, &d->in->operands[1]);
  if (!d->why) sim_decode_datum(d, &op->mem, 0, &d->in->operands[0], true);
  return !d->why;
}

bool sim_decode_image(SimDecoder *d) {
  if (d->in->op == PTX_OP_txq || d->in->op == PTX_OP_suq) return decode_query(d);
  return d->in->op == PTX_OP_tex || d->in->op == PTX_OP_tld4 ? decode_tex(d) : decode_surface(d);
}
