// lesson_writing_lines.h: texts in the student's own words, in lines: what was written, and which points it makes.
#ifndef LS_CLI_LESSON_WRITING_LINES_H
#define LS_CLI_LESSON_WRITING_LINES_H

#include <stdio.h>

#include "app/course/lesson.h"

// Says what is expected now.
void lesson_writing_say(const Lesson *lesson, FILE *out);
// A line for the current step: the first one of a text, which goes on in `in` to an empty line; or, once it is handed
// in, the points that it makes: "1=bank 3 4", "none".
void lesson_writing_line(Lesson *lesson, const char *line, FILE *in, FILE *out);

#endif
