// deferred_events.c: recorded events of blocks that run while an earlier one waits.
//
// A trace has the events of a block in one piece. The block that waited first goes on writing its own; the events of
// those that begin before it ends go into a trace in memory, in the order in which they happen, and are copied from
// there, block by block, when no block is left that waits. Blocks that wait for one another all begin before any ends,
// so a limit of events is kept by giving up the later half of the blocks when it is reached.
#include <stdlib.h>
#include <string.h>
#include "sim/core/block_order.h"
#include "sim/core/event.h"

struct SimDeferred {
  TraceInfo info;
  TraceWriter *writer;
  uint64_t count;                     // events in it of blocks that are still kept, roughly
  uint32_t last;                      // of these
};

static struct SimDeferred *deferred_new(const SimExec *exec) {
  struct SimDeferred *deferred = ls_alloc(sizeof *deferred);
  trace_info_init(&deferred->info);
  memcpy(deferred->info.launch.grid, exec->program->launch->grid, sizeof exec->program->launch->grid);
  memcpy(deferred->info.launch.block, exec->program->launch->block, sizeof exec->program->launch->block);
  deferred->writer = trace_writer_new(NULL, &deferred->info, NULL);
  deferred->last = UINT32_MAX;
  return deferred;
}

void sim_deferred_free(SimExec *exec) {
  if (!exec->deferred) return;
  trace_writer_free(exec->deferred->writer);
  trace_info_fini(&exec->deferred->info);
  free(exec->deferred);
  exec->deferred = NULL;
}

uint64_t sim_deferred_count(const SimExec *exec) { return exec->deferred ? exec->deferred->count : 0; }

static void keep_fewer(SimExec *exec) {
  struct SimDeferred *deferred = exec->deferred;
  uint32_t first = exec->grid.count ? exec->grid.parked[0].block + 1 : 0;
  uint64_t window = (exec->grid.begun - 1) / SIM_ORDER_WINDOW * SIM_ORDER_WINDOW;
  uint64_t highest = exec->program->options.seed ? window + sim_window_size(exec->program, window) : exec->grid.begun;
  uint32_t last = (uint32_t)LS_MIN((uint64_t)deferred->last, highest - 1);
  if (first >= last) return;
  deferred->last = first + (last - first) / 2;
  deferred->count /= 2;
}

void sim_defer_event(SimExec *exec) {
  uint64_t limit = exec->program->options.record_limit;
  if (!exec->deferred) exec->deferred = deferred_new(exec);
  struct SimDeferred *deferred = exec->deferred;
  if (!deferred->writer || exec->block.number > deferred->last) return;
  TraceSink *sink = trace_writer_sink(deferred->writer);
  sink->event(sink, &exec->event);
  if (++deferred->count >= limit && limit) keep_fewer(exec);
}

static void copy_event(SimExec *exec, Trace *trace, uint64_t step) {
  TraceEvent event;
  if (!trace_event(trace, step, &event, NULL)) return;
  event.step = exec->step++;
  event.shape = 0;   // a number of that trace, not of this run
  if (trace_kind_is_fault(event.kind)) {
    TraceFault *f = &exec->faults[event.fault];
    if (f->block == event.block && f->step == UINT64_MAX) f->step = event.step;
  }
  exec->sink->event(exec->sink, &event);
}

// Pieces of the same block in the order in which they were written.
static int by_block(const void *a, const void *b) {
  const TraceBlock *x = a, *y = b;
  if (x->block != y->block) return x->block < y->block ? -1 : 1;
  return x->first < y->first ? -1 : x->first > y->first;
}

static void copy_blocks(SimExec *exec, Trace *trace) {
  int count;
  const TraceBlock *found = trace_blocks(trace, &count);
  TraceBlock *pieces = ls_alloc(sizeof *pieces * (size_t)(count + 1));
  TraceSink *sink = exec->sink;
  if (count) memcpy(pieces, found, sizeof *pieces * (size_t)count);
  qsort(pieces, (size_t)count, sizeof *pieces, by_block);
  for (int i = 0; i < count && sink->event; i++) {
    if (pieces[i].block > exec->deferred->last) break;
    bool first = i == 0 || pieces[i - 1].block != pieces[i].block;
    bool last = i + 1 == count || pieces[i + 1].block != pieces[i].block;
    if (first && sink->begin_block) sink->begin_block(sink, pieces[i].block, true);
    for (uint64_t k = 0; k < pieces[i].count; k++) copy_event(exec, trace, pieces[i].first + k);
    if (last && sink->end_block) sink->end_block(sink, pieces[i].block);
  }
  free(pieces);
}

// The events written so far, with the faults that some of them are of.
static Trace *read_back(SimExec *exec, TraceWriter *writer) {
  TraceSink *sink = trace_writer_sink(writer);
  size_t size;
  for (int i = 0; i < exec->fault_count; i++) sink->fault(sink, &exec->faults[i]);
  if (!trace_writer_finish(writer, NULL)) return NULL;
  uint8_t *bytes = trace_writer_take(writer, &size);
  return trace_open_memory(bytes, size, NULL);
}

void sim_deferred_flush(SimExec *exec) {
  struct SimDeferred *deferred = exec->deferred;
  if (!deferred) return;
  Trace *trace = deferred->writer && !exec->canceled ? read_back(exec, deferred->writer) : NULL;
  if (trace) copy_blocks(exec, trace);
  trace_close(trace);
  sim_deferred_free(exec);
}
