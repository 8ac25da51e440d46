// clock.h: time that only goes forward, for measuring and waiting. Where it begins means nothing.
#ifndef LS_BASE_CLOCK_H
#define LS_BASE_CLOCK_H

#include <stdint.h>
#include <time.h>

double ls_clock(void);         // seconds
uint64_t ls_clock_ns(void);
uint64_t ls_clock_ms(void);
// The time so many milliseconds from now, for waits on CLOCK_MONOTONIC.
struct timespec ls_clock_after(int milliseconds);

#endif
