// probe_texels.c: fetches from textures and accesses to surfaces: the PTX that counts and tells them, and their events.
//
// Told are the handle of the image, and the coordinates: x and y in one number; in another z, or the layer, and above it
// what is added to coordinates, a byte each, as no device takes more than -8 to 7. To a direction nothing can be added:
// above its z stands the layer.
#include "device/probe/probe_multi.h"
#include "device/probe/probe_put.h"
#include "device/probe/probe_tell.h"

enum { FIRST, PLACE, REST };   // of the arrays: handle, x and y, z and offsets

// ---- putting -------------------------------------------------------------------------------------------------------

static void put_handle(const Probe *probe, const PtxInstr *in, const SimTexelForm *f, const char *to, LsText *out) {
  PtxOperand reg = {.kind = PTX_OPD_REG, .reg = f->place->reg};
  if (f->place->base == PTX_BASE_REG) probe_put_operand(probe, in, &reg, 8, to, out);
  else ls_text_addf(out, "mov.u64 %s, 0;\n", to);
}

// Ors the low `bits` of an operand into a number, `shift` bits up.
static void put_part(const Probe *probe, const PtxInstr *in, const PtxOperand *o, int bits, int shift, const char *to,
                     LsText *out) {
  if (!o) return;
  probe_put_operand(probe, in, o, 4, "%lanescope_t", out);
  if (bits < 32) ls_text_addf(out, "and.b64 %%lanescope_t, %%lanescope_t, %d;\n", (1 << bits) - 1);
  if (shift) ls_text_addf(out, "shl.b64 %%lanescope_t, %%lanescope_t, %d;\n", shift);
  ls_text_addf(out, "or.b64 %s, %s, %%lanescope_t;\n", to, to);
}

static const PtxOperand *third_of(const SimTexelForm *f) {
  if (f->cube) return sim_texel_element(f->coords, 2 + f->layered);
  if (f->layered) return sim_texel_element(f->coords, 0);
  return f->dims > 2 ? sim_texel_element(f->coords, 2) : NULL;
}

// Handles lie far apart or are small numbers: the key is both halves.
void probe_count_texels(const Probe *probe, const ProbeGroup *g, LsText *out) {
  const PtxInstr *in = &probe->module->code[g->first_pc];
  put_handle(probe, in, &probe_move_of(probe, g->first_pc)->texels, "%lanescope_x", out);
  ls_text_add(out, "shr.u64 %lanescope_t, %lanescope_x, 32;\nxor.b64 %lanescope_t, %lanescope_t, %lanescope_x;\n"
                   "cvt.u32.u64 %lanescope_a, %lanescope_t;\n");
  ls_text_addf(out, "add.s64 %%lanescope_d, %%lanescope_row, %d;\n", (g->slot + 2) * 8);
  CALL(out, "lanescope_probe_turns", LONG("%lanescope_d"), WORD("%lanescope_m"), WORD("%lanescope_g"), WORD("%lanescope_a"));
}

void probe_emit_texels(const Probe *probe, const ProbeSite *site, LsText *out) {
  const PtxInstr *in = &probe->module->code[site->pc];
  const SimTexelForm *f = &probe_move_of(probe, site->pc)->texels;
  ls_text_add(out, "mov.u64 %lanescope_v, 0;\nmov.u64 %lanescope_w, 0;\n");
  for (int k = 0; k < LS_MIN(f->dims, 2); k++)
    put_part(probe, in, sim_texel_element(f->coords, k + f->layered), 32, 32 * k, "%lanescope_v", out);
  put_part(probe, in, third_of(f), 32, 0, "%lanescope_w", out);
  for (int k = 0; k < f->dims && f->offsets; k++)
    put_part(probe, in, sim_texel_element(f->offsets, k), 8, 32 + 8 * k, "%lanescope_w", out);
  if (f->cube && f->layered) put_part(probe, in, sim_texel_element(f->coords, 0), 32, 32, "%lanescope_w", out);
  put_handle(probe, in, f, "%lanescope_k", out);
  probe_put_guard(probe, in, out);
  probe_tell_record(probe, site, "%lanescope_m", WORD("%lanescope_g"), NUMBER(0), out);
}

// ---- telling -------------------------------------------------------------------------------------------------------

static bool names(const LaunchArg *arg, const PtxVar *var) {
  return arg->by_name && arg->name && (strcmp(arg->name, var->name) == 0 || strcmp(arg->name, var->source_name) == 0);
}

static const TraceObject *object_of(const ProbeDecoder *d, int arg) {
  for (int i = 0; d->info && i < d->info->object_count; i++)
    if (d->info->objects[i].space == TRACE_TEXTURE && d->info->objects[i].arg == arg) return &d->info->objects[i];
  return NULL;
}

// The argument that a fetch goes to; -1: none.
static int image_of(const ProbeDecoder *d, const SimTexelForm *f, uint64_t handle) {
  const Launch *launch = d->probe->launch;
  for (int i = 0; i < launch->arg_count; i++) {
    const LaunchArg *arg = &launch->args[i];
    const TraceObject *object = object_of(d, i);
    uint64_t its = d->probe->handles && d->probe->handles[i] ? d->probe->handles[i] : object ? object->base : 0;
    if (arg->image.kind != f->kind) continue;
    if (f->place->base == PTX_BASE_VAR ? names(arg, &d->probe->module->vars[f->place->var]) : its == handle) return i;
  }
  return -1;
}

static SimCoords coords_of(const ProbeDecoder *d, const SimTexelForm *f, int lane) {
  uint64_t place = d->arrays[PLACE][lane], rest = d->arrays[REST][lane];
  SimCoords c = {.coord = {(uint32_t)place, (uint32_t)(place >> 32), (uint32_t)rest}};
  if (f->layered) c.layer = (uint32_t)(f->cube ? rest >> 32 : rest);
  for (int k = 0; k < 3 && !f->cube; k++) c.offset[k] = (int8_t)(rest >> (32 + 8 * k));
  return c;
}

static bool place_of(const SimTexelForm *f, const LaunchArg *texels, const SimCoords *at, uint64_t *place) {
  SimFootprint foot;
  if (f->kind == LAUNCH_SURFACE) return sim_surface_place(f, texels, at, place);
  sim_footprint(f, texels, at, &foot);
  return sim_fetch_place(f, &foot, place);
}

// Of the lanes that name one image. Those that are outside are in no event, see TraceEvent.addr.
static void push_image(ProbeDecoder *d, int pc, uint32_t active, uint32_t lanes, const SimTexelForm *f, int image) {
  const LaunchArg *texels = &d->probe->launch->args[image];
  const TraceObject *object = object_of(d, image);
  TraceEvent e = probe_event_at(d, pc, active, 0);
  for (uint32_t left = lanes; left; left &= left - 1) {
    int lane = __builtin_ctz(left);
    SimCoords c = coords_of(d, f, lane);
    uint64_t place;
    if (!place_of(f, texels, &c, &place)) continue;
    d->addr[lane] = (object ? object->base : 0) + place;
    e.mask |= 1u << lane;
  }
  e.space = TRACE_TEXTURE;
  e.width = f->kind == LAUNCH_SURFACE ? f->width : (uint8_t)sim_texel_bytes(texels);
  e.addr = d->addr;
  probe_push(d, &e);
}

void probe_decode_texels(ProbeDecoder *d, int pc, uint32_t active, uint32_t mask) {
  const SimTexelForm *f = &probe_move_of(d->probe, pc)->texels;
  for (uint32_t left = mask, same; left; left &= ~same) {
    uint64_t handle = d->arrays[FIRST][__builtin_ctz(left)];
    int image = image_of(d, f, handle);
    same = 0;
    for (uint32_t more = left; more; more &= more - 1)
      if (d->arrays[FIRST][__builtin_ctz(more)] == handle) same |= 1u << __builtin_ctz(more);
    if (image >= 0) push_image(d, pc, active, same, f, image);
    else probe_push_bare(d, pc, active, 0);
  }
}
