// spaces.c: shared and local memory and parameters: where each variable lies, and how much there is.
#include "sim/core/memory.h"

enum { MOST_PARAM = 32 << 10 };

// A variable counts if its function can run, or if it belongs to the module.
bool sim_var_is_used(const SimProgram *program, const PtxVar *var) {
  return var->func < 0 || program->funcs[var->func].reached;
}

static bool lay_shared(SimProgram *program, LsErr *err) {
  uint64_t at = 0, limit = program->options.max_shared ? program->options.max_shared : 227 * 1024, align = 16;
  for (int v = 0; v < program->module->var_count; v++) {
    const PtxVar *var = &program->module->vars[v];
    if (var->space != PTX_SHARED || !sim_var_is_used(program, var)) continue;
    if (var->size <= 0) { align = LS_MAX(align, (uint64_t)var->align); continue; }
    at = ls_align_up(at, (uint64_t)var->align);
    program->var_addr[v] = at;
    at += (uint64_t)var->size;
    if (at > limit) break;
  }
  program->static_shared = at;
  if (program->launch->shared_bytes) at = ls_align_up(at, align);
  for (int v = 0; v < program->module->var_count; v++)
    if (program->module->vars[v].space == PTX_SHARED && program->module->vars[v].size <= 0)
      program->var_addr[v] = ls_align_up(program->static_shared, align);
  if (at > limit || program->launch->shared_bytes > limit - at)
    return ls_fail(err, LS_EREQUEST,
                   "a block needs %llu bytes of shared memory (%llu in the kernel, %llu dynamic); the limit is %llu",
                   (unsigned long long)(at + program->launch->shared_bytes), (unsigned long long)program->static_shared,
                   (unsigned long long)program->launch->shared_bytes, (unsigned long long)limit);
  program->shared_bytes = at + program->launch->shared_bytes;
  return true;
}

static bool lay_local(SimProgram *program, LsErr *err) {
  uint64_t at = 0;
  for (int f = 0; f < program->module->func_count; f++) {
    SimFunc *func = &program->funcs[f];
    if (!func->reached) continue;
    uint64_t frame = 0, *end = func->recursive ? &frame : &at;
    if (!func->recursive) at = ls_align_up(at, 16);
    for (int v = 0; v < program->module->var_count; v++) {
      const PtxVar *var = &program->module->vars[v];
      if (var->space != PTX_LOCAL || (var->func != f && !(var->func < 0 && f == program->entry))) continue;
      *end = ls_align_up(*end, (uint64_t)var->align);
      program->var_addr[v] = *end;
      *end += (uint64_t)LS_MAX(var->size, 0);
      if (*end > 512 * 1024)
        return ls_fail(err, LS_EREQUEST, "the kernel needs more than 512 KB of local memory per thread");
    }
    func->frame_bytes = (uint32_t)ls_align_up(frame, 16);
  }
  program->stack_first = ls_align_up(at, 16);
  program->local_bytes = program->has_recursion ? program->stack_first + SIM_STACK_BYTES : at;
  return true;
}

// .param variables of functions and of calls get a place of their own in every lane's storage.
static bool lay_lane_params(SimProgram *program, LsErr *err) {
  uint64_t at = 0;
  for (int v = 0; v < program->module->var_count; v++)
    if (program->module->vars[v].space == PTX_PARAM && program->module->vars[v].size > MOST_PARAM)
      return ls_fail(err, LS_EREQUEST, "the parameter %s is too large", program->module->vars[v].name);
  for (int f = 0; f < program->module->func_count; f++) {
    SimFunc *func = &program->funcs[f];
    if (!func->reached) continue;
    func->param_first = (uint32_t)(at = ls_align_up(at, 16));
    for (int v = 0; v < program->module->var_count; v++) {
      const PtxVar *var = &program->module->vars[v];
      if (var->space != PTX_PARAM || var->func != f || f == program->entry) continue;
      at = ls_align_up(at, (uint64_t)LS_MAX(var->align, 8));
      program->var_addr[v] = at;
      at += (uint64_t)LS_MAX(var->size, 0);
    }
    func->param_bytes = (uint32_t)(at - func->param_first);
  }
  for (int v = 0; v < program->module->var_count; v++) {  // those of calls inside the entry
    const PtxVar *var = &program->module->vars[v];
    if (var->space != PTX_PARAM || var->func != program->entry) continue;
    program->var_addr[v] = at = ls_align_up(at, (uint64_t)LS_MAX(var->align, 8));
    at += (uint64_t)LS_MAX(var->size, 0);
  }
  const PtxFunc *entry = &program->module->funcs[program->entry];
  for (int i = 0; i < entry->param_count; i++)
    if (entry->params[i].var >= 0) program->var_addr[entry->params[i].var] = (uint64_t)entry->params[i].offset;
  program->param_bytes = (uint64_t)entry->param_bytes;
  program->lane_param_bytes = ls_align_up(at, 16);
  return program->lane_param_bytes <= 1 << 20 ||
         ls_fail(err, LS_EREQUEST, "the kernel's calls have too many parameters to emulate");
}

bool sim_is_image_var(const PtxVar *var) { return var->type == PTX_TEXREF || var->type == PTX_SURFREF; }

uint64_t sim_var_generic(const SimProgram *program, int var) {
  uint64_t addr = program->var_addr[var];
  switch (program->module->vars[var].space) {
  case PTX_SHARED: return addr + SIM_SHARED_WINDOW;
  case PTX_LOCAL: return addr + SIM_LOCAL_WINDOW;
  case PTX_PARAM: return addr + SIM_PARAM_WINDOW;
  default: return addr;
  }
}

bool sim_spaces_new(SimProgram *program, LsErr *err) {
  return lay_shared(program, err) && lay_local(program, err) && lay_lane_params(program, err);
}
