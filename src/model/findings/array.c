// array.c: finds the array of an address among the objects of a run, and its rows in the types of the source.
#include "model/findings/array.h"

#include <string.h>

static const TraceObject *object_at(const TraceInfo *info, TraceSpace space, uint64_t addr) {
  for (int i = 0; i < info->object_count; i++) {
    const TraceObject *o = &info->objects[i];
    if (o->space == space && addr - o->base < o->size) return o;
  }
  return NULL;
}

static PtxSpace ptx_space(TraceSpace space) {
  return space == TRACE_SHARED ? PTX_SHARED : space == TRACE_CONST ? PTX_CONST : PTX_GLOBAL;
}

// The type of what a buffer's elements are: of the parameter of that name, without its pointer.
static const PtxDwType *pointee(const FindingsOf *of, const char *name) {
  for (int i = 0; i < of->module->funcs[of->entry].param_count; i++) {
    const char *param = ptx_param_source_name(of->module, of->entry, i);
    const PtxDwType *type = ptx_param_source_type(of->module, of->entry, i);
    if (param && type && strcmp(param, name) == 0 && type->kind == PTX_DW_POINTER) return type->elem;
  }
  return NULL;
}

static const PtxDwType *variable_type(const FindingsOf *of, const TraceObject *object) {
  for (int v = 0; v < of->module->var_count; v++) {
    const PtxVar *var = &of->module->vars[v];
    bool same = var->space == ptx_space((TraceSpace)object->space) && (uint64_t)var->size == object->size;
    if (same && var->source_type && strcmp(var->source_name, object->name) == 0) return var->source_type;
  }
  return NULL;
}

static void set_dims(Array *array, const PtxDwType *type) {
  array->dim_count = LS_MIN(type->dim_count, ARRAY_DIMS);
  for (int i = 0; i < array->dim_count; i++) array->dims[i] = type->dims[i];
  array->type = type->elem;
  array->element = type->elem ? type->elem->size : array->element;
  array->declared = true;
}

static bool is_whole(const Array *array) {
  uint64_t elements = 1;
  for (int i = 1; i < array->dim_count; i++) {
    if (array->dims[i] <= 0) return false;
    elements *= (uint64_t)array->dims[i];
  }
  return array->dim_count > 0 && array->element > 0 && elements * (uint64_t)array->element <= array->size;
}

bool array_at(const FindingsOf *of, TraceSpace space, uint64_t addr, Array *out) {
  const TraceObject *object = object_at(of->info, space, addr);
  if (!object || !object->name) return false;
  *out = (Array){.name = object->name, .space = (uint8_t)space, .base = object->base, .size = object->size,
                 .element = LS_MAX(launch_type_size((LaunchType)object->type), 1), .dim_count = 1};
  Array plain = *out;
  const PtxDwType *type = object->arg >= 0 ? NULL : variable_type(of, object);
  if (type && type->kind == PTX_DW_ARRAY) set_dims(out, type);
  const PtxDwType *element = object->arg >= 0 ? pointee(of, object->name) : NULL;
  if (element && element->size > 0) out->type = element, out->element = element->size;
  if (!is_whole(out)) *out = plain;
  return true;
}

uint64_t array_row(const Array *array) {
  if (array->dim_count < 2) return 0;
  return (uint64_t)array->dims[array->dim_count - 1] * (uint64_t)array->element;
}

static const PtxDwField *field_at(const PtxDwType *type, uint64_t offset) {
  const PtxDwField *found = NULL;
  if (!type || type->kind != PTX_DW_STRUCT) return NULL;
  for (int i = 0; i < type->field_count; i++)
    if ((uint64_t)type->fields[i].offset <= offset && type->fields[i].name) found = &type->fields[i];
  return found;
}

void array_subscripts(const Array *array, uint64_t addr, int64_t out[ARRAY_DIMS], const PtxDwField **field) {
  uint64_t offset = addr - array->base, index = offset / (uint64_t)array->element;
  for (int i = array->dim_count - 1; i > 0; i--) {
    out[i] = (int64_t)(index % (uint64_t)array->dims[i]);
    index /= (uint64_t)array->dims[i];
  }
  out[0] = (int64_t)index;
  *field = field_at(array->type, offset % (uint64_t)array->element);
}

void array_print(const Array *array, uint64_t addr, LsText *out) {
  int64_t index[ARRAY_DIMS] = {0};
  const PtxDwField *field;
  array_subscripts(array, addr, index, &field);
  ls_text_add(out, array->name);
  for (int i = 0; i < array->dim_count; i++) ls_text_addf(out, "[%lld]", (long long)index[i]);
  if (field) ls_text_addf(out, ".%s", field->name);
}

const char *array_element_name(const Array *array) {
  static const char *const by_size[] = {[1] = "bytes", [2] = "2-byte words", [4] = "words", [8] = "8-byte words",
                                        [16] = "16-byte words"};
  const char *name = array->type ? array->type->name : NULL;
  if (name) return strncmp(name, "const ", 6) == 0 ? name + 6 : name;
  bool known = array->element > 0 && array->element < LS_COUNT(by_size) && by_size[array->element];
  return known ? by_size[array->element] : "elements";
}
