// state.c: the whole state of a block as a run of bytes: for checkpoints, and for blocks that wait for others.
//
// Global memory is not in it. Nor are constants and special registers, which follow from the block's number.
#include "sim/internal.h"

typedef struct Part { void *bytes; size_t size; } Part;
enum { PARTS = 10 };

static void parts_of(Sim *s, Part parts[PARTS]) {
  size_t warps = (size_t)s->warp_count, threads = warps * SIM_LANES;
  bool init = (s->options.checks & SIM_CHECK_INIT) != 0;
  SimReplayHooks *hooks = s->hooks;
  const Part all[PARTS] = {{&s->block, sizeof s->block},
                           {s->warps, warps * sizeof *s->warps},
                           {s->shared, s->shared_bytes},
                           {s->shared_init, init ? s->shared_bytes : 0},
                           {s->local, threads * s->local_bytes},
                           {s->local_init, init ? threads * s->local_bytes : 0},
                           {s->lane_params, s->has_calls ? threads * s->lane_param_bytes : 0},
                           {s->returns, s->has_calls ? warps * SIM_MAX_DEPTH * SIM_LANES * sizeof *s->returns : 0},
                           {s->frames, s->has_recursion ? threads * sizeof *s->frames * 2 : 0},
                           {hooks ? hooks->written : NULL,
                            hooks ? warps * (size_t)hooks->written_count * sizeof *hooks->written : 0}};
  memcpy(parts, all, sizeof all);
}

static bool keeps_shadow(const Sim *s) { return (s->options.checks & SIM_CHECK_RACE) != 0; }

size_t sim_state_size(Sim *s) {
  Part parts[PARTS];
  size_t size = (size_t)s->warp_count * s->clear_bytes;
  parts_of(s, parts);
  for (int i = 0; i < PARTS; i++) size += parts[i].size;
  return size + sim_pending_bytes(s) + (keeps_shadow(s) ? sim_shadow_bytes(s->shadow) : 0);
}

void sim_state_save(Sim *s, uint8_t *to) {
  Part parts[PARTS];
  parts_of(s, parts);
  for (int i = 0; i < PARTS; i++) {
    if (parts[i].size) memcpy(to, parts[i].bytes, parts[i].size);
    to += parts[i].size;
  }
  for (int k = 0; k < s->warp_count; k++, to += s->clear_bytes)
    memcpy(to, s->files + (size_t)k * s->file_bytes, s->clear_bytes);
  if (keeps_shadow(s)) sim_shadow_save(s->shadow, to);
  sim_pending_save(s, to + (keeps_shadow(s) ? sim_shadow_bytes(s->shadow) : 0));
}

void sim_state_load(Sim *s, const uint8_t *from) {
  Part parts[PARTS];
  parts_of(s, parts);
  for (int i = 0; i < PARTS; i++) {
    if (parts[i].size) memcpy(parts[i].bytes, from, parts[i].size);
    from += parts[i].size;
  }
  for (int k = 0; k < s->warp_count; k++, from += s->clear_bytes)
    memcpy(s->files + (size_t)k * s->file_bytes, from, s->clear_bytes);
  if (keeps_shadow(s)) sim_shadow_load(s->shadow, from);
  sim_pending_load(s, from + (keeps_shadow(s) ? sim_shadow_bytes(s->shadow) : 0));
}
