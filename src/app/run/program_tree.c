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

static ProgramKin *make_kin(const ProgramLaunch *root, const ProgramChild *c, int params, int first) {
  ProgramKin *kin = ls_alloc(sizeof *kin);
  *kin = (ProgramKin){.parent = c->parent < 0 ? root->step : first + c->parent, .number = c->number, .depth = c->depth,
                      .stream = kin_stream(c->stream), .by_block = c->by_block, .after_count = c->after_count};
  kin->params = params;
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
  step.kin = make_kin(root, c, run->module->funcs[c->entry].param_count, first);
  program_add_child(&run->program, &step);
}

static void find_order(ProgramRun *run);

void program_run_add_children(ProgramRun *run) {
  for (int i = 0; i < run->launch_count; i++) {
    ProgramLaunch *root = &run->launches[i];
    root->first_child = program_all_steps(&run->program);
    for (int k = 0; k < root->child_count; k++) add_child(run, root, &root->children[k], root->first_child);
  }
  if (run->program.child_count) find_order(run);
}

// Where the steps are that launch something, one by one as they are read.
static void find_order(ProgramRun *run) {
  const HostProgram *p = &run->program;
  int all = program_all_steps(p), launches = 0;
  run->order = program_in_order(p);
  run->places = ls_alloc(sizeof *run->places * (size_t)(all + 1));
  run->reading = ls_alloc(sizeof *run->reading * (size_t)(program_all_launches(p) + 1));
  run->ranks = ls_alloc(sizeof *run->ranks * (size_t)(program_all_launches(p) + 1));
  run->roots = ls_alloc(sizeof *run->roots * (size_t)(p->child_count + 1));
  for (int i = 0; i < run->launch_count; i++)
    for (int k = 0; k < run->launches[i].child_count; k++)
      run->roots[run->launches[i].first_child - p->step_count + k] = i;
  for (int i = 0, number = 0; i < all; i++) {
    int step = run->order[i];
    run->places[step] = i;
    if (p->steps[step].kind != PROGRAM_LAUNCH) continue;
    bool child = p->steps[step].kin != NULL;
    run->reading[launches] = child ? p->launches + 1 + step - p->step_count : ++number;
    run->ranks[run->reading[launches]] = launches;
    launches++;
  }
}

// ---- names ---------------------------------------------------------------------------------------------------------

const ProgramLaunch *program_run_at(const ProgramRun *run, int number, const ProgramChild **child) {
  int below = number - run->program.launches - 1;
  if (child) *child = NULL;
  if (number < 1 || below >= run->program.child_count) return NULL;
  if (below < 0) return number <= run->launch_count ? &run->launches[number - 1] : NULL;
  const ProgramLaunch *root = &run->launches[run->roots[below]];
  const ProgramChild *found = &root->children[run->program.step_count + below - root->first_child];
  if (child) *child = found;
  return &found->launch;
}

// The step of a child of a step, by its number among its siblings; -1.
static int child_of(const HostProgram *p, int parent, long number) {
  for (int i = p->step_count; i < program_all_steps(p); i++)
    if (p->steps[i].kin->parent == parent && p->steps[i].kin->number == number) return i;
  return -1;
}

static int no_child(const HostProgram *p, int parent, const char *name, LsErr *err) {
  LsText text = {0};
  int count = 0;
  for (int i = p->step_count; i < program_all_steps(p); i++) count += p->steps[i].kin->parent == parent;
  program_launch_name(p, parent, &text);
  if (count) ls_fail(err, LS_EREQUEST, "there is no launch %s: the kernel of launch %s launches %d", name,
                     ls_text_str(&text), count);
  else ls_fail(err, LS_EREQUEST, "there is no launch %s: the kernel of launch %s launches none", name,
               ls_text_str(&text));
  ls_text_free(&text);
  return 0;
}

int program_run_find(const ProgramRun *run, const char *name, bool goes_up, LsErr *err) {
  const HostProgram *p = &run->program;
  char *end;
  long number = strtol(name, &end, 10);
  if (goes_up) number = LS_MIN(number, p->launches);
  int step = number >= 1 && number <= p->launches ? program_launch_step(p, (int)number) : -1;
  if (step < 0) return ls_fail(err, LS_EREQUEST, "there is no launch %s: %s has %d", name, p->name, p->launches), 0;
  while (*end == '.') {
    int next = child_of(p, step, strtol(end + 1, &end, 10));
    if (next < 0 && !goes_up) return no_child(p, step, name, err);
    if (next < 0) break;
    step = next;
  }
  return program_launch_number(p, step);
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
