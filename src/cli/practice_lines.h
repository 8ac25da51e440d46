// practice_lines.h: an exercise line by line, for pipes and screen readers: what is asked, and what is said at every
// save.
#ifndef LS_CLI_PRACTICE_LINES_H
#define LS_CLI_PRACTICE_LINES_H

#include "app/practice/judge.h"

// Until it passes (0), "quit" or Ctrl-C comes (1), or the file cannot be watched (-1 with *err). "tip" on standard input
// gives the next tip. seeded: every judging has this seed; else each draws its own.
int practice_in_lines(const Exercise *exercise, const uint64_t *seeded, LsErr *err);
void practice_print_verdict(const Verdict *verdict);

#endif
