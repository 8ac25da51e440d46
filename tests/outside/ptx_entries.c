// ptx_entries.c: reads PTX files, decodes all that each of their entries can reach, and says whether that worked.
//
//   ptx_entries FILE.ptx...      prints VERDICT, FILE, ENTRY and MESSAGE with tabs between; VERDICT is ok or refused
//
// ENTRY is "-" if the file cannot be read. Exit status 1 if anything was refused. Nothing runs.
#include <stdio.h>
#include <stdlib.h>

#include "base/file.h"
#include "sim/sim.h"

// On one line, so that a line is an answer.
static void say(const char *verdict, const char *path, const char *entry, const char *message) {
  printf("%s\t%s\t%s\t", verdict, path, entry);
  for (const char *at = message; *at; at++) putchar(*at == '\n' || *at == '\t' ? ' ' : *at);
  putchar('\n');
}

// As many threads as the entry asks for; a warp where it asks for nothing.
static void fit_block(const PtxFunc *func, Launch *launch) {
  launch->block[0] = 32;
  for (int axis = 0; axis < 3 && func->reqntid[0]; axis++)
    launch->block[axis] = func->reqntid[axis] > 0 ? (uint32_t)func->reqntid[axis] : 1;
  for (int axis = 0; axis < 3; axis++)
    if (func->reqnctapercluster[axis] > 0) launch->grid[axis] = (uint32_t)func->reqnctapercluster[axis];
}

static uint8_t texels[16];

// An image for every .texref and .surfref: decoding asks only whether there is one. The caller frees the result.
static SimMapping *bind_images(const PtxModule *module, Launch *images, int *count) {
  SimMapping *mappings = calloc((size_t)module->var_count + 1, sizeof *mappings);
  *count = 0;
  launch_init(images);
  for (int pass = 0; mappings && pass < 2; pass++)   // the arguments move while they become more
    for (int v = 0, i = 0; v < module->var_count; v++) {
      const PtxVar *var = &module->vars[v];
      if (var->type != PTX_TEXREF && var->type != PTX_SURFREF) continue;
      if (pass == 0) {
        launch_add_arg(images, var->type == PTX_TEXREF ? "tex.f32[4]=zero" : "surf.f32[4]=zero", NULL);
        continue;
      }
      mappings[i] = (SimMapping){.address = ((uint64_t)i + 1) << 20, .size = 16, .image = &images->args[i],
                                 .bytes = texels, .variable = var->name};
      *count = ++i;
    }
  return mappings;
}

static bool decodes(const PtxModule *module, int entry, LsErr *err) {
  const PtxFunc *func = &module->funcs[entry];
  Launch launch, images;
  SimOptions options;
  launch_init(&launch);
  fit_block(func, &launch);
  sim_options_init(&options);
  uint8_t *params = calloc((size_t)func->param_bytes + 1, 1);
  options.params = params;
  options.params_size = (uint64_t)func->param_bytes;
  SimMapping *mappings = bind_images(module, &images, &options.mapping_count);
  options.mappings = mappings;
  Sim *sim = params && mappings ? sim_new(module, entry, &launch, &options, err) : NULL;
  sim_free(sim);
  free(mappings);
  free(params);
  launch_fini(&images);
  launch_fini(&launch);
  return sim;
}

enum { MOST = 256 << 20 };   // bytes of a file

static bool check_file(const char *path) {
  LsErr err = {0};
  size_t length;
  char *text = ls_file_read(path, MOST, &length, &err);
  PtxModule *module = text ? ptx_parse(path, text, length, &err) : NULL;
  bool good = module;
  if (!module) say("refused", path, "-", err.message);
  for (int f = 0; module && f < module->func_count; f++) {
    if (!ptx_is_kernel(&module->funcs[f])) continue;
    LsErr why = {0};
    bool fine = decodes(module, f, &why);
    say(fine ? "ok" : "refused", path, module->funcs[f].name, fine ? "" : why.message);
    good = good && fine;
  }
  ptx_module_free(module);
  free(text);
  return good;
}

int main(int argc, char **argv) {
  bool good = true;
  for (int i = 1; i < argc; i++) good = check_file(argv[i]) && good;
  return good ? 0 : 1;
}
