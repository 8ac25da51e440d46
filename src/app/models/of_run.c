// of_run.c: which models take their values from a run, and what they have of its launch.
#include "app/models/of_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/models/of_run_parts.h"
#include "app/models/models.h"
#include "app/run/recordings.h"
#include "app/run/registers.h"
#include "app/run/timing.h"
#include "base/mem.h"
#include "model/occ.h"

// ---- setting values ------------------------------------------------------------------------------------------------

bool of_run_number(const Model *model, ModelValues *values, const char *name, int64_t number, LsErr *err) {
  char text[64];
  for (int i = 0; i < model->recipe.param_count; i++) {
    const RecipeParam *param = &model->recipe.params[i];
    if (strcmp(param->name, name) == 0 && !param->choice_count) number = LS_CLAMP(number, param->min, param->max);
  }
  snprintf(text, sizeof text, "%s=%lld", name, (long long)number);
  return model_set(model, values, text, err);
}

bool of_run_word(const Model *model, ModelValues *values, const char *name, const char *word, LsErr *err) {
  LsText text = {0};
  ls_text_addf(&text, "%s=%s", name, word);
  bool ok = model_set(model, values, ls_text_str(&text), err);
  ls_text_free(&text);
  return ok;
}

// The run's device, where it has a row of its own.
bool of_run_profile(const Model *model, Run *run, ModelValues *values, LsErr *err) {
  const ArchProfile *arch = run_profile(run);
  return !arch || !arch_find(arch->name) || of_run_word(model, values, "profile", arch->name, err);
}

// ---- the launch ----------------------------------------------------------------------------------------------------

// A recording of the same kernel with the same parameters. NULL: there is none. Caller frees.
Run *of_run_recording(const Run *run) {
  if (!run->request.recipe) return NULL;
  char *path = recording_find(&run->request, NULL);
  Run *recorded = path ? run_open(path, NULL) : NULL;
  free(path);
  return recorded;
}

// Registers of a thread: as measured, as a recording has them, as the assembler says; 0: nobody knows.
static int registers_of(const Run *run) {
  const TraceMeasure *m = run_measure(run);
  if (m && m->registers) return (int)m->registers;
  Run *recorded = of_run_recording(run);
  const TraceMeasure *other = recorded ? run_measure(recorded) : NULL;
  int count = other ? (int)other->registers : 0;
  run_free(recorded);
  if (count) return count;
  Registers *registers = registers_ask(run);
  count = registers_count(registers);
  registers_free(registers);
  return count;
}

static int shared_of(const Run *run) { return (int)LS_MIN(run_shared_bytes(run), INT32_MAX); }

void of_run_occupancy(const Run *run, Occupancy *out) {
  const ArchProfile *arch = run_profile(run);
  *out = (Occupancy){0};
  if (arch) occ_compute(arch, (int)launch_threads(&run->info.launch), registers_of(run), shared_of(run), out);
}

static bool occupancy_of_run(const Model *model, Run *run, int64_t step, ModelValues *values, LsErr *err) {
  (void)step;
  return of_run_profile(model, run, values, err) &&
         of_run_number(model, values, "threads", (int64_t)launch_threads(&run->info.launch), err) &&
         of_run_number(model, values, "shared", shared_of(run), err) &&
         of_run_number(model, values, "registers", registers_of(run), err);
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
