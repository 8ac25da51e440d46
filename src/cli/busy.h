// busy.h: a command that works in silence says so: on a terminal, from 600 ms on, a line on standard error.
//
//   RunProgress *progress = busy_begin("running the program");
//   ProgramRun *run = program_run_new(request, progress, err);   // says itself how far it is
//   busy_end();
//
// A thread of its own keeps the line up to date; without a terminal nothing is written. Pairs may be nested: the inner
// words are shown while they last. All calls come from one thread.
#ifndef LS_CLI_BUSY_H
#define LS_CLI_BUSY_H

#include "app/run/run.h"

// what: "opening the trace"; it has to live until the end. The progress is for whoever works, and good until then.
RunProgress *busy_begin(const char *what);
void busy_end(void);
// How much of it is done.
void busy_share(uint64_t done, uint64_t all);
// Something is about to be written to standard output: the line goes, if that is the terminal, too, and comes back when
// it has been silent for a while. Whoever writes by plain_print need not say it.
void busy_hide(void);

#endif
