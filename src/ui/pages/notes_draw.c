// notes_draw.c: notes for a speaker who looks down for a moment: large digits, bold words, few colors.
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "ui/pages/notes_page.h"
#include "ui/pages/rail.h"
#include "ui/views/frame.h"

enum {
  SIDE = 2, BOTTOM = 1,
  DIGIT_W = 3, DIGIT_H = 5,                  // of a digit, in points
  LARGE_COLS = 80, LARGE_ROWS = 24,          // a window from which a point has two cells, else half of one
  LETTER_W = 3, COUNT_W = 10, NEXT_ROWS = 2, LEAST_NOTE = 3, HURRY = 10,
};

// ---- the clock ------------------------------------------------------------------------------------------------------

// Rows of the digits from the top, three points each; then the colon, and the minus.
static const char shapes[][DIGIT_H + 1] = {"75557", "26227", "71747", "71711", "55711", "74717", "74757", "71111",
                                           "75757", "75717", "02020", "00700"};

static int shape_of(char c) { return c == ':' ? 10 : c == '-' ? 11 : c - '0'; }
static int shape_width(char c) { return c == ':' ? 1 : DIGIT_W; }

static bool point(char c, int x, int y) {
  int bits = y < DIGIT_H ? shapes[shape_of(c)][y] - '0' : 0;
  return c == ':' ? bits & 2 : bits & (4 >> x);
}

static void draw_large(Canvas *canvas, int x, int y, char c, Role role) {
  for (int row = 0; row < DIGIT_H; row++)
    for (int col = 0; col < shape_width(c); col++)
      for (int half = 0; half < 2 && point(c, col, row); half++)
        canvas_put(canvas, x + 2 * col + half, y + row, 0x2588, role, 0);
}

static void draw_small(Canvas *canvas, int x, int y, char c, Role role) {
  static const uint32_t halves[] = {' ', 0x2580, 0x2584, 0x2588};
  for (int row = 0; row < DIGIT_H; row += 2)
    for (int col = 0; col < shape_width(c); col++)
      canvas_put(canvas, x + col, y + row / 2, halves[point(c, col, row) + 2 * point(c, col, row + 1)], role, 0);
}

static Role clock_role(int left, int yellow) {
  return left < 0 ? ROLE_ALARM : left <= yellow ? ROLE_CURSOR : ROLE_GOOD;
}

static bool is_large(const Canvas *canvas) { return canvas->cols >= LARGE_COLS && canvas->rows >= LARGE_ROWS; }

// Ends at x_end; returns the columns it takes.
static int draw_clock(Canvas *canvas, int x_end, int y, int left) {
  char text[16];
  bool large = is_large(canvas) && !canvas->ascii;
  int scale = large ? 2 : 1, width = 0;
  notes_clock(left, text);
  for (const char *p = text; *p; p++) width += scale * (shape_width(*p) + 1);
  Role role = clock_role(left, NOTES_YELLOW);
  if (canvas->ascii) {
    canvas_text_right(canvas, x_end, y + 1, role, STYLE_BOLD, text);
    return width;
  }
  int x = x_end - width + scale;
  for (const char *p = text; *p; x += scale * (shape_width(*p++) + 1))
    (large ? draw_large : draw_small)(canvas, x, y, *p, role);
  return width;
}

static int clock_rows(const Canvas *canvas) { return is_large(canvas) && !canvas->ascii ? DIGIT_H : (DIGIT_H + 1) / 2; }

// ---- the note -------------------------------------------------------------------------------------------------------

static int wrapped(int width, const char *text) {
  return rail_text(NULL, (Rect){0, 0, width, 0}, 0, 0, text, ROLE_TEXT);
}

// Bold, and with air between its lines where there is room. Returns skip, no further than there is text.
static int draw_note(Canvas *canvas, Rect rect, const char *text, int skip) {
  int rows = wrapped(rect.w, text), pitch = 2 * rows - 1 <= rect.h ? 2 : 1;
  skip = LS_CLAMP(skip, 0, LS_MAX(rows - rect.h, 0));
  Canvas *lines = canvas_new(rect.w, LS_MAX(rows, 1));
  rail_text(lines, (Rect){0, 0, rect.w, rows}, 0, 0, text, ROLE_TEXT);
  for (int row = skip; row < rows && (row - skip) * pitch < rect.h; row++)
    for (int x = 0; x < rect.w; x++) {
      Cell cell = *canvas_at(lines, x, row);
      cell.style |= STYLE_BOLD;
      canvas->cells[(rect.y + (row - skip) * pitch) * canvas->cols + rect.x + x] = cell;
    }
  canvas_free(lines);
  bool more = rows - skip > rect.h;
  if (more) canvas_text_right(canvas, rect.x + rect.w, rect.y + rect.h - 1, ROLE_DIM, 0, " \u2193 more");
  return skip;
}

// ---- the votes ------------------------------------------------------------------------------------------------------

static void draw_option(Canvas *canvas, Rect row, const Notes *notes, int option, int text_w) {
  bool right = option == notes->right;
  int count = notes->votes[notes->round][option], total = LS_MAX(notes_votes(notes, notes->round), 1);
  canvas_textf(canvas, row.x, row.y, right ? ROLE_GOOD : ROLE_TITLE, STYLE_BOLD, "%c", 'A' + option);
  canvas_text_cut(canvas, row.x + LETTER_W, row.y, text_w, right ? ROLE_GOOD : ROLE_TEXT, right ? STYLE_BOLD : 0,
                  notes->options[option]);
  Rect bar = {row.x + LETTER_W + text_w + 1, row.y, row.w - LETTER_W - text_w - 1 - COUNT_W, 1};
  canvas_meter(canvas, bar.x, bar.y, bar.w, count, total, right ? ROLE_GOOD : ROLE_SET0);
  canvas_textf(canvas, bar.x + bar.w + 1, bar.y, ROLE_TEXT, right ? STYLE_BOLD : 0, "%d %s", count,
               right ? canvas->ascii ? "<-" : "\u2713" : "");
  if (!notes->round) return;
  canvas_textf(canvas, bar.x + bar.w + 6, bar.y, ROLE_DIM, 0, "(%d)", notes->votes[0][option]);
}

static void draw_votes(Canvas *canvas, Rect rect, const Notes *notes) {
  char title[96], right[32] = "";
  int total = notes_votes(notes, notes->round), text_w = 0;
  snprintf(title, sizeof title, "%svotes%s: %d", notes->open ? "" : "closed, ",
           notes->round ? " of the second round" : "", total);
  if (*notes->invitation) snprintf(right, sizeof right, "%d students", notes->students);
  canvas_rule(canvas, 0, rect.y, canvas->cols, title, right);
  for (int i = 0; i < notes->option_count; i++) text_w = LS_MAX(text_w, ls_utf8_width(notes->options[i]));
  text_w = LS_MIN(text_w, rect.w / 2);
  for (int i = 0; i < notes->option_count && i + 1 < rect.h; i++)
    draw_option(canvas, (Rect){rect.x, rect.y + 1 + i, rect.w, 1}, notes, i, text_w);
}

// ---- the page -------------------------------------------------------------------------------------------------------

static void draw_title(const Notes *notes, Canvas *canvas) {
  char right[NOTES_WORDS * 2];
  snprintf(right, sizeof right, "%s%s%s", notes->place, notes->black ? " \u00b7 black" : "",
           notes->off_script ? " \u00b7 off script" : "");
  frame_title(canvas, &(FrameTitle){.crumbs = {"lanescope", "notes", notes->title}, .crumb_count = 3, .right = right});
}

// The clocks of the talk and of the question, and beside them what the hall reads. Returns the row below.
static int draw_head(const NotesView *view, Canvas *canvas) {
  const Notes *notes = view->notes;
  int y = 2, rows = clock_rows(canvas), x_end = canvas->cols - SIDE;
  int width = draw_clock(canvas, x_end, y, notes_left(notes->began, notes->seconds, view->now));
  Rect text = {SIDE, y + 1, canvas->cols - 3 * SIDE - width, rows};
  canvas_text_cut(canvas, SIDE, y, text.w, ROLE_TITLE, STYLE_BOLD, notes->kind);
  canvas_text_wrap(canvas, text, 0, ROLE_TEXT, 0, notes->says);
  if (notes->beat_seconds && (notes->open || !notes->option_count)) {
    char clock[16], words[NOTES_WORDS + 24];
    int left = notes_left(notes->beat_began, notes->beat_seconds, view->now);
    notes_clock(left, clock);
    snprintf(words, sizeof words, "%s %s", notes->kind, clock);
    canvas_text_right(canvas, x_end, y + rows, clock_role(left, HURRY), STYLE_BOLD, words);
  }
  return y + rows + 1;
}

static int votes_rows(const Notes *notes) {
  return notes->option_count ? notes->option_count + 1 : *notes->answer ? 2 : 0;
}

static void draw_next(const Notes *notes, Canvas *canvas, int y, int rows) {
  canvas_rule(canvas, 0, y, canvas->cols, "next", "");
  canvas_text_wrap(canvas, (Rect){SIDE, y + 1, canvas->cols - 2 * SIDE, rows}, 0, ROLE_TEXT, 0, notes->next);
}

static void draw_answer(const Notes *notes, Canvas *canvas, Rect rect) {
  if (notes->option_count) {
    draw_votes(canvas, rect, notes);
    return;
  }
  canvas_rule(canvas, 0, rect.y, canvas->cols, "answer", "");
  canvas_text_cut(canvas, rect.x, rect.y + 1, rect.w, ROLE_GOOD, STYLE_BOLD, notes->answer);
}

static void draw_bottom(const NotesView *view, Canvas *canvas) {
  static const FooterKey keys[] = {{"\u2191\u2193", NULL, "scroll"}, {"q", NULL, "leave"}};
  const Notes *notes = view->notes;
  char words[NOTES_WORDS + 80];
  snprintf(words, sizeof words, "%d follow: lanescope follow %s", notes->students, notes->invitation);
  if (!view->up) frame_message(canvas, "The talk is gone. This goes on when it is there again", true);
  else if (*notes->invitation) frame_message(canvas, words, false);
  else frame_keys(canvas, keys, LS_COUNT(keys));
}

static void draw_waiting(Canvas *canvas) {
  static const FooterKey keys[] = {{"q", NULL, "leave"}};
  Rect rect = {SIDE, canvas->rows / 2 - 2, canvas->cols - 2 * SIDE, 4};
  frame_title(canvas, &(FrameTitle){.crumbs = {"lanescope", "notes"}, .crumb_count = 2});
  canvas_text(canvas, rect.x, rect.y, ROLE_TITLE, STYLE_BOLD, "No talk yet");
  rect.y += 2;
  canvas_text_wrap(canvas, rect, 0, ROLE_TEXT, 0,
                   "lanescope demo NAME on this machine begins one, and its notes come here by themselves.");
  frame_keys(canvas, keys, LS_COUNT(keys));
}

int notes_draw(const NotesView *view, Canvas *canvas) {
  const Notes *notes = view->notes;
  if (!notes) return draw_waiting(canvas), 0;
  draw_title(notes, canvas);
  int top = draw_head(view, canvas), width = canvas->cols - 2 * SIDE, bottom = canvas->rows - BOTTOM;
  int next = LS_MIN(canvas_text_wrap(canvas, (Rect){0, 0, width, 0}, 0, ROLE_TEXT, 0, notes->next), NEXT_ROWS);
  draw_next(notes, canvas, bottom -= next + 1, next);
  int votes = LS_MIN(votes_rows(notes), bottom - top - LEAST_NOTE);
  bottom -= LS_MAX(votes, 0);
  if (votes > 0) draw_answer(notes, canvas, (Rect){SIDE, bottom, width, votes});
  canvas_rule(canvas, 0, top, canvas->cols, "note", "");
  int skip = 0;
  Rect room = {SIDE, top + 1, width, bottom - top - 1};
  if (room.h > 0) skip = draw_note(canvas, room, notes->note, view->skip);
  draw_bottom(view, canvas);
  return skip;
}
