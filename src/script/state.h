// state.h: a Lua state that cannot do harm: recipes, lessons and quizzes run in one.
//
// What a script can reach is an explicit list (sandbox.c). Memory, work and time are capped (budget.h); C functions
// that work longer than an instruction charge the budget by hand.
//
// All use of a state goes through one door, script_run, which is a protected call: an error becomes an LsErr with file
// and line, and nothing escapes by longjmp.
#ifndef LS_SCRIPT_STATE_H
#define LS_SCRIPT_STATE_H

#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>
#include <stdint.h>

#include "base/error.h"

typedef struct Script {
  lua_State *L;
  size_t memory;                   // bytes in use
  int64_t budget;                  // instructions left of the current call
  int64_t time_limit, next_look;   // nanoseconds: the thread's time when the call ends, the wall's when that is read
  const _Atomic bool *cancel;      // set from elsewhere: the call is to end; NULL
  const char *spent, *refused;     // why the call ends; why the last block was not given; NULL if neither
  char place[80];                  // "NAME:LINE: " of that
  bool placed, lenient;            // it is where the budget was spent; memory is for a message
  unsigned epoch;                  // grows with every call; handles of an older epoch are dead
  uint64_t chunks;                 // of columns that were worked out (column.h)
  bool malformed;                  // the last chunk had a syntax error
  char *folder;                    // chunks are named relative to it; owned
} Script;

enum { SCRIPT_MEMORY = 64 << 20, SCRIPT_TEXT = 1 << 16 };   // bytes of a script, and of its longest text

// A fresh state with the sandbox and the helpers of every script. folder is put in front of file names in messages.
Script *script_new(const char *folder, LsErr *err);
void script_free(Script *script);   // NULL is fine
// The state that L, or a coroutine of it, belongs to.
Script *script_of(lua_State *L);

// Runs body(L, context) protected, with a budget of instructions. False with *err if it raised an error. The stack is
// the same afterwards. What body allocates outside of Lua must hang on context, since an error jumps over its end.
typedef void ScriptBody(lua_State *L, void *context);
bool script_run(Script *script, int64_t budget, ScriptBody *body, void *context, LsErr *err);

// Inside of a body. Pushes a file of the folder as a function ("lua/NAME.lua" is lanescope's own library, and a name
// that begins with "/", "./" or "../" a path).
void script_load_file(lua_State *L, const char *name);
// The same, and calls it: its one value is left on the stack.
void script_push_file(lua_State *L, const char *name);
// Puts the hook of the budget on a coroutine before it is resumed.
void script_arm(lua_State *coroutine);
// lua_resume, for all coroutines of a script: raises the error again if the budget was spent in it.
int script_resume(lua_State *coroutine, lua_State *from, int arguments, int *results);
// What Script.spent is of a call that was canceled.
extern const char script_canceled[];
// Takes work off the budget, before it is done; raises an error when the budget is spent.
void script_charge(lua_State *L, int64_t work);
// A message that starts with "NAME:LINE: " is taken apart into file, line and text.
void script_take_error(Script *script, const char *message, LsErrKind kind, LsErr *err);

// sandbox.c: replaces the globals of a new state by the allowed ones. Runs unprotected functions: call it in a body.
void script_open_sandbox(lua_State *L);

// The modules, one mod_NAME.c each: add their functions to the globals. Inside of a body.
void mod_math_open(lua_State *L);
void mod_expect_open(lua_State *L);
// What the first expect() that failed said since forget; NULL: none did. Good until the next one.
const char *mod_expect_said(lua_State *L);
void mod_expect_forget(lua_State *L);
void mod_buffer_open(lua_State *L);
void mod_each_open(lua_State *L);    // behind the buffers: adds to their operators
void mod_all_open(lua_State *L);
void mod_coroutine_open(lua_State *L);
// Not in every script: use "NAME" and lesson_line().
void mod_use_open(lua_State *L);
int script_use(lua_State *L);      // use, as a function of Lua

#endif
