// uplink.h: who listens: a connection to a hub that comes back by itself, whichever side went away.
//
//   Uplink *uplink = uplink_new(&(UplinkTo){.name = "talk"});
//   while (poll({uplink_fd(uplink)}, 250 ms) >= 0)
//     for (uplink_turn(uplink); (line = uplink_next(uplink));) ...
//
// Nothing waits: a turn takes what is there, connects again when it is time, and gives a connection up on which nothing
// came for UPLINK_SILENT seconds. What the other side says is bounded as line.h has it.
#ifndef LS_APP_UPLINK_H
#define LS_APP_UPLINK_H

#include <stdbool.h>

#include "base/error.h"

enum { UPLINK_SILENT = 15 };     // seconds; a hub says something every HUB_BEAT
#define UPLINK_AGAIN 0.5         // seconds from one attempt to the next, and up to twice that

// A socket of this user (runtime.h), or a host and port; hello: said first on each new connection, NULL: nothing.
// Copied.
typedef struct UplinkTo { const char *name, *host; int port; const char *hello; } UplinkTo;

typedef struct Uplink Uplink;
// Looks the host up, which takes its time. NULL with LS_EREQUEST: there is no such host.
Uplink *uplink_new(const UplinkTo *to, LsErr *err);
void uplink_free(Uplink *uplink);                  // NULL is fine
void uplink_turn(Uplink *uplink);
bool uplink_is_up(const Uplink *uplink);           // connected
// A line that came, to be written into, until the next call; NULL: none.
char *uplink_next(Uplink *uplink);
bool uplink_say(Uplink *uplink, const char *line); // without its end; false: it does not take it now
void uplink_drop(Uplink *uplink);                  // and connect anew, when it is time
int uplink_fd(const Uplink *uplink);               // to be watched; 0: there is none now
const char *uplink_why(const Uplink *uplink);      // why the last attempt failed, "Connection refused"; "" if none did

#endif
