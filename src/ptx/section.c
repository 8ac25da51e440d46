// section.c: reads .section blocks into bytes, remembering where labels are and where addresses go.
#include "ptx/section.h"

#include <stdlib.h>
#include <string.h>

#include "ptx/parser.h"

enum { SECTION_LIMIT = 64 << 20, SECTIONS_LIMIT = 64 };

static bool add_bytes(PtxParser *p, PtxSection *section, uint64_t value, int size) {
  if (section->size + size > SECTION_LIMIT) return ptx_error(p, &p->token, "the section is too large");
  for (int i = 0; i < size; i++) LS_PUSH(section->bytes, section->size, section->capacity, (uint8_t)(value >> (8 * i)));
  return true;
}

static int word_size(const PtxToken *token) {
  static const struct { const char *word; int size; } rows[] = {{".b8", 1}, {".b16", 2}, {".b32", 4}, {".b64", 8}};
  for (int i = 0; i < LS_COUNT(rows); i++) {
    if (ptx_token_is_word(token, rows[i].word)) return rows[i].size;
  }
  return 0;
}

// item = expr | name [ "-" name ] [ offset ] ;
static bool parse_item(PtxParser *p, PtxSection *section, int size) {
  int64_t value = 0;
  if (p->token.kind != PTX_TK_WORD) return ptx_parse_expr(p, &value) && add_bytes(p, section, (uint64_t)value, size);
  PtxSectionFix fix = {.at = section->size, .size = size, .name = ptx_token_name(p, &p->token)};
  ptx_advance(p);
  if (ptx_token_is(&p->token, '-') && p->ahead.kind == PTX_TK_WORD) {
    ptx_advance(p);
    fix.minus = ptx_token_name(p, &p->token);
    ptx_advance(p);
  }
  if (!ptx_parse_offset(p, &value)) return false;
  LS_PUSH(section->fixes, section->fix_count, section->fix_capacity, fix);
  return add_bytes(p, section, (uint64_t)value, size);
}

// row = label ":" | ( ".b8" | ".b16" | ".b32" | ".b64" ) item { "," item } [ ";" ] ;
static bool parse_row(PtxParser *p, PtxSection *section) {
  int size = word_size(&p->token);
  if (!size && p->token.kind == PTX_TK_WORD && ptx_token_is(&p->ahead, ':')) {
    PtxName *label = ptx_token_name(p, &p->token);
    label->section = p->sections.count;
    label->section_at = section->size;
    ptx_advance(p);
    ptx_advance(p);
    return true;
  }
  if (!size) return ptx_error_expected(p, "a label or .b8, .b16, .b32, .b64");
  ptx_advance(p);
  do {
    if (!parse_item(p, section, size)) return false;
  } while (ptx_accept(p, ','));
  ptx_accept(p, ';');
  return true;
}

// section = ".section" name "{" { row } "}" ;
bool ptx_parse_section(PtxParser *p) {
  PtxSections *all = &p->sections;
  if (p->token.kind != PTX_TK_WORD) return ptx_error_expected(p, "a section name");
  if (all->count >= SECTIONS_LIMIT) return ptx_error(p, &p->token, "more than %d sections", SECTIONS_LIMIT);
  PtxSection section = {.name = ptx_token_name(p, &p->token)->text};
  ptx_advance(p);
  bool ok = ptx_expect(p, '{');
  while (ok && !ptx_token_is(&p->token, '}')) ok = parse_row(p, &section);
  LS_PUSH(all->items, all->count, all->capacity, section);
  return ok && ptx_expect(p, '}');
}

const PtxSection *ptx_section_find(const PtxSections *sections, const char *name) {
  for (int i = 0; i < sections->count; i++) {
    if (strcmp(sections->items[i].name, name) == 0) return &sections->items[i];
  }
  return NULL;
}

// The number that a name stands for: its place in a section, the place of its section, or its pc in the code.
static int64_t address_of(const PtxName *name) {
  if (name->section >= 0) return name->section_at;
  return name->label_pc >= 0 ? name->label_pc : 0;
}

static void add_to_word(PtxSection *section, const PtxSectionFix *fix, int64_t more) {
  uint64_t value = 0;
  for (int i = 0; i < fix->size; i++) value |= (uint64_t)section->bytes[fix->at + i] << (8 * i);
  value += (uint64_t)more;
  for (int i = 0; i < fix->size; i++) section->bytes[fix->at + i] = (uint8_t)(value >> (8 * i));
}

// Addresses become numbers here: a section or a label in one is its offset, a label in code its pc. Variables stay
// zero: who reads the bytes asks ptx_section_fix_at for the name.
void ptx_section_link(PtxParser *p) {
  for (int i = 0; i < p->sections.count; i++) {
    PtxSection *section = &p->sections.items[i];
    for (int k = 0; k < section->fix_count; k++) {
      const PtxSectionFix *fix = &section->fixes[k];
      add_to_word(section, fix, address_of(fix->name) - (fix->minus ? address_of(fix->minus) : 0));
    }
  }
}

const char *ptx_section_string(const PtxSections *sections, const PtxName *label, int64_t offset) {
  const PtxSection *section =
      label->section >= 0 ? &sections->items[label->section] : ptx_section_find(sections, label->text);
  int64_t at = label->section >= 0 ? label->section_at : 0;
  if (!section || offset < 0 || offset >= section->size - at) return NULL;
  const uint8_t *start = section->bytes + at + offset;
  return memchr(start, 0, (size_t)(section->size - at - offset)) ? (const char *)start : NULL;
}

const PtxSectionFix *ptx_section_fix_at(const PtxSection *section, int64_t at) {
  int low = 0, high = section->fix_count;
  while (low < high) {
    int middle = low + (high - low) / 2;
    if (section->fixes[middle].at < at) low = middle + 1;
    else high = middle;
  }
  return low < section->fix_count && section->fixes[low].at == at ? &section->fixes[low] : NULL;
}

void ptx_sections_free(PtxSections *sections) {
  for (int i = 0; i < sections->count; i++) {
    free(sections->items[i].bytes);
    free(sections->items[i].fixes);
  }
  free(sections->items);
}
