// of_run_parts.c: what of a run several models want: its device, registers, shared memory, a recording of it.
#include "app/models/of_run_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/run/recordings.h"
#include "app/run/registers.h"
#include "app/run/timing.h"
#include "base/mem.h"

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
int of_run_registers(const Run *run) {
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

int of_run_shared(const Run *run) { return (int)LS_MIN(run_shared_bytes(run), INT32_MAX); }

void of_run_occupancy(const Run *run, Occupancy *out) {
  const ArchProfile *arch = run_profile(run);
  *out = (Occupancy){0};
  if (arch) occ_compute(arch, (int)launch_threads(&run->info.launch), of_run_registers(run), of_run_shared(run), out);
}
