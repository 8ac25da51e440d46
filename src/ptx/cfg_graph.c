// cfg_graph.c: a graph of nodes that is entered at node 0: who dominates whom, and which loops there are.
#include "ptx/cfg_graph.h"

#include <stdlib.h>

#include "base/mem.h"

void graph_init(Graph *graph, int count) {
  size_t n = (size_t)count;
  *graph = (Graph){.nodes = ls_alloc(n * sizeof(GraphNode)), .count = count, .order = ls_alloc(n * sizeof(int)),
                   .place = ls_alloc(n * sizeof(int)), .idom = ls_alloc(n * sizeof(int)),
                   .head = ls_alloc(n * sizeof(int)), .outer = ls_alloc(n * sizeof(int))};
}

void graph_fini(Graph *graph) {
  for (int i = 0; i < graph->count; i++) {
    free(graph->nodes[i].succ);
    free(graph->nodes[i].pred);
  }
  free(graph->nodes);
  free(graph->order);
  free(graph->place);
  free(graph->idom);
  free(graph->head);
  free(graph->outer);
}

void graph_edge(Graph *graph, int from, int to) {
  GraphNode *a = &graph->nodes[from], *b = &graph->nodes[to];
  LS_PUSH(a->succ, a->succ_count, a->succ_capacity, to);
  LS_PUSH(b->pred, b->pred_count, b->pred_capacity, from);
}

// Depth first, with a stack of our own: code may be long. The order is that in which nodes are left, from its end.
static void find_order(Graph *g) {
  int *stack = ls_alloc(sizeof(int) * (size_t)g->count), *next = ls_alloc(sizeof(int) * (size_t)g->count);
  int depth = 0, left = 0;
  for (int i = 0; i < g->count; i++) g->place[i] = -1;
  stack[depth++] = 0;
  g->place[0] = 0;
  while (depth) {
    int at = stack[depth - 1];
    const GraphNode *node = &g->nodes[at];
    if (next[at] == node->succ_count) {
      g->order[left++] = at;
      depth--;
      continue;
    }
    int to = node->succ[next[at]++];
    if (g->place[to] >= 0) continue;
    g->place[to] = 0;
    stack[depth++] = to;
  }
  for (int i = 0; i < left / 2; i++) {
    int other = g->order[i];
    g->order[i] = g->order[left - 1 - i];
    g->order[left - 1 - i] = other;
  }
  for (int i = 0; i < left; i++) g->place[g->order[i]] = i;
  g->reached = left;
  free(stack);
  free(next);
}

static int common(const Graph *g, int a, int b) {
  while (a != b) {
    while (g->place[a] > g->place[b]) a = g->idom[a];
    while (g->place[b] > g->place[a]) b = g->idom[b];
  }
  return a;
}

// Cooper, Harvey, Kennedy: A Simple, Fast Dominance Algorithm.
static void find_dominators(Graph *g) {
  bool changed = true;
  for (int i = 0; i < g->count; i++) g->idom[i] = -1;
  g->idom[0] = 0;
  while (changed) {
    changed = false;
    for (int i = 1; i < g->reached; i++) {
      int at = g->order[i], idom = -1;
      const GraphNode *node = &g->nodes[at];
      for (int k = 0; k < node->pred_count; k++) {
        int pred = node->pred[k];
        if (g->place[pred] < 0 || g->idom[pred] < 0) continue;
        idom = idom < 0 ? pred : common(g, idom, pred);
      }
      changed |= g->idom[at] != idom;
      g->idom[at] = idom;
    }
  }
  g->idom[0] = -1;
}

bool graph_dominates(const Graph *g, int a, int b) {
  while (b >= 0 && g->place[b] > g->place[a]) b = g->idom[b];
  return a == b;
}

static bool is_reducible(const Graph *g) {
  for (int i = 0; i < g->reached; i++) {
    const GraphNode *node = &g->nodes[g->order[i]];
    for (int k = 0; k < node->succ_count; k++)
      if (g->place[node->succ[k]] <= i && !graph_is_back(g, g->order[i], node->succ[k])) return false;
  }
  return true;
}

static int outermost(const Graph *g, int head) {
  while (head >= 0 && g->outer[head] >= 0) head = g->outer[head];
  return head;
}

// Inner loops are known already: they are passed over as a whole.
static void find_loop(Graph *g, int head, int *stack) {
  int depth = 0;
  const GraphNode *first = &g->nodes[head];
  for (int k = 0; k < first->pred_count; k++) {
    if (g->place[first->pred[k]] >= 0 && graph_is_back(g, first->pred[k], head)) stack[depth++] = first->pred[k];
  }
  while (depth) {
    int at = stack[--depth], inner = outermost(g, g->head[at]);
    if (inner == head) continue;
    if (inner < 0) g->head[at] = head;
    else g->outer[inner] = head;
    int from = inner < 0 ? at : inner;
    for (int k = 0; k < g->nodes[from].pred_count && from != head; k++) {
      int pred = g->nodes[from].pred[k];
      if (g->place[pred] >= 0 && outermost(g, g->head[pred]) != head && !(inner >= 0 && graph_in_loop(g, pred, inner)))
        stack[depth++] = pred;
    }
  }
}

static void find_loops(Graph *g) {
  int edges = 0;
  for (int i = 0; i < g->count; i++) {
    g->head[i] = g->outer[i] = -1;
    edges += g->nodes[i].pred_count;
  }
  int *stack = ls_alloc(sizeof(int) * ((size_t)edges + 1));
  for (int i = g->reached - 1; i >= 0; i--) find_loop(g, g->order[i], stack);
  free(stack);
}

bool graph_in_loop(const Graph *g, int node, int head) {
  int at = g->head[node];
  while (at >= 0 && at != head) at = g->outer[at];
  return at == head;
}

void graph_study(Graph *g) {
  find_order(g);
  find_dominators(g);
  g->reducible = is_reducible(g);
  if (g->reducible) find_loops(g);
}
