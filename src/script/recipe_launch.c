// recipe_launch.c: from the table that a recipe's launch function returns to a Launch.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "script/fields.h"
#include "script/mod_each.h"
#include "script/recipe_impl.h"

enum { LAUNCH_BUDGET = 100000000, ARG_LIMIT = 64 };
static const uint64_t buffer_limit = (uint64_t)1 << 32;
static const char what_launch[] = "the launch";
static const char *const launch_fields[] = {"grid", "block", "shared", "cooperative", "args", NULL};
static const char *const arg_fields[] = {"name", "type", "value", "count", "size", "options", "init", "values",
                                        NULL};

typedef struct Request {
  const Recipe *recipe;
  const RecipeValues *values;
  Launch *launch;
  bool is_read;                    // the function has returned: what is wrong now is the recipe, not what was asked of it
} Request;

static void read_dim(lua_State *L, int table, const char *name, uint32_t dim[3], const uint32_t limit[3]) {
  if (field_push(L, table, name, LUA_TTABLE, what_launch) == LUA_TNIL)
    luaL_error(L, "%s has no field '%s'", what_launch, name);
  for (int i = 0; i < 3; i++) {
    int exact;
    lua_rawgeti(L, -1, i + 1);
    lua_Integer value = lua_tointegerx(L, -1, &exact);
    if (!exact) luaL_error(L, "%s: '%s' must be three whole numbers", what_launch, name);
    if (value < 1 || value > limit[i])
      luaL_error(L, "%s: %s.%c is %I; it can be 1 to %I", what_launch, name, "xyz"[i], (LUAI_UACINT)value,
                 (LUAI_UACINT)limit[i]);
    dim[i] = (uint32_t)value;
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
}

// _Float16 is not everywhere, so the rounding to nearest even is done here.
static uint16_t to_half(double value) {
  uint16_t sign = signbit(value) ? 0x8000 : 0;
  double magnitude = fabs(value);
  if (isnan(value)) return 0x7e00;
  if (magnitude >= 65520.0) return (uint16_t)(sign | 0x7c00);
  int exponent;
  frexp(magnitude, &exponent);
  int scale = magnitude > 0 && exponent > -13 ? exponent - 11 : -24;
  double units = nearbyint(ldexp(magnitude, -scale));       // 1024 to 2048 for normal numbers
  uint32_t bits = scale > -24 ? ((uint32_t)(scale + 24) << 10) + (uint32_t)units : (uint32_t)units;
  return (uint16_t)(sign | bits);
}

// Writes the number on top of the stack as an element of a type.
static void write_number(lua_State *L, LaunchType type, uint8_t *to, const char *what) {
  int is_number, exact;
  double number = lua_tonumberx(L, -1, &is_number);
  lua_Integer integer = lua_tointegerx(L, -1, &exact);
  if (!is_number || lua_type(L, -1) != LUA_TNUMBER)
    luaL_error(L, "%s must be a number, not a %s", what, luaL_typename(L, -1));
  float single = (float)number;
  uint16_t half = to_half(number);
  if (type == LAUNCH_F32) memcpy(to, &single, 4);
  else if (type == LAUNCH_F64) memcpy(to, &number, 8);
  else if (type == LAUNCH_F16) memcpy(to, &half, 2);
  else if (exact) memcpy(to, &integer, (size_t)launch_type_size(type));
  else luaL_error(L, "%s is %f: type %s needs a whole number", what, number, launch_type_name(type));
}

static void take_data(LaunchArg *arg, size_t bytes) {
  arg->init = LAUNCH_DATA;
  arg->data = ls_alloc(LS_MAX(bytes, 1));
}

static void read_values(lua_State *L, int list, LaunchArg *arg, const char *what) {
  if (lua_rawlen(L, list) != arg->count)
    luaL_error(L, "%s has %I values for a count of %I", what, (LUAI_UACINT)lua_rawlen(L, list),
               (LUAI_UACINT)arg->count);
  size_t size = (size_t)launch_type_size(arg->type);
  take_data(arg, (size_t)arg->count * size);
  for (uint64_t i = 0; i < arg->count; i++) {
    lua_rawgeti(L, list, (lua_Integer)i + 1);
    write_number(L, arg->type, arg->data + i * size, what);
    lua_pop(L, 1);
  }
}

// The elements that a column has at the places of the buffer.
static void read_column(lua_State *L, LaunchArg *arg, const char *what) {
  size_t size = (size_t)launch_type_size(arg->type);
  Column *column = mod_each_column(L, lua_gettop(L));
  ColumnChunk chunk;
  if (column->length < arg->count)
    luaL_error(L, "%s has %I values for a count of %I", what, (LUAI_UACINT)column->length, (LUAI_UACINT)arg->count);
  take_data(arg, (size_t)arg->count * size);
  for (uint64_t first = 0; mod_each_evaluate(L, column, &chunk, first, 1, arg->count); first += COLUMN_CHUNK)
    for (int i = 0; i < chunk.count; i++) {
      mod_each_push_value(L, column, i);
      write_number(L, arg->type, arg->data + (first + (uint64_t)i) * size, what);
      lua_pop(L, 1);
    }
}

static void read_text(lua_State *L, LaunchArg *arg, const char *text, const char *what) {
  if (arg->type != LAUNCH_I8 && arg->type != LAUNCH_U8) luaL_error(L, "%s: init \"text:\" is for i8", what);
  if (strlen(text) != arg->count)
    luaL_error(L, "%s: the text has %d bytes, the count is %I", what, (int)strlen(text), (LUAI_UACINT)arg->count);
  take_data(arg, (size_t)arg->count);
  memcpy(arg->data, text, (size_t)arg->count);
}

static const struct { const char *name; LaunchInit init; bool has_value; } inits[] = {
    {"none", LAUNCH_NONE, false},  {"zero", LAUNCH_ZERO, false}, {"iota", LAUNCH_IOTA, false},
    {"const:", LAUNCH_CONST, true}, {"mod:", LAUNCH_MOD, true},   {"random:", LAUNCH_RANDOM, true},
};

static void read_init(lua_State *L, LaunchArg *arg, const char *init, const char *what) {
  if (ls_starts_with(init, "text:")) {
    read_text(L, arg, init + 5, what);
    return;
  }
  for (int i = 0; i < LS_COUNT(inits); i++) {
    size_t length = strlen(inits[i].name);
    if (strncmp(init, inits[i].name, length) != 0) continue;
    arg->init = inits[i].init;
    if (inits[i].has_value ? ls_parse_f64(init + length, &arg->init_value) : !init[length]) {
      if (arg->init == LAUNCH_MOD && !(arg->init_value >= 1))
        luaL_error(L, "%s: mod needs a number of at least 1", what);
      return;
    }
  }
  luaL_error(L, "%s: init \"%s\" is none of none, zero, iota, const:V, mod:M, random:SEED, text:WORD", what, init);
}

// Pushes the list or column of values. False, with nil pushed: there is none.
static bool push_values(lua_State *L, int table, const char *what) {
  lua_getfield(L, table, "values");
  if (mod_each_is_column(L, -1)) return true;
  lua_pop(L, 1);
  return field_push(L, table, "values", LUA_TTABLE, what) != LUA_TNIL;
}

static void read_contents(lua_State *L, int table, LaunchArg *arg, const char *what) {
  if (!push_values(L, table, what)) read_init(L, arg, field_string(L, table, "init", what, NULL), what);
  else if (mod_each_is_column(L, -1)) read_column(L, arg, what);
  else read_values(L, lua_gettop(L), arg, what);
}

// Textures and surfaces are read as if they stood on the command line: type[WxH]=zero,options
static void read_image(lua_State *L, int table, LaunchArg *arg, const char *type, const char *what) {
  char text[256], sizes[64] = "";
  LaunchArg image = {0};
  LsErr err = {0};
  const char *options = field_string_or(L, table, "options", "", what, NULL);
  if (field_push(L, table, "size", LUA_TTABLE, what) == LUA_TNIL)
    luaL_error(L, "%s: a %s needs size = { width, height }", what, type);
  for (int i = 1; i <= LS_MIN((int)lua_rawlen(L, -1), 4); i++) {
    lua_rawgeti(L, -1, i);
    size_t at = strlen(sizes);
    snprintf(sizes + at, sizeof sizes - at, "%s%lld", i > 1 ? "x" : "", (long long)lua_tointeger(L, -1));
    lua_pop(L, 1);
  }
  if (strpbrk(options, ">[]") || strlen(type) + strlen(options) > 150) luaL_error(L, "%s: options '%s'", what, options);
  snprintf(text, sizeof text, "%s[%s]=zero%s%s", type, sizes, *options ? "," : "", options);
  if (!launch_parse_image(&image, text, &err)) luaL_error(L, "%s: %s", what, err.message);
  if (image.count > buffer_limit / (uint64_t)launch_type_size(image.type)) luaL_error(L, "%s is too large", what);
  arg->is_buffer = true;
  arg->type = image.type;
  arg->count = image.count;
  arg->image = image.image;
  read_contents(L, table, arg, what);
}

void recipe_read_contents(lua_State *L, int table, LaunchArg *arg, const char *what) {
  bool is_list = push_values(L, table, what) && lua_istable(L, -1);
  lua_Integer count = is_list ? (lua_Integer)lua_rawlen(L, -1) : 0;
  lua_pop(L, 1);
  count = count ? field_integer_or(L, table, "count", count, what) : field_integer(L, table, "count", what);
  uint64_t size = (uint64_t)launch_type_size(arg->type);
  if (count < 1 || (uint64_t)count > buffer_limit / size)
    luaL_error(L, "%s: a buffer has 1 to %I elements, not %I", what, (LUAI_UACINT)(buffer_limit / size),
               (LUAI_UACINT)count);
  arg->is_buffer = true;
  arg->count = (uint64_t)count;
  read_contents(L, table, arg, what);
}

static void read_scalar(lua_State *L, int table, LaunchArg *arg, const char *what) {
  lua_getfield(L, table, "value");
  write_number(L, arg->type, (uint8_t *)&arg->scalar, what);
  arg->count = 1;
}

static void read_arg(lua_State *L, int table, Launch *launch, int number) {
  char what[96];
  snprintf(what, sizeof what, "argument %d", number);
  const char *name = field_string(L, table, "name", what, NULL);
  snprintf(what, sizeof what, "argument '%.60s'", name);
  field_check_names(L, table, arg_fields, what);
  const char *type = field_string(L, table, "type", what, NULL);
  LaunchArg arg = {0};
  bool is_image = launch_is_image(type);
  if (!is_image && !launch_type_parse(type, strlen(type), &arg.type))
    luaL_error(L, "%s: type '%s' is none of u8 i8 u16 i16 u32 i32 u64 i64 f16 f32 f64", what, type);
  LS_PUSH(launch->args, launch->arg_count, launch->arg_capacity, arg);   // before an error can jump over it
  LaunchArg *added = &launch->args[launch->arg_count - 1];
  added->name = ls_strdup(name);
  if (is_image) {
    read_image(L, table, added, type, what);
    return;
  }
  bool is_scalar = field_push(L, table, "value", LUA_TNUMBER, what) != LUA_TNIL;
  bool is_buffer = field_push(L, table, "count", LUA_TNUMBER, what) != LUA_TNIL;
  is_buffer |= push_values(L, table, what);
  if (is_scalar == is_buffer) luaL_error(L, "%s needs either a value or a count", what);
  if (is_buffer) recipe_read_contents(L, table, added, what);
  else read_scalar(L, table, added, what);
}

static void read_args(lua_State *L, int table, Launch *launch) {
  if (field_push(L, table, "args", LUA_TTABLE, what_launch) == LUA_TNIL)
    luaL_error(L, "%s has no field 'args'", what_launch);
  int list = lua_gettop(L);
  lua_Unsigned count = lua_rawlen(L, list);
  if (count > ARG_LIMIT) luaL_error(L, "%s has more than %d arguments", what_launch, ARG_LIMIT);
  for (int i = 1; i <= (int)count; i++) {
    if (lua_rawgeti(L, list, i) != LUA_TTABLE) luaL_error(L, "argument %d must be a table", i);
    read_arg(L, list + 1, launch, i);
    lua_settop(L, list);
  }
}

// kernel = "name" or kernel = function(p) return "name" end, of the form or else of the recipe
static void read_kernel(lua_State *L, int values, const Request *request, Launch *launch) {
  recipe_push_form(L, request->recipe, request->values);
  if (lua_getfield(L, -1, "kernel") == LUA_TNIL) lua_getfield(L, RECIPE_TABLE, "kernel");
  if (lua_type(L, -1) == LUA_TFUNCTION) {
    lua_pushvalue(L, values);
    lua_call(L, 1, 1);
  }
  if (lua_type(L, -1) != LUA_TSTRING) luaL_error(L, "kernel must give a name, not a %s", luaL_typename(L, -1));
  launch->kernel = ls_strdup(lua_tostring(L, -1));
}

static void launch_body(lua_State *L, void *context) {
  static const uint32_t grid_limit[3] = {INT32_MAX, 65535, 65535}, block_limit[3] = {1024, 1024, 64};
  Request *request = context;
  Launch *launch = request->launch;
  recipe_enter(L);
  recipe_push_values(L, request->recipe, request->values);
  int values = lua_gettop(L);
  read_kernel(L, values, request, launch);
  lua_getfield(L, RECIPE_TABLE, "launch");
  lua_pushvalue(L, values);
  lua_call(L, 1 + recipe_push_draw(L, request->recipe, request->values), 1);
  request->is_read = true;
  int table = lua_gettop(L);
  if (!lua_istable(L, table)) luaL_error(L, "launch must return a table, not a %s", luaL_typename(L, table));
  field_check_names(L, table, launch_fields, what_launch);
  read_dim(L, table, "grid", launch->grid, grid_limit);
  read_dim(L, table, "block", launch->block, block_limit);
  if (launch_threads(launch) > 1024)
    luaL_error(L, "%s: a block of %d threads; it can have 1024", what_launch, (int)launch_threads(launch));
  lua_Integer shared = field_integer_or(L, table, "shared", 0, what_launch);
  if (shared < 0 || shared > 1 << 20) luaL_error(L, "%s: shared is %I bytes", what_launch, (LUAI_UACINT)shared);
  launch->shared_bytes = (uint64_t)shared;
  if (field_push(L, table, "cooperative", LUA_TBOOLEAN, what_launch) != LUA_TNIL)
    launch->together = lua_toboolean(L, -1) ? LAUNCH_COOPERATIVE : LAUNCH_PLAIN;
  lua_pop(L, 1);
  read_args(L, table, launch);
}

// Nobody's result: -24680, or 99 where that does not fit.
static double unlikely_number(LaunchType type) {
  enum { UNLIKELY = -24680, SMALL = 99 };
  switch (type) {
    case LAUNCH_I8: case LAUNCH_U8: case LAUNCH_U16: case LAUNCH_F16: return SMALL;
    case LAUNCH_U32: case LAUNCH_U64: return (uint32_t)UNLIKELY;
    default: return UNLIKELY;
  }
}

void recipe_fill_result(const RecipeValues *values, LaunchArg *arg) {
  if (!values->filled || !arg->is_buffer || arg->init != LAUNCH_NONE || arg->image.kind) return;
  arg->init = LAUNCH_CONST;
  arg->init_value = unlikely_number(arg->type);
}

bool recipe_run_launch(const Recipe *recipe, const RecipeValues *values, Launch *launch, LsErr *err) {
  RecipeScript *owner = recipe->script;
  Request request = {.recipe = recipe, .values = values, .launch = launch};
  launch_init(launch);
  pthread_mutex_lock(&owner->lock);
  bool ok = script_run(owner->script, LAUNCH_BUDGET, launch_body, &request, err);
  pthread_mutex_unlock(&owner->lock);
  for (int i = 0; ok && i < launch->arg_count; i++) recipe_fill_result(values, &launch->args[i]);
  if (!ok) {
    if (request.is_read && recipe->folder && err) recipe_add_place(owner, err);
    launch_fini(launch);
    launch_init(launch);
  }
  return ok;
}
