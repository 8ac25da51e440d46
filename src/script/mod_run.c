// mod_run.c: handles on runs.
#include "script/mod_run.h"

#include <string.h>

#include "app/run/program_run.h"
#include "model/model.h"
#include "script/mod_buffer.h"

enum { QUERY_CHARGE = 20 };        // what asking a run costs at least

typedef struct Handle {
  Run *run;
  int index;
  unsigned epoch;                  // 0: lasting
  int64_t step;                    // of the event that was asked for last; -1: none
  int line;                        // the same of a line of the source; 0
} Handle;

static const char metatable_key[] = "lanescope.run";

static Handle *check_handle(lua_State *L, int index) {
  Handle *handle = luaL_checkudata(L, index, metatable_key);
  if (handle->epoch && handle->epoch != script_of(L)->epoch)
    luaL_error(L, "this run is over: look at it inside of the function that got it");
  return handle;
}

static Run *check_run(lua_State *L) {
  script_charge(L, QUERY_CHARGE);
  return check_handle(L, 1)->run;
}

int mod_run_index(lua_State *L, int index) { return check_handle(L, index)->index; }

void mod_run_push_counters(lua_State *L, const CounterSet *set) {
  lua_createtable(L, 0, COUNTER_COUNT);
  for (int id = 0; id < COUNTER_COUNT; id++) {
    lua_pushinteger(L, (lua_Integer)set->value[id]);
    lua_setfield(L, -2, counter_def((CounterId)id)->name);
  }
  run_facts_strict(L);
}

// ---- methods ------------------------------------------------------------------------------------------------------

// run:line(n) or run:line("text"): counters of a source line
static int l_line(lua_State *L) {
  Run *run = check_run(L);
  CounterSet set = {{0}};
  int line = check_handle(L, 1)->line = run_query_line(L, 2, run);
  counters_line(run->counters, run_query_file(run), line, &set);
  mod_run_push_counters(L, &set);
  return 1;
}

// run:where("text"): number of the first source line with it
static int l_where(lua_State *L) {
  luaL_checkstring(L, 2);
  lua_pushinteger(L, run_query_line(L, 2, check_run(L)));
  return 1;
}

static uint64_t find_step(lua_State *L, Run *run) {
  RunQuery query;
  uint64_t step = 0;
  int64_t count;
  run_query_read(L, 2, run, &query);
  if (!run_query_find(L, run, &query, &step, &count))
    luaL_error(L, "the run has no such event (number %I of %I)", (LUAI_UACINT)query.nth, (LUAI_UACINT)count);
  check_handle(L, 1)->step = (int64_t)step;
  return step;
}

// run:find{...}: step of an event
static int l_find(lua_State *L) {
  lua_pushinteger(L, (lua_Integer)find_step(L, check_run(L)));
  return 1;
}

// run:event{...}: its facts
static int l_event(lua_State *L) {
  Run *run = check_run(L);
  run_facts_push(L, run, find_step(L, run));
  return 1;
}

// run:looked_at(): the step of the event that was asked for last, or nil; and the line, or nil
static int l_looked_at(lua_State *L) {
  const Handle *handle = check_handle(L, 1);
  if (handle->step < 0) lua_pushnil(L);
  else lua_pushinteger(L, (lua_Integer)handle->step);
  if (!handle->line) lua_pushnil(L);
  else lua_pushinteger(L, handle->line);
  return 2;
}

// run:event_at(step): the facts of the event at a step
static int l_event_at(lua_State *L) {
  Run *run = check_run(L);
  lua_Integer step = luaL_checkinteger(L, 2);
  if (step < 0 || !run->trace || (uint64_t)step >= trace_steps(run->trace)) luaL_error(L, "the run has no such step");
  run_facts_push(L, run, (uint64_t)step);
  return 1;
}

// run:count{...}: how many there are
static int l_count(lua_State *L) {
  Run *run = check_run(L);
  RunQuery query;
  uint64_t step;
  int64_t count;
  run_query_read(L, 2, run, &query);
  query.nth = INT64_MAX;
  run_query_find(L, run, &query, &step, &count);
  lua_pushinteger(L, count);
  return 1;
}

static int find_arg(lua_State *L, const Run *run) {
  const char *name = luaL_checkstring(L, 2);
  const Launch *launch = &run->info.launch;
  for (int i = 0; i < launch->arg_count; i++)
    if (launch->args[i].is_buffer && launch->args[i].name && strcmp(launch->args[i].name, name) == 0) return i;
  return luaL_error(L, "the launch has no buffer '%s'", name);
}

// run:output("name"): the buffer after the run
static int l_output(lua_State *L) {
  Handle *handle = check_handle(L, 1);
  const Run *run = handle->run;
  int arg = find_arg(L, run);
  uint64_t size = 0;
  const uint8_t *bytes = run->device_run ? run->device->buffer(run->device_run, arg, &size) : NULL;
  if (!bytes) return luaL_error(L, "the run left no buffer '%s'", lua_tostring(L, 2));
  const LaunchArg *buffer = &run->info.launch.args[arg];
  mod_buffer_push(L, buffer->name, buffer->type, bytes, size / (uint64_t)launch_type_size(buffer->type),
                  handle->epoch == 0);
  return 1;
}

// run:result("name"): the buffer after the whole program, as its check sees it
static int l_result(lua_State *L) {
  Handle *handle = check_handle(L, 1);
  run_facts_result(L, check_run(L), luaL_checkstring(L, 2), handle->epoch == 0);
  return 1;
}

// run:before(step) or run:before(step, true): the step before it in its block, or nil; true: of its own warp
static int l_before(lua_State *L) {
  Run *run = check_run(L);
  uint64_t before = run_step_before(L, run, (uint64_t)luaL_checkinteger(L, 2), lua_toboolean(L, 3));
  if (before == UINT64_MAX) lua_pushnil(L);
  else lua_pushinteger(L, (lua_Integer)before);
  return 1;
}

// run:text(line): that line of the source
static int l_text(lua_State *L) {
  Run *run = check_run(L);
  run_push_line(L, run, run_query_line(L, 2, run));
  return 1;
}

// run:value({ event }, "name", lane): a variable after that event, in a lane of its warp
static int l_value(lua_State *L) {
  Run *run = check_run(L);
  const char *name = luaL_checkstring(L, 3);
  int lane = (int)luaL_checkinteger(L, 4);
  uint64_t step = lua_isinteger(L, 2) ? (uint64_t)lua_tointeger(L, 2) : find_step(L, run);
  TraceEvent event;
  LsErr err = {0};
  if (!run->trace || !trace_event(run->trace, step, &event, &err)) luaL_error(L, "the run has no such step");
  run_push_value(L, run, name, step, event.warp, lane);
  return 1;
}

static const luaL_Reg methods[] = {
    {"line", l_line}, {"where", l_where}, {"find", l_find}, {"event", l_event}, {"event_at", l_event_at}, {"looked_at", l_looked_at},
    {"count", l_count}, {"output", l_output}, {"result", l_result}, {"before", l_before},
    {"text", l_text}, {"value", l_value}, {NULL, NULL}};

// ---- fields -------------------------------------------------------------------------------------------------------

static void field_counters(lua_State *L, Run *run) { mod_run_push_counters(L, counters_total(run->counters)); }

static void field_parameters(lua_State *L, Run *run) {
  const Recipe *recipe = run->request.recipe;
  lua_newtable(L);
  for (int i = 0; recipe && i < recipe->param_count; i++) {
    const RecipeParam *param = &recipe->params[i];
    int64_t number = run->request.values.value[i];
    if (param->choice_count) {
      const char *word = param->choices[number];
      if (param->is_text || !ls_parse_i64(word, &number)) lua_pushstring(L, word);
      else lua_pushinteger(L, number);
    } else {
      lua_pushinteger(L, number);
    }
    lua_setfield(L, -2, param->name);
  }
  run_facts_strict(L);
}

static void field_faults(lua_State *L, Run *run) {
  lua_createtable(L, run->fault_count, 0);
  for (int i = 0; i < run->fault_count; i++) {
    const TraceFault *fault = run_fault_row(run, i);
    int file, line = 0;
    lua_createtable(L, 0, 5);
    lua_pushstring(L, trace_grade_name(trace_fault_grade(fault)));
    lua_setfield(L, -2, "grade");
    lua_pushstring(L, trace_fault_name((FaultKind)fault->kind));
    lua_setfield(L, -2, "kind");
    lua_pushstring(L, fault->message ? fault->message : "");
    lua_setfield(L, -2, "message");
    lua_pushinteger(L, run->module && ptx_line_inner(run->module, fault->pc, &file, &line) ? line : 0);
    lua_setfield(L, -2, "line");
    lua_pushinteger(L, (lua_Integer)fault->count);
    lua_setfield(L, -2, "count");
    run_facts_strict(L);
    lua_rawseti(L, -2, i + 1);
  }
}

static void set_words(lua_State *L, const char *name, const char *words) {
  lua_pushstring(L, words ? words : "");
  lua_setfield(L, -2, name);
}

// Worst first; those of the launch as a whole have the line 0.
static void field_findings(lua_State *L, Run *run) {
  const Findings *all = run_findings(run);
  lua_createtable(L, all ? all->count : 0, 0);
  for (int i = 0; all && i < all->count; i++) {
    const Finding *finding = &all->items[i];
    lua_createtable(L, 0, 6);
    set_words(L, "kind", finding_def(finding->kind)->id);
    set_words(L, "message", finding->message);
    set_words(L, "cause", finding->cause);
    set_words(L, "cure", finding->cure);
    lua_pushinteger(L, finding->line);
    lua_setfield(L, -2, "line");
    lua_pushnumber(L, finding->share);
    lua_setfield(L, -2, "share");
    run_facts_strict(L);
    lua_rawseti(L, -2, i + 1);
  }
}

// Of a launch of a program it is the program whose result is checked.
static void field_verdict(lua_State *L, Run *run) {
  static const char *const names[] = {"unchecked", "right", "wrong"};
  lua_pushstring(L, names[run->whole ? run->whole->verdict : run->verdict]);
}

static void field_verdict_text(lua_State *L, Run *run) {
  const char *words = run->whole ? run->whole->verdict_text : run->verdict_text;
  lua_pushstring(L, words ? words : "");
}

static void field_steps(lua_State *L, Run *run) {
  lua_pushinteger(L, run->trace ? (lua_Integer)trace_steps(run->trace) : 0);
}

static void field_kernel(lua_State *L, Run *run) { lua_pushstring(L, run->request.what ? run->request.what : ""); }

static void push_dim(lua_State *L, const uint32_t dim[3]) {
  lua_createtable(L, 3, 0);
  for (int i = 0; i < 3; i++) {
    lua_pushinteger(L, dim[i]);
    lua_rawseti(L, -2, i + 1);
  }
}

static void field_grid(lua_State *L, Run *run) { push_dim(L, run->info.launch.grid); }
static void field_block(lua_State *L, Run *run) { push_dim(L, run->info.launch.block); }
static void field_blocks(lua_State *L, Run *run) { lua_pushinteger(L, (lua_Integer)launch_blocks(&run->info.launch)); }
static void field_threads(lua_State *L, Run *run) { lua_pushinteger(L, launch_threads(&run->info.launch)); }
static void field_warps(lua_State *L, Run *run) { lua_pushinteger(L, (launch_threads(&run->info.launch) + 31) / 32); }

static const struct { const char *name; void (*push)(lua_State *L, Run *run); } fields[] = {
    {"counters", field_counters}, {"parameters", field_parameters}, {"faults", field_faults},
    {"findings", field_findings},
    {"verdict", field_verdict},   {"verdict_text", field_verdict_text}, {"steps", field_steps},
    {"kernel", field_kernel},     {"grid", field_grid},             {"block", field_block},
    {"blocks", field_blocks},     {"threads", field_threads},       {"warps", field_warps},
    {"prints", run_facts_prints}, {"launches", run_facts_launches}, {"span", run_facts_span},
        {"between", run_facts_between},
    {"time", run_facts_time},     {"registers", run_facts_registers}, {"occupancy", run_facts_occupancy},
    {"waves", run_facts_waves},   {"measured", run_facts_measured},
    {"source", run_facts_source},
};

static int l_index(lua_State *L) {
  Run *run = check_run(L);
  const char *name = luaL_checkstring(L, 2);
  for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
    if (strcmp(fields[i].name, name) == 0) {
      fields[i].push(L, run);
      return 1;
    }
  for (const luaL_Reg *method = methods; method->name; method++)
    if (strcmp(method->name, name) == 0) {
      lua_pushcfunction(L, method->func);
      return 1;
    }
  return luaL_error(L, "a run has no '%s'", name);
}

static int l_name(lua_State *L) {
  lua_pushfstring(L, "run of %s", check_run(L)->request.what);
  return 1;
}

void mod_run_push(lua_State *L, Run *run, int index, bool lasting) {
  Handle *handle = lua_newuserdatauv(L, sizeof *handle, 0);
  *handle = (Handle){.run = run, .index = index, .epoch = lasting ? 0 : script_of(L)->epoch, .step = -1};
  luaL_setmetatable(L, metatable_key);
}

void mod_run_open(lua_State *L) {
  static const luaL_Reg metamethods[] = {{"__index", l_index}, {"__tostring", l_name}, {NULL, NULL}};
  luaL_newmetatable(L, metatable_key);
  luaL_setfuncs(L, metamethods, 0);
  lua_pushboolean(L, 0);
  lua_setfield(L, -2, "__metatable");
  lua_pop(L, 1);
}
