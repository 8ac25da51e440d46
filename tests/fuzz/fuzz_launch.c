// fuzz_launch.c: lines of text as -a arguments, dimensions and block lists; settled for a kernel that takes a struct, a vector and a
// number, in a module with variables; printed, and settled again.
#include <stdlib.h>
#include <string.h>

#include "app/run/run.h"
#include "base/file.h"
#include "base/mem.h"
#include "fuzz.h"
#include "launch/settle.h"

enum { MOST_BYTES = 1 << 20 };

static void fill_small(const Launch *launch) {
  for (int i = 0; i < launch->arg_count; i++) {
    const LaunchArg *arg = &launch->args[i];
    if (!arg->is_buffer || arg->count > MOST_BYTES / 8) continue;
    void *bytes = ls_alloc(arg->count * (uint64_t)launch_type_size(arg->type));
    launch_fill(arg, bytes);
    free(bytes);
  }
}

// A file named in an argument would be read, which is not what is tested here.
static void try_line(Launch *launch, const char *line) {
  uint32_t dim[3];
  if (!strstr(line, "file:")) launch_add_arg(launch, line, NULL);
  launch_parse_dim(line, true, dim, NULL);
  launch_parse_dim(line, false, dim, NULL);
  free(run_parse_blocks(line, 1000, NULL));
}

static PtxModule *kernel_with_all(void) {
  size_t length;
  char *text = ls_file_read(LS_FUZZ_TOP "/tests/unit/sim/kernels/arguments.g.ptx", 1 << 20, &length, NULL);
  PtxModule *module = text ? ptx_parse("arguments.g.ptx", text, length, NULL) : NULL;
  free(text);
  if (!module) abort();
  return module;
}

// What is missing is filled in, so that each line alone comes as far as it can.
static void settle(Launch *launch) {
  static const PtxModule *module;
  static const char *const rest[] = {"struct:n=3", "int2=1,2", "short=7"};
  LsText notes = {0};
  if (!module) module = kernel_with_all();
  for (int i = launch_parameters(launch); i < 3; i++) launch_add_arg(launch, rest[i], NULL);
  if (launch_settle(module, ptx_find_entry(module, NULL, NULL), launch, &notes, NULL)) {
    launch_unset_variables(module, ptx_find_entry(module, NULL, NULL), launch, &notes);
    launch_command_line(launch, &notes);
    if (!launch_settle(module, ptx_find_entry(module, NULL, NULL), launch, &notes, NULL)) abort();
  }
  ls_text_free(&notes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Launch launch, copy;
  char *text = ls_strndup((const char *)data, size), *rest = text, *line;
  launch_init(&launch);
  while ((line = strsep(&rest, "\n"))) try_line(&launch, line);
  fill_small(&launch);
  settle(&launch);
  launch_copy(&copy, &launch);
  launch_fini(&copy);
  launch_fini(&launch);
  free(text);
  return 0;
}
