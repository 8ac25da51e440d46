// state.c: the whole state of a block as a run of bytes: for checkpoints, and for blocks that wait for others.
//
// Global memory is not in it. Nor are constants and special registers, which follow from the block's number.
#include "sim/grid/state.h"
#include <string.h>
#include "sim/check/async_copy.h"
#include "sim/check/shadow.h"
#include "sim/core/exec.h"

typedef struct Part { void *bytes; size_t size; } Part;
enum { PARTS = 10 };

static void parts_of(SimExec *exec, Part parts[PARTS]) {
  size_t warps = (size_t)exec->warp_count, threads = warps * SIM_LANES;
  bool init = (exec->checks & SIM_CHECK_INIT) != 0;
  SimReplayHooks *hooks = exec->hooks;
  const Part all[PARTS] = {
      {&exec->block, sizeof exec->block},
      {exec->warps, warps * sizeof *exec->warps},
      {exec->shared, exec->program->shared_bytes},
      {exec->shared_init, init ? exec->program->shared_bytes : 0},
      {exec->local, threads * exec->program->local_bytes},
      {exec->local_init, init ? threads * exec->program->local_bytes : 0},
      {exec->lane_params, exec->program->has_calls ? threads * exec->program->lane_param_bytes : 0},
      {exec->returns, exec->program->has_calls ? warps * SIM_MAX_DEPTH * SIM_LANES * sizeof *exec->returns : 0},
      {exec->frames, exec->program->has_recursion ? threads * sizeof *exec->frames * 2 : 0},
      {hooks ? hooks->written : NULL, hooks ? warps * (size_t)hooks->written_count * sizeof *hooks->written : 0}};
  memcpy(parts, all, sizeof all);
}

static bool keeps_shadow(const SimExec *exec) { return (exec->checks & SIM_CHECK_RACE) != 0; }

size_t sim_state_size(SimExec *exec) {
  Part parts[PARTS];
  size_t size = (size_t)exec->warp_count * exec->program->clear_bytes;
  parts_of(exec, parts);
  for (int i = 0; i < PARTS; i++) size += parts[i].size;
  return size + sim_async_copy_bytes(exec) + (keeps_shadow(exec) ? sim_shadow_bytes(exec->shadow) : 0);
}

void sim_state_save(SimExec *exec, uint8_t *to) {
  Part parts[PARTS];
  parts_of(exec, parts);
  for (int i = 0; i < PARTS; i++) {
    if (parts[i].size) memcpy(to, parts[i].bytes, parts[i].size);
    to += parts[i].size;
  }
  for (int k = 0; k < exec->warp_count; k++, to += exec->program->clear_bytes)
    memcpy(to, exec->files + (size_t)k * exec->program->file_bytes, exec->program->clear_bytes);
  if (keeps_shadow(exec)) sim_shadow_save(exec, to);
  sim_async_copy_save(exec, to + (keeps_shadow(exec) ? sim_shadow_bytes(exec->shadow) : 0));
}

void sim_state_load(SimExec *exec, const uint8_t *from) {
  Part parts[PARTS];
  parts_of(exec, parts);
  for (int i = 0; i < PARTS; i++) {
    if (parts[i].size) memcpy(parts[i].bytes, from, parts[i].size);
    from += parts[i].size;
  }
  for (int k = 0; k < exec->warp_count; k++, from += exec->program->clear_bytes)
    memcpy(exec->files + (size_t)k * exec->program->file_bytes, from, exec->program->clear_bytes);
  if (keeps_shadow(exec)) sim_shadow_load(exec->shadow, from);
  sim_async_copy_load(exec, from + (keeps_shadow(exec) ? sim_shadow_bytes(exec->shadow) : 0));
}
