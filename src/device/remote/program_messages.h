// program_messages.h: programs and their times as the protocol carries them (protocol.h).
#ifndef LS_DEVICE_PROGRAM_MESSAGES_H
#define LS_DEVICE_PROGRAM_MESSAGES_H

#include "device/remote/protocol.h"

// A program as it arrives. Everything is owned.
typedef struct ProtoProgram {
  char *device;
  TraceInfo info;              // ptx and its path
  HostProgram program;         // with the contents of its buffers
  Launch variables;
  double time_limit;
} ProtoProgram;

void proto_put_program(TraceBytes *out, const char *device, const DevProgram *program);
// Checked as proto_get_request checks. Always proto_program_fini.
bool proto_get_program(const uint8_t *bytes, size_t size, ProtoProgram *program, LsErr *err);
void proto_program_fini(ProtoProgram *program);

void proto_put_times(TraceBytes *out, const DevProgramRun *run);
// Times of the program that `run` was made for. False: malformed.
bool proto_get_times(const uint8_t *bytes, size_t size, const HostProgram *program, DevProgramRun *run);

// The number that a side of a buffer has in BUFFER.
static inline uint64_t proto_side(int buffer, bool on_host) { return 2 * (uint64_t)buffer + on_host; }

#endif
