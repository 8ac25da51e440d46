// test_sim_texture.c: textures and surfaces against a reference written from the CUDA programming guide's appendix
// "Texture Fetching": all element types, geometries, filters, address modes and kinds of coordinates, at the edges.
#include <float.h>
#include <math.h>
#include <string.h>
#include "base/file.h"
#include "base/mem.h"
#include "check.h"
#include "ptx/module.h"
#include "sim/sim.h"
#include "launch/launch.h"

enum { PLACES = 96 };

static PtxModule *module;
static uint32_t seed = 1;

static uint32_t draw(void) {
  seed = seed * 1664525u + 1013904223u;
  return seed >> 8;
}

static bool load_module(LsErr *err) {
  size_t length = 0;
  char *path = ls_format("%s/tests/unit/sim/kernels/texture.ptx", LS_SOURCE_DIR), *text = ls_file_read(path, 1 << 24, &length, err);
  if (text) module = ptx_parse("texture.ptx", text, length, err);
  free(text);
  free(path);
  return module != NULL;
}

// ---- running ----------------------------------------------------------------------------------------------------

typedef struct Rig { Launch launch; SimOptions options; Sim *sim; LsErr err; } Rig;

static void rig_init(Rig *r, const char *kernel, uint32_t threads) {
  *r = (Rig){0};
  launch_init(&r->launch);
  sim_options_init(&r->options);
  r->launch.kernel = ls_strdup(kernel);
  r->launch.block[0] = threads;
}

static LaunchArg *rig_arg(Rig *r, const char *text) {
  bool ok = launch_add_arg(&r->launch, text, &r->err);
  if (!ok) printf("\n%s\n", r->err.message);
  CU_ASSERT_FATAL(ok);
  return &r->launch.args[r->launch.arg_count - 1];
}

// Gives the argument its bytes.
static void rig_fill(LaunchArg *arg, const void *bytes) {
  size_t size = (size_t)arg->count * (size_t)launch_type_size(arg->type);
  arg->init = LAUNCH_DATA;
  arg->data = memcpy(ls_alloc(size), bytes, size);
}

static bool rig_new(Rig *r, const PtxModule *of) {
  int entry = ptx_find_entry(of, r->launch.kernel, &r->err);
  r->sim = entry < 0 ? NULL : sim_new(of, entry, &r->launch, &r->options, &r->err);
  return r->sim != NULL;
}

// Runs; the faults are the caller's to look at.
static const TraceFault *rig_run(Rig *r, int *count) {
  bool ok = rig_new(r, module);
  if (!ok) printf("\n%s\n", r->err.message);
  CU_ASSERT_FATAL(ok);
  CHECK(sim_run(r->sim, NULL, &r->err));
  return sim_faults(r->sim, count);
}

static void rig_run_clean(Rig *r) {
  int faults;
  const TraceFault *first = rig_run(r, &faults);
  if (faults) printf("\n%s: %s\n", r->launch.kernel, first->message);
  CHECK_INT(faults, 0);
}

static const void *rig_bytes(Rig *r, int arg) {
  uint64_t size;
  return sim_buffer(r->sim, arg, &size);
}

static void rig_fini(Rig *r) {
  sim_free(r->sim);
  launch_fini(&r->launch);
}

// ---- the reference -------------------------------------------------------------------------------------------------

// A texture as the reference sees it.
typedef struct Ref {
  LaunchType type;
  int channels, dims, size[3], layers;
  LaunchAddress address[3];
  bool linear, normalized, as_float;
  uint8_t *bytes;
} Ref;

typedef struct Coord { float x, y, z, w; } Coord;

static bool gives_floats(const Ref *t) { return t->as_float || launch_type_is_float(t->type); }

// What 1 is to a type whose texels are read as floats from 0 or -1 to 1.
static long double one_of(const Ref *t) {
  if (!t->as_float) return 1;
  return t->type == LAUNCH_U8 ? 255 : t->type == LAUNCH_I8 ? 127 : t->type == LAUNCH_U16 ? 65535 : 32767;
}

// A channel of a texel, as a number in units of 1 / one_of; a negative index is outside.
static long double texel(const Ref *t, int layer, const int at[3], int channel) {
  if (channel >= t->channels) return 0;
  if (at[0] < 0 || at[1] < 0 || at[2] < 0) return 0;
  size_t place = (size_t)(((layer * t->size[2] + at[2]) * t->size[1] + at[1]) * t->size[0] + at[0]);
  const uint8_t *p = t->bytes + (place * (size_t)t->channels + (size_t)channel) * (size_t)launch_type_size(t->type);
  uint8_t u8 = p[0];
  uint16_t u16;
  uint32_t u32 = 0;
  float f = 0;
  memcpy(&u16, p, launch_type_size(t->type) >= 2 ? 2 : 1);
  if (launch_type_size(t->type) == 4) memcpy(&u32, p, 4), memcpy(&f, p, 4);
  switch (t->type) {
    case LAUNCH_U8: return u8;
    case LAUNCH_I8: return t->as_float && u8 == 0x80 ? -127 : (int8_t)u8;
    case LAUNCH_U16: return u16;
    case LAUNCH_I16: return t->as_float && u16 == 0x8000 ? -32767 : (int16_t)u16;
    case LAUNCH_U32: return u32;
    case LAUNCH_I32: return (int32_t)u32;
    case LAUNCH_F32: return (long double)f;
    default: return (long double)launch_value(LAUNCH_F16, u16);
  }
}

// x in texels, after the guide's replacements for wrap (frac(x)) and mirror (frac(x) or 1 - frac(x)).
static long double guide_x(const Ref *t, int axis, float coord) {
  long double x = isnan(coord) ? 0 : (long double)coord;
  int n = t->size[axis];
  if (!t->normalized) return x;
  if (!isinf(x)) x = floorl(x * 2097152) / 2097152;   // what a chip keeps of it, see texel.h
  if (t->address[axis] == LAUNCH_WRAP) return isinf(x) ? 0 : (x - floorl(x)) * n;
  if (t->address[axis] != LAUNCH_MIRROR) return x * n;
  if (isinf(x)) return 0;
  bool odd = fmodl(fabsl(floorl(x)), 2) == 1;
  return (odd ? 1 - (x - floorl(x)) : x - floorl(x)) * n;
}

// Where index i leads to on an axis; -1: outside.
static int guide_index(const Ref *t, int axis, long double i) {
  int n = t->size[axis];
  if (i >= 0 && i < n) return (int)i;
  switch (t->address[axis]) {
    case LAUNCH_BORDER: return -1;
    case LAUNCH_WRAP: return i < 0 ? n - 1 : 0;       // x is in [0, 1] already: at most one step outside
    default: return i < 0 ? 0 : n - 1;
  }
}

static long double lerp(const Ref *t, int layer, int axis, int at[3], const Coord *c, int channel) {
  static const int x_of[3] = {0, 1, 2};
  if (axis < 0) return texel(t, layer, at, channel);
  const float coords[3] = {c->x, c->y, c->z};
  long double x = guide_x(t, x_of[axis], coords[axis]);
  if (!t->linear) {
    bool odd = t->normalized && t->address[axis] == LAUNCH_MIRROR && !isinf(coords[axis]) && fmodl(fabsl(floorl(coords[axis])), 2) == 1;
    at[axis] = guide_index(t, axis, odd ? ceill(x) - 1 : floorl(x));   // texel i is from i to i + 1, seen from the other end
    return lerp(t, layer, axis - 1, at, c, channel);
  }
  if (isinf(x)) x = x < 0 ? -1e9L : 1e9L;
  long double i = floorl(x - 0.5L), part = floorl((x - 0.5L - i) * 256 + 0.5L) / 256;
  at[axis] = guide_index(t, axis, i);
  long double low = part < 1 ? lerp(t, layer, axis - 1, at, c, channel) : 0;
  at[axis] = guide_index(t, axis, i + 1);
  long double high = part > 0 ? lerp(t, layer, axis - 1, at, c, channel) : 0;
  return (1 - part) * low + part * high;
}

static uint32_t result_bits(const Ref *t, long double value) {
  float f = (float)(value / one_of(t));
  uint32_t bits;
  memcpy(&bits, &f, sizeof bits);
  return gives_floats(t) ? bits : (uint32_t)(int64_t)value;
}

static uint32_t expected(const Ref *t, const Coord *c, bool layered, int channel) {
  int at[3] = {0, 0, 0}, layer = !layered ? 0 : c->w < 0 ? t->layers - 1 : LS_MIN((int)c->w, t->layers - 1);
  return result_bits(t, lerp(t, layer, t->dims - 1, at, c, channel));
}

// ---- textures ----------------------------------------------------------------------------------------------------

static const char *const address_names[] = {"clamp", "wrap", "mirror", "border"};

// "tex.u8x4[13x7],..." with the contents made here.
static void add_texture(Rig *r, Ref *t) {
  LsText text = {0};
  ls_text_addf(&text, "tex.%s", launch_type_name(t->type));
  if (t->channels > 1) ls_text_addf(&text, "x%d", t->channels);
  ls_text_addf(&text, "[%d", t->size[0]);
  for (int k = 1; k < t->dims; k++) ls_text_addf(&text, "x%d", t->size[k]);
  if (t->layers > 1) ls_text_addf(&text, "x%d", t->layers);
  ls_text_addf(&text, "]=zero,%s%s%s%s", t->linear ? "linear" : "point", t->normalized ? ",normalized" : "",
               t->as_float ? ",float" : "", t->layers > 1 ? ",layered" : "");
  ls_text_addf(&text, ",%s/%s/%s", address_names[t->address[0]], address_names[t->address[1]], address_names[t->address[2]]);
  LaunchArg *arg = rig_arg(r, ls_text_str(&text));
  rig_fill(arg, t->bytes);
  ls_text_free(&text);
}

// Floats of few bits, so that sums of weighted texels are exact in the reference and in the emulator alike.
static void make_texels(Ref *t) {
  size_t count = (size_t)t->channels * (size_t)(t->size[0] * t->size[1] * t->size[2] * t->layers);
  size_t size = (size_t)launch_type_size(t->type);
  t->bytes = ls_alloc(count * size + 8);
  for (size_t i = 0; i < count; i++) {
    uint64_t bits = (uint64_t)draw() << 16 ^ draw();
    if (launch_type_is_float(t->type)) bits = launch_bits(t->type, ((int)(draw() % 4001) - 2000) / 16.0);
    memcpy(t->bytes + i * size, &bits, size);
  }
}

// Edges of an axis of n texels, in texels, and what is far away.
static float edge(int i, int n) {
  const float last = (float)n, rows[] = {-INFINITY, -1e30f, -1e5f, -last - 0.5f, -last, -1.5f, -1, -0.5f, -0.25f, -1e-30f, -0.0f, 0,
                                         1e-30f,
                        1.0f / 512, 0.25f, 0.49609375f, 0.498046875f, 0.5f, 0.501953125f, 0.75f, 1 - FLT_EPSILON, 1, 1.5f, last / 2,
                            last - 1,
                        last - 0.5f, nextafterf(last, 0), last, last + 0.25f, last + 0.5f, last + 1, 2 * last, 2 * last + 0.75f,
                            1e5f, 1e30f,
                        INFINITY, NAN};
  int count = LS_COUNT(rows);
  if (i % (count + 20) < count) return rows[i % (count + 20)];
  return ((float)(draw() % 40000) / 10000 - 1.5f) * last;
}

static float coordinate(const Ref *t, int axis, int i) {
  float x = edge(i, t->size[axis]);
  return t->normalized ? x / (float)t->size[axis] : x;
}

static void make_places(const Ref *t, Coord at[PLACES]) {
  for (int i = 0; i < PLACES; i++)
    at[i] = (Coord){coordinate(t, 0, i), coordinate(t, 1, i < 57 ? 17 : (int)draw() % 60),
                    coordinate(t, 2, i < 57 ? 20 : (int)draw() % 60),
                    (float)((int)(draw() % 6) - 1)};
}

static int compare_places(const Ref *t, const char *kernel, const Coord at[PLACES], const uint32_t *out, bool layered) {
  int wrong = 0;
  for (int i = 0; i < PLACES; i++)
    for (int c = 0; c < 4; c++) {
      uint32_t want = expected(t, &at[i], layered, c), got = out[i * 4 + c];
      if (got == want) continue;
      if (!wrong++)
        printf("\n%s %s x%d %s%s%s %s: (%a, %a, %a) layer %g channel %d is %08x, not %08x\n", kernel, launch_type_name(t->type),
               t->channels, t->linear ? "linear " : "", t->normalized ? "normalized " : "", t->as_float ? "float" : "",
               address_names[t->address[0]], (double)at[i].x, (double)at[i].y, (double)at[i].z, (double)at[i].w, c, got, want);
    }
  return wrong;
}

static const char *suffix(const Ref *t) {
  if (gives_floats(t)) return "f";
  return launch_type_name(t->type)[0] == 'i' ? "i" : "u";
}

static void check_texture(Ref *t, const char *stem) {
  Rig r;
  Coord at[PLACES];
  char *kernel = ls_format("%s_%s", stem, suffix(t));
  make_texels(t);
  make_places(t, at);
  for (int i = 0; i < PLACES && strcmp(stem, "index") == 0; i++) at[i].x = truncf(at[i].x);
  rig_init(&r, kernel, PLACES);
  add_texture(&r, t);
  rig_arg(&r, "u32[384]=zero");
  rig_fill(rig_arg(&r, "f32[384]=zero"), at);
  rig_arg(&r, "i32=96");
  rig_run_clean(&r);
  CHECK_INT(compare_places(t, kernel, at, rig_bytes(&r, 1), t->layers > 1), 0);
  rig_fini(&r);
  free(t->bytes);
  free(kernel);
}

static bool goes_together(const Ref *t) {
  int size = launch_type_size(t->type);
  if (size == 8 || (t->as_float && (launch_type_is_float(t->type) || size == 4))) return false;
  if (t->linear && !gives_floats(t)) return false;
  return t->normalized || (t->address[0] != LAUNCH_WRAP && t->address[0] != LAUNCH_MIRROR);
}

typedef struct Geometry { const char *stem; int dims, size[3], layers; } Geometry;
static const Geometry geometries[] = {
    {"one", 1, {13, 1, 1}, 1},         {"two", 2, {9, 6, 1}, 1},           {"three", 3, {5, 4, 3}, 1},
    {"layered_one", 1, {11, 1, 1}, 4}, {"layered_two", 2, {8, 5, 1}, 4},
};

// All that can be said about a texture, in the 7 bits of `how`; the modes of y and z differ from that of x.
static void check_all(const Geometry *g, LaunchType type, int channels) {
  for (int how = 0; how < 32; how++) {
    Ref t = {.type = type, .channels = channels, .dims = g->dims, .layers = g->layers};
    memcpy(t.size, g->size, sizeof t.size);
    t.linear = how & 1;
    t.normalized = how & 2;
    t.as_float = how & 4;
    for (int k = 0; k < 3; k++) t.address[k] = (LaunchAddress)((how >> 3) + (t.normalized ? k : 0)) & 3;
    if (!t.normalized && how >> 3 == 1) t.address[0] = t.address[1] = t.address[2] = LAUNCH_BORDER;
    if (goes_together(&t)) check_texture(&t, g->stem);
  }
}

static void test_fetches(void) {
  for (int g = 0; g < LS_COUNT(geometries); g++)
    for (int type = 0; type < LAUNCH_TYPE_COUNT; type++)
      for (int channels = 1; channels <= 4; channels *= 2)
        if (launch_type_size((LaunchType)type) < 8) check_all(&geometries[g], (LaunchType)type, channels);
}

// Mipmaps have one level, so a level or gradients change nothing.
static void test_levels(void) {
  static const char *const stems[] = {"level_two", "gradient_two"};
  for (int i = 0; i < LS_COUNT(stems); i++)
    for (int linear = 0; linear < 2; linear++) {
      Ref t = {.type = LAUNCH_F32, .channels = 4, .dims = 2, .size = {7, 5, 1}, .layers = 1, .linear = linear};
      check_texture(&t, stems[i]);
    }
}

// tex1Dfetch names texels; outside it gives 0.
static void test_by_index(void) {
  for (int type = 0; type < LAUNCH_TYPE_COUNT; type++)
    for (int as_float = 0; as_float < 2; as_float++) {
      Ref t = {.type = (LaunchType)type, .channels = 2, .dims = 1, .size = {20, 1, 1}, .layers = 1, .as_float = as_float};
      t.address[0] = LAUNCH_BORDER;   // for the reference: what is outside is 0
      if (goes_together(&t)) check_texture(&t, "index");
    }
  // Far away, and where the address mode says something else.
  Rig r;
  const Coord at[5] = {{-1, 0, 0, 0}, {0, 0, 0, 0}, {3, 0, 0, 0}, {4, 0, 0, 0}, {2147483520.0f, 0, 0, 0}};
  const uint32_t want[5] = {0, 10, 13, 0, 0};
  rig_init(&r, "index_u", 5);
  rig_fill(rig_arg(&r, "tex.u32[4]=zero,clamp"), (const uint32_t[]){10, 11, 12, 13});
  rig_arg(&r, "u32[20]=zero");
  rig_fill(rig_arg(&r, "f32[20]=zero"), at);
  rig_arg(&r, "i32=5");
  rig_run_clean(&r);
  const uint32_t *out = rig_bytes(&r, 1);
  for (int i = 0; i < 5; i++) {
    CHECK_INT(out[i * 4], want[i]);
    CHECK_INT(out[i * 4 + 3], 0);
  }
  rig_fini(&r);
}

// Counter-clockwise from the lower left, where y grows downwards; the texels are those of the linear filter.
static void test_gather(void) {
  Rig r;
  const Coord at[3] = {{1, 1, 0, 0}, {2.7f, 1.2f, 0, 0}, {-5, 9, 0, 0}};
  const uint32_t want[3][4] = {{4, 5, 1, 0}, {6, 7, 3, 2}, {8, 8, 8, 8}};
  for (int component = 0; component < 2; component++) {
    rig_init(&r, component ? "gather_a_u" : "gather_r_u", 3);
    rig_arg(&r, "tex.u32x4[4x3]=iota,clamp");
    rig_arg(&r, "u32[12]=zero");
    rig_fill(rig_arg(&r, "f32[12]=zero"), at);
    rig_arg(&r, "i32=3");
    rig_run_clean(&r);
    const uint32_t *out = rig_bytes(&r, 1);
    for (int i = 0; i < 12; i++) CHECK_INT(out[i], want[i / 4][i % 4] * 4 + (component ? 3 : 0));
    rig_fini(&r);
  }
}

// In a mirrored period left and right change places; i8 as floats in 16 bits. Both are what an H200 answered to check_gpu.
static void test_gather_mirrored(void) {
  Rig r;
  const Coord at[2] = {{1.25f, 1 / 3.0f, 0, 0}, {0.25f, 1 / 3.0f, 0, 0}};
  const uint32_t want[2][4] = {{7, 6, 2, 3}, {4, 5, 1, 0}};
  rig_init(&r, "gather_r_u", 2);
  rig_arg(&r, "tex.u32x4[4x3]=iota,mirror,normalized");
  rig_arg(&r, "u32[8]=zero");
  rig_fill(rig_arg(&r, "f32[8]=zero"), at);
  rig_arg(&r, "i32=2");
  rig_run_clean(&r);
  for (int i = 0; i < 8; i++) CHECK_INT(((const uint32_t *)rig_bytes(&r, 1))[i], want[i / 4][i % 4] * 4);
  rig_fini(&r);

  const Coord one = {1, 1, 0, 0};
  rig_init(&r, "gather_r_f", 1);
  rig_fill(rig_arg(&r, "tex.i8x4[2x2]=zero,float"), (const int8_t[16]){-64, 64, 0, 0, 120, 64, 0, 0, 108, 64, 0, 0, -8, 64, 0, 0});
  rig_arg(&r, "u32[4]=zero");
  rig_fill(rig_arg(&r, "f32[4]=zero"), &one);
  rig_arg(&r, "i32=1");
  rig_run_clean(&r);
  const uint32_t bits[4] = {0x3f59b3b3, 0xbd810102, 0x3f71e3e4, 0xbf010102};
  for (int i = 0; i < 4; i++) CHECK_INT(((const uint32_t *)rig_bytes(&r, 1))[i], bits[i]);
  rig_fini(&r);

  rig_init(&r, "gather_r_f", 1);
  rig_fill(rig_arg(&r, "tex.i8x4[2x2]=zero,float"), (const int8_t[16]){64, 0, 0, 0, 64, 0, 0, 0, 64, 0, 0, 0, 64, 0, 0, 0});
  rig_arg(&r, "u32[4]=zero");
  rig_fill(rig_arg(&r, "f32[4]=zero"), &one);
  rig_arg(&r, "i32=1");
  rig_run_clean(&r);
  CHECK_INT(((const uint32_t *)rig_bytes(&r, 1))[0], 0x3f010302);
  rig_fini(&r);
}

// What a filter leaves alone: NaN and infinity of a neighbor with weight 0 do not get in, others do.
static void test_special_texels(void) {
  Rig r;
  const Coord at[4] = {{0.5f, 0, 0, 0}, {1, 0, 0, 0}, {2.5f, 0, 0, 0}, {3, 0, 0, 0}};
  rig_init(&r, "one_f", 4);
  rig_fill(rig_arg(&r, "tex.f32[4]=zero,linear"), (const float[]){1, NAN, 2, INFINITY});
  rig_arg(&r, "f32[16]=zero");
  rig_fill(rig_arg(&r, "f32[16]=zero"), at);
  rig_arg(&r, "i32=4");
  rig_run_clean(&r);
  const float *out = rig_bytes(&r, 1);
  CHECK(out[0] == 1);
  CHECK(isnan(out[4]));
  CHECK(out[8] == 2);
  CHECK(isinf(out[12]));
  rig_fini(&r);
}

// ---- surfaces ----------------------------------------------------------------------------------------------------

typedef struct Place { int32_t x, y, z, layer; } Place;
typedef struct SurfaceRow { const char *kernel, *surface; int dims, size[3], layers, bytes; char mode; } SurfaceRow;

// The offset of an access, -1 if it is outside.
static long where(const SurfaceRow *s, Place p) {
  int at[4] = {p.x, s->dims > 1 ? p.y : 0, s->dims > 2 ? p.z : 0, s->layers > 1 ? p.layer : 0};
  int most[4] = {(s->size[0] - 1) * s->bytes, s->size[1] - 1, s->size[2] - 1, s->layers - 1};
  for (int k = 0; k < 4; k++) {
    if (s->mode == 'c') at[k] = LS_CLAMP(at[k], 0, most[k]);
    if (at[k] < 0 || at[k] > most[k]) return -1;
  }
  return (((long)at[3] * s->size[2] + at[2]) * s->size[1] + at[1]) * s->size[0] * s->bytes + at[0];
}

static void make_surface_places(const SurfaceRow *s, Place at[PLACES]) {
  bool inside = s->mode == 't';
  for (int i = 0; i < PLACES; i++) {
    int32_t values[4];
    for (int k = 0; k < 4; k++) {
      int n = k == 3 ? s->layers : s->size[k];
      values[k] = (int)(draw() % (uint32_t)(inside ? n : n + 6)) - (inside ? 0 : 3);
    }
    at[i] = (Place){values[0] * s->bytes, values[1], values[2], LS_MAX(values[3], 0)};
  }
  if (!inside) at[0] = (Place){INT32_MIN, INT32_MAX, INT32_MIN, 0};
}

static void check_surface(const SurfaceRow *s) {
  Rig r;
  Place at[PLACES];
  uint8_t in[PLACES * 16], out[PLACES * 16] = {0}, *memory;
  size_t size = (size_t)s->bytes, total = size * (size_t)(s->size[0] * s->size[1] * s->size[2] * s->layers);
  memory = ls_alloc(total);
  for (size_t i = 0; i < total; i++) memory[i] = (uint8_t)draw();
  for (size_t i = 0; i < sizeof in; i++) in[i] = (uint8_t)draw();
  make_surface_places(s, at);
  char *count = ls_format("u8[%d]=zero", PLACES * s->bytes);
  rig_init(&r, s->kernel, 1);
  rig_fill(rig_arg(&r, s->surface), memory);
  rig_arg(&r, count);
  rig_fill(rig_arg(&r, count), in);
  rig_fill(rig_arg(&r, "i32[384]=zero"), at);
  rig_arg(&r, "i32=96");
  rig_run_clean(&r);
  for (int i = 0; i < PLACES; i++) {
    long offset = where(s, at[i]);
    if (offset >= 0) memcpy(out + (size_t)i * size, memory + offset, size);
  }
  for (int i = 0; i < PLACES; i++) {
    long offset = where(s, at[i]);
    if (offset >= 0) memcpy(memory + offset, in + (size_t)i * size, size);
  }
  if (memcmp(rig_bytes(&r, 1), out, PLACES * size) != 0) printf("\n%s reads something else\n", s->kernel);
  CHECK(memcmp(rig_bytes(&r, 1), out, PLACES * size) == 0);
  CHECK(memcmp(rig_bytes(&r, 0), memory, total) == 0);
  rig_fini(&r);
  free(count);
  free(memory);
}

static void test_surfaces(void) {
  static const SurfaceRow rows[] = {
      {"surface_one_trap", "surf.i32[50]=zero", 1, {50, 1, 1}, 1, 4, 't'},
      {"surface_one_clamp", "surf.i32[50]=zero", 1, {50, 1, 1}, 1, 4, 'c'},
      {"surface_one_zero", "surf.i32[50]=zero", 1, {50, 1, 1}, 1, 4, 'z'},
      {"surface_two_trap", "surf.i32[9x7]=zero", 2, {9, 7, 1}, 1, 4, 't'},
      {"surface_two_clamp", "surf.i32[9x7]=zero", 2, {9, 7, 1}, 1, 4, 'c'},
      {"surface_two_zero", "surf.i32[9x7]=zero", 2, {9, 7, 1}, 1, 4, 'z'},
      {"surface_three_trap", "surf.i32[4x5x3]=zero", 3, {4, 5, 3}, 1, 4, 't'},
      {"surface_three_clamp", "surf.i32[4x5x3]=zero", 3, {4, 5, 3}, 1, 4, 'c'},
      {"surface_three_zero", "surf.i32[4x5x3]=zero", 3, {4, 5, 3}, 1, 4, 'z'},
      {"surface_layered_one_trap", "surf.i32[12x4]=zero,layered", 1, {12, 1, 1}, 4, 4, 't'},
      {"surface_layered_one_clamp", "surf.i32[12x4]=zero,layered", 1, {12, 1, 1}, 4, 4, 'c'},
      {"surface_layered_one_zero", "surf.i32[12x4]=zero,layered", 1, {12, 1, 1}, 4, 4, 'z'},
      {"surface_layered_two_trap", "surf.i32[6x3x4]=zero,layered", 2, {6, 3, 1}, 4, 4, 't'},
      {"surface_layered_two_clamp", "surf.i32[6x3x4]=zero,layered", 2, {6, 3, 1}, 4, 4, 'c'},
      {"surface_layered_two_zero", "surf.i32[6x3x4]=zero,layered", 2, {6, 3, 1}, 4, 4, 'z'},
      {"surface_b8", "surf.u8[9x7]=zero", 2, {9, 7, 1}, 1, 1, 'z'},
      {"surface_b8x2", "surf.i8x2[9x7]=zero", 2, {9, 7, 1}, 1, 2, 'z'},
      {"surface_b8x4", "surf.u8x4[9x7]=zero", 2, {9, 7, 1}, 1, 4, 'z'},
      {"surface_b16", "surf.i16[9x7]=zero", 2, {9, 7, 1}, 1, 2, 'z'},
      {"surface_b16x2", "surf.u16x2[9x7]=zero", 2, {9, 7, 1}, 1, 4, 'z'},
      {"surface_b16x4", "surf.f16x4[9x7]=zero", 2, {9, 7, 1}, 1, 8, 'z'},
      {"surface_b32x2", "surf.f32x2[9x7]=zero", 2, {9, 7, 1}, 1, 8, 'z'},
      {"surface_b32x4", "surf.u32x4[9x7]=zero", 2, {9, 7, 1}, 1, 16, 'z'},
      {"surface_b64", "surf.u32x2[9x7]=zero", 2, {9, 7, 1}, 1, 8, 'z'},
      {"surface_b64x2", "surf.i32x4[9x7]=zero", 2, {9, 7, 1}, 1, 16, 'z'},
  };
  for (int i = 0; i < LS_COUNT(rows); i++) check_surface(&rows[i]);
}

static void test_flip(void) {
  Rig r;
  rig_init(&r, "flip", 8);
  r.launch.block[1] = 4;
  r.launch.grid[0] = 3;
  r.launch.grid[1] = 2;
  rig_arg(&r, "tex.u8x4[19x7]=iota");
  rig_arg(&r, "surf.u8x4[19x7]=none");
  rig_arg(&r, "i32=19");
  rig_arg(&r, "i32=7");
  rig_run_clean(&r);
  const uint8_t *out = rig_bytes(&r, 1);
  int wrong = 0;
  for (int y = 0; y < 7; y++)
    for (int x = 0; x < 19 * 4; x++) wrong += out[y * 76 + x] != (uint8_t)((6 - y) * 76 + x);
  CHECK_INT(wrong, 0);
  rig_fini(&r);
}

// Lanes of one warp may fetch from different textures.
static void test_two_textures(void) {
  Rig r;
  rig_init(&r, "choose", 8);
  rig_arg(&r, "tex.f32[8]=iota");
  rig_arg(&r, "tex.f32[8]=const:7");
  rig_arg(&r, "f32[8]=zero");
  rig_run_clean(&r);
  const float *out = rig_bytes(&r, 2);
  for (int i = 0; i < 8; i++) CHECK(out[i] == (float)(i & 1 ? i : 7));
  rig_fini(&r);
}

// ---- faults ----------------------------------------------------------------------------------------------------

typedef struct FaultRow { const char *kernel, *args[6]; uint32_t threads; FaultKind kind; const char *message; } FaultRow;

static void check_fault(const FaultRow *row) {
  Rig r;
  int faults;
  rig_init(&r, row->kernel, row->threads);
  for (int i = 0; i < 6 && row->args[i]; i++) {
    LaunchArg *arg = rig_arg(&r, row->args[i]);
    if (!arg->name) arg->name = ls_format("arg%d", i);
  }
  const TraceFault *first = rig_run(&r, &faults);
  CHECK(faults >= 1);
  if (faults) {
    CHECK_STR(trace_fault_name((FaultKind)first->kind), trace_fault_name(row->kind));
    if (!strstr(first->message, row->message)) printf("\n%s: %s\n", row->kernel, first->message);
    CHECK(strstr(first->message, row->message) != NULL);
  }
  rig_fini(&r);
}

static void test_faults(void) {
  static const FaultRow rows[] = {
      {"flip", {"tex.u8x4[8x4]=none", "surf.u8x4[8x4]=zero", "i32=8", "i32=4"}, 4, FAULT_UNINITIALIZED,
       "reads 4 bytes at texel (0, 3) of arg0, which nobody has written"},
      {"one_f", {"tex.f32[8]=none,linear", "f32[4]=zero", "f32[4]=const:3", "i32=1"}, 1, FAULT_UNINITIALIZED, "texel (2) of arg0"},
      {"flip", {"tex.u8x4[8x4]=iota", "surf.u8x4[8x3]=zero", "i32=8", "i32=4"}, 8, 0, NULL},
      {"surface_one_trap", {"surf.i32[8]=zero", "i32[4]=zero", "i32[4]=zero", "i32[4]=const:32", "i32=1"}, 1, FAULT_OUT_OF_BOUNDS,
       "a read of 4 bytes of arg0 at x = byte 32, which has 32 bytes in x (8 texels of 4)"},
      {"surface_two_trap", {"surf.i32[8x4]=zero", "i32[4]=zero", "i32[4]=zero", "i32[4]=const:4", "i32=1"}, 1, FAULT_OUT_OF_BOUNDS,
       "a read of 4 bytes of arg0 at x = byte 4, y = 4, which has 32 bytes in x (8 texels of 4), 4 in y"},
      {"surface_layered_one_trap", {"surf.i32[8x4]=zero,layered", "i32[4]=zero", "i32[4]=zero", "i32[4]=const:4", "i32=1"}, 1,
       FAULT_OUT_OF_BOUNDS, "layer 4, which has 32 bytes in x (8 texels of 4), 4 layers"},
      {"surface_one_trap", {"surf.i32[8]=zero", "i32[4]=zero", "i32[4]=zero", "i32[4]=const:2", "i32=1"}, 1, FAULT_MISALIGNED,
       "texel (0) of arg0"},
      {"surface_one_zero", {"surf.i32[8]=none", "i32[4]=zero", "i32[4]=zero", "i32[4]=const:4", "i32=1"}, 1, FAULT_UNINITIALIZED,
       "reads 4 bytes at texel (1) of arg0"},
      {"smear", {"surf.i32[32]=zero", "i32=32"}, 32, FAULT_RACE, "writes texel (1) of arg0, which thread (1,0,0) reads"},
      {"smear", {"surf.i32[64]=zero", "i32=64"}, 64, FAULT_RACE, "of arg0, which thread"},
      {"two_f", {"tex.f32[8]=zero", "f32[4]=zero", "f32[4]=zero", "i32=1"}, 1, FAULT_OUT_OF_BOUNDS,
       "an instruction for a 2d texture is used with arg0, which is a 1d texture"},
      {"two_f", {"surf.f32[8x8]=zero", "f32[4]=zero", "f32[4]=zero", "i32=1"}, 1, FAULT_OUT_OF_BOUNDS, "which is a 2d surface"},
      {"surface_one_trap", {"tex.i32[8]=zero", "i32[4]=zero", "i32[4]=zero", "i32[4]=zero", "i32=1"}, 1, FAULT_OUT_OF_BOUNDS,
       "an instruction for a 1d surface is used with arg0, which is a 1d texture"},
      {"two_f", {"u64=7", "f32[4]=zero", "f32[4]=zero", "i32=1"}, 1, FAULT_OUT_OF_BOUNDS, "0x7 is the handle of no texture"},
      {"two_f", {"f32[8]=zero", "f32[4]=zero", "f32[4]=zero", "i32=1"}, 1, FAULT_OUT_OF_BOUNDS, "is the handle of no texture"},
      {"two_f", {"tex.f32[4x4]=zero", "tex.f32[4x4]=zero", "f32[4]=zero", "i32=1"}, 1, FAULT_OUT_OF_BOUNDS, "writes 16 bytes"},
  };
  for (int i = 0; i < LS_COUNT(rows); i++) if (rows[i].message) check_fault(&rows[i]);
}

static void test_barriers_order_surfaces(void) {
  Rig r;
  rig_init(&r, "rotate", 64);
  rig_arg(&r, "surf.i32[64]=iota");
  rig_arg(&r, "i32=64");
  rig_run_clean(&r);
  const int32_t *out = rig_bytes(&r, 0);
  for (int i = 0; i < 64; i++) CHECK_INT(out[(i + 1) % 64], i + 1);
  rig_fini(&r);
}

// Blocks on several threads give what one thread gives, and a race between blocks is told all the same.
static void test_threads(void) {
  uint8_t *results[2] = {NULL, NULL};
  for (int several = 0; several < 2; several++) {
    Rig r;
    rig_init(&r, "flip", 16);
    r.launch.block[1] = 4;
    r.launch.grid[0] = 19;
    r.launch.grid[1] = 50;
    r.options.threads = several ? 4 : 1;
    rig_arg(&r, "tex.u8x4[300x200]=mod:251");
    rig_arg(&r, "surf.u8x4[300x200]=none");
    rig_arg(&r, "i32=300");
    rig_arg(&r, "i32=200");
    rig_run_clean(&r);
    CHECK_INT(sim_threads(r.sim), several ? 4 : 1);
    results[several] = memcpy(ls_alloc(240000), rig_bytes(&r, 1), 240000);
    rig_fini(&r);
  }
  CHECK(memcmp(results[0], results[1], 240000) == 0);
  for (int i = 0; i < 2; i++) free(results[i]);
  for (int several = 0; several < 2; several++) {
    Rig r;
    int faults;
    rig_init(&r, "smear", 32);
    r.launch.grid[0] = 64;
    r.options.threads = several ? 4 : 1;
    rig_arg(&r, "surf.i32[32]=zero");
    rig_arg(&r, "i32=32");
    const TraceFault *first = rig_run(&r, &faults);
    CHECK(faults > 0 && first->kind == FAULT_RACE && strstr(first->message, "texel ("));
    rig_fini(&r);
  }
}

// ---- PTX by hand ---------------------------------------------------------------------------------------------------

static PtxModule *parse(const char *target, const char *variables, const char *params, const char *code, LsErr *err) {
  char *text = ls_format(".version 8.0\n.target %s\n.address_size 64\n%s\n.visible .entry k(%s) {\n.reg .b16 %%h<9>; .reg .b32 %%r<9>; "
                         ".reg .b64 %%rd<9>; .reg .f32 %%f<9>; .reg .pred %%p<3>;\n%s\nret;\n}\n", target, variables, params, code);
  PtxModule *parsed = ptx_parse("hand.ptx", text, strlen(text), err);
  if (!parsed) printf("\n%s\n", err->message);
  free(text);
  return parsed;
}

#define OUT ".param .u64 out"
#define STORE "ld.param.u64 %rd1, [out]; cvta.to.global.u64 %rd1, %rd1; st.global.v4.f32 [%rd1], {%f1, %f2, %f3, %f4};"

static void run_hand(Rig *r, const PtxModule *of, const char *image) {
  rig_init(r, "k", 1);
  if (image) rig_arg(r, image);
  rig_arg(r, "f32[8]=zero");
  bool ok = rig_new(r, of);
  if (!ok) printf("\n%s\n", r->err.message);
  CU_ASSERT_FATAL(ok);
  CHECK(sim_run(r->sim, NULL, &r->err));
}

static void check_hand(const char *target, const char *variables, const char *code, const char *image, const float want[4]) {
  Rig r;
  LsErr err = {0};
  PtxModule *of = parse(target, variables, OUT, code, &err);
  CU_ASSERT_FATAL(of != NULL);
  run_hand(&r, of, image);
  const float *out = rig_bytes(&r, 1);
  for (int i = 0; i < 4; i++) {
    if (out[i] != want[i]) printf("\n%s: %d is %g, not %g\n", code, i, (double)out[i], (double)want[i]);
    CHECK(out[i] == want[i]);
  }
  rig_fini(&r);
  ptx_module_free(of);
}

// Variables of the module, with the sampler in the texture or beside it.
static void test_references(void) {
  const char *fetch = "tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [img, {0f3FC00000, 0f3F000000}];" STORE;   // 1.5, 0.5
  check_hand("sm_75", ".global .texref img;", fetch, "img=tex.f32x2[4x4]=iota", (const float[]){2, 3, 0, 0});
  check_hand("sm_75", ".global .texref img;",
             "mov.u64 %rd2, img; tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd2, {0f3FC00000, 0f3F000000}];"
             STORE, "img=tex.f32x2[4x4]=iota", (const float[]){2, 3, 0, 0});
  check_hand("sm_75", ".global .texref img;", "tex.2d.v4.f32.f32 {%f1, _, _, %f4}, [img, {0f3FC00000, 0f3F000000}], {1, 1};"
             "mov.f32 %f2, 0f00000000; mov.f32 %f3, %f2;" STORE, "img=tex.f32x2[4x4]=iota", (const float[]){12, 0, 0, 0});
  check_hand("sm_75", ".global .surfref img;",
             "mov.f32 %f1, 0f40000000; mov.f32 %f2, %f1; sust.b.1d.v2.b32.trap [img, {8}], {%f1, %f2};"
             "suld.b.1d.v4.b32.trap {%f1, %f2, %f3, %f4}, [img, 0];" STORE, "img=surf.f32[4]=iota", (const float[]){0, 1, 2, 2});
  const char *independent = "tex.1d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [img, smp, {%f1}];" STORE;
  char *quarter = ls_format("mov.f32 %%f1, 0f3FA00000; %s", independent);    // 1.25
  check_hand("sm_75, texmode_independent",
             ".global .texref img;\n.global .samplerref smp = { addr_mode_0 = wrap, filter_mode = linear };",
             quarter, "img=tex.f32[4]=iota,normalized,clamp", (const float[]){0.5f, 0, 0, 0});
  check_hand("sm_75, texmode_independent",
             ".global .texref img;\n.global .samplerref smp = { addr_mode_0 = clamp_to_border, filter_mode = nearest };",
             quarter, "img=tex.f32[4]=const:9,normalized", (const float[]){0, 0, 0, 0});
  check_hand("sm_75, texmode_independent",
             ".global .texref img;\n.global .samplerref smp = { addr_mode_0 = clamp_to_edge, force_unnormalized_coords = 1 };",
             quarter, "img=tex.f32[4]=iota,normalized", (const float[]){1, 0, 0, 0});
  check_hand("sm_75, texmode_independent", ".global .texref img;\n.global .samplerref smp;", quarter,
             "img=tex.f32[4]=iota,normalized,clamp",
             (const float[]){1, 0, 0, 0});
  free(quarter);
}

static void test_queries(void) {
  Rig r;
  LsErr err = {0};
  static const char *const code =
      "txq.width.b32 %r1, [img]; txq.height.b32 %r2, [img]; txq.depth.b32 %r3, [img]; txq.num_mipmap_levels.b32 %r4, [img];\n"
      "txq.normalized_coords.b32 %r5, [img]; txq.filter_mode.b32 %r6, [img]; txq.addr_mode_0.b32 %r7, [img]; txq.addr_mode_1.b32 "
      "%r8, [img];\nld.param.u64 %rd1, [out]; st.global.v4.u32 [%rd1], {%r1, %r2, %r3, %r4}; st.global.v4.u32 [%rd1+16], {%r5, "
      "%r6, %r7, %r8};";
  static const uint32_t want[8] = {6, 5, 4, 1, 1, 1, 1, 4};
  PtxModule *of = parse("sm_75", ".global .texref img;", OUT, code, &err);
  CU_ASSERT_FATAL(of != NULL);
  run_hand(&r, of, "img=tex.f32[6x5x4]=zero,linear,normalized,mirror/border");
  for (int i = 0; i < 8; i++) CHECK_INT(((const uint32_t *)rig_bytes(&r, 1))[i], want[i]);
  rig_fini(&r);
  ptx_module_free(of);
  of = parse("sm_75", ".global .surfref img;", OUT,
             "suq.width.b32 %r1, [img]; suq.height.b32 %r2, [img]; suq.array_size.b32 %r3, [img]; suq.depth.b32 %r4, [img];"
             "ld.param.u64 %rd1, [out]; st.global.v4.u32 [%rd1], {%r1, %r2, %r3, %r4};", &err);
  CU_ASSERT_FATAL(of != NULL);
  run_hand(&r, of, "img=surf.u8x4[6x5x3]=zero,layered");
  static const uint32_t surface[4] = {6, 5, 3, 0};
  for (int i = 0; i < 4; i++) CHECK_INT(((const uint32_t *)rig_bytes(&r, 1))[i], surface[i]);
  rig_fini(&r);
  ptx_module_free(of);
}

static void expect_refusal(const char *code, const char *arg, LsErrKind kind, const char *message) {
  Rig r;
  LsErr err = {0};
  PtxModule *of = parse("sm_90", ".global .texref img; .global .surfref srf;", OUT, code, &err);
  CU_ASSERT_FATAL(of != NULL);
  rig_init(&r, "k", 1);
  if (arg) rig_arg(&r, arg);
  rig_arg(&r, "f32[8]=zero");
  CHECK(!rig_new(&r, of));
  CHECK_INT(r.err.kind, kind);
  if (!strstr(r.err.message, message)) printf("\n%s\n", r.err.message);
  CHECK(strstr(r.err.message, message) != NULL);
  rig_fini(&r);
  ptx_module_free(of);
}

static void test_refusals(void) {
  const char *img = "img=tex.f32[4x4]=zero";
  expect_refusal("tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [img, {%f1, %f2}];", NULL, LS_EUNSUPPORTED,
                 "-a 'img=tex.f32[64x32]=iota'");
  expect_refusal("suld.b.1d.b32.trap {%r1}, [srf, {%r1}];", NULL, LS_EUNSUPPORTED, "-a 'srf=surf.f32[64x32]=iota'");
  expect_refusal("tex.2dms.v4.f32.s32 {%f1, %f2, %f3, %f4}, [img, {%r1, %r2, %r3, %r4}];", img, LS_EUNSUPPORTED,
                 "line 7: tex.2dms");
  expect_refusal("tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [img, {%f1, %f2}], %f3;", img, LS_EUNSUPPORTED, "comparing with a depth");
  expect_refusal("tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}|%p1, [img, {%f1, %f2}];", img, LS_EUNSUPPORTED, "resident");
  expect_refusal("tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [img, {%f1}];", img, LS_EUNSUPPORTED, "so few coordinates");
  expect_refusal("tex.2d.v2.f16x2.f32 {%r1, %r2}, [img, {%f1, %f2}];", img, LS_EUNSUPPORTED, "other than .v4 of 32 bits");
  expect_refusal("tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [img, %rd1, {%f1, %f2}];", img, LS_EUNSUPPORTED, "no .samplerref");
  expect_refusal("sust.p.2d.v4.b32.trap [srf, {%r1, %r2}], {%r1, %r2, %r3, %r4};", "srf=surf.f32[4x4]=zero", LS_EUNSUPPORTED,
                 "formatted");
  expect_refusal("txq.channel_order.b32 %r1, [img];", img, LS_EUNSUPPORTED, "depends on the source language");
  expect_refusal("ret;", "other=tex.f32[4x4]=zero", LS_EREQUEST, "named other; the PTX has img (.texref), srf (.surfref)");
  expect_refusal("ret;", "srf=tex.f32[4x4]=zero", LS_EREQUEST,
                 "srf is a .surfref: it takes a surface, as in -a 'srf=surf.f32[64x32]=");
  expect_refusal("ret;", "img=f32[16]=zero", LS_EREQUEST, "img is a .texref: it takes a texture, as in -a 'img=tex.f32[64x32]=");
  expect_refusal("ret;", "other=f32[16]=zero", LS_EREQUEST, "k has no parameter named other; it has out");
}

// ---- replay ----------------------------------------------------------------------------------------------------

static const float *texel_then(SimReplay *replay, uint64_t event, uint64_t addr, float *value) {
  LsErr err = {0};
  CHECK(sim_replay_seek(replay, 0, event, &err));
  CHECK_INT(sim_replay_read(replay, TRACE_TEXTURE, 0, addr, 4, (uint8_t *)value, NULL), 4);
  return value;
}

// The memory of a surface before and after the write, also going backwards.
static void test_replay(void) {
  Rig r;
  LsErr err = {0};
  float value;
  int last_store = -1;
  rig_init(&r, "rotate", 64);
  rig_arg(&r, "surf.f32[64]=const:1");
  rig_arg(&r, "i32=64");
  int entry = ptx_find_entry(module, "rotate", &err);
  SimReplay *replay = sim_replay_new(module, entry, &r.launch, &r.options, &err);
  CU_ASSERT_FATAL(replay != NULL);
  TraceInfo info;
  trace_info_init(&info);
  CHECK(rig_new(&r, module));
  sim_describe_objects(r.sim, &info);
  CHECK_INT(info.object_count, 1);
  CHECK_INT(info.objects[0].space, TRACE_TEXTURE);
  uint64_t addr = info.objects[0].base;
  for (int event = 0; event < 60; event++) {
    bool before = *texel_then(replay, (uint64_t)event, addr, &value) == 1;
    if (!before && last_store < 0) last_store = event;
    CHECK((last_store >= 0) == !before);
  }
  CHECK(last_store > 0);
  CHECK(*texel_then(replay, (uint64_t)last_store - 1, addr, &value) == 1);
  CHECK(*texel_then(replay, (uint64_t)last_store, addr, &value) != 1);
  trace_info_fini(&info);
  sim_replay_free(replay);
  rig_fini(&r);
}

static const Check checks[] = {
    {"fetches: all types, filters, modes and edges", test_fetches},
    {"levels and gradients", test_levels},
    {"by index", test_by_index},
    {"gather", test_gather},
    {"gather from mirrored places", test_gather_mirrored},
    {"texels that are no numbers", test_special_texels},
    {"surfaces: all modes and widths", test_surfaces},
    {"an image upside down", test_flip},
    {"two textures in a warp", test_two_textures},
    {"faults", test_faults},
    {"barriers order surfaces", test_barriers_order_surfaces},
    {"blocks on several threads", test_threads},
    {"textures and samplers that the PTX declares", test_references},
    {"queries", test_queries},
    {"refusals", test_refusals},
    {"replay", test_replay},
};

int main(int argc, char **argv) {
  LsErr err = {0};
  if (!load_module(&err)) {
    fprintf(stderr, "%s\n", err.message);
    return 1;
  }
  int status = check_main("sim_texture", checks, LS_COUNT(checks), argc, argv);
  ptx_module_free(module);
  return status;
}
