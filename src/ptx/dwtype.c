// dwtype.c: types of the source from DWARF entries.
#include "ptx/dwtype.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH_LIMIT = 40, FIELDS_LIMIT = 4096, SIZE_LIMIT = 1 << 30 };

static int clamp_size(int64_t size) { return (int)LS_CLAMP(size, (int64_t)0, (int64_t)SIZE_LIMIT); }

static bool ends_like_pointer(const char *name) {
  size_t length = strlen(name);
  return length && (name[length - 1] == '*' || name[length - 1] == '&' || name[length - 1] == ']');
}

static const char *name_of(const PtxDwType *type) { return type ? type->name : "void"; }

static void make_base(PtxDwType *type, const PtxDie *die) {
  bool is_char = strcmp(type->name, "char") == 0;
  switch (die->encoding) {
    case DW_ATE_BOOL: type->kind = PTX_DW_BOOL; break;
    case DW_ATE_FLOAT: type->kind = PTX_DW_FLOAT; break;
    case DW_ATE_SIGNED: type->kind = PTX_DW_INT; break;
    case DW_ATE_UNSIGNED: type->kind = PTX_DW_UINT; break;
    case DW_ATE_SIGNED_CHAR: type->kind = (uint8_t)(is_char ? PTX_DW_CHAR : PTX_DW_INT); break;
    case DW_ATE_UNSIGNED_CHAR: type->kind = (uint8_t)(is_char ? PTX_DW_CHAR : PTX_DW_UINT); break;
    default: type->kind = PTX_DW_OTHER; break;
  }
}

static void make_pointer(PtxDwTypes *types, PtxDwType *type, const PtxDie *die) {
  const char *mark = die->tag == DW_TAG_POINTER ? "*" : die->tag == DW_TAG_REFERENCE ? "&" : "&&";
  type->kind = PTX_DW_POINTER;
  type->size = 8;
  type->elem = ptx_dwtype(types, die->type);
  const char *to = name_of(type->elem);
  type->name = ls_arena_format(types->arena, "%s%s%s", to, ends_like_pointer(to) ? "" : " ", mark);
}

// const, volatile, restrict: the type itself under a longer name.
static void make_qualified(PtxDwTypes *types, PtxDwType *type, const PtxDie *die) {
  const char *word = die->tag == DW_TAG_CONST ? "const" : die->tag == DW_TAG_VOLATILE ? "volatile" : "__restrict__";
  const PtxDwType *of = ptx_dwtype(types, die->type);
  const char *name = name_of(of);
  if (of) *type = *of;
  bool behind = ends_like_pointer(name) || die->tag == DW_TAG_RESTRICT;
  type->name = ls_arena_format(types->arena, "%s %s", behind ? name : word, behind ? word : name);
}

static void make_typedef(PtxDwTypes *types, PtxDwType *type, const PtxDie *die) {
  const char *name = type->name;
  const PtxDwType *of = ptx_dwtype(types, die->type);
  if (of) *type = *of;
  type->name = name;
}

// An array of N dimensions; those beyond the fourth are folded into it.
static void make_array(PtxDwTypes *types, PtxDwType *type, const PtxDie *die) {
  const PtxDies *dies = types->dies;
  LsText name = {0};
  int64_t total = 1;
  type->kind = PTX_DW_ARRAY;
  type->elem = ptx_dwtype(types, die->type);
  ls_text_addf(&name, "%s ", name_of(type->elem));
  for (int i = (int)(die - dies->items) + 1; i < die->end; i++) {
    const PtxDie *range = &dies->items[i];
    if (range->tag != DW_TAG_SUBRANGE) continue;
    int64_t n = LS_CLAMP(range->count, (int64_t)0, (int64_t)SIZE_LIMIT);
    if (type->dim_count < LS_COUNT(type->dims)) type->dims[type->dim_count++] = n;
    else type->dims[type->dim_count - 1] = LS_MIN(type->dims[type->dim_count - 1] * n, (int64_t)SIZE_LIMIT);
    total = LS_MIN(total * n, (int64_t)SIZE_LIMIT);
    if (n) ls_text_addf(&name, "[%" PRId64 "]", n);
    else ls_text_add(&name, "[]");
  }
  type->size = clamp_size(total * (type->elem ? type->elem->size : 0));
  type->name = ls_arena_strdup(types->arena, ls_text_str(&name));
  ls_text_free(&name);
}

static bool is_field(const PtxDies *dies, const PtxDie *die, int i) {
  return dies->items[i].tag == DW_TAG_MEMBER && &dies->items[dies->items[i].parent] == die;
}

static void make_struct(PtxDwTypes *types, PtxDwType *type, PtxDie *die) {
  const PtxDies *dies = types->dies;
  int index = (int)(die - dies->items), count = 0;
  type->kind = PTX_DW_STRUCT;
  for (int i = index + 1; i < die->end && count < FIELDS_LIMIT; i++) count += is_field(dies, die, i);
  type->fields = LS_NEW_ARRAY(types->arena, PtxDwField, count);
  for (int i = index + 1; i < die->end && type->field_count < count; i++) {
    if (!is_field(dies, die, i)) continue;
    const PtxDie *field = &dies->items[i];
    const char *name = field->name ? ls_arena_strdup(types->arena, field->name) : "";
    type->fields[type->field_count++] = (PtxDwField){.name = name, .offset = field->member_offset};
  }
  LS_PUSH(types->pending, types->pending_count, types->pending_capacity, index);
}

static void make(PtxDwTypes *types, PtxDwType *type, PtxDie *die) {
  switch (die->tag) {
    case DW_TAG_BASE: make_base(type, die); break;
    case DW_TAG_POINTER: case DW_TAG_REFERENCE: case DW_TAG_RVALUE: make_pointer(types, type, die); break;
    case DW_TAG_CONST: case DW_TAG_VOLATILE: case DW_TAG_RESTRICT: make_qualified(types, type, die); break;
    case DW_TAG_TYPEDEF: make_typedef(types, type, die); break;
    case DW_TAG_ARRAY: make_array(types, type, die); break;
    case DW_TAG_STRUCT: case DW_TAG_CLASS: case DW_TAG_UNION: make_struct(types, type, die); break;
    case DW_TAG_ENUM: type->kind = PTX_DW_ENUM; break;
    default: type->kind = PTX_DW_OTHER; break;
  }
}

static bool is_void(const PtxDie *die) { return die->tag == 0x3b; }   // DW_TAG_unspecified_type

const PtxDwType *ptx_dwtype(PtxDwTypes *types, int64_t offset) {
  PtxDie *die = offset >= 0 ? ptx_die_at(types->dies, offset) : NULL;
  if (!die || is_void(die)) return NULL;
  if (die->made) return die->made;
  if (types->depth >= DEPTH_LIMIT) return NULL;
  PtxDwType *type = LS_NEW(types->arena, PtxDwType);
  *type = (PtxDwType){.kind = PTX_DW_OTHER,
                      .size = clamp_size(die->size),
                      .name = die->name ? ls_arena_strdup(types->arena, die->name) : "?"};
  die->made = type;
  types->depth++;
  make(types, type, die);
  types->depth--;
  return type;
}

// A member that would lie outside of its struct, as damaged information may say, has no known type.
static const PtxDwType *field_type(PtxDwTypes *types, const PtxDwType *type, const PtxDwField *field, int64_t offset) {
  const PtxDwType *own = ptx_dwtype(types, offset);
  return own && field->offset >= 0 && field->offset <= type->size - own->size ? own : NULL;
}

void ptx_dwtypes_finish(PtxDwTypes *types) {
  for (int p = 0; p < types->pending_count; p++) {   // making types may add more
    PtxDie *die = &types->dies->items[types->pending[p]];
    PtxDwType *type = die->made;
    int field = 0;
    for (int i = types->pending[p] + 1; i < die->end && field < type->field_count; i++) {
      if (!is_field(types->dies, die, i)) continue;
      PtxDwField *next = &type->fields[field++];
      next->type = field_type(types, type, next, types->dies->items[i].type);
    }
  }
  free(types->pending);
}
