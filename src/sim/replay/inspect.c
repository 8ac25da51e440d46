// inspect.c: registers, memory and lanes of a replay where it stands.
#include <string.h>
#include "sim/core/slots.h"
#include "sim/replay/replay.h"

static bool has_warp(const SimExec *exec, int warp) { return warp >= 0 && warp < exec->warp_count; }

bool sim_replay_reg(const SimReplay *r, int warp, int func, int reg, uint64_t values[32], uint32_t *written) {
  SimExec *exec = sim_replay_exec(r);
  if (!has_warp(exec, warp) || func < 0 || func >= exec->program->module->func_count ||
      !exec->program->funcs[func].reached)
    return false;
  if (reg < 0 || reg >= exec->program->module->funcs[func].reg_count) return false;
  uint8_t *regs = exec->files + (size_t)warp * exec->program->file_bytes;
  int bytes = sim_reg_bytes(exec->program->module, func, reg);
  uint32_t slot = exec->program->funcs[func].slots[reg];
  for (uint32_t i = 0; i < SIM_LANES; i++)
    values[i] = bytes == 1 ? sim_pred(regs, slot) >> i & 1 : sim_lane(regs, slot, LS_MIN(bytes, 8), i);
  if (written)
    *written = exec->hooks->written[warp * exec->hooks->written_count + exec->program->funcs[func].first_reg + reg];
  return true;
}

// The bytes of a space that hold `addr`, and how many there are from it on.
static const uint8_t *bytes_at(const SimExec *exec, TraceSpace space, uint32_t thread, uint64_t addr,
                               const uint8_t **init, uint64_t *left) {
  const uint8_t *bytes = NULL;
  uint64_t size = 0, offset = addr;
  *init = NULL;
  if (space == TRACE_GLOBAL || space == TRACE_CONST || space == TRACE_TEXTURE) {
    const SimAlloc *a = sim_alloc_at(exec->memory, addr);
    if (!a || (a->image != NULL) != (space == TRACE_TEXTURE)) return NULL;
    offset = addr - a->base;
    bytes = a->bytes;
    *init = a->init;
    size = a->size;
  } else if (space == TRACE_SHARED) {
    bytes = exec->shared;
    *init = exec->shared_init;
    size = exec->program->shared_bytes;
  } else if (space == TRACE_LOCAL && thread < (uint32_t)exec->warp_count * SIM_LANES) {
    bytes = exec->local + thread * exec->program->local_bytes;
    *init = exec->local_init + thread * exec->program->local_bytes;
    size = exec->program->local_bytes;
  } else if (space == TRACE_PARAM) {
    bytes = exec->program->params;
    size = exec->program->param_bytes;
  }
  if (!bytes || offset >= size) return NULL;
  if (!(exec->checks & SIM_CHECK_INIT)) *init = NULL;
  if (*init) *init += offset;
  *left = size - offset;
  return bytes + offset;
}

uint64_t sim_replay_read(const SimReplay *r, TraceSpace space, uint32_t thread, uint64_t addr, uint64_t size,
                         uint8_t *bytes, uint8_t *init) {
  const uint8_t *was_written;
  uint64_t left;
  const uint8_t *from = bytes_at(sim_replay_exec(r), space, thread, addr, &was_written, &left);
  if (!from) return 0;
  size = LS_MIN(size, left);
  memcpy(bytes, from, size);
  if (init && was_written) memcpy(init, was_written, size);
  else if (init) memset(init, 1, size);
  return size;
}

bool sim_replay_var(const SimReplay *r, int var, uint64_t *addr) {
  const SimExec *exec = sim_replay_exec(r);
  if (var < 0 || var >= exec->program->module->var_count) return false;
  const PtxVar *v = &exec->program->module->vars[var];
  if (v->func >= 0 && !exec->program->funcs[v->func].reached) return false;
  if (v->space == PTX_PARAM && v->func != exec->program->entry) return false;
  *addr = exec->program->var_addr[var];
  return true;
}

int sim_replay_groups(const SimReplay *r, int warp, SimGroup *groups, int room) {
  const SimExec *exec = sim_replay_exec(r);
  int count = 0;
  if (!has_warp(exec, warp)) return 0;
  const SimWarp *w = &exec->warps[warp];
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
