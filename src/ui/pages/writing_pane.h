// writing_pane.h: a lesson's step in which the student writes: the text as it grows, then what it is held against.
#ifndef LS_UI_WRITING_PANE_H
#define LS_UI_WRITING_PANE_H

#include "app/course/lesson.h"
#include "app/footer.h"
#include "app/keys.h"
#include "ui/term/canvas.h"

typedef struct WritingPane {   // embedded; zero it to start
  LsText text;                 // while it is not handed in
  size_t cursor;               // in bytes
  bool typing;                 // keys go into the text
  int point;                   // chosen, once it is handed in
  bool marking;                // the word that says the point is being looked for
  int word;                    // that word
  int columns, row;            // of the text and the row to be seen, as last drawn
} WritingPane;

void writing_pane_reset(WritingPane *pane);   // for another step; frees its text
// False if the key is none of it: then it is the lesson's.
bool writing_pane_key(WritingPane *pane, Lesson *lesson, AppKey key);
// As rail_draw: from row `skip` of what it has; returns the rows in all. rect.h == 0 only measures.
int writing_pane_draw(WritingPane *pane, const Lesson *lesson, Canvas *canvas, Rect rect, int skip);
// The text alone, of whoever keeps it himself. A key while pane->typing is set, which Esc, and Enter on an empty last
// line, end; what was written without empty lines at its end (caller frees), NULL: nothing; and the text under what is
// asked, with words on how to go on.
void writing_pane_type(WritingPane *pane, uint32_t code);
char *writing_pane_text(const WritingPane *pane);
int writing_pane_draw_text(WritingPane *pane, const LessonStep *step, const char *how, Canvas *canvas, Rect rect,
                           int skip);
// Its keys now; NULL: those of a page of text.
const FooterKey *writing_pane_keys(const WritingPane *pane, const Lesson *lesson, int *count);

#endif
