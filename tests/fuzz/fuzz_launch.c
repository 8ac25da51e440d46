// fuzz_launch.c: lines of text as -a arguments, dimensions and block lists.
#include <stdlib.h>
#include <string.h>

#include "app/run/run.h"
#include "base/mem.h"
#include "fuzz.h"

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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Launch launch, copy;
  char *text = ls_strndup((const char *)data, size), *rest = text, *line;
  launch_init(&launch);
  while ((line = strsep(&rest, "\n"))) try_line(&launch, line);
  fill_small(&launch);
  launch_copy(&copy, &launch);
  launch_fini(&copy);
  launch_fini(&launch);
  free(text);
  return 0;
}
