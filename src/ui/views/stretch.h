// stretch.h: a picture with its cells as tall as the room allows, for those who sit far away.
//
// A view says which of its rows are cells of the picture (canvas_tall): lanes, words, sectors. These grow; words and
// numbers stay one row, in the middle of theirs. What rows are left is above and below the picture.
#ifndef LS_UI_STRETCH_H
#define LS_UI_STRETCH_H

#include "app/session/session.h"
#include "ui/term/canvas.h"

// Draws the picture of the focus pane alone (view_picture_alone), stretched into rect.
void stretch_picture(FocusKind kind, Session *session, Canvas *canvas, Rect rect);

#endif
