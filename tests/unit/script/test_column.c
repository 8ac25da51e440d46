// test_column.c: formulas over whole buffers come to what Lua's own loops come to, also at the edges of numbers.
#include <math.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "check.h"
#include "script/mod_buffer.h"
#include "script/state.h"

enum { BUDGET = 20000000, FEW = 7, MANY = 1000 };

static char folder[256], path[300];   // of the script that runs

static const int64_t integers[] = {0, 1, -1, 2, 3, -3, 7, -8, 62, 63, 64, -64, 1000, INT32_MAX, INT32_MIN, INT64_MAX, INT64_MIN,
                                   INT64_MIN + 1, 0x5555555555555555};
static const double floats[] = {0.0, -0.0, 1, -1, 0.5, -2.5, 3, 1e-310, -1e-310, 1e308, -1e308, 16777217, 0.1, INFINITY, -INFINITY,
                                NAN, 9007199254740993.0};
static const float singles[FEW] = {0.0f, -0.0f, 1.5f, -2.5f, INFINITY, NAN, 1e-40f};
static const uint16_t halves[FEW] = {0x0000, 0x8000, 0x3c00, 0xc100, 0x7c00, 0x7e00, 0x0001};
static const uint8_t bytes[FEW] = {0, 1, 2, 127, 128, 254, 255};
static int32_t steps[MANY];           // 0 to 999
static float rising[MANY];            // 0.5, 1.5, ...

static void give(lua_State *L, const char *name, LaunchType type, const void *from, uint64_t count) {
  mod_buffer_push(L, name, type, from, count, false);
  lua_setglobal(L, name);
}

// The library of these tests: what a column comes to, as a buffer.
static const char library[] =
    "local function numbers(column, n) return all.sum(column, each.index(n), n) end\n"
    "local function same(a, b) return math.type(a) == math.type(b) and (a == b or a ~= a and b ~= b) end\n"
    // f of columns is f of their elements, for all pairs of a list
    "local function alike(what, list, f)\n"
    "  local n = #list\n"
    "  local i = each.index()\n"
    "  local got = numbers(f(each.at(list, i // n), each.at(list, i % n)), n * n)\n"
    "  for k = 0, n * n - 1 do\n"
    "    local want = f(list[k // n], list[k % n])\n"
    "    if not same(got[k], want) then\n"
    "      error(what .. ' of ' .. list[k // n] .. ' and ' .. list[k % n] .. ' is ' .. got[k] .. ', and ' .. want .. ' in Lua')\n"
    "    end\n"
    "  end\n"
    "end\n";

static void body(lua_State *L, void *context) {
  give(L, "integers", LAUNCH_I64, integers, LS_COUNT(integers));
  give(L, "floats", LAUNCH_F64, floats, LS_COUNT(floats));
  give(L, "singles", LAUNCH_F32, singles, FEW);
  give(L, "halves", LAUNCH_F16, halves, FEW);
  give(L, "bytes", LAUNCH_U8, bytes, FEW);
  give(L, "signs", LAUNCH_I8, bytes, FEW);
  give(L, "steps", LAUNCH_I32, steps, MANY);
  give(L, "rising", LAUNCH_F32, rising, MANY);
  give(L, "none", LAUNCH_F32, NULL, 0);
  char *text = ls_format("%s%s", library, (const char *)context);
  bool written = ls_file_write(path, text, strlen(text), NULL);
  free(text);
  if (!written) luaL_error(L, "%s cannot be written", path);
  script_push_file(L, "test.lua");
  if (!lua_isnil(L, -1) && !lua_toboolean(L, -1)) luaL_error(L, "the script returned false");
}

// The message of a text that fails; "" if it does not.
static const char *outcome(const char *text) {
  static LsErr err;
  err = (LsErr){0};
  Script *script = script_new(folder, &err);
  bool ok = script && script_run(script, BUDGET, body, (void *)(uintptr_t)text, &err);
  script_free(script);
  CHECK(ok == (err.kind == LS_OK));
  return err.message;
}

static void works(const char *text) { CHECK_STR(outcome(text), ""); }
static void fails(const char *text, const char *message) { CHECK_STR(outcome(text), message); }

// ---- element by element --------------------------------------------------------------------------------------------

static void operators_are_luas(void) {
  works("local both = { add = function(a, b) return a + b end, sub = function(a, b) return a - b end,\n"
        "  mul = function(a, b) return a * b end, div = function(a, b) return a / b end, neg = function(a) return -a end,\n"
        "  scaled = function(a) return 3 * a - 1 end, halved = function(a) return a / 2 end,\n"
        "  mixed = function(a, b) return a * 0.5 + b end, eighth = function(a) return a // 8 end,\n"
        "  low = function(a) return a % 16 end, third = function(a) return a // 3 end, rest = function(a) return a % -3 end,\n"
        "  over = function(a) return a // -1 end, under = function(a) return a % -1 end,\n"
        "  square = function(a) return a ^ 2 end, power = function(a, b) return a ^ b end }\n"
        "for what, f in pairs(both) do alike(what, integers, f) alike(what, floats, f) alike(what, bytes, f) end\n"
        "local bits = { band = function(a, b) return a & b end, bor = function(a, b) return a | b end,\n"
        "  bxor = function(a, b) return a ~ b end, bnot = function(a) return ~a end,\n"
        "  shl = function(a, b) return a << b end, shr = function(a, b) return a >> b end }\n"
        "for what, f in pairs(bits) do alike(what, integers, f) end\n"
        "local rounds = { mod = function(a, b) return a % b end, idiv = function(a, b) return a // b end }\n"
        "for what, f in pairs(rounds) do alike(what, floats, f) end");
}

static void integers_divide_as_luas(void) {
  works("local n, i = #integers, each.index()\n"
        "local a, b = each.at(integers, i // n), each.at(integers, i % n)\n"
        "local none = each.equal(b, 0)\n"
        "local whole, rest = numbers(each.pick(none, 0, a // b), n * n), numbers(each.pick(none, 0, a % b), n * n)\n"
        "for k = 0, n * n - 1 do\n"
        "  local x, y = integers[k // n], integers[k % n]\n"
        "  assert(y == 0 or whole[k] == x // y and rest[k] == x % y, x .. ' and ' .. y)\n"
        "end");
  fails("numbers(steps // steps, #steps)", "element 0 would be divided by 0");
  fails("numbers(7 % (steps - 5), #steps)", "element 5 would be divided by 0");
}

static void functions_are_as_in_lua(void) {
  works("local plain = { max = math.max, min = math.min }\n"
        "for name, f in pairs(plain) do\n"
        "  local function both(a, b) return (type(a) == 'number' and f or each[name])(a, b) end\n"
        "  alike(name, integers, both)\n"
        "  alike(name, floats, both)\n"
        "end\n"
        "local function truth(holds) return holds and 1 or 0 end\n"
        "local function less(a, b) return type(a) == 'number' and truth(a < b) or type(a) ~= 'number' and each.less(a, b) end\n"
        "local function equal(a, b) return type(a) == 'number' and truth(a == b) or type(a) ~= 'number' and each.equal(a, b) end\n"
        "local function abs(a) return (type(a) == 'number' and math.abs or each.abs)(a) end\n"
        "local function root(a) return (type(a) == 'number' and math.sqrt or each.sqrt)(a) end\n"
        "for _, list in ipairs { integers, floats } do\n"
        "  alike('less', list, less) alike('equal', list, equal) alike('abs', list, abs) alike('sqrt', list, root)\n"
        "  alike('f32', list, f32)\n"
        "end");
}

static void zeros_keep_their_sign(void) {
  works("local one_over = all.max(1 / -floats, each.index(2), 2, -math.huge)\n"
        "return one_over[0] == -math.huge and one_over[1] == math.huge");
}

static void types_are_read(void) {
  works("for _, buffer in ipairs { integers, floats, singles, halves, bytes, signs, steps } do\n"
        "  local got = numbers(buffer, #buffer)\n"
        "  for i = 0, #buffer - 1 do assert(same(got[i], buffer[i]), tostring(buffer) .. ' ' .. i) end\n"
        "end");
}

static void places_are_looked_up(void) {
  works("local i = each.index()\n"
        "assert(expect(steps, each.at(steps, 999 - (999 - i))))\n"
        "assert(expect(steps, each.pick(each.less(0, i), each.at(steps, i - 1) + 1, 0)))\n"
        "local right, message = expect(steps, each.at(rising, i))\n"
        "return not right and message == 'steps[0] is 0, expected 0.5'");
  fails("expect(steps, each.at(bytes, each.index()))", "bytes[7] does not exist: the buffer has elements 0 to 6");
  fails("expect(steps, bytes)", "bytes[7] does not exist: the buffer has elements 0 to 6");
  fails("expect(steps, 2 * each.at(steps, each.index() - 3))", "steps[-3] does not exist: the buffer has elements 0 to 999");
  fails("expect(steps, each.at(none, 0))", "none[0] does not exist: the buffer is empty");
  fails("expect(steps, each.index(600))", "element 600 does not exist: the column has 600");
  works("return expect(bytes, each.pick(each.less(each.index(), 3), each.index(3), bytes))");
  fails("expect(steps, each.at(steps, 0.5))", "each.at needs whole numbers as places");
}

static void products_are_of_matrices(void) {
  works("local inner, width = 10, 100\n"    // 100 rows
        "local got = numbers(each.product(rising, rising, inner, width), 100 * width)\n"
        "for _, at in ipairs { 0, 99, 100, 4242, 9999 } do\n"
        "  local row, col, sum = at // width, at % width, 0.0\n"
        "  for k = 0, inner - 1 do sum = sum + rising[row * inner + k] * rising[k * width + col] end\n"
        "  assert(got[at] == sum)\n"
        "end");
  works("return expect(singles, each.product(singles, singles, 1, 1), { every = 100 })");   // 0 x 0
  fails("expect(steps, each.product(rising, rising, 100, 11))",
        "each.product: rising has 1000 elements, fewer than 100 rows of 11");
  fails("expect(steps, each.product(singles, singles, 7, 1))", "the product has no element 1: it has 1");
  fails("each.product(steps, rising, 1, 1)", "bad argument #1 to 'product' (must be of floats)");
}

// ---- all together --------------------------------------------------------------------------------------------------

static void folds_go_over_all(void) {
  works("local sum, most, least = 0.0, rising[0], rising[0]\n"
        "for i = 0, #rising - 1 do sum = sum + rising[i] most = math.max(most, rising[i]) least = math.min(least, rising[i]) end\n"
        "assert(all.sum(rising) == sum and all.max(rising) == most and all.min(rising) == least)\n"
        "assert(math.type(all.sum(steps)) == 'integer' and all.sum(steps) == 499500 and all.max(-steps) == 0)\n"
        "assert(all.sum(none) == 0.0 and all.sum(each.index(300)) == 44850 and all.sum(integers) == all.sum(-(-integers)))\n"
        "return all.max(floats) == math.huge and all.sum(floats) ~= all.sum(floats)");
  fails("all.max(none)", "all.max of no elements");
  works("local single, double = 0.1, 0.1\n"
        "for i = 0, 999 do single, double = f32(single + rising[i] / 7), double + rising[i] / 7 end\n"
        "local part = rising / 7\n"
        "assert(all.add_up(part, 0.1, 'f32') == single)\n"
        "local halves = each.index(300) * 0 + 0.5\n"   // of which a float of 2^24 takes none
        "assert(all.add_up(halves, 16777216, 'f32') == 16777216.0 and all.add_up(halves, 16777216) == 16777366.0)\n"
        "assert(all.add_up(part, 0.1) == double and all.add_up(part, 0.1, 'f64') == double)\n"
        "local first = all.add_up(each.at(rising, each.index(100)) / 7, 0.1)\n"
        "local rest = all.add_up(each.at(rising, each.index(900) + 100) / 7, first)\n"
        "return rest == double and all.add_up(none, 3) == 3.0 and all.add_up(steps, 0.5) == 499500.5");
  fails("all.add_up(each.index(), 0)", "all.add_up: this has no end: take a buffer, or each.index(n)");
  fails("all.add_up(steps)", "bad argument #2 to 'add_up' (number expected, got no value)");
  fails("all.add_up(steps, 0, 'i32')", "bad argument #3 to 'add_up' (invalid option 'i32')");
  fails("all.sum(1)", "all.sum: this has no end: take a buffer, or each.index(n)");
}

static void groups_are_folded_apart(void) {
  works("local i = each.index()\n"
        "local sums, most = all.sum(rising, i % 7, 7), all.max(steps, i // 10 % 3, 4, -5)\n"
        "local want = 0.0\n"
        "for k = 3, #rising - 1, 7 do want = want + rising[k] end\n"
        "assert(#sums == 7 and sums[3] == want)\n"
        "assert(#most == 4 and most[0] == 999 and most[1] == 979 and most[2] == 989)\n"
        "assert(most[3] == -5)\n"
        "local counts = all.count(bytes % 2, 3)\n"
        "return counts[0] == 4 and counts[1] == 3 and counts[2] == 0");
  fails("all.count(bytes, 255)", "all.count: element 6 is of group 255, and there are 255");
  fails("all.sum(steps, steps - 1, 10)", "all.sum: element 0 is of group -1, and there are 10");
  fails("all.count(rising, 3)", "all.count: the groups must be whole numbers");
  fails("all.count(bytes, 0)", "bad argument #2 to 'count' (must be at least 1 group)");
  fails("all.count(bytes, 1 << 40)", "count: 1099511627776 numbers are more than a script has room for");
}

static void sorting_is_by_value(void) {
  works("local got = all.sorted(-steps)\n"
        "for i = 0, 999 do assert(got[i] == i - 999) end\n"
        "local last = all.sorted(floats)\n"
        "assert(last[0] == -math.huge and last[15] == math.huge and last[16] ~= last[16])\n"
        "return #all.sorted(none) == 0 and all.sorted(integers)[0] == math.mininteger");
}

// ---- expect --------------------------------------------------------------------------------------------------------

static void expectations_tell_the_first(void) {
  static const char *const cases[][2] = {
      {"steps, each.index()", "right"},
      {"steps, each.pick(each.equal(each.index(), 700), -1, each.index())", "steps[700] is 700, expected -1"},
      {"steps, 0", "steps[1] is 1, expected 0"},
      {"rising, each.index() + 0.5", "right"},
      {"rising, each.index() + 0.5 + 1e-9, { abs = 1e-8 }", "right"},
      {"rising, each.index() + 0.5 + 1e-7, { abs = 1e-8 }", "rising[0] is 0.5, expected 0.5000001"},
      {"rising, each.index() * 1.001 + 0.5, { rel = 1e-3 }", "right"},
      {"singles, singles", "right"},                                  // what is no number equals itself, and -0 is 0
      {"singles, each.pick(each.equal(each.index(), 5), 0, singles)", "singles[5] is "},
      {"singles, each.abs(singles), { every = 3 }", "singles[3] is -2.5, expected 2.5"},
      {"steps, each.pick(each.less(each.index(), 500), each.index(), 1), { every = 300 }", "steps[600] is 600, expected 1"},
      {"steps, 0, { every = 1 << 62 }", "right"},
      {"none, 5", "right"},
      {"integers, integers + each.pick(each.equal(each.index(), 4), each.at(floats, 13), 0)", "integers[4] is 3, expected inf"},
      {"bytes, signs", "bytes[4] is 128, expected -128"},
  };
  for (int i = 0; i < LS_COUNT(cases); i++) {
    char *text = ls_format("local right, message = expect(%s)\nerror(right and 'right' or message, 0)", cases[i][0]);
    const char *got = outcome(text);
    CHECK(strncmp(got, cases[i][1], strlen(cases[i][1])) == 0);
    if (strncmp(got, cases[i][1], strlen(cases[i][1])) != 0) printf("\n%s\n  -> %s\n", cases[i][0], got);
    free(text);
  }
}

// A column and a function say the same of the same difference.
static void messages_are_those_of_functions(void) {
  works("for _, at in ipairs { 0, 1, 255, 256, 999 } do\n"
        "  local i = each.index()\n"
        "  local _, one = expect(rising, each.pick(each.equal(i, at), -7.25, rising))\n"
        "  local _, other = expect(rising, function(k) return k == at and -7.25 or rising[k] end)\n"
        "  assert(one == other and one:find('^rising%[' .. at .. '%] is '), one)\n"
        "end");
}

static void what_cannot_be_is_refused(void) {
  fails("return steps & rising", "__band needs whole numbers");
  fails("return steps + 'x'", "a number, a buffer or a column was expected, not a string");
  fails("return (steps + 1)[0]", "a column has no elements to look at: give it to expect or to a function of `all`");
  fails("expect(steps, 'x')", "bad argument #2 to 'expect' (function, number, buffer or column expected, got string)");
  fails("local x = steps for _ = 1, 5000 do x = x + 1 end", "this formula has more than 1024 steps one after the other");
  fails("each.index(-1)", "bad argument #1 to 'index' (must not be negative)");
  works("return getmetatable(steps + 1) == false and tostring(steps + 1) == 'column'");
}

// A loop without an end over columns uses up the budget like any other.
static void budget_holds(void) {
  CHECK(strstr(outcome("while true do all.sum(steps) end"), "this takes too long") != NULL);
  CHECK(strstr(outcome("local x = steps for _ = 1, 1000 do x = x + 1 end while true do all.sum(x) end"), "this takes too long") != NULL);
  CHECK(strstr(outcome("all.sum(each.index(1 << 50))"), "this takes too long") != NULL);
}

// ---- lives ---------------------------------------------------------------------------------------------------------

static void keep_body(lua_State *L, void *context) {
  (void)context;
  give(L, "steps", LAUNCH_I32, steps, MANY);
  if (luaL_dostring(L, "kept = steps + 1")) lua_error(L);
}

static void use_body(lua_State *L, void *context) {
  (void)context;
  if (luaL_dostring(L, "return all.sum(kept * 2)")) lua_error(L);
}

static void columns_end_with_their_run(void) {
  LsErr err = {0};
  Script *script = script_new(folder, &err);
  CHECK(script_run(script, BUDGET, keep_body, NULL, &err));
  CHECK(!script_run(script, BUDGET, use_body, NULL, &err));
  CHECK(strstr(err.message, "a column belongs to a run that is over") != NULL);
  script_free(script);
}

// What a column is made of lives as long as it does.
static void operands_are_kept(void) {
  works("local sums = {}\n"
        "for k = 1, 50 do sums[k] = all.sum(steps, each.index(#steps) % 10, 10) + each.at(all.sorted(steps), each.index(10)) end\n"
        "local junk = {} for k = 1, 20000 do junk[k % 100] = { k } end\n"
        "for k = 1, 50 do assert(all.sum(sums[k]) == 499500 + 45) end");
}

int main(int argc, char **argv) {
  static const Check checks[] = {
      {"operators are Lua's", operators_are_luas},
      {"integers divide as Lua's", integers_divide_as_luas},
      {"functions are as in Lua", functions_are_as_in_lua},
      {"zeros keep their sign", zeros_keep_their_sign},
      {"types are read", types_are_read},
      {"places are looked up", places_are_looked_up},
      {"products are of matrices", products_are_of_matrices},
      {"folds go over all", folds_go_over_all},
      {"groups are folded apart", groups_are_folded_apart},
      {"sorting is by value", sorting_is_by_value},
      {"expectations tell the first difference", expectations_tell_the_first},
      {"messages are those of functions", messages_are_those_of_functions},
      {"what cannot be is refused", what_cannot_be_is_refused},
      {"the budget holds", budget_holds},
      {"columns end with their run", columns_end_with_their_run},
      {"operands are kept", operands_are_kept},
  };
  if (!check_folder(folder, sizeof folder)) return 99;
  snprintf(path, sizeof path, "%s/test.lua", folder);
  for (int i = 0; i < MANY; i++) steps[i] = i, rising[i] = (float)i + 0.5f;
  int status = check_main("column", checks, LS_COUNT(checks), argc, argv);
  unlink(path);
  rmdir(folder);
  return status;
}
