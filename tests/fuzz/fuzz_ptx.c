// fuzz_ptx.c: any bytes as PTX: parsed, printed, and, if they are a kernel, executed for a moment.
#include <stdlib.h>
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

static const char *const images[] = {
    "tex.f32x2[5x3]=none,linear,wrap/border,normalized", "tex.u8[9]=iota,float,border", "tex.i16x4[4x3x2]=mod:7,layered",
    "tex.f16[3x3x3]=iota,linear,clamp", "surf.u32[7x3]=none", "surf.u8x4[5x2x2]=iota,layered", "surf.f32[16]=zero",
};

static bool uses_images(const PtxModule *module) {
  for (int pc = 0; pc < module->code_count; pc++) {
    PtxOp op = (PtxOp)module->code[pc].op;
    if (op == PTX_OP_tex || op == PTX_OP_tld4 || op == PTX_OP_suld || op == PTX_OP_sust) return true;
  }
  return false;
}

// Textures and surfaces that the module declares.
static void give_references(const PtxModule *module, Launch *launch) {
  for (int v = 0; v < module->var_count && launch->arg_count < 64; v++) {
    const PtxVar *var = &module->vars[v];
    if (var->type != PTX_TEXREF && var->type != PTX_SURFREF) continue;
    char *text = ls_format("%s=%s", var->name, images[var->type == PTX_TEXREF ? v % 4 : 4 + v % 3]);
    launch_add_arg(launch, text, NULL);
    free(text);
  }
}

// Every pointer parameter gets a small buffer, every other one a number. In a module that uses textures or surfaces, which
// of the parameters are their handles depends on the length of the text.
static void give_arguments(const PtxModule *module, int entry, Launch *launch) {
  const PtxFunc *func = &module->funcs[entry];
  bool with_images = uses_images(module);
  if (with_images) give_references(module, launch);
  for (int i = 0; i < func->param_count && i < 64; i++) {
    static const char *const scalars[] = {"u8=3", "u8=3", "u16=3", "u32=3", "u32=3"};
    int64_t size = func->params[i].size;
    size_t choice = module->text_length + (size_t)i * 3;
    if (with_images && size == 8 && choice % 4) {
      launch_add_arg(launch, images[choice % LS_COUNT(images)], NULL);
      continue;
    }
    launch_add_arg(launch, size == 8 ? "f32[64]=iota" : size <= 4 && size >= 0 ? scalars[size] : "u64=3", NULL);
  }
}

static void execute(const PtxModule *module, int entry, SimSched sched) {
  Launch launch;
  SimOptions options;
  launch_init(&launch);
  launch.grid[0] = 3;
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
