// probe_held.h: counters of loops, held in registers while the kernel runs and added to those in memory at its end.
#ifndef LS_DEVICE_PROBE_HELD_H
#define LS_DEVICE_PROBE_HELD_H

#include "device/probe/probe_impl.h"

void probe_find_held(Probe *probe);                                          // when all counters have their slots
void probe_put_held_registers(const Probe *probe, LsText *out);              // at the start of the entry
// Adds a number of 32 bits (of 64 to a WIDE one) to the counter, under a guard (NULL: none). False: it is not held.
bool probe_put_held(const Probe *probe, const char *guard, int slot, const char *word, LsText *out);
bool probe_is_held(const Probe *probe, int slot);
void probe_give_held(const Probe *probe, int pc, bool recording, LsText *out);   // before lanes end at pc
void probe_add_held(const Probe *probe, uint64_t *sums);    // sums of memory: those that were given, to their counters

#endif
