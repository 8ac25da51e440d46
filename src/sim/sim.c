// sim.c: a launch from its checks to its results.
#include "sim/internal.h"
#include "base/clock.h"

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

bool sim_check_geometry(const SimProgram *program, LsErr *err) {
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

void sim_program_init(SimProgram *program, const PtxModule *module, int entry, const Launch *launch,
                      const SimOptions *options) {
  *program = (SimProgram){.module = module, .entry = entry, .launch = launch, .arena = ls_arena_new()};
  if (options) program->options = *options; else sim_options_init(&program->options);
  if (!program->options.budget) program->options.budget = SIM_DEFAULT_BUDGET;
}

// What can be known before anything is decoded.
bool sim_prepare(SimProgram *program, LsErr *err) {
  if (program->entry < 0 || program->entry >= program->module->func_count ||
      !program->module->funcs[program->entry].is_entry)
    return ls_fail(err, LS_EREQUEST, "there is no such kernel in this module");
  if (!sim_check_geometry(program, err)) return false;
  program->thread_count = launch_threads(program->launch);
  program->warp_count = (int)launch_warps(program->launch);
  sim_reach(program);
  return true;
}

static bool decode(SimProgram *program, SimMemory *memory, LsErr *err) {
  program->cooperative = sim_waits_for_grid(program);
  if (!sim_bind_names(program, err) || !sim_memory_new(program, memory, err) || !sim_bind(program, memory, err))
    return false;
  sim_objects_new(program, memory);
  sim_find_extents(program, memory);
  if (!sim_decode(program, err)) return false;
  sim_find_written(program, memory);
  sim_find_moves(program);
  sim_find_own_code(program);
  return (uint64_t)program->file_bytes * (uint64_t)program->warp_count <= 1u << 30 ||
         ls_fail(err, LS_EUNSUPPORTED, "the kernel has too many registers to emulate %d warps", program->warp_count);
}

Sim *sim_new(const PtxModule *module, int entry, const Launch *launch, const SimOptions *options, LsErr *err) {
  if (!sim_alu_isa_check(err)) return NULL;
  Sim *sim = ls_alloc(sizeof *sim);
  sim_program_init(&sim->program, module, entry, launch, options);
  bool ok = sim_prepare(&sim->program, err) && decode(&sim->program, &sim->memory, err) &&
            sim_exec_new(&sim->exec, &sim->program, &sim->memory, err) &&
            sim_grid_check(&sim->program, sim_state_size(&sim->exec), err);
  if (ok) return sim;
  sim_free(sim);
  return NULL;
}

void sim_free(Sim *sim) {
  if (!sim) return;
  sim_exec_free(&sim->exec);
  sim_memory_free(&sim->memory);
  free(sim->program.objects);
  free(sim->program.extents);
  sim_slots_free(&sim->program);
  ls_arena_free(sim->program.arena);
  free(sim);
}

// ---- what a thread needs -------------------------------------------------------------------------------------------

static void new_counts(SimExec *exec) {
  size_t codes = (size_t)exec->program->module->code_count + 2;
  exec->tally_warps = ls_alloc(sizeof(uint64_t) * codes);
  exec->tally_lanes = ls_alloc(sizeof(uint64_t) * codes);
  exec->run_warps = ls_alloc(sizeof(int64_t) * codes);
  exec->run_lanes = ls_alloc(sizeof(int64_t) * codes);
}

static void new_warps(SimExec *exec) {
  const SimProgram *program = exec->program;
  size_t warps = (size_t)program->warp_count;
  exec->warps = ls_alloc(sizeof *exec->warps * warps);
  exec->copies = ls_alloc(sizeof *exec->copies * warps);
  exec->files = aligned_alloc(64, warps * program->file_bytes);
  memset(exec->files, 0, warps * program->file_bytes);
  if (program->has_calls) exec->returns = ls_alloc(sizeof *exec->returns * warps * SIM_MAX_DEPTH * SIM_LANES);
  exec->frames = ls_alloc(sizeof *exec->frames * warps * SIM_LANES * 2);
  exec->stack_tops = exec->frames + warps * SIM_LANES;
  for (int k = 0; k < program->warp_count; k++) sim_slots_fill_warp(exec, k);
}

bool sim_exec_new(SimExec *exec, const SimProgram *program, SimMemory *memory, LsErr *err) {
  *exec = (SimExec){.program = program, .memory = memory, .code = program->code,
                    .warp_count = program->warp_count, .lane_ops = sim_lane_ops(),
                    .sched = program->options.sched, .seed = program->options.seed, .budget = program->options.budget,
                    .checks = program->options.checks, .cancel = program->options.cancel, .tells_progress = true,
                    .grid = {.current = -1, .last = -1}};
  if (!sim_block_memory_new(exec, err)) return false;
  new_warps(exec);
  new_counts(exec);
  exec->shadow = sim_shadow_new(program->shared_bytes);
  exec->history.pieces = ls_alloc(sizeof *exec->history.pieces * (size_t)(memory->alloc_count + 1));
  return true;
}

void sim_exec_free(SimExec *exec) {
  sim_block_memory_free(exec);
  sim_shadow_free(exec->shadow);
  sim_pending_free(exec);
  sim_history_free(exec);
  sim_published_free(exec);
  sim_grid_free(&exec->grid);
  sim_aside_free(exec);
  sim_output_free(&exec->output);
  for (int i = 0; i < exec->fault_count; i++) free(exec->faults[i].message);
  free(exec->faults);
  free(exec->fault_states);
  ls_table_free(&exec->fault_of);
  free(exec->warps);
  free(exec->files);
  free(exec->returns);
  free(exec->frames);
  free(exec->tally_warps);
  free(exec->tally_lanes);
  free(exec->run_warps);
  free(exec->run_lanes);
}

// ---- the run -------------------------------------------------------------------------------------------------------

void sim_progress(SimExec *exec, uint64_t blocks_done, bool always) {
  const SimOptions *o = &exec->program->options;
  if (!o->progress || !exec->tells_progress) return;
  uint64_t now = ls_clock_ms();
  if (!always && now - exec->last_progress < 20) return;
  exec->last_progress = now;
  o->progress(o->progress_context, blocks_done, launch_blocks(exec->program->launch));
}

static bool is_recorded(const SimExec *exec, uint32_t block) {
  const SimOptions *o = &exec->program->options;
  if (!exec->sink || (o->record_limit && exec->step + sim_aside_count(exec) >= o->record_limit)) return false;
  return o->record_block ? o->record_block[block] != 0 : o->record_all;
}

// Straight lines were counted by their ends: sums give what every instruction was executed.
static void settle_counts(SimExec *exec) {
  int64_t warps = 0, lanes = 0;
  for (int pc = 0; pc < exec->program->module->code_count; pc++) {
    warps += exec->run_warps[pc];
    lanes += exec->run_lanes[pc];
    exec->tally_warps[pc] += (uint64_t)warps;
    exec->tally_lanes[pc] += (uint64_t)lanes;
  }
  memset(exec->run_warps, 0, sizeof(int64_t) * ((size_t)exec->program->module->code_count + 1));
  memset(exec->run_lanes, 0, sizeof(int64_t) * ((size_t)exec->program->module->code_count + 1));
}

static void send_tallies(SimExec *exec) {
  settle_counts(exec);
  if (!exec->sink || !exec->sink->tally) return;
  TraceTally *tallies = ls_alloc(sizeof *tallies * ((size_t)exec->program->module->code_count + 1));
  int count = 0;
  for (int pc = 0; pc < exec->program->module->code_count; pc++)
    if (exec->tally_warps[pc]) tallies[count++] = (TraceTally){pc, exec->tally_warps[pc], exec->tally_lanes[pc]};
  exec->sink->tally(exec->sink, tallies, count);
  free(tallies);
}

void sim_run_start(SimExec *exec, TraceSink *sink) {
  exec->sink = sink;
  exec->stopping = exec->failed = exec->canceled = false;
  exec->thread_total = 1;
  exec->step = exec->executed = exec->poll_at = 0;
  exec->block = (SimBlock){0};
  sim_grid_copy(&exec->grid, &(SimGrid){.current = -1, .last = -1});
  size_t bytes = sizeof(uint64_t) * ((size_t)exec->program->module->code_count + 1);
  memset(exec->tally_warps, 0, bytes);
  memset(exec->tally_lanes, 0, bytes);
  memset(exec->run_warps, 0, bytes);
  memset(exec->run_lanes, 0, bytes);
}

void sim_visit_block(SimExec *exec) {
  SimBlock *b = &exec->block;
  TraceSink *sink = exec->sink;
  if (!b->visits) b->recorded = is_recorded(exec, b->number);
  exec->recording = b->recorded;
  if (sink && sink->begin_block) sink->begin_block(sink, b->number, b->recorded && !b->aside);
  sim_block_go(exec);
  if (sink && sink->end_block) sink->end_block(sink, b->number);
  sim_grid_leave(exec);
  if (exec->executed >= exec->poll_at) sim_poll(exec);
}

bool sim_run(Sim *sim, TraceSink *sink, LsErr *err) {
  sim_run_start(&sim->exec, sink);
  sim_run_units(&sim->exec);
  sim_aside_flush(&sim->exec);
  sim->exec.recording = false;
  sim->memory.is_touched = true;
  send_tallies(&sim->exec);
  sim_send_prints(&sim->exec);
  sim_progress(&sim->exec, sim->exec.grid.ended, true);
  return !sim->exec.canceled || ls_fail(err, LS_ECANCEL, "the run was canceled");
}

const TraceFault *sim_faults(const Sim *sim, int *count) {
  *count = sim->exec.fault_count;
  return sim->exec.faults;
}

uint64_t sim_warp_instructions(const Sim *sim) {
  uint64_t sum = 0;
  for (int pc = 0; pc < sim->program.module->code_count; pc++) sum += sim->exec.tally_warps[pc];
  return sum;
}

uint64_t sim_thread_instructions(const Sim *sim) {
  uint64_t sum = 0;
  for (int pc = 0; pc < sim->program.module->code_count; pc++) sum += sim->exec.tally_lanes[pc];
  return sum;
}

int sim_threads(const Sim *sim) { return LS_MAX(sim->exec.thread_total, 1); }

const uint8_t *sim_buffer(const Sim *sim, int arg, uint64_t *size) {
  *size = 0;
  if (arg < 0 || arg >= sim->program.launch->arg_count || sim->memory.arg_alloc[arg] < 0) return NULL;
  const SimAlloc *a = &sim->memory.allocs[sim->memory.arg_alloc[arg]];
  *size = a->size;
  return a->bytes;
}

static const SimAlloc *find_global(const Sim *sim, const char *name) {
  for (int i = 0; i < sim->memory.alloc_count; i++) {
    const SimAlloc *a = &sim->memory.allocs[i];
    if (a->var >= 0 && strcmp(sim->program.module->vars[a->var].name, name) == 0) return a;
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
  sim->memory.is_touched = true;
  return a ? a->bytes : NULL;
}
