// launch_draw.c: the launch page as a picture: signature, fields with their reasons, and the same as a command line.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/mem.h"
#include "ui/pages/launch_page.h"
#include "ui/views/frame.h"

enum { LEFT = 4, BOX_X = 14, WIDE = 100, LINES = 24 };

static void spot(LaunchPage *self, LaunchSpotKind kind, Rect rect, int index) {
  if (self->spot_count < LAUNCH_SPOTS) self->spots[self->spot_count++] = (LaunchSpot){kind, rect, index};
}

// ---- where everything goes ------------------------------------------------------------------------------------------

// Rows of the parts, and whether blank ones stand before them; what has no room goes in this order: blank rows, lines
// of the command, rows of arguments (they scroll).
enum { GAP_LAUNCH, GAP_RUN, GAP_COMMAND, GAP_ARGS, GAP_TITLE, GAPS };
typedef struct Plan { int title_rows, args, lines, gap[GAPS]; bool main; } Plan;

static int needed(const Plan *p) {
  int rules = 3, launch = 3, run = 1, gaps = 0;
  for (int i = 0; i < GAPS; i++) gaps += p->gap[i];
  return p->title_rows + p->args + p->lines + rules + launch + run + p->main + gaps;
}

static Plan plan_rows(int rows, int title_rows, int args, int lines, bool has_main) {
  Plan p = {.title_rows = title_rows, .args = args, .lines = lines, .gap = {1, 1, 1, 1, 1}, .main = has_main};
  int room = rows - 2;
  for (int i = 0; i < GAPS && needed(&p) > room; i++) p.gap[i] = 0;
  while (needed(&p) > room && p.lines > 2) p.lines--;
  while (needed(&p) > room && p.args > 3) p.args--;
  if (needed(&p) > room) p.main = false;
  while (needed(&p) > room && p.title_rows > 1) p.title_rows--;
  return p;
}

typedef struct Columns { int type_x, value_x, count_w, init_w, number_w, why_x, launch_why_x; const char *of; } Columns;

static const char *shown_type(const SigParam *p, char out[64]) {
  if (p->kind == SIG_BUFFER) snprintf(out, 64, "%s[]", p->element);
  else snprintf(out, 64, "%s", p->type);
  return out;
}

static Columns columns_of(const LaunchPage *self, int cols) {
  const Signature *sig = self->form.sig;
  int name_w = 8, type_w = 10, count_w = 6, init_w = 11;
  char type[64];
  for (int i = 0; i < signature_rows(sig); i++) {
    name_w = LS_MAX(name_w, ls_utf8_width(sig->params[i].name) + (sig->params[i].kind == SIG_VARIABLE));
    type_w = LS_MAX(type_w, ls_utf8_width(shown_type(&sig->params[i], type)));
  }
  for (int i = 0; i < self->form.count; i++) {
    int w = ls_utf8_width(self->form.fields[i].text) + 2;
    if (self->form.fields[i].kind == FIELD_COUNT) count_w = LS_MAX(count_w, w);
    if (self->form.fields[i].kind == FIELD_INIT) init_w = LS_MAX(init_w, w);
  }
  Columns c = {.of = cols >= WIDE ? " elements of " : " of "};
  c.type_x = LEFT + LS_MIN(name_w, cols / 6) + 2;
  c.value_x = c.type_x + LS_MIN(type_w, cols / 5) + 2;
  c.count_w = LS_MIN(count_w, 12);
  c.init_w = LS_MIN(init_w, cols / 4);
  c.number_w = cols >= WIDE ? 20 : 14;
  c.why_x = c.value_x + c.count_w + ls_utf8_width(c.of) + c.init_w + 2;
  c.launch_why_x = cols >= WIDE ? 41 : 32;
  return c;
}

// ---- fields ---------------------------------------------------------------------------------------------------------

// The value of a field on its background; while it is typed, what is typed, and the hardware cursor behind it.
static void draw_box(LaunchPage *self, Canvas *canvas, int field, int x, int y, int w) {
  const Field *f = &self->form.fields[field];
  bool here = field == launch_field(self), typing = here && self->typing;
  bool choice = here && f->kind == FIELD_INIT && !typing;
  char text[sizeof f->text + sizeof self->typed];
  const char *colon = f->kind == FIELD_INIT ? strchr(f->text, ':') : NULL;
  if (typing) snprintf(text, sizeof text, "%.*s%s", colon ? (int)(colon + 1 - f->text) : 0, f->text, self->typed);
  else snprintf(text, sizeof text, "%s", f->text);
  const char *shown = text;
  while (typing && ls_utf8_width(shown) > w - 2) ls_utf8_next(&shown);   // its end is being typed
  canvas_background(canvas, (Rect){x, y, w, 1}, ROLE_SELECTED);
  Role role = f->error[0] && !typing ? ROLE_ALARM : here ? ROLE_CURSOR : ROLE_TEXT;
  int end = x + 1 + canvas_text_cut(canvas, x + 1, y, w - (choice ? 3 : 2), role, here ? STYLE_BOLD : 0, shown);
  if (choice) canvas_put(canvas, x + w - 2, y, 0x25be, ROLE_DIM, 0);
  spot(self, SPOT_FIELD, (Rect){x, y, w, 1}, field);
  if (!here) return;
  canvas->cursor_x = typing ? end : x + 1;
  canvas->cursor_y = y;
  canvas->typing = typing;
}

static void draw_mark(const LaunchPage *self, Canvas *canvas, int row, int y) {
  if (row == self->row) canvas_text(canvas, LEFT - 2, y, ROLE_CURSOR, STYLE_BOLD, "▸");
}

static const Field *wrong_in(const LaunchPage *self, int row) {
  for (int i = 0; i < self->form.count; i++)
    if (self->form.fields[i].row == row && self->form.fields[i].error[0]) return &self->form.fields[i];
  return NULL;
}

// What is wrong with a row, or why it is what it is.
static void draw_why(const LaunchPage *self, Canvas *canvas, int row, int x, int y) {
  const Field *wrong = wrong_in(self, row);
  int width = canvas->cols - x - 1;
  if (width < 8) return;
  if (wrong) x = canvas_text(canvas, x, y, ROLE_ALARM, STYLE_BOLD, "▲") + 1;
  canvas_text_cut(canvas, x, y, canvas->cols - x - 1, wrong ? ROLE_ALARM : ROLE_DIM, 0,
                  wrong ? wrong->error : self->form.why[row]);
}

// The contents to choose from, beside the field that has the cursor.
static void draw_choices(LaunchPage *self, Canvas *canvas, int field, int x, int y) {
  int chosen = form_chosen(&self->form, field), count = form_choices(), first = 0;
  for (int w = 0, i = chosen; i >= 0 && x + w < canvas->cols - 4; i--) {   // the chosen one is among those that fit
    w += (int)strcspn(form_choice(i), ":") + 2;
    first = i;
  }
  if (x + 42 < canvas->cols) first = 0;
  if (first > 0) x = canvas_text(canvas, x, y, ROLE_DIM, 0, "… ");
  for (int i = first; i < count; i++) {
    char word[16];
    snprintf(word, sizeof word, "%.*s", (int)strcspn(form_choice(i), ":"), form_choice(i));
    int w = ls_utf8_width(word);
    if (x + w + (i + 1 < count ? 2 : 0) >= canvas->cols) {
      canvas_text(canvas, x, y, ROLE_DIM, 0, "…");
      return;
    }
    canvas_text(canvas, x, y, i == chosen ? ROLE_CURSOR : ROLE_DIM, i == chosen ? STYLE_BOLD : 0, word);
    spot(self, SPOT_CHOICE, (Rect){x, y, w, 1}, i);
    x += w + 2;
  }
}

static void draw_launch_row(LaunchPage *self, Canvas *canvas, const Columns *c, int row, int y) {
  static const char *const names[] = {"grid", "block", "shared"};
  int field = form_field(&self->form, row, 0);
  const char *text = self->form.fields[field].text;
  int w = LS_CLAMP(ls_utf8_width(text) + 2, 8, 16);
  int commas = 0;
  for (const char *p = text; *p; p++) commas += *p == ',';
  draw_mark(self, canvas, row, y);
  canvas_text(canvas, LEFT, y, ROLE_TEXT, 0, names[row]);
  draw_box(self, canvas, field, BOX_X, y, w);
  const char *behind = row == FORM_SHARED ? "bytes" : commas == 0 ? "x 1 x 1" : commas == 1 ? "x 1" : "";
  int end = canvas_text(canvas, BOX_X + w + 1, y, ROLE_TEXT, 0, behind);
  draw_why(self, canvas, row, LS_MAX(c->launch_why_x, end + 2), y);
}

// A buffer, or a variable, whose size is its own.
static void draw_contents(LaunchPage *self, Canvas *canvas, const Columns *c, int row, int y) {
  int second = form_field(&self->form, row, 1), init = second >= 0 ? second : form_field(&self->form, row, 0);
  bool here = launch_field(self) == init && !self->typing && !wrong_in(self, row);
  int x = c->value_x + c->count_w + ls_utf8_width(c->of);
  if (second >= 0) {
    draw_box(self, canvas, form_field(&self->form, row, 0), c->value_x, y, c->count_w);
    canvas_text(canvas, c->value_x + c->count_w, y, ROLE_TEXT, 0, c->of);
  }
  draw_box(self, canvas, init, x, y, c->init_w);
  if (here) draw_choices(self, canvas, init, c->why_x, y);
  else draw_why(self, canvas, row, c->why_x, y);
}

static void draw_arg(LaunchPage *self, Canvas *canvas, const Columns *c, int param, int y) {
  const SigParam *p = &self->form.sig->params[param];
  int row = FORM_FIRST_ARG + param, field = form_field(&self->form, row, 0);
  char type[64];
  draw_mark(self, canvas, row, y);
  int x = p->kind == SIG_VARIABLE ? canvas_text(canvas, LEFT, y, ROLE_DIM, 0, "@") : LEFT;
  canvas_text_cut(canvas, x, y, c->type_x - x - 1, ROLE_TEXT, 0, p->name);
  canvas_text_cut(canvas, c->type_x, y, c->value_x - c->type_x - 1, ROLE_TEXT, 0, shown_type(p, type));
  if (p->kind == SIG_BUFFER || p->kind == SIG_VARIABLE) {
    draw_contents(self, canvas, c, row, y);
    return;
  }
  int w = c->number_w, text_w = ls_utf8_width(self->form.fields[field].text) + 3;
  if (p->kind != SIG_SCALAR) w = LS_CLAMP(text_w, 24, canvas->cols - c->value_x - 12);
  draw_box(self, canvas, field, c->value_x, y, w);
  draw_why(self, canvas, row, LS_MAX(c->why_x, c->value_x + w + 2), y);
}

// Those rows of arguments that there is room for, the chosen one among them; the others are counted in the rule.
static void draw_args(LaunchPage *self, Canvas *canvas, const Columns *c, const Plan *plan, int y) {
  int all = signature_rows(self->form.sig), chosen = self->row - FORM_FIRST_ARG;
  if (chosen >= 0 && chosen < self->top) self->top = chosen;
  if (chosen >= self->top + plan->args) self->top = chosen - plan->args + 1;
  self->top = LS_CLAMP(self->top, 0, LS_MAX(all - plan->args, 0));
  char more[64] = "";
  int above = self->top, below = all - self->top - plan->args;
  if (above > 0 && below > 0) snprintf(more, sizeof more, "▴ %d more   ▾ %d more", above, below);
  else if (above > 0) snprintf(more, sizeof more, "▴ %d more", above);
  else if (below > 0) snprintf(more, sizeof more, "▾ %d more", below);
  canvas_rule(canvas, 0, y, canvas->cols, "arguments", more[0] ? more : NULL);
  if (!all) canvas_text(canvas, LEFT, y + 1, ROLE_DIM, 0, "the kernel takes none");
  for (int i = 0; i < plan->args && self->top + i < all; i++) draw_arg(self, canvas, c, self->top + i, y + 1 + i);
}

// ---- the rest -------------------------------------------------------------------------------------------------------

static int fold_line(const LaunchPage *self, int cols, LsText *text, const char *lines[LINES]) {
  launch_line(self, text, cols - LEFT - 1);
  int count = 0;
  for (char *p = text->length ? (char *)(uintptr_t)ls_text_str(text) : NULL; p && count < LINES;) {
    lines[count++] = p;
    p = strchr(p, '\n');
    if (p) *p++ = 0;
  }
  return count;
}

static int draw_command(LaunchPage *self, Canvas *canvas, const char **lines, int count, int rows, int y) {
  static const char title[] = "the same on the command line", right[] = "y copies it";
  canvas_rule(canvas, 0, y, canvas->cols, title, right);
  int x = canvas->cols - 4 - ls_utf8_width(right);
  if (x > ls_utf8_width(title) + 8) {
    const Cell *at = canvas_at(canvas, x + 1, y);
    for (int i = 0; i < 4 && at && at->code != 'y'; i++) at = canvas_at(canvas, --x + 1, y);
    if (at && at->code == 'y') canvas_put(canvas, x + 1, y, 'y', ROLE_CURSOR, 0);
    spot(self, SPOT_COPY, (Rect){x, y, canvas->cols - x, 1}, 0);
  }
  for (int i = 0; i < LS_MIN(rows, count); i++) {
    bool cut = i + 1 == rows && count > rows;
    int end = LEFT + canvas_text_cut(canvas, LEFT, y + 1 + i, canvas->cols - LEFT - (cut ? 12 : 1), ROLE_TEXT, 0,
                                     lines[i]);
    if (cut) canvas_textf(canvas, end + 1, y + 1 + i, ROLE_DIM, 0, "▾ %d more", count - rows);
  }
  return y + 1 + rows;
}

static bool any_from(const LaunchPage *self, FieldFrom from) {
  for (int i = 0; i < self->form.count; i++)
    if (self->form.fields[i].from == from) return true;
  return false;
}

static void draw_run(LaunchPage *self, Canvas *canvas, const Plan *plan, int y) {
  const char *words = any_from(self, FROM_KEPT) ? "as you entered it before; watched: save the file, it runs again"
                                                : "kept for this file; watched: save the file, it runs again";
  canvas_text(canvas, LEFT - 2, y, ROLE_CURSOR, 0, canvas->ascii ? "" : "⏎");
  int x = canvas_text(canvas, LEFT, y, ROLE_TEXT, STYLE_BOLD, canvas->ascii ? "enter: run" : "run");
  spot(self, SPOT_RUN, (Rect){LEFT - 2, y, x - LEFT + 2, 1}, 0);
  canvas_text_cut(canvas, LS_MAX(x + 2, 13), y, canvas->cols - LS_MAX(x + 2, 13) - 1, ROLE_DIM, 0, words);
  if (!plan->main) return;
  char text[256];
  const HostLaunch *host = &self->form.host;
  if (host->found) snprintf(text, sizeof text, "main itself is not run here; in line %d it launches <<<%s>>>",
                            host->line, host->text);
  else snprintf(text, sizeof text, "main itself is not run here, only the kernel");
  canvas_text_cut(canvas, 13, y + 1, canvas->cols - 14, ROLE_DIM, 0, text);
}

static void draw_form(LaunchPage *self, Canvas *canvas) {
  const Signature *sig = self->form.sig;
  LsText text = {0};
  const char *lines[LINES];
  char where[160];
  int line_count = fold_line(self, canvas->cols, &text, lines), kernels = self->file->kernels->count;
  if (kernels > 1) snprintf(where, sizeof where, "kernel %d of %d · line %d", self->kernels.chosen + 1, kernels,
                            sig->line);
  else snprintf(where, sizeof where, "line %d of %.100s", sig->line, ls_path_base(self->file->path));
  bool beside = sig->line > 0 && ls_utf8_width(sig->title) + ls_utf8_width(where) + 8 < canvas->cols;
  Rect title = {2, 0, canvas->cols - 4, 0};
  int title_rows = beside ? 1 : LS_MIN(canvas_text_wrap(canvas, title, 0, ROLE_TEXT, 0, sig->title), 3);
  Plan plan = plan_rows(canvas->rows, title_rows, LS_MAX(signature_rows(sig), 1), line_count, self->file->has_main);
  Columns c = columns_of(self, canvas->cols);
  int y = 1 + plan.gap[GAP_TITLE];
  title.y = y;
  title.h = plan.title_rows;
  canvas_text_wrap(canvas, title, 0, ROLE_TEXT, 0, sig->title);
  if (plan.title_rows == 1)
    canvas_text_cut(canvas, 2, y, (int)strcspn(sig->title, "("), ROLE_TEXT, STYLE_BOLD, sig->name);
  if (beside) canvas_text_right(canvas, canvas->cols - 2, y, ROLE_DIM, 0, where);
  y += plan.title_rows + plan.gap[GAP_LAUNCH];
  canvas_rule(canvas, 0, y++, canvas->cols, "launch", NULL);
  for (int row = FORM_GRID; row <= FORM_SHARED; row++) draw_launch_row(self, canvas, &c, row, y++);
  y += plan.gap[GAP_ARGS];
  draw_args(self, canvas, &c, &plan, y);
  y += 1 + plan.args + plan.gap[GAP_COMMAND];
  y = draw_command(self, canvas, lines, line_count, plan.lines, y) + plan.gap[GAP_RUN];
  draw_run(self, canvas, &plan, y);
  ls_text_free(&text);
}

static void draw_error(LaunchPage *self, Canvas *canvas) {
  int y = 2, width = canvas->cols - 2 * LEFT;
  canvas_text(canvas, LEFT - 2, y, ROLE_ALARM, STYLE_BOLD, "▲");
  self->height = canvas->rows - y - 4;
  self->text_rows = canvas_text_wrap(canvas, (Rect){LEFT, y, width, self->height}, self->scroll, ROLE_TEXT, 0,
                                     self->error.message);
  if (self->text_rows - self->scroll > self->height)
    canvas_textf(canvas, LEFT, y + self->height, ROLE_DIM, 0, "▾ %d more rows",
                 self->text_rows - self->scroll - self->height);
  canvas_text_cut(canvas, LEFT, canvas->rows - 2, width, ROLE_DIM, 0,
                  "the file is watched: save it, and it is compiled again");
  canvas->cursor_x = LEFT;
  canvas->cursor_y = y;
}

static void draw_kernels(LaunchPage *self, Canvas *canvas) {
  List *list = &self->kernels;
  canvas_text(canvas, LEFT, 2, ROLE_TEXT, STYLE_BOLD, "Which kernel?");
  list_place(list, 4, canvas->rows - 6);
  for (int i = 0; i < list->count; i++) {
    if (!list_shows(list, i)) continue;
    list_mark(list, canvas, 0, canvas->cols, i);
    canvas_text_cut(canvas, LEFT, list->y + i - list->top, canvas->cols - LEFT - 1, ROLE_TEXT, 0,
                    self->file->kernels->items[i].title);
  }
}

const FooterKey *launch_keys(const LaunchPage *self, int *count) {
  static const FooterKey form[] = {{"↑↓", "up down", "field"}, {"←→", "left right", "choose"}, {"⏎", "enter", "run"},
                                   {"E", NULL, "edit the file"}, {"k", NULL, "another kernel"},
                                   {"tab", NULL, "next field"},
                                   {"?", NULL, "help"}, {"q", NULL, "back"}};
  static const FooterKey one[] = {{"↑↓", "up down", "field"}, {"←→", "left right", "choose"}, {"⏎", "enter", "run"},
                                  {"E", NULL, "edit the file"}, {"tab", NULL, "next field"}, {"?", NULL, "help"},
                                  {"q", NULL, "back"}};
  static const FooterKey typing[] = {{"⏎", "enter", "take it"}, {"↑↓", "up down", "take it, and on"},
                                     {"⌫", "backspace", "delete"},
                                     {"esc", NULL, "as it was"}};
  static const FooterKey letters[] = {{"↑↓", "up down", "field"}, {"←→", "left right", "choose"}, {"⏎", "enter", "run"},
                                      {"esc", NULL, "back"}};
  static const FooterKey error[] = {{"↑↓", "up down", "scroll"}, {"E", NULL, "edit the file"}, {"q", NULL, "back"}};
  static const FooterKey list[] = {{"↑↓", "up down", "choose"}, {"⏎", "enter", "take it"}, {"/", NULL, "find"},
                                   {"esc", NULL, "close"}};
#define KEYS(table) (*count = LS_COUNT(table), table)
  if (self->choosing) return KEYS(list);
  if (self->error.kind || !self->has_form) return KEYS(error);
  if (self->typing) return KEYS(typing);
  if (launch_takes_letters(self)) return KEYS(letters);
  return self->file->kernels->count > 1 ? KEYS(form) : KEYS(one);
#undef KEYS
}

static void draw_title(const LaunchPage *self, Canvas *canvas) {
  char how[64] = "", shorter[32] = "";
  if (self->file && self->file->compiler[0]) {
    int digits = self->file->seconds < 0.1 ? 2 : 1;
    snprintf(how, sizeof how, "%s · compiled in %.*f s", self->file->compiler, digits, self->file->seconds);
    snprintf(shorter, sizeof shorter, "compiled in %.*f s", digits, self->file->seconds);
  }
  FrameTitle title = {.crumbs = {"lanescope", ls_path_base(self->request.what), "launch"}, .crumb_count = 3,
                      .middle = {how, shorter}};
  frame_title(canvas, &title);
}

static void draw_bottom(const LaunchPage *self, Canvas *canvas) {
  static const double NOTICED_AFTER = 0.08;   // seconds without a word
  char with[48] = "";
  int count;
  const FooterKey *keys = launch_keys(self, &count);
  const char *compiler = self->reading ? reading_compiler(self->reading) : NULL;
  if (compiler) snprintf(with, sizeof with, "with %s", compiler);
  if (self->reading && (self->seconds >= NOTICED_AFTER || !self->has_form))
    frame_progress(canvas, &(FrameProgress){.stage = "compiling", .note = with, .seconds = self->seconds,
                                            .permille = -1});
  else if (self->choosing && self->kernels.searching) frame_prompt(canvas, "/", self->kernels.search, "a name");
  else if (self->note[0]) frame_message(canvas, self->note, self->note_is_error);
  else frame_keys(canvas, keys, count);
}

void launch_draw(LaunchPage *self, Canvas *canvas) {
  self->spot_count = 0;
  self->cols = canvas->cols;
  self->rows = canvas->rows;
  self->ascii = canvas->ascii;
  draw_title(self, canvas);
  if (self->choosing) draw_kernels(self, canvas);
  else if (self->error.kind) draw_error(self, canvas);
  else if (self->has_form) draw_form(self, canvas);
  draw_bottom(self, canvas);
}
