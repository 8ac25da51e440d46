// hints.h: understanding what ssh and srun say on standard error: hints.def.
#ifndef LS_DEVICE_HINTS_H
#define LS_DEVICE_HINTS_H

#include <stdbool.h>

// Whether who says this line waits in a queue.
bool hint_waits(const char *line);
// What to do about these last words; NULL: nothing is known about them.
const char *hint_advice(const char *words);

#endif
