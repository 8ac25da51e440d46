// bench_cost.c: one run of the emulator, for a tool that counts the host's instructions (bench_cost.sh).
//
//   bench_cost run RECIPE          with all checks
//   bench_cost uncovered RECIPE    the same, but nobody looks how much of its results the kernel wrote
//   bench_cost chain FORM          four warps, 100 rounds of 64 instructions that wait for each other: sqrt.approx.f32
//
// Only `measured` counts.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/mem.h"
#include "gpu/works.h"
#include "sim/sim.h"

enum { CHAIN = 64, ROUNDS = 100 };

void measured(Sim *sim, LsErr *err);
__attribute__((noinline)) void measured(Sim *sim, LsErr *err) {
  if (!sim_run(sim, NULL, err)) fprintf(stderr, "bench_cost: %s\n", err->message);
}

// A buffer that is none is no result; only what is set up behind sim_new looks there.
static void hide_results(Launch *launch) {
  for (int i = 0; i < launch->arg_count; i++) launch->args[i].is_buffer = false;
}

static bool run(const PtxModule *module, int entry, Launch *launch, int checks, bool covered, LsErr *err) {
  SimOptions options;
  sim_options_init(&options);
  options.checks = checks;
  Sim *sim = sim_new(module, entry, launch, &options, err);
  if (sim && !covered) hide_results(launch);
  if (sim) measured(sim, err);
  if (sim) printf("%.0f\n", (double)sim_warp_instructions(sim));
  sim_free(sim);
  return !err->message[0];
}

static bool run_recipe(const char *name, bool covered, LsErr *err) {
  Works works = {0};
  setenv("LANESCOPE_DATA", LS_SOURCE_DIR, 0);
  bool ok = works_add_recipes(&works, true, false, err), found = false;
  for (int i = 0; ok && !found && i < works.count; i++) {
    Work *work = &works.items[i];
    found = strncmp(work->name, name, strlen(name)) == 0 && work->name[strlen(name)] == ',';
    if (found) ok = run(work->module, work->entry, &work->launch, SIM_CHECK_ALL, covered, err);
  }
  works_fini(&works);
  return ok && (found || ls_fail(err, LS_EREQUEST, "there is no recipe %s", name));
}

// A quotient takes its own result and a number; others take the result alone.
static void chain_ptx(const char *form, LsText *out) {
  ls_text_add(out, ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 p) {\n"
              ".reg .b32 %r<3>; .reg .b64 %rd<3>; .reg .f32 %f<3>; .reg .pred %p;\n"
              "ld.param.u64 %rd1, [p]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd2, %r1, 4; add.u64 %rd1, %rd1, %rd2;\n"
              "ld.global.f32 %f1, [%rd1]; mov.f32 %f2, 0f3F9D70A4; mov.u32 %r2, 0;\nAGAIN:\n");
  for (int i = 0; i < CHAIN; i++)
    ls_text_addf(out, "%s %%f1, %s%%f1;\n", form, strncmp(form, "div", 3) == 0 ? "%f2, " : "");
  ls_text_addf(out, "add.u32 %%r2, %%r2, 1; setp.lt.u32 %%p, %%r2, %d; @%%p bra AGAIN;\n", ROUNDS);
  ls_text_add(out, "st.global.f32 [%rd1], %f1;\nret;\n}\n");
}

static bool run_chain(const char *form, LsErr *err) {
  LsText text = {0};
  Launch launch;
  chain_ptx(form, &text);
  launch_init(&launch);
  PtxModule *module = ptx_parse("chain.ptx", ls_text_str(&text), text.length, err);
  bool ok = module && launch_parse_dim("128", false, launch.block, err) &&
            launch_add_arg(&launch, "f32[128]=random:1", err) && run(module, 0, &launch, 0, true, err);
  launch_fini(&launch);
  ptx_module_free(module);
  ls_text_free(&text);
  return ok;
}

int main(int argc, char **argv) {
  LsErr err = {0};
  bool ok = argc == 3;
  if (!ok) ls_fail(&err, LS_EREQUEST, "run RECIPE, uncovered RECIPE or chain FORM");
  else if (strcmp(argv[1], "chain") == 0) ok = run_chain(argv[2], &err);
  else ok = run_recipe(argv[2], strcmp(argv[1], "uncovered") != 0, &err);
  if (!ok) fprintf(stderr, "bench_cost: %s\n", err.message);
  return !ok;
}
