// replay.h: what the files of a replay share.
#ifndef LS_SIM_REPLAY_H
#define LS_SIM_REPLAY_H

#include "sim/internal.h"

Sim *sim_replay_sim(const SimReplay *replay);   // borrowed

// ---- visits.c ------------------------------------------------------------------------------------------------------
typedef struct SimVisit { uint32_t block; uint64_t from, end; } SimVisit;   // events of the block before and after it
typedef struct SimVisits { uint64_t first; SimVisit *items; int count, capacity; } SimVisits;
void sim_visits_note(SimVisits *visits, const Sim *sim);   // the running visit is over
// The visit in which the block had so many events for the first time; if that is not known, the first unknown visit.
uint64_t sim_visits_find(const SimVisits *visits, uint32_t block, uint64_t events);

#endif
