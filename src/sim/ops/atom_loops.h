// atom_loops.h: the inner loops of atomics on words of 32 and 64 bits, one for each operation and type.
#ifndef LS_SIM_ATOM_LOOPS_H
#define LS_SIM_ATOM_LOOPS_H

#include <stdint.h>
#include <string.h>
#include "sim/core/inst.h"

// What lane i changes is at origin + at[i]; operands and old values are elements of the atomic's size, one per lane.
typedef struct SimAtomRun {
  uintptr_t origin;
  const uint64_t *at;
  uint32_t mask;
  const void *operand, *compare;   // compare: of CAS alone
  void *old;                       // may be the operand: a lane's is read before its old value is written
  uint32_t changed;                // out, but where sim_atom_quiet_loop has one: lanes that left another value than
                                   // they found
} SimAtomRun;

// A SimAtomLoop runs the lanes in their order.
SimAtomLoop sim_atom_loop(const SimMem *mem);         // NULL: for this one there is none
SimAtomLoop sim_atom_quiet_loop(const SimMem *mem);   // one that leaves `old` alone; NULL

// Sums as atomics make them, of bits.
static inline uint32_t sim_atom_sum32(uint32_t a, uint32_t b) {
  float x, y;
  memcpy(&x, &a, 4);
  memcpy(&y, &b, 4);
  x += y;
  memcpy(&a, &x, 4);
  return x != x ? 0x7fffffffu : a;
}

static inline uint64_t sim_atom_sum64(uint64_t a, uint64_t b) {
  double x, y;
  memcpy(&x, &a, 8);
  memcpy(&y, &b, 8);
  x += y;
  memcpy(&a, &x, 8);
  return a;
}

#endif
