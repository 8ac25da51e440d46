// program.c: programs: made, named, checked, and told.
#include "launch/program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/mem.h"

const char *program_kind_name(ProgramKind kind) {
  static const char *const names[PROGRAM_KIND_COUNT] = {
      [PROGRAM_LAUNCH] = "launch", [PROGRAM_COPY] = "copy", [PROGRAM_SET] = "set",     [PROGRAM_HOST] = "host",
      [PROGRAM_SYNC] = "sync",     [PROGRAM_RECORD] = "record", [PROGRAM_WAIT] = "wait", [PROGRAM_READ] = "read",
      [PROGRAM_WRITE] = "write",   [PROGRAM_FREE] = "free"};
  return names[kind];
}

void program_init(HostProgram *program) {
  *program = (HostProgram){0};
  ProgramStream first = {.name = ls_strdup("default")};
  LS_PUSH(program->streams, program->stream_count, program->stream_capacity, first);
}

static void step_fini(ProgramStep *step) {
  if (step->kin) free(step->kin->after);
  free(step->kin);
  free(step->kernel);
  free(step->args);
  free(step->words);
}

void program_fini(HostProgram *program) {
  for (int i = 0; i < program->buffer_count; i++) launch_arg_fini(&program->buffers[i].contents);
  for (int i = 0; i < program->symbol_count; i++) launch_arg_fini(&program->symbols[i]);
  for (int i = 0; i < program->stream_count; i++) free(program->streams[i].name);
  for (int i = 0; i < program->event_count; i++) free(program->events[i]);
  for (int i = 0; i < program_all_steps(program); i++) step_fini(&program->steps[i]);
  free(program->buffers);
  free(program->symbols);
  free(program->streams);
  free(program->events);
  free(program->steps);
  free(program->name);
  *program = (HostProgram){0};
}

void program_step_init(ProgramStep *step, ProgramKind kind) {
  *step = (ProgramStep){.kind = kind, .grid = {1, 1, 1}, .block = {1, 1, 1}, .buffer = -1, .from = -1, .event = -1};
}

// ---- names ---------------------------------------------------------------------------------------------------------

int program_buffer(const HostProgram *program, const char *name) {
  for (int i = 0; i < program->buffer_count; i++)
    if (strcmp(program->buffers[i].contents.name, name) == 0) return i;
  return -1;
}

int program_stream(const HostProgram *program, const char *name) {
  for (int i = 0; i < program->stream_count; i++)
    if (strcmp(program->streams[i].name, name) == 0) return i;
  return -1;
}

int program_event(HostProgram *program, const char *name) {
  for (int i = 0; i < program->event_count; i++)
    if (strcmp(program->events[i], name) == 0) return i;
  LS_PUSH(program->events, program->event_count, program->event_capacity, ls_strdup(name));
  return program->event_count - 1;
}

int program_launch_number(const HostProgram *program, int step) {
  int number = 0;
  if (step >= program->step_count) return program->launches + 1 + step - program->step_count;
  for (int i = 0; i <= step && i < program->step_count; i++) number += program->steps[i].kind == PROGRAM_LAUNCH;
  return number;
}

int program_launch_step(const HostProgram *program, int number) {
  int child = number - program->launches - 1;
  if (child >= 0) return child < program->child_count ? program->step_count + child : -1;
  for (int i = 0; i < program->step_count; i++)
    if (program->steps[i].kind == PROGRAM_LAUNCH && --number == 0) return i;
  return -1;
}

void program_add_child(HostProgram *program, const ProgramStep *step) {
  int count = program_all_steps(program);
  LS_PUSH(program->steps, count, program->step_capacity, *step);
  program->child_count++;
}

int *program_in_order(const HostProgram *program) {
  int all = program_all_steps(program), child = program->step_count, at = 0;
  int *order = ls_alloc(sizeof *order * (size_t)(all + 1)), *root = ls_alloc(sizeof *root * (size_t)(all + 1));
  for (int i = child; i < all; i++) {
    int parent = program->steps[i].kin->parent;
    root[i] = parent < program->step_count ? parent : root[parent];
  }
  for (int i = 0; i < program->step_count; i++) {
    order[at++] = i;
    while (child < all && root[child] == i) order[at++] = child++;
  }
  free(root);
  return order;
}

// ---- words ---------------------------------------------------------------------------------------------------------

static void add_dims(const uint32_t dims[3], LsText *out) {
  int count = dims[2] > 1 ? 3 : dims[1] > 1 ? 2 : 1;
  for (int i = 0; i < count; i++) ls_text_addf(out, "%s%u", i ? "x" : "", dims[i]);
}

static const char *buffer_name(const HostProgram *program, int buffer) {
    return program->buffers[buffer].contents.name; }

static void copy_words(const HostProgram *program, const ProgramStep *s, LsText *out) {
  static const char *const ways[] = {"copy %s to the device", "copy %s back to the host", "copy %s to %s on the device",
                                     "copy %s to %s on the host"};
  const char *to = buffer_name(program, s->buffer), *from = buffer_name(program, s->from);
  const char *way = ways[s->direction];
  const char *first = strstr(way, "%s");
  ls_text_addf(out, "%.*s%s", (int)(first - way), way, from);
  const char *rest = first + 2, *second = strstr(rest, "%s");
  if (second) ls_text_addf(out, "%.*s%s%s", (int)(second - rest), rest, to, second + 2);
  else ls_text_add(out, rest);
}

static void sync_words(const HostProgram *program, const ProgramStep *s, LsText *out) {
  if (s->sync == PROGRAM_SYNC_DEVICE) ls_text_add(out, "wait for the device");
  else if (s->sync == PROGRAM_SYNC_STREAM) ls_text_addf(out, "wait for stream %s", program->streams[s->stream].name);
  else ls_text_addf(out, "wait for event %s", program->events[s->event]);
}

void program_launch_name(const HostProgram *program, int step, LsText *out) {
  const ProgramKin *kin = program->steps[step].kin;
  if (!kin) {
    ls_text_addf(out, "%d", program_launch_number(program, step));
    return;
  }
  program_launch_name(program, kin->parent, out);
  ls_text_addf(out, ".%d", kin->number);
}

static void child_words(const HostProgram *program, int step, LsText *out) {
  static const char *const streams[] = {"", ", in the tail stream", ", fire and forget", ", in a stream of its own"};
  const ProgramStep *s = &program->steps[step];
  ls_text_add(out, "launch ");
  program_launch_name(program, step, out);
  ls_text_addf(out, ", %s<<<", s->kernel);
  add_dims(s->grid, out);
  ls_text_add(out, ", ");
  add_dims(s->block, out);
  ls_text_addf(out, ">>>%s", streams[s->kin->stream]);
}

void program_step_words(const HostProgram *program, int step, LsText *out) {
  const ProgramStep *s = &program->steps[step];
  bool in_stream = program_is_on_device(s) && s->stream > 0;
  if (s->kin) {
    child_words(program, step, out);
    return;
  }
  switch (s->kind) {
  case PROGRAM_LAUNCH:
    ls_text_addf(out, "launch %s<<<", s->kernel);
    add_dims(s->grid, out);
    ls_text_add(out, ", ");
    add_dims(s->block, out);
    ls_text_add(out, ">>>");
    break;
  case PROGRAM_COPY: copy_words(program, s, out); break;
  case PROGRAM_SET: ls_text_addf(out, "set %s to bytes of %u", buffer_name(program, s->buffer), s->byte); break;
  case PROGRAM_HOST: ls_text_addf(out, "host: %s", s->words ? s->words : "works"); break;
  case PROGRAM_SYNC: sync_words(program, s, out); break;
  case PROGRAM_RECORD: ls_text_addf(out, "record event %s", program->events[s->event]); break;
  case PROGRAM_WAIT: ls_text_addf(out, "stream %s waits for event %s", program->streams[s->stream].name,
                                  program->events[s->event]); break;
  case PROGRAM_READ: ls_text_addf(out, "the host reads %s", buffer_name(program, s->buffer)); break;
  case PROGRAM_WRITE: ls_text_addf(out, "the host writes %s", buffer_name(program, s->buffer)); break;
  case PROGRAM_FREE: ls_text_addf(out, "free %s", buffer_name(program, s->buffer)); break;
  case PROGRAM_KIND_COUNT: break;
  }
  if (in_stream) ls_text_addf(out, " in stream %s", program->streams[s->stream].name);
}

// ---- checks --------------------------------------------------------------------------------------------------------

static bool step_fails(const HostProgram *program, int step, LsErr *err, const char *problem) {
  LsText words = {0};
  program_step_words(program, step, &words);
  ls_fail(err, LS_EREQUEST, "step %d (%s): %s", step + 1, ls_text_str(&words), problem);
  ls_text_free(&words);
  return false;
}

static bool range_fits(const HostProgram *program, int step, int buffer, uint64_t first, uint64_t count, LsErr *err) {
  const LaunchArg *b = &program->buffers[buffer].contents;
  char problem[160];
  if (first <= b->count && count <= b->count - first) return true;
  snprintf(problem, sizeof problem, "elements %llu to %llu of '%.60s', which has %llu", (unsigned long long)first,
           (unsigned long long)(first + count - 1), b->name, (unsigned long long)b->count);
  return step_fails(program, step, err, problem);
}

// A wait in a stream, or of the host, for an event that nobody records before goes on at once in CUDA: never what
// was meant.
static bool event_is_recorded(const HostProgram *program, int step, LsErr *err) {
  int event = program->steps[step].event;
  char problem[200];
  int later = -1;
  for (int i = 0; i < program->step_count; i++) {
    if (program->steps[i].kind != PROGRAM_RECORD || program->steps[i].event != event) continue;
    if (i < step) return true;
    later = i;
  }
  if (later < 0)
    snprintf(problem, sizeof problem, "no step records the event '%.60s': a wait for it waits for nothing",
             program->events[event]);
  else
    snprintf(problem, sizeof problem,
             "the event '%.60s' is first recorded in step %d: a wait for it before that waits for "
             "nothing", program->events[event], later + 1);
  return step_fails(program, step, err, problem);
}

// Bounds of copies are the emulated program's own business (bad_copy) where the recipe says how many; here only
// sizes are.
static bool step_fits(const HostProgram *program, int step, LsErr *err) {
  const ProgramStep *s = &program->steps[step];
  bool waits = s->kind == PROGRAM_WAIT || (s->kind == PROGRAM_SYNC && s->sync == PROGRAM_SYNC_EVENT);
  if (waits) return event_is_recorded(program, step, err);
  if (s->kind == PROGRAM_READ || s->kind == PROGRAM_WRITE || s->kind == PROGRAM_SET)
    return range_fits(program, step, s->buffer, s->first, s->count, err);
  for (int i = 0; s->kind == PROGRAM_LAUNCH && i < s->arg_count; i++)
    if (s->args[i].is_buffer && !range_fits(program, step, s->args[i].buffer, s->args[i].first, 0, err)) return false;
  return true;
}

// A buffer that is copied to the device begins on the host; any other one has its contents on the device at once.
static void find_starts(HostProgram *program) {
  for (int i = 0; i < program->step_count; i++) {
    const ProgramStep *s = &program->steps[i];
    if (s->kind == PROGRAM_COPY && (s->direction == PROGRAM_H2D || s->direction == PROGRAM_H2H))
      program->buffers[s->from].starts_on_host = true;
    if (s->kind == PROGRAM_WRITE) program->buffers[s->buffer].starts_on_host = true;
  }
  for (int i = 0; i < program->buffer_count; i++)
    if (program->buffers[i].host == PROGRAM_MANAGED || program->buffers[i].host == PROGRAM_DEVICE_ONLY)
      program->buffers[i].starts_on_host = false;
}

bool program_settle(HostProgram *program, LsErr *err) {
  if (!program->step_count) return ls_fail(err, LS_EREQUEST, "the program has no steps");
  program->launches = 0;
  for (int i = 0; i < program->step_count; i++) {
    program->launches += program->steps[i].kind == PROGRAM_LAUNCH;
    if (!step_fits(program, i, err)) return false;
  }
  if (!program->launches) return ls_fail(err, LS_EREQUEST, "the program launches no kernel");
  find_starts(program);
  return true;
}

ProgramRange program_range(const HostProgram *program, const ProgramStep *s) {
  const ProgramBuffer *to = &program->buffers[s->buffer], *from = &program->buffers[s->from];
  uint64_t from_elem = (uint64_t)launch_type_size(from->contents.type);
  uint64_t room = program_buffer_bytes(to), from_room = program_buffer_bytes(from);
  ProgramRange r = {.at = LS_MIN(s->first * (uint64_t)launch_type_size(to->contents.type), room)};
  r.from_at = s->kind == PROGRAM_COPY ? LS_MIN(s->from_first * from_elem, from_room) : r.at;
  r.size = LS_MIN(s->count * from_elem, LS_MIN(room - r.at, from_room - r.from_at));
  return r;
}

bool program_blocks(const HostProgram *program, const ProgramStep *s) {
  if (s->kind != PROGRAM_COPY) return false;
  if (s->direction == PROGRAM_H2H) return true;
  if (s->direction == PROGRAM_D2D) return false;   // between places of the device, the host goes on
  int host_side = s->direction == PROGRAM_H2D ? s->from : s->buffer;
  return !s->async || program->buffers[host_side].host == PROGRAM_PAGEABLE;
}
