// shadow_fellows.c: warps that stored one value into a word of shared memory with nothing that orders them.
//
// That is no race, but each of them meets whoever reads the word or stores another value there. The word's cell has the
// latest of them; the others are its fellows, and a mark in the cell makes all take a closer look.
#include "sim/check/shadow_words.h"

static SimFellows fellow_of_writer(const struct SimShadow *shadow, uint64_t word) {
  uint32_t packed = sim_shadow_weak_writer(shadow, word);
  return (SimFellows){.epoch = packed >> SIM_CELL_SHIFT, .warps = 1u << (packed & 31), .info = shadow->cells.info[word],
                      .bytes = packed & SIM_CELL_MORE ? shadow->slow[word].write_bytes : 15};
}

// As with readers only the bytes that all of them wrote are kept, so that nothing is told that did not happen.
void sim_shadow_add_fellow(struct SimShadow *shadow, uint64_t word) {
  SimFellows now = fellow_of_writer(shadow, word), *fellows = &sim_shadow_strong_cell(shadow, word)->fellows;
  uint32_t both = fellows->bytes & now.bytes;
  if (!both) { *fellows = now; return; }
  fellows->warps |= now.warps;
  fellows->info = now.info;
  fellows->bytes = both;
}

bool sim_shadow_has_fellows(const struct SimShadow *shadow, uint64_t word) {
  const SimStrongCell *cell = sim_shadow_strong_at(shadow, word);
  return cell && cell->fellows.bytes;
}

void sim_shadow_forget_fellows(struct SimShadow *shadow, uint64_t word, uint32_t bytes) {
  SimStrongCell *cell = sim_shadow_strong_at(shadow, word);
  if (cell && cell->fellows.bytes & bytes) cell->fellows = (SimFellows){0};
}
