// json_read.h: JSON of somebody else's as values in an arena; the reader is SQLite's, which is linked already.
//
//   JsonReader *reader = json_reader_new();
//   const JsonValue *root = json_read(reader, "{\"steps\": [1, 2.5]}", arena);
//   json_member(root, "steps")->child->next->number                       2.5
#ifndef LS_APP_REPORT_JSON_READ_H
#define LS_APP_REPORT_JSON_READ_H

#include <stdbool.h>

#include "base/mem.h"

typedef enum JsonKind { JSON_NULL, JSON_BOOL, JSON_NUMBER, JSON_STRING, JSON_ARRAY, JSON_OBJECT } JsonKind;

typedef struct JsonValue {
  JsonKind kind;
  const char *key;                   // of a member; else NULL
  const char *string;                // STRING: ends at its first zero character, if it has any
  double number;                     // NUMBER; BOOL: 0 or 1
  struct JsonValue *child, *next;    // the first of an array's or object's, and the one after this
} JsonValue;

typedef struct JsonReader JsonReader;
JsonReader *json_reader_new(void);
void json_reader_free(JsonReader *reader);   // NULL is fine
// The text is terminated. NULL: it is no JSON. What is nested more than some hundreds deep is
// none, nor what has strings that are no UTF-8.
const JsonValue *json_read(JsonReader *reader, const char *text, LsArena *arena);
// The first member of that name; NULL if there is none, or it is no object.
const JsonValue *json_member(const JsonValue *object, const char *key);

#endif
