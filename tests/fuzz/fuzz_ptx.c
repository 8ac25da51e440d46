// fuzz_ptx.c: any bytes as PTX: parsed, printed, and, if they are a kernel, executed for a moment.
#include <string.h>

#include "fuzz.h"
#include "ptx/cfg.h"
#include "sim/sim.h"

enum { RUN_BUDGET = 2000, MOST_MEMORY = 1 << 22 };

static void walk(const PtxModule *module) {
  LsText text = {0};
  for (int pc = 0; pc < module->code_count && pc < 400; pc++) {
    int file, line;
    ls_text_clear(&text);
    ptx_print_instr(module, pc, &text);
    ptx_line_of(module, pc, &file, &line);
  }
  ls_text_free(&text);
  LsArena *arena = ls_arena_new();
  for (int f = 0; f < module->func_count && f < 16; f++)
    if (!module->funcs[f].is_extern) ptx_cfg_new(module, f, arena);
  ls_arena_free(arena);
}

// Every pointer parameter gets a small buffer, every other one a number.
static void give_arguments(const PtxModule *module, int entry, Launch *launch) {
  const PtxFunc *func = &module->funcs[entry];
  for (int i = 0; i < func->param_count && i < 64; i++) {
    static const char *const scalars[] = {"u8=3", "u8=3", "u16=3", "u32=3", "u32=3"};
    int64_t size = func->params[i].size;
    launch_add_arg(launch, size == 8 ? "f32[64]=iota" : size <= 4 && size >= 0 ? scalars[size] : "u64=3", NULL);
  }
}

static void execute(const PtxModule *module, int entry, SimSched sched) {
  Launch launch;
  SimOptions options;
  launch_init(&launch);
  launch.block[0] = 40;
  launch.shared_bytes = 256;
  give_arguments(module, entry, &launch);
  sim_options_init(&options);
  options.sched = sched;
  options.budget = RUN_BUDGET;
  options.max_global = MOST_MEMORY;
  LsErr err = {0};
  TraceSink nobody = {0};
  Sim *sim = sim_new(module, entry, &launch, &options, &err);
  if (sim) sim_run(sim, &nobody, &err);
  sim_free(sim);
  launch_fini(&launch);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  LsErr err = {0};
  PtxModule *module = ptx_parse("fuzz.ptx", (const char *)data, size, &err);
  if (!module) return 0;
  walk(module);
  for (int f = 0, runs = 0; f < module->func_count && runs < 2; f++)
    if (module->funcs[f].is_entry) execute(module, f, runs++ ? SIM_STACK : SIM_ITS);
  ptx_module_free(module);
  return 0;
}
