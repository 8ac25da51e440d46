// notes_page.h: how notes are drawn, wherever they come from.
#ifndef LS_UI_NOTES_PAGE_H
#define LS_UI_NOTES_PAGE_H

#include "app/stage/notes.h"
#include "ui/term/canvas.h"

typedef struct NotesView {
  const Notes *notes;          // NULL: none came yet
  bool up;                     // the talk goes on
  int64_t now;                 // ms of ls_clock
  int skip;                    // rows of the note that are scrolled away
} NotesView;
int notes_draw(const NotesView *view, Canvas *canvas);   // returns skip, no further than there is text

#endif
