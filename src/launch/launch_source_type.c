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
