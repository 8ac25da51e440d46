// mod_run.h: a run as a lesson sees it: counters, lines, events, faults, buffers. lessons/README.md is its manual.
#ifndef LS_SCRIPT_MOD_RUN_H
#define LS_SCRIPT_MOD_RUN_H

#include "app/run/run.h"
#include "script/state.h"

void mod_run_open(lua_State *L);
// index: the run's number in its lesson, so that a handle can be given back; -1 if it has none. A lasting run lives as
// long as the state, any other one for the call in which it is pushed.
void mod_run_push(lua_State *L, Run *run, int index, bool lasting);
// The run's number, of a handle at a stack index.
int mod_run_index(lua_State *L, int index);

void mod_run_push_counters(lua_State *L, const CounterSet *set);

// run_facts.c: pushes a table with all that is known of the event at a step.
void run_facts_push(lua_State *L, Run *run, uint64_t step);
// A table whose missing fields raise an error that names them: for facts, where a typing error must not become nil.
void run_facts_strict(lua_State *L);

// run_value.c. The step before one in its block, by its warp or by any; UINT64_MAX: there is none.
uint64_t run_step_before(lua_State *L, const Run *run, uint64_t step, bool same_warp);
void run_push_line(lua_State *L, const Run *run, int line);   // a line of the source without its indent
// A variable of the source in a lane, after a step.
void run_push_value(lua_State *L, Run *run, const char *name, uint64_t step, int warp, int lane);

// run_source.c: the lines of the kernel's source: a list.
void run_facts_source(lua_State *L, Run *run);

// run_program.c: what a run has besides its events, each pushed as one value. An error if this run does not have it.
void run_facts_prints(lua_State *L, Run *run);       // what its threads printed: a list
void run_facts_launches(lua_State *L, Run *run);     // of a program
// A buffer of a program after its last step: the host's side if a step brought something there, else the device's.
void run_facts_result(lua_State *L, Run *run, const char *name, bool lasting);
void run_facts_span(lua_State *L, Run *run);         // of a program: microseconds from its first step to its last
void run_facts_between(lua_State *L, Run *run);      // what is wrong between its steps: a list
// Of a run that a GPU made.
void run_facts_measured(lua_State *L, Run *run);     // true or false: whether it has what follows
void run_facts_time(lua_State *L, Run *run);         // microseconds
void run_facts_registers(lua_State *L, Run *run);
void run_facts_occupancy(lua_State *L, Run *run);    // percent
void run_facts_waves(lua_State *L, Run *run);

// run_query.c: which event a table such as { line = "out[lane]", kind = "load", nth = 2, warp = 0 } means.
typedef struct RunQuery {
  TraceQuery trace;
  uint8_t *pcs;                // owned by Lua: a userdata kept on the stack
  int space;                   // TraceSpace; -1: any but parameters
  int64_t nth;                 // from 1
} RunQuery;
// Reads the table at a stack index; leaves one value on the stack, which keeps the query alive.
void run_query_read(lua_State *L, int index, const Run *run, RunQuery *query);
// The nth event, from the first step on. False if there are not so many; *count is how many were met.
bool run_query_find(lua_State *L, const Run *run, const RunQuery *query, uint64_t *step, int64_t *count);
// A line of the kernel's source: a number, or the first line with a text in it.
int run_query_line(lua_State *L, int index, const Run *run);
int run_query_file(const Run *run);   // of the kernel, as an index into the module's files; -1

#endif
