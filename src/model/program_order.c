// program_order.c: vector clocks of the steps of a program.
#include "model/program_order.h"

#include <stdlib.h>
#include <string.h>
#include "base/mem.h"

enum { MOST_CLOCKS = 1 << 26 };   // numbers in all: 256 MB

struct ProgramOrder {
  const HostProgram *program;
  ProgramRules rules;
  int chains;
  uint32_t *starts;          // [step][chain]: how many steps of the chain are over when it begins
  uint32_t *numbers;         // of each step in its chain, from 1
  uint32_t *now;             // [chain][chain]: what is over for whoever is next there
  uint32_t *events;          // [event][chain]
};

int program_order_chain(const HostProgram *program, int step) {
  const ProgramStep *s = &program->steps[step];
  return program_is_on_device(s) ? 1 + s->stream : 0;
}

static uint32_t *clock_of(ProgramOrder *o, int chain) { return o->now + (size_t)chain * (size_t)o->chains; }
static uint32_t *event_of(ProgramOrder *o, int event) { return o->events + (size_t)event * (size_t)o->chains; }

static void join(const ProgramOrder *o, uint32_t *to, const uint32_t *from) {
  for (int i = 0; i < o->chains; i++) to[i] = LS_MAX(to[i], from[i]);
}

static bool is_walled(const ProgramOrder *o, int stream) {
  return !o->rules.default_per_thread && stream > 0 && !o->program->streams[stream].nonblocking;
}

// The legacy default stream: what is in it waits for all others, and they for it.
static void meet_default(ProgramOrder *o, int stream, uint32_t *start) {
  if (o->rules.default_per_thread) return;
  if (is_walled(o, stream)) join(o, start, clock_of(o, 1));
  for (int s = 1; stream == 0 && s < o->program->stream_count; s++)
    if (is_walled(o, s)) join(o, start, clock_of(o, 1 + s));
}

static void join_host_with_all(ProgramOrder *o) {
  for (int chain = 1; chain < o->chains; chain++) join(o, clock_of(o, 0), clock_of(o, chain));
}

static void wait_in_host(ProgramOrder *o, const ProgramStep *s) {
  if (s->sync == PROGRAM_SYNC_DEVICE) join_host_with_all(o);
  else if (s->sync == PROGRAM_SYNC_EVENT) join(o, clock_of(o, 0), event_of(o, s->event));
  else join(o, clock_of(o, 0), clock_of(o, 1 + s->stream));
}

static void put_device_step(ProgramOrder *o, int step, uint32_t *start) {
  const ProgramStep *s = &o->program->steps[step];
  int chain = 1 + s->stream;
  uint32_t *own = clock_of(o, chain);
  memcpy(start, clock_of(o, 0), sizeof *start * (size_t)o->chains);   // the host has come to it
  join(o, start, own);
  meet_default(o, s->stream, start);
  memcpy(own, start, sizeof *start * (size_t)o->chains);
  o->numbers[step] = ++own[chain];
  if (program_blocks(o->program, s)) join(o, clock_of(o, 0), own);
}

// An event stands for all that is before it in its stream; in the legacy default stream, for what that waits for, too.
static void record(ProgramOrder *o, const ProgramStep *s) {
  uint32_t *event = event_of(o, s->event);
  memset(event, 0, sizeof *event * (size_t)o->chains);
  join(o, event, clock_of(o, 1 + s->stream));
  meet_default(o, s->stream, event);
}

static void put_host_step(ProgramOrder *o, int step, uint32_t *start) {
  const ProgramStep *s = &o->program->steps[step];
  uint32_t *host = clock_of(o, 0);
  if (s->kind == PROGRAM_SYNC) wait_in_host(o, s);
  if (s->kind == PROGRAM_FREE) join_host_with_all(o);      // cudaFree waits for the device
  if (s->kind == PROGRAM_RECORD) record(o, s);
  if (s->kind == PROGRAM_WAIT) join(o, clock_of(o, 1 + s->stream), event_of(o, s->event));
  memcpy(start, host, sizeof *start * (size_t)o->chains);
  o->numbers[step] = ++host[0];
}

ProgramOrder *program_order_new(const HostProgram *program, ProgramRules rules, LsErr *err) {
  int chains = 1 + program->stream_count;
  if ((uint64_t)program->step_count * (uint64_t)chains > MOST_CLOCKS) {
    ls_fail(err, LS_EREQUEST,
            "%d steps in %d streams are too many to say what orders them: at most %d with so many streams",
            program->step_count, program->stream_count, MOST_CLOCKS / chains);
    return NULL;
  }
  ProgramOrder *o = ls_alloc(sizeof *o);
  *o = (ProgramOrder){.program = program, .rules = rules, .chains = chains};
  size_t row = sizeof *o->starts * (size_t)chains;
  o->starts = ls_alloc(row * (size_t)program->step_count);
  o->numbers = ls_alloc(sizeof *o->numbers * (size_t)program->step_count);
  o->now = ls_alloc(row * (size_t)chains);
  o->events = ls_alloc(row * (size_t)(program->event_count + 1));
  for (int i = 0; i < program->step_count; i++) {
    uint32_t *start = o->starts + (size_t)i * (size_t)chains;
    if (program_is_on_device(&program->steps[i])) put_device_step(o, i, start);
    else put_host_step(o, i, start);
  }
  return o;
}

void program_order_free(ProgramOrder *order) {
  if (!order) return;
  free(order->starts);
  free(order->numbers);
  free(order->now);
  free(order->events);
  free(order);
}

bool program_order_is(const ProgramOrder *order, int before, int after) {
  if (before == after) return false;
  int chain = program_order_chain(order->program, before);
  return order->starts[(size_t)after * (size_t)order->chains + (size_t)chain] >= order->numbers[before];
}

const uint32_t *program_order_start(const ProgramOrder *order, int step) {
  return order->starts + (size_t)step * (size_t)order->chains;
}
