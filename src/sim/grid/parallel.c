// parallel.c: the crew: threads that run units of blocks.
//
//   calling thread   makes units, takes finished ones over in order:  sink->join, counts; tells progress; is the first
//                    worker whenever there is nothing else to do
//   each worker      takes the next unit, runs its blocks by a SimExec of its own; program and memory are shared
//
// Words of global memory are claimed before they are used (ownership.c). A worker that finds a word to be another's, or
// comes to a fault, or anything else that depends on the blocks before, gives up, and so does the whole crew: what units
// after the last one taken over did is not used (units.c).
#include "sim/grid/parallel.h"
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include "base/clock.h"
#include "sim/check/checks.h"
#include "sim/check/shadow.h"
#include "sim/core/block_order.h"
#include "sim/core/joint.h"
#include "sim/core/ownership.h"
#include "sim/core/sums.h"
#include "sim/grid/run.h"

enum { MOST_WORKERS = 16, UNITS_EACH = 8, WINDOW = MOST_WORKERS * UNITS_EACH, PROGRESS_MS = 20 };
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
  pthread_t thread;            // of the first: none
} Worker;

typedef struct SimCrew {
  SimExec *exec;               // whose crew it is
  Worker workers[MOST_WORKERS]; int count;
  pthread_mutex_t mutex;       // guards what follows, and units that are not being run
  pthread_cond_t work, done;
  Unit units[WINDOW];          // unit n is at n % WINDOW
  uint64_t made, taken, over;  // units made, given to workers, taken over
  bool quit;
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
  if (exec->memory->is_touched || launch_blocks(exec->program->launch) < 2 || worker_count(exec->program) < 2 ||
      has_ordered_blocks(exec))
    return false;
  return !sink || sink->fork || !hears_blocks(sink);
}

static void run_next(SimCrew *crew, SimExec *exec) {   // with the mutex, as it is found
  Unit *unit = &crew->units[crew->taken++ % WINDOW];
  pthread_mutex_unlock(&crew->mutex);
  run_unit(exec, unit);
  pthread_mutex_lock(&crew->mutex);
  unit->done = true;   // nobody needs to know at once while there is work for all
  if (crew->made - crew->taken <= (uint64_t)crew->count || unit->failed) pthread_cond_signal(&crew->done);
}

static void *work(void *context) {
  Worker *w = context;
  SimCrew *crew = w->crew;
  w->exec = worker_new(crew, (int)(w - crew->workers));
  pthread_mutex_lock(&crew->mutex);
  while (w->exec) {
    while (!crew->quit && crew->taken == crew->made) pthread_cond_wait(&crew->work, &crew->mutex);
    if (crew->quit) break;
    run_next(crew, w->exec);
  }
  pthread_mutex_unlock(&crew->mutex);
  return NULL;
}

// False: there was nothing to run.
static bool help(SimCrew *crew) {
  pthread_mutex_lock(&crew->mutex);
  bool is_some = crew->taken < crew->made;
  if (is_some) run_next(crew, crew->workers[0].exec);
  pthread_mutex_unlock(&crew->mutex);
  return is_some;
}

// A worker must not be the one that a signal meets.
static bool start_worker(SimCrew *crew, int number) {
  Worker *w = &crew->workers[number];
  sigset_t all, before;
  *w = (Worker){.crew = crew};
  if (!number) return (w->exec = worker_new(crew, 0)) != NULL;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  bool started = pthread_create(&w->thread, NULL, work, w) == 0;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return started;
}

bool sim_crew_new(SimExec *exec) {
  SimCrew *crew = exec->crew = ls_alloc(sizeof *crew);
  pthread_condattr_t clock;
  crew->exec = exec;
  pthread_mutex_init(&crew->mutex, NULL);
  pthread_cond_init(&crew->work, NULL);
  pthread_condattr_init(&clock);
  pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
  pthread_cond_init(&crew->done, &clock);
  pthread_condattr_destroy(&clock);
  int wanted = worker_count(exec->program);
  while (crew->count < wanted && start_worker(crew, crew->count)) crew->count++;
  exec->thread_total = LS_MAX(crew->count, 1);
  if (crew->count > 1) return true;
  sim_crew_free(exec);
  sim_ownership_free(exec);
  return false;
}

// ---- units ---------------------------------------------------------------------------------------------------------

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

// first: of the oldest unit that is not over.
static bool may_make(const SimCrew *crew, uint32_t first, uint32_t next, uint32_t end, uint32_t blocks) {
  uint64_t open = crew->made - crew->over, most = (uint64_t)crew->count * UNITS_EACH;
  return next < end && open < most && (!open || !is_near_limit(crew->exec, first, next + blocks));
}

static void make_unit(SimCrew *crew, uint32_t first, uint32_t end) {
  SimExec *exec = crew->exec;
  Unit *unit = &crew->units[crew->made % WINDOW];
  uint64_t all = exec->budget, used = LS_MIN(exec->executed + end * sim_block_cost(exec->program), all);
  *unit = (Unit){.first = first, .end = end, .sink = fork_sink(exec->sink), .executed = exec->executed};
  unit->budget = used + (all - used) / 8;   // more than that, and it may be one that never ends
  unit->step_is_known = crew->made == crew->over || exec->step >= exec->program->options.record_limit;
  unit->step = unit->step_is_known ? exec->step : 0;
  pthread_mutex_lock(&crew->mutex);
  crew->made++;
  pthread_cond_signal(&crew->work);
  pthread_mutex_unlock(&crew->mutex);
}

static bool was_recorded_in_vain(const SimExec *exec, const Unit *unit) {
  uint64_t limit = exec->program->options.record_limit;
  return limit && !unit->step_is_known && unit->steps && exec->step + unit->last_steps >= limit;
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
  crew->over++;
  return true;
}

static bool is_done(SimCrew *crew) {
  pthread_mutex_lock(&crew->mutex);
  bool done = crew->units[crew->over % WINDOW].done;
  pthread_mutex_unlock(&crew->mutex);
  return done;
}

// Waits for the oldest unit, but not for long.
static bool is_over(SimCrew *crew) {
  Unit *unit = &crew->units[crew->over % WINDOW];
  struct timespec until = ls_clock_after(PROGRESS_MS);
  pthread_mutex_lock(&crew->mutex);
  while (!unit->done && pthread_cond_timedwait(&crew->done, &crew->mutex, &until) == 0) continue;
  bool done = unit->done;
  pthread_mutex_unlock(&crew->mutex);
  return done;
}

static bool is_canceled(SimExec *exec) {
  if (exec->cancel && atomic_load_explicit(exec->cancel, memory_order_relaxed))
    exec->stopping = exec->canceled = true;
  return exec->canceled;
}

uint32_t sim_crew_run(SimExec *exec, uint32_t first, uint32_t end, uint32_t blocks) {
  SimCrew *crew = exec->crew;
  uint32_t next = first;
  while (first < end && !is_canceled(exec)) {
    for (; may_make(crew, first, next, end, blocks); next += LS_MIN(blocks, end - next))
      make_unit(crew, next, next + LS_MIN(blocks, end - next));
    sim_progress(exec, first, false);
    if (!is_done(crew) && (help(crew) || !is_over(crew))) continue;
    Unit *unit = &crew->units[crew->over % WINDOW];
    if (!take_over(crew, unit)) return first;
    first = unit->end;
  }
  return first;
}

// ---- the end -------------------------------------------------------------------------------------------------------

static void drop_unit(SimCrew *crew, Unit *unit) {
  TraceSink *sink = crew->exec->sink;
  if (unit->sink && sink->join) sink->join(sink, unit->sink, false);
  sim_output_free(&unit->output);
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

void sim_crew_free(SimExec *exec) {
  SimCrew *crew = exec->crew;
  if (!crew) return;
  atomic_store(&crew->stop, true);
  pthread_mutex_lock(&crew->mutex);
  crew->quit = true;
  pthread_cond_broadcast(&crew->work);
  pthread_mutex_unlock(&crew->mutex);
  for (int i = 0; i < crew->count; i++) {
    if (i) pthread_join(crew->workers[i].thread, NULL);
    if (!crew->workers[i].exec) continue;
    add_counts(exec, crew->workers[i].exec);
    worker_free(crew->workers[i].exec);
  }
  for (; crew->over < crew->made; crew->over++) drop_unit(crew, &crew->units[crew->over % WINDOW]);
  pthread_mutex_destroy(&crew->mutex);
  pthread_cond_destroy(&crew->work);
  pthread_cond_destroy(&crew->done);
  exec->crew = NULL;
  free(crew);
}
