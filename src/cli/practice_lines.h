// practice_lines.h: an exercise line by line, for pipes and screen readers: what is asked, and what is said at every
// save.
#ifndef LS_CLI_PRACTICE_LINES_H
#define LS_CLI_PRACTICE_LINES_H

#include "app/course/progress.h"
#include "app/practice/judge.h"

// Until it passes (0), "quit" is said (1), or the file cannot be made or watched (-1 with *err); Ctrl-C ends the
// program. "tip" on standard input gives the next tip.
int practice_in_lines(const Exercise *exercise, Progress *progress, LsErr *err);
void practice_print_verdict(const Verdict *verdict);

#endif
