// sim.c: a launch from its checks to its results.
#include "sim/internal.h"
#include <time.h>

void sim_options_init(SimOptions *options) {
  *options = (SimOptions){.sched = SIM_ITS, .checks = SIM_CHECK_ALL, .sm_count = 132, .warps_per_sm = 64,
                          .blocks_per_sm = 32, .shared_per_sm = 228 << 10, .shared_reserved = 1 << 10};
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

bool sim_check_geometry(const Sim *sim, LsErr *err) {
  const Launch *l = sim->launch;
  const PtxFunc *f = &sim->module->funcs[sim->entry];
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

void sim_alloc_run(Sim *sim) {
  size_t warps = (size_t)sim->warp_count, codes = (size_t)sim->module->code_count + 2;
  sim->warps = ls_alloc(sizeof *sim->warps * warps);
  sim->copies = ls_alloc(sizeof *sim->copies * warps);
  sim->files = aligned_alloc(64, warps * sim->file_bytes);
  memset(sim->files, 0, warps * sim->file_bytes);
  if (sim->has_calls) sim->returns = ls_alloc(sizeof *sim->returns * warps * SIM_MAX_DEPTH * SIM_LANES);
  sim->frames = ls_alloc(sizeof *sim->frames * warps * SIM_LANES * 2);
  sim->stack_tops = sim->frames + warps * SIM_LANES;
  sim->tally_warps = ls_alloc(sizeof(uint64_t) * codes);
  sim->tally_lanes = ls_alloc(sizeof(uint64_t) * codes);
  sim->run_warps = ls_alloc(sizeof(int64_t) * codes);
  sim->run_lanes = ls_alloc(sizeof(int64_t) * codes);
  sim->shadow = sim_shadow_new(sim->shared_bytes);
  for (int k = 0; k < sim->warp_count; k++) sim_slots_fill_warp(sim, k);
}

static bool prepare(Sim *sim, LsErr *err) {
  if (sim->entry < 0 || sim->entry >= sim->module->func_count || !sim->module->funcs[sim->entry].is_entry)
    return ls_fail(err, LS_EREQUEST, "there is no such kernel in this module");
  if (!sim_check_geometry(sim, err)) return false;
  sim->thread_count = launch_threads(sim->launch);
  sim->warp_count = (int)launch_warps(sim->launch);
  sim_reach(sim);
  sim->cooperative = sim_waits_for_grid(sim);
  if (!sim_bind_names(sim, err) || !sim_memory_new(sim, err) || !sim_bind(sim, err)) return false;
  sim_objects_new(sim);
  sim_find_extents(sim);
  if (!sim_decode(sim, err)) return false;
  sim_find_written(sim);
  sim_find_moves(sim);
  sim_find_own_code(sim);
  if ((uint64_t)sim->file_bytes * (uint64_t)sim->warp_count > 1u << 30)
    return ls_fail(err, LS_EUNSUPPORTED, "the kernel has too many registers to emulate %d warps", sim->warp_count);
  sim_alloc_run(sim);
  return sim_grid_check(sim, err);
}

Sim *sim_new(const PtxModule *module, int entry, const Launch *launch, const SimOptions *options, LsErr *err) {
  Sim *sim = ls_alloc(sizeof *sim);
  sim->module = module;
  sim->launch = launch;
  sim->entry = entry;
  sim->arena = ls_arena_new();
  sim->lane_ops = sim_lane_ops();
  if (options) sim->options = *options; else sim_options_init(&sim->options);
  if (!sim->options.budget) sim->options.budget = SIM_DEFAULT_BUDGET;
  if (prepare(sim, err)) return sim;
  sim_free(sim);
  return NULL;
}

void sim_free_run(Sim *sim) {
  sim_shadow_free(sim->shadow);
  sim_pending_free(sim);
  free(sim->warps);
  free(sim->files);
  free(sim->returns);
  free(sim->frames);
  free(sim->tally_warps);
  free(sim->tally_lanes);
  free(sim->run_warps);
  free(sim->run_lanes);
}

void sim_free(Sim *sim) {
  if (!sim) return;
  sim_memory_free(sim);
  sim_free_run(sim);
  sim_published_free(sim);
  sim_grid_free(&sim->grid);
  sim_aside_free(sim);
  for (int i = 0; i < sim->fault_count; i++) free(sim->faults[i].message);
  free(sim->faults);
  free(sim->fault_states);
  free(sim->objects);
  free(sim->extents);
  sim_output_free(&sim->output);
  ls_arena_free(sim->arena);
  free(sim);
}

// ---- the run -------------------------------------------------------------------------------------------------------

static uint64_t now_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

void sim_progress(Sim *sim, uint64_t blocks_done, bool always) {
  if (!sim->options.progress) return;
  uint64_t now = now_ms();
  if (!always && now - sim->last_progress < 20) return;
  sim->last_progress = now;
  sim->options.progress(sim->options.progress_context, blocks_done, launch_blocks(sim->launch));
}

static bool is_recorded(const Sim *sim, uint32_t block) {
  const SimOptions *o = &sim->options;
  if (!sim->sink || (o->record_limit && sim->step + sim_aside_count(sim) >= o->record_limit)) return false;
  return o->record_block ? o->record_block[block] != 0 : o->record_all;
}

// Straight lines were counted by their ends: sums give what every instruction was executed.
static void settle_counts(Sim *sim) {
  int64_t warps = 0, lanes = 0;
  for (int pc = 0; pc < sim->module->code_count; pc++) {
    warps += sim->run_warps[pc];
    lanes += sim->run_lanes[pc];
    sim->tally_warps[pc] += (uint64_t)warps;
    sim->tally_lanes[pc] += (uint64_t)lanes;
  }
  memset(sim->run_warps, 0, sizeof(int64_t) * ((size_t)sim->module->code_count + 1));
  memset(sim->run_lanes, 0, sizeof(int64_t) * ((size_t)sim->module->code_count + 1));
}

static void send_tallies(Sim *sim) {
  settle_counts(sim);
  if (!sim->sink || !sim->sink->tally) return;
  TraceTally *tallies = ls_alloc(sizeof *tallies * ((size_t)sim->module->code_count + 1));
  int count = 0;
  for (int pc = 0; pc < sim->module->code_count; pc++)
    if (sim->tally_warps[pc]) tallies[count++] = (TraceTally){pc, sim->tally_warps[pc], sim->tally_lanes[pc]};
  sim->sink->tally(sim->sink, tallies, count);
  free(tallies);
}

void sim_run_start(Sim *sim, TraceSink *sink) {
  sim->sink = sink;
  sim->stopping = sim->failed = sim->canceled = false;
  sim->thread_total = 1;
  sim->step = sim->executed = sim->poll_at = 0;
  sim->block = (SimBlock){0};
  sim_grid_copy(&sim->grid, &(SimGrid){.current = -1, .last = -1});
  size_t bytes = sizeof(uint64_t) * ((size_t)sim->module->code_count + 1);
  memset(sim->tally_warps, 0, bytes);
  memset(sim->tally_lanes, 0, bytes);
  memset(sim->run_warps, 0, bytes);
  memset(sim->run_lanes, 0, bytes);
}

void sim_visit_block(Sim *sim) {
  SimBlock *b = &sim->block;
  TraceSink *sink = sim->sink;
  if (!b->visits) b->recorded = is_recorded(sim, b->number);
  sim->recording = b->recorded;
  if (sink && sink->begin_block) sink->begin_block(sink, b->number, b->recorded && !b->aside);
  sim_block_go(sim);
  if (sink && sink->end_block) sink->end_block(sink, b->number);
  sim_grid_leave(sim);
  if (sim->executed >= sim->poll_at) sim_poll(sim);
}

bool sim_run(Sim *sim, TraceSink *sink, LsErr *err) {
  sim_run_start(sim, sink);
  sim_run_units(sim);
  sim_aside_flush(sim);
  sim->recording = false;
  sim->is_touched = true;
  send_tallies(sim);
  sim_send_prints(sim);
  sim_progress(sim, sim->grid.ended, true);
  return !sim->canceled || ls_fail(err, LS_ECANCEL, "the run was canceled");
}

const TraceFault *sim_faults(const Sim *sim, int *count) {
  *count = sim->fault_count;
  return sim->faults;
}

uint64_t sim_warp_instructions(const Sim *sim) {
  uint64_t sum = 0;
  for (int pc = 0; pc < sim->module->code_count; pc++) sum += sim->tally_warps[pc];
  return sum;
}

uint64_t sim_thread_instructions(const Sim *sim) {
  uint64_t sum = 0;
  for (int pc = 0; pc < sim->module->code_count; pc++) sum += sim->tally_lanes[pc];
  return sum;
}

int sim_threads(const Sim *sim) { return LS_MAX(sim->thread_total, 1); }

const uint8_t *sim_buffer(const Sim *sim, int arg, uint64_t *size) {
  *size = 0;
  if (arg < 0 || arg >= sim->launch->arg_count || sim->arg_alloc[arg] < 0) return NULL;
  const SimAlloc *a = &sim->allocs[sim->arg_alloc[arg]];
  *size = a->size;
  return a->bytes;
}

static const SimAlloc *find_global(const Sim *sim, const char *name) {
  for (int i = 0; i < sim->alloc_count; i++) {
    const SimAlloc *a = &sim->allocs[i];
    if (a->var >= 0 && strcmp(sim->module->vars[a->var].name, name) == 0) return a;
  }
  return NULL;
}

const uint8_t *sim_global(const Sim *sim, const char *name, uint64_t *size) {
  const SimAlloc *a = find_global(sim, name);
  *size = a ? a->size : 0;
  return a ? a->bytes : NULL;
}

uint8_t *sim_global_bytes(Sim *sim, const char *name, uint64_t *size, uint64_t *address) {
  const SimAlloc *a = find_global(sim, name);
  *size = a ? a->size : 0;
  if (address) *address = a ? a->base : 0;
  sim->is_touched = true;
  return a ? a->bytes : NULL;
}
