// exec.c: the memory of a block, its warps and register files, and the counts of a thread: made, and freed.
#include "sim/core/exec.h"
#include <stdlib.h>
#include <string.h>
#include "sim/core/circuit.h"
#include "sim/core/event.h"
#include "sim/core/slots.h"

static bool new_memory(SimExec *exec, LsErr *err) {
  uint64_t threads = (uint64_t)exec->warp_count * SIM_LANES;
  uint64_t room = ls_align_up(exec->program->shared_bytes + 16, SIM_CACHE_LINE);
  exec->shared = aligned_alloc(SIM_CACHE_LINE, room);
  if (!exec->shared)
    return ls_fail(err, LS_EENV, "there is no memory for %llu bytes of shared memory", (unsigned long long)room);
  memset(exec->shared, 0, room);
  exec->shared_init = ls_alloc(exec->program->shared_bytes + 16);
  exec->local = ls_alloc(threads * exec->program->local_bytes + 16);
  exec->local_init = ls_alloc(threads * exec->program->local_bytes + 16);
  exec->lane_params = ls_alloc(threads * exec->program->lane_param_bytes + 16);
  return true;
}

// Of no lanes, so that no access is like it. It is never written, and all threads share it.
static SimShape stranger;

static void new_counts(SimExec *exec) {
  size_t codes = (size_t)exec->program->module->code_count + 2;
  exec->tally_warps = ls_alloc(sizeof(uint64_t) * codes);
  exec->tally_lanes = ls_alloc(sizeof(uint64_t) * codes);
  exec->tally_partial = ls_alloc(sizeof(uint64_t) * codes);
  exec->run_warps = ls_alloc(sizeof(int64_t) * codes);
  exec->run_missing = ls_alloc(sizeof(int64_t) * codes);
  exec->run_partial = ls_alloc(sizeof(int64_t) * codes);
  exec->shapes = ls_alloc(sizeof *exec->shapes * codes);
  exec->fronts = ls_alloc(sizeof *exec->fronts * codes);
  exec->stranger = &stranger;
  for (size_t pc = 0; pc < codes; pc++) exec->fronts[pc] = exec->stranger;
  exec->shape_version = 1;
  exec->dots = ls_alloc(sizeof *exec->dots * ((size_t)exec->program->dot_count + 1));
  exec->chains = ls_alloc(sizeof *exec->chains * ((size_t)exec->program->chain_count + 1));
  exec->sums = ls_alloc(sizeof *exec->sums * codes);
  if (exec->program->has_heads) {
    exec->circuits = ls_alloc(sizeof *exec->circuits);
    exec->circuits->heads = ls_alloc(sizeof *exec->circuits->heads * codes);
    exec->circuits->arena = ls_arena_new();
    for (int k = 0; k < SIM_MAX_WARPS; k++) exec->circuits->left[k].head = -1;
  }
  size_t warps = exec->takes_turns ? (size_t)exec->warp_count : 1;
  exec->kins = exec->kin = ls_alloc(sizeof *exec->kin * (exec->program->kin_count + 1) * warps);
  exec->passes = exec->own_pass = ls_alloc(sizeof *exec->passes * warps);
}

static bool new_warps(SimExec *exec, LsErr *err) {
  const SimProgram *program = exec->program;
  size_t warps = (size_t)program->warp_count;
  exec->warps = ls_alloc(sizeof *exec->warps * warps);
  for (int k = 0; k < program->warp_count; k++) exec->warps[k].number = k;
  size_t room = warps * program->file_bytes + SIM_LANES * sizeof(uint64_t);   // shuffles look beyond a slot
  exec->files = aligned_alloc(SIM_CACHE_LINE, room);
  if (!exec->files)
    return ls_fail(err, LS_EENV, "there is no memory for %llu bytes of registers", (unsigned long long)room);
  memset(exec->files, 0, room);
  if (program->has_calls) exec->returns = ls_alloc(sizeof *exec->returns * warps * SIM_MAX_DEPTH * SIM_LANES);
  exec->frames = ls_alloc(sizeof *exec->frames * warps * SIM_LANES * 2);
  exec->stack_tops = exec->frames + warps * SIM_LANES;
  for (int k = 0; k < program->warp_count; k++) sim_slots_fill_warp(exec, k);
  exec->steady = program->steady_count > 0;
  return true;
}

static void take_options(SimExec *exec, const SimOptions *options) {
  exec->sched = options->sched;
  exec->takes_turns = options->order == SIM_TURNS && exec->warp_count > 1;
  exec->seed = options->seed;
  exec->budget = options->budget;
  exec->checks = options->checks;
  exec->cancel = options->cancel;
  exec->reports_progress = true;
}

bool sim_exec_new(SimExec *exec, const SimProgram *program, SimMemory *memory, LsErr *err) {
  exec->program = program;
  exec->memory = memory;
  exec->code = program->code;
  exec->warp_count = program->warp_count;
  exec->lane_ops = sim_lane_ops();
  take_options(exec, &program->options);
  exec->grid.current = exec->grid.last = -1;
  if (!new_memory(exec, err) || !new_warps(exec, err)) return false;
  new_counts(exec);
  return true;
}

// Straight lines were counted by their ends: sums give what every instruction was executed.
void sim_settle_counts(SimExec *exec) {
  int64_t warps = 0, missing = 0, partial = 0;
  for (int pc = 0; pc < exec->program->module->code_count; pc++) {
    warps += exec->run_warps[pc];
    missing += exec->run_missing[pc];
    partial += exec->run_partial[pc];
    exec->tally_warps[pc] += (uint64_t)warps;
    exec->tally_lanes[pc] += (uint64_t)(warps * SIM_LANES - missing);
    exec->tally_partial[pc] += (uint64_t)partial;
  }
  memset(exec->run_warps, 0, sizeof(int64_t) * ((size_t)exec->program->module->code_count + 1));
  memset(exec->run_missing, 0, sizeof(int64_t) * ((size_t)exec->program->module->code_count + 1));
  memset(exec->run_partial, 0, sizeof(int64_t) * ((size_t)exec->program->module->code_count + 1));
}

static void free_memory(SimExec *exec) {
  free(exec->shared);
  free(exec->shared_init);
  free(exec->local);
  free(exec->local_init);
  free(exec->lane_params);
}

static void free_shapes(SimExec *exec) {
  for (int pc = 0; exec->shapes && pc < exec->program->module->code_count; pc++)
    for (int k = 0; k < exec->shapes[pc].count; k++) free(exec->shapes[pc].ways[k]);
  for (int i = 0; exec->dots && i < exec->program->dot_count; i++) free(exec->dots[i]);
  free(exec->dots);
  for (int i = 0; exec->chains && i < exec->program->chain_count; i++) free(exec->chains[i]);
  free(exec->chains);
  free(exec->shapes);
  free(exec->fronts);
  free(exec->sums);
  free(exec->kins);
  free(exec->passes);
  if (!exec->circuits) return;
  ls_arena_free(exec->circuits->arena);
  free(exec->circuits->heads);
  free(exec->circuits);
}

void sim_exec_free(SimExec *exec) {
  free_memory(exec);
  sim_deferred_free(exec);
  sim_output_free(&exec->output);
  free(exec->warps);
  free(exec->files);
  free(exec->joint_words);
  free(exec->joint_copy.bytes);
  free(exec->returns);
  free(exec->frames);
  free(exec->tally_warps);
  free(exec->tally_lanes);
  free(exec->tally_partial);
  free(exec->run_partial);
  free(exec->run_warps);
  free(exec->run_missing);
  free_shapes(exec);
}

void sim_touch_bytes(SimExec *exec, SimAlloc *a, uint64_t offset, uint64_t size) {
  for (uint64_t page = offset / SIM_PAGE; exec->hooks && size && page <= (offset + size - 1) / SIM_PAGE; page++)
    if (a->dirty[page] != exec->hooks->interval) exec->hooks->dirty(exec->hooks->owner, a, page);
}
