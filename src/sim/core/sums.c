// sums.c: events that are kept back and told as one.
#include "sim/core/sums.h"
#include "sim/core/dots.h"

// Hooks leave nothing bare.
static uint8_t looks(const SimExec *exec) {
  return (uint8_t)(SIM_LOOKS_ALWAYS | (exec->checks ? SIM_LOOKS_CHECKS : 0) |
                   (exec->owner_number ? SIM_LOOKS_CLAIMS : 0) | (exec->bare ? 0 : SIM_LOOKS_TOLD));
}

void sim_sums_start(SimExec *exec) {
  const TraceSink *sink = exec->sink;
  exec->sums_up = !sink || !sink->access || (sink->accesses && !sink->each);
  exec->sum_step = exec->sums_up;
  exec->bare = exec->sums_up && !exec->recording && !exec->hooks;
  exec->looks = looks(exec);
  exec->steady = exec->steady && !exec->hooks;   // registers are cleared for a replay, and what it loads may be old
  exec->tells_lines = exec->sums_up && exec->recording && !exec->hooks && sink && sink->line && !exec->block.deferred;
  exec->line.from = -1;
}

void sim_sums_note(SimExec *exec, int32_t pc) {
  SimShapes *shapes = &exec->shapes[pc];
  if (shapes->is_listed) return;
  shapes->is_listed = true;
  exec->sums[exec->sum_count++] = pc;
}

static void tell(SimExec *exec, TraceEvent *event, uint64_t times) {
  TraceSink *sink = exec->sink;
  if (sink && sink->accesses) sink->accesses(sink, event, times);
}

static TraceEvent event_at(const SimExec *exec, int32_t pc) {
  return (TraceEvent){.kind = exec->code[pc].kind, .pc = pc, .active = SIM_FULL, .mask = SIM_FULL, .target = -1,
                      .reconverge = -1, .fault = -1};
}

void sim_sums_tell_shape(SimExec *exec, int32_t pc, SimShape *shape) {
  const SimMem *m = exec->code[pc].more;
  TraceEvent event = event_at(exec, pc);
  uint64_t addr[SIM_LANES];
  event.mask = shape->like.mask;
  event.space = shape->space;
  event.width = m->width;
  event.addr = addr;
  if (shape->generic) event.flags |= TRACE_GENERIC_ACCESS;
  for (uint64_t low = 0; low < SIM_LIKE_UNIT; low++) {
    uint64_t times = shape->like.times[low];
    if (!times) continue;
    exec->lane_ops->moved(addr, shape->like.apart, SIM_GLOBAL_BASE + low);
    tell(exec, &event, times);
    shape->like.times[low] = 0;
    shape->is_told = true;
  }
}

void sim_sums_tell_partings(SimExec *exec, int32_t pc) {
  SimShapes *shapes = &exec->shapes[pc];
  const SimBranch *b = exec->code[pc].more;
  if (!shapes->partings) return;
  TraceEvent event = event_at(exec, pc);
  event.taken = shapes->taken;
  event.target = b->target;
  event.reconverge = b->reconverge;
  event.flags = TRACE_DIVERGES;
  tell(exec, &event, shapes->partings);
  shapes->partings = 0;
}

static void tell_at(SimExec *exec, int32_t pc) {
  SimShapes *shapes = &exec->shapes[pc];
  for (int k = 0; k < shapes->count; k++) sim_sums_tell_shape(exec, pc, shapes->ways[k]);
  sim_sums_tell_partings(exec, pc);
  if (shapes->times) {
    TraceEvent event = event_at(exec, pc);
    tell(exec, &event, shapes->times);
  }
  shapes->times = 0;
}

void sim_sums_tell(SimExec *exec) {
  sim_dots_settle(exec);
  for (int i = 0; i < exec->sum_count; i++) tell_at(exec, exec->sums[i]);
}

void sim_sums_forget(SimExec *exec) {
  TraceSink *sink = exec->sink;
  exec->sink = NULL;
  sim_sums_tell(exec);
  exec->sink = sink;
}
