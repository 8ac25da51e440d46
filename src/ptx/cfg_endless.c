// cfg_endless.c: loops without an end: sets of blocks that reach one another, and nothing else.
//
// Of the blocks from which no end is reached these are the strongly connected components without an edge that leaves
// them (Sharir's way: once against the edges, and once along them in the order that this gives, from its end).
#include "ptx/cfg_endless.h"

#include <stdlib.h>

#include "base/mem.h"

// A walk over blocks depth first, with a stack of its own: code may be long.
typedef struct Tour {
  const PtxCfg *cfg;
  bool forward;          // along the edges, or against them
  bool *seen;
  int *left;             // blocks that are done, in this order
  int count;
  int *stack, *next;     // next: per block, its edges that were gone along
} Tour;

static void tour_init(Tour *tour, const PtxCfg *cfg, bool forward) {
  size_t n = (size_t)cfg->block_count;
  *tour = (Tour){.cfg = cfg, .forward = forward, .seen = ls_alloc(n), .left = ls_alloc(n * sizeof(int)),
                 .stack = ls_alloc(n * sizeof(int)), .next = ls_alloc(n * sizeof(int))};
}

static void tour_fini(Tour *tour) {
  free(tour->seen);
  free(tour->left);
  free(tour->stack);
  free(tour->next);
}

static void tour_from(Tour *tour, int root) {
  int depth = 0;
  if (tour->seen[root]) return;
  tour->seen[root] = true;
  tour->stack[depth++] = root;
  while (depth) {
    int at = tour->stack[depth - 1];
    const PtxBlock *b = &tour->cfg->blocks[at];
    if (tour->next[at] == (tour->forward ? b->succ_count : b->pred_count)) {
      tour->left[tour->count++] = at;
      depth--;
      continue;
    }
    int to = (tour->forward ? b->succ : b->pred)[tour->next[at]++];
    if (tour->seen[to]) continue;
    tour->seen[to] = true;
    tour->stack[depth++] = to;
  }
}

// Where a loop begins: at the first of its blocks that can be come to from outside, or at the first one of all.
static int first_of(const PtxCfg *cfg, const int *loop, const int *blocks, int count, int number) {
  int first = cfg->block_count, entered = cfg->block_count;
  for (int i = 0; i < count; i++) {
    const PtxBlock *b = &cfg->blocks[blocks[i]];
    bool from_outside = blocks[i] == 0;
    for (int k = 0; k < b->pred_count; k++) from_outside |= loop[b->pred[k]] != number;
    first = LS_MIN(first, blocks[i]);
    if (from_outside) entered = LS_MIN(entered, blocks[i]);
  }
  return entered < cfg->block_count ? entered : first;
}

static bool is_left(const PtxCfg *cfg, const int *loop, const int *blocks, int count, int number) {
  for (int i = 0; i < count; i++)
    for (int k = 0; k < cfg->blocks[blocks[i]].succ_count; k++)
      if (loop[cfg->blocks[blocks[i]].succ[k]] != number) return true;
  return false;
}

// `blocks` reach one another. Until it is known what they are, each has a number in `loop`.
static void judge(const PtxCfg *cfg, int *loop, const int *blocks, int count) {
  int number = cfg->block_count + blocks[0];
  for (int i = 0; i < count; i++) loop[blocks[i]] = number;
  int first = is_left(cfg, loop, blocks, count, number) ? -1 : first_of(cfg, loop, blocks, count, number);
  for (int i = 0; i < count; i++) loop[blocks[i]] = first;
}

void ptx_cfg_endless(const PtxCfg *cfg, const bool *ends, int *loop) {
  Tour back, on;
  tour_init(&back, cfg, false);
  tour_init(&on, cfg, true);
  for (int b = 0; b < cfg->block_count; b++) loop[b] = -1;
  for (int b = 0; b < cfg->block_count; b++) if (ends[b]) tour_from(&back, b);
  int reaching = back.count;
  for (int b = 0; b < cfg->block_count; b++) tour_from(&back, b);
  for (int i = back.count - 1; i >= reaching; i--) {
    int from = on.count;
    tour_from(&on, back.left[i]);
    if (on.count > from) judge(cfg, loop, on.left + from, on.count - from);
  }
  tour_fini(&back);
  tour_fini(&on);
}
