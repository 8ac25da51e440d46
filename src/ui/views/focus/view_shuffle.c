// view_shuffle.c: how values move between the lanes of a warp.
#include "ui/views/focus/view_shuffle.h"
#include <stdio.h>
#include <string.h>
#include "base/mem.h"
#include "ui/views/focus/nets.h"

enum { LANES = 32, ALL = 32 };   // all: rows that any values fit

// How the way from lane to lane is shown: not at all, by the number of the source, by bundles, by an arc for each.
typedef enum Paths { PATHS_NONE, PATHS_NUMBERS, PATHS_BUNDLES, PATHS_ARCS } Paths;

// What is drawn. header: numbers of the lanes. roomy: a row around the parts. rows: that it takes, with the rule.
typedef struct Plan { Paths paths; bool header, series, roomy; int most; } Plan;

typedef struct Shuffle {
  Focus *focus;
  LaneRow row;
  Exchange now;
  Series series; int series_step;   // screen rows from a step to the next
  LaneFit before, after;     // rows 0: not recorded
  Nets nets;
} Shuffle;

// ---- plans -----------------------------------------------------------------------------------------------------------

// From the whole of it to what is still true. A plan of one row of values, but for the
// last, is for values that this row tells in full.
static const Plan plans[] = {
    {PATHS_ARCS, true, true, true, ALL},
    {PATHS_ARCS, true, true, false, 3},
    {PATHS_ARCS, true, false, false, 3},
    {PATHS_ARCS, true, false, false, 1},
    {PATHS_BUNDLES, true, true, true, ALL},
    {PATHS_BUNDLES, true, true, false, 3},
    {PATHS_BUNDLES, true, false, false, 3},
    {PATHS_BUNDLES, true, false, false, 1},
    {PATHS_NUMBERS, true, true, true, ALL},
    {PATHS_NUMBERS, true, true, false, 3},
    {PATHS_NUMBERS, true, false, false, 3},
    {PATHS_NUMBERS, true, false, false, 1},
    {PATHS_NUMBERS, false, false, false, 2},
    {PATHS_NUMBERS, false, false, false, 1},
};

static void fit_values(Shuffle *s, int most) {
  const TraceEvent *event = s->focus->event;
  LaneFormat format = lanerow_format(s->focus->session, event);
  s->before = s->after = (LaneFit){.rows = 0};
  if (event->value) lanerow_fit(&s->row, format, event->value, event->mask, most, &s->before);
  if (event->result) lanerow_fit(&s->row, format, event->result, event->mask, most, &s->after);
}

static int series_rows(const Shuffle *s, const Plan *plan) {
  bool shown = plan->series && s->series.count > 1;
  return shown ? plan->roomy + 1 + s->series_step * (s->series.count - 1) + 1 : 0;
}

static int path_rows(const Shuffle *s, const Plan *plan) {
  switch (plan->paths) {
    case PATHS_ARCS: return nets_arc_rows(&s->nets) + (plan->roomy && s->nets.paired);
    case PATHS_BUNDLES: return nets_bundle_rows(&s->nets) + (plan->roomy && s->nets.paired);
    case PATHS_NUMBERS: return s->now.moves != 0;
    default: return 0;
  }
}

static bool tells_all(const LaneFit *fit) { return !fit->rows || (fit->mode == LANES_BY_TURNS && !fit->rounded); }

static bool one_row_tells_all(Shuffle *s) {
  fit_values(s, 1);
  return tells_all(&s->before) && tells_all(&s->after);
}

static bool suits(Shuffle *s, const Plan *plan) {
  if (plan->header && plan->most == 1 && !one_row_tells_all(s)) return false;
  if (plan->paths == PATHS_ARCS) return nets_have_arcs(&s->nets);
  return plan->paths != PATHS_BUNDLES || s->nets.bundled;
}

// Rows of a plan with its rule. Folded values stand apart from the lanes: these are numbered where the lines begin.
static int rows_of(Shuffle *s, const Plan *plan) {
  fit_values(s, plan->most);
  s->nets.lead = plan->paths == PATHS_ARCS && plan->roomy;
  return 1 + plan->header + s->before.rows + path_rows(s, plan) + s->after.rows + series_rows(s, plan);
}

// The first plan that fits into so many rows; the last one if none does. Sets what it asks for.
static Plan choose(Shuffle *s, int rows) {
  for (int i = 0; i < LS_COUNT(plans); i++)
    if (suits(s, &plans[i]) && rows_of(s, &plans[i]) <= rows) return plans[i];
  rows_of(s, &plans[LS_COUNT(plans) - 1]);
  return plans[LS_COUNT(plans) - 1];
}

static void shuffle_init(Shuffle *s, Focus *focus) {
  *s = (Shuffle){.focus = focus, .series_step = 1, .now = exchange_of(focus->session, focus->event)};
  exchange_series(focus, &s->now, &s->series);
}

static void lay(Shuffle *s) {
  lanerow_init(&s->row, s->focus);
  nets_lay(&s->nets, s->focus, &s->row, &s->now, &s->before);
}

// ---- rows ------------------------------------------------------------------------------------------------------------

// Where lines would take too much room: the number of the lane that each one reads from.
static void draw_numbers(const Shuffle *s, int y) {
  const TraceEvent *event = s->focus->event;
  uint64_t from[LANES];
  Role roles[LANES];
  lanerow_label(&s->row, y, ROLE_DIM, "from");
  for (int lane = 0; lane < LANES; lane++) {
    from[lane] = event->source[lane];
    roles[lane] = s->now.moves >> lane & 1 ? nets_role(&s->nets, event->source[lane]) : ROLE_DIM;
  }
  if (s->row.pitch == 1) {
    for (uint32_t left = s->now.moves; left; left &= left - 1) {
      int lane = __builtin_ctz(left);
      uint32_t glyph = roles[lane] == ROLE_ALARM ? 0x25b2 : roles[lane] == ROLE_SET1 ? 0x2592 : 0x2588;
      canvas_put(s->focus->canvas, lanerow_column(&s->row, lane), y, glyph, roles[lane], 0);
    }
    return;
  }
  LaneFit fit = {.bits = from, .mask = event->mask, .format = {.kind = PTX_DW_UINT, .size = 8}, .rows = 1};
  lanerow_values(&s->row, y, &fit, UINT32_MAX, roles);
  for (uint32_t left = s->now.moves; left; left &= left - 1)
    if (roles[__builtin_ctz(left)] == ROLE_ALARM) {
      int x = lanerow_column(&s->row, __builtin_ctz(left));
      canvas_put(s->focus->canvas, x - 1, y, ' ', ROLE_NONE, 0);
      canvas_put(s->focus->canvas, x, y, 0x25b2, ROLE_ALARM, 0);
    }
}

static uint32_t arrived(const Shuffle *s, Paths paths) {
  if (!focus_plays(s->focus)) return UINT32_MAX;
  if (paths == PATHS_ARCS) return nets_arrived(&s->nets);
  uint32_t there = ~s->now.moves;
  for (uint32_t left = s->now.moves; left; left &= left - 1) {
    int lane = __builtin_ctz(left);
    bool is = paths == PATHS_BUNDLES ? focus_part(s->focus, NETS_PARTS - 1, NETS_PARTS) > 0.5
                                      : focus_part(s->focus, lane, LANES) > 0;
    if (is) there |= 1u << lane;
  }
  return there;
}

// A value keeps its color on its way; what stays where it is, is dim.
static void draw_values(const Shuffle *s, int y, bool gets, uint32_t shown) {
  const LaneFit *fit = gets ? &s->after : &s->before;
  const TraceEvent *event = s->focus->event;
  Role roles[LANES];
  uint32_t read = 0;
  for (uint32_t left = s->now.moves; left; left &= left - 1) read |= 1u << event->source[__builtin_ctz(left)];
  for (int lane = 0; lane < LANES; lane++) {
    bool moves = (gets ? s->now.moves : read) >> lane & 1;
    roles[lane] = moves ? nets_role(&s->nets, gets ? event->source[lane] : lane) : gets ? ROLE_DIM : ROLE_TEXT;
  }
  lanerow_label(&s->row, y, ROLE_DIM, gets ? "gets" : "value");
  lanerow_values(&s->row, y, fit, shown, roles);
  // Lanes that do not take part, and are read all the same.
  bool marks = !gets && fit->mode == LANES_BY_TURNS;
  for (uint32_t left = marks ? read & ~event->mask : 0; left; left &= left - 1)
    canvas_put(s->focus->canvas, lanerow_column(&s->row, __builtin_ctz(left)), y, 0x25b2, ROLE_ALARM, 0);
}

static void draw_series_row(const Shuffle *s, int i, int y) {
  const Series *series = &s->series;
  const Exchange *step = &series->steps[i];
  char label[24];
  exchange_words(s->focus->event, step, label, sizeof label);
  char *space = strchr(label, ' ');
  bool now = i == series->now;
  lanerow_label(&s->row, y, now ? ROLE_CURSOR : ROLE_DIM, space ? (*space = 0, label) : label);
  if (now) canvas_put(s->focus->canvas, s->row.label_x - 2, y, 0x25b8, ROLE_CURSOR, 0);
  if (space) canvas_textf(s->focus->canvas, s->row.label_x + 5, y, now ? ROLE_CURSOR : ROLE_DIM, 0, "%2s", space + 1);
  lanerow_blocks(&s->row, y, UINT32_MAX, 0xb7, ROLE_GONE);
  if (i <= series->now) {
    uint32_t far = 0;
    for (int lane = 0; lane < LANES; lane++)
      if (step->move == MOVE_XOR && exchange_group(step, lane)) far |= 1u << lane;
    lanerow_blocks(&s->row, y, step->moves & ~far, 0x2588, ROLE_SET0);
    lanerow_blocks(&s->row, y, step->moves & far, 0x2592, ROLE_SET1);
  }
  int end = s->row.x + LANES * s->row.pitch + 1;
  if (end + 4 > s->row.end) return;
  canvas_text(s->focus->canvas, end, y, now ? ROLE_CURSOR : i < series->now ? ROLE_GOOD : ROLE_DIM, 0,
              now ? "now" : i < series->now ? "done" : "");
}

static void draw_series(const Shuffle *s, int y) {
  static const char *const words[] = {"one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"};
  int count = s->series.count;
  char title[40];
  if (count <= LS_COUNT(words)) snprintf(title, sizeof title, "all %s steps", words[count - 1]);
  else snprintf(title, sizeof title, "all %d steps", count);
  canvas_rule(s->focus->canvas, s->focus->body.x, y, s->focus->body.w, title, NULL);
  for (int i = 0; i < count; i++) draw_series_row(s, i, y + 1 + i * s->series_step);
}

// ---- the pane --------------------------------------------------------------------------------------------------------

static void title_of(const Shuffle *s, char *out, size_t size) {
  static const char *const calls[] = {"__shfl_xor_sync", "__shfl_up_sync", "__shfl_down_sync", "__shfl_sync"};
  char words[40], part[40] = "";
  exchange_words(s->focus->event, &s->now, words, sizeof words);
  if (s->series.count > 1) snprintf(part, sizeof part, ", step %d of %d", s->series.now + 1, s->series.count);
  const char *call = calls[exchange_mode(s->focus->session, s->focus->event->pc)];
  if (!s->now.moves) snprintf(out, size, "shuffle · every lane keeps its value · %s", call);
  else snprintf(out, size, "shuffle · %s%s%s · %s", s->now.move == MOVE_XOR ? "butterfly, " : "", words, part, call);
}

static int draw_paths(const Shuffle *s, const Plan *plan, int y) {
  if (plan->paths == PATHS_ARCS) nets_draw_arcs(&s->nets, y);
  else if (plan->paths == PATHS_BUNDLES) nets_draw_bundles(&s->nets, y);
  else if (s->now.moves) draw_numbers(s, y);
  return y + path_rows(s, plan);
}

// Rows that are left over set the tracks apart, and in the enlarged pane the steps of the series.
static void spread(Shuffle *s, const Plan *plan, int rows) {
  enum { FEW_TRACKS = 6 };
  bool zoom = s->focus->session->zoom;
  if (!plan->roomy) return;
  s->series_step = zoom ? 2 : 1;
  if (rows_of(s, plan) > rows) s->series_step = 1;
  if (plan->paths != PATHS_ARCS || s->nets.tracks > FEW_TRACKS) return;
  for (s->nets.step = zoom && s->row.pitch > 3 ? 3 : 2; s->nets.step > 1 && rows_of(s, plan) > rows;) s->nets.step--;
}

static void draw_shuffle(Focus *focus, Rect rect) {
  Shuffle s;
  char title[128];
  shuffle_init(&s, focus);
  title_of(&s, title, sizeof title);
  focus_rule(focus, rect, title, NULL);
  if (!focus_fits(focus, FOCUS_LEAST)) return;
  lay(&s);
  Plan plan = choose(&s, rect.h);
  spread(&s, &plan, rect.h);
  int y = focus->body.y, end = y + focus->body.h;
  uint32_t there = arrived(&s, plan.paths);
  bool folded = s.before.mode == LANES_FOLDED;
  int missing = rows_of(&s, &plan) - rect.h;
  if (plan.header && !folded) lanerow_header(&s.row, y++);
  if (s.before.rows && y < end) draw_values(&s, y, false, UINT32_MAX), y += s.before.rows;
  if (plan.header && folded) lanerow_header(&s.row, y++);
  if (missing > 0 && y < end) {
    focus_more(focus, y, missing + 1, "row");
    return;
  }
  if (y < end) y = draw_paths(&s, &plan, y);
  if (s.after.rows && y < end) draw_values(&s, y, true, there), y += s.after.rows;
  if (series_rows(&s, &plan)) draw_series(&s, y + plan.roomy);
}

static const FocusPane pane = {FOCUS_SHUFFLE,
                               "Shuffles, votes, matches and reductions of a warp show here; this one has made none "
                               "yet. Press n for the next event of interest."};

static bool is_shuffle(const TraceEvent *event) { return event->kind == TRACE_SHUFFLE && event->source; }

void view_draw_shuffle(Session *session, Canvas *canvas, Rect rect) {
  Focus focus;
  if (!focus_begin(&pane, session, canvas, rect, &focus)) return;
  if (is_shuffle(focus.event)) draw_shuffle(&focus, rect);
  else view_draw_sets(&focus, rect);
}

// Arcs are good up to so many tracks; more of them are bundled, or numbers.
static void shuffle_room(Focus *focus, FocusRoom *room) {
  enum { GOOD_TRACKS = 6, ARCS = 2, BUNDLES = 6, NUMBERS = 10 };   // of the plans
  Shuffle s;
  shuffle_init(&s, focus);
  lay(&s);
  int whole = 0, least = NUMBERS + (one_row_tells_all(&s) ? 3 : 2);
  while (!suits(&s, &plans[whole])) whole++;
  int good = suits(&s, &plans[ARCS]) && (s.nets.tracks <= GOOD_TRACKS) ? ARCS : s.nets.bundled ? BUNDLES : NUMBERS;
  room->least = rows_of(&s, &plans[least]);
  room->good = LS_MAX(rows_of(&s, &plans[good]), room->least);
  room->whole = LS_MAX(rows_of(&s, &plans[whole]), room->good);
  room->parts = s.now.moves ? NETS_PARTS : 1;
}

void view_room_shuffle(Session *session, int cols, FocusRoom *room) {
  Focus focus;
  if (!focus_room(&pane, session, cols, &focus, room)) return;
  if (cols < FOCUS_LEAST) return;   // one line says so
  if (is_shuffle(focus.event)) shuffle_room(&focus, room);
  else view_room_sets(&focus, room);
}
