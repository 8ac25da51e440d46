// test_sim_cube.c: fetches from cube maps: in the middles of texels, where the CUDA programming guide's table of faces
// ("Cubemap Textures") says all; everywhere else against an H200's answers (vectors/cube.hashes); and what is refused.
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/mem.h"
#include "check.h"
#include "ptx/module.h"
#include "sim/sim.h"
#include "launch/launch.h"
#include "source_dir.h"

// ---- running -------------------------------------------------------------------------------------------------------

#define BEGIN ".version 8.0\n.target sm_90\n.address_size 64\n.global .texref img;\n" \
  ".visible .entry k(.param .u64 t, .param .u64 at, .param .u64 out) {\n.reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .f32 %f<9>;\n" \
  "ld.param.u64 %rd1, [t]; ld.param.u64 %rd2, [at]; ld.param.u64 %rd3, [out];\n" \
  "mov.u32 %r1, %tid.x; mov.u32 %r3, %ctaid.x; mov.u32 %r4, %ntid.x;\n" \
  "mad.lo.u32 %r1, %r3, %r4, %r1; mul.wide.u32 %rd4, %r1, 16;\n" \
  "add.u64 %rd2, %rd2, %rd4; add.u64 %rd3, %rd3, %rd4;\nld.global.v4.f32 {%f1, %f2, %f3, %f4}, [%rd2]; mov.b32 %r2, %f4;\n"
#define END "\nst.global.v4.f32 [%rd3], {%f5, %f6, %f7, %f8};\nret;\n}\n"
#define TO "{%f5, %f6, %f7, %f8}, "

typedef struct Rig { PtxModule *module; Launch launch; SimOptions options; Sim *sim; LsErr err; } Rig;

static void rig_init(Rig *r, const char *code, uint32_t threads) {
  char *text = ls_format("%s%s%s", BEGIN, code, END);
  *r = (Rig){0};
  launch_init(&r->launch);
  sim_options_init(&r->options);
  r->launch.kernel = ls_strdup("k");
  r->launch.block[0] = threads;
  r->module = ptx_parse("cube.ptx", text, strlen(text), &r->err);
  if (!r->module) printf("\n%s\n", r->err.message);
  CU_ASSERT_FATAL(r->module != NULL);
  free(text);
}

static void rig_arg(Rig *r, const char *text, const void *bytes) {
  bool ok = launch_add_arg(&r->launch, text, &r->err);
  if (!ok) printf("\n%s\n", r->err.message);
  CU_ASSERT_FATAL(ok);
  LaunchArg *arg = &r->launch.args[r->launch.arg_count - 1];
  size_t size = (size_t)arg->count * (size_t)launch_type_size(arg->type);
  if (!bytes) return;
  arg->init = LAUNCH_DATA;
  arg->data = memcpy(ls_alloc(size), bytes, size);
}

static bool rig_new(Rig *r) {
  r->sim = sim_new(r->module, ptx_find_entry(r->module, "k", &r->err), &r->launch, &r->options, &r->err);
  return r->sim != NULL;
}

static void rig_fini(Rig *r) {
  sim_free(r->sim);
  launch_fini(&r->launch);
  ptx_module_free(r->module);
}

// ---- middles -------------------------------------------------------------------------------------------------------

// The table of the CUDA programming guide, "Cubemap Textures": the axis of the largest magnitude, and s and t along the others.
static void guide_direction(int face, float s, float t, float size, float out[3]) {
  const float rows[6][3] = {{1, -t, -s}, {-1, -t, s}, {s, 1, t}, {s, -1, -t}, {s, -t, 1}, {-s, -t, -1}};
  for (int k = 0; k < 3; k++) out[k] = rows[face][k] * size;
}

enum { SIDE = 8, PLACES = 6 * SIDE * SIDE };

// In the middle of a texel a filter changes nothing.
static void check_middles(const char *options, const char *code, uint32_t layer, float first) {
  Rig r;
  float at[PLACES][4];
  uint64_t bytes;
  for (int i = 0; i < PLACES; i++) {
    float s = (2 * (float)(i % SIDE) + 1) / SIDE - 1, t = (2 * (float)(i / SIDE % SIDE) + 1) / SIDE - 1;
    guide_direction(i / SIDE / SIDE, s, t, ldexpf(1, i % 5 - 2), at[i]);
    memcpy(&at[i][3], &layer, sizeof layer);
  }
  rig_init(&r, code, PLACES);
  rig_arg(&r, options, NULL);
  rig_arg(&r, "f32[1536]=zero", at);
  rig_arg(&r, "f32[1536]=zero", NULL);
  bool ok = rig_new(&r);
  if (!ok) printf("\n%s\n", r.err.message);
  CU_ASSERT_FATAL(ok && sim_run(r.sim, NULL, &r.err));
  const float *out = (const void *)sim_buffer(r.sim, 2, &bytes);
  int wrong = 0;
  for (int i = 0; i < PLACES; i++) wrong += out[4 * i] != first + (float)i;
  CHECK_INT(wrong, 0);
  rig_fini(&r);
}

static void test_middles(void) {
  static const char *const cube = "tex.cube.v4.f32.f32 " TO "[%rd1, {%f1, %f2, %f3, %f3}];";
  static const char *const layered = "tex.acube.v4.f32.f32 " TO "[%rd1, {%r2, %f1, %f2, %f3}];";
  check_middles("tex.f32[8x8x6]=iota,cube", cube, 0, 0);
  check_middles("tex.f32[8x8x6]=iota,cube,linear,wrap", cube, 0, 0);
  check_middles("tex.f32[8x8x6]=iota,cube,linear,border", "tex.level.cube.v4.f32.f32 " TO "[%rd1, {%f1, %f2, %f3, %f3}], %f1;", 0, 0);
  check_middles("tex.f32[8x8x6]=iota,cube",
                "tex.grad.cube.v4.f32.f32 " TO "[%rd1, {%f1, %f2, %f3, %f3}], {%f1, %f1, %f1, %f1}, {%f1, %f1, %f1, %f1};", 0, 0);
  check_middles("tex.f32[8x8x18]=iota,cube,layered", layered, 1, PLACES);
  check_middles("tex.f32[8x8x18]=iota,cube,layered,linear", layered, 7, 2 * PLACES);   // the last one
}

// ---- anywhere, against an H200 -------------------------------------------------------------------------------------

// All triples of odd numbers; then directions: any, near edges and corners, on and beside steps of the coordinate, along
// a row of texels, across an edge. The same were asked on the GPU.
enum { TURNS_ANY = 24576, TURNS_EDGE = 32768, TURNS_WALK = 16384, TURNS_ACROSS = 8192, TURNS_ALL = 134912, TEXELS = 8 };
#define TURNS_HASH 0x9f245ad0b0e851aaull   // of those that were asked
typedef struct Turns { float at[TURNS_ALL][4]; int count; uint32_t state; } Turns;

static uint32_t draw(Turns *t) {
  t->state = t->state * 1664525u + 1013904223u;
  uint32_t x = t->state;
  x ^= x >> 15;
  x *= 0x2c1b3c6du;
  return x ^ x >> 12;
}
static float draw_unit(Turns *t) { return (float)(draw(t) >> 8) / 16777216.0f; }
static float float_of(uint32_t bits) { float f; memcpy(&f, &bits, sizeof f); return f; }
static uint32_t bits_of(float f) { uint32_t bits; memcpy(&bits, &f, sizeof bits); return bits; }

static void add_turn(Turns *t, float x, float y, float z) {
  float *at = t->at[t->count++];
  at[0] = x, at[1] = y, at[2] = z;
}
static void add_on_face(Turns *t, uint32_t face, float a, float b, float m) {
  const float rows[6][3] = {{m, -b, -a}, {-m, -b, a}, {a, m, b}, {a, -m, -b}, {a, -b, m}, {-a, -b, -m}};
  add_turn(t, rows[face][0], rows[face][1], rows[face][2]);
}

static void add_odd(Turns *t) {
  const uint32_t bits[] = {1, 0x80000001, 0x007fffff, 0x00800000, 0x7f7fffff, 0xff7fffff,
                           0x3f800001, 0x3f7fffff, 0xbf800001, 0xbf7fffff};
  float odd[24] = {0, -0.0f, 1, -1, 2, -2, 0.5f, -0.75f, INFINITY, -INFINITY, NAN, -NAN, [22] = 1e-20f, 1e20f};
  memcpy(&odd[12], bits, sizeof bits);
  for (int a = 0; a < LS_COUNT(odd); a++)
    for (int b = 0; b < LS_COUNT(odd); b++)
      for (int c = 0; c < LS_COUNT(odd); c++) add_turn(t, odd[a], odd[b], odd[c]);
}

static void add_any(Turns *t) {
  for (int i = 0; i < TURNS_ANY; i++) {
    int exponent = (int)(draw(t) % 60) - 30;
    float m = ldexpf(1 + draw_unit(t), exponent), z = (draw_unit(t) * 2 - 1) * m, y = (draw_unit(t) * 2 - 1) * m;
    add_turn(t, (draw_unit(t) * 2 - 1) * m, y, z);
  }
}

static void add_edges(Turns *t) {
  for (int i = 0; i < TURNS_EDGE; i++) {
    float m = 1 + draw_unit(t), a = draw(t) & 1 ? m : -m;
    float b = draw(t) % 3 ? (draw_unit(t) * 2 - 1) * m : draw(t) & 1 ? m : -m;
    int off = (int)(draw(t) % 65) - 32;
    uint32_t shift = draw(t) % 16;
    a = float_of(bits_of(a) + (uint32_t)(off * (1 << shift)));
    if (draw(t) & 1) {
      off = (int)(draw(t) % 65) - 32;
      b = float_of(bits_of(b) + (uint32_t)(off * (1 << draw(t) % 16)));
    }
    bool swap = draw(t) & 1;
    add_on_face(t, draw(t) % 6, swap ? b : a, swap ? a : b, m);
  }
}

static void add_steps(Turns *t) {
  const float sizes[] = {1, 3, 0.7f, 1.9999999f, 1.5f, 1.2345678f, 1e-10f, 7e12f};
  for (int walk = 0; walk < 3; walk++)
    for (int i = 0; i < 8 * 17 * 96; i++) {
      int k = i / 96 % 17, j = i % 96 - 48;
      float m = sizes[i / 96 / 17], along = (float)((2.0 * k / 16 - 1 + j * ldexp(1, j & 1 ? -24 : -21)) * (double)m);
      if (walk < 2) add_on_face(t, walk ? 5 : 0, along, 0.3f * m, m);
      else add_on_face(t, 4, 0.3f * m, along, m);
    }
}

static void add_walks(Turns *t) {
  for (int j = 0; j < TURNS_WALK; j++) {
    float m = j & 1 ? 1 : 1.7f;
    add_on_face(t, 4, (float)((2 * (0.25 + 0.25 * j / TURNS_WALK) - 1) * (double)m), 0.125f * m, m);
  }
  for (int j = 0; j < TURNS_ACROSS; j++) {
    float u = 0.75f + 0.5f * (float)j / TURNS_ACROSS;
    add_on_face(t, (uint32_t)j % 6, u <= 1 ? u : 1, 0.2f, u <= 1 ? 1 : 2 - u);
  }
}

// What comes after the directions in the same numbers: layers, and then the texels.
static void add_layers(Turns *t) {
  static const int layers[] = {0, 1, 2, 3, 4, 5, 6, 7, 100, -1, -2, INT32_MAX, INT32_MIN, 65535, 65536, 1};
  for (int i = 0; i < t->count; i++) t->at[i][3] = float_of((uint32_t)layers[draw(t) % 16]);
}

static uint64_t hash_of(const void *bytes, size_t size) {   // FNV-1a, but for the constant it begins with
  uint64_t hash = 1469598103934665603u;
  for (size_t i = 0; i < size; i++) hash = (hash ^ ((const uint8_t *)bytes)[i]) * 1099511628211u;
  return hash;
}

static Turns *turns_new(void) {
  Turns *t = ls_alloc(sizeof *t);
  t->state = 12345;
  add_odd(t);
  add_any(t);
  add_edges(t);
  add_steps(t);
  add_walks(t);
  add_layers(t);
  return t;
}

// The texels behind them: three layers of numbers between -1000 and 1000, and bytes.
static void draw_texels(Turns *t, float numbers[18 * TEXELS * TEXELS], uint8_t bytes[6 * TEXELS * TEXELS]) {
  for (int i = 0; i < 18 * TEXELS * TEXELS; i++) numbers[i] = floorf(draw_unit(t) * 2000 * 64) / 64 - 1000;
  for (int i = 0; i < 6 * TEXELS * TEXELS; i++) bytes[i] = (uint8_t)(draw(t) >> 11);
}

// Texel x, y has these two numbers: what a filter makes of them tells the weights.
static void number_texels(float texels[6 * TEXELS * TEXELS][4]) {
  for (int i = 0; i < 6 * TEXELS * TEXELS; i++)
    texels[i][0] = (float)(i % TEXELS), texels[i][1] = (float)(i / TEXELS % TEXELS);
}

// Of each group of directions the hash of what was fetched, as the GPU's stands in the file: name, then six hashes.
static void check_hashes(const char *name, const float (*fetched)[4], int channels, const char *file) {
  static const int ends[] = {13824, 38400, 71168, 110336, 126720, 134912};
  const char *line = strstr(file, name);
  CHECK(line != NULL);
  if (!line) return;
  line += strlen(name);
  for (int group = 0, i = 0; group < LS_COUNT(ends); group++) {
    LsText bytes = {0};
    for (; i < ends[group]; i++) ls_text_addn(&bytes, (const char *)fetched[i], (size_t)channels * sizeof(float));
    char *end;
    uint64_t want = strtoull(line, &end, 16), got = hash_of(ls_text_str(&bytes), bytes.length);
    if (got != want) printf("\n%s, directions before %d: %016llx", name, ends[group], (unsigned long long)got);
    CHECK(got == want);
    line = end;
    ls_text_free(&bytes);
  }
}

typedef struct Asked { const char *name, *image, *code; const void *texels; int channels; } Asked;

static void check_turns(const Asked *asked, const Turns *turns, const char *file) {
  Rig r;
  uint64_t bytes;
  char *places = ls_format("f32[%d]=zero", turns->count * 4);
  rig_init(&r, asked->code, 128);
  r.launch.grid[0] = (uint32_t)turns->count / 128;
  rig_arg(&r, asked->image, asked->texels);
  rig_arg(&r, places, turns->at);
  rig_arg(&r, places, NULL);
  free(places);
  bool ok = rig_new(&r) && sim_run(r.sim, NULL, &r.err);
  if (!ok) printf("\n%s\n", r.err.message);
  CU_ASSERT_FATAL(ok);
  check_hashes(asked->name, (const void *)sim_buffer(r.sim, 2, &bytes), asked->channels, file);
  rig_fini(&r);
}

static void test_turns(void) {
  static const char cube[] = "tex.cube.v4.f32.f32 " TO "[%rd1, {%f1, %f2, %f3, %f3}];";
  static const char layered[] = "tex.acube.v4.f32.f32 " TO "[%rd1, {%r2, %f1, %f2, %f3}];";
  static float numbers[18 * TEXELS * TEXELS], counted[6 * TEXELS * TEXELS][4];
  static uint8_t bytes[6 * TEXELS * TEXELS];
  Turns *turns = turns_new();
  char *file = source_read("tests/unit/sim/vectors/cube.hashes", 1 << 16, NULL, NULL);
  CHECK(turns->count == TURNS_ALL && hash_of(turns->at, sizeof(float[4]) * TURNS_ALL) == TURNS_HASH);
  draw_texels(turns, numbers, bytes);
  number_texels(counted);
  const Asked all[] = {
      {"point clamp", "tex.f32[8x8x6]=zero,cube,clamp", cube, numbers, 1},
      {"point mirror", "tex.f32[8x8x6]=zero,cube,mirror", cube, numbers, 1},
      {"point border", "tex.f32[8x8x6]=zero,cube,border", cube, numbers, 1},
      {"point wrap", "tex.f32[8x8x6]=zero,cube,wrap", cube, numbers, 1},
      {"point layered", "tex.f32[8x8x18]=zero,cube,layered,clamp", layered, numbers, 1},
      {"point bytes", "tex.u8[8x8x6]=zero,cube,clamp,float", cube, bytes, 1},
      {"linear weights", "tex.f32x4[8x8x6]=zero,cube,clamp,linear", cube, counted, 2},
  };
  for (int i = 0; file && i < LS_COUNT(all); i++) check_turns(&all[i], turns, file);
  CHECK(file != NULL);
  free(file);
  free(turns);
}

// ---- what is no cube map, or no fetch from one ---------------------------------------------------------------------

static void check_fault(const char *code, const char *image, const char *message) {
  Rig r;
  int faults;
  rig_init(&r, code, 1);
  rig_arg(&r, image, NULL);
  rig_arg(&r, "f32[4]=iota", NULL);
  rig_arg(&r, "f32[4]=zero", NULL);
  CU_ASSERT_FATAL(rig_new(&r) && sim_run(r.sim, NULL, &r.err));
  const TraceFault *first = sim_faults(r.sim, &faults);
  CHECK(faults > 0 && strstr(first->message, message));
  if (faults && !strstr(first->message, message)) printf("\n%s\n", first->message);
  rig_fini(&r);
}

static void check_refusal(const char *code, const char *message) {
  Rig r;
  rig_init(&r, code, 1);
  rig_arg(&r, "tex.f32[4x4x6]=iota,cube", NULL);
  rig_arg(&r, "f32[4]=iota", NULL);
  rig_arg(&r, "f32[4]=zero", NULL);
  CHECK(!rig_new(&r));
  CHECK_INT(r.err.kind, LS_EUNSUPPORTED);
  CHECK(strstr(r.err.message, message) != NULL);
  if (!strstr(r.err.message, message)) printf("\n%s\n", r.err.message);
  rig_fini(&r);
}

static void test_refusals(void) {
  static const char *const cube = "tex.cube.v4.f32.f32 " TO "[%rd1, {%f1, %f2, %f3, %f3}];";
  check_fault(cube, "tex.f32[4x4]=iota", "an instruction for a cube texture is used with argument 1, which is a 2d texture");
  check_fault(cube, "tex.f32[4x4x12]=iota,cube,layered", "which is a cube layered texture");
  check_fault("tex.a2d.v4.f32.f32 " TO "[%rd1, {%r2, %f1, %f2, %f2}];", "tex.f32[4x4x6]=iota,cube", "which is a cube texture");
  check_refusal("tex.cube.v4.f32.f32 " TO "[%rd1, {%f1, %f2, %f3, %f3}], %f1;", "comparing with a depth");
  check_refusal("tex.cube.v4.f32.s32 " TO "[%rd1, {%r1, %r1, %r1, %r1}];", "a direction in whole numbers");
  check_refusal("tex.cube.v4.f32.f32 " TO "[%rd1, {%f1, %f2, %f3, %f3}], {%r1, %r1, %r1, %r1};", "an offset in a cube map");
  check_refusal("tld4.r.cube.v4.f32.f32 " TO "[%rd1, {%f1, %f2, %f3, %f3}];", "gathering from other than two dimensions");
}

static const Check checks[] = {
    {"the middles of all texels", test_middles},
    {"any direction, as an H200", test_turns},
    {"faults and refusals", test_refusals},
};

int main(int argc, char **argv) {
  return check_main("sim_cube", checks, LS_COUNT(checks), argc, argv);
}
