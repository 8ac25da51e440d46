// test_sim_cube.c: fetches from cube maps in the middles of texels, where the CUDA programming guide's table of
// faces ("Cubemap Textures") says all; and what is refused.
#include <math.h>
#include <string.h>
#include "base/mem.h"
#include "check.h"
#include "ptx/module.h"
#include "sim/sim.h"
#include "launch/launch.h"

// ---- running -------------------------------------------------------------------------------------------------------

#define BEGIN ".version 8.0\n.target sm_90\n.address_size 64\n.global .texref img;\n" \
  ".visible .entry k(.param .u64 t, .param .u64 at, .param .u64 out) {\n.reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .f32 %f<9>;\n" \
  "ld.param.u64 %rd1, [t]; ld.param.u64 %rd2, [at]; ld.param.u64 %rd3, [out];\nmov.u32 %r1, %tid.x; mul.wide.u32 %rd4, %r1, 16;\n" \
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
    {"faults and refusals", test_refusals},
};

int main(int argc, char **argv) {
  return check_main("sim_cube", checks, LS_COUNT(checks), argc, argv);
}
