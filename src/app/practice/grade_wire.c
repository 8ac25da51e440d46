// grade_wire.c: messages of keys and bytes.
#include "app/practice/grade_wire.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

enum { KEY_MOST = 32 };
static const char first_line[] = "lanescope-grade 1\n";

void grade_wire_begin(LsText *out) { ls_text_add(out, first_line); }
void grade_wire_end(LsText *out) { grade_wire_put(out, "end", "", 0); }

void grade_wire_put(LsText *out, const char *key, const char *bytes, size_t size) {
  ls_text_addf(out, "%s %zu\n", key, size);
  ls_text_addn(out, bytes, size);
  ls_text_addc(out, '\n');
}

void grade_wire_text(LsText *out, const char *key, const char *text) {
  if (text) grade_wire_put(out, key, text, strlen(text));
}

void grade_wire_number(LsText *out, const char *key, int64_t value) {
  char text[24];
  snprintf(text, sizeof text, "%" PRId64, value);
  grade_wire_text(out, key, text);
}

// A member, and what follows it; false: there is none here, or not all of it.
typedef struct Member { const char *key; size_t key_length; const char *bytes; size_t size; } Member;

static bool next(const char **p, const char *end, Member *member) {
  size_t left = (size_t)(end - *p);
  const char *line_end = memchr(*p, '\n', LS_MIN(left, (size_t)(KEY_MOST + 24)));
  const char *blank = line_end ? memchr(*p, ' ', (size_t)(line_end - *p)) : NULL;
  if (!blank) return false;
  char digits[24];
  uint64_t size;
  snprintf(digits, sizeof digits, "%.*s", (int)(line_end - blank - 1), blank + 1);
  if (!ls_parse_u64(digits, &size) || size >= (uint64_t)(end - line_end) - 1) return false;
  *member = (Member){*p, (size_t)(blank - *p), line_end + 1, (size_t)size};
  *p = line_end + 1 + size + 1;
  return true;
}

static const char *find(const LsText *in, const char *key, size_t *size) {
  const char *begin = in->data ? strstr(in->data, first_line) : NULL;
  const char *p = begin ? begin + strlen(first_line) : NULL;
  for (Member member; p && next(&p, in->data + in->length, &member);) {
    if (strlen(key) != member.key_length || memcmp(key, member.key, member.key_length) != 0) continue;
    if (size) *size = member.size;
    return member.bytes;
  }
  return NULL;
}

bool grade_wire_is_whole(const LsText *in) { return find(in, "end", NULL) != NULL; }
const char *grade_wire_get(const LsText *in, const char *key, size_t *size) { return find(in, key, size); }

char *grade_wire_take(const LsText *in, const char *key) {
  size_t size;
  const char *bytes = find(in, key, &size);
  return bytes ? ls_strndup(bytes, size) : NULL;
}

int64_t grade_wire_int(const LsText *in, const char *key, int64_t fallback) {
  char *text = grade_wire_take(in, key);
  int64_t value = fallback;
  if (text && !ls_parse_i64(text, &value)) value = fallback;
  free(text);
  return value;
}
