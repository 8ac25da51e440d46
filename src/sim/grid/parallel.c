// parallel.c: the crew: threads that run units of blocks for a Sim.
//
//   calling thread   makes units, takes finished ones over in order:  sink->join, counts; tells progress
//   each worker      takes the next unit, runs its blocks on a Sim of its own, which shares code and global memory
//
// Words of global memory are claimed before they are used (ownership.c). A worker that finds a word to be another's, or
// comes to a fault, or anything else that depends on the blocks before, gives up, and so does the whole crew: what units
// after the last one taken over did is not used (grid.c).
#include "sim/internal.h"
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <time.h>

enum { MOST_WORKERS = 16, UNITS_EACH = 8, WINDOW = MOST_WORKERS * UNITS_EACH, PROGRESS_MS = 20 };
static const uint64_t MOST_WORKER_BYTES = 256u << 20;   // of the memory that blocks of all workers have for themselves

typedef struct Unit {
  uint32_t first, end;
  TraceSink *sink;             // forked; NULL: nobody listens
  uint64_t executed, budget;   // warp instructions before it; the most it may come to
  uint64_t step;               // before it, as far as that is known
  bool step_is_known;
  bool done, failed;           // failed: not run to its end
  uint64_t cost, steps;        // what it added
  uint64_t last_steps;         // in front of its last recorded block
  SimOutput output;
} Unit;

typedef struct Worker { struct SimCrew *crew; Sim *sim; pthread_t thread; } Worker;

struct SimCrew {
  Sim *sim;                    // whose crew it is
  Worker workers[MOST_WORKERS]; int count;
  pthread_mutex_t mutex;       // guards what follows, and units that are not being run
  pthread_cond_t work, done;
  Unit units[WINDOW];          // unit n is at n % WINDOW
  uint64_t made, taken, over;  // units made, given to workers, taken over
  bool quit;
  _Atomic bool stop;           // workers stop soon
  _Atomic bool given_up;
};

// ---- workers -------------------------------------------------------------------------------------------------------

void sim_give_up(Sim *sim) {
  if (!sim->crew) { sim_claims_free(sim); return; }
  sim->stopping = true;
  atomic_store(&sim->crew->given_up, true);
  atomic_store(&sim->crew->stop, true);
}

// Epochs may run out in such a block, or not, depending on the blocks before.
static bool took_many_epochs(uint32_t before, uint32_t after) {
  return (after < before ? after : after - before) > SIM_LAST_EPOCH / 2;
}

static void run_unit(Sim *sim, Unit *unit) {
  sim->sink = unit->sink;
  sim->executed = sim->poll_at = unit->executed;
  sim->options.budget = unit->budget;
  sim->step = unit->step;
  for (uint32_t block = unit->first; block < unit->end && !sim->stopping; block++) {
    uint64_t steps = sim->step - unit->step;
    uint32_t epoch = sim->block.epoch;
    sim->grid.begun = block + 1;
    sim_block_start(sim, block);
    sim_visit_block(sim);
    if (sim->recording) unit->last_steps = steps;
    if (took_many_epochs(epoch, sim->block.epoch)) sim_give_up(sim);
  }
  if (sim->sink && sim->sink->cut) sim->sink->cut(sim->sink);
  unit->cost = sim->executed - unit->executed;
  unit->steps = sim->step - unit->step;
  unit->output = sim->output;
  unit->failed = sim->stopping;
  sim->output = (SimOutput){0};
}

static void *work(void *context) {
  Worker *w = context;
  SimCrew *crew = w->crew;
  pthread_mutex_lock(&crew->mutex);
  for (;;) {
    while (!crew->quit && crew->taken == crew->made) pthread_cond_wait(&crew->work, &crew->mutex);
    if (crew->quit) break;
    Unit *unit = &crew->units[crew->taken++ % WINDOW];
    pthread_mutex_unlock(&crew->mutex);
    run_unit(w->sim, unit);
    pthread_mutex_lock(&crew->mutex);
    unit->done = true;   // nobody needs to know at once while there is work for all
    if (crew->made - crew->taken <= (uint64_t)crew->count || unit->failed) pthread_cond_signal(&crew->done);
  }
  pthread_mutex_unlock(&crew->mutex);
  return NULL;
}

// ---- a Sim for each worker -----------------------------------------------------------------------------------------

static Sim *worker_sim(SimCrew *crew, int number) {
  const Sim *from = crew->sim;
  Sim *sim = ls_alloc(sizeof *sim);
  *sim = *from;
  sim->crew = crew;
  sim->claimant = (uint8_t)(number + 2);   // 1 is the thread of the first blocks
  sim->options.cancel = &crew->stop;
  sim->options.progress = NULL;
  sim->allocs = ls_alloc(sizeof *sim->allocs * (size_t)(sim->alloc_count + 1));
  for (int i = 0; i < sim->alloc_count; i++) {
    sim->allocs[i] = from->allocs[i];
    sim->allocs[i].watches = NULL;
  }
  sim->splits = NULL;
  sim->split_count = sim->split_capacity = 0;
  sim->free_split = 0;
  sim->watch_bytes = 0;
  sim->last_alloc = NULL;
  sim->output = (SimOutput){0};
  sim->grid = (SimGrid){.current = -1, .last = -1};
  sim->published = NULL;
  sim->aside = NULL;
  sim->warp = NULL;
  sim->group = NULL;
  sim->block = (SimBlock){0};
  sim_block_memory_new(sim, NULL);
  sim_alloc_run(sim);
  return sim;
}

static void worker_free(Sim *sim) {
  for (int i = 0; i < sim->alloc_count; i++) sim_watch_forget(sim, &sim->allocs[i]);
  free(sim->allocs);
  free(sim->splits);
  sim_block_memory_free(sim);
  sim_free_run(sim);
  sim_output_free(&sim->output);
  free(sim);
}

static uint64_t worker_bytes(const Sim *sim) {
  uint64_t threads = (uint64_t)sim->warp_count * SIM_LANES;
  return 2 * (sim->shared_bytes + sim->local_bytes * threads) + sim->lane_param_bytes * threads +
         (uint64_t)sim->file_bytes * (uint64_t)sim->warp_count;
}

static int cpu_count(void) {
  cpu_set_t set;
  return sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
}

static int worker_count(const Sim *sim) {
  int count = sim->options.threads > 0 ? sim->options.threads : cpu_count();
  return (int)LS_MIN((uint64_t)LS_MIN(count, MOST_WORKERS), MOST_WORKER_BYTES / (worker_bytes(sim) + 1));
}

static bool hears_blocks(const TraceSink *sink) {
  return sink->begin_block || sink->event || sink->access || sink->end_block;
}

// Blocks that tell others by fences and atomics what they may use are judged in the order in which they ran
// (happens_before.c).
static bool has_ordered_blocks(const Sim *sim) {
  if (sim->cooperative) return true;
  if (!sim->has_fences || !(sim->options.checks & SIM_CHECK_RACE)) return false;
  for (int pc = 0; pc < sim->module->code_count; pc++) {
    const SimInst *inst = &sim->code[pc];
    if (inst->exec == sim_exec_mem && ((const SimMem *)inst->more)->strong) return true;
  }
  return false;
}

bool sim_may_part(const Sim *sim) {
  const TraceSink *sink = sim->sink;
  if (sim->is_touched || launch_blocks(sim->launch) < 2 || worker_count(sim) < 2 || has_ordered_blocks(sim)) return false;
  return !sink || sink->fork || !hears_blocks(sink);
}

// A worker must not be the one that a signal meets.
static bool start_worker(SimCrew *crew, int number) {
  Worker *w = &crew->workers[number];
  sigset_t all, before;
  *w = (Worker){.crew = crew, .sim = worker_sim(crew, number)};
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  bool started = pthread_create(&w->thread, NULL, work, w) == 0;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (!started) worker_free(w->sim);
  return started;
}

bool sim_crew_new(Sim *sim) {
  SimCrew *crew = sim->crew = ls_alloc(sizeof *crew);
  pthread_condattr_t clock;
  crew->sim = sim;
  pthread_mutex_init(&crew->mutex, NULL);
  pthread_cond_init(&crew->work, NULL);
  pthread_condattr_init(&clock);
  pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
  pthread_cond_init(&crew->done, &clock);
  pthread_condattr_destroy(&clock);
  int wanted = worker_count(sim);
  while (crew->count < wanted && start_worker(crew, crew->count)) crew->count++;
  sim->thread_total = LS_MAX(crew->count, 1);
  if (crew->count > 1) return true;
  sim_crew_free(sim);
  sim_claims_free(sim);
  return false;
}

// ---- units ---------------------------------------------------------------------------------------------------------

static TraceSink *fork_sink(TraceSink *sink) {
  static TraceSink nobody;   // has no functions
  if (!sink) return NULL;
  return hears_blocks(sink) ? sink->fork(sink) : &nobody;
}

static bool is_recording(const Sim *sim) { return sim->sink && (sim->options.record_all || sim->options.record_block); }

// With a limit of recorded events, blocks near it are recorded or not depending on those before.
static bool is_near_limit(const Sim *sim, uint32_t first, uint32_t end) {
  uint64_t limit = sim->options.record_limit, mean = sim->step / LS_MAX(first, 1) + 1;
  return is_recording(sim) && limit && sim->step < limit && sim->step + 2 * mean * (end - first) >= limit;
}

// first: of the oldest unit that is not over.
static bool may_make(const SimCrew *crew, uint32_t first, uint32_t next, uint32_t end, uint32_t blocks) {
  uint64_t open = crew->made - crew->over, most = (uint64_t)crew->count * UNITS_EACH;
  return next < end && open < most && (!open || !is_near_limit(crew->sim, first, next + blocks));
}

static void make_unit(SimCrew *crew, uint32_t first, uint32_t end) {
  Sim *sim = crew->sim;
  Unit *unit = &crew->units[crew->made % WINDOW];
  uint64_t all = sim->options.budget, used = LS_MIN(sim->executed + end * sim_block_cost(sim), all);
  *unit = (Unit){.first = first, .end = end, .sink = fork_sink(sim->sink), .executed = sim->executed};
  unit->budget = used + (all - used) / 8;   // more than that, and it may be one that never ends
  unit->step_is_known = crew->made == crew->over || sim->step >= sim->options.record_limit;
  unit->step = unit->step_is_known ? sim->step : 0;
  pthread_mutex_lock(&crew->mutex);
  crew->made++;
  pthread_cond_signal(&crew->work);
  pthread_mutex_unlock(&crew->mutex);
}

static bool was_recorded_in_vain(const Sim *sim, const Unit *unit) {
  uint64_t limit = sim->options.record_limit;
  return limit && !unit->step_is_known && unit->steps && sim->step + unit->last_steps >= limit;
}

// False: it is not what the blocks in order would have done.
static bool take_over(SimCrew *crew, Unit *unit) {
  Sim *sim = crew->sim;
  uint64_t used = sim->executed + unit->cost + (unit->end - 1) * sim_block_cost(sim);
  if (unit->failed || used + SIM_TURN > sim->options.budget || was_recorded_in_vain(sim, unit) ||
      sim->output.text.length + unit->output.text.length >= SIM_MAX_OUTPUT)
    return false;
  sim->executed += unit->cost;
  sim->step += unit->steps;
  sim->grid.begun = sim->grid.ended = sim->grid.visit = unit->end;
  sim_output_add(&sim->output, &unit->output);
  if (unit->sink && sim->sink->join) sim->sink->join(sim->sink, unit->sink, true);
  crew->over++;
  return true;
}

// Waits for the oldest unit, but not for long.
static bool is_over(SimCrew *crew) {
  Unit *unit = &crew->units[crew->over % WINDOW];
  struct timespec until;
  clock_gettime(CLOCK_MONOTONIC, &until);
  until.tv_nsec += PROGRESS_MS * 1000000;
  until.tv_sec += until.tv_nsec / 1000000000;
  until.tv_nsec %= 1000000000;
  pthread_mutex_lock(&crew->mutex);
  while (!unit->done && pthread_cond_timedwait(&crew->done, &crew->mutex, &until) == 0) continue;
  bool done = unit->done;
  pthread_mutex_unlock(&crew->mutex);
  return done;
}

static bool is_canceled(Sim *sim) {
  if (sim->options.cancel && atomic_load_explicit(sim->options.cancel, memory_order_relaxed))
    sim->stopping = sim->canceled = true;
  return sim->canceled;
}

uint32_t sim_crew_run(Sim *sim, uint32_t first, uint32_t end, uint32_t blocks) {
  SimCrew *crew = sim->crew;
  uint32_t next = first;
  while (first < end && !is_canceled(sim)) {
    for (; may_make(crew, first, next, end, blocks); next += LS_MIN(blocks, end - next))
      make_unit(crew, next, next + LS_MIN(blocks, end - next));
    sim_progress(sim, first, false);
    if (!is_over(crew)) continue;
    Unit *unit = &crew->units[crew->over % WINDOW];
    if (!take_over(crew, unit)) return first;
    first = unit->end;
  }
  return first;
}

// ---- the end -------------------------------------------------------------------------------------------------------

static void drop_unit(SimCrew *crew, Unit *unit) {
  TraceSink *sink = crew->sim->sink;
  if (unit->sink && sink->join) sink->join(sink, unit->sink, false);
  sim_output_free(&unit->output);
}

static void add_counts(Sim *sim, const Sim *worker) {
  for (int pc = 0; pc <= sim->module->code_count; pc++) {
    sim->tally_warps[pc] += worker->tally_warps[pc];
    sim->tally_lanes[pc] += worker->tally_lanes[pc];
    sim->run_warps[pc] += worker->run_warps[pc];
    sim->run_lanes[pc] += worker->run_lanes[pc];
  }
}

void sim_crew_free(Sim *sim) {
  SimCrew *crew = sim->crew;
  if (!crew) return;
  atomic_store(&crew->stop, true);
  pthread_mutex_lock(&crew->mutex);
  crew->quit = true;
  pthread_cond_broadcast(&crew->work);
  pthread_mutex_unlock(&crew->mutex);
  for (int i = 0; i < crew->count; i++) {
    pthread_join(crew->workers[i].thread, NULL);
    add_counts(sim, crew->workers[i].sim);
    worker_free(crew->workers[i].sim);
  }
  for (; crew->over < crew->made; crew->over++) drop_unit(crew, &crew->units[crew->over % WINDOW]);
  pthread_mutex_destroy(&crew->mutex);
  pthread_cond_destroy(&crew->work);
  pthread_cond_destroy(&crew->done);
  sim->crew = NULL;
  free(crew);
}
