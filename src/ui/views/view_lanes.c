// view_lanes.c: the lanes of every warp of the block.
#include <stdio.h>
#include <string.h>
#include "base/mem.h"
#include "ui/views/view.h"

//   ▸ w0   ████████████████░░░░░░░░░░░░░░░░  16  16 of 32 lanes
//   label  strip                             line words
typedef struct Columns { int mark, label, strip, line_end, words; } Columns;
enum { LANES = 32, ROOMY = 56 };

static Columns columns_of(Rect rect) {
  int left = rect.w >= ROOMY ? 2 : 0;
  Columns c = {.mark = rect.x + left, .label = rect.x + left + 2};
  c.strip = c.label + (rect.w >= ROOMY ? 5 : 3);
  c.line_end = c.strip + LANES + 4;
  c.words = c.line_end + 2;
  if (rect.w < c.line_end - rect.x) c.mark = rect.x, c.label = rect.x + 1, c.strip = rect.x + 4;
  return c;
}

static void header(Canvas *canvas, const Columns *c, int y) {
  static const int marks[] = {0, 8, 16, 24, 31};
  for (int i = 0; i < LS_COUNT(marks); i++) {
    int shift = marks[i] == 31 ? 1 : 0;   // so that 31 ends where the strip does
    canvas_textf(canvas, c->strip + marks[i] - shift, y, ROLE_DIM, 0, "%d", marks[i]);
  }
}

static void state_words(const TraceWarp *warp, char *out, size_t size, Role *role) {
  int live = __builtin_popcount(warp->live), waiting = __builtin_popcount(warp->waiting & warp->live);
  int active = __builtin_popcount(warp->active & warp->live);
  *role = ROLE_DIM;
  out[0] = 0;
  if (live == 0) {
    snprintf(out, size, "done");
  } else if (warp->events == 0) {
    snprintf(out, size, "not started");
  } else if (waiting) {
    *role = ROLE_WAITING;
    if (waiting == live) snprintf(out, size, "at the barrier");
    else snprintf(out, size, "%d at the barrier", waiting);
  } else if (active < live) {
    *role = ROLE_TEXT;
    snprintf(out, size, "%d of %d lanes", active, live);
  }
}

static void draw_warp(Session *session, Canvas *canvas, const Columns *c, Rect body, int y, int w) {
  const Scene *scene = ses_scene(session);
  const TraceWarp *warp = &scene->warps[w];
  bool here = w == session->warp;
  char label[16], number[16], words[40];
  snprintf(label, sizeof label, "w%d", w);
  if (here) canvas_put(canvas, c->mark, y, 0x25b8, ROLE_CURSOR, 0);
  canvas_text(canvas, c->label, y, here ? ROLE_TEXT : ROLE_DIM, here ? STYLE_BOLD : 0, label);
  uint32_t live = warp->events ? warp->live : 0;   // before its first event a warp has no lit and no masked lanes
  canvas_lanes(canvas, c->strip, y, live, warp->active, warp->waiting);
  if (here && session->lane >= 0) {
    const Cell *cell = canvas_at(canvas, c->strip + session->lane, y);
    if (cell) canvas_put(canvas, c->strip + session->lane, y, cell->code, ROLE_CURSOR, 0);
  }
  if (c->line_end > body.x + body.w) return;
  if (scene->warp_line[w]) {
    snprintf(number, sizeof number, "%d", scene->warp_line[w]);
    canvas_text_right(canvas, c->line_end, y, ROLE_DIM, 0, number);
  }
  Role role;
  state_words(warp, words, sizeof words, &role);
  if (c->words + ls_utf8_width(words) <= body.x + body.w) canvas_text(canvas, c->words, y, role, 0, words);
}

// How large the block is, as far as that fits, and what is not shown of it.
static void titles(Session *session, char *title, size_t title_size, char *right, size_t right_size, int shown, int w) {
  const Launch *launch = &session->run->info.launch;
  int warps = ses_scene(session)->warp_count, length = 0;
  const char *plural = warps == 1 ? "warp" : "warps";
  char block[32], blocks[32];
  right[0] = 0;
  if (warps > shown)
    length = snprintf(right, right_size, "▾ %d more warp%s", warps - shown, warps - shown > 1 ? "s" : "");
  int room = w - 8 - (length ? ls_utf8_width(right) + 2 : 0);
  ls_group_digits(session->block, block);
  ls_group_digits(launch_blocks(launch), blocks);
  snprintf(title, title_size, "block %s of %s · %d %s · %u thread%s", block, blocks, warps, plural,
           launch_threads(launch), launch_threads(launch) == 1 ? "" : "s");
  if (ls_utf8_width(title) > room) snprintf(title, title_size, "block %s of %s · %d %s", block, blocks, warps, plural);
  if (ls_utf8_width(title) > room) snprintf(title, title_size, "block %s · %d %s", block, warps, plural);
  if (ls_utf8_width(title) > room) snprintf(title, title_size, "%d %s", warps, plural);
}

void view_draw_lanes(Session *session, Canvas *canvas, Rect rect) {
  int warps[32], shown = ses_lanes_rows(session, rect.h - 2, warps);
  char title[128], right[48];
  titles(session, title, sizeof title, right, sizeof right, shown, rect.w);
  Rect body = view_pane_rule(session, PANE_LANES, canvas, rect, title, right);
  Columns c = columns_of(body);
  header(canvas, &c, body.y);
  for (int i = 0; i < shown; i++) draw_warp(session, canvas, &c, body, body.y + 1 + i, warps[i]);
}
