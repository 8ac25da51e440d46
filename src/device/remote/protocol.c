// protocol.c: greetings and messages, written and read.
#include "device/remote/protocol.h"

#include <stdlib.h>
#include <string.h>

#include "base/random.h"

enum { FILLER = '\n' };

typedef struct TypeDef { ProtoType type; ProtoSide from; const char *name; } TypeDef;
static const TypeDef types[] = {
#define PROTO_MESSAGE(NAME, number, from, name) {PROTO_##NAME, from, name},
#include "device/remote/messages.def"
#undef PROTO_MESSAGE
};

static const TypeDef *find_type(unsigned type) {
  for (int i = 0; i < LS_COUNT(types); i++)
    if (types[i].type == type) return &types[i];
  return NULL;
}

const char *proto_type_name(ProtoType type) {
  const TypeDef *def = find_type(type);
  return def ? def->name : "?";
}

// ---- writing -------------------------------------------------------------------------------------------------------

void proto_put_greeting(TraceBytes *out, unsigned version, const char *program) {
  size_t start = out->size, length = LS_MIN(strlen(program), PROTO_NAME_MOST);
  trace_put_bytes(out, PROTO_MAGIC, PROTO_MAGIC_BYTES);
  trace_put_le(out, version, 2);
  trace_put_le(out, length, 2);
  trace_put_bytes(out, program, length);
  trace_put_u64(out, ls_hash64(out->data + start, out->size - start));
}

// The sum of a message: over the first half of its header and the payload, without putting them side by side.
static uint64_t sum_of(const uint8_t *header, const void *payload, size_t size) {
  uint64_t parts[2] = {ls_hash64(header, PROTO_HEADER_BYTES - 8), ls_hash64(payload, size)};
  return ls_hash64(parts, sizeof parts);
}

void proto_put(TraceBytes *out, ProtoType type, const void *payload, size_t size) {
  size_t start = out->size;
  trace_put_le(out, type, 4);
  trace_put_le(out, size, 4);
  trace_put_u64(out, sum_of(out->data + start, payload, size));
  trace_put_bytes(out, payload, size);
}

void proto_put_filler(TraceBytes *out) { trace_put_u8(out, FILLER); }

void proto_put_parts(TraceBytes *out, ProtoType type, const void *bytes, size_t size) {
  const uint8_t *p = bytes;
  for (size_t part; size; p += part, size -= part) {
    part = LS_MIN(size, PROTO_PART);
    proto_put(out, type, p, part);
  }
}

void proto_put_error(TraceBytes *out, const LsErr *err) {
  TraceBytes payload = {0};
  trace_put_u8(&payload, (uint8_t)err->kind);
  trace_put_text(&payload, err->message);
  trace_put_text(&payload, err->file);
  trace_put_varint(&payload, (uint64_t)LS_MAX(err->line, 0));
  trace_put_varint(&payload, (uint64_t)LS_MAX(err->col, 0));
  proto_put(out, PROTO_ERROR, payload.data, payload.size);
  free(payload.data);
}

// ---- reading -------------------------------------------------------------------------------------------------------

void proto_reader_init(ProtoReader *reader, ProtoSide from) { *reader = (ProtoReader){.from = from}; }

void proto_reader_fini(ProtoReader *reader) {
  ls_text_free(&reader->banner);
  free(reader->bytes.data);
  *reader = (ProtoReader){0};
}

void proto_feed(ProtoReader *reader, const void *bytes, size_t size) {
  TraceBytes *held = &reader->bytes;
  if (reader->taken) {
    memmove(held->data, held->data + reader->taken, held->size - reader->taken);
    held->size -= reader->taken;
    reader->taken = 0;
  }
  trace_put_bytes(held, bytes, size);
}

static const uint8_t *at(const ProtoReader *reader) { return reader->bytes.data + reader->taken; }
static size_t left(const ProtoReader *reader) { return reader->bytes.size - reader->taken; }

bool proto_pending(const ProtoReader *reader) {
  size_t i = reader->taken;
  if (reader->from == PROTO_SERVER && reader->greeted)
    while (i < reader->bytes.size && reader->bytes.data[i] == FILLER) i++;
  return i < reader->bytes.size;
}

static uint64_t number(const uint8_t *p, int size) {
  uint64_t value = 0;
  for (int i = 0; i < size; i++) value |= (uint64_t)p[i] << 8 * i;
  return value;
}

// Moves what comes before the magic into the banner. True if the magic, or as much of it as has come, is next.
static void pass_banner(ProtoReader *reader) {
  while (left(reader)) {
    size_t some = LS_MIN(left(reader), PROTO_MAGIC_BYTES);
    if (memcmp(at(reader), PROTO_MAGIC, some) == 0) return;
    ls_text_addc(&reader->banner, (char)at(reader)[0]);
    reader->taken++;
    if (reader->banner.length > PROTO_BANNER_MOST) return;
  }
}

ProtoState proto_greeting(ProtoReader *reader, LsErr *err) {
  enum { FIXED = PROTO_MAGIC_BYTES + 4 };
  pass_banner(reader);
  if (reader->banner.length > PROTO_BANNER_MOST) {
    ls_fail(err, LS_EFORMAT, "%d KB of other output came instead of a greeting", PROTO_BANNER_MOST >> 10);
    return PROTO_BAD;
  }
  if (left(reader) < FIXED) return PROTO_MORE;
  size_t length = (size_t)number(at(reader) + PROTO_MAGIC_BYTES + 2, 2);
  if (length > PROTO_NAME_MOST) {
    ls_fail(err, LS_EFORMAT, "the greeting is damaged: its program's name has %zu bytes", length);
    return PROTO_BAD;
  }
  if (left(reader) < FIXED + length + 8) return PROTO_MORE;
  if (number(at(reader) + FIXED + length, 8) != ls_hash64(at(reader), FIXED + length)) {
    ls_fail(err, LS_EFORMAT, "the greeting is damaged on its way");
    return PROTO_BAD;
  }
  reader->version = (unsigned)number(at(reader) + PROTO_MAGIC_BYTES, 2);
  memcpy(reader->program, at(reader) + FIXED, length);
  reader->program[length] = 0;
  reader->taken += FIXED + length + 8;
  reader->greeted = true;
  return PROTO_READY;
}

static ProtoState bad_message(LsErr *err, const char *what, uint64_t value) {
  ls_fail(err, LS_EFORMAT, "a message is damaged: %s (%llu)", what, (unsigned long long)value);
  return PROTO_BAD;
}

static void pass_fillers(ProtoReader *reader) {
  if (reader->from != PROTO_SERVER) return;
  while (left(reader) && at(reader)[0] == FILLER) reader->taken++;
}

ProtoState proto_next(ProtoReader *reader, ProtoMessage *message, LsErr *err) {
  pass_fillers(reader);
  if (left(reader) < PROTO_HEADER_BYTES) return PROTO_MORE;
  const uint8_t *header = at(reader);
  uint64_t type = number(header, 4), size = number(header + 4, 4);
  const TypeDef *def = find_type((unsigned)type);
  if (memcmp(header, PROTO_MAGIC, PROTO_MAGIC_BYTES) == 0) {
    ls_fail(err, LS_EFORMAT, "a second greeting came: more than one lanescope was started there (srun needs -n 1)");
    return PROTO_BAD;
  }
  if (!def || def->from != reader->from) return bad_message(err, "its type is unknown here", type);
  if (size > PROTO_PAYLOAD_MOST) return bad_message(err, "it is longer than any can be", size);
  if (left(reader) < PROTO_HEADER_BYTES + size) return PROTO_MORE;
  if (number(header + 8, 8) != sum_of(header, header + PROTO_HEADER_BYTES, (size_t)size))
    return bad_message(err, "its sum is wrong, type", type);
  *message = (ProtoMessage){.type = def->type, .payload = header + PROTO_HEADER_BYTES, .size = (size_t)size};
  reader->taken += PROTO_HEADER_BYTES + (size_t)size;
  return PROTO_READY;
}

// ---- meaning -------------------------------------------------------------------------------------------------------

bool proto_agree(unsigned other_version, const char *other_program, const char *where, LsErr *err) {
  if (other_version == PROTO_VERSION) return true;
  return ls_fail(err, LS_EENV,
                 "this lanescope and that of %s do not understand each other: it is lanescope %s and speaks version %u of the "
                 "protocol, this one speaks version %d\n%s", where, other_program, other_version, PROTO_VERSION,
                 other_version > PROTO_VERSION ? "Install the newer lanescope here too."
                                               : "Install this version of lanescope there too.");
}

bool proto_get_error(const ProtoMessage *message, LsErr *err) {
  TraceCursor cursor = {message->payload, message->payload + message->size, false};
  uint8_t kind = trace_get_u8(&cursor);
  char *text = trace_get_text(&cursor), *file = trace_get_text(&cursor);
  int line = (int)trace_get_bounded(&cursor, INT32_MAX), col = (int)trace_get_bounded(&cursor, INT32_MAX);
  bool ok = !cursor.bad && text && kind > LS_OK && kind <= LS_ENOMEM;
  if (ok) ls_fail_at(err, (LsErrKind)kind, file ? file : "", line, col, "%s", text);
  free(text);
  free(file);
  return ok;
}
