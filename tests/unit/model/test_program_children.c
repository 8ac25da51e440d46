// test_program_children.c: launches by kernels in time and as rows, against schedules drawn by hand, in microseconds: a
// launch by the host begins after 2, a block of it takes 1 and then 4 for each launch, a block of a child takes 10,
// and a
// child that waited begins 1 later
//
//   one  ..1aaaattttbbbbcccc            1 block, which launches a, t, b and c, and is over at 19
//   a       ....1010101010              in the default stream of the block: from 7 to 17
//   b                     .1010101010   the same, behind a: from 18 to 28
//   c                   ....1010101010  fire and forget: from 19 to 29
//   t                                 .1010101010   in the tail stream, behind the others: from 30 to 40
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "check.h"
#include "model/program_chart.h"
#include "model/program_path.h"
#include "model/program_what_if.h"

enum { UNIT = 1000, START = 2, CHILD = 4, NEXT = 1, CHILD_BLOCK = 10, BLOCKS_AT_ONCE = 1000 };

static LsErr err;

// A program of one launch, of so many blocks.
static void begin(HostProgram *p) {
  ProgramStep step;
  program_init(p);
  program_step_init(&step, PROGRAM_LAUNCH);
  step.kernel = ls_strdup("one");
  LS_PUSH(p->steps, p->step_count, p->step_capacity, step);
  p->launches = 1;
}

static int number_of(const HostProgram *p, int parent) {
  int number = 1;
  for (int i = p->step_count; i < program_all_steps(p); i++) number += p->steps[i].kin->parent == parent;
  return number;
}

// after: a step; -1: none.
static int child(HostProgram *p, int parent, ProgramKinStream stream, uint32_t block, int after) {
  ProgramStep step;
  program_step_init(&step, PROGRAM_LAUNCH);
  const ProgramKin *above = p->steps[parent].kin;
  step.kernel = ls_strdup("part");
  step.kin = ls_alloc(sizeof *step.kin);
  *step.kin = (ProgramKin){.parent = parent, .number = number_of(p, parent), .depth = above ? above->depth + 1 : 1,
                           .stream = stream, .by_block = block, .after_count = after >= 0};
  step.kin->after = ls_alloc(sizeof *step.kin->after);
  step.kin->after[0] = after;
  program_add_child(p, &step);
  return program_all_steps(p) - 1;
}

// blocks: of the host's launch; takes: a child's block, 0: CHILD_BLOCK.
typedef struct Model { int most_kernels; int64_t blocks, per_wave; int takes; } Model;
static const Model usual = {128, 1, BLOCKS_AT_ONCE, 0};

static ProgramCost *costs_of(const HostProgram *p, Model m) {
  int count = p->launches + p->child_count;
  ProgramCost *costs = ls_alloc(sizeof *costs * (size_t)count);
  for (int i = 0; i < count; i++) costs[i] = (ProgramCost){i ? 1 : m.blocks, m.per_wave,
                                                           (i ? m.takes ? m.takes : CHILD_BLOCK : 1) * UNIT};
  return costs;
}

static ProgramTime *times_of(const HostProgram *p, Model m) {
  ProgramRates rates;
  program_rates_init(&rates, NULL);
  rates.start_ns = START * UNIT;
  rates.child_ns = CHILD * UNIT;
  rates.next_ns = NEXT * UNIT;
  rates.call_ns = 0;
  rates.most_kernels = m.most_kernels;
  ProgramCost *costs = costs_of(p, m);
  ProgramTime *times = program_times_new(p);
  CHECK(program_time(p, (ProgramRules){0}, &rates, costs, times, &err));
  free(costs);
  return times;
}

static bool is_from(const ProgramTime *t, double begin, double runs, double end) {
  bool is = t->begin == begin * UNIT && t->runs == runs * UNIT && t->end == end * UNIT;
  if (!is) printf("\nfrom %g, %g to %g\n", t->begin / UNIT, t->runs / UNIT, t->end / UNIT);
  return is;
}

static void test_streams(void) {
  HostProgram p;
  begin(&p);
  int a = child(&p, 0, PROGRAM_KIN_DEFAULT, 0, -1), t = child(&p, 0, PROGRAM_KIN_TAIL, 0, -1);
  int b = child(&p, 0, PROGRAM_KIN_DEFAULT, 0, a), c = child(&p, 0, PROGRAM_KIN_FORGET, 0, -1);
  ProgramTime *times = times_of(&p, usual);
  CHECK(is_from(&times[a], 3, 7, 17) && times[a].waited_for == -1);
  CHECK(is_from(&times[b], 17, 18, 28) && times[b].waited_for == a && times[b].issued == 11 * UNIT);
  CHECK(is_from(&times[c], 15, 19, 29));
  CHECK(is_from(&times[t], 29, 30, 40) && times[t].waited_for == c);
  CHECK(is_from(&times[0], 0, 2, 40) && times[0].over == 19 * UNIT && times[0].last_child == t);
  int event;
  CHECK_INT(program_why(&p, (ProgramRules){0}, times, t, &event), WHY_TAIL);
  CHECK_INT(program_why(&p, (ProgramRules){0}, times, b, &event), WHY_STREAM);
  free(times);
  program_fini(&p);
}

// Two blocks at once launch at once; one after the other, the second block takes the room before any child.
static void test_blocks(void) {
  HostProgram p;
  begin(&p);
  int second = child(&p, 0, PROGRAM_KIN_DEFAULT, 1, -1), first = child(&p, 0, PROGRAM_KIN_DEFAULT, 0, -1);
  ProgramTime *times = times_of(&p, (Model){128, 2, BLOCKS_AT_ONCE, 0});
  CHECK(is_from(&times[first], 3, 7, 17) && is_from(&times[second], 3, 7, 17));
  CHECK(is_from(&times[0], 0, 2, 17) && times[0].over == 7 * UNIT);
  free(times);
  times = times_of(&p, (Model){128, 2, 1, 0});
  CHECK(is_from(&times[first], 3, 12, 22) && times[first].room_from == 0);
  CHECK(is_from(&times[second], 8, 22, 32) && times[second].room_from == first);
  CHECK(is_from(&times[0], 0, 2, 32) && times[0].over == 12 * UNIT);
  free(times);
  program_fini(&p);
}

// A parent whose blocks are over holds up no other kernel: else nothing would ever go on.
static void test_one_at_once(void) {
  HostProgram p;
  begin(&p);
  int a = child(&p, 0, PROGRAM_KIN_DEFAULT, 0, -1), deeper = child(&p, a, PROGRAM_KIN_DEFAULT, 0, -1);
  int b = child(&p, 0, PROGRAM_KIN_FORGET, 0, -1);
  ProgramTime *times = times_of(&p, (Model){1, 1, BLOCKS_AT_ONCE, 0});
  CHECK(is_from(&times[a], 11, 12, 48) && times[a].over == 26 * UNIT);
  CHECK(is_from(&times[b], 26, 27, 37));
  CHECK(is_from(&times[deeper], 37, 38, 48) && times[deeper].waited_for == b);
  CHECK(is_from(&times[0], 0, 2, 48) && times[0].last_child == a);
  free(times);
  program_fini(&p);
}

// From the last end back to the beginning without gaps, through those that it hangs on.
static void test_path(void) {
  HostProgram p;
  begin(&p);
  int a = child(&p, 0, PROGRAM_KIN_FORGET, 0, -1), b = child(&p, a, PROGRAM_KIN_DEFAULT, 0, -1);
  int t = child(&p, 0, PROGRAM_KIN_TAIL, 0, -1);
  child(&p, 0, PROGRAM_KIN_FORGET, 0, -1);
  ProgramTime *times = times_of(&p, usual);
  ProgramPath path;
  program_path_init(&path, &p, times);
  static const double ends[] = {42, 31, 17, 3};
  const int steps[] = {t, b, a, 0};
  CHECK_INT(path.count, LS_COUNT(steps));
  for (int i = 0; i < LS_MIN(path.count, LS_COUNT(steps)); i++) {
    CHECK_INT(path.parts[i].step, steps[i]);
    CHECK(path.parts[i].end == ends[i] * UNIT && path.parts[i].begin == (i < 3 ? ends[i + 1] : 0) * UNIT);
  }
  program_path_fini(&path);
  free(times);
  program_fini(&p);
}

// ---- rows ----------------------------------------------------------------------------------------------------------

enum { MANY = 20, LANES = 6 };

static void test_rows(void) {
  HostProgram p;
  begin(&p);
  for (int i = 0; i < MANY; i++) child(&p, 0, PROGRAM_KIN_FORGET, 0, -1);
  int deeper = child(&p, 1, PROGRAM_KIN_DEFAULT, 0, -1);
  static const Model model = {128, 1, BLOCKS_AT_ONCE, 100};
  ProgramTime *times = times_of(&p, model);
  ProgramCost *costs = costs_of(&p, model);
  ProgramChart *chart = program_chart_new(&p, times, 2, costs);
  int first = program_chart_home(chart, &p, 1);
  CHECK(chart->rows[first].kind == CHART_CHILDREN && chart->rows[first - 1].kind == CHART_STREAM);
  for (int i = 0; i < MANY; i++) {
    int row = program_chart_home(chart, &p, 1 + i), bar = program_chart_bar(chart, row, 1 + i, times);
    CHECK_INT(row, first + LS_MIN(i, LANES));
    CU_ASSERT_FATAL(bar >= 0);
    CHECK_INT(chart->rows[row].bars[bar].grids, i < LANES ? 0 : MANY - LANES);
  }
  CHECK_INT(chart->rows[first + LANES].merged, MANY - LANES);
  const ProgramChartRow *below = &chart->rows[program_chart_home(chart, &p, deeper)];
  CHECK(below->depth == 2 && below->kind == CHART_CHILDREN && below->count == 1);
  // One block of 1000 for 1, and 21 for 100 each: where each is that is merged nobody can tell, but it is as much.
  double use = program_chart_use(chart, 0, chart->span) * chart->span / UNIT;
  CHECK(use > 2.1009 && use < 2.1011);
  CHECK(chart->device_idle == 0 && chart->span == 211 * UNIT);
  program_chart_free(chart);
  free(costs);
  free(times);
  program_fini(&p);
}

// ---- names, and what if --------------------------------------------------------------------------------------------

static void test_words(void) {
  HostProgram p;
  begin(&p);
  int a = child(&p, 0, PROGRAM_KIN_FORGET, 0, -1), b = child(&p, a, PROGRAM_KIN_TAIL, 0, -1);
  int c = child(&p, 0, PROGRAM_KIN_DEFAULT, 0, -1);
  LsText words = {0};
  program_step_words(&p, b, &words);
  CHECK_STR(ls_text_str(&words), "launch 1.1.1, part<<<1, 1>>>, in the tail stream");
  ls_text_clear(&words);
  program_step_words(&p, c, &words);
  CHECK_STR(ls_text_str(&words), "launch 1.2, part<<<1, 1>>>");
  ls_text_free(&words);
  int *order = program_in_order(&p);
  CHECK(order[0] == 0 && order[1] == a && order[2] == b && order[3] == c);
  free(order);
  ProgramModel model;
  ProgramWhatIf ifs[PROGRAM_WHAT_IFS];
  program_model_init(&model, NULL);
  ProgramCost *costs = costs_of(&p, usual);
  double span = program_model_span(&p, &model, NULL, costs);
  int count = program_what_ifs(&p, &model, NULL, costs, ifs), found = 0;
  double least = span - 2 * model.value[PROGRAM_MODEL_CHILD] * UNIT;   // the longest way has two
  for (int i = 0; i < count; i++)
    found += strcmp(ifs[i].words, "children for nothing") == 0 && ifs[i].span == least;
  CHECK_INT(found, 1);
  free(costs);
  program_fini(&p);
}

// As many as the emulator follows, one below the other, and all beside one another.
static void test_many(void) {
  enum { COUNT = 100000 };
  for (int chain = 0; chain < 2; chain++) {
    HostProgram p;
    begin(&p);
    for (int i = 0; i < COUNT; i++) {
      ProgramStep step;
      program_step_init(&step, PROGRAM_LAUNCH);
      step.kernel = ls_strdup("part");
      step.kin = ls_alloc(sizeof *step.kin);
      *step.kin = (ProgramKin){.parent = chain ? i : 0, .number = chain ? 1 : i + 1, .depth = chain ? i + 1 : 1,
                               .stream = PROGRAM_KIN_FORGET};
      program_add_child(&p, &step);
    }
    ProgramTime *times = times_of(&p, (Model){128, 1, COUNT, 0});
    ProgramChart *chart = program_chart_new(&p, times, 2, NULL);
    double each = chain ? CHILD + CHILD_BLOCK : CHILD, last = chain ? 0 : CHILD_BLOCK;
    CHECK(chart->span == (START + 1 + COUNT * each + last) * UNIT);
    CHECK(chart->row_count < 60);
    program_chart_free(chart);
    free(times);
    program_fini(&p);
  }
}

int main(int argc, char **argv) {
  static const Check checks[] = {
      {"streams of device code in time", test_streams}, {"blocks launch when they end", test_blocks},
          {"no more kernels at once than may be", test_one_at_once},
      {"the critical path through children", test_path}, {"rows and lanes", test_rows},
      {"names, order, what if", test_words},             {"a hundred thousand", test_many},
  };
  return check_main("program children", checks, LS_COUNT(checks), argc, argv);
}
