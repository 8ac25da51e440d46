// run_program.c: what a lesson can ask of a run besides its events: prints, launches of a program, what a GPU measured.
#include "script/mod_run.h"

#include "app/run/program_run.h"
#include "app/run/timing.h"
#include "script/mod_buffer.h"

enum { NS_PER_US = 1000, PERCENT = 100, LAUNCH_CHARGE = 100 };

static void set_integer(lua_State *L, const char *name, lua_Integer value) {
  lua_pushinteger(L, value);
  lua_setfield(L, -2, name);
}

static void set_number(lua_State *L, const char *name, double value) {
  lua_pushnumber(L, value);
  lua_setfield(L, -2, name);
}

static void set_text(lua_State *L, const char *name, const char *value) {
  lua_pushstring(L, value);
  lua_setfield(L, -2, name);
}

static void set_dim(lua_State *L, const char *name, const uint32_t dim[3]) {
  lua_createtable(L, 3, 0);
  for (int i = 0; i < 3; i++) {
    lua_pushinteger(L, dim[i]);
    lua_rawseti(L, -2, i + 1);
  }
  lua_setfield(L, -2, name);
}

// ---- printf --------------------------------------------------------------------------------------------------------

void run_facts_prints(lua_State *L, Run *run) {
  int count;
  const TracePrint *prints = run_prints(run, &count);
  lua_createtable(L, count, 0);
  for (int i = 0; i < count; i++) {
    script_charge(L, LAUNCH_CHARGE);
    lua_createtable(L, 0, 3);
    set_text(L, "text", prints[i].text);
    set_integer(L, "block", prints[i].block);
    set_integer(L, "thread", prints[i].thread);
    run_facts_strict(L);
    lua_rawseti(L, -2, i + 1);
  }
}

// ---- programs ------------------------------------------------------------------------------------------------------

static const ProgramRun *program_of(lua_State *L, const Run *run) {
  if (!run->whole) luaL_error(L, "%s is one launch, not a program", run->request.what);
  return run->whole;
}

static void push_launch(lua_State *L, const ProgramRun *whole, int number) {
  const ProgramLaunch *launch = &whole->launches[number];
  const ProgramStep *step = &whole->program.steps[launch->step];
  lua_createtable(L, 0, 10);
  set_text(L, "kernel", step->kernel);
  set_text(L, "stream", whole->program.streams[step->stream].name);
  set_dim(L, "grid", step->grid);
  set_dim(L, "block", step->block);
  set_integer(L, "number", number + 1);
  set_integer(L, "faults", launch->fault_count);
  set_integer(L, "children", launch->child_count);
  mod_run_push_counters(L, &launch->counters);
  lua_setfield(L, -2, "counters");
  if (whole->times) {
    set_number(L, "start", whole->times[launch->step].runs / NS_PER_US);
    set_number(L, "finish", whole->times[launch->step].end / NS_PER_US);
  }
  run_facts_strict(L);
}

void run_facts_launches(lua_State *L, Run *run) {
  const ProgramRun *whole = program_of(L, run);
  lua_createtable(L, whole->launch_count, 0);
  for (int i = 0; i < whole->launch_count; i++) {
    script_charge(L, LAUNCH_CHARGE);
    push_launch(L, whole, i);
    lua_rawseti(L, -2, i + 1);
  }
}

void run_facts_between(lua_State *L, Run *run) {
  const ProgramRun *whole = program_of(L, run);
  lua_createtable(L, whole->fault_count, 0);
  for (int i = 0; i < whole->fault_count; i++) {
    const ProgramFault *fault = &whole->faults[i];
    script_charge(L, LAUNCH_CHARGE);
    lua_createtable(L, 0, 3);
    set_text(L, "kind", program_fault_def(fault->kind)->name);
    set_text(L, "message", fault->message);
    set_integer(L, "step", fault->step + 1);
    run_facts_strict(L);
    lua_rawseti(L, -2, i + 1);
  }
}

void run_facts_result(lua_State *L, Run *run, const char *name, bool lasting) {
  const ProgramRun *whole = program_of(L, run);
  int buffer = program_buffer(&whole->program, name);
  if (buffer < 0) luaL_error(L, "the program has no buffer '%s'", name);
  uint64_t size = 0;
  const uint8_t *bytes = program_run_buffer(whole, buffer, &size);
  if (!bytes) luaL_error(L, "the program left no buffer '%s'", name);
  const LaunchArg *contents = &whole->program.buffers[buffer].contents;
  mod_buffer_push(L, contents->name, contents->type, bytes, size / (uint64_t)launch_type_size(contents->type), lasting);
}

void run_facts_span(lua_State *L, Run *run) {
  const ProgramRun *whole = program_of(L, run);
  if (!whole->times) luaL_error(L, "a fault stopped %s: it has no times", run->request.what);
  lua_pushnumber(L, program_time_end(&whole->program, whole->times) / NS_PER_US);
}

// ---- what a GPU measured -------------------------------------------------------------------------------------------

static const TraceMeasure *measure_of(lua_State *L, const Run *run) {
  const TraceMeasure *measure = run_measure(run);
  if (!measure)
    luaL_error(L, "no GPU made this run of %s: measure { device = \"recorded\" } takes one that a GPU made",
               run->request.what);
  return measure;
}

void run_facts_measured(lua_State *L, Run *run) { lua_pushboolean(L, run_measure(run) != NULL); }

void run_facts_time(lua_State *L, Run *run) {
  const TraceMeasure *measure = measure_of(L, run);
  if (!measure->median_ns) luaL_error(L, "the recording of %s was not timed", run->request.what);
  lua_pushnumber(L, (double)measure->median_ns / NS_PER_US);
}

void run_facts_registers(lua_State *L, Run *run) { lua_pushinteger(L, measure_of(L, run)->registers); }

void run_facts_occupancy(lua_State *L, Run *run) {
  Timing timing;
  measure_of(L, run);
  timing_of(run, &timing);
  if (!timing.has_occupancy) luaL_error(L, "the occupancy of %s is not known", run->request.what);
  lua_pushnumber(L, PERCENT * timing.occupancy.fraction);
}

void run_facts_waves(lua_State *L, Run *run) {
  WaveChart chart;
  measure_of(L, run);
  run_wave_chart(run, 0, &chart);
  double waves = chart.waves;
  wavechart_free(&chart);
  lua_pushnumber(L, waves);
}
