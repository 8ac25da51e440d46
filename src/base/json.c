// json.c: the JSON writer.
#include "base/json.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

void ls_json_init(LsJson *json, LsText *out) { *json = (LsJson){.out = out}; }

static void separate(LsJson *json) {
  if (json->need_comma) ls_text_add(json->out, ", ");
  json->need_comma = true;
}

void ls_json_open(LsJson *json, char bracket) {
  separate(json);
  ls_text_addc(json->out, bracket);
  json->need_comma = false;
}

void ls_json_close(LsJson *json, char bracket) {
  ls_text_addc(json->out, bracket);
  json->need_comma = true;
}

static void add_char(LsText *out, unsigned char c) {
  if (c == '"' || c == '\\') ls_text_addf(out, "\\%c", c);
  else if (c == '\n') ls_text_add(out, "\\n");
  else if (c == '\t') ls_text_add(out, "\\t");
  else if (c < 0x20 || c == 0x7f) ls_text_addf(out, "\\u%04x", c);
  else ls_text_addc(out, (char)c);
}

static void add_string(LsText *out, const char *s) {
  ls_text_addc(out, '"');
  while (*s) {
    const char *start = s;
    uint32_t code = ls_utf8_next(&s);
    if (code == 0xfffd) ls_text_add(out, "\\ufffd");
    else if (code >= 0x80 && code < 0xa0) ls_text_addf(out, "\\u%04x", (unsigned)code);   // C1: a terminal may take it as an escape
    else if (s - start == 1) add_char(out, (unsigned char)*start);
    else ls_text_addn(out, start, (size_t)(s - start));
  }
  ls_text_addc(out, '"');
}

void ls_json_key(LsJson *json, const char *key) {
  separate(json);
  add_string(json->out, key);
  ls_text_add(json->out, ": ");
  json->need_comma = false;
}

void ls_json_str(LsJson *json, const char *value) {
  separate(json);
  if (value) add_string(json->out, value);
  else ls_text_add(json->out, "null");
}

void ls_json_u64(LsJson *json, uint64_t value) {
  separate(json);
  ls_text_addf(json->out, "%" PRIu64, value);
}

void ls_json_i64(LsJson *json, int64_t value) {
  separate(json);
  ls_text_addf(json->out, "%" PRId64, value);
}

void ls_json_f64(LsJson *json, double value) {
  separate(json);
  if (!isfinite(value)) {
    ls_text_add(json->out, "null");
    return;
  }
  char digits[40];
  for (int precision = 1; precision <= 17; precision++) {
    snprintf(digits, sizeof digits, "%.*g", precision, value);
    if (strtod(digits, NULL) == value) break;
  }
  ls_text_add(json->out, digits);
}

void ls_json_bool(LsJson *json, bool value) {
  separate(json);
  ls_text_add(json->out, value ? "true" : "false");
}

void ls_json_member(LsJson *json, const char *key, const char *value) {
  ls_json_key(json, key);
  ls_json_str(json, value);
}

void ls_json_member_u64(LsJson *json, const char *key, uint64_t value) {
  ls_json_key(json, key);
  ls_json_u64(json, value);
}

void ls_json_member_i64(LsJson *json, const char *key, int64_t value) {
  ls_json_key(json, key);
  ls_json_i64(json, value);
}

void ls_json_member_f64(LsJson *json, const char *key, double value) {
  ls_json_key(json, key);
  ls_json_f64(json, value);
}

void ls_json_member_bool(LsJson *json, const char *key, bool value) {
  ls_json_key(json, key);
  ls_json_bool(json, value);
}

void ls_json_open_member(LsJson *json, const char *key, char bracket) {
  ls_json_key(json, key);
  ls_json_open(json, bracket);
}
