// text.c: the string builder, UTF-8, and reading numbers.
#include "base/text.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

void ls_text_free(LsText *text) {
  free(text->data);
  *text = (LsText){0};
}

void ls_text_clear(LsText *text) {
  text->length = 0;
  if (text->data) text->data[0] = 0;
}

static void reserve(LsText *text, size_t more) {
  if (text->length + more + 1 <= text->capacity) return;
  text->capacity = LS_MAX(text->capacity * 2, text->length + more + 1);
  text->capacity = LS_MAX(text->capacity, (size_t)64);
  text->data = ls_realloc(text->data, text->capacity);
}

void ls_text_addn(LsText *text, const char *s, size_t n) {
  reserve(text, n);
  memcpy(text->data + text->length, s, n);
  text->length += n;
  text->data[text->length] = 0;
}

void ls_text_add(LsText *text, const char *s) { ls_text_addn(text, s, strlen(s)); }
void ls_text_addc(LsText *text, char c) { ls_text_addn(text, &c, 1); }

void ls_text_addv(LsText *text, const char *format, va_list args) {
  va_list again;
  va_copy(again, args);
  int length = vsnprintf(NULL, 0, format, args);
  if (length > 0) {
    reserve(text, (size_t)length);
    vsnprintf(text->data + text->length, (size_t)length + 1, format, again);
    text->length += (size_t)length;
  }
  va_end(again);
}

void ls_text_addf(LsText *text, const char *format, ...) {
  va_list args;
  va_start(args, format);
  ls_text_addv(text, format, args);
  va_end(args);
}

const char *ls_text_str(const LsText *text) { return text->data ? text->data : ""; }

char *ls_text_take(LsText *text) {
  char *data = text->data ? text->data : ls_strdup("");
  *text = (LsText){0};
  return data;
}

// Length of the UTF-8 sequence that starts with byte b; 0 if none does.
static int sequence_length(unsigned char b) {
  if (b < 0x80) return 1;
  if (b >= 0xc2 && b < 0xe0) return 2;
  if (b >= 0xe0 && b < 0xf0) return 3;
  if (b >= 0xf0 && b < 0xf5) return 4;
  return 0;
}

// Of a code point in so many bytes: not longer than need be, not half of a UTF-16 pair, not beyond Unicode.
static bool is_code(uint32_t code, int bytes) {
  static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  return code >= least[bytes] && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
}

uint32_t ls_utf8_next(const char **s) {
  const unsigned char *p = (const unsigned char *)*s;
  if (!*p) return 0;
  int n = sequence_length(*p);
  uint32_t code = n == 1 ? *p : n == 2 ? *p & 0x1fu : n == 3 ? *p & 0x0fu : *p & 0x07u;
  for (int i = 1; i < n; i++) {
    if ((p[i] & 0xc0) != 0x80) n = 0;
    else code = code << 6 | (p[i] & 0x3fu);
  }
  if (n && !is_code(code, n)) n = 0;
  *s += n ? n : 1;
  return n ? code : 0xfffd;
}

int ls_utf8_encode(uint32_t code, char out[5]) {
  unsigned char *p = (unsigned char *)out;
  int n = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  static const unsigned char lead[] = {0, 0, 0xc0, 0xe0, 0xf0};
  for (int i = n - 1; i > 0; i--, code >>= 6) p[i] = (unsigned char)(0x80 | (code & 0x3f));
  p[0] = (unsigned char)(lead[n] | code);
  p[n] = 0;
  return n;
}

// ---- control characters --------------------------------------------------------------------------------------------

int ls_control_text(uint32_t code, char out[8]) {
  bool control = code < 0x20 || (code >= 0x7f && code < 0xa0);
  out[0] = 0;
  if (!control || code == '\n' || code == '\r' || code == '\t') return 0;
  return code == 0x1b ? snprintf(out, 8, "\\e") : snprintf(out, 8, "\\x%02x", (unsigned)code);
}

// A carriage return that no end of a line follows would write over what is there.
void ls_text_add_visible(LsText *text, const char *s) {
  char shown[8];
  while (*s) {
    const char *start = s;
    uint32_t code = ls_utf8_next(&s);
    bool broken = code == 0xfffd && s - start == 1;
    if (broken) ls_text_addf(text, "\\x%02x", (unsigned char)*start);
    else if (code == '\r' && *s != '\n') ls_text_add(text, "\\r");
    else if (ls_control_text(code, shown)) ls_text_add(text, shown);
    else ls_text_addn(text, start, (size_t)(s - start));
  }
}

// ---- quoting -------------------------------------------------------------------------------------------------------

static const char ellipsis[] = "\xe2\x80\xa6";

// Where the next character begins; a broken one counts byte by byte.
static const char *after_character(const char *s) {
  ls_utf8_next(&s);
  return s;
}

LsQuote ls_quote(const char *s, size_t n) {
  LsQuote quote;
  const char *end = s;
  int count = 0;
  while (*end && (size_t)(end - s) < n && count <= LS_QUOTED) end = after_character(end), count++;
  size_t length = LS_MIN((size_t)(end - s), n);
  if (count > LS_QUOTED) {
    end = s;
    for (int i = 0; i < LS_QUOTED; i++) end = after_character(end);
    length = (size_t)(end - s);
  }
  memcpy(quote.text, s, length);
  memcpy(quote.text + length, ellipsis, sizeof ellipsis);
  if (count <= LS_QUOTED) quote.text[length] = 0;
  return quote;
}

LsQuote ls_quote_path(const char *path) {
  LsQuote quote;
  const char *start = path, *ahead = path;
  for (int i = 0; *ahead && i < LS_QUOTED_PATH; i++) ahead = after_character(ahead);
  while (*ahead) ahead = after_character(ahead), start = after_character(start);
  snprintf(quote.text, sizeof quote.text, "%s%s", start == path ? "" : ellipsis, start);
  return quote;
}

const char *ls_line_at(const char *text, int line) {
  for (int at = 1; text && at < line; at++) text = (text = strchr(text, '\n')) ? text + 1 : NULL;
  return text;
}

bool ls_is_name(const char *s, size_t most) {
  static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_";
  size_t length = strlen(s);
  return length && length <= most && strspn(s, allowed) == length;
}

bool ls_starts_with(const char *s, const char *prefix) { return strncmp(s, prefix, strlen(prefix)) == 0; }

bool ls_ends_with(const char *s, const char *suffix) {
  size_t a = strlen(s), b = strlen(suffix);
  return a >= b && strcmp(s + a - b, suffix) == 0;
}

int ls_edit_distance(const char *a, const char *b) {
  int row[65];
  int n = (int)LS_MIN(strlen(b), (size_t)64);
  for (int j = 0; j <= n; j++) row[j] = j;
  for (int i = 1; a[i - 1] && i <= 64; i++) {
    int diagonal = row[0];
    row[0] = i;
    for (int j = 1; j <= n; j++) {
      int change = diagonal + (a[i - 1] != b[j - 1]);
      diagonal = row[j];
      row[j] = LS_MIN(change, LS_MIN(row[j], row[j - 1]) + 1);
    }
  }
  return row[n];
}

const char *ls_group_digits(uint64_t value, char out[32]) {
  char digits[24];
  int n = snprintf(digits, sizeof digits, "%" PRIu64, value), k = 0;
  for (int i = 0; i < n; i++) {
    if (i && (n - i) % 3 == 0) out[k++] = ',';
    out[k++] = digits[i];
  }
  out[k] = 0;
  return out;
}

const char *ls_percent(double part, double whole, char out[16]) {
  double percent = whole > 0 ? 100 * part / whole : 0, rounded = floor(percent + 0.5);
  bool round = fabs(percent - rounded) < 0.05;
  snprintf(out, 16, round ? "%.0f%%" : "%.1f%%", round ? rounded : percent);
  return out;
}

bool ls_parse_u64(const char *s, uint64_t *value) {
  if (*s < '0' || *s > '9') return false;
  char *end;
  errno = 0;
  int base = s[0] == '0' && (s[1] == 'x' || s[1] == 'X') ? 16 : 10;
  unsigned long long v = strtoull(s, &end, base);
  if (errno || *end || end == s) return false;
  *value = v;
  return true;
}

bool ls_parse_i64(const char *s, int64_t *value) {
  bool negative = *s == '-';
  uint64_t magnitude;
  if (!ls_parse_u64(s + (negative || *s == '+'), &magnitude)) return false;
  if (magnitude > (uint64_t)INT64_MAX + negative) return false;
  *value = negative ? (int64_t)(0 - magnitude) : (int64_t)magnitude;
  return true;
}

bool ls_parse_f64(const char *s, double *value) {
  char *end;
  if (!*s || *s == ' ') return false;
  double v = strtod(s, &end);
  if (*end || end == s) return false;
  *value = v;
  return true;
}

void ls_text_add_unit(LsText *text, bool one, const char *unit) {
  static const struct { const char *plural, *singular; } endings[] = {
      {"ies", "y"}, {"ches", "ch"}, {"sses", "ss"}, {"s", ""}};
  int length = (int)strlen(unit);
  bool stays = !one || length <= 2 || strchr(unit, '/');
  for (int i = 0; !stays && i < LS_COUNT(endings); i++)
    if (ls_ends_with(unit, endings[i].plural)) {
      ls_text_addf(text, "%.*s%s", length - (int)strlen(endings[i].plural), unit, endings[i].singular);
      return;
    }
  ls_text_add(text, unit);
}
