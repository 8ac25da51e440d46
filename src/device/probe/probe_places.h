// probe_places.h: from addresses of the device to those of events: of shared, local, constant and global variables.
//
// The assembler lays out variables as it likes. The kernel tells where each one is; events have them where the objects of
// the trace are.
#ifndef LS_DEVICE_PROBE_PLACES_H
#define LS_DEVICE_PROBE_PLACES_H

#include "device/probe/probe_impl.h"

typedef struct Places Places;
Places *places_new(const Probe *probe, const uint8_t *memory, const TraceInfo *info);   // borrowed for its life
void places_free(Places *places);
void places_start(Places *places);                         // a new block
// The lanes of a warp are inside `func` now, and its local variables begin at base[lane].
void places_enter(Places *places, int func, int warp, uint32_t lanes, const uint64_t base[32]);
void places_leave(Places *places, int func, int warp, uint32_t lanes);   // they return from it
uint64_t places_find(const Places *places, TraceSpace space, int warp, int lane, uint64_t raw);
// Of the lanes of a warp at once; raw and out may be the same.
void places_find_all(const Places *places, TraceSpace space, int warp, uint32_t lanes, const uint64_t raw[32], uint64_t out[32]);

#endif
