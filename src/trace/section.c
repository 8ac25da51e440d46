// section.c: headers of sections and the footer as bytes, each with a checksum of its own.
#include "trace/section.h"

#include "base/random.h"

static void put_u64(uint8_t *bytes, uint64_t value) {
  for (int i = 0; i < 8; i++) bytes[i] = (uint8_t)(value >> 8 * i);
}

static uint64_t get_u64(const uint8_t *bytes) {
  uint64_t value = 0;
  for (int i = 0; i < 8; i++) value |= (uint64_t)bytes[i] << 8 * i;
  return value;
}

void trace_section_put(uint8_t bytes[TRACE_SECTION_BYTES], const TraceSection *section) {
  put_u64(bytes, (uint64_t)section->count << 32);
  memcpy(bytes, section->tag, 4);
  put_u64(bytes + 8, section->stored);
  put_u64(bytes + 16, section->raw);
  put_u64(bytes + 24, ls_hash64(bytes, 24));
}

bool trace_section_get(const uint8_t bytes[TRACE_SECTION_BYTES], TraceSection *section) {
  *section = (TraceSection){.stored = get_u64(bytes + 8), .raw = get_u64(bytes + 16)};
  section->count = (uint32_t)(get_u64(bytes) >> 32);
  memcpy(section->tag, bytes, 4);
  return get_u64(bytes + 24) == ls_hash64(bytes, 24);
}

void trace_footer_put(uint8_t bytes[TRACE_FOOTER_BYTES], uint64_t offset) {
  put_u64(bytes, offset);
  put_u64(bytes + 8, ls_hash64(bytes, 8));
  memcpy(bytes + 16, TRACE_END_MAGIC, 8);
}

bool trace_footer_get(const uint8_t bytes[TRACE_FOOTER_BYTES], uint64_t *offset) {
  *offset = get_u64(bytes);
  return memcmp(bytes + 16, TRACE_END_MAGIC, 8) == 0 && get_u64(bytes + 8) == ls_hash64(bytes, 8);
}
