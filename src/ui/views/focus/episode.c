// episode.c: what a warp ran from the branch that parted its lanes to where they are all together again.
#include "ui/views/focus/episode.h"
#include <string.h>
#include "base/mem.h"

// Events of other warps lie between those of this one: a bounded number is looked at.
enum { MAX_EVENTS = 4096, MAX_STEPS = 1 << 14, MAX_PERIOD = 3, LAST_LINES = 12 };
static const uint64_t NEVER = UINT64_MAX;

typedef struct Walk { Trace *trace; uint64_t from, end; int warp, left; uint64_t steps; } Walk;

// The next event of the warp in a direction, from a step on; false where there is none, or too many were looked at.
static bool next_event(Walk *walk, uint64_t *step, int dir, TraceEvent *event) {
  for (;; *step += (uint64_t)dir) {
    if (*step < walk->from || *step >= walk->end || walk->steps++ >= MAX_STEPS || walk->left <= 0) return false;
    if (!trace_event(walk->trace, *step, event, NULL)) return false;
    if (event->warp != walk->warp || trace_kind_is_fault(event->kind)) continue;
    walk->left--;
    return true;
  }
}

static Walk walk_of(const Focus *focus) {
  TraceBlock block = focus_block(focus);
  return (Walk){.trace = focus->session->run->trace, .from = block.first, .end = block.first + block.count,
                .warp = focus->session->warp, .left = MAX_EVENTS};
}

// ---- rows ------------------------------------------------------------------------------------------------------------

static bool same_rows(const Episode *e, int a, int b, int count) {
  for (int i = 0; i < count; i++)
    if (e->rows[a + i].line != e->rows[b + i].line || e->rows[a + i].active != e->rows[b + i].active) return false;
  return true;
}

// The rounds of a loop are the same few rows again and again: they become one round with a count.
static void fold_loops(Episode *e) {
  for (int period = 1; period <= MAX_PERIOD && 2 * period <= e->count; period++) {
    int newer = e->count - period, older = newer - period;
    if (!same_rows(e, newer, older, period)) continue;
    for (int i = 0; i < period; i++) e->rows[older + i].times += e->rows[newer + i].times;
    e->count = newer;
    if (e->now >= newer) e->now -= period;
    return;
  }
}

// The last row is the rest of the line that parted the lanes, a jump over the other side: what they do comes next.
static bool is_rest(const Episode *e) {
  if (e->count < 2) return false;
  const EpisodeRow *last = &e->rows[e->count - 1], *parting = last - 1;
  return last->times == 1 && last->line == parting->line && last->active != parting->active &&
      !(last->active & ~parting->active);
}

// Code without a line belongs to the line before. False: there is no room for another row.
static bool note(Episode *e, const Session *session, const TraceEvent *event) {
  int file, line = ses_line_of(session, event->pc, &file);
  e->instructions++;
  e->lanes += (unsigned)__builtin_popcount(event->active);
  EpisodeRow *last = e->count ? &e->rows[e->count - 1] : NULL;
  bool same = last && last->active == event->active && (line == 0 || last->line == 0 || line == last->line);
  if (!same && last && last->active == event->active && is_rest(e)) last->line = 0, same = true;
  if (same && last->line == 0) last->line = line, last->pc = event->pc;
  if (!same) {
    fold_loops(e);
    if (e->count == EPISODE_ROWS) return false;
    e->rows[e->count++] = (EpisodeRow){line, event->pc, 1, event->active};
  }
  if (event->step == e->present) e->now = e->count - 1;
  return true;
}

// ---- the interval ----------------------------------------------------------------------------------------------------

static bool is_parting(const TraceEvent *event) { return event->kind == TRACE_BRANCH && event->flags & TRACE_DIVERGES; }

static uint32_t live_at(const Focus *focus, uint64_t step) {
  TraceWarp warps[32];
  memset(warps, 0, sizeof warps);
  bool known = trace_warps(focus->session->run->trace, step, warps, NULL);
  return known ? warps[LS_CLAMP(focus->session->warp, 0, 31)].live : 0;
}

// Where lanes are apart at the cursor, or part there: the event. Otherwise the last branch that parted them. NEVER:
// none.
static uint64_t find_anchor(Focus *focus, const Walk *walk, Episode *e, TraceEvent *event) {
  const Session *session = focus->session;
  uint64_t step = session->step;
  Walk back = *walk;
  if (!next_event(&back, &step, -1, event)) return NEVER;
  e->present = step;
  e->present_pc = event->pc;
  uint32_t live = session->warp < focus->scene->warp_count ? focus->scene->warps[session->warp].live : 0;
  if (is_parting(event) || (live & ~event->active)) return step;
  TraceQuery query;
  trace_query_init(&query);
  query.kinds = 1u << TRACE_BRANCH;
  query.diverging_only = true;
  query.block = event->block;
  query.warp = session->warp;
  bool found = trace_find(walk->trace, step, -1, &query, &step, NULL) && step >= walk->from;
  return found && trace_event(walk->trace, step, event, NULL) ? step : NEVER;
}

// The last event at or before the anchor that all its lanes run together.
static uint64_t find_start(const Walk *walk, uint64_t anchor, uint32_t live, Episode *e) {
  Walk back = *walk;
  TraceEvent event;
  uint64_t start = anchor;
  for (uint64_t step = anchor; next_event(&back, &step, -1, &event); step--) {
    start = step;
    if (!(live & ~event.active)) return start;
    if (step == walk->from) break;
  }
  e->begun_earlier = back.left <= 0 || back.steps >= MAX_STEPS;
  return start;
}

static void gather_parted(const Focus *focus, const Walk *walk, uint64_t start, uint32_t live, Episode *e) {
  Walk on = *walk;
  TraceEvent event;
  uint32_t left = live;
  e->parted = true;
  e->live = live;
  for (uint64_t step = start; next_event(&on, &step, 1, &event); step++) {
    if (!note(e, focus->session, &event)) break;
    bool together = !(left & ~event.active);
    if (event.kind == TRACE_EXIT) left &= ~event.mask;
    e->ended = left == 0 || (together && step > start);
    if (e->ended) break;
  }
  fold_loops(e);
  e->too_long = !e->ended && (e->count == EPISODE_ROWS || on.left <= 0 || on.steps >= MAX_STEPS);
}

// The last lines that ran, where nothing has parted yet.
static void gather_last(const Focus *focus, const Walk *walk, Episode *e) {
  Walk back = *walk;
  TraceEvent event;
  uint64_t step = focus->session->step, start = step;
  int lines = 0, line = -1, file, at;
  for (; lines <= LAST_LINES && next_event(&back, &step, -1, &event); step--) {
    at = ses_line_of(focus->session, event.pc, &file);
    lines += at != line;
    line = at;
    if (lines <= LAST_LINES) start = step;
    e->live |= event.active;
    if (step == walk->from) break;
  }
  Walk on = *walk;
  on.end = focus->session->step + 1;
  for (step = start; next_event(&on, &step, 1, &event); step++) note(e, focus->session, &event);
  fold_loops(e);
}

void episode_find(Focus *focus, Episode *out) {
  memset(out, 0, sizeof *out);
  out->now = -1;
  Walk walk = walk_of(focus);
  TraceEvent event;
  if (walk.from == walk.end || !walk.trace) return;
  uint64_t anchor = find_anchor(focus, &walk, out, &event);
  if (anchor == NEVER) {
    gather_last(focus, &walk, out);
    return;
  }
  uint32_t live = live_at(focus, anchor) | event.active;
  gather_parted(focus, &walk, find_start(&walk, anchor, live, out), live, out);
  const Scene *scene = focus->scene;
  if (scene->event.step == anchor) focus->event = &scene->event;
  else if (scene->has_focus && scene->focus.step == anchor) focus->event = &scene->focus;
}

// ---- one row for each set of lanes ------------------------------------------------------------------------------------

int episode_indent(Session *session, int line) {
  const char *const *lines;
  const char *path;
  int count = ses_source_lines(session, &lines, &path), columns = 0;
  if (line < 1 || line > count) return 0;
  for (const char *p = lines[line - 1]; *p == ' ' || *p == '\t'; p++) columns += *p == '\t' ? 2 : 1;
  return columns;
}

// The innermost line tells most of what lanes do; the first one is often the rest of the line that parted them.
static bool tells_more(Session *session, const EpisodeRow *line, const EpisodeRow *than, int before) {
  if (line->line == 0 || line->line == before) return false;
  return than->line == before || episode_indent(session, line->line) > episode_indent(session, than->line);
}

void episode_fold(Session *session, const Episode *of, Episode *out) {
  int before = 0;   // the last line of the set before
  *out = *of;
  out->count = 0;
  for (int i = 0; i < of->count; i++) {
    const EpisodeRow *line = &of->rows[i];
    EpisodeRow *set = out->count ? &out->rows[out->count - 1] : NULL;
    if (!set || set->active != line->active) {
      before = i ? of->rows[i - 1].line : 0;
      fold_loops(out);
      out->rows[out->count] = *line;
      out->rows[out->count++].times = 1;
    } else if (tells_more(session, line, set, before)) {
      set->line = line->line;
      set->pc = line->pc;
    }
    if (of->now == i) out->now = out->count - 1;
  }
  fold_loops(out);
}
