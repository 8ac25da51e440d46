// child.h: another program with pipes to its three standard streams: started, listened to without ever waiting too long, ended.
//
// The child leads a session of its own, so that it cannot touch the terminal, and so that all it started ends with it. Nothing
// it does harms the caller: a closed pipe gives no signal here, what it says on standard error is gathered up to a bound, and
// it is always waited for. It is asked to end before it is killed: what leads to a queue has a job to cancel.
#ifndef LS_DEVICE_CHILD_H
#define LS_DEVICE_CHILD_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>
#include "base/error.h"
#include "base/text.h"

typedef struct Child {
  pid_t pid;              // 0: not started, or ended and waited for
  int in, out, error;     // our ends of its standard streams, non-blocking; -1: closed
  int status;             // as waitpid tells it, once it has ended
  bool killed;            // by child_end, since it did not end by itself
  LsText said;            // the end of what it wrote to standard error
} Child;

// Starts a program. prefix NULL: this program itself; else a line of shell that is continued by the words `lanescope` and
// `arg`, so that quotes, variables and tildes mean what they mean at a prompt. The running program's folder is the last one of
// the child's PATH. LS_EENV if it cannot start.
bool child_start(Child *child, const char *prefix, const char *arg, LsErr *err);

// The same with any program, found along PATH: argv[0] is its name. Its standard error is its standard output; its standard input is
// at its end. tmpdir: its TMPDIR.
bool child_start_program(Child *child, char *const argv[], const char *tmpdir, LsErr *err);
// The same with its standard input open, and our TMPDIR.
bool child_start_listener(Child *child, char *const argv[], LsErr *err);

// Waits until something can be read, or written if `writing`, but `milliseconds` at most. Gathers standard error on the way.
void child_wait(Child *child, bool writing, int milliseconds);
// What is there, up to `size` bytes: 0 if nothing is there now, -1 at the end.
ssize_t child_read(Child *child, void *bytes, size_t size);
// As much as can be written now: 0 if nothing can, -1 if the child does not listen any more.
ssize_t child_write(Child *child, const void *bytes, size_t size);

// Keeps text as if the child had said it on standard error.
void child_note(Child *child, const char *text, size_t size);

// Closes its input and gives the child `grace` milliseconds to end by itself. Then it and all in its session get SIGTERM, and
// seconds later, if something is left, SIGKILL; nobody waits for that here, a thread does. Fine if it ended.
void child_end(Child *child, int grace);
// Waits until no child is on its way out any more. To be called before the program ends, so that nothing stays behind it.
void child_settle(void);
// How it ended, in words: "ended with status 255", "was ended by signal 9 (Killed)". Valid after child_end.
void child_fate(const Child *child, LsText *out);
void child_free(Child *child);   // ends it at once if it still runs

#endif
