// launch_source_type.c: what types of the source are as types of a launch.
#include <stdlib.h>
#include <string.h>

#include "launch/launch_struct.h"

enum { DEPTH_MOST = 16, FIELDS_TOLD = 24 };

bool launch_is_half(const PtxDwType *type) {
  return type->kind == PTX_DW_STRUCT && type->size == 2 && type->name && ls_ends_with(type->name, "half");
}

bool launch_number_type(const PtxDwType *type, const char *text, LaunchType *out) {
  static const LaunchType wholes[4][2] = {
      {LAUNCH_U8, LAUNCH_I8}, {LAUNCH_U16, LAUNCH_I16}, {LAUNCH_U32, LAUNCH_I32}, {LAUNCH_U64, LAUNCH_I64}};
  int log = type->size == 1 ? 0 : type->size == 2 ? 1 : type->size == 4 ? 2 : type->size == 8 ? 3 : -1;
  bool negative = text && *text == '-';
  if (launch_is_half(type)) return *out = LAUNCH_F16, true;
  if (log < 0) return false;
  switch (type->kind) {
    case PTX_DW_FLOAT: *out = log == 1 ? LAUNCH_F16 : log == 2 ? LAUNCH_F32 : LAUNCH_F64; return log > 0;
    case PTX_DW_INT: *out = wholes[log][1]; return true;
    case PTX_DW_UINT: case PTX_DW_BOOL: *out = wholes[log][0]; return true;
    case PTX_DW_CHAR: case PTX_DW_ENUM: *out = wholes[log][negative]; return true;
    default: return false;
  }
}

static bool element_type(const PtxDwType *type, int depth, LaunchType *out) {
  if (!type || depth > DEPTH_MOST) return false;
  if (type->kind == PTX_DW_ARRAY) return element_type(type->elem, depth + 1, out);
  if (type->kind != PTX_DW_STRUCT || launch_is_half(type)) {
    bool number = launch_number_type(type, NULL, out);
    if (number && type->kind == PTX_DW_CHAR) *out = LAUNCH_I8;
    return number;
  }
  int64_t bytes = 0;
  for (int i = 0; i < type->field_count; i++) {
    LaunchType of = LAUNCH_U8;
    const PtxDwType *field = type->fields[i].type;
    if (!element_type(field, depth + 1, &of) || (i && of != *out) || type->fields[i].offset != bytes) return false;
    *out = of;
    bytes += field ? field->size : 0;
  }
  return bytes > 0 && bytes == type->size;
}

bool launch_element_type(const PtxDwType *type, LaunchType *out) { return element_type(type, 0, out); }

const char *launch_element_word(const PtxDwType *type, LaunchType number) {
  LaunchType known;
  while (type && type->kind == PTX_DW_ARRAY) type = type->elem;
  const char *name = type ? type->name : NULL;
  if (name && ls_starts_with(name, "const ")) name += strlen("const ");
  return name && launch_type_parse(name, strlen(name), &known) && known == number ? name : launch_type_name(number);
}

void launch_add_members(const PtxDwType *type, LsText *out) {
  for (int i = 0; i < type->field_count; i++) {
    const PtxDwField *field = &type->fields[i];
    const char *name = field->type && field->type->name ? field->type->name : "?", *dims = strchr(name, '[');
    if (i) ls_text_add(out, ", ");
    if (i == FIELDS_TOLD) {
      ls_text_add(out, "...");
      return;
    }
    int length = dims ? (int)(dims - name) : (int)strlen(name);
    while (length && name[length - 1] == ' ') length--;
    ls_text_addf(out, "%.*s%s%s%s", length, name, ls_ends_with(name, "*") ? "" : " ", field->name, dims ? dims : "");
  }
}

// ---- a first guess -------------------------------------------------------------------------------------------------

static bool is_number(const PtxDwType *type, bool *real) {
  LaunchType number = LAUNCH_U8;
  bool is = type && launch_number_type(type, NULL, &number);
  *real = is && launch_type_is_float(number);
  return is;
}

// What a pointer may point at: in the source's word where that is one of a number.
static void add_pointee(const PtxDwType *type, uint64_t count, LsText *out) {
  LaunchType number = LAUNCH_U8;
  const char *contents = type->name && ls_starts_with(type->name, "const ") ? "iota" : "zero";
  uint64_t bytes = type->elem ? (uint64_t)LS_MAX(type->elem->size, 1) : 1;
  if (!type->elem || !launch_element_type(type->elem, &number)) number = LAUNCH_U8;
  ls_text_addf(out, "%s[%llu]=%s", launch_element_word(type->elem, number),
               (unsigned long long)LS_MAX(count * bytes / (uint64_t)launch_type_size(number), 1), contents);
}

void launch_guess_members(const PtxDwType *type, uint64_t count, LsText *out) {
  enum { LONGEST = 140 };
  int wholes = 0, fields = type && type->kind == PTX_DW_STRUCT ? type->field_count : 0;
  bool real;
  for (int i = 0; i < fields; i++)
    wholes += is_number(type->fields[i].type, &real) && !real && type->fields[i].type->size >= 4;
  for (int i = 0; i < fields && out->length < LONGEST; i++) {
    const PtxDwField *field = &type->fields[i];
    bool number = is_number(field->type, &real), pointer = field->type && field->type->kind == PTX_DW_POINTER;
    if (!*field->name || (!number && !pointer)) continue;
    ls_text_addf(out, "%s%s=", out->length ? "," : "", field->name);
    if (pointer) add_pointee(field->type, count, out);
    else ls_text_addf(out, "%llu", !real && wholes == 1 && field->type->size >= 4 ? (unsigned long long)count : 1ull);
  }
  if (!out->length && fields && *type->fields[0].name) ls_text_addf(out, "%s={}", type->fields[0].name);
}
