// mod_all.c: what is known of all elements together: all.sum, add_up, count, max, min, sorted.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "script/mod_buffer.h"
#include "script/mod_each.h"

typedef enum Fold { FOLD_SUM, FOLD_MAX, FOLD_MIN, FOLDS } Fold;
static const char *const fold_names[FOLDS] = {"sum", "max", "min"};

// A number of Lua's: what a fold has come to.
typedef struct Total { bool is_float; int64_t integer; double number; } Total;

// Where the folds of groups are: elements of a buffer of i64 or f64.
typedef struct Groups { Column *of; uint64_t count; int64_t *integers; double *numbers; } Groups;

static void fold_integer(Fold fold, int64_t *into, int64_t value) {
  if (fold == FOLD_SUM) *into = (int64_t)((uint64_t)*into + (uint64_t)value);
  else if (fold == FOLD_MAX) *into = LS_MAX(*into, value);
  else *into = LS_MIN(*into, value);
}

static void fold_number(Fold fold, double *into, double value) {
  if (fold == FOLD_SUM) *into += value;
  else if (fold == FOLD_MAX) *into = *into < value ? value : *into;
  else *into = value < *into ? value : *into;
}

static uint64_t length_of(lua_State *L, const Column *column, const char *name) {
  if (column->length == COLUMN_ENDLESS)
    luaL_error(L, "all.%s: this has no end: take a buffer, or each.index(n)", name);
  return column->length;
}

static void push_total(lua_State *L, const Total *total) {
  if (total->is_float) lua_pushnumber(L, total->number);
  else lua_pushinteger(L, total->integer);
}

// ---- one number ----------------------------------------------------------------------------------------------------

static void fold_chunk(Fold fold, const Column *column, int count, bool first, Total *total) {
  bool starts = first && fold != FOLD_SUM;   // there is no largest number of none
  if (starts && column->is_float) total->number = column->values.number[0];
  else if (starts) total->integer = column->values.integer[0];
  if (column->is_float)
    for (int i = 0; i < count; i++) fold_number(fold, &total->number, column->values.number[i]);
  else
    for (int i = 0; i < count; i++) fold_integer(fold, &total->integer, column->values.integer[i]);
}

static int fold_all(lua_State *L, Fold fold) {
  Column *column = mod_each_column(L, 1);
  uint64_t length = length_of(L, column, fold_names[fold]);
  Total total = {.is_float = column->is_float};
  ColumnChunk chunk;
  if (fold != FOLD_SUM && length == 0) return luaL_error(L, "all.%s of no elements", fold_names[fold]);
  for (uint64_t first = 0; mod_each_evaluate(L, column, &chunk, first, 1, length); first += COLUMN_CHUNK)
    fold_chunk(fold, column, chunk.count, first == 0, &total);
  push_total(L, &total);
  return 1;
}

// all.add_up(values, from, type): from + the first one + the second one and so on, as a loop does it whose sum is a
// variable of type "f64" or "f32", rounded after each
static int l_add_up(lua_State *L) {
  static const char *const types[] = {"f64", "f32", NULL};
  double sum = luaL_checknumber(L, 2);
  bool is_single = luaL_checkoption(L, 3, types[0], types) == 1;
  lua_settop(L, 1);
  Column *column = mod_each_column(L, 1);
  uint64_t length = length_of(L, column, "add_up");
  ColumnChunk chunk;
  for (uint64_t first = 0; mod_each_evaluate(L, column, &chunk, first, 1, length); first += COLUMN_CHUNK) {
    for (int i = 0; i < chunk.count; i++) {
      sum += column_value(column, i);
      if (is_single) sum = (double)(float)sum;
    }
  }
  lua_pushnumber(L, sum);
  return 1;
}

// ---- a number for each group ---------------------------------------------------------------------------------------

static void check_group(lua_State *L, const Groups *groups, const char *name, uint64_t element, int64_t group) {
  if ((uint64_t)group < groups->count) return;
  luaL_error(L, "all.%s: element %I is of group %I, and there are %I", name, (LUAI_UACINT)element, (LUAI_UACINT)group,
             (LUAI_UACINT)groups->count);
}

static void fold_groups(lua_State *L, Fold fold, Column *column, const Groups *groups, uint64_t length,
                        const char *name) {
  ColumnChunk chunk;
  for (uint64_t first = 0; mod_each_evaluate(L, column, &chunk, first, 1, length); first += COLUMN_CHUNK) {
    ColumnChunk same;
    mod_each_evaluate(L, groups->of, &same, first, 1, length);
    for (int i = 0; i < chunk.count; i++) {
      int64_t group = groups->of->values.integer[i];
      check_group(L, groups, name, first + (uint64_t)i, group);
      if (column->is_float) fold_number(fold, &groups->numbers[group], column->values.number[i]);
      else fold_integer(fold, &groups->integers[group], column->values.integer[i]);
    }
  }
}

// Pushes a buffer with an element for each group, all as they begin.
static Groups push_groups(lua_State *L, int of, int count, bool is_float, double from, const char *name) {
  lua_Integer groups = luaL_checkinteger(L, count);
  luaL_argcheck(L, groups > 0, count, "must be at least 1 group");
  Groups made = {.of = mod_each_column(L, of), .count = (uint64_t)groups};
  if (made.of->is_float) luaL_error(L, "all.%s: the groups must be whole numbers", name);
  uint8_t *bytes = mod_buffer_push_own(L, name, is_float ? LAUNCH_F64 : LAUNCH_I64, made.count);
  made.integers = (int64_t *)(void *)bytes;
  made.numbers = (double *)(void *)bytes;
  for (uint64_t i = 0; i < made.count; i++) {
    if (is_float) made.numbers[i] = from;
    else made.integers[i] = (int64_t)from;
  }
  return made;
}

// all.sum(values), all.sum(values, group, groups), all.max(values, group, groups, from): from is what a group without
// elements has
static int l_fold(lua_State *L) {
  Fold fold = (Fold)lua_tointeger(L, lua_upvalueindex(1));
  if (lua_isnoneornil(L, 2)) return fold_all(L, fold);
  Column *column = mod_each_column(L, 1);
  double from = fold == FOLD_SUM ? 0 : luaL_checknumber(L, 4);
  Groups groups = push_groups(L, 2, 3, column->is_float, from, fold_names[fold]);
  uint64_t length = length_of(L, LS_MIN(column->length, groups.of->length) == column->length ? column : groups.of,
                              fold_names[fold]);
  fold_groups(L, fold, column, &groups, length, fold_names[fold]);
  return 1;
}

// all.count(group, groups): how many elements are 0, 1, ... groups - 1
static int l_count(lua_State *L) {
  lua_settop(L, 2);
  lua_pushinteger(L, 1);
  Column *ones = mod_each_column(L, 3);
  Groups groups = push_groups(L, 1, 2, false, 0, "count");
  fold_groups(L, FOLD_SUM, ones, &groups, length_of(L, groups.of, "count"), "count");
  return 1;
}

// ---- in order ------------------------------------------------------------------------------------------------------

static int by_integer(const void *a, const void *b) {
  int64_t x, y;
  memcpy(&x, a, sizeof x);
  memcpy(&y, b, sizeof y);
  return (x > y) - (x < y);
}

// What is no number comes last.
static int by_number(const void *a, const void *b) {
  double x, y;
  memcpy(&x, a, sizeof x);
  memcpy(&y, b, sizeof y);
  if (isnan(x) || isnan(y)) return !!isnan(x) - !!isnan(y);
  return (x > y) - (x < y);
}

// all.sorted(values): the same numbers, the least first
static int l_sorted(lua_State *L) {
  enum { STEPS_PER_CHARGE = 4 };
  lua_settop(L, 1);
  Column *column = mod_each_column(L, 1);
  uint64_t length = length_of(L, column, "sorted");
  uint8_t *bytes = mod_buffer_push_own(L, "sorted", column->is_float ? LAUNCH_F64 : LAUNCH_I64, length);
  ColumnChunk chunk;
  for (uint64_t first = 0; mod_each_evaluate(L, column, &chunk, first, 1, length); first += COLUMN_CHUNK)
    memcpy(bytes + first * sizeof(double), &column->values, (size_t)chunk.count * sizeof(double));
  for (uint64_t n = length; n > 1; n /= 2) script_charge(L, (int64_t)(length / STEPS_PER_CHARGE));
  qsort(bytes, length, sizeof(double), column->is_float ? by_number : by_integer);
  return 1;
}

void mod_all_open(lua_State *L) {
  static const luaL_Reg functions[] = {{"add_up", l_add_up}, {"count", l_count}, {"sorted", l_sorted}, {NULL, NULL}};
  lua_newtable(L);
  luaL_setfuncs(L, functions, 0);
  for (int fold = 0; fold < FOLDS; fold++) {
    lua_pushinteger(L, fold);
    lua_pushcclosure(L, l_fold, 1);
    lua_setfield(L, -2, fold_names[fold]);
  }
  lua_setglobal(L, "all");
}
