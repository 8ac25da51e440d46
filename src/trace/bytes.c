// bytes.c: growing, and texts.
#include "trace/bytes.h"

void trace_bytes_grow(TraceBytes *bytes, size_t more) {
  size_t capacity = LS_MAX(bytes->capacity + bytes->capacity / 2, bytes->size + more);
  bytes->capacity = LS_MAX(capacity, 256);
  bytes->data = ls_realloc(bytes->data, bytes->capacity);
}

void trace_put_blob(TraceBytes *bytes, const void *data, size_t size) {
  trace_put_varint(bytes, data ? (uint64_t)size + 1 : 0);
  if (data) trace_put_bytes(bytes, data, size);
}

void trace_put_text(TraceBytes *bytes, const char *text) { trace_put_blob(bytes, text, text ? strlen(text) : 0); }

void *trace_get_blob(TraceCursor *cursor, size_t *size) {
  *size = 0;
  uint64_t length = trace_get_varint(cursor);
  if (!length) return NULL;
  const uint8_t *bytes = trace_get_bytes(cursor, length - 1);
  if (!bytes) return NULL;
  *size = (size_t)(length - 1);
  return ls_strndup((const char *)bytes, *size);
}

char *trace_get_text(TraceCursor *cursor) {
  size_t size;
  return trace_get_blob(cursor, &size);
}
