// panel.c: parameters as sliders, the choice of a comparison, help.
#include "ui/panels/panel.h"
#include <string.h>
#include "base/mem.h"
#include "ui/views/view.h"

// ---- parameters ------------------------------------------------------------------------------------------------------

//   ▸ threads   256   ───────●──────  32 .. 1024
enum { NAME_X = 4, SLIDER_MIN = 12, SLIDER_MAX = 32, GAP = 2 };

static void draw_slider(Canvas *canvas, int x, int y, int width, double share, bool chosen) {
  int knob = (int)(LS_CLAMP(share, 0.0, 1.0) * (width - 1) + 0.5);
  for (int i = 0; i < width; i++) canvas_put(canvas, x + i, y, 0x2500, i < knob ? ROLE_ACTIVE : ROLE_RULE, 0);
  canvas_put(canvas, x + knob, y, 0x25cf, chosen ? ROLE_CURSOR : ROLE_ACTIVE, 0);
}

typedef struct Widths { int name, value, note; } Widths;   // note: of those beside a slider, so that sliders are alike

static Widths widths_of(const Session *session) {
  Widths w = {6, LS_MAX(5, ls_utf8_width(session->input)), 0};
  SesParam param;
  for (int i = 0; ses_param(session, i, &param); i++) {
    w.name = LS_MAX(w.name, ls_utf8_width(param.name));
    w.value = LS_MAX(w.value, ls_utf8_width(param.value));
    if (param.slider) w.note = LS_MAX(w.note, ls_utf8_width(param.note));
  }
  w.name = LS_MIN(w.name, 20);
  return w;
}

static void draw_chosen(Canvas *canvas, Rect body, int y) {
  canvas_background(canvas, (Rect){body.x, y, body.w, 1}, ROLE_SELECTED);
  canvas_put(canvas, body.x + 2, y, 0x25b8, ROLE_CURSOR, 0);
  canvas->cursor_x = body.x + 2;
  canvas->cursor_y = y;
}

// input: a value that is being typed into the chosen row, "" if none is.
static void draw_param(Canvas *canvas, Rect body, int y, const SesParam *param, Widths w, bool chosen, const char *input) {
  bool typing = chosen && *input;
  if (chosen) draw_chosen(canvas, body, y);
  int x = body.x + NAME_X;
  canvas_text_cut(canvas, x, y, w.name, chosen ? ROLE_TEXT : ROLE_DIM, 0, param->name);
  x += w.name + GAP;
  canvas_text_right(canvas, x + w.value, y, typing ? ROLE_CURSOR : ROLE_TEXT, chosen ? STYLE_BOLD : 0,
                    typing ? input : param->value);
  if (typing) canvas->cursor_x = x + w.value, canvas->typing = true;
  x += w.value + GAP;
  int note_w = ls_utf8_width(param->note), room = body.x + body.w - 1 - x;
  int slider = param->slider ? LS_MIN(room - w.note - GAP, SLIDER_MAX) : 0;
  if (param->slider && slider < SLIDER_MIN) slider = LS_MIN(room, SLIDER_MAX), note_w = 0;
  if (slider >= 4) draw_slider(canvas, x, y, slider, param->share, chosen);
  if (slider > 0) x += slider + GAP;
  if (note_w && x + note_w < body.x + body.w) canvas_text(canvas, x, y, ROLE_DIM, 0, param->note);
}

void panel_params(Session *session, Canvas *canvas, Rect rect) {
  Rect body = view_rule(canvas, rect, "parameters", session->want_rerun ? "running" : "esc closes");
  Widths w = widths_of(session);
  int first, rows = ses_param_window(session, body.h, &first);
  SesParam param;
  for (int i = 0; i < rows && ses_param(session, first + i, &param); i++)
    draw_param(canvas, body, body.y + i, &param, w, first + i == session->pick, session->input);
  LsText help = {0};
  ses_pick_help(session, &help);
  Rect words = {body.x + 2, body.y + rows + (body.h > rows + 2 ? 1 : 0), body.w - 3, 0};
  words.h = body.y + body.h - words.y;
  canvas_text_wrap(canvas, words, 0, ROLE_DIM, 0, ls_text_str(&help));
  ls_text_free(&help);
}

void panel_compare_pick(Session *session, Canvas *canvas, Rect rect) {
  Rect body = view_rule(canvas, rect, "compare with", "esc closes");
  int count = ses_compare_count(session), first = LS_CLAMP(session->pick - body.h / 2, 0, LS_MAX(count - body.h, 0));
  for (int i = first; i < count && i < first + body.h; i++) {
    int y = body.y + i - first;
    bool chosen = i == session->pick;
    if (chosen) draw_chosen(canvas, body, y);
    canvas_text_cut(canvas, body.x + NAME_X, y, body.w - NAME_X - 1, chosen ? ROLE_TEXT : ROLE_DIM, 0,
                    ses_compare_choice(session, i));
  }
  if (!count)
    canvas_text_cut(canvas, body.x + NAME_X, body.y, body.w - NAME_X - 1, ROLE_DIM, 0,
                    "there is nothing to compare with");
}

// ---- lists -----------------------------------------------------------------------------------------------------------

enum { HELP_ROWS = 5, MOST_WHO = 24 };

static const char *when_mark(SesWhen when) {
  return when == WHEN_HERE ? "here" : when == WHEN_BEFORE ? "before" : when == WHEN_AFTER ? "later" : "not recorded";
}

static void draw_row(Canvas *canvas, Rect body, int y, const SesRow *row, bool chosen, int who, Role role) {
  if (chosen) draw_chosen(canvas, body, y);
  bool past = row->when == WHEN_BEFORE || row->when == WHEN_HERE || row->when == WHEN_UNKNOWN;
  int right = body.x + body.w - 1, mark = ls_utf8_width(when_mark(row->when));
  int text = body.x + NAME_X + who + GAP;
  canvas_text_cut(canvas, body.x + NAME_X, y, who, role, 0, row->who);
  canvas_text_cut(canvas, text, y, right - mark - GAP - text, past ? ROLE_TEXT : ROLE_DIM, 0, row->text);
  if (row->when != WHEN_UNKNOWN)
    canvas_text_right(canvas, right, y, row->when == WHEN_HERE ? ROLE_CURSOR : ROLE_DIM, 0, when_mark(row->when));
}

void panel_list(Session *session, Canvas *canvas, Rect rect) {
  bool faults = session->mode == SES_FAULTS;
  Rect body = view_rule(canvas, rect, faults ? "what went wrong" : "printed", "enter goes there, esc closes");
  int count = ses_list_count(session), room = LS_MAX(body.h - HELP_ROWS, 1);
  int first = LS_CLAMP(session->pick - room / 2, 0, LS_MAX(count - room, 0)), rows = LS_MIN(room, count - first);
  int who = 0;
  SesRow row;
  for (int i = 0; i < rows && ses_list_row(session, first + i, &row); i++) who = LS_MAX(who, ls_utf8_width(row.who));
  for (int i = 0; i < rows && ses_list_row(session, first + i, &row); i++)
    draw_row(canvas, body, body.y + i, &row, first + i == session->pick, LS_MIN(who, MOST_WHO),
             faults ? ROLE_ALARM : ROLE_DIM);
  LsText help = {0};
  ses_list_help(session, &help);
  Rect words = {body.x + 2, body.y + rows, body.w - 3, 0};
  int needed = canvas_text_wrap(canvas, words, 0, ROLE_DIM, 0, ls_text_str(&help));
  words.h = body.h - rows;
  bool more = needed > words.h;
  session->list_skip = LS_CLAMP(session->list_skip, 0, LS_MAX(needed - words.h + more, 0));
  words.h -= more;   // the last row says so
  canvas_text_wrap(canvas, words, session->list_skip, ROLE_DIM, 0, ls_text_str(&help));
  if (more) canvas_text(canvas, words.x, words.y + words.h, ROLE_CURSOR, 0, canvas->ascii ? "left right: more" : "←→ more");
  ls_text_free(&help);
}

// ---- help ------------------------------------------------------------------------------------------------------------

enum { KEYS_W = 12, ASCII_KEYS_W = 16, ENTRY_W = 56, HELP_MARGIN = 2 };

// The commands of a context, each with the rows that its words need, dealt out to columns. The first of a section has a
// title above it, and a blank row above that unless it begins a column. The few of a list go without titles.
enum { TITLE_ROWS = 2 };
typedef struct HelpPlan {
  CommandId ids[CMD_COUNT];
  int rows[CMD_COUNT], column[CMD_COUNT], y[CMD_COUNT], count, columns, width, keys_w, height;
  bool titled;
} HelpPlan;

static bool begins_section(const HelpPlan *plan, int i) {
  return plan->titled && (i == 0 || command_section(plan->ids[i]) != command_section(plan->ids[i - 1]));
}

// Where each entry stands if columns are `height` rows high; how many columns that takes.
static int deal_out(HelpPlan *plan, int height) {
  int column = 0, y = 0;
  for (int i = 0; i < plan->count; i++) {
    int title = begins_section(plan, i) ? TITLE_ROWS : 0;
    if (y > 0 && y + title + plan->rows[i] > height) column++, y = 0;
    if (y == 0 && title) title--;
    plan->column[i] = column;
    plan->y[i] = y + title;
    y += title + plan->rows[i];
  }
  return column + 1;
}

static int words_rows(const HelpPlan *plan, CommandId id) {
  Rect rect = {0, 0, plan->width - plan->keys_w - HELP_MARGIN, 0};
  return LS_MAX(canvas_text_wrap(NULL, rect, 0, ROLE_TEXT, 0, command_def(id)->help), 1);
}

static void plan_help(HelpPlan *plan, int width, bool ascii, unsigned contexts) {
  int total = 0;
  plan->columns = LS_MAX(width / ENTRY_W, 1);
  plan->width = (width - HELP_MARGIN) / plan->columns;
  plan->keys_w = ascii ? ASCII_KEYS_W : KEYS_W;   // keys are spelled out
  plan->count = 0;
  plan->titled = contexts & CTX_X;
  for (int id = 0; command_def((CommandId)id); id++) {
    if (!(command_def((CommandId)id)->contexts & contexts)) continue;
    plan->ids[plan->count] = (CommandId)id;
    plan->rows[plan->count++] = words_rows(plan, (CommandId)id);
    total += plan->rows[plan->count - 1];
  }
  plan->height = (total + plan->columns - 1) / plan->columns;
  while (deal_out(plan, plan->height) > plan->columns) plan->height++;
}

static void draw_entry(Canvas *canvas, const HelpPlan *plan, int x, int y, CommandId id) {
  int at = x;
  uint32_t code;
  for (int n = 0; (code = command_key(id, n)); n++) {
    const char *name = key_name(code, !canvas->ascii);
    if (at + ls_utf8_width(name) >= x + plan->keys_w) break;
    at = canvas_text(canvas, at, y, ROLE_CURSOR, 0, name) + 1;
  }
  Rect words = {x + plan->keys_w, y, plan->width - plan->keys_w - HELP_MARGIN, canvas->rows};
  canvas_text_wrap(canvas, words, 0, ROLE_TEXT, 0, command_def(id)->help);
}

void panel_help(Canvas *canvas, Rect rect, unsigned contexts, int first) {
  canvas_background(canvas, rect, ROLE_NONE);
  canvas_fill(canvas, rect, ' ', ROLE_NONE, 0);
  HelpPlan plan;
  plan_help(&plan, rect.w, canvas->ascii, contexts);
  bool all = plan.height <= rect.h - 2;
  Rect body = view_rule(canvas, rect, "keys", all ? "esc closes" : "↑↓ more   esc closes");
  body.y++;
  body.h--;
  first = LS_CLAMP(first, 0, LS_MAX(plan.height - body.h, 0));
  Rect old = canvas_clip(canvas, body);
  for (int i = 0; i < plan.count; i++) {
    int x = body.x + HELP_MARGIN + plan.column[i] * plan.width, y = body.y + plan.y[i] - first;
    if (begins_section(&plan, i)) canvas_text(canvas, x, y - 1, ROLE_DIM, 0, command_section(plan.ids[i]));
    draw_entry(canvas, &plan, x, y, plan.ids[i]);
  }
  canvas_clip(canvas, old);
}
