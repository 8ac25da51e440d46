// probe_alike.h: accesses to shared memory that are apart by the same distance in all lanes.
#ifndef LS_DEVICE_PROBE_ALIKE_H
#define LS_DEVICE_PROBE_ALIKE_H

#include "device/probe/probe_affine.h"

// Does the access at pc, behind the first one of the group and in its segment, count as that does?
bool probe_is_alike(const Probe *probe, AffineRegs *affine_regs, const ProbeGroup *g, int pc);

#endif
