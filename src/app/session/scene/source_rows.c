// source_rows.c: which line of the source stands in which row of a pane, which warps in the pane of lanes
#include <string.h>

#include "app/session/session_parts.h"

// The line that counts: the one at the cursor, or one that is being chosen.
static int cursor_line(Session *session) {
  if (session->line_marked) return session->line_marked;
  const Scene *scene = session->steps ? ses_scene(session) : NULL;
  return scene ? scene->line : 0;
}

// Nothing but blanks and braces.
static bool is_blank(const char *line) { return !line[strspn(line, " \t{};")]; }

// A line in one row, or in as many as it needs if it is the cursor's.
static int add_line(const char *text, int line, bool whole, int width, int room, SesSourceRow *out) {
  CodeRow parts[CODE_ROWS] = {{0, strlen(text), 0}};
  int count = whole ? LS_MIN(code_wrap(text, width, parts), room) : 1;
  for (int i = 0; i < count; i++) out[i] = (SesSourceRow){line, parts[i], i == 0, whole && i + 1 < count};
  return count;
}

static int cursor_rows(const char *const *lines, int count, int here, int width) {
  CodeRow parts[CODE_ROWS];
  return here >= 1 && here <= count ? code_wrap(lines[here - 1], width, parts) : 1;
}

static int rows_of(Session *session, int width, int rows, SesSourceRow *out) {
  const char *const *lines, *path;
  int count = ses_source_lines(session, &lines, &path), here = cursor_line(session), used = 0;
  int more = LS_MIN(cursor_rows(lines, count, here, width) - 1, LS_MAX(rows - 1, 0));
  for (int i = ses_source_top(session, rows - more); i >= 0 && i < count && used < rows; i++)
    used += add_line(lines[i], i + 1, i + 1 == here, width, rows - used, out + used);
  return used;
}

// The next line in a direction that says something, or is the cursor's; 0: none.
static int next_line(const char *const *lines, int count, int here, int from, int by) {
  for (int line = from + by; line >= 1 && line <= count; line += by)
    if (line == here || !is_blank(lines[line - 1])) return line;
  return 0;
}

static int brief_rows(Session *session, int width, int rows, SesSourceRow *out) {
  const char *const *lines, *path;
  int count = ses_source_lines(session, &lines, &path), here = cursor_line(session), used = 0;
  if (here < 1 || here > count) here = LS_CLAMP(ses_source_top(session, 1) + 1, 1, LS_MAX(count, 1));
  if (!count || rows < 1) return 0;
  int first = here, last = here, left = rows - LS_MIN(cursor_rows(lines, count, here, width), rows);
  for (bool before = true, moved = true; left > 0 && moved; before = !before) {   // by turns, the line before first
    int up = next_line(lines, count, here, first, -1), down = next_line(lines, count, here, last, 1);
    moved = up || down;
    if (up && (before || !down)) first = up, left--;
    else if (down) last = down, left--;
  }
  for (int line = first; line && line <= last && used < rows; line = next_line(lines, count, here, line, 1))
    used += add_line(lines[line - 1], line, line == here, width, rows - used, out + used);
  return used;
}

int ses_source_rows(Session *session, Rect pane, SesSourceRow out[SES_SOURCE_ROWS]) {
  const char *const *lines, *path;
  int width = code_columns(pane.w, ses_source_lines(session, &lines, &path)).text_w;
  bool ruled = pane.h >= LAYOUT_RULE_H;
  int rows = LS_CLAMP(pane.h - ruled, 0, SES_SOURCE_ROWS);
  return ruled ? rows_of(session, width, rows, out) : brief_rows(session, width, rows, out);
}

// ---- warps ----------------------------------------------------------------------------------------------------------

typedef enum WarpState { WARP_DONE, WARP_NOT_STARTED, WARP_WAITS, WARP_PARTED, WARP_TOGETHER } WarpState;

static WarpState state_of(const TraceWarp *warp) {
  if (!warp->live) return WARP_DONE;
  if (!warp->events) return WARP_NOT_STARTED;
  if (warp->waiting & warp->live) return WARP_WAITS;
  return (warp->active & warp->live) != warp->live ? WARP_PARTED : WARP_TOGETHER;
}

// How much a warp is wanted where not all have a row: the chosen one, then one of every state, then parted ones, then
// the nearest.
static int rank(const Scene *scene, int chosen, int w) {
  WarpState state = state_of(&scene->warps[w]);
  if (w == chosen) return 0;
  bool first = state != state_of(&scene->warps[LS_CLAMP(chosen, 0, scene->warp_count - 1)]);
  for (int v = 0; v < w && first; v++) first = v == chosen || state_of(&scene->warps[v]) != state;
  if (first) return 1;
  return state == WARP_PARTED ? 2 : 3 + (w > chosen ? w - chosen : chosen - w);
}

// A window that somebody moves shows neighbors.
static int scrolled(Session *session, int rows, int count, int *out) {
  int first = ses_lanes_top(session, rows);
  for (int i = 0; i < rows; i++) out[i] = first + i;
  return LS_MIN(rows, count);
}

int ses_lanes_rows(Session *session, int rows, int out[32]) {
  const Scene *scene = ses_scene(session);
  int count = scene->warp_count, used = 0;
  rows = LS_MIN(rows, count);
  if (rows <= 0) return 0;
  if (session->scroll[PANE_LANES] || session->pane == PANE_LANES) return scrolled(session, rows, count, out);
  bool taken[32] = {false};
  for (int i = 0; i < rows; i++) {
    int best = -1;
    for (int w = 0; w < count; w++)
      if (!taken[w] && (best < 0 || rank(scene, session->warp, w) < rank(scene, session->warp, best))) best = w;
    taken[best] = true;
  }
  for (int w = 0; w < count; w++)
    if (taken[w]) out[used++] = w;
  return used;
}
