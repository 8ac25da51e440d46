// clock.c: the monotonic clock of the system.
#include "base/clock.h"

static struct timespec now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t;
}

double ls_clock(void) { return (double)ls_clock_ns() * 1e-9; }

uint64_t ls_clock_ns(void) {
  struct timespec t = now();
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

uint64_t ls_clock_ms(void) { return ls_clock_ns() / 1000000; }

struct timespec ls_clock_after(int milliseconds) {
  struct timespec t = now();
  t.tv_sec += milliseconds / 1000;
  t.tv_nsec += (long)(milliseconds % 1000) * 1000000;
  t.tv_sec += t.tv_nsec / 1000000000;
  t.tv_nsec %= 1000000000;
  return t;
}
