// dwarf.c: reads .debug_info with its abbreviations.
#include "ptx/dwarf.h"

#include <stdlib.h>
#include <string.h>

enum { ABBREV_LIMIT = 4096, DEPTH_LIMIT = 200, DIE_LIMIT = 1 << 22, ATTRIBUTES_LIMIT = 64 };

typedef enum Attribute {
  AT_LOCATION = 0x02, AT_NAME = 0x03, AT_SIZE = 0x0b, AT_LOW = 0x11, AT_HIGH = 0x12, AT_UPPER = 0x2f, AT_ORIGIN = 0x31,
  AT_COUNT = 0x37, AT_MEMBER = 0x38, AT_LINE = 0x3b, AT_ENCODING = 0x3e, AT_TYPE = 0x49, AT_SPECIFICATION = 0x47,
} Attribute;

typedef enum Form {
  FORM_ADDR = 0x01, FORM_BLOCK2 = 0x03, FORM_BLOCK4, FORM_DATA2, FORM_DATA4, FORM_DATA8, FORM_STRING, FORM_BLOCK,
  FORM_BLOCK1, FORM_DATA1, FORM_FLAG, FORM_SDATA, FORM_STRP, FORM_UDATA, FORM_REF_ADDR, FORM_REF1, FORM_REF2, FORM_REF4,
  FORM_REF8, FORM_REF_UDATA,
  FORM_SEC_OFFSET = 0x17, FORM_EXPRLOC, FORM_FLAG_PRESENT,
} Form;

typedef struct Abbrev { int tag; bool children; int64_t attributes; } Abbrev;   // attributes: place in .debug_abbrev

typedef struct Reader {
  const PtxSection *abbrev_section;
  Abbrev abbrevs[ABBREV_LIMIT];
  PtxBytes info;
  int64_t unit;
  PtxDies *dies;
} Reader;

// A value of any form: a number, a string, or a block of bytes.
typedef struct Value { uint64_t number; const char *text; int64_t block, block_size; bool is_address, is_block; } Value;

uint64_t ptx_bytes_uint(PtxBytes *bytes, int size) {
  uint64_t value = 0;
  if (bytes->at < 0 || bytes->end - bytes->at < size) {
    bytes->bad = true;
    bytes->at = bytes->end;
    return 0;
  }
  for (int i = 0; i < size; i++) value |= (uint64_t)bytes->section->bytes[bytes->at + i] << (8 * i);
  bytes->at += size;
  return value;
}

uint64_t ptx_bytes_uleb(PtxBytes *bytes) {
  uint64_t value = 0;
  for (int shift = 0; !bytes->bad; shift += 7) {
    uint64_t byte = ptx_bytes_uint(bytes, 1);
    if (shift < 64) value |= (byte & 0x7f) << shift;
    if (!(byte & 0x80)) break;
  }
  return value;
}

static int64_t read_sleb(PtxBytes *bytes) {
  uint64_t value = 0;
  for (int shift = 0; !bytes->bad;) {
    uint64_t byte = ptx_bytes_uint(bytes, 1);
    if (shift < 64) value |= (byte & 0x7f) << shift;
    shift += 7;
    if (byte & 0x80) continue;
    if (shift < 64 && (byte & 0x40)) value |= ~(uint64_t)0 << shift;
    break;
  }
  return (int64_t)value;
}

void ptx_bytes_reg_name(PtxBytes *bytes, char name[24]) {
  uint8_t little[24] = {0};
  int length = 0;
  for (int bit = 0; !bytes->bad; bit += 7) {
    uint64_t byte = ptx_bytes_uint(bytes, 1);
    for (int i = 0, at = bit; i < 7 && at / 8 < (int)sizeof little; i++, at++) {
      little[at / 8] |= (uint8_t)((byte >> i & 1) << (at % 8));
    }
    if (!(byte & 0x80)) break;
  }
  for (int i = (int)sizeof little - 1; i >= 0; i--) {
    if (little[i] && length < 23) name[length++] = (char)little[i];
  }
  name[length] = 0;
}

static const char *read_string(PtxBytes *bytes) {
  const uint8_t *start = bytes->section->bytes + bytes->at;
  const uint8_t *zero = bytes->at < bytes->end ? memchr(start, 0, (size_t)(bytes->end - bytes->at)) : NULL;
  if (!zero) {
    bytes->bad = true;
    return NULL;
  }
  bytes->at += zero - start + 1;
  return (const char *)start;
}

static Value read_block(PtxBytes *bytes, uint64_t size) {
  Value value = {.block = bytes->at, .is_block = true};
  if (size > (uint64_t)(bytes->end - bytes->at)) {
    bytes->bad = true;
    return value;
  }
  value.block_size = (int64_t)size;
  bytes->at += (int64_t)size;
  return value;
}

static Value read_value(PtxBytes *bytes, int form, int64_t unit) {
  Value value = {0};
  switch (form) {
    case FORM_ADDR: value.number = ptx_bytes_uint(bytes, 8), value.is_address = true; break;
    case FORM_DATA1: case FORM_FLAG: value.number = ptx_bytes_uint(bytes, 1); break;
    case FORM_DATA2: value.number = ptx_bytes_uint(bytes, 2); break;
    case FORM_DATA4: case FORM_STRP: case FORM_REF_ADDR: case FORM_SEC_OFFSET:
      value.number = ptx_bytes_uint(bytes, 4);
      break;
    case FORM_DATA8: value.number = ptx_bytes_uint(bytes, 8); break;
    case FORM_SDATA: value.number = (uint64_t)read_sleb(bytes); break;
    case FORM_UDATA: value.number = ptx_bytes_uleb(bytes); break;
    case FORM_REF1: value.number = (uint64_t)unit + ptx_bytes_uint(bytes, 1); break;
    case FORM_REF2: value.number = (uint64_t)unit + ptx_bytes_uint(bytes, 2); break;
    case FORM_REF4: value.number = (uint64_t)unit + ptx_bytes_uint(bytes, 4); break;
    case FORM_REF8: value.number = (uint64_t)unit + ptx_bytes_uint(bytes, 8); break;
    case FORM_REF_UDATA: value.number = (uint64_t)unit + ptx_bytes_uleb(bytes); break;
    case FORM_STRING: value.text = read_string(bytes); break;
    case FORM_BLOCK1: return read_block(bytes, ptx_bytes_uint(bytes, 1));
    case FORM_BLOCK2: return read_block(bytes, ptx_bytes_uint(bytes, 2));
    case FORM_BLOCK4: return read_block(bytes, ptx_bytes_uint(bytes, 4));
    case FORM_BLOCK: case FORM_EXPRLOC: return read_block(bytes, ptx_bytes_uleb(bytes));
    case FORM_FLAG_PRESENT: value.number = 1; break;
    default: bytes->bad = true; break;
  }
  return value;
}

// Where a member lies: a number, or the expression "plus a constant".
static int64_t member_offset(const PtxBytes *info, const Value *value) {
  if (!value->is_block) return (int64_t)value->number;
  PtxBytes bytes = {.section = info->section, .at = value->block, .end = value->block + value->block_size};
  return ptx_bytes_uint(&bytes, 1) == DW_OP_PLUS_UCONST ? (int64_t)ptx_bytes_uleb(&bytes) : 0;
}

static void take_location(PtxDie *die, const Value *value) {
  if (value->is_block) {
    die->expr = value->block;
    die->expr_size = value->block_size;
  } else {
    die->list = (int64_t)value->number;
  }
}

static void take(PtxDie *die, const PtxBytes *info, int attribute, const Value *value) {
  int64_t number = (int64_t)value->number;
  switch (attribute) {
    case AT_LOCATION: take_location(die, value); break;
    case AT_NAME: die->name = value->text; break;
    case AT_SIZE: die->size = number; break;
    case AT_LOW: die->low = number; break;
    case AT_HIGH: die->high = (int64_t)(value->number + (value->is_address ? 0 : (uint64_t)die->low)); break;
    case AT_UPPER: die->count = (int64_t)(value->number + 1); break;
    case AT_COUNT: die->count = number; break;
    case AT_ORIGIN: case AT_SPECIFICATION: die->origin = number; break;
    case AT_MEMBER: die->member_offset = member_offset(info, value); break;
    case AT_LINE: die->line = number; break;
    case AT_ENCODING: die->encoding = number; break;
    case AT_TYPE: die->type = number; break;
    default: break;
  }
}

static void read_attributes(Reader *reader, const Abbrev *abbrev, PtxDie *die) {
  PtxBytes spec = {.section = reader->abbrev_section, .at = abbrev->attributes, .end = reader->abbrev_section->size};
  for (int i = 0; i < ATTRIBUTES_LIMIT && !reader->info.bad; i++) {
    int attribute = (int)ptx_bytes_uleb(&spec), form = (int)ptx_bytes_uleb(&spec);
    if (spec.bad || (!attribute && !form)) break;
    Value value = read_value(&reader->info, form, reader->unit);
    if (!reader->info.bad) take(die, &reader->info, attribute, &value);
  }
}

static void skip_attributes(PtxBytes *bytes) {
  uint64_t attribute, form;
  do {
    attribute = ptx_bytes_uleb(bytes);
    form = ptx_bytes_uleb(bytes);
  } while ((attribute || form) && !bytes->bad);
}

static void read_abbrevs(Reader *reader, int64_t at) {
  memset(reader->abbrevs, 0, sizeof reader->abbrevs);
  PtxBytes bytes = {.section = reader->abbrev_section, .at = at, .end = reader->abbrev_section->size};
  while (!bytes.bad) {
    uint64_t code = ptx_bytes_uleb(&bytes);
    if (!code) break;
    int tag = (int)ptx_bytes_uleb(&bytes);
    bool children = ptx_bytes_uint(&bytes, 1);
    if (code < ABBREV_LIMIT && !bytes.bad) reader->abbrevs[code] = (Abbrev){tag, children, bytes.at};
    skip_attributes(&bytes);
  }
}

static void read_unit_entries(Reader *reader) {
  int parents[DEPTH_LIMIT], depth = 0;
  PtxBytes *info = &reader->info;
  PtxDies *dies = reader->dies;
  while (info->at < info->end && !info->bad && dies->count < DIE_LIMIT) {
    PtxDie die = {.offset = info->at, .parent = depth ? parents[depth - 1] : -1, .type = -1, .origin = -1, .low = -1,
                  .high = -1, .list = -1, .count = -1};
    uint64_t code = ptx_bytes_uleb(info);
    if (!code) {
      if (depth) dies->items[parents[--depth]].end = dies->count;
      if (!depth) break;
      continue;
    }
    if (code >= ABBREV_LIMIT || !reader->abbrevs[code].tag) break;
    const Abbrev *abbrev = &reader->abbrevs[code];
    die.tag = abbrev->tag;
    die.end = dies->count + 1;
    read_attributes(reader, abbrev, &die);
    if (info->bad) break;
    LS_PUSH(dies->items, dies->count, dies->capacity, die);
    if (abbrev->children && depth == DEPTH_LIMIT) break;
    if (abbrev->children) parents[depth++] = dies->count - 1;
    else if (!depth) break;
  }
  while (depth) dies->items[parents[--depth]].end = dies->count;
}

// One unit: length, version, abbreviations, address size, entries. False: no sense in going on.
static bool read_unit(Reader *reader, int64_t *at) {
  PtxBytes *info = &reader->info;
  *info = (PtxBytes){.section = info->section, .at = *at, .end = info->section->size};
  reader->unit = *at;
  uint64_t length = ptx_bytes_uint(info, 4);
  if (info->bad || length < 7 || length > (uint64_t)(info->end - info->at)) return false;
  info->end = info->at + (int64_t)length;
  *at = info->end;
  uint64_t version = ptx_bytes_uint(info, 2);
  int64_t abbrevs = (int64_t)ptx_bytes_uint(info, 4);
  uint64_t address_size = ptx_bytes_uint(info, 1);
  if (version < 2 || version > 4 || address_size != 8) return false;
  read_abbrevs(reader, abbrevs);
  read_unit_entries(reader);
  return true;
}

void ptx_dwarf_read(const PtxSection *info, const PtxSection *abbrev, PtxDies *dies) {
  Reader *reader = ls_alloc(sizeof *reader);
  reader->abbrev_section = abbrev;
  reader->info.section = info;
  reader->dies = dies;
  int64_t at = 0;
  while (at < info->size && read_unit(reader, &at)) continue;
  free(reader);
}

PtxDie *ptx_die_at(const PtxDies *dies, int64_t offset) {
  int low = 0, high = dies->count;
  while (low < high) {
    int middle = low + (high - low) / 2;
    if (dies->items[middle].offset < offset) low = middle + 1;
    else high = middle;
  }
  return low < dies->count && dies->items[low].offset == offset ? &dies->items[low] : NULL;
}
