// program_args.c: what a launch of a program gives its kernel, as the kernel's parameters hold it.
#include "launch/program_args.h"

#include "ptx/debuginfo.h"

// The type of a number as the parameter holds it.
static LaunchType type_of_param(const PtxModule *module, int entry, int param) {
  static const uint8_t types[PTX_TYPE_COUNT] = {
      [PTX_U8] = LAUNCH_U8, [PTX_B8] = LAUNCH_U8, [PTX_S8] = LAUNCH_I8, [PTX_U16] = LAUNCH_U16, [PTX_B16] = LAUNCH_U16,
      [PTX_S16] = LAUNCH_I16, [PTX_U32] = LAUNCH_U32, [PTX_B32] = LAUNCH_U32, [PTX_S32] = LAUNCH_I32,
      [PTX_U64] = LAUNCH_U64, [PTX_B64] = LAUNCH_U64, [PTX_S64] = LAUNCH_I64, [PTX_F32] = LAUNCH_F32,
      [PTX_F64] = LAUNCH_F64, [PTX_F16] = LAUNCH_F16};
  const PtxDwType *source = ptx_param_source_type(module, entry, param);
  const PtxParam *p = &module->funcs[entry].params[param];
  if (source && source->kind == PTX_DW_FLOAT) return p->size == 8 ? LAUNCH_F64 : LAUNCH_F32;
  return (LaunchType)types[p->type];
}

bool program_number(const PtxModule *module, int entry, const ProgramStep *step, int index, LaunchType *type,
                    uint64_t *bits, LsErr *err) {
  const ProgramArg *given = &step->args[index];
  *type = type_of_param(module, entry, index);
  bool whole = !launch_type_is_float(*type);
  if (whole && !given->is_integer && given->number != (double)given->integer)
    return ls_fail(err, LS_EREQUEST, "argument %d of %s is %g, and the kernel takes a whole number there", index + 1,
                   step->kernel, given->number);
  *bits = whole && given->is_integer ? (uint64_t)given->integer : launch_bits(*type, given->number);
  return true;
}

int program_entry(const PtxModule *module, const ProgramStep *step, LsErr *err) {
  int entry = ptx_find_entry(module, step->kernel, err);
  if (entry < 0) return -1;
  const PtxFunc *f = &module->funcs[entry];
  if (step->arg_count == f->param_count) return entry;
  ls_fail(err, LS_EREQUEST, "the kernel '%s' takes %d argument%s, and the launch gives %d", step->kernel, f->param_count,
          f->param_count == 1 ? "" : "s", step->arg_count);
  return -1;
}

bool program_bind(HostProgram *program, const PtxModule *module, LsErr *err) {
  for (int i = 0; i < program->step_count; i++) {
    ProgramStep *step = &program->steps[i];
    int entry = step->kind == PROGRAM_LAUNCH ? program_entry(module, step, err) : 0;
    if (entry < 0) return false;
    for (int k = 0; k < step->arg_count; k++) {
      LaunchType type;
      ProgramArg *arg = &step->args[k];
      if (!arg->is_buffer && !program_number(module, entry, step, k, &type, &arg->bits, err)) return false;
    }
  }
  return true;
}
