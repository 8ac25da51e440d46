// witness_memory.h: which bytes of memory the threads of one block wanted, and how often: what is loaded again by
// other threads, what of a sector nobody wants, which addresses many atomics go to.
//
// Global memory by sectors, in a hash table of limited size: a block that touches more of them is not followed to its
// end. "Again" is a word that another thread of the block has loaded before, and that nobody in the block has changed
// since. Loads that ask for what other blocks write (volatile, relaxed, acquire) are no such.
#ifndef LS_MODEL_WITNESS_MEMORY_H
#define LS_MODEL_WITNESS_MEMORY_H

#include "trace/trace.h"

typedef struct WitnessMemory WitnessMemory;

typedef struct WitnessSector {
  uint64_t number;             // address / 32, plus 1; 0: nothing here
  uint32_t wanted;             // bytes that anybody loaded, stored or changed
  uint32_t request;            // the last one that counted `counted`
  int32_t pc;                  // that wanted something of it first
  uint8_t loaded, counted;     // words
  uint16_t thread[8];          // that loaded each word first
} WitnessSector;

WitnessMemory *witness_memory_new(void);
void witness_memory_free(WitnessMemory *memory);   // NULL is fine
// A load of global memory. Returns how many of its bytes were loaded by other threads before.
int witness_memory_load(WitnessMemory *memory, const TraceEvent *event);
void witness_memory_store(WitnessMemory *memory, const TraceEvent *event);   // a store or an atomic
// Lanes of an atomic whose address the block has changed by atomics before, this very request included.
int witness_memory_atomic(WitnessMemory *memory, const TraceEvent *event);
bool witness_memory_is_full(const WitnessMemory *memory);
// The sectors in no order: calls of *at from 0 on until NULL.
const WitnessSector *witness_memory_next(const WitnessMemory *memory, uint32_t *at);
// By address / 32; NULL: not touched.
const WitnessSector *witness_memory_find(const WitnessMemory *memory, uint64_t sector);

#endif
