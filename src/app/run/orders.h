// orders.h: what a kernel leaves when its threads run in other orders: results that may differ though nothing is wrong.
//
// A launch of one block with small buffers is tried in all orders of the accesses of its warps and diverged lanes
// (sim/core/path.h), as long as there are not too many; states that were seen before are not tried again. Any launch is
// tried with many seeds, which also part lanes that run together. Both are honest about what they are: `all` says
// whether every order was tried.
//
// An outcome is the contents of all buffers, what was printed, and the kinds of faults. The race check is off: the order
// does not change what it finds.
#ifndef LS_APP_ORDERS_H
#define LS_APP_ORDERS_H

#include "app/run/run.h"

typedef struct OrdersOutcome {
  uint64_t orders;           // of all orders, how many end so; 0: not found among them, or not counted
  uint64_t seeds;            // of the seeds
  uint64_t seed;             // a witness, if `seeds` is not 0
  char *order;               // a witness, for --order-of; NULL: none; owned
  char *words;               // what differs: "v[0] = 6, a[1] = 1"; "" if nothing can; owned
  bool is_rounding;          // differs from the first one only in floats that atomics add to, and hardly
  uint64_t hash;
  uint8_t *bytes;            // of all buffers, one behind the other; owned
} OrdersOutcome;

typedef struct Orders {
  OrdersOutcome *items; int count, capacity;   // by how often they came, the most frequent first
  uint64_t seeds;            // tried
  bool all;                  // every order of warps and diverged lanes was tried
  uint64_t orders;           // so many; 0: not counted (a loop that waits)
  bool differ;               // more than rounding
  int arg; uint64_t element; // the first element that differs, an argument's; arg -1: none does
} Orders;

enum { ORDERS_MOST_SEEDS = 100000 };
// Seeds 1 to `seeds`. The run is any of the same launch, made by the emulator; of it only the request, the module and
// the launch are read. NULL: canceled (LS_ECANCEL), or it cannot run.
Orders *orders_new(const Run *run, uint64_t seeds, RunProgress *progress, LsErr *err);
void orders_free(Orders *orders);

#endif
