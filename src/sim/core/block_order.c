// block_order.c: in which order the blocks of a grid begin.
#include "sim/core/block_order.h"

typedef struct Window { uint64_t first; uint32_t size, step, shift; } Window;

static uint32_t common_divisor(uint32_t a, uint32_t b) {
  while (b) {
    uint32_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

uint32_t sim_window_size(const SimProgram *program, uint64_t first) {
  return (uint32_t)LS_MIN((uint64_t)SIM_ORDER_WINDOW, launch_blocks(program->launch) - first);
}

// Multiples of a number that has no divisor in common with the size, from some place on: each comes once.
static Window window_at(const SimProgram *program, uint64_t place) {
  Window w = {.first = place / SIM_ORDER_WINDOW * SIM_ORDER_WINDOW};
  uint64_t random = (program->options.seed ^ w.first) * 0x9e3779b97f4a7c15ull;
  random = (random ^ random >> 29) * 0xbf58476d1ce4e5b9ull;
  random ^= random >> 32;
  w.size = sim_window_size(program, w.first);
  w.step = 1 + (uint32_t)random % w.size;
  while (common_divisor(w.step, w.size) != 1) w.step++;
  w.shift = w.size > 1 ? 1 + (uint32_t)(random >> 33) % (w.size - 1) : 0;
  return w;
}

static uint32_t block_in(const Window *w, uint64_t place) {
  return (uint32_t)(w->first + ((place - w->first) * w->step + w->shift) % w->size);
}

uint32_t sim_block_at(const SimProgram *program, uint64_t place) {
  if (!program->options.seed) return (uint32_t)place;
  Window w = window_at(program, place);
  return block_in(&w, place);
}

uint64_t sim_place_of(const SimProgram *program, uint32_t block) {
  if (!program->options.seed) return block;
  Window w = window_at(program, block);
  uint64_t place = w.first;
  while (block_in(&w, place) != block) place++;
  return place;
}
