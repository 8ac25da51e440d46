// timebar.c: the whole run in one row: how busy its columns are, and their marks.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/session/session_parts.h"

struct SesTimeBar { SesBar *bar; int columns; };

void timebar_free(SesTimeBar *bar) {
  if (bar) free(bar->bar);
  free(bar);
}

// So many events of a column are looked at: all of them in a short trace.
enum { BAR_SAMPLE = 128 };

// The share of a column's events that go to memory or to meeting others; negative if nothing happens in it. What the
// compiler does with the local frame and with parameters does not count.
static double busy_share(Session *session, uint64_t first, uint64_t end) {
  TraceEvent event;
  int all = 0, busy = 0;
  uint64_t skip = end - first > BAR_SAMPLE ? (end - first - BAR_SAMPLE) / 2 : 0;   // the middle stands for the rest
  for (uint64_t step = first + skip; step < end && all < BAR_SAMPLE; step++) {
    if (!trace_event(session->run->trace, step, &event, NULL)) break;
    bool news = trace_kind_interesting((TraceKind)event.kind) && event.kind != TRACE_BRANCH && event.kind != TRACE_FAULT;
    busy += news && code_is_notable(session->code, event.pc);
    all++;
  }
  return all ? (double)busy / all : -1;
}

// From the quietest column to the busiest: what differs is what is worth seeing. Half of the height keeps the bar calm.
static void bar_heights(SesBar *bar, const double *share, int columns) {
  double low = 1, high = 0;
  for (int i = 0; i < columns; i++) {
    if (share[i] < 0) continue;
    low = LS_MIN(low, share[i]);
    high = LS_MAX(high, share[i]);
  }
  double span = LS_MAX(high - low, 0.1);
  for (int i = 0; i < columns; i++)
    bar[i].height = (uint8_t)(share[i] < 0 ? 0 : 1 + lround(3 * LS_MIN((share[i] - low) / span, 1.0)));
}

// arrivals: of warps at barriers, up to this column and before it. A barrier is done when all warps of a block came.
static char bar_mark(const uint32_t *counts, uint64_t before, uint64_t arrivals, int warps) {
  if (counts[TRACE_FAULT]) return '!';
  if (counts[TRACE_KIND_COUNT]) return 'd';
  return arrivals / (unsigned)warps > before / (unsigned)warps ? 'b' : 0;
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
  int buckets = (int)LS_MIN((uint64_t)columns, session->steps), last = -1, warps = ses_warps(session);
  size_t stride = TRACE_KIND_COUNT + 1;
  uint32_t *counts = ls_alloc(sizeof *counts * stride * (size_t)buckets);
  double *share = ls_alloc(sizeof *share * (size_t)columns);
  trace_overview(session->run->trace, 0, session->steps, buckets, counts, NULL);
  uint64_t arrivals = 0;
  for (int column = 0; column < columns; column++) {
    int bucket = (int)((int64_t)column * buckets / columns);
    const uint32_t *of = counts + stride * (size_t)bucket;
    uint64_t first = session->steps * (uint64_t)bucket / (unsigned)buckets,
        end = session->steps * ((uint64_t)bucket + 1) / (unsigned)buckets;
    uint64_t before = arrivals;
    if (bucket != last) arrivals += of[TRACE_BARRIER];
    share[column] = bucket == last ? share[column - 1] : busy_share(session, first, end);
    bar[column].mark = bar_mark(of, before, arrivals, warps);
    last = bucket;
  }
  bar_heights(bar, share, columns);
  calm_barriers(bar, columns);
  free(share);
  free(counts);
}

static const SesTimeBar *bar_of(Session *session, int columns) {
  if (session->bar && session->bar->columns == columns) return session->bar;
  timebar_free(session->bar);
  SesTimeBar *made = session->bar = ls_alloc(sizeof *made);
  *made = (SesTimeBar){ls_alloc(sizeof *made->bar * (size_t)columns), columns};
  fill_bar(session, made->bar, columns);
  return made;
}

void ses_time_bar(Session *session, int columns, SesBar *bar, int *cursor_column) {
  *cursor_column = 0;
  if (columns <= 0) return;
  memset(bar, 0, sizeof *bar * (size_t)columns);
  if (session->steps == 0) return;
  memcpy(bar, bar_of(session, columns)->bar, sizeof *bar * (size_t)columns);
  *cursor_column = (int)LS_MIN(session->step * (uint64_t)columns / session->steps, (uint64_t)columns - 1);
}
