// scheduleview.h: a program over time, and the window that the timeline opens on it: which rows it shows, which times
// its columns.
//
// The cursor is a bar, by its step and row. A pure function of schedule, cursor and rectangle, for the view that draws
// it and for clicks into it.
//
//   rect.y      ── rule ────────────────────────────────────────────
//   + 1           time   0          1 ms        2 ms           idle
//   cells.y       host   ██ launch █░░░░░ waits ░░░░░░░░░░░░░   12%
//                 ...
//   use_y         SMs busy     ▁▁▃▃▃███▃
//   path_y        critical path
#ifndef LS_APP_SCHEDULEVIEW_H
#define LS_APP_SCHEDULEVIEW_H

#include "app/layout.h"
#include "base/text.h"
#include "model/program_chart.h"
#include "model/program_path.h"
#include "model/program_what_if.h"

// A program with its times. chart NULL: it has none, and why_not says why; or, NULL too, not yet.
typedef struct Schedule {
  const HostProgram *program;      // as the model has it
  const ProgramTime *times;        // of its steps, then of children
  ProgramChart *chart;
  const ProgramCost *costs;        // of its launches, then of children
  const int *order, *places;       // steps and children as they are read, and where in this each is; NULL: no children
  const ArchProfile *arch;
  ProgramModel model, usual;       // usual: of the run
  double usual_span;               // with that
  bool measured, written;          // written: computed of the code as written, where no other is there
  ProgramWhatIf ifs[PROGRAM_WHAT_IFS]; int if_count;   // of the model; none where times were measured
  char *why_not;
} Schedule;

// What the session keeps: the cursor, and the window as far as it is not all.
typedef struct SesScheduleAt {
  int step, row;
  double left, width;              // of the window; width 0: from the beginning to the end
  int dragged;                     // the column that the mouse has hold of
  bool edits; int pick;            // the model is being changed, at this row
  ProgramModelChange asked;        // by whoever asked "what if"
  double until; bool plays;        // while it is played nothing later than `until` is shown; 0: all is
} SesScheduleAt;

enum { SCHEDULE_LABEL_W = 16, SCHEDULE_IDLE_W = 6 };

typedef struct ScheduleView {
  const Schedule *schedule;        // with a chart, else no cells
  Rect cells;                      // of the rows that go by
  int top, rows, apart;            // first of them shown, how many are shown, lines from one to the next
  int all;                         // rows that go by: those of the chart without the path
  int use_y, path_y;               // -1: no room, or nothing to show
  bool has_idle;                   // the column of shares
  double left, width;
  int row, bar;                    // of the cursor; bar -1: its step has none
  int held_row, held_bar;          // of the step that it waited for; -1
} ScheduleView;

void scheduleview_place(const Schedule *schedule, const SesScheduleAt *at, Rect rect, ScheduleView *view);
// The step that is read at a place of the list of all of them, and the other way round.
static inline int schedule_step_at(const Schedule *s, int place) { return s->order ? s->order[place] : place; }
static inline int schedule_place_of(const Schedule *s, int step) { return s->places ? s->places[step] : step; }
double scheduleview_time(const ScheduleView *view, double column);
int scheduleview_column(const ScheduleView *view, double time);   // inside of the cells
int scheduleview_y(const ScheduleView *view, int row);            // -1: not shown
int scheduleview_row_at(const ScheduleView *view, int y);         // -1: none
const ProgramBar *scheduleview_bar(const ScheduleView *view);     // of the cursor; NULL

#endif
