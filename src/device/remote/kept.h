// kept.h: the buffers that the last run on a link left: both ends keep them, and the next run need not send them again.
#ifndef LS_DEVICE_KEPT_H
#define LS_DEVICE_KEPT_H

#include "launch/launch.h"

typedef struct ProtoKept { uint8_t **bytes; uint64_t *sizes; int count; } ProtoKept;   // per argument; bytes NULL: none

void proto_kept_free(ProtoKept *kept);
// In the place of what was kept before. bytes: taken over.
void proto_kept_begin(ProtoKept *kept, int arg_count);
void proto_kept_set(ProtoKept *kept, int arg, uint8_t *bytes, uint64_t size);
// Whether an argument begins with what the last run left in the argument of that number.
bool proto_kept_is(const ProtoKept *kept, const LaunchArg *arg, int index);
// Gives the argument these bytes; false: there are none of its size.
bool proto_kept_fill(const ProtoKept *kept, LaunchArg *arg, int index);

#endif
