// program_time.c: the steps of a program in time: the host, copy engines and blocks, event by event.
#include "model/program_clock.h"

#include <math.h>
#include <stdlib.h>
#include "base/mem.h"

void program_rates_init(ProgramRates *rates, const ArchProfile *arch) {
  // What launches by kernels take was measured on an H200 (driver 580, CUDA 13.0): 5.8 to 6.4 us each, whatever the
  // stream, and then the child began; behind another one of its stream it began 0.9 to 5 us after that had ended.
  // Gigabytes a second of the link that boards of the time sit on, as copies of many megabytes reach them.
  double link = !arch || arch->cc_major >= 9 ? 55 : arch->cc_major >= 8 ? 25 : arch->cc_major >= 3 ? 12 : 5;
  double memory = arch && arch->bandwidth_gbs > 0 ? arch->bandwidth_gbs : 1000;
  *rates = (ProgramRates){.link_gbs = link, .pageable_gbs = LS_MIN(link, 10), .link_ns = 8000, .call_ns = 2000,
                          .start_ns = 2000, .child_ns = 6000, .next_ns = 1000, .set_gbs = memory, .engines = arch &&
                              arch->cc_major < 2 ? 1 : 2,
                          .most_kernels = !arch || arch->cc_major >= 7 ? 128 : arch->cc_major >= 2 ? 16 : 1};
}

double program_block_ns(const ArchProfile *arch, int64_t blocks, int64_t per_wave, uint64_t bytes,
                        uint64_t warp_instructions) {
  double gbs = arch && arch->bandwidth_gbs > 0 ? arch->bandwidth_gbs : 1000;
  double flops = arch && arch->fp32_tflops > 0 ? arch->fp32_tflops * 1e12 : 1e13;
  double warps_per_ns = flops / 2 / 32 / 1e9;    // a fused multiply-add of 32 lanes
  double full = LS_MAX((double)bytes / gbs, (double)warp_instructions / warps_per_ns);
  return full * (double)LS_MAX(per_wave, 1) / (double)LS_MAX(blocks, 1);
}

// ---- the simulation ------------------------------------------------------------------------------------------------

void program_clock_push(Clock *c, Finish f) {
  LS_PUSH(c->heap, c->heap_count, c->heap_capacity, f);
  int i = c->heap_count - 1;
  for (; i > 0 && c->heap[(i - 1) / 2].time > f.time; i = (i - 1) / 2) c->heap[i] = c->heap[(i - 1) / 2];
  c->heap[i] = f;
}

static Finish heap_pop(Clock *c) {
  Finish first = c->heap[0], last = c->heap[--c->heap_count];
  int i = 0;
  for (int child; (child = 2 * i + 1) < c->heap_count; i = child) {
    if (child + 1 < c->heap_count && c->heap[child + 1].time < c->heap[child].time) child++;
    if (c->heap[child].time >= last.time) break;
    c->heap[i] = c->heap[child];
  }
  if (c->heap_count) c->heap[i] = last;
  return first;
}

// ---- what may begin ------------------------------------------------------------------------------------------------

static bool all_before_is_over(const Clock *c, int step) {
  const uint32_t *start = program_order_start(c->order, step);
  for (int chain = 1; chain <= c->program->stream_count; chain++)
    if (c->over[chain] < start[chain]) return false;
  return true;
}

static const ProgramStep *step_at(const Clock *c, int step) { return &c->program->steps[step]; }

static int engine_of(const Clock *c, const ProgramStep *s) {
  return s->direction == PROGRAM_D2H && c->rates->engines > 1 ? 1 : 0;
}

static bool crosses_link(const ProgramStep *s) {
  return s->kind == PROGRAM_COPY && (s->direction == PROGRAM_H2D || s->direction == PROGRAM_D2H);
}

static double copy_ns(const Clock *c, const ProgramStep *s) {
  const LaunchArg *moved = &c->program->buffers[s->kind == PROGRAM_COPY ? s->from : s->buffer].contents;
  double bytes = (double)s->count * (double)launch_type_size(moved->type), rate = c->rates->set_gbs;
  if (s->kind != PROGRAM_COPY) return bytes / rate;
  if (!crosses_link(s)) return 2 * bytes / rate;
  int host_side = s->direction == PROGRAM_H2D ? s->from : s->buffer;
  bool pageable = c->program->buffers[host_side].host == PROGRAM_PAGEABLE;
  return c->rates->link_ns + bytes / (pageable ? c->rates->pageable_gbs : c->rates->link_gbs);
}

// The step that is over in the chain since this moment, and that `step` is ordered behind; -1: there is none.
static int just_over(const Clock *c, int step, int chain) {
  int last = c->last[chain];
  bool ends_now = last >= 0 && c->times[last].end >= c->now;
  return ends_now && c->over[chain] == program_order_start(c->order, step)[chain] ? last : -1;
}

// What kept it from beginning when the host had come to it: what it is ordered behind before what it shares the device
// with, and of that its own stream before others.
static int held_by(const Clock *c, int step) {
  int own = program_order_chain(c->program, step), found = own ? just_over(c, step, own) : -1;
  for (int chain = 1; found < 0 && chain <= c->program->stream_count; chain++) found = just_over(c, step, chain);
  return found >= 0 ? found : c->last_ended;
}

static void note_begin(Clock *c, int step) {
  ProgramTime *t = &c->times[step];
  t->begin = t->runs = c->now;
  t->waited_for = c->now > t->issued && c->last_ended != step ? held_by(c, step) : -1;
  c->states[step].has_begun = true;
  while (c->first_unbegun < c->program->step_count &&
         (c->states[c->first_unbegun].has_begun || !program_is_on_device(step_at(c, c->first_unbegun))))
    c->first_unbegun++;
}

static void begin_kernel(Clock *c, int step) {
  if (c->kernels >= c->rates->most_kernels) return;
  c->kernels++;
  note_begin(c, step);
  program_clock_push(c, (Finish){c->now + c->rates->start_ns, step, 0});
}

static void begin_copy(Clock *c, int step) {
  const ProgramStep *s = step_at(c, step);
  bool across = crosses_link(s);
  if (across && c->engine_busy[engine_of(c, s)]) return;
  if (across) c->engine_busy[engine_of(c, s)] = true;
  note_begin(c, step);
  c->states[step].running = 1;
  program_clock_push(c, (Finish){c->now + copy_ns(c, s), step, 1});
}

static void begin_what_may(Clock *c) {
  for (int chain = 1; chain <= c->program->stream_count; chain++) {
    int step = c->heads[chain];
    if (step < 0 || !c->states[step].is_issued || c->states[step].has_begun) continue;
    if (c->rules.single_queue && step != c->first_unbegun) continue;
    if (!all_before_is_over(c, step)) continue;
    if (step_at(c, step)->kind == PROGRAM_LAUNCH) begin_kernel(c, step);
    else begin_copy(c, step);
  }
}

// ---- blocks --------------------------------------------------------------------------------------------------------

// The kernel whose blocks are next: of the most urgent stream, else the one issued first. -1: none waits that is not
// in `passed`.
static int next_kernel(const Clock *c, const bool *passed) {
  int best = -1;
  for (int chain = 1; chain <= c->program->stream_count; chain++) {
    int step = c->heads[chain];
    if (step < 0 || passed[chain] || !c->states[step].is_ready || !c->states[step].waiting) continue;
    int priority = c->program->streams[chain - 1].priority;
    int least = best < 0 ? 0 : c->program->streams[step_at(c, best)->stream].priority;
    if (best < 0 || priority < least || (priority == least && step < best)) best = step;
  }
  return best;
}

// Its first blocks begin: later than it was ready, if they had to wait for room.
static void note_room(Clock *c, int step) {
  StepState *state = &c->states[step];
  state->has_run = true;
  c->times[step].runs = c->now;
  if (c->now > state->ready) c->times[step].room_from = c->freed_by;
}

void program_clock_fill(Clock *c, int step) {
  StepState *state = &c->states[step];
  const ProgramCost *cost = &c->costs[state->launch];
  double per_wave = (double)LS_MAX(cost->per_wave, 1);
  int64_t fits = LS_MIN((int64_t)(c->room * per_wave + 1e-6), state->waiting);
  if (step_at(c, step)->cooperative && fits < state->waiting) fits = 0;
  if (fits <= 0) return;
  c->room -= (double)fits / per_wave;
  if (!state->has_run) note_room(c, step);
  state->waiting -= fits;
  state->running += fits;
  if (c->kin) program_children_begin_blocks(c, step, fits);
  else program_clock_push(c, (Finish){c->now + LS_MAX(cost->block_ns, 1), step, fits});
}

static void fill(Clock *c) {
  bool passed[PROGRAM_MOST_STREAMS + 2] = {false};
  for (int step; (step = next_kernel(c, passed)) >= 0;) {
    passed[1 + step_at(c, step)->stream] = true;
    program_clock_fill(c, step);
  }
}

// ---- ends ----------------------------------------------------------------------------------------------------------

static void end_step(Clock *c, int step) {
  int chain = program_order_chain(c->program, step);
  c->times[step].end = c->now;
  if (step_at(c, step)->kind != PROGRAM_LAUNCH) c->times[step].over = c->now;
  c->over[chain]++;
  c->last[chain] = step;
  c->heads[chain] = c->states[step].next;
  c->last_ended = step;
}

// Its own blocks are over: with its children the launch ends, and those that it is a child of.
static void leave(Clock *c, int step) {
  c->kernels--;
  c->times[step].over = c->now;
  int ended = program_children_leave(c, step);
  if (ended >= 0) end_step(c, ended);
}

static void finish(Clock *c, Finish f) {
  StepState *state = &c->states[f.step];
  const ProgramStep *s = step_at(c, f.step);
  if (f.blocks == FINISH_LAUNCH) {
    program_children_launched(c, f.step);
    return;
  }
  if (!f.blocks) {
    state->is_ready = true;
    state->ready = c->now;
    if (s->kin) program_children_ready(c, f.step);
    return;
  }
  state->running -= f.blocks;
  if (s->kind == PROGRAM_LAUNCH) {
    c->room += (double)f.blocks / (double)LS_MAX(c->costs[state->launch].per_wave, 1);
    c->freed_by = f.step;
  } else if (crosses_link(s)) {
    c->engine_busy[engine_of(c, s)] = false;
  }
  if (state->running || state->waiting) return;
  if (s->kind == PROGRAM_LAUNCH) leave(c, f.step);
  else end_step(c, f.step);
}

// ---- the host ------------------------------------------------------------------------------------------------------

static double host_ns(const Clock *c, const ProgramStep *s) {
  if (s->kind == PROGRAM_HOST) return s->milliseconds * 1e6;
  if (s->kind != PROGRAM_COPY) return 0;   // a copy on the host
  return (double)s->count * (double)launch_type_size(c->program->buffers[s->from].contents.type) / c->rates->pageable_gbs;
}

// Takes the step that the host stands at. False: it has to wait there.
static bool host_step(Clock *c) {
  int step = c->at;
  const ProgramStep *s = step_at(c, step);
  ProgramTime *t = &c->times[step];
  if (c->host_waits_for >= 0 && c->times[c->host_waits_for].end < 0) return false;
  if (c->host_waits_for >= 0) c->host = LS_MAX(c->host, c->times[c->host_waits_for].end);
  c->host_waits_for = -1;
  bool on_device = program_is_on_device(s);
  if (t->issued < 0) t->issued = c->host;
  if (!on_device && !all_before_is_over(c, step)) return false;
  if (!on_device && c->now > t->issued) t->waited_for = held_by(c, step);
  c->host = LS_MAX(c->host, c->now);
  c->at++;
  if (on_device) {
    c->states[step].is_issued = true;
    c->host += c->rates->call_ns;
    if (program_blocks(c->program, s)) c->host_waits_for = step;
    return true;
  }
  t->begin = t->runs = s->kind == PROGRAM_SYNC || s->kind == PROGRAM_FREE ? t->issued : c->host;
  t->end = t->over = c->host += host_ns(c, s);
  return true;
}

static void run_host(Clock *c) {
  while (c->at < c->program->step_count && c->host <= c->now) {
    if (!host_step(c)) return;
  }
}

// When the host goes on by itself; infinity: it waits for the device, or is done.
static double host_next(const Clock *c) {
  if (c->at >= c->program->step_count || c->host <= c->now) return INFINITY;
  return c->host;
}

// ---- all of it -----------------------------------------------------------------------------------------------------

ProgramRow program_time_row(const ProgramStep *s) {
  if (!program_is_on_device(s)) return PROGRAM_ROW_HOST;
  if (!crosses_link(s)) return PROGRAM_ROW_STREAM;
  return s->direction == PROGRAM_H2D ? PROGRAM_ROW_TO_DEVICE : PROGRAM_ROW_TO_HOST;
}

void program_clock_wait(StepState *state, const ProgramCost *cost, int launch) {
  *state = (StepState){.launch = launch, .next = -1, .waiting = LS_MAX(cost->blocks, 1)};
}

static const ProgramTime never = {.issued = -1, .begin = -1, .runs = -1, .end = -1, .over = -1, .waited_for = -1,
                                  .room_from = -1, .last_child = -1, .row = PROGRAM_ROW_STREAM};

ProgramTime *program_times_new(const HostProgram *program) {
  ProgramTime *times = ls_alloc(sizeof *times * (size_t)(program_all_steps(program) + 1));
  for (int i = 0; i < program_all_steps(program); i++) times[i] = never;
  return times;
}

static void prepare(Clock *c) {
  const HostProgram *program = c->program;
  int *last = ls_alloc(sizeof *last * (size_t)(program->stream_count + 1)), launches = 0;
  for (int chain = 0; chain <= program->stream_count; chain++) c->heads[chain] = c->last[chain] = last[chain] = -1;
  for (int i = 0; i < program->step_count; i++) {
    int chain = program_order_chain(program, i);
    c->times[i] = never;
    c->times[i].row = program_time_row(&program->steps[i]);
    c->states[i] = (StepState){.launch = -1, .next = -1};
    if (program->steps[i].kind == PROGRAM_LAUNCH)
      program_clock_wait(&c->states[i], &c->costs[launches], launches), launches++;
    if (!chain) continue;
    if (last[chain] < 0) c->heads[chain] = i;
    else c->states[last[chain]].next = i;
    last[chain] = i;
  }
  free(last);
  while (c->first_unbegun < program->step_count &&
         !program_is_on_device(&program->steps[c->first_unbegun])) c->first_unbegun++;
  for (int i = program->step_count; i < program_all_steps(program); i++) {
    c->times[i] = never;
    program_clock_wait(&c->states[i], &c->costs[launches], launches), launches++;
  }
  if (program->child_count) program_children_prepare(c);
}

bool program_time(const HostProgram *program, ProgramRules rules, const ProgramRates *rates, const ProgramCost *costs,
                  ProgramTime *times, LsErr *err) {
  Clock c = {.program = program, .rules = rules, .rates = rates, .costs = costs, .times = times, .host_waits_for = -1,
             .room = 1, .last_ended = -1, .freed_by = -1};
  c.order = program_order_new(program, rules, err);
  if (!c.order) return false;
  c.states = ls_alloc(sizeof *c.states * (size_t)program_all_steps(program));
  c.heads = ls_alloc(sizeof *c.heads * (size_t)(program->stream_count + 1));
  c.over = ls_alloc(sizeof *c.over * (size_t)(program->stream_count + 1));
  c.last = ls_alloc(sizeof *c.last * (size_t)(program->stream_count + 1));
  prepare(&c);
  for (;;) {
    run_host(&c);
    begin_what_may(&c);
    program_children_begin(&c);
    fill(&c);
    program_children_fill(&c);
    double next = LS_MIN(c.heap_count ? c.heap[0].time : INFINITY, host_next(&c));
    if (isinf(next)) break;
    c.now = next;
    while (c.heap_count && c.heap[0].time <= c.now) finish(&c, heap_pop(&c));
  }
  program_children_free(&c);
  free(c.states);
  free(c.heads);
  free(c.over);
  free(c.last);
  free(c.heap);
  program_order_free(c.order);
  return true;
}

// steps: of each chain, one after the other.
static int last_to_end(const ProgramOrder *order, int chains, int *const *steps, const ProgramTime *times, int step) {
  const uint32_t *start = program_order_start(order, step);
  int held = -1;
  for (int chain = 1; chain < chains; chain++) {
    int before = start[chain] ? steps[chain][start[chain] - 1] : -1;
    if (before >= 0 && before != step && (held < 0 || times[before].end > times[held].end)) held = before;
  }
  return held;
}

// What both take turns at: a copy engine, or the kernels that run at once.
static bool share(const HostProgram *program, const ProgramTime *times, int a, int b) {
  const ProgramStep *x = &program->steps[a], *y = &program->steps[b];
  if (x->kind == PROGRAM_LAUNCH || y->kind == PROGRAM_LAUNCH) return x->kind == y->kind;
  return crosses_link(x) && crosses_link(y) && times[a].row == times[b].row;
}

// Of a step that began later than it might: the one whose end it began at, of those that share with it what they run
// on; -1: none ended then. Times from events are known to a microsecond (cuEventElapsedTime).
static int made_way(const HostProgram *program, const ProgramTime *times, int step, double ready) {
  static const double KNOWN_TO_NS = 1e3;
  double begin = times[step].begin;
  int last = -1;
  if (!program_is_on_device(&program->steps[step]) || begin - ready <= 2 * KNOWN_TO_NS) return -1;
  for (int i = 0; i < program->step_count; i++) {
    bool ended_then = times[i].end > ready && fabs(times[i].end - begin) <= KNOWN_TO_NS && times[i].begin < begin;
    if (i == step || !ended_then || !share(program, times, step, i)) continue;
    if (last < 0 || fabs(times[i].end - begin) < fabs(times[last].end - begin)) last = i;
  }
  return last;
}

bool program_time_explain(const HostProgram *program, ProgramRules rules, ProgramTime *times, LsErr *err) {
  int chains = program->stream_count + 1;
  ProgramOrder *order = program_order_new(program, rules, err);
  if (!order) return false;
  int **steps = ls_alloc(sizeof *steps * (size_t)chains), *counts = ls_alloc(sizeof *counts * (size_t)chains);
  for (int i = 0; i < chains; i++) steps[i] = ls_alloc(sizeof **steps * (size_t)program->step_count);
  for (int i = 0; i < program->step_count; i++) {
    int chain = program_order_chain(program, i);
    steps[chain][counts[chain]++] = i;
  }
  for (int i = 0; i < program->step_count; i++) {
    int held = last_to_end(order, chains, steps, times, i);
    times[i].runs = times[i].begin;
    times[i].over = times[i].end;
    times[i].room_from = times[i].last_child = -1;
    times[i].waited_for = held >= 0 && times[held].end > times[i].issued ? held : -1;
    int way = made_way(program, times, i, fmax(times[i].issued, held >= 0 ? times[held].end : 0));
    if (way >= 0) times[i].waited_for = way;
  }
  for (int i = 0; i < chains; i++) free(steps[i]);
  free(steps);
  free(counts);
  program_order_free(order);
  return true;
}

double program_time_end(const HostProgram *program, const ProgramTime *times) {
  double end = 0;
  for (int i = 0; i < program->step_count; i++) end = LS_MAX(end, times[i].end);   // with its children
  return end;
}
