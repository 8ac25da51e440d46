// textures.c: launches of the texture kernels over all types, filters and address modes, with places inside and at
// the edges.
#include "textures.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/file.h"
#include "base/mem.h"
#include "source_dir.h"
#include "rng.h"

enum { PTX_LIMIT = 1 << 24, RANGE = 1000 };   // texels are floats from -RANGE to RANGE

typedef struct Geometry { const char *stem; int sizes, size[3]; bool layered, cube; } Geometry;
static const Geometry geometries[] = {
    {.stem = "index", 1, {777}}, {.stem = "one", 1, {777}}, {.stem = "two", 2, {61, 37}}, {.stem = "three", 3, {19, 13, 11}},
    {.stem = "layered_one", 2, {301, 5}, .layered = true}, {.stem = "layered_two", 3, {33, 21, 5}, .layered = true},
    {.stem = "level_two", 2, {64, 32}}, {.stem = "gather_r", 2, {61, 37}}, {.stem = "gather_a", 2, {61, 37}},
    {.stem = "cube", 3, {24, 24, 6}, .cube = true}, {.stem = "layered_cube", 3, {9, 9, 30}, .layered = true, .cube = true},
};
static const char *const modes[] = {"clamp", "border", "wrap", "mirror"};
typedef enum Where { INSIDE, EDGES, FAR_AWAY, WHERE_COUNT } Where;
static const char *const wheres[WHERE_COUNT] = {"inside", "at edges", "far away"};

typedef struct Setup {
  const Geometry *geometry;
  LaunchType type;
  int channels, mode;
  bool linear, normalized, as_float;
  Where where;
} Setup;

// ---- contents ------------------------------------------------------------------------------------------------------

static uint8_t *random_texels(Rng *rng, const LaunchArg *arg) {
  size_t size = (size_t)launch_type_size(arg->type);
  uint8_t *bytes = ls_alloc((size_t)arg->count * size);
  for (uint64_t i = 0; i < arg->count; i++) {
    uint64_t bits = rng_next(rng);
    if (launch_type_is_float(arg->type)) bits = launch_bits(arg->type, (rng_below(rng, 2 * RANGE * 64) / 64.0) - RANGE);
    memcpy(bytes + i * size, &bits, size);
  }
  return bytes;
}

// A coordinate of an axis of `size` texels, in texels.
static double coordinate(Rng *rng, Where where, int size) {
  static const double far[] = {-INFINITY, -1e30, -1e9, -100000.5, 100000.5, 1e9, 1e30, INFINITY, NAN, -NAN};
  double any = (double)rng_next(rng) / 0x1p64, texel = (double)rng_below(rng, (uint32_t)size * 4 + 1) - 1.5 * size;
  if (where == INSIDE) return any * size;
  if (where == FAR_AWAY) return rng_chance(rng, 2) ? far[rng_below(rng, LS_COUNT(far))] : (any - 0.5) * 20 * size;
  // On boundaries and centers of texels, and on and beside steps of the filter.
  return texel + (rng_chance(rng, 2) ? 0.5 : 0) + ((int)rng_below(rng, 9) - 4) / (rng_chance(rng, 2) ? 512.0 : 65536.0);
}

// A direction: to a place of a face, beside its edges too, or of three numbers of any kind.
static void draw_direction(Rng *rng, const Setup *s, float out[3]) {
  static const float odd[] = {0, -0.0f, 1, -1, 0.5f, 1e-30f, -1e30f, INFINITY, -INFINITY, NAN};
  int major = (int)rng_below(rng, 3), size = s->geometry->size[0];
  double length = ldexp(1 + (double)rng_below(rng, 1 << 20) / (1 << 20), (int)rng_below(rng, 40) - 20);
  for (int k = 0; k < 3; k++) {
    double at = 2 * coordinate(rng, s->where == INSIDE ? INSIDE : EDGES, size) / size - 1;
    if (k == major) at = rng_chance(rng, 2) ? 1 : -1;
    out[k] = s->where == FAR_AWAY && rng_chance(rng, 2) ? odd[rng_below(rng, LS_COUNT(odd))] : (float)(at * length);
  }
}

static uint8_t *random_places(Rng *rng, const Setup *s) {
  float *at = ls_alloc(TEXTURES_PLACES * 4 * sizeof *at);
  const Geometry *g = s->geometry;
  int dims = g->cube ? 0 : g->sizes - g->layered;
  for (int i = 0; i < TEXTURES_PLACES; i++) {
    if (g->cube) draw_direction(rng, s, &at[i * 4]);
    for (int k = 0; k < dims; k++) {
      double x = coordinate(rng, s->where, g->size[k]);
      at[i * 4 + k] = (float)(s->normalized ? x / g->size[k] : x);
    }
    int layer = (int)rng_below(rng, 5) + (s->where == FAR_AWAY ? (int)rng_below(rng, 9) - 4 : 0);
    at[i * 4 + 3] = g->layered ? (float)layer : 0;
  }
  return (uint8_t *)at;
}

// ---- programs ------------------------------------------------------------------------------------------------------

static LaunchArg *add_arg(Program *program, const char *text) {
  LsErr err = {0};
  if (!launch_add_arg(&program->launch, text, &err)) {
    fprintf(stderr, "%s\n", err.message);
    abort();
  }
  return &program->launch.args[program->launch.arg_count - 1];
}

static void take_bytes(LaunchArg *arg, uint8_t *bytes) {
  arg->init = LAUNCH_DATA;
  arg->data = bytes;
}

static void describe(const Setup *s, LsText *out) {
  ls_text_addf(out, "tex.%s", launch_type_name(s->type));
  if (s->channels > 1) ls_text_addf(out, "x%d", s->channels);
  for (int k = 0; k < s->geometry->sizes; k++) ls_text_addf(out, "%c%d", k ? 'x' : '[', s->geometry->size[k]);
  ls_text_addf(out, "]=zero,%s,%s%s%s%s%s", s->linear ? "linear" : "point", modes[s->mode],
               s->normalized && !s->geometry->cube ? ",normalized" : "", s->as_float ? ",float" : "",
               s->geometry->layered ? ",layered" : "", s->geometry->cube ? ",cube" : "");
}

static void add_fetches(Batch *batch, const Setup *s, uint64_t seed) {
  Rng rng = {seed};
  bool floating = s->as_float || launch_type_is_float(s->type);
  char entry[64], out[32];
  LsText image = {0};
  describe(s, &image);
  snprintf(entry, sizeof entry, "%s_%s", s->geometry->stem, floating ? "f" : launch_type_name(s->type)[0] == 'i' ? "i" : "u");
  Program *program = batch_begin(batch, entry);
  snprintf(program->name, sizeof program->name, "texture %s, %s, %s", entry, ls_text_str(&image), wheres[s->where]);
  program->launch.grid[0] = TEXTURES_PLACES / 128;
  program->launch.block[0] = 128;
  program->begin = 0;
  program->has_places = true;
  if (s->linear) program->spread = (s->as_float ? 2.0 : 2.0 * RANGE) / 256 * 3;
  LaunchArg *texture = add_arg(program, ls_text_str(&image));
  take_bytes(texture, random_texels(&rng, texture));
  snprintf(out, sizeof out, "u32[%d]=zero", TEXTURES_PLACES * 4);
  add_arg(program, out);
  snprintf(out, sizeof out, "f32[%d]=zero", TEXTURES_PLACES * 4);
  take_bytes(add_arg(program, out), random_places(&rng, s));
  snprintf(out, sizeof out, "i32=%d", TEXTURES_PLACES);
  add_arg(program, out);
  batch_end(batch);
  ls_text_free(&image);
}

static bool goes_together(const Setup *s) {
  int size = launch_type_size(s->type);
  bool floating = s->as_float || launch_type_is_float(s->type), by_index = strcmp(s->geometry->stem, "index") == 0;
  if (size == 8 || (s->as_float && (launch_type_is_float(s->type) || size == 4))) return false;
  if (s->linear && !floating) return false;
  if (by_index && (s->linear || s->normalized || s->mode)) return false;
  if (strncmp(s->geometry->stem, "gather", 6) == 0 && (s->linear || s->channels != 4)) return false;
  return s->normalized || (s->mode < 2 && !s->geometry->cube);
}

static void add_geometry(Batch *batch, const Geometry *g, uint64_t seed, bool filtered, const char *filter) {
  for (int how = 0; how < LAUNCH_TYPE_COUNT * 3 * 4 * 2 * 2 * WHERE_COUNT; how++) {
    int rest = how;
    Setup s = {.geometry = g, .linear = filtered};
    s.type = (LaunchType)(rest % LAUNCH_TYPE_COUNT), rest /= LAUNCH_TYPE_COUNT;
    s.channels = 1 << rest % 3, rest /= 3;
    s.mode = rest % 4, rest /= 4;
    s.normalized = rest % 2, rest /= 2;
    s.as_float = rest % 2, rest /= 2;
    s.where = (Where)rest;
    if (goes_together(&s) && strstr(g->stem, filter)) add_fetches(batch, &s, seed + (uint64_t)how);
  }
}

// ---- surfaces ------------------------------------------------------------------------------------------------------

typedef struct Surface { const char *entry, *image; int bytes, size[3], layers; bool inside; } Surface;
static const Surface surfaces[] = {
    {"surface_one_trap", "surf.i32[500]=zero", 4, {500, 1, 1}, 1, true},
    {"surface_one_clamp", "surf.i32[500]=zero", 4, {500, 1, 1}, 1, false},
    {"surface_one_zero", "surf.i32[500]=zero", 4, {500, 1, 1}, 1, false},
    {"surface_two_trap", "surf.i32[39x17]=zero", 4, {39, 17, 1}, 1, true},
    {"surface_two_clamp", "surf.i32[39x17]=zero", 4, {39, 17, 1}, 1, false},
    {"surface_two_zero", "surf.i32[39x17]=zero", 4, {39, 17, 1}, 1, false},
    {"surface_three_clamp", "surf.i32[14x9x5]=zero", 4, {14, 9, 5}, 1, false},
    {"surface_three_zero", "surf.i32[14x9x5]=zero", 4, {14, 9, 5}, 1, false},
    {"surface_layered_one_clamp", "surf.i32[90x4]=zero,layered", 4, {90, 1, 1}, 4, false},
    {"surface_layered_one_zero", "surf.i32[90x4]=zero,layered", 4, {90, 1, 1}, 4, false},
    {"surface_layered_two_clamp", "surf.i32[31x8x4]=zero,layered", 4, {31, 8, 1}, 4, false},
    {"surface_layered_two_zero", "surf.i32[31x8x4]=zero,layered", 4, {31, 8, 1}, 4, false},
    {"surface_b8", "surf.u8[39x17]=zero", 1, {39, 17, 1}, 1, false},
    {"surface_b8x2", "surf.i8x2[39x17]=zero", 2, {39, 17, 1}, 1, false},
    {"surface_b8x4", "surf.u8x4[39x17]=zero", 4, {39, 17, 1}, 1, false},
    {"surface_b16", "surf.i16[39x17]=zero", 2, {39, 17, 1}, 1, false},
    {"surface_b16x2", "surf.u16x2[39x17]=zero", 4, {39, 17, 1}, 1, false},
    {"surface_b16x4", "surf.f16x4[39x17]=zero", 8, {39, 17, 1}, 1, false},
    {"surface_b32x2", "surf.f32x2[39x17]=zero", 8, {39, 17, 1}, 1, false},
    {"surface_b32x4", "surf.u32x4[39x17]=zero", 16, {39, 17, 1}, 1, false},
    {"surface_b64", "surf.u32x2[39x17]=zero", 8, {39, 17, 1}, 1, false},
    {"surface_b64x2", "surf.i32x4[39x17]=zero", 16, {39, 17, 1}, 1, false},
};
enum { SURFACE_PLACES = 256 };

static uint8_t *surface_places(Rng *rng, const Surface *s) {
  int32_t *at = ls_alloc(SURFACE_PLACES * 4 * sizeof *at);
  for (int i = 0; i < SURFACE_PLACES; i++) {
    for (int k = 0; k < 4; k++) {
      int n = k == 3 ? s->layers : s->size[k], margin = s->inside || k == 3 ? 0 : 3;
      at[i * 4 + k] = (int32_t)rng_below(rng, (uint32_t)(n + 2 * margin)) - margin;
    }
    at[i * 4] *= s->bytes;
  }
  return (uint8_t *)at;
}

static void add_surface(Batch *batch, const Surface *s, uint64_t seed) {
  Rng rng = {seed};
  char text[48];
  Program *program = batch_begin(batch, s->entry);
  snprintf(program->name, sizeof program->name, "%s, %s", s->entry, s->image);
  program->begin = 0;
  LaunchArg *surface = add_arg(program, s->image);
  take_bytes(surface, random_texels(&rng, surface));
  snprintf(text, sizeof text, "u8[%d]=zero", SURFACE_PLACES * s->bytes);
  add_arg(program, text);
  LaunchArg *in = add_arg(program, text);
  take_bytes(in, random_texels(&rng, in));
  snprintf(text, sizeof text, "i32[%d]=zero", SURFACE_PLACES * 4);
  take_bytes(add_arg(program, text), surface_places(&rng, s));
  snprintf(text, sizeof text, "i32=%d", SURFACE_PLACES);
  add_arg(program, text);
  batch_end(batch);
}

bool textures_batch(Batch *batch, uint64_t seed, bool filtered, const char *filter, LsErr *err) {
  size_t length = 0;
  char *text = source_read("tests/unit/sim/kernels/texture.ptx", PTX_LIMIT, &length, err);
  *batch = (Batch){0};
  if (!text) return false;
  ls_text_addn(&batch->ptx, text, length);
  free(text);
  for (int g = 0; g < LS_COUNT(geometries); g++)
    add_geometry(batch, &geometries[g], seed + (uint64_t)g * 100000, filtered, filter);
  for (int i = 0; i < LS_COUNT(surfaces) && !filtered; i++)
    if (strstr(surfaces[i].entry, filter)) add_surface(batch, &surfaces[i], seed + 9000000 + (uint64_t)i);
  return true;
}
