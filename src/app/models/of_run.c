// of_run.c: which models take their values from a run, and what those have that are about its launch.
#include "app/models/of_run.h"

#include <stdio.h>
#include <string.h>

#include "app/models/of_run_parts.h"
#include "base/mem.h"

// ---- the launch ----------------------------------------------------------------------------------------------------

static bool occupancy_of_run(const Model *model, Run *run, int64_t step, ModelValues *values, LsErr *err) {
  (void)step;
  return of_run_profile(model, run, values, err) &&
         of_run_number(model, values, "threads", (int64_t)launch_threads(&run->info.launch), err) &&
         of_run_number(model, values, "shared", of_run_shared(run), err) &&
         of_run_number(model, values, "registers", of_run_registers(run), err);
}

static bool waves_of_run(const Model *model, Run *run, int64_t step, ModelValues *values, LsErr *err) {
  const ArchProfile *arch = run_profile(run);
  Occupancy occupancy;
  (void)step;
  of_run_occupancy(run, &occupancy);
  if (!arch || !occupancy.blocks)
    return ls_fail(err, LS_EREQUEST, "no SM of this device has room for a block of this run");
  return of_run_number(model, values, "sms", arch->sm_count, err) &&
         of_run_number(model, values, "per_sm", occupancy.blocks, err) &&
         of_run_number(model, values, "blocks", (int64_t)launch_blocks(&run->info.launch), err);
}

// ---- the table -----------------------------------------------------------------------------------------------------

typedef struct Row {
  const char *model;
  bool (*take)(const Model *model, Run *run, int64_t step, ModelValues *values, LsErr *err);
} Row;

static const Row rows[] = {
    {"occupancy", occupancy_of_run}, {"latency", of_run_latency}, {"waves", waves_of_run},
    {"roofline", of_run_roofline},   {"spaces", of_run_spaces},
};

static const Row *row_of(const Model *model) {
  for (int i = 0; i < LS_COUNT(rows); i++)
    if (strcmp(rows[i].model, model->recipe.name) == 0) return &rows[i];
  return NULL;
}

void model_of_run_begin(const Model *model, ModelValues *values) {
  model_defaults(model, values);
  if (strcmp(model->recipe.name, "roofline") == 0) values->script[0] = 0;
}

bool model_takes_run(const Model *model) { return row_of(model) != NULL; }

static bool takes_nothing(const Model *model, LsErr *err) {
  char list[160] = "";
  for (int i = 0; i < LS_COUNT(rows); i++) {
    size_t used = strlen(list);
    snprintf(list + used, sizeof list - used, "%s%s", i ? ", " : "", rows[i].model);
  }
  return ls_fail(err, LS_EREQUEST, "%s takes nothing from a run; these do: %s", model->recipe.name, list);
}

bool model_of_run(const Model *model, Run *run, int64_t step, ModelValues *values, LsErr *err) {
  const Row *row = row_of(model);
  return row ? row->take(model, run, step, values, err) : takes_nothing(model, err);
}
