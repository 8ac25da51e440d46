// arch.c: the table of devices.
#include "model/arch.h"
#include <strings.h>
#include <stddef.h>
#include "base/mem.h"

static const ArchProfile profiles[] = {
#define ARCH(...) {__VA_ARGS__},
#include "model/arch.def"
#undef ARCH
};

const ArchProfile *arch_all(int *count) {
  if (count) *count = LS_COUNT(profiles);
  return profiles;
}

static const ArchProfile *here;

void arch_set_here(const ArchProfile *profile) { here = profile; }

const ArchProfile *arch_find(const char *name) {
  for (int i = 0; name && i < LS_COUNT(profiles); i++)
    if (strcasecmp(profiles[i].name, name) == 0) return &profiles[i];
  return name && strcasecmp(name, "gpu") == 0 ? here : NULL;
}
