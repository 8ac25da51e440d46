// written.c: which buffers a kernel may write, from its code alone.
#include "ptx/param_use.h"
#include "sim/analysis/analysis.h"
#include "sim/core/memory.h"

// A buffer of a program that parameters point at, none of which is written through.
static bool is_only_read(const SimProgram *program, const PtxParamUse *use, const SimAlloc *a) {
  int pointers = 0;
  for (int i = 0; i < program->launch->arg_count; i++) {
    const LaunchArg *arg = &program->launch->args[i];
    if (!arg->points || arg->owner != a->arg) continue;
    pointers++;
    if (ptx_param_in(use->written, program->arg_param[i])) return false;
  }
  return pointers > 0;
}

void sim_find_written(const SimProgram *program, SimMemory *memory) {
  PtxParamUse use;
  uint8_t *reached = LS_NEW_ARRAY(program->arena, uint8_t, program->module->func_count + 1);
  for (int i = 0; i < program->module->func_count; i++) reached[i] = program->funcs[i].reached;
  ptx_param_use(program->module, program->entry, reached, program->arena, &use);
  for (int i = 0; i < memory->alloc_count; i++) {
    SimAlloc *a = &memory->allocs[i];
    int param = a->arg >= 0 ? program->arg_param[a->arg] : -1;
    if (a->image) { a->may_be_written = a->image->kind == LAUNCH_SURFACE; continue; }
    a->may_be_written = param >= 0 ? ptx_param_in(use.written, param) : !is_only_read(program, &use, a);
  }
}
