// mod_model.h: models in lessons: their numbers and words as a table.
#ifndef LS_SCRIPT_MOD_MODEL_H
#define LS_SCRIPT_MOD_MODEL_H

#include "app/models/model.h"
#include "script/state.h"

void mod_model_open(lua_State *L);       // the function model_facts(name, { "threads=256", ... })
// Pushes what a model gives: numbers by name (one that does not exist is false), `words`, `model`.
void mod_model_push(lua_State *L, const Model *model, const ModelValues *values);
// The model of a name, at its defaults with the assignments in a list (nil: none); raises an error.
const Model *mod_model_read(lua_State *L, const char *name, int list, const char *what, ModelValues *values);

#endif
