// replay.h: what inspect.c needs of a replay.
#ifndef LS_SIM_REPLAY_H
#define LS_SIM_REPLAY_H

#include "sim/internal.h"

Sim *sim_replay_sim(const SimReplay *replay);   // borrowed

#endif
