// program_what_if.c: one change of the model after the other, those that mean something to the program.
#include "model/program_what_if.h"

#include <stdlib.h>

#include "base/mem.h"

typedef struct Asking {
  const HostProgram *program; const ProgramModel *model; const ArchProfile *arch; const ProgramCost *costs;
  ProgramWhatIf *out; int count;
} Asking;

double program_model_span(const HostProgram *program, const ProgramModel *model, const ArchProfile *arch,
                          const ProgramCost *costs) {
  ProgramVariant variant;
  program_variant_init(&variant, program, model);
  ProgramTime *times = program_times_new(program);
  bool ok = program_model_time(&variant, model, arch, costs, times, NULL);
  double span = ok ? program_time_end(&variant.program, times) : -1;
  free(times);
  program_variant_fini(&variant);
  return span;
}

static void ask(Asking *a, const char *words, ProgramModelId id, double value) {
  ProgramModel changed = *a->model;
  changed.value[id] = value;
  if (a->model->value[id] == value || a->count == PROGRAM_WHAT_IFS) return;
  double span = program_model_span(a->program, &changed, a->arch, a->costs);
  if (span >= 0) a->out[a->count++] = (ProgramWhatIf){id, value, words, span};
}

// What of the program a change could matter to.
typedef struct Uses { bool streams, walls, pageable, pinned; } Uses;

static void use_copy(const HostProgram *program, const ProgramModel *model, const ProgramStep *s, Uses *uses) {
  if (s->kind != PROGRAM_COPY || s->direction > PROGRAM_D2H) return;
  ProgramHost host = program->buffers[s->direction == PROGRAM_H2D ? s->from : s->buffer].host;
  double memory = model->value[PROGRAM_MODEL_MEMORY];
  bool pageable = memory > 0 ? memory > 1 : host == PROGRAM_PAGEABLE;
  uses->pageable |= pageable;
  uses->pinned |= !pageable;
}

static Uses uses_of(const HostProgram *program, const ProgramModel *model) {
  Uses uses = {0};
  int first = 0;
  bool by_default = false;
  for (int i = 0; i < program->step_count; i++) {
    const ProgramStep *s = &program->steps[i];
    if (!program_is_on_device(s)) continue;
    by_default |= s->stream == 0;
    if (s->stream > 0 && first > 0 && s->stream != first) uses.streams = true;
    if (s->stream > 0 && !first) first = s->stream;
    use_copy(program, model, s, &uses);
  }
  uses.walls = by_default && first > 0;
  return uses;
}

int program_what_ifs(const HostProgram *program, const ProgramModel *model, const ArchProfile *arch,
                     const ProgramCost *costs, ProgramWhatIf out[PROGRAM_WHAT_IFS]) {
  Asking a = {program, model, arch, costs, out, 0};
  const double *v = model->value;
  if (program_all_steps(program) > PROGRAM_WHAT_IF_STEPS) return 0;
  Uses uses = uses_of(program, model);
  if (uses.streams) ask(&a, "one stream", PROGRAM_MODEL_STREAMS, 1);
  if (uses.pageable) ask(&a, "pinned memory", PROGRAM_MODEL_MEMORY, 1);
  if (uses.pinned) ask(&a, "pageable memory", PROGRAM_MODEL_MEMORY, 2);
  if (uses.pinned) ask(&a, "link twice as fast", PROGRAM_MODEL_LINK, 2 * v[PROGRAM_MODEL_LINK]);
  if (uses.walls) ask(&a, "default stream per thread", PROGRAM_MODEL_DEFAULT, 1);
  if (uses.pageable || uses.pinned) ask(&a, "one copy engine", PROGRAM_MODEL_ENGINES, 1);
  ask(&a, "kernels twice as fast", PROGRAM_MODEL_KERNEL, v[PROGRAM_MODEL_KERNEL] / 2);
  ask(&a, "launches for nothing", PROGRAM_MODEL_LAUNCH, 0);
  if (program->child_count) ask(&a, "children for nothing", PROGRAM_MODEL_CHILD, 0);
  return a.count;
}
