// fake_schedule.c: a program over time for the views: four pieces in two streams, a kernel in the default one, and a
// name that is longer than its bar.
#include <stdlib.h>

#include "base/mem.h"
#include "fake_session.h"

enum { PIECES = 4, PIECE_BYTES = 1 << 20 };
static int pieces = PIECES;

static HostProgram program;
static Schedule shown;
static ProgramVariant variant;
static ProgramTime *times;
static ProgramCost *costs;

static ProgramStep *add(ProgramKind kind, int stream) {
  ProgramStep step;
  program_step_init(&step, kind);
  step.stream = stream;
  LS_PUSH(program.steps, program.step_count, program.step_capacity, step);
  return &program.steps[program.step_count - 1];
}

static void copy(ProgramDirection direction, int piece, int stream) {
  ProgramStep *s = add(PROGRAM_COPY, stream);
  s->direction = direction;
  s->buffer = s->from = piece;
  s->count = PIECE_BYTES;
  s->async = true;
}

static void piece(int i, int stream, int kernel_stream) {
  copy(PROGRAM_H2D, i, stream);
  add(PROGRAM_LAUNCH, kernel_stream)->kernel = ls_strdup(i == 2 ? "a_kernel_of_a_long_name_that_is_cut" : "work");
  copy(PROGRAM_D2H, i, stream);
}

static void make_program(void) {
  static const char *const names[] = {"a", "background"};
  program_init(&program);
  program.name = ls_strdup("pipeline");
  for (int i = 0; i < LS_COUNT(names); i++) {
    ProgramStream stream = {.name = ls_strdup(names[i])};
    LS_PUSH(program.streams, program.stream_count, program.stream_capacity, stream);
  }
  for (int i = 0; i < PIECES; i++) {
    ProgramBuffer buffer = {.contents = {.name = ls_format("x%d", i), .type = LAUNCH_U8, .is_buffer = true,
                                         .count = PIECE_BYTES}, .host = i == 3 ? PROGRAM_PAGEABLE : PROGRAM_PINNED};
    LS_PUSH(program.buffers, program.buffer_count, program.buffer_capacity, buffer);
  }
  for (int i = 0; i < pieces; i++) piece(i % PIECES, 1 + i % 2, i == 1 ? 0 : 1 + i % 2);
  add(PROGRAM_HOST, 0)->milliseconds = 0.02;
  program.steps[program.step_count - 1].words = ls_strdup("checks");
  add(PROGRAM_SYNC, 0)->sync = PROGRAM_SYNC_DEVICE;
}

// As app/session/session_schedule.c makes it. It stays until the end of the test program.
const Schedule *ses_schedule(Session *session) {
  static const ProgramCost cost = {400, 264, 20000};
  (void)session;
  if (shown.chart) return &shown;
  make_program();
  program_settle(&program, NULL);
  costs = ls_alloc(sizeof *costs * (size_t)program.launches);
  times = ls_alloc(sizeof *times * (size_t)program.step_count);
  for (int i = 0; i < program.launches; i++) costs[i] = cost;
  program_model_init(&shown.model, NULL);
  shown.usual = shown.model;
  shown.costs = costs;
  program_variant_init(&variant, &program, &shown.model);
  program_model_time(&variant, &shown.model, NULL, costs, times, NULL);
  shown.program = &program;
  shown.times = times;
  shown.chart = program_chart_new(&program, times, 2, costs);
  shown.usual_span = shown.chart->span;
  shown.if_count = program_what_ifs(&program, &shown.model, NULL, costs, shown.ifs);
  return &shown;
}

bool ses_schedule_waits(const Session *session) { return (void)session, false; }
void ses_schedule_play(Session *session) { session->schedule_at.plays = !session->schedule_at.plays; }
void ses_schedule_show_all(Session *session) { session->schedule_at.plays = false; }
bool ses_schedule_change(Session *session, ProgramModelId id, double value) { return (void)session, (void)id,
                                                                             (void)value, false; }

static void __attribute__((destructor)) forget(void) {
  if (!shown.chart) return;
  program_chart_free(shown.chart);
  program_variant_fini(&variant);
  program_fini(&program);
  free(costs);
  free(times);
  shown = (Schedule){0};
}

void fake_schedule_pieces(int count) {
  forget();
  pieces = count;
}
