// lesson_footer.h: the row of keys below a lesson.
#ifndef LS_UI_LESSON_FOOTER_H
#define LS_UI_LESSON_FOOTER_H

#include "app/course/lesson.h"
#include "ui/term/canvas.h"

// shows: an explorer stands beside the text; model: a model does.
void lesson_footer(const Lesson *lesson, bool shows, bool model, Canvas *canvas);

#endif
