// heap.h: the device heap, which malloc() and free() of a kernel take from and give back to (CUDA C++ Programming
// Guide,
// "Dynamic Global Memory Allocation").
//
// Two allocations of global memory: the bytes that pointers reach, and, where no pointer does, a record for each
// unit of
// them. So what a replay keeps of memory holds the heap, too. The first unit of a piece tells of all of it, the others
// tell which that is. What was given back is taken again as late as possible, so that who still uses it is found out.
//
//   bytes     | piece of 3 units | room of 2 | piece of 2 | room ...
//   records   |  3   ^   ^       |  2        |  2   ^     |            and a SimHeapState behind them
#ifndef LS_SIM_HEAP_H
#define LS_SIM_HEAP_H

#include <stdbool.h>
#include <stdint.h>
#include "sim/core/exec.h"

enum {
  SIM_HEAP_BYTES = 8 << 20,                // cudaLimitMallocHeapSize, if nobody sets it
  SIM_HEAP_UNIT = 80, SIM_HEAP_HEAD = 16,  // as an H200 lays out pieces of up to some hundred bytes: units, of whose
                                           // first
                                           // 16 bytes are the device's
};

typedef enum SimPieceState { SIM_HEAP_ROOM, SIM_HEAP_TAKEN, SIM_HEAP_FREED } SimPieceState;

typedef struct SimPiece {
  uint64_t size;           // bytes that were asked for
  uint32_t first;          // unit + 1 of the piece that this unit belongs to; 0: none
  uint32_t units : 30, state : 2;          // of a first unit: units of the piece or room, SimPieceState
  uint32_t block, thread;  // who took it
  int32_t taken_at, freed_at;              // pc
} SimPiece;

typedef struct SimHeapState {
  bool begun;              // there is a record of the room
  uint32_t next;           // unit at which to look for room
  uint32_t full_at;        // for so many units there was no room since something was given back; 0: there was
  uint64_t taken, freed;   // pieces
  uint64_t failed;         // calls for which there was no room
} SimHeapState;

SimBuiltin sim_heap_function(const PtxFunc *func);         // malloc(), free() ... that are only declared; NONE: another
bool sim_calls_heap(const SimProgram *program);            // can it reach one of them?
uint64_t sim_heap_record_bytes(uint64_t heap_bytes);       // what is known of a heap of so many bytes

// For a thread of the running warp, at a multiple of `align` (a power of two); of no bytes, too. 0: there is no room.
uint64_t sim_heap_take(SimExec *exec, uint32_t lane, uint64_t size, uint64_t align);
uint64_t sim_heap_taken_bytes(uint64_t size);              // that so many bytes are put into
bool sim_heap_free(SimExec *exec, uint64_t address);       // false: no piece that is taken begins there

bool sim_heap_has(const SimMemory *memory, uint64_t address);
// The piece that the address is in, taken or freed, and where it begins; NULL: none.
const SimPiece *sim_heap_piece(const SimMemory *memory, uint64_t address, uint64_t *base);
// ---- heap_kept.c: from one launch to the next, as long as a program runs (Launch.heap) ----
uint8_t *sim_heap_keep(const SimMemory *memory, uint64_t *size);      // NULL: nobody has taken anything; the caller
                                                                      // frees
bool sim_heap_is_kept(const uint8_t *kept, uint64_t size);            // such bytes, from a file
// The bytes of the heap that it was, or of as much as is taken; 0: none was kept.
uint64_t sim_heap_kept_size(const uint8_t *kept, uint64_t size, bool whole);
void sim_heap_restore(SimMemory *memory, const uint8_t *kept, uint64_t size);
const SimHeapState *sim_heap_state(const SimMemory *memory);   // NULL: there is no heap, or nobody asked it for
                                                               // anything

#endif
