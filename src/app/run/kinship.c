// kinship.c: who last read and wrote each word, and whether that is ordered before who comes now.
#include "app/run/kinship.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "ptx/param_use.h"

enum { WORD = 4, PAGE_WORDS = 1024, MOST_RACES = 64 };
static const uint64_t most_followed = 64ull << 20;   // bytes of objects

// One access, and how far its warp was in its block.
typedef struct Mark {
  uint32_t node, block;        // node + 1; 0: nobody
  int32_t pc;
  uint16_t warp;
  bool is_atomic;
  uint32_t phase;              // barriers that the warp had come to
  uint64_t time;               // events of the family before it
} Mark;
typedef struct Cell { Mark write, read; } Cell;
typedef struct Area { uint64_t base, size; Cell **pages; } Area;

typedef struct Node {
  int parent, depth, op;
  const KinOrder *order;       // that it is an operation of; NULL: the host's
  int first_call;              // of the device runtime, among all
  uint32_t phase;              // of the launching warp, at the launch
  uint64_t time;
  bool has_fences;             // its blocks may tell one another what they have done
} Node;

typedef struct Call { uint32_t phase; uint64_t time; } Call;

struct Kinship {
  TraceSink sink;
  const PtxModule *module;
  Area *areas; int area_count, last;
  Node *nodes; int node_count, node_capacity;
  int current;
  uint32_t block, phases[32];  // of the running block
  Call *calls; int call_count, call_capacity;
  uint64_t time;
  KinRace *races; int race_count, race_capacity;
};

static Kinship *kinship_of(TraceSink *sink) { return (Kinship *)(void *)sink; }   // sink is its first member

// ---- order ---------------------------------------------------------------------------------------------------------

static bool is_before_launch(const Kinship *kin, const Mark *mark, const Node *child) {
  const SimDeviceOp *op = &child->order->ops[child->op];
  const Node *parent = &kin->nodes[child->parent];
  if (op->stream == SIM_STREAM_TAIL) return true;
  if (mark->block != op->block) return parent->has_fences && mark->time < child->time;
  if (mark->warp == op->thread / 32) return mark->time < child->time;
  return mark->phase < child->phase;
}

static bool is_ordered(const Kinship *kin, const Mark *mark) {
  int a = (int)mark->node - 1, b = kin->current, below = -1;
  while (kin->nodes[a].depth > kin->nodes[b].depth) a = kin->nodes[a].parent;
  while (kin->nodes[b].depth > kin->nodes[a].depth) below = b, b = kin->nodes[b].parent;
  if (a == b) return below < 0 || (int)mark->node - 1 != a || is_before_launch(kin, mark, &kin->nodes[below]);
  while (kin->nodes[a].parent != kin->nodes[b].parent) a = kin->nodes[a].parent, b = kin->nodes[b].parent;
  return kin_order_is(kin->nodes[a].order, kin->nodes[a].op, kin->nodes[b].op);
}

// ---- words ---------------------------------------------------------------------------------------------------------

static Cell *cell_at(Kinship *kin, uint64_t addr, int *area) {
  for (int k = 0; k < kin->area_count; k++) {
    int i = (kin->last + k) % kin->area_count;
    Area *a = &kin->areas[i];
    if (addr < a->base || addr - a->base >= a->size || !a->pages) continue;
    uint64_t word = (addr - a->base) / WORD;
    Cell **page = &a->pages[word / PAGE_WORDS];
    if (!*page) *page = ls_alloc(sizeof **page * PAGE_WORDS);
    *area = kin->last = i;
    return &(*page)[word % PAGE_WORDS];
  }
  return NULL;
}

static bool is_known(const Kinship *kin, int32_t pc, int32_t other_pc) {
  for (int i = 0; i < kin->race_count; i++)
    if (kin->races[i].pc == pc && kin->races[i].other_pc == other_pc) return true;
  return kin->race_count >= MOST_RACES;
}

static void judge(Kinship *kin, const Mark *earlier, const Mark *now, bool writes, bool other_writes, int area,
                  uint64_t addr) {
  bool other_grid = earlier->node && earlier->node != now->node;
  if (!other_grid || (earlier->is_atomic && now->is_atomic) || is_known(kin, now->pc, earlier->pc)) return;
  if (is_ordered(kin, earlier)) return;
  KinRace race = {.node = kin->current,
                  .other = (int)earlier->node - 1,
                  .pc = now->pc,
                  .other_pc = earlier->pc,
                  .object = area,
                  .offset = addr - kin->areas[area].base,
                  .writes = writes,
                  .other_writes = other_writes};
  LS_PUSH(kin->races, kin->race_count, kin->race_capacity, race);
}

static void touch(Kinship *kin, uint64_t addr, const Mark *mark, bool writes) {
  int area;
  Cell *cell = cell_at(kin, addr, &area);
  if (!cell) return;
  judge(kin, &cell->write, mark, writes, true, area, addr);
  if (writes) judge(kin, &cell->read, mark, true, false, area, addr);
  if (writes) cell->write = *mark;
  else cell->read = *mark;
}

static bool is_device_call(const Kinship *kin, int32_t pc) {
  int callee = ptx_callee(&kin->module->code[pc]);
  return callee >= 0 && sim_is_runtime(&kin->module->funcs[callee]);
}

static void note_call(Kinship *kin, const TraceEvent *event) {
  if (!is_device_call(kin, event->pc)) return;
  LS_PUSH(kin->calls, kin->call_count, kin->call_capacity, ((Call){kin->phases[event->warp % 32], kin->time}));
}

static void on_access(TraceSink *sink, const TraceEvent *event) {
  Kinship *kin = kinship_of(sink);
  if (event->kind == TRACE_BARRIER) kin->phases[event->warp % 32]++;
  kin->time++;
  if (event->kind == TRACE_CALL) note_call(kin, event);
  bool is_access = event->kind == TRACE_LOAD || event->kind == TRACE_STORE || event->kind == TRACE_ATOM;
  if (!is_access || event->space != TRACE_GLOBAL || !event->addr) return;
  Mark mark = {.node = (uint32_t)kin->current + 1, .block = event->block, .pc = event->pc, .warp = event->warp,
               .is_atomic = event->kind == TRACE_ATOM, .phase = kin->phases[event->warp % 32], .time = kin->time};
  for (int lane = 0; lane < 32; lane++)
    for (uint64_t at = 0; event->mask >> lane & 1 && at < event->width; at += WORD)
      touch(kin, event->addr[lane] + at, &mark, event->kind != TRACE_LOAD);
}

static void on_block(TraceSink *sink, uint32_t block, bool recorded) {
  Kinship *kin = kinship_of(sink);
  (void)recorded;
  kin->block = block;
  memset(kin->phases, 0, sizeof kin->phases);
}

// ---- grids ---------------------------------------------------------------------------------------------------------

static bool has_fences(const PtxModule *module, int entry) {
  uint8_t *reached = ls_alloc((size_t)module->func_count + 1);
  bool any = false;
  ptx_reach(module, entry, reached);
  for (int pc = 0; pc < module->code_count && !any; pc++) {
    PtxOp op = (PtxOp)module->code[pc].op;
    any = reached[module->code[pc].func] && (op == PTX_OP_membar || op == PTX_OP_fence);
  }
  free(reached);
  return any;
}

int kinship_begin(Kinship *kin, int parent, const KinOrder *order, int op) {
  int call = kin->nodes[parent].first_call + (int)order->ops[op].call - 1;
  Call at = call < kin->call_count ? kin->calls[call] : (Call){0};
  Node node = {.parent = parent,
               .op = op,
               .order = order,
               .depth = kin->nodes[parent].depth + 1,
               .phase = at.phase,
               .time = at.time,
               .first_call = kin->call_count,
               .has_fences = has_fences(kin->module, order->ops[op].func)};
  LS_PUSH(kin->nodes, kin->node_count, kin->node_capacity, node);
  return kin->current = kin->node_count - 1;
}

Kinship *kinship_new(const PtxModule *module, int entry, const TraceInfo *info) {
  Kinship *kin = ls_alloc(sizeof *kin);
  uint64_t bytes = 0;
  *kin = (Kinship){
      .sink = {.access = on_access, .begin_block = on_block}, .module = module, .area_count = info->object_count};
  kin->areas = ls_alloc(sizeof *kin->areas * (size_t)(info->object_count + 1));
  for (int i = 0; i < info->object_count; i++) {
    const TraceObject *o = &info->objects[i];
    kin->areas[i] = (Area){.base = o->base, .size = o->size};
    if (o->space != TRACE_GLOBAL || sim_is_of_one_run(o->base) || (bytes += o->size) > most_followed) continue;
    kin->areas[i].pages = ls_alloc(sizeof *kin->areas[i].pages * (o->size / (WORD * PAGE_WORDS) + 1));
  }
  Node root = {.parent = -1, .has_fences = has_fences(module, entry)};
  LS_PUSH(kin->nodes, kin->node_count, kin->node_capacity, root);
  return kin;
}

void kinship_free(Kinship *kin) {
  if (!kin) return;
  for (int i = 0; i < kin->area_count; i++) {
    Area *a = &kin->areas[i];
    for (uint64_t p = 0; a->pages && p <= a->size / (WORD * PAGE_WORDS); p++) free(a->pages[p]);
    free(a->pages);
  }
  free(kin->areas);
  free(kin->nodes);
  free(kin->calls);
  free(kin->races);
  free(kin);
}

TraceSink *kinship_sink(Kinship *kin) { return &kin->sink; }

const KinRace *kinship_races(const Kinship *kin, int *count) {
  *count = kin->race_count;
  return kin->races;
}
