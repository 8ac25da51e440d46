// line.c: cuts bytes into lines, and lines into the members of a flat JSON object (RFC 8259).
#include "app/stage/line.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"

// ---- lines ----------------------------------------------------------------------------------------------------------

void line_reader_init(LineReader *reader, size_t most) {
  *reader = (LineReader){.bytes = ls_alloc(most + 1), .most = most};
}

void line_reader_fini(LineReader *reader) {
  free(reader->bytes);
  *reader = (LineReader){0};
}

static void drop_taken(LineReader *reader) {
  memmove(reader->bytes, reader->bytes + reader->taken, reader->length - reader->taken);
  reader->length -= reader->taken;
  reader->taken = 0;
}

size_t line_reader_room(const LineReader *reader) {
  return reader->broken ? 0 : reader->most + 1 - (reader->length - reader->taken);
}

void line_feed(LineReader *reader, const char *bytes, size_t size) {
  if (reader->broken) return;
  drop_taken(reader);
  size_t room = line_reader_room(reader);
  if (size > room || memchr(bytes, 0, size)) {
    reader->broken = true;
    return;
  }
  memcpy(reader->bytes + reader->length, bytes, size);
  reader->length += size;
}

char *line_next(LineReader *reader) {
  if (reader->broken) return NULL;
  char *line = reader->bytes + reader->taken;
  char *end = memchr(line, '\n', reader->length - reader->taken);
  if (!end) {
    drop_taken(reader);
    reader->broken = reader->length > reader->most;
    return NULL;
  }
  *end = 0;
  reader->taken += (size_t)(end - line) + 1;
  return line;
}

// ---- members --------------------------------------------------------------------------------------------------------

static void skip_blanks(char **at) {
  while (**at == ' ' || **at == '\t') ++*at;
}

static bool take(char **at, char c) {
  skip_blanks(at);
  if (**at != c) return false;
  ++*at;
  return true;
}

// Four hexadecimal digits; -1: they are none.
static int32_t hex4(const char *at) {
  static const char digits[] = "0123456789abcdef";
  int32_t code = 0;
  for (int i = 0; i < 4; i++) {
    char c = at[i];
    const char *digit = isxdigit((unsigned char)c) ? strchr(digits, c | 0x20) : NULL;
    if (!digit) return -1;
    code = code * 16 + (int32_t)(digit - digits);
  }
  return code;
}

// \uXXXX, or two of them for a character beyond 16 bits. 0: it is none.
static uint32_t take_unicode(char **at) {
  enum { HIGH = 0xd800, LOW = 0xdc00, BEHIND = 0xe000, BEYOND = 0x10000 };
  int32_t code = hex4(*at);
  if (code <= 0 || (code >= LOW && code < BEHIND)) return 0;
  *at += 4;
  if (code < HIGH || code >= BEHIND) return (uint32_t)code;
  int32_t low = (*at)[0] == '\\' && (*at)[1] == 'u' ? hex4(*at + 2) : -1;
  if (low < LOW || low >= BEHIND) return 0;
  *at += 6;
  return (uint32_t)(BEYOND + ((code - HIGH) << 10) + (low - LOW));
}

// What follows a backslash goes to *to, which it never overtakes: no escape is shorter than its character.
static bool take_escape(char **at, char **to) {
  static const char escapes[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
  char c = *(*at)++, utf8[5];
  if (c == 'u') {
    uint32_t code = take_unicode(at);
    int bytes = code ? ls_utf8_encode(code, utf8) : 0;
    memcpy(*to, utf8, (size_t)bytes);
    *to += bytes;
    return bytes > 0;
  }
  const char *known = c ? strchr(escapes, c) : NULL;
  if (known) *(*to)++ = meanings[known - escapes];
  return known != NULL;
}

// Whether all of it is UTF-8: a byte that is none is read as U+FFFD, which itself has three.
static bool is_utf8(const char *text) {
  enum { REPLACEMENT = 0xfffd, ITS_BYTES = 3 };
  for (const char *at = text; *at;) {
    const char *before = at;
    if (ls_utf8_next(&at) == REPLACEMENT && at - before != ITS_BYTES) return false;
  }
  return true;
}

// A text, unescaped where it stands.
static const char *take_text(char **at) {
  if (!take(at, '"')) return NULL;
  char *text = *at, *to = *at;
  while (**at != '"') {
    unsigned char c = (unsigned char)**at;
    if (c < ' ') return NULL;              // the end of the line, too
    ++*at;
    if (c != '\\') *to++ = (char)c;
    else if (!take_escape(at, &to)) return NULL;
  }
  ++*at;
  *to = 0;
  return is_utf8(text) ? text : NULL;
}

static bool take_word(char **at, const char *word) {
  skip_blanks(at);
  if (!ls_starts_with(*at, word)) return false;
  *at += strlen(word);
  return true;
}

static bool take_number(char **at, int64_t *number) {
  enum { DIGITS = 15 };
  skip_blanks(at);
  bool negative = **at == '-';
  char *digits = *at + negative;
  size_t length = strspn(digits, "0123456789");
  if (length < 1 || length > DIGITS) return false;
  *number = 0;
  for (size_t i = 0; i < length; i++) *number = *number * 10 + (digits[i] - '0');
  if (negative) *number = -*number;
  *at = digits + length;
  return true;
}

static bool take_item(char **at, LineItem *item) {
  *item = (LineItem){0};
  skip_blanks(at);
  if (**at == '"') return (item->text = take_text(at)) != NULL;
  if (take_word(at, "true")) return item->number = 1, true;
  return take_word(at, "false") || take_number(at, &item->number);
}

static bool take_list(char **at, LineField *field) {
  field->is_list = true;
  if (take(at, ']')) return true;
  do {
    if (field->count == LINE_ITEMS || !take_item(at, &field->items[field->count++])) return false;
  } while (take(at, ','));
  return take(at, ']');
}

static bool take_field(char **at, LineField *field) {
  *field = (LineField){0};
  if (!(field->key = take_text(at)) || !take(at, ':')) return false;
  return take(at, '[') ? take_list(at, field) : take_item(at, &field->value);
}

bool line_read(LineFields *fields, char *line) {
  fields->count = 0;
  if (!take(&line, '{')) return false;
  if (!take(&line, '}')) {
    do {
      if (fields->count == LINE_FIELDS || !take_field(&line, &fields->fields[fields->count++])) return false;
    } while (take(&line, ','));
    if (!take(&line, '}')) return false;
  }
  skip_blanks(&line);
  return *line == 0 || (*line == '\r' && line[1] == 0);
}

const LineField *line_field(const LineFields *fields, const char *key) {
  for (int i = 0; i < fields->count; i++)
    if (strcmp(fields->fields[i].key, key) == 0) return &fields->fields[i];
  return NULL;
}

const char *line_text(const LineFields *fields, const char *key, size_t most, const char *otherwise) {
  const LineField *field = line_field(fields, key);
  bool fits = field && !field->is_list && field->value.text && strlen(field->value.text) <= most;
  return fits ? field->value.text : otherwise;
}

int64_t line_number(const LineFields *fields, const char *key, int64_t least, int64_t most, int64_t otherwise) {
  const LineField *field = line_field(fields, key);
  bool fits = field && !field->is_list && !field->value.text && field->value.number >= least &&
      field->value.number <= most;
  return fits ? field->value.number : otherwise;
}

bool line_flag(const LineFields *fields, const char *key) { return line_number(fields, key, 1, 1, 0) == 1; }
