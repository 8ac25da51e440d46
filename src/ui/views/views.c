// views.c: the table of views: the pictures of the focus pane, then the others.
#include <string.h>

#include "base/mem.h"
#include "ui/views/view.h"

static const View views[] = {
#define FOCUS(ID, name, title, events, others, spaces, passing, variants, help) {#name, view_draw_##name, help},
#include "app/focus.def"
#define VIEW(name, help) {#name, view_draw_##name, help},
#include "ui/views/views.def"
};

const View *view_all(int *count) {
  *count = LS_COUNT(views);
  return views;
}

const View *view_find(const char *name) {
  for (int i = 0; i < LS_COUNT(views); i++)
    if (strcmp(views[i].name, name) == 0) return &views[i];
  return NULL;
}

const View *view_of_focus(FocusKind kind) { return &views[LS_CLAMP((int)kind, 0, FOCUS_COUNT - 1)]; }

void view_draw(const View *view, Session *session, Canvas *canvas, Rect rect) {
  int row = (int)(view - views);
  if (row < FOCUS_COUNT) view_picture((FocusKind)row, session, canvas, rect);
  else view->draw(session, canvas, rect);
}
