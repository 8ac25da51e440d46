// models.h: the table of models (models.def), by name and in order.
#ifndef LS_APP_MODELS_H
#define LS_APP_MODELS_H

#include "app/models/model.h"

const Model *model_at(int index);                            // NULL past the end
const Model *model_named(const char *name);                  // NULL: there is none
const Model *model_find(const char *name, LsErr *err);       // the same; the message lists those there are

#endif
