// heap.c: pieces of the device heap: taken where there is room, the next one behind the last, and given back.
#include "sim/core/heap.h"
#include <string.h>
#include "sim/core/place.h"

// ---- records -------------------------------------------------------------------------------------------------------

static uint32_t unit_count(const SimMemory *memory) { return (uint32_t)(memory->heap->size / SIM_HEAP_UNIT); }
static uint64_t units_of(uint64_t size) { return (size + SIM_HEAP_HEAD + SIM_HEAP_UNIT - 1) / SIM_HEAP_UNIT; }
static uint64_t start_of(uint32_t unit) { return (uint64_t)unit * SIM_HEAP_UNIT + SIM_HEAP_HEAD; }   // of a piece
static SimPiece *pieces_of(const SimMemory *memory) { return (SimPiece *)(void *)memory->heap_records->bytes; }

static SimHeapState *state_of(const SimMemory *memory) {
  return (SimHeapState *)(void *)(pieces_of(memory) + unit_count(memory));
}

uint64_t sim_heap_record_bytes(uint64_t heap_bytes) {
  return heap_bytes / SIM_HEAP_UNIT * sizeof(SimPiece) + sizeof(SimHeapState);
}

static void touch_records(SimExec *exec, uint32_t unit, uint32_t count) {
  sim_touch_bytes(exec, exec->memory->heap_records, (uint64_t)unit * sizeof(SimPiece),
                  (uint64_t)count * sizeof(SimPiece));
}

static SimHeapState *changing_state(SimExec *exec) {
  SimHeapState *state = state_of(exec->memory);
  uint64_t offset = (uint64_t)unit_count(exec->memory) * sizeof(SimPiece);
  sim_touch_bytes(exec, exec->memory->heap_records, offset, sizeof *state);
  if (state->begun) return state;
  state->begun = true;
  touch_records(exec, 0, 1);
  pieces_of(exec->memory)[0].units = unit_count(exec->memory) & 0x3fffffff;
  return state;
}

// ---- room ----------------------------------------------------------------------------------------------------------

typedef struct Room { uint32_t first, units; } Room;   // what is not taken, in a row

// Units up to the first one where a piece is aligned.
static uint32_t lead(Room room, uint64_t align) {
  uint32_t skipped = 0;
  while (skipped < room.units && start_of(room.first + skipped) % align) skipped++;
  return skipped;
}

// Between two units, where records of pieces or room begin. False: there is none for so many units.
static bool find_between(const SimMemory *memory, uint32_t from, uint32_t units, uint64_t align, Room *room) {
  const SimPiece *pieces = pieces_of(memory);
  *room = (Room){from, 0};
  for (uint32_t at = from; at < unit_count(memory); at += pieces[at].units) {
    if (pieces[at].state == SIM_HEAP_TAKEN) *room = (Room){at + pieces[at].units, 0};
    else room->units += pieces[at].units;
    if (room->units >= units && room->units - units >= lead(*room, align)) return true;
  }
  return false;
}

static void set_room(SimExec *exec, uint32_t first, uint32_t units) {
  if (!units) return;
  SimPiece *p = &pieces_of(exec->memory)[first];
  touch_records(exec, first, 1);
  bool was_first = p->first == first + 1 && p->state == SIM_HEAP_FREED;   // who comes there still, is told of it
  if (!was_first) p->state = SIM_HEAP_ROOM;
  p->units = units & 0x3fffffff;
}

static void set_piece(SimExec *exec, uint32_t first, SimPiece piece) {
  SimPiece *pieces = pieces_of(exec->memory);
  touch_records(exec, first, piece.units);
  pieces[first] = piece;
  for (uint32_t i = 0; i < piece.units; i++) pieces[first + i].first = first + 1;
}

// New memory has no contents.
static void forget_bytes(SimExec *exec, uint64_t offset, uint64_t size) {
  SimAlloc *heap = exec->memory->heap;
  sim_touch_bytes(exec, heap, offset, size);
  if (heap->init) memset(heap->init + offset, 0, size);
}

// ---- malloc and free -----------------------------------------------------------------------------------------------

uint64_t sim_heap_taken_bytes(uint64_t size) { return units_of(size) * SIM_HEAP_UNIT - SIM_HEAP_HEAD; }

static int32_t calling_pc(const SimExec *exec) { return sim_reported_pc(exec, exec->warp, exec->group, exec->pc); }

uint64_t sim_heap_take(SimExec *exec, uint32_t lane, uint64_t size, uint64_t align) {
  SimMemory *memory = exec->memory;
  SimHeapState *state = changing_state(exec);
  Room room;
  exec->block.changes++;
  uint64_t wanted = size > memory->heap->size ? unit_count(memory) + 1ull : units_of(size);
  bool hopeless = wanted > unit_count(memory) || align > memory->heap->size || (state->full_at && wanted >= state->full_at);
  uint32_t units = (uint32_t)wanted;
  if (hopeless || (!find_between(memory, state->next, units, align, &room) && !find_between(memory, 0, units, align, &room))) {
    if (!hopeless && align <= SIM_HEAP_HEAD) state->full_at = units;
    state->failed++;
    return 0;
  }
  uint32_t skipped = lead(room, align), first = room.first + skipped;
  set_room(exec, room.first, skipped);
  set_room(exec, first + units, room.units - skipped - units);
  set_piece(exec, first, (SimPiece){.size = size, .units = units & 0x3fffffff, .state = SIM_HEAP_TAKEN,
                                    .block = exec->block.number, .taken_at = calling_pc(exec), .freed_at = -1,
                                    .thread = (uint32_t)sim_warp_index(exec) * SIM_LANES + lane});
  forget_bytes(exec, start_of(first), size);
  state->next = first + units < unit_count(memory) ? first + units : 0;
  state->taken++;
  return memory->heap->base + start_of(first);
}

bool sim_heap_free(SimExec *exec, uint64_t address) {
  uint64_t base;
  SimHeapState *state = changing_state(exec);
  const SimPiece *piece = sim_heap_piece(exec->memory, address, &base);
  exec->block.changes++;
  if (!piece || base != address || piece->state != SIM_HEAP_TAKEN) return false;
  SimPiece *p = &pieces_of(exec->memory)[piece->first - 1];
  touch_records(exec, p->first - 1, 1);
  p->state = SIM_HEAP_FREED;
  p->freed_at = calling_pc(exec);
  state->full_at = 0;
  state->freed++;
  return true;
}

// ---- is there one? -------------------------------------------------------------------------------------------------

typedef struct HeapFunction { const char *name; SimBuiltin builtin; int params, results; } HeapFunction;
static const HeapFunction functions[] = {
    {"malloc", SIM_BUILTIN_MALLOC, 1, 1},
    {"__cuda_syscall_aligned_malloc", SIM_BUILTIN_ALIGNED_MALLOC, 2, 1},   // of bytes, alignment
    {"free", SIM_BUILTIN_FREE, 1, 0},
};

SimBuiltin sim_heap_function(const PtxFunc *f) {
  for (int i = 0; i < LS_COUNT(functions) && f->is_extern; i++) {
    const HeapFunction *h = &functions[i];
    bool same = strcmp(f->name, h->name) == 0 && f->param_count == h->params && f->result_count == h->results;
    for (int k = 0; k < h->params && same; k++) same = f->params[k].size == 8;
    if (same && (!h->results || f->results[0].size == 8)) return h->builtin;
  }
  return SIM_BUILTIN_NONE;
}

static bool is_device_malloc(const PtxFunc *f) {
  return f->is_extern && (strcmp(f->name, "__cudaCDP2Malloc") == 0 || strcmp(f->name, "__cudaCDP2Free") == 0);
}

bool sim_calls_heap(const SimProgram *program) {
  const PtxModule *m = program->module;
  for (int pc = 0; pc < m->code_count; pc++) {
    int callee = program->funcs[m->code[pc].func].reached ? ptx_callee(&m->code[pc]) : -1;
    if (callee >= 0 && (sim_heap_function(&m->funcs[callee]) || is_device_malloc(&m->funcs[callee]))) return true;
  }
  return false;
}

// ---- what there is -------------------------------------------------------------------------------------------------

bool sim_heap_has(const SimMemory *memory, uint64_t address) {
  return memory->heap && address - memory->heap->base < memory->heap->size;
}

// A unit may still name a piece that has lost it to another one.
const SimPiece *sim_heap_piece(const SimMemory *memory, uint64_t address, uint64_t *base) {
  if (!sim_heap_has(memory, address)) return NULL;
  const SimPiece *pieces = pieces_of(memory);
  uint32_t unit = (uint32_t)((address - memory->heap->base) / SIM_HEAP_UNIT), first = pieces[unit].first - 1;
  if (!pieces[unit].first || pieces[first].first != first + 1 || pieces[first].state == SIM_HEAP_ROOM) return NULL;
  if (unit - first >= units_of(pieces[first].size)) return NULL;
  *base = memory->heap->base + start_of(first);
  return &pieces[first];
}

const SimHeapState *sim_heap_state(const SimMemory *memory) {
  return memory->heap && state_of(memory)->begun ? state_of(memory) : NULL;
}
