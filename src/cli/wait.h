// wait.h: making a run from the command line, which may take its time: progress on standard error, Ctrl-C.
#ifndef LS_CLI_WAIT_H
#define LS_CLI_WAIT_H

#include <signal.h>

#include "app/run/run.h"

// Makes the run, with its trace in a file unless path is NULL. What is waited for is told on standard error: on a terminal as one
// line that comes and goes, elsewhere as what the runner says (a queue's words) once it takes long. Ctrl-C ends a run of the
// emulator with what it has done by then (Run.interrupted), which the caller tells of as of any other; another one,
// from 300 ms on, ends the program. Where the run is elsewhere, Ctrl-C and the like end it there, and then this
// program.
Run *cli_make_run(const RunRequest *request, const char *path, LsErr *err);
// For work that is told piece by piece: SIGINT, SIGTERM and SIGHUP set what comes back instead of ending the program,
// which does so after the last words. A second one ends it at once.
const volatile sig_atomic_t *cli_catch_endings(void);
// After the last words about an interrupted run: the program ends by the signal, so that a script that called it ends, too.
void cli_end_if_interrupted(void);

#endif
