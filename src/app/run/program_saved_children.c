// program_saved_children.c: the launches by kernels of a saved program; program_saved.c has the format.
#include <stdlib.h>
#include <string.h>

#include "app/run/program_children.h"
#include "app/run/program_saved_parts.h"
#include "base/mem.h"

// ---- written -------------------------------------------------------------------------------------------------------

static void put_child(TraceBytes *b, const ProgramRun *run, const ProgramChild *child) {
  trace_put_varint(b, (uint64_t)(child->parent + 1));
  trace_put_varint(b, (uint64_t)child->number);
  trace_put_text(b, run->module->funcs[child->entry].name);
  for (int i = 0; i < 3; i++) trace_put_varint(b, child->grid[i]);
  for (int i = 0; i < 3; i++) trace_put_varint(b, child->block[i]);
  trace_put_varint(b, child->shared);
  trace_put_varint(b, child->stream);
  trace_put_varint(b, child->by_block);
  trace_put_varint(b, child->by_thread);
  saved_put_index(b, child->pc);
  trace_put_varint(b, (uint64_t)child->after_count);
  for (int i = 0; i < child->after_count; i++) saved_put_index(b, child->after[i]);
  saved_put_launch(b, &child->launch);
}

static void put_moves(TraceBytes *b, const ProgramRun *run, const ProgramLaunch *root) {
  trace_put_varint(b, (uint64_t)root->move_count);
  for (int i = 0; i < root->move_count; i++) {
    trace_put_varint(b, (uint64_t)root->moves[i].before);
    trace_put_u64(b, root->moves[i].op.to);
    trace_put_u64(b, root->moves[i].op.count);
  }
  for (int i = 0; root->move_count && i < run->program.buffer_count; i++) trace_put_u64(b, root->bases[i]);
}

static void put_time(TraceBytes *b, const ProgramTime *t) {
  saved_put_double(b, t->issued);
  saved_put_double(b, t->begin);
  saved_put_double(b, t->runs);
  saved_put_double(b, t->over);
  saved_put_double(b, t->end);
  saved_put_index(b, t->waited_for);
  saved_put_index(b, t->last_child);
}

void saved_put_children(TraceBytes *b, const ProgramRun *run) {
  const HostProgram *p = &run->program;
  if (!p->child_count) return;
  for (int i = 0; i < run->launch_count; i++) {
    const ProgramLaunch *root = &run->launches[i];
    trace_put_varint(b, (uint64_t)root->child_count);
    for (int k = 0; k < root->child_count; k++) put_child(b, run, &root->children[k]);
    put_moves(b, run, root);
  }
  trace_put_u8(b, run->times != NULL);
  for (int i = p->step_count; run->times && i < program_all_steps(p); i++) put_time(b, &run->times[i]);
  for (int i = 0; run->times && i < p->step_count; i++) {
    saved_put_double(b, run->times[i].runs);
    saved_put_double(b, run->times[i].over);
    saved_put_index(b, run->times[i].last_child);
  }
}

// ---- read ----------------------------------------------------------------------------------------------------------

static void get_dims(TraceCursor *c, uint32_t dims[3], uint64_t most) {
  for (int i = 0; i < 3; i++) {
    dims[i] = (uint32_t)trace_get_bounded(c, most);
    if (!dims[i]) trace_cursor_fail(c);
  }
}

static void get_after(TraceCursor *c, ProgramChild *child, int before) {
  int count = (int)trace_get_bounded(c, KIN_MOST_AFTER);
  child->after = ls_alloc(sizeof *child->after * (size_t)(count + 1));
  for (int i = 0; i < count && !c->bad; i++)
    child->after[child->after_count++] = saved_get_index(c, false, before);
}

static void get_child(TraceCursor *c, const SavedCounters *counters, ProgramRun *run, ProgramLaunch *root,
                      SavedChildren *all) {
  ProgramChild child = {.launch = {.step = root->step}};
  child.parent = (int)trace_get_bounded(c, (uint64_t)root->child_count) - 1;
  child.number = (int)trace_get_bounded(c, PROGRAM_MOST_CHILDREN);
  child.depth = child.parent < 0 ? 1 : root->children[child.parent].depth + 1;
  LS_PUSH(all->kernels, all->count, all->capacity, saved_get_words(c));
  get_dims(c, child.grid, INT32_MAX);
  get_dims(c, child.block, 1024);
  child.shared = (uint32_t)trace_get_bounded(c, UINT32_MAX);
  child.stream = trace_get_varint(c);
  child.by_block = (uint32_t)trace_get_bounded(c, UINT32_MAX);
  child.by_thread = (uint32_t)trace_get_bounded(c, UINT32_MAX);
  child.pc = saved_get_index(c, true, INT32_MAX);
  get_after(c, &child, root->child_count);
  saved_get_launch(c, counters, &child.launch);
  counter_add(&run->counters, &child.launch.counters);
  LS_PUSH(root->children, root->child_count, root->child_capacity, child);
}

static void get_moves(TraceCursor *c, const ProgramRun *run, ProgramLaunch *root) {
  int count = (int)trace_get_bounded(c, INT32_MAX), buffers = run->program.buffer_count;
  for (int i = 0; i < count && !c->bad; i++) {
    ProgramMove move = {.before = (int)trace_get_bounded(c, (uint64_t)root->child_count)};
    move.op.to = trace_get_u64(c);
    move.op.count = trace_get_u64(c);
    LS_PUSH(root->moves, root->move_count, root->move_capacity, move);
  }
  if (!count || c->bad) return;
  root->bases = ls_alloc(sizeof *root->bases * (size_t)(buffers + 1));
  for (int i = 0; i < buffers; i++) root->bases[i] = trace_get_u64(c);
}

static void get_launch(TraceCursor *c, const SavedCounters *counters, ProgramRun *run, ProgramLaunch *root,
                       SavedChildren *all) {
  const ProgramStep *step = &run->program.steps[root->step];
  uint64_t count = trace_get_bounded(c, PROGRAM_MOST_CHILDREN);
  bool empty = false;
  for (int i = 0; i < 3; i++) empty |= !step->grid[i] || !step->block[i];
  if (count && empty) trace_cursor_fail(c);   // that launches nothing
  for (uint64_t i = 0; i < count && !c->bad; i++) get_child(c, counters, run, root, all);
  if (!c->bad) get_moves(c, run, root);
}

static bool is_time(const ProgramTime *t) {
  static const double most = 1e18;
  return t->begin >= -1 && t->runs >= t->begin && t->over >= t->runs && t->end >= t->over && t->end <= most;
}

static void get_times(TraceCursor *c, ProgramRun *run, SavedChildren *all) {
  int steps = run->program.step_count, every = steps + all->count;
  all->has_times = trace_get_u8(c) != 0;
  if (!all->has_times) return;
  if (!run->times) trace_cursor_fail(c);
  all->times = ls_alloc(sizeof *all->times * (size_t)(all->count + 1));
  for (int i = 0; i < all->count && !c->bad; i++) {
    ProgramTime *t = &all->times[i];
    *t = (ProgramTime){.issued = saved_get_double(c), .room_from = -1, .row = PROGRAM_ROW_STREAM};
    t->begin = saved_get_double(c);
    t->runs = saved_get_double(c);
    t->over = saved_get_double(c);
    t->end = saved_get_double(c);
    t->waited_for = saved_get_index(c, true, every);
    t->last_child = saved_get_index(c, true, every);
    if (!is_time(t)) trace_cursor_fail(c);
  }
  for (int i = 0; i < steps && !c->bad; i++) {
    ProgramTime *t = &run->times[i];
    t->runs = saved_get_double(c);
    t->over = saved_get_double(c);
    t->last_child = saved_get_index(c, true, every);
    if (t->end >= 0 && !is_time(t)) trace_cursor_fail(c);
  }
}

void saved_get_children(TraceCursor *c, const SavedCounters *counters, ProgramRun *run, SavedChildren *all) {
  if (c->p == c->end) return;
  for (int i = 0; i < run->launch_count && !c->bad; i++) get_launch(c, counters, run, &run->launches[i], all);
  if (!c->bad) get_times(c, run, all);
}

// ---- joined --------------------------------------------------------------------------------------------------------

static int entry_of(const PtxModule *module, const char *name) {
  int entry = ptx_find_entry(module, name, NULL);
  return entry >= 0 && strcmp(module->funcs[entry].name, name) == 0 ? entry : -1;
}

bool saved_join_children(ProgramRun *run, SavedChildren *all) {
  int at = 0;
  if (!all->count) return true;
  for (int i = 0; i < run->launch_count; i++)
    for (int k = 0; k < run->launches[i].child_count; k++, at++) {
      ProgramChild *child = &run->launches[i].children[k];
      child->entry = entry_of(run->module, all->kernels[at]);
      if (child->entry < 0) return false;
    }
  program_run_add_children(run);
  if (!run->times) return true;
  ProgramTime *times = program_times_new(&run->program);
  memcpy(times, run->times, sizeof *times * (size_t)run->program.step_count);
  if (all->has_times) memcpy(&times[run->program.step_count], all->times, sizeof *times * (size_t)all->count);
  free(run->times);
  run->times = times;
  return true;
}

void saved_children_fini(SavedChildren *all) {
  for (int i = 0; i < all->count; i++) free(all->kernels[i]);
  free(all->kernels);
  free(all->times);
}
