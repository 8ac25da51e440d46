// decode_image.c: the instructions of textures and surfaces (PTX ISA 9.7.10 and 9.7.11).
#include "sim/image.h"

// True if `word` stands between dots in the instruction's name.
static bool has_word(const PtxInstr *in, const char *word) {
  size_t length = strlen(word);
  for (const char *p = strchr(in->name, '.'); p; p = strchr(p + 1, '.'))
    if (strncmp(p + 1, word, length) == 0 && (p[1 + length] == '.' || !p[1 + length])) return true;
  return false;
}

static bool decode_geometry(SimDecoder *d, SimImageOp *op) {
  static const struct { const char *word; uint8_t dims; bool layered; } rows[] = {
      {"1d", 1, false}, {"2d", 2, false}, {"3d", 3, false}, {"a1d", 1, true}, {"a2d", 2, true}};
  for (int i = 0; i < LS_COUNT(rows); i++) {
    if (!has_word(d->in, rows[i].word)) continue;
    op->dims = rows[i].dims;
    op->layered = rows[i].layered;
    return true;
  }
  d->why = "cube maps and multisample textures";
  return false;
}

// ---- operands ------------------------------------------------------------------------------------------------------

static bool is_bound(const SimDecoder *d, int var) {
  for (int i = 0; i < d->sim->launch->arg_count; i++) if (d->sim->arg_var[i] == var) return true;
  return false;
}

// The image: a register with its handle, or a variable that an argument of the launch is bound to.
static void decode_handle(SimDecoder *d, SimImageOp *op, const PtxOperand *o) {
  if (o->kind != PTX_OPD_MEM || o->offset || o->base == PTX_BASE_NONE) { d->why = "an image given in this form"; return; }
  if (o->base == PTX_BASE_REG) {
    if (sim_reg_bytes(d->sim->module, d->func, o->reg) != 8) d->why = "a handle that is not in a 64-bit register";
    op->handle = d->sim->funcs[d->func].slots[o->reg];
    return;
  }
  const PtxVar *var = &d->sim->module->vars[o->var];
  const char *kind = var->type == PTX_SURFREF ? "surf" : "tex";
  if (!sim_is_image_var(var) || var->func >= 0) d->why = "an image that is no .texref or .surfref of the module";
  else if (!is_bound(d, o->var))
    d->why = ls_arena_format(d->sim->arena, "%s has no texels; give them as -a '%s=%s.f32[64x32]=iota'", var->name,
                             var->name, kind);
  op->handle = sim_slot_const(d->sim, 8, d->sim->var_addr[o->var]);
}

static const PtxOperand *element(const PtxOperand *o, int i) {
  if (o->kind == PTX_OPD_VEC) return i < o->elem_count ? &o->elems[i] : NULL;
  return i == 0 ? o : NULL;
}

static uint32_t coord_slot(SimDecoder *d, const PtxOperand *vector, int i) {
  const PtxOperand *o = element(vector, i);
  if (!o) { d->why = "so few coordinates"; return 0; }
  return sim_slot_of(d, o, 4);
}

// [layer,] x [, y [, z]]; what follows is ignored.
static void decode_coords(SimDecoder *d, SimImageOp *op, const PtxOperand *vector) {
  if (op->layered) op->layer = coord_slot(d, vector, 0);
  for (int k = 0; k < op->dims && !d->why; k++) op->coord[k] = coord_slot(d, vector, k + op->layered);
}

static void decode_offsets(SimDecoder *d, SimImageOp *op, const PtxOperand *vector) {
  for (int k = 0; k < op->dims && !d->why; k++) op->offset[k] = coord_slot(d, vector, k);
}

// The values of a .samplerref stand in the PTX (5.3); one that says nothing wraps and takes the nearest texel.
static void decode_sampler(SimDecoder *d, SimImageOp *op, const PtxOperand *o) {
  const PtxVar *var = o->kind == PTX_OPD_VAR ? &d->sim->module->vars[o->var] : NULL;
  if (!var || var->type != PTX_SAMPLERREF) { d->why = "a sampler that is no .samplerref of the module"; return; }
  const PtxSampler *s = &var->sampler;
  static const uint8_t modes[] = {[PTX_ADDRESS_WRAP] = LAUNCH_WRAP, [PTX_ADDRESS_MIRROR] = LAUNCH_MIRROR,
                                  [PTX_ADDRESS_CLAMP_OGL] = LAUNCH_CLAMP, [PTX_ADDRESS_CLAMP_TO_EDGE] = LAUNCH_CLAMP,
                                  [PTX_ADDRESS_CLAMP_TO_BORDER] = LAUNCH_BORDER};
  op->has_sampler = true;
  op->sampler = (LaunchImage){.linear = s->linear, .normalized = !s->force_unnormalized};
  for (int i = 0; i < 3; i++) op->sampler.address[i] = modes[s->address[i]];
}

static bool decode_place(SimDecoder *d, SimImageOp *op, const PtxOperand *place) {
  decode_handle(d, op, place);
  if (d->why) return false;
  if (place->elem_count < 1 || place->elem_count > 2) { d->why = "coordinates of this form"; return false; }
  if (place->elem_count == 2) decode_sampler(d, op, &place->elems[0]);
  if (!d->why) decode_coords(d, op, &place->elems[place->elem_count - 1]);
  return !d->why;
}

static void decode_data(SimDecoder *d, SimImageOp *op, const PtxOperand *data, bool load) {
  int count = data->kind == PTX_OPD_VEC ? data->elem_count : 1;
  if (count != op->mem.vec) { d->why = "a vector of another length"; return; }
  if (data->pair >= 0) { d->why = "the predicate that tells whether a texture is resident"; return; }
  for (int k = 0; k < count && !d->why; k++) sim_decode_datum(d, &op->mem, k, element(data, k), load);
}

static SimImageOp *new_op(SimDecoder *d, SimExec exec, TraceKind kind) {
  const PtxInstr *in = d->in;
  SimImageOp *op = LS_NEW(d->sim->arena, SimImageOp);
  for (int i = 0; i < 3; i++) op->offset[i] = SIM_NO_SLOT;
  op->mem.type = in->type;
  op->mem.elem = (uint8_t)ptx_type_size((PtxType)in->type);
  op->mem.vec = in->vec ? in->vec : 1;
  op->mem.width = (uint8_t)(op->mem.elem * op->mem.vec);
  d->out->more = op;
  d->out->exec = exec;
  d->out->kind = (uint8_t)kind;
  return op;
}

// ---- instructions --------------------------------------------------------------------------------------------------

static bool gathered_component(SimDecoder *d, SimImageOp *op) {
  static const char *const names[] = {"r", "g", "b", "a"};
  for (int i = 0; i < 4; i++) if (has_word(d->in, names[i])) { op->component = (uint8_t)i; return true; }
  d->why = "tld4 without a component";
  return false;
}

// What follows the place: the level, or two gradients, and then offsets, which are a vector.
static void decode_rest(SimDecoder *d, SimImageOp *op) {
  int next = has_word(d->in, "level") ? 3 : has_word(d->in, "grad") ? 4 : 2;
  const PtxOperand *o = next < d->in->operand_count ? &d->in->operands[next] : NULL;
  if (!o) return;
  bool vector = o->kind == PTX_OPD_VEC;
  if (next + 1 < d->in->operand_count || !vector) d->why = "comparing with a depth";
  else decode_offsets(d, op, o);
}

static bool decode_tex(SimDecoder *d) {
  const PtxInstr *in = d->in;
  SimImageOp *op = new_op(d, sim_exec_texture, TRACE_LOAD);
  op->kind = LAUNCH_TEXTURE;
  op->gathers = in->op == PTX_OP_tld4;
  op->by_index = in->type2 == PTX_S32;
  if (op->mem.elem != 4 || in->vec != 4 || in->type == PTX_F16X2) { d->why = "results other than .v4 of 32 bits"; return false; }
  if (!decode_geometry(d, op) || (op->gathers && !gathered_component(d, op))) return false;
  if (op->gathers && op->dims != 2) { d->why = "gathering from other than two dimensions"; return false; }
  if (!decode_place(d, op, &in->operands[1])) return false;
  decode_rest(d, op);
  if (!d->why) decode_data(d, op, &in->operands[0], true);
  return !d->why;
}

static bool decode_surface(SimDecoder *d) {
  const PtxInstr *in = d->in;
  bool load = in->op == PTX_OP_suld;
  SimImageOp *op = new_op(d, sim_exec_surface, load ? TRACE_LOAD : TRACE_STORE);
  op->kind = LAUNCH_SURFACE;
  op->mem.space = PTX_GLOBAL;
  op->bounds = in->flags & PTX_F_CLAMP ? SIM_BOUNDS_CLAMP : has_word(in, "zero") ? SIM_BOUNDS_ZERO : SIM_BOUNDS_TRAP;
  if (!has_word(in, "b")) { d->why = "formatted surface accesses (.p)"; return false; }
  if (!op->mem.elem || op->mem.elem > 8 || op->mem.width > 16) { d->why = "data of this width"; return false; }
  if (!decode_geometry(d, op) || !decode_place(d, op, &in->operands[load ? 1 : 0])) return false;
  decode_data(d, op, &in->operands[load ? 0 : 1], load);
  return !d->why;
}

static bool decode_query(SimDecoder *d) {
  static const char *const names[SIM_QUERY_NONE] = {
      "width", "height", "depth", "array_size", "num_mipmap_levels", "num_samples", "normalized_coords", "filter_mode",
      "addr_mode_0", "addr_mode_1", "addr_mode_2"};
  SimImageOp *op = new_op(d, sim_exec_query, TRACE_EXEC);
  op->kind = d->in->op == PTX_OP_txq ? LAUNCH_TEXTURE : LAUNCH_SURFACE;
  while (op->query < SIM_QUERY_NONE && !has_word(d->in, names[op->query])) op->query++;
  if (op->query == SIM_QUERY_NONE) { d->why = "this query (what it gives depends on the source language)"; return false; }
  if (op->mem.elem != 4 || d->in->operand_count != 2) { d->why = "this form of the query"; return false; }
  decode_handle(d, op, &d->in->operands[1]);
  if (!d->why) sim_decode_datum(d, &op->mem, 0, &d->in->operands[0], true);
  return !d->why;
}

bool sim_decode_image(SimDecoder *d) {
  if (d->in->op == PTX_OP_txq || d->in->op == PTX_OP_suq) return decode_query(d);
  return d->in->op == PTX_OP_tex || d->in->op == PTX_OP_tld4 ? decode_tex(d) : decode_surface(d);
}
