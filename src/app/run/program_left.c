// program_left.c: what the run of a launch leaves besides memory: faults, text, and what it costs.
#include "app/run/program_children.h"

#include <stdlib.h>

#include "model/findings/finding.h"
#include "model/occ.h"

void program_take_faults(ProgramLaunch *launch, const Device *device, const DevRun *run) {
  int count;
  const TraceFault *faults = device->faults(run, &count);
  launch->faults = ls_alloc(sizeof *faults * (size_t)(count + 1));
  launch->fault_count = count;
  for (int i = 0; i < count; i++) {
    launch->faults[i] = faults[i];
    launch->faults[i].message = ls_strdup(faults[i].message);
  }
  launch->printed = ls_strdup(device->output(run));
}

void program_take_cost(const ProgramRun *run, const Launch *launch, ProgramLaunch *out) {
  Occupancy occupancy;
  const uint64_t *v = out->counters.value;
  occ_compute(run->arch, (int)launch_threads(launch), 0, (int)launch->shared_bytes, &occupancy);
  uint64_t sectors = v[COUNTER_GLOBAL_LOAD_SECTORS] + v[COUNTER_GLOBAL_STORE_SECTORS] + v[COUNTER_GLOBAL_RED_SECTORS] +
                     v[COUNTER_GLOBAL_ATOM_SECTORS];
  out->cost.blocks = (int64_t)launch_blocks(launch);
  out->cost.per_wave = (int64_t)LS_MAX(occupancy.blocks, 1) * run->arch->sm_count;
  out->cost.block_ns = program_block_ns(run->arch, out->cost.blocks, out->cost.per_wave, sectors * 32,
                                        v[COUNTER_WARP_INSTRUCTIONS]);
}

bool program_was_stopped(const Device *device, const DevRun *run, const ProgramLaunch *launch) {
  if (device->stopped) return device->stopped(run);
  for (int i = 0; i < launch->fault_count; i++)
    if (trace_fault_def((FaultKind)launch->faults[i].kind)->stops) return true;
  return false;
}

void program_judge(const ProgramRun *run, int entry, const Launch *launch, TraceInfo *info, const Counters *counters,
                   const Witness *witness, ProgramLaunch *out) {
  info->launch = *launch;   // for the time of the call
  Findings *all = findings_new(&(FindingsOf){.module = run->module, .entry = entry, .info = info, .counters = counters,
                                             .witness = witness, .arch = run->arch, .emulated = true});
  launch_init(&info->launch);
  out->findings = 0;
  for (int i = 0; i < all->count; i++) {
    if (all->items[i].line <= 0) continue;
    if (!out->findings++) out->finding = ls_strdup(all->items[i].message);
  }
  findings_free(all);
}

void program_launch_fini(ProgramLaunch *launch) {
  for (int k = 0; k < launch->fault_count; k++) free(launch->faults[k].message);
  for (int k = 0; k < launch->child_count; k++) {
    program_launch_fini(&launch->children[k].launch);
    free(launch->children[k].params);
    free(launch->children[k].after);
  }
  free(launch->faults);
  free(launch->printed);
  free(launch->finding);
  free(launch->children);
  free(launch->bases);
  free(launch->moves);
}
