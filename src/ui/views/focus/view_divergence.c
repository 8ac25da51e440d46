// view_divergence.c: which lanes ran which line, and where they meet again.
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include "base/mem.h"
#include "ui/views/focus/episode.h"
#include "ui/views/focus/lanestrip.h"

// Time runs downwards, from the branch that parts the lanes to where they meet:
//     12  if (id < k)               ████████████████████████████████  32 of 32
//   ▸ 13    ts[id] += ts[id + k];   ████████████████░░░░░░░░░░░░░░░░  16 of 32  ×3
//     15  __syncthreads();          ████████████████████████████████  all meet
// Where lines have no room there is a row for each set of lanes; the rows around the cursor, where these have none.
enum { LANES = 32, MAX_GROUPS = 32, LINE_W = 6, TEXT_W = 60, TIGHT_W = 40, LEAST_TEXT_W = 12, LEAST_ROWS = 3,
      GOOD_ROWS = 12, ROOMY = 4 };
enum { TWO_COLUMNS = 150, THREE_COLUMNS = 190 };   // for cells of lanes that wide

// indent: of the outermost line
typedef struct Columns { int mark, line, text, text_w, strip, words, pitch, indent; } Columns;

static Columns columns_of(const Focus *focus) {
  int left = focus->body.x + FOCUS_INDENT, end = focus->body.x + focus->body.w;
  Columns c = {.mark = left, .line = left + LINE_W, .text = left + LINE_W + 2};
  c.pitch = focus->body.w >= THREE_COLUMNS ? 3 : focus->body.w >= TWO_COLUMNS ? 2 : 1;
  c.strip = end - LANES * c.pitch - (focus->wide ? 26 : 11);
  c.words = c.strip + LANES * c.pitch + 2;
  // code tells more than words
  if (c.strip - c.text < LEAST_TEXT_W) c.strip = end - LANES * c.pitch - 1, c.words = -1;
  bool narrow = c.strip < c.text + LEAST_TEXT_W / 2;   // nor for code
  if (narrow) c.strip = c.text, c.words = -1;
  c.text_w = LS_MAX(c.strip - c.text - 2, 0);
  if (c.text_w > TEXT_W) c.strip -= c.text_w - TEXT_W, c.words -= c.text_w - TEXT_W, c.text_w = TEXT_W;
  return c;
}

static void draw_code(const Focus *focus, const Columns *c, int pc, bool now, int y) {
  const char *text;
  char number[16];
  int line = focus_line(focus->session, pc, &text);
  if (now) canvas_put(focus->canvas, c->mark, y, 0x25b8, ROLE_CURSOR, 0);
  LsText ptx = {0};
  if (!line && focus->session->run->module && pc >= 0) {
    ptx_print_instr(focus->session->run->module, pc, &ptx);
    text = ls_text_str(&ptx);
  }
  snprintf(number, sizeof number, line ? "%d" : "-", line);
  canvas_text_right(focus->canvas, c->line, y, now ? ROLE_CURSOR : ROLE_DIM, 0, number);
  int indent = line ? LS_MAX(episode_indent(focus->session, line) - c->indent, 0) : 0;
  indent = LS_MIN(c->text_w < TIGHT_W ? indent / 2 : indent, c->text_w / 3);
  canvas_text_cut(focus->canvas, c->text + indent, y, c->text_w - indent, ROLE_TEXT, now ? STYLE_BOLD : 0, text);
  ls_text_free(&ptx);
}

// Lines stand as far to the right of one another as in the source.
static int outermost(const Focus *focus, const Episode *e) {
  int least = INT_MAX;
  for (int i = 0; i < e->count; i++)
    if (e->rows[i].line) least = LS_MIN(least, episode_indent(focus->session, e->rows[i].line));
  return least;
}

static void draw_header(const Focus *focus, const Columns *c, int y) {
  if (c->strip > c->text + 4) canvas_text(focus->canvas, c->text, y, ROLE_DIM, 0, "lane");
  lanestrip_header(focus->canvas, c->strip, y, c->pitch);
}

// ---- what ran
// --------------------------------------------------------------------------------------------------------

// How far a row has come: while the branch at the cursor is played, those after it one by one.
static double row_part(const Focus *focus, const Episode *e, int row) {
  bool played = focus->event && focus->event->step == focus->scene->step && e->now >= 0;
  return played && row > e->now ? focus_part(focus, row - e->now - 1, e->count - e->now - 1) : 1;
}

// Lanes come back that the row before is without, but not all do yet.
static bool some_meet(const Episode *e, int row) {
  uint32_t before = row > 0 ? e->rows[row - 1].active : 0, now = e->rows[row].active;
  return e->parted && before && (now & before) == before && now != before && (e->live & ~now);
}

static void draw_row_words(const Focus *focus, const Columns *c, const Episode *e, int row, int y) {
  const EpisodeRow *r = &e->rows[row];
  int active = __builtin_popcount(r->active), live = __builtin_popcount(e->live | r->active);
  bool meet = e->parted && e->ended && row == e->count - 1 && row > 0 && !(e->rows[0].active & ~e->live & ~r->active);
  char words[40];
  if (e->too_long && row == e->count - 1) snprintf(words, sizeof words, "goes on");
  else if (e->begun_earlier && row == 0) snprintf(words, sizeof words, "earlier");
  else if (meet && active == live) snprintf(words, sizeof words, focus->wide ? "all lanes meet" : "all meet");
  else if (some_meet(e, row)) snprintf(words, sizeof words, focus->wide ? "%2d lanes meet" : "%2d meet", active);
  else snprintf(words, sizeof words, "%2d of %d%s", active, live, focus->wide ? " lanes" : "");
  int x = canvas_text(focus->canvas, c->words, y, active < live || meet ? ROLE_TEXT : ROLE_DIM, 0, words);
  if (r->times > 1 && focus->wide) canvas_textf(focus->canvas, x + 1, y, ROLE_DIM, 0, "×%d", r->times);
}

static void draw_row(const Focus *focus, const Columns *c, const Episode *e, int row, int y) {
  const EpisodeRow *r = &e->rows[row];
  double part = row_part(focus, e, row);
  if (part <= 0) return;
  draw_code(focus, c, row == e->now ? e->present_pc : r->pc, row == e->now, y);
  lanestrip_draw(focus->canvas, c->strip, y, c->pitch,
                 (LaneStates){e->live | r->active, lanestrip_first(r->active, part), 0});
  if (c->words >= 0 && part >= 1) draw_row_words(focus, c, e, row, y);
}

static int branch_words(const Focus *focus, char *out, size_t size) {
  const TraceEvent *event = focus->event;
  if (!event || event->kind != TRACE_BRANCH || !(event->flags & TRACE_DIVERGES)) return 0;
  int line = focus_line(focus->session, event->pc, NULL), meet = focus_line(focus->session, event->reconverge, NULL);
  int taken = __builtin_popcount(event->taken), rest = __builtin_popcount(event->active) - taken;
  char where[40] = "where the function ends";
  if (meet) snprintf(where, sizeof where, "line %d", meet);
  return snprintf(out, size, "branch of line %d: %d and %d lanes, meet again at %s", line, rest, taken, where);
}

static void draw_totals(const Focus *focus, const Episode *e, int y) {
  char percent[16], digits[32], words[120];
  int x = focus->body.x + FOCUS_INDENT, end = focus->body.x + focus->body.w - 1;
  if (!e->instructions) return;
  ls_percent((double)e->lanes, (double)e->instructions * LANES, percent);
  x = view_labeled(focus->canvas, x, y, "SIMD efficiency", ROLE_TEXT, percent);
  snprintf(words, sizeof words, " over %s instructions", ls_group_digits(e->instructions, digits));
  if (focus->wide) x = canvas_text(focus->canvas, x, y, ROLE_DIM, 0, words);
  if (branch_words(focus, words, sizeof words) && x + 4 + ls_utf8_width(words) <= end)
    canvas_text(focus->canvas, x + 4, y, ROLE_DIM, 0, words);
}

// Rows that are not shown are counted above and below those around the cursor.
static void draw_window(const Focus *focus, const Columns *c, const Episode *e, int y, int rows) {
  FocusWindow window = focus_window(e->count, rows, e->now);
  if (window.before) focus_before(focus, y++, window.before, "row");
  for (int i = 0; i < window.shown; i++) draw_row(focus, c, e, window.top + i, y++);
  if (window.after) focus_more(focus, y, window.after, "row");
}

// Lines if they have room, else sets of lanes; then totals, the numbers of lanes, a blank row, rows apart.
static void draw_history(Focus *focus, const Episode *lines) {
  Episode sets;
  const Episode *e = lines;
  Columns c = columns_of(focus);
  int y = focus->body.y, rows = focus->body.h;
  if (lines->count > rows) episode_fold(focus->session, lines, &sets), e = &sets;
  c.indent = outermost(focus, e);
  int free = rows - e->count;
  bool totals = free > 0 || (free < 0 && rows > LEAST_ROWS + 1), header = free > 1;
  if (header) draw_header(focus, &c, y++);
  int left = rows - totals - header, step = 2 * e->count - 1 + ROOMY <= left ? 2 : 1;
  if (step == 1) draw_window(focus, &c, e, y, left);
  for (int i = 0; step == 2 && i < e->count; i++) draw_row(focus, &c, e, i, y + 2 * i);
  y += LS_MIN(step * (e->count - 1) + 1, left) + (free > 2 ? 1 : 0);
  if (totals) draw_totals(focus, e, y);
}

// ---- groups of lanes, or the stack
// -----------------------------------------------------------------------------------

static uint32_t live_lanes(const Focus *focus) {
  int warp = focus->session->warp;
  return warp < focus->scene->warp_count ? focus->scene->warps[warp].live : 0;
}

static void draw_group(const Focus *focus, const Columns *c, const SimGroup *group, bool now, int y) {
  char words[48] = "";
  int meet = focus_line(focus->session, group->reconverge, NULL);
  draw_code(focus, c, group->pc, now, y);
  uint32_t runs = group->waiting ? 0 : group->mask;
  lanestrip_draw(focus->canvas, c->strip, y, c->pitch,
                 (LaneStates){live_lanes(focus) | group->mask, runs, group->mask & ~runs});
  if (!focus->wide) snprintf(words, sizeof words, "%2d lanes", __builtin_popcount(group->mask));
  else if (group->reconverge < 0) snprintf(words, sizeof words, "0x%08x", group->mask);
  else if (meet) snprintf(words, sizeof words, "0x%08x to %d", group->mask, meet);
  else snprintf(words, sizeof words, "0x%08x to the end", group->mask);
  if (c->words >= 0) canvas_text(focus->canvas, c->words, y, group->waiting ? ROLE_WAITING : ROLE_TEXT, 0, words);
}

// The lanes of the warp's last event go on, if they can.
static int running_group(const Focus *focus, const SimGroup *groups, int count) {
  int warp = focus->session->warp, at = count - 1;
  uint32_t active = warp < focus->scene->warp_count ? focus->scene->warps[warp].active : 0;
  while (at >= 0 && (groups[at].waiting || !(groups[at].mask & active))) at--;
  return at;
}

static void draw_groups(const Focus *focus, bool stack) {
  SimGroup groups[MAX_GROUPS];
  int count = ses_groups(focus->session, groups, MAX_GROUPS), y = focus->body.y, rows = focus->body.h;
  Columns c = columns_of(focus);
  c.indent = INT_MAX;
  if (count <= 0) {
    canvas_text_cut(focus->canvas, focus->body.x + FOCUS_INDENT, y, focus->body.w - 4, ROLE_DIM, 0,
                    focus->scene->why_not[0] ? focus->scene->why_not : "All lanes of this warp have ended.");
    return;
  }
  bool header = rows > count + 1;
  if (header) {
    canvas_text_cut(focus->canvas, c.text, y, focus->body.x + focus->body.w - c.text, ROLE_DIM, 0,
                    stack ? "next instruction, top of the stack first" : "next instruction of each group");
    if (focus->wide) canvas_text(focus->canvas, c.words, y, ROLE_DIM, 0, "mask       meets at line");
    y++, rows--;
  }
  int shown = count <= rows ? count : LS_MAX(rows - 1, 1), running = stack ? count - 1 :
      running_group(focus, groups, count);
  for (int i = 0; i < shown; i++) {
    int at = count - 1 - i;   // the last one was made last
    draw_group(focus, &c, &groups[at], at == running, y + i);
  }
  if (shown < count && rows > 1) focus_more(focus, y + shown, count - shown, stack ? "level" : "group");
}

static const char *variant_title(const Focus *focus, bool history, bool parted) {
  bool stack = focus->info->sched && strcmp(focus->info->sched, "stack") == 0;
  if (!history) return stack ? "the reconvergence stack" : "groups of lanes";
  return parted ? "who ran what" : "what ran last";
}

static bool is_history(const Session *session) { return session->variant[FOCUS_DIVERGENCE] % 2 == 0; }

void view_draw_divergence(Session *session, Canvas *canvas, Rect rect) {
  Focus focus;
  Episode episode = {0};
  focus_init(session, canvas, rect, &focus);
  if (!focus.scene) return;
  bool stack = focus.info->sched && strcmp(focus.info->sched, "stack") == 0, history = is_history(session);
  if (history) episode_find(&focus, &episode);
  char title[96], right[48];
  snprintf(title, sizeof title, "divergence · warp %d · %s%s", session->warp,
           variant_title(&focus, history, episode.parted),
           history ? "" : view_values_tag(session));
  snprintf(right, sizeof right, "v %s", history ? (stack ? "stack" : "groups") : "history");
  focus_rule(&focus, rect, title, right);
  if (focus.body.h < 1) return;
  if (history) draw_history(&focus, &episode);
  else draw_groups(&focus, stack);
}

static void room_of_history(Focus *focus, FocusRoom *room) {
  Episode lines, sets;
  episode_find(focus, &lines);
  episode_fold(focus->session, &lines, &sets);
  int rows = LS_MAX(lines.count, 1), folded = LS_MAX(sets.count, 1);
  room->least = 1 + LS_MIN(folded, LEAST_ROWS);
  room->good = 1 + LS_MIN(folded, GOOD_ROWS) + 1;
  room->whole = LS_MAX(1 + rows + 3, room->good);
  room->parts = sets.now >= 0 ? LS_MAX(sets.count - sets.now - 1, 1) : 1;
}

void view_room_divergence(Session *session, int cols, FocusRoom *room) {
  enum { PLENTY = 1000 };
  Focus focus;
  SimGroup groups[MAX_GROUPS];
  focus_init(session, NULL, (Rect){0, 0, cols, PLENTY}, &focus);
  *room = (FocusRoom){.least = 2, .good = 2, .whole = 2, .parts = 1};
  if (!focus.scene) return;
  if (is_history(session)) {
    room_of_history(&focus, room);
    return;
  }
  int count = LS_MAX(ses_groups(session, groups, MAX_GROUPS), 1);
  *room = (FocusRoom){.least = 1 + LS_MIN(count, LEAST_ROWS), .good = 2 + count, .whole = 2 + count, .parts = 1};
}
