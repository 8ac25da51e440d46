// probe_sectors.h: accesses to global memory of which nothing is known before the kernel runs, in loops: each lane
// looks at the lane before it.
#ifndef LS_DEVICE_PROBE_SECTORS_H
#define LS_DEVICE_PROBE_SECTORS_H

#include "device/probe/probe_impl.h"

// Is the group such an access?
bool probe_looks_at_sectors(const Probe *probe, const ProbeGroup *g);
// Adds to its held counters, `times` as often (a number, or a register of 32 bits).
void probe_put_sectors(const Probe *probe, const ProbeGroup *g, int label, const char *times, LsText *out);

#endif
