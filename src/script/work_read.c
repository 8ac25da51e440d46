// work_read.c: checks what a lesson says of code to be written, field by field. lua/work.lua makes these tables.
#include "script/work_read.h"

#include <string.h>

#include "script/fields.h"

typedef struct Reader { lua_State *L; int table; const char *what; LsArena *arena; } Reader;

static const char *word(Reader *r, const char *name, const char *fallback) {
  return field_string_or(r->L, r->table, name, fallback, r->what, r->arena);
}

static const char **list(Reader *r, const char *name, int *count) {
  return field_list(r->L, r->table, name, r->what, r->arena, count, NULL);
}

static WorkKind kind_of(Reader *r) {
  const char *name = field_string(r->L, r->table, "work", r->what, r->arena);
  for (WorkKind kind = WORK_FILL; kind <= WORK_ORDER; kind++)
    if (strcmp(name, work_kind_name(kind)) == 0) return kind;
  luaL_error(r->L, "%s: there is no work '%s'", r->what, name);
  return WORK_FILL;
}

static void read_answers(Reader *r, LessonWork *work) {
  int names, texts, says;
  const char **name = list(r, "names", &names), **text = list(r, "texts", &texts), **said = list(r, "says", &says);
  lua_Integer right = field_integer_or(r->L, r->table, "right_count", 0, r->what);
  if (names != texts || says != texts) luaL_error(r->L, "%s: answers without names", r->what);
  WorkAnswer *answers = LS_NEW_ARRAY(r->arena, WorkAnswer, texts + 1);
  for (int i = 0; i < texts; i++) answers[i] = (WorkAnswer){name[i], text[i], said[i], i < right};
  work->answers = answers;
  work->answer_count = texts;
  if (!texts && work->kind != WORK_ORDER) luaL_error(r->L, "%s has no solution", r->what);
}

// A run is a table of strings, NAME=VALUE; what they share stands beside.
static void read_runs(Reader *r, LessonWork *work) {
  LessonWant same = {.kernel = field_string(r->L, r->table, "kernel", r->what, r->arena), .cut = word(r, "cut", NULL),
                     .sched = word(r, "sched", NULL), .profile = word(r, "profile", NULL)};
  same.seed = (uint64_t)field_integer_or(r->L, r->table, "seed", 0, r->what);
  if (field_push(r->L, r->table, "runs", LUA_TTABLE, r->what) == LUA_TNIL) luaL_error(r->L, "%s has no runs", r->what);
  int runs = lua_gettop(r->L), count = (int)lua_rawlen(r->L, runs);
  if (count < 1 || count > WORK_RUNS) luaL_error(r->L, "%s has 1 to %d runs, not %d", r->what, WORK_RUNS, count);
  work->runs = LS_NEW_ARRAY(r->arena, LessonWant, count);
  for (int i = 0; i < count; i++) {
    work->runs[i] = same;
    lua_rawgeti(r->L, runs, i + 1);
    luaL_checktype(r->L, -1, LUA_TTABLE);
    work->runs[i].values = field_list(r->L, lua_gettop(r->L), "values", r->what, r->arena, &work->runs[i].value_count,
                                      NULL);
    lua_pop(r->L, 1);
  }
  work->run_count = count;
  lua_pop(r->L, 1);
}

static void read_judge(Reader *r, LessonWork *work) {
  if (field_push(r->L, r->table, "judged", LUA_TFUNCTION, r->what) == LUA_TNIL) lua_pop(r->L, 1);
  else work->script = luaL_ref(r->L, LUA_REGISTRYINDEX);
}

static void read_pieces(Reader *r, LessonWork *work) {
  work->pieces = list(r, "pieces", &work->piece_count);
  work->spare_count = (int)field_integer_or(r->L, r->table, "spare_count", 0, r->what);
  if (work->piece_count > WORK_PIECES) luaL_error(r->L, "%s has more than %d lines", r->what, WORK_PIECES);
}

LessonWork *work_read(lua_State *L, int table, const char *what, LsArena *arena) {
  Reader r = {L, table, what, arena};
  LessonWork *work = LS_NEW(arena, LessonWork);
  *work = (LessonWork){.kind = kind_of(&r)};
  work->from = field_string(L, table, "from", what, arena);
  work->to = word(&r, "to", NULL);
  work->left = word(&r, "left", "");
  work->right = word(&r, "right_part", "");
  work->starter = word(&r, "starter", "");
  work->because = word(&r, "because", "");
  work->any_result = field_bool(L, table, "any_result", what);
  work->any_faults = field_bool(L, table, "any_faults", what);
  read_answers(&r, work);
  read_pieces(&r, work);
  read_runs(&r, work);
  read_judge(&r, work);
  return work;
}
