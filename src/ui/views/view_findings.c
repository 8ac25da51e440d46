// view_findings.c: what the run wastes: a list, worst first, and the chosen one in full: its line, why, the cure,
// the gain;
// then what is as good as it can be.
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "ui/views/syntax.h"
#include "ui/views/view.h"

enum { INDENT = 2, MARK_X = 4, PLACE_X = 6, LABEL_W = 9, MOST_WIDTH = 110, MAX_LINE = 1024, HEIGHT = 7,
      WORDS_ROOM = 8 };

// Where the next row goes; rows above `top` are scrolled away.
typedef struct Pen { Session *session; Canvas *canvas; Rect rect; int y, skip; } Pen;

static bool visible(const Pen *pen) { return pen->y >= pen->skip && pen->y - pen->skip < pen->rect.h; }
static int row_y(const Pen *pen) { return pen->rect.y + pen->y - pen->skip; }

// ---- the list
// --------------------------------------------------------------------------------------------------------

static void place_words(const Finding *finding, char out[24]) {
  if (finding->line) snprintf(out, 24, "line %d", finding->line);
  else snprintf(out, 24, "launch");
}

// What n and the message have in common with the margin: its glyph.
static void draw_mark(Canvas *canvas, int x, int y, const Finding *finding) {
  Role role = ROLE_DIM;
  uint32_t glyph = view_waste_glyph(ses_finding_mark(finding), HEIGHT, &role);
  canvas_put(canvas, x, y, glyph ? glyph : 0xb7, role, 0);
}

static void draw_item(Session *session, Canvas *canvas, Rect rect, int y, int row, int title_w) {
  const Finding *finding = ses_finding(session, row);
  bool chosen = row == session->pick;
  char place[24], share[16];
  if (chosen) {
    canvas_background(canvas, (Rect){rect.x, y, rect.w, 1}, ROLE_SELECTED);
    canvas_put(canvas, rect.x + INDENT, y, 0x25b8, ROLE_CURSOR, STYLE_BOLD);
    canvas->cursor_x = rect.x + INDENT, canvas->cursor_y = y;
  }
  place_words(finding, place);
  snprintf(share, sizeof share, "%.0f%%", 100 * finding->share);
  draw_mark(canvas, rect.x + MARK_X, y, finding);
  canvas_text(canvas, rect.x + PLACE_X, y, ROLE_TEXT, chosen ? STYLE_BOLD : 0, place);
  int x = rect.x + PLACE_X + 10, end = rect.x + rect.w - 2;
  canvas_text_cut(canvas, x, y, title_w, ROLE_TEXT, chosen ? STYLE_BOLD : 0, finding_def(finding->kind)->title);
  canvas_text_right(canvas, end, y, chosen ? ROLE_TEXT : ROLE_DIM, 0, share);
  x += title_w + 2;
  if (end - 6 - x > WORDS_ROOM)
    canvas_text_cut(canvas, x, y, end - 6 - x, chosen ? ROLE_TEXT : ROLE_DIM, 0, finding->message);
}

static Rect draw_list(Session *session, Canvas *canvas, Rect rect, int count) {
  int rows = LS_CLAMP(rect.h / 3, 1, count), first = LS_CLAMP(session->pick - rows / 2, 0, count - rows), title_w = 0;
  for (int i = 0; i < count; i++)
    title_w = LS_MAX(title_w, ls_utf8_width(finding_def(ses_finding(session, i)->kind)->title));
  for (int i = 0; i < rows; i++) draw_item(session, canvas, rect, rect.y + i, first + i, title_w);
  if (first + rows < count) {
    canvas_textf(canvas, rect.x + PLACE_X, rect.y + rows, ROLE_DIM, 0, "▾ %d more", count - first - rows);
    rows++;
  }
  return (Rect){rect.x, rect.y + rows, rect.w, LS_MAX(rect.h - rows, 0)};
}

// ---- the chosen one
// --------------------------------------------------------------------------------------------------

static void put_words(Pen *pen, const char *label, const char *words, Role role) {
  if (!words) return;
  int width = LS_MIN(pen->rect.w - INDENT - LABEL_W - 2, MOST_WIDTH);
  Rect rect = {pen->rect.x + INDENT + LABEL_W, 0, width, 0};
  int rows = canvas_text_wrap(pen->canvas, rect, 0, role, 0, words);
  if (visible(pen)) canvas_text(pen->canvas, pen->rect.x + INDENT, row_y(pen), ROLE_TEXT, STYLE_BOLD, label);
  int above = LS_MAX(pen->skip - pen->y, 0);
  rect.y = pen->rect.y + LS_MAX(pen->y - pen->skip, 0);
  rect.h = LS_CLAMP(pen->rect.y + pen->rect.h - rect.y, 0, rows - above);
  if (rect.h > 0) canvas_text_wrap(pen->canvas, rect, above, role, 0, words);
  pen->y += rows + 1;
}

static const char *file_line(Session *session, const Finding *finding, int line) {
  const TraceInfo *info = &session->run->info;
  int file = finding->file;
  return file >= 0 && file < info->source_count ? ls_line_at(info->sources[file].text, line) : NULL;
}

static void put_line(Pen *pen, const Finding *finding, int line) {
  const char *text = file_line(pen->session, finding, line);
  char copy[MAX_LINE];
  if (!text || line < 1) return;
  snprintf(copy, sizeof copy, "%.*s", (int)strcspn(text, "\r\n"), text);
  for (char *p = copy; *p; p++)
    if (*p == '\t') *p = ' ';
  bool here = line == finding->line;
  if (visible(pen)) {
    int x = pen->rect.x + INDENT, y = row_y(pen);
    canvas_textf(pen->canvas, x, y, here ? ROLE_CURSOR : ROLE_DIM, here ? STYLE_BOLD : 0, "%5d %s", line,
                 here ? "▸" : " ");
    canvas_text_cut(pen->canvas, x + LABEL_W, y, pen->rect.w - INDENT - LABEL_W - 2, here ? ROLE_TEXT : ROLE_DIM,
                    here ? STYLE_BOLD : 0, copy);
  }
  pen->y++;
}

// NULL of a run that wastes nothing.
static void put_finding(Pen *pen, const Finding *finding) {
  if (!finding) return;
  if (finding->line) {
    for (int line = finding->line - 1; line <= finding->line; line++) put_line(pen, finding, line);
    if (finding->other_line > finding->line) put_line(pen, finding, finding->other_line);
    pen->y++;
  }
  put_words(pen, "Waste", finding->message, ROLE_TEXT);
  put_words(pen, "Cause", finding->cause, ROLE_TEXT);
  put_words(pen, "Cure", finding->cure, ROLE_GOOD);
  put_words(pen, "Gain", finding->gain, ROLE_TEXT);
}

static void put_good(Pen *pen, const Findings *all) {
  if (all->good_count && visible(pen))
    canvas_rule(pen->canvas, pen->rect.x, row_y(pen), pen->rect.w, "what is as good as it can be", NULL);
  pen->y += all->good_count > 0;
  for (int i = 0; i < all->good_count; i++, pen->y++) {
    const FindingGood *good = &all->good[i];
    char place[24];
    if (!visible(pen)) continue;
    int x = pen->rect.x + INDENT, y = row_y(pen), room = pen->rect.w - 4;
    if (good->line) snprintf(place, sizeof place, "line %d", good->line);
    else snprintf(place, sizeof place, "launch");
    canvas_put(pen->canvas, x + 2, y, 0x2713, ROLE_GOOD, 0);
    canvas_text_cut(pen->canvas, x + 4, y, 10, ROLE_DIM, 0, place);
    canvas_text_cut(pen->canvas, x + 15, y, LS_MIN(24, room - 15), ROLE_TEXT, 0, good->what);
    canvas_text_cut(pen->canvas, x + 40, y, room - 40, ROLE_TEXT, 0, good->words);
  }
  pen->y += all->good_count > 0;
}

// The words below the list; what has no room there is counted, and scrolled to.
static void draw_words(Session *session, Canvas *canvas, Rect rect, const Findings *all) {
  const Finding *finding = ses_finding(session, session->pick);
  Pen pen = {session, canvas, rect, 0, 1 << 20};
  if (rect.h < 1) return;
  put_finding(&pen, finding);
  put_good(&pen, all);
  put_words(&pen, "Counted", all->scope, ROLE_DIM);
  int rows = pen.y - 1, more = rows > rect.h;
  pen.rect.h -= more;
  session->list_skip = LS_CLAMP(session->list_skip, 0, LS_MAX(rows - pen.rect.h, 0));
  pen.skip = session->list_skip;
  pen.y = 0;
  Rect old = canvas_clip(canvas, pen.rect);
  put_finding(&pen, finding);
  put_good(&pen, all);
  put_words(&pen, "Counted", all->scope, ROLE_DIM);
  canvas_clip(canvas, old);
  int below = rows - pen.skip - pen.rect.h, y = rect.y + rect.h - 1;
  const char *how = canvas->ascii ? "left right" : "←→";
  if (below > 0)
    canvas_textf(canvas, rect.x + INDENT, y, ROLE_CURSOR, 0, "▾ %d more row%s · %s", below, below == 1 ? "" : "s", how);
  else if (more)
    canvas_textf(canvas, rect.x + INDENT, y, ROLE_CURSOR, 0, "▴ %d row%s above · %s", pen.skip,
                 pen.skip == 1 ? "" : "s", how);
}

void view_draw_findings(Session *session, Canvas *canvas, Rect rect) {
  int count = ses_finding_count(session);
  const Findings *all = ses_findings(session);
  canvas_fill(canvas, rect, ' ', ROLE_NONE, 0);
  canvas_background(canvas, rect, ROLE_NONE);
  Rect body = view_rule(canvas, rect, "findings · what this run wastes, worst first", "enter goes there   esc closes");
  if (!count) {
    Rect words = {body.x + INDENT, body.y + 1, body.w - 2 * INDENT, body.h - 1};
    canvas_text_wrap(canvas, words, 0, ROLE_TEXT, 0,
        all ? "Nothing that is known of this run is wasted." : "Of this run too little is known to judge it.");
    if (all) draw_words(session, canvas, (Rect){body.x, body.y + 3, body.w, body.h - 3}, all);
    return;
  }
  session->pick = LS_CLAMP(session->pick, 0, count - 1);
  body.y++, body.h--;
  Rect below = draw_list(session, canvas, body, count);
  char place[24];
  place_words(ses_finding(session, session->pick), place);
  if (below.h < 3) return;
  below.y++, below.h--;
  canvas_rule(canvas, below.x, below.y, below.w, place, finding_def(ses_finding(session, session->pick)->kind)->title);
  draw_words(session, canvas, (Rect){below.x, below.y + 1 + (below.h > 12), below.w, below.h - 1 - (below.h > 12)},
             all);
}
