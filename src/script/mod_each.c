// mod_each.c: formulas over whole buffers: operators between buffers and numbers, and the functions of `each`
#include "script/mod_each.h"

#include <string.h>

#include "base/mem.h"
#include "script/mod_buffer.h"

enum { WORK_PER_CHARGE = 8 };      // elements of nodes that count as one instruction of Lua

typedef struct Handle {
  unsigned epoch;                  // of the buffers in it; 0: none, or lasting ones
  Column column;
} Handle;

static const char metatable_key[] = "lanescope.column";

static Handle *to_handle(lua_State *L, int index) {
  Handle *handle = luaL_checkudata(L, index, metatable_key);
  if (handle->epoch && handle->epoch != script_of(L)->epoch)
    luaL_error(L, "a column belongs to a run that is over");
  return handle;
}

// What a column reads, columns and buffers, hangs on it as user values.
static Handle *push_handle(lua_State *L) {
  Handle *handle = lua_newuserdatauv(L, sizeof *handle, COLUMN_OPERANDS);
  handle->epoch = 0;
  luaL_setmetatable(L, metatable_key);
  return handle;
}

static void keep_operand(lua_State *L, Handle *handle, int at, int operand) {
  handle->epoch = LS_MAX(handle->epoch, to_handle(L, operand)->epoch);
  lua_pushvalue(L, operand);
  lua_setiuservalue(L, -2, at + 1);
}

static void push_index(lua_State *L, uint64_t length) { column_index(&push_handle(L)->column, length); }

static void push_at(lua_State *L, int buffer, int index) {
  ColumnSource source;
  bool lasting = mod_buffer_source(L, buffer, &source);
  Column *places = &to_handle(L, index)->column;
  Handle *handle = push_handle(L);
  column_at(&handle->column, &source, places);
  keep_operand(L, handle, 0, index);
  lua_pushvalue(L, buffer);
  lua_setiuservalue(L, -2, 2);
  if (!lasting) handle->epoch = script_of(L)->epoch;
}

// Pushes the column that a value is.
static void push_column(lua_State *L, int index) {
  if (lua_isinteger(L, index)) {
    column_integer(&push_handle(L)->column, lua_tointeger(L, index));
  } else if (lua_type(L, index) == LUA_TNUMBER) {
    column_number(&push_handle(L)->column, lua_tonumber(L, index));
  } else if (mod_buffer_is(L, index)) {
    push_index(L, COLUMN_ENDLESS);
    push_at(L, index, lua_gettop(L));
    lua_remove(L, -2);
  } else {
    lua_pushvalue(L, index);
  }
}

bool mod_each_is_column(lua_State *L, int index) {
  return mod_buffer_is(L, index) || luaL_testudata(L, index, metatable_key) != NULL;
}

Column *mod_each_column(lua_State *L, int index) {
  bool fits = lua_type(L, index) == LUA_TNUMBER || mod_each_is_column(L, index);
  if (!fits) luaL_error(L, "a number, a buffer or a column was expected, not a %s", luaL_typename(L, index));
  push_column(L, index);
  lua_replace(L, index);
  return &to_handle(L, index)->column;
}

// ---- operations ----------------------------------------------------------------------------------------------------

static void push_operation(lua_State *L, ColumnOp op, const int operands[], int count) {
  Column *columns[COLUMN_OPERANDS];
  for (int i = 0; i < count; i++) columns[i] = &to_handle(L, operands[i])->column;
  Handle *handle = push_handle(L);
  column_operate(&handle->column, op, columns, count);
  for (int i = 0; i < count; i++) keep_operand(L, handle, i, operands[i]);
  if (handle->column.depth > COLUMN_DEPTH)
    luaL_error(L, "this formula has more than %d steps one after the other", COLUMN_DEPTH);
}

static void make_float(lua_State *L, int index) {
  if (to_handle(L, index)->column.is_float) return;
  push_operation(L, COLUMN_TO_FLOAT, &index, 1);
  lua_replace(L, index);
}

static void make_alike(lua_State *L, int first, int last, bool floats) {
  for (int i = first; i <= last; i++) floats |= to_handle(L, i)->column.is_float;
  for (int i = first; i <= last && floats; i++) make_float(L, i);
}

static void check_integers(lua_State *L, int count, const ColumnDef *def) {
  for (int i = 1; i <= count; i++)
    if (to_handle(L, i)->column.is_float) luaL_error(L, "%s needs whole numbers", def->name);
}

int mod_each_operate(lua_State *L, ColumnOp op) {
  static const int operands[] = {1, 2, 3};
  const ColumnDef *def = column_def(op);
  lua_settop(L, def->operands);
  for (int i = 1; i <= def->operands; i++) mod_each_column(L, i);
  if (def->kind == COLUMN_BITS) check_integers(L, def->operands, def);
  else make_alike(L, 1, def->operands, def->kind == COLUMN_FLOAT);
  push_operation(L, op, operands, def->operands);
  return 1;
}

static int l_operate(lua_State *L) { return mod_each_operate(L, (ColumnOp)lua_tointeger(L, lua_upvalueindex(1))); }

// each.index(n): 0, 1, 2, ... of n elements; without n of as many as are asked for
static int l_index(lua_State *L) {
  lua_Integer length = luaL_optinteger(L, 1, 0);
  luaL_argcheck(L, length >= 0, 1, "must not be negative");
  push_index(L, lua_isnoneornil(L, 1) ? COLUMN_ENDLESS : (uint64_t)length);
  return 1;
}

// each.at(buffer, i): buffer[i] for every i of a column
static int l_at(lua_State *L) {
  lua_settop(L, 2);
  mod_buffer_count(L, 1);
  if (mod_each_column(L, 2)->is_float) return luaL_error(L, "each.at needs whole numbers as places");
  push_at(L, 1, 2);
  return 1;
}

// each.pick(condition, a, b): a where the condition is not 0, else b
static int l_pick(lua_State *L) {
  static const int operands[] = {1, 2, 3};
  lua_settop(L, 3);
  for (int i = 1; i <= 3; i++) mod_each_column(L, i);
  make_alike(L, 2, 3, false);
  push_operation(L, COLUMN_PICK, operands, 3);
  return 1;
}

// each.product(A, B, inner, width): the product of two matrices of floats, stored row by row: A has `inner` elements in
// a row, B and the result `width`; added up in double, term after term
static int l_product(lua_State *L) {
  ColumnSource a, b;
  bool lasting = mod_buffer_source(L, 1, &a);
  lasting &= mod_buffer_source(L, 2, &b);
  lua_Integer inner = luaL_checkinteger(L, 3), width = luaL_checkinteger(L, 4);
  luaL_argcheck(L, inner > 0, 3, "must be at least 1");
  luaL_argcheck(L, width > 0, 4, "must be at least 1");
  luaL_argcheck(L, launch_type_is_float(a.type), 1, "must be of floats");
  luaL_argcheck(L, launch_type_is_float(b.type), 2, "must be of floats");
  if ((uint64_t)inner > b.count / (uint64_t)width)
    return luaL_error(L, "each.product: %s has %I elements, fewer than %I rows of %I", b.name, (LUAI_UACINT)b.count,
                      (LUAI_UACINT)inner, (LUAI_UACINT)width);
  Handle *handle = push_handle(L);
  column_product(&handle->column, &a, &b, (uint64_t)inner, (uint64_t)width);
  for (int i = 1; i <= 2; i++) lua_pushvalue(L, i), lua_setiuservalue(L, -2, i);
  if (!lasting) handle->epoch = script_of(L)->epoch;
  return 1;
}

// ---- working them out ----------------------------------------------------------------------------------------------

static int raise_absent(lua_State *L, const Column *column, const ColumnChunk *chunk, int lane) {
  LsText why = {0};
  char words[160];
  column_why_absent(column, chunk, lane, &why);
  snprintf(words, sizeof words, "%s", ls_text_str(&why));
  ls_text_free(&why);
  return luaL_error(L, "%s", words);
}

bool mod_each_evaluate(lua_State *L, Column *column, ColumnChunk *chunk, uint64_t first, uint64_t stride,
                       uint64_t count) {
  if (!column_chunk_begin(chunk, first, stride, count, ++script_of(L)->chunks)) return false;
  column_evaluate(column, chunk);
  script_charge(L, (int64_t)(chunk->work / WORK_PER_CHARGE) + 1);
  for (int i = 0; column->any_absent && i < chunk->count; i++)
    if (column->absent[i]) raise_absent(L, column, chunk, i);
  return true;
}

void mod_each_push_value(lua_State *L, const Column *column, int lane) {
  if (column->is_float) lua_pushnumber(L, column->values.number[lane]);
  else lua_pushinteger(L, column->values.integer[lane]);
}

// ---- opening -------------------------------------------------------------------------------------------------------

static int l_name(lua_State *L) {
  lua_pushstring(L, "column");
  return 1;
}

static int l_no_element(lua_State *L) {
  return luaL_error(L, "a column has no elements to look at: give it to expect or to a function of `all`");
}

// Operators for the metatable on top of the stack, or functions for the table that is there.
static void add_operations(lua_State *L, bool operators) {
  for (int op = 0; op < COLUMN_OPS; op++) {
    const char *name = column_def((ColumnOp)op)->name;
    if (ls_starts_with(name, "__") != operators) continue;
    lua_pushinteger(L, op);
    lua_pushcclosure(L, l_operate, 1);
    lua_setfield(L, -2, name);
  }
}

void mod_each_open(lua_State *L) {
  static const luaL_Reg methods[] = {{"__index", l_no_element}, {"__tostring", l_name}, {NULL, NULL}};
  static const luaL_Reg functions[] = {
      {"index", l_index}, {"at", l_at}, {"pick", l_pick}, {"product", l_product}, {NULL, NULL}};
  luaL_newmetatable(L, metatable_key);
  luaL_setfuncs(L, methods, 0);
  add_operations(L, true);
  lua_pushboolean(L, 0);
  lua_setfield(L, -2, "__metatable");
  mod_buffer_push_metatable(L);
  add_operations(L, true);
  lua_newtable(L);
  luaL_setfuncs(L, functions, 0);
  add_operations(L, false);
  lua_setglobal(L, "each");
  lua_pop(L, 2);
}
