// exam_word.h: the teacher's word, typed without being seen.
#ifndef LS_CLI_EXAM_WORD_H
#define LS_CLI_EXAM_WORD_H

#include "cli/cli.h"

// --word, or asked for: on the terminal, where it does not appear, twice where it is new; from a pipe, its first line.
// Caller frees. NULL: nothing was given, or the two differ.
char *exam_word(const Cli *cli, bool is_new, LsErr *err);

#endif
