// program_chart.c: rows and bars of a program's steps.
#include "model/program_chart_rows.h"

#include <stdlib.h>

#include "base/mem.h"
#include "model/program_path.h"

// ---- rows ----------------------------------------------------------------------------------------------------------

static ProgramChartRow *row_of(ProgramChart *chart, ProgramChartKind kind, int stream, const char *name) {
  for (int i = 0; i < chart->row_count; i++)
    if (chart->rows[i].kind == kind && chart->rows[i].stream == stream) return &chart->rows[i];
  ProgramChartRow row = {.kind = kind, .stream = stream, .name = name};
  LS_PUSH(chart->rows, chart->row_count, chart->row_capacity, row);
  return &chart->rows[chart->row_count - 1];
}

void program_chart_add_bar(ProgramChartRow *row, ProgramBar bar) {
  if (bar.end <= bar.begin) return;
  LS_PUSH(row->bars, row->count, row->capacity, bar);
}

// Rows in the order in which they stand, those without work left out.
static void make_rows(ProgramChart *chart, const HostProgram *program, const ProgramTime *times, int engines,
                      const ProgramCost *costs) {
  bool in = false, out = false;
  bool *used = ls_alloc(sizeof *used * (size_t)program->stream_count + 1);
  for (int i = 0; i < program->step_count; i++) {
    if (!program_is_on_device(&program->steps[i]) || times[i].end < 0) continue;
    in |= times[i].row == PROGRAM_ROW_TO_DEVICE;
    out |= times[i].row == PROGRAM_ROW_TO_HOST;
    used[program->steps[i].stream] = true;
  }
  row_of(chart, CHART_HOST, 0, "host");
  if (engines < 2 && (in || out)) row_of(chart, CHART_TO_DEVICE, 0, "copies");
  if (engines >= 2 && in) row_of(chart, CHART_TO_DEVICE, 0, "copies in");
  for (int i = 0; i < program->stream_count; i++)
    if (used[i]) {
      row_of(chart, CHART_STREAM, i, program->streams[i].name);
      program_chart_add_children(chart, program, times, i, costs);
    }
  if (engines >= 2 && out) row_of(chart, CHART_TO_HOST, 0, "copies out");
  free(used);
}

// ---- bars ----------------------------------------------------------------------------------------------------------

// From when the host comes to the step until it comes to the next one.
static void add_host(ProgramChartRow *row, const HostProgram *program, const ProgramTime *times, int i) {
  const ProgramStep *s = &program->steps[i];
  bool last = i + 1 >= program->step_count, on_device = program_is_on_device(s);
  double end = !last ? times[i + 1].issued : !on_device || program_blocks(program, s) ? times[i].end : times[i].issued;
  bool waits = program_blocks(program, s) || s->kind == PROGRAM_SYNC || s->kind == PROGRAM_FREE;
  if (times[i].issued < 0) return;
  ProgramBar bar = {.step = i, .begin = times[i].issued, .runs = times[i].issued, .over = end, .end = end,
                    .waits = waits};
  program_chart_add_bar(row, bar);
}

ProgramBar program_chart_bar_of(int step, const ProgramTime *t, const ProgramCost *cost) {
  ProgramBar bar = {.step = step, .begin = t->begin, .runs = t->runs, .over = t->over, .end = t->end};
  double full = cost ? (double)cost->blocks * cost->block_ns / (double)LS_MAX(cost->per_wave, 1) : 0;
  if (t->over > t->runs) bar.use = LS_MIN(full / (t->over - t->runs), 1.0);
  return bar;
}

static void add_device(ProgramChart *chart, const HostProgram *program, const ProgramTime *t, int i, int engines,
                       const ProgramCost *cost) {
  ProgramBar bar = program_chart_bar_of(i, t, cost);
  int stream = program->steps[i].stream;
  program_chart_add_bar(row_of(chart, CHART_STREAM, stream, program->streams[stream].name), bar);
  if (t->row == PROGRAM_ROW_STREAM) return;
  bool out = t->row == PROGRAM_ROW_TO_HOST && engines >= 2;
  program_chart_add_bar(row_of(chart, out ? CHART_TO_HOST : CHART_TO_DEVICE, 0, ""), bar);
}

static int by_begin(const void *a, const void *b) {
  const ProgramBar *x = a, *y = b;
  return x->begin != y->begin ? (x->begin > y->begin) - (x->begin < y->begin) : x->step - y->step;
}

static void settle_row(ProgramChartRow *row) {
  double busy = 0, use = 0;
  if (row->count) qsort(row->bars, (size_t)row->count, sizeof *row->bars, by_begin);
  for (int i = 0; i < row->count; i++) {
    ProgramBar *bar = &row->bars[i];
    bar->busy_before = busy;
    bar->use_before = use;
    busy += bar->end - bar->begin;
    use += bar->use * (bar->over - bar->runs);
    if (!bar->waits) row->busy += bar->end - bar->begin;
  }
}

static bool is_of_device(const ProgramChartRow *row) { return row->kind == CHART_STREAM || row->kind ==
                                                      CHART_CHILDREN; }

// All bars of the device in order, and where one of them is under way: waiting for its children it is not.
static void find_idle(ProgramChart *chart) {
  int count = 0, capacity = 0;
  ProgramBar *all = NULL;
  for (int r = 0; r < chart->row_count; r++)
    for (int i = 0; is_of_device(&chart->rows[r]) && i < chart->rows[r].count; i++)
      LS_PUSH(all, count, capacity, chart->rows[r].bars[i]);
  if (count) qsort(all, (size_t)count, sizeof *all, by_begin);
  double reached = 0;
  for (int i = 0; i < count; i++) {
    chart->device_idle += LS_MAX(all[i].begin - reached, 0.0);
    reached = LS_MAX(reached, all[i].over);
  }
  chart->device_idle += LS_MAX(chart->span - reached, 0.0);
  free(all);
}

static void add_path(ProgramChart *chart, const HostProgram *program, const ProgramTime *times) {
  ProgramPath path;
  program_path_init(&path, program, times);
  if (path.count) {
    ProgramChartRow *row = row_of(chart, CHART_PATH, 0, "critical path");
    for (int i = path.count - 1; i >= 0; i--) {
      const ProgramPathPart *part = &path.parts[i];
      program_chart_add_bar(row, (ProgramBar){.step = part->step, .begin = part->begin, .runs = part->begin,
                                              .over = part->end, .end = part->end, .waits = part->of_host});
    }
    settle_row(row);
  }
  program_path_fini(&path);
}

ProgramChart *program_chart_new(const HostProgram *program, const ProgramTime *times, int engines,
                                const ProgramCost *costs) {
  ProgramChart *chart = ls_alloc(sizeof *chart);
  chart->knows_use = costs != NULL;
  chart->span = program_time_end(program, times);
  chart->child_rows = ls_alloc(sizeof *chart->child_rows * (size_t)(program->child_count + 1));
  for (int i = 0; i < program->child_count; i++) chart->child_rows[i] = -1;
  make_rows(chart, program, times, engines, costs);
  for (int i = 0, launch = 0; i < program->step_count; i++) {
    bool launches = program->steps[i].kind == PROGRAM_LAUNCH;
    add_host(&chart->rows[0], program, times, i);
    if (program_is_on_device(&program->steps[i]) && times[i].end >= 0)
      add_device(chart, program, &times[i], i, engines, costs && launches ? &costs[launch] : NULL);
    launch += launches;
  }
  for (int i = 0; i < chart->row_count; i++) settle_row(&chart->rows[i]);
  find_idle(chart);
  add_path(chart, program, times);
  return chart;
}

void program_chart_free(ProgramChart *chart) {
  if (!chart) return;
  for (int i = 0; i < chart->row_count; i++) free(chart->rows[i].bars);
  free(chart->rows);
  free(chart->child_rows);
  free(chart);
}

// ---- looking -------------------------------------------------------------------------------------------------------

int program_chart_find(const ProgramChartRow *row, double time) {
  int low = 0, high = row->count;
  while (low < high) {
    int middle = low + (high - low) / 2;
    if (row->bars[middle].end > time) high = middle;
    else low = middle + 1;
  }
  return low;
}

int program_chart_bar(const ProgramChart *chart, int index, int step, const ProgramTime *times) {
  const ProgramChartRow *row = &chart->rows[index];
  if (row->kind == CHART_PATH) {       // in pieces, and few
    for (int i = 0; i < row->count; i++)
      if (row->bars[i].step == step) return i;
    return -1;
  }
  double begin = row->kind == CHART_HOST ? times[step].issued : times[step].begin;
  int at = program_chart_find(row, begin);
  bool holds = at < row->count && (row->bars[at].step == step || (row->merged && row->bars[at].begin <= begin));
  return holds ? at : -1;
}

int program_chart_home(const ProgramChart *chart, const HostProgram *program, int step) {
  const ProgramStep *s = &program->steps[step];
  if (s->kin) return LS_MAX(chart->child_rows[step - program->step_count], 0);
  ProgramChartKind kind = !program_is_on_device(s) ? CHART_HOST : CHART_STREAM;
  if (s->kind == PROGRAM_COPY && s->direction == PROGRAM_H2D) kind = CHART_TO_DEVICE;
  if (s->kind == PROGRAM_COPY && s->direction == PROGRAM_D2H) kind = CHART_TO_HOST;
  int found = 0;
  for (int i = 0; i < chart->row_count; i++) {
    const ProgramChartRow *row = &chart->rows[i];
    if (row->kind == kind && (kind != CHART_STREAM || row->stream == s->stream)) return i;
    if (kind == CHART_TO_HOST && row->kind == CHART_TO_DEVICE) found = i;   // one engine for both ways
  }
  return found;
}

// What the bars of the row take before a time, of it all or of the device.
static double before(const ProgramChartRow *row, double time, bool use) {
  int at = program_chart_find(row, time);
  if (!row->count) return 0;
  const ProgramBar *bar = &row->bars[LS_MIN(at, row->count - 1)];
  double sum = use ? bar->use_before : bar->busy_before, from = use ? bar->runs : bar->begin;
  double part = LS_CLAMP(time, from, use ? bar->over : bar->end) - from;
  return sum + part * (use ? bar->use : 1);
}

double program_chart_busy(const ProgramChartRow *row, double from, double to) {
  return before(row, to, false) - before(row, from, false);
}

double program_chart_use(const ProgramChart *chart, double from, double to) {
  double use = 0;
  if (to <= from) return 0;
  for (int i = 0; i < chart->row_count; i++) {
    const ProgramChartRow *row = &chart->rows[i];
    if (is_of_device(row)) use += before(row, to, true) - before(row, from, true);
  }
  return LS_MIN(use / (to - from), 1.0);
}

const ProgramChartRow *program_chart_path(const ProgramChart *chart) {
  const ProgramChartRow *last = &chart->rows[chart->row_count - 1];
  return last->kind == CHART_PATH ? last : NULL;
}

bool program_chart_on_path(const ProgramChart *chart, int step, double begin, double end) {
  const ProgramChartRow *path = program_chart_path(chart);
  for (int i = path ? program_chart_find(path, begin) : 0; path && i < path->count && path->bars[i].begin < end; i++)
    if (path->bars[i].step == step) return true;
  return false;
}
