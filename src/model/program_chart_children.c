// program_chart_children.c: launches by kernels as rows below the stream of the launch that they all come from:
// those that
// run at once beside one another, and what is too much for that in one row.
#include <stdlib.h>

#include "base/mem.h"
#include "model/program_chart_rows.h"

enum { MOST_LANES = 6,             // of one depth; what has no place in them is merged
       MOST_DEPTHS = 32 };         // what is deeper is merged, too

typedef struct Child { int step, depth; double begin; } Child;

static int by_depth(const void *a, const void *b) {
  const Child *x = a, *y = b;
  if (x->depth != y->depth) return x->depth - y->depth;
  return x->begin != y->begin ? (x->begin > y->begin) - (x->begin < y->begin) : x->step - y->step;
}

static int gather(const HostProgram *program, const ProgramTime *times, int stream, Child *all) {
  int count = 0;
  for (int i = program->step_count; i < program_all_steps(program); i++) {
    if (program->steps[i].stream != stream || times[i].end < 0) continue;
    all[count++] = (Child){i, LS_MIN(program->steps[i].kin->depth, MOST_DEPTHS), times[i].begin};
  }
  if (count) qsort(all, (size_t)count, sizeof *all, by_depth);
  return count;
}

static int add_row(ProgramChart *chart, int stream, int depth, int lane) {
  ProgramChartRow row = {.kind = CHART_CHILDREN, .stream = stream, .depth = depth, .lane = lane, .name = ""};
  LS_PUSH(chart->rows, chart->row_count, chart->row_capacity, row);
  return chart->row_count - 1;
}

// The first lane of its depth that is free by then; -1: there are too many. first: the row of lane 0.
static int lane_for(ProgramChart *chart, int first, const Child *child, int stream) {
  int lanes = child->depth < MOST_DEPTHS ? MOST_LANES : 0;
  for (int lane = 0; lane < lanes; lane++) {
    if (first + lane == chart->row_count) return add_row(chart, stream, child->depth, lane);
    const ProgramChartRow *row = &chart->rows[first + lane];
    if (!row->count || row->bars[row->count - 1].end <= child->begin) return first + lane;
  }
  return -1;
}

static double work_of(const ProgramBar *bar) { return bar->use * (bar->over - bar->runs); }

// Into the last bar, if that is still under way. Waiting for its children the device is free, wherever that was.
static void merge(ProgramChartRow *row, ProgramBar bar) {
  ProgramBar *last = row->count ? &row->bars[row->count - 1] : NULL;
  row->merged++;
  if (!last || last->end < bar.begin) {
    bar.grids = 1;
    program_chart_add_bar(row, bar);
    return;
  }
  double work = work_of(last) + work_of(&bar);
  last->grids++;
  last->runs = LS_MIN(last->runs, bar.runs);
  last->over = LS_MAX(last->over, bar.over);
  last->end = LS_MAX(last->end, bar.end);
  last->use = last->over > last->runs ? LS_MIN(work / (last->over - last->runs), 1.0) : 0;
}

void program_chart_add_children(ProgramChart *chart, const HostProgram *program, const ProgramTime *times, int stream,
                                const ProgramCost *costs) {
  if (!program->child_count) return;
  Child *all = ls_alloc(sizeof *all * (size_t)program->child_count);
  int count = gather(program, times, stream, all), first = chart->row_count, merged = -1;
  for (int i = 0; i < count; i++) {
    if (i && all[i].depth != all[i - 1].depth) first = chart->row_count, merged = -1;
    int row = lane_for(chart, first, &all[i], stream);
    ProgramBar bar = program_chart_bar_of(all[i].step, &times[all[i].step], costs ?
                                          program_cost_of(program, costs, all[i].step) : NULL);
    if (row < 0 && merged < 0) merged = add_row(chart, stream, all[i].depth, MOST_LANES);
    if (row < 0) merge(&chart->rows[merged], bar);
    else program_chart_add_bar(&chart->rows[row], bar);
    chart->child_rows[all[i].step - program->step_count] = row < 0 ? merged : row;
  }
  free(all);
}
