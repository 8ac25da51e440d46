// test_program_bytes.c: programs as bytes: a round trip of every kind of step, and everything that can be wrong with
// them.
#include "base/mem.h"
#include "base/random.h"
#include "check.h"
#include "trace/program_bytes.h"

static ProgramStep *add(HostProgram *p, ProgramKind kind) {
  ProgramStep step;
  program_step_init(&step, kind);
  LS_PUSH(p->steps, p->step_count, p->step_capacity, step);
  return &p->steps[p->step_count - 1];
}

static void add_range(HostProgram *p, ProgramKind kind, uint64_t first, uint64_t count) {
  ProgramStep *s = add(p, kind);
  s->buffer = s->from = 1;
  s->first = first;
  s->count = count;
  s->byte = kind == PROGRAM_SET ? 0xa5 : 0;
}

static void add_launch(HostProgram *p) {
  static const ProgramArg args[] = {
      {.is_buffer = true, .buffer = 1, .first = 3}, {.is_buffer = true, .of_host = true, .buffer = 0},
      {.number = -2.5, .bits = 0xc0200000}, {.is_integer = true, .integer = -7, .number = -7, .bits = 0xfffffff9}};
  ProgramStep *s = add(p, PROGRAM_LAUNCH);
  s->kernel = ls_strdup("k");
  s->stream = 1;
  s->grid[0] = 70000, s->grid[2] = 3;
  s->block[1] = 32;
  s->shared_bytes = 4096;
  s->cooperative = true;
  for (int i = 0; i < LS_COUNT(args); i++) LS_PUSH(s->args, s->arg_count, s->arg_capacity, args[i]);
}

static void example(HostProgram *p) {
  program_init(p);
  p->name = ls_strdup("example");
  for (int i = 0; i < 2; i++) {
    ProgramBuffer buffer = {.contents = {.name = ls_strdup(i ? "y" : "x"), .type = i ? LAUNCH_F64 : LAUNCH_U8,
                                         .count = 100}};
    buffer.host = i ? PROGRAM_PINNED : PROGRAM_PAGEABLE;
    LS_PUSH(p->buffers, p->buffer_count, p->buffer_capacity, buffer);
  }
  ProgramStream stream = {.name = ls_strdup("a"), .priority = -3, .nonblocking = true};
  LS_PUSH(p->streams, p->stream_count, p->stream_capacity, stream);
  int event = program_event(p, "done");
  add_launch(p);
  ProgramStep *copy = add(p, PROGRAM_COPY);
  copy->direction = PROGRAM_D2D, copy->async = true, copy->buffer = 0, copy->from = 1;
  copy->first = 1, copy->from_first = 2, copy->count = 1000;    // past its end: the checks tell it
  add_range(p, PROGRAM_SET, 4, 50);
  ProgramStep *host = add(p, PROGRAM_HOST);
  host->words = ls_strdup("thinks"), host->milliseconds = 1.25, host->function = p->step_count;
  add(p, PROGRAM_RECORD)->event = event;
  add(p, PROGRAM_WAIT)->event = event;
  add(p, PROGRAM_SYNC)->sync = PROGRAM_SYNC_DEVICE;
  add(p, PROGRAM_SYNC)->sync = PROGRAM_SYNC_STREAM;
  ProgramStep *sync = add(p, PROGRAM_SYNC);
  sync->sync = PROGRAM_SYNC_EVENT, sync->event = event;
  add_range(p, PROGRAM_READ, 0, 100);
  add_range(p, PROGRAM_WRITE, 99, 1);
  add_range(p, PROGRAM_FREE, 0, 100);
}

static bool same_arg(const ProgramArg *a, const ProgramArg *b) {
  return a->is_buffer == b->is_buffer && a->buffer == b->buffer && a->first == b->first && a->of_host == b->of_host &&
         a->number == b->number && a->integer == b->integer && a->is_integer == b->is_integer && a->bits == b->bits;
}

static bool same_text(const char *a, const char *b) { return a && b ? strcmp(a, b) == 0 : a == b; }

static bool same_step(const ProgramStep *a, const ProgramStep *b) {
  bool same = a->kind == b->kind && a->stream == b->stream && same_text(a->kernel, b->kernel) &&
      same_text(a->words, b->words) &&
              memcmp(a->grid, b->grid, sizeof a->grid) == 0 && memcmp(a->block, b->block, sizeof a->block) == 0 &&
              a->shared_bytes == b->shared_bytes && a->cooperative == b->cooperative && a->arg_count == b->arg_count &&
              a->direction == b->direction && a->buffer == b->buffer && a->from == b->from && a->first == b->first &&
              a->from_first == b->from_first && a->count == b->count && a->async == b->async && a->byte == b->byte &&
              a->sync == b->sync && a->event == b->event && a->milliseconds == b->milliseconds &&
                  a->function == b->function;
  for (int i = 0; same && i < a->arg_count; i++) same = same_arg(&a->args[i], &b->args[i]);
  return same;
}

static bool read_it(const TraceBytes *bytes, size_t size, HostProgram *p) {
  uint8_t *exact = ls_alloc(size + 1);       // of its size: a sanitizer sees a read behind it
  if (size) memcpy(exact, bytes->data, size);
  TraceCursor cursor = {exact, exact + size, false};
  trace_get_program(&cursor, p);
  bool ok = !cursor.bad && !trace_cursor_left(&cursor);
  free(exact);
  return ok;
}

static void programs_come_back_as_they_went(void) {
  HostProgram sent, got;
  TraceBytes bytes = {0};
  example(&sent);
  trace_put_program(&bytes, &sent);
  CHECK(read_it(&bytes, bytes.size, &got));
  CHECK_STR(got.name, "example");
  CHECK(got.buffer_count == 2 && got.stream_count == 2 && got.event_count == 1 && got.launches == 1);
  CHECK_STR(got.buffers[1].contents.name, "y");
  CHECK(got.buffers[1].contents.type == LAUNCH_F64 && got.buffers[1].contents.count == 100 &&
        got.buffers[1].host == PROGRAM_PINNED);
  CHECK(got.buffers[1].starts_on_host);      // it is settled: the host writes y
  CHECK_STR(got.streams[1].name, "a");
  CHECK(got.streams[1].priority == -3 && got.streams[1].nonblocking);
  CHECK_STR(got.events[0], "done");
  CHECK_INT(got.step_count, sent.step_count);
  for (int i = 0; i < LS_MIN(got.step_count, sent.step_count); i++) {
    if (!same_step(&sent.steps[i], &got.steps[i])) printf("\nstep %d\n", i + 1);
    CHECK(same_step(&sent.steps[i], &got.steps[i]));
  }
  program_fini(&got);
  program_fini(&sent);
  free(bytes.data);
}

static void what_is_cut_is_refused(void) {
  HostProgram sent, got;
  TraceBytes bytes = {0};
  example(&sent);
  trace_put_program(&bytes, &sent);
  for (size_t cut = 0; cut < bytes.size; cut++) {
    CHECK(!read_it(&bytes, cut, &got));
    program_fini(&got);
  }
  program_fini(&sent);
  free(bytes.data);
}

// One thing of the example is spoiled at a time.
static void spoil(HostProgram *p, int how) {
  ProgramStep *launch = &p->steps[0], *copy = &p->steps[1];
  switch (how) {
  case 0: launch->args[0].buffer = 2; break;
  case 1: launch->args[0].first = 101; break;
  case 2: launch->grid[0] = 0; break;
  case 3: launch->block[0] = 1024; break;    // 1024 x 32
  case 4: launch->stream = 2; break;
  case 5: copy->from = 2; break;
  case 6: copy->buffer = 7; break;
  case 7: p->steps[5].event = 1; break;
  case 8: p->steps[3].milliseconds = -1; break;
  case 9: p->steps[2].first = 99; break;     // a set past the end
  case 10: p->steps[4].kind = PROGRAM_READ,
      p->steps[4].buffer = p->steps[4].from = 0; break;   // nobody records the event
  case 11: p->buffers[0].contents.count = 1ull << 40; break;
  case 12: free(launch->kernel), launch->kernel = NULL; break;
  case 13: copy->direction = (ProgramDirection)PROGRAM_DIRECTION_COUNT; break;
  default: p->steps[0].kind = PROGRAM_READ, launch->buffer = 0; break;    // no launch is left
  }
}

static void what_cannot_be_is_refused(void) {
  for (int how = 0; how <= 14; how++) {
    HostProgram sent, got;
    TraceBytes bytes = {0};
    example(&sent);
    spoil(&sent, how);
    trace_put_program(&bytes, &sent);
    bool refused = !read_it(&bytes, bytes.size, &got);
    if (!refused) printf("\nspoiled as %d\n", how);
    CHECK(refused);
    program_fini(&got);
    program_fini(&sent);
    free(bytes.data);
  }
}

static void other_bytes_do_no_harm(void) {
  HostProgram sent, got;
  TraceBytes bytes = {0};
  LsMt random;
  ls_mt_seed(&random, 7);
  example(&sent);
  trace_put_program(&bytes, &sent);
  for (int i = 0; i < 3000; i++) {
    size_t at = ls_mt_u32(&random) % bytes.size;
    uint8_t was = bytes.data[at];
    bytes.data[at] = (uint8_t)ls_mt_u32(&random);
    if (read_it(&bytes, bytes.size, &got)) CHECK(got.launches > 0);
    program_fini(&got);
    bytes.data[at] = was;
  }
  program_fini(&sent);
  free(bytes.data);
}

static const Check checks[] = {
    {"programs come back as they went", programs_come_back_as_they_went},
    {"what is cut is refused", what_is_cut_is_refused},
    {"what cannot be is refused", what_cannot_be_is_refused},
    {"other bytes do no harm", other_bytes_do_no_harm},
};

int main(int argc, char **argv) { return check_main("program bytes", checks, LS_COUNT(checks), argc, argv); }
