// section.h: the .section blocks at the end of a PTX text: bytes, and where addresses are to be put into them.
// Inside ptx/ only.
#ifndef LS_PTX_SECTION_H
#define LS_PTX_SECTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct PtxName;
struct PtxParser;

// The word of `size` bytes at `at` is the address of `name` (minus that of `minus`) plus what the bytes hold already.
typedef struct PtxSectionFix { int64_t at; int size; struct PtxName *name, *minus; } PtxSectionFix;

typedef struct PtxSection {
  const char *name;         // ".debug_info"
  uint8_t *bytes;
  int size, capacity;
  PtxSectionFix *fixes;     // in order of at
  int fix_count, fix_capacity;
} PtxSection;

typedef struct PtxSections { PtxSection *items; int count, capacity; } PtxSections;

bool ptx_parse_section(struct PtxParser *p);                        // after .section
const PtxSection *ptx_section_find(const PtxSections *sections, const char *name);   // NULL if there is none
void ptx_section_link(struct PtxParser *p);                         // differences of labels of one section
// Text at a label plus an offset; NULL if there is none or it does not end inside its section.
const char *ptx_section_string(const PtxSections *sections, const struct PtxName *label, int64_t offset);
const PtxSectionFix *ptx_section_fix_at(const PtxSection *section, int64_t at);
void ptx_sections_free(PtxSections *sections);

#endif
