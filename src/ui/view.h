// view.h: a view draws one aspect of a Session into a rectangle of a Canvas. The table is views.def.
#ifndef LS_UI_VIEW_H
#define LS_UI_VIEW_H

#include "ui/canvas.h"

typedef struct View {
  const char *name;          // as in export --view
  const char *title;
  void (*draw)(Session *session, Canvas *canvas, Rect rect);   // rect includes the rule with the title, if the view has one
  const char *help;
} View;
const View *view_find(const char *name);
const View *view_all(int *count);
const View *view_of_focus(FocusKind kind);

// The whole explorer on a canvas (title bar, panes by the layout, footer, open panels).
void explorer_draw(Session *session, Canvas *canvas);

#endif
