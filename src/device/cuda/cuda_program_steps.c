// cuda_program_steps.c: one step of a program after the other, with the driver's calls that a CUDA program makes for
// it.
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "device/cuda/cuda_program_parts.h"

static const ProgramStep *step_at(const CudaProgram *p) { return &p->program->steps[p->step]; }

static void *stream_of(const CudaProgram *p) { return p->streams[step_at(p)->stream]; }

// ---- launches ------------------------------------------------------------------------------------------------------

static uint64_t address_of(const CudaProgram *p, const ProgramArg *arg) {
  uint64_t offset = arg->first * (uint64_t)launch_type_size(p->program->buffers[arg->buffer].contents.type);
  if (arg->of_host && p->host[arg->buffer]) return (uint64_t)(uintptr_t)p->host[arg->buffer] + offset;
  return cuda_memory_buffer(&p->memory, arg->buffer, false)->address + offset;
}

static int launch(CudaProgram *p) {
  const ProgramStep *s = step_at(p);
  const CudaCode *code = &p->codes[p->entries[p->step]];
  Launch geometry = {.shared_bytes = s->shared_bytes, .together = s->cooperative ? LAUNCH_COOPERATIVE : LAUNCH_PLAIN};
  uint64_t *values = ls_alloc(sizeof *values * (size_t)(s->arg_count + 1));
  void **pointers = ls_alloc(sizeof *pointers * (size_t)(s->arg_count + 1));
  memcpy(geometry.grid, s->grid, sizeof geometry.grid);
  memcpy(geometry.block, s->block, sizeof geometry.block);
  for (int i = 0; i < s->arg_count; i++) {
    values[i] = s->args[i].is_buffer ? address_of(p, &s->args[i]) : s->args[i].bits;
    pointers[i] = &values[i];
  }
  int answer = cuda_code_launch(code, &geometry, stream_of(p), pointers);
  free(values);
  free(pointers);
  return answer;
}

// ---- copies --------------------------------------------------------------------------------------------------------

// One end of a copy: on the host, or an address of the device. Managed memory is the device's on both sides.
typedef struct End { uint8_t *host; DriverAddress device; } End;

static End end_of(const CudaProgram *p, int buffer, bool on_host, uint64_t offset) {
  if (on_host && p->program->buffers[buffer].host != PROGRAM_MANAGED)
    return (End){.host = p->host[buffer] ? p->host[buffer] + offset : NULL};
  return (End){.device = cuda_memory_buffer(&p->memory, buffer, false)->address + offset};
}

// The host waits for the copy: in the default stream as cudaMemcpy does, else as for a stream of its own.
static int copy_and_wait(CudaProgram *p, End to, End from, uint64_t size) {
  const Driver *driver = p->driver;
  void *stream = stream_of(p);
  if (!stream) return to.host ? driver->download(to.host, from.device, (size_t)size) : driver->upload(to.device,
                                                                                                      from.host,
                                                                                                          (size_t)size);
  int answer = to.host ? driver->download_async(to.host, from.device, (size_t)size, stream)
                       : driver->upload_async(to.device, from.host, (size_t)size, stream);
  return answer ? answer : driver->stream_synchronize(stream);
}

static int copy_ends(CudaProgram *p, End to, End from, uint64_t size) {
  const Driver *driver = p->driver;
  void *stream = stream_of(p);
  if (!to.host && !from.host) return driver->copy_async(to.device, from.device, (size_t)size, stream);
  if (!step_at(p)->async) return copy_and_wait(p, to, from, size);
  if (to.host) return driver->download_async(to.host, from.device, (size_t)size, stream);
  return driver->upload_async(to.device, from.host, (size_t)size, stream);
}

static void find_ends(const CudaProgram *p, ProgramRange *range, End *to, End *from) {
  const ProgramStep *s = step_at(p);
  *range = program_range(p->program, s);
  *to = end_of(p, s->buffer, s->direction == PROGRAM_D2H || s->direction == PROGRAM_H2H, range->at);
  *from = end_of(p, s->from, s->direction == PROGRAM_H2D || s->direction == PROGRAM_H2H, range->from_at);
}

// A copy from or to a host's side that is not there is told by the checks, and moves nothing.
static int copy(CudaProgram *p) {
  ProgramRange range;
  End to, from;
  find_ends(p, &range, &to, &from);
  bool there = (to.host || to.device) && (from.host || from.device);
  if (!range.size || !there || (to.device && to.device == from.device)) return 0;
  if (!to.host || !from.host) return copy_ends(p, to, from, range.size);
  memmove(to.host, from.host, range.size);
  return 0;
}

static int set(CudaProgram *p) {
  const ProgramStep *s = step_at(p);
  ProgramRange range = program_range(p->program, s);
  DriverAddress address = cuda_memory_buffer(&p->memory, s->buffer, false)->address;
  return range.size ? p->driver->set_async(address + range.at, s->byte, (size_t)range.size, stream_of(p)) : 0;
}

// ---- the host ------------------------------------------------------------------------------------------------------

// A managed buffer is copied for the host, and back if it writes.
typedef struct Lent { int buffer; uint8_t *bytes; bool writes; } Lent;
typedef struct Hosting { CudaProgram *p; Lent *lent; int count, capacity; int answer; } Hosting;

static Lent *lend(Hosting *h, int buffer) {
  const CudaPiece *piece = cuda_memory_buffer(&h->p->memory, buffer, false);
  Lent lent = {.buffer = buffer, .bytes = ls_alloc((size_t)piece->size + 1)};
  int answer = piece->size ? h->p->driver->download(lent.bytes, piece->address, (size_t)piece->size) : 0;
  if (answer) h->answer = answer;
  LS_PUSH(h->lent, h->count, h->capacity, lent);
  return &h->lent[h->count - 1];
}

static uint8_t *host_bytes(void *context, int buffer, bool writes) {
  Hosting *h = context;
  Lent *lent = NULL;
  if (h->p->program->buffers[buffer].host != PROGRAM_MANAGED) return h->p->host[buffer];
  for (int i = 0; i < h->count && !lent; i++)
    if (h->lent[i].buffer == buffer) lent = &h->lent[i];
  if (!lent) lent = lend(h, buffer);
  lent->writes |= writes;
  return lent->bytes;
}

static void take_back(Hosting *h) {
  for (int i = 0; i < h->count; i++) {
    const CudaPiece *piece = cuda_memory_buffer(&h->p->memory, h->lent[i].buffer, false);
    bool back = h->lent[i].writes && piece->size && !h->answer;
    if (back) h->answer = h->p->driver->upload(piece->address, h->lent[i].bytes, (size_t)piece->size);
    free(h->lent[i].bytes);
  }
  free(h->lent);
}

// The host is busy, as a program's is: what is short is not slept.
static void work(double milliseconds) {
  static const double SLEEP_SPARE_MS = 1;
  double until = (double)ls_clock_ns() + milliseconds * 1e6;
  if (milliseconds > SLEEP_SPARE_MS) {
    double seconds = (milliseconds - SLEEP_SPARE_MS) / 1e3;
    nanosleep(&(struct timespec){(time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9)}, NULL);
  }
  while ((double)ls_clock_ns() < until) continue;
}

static bool host_works(CudaProgram *p, LsErr *err) {
  const ProgramStep *s = step_at(p);
  if (s->milliseconds > 0) work(s->milliseconds);
  if (!s->function) return true;
  if (!p->request->host) return ls_fail(err, LS_EREQUEST, "nobody here knows the function of step %d", p->step + 1);
  Hosting hosting = {.p = p};
  DevHost host = {.bytes = host_bytes, .context = &hosting};
  bool ok = p->request->host(p->request->context, p->step, &host, err);
  take_back(&hosting);
  return ok && cuda_program_good(p, hosting.answer, "copying for the host", err);
}

static int wait_for(CudaProgram *p) {
  const ProgramStep *s = step_at(p);
  if (s->sync == PROGRAM_SYNC_EVENT) return p->driver->event_wait(p->events[s->event]);
  return s->sync == PROGRAM_SYNC_STREAM ? p->driver->stream_synchronize(stream_of(p)) : p->driver->synchronize();
}

// ---- the step ------------------------------------------------------------------------------------------------------

static bool on_device(CudaProgram *p, LsErr *err) {
  const ProgramStep *s = step_at(p);
  const CudaMark *mark = &p->marks[p->step];
  if (!cuda_program_good(p, p->driver->event_record(mark->begin, stream_of(p)), "starting the clock",
                         err)) return false;
  int answer = s->kind == PROGRAM_LAUNCH ? launch(p) : s->kind == PROGRAM_COPY ? copy(p) : set(p);
  return cuda_program_good(p, answer, "starting it", err) &&
         cuda_program_good(p, p->driver->event_record(mark->end, stream_of(p)), "stopping the clock", err);
}

static bool on_host(CudaProgram *p, LsErr *err) {
  const ProgramStep *s = step_at(p);
  switch (s->kind) {
  case PROGRAM_COPY: return cuda_program_good(p, copy(p), "copying", err);
  case PROGRAM_HOST: return host_works(p, err);
  case PROGRAM_SYNC: return cuda_program_good(p, wait_for(p), "waiting", err);
  case PROGRAM_FREE: return cuda_program_good(p, p->driver->synchronize(), "waiting", err);
  case PROGRAM_RECORD:
    return cuda_program_good(p, p->driver->event_record(p->events[s->event], stream_of(p)), "recording the event", err);
  case PROGRAM_WAIT:
    return cuda_program_good(p, p->driver->stream_wait(stream_of(p), p->events[s->event], 0), "making a stream wait",
                             err);
  default: return true;   // reads and writes of the host are of no length
  }
}

bool cuda_program_step(CudaProgram *p, LsErr *err) {
  ProgramTime *t = &p->times[p->step];
  const ProgramStep *s = step_at(p);
  bool device = p->marks[p->step].begin != NULL;
  *t = (ProgramTime){.issued = cuda_program_now(p), .waited_for = -1, .row = program_time_row(s)};
  if (!(device ? on_device : on_host)(p, err)) return false;
  double now = cuda_program_now(p);
  p->returned[p->step] = now;
  if (!device) t->begin = t->issued, t->end = now;
  if (s->kind == PROGRAM_FREE || (s->kind == PROGRAM_SYNC && s->sync == PROGRAM_SYNC_DEVICE)) p->over = p->step + 1;
  return true;
}
