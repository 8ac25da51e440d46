// event.c: events of a run: made from the running instruction, handed to the sink, and counted.
#include "sim/core/event.h"
#include <string.h>

TraceEvent *sim_event(SimExec *exec, const SimInst *inst, uint32_t mask) {
  static const TraceEvent nothing = {.target = -1, .reconverge = -1, .fault = -1};
  TraceEvent *e = &exec->event;
  memcpy(e, &nothing, sizeof *e);   // in place of a call, or a slow instruction, that clears
  e->step = exec->step;
  e->block = exec->block.number;
  e->warp = (uint16_t)sim_warp_index(exec);
  e->kind = inst->kind;
  e->pc = exec->pc;
  e->active = exec->active;
  e->mask = mask;
  if (exec->group->joined) {
    e->flags = TRACE_RECONVERGES;
    exec->group->joined = false;
  }
  return e;
}

void sim_emit(SimExec *exec) {
  TraceSink *sink = exec->sink;
  if (sink && sink->access && exec->event.kind != TRACE_EXEC) sink->access(sink, &exec->event);
  sim_emit_summed(exec);
}

void sim_emit_summed(SimExec *exec) {
  TraceSink *sink = exec->sink;
  exec->block.events++;
  if (!sink || !exec->recording) return;
  if (exec->block.deferred) { sim_defer_event(exec); return; }
  if (sink->event) sink->event(sink, &exec->event);
  exec->step++;
}

// ---- lines ---------------------------------------------------------------------------------------------------------

void sim_line_start(SimExec *exec) {
  exec->line.first = exec->line.from = exec->pc;
  exec->line.before = exec->line.count = exec->line.row_count = exec->line.atoms_count = 0;
}

void sim_line_flush(SimExec *exec, int32_t end) {
  static const SimInst executes = {.kind = TRACE_EXEC};
  SimLine *line = &exec->line;
  int count = line->before + (end - line->from);
  if (count <= 0) return;
  TraceEvent *first = sim_event(exec, &executes, exec->active);
  first->pc = line->first;
  TraceLine told = {first, line->first, count, line->acts, line->count};
  exec->sink->line(exec->sink, &told);
  exec->step += (uint64_t)told.count;
  line->first = line->from = end;
  line->before = line->count = line->row_count = line->atoms_count = 0;
}

void sim_line_end(SimExec *exec) {
  if (exec->line.from < 0) return;
  sim_line_flush(exec, exec->pc);
  exec->line.from = -1;
}
