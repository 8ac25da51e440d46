// glossary.c: reads lessons/glossary.lua.
#include "script/glossary.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/file.h"
#include "script/fields.h"

enum { GLOSSARY_BUDGET = 5000000, TERM_LIMIT = 1000 };
static const char *const term_fields[] = {"also", "lesson", NULL};

// term { "wavefront", [[...]], also = { ... }, lesson = "L11" }: the table itself
static int l_term(lua_State *L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_settop(L, 1);
  return 1;
}

// stressed { "all", "different" }: kept until the file is read
static int l_stressed(lua_State *L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_newtable(L);
  lua_pushvalue(L, 1);
  lua_setfield(L, -2, "words");
  lua_setfield(L, LUA_REGISTRYINDEX, "stressed");
  return 0;
}

static const char *item(lua_State *L, int table, int index, const char *what, LsArena *arena) {
  if (lua_rawgeti(L, table, index) != LUA_TSTRING) luaL_error(L, "%s: a term has a name and what it means", what);
  const char *text = ls_arena_strdup(arena, lua_tostring(L, -1));
  lua_pop(L, 1);
  return text;
}

// Lines of a text as one.
static const char *one_line(const char *text, LsArena *arena) {
  LsText out = {0};
  for (const char *p = text; *p; p++) {
    bool blank = *p == ' ' || *p == '\n';
    if (blank && (!out.length || out.data[out.length - 1] == ' ')) continue;
    ls_text_addc(&out, blank ? ' ' : *p);
  }
  const char *line = ls_arena_strdup(arena, ls_text_str(&out));
  ls_text_free(&out);
  return line;
}

static void read_term(lua_State *L, int table, int number, Glossary *glossary) {
  GlossaryTerm *term = &glossary->terms[glossary->count];
  const char *what = ls_arena_format(glossary->arena, "term %d", number);
  term->name = item(L, table, 1, what, glossary->arena);
  what = ls_arena_format(glossary->arena, "term '%s'", term->name);
  term->says = one_line(item(L, table, 2, what, glossary->arena), glossary->arena);
  for (int i = 1; i <= 2; i++) {                   // what is left are fields with names
    lua_pushnil(L);
    lua_rawseti(L, table, i);
  }
  field_check_names(L, table, term_fields, what);
  term->also = field_list(L, table, "also", what, glossary->arena, &term->also_count, NULL);
  term->lesson = field_string_or(L, table, "lesson", "", what, glossary->arena);
  if (glossary_has(glossary, term->name, strlen(term->name))) luaL_error(L, "%s is there twice", what);
  for (int i = 0; i < term->also_count; i++)
    if (glossary_has(glossary, term->also[i], strlen(term->also[i])))
      luaL_error(L, "%s: '%s' is another term's, too", what, term->also[i]);
  glossary->count++;
}

static int by_name(const void *left, const void *right) {
  return strcasecmp(((const GlossaryTerm *)left)->name, ((const GlossaryTerm *)right)->name);
}

static void read_body(lua_State *L, void *context) {
  Glossary *glossary = context;
  lua_register(L, "term", l_term);
  lua_register(L, "stressed", l_stressed);
  script_push_file(L, "glossary.lua");
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_Unsigned count = lua_rawlen(L, 1);
  if (count < 1 || count > TERM_LIMIT) luaL_error(L, "the glossary has no terms, or more than %d", TERM_LIMIT);
  glossary->terms = LS_NEW_ARRAY(glossary->arena, GlossaryTerm, count);
  for (int i = 1; i <= (int)count; i++) {
    if (lua_rawgeti(L, 1, i) != LUA_TTABLE) luaL_error(L, "term %d is no table", i);
    read_term(L, 2, i, glossary);
    lua_settop(L, 1);
  }
  if (lua_getfield(L, LUA_REGISTRYINDEX, "stressed") != LUA_TNIL)
    glossary->stressed = field_list(L, 2, "words", "stressed", glossary->arena, &glossary->stressed_count, NULL);
  qsort(glossary->terms, count, sizeof *glossary->terms, by_name);
}

Glossary *glossary_open(const char *folder, LsErr *err) {
  char *path = folder ? ls_strdup(folder) : ls_data_path("lessons", err);
  if (!path) return NULL;
  Glossary *glossary = ls_alloc(sizeof *glossary);
  glossary->arena = ls_arena_new();
  Script *script = script_new(path, err);
  bool ok = script && script_run(script, GLOSSARY_BUDGET, read_body, glossary, err);
  script_free(script);
  free(path);
  if (ok) return glossary;
  glossary_free(glossary);
  return NULL;
}
