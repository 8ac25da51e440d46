// forge.c: sections out of trace files and into them again.
#include "forge.h"

#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "base/mem.h"
#include "trace/section.h"

int forge_sections(const uint8_t *file, size_t size, ForgeSection sections[FORGE_MOST]) {
  if (size < TRACE_HEADER_BYTES + TRACE_FOOTER_BYTES || memcmp(file, TRACE_MAGIC, 8) != 0) return 0;
  size_t at = TRACE_HEADER_BYTES, end = size - TRACE_FOOTER_BYTES;
  int count = 0;
  while (at < end && count < FORGE_MOST) {
    TraceSection section;
    if (end - at < TRACE_SECTION_BYTES || !trace_section_get(file + at, &section)) return 0;
    if (section.stored > end - at - TRACE_SECTION_BYTES) return 0;
    ForgeSection *out = &sections[count++];
    memcpy(out->tag, section.tag, sizeof out->tag);
    out->offset = at;
    out->bytes = TRACE_SECTION_BYTES + (size_t)section.stored;
    at += out->bytes;
  }
  return at == end && count && strcmp(sections[count - 1].tag, "ENDS") == 0 ? count : 0;
}

uint8_t *forge_unpack(const uint8_t *file, const ForgeSection *section, size_t most, size_t *size) {
  TraceSection header;
  if (!trace_section_get(file + section->offset, &header) || header.raw > most) return NULL;
  uint8_t *raw = ls_alloc((size_t)header.raw + 1);
  size_t stored = section->bytes - TRACE_SECTION_BYTES;
  *size = ZSTD_decompress(raw, (size_t)header.raw, file + section->offset + TRACE_SECTION_BYTES, stored);
  if (!ZSTD_isError(*size) && *size == header.raw) return raw;
  free(raw);
  return NULL;
}

// The section's header and frame, as long as it is now.
static TraceBytes packed(const uint8_t *old_header, const uint8_t *raw, size_t raw_size) {
  TraceBytes out = {0};
  TraceSection section;
  trace_section_get(old_header, &section);
  size_t bound = ZSTD_compressBound(raw_size);
  uint8_t *room = trace_bytes_room(&out, TRACE_SECTION_BYTES + bound);
  section.raw = raw_size;
  section.stored = ZSTD_compress(room + TRACE_SECTION_BYTES, bound, raw, raw_size, 1);
  trace_section_put(room, &section);
  out.size = TRACE_SECTION_BYTES + (size_t)section.stored;
  return out;
}

uint8_t *forge_replace(const uint8_t *file, size_t size, const ForgeSection *section, const uint8_t *raw, size_t raw_size,
                       size_t *new_size) {
  TraceBytes out = {0}, put = packed(file + section->offset, raw, raw_size);
  uint64_t ends;
  size_t after = section->offset + section->bytes, footer = size - TRACE_FOOTER_BYTES;
  trace_put_bytes(&out, file, section->offset);
  trace_put_bytes(&out, put.data, put.size);
  trace_put_bytes(&out, file + after, footer - after);
  uint8_t *last = trace_bytes_room(&out, TRACE_FOOTER_BYTES);
  memcpy(last, file + footer, TRACE_FOOTER_BYTES);
  if (trace_footer_get(last, &ends) && ends > section->offset) trace_footer_put(last, ends + put.size - section->bytes);
  out.size += TRACE_FOOTER_BYTES;
  free(put.data);
  *new_size = out.size;
  return out.data;
}
