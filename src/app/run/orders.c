// orders.c: a launch in many orders, and what came of them.
#include "app/run/orders.h"

#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/run/orders_text.h"
#include "app/run/orders_words.h"
#include "app/run/run_parts.h"
#include "base/clock.h"
#include "base/mem.h"
#include "base/random.h"
#include "base/table.h"

enum { MOST_STATES = 20000, MOST_THREADS = 16, LONGEST_MS = 1500, PATH_BUDGET = 1 << 20 };
static const uint64_t MOST_BYTES = 1 << 16;    // of the buffers of a launch that is tried in all orders

typedef struct Work {
  const Run *run;
  Orders *orders;
  RunProgress *progress;
  SimOptions options;
  uint64_t seeds;
  _Atomic uint64_t next;
  _Atomic bool failed;
  pthread_mutex_t mutex;     // guards the outcomes
} Work;

static void set_stage(const Work *work, const char *stage, int permille) {
  run_set_stage(work->progress, stage);
  if (work->progress) work->progress->permille = permille;
}

// ---- outcomes ------------------------------------------------------------------------------------------------------

static size_t bytes_of(const Sim *sim, const Launch *launch) {
  size_t all = 0;
  uint64_t size;
  for (int i = 0; i < launch->arg_count; i++)
    if (orders_looks_at(&launch->args[i]) && sim_buffer(sim, i, &size)) all += (size_t)size;
  return all;
}

static uint64_t hash_faults(const Sim *sim) {
  int count;
  uint64_t kinds = 0;
  const TraceFault *faults = sim_faults(sim, &count);
  for (int i = 0; i < count; i++)
    if (trace_fault_grade(&faults[i]) == GRADE_FAULT) kinds |= 1ull << faults[i].kind;
  return kinds;
}

static void take_bytes(const Sim *sim, const Launch *launch, uint8_t *to) {
  for (int i = 0; i < launch->arg_count; i++) {
    uint64_t size;
    const uint8_t *bytes = orders_looks_at(&launch->args[i]) ? sim_buffer(sim, i, &size) : NULL;
    if (!bytes) continue;
    memcpy(to, bytes, (size_t)size);
    to += size;
  }
}

// The outcome of a run that is over; its index.
static int outcome_of(Work *work, const Sim *sim) {
  const Launch *launch = &work->run->info.launch;
  size_t size = bytes_of(sim, launch);
  uint8_t *bytes = ls_alloc(size + 1);
  take_bytes(sim, launch, bytes);
  const char *printed = sim_output(sim);
  uint64_t hash = ls_hash64(bytes, size) * 31 + ls_hash64(printed, strlen(printed));
  hash += hash_faults(sim) * 0x9e3779b97f4a7c15ull;
  Orders *o = work->orders;
  int index = 0;
  while (index < o->count && o->items[index].hash != hash) index++;
  if (index < o->count) { free(bytes); return index; }
  LS_PUSH(o->items, o->count, o->capacity, ((OrdersOutcome){.hash = hash, .bytes = bytes}));
  LsText words = {0};
  orders_ending_words(sim, &words);
  o->items[index].words = ls_text_take(&words);
  return index;
}

static Sim *run_once(const Work *work, const SimOptions *options) {
  const Run *run = work->run;
  Sim *sim = sim_new(run->module, run->entry, &run->info.launch, options, NULL);
  if (sim && sim_run(sim, NULL, NULL)) return sim;
  sim_free(sim);
  return NULL;
}

// ---- seeds ---------------------------------------------------------------------------------------------------------

static bool is_canceled(const Work *work) { return work->progress && work->progress->cancel; }

static void *try_seeds(void *context) {
  Work *work = context;
  for (uint64_t seed; !work->failed && !is_canceled(work) && (seed = ++work->next) <= work->seeds;) {
    SimOptions options = work->options;
    options.seed = seed;
    Sim *sim = run_once(work, &options);
    if (!sim) { work->failed = true; break; }
    pthread_mutex_lock(&work->mutex);
    int index = outcome_of(work, sim);            // which may move the list
    OrdersOutcome *o = &work->orders->items[index];
    if (!o->seeds++ || seed < o->seed) o->seed = seed;
    work->orders->seeds++;
    if (work->progress) work->progress->permille = (int)(work->orders->seeds * 1000 / work->seeds);
    pthread_mutex_unlock(&work->mutex);
    sim_free(sim);
  }
  return NULL;
}

static void try_all_seeds(Work *work) {
  pthread_t threads[MOST_THREADS];
  long processors = sysconf(_SC_NPROCESSORS_ONLN);
  int wanted = (int)LS_CLAMP(processors, 1, MOST_THREADS), count = 0;
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);   // a worker must not be the one that a signal meets
  while (count + 1 < wanted && pthread_create(&threads[count], NULL, try_seeds, work) == 0) count++;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  try_seeds(work);
  for (int i = 0; i < count; i++) pthread_join(threads[i], NULL);
}

// ---- all orders ----------------------------------------------------------------------------------------------------

enum { UNKNOWN = INT32_MIN };                    // an edge goes to a state, or to outcome -1 - edge
typedef struct State { int32_t *edges; uint8_t count, mark; double *orders; } State;
typedef struct Search {
  Work *work;
  LsTable of_hash;                               // index of a state, by its hash
  State *states; int count, capacity;
  int *way; int way_count, way_capacity;         // states along the choices of the run
  SimPath path;
} Search;

static bool visit(void *context, uint64_t hash) {
  Search *s = context;
  int *known = ls_table_at(&s->of_hash, &(LsKey){{hash}});
  bool is_new = !*known;
  if (is_new) *known = s->count + 1;
  LS_PUSH(s->way, s->way_count, s->way_capacity, *known - 1);
  if (!is_new) return false;
  State state = {.count = s->path.choices[s->path.count - 1].count};
  state.edges = ls_alloc(sizeof *state.edges * state.count);
  for (int i = 0; i < state.count; i++) state.edges[i] = UNKNOWN;
  LS_PUSH(s->states, s->count, s->capacity, state);
  return true;
}

// A run from the choices that are given on. False: it failed.
static bool go(Search *s) {
  SimOptions options = s->work->options;
  options.path = &s->path;
  options.order = SIM_WHOLE;
  options.budget = PATH_BUDGET;
  s->path.count = 0;
  s->path.stopped = false;
  s->path.visit = visit;
  s->path.context = s;
  s->way_count = (int)s->path.given_count;       // those are known
  Sim *sim = run_once(s->work, &options);
  if (!sim) return false;
  int end = UNKNOWN;
  if (!s->path.stopped) {
    int outcome = outcome_of(s->work, sim);
    if (!s->work->orders->items[outcome].order) s->work->orders->items[outcome].order = orders_print(&s->path);
    end = -1 - outcome;
  }
  for (int i = (int)s->path.given_count - 1; i < s->path.count; i++) {
    if (i < 0 || (s->path.stopped && i == s->path.count - 1)) continue;
    int to = i + 1 < s->way_count ? s->way[i + 1] : end;
    s->states[s->way[i]].edges[s->path.choices[i].taken] = to;
  }
  sim_free(sim);
  return true;
}

// The last choice that can be another one, as the choices that are given. False: there is none.
static bool next_way(Search *s, uint8_t *given) {
  int last = s->path.count - (s->path.stopped ? 2 : 1);
  for (; last >= 0; last--) {
    const SimChoice *c = &s->path.choices[last];
    if (c->taken + 1 < c->count) break;
  }
  if (last < 0) return false;
  for (int i = 0; i <= last; i++) given[i] = s->path.choices[i].taken;
  given[last]++;
  s->path.given = given;
  s->path.given_count = (uint32_t)last + 1;
  return true;
}

// Of the orders from a state on, how many end in each outcome. False: some go round in a circle.
static bool count_orders(Search *s, int index) {
  State *state = &s->states[index];
  int outcomes = s->work->orders->count;
  if (state->mark == 2) return true;
  if (state->mark == 1) return false;
  state->mark = 1;
  state->orders = ls_alloc(sizeof *state->orders * (size_t)(outcomes + 1));
  for (int i = 0; i < state->count; i++) {
    int to = state->edges[i];
    if (to == UNKNOWN) return false;
    if (to < 0) { state->orders[-1 - to]++; continue; }
    if (!count_orders(s, to)) return false;
    for (int k = 0; k < outcomes; k++) state->orders[k] += s->states[to].orders[k];
  }
  state->mark = 2;
  return true;
}

static void settle_counts(Search *s) {
  Orders *o = s->work->orders;
  o->all = true;
  if (!s->count) o->orders = 1, o->items[0].orders = 1;
  if (!s->count || !count_orders(s, 0)) return;
  for (int i = 0; i < o->count; i++) {
    double orders = s->states[0].orders[i];
    if (orders > 9e18) { o->orders = 0; return; }
    o->items[i].orders = (uint64_t)orders;
    o->orders += o->items[i].orders;
  }
}

static bool is_small(const Work *work) {
  const Launch *launch = &work->run->info.launch;
  uint64_t bytes = 0;
  for (int i = 0; i < launch->arg_count; i++)
    if (launch->args[i].is_buffer) bytes += launch->args[i].count * (uint64_t)launch_type_size(launch->args[i].type);
  return launch_blocks(launch) == 1 && bytes <= MOST_BYTES && work->options.sched == SIM_ITS;
}

static void try_all_orders(Work *work) {
  Search s = {.work = work};
  uint8_t *given[2] = {NULL, NULL};
  uint64_t start = ls_clock_ms();
  bool goes = go(&s), more = goes;
  for (int turn = 0; more; turn ^= 1) {
    free(given[turn]);
    given[turn] = ls_alloc((size_t)s.path.count + 1);
    if (!next_way(&s, given[turn])) { settle_counts(&s); break; }
    more = s.count < MOST_STATES && ls_clock_ms() - start < LONGEST_MS && !is_canceled(work) && go(&s);
  }
  for (int i = 0; i < s.count; i++) free(s.states[i].edges), free(s.states[i].orders);
  free(s.states);
  free(s.way);
  free(s.path.choices);
  free(given[0]);
  free(given[1]);
  ls_table_free(&s.of_hash);
}

// ---- all together --------------------------------------------------------------------------------------------------

static int by_count(const void *a, const void *b) {
  const OrdersOutcome *x = a, *y = b;
  if (x->orders != y->orders) return x->orders < y->orders ? 1 : -1;
  if (x->seeds != y->seeds) return x->seeds < y->seeds ? 1 : -1;
  return x->hash < y->hash ? -1 : x->hash > y->hash;
}

Orders *orders_new(const Run *run, uint64_t seeds, RunProgress *progress, LsErr *err) {
  Work work = {.run = run, .progress = progress, .seeds = seeds, .orders = ls_alloc(sizeof *work.orders)};
  if (!run_options(&run->request, NULL, &work.options, err)) { orders_free(work.orders); return NULL; }
  work.options.checks &= ~(uint32_t)SIM_CHECK_RACE;
  work.options.threads = 1;
  work.options.order = SIM_WHOLE;
  work.options.seed = 0;
  work.options.cancel = progress ? &progress->cancel : NULL;
  pthread_mutex_init(&work.mutex, NULL);
  set_stage(&work, "trying all orders", -1);
  if (is_small(&work)) try_all_orders(&work);
  set_stage(&work, "trying seeds", 0);
  try_all_seeds(&work);
  pthread_mutex_destroy(&work.mutex);
  Orders *o = work.orders;
  if (work.failed || is_canceled(&work) || !o->count) {
    orders_free(o);
    ls_fail(err, is_canceled(&work) ? LS_ECANCEL : LS_EREQUEST, "the launch cannot run in other orders");
    return NULL;
  }
  qsort(o->items, (size_t)o->count, sizeof *o->items, by_count);
  orders_words(run, o);
  return o;
}

void orders_free(Orders *orders) {
  if (!orders) return;
  for (int i = 0; i < orders->count; i++) {
    free(orders->items[i].order);
    free(orders->items[i].words);
    free(orders->items[i].bytes);
  }
  free(orders->items);
  free(orders);
}
