// frame.c: title bar, footer, prompt.
#include "ui/views/frame.h"
#include <stdio.h>
#include <string.h>
#include "base/mem.h"

enum { GAP = 3 };
static const char separator[] = " ▸ ";

static Rect bar_at(Canvas *canvas, int y) {
  Rect bar = {0, y, canvas->cols, 1};
  canvas_fill(canvas, bar, ' ', ROLE_TEXT, 0);
  canvas_background(canvas, bar, ROLE_BAR);
  return bar;
}

static int crumbs_width(const FrameTitle *title, int first) {
  int width = 1;
  for (int i = first; i < title->crumb_count; i++)
    width += ls_utf8_width(title->crumbs[i]) + (i > first ? ls_utf8_width(separator) : 0);
  return width;
}

// A name that is longer than the line is cut.
static int draw_crumbs(Canvas *canvas, const FrameTitle *title, int first) {
  int x = 1, end = canvas->cols - 1;
  for (int i = first; i < title->crumb_count; i++) {
    if (i > first) x += canvas_text_cut(canvas, x, 0, end - x, ROLE_DIM, 0, separator);
    x += canvas_text_cut(canvas, x, 0, end - x, i ? ROLE_TEXT : ROLE_TITLE, i ? 0 : STYLE_BOLD, title->crumbs[i]);
  }
  return x;
}

// Draws text ending before x_end if it leaves `taken` columns alone; returns where it begins, or x_end.
static int draw_right(Canvas *canvas, int x_end, int taken, Role role, const char *text) {
  if (!text || !*text || x_end - ls_utf8_width(text) < taken + GAP) return x_end;
  return canvas_text_right(canvas, x_end, 0, role, 0, text);
}

static int width_of(const char *text) { return text && *text ? ls_utf8_width(text) + GAP : 0; }

// The first of the middles that leaves room for everything else, if need be without the name of the program; for the
// shortest one of several more crumbs may go.
static const char *choose_middle(const FrameTitle *title, int others, int x_end, bool keeps_name, int *first) {
  int name = title->crumb_count > 2 ? LS_MAX(*first, 1) : *first;
  for (int i = 0; i < LS_COUNT(title->middle) && title->middle[i]; i++) {
    bool shortest = i > 0 && (i + 1 == LS_COUNT(title->middle) || !title->middle[i + 1]);
    for (int crumb = *first; crumb <= (shortest && !keeps_name ? title->crumb_count - 1 : name); crumb++)
      if (crumbs_width(title, crumb) + others + width_of(title->middle[i]) <= x_end) {
        *first = crumb;
        return title->middle[i];
      }
  }
  return NULL;
}

// In full beside everything else in full, else in short, for which the state may go. NULL: there is no room for it.
static const char *choose_found(const FrameTitle *title, int first, int right_w, int state_w, int x_end) {
  int taken = crumbs_width(title, LS_MAX(first, LS_MIN(title->crumb_count - 1, 1))) + right_w;
  if (!title->found[0]) return NULL;
  if (taken + state_w + width_of(title->middle[0]) + width_of(title->found[0]) <= x_end) return title->found[0];
  return taken + width_of(title->found[1]) <= x_end ? title->found[1] : NULL;
}

// What of the title has room beside the words at its right.
typedef struct Fitted { int first; const char *right, *news, *found, *state, *middle; } Fitted;

// The middle has room beside the others, for which the state goes first, and then a name that is not needed.
static void fit_middle(const FrameTitle *title, int others, int x_end, Fitted *f) {
  int state_w = f->state ? width_of(title->state) : 0;
  for (int i = 0; i < (title->needs_name ? 2 : 4) && !f->middle; i++) {
    bool stateless = i % 2 == 1;
    f->middle = choose_middle(title, others + (stateless ? 0 : state_w), x_end, i < 2, &f->first);
    if (f->middle && stateless) f->state = NULL;
  }
}

static Fitted fit(const FrameTitle *title, const char *right, bool brief_news, int x_end) {
  Fitted f = {.right = right};
  int right_w = width_of(right), state_w = width_of(title->state), few_w = width_of(title->news[1]);
  while (f.first + 1 < title->crumb_count && crumbs_width(title, f.first) + right_w + few_w > x_end) f.first++;
  int later = LS_MIN(f.first + 1, LS_MAX(title->crumb_count - 2, 0));   // one crumb less is as good
  bool all = crumbs_width(title, later) + right_w + width_of(title->news[0]) <= x_end;
  f.news = title->news[all && !brief_news ? 0 : 1];
  right_w += width_of(f.news);
  while (f.first + 1 < title->crumb_count && crumbs_width(title, f.first) + right_w > x_end) f.first++;
  f.found = choose_found(title, f.first, right_w, state_w, x_end);
  right_w += width_of(f.found);
  while (f.first + 1 < title->crumb_count && crumbs_width(title, f.first) + right_w > x_end) f.first++;
  f.state = crumbs_width(title, f.first) + right_w + state_w <= x_end ? title->state : NULL;
  fit_middle(title, right_w, x_end, &f);
  return f;
}

// What is shown keeps its name, if need be beside a place in few words, and news in few if the name matters more.
static Fitted fit_named(const FrameTitle *title, int x_end) {
  Fitted f = fit(title, title->right, false, x_end);
  const char *rights[] = {title->right, title->right_brief ? title->right_brief : title->right};
  for (int i = 1; i < (title->needs_name ? 4 : 2) && f.first > 1; i++) {
    Fitted other = fit(title, rights[i % 2], i >= 2, x_end);
    if (other.first <= 1) f = other;
  }
  return f;
}

void frame_title(Canvas *canvas, const FrameTitle *title) {
  int x_end = canvas->cols - 1;
  Fitted f = fit_named(title, x_end);
  bar_at(canvas, 0);
  int taken = draw_crumbs(canvas, title, f.first);
  int x = draw_right(canvas, x_end, taken, ROLE_TEXT, f.state);
  if (x < x_end) x_end = x - GAP;
  x = draw_right(canvas, x_end, taken, ROLE_TEXT, f.right);
  if (x < x_end) x_end = x - GAP;
  x = draw_right(canvas, x_end, taken, ROLE_CURSOR, f.found);
  if (x < x_end) x_end = x - GAP;
  x = draw_right(canvas, x_end, taken, title->alarming ? ROLE_ALARM : ROLE_DIM, f.news);
  if (x < x_end) x_end = x - GAP;
  bool roomy = f.middle && x_end - 1 - ls_utf8_width(f.middle) >= taken + GAP;
  draw_right(canvas, x_end - (roomy && x < canvas->cols - 1), taken, ROLE_DIM, f.middle);
}

static void draw_key(Canvas *canvas, int x, int y, const char *keys, const char *word) {
  x = canvas_text(canvas, x, y, ROLE_CURSOR, 0, keys);
  canvas_text(canvas, x + 1, y, ROLE_DIM, 0, word);
}

void frame_footer(Canvas *canvas, unsigned context) {
  FooterItem items[FOOTER_ROOM];
  int count = footer_compute(canvas->cols - 1, context, !canvas->ascii, items), y = canvas->rows - 1;
  bar_at(canvas, y);
  for (int i = 0; i < count; i++) draw_key(canvas, items[i].x, y, items[i].keys, items[i].word);
}

void frame_keys(Canvas *canvas, const FooterKey *keys, int count) {
  FooterItem items[FOOTER_ROOM];
  int y = canvas->rows - 1;
  count = footer_place(canvas->cols, !canvas->ascii, keys, count, items);
  bar_at(canvas, y);
  for (int i = 0; i < count; i++) draw_key(canvas, items[i].x, y, items[i].keys, items[i].word);
}

// A message that is too long for one row takes a few of those above: it is gone with the next key.
void frame_message(Canvas *canvas, const char *text, bool is_error) {
  enum { MOST = 4 };
  Role role = is_error ? ROLE_ALARM : ROLE_TEXT;
  int x = is_error ? 3 : 1;
  Rect words = {x, 0, canvas->cols - x - 1, 0};
  words.h = LS_CLAMP(canvas_text_wrap(canvas, words, 0, role, 0, text), 1, MOST);
  words.y = canvas->rows - words.h;
  for (int y = words.y; y < canvas->rows; y++) bar_at(canvas, y);
  if (is_error) canvas_text(canvas, 1, words.y, ROLE_ALARM, STYLE_BOLD, "▲");
  canvas_text_wrap(canvas, words, 0, role, 0, text);
}

int frame_notice(Canvas *canvas, const char *text) {
  enum { MOST = 3, INDENT = 2 };
  Rect words = {INDENT, 0, canvas->cols - 2 * INDENT, 0};
  words.h = LS_MIN(canvas_text_wrap(canvas, words, 0, ROLE_WAITING, 0, text), MOST);
  words.y = canvas->rows - 1 - words.h;
  canvas_text_wrap(canvas, words, 0, ROLE_WAITING, 0, text);
  return words.h;
}

void frame_prompt(Canvas *canvas, const char *prompt, const char *input, const char *help) {
  int y = canvas->rows - 1, help_w = help ? ls_utf8_width(help) : 0;
  bar_at(canvas, y);
  int x = canvas_text(canvas, 1, y, ROLE_CURSOR, STYLE_BOLD, prompt);
  int room = LS_MAX(canvas->cols - x - 2, 1);
  while (ls_utf8_width(input) > room) ls_utf8_next(&input);
  x = canvas_text(canvas, x, y, ROLE_TEXT, 0, input);
  if (help && x + GAP + help_w < canvas->cols) canvas_text_right(canvas, canvas->cols - 1, y, ROLE_DIM, 0, help);
  canvas->cursor_x = x;
  canvas->cursor_y = y;
  canvas->typing = true;
}

void frame_progress(Canvas *canvas, const FrameProgress *progress) {
  enum { METER = 30, CANCEL = 12 };
  static const double WORTH_SAYING = 1;   // seconds
  int y = canvas->rows - 1, permille = progress->permille, x_end = canvas->cols - CANCEL;
  bar_at(canvas, y);
  int x = canvas_text(canvas, 1, y, ROLE_TEXT, 0, progress->stage && *progress->stage ? progress->stage : "starting") + 1;
  if (progress->note && *progress->note) x += canvas_text_cut(canvas, x, y, x_end - x - 1, ROLE_TEXT, 0, progress->note) + 1;
  if (progress->seconds >= WORTH_SAYING) x = canvas_textf(canvas, x, y, ROLE_DIM, 0, "%.1f s", progress->seconds) + 1;
  if (progress->bytes) {
    canvas_textf(canvas, x, y, ROLE_TEXT, 0, "%.1f MB", (double)progress->bytes / 1e6);
  } else if (permille >= 0 && x + METER + 7 < x_end) {
    canvas_meter(canvas, x + 1, y, METER, permille, 1000, ROLE_ACTIVE);
    canvas_textf(canvas, x + METER + 3, y, ROLE_DIM, 0, "%3d%%", permille / 10);
  }
  draw_key(canvas, x_end, y, "esc", "cancel");
}

void frame_too_small(Canvas *canvas, int cols, int rows) {
  char size[64];
  snprintf(size, sizeof size, "%d x %d; lanescope needs %d x %d", canvas->cols, canvas->rows, cols, rows);
  const char *lines[] = {"This window is small.", size, "Enlarge it, or use --plain."};
  for (int i = 0; i < LS_COUNT(lines); i++) {
    int x = LS_MAX((canvas->cols - ls_utf8_width(lines[i])) / 2, 0);
    canvas_text_cut(canvas, x, (canvas->rows - LS_COUNT(lines)) / 2 + i, canvas->cols, i ? ROLE_DIM : ROLE_TEXT, 0,
                    lines[i]);
  }
}
