// view.c: what views share: rules, labels.
#include "ui/views/view.h"

#include "base/mem.h"

Rect view_rule(Canvas *canvas, Rect rect, const char *title, const char *right) {
  canvas_rule(canvas, rect.x, rect.y, rect.w, title, right);
  return (Rect){rect.x, rect.y + 1, rect.w, LS_MAX(rect.h - 1, 0)};
}

Rect view_pane_rule(const Session *session, SesPane pane, Canvas *canvas, Rect rect, const char *title, const char *right) {
  enum { TITLE_X = 3, AROUND = 6 };   // as canvas_rule places it
  Rect body = view_rule(canvas, rect, title, right);
  if (session->pane == pane && rect.w > AROUND + 4)
    canvas_text_cut(canvas, rect.x + TITLE_X, rect.y, rect.w - AROUND, ROLE_TEXT, 0, title);
  return body;
}

int view_words(Canvas *canvas, Rect rect, Role role, const char *text) {
  int needed = canvas_text_wrap(canvas, rect, 0, role, 0, text);
  if (needed <= rect.h || rect.h < 1) return LS_MIN(needed, LS_MAX(rect.h, 0));
  int y = rect.y + rect.h - 1, x = rect.x + rect.w - 1;
  while (x > rect.x && canvas_at(canvas, x - 1, y) && canvas_at(canvas, x - 1, y)->code == ' ') x--;
  canvas_put(canvas, x, y, 0x2026, ROLE_DIM, 0);
  return rect.h;
}

int view_labeled(Canvas *canvas, int x, int y, const char *label, Role role, const char *value) {
  x = canvas_text(canvas, x, y, ROLE_DIM, 0, label);
  return canvas_text(canvas, x + 1, y, role, 0, value);
}

const char *view_values_tag(const Session *session) { return run_is_emulated(session->run) ? "" : " · emulated"; }

void view_slider(Canvas *canvas, int x, int y, int width, double share, bool chosen) {
  int knob = (int)(LS_CLAMP(share, 0.0, 1.0) * (width - 1) + 0.5);
  for (int i = 0; i < width; i++) canvas_put(canvas, x + i, y, 0x2500, i < knob ? ROLE_ACTIVE : ROLE_RULE, 0);
  canvas_put(canvas, x + knob, y, 0x25cf, chosen ? ROLE_CURSOR : ROLE_ACTIVE, 0);
}
