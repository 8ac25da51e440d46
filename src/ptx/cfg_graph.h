// cfg_graph.h: a graph of nodes that is entered at node 0: who dominates whom, and which loops there are.
//
// An edge back is one to a node that dominates its start; the loop of such a node, its head, is everything from which
// the edge's start is reached without passing the head. A graph in which nodes go round otherwise has no such order
// (`reducible` is false): then nothing else is known of it.
#ifndef LS_PTX_CFG_GRAPH_H
#define LS_PTX_CFG_GRAPH_H

#include <stdbool.h>

typedef struct GraphNode {
  int *succ, succ_count, succ_capacity;
  int *pred, pred_count, pred_capacity;
} GraphNode;

typedef struct Graph {
  GraphNode *nodes; int count;
  int *order, reached;     // the nodes that are reached, each behind those that dominate it
  int *place;              // of a node in that order; -1: it is not reached
  int *idom;               // immediate dominator; -1: there is none
  int *head;               // of the innermost loop that a node is in; -1
  int *outer;              // of a head: the head of the next loop around; -1
  bool reducible;
} Graph;

void graph_init(Graph *graph, int count);
void graph_edge(Graph *graph, int from, int to);
void graph_study(Graph *graph);        // once all edges are there
void graph_fini(Graph *graph);

bool graph_dominates(const Graph *graph, int a, int b);
bool graph_in_loop(const Graph *graph, int node, int head);
static inline bool graph_is_back(const Graph *graph, int from, int to) { return graph_dominates(graph, to, from); }

#endif
