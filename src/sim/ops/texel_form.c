// texel_form.c: the instructions of textures and surfaces, as far as their text tells (PTX ISA 9.7.10 and 9.7.11).
#include "sim/ops/texel.h"

const PtxOperand *sim_texel_element(const PtxOperand *o, int i) {
  if (o->kind == PTX_OPD_VEC) return i < o->elem_count ? &o->elems[i] : NULL;
  return i == 0 ? o : NULL;
}

static bool refuse(const char **why, const char *what) {
  *why = what;
  return false;
}

static bool find_geometry(const PtxInstr *in, SimTexelForm *f, const char **why) {
  static const struct { uint8_t dims; bool layered, cube; } rows[PTX_GEOMETRY_COUNT] = {
      [PTX_GEOMETRY_1D] = {1, false, false}, [PTX_GEOMETRY_2D] = {2, false, false}, [PTX_GEOMETRY_3D] = {3, false, false},
      [PTX_GEOMETRY_A1D] = {1, true, false}, [PTX_GEOMETRY_A2D] = {2, true, false},
      [PTX_GEOMETRY_CUBE] = {2, false, true}, [PTX_GEOMETRY_ACUBE] = {2, true, true}};
  f->dims = rows[in->geometry].dims;
  f->layered = rows[in->geometry].layered;
  f->cube = rows[in->geometry].cube;
  return f->dims || refuse(why, "multisample textures");
}

// ---- places --------------------------------------------------------------------------------------------------------

// The values of a .samplerref stand in the PTX (5.3); one that says nothing wraps and takes the nearest texel.
static bool find_sampler(const PtxModule *module, const PtxOperand *o, SimTexelForm *f, const char **why) {
  const PtxVar *var = o->kind == PTX_OPD_VAR ? &module->vars[o->var] : NULL;
  if (!var || var->type != PTX_SAMPLERREF) return refuse(why, "a sampler that is no .samplerref of the module");
  const PtxSampler *s = &var->sampler;
  static const uint8_t modes[] = {[PTX_ADDRESS_WRAP] = LAUNCH_WRAP, [PTX_ADDRESS_MIRROR] = LAUNCH_MIRROR,
                                  [PTX_ADDRESS_CLAMP_OGL] = LAUNCH_CLAMP, [PTX_ADDRESS_CLAMP_TO_EDGE] = LAUNCH_CLAMP,
                                  [PTX_ADDRESS_CLAMP_TO_BORDER] = LAUNCH_BORDER};
  f->has_sampler = true;
  f->sampler = (LaunchImage){.linear = s->linear, .normalized = !s->force_unnormalized};
  for (int i = 0; i < 3; i++) f->sampler.address[i] = modes[s->address[i]];
  return true;
}

static bool find_place(const PtxModule *module, const PtxOperand *place, SimTexelForm *f, const char **why) {
  f->place = place;
  if (place->elem_count < 1 || place->elem_count > 2) return refuse(why, "coordinates of this form");
  f->coords = &place->elems[place->elem_count - 1];
  return place->elem_count == 1 || find_sampler(module, &place->elems[0], f, why);
}

// What follows the place: the level, or two gradients, and then offsets, which are a vector.
static bool find_rest(const PtxInstr *in, SimTexelForm *f, const char **why) {
  int next = ptx_has(in, PTX_HAS_LEVEL) ? 3 : ptx_has(in, PTX_HAS_GRAD) ? 4 : 2;
  if (next >= in->operand_count) return true;
  f->offsets = &in->operands[next];
  if (f->cube && f->offsets->kind == PTX_OPD_VEC) return refuse(why, "an offset in a cube map");
  return (next + 1 == in->operand_count && f->offsets->kind == PTX_OPD_VEC) || refuse(why, "comparing with a depth");
}

// ---- instructions --------------------------------------------------------------------------------------------------

static bool find_component(const PtxInstr *in, SimTexelForm *f, const char **why) {
  switch (in->part) {
  case PTX_PART_R: f->component = 0; return true;
  case PTX_PART_G: f->component = 1; return true;
  case PTX_PART_B: f->component = 2; return true;
  case PTX_PART_A: f->component = 3; return true;
  default: return refuse(why, "tld4 without a component");
  }
}

static bool find_fetch(const PtxModule *module, const PtxInstr *in, SimTexelForm *f, const char **why) {
  f->kind = LAUNCH_TEXTURE;
  f->gathers = in->op == PTX_OP_tld4;
  f->by_index = in->type2 == PTX_S32;
  bool usual = ptx_type_size((PtxType)in->type) == 4 && in->vec == 4 && in->type != PTX_F16X2;
  if (!usual || in->operand_count < 2) return refuse(why, "results other than .v4 of 32 bits");
  if (!find_geometry(in, f, why) || (f->gathers && !find_component(in, f, why))) return false;
  if (f->gathers && (f->dims != 2 || f->cube)) return refuse(why, "gathering from other than two dimensions");
  if (f->cube && f->by_index) return refuse(why, "a direction in whole numbers");
  return find_place(module, &in->operands[1], f, why) && find_rest(in, f, why);
}

static bool find_access(const PtxModule *module, const PtxInstr *in, SimTexelForm *f, const char **why) {
  int elem = ptx_type_size((PtxType)in->type), width = elem * LS_MAX(in->vec, 1);
  f->kind = LAUNCH_SURFACE;
  f->bounds = in->flags & PTX_F_CLAMP ? SIM_BOUNDS_CLAMP : ptx_has(in, PTX_HAS_ZERO) ? SIM_BOUNDS_ZERO : SIM_BOUNDS_TRAP;
  f->width = (uint8_t)width;
  if (in->part != PTX_PART_B) return refuse(why, "formatted surface accesses (.p)");
  if (!elem || elem > 8 || width > 16 || in->operand_count < 2) return refuse(why, "data of this width");
  return find_geometry(in, f, why) && find_place(module, &in->operands[in->op == PTX_OP_suld ? 1 : 0], f, why);
}

bool sim_texel_form(const PtxModule *module, const PtxInstr *in, SimTexelForm *out, const char **why) {
  *out = (SimTexelForm){.kind = LAUNCH_NO_IMAGE};
  switch (in->op) {
  case PTX_OP_tex: case PTX_OP_tld4: return find_fetch(module, in, out, why);
  case PTX_OP_suld: case PTX_OP_sust: return find_access(module, in, out, why);
  default: return refuse(why, "an instruction of another kind");
  }
}
