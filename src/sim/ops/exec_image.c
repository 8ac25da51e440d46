// exec_image.c: fetches from textures, loads and stores of surfaces, queries.
#include <stdio.h>
#include "sim/check/fault.h"
#include "sim/check/shadow.h"
#include "sim/core/event.h"
#include "sim/core/place.h"
#include "sim/core/slots.h"
#include "sim/ops/access.h"
#include "sim/ops/decoders.h"
#include "sim/ops/image.h"
#include "sim/ops/texel.h"

// ---- handles -------------------------------------------------------------------------------------------------------

static const char *name_of(const SimExec *exec, const SimAlloc *a) {
  for (int i = 0; i < exec->program->object_count; i++)
    if (exec->program->objects[i].space == TRACE_TEXTURE && exec->program->objects[i].base == a->base)
      return exec->program->objects[i].name;
  return "?";
}

// `size`: bytes of the access, 0 if it is not the place that is wrong.
static void fault_text(SimExec *exec, const SimInst *inst, uint32_t lanes, const SimAlloc *a, int size,
                       const char *text) {
  sim_fault(exec, &(SimFaultPlace){.kind = FAULT_OUT_OF_BOUNDS, .mask = lanes, .space = TRACE_TEXTURE, .text = text,
                                   .addr = a ? a->base : 0, .has_addr = a != NULL, .size = size,
                                   .writes = inst->kind == TRACE_STORE});
}

static const char *kind_name(int kind) { return kind == LAUNCH_TEXTURE ? "texture" : "surface"; }

static const char *geometry_name(int dims, bool cube) {
  static const char *const names[] = {"?", "1d", "2d", "3d"};
  return cube ? "cube" : names[dims];
}

// "a 2d fetch from img, which is a surface"
static void fault_kind(SimExec *exec, const SimInst *inst, uint32_t lanes, const SimAlloc *a) {
  const SimImageOp *op = inst->more;
  const LaunchImage *image = a->image;
  LsText text = {0};
  ls_text_addf(&text, "an instruction for a %s %s%s is used with %s, which is a %s %s%s",
               geometry_name(op->form.dims, op->form.cube), op->form.layered ? "layered " : "",
               kind_name(op->form.kind), name_of(exec, a),
               geometry_name(image->dims, image->cube), image->layered ? "layered " : "", kind_name(image->kind));
  fault_text(exec, inst, lanes, a, 0, ls_text_str(&text));
  ls_text_free(&text);
}

static void fault_handle(SimExec *exec, const SimInst *inst, uint32_t lanes, uint64_t handle) {
  const SimImageOp *op = inst->more;
  char text[120];
  snprintf(text, sizeof text, "0x%llx is the handle of no %s; the launch gives one as -a %s.TYPE[WxH]=INIT",
           (unsigned long long)handle, kind_name(op->form.kind), op->form.kind == LAUNCH_TEXTURE ? "tex" : "surf");
  fault_text(exec, inst, lanes, NULL, 0, text);
}

// The image of the first lane in `mask`, and which lanes share it. NULL after a fault.
static SimAlloc *find_image(SimExec *exec, const SimInst *inst, uint32_t mask, uint32_t *same) {
  const SimImageOp *op = inst->more;
  uint32_t first = (uint32_t)__builtin_ctz(mask);
  const uint64_t *handles = sim_u64(exec->regs, op->handle);
  uint64_t handle = handles[first];
  *same = 0;
  SIM_FOR_LANES(i, mask) if (handles[i] == handle) *same |= 1u << i;
  SimAlloc *a = sim_alloc_at(exec->memory, handle);
  if (!a || !a->image || a->base != handle) { fault_handle(exec, inst, *same, handle); return NULL; }
  bool fits = a->image->kind == op->form.kind;
  if (op->form.dims)
    fits &= a->image->dims == op->form.dims && a->image->layered == op->form.layered && a->image->cube == op->form.cube;
  if (fits) return a;
  fault_kind(exec, inst, *same, a);
  return NULL;
}

// Lanes that take no part have the address of one that does.
static void fill_addresses(SimExec *exec, uint32_t mask, const SimAlloc *a) {
  uint64_t first = mask ? exec->addr[__builtin_ctz(mask)] : a->base;
  for (uint32_t i = 0; i < SIM_LANES; i++) if (!(mask >> i & 1)) exec->addr[i] = first;
}

static SimCoords coords_of(const SimExec *exec, const SimImageOp *op, uint32_t lane) {
  SimCoords c = {0};
  if (op->form.layered) c.layer = sim_u32(exec->regs, op->layer)[lane];
  for (int k = 0; k < sim_texel_coords(&op->form); k++) {
    c.coord[k] = sim_u32(exec->regs, op->coord[k])[lane];
    if (op->offset[k] != SIM_NO_SLOT) c.offset[k] = (int32_t)sim_u32(exec->regs, op->offset[k])[lane];
  }
  return c;
}

// ---- textures ------------------------------------------------------------------------------------------------------

typedef struct Fetch { SimFootprint foot[SIM_LANES]; uint32_t result[SIM_LANES][4]; } Fetch;

// tld4 gives the four texels counter-clockwise from the lower left, where y grows downwards.
static void gather(const SimImageOp *op, const LaunchArg *arg, const uint8_t *bytes, const SimFootprint *foot,
                   uint32_t out[4]) {
  static const uint8_t order[4] = {2, 3, 1, 0}, nothing[16];
  for (int k = 0; k < 4; k++) {
    const SimTexel *t = &foot->texels[order[k]];
    out[k] = sim_gathered_bits(arg, t->outside ? nothing : bytes + t->at, op->form.component);
  }
}

static void fetch_lane(SimExec *exec, const SimImageOp *op, const SimAlloc *a, uint32_t lane, Fetch *fetch) {
  const LaunchArg *arg = a->texels;
  SimFootprint *foot = &fetch->foot[lane];
  SimCoords at = coords_of(exec, op, lane);
  sim_footprint(&op->form, arg, &at, foot);
  if (op->form.gathers) gather(op, arg, a->bytes, foot, fetch->result[lane]);
  else sim_filter(arg, a->bytes, foot, fetch->result[lane]);
}

static void emit_fetch(SimExec *exec, const SimInst *inst, uint32_t mask, const SimAlloc *a, const Fetch *fetch) {
  const SimImageOp *op = inst->more;
  uint32_t inside = 0;
  if (!sim_wants_event(exec)) { sim_skip_event(exec); return; }
  SIM_FOR_LANES(i, mask) {
    uint64_t at;
    if (!sim_fetch_place(&op->form, &fetch->foot[i], &at)) continue;
    exec->addr[i] = a->base + at;
    inside |= 1u << i;
  }
  fill_addresses(exec, inside, a);
  TraceEvent *e = sim_event(exec, inst, inside);
  e->space = TRACE_TEXTURE;
  e->width = (uint8_t)sim_texel_bytes(a->texels);
  e->addr = exec->addr;
  sim_emit(exec);
}

// Texels that nobody wrote, corner by corner.
static void check_texels(SimExec *exec, const SimInst *inst, uint32_t mask, SimAlloc *a, const Fetch *fetch) {
  const SimImageOp *op = inst->more;
  SimMem texel = {.width = (uint8_t)sim_texel_bytes(a->texels), .vec = 1};
  SimInst look = *inst;
  SimSpan span = {.bytes = a->bytes, .init = a->init, .base = a->base, .size = a->size, .alloc = a};
  static const SimFit none = {0};
  if (!a->init || !(exec->checks & SIM_CHECK_INIT)) return;
  look.more = &texel;
  for (int k = 0; k < SIM_CORNERS; k++) {
    uint32_t lanes = 0;
    SIM_FOR_LANES(i, mask) {
      const SimTexel *t = &fetch->foot[i].texels[k];
      if (k >= fetch->foot[i].count || !sim_texel_is_read(&op->form, t)) continue;
      exec->addr[i] = a->base + t->at;
      lanes |= 1u << i;
    }
    if (lanes) sim_shadow_init(exec, &look, lanes, TRACE_TEXTURE, &span, &none);
  }
}

static bool fetch_from(SimExec *exec, const SimInst *inst, uint32_t mask, SimAlloc *a) {
  const SimImageOp *op = inst->more;
  Fetch fetch;
  SIM_FOR_LANES(i, mask) fetch_lane(exec, op, a, i, &fetch);
  emit_fetch(exec, inst, mask, a, &fetch);
  check_texels(exec, inst, mask, a, &fetch);
  for (int c = 0; c < 4; c++)
    SIM_FOR_LANES(i, mask) sim_u32(exec->regs, op->mem.data[c])[i] = fetch.result[i][c];
  return !exec->stopping;
}

// Calls `access` for the lanes of each image in turn: mostly there is one.
static SimNext for_each_image(SimExec *exec, const SimInst *inst, uint32_t mask,
                              bool (*access)(SimExec *, const SimInst *, uint32_t, SimAlloc *)) {
  exec->reported_pc = sim_reported_pc(exec, exec->warp, exec->group, exec->pc);
  for (uint32_t left = mask, same; left; left &= ~same) {
    SimAlloc *a = find_image(exec, inst, left, &same);
    if (!a || !access(exec, inst, same, a)) return SIM_YIELD;
  }
  exec->pc++;
  return SIM_GO;
}

static SimNext exec_texture(SimExec *exec, const SimInst *inst, uint32_t mask) {
  return for_each_image(exec, inst, mask, fetch_from);
}

// ---- surfaces ------------------------------------------------------------------------------------------------------

// Sizes as surface instructions count: x in bytes.
typedef struct Extent { int64_t size[3]; } Extent;

static Extent extent_of(const SimAlloc *a) {
  int64_t row = (int64_t)a->image->width * sim_texel_bytes(a->texels);
  return (Extent){{row, a->image->height, a->image->depth}};
}

// Coordinates x (bytes), y, z or layer of a lane, as given.
static void surface_coords(const SimExec *exec, const SimImageOp *op, uint32_t lane, int64_t at[3]) {
  SimCoords c = coords_of(exec, op, lane);
  for (int k = 0; k < 3; k++) at[k] = k < op->form.dims ? (int32_t)c.coord[k] : 0;
  if (op->form.layered) at[2] = c.layer;
}

static void fault_outside(SimExec *exec, const SimInst *inst, uint32_t lane, const SimAlloc *a) {
  const SimImageOp *op = inst->more;
  Extent extent = extent_of(a);
  int64_t at[3];
  LsText text = {0};
  surface_coords(exec, op, lane, at);
  ls_text_addf(&text, "%s %d byte%s of %s at x = byte %lld", inst->kind == TRACE_STORE ? "a write of" : "a read of",
               op->mem.width, op->mem.width == 1 ? "" : "s", name_of(exec, a), (long long)at[0]);
  if (op->form.dims > 1) ls_text_addf(&text, ", y = %lld", (long long)at[1]);
  if (op->form.dims > 2 || op->form.layered) ls_text_addf(&text, ", %s %lld", op->form.layered ? "layer" : "z =", (long long)at[2]);
  ls_text_addf(&text, ", which has %lld bytes in x (%u texels of %d)", (long long)extent.size[0], a->image->width,
               sim_texel_bytes(a->texels));
  if (op->form.dims > 1) ls_text_addf(&text, ", %u in y", a->image->height);
  if (op->form.dims > 2 || op->form.layered) ls_text_addf(&text, ", %u %s", a->image->depth, op->form.layered ? "layers" : "in z");
  fault_text(exec, inst, 1u << lane, a, op->mem.width, ls_text_str(&text));
  ls_text_free(&text);
}

// Puts addresses of the lanes that access something into exec->addr; the others are outside.
static uint32_t place_lanes(SimExec *exec, const SimImageOp *op, uint32_t mask, const SimAlloc *a) {
  uint32_t inside = 0;
  SIM_FOR_LANES(i, mask) {
    SimCoords c = coords_of(exec, op, i);
    uint64_t at;
    if (!sim_surface_place(&op->form, a->texels, &c, &at)) continue;
    exec->addr[i] = a->base + at;
    inside |= 1u << i;
  }
  fill_addresses(exec, inside, a);
  return inside;
}

static void load_zeros(SimExec *exec, const SimImageOp *op, uint32_t lanes) {
  for (int k = 0; k < op->mem.vec; k++)
    SIM_FOR_LANES(i, lanes) {
      if (op->mem.data_bytes[k] == 8) sim_u64(exec->regs, op->mem.data[k])[i] = 0;
      else sim_u32(exec->regs, op->mem.data[k])[i] = 0;
    }
}

static bool access_surface(SimExec *exec, const SimInst *inst, uint32_t mask, SimAlloc *a) {
  const SimImageOp *op = inst->more;
  SimSpan span = {.bytes = a->bytes, .init = a->init, .base = a->base, .size = a->size, .alloc = a};
  SimFit fit = {.inside = true, .aligned = true};
  span.origin = (uintptr_t)a->bytes - (uintptr_t)a->base;
  uint32_t inside = place_lanes(exec, op, mask, a), outside = mask & ~inside;
  if (inside) exec->lane_ops->fit(exec->addr, span.base, span.size, op->mem.width, &fit);
  if (outside && op->form.bounds != SIM_BOUNDS_ZERO) {
    fault_outside(exec, inst, (uint32_t)__builtin_ctz(outside), a);
    return false;
  }
  if (!sim_access_inside(exec, inst, inside, &span, &fit, TRACE_TEXTURE, false)) return false;
  if (outside && inst->kind == TRACE_LOAD) load_zeros(exec, op, outside);
  return true;
}

static SimNext exec_surface(SimExec *exec, const SimInst *inst, uint32_t mask) {
  return for_each_image(exec, inst, mask, access_surface);
}

// ---- queries -------------------------------------------------------------------------------------------------------

// Numbers of filters and address modes as in PTX ISA 5.3.
static uint32_t answer(const SimImageOp *op, const LaunchImage *image) {
  static const uint8_t modes[LAUNCH_ADDRESS_COUNT] = {
      [LAUNCH_WRAP] = PTX_ADDRESS_WRAP, [LAUNCH_MIRROR] = PTX_ADDRESS_MIRROR, [LAUNCH_CLAMP] = PTX_ADDRESS_CLAMP_TO_EDGE,
      [LAUNCH_BORDER] = PTX_ADDRESS_CLAMP_TO_BORDER};
  switch ((PtxQuery)op->query) {
  case PTX_QUERY_WIDTH: return image->width;
  case PTX_QUERY_HEIGHT: return image->dims > 1 ? image->height : 0;
  case PTX_QUERY_DEPTH: return image->dims > 2 ? image->depth : 0;
  case PTX_QUERY_ARRAY_SIZE: return image->layered ? image->depth / (image->cube ? LAUNCH_FACES : 1) : 0;
  case PTX_QUERY_NORMALIZED: return image->normalized;
  case PTX_QUERY_FILTER: return image->linear;
  case PTX_QUERY_ADDRESS_0: return modes[image->address[0]];
  case PTX_QUERY_ADDRESS_1: return modes[image->address[1]];
  case PTX_QUERY_ADDRESS_2: return modes[image->address[2]];
  default: return 1;   // levels and samples
  }
}

static bool query_image(SimExec *exec, const SimInst *inst, uint32_t mask, SimAlloc *a) {
  const SimImageOp *op = inst->more;
  uint32_t value = answer(op, a->image);
  SIM_FOR_LANES(i, mask) sim_u32(exec->regs, op->mem.data[0])[i] = value;
  if (!exec->recording) { sim_skip_event(exec); return true; }
  sim_event(exec, inst, mask);
  sim_emit(exec);
  return true;
}

static SimNext exec_query(SimExec *exec, const SimInst *inst, uint32_t mask) {
  return for_each_image(exec, inst, mask, query_image);
}

// ---- decoding: operands --------------------------------------------------------------------------------------------

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
  for (int k = 0; k < sim_texel_coords(f) && !d->why; k++) op->coord[k] = coord_slot(d, f->coords, k + f->layered);
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

// ---- decoding: instructions ----------------------------------------------------------------------------------------

static bool decode_tex(SimDecoder *d) {
  SimImageOp *op = new_op(d, exec_texture, TRACE_LOAD);
  if (!decode_form(d, op)) return false;
  decode_data(d, op, &d->in->operands[0], true);
  return !d->why;
}

static bool decode_surface(SimDecoder *d) {
  bool load = d->in->op == PTX_OP_suld;
  SimImageOp *op = new_op(d, exec_surface, load ? TRACE_LOAD : TRACE_STORE);
  d->out->access = SIM_SURFACE_ACCESS;
  op->mem.space = PTX_GLOBAL;
  if (!decode_form(d, op)) return false;
  decode_data(d, op, &d->in->operands[load ? 0 : 1], load);
  return !d->why;
}

static bool decode_query(SimDecoder *d) {
  SimImageOp *op = new_op(d, exec_query, TRACE_EXEC);
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
