// program.c: what comes of a program that was run and timed.
#include "device/program.h"

#include <stdlib.h>

#include "base/mem.h"

void dev_program_run_init(DevProgramRun *run, const HostProgram *program) {
  size_t buffers = (size_t)program->buffer_count + 1;
  *run = (DevProgramRun){.buffer_count = program->buffer_count, .step_count = program->step_count};
  run->times = ls_alloc(sizeof *run->times * (size_t)program->step_count);
  run->device = ls_alloc(sizeof *run->device * buffers);
  run->host = ls_alloc(sizeof *run->host * buffers);
}

void dev_program_run_fini(DevProgramRun *run) {
  for (int i = 0; i < run->buffer_count; i++) {
    free(run->device[i]);
    free(run->host[i]);
  }
  free(run->device);
  free(run->host);
  free(run->times);
  free(run->device_name);
  free(run->driver);
  free(run->date);
  *run = (DevProgramRun){0};
}
