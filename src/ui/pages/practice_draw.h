// practice_draw.h: what the page of an exercise shows, as text in a rectangle: the task, and what was said of the file.
#ifndef LS_UI_PAGES_PRACTICE_DRAW_H
#define LS_UI_PAGES_PRACTICE_DRAW_H

#include "app/practice/attempt.h"
#include "ui/term/canvas.h"

// The counters of another file, in the same cases as the student's.
typedef struct PracticeOther { const char *name, *what; Verdict verdict; bool known; } PracticeOther;

// Each returns the rows that all of it takes, of which those from `skip` on are shown.
// cases, file: of the cases, of the student's file; "": nothing. tips: so many of them were asked for.
int practice_draw_task(const Exercise *exercise, const char *cases, const char *file, int tips, Canvas *canvas, Rect rect,
                       int skip);
int practice_draw_words(const char *words, bool alarming, Canvas *canvas, Rect rect, int skip);
// says: marked-up, above the source.
int practice_draw_source(const char *says, const char *source, Canvas *canvas, Rect rect, int skip);
int practice_draw_verdict(const Verdict *verdict, const PracticeOther *others, int other_count, Canvas *canvas, Rect rect,
                          int skip);

#endif
