// cfg_exits.c: the way out of a loop at which the assembler has those lanes meet that leave in different rounds.
//
// Read in machine code for sm_90 (CUDA 13.0) of some hundred loops, and held against an H200. Lanes that leave a loop
// otherwise drop out and meet the others behind it, or nowhere.
#include <stdlib.h>

#include "ptx/cfg_flow.h"

// size: instructions that only lead on from there; alone: 0 if others come there, too.
typedef struct Exit { int from, to, size, alone; } Exit;
typedef struct Exits { Exit *items; int count, capacity; } Exits;

// Of each node: instructions of the blocks that it dominates.
static int *sizes_of(const CfgFlow *f) {
  const Graph *g = &f->graph;
  int *sizes = ls_alloc(sizeof(int) * (size_t)g->count);
  for (int i = g->reached - 1; i >= 0; i--) {
    int node = g->order[i];
    if (node < f->cfg->block_count) sizes[node] += f->cfg->blocks[node].count;
    if (g->idom[node] >= 0) sizes[g->idom[node]] += sizes[node];
  }
  return sizes;
}

static Exit exit_of(const CfgFlow *f, const int *sizes, int from, int to) {
  const Graph *g = &f->graph;
  int target = to, other;
  while (target >= f->gathered) target = g->nodes[target].succ[0];
  return (Exit){from, to, sizes[target], flow_ways_to(f, target, &other) > 1 ? 0 : sizes[target]};
}

// Edges that leave a loop, but for those where lanes end; for all loops, by head.
static Exits *exits_of(const CfgFlow *f) {
  const Graph *g = &f->graph;
  Exits *exits = ls_alloc(sizeof *exits * (size_t)g->count);
  int *sizes = sizes_of(f);
  for (int i = 0; i < g->reached; i++) {
    const GraphNode *node = &g->nodes[g->order[i]];
    for (int k = 0; k < node->succ_count; k++)
      for (int head = g->head[g->order[i]]; head >= 0; head = g->outer[head]) {
        if (graph_in_loop(g, node->succ[k], head)) break;
        if (flow_is_end(f, node->succ[k])) continue;
        Exit exit = exit_of(f, sizes, g->order[i], node->succ[k]);
        LS_PUSH(exits[head].items, exits[head].count, exits[head].capacity, exit);
      }
  }
  free(sizes);
  return exits;
}

static int decision_of(const CfgFlow *f, int node) { return node < f->cfg->block_count ? f->decision[node] : node; }

static const Exit *exit_from(const CfgFlow *f, const Exits *exits, int node) {
  for (int i = 0; i < exits->count; i++)
    if (decision_of(f, exits->items[i].from) == decision_of(f, node)) return &exits->items[i];
  return NULL;
}

static const Exit *largest(const Exits *exits) {
  const Exit *best = NULL;
  for (int i = 0; i < exits->count; i++) if (!best || exits->items[i].size > best->size) best = &exits->items[i];
  return best;
}

// Where rounds end; in optimized code what only computes belongs to the branch in front of it.
static int latch_of(const CfgFlow *f, int head) {
  const Graph *g = &f->graph;
  int latch = head;
  for (int k = 0; k < g->nodes[head].pred_count; k++) {
    int pred = g->nodes[head].pred[k];
    if (g->place[pred] >= 0 && graph_is_back(g, pred, head)) latch = pred;
  }
  while (!f->module->debug && latch != head && g->nodes[latch].succ_count == 1 && g->nodes[latch].pred_count == 1 &&
         (latch >= f->cfg->block_count || flow_is_cheap(f, latch)))
    latch = g->nodes[latch].pred[0];
  return latch;
}

// A loop that is left at its head, and not where its rounds end: the assembler puts the head's test there, unless the
// loop is then left at its new head for as much code.
static const Exit *turned(const CfgFlow *f, const Exits *exits, int head, const Exit *high, bool rejoin) {
  const GraphNode *first = &f->graph.nodes[head];
  const Exit *next = NULL;
  for (int i = 0; i < first->succ_count; i++)
    if (graph_in_loop(&f->graph, first->succ[i], head)) next = exit_from(f, exits, first->succ[i]);
  if (!next || next->size + 1 < high->size) return high;
  return rejoin ? NULL : next;
}

static const Exit *way_out(const CfgFlow *f, const Exits *exits, int head) {
  const Exit *low = exit_from(f, exits, latch_of(f, head)), *high = exit_from(f, exits, head);
  int meet = f->cfg->blocks[f->block[head]].ipdom;
  bool rejoin = meet >= 0 && !flow_is_end(f, meet);   // all ways out lead to one place
  if (low && (!high || high == low)) return low;
  if (f->module->debug && !low) return NULL;
  if (low) return low->size > high->alone ? low : rejoin ? NULL : high;
  if (high) return turned(f, exits, head, high, rejoin);
  return rejoin ? NULL : largest(exits);
}

// Puts a node on that way. One way may lead out of several loops.
static void mark(CfgFlow *f, Exit exit, Exits *chosen) {
  for (int i = 0; i < chosen->count; i++)
    if (chosen->items[i].from == exit.from && chosen->items[i].to == exit.to) return;
  LS_PUSH(chosen->items, chosen->count, chosen->capacity, exit);
  if (exit.to >= f->gathered) {
    f->is_way_out[exit.to] = true;
    return;
  }
  int node = flow_node(f, f->block[exit.to]);
  f->is_way_out[node] = true;
  flow_edge(f, node, exit.to);
  flow_turn(f, exit.from, exit.to, node);
}

void flow_find_ways_out(CfgFlow *f) {
  const Graph *g = &f->graph;
  Exits *exits = exits_of(f), chosen = {0};
  for (int i = 0; i < g->reached; i++) {
    int head = g->order[i];
    if (g->head[head] != head) continue;
    const Exit *exit = way_out(f, &exits[head], head);
    f->has_way_out[head] = exit || exits[head].count < 2;
    if (exit) mark(f, *exit, &chosen);
  }
  for (int i = 0; i < g->count; i++) free(exits[i].items);
  free(exits);
  free(chosen.items);
  graph_fini(&f->graph);
  flow_study(f);
}
