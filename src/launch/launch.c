// launch.c: dimensions (-g, -b); copies of launches.
#include "launch/launch.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include "base/mem.h"

// ---- lifetime ------------------------------------------------------------------------------------------------------

void launch_init(Launch *launch) {
  *launch = (Launch){.grid = {1, 1, 1}, .block = {1, 1, 1}};
}

void launch_arg_fini(LaunchArg *arg) {
  free(arg->name);
  free(arg->data);
  free(arg->written);
  free(arg->path);
  free(arg->output);
  free(arg->text);
}

void launch_fini(Launch *launch) {
  for (int i = 0; i < launch->arg_count; i++) launch_arg_fini(&launch->args[i]);
  free(launch->args);
  free(launch->kernel);
  free(launch->heap);
  launch_init(launch);
}

static char *copy_text(const char *s) { return s ? ls_strdup(s) : NULL; }

static LaunchArg arg_copy(const LaunchArg *from) {
  LaunchArg arg = *from;
  arg.name = copy_text(from->name);
  arg.output = copy_text(from->output);
  arg.text = copy_text(from->text);
  arg.path = copy_text(from->path);
  size_t size = (size_t)from->count * (size_t)launch_type_size(from->type);
  if (from->data) arg.data = memcpy(ls_alloc(size), from->data, size);
  if (from->written) arg.written = memcpy(ls_alloc(size), from->written, size);
  return arg;
}

void launch_copy(Launch *to, const Launch *from) {
  *to = *from;
  to->kernel = copy_text(from->kernel);
  to->args = NULL;
  to->arg_count = to->arg_capacity = 0;
  if (from->heap) to->heap = memcpy(ls_alloc(from->heap_bytes), from->heap, from->heap_bytes);
  for (int i = 0; i < from->arg_count; i++)
    LS_PUSH(to->args, to->arg_count, to->arg_capacity, arg_copy(&from->args[i]));
}

// ---- dimensions ----------------------------------------------------------------------------------------------------

static bool dim_failed(LsErr *err, const char *text, bool is_grid) {
  return ls_fail(err, LS_EREQUEST, "'%s' is not the size of a %s: expected X[,Y[,Z]] with whole numbers from 1, "
                 "such as %s", LS_QUOTE(text), is_grid ? "grid" : "block", is_grid ? "64 or 16,16" : "256 or 16,16");
}

static bool dim_range(const uint32_t dim[3], bool is_grid, LsErr *err) {
  static const uint32_t limits[2][3] = {{1024, 1024, 64}, {2147483647, 65535, 65535}};
  const char *what = is_grid ? "grid" : "block";
  for (int i = 0; i < 3; i++)
    if (dim[i] > limits[is_grid][i])
      return ls_fail(err, LS_EREQUEST, "the %s is %u in %c, but at most %u is possible", what, dim[i], "xyz"[i],
                     limits[is_grid][i]);
  uint64_t threads = (uint64_t)dim[0] * dim[1] * dim[2];
  if (!is_grid && threads > 1024)
    return ls_fail(err, LS_EREQUEST, "a block of %ux%ux%u has %llu threads, but at most 1024 are possible", dim[0],
                   dim[1],
                   dim[2], (unsigned long long)threads);
  return true;
}

// dim = whole [ "," whole [ "," whole ] ]
bool launch_parse_dim(const char *text, bool is_grid, uint32_t dim[3], LsErr *err) {
  uint32_t parsed[3] = {1, 1, 1};
  const char *s = text;
  for (int i = 0; i < 3; i++) {
    char digits[16] = "";
    size_t length = strcspn(s, ",");
    uint64_t value;
    if (length >= sizeof digits) return dim_failed(err, text, is_grid);
    memcpy(digits, s, length);
    if (!isdigit((unsigned char)digits[0]) || !ls_parse_u64(digits, &value) || !value || value > UINT32_MAX)
      return dim_failed(err, text, is_grid);
    parsed[i] = (uint32_t)value;
    s += length;
    if (!*s) break;
    s++;
    if (i == 2) return dim_failed(err, text, is_grid);
  }
  if (!dim_range(parsed, is_grid, err)) return false;
  memcpy(dim, parsed, sizeof parsed);
  return true;
}

bool launch_is_possible(const Launch *launch) {
  for (int i = 0; i < 3; i++)
    if (!launch->grid[i] || !launch->block[i]) return false;
  return dim_range(launch->grid, true, NULL) && dim_range(launch->block, false, NULL);
}
