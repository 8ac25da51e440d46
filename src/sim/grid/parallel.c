// parallel.c: the crew: threads that run units of blocks.
//
//   calling thread   takes finished units over in order:  sink->join, counts; tells progress; is the first worker
//                    whenever there is nothing else to do
//   each worker      makes the next unit, runs its blocks by a SimExec of its own; program and memory are shared
//
// How many blocks a unit has is told beforehand, or follows from what the blocks so far have cost: a part of what is
// left for each thread, so that units get shorter toward the end, and all threads come to it together.
//
// Words of global memory are claimed before they are used (ownership.c). A worker that finds a word to be another's, or
// comes to a fault, or anything else that depends on the blocks before, gives up, and so does the whole crew: what units
// after the last one taken over did is not used (units.c).
#include "sim/grid/parallel.h"
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include "base/clock.h"
#include "base/pool.h"
#include "sim/check/checks.h"
#include "sim/check/shadow.h"
#include "sim/core/block_order.h"
#include "sim/core/joint.h"
#include "sim/core/ownership.h"
#include "sim/core/sums.h"
#include "sim/grid/abreast.h"
#include "sim/grid/run.h"
#include "sim/grid/turns.h"

enum { MOST_WORKERS = 16, UNITS_EACH = 8, WINDOW = MOST_WORKERS * UNITS_EACH, PROGRESS_MS = 20 };
enum { PARTS_EACH = 3, LEAST_COST = 2048, MOST_COST = 1 << 18 };   // of what is left; of a unit, in warp instructions
enum { TRIED = 16 };         // blocks that tell something of the others
static const uint64_t MOST_WORKER_BYTES = 256u << 20;   // of the memory that blocks of all workers have for themselves

typedef struct Unit {
  uint32_t first, end;         // places of blocks (core/block_order.h)
  TraceSink *sink;             // forked; NULL: nobody listens
  uint64_t executed, budget;   // warp instructions before it; the most it may come to
  uint64_t step;               // before it, as far as that is known
  bool step_is_known;
  bool done, failed;           // failed: not run to its end
  uint64_t cost, steps;        // what it added
  uint64_t last_steps;         // in front of its last recorded block
  SimOutput output;
} Unit;

typedef struct Worker {
  struct SimCrew *crew;
  SimExec *exec;               // made by its thread; NULL: there was no memory for it
  LsTask task;                 // of the first: none
} Worker;

typedef struct SimCrew {
  SimExec *exec;               // whose crew it is
  Worker workers[MOST_WORKERS]; int count;
  pthread_mutex_t mutex;       // guards what follows, units that are not being run, the sink, and exec's counts
  pthread_cond_t work, done;
  Unit units[WINDOW];          // unit n is at n % WINDOW
  uint64_t made, over;         // units made, taken over
  uint32_t first, next, end;   // places of blocks: of the oldest unit, of the next to be made; where that ends
  uint32_t blocks;             // of a unit; 0: by what they cost
  uint64_t ran, cost;          // blocks that were run, and what they cost
  int idle;                    // workers that wait
  bool is_last, waits;         // nothing comes after `end`; the calling thread waits for a unit
  _Atomic bool stop;           // workers stop soon
} SimCrew;

// ---- workers -------------------------------------------------------------------------------------------------------

// Epochs may run out in such a block, or not, depending on the blocks before.
static bool took_many_epochs(uint32_t before, uint32_t after) {
  return (after < before ? after : after - before) > SIM_LAST_EPOCH / 2;
}

static void run_unit(SimExec *exec, Unit *unit) {
  exec->sink = unit->sink;
  exec->executed = exec->poll_at = unit->executed;
  exec->budget = unit->budget;
  exec->step = unit->step;
  for (uint32_t place = unit->first; place < unit->end && !exec->stopping; place++) {
    uint64_t steps = exec->step - unit->step;
    uint32_t epoch = exec->block.epoch;
    exec->grid.begun = place + 1;
    sim_block_start(exec, sim_block_at(exec->program, place));
    sim_run_turn(exec);
    if (exec->recording) unit->last_steps = steps;
    if (took_many_epochs(epoch, exec->block.epoch)) sim_give_up(exec);
  }
  sim_sums_tell(exec);
  sim_joint_flush(exec);
  if (exec->sink && exec->sink->cut) exec->sink->cut(exec->sink);
  unit->cost = exec->executed - unit->executed;
  unit->steps = exec->step - unit->step;
  unit->output = exec->output;
  unit->failed = exec->stopping;
  exec->output = (SimOutput){0};
}

// ---- what each worker needs ----------------------------------------------------------------------------------------

static void worker_free(SimExec *exec) {
  sim_checks_free(exec);
  sim_abreast_free(exec);
  sim_exec_free(exec);
  free(exec);
}

static SimExec *worker_new(SimCrew *crew, int number) {
  SimExec *exec = ls_alloc(sizeof *exec);
  bool ok = sim_exec_new(exec, crew->exec->program, crew->exec->memory, NULL);
  exec->joint_words = ls_alloc(sizeof *exec->joint_words * SIM_JOINT_WORDS);
  exec->checks = crew->exec->checks;
  exec->owner_number = (uint8_t)(number + 2);   // 1 is the thread of the first blocks
  exec->crew_stop = &crew->stop;
  exec->cancel = number ? NULL : crew->exec->cancel;
  exec->helps = number ? NULL : crew->exec;
  exec->reports_progress = false;
  sim_checks_new(exec);
  if (ok) return exec;
  worker_free(exec);
  return NULL;
}

static uint64_t worker_bytes(const SimProgram *program) {
  uint64_t threads = (uint64_t)program->warp_count * SIM_LANES;
  return 2 * (program->shared_bytes + program->local_bytes * threads) + program->lane_param_bytes * threads +
         (uint64_t)program->file_bytes * (uint64_t)program->warp_count;
}

static int cpu_count(void) {
  cpu_set_t set;
  return sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
}

static int worker_count(const SimProgram *program) {
  int count = program->options.threads > 0 ? program->options.threads : cpu_count();
  return (int)LS_MIN((uint64_t)LS_MIN(count, MOST_WORKERS), MOST_WORKER_BYTES / (worker_bytes(program) + 1));
}

static bool hears_blocks(const TraceSink *sink) {
  return sink->begin_block || sink->event || sink->access || sink->end_block;
}

// Blocks that tell others by fences and atomics what they may use are judged in the order in which they ran
// (happens_before.c).
static bool has_ordered_blocks(const SimExec *exec) {
  if (exec->program->cooperative || exec->memory->heap || exec->memory->launches)
    return true; // the heap has one order, too
  if (!exec->program->has_fences || !(exec->checks & SIM_CHECK_RACE)) return false;
  for (int pc = 0; pc < exec->program->module->code_count; pc++) {
    const SimInst *inst = &exec->code[pc];
    if (inst->access == SIM_MEMORY_ACCESS && ((const SimMem *)inst->more)->how & SIM_STRONG) return true;
  }
  return false;
}

bool sim_may_part(const SimExec *exec) {
  const TraceSink *sink = exec->sink;
  if (exec->memory->is_touched || launch_blocks(exec->program->launch) < 2 || has_ordered_blocks(exec) ||
      worker_count(exec->program) < (sim_may_hasten(exec) ? 1 : 2))
    return false;
  return !sink || sink->fork || !hears_blocks(sink);
}

// ---- making units --------------------------------------------------------------------------------------------------

static TraceSink *fork_sink(TraceSink *sink) {
  static TraceSink nobody;   // has no functions
  if (!sink) return NULL;
  return hears_blocks(sink) ? sink->fork(sink) : &nobody;
}

static bool is_recording(const SimExec *exec) {
  return exec->sink && (exec->program->options.record_all || exec->program->options.record_block);
}

// With a limit of recorded events, blocks near it are recorded or not depending on those before.
static bool is_near_limit(const SimExec *exec, uint32_t first, uint32_t end) {
  uint64_t limit = exec->program->options.record_limit, mean = exec->step / LS_MAX(first, 1) + 1;
  return is_recording(exec) && limit && exec->step < limit && exec->step + 2 * mean * (end - first) >= limit;
}

// Of the next unit.
static uint32_t blocks_wanted(const SimCrew *crew) {
  uint64_t left = crew->end - crew->next;
  if (crew->blocks || !crew->ran) return (uint32_t)LS_MIN(LS_MAX(crew->blocks, 1), left);
  uint64_t each = crew->cost / crew->ran + 8 * (uint64_t)crew->exec->warp_count;
  uint64_t wanted = LS_CLAMP(left / (uint64_t)(crew->count * PARTS_EACH), LEAST_COST / each, MOST_COST / each);
  return (uint32_t)LS_CLAMP(wanted, 1, left);
}

static bool may_make(const SimCrew *crew) {
  if (crew->next == crew->end) return false;
  uint64_t open = crew->made - crew->over, most = (uint64_t)crew->count * UNITS_EACH;
  return open < most && (!open || !is_near_limit(crew->exec, crew->first, crew->next + blocks_wanted(crew)));
}

static Unit *make_unit(SimCrew *crew) {
  SimExec *exec = crew->exec;
  Unit *unit = &crew->units[crew->made % WINDOW];
  uint32_t end = crew->next + blocks_wanted(crew);
  uint64_t all = exec->budget, used = LS_MIN(exec->executed + end * sim_block_cost(exec->program), all);
  *unit = (Unit){.first = crew->next, .end = end, .sink = fork_sink(exec->sink), .executed = exec->executed};
  unit->budget = used + (all - used) / 8;   // more than that, and it may be one that never ends
  unit->step_is_known = crew->made == crew->over || exec->step >= exec->program->options.record_limit;
  unit->step = unit->step_is_known ? exec->step : 0;
  crew->made++;
  crew->next = end;
  return unit;
}

// ---- running them --------------------------------------------------------------------------------------------------

static void make_no_more(SimCrew *crew) { crew->end = crew->next; }

static void run_next(SimCrew *crew, SimExec *exec) {   // with the mutex, as it is found
  Unit *unit = make_unit(crew);
  pthread_mutex_unlock(&crew->mutex);
  run_unit(exec, unit);
  pthread_mutex_lock(&crew->mutex);
  unit->done = true;
  crew->ran += unit->end - unit->first;
  crew->cost += unit->cost;
  if (unit->failed) make_no_more(crew);
  if (crew->waits) pthread_cond_signal(&crew->done);
}

static void add_counts(SimExec *exec, const SimExec *worker) {
  for (int pc = 0; pc <= exec->program->module->code_count; pc++) {
    exec->tally_warps[pc] += worker->tally_warps[pc];
    exec->tally_lanes[pc] += worker->tally_lanes[pc];
    exec->run_warps[pc] += worker->run_warps[pc];
    exec->run_missing[pc] += worker->run_missing[pc];
    exec->tally_partial[pc] += worker->tally_partial[pc];
    exec->run_partial[pc] += worker->run_partial[pc];
  }
}

static void leave(SimCrew *crew, SimExec *exec) {
  if (!exec) return;
  pthread_mutex_lock(&crew->mutex);
  add_counts(crew->exec, exec);
  pthread_mutex_unlock(&crew->mutex);
  worker_free(exec);
}

// False: there is nothing to come.
static bool wait_for_work(SimCrew *crew) {   // with the mutex
  while (!may_make(crew)) {
    if (crew->is_last && crew->next == crew->end) return false;
    crew->idle++;
    pthread_cond_wait(&crew->work, &crew->mutex);
    crew->idle--;
  }
  return true;
}

static void work(void *context) {
  Worker *w = context;
  SimCrew *crew = w->crew;
  w->exec = worker_new(crew, (int)(w - crew->workers));
  pthread_mutex_lock(&crew->mutex);
  while (w->exec && wait_for_work(crew)) run_next(crew, w->exec);
  pthread_mutex_unlock(&crew->mutex);
  leave(crew, w->exec);
}

static bool start_worker(SimCrew *crew, int number) {
  Worker *w = &crew->workers[number];
  *w = (Worker){.crew = crew, .task = {.run = work, .context = w}};
  return ls_pool_start(&w->task);
}

// The others begin while this thread makes what it needs itself.
static void start_all(SimCrew *crew, int wanted) {
  if (wanted < 2 && !sim_may_hasten(crew->exec)) return;
  crew->count = 1;
  while (crew->count < wanted && start_worker(crew, crew->count)) crew->count++;
  crew->workers[0] = (Worker){.crew = crew, .exec = worker_new(crew, 0)};
}

bool sim_crew_new(SimExec *exec) {
  SimCrew *crew = exec->crew = ls_alloc(sizeof *crew);
  pthread_condattr_t clock;
  crew->exec = exec;
  crew->ran = exec->grid.turn;
  crew->cost = exec->executed;
  pthread_mutex_init(&crew->mutex, NULL);
  pthread_cond_init(&crew->work, NULL);
  pthread_condattr_init(&clock);
  pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
  pthread_cond_init(&crew->done, &clock);
  pthread_condattr_destroy(&clock);
  start_all(crew, worker_count(exec->program));
  exec->thread_total = crew->count;
  if ((crew->count > 1 || sim_may_hasten(exec)) && crew->workers[0].exec) return true;
  exec->thread_total = 1;
  sim_crew_free(exec);
  sim_ownership_free(exec);
  return false;
}

// ---- taking them over ----------------------------------------------------------------------------------------------

static bool was_recorded_in_vain(const SimExec *exec, const Unit *unit) {
  uint64_t limit = exec->program->options.record_limit;
  return limit && !unit->step_is_known && unit->steps && exec->step + unit->last_steps >= limit;
}

bool sim_will_exceed_budget(const SimExec *exec, uint32_t done) {
  double blocks = (double)launch_blocks(exec->program->launch);
  double each = (double)exec->executed / LS_MAX(done, 1) + (double)sim_block_cost(exec->program);
  return done >= TRIED && blocks * each > (double)exec->budget;
}

// False: it is not what the blocks in order would have done.
static bool take_over(SimCrew *crew, Unit *unit) {
  SimExec *exec = crew->exec;
  uint64_t used = exec->executed + unit->cost + (unit->end - 1) * sim_block_cost(exec->program);
  if (unit->failed || used + SIM_TURN > exec->budget || was_recorded_in_vain(exec, unit) ||
      exec->output.text.length + unit->output.text.length >= SIM_MAX_OUTPUT)
    return false;
  exec->executed += unit->cost;
  exec->step += unit->steps;
  exec->grid.begun = exec->grid.ended = exec->grid.turn = unit->end;
  sim_output_add(&exec->output, &unit->output);
  if (unit->sink && exec->sink->join) exec->sink->join(exec->sink, unit->sink, true);
  crew->first = unit->end;
  crew->over++;
  if (crew->idle && may_make(crew)) pthread_cond_signal(&crew->work);
  return !sim_will_exceed_budget(exec, crew->first);
}

static bool is_oldest_done(const SimCrew *crew) {
  return crew->over < crew->made && crew->units[crew->over % WINDOW].done;
}

// Waits for the oldest unit, but not for long.
static void wait_for_unit(SimCrew *crew) {   // with the mutex
  struct timespec until = ls_clock_after(PROGRESS_MS);
  crew->waits = true;
  while (!is_oldest_done(crew) && !may_make(crew) &&
         pthread_cond_timedwait(&crew->done, &crew->mutex, &until) == 0)
    continue;
  crew->waits = false;
}

static bool is_canceled(SimExec *exec) {
  if (exec->cancel && atomic_load_explicit(exec->cancel, memory_order_relaxed))
    exec->stopping = exec->canceled = true;
  return exec->canceled;
}

// False: a unit was not what the blocks in order would have done.
static bool take_part(SimCrew *crew) {
  pthread_mutex_lock(&crew->mutex);
  bool ok = true;
  if (is_oldest_done(crew)) ok = take_over(crew, &crew->units[crew->over % WINDOW]);
  else if (may_make(crew)) run_next(crew, crew->workers[0].exec);
  else wait_for_unit(crew);
  pthread_mutex_unlock(&crew->mutex);
  return ok;
}

static void hand_out(SimCrew *crew, uint32_t first, uint32_t end, uint32_t blocks) {
  pthread_mutex_lock(&crew->mutex);
  crew->first = crew->next = first;
  crew->end = end;
  crew->blocks = blocks;
  crew->is_last = end == launch_blocks(crew->exec->program->launch);
  if (crew->idle) pthread_cond_broadcast(&crew->work);
  pthread_mutex_unlock(&crew->mutex);
}

uint32_t sim_crew_run(SimExec *exec, uint32_t first, uint32_t end, uint32_t blocks) {
  SimCrew *crew = exec->crew;
  hand_out(crew, first, end, blocks);
  while (crew->first < end && !is_canceled(exec)) {
    sim_progress(exec, crew->first, false);
    if (!take_part(crew)) break;
  }
  return crew->first;
}

// ---- the end -------------------------------------------------------------------------------------------------------

static void drop_unit(SimCrew *crew, Unit *unit) {
  TraceSink *sink = crew->exec->sink;
  if (unit->sink && sink->join) sink->join(sink, unit->sink, false);
  sim_output_free(&unit->output);
}

void sim_crew_free(SimExec *exec) {
  SimCrew *crew = exec->crew;
  if (!crew) return;
  atomic_store(&crew->stop, true);
  pthread_mutex_lock(&crew->mutex);
  make_no_more(crew);
  crew->is_last = true;
  pthread_cond_broadcast(&crew->work);
  pthread_mutex_unlock(&crew->mutex);
  leave(crew, crew->workers[0].exec);
  for (int i = 1; i < crew->count; i++) ls_pool_wait(&crew->workers[i].task);
  for (; crew->over < crew->made; crew->over++) drop_unit(crew, &crew->units[crew->over % WINDOW]);
  pthread_mutex_destroy(&crew->mutex);
  pthread_cond_destroy(&crew->work);
  pthread_cond_destroy(&crew->done);
  exec->crew = NULL;
  free(crew);
}
