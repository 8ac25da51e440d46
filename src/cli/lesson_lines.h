// lesson_lines.h: a lesson as a conversation in lines of text: for pipes, screen readers, and terminals without a screen.
#ifndef LS_CLI_LESSON_LINES_H
#define LS_CLI_LESSON_LINES_H

#include <stdio.h>

#include "app/course/lesson.h"
#include "cli/cli.h"

// From the step at which the lesson stands to its end, or to the end of `in`. A line is an answer, one of the words
// that `help` lists, NAME=VALUE where parameters may be tried, or, after a colon, a command of the explorer. A question
// waits for its line; other steps follow one another, unless `pauses` is set: then each waits for Enter. False if the
// lesson has a bug.
bool lesson_in_lines(Lesson *lesson, FILE *in, FILE *out, bool pauses, LsErr *err);

// The first step of a lesson that is new. False with *err: it is broken.
bool lesson_first(Lesson *lesson, LsErr *err);
// A step as lesson_auto shows it; a LessonEach.
void lesson_say_step(void *context, const Lesson *lesson, const LessonStep *step);
// --seed: what questions draw for this student from now on.
bool lesson_seed(const Cli *cli, Progress *progress, LsErr *err);

#endif
