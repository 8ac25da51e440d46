// guards.h: what library functions are charged before they work, by the size of their arguments.
//
// A guard leaves the stack as it is. It raises an error where a size is more than any lesson needs.
#ifndef LS_SCRIPT_GUARDS_H
#define LS_SCRIPT_GUARDS_H

#include "script/state.h"

typedef void Guard(lua_State *L);

Guard guard_next, guard_call, guard_texts, guard_select;
Guard guard_rep, guard_find, guard_match, guard_gmatch, guard_gsub, guard_bytes;
Guard guard_table, guard_insert, guard_remove, guard_concat, guard_sort, guard_unpack;

#endif
