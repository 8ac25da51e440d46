// texel_cube.h: which face of a cube map a direction meets, and where in it.
//
// The faces are those of the table in "Cubemap Textures" of the CUDA programming guide. What it leaves open is in texel.h.
#ifndef LS_SIM_TEXEL_CUBE_H
#define LS_SIM_TEXEL_CUBE_H

#include "sim/ops/texel.h"

// The place as normalized coordinates x and y of a face, 0 .. 5.
int sim_cube_face(const SimCoords *direction, SimCoords *place);

#endif
