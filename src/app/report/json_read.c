// json_read.c: the rows of SQLite's json_tree, put together again.
#include "app/report/json_read.h"

#include <stdlib.h>
#include <string.h>

#include "app/course/store.h"

enum { DEPTH = 500 };

struct JsonReader { Store *store; };

// json_tree goes from a value to what is in it, then on: a row belongs to one of those that are open.
typedef struct Open { int64_t id; JsonValue *value, *last; } Open;
typedef struct Growing {
  LsArena *arena;
  JsonValue *root;
  Open open[DEPTH]; int depth;
  bool refused;
} Growing;

// Strings are UTF-8 (RFC 8259, section 8.1), also those that are written with escapes.
static const char *keep(Growing *growing, const char *string) {
  for (const char *s = string; *s;) {
    const char *start = s;
    growing->refused |= ls_utf8_next(&s) == 0xfffd && s - start == 1;
  }
  return ls_arena_strdup(growing->arena, string);
}

static JsonKind kind_of(const char *type) {
  static const struct { const char *type; JsonKind kind; } kinds[] = {
      {"object", JSON_OBJECT}, {"array", JSON_ARRAY}, {"text", JSON_STRING}, {"integer", JSON_NUMBER},
      {"real", JSON_NUMBER}, {"true", JSON_BOOL}, {"false", JSON_BOOL}};
  for (int i = 0; i < LS_COUNT(kinds); i++)
    if (strcmp(kinds[i].type, type) == 0) return kinds[i].kind;
  return JSON_NULL;
}

static void hang(Growing *growing, JsonValue *value, int64_t parent) {
  while (growing->depth && growing->open[growing->depth - 1].id != parent) growing->depth--;
  if (!growing->depth) {
    growing->root = value;
    return;
  }
  Open *above = &growing->open[growing->depth - 1];
  if (above->last) above->last->next = value;
  else above->value->child = value;
  above->last = value;
}

// type, atom, id, parent, key.
static bool take_row(void *context, const StoreValue *row) {
  Growing *growing = context;
  JsonValue *value = LS_NEW(growing->arena, JsonValue);
  value->kind = kind_of(row[0].text);
  bool integer = row[1].kind == STORE_INTEGER;
  if (value->kind == JSON_STRING) value->string = keep(growing, row[1].text ? row[1].text : "");
  else if (value->kind == JSON_NUMBER || value->kind == JSON_BOOL)
    value->number = integer ? (double)row[1].integer : row[1].real;
  if (row[4].kind == STORE_TEXT && row[4].text) value->key = keep(growing, row[4].text);
  hang(growing, value, row[3].integer);
  if (value->kind != JSON_ARRAY && value->kind != JSON_OBJECT) return !growing->refused;
  growing->refused |= growing->depth == DEPTH;
  if (!growing->refused) growing->open[growing->depth++] = (Open){row[2].integer, value, NULL};
  return !growing->refused;
}

JsonReader *json_reader_new(void) {
  static const StorePlan nothing = {.schema = "pragma user_version = 1;", .version = 1};
  JsonReader *reader = ls_alloc(sizeof *reader);
  reader->store = store_open(":memory:", false, &nothing);
  return reader;
}

void json_reader_free(JsonReader *reader) {
  if (!reader) return;
  store_close(reader->store);
  free(reader);
}

const JsonValue *json_read(JsonReader *reader, const char *text, LsArena *arena) {
  StoreValue value = store_text(text);
  Growing *growing = ls_alloc(sizeof *growing);
  growing->arena = arena;
  store_ask(reader->store, "select type, atom, id, coalesce(parent, -1), key from json_tree(?1)", &value, 1, take_row,
            growing);
  const JsonValue *root = growing->refused ? NULL : growing->root;
  free(growing);
  return root;
}

const JsonValue *json_member(const JsonValue *object, const char *key) {
  if (!object || object->kind != JSON_OBJECT) return NULL;
  for (const JsonValue *member = object->child; member; member = member->next)
    if (member->key && strcmp(member->key, key) == 0) return member;
  return NULL;
}
