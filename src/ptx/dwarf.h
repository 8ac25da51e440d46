// dwarf.h: .debug_info as a flat list of entries (DWARF 2 to 4). Inside ptx/ only.
//
// All reads are bounded: what is malformed ends the list early. Addresses are pcs where they name labels of code;
// those that name variables have their PtxName in `fixes` of the section, by position.
#ifndef LS_PTX_DWARF_H
#define LS_PTX_DWARF_H

#include "base/mem.h"
#include "ptx/section.h"

enum {
  DW_TAG_ARRAY = 0x01, DW_TAG_CLASS = 0x02, DW_TAG_ENUM = 0x04, DW_TAG_PARAM = 0x05, DW_TAG_BLOCK = 0x0b, DW_TAG_MEMBER = 0x0d,
  DW_TAG_POINTER = 0x0f, DW_TAG_REFERENCE = 0x10, DW_TAG_UNIT = 0x11, DW_TAG_STRUCT = 0x13, DW_TAG_TYPEDEF = 0x16,
  DW_TAG_UNION = 0x17, DW_TAG_INLINED = 0x1d, DW_TAG_SUBRANGE = 0x21, DW_TAG_BASE = 0x24, DW_TAG_CONST = 0x26,
  DW_TAG_FUNCTION = 0x2e,
  DW_TAG_VARIABLE = 0x34, DW_TAG_VOLATILE = 0x35, DW_TAG_RESTRICT = 0x37, DW_TAG_RVALUE = 0x42,
};
enum { DW_OP_ADDR = 0x03, DW_OP_DEREF = 0x06, DW_OP_PLUS_UCONST = 0x23, DW_OP_REGX = 0x90 };
enum {
  DW_ATE_BOOL = 2, DW_ATE_FLOAT = 4, DW_ATE_SIGNED = 5, DW_ATE_SIGNED_CHAR = 6, DW_ATE_UNSIGNED = 7, DW_ATE_UNSIGNED_CHAR = 8
};

typedef struct PtxDie {
  int64_t offset;           // in .debug_info: what references name
  int tag, parent;          // parent: index, -1 for a unit
  int end;                  // index after its last descendant
  const char *name;         // borrowed from the section; NULL
  int64_t type, origin;     // offsets of other entries; -1
  int64_t size, encoding, line;
  int64_t count;            // of a subrange; -1 if it does not say
  int64_t member_offset;
  int64_t low, high;        // pcs; -1
  int64_t expr, expr_size;  // location expression: place in .debug_info; size 0: none
  int64_t list;             // location list: place in .debug_loc; -1
  void *made;               // what debuginfo.c made of it
} PtxDie;

typedef struct PtxDies { PtxDie *items; int count, capacity; } PtxDies;

// A cursor over the bytes of a section. Past the end it reads zeros and says so in `bad`.
typedef struct PtxBytes { const PtxSection *section; int64_t at, end; bool bad; } PtxBytes;

uint64_t ptx_bytes_uint(PtxBytes *bytes, int size);
uint64_t ptx_bytes_uleb(PtxBytes *bytes);
// A register's name packed into a ULEB128 number, first character highest; "" if it is none.
void ptx_bytes_reg_name(PtxBytes *bytes, char name[24]);

// Reads all units. Free dies->items.
void ptx_dwarf_read(const PtxSection *info, const PtxSection *abbrev, PtxDies *dies);
PtxDie *ptx_die_at(const PtxDies *dies, int64_t offset);   // NULL if none begins there

#endif
