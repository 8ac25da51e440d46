// budget.c: the hook, the clock and the allocator that bound a script.
#include "script/budget.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/mem.h"

enum {
  HOOK_INTERVAL = 1000,            // instructions between looks at the budget
  BYTES_PER_CHARGE = 16,           // allocating so many bytes counts as an instruction
  BYTES_PER_COLLECTION = 32,       // a refused block makes Lua collect all its memory: so many bytes of it are one
  LARGE_BLOCK = 1 << 16,           // a block of this size is worth a look at the clock
  FRESH_BLOCK = (24 << 16) - 1,    // the names of a table are one fresh block, 24 bytes each, a power of two of them
  OVERDRAFT = 4 << 20,             // bytes on top of the limit, for what is said about it
  NS_PER_INSTRUCTION = 10,         // several times what one takes
};
static const int64_t least_time = 2000000000;   // ns: several times the longest step of a lesson on a slow machine

const char script_canceled[] = "canceled";
static const char out_of_instructions[] = "this takes too long: the script used up its instructions";
static const char out_of_time[] = "this takes too long: the script used up its time";
static const char too_much[] = "the script needs more than 64 MB of memory";
static const char too_long[] = "the script makes a text of more than 64 KB";
static const char too_large[] = "the script makes a table of more than 32768 names, or calls functions too deeply";

static int64_t nanoseconds(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

// ---- spent ----------------------------------------------------------------------------------------------------------

// The line that L executes, or died at. The place where the budget was spent is kept.
static void note_place(Script *script, lua_State *L) {
  lua_Debug debug = {.currentline = -1};
  if (script->placed) return;
  script->placed = script->spent != NULL;
  script->place[0] = 0;
  for (int level = 0; debug.currentline <= 0 && lua_getstack(L, level, &debug); level++) lua_getinfo(L, "Sl", &debug);
  if (debug.currentline > 0)
    snprintf(script->place, sizeof script->place, "%s:%d: ", debug.short_src, debug.currentline);
}

// The thread cannot use up what is left of its time before as much has passed on the wall.
static void look_at_time(Script *script) {
  int64_t wall = nanoseconds(CLOCK_MONOTONIC);
  if (wall < script->next_look) return;
  int64_t left = script->time_limit - nanoseconds(CLOCK_THREAD_CPUTIME_ID);
  if (left <= 0) script->spent = out_of_time;
  else script->next_look = wall + left;
}

// The allocator asks too, at moments when Lua's stack must not be looked at.
static bool is_spent(Script *script) {
  if (!script->spent && script->cancel && *script->cancel) script->spent = script_canceled;
  if (!script->spent && script->budget < 0) script->spent = out_of_instructions;
  if (!script->spent) look_at_time(script);
  return script->spent != NULL;
}

// However much is charged to a budget that is spent, it stays so: the number does not wrap around.
static void take(Script *script, int64_t work) {
  const int64_t most = INT64_MAX / 2;
  script->budget = LS_MAX(script->budget, -most) - LS_MIN(work, most);
}

static void count_hook(lua_State *L, lua_Debug *debug);

// The hook goes on at every instruction, since a pcall of the script may catch this.
static int raise_spent(lua_State *L) {
  Script *script = script_of(L);
  lua_sethook(L, count_hook, LUA_MASKCOUNT, 1);
  note_place(script, L);
  lua_pushfstring(L, "%s%s", script->place, script->spent);
  return lua_error(L);
}

// New coroutines inherit the hook and its interval.
static void count_hook(lua_State *L, lua_Debug *debug) {
  (void)debug;
  Script *script = script_of(L);
  take(script, lua_gethookcount(L));
  if (is_spent(script)) raise_spent(L);
  if (lua_gethookcount(L) != HOOK_INTERVAL) script_arm(L);
}

void script_arm(lua_State *coroutine) { lua_sethook(coroutine, count_hook, LUA_MASKCOUNT, HOOK_INTERVAL); }

void script_charge(lua_State *L, int64_t work) {
  Script *script = script_of(L);
  take(script, work);
  if (is_spent(script)) raise_spent(L);
}

// A coroutine that died keeps its stack, so the place of an error without one can be found there.
static void explain_refusal(Script *script, lua_State *coroutine, lua_State *from) {
  note_place(script, coroutine);
  lua_pop(coroutine, 1);
  script->lenient = true;
  lua_pushfstring(from, "%s%s", script->place, script->refused);
  script->lenient = false;
  lua_xmove(from, coroutine, 1);
}

int script_resume(lua_State *coroutine, lua_State *from, int arguments, int *results) {
  Script *script = script_of(from);
  int status = lua_resume(coroutine, from, arguments, results);
  if (is_spent(script)) {
    note_place(script, coroutine);
    raise_spent(from);
  }
  if (status == LUA_ERRMEM) explain_refusal(script, coroutine, from);
  return status;
}

void budget_open(Script *script) { script->budget = script->time_limit = script->next_look = INT64_MAX; }

void budget_start(Script *script, int64_t instructions) {
  script->placed = false;
  script->budget = instructions;
  script->spent = script->refused = NULL;
  script->time_limit = nanoseconds(CLOCK_THREAD_CPUTIME_ID) + least_time + instructions * NS_PER_INSTRUCTION;
  script->next_look = 0;
}

// ---- memory ---------------------------------------------------------------------------------------------------------

// Why a block is not given; NULL if it is. Lua gives the kind of a fresh object; 0 is an array of something.
static const char *reason_to_refuse(Script *script, bool fresh, size_t kind, size_t growth, size_t size) {
  if (fresh && kind == LUA_TSTRING && size > SCRIPT_TEXT + 64) return too_long;
  if (fresh && kind == 0 && size > FRESH_BLOCK) return too_large;
  if (size >= LARGE_BLOCK && is_spent(script)) return script->spent;
  size_t limit = SCRIPT_MEMORY + (script->spent || script->lenient ? OVERDRAFT : 0);
  return growth > limit - LS_MIN(script->memory, limit) ? too_much : NULL;
}

static void *refuse(Script *script, const char *why) {
  script->refused = why;
  take(script, (int64_t)(script->memory / BYTES_PER_COLLECTION));
  is_spent(script);
  return NULL;
}

void *budget_allocate(void *context, void *old, size_t old_size, size_t size) {
  Script *script = context;
  size_t kind = old ? 0 : old_size;
  if (!old) old_size = 0;
  if (size == 0) {
    free(old);
    script->memory -= old_size;
    return NULL;
  }
  if (size > old_size) {
    take(script, (int64_t)(size / BYTES_PER_CHARGE));
    const char *why = reason_to_refuse(script, !old, kind, size - old_size, size);
    if (why) return refuse(script, why);
  }
  void *block = realloc(old, size);
  if (!block) return refuse(script, "there is no memory left");
  script->memory += size - old_size;
  return block;
}
