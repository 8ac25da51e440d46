// sim.c: a launch from its checks to its results.
#include "sim/sim.h"
#include <stdlib.h>
#include <string.h>
#include "sim/analysis/analysis.h"
#include "sim/check/checks.h"
#include "sim/check/coverage.h"
#include "sim/core/exec.h"
#include "sim/core/heap.h"
#include "sim/decode/bind.h"
#include "sim/grid/abreast.h"
#include "sim/grid/grid.h"
#include "sim/grid/run.h"
#include "sim/grid/state.h"
#include "sim/grid/units.h"
#include "sim/ops/call.h"
#include "sim/ops/decoders.h"
#include "sim/ops/shape_access.h"

static bool decode(SimProgram *program, SimMemory *memory, LsErr *err) {
  sim_reach(program);
  program->syncs_grid = sim_waits_for_grid(program);
  uint8_t together = program->launch->together;
  program->cooperative = together == LAUNCH_AS_NEEDED ? program->syncs_grid : together == LAUNCH_COOPERATIVE;
  if (!sim_bind_names(program, err) || !sim_memory_new(program, memory, err) || !sim_bind(program, memory, err))
    return false;
  sim_objects_new(program, memory);
  sim_find_extents(program, memory);
  if (!sim_decode(program, sim_decode_op, err)) return false;
  sim_find_written(program, memory);
  sim_find_copy_loads(program);
  sim_find_strong_uses(program);
  sim_find_own_code(program);
  sim_find_clears(program);
  sim_find_steady(program);
  sim_find_indexed(program);
  sim_find_apart(program);
  sim_find_together(program);
  sim_find_twins(program);
  sim_shaped_choose(program);
  sim_find_dots(program);
  sim_find_chains(program);
  sim_find_steps(program);
  sim_find_rounds(program);
  sim_find_heads(program);
  sim_find_order_free(program);
  sim_find_disjoint(program, memory);
  if (program->options.order == SIM_TURNS) sim_find_lines(program);
  return (uint64_t)program->file_bytes * (uint64_t)program->warp_count <= 1u << 30 ||
         ls_fail(err, LS_EUNSUPPORTED, "the kernel has too many registers to emulate %d warps", program->warp_count);
}

static bool finish(SimProgram *program, SimExec *exec, LsErr *err) {
  sim_checks_new(exec);
  return sim_grid_check(program, sim_state_size(exec), err);
}

Sim *sim_new(const PtxModule *module, int entry, const Launch *launch, const SimOptions *options, LsErr *err) {
  if (!sim_alu_isa_check(err)) return NULL;
  Sim *sim = ls_alloc(sizeof *sim);
  sim_program_init(&sim->program, module, entry, launch, options);
  sim->program.texts = sim_device_texts;
  bool ok = sim_program_check(&sim->program, err) && decode(&sim->program, &sim->memory, err) &&
            sim_exec_new(&sim->exec, &sim->program, &sim->memory, err) &&
            finish(&sim->program, &sim->exec, err);
  if (ok) return sim;
  sim_free(sim);
  return NULL;
}

void sim_free(Sim *sim) {
  if (!sim) return;
  sim_grid_free(&sim->exec.grid);
  sim_coverage_free(&sim->memory);
  sim_checks_free(&sim->exec);
  sim_abreast_free(&sim->exec);
  sim_exec_free(&sim->exec);
  sim_memory_free(&sim->memory);
  sim_program_fini(&sim->program);
  free(sim);
}

// ---- the run -------------------------------------------------------------------------------------------------------

bool sim_run(Sim *sim, TraceSink *sink, LsErr *err) {
  sim_coverage_free(&sim->memory);
  if (sim->program.options.checks & SIM_CHECK_INIT) sim_coverage_new(&sim->memory, &sim->program);
  sim_run_start(&sim->exec, sink);
  sim_run_units(&sim->exec);
  sim_run_end(&sim->exec);
  sim->memory.is_touched = true;
  return !sim->exec.canceled || ls_fail(err, LS_ECANCEL, "the run was canceled");
}

const TraceFault *sim_faults(const Sim *sim, int *count) {
  *count = sim->exec.fault_count;
  return sim->exec.faults;
}

bool sim_stopped(const Sim *sim) { return sim->exec.failed; }

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

const uint8_t *sim_buffer_written(const Sim *sim, int arg) {
  uint64_t size;
  return sim_buffer(sim, arg, &size) ? sim->memory.allocs[sim->memory.arg_alloc[arg]].init : NULL;
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
  sim_memory_use(&sim->memory);
  return a ? a->bytes : NULL;
}

uint8_t *sim_device_heap(const Sim *sim, uint64_t *size) { return sim_heap_keep(&sim->memory, size); }

bool sim_is_heap(const uint8_t *kept, uint64_t size) { return sim_heap_is_kept(kept, size); }

const char *sim_output(const Sim *sim) { return ls_text_str(&sim->exec.output.text); }
