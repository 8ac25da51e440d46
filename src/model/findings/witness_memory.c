// witness_memory.c: a hash table of sectors, and the words in them that threads loaded.
#include "model/findings/witness_memory.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

enum { SECTOR = 32, WORD = 4, FIRST_ROOM = 1024, MOST_SECTORS = 1 << 16 };

typedef struct Atom { uint64_t place; } Atom;   // address and space, plus 1; 0: nothing here

struct WitnessMemory {
  WitnessSector *sectors; uint32_t room, count;
  Atom *atoms; uint32_t atom_room, atom_count;
  uint32_t request;
  bool full;
};

static uint32_t slot_of(uint64_t key, uint32_t room) {
  return (uint32_t)(key * 0x9e3779b97f4a7c15u >> 32) & (room - 1);
}

static WitnessSector *find(const WitnessMemory *memory, uint64_t number) {
  uint32_t at = slot_of(number, memory->room);
  while (memory->sectors[at].number && memory->sectors[at].number != number) at = (at + 1) & (memory->room - 1);
  return &memory->sectors[at];
}

static void grow(WitnessMemory *memory) {
  WitnessSector *old = memory->sectors;
  uint32_t room = memory->room;
  memory->room *= 2;
  memory->sectors = ls_alloc(sizeof *memory->sectors * memory->room);
  for (uint32_t i = 0; i < room; i++)
    if (old[i].number) *find(memory, old[i].number) = old[i];
  free(old);
}

// NULL: there is no more room.
static WitnessSector *sector_of(WitnessMemory *memory, uint64_t addr, int32_t pc) {
  uint64_t number = addr / SECTOR + 1;
  WitnessSector *sector = find(memory, number);
  if (sector->number) return sector;
  if (memory->count == MOST_SECTORS) {
    memory->full = true;
    return NULL;
  }
  if (memory->count * 2 >= memory->room) {
    grow(memory);
    sector = find(memory, number);
  }
  memory->count++;
  sector->number = number;
  sector->pc = pc;
  return sector;
}

WitnessMemory *witness_memory_new(void) {
  WitnessMemory *memory = ls_alloc(sizeof *memory);
  memory->room = FIRST_ROOM;
  memory->sectors = ls_alloc(sizeof *memory->sectors * memory->room);
  return memory;
}

void witness_memory_free(WitnessMemory *memory) {
  if (!memory) return;
  free(memory->sectors);
  free(memory->atoms);
  free(memory);
}

bool witness_memory_is_full(const WitnessMemory *memory) { return memory->full; }

const WitnessSector *witness_memory_next(const WitnessMemory *memory, uint32_t *at) {
  while (*at < memory->room && !memory->sectors[*at].number) ++*at;
  return *at < memory->room ? &memory->sectors[(*at)++] : NULL;
}

const WitnessSector *witness_memory_find(const WitnessMemory *memory, uint64_t sector) {
  const WitnessSector *found = find(memory, sector + 1);
  return found->number ? found : NULL;
}

// ---- accesses ------------------------------------------------------------------------------------------------------

// The part of a lane's access that lies in one sector: calls back sector by sector. A lane mostly wants the sector of
// the lane before it: then nobody searches.
typedef struct Walk { WitnessSector *sector; uint64_t number; } Walk;

static WitnessSector *step(WitnessMemory *memory, Walk *walk, uint64_t addr, int32_t pc) {
  uint64_t number = addr / SECTOR + 1;
  if (walk->number == number) return walk->sector;
  walk->number = number;
  return walk->sector = sector_of(memory, addr, pc);
}

static uint32_t bytes_of(uint64_t addr, int width) {
  unsigned at = (unsigned)(addr % SECTOR), end = LS_MIN(at + (unsigned)width, SECTOR);
  return (uint32_t)((end == 32 ? 0xffffffffu : (1u << end) - 1) & ~((1u << at) - 1));
}

// One word, wanted by one lane. Bytes that were loaded by another thread before; each word counts once in a request.
static int load_word(WitnessSector *s, int word, uint16_t thread, uint32_t request) {
  uint8_t bit = (uint8_t)(1u << word);
  if (s->request != request) s->request = request, s->counted = 0;
  if (!(s->loaded & bit)) {
    s->loaded |= bit;
    s->counted |= bit;
    s->thread[word] = thread;
    return 0;
  }
  if (s->counted & bit) return 0;
  s->counted |= bit;
  if (s->thread[word] == thread) return 0;   // it has its own word, or has lost it: no business of others
  return WORD;
}

static int load_lane(WitnessMemory *memory, Walk *walk, const TraceEvent *event, int lane) {
  uint64_t addr = event->addr[lane], end = addr + event->width;
  uint16_t thread = (uint16_t)(event->warp * 32 + lane);
  int again = 0;
  while (addr < end) {
    WitnessSector *s = step(memory, walk, addr, event->pc);
    uint64_t next = LS_MIN(end, (addr / SECTOR + 1) * SECTOR);
    if (!s) return again;
    s->wanted |= bytes_of(addr, (int)(next - addr));
    for (uint64_t at = addr / WORD; at <= (next - 1) / WORD; at++)
      again += load_word(s, (int)(at % (SECTOR / WORD)), thread, memory->request);
    addr = next;
  }
  return again;
}

int witness_memory_load(WitnessMemory *memory, const TraceEvent *event) {
  Walk walk = {0};
  int again = 0;
  memory->request++;
  for (uint32_t left = event->mask; left; left &= left - 1)
    again += load_lane(memory, &walk, event, __builtin_ctz(left));
  return again;
}

void witness_memory_store(WitnessMemory *memory, const TraceEvent *event) {
  Walk walk = {0};
  for (uint32_t left = event->mask; left; left &= left - 1) {
    uint64_t addr = event->addr[__builtin_ctz(left)], end = addr + event->width;
    while (addr < end) {
      WitnessSector *s = step(memory, &walk, addr, event->pc);
      uint64_t next = LS_MIN(end, (addr / SECTOR + 1) * SECTOR);
      if (!s) return;
      s->wanted |= bytes_of(addr, (int)(next - addr));
      for (uint64_t at = addr / WORD; at <= (next - 1) / WORD; at++)
        s->loaded &= (uint8_t) ~(1u << at % (SECTOR / WORD));
      addr = next;
    }
  }
}

// ---- atomics -------------------------------------------------------------------------------------------------------

static Atom *find_atom(const WitnessMemory *memory, uint64_t place) {
  uint32_t at = slot_of(place, memory->atom_room);
  while (memory->atoms[at].place && memory->atoms[at].place != place) at = (at + 1) & (memory->atom_room - 1);
  return &memory->atoms[at];
}

static void grow_atoms(WitnessMemory *memory) {
  Atom *old = memory->atoms;
  uint32_t room = memory->atom_room;
  memory->atom_room = room ? 2 * room : FIRST_ROOM;
  memory->atoms = ls_alloc(sizeof *memory->atoms * memory->atom_room);
  for (uint32_t i = 0; i < room; i++)
    if (old[i].place) *find_atom(memory, old[i].place) = old[i];
  free(old);
}

int witness_memory_atomic(WitnessMemory *memory, const TraceEvent *event) {
  int before = 0;
  for (uint32_t left = event->mask; left; left &= left - 1) {
    uint64_t place = (event->addr[__builtin_ctz(left)] << 3 | event->space) + 1;
    if (memory->atom_count * 2 >= memory->atom_room) grow_atoms(memory);
    Atom *atom = find_atom(memory, place);
    if (atom->place) before++;
    else atom->place = place, memory->atom_count++;
  }
  return before;
}
