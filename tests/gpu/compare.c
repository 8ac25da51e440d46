// compare.c: runs the programs of a batch on the emulator and on the GPU, compares byte by byte and saves what differs.
#include "compare.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/file.h"
#include "base/mem.h"
#include "code.h"

enum { MOST_VALUES = 4 };

// The program alone, so that it can be run again: header, then its own text.
static void save(const Comparison *c, const Batch *batch, const Program *program) {
  char path[512];
  LsText text = {0};
  LsErr err = {0};
  snprintf(path, sizeof path, "%s/differs-%s.ptx", c->folder, program->entry);
  ls_text_addf(&text, "// %s\n", program->name);
  ls_text_addn(&text, ls_text_str(&batch->ptx), batch->header);
  ls_text_addn(&text, ls_text_str(&batch->ptx) + program->begin, program->end - program->begin);
  if (ls_file_write(path, text.data, text.length, &err)) printf("  PTX: %s\n", path);
  else printf("  %s\n", err.message);
  ls_text_free(&text);
}

static void failed(Comparison *c, const Batch *batch, const Program *program, const LsErr *err, Tally *tally) {
  tally->differed++;
  if (c->told++ >= c->most_told) return;
  printf("%s: %s\n", program->name, err->message);
  save(c, batch, program);
}

// ---- one program ---------------------------------------------------------------------------------------------------

typedef struct Answer { const Buffers *before, *emulator, *gpu; } Answer;

static int element_size(const Program *program, int arg) { return launch_type_size(program->launch.args[arg].type); }

static uint64_t element(const Buffers *buffers, int arg, int size, uint64_t index) {
  uint64_t value = 0;
  memcpy(&value, buffers->bytes[arg] + index * (uint64_t)size, (size_t)size);
  return value;
}

static void tell_value(const Program *program, const Answer *answer, int arg, uint64_t index) {
  int size = element_size(program, arg);
  uint64_t threads = launch_blocks(&program->launch) * launch_threads(&program->launch);
  printf("  buffer %d, element %" PRIu64, arg, index);
  if (program->has_rows && arg == 1)
    printf(" (thread %" PRIu64 ", %s, step %" PRIu64 ")", index / CODE_ROW % threads,
           code_slot_name((int)(index % CODE_ROW)),
           index / CODE_ROW / threads);
  for (int i = 0; program->has_places && arg == 1 && i < 4; i++)
    printf("%s%.9g", i ? ", " : " at ", launch_value(LAUNCH_F32, element(answer->before, 2, 4, index / 4 * 4 + (uint64_t)i)));
  for (int i = 0; program->form && i < program->form->sources; i++)
    printf("%s%" PRIx64, i ? " " : ", operands ", element(answer->before, i, element_size(program, i), index));
  if (program->describe && arg == 1) program->describe(program, answer->before, index);
  printf(": emulator %0*" PRIx64 ", GPU %0*" PRIx64 "\n", 2 * size, element(answer->emulator, arg, size, index),
         2 * size,
         element(answer->gpu, arg, size, index));
}

static bool near_float(uint64_t emulator, uint64_t gpu, double spread) {
  double a = launch_value(LAUNCH_F32, emulator), b = launch_value(LAUNCH_F32, gpu);
  return a - b <= spread && b - a <= spread;
}

static bool near_enough(const Program *program, int arg, uint64_t emulator, uint64_t gpu) {
  if (program->spread > 0 && arg == 1) return near_float(emulator, gpu, program->spread);
  return emulator == gpu;
}

static bool in_same_group(const Program *program, int arg, uint64_t one, uint64_t other) {
  return program->group && arg == 1 && one / program->group == other / program->group;
}

// How many elements differ too much; the first few are told.
static uint64_t differences(Comparison *c, const Program *program, const Answer *answer, Tally *tally) {
  uint64_t wrong = 0, last = 0;
  int told = 0;
  for (int arg = 0; arg < answer->gpu->count; arg++) {
    if (!answer->gpu->bytes[arg]) continue;
    int size = element_size(program, arg);
    for (uint64_t i = 0; i < answer->gpu->sizes[arg] / (uint64_t)size; i++) {
      uint64_t a = element(answer->emulator, arg, size, i), b = element(answer->gpu, arg, size, i);
      if (a == b) continue;
      if (near_enough(program, arg, a, b)) {
        tally->near++;
        continue;
      }
      if (wrong == 0 && c->told < c->most_told) printf("%s: differs\n", program->name);
      bool tells = told < MOST_VALUES && c->told < c->most_told && !(told && in_same_group(program, arg, last, i));
      wrong++;
      if (!tells) continue;
      tell_value(program, answer, arg, i);
      told++;
      last = i;
    }
    tally->values += answer->gpu->sizes[arg];
  }
  return wrong;
}

static void compare(Comparison *c, const Batch *batch, const Program *program, const Answer *answer, Tally *tally) {
  uint64_t wrong = differences(c, program, answer, tally);
  if (!wrong) {
    tally->agreed++;
    return;
  }
  tally->differed++;
  if (c->told++ >= c->most_told) return;
  printf("  %" PRIu64 " elements differ\n", wrong);
  save(c, batch, program);
}

// False if the GPU stopped with an error.
static bool run_program(Comparison *c, const Batch *batch, const PtxModule *module, GpuModule *gpu_module,
                        const Program *program, Tally *tally) {
  Buffers before = {0}, emulator = {0}, gpu = {0};
  SimOptions options;
  LsErr err = {0};
  sim_options_init(&options);
  const Answer answer = {&before, &emulator, &gpu};
  bool ok = batch_emulate(module, program, &options, &before, &emulator, &err);
  bool emulated = ok;
  if (ok) {
    buffers_copy(&gpu, &before);
    int entry = ptx_find_entry(module, program->entry, &err);
    ok = entry >= 0 && gpu_run(c->gpu, gpu_module, module->funcs[entry].name, &program->launch, gpu.bytes, gpu.sizes,
                               NULL, &err);
  }
  if (ok) compare(c, batch, program, &answer, tally);
  else failed(c, batch, program, &err, tally);
  buffers_free(&before);
  buffers_free(&emulator);
  buffers_free(&gpu);
  return ok || !emulated;
}

static GpuModule *load(const Comparison *c, const Batch *batch, const PtxModule *module, LsErr *err) {
  return gpu_load(c->gpu, ls_text_str(&batch->ptx), module->debug ? 0 : c->level, err);
}

void compare_batch(Comparison *c, const Batch *batch, Tally *tally) {
  LsErr err = {0};
  PtxModule *module = ptx_parse("batch", ls_text_str(&batch->ptx), batch->ptx.length, &err);
  GpuModule *gpu_module = module ? load(c, batch, module, &err) : NULL;
  for (int i = 0; i < batch->count; i++) {
    if (!gpu_module) failed(c, batch, &batch->programs[i], &err, tally);
    else if (!run_program(c, batch, module, gpu_module, &batch->programs[i], tally))
      gpu_module = gpu_restart(c->gpu, &err) ? load(c, batch, module, &err) : NULL;
  }
  gpu_unload(c->gpu, gpu_module);
  ptx_module_free(module);
}
