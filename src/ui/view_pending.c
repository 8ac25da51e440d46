// view_pending.c: focus panes without a picture yet show their title; the sentence below them tells the event.
#include "ui/view.h"

#define PENDING(NAME, TITLE) \
  void view_draw_##NAME(Session *session, Canvas *canvas, Rect rect) { (void)session; view_rule(canvas, rect, TITLE, NULL); }

PENDING(divergence, "divergence")
PENDING(barrier, "barrier")
PENDING(atomics, "atomics")
PENDING(geometry, "geometry")
