// sandbox.h: work on what nobody trusts, in a process that may use up only so much and reaches only so far.
//
//   this process --fork--> the worker, with limits and, where the system lets us, in namespaces of its own (user,
// network,
//                          process numbers, IPC: namespaces(7)): it has no network, and whatever it starts ends with it
//
// The worker says one thing, and is listened to up to a bound and a time. It works for us, not for whoever wrote what
// it
// works on: what it compiles is never executed. So the limits are for compilers that hang or grow, and for our own
// slips.
#ifndef LS_DEVICE_SANDBOX_H
#define LS_DEVICE_SANDBOX_H

#include "base/text.h"

typedef struct SandboxLimits {
  double seconds;          // of the whole work
  uint64_t memory;         // bytes of address space of each process
  int lifeline;            // a pipe whose other end is held by whom the work is for: if that is closed the work ends;
                           // -1: none
} SandboxLimits;

typedef enum SandboxEnd {
  SANDBOX_DONE,            // it ended by itself
  SANDBOX_LATE,            // its time was over, or nobody waits for it any more
  SANDBOX_DIED             // a signal or a status other than 0 ended it
} SandboxEnd;

typedef struct SandboxAnswer {
  LsText said;             // what the worker wrote to its descriptor
  SandboxEnd end;
  int status;              // as waitpid tells it
} SandboxAnswer;

// Forks, so this process has one thread. work: in the worker; what it returns is its exit status. False: there is no
// worker (LS_EIO). Frees nothing of answer->said.
typedef int SandboxWork(void *context, int descriptor);
bool sandbox_run(const SandboxLimits *limits, SandboxWork *work, void *context, SandboxAnswer *answer, LsErr *err);
// An environment in which nothing of the person shows, and a home in `folder`: for this process and what it starts.
void sandbox_clear_environment(const char *folder);
// Whether this system lets us have namespaces; tried in a process that ends at once. why: its reason, if not.
bool sandbox_isolates(LsErr *why);

#endif
