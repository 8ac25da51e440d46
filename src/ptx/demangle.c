// demangle.c: readable C++ names.
#include "ptx/demangle.h"
const char *ptx_demangle(LsArena *arena, const char *name) { (void)arena; return name; }
