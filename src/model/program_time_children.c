// program_time_children.c: launches by kernels in time: when the blocks of their parents launch them, and what is
// before
// them.
#include <stdlib.h>

#include "base/mem.h"
#include "model/program_clock.h"

static const ProgramKin *kin_of(const Clock *c, int step) { return c->program->steps[step].kin; }

// ---- who comes behind whom -----------------------------------------------------------------------------------------

typedef struct Asked { int parent, step, number; uint32_t block; } Asked;

static int by_block(const void *a, const void *b) {
  const Asked *x = a, *y = b;
  if (x->parent != y->parent) return x->parent - y->parent;
  if (x->block != y->block) return x->block < y->block ? -1 : 1;
  return x->number - y->number;
}

// Children of one parent one after the other, in the order of the blocks that launch them.
static void sort_asked(Clock *c) {
  int first = c->program->step_count, count = c->program->child_count;
  Asked *all = ls_alloc(sizeof *all * (size_t)count);
  for (int i = 0; i < count; i++) {
    const ProgramKin *kin = kin_of(c, first + i);
    all[i] = (Asked){kin->parent, first + i, kin->number, kin->by_block};
  }
  qsort(all, (size_t)count, sizeof *all, by_block);
  for (int i = 0; i < count; i++) {
    KinState *parent = &c->kin[all[i].parent];
    if (!i || all[i - 1].parent != all[i].parent) parent->asks = parent->next_ask = i;
    parent->asks_end = i + 1;
    c->asked[i] = all[i].step;
  }
  free(all);
}

// First how many are behind each child, then which.
static void find_followers(Clock *c) {
  int first = c->program->step_count, all = program_all_steps(c->program), total = 0;
  for (int i = first; i < all; i++)
    for (int k = 0; k < kin_of(c, i)->after_count; k++) c->kin[kin_of(c, i)->after[k]].followers_end++;
  for (int i = first; i < all; i++) {
    int behind = c->kin[i].followers_end;
    c->kin[i].followers = c->kin[i].followers_end = total;
    total += behind;
  }
  c->followers = ls_alloc(sizeof *c->followers * (size_t)(total + 1));
  for (int i = first; i < all; i++)
    for (int k = 0; k < kin_of(c, i)->after_count; k++)
      c->followers[c->kin[kin_of(c, i)->after[k]].followers_end++] = i;
}

void program_children_prepare(Clock *c) {
  int first = c->program->step_count, all = program_all_steps(c->program);
  c->kin = ls_alloc(sizeof *c->kin * (size_t)all);
  c->asked = ls_alloc(sizeof *c->asked * (size_t)c->program->child_count);
  for (int i = first; i < all; i++) {
    const ProgramKin *kin = kin_of(c, i);
    bool tail = kin->stream == PROGRAM_KIN_TAIL;
    c->kin[i].missing = 1 + kin->after_count + tail;   // its launch, what is before it, and all other children
    if (tail) c->kin[kin->parent].tails++;
    else c->kin[kin->parent].open++;
  }
  sort_asked(c);
  find_followers(c);
}

void program_children_free(Clock *c) {
  free(c->kin);
  free(c->asked);
  free(c->followers);
  free(c->may.steps);
  free(c->ready.steps);
}

// ---- begin ---------------------------------------------------------------------------------------------------------

static void enter(StepQueue *queue, int step) { LS_PUSH(queue->steps, queue->count, queue->capacity, step); }

// One of the things that were missing is there: the end of `behind`, or, -1, what its parent did.
static void come_nearer(Clock *c, int step, int behind) {
  KinState *kin = &c->kin[step];
  if (--kin->missing) return;
  c->times[step].waited_for = behind;
  kin->may = c->now;
  enter(&c->may, step);
}

// From its own end on a block launches one after the other. Returns when it is done.
static double launch_all(Clock *c, KinState *parent, double time) {
  uint32_t block = kin_of(c, c->asked[parent->next_ask])->by_block;
  for (; parent->next_ask < parent->asks_end; parent->next_ask++) {
    int child = c->asked[parent->next_ask];
    if (kin_of(c, child)->by_block != block) break;
    c->times[child].issued = time;
    time += c->rates->child_ns;
    program_clock_push(c, (Finish){time, child, FINISH_LAUNCH});
  }
  return time;
}

void program_children_begin_blocks(Clock *c, int step, int64_t blocks) {
  KinState *parent = &c->kin[step];
  double end = c->now + LS_MAX(c->costs[c->states[step].launch].block_ns, 1);
  bool all = !c->states[step].waiting;   // then what is left is theirs, too
  parent->begun += blocks;
  while (parent->next_ask < parent->asks_end) {
    if (kin_of(c, c->asked[parent->next_ask])->by_block >= parent->begun && !all) break;
    double launched = launch_all(c, parent, end);
    if (blocks > 0) program_clock_push(c, (Finish){launched, step, 1}), blocks--;
  }
  if (blocks > 0) program_clock_push(c, (Finish){end, step, blocks});
}

void program_children_launched(Clock *c, int step) { come_nearer(c, step, -1); }

// One that nothing holds up begins with its launch.
void program_children_begin(Clock *c) {
  while (c->may.first < c->may.count && c->kernels < c->rates->most_kernels) {
    int step = c->may.steps[c->may.first++];
    ProgramTime *t = &c->times[step];
    bool late = c->now > c->kin[step].may, tail = kin_of(c, step)->stream == PROGRAM_KIN_TAIL;
    bool waited = late || tail || t->waited_for >= 0;
    c->kernels++;
    t->begin = waited ? c->now : t->issued;
    t->runs = c->now;
    if (late) t->waited_for = c->last_ended;
    c->states[step].has_begun = true;
    program_clock_push(c, (Finish){c->now + (waited ? c->rates->next_ns : 0), step, 0});
  }
}

void program_children_ready(Clock *c, int step) { enter(&c->ready, step); }

void program_children_fill(Clock *c) {
  while (c->ready.first < c->ready.count) {
    int step = c->ready.steps[c->ready.first];
    program_clock_fill(c, step);
    if (c->states[step].waiting) return;
    c->ready.first++;
  }
}

// ---- end -----------------------------------------------------------------------------------------------------------

static void let_tails_go(Clock *c, int step) {
  KinState *parent = &c->kin[step];
  parent->tails_may = true;
  int last = c->times[step].last_child, behind = last >= 0 && c->times[last].end >= c->now ? last : -1;
  for (int i = parent->asks; i < parent->asks_end; i++)
    if (kin_of(c, c->asked[i])->stream == PROGRAM_KIN_TAIL) come_nearer(c, c->asked[i], behind);
}

static bool is_over(Clock *c, int step) {
  KinState *kin = &c->kin[step];
  if (!kin->is_out || kin->open) return false;
  if (kin->tails && !kin->tails_may) let_tails_go(c, step);
  return !kin->tails;
}

static void end_child(Clock *c, int step) {
  const ProgramKin *kin = kin_of(c, step);
  KinState *own = &c->kin[step], *parent = &c->kin[kin->parent];
  c->times[step].end = c->now;
  c->times[kin->parent].last_child = c->last_ended = step;
  if (kin->stream == PROGRAM_KIN_TAIL) parent->tails--;
  else parent->open--;
  for (int i = own->followers; i < own->followers_end; i++) come_nearer(c, c->followers[i], step);
}

int program_children_leave(Clock *c, int step) {
  if (!c->kin) return step;
  c->kin[step].is_out = true;
  for (; is_over(c, step); step = kin_of(c, step)->parent) {
    if (!kin_of(c, step)) return step;
    end_child(c, step);
  }
  return -1;
}
