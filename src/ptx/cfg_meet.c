// cfg_meet.c: where lanes that part at a branch meet again, as the assembler sets its convergence barriers.
//
// Lanes meet at the branch's immediate post-dominator, and before that wherever several ways come together: in
// `if (a) { x; if (b) break; y; } z` those without a and those with a but without b meet at z, though z is not on all
// ways. A barrier is set where the ways to the place part (the place's immediate dominator), or in front of a loop that
// the place is behind of. Those for whom the place is no longer ahead leave the barrier on the way there, so its region
// is what the place is ahead of: found from the place backwards, up to where the barrier is set.
#include "ptx/cfg_meet.h"

#include <stdlib.h>

#include "ptx/cfg_flow.h"

enum { MOST_MEETINGS = 24, REGION_ROOM = 64, MOST_BLOCKS = 2048, MOST_WAYS = 64 };

typedef struct Places { int *items, count, capacity; } Places;

typedef struct Leave { int place, from, to, order; } Leave;   // along an edge

typedef struct Meet {
  PtxCfg *cfg;
  LsArena *arena;
  CfgFlow flow;
  const Graph *graph;      // of the flow
  bool *is_place;          // lanes meet in front of this node
  bool *is_last;           // some branch's immediate post-dominator
  bool *is_left;           // of a place: lanes that were to come there may go elsewhere
  int *barrier;            // of a place: the node at whose end the ways to it part
  int *loop;               // the head of the outermost loop around that which the place is behind of; -1
  Places *in, *out;        // of a node: places that are ahead at its start, and at its end
  bool *goes_on;           // of a place: some who leave it come to another one
  Leave *leaves; int leave_count, leave_capacity;   // of all places
  int *last;               // the last place in `out`
} Meet;

static bool has(const Places *places, int node) {
  for (int i = 0; i < places->count; i++) if (places->items[i] == node) return true;
  return false;
}

// ---- places --------------------------------------------------------------------------------------------------------

static int parts_at(const Meet *m, int node) {
  int at = m->graph->idom[node];
  while (at >= m->flow.gathered) at = m->graph->idom[at];
  return at;
}

static int loop_behind(const Meet *m, int node) {
  int loop = -1;
  if (node >= m->flow.gathered && !m->flow.is_way_out[node]) return -1;
  for (int head = m->graph->head[m->barrier[node]]; head >= 0 && !graph_in_loop(m->graph, node, head);
       head = m->graph->outer[head])
    loop = head;
  return loop;
}

// In code for the debugger nobody meets behind a loop where only some ways out of it come together.
static bool joins_ways(const Meet *m, int node) {
  int from, head = m->graph->head[m->barrier[node]];
  bool behind = head >= 0 && !graph_in_loop(m->graph, node, head);
  return flow_ways_to(&m->flow, node, &from) > 1 && (!behind || !m->flow.module->debug);
}

static void mark_places(Meet *m) {
  const Graph *g = m->graph;
  for (int b = 0; b < m->cfg->block_count; b++) {
    const PtxBlock *block = &m->cfg->blocks[b];
    if (g->place[b] < 0 || block->succ_count < 2 || block->ipdom <= 0 || graph_in_loop(g, b, block->ipdom)) continue;
    m->is_last[block->ipdom] = true;
  }
  for (int i = 1; i < g->reached; i++) {
    int node = g->order[i];
    m->barrier[node] = parts_at(m, node);
    m->loop[node] = loop_behind(m, node);
    m->is_place[node] = m->is_last[node] || m->flow.is_way_out[node] || joins_ways(m, node);
  }
}

// ---- regions -------------------------------------------------------------------------------------------------------

// Whether lanes that go along an edge have the place ahead, or are there.
static bool is_ahead(const Meet *m, int place, int from, int to) {
  const Graph *g = m->graph;
  if (to == place && !graph_is_back(g, from, to)) return true;
  bool enters = m->loop[place] == to && !graph_in_loop(g, from, to);
  return !enters && has(&m->in[to], place);
}

static void reach_end(Meet *m, int place, int node, int *stack, int *depth) {
  if (m->graph->place[node] < 0 || m->last[node] == place) return;
  m->last[node] = place;
  LS_PUSH(m->out[node].items, m->out[node].count, m->out[node].capacity, place);
  stack[(*depth)++] = node;
}

static int find_region(Meet *m, int place, int *stack) {
  const Graph *g = m->graph;
  const GraphNode *node = &g->nodes[place];
  int depth = 0, size = 0;
  for (int k = 0; k < node->pred_count; k++)
    if (!graph_is_back(g, node->pred[k], place)) reach_end(m, place, node->pred[k], stack, &depth);
  for (; depth; size++) {
    int at = stack[--depth];
    if (at == m->barrier[place] && m->loop[place] < 0) continue;
    LS_PUSH(m->in[at].items, m->in[at].count, m->in[at].capacity, place);
    for (int k = 0; k < g->nodes[at].pred_count; k++) {
      int pred = g->nodes[at].pred[k];
      if (m->loop[place] != at || graph_in_loop(g, pred, at)) reach_end(m, place, pred, stack, &depth);
    }
  }
  return size;
}

// False: places and regions are too many to be worth it.
static bool find_regions(Meet *m) {
  const Graph *g = m->graph;
  long room = (long)REGION_ROOM * g->count + 4096;
  int *stack = ls_alloc(sizeof(int) * (size_t)g->count);
  for (int i = 0; i < g->count; i++) m->last[i] = -1;
  for (int i = 1; i < g->reached && room > 0; i++)
    if (m->is_place[g->order[i]]) room -= find_region(m, g->order[i], stack);
  free(stack);
  return room > 0;
}

static void for_each_leave(Meet *m, void (*visit)(Meet *m, int place, int from, int to)) {
  const Graph *g = m->graph;
  for (int i = 0; i < g->reached; i++) {
    int node = g->order[i];
    const GraphNode *from = &g->nodes[node];
    for (int k = 0; k < m->out[node].count && from->succ_count > 1; k++)
      for (int s = 0; s < from->succ_count; s++)
        if (!is_ahead(m, m->out[node].items[k], node, from->succ[s]))
          visit(m, m->out[node].items[k], node, from->succ[s]);
  }
}

static void note_left(Meet *m, int place, int from, int to) {
  (void)from, (void)to;
  m->is_left[place] = true;
}

// In code for the debugger nobody leaves a barrier out of a loop at whose end lanes do not meet.
static void note_broken(Meet *m, int place, int from, int to) {
  const Graph *g = m->graph;
  (void)to;
  if (m->is_last[place]) return;
  for (int head = g->head[from]; head >= 0 && !graph_in_loop(g, place, head); head = g->outer[head])
    if (!m->flow.has_way_out[head]) m->is_place[place] = false;
}

static bool is_passed_by(const Meet *m, int place) { return place >= m->flow.gathered && !m->flow.is_way_out[place]; }

// The place where lanes that go along an edge come first; -1: none, or they only end.
static int next_place(const Meet *m, int from, int to) {
  int next = -1;
  for (int i = 0; i < m->out[from].count; i++) {
    int place = m->out[from].items[i];
    if (!m->is_place[place] || is_passed_by(m, place) || !is_ahead(m, place, from, to)) continue;
    if (next < 0 || has(&m->in[place], next)) next = place;
  }
  return next < 0 || flow_is_end(&m->flow, next) ? -1 : next;
}

static void note_leave(Meet *m, int place, int from, int to) {
  Leave leave = {.place = place, .from = from, .to = to};
  LS_PUSH(m->leaves, m->leave_count, m->leave_capacity, leave);
  if (next_place(m, from, to) >= 0) m->goes_on[place] = true;
}

static int compare_leaves(const void *a, const void *b) {
  const Leave *one = a, *other = b;
  return other->order - one->order;
}

// Whoever leaves a barrier goes to a place that nobody leaves, or there is no barrier. From the last place on.
static void drop_steps(Meet *m) {
  for_each_leave(m, note_leave);
  for (int i = 0; i < m->leave_count; i++) m->leaves[i].order = m->graph->place[m->leaves[i].place];
  if (m->leaves) qsort(m->leaves, (size_t)m->leave_count, sizeof *m->leaves, compare_leaves);
  for (int i = 0; i < m->leave_count; i++) {
    int place = m->leaves[i].place;
    if (!m->is_place[place] || m->is_last[place] || is_passed_by(m, place)) continue;
    int next = next_place(m, m->leaves[i].from, m->leaves[i].to);
    if (next >= 0 && m->goes_on[next]) m->is_place[place] = false;
  }
}

static void keep_places(const Meet *m, Places *places) {
  int kept = 0;
  for (int i = 0; i < places->count; i++) if (m->is_place[places->items[i]]) places->items[kept++] = places->items[i];
  places->count = kept;
}

static void drop_broken(Meet *m) {
  drop_steps(m);
  if (m->flow.module->debug) for_each_leave(m, note_broken);
  for (int i = 0; i < m->graph->count; i++) {
    keep_places(m, &m->in[i]);
    keep_places(m, &m->out[i]);
  }
}

// ---- what is kept --------------------------------------------------------------------------------------------------

// All lanes that part there come to the place, and nobody leaves on the way.
static bool is_sure(const Meet *m, int b, int place) {
  int at = m->cfg->blocks[b].ipdom, to = m->flow.block[place];
  if (m->is_left[place]) return false;
  while (at >= 0 && at != to) at = m->cfg->blocks[at].ipdom;
  return at == to;
}

// Places that two ways of a block lead to, from the innermost one to the first that is sure.
static void keep_meetings(Meet *m, int b) {
  PtxBlock *block = &m->cfg->blocks[b];
  Places both = {0};
  PtxMeeting found[MOST_MEETINGS];
  int count = 0;
  for (int i = 0; i < m->out[b].count; i++) {
    int ways = 0;
    for (int k = 0; k < block->succ_count; k++) ways += is_ahead(m, m->out[b].items[i], b, m->flow.first[b][k]);
    if (ways > 1) LS_PUSH(both.items, both.count, both.capacity, m->out[b].items[i]);
  }
  for (bool all = false; both.count && count < MOST_MEETINGS && !all;) {
    int at = 0;
    for (int i = 1; i < both.count; i++) if (has(&m->in[both.items[i]], both.items[at])) at = i;
    int node = both.items[at];
    both.items[at] = both.items[--both.count];
    found[count++] = (PtxMeeting){node, m->cfg->blocks[m->flow.block[node]].first};
    all = is_sure(m, b, node);
  }
  free(both.items);
  block->meetings = LS_NEW_ARRAY(m->arena, PtxMeeting, count);
  block->meeting_count = count;
  for (int i = 0; i < count; i++) block->meetings[i] = found[count - 1 - i];
}

static void keep_leaves(Meet *m, int b) {
  PtxBlock *block = &m->cfg->blocks[b];
  struct { PtxLeave *items; int count, capacity; } leaves = {0};
  for (int i = 0; i < m->out[b].count; i++)
    for (int k = 0; k < block->succ_count; k++) {
      if (is_ahead(m, m->out[b].items[i], b, m->flow.first[b][k])) continue;
      PtxLeave leave = {m->out[b].items[i], m->cfg->blocks[block->succ[k]].first};
      LS_PUSH(leaves.items, leaves.count, leaves.capacity, leave);
    }
  block->leaves = LS_NEW_ARRAY(m->arena, PtxLeave, leaves.count);
  block->leave_count = leaves.count;
  for (int i = 0; i < leaves.count; i++) block->leaves[i] = leaves.items[i];
  free(leaves.items);
}

// Where nothing else is known: each branch has one place, and nobody leaves.
static void keep_post_dominators(PtxCfg *cfg, LsArena *arena) {
  for (int b = 0; b < cfg->block_count; b++) {
    PtxBlock *block = &cfg->blocks[b];
    if (block->ipdom < 0) continue;
    block->meetings = LS_NEW(arena, PtxMeeting);
    block->meetings[0] = (PtxMeeting){block->ipdom, cfg->blocks[block->ipdom].first};
    block->meeting_count = 1;
  }
}

static void init(Meet *m) {
  m->graph = &m->flow.graph;
  size_t n = (size_t)m->graph->count;
  m->is_place = ls_alloc(n);
  m->is_last = ls_alloc(n);
  m->is_left = ls_alloc(n);
  m->barrier = ls_alloc(n * sizeof(int));
  m->loop = ls_alloc(n * sizeof(int));
  m->last = ls_alloc(n * sizeof(int));
  m->goes_on = ls_alloc(n);
  m->in = ls_alloc(n * sizeof(Places));
  m->out = ls_alloc(n * sizeof(Places));
}

static void fini(Meet *m) {
  for (int i = 0; i < m->graph->count; i++) {
    free(m->in[i].items);
    free(m->out[i].items);
  }
  free(m->is_place);
  free(m->is_last);
  free(m->is_left);
  free(m->barrier);
  free(m->loop);
  free(m->last);
  free(m->goes_on);
  free(m->leaves);
  free(m->in);
  free(m->out);
}

static void study(Meet *m) {
  init(m);
  mark_places(m);
  bool known = find_regions(m);
  if (known) drop_broken(m);
  if (known) for_each_leave(m, note_left);
  for (int b = 0; b < m->cfg->block_count && known; b++) {
    if (m->graph->place[b] < 0 || m->cfg->blocks[b].succ_count < 2) continue;
    keep_meetings(m, b);
    keep_leaves(m, b);
  }
  fini(m);
}

// What follows walks up dominators for each way into a block.
static bool is_too_large(const PtxCfg *cfg) {
  bool too_large = cfg->block_count > MOST_BLOCKS;
  for (int b = 0; b < cfg->block_count && !too_large; b++) too_large = cfg->blocks[b].pred_count > MOST_WAYS;
  return too_large;
}

void ptx_cfg_meet(const PtxModule *module, PtxCfg *cfg, bool endless, LsArena *arena) {
  Meet m = {.cfg = cfg, .arena = arena};
  Graph flat;
  keep_post_dominators(cfg, arena);
  if (endless || !cfg->block_count || is_too_large(cfg)) return;
  graph_init(&flat, cfg->block_count);
  for (int b = 0; b < cfg->block_count; b++)
    for (int i = 0; i < cfg->blocks[b].succ_count; i++) graph_edge(&flat, b, cfg->blocks[b].succ[i]);
  graph_study(&flat);
  if (flat.reducible) {
    flow_init(&m.flow, module, cfg, &flat);
    flow_find_ways_out(&m.flow);
    study(&m);
    flow_fini(&m.flow);
  }
  graph_fini(&flat);
}
