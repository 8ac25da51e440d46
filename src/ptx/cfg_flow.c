// cfg_flow.c: a function's blocks as the assembler sees them when it looks for places where lanes meet.
#include "ptx/cfg_flow.h"

#include <stdlib.h>

enum { MOST_CHEAP = 8 };   // instructions; read in machine code for sm_90 (CUDA 13.0)

int flow_node(CfgFlow *f, int block) {
  f->block[f->nodes] = block;
  return f->nodes++;
}

void flow_edge(CfgFlow *f, int from, int to) {
  FlowEdge edge = {from, to};
  LS_PUSH(f->more, f->more_count, f->more_capacity, edge);
}

void flow_turn(CfgFlow *f, int from, int to, int node) {
  int count = from < f->cfg->block_count ? f->cfg->blocks[from].succ_count : 0;
  for (int i = 0; i < count; i++) if (f->first[from][i] == to) f->first[from][i] = node;
  for (int i = 0; i < f->more_count && !count; i++)
    if (f->more[i].from == from && f->more[i].to == to) f->more[i].to = node;
}

void flow_study(CfgFlow *f) {
  const PtxCfg *cfg = f->cfg;
  graph_init(&f->graph, f->nodes);
  for (int b = 0; b < cfg->block_count; b++)
    for (int i = 0; i < cfg->blocks[b].succ_count; i++) graph_edge(&f->graph, b, f->first[b][i]);
  for (int i = 0; i < f->more_count; i++) graph_edge(&f->graph, f->more[i].from, f->more[i].to);
  graph_study(&f->graph);
}

int flow_ways_to(const CfgFlow *f, int node, int *from) {
  const Graph *g = &f->graph;
  int ways = 0;
  for (int k = 0; k < g->nodes[node].pred_count; k++) {
    int pred = g->nodes[node].pred[k];
    if (g->place[pred] < 0 || graph_is_back(g, pred, node)) continue;
    ways++;
    *from = pred;
  }
  return ways;
}

// Code for the debugger has one end, which lanes come to like to any place.
bool flow_is_end(const CfgFlow *f, int node) {
  const PtxBlock *b = &f->cfg->blocks[f->block[node]];
  return !f->module->debug && b->count == 1 && b->succ_count == 0;
}

bool flow_is_cheap(const CfgFlow *f, int block) {
  const PtxBlock *b = &f->cfg->blocks[block];
  for (int pc = b->first; pc < b->first + b->count; pc++) {
    PtxClass class = ptx_op_class((PtxOp)f->module->code[pc].op);
    if (class != PTX_CLASS_ALU && class != PTX_CLASS_BRANCH) return false;
  }
  return b->count <= MOST_CHEAP;
}

// ---- loops that begin with the same block --------------------------------------------------------------------------

typedef struct Latch { int block, level; } Latch;

// How many of the places in the loop that all lanes come to before they leave it are on each way to the latch.
static int level_of(const Graph *flat, const PtxCfg *cfg, int head, int latch) {
  int level = 0;
  for (int v = cfg->blocks[head].ipdom; v >= 0 && v != head && graph_in_loop(flat, v, head); v = cfg->blocks[v].ipdom)
    level += graph_dominates(flat, v, latch);
  return level;
}

static int compare_levels(const void *a, const void *b) {
  const Latch *one = a, *other = b;
  return one->level != other->level ? one->level - other->level : one->block - other->block;
}

// Latches of one level end the rounds of one loop; those of the lowest level end those of the innermost one. Returns
// where the loops are entered.
static int part_loops(CfgFlow *f, int head, Latch *latches, int count) {
  int inner = head;
  qsort(latches, (size_t)count, sizeof *latches, compare_levels);
  for (int i = 0, same; i < count; i += same) {
    for (same = 1; i + same < count && latches[i + same].level == latches[i].level;) same++;
    int start = i == 0 ? head : flow_node(f, head);
    if (start != inner) flow_edge(f, start, inner);
    int end = same > 1 ? flow_node(f, head) : start;
    if (end != start) flow_edge(f, end, start);
    for (int k = i; k < i + same; k++) flow_turn(f, latches[k].block, head, end);
    inner = start;
  }
  return inner;
}

static void make_heads(CfgFlow *f, const Graph *flat, int head, Latch *latches) {
  const PtxBlock *b = &f->cfg->blocks[head];
  int count = 0;
  for (int i = 0; i < b->pred_count; i++) {
    if (flat->place[b->pred[i]] < 0 || !graph_is_back(flat, b->pred[i], head)) continue;
    latches[count++] = (Latch){b->pred[i], level_of(flat, f->cfg, head, b->pred[i])};
  }
  if (count < 2) return;
  int entry = part_loops(f, head, latches, count);
  for (int i = 0; i < b->pred_count && entry != head; i++)
    if (!graph_is_back(flat, b->pred[i], head)) flow_turn(f, b->pred[i], head, entry);
}

// ---- conditions of several parts -----------------------------------------------------------------------------------

static bool share_target(const PtxBlock *a, const PtxBlock *b) {
  for (int i = 0; i < a->succ_count; i++)
    for (int k = 0; k < b->succ_count; k++) if (a->succ[i] == b->succ[k]) return true;
  return false;
}

// A part of a condition only computes, comes behind another part, and leads to where that one leads, too.
static void find_decisions(CfgFlow *f, const Graph *flat) {
  for (int b = 0; b < f->cfg->block_count; b++) f->decision[b] = b;
  for (int i = 1; i < flat->reached && !f->module->debug; i++) {
    const PtxBlock *block = &f->cfg->blocks[flat->order[i]];
    if (block->pred_count != 1 || block->succ_count != 2 || flat->place[block->pred[0]] > i) continue;
    if (share_target(block, &f->cfg->blocks[block->pred[0]]) && flow_is_cheap(f, flat->order[i]))
      f->decision[flat->order[i]] = f->decision[block->pred[0]];
  }
}

static void gather(CfgFlow *f, int b) {
  const PtxBlock *block = &f->cfg->blocks[b];
  for (int i = 0; i < block->pred_count; i++) {
    int decision = f->decision[block->pred[i]], ways = 0, before = 0;
    for (int k = 0; k < block->pred_count; k++) {
      ways += f->decision[block->pred[k]] == decision;
      before += k < i && f->decision[block->pred[k]] == decision;
    }
    if (ways < 2 || before) continue;
    int node = flow_node(f, b);
    flow_edge(f, node, b);
    for (int k = 0; k < block->pred_count; k++)
      if (f->decision[block->pred[k]] == decision) flow_turn(f, block->pred[k], b, node);
  }
}

// ---- all of it -----------------------------------------------------------------------------------------------------

static void init_edges(CfgFlow *f) {
  int n = f->cfg->block_count, edges = 0;
  f->first = ls_alloc(sizeof(int *) * (size_t)n);
  for (int b = 0; b < n; b++) {
    const PtxBlock *block = &f->cfg->blocks[b];
    f->first[b] = ls_alloc(sizeof(int) * ((size_t)block->succ_count + 1));
    for (int i = 0; i < block->succ_count; i++) f->first[b][i] = block->succ[i];
    edges += block->succ_count;
  }
  size_t room = (size_t)n + 5 * (size_t)edges;   // two for each latch, one for each way that is gathered or leads out
  f->block = ls_alloc(sizeof(int) * room);
  f->is_way_out = ls_alloc(room);
  f->has_way_out = ls_alloc(room);
  f->decision = ls_alloc(sizeof(int) * (size_t)n);
  for (int b = 0; b < n; b++) f->block[b] = b;
  f->nodes = n;
}

void flow_init(CfgFlow *f, const PtxModule *module, const PtxCfg *cfg, const Graph *flat) {
  *f = (CfgFlow){.module = module, .cfg = cfg};
  init_edges(f);
  Latch *latches = ls_alloc(sizeof *latches * (size_t)cfg->block_count);
  for (int b = 0; b < cfg->block_count; b++) if (flat->place[b] >= 0) make_heads(f, flat, b, latches);
  f->gathered = f->nodes;
  find_decisions(f, flat);
  for (int b = 0; b < cfg->block_count; b++) if (flat->place[b] >= 0) gather(f, b);
  flow_study(f);
  free(latches);
}

void flow_fini(CfgFlow *f) {
  for (int b = 0; b < f->cfg->block_count; b++) free(f->first[b]);
  free(f->first);
  free(f->block);
  free(f->more);
  free(f->decision);
  free(f->is_way_out);
  free(f->has_way_out);
  graph_fini(&f->graph);
}
