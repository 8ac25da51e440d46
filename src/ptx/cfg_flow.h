// cfg_flow.h: a function's blocks as the assembler sees them when it looks for places where lanes meet.
//
// The graph's nodes are the blocks, and behind them nodes of their own:
//  - where the rounds of a loop end in several places, they end in one node in front of the loop's head;
//  - a loop around another one that begins with the same block has a head of its own;
//  - (from `gathered` on) a condition of several parts, as of && and ||, leads to each place by one way, since the
//    assembler makes one branch of it; and so does the way by which most lanes leave a loop.
#ifndef LS_PTX_CFG_FLOW_H
#define LS_PTX_CFG_FLOW_H

#include "ptx/cfg.h"
#include "ptx/cfg_graph.h"

typedef struct FlowEdge { int from, to; } FlowEdge;

typedef struct CfgFlow {
  const PtxModule *module;
  const PtxCfg *cfg;
  Graph graph;
  int nodes, gathered;
  int *block;                            // of a node: the block that begins there
  int **first;                           // of a block's edges: the node that each leads to
  FlowEdge *more; int more_count, more_capacity;   // edges of nodes that are no blocks
  int *decision;                         // of a block: the first of the condition that it is part of
  bool *is_way_out;                      // of a node from `gathered` on: lanes that leave a loop meet there
  bool *has_way_out;                     // of a loop's head: it has such a node, or is left in one place only
} CfgFlow;

void flow_init(CfgFlow *flow, const PtxModule *module, const PtxCfg *cfg, const Graph *flat);
void flow_fini(CfgFlow *flow);
int flow_node(CfgFlow *flow, int block);                       // a new one
void flow_edge(CfgFlow *flow, int from, int to);               // of a node that is no block
void flow_turn(CfgFlow *flow, int from, int to, int node);     // the edge to `to` leads to `node` instead
void flow_study(CfgFlow *flow);                                // when nodes and edges have changed
void flow_find_ways_out(CfgFlow *flow);                        // cfg_exits.c

bool flow_is_end(const CfgFlow *flow, int node);               // lanes only end there
bool flow_is_cheap(const CfgFlow *flow, int block);            // arithmetic that all lanes execute rather than jump
int flow_ways_to(const CfgFlow *flow, int node, int *from);    // edges to it that do not go back; one of their starts

#endif
