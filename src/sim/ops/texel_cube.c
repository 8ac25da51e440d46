// texel_cube.c: directions and faces of cube maps. See texel_cube.h.
#include "sim/ops/texel_cube.h"
#include <float.h>
#include <math.h>
#include <string.h>
#include "sim/alu/alu.h"

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

// As the assembler has it in front of the fetch: all three times the reciprocal of the largest magnitude. That is none
// of a NaN; 0 and infinity leave NaNs.
static void divide_by_largest(float d[3]) {
  float scale = alu_unit_rcp_generic(fmaxf(fmaxf(fabsf(d[0]), fabsf(d[1])), fabsf(d[2])));
  for (int k = 0; k < 3; k++) d[k] *= scale;
}

// A subnormal is 0 to the unit, and a NaN is less than all others.
static float magnitude(float x) { return isnan(x) ? -1 : fabsf(x) < FLT_MIN ? 0 : fabsf(x); }

// Of those that are equally large z comes before y, and y before x.
static int major_axis(const float d[3]) {
  float x = magnitude(d[0]), y = magnitude(d[1]), z = magnitude(d[2]);
  return z >= x && z >= y ? 2 : y >= x ? 1 : 0;
}

// From -1 .. 1 to 0 .. 1, in whole multiples of 2^-21. It is divided no more: the largest may be beside 1 by a bit.
static uint32_t place_on_face(const float d[3], Axis axis) {
  float along = d[axis.of] * (float)axis.sign;
  if (!(magnitude(along) > 0)) along = 0;
  double fixed = floor(ldexp((double)fminf(fmaxf(along, -1), 1), 20));
  return bits_of((float)ldexp(fixed + 0x1p20, -21));
}

int sim_cube_face(const SimCoords *direction, SimCoords *place) {
  float d[3];
  memcpy(d, direction->coord, sizeof d);
  divide_by_largest(d);
  int axis = major_axis(d), face = 2 * axis + (d[axis] < 0 ? 1 : 0);
  place->coord[0] = place_on_face(d, faces[face].s);
  place->coord[1] = place_on_face(d, faces[face].t);
  return face;
}
