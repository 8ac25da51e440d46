// test_script.c: what a script cannot do: escape, hang, exhaust, or keep what it borrowed.
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "check.h"
#include "script/state.h"

enum { BUDGET = 20000000, HANG = 120 };   // instructions; seconds after which a test has hung

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
  alarm(HANG);
  bool ok = script && script_run(script, BUDGET, run_text, (void *)text, err);
  alarm(0);
  script_free(script);
  CHECK(ok == (err->kind == LS_OK));
  return err->message;
}

// Whether time or memory is used up first depends on the machine.
static void ends(const char *text) {
  LsErr err;
  outcome(text, &err);
  CHECK(err.line > 0);
}

static void ends_with_budget(const char *text) {
  LsErr err;
  const char *message = outcome(text, &err);
  if (!strstr(message, "this takes too long") || !err.line) printf("\n%s\n  -> %d: %s\n", text, err.line, message);
  CHECK(strstr(message, "this takes too long") == message);
  CHECK(err.line > 0);
}

static void fails_with(const char *text, const char *part) {
  LsErr err;
  const char *message = outcome(text, &err);
  if (!strstr(message, part) || !err.line) printf("\n%s\n  -> %d: %s\n", text, err.line, message);
  CHECK(strstr(message, part) != NULL);
  CHECK(err.line > 0);
}

static void works(const char *text) { CHECK_STR(outcome(text, NULL), ""); }

static void globals_are_listed(void) {
  static const char *const absent[] = {"io", "os", "package", "debug", "load", "loadstring", "loadfile", "dofile", "require",
                                       "collectgarbage", "print", "xpcall", "string.dump", "string.pack", "table.move",
                                       "math.randomseed", "coroutine.close", "warn", "setmetatable"};
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
  ends_with_budget("::again:: goto again");
  ends_with_budget("for i = 1, math.maxinteger do end");
  ends_with_budget("for i = 1.0, math.huge do end");
  ends_with_budget("repeat until false");
  ends_with_budget("local function f() return f() end f()");
  ends("local function f(...) return f(1, ...) end f()");
  ends_with_budget("while true do local t = {} end");
  ends_with_budget("while true do local f = function() return f end end");
  ends_with_budget("local s = '' while true do s = (s .. 'x'):sub(-1000) end");
}

static void calls_and_errors_end(void) {
  ends_with_budget("while true do pcall(function() while true do end end) end");
  ends_with_budget("local function f() return pcall(f) end while true do f() end");
  ends_with_budget("local function f() while true do pcall(f) end end f()");
  ends_with_budget("local function f() pcall(f) pcall(f) return f() end f()");
  ends_with_budget("while true do pcall(error, ('x'):rep(60000)) end");
  ends_with_budget("local p = pcall for i = 1, 150 do local q = p p = function(...) return pcall(q, ...) end end\n"
                   "while true do p(function() while true do end end) end");
  ends_with_budget("local function deep(n) if n == 0 then while true do pcall(error, 'x', 1000) end end return 1 + deep(n - 1) end\n"
                   "deep(2000)");
  ends_with_budget("local function f() local ok = pcall(f) while true do end end f()");
}

static void coroutines_end(void) {
  ends_with_budget("local function f() while true do end end while true do coroutine.resume(coroutine.create(f)) end");
  ends_with_budget("local w = coroutine.wrap(function() while true do coroutine.yield() end end) while true do w() end");
  ends_with_budget("while true do coroutine.wrap(function() for i = 1, 300 do end end)() end");
  ends_with_budget("local function f() return coroutine.wrap(f)() end while true do pcall(f) end");
  ends_with_budget("local function f() while true do coroutine.resume(coroutine.create(f)) end end f()");
  ends_with_budget("local list = {} while true do list[#list % 1000 + 1] = coroutine.create(function() end) end");
  ends_with_budget("coroutine.wrap(function() while true do pcall(coroutine.yield, pcall(error)) end end)()\n"
                   "while true do pcall(coroutine.wrap(function() pcall(coroutine.yield) while true do end end)) end");
  ends_with_budget("local co = coroutine.wrap(function() pcall(function() coroutine.yield() while true do end end)\n"
                   "while true do end end) co() while true do pcall(co) end");
  CHECK(strstr(outcome("coroutine.yield(1)", NULL), "attempt to yield") != NULL);
}

// What errors run on their way, and what the collector runs, is what a script must not decide.
static void nothing_runs_behind_the_budget(void) {
  fails_with("coroutine.wrap(function() local x <close> = setmetatable({}, { __close = function() while true do end end })\n"
             "while true do end end)()", "nil value (global 'setmetatable')");
  fails_with("local t <close> = { __close = function() while true do end end }", "non-closable");
  fails_with("for i in next, {}, nil, {} do end", "non-closable");
  works("return getmetatable({}) == nil and getmetatable('x') == false and getmetatable(print) == nil");
  fails_with("getmetatable('').__index = nil", "boolean");
}

static void texts_end(void) {
  fails_with("return (''):rep(1 << 40)", "string.rep would make more");
  fails_with("return (''):rep(math.maxinteger, '')", "string.rep would make more");
  fails_with("return ('x'):rep(1 << 40)", "string.rep would make more");
  fails_with("return ('x'):rep(1 << 10, ('y'):rep(1 << 12))", "string.rep would make more");
  ends_with_budget("while true do ('x'):rep(60000) end");
  ends_with_budget("while true do (''):rep(60000) end");
  ends_with_budget("local s = ('1'):rep(60000) while true do tonumber(s) end");
  ends_with_budget("local s = ('1'):rep(60000) while true do tonumber(s, 7) end");
  ends_with_budget("local s = ('1'):rep(60000) while true do local n = s + 1 end");
  ends_with_budget("local s = ('1'):rep(60000) while true do for i = 1, 10 do local ok = pcall(math.floor, s) end end");
  ends_with_budget("local s = ('\\u{e9}'):rep(30000) while true do utf8.len(s) end");
  ends_with_budget("local s = ('\\u{e9}'):rep(30000) while true do utf8.offset(s, 29000) end");
  ends_with_budget("local s = ('x'):rep(60000) local a, b = s .. 'a', s .. 'b' local n = 0 while true do if a < b then n = n + 1 end end");
  ends_with_budget("local s = ('\\0'):rep(60000) local a, b = s .. 'a', s .. 'b' while true do local less = a <= b end");
  ends_with_budget("local a, b = ('x'):rep(60000), ('x'):rep(59999) .. 'y' while true do local same = a == b end");
  ends_with_budget("local a, b = ('x'):rep(60000), ('x'):rep(59999) .. 'y' while true do rawequal(a, b) end");
  ends_with_budget("local t, s = {}, ('x'):rep(60000) for i = 1, 1e9 do t[s .. i] = nil end");
  ends_with_budget("while true do string.format('%99.99f', 1e308) end");
  fails_with("return string.format('%99999d', 1)", "invalid conversion");
  ends_with_budget("local s = ('x'):rep(60000) while true do s:lower() s:upper() s:reverse() end");
}

static void many_values_end(void) {
  fails_with("local t = {} while true do table.unpack(t, 1, 900000) end", "too many results to unpack");
  fails_with("return table.unpack({}, 1, 1e7)", "too many results");
  fails_with("return select('#', table.unpack({}, 1, 1 << 60))", "too many results");
  fails_with("return table.unpack({}, math.mininteger, math.maxinteger)", "too many results");
  ends_with_budget("local t = {} while true do table.unpack(t, 1, 4000) end");
  ends_with_budget("local t = {} while true do select('#', table.unpack(t, 1, 4000)) end");
  fails_with("local s = ('x'):rep(60000) while true do s:byte(1, -1) end", "more than 4096 values");
  fails_with("local s = ('x'):rep(60000) while true do utf8.codepoint(s, 1, -1) end", "more than 4096 values");
  ends_with_budget("local s = ('x'):rep(4000) while true do s:byte(1, -1) end");
  works("return select('#', ('x'):rep(4096):byte(1, -1)) == 4096 and ('abc'):byte(-1) == 99 and ('abc'):byte(10) == nil");
  works("return select('#', table.unpack({ 1, nil, 3 }, 1, 3)) == 3 and table.unpack({ 7 }) == 7");
}

static void patterns_end(void) {
  fails_with("local s = ('a'):rep(60000) return s:find('.-.-.-.-b')", "pattern is too costly");
  fails_with("local s = ('a'):rep(10000) for _ in s:gmatch('(.-)(.-)b') do end", "pattern is too costly");
  fails_with("local s = ('a'):rep(10000) return s:gsub('.-.-b', '')", "pattern is too costly");
  fails_with("local s = ('a'):rep(2000) return s:find('^a*a*a*a*b')", "pattern is too costly");
  fails_with("local s = ('a'):rep(30) return s:find(('a?'):rep(30) .. ('a'):rep(30))", "pattern is too costly");
  fails_with("return (('('):rep(60000)):find('%b()')", "pattern is too costly");
  fails_with("return (('a'):rep(30000)):find('[' .. ('b'):rep(60000) .. ']')", "pattern is too costly");
  fails_with("return (('a'):rep(60000)):find('%f[' .. ('b'):rep(60000) .. ']')", "pattern is too costly");
  fails_with("return (('a'):rep(60000)):find(('a'):rep(30000) .. 'b')", "pattern is too costly");
  fails_with("return (('a'):rep(60000)):find('(a*)%1b')", "pattern is too costly");
  ends_with_budget("local s, p = ('a'):rep(60000), ('a'):rep(30000) .. 'b' while true do s:find(p, 1, true) end");
  ends_with_budget("local s = ('a'):rep(300) while true do s:find('.-b') end");
  ends_with_budget("local s = ('('):rep(3000) while true do s:find('%b()') end");
  ends_with_budget("local s = ('a'):rep(60000) while true do s:gsub('^b', '') end");
  ends_with_budget("local s = ('a'):rep(1000) while true do s:gsub('a', function() end) end");
  ends_with_budget("local s = ('a'):rep(60000) while true do s:gmatch('b')() end");
  works("local s = ('a'):rep(60000) return s:find('*-*-*-', 1, true) == nil");
  works("return ('a,b,,c'):gsub(',', ';') == 'a;b;;c' and ('k = v'):match('^(%w+) = (%w+)$') == 'k'");
  works("local n = 0 for w in ('one two  three'):gmatch('%a+') do n = n + #w end return n == 11");
  works("return (('x '):rep(2000) .. '{name}'):gsub('{(%a[%w_]*)}', 'y'):sub(-1) == 'y'");
  works("return ('f(a(b)c)'):match('%b()') == '(a(b)c)' and ('[]x]'):match('[]x]+') == ']x]' and ('THE (quick)'):find('%f[%a]%a+%f[%A]') == 1");
}

// A replacement is gone through once for every match.
static void replacements_end(void) {
  fails_with("return string.gsub(('a'):rep(65535), '(x?)', ('%1'):rep(32000))", "replacement is too costly");
  fails_with("return (('a'):rep(65535)):gsub('()', ('%1'):rep(32000))", "replacement is too costly");
  fails_with("return (('a'):rep(65535)):gsub('x?', ('%0'):rep(32000), 60000)", "replacement is too costly");
  ends_with_budget("local s, to = ('a'):rep(1000), ('%0'):rep(1000) while true do s:gsub('x?', to) end");
  ends_with_budget("local s, to = ('a'):rep(60000), ('%1'):rep(10) while true do s:gsub('(x?)', to) end");
  works("local s, to = ('a'):rep(60000), ('%0'):rep(30000) return s:gsub('x?', to, 1) == s and s:gsub('^x?', to) == s");
  works("return ('abc'):gsub('b', '[%0%%]') == 'a[b%]c' and ('abc'):gsub('%a', 7, 2) == '77c' and ('abc'):gsub('b', 'x', -1) == 'abc'");
  works("local s = ('a'):rep(1000):gsub('a', 'some ten bytes and %0') return #s == 20000");
  fails_with("return ('a'):gsub('a', nil)", "string/function/table expected");
  fails_with("return ('a'):gsub('a', 'b', {})", "bad argument #3 to 'gsub' (number expected");
  fails_with("return ('a'):gsub('a', '%2')", "invalid capture index");
}

// A text is gone through to its end wherever a number is wanted.
static void texts_as_numbers_end(void) {
  static const char sort[] = "local t = {} for i = 1, 5000 do t[i] = zeros end table.sort(t, math.ult)";
  static const char call[] = "local t = {} for i = 1, 400 do t[i] = zeros end\n"
      "local function f(...) while true do %s(...) end end f(table.unpack(t))";
  static const char *const functions[] = {"math.max", "math.min", "utf8.char"};
  for (int i = -1; i < LS_COUNT(functions); i++) {
    char *body = i < 0 ? ls_strdup(sort) : ls_format(call, functions[i]);
    char *text = ls_format("local zeros = ('0'):rep(60000) .. '1' %s", body);
    fails_with(text, "used up its instructions");
    free(text);
    free(body);
  }
}

static void tables_end(void) {
  ends_with_budget("local t = {} for i = 1, 10000 do t[i] = i end while true do table.insert(t, 1, 0) table.remove(t, 1) end");
  ends_with_budget("local t = {} for i = 1, 100000 do t[i] = -i end while true do table.sort(t) end");
  ends_with_budget("local s, t = ('x'):rep(60000), {} for i = 1, 20000 do t[i] = s end table.sort(t)");
  ends_with_budget("local t = {} for i = 1, 100000 do t[i] = i end while true do table.sort(t, rawequal) end");
  ends_with_budget("local t = {} for i = 1, 100000 do t[i] = i end table.sort(t, function() while true do end end)");
  ends_with_budget("local t = {} for i = 1, 100000 do t[i] = '' end while true do table.concat(t) end");
  ends_with_budget("return table.concat({}, '', 1, math.maxinteger)");
  fails_with("return table.concat({}, '', 1, 2)", "invalid value");
  ends_with_budget("local t = {} for i = 1, 1 << 20 do t[i] = 0 end for i = 1, #t do t[i] = nil end while true do next(t) end");
  ends_with_budget("local t = {} for i = 1, 1 << 20 do t[i] = 0 end for i = 1, #t do t[i] = nil end while true do for _ in pairs(t) do end end");
  ends_with_budget("local t = {} for i = 0, 62 do t[1 << i] = i end local n = 0 while true do n = n + #t end");
  ends_with_budget("while true do table.pack(1, 2, 3) end");
  works("local t = {} for i = 1, 20000 do table.insert(t, i) end for i = 1, 20000 do table.remove(t) end return #t == 0");
}

// Numbers that share one slot of a table twice as large as theirs: to double it is quadratic, and one instruction.
static void colliding_keys_end(void) {
  ends_with_budget("local tables = {} for k = 1, 50 do tables[k] = {} for j = 1, 1 << 14 do tables[k][j * ((1 << 15) - 1)] = 0 end end\n"
                   "for k = 1, 50 do tables[k][0] = 0 end while true do end");
  fails_with("local t = {} for j = 1, 1 << 20 do t[j * ((1 << 20) - 1)] = 0 end", "32768 names");
}

static void memory_is_capped(void) {
  fails_with("local s = 'x' while true do s = s .. s end", "more than 64 KB");
  fails_with("local t = {} for i = 1, 5000 do t[i] = 'twenty bytes of text' end return table.concat(t)", "more than 64 KB");
  fails_with("local t = {} for i = 1, 1e9 do t[i] = i end", "memory");
  fails_with("local t = {} for i = 1, 1e9 do t[i] = { i } end", "memory");
  fails_with("local s, t = ('x'):rep(1000), {} for i = 1, 1e9 do t[i] = s .. i end", "memory");
  works("local s = ('x'):rep(1000) return not pcall(function() local t = {} for i = 1, 1e9 do t[i] = s .. i end end)");
  fails_with("local function f() return 1 + f() end f()", "too deeply");
  fails_with("coroutine.wrap(function() local s = 'x' while true do s = s .. s end end)()", "more than 64 KB");
  ends_with_budget("local t, n = {}, 0 while true do pcall(function() while true do n = n + 1 t[n] = { n } end end) end");
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

// The parser is not stopped by the budget, so a file is only so long.
static void files_are_short(void) {
  static char text[(1 << 17) + 22] = "local a return a";
  size_t at = strlen(text);
  for (; at + 5 < sizeof text; at += 5) memcpy(text + at, " or a", 5);
  CHECK(at > 1 << 17 && strstr(outcome(text, NULL), "larger than") != NULL);
  text[1 << 16] = 0;
  works(text);
}

static void library_errors_have_places(void) {
  LsErr err;
  CHECK_STR(outcome("local x = 1\nreturn ('x'):rep({})", &err), "bad argument #1 to 'rep' (number expected, got table)");
  CHECK_INT(err.line, 2);
  outcome("\n\nlocal s = 'x' while true do s = s .. s end", &err);
  CHECK_INT(err.line, 3);
  outcome("local w = coroutine.wrap(function()\nwhile true do end\nend)\nwhile true do pcall(w) end", &err);
  CHECK_INT(err.line, 2);
}

// Once spent, the budget stays spent, whatever catches the error.
static void spent_is_for_good(void) {
  LsErr err = {0};
  Script *script = script_new(folder, &err);
  static const char caught[] = "after = 0\n"
      "local function spend() while true do end end\n"
      "local w = coroutine.wrap(function() pcall(coroutine.yield) pcall(spend) after = after + 1 end) w()\n"
      "pcall(pcall, coroutine.resume, coroutine.create(function() pcall(w) after = after + 1 end)) after = after + 1";
  CHECK(!script_run(script, 100000, run_text, (void *)caught, &err));
  CHECK(script_run(script, BUDGET, run_text, "return after == 0", &err));
  script_free(script);
}

static int charge_much(lua_State *L) {
  script_charge(L, INT64_MAX);
  return 0;
}

static void charge_many_times(lua_State *L, void *context) {
  Script *script = context;
  for (int i = 0; i < 9; i++) {
    lua_pushcfunction(L, charge_much);
    CHECK(lua_pcall(L, 0, 0, 0) != LUA_OK);
    CHECK(script->budget < 0);
    lua_pop(L, 1);
  }
}

// The numbers do not wrap around.
static void charges_do_not_overflow(void) {
  LsErr err = {0};
  Script *script = script_new(folder, &err);
  script_run(script, BUDGET, charge_many_times, script, &err);
  CHECK(script_run(script, BUDGET, run_text, "return true", &err));
  script_free(script);
}

static const Check checks[] = {
    {"globals are listed", globals_are_listed},
    {"loops end", loops_end},
    {"calls and errors end", calls_and_errors_end},
    {"coroutines end", coroutines_end},
    {"nothing runs behind the budget", nothing_runs_behind_the_budget},
    {"texts end", texts_end},
    {"many values end", many_values_end},
    {"patterns end", patterns_end},
    {"replacements end", replacements_end},
    {"texts as numbers end", texts_as_numbers_end},
    {"tables end", tables_end},
    {"colliding keys end", colliding_keys_end},
    {"memory is capped", memory_is_capped},
    {"errors have places", errors_have_places},
    {"errors of the library have places", library_errors_have_places},
    {"files are short", files_are_short},
    {"spent is for good", spent_is_for_good},
    {"charges do not overflow", charges_do_not_overflow},
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
