// cfg.c: basic blocks and immediate post-dominators (Lengauer, Tarjan: A Fast Algorithm for Finding Dominators in a
// Flowgraph, the simple version: with n blocks and m edges it takes m log n, however blocks jump).
#include "ptx/cfg.h"

#include <stdlib.h>
#include <string.h>

#include "ptx/cfg_endless.h"
#include "ptx/cfg_meet.h"

// The walk numbers nodes depth first from a virtual exit, backwards along edges. Nodes are the blocks, and one for each
// endless loop: its rounds end there. From it one edge leads to the loop's first block and one to the exit, as if any
// round could be the last one. So every block has a post-dominator. On an H200 lanes that part in such a loop meet there,
// too (tests/unit/sim/test_sim_endless.c).
typedef struct Walk {
  PtxCfg *cfg;
  PtxBlock *nodes;     // of blocks: their edges, with those to the next round changed
  int node_count;
  int *first;          // of the node block_count + i: the loop's first block
  int exit;            // node_count; while edges are gathered block_count
  bool *joined;        // node has an edge to the exit
  int *number;         // of a node, from 1; 0 is that of the exit; -1 if not reached
  int count;
  // By number:
  int *block;
  int *parent;         // in the tree of the walk
  int *semi;           // semidominator
  int *above, *least;  // the forest: next vertex upwards, -1 at a root; vertex of the least semi on the way passed over
  int *waiting, *next; // vertices whose semidominator this is, as a chain; 0 ends
  int *ipdom;
} Walk;

// Calls visit(context, pc) for each place the instruction may go to other than the next one.
static void for_each_target(const PtxModule *m, const PtxInstr *instr, void (*visit)(void *context, int pc), void *context) {
  for (int i = 0; i < instr->operand_count && ptx_branches(instr); i++) {
    const PtxOperand *operand = &instr->operands[i];
    if (operand->kind == PTX_OPD_LABEL) visit(context, operand->target);
    if (operand->kind != PTX_OPD_TABLE) continue;
    const PtxTable *table = &m->tables[operand->index];
    for (int k = 0; k < table->target_count; k++) visit(context, table->targets[k]);
  }
}

typedef struct Leaders { bool *starts; int first, count; } Leaders;

static void mark_leader(void *context, int pc) {
  Leaders *leaders = context;
  if (pc >= leaders->first && pc < leaders->first + leaders->count) leaders->starts[pc - leaders->first] = true;
}

static void make_blocks(const PtxModule *m, const PtxFunc *func, PtxCfg *cfg, LsArena *arena) {
  Leaders leaders = {ls_alloc(sizeof(bool) * ((size_t)func->count + 1)), func->first, func->count};
  mark_leader(&leaders, func->first);
  for (int i = 0; i < func->count; i++) {
    const PtxInstr *instr = &m->code[func->first + i];
    for_each_target(m, instr, mark_leader, &leaders);
    if (ptx_leaves(instr)) mark_leader(&leaders, func->first + i + 1);
  }
  for (int i = 0; i < func->count; i++) cfg->block_count += leaders.starts[i];
  cfg->blocks = LS_NEW_ARRAY(arena, PtxBlock, cfg->block_count);
  cfg->block_of = LS_NEW_ARRAY(arena, int, func->count);
  for (int i = 0, b = -1; i < func->count; i++) {
    if (leaders.starts[i]) cfg->blocks[++b].first = func->first + i;
    cfg->blocks[b].count++;
    cfg->block_of[i] = b;
  }
  free(leaders.starts);
}

// from: the block; seen: per block, the one after the last block that an edge was added from.
typedef struct Edges { const PtxFunc *func; PtxCfg *cfg; int *succ; int count, capacity, from, *seen; } Edges;

// The virtual exit is written as block_count while edges are gathered.
static void add_edge(void *context, int pc) {
  Edges *edges = context;
  int at = pc - edges->func->first;
  int to = at >= 0 && at < edges->func->count ? edges->cfg->block_of[at] : edges->cfg->block_count;
  if (edges->seen[to] == edges->from + 1) return;
  edges->seen[to] = edges->from + 1;
  LS_PUSH(edges->succ, edges->count, edges->capacity, to);
}

static void connect(const PtxModule *m, const PtxFunc *func, Walk *walk, LsArena *arena) {
  PtxCfg *cfg = walk->cfg;
  Edges edges = {.func = func, .cfg = cfg, .seen = ls_alloc(sizeof(int) * ((size_t)cfg->block_count + 1))};
  for (int b = 0; b < cfg->block_count; b++) {
    PtxBlock *block = &cfg->blocks[b];
    int last = block->first + block->count - 1;
    const PtxInstr *instr = &m->code[last];
    bool falls = !ptx_leaves(instr) || instr->guard >= 0;
    edges.count = 0;
    edges.from = b;
    for_each_target(m, instr, add_edge, &edges);
    if (falls) add_edge(&edges, last + 1);
    walk->joined[b] = ptx_op_class((PtxOp)instr->op) == PTX_CLASS_EXIT || edges.count == 0;
    block->succ = LS_NEW_ARRAY(arena, int, edges.count);
    for (int i = 0; i < edges.count; i++) {
      if (edges.succ[i] == walk->exit) walk->joined[b] = true;
      else block->succ[block->succ_count++] = edges.succ[i];
    }
  }
  free(edges.succ);
  free(edges.seen);
}

static void fill_preds(PtxCfg *cfg, LsArena *arena) {
  for (int b = 0; b < cfg->block_count; b++) {
    for (int i = 0; i < cfg->blocks[b].succ_count; i++) cfg->blocks[cfg->blocks[b].succ[i]].pred_count++;
  }
  for (int b = 0; b < cfg->block_count; b++) {
    cfg->blocks[b].pred = LS_NEW_ARRAY(arena, int, cfg->blocks[b].pred_count);
    cfg->blocks[b].pred_count = 0;
  }
  for (int b = 0; b < cfg->block_count; b++) {
    for (int i = 0; i < cfg->blocks[b].succ_count; i++) {
      PtxBlock *to = &cfg->blocks[cfg->blocks[b].succ[i]];
      to->pred[to->pred_count++] = b;
    }
  }
}

// ---- endless loops -------------------------------------------------------------------------------------------------

static int *copied(const int *blocks, int count, LsArena *arena) {
  int *copy = LS_NEW_ARRAY(arena, int, count);
  for (int i = 0; i < count; i++) copy[i] = blocks[i];
  return copy;
}

// Whether all ways from the loop's first block to some other end of a round lead through `end`: then lanes that go back
// there go round an inner loop.
static bool is_inner(const Walk *walk, const int *loop, int first, int end, bool *seen, int *stack) {
  const PtxCfg *cfg = walk->cfg;
  int depth = 0;
  memset(seen, 0, (size_t)cfg->block_count);
  seen[first] = seen[end] = true;
  if (first != end) stack[depth++] = first;
  while (depth) {
    const PtxBlock *b = &cfg->blocks[stack[--depth]];
    for (int i = 0; i < b->succ_count; i++) {
      if (seen[b->succ[i]]) continue;
      seen[b->succ[i]] = true;
      stack[depth++] = b->succ[i];
    }
  }
  const PtxBlock *head = &cfg->blocks[first];
  for (int i = 0; i < head->pred_count; i++) if (loop[head->pred[i]] == first && !seen[head->pred[i]]) return true;
  return false;
}

// Puts `node` between the loop's first block and those of the loop that go there.
static void end_rounds(Walk *walk, const int *loop, int first, int node, LsArena *arena) {
  PtxBlock *head = &walk->nodes[first], *end = &walk->nodes[node];
  *end = (PtxBlock){.succ = copied(&first, 1, arena), .succ_count = 1};
  end->pred = LS_NEW_ARRAY(arena, int, head->pred_count);
  head->pred = copied(head->pred, head->pred_count, arena);
  int others = 0, *stack = ls_alloc(sizeof(int) * (size_t)walk->cfg->block_count);
  bool *seen = ls_alloc((size_t)walk->cfg->block_count);
  for (int i = 0; i < head->pred_count; i++) {
    PtxBlock *from = &walk->nodes[head->pred[i]];
    if (loop[head->pred[i]] != first || is_inner(walk, loop, first, head->pred[i], seen, stack)) {
      head->pred[others++] = head->pred[i];
      continue;
    }
    end->pred[end->pred_count++] = head->pred[i];
    from->succ = copied(from->succ, from->succ_count, arena);
    for (int k = 0; k < from->succ_count; k++) if (from->succ[k] == first) from->succ[k] = node;
  }
  head->pred[others] = node;
  head->pred_count = others + 1;
  walk->first[node - walk->cfg->block_count] = first;
  walk->joined[node] = true;
  free(stack);
  free(seen);
}

static void make_nodes(Walk *walk, LsArena *arena) {
  const PtxCfg *cfg = walk->cfg;
  int n = cfg->block_count, *loop = ls_alloc(sizeof(int) * (size_t)n), loops = 0;
  ptx_cfg_endless(cfg, walk->joined, loop);
  for (int b = 0; b < n; b++) loops += loop[b] == b;
  walk->nodes = ls_alloc(sizeof(PtxBlock) * (size_t)(n + loops));
  walk->first = ls_alloc(sizeof(int) * (size_t)(loops + 1));
  for (int b = 0; b < n; b++) walk->nodes[b] = cfg->blocks[b];
  walk->node_count = n;
  for (int b = 0; b < n; b++) if (loop[b] == b) end_rounds(walk, loop, b, walk->node_count++, arena);
  walk->exit = walk->node_count;
  free(loop);
}

// ---- post-dominators -----------------------------------------------------------------------------------------------

static void reach(Walk *walk, int b, int parent) {
  walk->number[b] = ++walk->count;
  walk->block[walk->count] = b;
  walk->parent[walk->count] = parent;
}

// Depth first along predecessors from `root`, with a stack of our own: code may be long.
static void number_from(Walk *walk, int root, int *stack, int *next) {
  int depth = 0;
  if (walk->number[root] != -1) return;
  reach(walk, root, 0);
  stack[depth++] = root;
  while (depth) {
    int b = stack[depth - 1];
    if (next[b] == walk->nodes[b].pred_count) {
      depth--;
      continue;
    }
    int pred = walk->nodes[b].pred[next[b]++];
    if (walk->number[pred] != -1) continue;
    reach(walk, pred, walk->number[b]);
    stack[depth++] = pred;
  }
}

static void number_nodes(Walk *walk) {
  int n = walk->node_count;
  int *stack = ls_alloc(sizeof(int) * (size_t)n), *next = ls_alloc(sizeof(int) * (size_t)n);
  for (int b = 0; b < n; b++) walk->number[b] = -1;
  for (int b = 0; b < n; b++) {
    if (walk->joined[b]) number_from(walk, b, stack, next);
  }
  walk->number[walk->exit] = 0;
  walk->block[0] = walk->exit;
  free(stack);
  free(next);
}

// The vertex of the least semidominator from v up to the root of its tree, without the root. The way is shortened: all
// on it then stand right below the root.
static int least_above(Walk *walk, int v, int *stack) {
  int depth = 0, at = v;
  if (walk->above[v] == -1) return v;
  for (; walk->above[walk->above[at]] != -1; at = walk->above[at]) stack[depth++] = at;
  while (depth) {
    int low = stack[--depth], high = walk->above[low];
    if (walk->semi[walk->least[high]] < walk->semi[walk->least[low]]) walk->least[low] = walk->least[high];
    walk->above[low] = walk->above[high];
  }
  return walk->least[v];
}

static void meet(Walk *walk, int v, int succ, int *stack) {
  int least = least_above(walk, walk->number[succ], stack);
  walk->semi[v] = LS_MIN(walk->semi[v], walk->semi[least]);
}

// Vertices whose semidominator is v's parent, now that all between them are in the forest.
static void settle(Walk *walk, int parent, int *stack) {
  for (int v = walk->waiting[parent]; v; v = walk->next[v]) {
    int least = least_above(walk, v, stack);
    walk->ipdom[v] = walk->semi[least] < walk->semi[v] ? least : parent;
  }
  walk->waiting[parent] = 0;
}

static void find_ipdoms(Walk *walk) {
  int n = walk->count, *stack = ls_alloc(sizeof(int) * ((size_t)n + 1));
  for (int v = 0; v <= n; v++) walk->semi[v] = walk->least[v] = v, walk->above[v] = -1;
  for (int v = n; v > 0; v--) {
    int b = walk->block[v];
    const PtxBlock *block = &walk->nodes[b];
    for (int i = 0; i < block->succ_count; i++) meet(walk, v, block->succ[i], stack);
    if (walk->joined[b]) meet(walk, v, walk->exit, stack);
    walk->next[v] = walk->waiting[walk->semi[v]];
    walk->waiting[walk->semi[v]] = v;
    walk->above[v] = walk->parent[v];
    settle(walk, walk->parent[v], stack);
  }
  for (int v = 1; v <= n; v++) {
    if (walk->ipdom[v] != walk->semi[v]) walk->ipdom[v] = walk->ipdom[walk->ipdom[v]];
    int b = walk->block[v], to = walk->ipdom[v] ? walk->block[walk->ipdom[v]] : -1, blocks = walk->cfg->block_count;
    if (b < blocks) walk->cfg->blocks[b].ipdom = to < blocks ? to : walk->first[to - blocks];
  }
  free(stack);
}

PtxCfg *ptx_cfg_new(const PtxModule *module, int func, LsArena *arena) {
  const PtxFunc *f = &module->funcs[func];
  PtxCfg *cfg = LS_NEW(arena, PtxCfg);
  make_blocks(module, f, cfg, arena);
  enum { ARRAYS = 9 };
  size_t room = 2 * (size_t)cfg->block_count + 1;   // no more loops than blocks
  int *all = ls_alloc(room * ARRAYS * sizeof *all), *arrays[ARRAYS];
  for (int i = 0; i < ARRAYS; i++) arrays[i] = all + (size_t)i * room;
  Walk walk = {.cfg = cfg, .exit = cfg->block_count, .joined = ls_alloc(room), .number = arrays[0], .block = arrays[1],
               .parent = arrays[2], .semi = arrays[3], .above = arrays[4], .least = arrays[5], .waiting = arrays[6],
               .next = arrays[7], .ipdom = arrays[8]};
  connect(module, f, &walk, arena);
  fill_preds(cfg, arena);
  make_nodes(&walk, arena);
  number_nodes(&walk);
  find_ipdoms(&walk);
  ptx_cfg_meet(module, cfg, walk.node_count > cfg->block_count, arena);
  free(walk.nodes);
  free(walk.first);
  free(walk.joined);
  free(all);
  return cfg;
}

const PtxBlock *ptx_cfg_block(const PtxModule *module, const PtxCfg *cfg, int pc) {
  return &cfg->blocks[cfg->block_of[pc - module->funcs[module->code[pc].func].first]];
}

int ptx_cfg_reconvergence(const PtxModule *module, const PtxCfg *cfg, int pc) {
  const PtxBlock *block = ptx_cfg_block(module, cfg, pc);
  return block->meeting_count ? block->meetings[block->meeting_count - 1].pc : -1;
}

bool ptx_calls_itself(const PtxModule *module, int func) {
  const PtxFunc *f = &module->funcs[func];
  for (int pc = f->first; pc < f->first + f->count; pc++)
    if (module->code[pc].op == PTX_OP_call && ptx_callee(&module->code[pc]) == func) return true;
  return false;
}

bool ptx_parts_for_good(const PtxModule *module, int func) { return module->debug && ptx_calls_itself(module, func); }
