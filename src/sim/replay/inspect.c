// inspect.c: registers, memory and lanes of a replay where it stands.
#include "sim/replay/replay.h"

static bool has_warp(const Sim *s, int warp) { return warp >= 0 && warp < s->warp_count; }

bool sim_replay_reg(const SimReplay *r, int warp, int func, int reg, uint64_t values[32], uint32_t *written) {
  Sim *s = sim_replay_sim(r);
  if (!has_warp(s, warp) || func < 0 || func >= s->module->func_count || !s->funcs[func].reached) return false;
  if (reg < 0 || reg >= s->module->funcs[func].reg_count) return false;
  uint8_t *regs = s->files + (size_t)warp * s->file_bytes;
  int bytes = sim_reg_bytes(s->module, func, reg);
  uint32_t slot = s->funcs[func].slots[reg];
  for (uint32_t i = 0; i < SIM_LANES; i++)
    values[i] = bytes == 1 ? sim_pred(regs, slot) >> i & 1 : sim_lane(regs, slot, bytes, i);
  if (written) *written = s->hooks->written[warp * s->hooks->written_count + s->funcs[func].first_reg + reg];
  return true;
}

// The bytes of a space that hold `addr`, and how many there are from it on.
static const uint8_t *bytes_at(const Sim *s, TraceSpace space, uint32_t thread, uint64_t addr, const uint8_t **init,
                               uint64_t *left) {
  const uint8_t *bytes = NULL;
  uint64_t size = 0, offset = addr;
  *init = NULL;
  if (space == TRACE_GLOBAL || space == TRACE_CONST || space == TRACE_TEXTURE) {
    const SimAlloc *a = sim_alloc_at(s, addr);
    if (!a || (a->image != NULL) != (space == TRACE_TEXTURE)) return NULL;
    offset = addr - a->base;
    bytes = a->bytes;
    *init = a->init;
    size = a->size;
  } else if (space == TRACE_SHARED) {
    bytes = s->shared;
    *init = s->shared_init;
    size = s->shared_bytes;
  } else if (space == TRACE_LOCAL && thread < (uint32_t)s->warp_count * SIM_LANES) {
    bytes = s->local + thread * s->local_bytes;
    *init = s->local_init + thread * s->local_bytes;
    size = s->local_bytes;
  } else if (space == TRACE_PARAM) {
    bytes = s->params;
    size = s->param_bytes;
  }
  if (!bytes || offset >= size) return NULL;
  if (!(s->options.checks & SIM_CHECK_INIT)) *init = NULL;
  if (*init) *init += offset;
  *left = size - offset;
  return bytes + offset;
}

uint64_t sim_replay_read(const SimReplay *r, TraceSpace space, uint32_t thread, uint64_t addr, uint64_t size,
                         uint8_t *bytes, uint8_t *init) {
  const uint8_t *was_written;
  uint64_t left;
  const uint8_t *from = bytes_at(sim_replay_sim(r), space, thread, addr, &was_written, &left);
  if (!from) return 0;
  size = LS_MIN(size, left);
  memcpy(bytes, from, size);
  if (init && was_written) memcpy(init, was_written, size);
  else if (init) memset(init, 1, size);
  return size;
}

bool sim_replay_var(const SimReplay *r, int var, uint64_t *addr) {
  const Sim *s = sim_replay_sim(r);
  if (var < 0 || var >= s->module->var_count) return false;
  const PtxVar *v = &s->module->vars[var];
  if (v->func >= 0 && !s->funcs[v->func].reached) return false;
  if (v->space == PTX_PARAM && v->func != s->entry) return false;
  *addr = s->var_addr[var];
  return true;
}

int sim_replay_groups(const SimReplay *r, int warp, SimGroup *groups, int room) {
  const Sim *s = sim_replay_sim(r);
  int count = 0;
  if (!has_warp(s, warp)) return 0;
  const SimWarp *w = &s->warps[warp];
  for (int i = 0; i < w->group_count && count < room; i++) {
    const SimLanes *g = &w->groups[i];
    groups[count++] = (SimGroup){g->mask, g->pc, g->conv >= 0 ? w->convs[g->conv].pc : -1, g->state != SIM_GROUP_RUN};
  }
  for (int c = 0; c < w->conv_count && count < room; c++) {
    const SimConv *v = &w->convs[c];
    if (v->members && v->arrived) groups[count++] = (SimGroup){v->arrived, v->pc, v->pc, true};
  }
  return count;
}
