// cuda_rerun.c: the second run, instrumented, whose events show the place of a fault.
#include "device/cuda/cuda_rerun.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

extern const Device dev_cuda;    // runner.c: the GPU, in a child

// Where no block is to be recorded, all are: else nobody would tell of accesses.
static SimOptions options_of(const DevRequest *request) {
  SimOptions options = *request->options;
  options.progress = NULL;
  options.progress_context = NULL;
  if (!options.record_block) options.record_all = true;
  return options;
}

static const TraceObject *same_object(const TraceInfo *info, const TraceObject *other) {
  for (int i = 0; i < info->object_count; i++) {
    const TraceObject *o = &info->objects[i];
    if (o->space != other->space || o->arg != other->arg || o->size != other->size) continue;
    if (o->arg >= 0 || strcmp(o->name, other->name) == 0) return o;
  }
  return NULL;
}

static CudaMove *moves_between(const TraceInfo *there, const TraceInfo *here, int *count) {
  CudaMove *moves = ls_alloc(sizeof *moves * (size_t)(there->object_count + 1));
  *count = 0;
  for (int i = 0; i < there->object_count; i++) {
    const TraceObject *o = &there->objects[i], *same = same_object(here, o);
    if (o->space == TRACE_GLOBAL && same) moves[(*count)++] = (CudaMove){.from = o->base, .to = same->base, .size = o->size};
  }
  return moves;
}

bool cuda_again(const DevRequest *wanted, double seconds, CudaFinder *finder, char **output, LsErr *err) {
  SimOptions options = options_of(wanted);
  DevRequest request = *wanted;
  TraceInfo there;
  request.options = &options;
  request.runner = NULL;
  request.time_limit = seconds;
  request.timed = false;
  request.stops = true;
  request.stage = NULL;
  request.note = NULL;
  *output = NULL;
  trace_info_init(&there);
  DevRun *run = dev_cuda.open(&request, &there, err);
  CudaMove *moves = moves_between(&there, finder->info, &finder->move_count);
  finder->moves = moves;
  bool ok = run && dev_cuda.run(run, &finder->sink, err);
  if (ok) *output = ls_strdup(dev_cuda.output(run));
  dev_cuda.close(run);
  trace_info_fini(&there);
  free(moves);
  finder->moves = NULL;
  finder->move_count = 0;
  return ok;
}
