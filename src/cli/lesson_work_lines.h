// lesson_work_lines.h: code that is written in a conversation of lines.
#ifndef LS_CLI_LESSON_WORK_LINES_H
#define LS_CLI_LESSON_WORK_LINES_H

#include <stdio.h>

#include "app/course/lesson.h"

// How to type what the step asks for.
void lesson_work_say(const Lesson *lesson, FILE *out);

// A line that was typed at a step in which code is written: what fills the blank, the numbers of lines in their
// order, or
// the first of the lines that are written, the others of which are read from `in` until one that is only a dot. Where
// nothing can be compiled, the letter of an answer. Says what came of it. False if the lesson has a bug.
bool lesson_work_line(Lesson *lesson, const char *text, FILE *in, FILE *out, LsErr *err);

#endif
