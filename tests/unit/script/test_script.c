// test_script.c: what a script cannot do: escape, hang, exhaust, or keep what it borrowed.
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "check.h"
#include "script/state.h"

enum { BUDGET = 20000000 };

static char folder[256], path[300];   // of the script that runs

static void run_text(lua_State *L, void *context) {
  if (!ls_file_write(path, context, strlen(context), NULL)) luaL_error(L, "%s cannot be written", path);
  script_push_file(L, "test.lua");
  if (!lua_isnil(L, -1) && !lua_toboolean(L, -1)) luaL_error(L, "the script returned false");
}

// Runs a text in a fresh state; gives the error's message, "" if there was none.
static const char *outcome(const char *text, LsErr *err) {
  static LsErr own;
  if (!err) err = &own;
  *err = (LsErr){0};
  Script *script = script_new(folder, err);
  struct timespec before, after;
  clock_gettime(CLOCK_MONOTONIC, &before);
  bool ok = script && script_run(script, BUDGET, run_text, (void *)text, err);
  clock_gettime(CLOCK_MONOTONIC, &after);
  CHECK((double)(after.tv_sec - before.tv_sec) + (double)(after.tv_nsec - before.tv_nsec) * 1e-9 < 20);
  script_free(script);
  CHECK(ok == (err->kind == LS_OK));
  return err->message;
}

static void ends_with_budget(const char *text) {
  const char *message = outcome(text, NULL);
  if (!strstr(message, "used up its instructions")) printf("\n%s\n  -> %s\n", text, message);
  CHECK(strstr(message, "used up its instructions") != NULL);
}

static void fails_with(const char *text, const char *part) {
  const char *message = outcome(text, NULL);
  if (!strstr(message, part)) printf("\n%s\n  -> %s\n", text, message);
  CHECK(strstr(message, part) != NULL);
}

static void works(const char *text) { CHECK_STR(outcome(text, NULL), ""); }

static void globals_are_listed(void) {
  static const char *const absent[] = {"io", "os", "package", "debug", "load", "loadstring", "loadfile", "dofile", "require",
                                       "collectgarbage", "print", "xpcall", "string.dump", "string.pack", "table.move",
                                       "math.randomseed", "coroutine.close", "warn"};
  for (int i = 0; i < LS_COUNT(absent); i++) {
    char text[80];
    snprintf(text, sizeof text, "return %s == nil", absent[i]);
    CHECK_STR(outcome(text, NULL), "");
  }
  works("return ('x').dump == nil and ('x').rep ~= nil and getmetatable('x') == false");
  works("for name in pairs(_ENV) do assert(name ~= '_G' and name ~= 'io') end");
}

static void loops_end(void) {
  ends_with_budget("while true do end");
  ends_with_budget("while true do pcall(function() while true do end end) end");
  ends_with_budget("local function f() while true do end end while true do coroutine.resume(coroutine.create(f)) end");
  ends_with_budget("local w = coroutine.wrap(function() while true do coroutine.yield() end end) while true do w() end");
  ends_with_budget("local function f() return pcall(f) end while true do f() end");
  ends_with_budget("local t <close> = setmetatable({}, { __close = function() while true do end end }) while true do end");
  ends_with_budget("local m = {} m.__index = function(t, k) return t[k + 1] end local t = setmetatable({}, m) while true do "
                   "pcall(function() return t[1] end) end");
  ends_with_budget("local s = ('a'):rep(300) while true do s:find('.-b') end");
  ends_with_budget("while true do ('x'):rep(1000000) end");
  ends_with_budget("local t = {} for i = 1, 10000 do t[i] = i end while true do table.insert(t, 1, 0) table.remove(t, 1) end");
  ends_with_budget("local t = {} for i = 1, 100000 do t[i] = -i end while true do table.sort(t) end");
  ends_with_budget("error(setmetatable({}, { __tostring = function() while true do end end }))");
}

static void memory_is_capped(void) {
  fails_with("local s = 'x' while true do s = s .. s end", "memory");
  fails_with("local t = {} for i = 1, 1e9 do t[i] = i end", "memory");
  fails_with("return ('x'):rep(1 << 40)", "string.rep would make more");
  fails_with("return ('x'):rep(1 << 10, ('y'):rep(1 << 12))", "string.rep would make more");
  works("local ok, message = pcall(function() local t = {} for i = 1, 1e9 do t[i] = ('x'):rep(1000) .. i end end) return not ok");
  fails_with("local function f() return 1 + f() end f()", "memory");
  fails_with("return table.unpack({}, 1, 1e7)", "too many results");
  fails_with("return select('#', table.unpack({}, 1, 1 << 60))", "too many results");
}

static void library_traps_are_closed(void) {
  fails_with("setmetatable({}, { __gc = function() end })", "finalizers");
  fails_with("local t = setmetatable({}, { __len = function() return 1 << 60 end }) table.insert(t, 1, 1)", "length of its own");
  fails_with("local t = setmetatable({}, { __len = function() return 1 << 60 end }) table.remove(t, 1)", "length of its own");
  fails_with("local t = setmetatable({}, { __len = function() return 1 << 30 end }) table.sort(t)", "length of its own");
  fails_with("local s = ('a'):rep(100000) return s:find('.-.-.-.-b')", "pattern is too costly");
  fails_with("local s = ('a'):rep(10000) for _ in s:gmatch('(.-)(.-)b') do end", "pattern is too costly");
  fails_with("local s = ('a'):rep(10000) return s:gsub('.-.-b', '')", "pattern is too costly");
  works("local s = ('a'):rep(100000) return s:find('*-*-*-', 1, true) == nil");
  works("return ('a,b,,c'):gsub(',', ';') == 'a;b;;c' and ('k = v'):match('^(%w+) = (%w+)$') == 'k'");
  fails_with("getmetatable('').__index = nil", "boolean");
}

static void errors_have_places(void) {
  LsErr err;
  outcome("local x = 1\nlocal y = x.a.b", &err);
  CHECK_STR(err.file, path);
  CHECK_INT(err.line, 2);
  CHECK_INT(err.kind, LS_EREQUEST);
  CHECK(strstr(err.message, "attempt to index") == err.message);
  outcome("x = = 1", &err);
  CHECK_INT(err.kind, LS_EPARSE);
  CHECK_INT(err.line, 1);
  outcome("error('my own words', 0)", &err);
  CHECK_STR(err.message, "my own words");
  CHECK_STR(err.file, "");
  CHECK_STR(outcome("error({})", &err) ? "table" : "", "table");
  CHECK_STR(outcome("error()", &err), "nil");
  outcome("\x1bLua", &err);
  CHECK_INT(err.kind, LS_EPARSE);
}

static void state_lives_after_errors(void) {
  LsErr err = {0};
  Script *script = script_new(folder, &err);
  for (int i = 0; i < 20; i++) {
    CHECK(!script_run(script, 100000, run_text, "while true do end", &err));
    CHECK(!script_run(script, BUDGET, run_text, "local s = 'x' while true do s = s .. s end", &err));
    CHECK(script_run(script, BUDGET, run_text, "kept = (kept or 0) + 1", &err));
  }
  CHECK(script_run(script, BUDGET, run_text, "return kept == 20", &err));
  CHECK_INT(lua_gettop(script->L), 0);
  script_free(script);
}

static void helpers_compute(void) {
  works("return cdiv(10, 3) == 4 and cdiv(9, 3) == 3 and cdiv(0, 5) == 0 and cdiv(-1, 2) == 0 and cdiv(-4, 2) == -2");
  works("return rup(33, 32) == 64 and rup(64, 32) == 64 and rup(0, 8) == 0");
  works("return gcd(12, 32) == 4 and gcd(0, 32) == 32 and gcd(-6, 4) == 2 and gcd(0, 0) == 0");
  works("return log2i(1) == 0 and log2i(1023) == 9 and log2i(1 << 62) == 62");
  works("return popcount(0) == 0 and popcount(-1) == 64 and popcount(0xf0f) == 8");
  works("return f32(0.1) ~= 0.1 and f32(0.5) == 0.5 and f32(16777217) == 16777216");
  fails_with("return cdiv(1, 0)", "at least 1");
  fails_with("return log2i(0)", "at least 1");
}

static void random_repeats(void) {
  LsErr err = {0};
  double drawn[2];
  for (int i = 0; i < 2; i++) {
    Script *script = script_new(folder, &err);
    CHECK(script_run(script, BUDGET, run_text, "drawn = math.random()", &err));
    lua_getglobal(script->L, "drawn");
    drawn[i] = lua_tonumber(script->L, -1);
    script_free(script);
  }
  CHECK(drawn[0] == drawn[1] && drawn[0] > 0);
}

static const Check checks[] = {
    {"globals are listed", globals_are_listed},
    {"loops end", loops_end},
    {"memory is capped", memory_is_capped},
    {"library traps are closed", library_traps_are_closed},
    {"errors have places", errors_have_places},
    {"a state lives after errors", state_lives_after_errors},
    {"helpers compute", helpers_compute},
    {"random numbers repeat", random_repeats},
};

int main(int argc, char **argv) {
  if (!check_folder(folder, sizeof folder)) return 99;
  snprintf(path, sizeof path, "%s/test.lua", folder);
  int status = check_main("script", checks, LS_COUNT(checks), argc, argv);
  unlink(path);
  rmdir(folder);
  return status;
}
