// bytes.h: numbers into a growable array of bytes and, with every bound checked, out of one.
#ifndef LS_TRACE_BYTES_H
#define LS_TRACE_BYTES_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "base/mem.h"

typedef struct TraceBytes { uint8_t *data; size_t size, capacity; } TraceBytes;   // free(data) ends it

void trace_bytes_grow(TraceBytes *bytes, size_t more);

static inline uint8_t *trace_bytes_room(TraceBytes *bytes, size_t more) {
  if (bytes->capacity - bytes->size < more) trace_bytes_grow(bytes, more);
  return bytes->data + bytes->size;
}

static inline void trace_put_bytes(TraceBytes *bytes, const void *data, size_t size) {
  if (!size) return;
  memcpy(trace_bytes_room(bytes, size), data, size);
  bytes->size += size;
}

static inline void trace_put_u8(TraceBytes *bytes, uint8_t value) {
  *trace_bytes_room(bytes, 1) = value;
  bytes->size++;
}

// The low `size` bytes of value.
static inline void trace_put_le(TraceBytes *bytes, uint64_t value, int size) {
  uint8_t *p = trace_bytes_room(bytes, 8);
  for (int i = 0; i < size; i++) p[i] = (uint8_t)(value >> 8 * i);
  bytes->size += (size_t)size;
}

static inline void trace_put_u32(TraceBytes *bytes, uint32_t value) { trace_put_le(bytes, value, 4); }
static inline void trace_put_u64(TraceBytes *bytes, uint64_t value) { trace_put_le(bytes, value, 8); }

static inline void trace_put_varint(TraceBytes *bytes, uint64_t value) {
  uint8_t *start = trace_bytes_room(bytes, 10), *p = start;
  for (; value >= 128; value >>= 7) *p++ = (uint8_t)(value | 128);
  *p++ = (uint8_t)value;
  bytes->size += (size_t)(p - start);
}

// A signed number, given as its 64 bits.
static inline void trace_put_svarint(TraceBytes *bytes, uint64_t value) {
  trace_put_varint(bytes, value << 1 ^ (0 - (value >> 63)));
}

void trace_put_text(TraceBytes *bytes, const char *text);                  // NULL is kept
void trace_put_blob(TraceBytes *bytes, const void *data, size_t size);     // data NULL is kept

// Reading. Once a read would pass the end, `bad` is set, and this and all later reads give zeros.
typedef struct TraceCursor { const uint8_t *p, *end; bool bad; } TraceCursor;

static inline size_t trace_cursor_left(const TraceCursor *cursor) { return (size_t)(cursor->end - cursor->p); }

static inline void trace_cursor_fail(TraceCursor *cursor) {
  cursor->bad = true;
  cursor->p = cursor->end;
}

// Borrowed; NULL if there are not so many bytes.
static inline const uint8_t *trace_get_bytes(TraceCursor *cursor, uint64_t size) {
  if (trace_cursor_left(cursor) < size) {
    trace_cursor_fail(cursor);
    return NULL;
  }
  const uint8_t *bytes = cursor->p;
  cursor->p += size;
  return bytes;
}

static inline uint64_t trace_get_le(TraceCursor *cursor, int size) {
  const uint8_t *bytes = trace_get_bytes(cursor, (uint64_t)size);
  uint64_t value = 0;
  for (int i = 0; bytes && i < size; i++) value |= (uint64_t)bytes[i] << 8 * i;
  return value;
}

static inline uint8_t trace_get_u8(TraceCursor *cursor) { return (uint8_t)trace_get_le(cursor, 1); }
static inline uint32_t trace_get_u32(TraceCursor *cursor) { return (uint32_t)trace_get_le(cursor, 4); }
static inline uint64_t trace_get_u64(TraceCursor *cursor) { return trace_get_le(cursor, 8); }

static inline uint64_t trace_get_varint(TraceCursor *cursor) {
  uint64_t value = 0;
  for (int shift = 0; shift < 64; shift += 7) {
    if (cursor->p == cursor->end) break;
    uint8_t byte = *cursor->p++;
    value |= (uint64_t)(byte & 127) << shift;
    if (byte < 128) return value;
  }
  trace_cursor_fail(cursor);
  return 0;
}

static inline uint64_t trace_get_svarint(TraceCursor *cursor) {
  uint64_t value = trace_get_varint(cursor);
  return value >> 1 ^ (0 - (value & 1));
}

// A varint that may not exceed `limit`.
static inline uint64_t trace_get_bounded(TraceCursor *cursor, uint64_t limit) {
  uint64_t value = trace_get_varint(cursor);
  if (value <= limit) return value;
  trace_cursor_fail(cursor);
  return 0;
}

// A program counter relative to another one: -1 at least.
static inline int32_t trace_get_pc(TraceCursor *cursor, int32_t from) {
  int64_t value = (int64_t)((uint64_t)(int64_t)from + trace_get_svarint(cursor));
  if (value >= -1 && value <= INT32_MAX) return (int32_t)value;
  trace_cursor_fail(cursor);
  return 0;
}

char *trace_get_text(TraceCursor *cursor);                   // caller frees; NULL if there is none
void *trace_get_blob(TraceCursor *cursor, size_t *size);     // caller frees; terminated by a zero that is not counted

#endif
