// program_hazards.c: uses of buffers by steps, and pairs of them without order.
#include "app/run/program_hazards.h"

#include <stdlib.h>

#include "base/mem.h"
#include "ptx/param_use.h"

enum { MOST_PAIRS = 1 << 20 };
static const uint64_t most_followed = 1ull << 30;   // bytes of marks

typedef struct Uses { int *index; int count, capacity; } Uses;   // of one side of a buffer by one chain, in order

struct ProgramHazards {
  const HostProgram *program;
  const PtxModule *module;
  const ProgramOrder *order;
  LsArena *arena;                  // scratch
  int entry; PtxParamUse use;      // of the kernel asked for last
  ProgramAccess *all; int count, capacity;
  bool *followed;                  // per step
  Touched **touched;               // per step
  uint64_t followed_bytes;
  int pairs;
};

typedef bool PairFn(ProgramHazards *h, const ProgramAccess *later, const ProgramAccess *earlier, void *context);

void program_hazards_add(ProgramHazards *h, const ProgramAccess *access) {
  LS_PUSH(h->all, h->count, h->capacity, *access);
}

// ---- what steps use ------------------------------------------------------------------------------------------------

static bool is_managed(const HostProgram *program, int buffer) { return program->buffers[buffer].host ==
    PROGRAM_MANAGED; }

static void add(ProgramHazards *h, int step, int buffer, bool host, bool writes, uint64_t first, uint64_t count) {
  uint64_t elem = (uint64_t)launch_type_size(h->program->buffers[buffer].contents.type);
  ProgramAccess access = {.step = step, .buffer = buffer, .on_host = host && !is_managed(h->program, buffer),
                          .writes = writes, .first = first * elem, .size = count * elem};
  program_hazards_add(h, &access);
}

static void find_use(ProgramHazards *h, int entry) {
  if (entry == h->entry) return;
  uint8_t *reached = LS_NEW_ARRAY(h->arena, uint8_t, h->module->func_count + 1);
  ptx_reach(h->module, entry, reached);
  ptx_param_use(h->module, entry, reached, h->arena, &h->use);
  h->entry = entry;
}

static void add_launch(ProgramHazards *h, int step) {
  const ProgramStep *s = &h->program->steps[step];
  int entry = ptx_find_entry(h->module, s->kernel, NULL);
  if (entry < 0) return;
  find_use(h, entry);
  bool launches = sim_may_launch(h->module, entry);   // what comes of it, only the run knows
  for (int i = 0; launches && i < h->program->buffer_count; i++)
    add(h, step, i, false, true, 0, h->program->buffers[i].contents.count);
  for (int i = 0; !launches && i < s->arg_count; i++) {
    const ProgramArg *arg = &s->args[i];
    if (!arg->is_buffer) continue;
    uint64_t count = h->program->buffers[arg->buffer].contents.count;
    bool writes = ptx_param_in(h->use.written, i);
    if (writes || ptx_param_in(h->use.read, i)) add(h, step, arg->buffer, arg->of_host, writes, 0, count);
  }
}

static void add_copy(ProgramHazards *h, int step) {
  const ProgramStep *s = &h->program->steps[step];
  bool from_host = s->direction == PROGRAM_H2D || s->direction == PROGRAM_H2H;
  bool to_host = s->direction == PROGRAM_D2H || s->direction == PROGRAM_H2H;
  add(h, step, s->from, from_host, false, s->from_first, s->count);
  add(h, step, s->buffer, to_host, true, s->first, s->count);
}

static void add_step(ProgramHazards *h, int step) {
  const ProgramStep *s = &h->program->steps[step];
  if (s->kind == PROGRAM_LAUNCH) add_launch(h, step);
  if (s->kind == PROGRAM_COPY) add_copy(h, step);
  if (s->kind == PROGRAM_SET) add(h, step, s->buffer, false, true, s->first, s->count);
  if (s->kind == PROGRAM_READ) add(h, step, s->buffer, true, false, s->first, s->count);
  if (s->kind == PROGRAM_WRITE) add(h, step, s->buffer, true, true, s->first, s->count);
}

// ---- pairs ---------------------------------------------------------------------------------------------------------

static bool ranges_meet(const ProgramAccess *a, const ProgramAccess *b) {
  return a->first < b->first + b->size && b->first < a->first + a->size;
}

// In each chain back to the first use that is over: all before that are, too.
static bool look_back(ProgramHazards *h, const ProgramAccess *later, const Uses *uses, PairFn *fn, void *context) {
  for (int k = uses->count - 1; k >= 0; k--) {
    const ProgramAccess *earlier = &h->all[uses->index[k]];
    if (earlier->step == later->step) continue;
    if (program_order_is(h->order, earlier->step, later->step)) return true;
    if (!(later->writes || earlier->writes) || !ranges_meet(later, earlier)) continue;
    if (++h->pairs > MOST_PAIRS || !fn(h, later, earlier, context)) return false;
  }
  return true;
}

static int by_step(const void *a, const void *b) {
  const ProgramAccess *x = a, *y = b;
  return x->step < y->step ? -1 : x->step > y->step;
}

static void each_pair(ProgramHazards *h, PairFn *fn, void *context) {
  int chains = 1 + h->program->stream_count;
  size_t sides = (size_t)h->program->buffer_count * 2 * (size_t)chains;
  Uses *uses = ls_alloc(sizeof *uses * (sides + 1));
  bool goes_on = true;
  h->pairs = 0;
  if (h->count) qsort(h->all, (size_t)h->count, sizeof *h->all, by_step);
  for (int i = 0; i < h->count && goes_on; i++) {
    const ProgramAccess *a = &h->all[i];
    Uses *row = &uses[(size_t)(a->buffer * 2 + a->on_host) * (size_t)chains];
    for (int chain = 0; chain < chains && goes_on; chain++) goes_on = look_back(h, a, &row[chain], fn, context);
    Uses *own = &row[program_order_chain(h->program, a->step)];
    LS_PUSH(own->index, own->count, own->capacity, i);
  }
  for (size_t i = 0; i < sides; i++) free(uses[i].index);
  free(uses);
}

// ---- which launches ------------------------------------------------------------------------------------------------

static void follow(ProgramHazards *h, int step) {
  uint64_t bytes = 0;
  if (h->program->steps[step].kind != PROGRAM_LAUNCH || h->followed[step]) return;
  for (int i = 0; i < h->program->buffer_count; i++) bytes += 2 * program_buffer_bytes(&h->program->buffers[i]);
  if (h->followed_bytes + bytes > most_followed) return;
  h->followed_bytes += bytes;
  h->followed[step] = true;
}

static bool follow_both(ProgramHazards *h, const ProgramAccess *later, const ProgramAccess *earlier, void *context) {
  (void)context;
  follow(h, later->step);
  follow(h, earlier->step);
  return true;
}

ProgramHazards *program_hazards_new(const HostProgram *program, const PtxModule *module, const ProgramOrder *order) {
  ProgramHazards *h = ls_alloc(sizeof *h);
  *h = (ProgramHazards){.program = program, .module = module, .order = order, .arena = ls_arena_new(), .entry = -1};
  h->followed = ls_alloc(sizeof *h->followed * (size_t)program->step_count);
  h->touched = ls_alloc(sizeof *h->touched * (size_t)program->step_count);
  for (int i = 0; i < program->step_count; i++) add_step(h, i);
  each_pair(h, follow_both, NULL);
  return h;
}

void program_hazards_free(ProgramHazards *h) {
  if (!h) return;
  for (int i = 0; i < h->program->step_count; i++) touched_free(h->touched[i]);
  free(h->touched);
  free(h->followed);
  free(h->all);
  ls_arena_free(h->arena);
  free(h);
}

bool program_hazards_follows(const ProgramHazards *h, int step) { return h->followed[step]; }

void program_hazards_take(ProgramHazards *h, int step, Touched *touched) { h->touched[step] = touched; }

// ---- byte by byte --------------------------------------------------------------------------------------------------

typedef struct Listener { void (*found)(void *, const ProgramHazard *); void *context; } Listener;

// The first byte that both touch; UINT64_MAX: none.
static uint64_t meeting(const ProgramHazards *h, const ProgramAccess *a, const ProgramAccess *b) {
  const Touched *x = h->touched[a->step], *y = h->touched[b->step];
  bool of_launches = h->program->steps[a->step].kind == PROGRAM_LAUNCH, other = h->program->steps[b->step].kind ==
      PROGRAM_LAUNCH;
  if ((of_launches && !x) || (other && !y)) return UINT64_MAX;   // not run, or too much to follow
  if (x && y) return touched_meet(x, y, a->buffer, 0);
  if (x) return touched_meet_range(x, a->buffer, b->first, b->size, b->writes);
  if (y) return touched_meet_range(y, a->buffer, a->first, a->size, a->writes);
  return LS_MAX(a->first, b->first);
}

static int32_t pc_at(const ProgramHazards *h, const ProgramAccess *a, uint64_t byte) {
  const Touched *touched = h->touched[a->step];
  return touched ? touched_pc(touched, a->buffer, byte) : -1;
}

static bool tell(ProgramHazards *h, const ProgramAccess *later, const ProgramAccess *earlier, void *context) {
  const Listener *listener = context;
  uint64_t byte = meeting(h, later, earlier);
  if (byte == UINT64_MAX) return true;
  ProgramHazard hazard = {later, earlier, byte, pc_at(h, later, byte), pc_at(h, earlier, byte)};
  listener->found(listener->context, &hazard);
  return true;
}

void program_hazards_find(ProgramHazards *h, void (*found)(void *context, const ProgramHazard *hazard), void *context) {
  Listener listener = {found, context};
  each_pair(h, tell, &listener);
}
