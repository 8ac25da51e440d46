// sim_compiled.c: runs a kernel of a file, and reads its results.
#include "sim_compiled.h"
#include <string.h>
#include "base/file.h"
#include "base/mem.h"

void compiled_init(CompiledRun *b, const char *file) {
  size_t length = 0;
  char *path = ls_format("%s/tests/unit/sim/kernels/%s", LS_SOURCE_DIR, file);
  *b = (CompiledRun){0};
  char *text = ls_file_read(path, 1 << 24, &length, &b->err);
  CU_ASSERT_FATAL(text != NULL);
  b->module = ptx_parse(file, text, length, &b->err);
  if (!b->module) printf("\n%s\n", b->err.message);
  CU_ASSERT_FATAL(b->module != NULL);
  sim_options_init(&b->options);
  free(text);
  free(path);
}

void compiled_launch(CompiledRun *b, uint32_t grid, uint32_t block, const char *const *args) {
  launch_init(&b->launch);
  b->launch.grid[0] = grid;
  b->launch.block[0] = block;
  for (; *args; args++) CHECK(launch_add_arg(&b->launch, *args, &b->err));
}

void compiled_run(CompiledRun *b, const char *kernel) {
  int entry = ptx_find_entry(b->module, kernel, &b->err), faults = 0;
  b->sim = entry < 0 ? NULL : sim_new(b->module, entry, &b->launch, &b->options, &b->err);
  if (!b->sim) printf("\n%s: %s\n", kernel, b->err.message);
  CU_ASSERT_FATAL(b->sim != NULL);
  CHECK(sim_run(b->sim, NULL, &b->err));
  const TraceFault *first = sim_faults(b->sim, &faults);
  if (faults) printf("\n%s: %s\n", kernel, first->message);
  CHECK_INT(faults, 0);
}

void compiled_end(CompiledRun *b) {
  sim_free(b->sim);
  launch_fini(&b->launch);
  b->sim = NULL;
}

void compiled_fini(CompiledRun *b) { ptx_module_free(b->module); }

double result_at(const uint8_t *bytes, char type, int at) {
  float f;
  double d;
  int32_t i;
  uint16_t h;
  switch (type) {
  case 'f': memcpy(&f, bytes + at * 4, 4); return (double)f;
  case 'd': memcpy(&d, bytes + at * 8, 8); return d;
  case 'i': memcpy(&i, bytes + at * 4, 4); return i;
  default: break;
  }
  memcpy(&h, bytes + at * 2, 2);   // a half that is zero or normal
  double magnitude = h & 0x7fff ? ldexp((h & 1023) + 1024, (h >> 10 & 31) - 25) : 0;
  return h >> 15 ? -magnitude : magnitude;
}
