// json.h: writes JSON into an LsText; commas and escapes take care of themselves.
//
//   LsText text = {0};
//   LsJson json;
//   ls_json_init(&json, &text);
//   ls_json_open(&json, '{');
//   ls_json_member_u64(&json, "steps", 3540);
//   ls_json_open_member(&json, "grid", '[');
//   ls_json_u64(&json, 4);
//   ls_json_close(&json, ']');
//   ls_json_close(&json, '}');                      {"steps": 3540, "grid": [4]}
//
// That brackets match and that members have keys is the caller's business. Bytes that are no UTF-8 become U+FFFD.
#ifndef LS_BASE_JSON_H
#define LS_BASE_JSON_H

#include "base/text.h"

typedef struct LsJson {
  LsText *out;     // borrowed
  bool need_comma; // internal
} LsJson;

void ls_json_init(LsJson *json, LsText *out);
void ls_json_open(LsJson *json, char bracket);              // '{' or '['
void ls_json_close(LsJson *json, char bracket);             // '}' or ']'
void ls_json_key(LsJson *json, const char *key);
void ls_json_str(LsJson *json, const char *value);          // NULL writes null
void ls_json_u64(LsJson *json, uint64_t value);
void ls_json_i64(LsJson *json, int64_t value);
void ls_json_f64(LsJson *json, double value);               // shortest text that reads back the same; NaN is null
void ls_json_bool(LsJson *json, bool value);

// A member of an object: the key and its value.
void ls_json_member(LsJson *json, const char *key, const char *value);   // NULL writes null
void ls_json_member_u64(LsJson *json, const char *key, uint64_t value);
void ls_json_member_i64(LsJson *json, const char *key, int64_t value);
void ls_json_member_f64(LsJson *json, const char *key, double value);
void ls_json_member_bool(LsJson *json, const char *key, bool value);
void ls_json_open_member(LsJson *json, const char *key, char bracket);

#endif
