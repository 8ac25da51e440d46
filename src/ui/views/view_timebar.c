// view_timebar.c: the whole run in one row: how busy it was, what stood out, where the cursor is.
#include <stdlib.h>
#include "base/mem.h"
#include "ui/views/view.h"

// What a mark is drawn as, by its height from low to high, and what the legend calls it.
static const struct { char mark; uint32_t glyphs[3]; Role role; const char *word; } marks[] = {
    {'!', {0x25b2, 0x25b2, 0x25b2}, ROLE_ALARM, "fault"},
    {'c', {0x2585, 0x2587, 0x2588}, ROLE_ALARM, "turns lost to conflicts"},
    {'s', {0x2591, 0x2592, 0x2593}, ROLE_WASTED, "bytes moved in vain"},
    {'l', {0x25bf, 0x25bd, 0x25bc}, ROLE_SET1, "idle lanes"},
    {'d', {0x25b4, 0x25b4, 0x25b4}, ROLE_SET1, "divergent branch"},
    {'b', {0x2502, 0x2502, 0x2502}, ROLE_WAITING, "barrier"},
    {'|', {0x2503, 0x2503, 0x2503}, ROLE_TITLE, "another launch"},
};
static const char heights[] = "height: memory, exchanges, barriers";

uint32_t view_waste_glyph(char mark, int height, Role *role) {
  for (int i = 0; i < LS_COUNT(marks); i++) {
    if (marks[i].mark != mark) continue;
    *role = marks[i].role;
    return marks[i].glyphs[LS_CLAMP((height - 3) / 2, 0, 2)];
  }
  return 0;
}

static void draw_column(Canvas *canvas, int x, int y, const SesBar *bar, bool played) {
  Role role = played ? ROLE_DIM : ROLE_GONE;
  uint32_t glyph = view_waste_glyph(bar->mark, bar->height, &role);
  canvas_put(canvas, x, y, glyph ? glyph : 0x2581u + LS_MIN(bar->height, 7), role, 0);
}

static bool has_mark(const SesBar *bar, int columns, char mark) {
  for (int i = 0; i < columns; i++)
    if (bar[i].mark == mark) return true;
  return false;
}

// What the marks mean, dim below them: only those that are there.
static void draw_legend(Canvas *canvas, int x, int x_end, int y, const SesBar *bar, int columns) {
  for (int i = 0; i < LS_COUNT(marks); i++) {
    if (!has_mark(bar, columns, marks[i].mark)) continue;
    canvas_put(canvas, x, y, marks[i].glyphs[2], marks[i].role, 0);
    x = canvas_text(canvas, x + 2, y, ROLE_DIM, 0, marks[i].word) + 3;
  }
  if (x + (int)sizeof heights < x_end) canvas_text_right(canvas, x_end, y, ROLE_DIM, 0, heights);
}

void view_draw_timebar(Session *session, Canvas *canvas, Rect rect) {
  int columns = rect.w - 2, cursor = 0, y = rect.y;
  if (columns < 1) return;
  SesBar *bar = ls_alloc(sizeof *bar * (size_t)columns);
  ses_time_bar(session, columns, bar, &cursor);
  for (int i = 0; i < columns; i++) draw_column(canvas, rect.x + 1 + i, y, &bar[i], i <= cursor || bar[i].elsewhere);
  canvas_put(canvas, rect.x + 1 + LS_CLAMP(cursor, 0, columns - 1), y, 0x25cf, ROLE_CURSOR, STYLE_BOLD);
  if (rect.h > 1) draw_legend(canvas, rect.x + 1, rect.x + rect.w - 1, y + 1, bar, columns);
  free(bar);
}
