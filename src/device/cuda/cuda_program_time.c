// cuda_program_time.c: the times of steps on the device, from events, in the host's nanoseconds.
//
// An event's time is known only against another event's, to half a microsecond (CUDA Driver API, cuEventElapsedTime).
// Some events that the host waits for, while nothing else is under way, say what time it is there; the one that the
// host waited for least is taken. What is left open is then narrowed by what must be so: no step begins before the host
// came to it, and none ends after a wait of the host for it.
#include <math.h>

#include "base/clock.h"
#include "device/cuda/cuda_program_parts.h"

bool cuda_clock_new(CudaProgram *p, LsErr *err) {
  for (int i = 0; i < CUDA_LOOKS_AT_CLOCK; i++)
    if (!driver_good(p->driver, p->driver->event_new(&p->clock.events[i], 0), "making an event", err)) return false;
  return true;
}

void cuda_clock_free(CudaProgram *p) {
  for (int i = 0; i < CUDA_LOOKS_AT_CLOCK; i++)
    if (p->clock.events[i]) p->driver->event_free(p->clock.events[i]);
  p->clock = (CudaClock){0};
}

bool cuda_clock_look(CudaProgram *p, LsErr *err) {
  double least = INFINITY;
  for (int i = 0; i < CUDA_LOOKS_AT_CLOCK; i++) {
    double before = (double)ls_clock_ns();
    if (!driver_good(p->driver, p->driver->event_record(p->clock.events[i], NULL), "reading the clock", err) ||
        !driver_good(p->driver, p->driver->event_wait(p->clock.events[i]), "reading the clock", err))
      return false;
    double waited = (double)ls_clock_ns() - before;
    if (waited >= least) continue;
    least = waited;
    p->clock.best = i;
    p->clock.host_ns = before + waited / 2;
  }
  return true;
}

static bool time_of(const CudaProgram *p, void *event, double *ns, LsErr *err) {
  float milliseconds = 0;
  int result = p->driver->event_elapsed(&milliseconds, p->clock.events[p->clock.best], event);
  *ns = (double)milliseconds * 1e6 + p->clock.host_ns - p->start_ns;
  return driver_good(p->driver, result, "reading the clock", err);
}

// Whether the host had waited for all that is in this stream when this step was done.
static bool waits_for(const HostProgram *program, const ProgramStep *s, int stream) {
  if (s->kind == PROGRAM_FREE || (s->kind == PROGRAM_SYNC && s->sync == PROGRAM_SYNC_DEVICE)) return true;
  bool in_stream = s->stream == stream && (program_blocks(program, s) || (s->kind == PROGRAM_SYNC &&
                                                                          s->sync == PROGRAM_SYNC_STREAM));
  return in_stream && (s->kind != PROGRAM_COPY || s->direction != PROGRAM_H2H);
}

// By how much the device's times may be moved at most, so that no wait of the host ends before what it waited for.
static double latest(const CudaProgram *p) {
  double most = INFINITY;
  for (int stream = 0; stream < p->program->stream_count; stream++) {
    double end = -INFINITY;
    for (int i = 0; i < p->program->step_count; i++) {
      const ProgramStep *s = &p->program->steps[i];
      if (p->marks[i].begin && s->stream == stream) end = p->times[i].end;
      if (waits_for(p->program, s, stream)) most = fmin(most, p->returned[i] - end);
    }
  }
  return most;
}

static double earliest(const CudaProgram *p) {
  double least = -INFINITY;
  for (int i = 0; i < p->program->step_count; i++)
    if (p->marks[i].begin) least = fmax(least, p->times[i].issued - p->times[i].begin);
  return least;
}

static void move(CudaProgram *p) {
  double by = fmax(fmin(0, latest(p)), earliest(p));
  for (int i = 0; i < p->program->step_count; i++) {
    ProgramTime *t = &p->times[i];
    if (!p->marks[i].begin) continue;
    t->begin = fmax(t->begin + by, t->issued);
    t->end = fmax(t->end + by, t->begin);
  }
}

bool cuda_clock_read(CudaProgram *p, LsErr *err) {
  for (int i = 0; i < p->program->step_count; i++) {
    if (!p->marks[i].begin) continue;
    if (!time_of(p, p->marks[i].begin, &p->times[i].begin, err) || !time_of(p, p->marks[i].end, &p->times[i].end,
                                                                            err)) return false;
  }
  move(p);
  return true;
}
