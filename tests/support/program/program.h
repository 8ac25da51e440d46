// program.h: running the real lanescope as a user does: from a shell, in an empty directory, with a known environment.
#ifndef LS_TESTS_PROGRAM_PROGRAM_H
#define LS_TESTS_PROGRAM_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>

// Makes the temporary directory that is the current one and the home from now on, and an environment in which
// nothing of the person who runs the tests shows: PATH begins with the directory of the built program, S is the
// source directory, the terminal is xterm-256color and UTF-8. Ends the test program if that fails.
void program_set_up(void);
void program_tear_down(void);                // removes the directory
const char *program_directory(void);

typedef struct ProgramRun {
  int status;              // as the shell tells it; -1: still running after PATIENCE_MS, and killed
  char *out, *err;         // terminated; owned
  size_t out_size;
} ProgramRun;

// Runs a line of shell with nothing on its standard input.
void program_run(ProgramRun *run, const char *line);
void program_run_free(ProgramRun *run);
// Whether text has the form of a pattern, in which * stands for anything and all else for itself.
bool program_matches(const char *pattern, const char *text);
long long program_now_ms(void);

#endif
