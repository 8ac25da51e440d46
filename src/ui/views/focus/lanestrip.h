// lanestrip.h: the lanes of a warp as a strip of cells by state. Private to the views of the warp.
#ifndef LS_UI_LANESTRIP_H
#define LS_UI_LANESTRIP_H

#include "ui/term/canvas.h"

typedef struct LaneStates { uint32_t live, active, waiting; } LaneStates;
// `pitch` columns a lane, 1 to 3: of three, the last parts it from the next.
void lanestrip_draw(Canvas *canvas, int x, int y, int pitch, LaneStates states);
void lanestrip_header(Canvas *canvas, int x, int y, int pitch);
// Those of a mask that are among the first lanes of the warp, as many of all 32 as a share tells.
uint32_t lanestrip_first(uint32_t mask, double share);

#endif
