// kinship.h: grids that are launched by one another, what orders them, and words that two of them touch without order.
//
// A child sees what its parent's thread, and what is ordered before that, wrote up to the launch. Two children of a
// grid are ordered by a stream of one block, by events, or by the tail stream, which begins behind all other children
// (CUDA C++ Programming Guide, "CUDA Dynamic Parallelism", "Memory Consistency").
#ifndef LS_APP_KINSHIP_H
#define LS_APP_KINSHIP_H

#include "ptx/module.h"
#include "sim/sim.h"
#include "trace/trace.h"

// ---- what a grid asked for, in the order in which it may be done ---------------------------------------------------

typedef struct KinOrder {
  const SimDeviceOp *ops; int count;       // borrowed
  int *previous, *stream;                  // of its stream, -1: none; the first of its stream
  int tails; bool has_waits;
  uint64_t *before; int words;             // if there are waits: per operation a bit for each that is over before
} KinOrder;
void kin_order_init(KinOrder *order, const SimDeviceOp *ops, int count);
void kin_order_fini(KinOrder *order);
bool kin_order_is(const KinOrder *order, int first, int second);
// The launches that a stream, or an event that its stream waits for, puts right before a launch: those that are before
// these are not told again. Returns how many; the rest, in device code that waits for more events, is left out.
enum { KIN_MOST_AFTER = 16 };
int kin_order_after(const KinOrder *order, int op, int after[KIN_MOST_AFTER]);
// The operations in an order that is allowed: as they were asked for, the tail stream's last, or another one by chance.
// out has room for all.
void kin_order_pick(const KinOrder *order, uint64_t seed, int *out);

// ---- words ---------------------------------------------------------------------------------------------------------

typedef struct Kinship Kinship;
typedef struct KinRace {                   // the later of the two, as they were run, and the earlier
  int node, other;                         // grids
  int32_t pc, other_pc;
  int object; uint64_t offset;             // of the info's objects, bytes
  bool writes, other_writes;
} KinRace;
// Follows the grids of a family, the host's first, which is grid 0. info: where memory objects lie. Borrowed.
Kinship *kinship_new(const PtxModule *module, int entry, const TraceInfo *info);
void kinship_free(Kinship *kin);           // NULL is fine
TraceSink *kinship_sink(Kinship *kin);
// The grid that runs next: operation `op` of `order`, which grid `parent` asked for; the order is borrowed as long as
// grids below it run. Returns its number.
int kinship_begin(Kinship *kin, int parent, const KinOrder *order, int op);
// Those found so far, each pair of instructions once. Borrowed.
const KinRace *kinship_races(const Kinship *kin, int *count);

#endif
