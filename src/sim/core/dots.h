// dots.h: what is known of where the words of a sum of products lie, once its accesses had their shapes.
//
// All factors of one kind have their addresses from one register, so one look at the 32 lanes of each of the two
// registers tells where all words are (grid/dots.c). How often that was so is kept here, by the first one's address
// modulo SIM_LIKE_UNIT, and goes to the accesses' own shapes before anybody looks at these.
#ifndef LS_SIM_CORE_DOTS_H
#define LS_SIM_CORE_DOTS_H

#include "sim/core/exec.h"

typedef struct SimDotAccess {
  SimShape *shape;
  uint32_t number;            // of that, to know it again
  uint32_t late_how;          // SimShape.late_how
  bool is_late;               // it is judged by SIM_JUDGE_READ
  int32_t pc;
  int64_t apart;              // its address from that of the first one of its side
} SimDotAccess;

enum { SIM_DOT_ONE, SIM_DOT_ROW, SIM_DOT_SIDES };
typedef struct SimDotSide {
  SimLike like;               // of its first access, within the bounds of all
  SimFind find;
  int64_t high;               // SimDotPlaces.one_high, row_high
  bool is_narrow;             // addresses are of 32 bits
  uint8_t apart;              // SimMem.apart
  // Of many rounds: where the first one may begin, and how often one began there, as SimLike.times.
  uint64_t from, room, begun[SIM_LIKE_UNIT];
} SimDotSide;

// How often the loop jumped back, the last time: as often as it will with the same counter and bound.
typedef struct SimDotCount { uint64_t value, bound, back; bool is_known; } SimDotCount;

typedef struct SimDotPlan {
  SimDotSide sides[SIM_DOT_SIDES];
  SimDotAccess accesses[2 * SIM_DOT_TERMS];   // two of each term, as they are executed
  SimDotTerm terms[SIM_DOT_TERMS];
  const SimDot *dot;          // NULL: nothing is known
  uint64_t version;           // SimExec.shape_version when the shapes were looked at
  uint8_t first_side;         // of the first access of a term
  uint8_t cares;              // of its shapes
  bool may_be_read;           // all shapes are judged by SIM_JUDGE_READ or NOTHING
  bool is_read;               // some by READ
  int64_t steps[SIM_DOT_SIDES];   // of the rounds that have begun
  int rounds;                 // of each of these; 0: none are known
  SimDotCount count;
  bool is_pending;            // some times are not yet in the shapes
  uint8_t patience;
  uint16_t skip;              // as of SimShapes: times to be passed over
} SimDotPlan;

void sim_dots_settle_rounds(SimDotPlan *plan);   // before others have other steps, or are more
void sim_dots_settle(SimExec *exec);         // before anybody looks at the times of shapes
void sim_dots_forget(const SimExec *exec);   // judges of shapes change

#endif
