// wellformed.c: recursive descent over JSON, a stack of names over XML.
#include "wellformed.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

// ---- JSON: every skip_ returns what follows the construct, or NULL if it is not one ----------------------------------

static const char *skip_space(const char *p) { return p + strspn(p, " \t\r\n"); }

// string = '"' { char | '\' escape } '"', without control characters
static const char *skip_string(const char *p) {
  if (*p++ != '"') return NULL;
  for (; *p != '"'; p++) {
    if ((unsigned char)*p < 0x20) return NULL;
    if (*p != '\\') continue;
    p++;
    if (!*p || !strchr("\"\\/bfnrtu", *p)) return NULL;
    if (*p == 'u' && strspn(p + 1, "0123456789abcdefABCDEF") < 4) return NULL;
  }
  return p + 1;
}

static const char *skip_digits(const char *p) {
  size_t count = strspn(p, "0123456789");
  return count ? p + count : NULL;
}

// number = [ "-" ] ( "0" | nonzero { digit } ) [ "." digits ] [ ("e" | "E") [ "+" | "-" ] digits ]
static const char *skip_number(const char *p) {
  if (*p == '-') p++;
  p = *p == '0' ? p + 1 : skip_digits(p);
  if (p && *p == '.') p = skip_digits(p + 1);
  if (p && (*p == 'e' || *p == 'E')) p = skip_digits(p + 1 + (p[1] == '+' || p[1] == '-'));
  return p;
}

static const char *skip_value(const char *p);

static const char *skip_array(const char *p) {
  p = skip_space(p + 1);
  if (*p == ']') return p + 1;
  for (;;) {
    p = skip_value(p);
    if (!p) return NULL;
    p = skip_space(p);
    if (*p == ']') return p + 1;
    if (*p++ != ',') return NULL;
  }
}

static const char *skip_member(const char *p) {
  p = skip_string(skip_space(p));
  if (!p) return NULL;
  p = skip_space(p);
  return *p == ':' ? skip_value(p + 1) : NULL;
}

// Whether the key that begins at `key` stands in the object before it.
static bool is_twice(const char *object, const char *key) {
  size_t length = (size_t)(skip_string(key) - key);
  for (const char *p = skip_space(object + 1); p < key; p = skip_space(skip_space(skip_member(p)) + 1))
    if (strncmp(p, key, length) == 0) return true;
  return false;
}

static const char *skip_object(const char *object) {
  const char *p = skip_space(object + 1);
  if (*p == '}') return p + 1;
  for (;;) {
    p = skip_space(p);
    const char *key = p;
    p = skip_member(p);
    if (!p || is_twice(object, key)) return NULL;
    p = skip_space(p);
    if (*p == '}') return p + 1;
    if (*p++ != ',') return NULL;
  }
}

static const char *skip_word(const char *p) {
  static const char *const words[] = {"true", "false", "null"};
  for (int i = 0; i < LS_COUNT(words); i++)
    if (strncmp(p, words[i], strlen(words[i])) == 0) return p + strlen(words[i]);
  return NULL;
}

static const char *skip_value(const char *p) {
  p = skip_space(p);
  if (*p == '{') return skip_object(p);
  if (*p == '[') return skip_array(p);
  if (*p == '"') return skip_string(p);
  return *p == '-' || isdigit((unsigned char)*p) ? skip_number(p) : skip_word(p);
}

bool json_is_valid(const char *text) {
  const char *end = skip_value(text);
  return end && !*skip_space(end);
}

static const char *element(const char *array, long index) {
  const char *p = skip_space(array + 1);
  for (; *p != ']' && index > 0; index--) {
    p = skip_space(skip_value(p));
    if (*p == ',') p = skip_space(p + 1);
  }
  return *p == ']' ? NULL : p;
}

static const char *member(const char *object, const char *name, size_t length) {
  const char *p = skip_space(object + 1);
  while (*p == '"') {
    bool found = strncmp(p + 1, name, length) == 0 && p[1 + length] == '"';
    const char *value = skip_space(skip_space(skip_string(p)) + 1);
    if (found) return value;
    p = skip_space(skip_value(value));
    if (*p == ',') p = skip_space(p + 1);
  }
  return NULL;
}

const char *json_at(const char *text, const char *path) {
  const char *p = skip_space(text);
  while (p && *path) {
    size_t length = strcspn(path, ".");
    p = *p == '{' ? member(p, path, length) : *p == '[' ? element(p, strtol(path, NULL, 10)) : NULL;
    path += length + (path[length] == '.');
  }
  return p;
}

char json_kind(const char *text, const char *path) {
  const char *p = json_at(text, path);
  if (!p) return '-';
  switch (*p) {
    case '{': return 'o';
    case '[': return 'a';
    case '"': return 's';
    case 't': case 'f': return 'b';
    case 'n': return '0';
    default: return 'n';
  }
}

double json_number(const char *text, const char *path) {
  return json_kind(text, path) == 'n' ? strtod(json_at(text, path), NULL) : -1;
}

bool json_is_string(const char *text, const char *path, const char *expected) {
  const char *p = json_at(text, path);
  size_t length = strlen(expected);
  return p && *p == '"' && strncmp(p + 1, expected, length) == 0 && p[1 + length] == '"';
}

int json_count(const char *text, const char *path) {
  const char *p = json_at(text, path);
  if (!p || *p != '[') return -1;
  int count = 0;
  while (element(p, count)) count++;
  return count;
}

// ---- XML -------------------------------------------------------------------------------------------------------------

enum { MAX_DEPTH = 64 };
typedef struct Name { const char *start; size_t length; } Name;

static size_t name_length(const char *p) {
  size_t length = 0;
  while (isalnum((unsigned char)p[length]) || (length && strchr("-:._", p[length]) && p[length])) length++;
  return length;
}

// A code point of the characters that XML allows, or 0.
static size_t utf8_length(const char *p) {
  unsigned char first = (unsigned char)*p;
  if (first < 0x80) return first >= 0x20 || strchr("\t\r\n", first) ? 1 : 0;
  size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc2 ? 2 : 0;
  for (size_t i = 1; i < length; i++)
    if (((unsigned char)p[i] & 0xc0) != 0x80) return 0;
  return length;
}

// &#10; of a character that XML 1.0 allows.
static const char *skip_reference(const char *p) {
  char *end;
  unsigned long code = strtoul(p + strlen("&#"), &end, 10);
  bool allowed = code == '\t' || code == '\n' || code == '\r' || (code >= ' ' && code < 0xd800);
  return allowed && *end == ';' ? end + 1 : NULL;
}

static const char *skip_entity(const char *p) {
  if (strncmp(p, "&#", 2) == 0) return skip_reference(p);
  static const char *const known[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&apos;"};
  for (int i = 0; i < LS_COUNT(known); i++)
    if (strncmp(p, known[i], strlen(known[i])) == 0) return p + strlen(known[i]);
  return NULL;
}

// Text up to one of the ending characters, which are not part of it.
static const char *skip_text(const char *p, const char *endings) {
  while (p && *p && !strchr(endings, *p)) {
    size_t length = utf8_length(p);
    p = *p == '&' ? skip_entity(p) : length ? p + length : NULL;
  }
  return p;
}

// { name '="' text '"' }
static const char *skip_attributes(const char *p) {
  Name seen[MAX_DEPTH];
  int count = 0;
  for (;;) {
    const char *name = skip_space(p);
    size_t length = name_length(name);
    if (!length) return name;
    if (name == p || count == MAX_DEPTH) return NULL;
    for (int i = 0; i < count; i++)
      if (seen[i].length == length && memcmp(seen[i].start, name, length) == 0) return NULL;
    seen[count++] = (Name){name, length};
    p = name + length;
    if (p[0] != '=' || p[1] != '"') return NULL;
    p = skip_text(p + 2, "\"<");
    if (!p || *p++ != '"') return NULL;
  }
}

// One tag, with *depth and the names of what is open kept up to date.
static const char *skip_tag(const char *p, Name *open, int *depth) {
  bool closing = p[1] == '/';
  Name name = {p + 1 + closing, name_length(p + 1 + closing)};
  if (!name.length) return NULL;
  p = name.start + name.length;
  if (closing) {
    const Name *last = &open[*depth - 1];
    if (*depth == 0 || last->length != name.length || memcmp(last->start, name.start, name.length) != 0) return NULL;
    --*depth;
    return *p == '>' ? p + 1 : NULL;
  }
  p = skip_attributes(p);
  if (!p || *depth == MAX_DEPTH) return NULL;
  if (p[0] == '/' && p[1] == '>') return p + 2;
  open[(*depth)++] = name;
  return *p == '>' ? p + 1 : NULL;
}

bool xml_is_valid(const char *text) {
  Name open[MAX_DEPTH];
  int depth = 0;
  const char *p = skip_space(text);
  if (strncmp(p, "<?xml", 5) == 0) {
    p = strstr(p, "?>");
    if (p) p = skip_space(p + 2);
  }
  if (!p || *p != '<') return false;
  do {
    p = *p == '<' ? skip_tag(p, open, &depth) : skip_text(p, "<");
  } while (p && *p && depth > 0);
  return p && depth == 0 && !*skip_space(p);
}
