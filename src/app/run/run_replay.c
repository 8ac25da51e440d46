// run_replay.c: what the emulator knows of a moment of a run, whoever made the run.
#include <stdlib.h>
#include <string.h>

#include "app/run/run.h"

// ---- moments -------------------------------------------------------------------------------------------------------

// How many events the warp has made after `step`.
static bool progress_of(Run *run, const TraceBlock *block, uint64_t step, int warp, uint64_t *count, LsErr *err) {
  TraceWarp warps[32];
  *count = 0;
  if (step + 1 == block->first) return true;   // before its first event
  if (!trace_warps(run->trace, step, warps, err)) return false;
  *count = warp < (int)launch_warps(&run->info.launch) ? warps[warp].events : 0;
  return true;
}

SimReplay *run_seek(Run *run, const TraceBlock *block, uint64_t step, int warp, double patience, LsErr *err) {
  SimReplay *replay = run_replay(run, err);
  if (!replay) return NULL;
  bool before = step + 1 == block->first;
  uint64_t event = before ? UINT64_MAX : step - block->first, count;
  sim_replay_patience(replay, patience);
  if (!run_is_emulated(run)) {
    if (!run->emulated) run->emulated = emulated_new();
    if (!progress_of(run, block, step, warp, &count, err)) return NULL;
    if (!emulated_find(run->emulated, replay, run->trace, block, warp, count, patience, &event, err)) return NULL;
  }
  return sim_replay_seek(replay, block->block, event, err) ? replay : NULL;
}

// ---- addresses -----------------------------------------------------------------------------------------------------

static const TraceObject *object_at(const TraceInfo *info, TraceSpace space, uint64_t addr) {
  for (int i = 0; i < info->object_count; i++) {
    const TraceObject *object = &info->objects[i];
    if (object->space == space && addr - object->base < object->size) return object;
  }
  return NULL;
}

static const TraceObject *same_object(const TraceInfo *info, const TraceObject *wanted) {
  for (int i = 0; i < info->object_count; i++) {
    const TraceObject *object = &info->objects[i];
    if (object->space != wanted->space || object->arg != wanted->arg) continue;
    if (wanted->arg >= 0 || (object->name && wanted->name && strcmp(object->name, wanted->name) == 0)) return object;
  }
  return NULL;
}

static uint64_t moved(const TraceInfo *from, const TraceInfo *to, TraceSpace space, uint64_t addr) {
  const TraceObject *here = object_at(from, space, addr), *there = here ? same_object(to, here) : NULL;
  return there ? there->base + (addr - here->base) : addr;
}

uint64_t run_replay_address(const Run *run, TraceSpace space, uint64_t addr) {
  return run_is_emulated(run) ? addr : moved(&run->info, &run->replay_objects, space, addr);
}

uint64_t run_own_address(const Run *run, TraceSpace space, uint64_t addr) {
  return run_is_emulated(run) ? addr : moved(&run->replay_objects, &run->info, space, addr);
}
