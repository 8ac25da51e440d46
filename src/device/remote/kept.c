// kept.c: buffers from one run to the next.
#include "device/remote/kept.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

static uint64_t size_of(const LaunchArg *arg) { return arg->count * (uint64_t)launch_type_size(arg->type); }

void proto_kept_free(ProtoKept *kept) {
  for (int i = 0; i < kept->count; i++) free(kept->bytes[i]);
  free(kept->bytes);
  free(kept->sizes);
  *kept = (ProtoKept){0};
}

void proto_kept_begin(ProtoKept *kept, int arg_count) {
  proto_kept_free(kept);
  kept->bytes = ls_alloc(sizeof *kept->bytes * (size_t)(arg_count + 1));
  kept->sizes = ls_alloc(sizeof *kept->sizes * (size_t)(arg_count + 1));
  kept->count = arg_count;
}

void proto_kept_set(ProtoKept *kept, int arg, uint8_t *bytes, uint64_t size) {
  free(kept->bytes[arg]);
  kept->bytes[arg] = bytes;
  kept->sizes[arg] = size;
}

static bool has(const ProtoKept *kept, const LaunchArg *arg, int index) {
  return index < kept->count && kept->bytes[index] && arg->is_buffer && kept->sizes[index] == size_of(arg);
}

bool proto_kept_is(const ProtoKept *kept, const LaunchArg *arg, int index) {
  return has(kept, arg, index) && arg->init == LAUNCH_DATA && arg->data &&
         memcmp(kept->bytes[index], arg->data, (size_t)size_of(arg)) == 0;
}

bool proto_kept_fill(const ProtoKept *kept, LaunchArg *arg, int index) {
  if (!has(kept, arg, index)) return false;
  size_t size = (size_t)size_of(arg);
  free(arg->data);
  arg->data = memcpy(ls_alloc(size + 1), kept->bytes[index], size);
  arg->init = LAUNCH_DATA;
  return true;
}
