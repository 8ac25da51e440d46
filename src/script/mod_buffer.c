// mod_buffer.c: bounds-checked handles on buffers.
#include "script/mod_buffer.h"

#include <stdio.h>
#include <string.h>

#include "base/mem.h"

typedef struct Buffer {
  const uint8_t *bytes;            // borrowed until the epoch ends
  uint64_t count;
  uint8_t *writable;               // the same bytes, or NULL
  const uint8_t *before;           // as many, or NULL
  unsigned epoch;                  // 0: lasting
  uint8_t type, size;
  char name[48];
} Buffer;

static const char metatable_key[] = "lanescope.buffer";

static double half_to_double(uint16_t bits) {
  int exponent = bits >> 10 & 31, fraction = bits & 1023;
  double value = exponent == 31   ? (fraction ? __builtin_nan("") : __builtin_inf())
                 : exponent == 0 ? (double)fraction / (1 << 24)
                                 : (double)(fraction + 1024) * (double)(1u << exponent) / (double)(1 << 25);
  return bits & 0x8000 ? -value : value;
}

static void push_integer(lua_State *L, const uint8_t *at, uint8_t type) {
  int64_t value = 0;
  uint64_t bits = 0;
  static const uint8_t size_of[] = {1, 1, 2, 2, 4, 4, 8, 8};
  memcpy(&bits, at, size_of[type]);
  int shift = 64 - 8 * size_of[type];
  bool is_signed = type == LAUNCH_I8 || type == LAUNCH_I16 || type == LAUNCH_I32 || type == LAUNCH_I64;
  value = is_signed ? (int64_t)(bits << shift) >> shift : (int64_t)bits;
  lua_pushinteger(L, value);
}

static void push_element(lua_State *L, const Buffer *buffer, uint64_t i) {
  const uint8_t *at = buffer->bytes + i * buffer->size;
  float single;
  double number;
  uint16_t half;
  switch (buffer->type) {
    case LAUNCH_F32: memcpy(&single, at, 4); number = (double)single; break;
    case LAUNCH_F64: memcpy(&number, at, 8); break;
    case LAUNCH_F16: memcpy(&half, at, 2); number = half_to_double(half); break;
    default: push_integer(L, at, buffer->type); return;
  }
  lua_pushnumber(L, number);
}

static const Buffer *check_live(lua_State *L, const Buffer *buffer) {
  if (buffer->epoch && buffer->epoch != script_of(L)->epoch)
    luaL_error(L, "buffer %s belongs to a run that is over", buffer->name);
  return buffer;
}

static const Buffer *to_buffer(lua_State *L, int index) {
  return check_live(L, luaL_checkudata(L, index, metatable_key));
}

static int no_element(lua_State *L, const Buffer *buffer) {
  return luaL_error(L, "%s[%s] does not exist: the buffer has elements 0 to %I", buffer->name,
                    luaL_tolstring(L, 2, NULL), (LUAI_UACINT)buffer->count - 1);
}

// buffer[i]. Scripts cannot get hold of this function, so the first argument is a buffer; it is called very often.
static int l_index(lua_State *L) {
  const Buffer *buffer = check_live(L, lua_touserdata(L, 1));
  int is_integer;
  lua_Integer i = lua_tointegerx(L, 2, &is_integer);
  if (!is_integer || i < 0 || (uint64_t)i >= buffer->count) return no_element(L, buffer);
  push_element(L, buffer, (uint64_t)i);
  return 1;
}

static int l_length(lua_State *L) {
  lua_pushinteger(L, (lua_Integer)to_buffer(L, 1)->count);
  return 1;
}

static int l_newindex(lua_State *L) {
  const Buffer *buffer = to_buffer(L, 1);
  int is_integer;
  lua_Integer i = lua_tointegerx(L, 2, &is_integer);
  if (!buffer->writable) return luaL_error(L, "buffer %s can only be read", buffer->name);
  if (!is_integer || i < 0 || (uint64_t)i >= buffer->count) return no_element(L, buffer);
  uint64_t bits = launch_bits((LaunchType)buffer->type, luaL_checknumber(L, 3));
  if (lua_isinteger(L, 3) && !launch_type_is_float((LaunchType)buffer->type)) bits = (uint64_t)lua_tointeger(L, 3);
  memcpy(buffer->writable + (uint64_t)i * buffer->size, &bits, buffer->size);
  return 0;
}

static int l_name(lua_State *L) {
  lua_pushfstring(L, "buffer %s", to_buffer(L, 1)->name);
  return 1;
}

// extra: bytes behind it that go with it.
static Buffer *push_buffer(lua_State *L, const char *name, LaunchType type, uint64_t count, size_t extra) {
  Buffer *buffer = lua_newuserdatauv(L, sizeof *buffer + extra, 0);
  *buffer = (Buffer){.count = count, .type = (uint8_t)type, .size = (uint8_t)launch_type_size(type)};
  snprintf(buffer->name, sizeof buffer->name, "%s", name);
  luaL_setmetatable(L, metatable_key);
  return buffer;
}

void mod_buffer_push(lua_State *L, const char *name, LaunchType type, const uint8_t *bytes, uint64_t count,
                     bool lasting) {
  Buffer *buffer = push_buffer(L, name, type, count, 0);
  buffer->bytes = bytes;
  buffer->epoch = lasting ? 0 : script_of(L)->epoch;
}

uint8_t *mod_buffer_push_own(lua_State *L, const char *name, LaunchType type, uint64_t count) {
  size_t size = (size_t)launch_type_size(type);
  if (count > SCRIPT_MEMORY / size)
    luaL_error(L, "%s: %I numbers are more than a script has room for", name, (LUAI_UACINT)count);
  Buffer *buffer = push_buffer(L, name, type, count, (size_t)count * size);
  uint8_t *bytes = (uint8_t *)(buffer + 1);
  memset(bytes, 0, (size_t)count * size);
  buffer->bytes = bytes;
  return bytes;
}

bool mod_buffer_is(lua_State *L, int index) { return luaL_testudata(L, index, metatable_key) != NULL; }

bool mod_buffer_source(lua_State *L, int index, ColumnSource *source) {
  const Buffer *buffer = to_buffer(L, index);
  *source = (ColumnSource){.bytes = buffer->bytes, .count = buffer->count, .type = (LaunchType)buffer->type};
  memcpy(source->name, buffer->name, sizeof source->name);
  return buffer->epoch == 0;
}

void mod_buffer_push_metatable(lua_State *L) { luaL_getmetatable(L, metatable_key); }

void mod_buffer_push_writable(lua_State *L, const char *name, LaunchType type, uint8_t *bytes, uint64_t count) {
  mod_buffer_push(L, name, type, bytes, count, false);
  ((Buffer *)lua_touserdata(L, -1))->writable = bytes;
}

void mod_buffer_element(lua_State *L, int index, uint64_t i) {
  const Buffer *buffer = to_buffer(L, index);
  if (i >= buffer->count) luaL_error(L, "%s has no element %I", buffer->name, (LUAI_UACINT)i);
  push_element(L, buffer, i);
}

void mod_buffer_set_before(lua_State *L, const uint8_t *before) {
  ((Buffer *)lua_touserdata(L, -1))->before = before;
}

bool mod_buffer_before(lua_State *L, int index, uint64_t i) {
  const Buffer *buffer = to_buffer(L, index);
  if (!buffer->before || i >= buffer->count) return false;
  Buffer old = *buffer;
  old.bytes = buffer->before;
  push_element(L, &old, i);
  return true;
}

uint64_t mod_buffer_count(lua_State *L, int index) { return to_buffer(L, index)->count; }
const char *mod_buffer_name(lua_State *L, int index) { return to_buffer(L, index)->name; }

void mod_buffer_open(lua_State *L) {
  static const luaL_Reg methods[] = {
      {"__index", l_index}, {"__newindex", l_newindex}, {"__len", l_length}, {"__tostring", l_name}, {NULL, NULL}};
  luaL_newmetatable(L, metatable_key);
  luaL_setfuncs(L, methods, 0);
  lua_pushboolean(L, 0);
  lua_setfield(L, -2, "__metatable");
  lua_pop(L, 1);
}
