// test_sim_requests.c: the emulator on kernels written here: launches and modules that are refused, and what is
// said of it.
#include "base/mem.h"
#include "sim/core/exec.h"
#include "sim_rig.h"

static void expect_refusal(const char *params, const char *body, const char *block, const char *arg, LsErrKind kind,
                           const char *words) {
  Rig rig;
  char *text = ls_format("%s.visible .entry k(%s)\n{\n%s%s\n}\n", rig_head, params, rig_registers, body);
  rig_init(&rig, text);
  free(text);
  if (strcmp(block, "0") == 0) rig.launch.block[0] = 0;
  else rig_size(&rig, "1", block);
  if (arg) rig_arg(&rig, arg);
  CHECK(!rig_make(&rig));
  CHECK_INT(rig.err.kind, kind);
  if (!strstr(rig.err.message, words)) printf("\n  got: %s\n", rig.err.message);
  CHECK(strstr(rig.err.message, words) != NULL);
  rig_free(&rig);
}

static void test_refusals(void) {
  expect_refusal(".param .u64 p0", "ret;", "1", NULL, LS_EREQUEST, "k takes 1 argument (.u64), the launch gives 0");
  expect_refusal(".param .u64 p0", "ret;", "1", "i32=1", LS_EREQUEST,
                 "argument 1 of k: a scalar of type i32 (4 bytes) is given; the kernel expects .u64");
  expect_refusal(".param .u32 p0", "ret;", "1", "f32[4]=zero", LS_EREQUEST, "a buffer is given");
  expect_refusal(".param .f32 p0", "ret;", "1", "i32=4", LS_EREQUEST, "expects .f32");
  expect_refusal(".param .u64 p0", "ret;", "1", "q=4", LS_EREQUEST, "no parameter named q; it has p0");
  expect_refusal("", "ret;", "0", NULL, LS_EREQUEST, "block of 0 x 1 x 1");
  expect_refusal("", ".shared .b8 big[300000]; ret;", "1", NULL, LS_EREQUEST, "shared memory");
  expect_refusal(
      "",
      "tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd1, {%f1, %f2}]; sured.b.1d.add.u32.trap [%rd1, {%r1}], %r2; ret;",
      "1", NULL, LS_EUNSUPPORTED, "sured");
}

static void test_hostile_launches(void) {   // end soon, and say why
  Rig rig;
  rig_kernel(&rig, ".param .u64 p0", "", "ret;");
  rig.options.record_all = false;
  rig.options.budget = 1 << 20;
  rig_size(&rig, "2147483647", "1024");
  rig_arg(&rig, "u32[1]=zero");
  rig_run(&rig);
  const TraceFault *fault = rig_fault(&rig, FAULT_BUDGET);
  CHECK(fault && fault->block < 2000 && strstr(fault->message, "of 2147483647 blocks done"));
  rig_free(&rig);
  const char *globals[] = {".global .b8 big[3000000000];", ".global .b8 a[1500000000]; .global .b8 b[1500000000];"};
  for (int k = 0; k < 2; k++) {
    rig_kernel(&rig, ".param .u64 p0", globals[k], "ret;");
    rig_arg(&rig, "u32[1]=zero");
    CHECK(!rig_make(&rig));
    CHECK(strstr(rig.err.message, "emulated global memory is limited to 2048 MB") != NULL);
    rig_free(&rig);
  }
}

// A kernel of another file (.extern .entry), as nvcc -rdc=true declares what kernels launch.
static void test_declared_only(void) {
  Rig rig;
  rig_kernel(&rig, ".param .u64 p0", ".extern .entry other(.param .u64 p);", "ret;");
  for (int f = 0; f < rig.module->func_count; f++) {
    if (strcmp(rig.module->funcs[f].name, "other") != 0) continue;
    CHECK(sim_new(rig.module, f, &rig.launch, &rig.options, &rig.err) == NULL);
    CHECK_STR(rig.err.message, "there is no such kernel in this module");
  }
  CHECK(ptx_find_entry(rig.module, "other", &rig.err) < 0);
  CHECK_INT(rig.module->func_count, 2);
  rig_free(&rig);
}

// What a launch may execute if nobody says. The last one is a product of 1024 x 1024 as written, whose indexes come from
// calls (gpumult2): 3,022,127,104 warp instructions to its end, and 32 for each warp that starts.
static void test_usual_budget(void) {
  static const struct { const char *grid, *block; uint64_t least; } launches[] = {
      {"1", "32", 1 << 28}, {"64", "256", 1 << 28}, {"1024", "256", 1ull << 30}, {"32,32", "32,32", 3023175680},
  };
  for (int i = 0; i < LS_COUNT(launches); i++) {
    Rig rig;
    rig_kernel(&rig, ".param .u64 p0", "", "ret;");
    rig_size(&rig, launches[i].grid, launches[i].block);
    rig_arg(&rig, "u32[1]=zero");
    CHECK(rig_make(&rig));
    CHECK(rig.sim->program.options.budget >= launches[i].least);
    CHECK(rig.sim->program.options.budget <= 1ull << 32);
    rig_free(&rig);
  }
}

static const Check checks[] = {
    {"hostile launches", test_hostile_launches},
    {"refusals", test_refusals},
    {"declared only", test_declared_only},
    {"usual budget", test_usual_budget},
};

int main(int argc, char **argv) { return check_main("sim_requests", checks, LS_COUNT(checks), argc, argv); }
