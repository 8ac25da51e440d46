// cfg.c: basic blocks and immediate post-dominators (Cooper, Harvey, Kennedy: A Simple, Fast Dominance Algorithm).
#include "ptx/cfg.h"

#include <stdlib.h>
#include <string.h>

// The walk numbers blocks from a virtual exit, block_count, backwards along edges. A block that never reaches an exit
// (an endless loop) is joined to it, so that every block has a post-dominator.
typedef struct Walk {
  PtxCfg *cfg;
  int exit;            // number of the virtual exit: block_count
  bool *joined;        // block has an edge to the exit
  int *order;          // blocks by post-order number
  int *number;         // post-order number of a block; -1 if not reached
  int count;
  int *ipdom;
} Walk;

static bool ends_flow(const PtxInstr *instr) {
  return (instr->op == PTX_OP_ret || instr->op == PTX_OP_exit || instr->op == PTX_OP_trap);
}

static bool ends_block(const PtxInstr *instr) {
  return instr->op == PTX_OP_bra || instr->op == PTX_OP_brx || ends_flow(instr);
}

// Calls visit(context, pc) for each place the instruction may go to other than the next one.
static void for_each_target(const PtxModule *m, const PtxInstr *instr, void (*visit)(void *context, int pc), void *context) {
  for (int i = 0; i < instr->operand_count && (instr->op == PTX_OP_bra || instr->op == PTX_OP_brx); i++) {
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
    if (ends_block(instr)) mark_leader(&leaders, func->first + i + 1);
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

typedef struct Edges { const PtxFunc *func; PtxCfg *cfg; int *succ; int count, capacity; } Edges;

// The virtual exit is written as block_count while edges are gathered.
static void add_edge(void *context, int pc) {
  Edges *edges = context;
  int at = pc - edges->func->first;
  int to = at >= 0 && at < edges->func->count ? edges->cfg->block_of[at] : edges->cfg->block_count;
  for (int i = 0; i < edges->count; i++) {
    if (edges->succ[i] == to) return;
  }
  LS_PUSH(edges->succ, edges->count, edges->capacity, to);
}

static void connect(const PtxModule *m, const PtxFunc *func, Walk *walk, LsArena *arena) {
  PtxCfg *cfg = walk->cfg;
  Edges edges = {.func = func, .cfg = cfg};
  for (int b = 0; b < cfg->block_count; b++) {
    PtxBlock *block = &cfg->blocks[b];
    int last = block->first + block->count - 1;
    const PtxInstr *instr = &m->code[last];
    bool falls = !ends_block(instr) || instr->guard >= 0;
    edges.count = 0;
    for_each_target(m, instr, add_edge, &edges);
    if (falls) add_edge(&edges, last + 1);
    walk->joined[b] = ends_flow(instr) || edges.count == 0;
    block->succ = LS_NEW_ARRAY(arena, int, edges.count);
    for (int i = 0; i < edges.count; i++) {
      if (edges.succ[i] == walk->exit) walk->joined[b] = true;
      else block->succ[block->succ_count++] = edges.succ[i];
    }
  }
  free(edges.succ);
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

// Depth first along predecessors from `root`, giving post-order numbers, with a stack of our own: code may be long.
static void number_from(Walk *walk, int root, int *stack, int *next) {
  enum { OPEN = -2 };
  int depth = 0;
  if (walk->number[root] != -1) return;
  stack[depth++] = root;
  walk->number[root] = OPEN;
  next[root] = 0;
  while (depth) {
    int b = stack[depth - 1];
    if (next[b] == walk->cfg->blocks[b].pred_count) {
      walk->number[b] = walk->count;
      walk->order[walk->count++] = b;
      depth--;
      continue;
    }
    int pred = walk->cfg->blocks[b].pred[next[b]++];
    if (walk->number[pred] != -1) continue;
    walk->number[pred] = OPEN;
    next[pred] = 0;
    stack[depth++] = pred;
  }
}

// Numbers all blocks; joins to the exit, last block first, what the walk from the exits does not reach.
static void number_blocks(Walk *walk) {
  int n = walk->cfg->block_count;
  int *stack = ls_alloc(sizeof(int) * (size_t)n), *next = ls_alloc(sizeof(int) * (size_t)n);
  for (int b = 0; b < n; b++) walk->number[b] = -1;
  for (int b = 0; b < n; b++) {
    if (walk->joined[b]) number_from(walk, b, stack, next);
  }
  for (int b = n - 1; b >= 0; b--) {
    if (walk->number[b] != -1) continue;
    walk->joined[b] = true;
    number_from(walk, b, stack, next);
  }
  walk->number[walk->exit] = n;
  free(stack);
  free(next);
}

static int meet(const Walk *walk, int a, int b) {
  while (a != b) {
    while (walk->number[a] < walk->number[b]) a = walk->ipdom[a];
    while (walk->number[b] < walk->number[a]) b = walk->ipdom[b];
  }
  return a;
}

static int meet_of_succs(const Walk *walk, int b) {
  const PtxBlock *block = &walk->cfg->blocks[b];
  int found = walk->joined[b] ? walk->exit : -1;
  for (int i = 0; i < block->succ_count; i++) {
    int succ = block->succ[i];
    if (walk->ipdom[succ] == -1) continue;
    found = found == -1 ? succ : meet(walk, succ, found);
  }
  return found;
}

static void find_ipdoms(Walk *walk) {
  int n = walk->cfg->block_count;
  for (int b = 0; b < n; b++) walk->ipdom[b] = -1;
  walk->ipdom[walk->exit] = walk->exit;
  for (bool changed = true; changed;) {
    changed = false;
    for (int i = n - 1; i >= 0; i--) {
      int b = walk->order[i], found = meet_of_succs(walk, b);
      changed |= walk->ipdom[b] != found;
      walk->ipdom[b] = found;
    }
  }
  for (int b = 0; b < n; b++) walk->cfg->blocks[b].ipdom = walk->ipdom[b] == walk->exit ? -1 : walk->ipdom[b];
}

PtxCfg *ptx_cfg_new(const PtxModule *module, int func, LsArena *arena) {
  const PtxFunc *f = &module->funcs[func];
  PtxCfg *cfg = LS_NEW(arena, PtxCfg);
  make_blocks(module, f, cfg, arena);
  size_t room = (size_t)cfg->block_count + 1;
  Walk walk = {.cfg = cfg, .exit = cfg->block_count, .joined = ls_alloc(room), .order = ls_alloc(room * sizeof(int)),
               .number = ls_alloc(room * sizeof(int)), .ipdom = ls_alloc(room * sizeof(int))};
  connect(module, f, &walk, arena);
  fill_preds(cfg, arena);
  number_blocks(&walk);
  find_ipdoms(&walk);
  free(walk.joined);
  free(walk.order);
  free(walk.number);
  free(walk.ipdom);
  return cfg;
}

int ptx_cfg_reconvergence(const PtxModule *module, const PtxCfg *cfg, int pc) {
  int first = module->funcs[module->code[pc].func].first;
  int ipdom = cfg->blocks[cfg->block_of[pc - first]].ipdom;
  return ipdom < 0 ? -1 : cfg->blocks[ipdom].first;
}
