// program_path.c: the critical path, from the last end back; and the rule by which one step waits for another.
#include "model/program_path.h"

#include <stdlib.h>

#include "base/mem.h"

// ---- the path ------------------------------------------------------------------------------------------------------

// Where the way back stands: in a step on the device, or in the host, who has just come to `step`.
typedef struct Walk {
  const HostProgram *program; const ProgramTime *times;
  int step; bool in_host; double until;
} Walk;

static const ProgramStep *step_of(const Walk *w) { return &w->program->steps[w->step]; }

// Of several that end last one on the device, which says more than the host's wait for it.
static int last_step(const HostProgram *program, const ProgramTime *times) {
  int last = -1;
  for (int i = 0; i < program->step_count; i++) {
    bool more = last < 0 || times[i].end > times[last].end;
    bool same = last >= 0 && times[i].end == times[last].end && program_is_on_device(&program->steps[i]);
    if (times[i].end >= 0 && (more || same)) last = i;
  }
  return last;
}

static void add_part(ProgramPath *path, const Walk *w, double begin, bool of_host) {
  ProgramPathPart part = {w->step, begin, w->until, of_host};
  if (part.end > part.begin) LS_PUSH(path->parts, path->count, path->capacity, part);
}

static void go_to(Walk *w, int step, bool in_host, double until) {
  w->step = step;
  w->in_host = in_host;
  w->until = LS_MIN(w->until, until);
}

// From a step on the device to what it waited for: room, another step, or the host.
static void leave_device(ProgramPath *path, Walk *w) {
  const ProgramTime *t = &w->times[w->step];
  const ProgramKin *kin = step_of(w)->kin;
  if (t->last_child >= 0 && t->over < w->until) {   // its own blocks are long over
    go_to(w, t->last_child, false, w->times[t->last_child].end);
    return;
  }
  if (t->room_from >= 0 && t->runs > t->begin && t->runs < w->until) {
    add_part(path, w, t->runs, false);
    go_to(w, t->room_from, false, t->runs);
    return;
  }
  add_part(path, w, LS_MIN(t->begin, w->until), false);
  if (t->waited_for >= 0) go_to(w, t->waited_for, false, t->begin);
  else if (kin) go_to(w, kin->parent, false, LS_MIN(t->begin, w->times[kin->parent].over));
  else go_to(w, w->step, true, t->begin);
}

// The host came to the step from the one before it: by a call, by its own work, or by waiting for the device.
static void leave_host(ProgramPath *path, Walk *w) {
  if (--w->step < 0) return;
  const ProgramTime *t = &w->times[w->step];
  bool blocked = program_blocks(w->program, step_of(w)) && program_is_on_device(step_of(w));
  if (blocked) {
    go_to(w, w->step, false, t->end);
  } else if (!program_is_on_device(step_of(w)) && t->waited_for >= 0) {
    go_to(w, t->waited_for, false, w->times[t->waited_for].end);
  } else {
    add_part(path, w, LS_MIN(t->issued, w->until), true);
    w->until = LS_MIN(w->until, t->issued);
  }
}

void program_path_init(ProgramPath *path, const HostProgram *program, const ProgramTime *times) {
  Walk w = {program, times, last_step(program, times), false, 0};
  *path = (ProgramPath){0};
  if (w.step < 0) return;
  w.until = times[w.step].end;
  if (!program_is_on_device(step_of(&w))) w.in_host = true, w.step++;
  for (int64_t left = 4 * (int64_t)program_all_steps(program) + 4; left && w.step >= 0 && w.until > 0; left--) {
    if (w.in_host || !program_is_on_device(step_of(&w))) leave_host(path, &w);
    else leave_device(path, &w);
  }
}

void program_path_fini(ProgramPath *path) {
  free(path->parts);
  *path = (ProgramPath){0};
}

// ---- why -----------------------------------------------------------------------------------------------------------

// The event by which the stream of `step` waits for what is in another stream up to `before`; -1.
static int event_between(const HostProgram *program, int before, int step) {
  int stream = program->steps[step].stream, from = program->steps[before].stream;
  for (int i = step - 1; i > before; i--) {
    const ProgramStep *wait = &program->steps[i];
    if (wait->kind != PROGRAM_WAIT || wait->stream != stream) continue;
    int record = i - 1;
    while (record > before && !(program->steps[record].kind == PROGRAM_RECORD &&
                                program->steps[record].event == wait->event))
      record--;
    if (record > before && program->steps[record].stream == from) return wait->event;
  }
  return -1;
}

static bool is_walled(const HostProgram *program, ProgramRules rules, int a, int b) {
  int x = program->steps[a].stream, y = program->steps[b].stream;
  bool one_default = (x == 0) != (y == 0);
  return !rules.default_per_thread && one_default && !program->streams[LS_MAX(x, y)].nonblocking;
}

// Of a launch by a kernel.
static ProgramWhy why_child(const ProgramKin *kin, const ProgramKin *before, int step) {
  if (!before || before->parent != kin->parent) return WHY_KERNELS;
  for (int i = 0; i < kin->after_count; i++)
    if (kin->after[i] == step) return before->stream == kin->stream ? WHY_STREAM : WHY_DEVICE_EVENT;
  return kin->stream == PROGRAM_KIN_TAIL ? WHY_TAIL : WHY_KERNELS;
}

ProgramWhy program_why(const HostProgram *program, ProgramRules rules, const ProgramTime *times, int step, int *event) {
  int before = times[step].waited_for;
  const ProgramStep *s = &program->steps[step], *b = &program->steps[before];
  *event = -1;
  if (s->kin) return why_child(s->kin, b->kin, before);
  if (!program_is_on_device(s)) return WHY_HOST;
  if (s->stream == b->stream) return WHY_STREAM;
  *event = event_between(program, before, step);
  if (*event >= 0) return WHY_EVENT;
  if (is_walled(program, rules, before, step)) return WHY_DEFAULT;
  if (s->kind == PROGRAM_COPY && b->kind == PROGRAM_COPY) return WHY_ENGINE;
  return rules.single_queue ? WHY_QUEUE : WHY_KERNELS;
}

void program_why_words(const HostProgram *program, ProgramRules rules, const ProgramTime *times, int step,
                       LsText *out) {
  static const char *const words[] = {
      [WHY_STREAM] = ", before it in its stream", [WHY_EVENT] = ", by event ",
      [WHY_DEFAULT] = ", as the default stream is a wall", [WHY_ENGINE] = ", which has the copy engine",
      [WHY_QUEUE] = ", before it in the one queue", [WHY_KERNELS] = ", as no more kernels run at once", [WHY_HOST] = "",
      [WHY_TAIL] = ", as the tail stream is behind all other children",
      [WHY_DEVICE_EVENT] = ", by an event of its block",
  };
  int event;
  if (times[step].waited_for < 0) return;
  ProgramWhy why = program_why(program, rules, times, step, &event);
  program_step_words(program, times[step].waited_for, out);
  ls_text_add(out, words[why]);
  if (why == WHY_EVENT) ls_text_add(out, program->events[event]);
}
