// panel_params.c: the parameters of the run as sliders and values: every change runs the kernel again.
//
//   ▸ threads   256   ───────●──────  32 .. 1024
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "ui/panels/panel.h"
#include "ui/views/view.h"

enum { SLIDER_MIN = 12, SLIDER_MAX = 32 };

// Only what can be run again has something to change.
static bool open(Session *session) {
  ses_play_stop(session);
  return ses_can_rerun(session);
}

// ---- keys ------------------------------------------------------------------------------------------------------------

static bool enter(Session *session) {
  char text[sizeof session->input];
  memcpy(text, session->input, sizeof text);
  session->input[0] = 0;
  if (text[0]) return ses_param_type(session, session->pick, text);
  ses_close_panel(session);
  return true;
}

static bool turn(Session *session, int direction) {
  session->input[0] = 0;
  int64_t arg = (int64_t)((uint64_t)session->pick << 32 | (uint32_t)direction);
  return ses_command(session, &(Command){.id = CMD_SET_PARAM, .arg = arg});
}

// Digits begin a value; what follows may be a word or a sign.
static bool typed(Session *session, uint32_t code) {
  bool minus = code == '-' && ses_param_is_signed(session, session->pick);
  bool typing = session->input[0] && panel_printable(code);
  if (code == KEY_BACKSPACE_) panel_untype(session);
  else if ((code >= '0' && code <= '9') || minus || typing) panel_type(session, code);
  else return false;
  return true;
}

static bool cancel(Session *session) {
  if (session->input[0]) session->input[0] = 0;
  else ses_close_panel(session);
  return true;
}

static bool key(Session *session, uint32_t code) {
  int by = 0;
  if (typed(session, code)) return true;
  switch (command_for_key(code, CTX_X)) {
    case CMD_UP: by = -1; break;
    case CMD_DOWN: by = 1; break;
    case CMD_STEP_BACK: case CMD_SLOWER: return turn(session, -1);
    case CMD_STEP_NEXT: case CMD_FASTER: return turn(session, 1);
    case CMD_ENTER: return enter(session);
    case CMD_CANCEL: return cancel(session);
    case CMD_PARAMS: case CMD_QUIT: ses_close_panel(session); return true;
    default: return false;
  }
  session->pick = LS_CLAMP(session->pick + by, 0, LS_MAX(ses_param_count(session) - 1, 0));
  session->input[0] = 0;
  return true;
}

// ---- the picture -----------------------------------------------------------------------------------------------------

// Rows shown of so many below the rule, and the first of them: two are left for words.
static int window(const Session *session, int height, int *first) {
  int count = ses_param_count(session), rows = LS_MIN(count, LS_MAX(height - 2, 1));
  *first = LS_CLAMP(session->pick - rows + 1, 0, LS_MAX(count - rows, 0));
  return rows;
}

static bool click(Session *session, Rect rect, AppKey mouse) {
  int first, rows = window(session, rect.h - 1, &first), row = mouse.y - rect.y - 1;
  if (mouse.button != 1 || row < 0 || row >= rows) return false;
  session->message[0] = 0;
  session->pick = first + row;
  return true;
}

typedef struct Widths { int name, value, note; } Widths;   // note: of those beside a slider, so that sliders are alike

static Widths widths_of(const Session *session, int cols) {
  Widths w = {6, LS_MAX(5, ls_utf8_width(session->input)), 0};
  SesParam param;
  for (int i = 0; ses_param(session, i, &param); i++) {
    w.name = LS_MAX(w.name, ls_utf8_width(param.name));
    w.value = LS_MAX(w.value, ls_utf8_width(param.value));
    if (param.slider) w.note = LS_MAX(w.note, ls_utf8_width(param.note));
  }
  w.name = LS_MIN(w.name, 20);
  w.value = LS_MIN(w.value, LS_MAX(cols - PANEL_TEXT_X - w.name - PANEL_GAP - 1, 5));
  return w;
}

// input: a value that is being typed into the chosen row, "" if none is.
static void draw_param(Canvas *canvas, Rect body, int y, const SesParam *param, Widths w, bool chosen,
                       const char *input) {
  bool typing = chosen && *input;
  if (chosen) panel_draw_chosen(canvas, body, y);
  int x = body.x + PANEL_TEXT_X;
  canvas_text_cut(canvas, x, y, w.name, chosen ? ROLE_TEXT : ROLE_DIM, 0, param->name);
  x += w.name + PANEL_GAP;
  const char *value = typing ? input : param->value;
  while (typing && ls_utf8_width(value) > w.value) ls_utf8_next(&value);   // its end is being typed
  int value_w = LS_MIN(ls_utf8_width(value), w.value);
  canvas_text_cut(canvas, x + w.value - value_w, y, value_w, typing ? ROLE_CURSOR : ROLE_TEXT, chosen ? STYLE_BOLD : 0,
                  value);
  if (typing) canvas->cursor_x = x + w.value, canvas->typing = true;
  x += w.value + PANEL_GAP;
  int note_w = ls_utf8_width(param->note), room = body.x + body.w - 1 - x;
  int slider = param->slider ? LS_MIN(room - w.note - PANEL_GAP, SLIDER_MAX) : 0;
  if (param->slider && slider < SLIDER_MIN) slider = LS_MIN(room, SLIDER_MAX), note_w = 0;
  if (slider >= 4) view_slider(canvas, x, y, slider, param->share, chosen);
  if (slider > 0) x += slider + PANEL_GAP;
  if (note_w && x + note_w < body.x + body.w) canvas_text(canvas, x, y, ROLE_DIM, 0, param->note);
}

static void draw(Session *session, Canvas *canvas, Rect rect) {
  char right[48] = "esc closes";
  int count = ses_param_count(session), unused, hidden = count - window(session, rect.h - 1, &unused);
  if (hidden > 0) snprintf(right, sizeof right, "▾ %d more", hidden);
  if (session->want_rerun) snprintf(right, sizeof right, "running");
  Rect body = view_rule(canvas, rect, "parameters", right);
  Widths w = widths_of(session, body.w);
  int first, rows = window(session, body.h, &first);
  SesParam param;
  for (int i = 0; i < rows && ses_param(session, first + i, &param); i++)
    draw_param(canvas, body, body.y + i, &param, w, first + i == session->pick, session->input);
  LsText help = {0};
  ses_param_help(session, session->pick, &help);
  Rect words = {body.x + 2, body.y + rows + (body.h > rows + 2 ? 1 : 0), body.w - 3, 0};
  words.h = body.y + body.h - words.y;
  view_words(canvas, words, ROLE_DIM, ls_text_str(&help));
  ls_text_free(&help);
}

static const FooterKey keys[] = {{"↑↓", "up down", "choose"}, {"←→", "left right", "change"}, {"esc", NULL, "close"}};

const SesPanel panel_params = {
    .place = PANEL_SIDE, .keys = keys, .key_count = LS_COUNT(keys),
    .open = open, .key = key, .click = click, .draw = draw,
};
