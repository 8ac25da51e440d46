// coverage.c: how much of its results a kernel wrote: a cover for each of its buffers.
#include "sim/check/coverage.h"
#include <stdlib.h>
#include "trace/coverage.h"

// Of variables only those are results that somebody asked for.
static bool is_result(const LaunchArg *arg, const SimAlloc *a) {
  if (!arg->is_buffer || a->is_const || (a->image && a->image->kind != LAUNCH_SURFACE)) return false;
  if (arg->role == LAUNCH_VARIABLE) return arg->output != NULL;
  return arg->init == LAUNCH_NONE || arg->output || a->may_be_written;
}

static SimAlloc *alloc_of(const SimMemory *memory, int arg) {
  return memory->arg_alloc[arg] < 0 ? NULL : &memory->allocs[memory->arg_alloc[arg]];
}

void sim_coverage_new(SimMemory *memory, const SimProgram *program) {
  for (int i = 0; i < program->launch->arg_count; i++) {
    const LaunchArg *arg = &program->launch->args[i];
    SimAlloc *a = alloc_of(memory, i);
    if (!a || a->cover || !is_result(arg, a)) continue;
    a->cover = trace_cover_new(a->base, a->size, (uint32_t)launch_type_size(arg->type));
    a->cover_arg = i;
  }
}

void sim_coverage_clear(SimMemory *memory) {
  for (int i = 0; i < memory->alloc_count; i++)
    if (memory->allocs[i].cover) trace_cover_clear(memory->allocs[i].cover);
}

void sim_coverage_free(SimMemory *memory) {
  for (int i = 0; i < memory->alloc_count; i++) {
    trace_cover_free(memory->allocs[i].cover);
    memory->allocs[i].cover = NULL;
  }
}

void sim_coverage_store(SimExec *exec, const SimInst *inst, const SimSpan *span, const SimFit *fit, uint32_t mask) {
  const SimMem *m = inst->more;
  bool meets = inst->kind == TRACE_ATOM || m->how & (SIM_STRONG | SIM_VOLATILE);
  TraceStore store = {.block = exec->block.number, .warp = (uint32_t)sim_warp_index(exec), .pc = exec->reported_pc,
                      .mask = mask, .width = m->width, .meets = meets,
                      .in_row = fit->contiguous && mask == SIM_FULL};
  trace_cover_store(span->alloc->cover, &store, exec->addr);
}

void sim_coverage_send(const SimExec *exec) {
  const SimMemory *memory = exec->memory;
  TraceCoverage *items = ls_alloc(sizeof *items * (size_t)(memory->alloc_count + 1));
  int count = 0, covers = 0;
  for (int arg = 0; arg < exec->program->launch->arg_count; arg++) {
    const SimAlloc *a = alloc_of(memory, arg);
    if (!a || !a->cover || a->cover_arg != arg) continue;
    covers++;
    if (trace_cover_sum(a->cover, &items[count])) items[count++].arg = arg;
  }
  if (covers && exec->sink && exec->sink->coverage) exec->sink->coverage(exec->sink, items, count);
  free(items);
}
