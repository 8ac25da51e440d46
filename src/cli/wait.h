// wait.h: making a run from the command line that needs a compiler, or leads to a GPU or to another machine, which may take its
// time.
#ifndef LS_CLI_WAIT_H
#define LS_CLI_WAIT_H

#include "app/run/run.h"

// Makes the run, with its trace in a file unless path is NULL. What is waited for is told on standard error: on a terminal as one
// line that comes and goes, elsewhere as what the runner says (a queue's words) once it takes long. ^C and the like end the run
// where it goes on, and then this program.
Run *cli_make_run(const RunRequest *request, const char *path, LsErr *err);

#endif
