// view_divergence.c: which lanes ran which line, and where they meet again.
#include <stdio.h>
#include <string.h>
#include "base/mem.h"
#include "ui/views/focus/focus.h"

// Time runs downwards, the last row is the present:
//     12  if (id < k)               ████████████████████████████████  32 of 32
//   ▸ 13    ts[id] += ts[id + k];   ████████████████░░░░░░░░░░░░░░░░  16 of 32  ×3
enum { LANES = 32, MAX_VISITS = 96, WALK_STEPS = 8192, MAX_PERIOD = 3, MAX_GROUPS = 32 };

// Instructions in a row on one line by the same lanes. Newest first.
typedef struct Visit { int line, pc, times; uint32_t active; } Visit;

typedef struct History {
  Visit visits[MAX_VISITS]; int count;
  uint64_t instructions, lanes;    // lanes: active ones, summed over instructions
  bool whole;                      // reaches back to the start of the warp
} History;

typedef struct Columns { int mark, line, text, text_w, strip, words; } Columns;

// ---- history ---------------------------------------------------------------------------------------------------------

static bool same_visits(const History *h, int a, int b, int count) {
  for (int i = 0; i < count; i++)
    if (h->visits[a + i].line != h->visits[b + i].line || h->visits[a + i].active != h->visits[b + i].active) return false;
  return true;
}

// The rounds of a loop are the same few rows again and again: they become one round with a count.
static void fold_loops(History *h) {
  for (int period = 1; period <= MAX_PERIOD && 2 * period <= h->count; period++) {
    int older = h->count - period, newer = older - period;
    if (!same_visits(h, newer, older, period)) continue;
    for (int i = 0; i < period; i++) h->visits[newer + i].times += h->visits[older + i].times;
    h->count = older;
    return;
  }
}

static void note(History *h, const Session *session, const TraceEvent *event, int *at) {
  int file, line = 0;
  h->instructions++;
  h->lanes += (unsigned)__builtin_popcount(event->active);
  if (!session->run->module || !ptx_line_of(session->run->module, event->pc, &file, &line)) line = 0;
  if (*at >= 0 && *at < h->count) {
    Visit *last = &h->visits[*at];
    bool same = line == 0 || last->line == 0 || line == last->line;
    if (same && last->active == event->active) {
      if (last->line == 0) last->line = line, last->pc = event->pc;   // code without a line belongs to the one before
      return;
    }
  }
  if (h->count == MAX_VISITS) return;
  fold_loops(h);
  h->visits[h->count] = (Visit){line, event->pc, 1, event->active};
  *at = h->count++;
}

// Events of other warps lie between those of this one; a bounded number of steps is looked at.
static void gather(const Focus *focus, History *h) {
  Session *session = focus->session;
  TraceBlock block = focus_block(focus);
  TraceEvent event;
  int at = -1;
  memset(h, 0, sizeof *h);
  if (!block.count) return;
  for (uint64_t i = 0; i < WALK_STEPS; i++) {
    if (session->step < block.first + i) {
      h->whole = true;
      return;
    }
    if (!trace_event(session->run->trace, session->step - i, &event, NULL)) return;
    if (event.warp == session->warp && event.kind != TRACE_FAULT) note(h, session, &event, &at);
  }
}

static Columns columns_of(const Focus *focus) {
  int left = focus->body.x + FOCUS_INDENT, end = focus->body.x + focus->body.w;
  Columns c = {.mark = left, .line = left + 6, .text = left + 8};
  c.strip = end - LANES - (focus->wide ? 26 : 13);
  c.words = c.strip + LANES + 2;
  bool narrow = c.strip < c.text;   // no room for code and words
  if (narrow) c.strip = c.text, c.words = -1;
  c.text_w = LS_MAX(c.strip - c.text - 2, 0);
  if (c.text_w > 60) c.strip -= c.text_w - 60, c.words -= c.text_w - 60, c.text_w = 60;
  return c;
}

static void draw_code(const Focus *focus, const Columns *c, int pc, bool now, int y) {
  const char *text;
  char number[16];
  int line = focus_line(focus->session, pc, &text);
  if (now) canvas_put(focus->canvas, c->mark, y, 0x25b8, ROLE_CURSOR, 0);
  snprintf(number, sizeof number, line ? "%d" : "-", line);
  LsText ptx = {0};
  if (!line && focus->session->run->module && pc >= 0) {
    ptx_print_instr(focus->session->run->module, pc, &ptx);
    text = ls_text_str(&ptx);
  }
  canvas_text_right(focus->canvas, c->line, y, now ? ROLE_CURSOR : ROLE_DIM, 0, number);
  canvas_text_cut(focus->canvas, c->text, y, c->text_w, now ? ROLE_TEXT : ROLE_DIM, 0, text);
  ls_text_free(&ptx);
}

static uint32_t live_lanes(const Focus *focus) {
  int warp = focus->session->warp;
  return warp < focus->scene->warp_count ? focus->scene->warps[warp].live : 0;
}

static void draw_visit(const Focus *focus, const Columns *c, const Visit *visit, bool now, int y) {
  uint32_t live = live_lanes(focus) | visit->active;
  int active = __builtin_popcount(visit->active);
  draw_code(focus, c, visit->pc, now, y);
  canvas_lanes(focus->canvas, c->strip, y, live, visit->active, 0);
  if (c->words < 0) return;
  Role role = active < __builtin_popcount(live) ? ROLE_TEXT : ROLE_DIM;
  int x = canvas_textf(focus->canvas, c->words, y, role, 0, "%2d of %d%s", active, __builtin_popcount(live),
                       focus->wide ? " lanes" : "");
  if (visit->times > 1 && focus->wide) canvas_textf(focus->canvas, x + 1, y, ROLE_DIM, 0, "×%d", visit->times);
}

static int branch_words(const Focus *focus, char *out, size_t size) {
  const TraceEvent *event = &focus->scene->event;
  if (focus->scene->has_focus && focus->scene->focus.kind == TRACE_BRANCH) event = &focus->scene->focus;
  if (event->kind != TRACE_BRANCH || !(event->flags & TRACE_DIVERGES)) return 0;
  int line = focus_line(focus->session, event->pc, NULL), meet = focus_line(focus->session, event->reconverge, NULL);
  int taken = __builtin_popcount(event->taken), rest = __builtin_popcount(event->active) - taken;
  char where[40] = "where the function ends";
  if (meet) snprintf(where, sizeof where, "line %d", meet);
  return snprintf(out, size, "branch of line %d: %d and %d lanes, meet again at %s", line, rest, taken, where);
}

static void draw_totals(const Focus *focus, const History *h, int y) {
  char percent[16], digits[32], words[120];
  int x = focus->body.x + FOCUS_INDENT, end = focus->body.x + focus->body.w - 1;
  if (!h->instructions) return;
  focus_percent((int64_t)h->lanes, (int64_t)h->instructions * LANES, percent);
  x = view_labeled(focus->canvas, x, y, "lanes active", ROLE_TEXT, percent);
  const char *since = h->whole ? "so far" : "of the last";
  snprintf(words, sizeof words, " %s %s instructions", h->whole ? "over" : since, ls_group_digits(h->instructions, digits));
  if (focus->wide) x = canvas_text(focus->canvas, x, y, ROLE_DIM, 0, words);
  if (branch_words(focus, words, sizeof words) && x + 4 + ls_utf8_width(words) <= end)
    canvas_text(focus->canvas, x + 4, y, ROLE_DIM, 0, words);
}

static void draw_history(const Focus *focus) {
  History h;
  gather(focus, &h);
  Columns c = columns_of(focus);
  bool totals = focus->body.h >= 3;
  int rows = focus->body.h - totals, shown = LS_MIN(rows, h.count);
  // A blank row sets the totals apart where there is room.
  if (totals && focus->body.h >= 6 && shown == rows) shown--;
  for (int i = 0; i < shown; i++) draw_visit(focus, &c, &h.visits[shown - 1 - i], i == shown - 1, focus->body.y + i);
  if (totals) draw_totals(focus, &h, focus->body.y + shown + (focus->body.h >= 6));
}

// ---- groups of lanes, or the stack -----------------------------------------------------------------------------------

static void draw_group(const Focus *focus, const Columns *c, const SimGroup *group, bool now, int y) {
  char words[48] = "";
  int meet = focus_line(focus->session, group->reconverge, NULL);
  draw_code(focus, c, group->pc, now, y);
  uint32_t runs = group->waiting ? 0 : group->mask;
  canvas_lanes(focus->canvas, c->strip, y, live_lanes(focus) | group->mask, runs, group->mask & ~runs);
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
  int shown = count <= rows ? count : LS_MAX(rows - 1, 1), running = stack ? count - 1 : running_group(focus, groups, count);
  for (int i = 0; i < shown; i++) {
    int at = count - 1 - i;   // the last one was made last
    draw_group(focus, &c, &groups[at], at == running, y + i);
  }
  if (shown < count && rows > 1) focus_more(focus, y + shown, count - shown, stack ? "level" : "group");
}

void view_draw_divergence(Session *session, Canvas *canvas, Rect rect) {
  Focus focus;
  focus_init(session, canvas, rect, &focus);
  if (!focus.scene) return;
  bool stack = focus.info->sched && strcmp(focus.info->sched, "stack") == 0, history = session->variant[FOCUS_DIVERGENCE] % 2 == 0;
  const char *other = stack ? "the reconvergence stack" : "groups of lanes";
  char title[96], right[48];
  snprintf(title, sizeof title, "divergence · warp %d · %s%s", session->warp, history ? "what ran" : other,
           history ? "" : view_values_tag(session));
  snprintf(right, sizeof right, "v %s", history ? (stack ? "stack" : "groups") : "history");
  focus_rule(&focus, rect, title, right);
  if (history) draw_history(&focus);
  else draw_groups(&focus, stack);
}

void view_room_divergence(Session *session, int cols, FocusRoom *room) {
  (void)session, (void)cols;
  *room = (FocusRoom){.least = 6, .good = 10, .whole = 14, .parts = 1};
}
