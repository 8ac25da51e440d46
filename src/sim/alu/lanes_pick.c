// lanes_pick.c: the loops of lanes.h for the instruction set that the arithmetic uses.
#include <string.h>
#include "sim/alu/alu.h"
#include "sim/alu/lanes.h"

extern const SimLaneOps sim_lane_ops_generic;
#ifdef SIM_ALU_X86
extern const SimLaneOps sim_lane_ops_avx2, sim_lane_ops_avx512;
#endif

const SimLaneOps *sim_lane_ops(void) {
#ifdef SIM_ALU_X86
  if (strcmp(sim_alu_isa(), "avx512") == 0) return &sim_lane_ops_avx512;
  if (strcmp(sim_alu_isa(), "avx2") == 0) return &sim_lane_ops_avx2;
#endif
  return &sim_lane_ops_generic;
}
