// program_measure.c: asks the device for the times of a whole program, and compares what it leaves.
#include "app/run/program_measure.h"

#include <stdlib.h>
#include <string.h>

#include "app/run/program_memory.h"
#include "app/run/run_parts.h"
#include "launch/program_args.h"

typedef struct Measuring { ProgramRun *run; RunProgress *progress; } Measuring;

// ---- what the device asks for --------------------------------------------------------------------------------------

static bool on_host(void *context, int step, const DevHost *device, LsErr *err) {
  const ProgramRun *run = ((Measuring *)context)->run;
  const Recipe *recipe = run->request.recipe;
  RecipeHost host = {.program = &run->program, .bytes = device->bytes, .context = device->context};
  return recipe->host(recipe, &run->request.values, step, &host, err);
}

static void on_stage(void *context, int stage) {
  run_set_stage(((Measuring *)context)->progress, dev_stage_name((DevStage)stage));
}

static void on_note(void *context, const char *line) {
  RunProgress *progress = ((Measuring *)context)->progress;
  if (progress) run_take_note(progress, line);
}

// ---- what it leaves ------------------------------------------------------------------------------------------------

static void compare(ProgramRun *run, int buffer, bool on_host, const uint8_t *one_by_one, const uint8_t *whole) {
  uint64_t size = program_buffer_bytes(&run->program.buffers[buffer]);
  for (uint64_t i = 0; i < size; i++) {
    if (one_by_one[i] == whole[i]) continue;
    if (!run->differing_bytes++) run->differs = (ProgramDifference){.buffer = buffer, .on_host = on_host, .byte = i};
  }
}

// From here on the memory of the run is what the whole program left.
static void take_memory(ProgramRun *run, const DevProgramRun *whole) {
  ProgramMemory *memory = run->memory;
  for (int i = 0; i < run->program.buffer_count; i++) {
    size_t size = (size_t)program_buffer_bytes(&run->program.buffers[i]);
    compare(run, i, false, memory->device[i].bytes, whole->device[i]);
    memcpy(memory->device[i].bytes, whole->device[i], size);
    if (!whole->host[i] || !memory->host[i].bytes) continue;
    compare(run, i, true, memory->host[i].bytes, whole->host[i]);
    memcpy(memory->host[i].bytes, whole->host[i], size);
  }
}

void program_differing_words(const ProgramRun *run, LsText *out) {
  const ProgramDifference *d = &run->differs;
  if (!run->differing_bytes) return;
  const LaunchArg *buffer = &run->program.buffers[d->buffer].contents;
  unsigned long long element = d->byte / (uint64_t)launch_type_size(buffer->type);
  ls_text_addf(out, "%llu byte%s of what the whole program leaves differ from what its launches left one by one, ",
               (unsigned long long)run->differing_bytes, run->differing_bytes == 1 ? "" : "s");
  ls_text_addf(out, "first %s[%llu]%s: it depends on the order of blocks or streams, or is an address", buffer->name,
               element, d->on_host ? " on the host" : "");
}

// ---- the whole -----------------------------------------------------------------------------------------------------

static bool run_whole(ProgramRun *run, const Launch *variables, RunProgress *progress, LsErr *err) {
  Measuring measuring = {run, progress};
  DevProgram program = {.module = run->module, .program = &run->program, .variables = variables,
                        .connection = run->connection, .runner = run_request_runner(&run->request),
                        .time_limit = run->request.time_limit,
                        .cancel = progress ? &progress->cancel : NULL, .host = on_host, .stage = on_stage,
                            .note = on_note,
                        .context = &measuring};
  LsErr why = {0};
  dev_program_run_init(&run->whole, &run->program);
  bool ok = run->device->run_program(&program, &run->whole, &why);
  if (ok) {
    take_memory(run, &run->whole);
    run->times = program_times_new(&run->program);
    memcpy(run->times, run->whole.times, sizeof *run->times * (size_t)run->program.step_count);
    program_time_explain(&run->program, run->rules, run->times, NULL);
    return run->is_measured = true;
  }
  if (why.kind == LS_EUNSUPPORTED) {
    run->measure_note = ls_strdup(why.message);
    return true;
  }
  if (err) *err = why;
  return false;
}

bool program_measure(ProgramRun *run, RunProgress *progress, LsErr *err) {
  Launch variables;
  if (!run->device->run_program || run->stopped) return true;
  launch_init(&variables);
  bool ok = program_bind(&run->program, run->module, err) &&
            program_memory_variables(&run->program, run->module, &variables, err) &&
                run_whole(run, &variables, progress, err);
  launch_fini(&variables);
  return ok;
}
