// changes.h: what became of a kernel by an edit, in a line.
#ifndef LS_APP_CHANGES_H
#define LS_APP_CHANGES_H

#include "app/run/run.h"

// "4 faults gone, 1 new · 3,968 → 0 bank conflicts": faults first, then the counters that changed most, worst first;
// "the same faults and counters as before" if nothing did.
void changes_words(const Run *before, const Run *after, LsText *out);
// The first error of a compiler's messages: its line (0: none is told) and words, without the file's name.
int changes_compile_error(const LsErr *err, char *words, int size);

#endif
