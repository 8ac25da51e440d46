// timebar.c: the whole run in one row: how busy its columns are, and their marks.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/run/program_run.h"
#include "app/session/session_parts.h"

struct SesTimeBar { SesBar *bar; int columns; const Findings *findings; bool untold; };

void timebar_free(SesTimeBar *bar) {
  if (bar) free(bar->bar);
  free(bar);
}

// So many events of a column are looked at: all of them in a short trace.
enum { BAR_SAMPLE = 128 };

// What is wasted, by the marks of findings; and by pc: how much of an execution of it need not be.
enum { WASTES = 3 };
static const char wastes[WASTES] = {'c', 's', 'l'};
// Lanes idle on other lines than the branch that parts them: they are counted at every event, where there is such a
// finding.
enum { WASTED_LANES = 2 };
typedef struct Waste { uint8_t *kind; float *part; bool lanes; } Waste;   // kind: 1 + index into wastes, 0: nothing

// Of a column: shares of its events.
typedef struct Column { double busy, wasted[WASTES]; } Column;

static Waste waste_of(Session *session) {
  const Findings *all = ses_findings(session);
  size_t count = (size_t)LS_MAX(code_count(session->code), 1);
  Waste waste = {ls_alloc(count), ls_alloc(sizeof(float) * count), false};
  for (int i = 0; all && i < all->count; i++) {
    const Finding *f = &all->items[i];
    char mark = ses_finding_mark(f);
    const char *at = f->pc >= 0 ? memchr(wastes, mark, WASTES) : NULL;
    if (mark == wastes[WASTED_LANES]) waste.lanes = true;
    if (!at || mark == wastes[WASTED_LANES] || waste.kind[f->pc]) continue;   // the worse one was first
    waste.kind[f->pc] = (uint8_t)(1 + (at - wastes));
    waste.part[f->pc] = f->amount ? (float)f->wasted / (float)f->amount : 1;
  }
  return waste;
}

static void waste_free(Waste *waste) {
  free(waste->kind);
  free(waste->part);
}

// The share of a column's events that go to memory or to meeting others; negative if nothing happens in it. What the
// compiler does with the local frame and with parameters does not count. And what is wasted in it.
static void look_at_column(Session *session, const Waste *waste, uint64_t first, uint64_t end, Column *column) {
  TraceEvent event;
  int all = 0, busy = 0;
  memset(column, 0, sizeof *column);
  uint64_t skip = end - first > BAR_SAMPLE ? (end - first - BAR_SAMPLE) / 2 : 0;   // the middle stands for the rest
  for (uint64_t step = first + skip; step < end && all < BAR_SAMPLE; step++) {
    if (!trace_event(session->run->trace, step, &event, NULL)) break;
    bool news = trace_kind_interesting((TraceKind)event.kind) && event.kind != TRACE_BRANCH &&
                event.kind != TRACE_FAULT;
    busy += news && code_is_notable(session->code, event.pc);
    all++;
    int kind = event.pc >= 0 && event.pc < code_count(session->code) ? waste->kind[event.pc] : 0;
    if (kind) column->wasted[kind - 1] += (double)waste->part[event.pc];
    if (waste->lanes && event.mask) column->wasted[WASTED_LANES] += 1 - __builtin_popcount(event.mask) / 32.0;
  }
  column->busy = all ? (double)busy / all : -1;
  for (int i = 0; i < WASTES && all; i++) column->wasted[i] /= all;
}

// From the quietest column to the busiest: what differs is what is worth seeing. Half of the height keeps the bar calm.
static void bar_heights(SesBar *bar, const Column *of, int columns) {
  double low = 1, high = 0;
  for (int i = 0; i < columns; i++) {
    if (of[i].busy < 0) continue;
    low = LS_MIN(low, of[i].busy);
    high = LS_MAX(high, of[i].busy);
  }
  double span = LS_MAX(high - low, 0.1);
  for (int i = 0; i < columns; i++)
    bar[i].height = (uint8_t)(of[i].busy < 0 ? 0 : 1 + lround(3 * LS_MIN((of[i].busy - low) / span, 1.0)));
}

static int worst_of(const Column *of) {
  int worst = 0;
  for (int i = 1; i < WASTES; i++)
    if (of->wasted[i] > of->wasted[worst]) worst = i;
  return worst;
}

// Where something is wasted the height says how much of it, beside the column in which it is most.
static void bar_wastes(SesBar *bar, const Column *of, int columns) {
  double most[WASTES] = {0};
  for (int i = 0; i < columns; i++)
    for (int kind = 0; kind < WASTES; kind++) most[kind] = LS_MAX(most[kind], of[i].wasted[kind]);
  for (int i = 0; i < columns; i++) {
    int worst = worst_of(&of[i]);
    double amount = of[i].wasted[worst];
    if (bar[i].mark == '!' || amount <= 0) continue;
    bar[i].mark = wastes[worst];
    bar[i].height = (uint8_t)(4 + lround(3 * amount / most[worst]));
  }
}

// arrivals: of warps at barriers, up to this column and before it. A barrier is done when all warps of a block came.
static char bar_mark(const Session *session, const uint32_t *counts, uint64_t before, uint64_t arrivals) {
  uint64_t warps = (unsigned)ses_warps(session);
  if (counts[TRACE_FAULT] && !session->untold) return '!';
  if (counts[TRACE_KIND_COUNT]) return 'd';
  return arrivals / warps > before / warps ? 'b' : 0;
}

// Marks that stand everywhere tell nothing.
static void calm_barriers(SesBar *bar, int columns) {
  int marks = 0;
  for (int i = 0; i < columns; i++) marks += bar[i].mark == 'b';
  for (int i = 0; i < columns && marks > columns / 10; i++)
    if (bar[i].mark == 'b') bar[i].mark = 0;
}

static void fill_bar(Session *session, SesBar *bar, int columns) {
  // A bucket has at least one step; short traces spread over the columns.
  int buckets = (int)LS_MIN((uint64_t)columns, session->steps), last = -1;
  size_t stride = TRACE_KIND_COUNT + 1;
  uint32_t *counts = ls_alloc(sizeof *counts * stride * (size_t)buckets);
  Column *of_columns = ls_alloc(sizeof *of_columns * (size_t)columns);
  Waste waste = waste_of(session);
  trace_overview(session->run->trace, 0, session->steps, buckets, counts, NULL);
  uint64_t arrivals = 0;
  for (int column = 0; column < columns; column++) {
    int bucket = (int)((int64_t)column * buckets / columns);
    const uint32_t *of = counts + stride * (size_t)bucket;
    uint64_t first = session->steps * (uint64_t)bucket / (unsigned)buckets,
        end = session->steps * ((uint64_t)bucket + 1) / (unsigned)buckets;
    uint64_t before = arrivals;
    if (bucket != last) arrivals += of[TRACE_BARRIER];
    if (bucket == last) of_columns[column] = of_columns[column - 1];
    else look_at_column(session, &waste, first, end, &of_columns[column]);
    bar[column].mark = bar_mark(session, of, before, arrivals);
    last = bucket;
  }
  bar_heights(bar, of_columns, columns);
  bar_wastes(bar, of_columns, columns);
  calm_barriers(bar, columns);
  waste_free(&waste);
  free(of_columns);
  free(counts);
}

static const SesTimeBar *bar_of(Session *session, int columns) {
  const SesTimeBar *bar = session->bar;
  bool same = bar && bar->columns == columns && bar->findings == ses_findings(session);
  if (same && bar->untold == session->untold) return bar;
  timebar_free(session->bar);
  SesTimeBar *made = session->bar = ls_alloc(sizeof *made);
  *made = (SesTimeBar){.columns = columns, .findings = ses_findings(session), .untold = session->untold};
  made->bar = ls_alloc(sizeof *made->bar * (size_t)columns);
  fill_bar(session, made->bar, columns);
  return made;
}

// ---- the other launches of a program -------------------------------------------------------------------------------

// Cells of launches before and after the one that is open, as they are read; each has a wall at its inner side.
typedef struct Ends { int here, launches, before, after; } Ends;

enum { CELL = 2, LEAST_OF_BAR = 3, OF_BAR = 5 };   // the open launch keeps 3 of 5 columns

static Ends ends_of(const Session *session, int columns) {
  Ends ends = {.here = ses_launch_rank(session), .launches = ses_launch_count(session)};
  int others = ends.launches - 1, cells = columns * (OF_BAR - LEAST_OF_BAR) / OF_BAR / CELL;
  if (others <= 0 || cells < 2) return ends;
  int before = ends.here - 1, after = ends.launches - ends.here;
  if (others > cells) {
    int share = (int)((int64_t)cells * before / others);
    before = before ? LS_MAX(share, 1) : 0;
    after = after ? LS_MAX(cells - before, 1) : 0;
  }
  ends.before = before;
  ends.after = after;
  return ends;
}

// The launches that a cell stands for: first and last, from 1.
static void launches_of(const Ends *ends, bool after, int cell, int *first, int *last) {
  int count = after ? ends->launches - ends->here : ends->here - 1, cells = after ? ends->after : ends->before;
  int base = after ? ends->here + 1 : 1;
  *first = base + (int)((int64_t)count * cell / cells);
  *last = base + (int)((int64_t)count * (cell + 1) / cells) - 1;
}

static double busy_of(const ProgramLaunch *launch) {
  return launch ? sqrt((double)launch->counters.value[COUNTER_WARP_INSTRUCTIONS]) : 0;
}

static bool is_faulty(const ProgramLaunch *of) {
  for (int i = 0; of && i < of->fault_count; i++)
    if (trace_fault_grade(&of->faults[i]) == GRADE_FAULT) return true;
  return false;
}

static SesBar cell_of(const Session *session, int first, int last, double most) {
  const ProgramRun *whole = session->run->whole;
  SesBar cell = {.elsewhere = true};
  double busy = 0;
  for (int i = first; whole && i <= last; i++) {
    const ProgramLaunch *launch = program_run_at(whole, program_run_reading(whole, i - 1), NULL);
    busy = LS_MAX(busy, busy_of(launch));
    if (is_faulty(launch) && !session->untold) cell.mark = '!';
  }
  cell.height = (uint8_t)(most > 0 ? 1 + lround(3 * busy / most) : 0);
  return cell;
}

static void fill_ends(const Session *session, const Ends *ends, int columns, SesBar *bar) {
  const ProgramRun *whole = session->run->whole;
  double most = 0;
  for (int i = 0; whole && i < whole->launch_count; i++) {
    const ProgramLaunch *launch = &whole->launches[i];
    most = LS_MAX(most, busy_of(launch));
    for (int k = 0; k < launch->child_count; k++) most = LS_MAX(most, busy_of(&launch->children[k].launch));
  }
  for (int i = 0; i < ends->before + ends->after; i++) {
    bool after = i >= ends->before;
    int first, last, x = after ? columns - CELL * (ends->before + ends->after - i) : CELL * i;
    launches_of(ends, after, after ? i - ends->before : i, &first, &last);
    bar[x + after] = cell_of(session, first, last, most);
    bar[x + !after] = (SesBar){.mark = '|', .elsewhere = true};
  }
}

// ---- all of it -----------------------------------------------------------------------------------------------------

void ses_time_bar(Session *session, int columns, SesBar *bar, int *cursor_column) {
  *cursor_column = 0;
  if (columns <= 0) return;
  memset(bar, 0, sizeof *bar * (size_t)columns);
  if (session->steps == 0) return;
  Ends ends = ends_of(session, columns);
  int first = CELL * ends.before, own = columns - first - CELL * ends.after;
  memcpy(bar + first, bar_of(session, own)->bar, sizeof *bar * (size_t)own);
  fill_ends(session, &ends, columns, bar);
  *cursor_column = first + (int)LS_MIN(session->step * (uint64_t)own / session->steps, (uint64_t)own - 1);
}

uint64_t ses_time_bar_at(Session *session, int columns, int column, int *launch) {
  Ends ends = ends_of(session, columns);
  int begin = CELL * ends.before, end = columns - CELL * ends.after, last;
  *launch = 0;
  column = LS_CLAMP(column, 0, columns - 1);
  if (column < begin) launches_of(&ends, false, column / CELL, launch, &last);
  if (column >= end) launches_of(&ends, true, (column - end) / CELL, launch, &last);
  if (*launch) *launch = ses_launch_at(session, *launch);
  if (*launch) return 0;
  return (uint64_t)(column - begin) * session->steps / (uint64_t)LS_MAX(end - begin, 1);
}
