// event.c: events of a run: made from the running instruction, handed to the sink, and counted.
#include "sim/core/event.h"
#include <string.h>

TraceEvent *sim_event(SimExec *exec, const SimInst *inst, uint32_t mask) {
  TraceEvent *e = &exec->event;
  memset(e, 0, sizeof *e);
  e->step = exec->step;
  e->block = exec->block.number;
  e->warp = (uint16_t)sim_warp_index(exec);
  e->kind = inst->kind;
  e->pc = exec->pc;
  e->active = exec->active;
  e->mask = mask;
  e->target = e->reconverge = e->fault = -1;
  if (exec->group->joined) {
    e->flags = TRACE_RECONVERGES;
    exec->group->joined = false;
  }
  return e;
}

void sim_emit(SimExec *exec) {
  TraceSink *sink = exec->sink;
  exec->block.events++;
  if (!sink) return;
  if (sink->access && exec->event.kind != TRACE_EXEC) sink->access(sink, &exec->event);
  if (!exec->recording) return;
  if (exec->block.deferred) { sim_defer_event(exec); return; }
  if (sink->event) sink->event(sink, &exec->event);
  exec->step++;
}
