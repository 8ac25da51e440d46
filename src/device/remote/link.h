// link.h: the client's end of the protocol: a child that runs `serve-run`, what it is sent, and its messages one by one.
//
// Every wait watches four things at once: the child's output, its standard error, the person's wish to stop, and the clock.
// Whatever goes wrong with the child becomes one error that says what happened, where, the child's own last words, and what to do.
#ifndef LS_DEVICE_LINK_H
#define LS_DEVICE_LINK_H

#include "device/child.h"
#include "device/remote/protocol.h"

typedef struct LinkOptions {
  const char *runner;           // command prefix; NULL: this machine. Borrowed for the life of the link
  double time_limit;            // seconds without link_renew, and without those in a queue (hints.def); above 0
  _Atomic bool *cancel;         // borrowed, may be NULL
  void (*note)(void *context, const char *line);   // told the last line of what the child says beside the protocol; may be NULL
  void (*sent)(void *context, uint64_t done, uint64_t all);   // bytes of what was queued last that the child has taken; may be NULL
  void *context;
} LinkOptions;

typedef struct Link Link;

// Starts the child and exchanges greetings. program: this program's version. NULL: LS_EENV, LS_EFORMAT or LS_ECANCEL.
Link *link_open(const LinkOptions *options, const char *program, LsErr *err);
// Somebody else goes on with it: other options, but the same runner. The clock starts anew.
void link_hand_over(Link *link, const LinkOptions *options);
// Queues bytes (taken over, `bytes` is empty afterwards); they leave while link_next waits.
void link_send(Link *link, TraceBytes *bytes);
// The next message, valid until the next call. False: canceled, too late, gone, or nonsense; nothing comes after that.
bool link_next(Link *link, ProtoMessage *message, LsErr *err);
// Something moves: the clock starts anew.
void link_renew(Link *link);
// A message that is well formed but out of place: fails with what and where.
bool link_nonsense(Link *link, const char *what, LsErr *err);
// Adds where it happened and the child's last words to an error.
void link_explain(Link *link, LsErr *err);
// Keeps words of the far end with those of its standard error.
void link_note(Link *link, const char *words, size_t size);
const char *link_where(const Link *link);      // "the runner 'ssh gpu01'", "the GPU process"; borrowed
// After DONE: the child may end by itself, without anybody waiting for it. Nothing is asked of the link any more but its close.
void link_farewell(Link *link);
// Ends the child if it has not ended, and frees the link. NULL is fine.
void link_close(Link *link);

#endif
