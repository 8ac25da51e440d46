// mod_each.h: columns in Lua: arithmetic of whole buffers, `x + y`, and the functions of the table `each`.
#ifndef LS_SCRIPT_MOD_EACH_H
#define LS_SCRIPT_MOD_EACH_H

#include "script/column.h"
#include "script/state.h"

// True of a column and of a buffer.
bool mod_each_is_column(lua_State *L, int index);
// Makes what is at a stack index a column, in its place: a number is one number for all, a buffer its elements. Raises
// an error of any other. Good as long as it is on the stack, in the call in which its buffers are.
Column *mod_each_column(lua_State *L, int index);
// Works out the column's elements first, first + stride, ... below count. False: there are none left. Charges the
// budget, and raises an error where one of them is absent.
bool mod_each_evaluate(lua_State *L, Column *column, ColumnChunk *chunk, uint64_t first, uint64_t stride,
                       uint64_t count);
// Pushes an element that was worked out.
void mod_each_push_value(lua_State *L, const Column *column, int lane);
// The operation on the arguments of a function of Lua, the first ones on the stack: pushes the column, and returns 1.
int mod_each_operate(lua_State *L, ColumnOp op);

#endif
