// replay.c: the state of a block after any of its events, by executing again from the nearest checkpoint.
//
// Checkpoints of the current block hold everything of it but global memory, of which every page that the block writes
// has versions: its bytes at the start of the block, and at each checkpoint before which it was written. When there
// are too many checkpoints every other one goes, and the interval doubles.
//
//   turns    0 .. start --------- v-1 | v                      images of memory at the starts of some turns
//   events of its block               | c0 ... c1 ... c2 .e.   checkpoints; e is reached by executing from c2
//
// A turn is a block from its start to its end, or, if blocks wait for one another, a piece of it (timeline.c).
#include "sim/replay/replay.h"
#include <stdlib.h>
#include <string.h>
#include "base/clock.h"
#include "ptx/def_use.h"
#include "sim/check/fault.h"
#include "sim/check/shadow.h"
#include "sim/core/slots.h"
#include "sim/grid/grid.h"
#include "sim/grid/run.h"
#include "sim/grid/state.h"
#include "sim/grid/turns.h"

enum { SLICE = 20000 };   // events between looks at the clock
enum { FIRST_INTERVAL = 4096, MAX_CHECKPOINTS = 256, MAX_IMAGES = 16 };
static const size_t MAX_CHECKPOINT_BYTES = 64u << 20, MAX_IMAGE_BYTES = 256u << 20;

typedef struct Checkpoint { uint64_t event; uint8_t *state; size_t bytes; } Checkpoint;
typedef struct Version { uint64_t event; uint8_t *bytes; } Version;       // as of the checkpoint at `event`
typedef struct Page { SimAlloc *alloc; uint64_t number; Version *versions; int count, capacity; bool dirty; } Page;
typedef struct Image { SimGrid grid; uint64_t executed; uint8_t *bytes, *state; uint64_t used; } Image;

struct SimReplay {
  Sim *sim;
  SimExec *exec;                 // the Sim's
  SimReplayHooks hooks;
  uint64_t interval;
  Checkpoint *checkpoints; int checkpoint_count, checkpoint_capacity;
  Page *pages; int page_count, page_capacity;
  int **page_of;                 // per allocation, per page: index into pages + 1, 0: none
  uint32_t intervals;            // numbers given to hooks.interval
  size_t state_bytes, page_bytes, image_bytes;   // of all checkpoints, all versions of pages, an image
  Image images[MAX_IMAGES]; int image_count;
  SimTimeline timeline;
  SimFastForward forward;
  uint64_t clock;                // for the image that was not used for longest
  SimExpectedEvent *expected; int expected_capacity;   // hooks.expected
  bool in_block, ended;
  bool on_way;                   // between turns: the running one has no checkpoints and is to be finished
  double patience, deadline;     // seconds a seek may take (0: any); when this one has to stop
};

// ---- pages of global memory ----------------------------------------------------------------------------------------

static size_t page_length(const Page *p) {
  uint64_t first = p->number * SIM_PAGE;
  return (size_t)LS_MIN((uint64_t)SIM_PAGE, p->alloc->size - first);
}

static void page_keep(SimReplay *r, Page *p, uint64_t event) {
  size_t length = page_length(p), size = length * (p->alloc->init ? 2 : 1);
  Version v = {event, ls_alloc(size)};
  memcpy(v.bytes, p->alloc->bytes + p->number * SIM_PAGE, length);
  if (p->alloc->init) memcpy(v.bytes + length, p->alloc->init + p->number * SIM_PAGE, length);
  LS_PUSH(p->versions, p->count, p->capacity, v);
  r->page_bytes += size;
}

static void page_back(Page *p, uint64_t event) {
  int i = p->count - 1;
  while (i > 0 && p->versions[i].event > event) i--;
  size_t length = page_length(p);
  memcpy(p->alloc->bytes + p->number * SIM_PAGE, p->versions[i].bytes, length);
  if (p->alloc->init) memcpy(p->alloc->init + p->number * SIM_PAGE, p->versions[i].bytes + length, length);
  p->dirty = false;
}

// Called before the first write to a page in an interval.
static void on_dirty(void *owner, SimAlloc *alloc, uint64_t number) {
  SimReplay *r = owner;
  alloc->dirty[number] = r->hooks.interval;
  int *index = &r->page_of[alloc - r->exec->memory->allocs][number];
  if (!*index) {
    Page page = {.alloc = alloc, .number = number};
    LS_PUSH(r->pages, r->page_count, r->page_capacity, page);
    *index = r->page_count;
    page_keep(r, &r->pages[r->page_count - 1], 0);
  }
  r->pages[*index - 1].dirty = true;
}

static void new_interval(SimReplay *r) { r->hooks.interval = ++r->intervals; }

// A version that no checkpoint needs: the next one is there before the next checkpoint.
static void page_thin(SimReplay *r, Page *p) {
  size_t size = page_length(p) * (p->alloc->init ? 2 : 1);
  int kept = 1;
  for (int i = 1; i < p->count; i++) {
    bool needed = i + 1 == p->count;
    for (int c = 0; c < r->checkpoint_count && !needed; c++)
      needed = r->checkpoints[c].event >= p->versions[i].event && r->checkpoints[c].event < p->versions[i + 1].event;
    if (needed) { p->versions[kept++] = p->versions[i]; continue; }
    free(p->versions[i].bytes);
    r->page_bytes -= size;
  }
  p->count = kept;
}

// ---- checkpoints ---------------------------------------------------------------------------------------------------

static void thin_out(SimReplay *r) {
  int kept = 0;
  for (int c = 0; c < r->checkpoint_count; c++) {
    if (c % 2 == 0) { r->checkpoints[kept++] = r->checkpoints[c]; continue; }
    free(r->checkpoints[c].state);
    r->state_bytes -= r->checkpoints[c].bytes;
  }
  r->checkpoint_count = kept;
  r->interval *= 2;
  for (int i = 0; i < r->page_count; i++) page_thin(r, &r->pages[i]);
}

static void make_checkpoint(SimReplay *r) {
  size_t bytes = sim_state_size(r->exec);
  Checkpoint c = {r->exec->block.events, ls_alloc(bytes), bytes};
  sim_state_save(r->exec, c.state);
  r->state_bytes += bytes;
  LS_PUSH(r->checkpoints, r->checkpoint_count, r->checkpoint_capacity, c);
  for (int i = 0; i < r->page_count; i++) {
    if (!r->pages[i].dirty) continue;
    page_keep(r, &r->pages[i], c.event);
    r->pages[i].dirty = false;
  }
  new_interval(r);
  bytes = r->state_bytes + r->page_bytes;
  if (r->checkpoint_count > MAX_CHECKPOINTS || (bytes > MAX_CHECKPOINT_BYTES && r->checkpoint_count > 4)) thin_out(r);
}

static void drop_checkpoints(SimReplay *r) {
  for (int c = 0; c < r->checkpoint_count; c++) free(r->checkpoints[c].state);
  for (int i = 0; i < r->page_count; i++) {
    Page *p = &r->pages[i];
    r->page_of[p->alloc - r->exec->memory->allocs][p->number] = 0;
    for (int v = 0; v < p->count; v++) free(p->versions[v].bytes);
    free(p->versions);
  }
  r->checkpoint_count = r->page_count = 0;
  r->page_bytes = r->state_bytes = 0;
  r->interval = FIRST_INTERVAL;
}

// Faults that come later in the block than where we stand have not been told yet.
static void forget_later_faults(SimExec *exec) {
  for (int i = 0; i < exec->fault_state_count; i++) {
    SimFaultState *f = &exec->fault_states[i];
    if (f->block == exec->block.number && f->block_event >= exec->block.events) f->in_block = false;
  }
  exec->stopping = exec->failed = exec->canceled = false;
}

static int checkpoint_before(const SimReplay *r, uint64_t events) {
  int low = 0, high = r->checkpoint_count;
  while (low + 1 < high) {
    int middle = (low + high) / 2;
    if (r->checkpoints[middle].event <= events) low = middle; else high = middle;
  }
  return low;
}

static void go_back_to(SimReplay *r, int checkpoint) {
  sim_state_load(r->exec, r->checkpoints[checkpoint].state);
  for (int i = 0; i < r->page_count; i++) page_back(&r->pages[i], r->checkpoints[checkpoint].event);
  new_interval(r);
  forget_later_faults(r->exec);
  r->ended = false;
}

// ---- patience ------------------------------------------------------------------------------------------------------

static bool late(const SimReplay *r) { return r->patience > 0 && ls_clock() > r->deadline; }
static bool not_yet(LsErr *err) { return ls_fail(err, LS_ECANCEL, "the way to this step is long"); }

bool sim_replay_run_to(SimReplay *r, uint64_t events, LsErr *err) {
  SimExec *exec = r->exec;
  while (!r->ended && exec->block.events < events) {
    if (late(r)) return not_yet(err);
    uint64_t next = r->checkpoints[r->checkpoint_count - 1].event + r->interval;
    bool beyond = exec->block.events >= r->checkpoints[r->checkpoint_count - 1].event;
    r->hooks.stop_at = LS_MIN(beyond && next < events ? next : events, exec->block.events + SLICE);
    r->ended = sim_block_go(exec) || exec->failed || exec->block.wait.stuck;
    if (exec->canceled) { r->in_block = false; return ls_fail(err, LS_ECANCEL, "canceled"); }
    if (beyond && exec->block.events >= next && !r->ended) make_checkpoint(r);
  }
  return true;
}

// ---- turns ---------------------------------------------------------------------------------------------------------

static size_t image_size(const SimMemory *memory) {
  size_t size = 0;
  for (int i = 0; i < memory->alloc_count; i++)
    size += memory->allocs[i].is_const ? 0 : memory->allocs[i].size * (memory->allocs[i].init ? 2 : 1);
  return size;
}

static void image_copy(SimMemory *memory, uint8_t *image, bool save) {
  for (int i = 0; i < memory->alloc_count; i++) {
    SimAlloc *a = &memory->allocs[i];
    if (a->is_const) continue;
    for (int plane = 0; plane < (a->init ? 2 : 1); plane++) {
      uint8_t *bytes = plane ? a->init : a->bytes;
      if (save) memcpy(image, bytes, a->size); else memcpy(bytes, image, a->size);
      image += a->size;
    }
  }
}

static void image_drop(Image *image) {
  free(image->bytes);
  free(image->state);
  sim_grid_free(&image->grid);
}

static void image_drop_oldest(SimReplay *r) {
  int oldest = 0;
  for (int i = 1; i < r->image_count; i++) if (r->images[i].used < r->images[oldest].used) oldest = i;
  image_drop(&r->images[oldest]);
  r->images[oldest] = r->images[--r->image_count];
}

// At the start of a turn.
static void image_keep(SimReplay *r) {
  SimExec *exec = r->exec;
  size_t state = sim_state_size(exec), bytes = r->image_bytes + state * (size_t)(exec->grid.count + 1);
  if (exec->grid.turn == 0 || bytes > MAX_IMAGE_BYTES) return;
  for (int i = 0; i < r->image_count; i++) if (r->images[i].grid.turn == exec->grid.turn) return;
  while (r->image_count &&
         (r->image_count == MAX_IMAGES || bytes * (size_t)(r->image_count + 1) > MAX_IMAGE_BYTES))
    image_drop_oldest(r);
  Image image = {{0}, exec->executed, ls_alloc(r->image_bytes + 1), ls_alloc(state), ++r->clock};
  sim_grid_copy(&image.grid, &exec->grid);
  image_copy(exec->memory, image.bytes, true);
  sim_state_save(exec, image.state);
  r->images[r->image_count++] = image;
}

static void start_over(SimReplay *r, const Image *image) {
  static const SimGrid none = {.current = -1, .last = -1};
  SimExec *exec = r->exec;
  sim_fast_forward_end(&r->forward, exec);
  sim_shadow_clear(exec->shadow);
  forget_later_faults(exec);
  for (int i = 0; i < exec->fault_state_count; i++) exec->fault_states[i].in_block = false;
  sim_grid_copy(&exec->grid, image ? &image->grid : &none);
  exec->executed = image ? image->executed : 0;
  exec->poll_at = 0;
  r->ended = false;
  if (!image) {
    exec->block.epoch = 0;
    sim_memory_reset(exec->program, exec->memory);
    sim_grid_next(exec);
    return;
  }
  image_copy(exec->memory, image->bytes, false);
  sim_state_load(exec, image->state);
  sim_slots_fill_number(exec);
}

static Image *image_before(SimReplay *r, uint64_t turn) {
  Image *best = NULL;
  for (int i = 0; i < r->image_count; i++)
    if (r->images[i].grid.turn <= turn && (!best || r->images[i].grid.turn > best->grid.turn)) best = &r->images[i];
  return best;
}

// Goes on to the end of the running turn and to the start of the next one.
static bool finish_turn(SimReplay *r, LsErr *err) {
  SimExec *exec = r->exec;
  bool ended = r->ended;
  while (!ended) {
    if (late(r)) return not_yet(err);
    r->hooks.stop_at = exec->block.events + SLICE;
    ended = sim_block_go(exec) || exec->block.wait.stuck;
    if (exec->failed || exec->canceled || exec->block.events < r->hooks.stop_at) break;
  }
  if (exec->canceled) return ls_fail(err, LS_ECANCEL, "canceled");
  if (!ended || exec->failed)
    return ls_fail(err, LS_EREQUEST, "this was never run: block %u ended the kernel with a fault", exec->block.number);
  sim_timeline_note(&r->timeline, exec);
  sim_grid_leave(exec);
  r->ended = false;
  return sim_grid_next(exec) || ls_fail(err, LS_EREQUEST, "this was never run: the kernel ended before");
}

// To the start of that turn, with all blocks in between at once.
static bool fast_forward(SimReplay *r, uint64_t turn, LsErr *err) {
  SimExec *exec = r->exec;
  switch (sim_fast_forward_to(&r->forward, exec, turn, r->patience, r->deadline)) {
  case SIM_FAST_FORWARD_LATE: return not_yet(err);
  case SIM_FAST_FORWARD_THERE:
    return sim_grid_next(exec) || ls_fail(err, LS_EREQUEST, "this was never run: the kernel ended before");
  default: break;
  }
  if (exec->canceled) return ls_fail(err, LS_ECANCEL, "canceled");
  start_over(r, image_before(r, turn));
  return true;
}

// Is the running turn one that can be gone on from to that one?
static bool is_on_the_way(const SimReplay *r, uint64_t turn, uint64_t from, uint32_t block) {
  const SimExec *exec = r->exec;
  if (!(r->in_block || r->on_way) || exec->stopping || exec->grid.turn < from) return false;
  return exec->grid.turn < turn || (exec->grid.turn == turn && exec->block.number != block);
}

// To the start of the turn in which the block has so many events, or of one of the block that nobody knows yet.
static bool go_to_turn(SimReplay *r, uint32_t block, uint64_t events, LsErr *err) {
  SimExec *exec = r->exec;
  uint64_t turn = sim_timeline_find(&r->timeline, r->exec->program, block, events);
  Image *image = image_before(r, turn);
  bool here = is_on_the_way(r, turn, image ? image->grid.turn : 0, block);
  drop_checkpoints(r);
  r->in_block = r->on_way = false;
  if (image) image->used = ++r->clock;
  new_interval(r);
  if (!here) start_over(r, image);
  for (; exec->grid.turn != turn || exec->block.number != block;
       turn = sim_timeline_find(&r->timeline, r->exec->program, block, events)) {
    LsErr why = {0};
    bool ahead = sim_fast_forward_may(&r->forward, exec, turn);
    bool ok = ahead ? fast_forward(r, turn, &why) : finish_turn(r, &why);
    drop_checkpoints(r);
    new_interval(r);
    if (ok) continue;
    r->on_way = why.kind == LS_ECANCEL && !exec->canceled;
    if (err) *err = why;
    return false;
  }
  image_keep(r);
  make_checkpoint(r);
  r->in_block = true;
  return true;
}

static bool is_in_turn(const SimReplay *r, uint32_t block, uint64_t events) {
  const SimExec *exec = r->exec;
  return r->in_block && exec->block.number == block &&
         exec->grid.turn == sim_timeline_find(&r->timeline, r->exec->program, block, events);
}

bool sim_replay_seek(SimReplay *r, uint32_t block, uint64_t event, LsErr *err) {
  SimExec *exec = r->exec;
  uint64_t events = event == UINT64_MAX ? 0 : event + 1;
  if (r->patience > 0) r->deadline = ls_clock() + r->patience;
  if (block >= launch_blocks(exec->program->launch))
    return ls_fail(err, LS_EREQUEST, "there is no block %u in this grid", block);
  for (;;) {
    if (!is_in_turn(r, block, events) && !go_to_turn(r, block, events, err)) return false;
    int checkpoint = checkpoint_before(r, events);
    bool onward = exec->block.events <= events && exec->block.events >= r->checkpoints[checkpoint].event;
    if (!onward) go_back_to(r, checkpoint);
    if (!sim_replay_run_to(r, events, err)) return false;
    if (exec->block.events >= events || !exec->block.wait.stuck) return true;
    sim_timeline_note(&r->timeline, exec);   // it waits before it gets there
  }
}

bool sim_replay_go_on(SimReplay *r, uint32_t block, LsErr *err) {
  sim_timeline_note(&r->timeline, r->exec);
  return go_to_turn(r, block, r->exec->block.events + 1, err);
}

double sim_replay_set_patience(SimReplay *r, double seconds) {
  double before = r->patience;
  r->patience = seconds;
  return before;
}

void sim_replay_patience(SimReplay *r, double seconds) { (void)sim_replay_set_patience(r, seconds); }

void sim_replay_describe(const SimReplay *r, TraceInfo *info) { sim_describe_objects(r->sim, info); }

void sim_replay_know(SimReplay *r, const TraceFault *faults, int count) {
  for (int i = 0; i < count; i++) sim_fault_know(r->exec, &faults[i]);
}

void sim_replay_expect(SimReplay *r, uint32_t block, uint64_t event, int fault) {
  LS_PUSH(r->expected, r->hooks.expected_count, r->expected_capacity, ((SimExpectedEvent){block, event, fault}));
  r->hooks.expected = r->expected;
}

// ---- making one ----------------------------------------------------------------------------------------------------

static void find_dests(SimProgram *program, int pc, SimDests *d) {
  const PtxInstr *in = &program->module->code[pc];
  int count = 0;
  if (!program->funcs[in->func].reached || in->op == PTX_OP_call) return;   // exec_call.c notes results when they come
  for (PtxRef def = {0}; ptx_each_def(in, &def);) count += def.kind == PTX_REF_REG;
  d->regs = LS_NEW_ARRAY(program->arena, int32_t, count + 1);
  for (PtxRef def = {0}; ptx_each_def(in, &def);)
    if (def.kind == PTX_REF_REG) d->regs[d->count++] = def.reg + program->funcs[in->func].first_reg;
}

static void prepare_hooks(SimReplay *r) {
  Sim *sim = r->sim;
  int count = 0;
  for (int f = 0; f < sim->program.module->func_count; f++) {
    if (!sim->program.funcs[f].reached) continue;
    sim->program.funcs[f].first_reg = count;
    count += sim->program.module->funcs[f].reg_count;
  }
  SimDests *dests = LS_NEW_ARRAY(sim->program.arena, SimDests, sim->program.module->code_count + 1);
  for (int pc = 0; pc < sim->program.module->code_count; pc++) find_dests(&sim->program, pc, &dests[pc]);
  r->hooks =
      (SimReplayHooks){.dests = dests, .written_count = count, .owner = r, .dirty = on_dirty, .stop_at = UINT64_MAX};
  r->hooks.written = ls_alloc(sizeof(uint32_t) * (size_t)(count + 1) * (size_t)sim->program.warp_count);
  r->page_of = ls_alloc(sizeof *r->page_of * (size_t)(sim->memory.alloc_count + 1));
  for (int i = 0; i < sim->memory.alloc_count; i++) {
    size_t pages = (size_t)(sim->memory.allocs[i].size / SIM_PAGE + 2);
    sim->memory.allocs[i].dirty = ls_alloc(sizeof(uint32_t) * pages);
    r->page_of[i] = ls_alloc(sizeof(int) * pages);
  }
  new_interval(r);
  sim->exec.hooks = &r->hooks;
}

SimReplay *sim_replay_new(const PtxModule *module, int entry, const Launch *launch, const SimOptions *options,
                          LsErr *err) {
  Sim *sim = sim_new(module, entry, launch, options, err);
  if (!sim) return NULL;
  SimReplay *r = ls_alloc(sizeof *r);
  r->sim = sim;
  r->exec = &sim->exec;
  r->interval = FIRST_INTERVAL;
  sim->exec.reports_progress = false;
  sim_run_start(&sim->exec, NULL);
  prepare_hooks(r);
  r->image_bytes = image_size(&sim->memory);
  return r;
}

void sim_replay_free(SimReplay *r) {
  if (!r) return;
  sim_fast_forward_end(&r->forward, r->exec);
  drop_checkpoints(r);
  free(r->checkpoints);
  free(r->pages);
  for (int i = 0; i < r->exec->memory->alloc_count; i++) free(r->page_of[i]);
  free(r->page_of);
  for (int i = 0; i < r->image_count; i++) image_drop(&r->images[i]);
  free(r->timeline.items);
  free(r->hooks.written);
  free(r->expected);
  sim_free(r->sim);
  free(r);
}

SimExec *sim_replay_exec(const SimReplay *r) { return r->exec; }
