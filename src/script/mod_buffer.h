// mod_buffer.h: the contents of a launch's buffers as Lua sees them: buffer[i] from 0, #buffer, and, in whole,
// the operators of columns (mod_each.h); host steps of programs may also set buffer[i].
//
// A buffer borrows its bytes for the call in which it was pushed; kept longer, it refuses to be read. One that is pushed as
// lasting borrows them for the life of the state.
#ifndef LS_SCRIPT_MOD_BUFFER_H
#define LS_SCRIPT_MOD_BUFFER_H

#include "script/column.h"
#include "script/state.h"
#include "launch/launch.h"

void mod_buffer_push(lua_State *L, const char *name, LaunchType type, const uint8_t *bytes, uint64_t count,
                     bool lasting);
// The same, of the host's own memory: buffer[i] = value works, too.
void mod_buffer_push_writable(lua_State *L, const char *name, LaunchType type, uint8_t *bytes, uint64_t count);
// Of numbers that a script works out itself: zeros, for the caller to fill; they live as long as the buffer.
uint8_t *mod_buffer_push_own(lua_State *L, const char *name, LaunchType type, uint64_t count);
bool mod_buffer_is(lua_State *L, int index);
// Where the elements of the buffer at a stack index are; raises an error if it is none. False: for this call only.
bool mod_buffer_source(lua_State *L, int index, ColumnSource *source);
void mod_buffer_push_metatable(lua_State *L);
// Pushes element i of the buffer at a stack index; raises an error if it is not a buffer or has no such element.
void mod_buffer_element(lua_State *L, int index, uint64_t i);
// What the buffer at the top of the stack held before the launch; borrowed as long as its bytes are.
void mod_buffer_set_before(lua_State *L, const uint8_t *before);
// Pushes element i of that; false, with nothing pushed: it is not known.
bool mod_buffer_before(lua_State *L, int index, uint64_t i);
uint64_t mod_buffer_count(lua_State *L, int index);
const char *mod_buffer_name(lua_State *L, int index);

#endif
