// run_value.c: what a lesson asks of one moment of a run: a variable of a lane, the step before, a line of the source.
#include "script/mod_run.h"

#include <stdio.h>
#include <string.h>

#include "app/session/session.h"
#include "script/fields.h"

enum { VALUE_CHARGE = 20000 };     // a block is executed again up to the step

// ---- the step before -----------------------------------------------------------------------------------------------

uint64_t run_step_before(lua_State *L, const Run *run, uint64_t step, bool same_warp) {
  TraceEvent event;
  TraceQuery query;
  LsErr err = {0};
  uint64_t found;
  if (!run->trace || !trace_event(run->trace, step, &event, &err)) luaL_error(L, "the run was not recorded so far");
  trace_query_init(&query);
  query.block = event.block;
  query.warp = same_warp ? event.warp : -1;
  return trace_find(run->trace, step, -1, &query, &found, &err) ? found : UINT64_MAX;
}

// ---- a line of the source ------------------------------------------------------------------------------------------

void run_push_line(lua_State *L, const Run *run, int line) {
  int file = run_query_file(run);
  const char *text = file >= 0 && file < run->info.source_count ? run->info.sources[file].text : NULL;
  const char *at = text ? ls_line_at(text, line) : NULL;
  if (!at) luaL_error(L, "the source has no line %d", line);
  at += strspn(at, " \t");
  lua_pushlstring(L, at, strcspn(at, "\n"));
}

// ---- a variable ----------------------------------------------------------------------------------------------------

static void push_bits(lua_State *L, const SceneVar *var, uint64_t bits) {
  float single;
  double number;
  if (var->kind == PTX_DW_FLOAT && var->size == sizeof single) {
    memcpy(&single, &bits, sizeof single);
    lua_pushnumber(L, single);
  } else if (var->kind == PTX_DW_FLOAT && var->size == sizeof number) {
    memcpy(&number, &bits, sizeof number);
    lua_pushnumber(L, number);
  } else if (var->kind == PTX_DW_INT && var->size < sizeof bits) {
    int shift = 64 - 8 * var->size;
    lua_pushinteger(L, (int64_t)(bits << shift) >> shift);
  } else {
    lua_pushinteger(L, (lua_Integer)bits);
  }
}

// A copy of the variable, so that the session is gone before Lua may raise an error.
static bool find_variable(Session *session, const char *name, int lane, SceneVar *found, char *why, size_t room) {
  const Scene *scene = ses_scene(session);
  if (scene && !scene->values_known) return snprintf(why, room, "%s", scene->why_not), false;
  for (int i = 0; scene && i < scene->var_count; i++) {
    const SceneVar *var = &scene->vars[i];
    if (strcmp(var->name, name) != 0 || !var->in_scope) continue;
    *found = *var;
    if (var->valid >> lane & 1) return true;
    return snprintf(why, room, "'%s' has no value yet in lane %d", name, lane), false;
  }
  return snprintf(why, room, "there is no variable '%s' here", name), false;
}

void run_push_value(lua_State *L, Run *run, const char *name, uint64_t step, int warp, int lane) {
  char why[256] = "";
  SceneVar var = {0};
  script_charge(L, VALUE_CHARGE);
  if (lane < 0 || lane > 31) luaL_error(L, "there is no lane %d", lane);
  Session *session = ses_new(run_share(run));
  ses_command(session, &(Command){.id = CMD_GOTO, .arg = (int64_t)step});
  ses_command(session, &(Command){.id = CMD_SET_WARP, .arg = warp});
  bool ok = find_variable(session, name, lane, &var, why, sizeof why);
  ses_free(session);
  if (!ok) luaL_error(L, "%s", why);
  push_bits(L, &var, var.bits[lane]);
}
