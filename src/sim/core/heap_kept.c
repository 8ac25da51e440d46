// heap_kept.c: the device heap from one launch to the next: what is taken of it as bytes, and those checked and put
// back.
//
//   bytes = u64 size of the heap, u64 units up to the last piece, SimHeapState, a SimPiece for each of these units,
// then
//   their contents, and for each byte of them whether somebody has written it
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "sim/core/heap.h"

typedef struct Head { uint64_t size, units; SimHeapState state; } Head;

static SimPiece *pieces_of(const SimMemory *memory) { return (SimPiece *)(void *)memory->heap_records->bytes; }
static uint32_t unit_count(const SimMemory *memory) { return (uint32_t)(memory->heap->size / SIM_HEAP_UNIT); }

static SimHeapState *state_of(const SimMemory *memory) {
  return (SimHeapState *)(void *)(pieces_of(memory) + unit_count(memory));
}

static uint64_t kept_bytes(uint64_t units) {
  return sizeof(Head) + units * (sizeof(SimPiece) + 2 * (uint64_t)SIM_HEAP_UNIT);
}

// Units up to the end of the last piece, taken or given back.
static uint32_t used_units(const SimMemory *memory) {
  uint32_t used = 0;
  for (uint32_t at = 0; at < unit_count(memory) && pieces_of(memory)[at].units; at += pieces_of(memory)[at].units)
    if (pieces_of(memory)[at].state != SIM_HEAP_ROOM) used = at + pieces_of(memory)[at].units;
  return used;
}

uint8_t *sim_heap_keep(const SimMemory *memory, uint64_t *size) {
  *size = 0;
  if (!memory->heap || !state_of(memory)->begun) return NULL;
  Head head = {memory->heap_size, used_units(memory), *state_of(memory)};
  uint64_t bytes = head.units * SIM_HEAP_UNIT;
  *size = kept_bytes(head.units);
  uint8_t *kept = ls_alloc(*size), *at = kept + sizeof head;
  memcpy(kept, &head, sizeof head);
  memcpy(at, pieces_of(memory), head.units * sizeof(SimPiece));
  at += head.units * sizeof(SimPiece);
  memcpy(at, memory->heap->bytes, bytes);
  if (memory->heap->init) memcpy(at + bytes, memory->heap->init, bytes);
  else memset(at + bytes, 1, bytes);
  return kept;
}

// ---- checked -------------------------------------------------------------------------------------------------------

static bool get_head(const uint8_t *kept, uint64_t size, Head *head) {
  if (!kept || size < sizeof *head) return false;
  memcpy(head, kept, sizeof *head);
  bool fits = head->size / SIM_HEAP_UNIT < UINT32_MAX / 4 && head->units <= head->size / SIM_HEAP_UNIT;
  return fits && size == kept_bytes(head->units);
}

// One after the other they fill the units, and each unit of a piece says whose it is. Others name one that there is.
static bool are_pieces(const SimPiece *pieces, uint64_t units) {
  uint64_t at = 0;
  for (uint64_t i = 0; i < units; i++)
    if (pieces[i].first > units) return false;
  for (uint32_t length; at < units; at += length) {
    const SimPiece *p = &pieces[at];
    length = p->units;
    if (!length || length > units - at || p->state > SIM_HEAP_FREED) return false;
    bool fits = p->size <= (uint64_t)length * SIM_HEAP_UNIT - SIM_HEAP_HEAD;
    for (uint64_t i = at; p->state != SIM_HEAP_ROOM && i < at + length; i++) fits &= pieces[i].first == at + 1;
    if (p->state != SIM_HEAP_ROOM && !fits) return false;
  }
  return at == units;
}

bool sim_heap_is_kept(const uint8_t *kept, uint64_t size) {
  Head head;
  if (!get_head(kept, size, &head)) return false;
  SimPiece *pieces = ls_alloc(head.units * sizeof *pieces + 1);
  memcpy(pieces, kept + sizeof head, head.units * sizeof *pieces);
  bool ok = are_pieces(pieces, head.units) && head.state.next < LS_MAX(head.size / SIM_HEAP_UNIT, 1);
  free(pieces);
  return ok;
}

// ---- put back ------------------------------------------------------------------------------------------------------

uint64_t sim_heap_kept_size(const uint8_t *kept, uint64_t size, bool whole) {
  Head head;
  if (!get_head(kept, size, &head)) return 0;
  return whole ? head.size : LS_MAX(head.units, 1) * SIM_HEAP_UNIT;
}

void sim_heap_restore(SimMemory *memory, const uint8_t *kept, uint64_t size) {
  Head head;
  if (!memory->heap || !get_head(kept, size, &head) || head.units > unit_count(memory)) return;
  const uint8_t *at = kept + sizeof head;
  uint64_t bytes = head.units * SIM_HEAP_UNIT, left = unit_count(memory) - head.units;
  memory->heap_size = head.size;
  memcpy(pieces_of(memory), at, head.units * sizeof(SimPiece));
  at += head.units * sizeof(SimPiece);
  memcpy(memory->heap->bytes, at, bytes);
  if (memory->heap->init) memcpy(memory->heap->init, at + bytes, bytes);
  if (left) pieces_of(memory)[head.units] = (SimPiece){.units = left & 0x3fffffff, .state = SIM_HEAP_ROOM};
  *state_of(memory) = head.state;
  if (head.state.next >= unit_count(memory)) state_of(memory)->next = 0;
}
