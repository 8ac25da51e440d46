// program_chart.h: the steps of a program as bars in rows over time: the host, copy engines, streams, the critical
// path.
//
//   host       ██ launch ██░░░ waits ░░░░░░░░░░░      a bar from when the host comes to a step until it goes on
//   copies in     ███ x ███                           one row for each copy engine that has work
//   stream a           ████ scale ███                 all that is in the stream; copies are in their engine's row, too
//    children            ██ part ██                   what kernels of the stream launch, by depth: in as many rows
// as run
//    depth 2               █ part █                   at once, and beyond some, merged, in a last one
//   path       ██ ███ x ███████ scale ██              what the end of the program hangs on, without gaps
//
// Bars of a row do not overlap and are in order, so that what stands at a time is found by halving. Times are
// nanoseconds, computed or measured: whoever has them says which.
#ifndef LS_MODEL_PROGRAM_CHART_H
#define LS_MODEL_PROGRAM_CHART_H

#include "model/program_time.h"

typedef enum ProgramChartKind { CHART_HOST, CHART_TO_DEVICE, CHART_TO_HOST, CHART_STREAM, CHART_CHILDREN,
                               CHART_PATH } ProgramChartKind;

typedef struct ProgramBar {
  int step;
  double begin, end;
  double runs;             // of a launch: until then it waits for room on the device, or for its first block
  double over;             // of a launch: from then on it waits for its children
  double busy_before;      // of the row: what all bars before it take
  double use_before;       // the same times the share of the device that they take
  double use;              // share of the device from `runs` to `over`, 0 to 1; 0: it takes none, or nobody knows
  int grids;               // that it stands for, where there is no room for each: the first one's step
  bool waits;              // of the host: it does nothing meanwhile
} ProgramBar;

typedef struct ProgramChartRow {
  ProgramChartKind kind;
  int stream;              // CHART_STREAM, CHART_CHILDREN
  int depth, lane;         // of children; lanes of one depth run at once
  int merged;              // how many grids are in a row whose bars stand for several; 0: each has its own
  const char *name;        // borrowed of the program, or static
  ProgramBar *bars; int count, capacity;
  double busy;             // in all, without waits
} ProgramChartRow;

typedef struct ProgramChart {
  ProgramChartRow *rows; int row_count, row_capacity;
  int *child_rows;         // of each child, as an index; -1: it has no times
  double span;             // from the beginning to the last end
  double device_idle;      // nothing at all goes on on the device
  bool knows_use;          // of the device
} ProgramChart;

// engines: of copies, as in ProgramRates. costs: as of program_time, NULL: the use of the device is not known. The
// program outlives the chart.
ProgramChart *program_chart_new(const HostProgram *program, const ProgramTime *times, int engines,
                                const ProgramCost *costs);
void program_chart_free(ProgramChart *chart);
// The first bar that ends later than `time`; row->count: there is none.
int program_chart_find(const ProgramChartRow *row, double time);
// The bar of a step in the row; -1.
int program_chart_bar(const ProgramChart *chart, int row, int step, const ProgramTime *times);
// The row that a step is best looked at in: its engine's, its stream's, the host's.
int program_chart_home(const ProgramChart *chart, const HostProgram *program, int step);
// Time that bars of the row take of an interval; what the kernels of all streams take of the device in it, as a share.
double program_chart_busy(const ProgramChartRow *row, double from, double to);
double program_chart_use(const ProgramChart *chart, double from, double to);
// The row of the longest way; NULL: nobody knows what waited for what.
const ProgramChartRow *program_chart_path(const ProgramChart *chart);
bool program_chart_on_path(const ProgramChart *chart, int step, double begin, double end);

#endif
