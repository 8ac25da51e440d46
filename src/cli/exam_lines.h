// exam_lines.h: an exam as a conversation in lines of text: for screen readers, pipes, and terminals without a screen.
#ifndef LS_CLI_EXAM_LINES_H
#define LS_CLI_EXAM_LINES_H

#include <stdio.h>

#include "app/exam/sitting.h"

// One question at a time, with the time that is left, until it is handed in, the time is up, or the input ends. A line
// is an answer, or one of the words that `help` lists. in: read without a buffer, so that the end of the time is
// noticed while nobody types. False if something could not be saved.
bool exam_in_lines(Sitting *sitting, int in, FILE *out, LsErr *err);
// What is said when it is over: how it ended, where the result is, and the receipt.
void exam_say_end(const Sitting *sitting, FILE *out);

#endif
