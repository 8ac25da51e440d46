// fake_stream.c: streams and events: work is done as late as it may be, and no earlier than what it has to wait for.
//
// Whoever waits gets what it waits for, and all that this waits for: what is before it in its stream, what events
// order, and the legacy default stream, which waits for all streams and they for it, but those that are nonblocking.
// Everything else is left undone: a program that does not order its work sees that.
//
// The clock is one that only work moves on; or, where FAKE_CUDA_KERNEL_NS says how long a kernel takes, the host's, and
// who waits really waits: then times of streams can be seen side by side.
#include "fake_cuda.h"
#include <stdlib.h>
#include <time.h>
#include "base/clock.h"
#include "base/mem.h"

typedef struct Op {
  FakeWork work;
  struct Op **after; int after_count, after_capacity;
  struct Event *event;             // recorded by it
  uint64_t issued, end;
  bool done;
} Op;

typedef struct Stream { Op *last; bool nonblocking; int priority; } Stream;
typedef struct Event { Op *op; bool recorded, untimed; uint64_t time; } Event;

static struct {
  Stream first;                    // the default one
  Stream **streams; int stream_count, stream_capacity;
  Event **events; int event_count, event_capacity;
  Op **ops; int op_count, op_capacity;
  uint64_t clock;
} queue;

static bool has_host_clock(void) { return fake_setting("FAKE_CUDA_KERNEL_NS", 0) > 0; }

static uint64_t now(void) { return has_host_clock() ? ls_clock_ns() : queue.clock; }

static int find(void **list, int count, const void *what) {
  for (int i = count - 1; i >= 0; i--)
    if (list[i] == what) return i;
  return -1;
}

static Stream *stream_of(const void *handle) {
  if (!handle) return &queue.first;
  int at = find((void **)queue.streams, queue.stream_count, handle);
  return at < 0 ? NULL : queue.streams[at];
}

static Event *event_of(const void *handle) {
  int at = find((void **)queue.events, queue.event_count, handle);
  return at < 0 ? NULL : queue.events[at];
}

// ---- doing work ----------------------------------------------------------------------------------------------------

static void finish(Op *op) {
  if (!op || op->done) return;
  uint64_t start = op->issued;
  for (int i = op->after_count - 1; i >= 0; i--) {
    finish(op->after[i]);
    start = LS_MAX(start, op->after[i]->end);
  }
  op->done = true;
  op->end = start + (op->work.run ? op->work.run(op->work.context) : 0);
  if (op->work.free) op->work.free(op->work.context);
  if (op->event) op->event->time = op->end;
  if (op->event && op->event->op == op) op->event->recorded = true;
}

// Its end has come when somebody has waited for it.
static void wait_until(uint64_t end) {
  if (!has_host_clock()) {
    queue.clock = LS_MAX(queue.clock, end);
    return;
  }
  for (uint64_t at; (at = ls_clock_ns()) < end;)
    nanosleep(&(struct timespec){(time_t)((end - at) / 1000000000), (long)((end - at) % 1000000000)}, NULL);
}

static void wait_for(Op *op) {
  finish(op);
  if (op) wait_until(op->end);
}

// Nothing is left: nobody has to remember what was.
static void forget(void) {
  for (int i = 0; i < queue.op_count; i++) {
    free(queue.ops[i]->after);
    free(queue.ops[i]);
  }
  free(queue.ops);
  queue.ops = NULL;
  queue.op_count = queue.op_capacity = 0;
  queue.first.last = NULL;
  for (int i = 0; i < queue.stream_count; i++) queue.streams[i]->last = NULL;
  for (int i = 0; i < queue.event_count; i++) queue.events[i]->op = NULL;
}

void fake_finish_all(void) {
  for (int i = queue.stream_count - 1; i >= 0; i--) wait_for(queue.streams[i]->last);
  wait_for(queue.first.last);
  for (int i = 0; i < queue.op_count; i++) wait_for(queue.ops[i]);
  forget();
}

// ---- queueing ------------------------------------------------------------------------------------------------------

static void add_after(Op *op, Op *before) {
  if (before) LS_PUSH(op->after, op->after_count, op->after_capacity, before);
}

static void add_walls(Op *op, const Stream *stream) {
  if (stream != &queue.first && !stream->nonblocking) add_after(op, queue.first.last);
  for (int i = 0; stream == &queue.first && i < queue.stream_count; i++)
    if (!queue.streams[i]->nonblocking) add_after(op, queue.streams[i]->last);
}

static Op *push(Stream *stream, FakeWork work, Op *other) {
  Op *op = ls_alloc(sizeof *op);
  *op = (Op){.work = work, .issued = now()};
  add_after(op, stream->last);
  add_walls(op, stream);
  add_after(op, other);
  stream->last = op;
  LS_PUSH(queue.ops, queue.op_count, queue.op_capacity, op);
  return op;
}

bool fake_is_stream(const void *stream) { return stream_of(stream) != NULL; }

void fake_queue(void *stream, FakeWork work) { push(stream_of(stream), work, NULL); }

void fake_finish(void *stream) {
  Stream *s = stream_of(stream);
  wait_for(push(s, (FakeWork){0}, NULL));   // the walls, too
}

// ---- streams -------------------------------------------------------------------------------------------------------

int cuStreamCreateWithPriority(void **stream, unsigned flags, int priority) {
  int answer = fake_begin_work();
  if (answer || flags > DRIVER_STREAM_NONBLOCKING) return answer ? answer : FAKE_INVALID_VALUE;
  Stream *made = ls_alloc(sizeof *made);
  *made = (Stream){.nonblocking = flags == DRIVER_STREAM_NONBLOCKING, .priority = priority};
  LS_PUSH(queue.streams, queue.stream_count, queue.stream_capacity, made);
  fake_live(1);
  *stream = made;
  return 0;
}

static void drop(void ***list, int *count, int *capacity, int at) {
  free((*list)[at]);
  (*list)[at] = (*list)[--*count];
  if (*count) return;
  free(*list);
  *list = NULL;
  *capacity = 0;
}

int cuStreamDestroy_v2(void *stream) {
  int answer = fake_begin_release(), at = stream ? find((void **)queue.streams, queue.stream_count, stream) : -1;
  if (at < 0) return FAKE_INVALID_HANDLE;
  wait_for(queue.streams[at]->last);
  drop((void ***)&queue.streams, &queue.stream_count, &queue.stream_capacity, at);
  fake_live(-1);
  return answer;
}

int cuStreamSynchronize(void *stream) {
  int answer = fake_begin_work();
  Stream *s = stream_of(stream);
  if (answer || !s) return answer ? answer : FAKE_INVALID_HANDLE;
  wait_for(s->last);
  return fake_fault();
}

int cuStreamWaitEvent(void *stream, void *event, unsigned flags) {
  int answer = fake_begin_work();
  Stream *s = stream_of(stream);
  Event *e = event_of(event);
  if (answer || !s || !e || flags) return answer ? answer : FAKE_INVALID_HANDLE;
  push(s, (FakeWork){0}, e->op);
  return 0;
}

// ---- events --------------------------------------------------------------------------------------------------------

int cuEventCreate(void **event, unsigned flags) {
  int answer = fake_begin_work();
  if (answer || flags > 7) return answer ? answer : FAKE_INVALID_VALUE;
  Event *made = ls_alloc(sizeof *made);
  made->untimed = flags & DRIVER_EVENT_UNTIMED;
  LS_PUSH(queue.events, queue.event_count, queue.event_capacity, made);
  fake_live(1);
  *event = made;
  return 0;
}

int cuEventDestroy_v2(void *event) {
  int answer = fake_begin_release(), at = event ? find((void **)queue.events, queue.event_count, event) : -1;
  if (at < 0) return FAKE_INVALID_HANDLE;
  for (int i = 0; i < queue.op_count; i++)
    if (queue.ops[i]->event == event) queue.ops[i]->event = NULL;
  drop((void ***)&queue.events, &queue.event_count, &queue.event_capacity, at);
  fake_live(-1);
  return answer;
}

int cuEventRecord(void *event, void *stream) {
  int answer = fake_begin_work();
  Event *e = event_of(event);
  Stream *s = stream_of(stream);
  if (answer || !e || !s) return answer ? answer : FAKE_INVALID_HANDLE;
  e->op = push(s, (FakeWork){0}, NULL);
  e->op->event = e;
  e->recorded = false;
  return 0;
}

int cuEventSynchronize(void *event) {
  int answer = fake_begin_work();
  Event *e = event_of(event);
  if (answer || !e) return answer ? answer : FAKE_INVALID_HANDLE;
  wait_for(e->op);
  return fake_fault();
}

int cuEventElapsedTime(float *milliseconds, void *from, void *to) {
  int answer = fake_begin_work();
  const Event *ends[2] = {event_of(from), event_of(to)};
  for (int i = 0; i < 2 && !answer; i++) {
    if (!ends[i] || ends[i]->untimed || (!ends[i]->recorded && !ends[i]->op)) answer = FAKE_INVALID_HANDLE;
    else if (!ends[i]->recorded) answer = FAKE_NOT_READY;
  }
  if (!answer) *milliseconds = (float)((double)(int64_t)(ends[1]->time - ends[0]->time) / 1e6);
  return answer;
}
