// hub.h: one who speaks and many who listen, served by a thread of its own, so that nobody holds the speaker up.
//
// There is one newest line. Each listener gets it as soon as its connection takes it, and what it missed meanwhile it
// never gets: a slow one sees fewer steps, and nothing queues up. What listeners say is bounded in length and rate; one
// that breaks a bound, or takes nothing for HUB_STUCK seconds, is dropped. An empty line every HUB_BEAT seconds tells
// both sides that the other is there.
#ifndef LS_APP_HUB_H
#define LS_APP_HUB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
  HUB_MOST = 400,              // listeners at a time; who comes then is told so
  HUB_SAYS = 256,              // bytes of a line of theirs
  HUB_RATE = 5, HUB_BURST = 20,   // lines a second, and at once
  HUB_BEAT = 5, HUB_STUCK = 10,   // seconds
  HUB_GREETS = 5,              // seconds until it has said what lets it in
};

typedef struct HubListener {
  bool is_in;                  // gets the lines. Set by hear
  uint64_t number;             // for hear; 0 at first
} HubListener;

typedef struct HubOptions {
  int socket;                  // listens, does not block; taken over
  // Called on the hub's thread for each line of a listener, who is dropped if it returns false, after *reply, if that
  // was set, was sent. NULL: whoever comes is in, and whoever says something is dropped.
  bool (*hear)(void *context, HubListener *listener, char *line, const char **reply);
  void *context;
} HubOptions;

typedef struct Hub Hub;
Hub *hub_open(const HubOptions *options);            // NULL: the system has no thread or descriptor for it
void hub_close(Hub *hub);                            // NULL is fine
void hub_tell(Hub *hub, const char *line);           // the newest, without its end. Copied; does not wait for anybody
typedef struct HubCount { int listeners; uint64_t dropped, bytes; } HubCount;   // in; for breaking a bound; sent
HubCount hub_count(Hub *hub);

#endif
