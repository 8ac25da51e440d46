// fields.h: reading the fields of a table that somebody wrote by hand, with messages that name the field.
//
// All functions raise a Lua error, so they belong inside of a body. `what` names the table in messages ("the recipe",
// "parameter N"). Indexes are absolute. Strings are borrowed from Lua unless an arena is given.
#ifndef LS_SCRIPT_FIELDS_H
#define LS_SCRIPT_FIELDS_H

#include "base/mem.h"
#include "script/state.h"

// Pushes a field and returns its Lua type, or LUA_TNIL. Fails unless it is nil or of the wanted type.
int field_push(lua_State *L, int table, const char *name, int wanted, const char *what);
const char *field_string(lua_State *L, int table, const char *name, const char *what, LsArena *arena);   // required
const char *field_string_or(lua_State *L, int table, const char *name, const char *fallback, const char *what,
                            LsArena *arena);
lua_Integer field_integer(lua_State *L, int table, const char *name, const char *what);   // required
lua_Integer field_integer_or(lua_State *L, int table, const char *name, lua_Integer fallback, const char *what);
bool field_bool(lua_State *L, int table, const char *name, const char *what);   // nil is false
void field_function(lua_State *L, int table, const char *name, const char *what);   // required; not left
// A list of strings (nil: empty). Numbers in it become their text; *numbers says whether all were numbers.
const char **field_list(lua_State *L, int table, const char *name, const char *what, LsArena *arena, int *count,
                        bool *numbers);
// Fails on a field that is not in the list, with the nearest that is.
void field_check_names(lua_State *L, int table, const char *const *names, const char *what);

#endif
