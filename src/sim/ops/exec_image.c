// exec_image.c: fetches from textures, loads and stores of surfaces, queries.
#include "sim/ops/image.h"

// ---- handles -------------------------------------------------------------------------------------------------------

static const char *name_of(const Sim *sim, const SimAlloc *a) {
  for (int i = 0; i < sim->object_count; i++)
    if (sim->objects[i].space == TRACE_TEXTURE && sim->objects[i].base == a->base) return sim->objects[i].name;
  return "?";
}

// `size`: bytes of the access, 0 if it is not the place that is wrong.
static void fault_text(Sim *sim, const SimInst *inst, uint32_t lanes, const SimAlloc *a, int size, const char *text) {
  sim_fault(sim, &(SimFaultPlace){.kind = FAULT_OUT_OF_BOUNDS, .mask = lanes, .space = TRACE_TEXTURE, .text = text,
                                  .addr = a ? a->base : 0, .has_addr = a != NULL, .size = size,
                                  .writes = inst->kind == TRACE_STORE});
}

static const char *kind_name(int kind) { return kind == LAUNCH_TEXTURE ? "texture" : "surface"; }

// "a 2d fetch from img, which is a surface"
static void fault_kind(Sim *sim, const SimInst *inst, uint32_t lanes, const SimAlloc *a) {
  const SimImageOp *op = inst->more;
  const LaunchImage *image = a->image;
  LsText text = {0};
  ls_text_addf(&text, "an instruction for a %dd %s%s is used with %s, which is a %dd %s%s", op->form.dims,
               op->form.layered ? "layered " : "", kind_name(op->form.kind), name_of(sim, a), image->dims,
               image->layered ? "layered " : "", kind_name(image->kind));
  fault_text(sim, inst, lanes, a, 0, ls_text_str(&text));
  ls_text_free(&text);
}

static void fault_handle(Sim *sim, const SimInst *inst, uint32_t lanes, uint64_t handle) {
  const SimImageOp *op = inst->more;
  char text[120];
  snprintf(text, sizeof text, "0x%llx is the handle of no %s; the launch gives one as -a %s.TYPE[WxH]=INIT",
           (unsigned long long)handle, kind_name(op->form.kind), op->form.kind == LAUNCH_TEXTURE ? "tex" : "surf");
  fault_text(sim, inst, lanes, NULL, 0, text);
}

// The image of the first lane in `mask`, and which lanes share it. NULL after a fault.
static SimAlloc *find_image(Sim *sim, const SimInst *inst, uint32_t mask, uint32_t *same) {
  const SimImageOp *op = inst->more;
  uint32_t first = (uint32_t)__builtin_ctz(mask);
  const uint64_t *handles = sim_u64(sim->regs, op->handle);
  uint64_t handle = handles[first];
  *same = 0;
  SIM_FOR_LANES(i, mask) if (handles[i] == handle) *same |= 1u << i;
  SimAlloc *a = sim_alloc_at(sim, handle);
  if (!a || !a->image || a->base != handle) { fault_handle(sim, inst, *same, handle); return NULL; }
  bool fits = a->image->kind == op->form.kind;
  if (op->form.dims) fits &= a->image->dims == op->form.dims && a->image->layered == op->form.layered;
  if (fits) return a;
  fault_kind(sim, inst, *same, a);
  return NULL;
}

// A surface access may start inside a texel.
void sim_image_place(const Sim *sim, const TraceObject *object, uint64_t addr, LsText *out) {
  ls_text_add(out, "texel ");
  launch_image_place(&sim->launch->args[object->arg], addr - object->base, out);
  ls_text_addf(out, " of %s", object->name);
}

// Lanes that take no part have the address of one that does.
static void fill_addresses(Sim *sim, uint32_t mask, const SimAlloc *a) {
  uint64_t first = mask ? sim->addr[__builtin_ctz(mask)] : a->base;
  for (uint32_t i = 0; i < SIM_LANES; i++) if (!(mask >> i & 1)) sim->addr[i] = first;
}

static SimCoords coords_of(const Sim *sim, const SimImageOp *op, uint32_t lane) {
  SimCoords c = {0};
  if (op->form.layered) c.layer = sim_u32(sim->regs, op->layer)[lane];
  for (int k = 0; k < op->form.dims; k++) {
    c.coord[k] = sim_u32(sim->regs, op->coord[k])[lane];
    if (op->offset[k] != SIM_NO_SLOT) c.offset[k] = (int32_t)sim_u32(sim->regs, op->offset[k])[lane];
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

static void fetch_lane(Sim *sim, const SimImageOp *op, const SimAlloc *a, uint32_t lane, Fetch *fetch) {
  const LaunchArg *arg = a->texels;
  SimFootprint *foot = &fetch->foot[lane];
  SimCoords at = coords_of(sim, op, lane);
  sim_footprint(&op->form, arg, &at, foot);
  if (op->form.gathers) gather(op, arg, a->bytes, foot, fetch->result[lane]);
  else sim_filter(arg, a->bytes, foot, fetch->result[lane]);
}

static void tell_fetch(Sim *sim, const SimInst *inst, uint32_t mask, const SimAlloc *a, const Fetch *fetch) {
  const SimImageOp *op = inst->more;
  uint32_t inside = 0;
  if (!sim_wants_event(sim)) { sim_skip_event(sim); return; }
  SIM_FOR_LANES(i, mask) {
    uint64_t at;
    if (!sim_fetch_place(&op->form, &fetch->foot[i], &at)) continue;
    sim->addr[i] = a->base + at;
    inside |= 1u << i;
  }
  fill_addresses(sim, inside, a);
  TraceEvent *e = sim_event(sim, inst, inside);
  e->space = TRACE_TEXTURE;
  e->width = (uint8_t)sim_texel_bytes(a->texels);
  e->addr = sim->addr;
  sim_emit(sim);
}

// Texels that nobody wrote, corner by corner.
static void check_texels(Sim *sim, const SimInst *inst, uint32_t mask, SimAlloc *a, const Fetch *fetch) {
  const SimImageOp *op = inst->more;
  SimMem texel = {.width = (uint8_t)sim_texel_bytes(a->texels), .vec = 1};
  SimInst look = *inst;
  SimSpan span = {.bytes = a->bytes, .init = a->init, .base = a->base, .size = a->size, .alloc = a};
  static const SimFit none = {0};
  if (!a->init || !(sim->options.checks & SIM_CHECK_INIT)) return;
  look.more = &texel;
  for (int k = 0; k < SIM_CORNERS; k++) {
    uint32_t lanes = 0;
    SIM_FOR_LANES(i, mask) {
      const SimTexel *t = &fetch->foot[i].texels[k];
      if (k >= fetch->foot[i].count || !sim_texel_is_read(&op->form, t)) continue;
      sim->addr[i] = a->base + t->at;
      lanes |= 1u << i;
    }
    if (lanes) sim_shadow_init(sim, &look, lanes, TRACE_TEXTURE, &span, &none);
  }
}

static bool fetch_from(Sim *sim, const SimInst *inst, uint32_t mask, SimAlloc *a) {
  const SimImageOp *op = inst->more;
  Fetch fetch;
  SIM_FOR_LANES(i, mask) fetch_lane(sim, op, a, i, &fetch);
  tell_fetch(sim, inst, mask, a, &fetch);
  check_texels(sim, inst, mask, a, &fetch);
  for (int c = 0; c < 4; c++)
    SIM_FOR_LANES(i, mask) sim_u32(sim->regs, op->mem.data[c])[i] = fetch.result[i][c];
  return !sim->stopping;
}

// Calls `access` for the lanes of each image in turn: mostly there is one.
static SimNext for_each_image(Sim *sim, const SimInst *inst, uint32_t mask,
                              bool (*access)(Sim *, const SimInst *, uint32_t, SimAlloc *)) {
  sim->told_pc = sim_told_pc(sim, sim->warp, sim->group, sim->pc);
  for (uint32_t left = mask, same; left; left &= ~same) {
    SimAlloc *a = find_image(sim, inst, left, &same);
    if (!a || !access(sim, inst, same, a)) return SIM_YIELD;
  }
  sim->pc++;
  return SIM_GO;
}

SimNext sim_exec_texture(Sim *sim, const SimInst *inst, uint32_t mask) {
  return for_each_image(sim, inst, mask, fetch_from);
}

// ---- surfaces ------------------------------------------------------------------------------------------------------

// Sizes as surface instructions count: x in bytes.
typedef struct Extent { int64_t size[3]; } Extent;

static Extent extent_of(const SimAlloc *a) {
  int64_t row = (int64_t)a->image->width * sim_texel_bytes(a->texels);
  return (Extent){{row, a->image->height, a->image->depth}};
}

// Coordinates x (bytes), y, z or layer of a lane, as given.
static void surface_coords(const Sim *sim, const SimImageOp *op, uint32_t lane, int64_t at[3]) {
  SimCoords c = coords_of(sim, op, lane);
  for (int k = 0; k < 3; k++) at[k] = k < op->form.dims ? (int32_t)c.coord[k] : 0;
  if (op->form.layered) at[2] = c.layer;
}

static void fault_outside(Sim *sim, const SimInst *inst, uint32_t lane, const SimAlloc *a) {
  const SimImageOp *op = inst->more;
  Extent extent = extent_of(a);
  int64_t at[3];
  LsText text = {0};
  surface_coords(sim, op, lane, at);
  ls_text_addf(&text, "%s %d byte%s of %s at x = byte %lld", inst->kind == TRACE_STORE ? "a write of" : "a read of",
               op->mem.width, op->mem.width == 1 ? "" : "s", name_of(sim, a), (long long)at[0]);
  if (op->form.dims > 1) ls_text_addf(&text, ", y = %lld", (long long)at[1]);
  if (op->form.dims > 2 || op->form.layered) ls_text_addf(&text, ", %s %lld", op->form.layered ? "layer" : "z =", (long long)at[2]);
  ls_text_addf(&text, ", which has %lld bytes in x (%u texels of %d)", (long long)extent.size[0], a->image->width,
               sim_texel_bytes(a->texels));
  if (op->form.dims > 1) ls_text_addf(&text, ", %u in y", a->image->height);
  if (op->form.dims > 2 || op->form.layered) ls_text_addf(&text, ", %u %s", a->image->depth, op->form.layered ? "layers" : "in z");
  fault_text(sim, inst, 1u << lane, a, op->mem.width, ls_text_str(&text));
  ls_text_free(&text);
}

// Puts addresses of the lanes that access something into sim->addr; the others are outside.
static uint32_t place_lanes(Sim *sim, const SimImageOp *op, uint32_t mask, const SimAlloc *a) {
  uint32_t inside = 0;
  SIM_FOR_LANES(i, mask) {
    SimCoords c = coords_of(sim, op, i);
    uint64_t at;
    if (!sim_surface_place(&op->form, a->texels, &c, &at)) continue;
    sim->addr[i] = a->base + at;
    inside |= 1u << i;
  }
  fill_addresses(sim, inside, a);
  return inside;
}

static void load_zeros(Sim *sim, const SimImageOp *op, uint32_t lanes) {
  for (int k = 0; k < op->mem.vec; k++)
    SIM_FOR_LANES(i, lanes) {
      if (op->mem.data_bytes[k] == 8) sim_u64(sim->regs, op->mem.data[k])[i] = 0;
      else sim_u32(sim->regs, op->mem.data[k])[i] = 0;
    }
}

static bool access_surface(Sim *sim, const SimInst *inst, uint32_t mask, SimAlloc *a) {
  const SimImageOp *op = inst->more;
  SimSpan span = {.bytes = a->bytes, .init = a->init, .base = a->base, .size = a->size, .alloc = a};
  SimFit fit = {.inside = true, .aligned = true};
  span.origin = (uintptr_t)a->bytes - (uintptr_t)a->base;
  uint32_t inside = place_lanes(sim, op, mask, a), outside = mask & ~inside;
  if (inside) sim->lane_ops->fit(sim->addr, span.base, span.size, op->mem.width, &fit);
  if (outside && op->form.bounds != SIM_BOUNDS_ZERO) {
    fault_outside(sim, inst, (uint32_t)__builtin_ctz(outside), a);
    return false;
  }
  if (!sim_access_inside(sim, inst, inside, &span, &fit, TRACE_TEXTURE, false)) return false;
  if (outside && inst->kind == TRACE_LOAD) load_zeros(sim, op, outside);
  return true;
}

SimNext sim_exec_surface(Sim *sim, const SimInst *inst, uint32_t mask) {
  return for_each_image(sim, inst, mask, access_surface);
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
  case PTX_QUERY_ARRAY_SIZE: return image->layered ? image->depth : 0;
  case PTX_QUERY_NORMALIZED: return image->normalized;
  case PTX_QUERY_FILTER: return image->linear;
  case PTX_QUERY_ADDRESS_0: return modes[image->address[0]];
  case PTX_QUERY_ADDRESS_1: return modes[image->address[1]];
  case PTX_QUERY_ADDRESS_2: return modes[image->address[2]];
  default: return 1;   // levels and samples
  }
}

static bool query_image(Sim *sim, const SimInst *inst, uint32_t mask, SimAlloc *a) {
  const SimImageOp *op = inst->more;
  uint32_t value = answer(op, a->image);
  SIM_FOR_LANES(i, mask) sim_u32(sim->regs, op->mem.data[0])[i] = value;
  if (!sim->recording) { sim_skip_event(sim); return true; }
  sim_event(sim, inst, mask);
  sim_emit(sim);
  return true;
}

SimNext sim_exec_query(Sim *sim, const SimInst *inst, uint32_t mask) { return for_each_image(sim, inst, mask, query_image); }
