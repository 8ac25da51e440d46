// trace_chunks.h: chunks that are damaged on the way, and traces that an older version wrote, for tests of the trace.
#ifndef LS_TESTS_TRACE_CHUNKS_H
#define LS_TESTS_TRACE_CHUNKS_H

#include <stdio.h>
#include "base/file.h"
#include "base/mem.h"
#include "base/random.h"
#include "check.h"
#include "source_dir.h"
#include "trace/decode.h"

// Reads `raw`, a chunk of so many events, again and again with up to three bytes changed: each is refused or read, some
// are refused, and no more happens.
static inline void check_damaged_chunk(const TraceBytes *raw, int events, LsMt *random) {
  Predictor *predictor = predict_new();
  uint8_t *bytes = ls_alloc(raw->size);
  int refused = 0;
  for (int round = 0; round < check_long(600, 20000); round++) {
    TraceChunk chunk;
    memcpy(bytes, raw->data, raw->size);
    for (uint32_t n = 1 + ls_mt_u32(random) % 3; n; n--) {
      uint32_t at = ls_mt_u32(random) % (uint32_t)raw->size;
      bytes[at] = (uint8_t)(ls_mt_u32(random) % 40);
    }
    refused += !trace_decode_chunk(&chunk, predictor, bytes, raw->size, 0, events);
    trace_chunk_fini(&chunk);
  }
  CHECK(refused > 0);
  free(bytes);
  free(predictor);
}

// A trace of the tree.
static inline Trace *open_kept_trace(const char *name) {
  char *path = ls_path_join(source_dir(), name);
  LsErr err = {0};
  Trace *trace = trace_open(path, &err);
  if (!trace) printf("\n%s\n", err.message);
  CHECK(trace != NULL);
  free(path);
  return trace;
}

#endif
