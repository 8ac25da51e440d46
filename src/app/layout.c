// layout.c: where every pane of the explorer stands, from the size of the window and what is open.
#include <string.h>

#include "app/layout.h"
#include "base/mem.h"

enum { FEW_COLS = 120, MANY_COLS = 160 };   // a rail stands above the lanes; beside the whole explorer
enum { ROOMY_ROWS = 30 };                   // of a window
enum { SOURCE_W = 66 };                     // a lecture kernel has lines of 60 columns
enum { RAIL_USUAL = 8, TIGHT_CODE_H = 6, LEAST_VARIABLES_H = 4, FEW_WARPS = 4 };

typedef struct Window { int cols, rows; const LayoutAsk *ask; Layout *layout; } Window;

static bool has(const Window *w, unsigned flag) { return w->ask->flags & flag; }
static bool only_code(const Window *w) { return has(w, LAYOUT_CODE) && !has(w, LAYOUT_LIST | LAYOUT_PANEL); }
static bool roomy(const Window *w) { return w->rows >= ROOMY_ROWS; }

// Rectangles are cut from an area one after another, so that they can neither overlap nor leave the window.
static Rect cut_top(Rect *area, int h) {
  h = LS_CLAMP(h, 0, area->h);
  Rect top = {area->x, area->y, h ? area->w : 0, h};
  area->y += h;
  area->h -= h;
  return top;
}

static Rect cut_bottom(Rect *area, int h) {
  h = LS_CLAMP(h, 0, area->h);
  area->h -= h;
  return (Rect){area->x, area->y + area->h, h ? area->w : 0, h};
}

static Rect cut_left(Rect *area, int w) {
  w = LS_CLAMP(w, 0, area->w);
  Rect left = {area->x, area->y, w, w ? area->h : 0};
  area->x += w;
  area->w -= w;
  return left;
}

static Rect cut_right(Rect *area, int w) {
  w = LS_CLAMP(w, 0, area->w);
  area->w -= w;
  return (Rect){area->x + area->w, area->y, w, w ? area->h : 0};
}

// ---- how rows are shared --------------------------------------------------------------------------------------------

// What a picture takes by itself, and where nobody knows what it wants.
static int usual_focus(const Window *w) {
  int share = w->rows <= 40 ? w->rows * 3 / 10 : 12 + (w->rows - 40) / 5;
  return LS_CLAMP(share, LAYOUT_LEAST_FOCUS_H + 1, 24);
}

static LayoutRoom room_of(const Window *w, int cols) {
  int usual = usual_focus(w);
  if (!w->ask->room) return (LayoutRoom){LAYOUT_LEAST_FOCUS_H, usual, usual};
  LayoutRoom room = w->ask->room(w->ask->context, cols);
  room.least = LS_MAX(room.least, LAYOUT_LEAST_FOCUS_H);
  room.good = LS_MAX(room.good, room.least);
  room.whole = LS_MAX(room.whole, room.good);
  return room;
}

static int rail_rows(const Window *w, int cols) {
  int rows = w->ask->rail ? w->ask->rail(w->ask->context, cols) : RAIL_USUAL;
  return LS_MAX(rows, LAYOUT_LEAST_RAIL_H);
}

// Rows of a picture above which something else keeps `above` rows: all that it wants, else what it is about and what it
// had; for that the source gets tight, and for the least of it a line.
static int focus_rows(int height, int above, const LayoutRoom *room, int usual, int held) {
  int most = height - above;
  int want = room->whole <= most ? LS_MAX(room->whole, LS_MIN(usual, most)) : LS_MAX(room->good, usual);
  if (want <= most) return LS_MAX(want, LS_MIN(held, height - LS_MIN(above, TIGHT_CODE_H)));
  want = LS_MIN(room->good, height - LS_MIN(above, TIGHT_CODE_H));
  return LS_CLAMP(LS_MAX(want, room->least), LS_MIN(most, LAYOUT_LEAST_FOCUS_H), height - LAYOUT_LEAST_PANE_H);
}

// ---- panes ----------------------------------------------------------------------------------------------------------

// PTX stands beside the source where both keep a readable width, else below it.
static void place_code(const Window *w, Rect area) {
  Layout *layout = w->layout;
  if (has(w, LAYOUT_PTX) && area.w >= 64) layout->ptx = cut_right(&area, area.w / 2);
  else if (has(w, LAYOUT_PTX) && area.h >= 2 * LAYOUT_LEAST_PANE_H) layout->ptx = cut_bottom(&area, area.h / 2);
  layout->source = area;
}

// Lanes with a rule and their numbers: all warps where there is room, else some, so that variables have a few rows; in
// a low column nothing but lanes.
static int lanes_rows(const Window *w, int height) {
  int least = LAYOUT_LEAST_PANE_H, all = LS_MAX(w->ask->warps, 1) + 2, few = LS_MIN(all, FEW_WARPS + 2);
  bool panel = has(w, LAYOUT_PANEL);
  int below = panel ? LS_MAX(least, height * 3 / 5) : LEAST_VARIABLES_H;
  if (panel) few = LS_MIN(few, least);
  if (height < few + below) return panel && height >= 2 * least ? least : height;
  int share = panel ? height - below : height * (height >= ROOMY_ROWS ? 48 : 62) / 100;
  return LS_MIN(all, LS_CLAMP(share, few, height - below));
}

static void place_state(const Window *w, Rect area) {
  Layout *layout = w->layout;
  layout->lanes = cut_top(&area, lanes_rows(w, area.h));
  if (has(w, LAYOUT_PANEL) && area.h) {
    layout->panel = area;
    return;
  }
  int least = LAYOUT_LEAST_PANE_H, memory = 0;
  if (roomy(w) && area.h >= 8) memory = LS_MAX(least, area.h >= 16 ? area.h / 2 : area.h * 2 / 5);
  if (memory && w->ask->variables >= 0)
    memory = LS_MAX(memory, area.h - LS_MAX(w->ask->variables + 1, LEAST_VARIABLES_H));
  layout->memory = cut_bottom(&area, memory);
  layout->variables = area;
  if (!area.h) layout->variables.w = 0;
}

// The column of lanes: 32 of them, their warp, line and state want 40 columns; the source gets what they leave.
static int state_width(const Window *w, int cols) {
  bool ptx = has(w, LAYOUT_PTX);
  int most = ptx ? 84 : 100, want = ptx ? 41 + (cols - 80) / 4 : 41 + (cols - 80) * 5 / 8;
  return LS_MIN(LS_CLAMP(want, LAYOUT_LEAST_LANES_W, most), cols - LAYOUT_LEAST_CODE_W);
}

// Source beside the lanes; where only a few rows are left, lines of source across all columns.
static void place_upper(const Window *w, Rect area) {
  if (only_code(w)) {
    place_code(w, area);
    return;
  }
  if (area.h < LAYOUT_RULE_H && !has(w, LAYOUT_PANEL | LAYOUT_PTX) && has(w, LAYOUT_RAIL)) {
    w->layout->source = area;
    return;
  }
  Rect state = cut_right(&area, state_width(w, area.w));
  place_code(w, area);
  place_state(w, state);
}

// Rows that source, lanes, variables and memory can fill: more would stay blank.
static int useful_rows(const Window *w) {
  const LayoutAsk *ask = w->ask;
  int memory = roomy(w) ? 9 : 0, variables = LS_MAX(ask->variables, LEAST_VARIABLES_H) + 1;
  int state = LS_MAX(ask->warps, 1) + 2 + variables + memory;
  return ask->lines ? LS_MAX(ask->lines + 1, state) : w->rows;
}

// The focus pane at the bottom of an area of which something above it keeps its rows. A list has words to be read in
// full.
static void place_focus(const Window *w, Rect *area, int above) {
  if (has(w, LAYOUT_LIST)) {
    w->layout->panel = cut_bottom(area, LS_CLAMP(area->h * 55 / 100, LAYOUT_LEAST_FOCUS_H, 18));
    return;
  }
  if (only_code(w)) return;
  LayoutRoom room = room_of(w, area->w);
  if (has(w, LAYOUT_PANEL)) {   // which is what one looks at now
    above = LS_MAX(above, area->h * 3 / 5);
    room.good = room.least;
  }
  int focus = focus_rows(area->h, above, &room, usual_focus(w), w->ask->held), useful = useful_rows(w);
  if (focus < room.whole && !has(w, LAYOUT_PANEL)) focus = LS_MAX(focus, LS_MIN(room.whole, area->h - useful));
  w->layout->focus = cut_bottom(area, focus);
}

// Totals go where the picture lacks the row.
static void place_so_far(const Window *w, Rect *area) {
  int rows = roomy(w) ? 3 : w->rows >= 23 ? 1 : 0;
  LayoutRoom room = room_of(w, area->w);
  while (rows && !has(w, LAYOUT_LIST) && area->h - rows - LAYOUT_CODE_H < LS_MAX(room.good, w->ask->held))
    rows = rows > 1 ? 1 : 0;
  w->layout->so_far = cut_bottom(area, rows);
}

static void place_panes(const Window *w, Rect area) {
  place_so_far(w, &area);
  place_focus(w, &area, LAYOUT_CODE_H);
  place_upper(w, area);
}

// ---- lessons --------------------------------------------------------------------------------------------------------

// A rail beside the explorer would leave the source a quarter of the window, and itself be mostly empty: it stands
// above the lanes, with the rows that its text needs.
static void place_rail_above_lanes(const Window *w, Rect area) {
  Rect right = cut_right(&area, LS_CLAMP(w->cols / 3, LAYOUT_LEAST_LANES_W, 56));
  int lanes = has(w, LAYOUT_PANEL) ? LS_MAX(right.h * 45 / 100, 2 * LAYOUT_LEAST_PANE_H) : LAYOUT_LEAST_PANE_H;
  w->layout->rail = cut_top(&right, LS_MIN(rail_rows(w, right.w), right.h - lanes));
  place_state(w, right);
  place_so_far(w, &area);
  place_focus(w, &area, LAYOUT_CODE_H);
  place_code(w, area);
}

// Lines of source across the window, the picture, and the text below it. The picture has what it is about, then the
// text what it needs, then the picture all that it wants; what is left over goes to the source, and from LAYOUT_RULE_H
// rows on to lanes.
static void place_rail_below(const Window *w, Rect area) {
  bool other = has(w, LAYOUT_LIST | LAYOUT_PANEL | LAYOUT_PTX);   // these have their own needs
  int above = other ? LAYOUT_CODE_H : LAYOUT_LINE_H;
  LayoutRoom room = room_of(w, area.w);
  int need = rail_rows(w, area.w), least = LAYOUT_LEAST_RAIL_H;
  int focus = LS_MIN(room.good, LS_MAX(area.h - above - least, room.least));
  if (only_code(w)) focus = LAYOUT_CODE_H;
  int rail = LS_CLAMP(need, least, LS_MAX(area.h - above - focus, least));
  w->layout->rail = cut_bottom(&area, other ? LS_MIN(rail, least + 2) : rail);
  if (other) {
    place_focus(w, &area, above);
  } else if (!only_code(w)) {
    int most = area.h - above, want = room.whole <= most ? room.whole : LS_MAX(focus, most);
    w->layout->focus = cut_bottom(&area, LS_MAX(want, LS_MIN(w->ask->held, most)));
  }
  place_upper(w, area);
}

static void place_lesson(const Window *w, Rect area) {
  if (w->cols >= MANY_COLS) {
    w->layout->rail = cut_right(&area, LS_CLAMP(w->cols / 3, 38, 64));
    place_panes(w, area);
  } else if (w->cols >= FEW_COLS) {
    place_rail_above_lanes(w, area);
  } else {
    place_rail_below(w, area);
  }
}

// ---- comparisons ----------------------------------------------------------------------------------------------------

static void cut_panel(const Window *w, Rect *area) {
  if (has(w, LAYOUT_PANEL)) w->layout->panel = cut_bottom(area, LS_CLAMP(area->h / 2, LAYOUT_LEAST_PANE_H, 14));
}

// One column for each side: source above, picture below.
static void place_columns(const Window *w, Rect area, int middle) {
  Layout *layout = w->layout;
  layout->source = cut_left(&area, (area.w - middle) / 2);
  layout->middle = cut_left(&area, middle);
  layout->other = area;
  LayoutRoom room = room_of(w, layout->source.w);
  int above = LS_MIN(LAYOUT_CODE_H, area.h / 2), focus = 1 + focus_rows(area.h - 1, above, &room, usual_focus(w),
      w->ask->held);
  layout->left = cut_bottom(&layout->source, focus);
  layout->right = cut_bottom(&layout->other, focus);
}

static void place_same(const Window *w, Rect area) {
  Layout *layout = w->layout;
  LayoutRoom room = room_of(w, area.w / 2);
  int focus = focus_rows(area.h - 1, LAYOUT_CODE_H, &room, usual_focus(w), w->ask->held);
  Rect below = cut_bottom(&area, 1 + LS_MIN(focus, area.h - 1 - LAYOUT_LEAST_PANE_H));
  layout->left = cut_left(&below, below.w / 2);
  layout->right = below;
  layout->source = cut_left(&area, area.w / 2);
  layout->middle = area;
}

// Both pictures across the window, below lines of both sources; totals go first, then the lines.
static void place_stacked(const Window *w, Rect area) {
  Layout *layout = w->layout;
  bool same = has(w, LAYOUT_SAME);
  LayoutRoom room = room_of(w, area.w);
  int least = 2 * (1 + LAYOUT_LEAST_FOCUS_H), code = LS_CLAMP(area.h - least, 1, same ? 4 : LAYOUT_LINE_H);
  int totals = same ? 0 : LS_CLAMP(area.h - least - code, 0, roomy(w) ? 5 : 3);
  if (totals < LAYOUT_LEAST_PANE_H) totals = 0;
  int most = (area.h - totals - code) / 2 - 1, focus = room.whole <= most ? room.whole : LS_MIN(room.good, most);
  focus = 1 + LS_MAX(focus, LS_MIN(w->ask->held, most));
  layout->right = cut_bottom(&area, focus);
  layout->left = cut_bottom(&area, focus);
  if (!same) layout->middle = cut_bottom(&area, totals);
  layout->source = cut_left(&area, area.w / 2);
  if (!same) layout->other = area;
  else if (area.h >= LAYOUT_LEAST_PANE_H) layout->middle = area;
  else layout->source.w += area.w;
}

// Nothing but both sources: beside each other where lines keep their length, else one above the other.
static void place_sources(const Window *w, Rect area) {
  w->layout->source = area.w >= 2 * SOURCE_W ? cut_left(&area, area.w / 2) : cut_top(&area, area.h / 2);
  w->layout->other = area;
}

static void place_compare(const Window *w, Rect area) {
  int middle = area.w >= 100 ? 28 : area.w >= 76 ? 22 : LAYOUT_LEAST_SIDE_W;
  bool same = has(w, LAYOUT_SAME), narrow = (same ? area.w : area.w - middle) < 2 * LAYOUT_SIDE_W;
  int pictures = narrow ? 2 * (1 + LAYOUT_LEAST_FOCUS_H) + LAYOUT_LINE_H : LS_MAX(area.h / 2, 9);
  if (has(w, LAYOUT_PANEL)) w->layout->panel = cut_bottom(&area, LS_CLAMP(area.h - pictures, LAYOUT_LEAST_PANE_H, 14));
  if (narrow) place_stacked(w, area);
  else if (same) place_same(w, area);
  else place_columns(w, area, middle);
}

// The rail leaves both sides their pictures, or their sources.
static void place_both(const Window *w, Rect area) {
  bool code = only_code(w) && !has(w, LAYOUT_SAME);
  int most = code ? area.h - 2 * LAYOUT_RULE_H : LS_MIN(w->rows / 3, 16);
  if (has(w, LAYOUT_RAIL) && w->cols >= FEW_COLS) w->layout->rail = cut_right(&area, LS_CLAMP(w->cols / 3, 38, 64));
  else if (has(w, LAYOUT_RAIL))
    w->layout->rail = cut_bottom(&area, LS_MAX(LS_MIN(rail_rows(w, area.w), most), LAYOUT_LEAST_RAIL_H));
  if (code) place_sources(w, area);
  else place_compare(w, area);
}

// ---- the window -----------------------------------------------------------------------------------------------------

static void place_enlarged(const Window *w, Rect area) {
  cut_panel(w, &area);
  if (w->ask->of_a_line && area.h > 2 * LAYOUT_LEAST_FOCUS_H) w->layout->source = cut_top(&area, 1);
  w->layout->focus = area;
}

// The picture alone, or a lesson's text below it; messages and lines of typing come over its last row.
static void place_stage(const Window *w, Rect area) {
  cut_panel(w, &area);
  if (has(w, LAYOUT_RAIL) && !has(w, LAYOUT_PANEL)) {
    LayoutRoom room = room_of(w, area.w);
    int least = LAYOUT_LEAST_RAIL_H, most = LS_MAX(area.h - LS_MAX(room.good, LAYOUT_LEAST_FOCUS_H), least);
    w->layout->rail = cut_bottom(&area, LS_CLAMP(rail_rows(w, area.w), least, most));
  }
  if (only_code(w)) w->layout->source = area;
  else w->layout->focus = area;
}

void layout_compute(int cols, int rows, const LayoutAsk *ask, Layout *layout) {
  LayoutAsk wants = *ask;
  Window w = {cols, rows, &wants, layout};
  memset(layout, 0, sizeof *layout);
  if (cols < LAYOUT_LEAST_COLS || rows < (has(&w, LAYOUT_STAGE) ? LAYOUT_STAGE_ROWS : LAYOUT_LEAST_ROWS)) {
    layout->too_small = true;
    return;
  }
  Rect area = {0, 0, cols, rows};
  bool stage = has(&w, LAYOUT_STAGE);
  layout->title = stage ? (Rect){0, 0, 0, 0} : cut_top(&area, 1);
  layout->footer = cut_bottom(&area, 1);
  layout->bar = stage ? (Rect){0, 0, 0, 0} : cut_bottom(&area, roomy(&w) ? 2 : 1);
  if (has(&w, LAYOUT_LIST) && has(&w, LAYOUT_ZOOM | LAYOUT_COMPARE | LAYOUT_STAGE)) wants.flags |= LAYOUT_PANEL;
  if (stage) place_stage(&w, area);
  else if (has(&w, LAYOUT_ZOOM)) place_enlarged(&w, area);
  else if (has(&w, LAYOUT_COMPARE)) place_both(&w, area);
  else if (has(&w, LAYOUT_RAIL)) place_lesson(&w, area);
  else place_panes(&w, area);
}
