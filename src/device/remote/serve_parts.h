// serve_parts.h: what the files of the server share: its two ends, and what it says on the way.
#ifndef LS_DEVICE_SERVE_PARTS_H
#define LS_DEVICE_SERVE_PARTS_H

#include <pthread.h>

#include "device/remote/protocol.h"
#include "device/remote/serve.h"

typedef struct Watch { pthread_t thread; int in, wake[2]; bool on; } Watch;

typedef struct Server {
  int in, out;
  const ServeOptions *options;
  ProtoReader reader;
  TraceBytes request;
  TraceBytes sending;
  TraceBytes done;              // DONE of a run that others follow: it goes when the server can read again
  ProtoKept kept;               // what the last run left, for one that begins with it
  bool deaf;                    // the client does not listen any more: nothing is written after that
  Watch watch;                  // on the input, while nobody reads it
} Server;

void serve_send(Server *server, ProtoType type, const void *payload, size_t size);
void serve_bytes(Server *server, ProtoType type, const TraceBytes *bytes);
// Part by part, so that a large one is never held twice.
void serve_in_parts(Server *server, ProtoType type, const uint8_t *bytes, size_t size);
bool serve_receive(Server *server);   // waits for bytes and feeds them; false at the end of the input
// From serve_watch on, whatever happens on the input ends the process. serve_watch_end: it may be read again.
void serve_watch(Server *server);
void serve_watch_end(Server *server);
void serve_stage(void *context, DevStage stage);                        // context: the server
void serve_progress(void *context, uint64_t done, uint64_t all);

// ---- serve_program.c -----------------------------------------------------------------------------------------------
bool serve_program(Server *server, LsErr *err);   // runs the program that the request is

#endif
