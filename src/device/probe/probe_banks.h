// probe_banks.h: what an access to shared memory takes, where nothing is known of it before the kernel runs.
//
// The lanes look at their addresses: thirty instructions and more. But an access takes as much as another one of its
// kind if the addresses of all lanes are apart by the same distance, in whole words: so the lanes keep what they looked
// at last, and compare.
#ifndef LS_DEVICE_PROBE_BANKS_H
#define LS_DEVICE_PROBE_BANKS_H

#include "device/probe/probe_put.h"

// Is it such an access, by all lanes of its segment?
bool probe_looks_at_banks(const Probe *probe, const ProbeGroup *g);
// The registers in which lanes keep what they looked at, of a function that looks; at its start.
void probe_put_banks_registers(const Probe *probe, int func, LsText *out);
// Puts into %lanescope_b how many wavefronts it takes and, of more than 4 bytes a lane, above 16 bits how many of these
// are conflicts. label: a number like that of no other access.
void probe_put_banks(const Probe *probe, const ProbeGroup *g, int label, LsText *out);

#endif
