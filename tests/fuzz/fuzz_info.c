// fuzz_info.c: trace files changed behind their checksums, above all in what they tell of the run, through play, stats
// and export. A file of the corpus is a trace: lanescope play opens what was found.
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "forge.h"
#include "fuzz.h"

enum { RAW_MOST = 1 << 16 };

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);

// Mostly INFO, now and then another section, but not the events: fuzz_trace has these.
static const ForgeSection *chosen(const ForgeSection *sections, int count, unsigned seed) {
  const ForgeSection *section = &sections[seed % 4 ? 0 : seed / 4 % (unsigned)count];
  return strcmp(section->tag, "EVTS") == 0 ? &sections[0] : section;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed) {
  ForgeSection sections[FORGE_MOST];
  int count = forge_sections(data, size, sections);
  if (!count) return LLVMFuzzerMutate(data, size, max_size);
  const ForgeSection *section = chosen(sections, count, seed);
  size_t raw_size, new_size;
  uint8_t *raw = forge_unpack(data, section, RAW_MOST, &raw_size);
  if (!raw) return LLVMFuzzerMutate(data, size, max_size);
  raw = ls_realloc(raw, RAW_MOST);
  raw_size = LLVMFuzzerMutate(raw, raw_size, RAW_MOST);
  uint8_t *file = forge_replace(data, size, section, raw, raw_size, &new_size);
  if (new_size <= max_size) memcpy(data, file, new_size);
  free(file);
  free(raw);
  return new_size <= max_size ? new_size : size;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  unsigned which = 0;
  for (size_t i = 0; i < size; i++) which = which * 31 + data[i];
  forge_use(data, size, which);
  return 0;
}
