// program_tree.c: launches by kernels as steps of their program, behind those of the host.
#include <stdlib.h>
#include <string.h>

#include "app/run/program_run.h"
#include "base/mem.h"
#include "ptx/demangle.h"
#include "sim/sim.h"

static ProgramKinStream kin_stream(uint64_t stream) {
  if (stream <= SIM_STREAM_PER_THREAD) return PROGRAM_KIN_DEFAULT;
  return stream == SIM_STREAM_TAIL ? PROGRAM_KIN_TAIL : stream == SIM_STREAM_FORGET ? PROGRAM_KIN_FORGET
                                                                                    : PROGRAM_KIN_OWN;
}

int program_run_step(const ProgramRun *run, int number, int child) {
  return child < 0 ? program_launch_step(&run->program, number) : run->launches[number - 1].first_child + child;
}

static ProgramKin *make_kin(const ProgramLaunch *root, const ProgramChild *c, int first) {
  ProgramKin *kin = ls_alloc(sizeof *kin);
  *kin = (ProgramKin){.parent = c->parent < 0 ? root->step : first + c->parent, .number = c->number, .depth = c->depth,
                      .stream = kin_stream(c->stream), .by_block = c->by_block, .after_count = c->after_count};
  kin->after = ls_alloc(sizeof *kin->after * (size_t)(c->after_count + 1));
  for (int i = 0; i < c->after_count; i++) kin->after[i] = first + c->after[i];
  return kin;
}

static void add_child(ProgramRun *run, const ProgramLaunch *root, const ProgramChild *c, int first) {
  const char *full = run->module->funcs[c->entry].demangled;
  ProgramStep step;
  program_step_init(&step, PROGRAM_LAUNCH);
  step.kernel = ls_strndup(full, (size_t)ptx_name_length(full));
  step.stream = run->program.steps[root->step].stream;
  step.shared_bytes = c->shared;
  memcpy(step.grid, c->grid, sizeof step.grid);
  memcpy(step.block, c->block, sizeof step.block);
  step.kin = make_kin(root, c, first);
  program_add_child(&run->program, &step);
}

void program_run_add_children(ProgramRun *run) {
  for (int i = 0; i < run->launch_count; i++) {
    ProgramLaunch *root = &run->launches[i];
    root->first_child = program_all_steps(&run->program);
    for (int k = 0; k < root->child_count; k++) add_child(run, root, &root->children[k], root->first_child);
  }
}

ProgramCost *program_run_costs(const ProgramRun *run) {
  int launches = run->program.launches + run->program.child_count, child = run->program.launches;
  ProgramCost *costs = ls_alloc(sizeof *costs * (size_t)(launches + 1));
  for (int i = 0; i < run->launch_count; i++) {
    costs[i] = run->launches[i].cost;
    for (int k = 0; run->program.child_count && k < run->launches[i].child_count; k++)
      costs[child++] = run->launches[i].children[k].launch.cost;
  }
  return costs;
}
