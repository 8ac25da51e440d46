// program_own.c: one launch of somebody's own file as a program of one step, for what its kernel launches.
#include <stdlib.h>
#include <string.h>

#include "app/run/program_run.h"
#include "base/file.h"
#include "base/mem.h"
#include "ptx/demangle.h"
#include "sim/sim.h"

// A number, a buffer, or a variable of the module: what steps of programs have.
static bool is_simple(const LaunchArg *arg) {
  bool moved = arg->role == LAUNCH_POINTEE || arg->role == LAUNCH_MEMORY || arg->points;
  return !arg->is_struct && arg->image.kind == LAUNCH_NO_IMAGE && !moved;
}

bool program_own_has_children(const RunRequest *request, const Device *device, const PtxModule *module, int entry,
                              const Launch *launch) {
  if (request->recipe || !device->asked || run_request_runner(request) || !sim_may_launch(module, entry)) return false;
  for (int i = 0; i < launch->arg_count; i++)
    if (!is_simple(&launch->args[i])) return false;
  return true;
}

// Takes the argument.
static void add_buffer(HostProgram *program, LaunchArg *arg, ProgramStep *step) {
  ProgramBuffer buffer = {.contents = *arg, .host = PROGRAM_DEVICE_ONLY};
  if (!arg->name) buffer.contents.name = ls_format("argument %d", step->arg_count + 1);
  buffer.contents.role = LAUNCH_MEMORY;
  ProgramArg given = {.is_buffer = true, .buffer = program->buffer_count};
  LS_PUSH(program->buffers, program->buffer_count, program->buffer_capacity, buffer);
  LS_PUSH(step->args, step->arg_count, step->arg_capacity, given);
  *arg = (LaunchArg){0};
}

static void add_number(const LaunchArg *arg, ProgramStep *step) {
  ProgramArg given = {.number = launch_value(arg->type, arg->scalar), .is_integer = !launch_type_is_float(arg->type)};
  int shift = 64 - 8 * launch_type_size(arg->type);
  if (launch_type_is_signed(arg->type)) given.integer = (int64_t)(arg->scalar << shift) >> shift;
  else given.integer = (int64_t)(arg->scalar << shift >> shift);
  LS_PUSH(step->args, step->arg_count, step->arg_capacity, given);
}

// As people write it, where that means this kernel alone.
static char *kernel_name(const PtxModule *module, int entry) {
  const char *full = module->funcs[entry].demangled;
  char *brief = ls_strndup(full, (size_t)ptx_name_length(full));
  if (ptx_find_entry(module, brief, NULL) == entry) return brief;
  free(brief);
  return ls_strdup(module->funcs[entry].name);
}

bool program_of_launch(const char *what, const Launch *launch, const PtxModule *module, int entry, HostProgram *program,
                       LsErr *err) {
  Launch own;
  ProgramStep step;
  launch_copy(&own, launch);
  program_init(program);
  program_step_init(&step, PROGRAM_LAUNCH);
  program->name = ls_strdup(ls_path_base(what));
  step.kernel = kernel_name(module, entry);
  memcpy(step.grid, own.grid, sizeof step.grid);
  memcpy(step.block, own.block, sizeof step.block);
  step.shared_bytes = own.shared_bytes;
  for (int i = 0; i < own.arg_count; i++) {
    LaunchArg *arg = &own.args[i];
    if (arg->role == LAUNCH_VARIABLE) {
      LS_PUSH(program->symbols, program->symbol_count, program->symbol_capacity, *arg);
      *arg = (LaunchArg){0};
    } else if (arg->is_buffer) {
      add_buffer(program, arg, &step);
    } else {
      add_number(arg, &step);
    }
  }
  LS_PUSH(program->steps, program->step_count, program->step_capacity, step);
  launch_fini(&own);
  return program_settle(program, err);
}
