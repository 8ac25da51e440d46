// fault.c: faults of the kernel as sentences: what happened, at which thread, at which line.
#include "sim/internal.h"

// ---- where ---------------------------------------------------------------------------------------------------------

static size_t folder_length(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? (size_t)(slash - path) : 0;
}

// Headers of the toolkit (atomicAdd, __shfl_sync) are .h and .hpp, or in another folder.
static bool is_own_file(const char *path, const char *kernel) {
  const char *dot = strrchr(path, '.');
  if (strcmp(path, kernel) == 0) return true;
  if (dot && (strcmp(dot, ".h") == 0 || strcmp(dot, ".hpp") == 0)) return false;
  return folder_length(path) == folder_length(kernel) && strncmp(path, kernel, folder_length(kernel)) == 0;
}

void sim_find_own_code(SimProgram *program) {
  const PtxModule *m = program->module;
  int file, line, kernel = -1;
  if (!program->has_calls) return;
  for (int pc = m->funcs[program->entry].first; kernel < 0 && pc < m->code_count && m->code[pc].func == program->entry;
       pc++)
    if (ptx_line_of(m, pc, &file, &line)) kernel = file;
  if (kernel < 0 || !m->files[kernel]) return;
  program->own_code = LS_NEW_ARRAY(program->arena, uint8_t, m->code_count + 1);
  program->own_before = LS_NEW_ARRAY(program->arena, int32_t, m->code_count + 1);
  for (int pc = 0, before = -1; pc < m->code_count; pc++) {
    bool known = ptx_line_of(m, pc, &file, &line) && m->files[file];
    program->own_code[pc] = known && is_own_file(m->files[file], m->files[kernel]);
    if (pc && m->code[pc].func != m->code[pc - 1].func) before = -1;
    program->own_before[pc] = before = program->own_code[pc] ? pc : before;
  }
}

int32_t sim_told_pc(const SimExec *exec, const SimWarp *warp, const SimLanes *group, int32_t pc) {
  if (!exec->program->own_code || !group || !group->mask || pc < 0) return pc;
  int32_t told = pc;
  uint32_t lane = (uint32_t)__builtin_ctz(group->mask);
  const int32_t *returns = exec->returns + (size_t)(warp - exec->warps) * SIM_MAX_DEPTH * SIM_LANES;
  for (int depth = group->depth; depth > 0 && !exec->program->own_code[told]; depth--)
    told = returns[(depth - 1) * SIM_LANES + (int)lane] - 1;
  int32_t before = exec->program->own_before[told];   // what the compiler put there instead of a call
  return before >= 0 ? before : pc;
}

void sim_fault_where(const SimProgram *program, int32_t pc, LsText *out) {
  int file, line;
  if (pc >= 0 && ptx_line_of(program->module, pc, &file, &line)) {
    const char *path = program->module->files[file], *slash = path ? strrchr(path, '/') : NULL;
    ls_text_addf(out, "%s:%d", slash ? slash + 1 : path ? path : "?", line);
  } else if (pc >= 0) {
    ls_text_addf(out, "line %d of the PTX", program->module->code[pc].line);
  }
}

// Lanes in many pieces are counted, with the first and the last of them.
static void add_many_lanes(uint32_t mask, LsText *out) {
  int first[3], found = 0;
  SIM_FOR_LANES(i, mask) if (found < 3) first[found++] = (int)i;
  ls_text_addf(out, "%d lanes (%d, %d, %d ... %d)", __builtin_popcount(mask), first[0], first[1], first[2],
               31 - __builtin_clz(mask));
}

void sim_fault_lanes(uint32_t mask, LsText *out) {
  if (mask == SIM_FULL) { ls_text_add(out, "all 32 lanes"); return; }
  if (__builtin_popcount(mask & ~(mask << 1)) > 4) { add_many_lanes(mask, out); return; }
  ls_text_add(out, __builtin_popcount(mask) == 1 ? "lane " : "lanes ");
  const char *comma = "";
  for (int first = 0; first < SIM_LANES; first++) {
    if (!(mask >> first & 1)) continue;
    int last = first;
    while (last + 1 < SIM_LANES && mask >> (last + 1) & 1) last++;
    if (last == first) ls_text_addf(out, "%s%d", comma, first);
    else ls_text_addf(out, "%s%d-%d", comma, first, last);
    comma = ", ";
    first = last;
  }
}

static void add_coordinates(const char *what, uint32_t number, const uint32_t dim[3], LsText *out) {
  ls_text_addf(out, "%s (%u,%u,%u)", what, number % dim[0], number / dim[0] % dim[1], number / dim[0] / dim[1]);
}

static void add_thread(const SimProgram *program, uint32_t thread, LsText *out) {
  add_coordinates("thread", thread, program->launch->block, out);
}

// ---- places in memory ----------------------------------------------------------------------------------------------

// Offsets of the shared and local windows are 32 bits wide; one below zero is shown as such.
static int64_t signed_addr(TraceSpace space, uint64_t addr) {
  return space == TRACE_SHARED || space == TRACE_LOCAL ? (int64_t)(int32_t)addr : (int64_t)addr;
}

static int nearest_object(const SimProgram *program, TraceSpace space, uint64_t addr, int64_t *distance) {
  int best = -1;
  int64_t at = signed_addr(space, addr), best_gap = INT64_MAX;
  for (int i = 0; i < program->object_count; i++) {
    const TraceObject *o = &program->objects[i];
    if (o->space != space || !o->size) continue;
    int64_t base = (int64_t)o->base, end = (int64_t)(o->base + o->size),
            gap = at < base   ? base - at
                  : at >= end ? at - end + 1
                              : 0;
    if (gap >= best_gap) continue;
    best = i;
    best_gap = gap;
    *distance = at < base ? at - base : at >= end ? at - end : 0;
  }
  return best;
}

// The array that is meant, as an object; its own if it has one.
static TraceObject meant_object(const SimProgram *program, const SimFaultPlace *p, TraceFault *f) {
  const SimExtent *e = &program->extents[p->extent - 1];
  for (int i = 0; i < program->object_count && !e->name; i++)
    if (program->objects[i].space == e->space && program->objects[i].base == e->first && program->objects[i].size)
      f->object = i;
  int64_t at = signed_addr(p->space, p->addr), end = (int64_t)(e->first + e->size);
  f->distance = at < (int64_t)e->first ? at - (int64_t)e->first : at >= end ? at - end : 0;
  if (!e->name) return program->objects[f->object];
  return (TraceObject){.name = (char *)(uintptr_t)e->name, .space = e->space, .type = e->type, .base = e->first,
                       .size = e->size, .arg = -1};
}

// Where it is that an access has come to from the array that is meant.
static void add_trespass(const SimProgram *program, const SimFaultPlace *p, LsText *out) {
  int there = sim_extent_at(program, p->extent, p->addr);
  const char *name = there ? program->extents[there - 1].name : NULL;
  for (int i = 0; there && !name && i < program->object_count; i++) {
    const TraceObject *o = &program->objects[i];
    if (o->space == p->space && o->base == program->extents[there - 1].first) name = o->name;
  }
  if (name) ls_text_addf(out, ", in %s", name);
}

static void add_place(const SimExec *exec, const SimFaultPlace *p, TraceFault *f, LsText *out) {
  f->object = nearest_object(exec->program, p->space, p->addr, &f->distance);
  if (p->space == TRACE_GLOBAL && p->addr < SIM_PAGE) {
    ls_text_addf(out, "address 0x%llx: the pointer is null", (unsigned long long)p->addr);
    f->object = -1;
    return;
  }
  if (f->object < 0) {
    ls_text_addf(out, "address 0x%llx, where nothing is allocated", (unsigned long long)p->addr);
    return;
  }
  TraceObject meant = p->extent ? meant_object(exec->program, p, f) : exec->program->objects[f->object], *o = &meant;
  if (p->space == TRACE_TEXTURE) { sim_image_place(exec, o, p->addr, out); return; }
  int64_t offset = signed_addr(p->space, p->addr) - (int64_t)o->base;
  int elem = launch_type_size((LaunchType)o->type);
  if (elem == 1 && p->size > 1) elem = p->size;   // dynamic shared memory is declared as bytes: index it as the access does
  if (!p->extent && p->space == TRACE_GLOBAL && (offset > 1ll << 40 || offset < -(1ll << 40))) {
    ls_text_addf(out, "address 0x%llx, which is in no allocation", (unsigned long long)p->addr);
    return;
  }
  if (elem > 0 && offset % elem == 0) ls_text_addf(out, "%s[%lld]", o->name, (long long)(offset / elem));
  else ls_text_addf(out, "byte %lld of %s", (long long)offset, o->name);
  if (p->kind != FAULT_OUT_OF_BOUNDS) return;
  if (f->distance < 0)
    ls_text_addf(out, ", %lld byte%s before the start of %s", -(long long)f->distance, f->distance == -1 ? "" : "s",
                 o->name);
  else if (offset == (int64_t)o->size)
    ls_text_addf(out, ", just past the end of %s", o->name);
  else if (offset > (int64_t)o->size)
    ls_text_addf(out, ", %lld bytes past the end of %s", (long long)f->distance, o->name);
  else ls_text_addf(out, ", across the end of %s", o->name);
  ls_text_addf(out, " (%llu bytes)", (unsigned long long)o->size);
  if (p->extent) add_trespass(exec->program, p, out);
}

// ---- sentences -----------------------------------------------------------------------------------------------------

static const char *verb(const SimExec *exec, const SimFaultPlace *p) {
  if (exec->pc >= 0 && exec->code[exec->pc].kind == TRACE_ATOM) return "updates";
  return p->writes ? "writes" : "reads";
}

static void add_access(const SimExec *exec, const SimFaultPlace *p, TraceFault *f, LsText *out) {
  ls_text_addf(out, " %s %d byte%s at ", verb(exec, p), p->size, p->size == 1 ? "" : "s");
  add_place(exec, p, f, out);
  if (p->kind == FAULT_MISALIGNED) ls_text_addf(out, ", an address that is no multiple of %d", p->size);
  if (p->kind == FAULT_UNINITIALIZED) ls_text_add(out, ", which nobody has written");
}

static void add_race(const SimExec *exec, const SimFaultPlace *p, TraceFault *f, LsText *out) {
  ls_text_addf(out, " %s ", p->writes ? "writes" : "reads");
  add_place(exec, p, f, out);
  ls_text_addf(out, ", which ");
  add_thread(exec->program, p->other_thread, out);
  if (p->other_block != f->block) add_coordinates(" of block", p->other_block, exec->program->launch->grid, out);
  ls_text_addf(out, " %s", p->text);
  if (p->other_pc >= 0 && p->other_pc != f->pc) {
    ls_text_add(out, " at ");
    sim_fault_where(exec->program, p->other_pc, out);
  }
  if (p->other_block != f->block) ls_text_add(out, "; nothing orders the two blocks");
  else if (p->other_thread / SIM_LANES == f->thread / SIM_LANES) ls_text_add(out, " with no __syncwarp() in between");
  else ls_text_add(out, " with no barrier in between");
}

// text: "into" or "from", as the copy goes.
static void add_copy(const SimExec *exec, const SimFaultPlace *p, TraceFault *f, LsText *out) {
  ls_text_addf(out, " %s ", verb(exec, p));
  add_place(exec, p, f, out);
  ls_text_addf(out, ", %s which ", p->text);
  add_thread(exec->program, p->other_thread, out);
  ls_text_add(out, " has started an asynchronous copy at ");
  sim_fault_where(exec->program, p->other_pc, out);
  ls_text_add(out, " that nobody has waited for");
}

static void add_what(const SimExec *exec, const SimFaultPlace *p, TraceFault *f, LsText *out) {
  switch (p->kind) {
  case FAULT_RACE: add_race(exec, p, f, out); return;
  case FAULT_PENDING_COPY: add_copy(exec, p, f, out); return;
  case FAULT_TRAP: ls_text_addf(out, ": %s", p->text ? p->text : "the kernel executed trap"); return;
  case FAULT_DIVIDE_BY_ZERO: ls_text_add(out, " divides an integer by zero"); return;
  case FAULT_STACK_OVERFLOW: ls_text_add(out, " is inside more calls than its stack can hold"); return;
  case FAULT_INACTIVE_SOURCE:
    ls_text_addf(out, " takes its value from lane %d, which takes no part in this shuffle: what it gets is not defined",
                 p->lane);
    return;
  default: break;
  }
  if (p->text && p->has_addr) f->object = nearest_object(exec->program, p->space, p->addr, &f->distance);
  if (p->text) ls_text_addf(out, ": %s", p->text);
  else if (p->has_addr) add_access(exec, p, f, out);
}

static char *sentence(const SimExec *exec, const SimFaultPlace *p, TraceFault *f) {
  LsText out = {0};
  if (p->mask) {
    if (!trace_fault_def(p->kind)->of_many) {
      add_thread(exec->program, f->thread, &out);
      ls_text_add(&out, " of ");
    }
    add_coordinates("block", f->block, exec->program->launch->grid, &out);
    add_what(exec, p, f, &out);
    ls_text_add(&out, "; ");
    sim_fault_where(exec->program, f->pc, &out);
  } else {
    add_coordinates("block", f->block, exec->program->launch->grid, &out);
    ls_text_addf(&out, ": %s", p->text ? p->text : trace_fault_name(p->kind));
  }
  return ls_text_take(&out);
}

// ---- telling -------------------------------------------------------------------------------------------------------

static void tell_event(SimExec *exec, int index, uint32_t mask) {
  SimFaultState *state = &exec->fault_states[index];
  if (state->in_block && state->block == exec->block.number) return;
  *state = (SimFaultState){exec->block.events, exec->block.number, true};
  if (!sim_wants_event(exec)) { sim_skip_event(exec); return; }
  if (exec->recording && exec->faults[index].step == UINT64_MAX && !exec->block.aside)
    exec->faults[index].step = exec->step;
  int warp = exec->warp ? sim_warp_index(exec) : 0;
  exec->event = (TraceEvent){.step = exec->step,
                             .block = exec->block.number,
                             .warp = (uint16_t)warp,
                             .kind = TRACE_FAULT,
                             .pc = exec->faults[index].pc,
                             .active = exec->active,
                             .mask = mask,
                             .target = -1,
                             .reconverge = -1,
                             .fault = index};
  sim_emit(exec);
}

static int add_fault(SimExec *exec, const SimFaultPlace *p, int32_t pc, int32_t other_pc) {
  uint32_t warp = exec->warp ? (uint32_t)sim_warp_index(exec) : 0;
  TraceFault f = {.kind = (uint8_t)p->kind,
                  .space = (uint8_t)p->space,
                  .block = exec->block.number,
                  .pc = pc,
                  .other_pc = other_pc,
                  .thread = warp * SIM_LANES + (p->mask ? (uint32_t)__builtin_ctz(p->mask) : 0),
                  .addr = p->addr,
                  .size = p->size,
                  .object = -1,
                  .other_block = p->other_block,
                  .other_thread = p->other_thread,
                  .count = 1};
  f.step = exec->recording && !exec->block.aside ? exec->step : UINT64_MAX;   // deferred_events.c knows it later
  f.message = sentence(exec, p, &f);
  LS_PUSH(exec->faults, exec->fault_count, exec->fault_capacity, f);
  LS_PUSH(exec->fault_states, exec->fault_state_count, exec->fault_state_capacity, ((SimFaultState){0}));
  if (exec->sink && exec->sink->fault) exec->sink->fault(exec->sink, &f);
  return exec->fault_count - 1;
}

void sim_fault(SimExec *exec, const SimFaultPlace *p) {
  if (sim_is_worker(exec)) { sim_give_up(exec); return; }   // it is told by the run on one thread
  int32_t pc = p->mask || exec->group ? sim_told_pc(exec, exec->warp, exec->group, exec->pc) : -1;
  int32_t other_pc = p->has_other ? p->other_pc : -1;
  int *known = ls_table_at(&exec->fault_of, &(LsKey){{(uint64_t)p->kind, (uint64_t)pc, (uint64_t)other_pc}});
  bool again = *known;
  if (!again) *known = add_fault(exec, p, pc, other_pc) + 1;
  int index = *known - 1;
  if (again) exec->faults[index].count++;
  if (!p->once || !again) tell_event(exec, index, p->mask);
  if (trace_fault_def(p->kind)->stops && !p->goes_on) exec->stopping = exec->failed = true;
}

// ---- nobody can go on ----------------------------------------------------------------------------------------------

static void add_waiting(SimExec *exec, LsText *out) {
  const char *comma = "";
  for (int k = 0; k < exec->warp_count; k++) {
    const SimWarp *w = &exec->warps[k];
    for (int i = 0; i < w->group_count; i++) {
      const SimLanes *g = &w->groups[i];
      if (g->state != SIM_GROUP_BARRIER) continue;
      int last = k;
      while (last + 1 < exec->warp_count && exec->warps[last + 1].group_count == 1 && w->group_count == 1 &&
             exec->warps[last + 1].groups[0].state == SIM_GROUP_BARRIER &&
             exec->warps[last + 1].groups[0].pc == g->pc && exec->warps[last + 1].groups[0].barrier == g->barrier)
        last++;
      ls_text_add(out, comma);
      if (g->mask != w->exist && last == k) { sim_fault_lanes(g->mask, out); ls_text_add(out, " of "); }
      if (last > k) ls_text_addf(out, "warps %d-%d wait at ", k, last);
      else ls_text_addf(out, "warp %d %s at ", k, g->mask != w->exist ? "wait" : "waits");
      if (g->barrier == SIM_CLUSTER_BARRIER) ls_text_add(out, "the barrier of the cluster (");
      else ls_text_addf(out, "barrier %d (", g->barrier);
      sim_fault_where(exec->program, sim_told_pc(exec, w, g, g->pc), out);
      ls_text_add(out, ")");
      comma = "; ";
      k = last;
      break;
    }
  }
}

static void add_ended(SimExec *exec, LsText *out) {
  for (int k = 0; k < exec->warp_count; k++) {
    const SimWarp *w = &exec->warps[k];
    if (w->live || w->exit_pc < 0) continue;
    int last = k;
    while (last + 1 < exec->warp_count && !exec->warps[last + 1].live && exec->warps[last + 1].exit_pc == w->exit_pc)
      last++;
    if (last > k) ls_text_addf(out, "; warps %d-%d ended at ", k, last);
    else ls_text_addf(out, "; warp %d ended at ", k);
    sim_fault_where(exec->program, w->exit_pc, out);
    k = last;
  }
}

static void add_counts(const SimExec *exec, LsText *out) {
  for (int id = 0; id < SIM_BARRIERS; id++) {
    const SimBarrier *b = &exec->block.barriers[id];
    if (b->used && b->threads)
      ls_text_addf(out, "; barrier %d has %u of the %u threads it waits for", id, sim_barrier_threads(exec, b),
                   b->threads);
  }
}

// Makes the first group that is there the running one, so that the fault has a place.
static void stand_somewhere(SimExec *exec) {
  for (int k = 0; k < exec->warp_count; k++) {
    SimWarp *w = &exec->warps[k];
    for (int i = 0; i < w->group_count; i++) {
      exec->warp = w;
      exec->group = &w->groups[i];
      exec->active = exec->group->mask;
      exec->pc = exec->group->pc;
      return;
    }
  }
}

void sim_fault_deadlock(SimExec *exec) {
  LsText text = {0};
  ls_text_add(&text, "nobody can go on: ");
  add_waiting(exec, &text);
  add_ended(exec, &text);
  add_counts(exec, &text);
  stand_somewhere(exec);
  sim_fault(exec, &(SimFaultPlace){.kind = FAULT_DEADLOCK, .mask = exec->active, .text = ls_text_str(&text)});
  exec->group = NULL;
  ls_text_free(&text);
}

// The jump back that was executed most often, -1 if there is none.
static int32_t busiest_loop(const SimExec *exec) {
  int32_t best = -1;
  for (int32_t pc = 0; pc < exec->program->module->code_count; pc++) {
    const PtxInstr *in = &exec->program->module->code[pc];
    bool back = in->op == PTX_OP_bra && in->operands[0].kind == PTX_OPD_LABEL && in->operands[0].target <= pc;
    if (back && exec->tally_warps[pc] > (best < 0 ? 1 : exec->tally_warps[best])) best = pc;
  }
  return best;
}

// It is nobody's fault in particular, but it happened somewhere.
void sim_fault_budget(SimExec *exec) {
  LsText text = {0};
  int32_t loop = busiest_loop(exec);
  ls_text_addf(&text, "the budget of %llu warp instructions is used up with %u of %llu blocks done",
               (unsigned long long)exec->budget, (unsigned)exec->grid.ended,
               (unsigned long long)launch_blocks(exec->program->launch));
  if (loop >= 0) {
    ls_text_addf(&text, "; warps went round the loop that ends at ");
    sim_fault_where(exec->program, loop, &text);
    ls_text_addf(&text, " %llu times", (unsigned long long)exec->tally_warps[loop]);
  }
  stand_somewhere(exec);
  sim_fault(exec, &(SimFaultPlace){.kind = FAULT_BUDGET, .mask = exec->active, .text = ls_text_str(&text)});
  exec->group = NULL;
  ls_text_free(&text);
}

// Lanes that stand at a convergence barrier, or in a group that has no turn.
static void add_parked(SimExec *exec, const SimWarp *w, LsText *out) {
  int top = w->group_count - 1;
  for (int i = 0; i < top && exec->sched == SIM_STACK; i++) {
    ls_text_add(out, "; ");
    sim_fault_lanes(w->groups[i].mask, out);
    ls_text_add(out, " could go on at ");
    sim_fault_where(exec->program, sim_told_pc(exec, w, &w->groups[i], w->groups[i].pc), out);
    ls_text_add(out, ", but this scheduler has one program counter for the warp and never turns to them");
  }
  for (int c = 0; c < w->conv_count; c++) {
    if (!w->convs[c].members || !w->convs[c].arrived) continue;
    ls_text_add(out, "; ");
    sim_fault_lanes(w->convs[c].arrived, out);
    ls_text_addf(out, " %s for them at ", __builtin_popcount(w->convs[c].arrived) == 1 ? "waits" : "wait");
    sim_fault_where(exec->program, w->convs[c].pc, out);
  }
}

void sim_fault_livelock(SimExec *exec) {
  LsText text = {0};
  for (int k = 0; k < exec->warp_count; k++) {
    SimWarp *w = &exec->warps[k];
    if (!w->spinning || !w->group_count) continue;
    exec->warp = w;
    exec->group = &w->groups[w->group_count - 1];
    for (int i = 0; i < w->group_count; i++) if (w->groups[i].mask & w->spinning) exec->group = &w->groups[i];
    exec->active = exec->group->mask;
    exec->pc = exec->group->pc;
    sim_fault_lanes(exec->active, &text);
    bool one = __builtin_popcount(exec->active) == 1;
    ls_text_addf(&text, " of warp %d %s at ", k, one ? "spins" : "spin");
    sim_fault_where(exec->program, sim_told_pc(exec, w, exec->group, exec->pc), &text);
    ls_text_addf(&text, " and nothing %s can change", one ? "it looks at" : "they look at");
    if (exec->program->shares) sim_grid_tell_waiting(exec, &text);
    add_parked(exec, w, &text);
    break;
  }
  sim_fault(exec, &(SimFaultPlace){.kind = FAULT_LIVELOCK, .mask = exec->active, .text = ls_text_str(&text)});
  exec->group = NULL;
  ls_text_free(&text);
}
