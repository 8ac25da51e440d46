// library.c: dlsym without the cast that ISO C forbids.
#include "device/library.h"

#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

bool library_symbol(void *library, const char *name, void *function) {
  void *found = dlsym(library, name);
  memcpy(function, &found, sizeof found);
  return found != NULL;
}
