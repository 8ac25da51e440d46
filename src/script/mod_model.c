// mod_model.c: what a model gives, as a Lua table.
#include "script/mod_model.h"

#include <math.h>

#include "app/models/models.h"
#include "model/arch.h"
#include "script/mod_run.h"

enum { MODEL_CHARGE = 5000 };            // what asking a model costs

const Model *mod_model_read(lua_State *L, const char *name, int list, const char *what, ModelValues *values) {
  LsErr err = {0};
  const Model *model = model_find(name, &err);
  if (!model) luaL_error(L, "%s: %s", what, err.message);
  model_defaults(model, values);
  int count = lua_istable(L, list) ? (int)lua_rawlen(L, list) : 0;
  for (int i = 1; i <= count; i++) {
    lua_rawgeti(L, list, i);
    if (!model_set(model, values, luaL_checkstring(L, -1), &err)) luaL_error(L, "%s: %s", what, err.message);
    lua_pop(L, 1);
  }
  return model;
}

static void push_fact(lua_State *L, const ModelFact *fact) {
  lua_Integer whole;
  if (fact->is_text) lua_pushstring(L, fact->text);
  else if (isnan(fact->number)) lua_pushboolean(L, 0);
  else if (lua_numbertointeger(fact->number, &whole) && (lua_Number)whole == fact->number) lua_pushinteger(L, whole);
  else lua_pushnumber(L, fact->number);
}

void mod_model_push(lua_State *L, const Model *model, const ModelValues *values) {
  ModelFacts facts = {0};
  LsText words = {0};
  model->facts(values, &facts);
  model->words(values, &words);
  lua_createtable(L, 0, facts.count + 2);
  for (int i = 0; i < facts.count; i++) {
    push_fact(L, &facts.list[i]);
    lua_setfield(L, -2, facts.list[i].name);
  }
  lua_pushstring(L, ls_text_str(&words));
  ls_text_free(&words);
  lua_setfield(L, -2, "words");
  lua_pushstring(L, model->recipe.name);
  lua_setfield(L, -2, "model");
  run_facts_strict(L);
}

static int l_model_facts(lua_State *L) {
  ModelValues values;
  script_charge(L, MODEL_CHARGE);
  const Model *model = mod_model_read(L, luaL_checkstring(L, 1), 2, "model", &values);
  mod_model_push(L, model, &values);
  return 1;
}

// device_facts("g80"): what its multiprocessor holds, by the names of lanescope devices --json, and three more
static int l_device_facts(lua_State *L) {
  const ArchProfile *a = arch_find(luaL_checkstring(L, 1));
  if (!a) return luaL_error(L, "there is no device profile '%s'", lua_tostring(L, 1));
  const struct { const char *name; int value; } rows[] = {
      {"sms", a->sm_count}, {"warps_per_sm", a->warps_per_sm}, {"blocks_per_sm", a->blocks_per_sm},
      {"threads_per_block", a->threads_per_block}, {"registers_per_sm", a->regs_per_sm},
      {"registers_per_thread", a->regs_per_thread}, {"shared_per_sm", a->shared_per_sm},
      {"shared_per_block", a->shared_per_block}, {"banks", a->banks}, {"schedulers", a->schedulers}};
  lua_createtable(L, 0, LS_COUNT(rows) + 2);
  for (int i = 0; i < LS_COUNT(rows); i++) {
    lua_pushinteger(L, rows[i].value);
    lua_setfield(L, -2, rows[i].name);
  }
  lua_pushnumber(L, a->bandwidth_gbs);
  lua_setfield(L, -2, "bandwidth");
  lua_pushnumber(L, a->fp32_tflops);
  lua_setfield(L, -2, "fp32_tflops");
  run_facts_strict(L);
  return 1;
}

void mod_model_open(lua_State *L) {
  lua_register(L, "model_facts", l_model_facts);
  lua_register(L, "device_facts", l_device_facts);
}
