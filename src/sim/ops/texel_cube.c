// texel_cube.c: directions and faces of cube maps. See texel_cube.h.
#include "sim/ops/texel_cube.h"
#include <math.h>
#include <string.h>

typedef struct Axis { int8_t of, sign; } Axis;   // one of x, y, z, in its direction or against it

static const struct { Axis major, s, t; } faces[LAUNCH_FACES] = {
    {{0, 1}, {2, -1}, {1, -1}}, {{0, -1}, {2, 1}, {1, -1}}, {{1, 1}, {0, 1}, {2, 1}},
    {{1, -1}, {0, 1}, {2, -1}}, {{2, 1}, {0, 1}, {1, -1}},  {{2, -1}, {0, -1}, {1, -1}},
};

static uint32_t bits_of(float f) {
  uint32_t bits;
  memcpy(&bits, &f, sizeof bits);
  return bits;
}

// Of those that are equally large z comes before y, and y before x.
static int major_axis(const float d[3]) {
  float x = fabsf(d[0]), y = fabsf(d[1]), z = fabsf(d[2]);
  return z >= x && z >= y ? 2 : y >= x ? 1 : 0;
}

int sim_cube_face(const SimCoords *direction, SimCoords *place) {
  float d[3];
  memcpy(d, direction->coord, sizeof d);
  int axis = major_axis(d), face = 2 * axis + (signbit(d[axis]) ? 1 : 0);
  float size = fabsf(d[axis]);
  float s = d[faces[face].s.of] * (float)faces[face].s.sign, t = d[faces[face].t.of] * (float)faces[face].t.sign;
  place->coord[0] = bits_of((s / size + 1) / 2);
  place->coord[1] = bits_of((t / size + 1) / 2);
  return face;
}
