// test_program_chart.c: the timeline of a program: rows, idle time, the critical path, why a step waits, and the model
// that may be changed. The numbers are those of the lectures' exercises, in milliseconds.
//
//   four pieces, each 1 in, 2 of a kernel, 1 out:   one stream 16, four streams 10, a kernel in the default stream 12
#include <math.h>
#include <time.h>

#include "base/mem.h"
#include "check.h"
#include "model/program_chart.h"
#include "model/program_path.h"
#include "model/program_what_if.h"

enum { PIECES = 4, MS = 1000000, PIECE_BYTES = 1000 };

static LsErr err;
// A piece takes a millisecond across the link; nothing else takes time.
static const ProgramModel plain = {{[PROGRAM_MODEL_LINK] = 1e-3, [PROGRAM_MODEL_PAGEABLE] = 1e-3,
                                    [PROGRAM_MODEL_KERNEL] = 1,
                                    [PROGRAM_MODEL_ENGINES] = 2, [PROGRAM_MODEL_AT_ONCE] = 128}};

static void begin(HostProgram *p, int streams, ProgramHost host) {
  program_init(p);
  for (int i = 0; i < streams; i++) {
    ProgramStream stream = {.name = ls_format("s%d", i)};
    LS_PUSH(p->streams, p->stream_count, p->stream_capacity, stream);
  }
  for (int i = 0; i < PIECES; i++) {
    ProgramBuffer buffer = {.contents = {.name = ls_format("x%d", i), .type = LAUNCH_U8, .is_buffer = true,
                                         .count = PIECE_BYTES}, .host = host};
    LS_PUSH(p->buffers, p->buffer_count, p->buffer_capacity, buffer);
  }
}

static ProgramStep *add(HostProgram *p, ProgramKind kind, int stream) {
  ProgramStep step;
  program_step_init(&step, kind);
  step.stream = stream;
  LS_PUSH(p->steps, p->step_count, p->step_capacity, step);
  return &p->steps[p->step_count - 1];
}

static void copy(HostProgram *p, ProgramDirection direction, int piece, int stream) {
  ProgramStep *s = add(p, PROGRAM_COPY, stream);
  s->direction = direction;
  s->buffer = s->from = piece;
  s->count = PIECE_BYTES;
  s->async = true;
}

static void kernel(HostProgram *p, int stream) { add(p, PROGRAM_LAUNCH, stream)->kernel = ls_strdup("work"); }

static void event(HostProgram *p, ProgramKind kind, const char *name, int stream) {
  int number = program_event(p, name);
  add(p, kind, stream)->event = number;
}

// Piece by piece; slip: the piece whose kernel is in the default stream, -1: none; PIECES: all.
static void pipeline(HostProgram *p, int streams, int slip) {
  begin(p, streams, PROGRAM_PINNED);
  for (int i = 0; i < PIECES; i++) {
    int stream = 1 + i % streams;
    copy(p, PROGRAM_H2D, i, stream);
    kernel(p, slip == i || slip == PIECES ? 0 : stream);
    copy(p, PROGRAM_D2H, i, stream);
  }
}

// Times, and what kernels cost, for the tests that look at them: the last program that was timed.
static ProgramTime times[64];
static ProgramCost costs[16];

static double span(HostProgram *p, const ProgramModel *model, ProgramCost cost) {
  ProgramVariant variant;
  CHECK(program_settle(p, &err));
  for (int i = 0; i < LS_COUNT(costs); i++) costs[i] = cost;
  program_variant_init(&variant, p, model);
  CHECK(program_model_time(&variant, model, NULL, costs, times, &err));
  double end = program_time_end(&variant.program, times) / MS;
  program_variant_fini(&variant);
  return end;
}

static const ProgramCost fills = {8, 8, 2 * MS};      // all of the device for two milliseconds
static const ProgramCost quarter = {2, 8, 2 * MS};

// ---- the lectures' numbers ------------------------------------------------------------------------------------------

static void four_pieces(void) {
  HostProgram p;
  pipeline(&p, 1, -1);
  CHECK(span(&p, &plain, fills) == 16);
  program_fini(&p);
  pipeline(&p, 4, -1);
  CHECK(span(&p, &plain, fills) == 10);
  ProgramModel one = plain;
  one.value[PROGRAM_MODEL_STREAMS] = 1;                // the same program, folded into one stream
  CHECK(span(&p, &one, fills) == 16);
  program_fini(&p);
  pipeline(&p, 4, 1);                                  // the second piece's kernel slips
  CHECK(span(&p, &plain, fills) == 12);
  ProgramModel thread = plain;
  thread.value[PROGRAM_MODEL_DEFAULT] = 1;             // without the wall nothing orders it behind its copy
  CHECK(span(&p, &thread, fills) < 12);
  program_fini(&p);
}

// Stream 1: K1, K2; stream 2: K3, K4; each half of the places for two seconds.
static void next_in_line(void) {
  HostProgram p;
  const ProgramCost half = {4, 8, 2 * MS};
  ProgramModel old = plain;
  old.value[PROGRAM_MODEL_QUEUE] = 1;
  begin(&p, 2, PROGRAM_PINNED);
  kernel(&p, 1), kernel(&p, 1), kernel(&p, 2), kernel(&p, 2);
  CHECK(span(&p, &plain, half) == 4);
  CHECK(span(&p, &old, half) == 6);
  program_fini(&p);
}

// 8 places, 24 blocks of 3 ms; at 1 ms a kernel of 8 blocks of 1 ms: done at 4 with the higher priority, at 10 without.
static void in_front_of_the_queue(void) {
  const ProgramCost both[] = {{24, 8, 3 * MS}, {8, 8, 1 * MS}};
  for (int urgent = 0; urgent < 2; urgent++) {
    HostProgram p;
    LsErr none;
    begin(&p, 2, PROGRAM_PINNED);
    p.streams[2].priority = -urgent;
    kernel(&p, 1);
    add(&p, PROGRAM_HOST, 0)->milliseconds = 1;
    kernel(&p, 2);
    ProgramRates rates = program_model_rates(&plain, NULL);
    CHECK(program_time(&p, (ProgramRules){0}, &rates, both, times, &none));
    CHECK(times[2].end == (urgent ? 4 : 10) * MS);
    CHECK(times[2].begin == 1 * MS && times[2].runs == (urgent ? 3 : 9) * MS && times[2].room_from == 0);
    program_fini(&p);
  }
}

// A cooperative grid begins when all of it has room, any other one as soon as one block has.
static void as_a_whole(void) {
  const ProgramCost both[] = {{6, 8, 3 * MS}, {4, 8, 1 * MS}};
  for (int cooperative = 0; cooperative < 2; cooperative++) {
    HostProgram p;
    begin(&p, 2, PROGRAM_PINNED);
    kernel(&p, 1), kernel(&p, 2);
    p.steps[1].cooperative = cooperative;
    ProgramRates rates = program_model_rates(&plain, NULL);
    CHECK(program_time(&p, (ProgramRules){0}, &rates, both, times, &err));
    CHECK(times[1].runs == (cooperative ? 3 : 0) * MS && times[1].end == (cooperative ? 4 : 2) * MS);
    program_fini(&p);
  }
}

// An asynchronous copy of pageable memory is staged: the host waits, and the copy has another rate.
static void staged(void) {
  HostProgram p;
  ProgramModel slow = plain;
  slow.value[PROGRAM_MODEL_PAGEABLE] = 5e-4;
  pipeline(&p, 4, -1);
  CHECK(span(&p, &slow, quarter) == 7);                // 1 + 2 + 4 x 1: the copies in and out overlap with kernels
  slow.value[PROGRAM_MODEL_MEMORY] = 2;
  CHECK(span(&p, &slow, quarter) == 4 * (2 + 2 + 2));  // one after the other, twice as slow
  CHECK(times[1].issued == 2 * MS);
  program_fini(&p);
}

// ---- the chart ------------------------------------------------------------------------------------------------------

static ProgramChart *chart_of(HostProgram *p, int streams, int slip, int engines) {
  ProgramModel model = plain;
  model.value[PROGRAM_MODEL_ENGINES] = engines;
  pipeline(p, streams, slip);
  span(p, &model, fills);
  return program_chart_new(p, times, engines, costs);
}

static void rows_and_idle_time(void) {
  HostProgram p;
  ProgramChart *chart = chart_of(&p, 4, -1, 2);
  static const ProgramChartKind kinds[] = {CHART_HOST, CHART_TO_DEVICE, CHART_STREAM, CHART_STREAM, CHART_STREAM,
                                           CHART_STREAM,
                                           CHART_TO_HOST, CHART_PATH};
  CHECK_INT(chart->row_count, LS_COUNT(kinds));
  for (int i = 0; i < LS_COUNT(kinds); i++) CHECK_INT(chart->rows[i].kind, kinds[i]);
  CHECK(chart->span == 10 * MS && chart->device_idle == 0);
  CHECK(chart->rows[1].busy == 4 * MS && chart->rows[2].busy == 4 * MS && chart->rows[6].busy == 4 * MS);
  CHECK_STR(chart->rows[2].name, "s0");
  CHECK_INT(chart->rows[0].count, 0);                  // the host's calls take no time here
  CHECK(program_chart_busy(&chart->rows[1], 0.5 * MS, 2.5 * MS) == 2 * MS);
  CHECK(program_chart_use(chart, 0, 1 * MS) == 0 && program_chart_use(chart, 1 * MS, 9 * MS) == 1);
  CHECK(fabs(program_chart_use(chart, 0, 2 * MS) - 0.5) < 1e-9);
  program_chart_free(chart);
  program_fini(&p);
  chart = chart_of(&p, 1, -1, 1);                      // one engine for both ways has one row
  CHECK_INT(chart->row_count, 4);
  CHECK(chart->rows[1].busy == 8 * MS && chart->rows[2].busy == 16 * MS);
  program_chart_free(chart);
  program_fini(&p);
}

// At any time the bar that is found is the one that runs, or the next.
static void bars_are_found(void) {
  HostProgram p;
  ProgramChart *chart = chart_of(&p, 2, -1, 2);
  for (int r = 0; r < chart->row_count; r++)
    for (double t = -0.25 * MS; t < chart->span + MS; t += 0.25 * MS) {
      const ProgramChartRow *row = &chart->rows[r];
      int at = program_chart_find(row, t);
      CHECK(at == row->count || row->bars[at].end > t);
      CHECK(at == 0 || row->bars[at - 1].end <= t);
    }
  for (int i = 0; i < p.step_count; i++) {
    int home = program_chart_home(chart, &p, i), bar = program_chart_bar(chart, home, i, times);
    CHECK(bar >= 0 && chart->rows[home].bars[bar].step == i);
  }
  program_chart_free(chart);
  program_fini(&p);
}

// The path goes from the beginning to the end without a gap.
static void the_path_has_no_gaps(void) {
  for (int streams = 1; streams <= 4; streams++)
    for (int slip = -1; slip <= PIECES; slip++) {
      HostProgram p;
      ProgramChart *chart = chart_of(&p, streams, slip, 2);
      const ProgramChartRow *path = program_chart_path(chart);
      double reached = 0;
      for (int i = 0; path && i < path->count; i++) {
        CHECK(path->bars[i].begin == reached);
        reached = path->bars[i].end;
      }
      CHECK(path && reached == chart->span);
      program_chart_free(chart);
      program_fini(&p);
    }
}

// Kernels are what counts where each fills the device: one copy in, four kernels, one copy out.
static void the_path_says_what_counts(void) {
  HostProgram p;
  ProgramChart *chart = chart_of(&p, 4, -1, 2);
  const ProgramChartRow *path = program_chart_path(chart);
  int launches = 0;
  for (int i = 0; i < path->count; i++) launches += p.steps[path->bars[i].step].kind == PROGRAM_LAUNCH;
  CHECK_INT(path->count, 6);
  CHECK_INT(launches, 4);
  CHECK(program_chart_on_path(chart, 0, 0, 1 * MS) && !program_chart_on_path(chart, 3, 1 * MS, 2 * MS));
  program_chart_free(chart);
  program_fini(&p);
}

// ---- why ------------------------------------------------------------------------------------------------------------

static void why_is(const HostProgram *p, ProgramRules rules, int step, const char *expected) {
  LsText words = {0};
  program_why_words(p, rules, times, step, &words);
  CHECK_STR(ls_text_str(&words), expected);
  ls_text_free(&words);
}

static void why_a_step_waits(void) {
  HostProgram p;
  pipeline(&p, 4, 1);
  span(&p, &plain, fills);
  why_is(&p, (ProgramRules){0}, 0, "");
  why_is(&p, (ProgramRules){0}, 1, "copy x0 to the device in stream s0, before it in its stream");
  why_is(&p, (ProgramRules){0}, 3, "copy x0 to the device in stream s0, which has the copy engine");
  why_is(&p, (ProgramRules){0}, 4, "copy x0 back to the host in stream s0, as the default stream is a wall");
  program_fini(&p);
  begin(&p, 2, PROGRAM_PINNED);
  kernel(&p, 1), event(&p, PROGRAM_RECORD, "parts done", 1), event(&p, PROGRAM_WAIT, "parts done", 2);
  copy(&p, PROGRAM_D2H, 0, 2);
  add(&p, PROGRAM_SYNC, 0)->sync = PROGRAM_SYNC_DEVICE;
  span(&p, &plain, fills);
  why_is(&p, (ProgramRules){0}, 3, "launch work<<<1, 1>>> in stream s0, by event parts done");
  why_is(&p, (ProgramRules){0}, 4, "copy x0 back to the host in stream s1");
  program_fini(&p);
  begin(&p, 2, PROGRAM_PINNED);
  kernel(&p, 1), kernel(&p, 1), kernel(&p, 2);
  ProgramModel old = plain;
  old.value[PROGRAM_MODEL_QUEUE] = 1;
  span(&p, &old, quarter);
  why_is(&p, program_model_rules(&old), 2, "launch work<<<1, 1>>> in stream s0, before it in the one queue");
  program_fini(&p);
}

// ---- the model ------------------------------------------------------------------------------------------------------

static void refused(const char *text, const char *words) {
  ProgramModelChange change = {0};
  CHECK(!program_model_read(&change, text, &err) && err.kind == LS_EREQUEST && strstr(err.message, words));
  for (int i = 0; i < PROGRAM_MODEL_COUNT; i++) CHECK(!change.given[i]);
}

static void the_model_is_read(void) {
  ProgramModelChange change = {0};
  ProgramModel model = plain;
  LsText words = {0};
  CHECK(program_model_read(&change, "link=110", &err) && program_model_read(&change, "memory=pinned", &err));
  CHECK(program_model_read(&change, "latency=2.5", &err) && program_model_read(&change, "default-stream=per-thread",
                                                                               &err));
  program_model_change(&model, &change);
  CHECK(model.value[PROGRAM_MODEL_LINK] == 110 && model.value[PROGRAM_MODEL_MEMORY] == 1);
  CHECK(program_model_rules(&model).default_per_thread && !program_model_rules(&model).single_queue);
  CHECK(program_model_rates(&model, NULL).link_ns == 2500 && program_model_rates(&model, NULL).engines == 2);
  program_model_words(&model, &plain, NULL, &words);
  CHECK_STR(ls_text_str(&words), "link 110 GB/s, latency 2.5 µs, memory pinned, default-stream per-thread");
  ls_text_free(&words);
  refused("link", "KEY=VALUE");
  refused("speed=3", "it has link, pageable, latency");
  refused("link=fast", "number from 0.01 to 10000 GB/s");
  refused("link=", "number from");
  refused("link=nan", "number from");
  refused("engines=1.5", "whole number from 1 to 2");
  refused("memory=fast", "program pinned pageable");
}

static void sliders_stay_in_range(void) {
  for (int id = 0; id < PROGRAM_MODEL_COUNT; id++)
    for (int direction = -1; direction <= 1; direction += 2) {
      const ProgramModelDef *def = program_model_def((ProgramModelId)id);
      double value = def->least;
      for (int i = 0; i < 200; i++) {
        value = program_model_turn((ProgramModelId)id, value, direction);
        CHECK(value >= def->least && value <= def->most);
      }
      CHECK(value == (direction > 0 ? def->most : def->least));
    }
}

static void what_if(void) {
  HostProgram p;
  ProgramWhatIf ifs[PROGRAM_WHAT_IFS];
  pipeline(&p, 4, -1);
  span(&p, &plain, fills);
  static const struct { const char *words; double ms; } expected[] = {
      {"one stream", 16}, {"kernels twice as fast", 6}, {"link twice as fast", 9}};
  int count = program_what_ifs(&p, &plain, NULL, costs, ifs), found = 0;
  for (int i = 0; i < count; i++)
    for (int k = 0; k < LS_COUNT(expected); k++)
      found += strcmp(ifs[i].words, expected[k].words) == 0 && ifs[i].span == expected[k].ms * MS;
  CHECK_INT(found, 3);
  program_fini(&p);
}

// ---- many -----------------------------------------------------------------------------------------------------------

// A hundred thousand steps: made in the time of a blink, found at once.
static void many_steps(void) {
  enum { STEPS = 100000, STREAMS = 4, LOOKS = 100000 };
  HostProgram p;
  begin(&p, STREAMS, PROGRAM_PINNED);
  for (int i = 0; i < STEPS; i++) {
    if (i % 3 == 1) kernel(&p, 1 + i / 3 % STREAMS);
    else copy(&p, i % 3 ? PROGRAM_D2H : PROGRAM_H2D, i % PIECES, 1 + i / 3 % STREAMS);
  }
  CHECK(program_settle(&p, &err));
  ProgramCost *all = ls_alloc(sizeof *all * (size_t)p.launches);
  ProgramTime *when = ls_alloc(sizeof *when * STEPS);
  for (int i = 0; i < p.launches; i++) all[i] = quarter;
  clock_t start = clock();
  ProgramRates rates = program_model_rates(&plain, NULL);
  CHECK(program_time(&p, (ProgramRules){0}, &rates, all, when, &err));
  double timed = (double)(clock() - start) / CLOCKS_PER_SEC;
  start = clock();
  ProgramChart *chart = program_chart_new(&p, when, 2, all);
  double made = (double)(clock() - start) / CLOCKS_PER_SEC;
  start = clock();
  double sum = 0;
  for (int i = 0; i < LOOKS; i++) sum += program_chart_use(chart, chart->span / LOOKS * i,
                                                           chart->span / LOOKS * (i + 1));
  double looked = (double)(clock() - start) / CLOCKS_PER_SEC;
  printf("(%.0f ms timed, %.0f ms charted, %.0f ns a look) ", 1e3 * timed, 1e3 * made, 1e9 * looked / LOOKS);
  CHECK(sum > 0 && timed + made < 2 && looked < 2);
  program_chart_free(chart);
  free(all);
  free(when);
  program_fini(&p);
}

int main(int argc, char **argv) {
  static const Check checks[] = {
      {"four pieces", four_pieces}, {"next in line", next_in_line}, {"in front of the queue", in_front_of_the_queue},
      {"cooperative grids as a whole", as_a_whole}, {"pageable memory is staged", staged},
      {"rows and idle time", rows_and_idle_time}, {"bars are found", bars_are_found},
      {"the path has no gaps", the_path_has_no_gaps}, {"the path says what counts", the_path_says_what_counts},
      {"why a step waits", why_a_step_waits}, {"the model is read", the_model_is_read},
      {"sliders stay in range", sliders_stay_in_range}, {"what if", what_if}, {"many steps", many_steps},
  };
  return check_main("program_chart", checks, LS_COUNT(checks), argc, argv);
}
