// fuzz_protocol.c: any bytes as what the other side of serve-run says: a whole conversation, or the inside of a message.
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "device/remote/program_messages.h"
#include "fuzz.h"

// Fed in pieces whose size the first byte says, as pipes do.
static void listen(ProtoSide from, const uint8_t *data, size_t size) {
  ProtoReader reader;
  ProtoMessage message;
  size_t piece = size ? (size_t)data[0] + 1 : 1;
  proto_reader_init(&reader, from);
  for (size_t at = 0; at < size; at += piece) {
    proto_feed(&reader, data + at, LS_MIN(piece, size - at));
    if (!reader.greeted && proto_greeting(&reader, NULL) != PROTO_READY) continue;
    while (proto_next(&reader, &message, NULL) == PROTO_READY) {
      LsErr err;
      if (message.type == PROTO_ERROR) proto_get_error(&message, &err);
    }
  }
  proto_reader_fini(&reader);
}

// A copy of the exact size, so that the sanitizer sees a read behind it.
static void read_request(const uint8_t *data, size_t size) {
  ProtoRequest request;
  uint8_t *exact = ls_alloc(size);
  memcpy(exact, data, size);
  if (proto_get_request(exact, size, &request, NULL) && launch_blocks(&request.info.launch) == 0) abort();
  proto_request_fini(&request);
  free(exact);
}

static void read_program(const uint8_t *data, size_t size) {
  ProtoProgram program;
  uint8_t *exact = ls_alloc(size);
  memcpy(exact, data, size);
  if (proto_get_program(exact, size, &program, NULL) && program.program.launches == 0) abort();
  proto_program_fini(&program);
  free(exact);
}

// Times of a program of three steps.
static void read_times(const uint8_t *data, size_t size) {
  ProgramStep steps[3];
  DevProgramRun run;
  for (int i = 0; i < 3; i++) program_step_init(&steps[i], PROGRAM_READ);
  HostProgram program = {.steps = steps, .step_count = 3};
  dev_program_run_init(&run, &program);
  if (proto_get_times(data, size, &program, &run) && run.times[2].end < run.times[2].begin) abort();
  dev_program_run_fini(&run);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size < 1) return 0;
  LsErr err;
  switch (data[0] % 6) {
    case 0: listen(PROTO_SERVER, data + 1, size - 1); break;
    case 1: listen(PROTO_CLIENT, data + 1, size - 1); break;
    case 2: read_request(data + 1, size - 1); break;
    case 3: read_program(data + 1, size - 1); break;
    case 4: read_times(data + 1, size - 1); break;
    default: proto_get_error(&(ProtoMessage){PROTO_ERROR, data + 1, size - 1}, &err); break;
  }
  return 0;
}
