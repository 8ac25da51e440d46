// program.c: a launch before anything is decoded: its options, and whether its geometry is possible.
#include "sim/core/program.h"
#include <stdlib.h>
#include "sim/core/slots.h"

void sim_options_init(SimOptions *options) {
  *options = (SimOptions){.sched = SIM_ITS, .checks = SIM_CHECK_ALL, .grid_id = 1, .sm_count = 132, .capability = 90,
                          .warps_per_sm = 64, .blocks_per_sm = 32,
                          .shared_per_sm = 228 << 10, .shared_reserved = 1 << 10};
}

static bool check_dim(const uint32_t dim[3], const uint32_t limit[3], const char *what, LsErr *err) {
  for (int i = 0; i < 3; i++) {
    if (dim[i] >= 1 && dim[i] <= limit[i]) continue;
    return ls_fail(err, LS_EREQUEST,
                   "a %s of %u x %u x %u is not possible; each must be at least 1 and at most %u x %u x %u", what,
                   dim[0], dim[1], dim[2], limit[0], limit[1], limit[2]);
  }
  return true;
}

static bool check_geometry(const SimProgram *program, LsErr *err) {
  const Launch *l = program->launch;
  const PtxFunc *f = &program->module->funcs[program->entry];
  if (!check_dim(l->grid, (const uint32_t[3]){2147483647u, 65535, 65535}, "grid", err)) return false;
  if (!check_dim(l->block, (const uint32_t[3]){1024, 1024, 64}, "block", err)) return false;
  uint64_t threads = (uint64_t)l->block[0] * l->block[1] * l->block[2], most = 1;
  if (threads > 1024)
    return ls_fail(err, LS_EREQUEST, "a block has at most 1024 threads; this one has %llu",
                   (unsigned long long)threads);
  if (launch_blocks(l) > UINT32_MAX) return ls_fail(err, LS_EREQUEST, "the grid has more than 4294967295 blocks");
  for (int i = 0; i < 3; i++) most *= f->maxntid[i] > 0 ? (uint64_t)f->maxntid[i] : 1;
  if (f->maxntid[0] > 0 && threads > most)
    return ls_fail(err, LS_EREQUEST,
                   "the kernel is compiled for at most %llu threads per block (__launch_bounds__); the launch has %llu",
                   (unsigned long long)most, (unsigned long long)threads);
  for (int i = 0; i < 3 && f->reqntid[0] > 0; i++)
    if (l->block[i] != (uint32_t)LS_MAX(f->reqntid[i], 1))
      return ls_fail(err, LS_EREQUEST, "the kernel requires blocks of %d x %d x %d threads", f->reqntid[0],
                     LS_MAX(f->reqntid[1], 1), LS_MAX(f->reqntid[2], 1));
  return true;
}

static uint64_t usual_budget(const Launch *launch) {
  uint64_t warps = (uint64_t)(launch_threads(launch) + SIM_LANES - 1) / SIM_LANES, blocks = launch_blocks(launch);
  if (blocks * warps < SIM_DEFAULT_BUDGET / SIM_WARP_BUDGET) return SIM_DEFAULT_BUDGET;
  return LS_MIN(blocks, SIM_LARGE_BUDGET) * warps < SIM_LARGE_BUDGET / SIM_WARP_BUDGET
             ? blocks * warps * SIM_WARP_BUDGET : SIM_LARGE_BUDGET;
}

void sim_program_init(SimProgram *program, const PtxModule *module, int entry, const Launch *launch,
                      const SimOptions *options) {
  *program = (SimProgram){.module = module, .entry = entry, .launch = launch, .arena = ls_arena_new()};
  if (options) program->options = *options; else sim_options_init(&program->options);
  if (!program->options.budget) program->options.budget = usual_budget(launch);
}

void sim_program_fini(SimProgram *program) {
  free(program->objects);
  free(program->extents);
  sim_slots_free(program);
  ls_arena_free(program->arena);
}

bool sim_program_check(SimProgram *program, LsErr *err) {
  if (program->entry < 0 || program->entry >= program->module->func_count ||
      !ptx_is_kernel(&program->module->funcs[program->entry]))
    return ls_fail(err, LS_EREQUEST, "there is no such kernel in this module");
  if (!check_geometry(program, err)) return false;
  program->thread_count = launch_threads(program->launch);
  program->warp_count = (int)launch_warps(program->launch);
  return true;
}

// Starting a block clears its memory; a grid of nothing but starts has to end too.
uint64_t sim_block_cost(const SimProgram *program) {
  return 32 * (uint64_t)program->warp_count +
         (program->shared_bytes + program->local_bytes * (uint64_t)program->warp_count * SIM_LANES) / 256;
}
