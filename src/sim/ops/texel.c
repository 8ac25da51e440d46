// texel.c: from texture coordinates to texels, and from texels to values. See texel.h for the rules.
#include "sim/ops/texel.h"
#include <math.h>
#include <string.h>
#include "sim/ops/image.h"
#include "sim/ops/texel_cube.h"

int sim_texel_bytes(const LaunchArg *texels) { return launch_type_size(texels->type) * texels->image.channels; }

// ---- one dimension -------------------------------------------------------------------------------------------------

// A place on one axis: texel `index` and the one that is `step` further, of which the second has weight / 256.
typedef struct Place { int64_t index; int weight, step; } Place;

static float as_float(uint32_t bits) {
  float f;
  memcpy(&f, &bits, sizeof f);
  return f;
}

static double bounded(double x) { return isnan(x) ? 0 : fmin(fmax(x, -1e15), 1e15); }

// As an H200 takes a normalized one.
static double normalized(float coord) { return isfinite(coord) ? ldexp(floor(ldexp((double)coord, 21)), -21) : (double)coord; }

// The coordinate in texels, brought into one period for the modes that repeat. With *mirrored it counts from the other end.
static double in_texels(const LaunchImage *sampler, int axis, double size, float coord, int32_t offset, bool *mirrored) {
  *mirrored = false;
  if (!sampler->normalized) return bounded((double)coord) + offset;
  double x = normalized(coord);
  bool repeats = sampler->address[axis] == LAUNCH_WRAP || sampler->address[axis] == LAUNCH_MIRROR;
  if (!repeats) return bounded(x * size) + offset;
  x = isfinite(x) ? x + offset / size : 0;
  double whole = floor(x), part = x - whole;
  *mirrored = sampler->address[axis] == LAUNCH_MIRROR && fmod(whole, 2) != 0;
  return part * size;
}

static Place place_on(const SimTexelForm *op, const LaunchImage *sampler, int axis, uint32_t size, const SimCoords *at) {
  if (op->by_index) return (Place){(int64_t)(int32_t)at->coord[axis] + at->offset[axis], 0, 1};
  bool mirrored;
  double x = in_texels(sampler, axis, size, as_float(at->coord[axis]), at->offset[axis], &mirrored);
  if (!sampler->linear && !op->gathers) return (Place){mirrored ? (int64_t)size - 1 - (int64_t)floor(x) : (int64_t)floor(x), 0, 1};
  if (mirrored && !op->gathers) x = size - x;
  int64_t fixed = (int64_t)floor((x - 0.5) * 256 + 0.5);
  if (mirrored && op->gathers) return (Place){(int64_t)size - 1 - (fixed >> 8), 0, -1};   // as an H200: the other way round
  return (Place){fixed >> 8, (int)(fixed & 255), 1};
}

static int64_t wrapped(int64_t i, int64_t size) { return i % size + (i % size < 0 ? size : 0); }

// The texel that an index means, -1 if it is outside.
static int64_t resolve(const SimTexelForm *op, const LaunchImage *sampler, int axis, int64_t i, int64_t size) {
  int mode = sampler->address[axis];
  if (i >= 0 && i < size) return i;
  if (op->by_index || mode == LAUNCH_BORDER) return -1;
  // A coordinate of a mirrored texture is inside already; only a filter's neighbor is not, which is the texel beside it.
  if (mode == LAUNCH_WRAP && sampler->normalized) return wrapped(i, size);
  return i < 0 ? 0 : size - 1;
}

// ---- all of them ---------------------------------------------------------------------------------------------------

static void add_texel(SimFootprint *out, const LaunchImage *image, const int64_t index[3], double weight, int texel_bytes) {
  SimTexel *t = &out->texels[out->count++];
  *t = (SimTexel){.weight = weight, .outside = index[0] < 0 || index[1] < 0 || index[2] < 0};
  uint64_t row = (uint64_t)index[2] * image->height + (uint64_t)index[1];
  if (!t->outside) t->at = (row * image->width + (uint64_t)index[0]) * (uint64_t)texel_bytes;
}

static uint32_t plane_of(const LaunchImage *image, const SimCoords *at, int face) {
  uint32_t faces = image->cube ? LAUNCH_FACES : 1;
  return (image->layered ? LS_MIN(at->layer, image->depth / faces - 1) * faces : 0) + (uint32_t)face;
}

void sim_footprint(const SimTexelForm *op, const LaunchArg *texels, const SimCoords *at, SimFootprint *out) {
  const LaunchImage *image = &texels->image;
  LaunchImage its_own = op->has_sampler ? op->sampler : *image, *sampler = &its_own;
  if (op->has_sampler) sampler->normalized &= image->normalized;
  const uint32_t size[3] = {image->width, image->height, image->depth};
  Place place[3] = {{0}};
  bool filters = !op->by_index && (sampler->linear || op->gathers);
  SimCoords in_face = {0};
  int face = op->cube ? sim_cube_face(at, &in_face) : 0;
  out->count = 0;
  for (int k = 0; k < op->dims; k++) place[k] = place_on(op, sampler, k, size[k], op->cube ? &in_face : at);
  for (int corner = 0; corner < (filters ? 1 << op->dims : 1); corner++) {
    int64_t index[3] = {0, 0, plane_of(image, at, face)};
    double weight = 1;
    for (int k = 0; k < op->dims; k++) {
      int next = corner >> k & 1;
      index[k] = resolve(op, sampler, k, place[k].index + next * place[k].step, size[k]);
      if (filters) weight *= (next ? place[k].weight : 256 - place[k].weight) / 256.0;
    }
    add_texel(out, image, index, weight, sim_texel_bytes(texels));
  }
}

bool sim_texel_is_read(const SimTexelForm *form, const SimTexel *t) { return !t->outside && (form->gathers || t->weight > 0); }

bool sim_fetch_place(const SimTexelForm *form, const SimFootprint *foot, uint64_t *at) {
  for (int k = 0; k < foot->count; k++) {
    *at = foot->texels[k].at;
    if (sim_texel_is_read(form, &foot->texels[k])) return true;
  }
  return false;
}

// ---- surfaces ------------------------------------------------------------------------------------------------------

// x counts bytes.
bool sim_surface_place(const SimTexelForm *form, const LaunchArg *texels, const SimCoords *c, uint64_t *place) {
  const LaunchImage *image = &texels->image;
  int64_t size[3] = {(int64_t)image->width * sim_texel_bytes(texels), image->height, image->depth}, at[3];
  bool inside = true;
  for (int k = 0; k < 3; k++) {
    int64_t last = size[k] - (k == 0 ? form->width : 1);
    at[k] = k < form->dims ? (int32_t)c->coord[k] : k == 2 && form->layered ? (int64_t)c->layer : 0;
    if (form->bounds == SIM_BOUNDS_CLAMP) at[k] = LS_CLAMP(at[k], 0, LS_MAX(last, 0));
    inside &= at[k] >= 0 && at[k] <= last;
  }
  *place = (uint64_t)((at[2] * size[1] + at[1]) * size[0] + at[0]);
  return inside;
}

// ---- values --------------------------------------------------------------------------------------------------------

static uint64_t stored_bits(const LaunchArg *arg, const uint8_t *texel, int channel) {
  int size = launch_type_size(arg->type);
  uint64_t bits = 0;
  memcpy(&bits, texel + channel * size, (size_t)size);
  return bits;
}

// Whole numbers that are read as floats are divided by this, the lowest of a signed type counting as one more.
static double scale_of(const LaunchArg *arg) {
  if (!arg->image.as_float) return 1;
  switch (arg->type) {
  case LAUNCH_U8: return 255;
  case LAUNCH_I8: return 127;
  case LAUNCH_U16: return 65535;
  case LAUNCH_I16: return 32767;
  default: return 1;
  }
}

// The channel as a number, before that division: sums of weighted whole numbers are exact.
static double real_value(const LaunchArg *arg, const uint8_t *texel, int channel) {
  double value = launch_value(arg->type, stored_bits(arg, texel, channel)), scale = scale_of(arg);
  return scale > 1 ? fmax(value, -scale) : value;
}

static bool is_read_as_float(const LaunchArg *arg) { return arg->image.as_float || launch_type_is_float(arg->type); }

static uint32_t float_bits(double value) {
  float f = (float)value;
  uint32_t bits;
  memcpy(&bits, &f, sizeof bits);
  return bits;
}

uint32_t sim_gathered_bits(const LaunchArg *arg, const uint8_t *texel, int channel) {
  if (arg->type != LAUNCH_I8 || !arg->image.as_float || channel >= arg->image.channels) return sim_texel_bits(arg, texel, channel);
  double value = real_value(arg, texel, channel);
  return float_bits((258 * value + floor((value + 64) / 128)) / 32767.0);
}

uint32_t sim_texel_bits(const LaunchArg *arg, const uint8_t *texel, int channel) {
  if (channel >= arg->image.channels) return 0;
  if (arg->type == LAUNCH_F32) return (uint32_t)stored_bits(arg, texel, channel);   // NaN payloads survive
  if (is_read_as_float(arg)) return float_bits(real_value(arg, texel, channel) / scale_of(arg));
  return (uint32_t)(int64_t)launch_value(arg->type, stored_bits(arg, texel, channel));
}

void sim_filter(const LaunchArg *arg, const uint8_t *bytes, const SimFootprint *foot, uint32_t out[4]) {
  static const uint8_t nothing[16];
  for (int channel = 0; channel < 4; channel++) {
    const SimTexel *first = &foot->texels[0];
    bool one = first->weight == 1 || channel >= arg->image.channels;
    double sum = 0;
    for (int k = 0; !one && k < foot->count; k++) {
      const SimTexel *t = &foot->texels[k];
      if (t->weight > 0 && !t->outside) sum += t->weight * real_value(arg, bytes + t->at, channel);
    }
    out[channel] = one ? sim_texel_bits(arg, first->outside ? nothing : bytes + first->at,
                                        channel) : float_bits(sum / scale_of(arg));
  }
}
