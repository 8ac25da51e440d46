// panel_compare.c: what the run can be put beside: other kernels, devices, settings, values.
#include <stdio.h>

#include "base/mem.h"
#include "ui/panels/panel.h"
#include "ui/views/view.h"

// The same key ends a comparison.
static bool open(Session *session) {
  if (!session->other) return ses_make_choices(session);
  ses_close_compare(session);
  return false;
}

static bool choose(Session *session) {
  if (!ses_compare_with(session, session->pick)) return false;
  ses_close_panel(session);
  return true;
}

static bool key(Session *session, uint32_t code) {
  int last = LS_MAX(ses_compare_count(session) - 1, 0);
  switch (command_for_key(code, CTX_X)) {
    case CMD_UP: session->pick = LS_MAX(session->pick - 1, 0); return true;
    case CMD_DOWN: session->pick = LS_MIN(session->pick + 1, last); return true;
    case CMD_FIRST: case CMD_PAGE_UP: session->pick = 0; return true;
    case CMD_LAST: case CMD_PAGE_DOWN: session->pick = last; return true;
    case CMD_ENTER: return choose(session);
    case CMD_CANCEL: case CMD_QUIT: case CMD_COMPARE: ses_close_panel(session); return true;
    default: return false;
  }
}

static int first_row(Session *session, int rows) {
  return LS_CLAMP(session->pick - rows / 2, 0, LS_MAX(ses_compare_count(session) - rows, 0));
}

static bool click(Session *session, Rect rect, AppKey mouse) {
  int line = mouse.y - rect.y - 1, row = line + first_row(session, rect.h - 1);   // the rule is the first line
  if (mouse.button != 1 || line < 0 || row >= ses_compare_count(session)) return false;
  session->message[0] = 0;
  session->pick = row;
  return true;
}

static void draw(Session *session, Canvas *canvas, Rect rect) {
  char right[48] = "esc closes";
  int count = ses_compare_count(session), hidden = count - (rect.h - 1);
  if (hidden > 0) snprintf(right, sizeof right, "▾ %d more", hidden);
  Rect body = view_rule(canvas, rect, "compare with", right);
  int first = first_row(session, body.h), width = body.w - PANEL_TEXT_X - 1;
  for (int i = first; i < count && i < first + body.h; i++) {
    int y = body.y + i - first;
    bool chosen = i == session->pick;
    if (chosen) panel_draw_chosen(canvas, body, y);
    Role role = chosen ? ROLE_TEXT : ROLE_DIM;
    canvas_text_cut(canvas, body.x + PANEL_TEXT_X, y, width, role, 0, ses_compare_choice(session, i));
  }
  const char *nothing = "there is nothing to compare with";
  if (!count) canvas_text_cut(canvas, body.x + PANEL_TEXT_X, body.y, width, ROLE_DIM, 0, nothing);
}

static const FooterKey keys[] = {{"↑↓", "up down", "choose"}, {"⏎", "enter", "take it"}, {"esc", NULL, "close"}};

const SesPanel panel_compare = {
    .place = PANEL_SIDE, .keys = keys, .key_count = LS_COUNT(keys),
    .open = open, .key = key, .click = click, .draw = draw, .close = ses_free_choices,
};
