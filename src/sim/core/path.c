// path.c: a run whose order is chosen step by step.
#include "sim/core/path.h"
#include <string.h>
#include "base/random.h"
#include "sim/core/sched.h"

// ---- states --------------------------------------------------------------------------------------------------------

static uint64_t mix(uint64_t hash, const void *bytes, size_t size) {
  return size ? hash * 0x9e3779b97f4a7c15ull + ls_hash64(bytes, size) : hash;
}

// The order in which groups stand in the list says nothing.
static uint64_t hash_warp(const SimExec *exec, int warp) {
  const SimWarp *w = &exec->warps[warp];
  uint64_t sum = 0;
  for (int i = 0; i < w->group_count; i++) {
    const SimLanes *g = &w->groups[i];
    uint64_t words[] = {g->mask, (uint64_t)(uint32_t)g->pc, g->depth, g->state, g->barrier, g->members};
    sum += ls_hash64(words, sizeof words);
  }
  const uint8_t *regs = exec->files + (size_t)warp * exec->program->file_bytes;
  uint64_t hash = mix(sum + w->live, regs, exec->program->clear_bytes);
  for (int c = 0; c < w->conv_count; c++) {
    const SimConv *v = &w->convs[c];
    uint64_t words[] = {v->members, v->arrived, (uint64_t)(uint32_t)v->pc};
    if (v->members) hash += ls_hash64(words, sizeof words);
  }
  return hash;
}

// All that decides how the block goes on, and what it leaves: not what was counted, nor what the checks remember.
static uint64_t hash_state(const SimExec *exec, uint32_t where) {
  const SimProgram *p = exec->program;
  size_t threads = (size_t)exec->warp_count * SIM_LANES;
  uint64_t hash = where;
  for (int k = 0; k < exec->warp_count; k++) hash = hash * 31 + hash_warp(exec, k);
  hash = mix(hash, exec->shared, p->shared_bytes);
  hash = mix(hash, exec->local, threads * p->local_bytes);
  if (p->has_calls) hash = mix(hash, exec->lane_params, threads * p->lane_param_bytes);
  if (p->has_calls) hash = mix(hash, exec->returns, threads * SIM_MAX_DEPTH * sizeof *exec->returns);
  hash = mix(hash, exec->block.barriers, sizeof exec->block.barriers);
  for (int i = 0; i < exec->memory->alloc_count; i++) {
    const SimAlloc *a = &exec->memory->allocs[i];
    if (a->may_be_written && !a->is_const) hash = mix(hash, a->bytes, a->size);
  }
  return mix(hash, ls_text_str(&exec->output.text), exec->output.text.length);
}

// ---- choices -------------------------------------------------------------------------------------------------------

uint32_t sim_path_choose(SimExec *exec, uint32_t count, uint32_t where) {
  SimPath *path = exec->program->options.path;
  uint32_t at = exec->block.choices++;
  bool is_given = at < path->given_count;
  uint32_t chosen = is_given ? LS_MIN(path->given[at], count - 1) : 0;
  if (exec->hooks) return chosen;                 // a replay: the run has told it
  uint64_t state = path->visit && !is_given ? hash_state(exec, where) : 0;
  SimChoice choice = {.count = (uint8_t)count, .taken = (uint8_t)chosen, .state = state};
  LS_PUSH(path->choices, path->count, path->capacity, choice);
  if (path->visit && !is_given && !path->visit(path->context, state)) exec->stopping = path->stopped = true;
  return chosen;
}

static bool is_shared_place(const SimExec *exec, TraceSpace space, uint64_t addr) {
  if (space == TRACE_SHARED) return true;
  const SimAlloc *a = space == TRACE_GLOBAL ? sim_alloc_at(exec->memory, addr) : NULL;
  return a && a->may_be_written;
}

// By the address of the first lane: all are where it is, as a rule.
static bool is_shared_access(const SimExec *exec, const SimInst *in, const uint8_t *regs, uint32_t lanes) {
  const SimMem *m = in->more;
  uint64_t addr[SIM_LANES], offset;
  if (in->access != SIM_MEMORY_ACCESS || m->lane_private) return false;
  if (m->space == PTX_SHARED) return true;
  if (m->space != PTX_GLOBAL && m->space != PTX_GENERIC) return false;
  exec->lane_ops->addresses(regs + m->base, m->base_bytes, (uint64_t)m->offset, lanes, addr);
  uint64_t first = addr[__builtin_ctz(lanes)];
  if (m->space == PTX_GLOBAL) return is_shared_place(exec, TRACE_GLOBAL, first);
  TraceSpace space = sim_classify(first, &offset);
  return is_shared_place(exec, space, offset);
}

bool sim_path_is_at_access(const SimExec *exec, int warp, const SimLanes *g) {
  const uint8_t *regs = exec->files + (size_t)warp * exec->program->file_bytes;
  return is_shared_access(exec, &exec->code[g->pc], regs, g->mask);
}

bool sim_path_stops(SimExec *exec, const SimInst *in) {
  if (!is_shared_access(exec, in, exec->regs, exec->active)) return false;
  if (!exec->block.granted) {
    exec->block.left = 0;
    return true;
  }
  exec->block.granted = false;
  return false;
}

// Whether the warp has anything to do before its next access.
static bool has_own_work(const SimExec *exec, int warp) {
  const SimWarp *w = &exec->warps[warp];
  for (int i = 0; i < w->group_count; i++)
    if (w->groups[i].state == SIM_GROUP_RUN && !sim_path_is_at_access(exec, warp, &w->groups[i])) return true;
  return false;
}

static void give_turn(SimExec *exec, int warp, bool granted) {
  SimBlock *b = &exec->block;
  b->order[exec->warp_count - 1] = (uint32_t)warp;
  b->turn = exec->warp_count - 1;
  b->granted = granted;
}

bool sim_path_round(SimExec *exec) {
  uint32_t able[SIM_MAX_WARPS], count = 0;
  for (int k = 0; k < exec->warp_count; k++) {
    if (!sim_lanes_that_could_run(exec, &exec->warps[k])) continue;
    if (has_own_work(exec, k)) { give_turn(exec, k, false); return true; }
    able[count++] = (uint32_t)k;
  }
  if (!count) return false;
  give_turn(exec, (int)able[count > 1 ? sim_path_choose(exec, count, 0) : 0], true);
  return true;
}
